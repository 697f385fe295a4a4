// A game with its variations: a tree of actions, of which one position is looked at.

import type { GameText } from "./api";

export interface Evaluation {
  /** The first player's win probability, 0 to 1. */
  readonly first: number;
  /** The first player's expected margin in points. */
  readonly margin: number;
  readonly best: string | null;
  readonly iterations: number;
}

export interface Node {
  readonly action: string;
  readonly parent: Node | null;
  /** The first child continues the line; the others are variations. */
  readonly children: Node[];
  comment: string;
  evaluation: Evaluation | null;
}

export interface Tree {
  readonly start: string;
  readonly root: Node;
}

const fresh = (action: string, parent: Node | null): Node => ({ action, parent, children: [], comment: "", evaluation: null });

export function treeOf(game: GameText, comments: readonly (string | null)[] = []): { tree: Tree; last: Node } {
  const root = fresh("", null);
  let last = root;
  game.actions.forEach((action, i) => {
    last = add(last, action);
    last.comment = comments[i] ?? "";
  });
  return { tree: { start: game.start, root }, last };
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
export function pathTo(node: Node): Node[] {
  const path: Node[] = [];
  for (let at: Node | null = node; at?.parent; at = at.parent) path.unshift(at);
  return path;
}

export const gameTo = (tree: Tree, node: Node): GameText => ({ start: tree.start, actions: pathTo(node).map(({ action }) => action) });

/** The line through a node: what led to it and its first continuations. */
export function lineThrough(node: Node): Node[] {
  const line = pathTo(node);
  for (let at = node.children[0]; at; at = at.children[0]) line.push(at);
  return line;
}

/** Makes the line to a node the first one everywhere. */
export function promote(node: Node): void {
  for (let at = node; at.parent; at = at.parent) {
    const siblings = at.parent.children;
    siblings.splice(siblings.indexOf(at), 1);
    siblings.unshift(at);
  }
}

export function remove(node: Node): Node | null {
  const { parent } = node;
  if (parent) parent.children.splice(parent.children.indexOf(node), 1);
  return parent;
}

/** A tree as data: each node is its action, its comment, and its children. */
export type Stored = [action: string, comment: string, children: Stored[]];

export const store = (node: Node): Stored => [node.action, node.comment, node.children.map(store)];

export function restore(stored: Stored, parent: Node | null = null): Node {
  const node = fresh(stored[0], parent);
  node.comment = stored[1];
  for (const child of stored[2]) node.children.push(restore(child, node));
  return node;
}

/** The way to a node as the places of the children, for storage. */
export function placesTo(node: Node): number[] {
  const places: number[] = [];
  for (let at = node; at.parent; at = at.parent) places.unshift(at.parent.children.indexOf(at));
  return places;
}

export function nodeAt(root: Node, places: readonly number[]): Node {
  let node = root;
  for (const place of places) node = node.children[place] ?? node;
  return node;
}
