// The page: starts the engine, holds the state, draws the view that is shown and gives it the keys.

import { analysisController } from "./analysis";
import { prints, SPECIAL } from "./cloth";
import { button, signButton } from "./controls";
import { dialogOf } from "./dialogs";
import { draw, h, memo, oncePerFrame, type Child } from "./dom";
import { editorController } from "./editor";
import { startEngine } from "./engine";
import { changed, openKept, prepare, readFile, readText } from "./flow";
import { allGames, claimGame, freshGame, holdGame, isBlocked, randomSeed, readSettings, restored } from "./games";
import { carried, handsOf } from "./hand";
import { icon, logo, type Icon } from "./icons";
import { isLow, layout, type Layout } from "./layout";
import { mineController } from "./mine";
import { animate, remember } from "./motion";
import { handOver, LEAST_THINKING, playController } from "./play";
import { stateText } from "./say";
import { hasServer } from "./server";
import { firstAnalysis, firstWatch, firstWish, goTo, patchOf, PERSON, personMoves } from "./state";
import { positionOf, specialPatch, update } from "./state";
import type { Controller, Page, Settings, State, View } from "./state";
import { setLanguage, t, type Text } from "./texts";
import { firstLesson, tutorialController } from "./tutorial";
import { follow as followFolder, openThere, watchController } from "./watch";

const root = document.getElementById("app")!;
const said = document.getElementById("said")!;

const TABS: readonly (readonly [View, Text, Icon])[] = [
  ["play", "play", "play"], ["analysis", "analyse", "hint"], ["learn", "learn", "check"], ["mine", "my-games", "tag"],
  ...(hasServer() ? ([["watch", "watch", "forward"]] as const) : []),
];

/** Height of the page's head, in pixels, and on a phone that lies on its side. */
const BAR = 52;
const LOW_BAR = 40;
/** Milliseconds after a move in which a press is the second half of a double one. */
const DOUBLE = 400;

function applySettings({ language, theme }: Settings): void {
  const chosen = language ?? (navigator.language.startsWith("de") ? "de" : "en");
  setLanguage(chosen);
  document.documentElement.lang = chosen;
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

async function start(): Promise<void> {
  const { hash } = location;
  applySettings(readSettings());
  const engine = await startEngine();
  const patches = new Map(engine.ask("patches", {}).map((view) => [view.patch, patchOf(view)]));
  patches.set(SPECIAL, specialPatch);
  const { levels, source } = engine.ask("levels", {});
  const fresh = freshGame(engine.ask("new", { seed: randomSeed() }),
    { seats: [PERSON, { kind: "level", level: "casual" }] });
  const state: State = { ...fresh, page: pageOf(() => state), engine, patches, levels, ratingSource: source,
    analysts: [], agent: "champion", second: "", beside: engine.worker(), opponent: engine.worker(),
    analyst: engine.worker(), judge: engine.worker(),
    view: "play", position: positionOf(engine, { start: fresh.tree.start, actions: [] }), hand: null,
    drag: null, effect: null, reaches: [], acted: -Infinity, thinking: false, turn: 0, paused: false,
    pace: LEAST_THINKING, turned: false, seen: false, trouble: null, notice: isBlocked ? t("storage-blocked") : null, lost: [], analysis: firstAnalysis,
    watch: firstWatch, editor: null, lesson: firstLesson, aside: null, mine: { games: [], naming: null, find: "", order: "when" },
    settings: readSettings(), wish: firstWish, dialog: null, opened: null };
  const claimed = await claimGame();
  try {
    if (claimed) {
      const { id, kept, isCopy } = claimed;
      Object.assign(state, restored(id, kept), { view: kept.view === "analysis" ? "analysis" : "play" });
      if (isCopy) state.notice = t("is-copy");
    }
    goTo(state, state.node);
  } catch {
    // What the browser has stored is not a game.
    Object.assign(state, fresh);
    goTo(state, state.node);
  }
  void holdGame(state.id);
  run(state);
  handOver(state);
  await route(state, hash);
  document.documentElement.dataset["ready"] = "1";
  prepare(state);
  (window as unknown as Record<string, unknown>)["patchwork"] = { state: () => state, ask: engine.ask,
    games: allGames };
}

let controllers: Readonly<Record<View, Controller>>;

/** What the controllers ask of the page. */
function pageOf(get: () => State): Page {
  return {
    redraw: oncePerFrame(() => drawPage(get())),
    say(text) {
      // The same sentence twice is only read if the text changes.
      said.textContent = said.textContent === text ? `${text} ` : text;
    },
    show(view) {
      const state = get();
      controllers[state.view].leave?.();
      state.view = view;
      state.opened = null;
      goTo(state, state.node);
      controllers[view].enter?.();
      tellAddress(state);
      changed(state);
      this.follow();
    },
    follow() {
      const state = get();
      tellAddress(state);
      controllers[state.view].follow?.();
    },
    act(action) {
      const state = get();
      state.acted = performance.now();
      state.opened = null;
      controllers[state.view].act?.(action);
    },
  };
}

function run(state: State): void {
  const hands = handsOf(state);
  controllers = { play: playController(state, hands), analysis: analysisController(state, hands),
    editor: editorController(state), learn: tutorialController(state, hands), watch: watchController(state),
    mine: mineController(state) };
  const { page } = state;
  new ResizeObserver(() => page.redraw()).observe(document.documentElement);
  addEventListener("keydown", (event) => key(state, event));
  addEventListener("popstate", () => void route(state, location.hash));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) void readFile(state, file);
  });
  for (const kind of ["click", "touchend"]) {
    root.addEventListener(kind, (event) => {
      const isPress = (event as MouseEvent).detail !== 0 || kind === "touchend";
      if (!isPress || performance.now() - state.acted > DOUBLE
        || !(event.target as Element).closest(".control, .offer.advance")) return;
      if (event.cancelable) event.preventDefault();
      event.stopPropagation();
    }, { capture: true });
  }
  drawPage(state);
  page.follow();
}

