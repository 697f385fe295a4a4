//! `rate` with results in every format.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use patchwork_test_support::program::{Workspace, binary, expect_in, rows, text};

fn rated(home: &Workspace, sources: &str) -> Value {
    home.json(&format!("rate --format json {sources}"))
}

/// Whether two answers are equal except for rounding.
fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            let [one, other] = [one, other].map(|number| number.as_f64().expect("a number"));
            (one - other).abs() <= 1e-7 * (1.0 + one.abs())
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let same = |(key, value): (&String, &Value)| {
                other.get(key).is_some_and(|other| alike(value, other))
            };
            one.len() == other.len() && one.iter().all(same)
        }
        _ => one == other,
    }
}

#[test]
fn what_export_writes_is_rated_as_its_folder() {
    let home = Workspace::new();
    home.write(
        "tournaments/t.toml",
        "name = \"t\"\nagents = [\"random\", \"greedy-inorder\", \"greedy-regret\"]\npairs = 6\n",
    );
    home.ok("run tournaments/t.toml --quiet");
    let folder = rated(&home, "results/t");
    assert_eq!(folder["games"], 36);
    let full = rated(&home, "results/t --full");
    let counts = [&folder, &full].map(|rated| rated["comparisons"].as_array().map(Vec::len));
    assert_eq!(counts, [Some(2), Some(3)]);
    for format in ["tsv", "jsonl", "pgn"] {
        // The format of a file is detected from its contents, not its name.
        home.ok(&["export", "results/t", "--format", format, "-o", "games"]);
        let file = rated(&home, "games");
        assert!(alike(&folder, &file), "{format}: {folder:#}{file:#}");
    }
    let two = rated(&home, "results/t games");
    assert_eq!(two["games"], 72);
    for sources in ["games games", "games ./games"] {
        home.refuses(&format!("rate {sources}"), "games: given twice");
    }
}

#[test]
fn chess_tournaments_are_rated() {
    let home = Workspace::new();
    let cutechess = "[Event \"My Tournament\"]\n[Site \"?\"]\n[Date \"2026.01.01\"]\n[Round \"1\"]\n\
        [White \"Fish 1\"]\n[Black \"Crab\"]\n[Result \"1-0\"]\n[ECO \"B00\"]\n[PlyCount \"3\"]\n\n\
        1. e4 {+0.35/14 1.0s} e5 {-0.35/13 0.98s}\n2. Nf3 {+0.4/15 1.1s, White wins by adjudication} 1-0\n\n\
        [Event \"My Tournament\"]\n[Site \"?\"]\n[Date \"2026.01.01\"]\n[Round \"1\"]\n\
        [White \"Crab\"]\n[Black \"Fish 1\"]\n[Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2\n\n\
        [Event \"My Tournament\"]\n[Round \"2\"]\n[White \"Fish 1\"]\n[Black \"Crab\"]\n[Result \"*\"]\n\n*\n\n";
    home.write("cutechess.pgn", cutechess);
    let fastchess = "[Event \"Fastchess Tournament\"]\n[Site \"?\"]\n[Round \"1\"]\n[White \"Crab\"]\n\
        [Black \"Shrimp\"]\n[Result \"0-1\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[SetUp \"1\"]\n\
        [Termination \"normal\"]\n\n1. d4 {+0.21/10, 0.100s} d5 {-0.10/9, 0.1s, Black mates} 0-1\n";
    home.write("fastchess.pgn", fastchess);
    let both = rated(&home, "cutechess.pgn fastchess.pgn");
    assert_eq!(both["games"], 3);
    assert_eq!(both["unfinished"], 1);
    let row = |name: &str| {
        let rows = both["ratings"].as_array().expect("ratings");
        rows.iter()
            .find(|row| row["agent"] == name)
            .expect("rated")
            .clone()
    };
    let (fish, crab) = (row("Fish 1"), row("Crab"));
    assert_eq!(
        (&fish["wins"], &fish["draws"], &fish["score"]),
        (&1.into(), &1.into(), &0.75.into())
    );
    assert_eq!(
        (&crab["games"], &crab["draws"], &crab["wins"]),
        (&3.into(), &1.into(), &0.into())
    );
    let text = home.ok("rate cutechess.pgn --full");
    assert!(
        text.contains(
            "\ncutechess.pgn: 2 games, 2 of 2 games are in pairs, 1 unfinished game left out\n"
        ),
        "{text}"
    );
    expect_in(&text, "draws ... The first player scored 75.0% of 2 games.");

    home.write("broken.pgn", &cutechess.replacen("1/2-1/2", "1/2", 1));
    let broken = rated(&home, "broken.pgn fastchess.pgn");
    let notes = broken["notes"].as_array().expect("notes");
    let told = |i: usize| notes[i].as_str().unwrap_or_default();
    assert!(
        told(0)
            .starts_with("broken.pgn: 1 game left out: line 14, tag Result: '1/2' is not a result"),
        "{notes:?}"
    );
    assert_eq!(told(1), "broken.pgn: 1 unfinished game left out: line 24.");
    let counts = ["games", "unfinished", "left_out", "paired"].map(|key| broken[key].as_u64());
    assert_eq!(counts, [Some(2), Some(1), Some(1), Some(0)]);
    let text = home.ok("rate broken.pgn");
    assert!(
        text.contains("\nbroken.pgn: 1 game, 0 of 1 games are in pairs; they count as independent")
            && text.contains(" 1 game left out: line 14, tag Result: '1/2' is not a result"),
        "{text}"
    );
}

