//! Names of agents where there is little room.
//!
//! A name that is too long loses its middle: `mcts-bl-l…ry-regret`. If that looks like another name, its number in the
//! list of names is added: `mcts-r…egret#3`. The short forms of a document are all different, and none is the full name
//! of another agent. A list at the end of the document has the full names.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use textwrap::core::display_width;

use super::escape::escaped_line;

/// The widths to which a document of usual width shortens names. Before it shortens them to the last one, it leaves out
/// columns of tables.
const WIDTHS: [usize; 4] = [40, 28, 19, 8];

/// The same for narrow documents.
const NARROW_WIDTHS: [usize; 2] = [14, 8];

/// Documents below this width are narrow.
const NARROW: usize = 60;

/// Maximum number of names in a sentence; the rest are only counted.
const MAX_NAMES: usize = 3;

/// What stands for the part of a name that is left out.
const CUT: char = '…';

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
    let short = ShortNames::of_widths(names.iter().copied(), &[most]);
    names.iter().map(|name| short.short(name, most)).collect()
}

/// The names in a document, with their short forms for several widths. A short form stands for one name only, at every
/// width.
pub(crate) struct ShortNames {
    /// The names in order of their first use, as they are shown where there is room.
    full: Vec<String>,
    /// The number of each name in that order.
    index: BTreeMap<String, usize>,
    /// Maximum widths, falling, with the text of each name.
    steps: Vec<(usize, Vec<String>)>,
    /// What stands for each name where there is no room for a part of it.
    numbers: Vec<String>,
    /// The short forms in use, with the numbers of their names.
    used: RefCell<BTreeSet<(usize, String)>>,
}

