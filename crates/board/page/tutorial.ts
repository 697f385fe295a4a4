// The tutorial: ten steps through positions of a game that was played between two agents.
//
// A step shows a position and asks for something. Whether it was done is read from what the engine says that a move
// does; the tutorial knows no rules.

import type { EffectView, GameText } from "./api";
import { button, unless } from "./controls";
import { h, type Child, type Element_ } from "./dom";
import { freshGame, openOf } from "./games";
import { handKey, show as showInHand, type Hands } from "./hand";
import { icon } from "./icons";
import { playNow } from "./play";
import { moveText } from "./say";
import { goTo, hold, openStrip, playAction, type Controller, type Lesson, type State } from "./state";
import { table } from "./table";
import { t, type Text } from "./texts";

/** What a step asks for. `read` and `end` ask for nothing. */
export type Goal = "read" | "pick" | "place" | "advance" | "income" | "again" | "special" | "sew" | "seven" | "end";

export interface Step {
  readonly goal: Goal;
  /** The number of plies of the game before the position. */ readonly ply: number;
}

/** A game that the champion won as the first player against mcts-fast, 34 to 15. */
const START = "original 8 27 12 16 10 6 2 13 29 14 20 26 3 4 32 9 22 18 5 24 33 7 30 23 19 11 28 25 21 31 15 17 1";
const ACTIONS = ("27:b1a2b2c2d2b3 16:a1b1c1c2d2 6:d1e1e2f2 13:a3a4a5a6 A 14:c1d1e1f1e2 3:f1g1g2 32:h1i1h2h3h4i4 A "
  + "22:a2a3b3c3a4 S:b2 24:a7b7b8c8a9b9 33:d3b4c4d4e4f4d5 30:b4b5c5d5e5b6 11:g1h1i1g2i2 S:a1 A 21:f2e3f3g3f4 "
  + "31:f3g3g4g5g6h6 15:a5a6b6a7b7a8 S:i2 1:h2h3 12:c3d3c4d4e4 A A 29:g4f5g5h5i5h6 20:c6d6e6f6g6 26:b5c5c6d6d7 "
  + "9:c7d7d8d9 5:e7e8e9 23:e5f5e6f6f7g7 S:e3 25:f7g7h7g8f9g9h9 8:i6i7h8i8 10:i6h7i7i8 2:c7b8c8 A S:h5 A A A "
  + "18:d8e8f8g8d9e9").split(" ");

/** The positions at which the first player did in the game what the step asks for. */
export const STEPS: readonly Step[] = [
  { goal: "read", ply: 0 }, { goal: "pick", ply: 0 }, { goal: "place", ply: 0 }, { goal: "advance", ply: 8 },
  { goal: "income", ply: 11 }, { goal: "again", ply: 13 }, { goal: "special", ply: 14 }, { goal: "sew", ply: 15 },
  { goal: "seven", ply: 32 }, { goal: "end", ply: ACTIONS.length },
];

export const stepGame = (step: number): GameText => ({ start: START, actions: ACTIONS.slice(0, STEPS[step]!.ply) });

/** What was played in the game at a step: a way to do what it asks for. */
export const shownAction = (step: number): string | undefined => ACTIONS[STEPS[step]!.ply];

/** Whether a move does what a goal asks for. */
export const meets: Readonly<Record<Goal, (effect: EffectView, mover: number) => boolean>> = {
  read: () => true, end: () => true, pick: ({ squares }) => squares > 1, place: ({ squares }) => squares > 1,
  advance: ({ action }) => action === "A", income: ({ income }) => income > 0,
  again: ({ next, specials }, mover) => next === mover && specials.length === 0,
  special: ({ specials }) => specials.length > 0, sew: ({ action }) => action.startsWith("S"),
  seven: ({ bonus }) => bonus,
};

/** The lesson after a step was entered: some steps ask for nothing. */
export const enter = (step: number): Lesson =>
  ({ step, done: STEPS[step]!.goal === "read" || STEPS[step]!.goal === "end", missed: false });

