//! The standings of the agents, by descending rating.

use std::cmp::Ordering;

use patchwork_engine::record::GameFacts;
use patchwork_rating::statistic::ELO;
use patchwork_rating::{Comparison, Estimate, RankRange, Rating, name_of, rank_ranges};
use schemars::JsonSchema;
use serde::Serialize;

use super::means::per;
use super::statistics::{MARGIN, SPEED, TIME};
use super::thinking::ThinkingFold;

/// One agent's row of the table.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Standing {
    /// Its name.
    pub agent: String,
    /// [`ELO`].
    #[schemars(description = ELO.about)]
    pub elo: Estimate,
    /// The number of the group of agents that chains of games link it with, from 1 for the largest. Agents of different groups
    /// have not met: their ratings and ranks cannot be compared. No value until the agent has met another.
    pub group: Option<u32>,
    /// The best rank in its group that the results leave open, 1 for the strongest agent: as many agents as are shown to
    /// be stronger, plus 1. The ranges of all agents are right together in 95% of tournaments. No value until
    /// the agent has met another.
    pub best_rank: Option<u32>,
    /// The worst rank that the results leave open.
    pub worst_rank: Option<u32>,
    /// Number of games it played; a game against itself counts once per seat.
    pub games: u64,
    /// Number of games it won.
    pub wins: u64,
    /// Number of games that were drawn, each half a win. Games of Patchwork cannot be, so a report of them lacks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub draws: Option<u64>,
    /// Share of games won, 0 to 1.
    pub score: Option<f64>,
    /// [`MARGIN`].
    #[schemars(description = MARGIN.about)]
    pub mean_margin: Option<f64>,
    /// [`SPEED`].
    #[schemars(description = SPEED.about)]
    pub iterations_per_s: Option<f64>,
    /// [`TIME`].
    #[schemars(description = TIME.about)]
    pub seconds_per_move: Option<f64>,
    /// Whether it won all or lost all of its games against others. Its rating then shows only the
    /// direction, not the distance from the others.
    pub perfect: bool,
    /// Whether only the direction of its distance from the others is known: no chain of wins and
    /// losses links it with most agents.
    pub separated: bool,
}

impl Standing {
    /// The ranks that the results leave open.
    pub fn ranks(&self) -> Option<RankRange> {
        let (best, worst) = self.best_rank.zip(self.worst_rank)?;
        Some(RankRange { best, worst })
    }
}

/// Sets the ranks that these comparisons leave open at this level of significance.
pub(super) fn set_ranks(standings: &mut [Standing], comparisons: &[Comparison], alpha: f64) {
    let rated = standings.iter().filter(|row| row.elo.value.is_some());
    let names: Vec<&str> = rated.map(|row| &*row.agent).collect();
    let ranges = rank_ranges(&names, comparisons, alpha);
    let rated = standings.iter_mut().filter(|row| row.elo.value.is_some());
    for (row, range) in rated.zip(ranges) {
        (row.best_rank, row.worst_rank) = (Some(range.best), Some(range.worst));
    }
}

/// The agents by group in descending order of rating, as numbers and as rows; those without a rating come last.
pub(super) fn standings(
    names: &[String],
    all: &[GameFacts],
    ratings: &[Rating],
    thinking: &ThinkingFold,
) -> (Vec<usize>, Vec<Standing>) {
    let (mut games, mut wins) = (vec![0; ratings.len()], vec![0; ratings.len()]);
    // Over the games that were played to their end: the sum of the margins, and the number of games.
    let mut margins = vec![(0.0, 0); ratings.len()];
    for game in all {
        for (seat, agent) in game.agents.map(usize::from).into_iter().enumerate() {
            games[agent] += 1;
            wins[agent] += u64::from(game.first_won() == (seat == 0));
            if game.is_finished() {
                margins[agent].0 += game.margin(seat);
                margins[agent].1 += 1;
            }
        }
    }
    let known = |agent: usize| agent < names.len() || games[agent] > 0;
    let mut standings: Vec<(usize, Standing)> = (0..ratings.len())
        .filter(|&agent| known(agent))
        .map(|agent| {
            let (rating, (margin, finished)) = (&ratings[agent], margins[agent]);
            let (games, wins) = (games[agent], wins[agent]);
            let standing = Standing {
                agent: name_of(names, agent),
                // Equal results give ratings that are equal up to rounding: order by points, then
                // by name.
                elo: Estimate {
                    value: rating.elo.value.map(|elo| (elo * 1e9).round() / 1e9),
                    ..rating.elo
                },
                group: rating.group,
                best_rank: None,
                worst_rank: None,
                games,
                wins,
                draws: None,
                score: per(wins as f64, games),
                mean_margin: per(margin, finished),
                iterations_per_s: thinking.iterations_per_s(agent),
                seconds_per_move: thinking.seconds_per_move(agent),
                perfect: rating.perfect,
                separated: rating.separated,
            };
            (agent, standing)
        })
        .collect();
    standings.sort_by(|(_, one), (_, two)| {
        let by_elo = (two.elo.value)
            .partial_cmp(&one.elo.value)
            .unwrap_or(Ordering::Equal);
        let points = |row: &Standing| row.mean_margin.unwrap_or(f64::MIN);
        let rated_first = (one.elo.value.is_none()).cmp(&two.elo.value.is_none());
        rated_first
            .then(one.group.cmp(&two.group))
            .then(by_elo)
            .then_with(|| points(two).total_cmp(&points(one)))
            .then_with(|| one.agent.cmp(&two.agent))
    });
    standings.into_iter().unzip()
}
