// Each step of the tutorial can be done: what was played in its game does what the step asks for.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inflateRawSync } from "node:zlib";
import { startModule } from "./module";
import { enter, meets, shownAction, stepGame, STEPS } from "./tutorial";

const ask = await startModule(await WebAssembly.compile(inflateRawSync(readFileSync("dist/rules.deflate"))));

test("a tutorial has at most ten steps", () => assert.ok(STEPS.length <= 10));

for (const [step, { goal }] of STEPS.entries()) {
  test(`the step "${goal}" can be done by the first player`, () => {
    const game = stepGame(step);
    const { picture: { mover }, outcome } = ask("position", { game });
    if (goal === "end") return assert.deepEqual(outcome?.scores, [34, 15]);
    assert.equal(mover, "first");
    const effect = ask("effect", { game, action: shownAction(step)! });
    assert.ok(meets[goal](effect, 0));
  });
}

test("another move does not do what a step asks for", () => {
  for (const goal of ["place", "income", "special", "seven"] as const) {
    const step = STEPS.findIndex((one) => one.goal === goal);
    assert.equal(enter(step).done, false);
    const game = stepGame(STEPS.findIndex((one) => one.goal === "place"));
    assert.equal(meets[goal](ask("effect", { game, action: "A" }), 0), false);
  }
});
