//! The expectations of agents compared with the results of their games.

use patchwork_engine::record::Ply;
use patchwork_rating::{ClusteredHits, Estimate};
use schemars::JsonSchema;
use serde::Serialize;

/// Number of equal-width bins for expectations.
const BINS: usize = 10;

/// Fractions are summed in units of 2^-32.
pub(super) const UNIT: f64 = (1_u64 << 32) as f64;

/// Expectations compared with results: the data of a reliability plot.
///
/// An expectation is the agent's own value before its ply, 0 to 1. Every decision with an
/// expectation counts. A `flat` agent may report a squashed margin, which is treated as a win probability.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Calibration {
    /// Number of decisions with an expectation.
    pub plies: u64,
    /// Number of games with such decisions.
    pub games: u64,
    /// Mean squared difference between expectation and result (Brier, Monthly Weather Review,
    /// 1950): 0 for perfect predictions, 0.25 for a constant prediction of one half.
    pub brier: f64,
    /// Absolute difference between mean expectation and share of wins in each bin, averaged over
    /// decisions.
    pub expected_error: f64,
    /// Bins of equal width from 0 to 1, including empty ones.
    pub bins: Vec<CalibrationBin>,
}

/// The decisions with an expectation in one range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CalibrationBin {
    /// Lower end of the range.
    pub from: f64,
    /// Upper end of the range, exclusive except in the last bin.
    pub to: f64,
    /// Number of decisions.
    pub plies: u64,
    /// Number of games with such decisions.
    pub games: u64,
    /// Mean expectation.
    pub predicted: Option<f64>,
    /// Share of the decisions whose player won the game. Its interval treats the decisions of a
    /// game as related.
    pub won: Estimate,
}

/// A nonnegative number in units of 2^-32. Other values, which a damaged record may contain, count
/// as 0.
pub(super) fn units(value: f32) -> u128 {
    (f64::from(value) * UNIT).round() as u128
}

/// The expectations of one or both seats in one game, by bin.
#[derive(Clone, Copy, Default)]
pub(super) struct GameExpectations {
    plies: [u64; BINS],
    wins: [u64; BINS],
    predicted: [u128; BINS],
    /// Sum of squared differences from the results.
    squares: u128,
}

impl GameExpectations {
    /// Adds a decision.
    pub(super) fn add(&mut self, ply: &Ply, won: bool) {
        let value = ply
            .thought
            .value
            .filter(|value| (0.0..=1.0).contains(value));
        let Some(value) = value else { return };
        let bin = ((f64::from(value) * BINS as f64) as usize).min(BINS - 1);
        self.plies[bin] += 1;
        self.wins[bin] += u64::from(won);
        self.predicted[bin] += units(value);
        let off = f64::from(value) - f64::from(u8::from(won));
        self.squares += (off * off * UNIT).round() as u128;
    }

    /// Whether there are no expectations.
    pub(super) fn is_empty(&self) -> bool {
        self.plies.iter().all(|&plies| plies == 0)
    }

    /// The expectations of both.
    pub(super) fn with(&self, other: &Self) -> Self {
        let mut both = *self;
        for bin in 0..BINS {
            both.plies[bin] += other.plies[bin];
            both.wins[bin] += other.wins[bin];
            both.predicted[bin] += other.predicted[bin];
        }
        both.squares += other.squares;
        both
    }
}

/// The expectations of many games.
#[derive(Clone, Debug, Default)]
pub(super) struct CalibrationFold {
    games: u64,
    bins: [ClusteredHits; BINS],
    predicted: [u128; BINS],
    squares: u128,
}

impl CalibrationFold {
    pub(super) fn add(&mut self, game: &GameExpectations) {
        self.games += u64::from(!game.is_empty());
        self.squares += game.squares;
        for bin in 0..BINS {
            self.bins[bin].add(game.wins[bin], game.plies[bin]);
            self.predicted[bin] += game.predicted[bin];
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.squares += other.squares;
        for bin in 0..BINS {
            self.bins[bin].merge(&other.bins[bin]);
            self.predicted[bin] += other.predicted[bin];
        }
    }

    /// The result; `None` without expectations.
    pub(super) fn finish(&self) -> Option<Calibration> {
        let plies: u64 = self.bins.iter().map(|bin| bin.count).sum();
        if plies == 0 {
            return None;
        }
        let bins: Vec<CalibrationBin> = (0..BINS).map(|bin| self.bin(bin)).collect();
        let off = |bin: &CalibrationBin| {
            let distance = bin.predicted.zip(bin.won.value).map(|(p, w)| (p - w).abs());
            distance.unwrap_or(0.0) * bin.plies as f64
        };
        Some(Calibration {
            plies,
            games: self.games,
            brier: self.squares as f64 / UNIT / plies as f64,
            expected_error: bins.iter().map(off).sum::<f64>() / plies as f64,
            bins,
        })
    }

    fn bin(&self, bin: usize) -> CalibrationBin {
        let plies = self.bins[bin].count;
        CalibrationBin {
            from: bin as f64 / BINS as f64,
            to: (bin + 1) as f64 / BINS as f64,
            plies,
            games: self.bins[bin].clusters,
            predicted: (plies > 0).then(|| self.predicted[bin] as f64 / UNIT / plies as f64),
            won: self.bins[bin].share(),
        }
    }
}
