//! The players: the report's searches, Monte Carlo tree search, a random player and a person.

use std::fmt;
use std::io::{BufRead, Write};
use std::str::FromStr;

use patchwork_engine::util::rng::{Rng, below, stream};
use patchwork_search::{GameRules, Guidance, Leaf, Meter, Search, Settings, Side, Stop, Value};

use crate::evaluation::{Evaluation, playout};
use crate::game::{Mark, Position, Ultimate};

/// Number of turns that the report's agents look ahead.
const DEPTH: u32 = 3;

/// A kind of player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Agent {
    /// Minimax of depth 3, with or without alpha-beta cuts.
    Lookahead { evaluation: Evaluation, cuts: bool },
    /// Monte Carlo tree search.
    Mcts { iterations: u32 },
    /// Random moves.
    Random,
    /// A person at the terminal.
    Human,
}

const EVALUATIONS: [(&str, Evaluation); 5] = [
    ("offensive", Evaluation::Offensive),
    ("defensive", Evaluation::Defensive),
    ("designed", Evaluation::Designed),
    ("simple", Evaluation::Simple),
    ("monte-carlo", Evaluation::MonteCarlo { games: 20 }),
];
const ITERATIONS: u32 = 1000;

impl FromStr for Agent {
    type Err = String;

    /// `offensive`, `defensive`, `designed`, `simple` or `monte-carlo`, each with `:minimax` or
    /// `:alphabeta`; `mcts` with `:ITERATIONS`; `random`; `human`.
    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || {
            format!(
                "'{text}' is not a player; expected offensive, defensive, designed, simple or monte-carlo, with \
                 :minimax or :alphabeta, or mcts, mcts:ITERATIONS, random or human"
            )
        };
        let (name, option) = match text.split_once(':') {
            Some((name, option)) => (name, Some(option)),
            None => (text, None),
        };
        match (name, option) {
            ("mcts", None) => Ok(Self::Mcts {
                iterations: ITERATIONS,
            }),
            ("mcts", Some(count)) => match count.parse() {
                Ok(iterations) if iterations > 0 => Ok(Self::Mcts { iterations }),
                _ => Err(unknown()),
            },
            ("random", None) => Ok(Self::Random),
            ("human", None) => Ok(Self::Human),
            _ => {
                let mut known = EVALUATIONS.iter().filter(|(known, _)| *known == name);
                let &(_, evaluation) = known.next().ok_or_else(unknown)?;
                let cuts = match option {
                    None | Some("alphabeta") => true,
                    Some("minimax") => false,
                    Some(_) => return Err(unknown()),
                };
                Ok(Self::Lookahead { evaluation, cuts })
            }
        }
    }
}

impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lookahead { evaluation, cuts } => {
                let mut names = EVALUATIONS.iter().filter(|(_, known)| known == evaluation);
                let name = names.next().map_or("", |(name, _)| name);
                let search = if *cuts { "alphabeta" } else { "minimax" };
                write!(f, "{name}:{search}")
            }
            Self::Mcts { iterations } => write!(f, "mcts:{iterations}"),
            Self::Random => f.write_str("random"),
            Self::Human => f.write_str("human"),
        }
    }
}

impl Agent {
    /// Whether it always chooses the same move in a position.
    pub(crate) const fn is_deterministic(&self) -> bool {
        matches!(
            self,
            Self::Lookahead {
                evaluation: Evaluation::Offensive
                    | Evaluation::Defensive
                    | Evaluation::Designed
                    | Evaluation::Simple,
                ..
            }
        )
    }

    pub(crate) fn player(self, game: Ultimate, seed: &[u64]) -> Player {
        let rng = stream(seed);
        let search = match self {
            Self::Mcts { iterations } => {
                let guidance = Playouts {
                    game,
                    rng: rng.clone(),
                };
                let search = Search::new(guidance, Settings::default()).expect("defaults");
                Some((search, iterations))
            }
            _ => None,
        };
        Player {
            agent: self,
            game,
            rng,
            search,
        }
    }
}

/// A decision: the move, the number of positions visited, and the rating of the move for its player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decided {
    pub(crate) mark: Mark,
    pub(crate) nodes: u64,
    pub(crate) rating: Option<f64>,
}

/// A player in a game.
pub(crate) struct Player {
    agent: Agent,
    game: Ultimate,
    rng: Rng,
    search: Option<(Search<Playouts>, u32)>,
}

