// The position editor: quilts, tokens and the rest of a position are set, and the engine says whether they fit
// together.

import { SPECIAL } from "./cloth";
import { button, control, field, selectField, unless, valueOf } from "./controls";
import { focusDrawn, h, type Attributes, type Child, type Element_ } from "./dom";
import type { Engine } from "./engine";
import { copied, linkTo, lose, openGame, pgnOf } from "./flow";
import { LAST_SPACE, pointOf, SIDE, squareOf } from "./geometry";
import { tokenIcon, type Icon } from "./icons";
import { playFrom } from "./play";
import { patchPicture, quilt, quiltBox, squareAt, type Placed } from "./quilt";
import { about, namesOf, patchName } from "./say";
import { actionAt, clampCorner, ghostAt, moved, patchIn, patchOfAction, placedBy, placingOf } from "./state";
import { positionOf, reoriented, ringFrom, seatOf, SEATS, squareNames, squaresAt, squaresIn, update } from "./state";
import type { Controller, Editor, EditorHand, Parts, State } from "./state";
import { t, type Text } from "./texts";
import { track, trackBox } from "./track";
import { treeOf } from "./tree";

type Player = Parts["players"][number];

/** The parts of a position's text: the setup, both players, and whose turn it is. */
export function partsOf(text: string): Parts {
  const [setup, ...rest] = text.split("/").map((part) => part.trim().split(/\s+/));
  const [track, ...ring] = setup!;
  const [token, mover, waiting, bonus, arrived, ...specials] = rest.pop()!;
  const players = rest.map(([buttons, space, ...patches]) =>
    ({ buttons: Number(buttons), space: Number(space), patches }));
  const player = (word: string) => (word === "-" ? null : seatOf(word));
  return { track: track!, ring: ring.map(Number), players, token: Number(token), mover: seatOf(mover!),
    waiting: Number(waiting), bonus: player(bonus!), arrived: player(arrived!), specials: specials.map(Number) };
}

function textOf({ track, ring, players, token, mover, waiting, bonus, arrived, specials }: Parts): string {
  const player = (seat: number | null) => (seat === null ? "-" : SEATS[seat]);
  return [[track, ...ring], ...players.map(({ buttons, space, patches }) => [buttons, space, ...patches]),
    [token, player(mover), waiting, player(bonus), player(arrived), ...specials]].map((part) =>
    part.join(" ")).join(" / ");
}

const changed = (parts: Parts, seat: number, part: Partial<Player>): Parts =>
  ({ ...parts, players: parts.players.map((player, i) => (i === seat ? { ...player, ...part } : player)) });

const placedOn = (parts: Parts, seat: number): Placed[] => placedBy(parts.players[seat]!.patches);

const offRing = (parts: Parts): number[] =>
  ringFrom(parts.ring, parts.token, [...placedOn(parts, 0), ...placedOn(parts, 1)]);

const coveredOn = (parts: Parts, seat: number): Set<number> =>
  new Set(placedOn(parts, seat).flatMap(({ squares }) => squares));

/** Asks the engine whether the parts of a position fit together. */
function judged(engine: Engine, parts: Parts): { text: string | null; trouble: string | null } {
  try {
    return { text: engine.ask("check", { text: textOf(parts) }).game.start, trouble: null };
  } catch (error) {
    return { text: null, trouble: (error as Error).message };
  }
}

function editorOf(text: string): Editor {
  const parts = partsOf(text);
  return { parts, hand: null, seat: parts.mover, out: "", ring: parts.ring.join(" "), text, trouble: null };
}

// ---- what people do

const change = (state: State, part: Partial<Editor>): void => update(state, { editor: { ...state.editor!, ...part } });

/** Edits another position; the one that was edited can be brought back. */
export function edit(state: State, text: string): void {
  const before = state.editor;
  state.editor = editorOf(text);
  if (before && before.text !== state.editor.text) {
    lose(state, t("edits-dropped"), () => {
      state.editor = before;
      state.page.show("editor");
      return true;
    });
  }
  state.page.show("editor");
}

/** Changes the position. */
function set(state: State, part: Partial<Parts>, more: Partial<Editor> = {}): void {
  const parts = { ...state.editor!.parts, ...part };
  change(state, { out: "", ...more, parts, ...judged(state.engine, parts) });
}

const setPlayer = (state: State, seat: number, part: Partial<Player>): void =>
  set(state, changed(state.editor!.parts, seat, part));

function hold(state: State, hand: EditorHand | null): void {
  change(state, { hand, ...(hand ? { seat: hand.seat } : {}), ...judged(state.engine, state.editor!.parts) });
}

