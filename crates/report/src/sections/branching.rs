//! Numbers of legal actions.

use patchwork_rating::Estimate;

use super::TournamentReport;
use crate::document::{
    CsvTable, Dot, Figure, PlotAxis, ReportSection, Series, SeriesMark, TableOf, Unit, counted,
};
use patchwork_tournament::stats::{Branching, Phase, PlyBranching};

pub(super) const TABLES: &[CsvTable] = &[BRANCHING];
const BRANCHING: CsvTable = CsvTable::new("branching", "Legal actions by ply, phase and kind");

/// Legal actions over a set of plies.
#[derive(Clone, Default)]
struct BranchingRow {
    by: &'static str,
    value: String,
    /// Which plies these are, in words.
    about: String,
    legal: Estimate,
    plies: u64,
    forced: Estimate,
}

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let branching = &report.summary.branching;
    let rows = rows(branching);
    let classes = rows.len() - branching.by_ply.len();
    let table = TableOf::new(rows.len(), move |i| rows[i].clone())
        .csv(BRANCHING)
        .listed(0..classes)
        .column("by", "", Unit::Text, |row| row.by)
        .column("value", "", Unit::Text, |row| row.value.clone())
        .column("", "plies", Unit::Text, |row| row.about.clone())
        .estimate("mean_legal", "legal actions", Unit::OneDecimal, |row| {
            row.legal
        })
        .main()
        .column("plies", "count", Unit::Count, |row| row.plies)
        .estimate("forced", "forced", Unit::Share, |row| row.forced)
        .priority(1);
    ReportSection::new("branching", "Branching factor")
        .figure(|| figure(&branching.by_ply))
        .table(table)
        .note("Number of legal actions per ply, including forced plies and special patches.")
        .data_only(report.all_faulted())
}

fn rows(branching: &Branching) -> Vec<BranchingRow> {
    let row = |by, value: &str, about: &str, legal, plies| BranchingRow {
        by,
        value: value.to_owned(),
        about: about.to_owned(),
        legal,
        plies,
        forced: Estimate::default(),
    };
    let plies = branching.by_ply.iter().map(|ply| ply.games).sum();
    let mut rows = vec![BranchingRow {
        forced: branching.forced,
        ..row("all", "all", "every ply", branching.all, plies)
    }];
    rows.extend(branching.by_phase.iter().map(|phase| {
        let about = match phase.phase {
            Phase::Opening => "opening, spaces 0 to 17",
            Phase::Middle => "middle, spaces 18 to 35",
            Phase::End => "end, spaces 36 to 53",
        };
        let name = phase.phase.name();
        BranchingRow {
            forced: phase.forced,
            ..row("phase", name, about, phase.legal, phase.plies)
        }
    }));
    let buying = &branching.buying;
    let about = "where a patch was bought";
    rows.push(row("action", "buy", about, buying.legal, buying.plies));
    rows.extend(
        (1..)
            .zip(&branching.by_ply)
            .map(|(ply, found)| BranchingRow {
                forced: Estimate {
                    value: Some(found.forced),
                    ..Estimate::default()
                },
                ..row(
                    "ply",
                    &u32::to_string(&ply),
                    &format!("ply {ply}"),
                    found.legal,
                    found.games,
                )
            }),
    );
    rows
}

fn figure(plies: &[PlyBranching]) -> Figure {
    // The last plies occur in too few games to be meaningful.
    let enough = plies.first().map_or(0, |ply| ply.games / 50);
    let dots = (1..).zip(plies).filter(|(_, ply)| ply.games > enough);
    let dots = dots.filter_map(|(number, ply)| {
        let games = counted(ply.games, "game");
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
