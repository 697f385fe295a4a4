//! Tournaments that grow, and folders that share games.

use std::collections::BTreeSet;

use patchwork_tournament::PLAY;

use patchwork_test_support::program::{Workspace, data, expect_in, kill_until_done, rows, text};

/// Writes a tournament file with these agents.
fn tournament(home: &Workspace, agents: &str, pairs: u32) {
    let text = format!("name = \"t\"\nseed = 3\nagents = [{agents}]\npairs = {pairs}\n");
    home.write("tournaments/t.toml", &text);
}

/// What `run` reports before it plays.
fn found(home: &Workspace) -> String {
    text(&home.run("run tournaments/t.toml").stderr)
}

/// Lines of an export without the names of agents and the numbers of the plan, sorted.
fn nameless(export: &str) -> Vec<String> {
    let line = |line: &str| {
        let (_, rest) = line.split_once("\"track\"").expect("a game");
        rest.to_owned()
    };
    let mut lines: Vec<String> = export.lines().map(line).collect();
    lines.sort();
    lines
}

#[test]
fn a_tournament_that_grows_is_the_one_that_was_played_at_once() {
    let home = Workspace::new();
    tournament(&home, "\"random\", \"greedy-inorder\"", 2);
    home.ok("run tournaments/t.toml --quiet");
    // More pairs.
    tournament(&home, "\"random\", \"greedy-inorder\"", 3);
    assert!(found(&home).contains("results/t: 4 of 6 games are there\n"));
    // Another agent.
    tournament(&home, "\"random\", \"greedy-*\", \"mcts-fast\"", 3);
    assert!(found(&home).contains("results/t: 6 of 36 games are there\n"));
    // Other settings.
    let agent = home.text("agents/mcts-fast.toml");
    home.write("agents/mcts-fast.toml", &agent.replace("= 30", "= 31"));
    let said = found(&home);
    let expected =
        "18 of 36 games are there; 18 belong to earlier settings of mcts-fast and are kept aside\n";
    assert!(said.contains(expected), "{said}");
    // Fewer agents and pairs, another format.
    tournament(&home, "\"greedy-*\", \"mcts-fast\"", 2);
    let text = home.text("tournaments/t.toml");
    let gauntlet = text + "format = \"gauntlet\"\nchallengers = [\"mcts-fast\"]\n";
    home.write("tournaments/t.toml", &gauntlet);
    let said = found(&home);
    let expected = "8 of 8 games are there; 18 belong to earlier settings of mcts-fast, \
                    18 belong to the removed agent random and 10 are not part of the plan; \
                    these games are kept aside\n";
    assert!(said.contains(expected), "{said}");
    let report = home.ok("report results/t");
    assert!(
        report.starts_with("t: 8 games, ") && report.contains(" original track, gauntlet"),
        "{report}"
    );
    // Everything back, and more.
    tournament(&home, "\"random\", \"greedy-*\", \"mcts-*\"", 3);
    let said = found(&home);
    expect_in(&said, "36 of 90 games are there; 18 belong");

    let at_once = "run tournaments/t.toml --quiet --results once";
    home.ok(at_once);
    assert!(home.unnumbered("results/t") == home.unnumbered("once/t"));

    // The games of earlier settings are reused.
    home.write("agents/mcts-fast.toml", &agent);
    let said = found(&home);
    assert!(said.contains("of 90 games are there"), "{said}");
    assert!(!said.contains("results/t: 60 of"), "{said}");
}

#[test]
fn names_and_order_do_not_matter() {
    let home = Workspace::new();
    tournament(&home, "\"mcts-fast\", \"random\", \"greedy-inorder\"", 2);
    home.ok("run tournaments/t.toml --quiet");
    let before = home.export("results/t");
    for [name, new] in rows(
        "
        mcts-fast => zoe
        random => adam
        greedy-inorder => mia
    ",
    ) {
        let agent = home.text(&format!("agents/{name}.toml"));
        home.write(&format!("agents/{new}.toml"), &agent);
    }
    tournament(&home, "\"zoe\", \"mia\", \"adam\"", 2);
    assert!(found(&home).contains("12 of 12 games are there\n"));
    let renamed = home.export("results/t");
    assert_ne!(renamed, before);
    assert_eq!(nameless(&renamed), nameless(&before));
    home.ok("run tournaments/t.toml --quiet --results new");
    assert_eq!(home.unnumbered("new/t"), home.unnumbered("results/t"));
}

