//! How each agent plays: its economy by space, its first purchases and the squares that it covers early.

use std::borrow::Cow;

use patchwork_engine::board::SIDE;
use patchwork_rating::Estimate;

use super::TournamentReport;
use crate::document::{
    Block, CsvTable, Dot, Figure, Grid, GridCell, Place, PlotAxis, ReportSection, Series,
    SeriesMark, TableOf, Unit, counted, percent,
};
use patchwork_tournament::stats::{AgentEconomy, EARLY_SPACE, REPLAYED_PAIRS, SpaceEconomy};

pub(super) const TABLES: &[CsvTable] = &[ECONOMY, FIRST_PURCHASES, COVERED];
const ECONOMY: CsvTable = CsvTable::new(
    "economy",
    "Buttons, income, covered squares and expected chance of each agent by income space",
);
const FIRST_PURCHASES: CsvTable = CsvTable::new(
    "first-purchases",
    "How often each patch was the first that an agent bought",
);
const COVERED: CsvTable = CsvTable::new(
    "covered-early",
    "How often each agent had covered each square before space 29",
);

/// Number of agents in figures.
const MAX_DRAWN: usize = 6;
/// Number of agents with a map of squares.
const MAX_MAPS: usize = 2;
/// Number of first purchases of an agent in the text.
const MAX_FIRST: usize = 3;

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let agents = &report.summary.economy[..];
    let mut section = ReportSection::new("economy", "Economy and placement")
        .note(format!(
            "Means when an agent's token has reached or passed an income space, with the income of that space, in the first \
             {REPLAYED_PAIRS} pairs of each pairing. The chance is what the agent expects at its decisions since the income space before.",
        ))
        .table(by_space(agents));
    type Quantity = fn(&SpaceEconomy) -> Estimate;
    let quantities: [(&'static str, Unit, Quantity); 4] = [
        ("buttons", Unit::OneDecimal, |row| row.buttons),
        ("income", Unit::OneDecimal, |row| row.income),
        ("covered squares", Unit::OneDecimal, |row| row.squares),
        ("expected chance", Unit::Share, |row| row.chance),
    ];
    for (name, unit, quantity) in quantities {
        let values = agents.iter().flat_map(|agent| &agent.by_space);
        if values.filter_map(|row| quantity(row).value).count() > 0 {
            section = section.figure(move || figure(agents, name, unit, quantity));
        }
    }
    for agent in agents.iter().take(MAX_MAPS) {
        section = section.block(Block::Grid(map(agent)));
    }
    section
        .table(first_purchases(agents))
        .table(covered(agents))
        .data_only(report.all_faulted())
}

fn by_space(agents: &[AgentEconomy]) -> TableOf<'_, (&AgentEconomy, &SpaceEconomy)> {
    let rows = agents.iter();
    let rows = rows.flat_map(|agent| agent.by_space.iter().map(move |row| (agent, row)));
    let rows: Vec<_> = rows.collect();
    let is_listed = |&place: &usize| rows[place].1.space == EARLY_SPACE;
    let listed: Vec<usize> = (0..rows.len()).filter(is_listed).collect();
    TableOf::new(rows.len(), move |i| rows[i])
        .csv(ECONOMY)
        .title(format!("At space {EARLY_SPACE}"))
        .shown(listed)
        .column("agent", "agent", Unit::Name, |(agent, _)| &*agent.agent)
        .column("space", "", Unit::Count, |(_, row)| row.space)
        .column("games", "games", Unit::Count, |(agent, _)| agent.games)
        .priority(3)
        .estimate("buttons", "buttons", Unit::OneDecimal, |(_, row)| {
            row.buttons
        })
        .estimate("income", "income", Unit::OneDecimal, |(_, row)| row.income)
        .main()
        .estimate("squares", "squares", Unit::OneDecimal, |(_, row)| {
            row.squares
        })
        .priority(2)
        .estimate("chance", "chance", Unit::Share, |(_, row)| row.chance)
        .priority(1)
}

