//! What the numbers of reports are. Each statistic is declared once: `docs/statistics.md`, the explanations on the page, and
//! the descriptions in JSON schemas are made from the declarations.

/// A number of a report.
#[derive(Debug, PartialEq, Eq)]
pub struct Statistic {
    /// Its name, unique among all.
    pub name: &'static str,
    /// What it is, in one sentence: of which games, plies or pairs, and what it is a mean over. It names the unit.
    pub about: &'static str,
    /// The same as a formula.
    pub formula: &'static str,
    /// How it is estimated.
    pub method: &'static Estimation,
}

impl Statistic {
    /// What it is, for tables, in which shares and probabilities are percent and times have their units.
    pub fn in_percent(&self) -> String {
        self.about
            .replace(", 0 to 1,", "")
            .replace(", in seconds,", "")
    }
}

/// How a statistic is estimated, and what its interval is.
#[derive(Debug, PartialEq, Eq)]
pub struct Estimation {
    /// Its name.
    pub name: &'static str,
    /// What depends on each other, and what is independent.
    pub clusters: &'static str,
    /// The estimator and its source.
    pub estimator: &'static str,
    /// The interval; empty if there is none.
    pub interval: &'static str,
}

/// Declares statistics: the constant, the name, the method, the sentence and the formula.
#[macro_export]
macro_rules! statistics {
    ($($list:ident { $($constant:ident $name:literal by $method:ident: $about:literal, $formula:literal;)+ })+) => {
        $($(
            #[doc = $about]
            pub const $constant: &$crate::Statistic = &$crate::Statistic {
                name: $name,
                about: $about,
                formula: $formula,
                method: &$method,
            };
        )+

        /// All of them, in the order of their declarations.
        pub const $list: &[&$crate::Statistic] = &[$($constant),+];
        )+
    };
}

const PAIRS: &str =
    "The two games of a pair are related. Where pairs share rings, all games on a ring are.";

/// Ratings of all agents and the advantage of moving first, from all games together.
pub static RATING: Estimation = Estimation {
    name: "joint ratings",
    clusters: PAIRS,
    estimator: "Maximum likelihood of the strengths and of a term for moving first for each printing and komi, with \
                Davidson's law of draws (Bradley and Terry 1952; Davidson and Beaver 1977); Jeffreys' prior where \
                results set no limit (Firth 1993).",
    interval: "Student's t. If each pair has its own ring: the covariance has a correlation of the legs in each \
               pairing, (n r + R / 2) / (n + 1/2), of n pairs, where r, from -1 to 1, is the mean of z_1 z_2 in it, \
               divided by 1 - the mean leverage of its games (or 1/2, if that is more), and R the correlation of the legs in all other pairings; \
               the degrees of freedom, rounded down, are Satterthwaite's for correlations of the variance (1 - r^2) n \
               / (n + 1/2)^2. With common rings: a sandwich estimator with rings as clusters, and 4 / (4 + pairs) of \
               the inverse information. With at most 100 rings and 40 agents, the score of each ring for the estimate \
               is enlarged, and the degrees of freedom are those of the variance (CR2, Bell and McCaffrey 2002); with \
               more, the factor is rings / (rings - 1), and there are rings - 1. With the prior, each seating also \
               gets the variance that its results have less than the model. Longer on the side of rare wins: the end \
               of a Poisson interval for 1 / skewness^2 wins (Wilson and Hilferty 1931), with the skewness of \
               independent games. No end on a side on which results set no limit.",
};

/// Tests with the joint ratings.
pub static RATING_TEST: Estimation = Estimation {
    name: "tests of ratings",
    clusters: PAIRS,
    estimator: "From the joint ratings and their covariance: LOS is that of a normal distribution with t / 1.96 times \
                the standard error, so that it is 97.5% where the interval ends at 0.",
    interval: "",
};

