//! Fleets over a real NATS server on this machine: what may go wrong, goes wrong, and the export is that of one
//! machine. Without `nats-server`, these tests are skipped and say so.

#![cfg(unix)]

mod support;

use std::fs;
use std::io::Read as _;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use patchwork_arena::cluster::nats::{NatsFleet, NatsOptions};
use patchwork_arena::cluster::{CollectorLink, FleetTask, PairKey, WorkerLink};

use crate::support::program::{Desk, small, text};

/// A server with a folder for its data, killed at the end.
struct Server {
    child: Option<Child>,
    port: u16,
    data: PathBuf,
}

fn program() -> Option<&'static str> {
    let known = ["nats-server", "/usr/sbin/nats-server"];
    let works = |name: &&&str| {
        let version = Command::new(**name).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    };
    let found = known.iter().find(works).copied();
    if found.is_none() {
        assert!(
            std::env::var("PATCHWORK_ARENA_NATS").as_deref() != Ok("required"),
            "nats-server is required"
        );
        eprintln!("skipped: nats-server is not installed");
    }
    found
}

impl Server {
    fn start(desk: &Desk) -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0")
            .expect("a port")
            .local_addr();
        let mut server = Self {
            child: None,
            port: port.expect("an address").port(),
            data: desk.path("nats"),
        };
        server.run()?;
        Some(server)
    }

    fn run(&mut self) -> Option<()> {
        let child = Command::new(program()?)
            .args([
                "-a",
                "127.0.0.1",
                "-p",
                &self.port.to_string(),
                "-js",
                "-sd",
            ])
            .arg(&self.data)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.child = Some(child.expect("started"));
        let start = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(start.elapsed() < Duration::from_secs(20), "no server");
            sleep(Duration::from_millis(20));
        }
        Some(())
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("killed");
            child.wait().expect("gone");
        }
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn link(&self) -> NatsFleet {
        let options = NatsOptions {
            url: self.url(),
            fleet: "patchwork".to_owned(),
            ..NatsOptions::default()
        };
        NatsFleet::connect(&options).expect("a connection")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A program of the fleet, killed at the end.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Process {
    fn signal(&self, name: &str) {
        let kill = Command::new("kill")
            .args([name, &self.0.id().to_string()])
            .status();
        assert!(kill.expect("started").success());
    }

    /// The exit code, the standard output and the standard error.
    fn end(mut self) -> (Option<i32>, String, String) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.0.try_wait().expect("asked") {
                break status;
            }
            assert!(
                start.elapsed() < Duration::from_secs(240),
                "it does not end"
            );
            sleep(Duration::from_millis(50));
        };
        let (mut out, mut err) = (String::new(), String::new());
        self.0
            .stdout
            .take()
            .expect("piped")
            .read_to_string(&mut out)
            .expect("text");
        self.0
            .stderr
            .take()
            .expect("piped")
            .read_to_string(&mut err)
            .expect("text");
        (status.code(), out, err)
    }
}

/// A tournament, its games by one machine, and a server.
struct Fleet {
    desk: Desk,
    server: Server,
    expected: String,
}

impl Fleet {
    /// A tournament of this many pairs per pairing, 15 pairings.
    fn new(pairs: u32) -> Option<Self> {
        let desk = Desk::new();
        let server = Server::start(&desk)?;
        desk.write("tournaments/t.toml", &small("t", pairs));
        desk.ok(&["run", "tournaments/t.toml", "--results", "once", "--quiet"]);
        let expected = desk.ok(&["export", "once/t", "--format", "jsonl"]);
        Some(Self {
            desk,
            server,
            expected,
        })
    }

    fn spawn(&self, arguments: &[&str]) -> Process {
        let mut command = self.desk.command(&[&["cluster"], arguments].concat());
        command.args(["--nats", &self.server.url()]);
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        Process(child.expect("started"))
    }

    /// A collector that is quick to notice what is lost.
    fn collector(&self) -> Process {
        self.spawn(&[
            "start",
            "tournaments/t.toml",
            "--ack-wait",
            "3",
            "--audit",
            "1",
            "-q",
        ])
    }

    fn worker(&self, name: &str) -> Process {
        self.spawn(&["worker", "--threads", "1", "--quiet", "--name", name])
    }

    /// Waits until so many games are stored.
    fn wait_for_games(&self, games: usize) {
        let start = Instant::now();
        let beside = self.desk.path("results/t/deliveries.csv");
        while fs::read_to_string(&beside).map_or(0, |text| text.lines().count()) < games {
            assert!(
                start.elapsed() < Duration::from_secs(120),
                "no {games} games"
            );
            sleep(Duration::from_millis(20));
        }
    }

