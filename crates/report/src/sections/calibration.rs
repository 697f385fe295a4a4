//! The expectations of agents compared with results.

use super::TournamentReport;
use crate::document::{
    CsvTable, Dot, Figure, FigureSize, PlotAxis, ReportSection, Series, SeriesMark, TableOf, Unit,
    counted, percent, thousands,
};
use patchwork_tournament::stats::{Calibration, CalibrationBin, Thinking};

pub(super) const TABLES: &[CsvTable] = &[CALIBRATION];
const CALIBRATION: CsvTable = CsvTable::new(
    "calibration",
    "What agents expected beside how often they won, in bins",
);

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let thinking = &report.summary.thinking;
    let all = thinking.calibration.as_ref();
    let told = thinking.agents.iter();
    let told = told.filter_map(|row| Some((&*row.agent, row.calibration.as_ref()?)));
    let told = all.map(|all| ("all", all)).into_iter().chain(told);
    let rows = told.flat_map(|(agent, found)| found.bins.iter().map(move |bin| (agent, bin)));
    let rows: Vec<(&str, &CalibrationBin)> = rows.collect();
    let of_all = all.map_or(0, |all| all.bins.len());
    let shown = (0..of_all).filter(|&i| rows[i].1.plies > 0).collect();
    let expected =
        |bin: &CalibrationBin| format!("{:.0} to {:.0}%", 100.0 * bin.from, 100.0 * bin.to);
    let table = TableOf::new(rows.len(), move |i| rows[i])
        .csv(CALIBRATION)
        .shown(shown)
        .column("agent", "", Unit::Name, |(agent, _)| *agent)
        .column("", "expected to win", Unit::Text, move |(_, bin)| {
            expected(bin)
        })
        .column("from", "", Unit::Share, |(_, bin)| bin.from)
        .column("to", "", Unit::Share, |(_, bin)| bin.to)
        .column("plies", "decisions", Unit::Count, |(_, bin)| bin.plies)
        .column("games", "games", Unit::Count, |(_, bin)| bin.games)
        .priority(1)
        .column("predicted", "mean", Unit::Share, |(_, bin)| bin.predicted)
        .estimate("won", "won", Unit::Share, |(_, bin)| bin.won)
        .main();
    let section = ReportSection::new("calibration", "Do expectations come true?");
    let Some(all) = all else {
        return section.table(table);
    };
    section
        .note(format!(
            "How often agents expected to win, in bins, against how often they won. Intervals treat the decisions of a game as \
             related. The Brier score over all is {} (0 is perfect, 0.25 is always predicting 50%).",
            Unit::ThreeDecimals.number(all.brier)
        ))
        .notes(thinking.calibration_equals.as_ref().map(|equals| {
            format!(
                "In the {} of agents whose ratings differ by at most 100 Elo, the Brier score is {}: a certain win against a weak \
                 opponent is easy to predict.",
                counted(equals.games, "game"),
                Unit::ThreeDecimals.number(equals.brier)
            )
        }))
        .figure(|| figure(thinking, all))
        .table(table)
}

fn figure(thinking: &Thinking, all: &Calibration) -> Figure {
    let dot = |bin: &CalibrationBin| {
        let about = format!(
            "expected {}, won {} of {} decisions",
            percent(bin.predicted),
            percent(bin.won),
            thousands(bin.plies)
        );
        Dot::of(bin.predicted?, bin.won, about)
    };
    let agents = (0..).zip(&thinking.agents);
    let agents = agents.filter_map(|(rank, row)| Some((rank, row, row.calibration.as_ref()?)));
    let agents = agents.map(|(rank, row, found)| {
        // Bins with few decisions are noisy and would be distracting.
        let bins = found.bins.iter();
        let bins = bins.filter(|bin| bin.plies > found.plies / 200);
        Series::new(
            row.agent.clone(),
            rank,
            SeriesMark::ThinLine,
            bins.filter_map(dot),
        )
    });
    let mut series: Vec<Series> = agents.collect();
    series.push(Series::new(
        "all agents, with intervals",
        0,
        SeriesMark::Dots,
        all.bins.iter().filter_map(dot),
    ));
    let axis = |name| PlotAxis::new(name, Unit::Share, 0.0..1.0);
    Figure {
        about: "Expected share of wins against the actual share".to_owned(),
        size: FigureSize::Square,
        x: axis("expected"),
        y: axis("games won"),
        series,
        diagonal: true,
        caption: "On the diagonal, expectations are correct; above it an agent is underconfident, below it overconfident.".to_owned(),
        ..Figure::default()
    }
}
