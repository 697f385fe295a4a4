// Small drawings for controls. They have no names of their own; the controls that hold them do.

import { h, type Element_ } from "./dom";
import { button } from "./patch";

const PATHS = {
  turn: "M19 11a7.5 7.5 0 1 0-2.2 6.3M19.5 5v6h-6",
  flip: "M12 3v18M9 7L3.5 17H9zM15 7l5.5 10H15z",
  undo: "M8 5L3.5 9.5L8 14M4 9.5h10a5.5 5.5 0 0 1 0 11h-4",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.8.7 1.1 1.3 1.1 2.2h5c0-.9.3-1.5 1.1-2.2A6 6 0 0 0 12 3z",
  close: "M5.5 5.5l13 13M18.5 5.5l-13 13",
  check: "M4.5 12.5l5 5L19.5 7",
  plus: "M12 5v14M5 12h14",
  first: "M7 5v14M18 5.5L9.5 12L18 18.5",
  back: "M15.5 5L8 12l7.5 7",
  forward: "M8.5 5L16 12l-7.5 7",
  last: "M17 5v14M6 5.5l8.5 6.5L6 18.5",
  play: "M7 4.5v15l12-7.5z",
  pause: "M8 5v14M16 5v14",
  settings: "M12 8.6a3.4 3.4 0 1 0 0 6.8a3.4 3.4 0 1 0 0-6.8zM12 3v2.6M12 18.4V21M3 12h2.6M18.4 12H21M5.6 5.6"
    + "l1.9 1.9M16.5 16.5l1.9 1.9M18.4 5.6l-1.9 1.9M7.5 16.5l-1.9 1.9",
  advance: "M4 12h14M12.5 6l6 6l-6 6",
  help: "M9 9a3 3 0 1 1 4.4 2.7c-1 .6-1.4 1.1-1.4 2.3M12 17.4v.4",
  share: "M12 15V4M8 7.5L12 3.5l4 4M5 12v8h14v-8",
  swap: "M7 4v14M3.5 14.5L7 18l3.5-3.5M17 20V6M13.5 9.5L17 6l3.5 3.5",
  tag: "M4 12.5V5h7.5L20 13.5L13.5 20z",
} as const;

export type Icon = keyof typeof PATHS;

const drawing = (kind: string, viewBox: string, ...children: Element_[]): Element_ =>
  h("svg", { class: kind, viewBox, "aria-hidden": "true", focusable: "false" }, ...children);

export const icon = (name: Icon): Element_ => drawing("icon", "0 0 24 24", h("path", { d: PATHS[name] }));

export const buttonIcon: Element_ = drawing("unit", "-7 -7 14 14", button(0, 0, 6));

export const timeIcon: Element_ = drawing("unit", "0 0 14 14",
  h("path", { class: "hourglass",
    d: "M3 1.2h8M3 12.8h8M4 1.6c0 3 2.4 3.6 2.4 5.4S4 9.4 4 12.4h6c0-3-2.4-3.6-2.4-5.4S10 4.600 10 1.600z" }),
  h("path", { class: "sand",
    d: "M4.6 12.200c.2-1.700 1.200-2.300 2.400-2.900c1.200.6 2.200 1.200 2.400 2.900zM5.200 4.200h3.600"
      + "c-.4.900-1.200 1.300-1.800 2.100c-.6-.8-1.400-1.200-1.800-2.100z" }));

export const tokenIcon = (seat: number): Element_ => drawing("token-icon", "-12 -12 24 24",
  h("g", { class: `token seat${seat}` }, h("circle", { class: "token-disc", r: 10.5 }),
    h("circle", { class: "token-ring", r: 8 }), h("text", { class: "token-name" }, String(seat + 1))));

/** The wooden marker that stands in the ring. */
export const marker: Element_ = drawing("marker", "0 0 24 34",
  h("ellipse", { class: "marker-shade", cx: 12, cy: 30.5, rx: 10, ry: 3 }),
  h("path", { class: "marker-body",
    d: "M12 1.500a5.500 5.500 0 0 1 3.600 9.700c.6 6 2.400 11.300 5.900 17.300c-4 3-15 3-19 0"
      + "c3.500-6 5.300-11.300 5.900-17.300A5.500 5.500 0 0 1 12 1.500z" }),
  h("path", { class: "marker-light", d: "M9.500 5a3 3 0 0 1 2-1.700M9.800 13c-.6 5-1.800 9.500-3.800 14" }));

export const logo: Element_ = drawing("logo", "0 0 30 30",
  h("rect", { x: 1, y: 1, width: 18, height: 9, rx: 2, fill: "url(#cloth-16)" }),
  h("rect", { x: 20, y: 1, width: 9, height: 18, rx: 2, fill: "url(#cloth-7)" }),
  h("rect", { x: 11, y: 20, width: 18, height: 9, rx: 2, fill: "url(#cloth-14)" }),
  h("rect", { x: 1, y: 11, width: 9, height: 18, rx: 2, fill: "url(#cloth-28)" }),
  h("rect", { x: 11, y: 11, width: 8, height: 8, rx: 2, fill: "url(#cloth-34)" }));
