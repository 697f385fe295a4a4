//! Workers that play games in parallel, and the one collector that they report to.

use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Mutex;

use crossbeam::channel;

use super::plan::{Plan, PlannedGame, Streams};
use crate::agent::{Agent, AgentSpec};
use crate::game::Player;
use crate::play::{PlayError, play_game};
use crate::record::Entry;
use crate::search::Stop;

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E> {
    /// The settings of an agent are out of range.
    #[error("agent {name}: {what}")]
    Agent {
        /// The agent.
        name: String,
        /// The key and what was expected.
        what: String,
    },
    /// An agent broke the rules.
    #[error("{first} against {second}: {error}")]
    Play {
        /// Name of the agent in the first seat.
        first: String,
        /// Name of the agent in the second seat.
        second: String,
        /// What happened.
        error: PlayError,
    },
    /// The collector could not keep a game.
    #[error(transparent)]
    Collect(#[from] E),
}

/// The checked agents of a plan, each with a single thread whatever its settings say: the workers
/// play one game each and need all cores.
///
/// # Errors
/// When the settings of one are out of range, which a plan from files never has.
pub fn specs<E>(plan: &Plan) -> Result<Vec<AgentSpec>, RunError<E>> {
    let check = |agent: &super::plan::PlannedAgent| {
        let checked = agent.config.check().map_err(|what| RunError::Agent {
            name: agent.name.clone(),
            what,
        })?;
        Ok(checked.with_threads(NonZeroU32::MIN))
    };
    plan.agents().iter().map(check).collect()
}

/// Plays games of a plan on some threads and hands each to `collect`, in the order in which they
/// end. When `stop` is set, games under way are dropped and the run ends well.
///
/// # Errors
/// When `collect` fails or an agent breaks the rules; the games handed over before are all there is.
pub fn run<E: Send>(
    plan: &Plan,
    games: impl Iterator<Item = PlannedGame> + Send,
    threads: NonZeroUsize,
    stop: &Stop,
    mut collect: impl FnMut(Entry) -> Result<(), E>,
) -> Result<(), RunError<E>> {
    let specs = specs(plan)?;
    let streams = Streams::new(plan);
    // Plans may be long: a game is taken from the plan when a worker is free for it.
    let games = Mutex::new(games.fuse());
    let next = || games.lock().map_or(None, |mut games| games.next());
    let (sender, receiver) = channel::bounded(4 * threads.get());
    std::thread::scope(|scope| {
        for _ in 0..threads.get() {
            let sender = sender.clone();
            let mut players = Players::new(&specs);
            let (next, streams) = (&next, &streams);
            scope.spawn(move || {
                while let Some(game) = next() {
                    let result = players.play(game, streams, stop);
                    let ended = result.is_err();
                    if sender.send((game, result)).is_err() || ended {
                        break;
                    }
                }
            });
        }
        // The workers hold the other senders: the loop ends when the last of them is done.
        drop(sender);
        for (game, result) in receiver {
            let kept = match result {
                Ok(entry) => collect(entry).map_err(RunError::Collect),
                Err(PlayError::Stopped) => continue,
                Err(error) => {
                    let name = |seat: Player| {
                        plan.agents()[game.seats[seat.index()] as usize]
                            .name
                            .clone()
                    };
                    Err(RunError::Play {
                        first: name(Player::First),
                        second: name(Player::Second),
                        error,
                    })
                }
            };
            if kept.is_err() {
                // Returning drops the receiver, and the workers see that nobody listens.
                stop.set();
                return kept;
            }
        }
        Ok(())
    })
}

/// The agents of one worker, each made when it first plays and used again.
pub struct Players<'a> {
    specs: &'a [AgentSpec],
    agents: Vec<Option<Box<dyn Agent>>>,
}

impl<'a> Players<'a> {
    /// Nobody yet; `specs` in the order of the plan's agents.
    #[must_use]
    pub fn new(specs: &'a [AgentSpec]) -> Self {
        Self {
            specs,
            agents: specs.iter().map(|_| None).collect(),
        }
    }

    /// Plays one game of the plan.
    ///
    /// # Errors
    /// As [`play_game`].
    pub fn play(
        &mut self,
        game: PlannedGame,
        streams: &Streams,
        stop: &Stop,
    ) -> Result<Entry, PlayError> {
        let setup = streams.setup(game.id);
        let rngs = Player::BOTH.map(|seat| streams.agent(game.id, seat));
        // Both are taken out for the game, so that both can be borrowed.
        let mut seated = game.seats.map(|agent| {
            let agent = usize::from(agent);
            let kept = self.agents[agent].take();
            kept.unwrap_or_else(|| self.specs[agent].build())
        });
        let [first, second] = &mut seated;
        let seats: [&mut dyn Agent; 2] = [&mut **first, &mut **second];
        let result = play_game(game.id, game.seats, &setup, seats, rngs, stop);
        for (agent, number) in seated.into_iter().zip(game.seats) {
            self.agents[usize::from(number)] = Some(agent);
        }
        result
    }
}