// ---- addresses: a view, with the game of this browser, that of a results folder by its number, or the folder with the
// words that its games fulfil; or a game as a link

function addressOf({ view, id, there, watch: { progress, find } }: State): string {
  const what = view === "analysis" && there ? `${there.folder}/${there.number}`
    : view === "play" || view === "analysis" ? id
    : view === "watch" && progress ? progress.name + (find && `/${find}`) : "";
  return `#${view}${what && `=${what.split("/").map(encodeURIComponent).join("/")}`}`;
}

function tellAddress(state: State): void {
  const address = addressOf(state);
  if (address === location.hash) return;
  // The address of a link gives way to that of the game, so that Back does not open it again.
  const [before, now] = [location.hash, address].map((one) => one.split("=")[0]);
  const isView = before !== now && before !== "" && before !== "#game";
  if (isView) history.pushState({}, "", address);
  else history.replaceState(history.state, "", address);
}

/** A part of an address; as it is if it is broken. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Follows an address that somebody opened, typed or went back to. */
async function route(state: State, hash: string): Promise<void> {
  if (hash.startsWith("#game=")) return readText(state, decoded(hash));
  const [, name, what] = /^#(\w+)(?:=(.*))?$/.exec(hash) ?? [];
  const view = [...TABS.map(([view]) => view), "editor" as const].find((view) => view === name);
  if (!view) return;
  const id = decoded(what ?? "");
  const [, folder, more] = /^([^/]*)\/(.*)$/.exec(id) ?? [];
  if (view === "analysis" && folder !== undefined) return openThere(state, folder, more ?? "");
  const kept = (view === "play" || view === "analysis")
    && id !== state.id ? allGames().find(([one]) => one === id) : undefined;
  if (kept) return openKept(state, id, kept[1], view);
  if (view !== state.view) state.page.show(view);
  if (view === "watch" && id !== "") await followFolder(state, folder ?? id, more);
}

// ---- drawing

function room(): Layout {
  const width = document.documentElement.clientWidth;
  return isLow(width, innerHeight) ? layout(width, innerHeight - LOW_BAR) : layout(width,
    Math.max(420, innerHeight - BAR));
}

/** Pixels by which the table was higher than its room, as it was measured: fonts and languages differ. */
let excess = { of: "", pixels: 0 };

