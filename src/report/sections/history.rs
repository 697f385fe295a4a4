//! Rating against number of games played.

use patchwork_rating::{Options, Ratings, rate_each};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::TournamentReport;
use crate::document::{
    CsvTable, Dot, Figure, FigureSize, PlotAxis, ReportSection, Series, SeriesMark, Unit, ends,
    thousands,
};

pub(super) const TABLES: &[CsvTable] = &[];

/// Number of points on a curve.
const POINTS: usize = 40;

/// Maximum number of agents with curves, from the highest rating down.
const MOST_CURVES: usize = 24;

/// Maximum number of agents with shaded intervals; more would be unreadable.
const MOST_SHADED: usize = 8;

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let section = ReportSection::new("history", "Rating against games played");
    if counts(report.games.len()).len() < 2 {
        return section;
    }
    section
        .note("The ratings after the first games of the plan, in planned order, with 95% intervals if there are few agents and wins link all of them. Curves are numbered as the rows of the standings.")
        .figure(|| figure(report))
        .notes(left_out(report.summary.ratings.len()))
}

/// Which agents have no curve, if there are many.
fn left_out(agents: usize) -> Option<String> {
    (agents > MOST_CURVES).then(|| format!("The {MOST_CURVES} strongest of {agents} agents."))
}

/// The numbers of games at which ratings are computed: evenly spaced, ending with all games.
fn counts(games: usize) -> Vec<usize> {
    let mut counts: Vec<usize> = (1..=POINTS).map(|i| games * i / POINTS).collect();
    counts.retain(|&count| count >= 2);
    counts.dedup();
    counts
}

/// The ratings after these numbers of games, computed with the statistics of all games. The zero is that of
/// the standings, so that curves do not jump where wins link or separate agents.
fn history(report: &TournamentReport<'_>, counts: &[usize]) -> Vec<Ratings> {
    let games = report.games.len();
    let names = &report.names;
    let is_zero = |agent: &usize| {
        let mut rows = report.summary.ratings.iter();
        rows.any(|row| row.agent == names[*agent] && !row.separated)
    };
    let zero: Vec<usize> = (0..names.len()).filter(is_zero).collect();
    let zero = if zero.is_empty() {
        (0..names.len()).collect()
    } else {
        zero
    };
    let setups = report.plan.shared_setups(games, |i| report.rated(i));
    let look = |&count: &usize| {
        let options = Options {
            zero: Some(&zero),
            setups: setups.as_deref().map(|setups| &setups[..count]),
            ..Options::default()
        };
        rate_each(count, &|i| report.rated(i), names.len(), options)
    };
    counts.par_iter().map(look).collect()
}

fn figure(report: &TournamentReport<'_>) -> Figure {
    let (summary, names) = (&report.summary, &report.names);
    let games = report.games.len();
    let counts = counts(games);
    let history = history(report, &counts);
    // The rows of the standings that have a rating and a name in the plan.
    let rows = (0..).zip(&summary.ratings);
    let rated = rows
        .filter(|(_, row)| row.elo.value.is_some())
        .take(MOST_CURVES);
    let agents: Vec<(usize, usize)> = rated
        .filter_map(|(rank, row)| Some((rank, names.iter().position(|name| *name == row.agent)?)))
        .collect();
    let shaded = agents.len() <= MOST_SHADED;
    let dot = |games: usize, ratings: &Ratings, agent: usize| {
        let elo = ratings.agents[agent].elo;
        Some(Dot {
            x: games as f64,
            y: elo.value?,
            low: elo.low.filter(|_| shaded),
            high: elo.high.filter(|_| shaded),
            about: format!(
                "{} after {} games: {}",
                names[agent],
                thousands(games as u64),
                Unit::Elo.with_interval(elo)
            ),
            ..Dot::default()
        })
    };
    let series = agents.iter().map(|&(rank, agent)| {
        Series::new(
            names[agent].clone(),
            rank,
            SeriesMark::Line,
            (counts.iter().zip(&history))
                .filter_map(|(&games, ratings)| dot(games, ratings, agent)),
        )
    });
    let (low, high) = range(&agents, &history, shaded);
    let room = 0.12 * (high - low).max(10.0);
    Figure {
        about: "Rating of each agent against the number of games".to_owned(),
        size: FigureSize::Wide,
        x: PlotAxis::new("games", Unit::Count, 0.0..games as f64),
        y: PlotAxis::new("Elo", Unit::Elo, low - room..high + room),
        series: series.collect(),
        ..Figure::default()
    }
}

/// The range of Elo shown. It includes the final ratings with their intervals, if those are drawn. The wider intervals
/// of earlier ratings, except for the first third, are included as long as the final ratings keep
/// half of the height.
fn range(agents: &[(usize, usize)], history: &[Ratings], shaded: bool) -> (f64, f64) {
    let reach = |looks: &[Ratings]| {
        let estimates = looks
            .iter()
            .flat_map(|ratings| agents.iter().map(|&(_, agent)| ratings.agents[agent].elo))
            .filter(|elo| elo.value.is_some());
        let drawn = estimates.flat_map(|elo| {
            let [low, high] = [elo.low, elo.high].map(|end| end.filter(|_| shaded));
            [low, high, elo.value]
        });
        ends(drawn.flatten())
    };
    let (low, high) = reach(&history[history.len() - 1..]);
    let (lower, higher) = reach(&history[history.len() / 3..]);
    let more = 0.5 * (high - low);
    (lower.max(low - more), higher.min(high + more))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At first an agent loses all its games and the zero is the mean of the others; later wins link it with
    /// them.
    #[test]
    fn all_looks_have_the_zero_of_the_standings() {
        use crate::report::samples::{test_header, with_report};
        use crate::support::tournaments::{names, plan, tournament};
        use crate::tournament::Format;

        let plan = plan(&names(), Format::RoundRobin, 40).expect("a plan");
        let early = |pair: u32| pair < 20;
        let entries = tournament(40).into_iter().filter(|entry| {
            let is_loser = entry.record.agents.contains(&2);
            !(is_loser && early(entry.record.id.pair) && entry.record.winning_agent() == 2)
        });
        let entries: Vec<_> = entries.collect();
        with_report(&test_header(240), &plan, &entries, |report| {
            let looks = history(report, &counts(report.games.len()));
            assert!(looks[5].agents[2].separated);
            assert!(looks.iter().all(|look| {
                let sum: f64 = look
                    .agents
                    .iter()
                    .filter_map(|rating| rating.elo.value)
                    .sum();
                sum.abs() < 1e-6
            }));
            // The last point equals the standings.
            for row in &report.summary.ratings {
                let agent = report.names.iter().position(|name| *name == row.agent);
                let last = looks[looks.len() - 1].agents[agent.expect("known")].elo;
                let both = [last, row.elo].map(|elo| [elo.value, elo.low, elo.high]);
                for (one, other) in both[0].into_iter().zip(both[1]) {
                    let (one, other) = (one.expect("an end"), other.expect("an end"));
                    assert!((one - other).abs() < 1e-6, "{one} {other}");
                }
            }
        });
    }

    #[test]
    fn looks_are_even_and_end_with_all_games() {
        assert_eq!(counts(0), Vec::<usize>::new());
        assert_eq!(counts(3), [2, 3]);
        let looks = counts(10_000);
        assert_eq!((looks.len(), looks[0], looks[39]), (40, 250, 10_000));
    }
}
