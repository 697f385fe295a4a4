// A patch: cloth cut to its shape, hemmed, quilted along its squares, with the buttons that it earns.

import { clothOf, SPECIAL } from "./cloth";
import { h, memo, type Element_ } from "./dom";
import { buttonSquares, CELL, innerSeams, outline, turn, type Orientation, type Point } from "./geometry";

export interface Look {
  /** Patch id, 34 for a special patch. */ readonly id: number;
  readonly shape: readonly Point[]; readonly income: number;
}

/** A patch in an orientation, its bounding box's corner at the origin. The drawing as printed is kept. */
export const patchTurned = (look: Look, orientation: Orientation): Element_ =>
  h("g", { transform: turn(look.shape, orientation).matrix }, memo(`patch${look.id}`, [], () => cut(look)));

function cut({ id, shape, income }: Look): Element_ {
  const edge = outline(shape, 0.5, 2.6);
  return h("g", { class: id === SPECIAL ? "patch special" : "patch" },
    h("path", { class: "under", d: edge, transform: "translate(0 .9)" }),
    h("path", { class: "cloth", d: edge, fill: clothOf(id) }), h("path", { class: "quilting", d: innerSeams(shape) }),
    h("path", { class: "hem", d: edge }), h("path", { class: "stitches", d: outline(shape, 2.6, 1.6) }),
    ...buttonSquares(shape, income).map(([x, y]) => button(x * CELL + CELL / 2, y * CELL + CELL / 2, 5.2)));
}

/** A button, sewn on: rim, four holes, and a cross of thread. */
export function button(x: number, y: number, radius: number): Element_ {
  const hole = radius * 0.27;
  return h("g", { class: "button", transform: `translate(${x} ${y})` },
    h("circle", { class: "button-shade", r: radius, cy: radius * 0.16 }),
    h("circle", { class: "button-disc", r: radius }), h("circle", { class: "button-rim", r: radius * 0.74 }),
    h("path", { class: "button-thread", d: `M${-hole} ${-hole}L${hole} ${hole}M${hole} ${-hole}L${-hole} ${hole}`,
      "stroke-width": radius * 0.16 }),
    ...[-1, 1].flatMap((sx) => [-1, 1].map(
      (sy) => h("circle", { class: "button-hole", cx: sx * hole, cy: sy * hole, r: radius * 0.13 }))));
}