/// The goodness of fit of the joint ratings.
pub static FIT: Estimation = Estimation {
    name: "goodness of fit",
    clusters: PAIRS,
    estimator: "Generalized least squares at the fitted ratings, with the correlations of the legs, against a strength \
                difference of each pairing. Pairings in which an agent is expected to win less than 5 games are \
                pooled, those with the most first, until these are 5 or more: that the weaker agents of a pool do \
                better is one parameter. With r common rings, chi-square is divided by its mean per degree of freedom \
                (Rao and Scott 1981), (r sum over rings of its chi-square - chi-square) / (freedom (r - 1)), which is \
                shrunk towards 1 as if there were four more rings, and compared with F with freedom (r - 1) degrees of \
                freedom of the denominator. So is the variance of a surprise.",
    interval: "",
};

/// A share of games, of plies or of purchases.
pub static SHARE: Estimation = Estimation {
    name: "share",
    clusters: "A pair of games is a cluster; with common rings, all games on a ring are. Without them, each pairing is a stratum.",
    estimator: "Hits by observations, where clusters have any number of observations.",
    interval: "Wilson's for the effective number of observations (Korn and Graubard 1998), by Student's t. The variance of the \
               clusters, and its degrees of freedom, are those of a mean of clusters; a pair in which a patch was not bought is \
               an empty cluster. The design effect is shrunk towards 1 as if there were eight more observations; the degrees of \
               freedom are Satterthwaite's for that mean. The effect is at least the square of 2 by the degrees of freedom of the \
               clusters, unless a cluster then counts as less than two observations. If all observations agree, each cluster \
               counts as one.",
};

/// The difference of two agents from the scores of their pairs.
pub static PAIR_SCORE: Estimation = Estimation {
    name: "scores of pairs",
    clusters: "Pairs are independent.",
    estimator: "The mean score of the pairs, an outcome without pairs counting as 0.001 pairs, and the likeliest \
                distributions of the scores under hypotheses (Van den Bergh, the notes of fishtest).",
    interval: "Normal, of the mean score of a pair; none if all pairs ended alike. Of normalized Elo: normal, of d = \
               (mean - 1/2) / sd with the variance (1 - d skewness + d^2 (kurtosis - 1) / 4) / pairs; none if fewer \
               than five pairs differ from the most frequent outcome.",
};

/// The difference of two agents after a sequential test stopped.
pub static STOPPED: Estimation = Estimation {
    name: "corrected for the stopping",
    clusters: "Pairs are independent.",
    estimator: "The difference at which outcomes beyond the observed one have probability 1/2, ordered by hypothesis \
                and time (Siegmund 1978; Jennison and Turnbull 1999, chapter 8). The log likelihood ratio is taken as \
                linear in the sum of the scores of pairs, with their observed variance; a score has the observed \
                distribution times an exponential that gives it an expected score.",
    interval: "The differences at which these outcomes have probabilities 2.5% and 97.5%.",
};

/// The difference of two agents at any time of a sequential test.
pub static ANYTIME_BET: Estimation = Estimation {
    name: "however often one looks",
    clusters: "The score of a pair may depend on those before, with the same mean.",
    estimator: "The mean score of the pairs.",
    interval: "A confidence sequence by betting (Waudby-Smith and Ramdas 2024): it contains the truth after every \
               number of pairs together in at least 95% of tests. On either side it excludes the expected scores at \
               which bets of 0.9 / 2^(k/2) of what one owns, k = 0 to 39, that begin with 1 / ((k + 1) (k + 2)), own \
               40 together.",
};

/// The difference of two independent estimates.
pub static INDEPENDENT: Estimation = Estimation {
    name: "difference of independent estimates",
    clusters: "Those of both estimates.",
    estimator: "One estimate minus the other.",
    interval: "From both intervals by the method of variance estimates recovery (Zou and Donner 2008), which keeps that they are \
               not symmetric.",
};

