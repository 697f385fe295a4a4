// Picking up, carrying and dropping patches, with mouse, pen, touch and keyboard.

import { SPECIAL } from "./cloth";
import { focusDrawn, h, type Child } from "./dom";
import { CELL, pointOf, SIDE } from "./geometry";
import { BORDER, patchPicture, QUILT, squareAt } from "./quilt";
import { gainsOf, patchName } from "./say";
import { actionAt, clampCorner, effectOf, emptyHand, firstPlacing, hold, isLegalHand, legalCorners, patchIn,
  patchOfAction } from "./state";
import { moved, personMoves, placingOf, reoriented, squareNames, type Hand, type Shown, type State } from "./state";
import { t } from "./texts";

/** Pixels that a pointer moves before a press becomes a drag: a finger is less steady than a mouse. */
const SLACK = { mouse: 6, touch: 10 };
/** Squares by which a patch is drawn to the nearest place where it fits. */
const MAGNET = 0.8;
/** Pixels above a finger at which it carries a patch from the tray, so that it stays in sight. */
const FINGER = 58;
/** Milliseconds without news after which the wheel begins to turn anew, and between two notches. */
const WHEEL_REST = 150;
const WHEEL_NOTCH = 250;

/** The quilt of the player to move, and how many of its units a pixel has. */
function quiltOnPage({ position }: State): { box: DOMRect; scale: number } | null {
  const element = document.querySelector(`.table .quilt.mine[data-seat="${position.mover}"]`);
  const box = element?.getBoundingClientRect();
  return box ? { box, scale: QUILT / box.width } : null;
}

/** Where the patch in hand lies on the page, if it is over the quilt. */
function boxOf(state: State, { patch, orientation, corner }: Hand): DOMRect | null {
  const found = quiltOnPage(state);
  if (!found || corner === null) return null;
  const { box, scale } = found;
  const { columns, rows } = patchIn(state, patch).orientations[orientation]!;
  const [x, y] = pointOf(corner).map((square) => (BORDER + square * CELL) / scale);
  return new DOMRect(box.left + x!, box.top + y!, (columns * CELL) / scale, (rows * CELL) / scale);
}

/** Puts the patch in hand so that its middle is near a point of the page. */
function follow(state: State, x: number, y: number, reach: number): void {
  const { hand } = state;
  const found = quiltOnPage(state);
  if (!hand || !found) return;
  const [column, row] = squareAt(found.box, x, y);
  if (Math.min(column, row) < -reach || Math.max(column, row) > SIDE + reach) {
    if (hand.corner !== null) hold(state, { ...hand, corner: null, pinned: false });
    return;
  }
  const patch = patchIn(state, hand.patch);
  const { columns, rows } = patch.orientations[hand.orientation]!;
  const [left, top] = [column - columns / 2, row - rows / 2];
  let corner = clampCorner(patch, hand.orientation, Math.round(left), Math.round(top));
  const legal = legalCorners(state, hand.patch, hand.orientation);
  if (!legal.includes(corner)) {
    const away = (other: number) => Math.hypot(pointOf(other)[0] - left, pointOf(other)[1] - top);
    const nearest = legal.reduce((best, other) => (best < 0 || away(other) < away(best) ? other : best), -1);
    if (nearest >= 0 && away(nearest) <= MAGNET) corner = nearest;
  }
  if (hand.corner !== corner || hand.pinned) hold(state, { ...hand, corner, pinned: false });
}

/** A patch at the first place where it fits, to be moved from there. */
function laid(state: State, patch: number): Hand {
  const middle = { orientation: 0, corner: clampCorner(patchIn(state, patch), 0, 3, 3) };
  return { patch, ...(placingOf(state, firstPlacing(state, patch) ?? "A") ?? middle), pinned: true };
}

/** Holds a patch otherwise, and says so. */
function told(state: State, hand: Hand | null): void {
  hold(state, hand);
  sayHand(state);
  state.page.redraw();
}

/** Takes a patch with the keyboard, or puts it back. */
function choose(state: State, patch: number): void {
  if (!personMoves(state) || (state.position.waiting > 0 && patch !== SPECIAL)) return;
  told(state, state.hand?.patch === patch && patch !== SPECIAL ? null : laid(state, patch));
  focusDrawn(".quilt.mine");
}

function turnHand(state: State, way: "turned" | "flipped"): void {
  if (state.hand) told(state, reoriented(state, state.hand, way));
}

function putBack(state: State): void {
  if (!state.hand) return;
  hold(state, state.position.waiting > 0 ? emptyHand(SPECIAL) : null);
  state.page.say(t("put-back-said"));
  state.page.redraw();
}

