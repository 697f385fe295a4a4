// The position editor: quilts, tokens and the rest of a position are set, and the engine says whether they fit together.

import type { PositionPartsView } from "./api";
import { SPECIAL } from "./cloth";
import { h, type Child, type Element_ } from "./dom";
import type { Engine } from "./engine";
import { CELL, ORIENTATIONS, pointOf, SIDE, squareOf } from "./geometry";
import { icon, tokenIcon } from "./icons";
import { BORDER, patchPicture, QUILT, quilt, quiltBox, type Ghost, type Placed } from "./quilt";
import { actionAt, clampCorner, patchIn, squaresAt, squaresIn, type State } from "./state";
import { t, type Text } from "./texts";
import { track, trackBox } from "./track";

/** A patch in the editor's hand, on a quilt. */
export interface EditorHand {
  readonly patch: number;
  readonly orientation: number;
  readonly seat: number;
  readonly corner: number;
}

export interface Editor {
  readonly parts: PositionPartsView;
  readonly hand: EditorHand | null;
  /** The quilt that a patch goes to when it is picked up. */
  readonly seat: number;
  /** The position as a text; null if the parts do not fit together. */
  readonly text: string | null;
  /** Why they do not, or why a patch was not placed: a sentence of the engine. */
  readonly trouble: string | null;
  /** A link or a text that was asked for. */
  readonly out: string;
}

export interface EditorActs {
  change(editor: Editor): void;
  say(text: string): void;
  /** Gives a quilt the keyboard, once it is drawn. */
  focus(seat: number): void;
  play(start: string): void;
  analyse(start: string): void;
  copy(what: "link" | "text" | "pgn", start: string): void;
  leave(): void;
}

type Parts = PositionPartsView;

const without = (parts: Parts, seat: number, action: string): Parts => changed(parts, seat, { patches: parts.players[seat]!.patches.filter((one) => one !== action) });

function changed(parts: Parts, seat: number, part: Partial<Parts["players"][0]>): Parts {
  const players = parts.players.map((player, i) => (i === seat ? { ...player, ...part } : player)) as Parts["players"];
  return { ...parts, players };
}

const idOf = (action: string): number => (action.startsWith("S") ? SPECIAL : Number(action.split(":")[0]));

const placedOn = (parts: Parts, seat: number): Placed[] => parts.players[seat]!.patches.map((action) => ({ patch: idOf(action), squares: squaresIn(action) }));

/** Asks the engine whether the parts of a position fit together. */
function judged(engine: Engine, parts: Parts): { text: string | null; trouble: string | null } {
  try {
    return { text: engine.ask("edit", { parts }).start, trouble: null };
  } catch (error) {
    return { text: null, trouble: (error as Error).message };
  }
}

export const editorOf = (engine: Engine, parts: Parts): Editor => ({ parts, hand: null, seat: parts.mover, out: "", ...judged(engine, parts) });

/** What people do in the editor. */
export class Editing {
  constructor(private readonly state: State, private readonly acts: EditorActs) {}

  /** What is edited now, which may be newer than what was drawn. */
  private get editor(): Editor {
    return this.state.editor!;
  }

  get text(): string | null {
    return this.editor.text;
  }

  get parts(): Parts {
    return this.editor.parts;
  }

  /** Changes what belongs to no player. */
  part(part: Partial<Parts>): void {
    this.set({ ...this.parts, ...part });
  }

  player(seat: number, part: Partial<Parts["players"][0]>): void {
    this.set(changed(this.parts, seat, part));
  }

  /** Changes the position. */
  set(parts: Parts, more: Partial<Editor> = {}): void {
    this.acts.change({ ...this.editor, out: "", ...more, parts, ...judged(this.state.engine, parts) });
  }

  private hold(hand: EditorHand | null): void {
    this.acts.change({ ...this.editor, hand, ...(hand ? { seat: hand.seat } : {}), ...judged(this.state.engine, this.editor.parts) });
  }

  private carry(hand: EditorHand): void {
    this.hold(hand);
    this.acts.focus(hand.seat);
  }

