//! Workers that play games in parallel, and the single collector that receives them.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crossbeam::channel;
use patchwork_engine::agent::FaultPolicy;
use patchwork_engine::record::{Entry, FaultReason, GameId, Termination};
use patchwork_engine::search::Stop;
use patchwork_engine::util::counted::counted;

use super::encounter::{GameResult, PlannedGame};
use super::identity::Streams;
use super::plan::Plan;
use super::play::PlayError;
use super::players::{Players, settings_of};
use super::schedule::{Next, Schedule};

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E> {
    /// An agent broke the rules.
    #[error("{first} against {second}: {error}")]
    Play {
        /// Name of the agent in the first seat.
        first: String,
        /// Name of the agent in the second seat.
        second: String,
        /// The error.
        error: PlayError,
    },
    /// An agent has lost as many games by faults as its settings allow. All of them have been collected.
    #[error(
        "{agent} has lost {games} by faults, the last one by {reason}: stopped because of its key stop_after"
    )]
    Faults {
        /// Name of the agent.
        agent: String,
        /// The number of games in words.
        games: String,
        /// The last fault.
        reason: FaultReason,
    },
    /// The collector could not store a game.
    #[error(transparent)]
    Collect(E),
    /// The games could not be played elsewhere.
    #[error(transparent)]
    Elsewhere(Box<dyn std::error::Error + Send + Sync>),
}

impl<E> RunError<E> {
    /// The error of games that could not be played elsewhere.
    pub fn elsewhere(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Elsewhere(error.into())
    }
}

/// A schedule shared by the workers.
struct SharedSchedule<'a> {
    schedule: Mutex<Schedule>,
    /// Notified when the next game may have become available.
    changed: Condvar,
    stop: &'a Stop,
}

impl SharedSchedule<'_> {
    fn lock(&self) -> MutexGuard<'_, Schedule> {
        // A panic here leaves the schedule unchanged.
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a result; see [`Schedule::finish`].
    fn finish(&self, result: GameResult) -> Vec<GameId> {
        let counted = self.lock().finish(result);
        self.changed.notify_all();
        counted
    }

    /// The next game for a worker; blocks until one is available. `None` after a stop.
    fn next(&self) -> Option<PlannedGame> {
        let mut schedule = self.lock();
        loop {
            match schedule.next_game() {
                _ if self.stop.is_set() => return None,
                Next::Game(game) => return Some(game),
                Next::Over => return None,
                Next::Wait => {
                    let woken = self.changed.wait(schedule);
                    schedule = woken.unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// Wakes the workers that wait for a game.
    fn wake(&self) {
        // Holding the lock ensures that no worker is between checking and waiting.
        let _schedule = self.lock();
        self.changed.notify_all();
    }
}

/// Plays the remaining games of a plan on some threads and passes each game to `collect` as soon as
/// it counts. Games are passed in the order in which they finish; if the plan has a test, the games
/// of a pairing are passed in plan order. When `stop` is set, games in progress and games that do
/// not count yet are dropped, and the run ends without an error.
///
/// # Errors
/// When `collect` fails or an agent breaks the rules; games collected before remain valid.
pub fn run<E: Send>(
    schedule: Schedule,
    threads: NonZeroUsize,
    stop: &Stop,
    mut collect: impl FnMut(Entry) -> Result<(), E>,
) -> Result<(), RunError<E>> {
    let plan = schedule.plan().clone();
    let shared = SharedSchedule {
        schedule: Mutex::new(schedule),
        changed: Condvar::new(),
        stop,
    };
    // Games that do not count yet.
    let mut waiting: HashMap<GameId, Entry> = HashMap::new();
    let mut finish = |entry: Entry| {
        let counted = shared.finish(GameResult::from(&entry.record));
        waiting.insert(entry.record.id, entry);
        let mut entries = counted.iter().filter_map(|id| waiting.remove(id));
        entries.try_for_each(&mut collect)
    };
    let (settings, streams) = (settings_of(&plan), Streams::new(&plan));
    // The games of this run that each agent lost by faults.
    let mut faults = HashMap::new();
    let threads = threads.get();
    let (sender, receiver) = channel::bounded(4 * threads);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let mut players = Players::new(&settings).recording(plan.thoughts());
            let (shared, streams) = (&shared, &streams);
            let work = move || {
                while let Some(game) = shared.next() {
                    let result = players.play(game, streams, stop);
                    let ended = result.is_err();
                    if sender.send((game, result)).is_err() || ended {
                        break;
                    }
                }
            };
            scope.spawn(move || {
                // The other workers might wait for the game of one that panics.
                if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
                    stop.set();
                    shared.wake();
                    resume_unwind(panic);
                }
            });
        }
        // The workers hold the other senders, so the loop ends when the last worker is done.
        drop(sender);
        for (game, result) in receiver {
            let kept = match result {
                Ok(entry) => {
                    let end = entry
                        .record
                        .termination
                        .map(|end| (entry.record.agents, end));
                    let kept = finish(entry).map_err(RunError::Collect);
                    kept.and_then(|()| {
                        end.map_or(Ok(()), |(agents, end)| {
                            count_fault(&mut faults, &plan, agents, end)
                        })
                    })
                }
                Err(PlayError::Stopped) => {
                    shared.wake();
                    continue;
                }
                Err(error) => Err(broken(&plan, game, error)),
            };
            if kept.is_err() {
                // Returning drops the receiver, and the workers' next send fails.
                stop.set();
                shared.wake();
                return kept;
            }
        }
        Ok(())
    })
}

