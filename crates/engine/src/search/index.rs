//! Nodes by the keys of their positions.

use super::node::{NO_NODE, NodeId};

/// The key of a node without one; a position whose hash is this is not shared.
pub(super) const NO_KEY: u64 = 0;

/// The number of slots up to which an empty table keeps them, 64 KiB.
const MOST_KEPT: usize = 1 << 14;

/// A hash table with open addressing and linear probing, at most half full.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    slots: Vec<NodeId>,
    len: usize,
}

impl Index {
    /// The node with a key, where `keys` has the keys of all nodes.
    pub(super) fn find(&self, key: u64, keys: &[u64]) -> Option<NodeId> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = key as usize & mask;
        loop {
            match self.slots[at] {
                NO_NODE => return None,
                node if keys[node as usize] == key => return Some(node),
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// Removes all nodes. The memory of a small table is kept: to empty it takes less time than to grow it again.
    pub(super) fn clear(&mut self) {
        if self.slots.len() > MOST_KEPT {
            self.slots = Vec::new();
        }
        self.slots.fill(NO_NODE);
        self.len = 0;
    }

    /// Adds a node whose key, which is in `keys`, has no node yet.
    pub(super) fn insert(&mut self, node: NodeId, keys: &[u64]) {
        if 2 * (self.len + 1) > self.slots.len() {
            let old = std::mem::take(&mut self.slots);
            self.slots = vec![NO_NODE; (2 * old.len()).max(64)];
            for node in old.into_iter().filter(|&node| node != NO_NODE) {
                self.place(node, keys);
            }
        }
        self.place(node, keys);
        self.len += 1;
    }

    fn place(&mut self, node: NodeId, keys: &[u64]) {
        let mask = self.slots.len() - 1;
        let mut at = keys[node as usize] as usize & mask;
        while self.slots[at] != NO_NODE {
            at = (at + 1) & mask;
        }
        self.slots[at] = node;
    }
}
