//! What a decision may cost: budgets, and a flag that ends them early.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserializer, Serialize, Serializer};

use super::moment::Moment;
use crate::util::config::Count;
use crate::util::suggest::one_of;

/// The budget of a decision; written as one key of a table, such as `iterations = 1000`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Iterations of a search.
    Iterations(u32),
    /// Positions visited.
    Nodes(u32),
    /// Turns looked ahead.
    Depth(u32),
    /// Playouts of each action.
    Playouts(u32),
    /// Time for each decision.
    Time(Duration),
    /// Processor time of the searching thread for each decision. Other work of the machine does not take it away.
    ProcessorTime(Duration),
    /// Time for all decisions of a game together.
    GameTime(Duration),
}

impl Serialize for Budget {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map([self.units()])
    }
}

impl Budget {
    /// The keys of all units.
    pub const UNITS: &[&str] = &[
        "iterations",
        "nodes",
        "depth",
        "playouts",
        "milliseconds",
        "milliseconds_per_game",
        "processor_milliseconds",
    ];

    /// The units that external programs are told: those of [`Self::UNITS`] that do not depend on this process.
    pub const TOLD_UNITS: &[&str] = Self::UNITS.split_at(6).0;

    /// The name of its unit, one of [`Self::UNITS`], and the amount.
    #[must_use]
    pub fn units(self) -> (&'static str, u64) {
        let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        match self {
            Self::Iterations(count) => ("iterations", count.into()),
            Self::Nodes(count) => ("nodes", count.into()),
            Self::Depth(count) => ("depth", count.into()),
            Self::Playouts(count) => ("playouts", count.into()),
            Self::Time(time) => ("milliseconds", milliseconds(time)),
            Self::ProcessorTime(time) => ("processor_milliseconds", milliseconds(time)),
            Self::GameTime(time) => ("milliseconds_per_game", milliseconds(time)),
        }
    }

    /// A budget in this unit, at least 1 where it counts something. `None` if no unit has this name.
    #[must_use]
    pub fn of_units(unit: &str, count: u32) -> Option<Self> {
        let (counted, time) = (count.max(1), Duration::from_millis(count.into()));
        Some(match unit {
            "iterations" => Self::Iterations(counted),
            "nodes" => Self::Nodes(counted),
            "depth" => Self::Depth(counted),
            "playouts" => Self::Playouts(counted),
            "milliseconds" => Self::Time(time),
            "processor_milliseconds" => Self::ProcessorTime(time),
            "milliseconds_per_game" => Self::GameTime(time),
            _ => return None,
        })
    }

    /// Reads a table with exactly one of these keys, which are names of units.
    ///
    /// # Errors
    /// When the table has none of the keys, several, or another one, or the number is not from 1 to
    /// 4294967295.
    pub fn deserialize_unit<'de, D: Deserializer<'de>>(
        units: &'static [&'static str],
        from: D,
    ) -> Result<Self, D::Error> {
        from.deserialize_map(UnitVisitor(units))
    }

    /// The schema of a table that [`Self::deserialize_unit`] reads.
    #[cfg(feature = "schema")]
    #[must_use]
    pub fn unit_schema(units: &[&str]) -> schemars::Schema {
        let count =
            schemars::json_schema!({ "type": "integer", "minimum": 1, "maximum": u32::MAX });
        let units = units.iter().map(|unit| ((*unit).to_owned(), count.clone()));
        let units: serde_json::Map<String, serde_json::Value> =
            units.map(|(unit, count)| (unit, count.into())).collect();
        schemars::json_schema!({
            "type": "object",
            "properties": units,
            "additionalProperties": false,
            "minProperties": 1,
            "maxProperties": 1,
        })
    }

    /// What is left of the budget after some time has passed.
    #[must_use]
    pub fn less(self, spent: Duration) -> Self {
        self.map_time(|time| time.saturating_sub(spent))
    }

    /// This share of the budget, if it is one of time: a half for 2, a third for 3.
    #[must_use]
    pub fn share(self, share: u32) -> Self {
        self.map_time(|time| time / share)
    }

    fn map_time(self, change: impl FnOnce(Duration) -> Duration) -> Self {
        match self {
            Self::Time(time) => Self::Time(change(time)),
            Self::ProcessorTime(time) => Self::ProcessorTime(change(time)),
            Self::GameTime(time) => Self::GameTime(change(time)),
            other => other,
        }
    }

    /// The time, if this is a budget of time.
    #[must_use]
    pub const fn time(self) -> Option<Duration> {
        match self {
            Self::Time(time) | Self::ProcessorTime(time) | Self::GameTime(time) => Some(time),
            _ => None,
        }
    }

    /// This moment, on the clock that the budget counts.
    pub(crate) fn start(self) -> Moment {
        match self {
            Self::ProcessorTime(_) => Moment::processor(),
            _ => Moment::wall(),
        }
    }

    /// The number of iterations, if this budget counts them. A tree search adds one node and plays one
    /// playout in each iteration, so nodes and playouts count as iterations.
    #[must_use]
    pub const fn iterations(self) -> Option<u32> {
        match self {
            Self::Iterations(count) | Self::Nodes(count) | Self::Playouts(count) => Some(count),
            _ => None,
        }
    }
}

