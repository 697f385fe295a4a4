//! The statistics of a tournament in one value, which is also the JSON report.

use std::borrow::Cow;
use std::collections::BTreeMap;

use patchwork_engine::record::{Entry, FaultReason, GameFacts, GameId};
use patchwork_rating::statistic::RHO;
use patchwork_rating::{
    Comparison, Consistency, Estimate, Options, RANK_ALPHA, SEQUENTIAL_RANK_ALPHA, comparisons,
    consistency_by, name_of, rate_by,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::branching::PlyClass;
use super::first_player::{FirstPlayer, first_player};
use super::highlights::Highlights;
use super::pairings::{Pairing, pairings};
use super::pairs::Pairs;
use super::patches::{Buyers, PatchUse, patches};
use super::rings::{RingStatistics, rings};
use super::scores::{Bonus, Scores, bonus, scores};
use super::sizes::{GameSize, LengthBin};
use super::standings::{Standing, set_ranks, standings};
use super::thinking::AgentThinking;
use super::whole_games::{RunningStatistics, SetupOrder, WholeGames};
use crate::ledger::rated;
use crate::{Archive, TournamentError};

/// The complete statistics of a tournament's games.
///
/// All intervals are 95% and take into account that the two games of a pair share a setup and, if
/// pairs share rings, that all pairs on a ring do. A number that the games do not determine is
/// `None`; no number is infinite or NaN.
///
/// ```
/// use patchwork_tournament::stats::Summary;
///
/// let names = ["one".to_string(), "two".to_string()];
/// let summary = Summary::new(&names, &[(0, 1)], &[]);
/// assert_eq!(summary.games, 0);
/// assert_eq!(summary.first_player.win_rate.value, None);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Summary {
    /// Number of games.
    pub games: u64,
    /// Number of games lost by a fault, by agent and reason. They count for ratings and results; all
    /// statistics of margins and of the game itself leave them out.
    pub terminations: Vec<TerminationCount>,
    /// Whether Jeffreys' prior (Firth's penalised likelihood) keeps the ratings finite.
    pub prior_used: bool,
    /// Whether games link all agents that played. Ratings of groups that have not met cannot be
    /// compared.
    pub connected: bool,
    /// [`RHO`].
    #[schemars(description = RHO.about)]
    pub rho: Option<f64>,
    /// The agents by group and descending rating, then by name; agents that have not met another come last.
    pub ratings: Vec<Standing>,
    /// Two agents differ significantly if their `p_adjusted` is at most this: 0.05, or 0.01 where sequential tests
    /// ended pairings.
    pub rank_alpha: f64,
    /// All pairings of agents that a chain of games links, in ranking order.
    pub comparisons: Vec<Comparison>,
    /// Whether the ratings explain who beats whom.
    pub consistency: Consistency,
    /// The first player's advantage.
    pub first_player: FirstPlayer,
    /// Branching, length and game tree: of all games first, then of the agents in the order of `ratings`, then of
    /// the pairings of the plan.
    pub sizes: Vec<GameSize>,
    /// Number of games by length, of all games and of each agent; only lengths that occurred.
    pub lengths: Vec<LengthBin>,
    /// Legal actions of all games: of all plies, by phase, by kind and by ply.
    pub branching: Vec<PlyClass>,
    /// Legal actions of each agent's own plies, by ply. The CSV table has them; the JSON omits them.
    #[serde(skip)]
    pub branching_of_agents: Vec<PlyClass>,
    /// Points at the end.
    pub scores: Scores,
    /// The 7x7 area.
    pub bonus: Bonus,
    /// The agents' searches, in the order of the ratings.
    pub thinking: Vec<AgentThinking>,
    /// Statistics of the patches 1 to 33.
    pub patches: Vec<PatchUse>,
    /// How the order of the patches affects the seats.
    pub rings: RingStatistics,
    /// The pairings of the plan, in plan order.
    pub pairings: Vec<Pairing>,
}

/// The number of agents, with those that only games or pairings name.
fn agent_count(names: &[String], pairings: &[(u16, u16)], games: &[GameFacts]) -> usize {
    let played = games.iter().flat_map(|game| game.agents);
    let named = played.chain(pairings.iter().flat_map(|&(a, b)| [a, b]));
    let most = named.map(|agent| usize::from(agent) + 1).max();
    names.len().max(most.unwrap_or(0))
}

/// The games that were played to their end. The same games remain in `buyers`.
fn retain_finished<'a>(games: &'a [GameFacts], buyers: &mut Vec<Buyers>) -> Cow<'a, [GameFacts]> {
    let mut finished = Cow::Borrowed(games);
    if !games.iter().all(GameFacts::is_finished) {
        finished.to_mut().retain(GameFacts::is_finished);
        let mut of_games = games.iter();
        buyers.retain(|_| of_games.next().is_some_and(GameFacts::is_finished));
    }
    finished
}

impl Summary {
    /// Computes the statistics of these games, which may come in any order.
    ///
    /// `names` holds the agents by the indices in [`patchwork_engine::record::Record::agents`], and `pairings`
    /// the agents of each pairing by the index in [`patchwork_engine::record::GameId::pairing`]. A game of an
    /// unlisted pairing counts everywhere except in [`Summary::pairings`].
    pub fn new(names: &[String], pairings: &[(u16, u16)], entries: &[Entry]) -> Self {
        let summary = Self::of(names, pairings, &entries.iter().cloned().collect());
        summary.expect("games in memory can be read")
    }

