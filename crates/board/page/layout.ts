// Where things lie, from the room that the table has. The style sheet places; this only measures.

import { TRACK_RATIO } from "./track";

export interface Layout {
  /** wide: quilt, track, quilt. tall: quilts side by side above the track. desk: the same, with the patches on offer
   * beside the track. narrow: one quilt, the rest in strips. */
  readonly arrangement: "wide" | "tall" | "desk" | "narrow";
  /** A narrow table on its side: the quilt takes the height, and everything else lies beside it. */
  readonly low: boolean;
  /** A narrow table of little height: the figures of the player stand beside the quilt. */
  readonly short: boolean;
  readonly width: number; readonly height: number;
  /** Side of a quilt, in pixels. */ readonly quilt: number;
  readonly track: number;
  /** Width of the band in which the ring lies; 0 where it is a strip. */ readonly band: number;
  /** Pixels per square of a patch in the ring. */ readonly cell: number;
  /** Pixels per square of a patch on offer. */ readonly offer: number;
  readonly tray: number;
  /** Side of the opponent's quilt in its strip; 0 where it is drawn in full. */ readonly thumb: number;
}

/** Narrower tables show one quilt. */
const NARROW = 660;
const PLATE = 54;
const GAP = 14;

/** Rows of the highest patch as printed. */
const HIGHEST = 3;
/** What stands above and below the quilt of a narrow table: opponent, track, plate, patches on offer, buttons, gaps. */
const NARROW_PLATE = 40;
const NARROW_OTHERS = 46 + 40 + NARROW_PLATE + 52 + 52 + 6 * 4;
const TRAY_REST = 70;
/** The least side of the quilt of a narrow table. */
const LEAST_QUILT = 130;
/** The least height of the row with track, status and patches on offer, and the least width of the latter. */
const DESK_ROW = 248;
const DESK_OFFERS = 480;

/** Whether a window is that of a phone on its side. */
export const isLow = (width: number, height: number): boolean => height < 480 && width > 1.4 * height;

/** Where things lie in a table of this size; `isSide` for one beside which a phone on its side shows something else. */
export function layout(width: number, height: number, isSide = isLow(width, height)): Layout {
  if (isSide) return low(width, height);
  if (width < NARROW) return narrow(width, height);
  const band = width >= 1000 ? 62 : 52;
  const cell = width >= 1800 ? 13 : width >= 1000 ? 10.5 : 8.5;
  const least = width >= 1000 ? 17 : 16;
  const tray = HIGHEST * least + TRAY_REST;
  const inner = width - 2 * band;
  // The status and the controls share the column of the track.
  const wide = Math.min(height - band - PLATE - tray - GAP, (inner - 2 * GAP) / 2.74);
  const tall = Math.min((inner - GAP) / 2, (height - band - PLATE - tray - 2 * GAP) / 1.75);
  // Beside the track, the patches on offer take no height of their own.
  const beside = Math.min((inner - GAP) / 2, height - band - PLATE - 2 * GAP - DESK_ROW);
  const rest = { low: false, short: false, width, height, band, cell, thumb: 0 };
  if (beside > 1.1 * Math.max(wide, tall) && height >= 620) {
    const quilt = Math.floor(beside);
    const row = height - band - PLATE - 2 * GAP - quilt;
    const track = Math.floor(Math.min(row * TRACK_RATIO, 2 * quilt + GAP - DESK_OFFERS));
    return { arrangement: "desk", ...rest, quilt, track, ...offers(least, row - DESK_ROW) };
  }
  if (wide >= tall || height < 620) {
    const quilt = Math.floor(Math.max(230, Math.min(wide, 800)));
    const track = Math.floor(Math.min(quilt * 0.94, inner - 2 * quilt - 2 * GAP, (quilt - 110) * TRACK_RATIO));
    return { arrangement: "wide", ...rest, quilt, track, ...offers(least, height - band - PLATE - tray - GAP - quilt) };
  }
  const quilt = Math.floor(Math.max(LEAST_QUILT, tall));
  const room = height - band - PLATE - tray - 3 * GAP - quilt;
  const track = Math.floor(Math.max(LEAST_QUILT, Math.min(inner * 0.58, room * TRACK_RATIO)));
  return { arrangement: "tall", ...rest, quilt, track, ...offers(least, room - track / TRACK_RATIO) };
}

/** The height at which the quilts are as large as a width allows, for a table that need not fit into a window. */
export function heightFor(width: number): number {
  if (width < NARROW) return NARROW_OTHERS + HIGHEST * 14 + Math.min(width - 12, 520) + 40;
  const [band, least] = width >= 1000 ? [62, 17] : [52, 16];
  const others = band + PLATE + HIGHEST * (least + 3) + TRAY_REST + GAP;
  const inner = width - 2 * band;
  // Side by side with the track if there is room for quilts of a good size, or else above it.
  const wide = (inner - 2 * GAP) / 2.74;
  return Math.round(wide >= 280 ? others + wide : others + 2 * GAP + 1.75 * ((inner - GAP) / 2));
}

/** Patches on offer are as large as the height that is left allows. */
function offers(least: number, left: number): { offer: number; tray: number } {
  const offer = Math.round(Math.max(least, Math.min(30, least + left / HIGHEST - 6)));
  return { offer, tray: HIGHEST * offer + TRAY_REST };
}

function narrow(width: number, height: number): Layout {
  const [others, least] = [NARROW_OTHERS, 11];
  const above = height - others - HIGHEST * least;
  const short = above < 0.5 * width;
  const most = short ? Math.min(0.5 * width, above + NARROW_PLATE) : Math.min(width - 12, above);
  const quilt = Math.floor(Math.max(LEAST_QUILT, most));
  const offer = Math.round(Math.max(least, Math.min(17, (height - others - quilt) / HIGHEST)));
  const left = height - others - quilt - HIGHEST * offer;
  const thumb = Math.floor(Math.max(46, Math.min(128, 46 + left)));
  return { arrangement: "narrow", low: false, short, width, height, quilt, track: width - 24, band: 0, cell: 8, offer,
    tray: HIGHEST * offer + 44, thumb };
}

function low(width: number, height: number): Layout {
  const quilt = Math.floor(Math.min(height - 8, width * 0.46));
  const beside = width - quilt - 24;
  // Beside the quilt: opponent, strips, plate, patches on offer, buttons, gaps.
  const left = height - (46 + 36 + 40 + 48 + 44 + 5 * 4);
  const offer = Math.round(Math.max(10, Math.min(17, left / HIGHEST, (beside - 100) / 15)));
  return { arrangement: "narrow", low: true, short: false, width, height, quilt, track: beside, band: 0, cell: 8, offer,
    tray: HIGHEST * offer + 44, thumb: 46 };
}
