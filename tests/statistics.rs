//! `rate` as users run it, of results and of counts of pairs.

use std::fs;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use patchwork_test_support::program::{
    CommandLine, data, expect_in, program, refusal, success, text,
};

fn ok<'a>(line: impl CommandLine<'a>) -> String {
    let words = line.words();
    let output = program(&words).output().expect("started");
    assert_eq!(text(&output.stderr), "", "{words:?}");
    success(&words, &output)
}

fn refused<'a>(line: impl CommandLine<'a>) -> String {
    let words = line.words();
    let output = program(&words).output().expect("started");
    refusal(&words, &output).trim_end().to_owned()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&ok(arguments)).expect("JSON")
}

fn golden(file: &str) -> Value {
    let text = fs::read_to_string(data(file)).expect("readable");
    serde_json::from_str(&text).expect("JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn ratings_of_files_match_the_golden_numbers() {
    let golden = golden("ratings-golden.json");
    for name in ["ratings-games-1.tsv", "ratings-games-2.tsv"] {
        let file = data(name);
        let file = file.to_str().expect("a path");
        let rated = json(&["rate", file, "--independent", "--format", "json"]);
        let golden = &golden[name];
        let close = |ours: &Value, golden: &Value| {
            assert!((number(&ours["elo"]["value"]) - number(&golden["elo"])).abs() < 0.05);
            let error = number(&golden["standard_error"]);
            assert!((number(&ours["elo"]["se"]) / error - 1.0).abs() < 0.01);
        };
        let (ours, theirs) = (&rated["ratings"], &golden["ratings"]);
        let theirs = theirs.as_array().expect("rows");
        assert_eq!(ours.as_array().map(Vec::len), Some(theirs.len()));
        for (ours, theirs) in ours.as_array().expect("rows").iter().zip(theirs) {
            assert_eq!(ours["agent"], theirs["agent"]);
            close(ours, theirs);
        }
        close(&rated["first_player"], &golden["first_player_advantage"]);
        let clustered = json(&["rate", file, "--format", "json"]);
        let [clustered, ours] = [&clustered["ratings"][0]["elo"], &ours[0]["elo"]];
        assert_eq!(clustered["value"], ours["value"]);
        assert_ne!(clustered["se"], ours["se"]);
    }
}

#[test]
fn a_table_is_rated_the_same_however_it_comes() {
    let plain = fs::read_to_string(data("ratings-games-2.tsv")).expect("readable");
    let (header, rows) = plain.split_once('\n').expect("a header");
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        path.to_str().expect("a path").to_owned()
    };
    // Rows in another order, winners by name, compressed.
    let mut other: Vec<String> = rows
        .lines()
        .map(|row| {
            let fields: Vec<&str> = row.split('\t').collect();
            let winner = if fields[5] == "first" {
                fields[3]
            } else {
                fields[4]
            };
            format!("{}\t{winner}", fields[..5].join("\t"))
        })
        .collect();
    other.reverse();
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    let text = format!("{header}\n{}\n", other.join("\n"));
    packed
        .write_all(text.as_bytes())
        .expect("writing to a vector cannot fail");
    let plain = write("plain.tsv", plain.as_bytes());
    let packed = write("packed.tsv.gz", &packed.finish().expect("written"));
    for format in ["json", "csv"] {
        let of = |file: &str| ok(&["rate", file, "--format", format]);
        assert_eq!(of(&plain), of(&packed));
    }
}