#[test]
fn odd_pgns_are_read_or_the_line_is_named() {
    let home = Workspace::new();
    let odd = "[Event \"E\"]\n[Round \"1\"]\n[White \"A \\\"the\\\" bot\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n\
        1. e4 {comment with [Result \"0-1\"] in it\n[White \"X\"]\nover lines} e5 (1... c5 2. Nf3 (2. Nc3 Nc6 {deep}) d6) \
        2. Nf3 $1 Nc6 ; rest of the line 0-1 [Black \"Q\"]\n3. Bb5 a6 1-0\n\n% [White \"Z\"]\n\
        [Event \"E\"]\n[Round \"1\"]\n[White \"B\"]\n[Black \"A \\\"the\\\" bot\"]\n[Result \"*\"]\n\
        [Termination \"unterminated\"]\n\n1. e4 e5 *\n\n\
        [Event \"E\"]\n[Round \"2\"]\n[White \"B\"]\n[Black \"A \\\"the\\\" bot\"]\n[Result \"1/2-1/2\"]\n\n1. e4 1/2-1/2\n";
    home.write("unix.pgn", odd);
    home.write(
        "windows.pgn",
        &format!("\u{feff}{}", odd.replace('\n', "\r\n")),
    );
    for sources in ["unix.pgn", "windows.pgn", "unix.pgn windows.pgn"] {
        let found = rated(&home, sources);
        let count = sources.split(' ').count();
        assert_eq!(
            (&found["games"], &found["unfinished"]),
            (&(2 * count).into(), &count.into())
        );
        let best = &found["ratings"][0];
        assert_eq!(
            (&best["agent"], &best["score"]),
            (&"A \"the\" bot".into(), &0.75.into())
        );
    }
    let tags = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n";
    for (text, told) in [
        (
            "[White \"A\"]\n[Black \"B\"]\n\n1. e4\n".to_owned(),
            "the last game, from line 1 on, is incomplete",
        ),
        (
            format!("{tags}\n1. e4 {{never closed\n"),
            "the last game, from line 1 on, is incomplete",
        ),
        (
            tags.replace("\"B\"", "\"A\""),
            "line 1, tag Black of the game that begins here: 'A' plays against itself",
        ),
        (
            tags.replace("1-0", "*"),
            "holds no finished games: 1 game unfinished",
        ),
        (
            tags.replace("A\"", "A"),
            "line 1: not a tag; expected a name and a value",
        ),
    ] {
        home.write("bad.pgn", &text);
        home.refuses("rate bad.pgn", &format!("bad.pgn: {told}"));
    }
}

