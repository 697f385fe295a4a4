// The messages of the engine. Made from src/messages.rs and src/session.rs:
// UPDATE_API=1 cargo test -p patchwork-board typescript

/** Asks for the start of a game. */
export interface NewGame {
  /** The printing of the time board; `original` by default. */ track?: Track;
  /** The ring, 33 numbers with 1 last; random by default. */ ring?: number[] | null;
  /** The seed of a random ring, at most 2^53; 1 by default. */ seed?: number;
  /** The number of the ring among those of the seed; 0 by default. */ number?: number;
}

/** A printing of the time board; printings differ in the spaces of the special patches. */
export type Track = "original" | "revised";

/** A game, or its beginning. */
export interface GameText {
  /** The text of a setup (`original 2 3 ... 1`) or of a position from which the game begins. */ start: string;
  /** The actions played so far: `A`, `17:a1b1c2`, `S:e5`. */ actions: string[];
}

/** Asks about a game. */
export interface AboutGame {
  /** The game. */ game: GameText;
}

/** A position: what is drawn, and what can be played. */
export interface PositionView {
  /** The position as a text, from which another game can start. */ text: string;
  /** The same in parts, for an editor. */ parts: PositionPartsView;
  /** Plies played since the start of the game. */ ply: number;
  /** The player to move, 0 or 1; null when the game is over. */ mover: number | null;
  /** The result; null while the game goes on. */ outcome: OutcomeView | null;
  /** The first and the second player. */ players: [PlayerView, PlayerView];
  /** The 54 spaces of the time board. */ spaces: SpaceView[];
  /** The patches in the ring, in order from the token. */ ring: number[];
  /** The next three (fewer if fewer are left) and whether they can be bought. */ offers: OfferView[];
  /** Special patches that the mover must place before anything else. */ specials_waiting: number;
  /** The last action; null at the start. */ last: PlayedView | null;
  /** What the mover may do. */ legal: LegalView;
}

/** A position in parts, as an editor shows them. */
export interface PositionPartsView {
  /** The printing of the time board. */ track: Track;
  /** The ring at the start of the game, 33 numbers with 1 last. A patch on no quilt is in the ring. */ ring: number[];
  /** The place of the ring after the token, 0 to 32. */ token: number;
  /** The first and the second player. */ players: [PlayerPartsView, PlayerPartsView];
  /** The player to move, 0 or 1. */ mover: number;
  /** Special patches that the mover must place now. */ waiting: number;
  /** Who has the bonus for seven by seven. */ bonus: number | null;
  /** Who reached the last space first. */ arrived: number | null;
  /** The spaces on which special patches still stand. */ specials: number[];
}

/** A player's part of a position. */
export interface PlayerPartsView {
  /** Buttons, at most 999. */ buttons: number;
  /** The token's space, 0 to 53. */ space: number;
  /** The placements on the quilt: `17:a1b1c2`, `S:e5`. */ patches: string[];
}

/** The result of a game. */
export interface OutcomeView {
  /** The winner, 0 or 1. */ winner: number;
  /** Points of the first and the second player. */ scores: [number, number];
  /** Whether equal points were decided by who reached the last space first. */ by_arrival: boolean;
}

/** A player in a position. */
export interface PlayerView {
  /** The 81 squares row by row: the number of the patch, 34 for a special patch, 0 for an empty square. */
  squares: number[];
  /** The placed patches in order, each with its squares' indices (0 to 80). */ patches: SewnView[];
  /** Buttons. */ buttons: number;
  /** Buttons received at each income space. */ income: number;
  /** The token's space, 0 to 53. */ space: number;
  /** Whether the player has the bonus for seven by seven. */ bonus: boolean;
  /** Points if the game ended now. */ score: number;
  /** Empty squares. */ empty: number;
  /** Income spaces ahead. */ incomes_ahead: number;
}

/** A patch on a quilt. */
export interface SewnView {
  /** Its number; 34 for a special patch. */ patch: number;
  /** Index of its orientation. */ orientation: number;
  /** Its squares, 0 to 80, ascending. */ squares: number[];
}

/** A space of the time board. */
export interface SpaceView {
  /** Whether it pays income. */ income: boolean;
  /** Whether a special patch stands there. */ special: boolean;
}