#[test]
fn games_of_other_folders_are_imported() {
    let home = Workspace::new();
    let run = |results: &str| {
        let mut command = vec!["run", "tournaments/t.toml", "--quiet", "--results", results];
        if results == "imported" {
            command.extend(["--import", "one/t", "two/t"]);
        }
        home.ok(&command)
    };
    tournament(
        &home,
        "\"random\", \"greedy-inorder\", \"greedy-regret\"",
        3,
    );
    run("one");
    tournament(&home, "\"greedy-regret\", \"mcts-fast\"", 2);
    run("two");
    tournament(&home, "\"random\", \"greedy-inorder\", \"mcts-fast\"", 3);
    run("three");
    tournament(&home, "\"random\", \"greedy-*\", \"mcts-fast\"", 3);
    run("all");

    let ahead = home.ok("run tournaments/t.toml --dry-run --import one/t two/t three/t");
    for line in [
        "Planned:     36 games",
        "Stored:      0 games",
        "Importable:  18 games of one/t",
        "Importable:  4 games of two/t",
        "Importable:  12 games of three/t",
        "Missing:     2 games",
    ] {
        assert!(ahead.lines().any(|found| found == line), "{line}: {ahead}");
    }
    assert!(!home.path("results/t").exists());
    run("imported");
    assert_eq!(home.export("imported/t"), home.export("all/t"));
    // A folder is read once, whatever its names, and the target takes nothing from itself.
    for dirs in ["one/t ./one/t", "twice/t one/t"] {
        home.ok(&format!(
            "run tournaments/t.toml --quiet --results twice --import {dirs}"
        ));
    }
    assert_eq!(home.export("twice/t"), home.export("all/t"));
    home.ok("import all/t all/../all/t --into sum/same");
    home.ok("import all/t all/t --into sum/same");
    home.ok("import sum/same --into sum/same");
    home.ok("verify sum/same --sample 4 -q");

    let import = ["import", "one/t", "two/t", "three/t", "--into", "sum/p"];
    home.ok(&import);
    let report = home.ok("report sum/p");
    assert!(
        report.starts_with("p: 34 of 36 games (incomplete)"),
        "{report}"
    );
    let games = home.rows("sum/p");
    let said = text(&home.run(&import).stderr);
    let expected = "one/t: took 0 games; 18 games already there\n\
                    two/t: took 0 games; 4 games already there\n\
                    three/t: took 0 games; 18 games already there\n";
    assert_eq!(said, expected);
    assert_eq!(home.rows("sum/p"), games, "nothing new");
    home.ok("import all/t --into sum/p");
    let page = home.text("sum/p/report.html");
    assert!(page.contains("36 games"), "the page is that of all games");
    assert_eq!(
        home.export("sum/p").replace("\"p\"", "\"t\""),
        home.export("all/t")
    );
    // Ratings of several folders count each game once.
    let rated = |dirs: &str| {
        let text = home.ok(&format!("rate --format json {dirs}"));
        serde_json::from_str::<serde_json::Value>(&text).expect("JSON")
    };
    let all = rated("all/t");
    assert_eq!(all["games"], 36);
    assert_eq!(rated("all/t one/t sum/p"), all);
    assert_eq!(rated("one/t two/t")["games"], 22);
}

