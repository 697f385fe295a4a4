//! A short record of each game, used to choose the games to show and to compute the ratings over time.

use patchwork_engine::game::Player;
use patchwork_engine::record::{Entry, GameId, Games};
use patchwork_rating::RatedGame;

use crate::stats::{Swing, in_order, swings};
use crate::tournament::Plan;

/// What is kept of a game to choose the games to show and to compute the ratings over time. There may be millions.
#[derive(Clone, Copy, Debug)]
pub(in crate::report) struct GameDigest {
    /// Its index in the source of the games.
    pub(in crate::report) index: u32,
    pairing: u32,
    pair: u32,
    agents: [u16; 2],
    pub(in crate::report) scores: [i16; 2],
    /// The highest win expectation that the loser reported, if any.
    surprise: f32,
    /// The largest swing of each seat's expectations, 0 without any.
    swings: [f32; 2],
    pub(in crate::report) plies: u8,
    leg: u8,
    first_won: bool,
    /// Whether it was played to its end.
    pub(in crate::report) finished: bool,
}

const _: () = assert!(size_of::<GameDigest>() == 36);

impl GameDigest {
    fn of(entry: &Entry) -> Self {
        let record = &entry.record;
        let loser = record.winner().other();
        let swings = swings(record);
        let told = record
            .plies
            .iter()
            .filter(|ply| ply.player() == loser)
            .filter_map(|ply| ply.thought.value)
            .filter(|value| (0.0..=1.0).contains(value));
        Self {
            index: 0,
            pairing: record.id.pairing,
            pair: record.id.pair,
            agents: record.agents,
            scores: record.scores,
            surprise: told.max_by(f32::total_cmp).unwrap_or(f32::NAN),
            swings: [0, 1].map(|seat| {
                let largest = swings.iter().find(|swing| swing.seat == seat);
                largest.map_or(0.0, Swing::size)
            }),
            // No legal game has as many plies.
            plies: record.plies.len().try_into().unwrap_or(u8::MAX),
            leg: record.id.leg,
            first_won: record.winner() == Player::First,
            finished: record.termination.is_none(),
        }
    }

    const fn id(&self) -> GameId {
        GameId {
            pairing: self.pairing,
            pair: self.pair,
            leg: self.leg,
        }
    }

    pub(in crate::report) fn result(&self) -> RatedGame {
        RatedGame::of_pair(self.pairing, self.pair, self.agents, self.first_won)
    }

    /// The highest win expectation that the loser reported, if any.
    pub(in crate::report) fn surprise(&self) -> Option<f32> {
        Some(self.surprise).filter(|surprise| !surprise.is_nan())
    }

    /// The largest swing of an agent's own expectations, or of either player's if it reported none;
    /// `None` if the agent did not play or nobody reported any.
    pub(in crate::report) fn swing_with(&self, agent: usize) -> Option<(bool, f32)> {
        let mut seats = self.agents.iter();
        let seat = seats.position(|&seated| usize::from(seated) == agent)?;
        let own = self.swings[seat];
        let swing = if own > 0.0 {
            (true, own)
        } else {
            (false, self.swings[1 - seat])
        };
        (swing.1 > 0.0).then_some(swing)
    }

    pub(in crate::report) fn margin(&self) -> i32 {
        (i32::from(self.scores[0]) - i32::from(self.scores[1])).abs()
    }
}

/// The digest of every game, in the order of the plan.
pub(in crate::report) fn digests(plan: &Plan, games: &(impl Games + ?Sized)) -> Vec<GameDigest> {
    let mut digests = in_order(games, |index, entry| GameDigest {
        index,
        ..GameDigest::of(entry)
    });
    let order = plan.order();
    digests.sort_unstable_by_key(|digest| (order(digest.id()), digest.id()));
    digests
}
