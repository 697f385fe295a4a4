// Moves and positions in words, for screen readers and for lists of moves.

import type { EffectView, PlayedView, PositionView } from "./api";
import { squareName } from "./geometry";
import type { State } from "./state";
import { patchIn } from "./state";
import { t } from "./texts";

/** What an action did, in a sentence or two. */
export function moveText(name: string, effect: EffectView): string {
  const squares = effect.action.slice(effect.action.indexOf(":") + 1).match(/[a-i][1-9]/g)?.join(" ") ?? "";
  const of = <T extends string>(text: T) => (name === t("you") ? (`you-${text}` as const) : text);
  const sentences = [
    effect.action === "A" ? t(of("moved-advance"), name, t("spaces", effect.to - effect.from), t("buttons", effect.earned))
    : effect.action.startsWith("S") ? t(of("moved-special"), name, squares)
    : t(of("moved-buy"), name, effect.action.split(":")[0]!, t("buttons", effect.cost), squares),
  ];
  if (effect.income > 0) sentences.push(t("moved-income", t("buttons", effect.income)));
  if (effect.bonus) sentences.push(t("moved-seven"));
  return sentences.join(" ");
}

/** A move in a few words, with the first of its squares: "patch 17 on b3". */
export function wordsOf(action: string): string {
  if (action === "A") return t("words-advance");
  const [what, squares = ""] = action.split(":");
  const square = squares.slice(0, 2);
  return what === "S" ? t("words-special", square) : square === "?" ? t("patch", what!) : t("words-buy", what!, square);
}

/** Everything that can be seen on the table, as text. */
export function stateText(state: State, names: readonly [string, string]): string[] {
  const { position } = state;
  const sentences = position.players.map((player, seat) =>
    t("state-player", names[seat]!, player.space, t("buttons", player.buttons), player.income, t("points", player.score), t("empty", player.empty)),
  );
  const offers = position.offers.map(({ patch }, i) => {
    const { buttons, time, income } = patchIn(state, patch);
    return t("state-offer", i + 1, patch, t("buttons", buttons), t("spaces", time), income);
  });
  sentences.push(offers.length > 0 ? t("state-offers", offers.join("; ")) : t("state-none"));
  return sentences;
}

export const squaresText = (squares: readonly number[]): string => squares.map(squareName).join(" ");

export const lastSquares = (position: PositionView): PlayedView["squares"] => position.last?.squares ?? [];
