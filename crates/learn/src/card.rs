//! The description of a trained network.

use std::fmt::{Display, Write as _};
use std::path::PathBuf;

use patchwork_report::document::LineTable;

use super::accuracy::{Accuracy, PHASES};
use super::training::{Trained, TrainingSettings};

impl Trained {
    /// How the network was trained, from these files with this number of games, and how accurate it is: the text
    /// that is kept in the network's file.
    #[must_use]
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
