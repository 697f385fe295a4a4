//! Variants of agents: overrides in names, `--set`, files that extend others, a common budget.

use serde_json::Value;

use patchwork_test_support::program::{Workspace, expect_in, rows};

const FAST: &str = "mcts-fast{budget.iterations=7,search.exploration=1.5}";

/// The settings of an agent as JSON.
fn shown(home: &Workspace, arguments: &[&str]) -> Value {
    let all = [&["agents", "show"], arguments, &["--format", "json"]].concat();
    home.json(&all)
}

#[test]
fn an_agent_with_overrides_is_played_reported_and_replayed() {
    let home = Workspace::new();
    let rollout = "mcts-fast{rollout.strategy=bl/some/first}";
    let list = format!(
        "\"random\", \"{rollout}\", \"mcts-fast{{search.exploration = 1.5, budget.iterations = 7}}\""
    );
    home.write(
        "tournaments/variants.toml",
        &format!("name = \"variants\"\npairs = 1\nagents = [{list}]\n"),
    );
    let report = home.ok("run tournaments/variants.toml --quiet --full");
    for name in [FAST, rollout] {
        assert!(report.contains(name), "{report}");
    }
    let pairing = format!("{FAST}|{rollout}");
    for (game, number) in [
        (format!("{pairing}/0/1"), 1),
        (
            format!("mcts-fast{{search.exploration=1.5, budget.iterations=7}}|{rollout}/0/0"),
            0,
        ),
        (format!("{rollout}|random/0/1"), (2_u64 << 31) + 1),
    ] {
        let replayed = home.ok(&["analyze", "replay", "results/variants", &game]);
        assert!(replayed.contains("the bytes agree"), "{replayed}");
        assert!(
            replayed.starts_with(&format!("Game {number} ")),
            "{replayed}"
        );
    }
    let unknown = format!("{FAST}|random/0/1/2");
    home.refuses(
        &["analyze", "replay", "results/variants", &unknown],
        "not a game",
    );
    let table = home.ok("report results/variants --format csv");
    assert!(table.contains(&format!("\"{FAST}\"")), "{table}");
    home.ok("report results/variants -o results/variants/report.html");
    let games = home.export("results/variants");
    assert!(games.contains(&format!("\"{pairing}\"")), "{games}");
    for (format, file) in [("pgn", "games.pgn"), ("tsv", "games.tsv")] {
        let written = home.ok(&["export", "results/variants", "--format", format]);
        // The table does not name the agents.
        assert!(format == "tsv" || written.contains(FAST), "{written}");
        home.write(file, &written);
        home.ok(&["verify", file]);
    }
}

#[test]
fn an_agent_with_a_label_is_shown_by_it() {
    let home = Workspace::new();
    let slow = "slow=mcts-fast{budget.iterations=3}";
    let text = home.ok(&["match", "quick=random", slow, "--pairs", "2", "-q"]);
    assert!(
        text.contains("for quick minus slow") || text.contains("for slow minus quick"),
        "{text}"
    );
    assert!(!text.contains("mcts-fast"), "{text}");
    home.write(
        "t.toml",
        "name = \"t\"\npairs = 1\nagents = [\"a=random\", \"b=mcts-fast{budget.iterations=3}\", \"random\"]\n",
    );
    home.ok("run t.toml -q");
    let game = home.ok("analyze replay results/t a|b/0/0");
    assert!(game.contains("the bytes agree"), "{game}");
    for [entry, expected] in rows(
        "
        all=mcts-* => 'mcts-*' matches several agents; the label all is for one
        a=random => the agent a comes twice
    ",
    ) {
        let agents =
            format!("name = \"u\"\npairs = 1\nagents = [\"a=greedy-inorder\", \"{entry}\"]\n");
        home.write("u.toml", &agents);
        home.refuses("run u.toml", expected);
    }
}

