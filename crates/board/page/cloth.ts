// The cloth that patches are cut from: a print of its own for each patch, made from the patch's number.
//
// Prints differ in their figure, not only in colour, so that patches can be told apart without seeing colours:
// no two patches share both the figure and its direction.

import { h, type Element_ } from "./dom";
import { round } from "./geometry";

interface Dye { readonly ground: string; readonly figure: string; readonly accent: string; }

/** Dyes of old quilts: a ground, a figure that stands out from it, and an accent. */
const DYES: readonly Dye[] = [
  { ground: "#34538a", figure: "#f3e7cf", accent: "#e0ad4f" }, // indigo
  { ground: "#b94a3b", figure: "#f8e5c8", accent: "#7b2a22" }, // brick
  { ground: "#dca53c", figure: "#fff5da", accent: "#8f4d1f" }, // mustard
  { ground: "#7f9d78", figure: "#f5f1df", accent: "#3f5f48" }, // sage
  { ground: "#2f8088", figure: "#ecf5e8", accent: "#f2b75f" }, // teal
  { ground: "#7c4270", figure: "#f4dbe6", accent: "#e5a6c1" }, // plum
  { ground: "#e59eaa", figure: "#fff6f1", accent: "#a53c55" }, // rose
  { ground: "#93bedb", figure: "#fffcf3", accent: "#2d5a85" }, // sky
  { ground: "#f2e5c8", figure: "#b94a3b", accent: "#3d6d73" }, // cream and red
  { ground: "#3d6348", figure: "#eadfb3", accent: "#d0703f" }, // forest
  { ground: "#d07446", figure: "#fde9d2", accent: "#6c2e1b" }, // terracotta
  { ground: "#ab9dcb", figure: "#faf6fd", accent: "#574381" }, // lavender
  { ground: "#4c4d5c", figure: "#ebe5d6", accent: "#cf7263" }, // slate
  { ground: "#d2e3cb", figure: "#3a7a68", accent: "#d86f5c" }, // mint
  { ground: "#f4c8a1", figure: "#ac4d39", accent: "#fff8ec" }, // peach
  { ground: "#f0ebdf", figure: "#2f4270", accent: "#c54e4e" }, // cream and navy
];

/** A mark of a print: what is drawn, in one of the dyes; `width` makes it a line. */
interface Mark { readonly d: string; readonly dye: keyof Dye; readonly width?: number; readonly opacity?: number; }

const area = (dye: keyof Dye, d: string, opacity = 1): Mark => ({ d, dye, opacity });
const line = (dye: keyof Dye, width: number, d: string): Mark => ({ d, dye, width });
const dot = (dye: keyof Dye, x: number, y: number, r: number): Mark =>
  area(dye, `M${round(x - r)} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`);

const flower = (x: number, y: number, r: number): Mark[] => [
  ...[0, 1, 2, 3, 4].map((i) => {
    const angle = (i / 5) * 2 * Math.PI - Math.PI / 2;
    return dot("figure", round(x + r * Math.cos(angle)), round(y + r * Math.sin(angle)), round(r * 0.72));
  }),
  dot("accent", x, y, round(r * 0.6))];

function star(x: number, y: number, r: number): Mark {
  const points = [...Array(10).keys()].map((i) => {
    const angle = (i / 10) * 2 * Math.PI - Math.PI / 2;
    const reach = i % 2 === 0 ? r : r * 0.45;
    return `${round(x + reach * Math.cos(angle))} ${round(y + reach * Math.sin(angle))}`;
  });
  return area("figure", `M${points.join("L")}Z`);
}

const heart = (x: number, y: number, s: number): Mark => area("figure",
  `M${x} ${y + s}C${x - 1.9 * s} ${y - 0.4 * s} ${x - 0.7 * s} ${y - 1.5 * s} ${x} ${y - 0.4 * s}`
  + `C${x + 0.7 * s} ${y - 1.5 * s} ${x + 1.9 * s} ${y - 0.4 * s} ${x} ${y + s}Z`);

