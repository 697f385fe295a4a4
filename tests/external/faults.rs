//! Every fault of a bot has a named outcome, does not stop the tournament, and leaves no process behind.

use std::process::{Child, Stdio};
use std::time::Instant;

use serde_json::Value;

use patchwork_test_support::bots::{expect_no_processes, processes, script, write_bot};
use patchwork_test_support::program::{LONG, Workspace, expect_in, rows, signal, text, wait_until};

/// Limits that make bots fail soon that decide late, or start late. The other faults have time.
const LATE_MOVE: &str = "limits = { start_milliseconds = 600000, move_milliseconds = 700 }";
const LATE_START: &str = "limits = { start_milliseconds = 700, move_milliseconds = 600000 }";

const CHILD: &str = "sleep 600 &";
/// A child that leaves the process group.
const DAEMON: &str = "setsid sleep 600 >/dev/null 2>&1 </dev/null &";

/// The name, the bot's start-up code, its decision code, and the name of the outcome.
const FAULTS: [(&str, &str, &str, &str); 18] = [
    ("illegal", "", "echo bestaction S:a1", "illegal-action"),
    ("covered", "", "echo bestaction 1:a1a1", "garbled-action"),
    (
        "garbled",
        "",
        "printf 'bestaction \\033[31m\\001\\377\\n'",
        "garbled-action",
    ),
    ("late", "", "sleep 600; echo bestaction A", "time"),
    ("partial", "", "printf 'bestaction '; sleep 600", "time"),
    ("silent", "", ":", "time"),
    ("stopped", "", "kill -STOP $$", "time"),
    ("asking", "", "while :; do echo legal; done", "time"),
    ("crash-at-start", "exit 3", "", "start-crash"),
    ("asleep-at-start", "sleep 600", "", "start-time"),
    (
        "other-version",
        "read x; echo patchworkok 2; sleep 600",
        "",
        "start-crash",
    ),
    ("crash", CHILD, "exit 3", "crash"),
    ("killed", "", "kill -9 $$", "crash"),
    ("flood", "", "yes | head -c 3000000; sleep 600", "flood"),
    (
        "endless-line",
        "",
        "head -c 3000000 /dev/zero | tr '\\0' x; sleep 600",
        "flood",
    ),
    ("endless-errors", "", "yes error >&2", "flood"),
    ("closed", DAEMON, "exec >&-; sleep 600", "closed-pipe"),
    ("forks", "", "(sleep 600; echo bestaction A) & wait", "time"),
];

/// Bots that misbehave but play.
const NUISANCES: [(&str, &str, &str); 5] = [
    ("children", CHILD, "echo legal"),
    ("daemons", DAEMON, "echo legal"),
    ("ignores-quit", "trap '' TERM INT HUP", "echo legal"),
    (
        "talkative",
        "echo hello; echo world >&2",
        "echo thinking; echo info depth 3; echo legal",
    ),
    ("carriage-returns", "", "printf 'legal\\r\\n'"),
];

#[test]
#[ignore = "many processes"]
fn what_a_bot_writes_before_it_fails_at_the_start_is_kept() {
    let home = Workspace::new();
    for (name, start, keys) in [
        ("crash", "echo no weights >&2; exit 3", ""),
        ("late", "echo no weights >&2; sleep 600", LATE_START),
        (
            "version",
            "echo no weights >&2; read x; echo patchworkok 2; sleep 600",
            "",
        ),
    ] {
        write_bot(&home, name, &script(start, ""), keys);
        home.ok(&format!(
            "match {name} random --pairs 1 --threads 1 -q --save {name}"
        ));
        let game = home.ok(&[
            "analyze",
            "replay",
            &format!("results/{name}"),
            "0",
            "--show",
        ]);
        assert!(game.contains("no weights"), "{name}: {game}");
    }
}

