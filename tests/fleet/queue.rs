//! The queue itself: how JetStream handles messages.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use patchwork_fleet::nats::NatsFleet;
use patchwork_fleet::{CollectorLink, Delivered, PairKey, WorkerLink};

use crate::fleet::Server;
use crate::support::program::{Workspace, wait_until};

const PAIR: PairKey = PairKey {
    pairing: 0,
    pair: 1,
};
const WAIT: Duration = Duration::from_secs(5);

/// Publishes an attempt; returns whether the server has accepted it.
fn publish(link: &NatsFleet, pair: PairKey, attempt: u32) -> bool {
    let task = (pair, attempt, b"a pair".to_vec());
    link.publish_tasks(&[task]).expect("published")[0]
}

/// The next task and its number of deliveries.
fn take(link: &NatsFleet) -> Delivered {
    let mut taken = None;
    wait_until("a task", || {
        taken = WorkerLink::task(link, WAIT).ok().flatten();
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
    let other = WorkerLink::task(link, Duration::from_millis(300)).expect("asked");
    let is_known = longest.max(renewed.elapsed()) < Duration::from_secs(2);
    assert!(other.is_none() || !is_known);
    is_known
}

#[test]
fn what_the_server_remembers_is_published_under_another_attempt() {
    let home = Workspace::new();
    let Some(server) = Server::start(&home) else {
        return;
    };
    let link = server.link();
    link.prepare(Duration::from_secs(2)).expect("prepared");
    assert!(publish(&link, PAIR, 1));
    let first = take(&link);
    assert_eq!((first.deliveries, &first.body[..]), (1, &b"a pair"[..]));
    assert_eq!(WorkerLink::wait(&link), Duration::from_secs(2));
    // The task is acknowledged and gone, but a duplicate is still ignored.
    first.receipt.acknowledge().expect("acknowledged");
    wait_until("it is gone", || link.queued().expect("asked").is_empty());
    assert!(!publish(&link, PAIR, 1));
    assert!(link.queued().expect("asked").is_empty());
    assert!(publish(&link, PAIR, 2));

    // A task renewed in time stays with its worker; otherwise it is delivered again, as often as necessary.
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

#[test]
fn whatever_the_server_remembers_after_a_restart_or_a_purge_the_pair_gets_through() {
    let home = Workspace::new();
    let Some(mut server) = Server::start(&home) else {
        return;
    };
    let link = server.link();
    link.prepare(Duration::from_secs(600)).expect("prepared");
    let again = || {
        let is_taken = |attempt: &u32| publish(&link, PAIR, *attempt);
        (1..).find(is_taken).expect("an attempt")
    };
    assert_eq!(again(), 1);
    link.clear().expect("cleared");
    assert!(again() <= 2);
    assert_eq!(link.queued().expect("asked").len(), 1);
    server.kill();
    server.run();
    wait_until("the server answers", || link.prepare(WAIT).is_ok());
    assert!(again() <= 3);
    take(&link).receipt.acknowledge().expect("acknowledged");
    link.withdraw(PAIR).expect("withdrawn");
    assert!(link.queued().expect("asked").is_empty());
    assert!(again() <= 4);
    assert_eq!(take(&link).body, b"a pair");
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
        assert!(publish(&link, pair, 1));
    }
    let withdrawn = PairKey {
        pairing: 2,
        pair: 3,
    };
    assert!(publish(&link, withdrawn, 2));
    link.withdraw(withdrawn).expect("withdrawn");
    assert_eq!(link.queued().expect("asked").len(), 5);
    take_all(&link, 5, || ());

    // After a purge of one subject, servers of version 2.9 deliver nothing from the others.
    for pair in (0..6).map(|pair| PairKey { pairing: 3, pair }) {
        assert!(publish(&link, pair, 1));
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
    let pair = |pair| (PairKey { pairing: 0, pair }, 1, b"a pair".to_vec());
    let tasks: Vec<_> = (0..PAIRS).map(pair).collect();
    let are_new = link.publish_tasks(&tasks).expect("published");
    assert_eq!(are_new, vec![true; PAIRS as usize]);
    assert_eq!(link.queued().expect("asked").len(), PAIRS as usize);
    for _ in 0..PAIRS {
        assert_eq!(take(&link).deliveries, 1);
    }
}
