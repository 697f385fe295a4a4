//! Ratings of results that other programs have written.

use std::io;

use super::table::{add_row, table, write_table};
use crate::rating::Rated;
use crate::report::csv::write_rows;
use crate::report::numbers::{counted, interval, optional, percent, signed};

use super::ratings::{write_consistency, write_neighbours, write_warnings};

/// Writes the ratings of a table of results.
///
/// # Errors
/// When the writer fails.
pub fn write_rated(mut out: impl io::Write, title: &str, rated: &Rated) -> io::Result<()> {
    let out: &mut dyn io::Write = &mut out;
    writeln!(out, "{title}: {}\n", counted(rated.games, "game"))?;
    let mut rows = table(
        &["#", "agent"],
        &["Elo", "95%", "se", "games", "wins", "score"],
    );
    for (rank, row) in (1..).zip(&rated.ratings) {
        let mark = if row.separated { " *" } else { "" };
        let half = row.elo.interval().map(|(low, high)| (high - low) / 2.0);
        add_row(
            &mut rows,
            [rank.to_string(), format!("{}{mark}", row.agent)],
            [
                optional(row.elo.value, |elo| signed(elo, 1)),
                optional(half, |half| format!("±{half:.1}")),
                optional(row.elo.error, |se| format!("{se:.1}")),
                row.games.to_string(),
                row.wins.to_string(),
                percent(row.score),
            ],
        );
    }
    let scale = match &rated.anchor {
        Some(anchor) => format!("intervals relative to {anchor}"),
        None => "mean 0".to_owned(),
    };
    let title = format!("Standings, {scale}, with 95% intervals");
    write_table(out, &title, &mut rows)?;
    let separated: Vec<&str> = (rated.ratings.iter())
        .filter(|row| row.separated)
        .map(|row| row.agent.as_str())
        .collect();
    let prior = rated.prior_used.then_some(rated.prior);
    write_warnings(out, &separated, prior, rated.connected)?;
    if !rated.clustered {
        writeln!(
            out,
            " All games were taken as independent; the games of a pair may not be."
        )?;
    }
    writeln!(out)?;
    let ranks: Vec<(&str, bool)> = rated
        .ratings
        .iter()
        .map(|row| (row.agent.as_str(), row.separated))
        .collect();
    write_neighbours(out, &ranks, &rated.comparisons)?;
    write_consistency(out, &rated.consistency)?;
    let first = &rated.first_player;
    writeln!(out, "\nFirst-player advantage")?;
    writeln!(
        out,
        " The first player won {} of {}.",
        percent(first.wins as f64 / rated.games as f64),
        counted(rated.games, "game"),
    )?;
    writeln!(
        out,
        " With the agents' strengths taken into account, moving first is worth {} Elo (95%: {}).",
        optional(first.elo.value, |elo| signed(elo, 1)),
        interval(first.elo.low, first.elo.high, |elo| signed(elo, 1)),
    )?;
    if let Some(rho) = rated.rho {
        writeln!(
            out,
            " An agent's two results on one setup, seats swapped, correlate by {}.",
            signed(rho, 2)
        )?;
    }
    Ok(())
}

/// Writes the ratings of a table of results as a table with a line of column names.
///
/// # Errors
/// When the writer fails.
pub fn write_rated_csv(out: impl io::Write, rated: &Rated) -> io::Result<()> {
    let columns = [
        "agent",
        "elo",
        "se",
        "low",
        "high",
        "games",
        "wins",
        "score",
        "perfect",
        "separated",
    ];
    let mut writer = ::csv::Writer::from_writer(out);
    writer.write_record(columns)?;
    write_rows(&mut (&columns, &mut writer), &rated.ratings)?;
    writer.flush()
}
