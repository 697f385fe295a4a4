//! Numbers of legal actions.

use super::TournamentReport;
use crate::document::{
    CsvTable, Dot, Figure, PlotAxis, ReportSection, Series, SeriesMark, TableOf, Unit, counted,
};
use patchwork_tournament::stats::statistics::{FORCED, LEGAL};
use patchwork_tournament::stats::{PlyClass, PlyClassOf, Summary};

pub(super) const TABLES: &[CsvTable] = &[BRANCHING];
const BRANCHING: CsvTable = CsvTable::new(
    "branching",
    "Legal actions by ply, by phase of the game and by kind of action, and by ply for each agent",
);

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let summary = &report.summary;
    ReportSection::new("branching", "Branching factor")
        .figure(|| figure(&summary.branching))
        .note("Below the row of all plies, they are grouped by the space of the player to move, and again by the action \
            chosen.")
        .table(table(summary))
        .data_only(report.all_faulted())
}

fn table(summary: &Summary) -> TableOf<'_, &PlyClass> {
    let (all, of_agents) = (&summary.branching, &summary.branching_of_agents);
    let games = summary.sizes.first().map_or(0, |size| size.games);
    let by_game = move |plies: u64| (games > 0).then(|| plies as f64 / games as f64);
    let classes = all.iter().filter(|row| row.by != PlyClassOf::Ply).count();
    let row = move |i: usize| all.get(i).unwrap_or_else(|| &of_agents[i - all.len()]);
    TableOf::new(all.len() + of_agents.len(), row)
        .csv(BRANCHING)
        .shown((0..all.len()).collect())
        .listed(0..classes)
        .unlisted("individual plies")
        .column("agent", "", Unit::Name, |row| &*row.agent)
        .column("by", "", Unit::Text, |row| row.by.name())
        .column("value", "", Unit::Text, |row| &*row.value)
        .column("", "plies", Unit::Text, |row| about(row))
        .column("", "per game", Unit::OneDecimal, move |row| {
            by_game(row.plies)
        })
        .column("", "1st player", Unit::OneDecimal, move |row| {
            by_game(row.first)
        })
        .priority(2)
        .column("", "2nd player", Unit::OneDecimal, move |row| {
            by_game(row.second)
        })
        .priority(2)
        .column("plies", "count", Unit::Count, |row| row.plies)
        .priority(3)
        .column("first", "", Unit::Count, |row| row.first)
        .column("second", "", Unit::Count, |row| row.second)
        .estimate("legal", "legal actions", Unit::OneDecimal, |row| row.legal)
        .statistic(LEGAL)
        .main()
        .estimate("forced", "forced", Unit::Share, |row| row.forced)
        .statistic(FORCED)
        .priority(1)
}

/// The plies of a class in words.
fn about(row: &PlyClass) -> String {
    let value = match &*row.value {
        "all" => "every ply",
        "opening" => "opening, spaces 0 to 17",
        "middle" => "middle, spaces 18 to 35",
        "end" => "end, spaces 36 to 53",
        "advance" => "advance",
        "patch" => "buy a patch",
        "special" => "place a special patch",
        ply => return format!("ply {ply}"),
    };
    value.to_owned()
}

fn figure(classes: &[PlyClass]) -> Figure {
    let plies = classes.iter().filter(|row| row.by == PlyClassOf::Ply);
    // The last plies occur in too few games to be meaningful.
    let enough = plies.clone().next().map_or(0, |ply| ply.plies / 50);
    let dots = (1..).zip(plies).filter(|(_, ply)| ply.plies > enough);
    let dots = dots.filter_map(|(number, ply)| {
        let games = counted(ply.plies, "game");
        let legal = Unit::OneDecimal.with_interval(ply.legal);
        let about = format!("ply {number}: {legal} legal actions in {games}");
        Dot::of(f64::from(number), ply.legal, about)
    });
    let dots: Vec<Dot> = dots.collect();
    let ends = dots.iter().flat_map(|dot| [Some(dot.y), dot.high]);
    let most = ends.flatten().fold(1.0, f64::max);
    Figure {
        about: "Mean number of legal actions by ply".to_owned(),
        x: PlotAxis::new("ply", Unit::Whole, 0.0..dots.len() as f64 + 1.0),
        y: PlotAxis::new("legal actions", Unit::Whole, 0.0..1.06 * most),
        series: vec![Series::new("", 0, SeriesMark::DottedLine, dots)],
        caption: "The band is the 95% interval of the mean.".to_owned(),
        ..Figure::default()
    }
}