/** The size of a tile, and what is on it. */
const FIGURES: readonly (readonly [width: number, height: number, marks: readonly Mark[]])[] = [
  // ticking: one broad and two narrow stripes
  [8, 8, [area("figure", "M0 0h3v8h-3z"), area("accent", "M4.4 0h.7v8h-.7z"), area("accent", "M6.3 0h.7v8h-.7z")]],
  // polka dots
  [8, 8, [dot("figure", 2, 2, 1.5), dot("figure", 6, 6, 1.5)]],
  // gingham
  [8, 8, [area("figure", "M0 0h4v8h-4z", 0.55), area("figure", "M0 0h8v4h-8z", 0.55)]],
  // calico flowers
  [12, 12, [...flower(3.2, 3.2, 1.7), ...flower(9.2, 9.2, 1.7), dot("accent", 9.4, 3, 0.7), dot("accent", 3.2, 9, 0.7)]],
  // herringbone
  [8, 4, [line("figure", 1.25, "M-1 3l5 -4M-1 7l5 -4M4 -1l5 4M4 3l5 4"), line("figure", 0.35, "M4 -1v6M0 -1v6M8 -1v6")]],
  // scallops
  [10, 10, [line("figure", 1.1, "M0 0a5 5 0 0 0 10 0M-5 5a5 5 0 0 0 10 0M5 5a5 5 0 0 0 10 0"),
    dot("accent", 5, 1.6, 0.9), dot("accent", 0, 6.6, 0.9), dot("accent", 10, 6.6, 0.9)]],
  // tartan
  [14, 14, [area("accent", "M0 3h14v3.4h-14zM3 0h3.4v14h-3.4z", 0.6), line("figure", 0.9, "M0 10.5h14M10.5 0v14"),
    line("figure", 0.45, "M0 1h14M1 0v14")]],
  // stars
  [12, 12, [star(3, 3.2, 2.6), star(9, 9.2, 2.6), dot("accent", 9, 3, 0.6), dot("accent", 3, 9, 0.6)]],
  // zigzag
  [8, 7, [line("figure", 1.8, "M-2 4l2 -2l4 3.4l4 -3.4l2 2"),
    line("accent", 0.6, "M-2 7.5l2 -2l4 3.4l4 -3.4l2 2M-2 .5l2 -2l4 3.4l4 -3.4l2 2")]],
  // basket weave
  [10, 10, [line("figure", 0.85, "M.6 1.2h3.8M.6 2.6h3.8M.6 4h3.8M5.6 6.2h3.8M5.6 7.6h3.8M5.6 9h3.8"),
    line("figure", 0.85, "M6.2 .6v3.8M7.6 .6v3.8M9 .6v3.8M1.2 5.6v3.8M2.6 5.6v3.8M4 5.6v3.8")]],
  // crosses
  [9, 9, [line("figure", 1.3, "M.6 2.2h3.2M2.2 .6v3.2"), line("accent", 1.3, "M5.1 6.7h3.2M6.7 5.1v3.2")]],
  // flying geese
  [10, 10, [area("figure", "M.5 4.6L5 .4L9.5 4.6Z"),
    area("accent", "M-4.5 9.6L0 5.4L4.5 9.6ZM5.5 9.6L10 5.4L14.5 9.6Z", 0.75)]],
  // argyle
  [10, 14, [area("figure", "M5 .4L9.6 7L5 13.6L.4 7Z", 0.8), line("accent", 0.55, "M0 0L10 14M10 0L0 14")]],
  // waves
  [12, 8, [line("figure", 1.2, "M-3 2q3 -3.4 6 0t6 0t6 0"), line("accent", 0.8, "M-3 6q3 -3.4 6 0t6 0t6 0")]],
  // leaves
  [12, 12, [area("figure", "M1 5C1.4 2 3.4 1 6 1C5.8 3.6 4 5 1 5ZM7 11C7.4 8 9.4 7 12 7C11.8 9.6 10 11 7 11Z"),
    area("accent", "M11.4 5.4C8.4 5.2 7.4 3.4 7.2 1C9.6 1.2 11.2 2.6 11.4 5.4Z"
      + "M5.4 11.4C2.4 11.2 1.4 9.4 1.2 7C3.6 7.2 5.2 8.6 5.4 11.4Z")]],
  // hearts
  [11, 11, [heart(2.9, 2.8, 1.9), heart(8.4, 8.3, 1.9), dot("accent", 8.4, 2.9, 0.6), dot("accent", 2.9, 8.4, 0.6)]],
  // rings
  [10, 10, [line("figure", 1.1, "M1.6 5a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0"), dot("accent", 5, 5, 1.1),
    ...[0, 10].flatMap((x) => [0, 10].map((y) => dot("figure", x, y, 1)))]],
];

/** Number of the special patch among patches. */
export const SPECIAL = 34;
const PATCHES = 33;

export const clothOf = (patch: number): string => `url(#cloth-${patch})`;

const LEATHER: Dye = { ground: "#8b5a34", figure: "#6f4323", accent: "#e7c58f" };

function print(patch: number): Element_ {
  const dye = DYES[(patch * 7) % DYES.length]!;
  const [width, height, marks] = FIGURES[(patch * 5) % FIGURES.length]!;
  // The second half of the patches has the figures of the first, turned and a little larger.
  const again = patch > FIGURES.length;
  return h("pattern",
    { id: `cloth-${patch}`, width, height, patternUnits: "userSpaceOnUse",
      patternTransform: again ? "rotate(45) scale(1.15)" : "translate(1 1)" },
    h("rect", { width, height, fill: dye.ground }), ...marks.map(({ d, dye: name, width: stroke, opacity }) =>
      h("path", stroke === undefined ? { d, fill: dye[name], opacity }
        : { d, fill: "none", stroke: dye[name], "stroke-width": stroke })));
}

function leather(): Element_ {
  return h("pattern", { id: `cloth-${SPECIAL}`, width: 7, height: 7, patternUnits: "userSpaceOnUse" },
    h("rect", { width: 7, height: 7, fill: LEATHER.ground }),
    ...[[1, 1.4], [4.4, 0.8], [2.8, 3.6], [5.8, 4.2], [0.8, 5.4], [4, 6.2]].map(
      ([x, y]) => h("ellipse", { cx: x, cy: y, rx: 0.9, ry: 0.5, fill: LEATHER.figure, opacity: 0.7 })));
}

/** The prints, once per page. Drawings anywhere on the page refer to them. */
export const prints: Element_ = h("svg",
  { class: "prints", width: 0, height: 0, "aria-hidden": "true", focusable: "false" },
  h("defs", {}, ...[...Array(PATCHES).keys()].map((i) => print(i + 1)),
    leather(),
    // What a patch may not cover.
    h("pattern",
      { id: "cloth-no", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      h("rect", { width: 6, height: 6, fill: "#b3261e", opacity: 0.35 }),
      h("rect", { width: 2.4, height: 6, fill: "#b3261e" })),
    // A soft fall of light over a whole quilt.
    h("linearGradient", { id: "light", x1: 0, y1: 0, x2: 1, y2: 1 },
      h("stop", { offset: "0", "stop-color": "#fff", "stop-opacity": 0.16 }),
      h("stop", { offset: "0.5", "stop-color": "#fff", "stop-opacity": 0 }),
      h("stop", { offset: "1", "stop-color": "#000", "stop-opacity": 0.12 }))));
