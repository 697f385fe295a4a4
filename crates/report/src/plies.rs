//! One row per ply, for data frames.

use std::io;

use patchwork_engine::game::{Action, Player};
use patchwork_engine::record::{Entry, play_through};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde::Serialize;
use twox_hash::XxHash3_64;

use crate::document::{DataColumn, DataTable, TableCell, guarded};
use patchwork_tournament::export::broken;
use patchwork_tournament::{GameNumber, GameNumbers, Plan, Results};

/// Number of games whose rows are computed at a time.
const BATCH: usize = 1024;

/// A decision with the position in which it was made. The columns are documented in `docs/report.md`.
#[derive(Serialize)]
struct PlyRow<'a> {
    game: GameNumber,
    setup: &'a str,
    pairing: &'a str,
    leg: u8,
    ply: usize,
    seat: Player,
    agent: &'a str,
    action: &'static str,
    patch: Option<u8>,
    space: u8,
    buttons: u16,
    income: u8,
    legal: u16,
    iterations: u32,
    value: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nanoseconds: Option<u64>,
}

/// A column of [`plies_data`]: its name, its values, and how it takes the value of a row.
type PlyColumn = (
    &'static str,
    DataColumn,
    for<'a> fn(&'a PlyRow<'a>) -> TableCell<'a>,
);

/// Writes a CSV table with one row per ply, in the order of the plan. With `times`, the last column is the
/// time of the ply; without it, the same games give the same table.
///
/// # Errors
/// If a game is not legal, as an error of kind `InvalidData`, or the writer fails.
pub fn write_plies(results: &Results, times: bool, mut out: impl io::Write) -> io::Result<()> {
    let (plan, games) = (&results.manifest.plan, &results.games);
    let numbers = results.numbers()?;
    let mut header =
        "game,setup,pairing,leg,ply,seat,agent,action,patch,space,buttons,income,legal,\
                      iterations,value"
            .to_owned();
    if times {
        header += ",nanoseconds";
    }
    writeln!(out, "{header}")?;
    for start in (0..games.len()).step_by(BATCH) {
        let batch: Vec<u32> = (start..games.len().min(start + BATCH))
            .map(|index| index as u32)
            .collect();
        let entries = games.entries(&batch)?;
        let rows: Vec<io::Result<Vec<u8>>> = entries
            .par_iter()
            .map(|entry| rows(plan, &numbers, entry, times))
            .collect();
        for rows in rows {
            out.write_all(&rows?)?;
        }
    }
    out.flush()
}

/// The rows of [`write_plies`] as typed columns; `seat` is text, and the last column is the time.
pub fn plies_data(results: &Results) -> io::Result<DataTable> {
    let (plan, games) = (&results.manifest.plan, &results.games);
    let numbers = results.numbers()?;
    let mut columns: [PlyColumn; _] = [
        ("game", DataColumn::integers(), |row| row.game.get().into()),
        ("setup", DataColumn::text(), |row| row.setup.into()),
        ("pairing", DataColumn::text(), |row| row.pairing.into()),
        ("leg", DataColumn::integers(), |row| row.leg.into()),
        ("ply", DataColumn::integers(), |row| row.ply.into()),
        ("seat", DataColumn::text(), |row| {
            row.seat.to_string().into()
        }),
        ("agent", DataColumn::text(), |row| row.agent.into()),
        ("action", DataColumn::text(), |row| row.action.into()),
        ("patch", DataColumn::numbers(), |row| {
            row.patch.map(f64::from).into()
        }),
        ("space", DataColumn::integers(), |row| row.space.into()),
        ("buttons", DataColumn::integers(), |row| row.buttons.into()),
        ("income", DataColumn::integers(), |row| row.income.into()),
        ("legal", DataColumn::integers(), |row| row.legal.into()),
        ("iterations", DataColumn::integers(), |row| {
            row.iterations.into()
        }),
        ("value", DataColumn::numbers(), |row| {
            row.value.map(f64::from).into()
        }),
        ("nanoseconds", DataColumn::integers(), |row| {
            (row.nanoseconds.unwrap_or(0) as i64).into()
        }),
    ];
    for entry in games.iter() {
        let entry = entry?;
        for_each_ply(plan, &numbers, &entry, true, |row| {
            for (_, column, value) in &mut columns {
                column.push(&value(&row));
            }
            Ok(())
        })?;
    }
    let named = columns.into_iter();
    Ok(named
        .map(|(name, column, _)| (name.to_owned(), column))
        .collect())
}

fn rows(plan: &Plan, numbers: &GameNumbers, entry: &Entry, times: bool) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    for_each_ply(plan, numbers, entry, times, |row| {
        let (pairing, agent) = (guarded(row.pairing), guarded(row.agent));
        writer.serialize(PlyRow {
            pairing: &pairing,
            agent: &agent,
            ..row
        })
    })?;
    writer.into_inner().map_err(|error| error.into_error())
}

/// Passes the row of each ply of a game to `visit`.
fn for_each_ply(
    plan: &Plan,
    numbers: &GameNumbers,
    entry: &Entry,
    times: bool,
    mut visit: impl FnMut(PlyRow<'_>) -> Result<(), csv::Error>,
) -> io::Result<()> {
    let record = &entry.record;
    let game = numbers.of(record);
    let states = play_through(record).map_err(|what| broken(game, &what))?;
    let ring = record.setup.ring().numbers();
    let setup = XxHash3_64::oneshot_with_seed(record.setup.rules().code().into(), &ring);
    let setup = format!("{setup:016x}");
    let pairing = plan.pairing_of(record.id, record.agents);
    let agents = record.agents.map(|agent| plan.name(agent));
    let plies = states.iter().zip(&record.plies).zip(&entry.nanos);
    for (number, ((state, ply), &nanos)) in plies.enumerate() {
        let seat = ply.player;
        let (action, patch) = match ply.action {
            Action::Advance => ("advance", None),
            Action::Buy(patch, _) => ("buy", Some(patch.number())),
            Action::Special(_) => ("special", None),
        };
        let row = PlyRow {
            game,
            setup: &setup,
            pairing: &pairing,
            leg: record.id.leg,
            ply: number + 1,
            seat,
            agent: agents[seat.index()],
            action,
            patch,
            space: state.space(seat),
            buttons: state.buttons(seat),
            income: state.income(seat),
            legal: ply.legal,
            iterations: ply.thought.iterations,
            value: ply.thought.value,
            nanoseconds: times.then_some(nanos),
        };
        visit(row).map_err(io::Error::from)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::tournaments::{game, plan};
    use patchwork_tournament::{Format, Manifest};

    #[test]
    fn spreadsheets_take_no_name_for_a_formula() {
        let plan = plan(&["=1+1", "@b"], Format::RoundRobin, 1).expect("a plan");
        let games = plan.games().map(|planned| game(planned.id, planned.seats));
        let games = games.collect();
        let results = Results::new(Manifest::new("t".to_owned(), plan), games).expect("its games");
        let mut table = Vec::new();
        write_plies(&results, false, &mut table).expect("in memory");
        for row in csv::Reader::from_reader(&*table).records() {
            let row = row.expect("CSV");
            assert_eq!(&row[2], "'=1+1|@b");
            assert!(["'=1+1", "'@b"].contains(&&row[6]));
        }
    }
}
