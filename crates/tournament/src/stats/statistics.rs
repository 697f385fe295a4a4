//! What the statistics of games are.

use patchwork_rating::statistic::SHARE;
use patchwork_rating::{Estimation, statistics};

const CLUSTERS: &str = "A pair of games is a cluster; with common rings, all games on a ring are. Without them, each pairing is a stratum.";

/// A mean of a quantity per game, per ply or per point of a pair.
static MEAN: Estimation = Estimation {
    name: "mean of clusters",
    clusters: CLUSTERS,
    estimator: "The combined ratio estimator (Cochran 1977, sections 6.3 and 6.11): the sum of the quantity by the sum of the counts.",
    interval: "Student's t, of the residuals sum - mean x count. A stratum has effectively k = (sum of count^2)^2 / sum of count^4 \
               clusters, at least 2: its variance is k / (k - 1) times the squares around its mean, and the degrees of freedom \
               are f, the sum of k - 1. If a stratum has a single cluster, all are one stratum. A quantity with a least value \
               (legal actions 1; length, placements and game tree 0) may be large in a few games and small in all others: the \
               mean's distance from that value, of relative error e, is taken as the rate of 1 / e^2 rare events. The ends are the \
               least value + distance / (1 - e^2 / 9 -+ t e / 3)^3 (Wilson and Hilferty 1931), with 2 / (2 / f + e^2) degrees of \
               freedom, at least 1; no upper end if that root is not above 0.",
};

/// A count or a mean that describes the games and is no estimate of anything else.
static DESCRIPTION: Estimation = Estimation {
    name: "description",
    clusters: "",
    estimator: "Of exactly these games.",
    interval: "",
};

/// Effects of the owners of patches.
static REGRESSION: Estimation = Estimation {
    name: "regression",
    clusters: "A pair of games is a cluster; with common rings, all games on a ring are. Each seating of a pairing has a level of its own.",
    estimator: "Ordinary least squares within seatings; none if there are not more games than patches and seatings.",
    interval: "Student's t, robust to clusters (Liang and Zeger 1986). With at most 100 clusters m, the score of each \
               for the coefficient is enlarged, and the degrees of freedom are those of the variance (CR2, Bell and \
               McCaffrey 2002) if any two games of a cluster have the same correlation, 0 to 1: that with which the fit is \
               expected to leave the sum of squared residuals, and of the squared sums of the clusters, that it leaves. With \
               more, the factor is m / (m - 1) (games - 1) / (games - patches - seatings), and there are m - 1.",
};

/// Variance between rings and within.
static VARIANCES: Estimation = Estimation {
    name: "variance components",
    clusters: "Rings are independent; so are the pairs on a ring, given the ring.",
    estimator: "Analysis of variance with unequal groups (Searle, Casella and McCulloch 1992, section 3.6) of the \
                means of the two legs, with a mean of each pairing and of each ring. Chance is that of pairs on the \
                same ring or, with fewer than 30 degrees of freedom of those, of half the difference of the two legs \
                of each pair. A game has twice the chance variance of a mean.",
    interval: "By the ratio of the mean squares, which has an F distribution times the true ratio.",
};

/// Rings shrunk towards their mean.
static SHRUNK: Estimation = Estimation {
    name: "empirical Bayes",
    clusters: "Rings are independent.",
    estimator: "The mean of the ring's games, shrunk towards that of all rings (Morris 1983); the variance between \
                rings, with a uniform prior and a normal logarithm of the ratio of mean squares, is integrated out.",
    interval: "Normal, with the posterior variance.",
};

/// Contrasts of joint ratings.
static CONTRAST: Estimation = Estimation {
    name: "contrast of joint ratings",
    clusters: "As joint ratings.",
    estimator: "Weighted sum of the joint ratings, with their covariance.",
    interval: "As joint ratings.",
};

