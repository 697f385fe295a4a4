// The tutorial: ten steps through positions of a game that was played between two agents.
//
// A step shows a position and asks for something. Whether it was done is read from what the engine says that a move
// does; the tutorial knows no rules.

import type { EffectView, GameText } from "./api";
import { h, type Child, type Element_ } from "./dom";
import { icon } from "./icons";
import type { Layout } from "./layout";
import type { State } from "./state";
import { table, type TableActs } from "./table";
import { t, type Text } from "./texts";

/** What a step asks for. `read` and `end` ask for nothing. */
export type Goal = "read" | "pick" | "place" | "advance" | "income" | "again" | "special" | "sew" | "seven" | "end";

export interface Step {
  readonly goal: Goal;
  /** The number of plies of the game before the position. */
  readonly ply: number;
}

/** Where somebody is in the tutorial. */
export interface Lesson {
  /** Index into the steps. */
  readonly step: number;
  readonly done: boolean;
  /** The last move was legal, but was not what the step asks for. */
  readonly missed: boolean;
}

export const firstLesson: Lesson = { step: 0, done: true, missed: false };

/** A game that the champion won as the first player against mcts-fast, 34 to 15. */
const START =
  "original 8 27 12 16 10 6 2 13 29 14 20 26 3 4 32 9 22 18 5 24 33 7 30 23 19 11 28 25 21 31 15 17 1";
const ACTIONS = (
  "27:b1a2b2c2d2b3 16:a1b1c1c2d2 6:d1e1e2f2 13:a3a4a5a6 A 14:c1d1e1f1e2 3:f1g1g2 32:h1i1h2h3h4i4 A 22:a2a3b3c3a4 S:b2 " +
  "24:a7b7b8c8a9b9 33:d3b4c4d4e4f4d5 30:b4b5c5d5e5b6 11:g1h1i1g2i2 S:a1 A 21:f2e3f3g3f4 31:f3g3g4g5g6h6 15:a5a6b6a7b7a8 S:i2 " +
  "1:h2h3 12:c3d3c4d4e4 A A 29:g4f5g5h5i5h6 20:c6d6e6f6g6 26:b5c5c6d6d7 9:c7d7d8d9 5:e7e8e9 23:e5f5e6f6f7g7 S:e3 " +
  "25:f7g7h7g8f9g9h9 8:i6i7h8i8 10:i6h7i7i8 2:c7b8c8 A S:h5 A A A 18:d8e8f8g8d9e9"
).split(" ");

/** The positions at which the first player did in the game what the step asks for. */
export const STEPS: readonly Step[] = [
  { goal: "read", ply: 0 },
  { goal: "pick", ply: 0 },
  { goal: "place", ply: 0 },
  { goal: "advance", ply: 8 },
  { goal: "income", ply: 11 },
  { goal: "again", ply: 13 },
  { goal: "special", ply: 14 },
  { goal: "sew", ply: 15 },
  { goal: "seven", ply: 32 },
  { goal: "end", ply: ACTIONS.length },
];

export const stepGame = (step: number): GameText => ({ start: START, actions: ACTIONS.slice(0, STEPS[step]!.ply) });

/** What was played in the game at a step: a way to do what it asks for. */
export const shownAction = (step: number): string | undefined => ACTIONS[STEPS[step]!.ply];

/** Whether a move does what a goal asks for. */
export function meets(goal: Goal, effect: EffectView, mover: number): boolean {
  switch (goal) {
    case "read":
    case "end":
      return true;
    case "pick":
    case "place":
      return effect.squares > 1;
    case "advance":
      return effect.action === "A";
    case "income":
      return effect.income > 0;
    case "again":
      return effect.next === mover && effect.specials.length === 0;
    case "special":
      return effect.specials.length > 0;
    case "sew":
      return effect.action.startsWith("S");
    case "seven":
      return effect.bonus;
  }
}

/** The lesson after a step was entered: some steps ask for nothing. */
export const enter = (step: number): Lesson => ({ step, done: STEPS[step]!.goal === "read" || STEPS[step]!.goal === "end", missed: false });

export interface TutorialActs extends TableActs {
  /** Goes to a step. */
  step(step: number): void;
  /** Puts into the hand what was played in the game. */
  show(): void;
  /** Ends the tutorial with a game against the weakest level. */
  playNow(): void;
}

function card(lesson: Lesson, acts: TutorialActs): Element_ {
  const { goal } = STEPS[lesson.step]!;
  const last = lesson.step === STEPS.length - 1;
  const control = (kind: string, text: Text, call: () => void, disabled = false, ...more: Child[]) =>
    h("button", { key: text, type: "button", class: `control ${kind}`, "aria-disabled": disabled ? "true" : undefined, onclick: () => { if (!disabled) call(); } }, ...more, h("span", {}, t(text)));
  return h("div", { key: "lesson", class: "lesson", role: "region", "aria-label": t("learn") },
    h("p", { class: "lesson-number" }, t("lesson-number", lesson.step + 1, STEPS.length),
      h("span", { class: "lesson-dots", "aria-hidden": "true" }, ...STEPS.map((_, i) => h("i", { class: i < lesson.step ? "past" : i === lesson.step ? "now" : "" })))),
    h("h2", {}, t(`lesson-${goal}-title`)),
    h("p", {}, t(`lesson-${goal}`)),
    h("div", { role: "status", class: "lesson-state" },
      lesson.missed && h("p", { class: "missed" }, t("lesson-missed")),
      lesson.done && goal !== "read" && goal !== "end" && h("p", { class: "done" }, icon("check"), t("lesson-done"))),
    h("div", { class: "buttons-row" },
      control("", "lesson-back", () => acts.step(lesson.step - 1), lesson.step === 0),
      !lesson.done && control("", "lesson-show", acts.show),
      last ? control("main", "lesson-play", acts.playNow) : control(lesson.done ? "main" : "", lesson.done ? "lesson-next" : "lesson-skip", () => acts.step(lesson.step + 1))));
}

export function tutorialView(state: State, layout: Layout, acts: TutorialActs): Child[] {
  const { lesson, position } = state;
  return [
    card(lesson, acts),
    table(state, layout, acts, {
      names: [t("you"), t("lesson-opponent")],
      near: 0,
      status: position.mover === null ? null : h("p", { key: "status", class: "status" }, position.specials_waiting > 0 ? t("place-special") : lesson.done ? "" : t("your-move")),
      controls: [],
    }),
  ];
}