impl ShortNames {
    /// Short forms of these names, for a document of this width.
    pub(crate) fn new<'a>(names: impl IntoIterator<Item = &'a str>, width: usize) -> Self {
        let widths: &[usize] = if width < NARROW {
            &NARROW_WIDTHS
        } else {
            &WIDTHS
        };
        Self::of_widths(names, widths)
    }

    fn of_widths<'a>(names: impl IntoIterator<Item = &'a str>, widths: &[usize]) -> Self {
        let mut index = BTreeMap::new();
        let mut shown = BTreeMap::new();
        let mut full = Vec::new();
        for name in names {
            if index.contains_key(name) {
                continue;
            }
            index.insert(name.to_owned(), full.len());
            let mut text = escaped_line(name).into_owned();
            // A control character and its escape look the same.
            while shown.insert(text.clone(), full.len()).is_some() {
                text += &format!(" #{}", full.len() + 1);
            }
            full.push(text);
        }
        let mut steps = Vec::new();
        for &most in widths {
            steps.push((most, cut(&full, most, &mut shown)));
        }
        let numbers = cut(&full, 0, &mut shown);
        Self {
            full,
            index,
            steps,
            numbers,
            used: RefCell::default(),
        }
    }

    /// The width of short names beside many columns.
    pub(crate) fn usual(&self) -> usize {
        let before_last = self.steps.iter().rev().nth(1);
        before_last.map_or(0, |(width, _)| *width)
    }

    /// The greatest width below this one to which names can be shortened.
    pub(crate) fn below(&self, most: usize) -> Option<usize> {
        let mut widths = self.steps.iter().map(|(width, _)| *width);
        widths.find(|&width| width < most)
    }

    /// The text for a name in at most this many columns, or its number in the list of full names.
    pub(crate) fn short(&self, name: &str, most: usize) -> String {
        let Some(&at) = self.index.get(name) else {
            return escaped_line(name).into_owned();
        };
        if display_width(&self.full[at]) <= most {
            return self.full[at].clone();
        }
        let step = self.steps.iter().find(|(width, _)| *width <= most);
        step.map_or_else(|| self.numbers[at].clone(), |(_, texts)| texts[at].clone())
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

/// These names in at most this many columns. `meaning` has the texts that stand for a name already.
fn cut(names: &[String], most: usize, meaning: &mut BTreeMap<String, usize>) -> Vec<String> {
    let cuts: Vec<Option<String>> = names.iter().map(|name| middle_cut(name, most)).collect();
    let mut uses = BTreeMap::<&str, usize>::new();
    for text in cuts.iter().flatten() {
        *uses.entry(text).or_default() += 1;
    }
    let mut texts = Vec::new();
    for (at, (name, short)) in names.iter().zip(&cuts).enumerate() {
        let is_free = |text: &str| meaning.get(text).is_none_or(|&other| other == at);
        let alone = short.clone();
        let alone = alone.filter(|text| uses[text.as_str()] == 1 && is_free(text));
        let text = alone.unwrap_or_else(|| {
            let mut number = format!("#{}", at + 1);
            loop {
                let start = middle_cut(name, most.saturating_sub(number.len()));
                let text = start.unwrap_or_default() + &number;
                if is_free(&text) {
                    return text;
                }
                number.insert(0, '#');
            }
        });
        meaning.insert(text.clone(), at);
        texts.push(text);
    }
    texts
}

/// Minimum width of a text that is cut.
const MIN_CUT: usize = 3;

/// The longest start of a text that is at most this wide.
fn start(text: &str, most: usize) -> &str {
    let ends = text
        .char_indices()
        .map(|(at, letter)| at + letter.len_utf8());
    let fits = |&end: &usize| display_width(&text[..end]) <= most;
    &text[..ends.take_while(fits).last().unwrap_or(0)]
}

/// The longest end of a text that is at most this wide.
fn end(text: &str, most: usize) -> &str {
    let starts = text.char_indices().rev().map(|(at, _)| at);
    let fits = |&start: &usize| display_width(&text[start..]) <= most;
    &text[starts.take_while(fits).last().unwrap_or(text.len())..]
}

/// A text without its middle, if it is too wide; `None` where there is no room.
fn middle_cut(text: &str, most: usize) -> Option<String> {
    if display_width(text) <= most {
        return Some(text.to_owned());
    }
    if most < MIN_CUT {
        return None;
    }
    let last = end(text, most - most / 2 - 1);
    Some(format!("{}{CUT}{last}", start(text, most / 2)))
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
        assert_eq!(
            short_names(&["#1", "abcdef", "abcdeg"], 2),
            ["#1", "#2", "#3"]
        );
        assert_eq!(short_names(&["#2", "abcdef"], 2), ["#2", "##2"]);
    }

    fn name() -> impl Strategy<Value = String> {
        let base = proptest::sample::select(vec![
            "mcts-regret",
            "mcts-regret-2",
            "a",
            "#1",
            "#2",
            "早碁の打ち手",
            "e\u{301}té…",
            "\u{1b}[1m",
            "\\u001b[1m",
        ]);
        let value = proptest::sample::select(vec![
            "1",
            "10",
            "0.5",
            "\"bl/every/regret\"",
            "\"bl-lb/every/regret\"",
            "[1,2]",
            "碁碁",
        ]);
        let key = proptest::sample::select(vec!["a.b", "c.b", "search.exploration", "x"]);
        let setting = (key, value).prop_map(|(key, value)| format!("{key}={value}"));
        let settings = prop::collection::vec(setting, 1..4).prop_map(|all| all.join(","));
        let variant = (base.clone(), settings).prop_map(|(base, all)| format!("{base}{{{all}}}"));
        // Common starts and ends, and names that contain others.
        let long = (
            "[ab]{0,3}",
            0..60_usize,
            "[ab-]{0,3}",
            0..60_usize,
            "[ab]{0,3}",
        );
        let long = long
            .prop_map(|(a, m, b, n, c)| format!("{a}{}{b}{}{c}", "x".repeat(m), "界".repeat(n)));
        prop_oneof![
            4 => variant,
            3 => long,
            1 => base.prop_map(str::to_owned),
            1 => "\\PC{0,40}"
        ]
    }

    proptest! {
        #[test]
        fn short_names_differ_at_every_width(
            names in prop::collection::btree_set(name(), 1..12),
            widths in prop::collection::vec(1..200_usize, 1..4),
        ) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            for most in widths {
                let short = short_names(&names, most);
                let all: BTreeSet<&str> = short.iter().map(String::as_str).collect();
                prop_assert_eq!(all.len(), names.len(), "{:?}", short);
                for (name, text) in names.iter().zip(&short) {
                    let numbered = text.starts_with('#') && text.len() < 5;
                    prop_assert!(display_width(text) <= most || numbered, "{text}");
                    let others = names.iter().filter(|other| other != &name);
                    prop_assert!(others.clone().all(|other| escaped_line(other) != text.as_str()) || escaped_line(name) == text.as_str());
                }
            }
        }

        #[test]
        fn a_text_stands_for_one_name_at_all_widths(
            names in prop::collection::btree_set(name(), 1..10),
            width in 1..200_usize,
        ) {
            let short = ShortNames::new(names.iter().map(String::as_str), width);
            let mut meaning = BTreeMap::new();
            for name in &names {
                for most in 0..60 {
                    let text = short.short(name, most);
                    short.mark_used(name, &text);
                    let first = meaning.entry(text).or_insert(name);
                    prop_assert_eq!(*first, name);
                }
            }
            let listed = short.used().len();
            prop_assert!(listed <= names.len());
        }
    }
}
