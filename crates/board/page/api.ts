// The messages of the engine. Made from src/messages.rs and src/session.rs, which say what each part means.
// `Messages` has the questions by name, with their types and those of the answers.
// UPDATE_API=1 cargo test -p patchwork-board typescript
export interface NewGame { track?: Track; ring?: number[] | null; seed?: number; number?: number; }
export type Track = "original" | "revised";
export interface GameText { start: string; actions: string[]; }
export interface AboutGame { game: GameText; }
export interface PositionView {
  text: string; parts: PositionPartsView; ply: number; mover: number | null; outcome: OutcomeView | null;
  players: [PlayerView, PlayerView]; spaces: SpaceView[]; ring: number[]; offers: OfferView[]; specials_waiting: number;
  last: PlayedView | null; legal: LegalView;
}
export interface PositionPartsView {
  track: Track; ring: number[]; token: number; players: [PlayerPartsView, PlayerPartsView]; mover: number;
  waiting: number; bonus: number | null; arrived: number | null; specials: number[];
}
export interface PlayerPartsView { buttons: number; space: number; patches: string[]; }
export interface OutcomeView { winner: number; scores: [number, number]; by_arrival: boolean; }
export interface PlayerView {
  squares: number[]; patches: SewnView[]; buttons: number; income: number; space: number; bonus: boolean; score: number;
  empty: number; incomes_ahead: number;
}
export interface SewnView { patch: number; orientation: number; squares: number[]; }
export interface SpaceView { income: boolean; special: boolean; }
export interface OfferView { patch: number; affordable: boolean; fits: boolean; }
export interface PlayedView { player: number; action: string; squares: number[]; }
export interface LegalView { advance: boolean; patches: PlaceableView[]; specials: number[]; count: number; }
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
export interface EditPosition { parts: PositionPartsView; }
export interface ReadText { text: string; }
export interface ReadGame { game: GameText; names: [string | null, string | null]; games: number; }
export interface WritePgn { game: GameText; names: [string, string]; comments: (string | null)[]; }
export interface TextView { text: string; }
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
export interface AgentsView { levels: LevelView[]; source: string; agents: AgentView[]; }
export interface LevelView { name: string; agent: string; iterations: number | null; rating: number; margin: number; }
export interface AgentView { name: string; description: string; searches: boolean; }
export interface Messages {
  new: { ask: NewGame; answer: GameText }; position: { ask: AboutGame; answer: PositionView };
  effect: { ask: AboutAction; answer: EffectView }; patches: { ask: Nothing; answer: PatchView[] };
  edit: { ask: EditPosition; answer: GameText }; check: { ask: ReadText; answer: ReadGame };
  pgn: { ask: WritePgn; answer: TextView }; link: { ask: AboutGame; answer: TextView };
  decide: { ask: AskDecision; answer: DecisionView }; search: { ask: StartSearch; answer: AnalysisView };
  step: { ask: StepSearch; answer: AnalysisView }; tree: { ask: AskTree; answer: TreeView };
  stop: { ask: Nothing; answer: Nothing }; judge: { ask: JudgeGame; answer: JudgementView };
  why: { ask: AskWhy; answer: WhyView }; regret: { ask: AskRegret; answer: RegretView };
  agents: { ask: Nothing; answer: AgentsView };
}
