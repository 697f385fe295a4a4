//! Who plays the games of a plan: threads of this machine here, other machines in the crate of fleets.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam::channel::{self, Receiver, RecvTimeoutError, Sender};
use patchwork_engine::agent::FaultPolicy;
use patchwork_engine::record::{Entry, GameId, Termination};
use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;
use patchwork_engine::util::counted;

use super::players::{PlayablePlan, Players};
use super::results::Results;
use crate::ledger::{EncodedGame, GROUP, TournamentError};
use crate::planning::plan::Plan;
use crate::planning::planned_game::PlannedGame;
use crate::stats::GameRead;

/// Sees a game when it counts and is stored, and the results with it.
pub type WatchGame<'a> = dyn FnMut(&Entry, &Results) + 'a;

/// Plays games. The records do not depend on who plays.
pub trait Executor {
    /// Number of games that are played at the same time, if it is known.
    fn threads(&self) -> Option<NonZeroUsize>;

    /// Plays the games that `results` asks for and passes each to `watch` when it counts. When `stop` is set, games in
    /// progress are dropped, and the call returns without an error.
    ///
    /// # Errors
    /// When an agent breaks the rules, too many games are lost by faults, or a game cannot be stored. Games that
    /// counted before remain valid.
    fn play(
        &mut self,
        results: &mut Results,
        stop: &Stop,
        watch: &mut WatchGame<'_>,
    ) -> Result<PlaySummary, TournamentError>;
}

/// What happened besides the games. Threads tell only whether they played all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlaySummary {
    /// Whether no game is missing that was asked for.
    pub complete: bool,
    /// The names of the pairs that are no longer played, with the reasons.
    pub given_up: BTreeMap<String, String>,
    /// Number of games that arrived again with the same record.
    pub doubles: u64,
    /// Number of games that arrived again with a different record, which was dropped.
    pub different: u64,
    /// Number of messages that were not understood or belong to another plan.
    pub garbage: u64,
    /// Number of games that were refused.
    pub refused: u64,
    /// Number of tasks that were published again.
    pub again: u64,
}

impl PlaySummary {
    /// Checks that no pair was given up.
    ///
    /// # Errors
    /// A sentence with the first of them and its problem.
    pub fn check_whole(&self) -> Result<(), InputError> {
        let others = self.given_up.len().saturating_sub(1);
        let Some((pair, why)) = self.given_up.first_key_value() else {
            return Ok(());
        };
        Err(InputError::new(match others {
            0 => format!("the fleet has given up the pair {pair}: {why}"),
            1 => format!("the fleet has given up the pair {pair} ({why}) and another one"),
            _ => format!("the fleet has given up the pair {pair} ({why}) and {others} others"),
        }))
    }
}

/// This number of threads of this machine, each of which plays one game at a time.
#[derive(Clone, Copy, Debug)]
pub struct LocalThreads(pub NonZeroUsize);

/// The most games that a worker plays for one message.
const MOST_TOGETHER: usize = 16;
/// About the time that they take: a message costs as much as a game of the fastest agents.
const TOGETHER: Duration = Duration::from_millis(2);

/// A game with what the statistics read of it, if they are folded now.
type PlayedGame = (EncodedGame, Option<GameRead>);

/// What a worker gives back: games that it was given one after another, and the time that they took. What it could not play
/// is missing.
struct PlayedGames {
    games: Vec<(PlannedGame, Result<PlayedGame, InputError>)>,
    time: Duration,
}

impl PlayedGames {
    /// Plays games one after another, up to the first that cannot be played. With a `step`, it also reads what the statistics
    /// need: of one in `step` pairs, the branching as the paper counts it, too.
    fn new(games: Vec<PlannedGame>, players: &mut Players, step: Option<u32>, stop: &Stop) -> Self {
        let start = Instant::now();
        let mut played = Vec::with_capacity(games.len());
        for game in games {
            match players.play(game, stop) {
                Ok(Some(result)) => {
                    let replays = step.map(|step| game.id.pair.is_multiple_of(step));
                    let read = replays.map(|replays| GameRead::new(&result.entry, replays));
                    played.push((game, Ok((result.encoded(), read))));
                }
                Ok(None) => break,
                Err(error) => {
                    played.push((game, Err(error)));
                    break;
                }
            }
        }
        Self {
            games: played,
            time: start.elapsed(),
        }
    }
}

impl Executor for LocalThreads {
    fn threads(&self) -> Option<NonZeroUsize> {
        Some(self.0)
    }

    fn play(
        &mut self,
        results: &mut Results,
        stop: &Stop,
        watch: &mut WatchGame<'_>,
    ) -> Result<PlaySummary, TournamentError> {
        let playable = PlayablePlan::new(&results.manifest.plan);
        let threads = self.0.get();
        let step = results.statistics.as_ref().map(|folded| folded.step);
        let (give, games) = channel::bounded(threads);
        let (send, played) = channel::bounded(4 * threads);
        let collected = thread::scope(|scope| {
            for started in 0..threads {
                let (games, send) = (games.clone(), send.clone());
                let mut players = Players::new(&playable);
                let work = move || {
                    for games in games {
                        let played = PlayedGames::new(games, &mut players, step, stop);
                        let ended = played.games.last().is_some_and(|(_, game)| game.is_err());
                        if send.send(played).is_err() || ended {
                            break;
                        }
                    }
                };
                let work = move || {
                    // The other workers need not go on without the one that panics.
                    if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
                        stop.set();
                        resume_unwind(panic);
                    }
                };
                match thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(_) => {}
                    Err(error) if started == 0 => {
                        return Err(sentence(format!("cannot start a thread: {error}")));
                    }
                    // The threads that there are play all games.
                    Err(_) => break,
                }
            }
            // The workers hold the other ends, so the games end when the last worker is done.
            drop((games, send));
            let collected = collect(results, &playable.plan, (give, &played), stop, watch);
            if collected.is_err() {
                // Dropping the receiver makes the workers' next send fail.
                stop.set();
            }
            drop(played);
            collected
        });
        let settled = results.settle();
        collected?;
        settled?;
        Ok(PlaySummary {
            complete: results.schedule.is_complete(),
            ..PlaySummary::default()
        })
    }
}

