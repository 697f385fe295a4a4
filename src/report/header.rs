//! General information about the tournament in a report.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::numbers::{counted, thousands};
use super::rounds::FormatReport;
use crate::game::Track;
use crate::tournament::Results;

/// The message of a report when no game has finished.
pub(super) const NO_GAMES: &str = "No game has been finished yet: there is nothing to report.";

/// General information about the tournament in a report.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Header {
    /// The tournament's name.
    pub name: String,
    /// The version of the time board.
    #[serde(serialize_with = "track_name")]
    #[schemars(with = "String", extend("enum" = Track::ALL.map(Track::name)))]
    pub track: Track,
    /// Its format and the data that are specific to it.
    #[serde(flatten)]
    pub format: FormatReport,
    /// The seed of all random choices.
    pub seed: u64,
    /// Number of games in the whole plan.
    pub planned_games: u64,
    /// Version of the program that played the games.
    pub version: String,
}

impl Header {
    /// The header for a report on these results.
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

    /// A text with the number of finished games out of those planned.
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
