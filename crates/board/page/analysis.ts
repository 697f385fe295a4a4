// The analysis of a game: what the search thinks of the position, and how well the game was played.

import type * as api from "./api";
import { SPECIAL } from "./cloth";
import { button, fileField, flipControl, selectField, tableHead, tableRow, unless, valueOf } from "./controls";
import { h, memo, type Attributes, type Child, type Element_ } from "./dom";
import { edit } from "./editor";
import type { Thinker } from "./engine";
import { changed, copied, gameAs, lose, readFile, readText, saveFile, show } from "./flow";
import { bringBack, keptOf } from "./games";
import { handKey, type Hands } from "./hand";
import { lineSteps } from "./play";
import { moveWords, namesOf, wordsOf } from "./say";
import { firstAnalysis, forcedAction, ghostAt, nearSeat, openStrip, update } from "./state";
import { onlyPerson, patchOfAction, placingOf, playAction, positionAt, positionOf } from "./state";
import type { Analysis, Controller, Kept, State } from "./state";
import { hasServer } from "./server";
import { courseOf, stepButtons, stepKey, stepWheel } from "./steps";
import { table } from "./table";
import { number, signed, t, type Text } from "./texts";
import { add, gameTo, lineThrough, mainLine, merge, store, type Evaluation, type Node, type Stored,
  type Tree } from "./tree";

/** Iterations of a live search, after which it rests. */
const MOST_ITERATIONS = 400_000;
/** Iterations for each position of a game that is judged. */
const JUDGED = 4000;
/** The width of the panel beside the table, and the height of the bar above it, in pixels. */
const PANEL = 380;
const BAR = 34;

const percent = (chance: number) => `${Math.round(chance * 100)}%`;
const points = (margin: number) => signed(Math.round(margin * 10) / 10);

const set = (state: State, part: Partial<Analysis>): void =>
  update(state, { analysis: { ...state.analysis, ...part } });

// ---- what is found out

/** The position after all moves to which there is no other, and the first of them. */
function settled(state: State, tree: Tree, node: Node) {
  const text = gameTo(tree, node);
  let position = positionAt({ engine: state.engine, tree }, node);
  let first: string | null = null;
  const actions = [...text.actions];
  for (let action = forcedAction(state, position); action !== null; action = forcedAction(state, position)) {
    first ??= action;
    actions.push(action);
    position = positionOf(state.engine, { start: text.start, actions });
  }
  return { game: { start: text.start, actions }, position, first };
}

/** What a search says of a position, for its first player. A proof is certain. */
function ofFirst({ chance, margin, mover, winner }: api.AnalysisView): { first: number; margin: number } {
  const first = winner === null ? (mover === 0 ? chance : 1 - chance) : 1 - winner;
  return { first, margin: mover === 0 ? margin : -margin };
}

const ofOutcome = ({ winner, scores }: api.OutcomeView) => ({ first: 1 - winner, margin: scores[0] - scores[1] });

const halt = ({ analyst, beside }: State): void => [analyst, beside].forEach((who) => who.halt());

/** Searches the position that is shown, live, while the view is open: by one agent, or by two beside each other. */
function analyse(state: State): void {
  set(state, { live: null, other: null, why: null, walk: null });
  if (state.analysts.length === 0) {
    state.judge.ask("agents", {}).then((agents) =>
      update(state, { analysts: agents.filter(({ searches }) => searches).map(({ name }) => name) }), () => undefined);
  }
  const { mover } = state.position;
  set(state, { judged: judgement(state) });
  why(state);
  halt(state);
  if (mover === null) return;
  const { game: text, position, first } = settled(state, state.tree, state.node);
  /** A forced move is worth what the position after it is worth. */
  const told = (found: api.AnalysisView): api.AnalysisView => {
    if (first === null) return found;
    const { chance, margin } = found.mover === mover ? found : { chance: 1 - found.chance, margin: -found.margin };
    const lines = [{ action: first, line: [first], prior: 1, proven: null, visits: found.iterations, share: 1, chance,
      margin }];
    return { ...found, mover, chance, margin, best: first, lines };
  };
  if (position.outcome) {
    const { first: chance, margin } = ofOutcome(position.outcome);
    return set(state, { live: told({ mover: 0, chance, margin, winner: position.outcome.winner, best: first, lines: [],
      ended: true, iterations: 0, milliseconds: 0, nodes: 1, depth: 0 }) });
  }
  const search = (who: Thinker, agent: string, name: "live" | "other") => agent !== ""
    && who.analyse({ game: text, agent }, MOST_ITERATIONS, 5, (found) => set(state, { [name]: told(found) }));
  search(state.analyst, state.agent, "live");
  search(state.beside, state.second, "other");
}

