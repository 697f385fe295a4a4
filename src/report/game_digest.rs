//! A short record of each game, used to choose the games to show and to compute the ratings over time.

use patchwork_engine::record::{Entry, GameId, Games};
use patchwork_rating::RatedGame;

use crate::stats::{Swing, in_order, rated_game, swings};
use crate::tournament::Plan;

/// What is kept of a game to choose the games to show and to compute the ratings over time.
#[derive(Clone, Copy, Debug)]
pub(in crate::report) struct GameDigest {
    /// Its index in the source of the games.
    pub(in crate::report) index: usize,
    /// Its position in the order of the plan.
    pub(in crate::report) order: u64,
    pub(in crate::report) result: RatedGame,
    pub(in crate::report) scores: [i16; 2],
    /// Whether it was played to its end.
    pub(in crate::report) finished: bool,
    pub(in crate::report) plies: u16,
    /// The highest win expectation that the loser reported, if any.
    pub(in crate::report) surprise: Option<f32>,
    /// The largest swing of each seat's expectations, 0 without any.
    pub(in crate::report) swings: [f32; 2],
}

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
            order: 0,
            result: rated_game(&entry.record),
            scores: record.scores,
            finished: record.termination.is_none(),
            plies: record.plies.len() as u16,
            surprise: told.max_by(f32::total_cmp),
            swings: [0, 1].map(|seat| {
                let largest = swings.iter().find(|swing| swing.seat == seat);
                largest.map_or(0.0, Swing::size)
            }),
        }
    }

    /// The largest swing of an agent's own expectations, or of either player's if it reported none;
    /// `None` if the agent did not play or nobody reported any.
    pub(in crate::report) fn swing_with(&self, agent: usize) -> Option<(bool, f32)> {
        let seats = [self.result.first, self.result.second];
        let seat = seats.iter().position(|&seated| seated == agent)?;
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
    let mut order: Vec<usize> = (0..games.count()).collect();
    order.sort_by_key(|&index| games.id(index));
    let mut digests: Vec<(GameId, GameDigest)> =
        in_order(games, |entry| (entry.record.id, GameDigest::of(entry)));
    let mut places: Vec<(GameId, u64)> = plan.games().map(|game| game.id).zip(0..).collect();
    places.sort_unstable();
    let mut place = places.iter().peekable();
    for ((id, digest), index) in digests.iter_mut().zip(order) {
        digest.index = index;
        // Both are sorted by identity.
        while place.next_if(|(planned, _)| planned < id).is_some() {}
        let planned = place.peek().filter(|(planned, _)| planned == id);
        // Games of later rounds, which depend on results, follow those planned from the start.
        let later = || places.len() as u64 + plan.number(*id);
        digest.order = planned.map_or_else(later, |(_, order)| *order);
    }
    digests.sort_by_key(|(id, digest)| (digest.order, *id));
    digests.into_iter().map(|(_, digest)| digest).collect()
}
