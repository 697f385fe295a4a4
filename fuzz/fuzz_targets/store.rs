//! Ledgers, messages with games, and files of self-play. The last byte says which: bytes as they are, or changes of what
//! the program has written. A message gets the right checksum, so that its records are decoded; in a ledger, each row has
//! one, so that a change is said or does no harm.
#![cfg_attr(not(test), no_main)]

use std::num::NonZeroUsize;
use std::path::Path;

use patchwork_engine::agent::RandomSettings;
use patchwork_engine::game::Track;
use patchwork_engine::record::{Entry, play_through};
use patchwork_engine::search::Stop;
use patchwork_tournament::ledger::codec::{decode_games, encode_games};
use patchwork_tournament::ledger::{GAMES, Store};
use patchwork_tournament::{
    Executor as _, Format, GameAddress, LocalThreads, Manifest, Plan, PlannedAgent, Results,
    Streams,
};
use tempfile::TempDir;
use twox_hash::XxHash3_64;

thread_local! {
    static WRITTEN: Written = Written::new();
}

/// A results folder, and what was written into it.
struct Written {
    folder: TempDir,
    ledger: Vec<u8>,
    message: Vec<u8>,
    entries: Vec<Entry>,
}

impl Written {
    fn new() -> Self {
        let agents = ["a", "b", "c"];
        let agents = agents.map(|name| PlannedAgent::new(name, RandomSettings {}.into()));
        let plan = Plan::new(7, Track::Original, Format::RoundRobin, 8, agents.into());
        let manifest = Manifest::new("t".to_owned(), plan.expect("a plan"));
        let mut results = Results::empty(manifest.clone());
        let mut threads = LocalThreads(NonZeroUsize::MIN);
        let played = threads.play(&mut results, &Stop::new(), &mut |_, _| ());
        played.expect("random games");
        // Without times, the bytes are the same each time.
        let games = results.games.iter();
        let entries: Vec<Entry> = games.map(|game| untimed(game.expect("played"))).collect();
        let streams = Streams::new(&manifest.plan);
        let address = |entry: &Entry| streams.address((&entry.record).into());
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::create(folder.path(), &manifest).expect("a new folder");
        for entry in &entries {
            let stored = store.append(&address(entry), &entry.clone().into(), None);
            stored.expect("stored");
        }
        store.finish().expect("stored");
        let some = entries.iter().take(3);
        let some: Vec<(GameAddress, Entry)> =
            some.map(|entry| (address(entry), entry.clone())).collect();
        Self {
            ledger: std::fs::read(folder.path().join(GAMES)).expect("a ledger"),
            message: encode_games(&some).expect("small games"),
            folder,
            entries,
        }
    }
}

fn untimed(mut entry: Entry) -> Entry {
    entry.nanos.fill(0);
    entry
}

#[cfg(not(test))]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));

pub(crate) fn check(bytes: &[u8]) {
    let Some((mode, bytes)) = bytes.split_last() else {
        return;
    };
    WRITTEN.with(|written| match mode % 4 {
        0 => read_message(&mended(bytes)),
        1 => read_message(&mended(&changed(&written.message[8..], bytes))),
        2 => read_ledger(written, &changed(&written.ledger, bytes)),
        _ => read_self_play(written.folder.path(), bytes),
    });
}

/// The bytes after some changes: three bytes say where, the fourth what is changed.
fn changed(bytes: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for change in changes.chunks_exact(4) {
        let place = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize;
        let place = place % bytes.len();
        bytes[place] ^= change[3];
    }
    bytes
}

/// A message with the checksum of its games.
fn mended(games: &[u8]) -> Vec<u8> {
    let checksum = XxHash3_64::oneshot(games).to_le_bytes();
    [&checksum[..], games].concat()
}

fn read_message(message: &[u8]) {
    let Ok(games) = decode_games(message) else {
        return;
    };
    for (_, entry) in &games {
        // A record that can be decoded is not a legal game yet; reading it must be safe.
        let _ = play_through(&entry.record);
    }
    let again = encode_games(&games).expect("what was read fits a message");
    assert_eq!(decode_games(&again), Ok(games));
}

fn read_ledger(written: &Written, ledger: &[u8]) {
    let folder = written.folder.path();
    std::fs::write(folder.join(GAMES), ledger).expect("written");
    if let Ok(results) = Results::read(folder) {
        for (game, entry) in results.games.iter().zip(&written.entries) {
            assert!(game.expect("its row agrees with its checksum") == *entry);
        }
        assert_eq!(results.games.len(), written.entries.len());
    }
}

fn read_self_play(folder: &Path, bytes: &[u8]) {
    let file = folder.join("games.selfplay");
    std::fs::write(&file, bytes).expect("written");
    let _ = patchwork_learn::read_games(&file, |_| Ok(()));
}
