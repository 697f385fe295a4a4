//! The sections after an entry: data that only some games have. Each has a tag, a length and its bytes.
//!
//! To add a kind of section, add a line to [`SECTIONS`] and to the table in [`store`](super).

use patchwork_engine::game::Player;
use patchwork_engine::record::{Entry, FaultReason, Record, Termination};

use super::wire::{decode, encode};

/// A kind of section.
struct Section {
    tag: u8,
    /// Its name in messages.
    name: &'static str,
    /// Its bytes, if the entry has any.
    write: fn(&Entry) -> Option<Vec<u8>>,
    /// Reads the bytes into an entry whose record is complete.
    read: fn(&[u8], &mut Entry) -> Result<(), String>,
}

/// All kinds in the order of their tags. A tag is never used for anything else.
const SECTIONS: [Section; 4] = [
    Section {
        tag: 1,
        name: "considered actions",
        write: |entry| {
            let considered = &entry.extras.considered;
            (!considered.is_empty()).then(|| encode(considered))
        },
        read: |bytes, entry| {
            entry.extras.considered = whole(bytes)?;
            entry.extras.considered.check(entry.record.plies.len())
        },
    },
    Section {
        tag: 2,
        name: "the termination",
        write: |entry| termination(&entry.record),
        read: |bytes, entry| {
            let (loser, reason): (u8, FaultReason) = whole(bytes)?;
            let loser = *Player::BOTH
                .get(usize::from(loser))
                .ok_or_else(|| format!("expected a loser of 0 or 1, found {loser}"))?;
            entry.record.termination = Some(Termination { loser, reason });
            Ok(())
        },
    },
    Section {
        tag: 3,
        name: "the error output",
        write: |entry| {
            let stderr = &entry.extras.stderr;
            (!stderr.iter().all(String::is_empty)).then(|| encode(stderr))
        },
        read: |bytes, entry| {
            entry.extras.stderr = whole(bytes)?;
            Ok(())
        },
    },
    Section {
        tag: 4,
        name: "the expected actions",
        write: |entry| {
            let expected = &entry.extras.expected;
            (!expected.is_empty()).then(|| encode(expected))
        },
        read: |bytes, entry| {
            entry.extras.expected = whole(bytes)?;
            entry.extras.expected.check(entry.record.plies.len())
        },
    },
];

/// The encoding of how a game ended, if it was not played to its end.
pub(super) fn termination(record: &Record) -> Option<Vec<u8>> {
    let termination = record.termination?;
    Some(encode(&(
        termination.loser.index() as u8,
        termination.reason,
    )))
}

/// Length of a tag and the following length field.
const PREFIX: usize = 1 + 4;

/// Appends the sections of an entry.
pub(super) fn write(entry: &Entry, to: &mut Vec<u8>) {
    for section in &SECTIONS {
        if let Some(bytes) = (section.write)(entry) {
            to.push(section.tag);
            to.extend((bytes.len() as u32).to_le_bytes());
            to.extend(bytes);
        }
    }
}

/// Reads sections to the end of `bytes` into an entry whose record is complete.
pub(super) fn read(bytes: &[u8], entry: &mut Entry) -> Result<(), String> {
    let (mut rest, mut last) = (bytes, 0);
    while !rest.is_empty() {
        let Some((&[tag, a, b, c, d], after)) = rest.split_first_chunk::<PREFIX>() else {
            let left = rest.len();
            return Err(format!(
                "{left} bytes are left over; a section has at least {PREFIX}"
            ));
        };
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        let Some(section) = SECTIONS.iter().find(|section| section.tag == tag) else {
            return Err(format!(
                "it has a section with tag {tag}, which this version does not know"
            ));
        };
        let name = section.name;
        if tag == last {
            return Err(format!("the section of {name} occurs twice"));
        }
        if tag < last {
            return Err(format!("the section of {name} is not in the order of tags"));
        }
        let Some((contents, next)) = after.split_at_checked(length) else {
            let found = after.len();
            return Err(format!(
                "the section of {name} is cut off: expected {length} bytes, found {found}"
            ));
        };
        let wrong = |what: String| format!("the section of {name}: {what}");
        (section.read)(contents, entry).map_err(wrong)?;
        if (section.write)(entry).is_none() {
            return Err(format!("the section of {name} has no contents"));
        }
        (rest, last) = (next, tag);
    }
    Ok(())
}

