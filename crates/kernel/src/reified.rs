//! A 0/1 variable that is 1 when another variable has a value.

use super::propagator::{Cost, Propagator};
use super::store::{DomainStore, Failure, Var};

/// `flag = 1 <=> x = value`. Domain consistent.
#[derive(Debug)]
pub struct Reified {
    x: Var,
    value: u8,
    flag: Var,
}

impl Reified {
    /// The constraint.
    pub const fn new(x: Var, value: u8, flag: Var) -> Self {
        Self { x, value, flag }
    }
}

impl Propagator for Reified {
    fn variables(&self) -> Vec<Var> {
        vec![self.x, self.flag]
    }

    fn cost(&self) -> Cost {
        Cost::Constant
    }

    fn propagate(&mut self, store: &mut DomainStore, _: &[u32]) -> Result<(), Failure> {
        store.keep(self.flag, 0b11)?;
        match store.value(self.flag) {
            Some(0) => store.remove(self.x, self.value)?,
            Some(_) => store.assign(self.x, self.value)?,
            None => {}
        }
        if !store.contains(self.x, self.value) {
            store.assign(self.flag, 0)
        } else if store.is_fixed(self.x) {
            store.assign(self.flag, 1)
        } else {
            Ok(())
        }
    }

    fn holds(&self, value: &dyn Fn(Var) -> u8) -> bool {
        value(self.flag) == u8::from(value(self.x) == self.value)
    }
}
