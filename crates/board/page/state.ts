// The one state of the page, and small functions on it. Views draw it and controllers change it.

import type * as api from "./api";
import { SPECIAL } from "./cloth";
import type { Child } from "./dom";
import type { Engine, Thinker } from "./engine";
import { LETTERS, orientationOf, ORIENTATIONS, pointOf, SIDE, squareName, squareOf } from "./geometry";
import type { Orientation, Point } from "./geometry";
import type { Layout } from "./layout";
import type { Look } from "./patch";
import type { Ghost, Placed } from "./quilt";
import type { FolderFacts, FoundGames, GameNumber, Progress, StoredGame } from "./server";
import { add, gameTo, lineThrough, type Node, type Stored, type Tree } from "./tree";

/** A patch as the engine describes it, with the maps that draw its orientations. */
export interface Patch extends Look {
  readonly buttons: number; readonly time: number;
  readonly orientations: readonly {
    readonly cells: readonly Point[]; readonly columns: number; readonly rows: number; readonly turned: number;
    readonly flipped: number;
    /** The rotation and flip that draw it. */ readonly drawn: Orientation;
  }[];
}

/** Who plays for a seat: a person at this board, or a level of the engine. */
export type Seat = { readonly kind: "person" } | { readonly kind: "level"; readonly level: string };
export const PERSON: Seat = { kind: "person" };

/** A patch, and the square of its corner on the quilt; null while it is not over the quilt. */
interface Placing { readonly patch: number; readonly orientation: number; readonly corner: number | null; }

/** A patch picked up. */
export interface Hand extends Placing {
  /** Dropped by touch or moved by keys: it waits to be placed. */ readonly pinned: boolean;
}

/** What is being dragged, and where the pointer is on the page. */
export interface Drag {
  readonly pointer: number; readonly touch: boolean; x: number; y: number;
  /** Pixels from the pointer to the middle of the patch. */ readonly grip: Point;
  moved: boolean;
  /** The patch was in the hand before it was pressed. */ readonly again: boolean;
}

export type View = "play" | "analysis" | "editor" | "learn" | "watch" | "mine";

/** The game that is open. */
export interface OpenGame {
  id: string;
  /** The name that somebody gave it. */ title: string;
  tree: Tree; node: Node; seats: readonly [Seat, Seat];
  /** Milliseconds for a move of a level; 0: the level's own budget. */ time: number;
  /** The seed of the opponent's choices. */ seed: number;
  /** The names of the players of a game that was opened; null where the seats tell. */
  names: readonly [string, string] | null;
  /** When it was begun or opened. */ made: number;
  /** It stays among the games even without a move. */ wanted: boolean;
  /** How well both played, in percent, once it was judged. */ accuracy: readonly (number | null)[] | null;
  /** Where the server keeps it. */ there: { readonly folder: string; readonly number: GameNumber } | null;
  /** The actions to the end that it reached first, until the server keeps it. */ due: readonly string[] | null;
  /** What this tab has read or stored of it last. */ known: Kept | null;
}

/** A game as it is stored. */
export interface Kept extends Omit<OpenGame, "id" | "tree" | "node" | "known"> {
  start: string; root: Stored; places: number[]; view: View; when: number; result: api.OutcomeView | null;
}

/** What the analysis shows beside the position. */
export interface Analysis {
  /** What the search knows of the position that is shown, and what that of another agent does. */
  live: api.AnalysisView | null; other: api.AnalysisView | null;
  heat: boolean;
  /** How the line through the position was played, once it has been judged. */
  judged: { line: readonly Node[]; view: api.JudgementView } | null;
  /** Positions of the game that are evaluated, of how many; null if none are. */
  progress: readonly [number, number] | null;
  why: api.WhyView | null;
  /** Steps from the root of the search tree, and what is there; null while it is closed. */
  walk: { path: readonly string[]; view: api.TreeView } | null;
  /** A mistake that is played again: where, and what was found out. */
  retry: { readonly node: Node; readonly all: readonly Node[]; readonly said: string } | null;
  /** The text of the field for games, and what was wrong with it. */ text: string;
  trouble: string | null;
}

export const firstAnalysis: Analysis = { live: null, other: null, heat: false, judged: null, progress: null, why: null,
  walk: null, retry: null, text: "", trouble: null };

/** A patch in the editor's hand, on a quilt. */
export interface EditorHand extends Placing { readonly seat: number; readonly corner: number; }

