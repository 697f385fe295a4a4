// The analysis of a game: what the search thinks of the position, and how well the game was played.

import type * as api from "./api";
import { SPECIAL } from "./cloth";
import { h, type Child, type Element_ } from "./dom";
import { icon, type Icon } from "./icons";
import type { Layout } from "./layout";
import { namesOf } from "./play";
import { wordsOf } from "./say";
import { actionAt, patchIn, type State } from "./state";
import { table, type TableActs } from "./table";
import { signed, t } from "./texts";
import { lineThrough, pathTo, type Node } from "./tree";
import type { Ghost } from "./quilt";

/** What the view shows beside the position. */
export interface Analysis {
  /** What the search knows of the position that is shown. */
  live: api.AnalysisView | null;
  heat: boolean;
  /** How the line through the position was played, once it has been judged. */
  judged: { line: readonly Node[]; view: api.JudgementView } | null;
  /** Positions of the game that are evaluated, of how many; null if none are. */
  progress: readonly [number, number] | null;
  why: api.WhyView | null;
  /** Steps from the root of the search tree, and what is there; null while it is closed. */
  walk: { path: readonly string[]; view: api.TreeView } | null;
  /** The text of the field for games, and what was wrong with it. */
  text: string;
  trouble: string | null;
}

export const firstAnalysis: Analysis = { live: null, heat: false, judged: null, progress: null, why: null, walk: null, text: "", trouble: null };

export interface AnalysisActs extends TableActs {
  go(node: Node): void;
  play(action: string): void;
  judge(): void;
  heat(): void;
  walk(path: readonly string[] | null): void;
  drop(): void;
  editPosition(): void;
  edit(text: string): void;
  read(): void;
  copy(what: "link" | "pgn"): void;
  /** Opens the game in a file. */
  file(file: File): void;
  /** Saves the game as a PGN file. */
  save(): void;
}

const percent = (chance: number) => `${Math.round(chance * 100)}%`;
const points = (margin: number) => signed(Math.round(margin * 10) / 10);

/** The first player's win probability and margin. */
function evaluation(state: State): { first: number; margin: number } | null {
  const { outcome } = state.position;
  if (outcome) return { first: outcome.winner === 0 ? 1 : 0, margin: outcome.scores[0] - outcome.scores[1] };
  const { live } = state.analysis;
  if (!live) return null;
  return live.mover === 0 ? { first: live.chance, margin: live.margin } : { first: 1 - live.chance, margin: -live.margin };
}

function bar(state: State): Child {
  const found = evaluation(state);
  const first = found?.first ?? 0.5;
  const label = found ? t("evaluation", namesOf(state)[0], percent(first), points(found.margin)) : t("no-evaluation");
  return h("div", { key: "bar", class: "evaluation", role: "meter", "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": Math.round(first * 100), "aria-label": label, title: label },
    h("span", { class: "of-first", styles: { width: `${first * 100}%` } }, percent(first)),
    h("span", { class: "of-second" }, percent(1 - first)));
}

/** Where an action would place its patch. */
export function ghostOf(state: State, action: string): Ghost | null {
  if (action === "A" || action.endsWith("?")) return null;
  const id = action.startsWith("S") ? SPECIAL : Number(action.split(":")[0]);
  const patch = patchIn(state, id);
  for (let orientation = 0; orientation < patch.orientations.length; orientation++) {
    const { columns, rows, drawn } = patch.orientations[orientation]!;
    for (let row = 0; row + rows <= 9; row++) {
      for (let column = 0; column + columns <= 9; column++) {
        if (actionAt(patch, orientation, row * 9 + column) === action) return { look: patch.look, orientation: drawn, column, row, legal: true, suggestion: true };
      }
    }
  }
  return null;
}

function lines(state: State, acts: AnalysisActs): Child {
  const { live } = state.analysis;
  if (!live) return h("p", { class: "note" }, state.position.outcome ? t("game-over") : t("searching"));
  const proof = (line: api.LineView) => (line.proven === null ? "" : t(line.proven ? "proven-win" : "proven-loss"));
  return h("table", { class: "lines" },
    h("caption", {}, t("search-facts", live.iterations.toLocaleString(), live.depth)),
    h("thead", {}, h("tr", {}, ...(["move", "chance", "margin", "visits"] as const).map((name) => h("th", { scope: "col" }, t(name))))),
    h("tbody", {}, ...live.lines.map((line, i) =>
      h("tr", { key: line.action, class: i === 0 ? "best" : "" },
        h("td", {}, h("button", { type: "button", class: "move", disabled: line.action.endsWith("?"), onclick: () => acts.play(line.action), title: line.line.join(" ") }, line.action),
          line.line.length > 1 && h("small", { class: "continuation" }, line.line.slice(1, 6).join(" "))),
        h("td", {}, proof(line) || (line.chance === null ? "–" : percent(line.chance))),
        h("td", {}, line.margin === null ? "–" : points(line.margin)),
        h("td", {}, percent(line.share))))));
}

