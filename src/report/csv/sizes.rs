//! Rows of branching, length and game tree.

use std::io;

use serde::Serialize;

use super::rows::Source;
use super::writer::CsvWriter;
use crate::stats::GameSize;

/// The size of some games.
#[derive(Serialize)]
struct SizeRow<'a> {
    by: &'static str,
    a: Option<&'a str>,
    b: Option<&'a str>,
    #[serde(flatten)]
    size: &'a GameSize,
}

pub(super) fn sizes(from: &Source<'_>, out: &mut CsvWriter<'_>) -> io::Result<()> {
    let sizes = &from.summary.sizes;
    out.rows([SizeRow {
        by: "all",
        a: None,
        b: None,
        size: &sizes.pooled,
    }])?;
    out.rows(sizes.agents.iter().map(|row| SizeRow {
        by: "agent",
        a: Some(&row.agent),
        b: None,
        size: &row.size,
    }))?;
    out.rows(sizes.pairings.iter().map(|row| SizeRow {
        by: "pairing",
        a: Some(&row.a),
        b: Some(&row.b),
        size: &row.size,
    }))
}

/// A bin of a distribution.
#[derive(Serialize)]
struct DistributionRow<'a> {
    agent: &'a str,
    of: &'static str,
    from: u64,
    to: u64,
    count: u64,
}

pub(super) fn distributions(from: &Source<'_>, out: &mut CsvWriter<'_>) -> io::Result<()> {
    for row in &from.summary.sizes.agents {
        let bins = |of, first: u64, width: u64, counts: &[u64]| -> Vec<DistributionRow<'_>> {
            let starts = (0..).map(|i| first + width * i);
            let bins = starts.zip(counts);
            bins.map(|(from, &count)| DistributionRow {
                agent: &row.agent,
                of,
                from,
                to: from + width - 1,
                count,
            })
            .collect()
        };
        out.rows(bins("branching", 0, 10, &row.branching_tens))?;
        let shortest = row.size.length.min.unwrap_or(0);
        out.rows(bins("length", shortest, 1, &row.games_by_length))?;
    }
    Ok(())
}

/// An agent's legal actions at a ply.
#[derive(Serialize)]
struct AgentPlyRow<'a> {
    agent: &'a str,
    ply: usize,
    mean_legal: f64,
}

pub(super) fn branching_by_agent(from: &Source<'_>, out: &mut CsvWriter<'_>) -> io::Result<()> {
    for row in &from.summary.sizes.agents {
        let plies = row.branching_by_ply.iter().enumerate();
        out.rows(plies.filter_map(|(ply, mean)| {
            Some(AgentPlyRow {
                agent: &row.agent,
                ply,
                mean_legal: (*mean)?,
            })
        }))?;
    }
    Ok(())
}
