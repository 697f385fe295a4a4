//! The queue itself: how JetStream handles messages.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use patchwork_fleet::nats::NatsFleet;
use patchwork_fleet::{Delivered, FleetLink, PairKey};

use crate::fleet::Server;
use patchwork_test_support::program::{Workspace, wait_until};

const PAIR: PairKey = PairKey {
    pairing: 0,
    pair: 1,
};
const WAIT: Duration = Duration::from_secs(5);

fn publish(link: &NatsFleet, pair: PairKey) {
    let task = (pair, b"a pair".to_vec());
    link.publish_tasks(&[task]).expect("published");
}

/// The next task and its number of deliveries.
fn take(link: &NatsFleet) -> Delivered {
    let mut taken = None;
    wait_until("a task", || {
        taken = link.task(WAIT).ok().flatten();
        taken.is_some()
    });
    taken.expect("a task")
}

/// Renews a task for longer than its wait of 2 s, so that no other worker gets it. Returns `false` if the
/// machine was too busy to renew it in time; then nothing is known.
fn stays(link: &NatsFleet, task: &Delivered) -> bool {
    let (mut renewed, mut longest) = (Instant::now(), Duration::ZERO);
    task.receipt.renew().expect("renewed");
    for _ in 0..4 {
        sleep(Duration::from_millis(700));
        task.receipt.renew().expect("renewed");
        longest = longest.max(renewed.elapsed());
        renewed = Instant::now();
    }
    let other = link.task(Duration::from_millis(300)).expect("asked");
    let is_known = longest.max(renewed.elapsed()) < Duration::from_secs(2);
    assert!(other.is_none() || !is_known);
    is_known
}

#[test]
fn a_task_stays_with_a_worker_that_renews_it_and_is_delivered_again_otherwise() {
    let home = Workspace::new();
    let Some(server) = Server::start(&home) else {
        return;
    };
    let link = server.link();
    link.prepare(Duration::from_secs(2)).expect("prepared");
    publish(&link, PAIR);
    let first = take(&link);
    assert_eq!((first.deliveries, &first.body[..]), (1, &b"a pair"[..]));
    assert_eq!(link.wait(), Duration::from_secs(2));
    first.receipt.acknowledge().expect("acknowledged");
    wait_until("it is gone", || link.queued().expect("asked").is_empty());

    // An equal task is another one.
    publish(&link, PAIR);
    // Renewed in time, it stays; otherwise it is delivered again, as often as necessary.
    let mut second = take(&link);
    while !stays(&link, &second) {
        second = take(&link);
    }
    let mut deliveries = second.deliveries;
    for _ in 0..7 {
        let again = take(&link).deliveries;
        assert!(again > deliveries, "{again} after {deliveries}");
        deliveries = again;
    }
    // A withdrawn task is not delivered again.
    link.withdraw(PAIR).expect("withdrawn");
    assert!(link.queued().expect("asked").is_empty());
}

/// Takes and acknowledges this many tasks while `audit` runs repeatedly.
fn take_all(link: &NatsFleet, most: usize, audit: impl Fn()) {
    let done = AtomicBool::new(false);
    scope(|scope| {
        scope.spawn(|| {
            for _ in 0..most {
                take(link).receipt.acknowledge().expect("acknowledged");
            }
            done.store(true, Ordering::Relaxed);
        });
        wait_until("all tasks come", || {
            audit();
            sleep(Duration::from_millis(100));
            done.load(Ordering::Relaxed)
        });
    });
}

#[test]
fn a_withdrawn_pair_takes_no_other_with_it() {
    let home = Workspace::new();
    let Some(server) = Server::start(&home) else {
        return;
    };
    let link = server.link();
    link.prepare(Duration::from_secs(600)).expect("prepared");
    let pairs = (0..6).map(|pair| PairKey { pairing: 2, pair });
    for pair in pairs {
        publish(&link, pair);
    }
    let withdrawn = PairKey {
        pairing: 2,
        pair: 3,
    };
    publish(&link, withdrawn);
    link.withdraw(withdrawn).expect("withdrawn");
    assert_eq!(link.queued().expect("asked").len(), 5);
    take_all(&link, 5, || ());

    // After a purge of one subject, servers of version 2.9 deliver nothing from the others.
    for pair in (0..6).map(|pair| PairKey { pairing: 3, pair }) {
        publish(&link, pair);
    }
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("connected");
    let filter = "{\"filter\":\"patchwork.tasks.3.4\"}";
    write!(
        stream,
        "CONNECT {{\"verbose\":false}}\r\nSUB answer 1\r\n\
         PUB $JS.API.STREAM.PURGE.patchwork-tasks answer {}\r\n{filter}\r\n",
        filter.len()
    )
    .expect("sent");
    let mut lines = BufReader::new(stream)
        .lines()
        .map(|line| line.expect("read"));
    let purged = lines.find(|line| line.contains("\"purged\""));
    assert!(purged.is_some_and(|line| line.contains("\"purged\":1")));
    // The audit of the queue notices it.
    let audit = || drop(link.queued().expect("asked"));
    take_all(&link, 5, audit);
    wait_until("all are gone", || link.queued().expect("asked").is_empty());
}

#[test]
fn more_pairs_may_be_in_progress_than_a_server_allows_by_default() {
    let home = Workspace::new();
    let Some(server) = Server::start(&home) else {
        return;
    };
    let link = server.link();
    link.prepare(Duration::from_secs(600)).expect("prepared");
    // The default is 1,000 on newer servers and 20,000 on older ones.
    const PAIRS: u32 = 1500;
    let pair = |pair| (PairKey { pairing: 0, pair }, b"a pair".to_vec());
    let tasks: Vec<_> = (0..PAIRS).map(pair).collect();
    link.publish_tasks(&tasks).expect("published");
    assert_eq!(link.queued().expect("asked").len(), PAIRS as usize);
    for _ in 0..PAIRS {
        assert_eq!(take(&link).deliveries, 1);
    }
}
