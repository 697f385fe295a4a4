//! The bytes of a record: what an entry becomes in the ledger and in messages of fleets.
//!
//! In bincode 2, standard configuration: the form, the game in this form, then what only some games have (the considered
//! actions, the expected actions, the error output, the termination). A game of the form 1 is
//! [packed](patchwork_engine::record::pack): the ring, the number of each action among the legal ones, the times and the
//! thoughts. The rest follows from the rules, so such a game is legal. Any other game has the form 0. The form also says
//! whether only the moves were kept (2 is added), and whether the game was interrupted (4).

use bincode::{BorrowDecode, Encode};
use patchwork_engine::game::{Player, Setup};
use patchwork_engine::record::{
    ConsideredActions, Entry, ExpectedLines, Extras, FaultReason, Record, Termination, Thought,
    pack, pack_played, unpack, unpack_setup,
};
use twox_hash::XxHash3_64;

use crate::planning::identity::GameAddress;

/// The form of a game that is not packed, and what is added to it.
const PLAIN: u8 = 0;
const PACKED: u8 = 1;
const MOVES_ONLY: u8 = 2;
const INTERRUPTED: u8 = 4;

/// The maximum number of bytes of a record; a real one takes about a hundred.
pub const MAX_RECORD: usize = 1 << 16;

/// What only some games have.
type Rare = (
    ConsideredActions,
    ExpectedLines,
    [String; 2],
    Option<(u8, FaultReason)>,
);

pub(super) fn encode(value: &impl Encode) -> Vec<u8> {
    bincode::encode_to_vec(value, bincode::config::standard())
        .expect("numbers and lists of them can always be encoded")
}

/// A value at the start of `bytes`, and the bytes after it.
fn decode<'a, T: BorrowDecode<'a, ()>>(bytes: &'a [u8]) -> Result<(T, &'a [u8]), String> {
    // A corrupt list length must not cause a huge allocation. The limit counts bytes in memory; a stored byte takes at
    // most 4.
    let config = bincode::config::standard().with_limit::<{ 8 * MAX_RECORD }>();
    let decoded = bincode::borrow_decode_from_slice(bytes, config);
    let (value, read) = decoded.map_err(|error| error.to_string())?;
    Ok((value, &bytes[read..]))
}

fn loss(record: &Record) -> Option<(u8, FaultReason)> {
    let end = record.termination?;
    Some((end.loser.index() as u8, end.reason))
}

/// A game with the bytes that are stored of it.
#[derive(Clone, Debug)]
pub struct EncodedGame {
    entry: Entry,
    record: Vec<u8>,
}

impl EncodedGame {
    /// A game that has just been played by the rules, whose actions have these numbers among the legal ones. In one game in
    /// 16, and in the first one of each pairing, everything is found again and compared.
    pub(crate) fn played(entry: Entry, numbers: &[u16]) -> Self {
        let is_checked = entry.record.id.pair.is_multiple_of(8) && entry.record.id.leg == 0;
        let packed = (!is_checked)
            .then(|| pack_played(&entry, numbers))
            .flatten();
        let packed = packed.or_else(|| pack(&entry));
        let record = encode_entry(&entry, packed);
        Self { entry, record }
    }

    /// The game.
    pub const fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The game and its bytes.
    pub(super) fn into_parts(self) -> (Entry, Vec<u8>) {
        (self.entry, self.record)
    }

    /// The bytes, which leave out the identity in a plan.
    pub(crate) fn record(&self) -> &[u8] {
        &self.record
    }
}

/// A game from elsewhere.
impl From<Entry> for EncodedGame {
    fn from(entry: Entry) -> Self {
        let record = encode_entry(&entry, pack(&entry));
        Self { entry, record }
    }
}

/// The bytes of an entry, whose game has these packed ones if it is legal.
fn encode_entry(entry: &Entry, packed: Option<Vec<u8>>) -> Vec<u8> {
    let extras = &entry.extras;
    let rare = (
        &extras.considered,
        &extras.expected,
        &extras.stderr,
        loss(&entry.record),
    );
    let form =
        MOVES_ONLY * u8::from(extras.moves_only) + INTERRUPTED * u8::from(extras.interrupted);
    match packed {
        Some(packed) => encode(&(form + PACKED, &packed[..], rare)),
        None => encode(&(form + PLAIN, (&entry.record, &entry.nanos), rare)),
    }
}

