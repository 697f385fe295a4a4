//! A player whose decisions come from an external program.

use std::time::Duration;

use patchwork_engine::agent::{Agent, AgentFault, Decision, Limit};
use patchwork_engine::game::{Action, Setup, State};
use patchwork_engine::record::{ConsideredAction, FaultReason};
use patchwork_engine::search::Budget;
use patchwork_engine::util::rng::Rng;

use super::session::Session;
use super::settings::{ExternalSettings, Restart};

/// Panic message of a player whose game has not been started.
const STARTED: &str = "a game is started before it is played";

/// A player whose decisions come from a program. The program is started for the first game, and again after a
/// failure.
pub(super) struct ExternalAgent {
    settings: ExternalSettings,
    session: Option<Session>,
    game: Option<ExternalGame>,
    /// The line that the bot expected at its last decision.
    expected: Vec<Action>,
    /// The actions that the bot considered there, in its order.
    considered: Vec<ConsideredAction>,
    /// The error output of programs that have ended, since it was last taken.
    errors: String,
}

struct ExternalGame {
    setup: Setup,
    rng: Rng,
    actions: Vec<Action>,
    /// Whether the bot has been told about the game.
    told: bool,
    /// The time left, with a budget per game.
    left: Option<Duration>,
    /// Why the bot could not be started.
    fault: Option<AgentFault>,
}

impl ExternalAgent {
    pub(super) fn new(settings: ExternalSettings) -> Self {
        Self {
            settings,
            session: None,
            game: None,
            expected: Vec::new(),
            considered: Vec::new(),
            errors: String::new(),
        }
    }

    fn end_session(&mut self) {
        if let Some(session) = self.session.take() {
            self.errors += &session.kill();
        }
    }

    /// Starts the bot unless it runs.
    fn ensure_session(&mut self) -> Result<(), AgentFault> {
        if self.session.is_some() {
            return Ok(());
        }
        let session = self.settings.introduce().map_err(|(fault, errors)| {
            self.errors += &errors;
            fault
        })?;
        let options = session.option_requests(&self.settings.options);
        let options = options.map_err(|wrong| AgentFault {
            reason: FaultReason::StartCrash,
            detail: wrong.to_string(),
        });
        let session = self.session.insert(session);
        let ready = options.and_then(|options| session.set_options(&options));
        if ready.is_err() {
            self.end_session();
        }
        ready
    }

    fn ask(
        &mut self,
        setup: &Setup,
        state: &State,
        limit: Limit<'_>,
    ) -> Result<Decision, AgentFault> {
        let game = self.game.as_mut().expect(STARTED);
        if let Some(fault) = game.fault.take() {
            return Err(fault);
        }
        let session = self.session.as_mut().expect(STARTED);
        if !game.told {
            session.new_game(&game.setup, state.mover(), &game.rng)?;
            game.told = true;
        }
        let own = match (self.settings.budget, game.left) {
            (Some(_), Some(left)) => Some(Budget::GameTime(left)),
            (budget, _) => budget,
        };
        let budget = limit.budget.or(own);
        let limits = &self.settings.limits;
        let patience = match budget.and_then(Budget::time) {
            Some(time) => time + limits.late(),
            None => limits.decision(),
        };
        let limit = Limit { budget, ..limit };
        let decided = session.decide(setup, state, &game.actions, limit, patience);
        let (decision, expected, considered) = decided?;
        (self.expected, self.considered) = (expected, considered);
        if let (Some(left), Some(time)) = (&mut game.left, decision.time) {
            *left = left.saturating_sub(time);
        }
        Ok(decision)
    }
}

impl Agent for ExternalAgent {
    fn start(&mut self, setup: &Setup, rng: Rng) {
        if self.settings.restart() == Restart::EveryGame {
            self.end_session();
        }
        let fault = self.ensure_session().err();
        self.game = Some(ExternalGame {
            setup: setup.clone(),
            rng,
            actions: Vec::new(),
            told: false,
            left: match self.settings.budget {
                Some(Budget::GameTime(time)) => Some(time),
                _ => None,
            },
            fault,
        });
    }

    fn decide(
        &mut self,
        setup: &Setup,
        state: &State,
        limit: Limit<'_>,
    ) -> Result<Decision, AgentFault> {
        let decision = self.ask(setup, state, limit);
        if decision.is_err() {
            self.end_session();
        }
        decision
    }

    fn considered(&self, played: Action, most: usize) -> Vec<ConsideredAction> {
        let mut all = self.considered.clone();
        match all.iter().position(|one| one.action == played) {
            Some(at) => all[..=at].rotate_right(1),
            // Without a value for the action played, there is nothing to compare the others with.
            None => all.clear(),
        }
        all.truncate(most);
        all
    }

    fn observe(&mut self, action: Action) {
        self.game.as_mut().expect(STARTED).actions.push(action);
    }

    fn expected(&self) -> &[Action] {
        &self.expected
    }

    fn take_stderr(&mut self) -> String {
        let mut text = std::mem::take(&mut self.errors);
        if let Some(session) = &mut self.session {
            text += &session.take_errors();
        }
        text
    }
}

impl Drop for ExternalAgent {
    fn drop(&mut self) {
        if let Some(mut session) = self.session.take() {
            let _ = session.quit();
        }
    }
}
