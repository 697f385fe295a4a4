// The time track: the spiral of the board, with income, special patches, both tokens, and where the next moves lead.

import { clothOf, SPECIAL } from "./cloth";
import { h, type Element_ } from "./dom";
import { INCOME_SPACES, LAST_SPACE, TRACK, TRACK_COLUMNS, TRACK_ROWS, type Point } from "./geometry";
import { button } from "./patch";

export interface Reach {
  /** What leads there: the number of the offer, or "A" for an advance. */ readonly label: string;
  readonly space: number; readonly active: boolean;
}

export interface TrackView {
  /** Special patches that nobody has taken. */ readonly specials: readonly number[];
  /** Both players' spaces. */ readonly spaces: readonly [number, number];
  /** Whose token lies on top where both stand on one space. */ readonly top: number;
  readonly mover: number | undefined; readonly reaches: readonly Reach[];
  /** The token that is held over a space. */
  readonly ghost?: { readonly seat: number; readonly space: number } | undefined;
}

const TILE = 30;
const GAP = 3;
const PAD = 4;

export const trackBox = `${-PAD} ${-PAD} ${TRACK_COLUMNS * TILE + 2 * PAD} ${TRACK_ROWS * TILE + 2 * PAD}`;
export const TRACK_RATIO = (TRACK_COLUMNS * TILE + 2 * PAD) / (TRACK_ROWS * TILE + 2 * PAD);

const corner = (space: number): Point => [TRACK[space]![0] * TILE, TRACK[space]![1] * TILE];
const middleOf = (space: number): Point => {
  const [x, y] = corner(space);
  return space === LAST_SPACE ? [x + 1.5 * TILE, y + TILE / 2] : [x + TILE / 2, y + TILE / 2];
};

/** The middle of the line that a token crosses when it enters a space. */
function entry(space: number): Point {
  const [from, to] = [TRACK[space - 1]!, TRACK[space]!];
  const [x, y] = [to[0] * TILE + TILE / 2, to[1] * TILE + TILE / 2];
  return [x + ((from[0] - to[0]) * TILE) / 2, y + ((from[1] - to[1]) * TILE) / 2];
}

const spaceKind = (space: number): string =>
  `space ${space % 2 === 0 ? "even" : "odd"}${space === LAST_SPACE ? " last" : ""}`;

/** The tiles never change; they are described once. */
const tiles: Element_ = (() => {
  const children: Element_[] = [];
  for (let space = 0; space <= LAST_SPACE; space++) {
    const [x, y] = corner(space);
    const width = space === LAST_SPACE ? 3 * TILE : TILE;
    // Neighbours along the path touch; windings of the spiral are apart.
    const [column, row] = TRACK[space]!;
    const open = [TRACK[space - 1], TRACK[space + 1]].map((there) => there && `${there[0] - column},${there[1] - row}`);
    const [left, right, top, bottom] = (["-1,0", "1,0", "0,-1", "0,1"] as const).map((way) =>
      (open.includes(way) ? 0 : GAP / 2)) as [number, number, number, number];
    children.push(h("rect", { class: spaceKind(space), x: x + left, y: y + top, width: width - left - right,
      height: TILE - top - bottom }));
    if (space > 0 && space < LAST_SPACE) children.push(h("text",
      { class: "space-number", x: x + TILE / 2, y: y + TILE / 2 }, String(space)));
  }
  const [startX, startY] = middleOf(0);
  children.push(h("path", { class: "start", d: `M${startX - 5} ${startY - 5}l8 5l-8 5z` }));
  for (let space = 1; space <= LAST_SPACE; space++) {
    const [from, to] = [TRACK[space - 1]!, TRACK[space]!];
    const [x, y] = entry(space);
    const reach = TILE / 2 - GAP;
    children.push(h("path", { class: "space-seam",
      d: from[1] === to[1] ? `M${x} ${y - reach}v${2 * reach}` : `M${x - reach} ${y}h${2 * reach}` }));
  }
  return h("g", { key: "tiles" }, h("rect", { class: "track-ground", x: -PAD, y: -PAD,
    width: TRACK_COLUMNS * TILE + 2 * PAD, height: TRACK_ROWS * TILE + 2 * PAD, rx: 8 }), ...children);
})();

export function tokenPlace(space: number, shared: -1 | 0 | 1): Point {
  const [x, y] = middleOf(space);
  if (shared === 0) return [x, y];
  return space === LAST_SPACE ? [x + shared * TILE * 0.6, y] : [x + shared * 5.5, y + shared * 3.5];
}

