//! Agents of the library served as bots, the example bots, and `agents check`.

use std::path::Path;
use std::process::Command;

use patchwork_engine::agent::{Agent, AgentFile, AgentSettings};
use patchwork_engine::record::{Entry, GameId};
use patchwork_engine::search::Stop;
use patchwork_engine::util::rng::stream;
use patchwork_tournament::PlannedGame;
use patchwork_tournament::play::play_game;

use patchwork_engine::testing::setup;
use patchwork_test_support::bots::{PATIENT, expect_no_processes, script, write_bot};
use patchwork_test_support::program::{PROJECT, Workspace, binary, expect_in, rows, text};

fn play(agents: [&AgentSettings; 2], seed: u64) -> Entry {
    let [mut first, mut second] = agents.map(|settings| settings.build());
    let seats: [&mut dyn Agent; 2] = [&mut *first, &mut *second];
    let game = PlannedGame {
        id: GameId::default(),
        seats: [0, 1],
    };
    let streams = [stream(&[seed, 1]), stream(&[seed, 2])];
    play_game(game, &setup(seed), seats, streams, &Stop::new())
        .expect("a game")
        .expect("not stopped")
}

/// An agent of a workspace, and the same agent served as a bot.
fn with_served(home: &Workspace, name: &str) -> [AgentSettings; 2] {
    patchwork_bots::register();
    let program = binary();
    let agents = home.path("agents");
    home.write(
        "agents/served.toml",
        &format!(
            "type = 'external'\ncommand = ['{program}', 'agents', 'serve', '{name}', '--agents', '{}']\n{PATIENT}\n",
            agents.display()
        ),
    );
    [name, "served"].map(|name| {
        let file = AgentFile::read(&agents.join(format!("{name}.toml")));
        file.expect("an agent").config
    })
}

#[test]
fn a_served_agent_plays_the_same_games() {
    let home = Workspace::new();
    for name in ["mcts-fast", "mcts-regret", "greedy-regret", "random"] {
        let [own, served] = with_served(&home, name);
        for seed in 1..3 {
            let game = play([&own, &own], seed).record;
            assert_eq!(play([&served, &own], seed).record, game, "{name}");
            assert_eq!(play([&own, &served], seed).record, game, "{name}");
        }
    }
}

#[test]
fn a_served_agent_gets_its_budget() {
    let home = Workspace::new();
    let [_, served] = with_served(&home, "mcts-fast");
    let table = served.table();
    let with = |budget: &str| {
        let mut table = table.clone();
        table.insert(
            "budget".to_owned(),
            toml::Value::Table(budget.parse().expect("a table")),
        );
        // The bench `time_control` measures how well it keeps its time.
        let patient = "late_milliseconds = 600000".parse().expect("a table");
        table.insert("limits".to_owned(), toml::Value::Table(patient));
        AgentSettings::from_table(Path::new(""), table).expect("settings")
    };
    let random = AgentFile::read(&home.path("agents/random.toml"))
        .expect("an agent")
        .config;
    let entry = play([&with("iterations = 7"), &random], 1);
    let searched = entry.record.plies.iter().map(|ply| ply.thought.iterations);
    assert_eq!(searched.clone().max(), Some(7));
    let entry = play([&with("milliseconds_per_game = 400"), &random], 1);
    assert_eq!(entry.record.termination, None);
    assert!((entry.record.plies.iter()).any(|ply| ply.thought.iterations > 0));
}

fn has_python() -> bool {
    Command::new("python3").arg("--version").output().is_ok()
}

/// The example bots play, and each of them follows the protocol.
#[test]
fn the_example_bots_play_in_tournaments() {
    let home = Workspace::new();
    let folder = Path::new(PROJECT).join("agents/external");
    let mut bots = vec![("shell", "./shell.sh")];
    if has_python() {
        bots.push(("largest", "python3 largest.py"));
    }
    for (name, command) in bots {
        let file = folder.join(format!("{name}.toml"));
        let file = file.to_str().expect("a path");
        home.ok(&format!("match '{file}' random --pairs 1 -q --save {name}"));
        let json = home.ok(&["report", &format!("results/{name}"), "--format", "json"]);
        assert!(json.contains("\"terminations\": []"), "{json}");
        let folder = folder.to_str().expect("a path");
        let command = command.split(' ');
        let arguments: Vec<&str> = ["agents", "check", "--folder", folder, "--"]
            .into_iter()
            .chain(command)
            .collect();
        let said = home.ok(&arguments);
        assert!(said.ends_with("The bot follows the protocol.\n"), "{said}");
        assert_eq!(said.matches(" ok: ").count(), 7, "{said}");
    }
}

