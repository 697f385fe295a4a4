//! Finished games as text, sorted by identity and without anything that differs from run to run.

use std::io;

use serde::Serialize;

use crate::game::ActionList;
use crate::record::check::TableRow;
use crate::record::pgn::{GameText, Move};
use crate::record::{Entry, Record, Thought, TreeFacts};
use crate::tournament::Results;

/// A form of export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// A JSON object a line.
    Jsonl,
    /// The table that [`crate::record::check`] reads.
    Tsv,
    /// Text as [`crate::record::pgn`] describes it, with what the agents thought in comments.
    Pgn,
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
    proven: Vec<Option<bool>>,
    nodes: Vec<Option<u32>>,
    mean_depths: Vec<Option<f32>>,
    max_depths: Vec<Option<u16>>,
    entropies: Vec<Option<f32>>,
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
        ExportFormat::Pgn => {
            for (i, entry) in results.games.iter().enumerate() {
                let gap = if i > 0 { "\n" } else { "" };
                write!(out, "{gap}{}", game_text(results, &entry.record)?)?;
            }
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
    let trees = || record.plies.iter().map(|ply| ply.thought.tree);
    Ok(Line {
        game: plan.number(record.id),
        pairing: pairing_name(record, [first, second]),
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
        proven: record.plies.iter().map(|ply| ply.thought.proven).collect(),
        nodes: trees().map(|tree| Some(tree?.nodes)).collect(),
        mean_depths: trees().map(|tree| Some(tree?.mean_depth)).collect(),
        max_depths: trees().map(|tree| Some(tree?.max_depth)).collect(),
        entropies: trees().map(|tree| Some(tree?.entropy)).collect(),
        scores: record.scores,
        winner: record.winner().to_string(),
        bonus_7x7: record.bonus().map(|player| player.to_string()),
        buttons: record.buttons,
        covered: record.covered,
    })
}

fn row(results: &Results, record: &Record) -> Result<TableRow, ExportError> {
    let broken = |what: &str| broken(results, record, what);
    let setup = record.setup().ok_or_else(|| broken("its ring is none"))?;
    let actions = record
        .actions()
        .ok_or_else(|| broken("an action is none"))?;
    TableRow::of_game(&setup, &actions).map_err(|what| broken(&what))
}

/// The agents in the order of their pairing.
fn pairing_name(record: &Record, [first, second]: [&str; 2]) -> String {
    if record.id.leg == 0 {
        format!("{first}|{second}")
    } else {
        format!("{second}|{first}")
    }
}

fn game_text(results: &Results, record: &Record) -> Result<GameText, ExportError> {
    let broken = |what: &str| broken(results, record, what);
    let plan = &results.manifest.plan;
    let setup = record.setup().ok_or_else(|| broken("its ring is none"))?;
    let [first, second] = record
        .agents
        .map(|agent| plan.agents()[usize::from(agent)].name.as_str());
    let [one, other] = record.scores;
    let headers = [
        ("Event", results.manifest.name.clone()),
        ("Game", plan.number(record.id).to_string()),
        ("Pairing", pairing_name(record, [first, second])),
        ("Pair", record.id.pair.to_string()),
        ("Leg", record.id.leg.to_string()),
        ("First", first.to_owned()),
        ("Second", second.to_owned()),
        ("Track", setup.track().to_string()),
        ("Ring", setup.ring().to_string()),
        ("Score", format!("{one} {other}")),
        (
            "Bonus",
            record
                .bonus()
                .map_or("-".to_owned(), |player| player.to_string()),
        ),
    ];
    let moves = record.plies.iter().map(|ply| {
        let action = ply.action().ok_or_else(|| broken("an action is none"))?;
        Ok(Move {
            player: Some(ply.player()),
            action: action.to_string(),
            comment: remark(&ply.thought),
        })
    });
    Ok(GameText {
        headers: headers.map(|(name, value)| (name.to_owned(), value)).into(),
        moves: moves.collect::<Result<_, ExportError>>()?,
        winner: Some(record.winner()),
    })
}

/// What an agent thought, in words and numbers; none when it tells nothing.
fn remark(thought: &Thought) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(value) = thought.value {
        parts.push(format!("value {value}"));
    }
    if thought.iterations > 0 {
        parts.push(format!("iterations {}", thought.iterations));
    }
    match thought.proven {
        Some(true) => parts.push("proven win".to_owned()),
        Some(false) => parts.push("proven loss".to_owned()),
        None => {}
    }
    if let Some(tree) = thought.tree {
        let TreeFacts {
            nodes,
            mean_depth,
            max_depth,
            entropy,
        } = tree;
        parts.push(format!(
            "nodes {nodes}, mean depth {mean_depth}, depth {max_depth}, entropy {entropy}"
        ));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_tell_what_there_is() {
        let mut thought = Thought::default();
        assert_eq!(remark(&thought), None);
        thought.iterations = 1000;
        thought.value = Some(0.625);
        thought.proven = Some(false);
        let short = "value 0.625, iterations 1000, proven loss";
        assert_eq!(remark(&thought).as_deref(), Some(short));
        thought.tree = Some(TreeFacts {
            nodes: 800,
            mean_depth: 3.5,
            max_depth: 9,
            entropy: 0.5,
        });
        let long = format!("{short}, nodes 800, mean depth 3.5, depth 9, entropy 0.5");
        assert_eq!(remark(&thought), Some(long));
    }
}
