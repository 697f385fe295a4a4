// The table: two quilts, the track between them, the ring around them, and the patches on offer.

import { SPECIAL } from "./cloth";
import { button, control, pressed, unless } from "./controls";
import { h, memo, type Child, type Element_ } from "./dom";
import { SIDE, squareOf } from "./geometry";
import { whyNot, type Hands } from "./hand";
import { buttonIcon, icon, marker, timeIcon, tokenIcon } from "./icons";
import type { Layout } from "./layout";
import { patchPicture, quilt, quiltBox, type Ghost } from "./quilt";
import { ring, ringLine, type Band } from "./ring";
import { about } from "./say";
import { ghostAt, isLegalHand, patchIn, personMoves, shining, squaresIn } from "./state";
import type { Patch, Shown, ShownPlayer, ShownPosition } from "./state";
import { shown, signed, t } from "./texts";
import { strip, stripBox, track, trackBox, type TrackView } from "./track";

/** What a view adds to the table. */
export interface TableParts {
  readonly names: readonly [string, string];
  /** The seat on the left, or below. */ readonly near: number;
  readonly status: Child;
  /** Beside the track: controls of the view. */ readonly controls: readonly Child[];
  /** What is done with pointers. Without them nobody can play here: the patches on offer are only shown. */
  readonly hands?: Hands;
  /** Opens or closes a strip of a narrow table. */ open(what: Shown["opened"]): void;
  /** The wheel over the table, while nothing is in hand. */ wheel?(event: WheelEvent): void;
  /** Suggested placements for the player to move. */ readonly suggestions?: readonly Ghost[];
  readonly heat?: readonly (number | undefined)[] | undefined; readonly bar?: Child; readonly thinking?: boolean;
  /** Over the table: the result. */ readonly over?: Child;
  /** The name of the table for assistive devices. */ readonly label?: string;
}

export function table(state: Shown, layout: Layout, parts: TableParts): Element_ {
  const { near, wheel } = parts;
  const far = 1 - near;
  const px = (value: number) => `${value}px`;
  const { mover } = state.position;
  const moves = mover === null ? " over" : ` moves${mover === near ? "-near" : "-far"}`;
  const form = layout.low ? " low" : layout.short ? " short" : "";
  const attributes = { key: "table", class: `table ${layout.arrangement}${form}${moves}`,
    id: "board", tabindex: -1, "aria-label": parts.label ?? t("play"),
    onwheel: wheel && !state.hand ? (event: Event) => wheel(event as WheelEvent) : undefined,
    styles: { "--quilt": px(layout.quilt), "--track": px(layout.track), "--band": px(layout.band),
      "--offer": px(layout.offer), "--tray": px(layout.tray), "--thumb": px(layout.thumb) } };
  if (layout.arrangement === "narrow") {
    const said = effectLine(state, parts.status);
    return h("section", attributes, farStrip(state, parts, far), trackStrip(state, parts), parts.bar,
      h("div", { class: "near-side" }, quiltPicture(state, parts, near), plate(state, parts, near),
        layout.short && said), tray(state, parts),
      h("div", { class: "actions" }, !layout.short && said, ...handControls(state, parts), ...parts.controls),
      opened(state, parts, far), parts.over);
  }
  return h("section", attributes, around(state, layout),
    h("div", { class: "side near" }, plate(state, parts, near), quiltPicture(state, parts, near)),
    h("div", { class: "middle" }, h("div", { class: "status-box" }, parts.status, parts.bar),
      trackPicture(state, parts),
      h("div", { class: "middle-controls" }, effectLine(state, null),
        h("div", { class: "buttons-row" }, ...handControls(state, parts), ...parts.controls))),
    h("div", { class: "side far" }, plate(state, parts, far), quiltPicture(state, parts, far)), tray(state, parts),
    parts.over);
}

// ---- quilts and players

function heldGhost(state: Shown, seat: number): Ghost[] {
  const { hand, position } = state;
  if (!hand || hand.corner === null || position.mover !== seat) return [];
  return [ghostAt(state, hand.patch, hand.orientation, hand.corner, isLegalHand(state))];
}

/** The first square of the filled area of seven by seven, of the player who has its bonus. */
function sevenOf({ bonus, patches }: ShownPlayer): number | undefined {
  if (!bonus) return undefined;
  const covered = new Set(patches.flatMap(({ squares }) => squares));
  const all = [...Array(7).keys()];
  const corners = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => squareOf(column, row)));
  return corners.find((corner) => all.every((row) => all.every((column) => covered.has(corner + row * SIDE + column))));
}