/** The words of a position's text. Players are numbers: 0 is the first. */
export interface Parts {
  readonly track: string; readonly ring: readonly number[];
  readonly players: readonly {
    readonly buttons: number; readonly space: number; readonly patches: readonly string[];
  }[];
  /** The place of the ring after the token. */ readonly token: number;
  readonly mover: number; readonly waiting: number; readonly bonus: number | null; readonly arrived: number | null;
  readonly specials: readonly number[];
}

export interface Editor {
  readonly parts: Parts; readonly hand: EditorHand | null;
  /** The quilt that a patch goes to when it is picked up. */ readonly seat: number;
  /** The position as a text; null if the parts do not fit together. */ readonly text: string | null;
  /** Why they do not, or why a patch was not placed: a sentence of the engine. */ readonly trouble: string | null;
  /** A link or a text that was asked for. */ readonly out: string;
  /** The text of the field for the ring. */ readonly ring: string;
}

/** Where somebody is in the tutorial. */
export interface Lesson {
  /** Index into the steps. */ readonly step: number;
  readonly done: boolean;
  /** The last move was legal, but was not what the step asks for. */ readonly missed: boolean;
}

/** What is watched. */
export interface Watch {
  folders: readonly FolderFacts[] | null; progress: Progress | null; found: FoundGames;
  /** The words that the listed games fulfil, and what is wrong with them. */ find: string;
  /** The newest game, and how much of it is shown. */ live: { readonly game: StoredGame; readonly at: number } | null;
  trouble: string | null;
}

export const firstWatch: Watch = { folders: null, progress: null, found: { total: 0, from: 0, games: [] }, find: "",
  live: null, trouble: null };

/** What a new game is made from. Everything is text, as the fields hold it. */
export interface Wish {
  opponent: string;
  /** The levels that play each other, if nobody else does. */ first: string;
  second: string; side: "first" | "second" | "random"; time: number; track: "original" | "revised";
  ring: "random" | "seed" | "list"; seed: string; number: string; order: string;
  /** What is wrong with it, once it was tried. */ trouble: string | null;
}

export const PEOPLE = "people";
export const LEVELS = "levels";

export const firstWish: Wish = { opponent: "casual", first: "club", second: "expert", side: "first", time: 0,
  track: "original", ring: "random", seed: "1", number: "0", order: "", trouble: null };

export interface Settings { language: "en" | "de" | null; theme: "auto" | "light" | "dark"; }

/** What every controller can ask of the page. */
export interface Page {
  redraw(): void;
  /** Says something to screen readers. */ say(text: string): void;
  show(view: View): void;
  /** The position that is shown has changed. */ follow(): void;
  /** A person plays an action. */ act(action: string): void;
}

/** A view: what it draws, and what it does with keys, moves and changes of the position. */
export interface Controller {
  draw(layout: Layout): readonly Child[];
  /** Whether the key was one of the view's. */ key?(event: KeyboardEvent): boolean;
  /** A person plays an action. */ act?(action: string): void;
  /** The position that is shown has changed, or the view has been opened. */ follow?(): void;
  enter?(): void; leave?(): void;
  /** Pixels that the view takes of the table's room, in width beside it or in height. */ readonly beside?: number;
  readonly above?: number;
  /** What stands there is a card that is read with the table: both fit into the window. */ readonly isCard?: boolean;
}

export interface State extends OpenGame {
  readonly page: Page; readonly engine: Engine; readonly opponent: Thinker; readonly analyst: Thinker;
  readonly judge: Thinker; readonly patches: ReadonlyMap<number, Patch>;
  readonly levels: readonly api.LevelView[]; readonly ratingSource: string;
  /** The agents that can analyse, once they are known, the one that does, and the one beside it; empty without one. */
  readonly analysts: readonly string[]; agent: string; second: string; readonly beside: Thinker; view: View;
  position: Position; hand: Hand | null; drag: Drag | null;
  /** What the patch in hand would do where it lies, or the advance that is pointed at. */
  effect: api.EffectView | null;
  /** Where each legal move would lead. */ reaches: readonly { label: string; space: number; patch: number }[];
  /** When a person moved last: a second press right after it is not meant for what lies there by then. */
  acted: number;
  thinking: boolean;
  /** Counts the questions to opponents, so that late answers are known. */ turn: number;
  /** Two levels rest. */ paused: boolean;
  /** The least milliseconds from move to move of two levels. */ pace: number;
  /** Seats are drawn the other way round. */ turned: boolean;
  /** The result has been closed. */ seen: boolean;
  /** A sentence about something that went wrong, until it is closed. */ trouble: string | null;
  /** A sentence about what has just happened. */ notice: Child;
  /** What can be brought back, and how; the latest last. */
  lost: readonly { readonly what: string; readonly back: () => boolean }[];
  analysis: Analysis; watch: Watch;
  /** The position that is edited; null before the editor is opened. */ editor: Editor | null;
  lesson: Lesson;
  /** The game of the tab while the tutorial shows another. */ aside: OpenGame | null;
  /** The stored games, newest first, and the new name of one of them. */
  mine: { games: readonly (readonly [id: string, game: Kept])[]; naming: { id: string; title: string } | null;
    /** The words that listed games have, and their order. */ find: string; order: "when" | "made" | "name" | "accuracy" };
  settings: Settings; wish: Wish; dialog: "new" | "settings" | "help" | null;
  /** Strips that are open on narrow screens. */ opened: "quilt" | "ring" | "track" | null;
}

