//! How a tree is searched: each setting once.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::allocation::{Allocator, RootAllocation};
use crate::choice::{ActionTally, FinalChoice};
use crate::part::Selected;
use crate::select::SelectionRule;
use crate::settings_error::{SettingsError, check_range};

/// Progressive widening: base x N^power actions of a node with N visits may be tried, at least one, in
/// the order of the expansion (Chaslot et al., "Progressive strategies for Monte-Carlo tree search",
/// 2008).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Widening {
    /// Actions at the first visit, 0.001 to 1,000,000.
    pub base: f32,
    /// 0 to 1.
    pub power: f32,
}

/// A selection rule with its keys.
pub type ActionRule = Selected<SelectionRule>;

/// A final choice with its keys.
pub type ActionChoice = Selected<FinalChoice>;

/// A root allocation with its keys.
pub type RootShares = Selected<RootAllocation>;

/// The settings of a search, each declared once: the type, the default, the range, the version since which it exists, and
/// what it is. One with `?` has no default; `:=` says that a file always states it.
///
/// The macro calls another one with the declarations of a group between other tokens. [`Settings`] is declared by them, and
/// [`settings_of`](crate::settings_of) makes it from the keys of a program that reads them from files.
#[macro_export]
macro_rules! search_settings {
    (selection [$($then:tt)*] [$($before:tt)*] [$($after:tt)*]) => { $($then)*! { $($before)*
        /// The selection rule.
        pub select: ActionRule = (ActionRule::default()),
        /// The exploration constant c of the rule, 0 or more.
        pub exploration: f64 := 0.7 in 0.0..=1000.0,
        /// The value of an untried action is the mean of the node plus this number. If absent, each
        /// action is tried once first.
        pub first_play: f64? in -1.0..=1.0,
        /// Progressive widening: how many actions may be tried.
        pub widening: Widening?,
        $($after)*
    } };
    (decision [$($then:tt)*] [$($before:tt)*] [$($after:tt)*]) => { $($then)*! { $($before)*
        // Lanctot et al., "Monte Carlo tree search with heuristic evaluations using implicit minimax backups", 2014.
        /// Weight of the position estimate backed up by minimax, 0 to 1.
        pub minimax: f64 = (0.0) in 0.0..=1.0,
        // Means lie too near to one half, since they also count the iterations that tried weak actions.
        /// The log-odds of reported chances to win are those of the search times this number, 0.1 to 10; 1 by default.
        /// No decision depends on it.
        pub confidence: f64 = (1.0) in 0.1..=10.0; since "0.2",
        // The share of the iterations that try weak actions falls with the length of a search.
        /// From 100,000 visits N of the root on, the confidence is multiplied by (N / 100,000) to the power of this number, -1
        /// to 0; 0 by default.
        pub confidence_power: f64 = (0.0) in -1.0..=0.0; since "0.3",
        // With another allocation than that of the selection rule, a search has no batch, and is not the same with a pause.
        /// Which action of the root gets the next iteration; `halving` requires `budget.iterations`, `noise` a rule with priors.
        pub allocation: RootShares = (RootShares::default()); since "0.3",
        /// How the action is chosen when the search ends.
        pub choice: ActionChoice = (ActionChoice::default()); since "0.3",
        /// Whether proven wins and losses are backed up.
        pub solver: bool = (true),
        $($after)*
    } };
    (growth [$($then:tt)*] [$($before:tt)*] [$($after:tt)*]) => { $($then)*! { $($before)*
        // They could still prove that it loses or that another one wins.
        /// Whether a search ends once the iterations left cannot change which action is chosen; by
        /// default only with a time budget per game.
        pub early_stop: bool = (false),
        // At most more iterations than a position with few visits gets.
        /// Maximum number of iterations in a row below one position, at most one for 8 of its visits, before the search starts
        /// at the root again; 1 by default. Not with `rave` or `transpositions`. Several threads always search like this.
        pub batch: u32 = (1) in 1..=1024; since "0.3",
        // A root can have hundreds of actions, and the tree must also have room for the nodes below them. The least visited
        // are recycled.
        /// The maximum number of positions in the tree.
        pub nodes: Count = (1 << 20) in 10_000..=1 << 26,
        // Childs, Brodeur and Kocsis, "Transpositions and move groups in Monte Carlo tree search", 2008, their UCT1.
        /// Whether positions reached by different sequences of actions share a node.
        pub transpositions: bool = (false),
        $($after)*
    } };
}

