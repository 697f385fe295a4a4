// Players, moves and positions in words: for lists of moves, and for screen readers.

import type { EffectView } from "./api";
import { SPECIAL } from "./cloth";
import { h, type Element_ } from "./dom";
import { patchPicture } from "./quilt";
import { patchIn, patchOfAction, squareNames, type OpenGame, type Patch, type State } from "./state";
import { named, t } from "./texts";

export function nameOf({ names, seats }: Pick<OpenGame, "names" | "seats">, seat: number): string {
  if (names) return names[seat]!;
  const who = seats[seat]!;
  if (who.kind === "level") return named("level", who.level);
  return seats.every(({ kind }) => kind === "person") ? t("person-number", seat + 1) : t("you");
}

export const namesOf = (game: Pick<OpenGame, "names" | "seats">): [string, string] =>
  [nameOf(game, 0), nameOf(game, 1)];

/** What an action did, in a sentence or two. */
export function moveText(name: string, effect: EffectView): string {
  const squares = squareNames(effect.action);
  const of = <T extends string>(text: T) => (name === t("you") ? (`you-${text}` as const) : text);
  const patch = patchOfAction(effect.action);
  const sentences = [
    patch === 0 ? t(of("moved-advance"), name, t("spaces", effect.to - effect.from), t("buttons", effect.earned))
    : patch === SPECIAL ? t(of("moved-special"), name, squares)
    : t(of("moved-buy"), name, patch, t("buttons", effect.cost), squares),
  ];
  if (effect.income > 0) sentences.push(t("moved-income", t("buttons", effect.income)));
  if (effect.bonus) sentences.push(t("moved-seven"));
  return sentences.join(" ");
}

/** What a move brings besides: income, special patches, the bonus. */
export const gainsOf = ({ income, specials, bonus }: EffectView): string[] =>
  [income > 0 && t("effect-income", income), specials.length > 0 && t("effect-special", specials.length),
    bonus && t("effect-seven")].filter((gain) => gain !== false);

export const about = ({ id, buttons, time, income }: Patch): string =>
  t("ring-patch", id, t("buttons", buttons), t("spaces", time), income);

export const patchName = (patch: number): string => (patch === SPECIAL ? t("special") : t("patch", patch));

/** A move in a few words, with the first of its squares: "patch 17 on b3". */
export function wordsOf(action: string): string {
  const patch = patchOfAction(action);
  if (patch === 0) return t("words-advance");
  const square = (action.split(":")[1] ?? "?").slice(0, 2);
  if (patch === SPECIAL) return t("words-special", square);
  return square === "?" ? t("patch", patch) : t("words-buy", patch, square);
}

/** A move in words, with its patch and the colour of its player. */
export function moveWords(state: Pick<State, "patches">, action: string, seat: number | null,
  words: string = wordsOf(action)): Element_ {
  const patch = patchOfAction(action);
  return h("span", { class: seat === null ? "words" : `words seat${seat}` },
    h("span", { class: "sample", "aria-hidden": "true" },
      patch > 0 && patchPicture(patchIn(state, patch))),
    h("span", {}, words));
}

/** Everything that can be seen on the table, as text. */
export function stateText(state: State): string[] {
  const { position } = state;
  const names = namesOf(state);
  const sentences = position.players.map((player, seat) => t("state-player", names[seat]!, player.space,
    t("buttons", player.buttons), player.income, t("points", player.score), t("empty", player.empty)));
  const offers = position.offers.map(({ patch }, i) => {
    const { buttons, time, income } = patchIn(state, patch);
    return t("state-offer", i + 1, patch, t("buttons", buttons), t("spaces", time), income);
  });
  sentences.push(offers.length > 0 ? t("state-offers", offers.join("; ")) : t("state-none"));
  return sentences;
}
