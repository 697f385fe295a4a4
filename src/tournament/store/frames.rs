//! The frames of `games.bin`: marker, length, checksum and payload of each game.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

use rayon::iter::ParallelIterator as _;
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefIterator as _};
use twox_hash::XxHash3_64;

use super::archive::FrameSpan;
use super::error::{Fault, Flaw};
use super::wire::{
    FILE_HEADER, FORMAT_VERSION, HEADER, MAGIC, MARKER, MAX_FRAME, MAX_PAYLOAD, decode, encode,
};
use crate::record::Entry;

fn checksum(payload: &[u8]) -> u64 {
    XxHash3_64::oneshot_with_seed(payload.len() as u64, payload)
}

/// The frame of an entry, or the size of its payload in bytes if that is too large.
pub(super) fn frame_of_entry(entry: &Entry) -> Result<Vec<u8>, usize> {
    let payload = encode(entry);
    if payload.len() > MAX_PAYLOAD {
        return Err(payload.len());
    }
    Ok(frame(&payload))
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
    let (marker, rest) = bytes.split_first_chunk().ok_or(Flaw::Short)?;
    if *marker != MARKER {
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

/// The positions of the entries of a file, each of which is checked once, and the end of the last
/// complete frame; 0 if even the file's header is incomplete.
pub(super) fn parse(bytes: &[u8]) -> Result<(Vec<FrameSpan>, u64), Fault> {
    if bytes.len() < FILE_HEADER.len() && FILE_HEADER.starts_with(bytes) {
        return Ok((Vec::new(), 0));
    }
    match bytes.strip_prefix(&MAGIC) {
        Some([FORMAT_VERSION, ..]) => {}
        Some([version, ..]) => return Err(Fault::Format(*version)),
        _ => return Err(Fault::NoGames),
    }
    let mut frames = Vec::new();
    let mut end = FILE_HEADER.len();
    while end < bytes.len() {
        match payload_of(&bytes[end..]) {
            Ok(payload) => {
                frames.push((end, payload));
                end += HEADER + payload.len();
            }
            Err(_) if is_torn(&bytes[end..]) => break,
            Err(flaw) => {
                return Err(Fault::Damaged {
                    offset: end as u64,
                    game: frames.len() as u64 + 1,
                    flaw,
                });
            }
        }
    }
    // Collect first, then look for the first fault, so that the fault reported does not depend on
    // threads.
    let decoded: Vec<_> = frames
        .par_iter()
        .enumerate()
        .map(|(i, &(offset, payload))| {
            decode(payload)
                .map(|entry| FrameSpan::new(&entry, offset + HEADER, payload.len()))
                .map_err(|what| Fault::Undecodable {
                    offset: offset as u64,
                    game: i as u64 + 1,
                    what,
                })
        })
        .collect();
    let places = decoded.into_iter().collect::<Result<_, _>>()?;
    Ok((places, end as u64))
}

/// Whether the end of a file, which does not begin with a frame, may be left over from an
/// interrupted write: it is no longer than a frame and does not contain a frame. Trailing zeros are
/// ignored: a power failure can leave any number of them, and they do not contain games.
fn is_torn(stretch: &[u8]) -> bool {
    let written = stretch.iter().rposition(|&byte| byte != 0);
    let written = written.map_or(0, |last| last + 1);
    written <= MAX_FRAME && (1..written).all(|at| payload_of(&stretch[at..]).is_err())
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
    /// Starts a new file.
    pub(super) fn new(file: F) -> io::Result<Self> {
        Self::resume(file, 0)
    }

    /// Continues after the last complete frame found by [`parse`].
    pub(super) fn resume(file: F, end: u64) -> io::Result<Self> {
        let mut appender = Self {
            file,
            end,
            clean: false,
        };
        appender.roll_back()?;
        if end == 0 {
            appender.append(&FILE_HEADER)?;
        }
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
