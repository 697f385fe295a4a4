// Dialogs: a new game, settings, help.

import { field, signButton, tableRow, valueOf } from "./controls";
import { h, type Attributes, type Child, type Element_ } from "./dom";
import { writeSettings } from "./games";
import { startGame } from "./play";
import { LEVELS, PEOPLE, update, type Settings, type State, type Wish } from "./state";
import { currentLanguage, LANGUAGES, named, t, type Language, type Text } from "./texts";

function dialog(title: string, close: () => void, ...children: Child[]): Element_ {
  const shut = (event: Event) => (event.currentTarget as Element).closest("dialog")!.close();
  return h("dialog", {
    key: title, class: "dialog", "aria-label": title,
    // The element is shown once it is in the document.
    created: (element) => queueMicrotask(() => element.isConnected && (element as HTMLDialogElement).showModal()),
    onclose: close, onclick: (event: Event) => { if (event.target === event.currentTarget) shut(event); },
  }, h("div", { class: "dialog-box" },
    h("header", {}, h("h2", {}, title), signButton("close", t("close"), () => {}, { onclick: shut })),
    ...children));
}

/** A group of radio buttons, drawn as a row of choices. */
function choice<V extends string | number>(name: string, legend: string, value: V,
  options: readonly (readonly [V, Child | readonly Child[]])[], change: (value: V) => void, kind = ""): Element_ {
  return h("fieldset", { class: `choice ${kind}` }, h("legend", {}, legend),
    h("div", { class: "options" }, ...options.map(([option, label]) =>
      h("label", { class: option === value ? "option chosen" : "option" },
        h("input", { type: "radio", name, value: String(option), checked: option === value, onchange: () =>
          change(option) }),
        h("span", {}, ...(Array.isArray(label) ? label : [label]))))));
}

const textField = (label: string, value: string, change: (value: string) => void, more: Attributes = {}): Element_ =>
  field(label, h("input", { type: "text", value, oninput: (event: Event) => change(valueOf(event)), ...more }));

function newGame(state: State, close: () => void): Element_ {
  const { wish, levels, ratingSource } = state;
  const change = (part: Partial<Wish>) => update(state, { wish: { ...state.wish, ...part } });
  const names = levels.map(({ name }) => [name, named("level", name)] as const);
  const rated = levels.map(({ name, rating, margin }) => [name, [h("b", {}, named("level", name)),
    h("small", {}, margin > 0 ? t("rating", Math.round(rating), Math.round(margin)) : "")]] as const);
  const others = [[PEOPLE, [h("b", {}, t("two-people"))]], [LEVELS, [h("b", {}, t("two-levels"))]]] as const;
  const isLevels = wish.opponent === LEVELS;
  const isPeople = wish.opponent === PEOPLE;
  const submit = (event: Event) => {
    event.preventDefault();
    void startGame(state);
  };
  return dialog(t("new-game"), close,
    h("form", { class: "new-game", method: "dialog", novalidate: true, onsubmit: submit },
      choice("opponent", t("opponent"), wish.opponent, [...rated, ...others], (opponent) => change({ opponent }),
        "levels"),
      isLevels && choice("first-level", t("first"), wish.first, names, (first) => change({ first })),
      isLevels && choice("second-level", t("second"), wish.second, names, (second) => change({ second })),
      !isLevels && !isPeople && choice("side", t("side"), wish.side,
        [["first", t("side-first")], ["second", t("side-second")], ["random", t("side-random")]],
          (side) => change({ side })),
      !isPeople && choice("time", t("time"), wish.time,
        [[0, t("time-level")], [1000, t("seconds", 1)], [3000, t("seconds", 3)], [10000, t("seconds", 10)]],
          (time) => change({ time })),
      h("details", { class: "more" }, h("summary", {}, t("more-choices")),
        choice("track", t("printing"), wish.track, [["original", t("original")], ["revised", t("revised")]],
          (track) => change({ track })),
        choice("ring", t("ring-choice"), wish.ring,
          [["random", t("ring-random")], ["seed", t("ring-seed")], ["list", t("ring-list")]],
            (ring) => change({ ring })),
        wish.ring === "seed" && h("div", { class: "fields" },
          textField(t("seed"), wish.seed, (seed) => change({ seed }), { inputmode: "numeric" }),
          textField(t("number"), wish.number, (number) => change({ number }), { inputmode: "numeric" })),
        wish.ring === "list" && textField(t("ring-order"), wish.order, (order) => change({ order }),
          { spellcheck: "false" })),
      wish.trouble !== null && h("p", { class: "trouble", role: "alert" }, wish.trouble),
      ratingSource !== "" && h("p", { class: "note" }, t("rating-source", ratingSource)),
      h("footer", {}, h("button", { type: "submit", class: "control main" }, t("start")))));
}

function settings(state: State, apply: (settings: Settings) => void, close: () => void): Element_ {
  const change = (part: Partial<Settings>) => {
    state.settings = { ...state.settings, ...part };
    if (!writeSettings(state.settings)) state.trouble = t("storage-full");
    apply(state.settings);
    state.page.redraw();
  };
  const languages = Object.entries(LANGUAGES) as [Language, string][];
  const themes = (["auto", "light", "dark"] as const).map((theme) => [theme, t(`theme-${theme}`)] as const);
  return dialog(t("settings"), close,
    choice<Language>("language", t("language"), currentLanguage(), languages, (language) => change({ language })),
    choice("theme", t("theme"), state.settings.theme, themes, (theme) => change({ theme })));
}

const KEYS: readonly (readonly [string, Text])[] = [
  ["1 2 3", "key-choose"], ["← → ↑ ↓", "key-move"], ["R  F", "key-turn"], ["Enter", "key-place"], ["Esc", "key-back"],
  ["A", "key-advance"], ["U  Y", "key-undo"], ["← → Home End", "key-step"], ["H", "key-hint"], ["X", "other-side"],
  ["P", "pause"], ["N", "key-new"], ["?", "key-help"],
];

function help(close: () => void): Element_ {
  const caps = (keys: string) => h("span", {}, ...keys.split(" ").filter(Boolean).map((key) => h("kbd", {}, key)));
  return dialog(t("help"), close, h("p", {}, t("help-mouse")), h("p", {}, t("help-touch")), h("p", {}, t("points-why")),
    h("table", { class: "keys" }, h("tbody", {}, ...KEYS.map(([keys, what]) => tableRow(caps(keys), [t(what)])))));
}

/** The dialog that is open, or what went wrong. */
export function dialogOf(state: State, apply: (settings: Settings) => void): Child {
  const close = () => update(state, { dialog: null });
  if (state.dialog === "new") return newGame(state, close);
  if (state.dialog === "settings") return settings(state, apply, close);
  if (state.dialog === "help") return help(close);
  if (state.trouble === null) return null;
  return dialog(t("trouble"), () => update(state, { trouble: null }), h("p", { role: "alert" }, state.trouble));
}
