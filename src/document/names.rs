//! Names of agents where there is little room.
//!
//! A name that is too long is shown in a short form, made from what tells it apart from the other names shown. The
//! short forms of a document are all different, and none is the full name of another agent. A list at the end of the
//! document has the full names.
//!
//! The forms of a name, in this order; the first that fits and that no other name shares is taken:
//! 1. the name itself,
//! 2. of a variant, the values of its settings, without their keys: `mcts-fast{0.4,12}`,
//! 3. with the last parts of the keys: `mcts-fast{exploration=0.4}`,
//! 4. only the settings that other variants of the agent do not share: `mcts-fast{0.4}`,
//! 5. these settings after the start of the agent's name: `mcts-f…{exploration=0.4}`,
//! 6. both ends of the name: `mcts-bl-l…ry-regret`,
//! 7. the start of the name and the part where it differs from the names that look like it: `mcts-re…bl-lb/every…`,
//! 8. its number in the list of full names: `#3`. Numbers may be wider than the width asked for.

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
const MOST_NAMES: usize = 3;

/// What stands for the part of a name that is left out.
const CUT: char = '…';

/// Short forms of these names, in the same order: different for different names, and at most `most` columns wide unless
/// they are numbers (`#3`). The forms are described above.
///
/// ```
/// use patchwork_arena::document::short_names;
///
/// let names = ["mcts{rollout.policy=bl}", "mcts{rollout.policy=bl-lb}", "greedy"];
/// assert_eq!(short_names(&names, 12), ["mcts{bl}", "mcts{bl-lb}", "greedy"]);
/// ```
#[must_use]
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
        let number = |(at, _): (usize, &String)| {
            let mut text = format!("#{}", at + 1);
            while shown.contains_key(&text) {
                text.insert(0, '#');
            }
            text
        };
        let numbers: Vec<String> = full.iter().enumerate().map(number).collect();
        let mut forms = Forms::new(&full, &numbers);
        let steps = widths.iter().map(|&most| (most, forms.at(most))).collect();
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

/// A name with its settings, if it is that of a variant.
struct NameParts<'a> {
    base: &'a str,
    settings: Vec<Setting<'a>>,
    /// The settings that not all variants of the agent share.
    own: Vec<Setting<'a>>,
}

/// A key and its value; some settings in names have no key.
type Setting<'a> = (Option<&'a str>, &'a str);

impl<'a> NameParts<'a> {
    fn of(name: &'a str) -> Self {
        let inner = name.split_once('{');
        let inner = inner.and_then(|(base, rest)| Some((base, rest.strip_suffix('}')?)));
        let (base, settings) =
            inner.map_or((name, Vec::new()), |(base, all)| (base, settings_of(all)));
        Self {
            base,
            settings,
            own: Vec::new(),
        }
    }

    /// Some of the settings in braces, with the last parts of their keys or without keys.
    fn braced(settings: &[Setting<'_>], keyed: bool) -> String {
        let parts = settings.iter().map(|&(key, value)| {
            let value = value.replace('"', "");
            match key.filter(|_| keyed) {
                Some(key) => format!("{}={value}", last_part(key)),
                None => value,
            }
        });
        format!("{{{}}}", parts.collect::<Vec<_>>().join(","))
    }
}

/// The settings between the braces of a variant's name. Commas in quotes and brackets are parts of values.
fn settings_of(text: &str) -> Vec<Setting<'_>> {
    let (mut quoted, mut depth) = (false, 0_usize);
    let parts = text.split(|letter| {
        match letter {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth = depth.saturating_sub(1),
            ',' => return !quoted && depth == 0,
            _ => {}
        }
        false
    });
    parts
        .map(|part| match part.split_once('=') {
            Some((key, value)) => (Some(key), value),
            None => (None, part),
        })
        .collect()
}

/// The short forms of a set of names.
struct Forms<'a> {
    names: &'a [String],
    numbers: &'a [String],
    parts: Vec<NameParts<'a>>,
    /// What a text stands for: a name, or nothing because several names have the form.
    meaning: BTreeMap<String, Option<usize>>,
}

impl<'a> Forms<'a> {
    /// The number of forms that depend on one name alone.
    const ALONE: usize = 8;

