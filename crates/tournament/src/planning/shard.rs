//! Parts of a plan that different machines play.

use std::fmt;
use std::str::FromStr;

use patchwork_engine::util::InputError;

use super::plan::Plan;
use super::planned_game::PlannedGame;

/// One of several parts of a plan of about equal cost. Every pair belongs to exactly one part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 0.
    index: u32,
    of: u32,
}

impl FromStr for Shard {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = || -> Option<(u32, u32)> {
            let (index, of) = text.split_once('/')?;
            Some((index.parse().ok()?, of.parse().ok()?))
        };
        match parts() {
            Some((index, of)) if (1..=of).contains(&index) => Ok(Self {
                index: index - 1,
                of,
            }),
            _ => Err(InputError::new(format!(
                "'{text}' is not a part of a plan; expected a number and the number of parts, such as 2/8"
            ))),
        }
    }
}

/// The part as on the command line: `2/8`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

impl Shard {
    /// The games of this part, in the order in which they are played.
    ///
    /// The pairs of a plan, pairing after pairing, are dealt to the parts in turn. So the sizes of two parts
    /// differ by at most one pair, in total and for each pairing.
    ///
    /// # Errors
    /// When the plan has a test, which decides how many games are played.
    pub fn games(self, plan: &Plan) -> Result<Vec<PlannedGame>, InputError> {
        if plan.test().is_some() {
            return Err(InputError::new(
                "--shard: [sprt] ends a pairing as soon as its results suffice, so the games cannot be divided in \
                 advance; run the tournament without --shard, or with `fleet start`",
            ));
        }
        let is_mine = |game: &PlannedGame| {
            let pair = plan.index(game.id) / 2;
            pair % u64::from(self.of) == u64::from(self.index)
        };
        Ok(plan.games().filter(is_mine).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::testing::plan;
    use crate::{Format, Gauntlet};
    use patchwork_rating::sprt::{EloModel, Sprt};
    use patchwork_test_support::tournaments::owned;

    #[test]
    fn texts_are_checked() {
        for text in ["1/1", "2/8", "8/8"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in ["", "1", "0/8", "9/8", "1/0", "-1/8", "a/8", "1/8/2", "1/"] {
            let error = text.parse::<Shard>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("'{text}' is not")), "{error}");
        }
    }

    #[test]
    fn every_pair_is_in_one_shard_and_shards_are_even() {
        let names = ["a", "b", "c", "d", "e"];
        for (pairs, of) in [(1, 1), (1, 3), (4, 3), (6, 3), (7, 8), (20, 8), (3, 40)] {
            let plan = plan(&names, Format::RoundRobin, pairs).unwrap();
            let (mut all, mut sizes) = (Vec::new(), Vec::new());
            let mut of_pairing: HashMap<u32, Vec<usize>> = HashMap::new();
            for index in 0..of {
                let games = Shard { index, of }.games(&plan).unwrap();
                for pairing in 0..10 {
                    let count = games.iter().filter(|game| game.id.pairing == pairing);
                    of_pairing.entry(pairing).or_default().push(count.count());
                }
                assert!(
                    games
                        .chunks(2)
                        .all(|legs| legs[0].id.pair == legs[1].id.pair)
                );
                assert!(games.is_sorted_by_key(|game| (game.id.pair, game.id.pairing)));
                sizes.push(games.len());
                all.extend(games);
            }
            for counts in of_pairing.values().chain([&sizes]) {
                let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
                assert!(most - least <= 2, "{pairs} pairs, {of} shards: {counts:?}");
            }
            all.sort_by_key(|game| game.id);
            let mut planned: Vec<PlannedGame> = plan.games().collect();
            planned.sort_by_key(|game| game.id);
            assert_eq!(all, planned);
        }
    }

    #[test]
    fn a_plan_with_a_test_cannot_be_divided() {
        let shard = Shard { index: 0, of: 2 };
        let challengers = owned(&["a"]);
        let plan = plan(&["a", "b", "c", "d"], Gauntlet { challengers }, 2).unwrap();
        assert_eq!(shard.games(&plan).unwrap().len(), 6);
        let test = Sprt::new(0.0, 10.0, 0.05, 0.05, EloModel::default()).unwrap();
        let plan = plan.with_test(test).unwrap();
        let error = shard.games(&plan).unwrap_err().to_string();
        assert!(error.contains("[sprt]"), "{error}");
    }
}
