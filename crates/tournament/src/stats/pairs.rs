//! The games of a tournament in pairs.

use std::collections::BTreeMap;
use std::ops::Range;

use patchwork_engine::record::GameFacts;

/// Pairs of games that are adjacent in a list of games.
#[derive(Clone, Debug)]
pub(super) struct Pairs<'a> {
    games: &'a [GameFacts],
    /// Where each pair begins.
    starts: Vec<u32>,
    /// The number of each pair's setup, if several pairs have the same one.
    setups: Option<Vec<u32>>,
}

impl<'a> Pairs<'a> {
    /// The pairs of games that are sorted by identity. No two have the same setup.
    pub(super) fn new(games: &'a [GameFacts]) -> Self {
        let begins = |&at: &usize| at == 0 || !is_of_pair(&games[at], &games[at - 1]);
        let starts = (0..games.len()).filter(begins).map(|at| at as u32);
        Self {
            games,
            starts: starts.collect(),
            setups: None,
        }
    }

    /// The same pairs with these numbers of their setups.
    pub(super) fn with_setups(self, setups: Option<Vec<u32>>) -> Self {
        Self { setups, ..self }
    }

    /// The games.
    pub(super) const fn games(&self) -> &'a [GameFacts] {
        self.games
    }

    /// The number of pairs.
    pub(super) const fn len(&self) -> usize {
        self.starts.len()
    }

    /// The number of the setup of the pair at a place, if several pairs have the same one.
    pub(super) fn setup(&self, place: usize) -> Option<u32> {
        self.setups.as_ref().map(|setups| setups[place])
    }

    /// The setup of each game, if several pairs have the same one.
    pub(super) fn setups_of_games(&self) -> Option<Vec<u64>> {
        let setups = self.setups.as_ref()?.iter();
        let of_games = self.iter().zip(setups);
        let of_games = of_games.flat_map(|(pair, &setup)| pair.iter().map(move |_| setup.into()));
        Some(of_games.collect())
    }

    /// The setups of the pairs of which a game was played to its end.
    pub(super) fn setups_of_finished(&self) -> Option<Vec<u32>> {
        let setups = self.setups.as_ref()?.iter();
        let finished = self.iter().zip(setups);
        let finished = finished.filter(|(pair, _)| pair.iter().any(GameFacts::is_finished));
        Some(finished.map(|(_, &setup)| setup).collect())
    }

    /// The pairs with those on the same setup one after another; in the original order if no two share a setup.
    pub(super) fn by_setup(mut self) -> Self {
        if let Some(setups) = &mut self.setups
            && !setups.is_sorted()
        {
            let mut sorted: Vec<(u32, u32)> = setups.iter().copied().zip(self.starts).collect();
            sorted.sort_by_key(|&(setup, _)| setup);
            (*setups, self.starts) = sorted.into_iter().unzip();
        }
        self
    }

    /// Whether [`Self::by_setup`] would leave the pairs as they are.
    pub(super) fn is_by_setup(&self) -> bool {
        self.setups.as_ref().is_none_or(|setups| setups.is_sorted())
    }

    /// The indices of the games, in the order of the pairs.
    pub(super) fn indices(&self) -> Vec<u32> {
        let games = (0..self.len()).flat_map(|place| self.range(place));
        games.map(|game| game as u32).collect()
    }

    /// The pairs, in order.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &'a [GameFacts]> + Clone {
        (0..self.len()).map(|place| &self.games[self.range(place)])
    }

    /// The indices of the games of the pair at a place.
    pub(super) fn range(&self, place: usize) -> Range<usize> {
        let start = self.starts[place] as usize;
        let first = &self.games[start];
        let others = self.games[start..].iter();
        let length = others.take_while(|game| is_of_pair(game, first)).count();
        start..start + length
    }

    /// The pairs of the pairing with this index, if all are sorted by identity.
    pub(super) fn of_pairing(&self, index: usize) -> Self {
        let before = |index: usize| {
            let pairing = |start: u32| self.games[start as usize].pairing as usize;
            self.starts.partition_point(|&start| pairing(start) < index)
        };
        let own = before(index)..before(index + 1);
        Self {
            games: self.games,
            starts: self.starts[own.clone()].to_vec(),
            setups: self.setups.as_ref().map(|setups| setups[own].to_vec()),
        }
    }

    /// The pairs for which `class` has a value, by that value, in the same order.
    pub(super) fn classes<K: Ord>(
        &self,
        class: impl Fn(&[GameFacts]) -> Option<K>,
    ) -> BTreeMap<K, Self> {
        let mut classes = BTreeMap::new();
        for place in 0..self.len() {
            if let Some(class) = class(&self.games[self.range(place)]) {
                let pairs = classes.entry(class).or_insert_with(|| Self {
                    games: self.games,
                    starts: Vec::new(),
                    setups: self.setups.as_ref().map(|_| Vec::new()),
                });
                pairs.starts.push(self.starts[place]);
                if let (Some(setups), Some(setup)) = (&mut pairs.setups, self.setup(place)) {
                    setups.push(setup);
                }
            }
        }
        classes
    }
}

/// Whether both games belong to the same pair.
fn is_of_pair(one: &GameFacts, other: &GameFacts) -> bool {
    (one.pairing, one.pair) == (other.pairing, other.pair)
}
