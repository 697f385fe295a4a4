//! What thinking time buys: Elo against time per move.

use super::TournamentReport;
use crate::document::{
    CsvTable, Dot, Figure, FigureSize, PlotAxis, ReportSection, Series, SeriesMark, Unit, ends,
};
use patchwork_tournament::stats::Standing;
use patchwork_tournament::stats::statistics::TIME;

pub(super) const TABLES: &[CsvTable] = &[];

/// Shorter times are timer noise.
const SHORTEST: f64 = 1e-7;

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let section = ReportSection::new("tradeoff", "Elo against time");
    let rows = &report.summary.ratings;
    if rows.iter().filter_map(point).count() < 2 {
        return section;
    }
    section
        .note("The chart shows each agent's Elo, with its 95% interval, against its mean time per move, on a logarithmic scale. \
            Times were measured on the machines that played the games.")
        .note(TIME.about)
        .figure(|| figure(rows))
}

/// The decimal logarithm of an agent's time per move in seconds, and its Elo.
fn point(row: &Standing) -> Option<(f64, f64)> {
    let time = row.seconds_per_move.filter(|time| *time > 0.0)?;
    Some((time.max(SHORTEST).log10(), row.elo.value?))
}

fn figure(rows: &[Standing]) -> Figure {
    let series = (0..).zip(rows).filter_map(|(rank, row)| {
        let about = format!(
            "{}: {}, {} per move",
            row.agent,
            Unit::Elo.with_interval(row.elo),
            Unit::Seconds.known(row.seconds_per_move)
        );
        let dot = Dot::of(point(row)?.0, row.elo, about);
        Some(Series::new(
            row.agent.clone(),
            rank,
            SeriesMark::Labelled,
            dot,
        ))
    });
    let series: Vec<Series> = series.collect();
    let dots = || series.iter().flat_map(|series| &series.dots);
    let times = dots().map(|dot| dot.x);
    let elos = dots()
        .flat_map(|dot| [Some(dot.y), dot.low, dot.high])
        .flatten();
    let (x, y) = (reach(times, 0.4), reach(elos, 20.0));
    Figure {
        about: "Elo of each agent against its time per move".to_owned(),
        size: FigureSize::Wide,
        x: PlotAxis::new("time per move", Unit::LogSeconds, x),
        y: PlotAxis::new("Elo", Unit::Elo, y),
        series,
        ..Figure::default()
    }
}

/// The range of some numbers, extended by a twelfth, at least by `least`, on both sides.
fn reach(numbers: impl Iterator<Item = f64>, least: f64) -> std::ops::Range<f64> {
    let (low, high) = ends(numbers);
    let room = ((high - low) / 12.0).max(least);
    low - room..high + room
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_test_support::tournaments::{PAIRINGS, names, tournament};
    use patchwork_tournament::stats::Summary;

    #[test]
    fn agents_without_a_time_or_a_rating_are_left_out() {
        let names = names();
        let mut row = Summary::new(&names, &PAIRINGS, &tournament(1))
            .ratings
            .remove(0);
        (row.seconds_per_move, row.elo.value) = (None, None);
        assert_eq!(point(&row), None);
        row.seconds_per_move = Some(0.01);
        assert_eq!(point(&row), None);
        row.elo.value = Some(100.0);
        assert_eq!(point(&row), Some((-2.0, 100.0)));
        row.seconds_per_move = Some(1e-12);
        assert_eq!(point(&row), Some((-7.0, 100.0)));
        row.seconds_per_move = Some(0.0);
        assert_eq!(point(&row), None);
    }
}
