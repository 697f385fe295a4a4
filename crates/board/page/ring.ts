// The ring of patches, laid around the table: it begins behind the patches on offer and ends before the marker.

import { h, SVG, type Element_ } from "./dom";
import { CELL, ORIENTATIONS, sizeOf } from "./geometry";
import { patchTurned } from "./patch";
import { about } from "./say";
import type { Patch } from "./state";

/** The closed band around the table, in pixels, with the stretch of its lower side that the tray takes. */
export interface Band {
  readonly width: number; readonly height: number;
  /** Distance of the band's middle line from the edge. */ readonly inset: number;
  readonly trayLeft: number; readonly trayRight: number;
  /** Distance of the lower side's middle line from the lower edge. */ readonly lower: number;
  /** Pixels per square of a patch. */ readonly cell: number;
}

/** The way around the table, from behind the patches on offer to before them. */
function way({ width, height, inset, trayLeft, trayRight, lower }: Band): string {
  const [left, right, top, bottom] = [inset, width - inset, inset, height - lower];
  const radius = Math.min(46, (bottom - top) / 3);
  const bend = (x: number, y: number) => `A${radius} ${radius} 0 0 0 ${x} ${y}`;
  return `M${Math.min(trayRight, right - radius)} ${bottom}H${right - radius}${bend(right, bottom - radius)}`
    + `V${top + radius}${bend(right - radius, top)}H${left + radius}${bend(left, top + radius)}`
    + `V${bottom - radius}${bend(left + radius, bottom)}H${Math.max(trayLeft, left + radius)}`;
}

/** The patches around the table, without those on offer. Each keeps its element while the ring turns. */
export function ring(patches: readonly Patch[], band: Band): Element_[] {
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", way(band));
  const whole = path.getTotalLength();
  const { cell } = band;
  const lengths = patches.map(({ shape }) => sizeOf(shape).columns * cell);
  const taken = lengths.reduce((sum, length) => sum + length, 0);
  const gap = Math.max(4, (whole - taken) / (patches.length + 1));
  let distance = 0;
  return patches.map((patch, i) => {
    distance += gap + lengths[i]! / 2;
    const { x, y } = path.getPointAtLength(distance);
    // On an upright side, patches lie across.
    const before = path.getPointAtLength(distance - 1);
    const upright = Math.abs(y - before.y) > Math.abs(x - before.x);
    distance += lengths[i]! / 2;
    const { columns, rows } = sizeOf(patch.shape);
    const [width, height] = upright ? [rows, columns] : [columns, rows];
    const scale = cell / CELL;
    return h("g",
      { key: `ring${patch.id}`, class: "ring-patch", "data-patch": patch.id,
        styles: { transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)` } },
      h("title", {}, about(patch)),
      h("g", { transform: `translate(${(-width * cell) / 2} ${(-height * cell) / 2 - 5}) scale(${scale})` },
        patchTurned(patch, ORIENTATIONS[upright ? 1 : 0]!)),
      h("text", { class: "ring-price", y: (height * cell) / 2 + 3 },
        h("tspan", { class: "ring-buttons" }, String(patch.buttons)), h("tspan", { class: "ring-dot" }, " · "),
        h("tspan", { class: "ring-time" }, String(patch.time))));
  });
}

/** The line along which the patches lie. */
export const ringLine = (band: Band): Element_ => h("path", { key: "line", class: "ring-line", d: `${way(band)}Z` });
