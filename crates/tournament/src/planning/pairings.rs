//! The numbered pairings of a plan: which two agents may meet.

/// The pairings of a plan, in order. Agents are indices into [`Plan::agents`](crate::Plan::agents).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pairings {
    /// All unordered pairs of this number of agents, the lower index first.
    All(u16),
    /// Each agent of the first list with each of the second; both lists are sorted.
    Across(Vec<u16>, Vec<u16>),
}

impl Default for Pairings {
    fn default() -> Self {
        Self::All(0)
    }
}

impl Pairings {
    /// The number of pairings.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::All(agents) => rows_before(*agents, *agents),
            Self::Across(firsts, others) => firsts.len() as u64 * others.len() as u64,
        }
    }

    /// The agents of a pairing, or `None` past the end.
    pub(crate) fn get(&self, index: u64) -> Option<(u16, u16)> {
        match self {
            Self::All(agents) => {
                if index >= self.len() {
                    return None;
                }
                // The last row that begins at the index or before it.
                let (mut a, mut end) = (0, *agents);
                while end - a > 1 {
                    let middle = a + (end - a) / 2;
                    match rows_before(middle, *agents) <= index {
                        true => a = middle,
                        false => end = middle,
                    }
                }
                Some((a, a + 1 + (index - rows_before(a, *agents)) as u16))
            }
            Self::Across(firsts, others) => {
                let width = others.len() as u64;
                let first = usize::try_from(index.checked_div(width)?).ok()?;
                Some((*firsts.get(first)?, others[(index % width) as usize]))
            }
        }
    }

    /// The index of the pairing of two agents, and the agents in its order.
    pub(crate) fn find(&self, one: u16, other: u16) -> Option<(u64, (u16, u16))> {
        match self {
            Self::All(agents) => {
                let (a, b) = (one.min(other), one.max(other));
                let known = a != b && b < *agents;
                known.then(|| (pairing_of(a, b, *agents).into(), (a, b)))
            }
            Self::Across(firsts, others) => {
                let index = |a: u16, b: u16| {
                    let (row, column) = (
                        firsts.binary_search(&a).ok()?,
                        others.binary_search(&b).ok()?,
                    );
                    Some((row as u64 * others.len() as u64 + column as u64, (a, b)))
                };
                index(one, other).or_else(|| index(other, one))
            }
        }
    }

    /// All pairings.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u16, u16)> {
        let (firsts, others) = match self {
            Self::All(agents) => ((0..*agents).collect(), None),
            Self::Across(firsts, others) => (firsts.clone(), Some(others)),
        };
        let count = firsts.len() as u16;
        firsts.into_iter().flat_map(move |a| {
            let opponents = others.map_or_else(|| (a + 1..count).collect(), Clone::clone);
            opponents.into_iter().map(move |b| (a, b))
        })
    }
}

/// The index of the pairing of two agents if all `agents` agents may meet.
pub(crate) fn pairing_of(one: u16, other: u16, agents: u16) -> u32 {
    let (a, b) = (one.min(other), one.max(other));
    (rows_before(a, agents) + u64::from(b - a - 1)) as u32
}

/// The number of pairings whose first agent is lower than `a`.
fn rows_before(a: u16, agents: u16) -> u64 {
    let (a, agents) = (u64::from(a), u64::from(agents));
    (a * (2 * agents - a)).saturating_sub(a) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_pairings_are_found_at_both_ends_of_their_rows() {
        let all = Pairings::All(u16::MAX);
        let mut index = 0;
        for a in 0..u16::MAX - 1 {
            assert_eq!(all.get(index), Some((a, a + 1)));
            index += u64::from(u16::MAX - 1 - a);
            assert_eq!(all.get(index - 1), Some((a, u16::MAX - 1)));
        }
        assert_eq!((all.len(), all.get(index)), (index, None));
    }

    #[test]
    fn pairings_are_numbered_in_order() {
        for agents in 0..9 {
            let all = Pairings::All(agents);
            let others: Vec<u16> = (2..agents).collect();
            for pairings in [all, Pairings::Across(vec![0, 1], others)] {
                assert_eq!(pairings.iter().count() as u64, pairings.len());
                for (index, (a, b)) in (0..).zip(pairings.iter()) {
                    assert_eq!(pairings.get(index), Some((a, b)));
                    assert_eq!(pairings.find(a, b), Some((index, (a, b))));
                    assert_eq!(pairings.find(b, a), Some((index, (a, b))));
                    assert_eq!(pairings.find(a, a), None);
                    if let Pairings::All(_) = pairings {
                        assert_eq!(u64::from(pairing_of(b, a, agents)), index);
                    }
                }
                assert_eq!(pairings.get(pairings.len()), None);
                assert_eq!(pairings.get(u64::MAX), None);
            }
        }
    }
}
