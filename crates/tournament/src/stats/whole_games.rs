//! Reads all games once, a block at a time: what needs their plies is folded at once, and little is kept of each game.

use std::ops::Range;

use patchwork_engine::record::{Entry, GameId, PackedSetup};
use rayon::iter::{IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};
use rayon::slice::ParallelSliceMut as _;

use super::branching::BranchingFold;
use super::highlights::Highlights;
use super::pairings::{IdenticalPairs, pairing_key};
use super::pairs::Pairs;
use super::patches::{Buyers, PurchaseSpaces};
use super::rings::RingPair;
use super::scores::EndSums;
use super::sizes::SizesFold;
use super::tally::{MAX_REPLAYED, PlyTallies, WholeTally};
use super::thinking::ThinkingFold;
use crate::{Archive, TournamentError};

/// Number of pairs of games that are unpacked at a time.
const BLOCK: usize = 1024;

/// What is found in the plies of all games.
pub(super) struct WholeGames {
    /// Of each game, in the order of the games.
    pub(super) buyers: Vec<Buyers>,
    pub(super) identical: IdenticalPairs,
    /// The pairs that were played to their end on one ring with the seats swapped, in the order of the rings.
    pub(super) ring_pairs: Vec<RingPair>,
    pub(super) sums: GameSums,
    /// Of the games that were played to their end, as are the following ones.
    pub(super) branching: BranchingFold,
    pub(super) sizes: SizesFold,
}

/// What does not depend on the order of the games, because it consists of whole numbers and of the greatest ones. The second
/// and the third are of the games that were played to their end.
type GameSums = (ThinkingFold, EndSums, PurchaseSpaces, Highlights);

/// What is read of a pair.
struct PairRead {
    place: u32,
    games: Vec<WholeTally>,
    buyers: Vec<Buyers>,
    has_same_actions: bool,
    /// Whether both games were played to their end on the same setup with the seats swapped.
    is_swapped: bool,
}

impl PairRead {
    /// The games of the pair at a place, of which there is at least one. With `replays`, it is one of those whose branching
    /// is counted as the paper does.
    fn new(place: u32, pair: &[Entry], replays: bool) -> Self {
        let records = || pair.iter().map(|entry| &entry.record);
        let [has_same_actions, is_swapped] = match pair {
            [one, two] => {
                let (one, two) = (&one.record, &two.record);
                let are_finished = records().all(|record| record.termination.is_none());
                let [first, second] = one.agents;
                let are_swapped = two.agents == [second, first];
                let is_swapped = are_finished && are_swapped && two.setup == one.setup;
                [one.actions().eq(two.actions()), is_swapped]
            }
            _ => [false; 2],
        };
        let game = |entry: &Entry| ((&entry.record).into(), PlyTallies::new(entry, replays));
        Self {
            place,
            games: pair.iter().map(game).collect(),
            buyers: records().map(Buyers::new).collect(),
            has_same_actions,
            is_swapped,
        }
    }
}

impl WholeGames {
    /// Reads the games of these pairs, which are those of the archive. The result does not depend on the number of threads.
    /// `order` has the places of the pairs by setup, and `place` is the place of a game in the order of the plan.
    pub(super) fn gather(
        pairings: &[(u16, u16)],
        games: &Archive,
        pairs: &Pairs<'_>,
        order: SetupOrder,
        place: impl Fn(GameId) -> u64 + Sync,
    ) -> Result<Self, TournamentError> {
        let by_setup = (!pairs.is_by_setup()).then(|| {
            let mut places: Vec<u32> = (0..pairs.len() as u32).collect();
            places.sort_by_key(|&pair| pairs.setup(pair as usize));
            places
        });
        let reading = |at: usize| by_setup.as_ref().map_or(at as u32, |places| places[at]);
        let (mut thinking, mut ends, mut spaces, mut highlights) = GameSums::default();
        let step = pairs.len().div_ceil(MAX_REPLAYED).max(1);
        let range = |pair: u32| pairs.range(pair as usize);
        let mut read_block = |block: Range<usize>| -> Result<Vec<PairRead>, TournamentError> {
            let block: Vec<u32> = block.map(reading).collect();
            let indices = block.iter().flat_map(|&pair| range(pair));
            let indices: Vec<u32> = indices.map(|index| index as u32).collect();
            let entries = games.entries(&indices)?;
            let mut rest = &entries[..];
            let read_pairs = block.iter().map(|&pair| {
                let (of_pair, others) = rest.split_at(range(pair).len());
                rest = others;
                (pair, of_pair)
            });
            let read_pairs: Vec<_> = read_pairs.collect();
            let read = |&(pair, entries): &(u32, &[Entry])| {
                PairRead::new(pair, entries, (pair as usize).is_multiple_of(step))
            };
            let add = |entry: &Entry| {
                thinking.add(entry);
                highlights.add(&entry.record, &place);
                if entry.record.termination.is_none() {
                    ends.add(&entry.record);
                    spaces.add(&entry.record);
                }
            };
            let read_all = || read_pairs.par_iter().map(read).collect();
            Ok(rayon::join(read_all, || entries.iter().for_each(add)).0)
        };
        let mut whole = Self {
            buyers: vec![Buyers::default(); games.len()],
            identical: IdenticalPairs::new(),
            ring_pairs: Vec::new(),
            sums: GameSums::default(),
            branching: BranchingFold::new(),
            sizes: SizesFold::new(pairings),
        };
        let mut swapped = vec![false; games.len()];
        let block_at = |start: usize| start..pairs.len().min(start + BLOCK);
        let mut start = 0;
        let mut block = read_block(block_at(start))?;
        while !block.is_empty() {
            start = pairs.len().min(start + BLOCK);
            let fold = || whole.fold(block, pairs, &mut swapped);
            let (next, ()) = rayon::join(|| read_block(block_at(start)), fold);
            block = next?;
        }
        whole.ring_pairs = order.ring_pairs(&swapped);
        whole.sums = (thinking, ends, spaces, highlights);
        Ok(whole)
    }

