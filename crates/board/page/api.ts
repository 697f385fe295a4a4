// The messages of the engine. Made from src/messages.rs and src/session.rs, which say what each part means:
// UPDATE_API=1 cargo test -p patchwork-board typescript
/** Asks for the start of a game. */
export interface NewGame { track?: Track; ring?: number[] | null; seed?: number; number?: number; }
/** A printing of the time board; printings differ in the spaces of the special patches. */
export type Track = "original" | "revised";
/** A game, or its beginning. */ export interface GameText { start: string; actions: string[]; }
/** Asks about a game. */ export interface AboutGame { game: GameText; }
/** A position: what is drawn, and what can be played. */ export interface PositionView {
  text: string; parts: PositionPartsView; ply: number; mover: number | null; outcome: OutcomeView | null;
  players: [PlayerView, PlayerView]; spaces: SpaceView[]; ring: number[]; offers: OfferView[]; specials_waiting: number;
  last: PlayedView | null; legal: LegalView;
}
/** A position in parts, as an editor shows them. */ export interface PositionPartsView {
  track: Track; ring: number[]; token: number; players: [PlayerPartsView, PlayerPartsView]; mover: number;
  waiting: number; bonus: number | null; arrived: number | null; specials: number[];
}
/** A player's part of a position. */
export interface PlayerPartsView { buttons: number; space: number; patches: string[]; }
/** The result of a game. */
export interface OutcomeView { winner: number; scores: [number, number]; by_arrival: boolean; }
/** A player in a position. */ export interface PlayerView {
  squares: number[]; patches: SewnView[]; buttons: number; income: number; space: number; bonus: boolean; score: number;
  empty: number; incomes_ahead: number;
}
/** A patch on a quilt. */ export interface SewnView { patch: number; orientation: number; squares: number[]; }
/** A space of the time board. */ export interface SpaceView { income: boolean; special: boolean; }
/** A patch on offer. */ export interface OfferView { patch: number; affordable: boolean; fits: boolean; }
/** An action that was played. */ export interface PlayedView { player: number; action: string; squares: number[]; }
/** Legal actions. All are empty when the game is over. */
export interface LegalView { advance: boolean; patches: PlaceableView[]; specials: number[]; count: number; }
/** The placements of a patch. */ export interface PlaceableView { patch: number; corners: number[][]; }
/** Asks about an action in the last position of a game. */
export interface AboutAction { game: GameText; action: string; }
/** What an action does. */ export interface EffectView {
  action: string; cost: number; earned: number; income: number; income_gained: number; from: number; to: number;
  income_spaces: number[]; specials: number[]; bonus: boolean; squares: number; points: number; next: number | null;
}
/** Asks for nothing in particular. */ export type Nothing = Record<string, never>;
/** A patch as printed. */ export interface PatchView {
  patch: number; buttons: number; time: number; income: number; orientations: OrientationView[];
}
/** A patch in one of its rotations and flips. The corner is the top left of its bounding box. */
export interface OrientationView {
  cells: ([number, number])[]; columns: number; rows: number; turned: number; flipped: number;
}
/** Asks whether a position in parts is one. */ export interface EditPosition { parts: PositionPartsView; }
/** Asks to read a text that a person gave. */ export interface ReadText { text: string; }
/** A game that was read. */
export interface ReadGame { game: GameText; names: [string | null, string | null]; games: number; }
/** Asks for a game as PGN. */
export interface WritePgn { game: GameText; names: [string, string]; comments: (string | null)[]; }
/** A text. */ export interface TextView { text: string; }
/** Asks an agent for its decision. Sessions remember the agent's player, so that it keeps its tree from move to move of
a game. */
export interface AskDecision {
  game: GameText; agent: string; iterations?: number | null; milliseconds?: number | null; seed?: number;
}
/** A decision. */ export interface DecisionView {
  action: string; iterations: number; chance: number | null; proven: boolean | null; milliseconds: number;
}
/** Starts a search of the last position of a game, in place of the one before. */
export interface StartSearch { game: GameText; agent?: string | null; seed?: number; }
/** What the search knows. */ export interface AnalysisView {
  iterations: number; milliseconds: number; mover: number; chance: number; margin: number; winner: number | null;
  ended: boolean; best: string | null; lines: LineView[]; nodes: number; depth: number;
}
/** An action and what the search expects after it. */ export interface LineView {
  action: string; visits: number; share: number; chance: number | null; margin: number | null; prior: number;
  proven: boolean | null; line: string[];
}
/** Continues the search. Without a budget, only says what is known. */
export interface StepSearch { iterations?: number | null; milliseconds?: number | null; top?: number; }
/** Asks for a node of the search tree. */ export interface AskTree { path: string[]; top?: number; }
/** A node of the search tree. */
export interface TreeView { mover: number | null; edges: TreeEdgeView[]; count: number; }
/** A step in the search tree. */ export interface TreeEdgeView {
  step: string; visits: number; chance: number | null; prior: number; proven: boolean | null;
}
/** Asks how well a game was played. */
export interface JudgeGame { game: GameText; evaluations: (EvaluationView | null)[]; }
/** The evaluation of a position. */ export interface EvaluationView { first: number; best?: string | null; }
/** How well a game was played. */ export interface JudgementView {
  plies: JudgedPlyView[]; players: [JudgedPlayerView, JudgedPlayerView]; grades: GradeView[]; formula: string;
}
/** A ply and what it lost. */
export interface JudgedPlyView { player: number; loss: number | null; grade: string | null; accuracy: number | null; }
/** A player's account. */
export interface JudgedPlayerView { accuracy: number | null; loss: number | null; plies: number; grades: number[]; }
/** A grade of bad moves. */ export interface GradeView { name: string; loss: number; }
/** Asks what the better of two actions gains. */
export interface AskWhy { game: GameText; played: string; better: string; }
/** Two actions compared: what the better one has more of (or less, if negative), for its player. */
export interface WhyView {
  played: EffectView; better: EffectView; squares: number; buttons: number; income: number; income_ahead: number;
  time: number; specials: number; points: number; holes: number;
}
/** Asks for the regret of placements. */ export interface AskRegret { game: GameText; patch: number; }
/** The regret of each placement: how many places of other patches it takes away. */
export interface RegretView { placements: RegretPlacementView[]; squares: (number | null)[]; }
/** A placement and its regret. */
export interface RegretPlacementView { orientation: number; corner: number; action: string; regret: number; }
/** The opponents that a person can choose. */
export interface AgentsView { levels: LevelView[]; source: string; agents: AgentView[]; }
/** A level of play. */
export interface LevelView { name: string; agent: string; iterations: number | null; rating: number; margin: number; }
/** An agent. */ export interface AgentView { name: string; description: string; searches: boolean; }
/** The questions by name, with their types and those of the answers. */
export interface Messages {
  new: { ask: NewGame; answer: GameText };
  position: { ask: AboutGame; answer: PositionView };
  effect: { ask: AboutAction; answer: EffectView };
  patches: { ask: Nothing; answer: PatchView[] };
  edit: { ask: EditPosition; answer: GameText };
  check: { ask: ReadText; answer: ReadGame };
  pgn: { ask: WritePgn; answer: TextView };
  link: { ask: AboutGame; answer: TextView };
  decide: { ask: AskDecision; answer: DecisionView };
  search: { ask: StartSearch; answer: AnalysisView };
  step: { ask: StepSearch; answer: AnalysisView };
  tree: { ask: AskTree; answer: TreeView };
  stop: { ask: Nothing; answer: Nothing };
  judge: { ask: JudgeGame; answer: JudgementView };
  why: { ask: AskWhy; answer: WhyView };
  regret: { ask: AskRegret; answer: RegretView };
  agents: { ask: Nothing; answer: AgentsView };
}
