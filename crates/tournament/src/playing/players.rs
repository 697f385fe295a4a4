//! The agents of a plan, ready to play.

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

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

/// A plan that is ready to be played.
pub struct PlayablePlan {
    /// The plan.
    pub plan: Plan,
    /// The settings of its agents, each limited to a single thread, because every worker plays its own game and together
    /// they use all cores.
    pub settings: Vec<AgentSettings>,
    /// What the setups and the random choices follow from.
    pub streams: Streams,
}

impl PlayablePlan {
    /// The agents and the streams of a plan.
    pub fn new(plan: &Plan) -> Arc<Self> {
        let settings = plan.agents().iter().map(|agent| agent.config.clone());
        Arc::new(Self {
            settings: settings
                .map(|one| one.with_threads(NonZeroU32::MIN))
                .collect(),
            streams: Streams::new(plan),
            plan: plan.clone(),
        })
    }
}

/// The agents of one worker. Each is created when it first plays, then reused.
pub struct Players {
    /// What they play.
    pub plan: Arc<PlayablePlan>,
    agents: Vec<Option<Box<dyn Agent>>>,
}

impl Players {
    /// The agents of a plan.
    pub fn new(plan: &Arc<PlayablePlan>) -> Self {
        Self {
            agents: plan.settings.iter().map(|_| None).collect(),
            plan: Arc::clone(plan),
        }
    }

    /// Plays one game of the plan, again if an agent fails and its settings say so; `None` if `stop` is set.
    pub fn play(&mut self, game: PlannedGame, stop: &Stop) -> Result<Option<Entry>, InputError> {
        let PlayablePlan {
            plan,
            settings,
            streams,
        } = &*self.plan;
        let considered = plan.thoughts().map_or(0, TopActions::count);
        let setup = streams.setup(game);
        let rngs = Player::BOTH.map(|seat| streams.agent(game, &setup, seat));
        // Take both agents out of the list for the game, so that both can be borrowed.
        let mut seated = game.seats.map(|agent| {
            let agent = usize::from(agent);
            let kept = self.agents[agent].take();
            kept.unwrap_or_else(|| settings[agent].build())
        });
        let mut tries = [0; 2];
        let result = loop {
            let [first, second] = &mut seated;
            let seats: [&mut dyn Agent; 2] = [&mut **first, &mut **second];
            let rngs = rngs.clone();
            let result = play_watched(game, &setup, seats, rngs, considered, stop, |_| ());
            let end = result.as_ref().ok().and_then(Option::as_ref);
            let Some(end) = end.and_then(|entry| entry.record.termination) else {
                break result;
            };
            let seat = end.loser.index();
            let policy = settings[usize::from(game.seats[seat])].fault_policy();
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
