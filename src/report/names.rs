//! Names of agents where there is little room, and of faults in data.

use crate::record::FaultReason;

/// Maximum length of a name beside many columns, in characters.
pub(super) const SHORT_NAME: usize = 19;

/// Maximum number of names in a sentence; the rest are only counted.
const MOST_NAMES: usize = 3;

/// The name of an agent where there is little room: at most 19 characters. A long name of a variant is shown
/// without keys, as `mcts-fast{0.4,12}`.
#[must_use]
pub fn short_name(name: &str) -> String {
    shortened_to(name, SHORT_NAME)
}

/// A name of at most `most` characters. Of a variant only the values are kept, as in `mcts-fast{0.4,12}`:
/// other variants have the same keys. Then the middle is cut, because versions of an agent often differ only
/// at the end.
pub(super) fn shortened_to(name: &str, most: usize) -> String {
    let name = match name.split_once('{') {
        Some((agent, overrides)) if name.chars().count() > most => {
            let values = overrides.split(',');
            let values = values.map(|part| part.split_once('=').map_or(part, |(_, value)| value));
            format!("{agent}{{{}", values.collect::<Vec<_>>().join(","))
        }
        _ => name.to_owned(),
    };
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

/// Settings with the shortest names of their `keys` that are unique.
pub(super) fn brief_settings(settings: &str, keys: &[&str]) -> String {
    let last = |key: &str| key.rsplit('.').next().unwrap_or_default().to_owned();
    let parts = settings.split(", ").map(|part| {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let short = last(key);
        let is_unique = keys.iter().filter(|other| last(other) == short).count() < 2;
        let name = if is_unique { &short } else { key };
        format!("{name}={}", value.replace('"', ""))
    });
    parts.collect::<Vec<_>>().join(" ")
}

/// The first few of these names.
pub(super) fn named(names: &[&str]) -> String {
    let shown = names[..names.len().min(MOST_NAMES)].join(", ");
    match names.len().saturating_sub(MOST_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The name of a fault in data.
pub(super) fn fault_key(reason: FaultReason) -> String {
    let key = serde_json::to_value(reason).unwrap_or_default();
    key.as_str().unwrap_or_default().to_owned()
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
        assert_eq!(named(&["a", "b", "c", "d", "e"]), "a, b, c and 2 more");
    }
}
