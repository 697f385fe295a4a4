//! Reads all games once, a block at a time: what needs their plies is folded at once, and little is kept of each game.

use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};

use patchwork_engine::record::{Entry, GameId, PackedSetup};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use rayon::slice::ParallelSliceMut as _;

use super::branching::BranchingFold;
use super::highlights::Highlights;
use super::patches::PurchaseSpaces;
use super::rings::{RingPair, ring_pairs};
use super::scores::EndSums;
use super::sizes::SizesFold;
use super::tally::{GameTally, PlyTallies, WholeTally};
use super::thinking::ThinkingFold;
use crate::{Archive, StoreError};

/// Number of pairs of games that are unpacked at a time.
const BLOCK: usize = 1024;

/// What is gathered from all games.
pub(super) struct WholeGames {
    /// The games, sorted by identity.
    pub(super) tallies: Vec<GameTally>,
    pub(super) ring_pairs: Vec<RingPair>,
    pub(super) sums: GameSums,
    /// Of the games that were played to their end, as are the sizes.
    pub(super) branching: BranchingFold,
    pub(super) sizes: SizesFold,
}

/// What does not depend on the order of the games, because it consists of whole numbers and of the greatest ones. The second
/// and the third are of the games that were played to their end.
type GameSums = (ThinkingFold, EndSums, PurchaseSpaces, Highlights);

impl WholeGames {
    /// Reads these games, which may come in any order. The result does not depend on the number of threads. `place` is the
    /// place of a game in the order of the plan.
    pub(super) fn gather(
        pairings: &[(u16, u16)],
        games: &Archive,
        place: impl Fn(GameId) -> u64 + Sync,
    ) -> Result<Self, StoreError> {
        let mut order: Vec<u32> = (0..games.len() as u32).collect();
        order.sort_by_key(|&index| games.id(index as usize));
        let starts = starts(&order, games);
        let firsts: Vec<u32> = starts.iter().map(|&start| order[start as usize]).collect();
        let (by_setup, begins, shared) = by_setup(&firsts, games)?;
        let mut reading: Vec<u32> = (0..starts.len() as u32).collect();
        if let Some(shared) = &shared {
            reading.sort_by_key(|&pair| shared[pair as usize]);
        }
        let sums = Mutex::new(GameSums::default());
        let games_of = |&pair: &u32| {
            let pair = pair as usize;
            let end = starts
                .get(pair + 1)
                .map_or(order.len(), |&end| end as usize);
            &order[starts[pair] as usize..end]
        };
        let read = |pair: u32, entries: &[Entry]| -> Vec<WholeTally> {
            let mut sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
            entries
                .iter()
                .for_each(|entry| add(&mut sums, entry, &place));
            drop(sums);
            let mut tallies = GameTally::of_pair(entries);
            if let Some(shared) = &shared {
                let number = NonZeroU32::new(shared[pair as usize] + 1);
                tallies.iter_mut().for_each(|tally| tally.shared = number);
            }
            let plies = entries.iter().map(PlyTallies::new);
            tallies.into_iter().zip(plies).collect()
        };
        let read_block = |block: Option<&[u32]>| -> Result<Vec<Vec<WholeTally>>, StoreError> {
            let block = block.unwrap_or_default();
            let indices: Vec<u32> = block.iter().flat_map(games_of).copied().collect();
            let entries = games.entries(&indices)?;
            let mut rest = &entries[..];
            let pairs = block.iter().map(|pair| {
                let (of_pair, others) = rest.split_at(games_of(pair).len());
                rest = others;
                (*pair, of_pair)
            });
            let pairs: Vec<_> = pairs.collect();
            let tallies = pairs.par_iter();
            Ok(tallies
                .map(|&(pair, entries)| read(pair, entries))
                .collect())
        };
        let mut blocks = reading.chunks(BLOCK);
        let mut tallies = Vec::with_capacity(order.len());
        let (mut branching, mut sizes) = (BranchingFold::new(), SizesFold::new(pairings));
        let mut read = read_block(blocks.next())?;
        while !read.is_empty() {
            let block = blocks.next();
            let fold = || fold(read, &mut tallies, &mut branching, &mut sizes);
            let (next, ()) = rayon::join(|| read_block(block), fold);
            read = next?;
        }
        if shared.is_some() {
            tallies.sort_unstable_by_key(GameTally::id);
        }
        // The pairs on rings need as much memory.
        drop((order, starts, reading, shared));
        let by_setup = by_setup.into_iter().zip(begins);
        Ok(Self {
            ring_pairs: ring_pairs(&tallies, by_setup, &firsts),
            tallies,
            sums: sums.into_inner().unwrap_or_else(PoisonError::into_inner),
            branching,
            sizes,
        })
    }
}

