//! A program that is stopped for a while, as by Ctrl-Z, a debugger or a machine that is paused: nobody loses by it.

use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use patchwork_engine::util::rng::{below, stream};
use patchwork_test_support::bots::{script, write_bot};
use patchwork_test_support::program::{Workspace, expect_in, signal, text};

/// The limits of a bot, whose time runs out during a stop and not on a busy machine.
const LIMITS: &str = "budget = { milliseconds = 1000 }\n\
                      limits = { start_milliseconds = 600000, late_milliseconds = 4000 }";
/// How long the program is stopped.
const STOP: Duration = Duration::from_secs(6);

#[test]
fn nobody_loses_by_a_stop() {
    stops(1);
}

#[test]
#[ignore = "minutes"]
fn nobody_loses_by_a_hundred_stops_in_full() {
    stops(100);
}

/// Starts a run, and stops it at random moments for longer than anybody has time. Returns what it said.
fn interrupted(home: &Workspace, stops: u32) -> String {
    let mut run = home.command("run t.toml --threads 2");
    run.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut run = run.spawn().expect("started");
    let mut rng = stream(&[11]);
    home.wait_for_stored("results/t", 1, &mut run);
    for _ in 0..stops {
        sleep(Duration::from_millis(below(1500, &mut rng).into()));
        pause(&mut run);
    }
    let output = run.wait_with_output().expect("ended");
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    said
}

/// Stops a program for a while, if it still runs.
fn pause(child: &mut Child) {
    if child.try_wait().expect("asked").is_none() {
        signal(child, "-STOP");
        sleep(STOP);
        signal(child, "-CONT");
    }
}

fn stops(count: u32) {
    let home = Workspace::new();
    write_bot(&home, "bot", &script("", "sleep 0.02; echo legal"), LIMITS);
    // Its time for a whole game is used up by a stop.
    let clock = "type = \"mcts\"\nbudget = { milliseconds_per_game = 1500 }\n\
                 expansion.strategy = \"in-order/some/first\"\nrollout.strategy = \"in-order/some/first\"\n\
                 rollout.pick = \"greedy\"\n";
    home.write("agents/clock.toml", clock);
    let pairs = 2 + count;
    let plan = format!("name = 't'\nseed = 3\nagents = ['bot', 'clock']\npairs = {pairs}\n");
    home.write("t.toml", &plan);
    let said = interrupted(&home, count);
    let games = home.games("results/t");
    assert_eq!(games.len(), 2 * pairs as usize);
    for game in &games {
        assert_eq!(game["termination"], Value::Null, "{said}: {game}");
    }
    let ledger = home.ledger("results/t");
    let sums = "SELECT sum(interrupted), max(max(first_nanos, second_nanos)) / 1000000 FROM games";
    let (interrupted, longest) = ledger
        .query_row(sums, [], |row| row.try_into())
        .expect("numbers");
    let (interrupted, longest): (i64, i64) = (interrupted, longest);
    match interrupted {
        // A stop is in nobody's time.
        0 => assert!(
            i128::from(longest) < STOP.as_millis() as i128,
            "{longest} ms"
        ),
        _ => expect_in(&said, "did not run for a second or more"),
    }
}
