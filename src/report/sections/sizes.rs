//! Branching, length and game tree: of all games, by agent, by pairing.

use super::TournamentReport;
use crate::document::{
    CsvTable, Dot, Figure, FigureSize, Place, PlotAxis, ReportSection, Series, SeriesMark,
    TableCell, TableOf, Unit, counted,
};
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
        .figure(|| {
            let y = "decisions with at least so many legal actions";
            Figure {
                about: "Share of the decisions of each agent with at least so many legal actions".to_owned(),
                ..figure(["legal actions", y], &sizes.agents, at_least)
            }
        })
        .figure(|| Figure {
            about: "Share of the games of each agent by their length".to_owned(),
            ..figure(["plies in a game", "games"], &sizes.agents, by_length)
        })
        .table(table(sizes))
        .note(
            "Quartiles and the 90% quantile are of single plies and games; the tree is the mean sum of the decimal logarithms of \
             the numbers of legal actions in a game. The numbers of all games describe the mix of agents that played.",
        )
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
    TableOf::new(rows.len(), move |i| rows[i])
        .csv(SIZES)
        .listed(listed)
        .listing("all games and those of each agent")
        .column("by", "of", Unit::Text, |row| row.by)
        .priority(4)
        .column("a", "", Unit::Name, |row| row.a)
        .column("", "agent", Unit::Name, |row| match row.by {
            "all" => "all agents".into(),
            _ => TableCell::Name(row.a, false),
        })
        .name("b", "opponent", |row| (row.b, false))
        .priority(5)
        .column("games", "games", Unit::Count, |row| row.size.games)
        .priority(3)
        .estimate(
            "branching_mean branching_low branching_high",
            "legal actions",
            Unit::One,
            |row| row.size.branching.mean,
        )
        .main()
        .column("branching_p25", "25%", Unit::Whole, |row| {
            row.size.branching.p25
        })
        .priority(6)
        .column("branching_p50", "median", Unit::Whole, |row| {
            row.size.branching.p50
        })
        .priority(2)
        .column("branching_p75", "75%", Unit::Whole, |row| {
            row.size.branching.p75
        })
        .priority(6)
        .column("branching_p90", "90%", Unit::Whole, |row| {
            row.size.branching.p90
        })
        .priority(7)
        .estimate(
            "length_mean length_low length_high",
            "plies",
            Unit::One,
            |row| row.size.length.mean,
        )
        .column("length_p25", "25%", Unit::Whole, |row| row.size.length.p25)
        .priority(6)
        .column("length_p50", "median", Unit::Whole, |row| {
            row.size.length.p50
        })
        .priority(2)
        .column("length_p75", "75%", Unit::Whole, |row| row.size.length.p75)
        .priority(6)
        .column("length_p90", "90%", Unit::Whole, |row| row.size.length.p90)
        .priority(7)
        .estimate(
            "tree_mean tree_low tree_high",
            "log10 tree",
            Unit::One,
            |row| row.size.tree,
        )
        .priority(1)
}

/// Maximum number of curves in a figure: the agents with the highest ratings.
const MOST_CURVES: usize = 12;

/// The curve ends where fewer decisions are left: hardly any have very many legal actions.
const LEAST_SHARE: f64 = 0.005;

/// The share of decisions with at least so many legal actions.
fn at_least(row: &AgentGameSize) -> Vec<Dot> {
    let all = row.branching_tens.iter().sum::<u64>().max(1);
    let mut left = all;
    let mut dots = Vec::new();
    for (tens, count) in (0_u32..).zip(&row.branching_tens) {
        let share = left as f64 / all as f64;
        if share < LEAST_SHARE {
            break;
        }
        // Every decision has one.
        let from = (10 * tens).max(1);
        dots.push(Dot {
            x: f64::from(from),
            y: share,
            about: format!(
                "{}: at least {} in {} of the decisions",
                row.agent,
                counted(from.into(), "legal action"),
                Unit::Share.number(share)
            ),
            ..Dot::default()
        });
        left -= count;
    }
    dots
}

/// The share of games of each length.
fn by_length(row: &AgentGameSize) -> Vec<Dot> {
    let all = row.games_by_length.iter().sum::<u64>().max(1);
    let lengths = row.size.length.min.unwrap_or(0)..;
    let dot = |(plies, &count): (u64, &u64)| {
        let share = count as f64 / all as f64;
        Dot {
            x: plies as f64,
            y: share,
            about: format!(
                "{}, {}: {} ({})",
                row.agent,
                counted(plies, "ply"),
                counted(count, "game"),
                Unit::Share.number(share)
            ),
            ..Dot::default()
        }
    };
    lengths.zip(&row.games_by_length).map(dot).collect()
}

/// The curves of the agents, with the names of the two axes.
fn figure(
    [x, y]: [&'static str; 2],
    agents: &[AgentGameSize],
    dots: fn(&AgentGameSize) -> Vec<Dot>,
) -> Figure {
    let curve = |(rank, row): (usize, &AgentGameSize)| {
        Series::new(row.agent.clone(), rank, SeriesMark::Line, dots(row))
    };
    let series: Vec<Series> = (agents.iter().enumerate().take(MOST_CURVES))
        .map(curve)
        .collect();
    let dots = || series.iter().flat_map(|series| &series.dots);
    let [left, right] = [f64::min, f64::max].map(|end| dots().map(|dot| dot.x).reduce(end));
    let most = dots().map(|dot| dot.y).fold(0.01, f64::max);
    Figure {
        size: FigureSize::Wide,
        x: PlotAxis::new(
            x,
            Unit::Whole,
            left.unwrap_or(0.0)..right.unwrap_or(1.0) + 1.0,
        ),
        y: PlotAxis::new(y, Unit::Share, 0.0..1.06 * most),
        series,
        caption: if agents.len() > MOST_CURVES {
            format!(
                "The {MOST_CURVES} agents with the highest ratings of {}.",
                agents.len()
            )
        } else {
            String::new()
        },
        ..Figure::default()
    }
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
