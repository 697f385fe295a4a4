//! What a report says of the tournament besides its statistics.

use serde::{Serialize, Serializer};

use super::numbers::{counted, thousands};
use super::rounds::FormatReport;
use crate::game::Track;
use crate::tournament::Results;

/// What a report says when no game is finished.
pub(super) const NO_GAMES: &str = "No game has been finished yet: there is nothing to report.";

/// What a report says of the tournament besides its statistics.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Header {
    /// The tournament's name.
    pub name: String,
    /// The printing of the time board.
    #[serde(serialize_with = "track_name")]
    pub track: Track,
    /// Its format and what the format adds to the results of the pairings.
    #[serde(flatten)]
    pub format: FormatReport,
    /// The seed that all of its random choices come from.
    pub seed: u64,
    /// Number of games of the whole plan.
    pub planned_games: u64,
    /// Version of the program that played them.
    pub version: String,
}

impl Header {
    /// The header of a report on these results.
    #[must_use]
    pub fn new(results: &Results) -> Self {
        let manifest = &results.manifest;
        Self {
            name: manifest.name.clone(),
            track: manifest.plan.track(),
            format: FormatReport::new(&results.schedule),
            seed: manifest.plan.seed(),
            planned_games: results.schedule.planned_games(),
            version: manifest.version.clone(),
        }
    }

    /// How many games of the plan are finished.
    pub(super) fn games(&self, finished: u64) -> String {
        let planned = counted(self.planned_games, "game");
        if finished < self.planned_games {
            format!("{} of {planned} (incomplete)", thousands(finished))
        } else {
            counted(finished, "game")
        }
    }
}

fn track_name<S: Serializer>(track: &Track, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(track.name())
}

#[cfg(test)]
pub(crate) fn test_header(planned_games: u64) -> Header {
    Header {
        name: "sprint".to_string(),
        track: Track::Original,
        format: FormatReport {
            format: "round-robin".to_string(),
            ..FormatReport::default()
        },
        seed: 2026,
        planned_games,
        version: "0.1.0".to_string(),
    }
}
