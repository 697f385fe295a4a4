// Stepping through a game: buttons, keys, wheel, and the course of the game as a curve to click on, for the
// report's viewer, the analysis and the game that is played.

import { button } from "./controls";
import { h, type Child, type Element_ } from "./dom";
import { icon, type Icon } from "./icons";
import { t } from "./texts";

export interface Steps {
  /** The position that is shown, of those from 0 to `count`. */ readonly at: number;
  readonly count: number; go(to: number): void;
  /** Whether it goes on by itself, where it can. */ readonly plays?: boolean;
  play?(): void;
}

const bounded = ({ count }: Steps, to: number) => Math.max(0, Math.min(count, to));

export function stepButtons(steps: Steps): Element_[] {
  const { at, count, plays, play } = steps;
  const step = (part: Icon, name: "to-start" | "back" | "forward" | "to-end", to: number) => {
    // Not disabled: a disabled button would swallow keyboard events.
    const off = bounded(steps, to) === at ? "true" : undefined;
    const go = () => { if (!off) steps.go(bounded(steps, to)); };
    return button(icon(part), go, { key: part, "data-part": part, "aria-label": t(name), title: t(name),
      "aria-disabled": off });
  };
  const sign = [icon(plays ? "pause" : "play"), h("span", {}, t(plays ? "pause" : "go-on"))];
  return [step("first", "to-start", 0), step("back", "back", at - 1),
    ...(play ? [button(sign, play, { key: "play", "data-part": "play" }, "control play")] : []),
    step("forward", "forward", at + 1), step("last", "to-end", count)];
}

/** The keys of a game to step through; whether it was one of them. */
export function stepKey(steps: Steps, event: KeyboardEvent): boolean {
  const { at, count, play } = steps;
  const places: Readonly<Record<string, number>> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: count };
  const to = places[event.key];
  if (to !== undefined) {
    if (bounded(steps, to) !== at) steps.go(bounded(steps, to));
    return true;
  }
  if (event.key !== " " || !play || (event.target as Element).closest("button")) return false;
  play();
  return true;
}

let turned = 0;

/** The wheel over a table steps, one position for each notch. */
export function stepWheel(steps: Steps, event: WheelEvent): void {
  event.preventDefault();
  turned = Math.sign(turned) === -Math.sign(event.deltaY) ? event.deltaY : turned + event.deltaY;
  if (event.deltaMode === 0 && Math.abs(turned) < 60) return;
  turned = 0;
  const to = bounded(steps, steps.at + Math.sign(event.deltaY));
  if (to !== steps.at) steps.go(to);
}

/** The course of a game: shares from 0 to 1 over the positions. */
export interface Course {
  readonly label: string;
  /** The first position that the curve may have: 0 if that before the first ply is known. */ readonly from: 0 | 1;
  readonly lines: readonly { readonly seat: number; readonly points: readonly (readonly [at: number,
    share: number])[] }[];
  readonly marks: readonly { at: number; share: number; seat: number; sign: string; title: string }[];
  /** What is said of the position under the pointer. */ readonly told?: string;
  point?(at: number | null): void;
}

export function courseOf(steps: Steps, { label, from, lines, marks, told, point }: Course): Element_ {
  const [width, height] = [1000, 200];
  const last = Math.max(1, steps.count - from);
  const x = (at: number) => ((at - from) / last) * width;
  // Lines at either end are drawn inside the plot with their full width.
  const y = (share: number) => 5 + (height - 10) * (1 - share);
  const under = (event: Event) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    return bounded(steps, from + Math.round((((event as MouseEvent).clientX - box.left) / box.width) * last));
  };
  const path = (points: Course["lines"][number]["points"]) =>
    `M${points.map(([at, share]) => `${x(at).toFixed(1)} ${y(share).toFixed(1)}`).join("L") || "0 0"}`;
  const here: Child = steps.at >= from && h("path", { class: "cursor", d: `M${x(steps.at).toFixed(1)} 0v${height}` });
  return h("div", { key: "course", class: "course" },
    h("svg",
      { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": label,
        "data-part": "curve", onclick: (event: Event) => steps.go(under(event)),
        onpointermove: point && ((event: Event) => point(under(event))), onpointerleave: point && (() => point(null)) },
      h("path", { class: "even", d: `M0 ${y(0.5)}h${width}` }),
      ...lines.map(({ seat, points }) => h("path", { class: `line seat${seat}`, d: path(points) })), here),
    h("span", { class: "top" }, "100%"), h("span", { class: "bottom" }, "0%"),
    told !== undefined && h("span", { class: "told", "data-part": "told" }, told),
    ...marks.map(({ at, share, seat, sign, title }, i) => h("span",
      { key: `mark${i}`, class: `swing seat${seat}`, title, "aria-hidden": "true", onclick: () => steps.go(at),
        styles: { left: `${(x(at) / width) * 100}%`, top: `${(y(share) / height) * 100}%` } },
      sign)));
}
