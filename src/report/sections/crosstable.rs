//! All agents against each other.

use std::collections::HashMap;

use super::Findings;
use crate::rating::Estimate;
use crate::report::document::{Block, CsvTable, Grid, GridCell, ReportSection, Unit};
use crate::stats::Summary;

pub(super) const TABLES: &[CsvTable] = &[];

/// Maximum number of agents in a crosstable; a larger one would be unreadable.
const MOST_CROSSED: usize = 30;

pub(super) fn section<'a>(findings: &'a Findings<'a>) -> ReportSection<'a> {
    let summary = findings.summary;
    let agents = &summary.ratings;
    let section = ReportSection::new("crosstable", "Crosstable");
    if agents.len() < 3 {
        return section;
    }
    let names: Vec<&str> = (agents.iter().take(MOST_CROSSED))
        .map(|row| &*row.agent)
        .collect();
    let mut section = section.block(Block::Grid(Grid {
        title: "Games won, in %".to_owned(),
        about: "Of the games between two agents, those that the agent of the row won, in percent; columns are numbered as rows."
            .to_owned(),
        corner: "agent",
        rows: names.clone(),
        columns: None,
        cell: won(summary, names.clone()),
        in_text: true,
    }));
    if !summary.comparisons.is_empty() {
        section = section.block(Block::Grid(Grid {
            title: "How certain it is who is stronger, in %".to_owned(),
            about:
                "The likelihood that the agent of the row is stronger, given all games, in percent."
                    .to_owned(),
            corner: "agent",
            rows: names.clone(),
            columns: None,
            cell: superiority(summary, names),
            in_text: false,
        }));
    }
    let left_out = agents.len().saturating_sub(MOST_CROSSED);
    section.notes((left_out > 0).then(|| {
        format!("The first {MOST_CROSSED} of {} agents; the CSV tables 'pairings' and 'comparisons' have all.", agents.len())
    }))
}

type GridCells<'a> = Box<dyn Fn(usize, usize) -> Option<GridCell> + 'a>;

/// The share of the games between two agents that the first one won.
fn won<'a>(summary: &'a Summary, names: Vec<&'a str>) -> GridCells<'a> {
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
    Box::new(move |i, j| {
        let (agent, opponent) = (names[i], names[j]);
        let &(wins, games) = met
            .get(&(agent, opponent))
            .filter(|(_, games)| *games > 0)?;
        Some(GridCell {
            share: wins as f64 / games as f64,
            about: format!("{agent} won {wins} of {games} against {opponent}"),
        })
    })
}

/// The likelihood that one agent is stronger than another.
fn superiority<'a>(summary: &'a Summary, names: Vec<&'a str>) -> GridCells<'a> {
    let mut known: HashMap<(&str, &str), (f64, Estimate)> = HashMap::new();
    for pair in &summary.comparisons {
        if let Some(los) = pair.los {
            let turned = pair.elo.scaled(-1.0);
            let turned = Estimate {
                low: turned.high,
                high: turned.low,
                ..turned
            };
            known.insert((&pair.a, &pair.b), (los, pair.elo));
            known.insert((&pair.b, &pair.a), (1.0 - los, turned));
        }
    }
    Box::new(move |i, j| {
        let (agent, opponent) = (names[i], names[j]);
        let &(share, elo) = known.get(&(agent, opponent))?;
        let elo = Unit::Elo.with_interval(elo);
        Some(GridCell {
            share,
            about: format!("{agent} is {elo} from {opponent}"),
        })
    })
}
