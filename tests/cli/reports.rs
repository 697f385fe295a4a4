//! `report`.

use patchwork_engine::agent::RandomSettings;
use patchwork_engine::game::{State, Track};
use patchwork_engine::record::{Entry, Extras, FaultReason, Record, Termination};
use patchwork_tournament::ledger::Store;
use patchwork_tournament::{Format, Manifest, Plan, PlannedAgent, Streams};
use serde_json::Value;

use patchwork_test_support::program::{Workspace, expect_in, text};

#[test]
fn reports_of_hardly_any_games_have_no_odd_numbers() {
    let home = Workspace::new();
    home.write(
        "tournaments/one.toml",
        "name = \"one\"\nagents = [\"random\", \"greedy-regret\"]\npairs = 5\n",
    );
    home.ok("run tournaments/one.toml --quiet");
    for count in [10, 2, 1, 0] {
        home.keep_games("results/one", count);
        let report = home.ok("report results/one");
        let json = home.ok("report results/one --format json");
        let parsed: Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(parsed["games"], count);
        let mut texts = vec![report, json];
        for table in ["ratings", "first-player", "branching", "patches", "rings"] {
            let arguments = ["report", "results/one", "--format", "csv", "--table", table];
            texts.push(home.ok(&arguments));
        }
        for text in texts {
            assert!(!text.contains("NaN") && !text.contains("inf,"), "{text}");
        }
        for format in ["jsonl", "tsv", "pgn"] {
            home.ok(&["export", "results/one", "--format", format]);
        }
    }
    for (arguments, expected) in [
        ("--format xml", "text, json, csv"),
        ("--format csv --table rating", "ratings"),
        ("--table rings", "--format csv"),
        ("-o no/such/folder", "no/such/folder"),
    ] {
        home.refuses(&format!("report results/one {arguments}"), expected);
    }
}

/// Descriptions are shown and kept in the manifest, but are not part of the plan.
#[test]
fn reports_describe_the_agents() {
    let home = Workspace::new();
    let run = |text: &str| {
        home.write("agents/mine.toml", text);
        home.write(
            "tournaments/told.toml",
            "name = \"told\"\nagents = [\"random\", \"mine\"]\npairs = 1\n",
        );
        home.ok("run tournaments/told.toml --quiet");
        home.manifest_json("results/told")
    };
    let settings = "type = \"greedy\"\nplacement = \"bl/some/first\"\n";
    let plain = run(settings);
    let told = run(&format!(
        "description = \"It takes <the> first.\"\n{settings}"
    ));
    assert_eq!(told["plan_hash"], plain["plan_hash"]);
    assert_eq!(told["descriptions"]["mine"], "It takes <the> first.");
    assert_eq!(plain["descriptions"].get("mine"), None);
    let json = home.report("results/told");
    assert_eq!(json["agents"][0]["description"], "It takes <the> first.");
    assert_eq!(json["games"], 2, "no game was played again");
    let text = home.ok("report results/told --full");
    expect_in(&text, " mine: type = ");
    home.ok("report results/told -o results/told/report.html");
    let page = home.text("results/told/report.html");
    assert!(page.contains("<p>It takes &lt;the&gt; first.</p><code>"));
}

#[test]
fn a_table_of_games_says_which_games_it_leaves_out() {
    let home = Workspace::new();
    let agents = ["a", "b"].map(|name| PlannedAgent::new(name, RandomSettings {}.into()));
    let plan = Plan::new(7, Track::Original, Format::RoundRobin, 1, agents.into()).expect("a plan");
    let manifest = Manifest::new("lost".to_owned(), plan.clone());
    let mut store = Store::create(&home.path("results/lost"), &manifest).expect("a new folder");
    let streams = Streams::new(&plan);
    for game in plan.games() {
        let setup = streams.setup(game);
        let state = State::new(&setup);
        let termination = Termination {
            loser: state.mover(),
            reason: FaultReason::Crash,
        };
        let record = Record::new(
            game.id,
            game.seats,
            &setup,
            Vec::new(),
            &state,
            Some(termination),
        );
        let entry = Entry {
            record,
            nanos: Vec::new(),
            extras: Extras::default(),
        };
        store
            .append(&streams.address(game), &entry.into(), None)
            .expect("written");
    }
    drop(store);
    let export = |format| home.run(&["export", "results/lost", "--format", format]);
    let table = export("tsv");
    assert_eq!(
        text(&table.stdout).lines().count(),
        1,
        "the names of the columns"
    );
    let said = text(&table.stderr);
    expect_in(
        &said,
        "results/lost: 2 games that ended by a fault are left out",
    );
    let lines = export("jsonl");
    assert_eq!(
        text(&lines.stdout)
            .matches("\"termination\":\"crash\"")
            .count(),
        2
    );
    assert!(!text(&lines.stderr).contains("left out"));
    assert!(
        home.ok("report results/lost")
            .contains("2 games were lost by a fault: 1 of ")
    );
}
