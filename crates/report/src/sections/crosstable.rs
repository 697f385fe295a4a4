//! All agents against each other.

use std::borrow::Cow;
use std::collections::HashMap;

use patchwork_rating::Estimate;
use patchwork_rating::sprt::score_of_elo;

use super::TournamentReport;
use crate::document::{Block, CsvTable, Grid, GridCell, ReportSection, Unit};
use patchwork_tournament::stats::Summary;

pub(super) const TABLES: &[CsvTable] = &[];

/// Maximum number of agents in a crosstable; a larger one would be unreadable.
const MAX_CROSSED: usize = 30;

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let summary = &report.summary;
    let agents = &summary.ratings;
    let section = ReportSection::new("crosstable", "Crosstable");
    if agents.len() < 3 {
        return section;
    }
    let names: Vec<&str> = (agents.iter().take(MAX_CROSSED))
        .map(|row| &*row.agent)
        .collect();
    let grid = |title: &str, about: &str, cell: PairCell<'a>, in_text| {
        let names = names.clone();
        Block::Grid(Grid {
            title: title.to_owned(),
            about: about.to_owned(),
            corner: "agent",
            rows: names.iter().copied().map(Cow::Borrowed).collect(),
            columns: None,
            cell: Box::new(move |i, j| cell(names[i], names[j])),
            in_text,
        })
    };
    let mut section = section.block(grid(
        "Games won, in %",
        "Games won by the agent of the row, in %; the CSV table 'pairings' has intervals.",
        won(summary),
        true,
    ));
    // After sequential tests, the differences of ratings are too far from 0.
    if !summary.comparisons.is_empty() && report.header.sprt.is_none() {
        section = section
            .block(grid(
                "LOS, in %",
                "Likelihood that the row's agent is stronger than the column's, in percent.",
                superiority(summary),
                false,
            ))
            .block(grid(
                "Differences in Elo",
                "The Elo of the agent of the row minus that of the column. Colours show the expected score; point at a cell for \
                 its interval.",
                differences(summary),
                false,
            ));
    }
    let left_out = agents.len().saturating_sub(MAX_CROSSED);
    section.notes((left_out > 0).then(|| {
        format!("The first {MAX_CROSSED} of {} agents; the CSV tables 'pairings' and 'comparisons' have all.", agents.len())
    }))
}

/// The cell of an agent and its opponent.
type PairCell<'a> = Box<dyn Fn(&str, &str) -> Option<GridCell> + 'a>;

/// The share of the games between two agents that the first one won.
fn won(summary: &Summary) -> PairCell<'_> {
    let mut met: HashMap<(&str, &str), (u64, u64)> = HashMap::new();
    for pairing in &summary.pairings {
        let sides = [
            (&pairing.a, &pairing.b, pairing.a_wins),
            (&pairing.b, &pairing.a, pairing.b_wins),
        ];
        for (agent, opponent, wins) in sides {
            let sum = met.entry((agent, opponent)).or_default();
            *sum = (sum.0 + wins, sum.1 + pairing.games);
        }
    }
    Box::new(move |agent, opponent| {
        let &(wins, games) = met
            .get(&(agent, opponent))
            .filter(|(_, games)| *games > 0)?;
        Some(GridCell {
            share: wins as f64 / games as f64,
            text: None,
            about: format!("{agent} won {wins} of {games} against {opponent}"),
        })
    })
}

/// The likelihood that one agent is stronger than another, and their difference in Elo, by the names of
/// both.
type Compared<'a> = HashMap<(&'a str, &'a str), (Option<f64>, Estimate)>;

fn compared(summary: &Summary) -> Compared<'_> {
    let mut known = Compared::new();
    for pair in &summary.comparisons {
        known.insert((&pair.a, &pair.b), (pair.los, pair.elo));
        let los = pair.los.map(|los| 1.0 - los);
        known.insert((&pair.b, &pair.a), (los, pair.elo.negated()));
    }
    known
}

fn about(agent: &str, opponent: &str, elo: Estimate) -> String {
    format!("{agent} minus {opponent}: {}", Unit::Elo.with_interval(elo))
}

/// The likelihood that one agent is stronger than another.
fn superiority(summary: &Summary) -> PairCell<'_> {
    let known = compared(summary);
    Box::new(move |agent, opponent| {
        let &(los, elo) = known.get(&(agent, opponent))?;
        let share = los?;
        let text = Unit::Chance.number(share);
        Some(GridCell {
            share,
            text: Some(text.trim_end_matches('%').to_owned()),
            about: about(agent, opponent, elo),
        })
    })
}

/// The difference of two agents in Elo.
fn differences(summary: &Summary) -> PairCell<'_> {
    let known = compared(summary);
    Box::new(move |agent, opponent| {
        let &(_, elo) = known.get(&(agent, opponent))?;
        let value = elo.value?;
        Some(GridCell {
            share: score_of_elo(value),
            text: Some(Unit::Elo.number(value)),
            about: about(agent, opponent, elo),
        })
    })
}
