//! Plays the games of a plan.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU32, Ordering};

use crossbeam::channel;
use patchwork_engine::agent::Agent;
use patchwork_engine::game::{Setup, Track};
use patchwork_engine::record::GameId;
use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::stream;

use super::file::{GamesFile, SelfPlayGame};
use super::opening::OpeningPlayer;
use super::plan::SelfPlayPlan;
use patchwork_tournament::PlannedGame;
use patchwork_tournament::play::{NumberedGame, play_watched};

/// Maximum number of considered actions kept per ply.
const CONSIDERED: usize = 8;

/// Plays the game with this number, which depends only on the plan and the number. `None` after a stop.
pub fn play_one(
    plan: &SelfPlayPlan,
    number: u32,
    agents: &mut [Box<dyn Agent>; 2],
    stop: &Stop,
) -> Result<Option<SelfPlayGame>, InputError> {
    let of = |what: u64| stream(&[plan.seed, number.into(), what]);
    let track = Track::ALL[number as usize % Track::ALL.len()];
    let setup = Setup::random(track, &mut of(0));
    let (opening, random) = plan.opening.draw(&mut of(1));
    let [first, second] = agents;
    let mut seats = [(first, 2), (second, 3)].map(|(agent, seat)| OpeningPlayer {
        agent: &mut **agent,
        opening,
        random,
        rng: of(seat),
        plies: 0,
        decided: false,
    });
    let [first, second] = &mut seats;
    let game = PlannedGame {
        id: GameId::default(),
        seats: [0, 1],
    };
    let played = play_watched(
        game,
        &setup,
        [first, second],
        [of(4), of(5)],
        CONSIDERED,
        stop,
        |_| (),
    );
    let unable = |what: &dyn Display| InputError::new(format!("the agent cannot play: {what}"));
    let Some(NumberedGame { entry, .. }) = played.map_err(|error| unable(&error))? else {
        return Ok(None);
    };
    if let Some(termination) = entry.record.termination {
        return Err(unable(&termination.reason));
    }
    Ok(Some(SelfPlayGame {
        opening,
        record: entry.record,
        considered: entry.extras.considered,
    }))
}

/// Plays the games that a file lacks on some threads. Games are appended in order of their number, so the
/// bytes of the file depend only on the plan. `told` is called after each game. After a stop, the games in
/// progress are dropped.
///
/// # Errors
/// When the agent cannot play or the file cannot be written; games already written remain.
pub fn play(
    plan: &SelfPlayPlan,
    file: &mut GamesFile,
    threads: NonZeroUsize,
    stop: &Stop,
    mut told: impl FnMut(),
) -> Result<(), InputError> {
    let first = file.games();
    let next = AtomicU32::new(first);
    let (sender, receiver) = channel::bounded(threads.get());
    std::thread::scope(|scope| {
        for _ in 0..threads.get() {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut agents = plan.agents();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= plan.games || stop.is_set() {
                        return;
                    }
                    let played = play_one(plan, number, &mut agents, stop).transpose();
                    let Some(played) = played else { return };
                    // After an error, there is no receiver.
                    if sender.send((number, played)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        for (number, played) in receiver {
            waiting.insert(number, played?);
            while let Some(game) = waiting.remove(&file.games()) {
                file.append(&game)?;
                told();
            }
        }
        file.finish()
    })
}
