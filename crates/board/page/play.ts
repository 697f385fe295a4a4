// A game against a level, between two people, or between two levels: the table, and the flow of moves.

import { accuracyText, graph, judgeGame } from "./analysis";
import type { AskDecision, DecisionView, EffectView, GameText } from "./api";
import { button, control, flipControl, signButton, tableHead, tableRow, unless } from "./controls";
import { h, type Child, type Element_ } from "./dom";
import { setGame, show } from "./flow";
import { allGames, amendGame, freshGame, randomSeed } from "./games";
import { handKey, show as showInHand, type Hands } from "./hand";
import type { Layout } from "./layout";
import { moveText, moveWords, nameOf, namesOf, wordsOf } from "./say";
import { AGAIN, decideThere, hasServer, isServerGone, keepThere, nextThere, ServerGone, type Opponent } from "./server";
import { firstWish, game, LEVELS, nearSeat, onlyPerson, openStrip, PEOPLE, PERSON, personMoves, update } from "./state";
import { playAction, positionAt, type Controller, type OpenGame, type Seat, type State } from "./state";
import { stepKey, type Steps } from "./steps";
import { table } from "./table";
import { named, shown, t } from "./texts";
import { lineThrough, promote, type Node } from "./tree";

/** The least time that a level takes for a move, so that one can follow it. */
export const LEAST_THINKING = 450;

/** Stepping through the line of the open game. */
export function lineSteps(state: State): Steps {
  const line = lineThrough(state.node);
  return { at: line.indexOf(state.node), count: line.length - 1, go: (to) => show(state, line[to]!) };
}

// ---- who is who

function outcomeText(state: State): string {
  const { outcome } = state.position;
  if (!outcome) return "";
  const [won, lost] = [outcome.scores[outcome.winner]!, outcome.scores[1 - outcome.winner]!];
  const name = nameOf(state, outcome.winner);
  return name === t("you") ? t("you-win", won, lost) : t("you-lose", won, lost, name);
}

const isPersons = ({ seats, position: { mover } }: State): boolean => mover !== null && seats[mover]!.kind === "person";

/** What is to be done now, in a few words. */
function statusLine(state: State): string {
  const { position, thinking } = state;
  const { mover, outcome } = position;
  if (outcome) return outcomeText(state);
  const name = nameOf(state, mover!);
  if (!isPersons(state)) return thinking ? t("thinks", name) : t("moves-now", name);
  if (position.waiting > 0) return t("place-special");
  return name === t("you") ? t("your-move") : t("moves-now", name);
}

// ---- moves

/** A person plays: the line to it is the game now, and what was played instead becomes a variation. */
function act(state: State, action: string): void {
  const effect = playAction(state, action);
  promote(state.node);
  played(state, effect);
  // What the level answered before to the same move, it answers again.
  let { node } = state;
  while (!isPersons(state) && state.position.mover !== null && node.children[0]) {
    node = node.children[0];
    state.node = node;
    state.position = positionAt(state, node);
  }
  show(state, node);
}

function played(state: State, effect: EffectView): void {
  const mover = state.position.last!.player;
  state.notice = isServerGone() ? t("server-gone") : null;
  // Once: what is played after the end was taken back does not count.
  if (state.position.outcome) queueMicrotask(() => void judgeGame(state));
  if (state.position.outcome && hasServer() && opponentThere(state) && !state.names && !state.there) {
    state.due ??= game(state).actions;
    handOver(state);
  }
  state.page.say([moveText(nameOf(state, mover), effect), outcomeText(state)].filter(Boolean).join(" "));
}

/** Goes back to the last move of a person; what follows stays and can be played again. */
function undo(state: State, way: "back" | "on"): void {
  const line = lineThrough(state.node);
  const at = line.indexOf(state.node);
  const isTurn = (node: Node) => {
    const { mover } = positionAt(state, node);
    return mover === null || state.seats[mover]!.kind === "person";
  };
  const found = way === "back" ? line.slice(0, at).reverse().find(isTurn) : line.slice(at + 1).find(isTurn);
  if (!found) return;
  state.page.say(t(way === "back" ? "undone" : "redone"));
  state.notice = null;
  show(state, found);
}

