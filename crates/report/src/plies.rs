//! The table of plies, for questions that the report does not answer. `docs/report.md` has its columns.

use std::io;
use std::path::Path;

use patchwork_engine::game::{Action, Player, incomes_ahead};
use patchwork_engine::record::{Entry, play_through};
use serde::Serialize;

use crate::document::{DataColumn, DataTable, TableCell, guarded};
use patchwork_tournament::export::{broken, each_game};
use patchwork_tournament::stats::papers_count;
use patchwork_tournament::{GameNumber, Manifest, Plan, Results, ledger};

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

const HEADER: &str = "game,ply,seat,agent,kind,action,patch,space_before,space_after,incomes,buttons_before,buttons_after,\
                      income,covered,bonus,legal,papers_count,iterations,value,nanoseconds,alternative,alternative_value";

/// A column of [`plies_data`]: its values, and how it takes the value of a row.
type PlyColumn = (DataColumn, for<'a> fn(&'a PlyRow<'a>) -> TableCell<'a>);

/// Writes the table of plies of a results folder as CSV, in the order of the numbers of the games, of which few are in
/// memory at a time.
///
/// # Errors
/// When the folder cannot be read or is damaged, a game is not legal, or the writer fails.
pub fn write_plies(dir: &Path, mut out: impl io::Write) -> io::Result<()> {
    let manifest = ledger::read_manifest(dir)?;
    writeln!(out, "{HEADER}")?;
    let rows = |number: GameNumber, entry: &Entry| rows(&manifest, number, entry);
    each_game(dir, &manifest, rows, |rows| out.write_all(&rows))?;
    out.flush()
}

/// The rows of a game as CSV.
fn rows(manifest: &Manifest, number: GameNumber, entry: &Entry) -> Result<Vec<u8>, String> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    each_ply(&manifest.plan, number, entry, |row| {
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

/// The table of plies as typed columns, in the order of the plan.
pub fn plies_data(results: &Results) -> io::Result<DataTable> {
    let numbers = results.numbers()?;
    let mut columns: [PlyColumn; _] = [
        (DataColumn::integers(), |row| row.game.get().into()),
        (DataColumn::integers(), |row| row.ply.into()),
        (DataColumn::text(), |row| row.seat.to_string().into()),
        (DataColumn::text(), |row| row.agent.into()),
        (DataColumn::text(), |row| row.kind.into()),
        (DataColumn::text(), |row| row.action.into()),
        (DataColumn::numbers(), |row| row.patch.map(f64::from).into()),
        (DataColumn::integers(), |row| row.space_before.into()),
        (DataColumn::integers(), |row| row.space_after.into()),
        (DataColumn::integers(), |row| row.incomes.into()),
        (DataColumn::integers(), |row| row.buttons_before.into()),
        (DataColumn::integers(), |row| row.buttons_after.into()),
        (DataColumn::integers(), |row| row.income.into()),
        (DataColumn::integers(), |row| row.covered.into()),
        (DataColumn::integers(), |row| row.bonus.into()),
        (DataColumn::integers(), |row| row.legal.into()),
        (DataColumn::numbers(), |row| {
            row.papers_count.map(f64::from).into()
        }),
        (DataColumn::integers(), |row| row.iterations.into()),
        (DataColumn::numbers(), |row| row.value.into()),
        (DataColumn::integers(), |row| {
            (row.nanoseconds.unwrap_or(0) as i64).into()
        }),
        (DataColumn::text(), |row| row.alternative.into()),
        (DataColumn::numbers(), |row| row.alternative_value.into()),
    ];
    for entry in results.games.iter() {
        let entry = entry?;
        let game = numbers.of(&entry.record);
        let added = each_ply(&results.manifest.plan, game, &entry, |row| {
            for (column, value) in &mut columns {
                column.push(&value(&row));
            }
            Ok(())
        });
        added.map_err(|what| broken(game, &what))?;
    }
    let names = HEADER.split(',').map(str::to_owned);
    Ok(names
        .zip(columns.into_iter().map(|(column, _)| column))
        .collect())
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
    use crate::support::tournaments::{game, plan};
    use patchwork_tournament::Format;

    #[test]
    fn spreadsheets_take_no_name_for_a_formula() {
        let plan = plan(&["=1+1", "@b"], Format::RoundRobin, 1).expect("a plan");
        let planned = plan.games().next().expect("a game");
        let entry = game(planned.id, planned.seats);
        let manifest = Manifest::new("t".to_owned(), plan);
        let table = rows(&manifest, GameNumber::default(), &entry).expect("a legal game");
        let table = [HEADER.as_bytes(), b"\n", &table].concat();
        for row in csv::Reader::from_reader(&*table).records() {
            let row = row.expect("CSV");
            assert!(["'=1+1", "'@b"].contains(&&row[3]));
        }
    }
}
