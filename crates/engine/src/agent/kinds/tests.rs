//! Properties of settings that play alike, for every kind of agent.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::path::Path;

use crate::agent::files::agent_file::AgentFile;
use crate::agent::files::folder::AgentFolder;
use crate::agent::files::tables;
use crate::agent::player::{Decision, Limit};
use crate::agent::settings::AgentSettings;
use crate::game::State;
use crate::search::Stop;
use crate::testing::{rows, setup};
use crate::util::InputError;
use crate::util::rng::stream;

/// A minimal file of each kind, and the defaults of the keys that it leaves out. A default that depends on
/// another key comes with that key.
const DEFAULTS: [(&str, &str); 6] = [
    ("type = 'human'", ""),
    ("type = 'random'", ""),
    (
        "type = 'greedy'\nplacement = 'bl/some/first'\nbeam = 8",
        "depth=3",
    ),
    (
        "type = 'flat'\n[budget]\niterations = 100\n\
         [rollout]\npick = 'uniform'\nstrategy = 'all/every/random'",
        "expansion.strategy=all/every/first rollout.corner=false rollout.estimate=0.0 search.value=win",
    ),
    (
        "type = 'alpha-beta'\n[budget]\nnodes = 100\n[expansion]\nstrategy = 'bl/some/first'",
        "table_megabytes=8",
    ),
    (
        "type = 'mcts'\n[budget]\niterations = 100\n[expansion]\nstrategy = 'bl/some/first'\n\
         [rollout]\npick = 'greedy'\nstrategy = 'bl/some/first'",
        "threads=1 expansion.whole=0 expansion.steps=one expansion.prior.temperature=2.0 \
         expansion.prior.decay=1.0 expansion.prior.shared=false rollout.corner=false rollout.estimate=0.0 \
         search.select=ucb1 search.exploration=0.7 search.minimax=0.0 search.confidence=1.0 \
         search.confidence_power=0.0 search.allocation=selection search.choice=visits search.solver=true \
         search.endgame=0 search.endgame_spaces=16 search.endgame_bounds=false search.endgame_relaxed=false \
         search.early_stop=false search.batch=1 search.nodes=1048576 search.transpositions=false search.value=win",
    ),
];

/// Other values of every key, some with another key that they need. Values that an agent's other settings do
/// not allow are skipped.
const CHANGES: &str = "
placement = bl/some/first | bl-lb/every/area
beam = 2 | 9
depth = 1 | 4
budget.iterations = 11 | 12
budget.milliseconds = 11 | 12
budget.milliseconds_per_game = 11000 | 12000
budget.nodes = 11 | 12
budget.depth = 1 | 2
budget.playouts = 11 | 12
table_megabytes = 4 | 16
expansion.strategy = bl/some/first | bl/every/first
expansion.best = 4 | 5
expansion.whole = 6 | 7
expansion.steps = two
expansion.prior.temperature = 3.0 | 3.5
expansion.prior.decay = 0.0 | 3.5
expansion.prior.points = 11.0 | 12.0
expansion.prior.shared = true,expansion.prior.points=10.0
rollout.pick = greedy | uniform
rollout.epsilon = 0.2 | 0.3
rollout.learn = mast | nst | { by = 'mast', points = 2.0, keep = 0.5 }
rollout.strategy = bl/some/first | bl/every/first
rollout.late = { from = 40, strategy = 'bl/some/first' }
rollout.corner = true
rollout.depth = 3 | 4
rollout.estimate = 0.2 | 0.3
search.select = ucb1-tuned | puct-rave
search.exploration = 0.0 | 0.25
search.first_play = -0.1 | 0.1
search.widening = { base = 2.0, power = 0.5 }
search.rave = { over = 'patches', equivalence = 50.0 }
search.allocation = halving | { by = 'halving', most = 4.0 } | noise
search.choice = value | { by = 'temperature', temperature = 0.5 }
search.minimax = 0.25 | 0.75
search.confidence = 1.3 | 2.0
search.confidence_power = -0.1 | -0.5
search.solver = false
search.endgame = 50 | 100
search.endgame_spaces = 8 | 20
search.endgame_bounds = true
search.endgame_relaxed = true
search.early_stop = true
search.batch = 8 | 64
search.nodes = 20000 | 30000
search.value = margin | mix
search.margin_scale = 25.0 | 35.0
search.win_weight = 0.25,search.value=mix | 0.75,search.value=mix
rollout.temperature = 1.0,rollout.pick=softmax | 2.0,rollout.pick=softmax
";