/** The evaluation of a position by a search of always the same length. */
async function evaluated(state: State, tree: Tree, node: Node): Promise<Evaluation> {
  const { game: text, position, first } = settled(state, tree, node);
  if (position.outcome) return { ...ofOutcome(position.outcome), best: first, iterations: JUDGED };
  await state.judge.ask("search", { game: text });
  const found = await state.judge.ask("step", { iterations: JUDGED, top: 1 });
  return { ...ofFirst(found), best: first ?? found.best, iterations: JUDGED };
}

/** Evaluates every position of the line, and judges the moves. */
export async function judgeGame(state: State): Promise<void> {
  if (state.analysis.progress) return;
  const { tree } = state;
  const line = lineThrough(state.node);
  for (const [i, node] of line.entries()) {
    if (state.tree !== tree) return;
    set(state, { progress: [i, line.length] });
    if ((node.evaluation?.iterations ?? 0) < JUDGED) node.evaluation = await evaluated(state, tree, node);
  }
  if (state.tree !== tree) return;
  set(state, { progress: null, judged: judgement(state) });
  if (line.at(-1) === mainLine(tree).at(-1)) {
    state.accuracy = state.analysis.judged?.view.players.map(({ accuracy }) => accuracy) ?? null;
  }
  why(state);
  changed(state);
}

/** How the line was played, if all of its positions are evaluated. */
function judgement(state: State): Analysis["judged"] {
  const line = lineThrough(state.node);
  const { judged } = state.analysis;
  if (judged && judged.line.length === line.length && judged.line.every((node, i) => node === line[i])) return judged;
  if (line.length < 2 || line.some(({ evaluation }) => (evaluation?.iterations ?? 0) < JUDGED)) return null;
  const evaluations = line.map(({ evaluation }) => ({ first: evaluation!.first, best: evaluation!.best }));
  return { line, view: state.engine.ask("judge", { game: gameTo(state.tree, line.at(-1)!), evaluations }) };
}

/** What the preferred move would have gained, where a worse one was played. */
function why(state: State): void {
  const { judged } = state.analysis;
  const { node, engine, tree } = state;
  const better = node.parent?.evaluation?.best;
  const grade = judged?.view.plies[judged.line.indexOf(node) - 1]?.grade;
  if (!better || better === node.action || !grade) return;
  set(state, { why: engine.ask("why", { game: gameTo(tree, node.parent!), played: node.action, better }) });
}

/** The players of the plies of the line. */
function players(state: State): number[] {
  const line = lineThrough(state.node);
  const whole = gameTo(state.tree, line.at(-1)!);
  return memo("players", [state.tree, whole.actions.join()], () =>
    state.engine.ask("judge", { game: whole, evaluations: line.map(() => null) }).plies.map(({ player }) => player));
}

/** The positions before the mistakes of the only person, or of both players: those that are being played again, also
 * while a better move is looked at. */
function mistakes(state: State): readonly Node[] {
  const { judged, retry: before } = state.analysis;
  const person = onlyPerson(state.seats);
  if (!judged) return before?.all ?? [];
  return judged.line.slice(0, -1).filter((_, i) => {
    const ply = judged.view.plies[i]!;
    return ply.grade !== null && ply.grade !== "inaccuracy" && (person === null || ply.player === person);
  });
}

/** Goes to the next mistake, to play it better. */
function retry(state: State): void {
  const { retry: before } = state.analysis;
  const all = mistakes(state);
  const node = all[(all.indexOf(before?.node ?? state.node) + 1) % all.length];
  if (!node) return;
  set(state, { retry: { node, all, said: t("retry-now") } });
  show(state, node);
}