/** What a table shows of a player. */
export interface ShownPlayer extends Pick<api.PlayerPicture, "buttons" | "income" | "space" | "score"> {
  readonly patches: readonly Placed[]; readonly bonus: boolean; readonly empty: number;
}

/** What a table shows of a position. Players are numbers: 0 is the first. */
export interface ShownPosition {
  readonly ply: number; readonly mover: number | null; readonly players: readonly [ShownPlayer, ShownPlayer];
  /** The spaces of special patches, and how many wait to be placed. */ readonly specials: readonly number[];
  readonly waiting: number;
  /** The patches in the ring, from the token on. */ readonly ring: readonly number[];
  readonly offers: readonly Pick<api.PatchOffer, "patch" | "affordable" | "fits">[];
  readonly last: { readonly player: number; readonly action: string } | null;
  readonly legal: api.LegalView;
}

/** A position that the engine has told. */
export interface Position extends ShownPosition {
  /** Another game can start from it. */ readonly text: string;
  readonly track: string; readonly outcome: api.OutcomeView | null;
  /** The number of legal actions. */ readonly count: number;
}

/** What a table shows: of the state, or of a game that is only looked at. */
export type Shown = Pick<State, "patches" | "view" | "seats" | "hand" | "effect" | "reaches" | "opened">
  & { readonly position: ShownPosition };

export function patchOf(view: api.PatchView): Patch {
  const { patch, buttons, time, income } = view;
  const shape = view.orientations[0]!.cells as readonly Point[];
  const orientations = view.orientations.map((one) =>
    ({ ...one, drawn: orientationOf(shape, one.cells.map(([x, y]) => squareOf(x, y))) }));
  return { id: patch, shape, income, buttons, time, orientations };
}

/** The special patch among patches: it costs nothing and looks the same from all sides. */
export const specialPatch: Patch = { id: SPECIAL, shape: [[0, 0]], income: 0, buttons: 0, time: 0,
  orientations: [{ cells: [[0, 0]], columns: 1, rows: 1, turned: 0, flipped: 0, drawn: ORIENTATIONS[0]! }] };

export const patchIn = (state: Pick<State, "patches">, id: number): Patch => state.patches.get(id) ?? specialPatch;

/** The corners at which a patch can lie in an orientation. */
export function legalCorners({ position: { legal } }: Pick<Shown, "position">, patch: number,
  orientation: number): readonly number[] {
  if (patch === SPECIAL) return legal.specials;
  return legal.patches.find((one) => one.patch === patch)?.corners[orientation] ?? [];
}

export function squaresAt(patch: Patch, orientation: number, corner: number): number[] {
  const [column, row] = pointOf(corner);
  return patch.orientations[orientation]!.cells.map(([x, y]) => squareOf(column + x, row + y));
}

/** The action that places a patch. */
export function actionAt(patch: Patch, orientation: number, corner: number): string {
  const squares = squaresAt(patch, orientation, corner).map(squareName).join("");
  return patch.id === SPECIAL ? `S:${squares}` : `${patch.id}:${squares}`;
}

export const SEATS = ["first", "second"] as const;
export const seatOf = (player: string): number => SEATS.indexOf(player as api.Player);

/** The patch that an action places; 0 for an advance. */
export const patchOfAction = (action: string): number =>
  action === "A" ? 0 : action.startsWith("S") ? SPECIAL : Number(action.split(":")[0]);