/// The keys of [`CHANGES`], each with one of its values.
fn changes() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = CHANGES.trim().lines();
    lines.flat_map(|line| {
        let (key, values) = line.split_once(" = ").expect("a key");
        values.split(" | ").map(move |value| (key, value))
    })
}

fn shipped() -> Vec<AgentFile> {
    let folder = AgentFolder::shipped();
    let files = [folder.archive(), folder].map(|folder| folder.files().expect("the folder"));
    let files = files.iter().flatten().map(|path| AgentFile::read(path));
    // A person is not in any folder.
    let person = AgentFile::parse(Path::new("human"), "type = 'human'");
    let files = files.chain([person]);
    files.collect::<Result<_, _>>().expect("agents")
}

fn shipped_as(name: &str) -> AgentFile {
    let mut agents = shipped().into_iter();
    agents.find(|agent| agent.name == name).expect("shipped")
}

fn parse(text: &str) -> AgentFile {
    AgentFile::parse(Path::new("agents/a.toml"), text).expect("an agent")
}

fn changed(agent: &AgentFile, change: &str) -> AgentFile {
    agent
        .variant(&change.parse().expect("overrides"))
        .expect("a variant")
}

fn variant(agent: &AgentFile, change: &str) -> Result<AgentSettings, InputError> {
    let overrides = change.parse().expect("overrides");
    Ok(agent.variant(&overrides)?.config)
}

/// The sentence with which a change is refused.
fn refusal(agent: &AgentFile, change: &str) -> String {
    variant(agent, change)
        .map(|_| ())
        .expect_err("refused")
        .to_string()
}

/// The agent and its variants by one key, with what was changed; values that the agent already has are left
/// out.
fn variants(agent: &AgentFile) -> Vec<(String, AgentSettings)> {
    let own = agent.config.clone().effective().table();
    let own: BTreeMap<String, toml::Value> = tables::leaves(&own).into_iter().collect();
    let mut all = vec![(String::new(), agent.config.clone())];
    for (key, value) in changes() {
        let read: toml::Table = format!("value = {value}").parse().unwrap_or_default();
        let read = read.get("value").cloned().unwrap_or_else(|| value.into());
        if own.get(key) == Some(&read) {
            continue;
        }
        let change = format!("{key}={value}");
        if let Ok(config) = variant(agent, &change) {
            all.push((change, config));
        }
    }
    all
}

#[test]
fn every_kind_has_effective_settings_that_stay_the_same() {
    let mut kinds = Vec::new();
    for agent in shipped() {
        kinds.push(agent.config.kind());
        for (change, config) in variants(&agent) {
            let case = format!("{}: {change}", agent.name);
            let effective = config.clone().effective();
            assert_eq!(effective.clone().effective(), effective, "{case}");
            // The effective settings are valid settings of the same agent.
            let read = AgentSettings::from_table(Path::new("a"), effective.table());
            let read = read.unwrap_or_else(|error| panic!("{case}: {error}"));
            assert_eq!(read, effective);
            assert_eq!(read.canonical(), config.canonical(), "{case}");
        }
    }
    for kind in super::shipped() {
        assert!(kinds.contains(&kind.name), "{}", kind.name);
    }
}

