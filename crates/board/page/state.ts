// The state of the page, and the functions that change it. Drawing reads it and nothing else.

import type { EffectView, LevelView, PatchView, PlaceableView, PlayerView, PositionView } from "./api";
import type { Analysis } from "./analysis";
import type { Watch } from "./watch";
import { SPECIAL } from "./cloth";
import type { Editor } from "./editor";
import type { Engine } from "./engine";
import { LETTERS, ORIENTATIONS, pointOf, SIDE, squareName, squareOf, turn, type Orientation, type Point } from "./geometry";
import type { Look } from "./patch";
import { specialLook, type Placed } from "./quilt";
import type { Lesson } from "./tutorial";
import { add, gameTo, type Node, type Tree } from "./tree";

/** A patch as the engine describes it, with the maps that draw its orientations. */
export interface Patch {
  readonly id: number;
  readonly buttons: number;
  readonly time: number;
  readonly income: number;
  readonly look: Look;
  readonly orientations: readonly {
    readonly cells: readonly Point[];
    readonly columns: number;
    readonly rows: number;
    readonly turned: number;
    readonly flipped: number;
    /** The rotation and flip that draw it. */
    readonly drawn: Orientation;
  }[];
}

/** Who plays for a seat: a person at this board, or a level of the engine. */
export type Seat = { readonly kind: "person" } | { readonly kind: "level"; readonly level: string };

/** A patch picked up. */
export interface Hand {
  readonly patch: number;
  readonly orientation: number;
  /** The square of its corner on the quilt; null while it is not over the quilt. */
  readonly corner: number | null;
  /** Dropped by touch or moved by keys: it waits to be placed. */
  readonly pinned: boolean;
}

export type View = "play" | "analysis" | "editor" | "learn" | "watch";

export interface State {
  readonly engine: Engine;
  readonly patches: ReadonlyMap<number, Patch>;
  readonly looks: ReadonlyMap<number, Look>;
  readonly levels: readonly LevelView[];
  readonly ratingSource: string;
  view: View;
  tree: Tree;
  node: Node;
  position: PositionView;
  seats: [Seat, Seat];
  /** Milliseconds for a move of a level; 0: the level's own budget. */
  time: number;
  hand: Hand | null;
  /** What the patch in hand would do where it lies, or the advance that is pointed at. */
  effect: EffectView | null;
  /** Where each legal move would lead. */
  reaches: readonly { label: string; space: number; patch: number }[];
  thinking: boolean;
  /** The last thing said to screen readers. */
  said: string;
  /** A sentence about something that went wrong, until it is closed. */
  trouble: string | null;
  analysis: Analysis;
  watch: Watch;
  /** The position that is edited; null before the editor is opened. */
  editor: Editor | null;
  /** The names of the players of a game that was opened; null where the seats tell. */
  names: readonly [string, string] | null;
  /** The seed of the opponent's choices in this game. */
  seed: number;
  /** A sentence about where the game is kept, or who plays it. */
  notice: string | null;
  /** Where somebody is in the tutorial. */
  lesson: Lesson;
  dialog: string | null;
  /** Strips that are open on narrow screens. */
  opened: "quilt" | "ring" | "track" | null;
}

/** What a table shows of a player. */
export type ShownPlayer = Pick<PlayerView, "buttons" | "income" | "space" | "bonus" | "score" | "empty"> & { readonly patches: readonly Placed[] };

/** What a table shows of a position. */
export type ShownPosition = Pick<PositionView, "ply" | "mover" | "spaces" | "ring" | "offers" | "specials_waiting" | "last" | "legal"> & { readonly players: readonly [ShownPlayer, ShownPlayer] };

/** What a table shows: of the state, or of a game that is only looked at. */
export type Shown = Pick<State, "patches" | "looks" | "view" | "seats" | "hand" | "effect" | "reaches" | "opened"> & { readonly position: ShownPosition };

export function patchOf(view: PatchView): Patch {
  const shape = view.orientations[0]!.cells as readonly Point[];
  const drawnAs = (cells: readonly Point[]) => {
    const text = cells.join(" ");
    return ORIENTATIONS.find((orientation) => turn(shape, orientation).points.join(" ") === text) ?? ORIENTATIONS[0]!;
  };
  return {
    id: view.patch,
    buttons: view.buttons,
    time: view.time,
    income: view.income,
    look: { id: view.patch, shape, income: view.income },
    orientations: view.orientations.map(({ cells, columns, rows, turned, flipped }) => ({ cells: cells as readonly Point[], columns, rows, turned, flipped, drawn: drawnAs(cells as readonly Point[]) })),
  };
}