function quiltPicture(state: Shown, parts: TableParts, seat: number): Element_ {
  const { position, hand } = state;
  const { hands } = parts;
  const player = position.players[seat]!;
  const name = parts.names[seat]!;
  const mine = hands !== undefined && position.mover === seat && personMoves(state);
  const last = position.last?.player === seat ? squaresIn(position.last.action) : [];
  const isLast = (squares: readonly number[]) => last.length > 0 && squares.join() === last.join();
  const placed = memo(`placed${seat}`, [position], () => quilt({ placed: player.patches, patches: state.patches,
    seven: sevenOf(player), fresh: player.patches.flatMap(({ squares }, i) => (isLast(squares) ? [i] : [])) }));
  const toMove = position.mover === seat;
  return h("svg", { key: `quilt${seat}`,
    class: `quilt seat${seat}${mine ? " mine" : ""}${mine && hand ? " holding" : ""}`, viewBox: quiltBox,
    role: mine ? "application" : "img", "aria-roledescription": mine ? t("quilt-of", name) : undefined,
    "aria-label": `${t("quilt-of", name)}: ${t("empty", player.empty)}`, tabindex: mine ? 0 : undefined,
    "data-seat": seat, onpointermove: mine ? (event: Event) => hands.over(event as PointerEvent) : undefined,
    onpointerdown: mine ? (event: Event) => hands.press(event as PointerEvent) : undefined,
    onwheel: mine && hand ? (event: Event) => hands.wheel(event as WheelEvent) : undefined,
    oncontextmenu: (event: Event) => event.preventDefault() }, placed, ...quilt({
    placed: [], patches: state.patches, bare: true,
    ...(parts.heat && toMove ? { heat: parts.heat } : {}),
    ...(mine && hand ? { shining: memo("shining", [position, hand.patch, hand.orientation],
      () => shining(state)) } : {}),
    ghosts: [...(toMove && !hand ? (parts.suggestions ?? []) : []), ...heldGhost(state, seat)],
  }));
}

function figure(kind: string, label: string, value: number, change: number, unit: Child): Element_ {
  return h("div", { class: `figure ${kind}${change === 0 ? "" : " changes"}`, title: label }, h("dt", {}, label),
    h("dd", {}, unit, h("span", { class: "value" }, shown(value)),
      change !== 0 && h("span", { class: `change ${change > 0 ? "gain" : "loss"}` }, signed(change))));
}

const dots = h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));

