//! MCTS over determinised decks: the remaining cards are shuffled several times, each order is searched as a
//! known deck, and the visits are added up.

use patchwork_engine::util::rng::{Rng, below};
use patchwork_search::{
    GameRules, Guidance, Leaf, Meter, Rule, Search, Settings, Side, Stop, Value,
};

use super::hand::Hand;
use super::layout::PlacedPart;
use super::part::Part;
use super::pile::Pile;
use super::strategy::{lookahead, ranked};

/// The search effort for each card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeckSearch {
    /// Number of orders of the remaining cards.
    pub decks: u32,
    /// Number of iterations for each order.
    pub iterations: u32,
}

impl DeckSearch {
    /// The default effort.
    pub const DEFAULT: Self = Self {
        decks: 8,
        iterations: 25,
    };
}

/// Maximum number of placements of a card that are searched, the most promising ones.
const WIDTH: usize = 12;
/// Number of points that raises a result from 1/2 to 0.73.
const SCALE: f64 = 10.0;

/// The solitaire game with a known deck, for the search: one side makes all moves.
struct KnownDeck<'a> {
    /// The cards to come, after those of the pile at the root.
    deck: &'a [Part],
    /// Number of cards of the pile at the root.
    placed: usize,
    /// The score that counts as even.
    par: u32,
}

impl KnownDeck<'_> {
    fn next(&self, pile: &Pile) -> usize {
        pile.placed().len() - self.placed
    }

    fn to_come(&self, pile: &Pile) -> (Part, Hand) {
        let next = self.next(pile);
        let hand = Hand::of(self.deck[next + 1..].iter().copied());
        (self.deck[next], hand)
    }

    /// The score when lookahead places the remaining cards as far as possible.
    fn play_out(&self, pile: &Pile) -> u32 {
        let mut pile = *pile;
        while !self.is_over(&pile) {
            let (part, hand) = self.to_come(&pile);
            let Some(placed) = lookahead(&pile, part, &hand) else {
                break;
            };
            pile.place(placed);
        }
        pile.score()
    }
}

impl GameRules for KnownDeck<'_> {
    type Position = Pile;
    type Action = PlacedPart;

    fn is_over(&self, pile: &Pile) -> bool {
        let next = self.deck.get(self.next(pile));
        next.is_none_or(|&part| pile.highest(part).is_none())
    }

    fn mover(&self, _: &Pile) -> Side {
        Side::First
    }

    fn play(&self, pile: &mut Pile, placed: PlacedPart) {
        pile.place(placed);
    }
}

impl Guidance for KnownDeck<'_> {
    fn expand(&mut self, pile: &Pile, actions: &mut Vec<(PlacedPart, f32)>) -> bool {
        let (part, hand) = self.to_come(pile);
        let ranked = best_ranked(pile, part, &hand);
        let most = ranked.first().map_or(0.0, |one| one.0);
        let prior = |value: f64| ((value - most) / 4.0).exp() as f32;
        actions.extend(ranked.iter().map(|&(value, placed)| (placed, prior(value))));
        false
    }

    fn evaluate(&mut self, pile: &Pile) -> Leaf {
        let ahead = f64::from(self.play_out(pile)) - f64::from(self.par);
        Leaf::estimate(Value::for_first(1.0 / (1.0 + (-ahead / SCALE).exp())))
    }
}

/// The most promising placements, the best first.
fn best_ranked(pile: &Pile, part: Part, hand: &Hand) -> Vec<(f64, PlacedPart)> {
    let mut ranked = ranked(pile, part, hand);
    ranked.sort_by(|one, two| two.0.total_cmp(&one.0));
    ranked.truncate(WIDTH);
    ranked
}

impl DeckSearch {
    /// The placement of a part, with `more` cards of `hand` still to come in an unknown order.
    pub(super) fn choose(
        self,
        pile: &Pile,
        part: Part,
        hand: &Hand,
        more: usize,
        rng: &mut Rng,
        stop: &Stop,
    ) -> Option<PlacedPart> {
        let settings = Settings {
            select: Rule::Puct,
            exploration: 1.0,
            first_play: Some(0.0),
            solver: false,
            nodes: 1 << 12,
            ..Settings::default()
        };
        let mut visits: Vec<(PlacedPart, u32)> = Vec::new();
        for _ in 0..self.decks {
            let mut deck: Vec<Part> = hand.parts().collect();
            for i in (1..deck.len()).rev() {
                deck.swap(i, below(i as u32 + 1, rng) as usize);
            }
            deck.truncate(more);
            deck.insert(0, part);
            let mut game = KnownDeck {
                deck: &deck,
                placed: pile.placed().len(),
                par: 0,
            };
            if game.is_over(pile) {
                return None;
            }
            game.par = game.play_out(pile);
            let mut search = Search::new(game, settings);
            let meter = Meter::iterations(self.iterations, stop);
            let best = search.decide(pile, &meter).best;
            let mut all = search.candidates(&[]);
            if all.is_empty() {
                all.push(best);
            }
            for one in all {
                // A single placement is not searched.
                let count = one.visits.max(u32::from(one.action == best.action));
                match visits.iter_mut().find(|(placed, _)| *placed == one.action) {
                    Some((_, sum)) => *sum += count,
                    None => visits.push((one.action, count)),
                }
            }
        }
        let most = |best: (PlacedPart, u32), one: (PlacedPart, u32)| {
            if one.1 > best.1 { one } else { best }
        };
        visits.into_iter().reduce(most).map(|(placed, _)| placed)
    }
}
