//! Games in few bytes: an action is its number among the legal ones, and nothing is stored that follows from
//! playing the game again.
//!
//! A packed game is a sequence of bits, the lowest bit of each byte first. Unpacking plays the game by the rules, so
//! what comes out is a legal game.
//!
//! | bits | contents |
//! |---|---|
//! | 1 | the track: 0 original, 1 revised |
//! | 1 | whether the player to move lost by a fault after the last ply |
//! | 1 | whether any ply has a thought |
//! | 7 | the number of plies, or 127 if there is a komi: then 7 bits with the komi and 7 with the number of plies |
//! | 32 x 5 | the patches of the ring but the last, each less 2 |
//! | 7, 3 | the smallest *size* of a time, and the number of bits in which the others differ from it |
//!
//! Then, for each ply:
//!
//! | bits | contents |
//! |---|---|
//! | as many as the largest number needs | the number of the action, in the order of [`State::for_each_action`] |
//! | 3 bits above, then size - 1 | the time in nanoseconds: its size less the smallest, then its bits but the first |
//! | 1 and more | if any ply has a thought: whether this one has, then the [`Thought`] |
//!
//! The size of a number is the number of its bits up to the highest 1; that of 0 is 0.

use super::games::Record;
use super::ply::{Ply, Thought, TreeFacts};
use super::termination::{FaultReason, Termination};
use super::{Entry, Extras, GameId};
use crate::board::{BoardWork, CoverLanes, FindFits, with_best};
use crate::game::{
    FindActions, MAX_KOMI, MAX_PLIES, NumberedActions, PATCH_COUNT, Ring, Rules, Setup, State,
    Track,
};

const PLY_BITS: u32 = 7;
/// In place of the number of plies, which is smaller.
const KOMI_FOLLOWS: u64 = 127;
const KOMI_BITS: u32 = 7;
const _: () = assert!(MAX_PLIES < KOMI_FOLLOWS as usize && MAX_KOMI < 1 << KOMI_BITS);
const PATCH_BITS: u32 = 5;
const SIZE_BITS: u32 = 7;
const WIDTH_BITS: u32 = 3;

/// The ring has every patch once, and the patch with this number is last.
const LAST_PATCH: u8 = 1;

/// A game that was unpacked.
#[derive(Clone, Debug, PartialEq)]
pub struct Unpacked {
    /// The game.
    pub game: Entry,
    /// Whether the player to move lost by a fault after the last ply.
    pub by_fault: bool,
    /// The number of bytes that it took.
    pub length: usize,
}

/// The bytes of a game. `None` if the record is not that of a legal game or the times are not those of its plies; identity,
/// termination and extras are not packed.
pub fn pack(entry: &Entry) -> Option<Vec<u8>> {
    let record = &entry.record;
    let setup = &record.setup;
    let mut state = State::new(setup);
    let mut legal = NumberedActions::default();
    let bytes = put(entry, |ply| {
        legal.find(&state, setup);
        let number = legal.number(ply.action)?;
        let expected = Ply::counted(&state, ply.action, legal.count(), ply.thought);
        state.play_unchecked(setup, ply.action);
        (*ply == expected).then_some(number)
    })?;
    if let Some(end) = record.termination
        && end.loser != state.mover()
    {
        return None;
    }
    let expected = ended(setup, Vec::new(), &state, record.termination.is_some())?;
    record.ends_like(&expected).then_some(bytes)
}

/// The bytes of a game that was played by the rules, as of [`pack`]. `numbers` are those of its actions, each among the legal
/// ones in its position; they are not found again. `None` if there is not one number and one time for each ply.
pub fn pack_played(entry: &Entry, numbers: &[u16]) -> Option<Vec<u8>> {
    let mut rest = numbers.iter();
    let bytes = put(entry, |_| rest.next().map(|&number| number.into()))?;
    rest.next().is_none().then_some(bytes)
}