#[test]
fn information_reaches_the_record() {
    let home = Workspace::new();
    let tells = "echo info value 0.25 visits 12 depth 4; echo info nodes 9 line A S:e5; echo legal";
    write_bot(&home, "tells", &script("", tells), "");
    home.ok("match tells random --pairs 1 -q --save tells");
    let games = home.games("results/tells");
    let game = games.iter().find(|game| game["first"] == "tells");
    let game = game.expect("a game");
    for (key, expected) in [
        ("values", 0.25),
        ("iterations", 12.0),
        ("max_depths", 4.0),
        ("nodes", 9.0),
    ] {
        assert_eq!(game[key][0].as_f64(), Some(expected), "{key}");
    }
    let thoughts = home.ok("analyze replay results/tells 0 --thoughts");
    assert!(thoughts.contains("\n  expects A S:e5\n"), "{thoughts}");
}

#[test]
fn considered_actions_reach_the_record_where_the_tournament_asks_for_them() {
    let home = Workspace::new();
    // An illegal action and an action without a value are left out, and the later value of an action counts.
    let tells = "echo info action S:i9 value 0.5; echo info action 1:a1b1 visits 3; \
                 echo info action A value 0.25 visits 7; echo info action A value 0.75 visits 8; echo legal";
    let plays = "echo bestaction ${rest##* }";
    let script = script("", tells);
    assert!(script.contains(plays), "{script}");
    let more = format!("echo info action ${{rest##* }} value 0.5 visits 2; {plays}");
    write_bot(&home, "tells", &script.replace(plays, &more), "");
    // Rings that do not depend on the agents, whose settings have the path of a temporary folder.
    let keys = "name = 't'\nagents = ['tells', 'random']\npairs = 1\ncommon_rings = true\nthoughts = 'top-2'\n";
    home.write("t.toml", keys);
    home.ok("run t.toml -q");
    let games = home.games("results/t");
    let game = games.iter().find(|game| game["first"] == "tells");
    let game = game.expect("a game");
    let played = game["actions"]
        .as_str()
        .and_then(|all| all.split(' ').next());
    let played = played
        .or_else(|| game["actions"][0].as_str())
        .expect("an action");
    let expected = serde_json::json!([
        { "action": played, "visits": 2, "value": 0.5 },
        { "action": "A", "visits": 8, "value": 0.75 },
    ]);
    assert_eq!(game["considered"][0], expected, "{game}");
}

#[test]
fn a_check_says_what_is_wrong() {
    let home = Workspace::new();
    for [start, go, step, what] in rows("
        echo oh >&2; exit 3 =>  => start => crash at start: its program ended with exit code 3
        => echo bestaction B => first game => ply 1: garbled action: 'B' is not an action
        => echo bestaction S:a1 => first game => ply 1: illegal action: S:a1: no special patch waits to be placed; the command legal gives the legal actions
        echo oh >&2 => exit 1 => first game => ply 1: crash: its program ended with exit code 1
    ") {
        write_bot(&home, "bot", &script(start, go), "");
        let output = home.run("agents check -- agents/bot.sh");
        let said = text(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{said}");
        let line = said.lines().find(|line| line.contains("FAILED"));
        let line = line.unwrap_or_else(|| panic!("{said}"));
        assert!(line.starts_with(step) && line.ends_with(what), "{line}");
        assert!(
            start.is_empty() || !start.starts_with("echo") || said.contains("stderr       oh"),
            "{said}"
        );
    }
    let later = script("", "echo legal").replace("patchworkok 1", "patchworkok 2");
    write_bot(&home, "bot", &later, "");
    let said = home.run("agents check -- agents/bot.sh");
    let expected = "it speaks version 2 of the protocol; expected 1";
    assert!(text(&said.stdout).contains(expected), "{said:?}");
    home.refuses("agents check -- ./nothing", "there is no file ./nothing");
    write_bot(&home, "bot", &script("echo hello", "echo legal"), "");
    let said = home.ok("agents check -- agents/bot.sh");
    expect_in(
        &said,
        "remark       1 line was not understood and ignored; the first is: hello",
    );
    expect_no_processes(&home);
}

#[test]
fn the_version_of_a_bot_is_part_of_what_it_is() {
    patchwork_bots::register();
    let home = Workspace::new();
    let settings = |keys: &str, body: &str| {
        write_bot(&home, "bot", &script("", body), keys);
        AgentFile::read(&home.path("agents/bot.toml"))
            .expect("an agent")
            .config
            .canonical()
    };
    let plain = settings("", "echo legal");
    assert_eq!(plain, settings("", "echo legal"));
    assert_ne!(plain, settings("", "echo legal # changed"));
    let stated = settings("version = '1'", "echo legal");
    assert_eq!(stated, settings("version = '1'", "echo legal # changed"));
    assert_ne!(stated, settings("version = '2'", "echo legal"));
}
