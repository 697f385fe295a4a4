//! Logic: the and of two 0/1 variables, and a 0/1 variable that is 1 when another variable has a value.

use super::propagator::{Cost, Propagator};
use super::store::{DomainStore, Failure, Var};

/// `both <=> a and b`, all 0/1 variables. Domain consistent.
#[derive(Debug)]
pub struct Conjunction {
    a: Var,
    b: Var,
    both: Var,
}

impl Conjunction {
    /// The constraint.
    pub const fn new(a: Var, b: Var, both: Var) -> Self {
        Self { a, b, both }
    }
}

impl Propagator for Conjunction {
    fn variables(&self) -> Vec<Var> {
        vec![self.a, self.b, self.both]
    }

    fn cost(&self) -> Cost {
        Cost::Constant
    }

    fn propagate(&mut self, store: &mut DomainStore, _: &[u32]) -> Result<(), Failure> {
        for var in [self.a, self.b, self.both] {
            store.keep(var, 0b11)?;
        }
        let value = |var| store.value(var);
        match (value(self.a), value(self.b), value(self.both)) {
            (_, _, Some(1)) => {
                store.assign(self.a, 1)?;
                store.assign(self.b, 1)
            }
            (Some(0), _, _) | (_, Some(0), _) => store.assign(self.both, 0),
            (Some(1), Some(1), _) => store.assign(self.both, 1),
            (Some(1), None, Some(0)) => store.assign(self.b, 0),
            (None, Some(1), Some(0)) => store.assign(self.a, 0),
            _ => Ok(()),
        }
    }

    fn holds(&self, value: &dyn Fn(Var) -> u8) -> bool {
        let is_one = |var| value(var) == 1;
        is_one(self.both) == (is_one(self.a) && is_one(self.b))
    }
}

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
