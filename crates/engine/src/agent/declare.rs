//! The declaration of settings: each key once.

use std::borrow::Cow;
use std::fmt::Display;
use std::ops::RangeInclusive;

use crate::util::InputError;

/// Declares the settings in a table of agent files, whose keys begin with the text after `in`.
///
/// A key is declared as a field. With `?` or `=`, it may be left out of a file; its field is then an [`Option`]:
///
/// | declaration | meaning |
/// |---|---|
/// | `equivalence: f64 in 1.0..=9.0,` | not left out: a number in this range |
/// | `rave: RaveSettings?,` | no default |
/// | `beam: Count? in 1..=9,` | a number in this range |
/// | `depth: Count = 3 in 1..=60,` | and 3 by default, which the macro adds to the description |
/// | `steps: Steps = (Steps::One),` | a default that the description states elsewhere, or does not state |
/// | `exploration: f64 := 0.7,` | a default that is written if it is left out; the table then has `serde(default)` |
/// | `table late: Late?,` | a table whose settings are declared, too |
/// | `batch: u32 = 1; since "0.3",` | younger than the first version: written only with another value than the default |
/// | `depth: Count = 3; requires "a beam" if Self::has_beam,` | without effect unless this is true: then an error |
/// | `requires { "search.prior": "a rule" if Self::has_rule, }` | the same, of a key in a table below: after the declaration |
/// | `needs { "rollout.pick": "a rollout" if Self::plays, }` | without effect unless this is true, but no error |
/// | `..list(group),` | the keys that the macro `list` declares in this group |
///
/// The macro knows [`Count`](crate::util::config::Count) by this name; the value of such a key is a `u32`.
///
/// A key with a default has a method of the same name, the value in effect. `check_keys` checks ranges, and that what is
/// stated has an effect. `state_keys` states the defaults of the keys that are left out and have an effect. `idle_keys` lists
/// the keys that have no effect.
#[macro_export]
macro_rules! settings {
    ($(#[$meta:meta])* $vis:vis struct $name:ident in $table:literal { $($keys:tt)* }
        $(requires { $($refused:literal: $requires:literal if $is_used:expr,)* })?
        $(needs { $($stated:literal: $needs:literal if $has_effect:expr,)* })?
    ) => {
        $crate::settings! { @ {
            $(#[$meta])* $vis struct $name in $table
            $($({$refused: $requires if $is_used, true})*)? $($({$stated: $needs if $has_effect, false})*)?
        } [] [] [] [] [] $($keys)* }
    };
    (@ $head:tt $fields:tt $written:tt $ranges:tt $effects:tt $tables:tt
        ..$list:ident($group:ident),
        $($rest:tt)*
    ) => {
        $list! { $group [$crate::settings] [@ $head $fields $written $ranges $effects $tables] [$($rest)*] }
    };
    (@ $head:tt $fields:tt $written:tt $ranges:tt $effects:tt [$($tables:tt)*]
        $(#[$meta:meta])* $vis:vis table $key:ident: $type:ident $($rest:tt)*
    ) => {
        $crate::settings! { @ $head $fields $written $ranges $effects [$($tables)* {$key: $type}]
            $(#[$meta])* $vis $key: $type $($rest)*
        }
    };
    (@ $head:tt $fields:tt $written:tt $ranges:tt $effects:tt $tables:tt
        $(#[$meta:meta])* $vis:vis $key:ident: $type:ident = $default:literal $($rest:tt)*
    ) => {
        $crate::settings! { @ $head $fields $written $ranges $effects $tables
            $(#[$meta])*
            #[doc = concat!(stringify!($default), " by default.")]
            $vis $key: $type = ($default) $($rest)*
        }
    };
    (@ $head:tt [$($fields:tt)*] $written:tt [$($ranges:tt)*] [$($effects:tt)*] $tables:tt
        $(#[$meta:meta])* $vis:vis $key:ident: $type:ident = ($default:expr)
        $(in $range:expr)? $(; since $since:literal)? $(; requires $needs:literal if $has_effect:expr)?,
        $($rest:tt)*
    ) => {
        $crate::settings! { @ $head
            [$($fields)*
                {$(#[$meta])* #[serde(default, skip_serializing_if = "Option::is_none")] $vis $key: Option<$type> = None}]
            $written
            [$($ranges)* $({$key: $type in $range})?]
            [$($effects)* {$key: $type = [$default] [$($since)?] [$($needs if $has_effect)?]}]
            $tables
            $($rest)*
        }
    };
    (@ $head:tt [$($fields:tt)*] $written:tt [$($ranges:tt)*] [$($effects:tt)*] $tables:tt
        $(#[$meta:meta])* $vis:vis $key:ident: $type:ident?
        $(in $range:expr)? $(; requires $needs:literal if $has_effect:expr)?,
        $($rest:tt)*
    ) => {
        $crate::settings! { @ $head
            [$($fields)*
                {$(#[$meta])* #[serde(default, skip_serializing_if = "Option::is_none")] $vis $key: Option<$type> = None}]
            $written
            [$($ranges)* $({$key: $type in $range})?]
            [$($effects)* {$key: $type = [] [] [$($needs if $has_effect)?]}]
            $tables
            $($rest)*
        }
    };
    (@ $head:tt [$($fields:tt)*] [$($written:tt)*] [$($ranges:tt)*] $effects:tt $tables:tt
        $(#[$meta:meta])* $vis:vis $key:ident: $type:ident := $default:literal $(in $range:expr)?,
        $($rest:tt)*
    ) => {
        $crate::settings! { @ $head [$($fields)* {$(#[$meta])* $vis $key: $type = $default}]
            [$($written)* {$key: $type}]
            [$($ranges)* $({$key: $type in $range})?]
            $effects $tables $($rest)*
        }
    };
    (@ $head:tt $fields:tt $written:tt [$($ranges:tt)*] $effects:tt $tables:tt
        $(#[$meta:meta])* $vis:vis $key:ident: $type:ident in $range:expr,
        $($rest:tt)*
    ) => {
        $crate::settings! { @ $head $fields $written [$($ranges)* {$key: $type in $range}] $effects $tables
            $(#[$meta])* $vis $key: $type,
            $($rest)*
        }
    };
    (@ $head:tt [$($fields:tt)*] $written:tt $ranges:tt $effects:tt $tables:tt
        $(#[$meta:meta])* $vis:vis $key:ident: $type:ty,
        $($rest:tt)*
    ) => {
        $crate::settings! { @ $head [$($fields)* {$(#[$meta])* $vis $key: $type = Default::default()}]
            $written $ranges $effects $tables $($rest)*
        }
    };
    (@ {$(#[$meta:meta])* $vis:vis struct $name:ident in $table:literal
            $({$below:literal: $with:literal if $is_used:expr, $is_refused:literal})*}
        [$({$(#[$about:meta])* $field_vis:vis $field:ident: $field_type:ty = $init:expr})*]
        [$({$written:ident: $written_type:ident})*]
        [$({$ranged:ident: $number:ident in $range:expr})*]
        [$({$key:ident: $type:ident = [$($default:expr)?] [$($since:literal)?] [$($needs:literal if $has_effect:expr)?]})*]
        [$({$inner:ident: $inner_type:ident})*]
    ) => {
        $(#[$meta])* $vis struct $name { $($(#[$about])* $field_vis $field: $field_type,)* }

        impl $name {
            $(
                /// The value.
                pub const fn $written(&self) -> $written_type {
                    self.$written
                }
            )*
            $($(
                #[doc = concat!("The value of `", stringify!($key), "`, or its default.")]
                pub fn $key(&self) -> $crate::settings!(@value $type) {
                    self.$key.map_or($default, Into::into)
                }
            )?)*

            /// Checks ranges, and that what is stated has an effect.
            pub fn check_keys(&self) -> Result<(), $crate::util::InputError> {
                $(
                    if let Some(found) = Option::<$number>::from(self.$ranged) {
                        let found: $crate::settings!(@value $number) = found.into();
                        let key = concat!($table, stringify!($ranged));
                        $crate::agent::within(key, found, $range)?;
                    }
                )*
                $($crate::settings! { @check self $table $key [$($default)?] [$($since)?] [$($needs if $has_effect)?] })*
                $(
                    if let Some(table) = Option::<&$inner_type>::from(&self.$inner) {
                        table.check_keys()?;
                    }
                )*
                Ok(())
            }

            /// States the defaults of the keys that are left out and have an effect.
            pub(crate) fn state_keys(&mut self) {
                $($crate::settings! { @state self $key [$($default)?] [$($since)?] [$($needs if $has_effect)?] })*
                $(
                    if let Some(table) = Option::<&mut $inner_type>::from(&mut self.$inner) {
                        table.state_keys();
                    }
                )*
            }

            /// The keys that have no effect, whether or not they are stated.
            pub(crate) fn idle_keys(&self) -> Vec<$crate::agent::IdleKey> {
                let conditions: &[($crate::agent::IdleKey, fn(&Self) -> bool)] = &[
                    $($(($crate::settings!(@idle concat!($table, stringify!($key)), $needs, true), $has_effect),)?)*
                    $(($crate::settings!(@idle $below, $with, $is_refused), $is_used),)*
                ];
                let own = conditions.iter().filter(|(_, has_effect)| !has_effect(self));
                let below: &[Vec<$crate::agent::IdleKey>] = &[
                    $(Option::<&$inner_type>::from(&self.$inner).map_or_else(Vec::new, $inner_type::idle_keys),)*
                ];
                own.map(|(key, _)| key.clone()).chain(below.iter().flatten().cloned()).collect()
            }
        }

        $crate::settings! { @default $name [$($written)*] $($field = $init,)* }
    };
    (@value Count) => { u32 };
    (@value $type:ident) => { $type };
    (@check $it:tt $table:tt $key:ident $default:tt $since:tt []) => {};
    (@check $it:tt $table:tt $key:ident $default:tt $since:tt [$needs:literal if $has_effect:expr]) => {
        let has_effect: fn(&Self) -> bool = $has_effect;
        if $crate::settings!(@is_stated $it $key $default $since) && !has_effect($it) {
            return Err($crate::settings!(@idle concat!($table, stringify!($key)), $needs, true).into());
        }
    };
    (@idle $name:expr, $with:expr, $is_refused:expr) => {
        $crate::agent::IdleKey {
            name: std::borrow::Cow::Borrowed($name),
            with: std::borrow::Cow::Borrowed($with),
            is_refused: $is_refused,
        }
    };
    (@is_stated $it:tt $key:ident [$default:expr] [$since:literal]) => { $it.$key() != $default };
    (@is_stated $it:tt $key:ident $default:tt $since:tt) => { $it.$key.is_some() };
    (@state $it:tt $key:ident [] [] $condition:tt) => {};
    (@state $it:tt $key:ident [$default:expr] [] [$($needs:literal if $has_effect:expr)?]) => {
        let has_effect: &[fn(&Self) -> bool] = &[$($has_effect)?];
        let is_written = has_effect.iter().all(|has_effect| has_effect($it));
        $it.$key = if is_written { $it.$key().try_into().ok() } else { None };
    };
    (@state $it:tt $key:ident [$default:expr] [$since:literal] $condition:tt) => {
        if $it.$key() == $default {
            $it.$key = None;
        }
    };
    (@default $name:ident [] $($fields:tt)*) => {};
    (@default $name:ident [$($written:ident)+] $($field:ident = $init:expr,)*) => {
        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $init,)* }
            }
        }
    };
}
pub(super) use settings;

/// Checks that a number is within a range.
pub fn within<N: PartialOrd + Display>(
    key: &str,
    found: N,
    range: RangeInclusive<N>,
) -> Result<(), InputError> {
    if range.contains(&found) {
        return Ok(());
    }
    let (least, most) = range.into_inner();
    let what = format_args!("expected a number from {least} to {most}, found {found}");
    Err(InputError::at(key, what))
}

/// A key, or a table, that has no effect together with the values of other keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdleKey {
    /// The key.
    pub name: Cow<'static, str>,
    /// With what it has an effect.
    pub with: Cow<'static, str>,
    /// Whether a file that states it is refused. Keys that cannot be left out, for example, are not.
    pub is_refused: bool,
}

impl IdleKey {
    /// Whether this key is the key or in the table.
    pub fn has(&self, key: &str) -> bool {
        let below = key.strip_prefix(&*self.name);
        below.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

impl From<IdleKey> for InputError {
    fn from(IdleKey { name, with, .. }: IdleKey) -> Self {
        Self::at(
            &name,
            format_args!("requires {with}; otherwise leave the key out"),
        )
    }
}
