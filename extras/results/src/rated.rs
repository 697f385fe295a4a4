//! Ratings computed from a table of results written by another program.

use std::borrow::Cow;
use std::collections::BTreeMap;

use patchwork_engine::util::InputError;
use serde::Serialize;

use patchwork_rating::{
    Comparison, Consistency, Errors, Estimate, GameScore, Options, RankRange, RatedGame, Rating,
    RatingPrior, Ratings, SomeComparisons, consistency, ranking, rate, some_comparisons,
};

use patchwork_tournament::stats::Standing;

use super::table::ResultTable;

/// The ratings and comparisons of the agents in a table of results.
///
/// Intervals are 95%. The serialized form is the JSON that `patchwork-arena rate` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rated {
    /// Number of games.
    pub games: u64,
    /// Number of unfinished games, which are left out.
    pub unfinished: u64,
    /// Number of games that could not be read.
    pub left_out: u64,
    /// Number of games that filters leave out, by what they look at: `agent` and `pairing`.
    pub filtered: BTreeMap<&'static str, u64>,
    /// Number of games that share their setup with another game, as those of a pair do. Others are independent.
    pub paired: u64,
    /// Sentences about games that are left out, or in doubt.
    pub notes: Vec<String>,
    /// Whether the errors take into account that the two games of a pair are related.
    pub clustered: bool,
    /// The agent with a fixed rating, or the agents, separated by commas, whose mean rating is fixed; without one, the
    /// mean is 0.
    pub anchor: Option<String>,
    /// When the likelihood may be penalised.
    pub prior: RatingPrior,
    /// Whether the likelihood was penalised, by Jeffreys' prior; see [`RatingPrior`].
    pub prior_used: bool,
    /// Whether games link all agents; agents of different groups cannot be compared.
    pub connected: bool,
    /// Correlation of an agent's results in the two games of a pair, -1 to 1, given the ratings.
    pub rho: Option<f64>,
    /// The share of games that equal agents draw, 0 to 1, by Davidson's law of draws; `None` without draws.
    pub equal_draws: Option<f64>,
    /// The parameter of that law: the probability of a draw by the geometric mean of those of a win and a loss.
    pub draw_parameter: Option<f64>,
    /// The agents, by descending rating, then by name.
    pub ratings: Vec<Standing>,
    /// The first player's advantage: added to the first player's rating.
    pub first_player: RatedSeat,
    /// All pairings of agents that a chain of games links, in ranking order.
    pub comparisons: Vec<Comparison>,
    /// Number of comparisons by which their p-values are adjusted.
    #[serde(skip)]
    pub compared: u64,
    /// Whether the ratings explain who beats whom.
    pub consistency: Consistency,
    /// Pairings whose pairs of games all ended 1-1, more of them than chance explains: the setups decide the
    /// games, and more pairs provide no information.
    pub even: Vec<EvenPairing>,
}

/// Two agents neither of which won a pair of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EvenPairing {
    /// The first agent by name.
    pub a: String,
    /// The second agent by name.
    pub b: String,
    /// The number of pairs of games.
    pub pairs: u64,
}

/// Fewer pairs may all end 1-1 by chance: between equals, half of them do.
const MANY_EVEN_PAIRS: u64 = 10;

/// The first player's advantage.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatedSeat {
    /// Number of games won by the first player.
    pub wins: u64,
    /// Share of the first player's points, 0 to 1; a draw is half a point.
    pub score: f64,
    /// The advantage in Elo points; no value with several printings or komis.
    pub elo: Estimate,
    /// The advantage with each printing and komi, if the games have several.
    pub by_rules: Vec<SeatOfRules>,
}

/// The first player's advantage with a printing and a komi.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatOfRules {
    /// The printing and the komi.
    pub rules: String,
    /// Number of games.
    pub games: u64,
    /// The advantage in Elo points.
    pub elo: Estimate,
}

