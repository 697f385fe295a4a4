//! Names of agents where there is little room.

use std::collections::{BTreeMap, BTreeSet};

use textwrap::core::display_width;

use super::escape::escaped_line;

/// Maximum number of names in a sentence; the rest are only counted.
const MAX_NAMES: usize = 3;

/// Shortens names, and numbers those that it has shortened. A name that is too long loses its middle; if two names of
/// one table would look the same, their numbers follow.
///
/// ```
/// use patchwork_report::document::ShortNames;
///
/// let names = ["mcts-regret{search.exploration=0.4}", "greedy"];
/// let short = ShortNames::default().fit(&names, 12);
/// assert_eq!(short, ["mcts-r…=0.4}", "greedy"]);
/// ```
#[derive(Default)]
pub struct ShortNames {
    /// The full names of those that were shortened, and whether their numbers were written.
    full: Vec<(String, bool)>,
}

impl ShortNames {
    /// The names of a table in at most this many columns each, which should be at least 8.
    pub fn fit(&mut self, names: &[&str], most: usize) -> Vec<String> {
        let names: Vec<String> = names.iter().map(|name| escaped_line(name).into()).collect();
        let mut alike = BTreeMap::<String, BTreeSet<&str>>::new();
        for name in &names {
            let same = alike.entry(middle_cut(name, most)).or_default();
            same.insert(name);
        }
        let short = names.iter().map(|name| {
            let cut = middle_cut(name, most);
            if cut == *name {
                return cut;
            }
            let is_alike = alike[&cut].len() > 1;
            let number = format!("#{}", self.number(name, is_alike));
            match is_alike {
                true => middle_cut(name, most.saturating_sub(number.len())) + &number,
                false => cut,
            }
        });
        short.collect()
    }

    /// The full names of those that were shortened, or only of those whose numbers were written, with the numbers.
    pub(crate) fn full(&self, written: bool) -> impl Iterator<Item = (&str, usize)> {
        let all = self.full.iter().zip(1..);
        let asked = all.filter(move |((_, is_written), _)| *is_written || !written);
        asked.map(|((name, _), number)| (&**name, number))
    }

    /// The number of a name that is shortened, from 1, and whether it is written.
    fn number(&mut self, name: &str, is_written: bool) -> usize {
        let known = self.full.iter().position(|(full, _)| full == name);
        let at = known.unwrap_or_else(|| {
            self.full.push((name.to_owned(), false));
            self.full.len() - 1
        });
        self.full[at].1 |= is_written;
        at + 1
    }
}

/// A text of at most this width, without its middle if it is wider.
fn middle_cut(text: &str, most: usize) -> String {
    if display_width(text) <= most {
        return text.to_owned();
    }
    let starts = text.char_indices().map(|(at, _)| &text[..at]);
    let start = starts.take_while(|start| display_width(start) <= most / 2);
    let ends = text.char_indices().rev().map(|(at, _)| &text[at..]);
    let end = ends.take_while(|end| display_width(end) < most - most / 2);
    let (start, end) = (start.last(), end.last());
    format!("{}…{}", start.unwrap_or(""), end.unwrap_or(""))
}

fn last_part(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or_default()
}

/// Settings with the shortest names of their `keys` that are unique.
pub fn brief_settings(settings: &str, keys: &[&str]) -> String {
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

/// The first few of these names, as in a sentence: `a, b and c`, or `a, b and 7 more`.
pub fn named(names: &[&str]) -> String {
    let (shown, more) = names.split_at(names.len().min(MAX_NAMES));
    match (shown, more.len()) {
        ([first @ .., last], 0) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        (_, 0) => shown.concat(),
        (_, more) => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn short_names(names: &[&str], most: usize) -> Vec<String> {
        ShortNames::default().fit(names, most)
    }

    #[test]
    fn names_lose_their_middles() {
        let variant = "mcts-fast{iterations=12,exploration=0.4}";
        assert_eq!(
            short_names(&["mcts-bl-lb-every-regret", "a{b=1}", variant], 19),
            ["mcts-bl-l…ry-regret", "a{b=1}", "mcts-fast…tion=0.4}"]
        );
    }

    #[test]
    fn names_that_look_alike_have_numbers() {
        let names = ["bl", "bl-lb", "pareto-bl"].map(|strategy| {
            format!("mcts-regret{{expansion.strategy=\"{strategy}/every/regret\"}}")
        });
        let [first, second, third] = names.each_ref().map(String::as_str);
        let mut short = ShortNames::default();
        let fitted = short.fit(&[third, first, third, second, "random"], 20);
        assert_eq!(
            fitted,
            [
                "mcts-regr…regret\"}#1",
                "mcts-regr…regret\"}#2",
                "mcts-regr…regret\"}#1",
                "mcts-regr…regret\"}#3",
                "random",
            ]
        );
        assert_eq!(short.fit(&[second], 8), ["mcts…t\"}"]);
        let all: Vec<&str> = short.full(false).map(|(name, _)| name).collect();
        assert_eq!(all, [third, first, second]);
        assert_eq!(
            short.fit(&["mcts-regret{iterations=50}"], 12),
            ["mcts-r…s=50}"]
        );
        assert_eq!(
            [false, true].map(|written| short.full(written).count()),
            [4, 3]
        );
    }

    #[test]
    fn sentences_count_the_names_after_the_third() {
        let lists: [&[&str]; 4] = [
            &["a"],
            &["a", "b"],
            &["a", "b", "c"],
            &["a", "b", "c", "d", "e"],
        ];
        assert_eq!(
            lists.map(named),
            ["a", "a and b", "a, b and c", "a, b, c and 2 more"]
        );
    }

    proptest! {
        #[test]
        fn short_names_differ_at_every_width(
            names in prop::collection::btree_set("[ab界\u{301}]{1,4}x{0,30}[ab{}=\u{1b}-]{0,30}", 1..12),
            most in 8..80_usize,
        ) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let short = short_names(&names, most);
            let all: BTreeSet<&str> = short.iter().map(String::as_str).collect();
            prop_assert_eq!(all.len(), names.len(), "{:?}", short);
            for text in &short {
                prop_assert!(display_width(text) <= most, "{text}");
            }
        }
    }
}