    /// The collector ends, and has what one machine has.
    fn is_complete(&self, collector: Process) -> String {
        let (code, out, err) = collector.end();
        assert_eq!(code, Some(0), "{err}");
        assert!(out.starts_with("t: "), "{out}");
        let export = self.desk.ok(&["export", "results/t", "--format", "jsonl"]);
        assert!(export == self.expected, "{err}");
        err
    }
}

#[test]
fn two_workers_play_what_one_machine_plays() {
    let Some(fleet) = Fleet::new(2) else { return };
    let workers = ["w1", "w2"].map(|name| fleet.worker(name));
    fleet.is_complete(fleet.collector());
    let beside = text(&fleet.desk.read("results/t/deliveries.csv"));
    assert_eq!(beside.lines().count(), 60);
    assert!(
        beside.contains(",w1,1\n") && beside.contains(",w2,1\n"),
        "{beside}"
    );
    // The workers wait for the next tournament, and end when they are asked to.
    for worker in workers {
        worker.signal("-INT");
        let (code, out, err) = worker.end();
        assert_eq!(code, Some(0), "{err}");
        assert!(out.contains(" games played, 0 failed"), "{out}");
    }
}

#[test]
fn killed_and_stopped_workers_cost_time_only() {
    let Some(fleet) = Fleet::new(4) else { return };
    let collector = fleet.collector();
    let killed = fleet.worker("killed");
    fleet.wait_for_games(5);
    killed.signal("-KILL");
    let stopped = fleet.worker("stopped");
    fleet.wait_for_games(12);
    stopped.signal("-STOP");
    let _worker = fleet.worker("w");
    // Longer than the wait; then it goes on, and publishes what another has played, too.
    sleep(Duration::from_secs(5));
    stopped.signal("-CONT");
    fleet.is_complete(collector);
}

#[test]
#[ignore = "fails: on a busy machine, no progress within 120 s after the server's restart"]
fn a_server_without_its_data_or_with_older_data_gets_the_rest_again() {
    let Some(mut fleet) = Fleet::new(4) else {
        return;
    };
    let collector = fleet.collector();
    let _worker = fleet.worker("w");
    fleet.wait_for_games(5);
    // A copy of a killed server's data, to fall back to.
    fleet.server.kill();
    let copy = fleet.desk.path("copy");
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
#[ignore = "fails: on a busy machine, the last collector does not end within 240 s"]
fn a_collector_that_is_killed_is_continued_and_a_second_one_is_refused() {
    let Some(fleet) = Fleet::new(3) else { return };
    let _worker = fleet.worker("w");
    // Killed at any moment, also between storing and acknowledging.
    for games in [3, 9, 20] {
        let collector = fleet.collector();
        fleet.wait_for_games(games);
        collector.signal("-KILL");
        drop(collector);
    }
    let collector = fleet.spawn(&[
        "collect",
        "results/t",
        "--ack-wait",
        "3",
        "--audit",
        "1",
        "-q",
    ]);
    fleet.wait_for_games(24);
    fleet
        .desk
        .write("tournaments/other.toml", &small("other", 1));
    let second = fleet.spawn(&["start", "tournaments/other.toml", "-q"]);
    let (code, _, err) = second.end();
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("another collector is active"), "{err}");
    fleet.is_complete(collector);
}

#[test]
fn garbage_on_every_subject_is_passed_over() {
    let Some(fleet) = Fleet::new(2) else { return };
    let collector = fleet.collector();
    let link = fleet.server.link();
    let start = Instant::now();
    while link.queued().map_or(0, |queue| queue.len()) < 30 {
        assert!(start.elapsed() < Duration::from_secs(60));
        sleep(Duration::from_millis(50));
    }
    for bytes in [&b""[..], b"{}\n", &[0xff; 1000], b"[1,2"] {
        link.publish_outcome(bytes).expect("published");
        link.tell(bytes);
        let nowhere = PairKey {
            pairing: 4_000_000_000,
            pair: bytes.len() as u32,
        };
        assert!(link.publish_task(nowhere, 1, bytes).expect("published"));
    }
    // A message that is too large is refused by the server.
    link.publish_outcome(&vec![0; 500_000])
        .expect_err("too large");
    let _worker = fleet.worker("w");
    let said = fleet.is_complete(collector);
    assert!(
        said.contains("There were 4 messages that were not understood"),
        "{said}"
    );
}

