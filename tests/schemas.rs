//! The JSON Schemas of agent, tournament and tuning files: they are generated from the types, and accept the
//! same files as the program.

use std::fs;
use std::path::{Path, PathBuf};

use boon::{Compiler, Schemas};
use patchwork_engine::agent::{AgentFile, SHIPPED, agent_schema};
use patchwork_learn::{SelfPlayPlan, selfplay_schema};
use patchwork_search::{
    FinalChoice, PartInfo, Pick, PlayoutPolicy, RootAllocation, SearchPart, SelectionRule,
};
use patchwork_tournament::{Manifest, tournament_schema};
use patchwork_tune::{Tuning, tuning_schema};
use serde_json::Value;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A kind of file, with its schema and the program's reader.
struct Kind {
    name: &'static str,
    schema: fn() -> Value,
    read: fn(&Path) -> Result<(), String>,
}

/// The schema of the kinds that the program knows.
fn schema_of_agents() -> Value {
    patchwork_bots::register();
    agent_schema()
}

const AGENT: Kind = Kind {
    name: "agent",
    schema: schema_of_agents,
    read: |path| {
        patchwork_bots::register();
        AgentFile::read(path)
            .map(drop)
            .map_err(|error| error.to_string())
    },
};
const TOURNAMENT: Kind = Kind {
    name: "tournament",
    schema: tournament_schema,
    read: |path| {
        Manifest::of_file(path, None)
            .map(drop)
            .map_err(|error| error.to_string())
    },
};
const TUNING: Kind = Kind {
    name: "tuning",
    schema: tuning_schema,
    read: |path| {
        Tuning::read(path, None)
            .map(drop)
            .map_err(|error| error.to_string())
    },
};

const SELF_PLAY: Kind = Kind {
    name: "selfplay",
    schema: selfplay_schema,
    read: |path| {
        SelfPlayPlan::read(path, None)
            .map(drop)
            .map_err(|error| error.to_string())
    },
};

impl Kind {
    fn file(&self) -> PathBuf {
        Path::new(ROOT).join(format!("docs/{}.schema.json", self.name))
    }

    /// What is wrong with a file by its schema.
    fn validate(&self, text: &str) -> Result<(), String> {
        let table: toml::Table = text.parse().expect("TOML");
        let value = serde_json::to_value(table).expect("tables, texts and numbers");
        let mut compiler = Compiler::new();
        let (mut schemas, name) = (Schemas::new(), "schema.json");
        compiler.add_resource(name, (self.schema)()).expect("JSON");
        let index = compiler.compile(name, &mut schemas).expect("a schema");
        schemas
            .validate(&value, index)
            .map_err(|error| error.to_string())
    }

    /// Whether the program reads the text as a file beside the shipped ones.
    fn accepts(&self, text: &str) -> Result<(), String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file.toml");
        fs::write(&path, text).expect("a file");
        (self.read)(&path)
    }
}

#[test]
fn the_schemas_are_those_of_the_types() {
    for kind in [AGENT, TOURNAMENT, TUNING, SELF_PLAY] {
        let file = kind.file();
        let text = serde_json::to_string_pretty(&(kind.schema)()).expect("plain data") + "\n";
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            fs::write(&file, &text).expect("the folder docs");
        }
        let saved = fs::read_to_string(&file).unwrap_or_default();
        let how = "run UPDATE_SCHEMA=1 cargo test --test all schemas";
        assert!(saved == text, "{} is not up to date: {how}", file.display());
    }
}

