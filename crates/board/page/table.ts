// The table: two quilts, the track between them, the ring around them, and the patches on offer.

import { SPECIAL } from "./cloth";
import { h, type Child, type Element_ } from "./dom";
import { ORIENTATIONS } from "./geometry";
import { buttonIcon, icon, marker, timeIcon, tokenIcon } from "./icons";
import type { Layout } from "./layout";
import { patchPicture, quilt, quiltBox, type Ghost } from "./quilt";
import { ring, ringLine, type Band, type RingPatch } from "./ring";
import { isLegalHand, legalCorners, patchIn, personMoves, shining, type Patch, type Shown, type ShownPosition } from "./state";
import { signed, shown, t } from "./texts";
import { strip, stripBox, track, trackBox, type TrackView } from "./track";

/** What happens when the table is touched. */
export interface TableActs {
  /** A patch on offer is pressed. */
  grab(event: PointerEvent, patch: number): void;
  /** A patch on offer is chosen with the keyboard or an assistive device. */
  choose(patch: number): void;
  over(event: PointerEvent, seat: number): void;
  press(event: PointerEvent, seat: number): void;
  wheel(event: WheelEvent): void;
  advance(): void;
  pointAdvance(on: boolean): void;
  turn(): void;
  flip(): void;
  putBack(): void;
  place(): void;
  open(what: Shown["opened"]): void;
}

/** What a view adds to the table. */
export interface TableParts {
  readonly names: readonly [string, string];
  /** The seat on the left, or below. */
  readonly near: number;
  readonly status: Child;
  /** Beside the track: controls of the view. */
  readonly controls: readonly Child[];
  /** Suggested placements for the player to move. */
  readonly suggestions?: readonly Ghost[];
  readonly heat?: readonly (number | undefined)[] | undefined;
  readonly bar?: Child;
  readonly thinking?: boolean;
  /** Over the table: the result, a step of the tutorial. */
  readonly over?: Child;
  /** Nobody can play here: the patches on offer are only shown. */
  readonly still?: boolean;
  /** The name of the table for assistive devices. */
  readonly label?: string;
}

export function table(state: Shown, layout: Layout, acts: TableActs, parts: TableParts): Element_ {
  const near = parts.near;
  const far = 1 - near;
  const styles = {
    "--quilt": `${layout.quilt}px`,
    "--track": `${layout.track}px`,
    "--band": `${layout.band}px`,
    "--offer": `${layout.offer}px`,
    "--tray": `${layout.tray}px`,
    "--thumb": `${layout.thumb}px`,
  };
  const mover = state.position.mover;
  const kind = `table ${layout.arrangement}${layout.low ? " low" : ""}${mover === null ? " over" : ` moves${mover === near ? "-near" : "-far"}`}`;
  if (layout.arrangement === "narrow") {
    return h("section", { class: kind, styles, id: "board", tabindex: -1, "aria-label": parts.label ?? t("play") },
      farStrip(state, parts, far, acts),
      trackStrip(state, parts, acts),
      parts.bar,
      h("div", { class: "near-side" }, quiltPicture(state, parts, near, acts), plate(state, parts, near)),
      tray(state, parts, acts),
      h("div", { class: "actions" }, parts.status, ...handControls(state, acts), ...parts.controls),
      opened(state, parts, far, acts),
      parts.over,
    );
  }
  return h("section", { class: kind, styles, id: "board", tabindex: -1, "aria-label": parts.label ?? t("play") },
    around(state, layout),
    h("div", { class: "side near" }, plate(state, parts, near), quiltPicture(state, parts, near, acts)),
    h("div", { class: "middle" },
      h("div", { class: "status-box" }, parts.status, parts.bar),
      trackPicture(state, parts),
      h("div", { class: "middle-controls" }, effectLine(state), h("div", { class: "buttons-row" }, ...handControls(state, acts), ...parts.controls)),
    ),
    h("div", { class: "side far" }, plate(state, parts, far), quiltPicture(state, parts, far, acts)),
    tray(state, parts, acts),
    parts.over,
  );
}