  private covered(seat: number): Set<number> {
    return new Set(placedOn(this.editor.parts, seat).flatMap(({ squares }) => squares));
  }

  free({ patch, orientation, seat, corner }: EditorHand): boolean {
    const covered = this.covered(seat);
    return squaresAt(patchIn(this.state, patch), orientation, corner).every((square) => !covered.has(square));
  }

  /** Picks up a patch that is on no quilt: it lies at the first place with room. */
  pick(patch: number, seat = this.editor.seat): void {
    const { hand } = this.editor;
    if (hand?.patch === patch && hand.seat === seat) return this.hold(null);
    const covered = this.covered(seat);
    const patches = patchIn(this.state, patch);
    for (let orientation = 0; orientation < patches.orientations.length; orientation++) {
      const { columns, rows } = patches.orientations[orientation]!;
      for (let row = 0; row + rows <= SIDE; row++) {
        for (let column = 0; column + columns <= SIDE; column++) {
          const corner = squareOf(column, row);
          if (squaresAt(patches, orientation, corner).every((square) => !covered.has(square))) return this.carry({ patch, orientation, seat, corner });
        }
      }
    }
    this.carry({ patch, orientation: 0, seat, corner: 0 });
  }

  /** Takes a patch off a quilt into the hand. */
  take(seat: number, action: string): void {
    const patch = patchIn(this.state, idOf(action));
    const squares = squaresIn(action).join();
    for (let orientation = 0; orientation < patch.orientations.length; orientation++) {
      for (let corner = 0; corner < SIDE * SIDE; corner++) {
        const { columns, rows } = patch.orientations[orientation]!;
        const [column, row] = pointOf(corner);
        if (column + columns > SIDE || row + rows > SIDE || squaresAt(patch, orientation, corner).sort((a, b) => a - b).join() !== squares) continue;
        this.set(without(this.editor.parts, seat, action), { hand: { patch: patch.id, orientation, seat, corner }, seat });
        return this.acts.focus(seat);
      }
    }
  }

  /** Puts what is in hand where it lies. What is refused stays in hand, and the engine says why. */
  place(): void {
    const { hand, parts } = this.editor;
    if (!hand) return;
    const action = actionAt(patchIn(this.state, hand.patch), hand.orientation, hand.corner);
    const after = changed(parts, hand.seat, { patches: [...parts.players[hand.seat]!.patches, action] });
    if (!this.free(hand)) {
      const { trouble } = judged(this.state.engine, after);
      this.acts.change({ ...this.editor, trouble });
      return this.acts.say(trouble ?? t("illegal"));
    }
    this.acts.say(t("moved-placed", nameOfPatch(hand.patch), squaresIn(action).length));
    this.set(after, { hand: null, seat: hand.seat });
  }

  turn(way: "turned" | "flipped"): void {
    const { hand } = this.editor;
    if (!hand) return;
    const patch = patchIn(this.state, hand.patch);
    const orientation = patch.orientations[hand.orientation]![way];
    const [column, row] = pointOf(hand.corner);
    this.hold({ ...hand, orientation, corner: clampCorner(patch, orientation, column, row) });
  }

  step(dx: number, dy: number): void {
    const { hand } = this.editor;
    if (!hand) return;
    const [column, row] = pointOf(hand.corner);
    const corner = clampCorner(patchIn(this.state, hand.patch), hand.orientation, column + dx, row + dy);
    this.hold({ ...hand, corner });
    this.acts.say(t("at-squares", actionAt(patchIn(this.state, hand.patch), hand.orientation, corner).split(":")[1]!.match(/../g)!.join(" ")));
  }

  swap(): void {
    const { hand } = this.editor;
    if (hand) this.carry({ ...hand, seat: 1 - hand.seat });
  }

  drop(): void {
    if (this.editor.hand) this.hold(null);
  }

  /** The square under a pointer. */
  private under(event: PointerEvent): readonly [column: number, row: number] {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const scale = QUILT / box.width;
    return [((event.clientX - box.left) * scale - BORDER) / CELL, ((event.clientY - box.top) * scale - BORDER) / CELL];
  }

