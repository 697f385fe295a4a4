use std::io::Cursor;

use proptest::prelude::*;

use super::*;
use crate::support::tournaments::{address_of, identified, varied_entries, varied_entry};
use crate::tournament::identity::PLAY;
use crate::tournament::store::MAX_FRAME;
use crate::tournament::store::payload::decode_known;

/// A file of games, and the ends of its header and frames.
fn file_of(entries: &[Entry]) -> (Vec<u8>, Vec<usize>) {
    let mut bytes = file_header(PLAY).to_vec();
    let mut ends = vec![bytes.len()];
    for entry in entries {
        bytes.extend(frame_of(entry).unwrap());
        ends.push(bytes.len());
    }
    (bytes, ends)
}

fn frame_of(entry: &Entry) -> Result<Vec<u8>, usize> {
    frame_of_game(GamesFormat::CURRENT, &address_of(entry), entry)
}

/// The entries that [`scan`] finds, and the end of the last one.
fn parse(bytes: &[u8]) -> Result<(Vec<Entry>, u64), Fault> {
    let entry = |game: StoredGame<'_>| {
        let encoded = &bytes[game.start as usize..][..game.length() as usize];
        let entry = game.entry();
        assert_eq!(decode_known(GamesFormat::CURRENT, encoded), *entry);
        assert_eq!(game.setup().as_deref(), entry.record.setup().as_ref());
        assert_eq!(game.facts(), (&entry.record).into());
        let is_timed = entry.nanos.len() == entry.record.plies.len();
        // Only games with a time for each ply are packed, and thereby known to be legal.
        assert_eq!((game.is_legal(), game.is_timed()), (is_timed, is_timed));
        Ok(identified(game))
    };
    let mut games = Vec::new();
    match scan(bytes, Path::new("games.bin"), entry, |game| {
        games.push(game)
    }) {
        Ok(found) => {
            assert_eq!(found.end + found.torn, bytes.len() as u64);
            Ok((games, found.end))
        }
        Err(StoreError::Games { fault, .. }) => Err(fault),
        Err(error) => panic!("{error}"),
    }
}

fn offset_of(fault: &Fault) -> u64 {
    match fault {
        Fault::NoGames => 0,
        Fault::Format(_) => 7,
        Fault::Damaged { offset, .. }
        | Fault::Undecodable { offset, .. }
        | Fault::Foreign { offset, .. } => *offset,
    }
}

#[test]
fn the_layout_is_as_documented() {
    let mut expected = vec![0xF5, 0x67, 0xD2, 0x9B, 3, 0, 0, 0];
    // XXH3-64 of `abc` with seed 3, as the reference library in C computes it.
    expected.extend(0xC098_C308_6BCC_EFA0_u64.to_le_bytes());
    expected.extend(b"abc");
    assert_eq!(frame(b"abc"), expected);
}

#[test]
fn a_file_reads_back() {
    let entries = varied_entries(20);
    let (bytes, _) = file_of(&entries);
    assert_eq!(parse(&bytes), Ok((entries, bytes.len() as u64)));
}

#[test]
fn a_file_cut_anywhere_keeps_its_whole_frames() {
    let entries = varied_entries(5);
    let (bytes, ends) = file_of(&entries);
    for length in 0..=bytes.len() {
        let whole = ends.iter().filter(|&&end| end <= length).count();
        let (kept, end) = whole.checked_sub(1).map_or((0, 0), |n| (n, ends[n]));
        assert_eq!(
            parse(&bytes[..length]),
            Ok((entries[..kept].to_vec(), end as u64)),
            "cut to {length}"
        );
    }
}

#[test]
fn a_changed_byte_is_noticed() {
    let entries = varied_entries(4);
    let (mut bytes, ends) = file_of(&entries);
    for at in 0..bytes.len() {
        let kept = bytes[at];
        for bits in [1, 0x80, 0xFF, kept] {
            if bits == 0 {
                continue;
            }
            bytes[at] = kept ^ bits;
            let found = parse(&bytes);
            if (8..ends[0]).contains(&at) {
                // The version of play is compared with the manifest elsewhere.
                assert_eq!(found.unwrap().0, entries);
            } else if at < ends[0] {
                let offset = offset_of(&found.unwrap_err());
                assert_eq!(offset, if at < 7 { 0 } else { 7 });
            } else {
                let before = ends.iter().filter(|&&end| end <= at).count();
                let Err(Fault::Damaged { offset, game, .. }) = found else {
                    panic!("byte {at}: {found:?}");
                };
                assert_eq!((offset, game), (ends[before - 1] as u64, before as u64));
            }
        }
        bytes[at] = kept;
    }
}