/// The entry of these bytes, without its identity in the plan, and whether it is known to be legal.
pub(super) fn decode_entry(bytes: &[u8]) -> Result<(Entry, bool), String> {
    let (form, rest) = decode::<u8>(bytes)?;
    let (mut entry, by_fault, rest) = match form & !(MOVES_ONLY | INTERRUPTED) {
        PLAIN => {
            let ((record, nanos), rest) = decode(rest)?;
            let extras = Extras::default();
            let entry = Entry {
                record,
                nanos,
                extras,
            };
            (entry, None, rest)
        }
        PACKED => {
            let (packed, rest) = decode::<&[u8]>(rest)?;
            let unpacked = unpack(packed).map_err(illegal)?;
            if unpacked.length < packed.len() {
                return Err(illegal("it goes on after its end".to_owned()));
            }
            (unpacked.game, Some(unpacked.by_fault), rest)
        }
        _ => return Err(format!("it has the form {form}; expected 0 to 7")),
    };
    entry.extras.moves_only = form & MOVES_ONLY != 0;
    entry.extras.interrupted = form & INTERRUPTED != 0;
    with_rare(entry, by_fault, rest)
}

/// Adds to an entry what only some games have, and checks that it belongs to it.
fn with_rare(
    mut entry: Entry,
    by_fault: Option<bool>,
    rest: &[u8],
) -> Result<(Entry, bool), String> {
    let ((considered, expected, stderr, loss), rest): (Rare, _) = decode(rest)?;
    if !rest.is_empty() {
        return Err(format!("{} bytes are left over", rest.len()));
    }
    let plies = entry.record.plies.len();
    if !considered.is_empty() {
        considered.check(plies)?;
    }
    if !expected.is_empty() {
        expected.check(plies)?;
    }
    entry.extras = Extras {
        considered,
        expected,
        stderr,
        ..entry.extras
    };
    if let Some((loser, reason)) = loss {
        let loser = Player::BOTH.get(usize::from(loser)).copied();
        let loser = loser.ok_or("the loser is neither 0 nor 1")?;
        entry.record.termination = Some(Termination { loser, reason });
    }
    match (by_fault, entry.record.termination) {
        (Some(true), None) => Err("it ends by a fault that is not stored".to_owned()),
        (Some(false), Some(_)) => Err("it ends by a fault after its end".to_owned()),
        (Some(true), Some(end)) if end.loser == entry.record.winner => {
            Err("it ends by a fault of the player who was not to move".to_owned())
        }
        _ => Ok((entry, by_fault.is_some())),
    }
}

fn illegal(what: String) -> String {
    format!("it is not a legal game: {what}")
}

/// The setup of an entry's bytes.
pub(super) fn decode_setup(bytes: &[u8]) -> Result<Setup, String> {
    let (form, rest) = decode::<u8>(bytes)?;
    if form & PACKED != 0 {
        return unpack_setup(decode::<&[u8]>(rest)?.0).map_err(illegal);
    }
    Ok(decode_entry(bytes)?.0.record.setup)
}

/// The bytes of a record alone: two games are identical if these are equal.
fn encode_record(record: &Record) -> Vec<u8> {
    encode(&(record, loss(record)))
}

/// Whether two entries are the same game. If only the moves were kept of one, they are compared without the thoughts.
pub(crate) fn is_same_game(one: &Entry, other: &Entry) -> bool {
    if !one.extras.moves_only && !other.extras.moves_only {
        return encode_record(&one.record) == encode_record(&other.record);
    }
    let [one, other] = [one, other].map(|entry| encode_record(&without_thoughts(&entry.record)));
    one == other
}

/// A record without the thoughts of its agents.
pub(crate) fn without_thoughts(record: &Record) -> Record {
    let mut record = record.clone();
    for ply in &mut record.plies {
        ply.thought = Thought::default();
    }
    record
}

/// Games with their addresses as the bytes of a message, which begin with a checksum.
///
/// # Errors
/// The number of bytes of a game that is too large.
pub fn encode_games(games: &[(GameAddress, Entry)]) -> Result<Vec<u8>, usize> {
    let mut bytes = vec![0; size_of::<u64>()];
    for (address, entry) in games {
        let record = encode_entry(entry, pack(entry));
        if record.len() > MAX_RECORD {
            return Err(record.len());
        }
        bytes.extend(encode(&(address, record)));
    }
    let checksum = XxHash3_64::oneshot(&bytes[size_of::<u64>()..]);
    bytes[..size_of::<u64>()].copy_from_slice(&checksum.to_le_bytes());
    Ok(bytes)
}

/// The games of [`encode_games`].
pub fn decode_games(bytes: &[u8]) -> Result<Vec<(GameAddress, Entry)>, String> {
    let (checksum, mut bytes) = bytes.split_first_chunk().ok_or("it has no checksum")?;
    if u64::from_le_bytes(*checksum) != XxHash3_64::oneshot(bytes) {
        return Err("the checksum does not match".to_owned());
    }
    let mut games = Vec::new();
    while !bytes.is_empty() {
        let ((address, record), rest): ((GameAddress, &[u8]), _) = decode(bytes)?;
        games.push((address, decode_entry(record)?.0));
        bytes = rest;
    }
    Ok(games)
}
