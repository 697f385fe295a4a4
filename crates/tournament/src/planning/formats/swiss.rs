//! Swiss system: agents with similar results so far meet.
//!
//! If there are at most half as many rounds as agents, no two agents meet twice. Before each of
//! these rounds every agent has at least half of the others left to meet, so a complete pairing
//! exists (Dirac's theorem).

use std::cmp::Reverse;

use patchwork_engine::util::InputError;
use patchwork_engine::util::config::{Count, from_table};
use patchwork_engine::util::schema::{FileSchema, SchemaTable};
use petgraph::algo::maximum_matching;
use petgraph::graph::UnGraph;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::planning::encounter::Round;
use crate::planning::format::{
    Entrants, Field, FormatExtent, FormatInfo, FormatStanding, Seeding, TournamentFormat,
    check_seeds,
};
use crate::planning::pairings::Pairings;

/// Rounds in which agents with similar results meet that have not met before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swiss {
    /// Number of rounds, 1 to [`Self::MAX_ROUNDS`].
    pub rounds: u32,
    /// The names of all agents, the strongest first. The first round pairs the upper half with the
    /// lower half. If results are equal, the agent named earlier ranks higher.
    pub seeds: Vec<String>,
}

impl Swiss {
    /// The maximum number of rounds.
    pub const MAX_ROUNDS: u32 = 10_000;
}

#[derive(Deserialize, JsonSchema)]
struct SwissKeys {
    /// Number of rounds.
    rounds: Count,
    /// The order of the agents before the first round.
    #[serde(default)]
    seeding: Seeding,
}

impl TournamentFormat for Swiss {
    fn info() -> FormatInfo {
        FormatInfo {
            name: "swiss",
            keys: &["rounds", "seeding"],
            is_adaptive: true,
            ..FormatInfo::default()
        }
    }

    fn read(keys: toml::Table, entrants: &mut Entrants<'_>) -> Result<Self, InputError> {
        let SwissKeys { rounds, seeding } = from_table(entrants.file, keys)?;
        Ok(Self {
            rounds: rounds.get(),
            seeds: entrants.seeds(seeding),
        })
    }

    fn schema(file: &mut FileSchema) -> SchemaTable {
        file.table::<SwissKeys>()
    }

    fn check(&mut self, names: &[&str]) -> Result<(), InputError> {
        check_seeds(&self.seeds, names)?;
        if (1..=Self::MAX_ROUNDS).contains(&self.rounds) {
            return Ok(());
        }
        let (found, most) = (self.rounds, Self::MAX_ROUNDS);
        let what = format!("{found}; expected a number from 1 to {most}");
        Err(InputError::at("rounds", what))
    }

    fn extent(&self, field: &Field<'_>) -> FormatExtent {
        FormatExtent {
            pairings: Pairings::All(field.len()),
            rounds: self.rounds,
            encounters: u64::from(self.rounds) * u64::from(field.len() / 2),
            meetings: self.rounds,
        }
    }

    fn next_round(&self, field: &Field<'_>, rounds: &[Round]) -> Round {
        let ranked = ranking(&field.indices(&self.seeds), field.pairs, rounds);
        let met = Round::meetings(rounds);
        // With an odd number of agents, the bye acts as an opponent ranked below the last. A second
        // bye is worse than meeting an opponent again.
        let times = |one: usize, other: usize| match (ranked.get(one), ranked.get(other)) {
            (Some(a), Some(b)) => {
                let agents = (a.agent.min(b.agent), a.agent.max(b.agent));
                *met.get(&agents).unwrap_or(&0)
            }
            (Some(one), None) | (None, Some(one)) => 2 * one.byes,
            (None, None) => 0,
        };
        // The first round pairs the upper half with the lower half; later rounds pair neighbours.
        let step = if rounds.is_empty() {
            ranked.len() / 2
        } else {
            1
        };
        let mut round = Round::default();
        for (one, other) in pair_up(ranked.len().next_multiple_of(2), step, &times) {
            match (ranked.get(one), ranked.get(other)) {
                (Some(a), Some(b)) => {
                    let encounter = field.encounter(a.agent, b.agent, times(one, other));
                    round.encounters.push(encounter);
                }
                (Some(one), None) | (None, Some(one)) => round.byes.push(one.agent),
                (None, None) => {}
            }
        }
        round
    }

    fn standings(&self, field: &Field<'_>, rounds: &[Round]) -> Option<Vec<FormatStanding>> {
        Some(ranking(&field.indices(&self.seeds), field.pairs, rounds))
    }
}

/// The standings, by points, then opponents' points, then margin, then seed.
fn ranking(seeds: &[u16], pairs: u32, rounds: &[Round]) -> Vec<FormatStanding> {
    let empty = |agent| FormatStanding {
        agent,
        ..FormatStanding::default()
    };
    let mut rows: Vec<FormatStanding> = (0..seeds.len() as u16).map(empty).collect();
    let encounters = || rounds.iter().flat_map(|round| &round.encounters);
    for encounter in encounters() {
        let (a, b) = encounter.agents;
        let sides = [(a, encounter.margin), (b, -encounter.margin)];
        for ((agent, margin), wins) in sides.into_iter().zip(encounter.wins) {
            let row = &mut rows[usize::from(agent)];
            row.points += u64::from(wins);
            row.margin += margin;
        }
    }
    for &agent in rounds.iter().flat_map(|round| &round.byes) {
        let row = &mut rows[usize::from(agent)];
        row.points += u64::from(pairs);
        row.byes += 1;
    }
    let points: Vec<u64> = rows.iter().map(|row| row.points).collect();
    for row in &mut rows {
        row.opponents = u64::from(row.byes) * row.points;
    }
    for encounter in encounters() {
        let (a, b) = encounter.agents;
        let (a, b) = (usize::from(a), usize::from(b));
        rows[a].opponents += points[b];
        rows[b].opponents += points[a];
    }
    // A stable sort keeps equal agents in seed order.
    let mut ranked: Vec<FormatStanding> = seeds.iter().map(|&a| rows[usize::from(a)]).collect();
    ranked.sort_by_key(|row| Reverse((row.points, row.opponents, row.margin)));
    ranked
}