// ---- quilts and players

function heldGhost(state: Shown, seat: number): Ghost[] {
  const { hand, position } = state;
  if (!hand || hand.corner === null || position.mover !== seat) return [];
  const patch = patchIn(state, hand.patch);
  return [{ look: patch.look, orientation: patch.orientations[hand.orientation]!.drawn, column: hand.corner % 9, row: Math.floor(hand.corner / 9), legal: isLegalHand(state) }];
}

export function quiltPicture(state: Shown, parts: TableParts, seat: number, acts: TableActs): Element_ {
  const { position } = state;
  const player = position.players[seat]!;
  const mine = position.mover === seat && personMoves(state);
  const last = position.last?.player === seat ? position.last.squares : [];
  const fresh = player.patches.flatMap(({ squares }, i) => (last.length > 0 && squares.join() === last.join() ? [i] : []));
  return h(
    "svg",
    {
      key: `quilt${seat}`,
      class: `quilt seat${seat}${mine ? " mine" : ""}${mine && state.hand ? " holding" : ""}`,
      viewBox: quiltBox,
      role: mine ? "application" : "img",
      "aria-roledescription": mine ? t("quilt-of", parts.names[seat]!) : undefined,
      "aria-label": `${t("quilt-of", parts.names[seat]!)}: ${t("empty", player.empty)}`,
      tabindex: mine ? 0 : undefined,
      "data-seat": seat,
      onpointermove: mine ? (event: Event) => acts.over(event as PointerEvent, seat) : undefined,
      onpointerdown: mine ? (event: Event) => acts.press(event as PointerEvent, seat) : undefined,
      onwheel: mine && state.hand ? (event: Event) => acts.wheel(event as WheelEvent) : undefined,
      oncontextmenu: (event: Event) => event.preventDefault(),
    },
    ...quilt({
      placed: player.patches,
      looks: state.looks,
      fresh,
      shining: mine && state.hand ? shining(state) : new Set<number>(),
      ghosts: [...(position.mover === seat && !state.hand ? (parts.suggestions ?? []) : []), ...heldGhost(state, seat)],
      ...(parts.heat && position.mover === seat ? { heat: parts.heat } : {}),
      seat,
    }),
  );
}

function figure(kind: string, label: string, value: number, change: number, unit: Child): Element_ {
  return h(
    "div",
    { class: `figure ${kind}${change === 0 ? "" : " changes"}`, title: label },
    h("dt", {}, label),
    h("dd", {}, unit, h("span", { class: "value" }, shown(value)), change !== 0 && h("span", { class: `change ${change > 0 ? "gain" : "loss"}` }, signed(change))),
  );
}

