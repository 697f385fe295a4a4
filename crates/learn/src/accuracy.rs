//! How well an estimate predicts the margins of games.

/// Phases of the game as ranges of the share of the track left: all, and four quarters from the start.
pub const PHASES: [(f32, f32); 5] = [
    (0.0, 1.0),
    (0.75, 1.0),
    (0.5, 0.75),
    (0.25, 0.5),
    (0.0, 0.25),
];

/// The accuracy of an estimate on positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// Number of positions.
    pub positions: u64,
    /// The sum of the squared errors, in points.
    errors: f64,
    /// The sum of the squared margins.
    margins: f64,
}

impl Accuracy {
    pub(super) fn add(&mut self, margin: f32, estimate: f32) {
        let (margin, estimate) = (f64::from(margin), f64::from(estimate));
        self.positions += 1;
        self.errors += (margin - estimate).powi(2);
        self.margins += margin * margin;
    }

    /// The share of the margins' variation around 0 that the estimate explains; 1 is perfect. `None` without
    /// positions.
    pub fn r_squared(&self) -> Option<f64> {
        (self.margins > 0.0).then(|| 1.0 - self.errors / self.margins)
    }

    /// The root of the mean squared error, in points. `None` without positions.
    pub fn error(&self) -> Option<f64> {
        (self.positions > 0).then(|| (self.errors / self.positions as f64).sqrt())
    }
}
