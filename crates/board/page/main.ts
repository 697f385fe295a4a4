// The page: starts the engine, holds the state, connects what is drawn with what happens.

import type * as api from "./api";
import { analysisView, firstAnalysis, type AnalysisActs } from "./analysis";
import { draw, focusDrawn, h, oncePerFrame, type Child } from "./dom";
import { prints, SPECIAL } from "./cloth";
import { dialog, firstWish, helpDialog, LEVELS, newGameDialog, PEOPLE, settingsDialog, type Wish } from "./dialogs";
import { Editing, editorOf, editorView, type EditorActs } from "./editor";
import { startEngine, type Thinker } from "./engine";
import { Hands } from "./hand";
import { icon, logo } from "./icons";
import { isLow, layout, type Layout } from "./layout";
import { animate, remember } from "./motion";
import { nameOf, namesOf, outcomeText, playView, type PlayActs } from "./play";
import { patchPicture, specialLook } from "./quilt";
import { moveText, stateText, wordsOf } from "./say";
import { actionAt, game, goTo, hold, isLegalHand, patchIn, patchOf, personMoves, playAction, reorient, specialPatch, type Seat, type State, type View } from "./state";
import { decideThere, hasServer, keepThere, nextThere, ServerGone, type Opponent } from "./server";
import { firstWatch, Watcher, watchView, type WatchActs } from "./watch";
import { claimGame, keepGame, readSettings, writeSettings } from "./storage";
import { setLanguage, t, type Language, type Text } from "./texts";
import { enter, firstLesson, meets, shownAction, stepGame, STEPS, tutorialView, type TutorialActs } from "./tutorial";
import { gameTo, lineThrough, nodeAt, placesTo, promote, remove, restore, store, treeOf } from "./tree";

const root = document.getElementById("app")!;
const said = document.getElementById("said")!;

const VIEWS: readonly (readonly [View, Text])[] = [["play", "play"], ["analysis", "analyse"], ["learn", "learn"], ...(hasServer() ? ([["watch", "watch"]] as const) : [])];

/** The least time that a level takes for a move, so that one can follow it. */
const LEAST_THINKING = 450;

let settings = readSettings();
let wish: Wish = { ...firstWish };