  over(event: PointerEvent, seat: number): void {
    const { hand } = this.editor;
    if (!hand) return;
    const patch = patchIn(this.state, hand.patch);
    const { columns, rows } = patch.orientations[hand.orientation]!;
    const [column, row] = this.under(event);
    const corner = clampCorner(patch, hand.orientation, Math.round(column - columns / 2), Math.round(row - rows / 2));
    if (corner !== hand.corner || seat !== hand.seat) this.hold({ ...hand, seat, corner });
  }

  press(event: PointerEvent, seat: number): void {
    const { hand, parts } = this.editor;
    if (event.button !== 0) {
      event.preventDefault();
      return this.turn(event.button === 2 ? "turned" : "flipped");
    }
    if (hand) {
      // A finger only moves it; it is placed by the button.
      if (event.pointerType === "touch") this.over(event, seat);
      else this.place();
      return;
    }
    const [column, row] = this.under(event);
    const square = squareOf(Math.floor(column), Math.floor(row));
    const action = parts.players[seat]!.patches.find((one) => squaresIn(one).includes(square));
    if (action !== undefined) this.take(seat, action);
  }

  /** Whether the key was one of the editor's. */
  key(key: string): boolean {
    const calls: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.step(-1, 0), ArrowRight: () => this.step(1, 0), ArrowUp: () => this.step(0, -1), ArrowDown: () => this.step(0, 1),
      r: () => this.turn("turned"), f: () => this.turn("flipped"), q: () => this.swap(), Enter: () => this.place(), " ": () => this.place(), Escape: () => this.drop(), Delete: () => this.drop(),
    };
    const call = this.editor.hand ? calls[key.length === 1 ? key.toLowerCase() : key] : undefined;
    call?.();
    return call !== undefined;
  }
}

const nameOfPatch = (patch: number) => (patch === SPECIAL ? t("special") : t("patch", patch));

const PLAYERS: readonly Text[] = ["first", "second"];

function quiltOf(state: State, editor: Editor, editing: Editing, seat: number): Element_ {
  const { hand, parts } = editor;
  const placed = placedOn(parts, seat);
  const covered = placed.reduce((sum, { squares }) => sum + squares.length, 0);
  const ghosts: Ghost[] = [];
  if (hand?.seat === seat) {
    const patch = patchIn(state, hand.patch);
    const [column, row] = pointOf(hand.corner);
    ghosts.push({ look: patch.look, orientation: patch.orientations[hand.orientation]!.drawn, column, row, legal: editing.free(hand) });
  }
  const name = t(PLAYERS[seat]!);
  return h("div", { key: `seat${seat}`, class: "edited" },
    h("h2", { class: "name" }, tokenIcon(seat), name),
    h("svg", {
      class: `quilt seat${seat}${hand ? " holding" : ""}`, viewBox: quiltBox, role: "application", tabindex: 0,
      "aria-label": `${t("quilt-of", name)}: ${t("empty", SIDE * SIDE - covered)}`,
      onpointermove: (event: Event) => { if ((event as PointerEvent).pointerType !== "touch" || (event as PointerEvent).buttons > 0) editing.over(event as PointerEvent, seat); },
      onpointerdown: (event: Event) => editing.press(event as PointerEvent, seat),
      onwheel: hand ? (event: Event) => { event.preventDefault(); editing.turn("turned"); } : undefined,
      oncontextmenu: (event: Event) => event.preventDefault(),
    }, ...quilt({ placed, looks: state.looks, ghosts, seat })),
    h("ul", { class: "sewn", "aria-label": t("on-quilt", name) }, ...parts.players[seat]!.patches.map((action) => {
      const patch = patchIn(state, idOf(action));
      const what = t("take-off", nameOfPatch(patch.id));
      return h("li", { key: action }, h("button", { type: "button", class: "quiet", "aria-label": `${what}: ${action.split(":")[1]}`, title: what, onclick: () => editing.take(seat, action) }, patchPicture(patch.look, ORIENTATIONS[0]!)));
    })));
}

