//! Exports finished games as text, sorted by identity, without anything that varies between runs.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use patchwork_engine::game::{Action, ActionList};
use patchwork_engine::record::pgn::{GameText, Move};
use patchwork_engine::record::{ConsideredAction, Entry, GameFacts, GameId, Thought, TreeFacts};
use patchwork_engine::util::InputError;

use super::check_games;
use super::exported_games::{Considered, ExportedLine};
use crate::ledger::{self, GameCheck, StoredGame, TournamentError};
use crate::planning::game_number::{GameNumber, GameNumbers};
use crate::planning::manifest::Manifest;
use crate::planning::plan::Plan;
use crate::playing::results::Results;

/// Writes all games, one JSON object per line.
///
/// # Errors
/// When a game cannot be read, or the output cannot be written.
pub fn write_json_lines(results: &Results, mut out: impl io::Write) -> io::Result<()> {
    let numbers = results.numbers()?;
    for entry in results.games.iter() {
        let entry = entry?;
        let game = ExportedGame::new(&results.manifest.plan, &numbers, &entry);
        serde_json::to_writer(&mut out, &game.line())?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// Writes the games that were played to their end as the table that [`check_games`] reads.
///
/// # Errors
/// When a record is not a legal game, as an error of kind `InvalidData`, when a game cannot be read, or the output cannot
/// be written.
pub fn write_tsv(results: &Results, out: impl io::Write) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new()
        .delimiter(b'\t')
        .quote_style(csv::QuoteStyle::Never)
        .from_writer(out);
    let numbers = results.numbers()?;
    let columns = check_games::COLUMNS.into_iter().chain(IDENTITY);
    writer.write_record(columns)?;
    for entry in results.games.iter() {
        let entry = entry?;
        if entry.record.termination.is_some() {
            continue;
        }
        let game = ExportedGame::new(&results.manifest.plan, &numbers, &entry);
        let cells = check_games::cells(&entry.record.setup, &game.actions);
        let cells = cells.map_err(|what| broken(game.number, &what))?;
        writer.write_record(cells.into_iter().chain(game.identity()))?;
    }
    writer.flush()
}

/// Writes all games as text as described in [`patchwork_engine::record::pgn`], with the agents' thoughts as comments.
///
/// # Errors
/// When a game cannot be read, or the output cannot be written.
pub fn write_pgn(results: &Results, mut out: impl io::Write) -> io::Result<()> {
    let numbers = results.numbers()?;
    for (i, entry) in results.games.iter().enumerate() {
        let entry = entry?;
        let gap = if i > 0 { "\n" } else { "" };
        let game = ExportedGame::new(&results.manifest.plan, &numbers, &entry);
        write!(out, "{gap}{}", game.text(&results.manifest.name))?;
    }
    out.flush()
}

/// Passes the games of a results folder that count in its plan to `look`, on several threads, and what it returns to `take`,
/// in the order of their numbers. Few games are in memory at a time, unless the plan has a test.
///
/// # Errors
/// When the folder cannot be read or is damaged, `look` refuses a game, or `take` fails.
pub fn each_game<T: Send>(
    dir: &Path,
    manifest: &Manifest,
    look: impl Fn(GameNumber, &Entry) -> Result<T, String> + Sync,
    mut take: impl FnMut(T) -> io::Result<()>,
) -> io::Result<()> {
    let check = GameCheck::new(manifest);
    let counted = counted(dir, manifest)?;
    let counts = |id| counted.as_ref().is_none_or(|ids| ids.contains(&id));
    let (mut taken, has_failed) = (Ok(()), AtomicBool::new(false));
    let visit = |game: StoredGame<'_>| {
        if has_failed.load(Ordering::Relaxed) {
            return Err("the games before it were not taken".to_owned());
        }
        let (_, _, planned) = check.locate(&game)?;
        let Some(facts) = planned.filter(|facts| counts(facts.id())) else {
            return Ok(None);
        };
        let (mut entry, is_legal) = game.decode()?;
        entry.record.id = facts.id();
        entry.record.agents = facts.agents;
        check.check(&entry, is_legal)?;
        look(game.number(), &entry).map(Some)
    };
    let read = ledger::read_games(dir, manifest, visit, |found| {
        if let (Some(found), Ok(())) = (found, &taken) {
            taken = take(found);
            has_failed.store(taken.is_err(), Ordering::Relaxed);
        }
    });
    taken?;
    read?;
    Ok(())
}

/// The games of a folder that count, if some may not: those before the decision of a test.
fn counted(dir: &Path, manifest: &Manifest) -> Result<Option<HashSet<GameId>>, TournamentError> {
    if manifest.plan.test().is_none() {
        return Ok(None);
    }
    let results = Results::read_each(dir, manifest, |_| Ok(()))?;
    let ids = results.games.facts().iter().map(GameFacts::id);
    Ok(Some(ids.collect()))
}

