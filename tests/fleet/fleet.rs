//! A NATS server, and the processes of a fleet.

use std::fs;
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use patchwork_fleet::nats::{NatsFleet, NatsOptions};

use patchwork_test_support::program::{Workspace, signal, small, wait_until};

/// A server with a folder for its data, killed at the end.
pub(crate) struct Server {
    child: Option<Child>,
    pub(crate) port: u16,
    pub(crate) data: PathBuf,
    configuration: PathBuf,
}

/// The server program; `PATCHWORK_ARENA_NATS_SERVER` overrides it.
fn program() -> Option<String> {
    let other = std::env::var("PATCHWORK_ARENA_NATS_SERVER").ok();
    let known = ["nats-server", "/usr/sbin/nats-server"].map(str::to_owned);
    let works = |name: &String| {
        let version = Command::new(name).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    };
    let found = other.into_iter().chain(known).find(works);
    if found.is_none() {
        assert!(
            std::env::var("PATCHWORK_ARENA_NATS").as_deref() != Ok("required"),
            "nats-server is required"
        );
        eprintln!("skipped: nats-server is not installed");
    }
    found
}

/// The port in a file of ports, such as `{"nats":["nats://127.0.0.1:40679"]}`.
fn port_of(ports: &str) -> Option<u16> {
    let (_, port) = ports.split_once("127.0.0.1:")?;
    port.split_once('"')?.0.parse().ok()
}

/// A port at which no program listens.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

impl Server {
    pub(crate) fn start(home: &Workspace) -> Option<Self> {
        Self::configured(home, "")
    }

    /// A server with additional settings.
    pub(crate) fn configured(home: &Workspace, settings: &str) -> Option<Self> {
        home.write("nats.conf", settings);
        fs::create_dir(home.path("ports")).expect("created");
        let mut server = Self {
            child: None,
            port: 0,
            data: home.path("nats"),
            configuration: home.path("nats.conf"),
        };
        // The server chooses the port: one that was free a moment ago may belong to the server of another test.
        server.spawn("-1")?;
        wait_until("the server listens", || {
            let files = fs::read_dir(home.path("ports")).expect("readable");
            let ports = files.map(|file| fs::read_to_string(file.expect("readable").path()));
            server.port = ports.flatten().find_map(|text| port_of(&text)).unwrap_or(0);
            server.port > 0
        });
        Some(server)
    }

    fn spawn(&mut self, port: &str) -> Option<()> {
        let mut command = Command::new(program()?);
        command.args(["-a", "127.0.0.1", "-p", port, "-js"]);
        command.arg("--ports_file_dir");
        command.arg(self.data.with_file_name("ports"));
        command.arg("-c").arg(&self.configuration);
        command.arg("-sd").arg(&self.data);
        let log = fs::File::create(self.log()).expect("created");
        command.stdout(Stdio::null()).stderr(log);
        self.child = Some(command.spawn().expect("started"));
        Some(())
    }

    /// The file with what the server has written since its last start.
    fn log(&self) -> PathBuf {
        self.data.with_file_name("nats.log")
    }

    /// Starts the server again, on the same port.
    pub(crate) fn run(&mut self) {
        self.spawn(&self.port.to_string()).expect("it ran before");
        wait_until("the server listens", || {
            TcpStream::connect(("127.0.0.1", self.port)).is_ok()
        });
    }

    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("killed");
            child.wait().expect("gone");
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        signal(self.child.as_ref().expect("running"), name);
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(crate) fn options(&self) -> NatsOptions {
        NatsOptions {
            url: self.url(),
            fleet: "patchwork".to_owned(),
            ..NatsOptions::default()
        }
    }

    pub(crate) fn link(&self) -> NatsFleet {
        NatsFleet::connect(&self.options()).expect("a connection")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            let log = fs::read_to_string(self.log()).unwrap_or_default();
            eprintln!("the server: {log}");
        }
    }
}

/// What a program that has ended wrote.
fn said(pipe: Option<impl Read>) -> String {
    let mut text = String::new();
    let read = pipe.expect("piped").read_to_string(&mut text);
    read.expect("text");
    text
}

