//! Cycles: three agents each of which beats the next.

use std::collections::BTreeMap;

use serde::Serialize;

use super::distribution::normal_below;
use super::graph::Seating;
use super::names::name_of;

/// Three agents of which the first beats the second, the second the third, and the third the first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cycle {
    /// The agents, beginning with the one whose index is smallest.
    pub agents: [String; 3],
    /// The share of games that each won against the next, 0 to 1.
    pub scores: [f64; 3],
    /// The probability of results at least this clear if one of the three does not beat the next: the largest of the
    /// three one-sided p-values of equal strengths (an intersection-union test; Berger, Technometrics 1982).
    pub p: f64,
    /// `p` adjusted for all cycles that were tested, by Holm's method.
    pub p_adjusted: f64,
}

/// The results of the pairs of a pairing, from the point of view of the agent with the smaller index.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lead {
    pub(super) games: f64,
    /// Points minus half of the games.
    pub(super) ahead: f64,
    /// Sum over pairs of games of the square of `ahead`.
    pub(super) squares: f64,
}

/// With fewer pairs than this that were not shared equally, a pairing shows nothing: the distribution of the statistic
/// is not yet normal. Squares of 1 are pairs that one agent won 2-0.
const LEAST_DECIDED: f64 = 10.0;

/// Cycles above this p-value are not listed.
const MOST_P: f64 = 0.05;

impl Lead {
    /// The one-sided p-value of equal strengths against a stronger agent with the smaller index: the sign of each pair's
    /// result is as likely either way, so the sum over its root sum of squares is nearly normal.
    fn p(&self) -> f64 {
        if self.squares < LEAST_DECIDED {
            return 1.0;
        }
        normal_below(-self.ahead / self.squares.sqrt())
    }

    const fn reversed(self) -> Self {
        Self {
            ahead: -self.ahead,
            ..self
        }
    }
}

/// A set of agents by their indices.
type AgentSet = Vec<u64>;

/// All cycles of three agents that are significant on their own, clearest first, and the number of cycles that could be:
/// two for three agents that all met.
pub(super) fn cycles(names: &[String], leads: &BTreeMap<Seating, Lead>) -> (u64, Vec<Cycle>) {
    let agents = leads.keys().map(|&(_, b)| b + 1).max().unwrap_or(0);
    let words = agents.div_ceil(64);
    let empty = || -> Vec<AgentSet> { vec![vec![0; words]; agents] };
    let (mut met, mut beaten) = (empty(), empty());
    for (&(a, b), lead) in leads {
        let put = |sets: &mut Vec<AgentSet>, of: usize, agent: usize| {
            sets[of][agent / 64] |= 1 << (agent % 64);
        };
        put(&mut met, a, b);
        put(&mut met, b, a);
        if lead.p() <= MOST_P {
            put(&mut beaten, a, b);
        } else if lead.reversed().p() <= MOST_P {
            put(&mut beaten, b, a);
        }
    }
    let mut triangles = 0_u64;
    for &(a, b) in leads.keys() {
        let common = met[a].iter().zip(&met[b]).map(|(one, other)| one & other);
        triangles += common.map(|word| u64::from(word.count_ones())).sum::<u64>();
    }
    // Each triangle was counted from its three sides, and can be a cycle in two directions.
    let tested = triangles / 3 * 2;
    let against = |a: usize, b: usize| match leads.get(&(a.min(b), a.max(b))) {
        Some(lead) if a < b => *lead,
        Some(lead) => lead.reversed(),
        None => Lead::default(),
    };
    let mut found: Vec<(f64, [usize; 3])> = Vec::new();
    for a in 0..agents {
        for b in members(&beaten[a]).filter(|&b| b > a) {
            for c in members(&beaten[b]).filter(|&c| c > a) {
                if beaten[c][a / 64] >> (a % 64) & 1 == 1 {
                    let p = [(a, b), (b, c), (c, a)].map(|(one, other)| against(one, other).p());
                    found.push((p.into_iter().fold(0.0, f64::max), [a, b, c]));
                }
            }
        }
    }
    found.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let mut least = 0.0_f64;
    let cycle = |(place, (p, three)): (usize, (f64, [usize; 3]))| {
        least = least.max((p * (tested - place as u64) as f64).min(1.0));
        let [a, b, c] = three;
        let scores = [(a, b), (b, c), (c, a)].map(|(one, other)| {
            let lead = against(one, other);
            0.5 + lead.ahead / lead.games
        });
        Cycle {
            agents: three.map(|agent| name_of(names, agent)),
            scores,
            p,
            p_adjusted: least,
        }
    };
    let cycles = found.into_iter().enumerate().map(cycle).collect();
    (tested, cycles)
}

