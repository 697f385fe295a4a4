//! How a rating list grew, from one results folder to the next.

use std::collections::BTreeMap;

use patchwork_rating::{Errors, Options, RatedGame, ranking, rate};
use serde::Serialize;

use super::table::ResultTable;

/// The list after the games of a source were added.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GrowthRow {
    /// The results folder or file.
    pub source: String,
    /// When its first game was added, in UTC; none for files.
    pub started: Option<String>,
    /// The number of games that it added.
    pub games: u64,
    /// The number of games in the list then.
    pub all_games: u64,
    /// The number of agents in the list then.
    pub agents: u64,
    /// The agent with the highest rating then; none if games did not link all agents, and where it was not computed.
    pub leader: Option<String>,
}

/// The greatest number of rows whose leader is computed, evenly spread, the last among them.
const MAX_RATED: usize = 20;
/// The greatest number of agents of which leaders are computed: the time grows with the cube of their number.
const MAX_AGENTS: usize = 300;

/// A row for each source of a table that tells the sources of its games, the earliest first.
pub(super) fn growth(table: &ResultTable) -> Vec<GrowthRow> {
    let count = table.sources.len();
    if count < 2 {
        return Vec::new();
    }
    let step = count.div_ceil(MAX_RATED).max(1);
    let mut order: Vec<usize> = (0..table.source_of.len()).collect();
    order.sort_by_key(|&game| table.source_of[game]);
    let (mut places, mut games) = (BTreeMap::new(), Vec::new());
    let mut left = order.into_iter().peekable();
    let row = |(at, (source, started)): (usize, &(String, Option<String>))| {
        let before = games.len();
        while let Some(game) = left.next_if(|&game| usize::from(table.source_of[game]) <= at) {
            let game = table.games[game];
            let mut place = |agent: usize| {
                let next = places.len();
                *places.entry(agent).or_insert(next)
            };
            games.push(RatedGame {
                first: place(game.first),
                second: place(game.second),
                ..game
            });
        }
        let is_rated = places.len() <= MAX_AGENTS && (count - 1 - at).is_multiple_of(step);
        GrowthRow {
            source: source.clone(),
            started: started.clone(),
            games: (games.len() - before) as u64,
            all_games: games.len() as u64,
            agents: places.len() as u64,
            leader: is_rated.then(|| leader(table, &places, &games)).flatten(),
        }
    };
    table.sources.iter().enumerate().map(row).collect()
}

/// The agent with the highest rating, if all can be compared.
fn leader(
    table: &ResultTable,
    places: &BTreeMap<usize, usize>,
    games: &[RatedGame],
) -> Option<String> {
    let mut names = vec![String::new(); places.len()];
    for (&agent, &place) in places {
        names[place].clone_from(&table.agents[agent]);
    }
    let options = Options {
        errors: Errors::Independent,
        ..Options::default()
    };
    let ratings = rate(games, names.len(), options);
    let first = *ranking(&names, &ratings).first()?;
    ratings.connected.then(|| names.swap_remove(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_source_adds_its_games() {
        let game = |first, second, score: bool| RatedGame {
            cluster: 0,
            first,
            second,
            score: score.into(),
        };
        let both = |strong, weak| [game(strong, weak, true), game(weak, strong, false)];
        let table = ResultTable {
            agents: ["a", "b", "c", "d"].map(str::to_owned).into(),
            games: [both(2, 0), both(1, 0), both(3, 1)].concat(),
            sources: [
                ("one", Some("2026-01-02")),
                ("none", None),
                ("two", None),
                ("file", None),
            ]
            .map(|(name, date)| (name.to_owned(), date.map(str::to_owned)))
            .into(),
            source_of: vec![3, 3, 0, 0, 2, 2],
            ..ResultTable::default()
        };
        let rows = growth(&table);
        let row = |row: &GrowthRow| (row.games, row.all_games, row.agents, row.leader.clone());
        let leader = |name: &str| Some(name.to_owned());
        assert_eq!(
            rows.iter().map(row).collect::<Vec<_>>(),
            [
                (2, 2, 2, leader("b")),
                (0, 2, 2, leader("b")),
                (2, 4, 3, leader("d")),
                (2, 6, 4, leader("d")),
            ]
        );
        assert_eq!(rows[0].started.as_deref(), Some("2026-01-02"));
    }
}
