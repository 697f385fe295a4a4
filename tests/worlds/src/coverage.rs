//! How often the intervals in JSON contain the truth.

use std::collections::BTreeMap;

use serde_json::Value;

/// The intervals of a number of a report, over all tables of a design.
#[derive(Clone, Debug, Default)]
pub(crate) struct Covered {
    /// Those with at least one end.
    pub(crate) seen: u64,
    /// Those with a single end.
    open: u64,
    /// Those that contain the truth.
    pub(crate) hits: u64,
    /// Values without an interval.
    pub(crate) bare: u64,
    /// The widths of those with both ends.
    widths: Vec<f32>,
}

impl Covered {
    pub(crate) fn add(&mut self, [value, low, high]: [Option<f64>; 3], truth: f64) {
        if low.is_none() && high.is_none() {
            self.bare += u64::from(value.is_some());
            return;
        }
        self.seen += 1;
        self.open += u64::from(low.is_none() || high.is_none());
        let above = low.is_none_or(|low| low <= truth);
        self.hits += u64::from(above && high.is_none_or(|high| truth <= high));
        self.widths
            .extend(low.zip(high).map(|(low, high)| (high - low) as f32));
    }

    pub(crate) fn join(&mut self, other: Self) {
        self.seen += other.seen;
        self.open += other.open;
        self.hits += other.hits;
        self.bare += other.bare;
        self.widths.extend(other.widths);
    }

    /// The share of intervals that contain the truth, 0 to 1.
    pub(crate) fn share(&self) -> f64 {
        self.hits as f64 / self.seen as f64
    }

    /// By how much that should be above 95%, 0 to 1: a single end is on the right side of the truth in 97.5%.
    pub(crate) fn excess(&self) -> f64 {
        0.025 * self.open as f64 / self.seen as f64
    }

    /// The median width of the intervals with two ends.
    pub(crate) fn width(&self) -> Option<f32> {
        let mut widths = self.widths.clone();
        widths.sort_by(f32::total_cmp);
        widths.get(widths.len() / 2).copied()
    }
}

/// By the path of a number in the JSON.
pub(crate) type Coverage = BTreeMap<String, Covered>;

pub(crate) fn joined(mut all: Coverage, others: Coverage) -> Coverage {
    for (path, covered) in others {
        all.entry(path).or_default().join(covered);
    }
    all
}

/// Adds all estimates in a value; `truth` gives that of the estimate at a path in an object.
pub(crate) fn visit(
    coverage: &mut Coverage,
    value: &Value,
    path: &str,
    row: &Value,
    truth: &dyn Fn(&str, &Value) -> Option<f64>,
) {
    match value {
        Value::Object(keys) if keys.contains_key("low") && keys.contains_key("se") => {
            if let Some(truth) = truth(path, row) {
                assert!(truth.is_finite(), "{path}: {row}");
                let ends = ["value", "low", "high"].map(|key| value[key].as_f64());
                coverage
                    .entry(path.to_owned())
                    .or_default()
                    .add(ends, truth);
            }
        }
        Value::Object(keys) => keys.iter().for_each(|(key, inner)| {
            let dot = if path.is_empty() { "" } else { "." };
            visit(coverage, inner, &format!("{path}{dot}{key}"), value, truth);
        }),
        Value::Array(rows) => rows.iter().for_each(|inner| {
            // Rows of different kinds are told apart by what they are about.
            let by = inner["by"].as_str().unwrap_or_default();
            visit(coverage, inner, &format!("{path}[{by}]"), inner, truth);
        }),
        _ => {}
    }
}
