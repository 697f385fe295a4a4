//! The agents of a plan, ready to play.

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

use patchwork_engine::agent::{Agent, AgentSettings, FaultPolicy};
use patchwork_engine::game::Player;
use patchwork_engine::search::{Budget, Stop};
use patchwork_engine::util::InputError;

use super::absence::absences;
use super::play::{NumberedGame, play_watched};
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

/// A game that was interrupted this many times counts.
const MOST_INTERRUPTIONS: u32 = 3;

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

    /// Plays one game of the plan, again if an agent fails and its settings say so, or if this process did not run for a
    /// while although a clock ran; `None` if `stop` is set.
    pub fn play(
        &mut self,
        game: PlannedGame,
        stop: &Stop,
    ) -> Result<Option<NumberedGame>, InputError> {
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
        let has_clock = game.seats.iter().any(|&agent| {
            let settings = &settings[usize::from(agent)];
            let is_own_time = matches!(settings.budget(), Some(Budget::ProcessorTime(_)));
            !settings.is_deterministic() && !is_own_time
        });
        let (mut tries, mut interruptions) = ([0; 2], 0);
        let mut result = loop {
            let before = has_clock.then(absences);
            let [first, second] = &mut seated;
            let seats: [&mut dyn Agent; 2] = [&mut **first, &mut **second];
            let rngs = rngs.clone();
            let result = play_watched(game, &setup, seats, rngs, considered, stop, |_| ());
            let end = result.as_ref().ok().and_then(Option::as_ref);
            let is_interrupted = || before.is_some_and(|before| absences() != before);
            if end.is_some() && interruptions < MOST_INTERRUPTIONS && is_interrupted() {
                interruptions += 1;
                if interruptions < MOST_INTERRUPTIONS {
                    continue;
                }
            }
            let Some(end) = end.and_then(|game| game.entry.record.termination) else {
                break result;
            };
            let seat = end.loser.index();
            let policy = settings[usize::from(game.seats[seat])].fault_policy();
            match policy {
                FaultPolicy::Retry(most) if tries[seat] < most.get() => tries[seat] += 1,
                _ => break result,
            }
        };
        if let Ok(Some(game)) = &mut result {
            game.entry.extras.interrupted = interruptions == MOST_INTERRUPTIONS;
        }
        for (agent, number) in seated.into_iter().zip(game.seats) {
            self.agents[usize::from(number)] = Some(agent);
        }
        result
    }
}