/// The bytes of a game whose actions have these numbers, unless one has none.
#[inline(always)]
fn put(entry: &Entry, mut number: impl FnMut(&Ply) -> Option<u32>) -> Option<Vec<u8>> {
    let Entry { record, nanos, .. } = entry;
    let count = record.plies.len();
    if nanos.len() != count || count as u64 >= KOMI_FOLLOWS {
        return None;
    }
    let setup = &record.setup;
    let thinks = record
        .plies
        .iter()
        .any(|ply| ply.thought != Thought::default());
    let mut bits = BitWriter {
        bytes: Vec::with_capacity(2 * MAX_PLIES),
        ..BitWriter::default()
    };
    bits.put((setup.track() as u8).into(), 1);
    bits.put(record.termination.is_some().into(), 1);
    bits.put(thinks.into(), 1);
    if setup.rules().komi() > 0 {
        bits.put(KOMI_FOLLOWS, PLY_BITS);
        bits.put(setup.rules().komi().into(), KOMI_BITS);
    }
    bits.put(count as u64, PLY_BITS);
    for patch in &setup.ring().order()[..PATCH_COUNT - 1] {
        bits.put((patch.number() - LAST_PATCH - 1).into(), PATCH_BITS);
    }
    let times = TimeForm::of(nanos);
    bits.put(times.least.into(), SIZE_BITS);
    bits.put(times.width.into(), WIDTH_BITS);
    let mut iterations = 0;
    for (ply, &time) in record.plies.iter().zip(nanos) {
        let number = number(ply)?;
        bits.put(number.into(), bits_below(ply.legal.into()));
        times.put(time, &mut bits);
        if thinks {
            put_thought(&ply.thought, &mut iterations, &mut bits);
        }
    }
    Some(bits.end())
}

/// The record of a game that came to this state, where it is over or the mover lost it by a fault; `None` if it is
/// neither. Identity and termination are left out.
fn ended(setup: &Setup, plies: Vec<Ply>, end: &State, by_fault: bool) -> Option<Record> {
    if end.is_over() == by_fault {
        return None;
    }
    // The reason is not part of what is returned.
    let lost = by_fault.then_some(Termination {
        loser: end.mover(),
        reason: FaultReason::Time,
    });
    let record = Record::new(GameId::default(), [0, 0], setup, plies, end, lost);
    Some(Record {
        termination: None,
        ..record
    })
}

/// Unpacks the game at the start of `bytes`, without identity, termination and extras.
pub fn unpack(bytes: &[u8]) -> Result<Unpacked, String> {
    let mut bits = BitReader { bytes, at: 0 };
    let start = Start::take(&mut bits)?;
    let (plies, nanos, end) = with_best(PlayPacked(&start, &mut bits))?;
    let by_fault = start.by_fault;
    let record = ended(&start.setup, plies, &end, by_fault).ok_or_else(|| no_end(by_fault))?;
    Ok(Unpacked {
        game: Entry {
            record,
            nanos,
            extras: Extras::default(),
        },
        by_fault,
        length: bits.bytes_read(),
    })
}

/// Why a game that has no end is none.
fn no_end(by_fault: bool) -> String {
    match by_fault {
        true => "it ends by a fault after its end",
        false => "it has no end",
    }
    .to_owned()
}

/// The setup of the packed game at the start of `bytes`; the rest is not read.
pub fn unpack_setup(bytes: &[u8]) -> Result<Setup, String> {
    Ok(Start::take(&mut BitReader { bytes, at: 0 })?.setup)
}

/// What a packed game begins with.
struct Start {
    setup: Setup,
    by_fault: bool,
    thinks: bool,
    /// The number of plies.
    count: usize,
}

impl Start {
    fn take(bits: &mut BitReader<'_>) -> Result<Self, String> {
        let track = Track::ALL[bits.take(1)? as usize];
        let by_fault = bits.take(1)? == 1;
        let thinks = bits.take(1)? == 1;
        let mut count = bits.take(PLY_BITS)?;
        let mut rules = Rules::from(track);
        if count == KOMI_FOLLOWS {
            let komi = bits.take(KOMI_BITS)? as u8;
            let found = Rules::with_komi(track, komi).filter(|_| komi > 0);
            rules = found.ok_or_else(|| format!("a komi of {komi}; expected 1 to {MAX_KOMI}"))?;
            count = bits.take(PLY_BITS)?;
        }
        let mut ring = [LAST_PATCH; PATCH_COUNT];
        for patch in &mut ring[..PATCH_COUNT - 1] {
            *patch = bits.take(PATCH_BITS)? as u8 + LAST_PATCH + 1;
        }
        let ring = Ring::new(&ring).map_err(|error| error.to_string())?;
        Ok(Self {
            setup: Setup::new(rules, ring),
            by_fault,
            thinks,
            count: count as usize,
        })
    }
}

