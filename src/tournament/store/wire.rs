//! The byte encoding of a game, and the limits of the file format.

use crate::record::{Entry, Record};

/// Version of the games file format; increase it when frames, [`Entry`] or [`Record`] change.
pub const FORMAT_VERSION: u8 = 2;

/// The maximum number of bytes of a game; a real game takes a few hundred.
pub const MAX_PAYLOAD: usize = MAX_FRAME - HEADER;

pub(super) const MAGIC: [u8; 7] = *b"PWGAMES";
pub(super) const FILE_HEADER: [u8; 8] = *b"PWGAMES\x02";
const _: () = assert!(FILE_HEADER[7] == FORMAT_VERSION);

pub(super) const MAX_FRAME: usize = 1 << 16;
pub(super) const HEADER: usize = 16;
/// Four distinct bytes, two of which are neither text nor small numbers.
pub(super) const MARKER: [u8; 4] = [0xF5, 0x67, 0xD2, 0x9B];

/// The encoding of a record alone: two games are identical if their encodings are equal.
#[must_use]
pub fn encode_record(record: &Record) -> Vec<u8> {
    encode(record)
}

pub(super) fn encode(value: &impl bincode::Encode) -> Vec<u8> {
    bincode::encode_to_vec(value, bincode::config::standard())
        .expect("numbers and lists of them can always be encoded")
}

pub(super) fn decode(payload: &[u8]) -> Result<Entry, String> {
    // A corrupt list length must not cause a huge allocation. The limit counts bytes in memory; a
    // payload byte takes at most 4.
    let config = bincode::config::standard().with_limit::<{ 8 * MAX_FRAME }>();
    match bincode::decode_from_slice(payload, config) {
        Ok((entry, read)) if read == payload.len() => Ok(entry),
        Ok((_, read)) => Err(format!("{} bytes are left over", payload.len() - read)),
        Err(error) => Err(error.to_string()),
    }
}

/// The entry of a payload that was decoded before or has just been encoded.
pub(super) fn decode_known(payload: &[u8]) -> Entry {
    let decoded = bincode::decode_from_slice(payload, bincode::config::standard());
    decoded.expect("the same bytes were an entry before").0
}