#[test]
#[ignore = "many processes"]
fn every_fault_has_a_named_outcome_and_leaves_no_process() {
    let home = Workspace::new();
    for (name, start, go, reason) in FAULTS {
        let keys = match reason {
            "time" => LATE_MOVE,
            "start-time" => LATE_START,
            _ => "",
        };
        write_bot(&home, name, &script(start, go), keys);
    }
    for (name, start, go) in NUISANCES {
        let quit = script(start, go).replace("quit) exit 0", "quit) sleep 600");
        let plain = script(start, go);
        let bot = if name == "ignores-quit" { quit } else { plain };
        write_bot(&home, name, &bot, "");
    }
    let names = FAULTS.iter().map(|fault| fault.0);
    let names: Vec<String> = names
        .chain(NUISANCES.iter().map(|bot| bot.0))
        .map(|name| format!("\"{name}\""))
        .collect();
    home.write(
        "tournaments/faults.toml",
        &format!(
            "name = \"faults\"\nformat = \"gauntlet\"\nchallengers = [\"random\"]\nagents = [{}]\npairs = 1\n",
            names.join(", ")
        ),
    );
    home.ok("run tournaments/faults.toml -q --threads 8");
    expect_no_processes(&home);

    let report = home.report("results/faults");
    assert_eq!(report["games"], 2 * (FAULTS.len() + NUISANCES.len()));
    let rows = report["terminations"].as_array().expect("a list");
    let found: Vec<(&str, &str, u64)> = rows
        .iter()
        .map(|row| {
            let word = |key: &str| row[key].as_str().expect("a word");
            (
                word("agent"),
                word("reason"),
                row["games"].as_u64().expect("a number"),
            )
        })
        .collect();
    let mut expected: Vec<(&str, &str, u64)> = FAULTS
        .iter()
        .map(|&(name, _, _, reason)| (name, reason, 2))
        .collect();
    let mut sorted = found.clone();
    sorted.sort_unstable();
    expected.sort_unstable();
    assert_eq!(sorted, expected);

    // Such games count as results, but not in the statistics of the game.
    let finished = 2 * NUISANCES.len() as u64;
    let lengths = report["lengths"].as_array().expect("a list");
    assert_eq!(
        lengths
            .iter()
            .filter(|bin| bin["agent"] == "")
            .map(|bin| bin["plies"].as_u64().unwrap())
            .sum::<u64>(),
        finished
    );
    let row = |name: &str| {
        let rows = report["ratings"].as_array().expect("a list");
        rows.iter()
            .find(|row| row["agent"] == name)
            .expect("an agent")
            .clone()
    };
    assert_eq!(
        (&row("crash")["games"], &row("crash")["wins"]),
        (&2.into(), &0.into())
    );
    assert_eq!(row("crash")["mean_margin"], Value::Null);
    assert!(row("children")["mean_margin"].is_number());

    // The games are legal up to their end, and state how they ended.
    let exported = home.ok("export results/faults --format pgn");
    assert_eq!(
        exported.matches("[Termination \"illegal action\"]").count(),
        2
    );
    home.write("faults.pgn", &exported);
    home.ok("verify faults.pgn");
    for leg in 0..2 {
        let game = format!("random|illegal/0/{leg}");
        let told = home.ok(&["analyze", "replay", "results/faults", &game, "--show"]);
        assert!(told.contains("lost by illegal action"), "{told}");
        expect_in(&told, "S:a1: no special patch waits to be placed");
    }
    let told = home.ok("analyze replay results/faults random|talkative/0/0 --show");
    assert!(told.contains("world"), "the error output is kept: {told}");
    let told = home.ok("analyze replay results/faults random|endless-errors/0/0 --show");
    assert!(
        told.contains("bytes before\n") && told.len() < 30_000,
        "{told}"
    );
    let told = home.ok("analyze replay results/faults random|garbled/0/0 --show");
    assert!(
        !told.contains('\u{1b}') && !told.contains('\u{1}'),
        "{told:?}"
    );
    let table = [
        "report",
        "results/faults",
        "--format",
        "csv",
        "--table",
        "terminations",
    ];
    let table = home.ok(&table);
    assert!(table.contains("closed,closed-pipe,2\n"), "{table}");
    let text = home.ok("report results/faults --full");
    expect_in(&text, "Games lost by a fault ... closed pipe");
}

/// A match in which the bots never decide, started when both have a child process.
#[cfg(target_os = "linux")]
fn sleeping_match(home: &Workspace) -> Child {
    for name in ["sleepy", "drowsy"] {
        write_bot(
            home,
            name,
            &script(&format!("{CHILD} {DAEMON}"), "sleep 600"),
            "",
        );
    }
    let mut command = home.command("match sleepy drowsy -q");
    let arena = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    // Not while they become that program: then they have no environment.
    wait_until("both bots sleep", || {
        let all = processes(home);
        let sleeping = all.iter().filter(|process| process.contains(": sleep 600"));
        sleeping.count() >= 5
    });
    arena.expect("started")
}

