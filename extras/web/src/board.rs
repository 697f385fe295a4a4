//! What the board in the browser asks of the server: decisions of agents, and keeping finished games.

use std::iter::repeat_with;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use patchwork_board::messages::{AgentView, AskDecision, DecisionView, GameText};
use patchwork_board::{budget, decide};
use patchwork_engine::agent::{AgentFile, AgentPaths, Partner, is_path, is_plain_name};
use patchwork_engine::game::{Player, Rules, Setup};
use patchwork_engine::search::{Budget, Stop};
use patchwork_engine::util::rng::hash_words;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::people::{HUMAN, Invitation, PeopleGame};
use crate::request::Refusal;

/// Maximum number of opponents that are remembered; the one that was asked longest ago makes room.
const MAX_PARTNERS: usize = 32;
/// Maximum number of decisions at a time.
const MAX_DECISIONS: usize = 8;
/// The longest time that a browser can ask for.
const MAX_TIME: Duration = Duration::from_secs(60);
/// The most iterations that a browser can ask for.
const MAX_ITERATIONS: u32 = 1_000_000;

/// Answers the board.
pub(super) struct BoardDesk {
    results: PathBuf,
    agents: AgentPaths,
    stop: &'static Stop,
    /// The last one was asked last.
    partners: Mutex<Vec<(PartnerOf, Arc<Mutex<Partner>>)>>,
    /// Held while a game is kept, as folders are written by one at a time.
    keeping: Mutex<()>,
    /// One for each decision that is being made.
    busy: Arc<()>,
}