/** A patch on offer. */
export interface OfferView {
  /** Its number. */ patch: number;
  /** Whether the mover has enough buttons. */ affordable: boolean;
  /** Whether it fits on the mover's quilt. */ fits: boolean;
}

/** An action that was played. */
export interface PlayedView {
  /** Its player, 0 or 1. */ player: number;
  /** The action. */ action: string;
  /** The squares it covers, 0 to 80. */ squares: number[];
}

/** Legal actions. All are empty when the game is over. */
export interface LegalView {
  /** Whether the mover may advance. */ advance: boolean;
  /** The patches that can be bought, with all their placements. */ patches: PlaceableView[];
  /** The squares on which a special patch can be placed. */ specials: number[];
  /** The number of legal actions. */ count: number;
}

/** The placements of a patch. */
export interface PlaceableView {
  /** The patch. */ patch: number;
  /** For each orientation, in the order of `PatchView::orientations`, the squares (0 to 80) at which the corner of
   * its bounding box can lie. */
  corners: number[][];
}

/** Asks about an action in the last position of a game. */
export interface AboutAction {
  /** The game. */ game: GameText;
  /** The action. */ action: string;
}

/** What an action does. */
export interface EffectView {
  /** The action, as the engine writes it. */ action: string;
  /** Buttons paid. */ cost: number;
  /** Buttons received for advancing, one for each space. */ earned: number;
  /** Buttons received at income spaces. */ income: number;
  /** Change of the income at each income space ahead. */ income_gained: number;
  /** Spaces before and after. */ from: number;
  /** See `from`. */ to: number;
  /** Income spaces crossed. */ income_spaces: number[];
  /** Spaces whose special patches are taken. */ specials: number[];
  /** Whether it wins the bonus for seven by seven. */ bonus: boolean;
  /** Squares covered. */ squares: number;
  /** The player's points after it minus before it. */ points: number;
  /** The player to move after it; null when the game is over. */ next: number | null;
}

/** Asks for nothing in particular. */
export type Nothing = Record<string, never>;

/** A patch as printed. */
export interface PatchView {
  /** Its number, 1 to 33. */ patch: number;
  /** Its price in buttons. */ buttons: number;
  /** The spaces that its buyer moves. */ time: number;
  /** The buttons sewn on it. */ income: number;
  /** Its different rotations and flips; the first is as printed. */ orientations: OrientationView[];
}

/** A patch in one of its rotations and flips. The corner is the top left of its bounding box. */
export interface OrientationView {
  /** Its squares as columns and rows from the corner, in row-major order. */ cells: ([number, number])[];
  /** Columns of the bounding box. */ columns: number;
  /** Rows of the bounding box. */ rows: number;
  /** The index of the orientation after a quarter turn to the right. */ turned: number;
  /** The index of the orientation with left and right swapped. */ flipped: number;
}

/** Asks whether a position in parts is one. */
export interface EditPosition {
  /** The position. */ parts: PositionPartsView;
}

/** Asks to read a text that a person gave. */
export interface ReadText {
  /** A game as PGN, a link's text, a setup or a position, or actions after a setup or position. */ text: string;
}

/** A game that was read. */
export interface ReadGame {
  /** The game. */ game: GameText;
  /** The players' names, if the text has them. */ names: [string | null, string | null];
  /** Number of games in the text; only the first is read. */ games: number;
}

/** Asks for a game as PGN. */
export interface WritePgn {
  /** The game. */ game: GameText;
  /** The players' names. */ names: [string, string];
  /** Comments of the plies; may be shorter than the game. */ comments: (string | null)[];
}

/** A text. */
export interface TextView {
  /** The text. */ text: string;
}

/** Asks an agent for its decision. Sessions remember the agent's player, so that it keeps its tree from move to move
 * of a game. */
export interface AskDecision {
  /** The game; it must not be over. */ game: GameText;
  /** The name of an agent. */ agent: string;
  /** The budget: iterations of the search. Without a budget, the agent's own. */ iterations?: number | null;
  /** The budget: time in milliseconds. */ milliseconds?: number | null;
  /** The seed of its random choices; 1 by default. */ seed?: number;
}

/** A decision. */
export interface DecisionView {
  /** The action. */ action: string;
  /** Iterations of the search, 0 without a search. */ iterations: number;
  /** The mover's win probability; null if the agent does not say. */ chance: number | null;
  /** Whether it is proven to win (true) or to lose (false); null if neither. */ proven: boolean | null;
  /** Time taken. */ milliseconds: number;
}

