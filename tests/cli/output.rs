//! Where output goes.

use std::fs;
use std::process::{Command, Stdio};

use patchwork_test_support::program::{Workspace, binary, rows, small, text};

/// Links are followed, modes are kept, and anything but a plain file is not replaced.
#[cfg(unix)]
#[test]
fn exports_go_where_they_are_sent() {
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};

    let home = Workspace::new();
    home.save_match(1);
    let expected = home.export("results/m");
    let export = |to: &str| home.ok(&["export", "results/m", "--format", "jsonl", "-o", to]);
    home.write("target", "old");
    fs::set_permissions(home.path("target"), fs::Permissions::from_mode(0o600)).expect("set");
    symlink("target", home.path("link")).expect("linked");
    export("link");
    assert_eq!(home.text("target"), expected);
    assert!(
        fs::symlink_metadata(home.path("link"))
            .expect("there")
            .is_symlink()
    );
    let mode = fs::metadata(home.path("target"))
        .expect("there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    export("/dev/null");
    let null = fs::metadata("/dev/null").expect("there").file_type();
    assert!(null.is_char_device());
    home.refuses("export results/m --format jsonl -o agents", "agents");
}

/// `-` is the standard input where a file is read, and the standard output where a result is written.
#[cfg(unix)]
#[test]
fn a_hyphen_is_the_standard_input_or_output() {
    let home = Workspace::new();
    home.play_small("t", 1);
    home.write("games.jsonl", &home.export("results/t"));
    home.ok("export results/t -o games.tsv");
    let shell = |arguments: &str| {
        let script = format!("exec \"$0\" {arguments}");
        let mut command = Command::new("sh");
        command.args(["-c", &script, &binary()]);
        let output = command
            .current_dir(home.path(""))
            .output()
            .expect("started");
        assert!(
            output.status.success(),
            "{arguments}: {}",
            text(&output.stderr)
        );
        text(&output.stdout)
    };
    for (line, file) in [
        ("rate FILE --format csv", "games.jsonl"),
        ("verify FILE --format json", "games.tsv"),
        ("run FILE --dry-run -q --format json", "tournaments/t.toml"),
    ] {
        let of_file = home
            .ok(&line.replace("FILE", file))
            .replace(file, "/dev/stdin");
        assert_eq!(
            shell(&format!("{} < {file}", line.replace("FILE", "-"))),
            of_file
        );
    }
    let report = home.ok("report results/t --format csv");
    for output in ["-o -", "-o-", "--output -", "--output=-"] {
        let line = format!("report results/t --format csv {output}");
        assert_eq!(home.ok(&line), report, "{output}");
    }
    home.refuses(
        "run tournaments/t.toml --plan -",
        "-: expected the name of a file",
    );
    assert!(!home.path("-").exists());
}

/// Numbers that are copied from a table have its minus sign.
#[test]
fn a_printed_minus_sign_is_read() {
    let home = Workspace::new();
    home.save_match(2);
    let rate = |anchor| home.ok(&format!("rate results/m --format csv --anchor {anchor}"));
    assert_eq!(rate("random=\u{2212}200"), rate("random=-200"));
    let test = home.run("match random greedy-inorder --pairs 1 --no-save -q --sprt \u{2212}5,5");
    assert_eq!(test.status.code(), Some(3), "{}", text(&test.stderr));
    home.refuses(
        "export results/m\u{2212}1 --format tsv",
        "results/m\u{2212}1",
    );
}

/// A folder's name is never an address.
#[test]
fn a_folder_may_begin_like_an_address() {
    let home = Workspace::new();
    home.write("tournaments/t.toml", &small("t", 1));
    home.ok("run tournaments/t.toml --results file:x -q");
    home.ok("import file:x/t --into file:y/t");
    assert_eq!(home.export("file:y/t"), home.export("file:x/t"));
    home.ok("verify file:x/t --sample 1");
    assert!(home.path("file:x/t/games.db").exists());
}