/// Several folders are reported as the folder that `import` makes of them.
#[test]
fn several_folders_are_reported_as_one() {
    let home = Workspace::new();
    tournament(&home, "\"random\", \"greedy-inorder\"", 3);
    home.ok("run tournaments/t.toml --quiet --results one");
    tournament(&home, "\"greedy-inorder\", \"greedy-regret\"", 2);
    home.ok("run tournaments/t.toml --quiet --results two");
    home.ok("import one/t two/t --into both/t");
    let report = |folders: &str, format: &str| home.ok(&format!("report {folders} {format}"));
    for format in ["--format csv --table patches", "--format csv"] {
        let both = report("both/t", format);
        assert_eq!(report("one/t two/t", format), both);
        assert_eq!(report("two/t one/t", format), both);
    }
    let said = report("one/t two/t", "");
    expect_in(&said, "t + t ... 10 of 18 games");
    assert!(!said.contains("Page:"), "{said}");
    for [folders, part] in rows(
        "
        one/t one/t => one/t: given twice
        one/t none => none: there is no such folder or file
        one/t tournaments/t.toml => t.toml: expected a results folder
    ",
    ) {
        home.refuses(&format!("report {folders}"), part);
    }
}

#[test]
fn the_order_of_imported_folders_does_not_matter() {
    let home = Workspace::new();
    let agent = home.text("agents/random.toml");
    home.write("agents/aaa.toml", &agent);
    home.write("agents/zzz.toml", &agent);
    for [results, agents] in rows(
        r#"
        one => "random", "greedy-inorder"
        two => "random", "greedy-inorder", "aaa"
        three => "zzz", "greedy-inorder"
    "#,
    ) {
        tournament(&home, agents, 2);
        home.ok(&["run", "tournaments/t.toml", "--quiet", "--results", results]);
    }
    let orders = [["one/t", "two/t", "three/t"], ["three/t", "two/t", "one/t"]];
    let exports = orders.map(|[a, b, c]| {
        let into = format!("all/{}", a.replace('/', "-"));
        home.ok(&["import", a, b, c, "--into", &into]);
        home.export(&into)
    });
    assert_eq!(exports[0], exports[1]);
    assert_eq!(exports[0], home.export("two/t"), "zzz is random");
}

/// An agent with the same name and another budget is another agent, with the name of its folder.
#[test]
fn results_at_two_budgets_are_joined() {
    let home = Workspace::new();
    for iterations in [2, 8] {
        let text = format!(
            "name = \"at-{iterations}\"\nseed = 3\nagents = [\"random\", \"mcts-fast\"]\npairs = 2\n\
             [budget]\niterations = {iterations}\n"
        );
        home.write("t.toml", &text);
        home.ok("run t.toml --quiet");
    }
    let folders = ["results/at-2", "results/at-8"];
    let expected = ["mcts-fast (at-2)", "mcts-fast (at-8)", "random"];
    let rated = home.json(&["rate", folders[0], folders[1], "--format", "json"]);
    let agents = rated["ratings"].as_array().expect("a list").iter();
    let agents: BTreeSet<&str> = agents.filter_map(|row| row["agent"].as_str()).collect();
    assert!(agents.iter().eq(&expected), "{agents:?}");
    home.ok(&["import", folders[0], folders[1], "--into", "joined"]);
    let joined = home.json("report joined --format json");
    assert_eq!(joined["games"], 8);
    for agent in &expected[..2] {
        let rows = joined["ratings"].as_array().expect("a list").iter();
        let row = rows.filter(|row| row["agent"] == *agent).count();
        assert_eq!(row, 1, "{agent}");
    }
}

