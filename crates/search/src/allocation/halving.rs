//! Sequential halving: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits" (2013); at the root of a
//! tree, Pepels, Cazenave, Winands and Lanctot, "Minimizing simple and cumulative regret in Monte-Carlo tree search" (2014).

use crate::allocation::RootAllocation;
use crate::part::{PartInfo, PartKey};

pub(super) static HALVING: RootAllocation = RootAllocation {
    info: PartInfo {
        name: "halving",
        about: "Rounds with equal numbers of iterations: in each, every action left has the same number, and the half with the \
                greatest mean results goes on (sequential halving).",
        keys: &[PartKey {
            name: "most",
            about: "The number of actions in the first round, in the order in which they are tried",
            default: 16.0,
            range: [1.0, 1000.0],
        }],
    },
    mix: None,
    build: Some(|keys| {
        let most = keys[0] as usize;
        // The ranks of the actions that go on, and their iterations in this round.
        let mut left: Vec<(usize, u32)> = Vec::new();
        let (mut rounds, mut round) = (0, 0);
        Box::new(move |root| {
            if rounds == 0 {
                let count = root.actions.min(most);
                left = (0..count).map(|rank| (rank, 0)).collect();
                rounds = count.next_power_of_two().ilog2().max(1);
            }
            let ends = |round: u32| u64::from(root.all) * u64::from(round + 1) / u64::from(rounds);
            while round + 1 < rounds && u64::from(root.done) >= ends(round) {
                let value = |rank| (root.tally)(rank).map_or(f32::NEG_INFINITY, |one| one.value);
                // Stable: among equal results, the first ones go on.
                left.sort_by(|one, other| value(other.0).total_cmp(&value(one.0)));
                left.truncate(left.len().div_ceil(2));
                left.sort_unstable();
                left.iter_mut().for_each(|(_, spent)| *spent = 0);
                round += 1;
            }
            loop {
                let fewest = left.iter().map(|(_, spent)| *spent).min()?;
                let at = left.iter().position(|(_, spent)| *spent == fewest)?;
                let (rank, spent) = &mut left[at];
                if (root.tally)(*rank).is_some() {
                    *spent += 1;
                    return Some(*rank);
                }
                left.remove(at);
            }
        })
    }),
};
