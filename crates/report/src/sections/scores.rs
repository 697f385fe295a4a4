//! Points at the end of games and where they come from.

use super::TournamentReport;
use crate::document::{
    CsvTable, Dot, Figure, Place, PlotAxis, ReportSection, ReportTable, Series, SeriesMark, Unit,
    counted, percent,
};
use patchwork_tournament::stats::statistics::POINTS;
use patchwork_tournament::stats::{Composition, Role, ScoreBin, Scores};

pub(super) const TABLES: &[CsvTable] = &[COMPOSITION, SCORES, MARGINS];
const COMPOSITION: CsvTable = CsvTable::new(
    "composition",
    "Where points come from, by seat and by result",
);
const SCORES: CsvTable = CsvTable::new(
    "scores",
    "How often each number of points occurred, by seat and by result",
);
const MARGINS: CsvTable = CsvTable::new("margins", "Number of games won by each margin");

/// Number of bars in the histogram.
const MAX_BARS: i32 = 44;

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let (scores, bonus) = (&report.summary.scores, &report.summary.bonus);
    let role = |row: &&Composition| match row.role {
        Role::First => "first",
        Role::Second => "second",
        Role::Winner => "winner",
        Role::Loser => "loser",
    };
    let composition = ReportTable::of(&scores.composition)
        .csv(COMPOSITION)
        .column("role", "points of", Unit::Text, role)
        .column("points", "all", Unit::OneDecimal, |row| row.points)
        .statistic(POINTS)
        .main()
        .column("buttons", "buttons", Unit::OneDecimal, |row| row.buttons)
        .column("squares", "empty squares", Unit::OneDecimal, |row| {
            row.squares
        })
        .column("bonus", "7x7", Unit::OneDecimal, |row| row.bonus);
    let histogram = ReportTable::of(&scores.histogram)
        .title("Distribution of points")
        .csv(SCORES)
        .place(Place::Folded)
        .column("points", "points", Unit::Count, |bin| bin.points)
        .column("first", "1st players", Unit::Count, |bin| bin.first)
        .column("second", "2nd players", Unit::Count, |bin| bin.second)
        .column("winner", "winners", Unit::Count, |bin| bin.winner)
        .column("loser", "losers", Unit::Count, |bin| bin.loser);
    let margins = ReportTable::of(&scores.margins)
        .title("Games by margin")
        .csv(MARGINS)
        .place(Place::Folded)
        .column("margin", "margin", Unit::Count, |bin| bin.margin)
        .column("games", "games", Unit::Count, |bin| bin.games);
    let winners = bonus.winner_rate.map_or_else(String::new, |rate| {
        format!(", and {} of those who earned it won", percent(rate))
    });
    let points = |points: Option<f64>| Unit::OneDecimal.known(points);
    ReportSection::new("scores", "Where points come from")
        .table(composition)
        .note(format!(
            "Players have {} points at the end on average, with a standard deviation of {}; the mean winning margin is {}.",
            points(scores.mean),
            points(scores.sd),
            points(scores.margin),
        ))
        .note(format!(
            "7x7 bonus: earned in {} ({}){winners}.",
            counted(bonus.games, "game"),
            percent(bonus.rate)
        ))
        .figure(|| figure(scores))
        .table(histogram)
        .table(margins)
        .data_only(report.all_faulted())
}

/// Scores in classes of equal width: the width, and the lower end, winners and losers of each.
fn classes(bins: &[ScoreBin]) -> (i32, Vec<(i32, u64, u64)>) {
    let (Some(first), Some(last)) = (bins.first(), bins.last()) else {
        return (1, Vec::new());
    };
    let span = i32::from(last.points) - i32::from(first.points) + 1;
    let width = [1, 2, 5, 10].into_iter();
    let width = (width.clone()).find(|width| span / width <= MAX_BARS);
    let width = width.unwrap_or(20);
    let start = i32::from(first.points).div_euclid(width);
    let end = i32::from(last.points).div_euclid(width);
    let classes = (start..=end).map(|class| (class * width, 0, 0));
    let mut classes: Vec<(i32, u64, u64)> = classes.collect();
    for bin in bins {
        let class = &mut classes[(i32::from(bin.points).div_euclid(width) - start) as usize];
        class.1 += bin.winner;
        class.2 += bin.loser;
    }
    (width, classes)
}

fn figure(scores: &Scores) -> Figure {
    let (width, classes) = classes(&scores.histogram);
    let most = classes.iter().map(|class| class.1.max(class.2)).max();
    let series = |name: &str, colour, count: fn(&(i32, u64, u64)) -> u64| {
        let one = name.trim_end_matches('s');
        let dots = classes
            .iter()
            .filter(|class| count(class) > 0)
            .map(|class| {
                let points = match width {
                    1 => class.0.to_string(),
                    _ => format!("{} to {}", class.0, class.0 + width - 1),
                };
                Dot {
                    x: f64::from(class.0),
                    to: f64::from(class.0 + width),
                    y: count(class) as f64,
                    about: format!("{points} points: {}", counted(count(class), one)),
                    ..Dot::default()
                }
            });
        Series::new(name, colour, SeriesMark::Bars, dots)
    };
    Figure {
        title: "Points of winners and losers".to_owned(),
        about: "Histogram of the points of winners and losers".to_owned(),
        x: PlotAxis::new(
            "points",
            Unit::Whole,
            classes.first().map_or(0.0, |class| f64::from(class.0))
                ..classes
                    .last()
                    .map_or(1.0, |class| f64::from(class.0 + width)),
        ),
        y: PlotAxis::new("players", Unit::Count, 0.0..1.08 * most.unwrap_or(1) as f64),
        series: vec![
            series("losers", 1, |class| class.2),
            series("winners", 0, |class| class.1),
        ],
        ..Figure::default()
    }
}
