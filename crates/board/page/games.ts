// What outlives a reload: settings, and every game that was played or opened, until somebody deletes it.
//
// A tab knows its game by a name in sessionStorage, which a reload keeps. A duplicated tab starts with the same name; a
// lock tells that it is taken, and the tab continues with a copy under a name of its own.

import { positionAt, type Kept, type OpenGame, type Settings, type State } from "./state";
import { mainLine, merge, nodeAt, placesTo, restore, store, treeOf } from "./tree";

const SETTINGS = "patchwork.settings";
const GAME = "patchwork.game.";
const TAB = "patchwork.tab";

function read<T>(storage: Storage, key: string): T | null {
  try {
    return JSON.parse(storage.getItem(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}

/** False without storage: a private window, or a full disk. */
function write(storage: Storage, key: string, value: unknown): boolean {
  try {
    storage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export const readSettings = (): Settings =>
  ({ language: null, theme: "auto", ...read<Partial<Settings>>(localStorage, SETTINGS) });
export const writeSettings = (settings: Settings): void => void write(localStorage, SETTINGS, settings);

export const newId = (): string => `${Date.now().toString(36)}-${Math.floor(Math.random() * 1e9).toString(36)}`;
export const randomSeed = (): number => Math.floor(Math.random() * 2 ** 31);

/** All games, the one that was changed last first. */
export function allGames(): [id: string, game: Kept][] {
  const games: [string, Kept][] = [];
  for (let i = 0; i < localStorage.length; i++) {
    const key = localStorage.key(i)!;
    const kept = key.startsWith(GAME) ? read<Kept>(localStorage, key) : null;
    if (kept?.root) games.push([key.slice(GAME.length), kept]);
  }
  return games.sort(([, one], [, two]) => two.when - one.when);
}

/** Whether a game is shown among the games: it was played or opened. */
export const isWanted = (kept: Kept): boolean => kept.wanted || kept.root[2].length > 0;

export const writeGame = (id: string, kept: Kept): boolean => write(localStorage, GAME + id, kept);
/** Changes what is stored of a game. */
export function amendGame(id: string, part: Partial<Kept>): void {
  const kept = read<Kept>(localStorage, GAME + id);
  if (kept) writeGame(id, { ...kept, ...part });
}

/** Deletes a game; what was stored of it. */
export function dropGame(id: string): Kept | null {
  const kept = read<Kept>(localStorage, GAME + id);
  localStorage.removeItem(GAME + id);
  return kept;
}

/** A game that begins here. */
export const freshGame = (game: { start: string; actions: string[] }, more: Partial<OpenGame>): OpenGame => ({
  id: newId(), title: "", ...treeOf(game), seats: [{ kind: "person" }, { kind: "person" }], time: 0, seed: randomSeed(),
  names: null, made: Date.now(), wanted: false, accuracy: null, there: null, ...more });

export function restored(id: string, kept: Kept): OpenGame {
  const { title, seats, time, seed, names, made, wanted, accuracy, there, start, places } = kept;
  const root = restore(kept.root);
  return { id, title, tree: { start, root }, node: nodeAt(root, places), seats, time, seed, names, made, wanted, accuracy,
    there };
}

/** What this tab has stored last. */
let written: string | null = null;

/** Stores the open game as it is now; false if the browser has no room for it. What another tab has stored of it in the
 * meantime is kept: browsers have no locks for pages that are served without encryption. */
export function saveGame(state: State): boolean {
  if (state.aside) return true;
  const { title, seats, time, seed, names, made, wanted, accuracy, tree, node, view, id } = state;
  const other = localStorage.getItem(GAME + id) === written ? null : read<Kept>(localStorage, GAME + id);
  if (other?.root) merge(tree.root, other.root);
  const there = (state.there ??= other?.there ?? null);
  const { outcome } = positionAt(state, mainLine(tree).at(-1)!);
  if (read<string>(sessionStorage, TAB) !== id) write(sessionStorage, TAB, id);
  const isKept = writeGame(id, { title, seats: [...seats], time, seed, names, made, wanted, accuracy, there, view,
    start: tree.start, root: store(tree.root), places: placesTo(node), when: Date.now(), result: outcome });
  written = localStorage.getItem(GAME + id);
  return isKept;
}

let held = "";
let release = (): void => {};

/** Holds a game until another is held or the tab is closed; false if another tab holds it. */
export function holdGame(id: string): Promise<boolean> {
  const { locks } = navigator;
  if (!locks || id === held) return Promise.resolve(true);
  return new Promise((resolve) => {
    void locks.request(GAME + id, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      if (lock === null) return undefined;
      release();
      held = id;
      return new Promise<void>((done) => { release = done; });
    }).catch(() => resolve(true));
  });
}

/** Finds this tab's game: its own, or the latest that no other tab holds. */
export async function claimGame(): Promise<[id: string, game: Kept] | null> {
  const own = read<string>(sessionStorage, TAB);
  const games = allGames();
  const mine = games.find(([id]) => id === own);
  // A tab that was duplicated goes on with a copy.
  if (mine) return (await holdGame(mine[0])) ? mine : [newId(), mine[1]];
  for (const one of games) if (await holdGame(one[0])) return one;
  return null;
}
