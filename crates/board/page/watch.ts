// Watching: the results that the server has, tournaments as they run, and their games.

import { button, field, tableHead, tableRow, unless, valueOf } from "./controls";
import { h, type Child, type Element_ } from "./dom";
import { openGame, openKept } from "./flow";
import { allGames } from "./games";
import type { Layout } from "./layout";
import { moveWords } from "./say";
import { gamesThere, hasServer, progressThere, resultsThere, ServerGone, type Estimate, type FolderFacts, type Progress,
  type StoredGame } from "./server";
import { firstWatch, openStrip, PERSON, positionOf, update, type Controller, type State, type Watch } from "./state";
import { table } from "./table";
import { number, percent, shown, signed, t } from "./texts";

const PAGE = 20;
/** Milliseconds between two looks at a tournament that runs, and between two moves of a game that is shown live. */
const PAUSE = 2000;
const STEP = 700;

const set = (state: State, part: Partial<Watch>): void => update(state, { watch: { ...state.watch, ...part } });

/** What follows a results folder while games are added. */
let events: EventSource | null = null;
let followed: string | null = null;
let later = 0;
let ticking = 0;

function leave(): void {
  clearTimeout(later);
  clearTimeout(ticking);
  events?.close();
  events = null;
  followed = null;
}

/** Asks the server, and says why it has not answered. */
const attempt = (state: State, call: () => Promise<void>, say = (trouble: string) => set(state, { trouble })) =>
  call().catch((error: Error) => say(error instanceof ServerGone ? t("server-not-there") : error.message));

function list(state: State): Promise<void> {
  leave();
  state.watch = { ...firstWatch, trouble: state.watch.trouble };
  const ask = (): Promise<void> => {
    later = setTimeout(() => void ask(), PAUSE);
    return attempt(state, async () => set(state, { folders: await resultsThere(), trouble: null }));
  };
  return ask();
}

/** Shows those games of a folder that a text finds, and follows it while games are added. */
export function follow(state: State, name: string, find = ""): Promise<void> {
  leave();
  followed = name;
  state.watch = { ...firstWatch, find };
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
    const { found: { from, total, games } } = state.watch;
    set(state, { progress, trouble: null });
    await page(state, games.length === 0 || from + PAGE >= total ? undefined : from);
  });
}

function page(state: State, from?: number): Promise<void> {
  return attempt(state, async () => {
    const name = followed;
    if (name === null) return;
    const { find } = state.watch;
    const found = await gamesThere(name, find, PAGE, from);
    if (followed === name && state.watch.find === find) set(state, { found, trouble: null });
    state.page.follow();
  });
}

/** Opens a game of a results folder by its number: the stored one, if it was opened before. */
export function openThere(state: State, folder: string, number: string): Promise<void> {
  const known = allGames().find(([, { there }]) => there?.folder === folder && String(there.number) === number);
  if (known) return openKept(state, ...known, "analysis");
  return attempt(state, async () => {
    const { games: [game] } = await gamesThere(folder, `game=${number}`, 1);
    if (game) await openGame(state, game.game, game.names, { ...game, there: { folder, number: game.number } });
  }, (trouble) => update(state, { trouble }));
}

/** Shows one more move of the newest game; after its end, the one that is the newest by then. */
async function tick(state: State): Promise<void> {
  const { live, progress } = state.watch;
  if (progress === null || followed !== progress.name) return;
  if (live && live.at < live.game.game.actions.length) set(state, { live: { ...live, at: live.at + 1 } });
  else await attempt(state, async () => {
    const { games: [game] } = await gamesThere(progress.name, "", 1);
    if (game && state.watch.live === live && game.number !== live?.game.number) set(state, { live: { game, at: 0 } });
  });
  clearTimeout(ticking);
  ticking = setTimeout(() => void tick(state), STEP);
}

// ---- what is shown

const elo = (value: number | null) => (value === null ? "–" : signed(Math.round(value)));

function folderList(state: State): Child {
  const { folders } = state.watch;
  if (!folders?.length) return h("p", {}, t(folders ? "no-results" : "looking"));
  return h("ul", { class: "folders" }, ...folders.map((folder) => h("li", { key: folder.name },
    button(folder.name, () => void follow(state, folder.name)), h("span", {}, progressWords(folder)))));
}

