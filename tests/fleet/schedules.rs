//! Random schedules of collectors, workers and servers that die, stand still, start again and lose their data.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use patchwork_engine::util::rng::{below, stream};

use crate::fleet::Fleet;
use patchwork_test_support::program::wait_until;

/// Short times, so that a schedule has room for many changes.
const COLLECT: [&str; 8] = [
    "fleet",
    "collect",
    "results/t",
    "--quiet",
    "--ack-wait=3",
    "--audit=1",
    "--take-over",
    "--window=16",
];

/// Plays a tournament under a random schedule, then in peace, and compares its games with those of one machine.
fn plays_out(seed: u64) {
    let Some(mut fleet) = Fleet::new(6) else {
        return;
    };
    let mut rng = stream(&[seed]);
    let first = fleet.spawn(&[
        "fleet",
        "start",
        "tournaments/t.toml",
        "-q",
        "--ack-wait=3",
        "--audit=1",
    ]);
    wait_until("the folder exists", || {
        fleet.home.ledger_path("results/t").exists()
    });
    let mut collectors = vec![first];
    let mut workers = vec![fleet.worker("w0")];
    let mut history = Vec::new();
    for number in 1..=8 {
        sleep(Duration::from_millis(below(1500, &mut rng).into()));
        let event = below(8, &mut rng);
        history.push(event);
        match event {
            // A collector dies, or ends.
            0 | 1 => {
                if let Some(gone) = collectors.pop() {
                    gone.signal(if event == 0 { "-KILL" } else { "-INT" });
                    drop(gone);
                }
            }
            2 => workers.truncate(workers.len() / 2),
            // The server is restarted, with its data or without.
            3 | 4 => {
                fleet.server.kill();
                if event == 4 {
                    fs::remove_dir_all(&fleet.server.data).expect("removed");
                }
                sleep(Duration::from_millis(below(1000, &mut rng).into()));
                fleet.server.run();
            }
            // The server, or a collector, stands still.
            5 => {
                fleet.server.signal("-STOP");
                sleep(Duration::from_millis(below(7000, &mut rng).into()));
                fleet.server.signal("-CONT");
            }
            6 => {
                if let Some(collector) = collectors.last_mut()
                    && !collector.has_ended()
                {
                    collector.signal("-STOP");
                    sleep(Duration::from_millis(below(5000, &mut rng).into()));
                    collector.signal("-CONT");
                }
            }
            _ => workers.push(fleet.worker(&format!("w{number}"))),
        }
        collectors.retain_mut(|collector| !collector.has_ended());
        if collectors.is_empty() {
            collectors.push(fleet.spawn(&COLLECT));
        }
    }
    workers.push(fleet.worker("last"));
    let last = collectors.pop().expect("one collects");
    let (code, _, err) = last.end();
    assert_eq!(code, Some(0), "schedule {seed}, {history:?}: {err}");
    let export = fleet.home.export("results/t");
    assert!(
        export == fleet.expected,
        "schedule {seed}, {history:?}: {err}"
    );
}

/// Two schedules, or those with the seeds `A..B` that the variable `PATCHWORK_ARENA_SCHEDULES` names.
#[test]
fn random_schedules_lose_and_double_nothing() {
    let seeds = std::env::var("PATCHWORK_ARENA_SCHEDULES").unwrap_or_else(|_| "0..2".to_owned());
    let (first, end) = seeds.split_once("..").expect("two seeds, such as 0..200");
    let [first, end] = [first, end].map(|seed| seed.parse().expect("a seed"));
    for seed in first..end {
        plays_out(seed);
        println!("schedule {seed} is played out");
    }
}
