//! Sequential halving: Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits" (2013); at the root of a
//! tree, Pepels, Cazenave, Winands and Lanctot, "Minimizing simple and cumulative regret in Monte-Carlo tree search" (2014).

use crate::allocation::{Allocator, RootAllocation, RootTally};
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
    build: |keys| {
        Some(Box::new(RootHalving {
            most: keys[0] as usize,
            left: Vec::new(),
            rounds: 0,
            round: 0,
        }))
    },
};

struct RootHalving {
    most: usize,
    /// The ranks of the actions that go on, and their iterations in this round.
    left: Vec<(usize, u32)>,
    rounds: u32,
    round: u32,
}

impl Allocator for RootHalving {
    fn next(&mut self, root: &RootTally<'_>) -> Option<usize> {
        if self.rounds == 0 {
            let count = root.actions.min(self.most);
            self.left = (0..count).map(|rank| (rank, 0)).collect();
            self.rounds = count.next_power_of_two().ilog2().max(1);
        }
        let ends = |round: u32| u64::from(root.all) * u64::from(round + 1) / u64::from(self.rounds);
        while self.round + 1 < self.rounds && u64::from(root.done) >= ends(self.round) {
            let value = |rank| (root.tally)(rank).map_or(f32::NEG_INFINITY, |one| one.value);
            // Stable: among equal results, the first ones go on.
            (self.left).sort_by(|one, other| value(other.0).total_cmp(&value(one.0)));
            self.left.truncate(self.left.len().div_ceil(2));
            self.left.sort_unstable();
            self.left.iter_mut().for_each(|(_, spent)| *spent = 0);
            self.round += 1;
        }
        loop {
            let fewest = self.left.iter().map(|(_, spent)| *spent).min()?;
            let at = self.left.iter().position(|(_, spent)| *spent == fewest)?;
            let (rank, spent) = &mut self.left[at];
            if (root.tally)(*rank).is_some() {
                *spent += 1;
                return Some(*rank);
            }
            self.left.remove(at);
        }
    }
}
