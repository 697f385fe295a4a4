//! Finished games in memory.

use std::borrow::Cow;
use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

use patchwork_engine::game::{Player, Setup};
use patchwork_engine::record::{Entry, Extras, FaultReason, GameFacts, GameId, Games, Thought};
use patchwork_rating::RatedGame;

use super::frames::StoredGame;
use super::payload::{decode_known, encode_entry, setup_of_known};
use super::wire::GamesFormat;
use crate::tournament::encounter::{GameResult, PlannedGame};

/// Finished games, packed as in `games.bin`, either in memory or in the file itself, and unpacked on access. Games in
/// a file take 28 bytes of memory each.
#[derive(Clone)]
pub struct Archive {
    bytes: Bytes,
    spans: Vec<FrameSpan>,
}

#[derive(Clone)]
enum Bytes {
    Memory(Vec<u8>),
    /// A file that may only grow.
    File(Arc<File>, GamesFormat),
}

/// The location of a game, and its facts. There is one for each game in memory.
#[derive(Clone, Copy, Debug)]
pub(in crate::tournament) struct FrameSpan {
    /// The length in the highest [`FrameSpan::LENGTH_BITS`], and the position below them, in two halves.
    place: [u32; 2],
    pairing: u32,
    pair: u32,
    agents: [u16; 2],
    scores: [i16; 2],
    fault: Option<FaultReason>,
    plies: u8,
    turns: u8,
    flags: u8,
}

const _: () = assert!(size_of::<FrameSpan>() == 28);

impl FrameSpan {
    /// The span of a stored game, with its identity in the plan.
    pub(in crate::tournament) fn new(game: &StoredGame<'_>, planned: PlannedGame) -> Self {
        let facts = GameFacts {
            id: planned.id,
            agents: planned.seats,
            ..game.facts()
        };
        Self::at(&facts, game.is_timed(), game.start, game.length())
    }

    fn at(facts: &GameFacts, timed: bool, start: u64, length: u32) -> Self {
        let place = u64::from(length) << Self::START_BITS | start;
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        Self {
            place: [place as u32, (place >> u32::BITS) as u32],
            pairing: facts.id.pairing,
            pair: facts.id.pair,
            agents: facts.agents,
            scores: facts.scores,
            fault: facts.fault,
            plies: facts.plies,
            turns: facts.turns,
            flags: flag(facts.id.leg == 1, Self::SECOND_LEG)
                | flag(facts.winner == Player::Second, Self::SECOND_WON)
                | flag(timed, Self::TIMED)
                | flag(facts.bonus == Some(Player::First), Self::FIRST_BONUS)
                | flag(facts.bonus == Some(Player::Second), Self::SECOND_BONUS),
        }
    }

    const SECOND_LEG: u8 = 1;
    const SECOND_WON: u8 = 1 << 1;
    const TIMED: u8 = 1 << 2;
    const FIRST_BONUS: u8 = 1 << 3;
    const SECOND_BONUS: u8 = 1 << 4;

    const fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Enough for an entry of 16 MB, in a file of a terabyte.
    const LENGTH_BITS: u32 = 24;
    const START_BITS: u32 = u64::BITS - Self::LENGTH_BITS;

    const fn place(&self) -> u64 {
        (self.place[1] as u64) << u32::BITS | self.place[0] as u64
    }

    const fn start(&self) -> u64 {
        self.place() & ((1 << Self::START_BITS) - 1)
    }

    const fn length(&self) -> usize {
        (self.place() >> Self::START_BITS) as usize
    }

    pub(in crate::tournament) const fn id(&self) -> GameId {
        GameId {
            pairing: self.pairing,
            pair: self.pair,
            leg: self.is(Self::SECOND_LEG) as u8,
        }
    }

    const fn winner(&self) -> Player {
        match self.is(Self::SECOND_WON) {
            false => Player::First,
            true => Player::Second,
        }
    }

    fn facts(&self) -> GameFacts {
        let bonus = [
            (Self::FIRST_BONUS, Player::First),
            (Self::SECOND_BONUS, Player::Second),
        ];
        let bonus = bonus.into_iter().find(|&(flag, _)| self.is(flag));
        GameFacts {
            id: self.id(),
            agents: self.agents,
            scores: self.scores,
            winner: self.winner(),
            bonus: bonus.map(|(_, player)| player),
            fault: self.fault,
            plies: self.plies,
            turns: self.turns,
        }
    }
}

