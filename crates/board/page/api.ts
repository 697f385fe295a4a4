// The messages of the engine. Made from src/messages.rs and src/session.rs, which say what each part means.
// `Rules` and `Searches` have the questions by name, with their types and those of the answers: each is a module of its
// own.
// UPDATE_API=1 cargo test -p patchwork-board typescript
export interface NewGame { track?: string; ring?: number[] | null; seed?: number; number?: number; }
export interface GameText { start: string; actions: string[]; }
export interface AboutGame { game: GameText; }
export interface PositionView { picture: Picture; outcome: OutcomeView | null; legal: LegalView; }
export interface Picture {
  track: string; ring: string; actions: string; plies: number; mover: Player | null; legal: number; next: PatchOffer[];
  special_patches: number[]; special_patches_waiting: number; bonus: Player | null;
  players: [PlayerPicture, PlayerPicture]; last: LastAction | null; text: string;
}
export type Player = "first" | "second";
export interface PatchOffer {
  patch: number; buttons: number; spaces: number; income: number; affordable: boolean; fits: boolean;
}
export interface PlayerPicture {
  space: number; buttons: number; income: number; covered: number; score: number; quilt: string[]; placed: string[];
}
export interface LastAction { player: Player; action: string; }
export interface OutcomeView { winner: number; scores: [number, number]; by_arrival: boolean; }
export interface LegalView { advance: boolean; patches: PlaceableView[]; specials: number[]; }
export interface PlaceableView { patch: number; corners: number[][]; }
export interface AboutAction { game: GameText; action: string; }
export interface EffectView {
  action: string; cost: number; earned: number; income: number; income_gained: number; from: number; to: number;
  income_spaces: number[]; specials: number[]; bonus: boolean; squares: number; points: number; next: number | null;
}
export type Nothing = Record<string, never>;
export interface PatchView {
  patch: number; buttons: number; time: number; income: number; orientations: OrientationView[];
}
export interface OrientationView {
  cells: ([number, number])[]; columns: number; rows: number; turned: number; flipped: number;
}
export interface ReadText { text: string; }
export interface ReadGame { game: GameText; names: [string | null, string | null]; games: number; }
export interface WritePgn { game: GameText; names: [string, string]; comments: (string | null)[]; }
export interface TextView { text: string; }
export interface JudgeGame { game: GameText; evaluations: (EvaluationView | null)[]; }
export interface EvaluationView { first: number; best?: string | null; }
export interface JudgementView {
  plies: JudgedPlyView[]; players: [JudgedPlayerView, JudgedPlayerView]; grades: GradeView[]; formula: string;
}
export interface JudgedPlyView { player: number; loss: number | null; grade: string | null; accuracy: number | null; }
export interface JudgedPlayerView { accuracy: number | null; loss: number | null; plies: number; grades: number[]; }
export interface GradeView { name: string; loss: number; }
export interface AskWhy { game: GameText; played: string; better: string; }
export interface WhyView {
  played: EffectView; better: EffectView; squares: number; buttons: number; income: number; income_ahead: number;
  time: number; specials: number; points: number; holes: number;
}
export interface AskRegret { game: GameText; patch: number; }
export interface RegretView { placements: RegretPlacementView[]; squares: (number | null)[]; }
export interface RegretPlacementView { orientation: number; corner: number; action: string; regret: number; }
export interface LevelsView { levels: LevelView[]; source: string; }
export interface LevelView { name: string; agent: string; iterations: number | null; rating: number; margin: number; }
export interface AskDecision {
  game: GameText; agent: string; iterations?: number | null; milliseconds?: number | null; seed?: number;
}
export interface DecisionView {
  action: string; iterations: number; chance: number | null; proven: boolean | null; milliseconds: number;
}
export interface StartSearch { game: GameText; agent?: string | null; seed?: number; }
export interface AnalysisView {
  iterations: number; milliseconds: number; mover: number; chance: number; margin: number; winner: number | null;
  ended: boolean; best: string | null; lines: LineView[]; nodes: number; depth: number;
}
export interface LineView {
  action: string; visits: number; share: number; chance: number | null; margin: number | null; prior: number;
  proven: boolean | null; line: string[];
}
export interface StepSearch { iterations?: number | null; milliseconds?: number | null; top?: number; }
export interface AskTree { path: string[]; top?: number; }
export interface TreeView { mover: number | null; edges: TreeEdgeView[]; count: number; }
export interface TreeEdgeView {
  step: string; visits: number; chance: number | null; prior: number; proven: boolean | null;
}
export interface AgentView { name: string; description: string; searches: boolean; }
export interface Rules {
  new: { ask: NewGame; answer: GameText }; position: { ask: AboutGame; answer: PositionView };
  effect: { ask: AboutAction; answer: EffectView }; patches: { ask: Nothing; answer: PatchView[] };
  check: { ask: ReadText; answer: ReadGame }; pgn: { ask: WritePgn; answer: TextView };
  link: { ask: AboutGame; answer: TextView }; judge: { ask: JudgeGame; answer: JudgementView };
  why: { ask: AskWhy; answer: WhyView }; regret: { ask: AskRegret; answer: RegretView };
  levels: { ask: Nothing; answer: LevelsView };
}
export interface Searches {
  decide: { ask: AskDecision; answer: DecisionView }; search: { ask: StartSearch; answer: AnalysisView };
  step: { ask: StepSearch; answer: AnalysisView }; tree: { ask: AskTree; answer: TreeView };
  stop: { ask: Nothing; answer: Nothing }; agents: { ask: Nothing; answer: AgentView[] };
}
