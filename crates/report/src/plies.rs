//! The table of plies, for questions that the report does not answer. `docs/tables.md` has its columns.

use std::io;
use std::path::Path;

use patchwork_engine::game::{Action, Setup, State, incomes_ahead};
use patchwork_engine::record::{ConsideredAction, Entry, Ply, play_through};

use crate::document::{TableCell, csv};
use patchwork_tournament::export::{broken, each_game};
use patchwork_tournament::{GameNumber, Plan, Results, ledger};

/// A decision with the position before and after it.
struct PlyRow<'g, 'a> {
    game: GameNumber,
    number: usize,
    agent: &'a str,
    setup: &'g Setup,
    /// The positions before and after it.
    states: &'g [State],
    ply: &'g Ply,
    nanoseconds: Option<u64>,
    alternative: Option<&'g ConsideredAction>,
}

impl PlyRow<'_, '_> {
    const fn before(&self) -> &State {
        &self.states[0]
    }

    const fn after(&self) -> &State {
        &self.states[1]
    }

    fn space_before(&self) -> u8 {
        self.before().space(self.ply.player)
    }

    fn space_after(&self) -> u8 {
        self.after().space(self.ply.player)
    }

    const fn kind(&self) -> &'static str {
        match self.ply.action {
            Action::Advance => "advance",
            Action::Buy(..) => "buy",
            Action::Special(_) => "special",
        }
    }
}

/// A column: its name, whether it has texts, and its value in a row.
type PlyColumn = (
    &'static str,
    bool,
    for<'a> fn(&PlyRow<'_, 'a>) -> TableCell<'a>,
);

/// The columns in order.
const COLUMNS: [PlyColumn; 22] = [
    ("game", false, |row| row.game.get().into()),
    ("ply", false, |row| row.number.into()),
    ("seat", true, |row| row.ply.player.name().into()),
    ("agent", true, |row| row.agent.into()),
    ("kind", true, |row| row.kind().into()),
    ("action", true, |row| row.ply.action.to_string().into()),
    ("patch", false, |row| {
        let patch = row.ply.bought();
        patch.map(|patch| u32::from(patch.number())).into()
    }),
    ("space_before", false, |row| row.space_before().into()),
    ("space_after", false, |row| row.space_after().into()),
    ("incomes", false, |row| {
        (incomes_ahead(row.space_before()) - incomes_ahead(row.space_after())).into()
    }),
    ("buttons_before", false, |row| {
        row.before().buttons(row.ply.player).into()
    }),
    ("buttons_after", false, |row| {
        row.after().buttons(row.ply.player).into()
    }),
    ("income", false, |row| {
        row.after().income(row.ply.player).into()
    }),
    ("covered", false, |row| {
        row.after().quilt(row.ply.player).len().into()
    }),
    ("bonus", false, |row| {
        u8::from(row.after().bonus() == Some(row.ply.player)).into()
    }),
    ("legal", false, |row| row.ply.legal.into()),
    ("papers_count", false, |row| {
        row.before().papers_count(row.setup).into()
    }),
    ("iterations", false, |row| row.ply.thought.iterations.into()),
    ("value", false, |row| {
        row.ply.thought.value.map(f64::from).into()
    }),
    ("nanoseconds", false, |row| {
        row.nanoseconds
            .map_or(TableCell::Number(None), TableCell::from)
    }),
    ("alternative", true, |row| {
        let action = row.alternative.map(|one| one.action.to_string());
        action.unwrap_or_default().into()
    }),
    ("alternative_value", false, |row| {
        row.alternative.map(|one| f64::from(one.value)).into()
    }),
];

/// Writes the table of plies of a results folder as CSV, in the order of the numbers of the games, of which few are in
/// memory at a time.
///
/// # Errors
/// When the folder cannot be read or is damaged, a game is not legal, or the writer fails.
pub fn write_plies(dir: &Path, mut out: impl io::Write) -> io::Result<()> {
    let manifest = ledger::read_manifest(dir)?;
    writeln!(out, "{}", COLUMNS.map(|(name, ..)| name).join(","))?;
    // A time that is not known is empty.
    let written = |game: GameNumber, entry: &Entry| {
        let rows = rows(&manifest.plan, game, entry, None)?;
        csv::written(rows).map_err(|error| error.to_string())
    };
    each_game(dir, &manifest, written, |rows| out.write_all(&rows))?;
    out.flush()
}

/// The names of the columns of the table of plies, and whether they have texts.
pub fn names_of_plies() -> impl Iterator<Item = (String, bool)> {
    let columns = COLUMNS.into_iter();
    columns.map(|(name, is_text, _)| (name.to_owned(), is_text))
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
        let rows = rows(&results.manifest.plan, game, &entry, Some(0));
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
    untimed: Option<u64>,
) -> Result<Vec<[TableCell<'a>; COLUMNS.len()]>, String> {
    let record = &entry.record;
    let states = play_through(record)?;
    let agents = record.agents.map(|agent| plan.name(agent));
    let plies = states.windows(2).zip(&record.plies).zip(&entry.nanos);
    let mut considered = entry.extras.considered.plies();
    let row = |(number, ((states, ply), &nanos)): (usize, ((_, &Ply), _))| {
        let row = PlyRow {
            game,
            number,
            agent: agents[ply.player.index()],
            setup: &record.setup,
            states,
            ply,
            nanoseconds: (nanos > 0).then_some(nanos).or(untimed),
            alternative: considered.next().and_then(|actions| actions.get(1)),
        };
        COLUMNS.map(|(.., value)| value(&row))
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
        let rows = rows(&plan, GameNumber::default(), &entry, Some(0));
        for row in rows.expect("a legal game") {
            let row = String::from_utf8(csv::written([row]).expect("in memory"));
            let row = row.expect("UTF-8");
            assert!(row.contains(",'=1+1,") || row.contains(",'@b,"), "{row}");
        }
    }
}