/** A decision: by the server if there is one, otherwise or when it is gone by this page's worker. */
async function decide(state: State, ask: AskDecision): Promise<DecisionView> {
  if (hasServer()) {
    try {
      return await decideThere(ask);
    } catch (error) {
      if (!(error instanceof ServerGone)) throw error;
      tell(state, t("server-gone"));
    }
  }
  return state.opponent.ask("decide", ask);
}

function tell(state: State, text: string, notice: Child = text): void {
  state.notice = notice;
  state.page.say(text);
  state.page.redraw();
}

/** Ends what an opponent is thinking about. */
function rest(state: State): void {
  state.turn++;
  if (!state.thinking) return;
  state.opponent.end();
  state.thinking = false;
}

/** Lets a level move if it is its turn and the game ends here. */
async function proceed(state: State): Promise<void> {
  rest(state);
  const { mover } = state.position;
  const who = mover === null ? PERSON : state.seats[mover]!;
  if (who.kind !== "level" || state.node.children.length > 0 || state.paused) return;
  const { turn } = state;
  const level = levelOf(state, who);
  update(state, { thinking: true });
  const began = performance.now();
  try {
    const decision = await decide(state, { game: game(state), agent: level.agent, seed: state.seed,
      ...budgetOf(state, level) });
    const least = state.seats.every(({ kind }) => kind === "level") ? state.pace : LEAST_THINKING;
    await new Promise((done) => setTimeout(done, Math.max(0, least - (performance.now() - began))));
    if (turn !== state.turn) return;
    state.thinking = false;
    played(state, playAction(state, decision.action));
    show(state, state.node);
  } catch (error) {
    if (turn !== state.turn) return;
    update(state, { thinking: false, trouble: (error as Error).message });
  }
}

const levelOf = ({ levels }: Pick<State, "levels">, { level }: { level: string }) =>
  levels.find(({ name }) => name === level) ?? levels[0]!;

const budgetOf = ({ time }: Pick<State, "time">, { iterations }: State["levels"][number]) =>
  iterations === null ? {} : time > 0 ? { milliseconds: time } : { iterations };

/** What the server is told of the opponent; null unless one person plays against one level from the start of a game. */
function opponentThere(state: Pick<State, "levels" | "seats" | "time" | "tree">): Opponent | null {
  const person = onlyPerson(state.seats);
  if (person === null || state.tree.start.includes("/")) return null;
  const level = levelOf(state, state.seats[1 - person] as { level: string });
  return { agent: level.agent, person, ...budgetOf(state, level) };
}

let later = 0;
let handing: Promise<void> = Promise.resolve();

/** Hands the finished games to the server that it has no place for, one after the other. One that it refuses is handed
 * to it again when the page is loaded. */
export function handOver(state: State, isAgain = false): void {
  if (hasServer()) handing = handing.then(() => handAll(state, isAgain));
}

async function handAll(state: State, isAgain: boolean): Promise<void> {
  clearTimeout(later);
  for (const [id, { start, due, time, seats }] of allGames()) {
    const opponent = due && opponentThere({ ...state, time, seats, tree: { ...state.tree, start } });
    if (!opponent) continue;
    try {
      const there = await keepThere({ start, actions: [...due] }, opponent);
      amendGame(state, id, { there, due: null });
      if (state.id === id) tell(state, t("kept", there.number, there.folder));
    } catch (error) {
      const isGone = error instanceof ServerGone;
      if (state.id === id && !isAgain) tell(state, isGone ? t("server-gone") : (error as Error).message);
      if (!isGone) continue;
      later = setTimeout(() => handOver(state, true), AGAIN);
      return;
    }
  }
}

async function hint(state: State): Promise<void> {
  if (!personMoves(state)) return;
  const { node } = state;
  const { action } = await state.opponent.ask("decide",
    { game: game(state), agent: "champion", seed: 1, iterations: 3000 });
  if (state.node !== node) return;
  showInHand(state, action);
  tell(state, t("hint-is", wordsOf(action)), h("span", { class: "last-move" }, t("hint-is", ""),
    moveWords(state, action, state.position.mover)));
}