fn members(set: &AgentSet) -> impl Iterator<Item = usize> {
    let words = set.iter().enumerate();
    words.flat_map(|(at, &word)| {
        (0..64)
            .filter(move |bit| word >> bit & 1 == 1)
            .map(move |bit| 64 * at + bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|i| format!("agent {i}")).collect()
    }

    fn random(state: &mut u64) -> f64 {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Pairs of two games that the first agent wins with this probability; in half of the pairs the setup decides both.
    fn lead(chance: f64, pairs: usize, state: &mut u64) -> Lead {
        let mut lead = Lead::default();
        for _ in 0..pairs {
            let mut won = || f64::from(u8::from(random(state) < chance));
            let one = won();
            let other = won();
            let both = if random(state) < 0.5 {
                2.0 * one
            } else {
                one + other
            };
            lead.games += 2.0;
            lead.ahead += both - 1.0;
            lead.squares += (both - 1.0) * (both - 1.0);
        }
        lead
    }

    #[test]
    fn a_circle_is_found_and_its_three_scores_are_told() {
        let mut state = 3;
        let mut leads = BTreeMap::new();
        for (a, b, chance) in [
            (0, 1, 0.75),
            (1, 2, 0.75),
            (0, 2, 0.25),
            (0, 3, 0.9),
            (1, 3, 0.9),
            (2, 3, 0.9),
        ] {
            leads.insert((a, b), lead(chance, 100, &mut state));
        }
        let (tested, found) = cycles(&names(4), &leads);
        assert_eq!(tested, 8, "four triangles in two directions");
        let [cycle] = &found[..] else {
            panic!("{found:?}")
        };
        assert_eq!(cycle.agents, ["agent 0", "agent 1", "agent 2"]);
        assert!(cycle.p_adjusted < 0.01 && (cycle.p_adjusted - 8.0 * cycle.p).abs() < 1e-12);
        assert!(cycle.scores.iter().all(|score| (0.6..0.9).contains(score)));
        assert_eq!(cycles(&names(0), &BTreeMap::new()), (0, Vec::new()));
    }

    /// The worst case without a cycle: two results that are certain, and one between equals.
    #[test]
    fn the_error_rate_is_that_of_the_level() {
        let (runs, mut state) = (4000, 17);
        let (mut alone, mut adjusted) = (0, 0);
        for _ in 0..runs {
            let mut leads = BTreeMap::new();
            // Agent 0 beats 1, 1 beats 2 and 0 and 2 are equal: no cycle in either direction.
            leads.insert((0, 1), lead(0.95, 30, &mut state));
            leads.insert((1, 2), lead(0.95, 30, &mut state));
            leads.insert((0, 2), lead(0.5, 30, &mut state));
            let (_, found) = cycles(&names(3), &leads);
            alone += u32::from(!found.is_empty());
            adjusted += u32::from(found.first().is_some_and(|cycle| cycle.p_adjusted <= 0.05));
        }
        let share = |count: u32| f64::from(count) / f64::from(runs);
        assert!((0.03..0.07).contains(&share(alone)), "{}", share(alone));
        assert!(share(adjusted) < 0.04, "{}", share(adjusted));
    }

    #[test]
    fn a_few_games_show_no_cycle() {
        let clear = Lead {
            games: 18.0,
            ahead: 9.0,
            squares: 9.0,
        };
        let leads = [((0, 1), clear), ((1, 2), clear), ((0, 2), clear.reversed())];
        assert_eq!(cycles(&names(3), &leads.into()), (2, Vec::new()));
    }
}
