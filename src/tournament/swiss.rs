//! Swiss tournaments: agents meet that have done about equally well so far.
//!
//! In at most half as many rounds as there are agents, nobody meets twice: before each of them, everybody
//! has at least half of the others left, and so there is a way to pair all (Dirac's theorem).

use std::collections::BTreeMap;

use petgraph::algo::maximum_matching;
use petgraph::graph::UnGraph;

use super::plan::Plan;
use super::schedule::{Encounter, Round, meetings};

/// An agent's row of the standings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The agent.
    pub agent: u16,
    /// Games won; a bye is worth half of an encounter's games.
    pub points: u64,
    /// Points of the opponents, each as often as it was met; a bye counts as an opponent with as many
    /// points as the agent itself (Buchholz).
    pub opponents: u64,
    /// Points made in games minus those of the opponents.
    pub margin: i64,
    /// Rounds without an opponent.
    pub byes: u32,
}

/// The agents by points, then by those of their opponents, then by margin, then as they are seeded.
pub(super) fn standings(plan: &Plan, seeds: &[u16], rounds: &[Round]) -> Vec<Place> {
    let mut places: Vec<Place> = (0..seeds.len() as u16)
        .map(|agent| Place {
            agent,
            points: 0,
            opponents: 0,
            margin: 0,
            byes: 0,
        })
        .collect();
    for round in rounds {
        for encounter in &round.encounters {
            let (a, b) = encounter.agents;
            let sides = [(a, encounter.margin), (b, -encounter.margin)];
            for ((agent, margin), wins) in sides.into_iter().zip(encounter.wins) {
                let place = &mut places[usize::from(agent)];
                place.points += u64::from(wins);
                place.margin += margin;
            }
        }
        for &agent in &round.byes {
            let place = &mut places[usize::from(agent)];
            place.points += u64::from(plan.pairs());
            place.byes += 1;
        }
    }
    let points: Vec<u64> = places.iter().map(|place| place.points).collect();
    for place in &mut places {
        place.opponents = u64::from(place.byes) * place.points;
    }
    for encounter in rounds.iter().flat_map(|round| &round.encounters) {
        let (a, b) = (
            usize::from(encounter.agents.0),
            usize::from(encounter.agents.1),
        );
        places[a].opponents += points[b];
        places[b].opponents += points[a];
    }
    // Stable sorting keeps the seeds' order among equals.
    let mut sorted: Vec<Place> = seeds.iter().map(|&a| places[usize::from(a)]).collect();
    sorted.sort_by(|one, two| {
        let key = |place: &Place| (place.points, place.opponents, place.margin);
        key(two).cmp(&key(one))
    });
    sorted
}

/// The round after these. `seeds` are all agents in the order that counts among equals.
pub(super) fn round(plan: &Plan, seeds: &[u16], rounds: &[Round]) -> Round {
    let standings = standings(plan, seeds, rounds);
    let ranked: Vec<u16> = standings.iter().map(|place| place.agent).collect();
    let met = meetings(rounds);
    let byes: BTreeMap<u16, u32> = standings.iter().map(|p| (p.agent, p.byes)).collect();
    // With an odd number of agents, the bye is an opponent below the last. A second one is worse than
    // meeting again.
    let times = |one: usize, other: usize| match (ranked.get(one), ranked.get(other)) {
        (Some(&a), Some(&b)) => *met.get(&(a.min(b), a.max(b))).unwrap_or(&0),
        (Some(agent), None) | (None, Some(agent)) => 2 * byes[agent],
        (None, None) => 0,
    };
    // The first round pairs the upper half with the lower, later ones neighbours.
    let step = if rounds.is_empty() {
        ranked.len() / 2
    } else {
        1
    };
    let (mut encounters, mut without) = (Vec::new(), Vec::new());
    for (one, other) in pair_up(ranked.len().next_multiple_of(2), step, &times) {
        match (ranked.get(one), ranked.get(other)) {
            (Some(&a), Some(&b)) => {
                let agents = (a.min(b), a.max(b));
                let first = times(one, other) * plan.pairs();
                let pairing = plan.pairing_of(a, b);
                encounters.push(Encounter::new(pairing, agents, first, plan.pairs()));
            }
            (Some(&agent), None) | (None, Some(&agent)) => without.push(agent),
            (None, None) => {}
        }
    }
    Round::new(encounters, without)
}

/// Pairs the numbers below an even count: from 0 up, each with the one that it has met the fewest
/// `times`, among those with the one nearest to `step` places further on, as long as the others can
/// still be paired. Nobody meets twice, or thrice and so on, unless there is no other way.
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
        // By Dirac's theorem, when each has at least half of the others to choose from.
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
        // Five agents and the bye, which the last one gets.
        assert_eq!(pair_up(6, 2, &never), [(0, 2), (1, 3), (4, 5)]);
    }

    #[test]
    fn nobody_is_left_with_an_old_opponent() {
        // 2 and 3 have met: 0 may not take 1.
        let met = |a: usize, b: usize| u32::from([a.min(b), a.max(b)] == [2, 3]);
        assert_eq!(pair_up(4, 1, &met), [(0, 2), (1, 3)]);
        // All have met but 0 and 1.
        let met = |a: usize, b: usize| u32::from([a.min(b), a.max(b)] != [0, 1]);
        assert_eq!(pair_up(4, 1, &met), [(0, 1), (2, 3)]);
    }

    /// Whether the numbers can be paired without a second meeting, by trying everything.
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