// ---- new games

/** A random ring is the next one of the server's games against this opponent, so that they are kept together. */
async function begin(state: State, start: GameText, more: Partial<OpenGame>, random: boolean): Promise<void> {
  const opponent = opponentThere({ ...state, ...more, tree: { ...state.tree, start: start.start } });
  const next = opponent && hasServer() && random
    ? await nextThere({ ...opponent, track: start.start.split(" ")[0]! }).catch(() => null) : null;
  setGame(state, freshGame(next ?? start, more), "play");
}

/** The number in a field of the dialog; what is not one is said. */
function numberIn(field: string, text: string): number {
  if (!/^\d{1,15}$/.test(text.trim())) throw new Error(t("not-a-number", field, text));
  return Number(text);
}

export async function startGame(state: State): Promise<void> {
  const { wish } = state;
  const { track } = wish;
  try {
    const order = wish.order.split(/[\s,;]+/).filter(Boolean);
    const ring = wish.ring === "list" ? { ring: order.map((one) => numberIn(t("ring-order"), one)) } : {};
    const [seed, number] = wish.ring === "seed" ? [numberIn(t("seed"), wish.seed),
      numberIn(t("number"), wish.number)] : [randomSeed(), 0];
    const level = (name: string): Seat => ({ kind: "level", level: name });
    const first = wish.side === "random" ? Math.random() < 0.5 : wish.side === "first";
    const other = level(wish.opponent);
    const seats: [Seat, Seat] = wish.opponent === PEOPLE ? [PERSON, PERSON]
      : wish.opponent === LEVELS ? [level(wish.first), level(wish.second)] : first ? [PERSON, other] : [other, PERSON];
    const start = state.engine.ask("new", { track, seed, number, ...ring });
    state.wish = { ...wish, trouble: null };
    await begin(state, start, { seats, time: wish.time }, wish.ring === "random");
  } catch (error) {
    update(state, { wish: { ...wish, trouble: (error as Error).message } });
  }
}

function rematch(state: State): Promise<void> {
  const { track } = state.position;
  const seats: [Seat, Seat] = [state.seats[1], state.seats[0]];
  const names = state.names && ([state.names[1], state.names[0]] as const);
  const start = state.engine.ask("new", { track, seed: randomSeed() });
  return begin(state, start, { seats, names, time: state.time }, true);
}

/** A first game against the weakest level, after the tutorial. */
export function playNow(state: State): Promise<void> {
  state.wish = { ...firstWish, opponent: state.levels[0]!.name };
  return startGame(state);
}

/** Goes on from a position: the person moves first. */
export function playFrom(state: State, start: string, mover: number): void {
  const { opponent } = state.wish;
  const other: Seat = opponent === PEOPLE || opponent === LEVELS ? PERSON : { kind: "level", level: opponent };
  setGame(state, freshGame({ start, actions: [] },
    { seats: mover === 0 ? [PERSON, other] : [other, PERSON], wanted: true }), "play");
}

// ---- what is shown

function resultCard(state: State): Child {
  const { page, position: { outcome, players }, accuracy, analysis: { progress } } = state;
  if (!outcome || state.seen) return null;
  return h("div", { key: "result", class: "result", role: "group", "aria-label": outcomeText(state) },
    h("header", {}, h("h2", {}, outcomeText(state)),
      signButton("close", t("close"), () => update(state, { seen: true }), { title: `${t("close")} (Esc)` })),
    h("table", {}, tableHead(namesOf(state), true),
      h("tbody", {}, tableRow(t("buttons-name"), players.map(({ buttons }) => buttons)),
        tableRow(t("seven"), players.map(({ bonus }) => (bonus ? "+7" : "–"))),
        tableRow(t("empty-squares"), players.map(({ empty }) => (empty === 0 ? 0 : shown(-2 * empty)))),
        tableRow(t("points-name"), outcome.scores.map(shown), { class: "sum" }),
        accuracy && tableRow(t("accuracy"), accuracy.map(accuracyText)))),
    outcome.by_arrival && h("p", {}, t("by-arrival")),
    progress && h("p", { class: "note" }, t("judging", progress[0], progress[1])), graph(state),
    h("div", { class: "buttons-row" }, button(t("rematch"), () => void rematch(state), {}, "control main"),
      button(t("analyse-game"), () => page.show("analysis")),
      button(t("new-game"), () => update(state, { dialog: "new" }))));
}

