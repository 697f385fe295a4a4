//! Names of agents where there is little room.
//!
//! A name that is too long loses its middle: `mcts-bl-l…ry-regret`. If that looks like another name, its number in the
//! list of names is added: `mcts-r…egret#3`. A list at the end of the document has the full names.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use textwrap::core::display_width;

use super::escape::escaped_line;

/// The widths to which a document of usual width shortens names; at the last one, only numbers are left. Before it
/// shortens them to 8, it leaves out columns of tables.
const WIDTHS: &[usize] = &[40, 28, 19, 8, 0];

/// The same for narrow documents.
const NARROW_WIDTHS: &[usize] = &[14, 8, 0];

/// Documents below this width are narrow.
const NARROW: usize = 60;

/// Maximum number of names in a sentence; the rest are only counted.
const MAX_NAMES: usize = 3;

/// What stands for the part of a name that is left out.
const CUT: char = '…';

/// Minimum width of a text that is cut.
const MIN_CUT: usize = 3;

/// Short forms of these names, in the same order: different for different names, and at most `most` columns wide unless
/// they are numbers (`#3`).
///
/// ```
/// use patchwork_report::document::short_names;
///
/// let names = ["mcts-regret{search.exploration=0.4}", "greedy"];
/// assert_eq!(short_names(&names, 12), ["mcts-r…=0.4}", "greedy"]);
/// ```
pub fn short_names(names: &[&str], most: usize) -> Vec<String> {
    let names: Vec<String> = names.iter().map(|name| escaped_line(name).into()).collect();
    let cuts: Vec<String> = names.iter().map(|name| middle_cut(name, most)).collect();
    let mut uses = BTreeMap::<&str, usize>::new();
    for text in &cuts {
        *uses.entry(text).or_default() += 1;
    }
    let texts = names.iter().zip(&cuts).enumerate();
    let texts = texts.map(|(at, (name, short))| {
        if uses[short.as_str()] == 1 && !short.is_empty() {
            return short.clone();
        }
        let number = format!("#{}", at + 1);
        middle_cut(name, most.saturating_sub(number.len())) + &number
    });
    texts.collect()
}

/// The names in a document, with their short forms for several widths.
pub(crate) struct ShortNames {
    /// The number of each name in the order of their first use.
    index: BTreeMap<String, usize>,
    /// The names in that order, as they are shown where there is room.
    full: Vec<String>,
    /// Maximum widths, falling, with the text of each name.
    steps: Vec<(usize, Vec<String>)>,
    /// The short forms in use, with the numbers of their names.
    used: RefCell<BTreeSet<(usize, String)>>,
}

impl ShortNames {
    /// Short forms of these names, for a document of this width.
    pub(crate) fn new<'a>(names: impl IntoIterator<Item = &'a str>, width: usize) -> Self {
        let widths = if width < NARROW {
            NARROW_WIDTHS
        } else {
            WIDTHS
        };
        let mut index = BTreeMap::new();
        let mut distinct = Vec::new();
        for name in names {
            if !index.contains_key(name) {
                index.insert(name.to_owned(), distinct.len());
                distinct.push(name);
            }
        }
        let step = |&most: &usize| (most, short_names(&distinct, most));
        Self {
            steps: widths.iter().map(step).collect(),
            full: distinct
                .iter()
                .map(|name| escaped_line(name).into())
                .collect(),
            index,
            used: RefCell::default(),
        }
    }

    /// The width of short names beside many columns.
    pub(crate) fn usual(&self) -> usize {
        self.steps[self.steps.len() - 3].0
    }

    /// The greatest width below this one to which names can be shortened.
    pub(crate) fn below(&self, most: usize) -> Option<usize> {
        let mut widths = self.steps.iter().map(|(width, _)| *width);
        widths.find(|&width| width < most && width > 0)
    }

    /// The text for a name in at most this many columns, or its number in the list of full names.
    pub(crate) fn short(&self, name: &str, most: usize) -> String {
        let Some(&at) = self.index.get(name) else {
            return escaped_line(name).into_owned();
        };
        let step = self.steps.iter().find(|(width, _)| *width <= most);
        match step {
            Some((_, texts)) if display_width(&self.full[at]) > most => texts[at].clone(),
            _ => self.full[at].clone(),
        }
    }

    /// Remembers that a text stands for a name, for the list of full names.
    pub(crate) fn mark_used(&self, name: &str, text: &str) {
        if let Some(&at) = self.index.get(name).filter(|&&at| self.full[at] != text) {
            self.used.borrow_mut().insert((at, text.to_owned()));
        }
    }

    /// The short forms that were used, each with the full name.
    pub(crate) fn used(&self) -> Vec<(String, &str)> {
        let mut all = BTreeMap::<usize, Vec<String>>::new();
        for (at, text) in self.used.borrow().iter() {
            all.entry(*at).or_default().push(text.clone());
        }
        let all = all.into_iter();
        all.map(|(at, texts)| (texts.join(", "), self.full[at].as_str()))
            .collect()
    }
}

/// A text without its middle, if it is too wide; nothing where there is no room.
fn middle_cut(text: &str, most: usize) -> String {
    if display_width(text) <= most {
        return text.to_owned();
    }
    if most < MIN_CUT {
        return String::new();
    }
    let letters = text.char_indices();
    let end = letters
        .clone()
        .map(|(at, letter)| &text[..at + letter.len_utf8()]);
    let end = end
        .take_while(|start| display_width(start) <= most / 2)
        .last();
    let starts = letters.rev().map(|(at, _)| &text[at..]);
    let last = starts
        .take_while(|end| display_width(end) < most - most / 2)
        .last();
    format!(
        "{}{CUT}{}",
        end.unwrap_or_default(),
        last.unwrap_or_default()
    )
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

    #[test]
    fn names_lose_their_middles() {
        let variant = "mcts-fast{iterations=12,exploration=0.4}";
        assert_eq!(
            short_names(&["mcts-bl-lb-every-regret", "a{b=1}", variant], 19),
            ["mcts-bl-l…ry-regret", "a{b=1}", "mcts-fast…tion=0.4}"]
        );
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

    #[test]
    fn names_that_look_alike_have_numbers() {
        let names = ["bl", "bl-lb", "pareto-bl"].map(|strategy| {
            format!("mcts-regret{{expansion.strategy=\"{strategy}/every/regret\"}}")
        });
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(
            short_names(&names, 20),
            [
                "mcts-regr…regret\"}#1",
                "mcts-regr…regret\"}#2",
                "mcts-regr…regret\"}#3"
            ]
        );
        assert_eq!(short_names(&names, 3), ["#1", "#2", "#3"]);
    }

    proptest! {
        #[test]
        fn short_names_differ_at_every_width(
            names in prop::collection::btree_set("[ab界\u{301}]{1,4}x{0,30}[ab{}=\u{1b}-]{0,30}", 1..12),
            most in 1..80_usize,
        ) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let short = short_names(&names, most);
            let all: BTreeSet<&str> = short.iter().map(String::as_str).collect();
            prop_assert_eq!(all.len(), names.len(), "{:?}", short);
            for text in &short {
                let numbered = text.starts_with('#') && text.len() < 5;
                prop_assert!(display_width(text) <= most || numbered, "{text}");
            }
        }
    }
}
