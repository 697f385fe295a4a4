// Watching: the results that the server has, tournaments as they run, and their games.

import { h, type Child } from "./dom";
import { gamesThere, hasServer, progressThere, resultsThere, type FolderFacts, type Progress, type StoredGame } from "./server";
import type { State } from "./state";
import { t } from "./texts";

/** What is watched. */
export interface Watch {
  folders: readonly FolderFacts[] | null;
  progress: Progress | null;
  games: readonly StoredGame[];
  /** The number of the first game that is listed. */
  from: number;
  total: number;
  trouble: string | null;
}

export const firstWatch: Watch = { folders: null, progress: null, games: [], from: 0, total: 0, trouble: null };

const PAGE = 20;
/** Milliseconds between two looks at a tournament that runs. */
const PAUSE = 2000;

export interface WatchActs {
  change(part: Partial<Watch>): void;
  open(game: StoredGame): void;
}

/** Follows one results folder after another. */
export class Watcher {
  private events: EventSource | null = null;
  private name: string | null = null;
  private last = 0;
  private later = 0;

  constructor(private readonly acts: WatchActs) {}

  private async attempt(call: () => Promise<void>): Promise<void> {
    try {
      await call();
    } catch (error) {
      this.acts.change({ trouble: (error as Error).message || t("server-gone") });
    }
  }

  list(): Promise<void> {
    this.leave();
    return this.attempt(async () => this.acts.change({ ...firstWatch, folders: await resultsThere() }));
  }

  /** Shows a folder and follows it while games are added. */
  follow(name: string): Promise<void> {
    this.leave();
    this.name = name;
    this.events = new EventSource(`/results/${encodeURIComponent(name)}/events`);
    this.events.onmessage = () => {
      clearTimeout(this.later);
      this.later = setTimeout(() => void this.look(), Math.max(0, this.last + PAUSE - performance.now()));
    };
    return this.look();
  }

  private look(): Promise<void> {
    return this.attempt(async () => {
      const { name } = this;
      if (name === null) return;
      this.last = performance.now();
      const progress = await progressThere(name);
      if (this.name !== name) return;
      this.acts.change({ progress, trouble: null });
      await this.page(Math.max(0, progress.games - PAGE));
    });
  }

  page(from: number): Promise<void> {
    return this.attempt(async () => {
      if (this.name === null) return;
      const { total, games } = await gamesThere(this.name, from, PAGE);
      this.acts.change({ games, total, from });
    });
  }

  leave(): void {
    clearTimeout(this.later);
    this.events?.close();
    this.events = null;
    this.name = null;
  }
}

const elo = (value: number | null) => (value === null ? "–" : (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(Math.round(value)));

function folderList(watch: Watch, watcher: Watcher): Child {
  if (watch.folders === null) return h("p", {}, t("looking"));
  if (watch.folders.length === 0) return h("p", {}, t("no-results"));
  return h("ul", { class: "folders" }, ...watch.folders.map((folder) => h("li", { key: folder.name },
    h("button", { type: "button", class: "control", onclick: () => void watcher.follow(folder.name) }, folder.name),
    h("span", {}, folder.running ? t("running-now") : t("games-planned", folder.planned)))));
}

function standings(progress: Progress): Child {
  return h("table", { class: "standings" },
    h("caption", {}, progress.running ? t("progress", progress.games, progress.planned) : t("games-finished", progress.games)),
    h("thead", {}, h("tr", {}, ...(["agent", "elo", "interval", "games", "score"] as const).map((name) => h("th", { scope: "col" }, t(name))))),
    h("tbody", {}, ...progress.standings.map((place) => h("tr", { key: place.agent },
      h("th", { scope: "row" }, place.agent),
      h("td", {}, elo(place.elo)),
      h("td", {}, place.low === null || place.high === null ? "–" : `${elo(place.low)} … ${elo(place.high)}`),
      h("td", {}, String(place.games)),
      h("td", {}, place.score === null ? "–" : `${(place.score * 100).toFixed(1)}%`)))));
}

function gameList(watch: Watch, watcher: Watcher, acts: WatchActs): Child[] {
  const result = ({ outcome, fault }: StoredGame) => (outcome ? `${outcome.scores[0]} : ${outcome.scores[1]}` : (fault ?? ""));
  const turn = (from: number, text: "earlier" | "later-games", possible: boolean) =>
    h("button", { type: "button", class: "control", "aria-disabled": possible ? undefined : "true", onclick: () => possible && void watcher.page(Math.max(0, from)) }, t(text));
  return [
    h("ol", { class: "games", start: watch.from + 1 }, ...[...watch.games].reverse().map((game) => h("li", { key: String(game.number), value: game.number + 1 },
      h("button", { type: "button", class: "move", onclick: () => acts.open(game) }, `${game.names[0]} – ${game.names[1]}`),
      h("span", {}, ` ${result(game)}`)))),
    h("div", { class: "buttons-row" }, turn(watch.from - PAGE, "earlier", watch.from > 0), turn(watch.from + PAGE, "later-games", watch.from + PAGE < watch.total)),
  ];
}

export function watchView(state: State, watcher: Watcher, acts: WatchActs): Child {
  const { watch } = state;
  return h("section", { class: "watching", id: "board", tabindex: -1, "aria-label": t("watch") },
    !hasServer() && h("p", {}, t("server-gone")),
    watch.trouble !== null && h("p", { class: "trouble", role: "alert" }, watch.trouble),
    watch.progress === null ? folderList(watch, watcher) : h("div", {},
      h("div", { class: "buttons-row" }, h("h2", {}, watch.progress.name), h("button", { type: "button", class: "control", onclick: () => void watcher.list() }, t("all-results")),
        h("a", { class: "control", href: `/results/${encodeURIComponent(watch.progress.name)}` }, t("report"))),
      standings(watch.progress),
      ...gameList(watch, watcher, acts)));
}
