//! Files of games of tournaments and of self-play: bytes as they are, and frames whose checksums are made right, so that
//! what is in them is decoded.
#![cfg_attr(not(test), no_main)]

use std::cell::RefCell;

use patchwork_arena::learn;
use patchwork_arena::tournament::{PLAY, store};
use tempfile::TempDir;
use twox_hash::XxHash3_64;

const FILE_HEADER: usize = 16;
const MARKER: [u8; 4] = [0xF5, 0x67, 0xD2, 0x9B];

thread_local! {
    static FOLDER: RefCell<TempDir> = RefCell::new(tempfile::tempdir().expect("a folder"));
}

#[cfg(not(test))]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));

pub(crate) fn check(bytes: &[u8]) {
    let Some((mode, bytes)) = bytes.split_last() else {
        return;
    };
    let mut bytes = bytes.to_vec();
    if mode % 4 > 0 {
        mend(&mut bytes);
    }
    if let Some(frames) = bytes.get(FILE_HEADER..) {
        let _ = store::games_of_frames(frames);
    }
    FOLDER.with_borrow(|folder| {
        let folder = folder.path();
        std::fs::write(folder.join("manifest.json"), "{}").expect("written");
        std::fs::write(folder.join("games.bin"), &bytes).expect("written");
        let read = store::read_games(
            folder,
            |game| {
                // A record that can be decoded is not a legal game yet; reading it must be safe.
                let entry = game.entry();
                let record = &entry.record;
                assert_eq!(
                    (game.facts(), game.setup().as_deref()),
                    (record.into(), record.setup().as_ref())
                );
                let _ = (
                    record.setup(),
                    record.actions(),
                    record.winner(),
                    record.bonus(),
                );
                Ok(())
            },
            |()| (),
        );
        drop(read);
        let _ = learn::read_games(&folder.join("games.bin"), |_| Ok(()));
    });
}

/// Writes the header of this version, and the marker and the checksum of each frame whose length fits; the last frame
/// gets the rest.
fn mend(bytes: &mut [u8]) {
    let Some((header, mut frames)) = bytes.split_at_mut_checked(FILE_HEADER) else {
        return;
    };
    header[..7].copy_from_slice(b"PWGAMES");
    header[7] = store::FORMAT_VERSION;
    header[8..].copy_from_slice(&PLAY.to_le_bytes());
    while frames.len() > 16 {
        let told = u32::from_le_bytes([frames[4], frames[5], frames[6], frames[7]]) as usize;
        let length = told.min(frames.len() - 16);
        let (frame, rest) = frames.split_at_mut(16 + length);
        let (head, payload) = frame.split_at_mut(16);
        head[..4].copy_from_slice(&MARKER);
        head[4..8].copy_from_slice(&(length as u32).to_le_bytes());
        let sum = XxHash3_64::oneshot_with_seed(length as u64, payload);
        head[8..].copy_from_slice(&sum.to_le_bytes());
        frames = rest;
    }
}