/// Plays the game that begins so and goes on with these bits by the rules.
struct PlayPacked<'a, 'b>(&'a Start, &'a mut BitReader<'b>);

impl BoardWork for PlayPacked<'_, '_> {
    /// The plies, their times in nanoseconds, and the position after the last one.
    type Result = Result<(Vec<Ply>, Vec<u64>, State), String>;

    #[inline(always)]
    fn run<F: FindFits, L: CoverLanes<N>, const N: usize>(self) -> Self::Result {
        let Self(start, bits) = self;
        let setup = &start.setup;
        let mut plies = Vec::with_capacity(start.count);
        let mut nanos = Vec::with_capacity(start.count);
        let times = TimeForm {
            least: bits.take(SIZE_BITS)? as u32,
            width: bits.take(WIDTH_BITS)? as u32,
        };
        let mut state = State::new(setup);
        let mut actions = NumberedActions::default();
        let mut iterations = 0;
        for ply in 1..=start.count {
            FindActions(&mut actions, &state, setup).run::<F, L, N>();
            let legal = actions.count();
            if legal == 0 {
                return Err(format!("ply {ply}: the game is over"));
            }
            let number = bits.take(bits_below(legal))? as u32;
            let action = actions.action(number).ok_or_else(|| {
                let last = legal - 1;
                format!("ply {ply}: action {number}; expected 0 to {last}")
            })?;
            let time = times.take(bits)?;
            let thought = match start.thinks {
                true => take_thought(&mut iterations, bits)?,
                false => Thought::default(),
            };
            plies.push(Ply::counted(&state, action, legal, thought));
            nanos.push(time);
            state.play_unchecked(setup, action);
        }
        Ok((plies, nanos, state))
    }
}

/// The number of bits of the numbers below `count`, which is not 0.
const fn bits_below(count: u32) -> u32 {
    size(count as u64 - 1)
}

/// The number of bits of a number up to its highest 1.
const fn size(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

/// How the times of a game are packed.
struct TimeForm {
    /// The smallest size.
    least: u32,
    /// The number of bits of the differences from it.
    width: u32,
}

impl TimeForm {
    fn of(nanos: &[u64]) -> Self {
        let sizes = || nanos.iter().map(|&time| size(time));
        let least = sizes().min().unwrap_or(0);
        Self {
            least,
            width: size((sizes().max().unwrap_or(0) - least).into()),
        }
    }

    fn put(&self, time: u64, bits: &mut BitWriter) {
        bits.put((size(time) - self.least).into(), self.width);
        bits.put_sized(time);
    }

    fn take(&self, bits: &mut BitReader<'_>) -> Result<u64, String> {
        let size = self.least + bits.take(self.width)? as u32;
        bits.take_sized(size)
    }
}

/// Packs a thought. `iterations` is the last number of iterations that was packed.
fn put_thought(thought: &Thought, iterations: &mut u32, bits: &mut BitWriter) {
    let some = *thought != Thought::default();
    bits.put(some.into(), 1);
    if !some {
        return;
    }
    let same = thought.iterations == *iterations;
    bits.put(same.into(), 1);
    if !same {
        bits.put_number(thought.iterations);
        *iterations = thought.iterations;
    }
    bits.put(thought.value.is_some().into(), 1);
    if let Some(value) = thought.value {
        bits.put(value.to_bits().into(), u32::BITS);
    }
    bits.put(thought.proven.is_some().into(), 1);
    if let Some(proven) = thought.proven {
        bits.put(proven.into(), 1);
    }
    bits.put(thought.tree.is_some().into(), 1);
    if let Some(tree) = thought.tree {
        bits.put_number(tree.nodes);
        bits.put(tree.mean_depth.to_bits().into(), u32::BITS);
        bits.put_number(tree.max_depth.into());
        bits.put(tree.entropy.to_bits().into(), u32::BITS);
    }
}

fn take_thought(iterations: &mut u32, bits: &mut BitReader<'_>) -> Result<Thought, String> {
    let mut thought = Thought::default();
    if bits.take(1)? == 0 {
        return Ok(thought);
    }
    if bits.take(1)? == 0 {
        *iterations = bits.take_number()?;
    }
    thought.iterations = *iterations;
    let float = |bits: &mut BitReader<'_>| -> Result<f32, String> {
        let value = f32::from_bits(bits.take(u32::BITS)? as u32);
        match value.is_nan() {
            true => Err("a thought has a value that is no number".to_owned()),
            false => Ok(value),
        }
    };
    if bits.take(1)? == 1 {
        thought.value = Some(float(bits)?);
    }
    if bits.take(1)? == 1 {
        thought.proven = Some(bits.take(1)? == 1);
    }
    if bits.take(1)? == 1 {
        thought.tree = Some(TreeFacts {
            nodes: bits.take_number()?,
            mean_depth: float(bits)?,
            max_depth: {
                let depth = bits.take_number()?;
                u16::try_from(depth).map_err(|_| format!("a depth of {depth}"))?
            },
            entropy: float(bits)?,
        });
    }
    Ok(thought)
}

/// The number of bits of the size of a number of 32 bits.
const NUMBER_SIZE_BITS: u32 = 6;

#[derive(Default)]
struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that do not fill four bytes yet.
    rest: u64,
    count: u32,
}

