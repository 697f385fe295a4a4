use std::collections::BTreeMap;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::support::tournaments::{address_of, identified, varied_entries, varied_entry};

fn manifest() -> BTreeMap<String, u32> {
    BTreeMap::from([("rounds".to_owned(), 7)])
}

/// The path of a results folder that does not exist yet.
fn place() -> (TempDir, PathBuf) {
    let above = tempfile::tempdir().unwrap();
    let dir = above.path().join("results").join("x");
    (above, dir)
}

/// A results folder with this many games, no longer locked.
fn folder(count: u32) -> (TempDir, PathBuf) {
    let (above, dir) = place();
    let mut store = Store::create(&dir, &manifest()).unwrap();
    for entry in varied_entries(count) {
        append(&mut store, &entry).unwrap();
    }
    store.finish().unwrap();
    (above, dir)
}

/// The manifest of a results folder, its games, and the number of torn bytes.
type Saved = (BTreeMap<String, u32>, Vec<Entry>, u64);

fn open(dir: &Path) -> Result<(Store, Saved), StoreError> {
    let (manifest, mut games) = (read_manifest(dir)?, Vec::new());
    let (store, Scanned { torn, .. }, _) =
        Store::open(dir, |game| Ok(identified(game)), |game| games.push(game))?;
    Ok((store, (manifest, games, torn)))
}

fn read(dir: &Path) -> Result<Saved, StoreError> {
    let (manifest, mut games) = (read_manifest(dir)?, Vec::new());
    let (Scanned { torn, .. }, _) =
        read_games(dir, |game| Ok(identified(game)), |game| games.push(game))?;
    Ok((manifest, games, torn))
}

fn append(store: &mut Store, entry: &Entry) -> Result<(), StoreError> {
    store.append(&address_of(entry), entry).map(|_| ())
}

/// The error messages of opening and reading, which must be equal, without the parent folder.
fn complaint(dir: &Path) -> String {
    let opened = open(dir).unwrap_err().to_string();
    assert_eq!(opened, read(dir).unwrap_err().to_string());
    let above = dir.parent().unwrap().parent().unwrap();
    opened.replace(above.to_str().unwrap(), "")
}

fn unpacked(dir: &Path) -> Vec<Entry> {
    read(dir).unwrap().1
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn games_are_there_again() {
    let (_above, dir) = place();
    assert!(!exists(&dir).unwrap());
    let mut store = Store::create(&dir, &manifest()).unwrap();
    assert!(exists(&dir).unwrap());
    assert_eq!(store.dir(), dir);
    let entries = varied_entries(6);
    for (i, entry) in entries.iter().enumerate() {
        append(&mut store, entry).unwrap();
        // Reading needs no lock and sees every game at once.
        assert_eq!(read(&dir).unwrap(), (manifest(), entries[..=i].to_vec(), 0));
    }
    // As after kill -9: nothing is finished, and the lock is gone.
    drop(store);
    let (mut store, (_, games, _)) = open(&dir).unwrap();
    assert!(games == entries);
    append(&mut store, &varied_entry(6)).unwrap();
    store.write_file("summary.json", b"{}").unwrap();
    store.finish().unwrap();
    assert_eq!(
        read_manifest::<BTreeMap<String, u32>>(&dir).unwrap(),
        manifest()
    );
    assert_eq!(unpacked(&dir), varied_entries(7));
    assert_eq!(names(&dir), [GAMES, MANIFEST, "summary.json"]);
    assert_eq!(fs::read(dir.join("summary.json")).unwrap(), b"{}");
}

#[test]
fn one_process_at_a_time_may_write() {
    let (_above, dir) = folder(2);
    let (store, _) = open(&dir).unwrap();
    assert!(matches!(open(&dir), Err(StoreError::InUse(_))));
    read(&dir).unwrap();
    drop(store);
    open(&dir).unwrap();

    let (_above, dir) = place();
    fs::create_dir_all(&dir).unwrap();
    let _quicker = lock_games(&dir, true).unwrap();
    let error = Store::create(&dir, &manifest()).unwrap_err();
    assert!(matches!(error, StoreError::InUse(_)), "{error}");
}

#[test]
fn readers_beside_a_writer_see_whole_games() {
    let (_above, dir) = folder(0);
    let entries = varied_entries(50);
    let games = || entries.iter().cycle();
    std::thread::scope(|scope| {
        let (mut store, _) = open(&dir).unwrap();
        let writer = scope.spawn(move || {
            for entry in games().take(5000) {
                append(&mut store, entry).unwrap();
            }
        });
        let mut seen = 0;
        while !writer.is_finished() {
            let found = unpacked(&dir);
            assert!(found.iter().eq(games().take(found.len())));
            assert!(found.len() >= seen, "{} games after {seen}", found.len());
            seen = found.len();
        }
    });
    assert_eq!(unpacked(&dir).len(), 5000);
}

#[test]
fn results_are_not_overwritten() {
    let (_above, dir) = folder(2);
    let games = fs::read(dir.join(GAMES)).unwrap();
    let error = Store::create(&dir, &manifest()).unwrap_err();
    assert!(matches!(error, StoreError::HoldsResults(_)), "{error}");

    fs::remove_file(dir.join(MANIFEST)).unwrap();
    let error = Store::create(&dir, &manifest()).unwrap_err();
    assert!(
        matches!(error, StoreError::NoManifestForGames(_)),
        "{error}"
    );
    assert_eq!(fs::read(dir.join(GAMES)).unwrap(), games);
    assert_eq!(names(&dir), [GAMES]);
}

#[test]
fn an_interrupted_create_leaves_a_folder_as_good_as_new() {
    for length in 0..=FILE_HEADER {
        let (_above, dir) = place();
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join(GAMES), &file_header(PLAY)[..length]).unwrap();
        fs::write(dir.join(".manifest.json.77-0.tmp"), "{").unwrap();
        assert!(matches!(open(&dir), Err(StoreError::NoResults(_))));
        let mut store = Store::create(&dir, &manifest()).unwrap();
        append(&mut store, &varied_entry(0)).unwrap();
        assert_eq!(unpacked(&dir).len(), 1);
        assert_eq!(names(&dir), [GAMES, MANIFEST]);
    }
}