/** Moves the patch in hand by keys. */
function step(state: State, dx: number, dy: number): void {
  const { hand } = state;
  // It appears where it fits, and is moved from there.
  if (hand) told(state, hand.corner === null ? laid(state, hand.patch)
    : { ...moved(state, hand, dx, dy), pinned: true });
}

function place(state: State): void {
  const { hand } = state;
  if (!hand) return;
  if (hand.corner === null || !isLegalHand(state)) return state.page.say(whyNot(state));
  state.page.act(actionAt(patchIn(state, hand.patch), hand.orientation, hand.corner));
}

function advance(state: State): void {
  if (personMoves(state) && state.position.legal.advance) state.page.act("A");
}

/** Why the patch in hand cannot be placed where it lies. */
export function whyNot({ hand, position, patches }: Shown): string {
  const offered = position.offers.find(({ patch }) => patch === hand?.patch);
  if (!offered || offered.affordable || position.mover === null) return t("illegal");
  return t("too-dear", patchIn({ patches }, offered.patch).buttons,
    t("buttons", position.players[position.mover]!.buttons));
}

/** Says what is in hand and where. */
function sayHand(state: State): void {
  const { hand, effect, page } = state;
  if (!hand) return;
  const name = patchName(hand.patch);
  if (hand.corner === null) return page.say(t("in-hand", name, t("off-quilt")));
  const action = actionAt(patchIn(state, hand.patch), hand.orientation, hand.corner);
  const facts = [t("at-squares", squareNames(action)), isLegalHand(state) ? t("legal") : whyNot(state)];
  if (effect) facts.push(t("effect-cost", t("buttons", effect.cost)), t("effect-time", effect.to), ...gainsOf(effect));
  page.say(t("in-hand", name, facts.join(", ")));
}

/** Holds a patch where an action would place it, or points at the advance. */
export function show(state: State, action: string): void {
  const placing = placingOf(state, action);
  hold(state, placing && { patch: patchOfAction(action), ...placing, pinned: true });
  if (!placing) {
    state.effect = effectOf(state, action);
    focusDrawn(".offer.advance");
  }
  sayHand(state);
  state.page.redraw();
}

// ---- pointers

/** What the table tells of pointers. */
export type Hands = ReturnType<typeof handsOf>;

