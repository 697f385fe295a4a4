//! Reads all games once, a block at a time: what needs their plies is folded at once, and little is kept of each game.

use std::sync::{Mutex, PoisonError};

use patchwork_engine::record::{GameId, Games};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::branching::BranchingFold;
use super::packed_setup::PackedSetup;
use super::sizes::SizesFold;
use super::tally::{GameTally, PlyTallies, WholeTally, shared_numbers};
use super::thinking::ThinkingFold;

/// Number of pairs of games that are unpacked at a time.
const BLOCK: usize = 1024;

/// What is gathered from all games.
pub(super) struct WholeGames {
    /// The games, sorted by identity.
    pub(super) tallies: Vec<GameTally>,
    pub(super) thinking: ThinkingFold,
    /// Of the games that were played to their end, as are the sizes.
    pub(super) branching: BranchingFold,
    pub(super) sizes: SizesFold,
}

/// The games of a pair by their indices, and the number of their setup, if pairs share setups.
type PairPlace<'a> = (&'a [u32], Option<u32>);

impl WholeGames {
    /// Reads these games, which may come in any order. The result does not depend on the number of threads.
    pub(super) fn gather(pairings: &[(u16, u16)], games: &(impl Games + ?Sized)) -> Self {
        let mut order: Vec<u32> = (0..games.count() as u32).collect();
        order.sort_by_key(|&index| games.id(index as usize));
        let places = pair_places(&order, games);
        let is_shared = places.iter().any(|(_, shared)| shared.is_some());
        let thinking = Mutex::new(ThinkingFold::default());
        let read = |&(pair, shared): &PairPlace<'_>| -> Vec<WholeTally> {
            let read = |&index: &u32| {
                let entry = games.entry(index as usize);
                // The sums are integers, so the result does not depend on the order of the threads.
                let mut thinking = thinking.lock().unwrap_or_else(PoisonError::into_inner);
                thinking.add(&entry);
                drop(thinking);
                let mut tally = GameTally::new(&entry);
                tally.shared = shared;
                (tally, PlyTallies::new(&entry))
            };
            pair.iter().map(read).collect()
        };
        let read_block = |block: Option<&[PairPlace<'_>]>| -> Vec<Vec<WholeTally>> {
            block.map_or_else(Vec::new, |block| block.par_iter().map(read).collect())
        };
        let mut blocks = places.chunks(BLOCK);
        let mut tallies = Vec::with_capacity(order.len());
        let (mut branching, mut sizes) = (BranchingFold::new(), SizesFold::new(pairings));
        let mut pairs = read_block(blocks.next());
        while !pairs.is_empty() {
            let next = blocks.next();
            let fold = || fold(pairs, &mut tallies, &mut branching, &mut sizes);
            (pairs, ()) = rayon::join(|| read_block(next), fold);
        }
        if is_shared {
            tallies.sort_by_key(|tally| tally.id);
        }
        Self {
            tallies,
            thinking: thinking
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner),
            branching,
            sizes,
        }
    }
}

/// The pairs of these games, which are sorted by identity. If pairs share setups, those on the same setup come one
/// after another.
fn pair_places<'a>(order: &'a [u32], games: &(impl Games + ?Sized)) -> Vec<PairPlace<'a>> {
    let pair = |&index: &u32| {
        let GameId { pairing, pair, .. } = games.id(index as usize);
        (pairing, pair)
    };
    let pairs = order.chunk_by(|one, other| pair(one) == pair(other));
    let mut places: Vec<PairPlace<'_>> = pairs.map(|pair| (pair, None)).collect();
    let setup = |&(pair, _): &PairPlace<'_>| {
        let setup = games.setup(pair[0] as usize);
        setup.as_ref().map(PackedSetup::new)
    };
    let setups: Vec<Option<PackedSetup>> = places.par_iter().map(setup).collect();
    if let Some(numbers) = shared_numbers(setups.into_iter()) {
        for ((_, shared), number) in places.iter_mut().zip(numbers) {
            *shared = Some(number);
        }
        places.sort_by_key(|&(_, shared)| shared);
    }
    places
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
