//! Names of agents where there is little room.

use std::collections::BTreeMap;

/// Maximum length of a name beside many columns, in characters.
pub(crate) const SHORT_NAME: usize = 19;

/// Maximum number of names in a sentence; the rest are only counted.
const MOST_NAMES: usize = 3;

/// The name of an agent where there is little room: at most 19 characters. A long name of a variant is shown
/// without keys, as `mcts-fast{0.4,12}`.
#[must_use]
pub fn short_name(name: &str) -> String {
    shortened_to(name, SHORT_NAME)
}

/// A name of at most `most` characters. Of a variant only the values are kept, as in `mcts-fast{0.4,12}`, because
/// other variants often have the same keys. Then the middle is cut, because versions of an agent often differ only at
/// the end.
pub(crate) fn shortened_to(name: &str, most: usize) -> String {
    cut(overrides_as(name, most, |_, value| value.to_owned()), most)
}

/// Names of at most `most` characters each, as of [`shortened_to`]. Where two variants would look the same, the last
/// parts of their keys are kept too, as in `mcts{decay=0.0}`.
pub(crate) fn all_shortened_to<'a>(names: &[&'a str], most: usize) -> BTreeMap<&'a str, String> {
    let mut names: Vec<&str> = names.to_vec();
    names.sort_unstable();
    names.dedup();
    let all: Vec<(&str, String)> = names
        .into_iter()
        .map(|name| (name, shortened_to(name, most)))
        .collect();
    let mut uses = BTreeMap::<&str, usize>::new();
    for (_, short) in &all {
        *uses.entry(short).or_default() += 1;
    }
    all.iter()
        .map(|(name, short)| {
            let text = match uses[short.as_str()] {
                1 => short.clone(),
                _ => cut(
                    overrides_as(name, most, |key, value| {
                        format!("{}={value}", last_part(key))
                    }),
                    most,
                ),
            };
            (*name, text)
        })
        .collect()
}

/// The name with its overrides, if any, in another form if it is longer than `most` characters.
fn overrides_as(name: &str, most: usize, form: impl Fn(&str, &str) -> String) -> String {
    match name.split_once('{') {
        Some((agent, overrides)) if name.chars().count() > most => {
            let parts = overrides.split(',').map(|part| match part.split_once('=') {
                Some((key, value)) => form(key, value),
                None => part.to_owned(),
            });
            format!("{agent}{{{}", parts.collect::<Vec<_>>().join(","))
        }
        _ => name.to_owned(),
    }
}

/// The name without its middle, if it is longer than `most` characters.
fn cut(name: String, most: usize) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= most {
        return name;
    }
    let start: String = letters[..most / 2].iter().collect();
    let end: String = letters[letters.len() - (most - most / 2 - 1)..]
        .iter()
        .collect();
    format!("{start}…{end}")
}

/// The last part of a dotted key.
fn last_part(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or_default()
}

/// Settings with the shortest names of their `keys` that are unique.
pub(crate) fn brief_settings(settings: &str, keys: &[&str]) -> String {
    let parts = settings.split(", ").map(|part| {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let short = last_part(key);
        let is_unique = keys
            .iter()
            .filter(|other| last_part(other) == short)
            .count()
            < 2;
        let name = if is_unique { short } else { key };
        format!("{name}={}", value.replace('"', ""))
    });
    parts.collect::<Vec<_>>().join(" ")
}

/// The first few of these names.
pub(crate) fn named(names: &[&str]) -> String {
    let shown = names[..names.len().min(MOST_NAMES)].join(", ");
    match names.len().saturating_sub(MOST_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(short_name("mcts-bl-lb-every-regret"), "mcts-bl-l…ry-regret");
        assert_eq!(short_name("a{b=1}"), "a{b=1}");
        let variant = "mcts-fast{iterations=12,exploration=0.4}";
        assert_eq!(short_name(variant), "mcts-fast{12,0.4}");
        assert_eq!(shortened_to(variant, 9), "mcts…0.4}");
        let names = [
            "champion{search.minimax=0.0}",
            "champion{expansion.prior.decay=0.0}",
            variant,
        ];
        let short = all_shortened_to(&names, 19);
        let short: Vec<&str> = names.iter().map(|name| short[name].as_str()).collect();
        assert_eq!(
            short,
            [
                "champion{…imax=0.0}",
                "champion{decay=0.0}",
                "mcts-fast{12,0.4}"
            ]
        );
        assert_eq!(named(&["a", "b", "c", "d", "e"]), "a, b, c and 2 more");
    }
}