#[test]
fn the_text_tells_scale_neighbours_and_warnings() {
    let file = data("ratings-games-1.tsv");
    let file = file.to_str().expect("a path");
    let text = ok(&["rate", file, "--full"]);
    for told in [
        "1,800 games",
        "The mean Elo is 0.",
        "Neighbours in rank",
        "chi-square",
        "First-player",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    let anchored = ok(&["rate", file, "--anchor", "delta=1500", "--independent"]);
    assert!(anchored.contains("Intervals are relative to delta."));
    assert!(anchored.contains("+1500 ") && anchored.contains("taken as independent"));
    let anchored = json(&["rate", file, "--anchor", "delta=1500", "--format", "json"]);
    let delta = &anchored["ratings"][3]["elo"];
    assert_eq!(
        (number(&delta["value"]), number(&delta["se"])),
        (1500.0, 0.0)
    );

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("perfect.tsv");
    let rows = (0..4).map(|pair| format!("p\t{pair}\t0\ta\tb\ta\np\t{pair}\t1\tb\ta\ta\n"));
    let rows: String = rows.collect();
    fs::write(
        &path,
        format!("pairing\tpair\tleg\tfirst\tsecond\twinner\n{rows}"),
    )
    .expect("written");
    let path = path.to_str().expect("a path");
    let text = ok(&["rate", path]);
    assert!(text.contains("a *") && text.contains("b *") && text.contains("Jeffreys' prior"));
    assert!(!text.contains("NaN") && !text.contains("inf"));
    let refusal = refused(&["rate", path, "--prior", "none"]);
    expect_in(
        &refusal,
        "perfect.tsv: the most likely ratings are not finite",
    );
    expect_in(&refusal, "won or lost every game: a, b");
    let always = json(&["rate", file, "--prior", "always", "--format", "json"]);
    assert_eq!(always["prior_used"], true);
}

#[test]
fn bad_tables_and_arguments_are_refused_in_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        let told = refused(&["rate", path.to_str().expect("a path")]);
        assert!(told.contains(&format!("{name}: ")), "{told}");
        told
    };
    let header = "pairing\tpair\tleg\tfirst\tsecond\twinner\n";
    assert!(bad("empty.tsv", b"").contains("is empty; expected a line of column names"));
    assert!(bad("none.tsv", header.as_bytes()).contains("holds no games"));
    assert!(bad("csv.tsv", b"a,b,c\n1,2,3\n").contains("no column is named first"));
    let third = format!("{header}p\t0\t2\ta\tb\ta\n");
    assert!(bad("third.tsv", third.as_bytes()).contains("line 2, column leg: '2'"));
    let winner = format!("{header}p\t0\t0\ta\tb\tc\n");
    assert!(bad("winner.tsv", winner.as_bytes()).contains("column winner: 'c' did not play"));
    assert!(bad("cut.tsv.gz", &[0x1f, 0x8b, 8, 0]).contains("cannot be read"));

    let file = data("ratings-games-1.tsv");
    let file = file.to_str().expect("a path");
    let anchored = |anchor: &str| refused(&["rate", file, "--anchor", anchor]);
    assert!(anchored("alhpa").contains("'alhpa' played none of the games; did you mean alpha?"));
    assert!(anchored("alpha=x").contains("'x' is not a rating; expected a number"));
    assert!(anchored("alpha=inf").contains("'inf' is not a rating"));
    assert!(refused("rate nowhere.tsv").contains("nowhere.tsv: "));
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).expect("a new folder");
    let empty = empty.to_str().expect("a path");
    assert!(refused(&["rate", empty]).contains("empty is not a results folder"));
}

#[test]
fn sequential_tests_match_the_golden_numbers() {
    let golden = golden("../../crates/rating/tests/data/sprt-golden.json");
    for case in golden["cases"].as_array().expect("cases") {
        let pairs: Vec<String> = case["pairs"]
            .as_array()
            .expect("counts")
            .iter()
            .map(Value::to_string)
            .collect();
        let hypotheses = format!("{},{}", case["elo0"], case["elo1"]);
        for model in ["logistic", "normalized"] {
            let told = json(&[
                "rate",
                "--pairs",
                &pairs.join(","),
                "--sprt",
                &hypotheses,
                "--model",
                model,
                "--format",
                "json",
            ]);
            let close = |ours: &str, theirs: &str, tolerance: f64| {
                let (ours, theirs) = (told.pointer(ours), number(&case[theirs]));
                let ours = number(ours.expect("a number"));
                assert!((ours - theirs).abs() < tolerance, "{ours} {theirs}");
            };
            close("/llr", &format!("llr_{model}"), 0.001);
            close("/los", "los", 0.0001);
            close("/elo/value", "elo", 0.001);
            assert!((number(&told["bounds"][1]) - 19f64.ln()).abs() < 1e-9);
            let decided = number(&told["llr"]) >= number(&told["bounds"][1]);
            assert_eq!(
                told["verdict"],
                if decided { "accept H1" } else { "continue" }
            );
        }
    }
}

#[test]
fn sequential_tests_in_words() {
    let text = ok("rate --pairs 40,0,90,0,70 --sprt 0,30");
    expect_in(
        &text,
        "accept H1: LLR (log likelihood ratio) +3.38 after 200 pairs, between −2.94 (accept H0) and +2.94 (accept H1)",
    );
    // A likelihood of superiority would be that of a fixed number of pairs.
    expect_in(
        &text,
        "Elo +42 (95%: ±37; corrected for the stopping of the test)",
    );
    assert!(!text.contains("LOS"), "{text}");
    let none = ok("rate --pairs 0,0,0,0,0 --sprt -5,0");
    expect_in(&none, "continue: LLR ... after 0 pairs, between");
    let alike = ok("rate --pairs 0,0,0,0,9 --sprt -5,0");
    assert!(
        alike.contains("all pairs ended alike") && !alike.contains("NaN"),
        "{alike}"
    );

    let of = |pairs: &str, elo0: &str, elo1: &str, more: &[&str]| {
        let hypotheses = format!("{elo0},{elo1}");
        let mut arguments = vec!["rate", "--pairs", pairs, "--sprt", &hypotheses];
        arguments.extend(more);
        refused(&arguments)
    };
    assert!(
        of("1,2,3", "0", "5", &[]).contains("'1,2,3' is not a list of pair counts; expected five")
    );
    assert!(of("-1,0,0,0,2", "0", "5", &[]).contains("is not a list of pair counts"));
    assert!(of("1,0,3,0,2", "5", "0", &[]).contains("expected elo0 to be the smaller one"));
    assert!(of("1,0,3,0,2", "nan", "5", &[]).contains("elo0 is NaN; expected a number"));
    assert!(of("1,0,3,0,2", "0", "5", &["--alpha", "1"]).contains("alpha is 1; expected a prob"));
    assert!(of("1,0,3,0,2", "0", "5", &["--model", "elo"]).contains("unknown Elo model 'elo'"));
}
