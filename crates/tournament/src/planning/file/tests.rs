//! Tournament files are compared with the same tournaments written out by hand: agents with their whole settings.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use toml::Table;

use super::*;
use crate::Gauntlet;
use crate::domain::SettingValue;
use patchwork_engine::testing::setup_and_rng;

/// Entries of `agents` and `challengers`: a name, and the keys in its braces in order.
const ENTRIES: [(&str, &[(&str, &str)]); 8] = [
    ("random", &[]),
    ("greedy-inorder", &[]),
    ("mcts-fast", &[]),
    ("mcts-regret", &[]),
    ("alpha-beta", &[]),
    ("mcts-fast", &[("search.exploration", "1.0")]),
    ("mcts-fast", &[("budget.iterations", "5")]),
    // Also a variant of a sweep.
    ("greedy-inorder", &[("placement", "bl/some/first")]),
];

/// Keys, each with its values, in order.
type Axes = &'static [(&'static str, &'static [&'static str])];

/// Agents with the keys of a sweep.
const SWEEPS: [(&str, Axes); 5] = [
    ("mcts-fast", &[("search.exploration", &["0.5", "1.5"])]),
    (
        "mcts-regret",
        &[
            (
                "rollout.strategy",
                &["bl/some/first", "in-order/some/first"],
            ),
            ("search.exploration", &["0.25", "0.5"]),
        ],
    ),
    ("mcts-fast", &[("budget.iterations", &["3", "4"])]),
    (
        "greedy-inorder",
        &[("placement", &["bl/some/first", "in-order/some/first"])],
    ),
    ("random", &[("search.exploration", &["0.5"])]),
];

/// The keys of a tournament file that are given.
#[derive(Clone, Debug)]
struct Keys {
    seed: Option<u64>,
    format: &'static str,
    agents: Option<Vec<usize>>,
    challengers: Option<Vec<usize>>,
    sweep: Option<usize>,
    budget: Option<(&'static str, u32)>,
    pairs: Option<u32>,
    sprt: bool,
    common_rings: Option<bool>,
    has_book: bool,
    track: Option<&'static str>,
    thoughts: Option<&'static str>,
}

fn keys() -> impl Strategy<Value = Keys> {
    let entries = || {
        let all: Vec<usize> = (0..ENTRIES.len()).collect();
        subsequence(all, 0..=4).prop_shuffle()
    };
    let who = (
        prop::option::weighted(0.9, entries()),
        prop::option::of(entries()),
        prop::option::weighted(0.6, select(vec![0, 0, 1, 1, 2, 3, 3, 4])),
        prop::option::of(select(vec![
            ("iterations", 7),
            ("milliseconds", 5),
            ("milliseconds", 9),
            ("depth", 2),
        ])),
    );
    let how = (
        select(vec!["round-robin", "gauntlet"]),
        // Whether keys of other formats are left out.
        prop::bool::weighted(0.95),
    );
    let rest = (
        prop::option::of(1..9_u64),
        prop::option::weighted(0.9, 1..4_u32),
        prop::bool::weighted(0.3),
        prop::option::weighted(0.3, any::<bool>()),
        prop::bool::weighted(0.2),
        prop::option::weighted(0.1, select(vec!["original", "revised", "original+2"])),
        prop::option::weighted(0.2, select(vec!["top-1", "top-3"])),
    );
    (who, how, rest).prop_map(|(who, how, rest)| {
        let (agents, challengers, sweep, budget) = who;
        let (format, fitting) = how;
        let (seed, pairs, sprt, common_rings, has_book, track, thoughts) = rest;
        let fits = !fitting || format == "gauntlet";
        Keys {
            seed,
            format,
            agents,
            challengers: challengers.filter(|_| fits),
            sweep,
            budget,
            pairs,
            sprt: sprt && fits,
            common_rings: common_rings.filter(|_| !fitting || !has_book),
            has_book,
            track,
            thoughts,
        }
    })
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../agents")
}

/// A number or a text as a value of TOML.
fn value(text: &str) -> SettingValue {
    let number = text.parse().map(SettingValue::Integer);
    number.unwrap_or_else(|_| match text.parse() {
        Ok(real) => SettingValue::Real(real),
        Err(_) => text.into(),
    })
}

/// The name of an agent with these words and values in braces.
fn name_of<'a>(base: &str, keys: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let keys: Vec<String> = keys.map(|(key, value)| format!("{key}={value}")).collect();
    match keys.is_empty() {
        true => base.to_owned(),
        false => format!("{base}{{{}}}", keys.join(",")),
    }
}

