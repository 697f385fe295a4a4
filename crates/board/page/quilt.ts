// A quilt: the canvas of 9 by 9 squares, what is sewn onto it, and what is about to be.

import { h, memo, type Child, type Element_ } from "./dom";
import { CELL, LETTERS, orientationOf, ORIENTATIONS, outline, pointOf, round, SIDE, sizeOf, turn } from "./geometry";
import type { Orientation, Point } from "./geometry";
import { patchTurned, type Look } from "./patch";

export interface Placed { readonly patch: number; readonly squares: readonly number[]; }

export interface Ghost {
  readonly look: Look; readonly orientation: Orientation; readonly column: number; readonly row: number;
  readonly legal: boolean;
  /** Held by the pointer or the keyboard, or only shown as a suggestion. */ readonly suggestion?: boolean;
}

export interface QuiltView {
  /** The patches, in the order in which they were placed. */ readonly placed: readonly Placed[];
  readonly patches: ReadonlyMap<number, Look>;
  /** Index into `placed` of what the last move put there. */ readonly fresh?: readonly number[];
  /** Squares that the patch in hand can cover. */ readonly shining?: ReadonlySet<number>;
  readonly ghosts?: readonly Ghost[];
  /** A completely filled area of seven by seven: its first square. */ readonly seven?: number | undefined;
  /** Per square, 0 (best) to 1 (worst); undefined where nothing is known. */
  readonly heat?: readonly (number | undefined)[];
  /** Without the canvas. */ readonly bare?: boolean;
}

/** Space around the squares: the binding, with the names of columns and rows. */
export const BORDER = 11;
export const QUILT = SIDE * CELL + 2 * BORDER;

function placedPatch({ patch, squares }: Placed, patches: QuiltView["patches"], fresh: boolean): Child {
  const look = patches.get(patch);
  if (!look || squares.length === 0) return null;
  const key = `${patch}:${squares.join()}`;
  return memo(`${fresh ? "fresh" : "sewn"} ${key}`, [], () => {
    const orientation = orientationOf(look.shape, squares);
    const left = Math.min(...squares.map((square) => square % SIDE));
    const top = Math.floor(Math.min(...squares) / SIDE);
    return h("g", { key, class: fresh ? "placed fresh" : "placed",
      transform: `translate(${left * CELL} ${top * CELL})`, "data-patch": patch }, patchTurned(look, orientation),
      fresh && h("path", { class: "fresh-edge", d: outline(turn(look.shape, orientation).points, 0.2, 2.6) }));
  });
}

const canvas: Element_ = h("g", { key: "canvas" },
  h("rect", { class: "binding", x: -BORDER, y: -BORDER, width: QUILT, height: QUILT, rx: 7 }),
  h("rect", { class: "binding-stitch", x: -BORDER + 1.6, y: -BORDER + 1.6, width: QUILT - 3.2, height: QUILT - 3.2,
    rx: 5.6 }),
  h("rect", { class: "canvas", x: -1, y: -1, width: SIDE * CELL + 2, height: SIDE * CELL + 2, rx: 2 }),
  h("path", { class: "canvas-lines", d: [...Array(SIDE - 1).keys()].map((i) =>
    `M${(i + 1) * CELL} 0v${SIDE * CELL}M0 ${(i + 1) * CELL}h${SIDE * CELL}`).join("") }),
  ...[...LETTERS].map((letter, i) => h("text", { class: "coordinate", x: i * CELL + CELL / 2, y: -BORDER / 2 + 0.2 },
    letter)),
  ...[...LETTERS].map((_, i) => h("text", { class: "coordinate", x: -BORDER / 2 - 0.2, y: i * CELL + CELL / 2 },
    String(i + 1))));

function ghostOf(ghost: Ghost, i: number): Element_ {
  const { points } = turn(ghost.look.shape, ghost.orientation);
  const kind = `ghost${ghost.legal ? "" : " illegal"}${ghost.suggestion ? " suggestion" : " held"}`;
  return h("g", { key: `ghost${i}`, class: kind, transform: `translate(${ghost.column * CELL} ${ghost.row * CELL})` },
    h("g", { class: "ghost-cloth" }, patchTurned(ghost.look, ghost.orientation)),
    !ghost.legal && h("path", { d: outline(points, 0.5, 2.6), fill: "url(#cloth-no)" }),
    h("path", { class: "ghost-edge", d: outline(points, 0.2, 2.6) }));
}

/** Everything on a quilt, to be put into an SVG with `quiltBox` as its view. */
export function quilt(view: QuiltView): Element_[] {
  const { placed, seven, heat, shining, ghosts = [], bare, fresh = [] } = view;
  const side = SIDE * CELL;
  const corner = (square: number) => ({ x: (square % SIDE) * CELL + 1, y: Math.floor(square / SIDE) * CELL + 1 });
  const children: Child[] = [!bare && canvas,
    ...placed.map((one, i) => placedPatch(one, view.patches, fresh.includes(i))),
    placed.length > 0 && h("rect", { key: "light", class: "fall", width: side, height: side, fill: "url(#light)" }),
    seven !== undefined && h("rect",
      { key: "seven", class: "seven", ...corner(seven), width: 7 * CELL - 2, height: 7 * CELL - 2, rx: 4 }),
    heat && h("g", { key: "heat", class: "heat" },
      ...heat.map((value, square) => (value === undefined ? null : heatSquare(square, value)))),
    shining && h("path",
      { key: "shine", class: "shine", d: [...shining].map(pointOf).map(([x, y]) =>
        `M${x * CELL + 1} ${y * CELL + 1}h${CELL - 2}v${CELL - 2}h${-(CELL - 2)}z`).join("") }),
    ...ghosts.map(ghostOf)];
  return children.filter((child): child is Element_ => typeof child === "object" && child !== null);
}

/** From blue (no regret) over white to vermilion (all of it): readable without telling red from green. */
function heatSquare(square: number, value: number): Element_ {
  const [x, y] = pointOf(square);
  return h("rect", { class: value < 0.5 ? "cool" : "hot", x: x * CELL, y: y * CELL, width: CELL, height: CELL,
    "fill-opacity": round(2 * Math.abs(value - 0.5)) });
}

export const quiltBox = `${-BORDER} ${-BORDER} ${QUILT} ${QUILT}`;

/** The column and the row of a point of the page over a quilt, with fractions. */
export function squareAt(box: DOMRect, x: number, y: number): Point {
  const scale = QUILT / box.width;
  return [((x - box.left) * scale - BORDER) / CELL, ((y - box.top) * scale - BORDER) / CELL];
}

/** A patch alone, for trays and lists. */
export function patchPicture(look: Look, orientation = ORIENTATIONS[0]!): Element_ {
  const { columns, rows } = sizeOf(turn(look.shape, orientation).points);
  // With a margin of 1, and the shade below.
  return h("svg", { class: "patch-picture", viewBox: `-1 -1 ${columns * CELL + 2} ${rows * CELL + 3}`,
    "aria-hidden": "true", styles: { "--columns": String(columns), "--rows": String(rows) } },
  patchTurned(look, orientation));
}
