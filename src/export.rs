//! Finished games as text, sorted by identity and without anything that differs from run to run.

use std::io;

use serde::Serialize;

use crate::check::Row;
use crate::game::ActionList;
use crate::record::{Entry, Record};
use crate::tournament::Results;

/// A form of export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// A JSON object a line.
    Jsonl,
    /// The table that [`crate::check`] reads.
    Tsv,
}

/// Why games could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A record holds no game.
    #[error("game {number}: {what}")]
    Game {
        /// Its number.
        number: u64,
        /// What is wrong with it.
        what: String,
    },
    /// The output.
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
}

#[derive(Serialize)]
struct Line<'a> {
    game: u64,
    pairing: String,
    pair: u32,
    leg: u8,
    first: &'a str,
    second: &'a str,
    track: &'static str,
    ring: String,
    actions: String,
    legal_actions: Vec<u16>,
    iterations: Vec<u32>,
    values: Vec<Option<f32>>,
    scores: [i16; 2],
    winner: String,
    bonus_7x7: Option<String>,
    buttons: [u16; 2],
    covered: [u8; 2],
}

/// Writes all games.
///
/// # Errors
/// When a record is not a legal game (in the table form) or holds what is no action at all, or the
/// output cannot be written.
pub fn export(
    results: &Results,
    format: ExportFormat,
    mut out: impl io::Write,
) -> Result<(), ExportError> {
    match format {
        ExportFormat::Jsonl => {
            for entry in results.games.iter() {
                serde_json::to_writer(&mut out, &line(results, &entry)?)
                    .map_err(io::Error::from)?;
                out.write_all(b"\n")?;
            }
        }
        ExportFormat::Tsv => {
            let mut writer = csv::WriterBuilder::new()
                .delimiter(b'\t')
                .quote_style(csv::QuoteStyle::Never)
                .from_writer(&mut out);
            for entry in results.games.iter() {
                let row = row(results, &entry.record)?;
                writer.serialize(row).map_err(io::Error::from)?;
            }
            writer.flush()?;
        }
    }
    out.flush()?;
    Ok(())
}

fn broken(results: &Results, record: &Record, what: &str) -> ExportError {
    ExportError::Game {
        number: results.manifest.plan.number(record.id),
        what: what.to_owned(),
    }
}

fn line<'a>(results: &'a Results, entry: &Entry) -> Result<Line<'a>, ExportError> {
    let record = &entry.record;
    let plan = &results.manifest.plan;
    let broken = |what| broken(results, record, what);
    let setup = record.setup().ok_or_else(|| broken("its ring is none"))?;
    let actions = record
        .actions()
        .ok_or_else(|| broken("an action is none"))?;
    let [first, second] = record
        .agents
        .map(|agent| plan.agents()[usize::from(agent)].name.as_str());
    let (a, b) = if record.id.leg == 0 {
        (first, second)
    } else {
        (second, first)
    };
    Ok(Line {
        game: plan.number(record.id),
        pairing: format!("{a}|{b}"),
        pair: record.id.pair,
        leg: record.id.leg,
        first,
        second,
        track: setup.track().name(),
        ring: setup.ring().to_string(),
        actions: ActionList(actions).to_string(),
        legal_actions: record.plies.iter().map(|ply| ply.legal).collect(),
        iterations: record
            .plies
            .iter()
            .map(|ply| ply.thought.iterations)
            .collect(),
        values: record.plies.iter().map(|ply| ply.thought.value).collect(),
        scores: record.scores,
        winner: record.winner().to_string(),
        bonus_7x7: record.bonus().map(|player| player.to_string()),
        buttons: record.buttons,
        covered: record.covered,
    })
}

fn row(results: &Results, record: &Record) -> Result<Row, ExportError> {
    let broken = |what: &str| broken(results, record, what);
    let setup = record.setup().ok_or_else(|| broken("its ring is none"))?;
    let actions = record
        .actions()
        .ok_or_else(|| broken("an action is none"))?;
    Row::of_game(&setup, &actions).map_err(|what| broken(&what))
}
