//! Branching, length and game tree: of all games, by agent, by pairing.

use super::TournamentReport;
use crate::document::{Bar, CsvTable, Place, ReportSection, TableCell, TableOf, Unit};
use patchwork_tournament::stats::{AgentGameSize, GameSize, GameSizes, REPLAYED_PAIRS, SizeSpread};

pub(super) const TABLES: &[CsvTable] = &[SIZES, DISTRIBUTIONS, BRANCHING];
const SIZES: CsvTable = CsvTable::new(
    "sizes",
    "Branching, length and game tree: of all games, by agent, by pairing",
);
const DISTRIBUTIONS: CsvTable = CsvTable::new(
    "distributions",
    "How often each agent had each number of legal actions, and games of each length",
);
const BRANCHING: CsvTable =
    CsvTable::new("branching-by-agent", "Legal actions of each agent by ply");

/// The size of some of the games: of all, of an agent, or of a pairing.
#[derive(Clone, Copy)]
struct SizeRow<'a> {
    by: &'static str,
    a: &'a str,
    b: &'a str,
    size: &'a GameSize,
}

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let sizes = &report.summary.sizes;
    ReportSection::new("sizes", "Branching and length by agent and pairing")
        .table(table(sizes))
        .note(format!(
            "The bars are from the least value to the 90% quantile of single plies and games, with the quartiles and the median; the tree is the mean sum of the decimal logarithms of \
             the numbers of legal actions in a game. The paper's count is that of the placements of the last patch on offer, over plies \
             with an offer, in the first {REPLAYED_PAIRS} pairs of each pairing. The numbers of all games describe the mix of agents that played.",
        ))
        .table(distributions(&sizes.agents))
        .table(branching(&sizes.agents))
        .data_only(report.all_faulted())
}

fn table(sizes: &GameSizes) -> TableOf<'_, SizeRow<'_>> {
    let agents = sizes.agents.iter();
    let pairings = sizes.pairings.iter();
    let row = |by, a, b, size| SizeRow { by, a, b, size };
    let rows: Vec<SizeRow<'_>> = [row("all", "", "", &sizes.pooled)]
        .into_iter()
        .chain(agents.map(|of| row("agent", &of.agent, "", &of.size)))
        .chain(pairings.map(|of| row("pairing", &of.a, &of.b, &of.size)))
        .collect();
    let listed = 0..=sizes.agents.len();
    let table = TableOf::new(rows.len(), move |i| rows[i])
        .csv(SIZES)
        .listed(listed)
        .listing("all games and those of each agent")
        .column("by", "", Unit::Text, |row| row.by)
        .priority(4)
        .column("a", "", Unit::Name, |row| row.a)
        .column("", "agent", Unit::Name, |row| match row.by {
            "all" => "all agents".into(),
            _ => TableCell::Name(row.a, false),
        })
        .column("b", "", Unit::Name, |row| row.b)
        .priority(5)
        .column("games", "games", Unit::Count, |row| row.size.games)
        .priority(3)
        .estimate("branching_mean", "legal actions", Unit::OneDecimal, |row| {
            row.size.branching.mean
        })
        .main()
        .column("", "quantiles of legal actions", Unit::Spread, |row| {
            spread(&row.size.branching)
        })
        .bar(Bar::Around);
    let keys = [
        "branching_p25",
        "branching_p50",
        "branching_p75",
        "branching_p90",
    ];
    let table = quantiles(table, keys, |row| &row.size.branching)
        .estimate("length_mean", "plies", Unit::OneDecimal, |row| {
            row.size.length.mean
        })
        .column("", "quantiles of plies", Unit::Spread, |row| {
            spread(&row.size.length)
        })
        .bar(Bar::Around);
    let keys = ["length_p25", "length_p50", "length_p75", "length_p90"];
    quantiles(table, keys, |row| &row.size.length)
        .estimate("papers", "paper's count", Unit::OneDecimal, |row| {
            row.size.papers
        })
        .priority(2)
        .estimate("tree", "log10 tree", Unit::OneDecimal, |row| row.size.tree)
        .priority(1)
}

/// Adds the columns of the quantiles of a spread.
fn quantiles<'a>(
    table: TableOf<'a, SizeRow<'a>>,
    [p25, p50, p75, p90]: [&'static str; 4],
    of: fn(&SizeRow<'a>) -> &'a SizeSpread,
) -> TableOf<'a, SizeRow<'a>> {
    table
        .column(p25, "", Unit::Whole, move |row| of(row).p25)
        .priority(6)
        .column(p50, "median", Unit::Whole, move |row| of(row).p50)
        .priority(2)
        .column(p75, "", Unit::Whole, move |row| of(row).p75)
        .priority(6)
        .column(p90, "", Unit::Whole, move |row| of(row).p90)
        .priority(7)
}

/// The quantiles as a bar shows them, up to 90%: hardly any decisions have very many actions.
fn spread(of: &SizeSpread) -> TableCell<'static> {
    let quantiles = || Some([of.min? as f64, of.p25?, of.p50?, of.p75?, of.p90?]);
    TableCell::Spread(quantiles())
}

/// A bin of a distribution of an agent.
#[derive(Clone, Copy)]
struct BinRow<'a> {
    agent: &'a str,
    of: &'static str,
    from: u64,
    to: u64,
    count: u64,
}

fn distributions(agents: &[AgentGameSize]) -> TableOf<'_, BinRow<'_>> {
    let mut rows: Vec<BinRow<'_>> = Vec::new();
    for row in agents {
        let shortest = row.size.length.min.unwrap_or(0);
        let tens = ("branching", 0, 10, &row.branching_tens);
        for (of, first, width, counts) in [tens, ("length", shortest, 1, &row.games_by_length)] {
            let bins = (0..).map(|i| first + width * i).zip(counts);
            rows.extend(bins.map(|(from, &count)| BinRow {
                agent: &row.agent,
                of,
                from,
                to: from + width - 1,
                count,
            }));
        }
    }
    TableOf::new(rows.len(), move |i| rows[i])
        .csv(DISTRIBUTIONS)
        .place(Place::Data)
        .column("agent", "", Unit::Name, |row| row.agent)
        .column("of", "", Unit::Text, |row| row.of)
        .column("from", "", Unit::Count, |row| row.from)
        .column("to", "", Unit::Count, |row| row.to)
        .column("count", "", Unit::Count, |row| row.count)
}

fn branching(agents: &[AgentGameSize]) -> TableOf<'_, (&str, u32, f64)> {
    let rows = agents.iter().flat_map(|row| {
        let plies = (1..).zip(&row.branching_by_ply);
        plies.filter_map(|(ply, mean)| Some((&*row.agent, ply, (*mean)?)))
    });
    let rows: Vec<(&str, u32, f64)> = rows.collect();
    TableOf::new(rows.len(), move |i| rows[i])
        .csv(BRANCHING)
        .place(Place::Data)
        .column("agent", "", Unit::Name, |row| row.0)
        .column("ply", "", Unit::Count, |row| row.1)
        .column("mean_legal", "", Unit::OneDecimal, |row| row.2)
}
