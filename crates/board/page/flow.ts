// What happens to the game that is open: it is shown, changed, stored, given away and opened from texts.

import type { GameText } from "./api";
import { allGames, dropGame, forgetGame, freshGame, holdGame, keptOf, newId, restored, saveGame,
  writeGame } from "./games";
import { namesOf } from "./say";
import type { StoredGame } from "./server";
import { firstAnalysis, goTo, update, wholeGame, type Kept, type OpenGame, type State, type View } from "./state";
import { percent, signed, t } from "./texts";
import { gameTo, lineThrough, storedLine, type Node } from "./tree";

/** Whether it was said that there is no room, since something was stored last. */
let isFull = false;

/** Loads the agents once a game has moves: the server may be gone when somebody needs them. */
export function prepare({ engine, tree }: State): void {
  if (tree.root.children.length > 0) engine.load().catch(() => undefined);
}

/** Stores the open game and draws what has changed. */
export function changed(state: State): void {
  prepare(state);
  const isKept = saveGame(state);
  if (!isKept && !isFull) state.trouble = t("storage-full");
  isFull = !isKept;
  state.page.redraw();
}

/** Something was deleted; `back` brings it back, or is false if there is no room for it. */
export const lose = (state: State, what: string, back: () => boolean): void =>
  update(state, { lost: [...state.lost, { what, back }] });

/** Shows the position after a node of the open game. */
export function show(state: State, node: Node): void {
  goTo(state, node);
  state.opened = null;
  changed(state);
  state.page.follow();
}

/** Opens a game in a view. The one that was open stays among the games. */
export function setGame(state: State, game: OpenGame, view: View): void {
  // A game that nobody has touched is not one.
  if (!state.aside) forgetGame(state.id);
  state.aside = null;
  Object.assign(state, game, { analysis: { ...firstAnalysis, heat: state.analysis.heat }, dialog: null, hand: null,
    notice: null, paused: false, seen: false, acted: -Infinity } satisfies Partial<State>);
  void holdGame(game.id);
  state.page.show(view);
}

/** Opens a stored game; if another tab has it open, a copy. */
export async function openKept(state: State, id: string, kept: Kept, view: View): Promise<void> {
  const isFree = await holdGame(id);
  setGame(state, { ...restored(id, kept), id: isFree ? id : newId() }, view);
  if (!isFree) update(state, { notice: t("is-copy") });
}

/** The stored game with these moves. */
const sameGame = (game: GameText, names: OpenGame["names"]) =>
  allGames().find(([, { start, root, names: known }]) => start === game.start
    && !(names && known && names.join() !== known.join()) && storedLine(root).join() === game.actions.join());

/** Opens a game for analysis: the stored one with the same moves, if there is one. */
export function openGame(state: State, game: GameText, names: OpenGame["names"],
  { there = null, chances, considered }: Partial<StoredGame & OpenGame> = {}): Promise<void> {
  const same = sameGame(game, names);
  if (same) return openKept(state, same[0], same[1], "analysis");
  const fresh = freshGame(game, { names, wanted: true, there });
  for (const [i, node] of lineThrough(fresh.node).slice(1).entries()) {
    Object.assign(node, { chance: chances?.[i] ?? null, considered: considered?.[i] ?? [] });
  }
  return Promise.resolve(setGame(state, fresh, "analysis"));
}

/** The games of a text: PGN may have several, each of which begins with its headers. */
const gamesIn = (text: string): string[] =>
  text.trimStart().startsWith("[") ? text.split(/\n[ \t\r]*\n(?=\[)/).filter((one) => one.trim() !== "") : [text];

/** Opens the games that are given as a text. If one of them is broken or there is no room for all of them, none is opened,
 * and what is wrong is said. */
export async function readText(state: State, text: string): Promise<void> {
  const said = (trouble: string) => {
    state.analysis = { ...state.analysis, text, trouble };
    if (state.view !== "analysis") state.trouble = trouble;
    state.page.redraw();
  };
  const texts = gamesIn(text);
  try {
    const isPgn = text.trimStart().startsWith("[");
    if (isPgn && text.replace(/\{[^}]*\}|"[^"]*"/g, "").includes("(")) return said(t("no-variations"));
    const read = texts.map((one, i) => {
      try {
        return state.engine.ask("check", { text: one });
      } catch (error) {
        throw new Error(texts.length > 1 ? t("game-of", i + 1, texts.length,
          (error as Error).message) : (error as Error).message);
      }
    });
    const games = read.map(({ game, names: [first, second] }) =>
      [game, first !== null && second !== null ? [first, second] as const : null] as const);
    const written: string[] = [];
    for (const [game, names] of games.length > 1 ? games.toReversed() : []) {
      if (sameGame(game, names)) continue;
      const fresh = freshGame(game, { names, wanted: true });
      if (!writeGame(fresh.id, keptOf(state, fresh, "analysis"))) {
        written.forEach(dropGame);
        return said(t("storage-full"));
      }
      written.push(fresh.id);
    }
    await openGame(state, ...games[0]!);
    if (read.length > 1) update(state, { notice: t("games-read", read.length) });
  } catch (error) {
    const { message } = error as Error;
    said(/\d/.test(text) || text.trim() === "" ? message : t("not-a-game", message));
  }
}

const LARGEST_FILE = 1e6;

/** Opens the game in a file that was chosen or dropped; what cannot be read is shown as text, with the reason. */
export async function readFile(state: State, file: File): Promise<void> {
  if (file.size > LARGEST_FILE) return update(state, { trouble: t("file-too-large", file.name, LARGEST_FILE / 1e6) });
  const text = await file.text();
  if (state.view !== "analysis") state.page.show("analysis");
  await readText(state, text);
}

// ---- giving games away

export const linkTo = (state: State, game: GameText): string =>
  `${location.href.split("#")[0]}#game=${state.engine.ask("link", { game }).text}`;

/** A whole game as PGN, with what is known of its positions. */
export function pgnOf(state: State, { tree, node }: Pick<OpenGame, "tree" | "node">,
  names: readonly [string, string]): string {
  const line = lineThrough(node);
  const game = gameTo(tree, line.at(-1)!);
  const evaluations = line.map(({ evaluation: one }) => one && { first: one.first, best: one.best });
  const { plies } = state.engine.ask("judge", { game, evaluations });
  const comments = line.slice(1).map(({ evaluation, comment }, i) => {
    const { first, margin } = evaluation ?? { first: 0, margin: 0 };
    const known = evaluation && `${percent(first)} ${signed(Math.round(10 * margin) / 10)}`;
    const grade = plies[i]?.grade && `${plies[i].grade}, better ${evaluations[i]!.best}`;
    return [known, grade, comment].filter(Boolean).join(" ").replaceAll("−", "-") || null;
  });
  return state.engine.ask("pgn", { game, names: [...names], comments }).text;
}

export function saveFile(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export const copied = (text: string): string => {
  void navigator.clipboard?.writeText(text).catch(() => {});
  return text;
};

/** The whole game as a text. */
export const gameAs = (state: State, what: "link" | "pgn"): string =>
  what === "link" ? linkTo(state, wholeGame(state)) : pgnOf(state, state, namesOf(state));