/// Pairs the numbers below an even count. Starting from 0, each number is paired with the one it
/// has met the fewest `times`; among those, with the one nearest to `step` places further on, as
/// long as the others can still be paired. Two numbers meet again only if it cannot be avoided.
fn pair_up(count: usize, step: usize, times: &impl Fn(usize, usize) -> u32) -> Vec<(usize, usize)> {
    let all: Vec<usize> = (0..count).collect();
    let most = |limit: u32| {
        let beyond = |&one: &usize| {
            let others = all.iter().filter(|&&other| other != one);
            others.filter(|&&other| times(one, other) > limit).count()
        };
        all.iter().map(beyond).max().unwrap_or(0)
    };
    let can = |rest: &[usize], limit: u32, most: usize| {
        // By Dirac's theorem, if each has at least half of the others to choose from.
        rest.is_empty()
            || rest.len() >= 2 * (most + 1)
            || have_perfect_matching(rest, |a, b| times(a, b) <= limit)
    };
    let (limit, most) = (0..)
        .map(|limit| (limit, most(limit)))
        .find(|&(limit, most)| can(&all, limit, most))
        .expect("when all that has happened is allowed, anybody may meet anybody");

    let mut pairs = Vec::new();
    let mut rest = all.clone();
    while let Some(&one) = rest.first() {
        let mut others: Vec<usize> = rest[1..].to_vec();
        others.sort_by_cached_key(|&other| (times(one, other), other.abs_diff(one + step), other));
        let without = |other: usize| -> Vec<usize> {
            let stay = |&&left: &&usize| left != one && left != other;
            rest.iter().filter(stay).copied().collect()
        };
        let chosen = others
            .into_iter()
            .take_while(|&other| times(one, other) <= limit)
            .find(|&other| can(&without(other), limit, most))
            .expect("it was checked that the rest can be paired");
        rest = without(chosen);
        pairs.push((one, chosen));
    }
    pairs
}

fn have_perfect_matching(of: &[usize], may_meet: impl Fn(usize, usize) -> bool) -> bool {
    let mut graph = UnGraph::<(), ()>::default();
    let nodes: Vec<_> = of.iter().map(|_| graph.add_node(())).collect();
    for (i, &one) in of.iter().enumerate() {
        for (j, &other) in of.iter().enumerate().skip(i + 1) {
            if may_meet(one, other) {
                graph.add_edge(nodes[i], nodes[j], ());
            }
        }
    }
    maximum_matching(&graph).is_perfect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_first_round_pairs_halves_and_later_ones_neighbours() {
        let never = |_, _| 0;
        assert_eq!(pair_up(6, 3, &never), [(0, 3), (1, 4), (2, 5)]);
        assert_eq!(pair_up(6, 1, &never), [(0, 1), (2, 3), (4, 5)]);
        // Five agents and the bye, which goes to the last agent.
        assert_eq!(pair_up(6, 2, &never), [(0, 2), (1, 3), (4, 5)]);
    }

    #[test]
    fn nobody_is_left_with_an_old_opponent() {
        // 2 and 3 have met, so 0 must not be paired with 1.
        let met = |a: usize, b: usize| u32::from([a.min(b), a.max(b)] == [2, 3]);
        assert_eq!(pair_up(4, 1, &met), [(0, 2), (1, 3)]);
        // All except 0 and 1 have met.
        let met = |a: usize, b: usize| u32::from([a.min(b), a.max(b)] != [0, 1]);
        assert_eq!(pair_up(4, 1, &met), [(0, 1), (2, 3)]);
    }

    /// Whether the numbers can be paired without a second meeting, by exhaustive search.
    fn by_trying(rest: &[usize], met: &[Vec<bool>]) -> bool {
        let Some((&one, others)) = rest.split_first() else {
            return true;
        };
        others.iter().any(|&other| {
            let left: Vec<usize> = others.iter().copied().filter(|&o| o != other).collect();
            !met[one][other] && by_trying(&left, met)
        })
    }

    proptest! {
        #[test]
        fn old_opponents_meet_only_where_there_is_no_other_way(
            half in 1usize..5,
            bits in prop::collection::vec(any::<bool>(), 64),
        ) {
            let count = 2 * half;
            let met: Vec<Vec<bool>> = (0..count)
                .map(|a| (0..count).map(|b| bits[8 * a.min(b) % 64 + a.max(b)]).collect())
                .collect();
            let pairs = pair_up(count, 1, &|a, b| u32::from(met[a][b]));
            let mut seen: Vec<usize> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
            seen.sort_unstable();
            prop_assert!(seen.into_iter().eq(0..count));
            let all: Vec<usize> = (0..count).collect();
            let repeats = pairs.iter().filter(|&&(a, b)| met[a][b]).count();
            prop_assert_eq!(repeats == 0, by_trying(&all, &met));
        }
    }
}