statistics! {
    GAMES {
        SCORE "score" by SHARE:
            "Share of games, 0 to 1, won by the agent of a pairing that is listed first, over its games.",
            "P(a wins), mean over both seats";
        MARGIN "margin" by MEAN:
            "Points of an agent minus those of its opponent, mean over its games played to their end; for a pairing, those of \
             the agent that is listed first.",
            "E(points_a - points_b)";
        FIRST_WINS "first player's wins" by SHARE:
            "Share of games, 0 to 1, won by the player who moved first, not adjusted for the agents' strengths, over the games \
             of a row that were played to their end; games decided by a fault are left out, because they say nothing about the \
             seat.",
            "P(first wins), mean over the planned games";
        FIRST_MARGIN "first player's margin" by MEAN:
            "Points of the player who moved first minus those of the other one, mean over the games of a row that were played \
             to their end.",
            "E(points_first - points_second)";
        LEGAL "legal actions" by MEAN:
            "Mean number of legal actions per ply, including forced plies and special patches, over the plies of all games, of \
             a pairing, or of one agent.",
            "E(sum of legal actions of a game) / E(plies of a game)";
        LEGAL_SD "deviation of legal actions" by DESCRIPTION:
            "Standard deviation of the number of legal actions, over the same plies as their mean.",
            "sqrt(sum of (legal actions - mean)^2 / (plies - 1))";
        FORCED "forced plies" by SHARE:
            "Share of plies, 0 to 1, with a single legal action, over the plies of a row in all games.",
            "E(forced plies of a game) / E(plies of a game)";
        PLIES "length" by MEAN:
            "Number of plies of both players, mean over games.",
            "E(plies of a game)";
        PLIES_SD "deviation of length" by DESCRIPTION:
            "Standard deviation of the number of plies, over the same games as their mean.",
            "sqrt(sum of (plies - mean)^2 / (games - 1))";
        PAPERS "Lagerkvist's count" by MEAN:
            "Branching factor as Lagerkvist (2020) counts it: number of placements of the last patch on offer, affordable or \
             not, mean over plies with an offer, in an evenly spaced sample of at most 20,000 pairs of games.",
            "E(sum of placements of a game) / E(plies of a game with an offer)";
        TREE "game tree" by MEAN:
            "Decimal logarithm of the size of the game tree: sum over the plies of a game of log10 of the number of legal \
             actions, mean over games.",
            "E(sum over plies of log10(legal actions))";
        POINTS "points" by DESCRIPTION:
            "Points at the end, mean over all first players, second players, winners or losers, in games played to their end.",
            "mean of points";
        BOUGHT "purchases" by DESCRIPTION:
            "Share of games, 0 to 1, in which a patch was bought.",
            "games with the purchase / games";
        BUYER_WINS "buyer's wins" by SHARE:
            "Share of games, 0 to 1, won by the buyer of a patch, over the games in which it was bought.",
            "P(buyer wins | patch bought)";
        WORTH "worth of a patch" by REGRESSION:
            "Estimated effect of owning a patch on the margin, in points, with all other purchases held constant, over all \
             games.",
            "its coefficient in E(margin) = level of the seating + sum over patches of worth x (owner is first - owner is second)";
        RING_SHARE "share of rings" by VARIANCES:
            "Share, 0 to 1, of the variance of one game between equal agents that is between rings.",
            "var(ring) / (var(ring) + var(game on a ring))";
        RING_BIAS "bias of a ring" by SHRUNK:
            "Expected margin of the player who moves first on a ring, in points, mean over the agents of the \
             tournament.",
            "E(points_first - points_second | ring)";
    }

    SWEEPS {
        VALUE_ELO "effect of a value" by CONTRAST:
            "Mean rating of the agents with a value of a key minus the mean of the mean ratings of all its values, in \
             Elo points.",
            "mean of r over the agents with v - mean over values w of (mean of r over the agents with w)";
        VALUE_LEAD "lead of the best value" by CONTRAST:
            "Mean rating of the agents with the best value of a key minus that of the agents with the next one, in Elo \
             points.",
            "mean of r over the agents with v - mean of r over the agents with w";
        VALUE_SCORE "score of a value" by SHARE:
            "Share of games, 0 to 1, won by the agents with a value, or two values, over their games against agents \
             without.",
            "P(an agent with v wins | the other one has not v)";
        VALUE_MARGIN "margin of a value" by MEAN:
            "Points of the agents with a value, or two values, minus those of their opponents, mean over their games \
             against agents without.",
            "E(points_v - points of the other one)";
    }

    SEARCHES {
        TIME "time per move" by DESCRIPTION:
            "Mean time, in seconds, per decision with more than one legal action, over the decisions of an agent: processor time \
             if it searches in one thread and has no budget in wall time, otherwise wall time.",
            "mean of seconds";
        QUANTILE "quantiles of times" by DESCRIPTION:
            "Time, in seconds, within which the share in the name (half for the median) of an agent's decisions with more than \
             one legal action were made, on the agent's clock.",
            "least t with P(seconds <= t) >= share";
        SPEED "iterations per second" by DESCRIPTION:
            "Search iterations per second: all iterations of an agent divided by the time of the decisions that used them.",
            "sum of iterations / sum of seconds";
        ITERATIONS "iterations" by DESCRIPTION:
            "Search iterations, mean over the decisions of an agent that used any.",
            "mean of iterations";
        SOLVED "proven decisions" by DESCRIPTION:
            "Share, 0 to 1, of an agent's decisions with more than one legal action at which its search had proven the \
             winner.",
            "proven / decisions with a choice";
        DEPTH "depth" by DESCRIPTION:
            "Plies from the root to where an iteration left the tree, mean over the decisions of an agent.",
            "mean of depths";
        NODES "nodes" by DESCRIPTION:
            "Positions in the search tree, mean over the decisions of an agent.",
            "mean of positions";
        ENTROPY "entropy" by DESCRIPTION:
            "Entropy, in bits, of the distribution of visits over the root's actions, mean over the decisions of an agent.",
            "mean of -sum p log2 p";
    }
}
