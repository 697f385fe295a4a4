//! Branching, length and game tree: of all games, by agent, by pairing.

use super::TournamentReport;
use crate::document::{Bar, CsvTable, ReportSection, ReportTable, TableCell, Unit};
use patchwork_tournament::stats::GameSizeOf;
use patchwork_tournament::stats::statistics::{LEGAL, LEGAL_SD, PAPERS, PLIES, PLIES_SD, TREE};

pub(super) const TABLES: &[CsvTable] = &[SIZES];
const SIZES: CsvTable = CsvTable::new(
    "sizes",
    "Branching, length and game tree: of all games, by agent, by pairing",
);

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let sizes = &report.summary.sizes;
    let of_pairings = sizes
        .iter()
        .filter(|row| row.by == GameSizeOf::Pairing)
        .count();
    let table = ReportTable::of(sizes)
        .csv(SIZES)
        .listed(0..sizes.len() - of_pairings)
        .unlisted("pairings")
        .column("by", "", Unit::Text, |row| row.by.name())
        .priority(4)
        .column("a", "", Unit::Name, |row| &*row.a)
        .column("", "agent", Unit::Name, |row| match row.by {
            GameSizeOf::All => "all agents".into(),
            _ => TableCell::Name(&row.a, false),
        })
        .column("b", "", Unit::Name, |row| &*row.b)
        .priority(5)
        .column("", "opponent", Unit::Name, |row| match row.by {
            GameSizeOf::Pairing => TableCell::Name(&row.b, false),
            _ => "".into(),
        })
        .column("games", "games", Unit::Count, |row| row.games)
        .priority(3)
        .estimate("legal", "legal", Unit::OneDecimal, |row| row.legal)
        .explained(LEGAL)
        .main()
        .bar(Bar::Around)
        .column("legal_sd", "sd of actions", Unit::OneDecimal, |row| {
            row.legal_sd
        })
        .statistic(LEGAL_SD)
        .priority(2)
        .estimate("plies", "plies", Unit::OneDecimal, |row| row.plies)
        .statistic(PLIES)
        .bar(Bar::Around)
        .column("plies_sd", "sd of plies", Unit::OneDecimal, |row| {
            row.plies_sd
        })
        .statistic(PLIES_SD)
        .priority(2)
        .column("plies_min", "", Unit::Count, |row| {
            row.plies_min.map(|plies| plies as f64)
        })
        .column("plies_max", "", Unit::Count, |row| {
            row.plies_max.map(|plies| plies as f64)
        })
        .estimate("papers", "Lagerkvist's count", Unit::OneDecimal, |row| {
            row.papers
        })
        .explained(PAPERS)
        .priority(2)
        .column("papers_games", "in games", Unit::Count, |row| {
            row.papers_games
        })
        .priority(2)
        .estimate("tree", "log10 tree", Unit::OneDecimal, |row| row.tree)
        .explained(TREE)
        .priority(1);
    let range = sizes.first().and_then(|all| {
        let (min, max, sd) = (all.plies_min?, all.plies_max?, all.plies_sd?);
        Some(format!(
            "Games take {min} to {max} plies, with a standard deviation of {sd:.1}."
        ))
    });
    ReportSection::new("sizes", "Branching and length by agent and pairing")
        .table(table)
        .notes(range)
        .data_only(report.all_faulted())
}
