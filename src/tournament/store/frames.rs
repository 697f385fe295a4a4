//! The frames of `games.bin`: marker, length, checksum and payload of each game.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use patchwork_engine::game::Setup;
use patchwork_engine::record::{Entry, GameFacts};
use rayon::iter::ParallelIterator as _;
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefIterator as _};
use twox_hash::XxHash3_64;

use super::error::{Fault, Flaw, StoreError, cannot};
use super::payload::{CheckedEntry, check_game, decode_game, decode_known, encode_game};
use super::wire::{
    FILE_HEADER, GamesFormat, HEADER, MAGIC, MARKER, MAX_PAYLOAD, encode, file_header,
};
use crate::tournament::identity::GameAddress;

/// Number of bytes read at a time.
const BLOCK: usize = 1 << 20;

fn checksum(payload: &[u8]) -> u64 {
    XxHash3_64::oneshot_with_seed(payload.len() as u64, payload)
}

/// The frame of a game.
///
/// # Errors
/// The size of its payload in bytes, if that is too large.
pub fn frame_of_game(
    format: GamesFormat,
    address: &GameAddress,
    entry: &Entry,
) -> Result<Vec<u8>, usize> {
    checked_frame(&encode_game(format, address, entry))
}

/// The frame of a game whose entry is encoded.
///
/// # Errors
/// As [`frame_of_game`].
pub(super) fn frame_of_encoded(address: &GameAddress, entry: &[u8]) -> Result<Vec<u8>, usize> {
    checked_frame(&[&encode(address), entry].concat())
}

fn checked_frame(payload: &[u8]) -> Result<Vec<u8>, usize> {
    match payload.len() {
        size if size > MAX_PAYLOAD => Err(size),
        _ => Ok(frame(payload)),
    }
}

/// The number of bytes at the end of a game's frame that encode its entry.
pub(super) fn entry_length(frame: &[u8], address: &GameAddress) -> u64 {
    (frame.len() - HEADER - encode(address).len()) as u64
}

fn frame(payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(HEADER + payload.len());
    frame.extend(MARKER);
    frame.extend((payload.len() as u32).to_le_bytes());
    frame.extend(checksum(payload).to_le_bytes());
    frame.extend(payload);
    frame
}

/// The payload of the frame at the start of `bytes`.
fn payload_of(bytes: &[u8]) -> Result<&[u8], Flaw> {
    let (marker, rest) = bytes.split_at(bytes.len().min(MARKER.len()));
    if !MARKER.starts_with(marker) {
        return Err(Flaw::Marker);
    }
    let (length, rest) = rest.split_first_chunk().ok_or(Flaw::Short)?;
    let length = u32::from_le_bytes(*length);
    if length as usize > MAX_PAYLOAD {
        return Err(Flaw::Length(length));
    }
    let (sum, rest) = rest.split_first_chunk().ok_or(Flaw::Short)?;
    let payload = rest.get(..length as usize).ok_or(Flaw::Short)?;
    if u64::from_le_bytes(*sum) != checksum(payload) {
        return Err(Flaw::Checksum);
    }
    Ok(payload)
}

/// The games of consecutive frames of the current format, as in a message.
///
/// # Errors
/// What is wrong with the bytes.
pub fn games_of_frames(mut bytes: &[u8]) -> Result<Vec<(GameAddress, Entry)>, String> {
    let mut games = Vec::new();
    while !bytes.is_empty() {
        let payload = payload_of(bytes).map_err(|flaw| flaw.to_string())?;
        games.push(decode_game(GamesFormat::CURRENT, payload)?);
        bytes = &bytes[HEADER + payload.len()..];
    }
    Ok(games)
}

/// A game of a file.
#[derive(Debug)]
pub struct StoredGame<'a> {
    /// Which game it is.
    pub address: GameAddress,
    /// Where in the file the encoded entry begins.
    pub start: u64,
    contents: CheckedEntry,
    format: GamesFormat,
    /// The encoded entry.
    encoded: &'a [u8],
}