/** The room of the table, which a panel or a card may share. */
function roomOf({ beside = 0, above = 0, isCard }: Controller): { seen: Layout; isBeside: boolean } {
  const whole = room();
  const isBeside = beside > 0 && (whole.width >= 1000 || (whole.low && isCard === true));
  const height = whole.height - excess.pixels;
  if (whole.low) return { seen: layout(isBeside ? whole.width * 0.7 : whole.width, height, true), isBeside };
  const seen = isBeside ? layout(whole.width - beside, height, false) : layout(whole.width, height - above, false);
  return { seen, isBeside };
}

/** Draws again, smaller, what did not fit into the window. */
function fit(state: State, controller: Controller): void {
  const table = root.querySelector(".table");
  const { scrollHeight } = document.documentElement;
  if (!table || excess.pixels > innerHeight / 2) return;
  const isWhole = state.view === "play" || controller.isCard;
  const over = Math.max(table.scrollHeight - table.clientHeight, isWhole ? scrollHeight - innerHeight : 0);
  if (over <= 1) return;
  excess.pixels += over;
  drawPage(state);
}

function drawPage(state: State): void {
  const before = remember(root);
  const controller = controllers[state.view];
  const of = [state.view, innerWidth, innerHeight, document.documentElement.lang,
    getComputedStyle(document.documentElement).fontSize].join();
  if (excess.of !== of) excess = { of, pixels: 0 };
  const { seen, isBeside } = roomOf(controller);
  const main = h("main", { key: "main", class: `main view-${state.view}${isBeside ? " beside" : ""}` },
    ...controller.draw(seen));
  draw(root, [prints, bar(state), main, carried(state), dialogOf(state, applySettings), toast(state), words(state)]);
  fit(state, controller);
  animate(root, before, state);
  const isTurn = state.view === "play" && personMoves(state);
  document.title = isTurn ? `● ${t("your-move")} – ${t("title")}` : t("title");
}

function bar(state: State): Child {
  const { view, page } = state;
  const isOpen = (tab: View) => view === tab || (view === "editor" && tab === "analysis");
  const skip = (event: Event) => { event.preventDefault(); document.getElementById("board")?.focus(); };
  const tool = (dialog: "help" | "settings", hint = "") =>
    signButton(dialog, t(dialog), () => update(state, { dialog }), { title: t(dialog) + hint });
  return h("header", { key: "bar", class: "bar" }, h("a", { class: "skip", href: "#board", onclick: skip }, t("skip")),
    h("h1", { class: "brand" }, logo, h("span", {}, t("title"))),
    h("nav", { "aria-label": t("navigation") }, ...TABS.map(([tab, text, sign]) => h("button",
      { type: "button", class: "tab", "aria-current": isOpen(tab) ? "page" : undefined, onclick: () => page.show(tab) },
      icon(sign), h("span", {}, t(text))))),
    h("div", { class: "tools" }, tool("help", " (?)"), tool("settings")));
}

/** What was deleted, and the way back. */
function toast(state: State): Child {
  const lost = state.lost.at(-1);
  if (!lost) return null;
  const close = () => update(state, { lost: [] });
  const back = () => update(state, lost.back() ? { lost: state.lost.filter((one) => one !== lost) }
    : { trouble: t("storage-full") });
  return h("div", { key: "lost", class: "toast", role: "status" }, h("span", {}, lost.what),
    button(t("bring-back"), back), signButton("close", t("close"), close));
}

const words = (state: State): Child => memo("words", [state.position, state.seats, state.names, t("state-title")], () =>
  h("section", { key: "words", class: "unseen", id: "words", "aria-label": t("state-title") },
    h("h2", {}, t("state-title")), ...stateText(state).map((text) => h("p", {}, text))));

function key(state: State, event: KeyboardEvent): void {
  const target = event.target as Element;
  if (event.ctrlKey || event.metaKey || event.altKey
    || target.closest("input, select, textarea, dialog, [contenteditable]")) return;
  const name = event.key.toLowerCase();
  if (name === "escape" && state.opened) state.opened = null;
  else if (controllers[state.view].key?.(event)) return event.preventDefault();
  else if (name === "n" && !event.repeat) state.dialog = "new";
  else if (name === "x") state.turned = !state.turned;
  else if (name === "?") state.dialog = "help";
  else return;
  event.preventDefault();
  state.page.redraw();
}

start().catch((error: Error) => {
  draw(root, [h("p", { class: "first-words", role: "alert" }, t("failed", error.message))]);
});
