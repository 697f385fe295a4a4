//! Who is how strong: standings, crosstable, pairings, and what moving first is worth.

use std::io;

use super::table::{add_row, shortened, table, write_table};
use crate::rating::Prior;
use crate::report::numbers::{
    counted, duration, half_width, interval, optional, per_second, percent, percents, signed,
};
use crate::stats::Summary;

use super::ratings::{write_consistency, write_neighbours, write_points, write_warnings};

/// Opponents side by side in one part of the crosstable.
const CROSSTABLE_COLUMNS: usize = 10;

/// Agents of the largest crosstable; nobody reads a larger one.
pub(super) const MOST_CROSSED: usize = 30;

/// Rows of the longest table of pairings.
const MOST_PAIRINGS: usize = 100;

pub(super) fn write_standings(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let mut table = table(
        &["#", "agent"],
        &[
            "Elo",
            "95%",
            "games",
            "wins",
            "score",
            "margin",
            "iter/s",
            "time/move",
        ],
    );
    for (i, row) in summary.ratings.iter().enumerate() {
        let mark = if row.separated { " *" } else { "" };
        add_row(
            &mut table,
            [(i + 1).to_string(), format!("{}{mark}", row.agent)],
            [
                optional(row.elo.value, |elo| signed(elo, 0)),
                optional(half_width(row.elo), |half| format!("±{half:.0}")),
                row.games.to_string(),
                row.wins.to_string(),
                optional(row.score, percent),
                optional(row.mean_margin, |margin| signed(margin, 1)),
                optional(row.iterations_per_s, per_second),
                optional(row.seconds_per_move, duration),
            ],
        );
    }
    write_table(
        out,
        "Standings, with 95% intervals; margins in points a game",
        &mut table,
    )?;
    let separated: Vec<&str> = (summary.ratings.iter())
        .filter(|row| row.separated)
        .map(|row| row.agent.as_str())
        .collect();
    let prior = summary.prior_used.then_some(Prior::Auto);
    write_warnings(out, &separated, prior, summary.connected)?;
    writeln!(out)
}

pub(super) fn write_strengths(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let ranks: Vec<(&str, bool)> = summary
        .ratings
        .iter()
        .map(|row| (row.agent.as_str(), row.separated))
        .collect();
    if summary.comparisons.is_empty() {
        return Ok(());
    }
    write_neighbours(out, &ranks, &summary.comparisons)?;
    write_consistency(out, &summary.consistency)?;
    write_points(out, &summary.points)?;
    writeln!(out)
}

pub(super) fn write_crosstable(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let agents = &summary.ratings;
    let mut title = "Score against each other in %, columns numbered as above";
    for (part, opponents) in agents.chunks(CROSSTABLE_COLUMNS).enumerate() {
        let from = part * CROSSTABLE_COLUMNS;
        let numbers: Vec<String> = (1..=opponents.len())
            .map(|i| (from + i).to_string())
            .collect();
        let mut table = table(&["#", "agent"], &numbers);
        for (i, row) in agents.iter().enumerate() {
            let scores = opponents.iter().enumerate().map(|(j, opponent)| {
                let (wins, games) = summary.head_to_head(&row.agent, &opponent.agent);
                if i == from + j {
                    "-".to_string()
                } else if games == 0 {
                    String::new()
                } else {
                    format!("{:.1}", 100.0 * wins as f64 / games as f64)
                }
            });
            add_row(
                &mut table,
                [(i + 1).to_string(), shortened(&row.agent)],
                scores,
            );
        }
        write_table(out, title, &mut table)?;
        writeln!(out)?;
        title = "Score, continued";
    }
    Ok(())
}

pub(super) fn write_pairings(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let mut table = table(
        &["agent", "opponent"],
        &["won-lost", "score", "95%", "margin", "1st wins", "95%"],
    );
    let met = summary.pairings.iter().filter(|pairing| pairing.games > 0);
    let left_out = met.clone().count().saturating_sub(MOST_PAIRINGS);
    for pairing in met.take(MOST_PAIRINGS) {
        add_row(
            &mut table,
            [shortened(&pairing.a), shortened(&pairing.b)],
            [
                format!("{}-{}", pairing.a_wins, pairing.b_wins),
                optional(pairing.a_score.value, percent),
                percents(pairing.a_score.low, pairing.a_score.high),
                optional(pairing.mean_margin, |margin| signed(margin, 1)),
                optional(pairing.first_win_rate.value, percent),
                percents(pairing.first_win_rate.low, pairing.first_win_rate.high),
            ],
        );
    }
    if table.row_count() == 0 {
        return Ok(());
    }
    write_table(out, "Pairings", &mut table)?;
    if left_out > 0 {
        writeln!(out, " {left_out} more are in the table of pairings (CSV).")?;
    }
    writeln!(out)
}

pub(super) fn write_first_player(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let first = &summary.first_player;
    writeln!(out, "First-player advantage")?;
    writeln!(
        out,
        " The first player won {} of {} (95%: {}).",
        optional(first.win_rate.value, percent),
        counted(first.games, "game"),
        percents(first.win_rate.low, first.win_rate.high),
    )?;
    if let Some(elo) = first.elo.value {
        writeln!(
            out,
            " With the agents' strengths taken into account, moving first is worth {} Elo (95%: {}).",
            signed(elo, 0),
            interval(first.elo.low, first.elo.high, |elo| signed(elo, 0)),
        )?;
    }
    if let Some(rho) = summary.rho {
        writeln!(
            out,
            " An agent's two results on one setup, seats swapped, correlate by {}.",
            signed(rho, 2)
        )?;
    }
    writeln!(out)?;
    write_first_player_by_strength(out, summary)
}

fn write_first_player_by_strength(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let first = &summary.first_player;
    if first.by_level.len().max(first.by_gap.len()) < 2 {
        return Ok(());
    }
    let mut table = table(
        &["agents"],
        &["games", "1st wins", "95%", "Elo", "95%", "margin", "95%"],
    );
    let levels = first.by_level.iter().map(|class| ("mean rating", class));
    let gaps = first.by_gap.iter().map(|class| ("apart by", class));
    for (what, class) in levels.chain(gaps) {
        let to = class
            .to
            .map_or_else(|| "or more".to_string(), |to| format!("to {to}"));
        let elo = |elo: f64| signed(elo, 0);
        let points = |points: f64| signed(points, 1);
        add_row(
            &mut table,
            [format!("{what} {} {to}", class.from)],
            [
                class.games.to_string(),
                optional(class.win_rate.value, percent),
                percents(class.win_rate.low, class.win_rate.high),
                optional(class.elo.value, elo),
                interval(class.elo.low, class.elo.high, elo),
                optional(class.margin.value, points),
                interval(class.margin.low, class.margin.high, points),
            ],
        );
    }
    write_table(out, "First-player advantage by strength", &mut table)?;
    writeln!(out)
}
