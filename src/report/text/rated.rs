//! Ratings of results from other programs.

use std::io;

use super::ratings::{Ranked, write_consistency, write_neighbours, write_seat_elo, write_warnings};
use super::table::TextTable;
use crate::rating::Rated;
use crate::report::csv::CsvWriter;
use crate::report::numbers::{counted, one_place, percent, plus_minus, signed};

/// Writes the ratings of a table of results as text.
///
/// # Errors
/// If the writer fails.
pub fn write_rated(mut out: impl io::Write, title: &str, rated: &Rated) -> io::Result<()> {
    let out: &mut dyn io::Write = &mut out;
    let unfinished = match rated.unfinished {
        0 => String::new(),
        count => format!(", and {} left out", counted(count, "unfinished game")),
    };
    writeln!(
        out,
        "{title}: {}{unfinished}\n",
        counted(rated.games, "game")
    )?;
    let ranks: Vec<Ranked<'_>> = (rated.ratings.iter())
        .map(|row| Ranked::new(&row.agent, row.separated))
        .collect();
    let draws = rated.ratings.iter().any(|row| row.draws > 0);
    let mut table = TextTable::new(
        2,
        match draws {
            true => "# | agent | Elo | 95% | se | games | wins | draws | score",
            false => "# | agent | Elo | 95% | se | games | wins | score",
        },
    );
    for ((i, row), rank) in (1..).zip(&rated.ratings).zip(&ranks) {
        let mut cells = vec![
            i.to_string(),
            rank.marked(row.agent.clone()),
            signed(row.elo, 1),
            plus_minus(row.elo, 1),
            one_place(row.elo.error),
            row.games.to_string(),
            row.wins.to_string(),
        ];
        if draws {
            cells.push(row.draws.to_string());
        }
        cells.push(percent(row.score));
        table.row(cells);
    }
    let scale = match &rated.anchor {
        Some(anchor) => format!("intervals relative to {anchor}"),
        None => "mean 0".to_owned(),
    };
    table.write(out, &format!("Standings, {scale}, with 95% intervals"))?;
    let prior = rated.prior_used.then_some(rated.prior);
    write_warnings(out, &ranks, prior, rated.connected)?;
    if !rated.clustered {
        writeln!(
            out,
            " All games were taken as independent; the games of a pair may not be."
        )?;
    }
    writeln!(out)?;
    write_neighbours(out, &ranks, &rated.comparisons)?;
    write_consistency(out, &rated.consistency)?;
    let first = &rated.first_player;
    writeln!(out, "\nFirst-player advantage")?;
    writeln!(
        out,
        " The first player {} {} of {}.",
        if draws { "scored" } else { "won" },
        percent(first.score),
        counted(rated.games, "game"),
    )?;
    write_seat_elo(out, first.elo, 1, rated.rho)
}

/// Writes the ratings of a table of results as CSV with a header line.
///
/// # Errors
/// If the writer fails.
pub fn write_rated_csv(mut out: impl io::Write, rated: &Rated) -> io::Result<()> {
    let columns = "agent elo se low high games wins draws score perfect separated";
    let mut writer = CsvWriter::new(&mut out, columns)?;
    writer.rows(&rated.ratings)?;
    writer.finish()
}
