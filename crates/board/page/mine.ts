// My games: every game that was played or opened at this browser, to be opened again, named, given away and deleted.

import { accuracyText } from "./analysis";
import { button, field, fileField, selectField, signButton, valueOf } from "./controls";
import { h, type Child, type Element_ } from "./dom";
import { lose, openKept, pgnOf, readFile, saveFile } from "./flow";
import { allGames, amendGame, bringBack, dropGame, freshGame, isWanted, restored } from "./games";
import type { Icon } from "./icons";
import { nameOf, namesOf } from "./say";
import { onlyPerson, update, type Controller, type Kept, type State } from "./state";
import { currentLanguage, shown, t, type Text } from "./texts";

type Row = readonly [id: string, game: Kept];

const look = (state: State, naming: State["mine"]["naming"] = null): void =>
  update(state, { mine: { ...state.mine, games: allGames().filter(([, kept]) => isWanted(kept)), naming } });

/** The seat of the only person, from whose point of view the game is told. */
const personIn = ({ names, seats }: Kept): 0 | 1 | null => (names ? null : onlyPerson(seats));
const nameIn = (kept: Kept): string => kept.title || title(kept);
const whenText = (kept: Kept): string =>
  new Date(kept.made).toLocaleString(currentLanguage(), { dateStyle: "medium", timeStyle: "short" });
const accuracyIn = (kept: Kept): number => kept.accuracy?.[personIn(kept) ?? 0] ?? -1;

/** The orders of the list; games come with the one that was changed last first. */
const ORDERS: Readonly<Record<State["mine"]["order"], (one: Kept, two: Kept) => number>> = { when: () => 0,
  made: (one, two) => two.made - one.made, name: (one, two) => nameIn(one).localeCompare(nameIn(two)),
  accuracy: (one, two) => accuracyIn(two) - accuracyIn(one) };

/** The games with all words of the search, in the order that is asked for. */
function listed({ mine: { games, find, order } }: State): readonly Row[] {
  const words = find.toLowerCase().split(/\s+/);
  return games.filter(([, kept]) => {
    const text = [kept.title, title(kept), whenText(kept), result(kept)].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  }).toSorted(([, one], [, two]) => ORDERS[order](one, two));
}

function tools(state: State): Element_ {
  const change = (part: Partial<State["mine"]>) => update(state, { mine: { ...state.mine, ...part } });
  const orders = (Object.keys(ORDERS) as State["mine"]["order"][]).map((order) => [order, t(`by-${order}`)] as const);
  const find = (event: Event) => change({ find: valueOf(event) });
  return h("div", { class: "fields" },
    field(t("search"), h("input", { type: "search", value: state.mine.find, oninput: find })),
    selectField(t("sort"), state.mine.order, orders, (order) => change({ order })));
}

const pgn = ([id, kept]: Row, state: State) => {
  const game = restored(id, kept);
  return pgnOf(state, { ...game, node: game.tree.root }, namesOf(game));
};

/** The games that can be written; what is stored and is not a game is left out. */
function pgnOfAll(state: State): string {
  return state.mine.games.flatMap((row) => {
    try {
      return [pgn(row, state)];
    } catch {
      return [];
    }
  }).join("\n");
}

/** Deletes a game; it can be brought back. */
function drop(state: State, [id, listed]: Row): void {
  const kept = dropGame(id) ?? listed;
  // The game that is open is another one now, so that it is not stored again.
  if (state.id === id) {
    const { track } = state.position;
    Object.assign(state, freshGame(state.engine.ask("new", { track, seed: state.seed }),
      { seats: state.seats, time: state.time }));
    state.page.show("mine");
  }
  lose(state, t("game-dropped", nameIn(kept)), () => {
    const isBack = bringBack(id, kept);
    if (state.view === "mine") look(state);
    return isBack;
  });
  look(state);
}

/** Who played; the opponent of an only person. */
function title(kept: Kept): string {
  const person = personIn(kept);
  return person === null ? namesOf(kept).join(" – ") : nameOf(kept, 1 - person);
}

/** The result, from the point of view of an only person. */
function result(kept: Kept): string {
  const { result: outcome } = kept;
  if (!outcome) return "–";
  const person = personIn(kept);
  const scores = outcome.scores.map(shown);
  if (person === null) return scores.join(" : ");
  return `${t(outcome.winner === person ? "won" : "lost-game")} ${scores[person]} : ${scores[1 - person]}`;
}

function accuracyOf(kept: Kept): string {
  const person = personIn(kept);
  return person === null && kept.accuracy ? kept.accuracy.map(accuracyText).join(" / ")
    : accuracyText(kept.accuracy?.[person ?? 0]);
}

function row(state: State, one: Row): Element_ {
  const [id, kept] = one;
  const { naming } = state.mine;
  const act = (name: Text, sign: Icon, call: () => void) =>
    signButton(sign, t(name), call, { "aria-label": `${t(name)}: ${nameIn(kept)}` });
  const rename = (event: Event) => {
    const title = valueOf(event).trim();
    if (amendGame(state, id, { title })) look(state);
    else update(state, { trouble: t("storage-full") });
  };
  const open = () => void openKept(state, id, kept, kept.result || kept.names ? "analysis" : "play");
  return h("li", { key: id, "data-game": id }, naming?.id === id
      ? h("input", { type: "text", "aria-label": t("name-it"), value: naming.title, onchange: rename,
        oninput: (event: Event) => { state.mine = { ...state.mine, naming: { id, title: valueOf(event) } }; },
        created: (field: HTMLElement | SVGElement) => queueMicrotask(() => field.focus()),
        onkeydown: (event: Event) => { if ((event as KeyboardEvent).key === "Escape") look(state); } })
      : button(nameIn(kept), open, {}, "move"),
    h("span", {}, kept.title ? title(kept) : ""),
    h("time", {}, whenText(kept)), h("span", {}, t(kept.start.startsWith("revised") ? "revised" : "original")),
    h("span", {}, result(kept)), h("span", {}, `${t("accuracy")} ${accuracyOf(kept)}`),
    h("span", { class: "tools" }, act("name-it", "tag", () => look(state, { id, title: kept.title })),
      act("save-pgn", "share", () => saveFile(pgn(one, state), "patchwork.pgn")),
      act("drop-game", "close", () => drop(state, one))));
}

export const mineController = (state: State): Controller => ({
  draw(): Child[] {
    const { games } = state.mine;
    return [h("section", { class: "watching", id: "board", tabindex: -1, "aria-label": t("my-games") },
      h("h2", {}, t("my-games")), games.length > 0 && tools(state),
      games.length === 0 ? h("p", {}, t("no-games")) : h("ul", { class: "mine" },
        ...listed(state).map((one) => row(state, one))),
      h("div", { class: "buttons-row" },
        games.length > 0 && button(t("save-all"), () => saveFile(pgnOfAll(state), "patchwork.pgn")),
        fileField((file) => void readFile(state, file))))];
  },
  enter: () => look(state),
});
