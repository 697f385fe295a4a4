//! How well an estimate predicts the margins of games, and the description of a trained network.

use std::fmt::{Display, Write as _};
use std::path::PathBuf;

use patchwork_report::document::LineTable;

use super::training::{Trained, TrainingSettings};

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
    /// Adds a position.
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

impl Trained {
    /// How the network was trained, from these files with this number of games, and how accurate it is: the text
    /// that is kept in the network's file.
    pub fn card(&self, settings: &TrainingSettings, files: &[PathBuf], games: usize) -> String {
        let files: Vec<String> = files
            .iter()
            .map(|file| {
                let name = file.file_name().unwrap_or(file.as_os_str());
                name.to_string_lossy().into_owned()
            })
            .collect();
        let mut card = format!(
            "{games} games: {}\n{} positions learned from, one of {} games held out\n\
         weight of the outcome {}, learning rate {}, seed {}, pass {} of {}\n\
         R^2 of the final margin on the games held out, and root mean squared error in points:\n",
            files.join(", "),
            self.positions,
            settings.held_out,
            settings.outcome,
            settings.rate,
            settings.seed,
            self.best,
            self.epochs.len(),
        );
        let table = LineTable::new(2)
            .left("track left", 12)
            .right("positions", 9);
        let table = table.left("network", 15).left("linear", 0);
        let _ = writeln!(card, "{}", table.head());
        for ((net, linear), (from, to)) in self.accuracy.iter().zip(PHASES) {
            let of = |accuracy: &Accuracy| match (accuracy.r_squared(), accuracy.error()) {
                (Some(r), Some(error)) => format!("{r:.3} ({error:5.2})"),
                _ => "-".to_owned(),
            };
            let phase = format!("{from:.2} to {to:.2}");
            let cells: [&dyn Display; 4] = [&phase, &net.positions, &of(net), &of(linear)];
            let _ = writeln!(card, "{}", table.line(&cells));
        }
        card
    }
}
