//! Plays one game between two agents, with a setup and a random stream for each seat.

use crate::ledger::EncodedGame;
use crate::planning::planned_game::PlannedGame;
use std::time::Duration;

use patchwork_engine::agent::{Agent, AgentFault, Limit};
use patchwork_engine::game::{Action, MAX_PLIES, NumberedActions, Player, Setup, State};
use patchwork_engine::record::{Entry, ExpectedLines, Extras, Ply, Record, Termination};
use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::Rng;

/// Plays a game. `seats` holds the agents of the first and the second player. A player whose program fails
/// loses the game. Returns `None` if `stop` is set before the end.
///
/// # Errors
/// When an agent chooses an illegal action.
pub fn play_game(
    game: PlannedGame,
    setup: &Setup,
    seats: [&mut dyn Agent; 2],
    streams: [Rng; 2],
    stop: &Stop,
) -> Result<Option<Entry>, InputError> {
    let played = play_watched(game, setup, seats, streams, 0, stop, |_| ())?;
    Ok(played.map(|played| played.entry))
}

/// A game that has just been played, with the number of each of its actions.
#[derive(Clone, Debug)]
pub struct NumberedGame {
    /// The game.
    pub entry: Entry,
    /// The number of each action among the legal ones.
    numbers: Vec<u16>,
}

impl NumberedGame {
    /// The game with the bytes that are stored of it.
    pub fn encoded(self) -> EncodedGame {
        EncodedGame::played(self.entry, &self.numbers)
    }
}

/// A ply that has just been played.
#[derive(Clone, Copy, Debug)]
pub struct PlayedPly {
    /// The state before the ply.
    pub before: State,
    /// The ply as it is recorded.
    pub ply: Ply,
    /// The state after the ply.
    pub after: State,
    /// The time the decision took, with what the agent does when it sees it played, on the agent's clock.
    pub time: Duration,
}