export const firstLesson: Lesson = enter(0);

function enterStep(state: State, step: number): void {
  const { hand, lesson, page } = state;
  const { goal } = STEPS[step]!;
  // The patch that was picked up stays in the hand for the step that places it.
  const carried = goal === "place" && STEPS[lesson.step]!.goal === "pick" ? hand : null;
  state.lesson = enter(step);
  const { tree, node } = freshGame(stepGame(step), {});
  state.tree = tree;
  goTo(state, node);
  if (carried) hold(state, carried);
  page.say(`${t(`lesson-${goal}-title`)}. ${t(`lesson-${goal}`)}`);
  page.redraw();
}

/** A move in the tutorial: it stays if it is what the step asks for. */
function act(state: State, action: string): void {
  const { lesson, node, page } = state;
  const mover = state.position.mover!;
  const effect = playAction(state, action);
  state.opened = null;
  if (lesson.done || !meets[STEPS[lesson.step]!.goal](effect, mover)) {
    goTo(state, node);
    state.lesson = { ...lesson, missed: !lesson.done };
    page.say(t("lesson-missed"));
  } else {
    state.lesson = { ...lesson, done: true, missed: false };
    page.say(`${moveText(t("you"), effect)} ${t("lesson-done")}`);
  }
  page.redraw();
}

function card(state: State): Element_ {
  const { step, done, missed } = state.lesson;
  const { goal } = STEPS[step]!;
  const control = (kind: string, text: Text, call: () => void, off = false) =>
    button(h("span", {}, t(text)), () => off || call(), { key: text, ...unless(!off) }, `control ${kind}`);
  const shown = shownAction(step);
  const way = (i: number) => (i < step ? "past" : i === step ? "now" : "");
  return h("div", { key: "lesson", class: "lesson", role: "region", "aria-label": t("learn") },
    h("p", { class: "lesson-number" }, t("lesson-number", step + 1, STEPS.length),
      h("span", { class: "lesson-dots", "aria-hidden": "true" }, ...STEPS.map((_, i) => h("i", { class: way(i) })))),
    h("h2", {}, t(`lesson-${goal}-title`)), h("p", {}, t(`lesson-${goal}`)),
    h("div", { class: "buttons-row" }, control("", "lesson-back", () => enterStep(state, step - 1), step === 0),
      !done && shown !== undefined && control("", "lesson-show", () => showInHand(state, shown)),
      goal === "end" ? control("main", "lesson-play", () => void playNow(state))
      : control(done ? "main" : "", done ? "lesson-next" : "lesson-skip", () => enterStep(state, step + 1)),
      h("div", { role: "status", class: "lesson-state" }, missed && h("p", { class: "missed" }, t("lesson-missed")),
        done && goal !== "read" && goal !== "end" && h("p", { class: "done" }, icon("check"), t("lesson-done")))));
}

export function tutorialController(state: State, hands: Hands): Controller {
  return {
    beside: 300, above: 120, isCard: true,
    draw(layout): Child[] {
      const { lesson, position, hand } = state;
      // A patch in the hand is all that one step asks for.
      if (STEPS[lesson.step]!.goal === "pick" && hand && !lesson.done) state.lesson = { ...lesson, done: true };
      const status = position.waiting > 0 ? t("place-special") : state.lesson.done ? "" : t("your-move");
      return [card(state),
        table(state, layout, { names: [t("you"), t("opponent")], near: 0,
          status: position.mover === null ? null : h("p", { key: "status", class: "status" }, status), controls: [],
          hands, open: openStrip(state) })];
    },
    key(event) {
      if (handKey(state, event)) return true;
      if (event.key.toLowerCase() !== "u") return false;
      enterStep(state, state.lesson.step);
      return true;
    },
    act: (action) => act(state, action),
    /** The game of the tab is put aside. */
    enter() {
      state.aside = openOf(state);
      enterStep(state, state.lesson.step);
    },
    leave() {
      if (state.aside) Object.assign(state, state.aside);
      state.aside = null;
    },
  };
}
