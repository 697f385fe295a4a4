//! Collectors that are killed, at any moment and at the worst one, and a second collector.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use patchwork_engine::search::Stop;
use patchwork_fleet::nats::NatsFleet;
use patchwork_fleet::{
    CollectOptions, Collector, CollectorLink, Delivered, FleetError, LEASE, PairKey, Receipt,
    Revision, collect,
};
use patchwork_tournament::{PlanFile, Results};

use crate::fleet::Fleet;
use crate::support::program::{small, text, wait_until};

const AGAIN: [&str; 8] = [
    "fleet",
    "collect",
    "results/t",
    "-q",
    "--ack-wait",
    "3",
    "--audit",
    "1",
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
            window: None,
            wait: Duration::from_secs(3),
            audit: Duration::from_secs(1),
            lease: LEASE,
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
    // The lease contains the name of its owner.
    let link = fleet.server.link();
    let owner = format!("-{}-", first.id());
    wait_until("it is the collector", || {
        let lease = link.lease().map(|(_, lease)| lease).unwrap_or_default();
        text(&lease).contains(&owner)
    });
    fleet
        .home
        .write("tournaments/other.toml", &small("other", 1));
    // However busy the machine is, the first collector is heard of within this time.
    let patient = ["--lease", "600"];
    let start = ["fleet", "start", "tournaments/other.toml", "-q"];
    let second = fleet.spawn(&[&start[..], &patient].concat());
    let (code, _, err) = second.end();
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("another collector is active"), "{err}");
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

/// A link whose owner dies just before it acknowledges an outcome.
struct DyingLink(NatsFleet);

struct DyingReceipt;

impl Receipt for DyingReceipt {
    fn renew(&self) -> Result<(), FleetError> {
        Ok(())
    }

    fn acknowledge(&self) -> Result<(), FleetError> {
        panic!("dies between storing and acknowledging")
    }
}

impl CollectorLink for DyingLink {
    fn prepare(&self, wait: Duration) -> Result<(), FleetError> {
        self.0.prepare(wait)
    }

    fn lease(&self) -> Result<(Revision, Vec<u8>), FleetError> {
        self.0.lease()
    }

    fn replace_lease(&self, from: Revision, lease: &[u8]) -> Result<Option<Revision>, FleetError> {
        self.0.replace_lease(from, lease)
    }

    fn plan_there(&self) -> Result<Option<Vec<u8>>, FleetError> {
        self.0.plan_there()
    }

    fn set_plan(&self, plan: &[u8]) -> Result<(), FleetError> {
        self.0.set_plan(plan)
    }

    fn clear(&self) -> Result<(), FleetError> {
        self.0.clear()
    }

    fn publish_tasks(&self, tasks: &[(PairKey, u32, Vec<u8>)]) -> Result<Vec<bool>, FleetError> {
        self.0.publish_tasks(tasks)
    }

    fn queued(&self) -> Result<HashSet<PairKey>, FleetError> {
        self.0.queued()
    }

    fn withdraw(&self, pair: PairKey) -> Result<(), FleetError> {
        self.0.withdraw(pair)
    }

    fn outcomes(&self, most: usize, wait: Duration) -> Result<Vec<Delivered>, FleetError> {
        let mut taken = self.0.outcomes(most, wait)?;
        for delivered in &mut taken {
            delivered.receipt = Arc::new(DyingReceipt);
        }
        Ok(taken)
    }

    fn statuses(&self) -> Vec<Vec<u8>> {
        self.0.statuses()
    }
}

#[test]
fn what_was_stored_and_not_acknowledged_counts_once() {
    let Some(fleet) = Fleet::new(1) else { return };
    fleet
        .home
        .ok(&["run", "tournaments/t.toml", "--plan", "t.json"]);
    let plan = PlanFile::from_json(Path::new("t.json"), &fleet.home.read("t.json"));
    let manifest = plan.expect("a plan").manifest;
    let _worker = fleet.worker("w");
    let options = CollectOptions {
        name: "dying".to_owned(),
        window: Some(100),
        wait: Duration::from_secs(3),
        audit: Duration::from_secs(1),
        lease: LEASE,
    };
    let died = catch_unwind(AssertUnwindSafe(|| {
        let dir = fleet.home.path("results/t");
        let mut intake = Results::open(&dir, &manifest).expect("opened");
        let link = DyingLink(fleet.server.link());
        collect(&link, &mut intake, &options, &Stop::new(), |_, _| ()).map(|_| ())
    }));
    died.expect_err("dead");
    assert_eq!(fleet.deliveries().len(), 2);
    // All pairs are played before the next collector starts, and the first outcome arrives again.
    let link = fleet.server.link();
    wait_until("all pairs are played", || {
        link.queued().is_ok_and(|queue| queue.is_empty())
    });
    fleet.is_complete(fleet.spawn(&AGAIN));
    assert_eq!(fleet.deliveries().len(), 30);
}
