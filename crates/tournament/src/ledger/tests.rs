use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use patchwork_engine::game::Rules;
use patchwork_engine::record::GameFacts;
use patchwork_engine::search::Stop;
use tempfile::TempDir;

use super::*;
use crate::testing::plan;
use crate::{Executor as _, Format, LocalThreads, Plan, Results, Streams};

/// A tournament of two random agents, and its games in plan order.
fn tournament(pairs: u32) -> (Manifest, Vec<(GameAddress, Entry)>) {
    let plan = plan(&["a", "b"], Format::RoundRobin, pairs).unwrap();
    let (manifest, streams) = (
        Manifest::new("t".to_owned(), plan.clone()),
        Streams::new(&plan),
    );
    let mut results = Results::empty(manifest.clone());
    LocalThreads(NonZeroUsize::MIN)
        .play(&mut results, &Stop::new(), &mut |_, _| ())
        .unwrap();
    let games = results.games.iter();
    let games = games.map(|entry| {
        let entry = entry.unwrap();
        (streams.address((&entry.record).into()), entry)
    });
    (manifest, games.collect())
}

/// The path of a results folder that does not exist yet.
fn place() -> (TempDir, PathBuf) {
    let above = tempfile::tempdir().unwrap();
    let dir = above.path().join("results").join("x");
    (above, dir)
}

/// A results folder with all games of a tournament, no longer locked.
fn folder(pairs: u32) -> (TempDir, PathBuf, Vec<(GameAddress, Entry)>) {
    let (above, dir) = place();
    let (manifest, games) = tournament(pairs);
    let mut store = Store::create(&dir, &manifest).unwrap();
    for (address, entry) in &games {
        store.append(address, &entry.clone().into(), None).unwrap();
    }
    store.finish().unwrap();
    (above, dir, games)
}

/// The games of a folder in the order of the ledger, as the plan identifies them.
fn read(dir: &Path) -> Result<Vec<(GameAddress, Entry)>, TournamentError> {
    let manifest = read_manifest(dir)?;
    let mut games = Vec::new();
    let look = |game: StoredGame<'_>| Ok((game.address, game.decode()?.0, game.row.facts()));
    read_games(dir, &manifest, look, |game| games.push(game))?;
    let identified = games.into_iter().map(|(address, mut entry, facts)| {
        assert_eq!(facts, GameFacts::from(&entry.record));
        let agents: Vec<AgentId> = Streams::new(&manifest.plan).agents().to_vec();
        let seat = |id| agents.iter().position(|agent| *agent == id).unwrap() as u16;
        entry.record.agents = address.seats.map(seat);
        entry.record.id.pair = address.pair;
        entry.record.id.leg = u8::from(entry.record.agents == [1, 0]);
        (address, entry)
    });
    Ok(identified.collect())
}

fn open(dir: &Path) -> Result<Store, TournamentError> {
    let (store, manifest) = Store::open(dir)?;
    store.read(&manifest, |_| Ok(()), |()| ())?;
    Ok(store)
}