/// A program of the fleet, killed at the end.
pub(crate) struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let ended = self.0.try_wait();
        let _ = self.0.kill();
        let _ = self.0.wait();
        // A test may have waited in vain for a program that had ended.
        if std::thread::panicking()
            && let Some(stderr) = self.0.stderr.take()
        {
            eprintln!("program {}: {ended:?}: {}", self.0.id(), said(Some(stderr)));
        }
    }
}

impl Process {
    pub(crate) fn spawn(mut command: Command) -> Self {
        let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Self(piped.spawn().expect("started"))
    }

    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        signal(&self.0, name);
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.0.try_wait().expect("asked").is_some()
    }

    /// The exit code, the standard output and the standard error.
    pub(crate) fn end(mut self) -> (Option<i32>, String, String) {
        wait_until("it ends", || self.has_ended());
        let status = self.0.wait().expect("ended");
        let out = said(self.0.stdout.take());
        (status.code(), out, said(self.0.stderr.take()))
    }
}

/// A tournament `t`, its games by one machine, and a server.
pub(crate) struct Fleet {
    /// Dropped before `home`, whose folder has its log.
    pub(crate) server: Server,
    pub(crate) home: Workspace,
    pub(crate) expected: String,
}

impl Fleet {
    /// A tournament of this many pairs per pairing, 15 pairings.
    pub(crate) fn new(pairs: u32) -> Option<Self> {
        Self::of(&small("t", pairs), |_| ())
    }

    /// The tournament of a file, after a preparation of the workspace.
    pub(crate) fn of(file: &str, prepare: impl FnOnce(&Workspace)) -> Option<Self> {
        let home = Workspace::new();
        prepare(&home);
        let server = Server::start(&home)?;
        home.write("tournaments/t.toml", file);
        home.ok("run tournaments/t.toml --results once --quiet");
        let expected = home.export("once/t");
        Some(Self {
            server,
            home,
            expected,
        })
    }

    pub(crate) fn spawn(&self, arguments: &[&str]) -> Process {
        self.spawn_in("", arguments)
    }

    /// A program started in a folder of the workspace.
    pub(crate) fn spawn_in(&self, folder: &str, arguments: &[&str]) -> Process {
        let mut command = self.home.command(arguments);
        command.args(["--nats", &self.server.url()]);
        command.current_dir(self.home.path(folder));
        Process::spawn(command)
    }

    /// A collector that notices losses quickly.
    pub(crate) fn collector(&self) -> Process {
        self.collector_with("3")
    }

    /// A collector with another `--ack-wait`.
    pub(crate) fn collector_with(&self, wait: &str) -> Process {
        let start = ["fleet", "start", "tournaments/t.toml", "-q"];
        self.spawn(&[&start[..], &["--audit", "1", "--ack-wait", wait]].concat())
    }

    pub(crate) fn worker(&self, name: &str) -> Process {
        self.worker_with(name, &[])
    }

    pub(crate) fn worker_with(&self, name: &str, more: &[&str]) -> Process {
        let worker = ["fleet", "worker", "--threads", "1", "--quiet", "--name"];
        self.spawn(&[&worker[..], &[name], more].concat())
    }

    /// A worker that may start bots, run in the folder of the bots.
    pub(crate) fn worker_of_bots(&self, name: &str) -> Process {
        let worker = ["fleet", "worker", "--threads", "1", "-q", "--name", name];
        let worker = [&worker[..], &["--allow-external"]].concat();
        self.spawn_in("agents", &worker)
    }

    /// The stored games, one line each: the number, the worker, the attempt.
    pub(crate) fn deliveries(&self) -> Vec<String> {
        self.home.deliveries("results/t")
    }

    /// Waits until this many games are stored.
    pub(crate) fn wait_for_games(&self, games: usize) {
        wait_until(&format!("{games} games"), || {
            self.deliveries().len() >= games
        });
    }

    /// Checks that the collector ends with the same games as one machine. Returns its messages.
    pub(crate) fn is_complete(&self, collector: Process) -> String {
        let (code, out, err) = collector.end();
        assert_eq!(code, Some(0), "{err}");
        assert!(out.lines().any(|line| line.starts_with("t: ")), "{out}");
        let export = self.home.export("results/t");
        assert!(export == self.expected, "{err}");
        err
    }
}
