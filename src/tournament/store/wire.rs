//! The byte encoding of a game, and the limits of the file format.

use super::sections;
use crate::record::{Entry, Extras, Record};
use crate::tournament::identity::GameAddress;

/// Version of the games file format; increase it when the header, frames, [`GameAddress`] or [`Record`]
/// change. A new kind of section keeps it: older programs refuse only the games that have one.
pub const FORMAT_VERSION: u8 = 3;

/// The format that `store migrate` converts.
pub(super) const OLD_FORMAT: u8 = 2;

/// The maximum number of bytes of a game; a real game takes a few hundred.
pub const MAX_PAYLOAD: usize = MAX_FRAME - HEADER;

pub(super) const MAGIC: [u8; 7] = *b"PWGAMES";
/// The bytes before the first frame: [`MAGIC`], the format and the version of play.
pub(super) const FILE_HEADER: usize = MAGIC.len() + 1 + 8;

pub(super) const MAX_FRAME: usize = 1 << 16;
pub(super) const HEADER: usize = 16;
/// Four distinct bytes, two of which are neither text nor small numbers.
pub(super) const MARKER: [u8; 4] = [0xF5, 0x67, 0xD2, 0x9B];

/// The header of a file of games of this version of play.
pub(super) fn file_header(play: u64) -> [u8; FILE_HEADER] {
    let mut header = [0; FILE_HEADER];
    header[..MAGIC.len()].copy_from_slice(&MAGIC);
    header[MAGIC.len()] = FORMAT_VERSION;
    header[MAGIC.len() + 1..].copy_from_slice(&play.to_le_bytes());
    header
}

/// The encoding of a record alone: two games are identical if their encodings are equal.
#[must_use]
pub fn encode_record(record: &Record) -> Vec<u8> {
    let mut bytes = encode(record);
    bytes.extend(sections::termination(record).unwrap_or_default());
    bytes
}

/// The encoding of a game and its address.
pub(super) fn encode_game(address: &GameAddress, entry: &Entry) -> Vec<u8> {
    let mut bytes = encode(address);
    bytes.extend(encode_entry(entry));
    bytes
}

/// The encoding of an entry: the record, the times, and the [`sections`].
pub(super) fn encode_entry(entry: &Entry) -> Vec<u8> {
    let mut bytes = encode(&(&entry.record, &entry.nanos));
    sections::write(entry, &mut bytes);
    bytes
}

pub(super) fn encode(value: &impl bincode::Encode) -> Vec<u8> {
    bincode::encode_to_vec(value, bincode::config::standard())
        .expect("numbers and lists of them can always be encoded")
}

/// A value at the start of `bytes`, and the number of its bytes.
pub(super) fn decode<T: bincode::Decode<()>>(bytes: &[u8]) -> Result<(T, usize), String> {
    // A corrupt list length must not cause a huge allocation. The limit counts bytes in memory; a
    // payload byte takes at most 4.
    let config = bincode::config::standard().with_limit::<{ 8 * MAX_FRAME }>();
    bincode::decode_from_slice(bytes, config).map_err(|error| error.to_string())
}

/// The address and the game of a payload, and the number of bytes before the game.
pub(super) fn decode_game(payload: &[u8]) -> Result<(GameAddress, Entry, usize), String> {
    let (address, start) = decode(payload)?;
    Ok((address, decode_entry(&payload[start..])?, start))
}

fn decode_entry(bytes: &[u8]) -> Result<Entry, String> {
    let ((record, nanos), read) = decode(bytes)?;
    let mut entry = Entry {
        record,
        nanos,
        extras: Extras::default(),
    };
    sections::read(&bytes[read..], &mut entry)?;
    Ok(entry)
}

/// The entry of bytes that were decoded before or have just been encoded.
pub(super) fn decode_known(bytes: &[u8]) -> Entry {
    decode_entry(bytes).expect("the same bytes were an entry before")
}