#[test]
fn a_manifest_that_cannot_be_written_leaves_nothing() {
    let (_above, dir) = place();
    // JSON has no keys of this kind.
    let manifest = BTreeMap::from([((1, 2), 3)]);
    Store::create(&dir, &manifest).unwrap_err();
    assert!(!dir.exists());
}

#[test]
fn complaints_name_the_file_and_what_was_expected() {
    let (_above, dir) = place();
    let none = "/results/x is not a results folder: it has no manifest.json";
    assert_eq!(complaint(&dir), none);
    fs::create_dir_all(&dir).unwrap();
    assert_eq!(complaint(&dir), none);
    fs::remove_dir(&dir).unwrap();
    fs::write(&dir, "").unwrap();
    assert_eq!(
        complaint(&dir),
        "/results/x is a file; expected a results folder"
    );
    assert!(matches!(
        Store::create(&dir, &manifest()),
        Err(StoreError::NoFolder(_))
    ));

    let (_above, dir) = folder(3);
    let path = dir.join(MANIFEST);
    let json = fs::read_to_string(&path).unwrap();
    for (text, expected) in [
        (&json[..json.len() / 2], "EOF while parsing"),
        ("", "EOF while parsing"),
        (&json.replace('7', "\"seven\""), "rounds: invalid type"),
        (&format!("{json}]"), "trailing characters"),
    ] {
        fs::write(&path, text).unwrap();
        let complaint = complaint(&dir);
        let start = "/results/x/manifest.json is not a complete manifest: ";
        assert!(complaint.starts_with(start), "{complaint}");
        assert!(complaint.contains(expected), "{complaint}");
    }
    fs::write(&path, json).unwrap();

    let path = dir.join(GAMES);
    let bytes = fs::read(&path).unwrap();
    let mut damaged = bytes.clone();
    damaged[100] ^= 1;
    fs::write(&path, &damaged).unwrap();
    assert_eq!(
        complaint(&dir),
        "/results/x/games.bin: damaged at byte 16 (game 1): the checksum does not match; \
         restore the file or move the folder away"
    );
    assert_eq!(fs::read(&path).unwrap(), damaged);
    fs::remove_file(&path).unwrap();
    let error = read(&dir).unwrap_err().to_string();
    assert!(error.contains("games.bin: cannot be read: "), "{error}");
    let error = open(&dir).unwrap_err().to_string();
    assert!(error.contains("games.bin: cannot be opened: "), "{error}");
    assert!(!path.exists());
}

