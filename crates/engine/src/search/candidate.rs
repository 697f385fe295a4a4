//! What a search knows about the actions of a position.

use super::node::Edge;

/// An action of a position with the results of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate<A> {
    /// The action.
    pub action: A,
    /// Iterations that went through it.
    pub visits: u32,
    /// Their mean result for the side that moves, 0 to 1; 0 without visits.
    pub value: f32,
    /// The side's chance to win with it, 0 to 1, with the [`confidence`](super::Settings::confidence) of the
    /// search; certain where it is proven; 0 without visits.
    pub chance: f32,
    /// The expansion's probability that it is the best. The priors of a position add up to 1, except those of
    /// actions that the expansion left out and the search added later, which add up to another 1.
    pub prior: f32,
    /// Whether it is proven to win (true) or to lose (false).
    pub proven: Option<bool>,
}

impl<A: Copy + PartialEq> Candidate<A> {
    pub(super) fn new(edge: &Edge<A>, prior: f32, confidence: f32) -> Self {
        Self {
            action: edge.action,
            visits: edge.visits,
            value: edge.mean(),
            chance: with_confidence(edge.chance(), confidence),
            prior,
            proven: edge.proven,
        }
    }
}

/// The chance whose log-odds are those of this chance times the confidence. A confidence of 1 keeps every bit.
fn with_confidence(chance: f32, confidence: f32) -> f32 {
    if confidence == 1.0 {
        return chance;
    }
    let won = libm::powf(chance, confidence);
    let lost = libm::powf(1.0 - chance, confidence);
    won / (won + lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_multiplies_log_odds() {
        let log_odds = |chance: f32| (chance / (1.0 - chance)).ln();
        for chance in [0.02, 0.3, 0.5, 0.71, 0.97] {
            assert_eq!(with_confidence(chance, 1.0), chance);
            let told = with_confidence(chance, 1.6);
            assert!(
                (log_odds(told) - 1.6 * log_odds(chance)).abs() < 1e-3,
                "{chance}"
            );
            let other = with_confidence(1.0 - chance, 1.6);
            assert!((told + other - 1.0).abs() < 1e-6, "{chance}");
        }
        assert_eq!(
            [0.0, 0.5, 1.0].map(|chance| with_confidence(chance, 3.0)),
            [0.0, 0.5, 1.0]
        );
    }
}
