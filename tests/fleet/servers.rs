//! Servers that are restarted, lose or roll back their data, hang, or carry garbage.

use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, sleep};
use std::time::Duration;

use patchwork_fleet::nats::{NatsFleet, NatsOptions};
use patchwork_fleet::{FleetLink, KeptMessage, PairKey};

use crate::fleet::{Fleet, Server};
use patchwork_test_support::program::{Workspace, expect_in, wait_until};

#[test]
fn a_server_without_its_data_or_with_older_data_gets_the_rest_again() {
    let Some(mut fleet) = Fleet::new(4) else {
        return;
    };
    let collector = fleet.collector();
    let _worker = fleet.worker("w");
    fleet.wait_for_games(5);
    // A copy of a killed server's data, to be restored later.
    fleet.server.kill();
    let copy = fleet.home.path("copy");
    let copied = Command::new("cp")
        .arg("-r")
        .arg(&fleet.server.data)
        .arg(&copy)
        .status();
    assert!(copied.expect("started").success());
    fleet.server.run();
    fleet.wait_for_games(20);
    fleet.server.kill();
    fs::remove_dir_all(&fleet.server.data).expect("removed");
    fleet.server.run();
    fleet.wait_for_games(45);
    fleet.server.kill();
    fs::remove_dir_all(&fleet.server.data).expect("removed");
    fs::rename(&copy, &fleet.server.data).expect("renamed");
    fleet.server.run();
    fleet.is_complete(collector);
}

#[test]
fn a_worker_may_ask_for_the_plan_while_the_streams_are_created() {
    let home = Workspace::new();
    let Some(server) = Server::start(&home) else {
        return;
    };
    let link = |fleet: u32| {
        let fleet = format!("fleet-{fleet}");
        NatsFleet::connect(&NatsOptions {
            fleet,
            ..server.options()
        })
        .expect("a connection")
    };
    for fleet in 0..12 {
        let (collector, worker) = (link(fleet), link(fleet));
        let is_ready = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_ready.load(Ordering::Relaxed) {
                    // Where there is no stream yet, this is an error.
                    let _ = worker.kept(KeptMessage::Plan);
                }
            });
            let prepared = collector.prepare(Duration::from_secs(3));
            is_ready.store(true, Ordering::Relaxed);
            prepared.expect("the server still runs");
        });
        assert!(matches!(worker.kept(KeptMessage::Plan), Ok(None)));
    }
}

#[test]
fn a_server_that_stands_still_costs_time_only() {
    let Some(fleet) = Fleet::new(3) else { return };
    let collector = fleet.collector();
    let _worker = fleet.worker("w");
    fleet.wait_for_games(5);
    fleet.server.signal("-STOP");
    // Longer than the time limit of any answer, and than the wait for acknowledgement.
    sleep(Duration::from_secs(8));
    fleet.server.signal("-CONT");
    fleet.is_complete(collector);
}

#[test]
fn garbage_on_every_subject_is_passed_over() {
    let Some(fleet) = Fleet::new(2) else { return };
    let collector = fleet.collector();
    let link = fleet.server.link();
    wait_until("all pairs are queued", || {
        link.queued().map_or(0, |queue| queue.len()) >= 30
    });
    for bytes in [&b""[..], b"{}\n", &[0xff; 1000], b"[1,2"] {
        link.publish_outcome(bytes).expect("published");
        let nowhere = PairKey {
            pairing: 4_000_000_000,
            pair: bytes.len() as u32,
        };
        let garbage = [(nowhere, bytes.to_vec())];
        link.publish_tasks(&garbage).expect("published");
    }
    // The server refuses a message that is too large.
    link.publish_outcome(&vec![0; 500_000])
        .expect_err("too large");
    let _worker = fleet.worker("w");
    let said = fleet.is_complete(collector);
    expect_in(&said, "Not understood or not of this plan: 4 messages.");
}