/// Decodes a value from exactly these bytes.
fn whole<T: bincode::Decode<()>>(bytes: &[u8]) -> Result<T, String> {
    match decode(bytes)? {
        (value, read) if read == bytes.len() => Ok(value),
        (_, read) => Err(format!("{} bytes are left over", bytes.len() - read)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::payload::{CheckedEntry, check_game, decode_game, encode_game};
    use super::super::wire::GamesFormat;
    use super::*;
    use crate::support::tournaments::{address_of, varied_entry};
    use patchwork_engine::record::{ConsideredAction, ConsideredActions};

    /// A game in which every third ply has considered actions.
    fn entry() -> Entry {
        let mut entry = varied_entry(4);
        for (i, ply) in entry.record.plies.iter().enumerate() {
            let action = ply.action().expect("an action");
            let actions = [900, 80, 7].map(|visits| ConsideredAction::new(action, visits, 0.25));
            entry.extras.considered.push(&actions[i % 3..2 + i % 2]);
        }
        entry
    }

    fn read_back(bytes: &[u8]) -> Result<Entry, String> {
        let mut entry = varied_entry(4);
        read(bytes, &mut entry)?;
        Ok(entry)
    }

    fn encoded(format: GamesFormat, entry: &Entry) -> Vec<u8> {
        encode_game(format, &address_of(entry), entry)
    }

    fn sections() -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&entry(), &mut bytes);
        bytes
    }

    #[test]
    fn a_game_without_extras_has_the_bytes_of_record_and_times() {
        let plain = varied_entry(4);
        let bytes = encode(&(address_of(&plain), (&plain.record, &plain.nanos)));
        assert_eq!(encoded(GamesFormat::Plain, &plain), bytes);
        // A list of plies without actions is the same as none.
        let mut empty = plain.clone();
        empty.extras.considered.push(&[]);
        for format in GamesFormat::ALL {
            assert_eq!(encoded(format, &empty), encoded(format, &plain));
        }
    }

    #[test]
    fn extras_come_back_and_leave_the_rest_as_it_is() {
        let (plain, full) = (varied_entry(4), entry());
        for format in GamesFormat::ALL {
            let bytes = encoded(format, &full);
            assert!(bytes.starts_with(&encoded(format, &plain)));
            let (address, checked, start) = check_game(format, &bytes).unwrap();
            assert_eq!(address, address_of(&full));
            let CheckedEntry::Decoded { entry, legal } = checked else {
                panic!("it has sections");
            };
            assert_eq!(entry.extras, full.extras);
            assert_eq!(legal, format == GamesFormat::Packed);
            assert_eq!(decode_game(format, &bytes), Ok((address, entry)));
            assert!(bytes[start..].ends_with(&sections()));
        }
        assert_eq!(read_back(&sections()).unwrap().extras, full.extras);
        assert_eq!(read_back(&[]).unwrap(), varied_entry(4));
    }

    #[test]
    fn other_bytes_are_refused_with_a_sentence() {
        let good = sections();
        let refused = |bytes: &[u8]| read_back(bytes).unwrap_err();
        let left = "4 bytes are left over; a section has at least 5";
        assert_eq!(refused(&good[..4]), left);
        assert_eq!(refused(&[&good[..], &[0; 4]].concat()), left);
        let unknown = "it has a section with tag 9, which this version does not know";
        assert_eq!(refused(&[9, 1, 0, 0, 0, 7]), unknown);
        assert_eq!(refused(&[&good[..], &[9, 0, 0, 0, 0]].concat()), unknown);
        let twice = "the section of considered actions occurs twice";
        assert_eq!(refused(&[&good[..], &good].concat()), twice);
        let length = good.len() - PREFIX;
        for cut in PREFIX..good.len() {
            let found = cut - PREFIX;
            let expected = format!(
                "the section of considered actions is cut off: expected {length} bytes, found {found}"
            );
            assert_eq!(refused(&good[..cut]), expected);
        }
        // The length field is too small or too large for the contents.
        for change in [-1, 1] {
            let mut other = good.clone();
            other.push(0);
            other[1..5].copy_from_slice(&(length as i32 + change).to_le_bytes());
            other.truncate((good.len() as i32 + change) as usize);
            refused(&other);
        }
        let empty = encode(&ConsideredActions::default());
        let mut bytes = vec![1, empty.len() as u8, 0, 0, 0];
        bytes.extend(empty);
        let plies = varied_entry(4).record.plies.len();
        assert_eq!(
            refused(&bytes),
            format!("the section of considered actions: it is of 0 plies, the game has {plies}")
        );
        let mut none = entry();
        none.extras.considered = ConsideredActions::default();
        (0..plies).for_each(|_| none.extras.considered.push(&[]));
        let none = encode(&none.extras.considered);
        let mut bytes = vec![1, none.len() as u8, 0, 0, 0];
        bytes.extend(none);
        let nothing = "the section of considered actions has no contents";
        assert_eq!(refused(&bytes), nothing);
    }
}
