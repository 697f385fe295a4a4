//! The values that a key of an agent can take, as sweeps and tuning spaces state them.
//!
//! ```
//! use patchwork_tournament::domain::Domain;
//!
//! let exploration = Domain::Real { low: 0.2, high: 3.2, step: None, log: true };
//! assert_eq!(exploration.spread(3), [0.2.into(), 0.8.into(), 3.2.into()]);
//! ```

mod key_values;
mod value;

use std::collections::BTreeMap;
use std::fmt::Display;

use patchwork_engine::agent::{AgentFile, Overrides};
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::{Rng, below};
use rand::RngExt as _;
use serde::Serialize;

pub use key_values::{FileKey, KeyValues, TABLE_KEYS, read_key};
pub use value::SettingValue;

/// The values of keys as changes of an agent.
pub fn overrides(values: &BTreeMap<String, SettingValue>) -> Result<Overrides, InputError> {
    let mut overrides = Overrides::default();
    for (key, value) in values {
        overrides.insert(key, value.toml())?;
    }
    Ok(overrides)
}

/// The value of a dotted key of an agent's settings.
pub fn value_of(table: &toml::Table, key: &str) -> Option<toml::Value> {
    let mut parts = key.split('.');
    let mut value = table.get(parts.next()?)?;
    for part in parts {
        value = value.as_table()?.get(part)?;
    }
    Some(value.clone())
}

/// Checks that an agent can lack a key if its values have [`SettingValue::None`]: the key has no default.
pub fn check_none(base: &AgentFile, key: &str, domain: &Domain) -> Result<(), String> {
    if !domain.has_none() {
        return Ok(());
    }
    let mut without = Overrides::default();
    let without = without.insert(key, None).map(|()| without);
    let agent = without.and_then(|without| base.variant(&without));
    let agent = agent.map_err(|error| format!("none: {}", error.without_place()))?;
    match value_of(&agent.config.effective().table(), key) {
        None => Ok(()),
        Some(default) => Err(format!(
            "none: without the key, the value is {default}; expected a key without a default, such as rollout.depth"
        )),
    }
}

/// The values that a key can take. Numbers are also seen as positions from 0 to 1, on a logarithmic
/// scale if `log` is set.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Domain {
    /// Values without an order.
    Choice(Vec<SettingValue>),
    /// Whole numbers from `low` to `high`, `step` apart.
    Integer {
        /// The smallest value.
        low: i64,
        /// The largest allowed value.
        high: i64,
        /// The distance between neighbouring values, at least 1.
        step: i64,
        /// Whether equal factors rather than equal differences are equally far apart.
        log: bool,
    },
    /// Real numbers from `low` to `high`.
    Real {
        /// The smallest value.
        low: f64,
        /// The largest value.
        high: f64,
        /// The distance between neighbouring values; `None` if every number in the range is a value.
        step: Option<f64>,
        /// Whether equal factors rather than equal differences are equally far apart.
        log: bool,
    },
    /// The values of a range, and [`SettingValue::None`] beyond its largest one.
    OrNone(Box<Domain>),
}

/// The part of the positions of [`Domain::OrNone`] that the range has, and of its random values.
const RANGE: f64 = 0.875;

