//! The agents: the descriptions in their files, and the settings with which the games can be replayed.

use std::collections::BTreeMap;

use super::TournamentReport;
use crate::document::{Block, CsvTable, ReportSection};
use crate::header::PlayedAgent;

pub(super) const TABLES: &[CsvTable] = &[];

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let agents = &report.header.agents;
    let section = ReportSection::new("settings", "Settings");
    if agents.is_empty() {
        return section;
    }
    // Of each type, the settings that all its agents have, and the number of agents.
    let mut common: BTreeMap<String, (Vec<String>, usize)> = BTreeMap::new();
    let settings: Vec<Vec<String>> = agents.iter().map(PlayedAgent::lines).collect();
    for lines in &settings {
        let new = || (lines[1..].to_vec(), 0);
        let (shared, count) = common.entry(lines[0].clone()).or_insert_with(new);
        shared.retain(|line| lines.contains(line));
        *count += 1;
    }
    common.retain(|_, (shared, count)| *count > 1 && !shared.is_empty());
    let is_own = |lines: &[String], line: &String| {
        let shared = common.get(&lines[0]);
        !shared.is_some_and(|(shared, _)| shared.contains(line))
    };
    let own = agents.iter().zip(&settings).map(|(row, lines)| {
        let own = lines.iter().filter(|line| is_own(lines, line));
        let own: Vec<&str> = own.map(String::as_str).collect();
        (row.agent.as_str().into(), &*row.description, own.join(", "))
    });
    let own: Vec<_> = own.collect();
    let shared = common.into_iter().map(|(kind, (shared, _))| {
        (
            format!("all agents of {kind}").into(),
            "",
            shared.join(", "),
        )
    });
    section
        .note("All settings that apply to an agent are listed, defaults included; those that all agents of a type share are \
            listed once.")
        .block(Block::Definitions(shared.chain(own).collect()))
}