#[test]
fn folders_that_do_not_go_together_are_refused() {
    let home = Workspace::new();
    let folder = |results: &str, text: &str| {
        home.write("tournaments/t.toml", text);
        home.ok(&["run", "tournaments/t.toml", "--quiet", "--results", results]);
    };
    let plan = "name = \"t\"\nseed = 3\nagents = [\"random\", \"greedy-inorder\"]\npairs = 2\n";
    folder("one", plan);
    folder("seed", &plan.replace("seed = 3", "seed = 4"));
    folder("track", &(plan.to_owned() + "track = \"revised\"\n"));
    folder("rings", &(plan.to_owned() + "common_rings = true\n"));
    let agent = home.text("agents/greedy-regret.toml");
    home.write("agents/greedy-inorder.toml", &agent);
    folder("agents", plan);
    for [other, expected] in rows(
        "
        seed/t => seed: 3, 4
        track/t => track: original, revised
        rings/t => rings: each pairing's own, common to all pairings
        nowhere => nowhere: cannot be read:
    ",
    ) {
        home.refuses(&["import", "one/t", other, "--into", "p"], expected);
        assert!(!home.path("p").exists(), "nothing is written");
    }

    // The games of one folder with the manifest of another.
    let setup = "its setup is not that of its pair";
    for (other, expected) in [
        ("seed/t", setup),
        ("rings/t", setup),
        ("agents/t", "an agent that the manifest does not know"),
        ("track/t", setup),
    ] {
        std::fs::create_dir_all(home.path("mixed/t")).expect("created");
        std::fs::copy(home.ledger_path(other), home.ledger_path("mixed/t")).expect("copied");
        home.set_manifest("mixed/t", &home.manifest("one/t"));
        home.write("tournaments/t.toml", plan);
        home.write(
            "agents/greedy-inorder.toml",
            &text(&std::fs::read(data("../../agents/greedy-inorder.toml")).expect("readable")),
        );
        for command in [
            "report mixed/t",
            "export mixed/t --format tsv",
            "analyze replay mixed/t 0",
            "run tournaments/t.toml -q --results mixed",
            "run -q tournaments/t.toml --results p --import mixed/t",
            "import mixed/t --into p",
        ] {
            home.refuses(command, expected);
        }
    }
    let made = [home.path("p/t"), home.ledger_path("p")];
    assert!(!made.iter().any(|path| path.exists()), "nothing is written");
    // A damaged folder.
    home.change(
        "one/t",
        "UPDATE games SET turns = turns + 1 WHERE game = (SELECT min(game) FROM games)",
    );
    home.refuses(
        "rate seed/t one/t",
        "one/t/games.db: damaged: the row of the game ",
    );
}

#[test]
fn releases_that_play_alike_share_a_folder() {
    let home = Workspace::new();
    tournament(&home, "\"random\", \"greedy-inorder\"", 2);
    home.ok("run tournaments/t.toml --quiet");
    let manifest = home.manifest("results/t");
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(manifest.contains(&version), "{manifest}");
    home.set_manifest(
        "results/t",
        &manifest.replace(&version, "\"version\":\"0.0.9\""),
    );
    tournament(&home, "\"random\", \"greedy-inorder\"", 3);
    assert!(found(&home).contains("4 of 6 games are there\n"));

    // Another version of play.
    let play = format!("{PLAY:016x}");
    let other = format!("{:016x}", PLAY ^ 1);
    let manifest = home.manifest("results/t").replace(&play, &other);
    home.set_manifest("results/t", &manifest);
    assert!(home.ok("report results/t").contains("t: 6 games"));
    for command in [
        "run tournaments/t.toml",
        "run tournaments/t.toml --dry-run",
        "run tournaments/t.toml --results r --import results/t",
        "import results/t --into p",
    ] {
        home.refuses(command, &format!("{other} ... play differently"));
    }
}