impl Rated {
    /// Rates the agents of a table; the anchor in `options` is an index into
    /// [`ResultTable::agents`].
    ///
    /// # Errors
    /// When no finite ratings maximise the likelihood and the prior is [`RatingPrior::None`].
    pub fn new(table: &ResultTable, options: &Options<'_>) -> Result<Self, InputError> {
        Self::with_comparisons(table, options, |_, _| true)
    }

    /// Like [`Self::new`], with the comparisons of those places in the ranking for which `keeps` is true: a thousand
    /// agents have half a million.
    pub fn with_comparisons(
        table: &ResultTable,
        options: &Options<'_>,
        keeps: impl Fn(usize, usize) -> bool,
    ) -> Result<Self, InputError> {
        let (names, games) = (&table.agents, &table.games);
        let mut by_setup = Cow::Borrowed(&games[..]);
        if !by_setup.is_sorted_by_key(|game| game.cluster) {
            by_setup.to_mut().sort_unstable_by_key(|game| game.cluster);
        }
        let paired = paired(&by_setup);
        let seats = (!table.rules.is_empty()).then_some(&table.seats[..]);
        let setups = (!table.setups.is_empty()).then_some(&table.setups[..]);
        let options = &Options {
            seats,
            setups,
            ..*options
        };
        let ratings = rate(games, names.len(), *options);
        let ranking = ranking(names, &ratings);
        if ranking.is_empty() && options.prior == RatingPrior::None {
            return Err(not_finite(names, &ratings));
        }
        let SomeComparisons {
            rows: comparisons,
            compared,
            ranks,
        } = some_comparisons(names, &ranking, &ratings, keeps);
        let scores = || games.iter().map(|game| game.score);
        let first_wins = scores().filter(|score| *score == GameScore::Win).count();
        let first_points: f64 = scores().map(GameScore::points).sum();
        Ok(Self {
            games: games.len() as u64,
            unfinished: table.unfinished,
            left_out: table.left_out,
            filtered: table.filtered.clone(),
            paired,
            notes: notes(table),
            clustered: options.errors == Errors::Clustered && paired > 0,
            anchor: match (options.anchor, options.zero) {
                (Some(anchor), _) => Some(names[anchor.agent].clone()),
                (None, zero) => zero.map(|zero| {
                    let names = zero.iter().map(|&agent| &*names[agent]);
                    names.collect::<Vec<_>>().join(", ")
                }),
            },
            prior: options.prior,
            prior_used: ratings.prior_used,
            connected: ratings.connected,
            rho: ratings.rho,
            equal_draws: ratings.draws().map(|(share, _)| share),
            draw_parameter: ratings.draws().map(|(_, parameter)| parameter),
            ratings: agents(names, games, &ranking, &ratings, ranks),
            first_player: RatedSeat {
                wins: first_wins as u64,
                score: first_points / games.len() as f64,
                elo: ratings.first_player.if_limited(),
                by_rules: by_rules(table, &ratings),
            },
            comparisons,
            compared,
            consistency: consistency(names, games, &ratings, *options),
            even: match options.errors {
                Errors::Clustered => even(names, &by_setup),
                Errors::Independent => Vec::new(),
            },
        })
    }
}

/// The notes on a table, with one on the terms for moving first.
fn notes(table: &ResultTable) -> Vec<String> {
    let several = (!table.rules.is_empty()).then(|| {
        format!(
            "The games are of {}: moving first has a term for each.",
            table.rules.join(", ")
        )
    });
    table.notes.iter().cloned().chain(several).collect()
}

/// What moving first is worth with each printing and komi, if there are several.
fn by_rules(table: &ResultTable, ratings: &Ratings) -> Vec<SeatOfRules> {
    let rows = table.rules.iter().zip(&ratings.seats).zip(0..);
    let row = |((rules, elo), number): ((&String, &Estimate), u16)| SeatOfRules {
        rules: rules.clone(),
        games: table.seats.iter().filter(|seat| **seat == number).count() as u64,
        elo: elo.if_limited(),
    };
    rows.map(row).collect()
}