impl Player {
    /// Chooses a move in an unfinished position; `None` if the person at the terminal leaves.
    pub(crate) fn decide(&mut self, position: &Position) -> Option<Decided> {
        match self.agent {
            Agent::Lookahead { evaluation, cuts } => {
                let mut lookahead = Lookahead {
                    game: self.game,
                    evaluation,
                    cuts,
                    side: self.game.mover(position),
                    nodes: 0,
                    rng: &mut self.rng,
                };
                lookahead.decide(position)
            }
            Agent::Mcts { .. } => {
                let (search, iterations) = self.search.as_mut()?;
                let rng = &mut self.rng;
                search.restart(|guidance| guidance.rng = rng.clone());
                below(2, rng);
                let choice = search.decide(position, &Meter::iterations(*iterations, &Stop::new()));
                Some(Decided {
                    mark: choice.best.action,
                    nodes: choice.iterations.into(),
                    rating: None,
                })
            }
            Agent::Random => {
                let count = self.game.moves(position).count() as u32;
                let chosen = below(count.max(1), &mut self.rng) as usize;
                let mark = self.game.moves(position).nth(chosen)?;
                Some(Decided {
                    mark,
                    nodes: 0,
                    rating: None,
                })
            }
            Agent::Human => ask(self.game, position),
        }
    }
}

/// Asks the person at the terminal until the answer is a legal move.
fn ask(game: Ultimate, position: &Position) -> Option<Decided> {
    eprint!("{position}");
    let legal: Vec<Mark> = game.moves(position).collect();
    loop {
        eprint!("your move (board,cell; 0 to 8, row by row), or q: ");
        let _ = std::io::stderr().flush();
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        if !read.is_ok_and(|bytes| bytes > 0) || line.trim() == "q" {
            return None;
        }
        match line.parse() {
            Ok(mark) if legal.contains(&mark) => {
                return Some(Decided {
                    mark,
                    nodes: 0,
                    rating: None,
                });
            }
            Ok(mark) => {
                let open: Vec<String> = legal.iter().map(ToString::to_string).collect();
                eprintln!("{mark} is not legal; expected one of {}", open.join(" "));
            }
            Err(error) => eprintln!("{error}"),
        }
    }
}

/// The report's search: positions at depth 3 and finished games are rated by the evaluation of the agent at
/// the root, whoever is to move.
struct Lookahead<'a> {
    game: Ultimate,
    evaluation: Evaluation,
    cuts: bool,
    /// The agent's side.
    side: Side,
    /// Number of positions generated, without the root.
    nodes: u64,
    rng: &'a mut Rng,
}

impl Lookahead<'_> {
    /// The first move with the strictly best rating. Each move of the root has the full window.
    fn decide(&mut self, position: &Position) -> Option<Decided> {
        let mut best: Option<(Mark, f64)> = None;
        for mark in self.game.moves(position) {
            let rating = self.rate_after(position, mark, 1, (f64::NEG_INFINITY, f64::INFINITY));
            if best.is_none_or(|(_, best)| rating > best) {
                best = Some((mark, rating));
            }
        }
        let (mark, rating) = best?;
        Some(Decided {
            mark,
            nodes: self.nodes,
            rating: Some(rating),
        })
    }

    fn rate_after(
        &mut self,
        position: &Position,
        mark: Mark,
        depth: u32,
        window: (f64, f64),
    ) -> f64 {
        let mut child = *position;
        self.game.play(&mut child, mark);
        self.nodes += 1;
        if depth == DEPTH || self.game.is_over(&child) {
            return self.evaluation.rate(self.game, &child, self.side, self.rng);
        }
        let own = self.game.mover(&child) == self.side;
        let (mut low, mut high) = window;
        let mut value = if own {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
        for mark in self.game.moves(&child) {
            let next = self.rate_after(&child, mark, depth + 1, (low, high));
            if own {
                value = value.max(next);
                low = low.max(value);
            } else {
                value = value.min(next);
                high = high.min(value);
            }
            // Equality cuts as well.
            if self.cuts && low >= high {
                break;
            }
        }
        value
    }
}

/// The game for the tree search: equal priors for all moves, and leaves evaluated by one random game.
pub(crate) struct Playouts {
    game: Ultimate,
    rng: Rng,
}

impl GameRules for Playouts {
    type Position = Position;
    type Action = Mark;

    fn is_over(&self, position: &Position) -> bool {
        self.game.is_over(position)
    }

    fn mover(&self, position: &Position) -> Side {
        self.game.mover(position)
    }

    fn play(&self, position: &mut Position, mark: Mark) {
        self.game.play(position, mark);
    }
}

impl Guidance for Playouts {
    fn expand(&mut self, position: &Position, actions: &mut Vec<(Mark, f32)>) -> bool {
        actions.extend(self.game.moves(position).map(|mark| (mark, 1.0)));
        true
    }

    fn evaluate(&mut self, position: &Position) -> Leaf {
        if let Some(winner) = self.game.winner(position) {
            return Leaf::won_by(winner);
        }
        let winner = playout(self.game, *position, &mut self.rng);
        Leaf::estimate(winner.map_or(Value::for_first(0.5), |side| Value::for_side(side, 1.0)))
    }
}
