//! Tables and PGN as `check-games` reads them, plain and compressed.
#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use patchwork_arena::tournament::check_games::check_file;
use tempfile::TempDir;

thread_local! {
    static FOLDER: RefCell<TempDir> = RefCell::new(tempfile::tempdir().expect("a folder"));
}

fuzz_target!(|bytes: &[u8]| {
    FOLDER.with_borrow(|folder| {
        let path = folder.path().join("games");
        std::fs::write(&path, bytes).expect("written");
        if let Err(error) = check_file(&path) {
            assert!(!error.to_string().is_empty());
        }
    });
});