/// Makes [`Settings`] from the keys of a program, which have the values in effect as methods and those without a default as
/// fields.
#[macro_export]
macro_rules! settings_of {
    ($keys:ident) => { $crate::settings_of! { @ $keys [selection decision growth] } };
    (@ $keys:ident [$group:ident $($more:ident)*] $($known:tt)*) => {
        $crate::search_settings! { $group [$crate::settings_of] [@ $keys [$($more)*] $($known)*] [] }
    };
    (@ $keys:ident [] $(
        $(#[$about:meta])* pub $key:ident: $type:ident $(?)? $(:)? $(= $default:tt)? $(in $range:expr)? $(; since $since:literal)?,
    )*) => {
        $crate::Settings {
            $($key: $crate::settings_of!(@value $keys.$key $type $($default)?),)*
            two_results: false,
        }
    };
    (@value $keys:ident.$key:ident f64) => { $keys.$key.map(|value| value as f32) };
    (@value $keys:ident.$key:ident f64 $default:tt) => { $keys.$key() as f32 };
    (@value $keys:ident.$key:ident $type:ident) => { $keys.$key };
    (@value $keys:ident.$key:ident $type:ident $default:tt) => { $keys.$key() };
}

macro_rules! declare {
    ([$group:ident $($more:ident)*] $($known:tt)*) => {
        search_settings! { $group [declare] [[$($more)*] $($known)*] [] }
    };
    ([] $(
        $(#[$about:meta])* pub $key:ident: $type:ident $(?)? $(:)? $(= $default:tt)? $(in $range:expr)? $(; since $since:literal)?,
    )*) => {
        /// The settings of a search.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Settings {
            $($(#[$about])* pub $key: declare!(@type $type $($default)?),)*
            /// Whether every value is 0 or 1, as with playouts that count wins: the variance of the results of an action then
            /// follows from their mean, and need not be stored.
            pub two_results: bool,
        }

        impl Default for Settings {
            fn default() -> Self {
                Self {
                    $($key: declare!(@default $($default)?),)*
                    two_results: false,
                }
            }
        }

        impl Settings {
            /// Checks the numbers that are declared with a range.
            fn check_ranges(&self) -> Result<(), SettingsError> {
                $($(check_number(stringify!($key), self.$key, $range)?;)?)*
                Ok(())
            }
        }
    };
    (@type f64) => { Option<f32> };
    (@type $type:ident) => { Option<$type> };
    (@type f64 $default:tt) => { f32 };
    (@type Count $default:tt) => { u32 };
    (@type $type:ident $default:tt) => { $type };
    (@default) => { None };
    (@default $default:tt) => { $default };
}

declare! { [selection decision growth] }

/// The number that a setting has, if any.
trait Number {
    fn number(self) -> Option<f64>;
}

impl Number for f32 {
    fn number(self) -> Option<f64> {
        Some(self.into())
    }
}

impl Number for Option<f32> {
    fn number(self) -> Option<f64> {
        self.map(f64::from)
    }
}

impl Number for u32 {
    fn number(self) -> Option<f64> {
        Some(self.into())
    }
}

fn check_number<T: Into<f64>>(
    key: &'static str,
    number: impl Number,
    range: RangeInclusive<T>,
) -> Result<(), SettingsError> {
    let (least, most) = range.into_inner();
    // Files cannot ask for a tree that is only slow; a program can.
    let least = if key == "nodes" { 1.0 } else { least.into() };
    let number = number.number();
    number.map_or(Ok(()), |found| {
        check_range(key, found, [least, most.into()])
    })
}

impl Settings {
    /// Checks the ranges of numbers and what can be combined.
    ///
    /// # Errors
    /// If a number is not in its range or a setting cannot be combined with others.
    pub fn check(&self) -> Result<(), SettingsError> {
        self.check_ranges()?;
        if let Some(Widening { base, power }) = self.widening {
            check_range("widening.base", base.into(), [0.001, 1e6])?;
            check_range("widening.power", power.into(), [0.0, 1.0])?;
        }
        let conflict = |key, why| Err(SettingsError::Conflict { key, why });
        let allocation = self.allocation.part();
        if allocation.mix.is_some() && !self.select.part().uses_priors {
            return conflict(
                "allocation",
                "requires a selection rule with priors, such as puct",
            );
        }
        if allocation.build.is_some() {
            if self.goes_by_visits() {
                let why = "requires another choice than by visits: the actions of the last round have equally many";
                return conflict("allocation", why);
            }
            if self.batch > 1 || self.widening.is_some() {
                return conflict("allocation", "cannot be combined with batch or widening");
            }
        }
        if self.batch > 1 && !self.has_batches() {
            let why = "cannot be combined with transpositions or a rule that learns, such as RAVE";
            return conflict("batch", why);
        }
        Ok(())
    }

    /// Whether the final choice depends on the visits of actions alone.
    fn goes_by_visits(&self) -> bool {
        let (choice, keys) = self.choice.part_with_keys();
        let score = |value, random| {
            let tally = ActionTally {
                visits: 100,
                value,
                variance: 0.25,
                random,
            };
            (choice.score)(keys, &tally)
        };
        score(0.2, 0.1) == score(0.8, 0.9)
    }

    /// Whether iterations may start at a node below the root, and several threads search: a rule that learns needs the moves of
    /// an iteration from the root on, and with transpositions, nodes below different nodes may be the same.
    pub(super) const fn has_batches(&self) -> bool {
        let rule = self.select.part();
        rule.learn.is_none() && rule.memory.is_none() && !self.transpositions
    }

    /// What allocates the iterations of one decision, if the selection rule does not.
    pub(super) fn allocator(&self) -> Option<Allocator> {
        let (part, keys) = self.allocation.part_with_keys();
        part.build.map(|build| build(keys))
    }

    /// Whether the search needs an [`Extra`](crate::Extra) for each action.
    pub(super) const fn has_extras(&self) -> bool {
        let rule = self.select.part();
        let learns = rule.learn.is_some() || rule.memory.is_some();
        learns || rule.uses_squares || self.choice.part().uses_variance && !self.two_results
    }
}