#[test]
fn overrides_are_taken_wherever_an_agent_is_named() {
    let home = Workspace::new();
    let small = "mcts-fast{budget.iterations=5}";
    let report = home.ok(&["match", small, "mcts-fast", "--pairs", "1", "-q", "--full"]);
    assert!(report.contains(small), "{report}");
    let both = "--pairs 1 -q --full --set budget.iterations=4";
    let report = home.ok(&format!("match mcts-fast mcts-regret {both}"));
    for name in ["mcts-fast", "mcts-regret"] {
        expect_in(&report, &format!("{name}{{budget.iterations=4}}"));
    }
    // What one agent sets may need what all agents get.
    let decay = "mcts-fast{expansion.prior.decay=2.0}";
    let report = home.ok(&format!(
        "match {decay} mcts-fast --set search.select=puct {both}"
    ));
    let name = "mcts-fast{budget.iterations=4,expansion.prior.decay=2.0,search.select=puct}";
    assert!(report.contains(name), "{report}");
    let played = home.ok(&format!(
        "play {small} mcts-fast -q --set search.exploration=2.0 --set budget.milliseconds=1"
    ));
    let names = ["mcts-fast{budget.milliseconds=1,search.exploration=2.0}"];
    assert!(played.starts_with(names[0]), "{played}");
    let ring = (2..=33).map(|patch| patch.to_string());
    let ring = ring.chain(["1".to_owned()]).collect::<Vec<_>>().join(" ");
    let analysis = home.json(&format!(
        "analyze --agent {small} --ring '{ring}' --format json --set search.select=puct"
    ));
    assert_eq!(analysis["search"]["iterations"], 5);
    assert_eq!(
        analysis["agent"],
        "mcts-fast{budget.iterations=5,search.select=puct}"
    );
    let games = "paper characterize --games 2 --format json -q";
    let found = home.ok(&format!(
        "{games} --agent {small} --set search.exploration=0"
    ));
    expect_in(
        &found,
        "mcts-fast{budget.iterations=5,search.exploration=0}",
    );
    home.refuses(&format!("{games} --set a=1"), "--set: requires --agent");
    // A glob also works as a name, and as a gauntlet's challenger.
    home.write(
        "tournaments/globs.toml",
        "name = \"globs\"\npairs = 1\nformat = \"gauntlet\"\n\
         challengers = [\"mcts-fast{budget.iterations=3}\"]\nagents = [\"mcts-*{budget.iterations=2}\"]\n",
    );
    let report = home.ok("run tournaments/globs.toml --quiet --full");
    expect_in(&report, "mcts-uniform{budget.iterations=2}");
}

#[test]
fn a_common_budget_holds_for_all_agents_that_have_one() {
    let home = Workspace::new();
    let file = "tournaments/budget.toml";
    let agents = |list: &str, budget: &str| {
        home.write(
            file,
            &format!("name = \"budget\"\npairs = 1\nagents = [{list}]\n[budget]\n{budget}\n"),
        );
    };
    agents(
        "\"random\", \"greedy-regret\", \"mcts-fast\", \"mcts-regret{search.exploration=1.0}\"",
        "iterations = 6",
    );
    home.ok(&["run", file, "--quiet"]);
    let manifest = home.manifest_json("results/budget");
    let agents_there = manifest["plan"]["agents"].as_array().expect("a list");
    let found: Vec<_> = agents_there
        .iter()
        .map(|agent| {
            let budget = &agent["config"]["budget"]["iterations"];
            (agent["name"].as_str().expect("a name"), budget.as_u64())
        })
        .collect();
    assert_eq!(
        found,
        [
            ("greedy-regret", None),
            ("mcts-fast", Some(6)),
            ("mcts-regret{search.exploration=1.0}", Some(6)),
            ("random", None)
        ]
    );
    for [list, budget, expected] in rows(
        r#"
        "random", "mcts-fast" => plyouts = 6 => :5: budget: unknown key `plyouts`
        "random", "greedy-regret" =>  => budget: expected one of
        "random", "mcts-fast" => playouts = 6 => budget: mcts-fast: budget: unknown key `playouts`
        "random", "mcts-fast{budget.iterations=5}" => iterations = 6 => mcts-fast{budget.iterations=5}: budget: expected an agent without a budget in its name
    "#,
    ) {
        agents(list, budget);
        home.refuses(&["run", file], &format!("{expected} ... {file}"));
    }
}

