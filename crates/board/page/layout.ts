// Where things lie, from the room that the table has. The style sheet places; this only measures.

import { TRACK_RATIO } from "./track";

/** wide: quilt, track, quilt. tall: quilts side by side above the track. narrow: one quilt, the rest in strips. */
export type Arrangement = "wide" | "tall" | "narrow";

export interface Layout {
  readonly arrangement: Arrangement;
  readonly width: number;
  readonly height: number;
  /** Side of a quilt, in pixels. */
  readonly quilt: number;
  readonly track: number;
  /** Width of the band in which the ring lies; 0 where it is a strip. */
  readonly band: number;
  /** Pixels per square of a patch in the ring. */
  readonly cell: number;
  /** Pixels per square of a patch on offer. */
  readonly offer: number;
  readonly tray: number;
}

const PLATE = 54;
const GAP = 14;

export function layout(width: number, height: number): Layout {
  if (width < 660) return narrow(width, height);
  const band = width >= 1000 ? 62 : 52;
  const cell = width >= 1800 ? 13 : width >= 1000 ? 10.5 : 8.5;
  const offer = width >= 1800 ? 24 : width >= 1000 ? 19 : 17;
  const tray = 3 * offer + 70;
  const inner = width - 2 * band;
  // The status and the track share the column between the quilts.
  const wide = Math.min(height - band - PLATE - tray - GAP, (inner - 2 * GAP) / 2.74);
  const tall = Math.min((inner - GAP) / 2, (height - band - PLATE - tray - 2 * GAP) / 1.75);
  if (wide >= tall || height < 620) {
    const quilt = Math.floor(Math.max(230, Math.min(wide, 780)));
    const track = Math.floor(Math.min(quilt * 0.94, inner - 2 * quilt - 2 * GAP, (quilt - 110) * TRACK_RATIO));
    return { arrangement: "wide", width, height, quilt, track, band, cell, offer, tray };
  }
  const quilt = Math.floor(Math.max(230, tall));
  const track = Math.floor(Math.min(inner * 0.5, (height - band - PLATE - tray - 3 * GAP - quilt) * TRACK_RATIO));
  return { arrangement: "tall", width, height, quilt, track, band, cell, offer, tray };
}

function narrow(width: number, height: number): Layout {
  // What stands above and below the quilt: opponent, track, plate, tray, buttons, gaps.
  const offer = height < 700 ? 12 : 15;
  const tray = 3 * offer + 46;
  const others = 46 + 36 + 40 + tray + 54 + 6 * 5;
  const quilt = Math.floor(Math.max(200, Math.min(width - 12, height - others)));
  return { arrangement: "narrow", width, height, quilt, track: width - 24, band: 0, cell: 8, offer, tray };
}
