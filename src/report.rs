//! Reports of a tournament: its [`Summary`](crate::stats::Summary) as text for a terminal, as JSON,
//! as CSV tables, and as a page for a browser.
//!
//! Everything is written to the writer it is given.

pub mod analysis;
mod course;
mod csv;
mod html;
mod json;
mod ring_book;
mod strength;
mod text;

use serde::{Serialize, Serializer};

use crate::game::Track;

pub use course::{Course, CourseEncounter, CourseRound, SwissPlace, Test, TestEnd, Tests};
pub use csv::{Source, Table};
pub use html::{PageError, write_html};
pub use json::write_json;
pub use ring_book::write_ring_book;
pub use strength::{write_rated, write_rated_csv, write_sprt};
pub use text::{duration, per_second, write_text};
pub(crate) use text::{percent, signed, thousands};

/// What a report says of the tournament besides its statistics.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Header {
    /// The tournament's name.
    pub name: String,
    /// The printing of the time board.
    #[serde(serialize_with = "track_name")]
    pub track: Track,
    /// Its format, and how it has gone where that is more than results of pairings.
    #[serde(flatten)]
    pub course: Course,
    /// The seed that all of its random choices come from.
    pub seed: u64,
    /// Number of games of the whole plan.
    pub planned_games: u64,
    /// Version of the program that played them.
    pub version: String,
}

fn track_name<S: Serializer>(track: &Track, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(track.name())
}

#[cfg(test)]
pub(crate) use course::samples as course_samples;

#[cfg(test)]
pub(crate) fn test_header(planned_games: u64) -> Header {
    Header {
        name: "sprint".to_string(),
        track: Track::Original,
        course: Course {
            format: "round-robin".to_string(),
            ..Course::default()
        },
        seed: 2026,
        planned_games,
        version: "0.1.0".to_string(),
    }
}
