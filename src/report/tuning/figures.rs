//! The figures of the report of a search.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::results::{CandidateSetting, ConvergenceRow, TuningReport};
use super::times::CandidateTime;
use crate::document::{
    CoordinateAxis, CoordinateLine, Coordinates, Dot, Figure, FigureSize, Grid, GridCell, PlotAxis,
    Series, SeriesMark, Unit, brief_settings, counted, ends, percent,
};
use crate::domain::SettingValue;
use crate::tune::{CHOICE, EffectRow, KeyPairRow, Stage};

/// Maximum number of candidates in parallel coordinates.
const MOST_LINES: usize = 80;
/// Maximum number of labels on the axis of a number.
const MOST_LABELS: usize = 5;

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
    keys(report).iter().map(|rows| &*rows[0].key).collect()
}

/// Evenly spread labels of some values of a key.
fn labels(rows: &[EffectRow]) -> Vec<(f64, String)> {
    let is_choice = rows.iter().any(|row| row.kind == CHOICE);
    let step = match is_choice {
        true => 1,
        false => rows
            .len()
            .saturating_sub(1)
            .div_ceil(MOST_LABELS - 1)
            .max(1),
    };
    let rows = rows.iter().step_by(step);
    rows.map(|row| (row.place, row.value.plain())).collect()
}

/// The marginal effect of a key: a curve with its interval, or a value with its interval for each choice.
pub(super) fn effect(report: &TuningReport, rows: &[EffectRow]) -> Figure {
    let results = report.effects.iter().map(|row| row.result);
    let results = results.flat_map(|of| [of.low, of.value, of.high]).flatten();
    let (key, kind) = rows
        .first()
        .map_or(("", CHOICE), |row| (&*row.key, row.kind));
    let dots = rows.iter().filter_map(|row| {
        Some(Dot {
            x: row.place,
            y: row.result.value?,
            low: row.result.low,
            high: row.result.high,
            about: format!(
                "{}: {}, {}",
                row.value.plain(),
                Unit::Three.with_interval(row.result),
                counted(row.pairs.into(), "pair")
            ),
            ..Dot::default()
        })
    });
    let importance = rows.first().map(|row| row.importance);
    Figure {
        title: key.to_owned(),
        about: format!("Expected result by {key}, with 95% intervals"),
        x: PlotAxis::new(
            "",
            Unit::Three,
            if kind == CHOICE {
                0.0..1.0
            } else {
                -0.03..1.03
            },
        ),
        y: PlotAxis::new("result", Unit::Three, around(results)),
        series: vec![Series::new(
            "",
            0,
            match kind {
                CHOICE => SeriesMark::Dots,
                _ => SeriesMark::DottedLine,
            },
            dots,
        )],
        labels: labels(rows),
        caption: format!("Explains {} of the variance alone.", percent(importance)),
        ..Figure::default()
    }
}

/// The expected result of the incumbent over the games of the search.
pub(super) fn convergence(report: &TuningReport) -> Figure {
    let rows = &report.convergence;
    let keys = names(report);
    let dot = |row: &ConvergenceRow| {
        Some(Dot {
            x: row.games as f64,
            y: row.result.value?,
            low: row.result.low,
            high: row.result.high,
            about: format!(
                "{}: {}, {}",
                counted(row.games, "game"),
                Unit::Three.with_interval(row.result),
                brief_settings(&row.settings, &keys)
            ),
            ..Dot::default()
        })
    };
    let races = |row: &&ConvergenceRow| row.stage != Stage::Search;
    let series = |name: &str, colour, is_race: bool| {
        Series::new(
            name,
            colour,
            SeriesMark::DottedLine,
            (rows.iter().filter(|row| races(row) == is_race)).filter_map(dot),
        )
    };
    let all = [series("search", 0, false), series("final race", 1, true)];
    Figure {
        about: "Expected result of the incumbent by games played, with 95% intervals".to_owned(),
        size: FigureSize::Wide,
        x: PlotAxis::new(
            "games",
            Unit::Count,
            0.0..rows.last().map_or(1.0, |row| 1.02 * row.games as f64),
        ),
        y: PlotAxis::new(
            "result",
            Unit::Three,
            around(
                rows.iter()
                    .filter_map(|row| row.result.interval())
                    .flat_map(<[f64; 2]>::from),
            ),
        ),
        series: all.into_iter().filter(|one| !one.dots.is_empty()).collect(),
        ..Figure::default()
    }
}

