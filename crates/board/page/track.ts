// The time track: the spiral of the board, with income, special patches, both tokens, and where the next moves lead.

import { clothOf, SPECIAL } from "./cloth";
import { h, type Child, type Element_ } from "./dom";
import { LAST_SPACE, TRACK, TRACK_COLUMNS, TRACK_ROWS, type Point } from "./geometry";
import { button } from "./patch";

export interface Reach {
  /** What leads there: the number of the offer, or "A" for an advance. */
  readonly label: string;
  readonly space: number;
  readonly active: boolean;
}

export interface TrackView {
  /** Spaces at which income is paid. */
  readonly income: readonly number[];
  /** Special patches that nobody has taken. */
  readonly specials: readonly number[];
  /** Both players' spaces. */
  readonly spaces: readonly [number, number];
  /** Whose token lies on top where both stand on one space. */
  readonly top: number;
  readonly mover: number | undefined;
  readonly reaches: readonly Reach[];
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

/** The tiles never change; they are described once. */
const tiles: Element_ = (() => {
  const children: Element_[] = [];
  for (let space = 0; space <= LAST_SPACE; space++) {
    const [x, y] = corner(space);
    const width = space === LAST_SPACE ? 3 * TILE : TILE;
    // Neighbours along the path touch; windings of the spiral are apart.
    const open = new Set<string>();
    for (const other of [space - 1, space + 1]) {
      const there = TRACK[other];
      if (!there) continue;
      open.add(`${there[0] - TRACK[space]![0]},${there[1] - TRACK[space]![1]}`);
    }
    const [left, right] = [open.has("-1,0") ? 0 : GAP / 2, open.has("1,0") ? 0 : GAP / 2];
    const [top, bottom] = [open.has("0,-1") ? 0 : GAP / 2, open.has("0,1") ? 0 : GAP / 2];
    children.push(
      h("rect", {
        class: `space ${space % 2 === 0 ? "even" : "odd"}${space === LAST_SPACE ? " last" : ""}`,
        x: x + left, y: y + top, width: width - left - right, height: TILE - top - bottom,
      }),
    );
    if (space > 0 && space < LAST_SPACE) children.push(h("text", { class: "space-number", x: x + TILE / 2, y: y + TILE / 2 }, String(space)));
  }
  const [startX, startY] = middleOf(0);
  children.push(h("path", { class: "start", d: `M${startX - 5} ${startY - 5}l8 5l-8 5z` }));
  for (let space = 1; space <= LAST_SPACE; space++) {
    const [from, to] = [TRACK[space - 1]!, TRACK[space]!];
    const [x, y] = entry(space);
    const reach = TILE / 2 - GAP;
    children.push(h("path", { class: "space-seam", d: from[1] === to[1] ? `M${x} ${y - reach}v${2 * reach}` : `M${x - reach} ${y}h${2 * reach}` }));
  }
  return h("g", { key: "tiles" }, h("rect", { class: "track-ground", x: -PAD, y: -PAD, width: TRACK_COLUMNS * TILE + 2 * PAD, height: TRACK_ROWS * TILE + 2 * PAD, rx: 8 }), ...children);
})();

export function tokenPlace(space: number, shared: -1 | 0 | 1): Point {
  const [x, y] = middleOf(space);
  if (shared === 0) return [x, y];
  return space === LAST_SPACE ? [x + shared * TILE * 0.6, y] : [x + shared * 5.5, y + shared * 3.5];
}

function token(seat: number, space: number, shared: -1 | 0 | 1, kind: string): Element_ {
  const [x, y] = tokenPlace(space, shared);
  return h(
    "g",
    { key: `token${seat}${kind}`, class: `token seat${seat} ${kind}`, styles: { transform: `translate(${x}px, ${y}px)` }, "data-seat": seat },
    h("ellipse", { class: "token-shade", cy: 2.2, rx: 10, ry: 9.4 }),
    h("circle", { class: "token-disc", r: 10 }),
    h("circle", { class: "token-ring", r: 7.6 }),
    h("text", { class: "token-name" }, String(seat + 1)),
  );
}

export function track(view: TrackView): Element_[] {
  const children: Child[] = [tiles];
  for (const space of view.income) {
    const [x, y] = entry(space);
    children.push(h("g", { key: `income${space}`, class: "income" }, button(x, y, 6.6)));
  }
  for (const space of view.specials) {
    const [x, y] = entry(space);
    children.push(
      h(
        "g",
        { key: `special${space}`, class: "special", transform: `translate(${x - 6.5} ${y - 6.5})` },
        h("rect", { class: "under", width: 13, height: 13, y: 1, rx: 2 }),
        h("rect", { width: 13, height: 13, rx: 2, fill: clothOf(SPECIAL) }),
        h("rect", { class: "stitches", x: 1.8, y: 1.8, width: 9.4, height: 9.4, rx: 1 }),
      ),
    );
  }
  // Several moves may lead to one space; their labels stand beside each other.
  const spots = new Map<number, Reach[]>();
  for (const reach of view.reaches) spots.set(reach.space, [...(spots.get(reach.space) ?? []), reach]);
  for (const [space, reaches] of spots) {
    const [x, y] = middleOf(space);
    children.push(
      h(
        "g",
        { key: `reach${space}`, class: reaches.some((reach) => reach.active) ? "reach active" : "reach", transform: `translate(${x} ${y})` },
        h("rect", { class: "reach-frame", x: -TILE / 2 + 2.5, y: -TILE / 2 + 2.5, width: TILE - 5, height: TILE - 5, rx: 5 }),
        h("text", { class: "reach-label" }, reaches.map(({ label }) => label).join(" ")),
      ),
    );
  }
  const together = view.spaces[0] === view.spaces[1];
  const order = view.top === 0 ? [1, 0] : [0, 1];
  if (view.ghost) children.push(token(view.ghost.seat, view.ghost.space, 0, "ghost"));
  for (const seat of order) children.push(token(seat, view.spaces[seat]!, together ? (seat === view.top ? -1 : 1) : 0, seat === view.mover ? "moves" : ""));
  return children.filter((child): child is Element_ => typeof child === "object" && child !== null);
}

/** A straight stretch of the track, for narrow screens: from the player behind to a little past the one in front. */
export const STRIP = 10;
export const stripBox = `0 -3 ${STRIP * TILE} ${TILE + 6}`;

export function strip(view: TrackView): Element_[] {
  const first = Math.max(0, Math.min(Math.min(...view.spaces), LAST_SPACE + 1 - STRIP));
  const children: Child[] = [];
  for (let i = 0; i < STRIP; i++) {
    const space = first + i;
    children.push(h("rect", { key: `s${i}`, class: `space ${space % 2 === 0 ? "even" : "odd"}${space === LAST_SPACE ? " last" : ""}`, x: i * TILE, y: 0, width: TILE, height: TILE }));
    children.push(h("text", { key: `n${i}`, class: "space-number", x: i * TILE + TILE / 2, y: TILE / 2 }, String(space)));
  }
  for (const space of view.income) if (space > first && space < first + STRIP) children.push(h("g", { key: `i${space}`, class: "income" }, button((space - first) * TILE, TILE / 2, 6.6)));
  for (const space of view.specials) {
    if (space <= first || space >= first + STRIP) continue;
    children.push(h("rect", { key: `x${space}`, class: "special", x: (space - first) * TILE - 6.5, y: TILE / 2 - 6.5, width: 13, height: 13, rx: 2, fill: clothOf(SPECIAL) }));
  }
  for (const reach of view.reaches) {
    const i = reach.space - first;
    if (i < 0 || i >= STRIP) continue;
    const same = view.reaches.filter((other) => other.space === reach.space);
    if (same[0] !== reach) continue;
    children.push(
      h("g", { key: `r${reach.space}`, class: same.some((other) => other.active) ? "reach active" : "reach", transform: `translate(${i * TILE + TILE / 2} ${TILE / 2})` },
        h("rect", { class: "reach-frame", x: -12, y: -12, width: 24, height: 24, rx: 5 }),
        h("text", { class: "reach-label" }, same.map(({ label }) => label).join(" "))),
    );
  }
  const together = view.spaces[0] === view.spaces[1];
  for (const seat of view.top === 0 ? [1, 0] : [0, 1]) {
    const x = (view.spaces[seat]! - first) * TILE + TILE / 2;
    if (x > STRIP * TILE) continue;
    const shared = together ? (seat === view.top ? -1 : 1) : 0;
    children.push(
      h("g", { key: `token${seat}`, class: `token seat${seat}${seat === view.mover ? " moves" : ""}`, styles: { transform: `translate(${x + shared * 5}px, ${TILE / 2 + shared * 2}px)` } },
        h("circle", { class: "token-disc", r: 10 }), h("circle", { class: "token-ring", r: 7.6 }), h("text", { class: "token-name" }, String(seat + 1))),
    );
  }
  return children.filter((child): child is Element_ => typeof child === "object" && child !== null);
}
