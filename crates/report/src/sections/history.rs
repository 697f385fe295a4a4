//! Rating against number of games played.

use patchwork_rating::{Options, Ratings, rate_by};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::TournamentReport;
use crate::document::{
    CsvTable, Dot, Figure, PlotAxis, ReportSection, Series, SeriesMark, Unit, thousands,
};

pub(super) const TABLES: &[CsvTable] = &[];

/// Number of points on a curve.
const POINTS: usize = 40;

/// Maximum number of agents with curves, from the highest rating down.
const MAX_CURVES: usize = 12;

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let section = ReportSection::new("history", "Rating against games played");
    if counts(report.games.len()).len() < 2 {
        return section;
    }
    section
        .note("The ratings after the first games of the plan, in planned order, with 95% intervals. All plots have the same scale, and the last rating is in the middle.")
        .figure(|| figure(report))
        .notes(left_out(report.summary.ratings.len()))
}

/// Which agents have no curve, if there are many.
fn left_out(agents: usize) -> Option<String> {
    (agents > MAX_CURVES).then(|| format!("The {MAX_CURVES} strongest of {agents} agents."))
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
        rate_by(count, &|i| report.rated(i), names.len(), options)
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
        .take(MAX_CURVES);
    let agents: Vec<(usize, usize)> = rated
        .filter_map(|(rank, row)| Some((rank, names.iter().position(|name| *name == row.agent)?)))
        .collect();
    let dot = |games: usize, ratings: &Ratings, agent: usize| {
        let elo = ratings.agents[agent].elo;
        let about = format!(
            "{} after {} games: {}",
            names[agent],
            thousands(games as u64),
            Unit::Elo.with_interval(elo)
        );
        Dot::of(games as f64, elo, about)
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
    let reach = reach(&agents, &history);
    Figure {
        about: "Rating of each agent against the number of games".to_owned(),
        multiples: true,
        x: PlotAxis::new("games", Unit::Count, 0.0..games as f64),
        y: PlotAxis::new("Elo", Unit::Elo, -reach..reach),
        series: series.collect(),
        ..Figure::default()
    }
}

/// How far from its last rating an agent's ratings and intervals are, after the first third of the games.
fn reach(agents: &[(usize, usize)], history: &[Ratings]) -> f64 {
    let last = &history[history.len() - 1];
    let late = &history[history.len() / 3..];
    let distances = agents.iter().flat_map(|&(_, agent)| {
        let end = last.agents[agent].elo.value.unwrap_or_default();
        let all = late.iter().map(move |looks| looks.agents[agent].elo);
        all.flat_map(move |elo| {
            let ends = [elo.low, elo.value, elo.high].into_iter().flatten();
            ends.map(move |number| (number - end).abs())
        })
    });
    distances.fold(10.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At first an agent loses all its games and the zero is the mean of the others; later wins link it with
    /// them.
    #[test]
    fn all_looks_have_the_zero_of_the_standings() {
        use crate::samples::{test_header, with_report};
        use crate::support::tournaments::{names, plan, tournament};
        use patchwork_tournament::Format;

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