const MARKS: Readonly<Record<string, string>> = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** The win probability through the game, with its mistakes. */
function graph(state: State, acts: AnalysisActs): Child {
  const { judged } = state.analysis;
  if (!judged) return null;
  const nodes = judged.line;
  const [width, height] = [320, 90];
  const x = (i: number) => (nodes.length < 2 ? 0 : (i * width) / (nodes.length - 1));
  const known = nodes.flatMap((node, i) => (node.evaluation ? [[x(i), height * (1 - node.evaluation.first)] as const] : []));
  const path = known.map(([left, top], i) => `${i === 0 ? "M" : "L"}${left.toFixed(1)} ${top.toFixed(1)}`).join("");
  const here = nodes.indexOf(state.node);
  return h("svg", { key: "graph", class: "graph", viewBox: `0 -4 ${width} ${height + 8}`, role: "img", "aria-label": t("graph", namesOf(state)[0]) },
    h("rect", { class: "half", x: 0, y: 0, width, height: height / 2 }),
    h("path", { class: "zero", d: `M0 ${height / 2}H${width}` }),
    h("path", { class: "course", d: path }),
    here >= 0 && h("path", { class: "here", d: `M${x(here)} 0V${height}` }),
    ...judged.view.plies.map((ply, i) => {
      const node = nodes[i + 1];
      if (!ply.grade || !node?.evaluation) return null;
      return h("circle", { key: `m${i}`, class: `mark ${ply.grade}`, cx: x(i + 1), cy: height * (1 - node.evaluation.first), r: 4, onclick: () => acts.go(node) }, h("title", {}, `${i + 1}. ${node.action} ${t(ply.grade as "mistake")}`));
    }));
}

function account(state: State): Child {
  const { judged } = state.analysis;
  if (!judged) return null;
  const names = namesOf(state);
  return h("table", { class: "account" },
    h("thead", {}, h("tr", {}, h("td"), h("th", { scope: "col" }, t("accuracy")), ...judged.view.grades.map(({ name }) => h("th", { scope: "col" }, t(name as "mistake"))))),
    h("tbody", {}, ...judged.view.players.map((player, seat) =>
      h("tr", {}, h("th", { scope: "row" }, names[seat]!), h("td", {}, player.accuracy === null ? "–" : `${player.accuracy.toFixed(1)}%`), ...player.grades.map((count) => h("td", {}, String(count)))))),
    h("caption", {}, judged.view.formula));
}

function moves(state: State, acts: AnalysisActs): Child {
  const { judged } = state.analysis;
  const line = lineThrough(state.node);
  const start = line.length > 0 ? line[0]!.parent! : state.node;
  const grade = (node: Node, i: number) => (judged && judged.line[i + 1] === node ? judged.view.plies[i]?.grade : undefined);
  const others = (node: Node) => node.parent!.children.filter((child) => child !== node);
  return h("ol", { class: "moves", "aria-label": t("moves") },
    h("li", {}, h("button", { type: "button", class: "move", "aria-current": state.node === start ? "step" : undefined, onclick: () => acts.go(start) }, t("start-position"))),
    ...line.map((node, i) => {
      const found = grade(node, i);
      return h("li", { key: String(i) },
        h("button", { type: "button", class: `move ${found ?? ""}`, "aria-current": state.node === node ? "step" : undefined, onclick: () => acts.go(node) },
          h("span", { class: "number" }, `${i + 1}.`), node.action, found && h("b", { title: t(found as "mistake") }, MARKS[found] ?? "")),
        ...others(node).map((other) => h("button", { type: "button", class: "move variation", onclick: () => acts.go(other) }, `(${other.action})`)));
    }));
}

/** What the better move would have gained. */
function whyList(state: State): Child {
  const { why } = state.analysis;
  if (!why) return null;
  const facts = (["squares", "buttons", "income", "income_ahead", "time", "specials", "points", "holes"] as const)
    .filter((name) => why[name] !== 0)
    .map((name) => h("li", {}, t(`why-${name}`, signed(why[name]))));
  return h("div", { class: "why-better" },
    h("h3", {}, t("why-title", wordsOf(why.better.action), wordsOf(why.played.action))),
    facts.length > 0 ? h("ul", {}, ...facts) : h("p", {}, t("why-same")));
}

function walkList(state: State, acts: AnalysisActs): Child {
  const { walk } = state.analysis;
  if (!walk) return h("button", { type: "button", class: "control", onclick: () => acts.walk([]) }, t("walk"));
  return h("div", { class: "walk" },
    h("h3", {}, t("walk")),
    h("p", {}, h("button", { type: "button", class: "move", onclick: () => acts.walk([]) }, t("root")),
      ...walk.path.map((step, i) => h("button", { type: "button", class: "move", onclick: () => acts.walk(walk.path.slice(0, i + 1)) }, step))),
    h("ul", {}, ...walk.view.edges.map((edge) => h("li", { key: edge.step },
      h("button", { type: "button", class: "move", onclick: () => acts.walk([...walk.path, edge.step]) }, edge.step),
      ` ${edge.visits.toLocaleString()} · ${edge.chance === null ? "–" : percent(edge.chance)}`))),
    walk.view.edges.length === 0 && h("p", { class: "note" }, t("leaf")),
    h("button", { type: "button", class: "control", onclick: () => acts.walk(null) }, t("close")));
}