/// The error of a game whose record is not valid.
pub fn broken(number: GameNumber, what: &str) -> io::Error {
    TournamentError::from(InputError::new(format!("game {number}: {what}"))).into()
}

/// The columns of a table that identify the game and its agents; they follow [`check_games::COLUMNS`].
const IDENTITY: [&str; 6] = ["game", "pairing", "pair", "leg", "first", "second"];

/// A game with what is written of it in all formats.
struct ExportedGame<'a> {
    entry: &'a Entry,
    number: GameNumber,
    actions: Vec<Action>,
    /// The agents in the first and the second seat.
    seats: [&'a str; 2],
    /// The agents, in the order of their pairing.
    pairing: String,
}

impl<'a> ExportedGame<'a> {
    fn new(plan: &'a Plan, numbers: &GameNumbers, entry: &'a Entry) -> Self {
        let record = &entry.record;
        Self {
            entry,
            number: numbers.of(record),
            actions: record.actions().collect(),
            seats: record.agents.map(|agent| plan.name(agent)),
            pairing: plan.pairing_of(record.id, record.agents),
        }
    }

    /// The cells of [`IDENTITY`].
    fn identity(&self) -> [String; IDENTITY.len()] {
        let id = self.entry.record.id;
        let [first, second] = self.seats.map(str::to_owned);
        [
            self.number.to_string(),
            self.pairing.clone(),
            id.pair.to_string(),
            id.leg.to_string(),
            first,
            second,
        ]
    }

    fn line(&self) -> ExportedLine {
        let record = &self.entry.record;
        let thoughts = || record.plies.iter().map(|ply| ply.thought);
        let trees = || thoughts().map(|thought| thought.tree);
        ExportedLine {
            game: self.number,
            pairing: self.pairing.clone(),
            pair: record.id.pair,
            leg: record.id.leg,
            first: self.seats[0].to_owned(),
            second: self.seats[1].to_owned(),
            track: record.setup.rules(),
            ring: record.setup.ring().to_string(),
            actions: ActionList(self.actions.clone()).to_string(),
            legal_actions: record.plies.iter().map(|ply| ply.legal).collect(),
            iterations: thoughts().map(|thought| thought.iterations).collect(),
            values: thoughts().map(|thought| thought.value).collect(),
            proven: thoughts().map(|thought| thought.proven).collect(),
            nodes: trees().map(|tree| Some(tree?.nodes)).collect(),
            mean_depths: trees().map(|tree| Some(tree?.mean_depth)).collect(),
            max_depths: trees().map(|tree| Some(tree?.max_depth)).collect(),
            entropies: trees().map(|tree| Some(tree?.entropy)).collect(),
            considered: self.considered(),
            moves_only: self.entry.extras.moves_only,
            scores: record.scores,
            winner: record.winner.to_string(),
            termination: record.termination.map(|end| end.reason),
            bonus_7x7: record.bonus.map(|player| player.to_string()),
            buttons: record.buttons,
            covered: record.covered,
        }
    }

    /// The considered actions of each ply; empty if they were not recorded.
    fn considered(&self) -> Vec<Vec<Considered>> {
        let considered = &self.entry.extras.considered;
        if considered.is_empty() {
            return Vec::new();
        }
        let cell = |one: &ConsideredAction| Considered {
            action: one.action.to_string(),
            visits: one.visits,
            value: one.value,
        };
        let ply = |ply: &[ConsideredAction]| ply.iter().map(cell).collect();
        considered.plies().map(ply).collect()
    }

    fn text(&self, event: &str) -> GameText {
        let record = &self.entry.record;
        let [one, other] = record.scores;
        let bonus = record.bonus.map(|player| player.to_string());
        let score = match record.termination {
            None => ("Score", format!("{one} {other}")),
            Some(end) => ("Termination", end.reason.to_string()),
        };
        let headers = [
            ("Event", event.to_owned()),
            ("Game", self.number.to_string()),
            ("Pairing", self.pairing.clone()),
            ("Pair", record.id.pair.to_string()),
            ("Leg", record.id.leg.to_string()),
            ("First", self.seats[0].to_owned()),
            ("Second", self.seats[1].to_owned()),
            ("Track", record.setup.rules().to_string()),
            ("Ring", record.setup.ring().to_string()),
            score,
            ("Bonus", bonus.unwrap_or_else(|| "-".to_owned())),
        ];
        let plies = record.plies.iter().zip(&self.actions);
        let moves = plies.map(|(ply, action)| Move {
            player: Some(ply.player),
            action: action.to_string(),
            comment: remark(&ply.thought),
        });
        GameText {
            headers: headers.map(|(name, value)| (name.to_owned(), value)).into(),
            moves: moves.collect(),
            winner: Some(record.winner),
        }
    }
}

/// The agent's thoughts as text, if it reported any.
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
