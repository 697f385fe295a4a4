//! `x = v <=> b_v = 1`: an integer variable channelled to 0/1 variables.

use super::propagator::{Cost, Propagator};
use super::store::{DomainStore, Failure, MAX_VALUE, Var};

/// `x = v <=> flags[v] = 1` for each v; x has no other values. Domain consistent.
#[derive(Debug)]
pub struct Channel {
    x: Var,
    flags: Vec<Var>,
}

impl Channel {
    /// The constraint.
    ///
    /// # Panics
    /// With more than 64 flags.
    pub fn new(x: Var, flags: Vec<Var>) -> Self {
        assert!(flags.len() <= usize::from(MAX_VALUE) + 1);
        Self { x, flags }
    }
}

impl Propagator for Channel {
    fn variables(&self) -> Vec<Var> {
        self.flags.iter().copied().chain([self.x]).collect()
    }

    fn cost(&self) -> Cost {
        Cost::Linear
    }

    fn propagate(&mut self, store: &mut DomainStore, changed: &[u32]) -> Result<(), Failure> {
        let known = u64::MAX >> (64 - self.flags.len().max(1));
        store.keep(self.x, if self.flags.is_empty() { 0 } else { known })?;
        // Propagate from the changed flags to x.
        let before = store.domain(self.x);
        let mut x_changed = false;
        for &position in changed {
            match self.flags.get(position as usize) {
                None => x_changed = true,
                Some(&flag) if !store.is_fixed(flag) => {}
                Some(&flag) if store.contains(flag, 1) => store.assign(self.x, position as u8)?,
                Some(_) => store.remove(self.x, position as u8)?,
            }
        }
        // Propagate from x to the flags.
        if !x_changed && store.domain(self.x) == before && !store.is_fixed(self.x) {
            return Ok(());
        }
        let domain = store.domain(self.x);
        for (v, &flag) in self.flags.iter().enumerate() {
            if domain >> v & 1 == 0 {
                store.assign(flag, 0)?;
            }
        }
        match store.value(self.x) {
            Some(v) => store.assign(self.flags[usize::from(v)], 1),
            None => Ok(()),
        }
    }

    fn holds(&self, value: &dyn Fn(Var) -> u8) -> bool {
        let x = usize::from(value(self.x));
        let mut flags = self.flags.iter().enumerate();
        x < self.flags.len() && flags.all(|(v, &flag)| value(flag) == u8::from(v == x))
    }
}
