// What outlives a reload: settings, and every game that was played or opened, until somebody deletes it.
//
// A tab knows its game by a name in sessionStorage, which a reload keeps. A duplicated tab starts with the same name; a
// lock tells that it is taken, and the tab continues with a copy under a name of its own. Browsers have no locks for
// pages that are served without encryption: what is stored is read before anything is written or deleted, because
// another tab may have changed it.

import { PERSON, positionAt, type Kept, type OpenGame, type Settings, type State } from "./state";
import { mainLine, merge, nodeAt, placesTo, restore, store, storedLine, treeOf, type Stored } from "./tree";

const SETTINGS = "patchwork.settings";
const GAME = "patchwork.game.";
const TAB = "patchwork.tab";

/** A storage of the browser; null if it is blocked. */
function storage(name: "localStorage" | "sessionStorage"): Storage | null {
  try {
    return globalThis[name];
  } catch {
    return null;
  }
}

const [local, session] = [storage("localStorage"), storage("sessionStorage")];

/** Whether the browser keeps nothing for this page: games stay in this tab, until it is closed. */
export const isBlocked = local === null;

function read<T>(storage: Storage | null, key: string): T | null {
  try {
    return JSON.parse(storage?.getItem(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}

/** False without storage: a private window, or a full disk. */
function write(storage: Storage | null, key: string, value: unknown): boolean {
  try {
    storage!.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export const readSettings = (): Settings =>
  ({ language: null, theme: "auto", ...read<Partial<Settings>>(local, SETTINGS) });
export const writeSettings = (settings: Settings): boolean => write(local, SETTINGS, settings) || isBlocked;

export const newId = (): string => `${Date.now().toString(36)}-${Math.floor(Math.random() * 1e9).toString(36)}`;
export const randomSeed = (): number => Math.floor(Math.random() * 2 ** 31);

/** Games that the browser has no room for. */
const unsaved = new Map<string, Kept>();

const stored = (id: string): Kept | null => unsaved.get(id) ?? read<Kept>(local, GAME + id);

/** All games, the one that was changed last first. */
export function allGames(): [id: string, game: Kept][] {
  const keys = [...Array(local?.length ?? 0).keys()].map((i) => local!.key(i)!);
  const ids = new Set([...unsaved.keys(), ...keys.filter((key) => key.startsWith(GAME)).map((key) =>
    key.slice(GAME.length))]);
  return [...ids].flatMap((id): [string, Kept][] => {
    const kept = stored(id);
    return kept?.root ? [[id, kept]] : [];
  }).sort(([, one], [, two]) => two.when - one.when);
}

/** Whether a game is shown among the games: it was played or opened. */
export const isWanted = (kept: Kept): boolean => kept.wanted || kept.root[2].length > 0;

/** Stores a game; false if the browser has no room for it. */
export function writeGame(id: string, kept: Kept): boolean {
  if (write(local, GAME + id, kept)) unsaved.delete(id);
  else if (isBlocked) unsaved.set(id, kept);
  else return false;
  return true;
}

/** Changes what is stored of a game; false if the browser has no room for it. */
export function amendGame(state: State, id: string, part: Partial<Pick<Kept, Field>>): boolean {
  const kept = stored(id);
  if (kept && !writeGame(id, { ...kept, ...part })) return false;
  if (state.id === id) Object.assign(state, part, { known: state.known && { ...state.known, ...part } });
  return true;
}

/** Stores the games for which there was no room, as far as there is now. */
const storeOthers = (): void => unsaved.forEach((kept, id) => isBlocked || writeGame(id, kept));

/** Deletes a game; what was stored of it. */
export function dropGame(id: string): Kept | null {
  const kept = stored(id);
  unsaved.delete(id);
  local?.removeItem(GAME + id);
  storeOthers();
  return kept;
}

/** Deletes a game that nobody has touched, here or in another tab. */
export function forgetGame(id: string): void {
  const kept = stored(id);
  if (kept && !isWanted(kept)) dropGame(id);
}

/** Stores a game that was deleted, with what another tab has stored of it since; false if there is no room for it. */
export function bringBack(id: string, kept: Kept): boolean {
  const now = stored(id);
  if (!now) return writeGame(id, kept);
  const root = restore(now.root);
  merge(root, kept.root);
  return writeGame(id, { ...now, root: store(root) });
}

/** A game that begins here. */
export const freshGame = (game: { start: string; actions: string[] }, more: Partial<OpenGame>): OpenGame => ({
  id: newId(), title: "", ...treeOf(game), seats: [PERSON, PERSON], time: 0, seed: randomSeed(),
  names: null, made: Date.now(), wanted: false, accuracy: null, there: null, due: null, known: null, ...more });

/** What tabs that have the same game open can each change. */
const FIELDS = ["title", "seats", "time", "seed", "names", "made", "wanted", "accuracy", "there", "due"] as const;
type Field = (typeof FIELDS)[number];
const fieldsOf = (game: Pick<OpenGame, Field>) =>
  Object.fromEntries(FIELDS.map((name) => [name, game[name]])) as unknown as Pick<OpenGame, Field>;

/** The parts of the state that are the game. */
export const openOf = (state: OpenGame): OpenGame => {
  const { id, tree, node, known } = state;
  return { id, tree, node, known, ...fieldsOf(state) };
};

export function restored(id: string, kept: Kept): OpenGame {
  const root = restore(kept.root);
  return { id, known: kept, tree: { start: kept.start, root }, node: nodeAt(root, kept.places), ...fieldsOf(kept) };
}

/** A game as it is stored. */
export function keptOf({ engine }: Pick<State, "engine">, game: OpenGame, view: Kept["view"]): Kept {
  const { tree, node } = game;
  const { outcome } = positionAt({ engine, tree }, mainLine(tree).at(-1)!);
  return { ...fieldsOf(game), view, start: tree.start, root: store(tree.root), places: placesTo(node), when: Date.now(),
    result: outcome };
}

/** Stores the open game as it is now; false if the browser has no room for it. What another tab has changed of it since
 * this one knew it stays, field by field. */
export function saveGame(state: State): boolean {
  if (state.aside) return true;
  const { id, tree, known } = state;
  const lineOf = (root: Stored) => storedLine(root).join();
  // How well it was played belongs to what was played.
  if (known && lineOf(known.root) !== lineOf(store(tree.root))) state.accuracy = null;
  const other = read<Kept>(local, GAME + id);
  if (other?.root) {
    merge(tree.root, other.root, known?.root);
    const isSame = lineOf(other.root) === lineOf(store(tree.root));
    const text = (value: unknown) => JSON.stringify(value ?? null);
    for (const name of FIELDS) {
      const isChanged = known && text(state[name]) !== text(known[name]);
      if (!isChanged && (isSame || name !== "accuracy")) Object.assign(state, { [name]: other[name] });
    }
  }
  if (read<string>(session, TAB) !== id) write(session, TAB, id);
  const kept = keptOf(state, state, state.view);
  const isKept = writeGame(id, kept);
  if (!isKept) unsaved.set(id, kept);
  else {
    state.known = kept;
    storeOthers();
  }
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

/** Finds this tab's game: its own, or the latest that no other tab holds. A tab that was duplicated has a copy. */
export async function claimGame(): Promise<{ id: string; kept: Kept; isCopy: boolean } | null> {
  const own = read<string>(session, TAB);
  const games = allGames();
  const mine = games.find(([id]) => id === own);
  if (mine) {
    const isCopy = !(await holdGame(mine[0]));
    return { id: isCopy ? newId() : mine[0], kept: mine[1], isCopy };
  }
  for (const [id, kept] of games) if (await holdGame(id)) return { id, kept, isCopy: false };
  return null;
}
