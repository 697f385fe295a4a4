//! Workers that play games in parallel, and the single collector that receives them.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

use crossbeam::channel::{self, Receiver, RecvTimeoutError, Sender};
use patchwork_engine::agent::FaultPolicy;
use patchwork_engine::record::{Entry, GameId, Termination};
use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;
use patchwork_engine::util::counted;

use super::players::{Players, single_threaded_settings};
use super::results::{Offered, Results};
use crate::ledger::{GROUP, TournamentError};
use crate::planning::identity::Streams;
use crate::planning::plan::Plan;
use crate::planning::planned_game::PlannedGame;

impl Results {
    /// Plays the games that are asked for on some threads, and passes each to `watch` when it is taken in. When
    /// `stop` is set, games in progress are dropped, and the call returns without an error.
    ///
    /// # Errors
    /// When an agent breaks the rules, too many games are lost by faults, or a game cannot be stored.
    pub fn play(
        &mut self,
        threads: NonZeroUsize,
        stop: &Stop,
        mut watch: impl FnMut(&Entry, &Self),
    ) -> Result<(), TournamentError> {
        let ended = run(self, threads, stop, &mut watch);
        let committed = self.commit();
        self.games.sort();
        ended?;
        committed
    }
}

/// What a worker gives back.
type PlayedGame = (PlannedGame, Result<Option<Entry>, InputError>);

/// Plays the games that results ask for on some threads, and passes each game to `watch` when it is taken in. When `stop`
/// is set, games in progress and games that do not count yet are dropped, and the run ends without an error.
///
/// # Errors
/// When a game cannot be stored or an agent breaks the rules; games taken in before remain valid.
fn run(
    results: &mut Results,
    threads: NonZeroUsize,
    stop: &Stop,
    watch: &mut dyn FnMut(&Entry, &Results),
) -> Result<(), TournamentError> {
    let plan = results.manifest.plan.clone();
    let (settings, streams) = (single_threaded_settings(&plan), Streams::new(&plan));
    let threads = threads.get();
    let (give, games) = channel::bounded(threads);
    let (send, played) = channel::bounded(4 * threads);
    thread::scope(|scope| {
        for started in 0..threads {
            let (games, send) = (games.clone(), send.clone());
            let mut players = Players::new(&settings).recording(plan.thoughts());
            let streams = &streams;
            let work = move || {
                for game in games {
                    let result = players.play(game, streams, stop);
                    let ended = result.is_err();
                    if send.send((game, result)).is_err() || ended {
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
        let ended = collect(results, &plan, (give, &played), stop, watch);
        if ended.is_err() {
            // Dropping the receiver makes the workers' next send fail.
            stop.set();
        }
        drop(played);
        ended
    })
}

/// Hands out games while there is room, and takes in what was played.
fn collect(
    results: &mut Results,
    plan: &Plan,
    (give, played): (Sender<PlannedGame>, &Receiver<PlayedGame>),
    stop: &Stop,
    watch: &mut dyn FnMut(&Entry, &Results),
) -> Result<(), TournamentError> {
    let mut give = Some(give);
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
            match results.schedule.next() {
                Some(game) => {
                    out.insert(game.id, game);
                    // There is room, and a worker that is gone has set `stop`.
                    let _ = to.try_send(game);
                }
                None => give = None,
            }
        }
        let (game, result) = match played.recv_timeout(GROUP) {
            Ok(back) => back,
            Err(RecvTimeoutError::Timeout) => {
                results.commit()?;
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
        let entry = match result {
            Ok(Some(entry)) => entry,
            Ok(None) => continue,
            Err(error) => {
                let [first, second] = game.seats.map(|agent| plan.name(agent));
                return Err(sentence(format!("{first} against {second}: {error}")));
            }
        };
        out.remove(&game.id);
        let end = entry.record.termination;
        let taken = results.add(entry, None)?;
        if let Offered::Counted(stored) = taken {
            stored.iter().for_each(|entry| watch(entry, results));
        }
        if let Some(end) = end {
            count_fault(&mut faults, plan, game.seats, end)?;
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

/// Sees a game when it is stored, and the results with it.
pub type WatchGame<'a> = dyn FnMut(&Entry, &Results) + 'a;

/// Plays games for a ledger. The records do not depend on who plays.
pub trait GamePlayer {
    /// Plays the games that `results` asks for and passes each to `watch` when it is stored. When `stop` is
    /// set, games in progress are dropped, and the call returns without an error.
    fn play(
        &mut self,
        results: &mut Results,
        stop: &Stop,
        watch: &mut WatchGame<'_>,
    ) -> Result<(), TournamentError>;
}

/// This number of threads of this machine, each of which plays one game at a time.
impl GamePlayer for NonZeroUsize {
    fn play(
        &mut self,
        results: &mut Results,
        stop: &Stop,
        watch: &mut WatchGame<'_>,
    ) -> Result<(), TournamentError> {
        results.play(*self, stop, watch)
    }
}

/// The error for pairs that were given up, so that the games are incomplete: names the first one and its problem.
pub fn pairs_given_up(pairs: &BTreeMap<String, String>) -> InputError {
    let text = match (pairs.first_key_value(), pairs.len()) {
        (None, _) => "no pair".to_owned(),
        (Some((pair, why)), 1) => format!("the pair {pair}: {why}"),
        (Some((pair, why)), 2) => format!("the pair {pair} ({why}) and another one"),
        (Some((pair, why)), all) => format!("the pair {pair} ({why}) and {} others", all - 1),
    };
    InputError::new(format!("the fleet has given up {text}"))
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
        let plan = plan(&names, Format::RoundRobin, 400).unwrap();
        let (threads, mut count) = (THREADS.get() as u64, 0);
        let played = results(plan.clone()).play(THREADS, &Stop::new(), |entry, _| {
            // A game that waits is in one of the two channels, or at its worker.
            assert!(plan.index(entry.record.id) <= count + 6 * threads);
            if count == 0 {
                std::thread::sleep(std::time::Duration::from_millis(30));
            }
            count += 1;
        });
        assert!(played.is_ok() && count == 800);
    }

    #[test]
    fn a_stopped_run_ends_and_can_go_on() {
        let names: Vec<String> = (0..6).map(|i| format!("a{i}")).collect();
        let plan = plan(&names, Format::RoundRobin, 1).unwrap();
        for last in 1..12 {
            let (mut results, stop, mut count) = (results(plan.clone()), Stop::new(), 0);
            let stopped = results.play(THREADS, &stop, |_, _| {
                count += 1;
                if count == last {
                    stop.set();
                }
            });
            assert!(stopped.is_ok() && count >= last);
            results
                .play(THREADS, &Stop::new(), |_, _| count += 1)
                .unwrap();
            assert_eq!((count, results.is_complete()), (30, true));
        }
    }
}
