//! The settings of Monte Carlo tree search agents.

use serde::{Deserialize, Serialize};

use crate::agent::declare::settings;
use crate::agent::evaluation::endgame::{DEFAULT_SPACES, Endgame};
use crate::agent::evaluation::evaluation_spec::EvaluationSpec;
use crate::agent::evaluation::result_scoring::{ResultScoring, ValueKind, scoring_keys};
use crate::agent::rollout::ranked_actions::Breadth;
use crate::agent::rollout::settings::Rollout;
use crate::game::LAST_SPACE;
use crate::placement::Strategy;
use crate::search::{
    ActionChoice, ActionRule, Budget, RootShares, Selected, Settings, SettingsError, Widening,
    budget_key, search_settings, settings_of,
};
use crate::util::InputError;
use crate::util::config::Count;

settings! {
    /// The settings of an MCTS agent.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(deny_unknown_fields)]
    pub struct MctsSettings in "" {
        /// `iterations`, `milliseconds` or `processor_milliseconds` per decision, or `milliseconds_per_game`.
        #[serde(deserialize_with = "budget")]
        #[cfg_attr(feature = "schema", schemars(schema_with = "budget_schema"))]
        pub budget: Budget,
        /// Number of threads that search a position together if the budget is time; 1 by default. Tournaments
        /// always use 1, since each of their workers plays one game.
        pub threads: Count = (1) in 1..=MAX_THREADS,
        /// How positions are estimated: `linear` (fitted features, the default), `learned` (the network of the program)
        /// or a network of your own.
        #[serde(default, skip_serializing_if = "EvaluationSpec::is_linear")]
        pub estimate: EvaluationSpec,
        /// Which actions are searched.
        pub table expansion: MctsExpansion,
        /// How leaves are evaluated.
        pub table rollout: Rollout,
        /// How the tree is searched.
        #[serde(default)]
        pub table search: MctsSearch,
    }
    requires {
        "expansion.prior": "search.select = \"puct\"" if Self::uses_priors,
        "search.allocation": "a selection rule with priors, such as puct"
            if |agent| agent.search.allocation().part().mix.is_none() || agent.uses_priors(),
    }
    needs {
        "estimate": "rollout.depth, rollout.estimate, search.minimax or expansion.prior.points" if Self::uses_estimate,
        "expansion.prior.decay": "several placements of a patch" if |agent| agent.expansion.has_ranks(),
        "expansion.prior.shared": "several placements of a patch" if |agent| agent.expansion.has_ranks(),
        "rollout.strategy": "rollouts, with rollout.depth above 0" if Self::uses_strategy,
        "rollout.late": "rollouts, with rollout.depth above 0" if Self::uses_strategy,
        "rollout.corner": "rollouts, with rollout.depth above 0" if Self::uses_strategy,
        "rollout.estimate": "rollouts, with rollout.depth above 0" if Self::uses_strategy,
    }
}

budget_key!(&[
    "iterations",
    "milliseconds",
    "processor_milliseconds",
    "milliseconds_per_game"
]);

settings! {
    /// Which actions of a node are searched.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(deny_unknown_fields)]
    pub struct MctsExpansion in "expansion." {
        /// Generates and ranks placements.
        pub strategy: Strategy,
        /// The number of placements searched for each patch, best first; all by default.
        pub best: Count?,
        /// If a patch has at most this many legal placements, all of them are searched, regardless of
        /// the policy.
        pub whole: u32 = (0),
        /// Whether buying and placing are one action or two; one by default.
        pub steps: Steps = (Steps::One),
        /// The priors of actions, used with `select = "puct"`.
        pub table prior: Prior = (Prior::default()),
    }
}

/// How buying a patch is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Steps {
    /// The patch and its placement are one action.
    #[default]
    One,
    /// The patch is one ply of the search and its placement the next.
    Two,
}

settings! {
    /// Priors of actions.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(deny_unknown_fields, default)]
    pub struct Prior in "expansion.prior." {
        /// Proportional to exp(gain / temperature), where gain is that of equation 1 in points per
        /// space; 0.01 to 1000,
        pub temperature: f64 := 2.0 in 0.01..=1000.0,
        /// times (1 + rank)^-decay, where rank is that of the placement; 0 to 100,
        pub decay: f64 := 1.0 in 0.0..=100.0,
        /// times exp(margin / points), where margin is the position estimate after the action, if
        /// given.
        pub points: f64? in 0.1..=1e6,
        /// Whether only the first placement of each patch is estimated, and the others have its estimate; requires
        /// `points`;
        pub shared: bool = false; since "0.3"; requires "expansion.prior.points" if |prior| prior.points.is_some(),
    }
}

settings! {
    /// How the tree is searched and how results are scored. An absent key has the default of
    /// [`Settings`].
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(deny_unknown_fields, default)]
    pub struct MctsSearch in "search." {
        ..search_settings(selection),
        /// All-moves-as-first statistics: the variant of the selection rule with `-rave` after its name.
        pub table rave: RaveSettings?,
        ..search_settings(decision),
        /// Maximum number of positions in the exact search of a leaf near the end; no such search by
        /// default.
        pub endgame: u32 = (0) in 0..=MAX_ENDGAME,
        /// The exact search of a leaf begins where both tokens together have at most this many spaces left, 1 to
        /// 106; 16 by default.
        pub endgame_spaces: u8 = (DEFAULT_SPACES) in 1..=2 * LAST_SPACE; since "0.2";
            requires "search.endgame" if Self::has_exact_search,
        /// Whether bounds of the final scores decide a leaf where they can, at its first visit, and end branches of
        /// the exact search, which then waits for the second visit;
        pub endgame_bounds: bool = false; since "0.2"; requires "search.endgame" if Self::has_exact_search,
        /// Whether the exact search first asks, before it tries all placements of a patch, if the player loses even when every
        /// patch that fits now still fits afterwards; requires `endgame_bounds`;
        pub endgame_relaxed: bool = false; since "0.3";
            requires "search.endgame_bounds = true" if |search| search.has_exact_search() && search.endgame_bounds(),
        ..search_settings(growth),
        /// Whether wins or margins are scored; wins by default.
        #[serde(default)]
        pub value: ValueKind,
        ..scoring_keys(scales),
    }
}