impl StoredGame<'_> {
    /// The game; its identity in a plan is not set.
    #[must_use]
    pub fn entry(&self) -> Cow<'_, Entry> {
        match &self.contents {
            CheckedEntry::Decoded { entry, .. } => Cow::Borrowed(entry),
            CheckedEntry::Packed(..) => Cow::Owned(decode_known(self.format, self.encoded)),
        }
    }

    /// The setup of the game; `None` if the record has none.
    #[must_use]
    pub fn setup(&self) -> Option<Cow<'_, Setup>> {
        match &self.contents {
            CheckedEntry::Decoded { entry, .. } => entry.record.setup().map(Cow::Owned),
            CheckedEntry::Packed(setup, _) => Some(Cow::Borrowed(setup)),
        }
    }

    /// The game without its decisions; its identity in a plan is not set.
    #[must_use]
    pub fn facts(&self) -> GameFacts {
        match &self.contents {
            CheckedEntry::Decoded { entry, .. } => (&entry.record).into(),
            CheckedEntry::Packed(_, facts) => *facts,
        }
    }

    /// Whether every ply has a time.
    #[must_use]
    pub const fn is_timed(&self) -> bool {
        match &self.contents {
            CheckedEntry::Decoded { entry, .. } => entry.nanos.len() == entry.record.plies.len(),
            CheckedEntry::Packed(..) => true,
        }
    }

    /// Whether the game is known to be legal because it was played again when it was read.
    #[must_use]
    pub const fn is_legal(&self) -> bool {
        match &self.contents {
            CheckedEntry::Decoded { legal, .. } => *legal,
            CheckedEntry::Packed(..) => true,
        }
    }

    /// The number of bytes of the encoded entry.
    #[must_use]
    pub const fn length(&self) -> u32 {
        self.encoded.len() as u32
    }
}

/// What a file of games has besides the games.
#[derive(Debug)]
pub struct Scanned {
    /// The version of play of the games; `None` if not even the header is complete.
    pub play: Option<u64>,
    /// The format of the file.
    pub format: GamesFormat,
    /// The end of the last complete frame.
    pub end: u64,
    /// Number of bytes of a torn frame after it, which are not part of any game.
    pub torn: u64,
}

