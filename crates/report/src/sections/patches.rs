//! Which patches are bought, and how well their buyers do.

use super::TournamentReport;
use crate::document::{
    CsvTable, Dot, Figure, FigureSize, PlotAxis, ReportSection, ReportTable, Series, SeriesMark,
    Unit, counted, ends, percent,
};
use patchwork_tournament::stats::PatchUse;
use patchwork_tournament::stats::statistics::{BOUGHT, BUYER_WINS, WORTH};

pub(super) const TABLES: &[CsvTable] = &[PATCHES];
const PATCHES: CsvTable = CsvTable::new(
    "patches",
    "One row per patch: how often and when it is bought, and how its buyers score",
);

/// Number of patches in the text with the highest worth, and likewise with the lowest, out of 33.
const MAX_PATCHES: usize = 3;

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let patches = &report.summary.patches;
    let table = ReportTable::of(patches)
        .csv(PATCHES)
        .listed(extremes(patches))
        .unlisted("patches of middling worth")
        .column("patch", "patch", Unit::Count, |row| row.patch)
        .column("", "shape", Unit::Shape, |row| row.patch)
        .column("price", "price", Unit::Count, |row| row.price)
        .column("time", "time", Unit::Count, |row| row.time)
        .column("income", "income", Unit::Count, |row| row.income)
        .priority(2)
        .column("size", "squares", Unit::Count, |row| row.size)
        .priority(3)
        .column("bought", "", Unit::Count, |row| row.bought)
        .column("rate", "bought", Unit::Share, |row| row.rate)
        .statistic(BOUGHT)
        .column("first", "", Unit::Count, |row| row.first)
        .column("second", "", Unit::Count, |row| row.second)
        .column("opening", "", Unit::Count, |row| row.opening)
        .column("middle", "", Unit::Count, |row| row.middle)
        .column("end", "", Unit::Count, |row| row.end)
        .column("mean_space", "on space", Unit::OneDecimal, |row| {
            row.mean_space
        })
        .priority(5)
        .estimate("win_rate", "wins", Unit::Share, |row| row.win_rate)
        .statistic(BUYER_WINS)
        .priority(4)
        .estimate("worth", "worth", Unit::Points, |row| row.worth)
        .explained(WORTH)
        .main()
        .null(0.0);
    ReportSection::new("patches", "Patches")
        .figure(|| figure(patches))
        .table(table)
        .data_only(report.all_faulted())
}

/// The patches with the highest and the lowest worth.
fn extremes(patches: &[PatchUse]) -> Vec<usize> {
    let known = (0..patches.len()).filter(|&i| patches[i].worth.interval().is_some());
    let mut known: Vec<usize> = known.collect();
    let worth = |&i: &usize| patches[i].worth.value.unwrap_or(0.0);
    known.sort_by(|one, other| worth(other).total_cmp(&worth(one)));
    if known.len() > 2 * MAX_PATCHES {
        known.drain(MAX_PATCHES..known.len() - MAX_PATCHES);
    }
    known
}

fn figure(patches: &[PatchUse]) -> Figure {
    let dots = patches.iter().filter_map(|patch| {
        let rate = patch.win_rate.value?;
        Some(Dot {
            x: f64::from(patch.price),
            y: rate,
            weight: patch.rate.unwrap_or(0.0),
            number: patch.patch,
            about: format!(
                "patch {}: {}, {}, income {}; bought in {} of the games, {} of its buyers won",
                patch.patch,
                counted(patch.price.into(), "button"),
                counted(patch.time.into(), "space"),
                patch.income,
                percent(patch.rate),
                percent(rate)
            ),
            ..Dot::default()
        })
    });
    let dots: Vec<Dot> = dots.collect();
    let (low, high) = match dots[..] {
        [] => (0.0, 1.0),
        _ => ends(dots.iter().map(|dot| dot.y)),
    };
    let room = (0.1 * (high - low)).max(0.02);
    Figure {
        about: "Win rate of each patch's buyers, plotted against the patch's price".to_owned(),
        size: FigureSize::Wide,
        x: PlotAxis::new("price in buttons", Unit::Whole, -0.7..10.7),
        y: PlotAxis::new("games won by the buyer", Unit::Share, (low - room).max(-0.02)..(high + room).min(1.02)),
        series: vec![Series::new("", 0, SeriesMark::Patches, dots)],
        caption: "Win rate against price; patches of equal price are spread out, and the circles of popular patches are \
            larger.".to_owned(),
        ..Figure::default()
    }
}
