// A game against a level, or between two people: the view of the table, and the flow of moves.

import { h, type Child, type Element_ } from "./dom";
import { icon } from "./icons";
import type { Layout } from "./layout";
import { nearSeat, type State } from "./state";
import { table, type TableActs } from "./table";
import { named, shown, t } from "./texts";
import { lineThrough } from "./tree";

export interface PlayActs extends TableActs {
  undo(): void;
  hint(): void;
  newGame(): void;
  rematch(): void;
  analyse(): void;
}

export function nameOf(state: State, seat: number): string {
  if (state.names) return state.names[seat]!;
  const who = state.seats[seat]!;
  if (who.kind === "level") return named("level", who.level);
  return state.seats.every(({ kind }) => kind === "person") ? t("person-number", seat + 1) : t("you");
}

export const namesOf = (state: State): [string, string] => [nameOf(state, 0), nameOf(state, 1)];

/** What is to be done now, in a few words. */
export function statusLine(state: State): string {
  const { position } = state;
  const { mover, outcome } = position;
  if (outcome) return outcomeText(state);
  if (mover === null) return "";
  if (state.seats[mover]!.kind === "person") {
    if (position.specials_waiting > 0) return t("place-special");
    return nameOf(state, mover) === t("you") ? t("your-move") : t("moves-now", nameOf(state, mover));
  }
  return state.thinking ? t("thinks", nameOf(state, mover)) : t("moves-now", nameOf(state, mover));
}

export function outcomeText(state: State): string {
  const { outcome } = state.position;
  if (!outcome) return "";
  const [won, lost] = [outcome.scores[outcome.winner]!, outcome.scores[1 - outcome.winner]!];
  const name = nameOf(state, outcome.winner);
  return name === t("you") ? t("you-win", won, lost) : t("you-lose", won, lost, name);
}

function resultCard(state: State, acts: PlayActs): Child {
  const { outcome, players } = state.position;
  if (!outcome) return null;
  return h(
    "div",
    { key: "result", class: "result", role: "group", "aria-label": outcomeText(state) },
    h("h2", {}, outcomeText(state)),
    h("table", {},
      h("thead", {}, h("tr", {}, h("td"), ...[0, 1].map((seat) => h("th", { scope: "col" }, nameOf(state, seat))))),
      h("tbody", {},
        h("tr", {}, h("th", { scope: "row" }, t("buttons-name")), ...players.map(({ buttons }) => h("td", {}, String(buttons)))),
        h("tr", {}, h("th", { scope: "row" }, t("seven")), ...players.map(({ bonus }) => h("td", {}, bonus ? "+7" : "–"))),
        h("tr", {}, h("th", { scope: "row" }, t("empty-squares")), ...players.map(({ empty }) => h("td", {}, empty === 0 ? "0" : shown(-2 * empty)))),
        h("tr", { class: "sum" }, h("th", { scope: "row" }, t("points-name")), ...outcome.scores.map((score) => h("td", {}, shown(score)))),
      )),
    outcome.by_arrival && h("p", {}, t("by-arrival")),
    h("div", { class: "buttons-row" },
      h("button", { type: "button", class: "control main", onclick: acts.rematch }, t("rematch")),
      h("button", { type: "button", class: "control", onclick: acts.analyse }, t("analyse-game")),
      h("button", { type: "button", class: "control", onclick: acts.newGame }, t("new-game"))),
  );
}

export function playView(state: State, layout: Layout, acts: PlayActs): Element_ {
  const { position } = state;
  const idle = state.hand === null || position.specials_waiting > 0;
  const narrow = layout.arrangement === "narrow";
  const moved = lineThrough(state.node).length > 0;
  const person = position.mover !== null && state.seats[position.mover]!.kind === "person";
  const plays = state.seats.some(({ kind }) => kind === "person");
  const controls: Child[] = [
    !plays && h("button", { key: "analyse", type: "button", class: "control", onclick: acts.analyse }, t("analyse")),
    idle && plays && h("button", { key: "undo", type: "button", class: "control", title: `${t("undo")} (U)`, "aria-disabled": moved ? undefined : "true", onclick: acts.undo }, icon("undo"), h("span", { class: "label" }, t("undo"))),
    idle && plays && h("button", { key: "hint", type: "button", class: "control", title: `${t("hint")} (H)`, "aria-disabled": person ? undefined : "true", onclick: acts.hint }, icon("hint"), h("span", { class: "label" }, t("hint"))),
    idle && h("button", { key: "new", type: "button", class: "control", title: t("new-game"), onclick: acts.newGame }, icon("plus"), h("span", { class: "label" }, t("new-game"))),
  ];
  return table(state, layout, acts, {
    names: namesOf(state),
    near: state.seats.every(({ kind }) => kind === "person") && narrow ? (position.mover ?? 0) : nearSeat(state),
    status: h("div", { key: "status" }, h("p", { class: "status" }, statusLine(state)), state.notice !== null && h("p", { class: "notice", role: "status" }, state.notice)),
    controls,
    thinking: state.thinking,
    over: resultCard(state, acts),
  });
}