/** Holds a patch over a quilt, which gets the keyboard. */
function carry(state: State, hand: EditorHand): void {
  hold(state, hand);
  focusDrawn(`.edited .quilt.seat${hand.seat}`);
}

function isFree(state: State, { patch, orientation, seat, corner }: EditorHand): boolean {
  const covered = coveredOn(state.editor!.parts, seat);
  return squaresAt(patchIn(state, patch), orientation, corner).every((square) => !covered.has(square));
}

/** Picks up a patch that is on no quilt: it lies at the first place with room. */
function pick(state: State, patch: number): void {
  const { hand, seat } = state.editor!;
  if (hand?.patch === patch) return hold(state, null);
  const places = patchIn(state, patch).orientations.flatMap(({ columns, rows }, orientation) =>
    [...Array(SIDE * SIDE).keys()]
      .filter((corner) => pointOf(corner)[0] + columns <= SIDE && pointOf(corner)[1] + rows <= SIDE)
      .map((corner) => ({ patch, orientation, seat, corner })));
  carry(state, places.find((place) => isFree(state, place)) ?? places[0]!);
}

/** Takes a patch off a quilt into the hand. */
function take(state: State, seat: number, action: string): void {
  const { parts } = state.editor!;
  const placing = placingOf(state, action);
  if (!placing) return;
  const patches = parts.players[seat]!.patches.filter((one) => one !== action);
  set(state, changed(parts, seat, { patches }), { hand: { patch: patchOfAction(action), seat, ...placing }, seat });
  focusDrawn(`.edited .quilt.seat${seat}`);
}

/** Puts what is in hand where it lies. What is refused stays in hand, and the engine says why. */
function place(state: State): void {
  const { hand, parts } = state.editor!;
  if (!hand) return;
  const action = actionAt(patchIn(state, hand.patch), hand.orientation, hand.corner);
  const after = changed(parts, hand.seat, { patches: [...parts.players[hand.seat]!.patches, action] });
  if (!isFree(state, hand)) {
    const { trouble } = judged(state.engine, after);
    change(state, { trouble });
    return state.page.say(trouble ?? t("illegal"));
  }
  state.page.say(t("moved-placed", patchName(hand.patch), squaresIn(action).length));
  set(state, after, { hand: null, seat: hand.seat });
}

function turn(state: State, way: "turned" | "flipped"): void {
  const { hand } = state.editor!;
  if (hand) hold(state, reoriented(state, hand, way));
}

function step(state: State, dx: number, dy: number): void {
  const { hand } = state.editor!;
  if (!hand) return;
  const after = moved(state, hand, dx, dy);
  hold(state, after);
  state.page.say(t("at-squares", squareNames(actionAt(patchIn(state, hand.patch), hand.orientation, after.corner))));
}

function swap(state: State): void {
  const { hand } = state.editor!;
  if (hand) carry(state, { ...hand, seat: 1 - hand.seat });
}

const drop = (state: State): void => { if (state.editor!.hand) hold(state, null); };

/** The square under a pointer. */
const under = (event: PointerEvent) =>
  squareAt((event.currentTarget as Element).getBoundingClientRect(), event.clientX, event.clientY);

function over(state: State, event: PointerEvent, seat: number): void {
  const { hand } = state.editor!;
  if (!hand || (event.pointerType === "touch" && event.buttons === 0)) return;
  const patch = patchIn(state, hand.patch);
  const { columns, rows } = patch.orientations[hand.orientation]!;
  const [column, row] = under(event);
  const corner = clampCorner(patch, hand.orientation, Math.round(column - columns / 2), Math.round(row - rows / 2));
  if (corner !== hand.corner || seat !== hand.seat) hold(state, { ...hand, seat, corner });
}

function press(state: State, event: PointerEvent, seat: number): void {
  const { hand, parts } = state.editor!;
  if (event.button !== 0) {
    event.preventDefault();
    return turn(state, event.button === 2 ? "turned" : "flipped");
  }
  // A finger only moves it; it is placed by the button.
  if (hand) return event.pointerType === "touch" ? over(state, event, seat) : place(state);
  const [column, row] = under(event);
  const square = squareOf(Math.floor(column), Math.floor(row));
  const action = parts.players[seat]!.patches.find((one) => squaresIn(one).includes(square));
  if (action !== undefined) take(state, seat, action);
}

