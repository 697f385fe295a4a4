//! Numbers of legal actions.

use patchwork_engine::game::MAX_PLIES;
use patchwork_rating::{Clusters, Estimate};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::means::{PairClusters, Sum};
use super::tally::{PHASE_STARTS, WholeTally};

/// There is a legal action at every ply.
pub(super) const MIN_LEGAL: f64 = 1.0;

/// Number of legal actions per ply, including forced plies and those that place special patches, pooled
/// over all games. It describes the agents that played as much as the game: [`super::GameSizes`]
/// has it by agent and by pairing.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Branching {
    /// Mean over all plies of all games, each ply with the same weight.
    #[serde(rename = "mean")]
    pub all: Estimate,
    /// By ply from the first, over the games that reached the ply.
    #[serde(flatten, with = "PlyColumns")]
    pub by_ply: Vec<PlyBranching>,
    /// By the position of the mover's token.
    pub by_phase: Vec<PhaseBranching>,
    /// At plies in which a patch was bought.
    pub buying: Buying,
    /// Share of plies with a single legal action, 0 to 1.
    pub forced: Estimate,
}

/// Legal actions at one ply.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlyBranching {
    /// Number of legal actions.
    pub legal: Estimate,
    /// Number of games that reached this ply.
    pub games: u64,
    /// Share of those games with a single legal action at this ply, 0 to 1.
    pub forced: f64,
}

/// The plies as JSON: one list per field. The first element is for the first ply.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct PlyColumns {
    /// Mean number of legal actions at each ply, over the games that reached it.
    by_ply: Vec<Option<f64>>,
    /// Lower end of the 95% confidence interval at each ply.
    low_by_ply: Vec<Option<f64>>,
    /// Upper end of the 95% confidence interval at each ply.
    high_by_ply: Vec<Option<f64>>,
    /// Number of games that reached each ply.
    games_by_ply: Vec<u64>,
    /// Share of those games with a single legal action at the ply, 0 to 1.
    forced_by_ply: Vec<f64>,
}

impl PlyColumns {
    fn serialize<S: Serializer>(plies: &[PlyBranching], to: S) -> Result<S::Ok, S::Error> {
        let columns = Self {
            by_ply: plies.iter().map(|ply| ply.legal.value).collect(),
            low_by_ply: plies.iter().map(|ply| ply.legal.low).collect(),
            high_by_ply: plies.iter().map(|ply| ply.legal.high).collect(),
            games_by_ply: plies.iter().map(|ply| ply.games).collect(),
            forced_by_ply: plies.iter().map(|ply| ply.forced).collect(),
        };
        Serialize::serialize(&columns, to)
    }
}

/// A part of the track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Spaces 0 to 17.
    Opening,
    /// Spaces 18 to 35.
    Middle,
    /// Spaces 36 to 53.
    End,
}

impl Phase {
    /// All phases, in the order of the track.
    pub const ALL: [Self; PHASE_STARTS.len()] = [Self::Opening, Self::Middle, Self::End];

    /// `opening`, `middle` or `end`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// Legal actions in a phase.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PhaseBranching {
    /// The phase of the mover's token before the ply.
    pub phase: Phase,
    /// Number of legal actions.
    #[serde(rename = "mean")]
    pub legal: Estimate,
    /// Number of plies.
    pub plies: u64,
    /// Share of plies with a single legal action, 0 to 1.
    pub forced: Estimate,
}

/// Legal actions at plies in which a patch was bought.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Buying {
    /// Number of legal actions.
    #[serde(rename = "mean")]
    pub legal: Estimate,
    /// Number of plies.
    pub plies: u64,
}

/// The places of the means in [`BranchingFold::means`]; those of the phases follow.
const ALL: usize = 0;
const FORCED: usize = 1;
const BUYING: usize = 2;
const PHASES: usize = 3;
const MEANS: usize = PHASES + 2 * PHASE_STARTS.len();

/// Folds games into [`Branching`], a pair at a time, in the order of [`PairClusters`].
pub(super) struct BranchingFold {
    means: PairClusters,
    by_ply: PairClusters,
    /// The number of games with a single legal action at each ply.
    forced_by_ply: [u64; MAX_PLIES],
}

impl BranchingFold {
    pub(super) fn new() -> Self {
        Self {
            means: PairClusters::new(MEANS),
            by_ply: PairClusters::new(MAX_PLIES),
            forced_by_ply: [0; MAX_PLIES],
        }
    }

    /// Adds the finished games of a pair, of which there is at least one.
    pub(super) fn add(&mut self, setup: Option<u32>, pair: &[WholeTally]) {
        let pairing = pair[0].0.pairing;
        let mut sums = [Sum::default(); MEANS];
        // A legal game is not longer.
        let mut by_ply = [Sum::default(); MAX_PLIES];
        for (_, plies) in pair {
            sums[BUYING] += plies.buying;
            for (phase, (&legal, &forced)) in plies.phases.iter().zip(&plies.forced).enumerate() {
                sums[ALL] += legal;
                sums[FORCED] += forced;
                sums[PHASES + 2 * phase] += legal;
                sums[PHASES + 2 * phase + 1] += forced;
            }
            let of_plies = by_ply.iter_mut().zip(&mut self.forced_by_ply);
            for ((sum, forced), &(_, legal)) in of_plies.zip(&plies.legal) {
                sum.add(legal);
                *forced += u64::from(legal == 1);
            }
        }
        self.means.add(setup, pairing, &sums);
        let is_reached = |sum: &Sum| sum.count > 0.0;
        let longest = by_ply.iter().rposition(is_reached).map_or(0, |ply| ply + 1);
        self.by_ply.add(setup, pairing, &by_ply[..longest]);
    }

    pub(super) fn finish(self) -> Branching {
        let means = self.means.finish();
        let legal = |mean: usize| means[mean].mean().at_least(MIN_LEGAL);
        let phase = |(place, phase): (usize, Phase)| {
            let mean = PHASES + 2 * place;
            PhaseBranching {
                phase,
                legal: legal(mean),
                plies: means[mean].count(),
                forced: means[mean + 1].share(),
            }
        };
        let by_ply = self.by_ply.finish().into_iter().zip(self.forced_by_ply);
        let ply = |(clusters, forced): (Clusters, u64)| PlyBranching {
            legal: clusters.mean().at_least(MIN_LEGAL),
            games: clusters.count(),
            forced: forced as f64 / clusters.count() as f64,
        };
        Branching {
            all: legal(ALL),
            by_ply: by_ply
                .take_while(|(clusters, _)| clusters.count() > 0)
                .map(ply)
                .collect(),
            by_phase: (0..).zip(Phase::ALL).map(phase).collect(),
            buying: Buying {
                legal: legal(BUYING),
                plies: means[BUYING].count(),
            },
            forced: means[FORCED].share(),
        }
    }
}
