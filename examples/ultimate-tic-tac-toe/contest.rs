//! Single games, and a rated round robin.

use patchwork_rating::{Errors, RatedGame, Ratings, rate};
use patchwork_search::{GameRules as _, Side};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde::Serialize;

use crate::evaluation::as_printed;
use crate::game::{MAX, MIN, Mark, Position, Ultimate};
use crate::players::Agent;

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixture {
    pub(crate) game: Ultimate,
    pub(crate) start_board: u8,
    pub(crate) first: Side,
    pub(crate) max: Agent,
    pub(crate) min: Agent,
    pub(crate) seed: u64,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) moves: Vec<Mark>,
    /// Number of positions visited for each move.
    pub(crate) nodes: Vec<u64>,
    /// Ratings of the moves, positive if good for max.
    pub(crate) ratings: Vec<Option<f64>>,
    pub(crate) winner: Option<Side>,
    /// Whether the game came to an end.
    pub(crate) finished: bool,
    pub(crate) last: Position,
}

impl Fixture {
    pub(crate) fn play(&self) -> Played {
        let seed = |side: u64| [self.seed, side, self.start_board.into()];
        let mut players = [
            self.max.player(self.game, &seed(0)),
            self.min.player(self.game, &seed(1)),
        ];
        let mut played = Played {
            moves: Vec::new(),
            nodes: Vec::new(),
            ratings: Vec::new(),
            winner: None,
            finished: true,
            last: Position::start(self.first, self.start_board),
        };
        while !self.game.is_over(&played.last) {
            let side = self.game.mover(&played.last);
            let player = &mut players[usize::from(side == MIN)];
            let Some(decided) = player.decide(&played.last) else {
                played.finished = false;
                break;
            };
            self.game.play(&mut played.last, decided.mark);
            played.moves.push(decided.mark);
            played.nodes.push(decided.nodes);
            let rating = decided.rating.map(|rating| as_printed(rating, side));
            played.ratings.push(rating);
        }
        played.winner = self.game.winner(&played.last);
        played
    }
}

/// The result of a game in a round robin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RobinGame {
    /// Games with the same number have the same players, start board and round.
    cluster: u64,
    /// Index of the agent that moved first, and of the other.
    first: usize,
    second: usize,
    /// Index of the winner.
    winner: Option<usize>,
    turns: usize,
}

/// An agent's row in the table.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Standing {
    agent: String,
    elo: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    games: usize,
    wins: usize,
    draws: usize,
    /// Score against each agent, 0 to 1, in the order of the standings.
    against: Vec<Option<f64>>,
}

/// The outcome of a round robin.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Robin {
    games: usize,
    draws: usize,
    mean_turns: f64,
    standings: Vec<Standing>,
    /// The first mover's advantage in Elo, with its interval.
    first_mover: [Option<f64>; 3],
}

/// All games: every pair on every start board, each agent once as the first mover, `rounds` times, or once if
/// both agents are deterministic.
pub(crate) fn fixtures(
    agents: &[Agent],
    rounds: u64,
    seed: u64,
    game: Ultimate,
) -> Vec<(usize, usize, u64, Fixture)> {
    let mut all = Vec::new();
    for (a, &one) in agents.iter().enumerate() {
        for (b, &other) in agents.iter().enumerate().skip(a + 1) {
            let is_fixed = one.is_deterministic() && other.is_deterministic();
            for round in 0..if is_fixed { 1 } else { rounds } {
                for start_board in 0..9 {
                    let cluster = all.len() as u64 / 2;
                    for (max, min, first, second) in [(one, other, a, b), (other, one, b, a)] {
                        // Marks and first move are swapped together; max always starts here.
                        let fixture = Fixture {
                            game,
                            start_board,
                            first: MAX,
                            max,
                            min,
                            seed: seed
                                .wrapping_mul(1_000_003)
                                .wrapping_add(cluster * 2 + round % 2),
                        };
                        all.push((first, second, cluster, fixture));
                    }
                }
            }
        }
    }
    all
}