fn names(dir: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(dir).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn committed_games_are_read_beside_the_writer() {
    let (_above, dir) = place();
    let (manifest, games) = tournament(3);
    assert!(!exists(&dir).unwrap());
    let mut store = Store::create(&dir, &manifest).unwrap();
    assert!(exists(&dir).unwrap());
    for (i, (address, entry)) in games.iter().enumerate() {
        store.append(address, &entry.clone().into(), None).unwrap();
        assert_eq!(
            store.find(address).unwrap().map(|entry| entry.nanos),
            Some(entry.nanos.clone())
        );
        store.commit().unwrap();
        assert_eq!(read(&dir).unwrap(), games[..=i]);
    }
    write_file(&dir.join("summary.json"), b"{}").unwrap();
    store.finish().unwrap();
    assert_eq!(read_manifest(&dir).unwrap(), manifest);
    assert_eq!(read(&dir).unwrap(), games);
    assert_eq!(
        names(&dir),
        BTreeSet::from([GAMES, "summary.json"].map(str::to_owned))
    );
}

#[test]
fn records_are_read_in_any_order() {
    let (_above, dir, games) = folder(3);
    let store = open(&dir).unwrap();
    let sql = "SELECT game FROM games ORDER BY game";
    let numbers: Vec<i64> = {
        let connection = store.database.lock();
        let mut select = connection.prepare(sql).unwrap();
        let numbers = select.query_map([], |row| row.get(0)).unwrap();
        numbers.collect::<Result<_, _>>().unwrap()
    };
    let all = store.database.records(&numbers).unwrap();
    assert_eq!(all.len(), games.len());
    let last = numbers.len() - 1;
    for order in [
        &[last, 0][..],
        &[last, last],
        &[2, 1, 4, 0, last],
        &[0, last],
        &[],
    ] {
        let games: Vec<i64> = order.iter().map(|&at| numbers[at]).collect();
        let read = store.database.records(&games);
        let expected: Vec<&Vec<u8>> = order.iter().map(|&at| &all[at]).collect();
        assert_eq!(
            read.unwrap().iter().collect::<Vec<_>>(),
            expected,
            "{order:?}"
        );
    }
    for missing in [-1, numbers[last] + 1] {
        let read = store.database.records(&[numbers[0], missing]);
        assert_eq!(read, Err(rusqlite::Error::QueryReturnedNoRows));
    }
}

/// It is larger than the integers of the database.
#[test]
fn the_largest_seed_is_a_column() {
    let (_above, dir) = place();
    let agents = tournament(1).0.plan.agents().to_vec();
    let plan = Plan::new(u64::MAX, Rules::default(), Format::RoundRobin, 1, agents).unwrap();
    let manifest = Manifest::new("t".to_owned(), plan);
    Store::create(&dir, &manifest).unwrap().finish().unwrap();
    assert_eq!(read_manifest(&dir).unwrap(), manifest);
    let connection = Connection::open(dir.join(GAMES)).unwrap();
    let seed = connection.query_row("SELECT seed FROM tournament", [], |row| row.get(0));
    assert_eq!(seed, Ok(u64::MAX.to_string()));
}

/// The ledger has the order of the plan, whatever the order in which games end.
#[test]
fn games_are_in_plan_order() {
    let (_above, dir) = place();
    let (manifest, games) = tournament(4);
    let mut store = Store::create(&dir, &manifest).unwrap();
    for (address, entry) in games.iter().rev() {
        store.append(address, &entry.clone().into(), None).unwrap();
    }
    drop(store);
    assert_eq!(read(&dir).unwrap(), games);
}

#[test]
fn games_that_are_not_committed_do_not_count() {
    let (_above, dir) = place();
    let (manifest, games) = tournament(2);
    let mut store = Store::create(&dir, &manifest).unwrap();
    store
        .append(&games[0].0, &games[0].1.clone().into(), None)
        .unwrap();
    store.commit().unwrap();
    store
        .append(&games[1].0, &games[1].1.clone().into(), None)
        .unwrap();
    assert_eq!(read(&dir).unwrap(), games[..1]);
    store.roll_back();
    store
        .append(&games[2].0, &games[2].1.clone().into(), None)
        .unwrap();
    drop(store);
    assert_eq!(read(&dir).unwrap(), [games[0].clone(), games[2].clone()]);
}

/// SQLite recognises by these locks that a ledger is in use, and else removes its log. Linux releases all locks of a process
/// on a file when the process closes the file anywhere.
#[cfg(target_os = "linux")]
#[test]
fn a_ledger_that_is_continued_stays_locked_against_the_removal_of_its_log() {
    use std::os::unix::fs::MetadataExt as _;

    let (_above, dir, _) = folder(2);
    let store = open(&dir).unwrap();
    let inode = fs::metadata(dir.join(GAMES)).unwrap().ino();
    let locks = fs::read_to_string("/proc/locks").unwrap();
    let is_locked = |line: &str| line.contains("POSIX") && line.contains(&format!(":{inode} "));
    assert!(locks.lines().any(is_locked), "{locks}");
    drop(store);
}

#[test]
fn one_process_at_a_time_may_write() {
    let (_above, dir, games) = folder(2);
    let store = open(&dir).unwrap();
    assert!(matches!(open(&dir), Err(TournamentError::InUse(_))));
    assert_eq!(read(&dir).unwrap(), games);
    drop(store);
    open(&dir).unwrap();

    let (_above, dir) = place();
    fs::create_dir_all(&dir).unwrap();
    let _quicker = FolderLock::take(&dir).unwrap();
    let error = Store::create(&dir, &tournament(1).0).unwrap_err();
    assert!(matches!(error, TournamentError::InUse(_)), "{error}");
}

#[test]
fn results_are_not_overwritten() {
    let (_above, dir, games) = folder(2);
    let error = Store::create(&dir, &tournament(2).0).unwrap_err();
    assert!(matches!(error, TournamentError::HoldsResults(_)), "{error}");
    assert_eq!(read(&dir).unwrap(), games);
}

/// Statements of a thread end at its time limit, however long they would go on.
#[test]
fn reading_ends_at_the_time_limit() {
    let (_above, dir, games) = folder(2);
    let connection = database::open_for_reading(&dir).unwrap();
    give_up_after(Duration::ZERO);
    let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
    let ended = connection.query_row(endless, [], |row| row.get::<_, i64>(0));
    let ended = failed(&dir, "be read")(ended.unwrap_err()).to_string();
    assert!(
        ended.ends_with("cannot be read: it takes too long"),
        "{ended}"
    );
    give_up_after(Duration::MAX);
    assert_eq!(read(&dir).unwrap(), games);
}

#[test]
fn a_game_that_is_too_large_is_refused() {
    let (_above, dir) = place();
    let (manifest, games) = tournament(1);
    let mut store = Store::create(&dir, &manifest).unwrap();
    let (address, mut entry) = games[0].clone();
    entry.extras.stderr[0] = "x".repeat(MAX_RECORD);
    let error = store
        .append(&address, &entry.clone().into(), None)
        .unwrap_err();
    assert!(matches!(error, TournamentError::TooLong { .. }), "{error}");
    store
        .append(&address, &games[0].1.clone().into(), None)
        .unwrap();
    drop(store);
    assert_eq!(read(&dir).unwrap(), games[..1]);
}

/// The games on a page are lost with it, and those between two lost pages are found by their numbers. A page that
/// describes the tables costs no games.
#[test]
fn a_page_costs_the_games_on_it() {
    let (_above, dir, games) = folder(100);
    let path = dir.join(GAMES);
    let manifest = read_manifest(&dir).unwrap();
    let whole = fs::read(&path).unwrap();
    let size = usize::from(u16::from_be_bytes([whole[16], whole[17]]));
    let page_of = |game: usize| {
        let record = EncodedGame::from(games[game].1.clone()).record().to_vec();
        let mut pages = whole.chunks(size);
        let holds =
            |page: &[u8]| page[0] == 13 && page.windows(record.len()).any(|part| part == record);
        pages.position(holds).unwrap()
    };
    let (one, other) = (page_of(60), page_of(140));
    let on_page = |game: &usize| [one, other].contains(&page_of(*game));
    let destroyed = (0..games.len()).filter(on_page).count();
    assert!((20..60).contains(&destroyed), "{destroyed}");
    for (pages, expected) in [(vec![0], 0), (vec![one, other], destroyed)] {
        let mut bytes = whole.clone();
        for page in pages {
            bytes[page * size..][..size].fill(0);
        }
        fs::write(&path, bytes).unwrap();
        let mut saved = BTreeSet::new();
        let lost = salvage(
            &dir,
            &manifest,
            |game| Ok(game.number()),
            |game| {
                saved.insert(game);
            },
        );
        assert_eq!(lost.unwrap(), Some(expected as u64));
        assert_eq!(saved.len(), games.len() - expected);
    }
}