/** The special patch among patches: it costs nothing and looks the same from all sides. */
export const specialPatch: Patch = {
  id: SPECIAL,
  buttons: 0,
  time: 0,
  income: 0,
  look: specialLook,
  orientations: [{ cells: [[0, 0]], columns: 1, rows: 1, turned: 0, flipped: 0, drawn: ORIENTATIONS[0]! }],
};

export const patchIn = (state: Pick<State, "patches">, id: number): Patch => state.patches.get(id) ?? specialPatch;

/** The corners at which a patch can lie in an orientation. */
export function legalCorners(state: Shown, patch: number, orientation: number): readonly number[] {
  const { legal } = state.position;
  if (patch === SPECIAL) return legal.specials;
  const placeable: PlaceableView | undefined = legal.patches.find((one) => one.patch === patch);
  return placeable?.corners[orientation] ?? [];
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

/** The squares that an action covers, ascending. */
export const squaresIn = (action: string): number[] =>
  (action.split(":")[1]?.match(/[a-i][1-9]/g) ?? []).map((name) => squareOf(LETTERS.indexOf(name[0]!), Number(name[1]) - 1)).sort((one, two) => one - two);

export const isLegalHand = (state: Shown): boolean => {
  const { hand } = state;
  return hand !== null && hand.corner !== null && legalCorners(state, hand.patch, hand.orientation).includes(hand.corner);
};

/** The squares that the patch in hand can cover as it is turned. */
export function shining(state: Shown): Set<number> {
  const squares = new Set<number>();
  const { hand } = state;
  if (!hand) return squares;
  const patch = patchIn(state, hand.patch);
  for (const corner of legalCorners(state, hand.patch, hand.orientation)) {
    for (const square of squaresAt(patch, hand.orientation, corner)) squares.add(square);
  }
  return squares;
}

/** Keeps a corner such that the whole patch lies on the quilt. */
export function clampCorner(patch: Patch, orientation: number, column: number, row: number): number {
  const { columns, rows } = patch.orientations[orientation]!;
  const clamp = (value: number, most: number) => Math.max(0, Math.min(most, value));
  return squareOf(clamp(column, SIDE - columns), clamp(row, SIDE - rows));
}

export const game = (state: State) => gameTo(state.tree, state.node);

/** Whether a person may move now. */
export const personMoves = (state: Shown): boolean => {
  const { mover } = state.position;
  if (mover === null) return false;
  return state.view === "analysis" || state.view === "learn" || (state.view === "play" && state.seats[mover]!.kind === "person");
};

/** The seat that is drawn on the left, or below on narrow screens: the only person's, or the first. */
export function nearSeat(state: State): number {
  const people = state.seats.map((seat) => seat.kind === "person");
  if (state.view === "play" && people[0] !== people[1]) return people[0] ? 0 : 1;
  return 0;
}

/** Shows the position after a node. */
export function goTo(state: State, node: Node): void {
  state.node = node;
  state.position = state.engine.ask("position", { game: game(state) });
  state.hand = null;
  state.effect = null;
  state.reaches = reachesOf(state);
  // A special patch must be placed before anything else, so it is in hand at once.
  if (state.position.specials_waiting > 0 && personMoves(state)) {
    state.hand = { patch: SPECIAL, orientation: 0, corner: null, pinned: false };
  }
}

/** Where each kind of move leads; the first placement of a patch stands for all. */
function reachesOf(state: State): State["reaches"] {
  const { legal, offers } = state.position;
  const reaches: { label: string; space: number; patch: number }[] = [];
  offers.forEach(({ patch }, i) => {
    const placeable = legal.patches.find((one) => one.patch === patch);
    const orientation = placeable?.corners.findIndex((corners) => corners.length > 0) ?? -1;
    if (!placeable || orientation < 0) return;
    const action = actionAt(patchIn(state, patch), orientation, placeable.corners[orientation]![0]!);
    reaches.push({ label: String(i + 1), space: effectOf(state, action).to, patch });
  });
  if (legal.advance) reaches.push({ label: "A", space: effectOf(state, "A").to, patch: 0 });
  return reaches;
}

export const effectOf = (state: State, action: string): EffectView => state.engine.ask("effect", { game: game(state), action });

/** Plays an action after the position that is shown. */
export function playAction(state: State, action: string): EffectView {
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

/** Turns or flips what is in hand around its middle. */
export function reorient(state: State, way: "turned" | "flipped"): void {
  const { hand } = state;
  if (!hand) return;
  const patch = patchIn(state, hand.patch);
  const before = patch.orientations[hand.orientation]!;
  const orientation = before[way];
  const after = patch.orientations[orientation]!;
  let { corner } = hand;
  if (corner !== null) {
    const [column, row] = pointOf(corner);
    corner = clampCorner(patch, orientation, column + Math.trunc((before.columns - after.columns) / 2), row + Math.trunc((before.rows - after.rows) / 2));
  }
  hold(state, { ...hand, orientation, corner });
}