    fn new(names: &'a [String], numbers: &'a [String]) -> Self {
        let mut parts: Vec<NameParts<'a>> = names.iter().map(|name| NameParts::of(name)).collect();
        let mut shared = BTreeMap::<&str, (usize, BTreeMap<Setting<'_>, usize>)>::new();
        for one in parts.iter().filter(|one| !one.settings.is_empty()) {
            let (variants, uses) = shared.entry(one.base).or_default();
            *variants += 1;
            for setting in &one.settings {
                *uses.entry(*setting).or_default() += 1;
            }
        }
        for one in parts.iter_mut().filter(|one| !one.settings.is_empty()) {
            let (variants, uses) = &shared[one.base];
            let settings = one.settings.iter().copied();
            one.own = settings
                .filter(|setting| uses[setting] < *variants)
                .collect();
        }
        let all = names.iter().chain(numbers).zip((0..names.len()).cycle());
        Self {
            names,
            numbers,
            parts,
            meaning: all.map(|(text, at)| (text.clone(), Some(at))).collect(),
        }
    }

    /// The texts of all names in at most this many columns.
    fn at(&mut self, most: usize) -> Vec<String> {
        let mut chosen: Vec<Option<String>> = vec![None; self.names.len()];
        for stage in 0..=Self::ALONE {
            let open = (0..chosen.len()).filter(|&at| chosen[at].is_none());
            let texts: Vec<(usize, String)> = if stage < Self::ALONE {
                let text = |at| Some((at, self.form(at, stage, most)?));
                open.filter_map(text).collect()
            } else {
                self.windows(open, most)
            };
            let texts: Vec<(usize, String)> = texts
                .into_iter()
                .filter(|(_, text)| display_width(text) <= most)
                .collect();
            for (at, text) in &texts {
                let meaning = self.meaning.entry(text.clone()).or_insert(Some(*at));
                if *meaning != Some(*at) && !self.names.contains(text) {
                    *meaning = None;
                }
            }
            for (at, text) in texts {
                if self.meaning[&text] == Some(at) {
                    chosen[at] = Some(text);
                }
            }
        }
        let numbered = chosen.into_iter().zip(self.numbers);
        numbered
            .map(|(text, number)| text.unwrap_or_else(|| number.clone()))
            .collect()
    }

    /// One of the forms of a name, if the name has it.
    fn form(&self, at: usize, stage: usize, most: usize) -> Option<String> {
        let NameParts {
            base,
            settings,
            own,
        } = &self.parts[at];
        let braced = |settings: &[Setting<'_>], keyed| {
            (!settings.is_empty()).then(|| NameParts::braced(settings, keyed))
        };
        let after = |settings: Option<String>| Some(format!("{base}{}", settings?));
        let after_start = |settings: Option<String>| {
            let settings = settings?;
            let room = most.checked_sub(display_width(&settings))?;
            (room >= LEAST_START && display_width(base) > room)
                .then(|| format!("{}{CUT}{settings}", start(base, room - 1)))
        };
        let some = if own.is_empty() { settings } else { own };
        match stage {
            0 => Some(self.names[at].clone()),
            1 => after(braced(settings, false)),
            2 => after(braced(settings, true)),
            3 => after(braced(own, false)),
            4 => after(braced(own, true)),
            5 => after_start(braced(some, false)),
            6 => after_start(braced(some, true)),
            _ => middle_cut(&self.values(at), most),
        }
    }

    /// A name without the keys of its settings.
    fn values(&self, at: usize) -> String {
        match &self.parts[at] {
            NameParts { settings, .. } if settings.is_empty() => self.names[at].clone(),
            NameParts { base, settings, .. } => {
                format!("{base}{}", NameParts::braced(settings, false))
            }
        }
    }

    /// For names whose ends are the same, the start and the part that differs.
    fn windows(&self, open: impl Iterator<Item = usize>, most: usize) -> Vec<(usize, String)> {
        let mut groups = BTreeMap::<Option<String>, Vec<usize>>::new();
        for at in open {
            let ends = middle_cut(&self.values(at), most);
            groups.entry(ends).or_default().push(at);
        }
        let mut all = Vec::new();
        for group in groups.into_values() {
            let values: BTreeSet<String> = group.iter().map(|&at| self.values(at)).collect();
            let text = |&at: &usize| match values.len() == group.len() {
                true => self.values(at),
                false => self.names[at].clone(),
            };
            let texts: Vec<String> = group.iter().map(text).collect();
            let cores = differing(&texts);
            for ((&at, text), core) in group.iter().zip(&texts).zip(cores) {
                all.extend(window(text, core, most).map(|text| (at, text)));
            }
        }
        all
    }
}

/// Minimum width of the start of an agent's name, with the mark of the cut.
const LEAST_START: usize = 4;

/// Minimum width of a text that is cut.
const LEAST_CUT: usize = 3;

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

/// A text without its middle.
fn middle_cut(text: &str, most: usize) -> Option<String> {
    if most < LEAST_CUT {
        return None;
    }
    let last = end(text, most - most / 2 - 1);
    Some(format!("{}{CUT}{last}", start(text, most / 2)))
}

/// The part of each text that differs, as whole words: the place of its start and of its end.
fn differing(texts: &[String]) -> Vec<(usize, usize)> {
    let Some(first) = texts.first() else {
        return Vec::new();
    };
    let same = |one: &str, other: &str| {
        let pairs = one.chars().zip(other.chars());
        let same = pairs.take_while(|(a, b)| a == b);
        same.map(|(letter, _)| letter.len_utf8()).sum::<usize>()
    };
    let prefix = texts
        .iter()
        .map(|text| same(first, text))
        .min()
        .unwrap_or(0);
    let prefix = first[..prefix].rfind(is_between).map_or(0, |at| at + 1);
    let reversed = |text: &str| text[prefix..].chars().rev().collect::<String>();
    let last = reversed(first);
    let suffixes = texts.iter().map(|text| same(&last, &reversed(text)));
    let suffix = suffixes.min().unwrap_or(0);
    let tail = &first[first.len() - suffix..];
    let suffix = tail.find(is_between).map_or(0, |at| tail.len() - at);
    texts
        .iter()
        .map(|text| (prefix, text.len() - suffix))
        .collect()
}

/// Whether a character ends a word of a name. All of them are ASCII.
fn is_between(letter: char) -> bool {
    "{},=/|[] ".contains(letter)
}

/// The start of a text and the part from one place to another, with as much as fits of what follows.
fn window(text: &str, (from, to): (usize, usize), most: usize) -> Option<String> {
    if most < LEAST_CUT {
        return None;
    }
    let rest = display_width(&text[from..]);
    let before = display_width(&text[..from]);
    let room = (most / 3).max(most.saturating_sub(rest + 1)).min(before);
    let mut short = start(&text[..from], room).to_owned();
    if short.len() < from {
        short = start(&short, room.saturating_sub(1)).to_owned();
        short.push(CUT);
    }
    let room = most.checked_sub(display_width(&short))?;
    if rest <= room {
        short += &text[from..];
    } else if display_width(&text[from..to]) < room {
        short += start(&text[from..], room - 1);
        short.push(CUT);
    } else {
        short += &middle_cut(&text[from..to], room)?;
    }
    Some(short)
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

/// The first few of these names, as in a sentence: `a, b and c`, or `a, b and 7 more`.
pub(crate) fn named(names: &[&str]) -> String {
    let (shown, more) = names.split_at(names.len().min(MOST_NAMES));
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
    fn names_are_short_and_tell_what_differs() {
        let variant = "mcts-fast{iterations=12,exploration=0.4}";
        assert_eq!(
            short_names(&["mcts-bl-lb-every-regret", "a{b=1}", variant], 19),
            ["mcts-bl-l…ry-regret", "a{b=1}", "mcts-fast{12,0.4}"]
        );
        assert_eq!(short_names(&[variant], 9), ["mcts…0.4}"]);
        let names = [
            "champion{search.minimax=0.0}",
            "champion{expansion.prior.decay=0.0}",
            variant,
        ];
        assert_eq!(
            short_names(&names, 19),
            [
                "champ…{minimax=0.0}",
                "champion{decay=0.0}",
                "mcts-fast{12,0.4}"
            ]
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
    fn names_with_the_same_ends_show_their_middles() {
        let variant = |strategy| {
            format!(
                "mcts-regret{{budget.iterations=20,expansion.strategy=\"{strategy}/every/regret\"}}"
            )
        };
        let names = ["bl", "bl-lb", "pareto-bl"].map(variant);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_eq!(
            short_names(&names, 40),
            [
                "mcts-regret{20,bl/every/regret}",
                "mcts-regret{20,bl-lb/every/regret}",
                "mcts-regret{20,pareto-bl/every/regret}"
            ]
        );
        assert_eq!(
            short_names(&names, 20),
            [
                "mcts-…bl/every/regr…",
                "mcts-…bl-lb/every/r…",
                "mcts-…pareto-bl/eve…"
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
