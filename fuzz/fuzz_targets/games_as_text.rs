//! Tables, JSON lines and PGN as `verify` and `rate` read them, plain and compressed.
#![cfg_attr(not(test), no_main)]

use std::cell::RefCell;

use patchwork_results::ResultTable;
use patchwork_tournament::check_games::check_file;
use tempfile::TempDir;

thread_local! {
    static FOLDER: RefCell<TempDir> = RefCell::new(tempfile::tempdir().expect("a folder"));
}

#[cfg(not(test))]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));

pub(crate) fn check(bytes: &[u8]) {
    FOLDER.with_borrow(|folder| {
        let path = folder.path().join("games");
        std::fs::write(&path, bytes).expect("written");
        if let Err(error) = check_file(&path) {
            assert!(!error.to_string().is_empty());
        }
        match ResultTable::read(&path) {
            Ok(table) => assert!(table.games.is_empty() || table.agents.len() > 1),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    });
}