/// The keys of a table of a schema, and of the tables in it, with their descriptions.
fn keys(schema: &Value, table: &Value, before: &str) -> Vec<(String, String)> {
    let inner = |value: &Value| {
        let path = value["$ref"].as_str();
        let path = path.or_else(|| value["allOf"][0]["$ref"].as_str())?;
        let inner = schema.pointer(path.strip_prefix('#')?);
        inner.filter(|inner| inner["properties"].is_object())
    };
    let properties = table["properties"].as_object().expect("keys").iter();
    let rows = properties.flat_map(|(key, value)| match inner(value) {
        Some(inner) => keys(schema, inner, &format!("{before}{key}.")),
        None => {
            let about = value["description"].as_str().expect("a description");
            vec![(format!("{before}{key}"), about.to_owned())]
        }
    });
    rows.collect()
}

#[test]
fn the_keys_in_the_document_are_those_of_the_types() {
    let schema = schema_of_agents();
    let mut rows = "| `type` | key | what it is |\n|---|---|---|\n".to_owned();
    for shape in schema["anyOf"].as_array().expect("kinds") {
        let kind = shape["title"].as_str().expect("a kind");
        // The keys of `mcts` are in an example, and files that extend others have the same keys.
        if kind == "mcts" || shape["properties"]["extends"].is_object() {
            continue;
        }
        let keys = keys(&schema, shape, "").into_iter();
        for (key, about) in keys.filter(|(key, _)| !["type", "description"].contains(&&**key)) {
            rows += &format!("| `{kind}` | `{key}` | {about} |\n");
        }
    }
    check_table("", "the keys", &rows);
}

#[test]
fn the_parts_in_the_document_are_those_that_are_declared() {
    fn check<T: SearchPart>(names: &str) {
        let mut rows = "| `by` | key | what it is |\n|---|---|---|\n".to_owned();
        for part in T::all() {
            let PartInfo { name, about, keys } = part.info();
            rows += &format!("| `{name}` | | {about} |\n");
            for key in *keys {
                let [least, most] = key.range;
                let (about, default) = (key.about, key.default);
                let key = key.name;
                rows += &format!(
                    "| `{name}` | `{key}` | {about}, {least} to {most}; {default} by default. |\n"
                );
            }
        }
        check_table(&format!(": {names}"), &format!("the {names}"), &rows);
    }
    check::<SelectionRule>("selection rules");
    check::<FinalChoice>("final choices");
    check::<RootAllocation>("root allocations");
    check::<Pick>("picks");
    check::<PlayoutPolicy>("playout policies");
}

/// Checks or writes a table of docs/agents.md that the code declares.
fn check_table(begins: &str, ends: &str, rows: &str) {
    let path = Path::new(ROOT).join("docs/agents.md");
    let saved = fs::read_to_string(&path).expect("a document");
    let how = "UPDATE_SCHEMA=1 cargo test --test all schemas";
    let (start, end) = (
        format!("<!-- Generated by {how}{begins} -->\n"),
        format!("<!-- End of {ends} -->"),
    );
    let (before, rest) = saved.split_once(&start).expect("a start");
    let (_, after) = rest.split_once(&end).expect("an end");
    let text = format!("{before}{start}{rows}{end}{after}");
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        fs::write(&path, &text).expect("the folder docs");
    } else {
        assert!(saved == text, "docs/agents.md is not up to date: run {how}");
    }
}

/// The files of a folder that end in `.toml`.
fn files(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(Path::new(ROOT).join(folder)).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    files.sort();
    files
}

#[test]
fn shipped_files_name_the_schema_that_they_follow() {
    let mut count = 0;
    for folder in [
        "agents",
        "agents/archive",
        "agents/external",
        "tournaments",
        "src/making/init",
    ] {
        for path in files(folder) {
            let text = fs::read_to_string(&path).expect("a text");
            let line = text.lines().next().unwrap_or_default();
            let schema = line
                .strip_prefix("#:schema ")
                .unwrap_or_else(|| panic!("{}: {line}", path.display()));
            let mut kinds = [AGENT, TOURNAMENT, TUNING, SELF_PLAY].into_iter();
            let kind = kinds.find(|kind| schema.ends_with(&format!("/{}.schema.json", kind.name)));
            let kind = kind.unwrap_or_else(|| panic!("{}: {schema}", path.display()));
            if folder != "src/making/init" {
                let named = path.parent().expect("a folder").join(schema);
                let same = |path: &Path| {
                    path.canonicalize()
                        .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
                };
                assert_eq!(same(&named), same(&kind.file()));
                (kind.read)(&path).unwrap_or_else(|error| panic!("{error}"));
            }
            kind.validate(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            count += 1;
        }
    }
    assert!(count > SHIPPED.len() + 5, "{count}");
}

/// The result that a test expects for a file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    Fine,
    Wrong,
}
use Verdict::{Fine, Wrong};

