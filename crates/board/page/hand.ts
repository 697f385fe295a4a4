// Picking up, carrying and dropping patches, with mouse, pen, touch and keyboard.

import { CELL, pointOf, SIDE } from "./geometry";
import { BORDER, QUILT } from "./quilt";
import { clampCorner, hold, isLegalHand, legalCorners, patchIn, personMoves, type State } from "./state";
import { SPECIAL } from "./cloth";

/** Pixels that a pointer moves before a press becomes a drag. */
const SLACK = 6;
/** Squares by which a patch is drawn to the nearest place where it fits. */
const MAGNET = 0.8;
/** Pixels above a finger at which it carries a patch, so that it stays in sight. */
const FINGER = 58;

/** What is being dragged, and where it is on the page. */
export interface Drag {
  readonly patch: number;
  readonly pointer: number;
  readonly touch: boolean;
  x: number;
  y: number;
  moved: boolean;
  /** The patch was in the hand before it was pressed. */
  readonly again: boolean;
}

export interface HandActs {
  state(): State;
  redraw(): void;
  place(): void;
  say(text: string): void;
}

export class Hands {
  drag: Drag | null = null;

  constructor(private readonly acts: HandActs) {
    addEventListener("pointermove", (event) => this.moved(event));
    addEventListener("pointerup", (event) => this.released(event));
    addEventListener("pointercancel", () => {
      this.drag = null;
      this.acts.redraw();
    });
  }

  /** Starts to carry a patch on offer; a press without a drag only picks it up. */
  grab(event: PointerEvent, patch: number): void {
    const state = this.acts.state();
    if (!personMoves(state) || state.position.specials_waiting > 0) return;
    if (event.button === 2) {
      return;
    }
    if (event.button !== 0) return;
    (event.target as Element).releasePointerCapture?.(event.pointerId);
    const again = state.hand?.patch === patch;
    if (!again) hold(state, { patch, orientation: 0, corner: null, pinned: false });
    this.drag = { patch, pointer: event.pointerId, touch: event.pointerType === "touch", x: event.clientX, y: event.clientY, moved: false, again };
    this.acts.redraw();
  }

  /** Takes a patch with the keyboard: it lies at the first place where it fits. */
  choose(patch: number): void {
    const state = this.acts.state();
    if (!personMoves(state)) return;
    if (state.hand?.patch === patch && patch !== SPECIAL) {
      hold(state, null);
      this.acts.redraw();
      return;
    }
    const orientations = patchIn(state, patch).orientations;
    const orientation = Math.max(0, orientations.findIndex((_, i) => legalCorners(state, patch, i).length > 0));
    const corner = legalCorners(state, patch, orientation)[0] ?? 0;
    hold(state, { patch, orientation, corner, pinned: true });
    this.acts.redraw();
  }

  private moved(event: PointerEvent): void {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SLACK) return;
    drag.moved = true;
    drag.x = event.clientX;
    drag.y = event.clientY;
    this.follow(event.clientX, event.clientY - (drag.touch ? FINGER : 0), false);
    this.acts.redraw();
  }

  private released(event: PointerEvent): void {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    this.drag = null;
    const state = this.acts.state();
    const { hand } = state;
    if (hand && drag.moved && hand.corner !== null) {
      if (!drag.touch && isLegalHand(state)) this.acts.place();
      else hold(state, { ...hand, pinned: true });
    } else if (hand && !drag.moved) {
      if (drag.again) hold(state, null);
      else if (drag.touch) this.choosePlace(state);
    }
    this.acts.redraw();
  }

  /** After a tap on a patch, it lies at the first place where it fits, and can be moved from there. */
  private choosePlace(state: State): void {
    const { hand } = state;
    if (!hand) return;
    const patch = patchIn(state, hand.patch);
    const orientation = Math.max(0, patch.orientations.findIndex((_, i) => legalCorners(state, hand.patch, i).length > 0));
    const corner = legalCorners(state, hand.patch, orientation)[0];
    hold(state, { ...hand, orientation, corner: corner ?? clampCorner(patch, orientation, 3, 3), pinned: true });
  }

  /** The pointer moves over the quilt of the player to move. */
  over(event: PointerEvent): void {
    const state = this.acts.state();
    if (!state.hand || this.drag || event.pointerType === "touch" || !personMoves(state)) return;
    const before = state.hand;
    this.follow(event.clientX, event.clientY, true);
    if (before !== state.hand) this.acts.redraw();
  }

  /** The pointer is pressed on the quilt. */
  press(event: PointerEvent): void {
    const state = this.acts.state();
    if (!personMoves(state) || !state.hand) return;
    if (event.button === 2) return;
    const touch = event.pointerType === "touch";
    if (touch) {
      // The patch jumps to the finger and follows it.
      (event.target as Element).releasePointerCapture?.(event.pointerId);
      this.drag = { patch: state.hand.patch, pointer: event.pointerId, touch: false, x: event.clientX, y: event.clientY, moved: true, again: true };
      this.drag = { ...this.drag, touch: true };
      this.follow(event.clientX, event.clientY, true);
      this.acts.redraw();
      return;
    }
    this.follow(event.clientX, event.clientY, true);
    if (isLegalHand(state)) this.acts.place();
    else this.acts.redraw();
  }

  /** Puts the patch in hand under a point of the page. */
  private follow(x: number, y: number, inside: boolean): void {
    const state = this.acts.state();
    const { hand, position } = state;
    if (!hand || position.mover === null) return;
    const element = document.querySelector(`.quilt.mine[data-seat="${position.mover}"]`);
    const box = element?.getBoundingClientRect();
    if (!box) return;
    const scale = QUILT / box.width;
    const column = ((x - box.left) * scale - BORDER) / CELL;
    const row = ((y - box.top) * scale - BORDER) / CELL;
    const reach = inside ? 0.7 : 1;
    if (column < -reach || row < -reach || column > SIDE + reach || row > SIDE + reach) {
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

  /** Moves the patch in hand by keys. */
  step(dx: number, dy: number): void {
    const state = this.acts.state();
    const { hand } = state;
    if (!hand) return;
    const patch = patchIn(state, hand.patch);
    const [column, row] = hand.corner === null ? [3, 3] : pointOf(hand.corner);
    hold(state, { ...hand, corner: clampCorner(patch, hand.orientation, column + dx, row + dy), pinned: true });
    this.acts.redraw();
  }
}