#[test]
fn a_default_may_be_stated_or_left_out() {
    for (text, defaults) in DEFAULTS {
        let agent = parse(text);
        let same = |defaults: &str| {
            let stated = variant(&agent, defaults).expect("a default");
            assert_eq!(stated.canonical(), agent.config.canonical(), "{defaults}");
        };
        defaults.split_whitespace().for_each(same);
        same(&defaults.replace(' ', ","));
        // The list above is complete: the effective settings add exactly these defaults.
        let stated = defaults.split_whitespace();
        let stated: Vec<&str> = stated
            .filter_map(|text| Some(text.split_once('=')?.0))
            .collect();
        let own: toml::Table = text.parse().expect("a table");
        let own = tables::leaves(&own);
        for (key, _) in tables::leaves(&agent.config.effective().table()) {
            let is_known = key == "type" || stated.contains(&key.as_str());
            assert!(is_known || own.iter().any(|(own, _)| *own == key), "{key}");
        }
    }
    let [.., (mcts, _)] = DEFAULTS;
    let mcts = parse(mcts);
    for [set, default] in rows(
        "
        search.value=margin => search.margin_scale=20.0
        search.value=mix => search.margin_scale=20.0,search.win_weight=0.5
        budget.milliseconds_per_game=1000 => search.early_stop=true
    ",
    ) {
        let canonical = |change: &str| changed(&mcts, change).config.canonical();
        assert_eq!(canonical(set), canonical(&format!("{set},{default}")));
    }
}

#[test]
fn settings_that_play_differently_have_different_canonical_texts() {
    let mut tried = BTreeSet::new();
    let mut agents = BTreeMap::new();
    for agent in shipped() {
        if let Some(other) = agents.insert(agent.config.canonical(), agent.name.clone()) {
            panic!("{other} and {} are the same agent", agent.name);
        }
        let mut known = BTreeMap::new();
        for (change, config) in variants(&agent) {
            tried.extend(change.split_once('=').map(|(key, _)| key.to_owned()));
            if let Some(other) = known.insert(config.canonical(), change.clone()) {
                panic!(
                    "{}: '{change}' and '{other}' have the same text",
                    agent.name
                );
            }
        }
    }
    for (key, _) in changes() {
        assert!(tried.contains(key), "no agent takes {key}");
    }
}

/// The decisions of the first plies of a game against itself.
fn opening(config: &AgentSettings) -> Vec<Decision> {
    let setup = setup(3);
    let mut state = State::new(&setup);
    let mut agent = config.build();
    agent.start(&setup, stream(&[5]));
    let mut decide = |_| {
        let decision = agent.decide(&setup, &state, Limit::own(&Stop::new()));
        let decision = decision.expect("no fault");
        agent.observe(decision.action);
        state = state.try_play(&setup, decision.action).expect("legal");
        decision
    };
    (0..3).map(&mut decide).collect()
}

/// Changes after which other keys have no effect.
const IDLE: &str = "
budget.iterations=40
rollout.depth=0
rollout.depth=0,rollout.pick=epsilon-greedy,rollout.epsilon=0.1
rollout.depth=0,expansion.steps=two
rollout.pick=uniform
search.select=puct,expansion.best=1,search.first_play=0.0
beam=
";

#[test]
fn keys_without_effect_change_no_decision() {
    let mut idle = BTreeSet::new();
    for (text, _) in DEFAULTS {
        let agent = parse(text);
        for change in IDLE.trim().lines() {
            let Ok(agent) = agent.variant(&change.parse().expect("overrides")) else {
                continue;
            };
            let decisions = opening(&agent.config);
            // Noise draws random numbers, which rollouts then do not get.
            let changes = changes().filter(|(key, _)| *key != "search.allocation");
            for (key, value) in changes.chain([("estimate", "learned")]) {
                let others = [",expansion.", ",rollout.", ",search."];
                let overrides = format!("{key}={value}").parse().expect("overrides");
                let has_effect = !agent.idle_with(&overrides).iter().any(|of| of.has(key));
                if has_effect || others.iter().any(|other| value.contains(other)) {
                    continue;
                }
                let changed = overrides.apply(&agent.config.table()).expect("a table");
                // Some of these are refused in files, but plans of former versions may have them.
                if let Ok(config) = AgentSettings::from_table(Path::new("a"), changed) {
                    assert_eq!(opening(&config), decisions, "{change}: {key}={value}");
                    idle.insert(key);
                }
            }
        }
    }
    let expected = "estimate expansion.prior.decay expansion.prior.points expansion.prior.temperature rollout.corner \
                    rollout.epsilon rollout.estimate rollout.late rollout.learn rollout.pick rollout.strategy";
    assert_eq!(idle.into_iter().collect::<Vec<_>>().join(" "), expected);
}