function token(seat: number, [x, y]: Point, kind: string): Element_ {
  const styles = { transform: `translate(${x}px, ${y}px)` };
  return h("g", { key: `token${seat}${kind}`, class: `token seat${seat} ${kind}`, styles, "data-seat": seat },
    h("ellipse", { class: "token-shade", cy: 2.2, rx: 10, ry: 9.4 }), h("circle", { class: "token-disc", r: 10 }),
    h("circle", { class: "token-ring", r: 7.6 }), h("text", { class: "token-name" }, String(seat + 1)));
}

/** Where moves lead: a frame for each, beside each other. */
function frames(reaches: readonly Reach[]): Element_[] {
  const side = TILE - 5;
  const width = side / reaches.length;
  return reaches.flatMap(({ label }, i) => [
    h("rect", { class: "reach-frame", x: i * width - side / 2, y: -side / 2, width, height: side, rx: 4 }),
    h("text", { class: "reach-label", x: (i + 0.5) * width - side / 2 }, label)]);
}

/** Where the spaces of a drawing are: their middles, and the lines that a token crosses when it enters them. */
interface Ground {
  isSeen(space: number): boolean; middle(space: number): Point; entry(space: number): Point;
  token(space: number, shared: -1 | 0 | 1): Point;
}

const spiral: Ground = { isSeen: () => true, middle: middleOf, entry, token: tokenPlace };

/** What stands on the spaces. */
function things(view: TrackView, ground: Ground): Element_[] {
  const { spaces, top, mover, ghost } = view;
  const children: Element_[] = [];
  for (const space of INCOME_SPACES.filter(ground.isSeen)) {
    children.push(h("g", { key: `income${space}`, class: "income" }, button(...ground.entry(space), 6.6)));
  }
  for (const space of view.specials.filter(ground.isSeen)) {
    const [x, y] = ground.entry(space);
    children.push(h("g", { key: `special${space}`, class: "special", transform: `translate(${x - 6.5} ${y - 6.5})` },
      h("rect", { class: "under", width: 13, height: 13, y: 1, rx: 2 }),
      h("rect", { width: 13, height: 13, rx: 2, fill: clothOf(SPECIAL) }),
      h("rect", { class: "stitches", x: 1.8, y: 1.8, width: 9.4, height: 9.4, rx: 1 })));
  }
  const reached = [...new Set(view.reaches.map(({ space }) => space))];
  for (const space of reached.filter(ground.isSeen)) {
    const reaches = view.reaches.filter((reach) => reach.space === space);
    const kind = reaches.some(({ active }) => active) ? "reach active" : "reach";
    const transform = `translate(${ground.middle(space).join(" ")})`;
    children.push(h("g", { key: `reach${space}`, class: kind, transform }, ...frames(reaches)));
  }
  if (ghost && ground.isSeen(ghost.space)) children.push(token(ghost.seat, ground.token(ghost.space, 0), "ghost"));
  for (const seat of [1 - top, top]) {
    const space = spaces[seat]!;
    const shared = spaces[0] !== spaces[1] ? 0 : seat === top ? -1 : 1;
    if (ground.isSeen(space)) children.push(token(seat, ground.token(space, shared), seat === mover ? "moves" : ""));
  }
  return children;
}

export const track = (view: TrackView): Element_[] => [tiles, ...things(view, spiral)];

/** A straight stretch of the track, for narrow screens: from the player behind to a little past the one in front. */
const STRIP = 10;
export const stripBox = `0 -3 ${STRIP * TILE} ${TILE + 6}`;

export function strip(view: TrackView): Element_[] {
  const first = Math.max(0, Math.min(Math.min(...view.spaces), LAST_SPACE + 1 - STRIP));
  const left = (space: number) => (space - first) * TILE;
  const half = TILE / 2;
  const ground: Ground = { isSeen: (space) => space >= first && space < first + STRIP,
    middle: (space) => [left(space) + half, half], entry: (space) => [left(space), half],
    token: (space, shared) => [left(space) + half + shared * 5, half + shared * 2] };
  const spaces = [...Array(STRIP).keys()].map((i) => first + i).flatMap((space) => [
    h("rect", { key: `s${space}`, class: spaceKind(space), x: left(space), y: 0, width: TILE, height: TILE }),
    h("text", { key: `n${space}`, class: "space-number", x: left(space) + half, y: half }, String(space))]);
  return [...spaces, ...things(view, ground)];
}
