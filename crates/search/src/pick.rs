//! Picks: how a playout draws one of the scored options of a turn.

use crate::part::{PartInfo, list_of_parts};

/// A pick: its keys, and what they mean.
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    /// Its name and keys.
    pub info: PartInfo,
    /// How options are drawn with these values of the keys.
    pub picker: fn(&[f64]) -> Picker,
}

/// How options are drawn: a turn at random by a chance, otherwise by the scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picker {
    /// The chance that all options of a turn have the same probability; `None` for never, without drawing a number.
    pub at_random: Option<f64>,
    /// Otherwise the probability of an option is proportional to exp(score / temperature); with temperature 0, the first of
    /// the options with the greatest score is picked.
    pub temperature: f32,
}

/// A move that can be made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayoutOption {
    /// The kind of the move.
    pub kind: u16,
    /// What it is worth without what was learned ([`Picker::worth`]).
    pub worth: f32,
}

/// The greatest logarithm of a worth, either way.
const MOST: f32 = 60.0;

impl Picker {
    /// The first of the greatest scores.
    pub const GREEDY: Self = Self::softmax(0.0);

    /// All options with the same probability.
    pub const UNIFORM: Self = Self::epsilon_greedy(1.0);

    /// At random with this probability, otherwise the first of the greatest scores.
    pub const fn epsilon_greedy(epsilon: f64) -> Self {
        Self {
            at_random: Some(epsilon),
            temperature: 0.0,
        }
    }

    /// With probability proportional to exp(score / temperature).
    pub const fn softmax(temperature: f32) -> Self {
        Self {
            at_random: None,
            temperature,
        }
    }

    /// What [`Self::draw`] needs to know of an option, whose score is `gain / unit`: the score, or the exponential.
    pub fn worth(&self, gain: f32, unit: f32) -> f32 {
        if self.temperature == 0.0 {
            return gain / unit;
        }
        libm::expf((gain / (unit * self.temperature)).clamp(-MOST, MOST))
    }

    /// The worth of the score 0.
    #[inline(always)]
    pub fn no_gain(&self) -> f32 {
        if self.temperature == 0.0 { 0.0 } else { 1.0 }
    }

    /// The worth of an option whose score rises by this number.
    #[inline(always)]
    pub fn raised(&self, worth: f32, by: f32) -> f32 {
        if self.temperature == 0.0 {
            worth + by
        } else {
            worth * fast_exp(by / self.temperature)
        }
    }

    /// The worth of an option that is not drawn while there are others.
    pub fn never(&self) -> f32 {
        if self.temperature == 0.0 {
            f32::NEG_INFINITY
        } else {
            0.0
        }
    }

    /// The index of one of the options, of which there is at least one, by their worth. A random number, from 0 to 1 without 1,
    /// is asked for unless the temperature is 0.
    #[inline(always)]
    pub fn draw(&self, options: &[PlayoutOption], random: impl FnOnce() -> f32) -> usize {
        if self.temperature == 0.0 {
            let mut best = (0, f32::NEG_INFINITY);
            for (i, option) in options.iter().enumerate() {
                if option.worth > best.1 {
                    best = (i, option.worth);
                }
            }
            return best.0;
        }
        let total: f32 = options.iter().map(|option| option.worth).sum();
        let mut at = random() * total;
        // Without branches on what was drawn, which the processor cannot predict.
        let (mut chosen, mut is_beyond) = (0, true);
        for option in options.split_last().map_or(options, |(_, others)| others) {
            is_beyond &= at >= option.worth;
            chosen += usize::from(is_beyond);
            at -= option.worth;
        }
        chosen
    }
}

/// exp(x) with a relative error below 1e-4, and exactly 1 for 0; from -60 to 60.
#[inline(always)]
fn fast_exp(x: f32) -> f32 {
    /// Added to a number of moderate size and subtracted again, this rounds to a whole number.
    const ROUND: f32 = 12_582_912.0;
    let power = x.clamp(-MOST, MOST) * std::f32::consts::LOG2_E;
    let whole = (power + ROUND) - ROUND;
    let rest = (power - whole) * std::f32::consts::LN_2;
    // The series of the exponential, for at most ln 2 / 2.
    let part = 1.0 + rest * (1.0 + rest * (0.5 + rest * (1.0 / 6.0 + rest / 24.0)));
    part * f32::from_bits(((whole as i32 + 127) << 23) as u32)
}

list_of_parts! {
    type Pick;
    by_score: GREEDY, EPSILON_GREEDY, SOFTMAX, UNIFORM;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::random;

    fn options(picker: Picker, scores: &[f32]) -> Vec<PlayoutOption> {
        let worths = scores.iter().map(|score| picker.worth(*score, 1.0));
        let options = worths.map(|worth| PlayoutOption { kind: 0, worth });
        options.collect()
    }

    #[test]
    fn the_fast_exponential_is_close() {
        assert_eq!(fast_exp(0.0).to_bits(), 1.0_f32.to_bits());
        for x in -600..=600 {
            let x = x as f32 / 10.0;
            let error = fast_exp(x) / x.exp() - 1.0;
            assert!(error.abs() < 1e-4, "{x}: {error}");
        }
        assert!(fast_exp(1e9).is_finite() && fast_exp(-1e9) > 0.0);
    }

    #[test]
    fn options_are_drawn_by_their_scores() {
        let scores = [0.0, 1.0, -1.0, 1.0];
        let greedy = options(Picker::GREEDY, &scores);
        assert_eq!(Picker::GREEDY.draw(&greedy, || unreachable!()), 1);
        assert_eq!(Picker::GREEDY.never(), f32::NEG_INFINITY);
        for temperature in [0.5, 2.0] {
            let picker = Picker::softmax(temperature);
            let mut raised = options(picker, &[0.0; 4]);
            for (option, score) in raised.iter_mut().zip(scores) {
                option.worth = picker.raised(option.worth, score);
            }
            let mut only = raised.clone();
            for one in [0, 1, 3] {
                only[one].worth = picker.never();
            }
            assert_eq!(picker.draw(&only, || 0.0), 2);
            assert_eq!(picker.draw(&only, || 0.999), 2);
            for options in [options(picker, &scores), raised] {
                let mut counts = [0; 4];
                for i in 0..10_000 {
                    counts[picker.draw(&options, || random(1, i) as f32)] += 1;
                }
                let weights = scores.map(|score| (score / temperature).exp());
                let total: f32 = weights.iter().sum();
                for (count, weight) in counts.into_iter().zip(weights) {
                    let expected = 10_000.0 * weight / total;
                    assert!((count as f32 - expected).abs() < 200.0, "{counts:?}");
                }
            }
        }
    }
}
