//! Knock-outs: who loses is out.

use super::plan::{Format, Plan};
use super::schedule::{Decision, Encounter, Reason, Round};

/// The round after these. `seeds` are all agents from the strongest down.
pub(super) fn round(plan: &Plan, seeds: &[u16], rounds: &[Round]) -> Round {
    let mut entrants = first_entrants(seeds);
    for round in rounds {
        entrants = next_entrants(&entrants, round);
    }
    let (mut encounters, mut byes) = (Vec::new(), Vec::new());
    for slot in entrants.chunks(2) {
        match *slot {
            [Some(one), Some(other)] => {
                let agents = (one.min(other), one.max(other));
                let pairing = plan.pairing_of(one, other);
                encounters.push(Encounter::new(pairing, agents, 0, plan.pairs()));
            }
            [Some(one), None] | [None, Some(one)] => byes.push(one),
            _ => {}
        }
    }
    Round::new(encounters, byes)
}

/// The agents from the top of the bracket to its bottom, with gaps for the opponents of the best when
/// the bracket is not full. The best two can only meet in the final, the best four only in the
/// semi-finals, and so on.
fn first_entrants(seeds: &[u16]) -> Vec<Option<u16>> {
    let mut order = vec![0];
    while order.len() < seeds.len() {
        let last = 2 * order.len() - 1;
        order = order.iter().flat_map(|&seed| [seed, last - seed]).collect();
    }
    let entrants = order.into_iter().map(|seed| seeds.get(seed).copied());
    entrants.collect()
}

/// The winners of a round in the order of the bracket.
fn next_entrants(entrants: &[Option<u16>], round: &Round) -> Vec<Option<u16>> {
    let mut encounters = round.encounters.iter();
    let winner = |slot: &[Option<u16>]| match *slot {
        [Some(_), Some(_)] => encounters.next().and_then(winner),
        [one, other] => one.or(other),
        _ => None,
    };
    entrants.chunks(2).map(winner).collect()
}

/// Who has won an encounter, if that is known.
pub(super) fn winner(encounter: &Encounter) -> Option<u16> {
    let (a, b) = encounter.agents;
    encounter.decision.map(|decision| [a, b][decision.winner])
}

/// Decides an encounter of which all games have been played, or not if it takes a further pair.
pub(super) fn decide(encounter: &Encounter, planned: u32, plan: &Plan) -> Option<Decision> {
    let [a, b] = encounter.wins;
    let lead = a.cmp(&b).then(encounter.margin.cmp(&0));
    let (winner, by) = if lead.is_ne() {
        let by = if encounter.pairs > planned {
            Reason::FurtherPairs
        } else if a == b {
            Reason::Margin
        } else {
            Reason::Wins
        };
        (usize::from(lead.is_lt()), by)
    } else if encounter.pairs < 2 * planned {
        return None;
    } else {
        let Format::KnockOut { seeds } = plan.format() else {
            return None;
        };
        let (a, b) = encounter.agents;
        let seeds = plan.indices(seeds);
        let first = seeds.iter().find(|&&agent| agent == a || agent == b);
        (usize::from(first == Some(&b)), Reason::Seed)
    };
    Some(Decision { winner, by })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_meet_last() {
        let order = |agents: u16| first_entrants(&(1..=agents).collect::<Vec<_>>());
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