impl Keys {
    /// The text of the tournament file; the book is `book.tsv`.
    fn text(&self) -> String {
        let entries = |entries: &Vec<usize>| {
            let names = entries.iter().map(|&entry| {
                let (base, keys) = ENTRIES[entry];
                format!("{:?}", name_of(base, keys.iter().copied()))
            });
            format!("[{}]", names.collect::<Vec<_>>().join(", "))
        };
        let quoted = |text: &'static str| format!("{text:?}");
        let lines = [
            ("seed", self.seed.map(|seed| seed.to_string())),
            ("format", Some(quoted(self.format))),
            ("agents", self.agents.as_ref().map(entries)),
            ("challengers", self.challengers.as_ref().map(entries)),
            ("pairs", self.pairs.map(|pairs| pairs.to_string())),
            ("common_rings", self.common_rings.map(|it| it.to_string())),
            ("rings", self.has_book.then(|| quoted("book.tsv"))),
            ("track", self.track.map(quoted)),
            ("thoughts", self.thoughts.map(quoted)),
            (
                "sprt",
                self.sprt.then(|| "{ elo0 = 0, elo1 = 20 }".to_owned()),
            ),
        ];
        let mut text = "name = \"t\"\n".to_owned();
        for (key, value) in lines {
            if let Some(value) = value {
                text += &format!("{key} = {value}\n");
            }
        }
        if let Some((unit, count)) = self.budget {
            text += &format!("[budget]\n{unit} = {count}\n");
        }
        if let Some(sweep) = self.sweep {
            let (base, keys) = SWEEPS[sweep];
            text += &format!("[sweep]\nbase = {base:?}\n[sweep.keys]\n");
            for (key, values) in keys {
                let values: Vec<String> = values.iter().map(|v| value(v).to_string()).collect();
                text += &format!("{key:?} = [{}]\n", values.join(", "));
            }
        }
        text
    }

    /// An agent with this name and all settings of a file, with the common budget and then these values.
    /// `None` if it is not an agent.
    fn agent(&self, base: &str, name: String, keys: &[(&str, &str)]) -> Option<PlannedAgent> {
        let file = AgentFile::read(&folder().join(format!("{base}.toml"))).expect("an agent");
        let mut settings = Table::try_from(&file.config).expect("plain values");
        if let Some((unit, count)) = self.budget
            && settings.contains_key("budget")
        {
            if keys.iter().any(|(key, _)| key.starts_with("budget.")) {
                return None;
            }
            let budget = Table::from_iter([(unit.to_owned(), count.into())]);
            settings.insert("budget".to_owned(), budget.into());
        }
        for (key, text) in keys {
            let (table, key) = key
                .split_once('.')
                .map_or((None, *key), |(a, b)| (Some(a), b));
            let within = match table {
                Some(table) => {
                    let inner = settings.entry(table).or_insert_with(|| Table::new().into());
                    inner.as_table_mut()?
                }
                None => &mut settings,
            };
            within.insert(key.to_owned(), value(text).toml()?);
        }
        let text = toml::to_string(&settings).expect("plain values");
        let agent = AgentFile::parse(&folder().join("by-hand.toml"), &text).ok()?;
        Some(PlannedAgent {
            description: file.description,
            ..PlannedAgent::new(name, agent.config)
        })
    }

    fn entries(&self, entries: &[usize]) -> Option<Vec<PlannedAgent>> {
        let agent = |&entry: &usize| {
            let (base, keys) = ENTRIES[entry];
            self.agent(base, name_of(base, keys.iter().copied()), keys)
        };
        entries.iter().map(agent).collect()
    }

    fn variants(&self) -> Option<Vec<PlannedAgent>> {
        let Some(sweep) = self.sweep else {
            return Some(Vec::new());
        };
        let (base, keys) = SWEEPS[sweep];
        let mut points: Vec<Vec<(&str, &str)>> = vec![Vec::new()];
        for &(key, values) in keys {
            let with = |point: &Vec<(&'static str, &'static str)>| {
                let point = point.clone();
                let values = values.iter();
                values.map(move |&value| [&point[..], &[(key, value)]].concat())
            };
            points = points.iter().flat_map(with).collect();
        }
        let agent = |point: &Vec<(&'static str, &'static str)>| {
            let last = |key: &'static str| key.rsplit('.').next().expect("a word");
            let words = point
                .iter()
                .map(|&(key, value)| format!("{}={value}", last(key)));
            let name = words.collect::<Vec<_>>().join(" ");
            let values = point
                .iter()
                .map(|&(key, text)| (key.to_owned(), value(text)));
            Some(PlannedAgent {
                swept: values.collect(),
                base: Some(base.to_owned()),
                ..self.agent(base, name, point)?
            })
        };
        points.iter().map(agent).collect()
    }

