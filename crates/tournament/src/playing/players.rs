//! The agents of a plan, ready to play.

use std::num::NonZeroU32;
use std::path::Path;

use patchwork_engine::agent::{Agent, AgentSettings, FaultPolicy};
use patchwork_engine::game::Player;
use patchwork_engine::record::Entry;
use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;

use super::play::play_watched;
use crate::planning::identity::Streams;
use crate::planning::plan::Plan;
use crate::planning::planned_game::PlannedGame;
use crate::planning::thoughts::TopActions;

/// The agents of a plan, each limited to a single thread regardless of its settings, because every
/// worker plays its own game and together they use all cores.
pub fn single_threaded_settings(plan: &Plan) -> Vec<AgentSettings> {
    let agents = plan.agents().iter();
    agents
        .map(|agent| agent.config.clone().with_threads(NonZeroU32::MIN))
        .collect()
}

/// Checks that the programs of external agents have the options that their files set. A program that fails to
/// start is not an error here, because the games report that as a result.
///
/// # Errors
/// When an agent sets options that its program does not have.
pub fn try_out(plan: &Plan) -> Result<(), InputError> {
    plan.agents().iter().try_for_each(|agent| {
        let tried = agent.config.try_out();
        tried.map_err(|what| InputError::in_file(Path::new(&agent.name), what))
    })
}

/// The agents of one worker. Each is created when it first plays, then reused.
pub struct Players<'a> {
    settings: &'a [AgentSettings],
    agents: Vec<Option<Box<dyn Agent>>>,
    /// Number of considered actions recorded per decision.
    considered: usize,
}

impl<'a> Players<'a> {
    /// Creates an empty set of players; `settings` must be in the order of the plan's agents.
    pub fn new(settings: &'a [AgentSettings]) -> Self {
        Self {
            settings,
            agents: settings.iter().map(|_| None).collect(),
            considered: 0,
        }
    }

    /// The same players, with these of their thoughts recorded.
    #[must_use]
    pub fn recording(self, thoughts: Option<TopActions>) -> Self {
        let considered = thoughts.map_or(0, TopActions::count);
        Self { considered, ..self }
    }

    /// Plays one game of the plan, again if an agent fails and its settings say so; `None` if `stop` is set.
    pub fn play(
        &mut self,
        game: PlannedGame,
        streams: &Streams,
        stop: &Stop,
    ) -> Result<Option<Entry>, InputError> {
        let setup = streams.setup(game);
        let rngs = Player::BOTH.map(|seat| streams.agent(game, &setup, seat));
        // Take both agents out of the list for the game, so that both can be borrowed.
        let mut seated = game.seats.map(|agent| {
            let agent = usize::from(agent);
            let kept = self.agents[agent].take();
            kept.unwrap_or_else(|| self.settings[agent].build())
        });
        let mut tries = [0; 2];
        let result = loop {
            let [first, second] = &mut seated;
            let seats: [&mut dyn Agent; 2] = [&mut **first, &mut **second];
            let rngs = rngs.clone();
            let result = play_watched(game, &setup, seats, rngs, self.considered, stop, |_| ());
            let end = result.as_ref().ok().and_then(Option::as_ref);
            let Some(end) = end.and_then(|entry| entry.record.termination) else {
                break result;
            };
            let seat = end.loser.index();
            let policy = self.settings[usize::from(game.seats[seat])].fault_policy();
            match policy {
                FaultPolicy::Retry(most) if tries[seat] < most.get() => tries[seat] += 1,
                _ => break result,
            }
        };
        for (agent, number) in seated.into_iter().zip(game.seats) {
            self.agents[usize::from(number)] = Some(agent);
        }
        result
    }
}