#[test]
#[ignore = "many processes"]
fn killed_at_any_moment_of_growing_or_importing() {
    let home = Workspace::new();
    let grow = ["run", "tournaments/t.toml", "--quiet", "--threads", "2"];
    let kill = |command: &[&str]| kill_until_done(|| home.command(command), || ());
    for (agents, pairs) in [
        ("\"random\", \"greedy-inorder\"", 4),
        ("\"random\", \"greedy-*\"", 6),
        ("\"greedy-*\", \"mcts-fast\", \"random\"", 8),
    ] {
        tournament(&home, agents, pairs);
        kill(&grow);
    }
    home.ok("run tournaments/t.toml --quiet --results once");
    assert!(home.unnumbered("results/t") == home.unnumbered("once/t"));

    tournament(&home, "\"random\", \"mcts-uniform\"", 8);
    home.ok("run tournaments/t.toml --quiet --results more");
    kill(&["import", "once/t", "more/t", "--into", "sum"]);
    home.ok("import once/t more/t --into whole");
    let whole = home.export("whole").replace("\"whole\"", "\"sum\"");
    assert_eq!(home.export("sum"), whole);
    // An import into a folder that is there is one transaction: all of its games are there, or none.
    home.ok("import more/t --into parts");
    let before = home.stored("parts");
    kill_until_done(
        || home.command("import once/t --into parts"),
        || {
            let there = home.stored("parts");
            assert!(there == before || there == whole.lines().count(), "{there}");
        },
    );
}

#[test]
fn a_table_has_a_row_for_each_ply() {
    let home = Workspace::new();
    home.play_small("t", 1);
    let manual = std::fs::read_to_string(data("../../docs/tables.md")).expect("readable");
    let table = |name: &str| {
        let table = home.ok(&["export", "results/t", "--table", name]);
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let header = reader.headers().expect("a header").clone();
        let heading = format!("### {name}\n");
        let (_, section) = manual.split_once(&heading).expect("a section");
        let section = section.split("\n#").next().unwrap_or_default();
        let columns = section
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        assert!(header.iter().eq(columns), "{header:?}");
        let rows = reader.records().map(|row| row.expect("a row"));
        rows.collect::<Vec<csv::StringRecord>>()
    };
    assert_eq!(table("games").len(), home.stored("results/t"));
    let plies = table("plies");
    let games = home.export("results/t");
    let games = games
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
    let mut legal = Vec::new();
    for game in games {
        for (ply, count) in (1..).zip(game["legal_actions"].as_array().expect("a list")) {
            legal.push(format!("{} {ply} {count}", game["game"]));
        }
    }
    let found: Vec<String> = plies
        .iter()
        .map(|row| format!("{} {} {}", &row[0], &row[1], &row[15]))
        .collect();
    // The tables are in the order of the numbers, and exported games in that of the plan.
    legal.sort_by_key(|row| {
        row.split(' ')
            .next()
            .and_then(|game| game.parse::<u64>().ok())
    });
    assert_eq!(found, legal);
    assert!(
        plies
            .iter()
            .all(|row| (&row[4] == "buy") != row[6].is_empty())
    );
    // The first ply: on space 0 with five buttons. Times are there.
    assert_eq!((&plies[0][7], &plies[0][10]), ("0", "5"));
    assert!(plies.iter().any(|row| !row[19].is_empty()));
    for [arguments, part] in rows(
        "
        --table plies --format tsv => --table: requires --format csv
        --format csv => --format csv: requires --table games or --table plies
    ",
    ) {
        home.refuses(&format!("export results/t {arguments}"), part);
    }
}

/// A dry run has an estimate, whatever the budget: of agents that have decided nothing after a second, too.
#[test]
#[ignore = "many processes"]
fn a_dry_run_always_has_an_estimate() {
    let home = Workspace::new();
    home.write(
        "agents/slow.toml",
        "type = \"external\"\ncommand = [\"sleep\", \"60\"]\n",
    );
    for agents in [
        "mcts-regret{budget.iterations=4000000000}",
        "alpha-beta{budget.depth=60}",
        "mcts-fast",
        "./agents/slow.toml",
    ] {
        tournament(&home, &format!("\"random\", \"{agents}\""), 3);
        let ahead = home.json("run tournaments/t.toml --dry-run --format json");
        assert!(
            ahead["seconds"]
                .as_f64()
                .is_some_and(|seconds| seconds > 0.0),
            "{ahead}"
        );
        assert!(!home.path("results/t").exists());
        if agents.contains("4000000000") {
            // At least a microsecond for an iteration.
            assert!(ahead["seconds"].as_f64() > Some(4000.0), "{ahead}");
        }
    }
}
