//! The byte encoding of a game: its address, the record, the times, and the [`sections`].

use patchwork_engine::record::{Entry, Extras, Record};
use twox_hash::XxHash3_64;

use super::sections;
use super::wire::{decode, encode};
use crate::tournament::identity::GameAddress;

/// The encoding of a game and its address.
pub(super) fn encode_game(address: &GameAddress, entry: &Entry) -> Vec<u8> {
    let mut bytes = encode(address);
    bytes.extend(encode_entry(entry));
    bytes
}

/// The encoding of an entry: the record, the times, and the [`sections`].
pub(in crate::tournament) fn encode_entry(entry: &Entry) -> Vec<u8> {
    let mut bytes = encode(&(&entry.record, &entry.nanos));
    sections::write(entry, &mut bytes);
    bytes
}

/// The encoding of a record alone: two games are identical if their encodings are equal.
#[must_use]
pub(crate) fn encode_record(record: &Record) -> Vec<u8> {
    let mut bytes = encode(record);
    bytes.extend(sections::termination(record).unwrap_or_default());
    bytes
}

/// The digest of [`encode_record`].
pub(in crate::tournament) fn record_digest(record: &Record) -> u64 {
    XxHash3_64::oneshot(&encode_record(record))
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

/// The entry of bytes that are known to be valid.
pub(super) fn decode_known(bytes: &[u8]) -> Entry {
    decode_entry(bytes).expect("the same bytes were an entry before")
}
