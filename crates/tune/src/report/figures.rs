//! The figures of the report of a search.

use std::ops::Range;

use super::results::TuningReport;
use crate::{CHOICE, EffectRow};
use patchwork_report::document::{
    Dot, Figure, PlotAxis, Series, SeriesMark, Unit, counted, ends, percent,
};

/// Maximum number of labels on the axis of a number.
const MAX_LABELS: usize = 5;

/// A range around values, with some room.
fn around(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = ends(values);
    if low > high {
        return 0.0..1.0;
    }
    let room = 0.06 * (high - low).max(0.01);
    low - room..high + room
}

/// The effects of the keys, one key after another.
pub(super) fn keys(report: &TuningReport) -> Vec<&[EffectRow]> {
    let rows = &report.effects;
    rows.chunk_by(|one, other| one.key == other.key).collect()
}

/// The names of the keys, the most important first.
pub(super) fn names(report: &TuningReport) -> Vec<&str> {
    report.importance.iter().map(|row| &*row.key).collect()
}

/// A value, or the ends of an interval.
pub(super) fn value(row: &EffectRow) -> String {
    match row.from == row.to {
        true => row.value.plain(),
        false => format!("{} to {}", row.from.plain(), row.to.plain()),
    }
}

/// Evenly spread labels of some values of a key.
fn labels(rows: &[EffectRow]) -> Vec<(f64, String)> {
    let is_choice = rows.iter().any(|row| row.kind == CHOICE);
    let step = match is_choice {
        true => 1,
        false => rows.len().saturating_sub(1).div_ceil(MAX_LABELS - 1).max(1),
    };
    let rows = rows.iter().step_by(step);
    rows.map(|row| (row.place, row.value.plain())).collect()
}

/// The marginal effect of a key: a curve with its interval, or a value with its interval for each choice.
pub(super) fn effect(report: &TuningReport, rows: &[EffectRow]) -> Figure {
    let results = report.effects.iter().map(|row| row.result);
    let results = results.flat_map(|of| [of.low, of.value, of.high]).flatten();
    let first = rows.first();
    let (key, kind) = first.map_or(("", CHOICE), |row| (&*row.key, row.kind));
    let (along, mark) = match kind {
        CHOICE => (0.0..1.0, SeriesMark::Dots),
        _ => (-0.03..1.03, SeriesMark::DottedLine),
    };
    let dots = rows.iter().filter_map(|row| {
        Some(Dot {
            x: row.place,
            y: row.result.value?,
            low: row.result.low,
            high: row.result.high,
            about: format!(
                "{}: {}, {}",
                value(row),
                Unit::ThreeDecimals.with_interval(row.result),
                counted(row.pairs.into(), "pair")
            ),
            ..Dot::default()
        })
    });
    let share = report.importance.iter().find(|row| row.key == key);
    Figure {
        title: key.to_owned(),
        about: format!("Expected result by {key}, with 95% intervals"),
        x: PlotAxis::new("", Unit::ThreeDecimals, along),
        y: PlotAxis::new("result", Unit::ThreeDecimals, around(results)),
        series: vec![Series::new("", 0, mark, dots)],
        labels: labels(rows),
        caption: share.map_or_else(String::new, |row| {
            let [total, own] = [row.total, row.own].map(|of| percent(of.value));
            format!("Explains {total} of the variance, {own} alone.")
        }),
        ..Figure::default()
    }
}