/** What the last move did, in the player's colour; before the first one, against whom a person plays. */
function lastMove(state: State): Child {
  const { last } = state.position;
  const person = onlyPerson(state.seats);
  if (!last && person !== null && !state.names) {
    const { name, rating, margin } = levelOf(state, state.seats[1 - person] as { level: string });
    const strength = margin > 0 ? `, ${t("rating", Math.round(rating), Math.round(margin))}` : "";
    return h("p", { key: "last", class: "last-move" }, t("against", named("level", name)) + strength);
  }
  if (!last) return null;
  const steps = lineSteps(state);
  return h("p", { key: "last", class: "last-move" },
    steps.at < steps.count && h("b", {}, `${steps.at} / ${steps.count}`),
    h("span", { class: "unseen" }, `${nameOf(state, last.player)}: `), moveWords(state, last.action, last.player));
}

/** Two levels rest, or go on. */
function pause(state: State): void {
  state.paused = !state.paused;
  state.page.follow();
  state.page.redraw();
}

/** The least milliseconds from move to move of two levels. */
const PACES = [1500, LEAST_THINKING, 0];

function controls(state: State): Child[] {
  const { hand, position, page, seats } = state;
  if (hand && position.waiting === 0) return [];
  const steps = lineSteps(state);
  const fresh = control("plus", t("new-game"), "N", () => update(state, { dialog: "new" }));
  if (seats.every(({ kind }) => kind === "level")) {
    const faster = () => update(state, { pace: PACES[(PACES.indexOf(state.pace) + 1) % PACES.length]! });
    return [control(state.paused ? "play" : "pause", t(state.paused ? "go-on" : "pause"), "P", () => pause(state)),
      control("forward", named("pace", String(state.pace)), "", faster, { key: "pace" }), flipControl(state),
      control("hint", t("analyse"), "", () => page.show("analysis")), fresh];
  }
  return [control("undo", t("undo"), "U", () => undo(state, "back"), unless(steps.at > 0)),
    steps.at < steps.count && control("forward", t("redo"), "Y", () => undo(state, "on")),
    control("hint", t("hint"), "H", () => void hint(state), unless(isPersons(state))), fresh];
}

export function playController(state: State, hands: Hands): Controller {
  const { page } = state;
  return {
    draw(layout: Layout): Element_[] {
      const narrow = layout.arrangement === "narrow";
      const near = onlyPerson(state.seats) === null && narrow
        && !state.turned ? (state.position.mover ?? 0) : nearSeat(state);
      const people = state.seats.every(({ kind }) => kind === "person");
      return [table(state, layout, { names: namesOf(state), near: people ? near : nearSeat(state),
        status: h("div", { key: "status" }, h("p", { class: "status" }, statusLine(state)),
          state.notice === null ? lastMove(state) : h("p", { class: "notice", role: "status" }, state.notice)),
        controls: controls(state), hands, open: openStrip(state), thinking: state.thinking, over: resultCard(state) })];
    },
    key(event) {
      const key = event.key.toLowerCase();
      if (handKey(state, event) || stepKey(lineSteps(state), event)) return true;
      if (key === "escape" && state.position.outcome && !state.seen) state.seen = true;
      else if (event.repeat) return false;
      else if (key === "u") undo(state, "back");
      else if (key === "y") undo(state, "on");
      else if (key === "h") void hint(state);
      else if (key === "p") pause(state);
      else return false;
      page.redraw();
      return true;
    },
    act: (action) => act(state, action), follow: () => void proceed(state), leave: () => rest(state),
  };
}
