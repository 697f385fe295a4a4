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
