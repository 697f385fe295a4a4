//! The strength of the agents: standings, crosstable, pairings, and the advantage of moving first.

use std::io;

use super::ratings::{
    Ranked, write_consistency, write_neighbours, write_points, write_seat_elo, write_warnings,
};
use super::table::{TextTable, shortened};
use crate::rating::RatingPrior;
use crate::report::numbers::{
    counted, duration, elo, interval, per_second, percent, percents, plus_minus, points,
};
use crate::stats::Summary;

/// Number of opponents side by side in one part of the crosstable.
const CROSSTABLE_COLUMNS: usize = 10;

/// Maximum number of agents in a crosstable; a larger one would be unreadable.
const MOST_CROSSED: usize = 30;

/// Maximum number of rows in the table of pairings.
const MOST_PAIRINGS: usize = 100;

pub(super) fn write_standings(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let ranks: Vec<Ranked<'_>> = (summary.ratings.iter())
        .map(|row| Ranked::new(&row.agent, row.separated))
        .collect();
    let mut table = TextTable::new(
        2,
        "# | agent | Elo | 95% | games | wins | score | margin | iter/s | time/move",
    );
    for ((i, row), rank) in (1..).zip(&summary.ratings).zip(&ranks) {
        table.row([
            i.to_string(),
            rank.marked(row.agent.clone()),
            elo(row.elo),
            plus_minus(row.elo, 0),
            row.games.to_string(),
            row.wins.to_string(),
            percent(row.score),
            points(row.mean_margin),
            per_second(row.iterations_per_s),
            duration(row.seconds_per_move),
        ]);
    }
    table.write(
        out,
        "Standings, with 95% intervals; margins in points per game",
    )?;
    let prior = summary.prior_used.then_some(RatingPrior::Auto);
    write_warnings(out, &ranks, prior, summary.connected)?;
    writeln!(out)?;
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
    if !(3..=MOST_CROSSED).contains(&agents.len()) {
        return Ok(());
    }
    let mut title = "Score against each other in %, columns numbered as above";
    for (part, opponents) in agents.chunks(CROSSTABLE_COLUMNS).enumerate() {
        let from = part * CROSSTABLE_COLUMNS;
        let numbers = (1..=opponents.len()).map(|i| format!(" | {}", from + i));
        let mut table = TextTable::new(2, &format!("# | agent{}", numbers.collect::<String>()));
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
            table.row(
                [(i + 1).to_string(), shortened(&row.agent)]
                    .into_iter()
                    .chain(scores),
            );
        }
        table.write(out, title)?;
        writeln!(out)?;
        title = "Score, continued";
    }
    Ok(())
}

pub(super) fn write_pairings(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let mut table = TextTable::new(
        2,
        "agent | opponent | won-lost | score | 95% | margin | 1st wins | 95%",
    );
    let met = summary.pairings.iter().filter(|pairing| pairing.games > 0);
    let left_out = met.clone().count().saturating_sub(MOST_PAIRINGS);
    for pairing in met.take(MOST_PAIRINGS) {
        table.row([
            shortened(&pairing.a),
            shortened(&pairing.b),
            format!("{}-{}", pairing.a_wins, pairing.b_wins),
            percent(pairing.a_score),
            percents(pairing.a_score),
            points(pairing.mean_margin),
            percent(pairing.first_win_rate),
            percents(pairing.first_win_rate),
        ]);
    }
    if table.is_empty() {
        return Ok(());
    }
    table.write(out, "Pairings")?;
    if left_out > 0 {
        writeln!(out, " The CSV table 'pairings' has {left_out} more.")?;
    }
    writeln!(out)
}

pub(super) fn write_first_player(out: &mut dyn io::Write, summary: &Summary) -> io::Result<()> {
    let first = &summary.first_player;
    writeln!(out, "First-player advantage")?;
    if first.equal_win_rate.value.is_some() {
        writeln!(
            out,
            " Between equally strong agents, the first player wins {} (95%: {}).",
            percent(first.equal_win_rate),
            percents(first.equal_win_rate),
        )?;
    }
    write_seat_elo(out, first.elo, 0, summary.rho)?;
    writeln!(
        out,
        " Among these agents, the first player won {} of {} (95%: {}).\n \
         This share is close to one half where the better agent wins from either seat.",
        percent(first.win_rate),
        counted(first.games, "game"),
        percents(first.win_rate),
    )?;
    writeln!(out)?;
    if first.by_level.len().max(first.by_gap.len()) < 2 {
        return Ok(());
    }
    let mut table = TextTable::new(
        1,
        "agents | games | 1st wins | 95% | Elo | 95% | margin | 95%",
    );
    let levels = first.by_level.iter().map(|class| ("mean rating", class));
    let gaps = first.by_gap.iter().map(|class| ("rating gap", class));
    for (what, class) in levels.chain(gaps) {
        let to = class
            .to
            .map_or_else(|| "or more".to_string(), |to| format!("to {to}"));
        table.row([
            format!("{what} {} {to}", class.from),
            class.games.to_string(),
            percent(class.win_rate),
            percents(class.win_rate),
            elo(class.elo),
            interval(class.elo, elo),
            points(class.margin),
            interval(class.margin, points),
        ]);
    }
    table.write(out, "First-player advantage by strength")?;
    writeln!(out)
}