    /// The plan of the tournament, written out; `None` if there is none.
    fn by_hand(&self, book: &Book) -> Option<Plan> {
        let is_gauntlet = self.format == "gauntlet";
        let misplaced = self.challengers.is_some() && !is_gauntlet
            || self.common_rings.is_some() && self.has_book;
        if misplaced || self.agents.is_none() && self.sweep.is_none() {
            return None;
        }
        let variants = self.variants()?;
        let swept: BTreeSet<String> = variants.iter().map(|agent| agent.name.clone()).collect();
        let mut agents = self.entries(self.agents.as_deref().unwrap_or_default())?;
        agents.retain(|agent| !swept.contains(&agent.name));
        agents.extend(variants);
        let seed = self.seed.unwrap_or(1);
        let mut format = Format::RoundRobin;
        if is_gauntlet {
            if self.challengers.is_none() && self.sweep.is_none() {
                return None;
            }
            let mut challengers = swept;
            for agent in self.entries(self.challengers.as_deref().unwrap_or_default())? {
                challengers.insert(agent.name.clone());
                if !agents.iter().any(|known| known.name == agent.name) {
                    agents.push(agent);
                }
            }
            let challengers = challengers.into_iter().collect();
            format = Gauntlet { challengers }.into();
        }
        let track = self.track.unwrap_or("original");
        if self.has_book && track != "original" {
            return None;
        }
        let pairs = match (self.pairs, self.sprt, self.has_book) {
            (Some(pairs), ..) => pairs,
            (None, true, true) => 2,
            (None, true, false) => 100_000,
            (None, false, _) => return None,
        };
        let rings = match (self.has_book, self.common_rings) {
            (true, _) => PlannedRings::Book(book.clone()),
            (false, Some(true)) => PlannedRings::Common,
            (false, _) => PlannedRings::Own,
        };
        let rules: Rules = track.parse().expect("a track");
        let plan = Plan::new(seed, rules, format, pairs, agents).ok()?;
        let thoughts = self.thoughts.map(|top| top.parse().expect("top actions"));
        let plan = plan.with_rings(rings).with_thoughts(thoughts);
        if !self.sprt {
            return Some(plan);
        }
        let test = "elo0 = 0\nelo1 = 20\n";
        let test: SprtKeys = toml::from_str(test).expect("keys");
        plan.with_test(Sprt::try_from(test).expect("a test")).ok()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_file_means_what_it_says_written_out(keys in keys()) {
        let home = tempfile::tempdir().expect("a folder");
        let rings = [1, 2].map(|seed| *setup_and_rng(seed).0.ring());
        let lines = rings.map(|ring| format!("original\t{ring}\n"));
        fs::write(home.path().join("book.tsv"), lines.concat()).expect("written");
        let path = home.path().join("t.toml");
        fs::write(&path, keys.text()).expect("written");
        let found = Manifest::of_file(&path, Some(&folder()));
        let book = Book::new(rings.to_vec()).expect("rings");
        match (found, keys.by_hand(&book)) {
            (Ok(Manifest { plan, .. }), Some(by_hand)) => {
                let canonical = |plan: &Plan| -> Vec<String> {
                    plan.agents().iter().map(|agent| agent.config.canonical()).collect()
                };
                prop_assert_eq!(canonical(&plan), canonical(&by_hand));
                prop_assert_eq!(plan.pairings(), by_hand.pairings());
                prop_assert_eq!(plan.game_count(), by_hand.game_count());
                prop_assert_eq!(&plan, &by_hand);
                let described = |plan: &Plan| -> Vec<String> {
                    plan.agents().iter().map(|agent| agent.description.clone()).collect()
                };
                prop_assert_eq!(described(&plan), described(&by_hand));
                prop_assert_eq!(plan.hash(), by_hand.hash());
            }
            (Err(_), None) => {}
            (Ok(_), None) => prop_assert!(false, "accepted:\n{}", keys.text()),
            (Err(error), Some(_)) => {
                prop_assert!(false, "refused: {}\n{}", error, keys.text());
            }
        }
    }
}
