//! Finished games in memory.

use std::borrow::Cow;

use super::wire::{decode_known, encode};
use crate::record::{Entry, GameId, Games};
use crate::tournament::encounter::GameResult;

/// Finished games, packed as in `games.bin`. A game takes about a kilobyte and is unpacked on
/// access.
#[derive(Clone, Default)]
pub struct Archive {
    bytes: Vec<u8>,
    spans: Vec<FrameSpan>,
}

/// The location of a game, and its most frequently used data.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameSpan {
    start: usize,
    length: u32,
    result: GameResult,
    agents: [u16; 2],
    timed: bool,
}

impl FrameSpan {
    pub(super) fn new(entry: &Entry, start: usize, length: usize) -> Self {
        Self {
            start,
            length: length as u32,
            result: GameResult::from(&entry.record),
            agents: entry.record.agents,
            timed: entry.nanos.len() == entry.record.plies.len(),
        }
    }

    pub(super) fn unpack(&self, bytes: &[u8]) -> Entry {
        decode_known(&bytes[self.start..][..self.length as usize])
    }
}

impl Archive {
    /// The games at these positions in the bytes.
    pub(super) const fn new(bytes: Vec<u8>, spans: Vec<FrameSpan>) -> Self {
        Self { bytes, spans }
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
        self.spans.iter().map(|span| span.result.id)
    }

    /// The result of each game.
    pub(crate) fn results(&self) -> impl Iterator<Item = GameResult> {
        self.spans.iter().map(|span| span.result)
    }

    /// The agents in the first and the second seat of each game.
    pub(crate) fn seats(&self) -> impl Iterator<Item = [u16; 2]> {
        self.spans.iter().map(|span| span.agents)
    }

    /// For each game, whether every ply has a time.
    pub(crate) fn timed(&self) -> impl Iterator<Item = bool> {
        self.spans.iter().map(|span| span.timed)
    }

    /// The games, unpacked one at a time.
    pub fn iter(&self) -> impl Iterator<Item = Entry> {
        self.spans.iter().map(|span| span.unpack(&self.bytes))
    }

    /// The game with this identity.
    #[must_use]
    pub fn find(&self, id: GameId) -> Option<Entry> {
        let span = self.spans.iter().find(|span| span.result.id == id)?;
        Some(span.unpack(&self.bytes))
    }

    /// Appends a game.
    pub fn push(&mut self, entry: &Entry) {
        let (start, payload) = (self.bytes.len(), encode(entry));
        self.spans.push(FrameSpan::new(entry, start, payload.len()));
        self.bytes.extend(payload);
    }

    /// Sorts the games by identity.
    pub fn sort(&mut self) {
        self.spans.sort_by_key(|span| span.result.id);
    }
}

impl Games for Archive {
    fn count(&self) -> usize {
        self.len()
    }

    fn id(&self, index: usize) -> GameId {
        self.spans[index].result.id
    }

    fn entry(&self, index: usize) -> Cow<'_, Entry> {
        Cow::Owned(self.spans[index].unpack(&self.bytes))
    }
}

impl FromIterator<Entry> for Archive {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Self {
        let mut archive = Self::default();
        entries.into_iter().for_each(|entry| archive.push(&entry));
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
            assert_eq!(archive.find(entry.record.id).as_ref(), Some(entry));
        }
        let other = varied_entry(8).record.id;
        assert_eq!(archive.find(other), None);
        assert_eq!((archive.len(), archive.is_empty()), (7, false));
    }
}