/** A move in place of a mistake: it is compared with what was played, and with the preferred move. */
async function retried(state: State, { node, all }: NonNullable<Analysis["retry"]>, action: string): Promise<void> {
  const { tree } = state;
  const child = state.node;
  set(state, { retry: { node, all, said: t("retry-waits") } });
  child.evaluation ??= await evaluated(state, tree, child);
  if (state.tree !== tree || state.analysis.retry?.node !== node) return;
  const { player } = positionAt(state, child).last!;
  const chance = ({ evaluation }: Node) => (player === 0 ? evaluation!.first : 1 - evaluation!.first);
  const played = node.children.find((other) => other !== child && other.evaluation);
  const isGood = action === node.evaluation?.best || chance(child) > chance(node) - 0.05;
  // The best that is known: the move itself may be better than what the search before it expected.
  const best = Math.max(chance(child), chance(node));
  const numbers = [percent(chance(child)), percent(best), played ? percent(chance(played)) : "–"];
  set(state, { retry: { node, all, said: t(isGood ? "retry-good" : "retry-bad", ...numbers) } });
  state.page.say(state.analysis.retry!.said);
  changed(state);
}

// ---- what people do

function act(state: State, action: string): void {
  const { retry } = state.analysis;
  const { node } = state;
  playAction(state, action);
  show(state, state.node);
  if (retry?.node === node) void retried(state, retry, action);
}

/** Deletes a variation; it can be brought back, also when the game is not open any more. */
function drop(state: State): void {
  const { node, id, tree } = state;
  const { parent } = node;
  if (!parent) return;
  const { actions } = gameTo(tree, parent);
  const branch = actions.reduceRight<Stored>((inner, action) => [action, "", [inner]], store(node));
  const kept: Kept = { ...keptOf(state, state, "analysis"), root: ["", "", [branch]] };
  parent.children.splice(parent.children.indexOf(node), 1);
  lose(state, t("variation-dropped", wordsOf(node.action)), () => {
    if (state.id !== id) return bringBack(id, kept);
    merge(state.tree.root, kept.root);
    show(state, [...actions, node.action].reduce(add, state.tree.root));
    return true;
  });
  show(state, parent);
}

function walkTo(state: State, path: readonly string[]): void {
  state.analyst.ask("tree", { path: [...path] }).then((view) => set(state, { walk: { path, view } }),
    () => set(state, { walk: null }));
}

// ---- what is shown

function bar(state: State): Child {
  const { live } = state.analysis;
  const { outcome } = state.position;
  const found = outcome ? ofOutcome(outcome) : live && ofFirst(live);
  const first = found?.first ?? 0.5;
  const label = found ? t("evaluation", namesOf(state)[0], percent(first), points(found.margin)) : t("no-evaluation");
  return h("div",
    { key: "bar", class: "evaluation", role: "meter", "aria-label": label, title: label, "aria-valuemin": 0,
      "aria-valuemax": 100, "aria-valuenow": Math.round(first * 100) },
    h("span", { class: "of-first", styles: { width: `${first * 100}%` } }, percent(first)),
    h("span", { class: "of-second" }, percent(1 - first)));
}

const moveButton = (inside: Child, call: () => void, kind = "", more: Attributes = {}): Element_ =>
  button(inside, call, more, `move ${kind}`);

const NOT_KNOWN = "–";

/** While a mistake is to be played better, nothing tells how. */
const isAsked = ({ analysis: { retry }, node }: State): boolean => retry?.node === node;