/** The squares that an action covers, ascending. */
export const squaresIn = (action: string): number[] =>
  (action.split(":")[1]?.match(/[a-i][1-9]/g) ?? []).map((name) =>
    squareOf(LETTERS.indexOf(name[0]!), Number(name[1]) - 1)).sort((one, two) => one - two);

/** How an action holds its patch: the orientation and the corner; null if it places none. */
export function placingOf(state: Pick<State, "patches">,
  action: string): { orientation: number; corner: number } | null {
  const squares = squaresIn(action);
  if (squares.length === 0) return null;
  const corner = squareOf(Math.min(...squares.map((square) => square % SIDE)), Math.floor(squares[0]! / SIDE));
  const patch = patchIn(state, patchOfAction(action));
  const covers = (_: unknown, i: number) => squaresAt(patch, i, corner).sort((a, b) => a - b).join() === squares.join();
  const orientation = patch.orientations.findIndex(covers);
  return orientation < 0 ? null : { orientation, corner };
}

/** The squares of an action, as they are written. */
export const squareNames = (action: string): string => squaresIn(action).map(squareName).join(" ");

/** A drawing of a patch over a quilt. */
export function ghostAt(state: Pick<State, "patches">, id: number, orientation: number, corner: number,
  legal: boolean): Ghost {
  const patch = patchIn(state, id);
  const [column, row] = pointOf(corner);
  return { look: patch, orientation: patch.orientations[orientation]!.drawn, column, row, legal };
}

export const isLegalHand = (state: Shown): boolean => state.hand?.corner != null
  && legalCorners(state, state.hand.patch, state.hand.orientation).includes(state.hand.corner);

/** The squares that the patch in hand can cover as it is turned. */
export function shining(state: Shown): Set<number> {
  const { hand } = state;
  if (!hand) return new Set();
  const patch = patchIn(state, hand.patch);
  const corners = legalCorners(state, hand.patch, hand.orientation);
  return new Set(corners.flatMap((corner) => squaresAt(patch, hand.orientation, corner)));
}

/** Keeps a corner such that the whole patch lies on the quilt. */
export function clampCorner(patch: Patch, orientation: number, column: number, row: number): number {
  const { columns, rows } = patch.orientations[orientation]!;
  const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));
  return squareOf(clamp(column, SIDE - columns), clamp(row, SIDE - rows));
}

export const game = (state: State): api.GameText => gameTo(state.tree, state.node);

/** The game with everything that was played after the position. */
export const wholeGame = (state: State): api.GameText => gameTo(state.tree, lineThrough(state.node).at(-1)!);

/** Whether a person may move now. */
export const personMoves = (state: Shown): boolean => {
  const { mover } = state.position;
  if (mover === null) return false;
  return state.view === "analysis" || state.view === "learn"
    || (state.view === "play" && state.seats[mover]!.kind === "person");
};

/** The seat of the only person; null if there is none, or two. */
export function onlyPerson(seats: State["seats"]): 0 | 1 | null {
  const people = seats.map(({ kind }) => kind === "person");
  return people[0] === people[1] ? null : people[0] ? 0 : 1;
}

/** The seat that is drawn on the left, or below on narrow screens. */
export const nearSeat = (state: State): number => Number((onlyPerson(state.seats) ?? 0) === 1) ^ Number(state.turned);

export const placedBy = (actions: readonly string[]): Placed[] =>
  actions.map((action) => ({ patch: patchOfAction(action), squares: squaresIn(action) }));

/** The patches of a ring from a place on, without those that lie on quilts. */
export function ringFrom(ring: readonly number[], place: number,
  placed: readonly { readonly patch: number }[]): number[] {
  const gone = new Set(placed.map(({ patch }) => patch));
  return [...ring.slice(place), ...ring.slice(0, place)].filter((patch) => !gone.has(patch));
}

/** The position that a game leads to. */
export function positionOf({ ask }: Pick<Engine, "ask">, game: api.GameText): Position {
  const { picture, outcome, legal } = ask("position", { game });
  const { text, track, plies, mover, next, special_patches, special_patches_waiting, bonus, last } = picture;
  const player = (seat: 0 | 1): ShownPlayer => {
    const { placed, covered, ...rest } = picture.players[seat];
    return { ...rest, patches: placedBy(placed), bonus: bonus !== null && seatOf(bonus) === seat,
      empty: SIDE * SIDE - covered };
  };
  const players = [player(0), player(1)] as const;
  const ring = picture.ring.split(" ").map(Number);
  return { text, track, ply: plies, mover: mover && seatOf(mover), players, specials: special_patches,
    waiting: special_patches_waiting, offers: next, legal, count: picture.legal, outcome,
    ring: ringFrom(ring, ring.indexOf(next[0]?.patch ?? 0), players.flatMap(({ patches }) => patches)),
    last: last && { player: seatOf(last.player), action: last.action } };
}