#[test]
fn files_extend_others() {
    let home = Workspace::new();
    home.write(
        "agents/wide.toml",
        "description = \"All placements.\"\nextends = \"mcts-regret\"\nunset = [\"expansion.best\"]\n\
         [budget]\nmilliseconds = 3\n[search]\nexploration = 0.9\n",
    );
    home.write(
        "agents/wider.toml",
        "extends = \"../agents/wide.toml\"\n[search]\nselect = \"puct\"\n",
    );
    let base = shown(&home, &["mcts-regret"]);
    let wide = shown(&home, &["wide"]);
    assert_eq!(wide["description"], "All placements.");
    assert_eq!(wide["budget"], serde_json::json!({ "milliseconds": 3 }));
    assert_eq!(wide["rollout"], base["rollout"]);
    assert_eq!(
        (&base["expansion"]["best"], wide["expansion"].get("best")),
        (&1.into(), None)
    );
    let wider = shown(&home, &["wider"]);
    assert_eq!(wider.get("description"), None);
    assert_eq!(wider["search"]["select"], "puct");
    assert_eq!(wider["search"]["exploration"], 0.9);
    assert_eq!(wider["budget"], wide["budget"]);
    // The output of `show` is an agent file with the same settings.
    let variant = "wider{expansion.best=2,rollout.depth=4}";
    let file = home.ok(&["agents", "show", variant]);
    assert!(file.starts_with(&format!("# {variant}\n")), "{file}");
    home.write("agents/copy.toml", &file);
    let mut copy = shown(&home, &["copy"]);
    let set = [
        "wider",
        "--set",
        "rollout.depth=4",
        "--set",
        "expansion.best=2",
    ];
    let original = shown(&home, &set);
    assert_eq!(original["agent"], variant);
    copy["agent"] = variant.into();
    assert_eq!(copy, original);
    home.ok("match wider random --pairs 1 -q");
}

#[test]
fn mistakes_in_files_that_extend_others_get_one_sentence() {
    let home = Workspace::new();
    home.write("agents/a.toml", "# first\nextends = \"b\"\n");
    home.write("agents/b.toml", "extends = \"c.toml\"\n");
    home.write("agents/c.toml", "type = \"mcts\"\nextends = \"b\"\n");
    home.write("agents/self.toml", "extends = \"self\"\n");
    home.write(
        "agents/broken.toml",
        "type = \"random\"\n[search]\nselect = \"puct\"\n",
    );
    for number in 0..100 {
        let next = format!("extends = \"long-{}\"\n", number + 1);
        home.write(&format!("agents/long-{number}.toml"), &next);
    }
    for [content, expected] in rows(
        r#"
        extends = "long-0" => agents/long-98.toml:1: extends: more than 100 files extend each other
        \nextends = "mcts-regert" => agents/mine.toml:2: extends: there is no file agents/mcts-regert.toml, and no shipped agent mcts-regert; did you mean mcts-regret?
        extends = "no/such.toml" => mine.toml:1: extends: there is no file agents/no/such.toml
        extends = "a" => agents/c.toml:2: extends: the files extend each other in a cycle: b extends c extends b
        extends = "mine" => mine.toml:1: extends: the files extend each other in a cycle: mine extends mine
        extends = 3 => mine.toml:1: extends: expected a string, found 3
        extends = "random{a=1}" => mine.toml:1: extends: 'random{a=1}'
        type = "random"\nunset = ["a"] => mine.toml:2: unset: requires the key extends
        extends = "mcts-regret"\nunset = ["expansion.bset"] => mine.toml:2: unset: agents/mcts-regret.toml does not set expansion.bset; did you mean expansion.best?
        extends = "mcts-regret"\nunset = "type" => mine.toml:2: unset: expected a list
        extends = "mcts-regret"\n[search]\nselect = "ucb" => agents/mine.toml:3: search.select
        extends = "broken"\ndescription = "x" => agents/broken.toml:2: unknown key `search`
        extends = "mcts-regret-1"\ntype = "flat"\nunset = ["expansion"]\n[rollout]\npick = "no" => agents/mine.toml:5: rollout.pick
        extends = "mcts-regret"\nunset = ["budget"] => missing key `budget`
        extends = "mcts-regret"\nunset = ["type"] => missing key `type`
    "#,
    ) {
        home.write("agents/mine.toml", content);
        home.refuses("match random mine", expected);
    }
}