/** How far a tournament is. */
const progressWords = ({ state, games, planned, running }: FolderFacts): string =>
  (running || state === "stopped" ? t(running ? "progress" : "stopped", number(games), number(planned))
    : t("games-finished", number(games)));

function standings(progress: Progress): Child {
  const interval = ({ low, high }: Estimate) => (low === null || high === null ? "–" : `${elo(low)} … ${elo(high)}`);
  return h("table", { class: "standings" }, h("caption", {}, progressWords(progress)),
    tableHead((["agent", "elo", "interval", "games", "score"] as const).map((name) => t(name))),
    h("tbody", {}, ...progress.standings.map(({ agent, elo: one, games, score }) => tableRow(agent,
      [elo(one.value), interval(one), number(games), score === null ? "–" : percent(score)], { key: agent }))));
}

const resultOf = ({ outcome, fault }: StoredGame): string =>
  (outcome ? outcome.scores.map(shown).join(" : ") : (fault ?? ""));

function gameList(state: State, { name }: Progress): Child[] {
  const { found: { games, from, total }, find } = state.watch;
  const turn = (to: number, text: "earlier" | "later-games", possible: boolean) =>
    button(t(text), () => possible && void page(state, Math.max(0, to)), unless(possible));
  const ask = (event: Event) => {
    set(state, { find: valueOf(event).trim() });
    void page(state);
  };
  return [field(t("find"), h("input", { type: "search", value: find, onchange: ask })),
    find !== "" && h("p", { role: "status" }, t("found", total)),
    h("ol", { class: "games" },
      ...[...games].reverse().map((one) => h("li", { key: String(one.number) }, `#${one.number} `,
        h("a", { class: "move", href: `#analysis=${encodeURIComponent(name)}/${one.number}` }, one.names.join(" – ")),
        h("span", {}, ` ${resultOf(one)}`)))),
    h("div", { class: "buttons-row" }, turn(from - PAGE, "earlier", from > 0),
      turn(from + PAGE, "later-games", from + PAGE < total))];
}

/** The newest game as far as it is shown, on a table of its own. */
function liveTable(state: State, { game, at }: NonNullable<Watch["live"]>, layout: Layout): Element_ {
  const { start, actions } = game.game;
  const position = positionOf(state.engine, { start, actions: actions.slice(0, at) });
  const { last, mover } = position;
  const chance = game.chances[at - 1];
  const stop = () => {
    clearTimeout(ticking);
    set(state, { live: null });
  };
  const result = `#${game.number}${mover === null ? ` ${resultOf(game)}` : ""}`;
  return table({ ...state, position, seats: [PERSON, PERSON], hand: null, effect: null, reaches: [] }, layout,
    { names: game.names, near: 0, open: openStrip(state), controls: [button(t("live-off"), stop)],
      status: h("div", { key: "status" }, h("p", { class: "status" }, result), last && h("p", { class: "last-move" },
        moveWords(state, last.action, last.player), chance == null ? "" : percent(chance))) });
}

export const watchController = (state: State): Controller => ({
  draw(layout) {
    const { progress, trouble, live } = state.watch;
    if (live) return [liveTable(state, live, layout)];
    const gone = trouble ?? (hasServer() ? null : t("server-not-there"));
    return [h("section", { class: "watching", id: "board", tabindex: -1, "aria-label": t("watch") },
      gone !== null && h("p", { class: "trouble", role: "alert" }, gone),
      gone === null && progress === null && folderList(state),
      progress !== null && h("div", {},
        h("div", { class: "buttons-row" }, h("h2", {}, progress.name), button(t("all-results"), () => void list(state)),
          button(t("live"), () => void tick(state)),
          h("a", { class: "control", href: `/results/${encodeURIComponent(progress.name)}` }, t("report")),
          h("a", { class: "control", href: "/" }, t("list"))),
        h("div", { class: "scroller", tabindex: 0, "data-scroller": "left right" }, standings(progress)),
        ...gameList(state, progress)))];
  },
  enter: () => void list(state),
  leave,
});
