//! The games in which the agents' expectations went most wrong, for the viewer. They are found while the games are read.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use patchwork_engine::record::{GameId, Record};

use super::swings::{Swing, swings};

/// The place of a game in the order of the plan. Ties go to the first game, so that the choice is deterministic.
type PlanPlace = (u64, GameId);

/// The games in which the agents' expectations went most wrong.
#[derive(Clone, Debug, Default)]
pub struct Highlights {
    /// Of the games that were played to their end, the one whose loser reported the highest win expectation, in thousandths.
    surprise: Option<(i32, PlanPlace)>,
    /// For each agent, its game with the largest swing, of its own expectations if it reported any.
    swings: BTreeMap<u16, ((bool, f32), PlanPlace)>,
}

impl Highlights {
    /// Adds a game with its place in the order of the plan.
    pub(super) fn add(&mut self, record: &Record, place: impl Fn(GameId) -> u64) {
        if record.plies.iter().all(|ply| ply.thought.value.is_none()) {
            return;
        }
        let place = (place(record.id), record.id);
        if let Some(surprise) = surprise(record).filter(|_| record.termination.is_none()) {
            keep(&mut self.surprise, surprise, place, Ord::cmp);
        }
        let swings = swings(record);
        let largest = [0, 1].map(|seat| {
            let largest = swings.iter().find(|swing| swing.seat == seat);
            largest.map_or(0.0, Swing::size)
        });
        for (seat, agent) in record.agents.into_iter().enumerate() {
            let own = largest[seat];
            let swing = match own > 0.0 {
                true => (true, own),
                false => (false, largest[1 - seat]),
            };
            // Both seats of an agent that plays itself are the first one's.
            if swing.1 > 0.0 && (seat == 0 || record.agents[0] != agent) {
                let mut best = self.swings.remove(&agent);
                keep(&mut best, swing, place, |one, other| {
                    one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
                });
                self.swings.extend(best.map(|best| (agent, best)));
            }
        }
    }

    /// The game whose loser was the most confident, if one expected more than an even chance.
    pub fn surprise(&self) -> Option<GameId> {
        self.surprise.map(|(_, (_, id))| id)
    }

    /// The game of an agent with the largest swing.
    pub fn swing_of(&self, agent: usize) -> Option<GameId> {
        let found = self.swings.get(&agent.try_into().ok()?)?;
        Some(found.1.1)
    }
}

/// The highest win expectation that the loser reported, in thousandths, if it is above one half.
fn surprise(record: &Record) -> Option<i32> {
    let loser = record.winner.other();
    let told = record
        .plies
        .iter()
        .filter(|ply| ply.player == loser)
        .filter_map(|ply| ply.thought.value)
        .filter(|value| (0.0..=1.0).contains(value));
    let highest = told.max_by(f32::total_cmp)?;
    Some((highest * 1000.0) as i32).filter(|&surprise| surprise > 500)
}

/// Replaces what is known by a greater value, or by an equal one of an earlier game.
fn keep<T>(
    best: &mut Option<(T, PlanPlace)>,
    value: T,
    place: PlanPlace,
    compare: impl Fn(&T, &T) -> Ordering,
) {
    let is_better = best.as_ref().is_none_or(|(known, at)| {
        let by_value = compare(&value, known);
        by_value.then_with(|| at.cmp(&place)).is_gt()
    });
    if is_better {
        *best = Some((value, place));
    }
}