#[test]
fn a_file_of_the_format_before_is_read_and_continued() {
    let (_above, dir) = folder(0);
    let path = dir.join(GAMES);
    let mut bytes = file_header(PLAY).to_vec();
    bytes[7] = GamesFormat::Plain as u8;
    for entry in varied_entries(3) {
        let frame = frames::frame_of_game(GamesFormat::Plain, &address_of(&entry), &entry);
        bytes.extend(frame.unwrap());
    }
    fs::write(&path, &bytes).unwrap();
    assert_eq!(unpacked(&dir), varied_entries(3));
    let (mut store, _) = open(&dir).unwrap();
    append(&mut store, &varied_entry(3)).unwrap();
    drop(store);
    assert_eq!(unpacked(&dir), varied_entries(4));
    assert_eq!(fs::read(&path).unwrap()[..bytes.len()], bytes);

    bytes[7] = 2;
    fs::write(&path, &bytes).unwrap();
    assert_eq!(
        complaint(&dir),
        "/results/x/games.bin: damaged at byte 7, or of another version: it has format 2, and this program reads 3 to 4"
    );
}

#[test]
fn a_folder_that_is_removed_or_replaced_is_noticed_at_the_next_game() {
    let (_above, dir) = folder(1);
    let (mut store, _) = open(&dir).unwrap();
    let moved = dir.with_extension("moved");
    fs::rename(&dir, &moved).unwrap();
    let gone = append(&mut store, &varied_entry(1)).unwrap_err();
    assert!(matches!(gone, StoreError::Gone(_)), "{gone}");
    fs::create_dir(&dir).unwrap();
    fs::copy(moved.join(GAMES), dir.join(GAMES)).unwrap();
    let gone = append(&mut store, &varied_entry(1)).unwrap_err();
    assert!(matches!(gone, StoreError::Gone(_)), "{gone}");
    fs::remove_dir_all(&dir).unwrap();
    fs::rename(&moved, &dir).unwrap();
    append(&mut store, &varied_entry(1)).unwrap();
    assert_eq!(unpacked(&dir), varied_entries(2));
}

#[test]
fn a_game_too_long_for_a_frame_is_refused() {
    let (_above, dir) = folder(1);
    let (mut store, _) = open(&dir).unwrap();
    let mut entry = varied_entry(1);
    entry.nanos = vec![u64::MAX; MAX_PAYLOAD];
    let error = append(&mut store, &entry).unwrap_err();
    assert!(matches!(error, StoreError::TooLong { .. }), "{error}");
    append(&mut store, &varied_entry(1)).unwrap();
    assert_eq!(unpacked(&dir), varied_entries(2));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_torn_file_is_cut_and_goes_on(
        count in 0u32..6,
        cut in any::<prop::sample::Index>(),
    ) {
        let (_above, dir) = folder(count);
        let path = dir.join(GAMES);
        let mut bytes = fs::read(&path).unwrap();
        bytes.truncate(cut.index(bytes.len() + 1));
        fs::write(&path, &bytes).unwrap();

        let seen = read(&dir).unwrap();
        prop_assert_eq!(fs::read(&path).unwrap(), bytes);
        let (mut store, saved) = open(&dir).unwrap();
        prop_assert_eq!(&saved, &seen);
        let mut entries = saved.1;
        prop_assert_eq!(&entries, &varied_entries(entries.len() as u32));

        let more = varied_entry(1000);
        append(&mut store, &more).unwrap();
        drop(store);
        entries.push(more);
        prop_assert_eq!(read(&dir).unwrap(), (manifest(), entries, 0));
    }
}

/// `cargo test --release -- --ignored --nocapture hundred_thousand` prints the times.
#[test]
#[ignore = "writes 100 MB"]
fn a_hundred_thousand_games_are_read_in_a_second() {
    let (_above, dir) = place();
    let mut store = Store::create(&dir, &manifest()).unwrap();
    let entries = varied_entries(100);
    let start = std::time::Instant::now();
    for i in 0..100_000 {
        append(&mut store, &entries[i % 100]).unwrap();
    }
    let written = start.elapsed();
    let start = std::time::Instant::now();
    assert_eq!(unpacked(&dir).len(), 100_000);
    println!("written in {written:?}, read in {:?}", start.elapsed());
}