/** Starts a search of the last position of a game, in place of the one before. */
export interface StartSearch {
  /** The game; it must not be over. */ game: GameText;
  /** The name of an agent that searches a tree; `champion` by default. */ agent?: string | null;
  /** The seed of its random choices; 1 by default. */ seed?: number;
}

/** What the search knows. */
export interface AnalysisView {
  /** Iterations so far. */ iterations: number;
  /** Time spent searching. */ milliseconds: number;
  /** The player to move, from whose point of view `chance` and `margin` are. */ mover: number;
  /** The mover's win probability. */ chance: number;
  /** The mover's expected margin in points at the end. */ margin: number;
  /** The winner if both play optimally, if proven. */ winner: number | null;
  /** Whether more iterations would change nothing: it is proven, or there is only one action. */ ended: boolean;
  /** The action that the agent plays; null before the first iteration. */ best: string | null;
  /** The best action, followed by those with the most visits. */ lines: LineView[];
  /** Positions in the tree. */ nodes: number;
  /** The longest path from the root. */ depth: number;
}

/** An action and what the search expects after it. */
export interface LineView {
  /** The action; `17:?` is a patch with no known placement. */ action: string;
  /** Iterations that went through it. */ visits: number;
  /** Their share of all. */ share: number;
  /** The mover's win probability after it; null without visits. */ chance: number | null;
  /** The mover's expected margin after it; null without visits. */ margin: number | null;
  /** The agent's first guess of the probability that it is best. */ prior: number;
  /** Whether it is proven to win or to lose. */ proven: boolean | null;
  /** The principal variation, with this action first. */ line: string[];
}

/** Continues the search. Without a budget, only says what is known. */
export interface StepSearch {
  /** Iterations to search. */ iterations?: number | null;
  /** Time to search in milliseconds. */ milliseconds?: number | null;
  /** The number of actions to list; 5 by default. */ top?: number;
}

/** Asks for a node of the search tree. */
export interface AskTree {
  /** Steps from the root, as `TreeEdgeView::step` writes them. */ path: string[];
  /** The number of steps to list; 20 by default. */ top?: number;
}

/** A node of the search tree. */
export interface TreeView {
  /** The player to move. */ mover: number | null;
  /** The steps that were visited most, most visited first. */ edges: TreeEdgeView[];
  /** The number of all steps. */ count: number;
}

/** A step in the search tree. */
export interface TreeEdgeView {
  /** An action, or the number of a patch that is picked before it is placed. */ step: string;
  /** Iterations that went through it. */ visits: number;
  /** The mover's win probability; null without visits. */ chance: number | null;
  /** The agent's first guess of the probability that it is best. */ prior: number;
  /** Whether it is proven to win or to lose. */ proven: boolean | null;
}

/** Asks how well a game was played. */
export interface JudgeGame {
  /** The game. */ game: GameText;
  /** For each position from the start to the last, its evaluation; null where there is none. The position after the
   * end of a game needs none. */
  evaluations: (EvaluationView | null)[];
}

/** The evaluation of a position. */
export interface EvaluationView {
  /** The first player's win probability. */ first: number;
  /** The action that the search prefers. */ best?: string | null;
}

/** How well a game was played. */
export interface JudgementView {
  /** One for each ply. */ plies: JudgedPlyView[];
  /** The first and the second player. */ players: [JudgedPlayerView, JudgedPlayerView];
  /** The grades and their thresholds, mildest first. */ grades: GradeView[];
  /** The formula of accuracy, in words. */ formula: string;
}

/** A ply and what it lost. */
export interface JudgedPlyView {
  /** The player, 0 or 1. */ player: number;
  /** Loss of win probability, 0 to 1; null if a position was not evaluated. */ loss: number | null;
  /** The grade's name (`inaccuracy`, `mistake`, `blunder`); null for a good move. */ grade: string | null;
  /** Accuracy of the ply, 0 to 100; null if it was not evaluated or there was only one legal action. */
  accuracy: number | null;
}

/** A player's account. */
export interface JudgedPlayerView {
  /** Mean accuracy, 0 to 100; null if nothing was evaluated. */ accuracy: number | null;
  /** Mean loss of win probability for each evaluated ply with a choice. */ loss: number | null;
  /** Evaluated plies with a choice. */ plies: number;
  /** The number of plies with each grade, in the order of the grades. */ grades: number[];
}

