//! Sweeps: many variants from one file, and the effects of their keys.

use std::collections::BTreeMap;

use patchwork_test_support::program::{Workspace, expect_in, rows};

const SWEEP: &str = r#"
name = "sweep"
seed = 5
format = "gauntlet"
agents = ["random", "greedy-inorder"]
pairs = 3
common_rings = true
[sweep]
base = "mcts-fast"
[sweep.keys]
budget.iterations = [3, 12]
search.exploration = { low = 0.1, high = 1.6, steps = 3, log = true }
"#;

fn records(csv: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    reader
        .deserialize()
        .map(|row| row.expect("a row"))
        .collect()
}

/// The mean score of the swept agents with a setting, from the table of games.
fn mean_score(games: &[BTreeMap<String, String>], has: impl Fn(&str) -> bool) -> (usize, f64) {
    let of_seat = |seat: &'static str| {
        let has = &has;
        games
            .iter()
            .filter(move |game| has(&game[seat]))
            .map(move |game| game["winner"] == seat)
    };
    let won: Vec<bool> = of_seat("first").chain(of_seat("second")).collect();
    let wins = won.iter().filter(|&&won| won).count();
    (won.len(), wins as f64 / won.len() as f64)
}

#[test]
fn a_grid_is_played_and_its_keys_are_compared() {
    let home = Workspace::new();
    home.write("tournaments/sweep.toml", SWEEP);
    let text = home.ok("run tournaments/sweep.toml --quiet --full");
    // 6 variants against 2 opponents.
    assert!(
        text.contains(
            "\nsweep: 72 games, 8 agents, variants of mcts-fast, original track, gauntlet"
        ),
        "{text}"
    );
    assert!(text.contains("\nbudget.iterations   12 "), "{text}");
    // The settings are wrapped.
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(
        words
            .join(" ")
            .contains("iterations=12 exploration=0.4: type = \"mcts\", budget.iterations = 12,"),
        "{text}"
    );

    let csv = |table: &str| {
        records(&home.ok(&format!(
            "report results/sweep --format csv --table {table}"
        )))
    };
    let games = records(&home.ok("export results/sweep --table games"));
    let (effects, cells) = (csv("sweep"), csv("sweep-pairs"));
    let values: Vec<&str> = effects.iter().map(|row| row["value"].as_str()).collect();
    assert_eq!(values, ["3", "12", "0.1", "0.4", "1.6"]);
    for row in &effects {
        let word = row["key"].rsplit('.').next().expect("a key");
        let setting = format!("{word}={}", row["value"]);
        let has = |agent: &str| agent.split(' ').any(|part| part == setting);
        let (count, score) = mean_score(&games, has);
        assert_eq!(row["games"], count.to_string());
        let found: f64 = row["score"].parse().expect("a number");
        assert!((found - score).abs() < 1e-12, "{setting}: {found} {score}");
    }
    assert_eq!(cells.len(), 6);
    assert!(
        cells
            .iter()
            .all(|cell| cell["agents"] == "1" && cell["games"] == "12")
    );

    let json = home.report("results/sweep");
    assert_eq!(json["sweep"]["keys"][0]["key"], "budget.iterations");
    let agents = json["agents"].as_array().expect("a list");
    assert_eq!(agents.len(), 8);
    let settings = |name: &str| {
        let agent = agents.iter().find(|agent| agent["agent"] == name);
        agent.expect("an agent")["settings"].clone()
    };
    assert_eq!(
        settings("iterations=3 exploration=1.6")["search"]["exploration"],
        1.6
    );
    home.ok("report results/sweep -o results/sweep/report.html");
    let page = String::from_utf8(home.read("results/sweep/report.html")).expect("UTF-8");
    expect_in(
        &page,
        "budget.iterations and search.exploration ... id=\"sweep\"",
    );

    let sweep = |dir: &str| home.ok(&["report", dir, "--format", "csv", "--table", "sweep"]);
    home.ok("import results/sweep --into all/sweep");
    assert_eq!(sweep("all/sweep"), sweep("results/sweep"));

    // Another value adds to the existing games.
    home.write(
        "tournaments/sweep.toml",
        &SWEEP.replace("[3, 12]", "[3, 6, 12]"),
    );
    let said = home.run("run tournaments/sweep.toml").stderr;
    let said = String::from_utf8(said).expect("UTF-8");
    assert!(said.contains("72 of 108 games are there\n"), "{said}");
}

