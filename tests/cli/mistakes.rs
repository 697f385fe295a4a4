//! Mistakes in tournament and agent files are reported in one sentence.

use std::fs;

use patchwork_test_support::program::{Workspace, expect_in, rows, small, text};

#[test]
fn mistakes_in_tournament_files_get_one_sentence() {
    let home = Workspace::new();
    home.write(
        "agents/broken.toml",
        "type = \"mcts\"\n[budget]\niterations = 0\n",
    );
    fs::create_dir(home.path("more")).expect("created");
    home.write("more/random.toml", "type = \"random\"\n");
    let file = "tournaments/bad.toml";
    let good = small("bad", 2);
    let list = "[\"random\", \"greedy-*\", \"mcts-*\"]";
    // What stands in place of a part of the file; in place of all of it if no part is named. `LIST` is that of the agents.
    for [from, to, expected] in rows(
        r#"
        LIST => ["random", "mcts-fsat"] => agents ... mcts-fsat ... did you mean mcts-fast?
        LIST => [] => agents ... expected at least two
        LIST => ["random"] => agents ... expected at least two
        LIST => ["random", "random"] => agents ... random comes twice
        LIST => ["random", "rand*", "r*"] => agents ... expected at least two
        LIST => ["random", "../more/random.toml"] => agents ... random comes twice
        LIST => ["random", "no-*"] => agents ... no agent matches 'no-*'
        LIST => ["random", "a["] => agents ... '
        LIST => ["random", "no/such.toml"] => agents ... no/such.toml
        LIST => ["random", ""] => agents
        LIST => "random" => agents ... expected a list
        LIST => ["random", 3] => agents ... expected a string
        LIST => ["random", "broken"] => agents/broken.toml ... budget.iterations ... found 0
        pairs = 2 => pairs = 0 => pairs ... found 0
        pairs = 2 => pairs = -2 => pairs ... found -2
        pairs = 2 => pairs = 2.5 => pairs ... 2.5
        pairs = 2 => pairs = 4000000000 => pairs ... expected at most
        pairs = 2 => => missing key `pairs`
        pairs => pears => unknown key `pears` ... did you mean pairs?
        "original" => "orignal" => track ... did you mean original?
        seed = 5 => seed = -5 => seed ... -5
        "bad" => "../bad" => name ... ../bad
        "bad" => "" => name ... ''
        "bad" => 7 => name ... expected a string
        => type = "random"\n => bad.toml:1: type: a key of agent files ... match ... expected a tournament file
        => base = "random"\n[space]\n => bad.toml:2: space: a key of tuning files ... `patchwork-arena tune`
        => agent = "random"\ngames = 1\n => bad.toml:1: agent: a key of self-play files ... learn selfplay
        => => missing key `name`
        seed = 5 => seed = -1 => bad.toml:2: seed: expected a whole number from 0 to 9223372036854775807, found -1
        seed = 5 => seed = 18446744073709551615 => bad.toml:2: seed: 18446744073709551615 is out of range ... expected a whole number from 0 to 9223372036854775807
        pairs = 2 => pairs = [1, 1000000000000000000000000000000000000000000000000000000000000] => bad.toml:6: pairs: 10000 ... is out of range
        => {}} => bad.toml:1: not valid TOML
        "#,
    ) {
        let content = match from {
            "" => to.to_owned(),
            "LIST" => good.replace(list, to),
            from => good.replace(from, to),
        };
        home.write(file, &content);
        home.refuses(&["run", file], &format!(".toml ... {expected}"));
    }
    home.write(file, "\0\0");
    home.refuses(&["run", file], "not valid TOML");
    fs::write(home.path(file), b"name = \"\xff\"").expect("written");
    home.refuses(&["run", file], file);
    for other in ["tournaments", "no-such-file.toml"] {
        home.refuses(&["run", other], other);
    }
    for threads in ["0", "-1", "x", "100000"] {
        let threads = format!("--threads={threads}");
        home.refuses(&["run", "tournaments/small.toml", &threads], "--threads");
    }
    home.refuses("rnu x.toml", "'rnu'");
    home.refuses("run", "<FILE>");
    assert!(!home.path("results").exists(), "nothing is written");
}