/// A quantity of the strongest agents by income space.
fn figure(
    agents: &[AgentEconomy],
    name: &'static str,
    unit: Unit,
    quantity: fn(&SpaceEconomy) -> Estimate,
) -> Figure {
    let series = agents.iter().take(MAX_DRAWN).enumerate();
    let series = series.map(|(rank, agent)| {
        let dots = agent.by_space.iter().filter_map(|row| {
            let found = unit.with_interval(quantity(row));
            let about = format!("{}, space {}: {found} {name}", agent.agent, row.space);
            Dot::of(row.space.into(), quantity(row), about)
        });
        Series::new(agent.agent.clone(), rank, SeriesMark::Line, dots)
    });
    let series: Vec<Series> = series.filter(|series| !series.dots.is_empty()).collect();
    let dots = series.iter().flat_map(|series| &series.dots);
    let most = dots.flat_map(|dot| [Some(dot.y), dot.high]).flatten();
    let top = match unit {
        Unit::Share => 1.0,
        _ => 1.06 * most.fold(1.0, f64::max),
    };
    Figure {
        about: format!("{name} of each agent by space"),
        x: PlotAxis::new("space", Unit::Whole, 0.0..54.0),
        y: PlotAxis::new(name, unit, 0.0..top),
        series,
        caption: match agents.len() > MAX_DRAWN {
            true => format!("The first {MAX_DRAWN} of {} agents.", agents.len()),
            false => String::new(),
        },
        ..Figure::default()
    }
}

/// The share of games in which an agent covered each square early.
fn map(agent: &AgentEconomy) -> Grid<'_> {
    let firsts = first_three(agent);
    Grid {
        title: format!("Squares that {} covers early", agent.agent),
        about: format!(
            "Share of its games in which it had covered the square before its token passed space {EARLY_SPACE}, in percent. Its most frequent \
             first purchases: {firsts}."
        ),
        corner: "row",
        rows: (1..=SIDE).map(|row| Cow::Owned(row.to_string())).collect(),
        columns: Some(
            ('a'..='i')
                .map(|column| Cow::Owned(column.to_string()))
                .collect(),
        ),
        cell: Box::new(move |row, column| {
            let share = agent.covered_early.get(SIDE * row + column).copied()??;
            Some(GridCell {
                share,
                text: Some(format!("{:.0}", 100.0 * share)),
                about: format!(
                    "covered in {} of {}",
                    percent(share),
                    counted(agent.games, "game")
                ),
            })
        }),
        in_text: false,
    }
}

/// The patches that an agent buys first most often, with their shares.
fn first_three(agent: &AgentEconomy) -> String {
    let mut firsts: Vec<(u64, u32)> = agent.first_purchases.iter().copied().zip(1..).collect();
    firsts.sort_by_key(|&(games, patch)| (std::cmp::Reverse(games), patch));
    let named = firsts
        .iter()
        .take(MAX_FIRST)
        .filter(|(games, _)| *games > 0);
    let named = named.map(|&(games, patch)| {
        format!(
            "patch {patch} in {}",
            percent(games as f64 / agent.games as f64)
        )
    });
    let named: Vec<String> = named.collect();
    match named.is_empty() {
        true => "none".to_owned(),
        false => named.join(", "),
    }
}

fn first_purchases(agents: &[AgentEconomy]) -> TableOf<'_, (&AgentEconomy, u32, u64)> {
    let rows = agents.iter().flat_map(|agent| {
        let patches = agent.first_purchases.iter().zip(1..);
        patches.map(move |(&games, patch)| (agent, patch, games))
    });
    let rows: Vec<_> = rows.filter(|&(.., games)| games > 0).collect();
    TableOf::new(rows.len(), move |i| rows[i])
        .csv(FIRST_PURCHASES)
        .place(Place::Data)
        .column("agent", "", Unit::Name, |row| &*row.0.agent)
        .column("patch", "", Unit::Count, |row| row.1)
        .column("games", "", Unit::Count, |row| row.2)
        .column("share", "", Unit::Share, |row| {
            row.2 as f64 / row.0.games as f64
        })
}

fn covered(agents: &[AgentEconomy]) -> TableOf<'_, (&str, usize, Option<f64>)> {
    let rows = agents.iter().flat_map(|agent| {
        let squares = agent.covered_early.iter().enumerate();
        squares.map(|(square, &share)| (&*agent.agent, square, share))
    });
    let rows: Vec<_> = rows.collect();
    TableOf::new(rows.len(), move |i| rows[i])
        .csv(COVERED)
        .place(Place::Data)
        .column("agent", "", Unit::Name, |row| row.0)
        .column("row", "", Unit::Count, |row| row.1 / SIDE + 1)
        .column("column", "", Unit::Count, |row| row.1 % SIDE + 1)
        .column("share", "", Unit::Share, |row| row.2)
}