function key(state: State, event: KeyboardEvent): boolean {
  const isPressing = (event.key === "Enter" || event.key === " ")
    && (event.target as Element).closest("button, a, summary");
  const calls: Readonly<Record<string, () => void>> = { ArrowLeft: () => step(state, -1, 0),
    ArrowRight: () => step(state, 1, 0), ArrowUp: () => step(state, 0, -1), ArrowDown: () => step(state, 0, 1),
    r: () => turn(state, "turned"), f: () => turn(state, "flipped"), q: () => swap(state), Enter: () => place(state),
    " ": () => place(state), Escape: () => drop(state), Delete: () => drop(state) };
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const call = state.editor!.hand && !isPressing ? calls[name] : undefined;
  call?.();
  return call !== undefined;
}

// ---- what is shown

function quiltOf(state: State, { hand, parts }: Editor, seat: number): Element_ {
  const placed = placedOn(parts, seat);
  const empty = SIDE * SIDE - placed.reduce((sum, { squares }) => sum + squares.length, 0);
  const held = hand?.seat === seat ? [ghostAt(state, hand.patch, hand.orientation, hand.corner,
    isFree(state, hand))] : [];
  const name = t(SEATS[seat]!);
  return h("div", { key: `seat${seat}`, class: "edited" }, h("h2", { class: "name" }, tokenIcon(seat), name),
    h("svg", { class: `quilt seat${seat}${hand ? " holding" : ""}`, viewBox: quiltBox, role: "application", tabindex: 0,
      "aria-label": `${t("quilt-of", name)}: ${t("empty", empty)}`,
      onpointermove: (event: Event) => over(state, event as PointerEvent, seat),
      onpointerdown: (event: Event) => press(state, event as PointerEvent, seat),
      oncontextmenu: (event: Event) => event.preventDefault() },
    ...quilt({ placed, patches: state.patches, ghosts: held })),
    h("ul", { class: "sewn", "aria-label": t("on-quilt", name) }, ...parts.players[seat]!.patches.map((action) => {
      const patch = patchIn(state, patchOfAction(action));
      const what = t("take-off", patchName(patch.id));
      return h("li", { key: action }, button(patchPicture(patch), () => take(state, seat, action),
        { "aria-label": `${what}: ${action.split(":")[1]}`, title: what }, "quiet"));
    })));
}

/** It is checked with every character; what is not a number is shown as the engine's question would have it: 0. */
const numberField = (label: string, value: number, most: number, set: (value: number) => void): Element_ =>
  field(label, h("input", { type: "number", min: 0, max: most, value: String(value), oninput: (event: Event) => {
    if (valueOf(event) !== "") set(Math.max(0, Math.min(most, Math.round(Number(valueOf(event)) || 0))));
  } }));

const MOST_BUTTONS = 999;
const TRACKS = ["original", "revised"] as const;

function fields(state: State, { parts, ring }: Editor): Child[] {
  const seats = SEATS.map((name, seat) => [seat, t(name)] as const);
  const orNobody = [...seats, [2, t("nobody")] as const];
  const player = (seat: number) => (seat === 2 ? null : seat);
  const off = offRing(parts);
  const [next] = off;
  const free = parts.ring.filter((id) => off.includes(id));
  const [printing, ...komi] = parts.track.split("+");
  const begin = (track: string) => positionOf(state.engine, state.engine.ask("new", { track })).specials;
  const all = begin(parts.track);
  const special = (space: number) => {
    const there = parts.specials.includes(space);
    const toggle = () => set(state, { specials: all.filter((one) =>
      (one === space) !== parts.specials.includes(one)) });
    return h("label", { class: there ? "option chosen" : "option" },
      h("input", { type: "checkbox", checked: there, onchange: toggle }), h("span", {}, String(space)));
  };
  const change = (event: Event) => {
    const ring = valueOf(event);
    set(state, { ring: ring.split(/[\s,;]+/).filter(Boolean).map((one) => Number(one) || 0) }, { ring });
  };
  return [
    ...parts.players.map((one, seat) => h("fieldset", { class: "choice" }, h("legend", {}, t(SEATS[seat]!)),
      h("div", { class: "fields" },
        numberField(t("buttons-name"), one.buttons, MOST_BUTTONS, (buttons) => setPlayer(state, seat, { buttons })),
        numberField(t("space-name"), one.space, LAST_SPACE, (space) => setPlayer(state, seat, { space }))))),
    h("div", { class: "fields" }, selectField(t("to-move"), parts.mover, seats, (mover) => set(state, { mover })),
      next !== undefined && selectField(t("after-marker"), next, free.map((id) => [id, t("patch", id)] as const),
        (id) => set(state, { token: parts.ring.indexOf(id) }))),
    h("div", { class: "fields" },
      selectField(t("seven"), parts.bonus ?? 2, orNobody, (bonus) => set(state, { bonus: player(bonus) })),
      selectField(t("arrived"), parts.arrived ?? 2, orNobody, (arrived) => set(state, { arrived: player(arrived) })),
      numberField(t("waiting"), parts.waiting, all.length, (waiting) => set(state, { waiting }))),
    h("fieldset", { class: "choice" }, h("legend", {}, t("specials-left")),
      h("div", { class: "options" }, ...all.map(special))),
    h("details", { class: "more" }, h("summary", {}, t("more-choices")),
      selectField(t("printing"), printing as (typeof TRACKS)[number], TRACKS.map((name) => [name, t(name)] as const),
        (name) => set(state, { track: [name, ...komi].join("+"), specials: begin(name) })),
      field(t("ring-order"), h("textarea", { rows: 3, spellcheck: "false", value: ring, oninput: change })))];
}