    /// Adds pairs to the statistics, in their order.
    fn fold(&mut self, mut read: Vec<PairRead>, pairs: &Pairs<'_>, swapped: &mut [bool]) {
        for pair in &mut read {
            let place = pair.place as usize;
            self.buyers[pairs.range(place)].copy_from_slice(&pair.buyers);
            swapped[pairs.range(place).start] = pair.is_swapped;
            let game = &pair.games[0].0;
            if pair.has_same_actions {
                let key = pairing_key(game.pairing, game.agents);
                *self.identical.entry(key).or_default() += 1;
            }
            pair.games.retain(|(game, _)| game.is_finished());
        }
        read.retain(|pair| !pair.games.is_empty());
        let all = || {
            let setup = |pair: &PairRead| pairs.setup(pair.place as usize);
            read.iter().map(move |pair| (setup(pair), &pair.games[..]))
        };
        let branching = || all().for_each(|(setup, pair)| self.branching.add(setup, pair));
        let sizes = || all().for_each(|(setup, pair)| self.sizes.add(setup, pair));
        rayon::join(branching, sizes);
    }
}

/// The pairs in the order of their setups.
pub(super) struct SetupOrder {
    pairs: Vec<RingPair>,
    /// The number of each pair's setup, that of the first pair that played it, if any two pairs have the same one.
    pub(super) shared: Option<Vec<u32>>,
}

impl SetupOrder {
    pub(super) fn new(pairs: &Pairs<'_>, games: &Archive) -> Self {
        let count = pairs.len() as u32;
        let first = |pair: u32| pairs.range(pair as usize).start as u32;
        let setup = |pair: u32| PackedSetup::new(&games.setup(first(pair) as usize));
        // For millions of pairs, this is much of the memory.
        let sorted = (0..count).into_par_iter();
        let mut sorted: Vec<(PackedSetup, u32)> = sorted.map(|pair| (setup(pair), pair)).collect();
        sorted.par_sort_unstable();
        let mut shared: Option<Vec<u32>> = None;
        for alike in sorted.chunk_by(|one, other| one.0 == other.0) {
            if let [(_, number), others @ ..] = alike
                && !others.is_empty()
            {
                let shared = shared.get_or_insert_with(|| (0..count).collect());
                others
                    .iter()
                    .for_each(|&(_, pair)| shared[pair as usize] = *number);
            }
        }
        let begins = |at: usize| at == 0 || sorted[at].0 != sorted[at - 1].0;
        let order = (0..sorted.len()).map(|at| RingPair::new(first(sorted[at].1), begins(at)));
        Self {
            pairs: order.collect(),
            shared,
        }
    }

    /// The pairs whose first game is marked.
    fn ring_pairs(self, is_marked: &[bool]) -> Vec<RingPair> {
        let mut begins_here = false;
        let pair = |pair: RingPair| {
            begins_here |= pair.begins();
            is_marked[pair.game() as usize]
                .then(|| RingPair::new(pair.game(), std::mem::take(&mut begins_here)))
        };
        self.pairs.into_iter().filter_map(pair).collect()
    }
}
