//! The table of plies, for questions that the report does not answer. `docs/report.md` has its columns.

use std::io;
use std::path::Path;

use patchwork_engine::game::{Action, State, incomes_ahead};
use patchwork_engine::record::{Entry, Ply, play_through};

use crate::document::{TableCell, csv};
use patchwork_tournament::export::{broken, each_game};
use patchwork_tournament::stats::papers_count;
use patchwork_tournament::{GameNumber, Plan, Results, ledger};

/// The columns in order: their names, and whether they have texts.
const COLUMNS: [(&str, bool); 22] = [
    ("game", false),
    ("ply", false),
    ("seat", true),
    ("agent", true),
    ("kind", true),
    ("action", true),
    ("patch", false),
    ("space_before", false),
    ("space_after", false),
    ("incomes", false),
    ("buttons_before", false),
    ("buttons_after", false),
    ("income", false),
    ("covered", false),
    ("bonus", false),
    ("legal", false),
    ("papers_count", false),
    ("iterations", false),
    ("value", false),
    ("nanoseconds", false),
    ("alternative", true),
    ("alternative_value", false),
];

/// The values of a decision with the position before and after it, in the order of the columns.
type PlyRow<'a> = [TableCell<'a>; COLUMNS.len()];

/// Writes the table of plies of a results folder as CSV, in the order of the numbers of the games, of which few are in
/// memory at a time.
///
/// # Errors
/// When the folder cannot be read or is damaged, a game is not legal, or the writer fails.
pub fn write_plies(dir: &Path, mut out: impl io::Write) -> io::Result<()> {
    let manifest = ledger::read_manifest(dir)?;
    writeln!(out, "{}", COLUMNS.map(|(name, _)| name).join(","))?;
    let written = |number: GameNumber, entry: &Entry| {
        // A time that is not known is empty.
        let rows = rows(&manifest.plan, number, entry, &TableCell::Number(None))?;
        let written = rows.iter().map(|row| csv::written(row));
        let written: io::Result<Vec<Vec<u8>>> = written.collect();
        Ok(written.map_err(|error| error.to_string())?.concat())
    };
    each_game(dir, &manifest, written, |rows| out.write_all(&rows))?;
    out.flush()
}

/// The names of the columns of the table of plies, and whether they have texts.
pub fn names_of_plies() -> impl Iterator<Item = (String, bool)> {
    let columns = COLUMNS.into_iter();
    columns.map(|(name, is_text)| (name.to_owned(), is_text))
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
        let rows = rows(&results.manifest.plan, game, &entry, &0_u64.into());
        let rows = rows.map_err(|what| broken(game, &what))?;
        rows.iter().for_each(|row| visit(row));
    }
    Ok(())
}

/// The rows of a game. An unknown time is `untimed`.
fn rows<'a>(
    plan: &'a Plan,
    game: GameNumber,
    entry: &Entry,
    untimed: &TableCell<'a>,
) -> Result<Vec<PlyRow<'a>>, String> {
    let record = &entry.record;
    let states = play_through(record)?;
    let agents = record.agents.map(|agent| plan.name(agent));
    let plies = states.windows(2).zip(&record.plies).zip(&entry.nanos);
    let mut considered = entry.extras.considered.plies();
    let row = |(number, ((states, ply), &nanos)): (usize, ((&[State], &Ply), &u64))| {
        let [before, after] = [&states[0], &states[1]];
        let seat = ply.player;
        let spaces = [before, after].map(|state| state.space(seat));
        let alternative = considered.next().and_then(|actions| actions.get(1));
        let kind = match ply.action {
            Action::Advance => "advance",
            Action::Buy(..) => "buy",
            Action::Special(_) => "special",
        };
        [
            game.get().into(),
            number.into(),
            seat.name().into(),
            agents[seat.index()].into(),
            kind.into(),
            ply.action.to_string().into(),
            ply.bought().map(|patch| u32::from(patch.number())).into(),
            spaces[0].into(),
            spaces[1].into(),
            (incomes_ahead(spaces[0]) - incomes_ahead(spaces[1])).into(),
            before.buttons(seat).into(),
            after.buttons(seat).into(),
            after.income(seat).into(),
            after.quilt(seat).len().into(),
            u8::from(after.bonus() == Some(seat)).into(),
            ply.legal.into(),
            papers_count(&record.setup, before).into(),
            ply.thought.iterations.into(),
            ply.thought.value.map(f64::from).into(),
            match nanos {
                0 => untimed.clone(),
                nanos => nanos.into(),
            },
            alternative
                .map_or(String::new(), |one| one.action.to_string())
                .into(),
            alternative.map(|one| f64::from(one.value)).into(),
        ]
    };
    Ok((1..).zip(plies).map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_test_support::tournaments::{game, plan};
    use patchwork_tournament::Format;

    #[test]
    fn spreadsheets_take_no_name_for_a_formula() {
        let plan = plan(&["=1+1", "@b"], Format::RoundRobin, 1).expect("a plan");
        let planned = plan.games().next().expect("a game");
        let entry = game(planned.id, planned.seats);
        let rows = rows(&plan, GameNumber::default(), &entry, &0_u64.into());
        for row in rows.expect("a legal game") {
            let row = String::from_utf8(csv::written(&row).expect("in memory"));
            let row = row.expect("UTF-8");
            assert!(row.contains(",'=1+1,") || row.contains(",'@b,"), "{row}");
        }
    }
}