impl BitWriter {
    /// Appends the `width` lowest bits of a number that has no others.
    fn put(&mut self, number: u64, width: u32) {
        if width > u32::BITS {
            self.put(number & u64::from(u32::MAX), u32::BITS);
            return self.put(number >> u32::BITS, width - u32::BITS);
        }
        self.rest |= number << self.count;
        self.count += width;
        if self.count >= u32::BITS {
            self.bytes.extend((self.rest as u32).to_le_bytes());
            self.rest >>= u32::BITS;
            self.count -= u32::BITS;
        }
    }

    /// Appends a number of known size: its bits but the highest 1.
    fn put_sized(&mut self, number: u64) {
        if let Some(width) = size(number).checked_sub(1) {
            self.put(number ^ 1 << width, width);
        }
    }

    /// Appends a number with its size.
    fn put_number(&mut self, number: u32) {
        self.put(size(number.into()).into(), NUMBER_SIZE_BITS);
        self.put_sized(number.into());
    }

    /// Fills the last byte with zeros.
    fn end(mut self) -> Vec<u8> {
        let bytes = self.count.div_ceil(u8::BITS) as usize;
        self.bytes.extend(&self.rest.to_le_bytes()[..bytes]);
        self.bytes
    }
}

struct BitReader<'a> {
    bytes: &'a [u8],
    /// The number of bits that were read.
    at: usize,
}

impl BitReader<'_> {
    /// The next bits as a number; at most 64.
    #[inline(always)]
    fn take(&mut self, width: u32) -> Result<u64, String> {
        if width > u32::BITS {
            return self.take_in_halves(width);
        }
        let from = &self.bytes[self.at / 8..];
        let end = self.end_of(width)?;
        let word = match from.first_chunk() {
            Some(word) => u64::from_le_bytes(*word),
            None => {
                let mut word = [0; 8];
                word[..from.len()].copy_from_slice(from);
                u64::from_le_bytes(word)
            }
        };
        let bits = word >> (self.at % 8) & ((1 << width) - 1);
        self.at = end;
        Ok(bits)
    }

    /// The number of bytes that were read, at least in part.
    const fn bytes_read(&self) -> usize {
        self.at.div_ceil(8)
    }

    /// More than 32 bits.
    fn take_in_halves(&mut self, width: u32) -> Result<u64, String> {
        let low = self.take(u32::BITS)?;
        Ok(low | self.take(width - u32::BITS)? << u32::BITS)
    }

    /// The number of bits that were read after this many more.
    #[inline(always)]
    fn end_of(&self, width: u32) -> Result<usize, String> {
        let end = self.at + width as usize;
        match end > 8 * self.bytes.len() {
            true => Err("the packed game is cut off".to_owned()),
            false => Ok(end),
        }
    }

    /// A number of this size.
    fn take_sized(&mut self, size: u32) -> Result<u64, String> {
        match size.checked_sub(1) {
            None => Ok(0),
            Some(width) if width < u64::BITS => Ok(self.take(width)? | 1 << width),
            Some(_) => Err(format!("a number of {size} bits; expected at most 64")),
        }
    }

    /// A number of 32 bits after its size.
    fn take_number(&mut self) -> Result<u32, String> {
        let size = self.take(NUMBER_SIZE_BITS)? as u32;
        let number = self.take_sized(size)?;
        u32::try_from(number).map_err(|_| format!("a number of {size} bits; expected at most 32"))
    }
}

#[cfg(test)]
mod tests;