/// Words of other programs and of earlier ones. None of them does anything; the sentence says what is meant.
#[test]
fn words_that_newcomers_type_get_a_hint() {
    let home = Workspace::new();
    for [line, expected] in rows(
        r#"
        match random greedy-regret --games 4 => '--games' found; tip: use --pairs; a pair is two games; see --help
        run t.toml --games=4 => '--games' found; tip: use --pairs; a pair is two games
        match random mcts-fast --iterations 100 => tip: use --set budget.iterations=N;
        play random --iterations 100 => tip: use --set budget.iterations=N;
        run t.toml --iterations 100 => tip: write budget.iterations = N into the tournament file;
        match random mcts-fast --time 5 => tip: use --set budget.milliseconds=N;
        run t.toml --time 5 => tip: write budget.milliseconds = N into the tournament file;
        match random mcts-fast --budget 5 => tip: use --set budget.iterations=N or --set budget.milliseconds=N;
        match random mcts-fast --top 3 => tip: use --thoughts top-N to record candidates;
        report results/t --top 3 => tip: use --format csv, and take the first rows;
        web --port 80 => tip: use --address 127.0.0.1:PORT;
        web -p 80 => tip: use --address 127.0.0.1:PORT;
        list => unrecognized subcommand 'list'; tip: use agents list;
        sprt => tip: use match A B --sprt ELO0,ELO1;
        elo => tip: use rate for files of results, or report for a results folder;
        agents ls => tip: a similar subcommand exists: 'list'
        bench --time 5 => unexpected argument '--time' found; see --help
        "#,
    ) {
        home.refuses(line, expected);
    }
    for (agents, expected) in [
        (
            "name = 't'\nagent",
            "t.toml:2: unknown key `agent` ... did you mean agents?",
        ),
        (
            "Name = 't'\nAGENTS",
            "t.toml:1: unknown key `Name` ... did you mean name?",
        ),
        (
            "Name = 't'\nAGENTS",
            "t.toml:2: unknown key `AGENTS` ... did you mean agents?",
        ),
    ] {
        home.write(
            "t.toml",
            &format!("{agents} = ['random', 'greedy-regret']\npairs = 1\n"),
        );
        expect_in(&text(&home.run("run t.toml").stderr), expected);
    }
}

/// Files of settings that editors and shells of Windows wrote.
#[test]
fn files_that_are_not_utf_8_are_named_with_encoding_and_line() {
    let home = Workspace::new();
    let utf16: Vec<u8> = "\u{feff}name = 't'\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let latin1 = b"# one line\n# f\xfcr\n".to_vec();
    fs::create_dir_all(home.path("agents")).expect("made");
    for (bytes, expected) in [
        (
            &utf16,
            "line 1: it is UTF-16, as PowerShell writes it; expected UTF-8",
        ),
        (&utf16[2..].to_vec(), "line 1: it is UTF-16"),
        (
            &latin1,
            "line 2: the byte 0xfc is not UTF-8, but perhaps ISO 8859-1 or Windows-1252; expected UTF-8",
        ),
    ] {
        for (name, line) in [
            ("t.toml", "run t.toml"),
            ("plan.json", "run plan.json"),
            ("t.toml", "tune t.toml"),
            ("agents/own.toml", "match own random"),
            ("book.tsv", "match random greedy-regret --rings book.tsv"),
            ("orders.txt", "paper packing --orders orders.txt"),
        ] {
            fs::write(home.path(name), bytes).expect("written");
            home.refuses(line, &format!("{name}: ... {expected}"));
            fs::remove_file(home.path(name)).expect("removed");
        }
    }
}

