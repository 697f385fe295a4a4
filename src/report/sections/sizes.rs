//! Branching, length and game tree: of all games, by agent, by pairing.

use super::Findings;
use crate::report::document::{
    CsvTable, Dot, Figure, FigureSize, Place, PlotAxis, ReportSection, Series, SeriesMark, TableOf,
    Unit,
};
use crate::report::numbers::counted;
use crate::stats::{AgentGameSize, GameSize, GameSizes};

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

/// A row: the size of some of the games.
type SizeRow<'a> = (&'static str, &'a str, &'a str, &'a GameSize);

pub(super) fn section<'a>(findings: &'a Findings<'a>) -> ReportSection<'a> {
    let sizes = &findings.summary.sizes;
    ReportSection::new("sizes", "Branching and length by agent and pairing")
        .figure(|| figure(&LEGAL_ACTIONS, &sizes.agents))
        .figure(|| figure(&LENGTH, &sizes.agents))
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

/// Maximum number of curves in a figure: the agents with the highest ratings.
const MOST_CURVES: usize = 12;

/// The quantity that the curves of a figure count.
struct Counted {
    about: &'static str,
    /// The name of the horizontal axis.
    x: &'static str,
    /// Width of a bin.
    width: u64,
    /// What a bin contains, in the singular.
    unit: &'static str,
    /// The first value, and how often each bin occurs.
    bins: fn(&AgentGameSize) -> (u64, &[u64]),
}

const LEGAL_ACTIONS: Counted = Counted {
    about: "Share of the decisions of each agent by the number of legal actions",
    x: "legal actions",
    width: 10,
    unit: "decision",
    bins: |row| (0, &row.branching_tens),
};

const LENGTH: Counted = Counted {
    about: "Share of the games of each agent by their length",
    x: "plies in a game",
    width: 1,
    unit: "game",
    bins: |row| (row.size.length.min.unwrap_or(0), &row.games_by_length),
};

fn figure(of: &Counted, agents: &[AgentGameSize]) -> Figure {
    let curve = |(rank, row): (usize, &AgentGameSize)| {
        let (first, counts) = (of.bins)(row);
        let all = counts.iter().sum::<u64>().max(1);
        let dots = (0..).zip(counts).map(|(i, &count)| {
            let from = first + of.width * i;
            let to = from + of.width - 1;
            let range = if from == to {
                from.to_string()
            } else {
                format!("{from} to {to}")
            };
            let share = count as f64 / all as f64;
            Dot {
                x: (from + to) as f64 / 2.0,
                y: share,
                about: format!(
                    "{}, {range} {}: {} ({})",
                    row.agent,
                    of.x,
                    counted(count, of.unit),
                    Unit::Share.number(share)
                ),
                ..Dot::default()
            }
        });
        Series {
            name: row.agent.clone(),
            colour: rank,
            mark: SeriesMark::Line,
            dots: dots.collect(),
        }
    };
    let series: Vec<Series> = (agents.iter().enumerate().take(MOST_CURVES))
        .map(curve)
        .collect();
    let dots = || series.iter().flat_map(|series| &series.dots);
    let [left, right] = [f64::min, f64::max].map(|end| dots().map(|dot| dot.x).reduce(end));
    let most = dots().map(|dot| dot.y).fold(0.01, f64::max);
    Figure {
        title: String::new(),
        about: of.about.to_owned(),
        size: FigureSize::Wide,
        x: PlotAxis {
            name: of.x,
            unit: Unit::Whole,
            range: left.unwrap_or(0.0)..right.unwrap_or(1.0) + 1.0,
        },
        y: PlotAxis {
            name: of.unit,
            unit: Unit::Share,
            range: 0.0..1.06 * most,
        },
        series,
        diagonal: false,
        labels: Vec::new(),
        caption: if agents.len() > MOST_CURVES {
            format!(
                "The {MOST_CURVES} agents with the highest ratings of {}.",
                agents.len()
            )
        } else {
            String::new()
        },
    }
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
