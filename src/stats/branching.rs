//! Numbers of legal actions.

use serde::Serialize;

use super::measure::{clusters_by_pairing, mean_by_pairing};
use super::tally::{PHASE_STARTS, PhaseTally, Sum, Tally};
use crate::rating::{Clusters, Mean};

/// Legal actions of a ply, forced ones and those of special patches included.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Branching {
    /// Over all plies.
    #[serde(flatten)]
    pub all: Mean,
    /// At each ply, the game's first being 0, over the games that got there.
    pub by_ply: Vec<f64>,
    /// Lower end of the interval at each ply.
    pub low_by_ply: Vec<Option<f64>>,
    /// Upper end of the interval at each ply.
    pub high_by_ply: Vec<Option<f64>>,
    /// How many games got there.
    pub games_by_ply: Vec<u64>,
    /// Share of those games that had a single legal action there, 0 to 1.
    pub forced_by_ply: Vec<f64>,
    /// By how far the mover's token has come.
    pub by_phase: Vec<PhaseBranching>,
    /// Where a patch was bought.
    pub buying: Buying,
    /// Share of plies with a single legal action, 0 to 1.
    pub forced: Mean,
}

/// A part of the track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
    /// In the order of the track.
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
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhaseBranching {
    /// Where the mover's token was before the ply.
    pub phase: Phase,
    /// Number of legal actions.
    #[serde(flatten)]
    pub legal: Mean,
    /// Number of plies.
    pub plies: u64,
    /// Share of plies with a single legal action, 0 to 1.
    pub forced: Option<f64>,
    /// Lower end of the interval of that share.
    pub forced_low: Option<f64>,
    /// Upper end of the interval of that share.
    pub forced_high: Option<f64>,
}

/// Legal actions where a patch was bought.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Buying {
    /// Number of legal actions.
    #[serde(flatten)]
    pub legal: Mean,
    /// Number of plies.
    pub plies: u64,
}

pub(super) fn branching(tallies: &[Tally], pairs: &[&[Tally]]) -> Branching {
    let by_ply = by_ply(pairs);
    let means: Vec<Mean> = by_ply.iter().map(|ply| ply.legal.mean()).collect();
    let games: Vec<u64> = by_ply.iter().map(|ply| ply.games).collect();
    let forced = by_ply
        .iter()
        .map(|ply| ply.forced as f64 / ply.games as f64);
    Branching {
        all: mean_of_sums(pairs, Tally::all_legal),
        low_by_ply: means.iter().map(|mean| mean.low).collect(),
        high_by_ply: means.iter().map(|mean| mean.high).collect(),
        by_ply: means.iter().filter_map(|mean| mean.mean).collect(),
        forced_by_ply: forced.collect(),
        games_by_ply: games,
        by_phase: (0..PHASE_STARTS.len())
            .map(|phase| in_phase(tallies, pairs, phase))
            .collect(),
        buying: Buying {
            legal: mean_of_sums(pairs, |tally| tally.buying),
            plies: tallies.iter().map(|tally| tally.buying.count).sum(),
        },
        forced: mean_of_sums(pairs, |tally| Sum {
            count: tally.all_legal().count,
            total: tally.phases.iter().map(|phase| phase.forced).sum(),
        }),
    }
}

fn in_phase(tallies: &[Tally], pairs: &[&[Tally]], phase: usize) -> PhaseBranching {
    let forced = |PhaseTally { legal, forced }: PhaseTally| Sum {
        count: legal.count,
        total: forced,
    };
    let forced = mean_of_sums(pairs, |tally| forced(tally.phases[phase]));
    PhaseBranching {
        phase: Phase::ALL[phase],
        legal: mean_of_sums(pairs, |tally| tally.phases[phase].legal),
        plies: tallies.iter().map(|t| t.phases[phase].legal.count).sum(),
        forced: forced.mean,
        forced_low: forced.low,
        forced_high: forced.high,
    }
}

/// The mean over plies of what each game adds up over some of its own.
fn mean_of_sums(pairs: &[&[Tally]], of_game: impl Fn(&Tally) -> Sum) -> Mean {
    mean_by_pairing(pairs, |pair| {
        let mut sum = Sum::default();
        pair.iter().for_each(|tally| sum.merge(of_game(tally)));
        (sum.total as f64, sum.count as f64)
    })
}

/// One ply of all games.
#[derive(Clone, Copy, Default)]
struct AtPly {
    legal: Clusters,
    games: u64,
    forced: u64,
}

fn by_ply(pairs: &[&[Tally]]) -> Vec<AtPly> {
    let longest = pairs
        .iter()
        .copied()
        .flatten()
        .map(|tally| tally.legal.len());
    let length = longest.max().unwrap_or(0);
    let mut plies = vec![AtPly::default(); length];
    for tally in pairs.iter().copied().flatten() {
        for (ply, &legal) in plies.iter_mut().zip(&tally.legal) {
            ply.games += 1;
            ply.forced += u64::from(legal == 1);
        }
    }
    let legal = clusters_by_pairing(pairs, length, |pair, add| {
        let longest = pair.iter().map(|tally| tally.legal.len()).max();
        for ply in 0..longest.unwrap_or(0) {
            let mut sum = Sum::default();
            for legal in pair.iter().filter_map(|tally| tally.legal.get(ply)) {
                sum.add(u64::from(*legal));
            }
            add(ply, sum.total as f64, sum.count as f64);
        }
    });
    for (ply, legal) in plies.iter_mut().zip(legal) {
        ply.legal = legal;
    }
    plies
}