impl Domain {
    /// Checks the numbers.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::OrNone(range) => range.check(),
            Self::Choice(values) => check_choice(values),
            Self::Integer {
                low,
                high,
                step,
                log,
            } => {
                check_bounds(low, high)?;
                if *step < 1 {
                    return Err(format!("step is {step}, expected at least 1"));
                }
                if i128::from(*step) > i128::from(*high) - i128::from(*low) {
                    return Err(format!("step is {step}, so {low} would be the only value"));
                }
                check_log(*log, *low as f64)
            }
            Self::Real {
                low,
                high,
                step,
                log,
            } => {
                for (name, bound) in [("low", low), ("high", high)] {
                    if !bound.is_finite() {
                        return Err(format!("{name} is {bound}, expected a finite number"));
                    }
                }
                check_bounds(low, high)?;
                if !(high - low).is_finite() {
                    return Err("high - low is too large for a number".to_owned());
                }
                match step {
                    Some(step) if step.is_nan() || *step <= 0.0 => {
                        return Err(format!("step is {step}, expected more than 0"));
                    }
                    Some(step) if *step > high - low => {
                        return Err(format!("step is {step}, so {low} would be the only value"));
                    }
                    Some(_) if *log => {
                        return Err("a step cannot be combined with log = true".to_owned());
                    }
                    _ => {}
                }
                check_log(*log, *low)
            }
        }
    }

    /// Whether the values are numbers with an order.
    pub const fn is_ordered(&self) -> bool {
        !matches!(self, Self::Choice(_))
    }

    /// Number of values; `None` for an interval of real numbers.
    pub fn count(&self) -> Option<u64> {
        match self {
            Self::OrNone(range) => range.count().map(|count| count.saturating_add(1)),
            Self::Choice(values) => Some(values.len() as u64),
            Self::Integer {
                low, high, step, ..
            } => Some((high.abs_diff(*low) / step.unsigned_abs()).saturating_add(1)),
            Self::Real {
                low, high, step, ..
            } => step.map(|step| ((high - low) / step + 1e-9) as u64 + 1),
        }
    }

    /// Whether an agent may lack the key.
    pub fn has_none(&self) -> bool {
        match self {
            Self::Choice(values) => values.contains(&SettingValue::None),
            other => matches!(other, Self::OrNone(_)),
        }
    }

    /// The range without [`SettingValue::None`].
    pub fn range(&self) -> &Self {
        match self {
            Self::OrNone(range) => range,
            other => other,
        }
    }

    /// The value of the domain that means the same as the given one.
    pub fn accept(&self, value: &SettingValue) -> Result<SettingValue, String> {
        if let Self::OrNone(range) = self {
            return match value {
                SettingValue::None => Ok(SettingValue::None),
                value => range.accept(value),
            };
        }
        if let Self::Choice(values) = self {
            let same = values.iter().find(|known| known.means(value));
            return same.cloned().ok_or_else(|| {
                let all: Vec<String> = values.iter().map(ToString::to_string).collect();
                format!("{value} is not one of {}", all.join(", "))
            });
        }
        let Some(number) = value.number() else {
            return Err(format!("found {value}, expected a number"));
        };
        let (low, high) = self.bounds();
        if !(low..=high).contains(&number) {
            return Err(format!("{value} is out of range, expected {low} to {high}"));
        }
        match self {
            // Positions are too coarse for integers beyond 2^53.
            Self::Integer { low, step, .. } => match value {
                SettingValue::Real(real) if real.fract() != 0.0 => {
                    Err(format!("found {value}, expected a whole number"))
                }
                SettingValue::Integer(whole) if whole.abs_diff(*low) % step.unsigned_abs() == 0 => {
                    Ok(value.clone())
                }
                SettingValue::Integer(_) => Err(format!(
                    "{value} is not a whole number of steps of {step} above {low}"
                )),
                _ => self.accept(&SettingValue::Integer(number as i64)),
            },
            Self::Real {
                step: Some(step), ..
            } => {
                let on_step = self.value_at(self.position(value));
                let near = on_step.number().unwrap_or(number);
                if (near - number).abs() <= 1e-9 * step {
                    Ok(on_step)
                } else {
                    Err(format!(
                        "{value} is not a whole number of steps of {step} above {low}"
                    ))
                }
            }
            _ => Ok(number.into()),
        }
    }

    /// The bounds of a numeric domain; 0 and the last index of a choice.
    fn bounds(&self) -> (f64, f64) {
        match self {
            Self::OrNone(range) => range.bounds(),
            Self::Choice(values) => (0.0, values.len() as f64 - 1.0),
            Self::Integer { low, high, .. } => (*low as f64, *high as f64),
            Self::Real { low, high, .. } => (*low, *high),
        }
    }

    /// Position of a value between the bounds, 0 to 1. The values of a choice are in the middle of equal
    /// parts.
    pub fn position(&self, value: &SettingValue) -> f64 {
        if let Self::OrNone(range) = self {
            return match value {
                SettingValue::None => 1.0,
                value => RANGE * range.position(value),
            };
        }
        if let Self::Choice(values) = self {
            let index = values.iter().position(|known| known.means(value));
            return (index.unwrap_or(0) as f64 + 0.5) / values.len() as f64;
        }
        let (low, high) = self.bounds();
        let number = value.number().unwrap_or(low).clamp(low, high);
        let log = matches!(
            self,
            Self::Integer { log: true, .. } | Self::Real { log: true, .. }
        );
        if log {
            libm::log(number / low) / libm::log(high / low)
        } else {
            (number - low) / (high - low)
        }
    }

    /// The value nearest to a position from 0 to 1.
    pub fn value_at(&self, position: f64) -> SettingValue {
        let position = if position.is_nan() {
            0.5
        } else {
            position.clamp(0.0, 1.0)
        };
        let (low, high) = self.bounds();
        let between = |log: bool| {
            if log {
                (low * libm::exp(position * libm::log(high / low))).clamp(low, high)
            } else {
                (low + position * (high - low)).clamp(low, high)
            }
        };
        match self {
            Self::OrNone(_) if position > f64::midpoint(RANGE, 1.0) => SettingValue::None,
            Self::OrNone(range) => range.value_at(position / RANGE),
            Self::Choice(values) => {
                let index = (position * values.len() as f64) as usize;
                values[index.min(values.len() - 1)].clone()
            }
            Self::Integer { low, step, log, .. } => {
                let steps = libm::round((between(*log) - *low as f64) / *step as f64) as u64;
                self.nth(steps)
            }
            Self::Real {
                low,
                high,
                step,
                log,
            } => match step {
                Some(step) => self.nth(libm::round((between(*log) - low) / step) as u64),
                None => rounded(between(*log), DIGITS).clamp(*low, *high).into(),
            },
        }
    }

    /// A random value: every value of a choice and every step of a linear range is equally likely;
    /// on a logarithmic scale every factor is.
    pub fn sample(&self, rng: &mut Rng) -> SettingValue {
        match self {
            Self::OrNone(_) if rng.random::<f64>() >= RANGE => SettingValue::None,
            Self::OrNone(range) => range.sample(rng),
            Self::Choice(values) => values[below(values.len() as u32, rng) as usize].clone(),
            Self::Integer { log: false, .. } | Self::Real { step: Some(_), .. } => {
                self.nth(rng.random_range(0..=self.count().unwrap_or(1) - 1))
            }
            _ => self.value_at(rng.random::<f64>()),
        }
    }

    /// The value below which this share of random values lies, 0 to 1.
    pub fn quantile(&self, share: f64) -> SettingValue {
        match self {
            Self::OrNone(_) if share >= RANGE => SettingValue::None,
            Self::OrNone(range) => range.quantile(share / RANGE),
            Self::Integer { log: true, .. } | Self::Real { step: None, .. } => self.value_at(share),
            _ => self.nth((share * self.count().unwrap_or(1) as f64) as u64),
        }
    }

    /// The value with this index, or the last one, of a domain whose values are counted.
    fn nth(&self, index: u64) -> SettingValue {
        let index = index.min(self.count().unwrap_or(1) - 1);
        match self {
            Self::OrNone(range) if Some(index) == range.count() => SettingValue::None,
            Self::OrNone(range) => range.nth(index),
            Self::Choice(values) => values[index as usize].clone(),
            Self::Integer { low, step, .. } => {
                let steps = i64::try_from(index).unwrap_or(i64::MAX);
                SettingValue::Integer(low.saturating_add(steps.saturating_mul(*step)))
            }
            Self::Real {
                low,
                step: Some(step),
                ..
            } => stepped(low + index as f64 * step, *step).into(),
            Self::Real { low, .. } => (*low).into(),
        }
    }

    /// All values, at most `most`; `None` if there are more, as in an interval of real numbers.
    pub fn all(&self, most: u64) -> Option<Vec<SettingValue>> {
        let count = self.count().filter(|count| *count <= most)?;
        Some((0..count).map(|index| self.nth(index)).collect())
    }

    /// This many values spread evenly over a range, including both bounds, and none if an agent may lack the key. Values can
    /// repeat where the range has fewer.
    pub fn spread(&self, count: usize) -> Vec<SettingValue> {
        if let Self::OrNone(range) = self {
            let none = std::iter::once(SettingValue::None);
            return range.spread(count).into_iter().chain(none).collect();
        }
        let last = (count.max(2) - 1) as f64;
        (0..count).map(|i| self.value_at(i as f64 / last)).collect()
    }

    /// At most `most` values spread evenly over the domain, including both bounds; all values of a choice.
    pub fn levels(&self, most: usize) -> Vec<SettingValue> {
        if let Self::Choice(values) = self {
            return values.clone();
        }
        if let Self::OrNone(range) = self {
            let none = std::iter::once(SettingValue::None);
            return range.levels(most - 1).into_iter().chain(none).collect();
        }
        let most = most.max(2);
        let count = self.count().map_or(most, |count| {
            usize::try_from(count).map_or(most, |count| count.min(most))
        });
        let mut levels = self.spread(count);
        levels.dedup();
        levels
    }
}