/** What an agent finds, in fewer columns where two stand beside each other. */
function lines(state: State, agent: string, live: api.AnalysisView | null): Child {
  const { position: { mover, outcome }, second } = state;
  if (isAsked(state) || agent === "") return null;
  if (!live) return h("p", { class: "note" }, t(outcome ? "game-over" : "searching"));
  const proof = ({ proven }: api.LineView) => (proven === null ? null : t(proven ? "won" : "lost-game"));
  const row = (line: api.LineView, i: number) => h("tr", { key: line.action, class: i === 0 ? "best" : "" },
    h("td", {},
      moveButton(moveWords(state, line.action, mover), () => state.page.act(line.action), "",
        { "data-action": line.action, disabled: line.action.endsWith("?"), title: line.line.join(" ") }),
      line.line.length > 1 && h("small", { class: "continuation" },
        ...line.line.slice(1, 4).map((action) => moveWords(state, action, null)))),
    ...[proof(line) ?? (line.chance === null ? NOT_KNOWN : percent(line.chance)),
      line.margin === null ? NOT_KNOWN : points(line.margin), percent(line.share)].slice(0, second === "" ? 3 : 1)
      .map((text) => h("td", {}, text)));
  const names = (["move", "chance", "points-name", "visits"] as const).slice(0, second === "" ? 4 : 2);
  return h("table", { key: agent, class: "lines" },
    h("caption", {}, `${agent}: ${t("search-facts", number(live.iterations), live.depth)}`),
    tableHead(names.map((name) => t(name))), h("tbody", {}, ...live.lines.map(row)));
}

const MARKS: Readonly<Record<string, string>> = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** The win probability through the game, with its mistakes; or what the agents expected when they played it. */
export function graph(state: State): Child {
  const { judged } = state.analysis;
  const line = judged?.line ?? lineThrough(state.node);
  if (!judged && line.every(({ chance }) => chance === null)) return null;
  const who = players(state);
  const label = t(judged ? "graph" : "graph-expected", namesOf(state)[0]);
  const expected = (seat: number) => line.flatMap(({ chance }, i) =>
    (chance === null || who[i - 1] !== seat ? [] : [[i, seat === 0 ? chance : 1 - chance] as const]));
  return memo("graph", [judged, state.node, label, state.tree], () => h("div", { key: "graph" },
    courseOf(lineSteps(state), {
      label, from: 0, lines: judged
        ? [{ seat: 0, points: line.map(({ evaluation }, i) => [i, evaluation!.first] as const) }]
        : [0, 1].map((seat) => ({ seat, points: expected(seat) })),
      marks: (judged?.view.plies ?? []).flatMap(({ grade, player }, i) => (grade === null ? [] : [{ at: i + 1,
        share: line[i + 1]!.evaluation!.first, seat: player, sign: MARKS[grade] ?? "",
        title: `${i + 1}. ${wordsOf(line[i + 1]!.action)}: ${t(grade as "mistake")}` }])),
    }), !judged && h("p", { class: "note" }, label)));
}

/** The agent that analyses, and one beside it. */
function analystFields(state: State): Element_ {
  const choice = (label: Text, name: "agent" | "second", none: readonly string[]) => {
    const known = [...none, ...(state.analysts.length > 0 ? state.analysts : [state.agent])];
    return selectField(t(label), state[name], known.map((agent) => [agent, agent || NOT_KNOWN] as const), (agent) => {
      state[name] = agent;
      state.page.follow();
    });
  };
  return h("div", { class: "fields" }, choice("analyst", "agent", []), choice("beside", "second", [""]));
}

/** What each player thought at the last move up to here, as it was recorded. */
function thoughts(state: State): Child[] {
  const who = players(state);
  const line = lineThrough(state.node);
  return [0, 1].map((seat) => {
    const at = line.findLastIndex(({ chance, considered }, i) => i > 0 && i <= line.indexOf(state.node)
      && who[i - 1] === seat && (chance !== null || considered.length > 0));
    if (at < 0) return null;
    const { chance, considered } = line[at]!;
    return h("table", { key: `thought${seat}`, class: "thought" },
      h("caption", {}, t("thought", at, namesOf(state)[seat]!, chance === null ? NOT_KNOWN : percent(chance))),
      considered.length > 0 && tableHead((["move", "chance", "visits"] as const).map((name) => t(name))),
      h("tbody", {}, ...considered.map(([action, visits, value]) => h("tr", {},
        h("td", {}, moveWords(state, action, seat)), h("td", {}, percent(value)), h("td", {}, number(visits))))));
  });
}

export const accuracyText = (accuracy: number | null | undefined): string =>
  (accuracy == null ? NOT_KNOWN : `${accuracy.toFixed(1)}%`);

function account(state: State): Child {
  const { judged } = state.analysis;
  if (!judged) return null;
  const { grades, players: both, formula } = judged.view;
  return h("table", { class: "account" }, tableHead(namesOf(state), true),
    h("tbody", {}, tableRow(t("accuracy"), both.map(({ accuracy }) => accuracyText(accuracy))),
      ...grades.map(({ name }, i) => tableRow(t(name as "mistake"), both.map(({ grades: counts }) => counts[i])))),
    h("caption", {}, formula));
}

