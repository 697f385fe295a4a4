// Movement between two drawings: tokens walk along the track, patches come from the tray. None if it is not wanted.

import type { Shown } from "./state";
import { tokenPlace } from "./track";

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Where the patches on offer are. */
type Before = ReadonlyMap<string, DOMRect>;

const OFFERS = ".tray .offer[data-patch] .patch-picture, .carried .patch-picture";

let shown: Shown["position"] | null = null;

export function remember(root: Element): Before {
  const offers = [...(still.matches ? [] : root.querySelectorAll<HTMLElement>(OFFERS))];
  return new Map(offers.map((offer) =>
    [offer.closest<HTMLElement>("[data-patch]")?.dataset["patch"] ?? "carried", offer.getBoundingClientRect()]));
}

export function animate(root: Element, before: Before, { position }: Shown): void {
  const last = shown;
  shown = position;
  if (still.matches || !last || last === position || position.ply !== last.ply + 1) return;
  position.players.forEach(({ space }, seat) => {
    const from = last.players[seat]!.space;
    if (space <= from) return;
    const token = root.querySelector<SVGElement>(`.middle .track .token.seat${seat}:not(.ghost)`);
    const end = token?.style.transform;
    if (!token || !end) return;
    const frames = [];
    for (let at = from; at <= space; at++) {
      const [x, y] = tokenPlace(at, 0);
      frames.push({ transform: `translate(${x}px, ${y}px)` });
    }
    frames.push({ transform: end });
    token.animate(frames, { duration: Math.min(900, 180 + 90 * (space - from)), easing: "ease-in-out" });
  });
  const fresh = root.querySelector<SVGGElement>(".placed.fresh");
  const patch = fresh?.dataset["patch"];
  const start = patch === undefined ? undefined : before.get(patch);
  if (!fresh || !start || position.last?.action === "A") return;
  const end = fresh.getBoundingClientRect();
  const scale = fresh.ownerSVGElement!.viewBox.baseVal.width / fresh.ownerSVGElement!.getBoundingClientRect().width;
  const [dx, dy] = [(start.x + start.width / 2 - end.x - end.width / 2) * scale,
    (start.y + start.height / 2 - end.y - end.height / 2) * scale];
  const rest = getComputedStyle(fresh).transform;
  const base = rest === "none" ? "" : rest;
  fresh.animate(
    [{ transform: `translate(${dx}px, ${dy}px) ${base}`, opacity: 0.9 }, { transform: base || "none", opacity: 1 }],
    { duration: 420, easing: "cubic-bezier(.2,.8,.3,1)" });
}