#[test]
fn only_a_frame_that_the_file_ends_within_and_zeros_are_torn() {
    let entries = varied_entries(2);
    let (bytes, ends) = file_of(&entries);
    let with = |tail: &[u8]| parse(&[&bytes, tail].concat());
    let whole = || Ok((entries.clone(), bytes.len() as u64));
    let damaged = |flaw| {
        Err(Fault::Damaged {
            offset: bytes.len() as u64,
            game: 3,
            flaw,
        })
    };
    // A power failure leaves any number of zeros.
    for zeros in [1, 20, BLOCK, 3 * BLOCK + 1] {
        let tail = [0].repeat(zeros);
        assert_eq!(with(&tail), whole());
        assert_eq!(with(&[&tail, &[1][..]].concat()), damaged(Flaw::Marker));
    }
    for length in [1, 3, 4, MAX_FRAME, BLOCK + 1] {
        assert_eq!(with(&[7].repeat(length)), damaged(Flaw::Marker));
    }
    assert_eq!(with(&MARKER[..3]), whole());
    assert!(with(&MARKER.repeat(2)).is_err());
    // Half a frame followed by a whole one, also if its length reaches to the end of the file.
    let frame = &bytes[FILE_HEADER..ends[1]];
    assert!(with(&[&frame[..100], frame].concat()).is_err());
    let mut long = frame[..100].to_vec();
    long[4..8].copy_from_slice(&(MAX_PAYLOAD as u32).to_le_bytes());
    assert_eq!(with(&long), whole());
    assert_eq!(with(&[&long, frame].concat()), damaged(Flaw::Short));
}

#[test]
fn a_bit_of_each_of_the_last_games_is_noticed() {
    let entries = varied_entries(6);
    let (bytes, ends) = file_of(&entries);
    // Bits of the marker, the length, the checksum and the payload.
    for bit in [0, 40, 48, 70, 200] {
        for last in 1..=5 {
            let mut bytes = bytes.clone();
            for (i, start) in ends[6 - last..6].iter().enumerate() {
                // The first game keeps its marker, so that only its length can tell where it ends.
                let bit = if i == 0 { bit } else { 0 };
                bytes[start + bit / 8] ^= 1 << (bit % 8);
            }
            let Err(Fault::Damaged { offset, .. }) = parse(&bytes) else {
                panic!("bit {bit} of {last} games");
            };
            assert_eq!(offset, ends[6 - last] as u64);
        }
    }
}

#[test]
fn a_torn_frame_may_be_as_long_as_a_frame_can_be() {
    let mut entry = varied_entry(1);
    entry.nanos = vec![0; 60_000];
    let long = frame_of(&entry).unwrap();
    let (mut bytes, ends) = file_of(&varied_entries(1));
    bytes.extend(&long);
    assert_eq!(parse(&bytes).unwrap().0[1], entry);
    bytes.pop();
    assert_eq!(parse(&bytes).unwrap().1, ends[1] as u64);

    entry.nanos = vec![0; MAX_PAYLOAD];
    assert!(frame_of(&entry).unwrap_err() > MAX_PAYLOAD);
}

#[test]
fn other_payloads_are_of_another_version() {
    let of = |entry: Entry| encode_game(GamesFormat::CURRENT, &address_of(&entry), &entry);
    let payload = of(varied_entry(3));
    // A list that claims to have 2^64 - 1 numbers, in a game that is not packed because it has no times.
    let mut endless = of(Entry {
        nanos: Vec::new(),
        ..varied_entry(3)
    });
    assert_eq!(endless.pop(), Some(0));
    endless.push(0xFD);
    endless.extend([0xFF; 8]);
    for other in [
        &payload[..payload.len() - 1],
        &[&payload[..], &[0]].concat(),
        &[],
        &[0xFF; 40],
        &endless,
    ] {
        let (mut bytes, ends) = file_of(&varied_entries(1));
        bytes.extend(frame(other));
        let Err(Fault::Undecodable { offset, game, .. }) = parse(&bytes) else {
            panic!("{other:?} was taken for an entry");
        };
        assert_eq!((offset, game), (ends[1] as u64, 2));
    }
}

#[test]
fn files_of_others_are_refused() {
    assert_eq!(parse(b"{}"), Err(Fault::NoGames));
    assert_eq!(parse(b"PWGAMERS and more"), Err(Fault::NoGames));
    assert_eq!(parse(b"PWGAMES\x02"), Err(Fault::Format(2)));
    assert_eq!(parse(b"PWGAMES\x05 and more"), Err(Fault::Format(5)));
}