/// Plays a game like [`play_game`] and passes each ply to `watch`, and the fault by which a player loses. Up to
/// `considered` of the actions that the agents considered in each decision are recorded.
pub fn play_watched(
    game: PlannedGame,
    setup: &Setup,
    seats: [&mut dyn Agent; 2],
    streams: [Rng; 2],
    considered: usize,
    stop: &Stop,
    mut watch: impl FnMut(Result<&PlayedPly, &AgentFault>),
) -> Result<Option<NumberedGame>, InputError> {
    let mut seats = seats;
    for (agent, stream) in seats.iter_mut().zip(streams) {
        agent.start(setup, stream);
    }
    let mut state = State::new(setup);
    let mut plies = Vec::with_capacity(MAX_PLIES);
    let mut nanos = Vec::with_capacity(MAX_PLIES);
    let mut numbers = Vec::with_capacity(MAX_PLIES);
    let mut legal = NumberedActions::default();
    let mut extras = Extras::default();
    let (mut termination, mut failure) = (None, None);
    while !state.is_over() {
        let player = state.mover();
        let clock = seats[player.index()].clock();
        let start = clock();
        let decision = seats[player.index()].decide(setup, &state, Limit::own(stop));
        if stop.is_set() {
            return Ok(None);
        }
        let decision = match decision {
            Ok(decision) => decision,
            Err(fault) => {
                watch(Err(&fault));
                failure = Some((player, fault.to_string()));
                termination = Some(Termination {
                    loser: player,
                    reason: fault.reason,
                });
                break;
            }
        };
        let action = decision.action;
        legal.find(&state, setup);
        let Some(number) = legal.number(action) else {
            let why = state.try_play(setup, action).err();
            let why = why.map(|why| format!(": {why}")).unwrap_or_default();
            let ply = plies.len() + 1;
            return Err(InputError::new(format!(
                "the {player} player chose {action} at ply {ply}{why}"
            )));
        };
        let mut next = state;
        next.play_unchecked(setup, action);
        let ply = Ply::counted(&state, action, legal.count(), decision.thought);
        note_thoughts(&mut extras, &*seats[player.index()], action, considered);
        seats[player.index()].observe(action);
        // One look at the clock before and one after: processor time costs half a microsecond a look.
        let time = (decision.time).unwrap_or_else(|| clock().saturating_sub(start));
        seats[player.other().index()].observe(action);
        watch(Ok(&PlayedPly {
            before: state,
            ply,
            after: next,
            time,
        }));
        plies.push(ply);
        numbers.push(number as u16);
        state = next;
        nanos.push(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }
    let record = Record::new(game.id, game.seats, setup, plies, &state, termination);
    complete(&mut extras, seats, failure);
    let entry = Entry {
        record,
        nanos,
        extras,
    };
    Ok(Some(NumberedGame { entry, numbers }))
}

/// Records the agent's thoughts about the decision just made.
fn note_thoughts(extras: &mut Extras, agent: &dyn Agent, action: Action, considered: usize) {
    extras.expected.push(agent.expected());
    if considered > 0 {
        extras
            .considered
            .push(&agent.considered(action, considered));
    }
}

/// Records what is known at the end of a game: the error output, and why a program failed.
fn complete(extras: &mut Extras, seats: [&mut dyn Agent; 2], failure: Option<(Player, String)>) {
    if extras.expected.is_empty() {
        extras.expected = ExpectedLines::default();
    }
    extras.stderr = seats.map(|agent| agent.take_stderr());
    if let Some((player, what)) = failure {
        let text = &mut extras.stderr[player.index()];
        let gap = if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        *text += &format!("{gap}[{what}]\n");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use patchwork_engine::agent::Decision;
    use patchwork_engine::game::Track;
    use patchwork_engine::search::Clock;
    use patchwork_engine::util::rng::stream;

    use super::*;
    use crate::testing::plan;
    use crate::{Format, PlayablePlan, Players};

    /// Advances, on a clock of its own: one second passes from one look at it to the next.
    struct Advancing;

    impl Agent for Advancing {
        fn start(&mut self, _: &Setup, _: Rng) {}

        fn decide(
            &mut self,
            setup: &Setup,
            state: &State,
            _: Limit<'_>,
        ) -> Result<Decision, AgentFault> {
            let action = state.legal_actions(setup).into_iter().next();
            Ok(Decision::unsearched(action.unwrap_or(Action::Advance)))
        }

        fn clock(&self) -> Clock {
            static LOOKS: AtomicU64 = AtomicU64::new(0);
            || Duration::from_secs(LOOKS.fetch_add(1, Ordering::Relaxed))
        }
    }

    /// With the numbers that playing found, a game has the bytes that are found without them.
    #[test]
    fn a_played_game_has_the_bytes_of_the_same_game_from_elsewhere() {
        let plan = plan(&["a", "b"], Format::RoundRobin, 12).unwrap();
        let mut players = Players::new(&PlayablePlan::new(&plan));
        for game in plan.games() {
            let played = players.play(game, &Stop::new()).unwrap().unwrap();
            let elsewhere = EncodedGame::from(played.entry.clone());
            assert_eq!(played.encoded().record(), elsewhere.record());
        }
    }

    #[test]
    fn times_are_those_of_the_clock_of_the_agent() {
        let game = PlannedGame::new(0, (0, 1), 0, 0);
        let setup = Setup::random(Track::Original, &mut stream(&[1]));
        let streams = [stream(&[2]), stream(&[3])];
        let seats: [&mut dyn Agent; 2] = [&mut Advancing, &mut Advancing];
        let entry = play_game(game, &setup, seats, streams, &Stop::new());
        let entry = entry.expect("legal actions").expect("not stopped");
        // The decision is between two looks.
        assert!(entry.nanos.iter().all(|&nanos| nanos == 1_000_000_000));
    }
}
