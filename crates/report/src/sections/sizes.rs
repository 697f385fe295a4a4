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
        .listing("all games and those of each agent")
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
        .estimate("legal", "legal actions", Unit::OneDecimal, |row| row.legal)
        .statistic(LEGAL)
        .main()
        .bar(Bar::Around)
        .about("Legal actions are those of an agent's own plies; those of all games describe the mix of agents that played.")
        .column("legal_sd", "sd of actions", Unit::OneDecimal, |row| row.legal_sd)
        .statistic(LEGAL_SD)
        .priority(2)
        .estimate("plies", "plies", Unit::OneDecimal, |row| row.plies)
        .statistic(PLIES)
        .bar(Bar::Around)
        .about("Plies are those of both players.")
        .column("plies_sd", "sd of plies", Unit::OneDecimal, |row| row.plies_sd)
        .statistic(PLIES_SD)
        .priority(2)
        .column("plies_min", "", Unit::Count, |row| {
            row.plies_min.map(|plies| plies as f64)
        })
        .column("plies_max", "", Unit::Count, |row| {
            row.plies_max.map(|plies| plies as f64)
        })
        .estimate("papers", "paper's count", Unit::OneDecimal, |row| {
            row.papers
        })
        .statistic(PAPERS)
        .priority(2)
        .about(
            "The paper's count is that of the placements of the last patch on offer, payable or not, over plies with an offer, in the \
             games of every k-th pair, at most 20,000 pairs.",
        )
        .column("papers_games", "in games", Unit::Count, |row| row.papers_games)
        .priority(2)
        .estimate("tree", "log10 tree", Unit::OneDecimal, |row| row.tree)
        .about("The tree is the mean sum of the decimal logarithms of the numbers of legal actions in a game.")
        .statistic(TREE)
        .priority(1);
    ReportSection::new("sizes", "Branching and length by agent and pairing")
        .table(table)
        .data_only(report.all_faulted())
}