export function handsOf(state: State) {
  const { page } = state;
  const wheel = { last: -Infinity, turned: -Infinity };
  /** The right button turns, the middle one flips; whether it was one of them. */
  const turned = (event: PointerEvent): boolean => {
    if (event.button !== 1 && event.button !== 2) return false;
    event.preventDefault();
    turnHand(state, event.button === 2 ? "turned" : "flipped");
    return true;
  };
  const drag = (event: PointerEvent, grip: readonly [number, number], again: boolean) => {
    // The pointer moves over other elements.
    (event.target as Element).releasePointerCapture?.(event.pointerId);
    const touch = event.pointerType === "touch";
    state.drag = { pointer: event.pointerId, touch, x: event.clientX, y: event.clientY, grip, moved: false, again };
    page.redraw();
  };
  addEventListener("pointermove", (event) => {
    const { drag } = state;
    if (drag?.pointer !== event.pointerId) return;
    const slack = drag.touch ? SLACK.touch : SLACK.mouse;
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < slack) return;
    Object.assign(drag, { moved: true, x: event.clientX, y: event.clientY });
    follow(state, drag.x + drag.grip[0], drag.y + drag.grip[1], 1);
    page.redraw();
  });
  addEventListener("pointerup", (event) => {
    const { drag, hand } = state;
    if (drag?.pointer !== event.pointerId) return;
    state.drag = null;
    if (hand && drag.moved && hand.corner !== null) {
      if (!drag.touch && isLegalHand(state)) place(state);
      else hold(state, { ...hand, pinned: true });
    } else if (hand && !drag.moved && !drag.again && drag.touch) hold(state, laid(state, hand.patch));
    else if (hand && !drag.moved && drag.again && hand.corner === null && hand.patch !== SPECIAL) hold(state, null);
    page.redraw();
  });
  addEventListener("pointercancel", (event) => {
    if (state.drag?.pointer !== event.pointerId) return;
    state.drag = null;
    if (state.hand?.corner != null) hold(state, { ...state.hand, pinned: true });
    page.redraw();
  });
  return {
    /** A patch on offer is pressed; a press without a drag only picks it up. */
    grab(event: PointerEvent, patch: number): void {
      if (turned(event) || event.button !== 0 || !personMoves(state) || state.position.waiting > 0) return;
      const again = state.hand?.patch === patch;
      // A second press puts it back.
      if (again && state.hand!.corner !== null) hold(state, { ...state.hand!, corner: null, pinned: false });
      else if (!again) hold(state, emptyHand(patch));
      drag(event, [0, event.pointerType === "touch" ? -FINGER : 0], again);
    },
    choose: (patch: number): void => choose(state, patch),
    /** The pointer moves over the quilt of the player to move, or is pressed on it. */
    over(event: PointerEvent): void {
      if (!state.hand || state.drag || event.pointerType === "touch" || !personMoves(state)) return;
      const before = state.hand;
      follow(state, event.clientX, event.clientY, 0.7);
      if (before !== state.hand) page.redraw();
    },
    press(event: PointerEvent): void {
      const { hand } = state;
      if (turned(event) || !personMoves(state) || !hand) return;
      if (event.pointerType !== "touch") {
        follow(state, event.clientX, event.clientY, 0.7);
        return isLegalHand(state) ? place(state) : page.redraw();
      }
      // A finger on the patch moves it from where it is; elsewhere the patch comes to the finger.
      const box = boxOf(state, hand);
      const [x, y] = box ? [box.x + box.width / 2 - event.clientX, box.y + box.height / 2 - event.clientY] : [0, 0];
      const isNear = box && Math.abs(x) < box.width / 2 + 8 && Math.abs(y) < box.height / 2 + 8;
      if (!isNear) {
        follow(state, event.clientX, event.clientY, 0.7);
        if (state.hand?.corner != null) hold(state, { ...state.hand, pinned: true });
      }
      drag(event, isNear ? [x, y] : [0, 0], true);
    },
    wheel(event: WheelEvent): void {
      event.preventDefault();
      const now = event.timeStamp;
      // A trackpad sends many small steps for one movement; a wheel sends notches.
      const isNew = now - wheel.last > WHEEL_REST;
      const isNotch = (event.deltaMode !== 0 || Math.abs(event.deltaY) >= 100) && now - wheel.turned > WHEEL_NOTCH;
      wheel.last = now;
      if (!isNew && !isNotch) return;
      wheel.turned = now;
      turnHand(state, "turned");
    },
    pointAdvance(on: boolean): void {
      if (state.hand || !personMoves(state)) return;
      state.effect = on && state.position.legal.advance ? effectOf(state, "A") : null;
      page.redraw();
    },
    advance: (): void => advance(state), turn: (): void => turnHand(state, "turned"),
    flip: (): void => turnHand(state, "flipped"), putBack: (): void => putBack(state), place: (): void => place(state),
  };
}

/** The patch that is dragged, while it is not over the quilt. */
export function carried(state: State): Child {
  const { drag, hand } = state;
  if (!drag?.moved || !hand || hand.corner !== null) return null;
  const patch = patchIn(state, hand.patch);
  const { drawn, columns, rows } = patch.orientations[hand.orientation]!;
  const cell = (quiltOnPage(state)?.box.width ?? 300) / 10.1;
  const [left, top] = [drag.x + drag.grip[0] - (columns * cell) / 2, drag.y + drag.grip[1] - (rows * cell) / 2];
  return h("div", { key: "carried", class: "carried",
    styles: { left: `${left}px`, top: `${top}px`, width: `${columns * cell}px` } },
    patchPicture(patch, drawn));
}

/** The keys of a table on which a person may move; whether it was one of them. */
export function handKey(state: State, event: KeyboardEvent): boolean {
  const { hand, position } = state;
  const held = hand !== null;
  const isPressing = (event.target as Element).closest("button, a, summary") !== null;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const once = (call: () => void) => () => { if (!event.repeat) call(); };
  const keys: Readonly<Record<string, (() => void) | false | undefined>> = {
    ArrowLeft: held && (() => step(state, -1, 0)), ArrowRight: held && (() => step(state, 1, 0)),
    ArrowUp: held && (() => step(state, 0, -1)), ArrowDown: held && (() => step(state, 0, 1)),
    r: held && (() => turnHand(state, "turned")), f: held && (() => turnHand(state, "flipped")),
    Enter: held && !isPressing && once(() => place(state)), " ": held && !isPressing && once(() => place(state)),
    Escape: held && (() => putBack(state)), a: once(() => advance(state)) };
  const offered = /^[123]$/.test(key) ? position.offers[Number(key) - 1] : undefined;
  const call = offered ? () => choose(state, offered.patch) : keys[key];
  if (!call) return false;
  call();
  return true;
}
