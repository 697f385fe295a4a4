// The ring of patches, laid around the table: it begins behind the patches on offer and ends before the marker.

import { h, type Element_ } from "./dom";
import { CELL, ORIENTATIONS, sizeOf } from "./geometry";
import { patchTurned, type Look } from "./patch";

export interface RingPatch {
  readonly look: Look; readonly buttons: number; readonly time: number; readonly title: string;
}

/** The closed band around the table, in pixels, with the stretch of its lower side that the tray takes. */
export interface Band {
  readonly width: number; readonly height: number;
  /** Distance of the band's middle line from the edge. */ readonly inset: number;
  readonly trayLeft: number; readonly trayRight: number;
  /** Distance of the lower side's middle line from the lower edge. */ readonly lower: number;
  /** Pixels per square of a patch. */ readonly cell: number;
}

interface Spot {
  readonly x: number; readonly y: number;
  /** On an upright side, where patches lie across. */ readonly upright: boolean;
}

/** The walk around the table, as a function of the share of its length. */
export function walk({ width, height, inset, trayLeft, trayRight,
  lower }: Band): { length: number; at: (distance: number) => Spot } {
  const [left, right, top, bottom] = [inset, width - inset, inset, height - lower];
  const radius = Math.min(46, (bottom - top) / 3);
  const quarter = (Math.PI / 2) * radius;
  type Piece = { length: number; at: (distance: number) => Spot };
  const straight = (x: number, y: number, dx: number, dy: number, length: number): Piece => ({
    length: Math.max(0, length),
    at: (distance) => ({ x: x + dx * distance, y: y + dy * distance, upright: dx === 0 }) });
  const bend = (x: number, y: number, from: number): Piece => ({ length: quarter, at: (distance) => {
    const [dx, dy] = [Math.cos(from - distance / radius), Math.sin(from - distance / radius)];
    return { x: x + radius * dx, y: y + radius * dy, upright: Math.abs(dx) > Math.SQRT1_2 };
  } });
  const pieces = [straight(trayRight, bottom, 1, 0, right - radius - trayRight),
    bend(right - radius, bottom - radius, Math.PI / 2),
    straight(right, bottom - radius, 0, -1, bottom - top - 2 * radius), bend(right - radius, top + radius, 0),
    straight(right - radius, top, -1, 0, right - left - 2 * radius), bend(left + radius, top + radius, -Math.PI / 2),
    straight(left, top + radius, 0, 1, bottom - top - 2 * radius), bend(left + radius, bottom - radius, Math.PI),
    straight(left + radius, bottom, 1, 0, trayLeft - left - radius)];
  return {
    length: pieces.reduce((sum, piece) => sum + piece.length, 0),
    at: (distance) => {
      let rest = distance;
      for (const piece of pieces) {
        if (rest <= piece.length) return piece.at(rest);
        rest -= piece.length;
      }
      const last = pieces[pieces.length - 1]!;
      return last.at(last.length);
    },
  };
}

/** The patches around the table, without those on offer. Each keeps its element while the ring turns. */
export function ring(patches: readonly RingPatch[], band: Band): Element_[] {
  const around = walk(band);
  const { cell } = band;
  const lengths = patches.map(({ look }) => sizeOf(look.shape).columns * cell);
  const taken = lengths.reduce((sum, length) => sum + length, 0);
  const gap = Math.max(4, (around.length - taken) / (patches.length + 1));
  let distance = 0;
  return patches.map(({ look, buttons, time, title }, i) => {
    distance += gap + lengths[i]! / 2;
    const { x, y, upright } = around.at(Math.min(distance, around.length));
    distance += lengths[i]! / 2;
    const { columns, rows } = sizeOf(look.shape);
    const [width, height] = upright ? [rows, columns] : [columns, rows];
    const scale = cell / CELL;
    return h("g",
      { key: `ring${look.id}`, class: "ring-patch", "data-patch": look.id,
        styles: { transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)` } },
      h("title", {}, title),
      h("g", { transform: `translate(${(-width * cell) / 2} ${(-height * cell) / 2 - 5}) scale(${scale})` },
        patchTurned(look, ORIENTATIONS[upright ? 1 : 0]!)),
      h("text", { class: "ring-price", y: (height * cell) / 2 + 3 },
        h("tspan", { class: "ring-buttons" }, String(buttons)), h("tspan", { class: "ring-dot" }, " · "),
        h("tspan", { class: "ring-time" }, String(time))));
  });
}

/** The line along which the patches lie. */
export function ringLine({ width, height, inset, lower }: Band): Element_ {
  const radius = Math.min(46, (height - lower - inset) / 3);
  return h("rect", { key: "line", class: "ring-line", x: inset, y: inset, width: width - 2 * inset,
    height: height - lower - inset, rx: radius });
}
