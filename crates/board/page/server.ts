// The server that serves this page, if it is one that answers: agents that run natively, and a place for games.
// Without it the page is complete, so everything here may fail.

import type * as api from "./api";
import type { Considered } from "./tree";

/** The number of a stored game, as text from 2^53 on. */
export type GameNumber = number | string;

/** The server does not answer. */
export class ServerGone extends Error {}

/** Milliseconds for a server that did not answer to show that it is there again: a connection can hang for minutes. */
const SIGN_OF_LIFE = 2000;

/** Milliseconds after which one that did not answer is asked again. */
export const AGAIN = 3000;

let isGone = false;

/** Whether a server has sent this page. */
export const hasServer = (): boolean => document.querySelector('meta[name="patchwork-server"]') !== null;

/** Whether it did not answer the last request. */
export const isServerGone = (): boolean => isGone;

async function request<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const asked = async () => {
    if (isGone) await fetch("index.html", { method: "HEAD", signal: AbortSignal.timeout(SIGN_OF_LIFE) });
    return fetch(`/api/${path}`, init);
  };
  const response = await asked().catch(() => null);
  // It is busy, or another one has begun there, whose token this page does not have.
  isGone = response === null || response.status >= 500 || response.status === 401;
  if (response === null || isGone) throw new ServerGone();
  if (!response.ok) throw new Error((await response.text()).trim());
  return (await response.json()) as Answer;
}

const post = <Answer>(path: string, body: unknown): Promise<Answer> =>
  request(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/** A decision by the native program. */
export const decideThere = (ask: api.AskDecision): Promise<api.DecisionView> => post("decide", ask);

export interface Opponent { agent: string; person: number; iterations?: number; milliseconds?: number; }

/** Keeps a finished game; the answer says where. */
export const keepThere = (game: api.GameText, opponent: Opponent): Promise<{ folder: string; number: GameNumber }> =>
  post("keep", { game, ...opponent });

/** The start of the next game that the server has no place for yet. */
export const nextThere = (asked: Opponent & { track: string }): Promise<api.GameText> =>
  request(`next?${new URLSearchParams(Object.entries(asked).map(([key, value]) => [key, String(value)]))}`, {});

/** A results folder. */
export interface FolderFacts {
  name: string; games: number; state: string;
  /** Games that its plan has so far. */ planned: number;
  /** Whether a program is adding games. */ running: boolean;
}

/** A quantity with its 95% interval. */
export interface Estimate { value: number | null; low: number | null; high: number | null; }

export interface Place { agent: string; elo: Estimate; games: number; score: number | null; }

/** A tournament as it stands. */
export interface Progress extends FolderFacts { standings: Place[]; newest: GameNumber[]; }

/** A stored game. */
export interface StoredGame {
  number: GameNumber; names: [string, string]; game: api.GameText; outcome: api.OutcomeView | null; fault: string | null;
  chances: (number | null)[]; considered: Considered[][];
}

/** The games that were found: how many, and those from a place on. */
export interface FoundGames { total: number; from: number; games: StoredGame[]; }

export const resultsThere = (): Promise<FolderFacts[]> => request("results", {});
export const progressThere = (name: string): Promise<Progress> => request(`results/${encodeURIComponent(name)}`, {});
/** Games that a text finds; without a place, the last of them. */
export const gamesThere = (name: string, find: string, count: number, from?: number): Promise<FoundGames> =>
  request(`results/${encodeURIComponent(name)}/games?count=${count}&find=${encodeURIComponent(find)}`
    + (from === undefined ? "" : `&from=${from}`), {});
