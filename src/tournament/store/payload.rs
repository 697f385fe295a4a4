//! The byte encoding of a game: its address, the record, the times, and the [`sections`].

use patchwork_engine::game::Setup;
use patchwork_engine::record::{Entry, Extras, Record, pack, unpack, unpack_setup};
use twox_hash::XxHash3_64;

use super::sections;
use super::wire::{GamesFormat, decode, encode};
use crate::tournament::identity::GameAddress;

/// The first byte of an entry whose record and times are in bincode.
const PLAIN: u8 = 0;
/// The first byte of an entry whose record and times are packed.
const PACKED: u8 = 1;

/// A decoded game.
#[derive(Debug)]
pub(super) struct DecodedEntry {
    /// The game.
    pub(super) entry: Entry,
    /// Whether it is known to be legal.
    pub(super) legal: bool,
}

/// The encoding of a game and its address.
pub(super) fn encode_game(format: GamesFormat, address: &GameAddress, entry: &Entry) -> Vec<u8> {
    let mut bytes = encode(address);
    encode_entry(format, entry, &mut bytes);
    bytes
}

/// Appends the encoding of an entry: the record, the times, and the [`sections`].
pub(super) fn encode_entry(format: GamesFormat, entry: &Entry, to: &mut Vec<u8>) {
    let start = to.len();
    let packed = match format {
        GamesFormat::Plain => false,
        GamesFormat::Packed => {
            to.push(PACKED);
            pack(entry, to) || {
                to[start] = PLAIN;
                false
            }
        }
    };
    if !packed {
        to.extend(encode(&(&entry.record, &entry.nanos)));
    }
    sections::write(entry, to);
}

/// An encoding of an entry that does not depend on the format of a file.
pub(in crate::tournament) fn comparable(entry: &Entry) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_entry(GamesFormat::Plain, entry, &mut bytes);
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
pub(super) fn decode_game(
    format: GamesFormat,
    payload: &[u8],
) -> Result<(GameAddress, DecodedEntry, usize), String> {
    let (address, start) = decode(payload)?;
    Ok((address, decode_entry(format, &payload[start..])?, start))
}

fn decode_entry(format: GamesFormat, bytes: &[u8]) -> Result<DecodedEntry, String> {
    match (format, bytes.split_first()) {
        (GamesFormat::Plain, _) => decode_plain(bytes),
        (GamesFormat::Packed, Some((&PLAIN, plain))) => decode_plain(plain),
        (GamesFormat::Packed, Some((&PACKED, packed))) => decode_packed(packed),
        (GamesFormat::Packed, Some((kind, _))) => Err(format!(
            "it begins with {kind}; expected {PLAIN} or {PACKED}"
        )),
        (GamesFormat::Packed, None) => Err("it has no contents".to_owned()),
    }
}

fn decode_plain(bytes: &[u8]) -> Result<DecodedEntry, String> {
    let ((record, nanos), read) = decode(bytes)?;
    let mut entry = Entry {
        record,
        nanos,
        extras: Extras::default(),
    };
    sections::read(&bytes[read..], &mut entry)?;
    Ok(DecodedEntry {
        entry,
        legal: false,
    })
}

fn decode_packed(bytes: &[u8]) -> Result<DecodedEntry, String> {
    let unpacked = unpack(bytes).map_err(|what| format!("it is not a legal game: {what}"))?;
    let mut entry = unpacked.entry;
    sections::read(&bytes[unpacked.length..], &mut entry)?;
    let record = &entry.record;
    match record.termination {
        None if unpacked.by_fault => Err("it ends by a fault that is not stored".to_owned()),
        Some(_) if !unpacked.by_fault => Err("it ends by a fault after its end".to_owned()),
        Some(end) if end.loser == record.winner() => {
            Err("it ends by a fault of the player who was not to move".to_owned())
        }
        _ => Ok(DecodedEntry { entry, legal: true }),
    }
}

/// The entry of bytes that are known to be valid.
pub(super) fn decode_known(format: GamesFormat, bytes: &[u8]) -> Entry {
    let decoded = decode_entry(format, bytes);
    decoded.expect("the same bytes were an entry before").entry
}

/// The setup of an entry whose bytes are known to be valid; `None` if they have to be decoded as a whole.
pub(super) fn setup_of_known(format: GamesFormat, bytes: &[u8]) -> Option<Setup> {
    match (format, bytes.split_first()) {
        (GamesFormat::Packed, Some((&PACKED, packed))) => unpack_setup(packed).ok(),
        _ => None,
    }
}
