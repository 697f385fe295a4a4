//! The interface of a kind of agent, and validation shared by their settings.

use std::any::Any;
use std::fmt::Debug;
use std::num::NonZeroU32;
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value};

use super::declare::IdleKey;
use super::evaluation::evaluation_spec::EvaluationSpec;
use super::player::Agent;
use crate::search::Budget;
use crate::util::InputError;

/// A kind of agent: its settings, as agents' files and stored plans have them, and how players are built from
/// them.
///
/// The type is a structure with named fields that implements [`Clone`], [`Debug`], [`PartialEq`] and serde's
/// traits, and refuses unknown keys. A program [registers](super::register) kinds of its own, whose agents then
/// play like those of this library.
///
/// ```
/// use patchwork_engine::agent::{Agent, AgentFault, AgentFile, AgentKind, Decision, Limit, register};
/// use patchwork_engine::game::{Action, Setup, State};
/// use patchwork_engine::util::rng::Rng;
/// use serde::{Deserialize, Serialize};
///
/// /// Takes one of the legal actions, always the same one.
/// #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
/// #[serde(deny_unknown_fields)]
/// struct StubbornSettings {
///     action: usize,
/// }
///
/// impl AgentKind for StubbornSettings {
///     fn name() -> &'static str {
///         "stubborn"
///     }
///
///     fn build(&self) -> Box<dyn Agent> {
///         Box::new(Stubborn(self.action))
///     }
/// }
///
/// struct Stubborn(usize);
///
/// impl Agent for Stubborn {
///     fn start(&mut self, _: &Setup, _: Rng) {}
///
///     fn decide(&mut self, setup: &Setup, state: &State, _: Limit<'_>) -> Result<Decision, AgentFault> {
///         let actions = state.legal_actions(setup);
///         Ok(Decision::unsearched(actions[self.0 % actions.len()]))
///     }
/// }
///
/// register::<StubbornSettings>();
/// let agent = AgentFile::parse("third.toml".as_ref(), "type = 'stubborn'\naction = 2")?;
/// assert_eq!(agent.config.kind(), "stubborn");
/// # Ok::<(), patchwork_engine::util::InputError>(())
/// ```
pub trait AgentKind: AnySettings {
    /// The name of the kind: the value of the key `type`.
    fn name() -> &'static str
    where
        Self: Sized;

    /// A player with these settings, which have been validated.
    fn build(&self) -> Box<dyn Agent>;

    /// The version of the kind's play. Games of different versions are different games: raise it when agents
    /// play differently with the same settings.
    fn play_version(&self) -> u32 {
        0
    }

    /// Checks the ranges of numbers and rejects keys that cannot be combined.
    fn check(&self) -> Result<(), InputError> {
        Ok(())
    }

    /// Completes settings that depend on the location of their file, and checks what they refer to there.
    fn settle(&mut self, file: &Path) -> Result<(), InputError> {
        self.estimate()
            .map_or(Ok(()), |estimate| estimate.settle(file))
    }

    /// The key that selects the position estimate, if the kind has it.
    fn estimate(&mut self) -> Option<&mut EvaluationSpec> {
        None
    }

    /// The budget per decision or per game, if the kind has one.
    fn budget(&self) -> Option<Budget> {
        None
    }

    /// Whether the agent plays the same game again when it gets the same random stream: it is neither an
    /// external program nor a person, and its budget does not depend on time.
    fn is_deterministic(&self) -> bool {
        self.budget().is_none_or(|budget| budget.time().is_none())
    }

    /// What happens when the agent fails.
    fn fault_policy(&self) -> FaultPolicy {
        FaultPolicy::Lose
    }

    /// Starts the agent's program, if it has one, and checks that it has the options that are set.
    fn try_out(&self) -> Result<(), InputError> {
        self.check_installed()
    }

    /// Checks that the agent's program or network, if it has one, is on this machine and matches the settings.
    fn check_installed(&self) -> Result<(), InputError> {
        self.boxed()
            .estimate()
            .map_or(Ok(()), |estimate| estimate.check_installed())
    }

    /// States every default that the settings leave out, so that equal settings have equal texts.
    fn state_defaults(&mut self) {}

    /// Removes the locations of files; the contents of the files determine the play.
    fn remove_places(&mut self) {
        if let Some(estimate) = self.estimate() {
            estimate.strip_path();
        }
    }

    /// Makes locations of files valid from every folder, for a copy elsewhere.
    fn make_places_absolute(&mut self) {
        if let Some(estimate) = self.estimate() {
            estimate.make_place_absolute();
        }
    }

    /// The keys that have no effect together with the others, whether or not they are stated.
    fn idle(&self) -> Vec<IdleKey> {
        Vec::new()
    }

    /// Whether another program decides, which is started for it and knows a game only from its start on.
    fn is_program(&self) -> bool {
        false
    }

    /// Whether this is a person, who plays only at a terminal or in a browser.
    fn is_person(&self) -> bool {
        false
    }

    /// Sets the number of threads per decision, if the kind supports more than one.
    fn set_threads(&mut self, _threads: NonZeroU32) {}
}

/// What all settings of agents have by the traits that they derive.
pub trait AnySettings: Any + Debug + Send + Sync {
    /// The name of the kind.
    fn kind(&self) -> &'static str;

    /// The same settings.
    fn boxed(&self) -> Box<dyn AgentKind>;

    /// Whether the others have the same kind and the same values.
    fn equals(&self, others: &dyn AgentKind) -> bool;

    /// The settings as keys and values, as in an agent file. Keys with a default value are left out unless
    /// the settings state them; see [`AgentSettings::effective`](super::AgentSettings::effective).
    fn table(&self) -> toml::Table;

    /// The keys but `type` in their order, as JSON.
    fn keys(&self) -> Map<String, Value>;

    /// The text of the keys. Numbers of 32 bits have fewer digits than in [`Self::keys`].
    fn text(&self) -> String;
}

/// Panic message of settings that cannot be written.
const PLAIN: &str = "settings are numbers, texts and tables";

impl<K: AgentKind + Clone + PartialEq + Serialize> AnySettings for K {
    fn kind(&self) -> &'static str {
        K::name()
    }

    fn boxed(&self) -> Box<dyn AgentKind> {
        Box::new(self.clone())
    }

    fn equals(&self, others: &dyn AgentKind) -> bool {
        let others: &dyn Any = others;
        others.downcast_ref() == Some(self)
    }

    fn table(&self) -> toml::Table {
        let mut table = toml::Table::try_from(self.keys()).expect(PLAIN);
        table.insert("type".to_owned(), self.kind().into());
        table
    }

    fn keys(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(keys)) => keys,
            other => panic!("{PLAIN}: {other:?}"),
        }
    }

    fn text(&self) -> String {
        serde_json::to_string(self).expect(PLAIN)
    }
}

/// What happens when an agent fails in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultPolicy {
    /// The agent loses the game.
    Lose,
    /// The game is played again, at most this many times; then the agent loses it.
    Retry(NonZeroU32),
    /// The agent loses the game, and the run stops after this many such games.
    Stop(NonZeroU32),
}
