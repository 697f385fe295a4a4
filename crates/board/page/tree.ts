// A game with its variations: a tree of actions, of which one position is looked at.

import type { GameText } from "./api";

export interface Evaluation {
  /** The first player's win probability, 0 to 1. */ readonly first: number;
  /** The first player's expected margin in points. */ readonly margin: number;
  readonly best: string | null; readonly iterations: number;
}

/** An action that was considered: its visits, and the win probability that its player expected of it. */
export type Considered = readonly [action: string, visits: number, chance: number];

export interface Node {
  readonly action: string; readonly parent: Node | null;
  /** The first child continues the line; the others are variations. */ readonly children: Node[];
  comment: string; evaluation: Evaluation | null;
  /** The win probability that the player of the action expected, 0 to 1, if it was recorded. */ chance: number | null;
  /** The actions that the player considered, if they were recorded. */ considered: readonly Considered[];
}

export interface Tree { readonly start: string; readonly root: Node; }

const fresh = (action: string, parent: Node | null): Node =>
  ({ action, parent, children: [], comment: "", evaluation: null, chance: null, considered: [] });

export function treeOf(game: GameText): { tree: Tree; node: Node } {
  const root = fresh("", null);
  return { tree: { start: game.start, root }, node: game.actions.reduce(add, root) };
}

/** The child that this action leads to; made if it is not there. */
export function add(node: Node, action: string): Node {
  const known = node.children.find((child) => child.action === action);
  if (known) return known;
  const child = fresh(action, node);
  node.children.push(child);
  return child;
}

/** The nodes from the root (which is not included) to this one. */
function pathTo(node: Node): Node[] {
  const path: Node[] = [];
  for (let at: Node | null = node; at?.parent; at = at.parent) path.unshift(at);
  return path;
}

export const gameTo = (tree: Tree, node: Node): GameText =>
  ({ start: tree.start, actions: pathTo(node).map(({ action }) => action) });

/** The line through a node: the root, what led to it, and its first continuations. */
export function lineThrough(node: Node): Node[] {
  const path = pathTo(node);
  const line = [path[0]?.parent ?? node, ...path];
  for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

/** The game itself, without variations. */
export const mainLine = ({ root }: Tree): Node[] => lineThrough(root);

/** Makes the line to a node the first one everywhere. */
export function promote(node: Node): void {
  for (let at = node; at.parent; at = at.parent) {
    const siblings = at.parent.children;
    siblings.splice(siblings.indexOf(at), 1);
    siblings.unshift(at);
  }
}

/** A tree as data: each node is its action, its comment, its children, and what is known of it. */
export type Stored = [action: string, comment: string, children: Stored[],
  evaluation?: [first: number, margin: number, best: string | null, iterations: number] | null,
  chance?: number | null, considered?: readonly Considered[],
];

export function store({ action, comment, children, evaluation, chance, considered }: Node): Stored {
  const rounded = (value: number) => Math.round(value * 1e4) / 1e4;
  const { first, margin, best, iterations } = evaluation ?? { first: 0, margin: 0, best: null, iterations: 0 };
  const known: Stored[3] = evaluation && [rounded(first), rounded(margin), best, iterations];
  return [action, comment, children.map(store), known, chance && rounded(chance), considered];
}

export function restore(stored: Stored): Node {
  const root = fresh("", null);
  merge(root, stored);
  return root;
}

/** Adds what another tab has stored of the same game. What both had before and is not here any more was deleted here. */
export function merge(node: Node, [, comment, children, known, chance, considered]: Stored, before?: Stored): void {
  if (known) node.evaluation ??= { first: known[0], margin: known[1], best: known[2], iterations: known[3] };
  node.comment ||= comment;
  node.chance ??= chance ?? null;
  if (considered) node.considered = considered;
  for (const child of children) {
    const same = before?.[2].find(([action]) => action === child[0]);
    if (!same || node.children.some(({ action }) => action === child[0])) merge(add(node, child[0]), child, same);
  }
}

/** The actions of a stored game itself, without variations. */
export function storedLine(root: Stored): string[] {
  const line: string[] = [];
  for (let at = root[2][0]; at; at = at[2][0]) line.push(at[0]);
  return line;
}

/** The way to a node as the places of the children, for storage. */
export const placesTo = (node: Node): number[] => pathTo(node).map((at) => at.parent!.children.indexOf(at));

export const nodeAt = (root: Node, places: readonly number[]): Node =>
  places.reduce((node, place) => node.children[place] ?? node, root);