    /// Like [`Self::new`], for games that are unpacked some at a time. They are processed in parallel; the statistics do
    /// not depend on the number of threads.
    pub fn of(
        names: &[String],
        pairings: &[(u16, u16)],
        games: &Archive,
    ) -> Result<Self, TournamentError> {
        Ok(Self::with_highlights(names, pairings, games, |_| 0, None)?.0)
    }

    /// Like [`Self::of`], with the games for the viewer. `place` is the place of a game in the order of the plan. Games that
    /// were folded while they were played are not unpacked.
    pub fn with_highlights(
        names: &[String],
        pairings: &[(u16, u16)],
        games: &Archive,
        place: impl Fn(GameId) -> u64 + Sync,
        folded: Option<&RunningStatistics>,
    ) -> Result<(Self, Highlights), TournamentError> {
        let sorted = games.sorted();
        let games = &*sorted;
        let facts = games.facts();
        let count = facts.len();
        let pairs = Pairs::new(facts);
        let mut order = SetupOrder::new(&pairs, games);
        let has_shared_setups = order.shared.is_some();
        let pairs = pairs.with_setups(order.shared.take());
        let agents = agent_count(names, pairings, facts);
        let setups = pairs.setups_of_games();
        let options = Options {
            setups: setups.as_deref(),
            ..Options::default()
        };
        let result = |i: usize| rated(&facts[i]);
        let ratings = rate_by(count, &result, agents, options);
        let consistency = consistency_by(names, count, &result, &ratings, options);
        drop(setups);
        let WholeGames {
            mut buyers,
            identical,
            swapped,
            sums: (thinking, ends, spaces, highlights),
            branching,
            sizes,
        } = match folded.and_then(RunningStatistics::whole) {
            Some(whole) if whole.buyers.len() == count && !has_shared_setups => whole.clone(),
            _ => WholeGames::gather(pairings, games, &pairs, place)?,
        };
        let ring_pairs = order.ring_pairs(&swapped);
        let (order, mut standings) = standings(names, facts, &ratings.agents, &thinking);
        let rated = standings.iter().filter(|row| row.elo.value.is_some());
        let ranking = &order[..rated.count()];
        let terminations = terminations(names, facts);
        let pairings = self::pairings(names, pairings, &pairs, &identical);
        // The rest is about games that were played to their end.
        let finished = retain_finished(facts, &mut buyers);
        let setups = pairs.setups_of_finished();
        drop(pairs);
        let pairs = Pairs::new(&finished).with_setups(setups).by_setup();
        let comparisons = comparisons(names, ranking, &ratings);
        set_ranks(&mut standings, &comparisons, RANK_ALPHA);
        let scores = scores(&finished, &ends);
        let patches = patches(&pairs, &buyers, &spaces);
        // The rest needs as much memory again.
        drop(buyers);
        let first_player = first_player(&pairs, &ratings);
        drop(pairs);
        let rings = rings(ring_pairs, games);
        let (sizes, lengths, branching_of_agents) = sizes.finish(names, &order);
        let summary = Self {
            games: count as u64,
            terminations,
            prior_used: ratings.prior_used,
            connected: ratings.connected,
            rho: ratings.rho,
            thinking: thinking.finish(names, &order),
            ratings: standings,
            rank_alpha: RANK_ALPHA,
            comparisons,
            consistency,
            first_player,
            sizes,
            lengths,
            branching: branching.finish(),
            branching_of_agents,
            scores,
            bonus: bonus(&ends),
            patches,
            rings,
            pairings,
        };
        Ok((summary, highlights))
    }

    /// Sets the ranks that are left open if sequential tests ended pairings.
    pub fn rank_after_tests(&mut self) {
        self.rank_alpha = SEQUENTIAL_RANK_ALPHA;
        set_ranks(&mut self.ratings, &self.comparisons, self.rank_alpha);
    }

    /// The agents of whose rating only the direction is known, in the order of the standings.
    pub fn separated(&self) -> impl Iterator<Item = &str> {
        let rows = self.ratings.iter().filter(|row| row.separated);
        rows.map(|row| &*row.agent)
    }

    /// The comparisons by whose number the p-values are adjusted.
    pub fn tested(&self) -> impl Iterator<Item = &Comparison> {
        let rows = self.comparisons.iter();
        rows.filter(|row| row.p_adjusted.is_some())
    }

    /// The rating of agent `a` minus that of agent `b`, and the likelihood that `a` is superior; none if
    /// they are not [compared](Self::comparisons).
    pub fn difference(&self, a: &str, b: &str) -> Option<(Estimate, Option<f64>)> {
        self.comparisons.iter().find_map(|row| {
            if (row.a.as_str(), row.b.as_str()) == (a, b) {
                Some((row.elo, row.los))
            } else if (row.b.as_str(), row.a.as_str()) == (a, b) {
                Some((row.elo.negated(), row.los.map(|los| 1.0 - los)))
            } else {
                None
            }
        })
    }
}

/// Number of games that an agent lost by one kind of fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TerminationCount {
    /// The agent that lost.
    pub agent: String,
    /// The fault.
    pub reason: FaultReason,
    /// Number of games.
    pub games: u64,
}

/// By the agents in their order, then by reason.
pub(super) fn terminations(names: &[String], games: &[GameFacts]) -> Vec<TerminationCount> {
    let mut counts: BTreeMap<(u16, FaultReason), u64> = BTreeMap::new();
    for game in games {
        if let Some(reason) = game.fault {
            let agent = game.agents[game.winner.other().index()];
            *counts.entry((agent, reason)).or_default() += 1;
        }
    }
    let row = |((agent, reason), games)| TerminationCount {
        agent: name_of(names, usize::from(agent)),
        reason,
        games,
    };
    counts.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests;