/** A grade of bad moves. */
export interface GradeView {
  /** Its name. */ name: string;
  /** The least loss of win probability, 0 to 1. */ loss: number;
}

/** Asks what the better of two actions gains. */
export interface AskWhy {
  /** The game up to the position. */ game: GameText;
  /** The action that was played. */ played: string;
  /** The better action. */ better: string;
}

/** Two actions compared: what the better one has more of (or less, if negative), for its player. */
export interface WhyView {
  /** What the played action does. */ played: EffectView;
  /** What the better action does. */ better: EffectView;
  /** Squares covered. */ squares: number;
  /** Buttons in hand after the action. */ buttons: number;
  /** Income at each income space ahead. */ income: number;
  /** Buttons from the income spaces that are still ahead, with the income after the action. */ income_ahead: number;
  /** Spaces left on the time board. */ time: number;
  /** Special patches taken. */ specials: number;
  /** Points if the game ended now. */ points: number;
  /** Holes: empty squares that no patch left in the game can cover. */ holes: number;
}

/** Asks for the regret of placements. */
export interface AskRegret {
  /** The game. */ game: GameText;
  /** A patch on offer, whether or not it can be paid for. */ patch: number;
}

/** The regret of each placement: how many places of other patches it takes away. */
export interface RegretView {
  /** All placements, least regret first. */ placements: RegretPlacementView[];
  /** For each square (0 to 80), the least regret of a placement that covers it; null where none does. */
  squares: (number | null)[];
}

/** A placement and its regret. */
export interface RegretPlacementView {
  /** Index of the orientation. */ orientation: number;
  /** The corner of its bounding box, 0 to 80. */ corner: number;
  /** The action that places it. */ action: string;
  /** Its regret. */ regret: number;
}

/** The opponents that a person can choose. */
export interface AgentsView {
  /** From the weakest to the strongest. */ levels: LevelView[];
  /** How the ratings were measured. */ source: string;
  /** The names of all agents that are built in. */ agents: AgentView[];
}

/** A level of play. */
export interface LevelView {
  /** A plain name: `beginner` ... `champion`. */ name: string;
  /** The agent's name. */ agent: string;
  /** Its budget in iterations; null for agents without a search. */ iterations: number | null;
  /** Its Elo in the tournament that `source` names. */ rating: number;
  /** How far the 95% interval of the rating reaches down. */ margin: number;
}

/** An agent. */
export interface AgentView {
  /** Its name. */ name: string;
  /** What its file says. */ description: string;
  /** Whether it searches a tree, so that it can analyse and takes a budget. */ searches: boolean;
}

/** The questions by name, with their types and those of the answers. */
export interface Messages {
  /** The start of a game. */ new: { ask: NewGame; answer: GameText };
  /** The last position of a game. */ position: { ask: AboutGame; answer: PositionView };
  /** What an action does. */ effect: { ask: AboutAction; answer: EffectView };
  /** The 33 patches. */ patches: { ask: Nothing; answer: PatchView[] };
  /** A game that starts from a position in parts. */ edit: { ask: EditPosition; answer: GameText };
  /** Reads a text that a person gave. */ check: { ask: ReadText; answer: ReadGame };
  /** A game as PGN. */ pgn: { ask: WritePgn; answer: TextView };
  /** A game as a text for links: letters, digits and `-_.:~` only. */ link: { ask: AboutGame; answer: TextView };
  /** An agent's decision. */ decide: { ask: AskDecision; answer: DecisionView };
  /** Starts a search. */ search: { ask: StartSearch; answer: AnalysisView };
  /** Continues the search. */ step: { ask: StepSearch; answer: AnalysisView };
  /** A node of the search tree. */ tree: { ask: AskTree; answer: TreeView };
  /** Forgets the search and the opponent, and frees their memory. */ stop: { ask: Nothing; answer: Nothing };
  /** How well a game was played. */ judge: { ask: JudgeGame; answer: JudgementView };
  /** What the better of two actions gains. */ why: { ask: AskWhy; answer: WhyView };
  /** The regret of a patch's placements. */ regret: { ask: AskRegret; answer: RegretView };
  /** The opponents that a person can choose. */ agents: { ask: Nothing; answer: AgentsView };
}
