//! What the statistics of tunings are.

use patchwork_rating::{Estimation, statistics};

/// Expectations of results over the space of settings.
static MODEL: Estimation = Estimation {
    name: "model of the results",
    clusters: "The results of pairs are independent, given the candidate.",
    estimator: "A Gaussian process over the space: a sum of an effect for each set of keys, shrunk towards 0 (Duvenaud, Nickisch and \
                Rasmussen 2011).",
    interval: "Normal, with the variance of the process at the most likely weights.",
};

/// Shares of the variance of the expectation.
static SHARES: Estimation = Estimation {
    name: "shares of variance",
    clusters: "As the model of the results.",
    estimator: "First-order and total indices of Sobol on a balanced design (Saltelli et al. 2010; Jansen 1999), mean over draws of the \
                model whose weights are drawn, too.",
    interval: "The middle 95% of the draws.",
};

statistics! {
    TUNINGS {
        CANDIDATE_RESULT "result of a candidate" by MODEL:
            "Result of a pair of games, 0 to 1, that is expected of a candidate: its score or a squashed margin, as the \
             objective says.",
            "E(result | settings)";
        VALUE_RESULT "result of a value" by MODEL:
            "Result of a pair of games, 0 to 1, that is expected of candidates with a value of a key, mean over random \
             values of the other keys.",
            "E(result | value)";
        EXPLAINED "explained by a key" by SHARES:
            "Share, 0 to 1, of the variance of the expected result over the space that a key explains together with its \
             interactions, where its condition holds.",
            "E var(result | all other keys) / var(result)";
        ALONE "explained by a key alone" by SHARES:
            "Share, 0 to 1, of the variance of the expected result over the space that a key explains by itself, where \
             its condition holds.",
            "var E(result | key) / var(result)";
    }
}
