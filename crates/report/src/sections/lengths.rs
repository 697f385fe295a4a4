//! Lengths of games.

use patchwork_rating::Estimate;

use super::TournamentReport;
use crate::document::{
    CsvTable, Dot, Figure, Place, PlotAxis, ReportSection, ReportTable, Series, SeriesMark,
    TableOf, Unit, counted,
};
use patchwork_tournament::stats::{LengthBin, PlyClass, Seats, Summary};

pub(super) const TABLES: &[CsvTable] = &[LENGTHS];
const LENGTHS: CsvTable = CsvTable::new(
    "lengths",
    "Number of games of each length: of all games, by agent",
);

/// A quantity of a game.
#[derive(Clone, Copy, Default)]
struct QuantityRow {
    name: &'static str,
    mean: Estimate,
    sd: Option<f64>,
    first: Option<f64>,
    second: Option<f64>,
}

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let summary = &report.summary;
    let size = summary.sizes.first();
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
        .table(quantities(summary))
        .notes(size.and_then(|size| {
            let (min, max) = (size.plies_min?, size.plies_max?);
            Some(format!("Length: {min} to {max} plies."))
        }))
        .figure(|| figure(summary))
        .table(histogram)
        .data_only(report.all_faulted())
}

/// Lengths, scores, squares and buttons of a game.
fn quantities(summary: &Summary) -> TableOf<'_, QuantityRow> {
    let size = summary.sizes.first();
    let all = summary.branching.first();
    let seat = |of: fn(&PlyClass) -> u64| {
        let games = size.filter(|size| size.games > 0)?.games;
        Some(all.map(of)? as f64 / games as f64)
    };
    let mean = |value| Estimate {
        value,
        ..Estimate::default()
    };
    let seats = |name, of: &Seats| QuantityRow {
        name,
        mean: mean(of.mean),
        sd: None,
        first: of.first,
        second: of.second,
    };
    let scores = &summary.scores;
    let rows = [
        QuantityRow {
            name: "plies",
            mean: size.map(|size| size.plies).unwrap_or_default(),
            sd: size.and_then(|size| size.plies_sd),
            first: seat(|all| all.first),
            second: seat(|all| all.second),
        },
        QuantityRow {
            name: "points of a player",
            mean: mean(scores.mean),
            sd: scores.sd,
            first: scores.first,
            second: scores.second,
        },
        seats("squares covered by a player", &summary.covered),
        seats("buttons left to a player", &summary.buttons),
    ];
    TableOf::new(rows.len(), move |i| rows[i])
        .column("", "per game", Unit::Text, |row| row.name)
        .estimate("", "mean", Unit::OneDecimal, |row| row.mean)
        .main()
        .column("", "sd", Unit::OneDecimal, |row| row.sd)
        .column("", "1st player", Unit::OneDecimal, |row| row.first)
        .column("", "2nd player", Unit::OneDecimal, |row| row.second)
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
