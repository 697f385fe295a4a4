// Dialogs: a new game, settings, help.

import { h, type Child, type Element_ } from "./dom";
import { icon } from "./icons";
import type { State } from "./state";
import { currentLanguage, LANGUAGES, named, t, type Language, type Text } from "./texts";
import type { Settings } from "./storage";

/** What a new game is made from. Everything is text, as the fields hold it. */
export interface Wish {
  opponent: string;
  /** The levels that play each other, if nobody else does. */
  first: string;
  second: string;
  side: "first" | "second" | "random";
  time: number;
  track: "original" | "revised";
  ring: "random" | "seed" | "list";
  seed: string;
  number: string;
  order: string;
  /** What is wrong with it, once it was tried. */
  trouble: string | null;
}

export const PEOPLE = "people";
export const LEVELS = "levels";

export const firstWish: Wish = { opponent: "casual", first: "club", second: "expert", side: "first", time: 0, track: "original", ring: "random", seed: "1", number: "0", order: "", trouble: null };

export function dialog(title: string, close: () => void, ...children: Child[]): Element_ {
  return h(
    "dialog",
    {
      key: title,
      class: "dialog",
      "aria-label": title,
      created: (element) => {
        // The element is shown once it is in the document.
        queueMicrotask(() => element.isConnected && (element as HTMLDialogElement).showModal());
      },
      onclose: close,
      onclick: (event: Event) => {
        if (event.target === event.currentTarget) (event.currentTarget as HTMLDialogElement).close();
      },
    },
    h("div", { class: "dialog-box" },
      h("header", {}, h("h2", {}, title), h("button", { type: "button", class: "quiet", "aria-label": t("close"), onclick: (event: Event) => (event.currentTarget as Element).closest("dialog")!.close() }, icon("close"))),
      ...children),
  );
}

/** A group of radio buttons, drawn as a row of choices. */
export function choice<V extends string | number>(name: string, legend: string, value: V, options: readonly (readonly [V, Child | readonly Child[]])[], change: (value: V) => void, kind = ""): Element_ {
  return h("fieldset", { class: `choice ${kind}` }, h("legend", {}, legend),
    h("div", { class: "options" }, ...options.map(([option, label]) =>
      h("label", { class: option === value ? "option chosen" : "option" },
        h("input", { type: "radio", name, value: String(option), checked: option === value, onchange: () => change(option) }),
        h("span", {}, ...(Array.isArray(label) ? label : [label]))))));
}

const field = (label: string, value: string, change: (value: string) => void, more: Record<string, unknown> = {}): Element_ =>
  h("label", { class: "field" }, h("span", {}, label), h("input", { type: "text", value, oninput: (event: Event) => change((event.target as HTMLInputElement).value), ...more }));

export function newGameDialog(state: State, wish: Wish, change: (part: Partial<Wish>) => void, start: () => void, close: () => void): Element_ {
  const levels = state.levels.map((level) => [level.name, [
    h("b", {}, named("level", level.name)),
    h("small", {}, level.margin > 0 ? t("rating", Math.round(level.rating), Math.round(level.margin)) : ""),
  ]] as const);
  const person = wish.opponent !== PEOPLE && wish.opponent !== LEVELS;
  return dialog(t("new-game"), close,
    h("form", { class: "new-game", method: "dialog", novalidate: true, onsubmit: (event: Event) => { event.preventDefault(); start(); } },
      choice("opponent", t("opponent"), wish.opponent, [...levels, [PEOPLE, [h("b", {}, t("two-people"))]], [LEVELS, [h("b", {}, t("two-levels"))]]], (opponent) => change({ opponent }), "levels"),
      wish.opponent === LEVELS && choice("first-level", t("first"), wish.first, state.levels.map(({ name }) => [name, named("level", name)] as const), (first) => change({ first })),
      wish.opponent === LEVELS && choice("second-level", t("second"), wish.second, state.levels.map(({ name }) => [name, named("level", name)] as const), (second) => change({ second })),
      person && choice("side", t("side"), wish.side, [["first", t("side-first")], ["second", t("side-second")], ["random", t("side-random")]], (side) => change({ side })),
      wish.opponent !== PEOPLE && choice("time", t("time"), wish.time, [[0, t("time-level")], [1000, t("seconds", 1)], [3000, t("seconds", 3)], [10000, t("seconds", 10)]], (time) => change({ time })),
      h("details", { class: "more" }, h("summary", {}, t("more-choices")),
        choice("track", t("printing"), wish.track, [["original", t("original")], ["revised", t("revised")]], (track) => change({ track })),
        choice("ring", t("ring-choice"), wish.ring, [["random", t("ring-random")], ["seed", t("ring-seed")], ["list", t("ring-list")]], (ring) => change({ ring })),
        wish.ring === "seed" && h("div", { class: "fields" },
          field(t("seed"), wish.seed, (seed) => change({ seed }), { inputmode: "numeric" }),
          field(t("number"), wish.number, (number) => change({ number }), { inputmode: "numeric" })),
        wish.ring === "list" && field(t("ring-order"), wish.order, (order) => change({ order }), { spellcheck: "false" })),
      wish.trouble !== null && h("p", { class: "trouble", role: "alert" }, wish.trouble),
      state.ratingSource !== "" && h("p", { class: "note" }, t("rating-source", state.ratingSource)),
      h("footer", {}, h("button", { type: "submit", class: "control main" }, t("start")))),
  );
}

export function settingsDialog(settings: Settings, change: (part: Partial<Settings>) => void, close: () => void): Element_ {
  return dialog(t("settings"), close,
    choice<Language>("language", t("language"), currentLanguage(), Object.entries(LANGUAGES) as [Language, string][], (language) => change({ language })),
    choice("theme", t("theme"), settings.theme, [["auto", t("theme-auto")], ["light", t("theme-light")], ["dark", t("theme-dark")]], (theme) => change({ theme })),
  );
}

const KEYS: readonly (readonly [string, Text])[] = [
  ["1 2 3", "key-choose"],
  ["← → ↑ ↓", "key-move"],
  ["R  F", "key-turn"],
  ["Enter", "key-place"],
  ["Esc", "key-back"],
  ["A", "key-advance"],
  ["U", "key-undo"],
  ["H", "key-hint"],
  ["N", "key-new"],
  ["?", "key-help"],
];

export function helpDialog(close: () => void): Element_ {
  return dialog(t("help"), close,
    h("p", {}, t("help-mouse")), h("p", {}, t("help-touch")),
    h("table", { class: "keys" }, h("tbody", {}, ...KEYS.map(([keys, what]) => h("tr", {}, h("th", { scope: "row" }, ...keys.split(" ").filter(Boolean).map((key) => h("kbd", {}, key))), h("td", {}, t(what)))))),
  );
}