impl Default for Archive {
    fn default() -> Self {
        Self {
            bytes: Bytes::Memory(Vec::new()),
            spans: Vec::new(),
        }
    }
}

impl Archive {
    /// The games at these positions of a file.
    pub(in crate::tournament) const fn in_file(
        file: Arc<File>,
        format: GamesFormat,
        spans: Vec<FrameSpan>,
    ) -> Self {
        Self {
            bytes: Bytes::File(file, format),
            spans,
        }
    }

    /// Reads a game.
    ///
    /// # Panics
    /// When the file can no longer be read or its games were changed after it was opened.
    fn unpack(&self, span: &FrameSpan) -> Entry {
        let (format, bytes) = self.stored(span);
        let mut entry = decode_known(format, &bytes);
        entry.record.id = span.id();
        entry.record.agents = span.agents;
        entry
    }

    /// The bytes of a game, and their format.
    fn stored(&self, span: &FrameSpan) -> (GamesFormat, Cow<'_, [u8]>) {
        let length = span.length();
        match &self.bytes {
            Bytes::Memory(bytes) => {
                let bytes = &bytes[span.start() as usize..][..length];
                (GamesFormat::CURRENT, Cow::Borrowed(bytes))
            }
            Bytes::File(file, format) => {
                let mut bytes = vec![0; length];
                read_at(file, &mut bytes, span.start()).expect("the file of games can be read");
                (*format, Cow::Owned(bytes))
            }
        }
    }

    /// The encoding of a game in the current format.
    ///
    /// # Panics
    /// As reading it.
    pub(in crate::tournament) fn encoded(&self, index: usize) -> Vec<u8> {
        let span = &self.spans[index];
        match self.stored(span) {
            (GamesFormat::CURRENT, bytes) => bytes.into_owned(),
            _ => {
                let mut bytes = Vec::new();
                encode_entry(GamesFormat::CURRENT, &self.unpack(span), &mut bytes);
                bytes
            }
        }
    }

    /// The encoding of a game without estimates, candidates, times and error output.
    ///
    /// # Panics
    /// As reading it.
    pub(in crate::tournament) fn encoded_moves(&self, index: usize) -> Vec<u8> {
        let mut entry = self.unpack(&self.spans[index]);
        for ply in &mut entry.record.plies {
            ply.thought = Thought::default();
        }
        entry.nanos.fill(0);
        entry.extras = Extras::default();
        let mut bytes = Vec::new();
        encode_entry(GamesFormat::CURRENT, &entry, &mut bytes);
        bytes
    }

    /// The game of the plan at a position.
    pub(in crate::tournament) fn planned(&self, index: usize) -> PlannedGame {
        let span = &self.spans[index];
        PlannedGame {
            id: span.id(),
            seats: span.agents,
        }
    }

    /// The number of games.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there are no games.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The identities of the games, in their order.
    pub fn ids(&self) -> impl Iterator<Item = GameId> {
        self.spans.iter().map(FrameSpan::id)
    }

    /// The result of each game.
    pub(crate) fn results(&self) -> impl Iterator<Item = GameResult> {
        self.spans.iter().map(|span| (&span.facts()).into())
    }

    /// A game in the form used for ratings, without reading the file.
    ///
    /// # Panics
    /// When there are not as many games.
    #[must_use]
    pub fn rated(&self, index: usize) -> RatedGame {
        let span = &self.spans[index];
        let first_won = span.winner() == Player::First;
        RatedGame::of_pair(span.pairing, span.pair, span.agents, first_won)
    }

    /// The agents in the first and the second seat of each game.
    pub(crate) fn seats(&self) -> impl Iterator<Item = [u16; 2]> {
        self.spans.iter().map(|span| span.agents)
    }

    /// For each game, whether every ply has a time.
    pub(crate) fn timed(&self) -> impl Iterator<Item = bool> {
        self.spans.iter().map(|span| span.is(FrameSpan::TIMED))
    }

