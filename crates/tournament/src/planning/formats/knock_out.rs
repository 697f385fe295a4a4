//! Knock-out: the loser of an encounter is eliminated.

use std::cmp::Ordering;

use patchwork_engine::util::InputError;
use patchwork_engine::util::config::from_table;
use patchwork_engine::util::schema::{FileSchema, SchemaTable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::planning::encounter::{DecidedBy, Encounter, Round};
use crate::planning::format::{
    Entrants, Field, FormatExtent, FormatInfo, Seeding, TournamentFormat, check_seeds,
};
use crate::planning::pairings::Pairings;

/// Knock-out: the loser of an encounter is eliminated.
///
/// Ties are broken by points, then by further pairs, one at a time and at most as many as planned,
/// then by the seeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnockOut {
    /// The names of all agents, the strongest first. The first and the second can only meet in the
    /// final, and so on. If nothing else decides an encounter, the agent named earlier wins.
    pub seeds: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
struct KnockOutKeys {
    /// The order of the agents in the bracket.
    #[serde(default)]
    seeding: Seeding,
}

impl TournamentFormat for KnockOut {
    fn info() -> FormatInfo {
        FormatInfo {
            name: "knock-out",
            keys: &["seeding"],
            is_adaptive: true,
            ..FormatInfo::default()
        }
    }

    fn read(keys: toml::Table, entrants: &mut Entrants<'_>) -> Result<Self, InputError> {
        let KnockOutKeys { seeding } = from_table(entrants.file, keys)?;
        let seeds = entrants.seeds(seeding);
        Ok(Self { seeds })
    }

    fn schema(file: &mut FileSchema) -> SchemaTable {
        file.table::<KnockOutKeys>()
    }

    fn check(&mut self, names: &[&str]) -> Result<(), InputError> {
        check_seeds(&self.seeds, names)
    }

    fn extent(&self, field: &Field<'_>) -> FormatExtent {
        FormatExtent {
            pairings: Pairings::All(field.len()),
            rounds: usize::from(field.len())
                .next_power_of_two()
                .trailing_zeros(),
            encounters: u64::from(field.len()) - 1,
            meetings: 2,
        }
    }

    fn next_round(&self, field: &Field<'_>, rounds: &[Round]) -> Round {
        let mut entrants = bracket(&field.indices(&self.seeds));
        for round in rounds {
            entrants = winners(&entrants, round);
        }
        let mut round = Round::default();
        for slot in entrants.chunks(2) {
            match *slot {
                [Some(a), Some(b)] => round.encounters.push(field.encounter(a, b, 0)),
                [Some(one), None] | [None, Some(one)] => round.byes.push(one),
                _ => {}
            }
        }
        round
    }

    fn needs_further_pair(&self, field: &Field<'_>, encounter: &Encounter) -> bool {
        leader(encounter).is_none() && encounter.pairs < 2 * field.pairs
    }

    fn decision(&self, field: &Field<'_>, encounter: &Encounter) -> Option<(u16, DecidedBy)> {
        let Some(leader) = leader(encounter) else {
            let (a, b) = encounter.agents;
            let mut seeds = field.indices(&self.seeds).into_iter();
            let first = seeds.find(|&agent| agent == a || agent == b);
            return Some((first.unwrap_or(a), DecidedBy::Seed));
        };
        let [a_wins, b_wins] = encounter.wins;
        let by = if encounter.pairs > field.pairs {
            DecidedBy::FurtherPairs
        } else if a_wins == b_wins {
            DecidedBy::Margin
        } else {
            DecidedBy::Wins
        };
        Some((leader, by))
    }

    fn champion(&self, rounds: &[Round]) -> Option<u16> {
        rounds.last()?.encounters.last()?.winner()
    }
}

/// The agent with more games won or, if these are equal, with more points.
fn leader(encounter: &Encounter) -> Option<u16> {
    let ((a, b), [a_wins, b_wins]) = (encounter.agents, encounter.wins);
    match a_wins.cmp(&b_wins).then(encounter.margin.cmp(&0)) {
        Ordering::Greater => Some(a),
        Ordering::Less => Some(b),
        Ordering::Equal => None,
    }
}

/// The agents from the top of the bracket to its bottom, with gaps for byes of the top seeds if the
/// bracket is not full. The top two can only meet in the final, the top four only in the
/// semi-finals, and so on.
fn bracket(seeds: &[u16]) -> Vec<Option<u16>> {
    let mut order = vec![0];
    while order.len() < seeds.len() {
        let last = 2 * order.len() - 1;
        order = order.iter().flat_map(|&seed| [seed, last - seed]).collect();
    }
    let entrants = order.into_iter().map(|seed| seeds.get(seed).copied());
    entrants.collect()
}

/// The winners of a round, in bracket order.
fn winners(entrants: &[Option<u16>], round: &Round) -> Vec<Option<u16>> {
    let mut encounters = round.encounters.iter();
    let winner = |slot: &[Option<u16>]| match *slot {
        [Some(_), Some(_)] => encounters.next().and_then(Encounter::winner),
        [one, other] => one.or(other),
        _ => None,
    };
    entrants.chunks(2).map(winner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_meet_last() {
        let order = |agents: u16| bracket(&(1..=agents).collect::<Vec<_>>());
        assert_eq!(order(2), [1, 2].map(Some));
        assert_eq!(order(8), [1, 8, 4, 5, 2, 7, 3, 6].map(Some));
        let five = [
            Some(1),
            None,
            Some(4),
            Some(5),
            Some(2),
            None,
            Some(3),
            None,
        ];
        assert_eq!(order(5), five);
    }
}