#[test]
fn what_the_server_remembers_is_published_under_another_attempt() {
    let desk = Desk::new();
    let Some(server) = Server::start(&desk) else {
        return;
    };
    let link = server.link();
    link.prepare(Duration::from_secs(2)).expect("prepared");
    let pair = PairKey {
        pairing: 0,
        pair: 1,
    };
    let body = b"a pair";
    assert!(link.publish_task(pair, 1, body).expect("published"));
    let wait = Duration::from_secs(5);
    let first = WorkerLink::task(&link, wait)
        .expect("asked")
        .expect("a task");
    assert_eq!((first.deliveries, &first.body[..]), (1, &body[..]));
    assert_eq!(WorkerLink::wait(&link), Duration::from_secs(2));
    // Acknowledged and gone, and still it is swallowed.
    first.receipt.acknowledge().expect("acknowledged");
    let start = Instant::now();
    while !link.queued().expect("asked").is_empty() {
        assert!(start.elapsed() < wait);
    }
    assert!(!link.publish_task(pair, 1, body).expect("published"));
    assert!(link.queued().expect("asked").is_empty());
    assert!(link.publish_task(pair, 2, body).expect("published"));

    // Renewed in time it stays with its worker; else it comes again, as often as it takes.
    let second = WorkerLink::task(&link, wait)
        .expect("asked")
        .expect("a task");
    for _ in 0..4 {
        sleep(Duration::from_millis(700));
        second.receipt.renew().expect("renewed");
    }
    let short = Duration::from_millis(300);
    assert!(WorkerLink::task(&link, short).expect("asked").is_none());
    for deliveries in 2..9 {
        let again = WorkerLink::task(&link, wait)
            .expect("asked")
            .expect("a task");
        assert_eq!(again.deliveries, deliveries);
    }
    // Withdrawn, it does not come again.
    link.withdraw(pair).expect("withdrawn");
    assert!(link.queued().expect("asked").is_empty());
}

#[test]
fn more_pairs_may_be_in_progress_than_a_server_allows_by_default() {
    let desk = Desk::new();
    let Some(server) = Server::start(&desk) else {
        return;
    };
    let link = server.link();
    link.prepare(Duration::from_secs(600)).expect("prepared");
    // The default is 1,000 on newer servers and 20,000 on older ones.
    const PAIRS: u32 = 1500;
    for pair in 0..PAIRS {
        let pair = PairKey { pairing: 0, pair };
        assert!(link.publish_task(pair, 1, b"a pair").expect("published"));
    }
    assert_eq!(link.queued().expect("asked").len(), PAIRS as usize);
    for _ in 0..PAIRS {
        let task = WorkerLink::task(&link, Duration::from_secs(5)).expect("asked");
        assert_eq!(task.expect("a task").deliveries, 1);
    }
}

#[test]
fn a_worker_of_another_version_ends_at_once() {
    let Some(fleet) = Fleet::new(1) else { return };
    let collector = fleet.collector();
    fleet
        .desk
        .ok(&["plan", "tournaments/t.toml", "--out", "t.json"]);
    let link = fleet.server.link();
    let start = Instant::now();
    let task = loop {
        assert!(start.elapsed() < Duration::from_secs(60));
        if let Ok(Some(task)) = WorkerLink::task(&link, Duration::from_secs(2)) {
            break FleetTask::decode(&task.body).expect("a task");
        }
    };
    // What a collector of another version would set.
    use std::io::Write as _;
    let plan = text(&fleet.desk.read("t.json")).replace(&task.play, "0123456789abcdef");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(plan.as_bytes()).expect("packed");
    let other = NatsFleet::connect(&NatsOptions {
        url: fleet.server.url(),
        fleet: "other".to_owned(),
        ..NatsOptions::default()
    });
    let other = other.expect("a connection");
    other.prepare(Duration::from_secs(3)).expect("prepared");
    other
        .set_plan(&packed.finish().expect("packed"))
        .expect("set");
    let (code, _, err) = fleet.spawn(&["worker", "--fleet", "other"]).end();
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("all machines need the same version"), "{err}");
    // The task that was taken above comes back when nobody renews it.
    let _worker = fleet.worker("w");
    fleet.is_complete(collector);
}

#[test]
fn a_server_that_is_not_there_gets_one_sentence() {
    let desk = Desk::new();
    let port = TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr();
    let url = format!("nats://127.0.0.1:{}", port.expect("an address").port());
    for command in [
        &["cluster", "worker", "--nats", &url][..],
        &["cluster", "start", "tournaments/small.toml", "--nats", &url],
    ] {
        let output = desk.run(command);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.starts_with(&format!("error: --nats: {url}: ")),
            "{said}"
        );
        assert!(!desk.path("results").exists());
    }
    let sentence = desk.refused(&[
        "cluster",
        "worker",
        "--nats",
        &url,
        "--creds",
        "missing.creds",
    ]);
    assert!(
        sentence.contains("missing.creds: cannot be read"),
        "{sentence}"
    );
    for bad in ["a.b", "", "a b"] {
        let sentence = desk.refused(&["cluster", "worker", "--nats", &url, "--fleet", bad]);
        assert!(sentence.contains("--fleet"), "{sentence}");
    }
}
