//! Time and memory of the reports of a long tournament.
//!
//! `cargo bench --bench report [GAMES]` plays 100,000 random games, or the given number, into a results
//! folder, with the thoughts of a searching agent at every ply, and runs the binary on it in every report
//! format.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use patchwork_engine::agent::RandomSettings;
use patchwork_engine::game::Track;
use patchwork_engine::record::{Entry, Thought, TreeFacts};
use patchwork_engine::search::Stop;
use patchwork_tournament::ledger::{GAMES, Store};
use patchwork_tournament::{
    Executor as _, Format, LocalThreads, Manifest, Plan, PlannedAgent, Results, Streams,
};

const AGENTS: usize = 5;
const PAIRINGS: usize = AGENTS * (AGENTS - 1) / 2;

fn main() {
    let count = std::env::args().skip(1).find_map(|arg| arg.parse().ok());
    let pairs = (count.unwrap_or(100_000) / (2 * PAIRINGS)).max(1) as u32;
    let place = tempfile::tempdir().expect("a folder for the games");
    let dir = place.path().join("results/games");
    let games = write(&dir, pairs);
    let bytes = fs::metadata(dir.join(GAMES)).map_or(0, |file| file.len());
    println!("{games} games, {} MB", bytes / 1_000_000);
    for arguments in [
        &["--format", "text"][..],
        &["--format", "json"],
        &["--format", "csv", "--table", "patches"],
    ] {
        let dir = dir.to_string_lossy();
        measure(place.path(), &[&["report", &*dir], arguments].concat());
    }
    rating(place.path());
    tournament(place.path(), pairs);
    let estimate_run = ["run", "games.toml", "--dry-run", "--results"];
    for results in ["results", "none"] {
        measure(place.path(), &[&estimate_run[..], &[results]].concat());
    }
}

/// Rates 100,000 games of 20 agents.
fn rating(place: &Path) {
    let mut table = String::from("first\tsecond\twinner\tpairing\tpair\tleg\n");
    for game in 0..100_000_u32 {
        let (pair, leg) = (game / 2, game % 2);
        let a = pair % 20;
        let b = (a + 1 + pair / 20 % 19) % 20;
        let (first, second) = if leg == 0 { (a, b) } else { (b, a) };
        let winner = if game.wrapping_mul(2_654_435_761) >> 20 & 1 == 0 {
            "first"
        } else {
            "second"
        };
        let (low, high) = (a.min(b), a.max(b));
        table += &format!("a{first}\ta{second}\t{winner}\ta{low}|a{high}\t{pair}\t{leg}\n");
    }
    fs::write(place.join("rated.tsv"), table).expect("written");
    measure(place, &["rate", "rated.tsv"]);
}

/// Writes the tournament file of the games, with its agents.
fn tournament(place: &Path, pairs: u32) {
    fs::create_dir(place.join("agents")).expect("created");
    for i in 0..AGENTS {
        let agent = place.join(format!("agents/random-{i}.toml"));
        fs::write(agent, "type = \"random\"\n").expect("written");
    }
    let text = format!("name = \"games\"\nagents = [\"random-*\"]\npairs = {pairs}\n");
    fs::write(place.join("games.toml"), text).expect("written");
}

/// Runs the binary in a folder and prints its time and memory.
fn measure(place: &Path, arguments: &[&str]) {
    let (time, memory) = run_program(place, arguments);
    let memory = memory.map_or("unknown".to_owned(), |kb| format!("{} MB", kb / 1000));
    let shown: Vec<&str> = arguments
        .iter()
        .map(|word| word.rsplit('/').next().unwrap_or(word))
        .collect();
    println!(
        "{:<44} {:>6.2} s   peak memory {memory}",
        shown.join(" "),
        time.as_secs_f64()
    );
}

/// Plays the games and returns their number.
fn write(dir: &Path, pairs: u32) -> usize {
    let agents =
        (0..AGENTS).map(|i| PlannedAgent::new(format!("random-{i}"), RandomSettings {}.into()));
    let plan = Plan::new(
        1,
        Track::Original,
        Format::RoundRobin,
        pairs,
        agents.collect(),
    )
    .expect("a plan that can be played");
    let manifest = Manifest::new("games".to_owned(), plan);
    let mut store = Store::create(dir, &manifest).expect("a new folder");
    let plan = &manifest.plan;
    let streams = Streams::new(plan);
    let mut threads = LocalThreads(NonZeroUsize::new(2).expect("not 0"));
    let mut keep = |entry: &Entry, _: &Results| {
        let mut entry = entry.clone();
        think(&mut entry);
        let address = streams.address((&entry.record).into());
        store.append(&address, &entry.into(), None).expect("kept");
    };
    let mut results = Results::empty(manifest.clone());
    threads
        .play(&mut results, &Stop::new(), &mut keep)
        .expect("games that are played");
    store.finish().expect("kept");
    plan.game_count()
}

/// Gives the plies the thoughts of a searching agent, so that they are as large.
fn think(entry: &mut Entry) {
    for ply in entry.record.plies.iter_mut().filter(|ply| ply.legal > 1) {
        ply.thought = Thought {
            iterations: 1000,
            value: Some(0.5),
            proven: None,
            tree: Some(TreeFacts {
                nodes: 1000,
                mean_depth: 4.5,
                max_depth: 9,
                entropy: 2.5,
            }),
        };
    }
}

/// Runs the binary; returns the time and, where the system reports it, the peak memory in kilobytes.
fn run_program(place: &Path, arguments: &[&str]) -> (Duration, Option<u64>) {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_patchwork-arena"))
        .args(arguments)
        .current_dir(place)
        .stdout(Stdio::null())
        .spawn()
        .expect("started");
    let status = format!("/proc/{}/status", child.id());
    let mut memory = None;
    loop {
        // The value is a peak, so the last reading misses at most the last milliseconds.
        memory = fs::read_to_string(&status)
            .ok()
            .as_deref()
            .and_then(high_water)
            .or(memory);
        if let Some(ended) = child.try_wait().expect("a child of ours") {
            assert!(ended.success(), "{arguments:?}: {ended}");
            return (start.elapsed(), memory);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The line `VmHWM` in kilobytes.
fn high_water(status: &str) -> Option<u64> {
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