/// Declares `budget` and `budget_schema`, which read and describe a key `budget` of a settings file that
/// accepts these units; used by `#[serde(deserialize_with)]` and `#[schemars(schema_with)]`.
macro_rules! budget_key {
    ($units:expr) => {
        fn budget<'de, D: serde::Deserializer<'de>, B: From<Budget>>(
            from: D,
        ) -> Result<B, D::Error> {
            Budget::deserialize_unit($units, from).map(B::from)
        }

        #[cfg(feature = "schema")]
        fn budget_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            Budget::unit_schema($units)
        }
    };
}
pub(crate) use budget_key;

struct UnitVisitor(&'static [&'static str]);

impl<'de> Visitor<'de> for UnitVisitor {
    type Value = Budget;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one of the keys {}", one_of(self.0))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Budget, A::Error> {
        let mut budget = None;
        while let Some(unit) = table.next_key::<String>()? {
            if !self.0.contains(&unit.as_str()) {
                return Err(A::Error::unknown_field(&unit, self.0));
            }
            let count = table.next_value::<Count>()?.get();
            if budget.is_some() {
                let what = format!("expected {}, found more than one of them", one_of(self.0));
                return Err(A::Error::custom(what));
            }
            budget = Budget::of_units(&unit, count);
        }
        let none = || A::Error::custom(format!("expected one of the keys {}", one_of(self.0)));
        budget.ok_or_else(none)
    }
}

/// A flag that asks running work to end soon.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// A flag that is not set.
    #[must_use]
    pub const fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Asks to stop.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether stopping was asked for.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A budget that is being spent.
#[derive(Clone, Copy, Debug)]
pub struct Meter<'a> {
    budget: Budget,
    start: Moment,
    stop: &'a Stop,
    /// Iterations after which one thread makes a pause.
    pause: u32,
}

/// Reading the clock costs about as much as a cheap iteration.
const BETWEEN_LOOKS: u32 = 8;

impl<'a> Meter<'a> {
    /// A budget that is spent from now on, until it is used up or somebody asks to stop.
    #[must_use]
    pub fn new(budget: Budget, stop: &'a Stop) -> Self {
        Self {
            budget,
            start: budget.start(),
            stop,
            pause: u32::MAX,
        }
    }

    /// The meter of a search that makes a pause after this many iterations.
    pub(super) const fn with_pause(self, pause: u32) -> Self {
        Self { pause, ..self }
    }

    /// Whether another iteration may follow after this many, of which `last` came since the last question; the first
    /// one always may.
    #[inline]
    pub(super) fn allows(&self, done: u32, last: u32) -> bool {
        done == 0
            || done < self.pause
                && self.iterations_left(done) > 0
                && (done % BETWEEN_LOOKS >= last || self.has_time())
    }

    /// How many iterations the budget allows after this many; the first one always, and the maximum if it does not count them.
    #[inline]
    pub(super) fn iterations_left(&self, done: u32) -> u32 {
        let count = self.budget.iterations();
        count.map_or(u32::MAX, |count| count.max(1).saturating_sub(done))
    }

    /// Whether the time is not over and nobody has asked to stop.
    #[must_use]
    pub fn has_time(&self) -> bool {
        let time = self.budget.time();
        !self.stop.is_set() && time.is_none_or(|time| self.start.elapsed() < time)
    }

    /// Estimates how many iterations are left after this many.
    pub(super) fn left(&self, done: u32) -> u32 {
        if self.budget.iterations().is_some() {
            return self.iterations_left(done);
        }
        let Some(time) = self.budget.time() else {
            return u32::MAX;
        };
        let spent = self.start.elapsed().as_secs_f64();
        let left = (time.as_secs_f64() - spent).max(0.0);
        (left / spent * f64::from(done)).ceil() as u32
    }

    /// Whether there is time for work of about this cost.
    pub(super) fn has(&self, cost: Duration) -> bool {
        let time = self.budget.time();
        time.is_none_or(|time| time.saturating_sub(self.start.elapsed()) >= cost)
    }
}
