//! The number of a game.

use std::fmt;
use std::sync::Arc;

use patchwork_engine::util::JsonInteger;
use serde::{Serialize, Serializer};

use super::planned_game::PlannedGame;

/// The largest number of pairs of two agents.
pub(crate) const MAX_PAIRS: u32 = 1 << 30;
/// The bits of a number that have the pair and the leg.
const PAIR_BITS: u32 = 31;

/// The number of a game in `games.db`, in exports, in reports and in commands.
///
/// It is `((high * (high - 1) / 2 + low) << 31) + 2 * pair + leg`. `low` and `high` are the lower and the higher number of
/// its two agents in the ledger, and the leg is 0 if the agent with the lower number moves first, otherwise 1. It does not
/// change when a tournament gets more agents or more pairs. With up to 2,896 agents, it is below 2^53.
///
/// The agents of a game are different: an agent that plays a copy of itself and the copy have numbers of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameNumber(i64);

impl GameNumber {
    /// The number of a game of the agents with these numbers in the ledger, by seat.
    pub(crate) fn new(seats: [u16; 2], pair: u32) -> Self {
        let [first, second] = seats.map(i64::from);
        let (low, high) = (first.min(second), first.max(second));
        let agents = high * (high - 1) / 2 + low;
        Self((agents << PAIR_BITS) + 2 * i64::from(pair) + i64::from(first > second))
    }

    /// The number in a row of a ledger.
    pub(crate) const fn of_row(number: i64) -> Self {
        Self(number)
    }

    /// The numbers of its agents by seat, and its pair; `None` if there is no such game.
    fn parts(self) -> Option<([u16; 2], u32)> {
        let agents = u64::try_from(self.0 >> PAIR_BITS).ok()?;
        let high = (8 * agents + 1).isqrt().div_ceil(2);
        let low = (agents - high * (high - 1) / 2) as u16;
        let high = u16::try_from(high).ok()?;
        let pair = (self.0 & ((1 << PAIR_BITS) - 1)) >> 1;
        let seats = if self.0 & 1 == 0 {
            [low, high]
        } else {
            [high, low]
        };
        Some((seats, pair as u32))
    }

    /// The number, 0 or more.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl fmt::Display for GameNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for GameNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        JsonInteger(self.0.cast_unsigned()).serialize(serializer)
    }
}

/// Numbers the games of a plan: it has the number in the ledger of each agent of the plan.
#[derive(Clone, Debug)]
pub struct GameNumbers(Arc<[u16]>);

impl GameNumbers {
    /// The numbers with these agents, in the order of the plan.
    pub(crate) fn new(agents: Vec<u16>) -> Self {
        Self(agents.into())
    }

    /// The number of a game of the plan.
    pub fn of(&self, game: impl Into<PlannedGame>) -> GameNumber {
        let PlannedGame { id, seats } = game.into();
        GameNumber::new(seats.map(|agent| self.0[usize::from(agent)]), id.pair)
    }

    /// The agents of the plan in the seats of the game with a number, and its pair.
    pub(crate) fn find(&self, number: i64) -> Option<([u16; 2], u32)> {
        let (seats, pair) = GameNumber(number).parts()?;
        let agent = |number| self.0.iter().position(|&known| known == number);
        let [first, second] = seats.map(agent);
        Some(([first? as u16, second? as u16], pair))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_a_number_of_its_own() {
        let mut expected = 0;
        for high in 1..50 {
            for low in 0..high {
                for pair in [0, 1, MAX_PAIRS - 1] {
                    for (leg, seats) in (0..).zip([[low, high], [high, low]]) {
                        let number = GameNumber::new(seats, pair);
                        assert_eq!(number.get(), expected + 2 * i64::from(pair) + leg);
                        assert_eq!(number.parts(), Some((seats, pair)));
                    }
                }
                expected += 1 << PAIR_BITS;
            }
        }
        let last = GameNumber::new([u16::MAX, u16::MAX - 1], MAX_PAIRS - 1);
        assert_eq!(
            last.parts(),
            Some(([u16::MAX, u16::MAX - 1], MAX_PAIRS - 1))
        );
        for none in [-1, i64::MIN, last.get() + 1, i64::MAX] {
            assert_eq!(GameNumber(none).parts(), None, "{none}");
        }
    }

    #[test]
    fn json_has_large_numbers_as_text() {
        let json = |high| serde_json::to_string(&GameNumber::new([high - 1, high], MAX_PAIRS - 1));
        let numbers = [2895, 2896].map(|high| json(high).expect("plain data"));
        assert_eq!(numbers, ["9002165553070078", "\"9008384665714686\""]);
    }

    #[test]
    fn agents_are_numbered_as_in_the_ledger() {
        let numbers = GameNumbers::new(vec![4, 0, 2]);
        let game = PlannedGame::new(0, (0, 2), 7, 0);
        let number = numbers.of(game);
        assert_eq!(number, GameNumber::new([4, 2], 7));
        assert_eq!(numbers.find(number.get()), Some(([0, 2], 7)));
        assert_eq!(numbers.find(GameNumber::new([0, 1], 7).get()), None);
    }
}
