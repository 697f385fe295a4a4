//! The declaration of settings: each key once, with its type, its default and its range.

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
///
/// The macro knows [`Count`](crate::util::config::Count) by this name; the value of such a key is a `u32`.
///
/// A key with a default has a method of the same name, the value in effect. `check_ranges` checks the keys that have
/// ranges, and `state_all_defaults` states the defaults of those that are left out.
#[macro_export]
macro_rules! settings {
    ($(#[$meta:meta])* $vis:vis struct $name:ident in $table:literal { $($keys:tt)* }) => {
        $crate::settings! { @ {$(#[$meta])* $vis struct $name} $table [] [] [] $($keys)* }
    };
    (@ $head:tt $table:tt $fields:tt $defaults:tt $ranges:tt
        $(#[$meta:meta])* $vis:vis $key:ident: $type:ident = $default:literal $(in $range:expr)?,
        $($rest:tt)*
    ) => {
        $crate::settings! { @ $head $table $fields $defaults $ranges
            $(#[$meta])*
            #[doc = concat!(stringify!($default), " by default.")]
            $vis $key: $type = ($default) $(in $range)?,
            $($rest)*
        }
    };
    (@ $head:tt $table:tt $fields:tt [$($defaults:tt)*] $ranges:tt
        $(#[$meta:meta])* $vis:vis $key:ident: $type:ident = ($default:expr) $(in $range:expr)?,
        $($rest:tt)*
    ) => {
        $crate::settings! { @ $head $table $fields [$($defaults)* {$key: $type = $default}] $ranges
            $(#[$meta])* $vis $key: $type? $(in $range)?,
            $($rest)*
        }
    };
    (@ $head:tt $table:tt $fields:tt $defaults:tt [$($ranges:tt)*]
        $(#[$meta:meta])* $vis:vis $key:ident: $type:ident? $(in $range:expr)?,
        $($rest:tt)*
    ) => {
        $crate::settings! { @ $head $table $fields $defaults [$($ranges)* $({$key: $type in $range})?]
            $(#[$meta])*
            #[serde(default, skip_serializing_if = "Option::is_none")]
            $vis $key: Option<$type>,
            $($rest)*
        }
    };
    (@ $head:tt $table:tt $fields:tt $defaults:tt [$($ranges:tt)*]
        $(#[$meta:meta])* $vis:vis $key:ident: $type:ident in $range:expr,
        $($rest:tt)*
    ) => {
        $crate::settings! { @ $head $table $fields $defaults [$($ranges)* {$key: $type in $range}]
            $(#[$meta])* $vis $key: $type,
            $($rest)*
        }
    };
    (@ $head:tt $table:tt [$($fields:tt)*] $defaults:tt $ranges:tt
        $(#[$meta:meta])* $vis:vis $key:ident: $type:ty,
        $($rest:tt)*
    ) => {
        $crate::settings! { @ $head $table [$($fields)* $(#[$meta])* $vis $key: $type,] $defaults $ranges
            $($rest)*
        }
    };
    (@ {$(#[$meta:meta])* $vis:vis struct $name:ident} $table:literal [$($fields:tt)*]
        [$({$key:ident: $type:ident = $default:expr})*]
        [$({$ranged:ident: $number:ident in $range:expr})*]
    ) => {
        $(#[$meta])* $vis struct $name { $($fields)* }

        impl $name {
            $(
                #[doc = concat!("The value of `", stringify!($key), "`, or its default.")]
                pub fn $key(&self) -> $crate::settings!(@value $type) {
                    self.$key.map_or($default, Into::into)
                }
            )*

            #[allow(dead_code, reason = "not every table has ranges")]
            fn check_ranges(&self) -> Result<(), $crate::util::InputError> {
                $(
                    if let Some(found) = Option::<$number>::from(self.$ranged) {
                        let found: $crate::settings!(@value $number) = found.into();
                        let key = concat!($table, stringify!($ranged));
                        $crate::agent::within(key, found, $range)?;
                    }
                )*
                Ok(())
            }

            #[allow(dead_code, reason = "not every table has defaults")]
            fn state_all_defaults(&mut self) {
                $(self.$key = self.$key().try_into().ok();)*
            }
        }
    };
    (@value Count) => { u32 };
    (@value $type:ident) => { $type };
}
pub(super) use settings;