const numberField = (label: string, value: number, most: number, change: (value: number) => void): Element_ =>
  h("label", { class: "field" }, h("span", {}, label), h("input", {
    type: "number", min: 0, max: most, value: String(value),
    onchange: (event: Event) => change(Math.max(0, Math.min(most, Math.round(Number((event.target as HTMLInputElement).value) || 0)))),
  }));

function selectField<V extends string | number>(label: string, value: V, options: readonly (readonly [V, string])[], change: (value: V) => void): Element_ {
  return h("label", { class: "field" }, h("span", {}, label), h("select", {
    value: String(value),
    onchange: (event: Event) => {
      const found = options.find(([option]) => String(option) === (event.target as HTMLSelectElement).value);
      if (found) change(found[0]);
    },
  }, ...options.map(([option, name]) => h("option", { value: String(option) }, name))));
}

const MOST_BUTTONS = 999;
const LAST = 53;
const NOBODY = -1;

function fields(state: State, { parts }: Editor, editing: Editing): Child[] {
  const seats: (readonly [number, string])[] = PLAYERS.map((name, seat) => [seat, t(name)] as const);
  const orNobody: (readonly [number, string])[] = [[NOBODY, t("nobody")], ...seats];
  const player = (value: number) => (value === NOBODY ? null : value);
  const free = parts.ring.filter((id) => !parts.players.some(({ patches }) => patches.some((action) => idOf(action) === id)));
  const next = [...parts.ring.slice(parts.token), ...parts.ring.slice(0, parts.token)].find((id) => free.includes(id));
  const begin = (name: "original" | "revised") => state.engine.ask("position", { game: state.engine.ask("new", { track: name, ring: parts.ring }) }).parts;
  const all = begin(parts.track as "original").specials;
  return [
    ...parts.players.map((one, seat) => h("fieldset", { class: "choice" }, h("legend", {}, t(PLAYERS[seat]!)), h("div", { class: "fields" },
      numberField(t("buttons-name"), one.buttons, MOST_BUTTONS, (buttons) => editing.player(seat, { buttons })),
      numberField(t("space-name"), one.space, LAST, (space) => editing.player(seat, { space }))))),
    h("div", { class: "fields" },
      selectField(t("to-move"), parts.mover, seats, (mover) => editing.part({ mover })),
      next !== undefined && selectField(t("after-marker"), next, free.map((id) => [id, t("patch", id)] as const), (id) => editing.part({ token: editing.parts.ring.indexOf(id) }))),
    h("div", { class: "fields" },
      selectField(t("seven"), parts.bonus ?? NOBODY, orNobody, (bonus) => editing.part({ bonus: player(bonus) })),
      selectField(t("arrived"), parts.arrived ?? NOBODY, orNobody, (arrived) => editing.part({ arrived: player(arrived) })),
      numberField(t("waiting"), parts.waiting, all.length, (waiting) => editing.part({ waiting }))),
    h("fieldset", { class: "choice" }, h("legend", {}, t("specials-left")), h("div", { class: "options" }, ...all.map((space) => {
      const there = parts.specials.includes(space);
      return h("label", { class: there ? "option chosen" : "option" },
        h("input", { type: "checkbox", checked: there, onchange: () => editing.part({ specials: all.filter((one) => (one === space ? !there : editing.parts.specials.includes(one))) }) }),
        h("span", {}, String(space)));
    }))),
    h("details", { class: "more" }, h("summary", {}, t("more-choices")),
      selectField(t("printing"), parts.track, [["original", t("original")], ["revised", t("revised")]] as const, (name) => editing.part({ track: name, specials: begin(name).specials })),
      h("label", { class: "field" }, h("span", {}, t("ring-order")), h("textarea", {
        rows: 3, spellcheck: "false", value: parts.ring.join(" "),
        onchange: (event: Event) => editing.part({ ring: (event.target as HTMLTextAreaElement).value.split(/[\s,;]+/).filter(Boolean).map(Number) }),
      }))),
  ];
}