/// A file on a disk with room for this many bytes; truncating it may fail.
struct FullDisk {
    file: Cursor<Vec<u8>>,
    room: usize,
    cuts_refused: u32,
}

impl FullDisk {
    fn new(room: usize) -> Self {
        Self {
            file: Cursor::default(),
            room,
            cuts_refused: 0,
        }
    }
}

impl Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let free = self.room - self.file.position() as usize;
        if free == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        // A few bytes at a time, as a system may do.
        self.file.write(&bytes[..bytes.len().min(free).min(50)])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for FullDisk {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Target for FullDisk {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        if self.cuts_refused > 0 {
            self.cuts_refused -= 1;
            return Err(io::ErrorKind::Other.into());
        }
        self.file.get_mut().resize(length as usize, 0);
        Ok(())
    }
}

#[test]
fn a_full_disk_loses_only_the_game_that_does_not_fit() {
    let entries = varied_entries(3);
    let (bytes, ends) = file_of(&entries);
    for room in ends[0]..bytes.len() {
        let fits = ends.iter().filter(|&&end| end <= room).count() - 1;
        let mut games = Appender::new(FullDisk::new(room), PLAY).unwrap();
        for (i, entry) in entries.iter().enumerate().take(fits + 1) {
            let written = games.append(&frame_of(entry).unwrap());
            assert_eq!(written.is_ok(), i < fits, "room {room}, game {i}");
        }
        assert_eq!(games.file.file.get_ref(), &bytes[..ends[fits]]);
        // The user makes room.
        games.file.room = bytes.len();
        for entry in &entries[fits..] {
            games.append(&frame_of(entry).unwrap()).unwrap();
        }
        assert_eq!(games.file.file.get_ref(), &bytes);
    }
}

#[test]
fn a_cut_that_fails_is_made_up_for() {
    let entries = varied_entries(2);
    let (bytes, ends) = file_of(&entries);
    let mut games = Appender::new(FullDisk::new(ends[1] + 10), PLAY).unwrap();
    let frames = entries.iter().map(|entry| frame_of(entry).unwrap());
    let frames: Vec<_> = frames.collect();
    games.append(&frames[0]).unwrap();
    games.file.cuts_refused = 2;
    games.append(&frames[1]).unwrap_err();
    assert_eq!(games.file.file.get_ref().len(), ends[1] + 10);
    games.file.room = bytes.len();
    // While the torn frame cannot be cut off, nothing may be written after it.
    games.append(&frames[1]).unwrap_err();
    assert_eq!(games.file.file.get_ref().len(), ends[1] + 10);
    games.append(&frames[1]).unwrap();
    assert_eq!(games.file.file.get_ref(), &bytes);
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(header: bool, bytes: Vec<u8>, frames: Vec<(bool, Vec<u8>)>) {
        let mut file = if header { file_header(PLAY).to_vec() } else { Vec::new() };
        for (whole, payload) in &frames {
            if *whole {
                file.extend(frame(payload));
            } else {
                file.extend(payload);
            }
        }
        file.extend(bytes);
        if let Ok((entries, end)) = parse(&file) {
            prop_assert!(end as usize <= file.len());
            prop_assert!(entries.len() <= frames.len());
        }
    }

    #[test]
    fn a_payload_with_changed_bytes_decodes_or_does_not(
        seed in 0u32..50,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let entry = varied_entry(seed);
        let mut payload = encode_game(GamesFormat::CURRENT, &address_of(&entry), &entry);
        for (at, byte) in changes {
            let at = at.index(payload.len());
            payload[at] = byte;
        }
        if let Ok((address, entry)) = decode_game(GamesFormat::CURRENT, &payload) {
            // Numbers may be encoded with more bytes than necessary, so the bytes may differ.
            let again = encode_game(GamesFormat::CURRENT, &address, &entry);
            prop_assert!(again.len() <= payload.len());
        }
    }

    #[test]
    fn damage_before_whole_frames_is_never_cut_off(
        count in 2u32..8,
        from in any::<prop::sample::Index>(),
        junk in prop::collection::vec(any::<u8>(), 1..200),
    ) {
        let entries = varied_entries(count);
        let (mut bytes, ends) = file_of(&entries);
        let last = ends[count as usize - 1];
        let from = from.index(last);
        let to = (from + junk.len()).min(last);
        let before = bytes.clone();
        bytes[from..to].copy_from_slice(&junk[..to - from]);
        match parse(&bytes) {
            // The version of play, in the header, is compared with the manifest.
            Ok((found, _)) => {
                prop_assert!(bytes[FILE_HEADER..] == before[FILE_HEADER..] && found == entries);
            }
            Err(fault) => prop_assert!(offset_of(&fault) as usize <= to),
        }
    }
}
