//! Numbers of legal actions.

use patchwork_rating::{Estimate, keys};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::means::{clusters_by_pairing, mean_by_pairing, share_by_pairing};
use super::tally::{GameTally, PHASE_STARTS, Sum};

/// There is a legal action at every ply.
pub(super) const LEAST_LEGAL: f64 = 1.0;

/// Number of legal actions per ply, including forced plies and those that place special patches, pooled
/// over all games. It describes the agents that played as much as the game: [`super::GameSizes`]
/// has it by agent and by pairing.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Branching {
    /// Mean over all plies of all games, each ply with the same weight.
    #[serde(flatten, with = "keys::Mean")]
    pub all: Estimate,
    /// By ply, counted from 0 at the start of the game, over the games that reached the ply.
    #[serde(flatten, with = "PlyColumns")]
    pub by_ply: Vec<PlyBranching>,
    /// By the position of the mover's token.
    pub by_phase: Vec<PhaseBranching>,
    /// At plies in which a patch was bought.
    pub buying: Buying,
    /// Share of plies with a single legal action, 0 to 1.
    #[serde(with = "keys::Mean")]
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
    #[must_use]
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
    #[serde(flatten, with = "keys::Mean")]
    pub legal: Estimate,
    /// Number of plies.
    pub plies: u64,
    /// Share of plies with a single legal action, 0 to 1.
    #[serde(flatten, with = "keys::Forced")]
    pub forced: Estimate,
}

/// Legal actions at plies in which a patch was bought.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Buying {
    /// Number of legal actions.
    #[serde(flatten, with = "keys::Mean")]
    pub legal: Estimate,
    /// Number of plies.
    pub plies: u64,
}

pub(super) fn branching(tallies: &[GameTally], pairs: &[&[GameTally]]) -> Branching {
    Branching {
        all: mean_of_sums(pairs, GameTally::all_legal),
        by_ply: by_ply(pairs),
        by_phase: (0..PHASE_STARTS.len())
            .map(|phase| in_phase(tallies, pairs, phase))
            .collect(),
        buying: Buying {
            legal: mean_of_sums(pairs, |tally| tally.buying.legal()),
            plies: tallies.iter().map(|tally| tally.buying.legal().count).sum(),
        },
        forced: share_of_sums(pairs, |tally| Sum {
            count: tally.all_legal().count,
            total: tally.phases.iter().map(|phase| phase.forced().total).sum(),
        }),
    }
}

fn in_phase(tallies: &[GameTally], pairs: &[&[GameTally]], phase: usize) -> PhaseBranching {
    PhaseBranching {
        phase: Phase::ALL[phase],
        legal: mean_of_sums(pairs, |tally| tally.phases[phase].legal()),
        plies: tallies.iter().map(|t| t.phases[phase].legal().count).sum(),
        forced: share_of_sums(pairs, |tally| tally.phases[phase].forced()),
    }
}

/// The mean per ply of a quantity that each game sums over some of its plies.
fn mean_of_sums(pairs: &[&[GameTally]], of_game: impl Fn(&GameTally) -> Sum) -> Estimate {
    mean_by_pairing(pairs, |pair| of_pair(pair, &of_game)).at_least(LEAST_LEGAL)
}

/// The share of plies that each game counts.
fn share_of_sums(pairs: &[&[GameTally]], of_game: impl Fn(&GameTally) -> Sum) -> Estimate {
    share_by_pairing(pairs, |pair| of_pair(pair, &of_game))
}

fn of_pair(pair: &[GameTally], of_game: impl Fn(&GameTally) -> Sum) -> (f64, f64) {
    let mut sum = Sum::default();
    pair.iter().for_each(|tally| sum.merge(of_game(tally)));
    (sum.total as f64, sum.count as f64)
}

fn by_ply(pairs: &[&[GameTally]]) -> Vec<PlyBranching> {
    let longest = pairs
        .iter()
        .copied()
        .flatten()
        .map(|tally| tally.legal.len());
    let length = longest.max().unwrap_or(0);
    let mut plies = vec![PlyBranching::default(); length];
    for tally in pairs.iter().copied().flatten() {
        for (ply, legal) in plies.iter_mut().zip(&tally.legal) {
            ply.games += 1;
            ply.forced += f64::from(u8::from(legal.legal() == 1));
        }
    }
    let legal = clusters_by_pairing(pairs, length, |pair, add| {
        let longest = pair.iter().map(|tally| tally.legal.len()).max();
        for ply in 0..longest.unwrap_or(0) {
            let mut sum = Sum::default();
            for legal in pair.iter().filter_map(|tally| tally.legal.get(ply)) {
                sum.add(legal.legal().into());
            }
            add(ply, sum.total as f64, sum.count as f64);
        }
    });
    for (ply, legal) in plies.iter_mut().zip(legal) {
        ply.legal = legal.mean().at_least(LEAST_LEGAL);
        ply.forced /= ply.games as f64;
    }
    plies
}