/// Reads a file through, a block at a time. Each game is checked and passed to `visit`, on several
/// threads; a refusal is a [`Fault::Foreign`]. What `visit` returns is passed to `collect` after each block, in the order
/// of the file. The path is used in messages.
pub(super) fn scan<T: Send>(
    mut file: impl Read,
    path: &Path,
    visit: impl Fn(StoredGame<'_>) -> Result<T, String> + Sync,
    mut collect: impl FnMut(T),
) -> Result<Scanned, StoreError> {
    let unreadable = |error| cannot("be read", path)(error);
    let wrong = |fault| StoreError::Games {
        path: path.to_owned(),
        fault,
    };
    let mut count = 0;
    let mut scanned = Scanned {
        play: None,
        format: GamesFormat::CURRENT,
        end: 0,
        torn: 0,
    };
    let mut bytes = Vec::new();
    read_block(&mut file, &mut bytes, FILE_HEADER).map_err(unreadable)?;
    let Some((format, play)) = header_of(&bytes).map_err(wrong)? else {
        scanned.torn = bytes.len() as u64;
        return Ok(scanned);
    };
    scanned.play = Some(play);
    scanned.format = format;
    scanned.end = FILE_HEADER as u64;
    bytes.clear();
    loop {
        let whole = read_block(&mut file, &mut bytes, BLOCK).map_err(unreadable)?;
        let (mut frames, mut at) = (Vec::new(), 0);
        let flaw = loop {
            match payload_of(&bytes[at..]) {
                Ok(payload) => {
                    frames.push((at, payload));
                    at += HEADER + payload.len();
                }
                Err(flaw) => break flaw,
            }
        };
        let visited = visit_frames(&scanned, &frames, count, &visit).map_err(wrong)?;
        visited.into_iter().for_each(&mut collect);
        count += frames.len() as u64;
        scanned.end += at as u64;
        bytes.drain(..at);
        if flaw == Flaw::Short && !whole {
            continue;
        }
        let torn = match flaw {
            Flaw::Short if !ends_before(&bytes) => Some(bytes.len() as u64),
            Flaw::Marker => zeros(&mut file, &mut bytes).map_err(unreadable)?,
            _ => None,
        };
        scanned.torn = torn.ok_or_else(|| {
            wrong(Fault::Damaged {
                offset: scanned.end,
                game: count + 1,
                flaw,
            })
        })?;
        return Ok(scanned);
    }
}

/// The format and the version of play in the header of a file, or `None` if the header is incomplete.
fn header_of(bytes: &[u8]) -> Result<Option<(GamesFormat, u64)>, Fault> {
    if MAGIC.starts_with(bytes) {
        return Ok(None);
    }
    let Some([version, play @ ..]) = bytes.strip_prefix(&MAGIC) else {
        return Err(Fault::NoGames);
    };
    let format = GamesFormat::of_version(*version).ok_or(Fault::Format(*version))?;
    let play = play.try_into().ok().map(u64::from_le_bytes);
    Ok(play.map(|play| (format, play)))
}

/// Appends up to `most` bytes, and returns whether the file has ended.
fn read_block(file: &mut impl Read, bytes: &mut Vec<u8>, most: usize) -> io::Result<bool> {
    let read = file.take(most as u64).read_to_end(bytes)?;
    Ok(read < most)
}

/// Decodes the frames of a block, which follow `before` others, in parallel.
fn visit_frames<T: Send>(
    scanned: &Scanned,
    frames: &[(usize, &[u8])],
    before: u64,
    visit: &(impl Fn(StoredGame<'_>) -> Result<T, String> + Sync),
) -> Result<Vec<T>, Fault> {
    let (start, format) = (scanned.end, scanned.format);
    let visited: Vec<Result<T, Fault>> = frames
        .par_iter()
        .enumerate()
        .map(|(i, &(at, payload))| {
            let (offset, game) = (start + at as u64, before + i as u64 + 1);
            let checked = check_game(format, payload);
            let (address, contents, skipped) =
                checked.map_err(|what| Fault::Undecodable { offset, game, what })?;
            let stored = StoredGame {
                address,
                start: offset + (HEADER + skipped) as u64,
                contents,
                format,
                encoded: &payload[skipped..],
            };
            visit(stored).map_err(|what| Fault::Foreign { offset, game, what })
        })
        .collect();
    // Look for the first fault only now, so that it does not depend on threads.
    visited.into_iter().collect()
}

/// Whether a frame that the file seems to end within ends earlier, so that its length was changed: with another length its
/// checksum matches, or another frame follows.
fn ends_before(bytes: &[u8]) -> bool {
    let Some((head, rest)) = bytes.split_at_checked(HEADER) else {
        return false;
    };
    let matches = |length| head.ends_with(&checksum(&rest[..length]).to_le_bytes());
    (0..=rest.len()).any(matches) || (1..bytes.len()).any(|at| payload_of(&bytes[at..]).is_ok())
}

/// The length of the rest of a file, if it is zeros, which a power failure can leave. `bytes` are the first of them.
fn zeros(file: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<Option<u64>> {
    let mut length = 0;
    while !bytes.is_empty() {
        if bytes.iter().any(|&byte| byte != 0) {
            return Ok(None);
        }
        length += bytes.len() as u64;
        bytes.clear();
        read_block(file, bytes, BLOCK)?;
    }
    Ok(Some(length))
}

/// The operations that appending needs from a file; tests substitute one on a full disk.
pub(super) trait Target: Write + Seek {
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

impl Target for File {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

/// A file that ends with a complete frame, even if writing another one fails.
#[derive(Debug)]
pub(super) struct Appender<F> {
    file: F,
    end: u64,
    /// Whether the file ends at `end`, where the next write goes.
    clean: bool,
}

impl<F: Target> Appender<F> {
    /// Starts a new file of games of this version of play.
    pub(super) fn new(file: F, play: u64) -> io::Result<Self> {
        let mut appender = Self::resume(file, 0)?;
        appender.append(&file_header(play))?;
        Ok(appender)
    }

    /// Continues after the last complete frame found by [`scan`].
    pub(super) fn resume(file: F, end: u64) -> io::Result<Self> {
        let mut appender = Self {
            file,
            end,
            clean: false,
        };
        appender.roll_back()?;
        Ok(appender)
    }

    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if !self.clean {
            self.roll_back()?;
        }
        self.clean = false;
        if let Err(error) = self.file.write_all(bytes) {
            // If this also fails, it is retried before the next write.
            let _ = self.roll_back();
            return Err(error);
        }
        self.end += bytes.len() as u64;
        self.clean = true;
        Ok(())
    }

    /// The end of the last complete frame.
    pub(super) const fn end(&self) -> u64 {
        self.end
    }

    pub(super) const fn file(&self) -> &F {
        &self.file
    }

    fn roll_back(&mut self) -> io::Result<()> {
        self.file.cut(self.end)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        self.clean = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