function plate(state: Shown, parts: TableParts, seat: number): Element_ {
  const player = state.position.players[seat]!;
  const moves = state.position.mover === seat;
  const effect = moves ? state.effect : null;
  const buttons = effect ? effect.earned + effect.income - effect.cost : 0;
  return h("div", { class: `plate seat${seat}${moves ? " moves" : ""}` },
    h("h2", { class: parts.names[seat]!.length > 24 ? "name long" : "name" }, tokenIcon(seat),
      h("span", {}, ...parts.names[seat]!.split(/(?<=[{.=,])/).flatMap((part, i) => [i > 0 && h("wbr"), part])),
      parts.thinking && moves && dots),
    h("dl", { class: "figures" }, figure("has-buttons", t("buttons-name"), player.buttons, buttons, buttonIcon),
      figure("has-income", t("income-name"), player.income, effect?.income_gained ?? 0,
        h("span", { class: "plus", "aria-hidden": "true" }, "+")),
      figure("has-points", t("points-why"), player.score, effect?.points ?? 0, null),
      player.bonus && h("div", { class: "figure bonus", title: t("seven") }, h("dt", {}, t("seven")),
        h("dd", {}, "7×7"))));
}

// ---- track

function trackView(state: Shown): TrackView {
  const { specials, players, mover } = state.position;
  const mine = personMoves(state);
  const isActive = (patch: number) => (state.hand ? patch === state.hand.patch : patch === 0
    && state.effect?.action === "A");
  return { specials, spaces: [players[0].space, players[1].space], top: mover ?? 0, mover: mover ?? undefined,
    reaches: mine ? state.reaches.map(({ label, space, patch }) => ({ label, space, active: isActive(patch) })) : [],
    ghost: state.effect && mover !== null && mine ? { seat: mover, space: state.effect.to } : undefined };
}

const trackLabel = ({ players }: ShownPosition, names: readonly [string, string]) =>
  t("track", names[0], players[0].space, names[1], players[1].space);

const trackPicture = (state: Shown, { names }: TableParts): Element_ => h("svg",
  { key: "track", class: "track", viewBox: trackBox, role: "img", "aria-label": trackLabel(state.position, names) },
  ...memo("track", [state.position, state.hand?.patch, state.effect, personMoves(state)],
    () => track(trackView(state))));

// ---- the ring and the patches on offer

/** The name of a control whose look says it in drawings and numbers. */
const spoken = (text: string): Element_ => h("span", { class: "unseen" }, text);

const cost = (unit: Child, value: number | string, kind = ""): Element_ =>
  h("span", { class: `cost ${kind}` }, unit, String(value));

const priceOf = (buttons: number | string, time: number, kind = "", more: Child = null): Element_ =>
  h("span", { class: "price", "aria-hidden": "true" }, cost(buttonIcon, buttons, kind), cost(timeIcon, time), more);

const ringPatches = (state: Shown): Patch[] =>
  state.position.ring.slice(state.position.offers.length).map((id) => patchIn(state, id));

function around(state: Shown, layout: Layout): Element_ {
  const { width, height } = layout;
  // At a desk the whole lower side is taken.
  const most = width / 2 - layout.band;
  const half = layout.arrangement === "desk" ? most : Math.min(most, 4.6 * 5 * layout.offer * 0.5 + 190);
  const band: Band = { width, height, inset: layout.band / 2, lower: Math.max(layout.band / 2 + 4, layout.tray / 2 - 6),
    trayLeft: width / 2 - half, trayRight: width / 2 + half, cell: layout.cell };
  const label = t("ring", state.position.ring.length);
  const viewBox = `0 0 ${width} ${height}`;
  return memo("around", [state.position, label, viewBox, layout.tray], () =>
    h("svg", { key: "around", class: "around", viewBox, width, height, role: "img", "aria-label": label },
      ringLine(band), ...ring(ringPatches(state), band)));
}

/** A patch on offer. Only pictures are left where nobody can buy. */
function offer(state: Shown, { hands }: TableParts, id: number, place: number): Element_ {
  const patch = patchIn(state, id);
  const { affordable, fits } = state.position.offers[place]!;
  const { mover } = state.position;
  const held = state.hand?.patch === id;
  const orientation = held ? patch.orientations[state.hand!.orientation]!.drawn : undefined;
  const buttons = mover === null ? 0 : state.position.players[mover]!.buttons;
  const why = !affordable ? t("too-dear", patch.buttons, t("buttons", buttons)) : !fits ? t("no-room") : "";
  const name = spoken(`${place + 1}. ${about(patch)}${why ? `, ${why}` : ""}`);
  const picture = h("span", { class: "picture", "aria-hidden": "true" }, patchPicture(patch, orientation));
  const price = priceOf(patch.buttons, patch.time, affordable ? "" : "lacking",
    patch.income > 0 && cost(null, `+${patch.income}`, "earns"));
  if (!hands || mover === null) {
    return h("div", { key: `offer${id}`, class: "offer still", "data-patch": id }, name, picture, mover !== null
      && price);
  }
  return h("button", {
    key: `offer${id}`, type: "button", class: `offer${why ? " cannot" : ""}${held ? " held" : ""}`,
    "aria-pressed": held ? "true" : "false", "data-patch": id,
    onpointerdown: (event: Event) => hands.grab(event as PointerEvent, id),
    // A click without a pointer comes from the keyboard or an assistive device.
    onclick: (event: Event) => { if ((event as MouseEvent).detail === 0) hands.choose(id); },
    onwheel: held ? (event: Event) => hands.wheel(event as WheelEvent) : undefined,
    oncontextmenu: (event: Event) => event.preventDefault(),
  }, name, picture, price,
    why && h("span", { class: "why", "aria-hidden": "true" },
      affordable ? why : t("too-dear-short", patch.buttons - buttons)),
    h("kbd", { "aria-hidden": "true" }, String(place + 1)));
}

function advanceOffer(state: Shown, hands: Hands): Element_ {
  const { players, mover } = state.position;
  const reach = state.reaches.find(({ patch }) => patch === 0);
  const spaces = reach && mover !== null ? reach.space - players[mover]!.space : 0;
  return h("button",
    { key: "advance", type: "button", class: "offer advance",
      ...unless(personMoves(state) && reach !== undefined), ...pressed(() => hands.advance()),
      onpointerenter: () => hands.pointAdvance(true), onpointerleave: () => hands.pointAdvance(false),
      onfocus: () => hands.pointAdvance(true), onblur: () => hands.pointAdvance(false) },
    spoken(reach ? t("advance-about", t("spaces", spaces), t("buttons", spaces)) : t("advance")),
    h("span", { class: "picture", "aria-hidden": "true" }, icon("advance")),
    h("span", { class: "label", "aria-hidden": "true" }, t("advance")), priceOf(`+${spaces}`, spaces),
    h("kbd", { "aria-hidden": "true" }, "A"));
}

function tray(state: Shown, parts: TableParts): Element_ {
  const { position } = state;
  const mine = personMoves(state);
  const special = () => h("div", { key: "special", class: "offer special held" },
    h("span", { class: "picture" }, patchPicture(patchIn(state, SPECIAL))),
    h("span", { class: "why" }, t("place-special")));
  return h("div", { key: "tray", class: `tray${mine ? "" : " waits"}`, role: "group", "aria-label": t("market") },
    marker, position.offers.length === 0 && h("p", { class: "none" }, t("state-none")),
    ...position.offers.map(({ patch }, i) => offer(state, parts, patch, i)), parts.hands && position.mover !== null
      && (position.waiting > 0 && mine ? special() : advanceOffer(state, parts.hands)));
}

/** What the patch in hand, or the advance that is pointed at, would do; otherwise something else. */
function effectLine(state: Shown, otherwise: Child): Child {
  const { hand, effect, position } = state;
  const chip = (kind: string, ...children: Child[]) => h("span", { class: `chip ${kind}` }, ...children);
  const chips: Child[] = [];
  if (effect) {
    chips.push(chip("", timeIcon, t("effect-time", effect.to)));
    if (effect.income > 0) chips.push(chip("good", buttonIcon, t("effect-income", effect.income)));
    if (effect.specials.length > 0) chips.push(chip("good", t("effect-special", effect.specials.length)));
    if (effect.bonus) chips.push(chip("great", t("effect-seven")));
    if (effect.next === position.mover) chips.push(chip("", t("effect-again")));
  } else if (hand && hand.corner !== null && !isLegalHand(state)) chips.push(chip("bad", whyNot(state)));
  // Where there is one line for both, an advance that is pointed at does not hide a hint.
  const isOther = otherwise !== null && (chips.length === 0 || !hand);
  return isOther ? otherwise : h("div", { key: "effect", class: "effect" }, ...chips);
}

function handControls(state: Shown, { hands }: TableParts): Child[] {
  const { hand } = state;
  if (!hand || !hands) return [];
  const place = hand.pinned && control("check", t("place"), "Enter", hands.place,
    { class: "control main", ...unless(isLegalHand(state)) });
  if (hand.patch === SPECIAL) return [hand.corner !== null && place];
  return [control("turn", t("turn"), "R", hands.turn), control("flip", t("flip"), "F", hands.flip),
    control("close", t("put-back"), "Esc", hands.putBack), place];
}

// ---- narrow screens: what is not the player's own quilt lies in strips

function farStrip(state: Shown, parts: TableParts, far: number): Element_ {
  const player = state.position.players[far]!;
  return h("div", { key: "far", class: "far-strip" },
    stripButton(state, parts, "quilt", "thumb", t("quilt-of", parts.names[far]!),
      h("svg", { class: `quilt seat${far}`, viewBox: quiltBox, "aria-hidden": "true" },
        ...quilt({ placed: player.patches, patches: state.patches, seven: sevenOf(player) }))),
    plate(state, parts, far));
}

function stripButton(state: Shown, { open }: TableParts, what: NonNullable<Shown["opened"]>, kind: string, name: string,
  ...inside: Child[]) {
  return h("button", { type: "button", class: kind, "aria-expanded": state.opened === what ? "true" : "false",
    onclick: () => open(what) },
    spoken(name), ...inside);
}

function trackStrip(state: Shown, parts: TableParts): Element_ {
  const { length } = state.position.ring;
  return h("div", { key: "strips", class: "strips" },
    stripButton(state, parts, "track", "track-strip", trackLabel(state.position, parts.names),
      h("svg", { class: "track", viewBox: stripBox, "aria-hidden": "true", preserveAspectRatio: "xMinYMid meet" },
        ...strip(trackView(state)))),
    stripButton(state, parts, "ring", "ring-strip", t("ring", length),
      ...ringPatches(state).slice(0, 2).map((patch) => patchPicture(patch)),
      h("span", { class: "more", "aria-hidden": "true" }, String(length))));
}

function opened(state: Shown, parts: TableParts, far: number): Child {
  if (!state.opened) return null;
  const { open } = parts;
  const inside = state.opened === "quilt" ? quiltPicture(state, parts, far)
    : state.opened === "track" ? trackPicture(state, parts)
    : h("ol", { class: "ring-list" }, ...state.position.ring.map((id) => {
        const patch = patchIn(state, id);
        return h("li", { key: String(id), "aria-label": about(patch) }, patchPicture(patch),
          priceOf(patch.buttons, patch.time));
      }));
  const shut = (event: Event) => { if (event.target === event.currentTarget) open(null); };
  return h("div", { key: "opened", class: `opened ${state.opened}`, onclick: shut },
    h("div", { class: "opened-box" }, inside,
      button(icon("close"), () => open(null), { "aria-label": t("close") }, "shut")));
}