/// Counts a game that an agent lost by a fault, and fails when the agent has reached its limit.
fn count_fault<E>(
    counts: &mut HashMap<u16, u32>,
    plan: &Plan,
    agents: [u16; 2],
    end: Termination,
) -> Result<(), RunError<E>> {
    let agent = agents[end.loser.index()];
    let lost = counts.entry(agent).or_default();
    *lost += 1;
    match plan.agents()[usize::from(agent)].config.fault_policy() {
        FaultPolicy::Stop(most) if *lost >= most.get() => Err(RunError::Faults {
            agent: plan.name(agent).to_owned(),
            games: counted((*lost).into(), "game"),
            reason: end.reason,
        }),
        _ => Ok(()),
    }
}

/// The error of a game in which an agent broke the rules.
fn broken<E>(plan: &Plan, game: PlannedGame, error: PlayError) -> RunError<E> {
    let [first, second] = game.seats.map(|agent| plan.name(agent).to_owned());
    RunError::Play {
        first,
        second,
        error,
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::fmt;

    use super::*;
    use crate::support::tournaments::plan;
    use crate::tournament::{Format, Swiss};

    const THREADS: NonZeroUsize = NonZeroUsize::new(8).unwrap();

    /// Six random agents: a round has fewer games than there are workers.
    fn swiss() -> Schedule {
        let seeds: Vec<String> = (0..6).map(|i| format!("a{i}")).collect();
        let plan = plan(&seeds.clone(), Swiss { rounds: 5, seeds }, 1);
        Schedule::new(&plan.unwrap())
    }

    #[test]
    fn workers_wait_for_rounds() {
        let mut ids = Vec::new();
        run(swiss(), THREADS, &Stop::new(), |entry| {
            ids.push(entry.record.id);
            Ok::<_, Infallible>(())
        })
        .unwrap();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 30);
    }

    /// Where a slow disk holds up the collector, the workers wait: few games are in memory.
    #[test]
    fn games_do_not_pile_up_before_a_slow_collector() {
        let names = ["a", "b"].map(str::to_owned);
        let plan = plan(&names, Format::RoundRobin, 400).unwrap();
        let (threads, mut count) = (THREADS.get() as u64, 0);
        let collected = run(Schedule::new(&plan), THREADS, &Stop::new(), |entry| {
            // A game that waits is in the channel, or its worker waits to put it there.
            assert!(plan.number(entry.record.id) <= count + 5 * threads);
            if count == 0 {
                std::thread::sleep(std::time::Duration::from_millis(30));
            }
            count += 1;
            Ok::<_, Infallible>(())
        });
        assert!(collected.is_ok() && count == 800);
    }

    #[test]
    fn nobody_waits_for_ever_when_it_ends_early() {
        for last in 1..12 {
            let mut count = 0;
            let full = run(swiss(), THREADS, &Stop::new(), |_| {
                count += 1;
                if count == last {
                    Err(fmt::Error)
                } else {
                    Ok(())
                }
            });
            assert!(matches!(full, Err(RunError::Collect(fmt::Error))));
            assert_eq!(count, last);

            let (stop, mut count) = (Stop::new(), 0);
            let stopped = run(swiss(), THREADS, &stop, |_| {
                count += 1;
                if count == last {
                    stop.set();
                }
                Ok::<_, Infallible>(())
            });
            assert!(stopped.is_ok() && count >= last);
        }
    }
}
