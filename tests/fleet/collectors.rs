//! Collectors that are killed, at any moment and at the worst one, and a second collector.

use std::thread;
use std::time::Duration;

use patchwork_engine::search::Stop;
use patchwork_fleet::{CollectOptions, Collector, FleetLink, KeptMessage};

use crate::fleet::Fleet;
use patchwork_test_support::program::{expect_in, small, text, wait_until};

/// Goes on after a collector that was killed.
const AGAIN: [&str; 7] = [
    "fleet",
    "collect",
    "results/t",
    "-q",
    "--ack-wait=3",
    "--audit=1",
    "--take-over",
];

#[test]
fn a_server_that_stands_still_at_the_start_costs_time_only() {
    let Some(fleet) = Fleet::new(1) else { return };
    let link = fleet.server.link();
    fleet.server.signal("-STOP");
    thread::scope(|scope| {
        scope.spawn(|| {
            // Longer than the time limit of any answer.
            thread::sleep(Duration::from_secs(7));
            fleet.server.signal("-CONT");
        });
        let options = CollectOptions {
            name: "here".to_owned(),
            takes_over: false,
            window: None,
            wait: Duration::from_secs(3),
            audit: Duration::from_secs(1),
        };
        let claimed = Collector::claim(&link, &options, &Stop::new(), |_| ());
        assert!(claimed.is_ok(), "{:?}", claimed.err());
    });
}

#[test]
fn a_collector_that_is_killed_is_continued_and_a_second_one_is_refused() {
    let Some(fleet) = Fleet::new(3) else { return };
    // Without workers, nothing is completed.
    let first = fleet.collector();
    let link = fleet.server.link();
    let named = || link.kept(KeptMessage::Collector).ok().flatten();
    wait_until("it is the collector", || named().is_some());
    let name = text(&named().expect("a name"));
    let (process, folder) = name.split_once(" in ").expect("a process and a folder");
    assert!(process.contains(&format!("-{}-", first.id())), "{name}");
    assert_eq!(folder, fleet.home.path("results/t").display().to_string());
    fleet
        .home
        .write("tournaments/other.toml", &small("other", 1));
    let (code, _, err) = fleet
        .spawn(&["fleet", "start", "tournaments/other.toml", "-q"])
        .end();
    assert_eq!(code, Some(2), "{err}");
    let sentence = format!("the fleet has another collector: {name}; if it has died, --take-over");
    assert!(err.contains(&sentence), "{err}");
    // One that stands still keeps the lock of its folder, and goes on.
    wait_until("the folder is open", || {
        link.queued().is_ok_and(|queue| !queue.is_empty())
    });
    first.signal("-STOP");
    let (code, _, err) = fleet.spawn(&AGAIN).end();
    assert_eq!(code, Some(2), "{err}");
    expect_in(&err, "another process is writing to this folder");
    first.signal("-CONT");
    // Killed at any moment, including between storing and acknowledging.
    let _worker = fleet.worker("w");
    let mut collector = first;
    for games in [3, 9, 20] {
        fleet.wait_for_games(games);
        collector.signal("-KILL");
        drop(collector);
        collector = fleet.spawn(&AGAIN);
    }
    fleet.is_complete(collector);
}