#[test]
#[ignore = "many processes"]
fn pairs_that_all_end_even_tell_nothing() {
    let home = Workspace::new();
    let mirrored = |pairs: usize| {
        let mut text = "first\tsecond\twinner\tpair\n".to_owned();
        for pair in 0..pairs {
            let seat = if pair % 3 == 0 { "second" } else { "first" };
            text += &format!("a\tb\t{seat}\t{pair}\nb\ta\t{seat}\t{pair}\n");
        }
        text
    };
    home.write("few.tsv", &mirrored(9));
    home.write("many.tsv", &mirrored(60_000));
    let said = "All 60,000 pairs of a and b ended 1-1: the setups decide these games";
    let many = home.ok("rate many.tsv");
    assert!(many.contains(said), "{many}");
    expect_in(&many, "±<1");
    let even = &rated(&home, "many.tsv")["even"];
    assert_eq!(
        even,
        &serde_json::json!([{ "a": "a", "b": "b", "pairs": 60_000 }])
    );
    for source in ["rate few.tsv", "rate many.tsv --independent"] {
        assert!(!home.ok(source).contains("ended 1-1"));
    }
}

#[test]
fn cells_of_csv_are_no_formulas() {
    let home = Workspace::new();
    home.write(
        "t.csv",
        "first,second,winner\n=1+1,-b,first\n-b,=1+1,first\n",
    );
    let csv = home.ok("rate t.csv --format csv");
    assert!(csv.contains("\n'=1+1,") && csv.contains("\n'-b,"), "{csv}");
}

#[test]
fn tables_of_the_report_are_read_back() {
    let home = Workspace::new();
    home.write("agents/-dash.toml", "type = \"random\"\n");
    let tournament = "name = \"t\"\nagents = [\"-dash\", \"greedy-inorder\"]\npairs = 2\n";
    home.write("tournaments/t.toml", tournament);
    home.ok("run tournaments/t.toml --quiet");
    let games = home.ok("export results/t --table games");
    assert!(games.contains(",'-dash,"), "{games}");
    home.write("games.csv", &games);
    home.ok("export results/t --output games.pgn");
    let both = rated(&home, "games.csv games.pgn");
    let names: Vec<&Value> = both["ratings"]
        .as_array()
        .expect("ratings")
        .iter()
        .map(|row| &row["agent"])
        .collect();
    assert_eq!(names, ["greedy-inorder", "-dash"]);
    assert_eq!((&both["games"], &both["paired"]), (&8.into(), &8.into()));
}

#[test]
fn what_powershell_writes_is_read_and_other_compression_named() {
    let home = Workspace::new();
    let text = "first,second,winner\r\na,b,first\r\nb,a,first\r\n";
    let units = std::iter::once(0xfeff).chain(text.encode_utf16());
    let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    std::fs::write(home.path("u16.csv"), bytes).expect("written");
    assert_eq!(rated(&home, "u16.csv")["games"], 2);
    std::fs::write(home.path("g.pgn.zst"), b"\x28\xb5\x2f\xfd....").expect("written");
    home.refuses(
        "rate g.pgn.zst",
        "g.pgn.zst: is compressed with zstd; only gzip is read. `zstdcat FILE` unpacks it",
    );
}

#[cfg(unix)]
#[test]
fn pipes_are_read_and_named_ones_refused() {
    let home = Workspace::new();
    home.write("games.csv", "first,second,winner\na,b,first\nb,a,first\n");
    let shell = |script: &str| {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", script, &binary()]);
        let output = command
            .current_dir(home.path(""))
            .output()
            .expect("started");
        (
            output.status.code(),
            text(&output.stdout),
            text(&output.stderr),
        )
    };
    let (code, told, said) = shell("cat games.csv | \"$0\" rate /dev/stdin");
    assert_eq!(code, Some(0), "{said}");
    assert!(told.contains("/dev/stdin: 2 games"), "{told}");
    // Nobody writes to this one.
    let (code, _, said) = shell("mkfifo pipe && \"$0\" rate pipe");
    assert_eq!(code, Some(2));
    expect_in(&said, "pipe: cannot be read: it is a named pipe");
}

