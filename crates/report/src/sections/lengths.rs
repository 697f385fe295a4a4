//! Lengths of games.

use super::TournamentReport;
use crate::document::{
    CsvTable, Dot, Figure, Place, PlotAxis, ReportSection, ReportTable, Series, SeriesMark, Unit,
    counted,
};
use patchwork_tournament::stats::{LengthBin, Summary};

pub(super) const TABLES: &[CsvTable] = &[LENGTHS];
const LENGTHS: CsvTable = CsvTable::new(
    "lengths",
    "Number of games of each length: of all games, by agent",
);

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let summary = &report.summary;
    let of_all = of_all_games(summary).len();
    let histogram = ReportTable::of(&summary.lengths)
        .csv(LENGTHS)
        .place(Place::Folded)
        .shown((0..of_all).collect())
        .column("agent", "", Unit::Name, |bin| &*bin.agent)
        .column("length", "length", Unit::Count, |bin| bin.length)
        .column("plies", "games by plies", Unit::Count, |bin| bin.plies)
        .column("turns", "games by turns", Unit::Count, |bin| bin.turns);
    ReportSection::new("games", "The games")
        .figure(|| figure(summary))
        .table(histogram)
        .data_only(report.all_faulted())
}

/// The bins of all games, which come before those of the agents.
fn of_all_games(summary: &Summary) -> &[LengthBin] {
    let is_of_all = |bin: &LengthBin| bin.agent.is_empty();
    let bins = &summary.lengths;
    &bins[..bins.partition_point(is_of_all)]
}

fn figure(summary: &Summary) -> Figure {
    let bins = of_all_games(summary);
    let ends = |bin: Option<&LengthBin>| bin.map_or(0.0, |bin| bin.length as f64);
    let most = bins.iter().map(|bin| bin.plies).max().unwrap_or(1);
    let played = bins.iter().filter(|bin| bin.plies > 0);
    let dots = played.map(|bin| Dot {
        x: bin.length as f64 - 0.5,
        to: bin.length as f64 + 0.5,
        y: bin.plies as f64,
        about: format!("{} plies: {}", bin.length, counted(bin.plies, "game")),
        ..Dot::default()
    });
    Figure {
        title: "Length of games".to_owned(),
        about: "Histogram of the number of plies of a game".to_owned(),
        x: PlotAxis::new(
            "plies",
            Unit::Whole,
            ends(bins.first()) - 1.0..ends(bins.last()) + 1.0,
        ),
        y: PlotAxis::new("games", Unit::Count, 0.0..1.08 * most as f64),
        series: vec![Series::new("", 0, SeriesMark::Bars, dots)],
        ..Figure::default()
    }
}