fn check(kind: &Kind, cases: &[(&str, Verdict)]) {
    let mut wrong = Vec::new();
    for (text, verdict) in cases {
        for (judge, found) in [
            ("schema", kind.validate(text)),
            ("program", kind.accepts(text)),
        ] {
            if found.is_ok() != (*verdict == Fine) {
                wrong.push(format!("{judge}: expected {verdict:?}: {found:?}\n{text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

const MCTS: &str = "type = 'mcts'\nbudget = { iterations = 9 }\nexpansion = { strategy = 'bl/some/first' }\n\
                    rollout = { pick = 'greedy', strategy = 'bl/some/first' }\n";

#[test]
fn agent_files_are_judged_alike() {
    let mcts = |more: &str| format!("{MCTS}{more}");
    let own: Vec<(String, Verdict)> = vec![
        (mcts(""), Fine),
        (
            mcts("description = 'x'\n[search]\nexploration = 1\nselect = 'puct'\nnodes = 20000"),
            Fine,
        ),
        (
            mcts("search.rave = { over = 'patches', equivalence = 10 }"),
            Fine,
        ),
        (mcts("search.rave = { over = 'patches' }"), Wrong),
        (mcts("search.explorations = 1"), Wrong),
        (mcts("search.exploration = 'a lot'"), Wrong),
        (mcts("search.select = 'ucb2'"), Wrong),
        (mcts("search.solver = 1"), Wrong),
        (mcts("threads = 0"), Wrong),
        (mcts("depth = 3"), Wrong),
        (
            mcts("").replace("iterations = 9", "iterations = 9, milliseconds = 9"),
            Wrong,
        ),
        (mcts("").replace("iterations = 9", ""), Wrong),
        (mcts("").replace("iterations = 9", "depth = 9"), Wrong),
        (
            mcts("").replace("iterations = 9", "iterations = 4294967296"),
            Wrong,
        ),
        (mcts("").replace("bl/some", "bl/sum"), Wrong),
        (mcts("").replace("type = 'mcts'", ""), Wrong),
        (mcts("").replace("'mcts'", "'mtcs'"), Wrong),
        (mcts("description = 3"), Wrong),
        (mcts("unset = ['threads']"), Wrong),
    ];
    let own: Vec<(&str, Verdict)> = own
        .iter()
        .map(|(text, verdict)| (text.as_str(), *verdict))
        .collect();
    check(&AGENT, &own);
    check(
        &AGENT,
        &[
            ("type = 'random'", Fine),
            ("type = 'random'\nseed = 1", Wrong),
            (
                "type = 'greedy'\nplacement = 'bl-lb/every/regret'\nbeam = 8",
                Fine,
            ),
            ("type = 'greedy'", Wrong),
            (
                "type = 'alpha-beta'\nbudget.depth = 3\nexpansion.strategy = 'all/every/first'",
                Fine,
            ),
            (
                "type = 'alpha-beta'\nbudget.playouts = 3\nexpansion.strategy = 'all/every/first'",
                Wrong,
            ),
            (
                "type = 'flat'\nbudget.playouts = 3\nrollout = { pick = 'uniform', strategy = 'all/every/random' }",
                Fine,
            ),
            (
                "type = 'flat'\nbudget.playouts = 3\nrollout = { pick = 'uniform' }",
                Wrong,
            ),
            ("extends = 'mcts-fast'", Fine),
            (
                "extends = 'mcts-fast-1'\nunset = ['rollout.pick']\nrollout.pick = 'uniform'\nsearch.select = 'puct'",
                Fine,
            ),
            ("extends = 'mcts-fast'\nsearch.selects = 'puct'", Wrong),
            ("extends = 'mcts-fast'\nbudget.iterations = 0", Wrong),
            ("extends = 3", Wrong),
        ],
    );
}

#[cfg(unix)]
#[test]
fn files_of_bots_are_judged_alike() {
    let bot = "type = 'external'\ncommand = ['sh', '-c', 'true']\n";
    let cases: Vec<(String, Verdict)> = [
        ("", Fine),
        (
            "on_fault = 'retry'\nretries = 2\nrestart = 'every-game'\nversion = '1'",
            Fine,
        ),
        (
            "options = { a = true, b = 1, c = 1.5, d = 'x' }\nenvironment = { A = 'b' }",
            Fine,
        ),
        (
            "limits = { memory_megabytes = 100, cpu_seconds = 9 }\nbudget.milliseconds = 3",
            Fine,
        ),
        ("on_fault = 'shrug'", Wrong),
        ("environment = { A = 1 }", Wrong),
        ("limits = { memory = 100 }", Wrong),
        ("limits = { open_files = 'many' }", Wrong),
        ("args = ['x']", Wrong),
        ("folder = ['.']", Wrong),
    ]
    .map(|(more, verdict)| (format!("{bot}{more}"), verdict))
    .into();
    let cases: Vec<(&str, Verdict)> = cases
        .iter()
        .map(|(text, verdict)| (text.as_str(), *verdict))
        .collect();
    check(&AGENT, &cases);
    check(
        &AGENT,
        &[
            ("type = 'external'\ncommand = 'bot'", Wrong),
            ("type = 'external'", Wrong),
        ],
    );
}

#[test]
fn tournament_files_are_judged_alike() {
    let base = "name = 'x'\nagents = ['random', 'mcts-fast{search.exploration=0.9}', 'greedy-*']\n";
    let cases: Vec<(String, Verdict)> = [
        ("pairs = 3", Fine),
        ("pairs = 3\nformat = 'round-robin'\nseed = 4\ntrack = 'revised'\nthoughts = 'top-3'", Fine),
        ("pairs = 3\nbudget.iterations = 7\ncommon_rings = true", Fine),
        ("format = 'gauntlet'\nchallengers = ['random']\nsprt = { elo0 = 0, elo1 = 5.5, alpha = 0.1, model = 'normalized' }", Fine),
        ("pairs = 3\nformat = 'gauntlet'\nchallengers = ['random']", Fine),
        ("pairs = 3\nformat = 'gauntlet'\nsweep = { base = 'mcts-fast', keys = { search.exploration = [0.5, 1.5] } }", Fine),
        ("pairs = 3\nsweep = { base = 'mcts-fast', keys = { search.exploration = [0.5, 1.5] } }", Fine),
        ("pairs = 3\nsweep = { base = 'mcts-fast', keys = { 'search.exploration' = { low = 1, high = 2, steps = 2 } } }", Fine),
        ("", Wrong),
        ("pairs = 0", Wrong),
        ("pairs = 'many'", Wrong),
        ("pairs = 3\nformat = 'knock-out'", Wrong),
        ("pairs = 3\nchallengers = ['random']", Wrong),
        ("pairs = 3\nformat = 'gauntlet'", Wrong),
        ("pairs = 3\nformat = 'gauntlet'\nchallengers = 'random'", Wrong),
        ("pairs = 3\nthoughts = 'top-11'", Wrong),
        ("pairs = 3\nthoughts = 3", Wrong),
        ("pairs = 3\nbudget = 3", Wrong),
        ("pairs = 3\nbudget.iteration = 3", Wrong),
        ("pairs = 3\nseed = -1", Wrong),
        ("pairs = 3\ntrack = 'new'", Wrong),
        ("pairs = 3\ntracks = 'original'", Wrong),
        ("format = 'gauntlet'\nchallengers = ['random']\nsprt = { elo0 = 0 }", Wrong), ("sprt = { elo0 = 0, elo1 = 5 }", Wrong),
        ("pairs = 3\nsweep = { base = 'mcts-fast' }", Wrong),
        ("pairs = 3\nsweep = { base = 'mcts-fast', keys = { 'search.exploration' = { from = 1, to = 2, steps = 2 } } }", Wrong),
        ("pairs = 3\nsweep = { base = 'mcts-fast', method = 'guess', keys = { 'search.exploration' = [1.5] } }", Wrong),
    ]
    .map(|(more, verdict)| (format!("{base}{more}"), verdict))
    .into();
    let cases: Vec<(&str, Verdict)> = cases
        .iter()
        .map(|(text, verdict)| (text.as_str(), *verdict))
        .collect();
    check(&TOURNAMENT, &cases);
    check(
        &TOURNAMENT,
        &[
            ("name = 'x'\npairs = 2", Wrong),
            ("agents = ['random', 'mcts-fast']\npairs = 2", Wrong),
        ],
    );
}

#[test]
fn tuning_files_are_judged_alike() {
    let base = "name = 'x'\nbase = 'mcts-fast-1'\npairs = 300\n";
    let space = "\n[space]\n'search.exploration' = { low = 0.1, high = 2.0, log = true }\n";
    let cases: Vec<(String, Verdict)> = [
        ("", "", Fine),
        ("seed = 3\ntrack = 'revised'\nopponents = ['random']\nobjective = 'score'\nfinalists = 2", "", Fine),
        ("budget.iterations = 60\nproof = { elo1 = 40, pairs = 300, slow_pairs = 0 }", "", Fine),
        ("", "'rollout.pick' = ['greedy', 'uniform']\n'search.nodes' = { low = 20000, high = 4000000, when = { 'rollout.pick' = 'greedy' } }", Fine),
        ("method = 'magic'", "", Wrong),
        ("objective = 3", "", Wrong),
        ("finalists = 0", "", Wrong),
        ("opponents = 'random'", "", Wrong),
        ("budget.iteration = 60", "", Wrong),
        ("proof = { elo = 40 }", "", Wrong),
        ("spaces = 3", "", Wrong),
        ("", "'search.first_play' = 3", Wrong),
        ("", "'search.first_play' = { from = 1, to = 2 }", Wrong),
        ("", "'search.first_play' = { low = 'a', high = 2 }", Wrong),
    ]
    .map(|(more, keys, verdict)| (format!("{base}{more}{space}{keys}"), verdict))
    .into();
    let cases: Vec<(&str, Verdict)> = cases
        .iter()
        .map(|(text, verdict)| (text.as_str(), *verdict))
        .collect();
    check(&TUNING, &cases);
    check(&TUNING, &[(base, Wrong)]);
}

/// Editors show these descriptions.
#[test]
fn every_key_is_described() {
    fn check(schema: &Value, at: &str) {
        match schema {
            Value::Object(map) => {
                let properties = map.get("properties").and_then(Value::as_object);
                for (key, property) in properties.into_iter().flatten() {
                    // The keys of a budget are units.
                    let is_unit = map.contains_key("maxProperties");
                    assert!(
                        is_unit || property.get("description").is_some(),
                        "{at}/{key}: {property}"
                    );
                }
                for (key, one) in map {
                    check(one, &format!("{at}/{key}"));
                }
            }
            Value::Array(list) => list.iter().for_each(|one| check(one, at)),
            _ => {}
        }
    }
    for kind in [AGENT, TOURNAMENT, TUNING, SELF_PLAY] {
        check(&(kind.schema)(), kind.name);
    }
}
