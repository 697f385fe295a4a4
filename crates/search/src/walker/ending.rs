//! When a search ends before its budget is spent.

use crate::game::Guidance;
use crate::meter::Meter;
use crate::tree::MAX_VISITS;
use crate::tree::node::NodeId;
use crate::walker::{TreeOf, Walker};

impl<G: Guidance> Walker<G> {
    /// Whether the search ends before its budget is spent, after this many iterations, of which `last` are new.
    #[inline(always)]
    pub(crate) fn is_decided(
        &self,
        tree: &TreeOf<G>,
        meter: &Meter<'_>,
        done: u32,
        last: u32,
    ) -> bool {
        const BETWEEN_LOOKS: u32 = 64;
        self.is_proven(tree)
            || done > 0
                && done % BETWEEN_LOOKS < last
                && self.is_final(tree, meter, done, |_| false)
    }

    /// Whether it is proven who wins, or the visits of the root cannot be counted further.
    #[inline(always)]
    pub(crate) fn is_proven(&self, tree: &TreeOf<G>) -> bool {
        let root = tree.node(tree.root);
        root.winner.is_some() || root.visits >= MAX_VISITS
    }

    /// Whether the iterations left after this many cannot change the choice, unless they prove who wins, and the search
    /// ends then. Virtual losses count for the other actions, but not for the one with the most visits. At a claimed
    /// node, the answer is no.
    pub(crate) fn is_final(
        &self,
        tree: &TreeOf<G>,
        meter: &Meter<'_>,
        done: u32,
        is_claimed: impl Fn(NodeId) -> bool,
    ) -> bool {
        if !self.settings.early_stop {
            return false;
        }
        let left = meter.left(done);
        let share = (self.settings.choice.part().share)(self.settings.choice.values());
        let mut id = tree.root;
        loop {
            if is_claimed(id) {
                return false;
            }
            let (mut most, mut second, mut unfinished) = (0, 0, 0);
            for one in tree.edges(id).iter().filter(|edge| !edge.is_lost()) {
                second = second.max(one.visits.min(most));
                if one.visits > most {
                    (most, unfinished) = (one.visits, u32::from(one.unfinished));
                }
            }
            // If all of them went to one other action, it would not have enough visits to be chosen.
            let more = u64::from(second) + u64::from(left) + u64::from(unfinished);
            if more as f64 >= share * f64::from(most) {
                return false;
            }
            // If the choice is only part of a decision, the next part must be decided as well.
            match tree.best(id, true) {
                Some(part) if self.game.is_part(part.action) => match tree.child(id, part.action) {
                    Some(next) => id = next,
                    None => return false,
                },
                _ => return true,
            }
        }
    }
}
