//! Branching, length and game tree: of all games, by agent, by pairing.

use super::Findings;
use crate::report::document::{CsvTable, Place, ReportSection, TableOf, Unit};
use crate::stats::{AgentGameSize, GameSize, GameSizes};

pub(super) const TABLES: &[CsvTable] = &[SIZES, DISTRIBUTIONS, BRANCHING];
const SIZES: CsvTable = CsvTable::new(
    "sizes",
    "Branching, length and game tree: of all games, by agent, by pairing",
);
const DISTRIBUTIONS: CsvTable = CsvTable::new(
    "distributions",
    "How often each agent had so many legal actions and games of such a length",
);
const BRANCHING: CsvTable =
    CsvTable::new("branching-by-agent", "Legal actions of each agent by ply");

/// The size of some games.
type SizeRow<'a> = (&'static str, &'a str, &'a str, &'a GameSize);

pub(super) fn section<'a>(findings: &'a Findings<'a>) -> ReportSection<'a> {
    let sizes = &findings.summary.sizes;
    ReportSection::new("sizes", "Branching and length by agent and pairing")
        .table(table(sizes))
        .note(
            "Quartiles and the 90% quantile are of single plies and games; the tree is the mean sum of the decimal logarithms of \
             the numbers of legal actions in a game. The numbers of all games describe the mix of agents that played.",
        )
        .table(distributions(&sizes.agents))
        .table(branching(&sizes.agents))
}

fn table(sizes: &GameSizes) -> TableOf<'_, SizeRow<'_>> {
    let agents = sizes.agents.iter();
    let pairings = sizes.pairings.iter();
    let rows: Vec<SizeRow<'_>> = [("all", "", "", &sizes.pooled)]
        .into_iter()
        .chain(agents.map(|row| ("agent", &*row.agent, "", &row.size)))
        .chain(pairings.map(|row| ("pairing", &*row.a, &*row.b, &row.size)))
        .collect();
    let listed = 0..=sizes.agents.len();
    TableOf::new(rows.len(), move |i| rows[i])
        .csv(SIZES)
        .listed(listed)
        .column("by", "of", Unit::Text, |row| row.0)
        .priority(4)
        .column("a", "agent", Unit::Name, |row| row.1)
        .column("b", "opponent", Unit::Name, |row| row.2)
        .priority(5)
        .column("games", "games", Unit::Count, |row| row.3.games)
        .priority(3)
        .estimate(
            "branching_mean branching_low branching_high",
            "legal actions",
            Unit::One,
            |row| row.3.branching.mean,
        )
        .main()
        .column("branching_p25", "25%", Unit::Whole, |row| {
            row.3.branching.p25
        })
        .priority(6)
        .column("branching_p50", "median", Unit::Whole, |row| {
            row.3.branching.p50
        })
        .priority(2)
        .column("branching_p75", "75%", Unit::Whole, |row| {
            row.3.branching.p75
        })
        .priority(6)
        .column("branching_p90", "90%", Unit::Whole, |row| {
            row.3.branching.p90
        })
        .priority(7)
        .estimate(
            "length_mean length_low length_high",
            "plies",
            Unit::One,
            |row| row.3.length.mean,
        )
        .column("length_p25", "25%", Unit::Whole, |row| row.3.length.p25)
        .priority(6)
        .column("length_p50", "median", Unit::Whole, |row| row.3.length.p50)
        .priority(2)
        .column("length_p75", "75%", Unit::Whole, |row| row.3.length.p75)
        .priority(6)
        .column("length_p90", "90%", Unit::Whole, |row| row.3.length.p90)
        .priority(7)
        .estimate(
            "tree_mean tree_low tree_high",
            "log10 tree",
            Unit::One,
            |row| row.3.tree,
        )
        .priority(1)
}

/// A bin: the agent, what is counted, the ends and the count.
type BinRow<'a> = (&'a str, &'static str, u64, u64, u64);

fn distributions(agents: &[AgentGameSize]) -> TableOf<'_, BinRow<'_>> {
    let mut rows: Vec<BinRow<'_>> = Vec::new();
    for row in agents {
        let shortest = row.size.length.min.unwrap_or(0);
        let tens = ("branching", 0, 10, &row.branching_tens);
        for (of, first, width, counts) in [tens, ("length", shortest, 1, &row.games_by_length)] {
            let bins = (0..).map(|i| first + width * i).zip(counts);
            rows.extend(
                bins.map(|(from, &count)| (&*row.agent, of, from, from + width - 1, count)),
            );
        }
    }
    TableOf::new(rows.len(), move |i| rows[i])
        .csv(DISTRIBUTIONS)
        .place(Place::Data)
        .column("agent", "", Unit::Name, |row| row.0)
        .column("of", "", Unit::Text, |row| row.1)
        .column("from", "", Unit::Count, |row| row.2)
        .column("to", "", Unit::Count, |row| row.3)
        .column("count", "", Unit::Count, |row| row.4)
}

fn branching(agents: &[AgentGameSize]) -> TableOf<'_, (&str, usize, f64)> {
    let rows = agents.iter().flat_map(|row| {
        let plies = row.branching_by_ply.iter().enumerate();
        plies.filter_map(|(ply, mean)| Some((&*row.agent, ply, (*mean)?)))
    });
    let rows: Vec<(&str, usize, f64)> = rows.collect();
    TableOf::new(rows.len(), move |i| rows[i])
        .csv(BRANCHING)
        .place(Place::Data)
        .column("agent", "", Unit::Name, |row| row.0)
        .column("ply", "", Unit::Count, |row| row.1)
        .column("mean_legal", "", Unit::One, |row| row.2)
}