#[test]
fn all_mistakes_of_a_file_are_told_with_their_lines() {
    let home = Workspace::new();
    home.write(
        "agents/broken.toml",
        "type = \"mcts\"\n[budget]\niterations = 0\n[expansion]\nstrategy = \"x\"\n[rollout]\nstrategy = 7\n",
    );
    let told = |file: &str, content: &str| {
        home.write(file, content);
        let output = home.run(&["run", file]);
        assert_eq!(output.status.code(), Some(2));
        text(&output.stderr)
    };
    let said = told(
        "tournaments/bad.toml",
        "name = \"a/b\"\nseed = 1\ngames = 3\nagents = [\"randm\", \"no-*\", \"broken\"]\nrings = \"no.tsv\"\n",
    );
    for part in [
        "  tournaments/bad.toml:1: name: 'a/b'",
        "  tournaments/bad.toml:3: unknown key `games`",
        "  tournaments/bad.toml:4: agents: there is no agent 'randm'",
        "  tournaments/bad.toml:4: agents: no agent matches 'no-*'",
        "agents/broken.toml:3: budget.iterations: ",
        "agents/broken.toml:5: expansion.strategy: ",
        "agents/broken.toml:7: rollout.strategy: ",
        "  tournaments/bad.toml:5: rings: there is no file no.tsv",
    ] {
        assert!(said.contains(part), "{said} lacks {part}");
    }
    assert!(said.starts_with("error: 8 mistakes\n"), "{said}");
    assert!(!said.contains("did you mean name?"), "{said}");
    let said = told(
        "tournaments/types.toml",
        "name = 3\nseed = \"x\"\npairs = -1\ntrack = \"no\"\nagents = 5\n[sprt]\nelo0 = \"a\"\nelo1 = 5\n",
    );
    assert!(said.starts_with("error: 6 mistakes\n"), "{said}");
    for line in [1, 2, 3, 4, 5, 7] {
        expect_in(&said, &format!("  tournaments/types.toml:{line}: "));
    }
    let said = told(
        "tournaments/sweep.toml",
        "name = \"s\"\npairs = 1\n[sweep]\nbase = \"mcts-fast\"\n[sweep.keys]\n\"search.exploration\" = []\n\
         \"rollout.strategy\" = 3\n",
    );
    assert!(said.starts_with("error: 2 mistakes\n"), "{said}");
    expect_in(&said, "sweep.toml:6:  ... sweep.toml:7: ");
    let many: String = (0..20).map(|i| format!("key{i} = 1\n")).collect();
    let said = told(
        "tournaments/many.toml",
        &format!("name = \"m\"\npairs = 1\nagents = [\"random\"]\n{many}"),
    );
    assert!(
        said.contains("\n  and 1") && said.lines().count() == 12,
        "{said}"
    );
}

#[test]
fn mistakes_in_agent_files_get_one_sentence() {
    let home = Workspace::new();
    let good = include_str!("../../agents/archive/mcts-regret-1.toml").replace("= 1000", "= 30");
    // What stands in place of a part of the file; or after it if no part is named.
    for [from, to, expected] in rows(
        r#"
        iterations = 30 => iteratons = 30 => budget ... did you mean iterations?
        iterations = 30 => iterations = "many" => budget.iterations ... many
        iterations = 30 => => budget ... milliseconds
        iterations = 30 => iterations = 3\nmilliseconds = 3 => budget ... more than one
        iterations = 30 => milliseconds = -3 => budget.milliseconds ... -3
        bl-lb/ => bllb/ => expansion.strategy ... did you mean bl-lb?
        /every/ => /all/ => expansion.strategy ... some or every
        /regret" => /regrets" => mine.toml:9: expansion.strategy ... did you mean regret?
        "greedy" => "greddy" => rollout.pick ... did you mean greedy?
        "greedy" => "epsilon-greedy" => rollout.epsilon ... 0 to 1
        pick = "greedy" => pick = "epsilon-greedy"\nepsilon = 1.5 => rollout.epsilon ... 1.5
        pick = "greedy" => pick = "greedy"\nepsilon = 0.1 => epsilon
        => [search]\nexploration = -1.0\n => search.exploration ... -1
        => [search]\nexploration = nan\n => search.exploration
        => [search]\nvalue = "winn"\n => search.value ... did you mean win?
        => [search]\nmargin_scale = 3.0\n => search.margin_scale
        => [search]\nvalue = "margin"\nmargin_scale = 0.0\n => margin_scale
        => [expansion.prior]\ndecay = 2.0\n => mine.toml ... expansion.prior: requires search.select = "puct"
        "mcts" => "mtcs" => type ... did you mean mcts?
        type = "mcts" => type = 3 => type ... found a value of type integer
        type = "mcts" => => missing key `type`
        [rollout] => [rolout] => unknown key `rolout` ... did you mean rollout?
        "#,
    ) {
        let content = match from {
            "" => format!("{good}\n{to}"),
            from => good.replace(from, to),
        };
        home.write("agents/mine.toml", &content);
        home.refuses(
            "match random mine",
            &format!("agents/mine.toml ... {expected}"),
        );
    }
    home.write("agents/mine.toml", "type = \"random\"\nseed = 3\n");
    home.refuses(
        "match random mine",
        "agents/mine.toml ... unknown key `seed`",
    );
    let output = home.run("agents list");
    assert_eq!(output.status.code(), Some(2), "one file is bad");
    assert!(
        text(&output.stdout).contains("mcts-fast"),
        "the others are listed"
    );
    assert!(text(&output.stderr).contains("agents/mine.toml"));
}
