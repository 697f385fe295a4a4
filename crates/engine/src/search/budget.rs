//! What a decision may cost, in the units of all kinds of agents.

use std::fmt;
use std::time::Duration;

use patchwork_search::{Clock, Meter, Stop};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserializer, Serialize, Serializer};

use crate::util::clock::{processor_time, wall_time};
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
    pub fn deserialize_unit<'de, D: Deserializer<'de>>(
        units: &'static [&'static str],
        from: D,
    ) -> Result<Self, D::Error> {
        from.deserialize_map(UnitVisitor(units))
    }

    /// The schema of a table that [`Self::deserialize_unit`] reads.
    #[cfg(feature = "schema")]
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
    pub fn less(self, spent: Duration) -> Self {
        self.map_time(|time| time.saturating_sub(spent))
    }

    /// This share of the budget, if it is one of time: a half for 2, a third for 3.
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
    pub const fn time(self) -> Option<Duration> {
        match self {
            Self::Time(time) | Self::ProcessorTime(time) | Self::GameTime(time) => Some(time),
            _ => None,
        }
    }

    /// Tells the time that has passed since now, on the clock that the budget counts; nothing passes without a budget of
    /// time. For processor time, the thread must be the same.
    pub(crate) fn stopwatch(self) -> impl Fn() -> Duration {
        let clock: Clock = match self.time() {
            Some(_) => self.clock(),
            None => || Duration::ZERO,
        };
        let start = clock();
        move || clock().saturating_sub(start)
    }

    /// The clock of decisions with this budget: wall time if it counts that, otherwise processor time of the thread, which
    /// then searches alone.
    pub(crate) const fn clock(self) -> Clock {
        match self.is_wall_time() {
            true => wall_time,
            false => processor_time,
        }
    }

    /// Whether it counts wall time.
    pub const fn is_wall_time(self) -> bool {
        matches!(self, Self::Time(_) | Self::GameTime(_))
    }

    /// The budget as a search spends it from now on.
    pub fn meter(self, stop: &Stop) -> Meter<'_> {
        match (self.iterations(), self.time()) {
            (Some(count), _) => Meter::iterations(count, stop),
            (None, Some(time)) => Meter::time(time, self.clock(), stop),
            (None, None) => Meter::unlimited(stop),
        }
    }

    /// The number of iterations, if this budget counts them. A tree search adds one node and plays one
    /// playout in each iteration, so nodes and playouts count as iterations.
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