pub(crate) fn round_robin(
    agents: &[Agent],
    rounds: u64,
    seed: u64,
    game: Ultimate,
    progress: &(dyn Fn() + Sync),
) -> Robin {
    let fixtures = fixtures(agents, rounds, seed, game);
    let games: Vec<RobinGame> = fixtures
        .par_iter()
        .map(|&(first, second, cluster, fixture)| {
            let played = fixture.play();
            progress();
            let winner = played
                .winner
                .map(|side| if side == MAX { first } else { second });
            RobinGame {
                cluster,
                first,
                second,
                winner,
                turns: played.moves.len(),
            }
        })
        .collect();
    Robin::new(agents, &games)
}

impl Robin {
    fn new(agents: &[Agent], games: &[RobinGame]) -> Self {
        let decided = games.iter().filter_map(|game| {
            Some(RatedGame {
                cluster: game.cluster,
                first: game.first,
                second: game.second,
                score: (game.winner? == game.first).into(),
            })
        });
        let decided: Vec<RatedGame> = decided.collect();
        let ratings: Ratings = rate(&decided, agents.len(), Errors::Clustered);
        let mut order: Vec<usize> = (0..agents.len()).collect();
        let elo = |agent: usize| ratings.agents[agent].elo.value.unwrap_or(0.0);
        order.sort_by(|&a, &b| elo(b).total_cmp(&elo(a)));
        let standing = |&agent: &usize| {
            let with = |other: usize| {
                games.iter().filter(move |game| {
                    [game.first, game.second] == [agent, other]
                        || [game.second, game.first] == [agent, other]
                })
            };
            let score = |game: &RobinGame| match game.winner {
                Some(winner) if winner == agent => 1.0,
                Some(_) => 0.0,
                None => 0.5,
            };
            let mine = || {
                games
                    .iter()
                    .filter(|game| game.first == agent || game.second == agent)
            };
            let against = order.iter().map(|&other| {
                let count = with(other).count();
                (count > 0).then(|| with(other).map(score).sum::<f64>() / count as f64)
            });
            let rating = ratings.agents[agent].elo;
            Standing {
                agent: agents[agent].to_string(),
                elo: rating.value,
                low: rating.low,
                high: rating.high,
                games: mine().count(),
                wins: mine().filter(|game| game.winner == Some(agent)).count(),
                draws: mine().filter(|game| game.winner.is_none()).count(),
                against: against.collect(),
            }
        };
        let advantage = ratings.first_player;
        Self {
            games: games.len(),
            draws: games.len() - decided.len(),
            mean_turns: games.iter().map(|game| game.turns as f64).sum::<f64>()
                / games.len().max(1) as f64,
            standings: order.iter().map(standing).collect(),
            first_mover: [advantage.value, advantage.low, advantage.high],
        }
    }
}

impl std::fmt::Display for Robin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let elo =
            |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |elo| format!("{elo:+.0}"));
        let interval = |low, high| format!("{} to {}", elo(low), elo(high));
        writeln!(
            f,
            "{} games, {} drawn, {:.1} turns on average\n",
            self.games, self.draws, self.mean_turns
        )?;
        write!(
            f,
            " #  {:<22}  {:>5}  {:>16}  games  wins  draws",
            "agent", "Elo", "95%"
        )?;
        for column in 1..=self.standings.len() {
            write!(f, "  {column:>5}")?;
        }
        writeln!(f)?;
        for (i, row) in self.standings.iter().enumerate() {
            let (elo, range) = (elo(row.elo), interval(row.low, row.high));
            let [games, wins, draws] = [row.games, row.wins, row.draws];
            write!(
                f,
                "{:>2}  {:<22}  {elo:>5}  {range:>16}  {games:>5}  {wins:>4}  {draws:>5}",
                i + 1,
                row.agent
            )?;
            for score in &row.against {
                let text =
                    score.map_or_else(|| "-".to_owned(), |score| format!("{:.1}%", 100.0 * score));
                write!(f, "  {text:>5}")?;
            }
            writeln!(f)?;
        }
        let [value, low, high] = self.first_mover;
        writeln!(
            f,
            "\nMoving first is worth {} Elo (95%: {}).",
            elo(value),
            interval(low, high)
        )?;
        if self.draws > 0 {
            writeln!(f, "Ratings are of the decided games.")?;
        }
        Ok(())
    }
}
