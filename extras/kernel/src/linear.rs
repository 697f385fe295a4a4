//! Sums.

use super::propagator::{Cost, Propagator};
use super::store::{DomainStore, Failure, Var};

/// `sum of c_i * x_i = total`. Bounds consistent over the reals; domain consistent for 0/1
/// variables with coefficients of 1 and -1.
#[derive(Debug)]
pub struct Linear {
    terms: Vec<(i32, Var)>,
    total: i32,
}

impl Linear {
    /// The constraint; no variable twice.
    pub fn new(terms: Vec<(i32, Var)>, total: i32) -> Self {
        Self { terms, total }
    }

    /// `sum of xs = y`.
    pub fn sum(xs: impl IntoIterator<Item = Var>, y: Var) -> Self {
        let terms = xs.into_iter().map(|x| (1, x)).chain([(-1, y)]);
        Self::new(terms.collect(), 0)
    }
}

/// The least and the greatest value of a term.
#[inline(always)]
fn bounds(store: &DomainStore, (c, x): (i32, Var)) -> (i32, i32) {
    let (min, max) = (c * i32::from(store.min(x)), c * i32::from(store.max(x)));
    if c < 0 { (max, min) } else { (min, max) }
}

impl Propagator for Linear {
    fn variables(&self) -> Vec<Var> {
        self.terms.iter().map(|&(_, var)| var).collect()
    }

    fn needs_only_bounds(&self) -> bool {
        true
    }

    fn cost(&self) -> Cost {
        Cost::Linear
    }

    fn propagate(&mut self, store: &mut DomainStore, _: &[u32]) -> Result<(), Failure> {
        loop {
            let (mut low, mut high) = (-self.total, -self.total);
            for &term in &self.terms {
                let (min, max) = bounds(store, term);
                low += min;
                high += max;
            }
            if low > 0 || high < 0 {
                return Err(Failure);
            }
            let mut narrowed = false;
            for &(c, x) in &self.terms {
                let (min, max) = bounds(store, (c, x));
                // The other terms sum to low - min at least and high - max at most.
                let (least, most) = (max - high, min - low);
                if min >= least && max <= most {
                    continue;
                }
                let mut kept = store.domain(x);
                for v in store.min(x)..=store.max(x) {
                    let term = c * i32::from(v);
                    if term < least || term > most {
                        kept &= !(1 << v);
                    }
                }
                store.keep(x, kept)?;
                narrowed = true;
            }
            if !narrowed {
                return Ok(());
            }
        }
    }

    fn holds(&self, value: &dyn Fn(Var) -> u8) -> bool {
        let terms = self.terms.iter();
        let sum: i32 = terms.map(|&(c, x)| c * i32::from(value(x))).sum();
        sum == self.total
    }
}