export function plate(state: Shown, parts: TableParts, seat: number): Element_ {
  const player = state.position.players[seat]!;
  const effect = state.position.mover === seat ? state.effect : null;
  const buttons = effect ? effect.earned + effect.income - effect.cost : 0;
  return h(
    "div",
    { class: `plate seat${seat}${state.position.mover === seat ? " moves" : ""}` },
    h("h2", { class: "name" }, tokenIcon(seat), h("span", {}, parts.names[seat]!), parts.thinking && state.position.mover === seat && h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"))),
    h(
      "dl",
      { class: "figures" },
      figure("has-buttons", t("buttons-name"), player.buttons, buttons, buttonIcon),
      figure("has-income", t("income-name"), player.income, effect?.income_gained ?? 0, h("span", { class: "plus", "aria-hidden": "true" }, "+")),
      figure("has-points", t("points-name"), player.score, effect?.points ?? 0, null),
      player.bonus && h("div", { class: "figure bonus", title: t("seven") }, h("dt", {}, t("seven")), h("dd", {}, "7×7")),
    ),
  );
}

// ---- track

function trackView(state: Shown): TrackView {
  const { spaces, players, mover } = state.position;
  const numbers = (wanted: "income" | "special") => spaces.flatMap((space, i) => (space[wanted] ? [i] : []));
  const mine = personMoves(state);
  const held = state.hand?.patch;
  return {
    income: numbers("income"),
    specials: numbers("special"),
    spaces: [players[0].space, players[1].space],
    top: mover ?? 0,
    mover: mover ?? undefined,
    reaches: mine ? state.reaches.map(({ label, space, patch }) => ({ label, space, active: state.hand ? patch === held : state.effect?.action === "A" && patch === 0 })) : [],
    ghost: state.effect && mover !== null && mine ? { seat: mover, space: state.effect.to } : undefined,
  };
}

const trackLabel = ({ players }: ShownPosition, names: readonly [string, string]) => t("track", names[0], players[0].space, names[1], players[1].space);

export function trackPicture(state: Shown, parts: TableParts): Element_ {
  return h("svg", { key: "track", class: "track", viewBox: trackBox, role: "img", "aria-label": trackLabel(state.position, parts.names) }, ...track(trackView(state)));
}

// ---- the ring and the patches on offer

/** The name of a control whose look says it in drawings and numbers. */
const spoken = (text: string): Element_ => h("span", { class: "unseen" }, text);

const about = (patch: Patch) => t("ring-patch", patch.id, t("buttons", patch.buttons), t("spaces", patch.time), patch.income);

function ringPatches(state: Shown): RingPatch[] {
  return state.position.ring.slice(state.position.offers.length).map((id) => {
    const patch = patchIn(state, id);
    return { look: patch.look, buttons: patch.buttons, time: patch.time, title: about(patch) };
  });
}

function around(state: Shown, layout: Layout): Element_ {
  // At a desk the whole lower side is taken.
  const most = layout.width / 2 - layout.band;
  const half = layout.arrangement === "desk" ? most : Math.min(most, 4.6 * 5 * layout.offer * 0.5 + 190);
  const band: Band = {
    width: layout.width,
    height: layout.height,
    inset: layout.band / 2,
    lower: Math.max(layout.band / 2 + 4, layout.tray / 2 - 6),
    trayLeft: layout.width / 2 - half,
    trayRight: layout.width / 2 + half,
    cell: layout.cell,
  };
  const patches = ringPatches(state);
  return h(
    "svg",
    { key: "around", class: "around", viewBox: `0 0 ${layout.width} ${layout.height}`, width: layout.width, height: layout.height, role: "img", "aria-label": t("ring", state.position.ring.length) },
    ringLine(band),
    ...ring(patches, band),
  );
}

function offer(state: Shown, parts: TableParts, id: number, place: number, acts: TableActs): Element_ {
  const patch = patchIn(state, id);
  const offered = state.position.offers[place]!;
  const held = state.hand?.patch === id;
  const orientation = held ? patch.orientations[state.hand!.orientation]!.drawn : ORIENTATIONS[0]!;
  const mover = state.position.mover;
  const buttons = mover === null ? 0 : state.position.players[mover]!.buttons;
  const can = offered.affordable && offered.fits;
  const why = !offered.affordable ? t("too-dear", patch.buttons, t("buttons", buttons)) : !offered.fits ? t("no-room") : "";
  const name = spoken(`${place + 1}. ${about(patch)}${why ? `, ${why}` : ""}`);
  const picture = h("span", { class: "picture", "aria-hidden": "true" }, patchPicture(patch.look, orientation));
  const price = h(
    "span",
    { class: "price", "aria-hidden": "true" },
    h("span", { class: offered.affordable ? "cost" : "cost lacking" }, buttonIcon, String(patch.buttons)),
    h("span", { class: "cost" }, timeIcon, String(patch.time)),
    patch.income > 0 && h("span", { class: "cost earns" }, `+${patch.income}`),
  );
  if (parts.still) return h("div", { key: `offer${id}`, class: "offer still", "data-patch": id }, name, picture, price);
  return h(
    "button",
    {
      key: `offer${id}`,
      type: "button",
      class: `offer${can ? "" : " cannot"}${held ? " held" : ""}`,
      "aria-pressed": held ? "true" : "false",
      "data-patch": id,
      onpointerdown: (event: Event) => acts.grab(event as PointerEvent, id),
      // A click without a pointer comes from the keyboard or an assistive device.
      onclick: (event: Event) => {
        if ((event as MouseEvent).detail === 0) acts.choose(id);
      },
      onwheel: held ? (event: Event) => acts.wheel(event as WheelEvent) : undefined,
      oncontextmenu: (event: Event) => event.preventDefault(),
    },
    name,
    picture,
    price,
    why && h("span", { class: "why", "aria-hidden": "true" }, !offered.affordable ? t("too-dear-short", patch.buttons - buttons) : why),
    h("kbd", { "aria-hidden": "true" }, String(place + 1)),
  );
}

function tray(state: Shown, parts: TableParts, acts: TableActs): Element_ {
  const { position } = state;
  const mine = personMoves(state);
  const advance = state.reaches.find(({ patch }) => patch === 0);
  const mover = position.mover;
  const spaces = advance && mover !== null ? advance.space - position.players[mover]!.space : 0;
  const waiting = position.specials_waiting > 0 && mine;
  return h(
    "div",
    { key: "tray", class: `tray${mine ? "" : " waits"}`, role: "group", "aria-label": t("market") },
    marker,
    position.offers.length === 0 && h("p", { class: "none" }, t("state-none")),
    ...position.offers.map(({ patch }, i) => offer(state, parts, patch, i, acts)),
    parts.still ? null
    : waiting
      ? h("div", { key: "special", class: "offer special held" }, h("span", { class: "picture" }, patchPicture(patchIn(state, SPECIAL).look, ORIENTATIONS[0]!)), h("span", { class: "why" }, t("place-special")))
      : h(
          "button",
          {
            key: "advance",
            type: "button",
            class: "offer advance",
            "aria-disabled": mine && advance ? undefined : "true",
            ...pressed(() => acts.advance()),
            onpointerenter: () => acts.pointAdvance(true),
            onpointerleave: () => acts.pointAdvance(false),
            onfocus: () => acts.pointAdvance(true),
            onblur: () => acts.pointAdvance(false),
          },
          spoken(advance ? t("advance-about", t("spaces", spaces), t("buttons", spaces)) : t("advance")),
          h("span", { class: "picture", "aria-hidden": "true" }, icon("advance")),
          h("span", { class: "label", "aria-hidden": "true" }, t("advance")),
          h("span", { class: "price", "aria-hidden": "true" }, h("span", { class: "cost" }, buttonIcon, `+${spaces}`), h("span", { class: "cost" }, timeIcon, String(spaces))),
          h("kbd", { "aria-hidden": "true" }, "A"),
        ),
  );
}

/** What the patch in hand, or the advance that is pointed at, would do. */
export function effectLine(state: Shown): Element_ {
  const { hand, effect } = state;
  const chips: Child[] = [];
  if (effect) {
    chips.push(h("span", { class: "chip" }, timeIcon, t("effect-time", effect.to)));
    if (effect.income > 0) chips.push(h("span", { class: "chip good" }, buttonIcon, t("effect-income", effect.income)));
    if (effect.specials.length > 0) chips.push(h("span", { class: "chip good" }, t("effect-special", effect.specials.length)));
    if (effect.bonus) chips.push(h("span", { class: "chip great" }, t("effect-seven")));
    if (effect.next === state.position.mover) chips.push(h("span", { class: "chip" }, t("effect-again")));
  } else if (hand && hand.corner !== null && !isLegalHand(state)) {
    chips.push(h("span", { class: "chip bad" }, t("illegal")));
  }
  return h("div", { key: "effect", class: "effect" }, ...chips);
}

/**
 * What a press does, also for a finger that comes right after a quick drag: browsers take such a touch
 * for the end of a fling and send no click.
 */
const pressed = (call: () => void): Record<string, unknown> => ({
  onclick: call,
  ontouchend: (event: Event) => {
    // Otherwise the click follows, on what lies there by then.
    event.preventDefault();
    const { clientX, clientY } = (event as TouchEvent).changedTouches[0]!;
    if ((event.currentTarget as Element).contains(document.elementFromPoint(clientX, clientY))) call();
  },
});

const control = (name: "turn" | "flip" | "close" | "check", text: string, key: string, call: () => void, more: Record<string, unknown> = {}): Element_ =>
  h("button", { key: text, type: "button", class: "control", title: `${text} (${key})`, ...pressed(call), ...more }, icon(name), h("span", { class: "label" }, text));

export function handControls(state: Shown, acts: TableActs): Child[] {
  const { hand } = state;
  if (!hand || hand.patch === SPECIAL) {
    return hand && hand.corner !== null && hand.pinned ? [control("check", t("place"), "Enter", acts.place, { class: "control main" })] : [];
  }
  const legal = isLegalHand(state);
  return [
    control("turn", t("turn"), "R", acts.turn),
    control("flip", t("flip"), "F", acts.flip),
    control("close", t("put-back"), "Esc", acts.putBack),
    hand.pinned && control("check", t("place"), "Enter", acts.place, { class: "control main", "aria-disabled": legal ? undefined : "true" }),
  ];
}

// ---- narrow screens: what is not the player's own quilt lies in strips

function farStrip(state: Shown, parts: TableParts, far: number, acts: TableActs): Element_ {
  return h(
    "div",
    { key: "far", class: "far-strip" },
    h(
      "button",
      { type: "button", class: "thumb", "aria-expanded": state.opened === "quilt" ? "true" : "false", onclick: () => acts.open("quilt") },
      spoken(t("show-quilt", parts.names[far]!)),
      h("svg", { class: `quilt seat${far}`, viewBox: quiltBox, "aria-hidden": "true" }, ...quilt({ placed: state.position.players[far]!.patches, looks: state.looks, seat: far })),
    ),
    plate(state, parts, far),
  );
}

function trackStrip(state: Shown, parts: TableParts, acts: TableActs): Element_ {
  const next = ringPatches(state).slice(0, 4);
  return h(
    "div",
    { key: "strips", class: "strips" },
    h("button", { type: "button", class: "track-strip", "aria-expanded": state.opened === "track" ? "true" : "false", onclick: () => acts.open("track") },
      spoken(trackLabel(state.position, parts.names)),
      h("svg", { class: "track", viewBox: stripBox, "aria-hidden": "true", preserveAspectRatio: "xMinYMid meet" }, ...strip(trackView(state)))),
    h("button", { type: "button", class: "ring-strip", "aria-expanded": state.opened === "ring" ? "true" : "false", onclick: () => acts.open("ring") },
      spoken(t("ring", state.position.ring.length)),
      ...next.slice(0, 2).map(({ look }) => patchPicture(look, ORIENTATIONS[0]!)), h("span", { class: "more", "aria-hidden": "true" }, `${state.position.ring.length}`)),
  );
}

function opened(state: Shown, parts: TableParts, far: number, acts: TableActs): Child {
  if (!state.opened) return null;
  const shut = h("button", { type: "button", class: "shut", "aria-label": t("close"), onclick: () => acts.open(null) }, icon("close"));
  const inside =
    state.opened === "quilt" ? quiltPicture(state, parts, far, acts)
    : state.opened === "track" ? trackPicture(state, parts)
    : h("ol", { class: "ring-list" }, ...state.position.ring.map((id) => {
        const patch = patchIn(state, id);
        return h("li", { key: String(id), "aria-label": about(patch) }, patchPicture(patch.look, ORIENTATIONS[0]!),
          h("span", { class: "price", "aria-hidden": "true" }, h("span", { class: "cost" }, buttonIcon, String(patch.buttons)), h("span", { class: "cost" }, timeIcon, String(patch.time))));
      }));
  return h("div", { key: "opened", class: `opened ${state.opened}`, onclick: (event: Event) => { if (event.target === event.currentTarget) acts.open(null); } }, h("div", { class: "opened-box" }, inside, shut));
}

/** Whether anything can be done with a patch on offer now. */
export const canPlace = (state: Shown, patch: number): boolean =>
  patchIn(state, patch).orientations.some((_, orientation) => legalCorners(state, patch, orientation).length > 0);