/// Hands out games while there is room, and takes in what was played.
fn collect(
    results: &mut Results,
    plan: &Plan,
    (give, played): (Sender<Vec<PlannedGame>>, &Receiver<PlayedGames>),
    stop: &Stop,
    watch: &mut WatchGame<'_>,
) -> Result<(), TournamentError> {
    let mut give = Some(give);
    let mut together = 1;
    // Games that were handed out and are not back.
    let mut out: HashMap<GameId, PlannedGame> = HashMap::new();
    // The games of this run that each agent lost by faults.
    let mut faults = HashMap::new();
    loop {
        while let Some(to) = give
            .take_if(|_| stop.is_set())
            .map_or(give.as_ref(), |_| None)
            && !to.is_full()
        {
            let games: Vec<_> = results.schedule.by_ref().take(together).collect();
            if games.is_empty() {
                give = None;
                break;
            }
            out.extend(games.iter().map(|game| (game.id, *game)));
            // There is room, and a worker that is gone has set `stop`.
            let _ = to.try_send(games);
        }
        let PlayedGames { games, time } = match played.recv_timeout(GROUP) {
            Ok(back) => back,
            Err(RecvTimeoutError::Timeout) => {
                results.commit()?;
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
        together = match games.len() {
            full if full == together && time < TOGETHER / 2 => MOST_TOGETHER.min(2 * together),
            _ if time > TOGETHER => 1.max(together / 2),
            _ => together,
        };
        for (game, played) in games {
            let (played, read) = played.map_err(|error| {
                let [first, second] = game.seats.map(|agent| plan.name(agent));
                sentence(format!("{first} against {second}: {error}"))
            })?;
            out.remove(&game.id);
            let end = played.entry().record.termination;
            let mut counted = results.add(played, None)?;
            counted.iter().for_each(|entry| watch(entry, results));
            let folded = (&mut results.statistics, counted.pop(), read);
            if let (Some(statistics), Some(entry), Some(read)) = folded
                && !statistics.add(entry, read)
            {
                results.statistics = None;
            }
            if let Some(end) = end {
                count_fault(&mut faults, plan, game.seats, end)?;
            }
        }
    }
    results.schedule.hand_out_again(out.into_values());
    Ok(())
}

/// Counts a game that an agent lost by a fault, and fails when the agent has reached its limit.
fn count_fault(
    counts: &mut HashMap<u16, u32>,
    plan: &Plan,
    agents: [u16; 2],
    end: Termination,
) -> Result<(), TournamentError> {
    let agent = agents[end.loser.index()];
    let lost = counts.entry(agent).or_default();
    *lost += 1;
    match plan.agents()[usize::from(agent)].config.fault_policy() {
        FaultPolicy::Stop(most) if *lost >= most.get() => Err(sentence(format!(
            "{} has lost {} by faults, the last one by {}: stopped because of its key stop_after",
            plan.name(agent),
            counted((*lost).into(), "game"),
            end.reason
        ))),
        _ => Ok(()),
    }
}

fn sentence(text: String) -> TournamentError {
    InputError::new(text).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::plan;
    use crate::{Format, Manifest};

    const THREADS: NonZeroUsize = NonZeroUsize::new(8).unwrap();

    fn results(plan: Plan) -> Results {
        Results::empty(Manifest::new("t".to_owned(), plan))
    }

    /// Where a slow disk holds up the collector, the workers wait: few games are in memory.
    #[test]
    fn games_do_not_pile_up_before_a_slow_collector() {
        let names = ["a", "b"].map(str::to_owned);
        let plan = plan(&names, Format::RoundRobin, 2000).unwrap();
        let (threads, mut count) = (THREADS.get() as u64, 0);
        let mut watch = |entry: &Entry, _: &Results| {
            // A game that waits is in one of the two channels, or at its worker.
            assert!(plan.index(entry.record.id) <= count + 6 * threads * MOST_TOGETHER as u64);
            if count == 0 {
                std::thread::sleep(std::time::Duration::from_millis(30));
            }
            count += 1;
        };
        let mut results = results(plan.clone());
        let played = LocalThreads(THREADS).play(&mut results, &Stop::new(), &mut watch);
        assert!(played.is_ok() && count == 4000);
    }

    #[test]
    fn a_stopped_run_ends_and_can_go_on() {
        let names: Vec<String> = (0..6).map(|i| format!("a{i}")).collect();
        let plan = plan(&names, Format::RoundRobin, 1).unwrap();
        for last in 1..12 {
            let (mut results, stop, mut count) = (results(plan.clone()), Stop::new(), 0);
            let mut threads = LocalThreads(THREADS);
            let stopped = threads.play(&mut results, &stop, &mut |_, _| {
                count += 1;
                if count == last {
                    stop.set();
                }
            });
            assert!(stopped.is_ok() && count >= last);
            threads
                .play(&mut results, &Stop::new(), &mut |_, _| count += 1)
                .unwrap();
            assert_eq!((count, results.schedule.is_complete()), (30, true));
        }
    }
}