function moves(state: State): Child {
  const { judged } = state.analysis;
  const [root, ...line] = lineThrough(state.node);
  const who = players(state);
  const current = (node: Node) => ({ "aria-current": state.node === node ? "step" : undefined });
  const row = (node: Node, i: number) => {
    const grade = judged?.view.plies[i]?.grade;
    const others = node.parent!.children.filter((child) => child !== node);
    return h("li", { key: String(i) },
      moveButton(h("span", {}, h("span", { class: "number" }, `${i + 1}.`), moveWords(state, node.action, who[i]!),
        grade && h("b", { title: t(grade as "mistake") }, MARKS[grade] ?? "")), () => show(state, node), grade ?? "",
          current(node)),
      ...others.map((other) => moveButton(moveWords(state, other.action, who[i]!), () => show(state, other),
        "variation")));
  };
  const parts = [state.tree, state.node, judged,
    line.map(({ action, parent }) => action + parent!.children.length).join(), t("moves")];
  return memo("moves", parts, () => h("ol", { key: "moves", class: "moves", "aria-label": t("moves") },
    h("li", {}, moveButton(t("start-position"), () => show(state, root!), "", current(root!))), ...line.map(row)));
}

/** What the better move would have gained. */
function whyList(state: State): Child {
  const { analysis: { why }, position: { last } } = state;
  if (!why || !last) return null;
  const words = ({ action }: api.EffectView) => moveWords(state, action, last.player);
  const facts = (["squares", "buttons", "income", "income_ahead", "time", "specials", "points", "holes"] as const)
    .filter((name) => why[name] !== 0)
    .map((name) => h("li", {}, t(`why-${name}`, signed(why[name]))));
  return h("div", { class: "why-better" }, h("h3", {}, words(why.better), ` ${t("why-title")} `, words(why.played)),
    facts.length > 0 ? h("ul", {}, ...facts) : h("p", {}, t("why-same")));
}

function walkList(state: State): Child {
  const { walk } = state.analysis;
  if (!walk) return button(t("walk"), () => walkTo(state, []));
  const { path, view } = walk;
  const words = (step: string, seat: number | null = null) =>
    moveWords(state, /^\d+$/.test(step) ? `${step}:?` : step, seat);
  return h("div", { class: "walk" }, h("h3", {}, t("walk")),
    h("p", {}, moveButton(t("root"), () => walkTo(state, [])),
      ...path.map((step, i) => moveButton(words(step), () => walkTo(state, path.slice(0, i + 1))))),
    h("ul", {},
      ...view.edges.map(({ step, visits, chance }) => h("li", { key: step },
        moveButton(words(step, view.mover), () => walkTo(state, [...path, step])),
        ` ${number(visits)} · ${chance === null ? NOT_KNOWN : percent(chance)}`))),
    view.edges.length === 0 && h("p", { class: "note" }, t("leaf")),
    button(t("close"), () => set(state, { walk: null })));
}

function exchange(state: State): Child {
  const { text, trouble } = state.analysis;
  const copy = (what: "link" | "pgn") => set(state, { text: copied(gameAs(state, what)), trouble: null });
  return h("details", { class: "exchange", ...(trouble === null ? {} : { open: true }) },
    h("summary", {}, t("exchange")),
    h("label", {}, t("paste-here"),
      h("textarea", { rows: 5, spellcheck: "false", value: text,
        oninput: (event: Event) => set(state, { text: valueOf(event) }) })),
    trouble !== null && h("p", { class: "trouble", role: "alert" }, trouble),
    h("div", { class: "buttons-row" },
      button(t("read-text"), () => void readText(state, state.analysis.text), {}, "control main"),
      button(t("make-link"), () => copy("link")), button(t("make-pgn"), () => copy("pgn")),
      button(t("save-pgn"), () => saveFile(gameAs(state, "pgn"), "patchwork.pgn"))),
    fileField((file) => void readFile(state, file)));
}