#[test]
fn names_of_variants_can_be_read_at_80_columns_and_typed_back() {
    let home = Workspace::new();
    let keys = "rollout.epsilon = [0.05, 0.2]\nrollout.strategy = ['bl/some/first', 'in-order/some/first']";
    let sweep = SWEEP
        .replace("budget.iterations = [3, 12]", keys)
        .replace("[sweep]", "[budget]\niterations = 3\n[sweep]");
    home.write("tournaments/sweep.toml", &sweep);
    home.ok("run tournaments/sweep.toml --quiet");
    let ratings = records(&home.ok("report results/sweep --format csv --table ratings"));
    let names = ratings.iter().map(|row| &row["agent"]);
    let variants: Vec<&String> = names.filter(|name| name.contains('=')).collect();
    assert_eq!(variants.len(), 12);
    assert!(variants.contains(&&"epsilon=0.05 strategy=bl/some/first exploration=0.1".to_owned()));
    for form in ["", " --full"] {
        let text = home.ok(&format!("report results/sweep{form}"));
        assert!(
            !text.contains('…') && !text.contains("mcts-fast{"),
            "{text}"
        );
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines.iter().all(|line| line.chars().count() <= 80),
            "{text}"
        );
        for name in &variants {
            // In one line, or one setting below another.
            let words: Vec<&str> = name.split(' ').collect();
            let is_below = |lines: &[&str]| {
                words
                    .iter()
                    .zip(lines)
                    .all(|(word, line)| line.contains(word))
            };
            let is_there = lines.windows(words.len()).any(is_below);
            assert!(is_there || text.contains(&***name), "{name}\n{text}");
        }
    }
    for name in variants {
        let rated = home.ok(&["rate", "results/sweep", "--only", name, "--only", "random"]);
        assert!(rated.contains(": 6 games, "), "{rated}");
        let game = format!("{name}|random/1/1");
        home.ok(&[
            "analyze",
            "results/sweep",
            &game,
            "--agent",
            "mcts-fast",
            "--iterations",
            "10",
        ]);
    }
}

#[test]
fn a_common_budget_leaves_the_sweep_as_it_is() {
    let home = Workspace::new();
    for format in ["round-robin", "gauntlet"] {
        let text = SWEEP.replace("gauntlet", format);
        let text = text.replace("budget.iterations = [3, 12]", "rollout.depth = [2, 4]");
        let text = text.replace("[sweep]", "[budget]\niterations = 3\n[sweep]");
        home.write("tournaments/sweep.toml", &text);
        home.ok("run tournaments/sweep.toml --plan plan.json");
        let plan = home.json_file("plan.json")["manifest"]["plan"].take();
        let agents = plan["agents"].as_array().expect("a list");
        let swept = agents.iter().filter(|agent| !agent["swept"].is_null());
        let swept: Vec<_> = swept
            .map(|agent| {
                let budget = &agent["config"]["budget"]["iterations"];
                (agent["name"].as_str().expect("a name"), budget.as_u64())
            })
            .collect();
        assert_eq!(swept.len(), 6, "{format}");
        assert_eq!(swept[0], ("depth=2 exploration=0.1", Some(3)), "{format}");
    }
}

#[test]
fn settings_that_are_printed_make_the_same_agent() {
    let home = Workspace::new();
    let shown = home.ok(&["agents", "show", "mcts-fast{search.exploration=1.25}"]);
    home.write("agents/copy.toml", &shown);
    home.write(
        "tournaments/t.toml",
        "name = \"t\"\nagents = [\"random\", \"mcts-fast{search.exploration=1.25}\"]\npairs = 1\n",
    );
    home.ok("run tournaments/t.toml --quiet");
    home.write(
        "tournaments/t.toml",
        "name = \"t\"\nagents = [\"random\", \"copy\"]\npairs = 1\n",
    );
    let said = String::from_utf8(home.run("run tournaments/t.toml").stderr).expect("UTF-8");
    assert!(said.contains("2 of 2 games are there\n"), "{said}");
}

#[test]
fn sweeps_that_cannot_be_played_are_refused() {
    let home = Workspace::new();
    for [old, new, expected] in rows(
        r#"
        [3, 12] => [3, 3] => tournaments/sweep.toml:11: sweep.keys.budget.iterations: the value 3 is given twice
        [3, 12] => [] => the list of values is empty
        low = 0.1 => low = 0.0 => expected more than 0
        log = true => log = true, none = true => sweep.keys.search.exploration: none: without the key, the value is 0.7
        search.exploration => search.explore => search.explore
        base = "mcts-fast" => base = "mcts-*" => matches several agents
        base = "mcts-fast" => base = "mcts-fats" => did you mean mcts-fast?
        [3, 12] => { low = 1, high = 20000, steps = 20000 } => 60000 agents, more than 10000; add --yes
        search.exploration => expansion.prior.decay => sweep.keys.expansion.prior.decay: requires search.select = "puct"
        [sweep.keys] => [budget]\niterations = 3\n[sweep.keys] => budget
    "#,
    ) {
        home.write("tournaments/sweep.toml", &SWEEP.replace(old, new));
        home.refuses("run tournaments/sweep.toml", expected);
        assert!(!home.path("results").exists(), "nothing is written");
    }
}

#[test]
#[ignore = "twelve thousand agents"]
fn a_large_sweep_is_foreseen_when_asked_for() {
    let home = Workspace::new();
    let large = SWEEP.replace("[3, 12]", "{ low = 1, high = 4000, steps = 4000 }");
    home.write("tournaments/sweep.toml", &large);
    home.refused("run tournaments/sweep.toml --dry-run");
    let ahead = home.ok("run tournaments/sweep.toml --dry-run --yes");
    assert!(ahead.contains("Planned:     144,000 games"), "{ahead}");
}