#[cfg(target_os = "linux")]
#[test]
fn no_process_remains_when_the_arena_is_killed() {
    let home = Workspace::new();
    let mut arena = sleeping_match(&home);
    arena.kill().expect("killed");
    let _ = arena.wait();
    expect_no_processes(&home);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_arena_ends_soon_and_leaves_no_process() {
    let home = Workspace::new();
    let arena = sleeping_match(&home);
    let start = Instant::now();
    signal(&arena, "-INT");
    let output = arena.wait_with_output().expect("ended");
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(start.elapsed() < LONG, "it waits for its bots");
    expect_no_processes(&home);
}

#[test]
fn a_bot_may_be_tried_again_or_stop_the_tournament() {
    let home = Workspace::new();
    // Its first decision fails unless it has failed before.
    let once = "if [ -e failed ]; then echo legal; else : > failed; exit 1; fi";
    write_bot(&home, "once", &script("", once), "on_fault = 'retry'");
    home.ok("match once random --pairs 1 -q --save once --threads 1");
    assert_eq!(
        home.report("results/once")["terminations"],
        Value::Array(Vec::new())
    );

    write_bot(
        &home,
        "always",
        &script("", "exit 1"),
        "on_fault = 'retry'\nretries = 3",
    );
    home.ok("match always random --pairs 1 -q --save always");
    assert_eq!(home.report("results/always")["terminations"][0]["games"], 2);

    write_bot(
        &home,
        "stops",
        &script("", "exit 1"),
        "on_fault = 'stop'\nstop_after = 3",
    );
    let arguments = "match stops random --pairs 9 -q --save stops --threads 1";
    let refused = home.refused(arguments);
    let expected = "stops has lost 3 games by faults, the last one by crash: stopped because of its key stop_after";
    assert!(refused.contains(expected), "{refused}");
    assert_eq!(home.report("results/stops")["games"], 3);
    expect_no_processes(&home);
}

#[test]
fn a_restart_for_every_game_and_an_environment_are_kept() {
    let home = Workspace::new();
    let start = "echo $NAME >> starts";
    for (name, restart, expected) in [("kept", "after-fault", 1), ("fresh", "every-game", 4)] {
        let keys =
            format!("environment.NAME = '{name}'\nrestart = '{restart}'\nfolder = '../{name}'");
        std::fs::create_dir(home.path(name)).expect("created");
        let file = format!(
            "command = ['{}']",
            home.path(&format!("agents/{name}.sh")).display()
        );
        write_bot(&home, name, &script(start, "echo legal"), &keys);
        let text = home.text(&format!("agents/{name}.toml"));
        let text = text.replace(&format!("command = ['./{name}.sh']"), &file);
        home.write(&format!("agents/{name}.toml"), &text);
        home.ok(&format!("match {name} random --pairs 2 -q --threads 1"));
        let starts = home.text(&format!("{name}/starts"));
        assert_eq!(starts, format!("{name}\n").repeat(expected));
    }
}

#[test]
fn limits_of_resources_are_set() {
    let home = Workspace::new();
    let limits =
        "[limits]\nmemory_megabytes = 512\nopen_files = 32\nfile_megabytes = 1\ncpu_seconds = 20";
    let start = "{ ulimit -v; ulimit -n; ulimit -f; ulimit -t; } > limits";
    write_bot(&home, "limited", &script(start, "echo legal"), limits);
    home.ok("match limited random --pairs 1 -q");
    let told = home.text("agents/limits");
    assert_eq!(told, "524288\n32\n2048\n20\n");
    // Exceeding the file size limit ends the program.
    let writes = "head -c 3000000 /dev/zero > large || exit 9";
    write_bot(&home, "writes", &script("", writes), limits);
    home.ok("match writes random --pairs 1 -q --save writes");
    assert_eq!(
        home.report("results/writes")["terminations"][0]["reason"],
        "crash"
    );
}

#[test]
fn mistakes_in_agent_files_get_a_sentence() {
    let home = Workspace::new();
    let option = "echo option name Threads type integer default 1 min 1 max 64";
    let declares =
        script("", "echo legal").replace("patchwork) ", &format!("patchwork) {option}; "));
    write_bot(&home, "bot", &declares, "");
    std::fs::write(home.path("agents/plain.txt"), "no program").expect("written");
    for [keys, expected] in rows(
        r#"
        => missing key `command`
        command = [] => command: expected a program and its arguments
        command = ['no-such-program'] => command: there is no program 'no-such-program' in PATH
        command = ['./no-such-file'] => command: there is no file agents/no-such-file
        command = ['./plain.txt'] => command: agents/plain.txt is not executable
        command = ['./bot.sh']\nfolder = 'nowhere' => folder: there is no folder agents/nowhere
        command = ['./bot.sh']\nretries = 2 => retries: requires on_fault = "retry"
        command = ['./bot.sh']\nstop_after = 2 => stop_after: requires on_fault = "stop"
        command = ['./bot.sh']\nrestart = 'never' => restart: unknown value "never"
        command = ['./bot.sh']\nlimits.memory_megabytes = 1 => limits.memory_megabytes: expected a number from 16
        command = ['./bot.sh']\nlimits.speed = 1 => limits: unknown key `speed`
        command = ['./bot.sh']\nbudget.hours = 1 => budget: unknown key `hours`
        command = ['./bot.sh']\nenvironment.'a=b' = 'c' => environment: 'a=b' is not the name of a variable
        command = ['./bot.sh']\nenvironment.A = "x\u0000y" => environment.A: expected a value without NUL characters
        command = ['./bot.sh']\noptions.Thread = 1 => wrong: options.Thread: the bot declares 1 option, but not this one; did you mean Threads?
        command = ['./bot.sh']\noptions.Threads = 65 => wrong: options.Threads: expected a whole number from 1 to 64, found 65
    "#,
    ) {
        home.write("agents/wrong.toml", &format!("type = 'external'\n{keys}\n"));
        home.refuses("match wrong random --pairs 1 --save wrong", expected);
        assert!(!home.path("results").exists());
    }
    write_bot(&home, "bot", &declares, "options.Threads = 64");
    home.ok("match bot random --pairs 1 -q");
}
