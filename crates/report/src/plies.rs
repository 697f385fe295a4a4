//! The table of plies, for questions that the report does not answer. `docs/report.md` has its columns.

use std::io;

use patchwork_engine::game::{Action, Player, incomes_ahead};
use patchwork_engine::record::{Entry, play_through};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde::Serialize;

use crate::document::{TableCell, guarded};
use patchwork_tournament::export::broken;
use patchwork_tournament::stats::papers_count;
use patchwork_tournament::{GameNumber, Plan, Results};

/// A decision with the position before and after it.
#[derive(Serialize)]
struct PlyRow<'a> {
    game: GameNumber,
    ply: usize,
    seat: Player,
    agent: &'a str,
    kind: &'static str,
    action: &'a str,
    patch: Option<u8>,
    space_before: u8,
    space_after: u8,
    incomes: u32,
    buttons_before: u16,
    buttons_after: u16,
    income: u8,
    covered: usize,
    bonus: u8,
    legal: u16,
    papers_count: Option<u32>,
    iterations: u32,
    value: Option<f64>,
    nanoseconds: Option<u64>,
    alternative: &'a str,
    alternative_value: Option<f64>,
}

/// A column: its name, whether it has texts, and its value in a row.
type PlyColumn = (
    &'static str,
    bool,
    for<'a> fn(&'a PlyRow<'a>) -> TableCell<'a>,
);

/// The columns in order.
const COLUMNS: [PlyColumn; 22] = [
    ("game", false, |row| row.game.get().into()),
    ("ply", false, |row| row.ply.into()),
    ("seat", true, |row| row.seat.to_string().into()),
    ("agent", true, |row| row.agent.into()),
    ("kind", true, |row| row.kind.into()),
    ("action", true, |row| row.action.into()),
    ("patch", false, |row| row.patch.map(f64::from).into()),
    ("space_before", false, |row| row.space_before.into()),
    ("space_after", false, |row| row.space_after.into()),
    ("incomes", false, |row| row.incomes.into()),
    ("buttons_before", false, |row| row.buttons_before.into()),
    ("buttons_after", false, |row| row.buttons_after.into()),
    ("income", false, |row| row.income.into()),
    ("covered", false, |row| row.covered.into()),
    ("bonus", false, |row| row.bonus.into()),
    ("legal", false, |row| row.legal.into()),
    ("papers_count", false, |row| {
        row.papers_count.map(f64::from).into()
    }),
    ("iterations", false, |row| row.iterations.into()),
    ("value", false, |row| row.value.into()),
    ("nanoseconds", false, |row| {
        (row.nanoseconds.unwrap_or(0) as i64).into()
    }),
    ("alternative", true, |row| row.alternative.into()),
    ("alternative_value", false, |row| {
        row.alternative_value.into()
    }),
];

/// Number of games that are in memory at a time.
const BLOCK: usize = 1024;

/// Writes the table of plies as CSV, in the order of the numbers of the games.
///
/// # Errors
/// When a game cannot be read or is not legal, or the writer fails.
pub fn write_plies(results: &Results, mut out: impl io::Write) -> io::Result<()> {
    let (plan, numbers) = (&results.manifest.plan, results.numbers()?);
    let facts = results.games.facts();
    let mut order: Vec<u32> = (0..facts.len() as u32).collect();
    order.sort_by_cached_key(|&game| numbers.of(&facts[game as usize]));
    writeln!(out, "{}", header())?;
    for block in order.chunks(BLOCK) {
        let entries = results.games.entries(block)?;
        let written = entries.par_iter().map(|entry| {
            let number = numbers.of(&entry.record);
            rows(plan, number, entry).map_err(|what| broken(number, &what))
        });
        for rows in written.collect::<Vec<_>>() {
            out.write_all(&rows?)?;
        }
    }
    out.flush()
}

/// The first line of the CSV table.
fn header() -> String {
    COLUMNS.map(|(name, ..)| name).join(",")
}

/// The rows of a game as CSV.
fn rows(plan: &Plan, number: GameNumber, entry: &Entry) -> Result<Vec<u8>, String> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    each_ply(plan, number, entry, |row| {
        let agent = guarded(row.agent);
        let row = PlyRow {
            agent: &agent,
            ..row
        };
        writer.serialize(row).map_err(|error| error.to_string())
    })?;
    writer
        .into_inner()
        .map_err(|error| error.error().to_string())
}