/** The patches on no quilt, from the marker on. */
function offQuilts(state: State, { parts, hand }: Editor, editing: Editing): Element_ {
  const used = new Set(parts.players.flatMap(({ patches }) => patches.map(idOf)));
  const ring = [...parts.ring.slice(parts.token), ...parts.ring.slice(0, parts.token)].filter((id) => !used.has(id) && id !== hand?.patch);
  const ids = [...new Set(ring)].filter((id) => state.patches.has(id));
  return h("div", { class: "off", role: "group", "aria-label": t("off-quilts") }, ...[SPECIAL, ...ids].map((id) => {
    const patch = patchIn(state, id);
    const what = id === SPECIAL ? t("special") : t("ring-patch", id, t("buttons", patch.buttons), t("spaces", patch.time), patch.income);
    return h("button", { key: String(id), type: "button", class: "quiet", "data-patch": id, "aria-pressed": hand?.patch === id ? "true" : "false", "aria-label": what, title: what, onclick: () => editing.pick(id) }, patchPicture(patch.look, ORIENTATIONS[0]!));
  }));
}

export function editorView(state: State, editor: Editor, acts: EditorActs): Child[] {
  const editing = new Editing(state, acts);
  const { parts, hand, text, trouble, out } = editor;
  const can = (call: (start: string) => void) => ({ "aria-disabled": text === null ? "true" : undefined, onclick: () => { if (editing.text !== null) call(editing.text); } });
  const control = (name: Text, more: Record<string, unknown>, main = false) => h("button", { type: "button", class: main ? "control main" : "control", ...more }, t(name));
  const inHand = (name: "turn" | "flip" | "swap" | "close" | "check", what: Text, key: string, call: () => void, main = false) =>
    h("button", { type: "button", class: main ? "control main" : "control", title: `${t(what)} (${key})`, "aria-disabled": hand ? undefined : "true", onclick: call }, icon(name), h("span", { class: "label" }, t(what)));
  return [
    h("section", { key: "edited", class: "editor-board", id: "board", tabindex: -1, "aria-label": t("editor") },
      h("div", { class: "edited-quilts" }, quiltOf(state, editor, editing, 0), quiltOf(state, editor, editing, 1)),
      h("div", { class: "buttons-row", role: "group", "aria-label": hand ? t("in-hand", nameOfPatch(hand.patch), t(PLAYERS[hand.seat]!)) : t("off-quilt") },
        inHand("turn", "turn", "R", () => editing.turn("turned")), inHand("flip", "flip", "F", () => editing.turn("flipped")), inHand("swap", "other-quilt", "Q", () => editing.swap()),
        inHand("close", "put-back", "Esc", () => editing.drop()), inHand("check", "place", "Enter", () => editing.place(), true)),
      h("h2", { class: "axis" }, t("off-quilts")),
      offQuilts(state, editor, editing),
      h("svg", { class: "track", viewBox: trackBox, role: "img", "aria-label": t("track", t("first"), parts.players[0].space, t("second"), parts.players[1].space) }, ...track({
        income: state.position.spaces.flatMap(({ income }, i) => (income ? [i] : [])), specials: parts.specials,
        spaces: [parts.players[0].space, parts.players[1].space], top: parts.mover, mover: parts.mover, reaches: [],
      }))),
    h("aside", { key: "panel", class: "panel", "aria-label": t("editor") },
      h("h2", {}, t("editor")),
      h("p", { class: trouble === null ? "accepted" : "trouble", role: "status" }, trouble ?? t("accepted")),
      h("div", { class: "buttons-row" }, control("play-on", can(acts.play), true), control("analyse", can(acts.analyse)), control("make-link", can((start) => acts.copy("link", start))),
        control("make-pgn", can((start) => acts.copy("pgn", start))), control("as-text", can((start) => acts.copy("text", start)))),
      out !== "" && h("label", { class: "field" }, h("span", {}, t("copied")), h("textarea", { rows: 4, readonly: true, value: out })),
      ...fields(state, editor, editing),
      h("div", { class: "buttons-row" },
        control("first-position", { onclick: () => editing.set(state.engine.ask("position", { game: state.engine.ask("new", { track: parts.track, ring: parts.ring }) }).parts, { hand: null }) }),
        control("close", { onclick: () => acts.leave() }))),
  ];
}