/// Candidates by their own thinking time per game, on a logarithmic scale, with a line through the efficient
/// ones.
pub(super) fn costs(report: &TuningReport) -> Figure {
    const SHORTEST: f64 = 1e-7;
    let keys = names(report);
    let rows = &report.times.candidates;
    let time = |row: &CandidateTime| libm::log10(row.seconds.max(SHORTEST));
    let dot = |row: &CandidateTime| Dot {
        x: time(row),
        y: row.result,
        about: format!(
            "{}. {}: {}, {} a game",
            row.rank,
            brief_settings(&row.settings, &keys),
            Unit::Three.number(row.result),
            Unit::Seconds.number(row.seconds)
        ),
        ..Dot::default()
    };
    let mut efficient: Vec<Dot> = (rows.iter().filter(|row| row.is_efficient))
        .map(dot)
        .collect();
    efficient.sort_by(|a, b| a.x.total_cmp(&b.x));
    let others = rows.iter().filter(|row| !row.is_efficient);
    Figure {
        about: "Expected result of each candidate by its thinking time in a game".to_owned(),
        size: FigureSize::Wide,
        x: PlotAxis::new(
            "time a game",
            Unit::LogSeconds,
            around(rows.iter().map(time)),
        ),
        y: PlotAxis::new(
            "result",
            Unit::Three,
            around(rows.iter().map(|row| row.result)),
        ),
        series: vec![
            Series::new("efficient", 0, SeriesMark::DottedLine, efficient),
            Series::new("other candidates", 0, SeriesMark::Dots, others.map(dot)),
        ],
        ..Figure::default()
    }
}

/// The candidates as lines through all keys: the best, and evenly spaced ones of the rest.
pub(super) fn coordinates(report: &TuningReport) -> Coordinates {
    let keys = keys(report);
    let mut places: BTreeMap<(usize, &str), &CandidateSetting> = BTreeMap::new();
    for row in &report.settings {
        places.insert((row.rank, &row.key), row);
    }
    let step = report.candidates.len().div_ceil(MOST_LINES).max(1);
    let shown = report.candidates.iter().enumerate();
    let shown = shown.filter(|(i, row)| i % step == 0 || row.is_base);
    let shown: Vec<_> = shown.map(|(_, row)| row).collect();
    let results = around(shown.iter().filter_map(|row| row.result.value));
    let names = names(report);
    let winner = |settings: &str| settings == report.winner;
    let lines = shown.iter().map(|row| CoordinateLine {
        places: (names.iter())
            .map(|key| places.get(&(row.rank, *key)).map(|row| row.place))
            .collect(),
        share: row.result.value.map_or(0.0, |result| {
            (result - results.start) / (results.end - results.start)
        }),
        name: match (winner(&row.settings), row.is_base) {
            (true, _) => "winner",
            (_, true) => "base",
            _ => "",
        },
        about: format!(
            "{}. {}: {}",
            row.rank,
            brief_settings(&row.settings, &names),
            Unit::Three.with_interval(row.result)
        ),
    });
    let ends = [shown.last(), shown.first()];
    Coordinates {
        title: "Settings of candidates".to_owned(),
        about: "A line for each candidate through its settings, coloured by its expected result"
            .to_owned(),
        lines: lines.collect(),
        axes: (keys.iter())
            .map(|rows| CoordinateAxis {
                name: rows[0].key.clone(),
                labels: labels(rows),
                is_choice: rows[0].kind == CHOICE,
            })
            .collect(),
        ends: ends.map(|row| row.map_or_else(String::new, |row| Unit::Three.known(row.result))),
    }
}