const known = new WeakMap<Node, Position>();
const reached = new WeakMap<Position, State["reaches"]>();

/** The position after a node of the open game. The engine is asked once. */
export function positionAt({ engine, tree }: Pick<State, "engine" | "tree">, node: Node): Position {
  const position = known.get(node) ?? positionOf(engine, gameTo(tree, node));
  known.set(node, position);
  return position;
}

/** Shows the position after a node. */
export function goTo(state: State, node: Node): void {
  state.node = node;
  state.position = positionAt(state, node);
  state.hand = null;
  state.drag = null;
  state.effect = null;
  state.reaches = reached.get(state.position) ?? reachesOf(state);
  reached.set(state.position, state.reaches);
  // A special patch must be placed before anything else, so it is in hand at once.
  if (state.position.waiting > 0 && personMoves(state)) state.hand = emptyHand(SPECIAL);
}

/** Changes what is shown. */
export function update(state: State, part: Partial<State>): void {
  Object.assign(state, part);
  state.page.redraw();
}

/** Opens or closes a strip of a narrow table. */
export const openStrip = (state: State) => (what: State["opened"]): void =>
  update(state, { opened: state.opened === what ? null : what });

export const emptyHand = (patch: number): Hand => ({ patch, orientation: 0, corner: null, pinned: false });

/** A legal placement of a patch: the first one. */
export function firstPlacing(state: Pick<Shown, "patches" | "position">, patch: number): string | null {
  for (const orientation of patchIn(state, patch).orientations.keys()) {
    const corner = legalCorners(state, patch, orientation)[0];
    if (corner !== undefined) return actionAt(patchIn(state, patch), orientation, corner);
  }
  return null;
}

/** Where each kind of move leads; the first placement of a patch stands for all. */
function reachesOf(state: State): State["reaches"] {
  const { legal, offers } = state.position;
  const moves = offers.map(({ patch }, i) => ({ label: String(i + 1), patch, action: firstPlacing(state, patch) }));
  if (legal.advance) moves.push({ label: "A", patch: 0, action: "A" });
  return moves.flatMap(({ label, patch, action }) =>
    action === null ? [] : [{ label, patch, space: effectOf(state, action).to }]);
}

/** The only legal action of a position; null if there are others, or none. */
export function forcedAction({ patches }: Pick<State, "patches">, position: Position): string | null {
  const { legal, count } = position;
  if (count !== 1) return null;
  return legal.advance ? "A"
    : firstPlacing({ patches, position }, legal.specials.length > 0 ? SPECIAL : legal.patches[0]!.patch);
}

export const effectOf = (state: State, action: string): api.EffectView =>
  state.engine.ask("effect", { game: game(state), action });

/** Plays an action after the position that is shown. */
export function playAction(state: State, action: string): api.EffectView {
  const effect = effectOf(state, action);
  goTo(state, add(state.node, effect.action));
  return effect;
}

/** Puts a patch into the hand, or changes how it is held. */
export function hold(state: State, hand: Hand | null): void {
  state.hand = hand;
  state.effect = null;
  if (hand && hand.corner !== null && isLegalHand(state)) {
    state.effect = effectOf(state, actionAt(patchIn(state, hand.patch), hand.orientation, hand.corner));
  }
}

/** A patch over a quilt, moved by some squares. */
export function moved<H extends Placing>(state: Pick<State, "patches">, hand: H, dx: number, dy: number): H {
  const [column, row] = hand.corner === null ? [3, 3] : pointOf(hand.corner);
  return { ...hand, corner: clampCorner(patchIn(state, hand.patch), hand.orientation, column + dx, row + dy) };
}

/** A patch turned or flipped around its middle. */
export function reoriented<H extends Placing>(state: Pick<State, "patches">, hand: H, way: "turned" | "flipped"): H {
  const { orientations } = patchIn(state, hand.patch);
  const before = orientations[hand.orientation]!;
  const after = orientations[before[way]]!;
  const middle = (one: number, two: number) => Math.trunc((one - two) / 2);
  const turned = { ...hand, orientation: before[way] };
  return hand.corner === null ? turned
    : moved(state, turned, middle(before.columns, after.columns), middle(before.rows, after.rows));
}
