// Controls that several views have.

import { h, type Attributes, type Child, type Element_ } from "./dom";
import { icon, type Icon } from "./icons";
import { update, type State } from "./state";
import { t } from "./texts";

export const button = (inside: Child | readonly Child[], call: () => void, more: Attributes = {},
  kind = "control"): Element_ => h("button", { type: "button", class: kind, onclick: () => call(), ...more }, inside);

/** A button with a sign; its name is read and shown as a hint. */
export const signButton = (sign: Icon, name: string, call: () => void, more: Attributes = {}): Element_ =>
  button(icon(sign), call, { "aria-label": name, title: name, ...more }, "quiet");

/** What a control has that cannot be used now: it keeps the focus. */
export const unless = (possible: boolean) => ({ "aria-disabled": possible ? undefined : "true" });

/** What a press does, also for a finger right after a quick drag: to browsers, that ends a fling and is no click. */
export const pressed = (call: () => void): Attributes => ({
  onclick: call,
  ontouchend: (event: Event) => {
    // A finger that scrolls presses nothing.
    if (!event.cancelable) return;
    // Otherwise the click follows, on what lies there by then.
    event.preventDefault();
    const { clientX, clientY } = (event as TouchEvent).changedTouches[0]!;
    if ((event.currentTarget as Element).contains(document.elementFromPoint(clientX, clientY))) call();
  },
});

/** A control with a sign, whose words are left out where there is no room. */
export const control = (sign: Icon, text: string, key: string, call: () => void, more: Attributes = {}): Element_ =>
  h("button", { key: text, type: "button", class: "control", title: key ? `${text} (${key})` : text, ...pressed(call),
    ...more }, icon(sign), h("span", { class: "label" }, text));

/** Draws the seats the other way round. */
export const flipControl = (state: State): Element_ =>
  control("swap", t("other-side"), "X", () => update(state, { turned: !state.turned }));

export const valueOf = (event: Event): string => (event.target as HTMLInputElement).value;

/** A row of a table, with its name first. */
export const tableRow = (name: Child, values: readonly Child[], more: Attributes = {}): Element_ =>
  h("tr", more, h("th", { scope: "row" }, name), ...values.map((value) => h("td", {}, value)));

export const tableHead = (names: readonly string[], corner = false): Element_ =>
  h("thead", {}, h("tr", {}, corner && h("td"), ...names.map((name) => h("th", { scope: "col" }, name))));

/** What a person sets, with its name. */
export const field = (label: string, setting: Element_): Element_ =>
  h("label", { class: "field" }, h("span", {}, label), setting);

/** A choice of one of some values, each with its name. */
export const selectField = <V extends string | number>(label: string, value: V,
  options: readonly (readonly [V, string])[], set: (value: V) => void): Element_ =>
  field(label, h("select", { value: String(value),
    onchange: (event: Event) => set(options[(event.target as HTMLSelectElement).selectedIndex]![0]) },
    ...options.map(([option, name]) => h("option", { value: String(option) }, name))));

/** A choice of a file with games. */
export function fileField(read: (file: File) => void): Element_ {
  const chosen = (event: Event) => {
    const field = event.target as HTMLInputElement;
    if (field.files?.[0]) read(field.files[0]);
    field.value = "";
  };
  return h("label", { class: "file" }, t("open-file"),
    h("input", { type: "file", accept: ".pgn,.txt,text/plain", onchange: chosen }));
}
