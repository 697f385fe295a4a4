//! Reads all games once, a block at a time: what needs their plies is folded at once, and little is kept of each game.

use std::collections::BTreeMap;
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
use crate::planning::plan::Plan;
use crate::{Archive, TournamentError};

/// Number of pairs of games that are unpacked at a time.
const BLOCK: usize = 1024;

/// What is found in the plies of all games.
#[derive(Clone, Debug)]
pub(super) struct WholeGames {
    /// Of each game, in the order of the games.
    pub(super) buyers: Vec<Buyers>,
    pub(super) identical: IdenticalPairs,
    /// Whether a pair that begins with this game was played to its end on one setup with the seats swapped.
    pub(super) swapped: Vec<bool>,
    pub(super) sums: GameSums,
    /// Of the games that were played to their end, as are the following ones.
    pub(super) branching: BranchingFold,
    pub(super) sizes: SizesFold,
}

/// What does not depend on the order of the games, because it consists of whole numbers and of the greatest ones. The second
/// and the third are of the games that were played to their end.
type GameSums = (ThinkingFold, EndSums, PurchaseSpaces, Highlights);

/// What is read of a game.
#[derive(Debug)]
pub(crate) struct GameRead(WholeTally, Buyers);

impl GameRead {
    /// With `replays`, the branching of the game is counted as the paper does, too.
    pub(crate) fn new(entry: &Entry, replays: bool) -> Self {
        let (record, plies) = (&entry.record, PlyTallies::new(entry, replays));
        Self((record.into(), plies), Buyers::new(record))
    }
}

/// What is read of a pair.
struct PairRead {
    /// The index of its first game.
    start: usize,
    /// The number of its setup, if several pairs have the same one.
    setup: Option<u32>,
    games: Vec<WholeTally>,
    buyers: Vec<Buyers>,
    has_same_actions: bool,
    /// Whether both games were played to their end on the same setup with the seats swapped.
    is_swapped: bool,
}

impl PairRead {
    /// The games of a pair, of which there is at least one, with what is read of each.
    fn new(start: usize, setup: Option<u32>, pair: &[Entry], read: Vec<GameRead>) -> Self {
        let [has_same_actions, is_swapped] = match pair {
            [one, two] => {
                let (one, two) = (&one.record, &two.record);
                let are_finished = one.termination.is_none() && two.termination.is_none();
                let [first, second] = one.agents;
                let are_swapped = two.agents == [second, first];
                let is_swapped = are_finished && are_swapped && two.setup == one.setup;
                [one.actions().eq(two.actions()), is_swapped]
            }
            _ => [false; 2],
        };
        let read = read.into_iter().map(|game| (game.0, game.1));
        let (games, buyers) = read.unzip();
        Self {
            start,
            setup,
            games,
            buyers,
            has_same_actions,
            is_swapped,
        }
    }
}

impl WholeGames {
    /// Reads the games of these pairs, which are those of the archive. The result does not depend on the number of threads.
    /// `place` is the place of a game in the order of the plan.
    pub(super) fn gather(
        pairings: &[(u16, u16)],
        games: &Archive,
        pairs: &Pairs<'_>,
        place: impl Fn(GameId) -> u64 + Sync,
    ) -> Result<Self, TournamentError> {
        let by_setup = (!pairs.is_by_setup()).then(|| {
            let mut places: Vec<u32> = (0..pairs.len() as u32).collect();
            places.sort_by_key(|&pair| pairs.setup(pair as usize));
            places
        });
        let reading = |at: usize| by_setup.as_ref().map_or(at as u32, |places| places[at]);
        let mut whole = Self::new(pairings);
        let mut sums = GameSums::default();
        let step = step_of(pairs.len());
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
                let replays = (pair as usize).is_multiple_of(step);
                let read = entries.iter().map(|entry| GameRead::new(entry, replays));
                let setup = pairs.setup(pair as usize);
                PairRead::new(range(pair).start, setup, entries, read.collect())
            };
            let add = |entry| add(&mut sums, entry, &place);
            let read_all = || read_pairs.par_iter().map(read).collect();
            Ok(rayon::join(read_all, || entries.iter().for_each(add)).0)
        };
        whole.buyers.reserve_exact(games.len());
        let block_at = |start: usize| start..pairs.len().min(start + BLOCK);
        let mut start = 0;
        let mut block = read_block(block_at(start))?;
        while !block.is_empty() {
            start = pairs.len().min(start + BLOCK);
            let fold = || block.into_iter().for_each(|pair| whole.fold(pair));
            let (next, ()) = rayon::join(|| read_block(block_at(start)), fold);
            block = next?;
        }
        whole.sums = sums;
        Ok(whole)
    }

    /// No games yet, of these pairings of the plan.
    fn new(pairings: &[(u16, u16)]) -> Self {
        Self {
            buyers: Vec::new(),
            swapped: Vec::new(),
            identical: IdenticalPairs::new(),
            sums: GameSums::default(),
            branching: BranchingFold::new(),
            sizes: SizesFold::new(pairings),
        }
    }

    /// Adds a pair to the statistics, in the order of the pairs.
    fn fold(&mut self, mut pair: PairRead) {
        let end = pair.start + pair.buyers.len();
        if self.buyers.len() < end {
            self.buyers.resize(end, Buyers::default());
            self.swapped.resize(end, false);
        }
        self.buyers[pair.start..end].copy_from_slice(&pair.buyers);
        self.swapped[pair.start] = pair.is_swapped;
        let game = &pair.games[0].0;
        if pair.has_same_actions {
            let key = pairing_key(game.pairing, game.agents);
            *self.identical.entry(key).or_default() += 1;
        }
        pair.games.retain(|(game, _)| game.is_finished());
        if !pair.games.is_empty() {
            self.branching.add(pair.setup, &pair.games);
            self.sizes.add(pair.setup, &pair.games);
        }
    }
}