/// The names of the columns of the table of plies, and whether they have texts.
pub fn names_of_plies() -> impl Iterator<Item = (String, bool)> {
    COLUMNS
        .map(|(name, is_text, _)| (name.to_owned(), is_text))
        .into_iter()
}

/// Passes the values of each row of the table of plies to `visit`, in the order of the plan.
///
/// # Errors
/// When the games cannot be read, or one is not legal.
pub fn each_row_of_plies(
    results: &Results,
    mut visit: impl FnMut(&[TableCell<'_>]),
) -> io::Result<()> {
    let numbers = results.numbers()?;
    for entry in results.games.iter() {
        let entry = entry?;
        let game = numbers.of(&entry.record);
        let passed = each_ply(&results.manifest.plan, game, &entry, |row| {
            visit(&COLUMNS.map(|(_, _, value)| value(&row)));
            Ok(())
        });
        passed.map_err(|what| broken(game, &what))?;
    }
    Ok(())
}

/// Passes the row of each ply of a game to `visit`.
fn each_ply(
    plan: &Plan,
    game: GameNumber,
    entry: &Entry,
    mut visit: impl FnMut(PlyRow<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let record = &entry.record;
    let states = play_through(record)?;
    let agents = record.agents.map(|agent| plan.name(agent));
    let plies = states.windows(2).zip(&record.plies).zip(&entry.nanos);
    let mut considered = entry.extras.considered.plies();
    for (number, ((states, ply), &nanos)) in (1..).zip(plies) {
        let [before, after] = [&states[0], &states[1]];
        let seat = ply.player;
        let spaces = [before, after].map(|state| state.space(seat));
        let alternative = considered.next().and_then(|actions| actions.get(1));
        let alternative_action = alternative.map(|one| one.action.to_string());
        visit(PlyRow {
            game,
            ply: number,
            seat,
            agent: agents[seat.index()],
            kind: match ply.action {
                Action::Advance => "advance",
                Action::Buy(..) => "buy",
                Action::Special(_) => "special",
            },
            action: &ply.action.to_string(),
            patch: ply.bought().map(|patch| patch.number()),
            space_before: spaces[0],
            space_after: spaces[1],
            incomes: incomes_ahead(spaces[0]) - incomes_ahead(spaces[1]),
            buttons_before: before.buttons(seat),
            buttons_after: after.buttons(seat),
            income: after.income(seat),
            covered: after.quilt(seat).len() as usize,
            bonus: u8::from(after.bonus() == Some(seat)),
            legal: ply.legal,
            papers_count: papers_count(&record.setup, before),
            iterations: ply.thought.iterations,
            value: ply.thought.value.map(f64::from),
            nanoseconds: (nanos > 0).then_some(nanos),
            alternative: alternative_action.as_deref().unwrap_or_default(),
            alternative_value: alternative.map(|one| one.value.into()),
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_test_support::tournaments::{game, plan};
    use patchwork_tournament::Format;

    #[test]
    fn the_fields_of_a_row_are_the_columns() {
        let plan = plan(&["a", "b"], Format::RoundRobin, 1).expect("a plan");
        let planned = plan.games().next().expect("a game");
        let entry = game(planned.id, planned.seats);
        let mut writer = csv::Writer::from_writer(Vec::new());
        let written = each_ply(&plan, GameNumber::default(), &entry, |row| {
            writer.serialize(row).map_err(|error| error.to_string())
        });
        written.expect("a legal game");
        let table = String::from_utf8(writer.into_inner().expect("in memory"));
        let table = table.expect("UTF-8");
        assert_eq!(table.lines().next(), Some(&*header()));
    }

    #[test]
    fn spreadsheets_take_no_name_for_a_formula() {
        let plan = plan(&["=1+1", "@b"], Format::RoundRobin, 1).expect("a plan");
        let planned = plan.games().next().expect("a game");
        let entry = game(planned.id, planned.seats);
        let table = rows(&plan, GameNumber::default(), &entry).expect("a legal game");
        let table = [header().as_bytes(), b"\n", &table].concat();
        for row in csv::Reader::from_reader(&*table).records() {
            let row = row.expect("CSV");
            assert!(["'=1+1", "'@b"].contains(&&row[3]));
        }
    }
}