/// Significant digits of numbers in a range, so that settings stay readable.
const DIGITS: usize = 4;

fn rounded(number: f64, digits: usize) -> f64 {
    format!("{number:.*e}", digits - 1)
        .parse()
        .unwrap_or(number)
}

/// A number in a range with a step, rounded to a millionth of the step to remove floating-point errors.
fn stepped(number: f64, step: f64) -> f64 {
    let places = (6.0 - libm::floor(libm::log10(step))).clamp(0.0, 300.0);
    format!("{number:.*}", places as usize)
        .parse()
        .unwrap_or(number)
}

fn check_choice(values: &[SettingValue]) -> Result<(), String> {
    if values.is_empty() {
        return Err("the list of values is empty".to_owned());
    }
    for (i, value) in values.iter().enumerate() {
        if matches!(value, SettingValue::Real(real) if !real.is_finite()) {
            return Err(format!("found {value}, expected a finite number"));
        }
        if values[..i].iter().any(|before| before.means(value)) {
            return Err(format!("the value {value} is given twice"));
        }
    }
    Ok(())
}

fn check_bounds<T: PartialOrd + Display>(low: T, high: T) -> Result<(), String> {
    match low < high {
        true => Ok(()),
        false => Err(format!(
            "low is {low} and high is {high}, expected low < high"
        )),
    }
}

fn check_log(log: bool, low: f64) -> Result<(), String> {
    if log && low <= 0.0 {
        return Err(format!(
            "low is {low}, expected more than 0 with log = true"
        ));
    }
    Ok(())
}