/** The patches on no quilt, from the marker on. */
function offQuilts(state: State, { parts, hand }: Editor): Element_ {
  const ids = [...new Set(offRing(parts))].filter((id) => id !== hand?.patch && state.patches.has(id));
  return h("div", { class: "off", role: "group", "aria-label": t("off-quilts") }, ...[SPECIAL, ...ids].map((id) => {
    const patch = patchIn(state, id);
    const what = id === SPECIAL ? t("special") : about(patch);
    return button(patchPicture(patch), () => pick(state, id), { key: String(id), "data-patch": id,
      "aria-pressed": hand?.patch === id ? "true" : "false", "aria-label": what, title: what }, "quiet");
  }));
}

/** Gives the position away as a text. */
function give(state: State, what: "link" | "text" | "pgn", start: string): void {
  const body = { start, actions: [] };
  const out = what === "text" ? start : what === "link" ? linkTo(state, body) : pgnOf(state, treeOf(body),
    namesOf(state));
  change(state, { out: copied(out) });
}

function draw(state: State, editor: Editor): Child[] {
  const { parts, hand, text, trouble, out } = editor;
  const can = (name: Text, call: (start: string) => void, kind?: string) => button(t(name), () => {
    if (state.editor!.text !== null) call(state.editor!.text);
  }, unless(text !== null), kind);
  const inHand = (name: Icon, what: Text, letter: string, call: () => void, more: Attributes = {}) =>
    control(name, t(what), letter, call, { ...unless(hand !== null), ...more });
  const first = () => {
    const { ring } = partsOf(state.position.text);
    edit(state, positionOf(state.engine, state.engine.ask("new", { track: parts.track, ring: [...ring] })).text);
  };
  const spaces = [parts.players[0]!.space, parts.players[1]!.space] as const;
  return [
    h("section", { key: "edited", class: "editor-board", id: "board", tabindex: -1, "aria-label": t("editor") },
      h("div", { class: "edited-quilts" }, quiltOf(state, editor, 0), quiltOf(state, editor, 1)),
      h("div",
        { class: "buttons-row", role: "group",
          "aria-label": hand ? t("in-hand", patchName(hand.patch), t(SEATS[hand.seat]!)) : t("off-quilt") },
        inHand("turn", "turn", "R", () => turn(state, "turned")),
        inHand("flip", "flip", "F", () => turn(state, "flipped")),
        inHand("swap", "other-quilt", "Q", () => swap(state)), inHand("close", "put-back", "Esc", () => drop(state)),
        inHand("check", "place", "Enter", () => place(state), { class: "control main" })),
      h("h2", { class: "axis" }, t("off-quilts")), offQuilts(state, editor),
      h("svg",
        { class: "track", viewBox: trackBox, role: "img",
          "aria-label": t("track", t("first"), spaces[0], t("second"), spaces[1]) },
        ...track({ specials: parts.specials, spaces, top: parts.mover, mover: parts.mover, reaches: [] }))),
    h("aside", { key: "panel", class: "panel", "aria-label": t("editor") }, h("h2", {}, t("editor")),
      h("p", { class: trouble === null ? "accepted" : "trouble", role: "status" }, trouble ?? t("accepted")),
      h("div", { class: "buttons-row" },
        can("play-on", (start) => playFrom(state, start, state.editor!.parts.mover), "control main"),
        can("analyse", (start) => void openGame(state, { start, actions: [] }, null)),
        can("make-link", (start) => give(state, "link", start)), can("make-pgn", (start) => give(state, "pgn", start)),
        can("as-text", (start) => give(state, "text", start))),
      out !== "" && field(t("copied"), h("textarea", { rows: 4, readonly: true, value: out })),
      ...fields(state, editor),
      h("div", { class: "buttons-row" }, button(t("first-position"), first),
        button(t("close"), () => state.page.show("analysis"))))];
}

export const editorController = (state: State): Controller => ({
  draw: () => draw(state, (state.editor ??= editorOf(state.position.text))),
  key: (event) => key(state, event) });