function panel(state: State, narrow: boolean): Element_ {
  const { analysis: { progress, heat: isHeat, retry: again }, node } = state;
  return h("aside", { key: "panel", class: "panel", "aria-label": t("analyse") },
    h("div", { class: state.second === "" ? "" : "two" }, lines(state, state.agent, state.analysis.live),
      lines(state, state.second, state.analysis.other)),
    analystFields(state), !narrow && h("div", { class: "buttons-row" }, ...stepButtons(lineSteps(state))),
    h("div", { class: "buttons-row" },
      button(progress ? t("judging", progress[0], progress[1]) : t("judge-game"), () => void judgeGame(state),
        unless(!progress), "control main"),
      mistakes(state).length > 0 && button(t("retry"), () => retry(state)),
      button(t("heat-map"), () => set(state, { heat: !isHeat }), { "aria-pressed": isHeat ? "true" : "false" }),
      flipControl(state), button(t("edit-position"), () => edit(state, state.position.text)),
      node.parent && node.parent.children[0] !== node && button(t("drop-variation"), () => drop(state))),
    again && h("p", { class: "retry", role: "status" }, again.said),
    state.notice !== null && h("p", { class: "notice", role: "status" }, state.notice),
    isHeat && h("p", { class: "legend" }, h("i", { class: "scale", "aria-hidden": "true" }), t("heat-legend")),
    state.there && hasServer() && h("p", {}, h("a", { href: `/results/${encodeURIComponent(state.there.folder)}` },
      `${t("report")}: ${state.there.folder}`), " ", h("a", { href: `#watch=${state.there.folder}` }, t("watch"))),
    graph(state), ...thoughts(state), account(state), whyList(state), moves(state), walkList(state), exchange(state));
}

/** For each square, 0 (least regret) to 1, of the patch in hand or the best one. */
function heatOf(state: State): (number | undefined)[] | undefined {
  const { analysis: { heat, live }, position, hand, engine } = state;
  if (!heat || position.mover === null) return undefined;
  const best = patchOfAction(live?.best ?? "A");
  const patch = hand && hand.patch !== SPECIAL ? hand.patch : best > 0
    && best !== SPECIAL ? best : position.offers[0]?.patch;
  if (patch === undefined) return undefined;
  return memo("heat", [position, patch], () => {
    const { squares } = engine.ask("regret", { game: { start: position.text, actions: [] }, patch });
    const known = squares.filter((one): one is number => one !== null);
    const [least, most] = [Math.min(...known), Math.max(...known)];
    return squares.map((one) => (one === null ? undefined : most === least ? 0 : (one - least) / (most - least)));
  });
}

export function analysisController(state: State, hands: Hands): Controller {
  return {
    beside: PANEL, above: BAR,
    draw(layout) {
      const { analysis: { live, heat }, hand } = state;
      const narrow = layout.arrangement === "narrow";
      const isShown = !isAsked(state);
      const placing = live?.best && isShown ? placingOf(state, live.best) : null;
      const best = placing && { ...ghostAt(state, patchOfAction(live!.best!), placing.orientation, placing.corner,
        true), suggestion: true };
      const shades = heatOf(state);
      const { last, mover } = state.position;
      const status = live?.best && isShown ? [t("best-is", ""), moveWords(state, live.best, mover)] : [t("analyse")];
      return [
        table(state, layout, { names: namesOf(state), near: nearSeat(state),
          status: h("div", { key: "status" }, h("p", { class: "status" }, ...status),
            last && !narrow && h("p", { class: "last-move" }, t("last-move"),
              moveWords(state, last.action, last.player))),
          controls: narrow && !hand ? stepButtons(lineSteps(state)) : [], hands, open: openStrip(state),
          wheel: (event) => stepWheel(lineSteps(state), event), suggestions: best && !heat ? [best] : [],
          bar: isShown && bar(state), heat: shades }),
        panel(state, narrow)];
    },
    key: (event) => handKey(state, event) || stepKey(lineSteps(state), event), act: (action) => act(state, action),
    follow: () => analyse(state),
    leave: () => {
      halt(state);
      state.analysis = { ...firstAnalysis, heat: state.analysis.heat, text: state.analysis.text,
        progress: state.analysis.progress };
    },
  };
}

