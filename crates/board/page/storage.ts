// What outlives a reload: settings for all tabs, and one game for each tab.
//
// A tab knows its game by a name in sessionStorage, which a reload keeps. A duplicated tab starts with the same name;
// a lock tells that it is taken, and the tab continues with a copy under a name of its own.

import type { Seat, View } from "./state";
import type { Stored } from "./tree";

export interface Settings {
  language: "en" | "de" | null;
  theme: "auto" | "light" | "dark";
}

/** A tab's game as it is stored. */
export interface Kept {
  view: View;
  start: string;
  root: Stored;
  places: number[];
  seats: [Seat, Seat];
  time: number;
  when: number;
}

const SETTINGS = "patchwork.settings";
const GAME = "patchwork.game.";
const MOST_GAMES = 20;

function read<T>(storage: Storage, key: string): T | null {
  try {
    const text = storage.getItem(key);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

function write(storage: Storage, key: string, value: unknown): void {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage (a private window, a full disk) the game lives as long as the page.
  }
}

export const readSettings = (): Settings => ({ language: null, theme: "auto", ...read<Partial<Settings>>(localStorage, SETTINGS) });
export const writeSettings = (settings: Settings): void => write(localStorage, SETTINGS, settings);

let name: string | null = null;

/** Finds this tab's game: its own, or the latest that no other tab holds. */
export async function claimGame(): Promise<Kept | null> {
  const own = read<string>(sessionStorage, "patchwork.tab");
  const latest = names().sort((one, two) => (keptAt(two) ?? 0) - (keptAt(one) ?? 0));
  for (const candidate of own ? [own, ...latest] : latest) {
    const kept = read<Kept>(localStorage, GAME + candidate);
    if (await lock(candidate)) {
      take(candidate);
      return kept;
    }
    // The tab was duplicated: it goes on with a copy.
    if (candidate === own && kept) {
      await newName();
      return kept;
    }
  }
  await newName();
  return null;
}

const keptAt = (candidate: string) => read<Kept>(localStorage, GAME + candidate)?.when;

function names(): string[] {
  const all: string[] = [];
  for (let i = 0; i < localStorage.length; i++) {
    const key = localStorage.key(i);
    if (key?.startsWith(GAME)) all.push(key.slice(GAME.length));
  }
  return all;
}

function take(candidate: string): void {
  name = candidate;
  write(sessionStorage, "patchwork.tab", candidate);
}

async function newName(): Promise<void> {
  const candidate = `${Date.now().toString(36)}-${Math.floor(Math.random() * 1e9).toString(36)}`;
  await lock(candidate);
  take(candidate);
  for (const old of names().sort((one, two) => (keptAt(two) ?? 0) - (keptAt(one) ?? 0)).slice(MOST_GAMES)) localStorage.removeItem(GAME + old);
}

/** Holds a name until the tab is closed; false if another tab holds it. */
function lock(candidate: string): Promise<boolean> {
  const { locks } = navigator;
  if (!locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    void locks.request(GAME + candidate, { ifAvailable: true }, (held) => {
      resolve(held !== null);
      return held === null ? undefined : new Promise<void>(() => {});
    }).catch(() => resolve(true));
  });
}

export function keepGame(kept: Kept): void {
  if (name !== null) write(localStorage, GAME + name, kept);
}