/// Adds a game to the sums.
fn add(
    (thinking, ends, spaces, highlights): &mut GameSums,
    entry: &Entry,
    place: impl Fn(GameId) -> u64,
) {
    thinking.add(entry);
    highlights.add(&entry.record, place);
    if entry.record.termination.is_none() {
        ends.add(&entry.record);
        spaces.add(&entry.record);
    }
}

/// Where in an order of the games by identity each pair begins.
fn starts(order: &[u32], games: &Archive) -> Vec<u32> {
    let pair = |at: usize| {
        let GameId { pairing, pair, .. } = games.id(order[at] as usize);
        (pairing, pair)
    };
    let begins = |&at: &usize| at == 0 || pair(at) != pair(at - 1);
    let starts = (0..order.len()).filter(begins);
    starts.map(|at| at as u32).collect()
}

/// What [`by_setup`] returns.
type BySetup = (Vec<u32>, Vec<bool>, Option<Vec<u32>>);

/// The numbers of the pairs with a valid setup, by setup and then by number; for each of them, whether its setup is not
/// that of the pair before; and the number of each pair's setup, that of the first pair that played it, if any two pairs
/// share one. `firsts` has the index of the first game of each pair.
fn by_setup(firsts: &[u32], games: &Archive) -> Result<BySetup, StoreError> {
    let mut sorted: Vec<(PackedSetup, u32)> = Vec::with_capacity(firsts.len());
    for (block, games_of_block) in (0..).zip(firsts.chunks(BLOCK)) {
        let numbers = (block * BLOCK) as u32..;
        let setups = games.setups(games_of_block)?.into_iter().zip(numbers);
        sorted.extend(setups.filter_map(|(setup, pair)| Some((PackedSetup::new(&setup?), pair))));
    }
    sorted.par_sort_unstable();
    let mut shared: Option<Vec<u32>> = None;
    for pairs in sorted.chunk_by(|one, other| one.0 == other.0) {
        if let [(_, first), others @ ..] = pairs
            && !others.is_empty()
        {
            let shared = shared.get_or_insert_with(|| (0..firsts.len() as u32).collect());
            others
                .iter()
                .for_each(|&(_, pair)| shared[pair as usize] = *first);
        }
    }
    let begins = |at: usize| at == 0 || sorted[at].0 != sorted[at - 1].0;
    let order = sorted.iter().map(|&(_, pair)| pair).collect();
    Ok((order, (0..sorted.len()).map(begins).collect(), shared))
}

/// Adds pairs to the statistics, in their order.
fn fold(
    mut pairs: Vec<Vec<WholeTally>>,
    tallies: &mut Vec<GameTally>,
    branching: &mut BranchingFold,
    sizes: &mut SizesFold,
) {
    for pair in &mut pairs {
        tallies.extend(pair.iter().map(|(tally, _)| tally.clone()));
        pair.retain(|(tally, _)| tally.is_finished());
    }
    pairs.retain(|pair| !pair.is_empty());
    rayon::join(
        || pairs.iter().for_each(|pair| branching.add(pair)),
        || pairs.iter().for_each(|pair| sizes.add(pair)),
    );
}
