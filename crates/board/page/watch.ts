// Watching: the results that the server has, tournaments as they run, and their games.

import { button, tableHead, unless } from "./controls";
import { h, type Child } from "./dom";
import { openGame } from "./flow";
import { gamesThere, hasServer, progressThere, resultsThere, ServerGone, type Estimate, type Progress,
  type StoredGame } from "./server";
import { firstWatch, update, type State, type Watch } from "./state";
import { number, percent, shown, signed, t } from "./texts";
import type { Controller } from "./view";

const PAGE = 20;
/** Milliseconds between two looks at a tournament that runs. */
const PAUSE = 2000;

const set = (state: State, part: Partial<Watch>): void => update(state, { watch: { ...state.watch, ...part } });

/** What follows a results folder while games are added. */
let events: EventSource | null = null;
let followed: string | null = null;
let later = 0;

function leave(): void {
  clearTimeout(later);
  events?.close();
  events = null;
  followed = null;
}

async function attempt(state: State, call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    set(state, { trouble: error instanceof ServerGone ? t("server-not-there") : (error as Error).message });
  }
}

function list(state: State): Promise<void> {
  leave();
  state.watch = firstWatch;
  return attempt(state, async () => set(state, { folders: await resultsThere() }));
}

/** Shows a folder and follows it while games are added. */
export function follow(state: State, name: string): Promise<void> {
  leave();
  followed = name;
  let last = performance.now();
  events = new EventSource(`/results/${encodeURIComponent(name)}/events`);
  events.onmessage = () => {
    clearTimeout(later);
    later = setTimeout(() => {
      last = performance.now();
      void look(state);
    }, Math.max(0, last + PAUSE - performance.now()));
  };
  return look(state);
}

/** Looks at the folder. Whoever reads earlier games stays there; the newest page goes on. */
function look(state: State): Promise<void> {
  return attempt(state, async () => {
    const name = followed;
    if (name === null) return;
    const progress = await progressThere(name);
    if (followed !== name) return;
    const { watch } = state;
    const isNewest = watch.progress?.name !== name || watch.from + PAGE >= watch.total;
    set(state, { progress, trouble: null });
    await page(state, isNewest ? Math.max(0, progress.games - PAGE) : watch.from);
  });
}

function page(state: State, from: number): Promise<void> {
  return attempt(state, async () => {
    const name = followed;
    if (name === null) return;
    const { total, games } = await gamesThere(name, from, PAGE);
    if (followed === name) set(state, { games, total, from });
  });
}

// ---- what is shown

const elo = (value: number | null) => (value === null ? "–" : signed(Math.round(value)));

function folderList(state: State): Child {
  const { folders } = state.watch;
  if (folders === null) return h("p", {}, t("looking"));
  if (folders.length === 0) return h("p", {}, t("no-results"));
  return h("ul", { class: "folders" }, ...folders.map(({ name, running, planned }) => h("li", { key: name },
    button(name, () => void follow(state, name)),
    h("span", {}, running ? t("running-now") : t("games-planned", planned)))));
}

function standings({ running, games, planned, standings: places }: Progress): Child {
  const interval = ({ low, high }: Estimate) =>
    (low === null || high === null ? "–" : `${elo(low)} … ${elo(high)}`);
  return h("table", { class: "standings" },
    h("caption", {}, running ? t("progress", games, planned) : t("games-finished", games)),
    tableHead((["agent", "elo", "interval", "games", "score"] as const).map((name) => t(name))),
    h("tbody", {}, ...places.map((place) => h("tr", { key: place.agent },
      h("th", { scope: "row" }, place.agent),
      ...[elo(place.elo.value), interval(place.elo), number(place.games),
        place.score === null ? "–" : percent(place.score)]
        .map((text) => h("td", {}, text))))));
}

function gameList(state: State): Child[] {
  const { games, from, total } = state.watch;
  const result = ({ outcome, fault }: StoredGame) => (outcome ? outcome.scores.map(shown).join(" : ") : (fault ?? ""));
  const turn = (to: number, text: "earlier" | "later-games", possible: boolean) =>
    button(t(text), () => possible && void page(state, Math.max(0, to)), unless(possible));
  return [
    h("ol", { class: "games" },
      ...[...games].reverse().map((one) => h("li", { key: String(one.number), value: one.number + 1 },
        button(one.names.join(" – "), () => void openGame(state, one.game, one.names, one.chances), {}, "move"),
        h("span", {}, ` ${result(one)}`)))),
    h("div", { class: "buttons-row" }, turn(from - PAGE, "earlier", from > 0),
      turn(from + PAGE, "later-games", from + PAGE < total))];
}

export const watchController = (state: State): Controller => ({
  draw() {
    const { progress, trouble } = state.watch;
    const gone = trouble ?? (hasServer() ? null : t("server-not-there"));
    return [h("section", { class: "watching", id: "board", tabindex: -1, "aria-label": t("watch") },
      gone !== null ? h("p", { class: "trouble", role: "alert" }, gone) : progress === null && folderList(state),
      progress !== null && h("div", {},
        h("div", { class: "buttons-row" }, h("h2", {}, progress.name), button(t("all-results"), () => void list(state)),
          h("a", { class: "control", href: `/results/${encodeURIComponent(progress.name)}` }, t("report"))),
        h("div", { class: "scroller", tabindex: 0, "data-scroller": "left right" }, standings(progress)),
        ...gameList(state)))];
  },
  key: () => false,
  enter: () => void list(state),
  leave,
});