/// Of every this many of the pairs, one is played again.
fn step_of(pairs: usize) -> usize {
    pairs.div_ceil(MAX_REPLAYED).max(1)
}

/// Adds a game to what does not depend on the order of the games.
fn add(sums: &mut GameSums, entry: &Entry, place: impl Fn(GameId) -> u64) {
    let (thinking, ends, spaces, highlights) = sums;
    thinking.add(entry);
    highlights.add(&entry.record, place);
    if entry.record.termination.is_none() {
        ends.add(&entry.record);
        spaces.add(&entry.record);
    }
}

/// The most pairs that wait for others before them.
const MOST_WAITING: usize = 1024;

/// The statistics of the plies of one pairing, folded while it is played: as when all games are read, pair by pair in the
/// same order. A report then need not unpack the games.
#[derive(Debug)]
pub struct RunningStatistics {
    plan: Plan,
    /// Of every this many pairs, one is played again for the paper's branching.
    pub(crate) step: u32,
    whole: WholeGames,
    /// The games of pairs that are not complete, or before which others are missing, by the numbers of the pairs.
    waiting: BTreeMap<u32, Vec<(Entry, GameRead)>>,
    /// The number of the next pair.
    next: u32,
}

impl RunningStatistics {
    /// No games yet. `None` for plans whose games are not played in the order in which they are folded, or may end before.
    pub(crate) fn new(plan: &Plan) -> Option<Self> {
        let is_in_order = plan.pairing_count() == 1 && plan.rings().is_own();
        (is_in_order && plan.test().is_none()).then(|| Self {
            whole: WholeGames::new(&plan.pairings()),
            waiting: BTreeMap::new(),
            next: 0,
            step: step_of(plan.pairs() as usize) as u32,
            plan: plan.clone(),
        })
    }

    /// Adds a game that counts. Returns whether it can go on: otherwise too many pairs wait.
    pub(crate) fn add(&mut self, entry: Entry, read: GameRead) -> bool {
        add(&mut self.whole.sums, &entry, |id| self.plan.place(id));
        let pair = entry.record.id.pair;
        self.waiting.entry(pair).or_default().push((entry, read));
        while let Some(pair) = self.waiting.first_entry()
            && *pair.key() == self.next
            && pair.get().len() == 2
        {
            let mut pair = pair.remove();
            pair.sort_unstable_by_key(|(entry, _)| entry.record.id);
            let (pair, read): (Vec<_>, Vec<_>) = pair.into_iter().unzip();
            let start = 2 * self.next as usize;
            self.whole.fold(PairRead::new(start, None, &pair, read));
            self.next += 1;
        }
        self.waiting.len() <= MOST_WAITING
    }

    /// What was folded, if it was all games of the plan.
    pub(super) fn whole(&self) -> Option<&WholeGames> {
        (self.next == self.plan.pairs()).then_some(&self.whole)
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
    pub(super) fn ring_pairs(self, is_marked: &[bool]) -> Vec<RingPair> {
        let mut begins_here = false;
        let pair = |pair: RingPair| {
            begins_here |= pair.begins();
            is_marked[pair.game() as usize]
                .then(|| RingPair::new(pair.game(), std::mem::take(&mut begins_here)))
        };
        self.pairs.into_iter().filter_map(pair).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use patchwork_engine::search::Stop;

    use super::*;
    use crate::stats::Summary;
    use crate::testing::plan;
    use crate::{Executor as _, Format, LocalThreads, Manifest, Results};

    /// In whatever order the games of a pairing end, the statistics are those of the games that are read afterwards.
    #[test]
    fn games_are_folded_while_they_are_played_as_they_are_read() {
        let names = ["a", "b"].map(str::to_owned);
        let plan = plan(&names, Format::RoundRobin, MOST_WAITING as u32 + 6).unwrap();
        let mut results = Results::empty(Manifest::new("t".to_owned(), plan.clone()));
        let played =
            LocalThreads(NonZeroUsize::MIN).play(&mut results, &Stop::new(), &mut |_, _| ());
        assert!(played.unwrap().complete);
        let summary = |folded: Option<&RunningStatistics>| {
            let (pairings, place) = (plan.pairings(), |id| plan.place(id));
            let found = Summary::with_highlights(&names, &pairings, &results.games, place, folded);
            format!("{:?}", found.unwrap())
        };
        let (played, read) = (results.statistics.as_deref(), summary(None));
        assert!(played.is_some_and(|folded| folded.whole().is_some()));
        assert_eq!(summary(played), read);
        let [mut late, mut stuck] = [(); 2].map(|()| RunningStatistics::new(&plan).unwrap());
        let entries: Vec<Entry> = results.games.iter().collect::<Result<_, _>>().unwrap();
        let (waiting, rest) = entries.split_at(2 * MOST_WAITING);
        let add = |folded: &mut RunningStatistics, entry: &Entry| {
            assert!(folded.whole().is_none());
            folded.add(entry.clone(), GameRead::new(entry, true))
        };
        let reversed = waiting.iter().rev();
        assert!(reversed.chain(rest).all(|entry| add(&mut late, entry)));
        assert_eq!(summary(Some(&late)), read);
        assert!(waiting[1..].iter().all(|entry| add(&mut stuck, entry)));
        assert!(!add(&mut stuck, &rest[0]));
    }
}