settings! {
    /// All-moves-as-first.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(deny_unknown_fields)]
    pub struct RaveSettings in "search.rave." {
        /// When two moves count as the same.
        pub over: Over,
        /// Number of visits at which the weight is one half, above 0.
        pub equivalence: f64 in 0.001..=1e9,
    }
}

/// When two moves of a player count as the same for RAVE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Over {
    /// If they buy the same patch.
    Patches,
    /// If they buy the same patch and cover the same squares.
    Placements,
}

/// The largest number of threads of an MCTS agent.
pub const MAX_THREADS: u32 = 256;
/// Less than a millisecond per leaf, so that a search does not last much longer than its time.
const MAX_ENDGAME: u32 = 1000;

impl MctsSettings {
    /// Checks the ranges of numbers and rejects keys that cannot be combined.
    pub(super) fn check(&self) -> Result<(), InputError> {
        self.check_keys()?;
        if matches!(self.budget, Budget::ProcessorTime(_)) && self.threads() > 1 {
            let what = "counts the time of one thread; requires threads = 1";
            return Err(InputError::at("budget.processor_milliseconds", what));
        }
        let has_rounds = self.search.allocation().part().build.is_some();
        if has_rounds && !matches!(self.budget, Budget::Iterations(_)) {
            let what = "requires budget.iterations";
            return Err(InputError::at("search.allocation", what));
        }
        self.rollout.check_pick()?;
        self.search.check()?;
        self.tree_search().check().map_err(|wrong| match wrong {
            SettingsError::Conflict { key, why } => InputError::at(&format!("search.{key}"), why),
            other => InputError::new(format!("search.{other}")),
        })
    }

    fn uses_priors(&self) -> bool {
        self.tree_search().select.part().uses_priors
    }

    /// Whether a position that is not the end of a game is ever estimated.
    fn uses_estimate(&self) -> bool {
        let by_priors = || self.uses_priors() && self.expansion.prior().points.is_some();
        let Rollout { depth, .. } = self.rollout;
        depth.is_some()
            || self.rollout.estimate() > 0.0
            || self.search.minimax() > 0.0
            || by_priors()
    }

    /// Whether rollouts place patches. With two steps, they place the patch that was picked, whatever their depth.
    fn uses_strategy(&self) -> bool {
        self.rollout.has_plies() || self.expansion.steps() == Steps::Two
    }

    /// How the tree is searched.
    pub fn tree_search(&self) -> Settings {
        let search = &self.search;
        let by_game = matches!(self.budget, Budget::GameTime(_));
        Settings {
            select: search.rule().unwrap_or_else(|_| search.select()),
            early_stop: search.early_stop.unwrap_or(by_game),
            two_results: search.value == ValueKind::Win
                && self.rollout.depth.is_none()
                && self.rollout.estimate() == 0.0,
            ..settings_of!(search)
        }
    }
}

impl MctsExpansion {
    /// Whether a patch can have several placements.
    fn has_ranks(&self) -> bool {
        self.best.is_none_or(|best| best.get() > 1) || self.whole() > 0
    }

    pub(super) fn breadth(&self) -> Breadth {
        Breadth {
            strategy: self.strategy,
            best: self.best,
            whole: self.whole(),
        }
    }
}

impl MctsSearch {
    fn check(&self) -> Result<(), InputError> {
        self.rule()?;
        if !self.solver() && self.has_exact_search() {
            let what = "cannot be combined with solver = false";
            return Err(InputError::at("search.endgame", what));
        }
        self.worth().check_scale()
    }

    /// The selection rule, also where `rave` stands beside it.
    fn rule(&self) -> Result<ActionRule, InputError> {
        let Some(rave) = self.rave else {
            return Ok(self.select());
        };
        let plain = self.select().part().info.name;
        let given = [("equivalence", rave.equivalence)];
        Selected::of(&format!("{plain}-rave"), &given).map_err(|_| {
            let what = format_args!("cannot be combined with search.select = \"{plain}\"");
            InputError::at("search.rave", what)
        })
    }

    fn has_exact_search(&self) -> bool {
        self.endgame() > 0
    }

    /// How leaves near the end are searched exactly, if they are.
    pub(super) fn exact_search(&self) -> Option<Endgame> {
        self.has_exact_search().then(|| Endgame {
            positions: self.endgame(),
            spaces: self.endgame_spaces(),
            bounds: self.endgame_bounds(),
            relaxed: self.endgame_relaxed(),
        })
    }

    /// How results are scored.
    pub(super) const fn worth(&self) -> ResultScoring {
        ResultScoring {
            value: self.value,
            margin_scale: self.margin_scale,
            win_weight: self.win_weight,
        }
    }
}
