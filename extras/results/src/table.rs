//! Tables of results: the agents and the winner of each game.

use std::collections::{BTreeMap, BTreeSet};

use patchwork_rating::RatedGame;

/// The results of games between named agents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResultTable {
    /// The agents, sorted by name.
    pub agents: Vec<String>,
    /// The games, sorted by pairing, pair and leg; then those without a pair.
    pub games: Vec<RatedGame>,
    /// The printing and komi of each game, as an index into `rules`; empty if all have the same.
    pub seats: Vec<u16>,
    /// The printings and komis of the games, if there are several.
    pub rules: Vec<String>,
    /// The setup of each game; empty if no two pairs share one.
    pub setups: Vec<u64>,
    /// The number of other games, which were not finished.
    pub unfinished: u64,
    /// The number of games that could not be read.
    pub left_out: u64,
    /// The number of games that filters leave out, by what they look at: `agent` and `pairing`.
    pub filtered: BTreeMap<&'static str, u64>,
    /// Sentences about games that are left out, or in doubt.
    pub notes: Vec<String>,
}

impl ResultTable {
    /// Keeps the games for which `keeps` is true; the others are counted as left out by a filter that looks at `what`.
    pub fn keep(&mut self, what: &'static str, keeps: impl Fn(&RatedGame) -> bool) {
        let before = self.games.len();
        let mut kept = self.games.iter().map(&keeps);
        self.seats.retain(|_| kept.next().is_some_and(|kept| kept));
        let mut kept = self.games.iter().map(&keeps);
        self.setups.retain(|_| kept.next().is_some_and(|kept| kept));
        self.games.retain(keeps);
        *self.filtered.entry(what).or_default() += (before - self.games.len()) as u64;
    }

    /// The games of several tables. Agents are identified by name; games of different tables never share a
    /// setup.
    pub fn merged(mut tables: Vec<Self>) -> Self {
        if let [_] = &tables[..] {
            return tables.remove(0);
        }
        let names: BTreeSet<&String> = tables.iter().flat_map(|table| &table.agents).collect();
        let mut all = Self {
            agents: names.into_iter().cloned().collect(),
            ..Self::default()
        };
        let mut clusters = 0;
        let share = tables.iter().any(|table| !table.setups.is_empty());
        for table in tables {
            let place = |agent: &String| all.agents.binary_search(agent).unwrap_or(0);
            let places: Vec<usize> = table.agents.iter().map(place).collect();
            let earlier = clusters;
            if share && table.setups.is_empty() {
                let alone = table.games.iter().map(|game| earlier + game.cluster);
                all.setups.extend(alone);
            } else {
                let shared = table.setups.iter().map(|setup| earlier + setup);
                all.setups.extend(shared);
            }
            all.games.extend(table.games.into_iter().map(|game| {
                let cluster = earlier + game.cluster;
                clusters = clusters.max(cluster + 1);
                RatedGame {
                    cluster,
                    first: places[game.first],
                    second: places[game.second],
                    score: game.score,
                }
            }));
            all.unfinished += table.unfinished;
            all.left_out += table.left_out;
            all.notes.extend(table.notes);
        }
        all
    }
}