statistics! {
    RATINGS {
        ELO "Elo" by RATING:
            "Strength of an agent in Elo points, over all games; 0 is the mean of all agents linked to it by games, directly or \
             through others; an advantage of 400 points multiplies the odds of winning, against the same opponent from the same \
             seat, by ten.",
            "r_a with P(a wins | a moves first) = 1 / (1 + 10^(-(r_a - r_b + h) / 400)), mean of r = 0";
        DIFFERENCE "Elo difference" by RATING:
            "Rating of an agent minus that of another, in Elo points, over all games that connect them, directly or through \
             other agents.",
            "r_a - r_b";
        LOS "LOS" by RATING_TEST:
            "Likelihood of superiority: probability, 0 to 1, that an agent is stronger than the other (in the standings, the \
             next), given the games and a flat prior, not adjusted for multiple comparisons.",
            "P(r_a > r_b | games)";
        P_ADJUSTED "adjusted p" by RATING_TEST:
            "Two-sided p-value, 0 to 1, of the hypothesis that two agents are equally strong, adjusted for the number of \
             comparisons by Holm's method (1979).",
            "Holm of 2 (1 - LOS)";
        RANKS "rank" by RATING_TEST:
            "Place, or a range such as 2-3 if it is not settled; all ranks hold jointly with 95% confidence.",
            "1 + number shown to be stronger to n - number shown to be weaker";
        RHO "correlation of the legs" by RATING_TEST:
            "Correlation, -1 to 1, of an agent's results in the two games of a pair, given the ratings, over all pairs.",
            "sum over pairs of z_1 z_2 / (sum over pairs of (z_1^2 + z_2^2) / 2 + 4), z = (x - E x) / sd x";
        MOVING_FIRST "moving first in Elo" by RATING:
            "Advantage of moving first between equal agents, in Elo points, adjusted for the agents' strengths, over all games, \
             or over the games of one row that were played to their end.",
            "h of Elo";
        EQUAL_WINS "first player between equals" by RATING:
            "Share of games, 0 to 1, that the first player wins between two equally strong agents.",
            "1 / (1 + 10^(-h / 400))";
        ONE_ELO "fit of one Elo" by FIT:
            "Probability, 0 to 1, of results at least as far from one rating per agent as these, if ratings explain \
             everything, over the pairings that can be tested.",
            "P(X2 >= reduction of the sum of squares by the cells)";
        EXPECTED_WINS "expected wins" by FIT:
            "Number of games that the agent of a pairing that is listed first is expected to win by the ratings.",
            "sum over games of P(a wins)";
        SURPRISE "surprise" by FIT:
            "Number of standard errors by which the strength difference of a pairing, as a parameter of its own, exceeds that \
             of the ratings.",
            "difference / standard error";
    }

    SEQUENTIAL {
        LLR "LLR" by PAIR_SCORE:
            "Generalized log likelihood ratio of the hypotheses H1 to H0 of a sequential test, over the pairs so far.",
            "pairs x sum over scores of share x log(P(score | H1) / P(score | H0))";
        CORRECTED_ELO "corrected Elo" by STOPPED:
            "Difference of two agents in Elo after a sequential test stopped: as often too high as too low, over all \
             outcomes of such a test.",
            "median unbiased r_a - r_b";
        ANYTIME_ELO "Elo however often one looks" by ANYTIME_BET:
            "Difference of two agents in Elo, over the pairs so far, with an interval that holds at all times together.",
            "-400 log10(1 / mean score - 1)";
        RAW_ELO "raw Elo" by PAIR_SCORE:
            "Difference of two agents in Elo as if the number of pairs had been fixed, in the report of a tournament from the \
             joint ratings; after a sequential test it is too far from 0 on average, see corrected Elo.",
            "-400 log10(1 / mean score - 1)";
        NORMALIZED_ELO "normalized Elo" by PAIR_SCORE:
            "Distance of the expected score of a pair from 1/2 in standard deviations of a game, times 800 / ln 10, \
             over the pairs.",
            "(mean score - 1/2) / (sqrt(2) sd of a pair) * 800 / ln 10";
        BUDGET_CHANGE "change with the budget" by INDEPENDENT:
            "Elo difference at the larger budget minus corrected Elo at that of the search.",
            "(r_a - r_b at 4 budgets) - (r_a - r_b)";
    }
}