#[test]
fn mistakes_in_overrides_get_one_sentence() {
    let home = Workspace::new();
    for [agent, expected] in rows(
        r#"
        mcts-fast{search.explor=1} => mcts-fast{search.explor=1}: search: unknown key `explor`
        mcts-fast{search.explor=1} => did you mean exploration?
        mcts-fast{search.explor=} => unknown key `explor`
        mcts-fast{serach.exploration=1} => did you mean search?
        mcts-fast{description=x} => unknown key `description`
        mcts-fast{extends=random} => unknown key `extends`
        random{budget.iterations=1} => random{budget.iterations=1}: unknown key `budget`
        mcts-fast{search.exploration=high} => search.exploration: expected a number, found "high"
        mcts-fast{search.exploration=-1} => mcts-fast{search.exploration=-1}: search.exploration: expected a number from 0
        mcts-fast{rollout.strategy=} => mcts-fast{rollout.strategy=}: rollout: missing key `strategy`
        mcts-fast{rollout.strategy.x=1} => rollout.strategy: expected a strategy such as "bl-lb/every/regret", found a table
        mcts-fast{budget.iterations=1,budget.milliseconds=1} => more than one
        mcts-fast{search.exploration=1,search.exploration=2} => search.exploration: is given twice
        mcts-fast{search.exploration} => expected KEY=VALUE, found 'search.exploration'
        mcts-fast{search.exploration=1 => a brace at the end
        mcts-fast{search.exploration='1} => search.exploration: expected a number, a word, or a text in quotes, found '1
        mcts-fsat{search.exploration=1} => there is no agent 'mcts-fsat' in agents or among the shipped agents; did you mean mcts-fast?
        mcts-fast{expansion.prior.decay=3} => mcts-fast{expansion.prior.decay=3}: expansion.prior: requires search.select = "puct"; otherwise leave the key out
        mcts-fast{rollout.pick=greedy,rollout.epsilon=0.2} => rollout.epsilon: requires pick = "epsilon-greedy"; otherwise leave the key out
        *{search.exploration=1} => greedy-inorder{search.exploration=1}: unknown key `search`
    "#,
    ) {
        let sentence = home.refused(&["match", "random", agent]);
        assert!(
            sentence.contains(expected) && !sentence.contains("match: agents"),
            "{agent}\n{sentence}"
        );
    }
    for [set, expected] in rows("
        a => 'a' for '--set <KEY=VALUE>'
        search.exploration=1 search.exploration=2 => --set: search.exploration: is given twice
        search.explor=1 => --set: mcts-fast{search.explor=1}: search: unknown key `explor`
        expansion.prior.decay=3 => --set: mcts-fast{expansion.prior.decay=3}: expansion.prior: requires search.select
        ",
    ) {
        let set = set.replace(' ', " --set ");
        home.refuses(&format!("agents show mcts-fast --set {set}"), expected);
    }
    home.write(
        "tournaments/bad.toml",
        "name = \"bad\"\npairs = 1\nagents = [\"random\", \"mcts-fast{search.explor=1}\"]\n",
    );
    let sentence = home.refused("run tournaments/bad.toml");
    let expected =
        "tournaments/bad.toml:3: agents: mcts-fast{search.explor=1}: search: unknown key `explor`";
    assert!(sentence.contains(expected), "{sentence}");
    // A key that is not set may be removed, so that all agents of a glob can lack it.
    let report = home.ok("match random mcts-fast{rollout.depth=,search.widening.base=} --pairs 1 --no-save -q --full");
    assert!(report.contains("mcts-fast{rollout.depth=,"), "{report}");
    assert!(!home.path("results").exists(), "nothing is written");
}