/// The number of games that share their setup with another game.
fn paired(by_setup: &[RatedGame]) -> u64 {
    let shared = by_setup.chunk_by(share_setup).map(<[_]>::len);
    shared.filter(|&count| count > 1).sum::<usize>() as u64
}

const fn share_setup(one: &RatedGame, other: &RatedGame) -> bool {
    one.cluster == other.cluster
}

/// No finite ratings maximise the likelihood, and the options do not allow a prior.
fn not_finite(names: &[String], ratings: &Ratings) -> InputError {
    let all = names.iter().zip(&ratings.agents);
    let perfect = all.filter(|(_, rating)| rating.perfect);
    let perfect: Vec<&str> = perfect.map(|(name, _)| &**name).collect();
    let why = match perfect.is_empty() {
        true => "some agents, or a seat, never lost to the others".to_owned(),
        false => format!("won or lost every game: {}", perfect.join(", ")),
    };
    InputError::new(format!(
        "the most likely ratings are not finite: {why}; a prior keeps them finite"
    ))
}

/// The pairings in which every game has a partner with the seats swapped, and no agent won a pair.
fn even(names: &[String], by_setup: &[RatedGame]) -> Vec<EvenPairing> {
    // For each pairing: whether no agent won a pair so far, and the number of pairs.
    let mut pairings: BTreeMap<[usize; 2], (bool, u64)> = BTreeMap::new();
    for on_setup in by_setup.chunk_by(share_setup) {
        // The number of games, and the half points of the agent with the lower number.
        let mut pairs: BTreeMap<[usize; 2], [u64; 2]> = BTreeMap::new();
        for game in on_setup {
            let (agents, score) = if game.first < game.second {
                ([game.first, game.second], game.score)
            } else {
                ([game.second, game.first], game.score.reversed())
            };
            let [games, half_points] = pairs.entry(agents).or_default();
            *games += 1;
            *half_points += score.half_points();
        }
        for (agents, pair) in pairs {
            let (is_even, count) = pairings.entry(agents).or_insert((true, 0));
            *is_even &= pair == [2, 2];
            *count += 1;
        }
    }
    let mut found = Vec::new();
    for (agents, (is_even, pairs)) in pairings {
        if is_even && pairs >= MANY_EVEN_PAIRS {
            let mut both = agents.map(|agent| names[agent].clone());
            both.sort();
            let [a, b] = both;
            found.push(EvenPairing { a, b, pairs });
        }
    }
    found.sort_by(|one, other| (&one.a, &one.b).cmp(&(&other.a, &other.b)));
    found
}

fn agents(
    names: &[String],
    games: &[RatedGame],
    ranking: &[usize],
    ratings: &Ratings,
    ranges: Vec<RankRange>,
) -> Vec<Standing> {
    // Of each agent, the games that it lost, drew and won.
    let mut records = vec![[0_u64; 3]; names.len()];
    for game in games {
        records[game.first][game.score.half_points() as usize] += 1;
        records[game.second][game.score.reversed().half_points() as usize] += 1;
    }
    let row = |(&agent, range): (&usize, RankRange)| {
        let Rating {
            elo,
            group,
            perfect,
            separated,
        } = ratings.agents[agent];
        let [losses, draws, wins] = records[agent];
        let games = losses + draws + wins;
        Standing {
            agent: names[agent].clone(),
            elo,
            group,
            best_rank: Some(range.best),
            worst_rank: Some(range.worst),
            games,
            wins,
            draws: Some(draws),
            score: Some((wins as f64 + draws as f64 / 2.0) / games as f64),
            mean_margin: None,
            iterations_per_s: None,
            seconds_per_move: None,
            perfect,
            separated,
        }
    };
    ranking.iter().zip(ranges).map(row).collect()
}