function applySettings(): void {
  const language: Language = settings.language ?? (navigator.language.startsWith("de") ? "de" : "en");
  setLanguage(language);
  document.documentElement.lang = language;
  if (settings.theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = settings.theme;
}

async function start(): Promise<void> {
  applySettings();
  const engine = await startEngine();
  const patches = new Map(engine.ask("patches", {}).map((view) => [view.patch, patchOf(view)]));
  const agents = engine.ask("agents", {});
  patches.set(SPECIAL, specialPatch);
  const kept = await claimGame();
  const first = engine.ask("new", { seed: randomSeed() });
  const { tree, last } = treeOf(first);
  const state: State = {
    engine,
    patches,
    looks: new Map([...patches].map(([id, patch]) => [id, id === SPECIAL ? specialLook : patch.look])),
    levels: agents.levels,
    ratingSource: agents.source,
    view: "play",
    tree,
    node: last,
    position: engine.ask("position", { game: first }),
    seats: [{ kind: "person" }, { kind: "level", level: "casual" }],
    time: 0,
    hand: null,
    effect: null,
    reaches: [],
    thinking: false,
    said: "",
    trouble: null,
    seed: randomSeed(),
    notice: null,
    analysis: firstAnalysis,
    watch: firstWatch,
    editor: null,
    lesson: firstLesson,
    names: null,
    dialog: null,
    opened: null,
  };
  if (kept) {
    try {
      const node = restore(kept.root);
      state.tree = { start: kept.start, root: node };
      state.seats = kept.seats;
      state.time = kept.time;
      state.view = kept.view === "analysis" ? "analysis" : "play";
      goTo(state, nodeAt(node, kept.places));
    } catch {
      // A game of an older version that cannot be read any more.
      state.tree = tree;
      goTo(state, last);
    }
  } else goTo(state, last);
  const app = new App(state);
  app.run();
  if (location.hash.startsWith("#game=")) app.readText(decodeURIComponent(location.hash));
}

/** Height of the page's head, in pixels, and on a phone that lies on its side. */
const BAR = 52;
const LOW_BAR = 40;
/** Width of the panel beside the table, in pixels. */
const PANEL = 380;
/** Width of the tutorial's card beside the table, in pixels. */
const LESSON = 300;
/** Iterations of a live search, after which it rests. */
const MOST_ITERATIONS = 400_000;
/** Iterations for each position of a game that is judged. */
const JUDGED = 4000;
/** Bytes of the largest file that is read as a game. */
const LARGEST_FILE = 1e6;

const randomSeed = () => Math.floor(Math.random() * 2 ** 31);

export class App {
  private readonly opponent: Thinker;
  private readonly analyst: Thinker;
  private readonly judge: Thinker;
  private readonly watcher: Watcher;
  private readonly hands: Hands;
  private readonly acts: PlayActs;
  private turn = 0;

  constructor(readonly state: State) {
    this.opponent = state.engine.worker();
    this.analyst = state.engine.worker();
    this.judge = state.engine.worker();
    this.watcher = new Watcher(this.watchActs);
    this.hands = new Hands({ state: () => state, redraw: () => this.redraw(), place: () => this.place(), say: (text) => this.say(text) });
    this.acts = this.makeActs();
  }

  run(): void {
    new ResizeObserver(() => this.redraw()).observe(document.documentElement);
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) void this.readFile(file);
    });
    this.redraw();
    this.proceed();
    document.documentElement.dataset["ready"] = "1";
    (window as unknown as Record<string, unknown>)["patchwork"] = { state: () => this.state, ask: this.state.engine.ask };
  }

  // ---- drawing

  readonly redraw = oncePerFrame(() => this.draw());

  private draw(): void {
    const { state } = this;
    if (state.view === "learn" && STEPS[state.lesson.step]!.goal === "pick" && state.hand) state.lesson = { ...state.lesson, done: true };
    const before = remember(root);
    draw(root, [prints, this.bar(), this.main(), this.carried(), this.dialog(), h("section", { class: "unseen", id: "words", "aria-label": t("state-title") }, h("h2", {}, t("state-title")), ...stateText(state, namesOf(state)).map((text) => h("p", {}, text)))]);
    animate(root, before, state);
    document.title = state.position.mover !== null && personMoves(state) && state.view === "play" ? `● ${t("your-move")} – ${t("title")}` : t("title");
  }

  private bar(): Child {
    const { state } = this;
    return h("header", { key: "bar", class: "bar" },
      h("a", { class: "skip", href: "#board", onclick: (event: Event) => { event.preventDefault(); document.getElementById("board")?.focus(); } }, t("skip")),
      h("h1", { class: "brand" }, logo, h("span", {}, t("title"))),
      h("nav", { "aria-label": t("navigation") }, ...VIEWS.map(([view, text]) =>
        h("button", { type: "button", class: "tab", "aria-current": state.view === view || (state.view === "editor" && view === "analysis") ? "page" : undefined, onclick: () => this.show(view) }, t(text)))),
      h("div", { class: "tools" },
        h("button", { type: "button", class: "quiet", "aria-label": t("help"), title: `${t("help")} (?)`, onclick: () => this.openDialog("help") }, icon("help")),
        h("button", { type: "button", class: "quiet", "aria-label": t("settings"), title: t("settings"), onclick: () => this.openDialog("settings") }, icon("settings"))),
    );
  }

  private room(): Layout {
    const width = document.documentElement.clientWidth;
    return isLow(width, innerHeight) ? layout(width, innerHeight - LOW_BAR) : layout(width, Math.max(420, innerHeight - BAR));
  }

  private main(): Child {
    const { state } = this;
    if (state.view === "analysis") {
      const room = this.room();
      const beside = room.width >= 1000;
      // The evaluation bar takes its part of the height.
      const seen = room.low ? room : layout(room.width - (beside ? PANEL : 0), room.height - (beside ? 0 : 34));
      return h("main", { key: "main", class: `main view-analysis${beside ? " beside" : ""}` }, ...analysisView(state, seen, this.analysisActs()));
    }
    if (state.view === "editor" && state.editor) return h("main", { key: "main", class: "main view-editor" }, ...editorView(state, state.editor, this.editorActs));
    if (state.view === "watch") return h("main", { key: "main", class: "main view-watch" }, watchView(state, this.watcher, this.watchActs));
    if (state.view === "learn") {
      const room = this.room();
      const beside = room.width >= 1000;
      const seen = room.low ? room : layout(room.width - (beside ? LESSON : 0), room.height - (beside ? 0 : room.width < 660 ? 190 : 180));
      return h("main", { key: "main", class: `main view-learn${beside ? " beside" : ""}` }, ...tutorialView(state, seen, this.tutorialActs()));
    }
    return h("main", { key: "main", class: `main view-${state.view}` }, playView(state, this.room(), this.acts));
  }

  /** The patch that is dragged, while it is not over the quilt. */
  private carried(): Child {
    const { drag } = this.hands;
    const { hand } = this.state;
    if (!drag?.moved || !hand || hand.corner !== null) return null;
    const patch = patchIn(this.state, hand.patch);
    const { drawn, columns, rows } = patch.orientations[hand.orientation]!;
    const cell = (document.querySelector(".quilt.mine")?.clientWidth ?? 300) / 10.1;
    return h("div", { key: "carried", class: "carried", styles: { left: `${drag.x - (columns * cell) / 2}px`, top: `${drag.y - (rows * cell) / 2 - (drag.touch ? 58 : 0)}px`, width: `${columns * cell}px` } }, patchPicture(patch.look, drawn));
  }

  private dialog(): Child {
    const { state } = this;
    const close = () => {
      state.dialog = null;
      this.redraw();
    };
    switch (state.dialog) {
      case "new":
        return newGameDialog(state, wish, (part) => { wish = { ...wish, ...part }; this.redraw(); }, () => void this.startGame(), close);
      case "settings":
        return settingsDialog(settings, (part) => { settings = { ...settings, ...part }; writeSettings(settings); applySettings(); this.redraw(); }, close);
      case "help":
        return helpDialog(close);
      case null:
        return state.trouble === null ? null : dialog(t("trouble"), () => { state.trouble = null; this.redraw(); }, h("p", { role: "alert" }, state.trouble));
      default:
        return null;
    }
  }

  openDialog(name: string): void {
    this.state.dialog = name;
    this.redraw();
  }

  /** Says something to screen readers. */
  say(text: string): void {
    this.state.said = text;
    // The same sentence twice is only read if the text changes.
    said.textContent = said.textContent === text ? `${text} ` : text;
  }

  // ---- what people do

  private makeActs(): PlayActs {
    const { state, hands } = this;
    return {
      grab: (event, patch) => {
        if (event.button === 2 || event.button === 1) {
          if (state.hand) this.turnHand(event.button === 2 ? "turned" : "flipped");
          return;
        }
        hands.grab(event, patch);
      },
      choose: (patch) => this.choose(patch),
      over: (event) => hands.over(event),
      press: (event) => {
        if ((event.button === 2 || event.button === 1) && state.hand) {
          event.preventDefault();
          this.turnHand(event.button === 2 ? "turned" : "flipped");
        } else hands.press(event);
      },
      wheel: (event) => {
        event.preventDefault();
        this.turnHand("turned");
      },
      advance: () => this.advance(),
      pointAdvance: (on) => {
        if (state.hand || !personMoves(state)) return;
        state.effect = on && state.position.legal.advance ? state.engine.ask("effect", { game: game(state), action: "A" }) : null;
        this.redraw();
      },
      turn: () => this.turnHand("turned"),
      flip: () => this.turnHand("flipped"),
      putBack: () => this.putBack(),
      place: () => this.place(),
      open: (what) => {
        state.opened = state.opened === what ? null : what;
        this.redraw();
      },
      undo: () => this.undo(),
      hint: () => void this.hint(),
      newGame: () => this.openDialog("new"),
      rematch: () => this.rematch(),
      analyse: () => this.show("analysis"),
    };
  }

  private turnHand(way: "turned" | "flipped"): void {
    reorient(this.state, way);
    this.sayHand();
    this.redraw();
  }

  private choose(patch: number): void {
    this.hands.choose(patch);
    this.sayHand();
    focusDrawn(".quilt.mine");
  }

  private putBack(): void {
    const { state } = this;
    if (!state.hand) return;
    hold(state, state.position.specials_waiting > 0 ? { patch: SPECIAL, orientation: 0, corner: null, pinned: false } : null);
    this.say(t("put-back-said"));
    this.redraw();
  }

  /** Says what is in hand and where. */
  private sayHand(): void {
    const { hand, effect } = this.state;
    if (!hand) return;
    const patch = patchIn(this.state, hand.patch);
    const name = hand.patch === SPECIAL ? t("special") : t("patch", hand.patch);
    if (hand.corner === null) {
      this.say(t("in-hand", name, t("off-quilt")));
      return;
    }
    const squares = actionAt(patch, hand.orientation, hand.corner).split(":")[1]!.match(/../g)!.join(" ");
    const facts = [t("at-squares", squares), isLegalHand(this.state) ? t("legal") : t("illegal")];
    if (effect) {
      facts.push(t("effect-cost", t("buttons", effect.cost)), t("effect-time", effect.to));
      if (effect.income > 0) facts.push(t("effect-income", effect.income));
      if (effect.specials.length > 0) facts.push(t("effect-special", effect.specials.length));
      if (effect.bonus) facts.push(t("effect-seven"));
    }
    this.say(t("in-hand", name, facts.join(", ")));
  }

  private place(): void {
    const { state } = this;
    const { hand } = state;
    if (!hand || hand.corner === null || !isLegalHand(state)) {
      if (hand) this.say(t("illegal"));
      return;
    }
    this.play(actionAt(patchIn(state, hand.patch), hand.orientation, hand.corner));
  }

  private advance(): void {
    if (personMoves(this.state) && this.state.position.legal.advance) this.play("A");
  }

  private play(action: string): void {
    const { state } = this;
    const mover = state.position.mover!;
    if (state.view === "learn") return this.tryInLesson(action, mover);
    const effect = playAction(state, action);
    // In an analysis, another move is a variation and stays one.
    if (state.view === "play") promote(state.node);
    const sentences = [moveText(nameOf(state, mover), effect)];
    if (state.position.outcome) {
      sentences.push(outcomeText(state));
      if (state.view === "play") void this.keep();
    }
    this.say(sentences.join(" "));
    state.opened = null;
    this.changed();
    this.proceed();
  }

  private changed(): void {
    const { state } = this;
    // The game of the tab is kept as it is while the tutorial shows another.
    if (state.view === "learn") return this.redraw();
    keepGame({ view: state.view, start: state.tree.start, root: store(state.tree.root), places: placesTo(state.node), seats: state.seats, time: state.time, when: Date.now() });
    this.redraw();
  }

  /** Lets a level move if it is its turn. */
  private proceed(): void {
    const { state } = this;
    const turn = ++this.turn;
    if (state.thinking) {
      this.opponent.end();
      state.thinking = false;
    }
    const { mover } = state.position;
    this.analyse();
    if (state.view !== "play" || mover === null || state.node.children.length > 0) return;
    const who = state.seats[mover]!;
    if (who.kind !== "level") return;
    const level = state.levels.find(({ name }) => name === who.level) ?? state.levels[0]!;
    const budget = state.time > 0 && level.iterations !== null ? { milliseconds: state.time } : level.iterations !== null ? { iterations: level.iterations } : {};
    state.thinking = true;
    this.redraw();
    const began = performance.now();
    this.decide({ game: game(state), agent: level.agent, seed: state.seed, ...budget }).then(
      (decision) => {
        const rest = Math.max(0, LEAST_THINKING - (performance.now() - began));
        setTimeout(() => {
          if (turn !== this.turn) return;
          state.thinking = false;
          this.play(decision.action);
        }, rest);
      },
      (error: Error) => {
        if (turn !== this.turn) return;
        state.thinking = false;
        state.trouble = error.message;
        this.redraw();
      },
    );
  }

  private readonly watchActs: WatchActs = {
    change: (part) => {
      this.state.watch = { ...this.state.watch, ...part };
      this.redraw();
    },
    open: ({ game: text, names }) => this.openGame(text, names),
  };

  private readonly editorActs: EditorActs = {
    change: (editor) => {
      this.state.editor = editor;
      this.redraw();
    },
    say: (text) => this.say(text),
    focus: (seat) => focusDrawn(`.edited .quilt.seat${seat}`),
    play: (start) => {
      const { state } = this;
      const { mover } = state.editor!.parts;
      const person: Seat = { kind: "person" };
      const other: Seat = wish.opponent === PEOPLE || wish.opponent === LEVELS ? person : { kind: "level", level: wish.opponent };
      state.seats = mover === 0 ? [person, other] : [other, person];
      this.begin({ start, actions: [] });
    },
    analyse: (start) => this.openGame({ start, actions: [] }, null),
    copy: (what, start) => {
      const { state } = this;
      const body = { start, actions: [] };
      const out = what === "text" ? start : what === "link" ? this.link(body) : state.engine.ask("pgn", { game: body, names: namesOf(state), comments: [] }).text;
      state.editor = { ...state.editor!, out };
      void navigator.clipboard?.writeText(out).catch(() => {});
      this.redraw();
    },
    leave: () => this.show("analysis"),
  };

  private link(body: api.GameText): string {
    return `${location.href.split("#")[0]}#game=${this.state.engine.ask("link", { game: body }).text}`;
  }

  // ---- analysis

  /** Searches the position that is shown, live, while the view is open. */
  private analyse(): void {
    const { state } = this;
    state.analysis = { ...state.analysis, live: null, why: null, walk: null };
    if (state.view !== "analysis" || state.position.mover === null) return this.analyst.halt();
    this.why();
    this.analyst.analyse({ game: game(state) }, MOST_ITERATIONS, 5, (live) => {
      state.analysis = { ...state.analysis, live };
      this.redraw();
    });
  }

  /** What the preferred move would have gained, where a worse one was played. */
  private why(): void {
    const { state } = this;
    const { judged } = state.analysis;
    const place = judged ? judged.line.indexOf(state.node) : -1;
    const better = state.node.parent?.evaluation?.best;
    if (!judged || place < 1 || !better || better === state.node.action || !judged.view.plies[place - 1]?.grade) return;
    const before = gameTo(state.tree, state.node.parent!);
    state.analysis = { ...state.analysis, why: state.engine.ask("why", { game: before, played: state.node.action, better }) };
  }

  private analysisActs(): AnalysisActs {
    const { state } = this;
    const change = (part: Partial<State["analysis"]>) => {
      state.analysis = { ...state.analysis, ...part };
      this.redraw();
    };
    return {
      ...this.acts,
      go: (node) => {
        goTo(state, node);
        this.changed();
        this.proceed();
      },
      play: (action) => this.play(action),
      judge: () => void this.judgeGame(),
      heat: () => change({ heat: !state.analysis.heat }),
      walk: (path) => {
        if (path === null) return change({ walk: null });
        this.analyst.ask("tree", { path: [...path] }).then((view) => change({ walk: { path, view } }), () => change({ walk: null }));
      },
      editPosition: () => {
        state.editor = editorOf(state.engine, state.position.parts);
        this.show("editor");
      },
      drop: () => {
        const parent = remove(state.node);
        if (parent) goTo(state, parent);
        this.changed();
        this.proceed();
      },
      edit: (text) => { state.analysis = { ...state.analysis, text }; },
      read: () => this.readText(state.analysis.text),
      copy: (what) => {
        const body = game(state);
        const text = what === "link" ? this.link(body) : this.pgn();
        change({ text, trouble: null });
        void navigator.clipboard?.writeText(text).catch(() => {});
      },
      file: (file) => void this.readFile(file),
      save: () => {
        const address = URL.createObjectURL(new Blob([this.pgn()], { type: "text/plain" }));
        const anchor = Object.assign(document.createElement("a"), { href: address, download: "patchwork.pgn" });
        anchor.click();
        setTimeout(() => URL.revokeObjectURL(address), 10_000);
      },
    };
  }

  /** The game up to the position that is shown. */
  private pgn(): string {
    const { state } = this;
    return state.engine.ask("pgn", { game: game(state), names: namesOf(state), comments: [] }).text;
  }

  /** Opens the game in a file that was chosen or dropped; what cannot be read is shown as text, with the reason. */
  private async readFile(file: File): Promise<void> {
    const { state } = this;
    if (file.size > LARGEST_FILE) {
      state.trouble = t("file-too-large", file.name, LARGEST_FILE / 1e6);
      return this.redraw();
    }
    const text = await file.text();
    if (state.view !== "analysis") this.show("analysis");
    state.analysis = { ...state.analysis, text };
    this.readText(text);
  }

  /** Opens a game that is given as a text. What is wrong is said, and nothing is lost. */
  readText(text: string): void {
    const { state } = this;
    try {
      const read = state.engine.ask("check", { text });
      const [first, second] = read.names;
      this.openGame(read.game, first !== null && second !== null ? [first, second] : null);
    } catch (error) {
      state.analysis = { ...state.analysis, trouble: (error as Error).message };
      this.redraw();
    }
  }

  /** Opens a game for analysis. */
  private openGame(text: api.GameText, names: readonly [string, string] | null): void {
    const { state } = this;
    const { tree, last } = treeOf(text);
    state.tree = tree;
    state.view = "analysis";
    state.seats = [{ kind: "person" }, { kind: "person" }];
    state.names = names;
    state.notice = null;
    state.analysis = firstAnalysis;
    goTo(state, last);
    this.changed();
    this.proceed();
  }

  /** Evaluates every position of the line by a search of the same length, and judges the moves. */
  private async judgeGame(): Promise<void> {
    const { state } = this;
    if (state.analysis.progress) return;
    const line = lineThrough(state.node);
    const nodes = [line[0]?.parent ?? state.node, ...line];
    for (const [i, node] of nodes.entries()) {
      state.analysis = { ...state.analysis, progress: [i, nodes.length] };
      this.redraw();
      const body = gameTo(state.tree, node);
      if (node.evaluation && node.evaluation.iterations >= JUDGED) continue;
      const { outcome } = state.engine.ask("position", { game: body });
      if (outcome) {
        node.evaluation = { first: outcome.winner === 0 ? 1 : 0, margin: outcome.scores[0] - outcome.scores[1], best: null, iterations: JUDGED };
        continue;
      }
      await this.judge.ask("search", { game: body });
      const found = await this.judge.ask("step", { iterations: JUDGED, top: 1 });
      const sign = found.mover === 0 ? 1 : -1;
      node.evaluation = { first: found.mover === 0 ? found.chance : 1 - found.chance, margin: sign * found.margin, best: found.best, iterations: JUDGED };
    }
    const view = state.engine.ask("judge", { game: gameTo(state.tree, nodes.at(-1)!), evaluations: nodes.map(({ evaluation }) => evaluation && { first: evaluation.first, best: evaluation.best }) });
    state.analysis = { ...state.analysis, progress: null, judged: { line: nodes, view } };
    this.why();
    this.redraw();
  }

  /** A decision: by the server if there is one, otherwise or when it is gone by this page's worker. */
  private async decide(ask: api.AskDecision): Promise<api.DecisionView> {
    if (hasServer()) {
      try {
        return await decideThere(ask);
      } catch (error) {
        if (!(error instanceof ServerGone)) throw error;
        this.serverIsGone();
      }
    }
    return this.opponent.ask("decide", ask);
  }

  private serverIsGone(): void {
    this.state.notice = t("server-gone");
    this.say(this.state.notice);
    this.redraw();
  }

  /** What the server is told of the opponent; null unless one person plays against one level from the start of a game. */
  private opponentThere(): Opponent | null {
    const { state } = this;
    const person = state.seats.findIndex(({ kind }) => kind === "person");
    const other = state.seats[1 - person];
    const level = other?.kind === "level" ? state.levels.find(({ name }) => name === other.level) : undefined;
    if (!level || state.tree.start.includes("/")) return null;
    const budget = level.iterations === null ? {} : state.time > 0 ? { milliseconds: state.time } : { iterations: level.iterations };
    return { agent: level.agent, person, ...budget };
  }

  /** Hands a finished game to the server. */
  private async keep(): Promise<void> {
    const opponent = this.opponentThere();
    if (!hasServer() || !opponent) return;
    try {
      const { folder, number } = await keepThere(game(this.state), opponent);
      this.state.notice = t("kept", number, folder);
      this.say(this.state.notice);
      this.redraw();
    } catch (error) {
      if (error instanceof ServerGone) return this.serverIsGone();
      this.state.trouble = (error as Error).message;
      this.redraw();
    }
  }

  /** Takes back the last move of a person and everything after it. */
  private undo(): void {
    const { state } = this;
    if (state.view === "learn") return this.enterStep(state.lesson.step);
    let at = state.node;
    if (!at.parent) return;
    do {
      const parent = at.parent!;
      remove(at);
      at = parent;
      goTo(state, at);
    } while (at.parent && state.position.mover !== null && state.seats[state.position.mover]!.kind === "level");
    this.say(t("undone"));
    this.changed();
    this.proceed();
  }

  private async hint(): Promise<void> {
    const { state } = this;
    if (!personMoves(state)) return;
    const { node } = state;
    const decision = await this.opponent.ask("decide", { game: game(state), agent: "champion", seed: 1, iterations: 3000 });
    if (state.node !== node) return;
    this.putInHand(decision.action);
    this.say(t("hint-is", wordsOf(decision.action)));
    this.redraw();
  }

  /** Holds a patch where an action would place it. */
  private putInHand(action: string): void {
    const { state } = this;
    if (action === "A") {
      hold(state, null);
      state.effect = state.engine.ask("effect", { game: game(state), action });
      requestAnimationFrame(() => document.querySelector<HTMLElement>(".offer.advance")?.focus());
      return;
    }
    const id = action.startsWith("S") ? SPECIAL : Number(action.split(":")[0]);
    const patch = patchIn(state, id);
    patch.orientations.forEach((_, orientation) => {
      for (let corner = 0; corner < 81; corner++) {
        const { columns, rows } = patch.orientations[orientation]!;
        if ((corner % 9) + columns > 9 || Math.floor(corner / 9) + rows > 9) continue;
        if (actionAt(patch, orientation, corner) === action) hold(state, { patch: id, orientation, corner, pinned: true });
      }
    });
  }

  private async startGame(): Promise<void> {
    const { state } = this;
    try {
      const ring = wish.ring === "list" ? wish.order.split(/[\s,;]+/).filter(Boolean).map(Number) : undefined;
      const [seed, number] = wish.ring === "seed" ? [Number(wish.seed), Number(wish.number)] : [randomSeed(), 0];
      const person: Seat = { kind: "person" };
      const level: Seat = { kind: "level", level: wish.opponent };
      const first = wish.side === "random" ? Math.random() < 0.5 : wish.side === "first";
      state.seats = wish.opponent === PEOPLE ? [person, person]
        : wish.opponent === LEVELS ? [{ kind: "level", level: wish.first }, { kind: "level", level: wish.second }]
        : first ? [person, level] : [level, person];
      state.time = wish.time;
      const text = state.engine.ask("new", { track: wish.track, seed, number, ...(ring ? { ring } : {}) });
      wish = { ...wish, trouble: null };
      const opponent = this.opponentThere();
      // A random ring is the next one of the server's games against this opponent, so that they are kept together.
      const next = opponent && hasServer() && wish.ring === "random" && wish.track === "original" ? await nextThere(opponent).catch(() => null) : null;
      this.begin(next ?? text);
    } catch (error) {
      wish = { ...wish, trouble: (error as Error).message };
      this.redraw();
    }
  }

  private rematch(): void {
    const { state } = this;
    state.seats = [state.seats[1], state.seats[0]];
    this.begin(state.engine.ask("new", { track: state.position.parts.track, seed: randomSeed() }));
  }

  private begin(text: { start: string; actions: string[] }): void {
    const { state } = this;
    const { tree, last } = treeOf(text);
    state.tree = tree;
    state.view = "play";
    state.seed = randomSeed();
    state.names = null;
    state.notice = null;
    state.dialog = null;
    document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
    goTo(state, last);
    this.changed();
    this.proceed();
  }

  // ---- the tutorial

  /** The tab's game, while the tutorial shows another. */
  private aside: { tree: State["tree"]; node: State["node"] } | null = null;

  private tutorialActs(): TutorialActs {
    return {
      ...this.acts,
      step: (step) => this.enterStep(step),
      show: () => {
        this.enterStep(this.state.lesson.step);
        const action = shownAction(this.state.lesson.step);
        if (action !== undefined) this.putInHand(action);
        this.sayHand();
        this.redraw();
      },
      playNow: () => {
        wish = { ...wish, opponent: this.state.levels[0]!.name, side: "first" };
        this.aside = null;
        this.state.view = "play";
        void this.startGame();
      },
    };
  }

  private enterStep(step: number): void {
    const { state } = this;
    const { hand, lesson } = state;
    // The patch that was picked up stays in the hand for the step that places it.
    const carried = STEPS[step]!.goal === "place" && STEPS[lesson.step]!.goal === "pick" ? hand : null;
    state.lesson = enter(step);
    const { tree, last } = treeOf(stepGame(step));
    state.tree = tree;
    goTo(state, last);
    if (carried) hold(state, carried);
    this.say(`${t(`lesson-${STEPS[step]!.goal}-title`)}. ${t(`lesson-${STEPS[step]!.goal}`)}`);
    this.redraw();
  }

  /** A move in the tutorial: it stays if it is what the step asks for. */
  private tryInLesson(action: string, mover: number): void {
    const { state } = this;
    const { lesson, node } = state;
    const effect = playAction(state, action);
    state.opened = null;
    if (lesson.done || !meets(STEPS[lesson.step]!.goal, effect, mover)) {
      goTo(state, node);
      state.lesson = { ...lesson, missed: !lesson.done };
      this.say(t("lesson-missed"));
    } else {
      state.lesson = { ...lesson, done: true, missed: false };
      this.say(`${moveText(t("you"), effect)} ${t("lesson-done")}`);
    }
    this.redraw();
  }

  private show(view: View): void {
    const { state } = this;
    if (state.view === "learn" && view !== "learn" && this.aside) {
      state.tree = this.aside.tree;
      state.node = this.aside.node;
      this.aside = null;
    }
    if (view === "learn" && state.view !== "learn") {
      this.aside = { tree: state.tree, node: state.node };
      state.view = view;
      this.watcher.leave();
      this.enterStep(state.lesson.step);
      this.proceed();
      return;
    }
    this.state.view = view;
    if (view === "watch") void this.watcher.list();
    else this.watcher.leave();
    goTo(this.state, this.state.node);
    this.changed();
    this.proceed();
  }

  private key(event: KeyboardEvent): void {
    const { state } = this;
    const target = event.target as Element;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog, [contenteditable]")) return;
    if (state.view === "editor") {
      const pressing = (event.key === "Enter" || event.key === " ") && target.closest("button, a, summary") !== null;
      if (!pressing && state.editor && new Editing(state, this.editorActs).key(event.key)) event.preventDefault();
      return;
    }
    const held = state.hand !== null;
    const onButton = target.closest("button, a, summary") !== null;
    const run = (call: () => void) => {
      event.preventDefault();
      call();
    };
    const step = (dx: number, dy: number) => run(() => { this.hands.step(dx, dy); this.sayHand(); });
    switch (event.key) {
      case "1": case "2": case "3": {
        const offered = state.position.offers[Number(event.key) - 1];
        if (offered) run(() => this.choose(offered.patch));
        return;
      }
      case "ArrowLeft": return held ? step(-1, 0) : undefined;
      case "ArrowRight": return held ? step(1, 0) : undefined;
      case "ArrowUp": return held ? step(0, -1) : undefined;
      case "ArrowDown": return held ? step(0, 1) : undefined;
      case "r": case "R": return held ? run(() => this.turnHand("turned")) : undefined;
      case "f": case "F": return held ? run(() => this.turnHand("flipped")) : undefined;
      case "Enter": case " ": return held && !onButton ? run(() => this.place()) : undefined;
      case "Escape": return run(() => { if (state.opened) { state.opened = null; this.redraw(); } else this.putBack(); });
      case "a": case "A": return run(() => this.advance());
      case "u": case "U": return run(() => this.undo());
      case "h": case "H": return run(() => void this.hint());
      case "n": case "N": return run(() => this.openDialog("new"));
      case "?": return run(() => this.openDialog("help"));
    }
  }
}

start().catch((error: Error) => {
  draw(root, [h("p", { class: "first-words", role: "alert" }, t("failed", error.message))]);
});
