//! The course of sequential tests: the log likelihood ratio after each pair.

use std::collections::BTreeMap;

use patchwork_rating::RatedGame;
use patchwork_rating::sprt::PairCounts;

use super::TournamentReport;
use crate::document::{
    CsvTable, Dot, Figure, FigureSize, PlotAxis, ReportSection, Series, SeriesMark, Unit, counted,
    ends, signed,
};
use crate::rounds::{SprtTest, SprtTests};

pub(super) const TABLES: &[CsvTable] = &[];

/// Maximum number of tests whose course is drawn.
const MAX_TESTS: usize = 12;

/// Maximum number of points on a curve.
const POINTS: usize = 200;

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let section = ReportSection::new("llr", "Course of the tests");
    let Some(found) = &report.header.format.sprt else {
        return section;
    };
    if found.tests.iter().all(|test| test.pairs < 2) {
        return section;
    }
    let left_out = found.tests.len().saturating_sub(MAX_TESTS);
    section
        .note("The log likelihood ratio (llr) after each pair of games, in the order of the plan. A test ends where its curve crosses a bound.")
        .figure(|| figure(report, found))
        .notes((left_out > 0).then(|| {
            format!("The first {MAX_TESTS} of {} tests.", found.tests.len())
        }))
}

fn figure(report: &TournamentReport<'_>, found: &SprtTests) -> Figure {
    let tests = (0..).zip(found.tests.iter().take(MAX_TESTS));
    let mut series: Vec<Series> = tests
        .map(|(colour, test)| {
            Series::new(
                format!("{} against {}", test.a, test.b),
                colour,
                SeriesMark::Line,
                dots(report, found, test),
            )
        })
        .collect();
    let points = || series.iter().flat_map(|series| &series.dots);
    let most = points().map(|dot| dot.x).fold(1.0, f64::max);
    let (low, high) = ends(points().map(|dot| dot.y).chain([found.lower, found.upper]));
    let room = 0.06 * (high - low);
    for (bound, accepted) in [(found.upper, "H1"), (found.lower, "H0")] {
        let end = |x| Dot {
            x,
            y: bound,
            about: format!("{accepted} is accepted at {}", signed(bound, 2)),
            ..Dot::default()
        };
        series.push(Series::new(
            "",
            7,
            SeriesMark::ThinLine,
            [end(0.0), end(most)],
        ));
    }
    Figure {
        about: "Log likelihood ratio of each test against the number of pairs, with the bounds"
            .to_owned(),
        size: FigureSize::Wide,
        x: PlotAxis::new("pairs", Unit::Count, 0.0..most),
        y: PlotAxis::new("llr", Unit::Llr, low - room..high + room),
        series,
        caption: format!(
            "Thin lines: H1 is accepted at {}, H0 at {}.",
            signed(found.upper, 2),
            signed(found.lower, 2)
        ),
        ..Figure::default()
    }
}

/// The course of a test: at most [`POINTS`] of its pairs, the last one among them.
fn dots(report: &TournamentReport<'_>, found: &SprtTests, test: &SprtTest) -> Vec<Dot> {
    let index = |name: &str| report.names.iter().position(|other| other == name);
    let (Some(a), Some(b)) = (index(&test.a), index(&test.b)) else {
        return Vec::new();
    };
    let results = (0..report.games.len()).map(|place| report.rated(place));
    let counts = course(results, a, b, test.pairs);
    let step = counts.len().div_ceil(POINTS).max(1);
    let shown = (1..)
        .zip(&counts)
        .filter(|(pairs, _)| pairs % step == 0 || *pairs == counts.len());
    let dots = shown.map(|(pairs, counts)| {
        let llr = found.sprt.llr(counts);
        Dot {
            x: pairs as f64,
            y: llr,
            about: format!(
                "{} against {}: llr {} after {}",
                test.a,
                test.b,
                signed(llr, 2),
                counted(pairs as u64, "pair")
            ),
            ..Dot::default()
        }
    });
    dots.collect()
}

/// The counts of agent `a` after each of its first pairs with agent `b`, in the order of the games.
fn course(
    results: impl Iterator<Item = RatedGame>,
    a: usize,
    b: usize,
    pairs: u64,
) -> Vec<PairCounts> {
    let mut open: BTreeMap<u64, usize> = BTreeMap::new();
    let mut counts = PairCounts::default();
    let mut course = Vec::new();
    for game in results {
        let score = match (game.first == a, game.second == a) {
            (true, false) if game.second == b => game.score,
            (false, true) if game.first == b => game.score.reversed(),
            _ => continue,
        };
        let quarters = score.half_points() as usize;
        let Some(first) = open.remove(&game.cluster) else {
            open.insert(game.cluster, quarters);
            continue;
        };
        counts.0[first + quarters] += 1;
        course.push(counts);
        if course.len() as u64 == pairs {
            break;
        }
    }
    course
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_rating::GameScore;

    fn game(cluster: u64, [first, second]: [usize; 2], score: GameScore) -> RatedGame {
        RatedGame {
            cluster,
            first,
            second,
            score,
        }
    }

    #[test]
    fn the_course_counts_whole_pairs_of_the_two_agents_in_order() {
        use GameScore::{Draw, Loss, Win};
        let results = [
            game(1, [0, 1], Win),
            game(2, [0, 2], Win),
            game(1, [1, 0], Loss),
            game(3, [1, 0], Win),
            game(2, [2, 0], Loss),
            game(3, [0, 1], Draw),
            // Half a pair.
            game(4, [0, 1], Win),
        ];
        let course_of = |a, b, pairs| -> Vec<[u64; 5]> {
            let counts = course(results.iter().copied(), a, b, pairs);
            counts.into_iter().map(|counts| counts.0).collect()
        };
        assert_eq!(course_of(0, 1, 9), [[0, 0, 0, 0, 1], [0, 1, 0, 0, 1]]);
        assert_eq!(course_of(1, 0, 9), [[1, 0, 0, 0, 0], [1, 0, 0, 1, 0]]);
        assert_eq!(course_of(0, 1, 1), [[0, 0, 0, 0, 1]]);
        assert_eq!(course_of(0, 2, 9), [[0, 0, 0, 0, 1]]);
        assert!(course_of(1, 2, 9).is_empty());
    }
}