#[test]
fn inherited_keys_without_effect_are_dropped() {
    let fast = shipped_as("mcts-fast");
    let greedy = changed(&fast, "rollout.pick=greedy").config;
    assert_eq!(greedy.table()["rollout"].get("epsilon"), None);
    let removed = changed(&fast, "rollout.pick=greedy,rollout.epsilon=");
    assert_eq!(greedy, removed.config);
    let text = "extends = 'mcts-fast'\n[rollout]\npick = 'greedy'";
    assert_eq!(parse(text).config, greedy);
    // A variant of a variant inherits from it.
    let random = changed(&fast, "rollout.epsilon=0.3");
    let again = changed(&random, "rollout.pick=greedy");
    assert_eq!(again.name, "mcts-fast{rollout.pick=greedy}");
    // So are the keys of another part of the search.
    let lcb = changed(&fast, "search.choice.by=lcb,search.choice.z=2");
    let value = changed(&lcb, "search.choice.by=value");
    assert_eq!(value.name, "mcts-fast{search.choice.by=value}");
    let wrong = refusal(&fast, "search.choice.by=value,search.choice.z=2");
    let expected = "search.choice: unknown key `z`, expected `by` or `share`";
    assert!(wrong.ends_with(expected), "{wrong}");
    // What a user writes in vain is refused.
    let expected =
        "rollout.epsilon: requires pick = \"epsilon-greedy\"; otherwise leave the key out";
    let wrong = refusal(&fast, "rollout.pick=greedy,rollout.epsilon=0.3");
    assert!(wrong.ends_with(expected), "{wrong}");
    let text = format!("{text}\nepsilon = 0.3");
    let file = AgentFile::parse(Path::new("agents/a.toml"), &text);
    let wrong = file.map(|_| ()).expect_err("in vain").to_string();
    assert!(wrong.ends_with(expected), "{wrong}");
}

/// Changes of mcts-fast that are refused, and why.
const REFUSED: &str = "
search.batch=8,search.transpositions=true => search.batch: cannot be combined with transpositions or a rule that learns, such as RAVE
search.batch=8,search.rave={ over = 'patches', equivalence = 50.0 } => search.batch: cannot be combined with transpositions or a rule that learns, such as RAVE
search.select=puct-rave,search.rave={ over = 'patches', equivalence = 50.0 } => search.rave: cannot be combined with search.select = \"puct-rave\"
rollout.learn=mast,rollout.depth=0 => rollout.learn: requires rollouts, with rollout.depth above 0; otherwise leave the key out
rollout.epsilon=,rollout.pick=,rollout.pick={ by = 'softmax', temperature = 2.0 } => rollout.pick: expected rollout.temperature instead of temperature in a table
search.allocation=halving,search.choice=visits => search.allocation: requires another choice than by visits: the actions of the last round have equally many
search.allocation=halving,search.batch=8 => search.allocation: cannot be combined with batch or widening
search.allocation=halving,budget.iterations=,budget.milliseconds=5 => search.allocation: requires budget.iterations
search.allocation=noise => search.allocation: requires a selection rule with priors, such as puct
search.batch=0 => search.batch: expected a number from 1 to 1024, found 0
search.endgame=20,search.solver=false => search.endgame: cannot be combined with solver = false
search.endgame=20,search.endgame_relaxed=true => search.endgame_relaxed: requires search.endgame_bounds = true; otherwise leave the key out
search.endgame_bounds=true => search.endgame_bounds: requires search.endgame; otherwise leave the key out
";

#[test]
fn keys_of_a_search_that_exclude_each_other_are_refused() {
    let agent = shipped_as("mcts-fast");
    for [change, what] in rows(REFUSED) {
        let error = refusal(&agent, change);
        assert!(error.ends_with(what), "{error}");
    }
}