    /// The games, unpacked one at a time.
    pub fn iter(&self) -> impl Iterator<Item = Entry> {
        self.spans.iter().map(|span| self.unpack(span))
    }

    /// The game with this identity.
    #[must_use]
    pub fn find(&self, id: GameId) -> Option<Entry> {
        let span = self.spans.iter().find(|span| span.id() == id)?;
        Some(self.unpack(span))
    }

    /// Appends a game. `stored` are the bytes of the file at which the store has written the encoded entry; an
    /// archive in memory does not need them.
    ///
    /// # Panics
    /// When the games are those of a file and it is not known where this one was stored.
    pub(in crate::tournament) fn push(&mut self, entry: &Entry, stored: Option<Range<u64>>) {
        let bytes = match &mut self.bytes {
            Bytes::Memory(bytes) => {
                let start = bytes.len() as u64;
                encode_entry(GamesFormat::CURRENT, entry, bytes);
                start..bytes.len() as u64
            }
            Bytes::File(..) => stored.expect("games are appended to a file by its store"),
        };
        let length = (bytes.end - bytes.start) as u32;
        let timed = entry.nanos.len() == entry.record.plies.len();
        let facts = GameFacts::from(&entry.record);
        self.spans
            .push(FrameSpan::at(&facts, timed, bytes.start, length));
    }

    /// Removes the games for which `keep` is false and returns them.
    pub(in crate::tournament) fn retain(&mut self, keep: impl Fn(GameId) -> bool) -> Self {
        let (kept, removed) = self.spans.iter().partition(|span| keep(span.id()));
        self.spans = kept;
        Self {
            bytes: self.bytes.clone(),
            spans: removed,
        }
    }

    /// Sorts the games by identity.
    pub fn sort(&mut self) {
        // In place: a stable sort would take half as much memory again.
        self.spans.sort_unstable_by_key(FrameSpan::id);
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], start: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

#[cfg(not(unix))]
fn read_at(file: &File, bytes: &mut [u8], start: u64) -> std::io::Result<()> {
    use std::io::{Read as _, Seek as _, SeekFrom};
    // The position is shared by all threads.
    static SEEK: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _lock = SEEK
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut file = file;
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(bytes)
}

impl Games for Archive {
    fn count(&self) -> usize {
        self.len()
    }

    fn id(&self, index: usize) -> GameId {
        self.spans[index].id()
    }

    fn entry(&self, index: usize) -> Cow<'_, Entry> {
        Cow::Owned(self.unpack(&self.spans[index]))
    }

    fn facts(&self, index: usize) -> GameFacts {
        self.spans[index].facts()
    }

    fn setup(&self, index: usize) -> Option<Setup> {
        let span = &self.spans[index];
        let (format, bytes) = self.stored(span);
        let setup = setup_of_known(format, &bytes);
        setup.or_else(|| decode_known(format, &bytes).record.setup())
    }
}

impl FromIterator<Entry> for Archive {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        let mut archive = Self::default();
        entries
            .into_iter()
            .for_each(|entry| archive.push(&entry, None));
        archive
    }
}

impl std::fmt::Debug for Archive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.ids()).finish()
    }
}

/// Archives are equal if they hold the same games in the same order.
impl PartialEq for Archive {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::tournaments::{varied_entries, varied_entry};

    #[test]
    fn games_are_packed_and_found_again() {
        let entries = varied_entries(7);
        let mut archive: Archive = entries.iter().rev().cloned().collect();
        assert!(archive.iter().eq(entries.iter().rev().cloned()));
        archive.sort();
        assert!(archive.iter().eq(entries.iter().cloned()));
        for (i, entry) in entries.iter().enumerate() {
            assert_eq!(archive.id(i), entry.record.id);
            assert_eq!(archive.entry(i).as_ref(), entry);
            assert_eq!(archive.facts(i), (&entry.record).into());
            assert_eq!(archive.find(entry.record.id).as_ref(), Some(entry));
        }
        let other = varied_entry(8).record.id;
        assert_eq!(archive.find(other), None);
        assert_eq!((archive.len(), archive.is_empty()), (7, false));
    }
}
