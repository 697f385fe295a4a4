// A page as a value: elements are described, and the document is changed to match the description.
//
// A description that is the same object as last time is skipped, so a drawing that is kept (a placed
// patch, the patterns of the cloth) costs nothing to draw again. Elements keep their identity, so the
// focus, the pointer's capture and running animations outlive a drawing.

export type Child = Element_ | string | number | null | undefined | false;

export interface Element_ {
  readonly tag: string; readonly attributes: Attributes; readonly children: readonly (Element_ | string)[];
  readonly key: string | undefined;
}

export interface Attributes {
  /** Siblings with keys are matched by them, not by their places. */ key?: string;
  /** Custom properties and styles, set through the object model because the page allows no inline styles. */
  styles?: Readonly<Record<string, string>>;
  /** Called when the element enters the document. */ created?: (element: HTMLElement | SVGElement) => void;
  [name: string]: unknown;
}

export const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set("svg g path rect circle ellipse text tspan defs pattern title linearGradient stop".split(" "));

/** Describes an element. Names that start with "on" are listeners; false and undefined leave an attribute out. */
export function h(tag: string, attributes: Attributes = {}, ...children: (Child | readonly Child[])[]): Element_ {
  const kept: (Element_ | string)[] = [];
  for (const child of children.flat() as Child[]) {
    if (child === null || child === undefined || child === false || child === "") continue;
    kept.push(typeof child === "number" ? String(child) : child);
  }
  return { tag, attributes, children: kept, key: attributes.key };
}

const remembered = new Map<string, { parts: readonly unknown[]; drawing: unknown }>();

/** What was made before, unless one of its parts has changed: a description that is the same object is not compared. */
export function memo<T>(key: string, parts: readonly unknown[], make: () => T): T {
  const known = remembered.get(key);
  if (known?.parts.length === parts.length
    && known.parts.every((part, i) => part === parts[i])) return known.drawing as T;
  const drawing = make();
  remembered.set(key, { parts, drawing });
  return drawing;
}

const drawn = new WeakMap<Node, Element_>();

/** Makes the children of `root` match the description. */
export const draw = (root: Element, children: readonly Child[]): void => match(root, h("root", {}, children).children);

/** Calls in the next frame, once, however often it is asked to. */
export function oncePerFrame(call: () => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      call();
    });
  };
}

/** Gives the keyboard to the element that a selector finds, once what was asked for is drawn. */
export function focusDrawn(selector: string): void {
  requestAnimationFrame(() => requestAnimationFrame(() =>
    document.querySelector<HTMLElement | SVGElement>(selector)?.focus()));
}

function create(description: Element_ | string): Node {
  if (typeof description === "string") return document.createTextNode(description);
  // A title and an anchor exist in both languages; the pages use only SVG's title.
  const element = SVG_TAGS.has(description.tag) ? document.createElementNS(SVG, description.tag)
    : document.createElement(description.tag);
  update(element, h(description.tag), description);
  description.attributes.created?.(element);
  return element;
}

function set(element: HTMLElement | SVGElement, name: string, before: unknown, value: unknown): void {
  if (name === "key" || name === "created") return;
  if (name === "styles") {
    const old = (before ?? {}) as Record<string, string>;
    const now = (value ?? {}) as Record<string, string>;
    for (const property of Object.keys(old)) if (!(property in now)) element.style.removeProperty(property);
    for (const [property, text] of Object.entries(now)) {
      if (old[property] !== text) element.style.setProperty(property, text);
    }
    return;
  }
  if (name.startsWith("on")) return listen(element, name.slice(2), value as Listeners[string]);
  if (name === "value" || name === "checked" || name === "open") {
    const field = element as unknown as Record<string, unknown>;
    if (value !== undefined && field[name] !== value) field[name] = value;
    return;
  }
  if (value === false || value === undefined || value === null) element.removeAttribute(name);
  else if (before !== value) element.setAttribute(name, value === true ? "" : String(value));
}

type Listeners = Record<string, ((event: Event) => void) | undefined>;
const listeners = new WeakMap<Element, Listeners>();

/** One listener for each kind of event, whose function can change with every drawing. */
function listen(element: Element, kind: string, call: Listeners[string]): void {
  const all = listeners.get(element) ?? {};
  listeners.set(element, all);
  const passive = kind === "wheel" || kind === "touchmove" || kind === "touchstart" ? { passive: false } : undefined;
  if (!(kind in all)) element.addEventListener(kind, (event) => all[kind]?.(event), passive);
  all[kind] = call;
}

function update(element: HTMLElement | SVGElement, before: Element_, after: Element_): void {
  if (before === after) return;
  for (const name of Object.keys(before.attributes)) {
    if (!(name in after.attributes)) set(element, name, before.attributes[name], undefined);
  }
  for (const [name, value] of Object.entries(after.attributes)) set(element, name, before.attributes[name], value);
  match(element, after.children);
  drawn.set(element, after);
  // The value of a choice can only be set when its options are there.
  if ("value" in after.attributes) set(element, "value", undefined, after.attributes["value"]);
}

function match(parent: Element, children: readonly (Element_ | string)[]): void {
  const keyed = new Map<string, Node>();
  for (const node of parent.childNodes) {
    const key = drawn.get(node)?.key;
    if (key !== undefined) keyed.set(key, node);
  }
  let at: Node | null = parent.firstChild;
  for (const child of children) {
    if (typeof child === "string") {
      if (at?.nodeType === Node.TEXT_NODE) {
        if (at.nodeValue !== child) at.nodeValue = child;
        at = at.nextSibling;
      } else parent.insertBefore(document.createTextNode(child), at);
      continue;
    }
    const candidate: Node | null = child.key !== undefined ? (keyed.get(child.key) ?? null) : at;
    const before = candidate ? drawn.get(candidate) : undefined;
    if (candidate && before && before.tag === child.tag && before.key === child.key) {
      keyed.delete(child.key ?? "");
      if (candidate === at) at = at.nextSibling;
      else parent.insertBefore(candidate, at);
      update(candidate as HTMLElement, before, child);
    } else {
      parent.insertBefore(create(child), at);
    }
  }
  while (at) {
    const next: Node | null = at.nextSibling;
    parent.removeChild(at);
    at = next;
  }
}