/// A tournament searches with one thread, whatever the number.
#[test]
fn the_number_of_threads_is_not_part_of_the_canonical_text() {
    for agent in shipped() {
        let threads = NonZeroU32::new(3).expect("not 0");
        let (name, one) = (agent.name, agent.config.canonical());
        let parallel = agent.config.with_threads(threads);
        assert_eq!(parallel.canonical(), one, "{name}");
    }
}

/// A machine that lacks a network must not lose games with it.
#[test]
fn a_network_that_is_not_here_is_not_installed() {
    let mut kinds = 0;
    for (text, _) in DEFAULTS {
        let with_estimate = |source: &str| {
            let table = format!("estimate = '{source}'\n{text}")
                .parse()
                .expect("a table");
            AgentSettings::from_table(Path::new("x.toml"), table)
        };
        let Ok(lacking) = with_estimate("nowhere/some.net#0123456789abcdef") else {
            continue;
        };
        kinds += 1;
        let wrong = lacking.check_installed().expect_err("no such file");
        assert_eq!(&*wrong.key, "estimate");
        let expected = "nowhere/some.net: the network cannot be read";
        assert!(wrong.what.starts_with(expected), "{wrong}");
        assert_eq!(lacking.try_out(), Err(wrong));
        let linear = with_estimate("linear").expect("the default");
        assert_eq!(linear.check_installed(), Ok(()));
    }
    assert_eq!(kinds, 4);
}

#[test]
fn another_estimate_makes_another_agent() {
    for agent in shipped() {
        let Ok(learned) = variant(&agent, "estimate=learned") else {
            continue;
        };
        let linear = variant(&agent, "estimate=linear").expect("the default");
        assert_ne!(learned.canonical(), linear.canonical(), "{}", agent.name);
    }
}

/// A copy of an agent's file in another folder means the same agent.
#[test]
fn absolute_places_hold_from_every_folder() {
    let relative = "estimate = 'nowhere/some.net#0123456789abcdef'";
    let table = format!("{relative}\n{}", DEFAULTS[5].0)
        .parse()
        .expect("a table");
    let settings = AgentSettings::from_table(Path::new("x.toml"), table).expect("settings");
    let text = toml::to_string(&settings.with_absolute_places()).expect("settings");
    let current = std::env::current_dir().expect("known");
    let expected = current.join("nowhere/some.net#0123456789abcdef");
    assert!(
        text.contains(&format!("estimate = \"{}\"", expected.display())),
        "{text}"
    );
}

#[test]
fn settings_without_unused_keys_are_those_of_a_file() {
    let champion = shipped_as("champion");
    let ucb1 = changed(&champion, "search.select=ucb1").config;
    assert_eq!(ucb1.table()["expansion"].get("prior"), None);
    let settings = ucb1.effective().without_idle();
    let text = toml::to_string(&settings).expect("TOML");
    assert_eq!(parse(&text).config, settings);
    assert_eq!(champion.config.clone().without_idle(), champion.config);
}

/// Widening has numbers of 32 bits.
#[test]
fn settings_are_written_in_order_and_with_their_own_digits() {
    let (text, _) = DEFAULTS[5];
    let config = changed(&parse(text), "search.widening={ base = 2.3, power = 0.1 }").config;
    let search =
        r#""search":{"exploration":0.7,"widening":{"base":2.3,"power":0.1},"value":"win"}"#;
    let json = serde_json::to_string(&config).expect("JSON");
    assert!(
        json.starts_with(r#"{"type":"mcts","budget":{"iterations":100},"expansion""#),
        "{json}"
    );
    assert!(json.ends_with(&format!("{search}}}")), "{json}");
    let read: AgentSettings = serde_json::from_str(&json).expect("the same settings");
    assert_eq!(read, config);
    let toml = toml::to_string(&config).expect("TOML");
    assert!(toml.contains("base = 2.3\n"), "{toml}");
    let rounded = config.keys()["search"]["widening"]["base"].to_string();
    assert_eq!(rounded, "2.299999952316284");
    assert!(config.canonical().contains(&format!("base = {rounded}\n")));
}