/** The buttons that go through the line. */
function steps({ node }: State, acts: AnalysisActs): Element_[] {
  const line = lineThrough(node);
  const root = pathTo(node)[0]?.parent;
  const step = (to: Node | null | undefined, name: "to-start" | "back" | "forward" | "to-end", sign: Icon) =>
    h("button", { key: name, type: "button", class: "control", "aria-label": t(name), title: t(name), "aria-disabled": to ? undefined : "true", onclick: () => to && acts.go(to) }, icon(sign));
  return [step(root, "to-start", "first"), step(node.parent, "back", "back"), step(node.children[0], "forward", "forward"), step(node.children.length > 0 ? line.at(-1) : null, "to-end", "last")];
}

function panel(state: State, acts: AnalysisActs, narrow: boolean): Element_ {
  const { analysis } = state;
  const node = state.node;
  return h("aside", { key: "panel", class: "panel", "aria-label": t("analyse") },
    lines(state, acts),
    !narrow && h("div", { class: "buttons-row" }, ...steps(state, acts)),
    h("div", { class: "buttons-row" },
      h("button", { type: "button", class: "control main", "aria-disabled": analysis.progress ? "true" : undefined, onclick: () => acts.judge() }, analysis.progress ? t("judging", analysis.progress[0], analysis.progress[1]) : t("judge-game")),
      h("button", { type: "button", class: "control", "aria-pressed": analysis.heat ? "true" : "false", onclick: () => acts.heat() }, t("heat-map")),
      h("button", { type: "button", class: "control", onclick: () => acts.editPosition() }, t("edit-position")),
      node.parent && node.parent.children[0] !== node && h("button", { type: "button", class: "control", onclick: () => acts.drop() }, t("drop-variation"))),
    graph(state, acts), account(state), whyList(state), moves(state, acts), walkList(state, acts),
    h("details", { class: "exchange", ...(analysis.trouble === null ? {} : { open: true }) }, h("summary", {}, t("exchange")),
      h("label", {}, t("paste-here"), h("textarea", { rows: 5, spellcheck: "false", value: analysis.text, oninput: (event: Event) => acts.edit((event.target as HTMLTextAreaElement).value) })),
      analysis.trouble !== null && h("p", { class: "trouble", role: "alert" }, analysis.trouble),
      h("div", { class: "buttons-row" },
        h("button", { type: "button", class: "control main", onclick: () => acts.read() }, t("read-text")),
        h("button", { type: "button", class: "control", onclick: () => acts.copy("link") }, t("make-link")),
        h("button", { type: "button", class: "control", onclick: () => acts.copy("pgn") }, t("make-pgn")),
        h("button", { type: "button", class: "control", onclick: () => acts.save() }, t("save-pgn"))),
      h("label", { class: "file" }, t("open-file"),
        h("input", { type: "file", accept: ".pgn,.txt,text/plain", onchange: (event: Event) => {
          const field = event.target as HTMLInputElement;
          if (field.files?.[0]) acts.file(field.files[0]);
          field.value = "";
        } }))));
}

/** For each square, 0 (least regret) to 1, of the patch in hand or the best one. */
function heat(state: State): (number | undefined)[] | undefined {
  if (!state.analysis.heat || state.position.mover === null) return undefined;
  const best = Number(state.analysis.live?.best?.split(":")[0]);
  const patch = state.hand && state.hand.patch !== SPECIAL ? state.hand.patch : Number.isNaN(best) ? state.position.offers[0]?.patch : best;
  if (patch === undefined) return undefined;
  const { squares } = state.engine.ask("regret", { game: { start: state.position.text, actions: [] }, patch });
  const known = squares.filter((one): one is number => one !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return squares.map((one) => (one === null ? undefined : most === least ? 0 : (one - least) / (most - least)));
}

export function analysisView(state: State, layout: Layout, acts: AnalysisActs): Child[] {
  const { live } = state.analysis;
  const best = live?.best ? ghostOf(state, live.best) : null;
  const shades = heat(state);
  const narrow = layout.arrangement === "narrow";
  const parts = {
    names: namesOf(state),
    near: 0,
    status: h("p", { key: "status", class: "status" }, live?.best ? t("best-is", wordsOf(live.best)) : t("analyse")),
    controls: narrow && !state.hand ? steps(state, acts) : [],
    suggestions: best && !state.analysis.heat ? [best] : [],
    bar: bar(state),
    ...(shades ? { heat: shades } : {}),
  };
  return [table(state, layout, acts, parts), panel(state, acts, narrow)];
}