/// A closed standard error is not a reason to panic.
#[cfg(unix)]
#[test]
fn a_closed_standard_error_is_no_reason_to_panic() {
    let home = Workspace::new();
    for (arguments, code) in [("run tournaments/small.toml", 0), ("report nowhere", 2)] {
        let script = format!("exec \"$0\" {arguments} 2>/dev/full >/dev/null");
        let status = Command::new("sh")
            .args(["-c", &script, &binary()])
            .current_dir(home.path(""))
            .status();
        assert_eq!(status.expect("started").code(), Some(code), "{arguments}");
    }
}

/// A reader that closes the pipe is not a reason to panic.
#[cfg(unix)]
#[test]
fn output_may_be_cut_short() {
    let home = Workspace::new();
    home.play_small("small", 2);
    let mut child = home
        .command("export results/small --format jsonl")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("ended");
    assert_eq!(text(&output.stderr), "");
    assert!(output.status.success());
}

/// Every command that prints numbers prints them as JSON, also into a file, and then nothing else.
#[test]
fn numbers_are_json_with_one_option() {
    let home = Workspace::new();
    home.save_match(2);
    home.ok("export results/m -o games.tsv");
    home.write(
        "plan.toml",
        "agent = \"greedy-regret\"\ngames = 2\nseed = 1\n",
    );
    let learn = [
        "learn selfplay plan.toml -o g.selfplay",
        "learn g.selfplay -o x.net --epochs 1",
    ];
    // The games of two pairs are there.
    home.play_small("small", 2);
    home.write("tournaments/small.toml", &small("small", 4));
    for [command, key, expected] in rows(
        "
        run tournaments/small.toml --dry-run => missing => 60
        run tournaments/small.toml --plan p.json => games => 120
        run tournaments/small.toml --shard 1/60 => games => 2
        match random greedy-inorder --pairs 1 --no-save => games => 2
        report results/m => games => 4
        import results/m --into results/n => stored => 4
        analyze --agent greedy-regret => search => null
        analyze replay results/m 1 => game => 1
        verify results/m => agree => 4
        verify results/m --sample 3 => agree => 3
        verify games.tsv => games => 4
        rate games.tsv => games => 4
        rate --pairs 1,2,3,4,5 --sprt 0,10 => =>
        play random greedy-inorder => =>
        paper characterize --games 1 => games => 1
        agents show random => =>
        bench perft 1 => =>
        ",
    ) {
        let told = home.json(&format!("{command} --format json"));
        let found = told[key].to_string();
        assert!(key.is_empty() || found == expected, "{command}: {told}");
        assert_eq!(home.ok(&format!("{command} -o told.json")), "", "{command}");
        let written = home.json_file("told.json");
        assert_eq!(written.is_object(), told.is_object(), "{command}");
    }
    for command in learn {
        let told = home.json(&format!("{command} --format json -q"));
        assert_eq!(told["games"], 2, "{told}");
    }
    let html = home.ok("report results/m --format html");
    assert!(html.starts_with("<!DOCTYPE html>"));
    home.refuses("play human random --format json", "--format");
}

/// `--quiet` leaves the result on the standard output and nothing on the standard error.
#[test]
fn quiet_commands_print_the_result_alone() {
    let home = Workspace::new();
    home.save_match(2);
    let part = "run tournaments/small.toml --shard 1/30 -q";
    home.ok(part);
    for command in [
        "run tournaments/small.toml",
        "match random greedy-inorder --pairs 1",
        "report results/small",
        "export results/m --format tsv",
        "import results/m --into results/n",
        "verify results/m",
        "rate results/m",
        "analyze --agent mcts-fast",
        "play random greedy-inorder",
        "paper packing --orders 1",
    ] {
        let output = home.run(&format!("{command} --quiet"));
        assert_eq!(text(&output.stderr), "", "{command:?}");
        let said = text(&output.stdout);
        assert!(
            !said.is_empty() && !said.contains("Page: "),
            "{command:?}: {said}"
        );
    }
}