/// What an opponent belongs to: its name, the seed and the start of the game.
type PartnerOf = (String, u64, String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FinishedGame {
    /// The game, from the start.
    game: GameText,
    /// The opponent.
    agent: String,
    /// The person's seat: 0 moves first.
    person: u8,
    /// The opponent's budget, if it was not its own.
    #[serde(default)]
    iterations: Option<u32>,
    /// The same in milliseconds.
    #[serde(default)]
    milliseconds: Option<u32>,
}

/// Locks shared data. A thread that panics leaves a consistent state behind.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl BoardDesk {
    pub(super) fn new(results: PathBuf, agents: AgentPaths, stop: &'static Stop) -> Self {
        Self {
            results,
            agents,
            stop,
            partners: Mutex::default(),
            keeping: Mutex::default(),
            busy: Arc::default(),
        }
    }

    /// The agents that can be played, as `{"agents": [...]}`.
    pub(super) fn agents(&self) -> Value {
        let files = self.agents.all().unwrap_or_default();
        let stems = files.iter().filter_map(|path| path.file_stem()?.to_str());
        let files = stems.filter_map(|name| self.agent(name).ok());
        json!({ "agents": files.map(AgentView::from).collect::<Vec<_>>() })
    }

    fn agent(&self, name: &str) -> Result<AgentFile, Refusal> {
        // Only people at the command line may give paths and overrides: an override can name a program to start.
        if is_path(name) || !is_plain_name(name) {
            return Err(format!("'{name}': expected the name of an agent").into());
        }
        Ok(self.agents.load_one(Path::new(""), "", name)?)
    }

    pub(super) fn decide(&self, ask: &AskDecision) -> Result<DecisionView, Refusal> {
        let busy = Arc::clone(&self.busy);
        if Arc::strong_count(&busy) > 1 + MAX_DECISIONS {
            return Err(Refusal::Busy);
        }
        let budget = bounded(budget(ask.iterations, ask.milliseconds)?)?;
        let file = self.agent(&ask.agent)?;
        let reached = ask.game.reached()?;
        if reached.state.is_over() {
            return Err("the game is over".into());
        }
        if is_position(&ask.game) && file.config.is_program() {
            let what = "a program plays whole games only, from their start";
            return Err(format!("{}: {what}", file.name).into());
        }
        let partner = self.partner(&file, ask);
        let decided = match partner.try_lock() {
            Ok(mut partner) => decide(&mut partner, &reached, budget, self.stop),
            Err(TryLockError::Poisoned(_)) => Err(format!("{}: it has failed", file.name)),
            // Another page plays the same game.
            Err(TryLockError::WouldBlock) => {
                let mut partner = Partner::new(&file, ask.seed);
                decide(&mut partner, &reached, budget, self.stop)
            }
        };
        Ok(decided?)
    }

    fn partner(&self, file: &AgentFile, ask: &AskDecision) -> Arc<Mutex<Partner>> {
        let key = (ask.agent.clone(), ask.seed, ask.game.start.clone());
        let mut partners = locked(&self.partners);
        let known = partners.iter().position(|(known, _)| *known == key);
        let entry = match known {
            Some(at) => partners.remove(at),
            None => (key, Arc::new(Mutex::new(Partner::new(file, ask.seed)))),
        };
        let partner = Arc::clone(&entry.1);
        partners.push(entry);
        let spare = partners.len().saturating_sub(MAX_PARTNERS);
        partners.drain(..spare);
        partner
    }

    /// Keeps a finished game: in `human-AGENT`, or that of its printing, if it is there or on the next ring, or else in a
    /// folder of its ring. The same game again gets the same place: an answer may have been lost.
    /// The answer is the name of the folder and the number of the game there.
    pub(super) fn keep(&self, ask: &FinishedGame) -> Result<Value, Refusal> {
        if is_position(&ask.game) {
            return Err("a game from a position is not kept".into());
        }
        let reached = ask.game.reached()?;
        if !reached.state.is_over() {
            return Err("the game is not over".into());
        }
        let setup = &reached.setup;
        let mut invitation = self.invitation(
            (&ask.agent, ask.person),
            (ask.iterations, ask.milliseconds),
            setup.rules(),
        )?;
        let _keeping = locked(&self.keeping);
        let is_its = |game: &PeopleGame| {
            game.setup == *setup || game.known(&reached).is_ok_and(|known| known.is_some())
        };
        let game = match PeopleGame::next(&invitation) {
            Ok(game) if is_its(&game) => game,
            _ => {
                let folder = invitation.name.unwrap_or_default();
                invitation.name = Some(format!("{folder}-ring-{}", short_hash(setup)));
                invitation.ring = Some(*setup.ring());
                PeopleGame::next(&invitation)?
            }
        };
        let number = game.keep(&reached, repeat_with(Default::default))?;
        let folder = game.dir.file_name().unwrap_or_default();
        Ok(json!({ "folder": folder.to_string_lossy(), "number": number }))
    }

    /// A game by these rules on the next ring, against an agent with a budget in iterations or milliseconds. The folder is
    /// that of the agent, the budget and the rules; what is usual adds nothing to its name.
    fn invitation(
        &self,
        (agent, person): (&str, u8),
        (iterations, milliseconds): (Option<u32>, Option<u32>),
        rules: Rules,
    ) -> Result<Invitation, Refusal> {
        let seat = Player::BOTH.get(usize::from(person)).copied();
        let seat = seat.ok_or_else(|| format!("person: expected 0 or 1, found {person}"))?;
        let mut opponent = self.agent(agent)?;
        let mut folder = format!("{HUMAN}-{}", opponent.name);
        if let Some(budget) = bounded(budget(iterations, milliseconds)?)? {
            let (unit, count) = budget.units();
            let amount = i64::try_from(count).unwrap_or(i64::MAX);
            let table = toml::Table::from_iter([(unit.to_owned(), amount.into())]);
            opponent = opponent.with_budget(&table)?;
            folder += &format!("-{count}-{unit}");
        }
        if rules != Rules::default() {
            folder += &format!("-{}", rules.to_string().replace('+', "-komi-"));
        }
        Ok(Invitation {
            results: self.results.clone(),
            name: Some(folder),
            opponent,
            seat,
            seed: 1,
            rules,
            ring: None,
        })
    }

    /// The setup of the next game of such an invitation.
    pub(super) fn next(
        &self,
        opponent: (&str, u8),
        budget: (Option<u32>, Option<u32>),
        rules: Rules,
    ) -> Result<GameText, Refusal> {
        let game = PeopleGame::next(&self.invitation(opponent, budget, rules)?)?;
        Ok(GameText {
            start: game.setup.to_string(),
            actions: Vec::new(),
        })
    }
}

fn is_position(game: &GameText) -> bool {
    game.start.contains('/')
}

/// Eight hexadecimal digits that differ between rings, most likely.
fn short_hash(setup: &Setup) -> String {
    let numbers = setup.ring().numbers().map(u64::from);
    format!("{:08x}", hash_words(&numbers) as u32)
}

/// A budget that a browser may ask for.
fn bounded(budget: Option<Budget>) -> Result<Option<Budget>, String> {
    match budget {
        Some(Budget::Time(time)) if time > MAX_TIME => Err(format!(
            "the budget is {} ms; expected at most {} ms",
            time.as_millis(),
            MAX_TIME.as_millis()
        )),
        Some(Budget::Iterations(count)) if count > MAX_ITERATIONS => Err(format!(
            "the budget is {count} iterations; expected at most {MAX_ITERATIONS}"
        )),
        budget => Ok(budget),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_bounded() {
        let time = |seconds| Some(Budget::Time(Duration::from_secs(seconds)));
        assert_eq!(bounded(time(60)), Ok(time(60)));
        let sentence = "the budget is 61000 ms; expected at most 60000 ms";
        assert_eq!(bounded(time(61)), Err(sentence.to_owned()));
        let sentence = "the budget is 1000001 iterations; expected at most 1000000";
        let many = Some(Budget::Iterations(MAX_ITERATIONS + 1));
        assert_eq!(bounded(many), Err(sentence.to_owned()));
        assert_eq!(bounded(None), Ok(None));
    }
}