#[test]
fn endless_and_huge_inputs_are_refused() {
    let home = Workspace::new();
    if cfg!(unix) {
        for arguments in ["rate /dev/zero", "verify /dev/zero", "run /dev/zero"] {
            home.refuses(arguments, "/dev/zero ... is a device");
        }
    }
    // 100 MB of zeros in 100 kB.
    let mut zeros = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for _ in 0..100 {
        std::io::Write::write_all(&mut zeros, &[0; 1_000_000]).expect("in memory");
    }
    std::fs::write(home.path("zeros.gz"), zeros.finish().expect("in memory")).expect("written");
    for command in ["rate", "verify"] {
        home.refuses(
            &[command, "zeros.gz"],
            "line 1 is longer than 4 MB, the limit for a line",
        );
    }
    let huge = format!("name = \"t\"\n# {}\n", "x".repeat(1_000_000));
    home.write("tournaments/huge.toml", &huge);
    home.write("agents/huge.toml", &huge);
    for arguments in ["run tournaments/huge.toml", "play huge random"] {
        home.refuses(
            arguments,
            "huge.toml: cannot be read: it is larger than 1 MB, the limit for a configuration file",
        );
    }
    home.write("book.tsv", &"#\n".repeat(50_000_001));
    home.refuses(
        "match random greedy-inorder --rings book.tsv",
        "it is larger than 100 MB, the limit for a ring book",
    );
}

/// A folder of results folders is a rating list: agents with the same name and other settings are told apart by their folder.
#[test]
fn a_folder_of_tournaments_is_a_rating_list() {
    let home = Workspace::new();
    let agent = |by: &str| {
        format!(
            "extends = \"mcts-fast-1\"\n[budget]\niterations = 2\n[search]\nexploration = {by}\n"
        )
    };
    home.write("agents/mine.toml", &agent("0.1"));
    home.ok("match mine random --pairs 4 --save monday -q");
    home.write("agents/mine.toml", &agent("0.5"));
    home.ok("match mine random --pairs 4 -q");
    home.ok("match greedy-inorder random --pairs 4 --save tuesday -q");
    let rate = |more: &str| home.json(&format!("rate results --prior always --format json {more}"));
    let elo = |list: &Value| -> BTreeMap<String, f64> {
        let rows = list["ratings"].as_array().expect("rows").iter();
        rows.map(|row| {
            let elo = row["elo"]["value"].as_f64().expect("a rating");
            (row["agent"].as_str().expect("a name").to_owned(), elo)
        })
        .collect()
    };
    let list = rate("");
    assert_eq!(list["games"], 24);
    let plain = elo(&list);
    assert_eq!(plain.len(), 4, "{plain:?}");
    assert!(
        plain.keys().any(|name| name.starts_with("mine (")),
        "{plain:?}"
    );
    // Several anchors fix the mean of their ratings, and no difference changes.
    let anchored = elo(&rate("--anchor random=900 --anchor greedy-inorder=1300"));
    let mean = (anchored["random"] + anchored["greedy-inorder"]) / 2.0;
    assert!((mean - 1100.0).abs() < 1e-6, "{anchored:?}");
    for name in plain.keys() {
        let moved = anchored[name] - plain[name] - (anchored["random"] - plain["random"]);
        assert!(moved.abs() < 1e-6, "{name}: {moved}");
    }
    let only = rate("--only greedy-* --only random");
    assert_eq!((&only["games"], elo(&only).len()), (&8.into(), 2));
    home.refuses("rate results --only champion*", "--only");
    assert_eq!(only["filtered"], json!({"agent": 16}));
    let not = rate("--not mine*");
    assert_eq!(
        (&not["games"], &not["filtered"]),
        (&8.into(), &json!({"agent": 16}))
    );
    home.refuses("rate results --not *", "--not");
    // Each filter says how many games it leaves out.
    let between = rate("--between greedy-*,random --between random,mine*");
    assert_eq!(between["games"], 24);
    let between = rate("--between random,greedy-*");
    assert_eq!(
        (&between["games"], &between["filtered"]),
        (&8.into(), &json!({"pairing": 16}))
    );
    for [wrong, sentence] in rows(
        "
        --between random => expected two names or patterns with a comma between them
        --between random,champion* => --between: no game is between two agents that match
    ",
    ) {
        home.refuses(&format!("rate results {wrong}"), sentence);
    }
    let matches = std::fs::read_dir(home.path("results/matches")).expect("a folder");
    let other = matches
        .map(|entry| entry.expect("readable").path())
        .next()
        .expect("a match");
    let other = other.display().to_string();
    // Folders that are named are told apart in the same way.
    let named = home.json(&["rate", "results/monday", &other, "--format", "json"]);
    let names: Vec<String> = elo(&named).into_keys().collect();
    let expected = ["mine (mine-random-1)", "mine (monday)", "random"];
    assert_eq!(names, expected);
}
