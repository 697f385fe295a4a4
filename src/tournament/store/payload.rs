//! The byte encoding of a game: its address, the record, the times, and the [`sections`].

use patchwork_engine::game::Setup;
use patchwork_engine::record::{
    Entry, Extras, GameFacts, Record, check_packed, pack, unpack, unpack_setup,
};
use twox_hash::XxHash3_64;

use super::sections;
use super::wire::{GamesFormat, decode, encode};
use crate::tournament::identity::GameAddress;

/// The first byte of an entry whose record and times are in bincode.
const PLAIN: u8 = 0;
/// The first byte of an entry whose record and times are packed.
const PACKED: u8 = 1;

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

/// The address and the game of a payload.
pub(super) fn decode_game(
    format: GamesFormat,
    payload: &[u8],
) -> Result<(GameAddress, Entry), String> {
    let (address, start) = decode(payload)?;
    Ok((address, decode_entry(format, &payload[start..])?))
}

fn decode_entry(format: GamesFormat, bytes: &[u8]) -> Result<Entry, String> {
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

fn decode_plain(bytes: &[u8]) -> Result<Entry, String> {
    let ((record, nanos), read) = decode(bytes)?;
    let mut entry = Entry {
        record,
        nanos,
        extras: Extras::default(),
    };
    sections::read(&bytes[read..], &mut entry)?;
    Ok(entry)
}

/// A packed game, which is legal.
fn decode_packed(bytes: &[u8]) -> Result<Entry, String> {
    let unpacked = unpack(bytes).map_err(illegal)?;
    let mut entry = unpacked.game;
    sections::read(&bytes[unpacked.length..], &mut entry)?;
    let record = &entry.record;
    match record.termination {
        None if unpacked.by_fault => Err(NO_FAULT.to_owned()),
        Some(_) if !unpacked.by_fault => Err("it ends by a fault after its end".to_owned()),
        Some(end) if end.loser == record.winner() => {
            Err("it ends by a fault of the player who was not to move".to_owned())
        }
        _ => Ok(entry),
    }
}

fn illegal(what: String) -> String {
    format!("it is not a legal game: {what}")
}

const NO_FAULT: &str = "it ends by a fault that is not stored";

/// What a payload holds, checked by the rules if it is packed.
#[derive(Debug)]
pub(super) enum CheckedEntry {
    /// A legal game that is packed and has nothing else: its setup and its result, without its identity.
    Packed(Setup, GameFacts),
    /// Any other game.
    Decoded {
        /// The game.
        entry: Entry,
        /// Whether it is known to be legal.
        legal: bool,
    },
}

/// Checks the game of a payload. Where that is enough, its decisions are not kept, which takes less time.
///
/// # Errors
/// As [`decode_game`].
pub(super) fn check_game(
    format: GamesFormat,
    payload: &[u8],
) -> Result<(GameAddress, CheckedEntry, usize), String> {
    let (address, start) = decode(payload)?;
    let bytes = &payload[start..];
    let entry = match (format, bytes.split_first()) {
        (GamesFormat::Packed, Some((&PACKED, packed))) => {
            let checked = check_packed(packed).map_err(illegal)?;
            if checked.length < packed.len() {
                CheckedEntry::Decoded {
                    entry: decode_packed(packed)?,
                    legal: true,
                }
            } else if checked.by_fault {
                return Err(NO_FAULT.to_owned());
            } else {
                let (setup, facts) = checked.game;
                CheckedEntry::Packed(setup, facts)
            }
        }
        _ => CheckedEntry::Decoded {
            entry: decode_entry(format, bytes)?,
            legal: false,
        },
    };
    Ok((address, entry, start))
}

/// The entry of bytes that are known to be valid.
pub(super) fn decode_known(format: GamesFormat, bytes: &[u8]) -> Entry {
    let decoded = decode_entry(format, bytes);
    decoded.expect("the same bytes were an entry before")
}

/// The setup of an entry whose bytes are known to be valid; `None` if they have to be decoded as a whole.
pub(super) fn setup_of_known(format: GamesFormat, bytes: &[u8]) -> Option<Setup> {
    match (format, bytes.split_first()) {
        (GamesFormat::Packed, Some((&PACKED, packed))) => unpack_setup(packed).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use patchwork_engine::record::{FaultReason, Termination};

    use super::*;
    use crate::support::tournaments::{address_of, varied_entry};

    /// A payload as [`check_game`] finds it, and as decoding it as a whole does.
    fn both_ways(format: GamesFormat, payload: &[u8]) -> [Result<(Setup, GameFacts), String>; 2] {
        let decoded = |entry: Entry| {
            let record = entry.record;
            (record.setup().expect("a ring"), (&record).into())
        };
        let checked = check_game(format, payload).map(|(_, entry, start)| match entry {
            CheckedEntry::Packed(setup, facts) => (setup, facts),
            CheckedEntry::Decoded { entry, legal } => {
                assert_eq!(legal, payload[start] == PACKED);
                decoded(entry)
            }
        });
        [
            checked,
            decode_game(format, payload).map(|(_, entry)| decoded(entry)),
        ]
    }

    #[test]
    fn forged_and_damaged_games_are_refused_with_the_same_sentence() {
        let whole = varied_entry(5);
        let mut lost = whole.clone();
        let loser = lost.record.plies.pop().expect("a ply").player();
        lost.nanos.pop();
        let (setup, plies) = (
            lost.record.setup().expect("a ring"),
            lost.record.plies.clone(),
        );
        let mut state = patchwork_engine::game::State::new(&setup);
        for ply in &plies {
            state.play_unchecked(&setup, ply.action().expect("an action"));
        }
        let end = Termination {
            loser,
            reason: FaultReason::Crash,
        };
        let (id, agents) = (lost.record.id, lost.record.agents);
        lost.record = Record::lost(id, agents, &setup, plies, &state, end);
        let mut sentences = std::collections::BTreeSet::new();
        for entry in [whole, lost] {
            let packed = encode_game(GamesFormat::Packed, &address_of(&entry), &entry);
            let start = encode(&address_of(&entry)).len();
            let [checked, decoded] = both_ways(GamesFormat::Packed, &packed);
            assert!(checked.is_ok() && checked == decoded);
            let mut forged: Vec<Vec<u8>> = (0..8 * (packed.len() - start))
                .map(|bit| {
                    let mut bytes = packed.clone();
                    bytes[start + bit / 8] ^= 1 << (bit % 8);
                    bytes
                })
                .collect();
            forged.extend((start..packed.len()).map(|length| packed[..length].to_vec()));
            forged.extend([vec![0], vec![9; 5]].map(|more| [&packed[..], &more].concat()));
            for bytes in forged {
                let [checked, decoded] = both_ways(GamesFormat::Packed, &bytes);
                assert_eq!(checked, decoded, "{bytes:?}");
                sentences.extend(checked.err());
            }
        }
        for sentence in [
            NO_FAULT,
            "it is not a legal game: it has no end",
            "it ends by a fault of the player who was not to move",
        ] {
            assert!(sentences.contains(sentence), "{sentence} in {sentences:?}");
        }
    }
}