/// How much the keys depend on each other, for all pairs.
pub(super) fn interactions(report: &TuningReport) -> Grid<'_> {
    let keys = names(report);
    let mut known: BTreeMap<[&str; 2], f64> = BTreeMap::new();
    for row in &report.key_pairs {
        known.insert([&row.a, &row.b], row.interaction);
        known.insert([&row.b, &row.a], row.interaction);
    }
    let most = known
        .values()
        .fold(0.0, |most: f64, value| most.max(*value));
    let rows = keys.clone();
    let cell = move |i: usize, j: usize| {
        let value = *known.get(&[keys[i], keys[j]])?;
        let share = if most > 0.0 { value / most } else { 0.0 };
        Some(GridCell {
            share: 0.5 + 0.5 * share,
            text: Some(Unit::Three.number(value)),
            about: format!("{} and {}: {}", keys[i], keys[j], Unit::Three.number(value)),
        })
    };
    Grid {
        title: "All pairs".to_owned(),
        about: "Columns are numbered as rows.".to_owned(),
        corner: "key",
        rows: rows.into_iter().map(Cow::Borrowed).collect(),
        columns: None,
        cell: Box::new(cell),
        in_text: false,
    }
}

/// The expected result of each combination of values of two keys. The key with the longer values is on
/// the left.
pub(super) fn heat_map(rows: &[KeyPairRow]) -> Option<Grid<'_>> {
    let first = rows.first()?;
    let mut values: [Vec<&SettingValue>; 2] = [Vec::new(), Vec::new()];
    for row in rows {
        for (values, value) in values.iter_mut().zip([&row.a_value, &row.b_value]) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
    }
    let longest = |values: &[&SettingValue]| values.iter().map(|value| value.plain().len()).max();
    let turned = longest(&values[0]) < longest(&values[1]);
    let [a, b] = values.clone();
    let ([left, top], [left_key, top_key]) = match turned {
        true => ([b, a], [&first.b, &first.a]),
        false => ([a, b], [&first.a, &first.b]),
    };
    let results = rows.iter().filter_map(|row| row.result);
    let (count, sum) = results
        .clone()
        .fold((0, 0.0), |(n, sum), x| (n + 1, sum + x));
    let mean = sum / f64::from(count.max(1));
    let far = results
        .map(|value| (value - mean).abs())
        .fold(0.0, f64::max);
    let (of_left, of_top) = (left.clone(), top.clone());
    let cell = move |i: usize, j: usize| {
        let wanted = match turned {
            true => [of_top[j], of_left[i]],
            false => [of_left[i], of_top[j]],
        };
        let found = rows
            .iter()
            .find(|row| [&row.a_value, &row.b_value] == wanted)?;
        let value = found.result?;
        Some(GridCell {
            share: if far > 0.0 {
                0.5 + 0.5 * (value - mean) / far
            } else {
                0.5
            },
            text: Some(Unit::Three.number(value)),
            about: format!(
                "{}={}, {}={}: {}",
                found.a,
                found.a_value.plain(),
                found.b,
                found.b_value.plain(),
                Unit::Three.number(value)
            ),
        })
    };
    let named = |values: &[&SettingValue]| -> Vec<Cow<'_, str>> {
        values
            .iter()
            .map(|value| Cow::Owned(value.plain()))
            .collect()
    };
    Some(Grid {
        title: format!("{left_key} and {top_key}"),
        about: format!(
            "Expected results, {left_key} from top to bottom, {top_key} from left to right. Colours show what is above and below \
             the mean of {}.",
            Unit::Three.number(mean)
        ),
        corner: left_key,
        rows: named(&left),
        columns: Some(named(&top)),
        cell: Box::new(cell),
        in_text: false,
    })
}
