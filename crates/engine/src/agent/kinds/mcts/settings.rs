//! The settings of Monte Carlo tree search agents.

use serde::{Deserialize, Serialize};

use crate::agent::declare::settings;
use crate::agent::endgame::{DEFAULT_SPACES, Endgame};
use crate::agent::estimate_source::EvaluationSpec;
use crate::agent::kind::within;
use crate::agent::ranked_actions::Breadth;
use crate::agent::result_scoring::{ResultScoring, ValueKind};
use crate::agent::rollout::Rollout;
use crate::game::LAST_SPACE;
use crate::placement::Strategy;
use crate::search::{
    Budget, FinalChoice, RootAllocation, Selected, SelectionRule, Settings, Widening, budget_key,
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
        pub expansion: MctsExpansion,
        /// How leaves are evaluated.
        pub rollout: Rollout,
        /// How the tree is searched.
        #[serde(default)]
        pub search: MctsSearch,
    }
}

type ActionRule = Selected<SelectionRule>;

type ActionChoice = Selected<FinalChoice>;

type RootShares = Selected<RootAllocation>;

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
        pub prior: Prior = (Prior::default()),
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
        pub temperature: f64 in 0.01..=1000.0,
        /// times (1 + rank)^-decay, where rank is that of the placement; 0 to 100,
        pub decay: f64 in 0.0..=100.0,
        /// times exp(margin / points), where margin is the position estimate after the action, if
        /// given.
        pub points: f64? in 0.1..=1e6,
        /// Whether only the first placement of each patch is estimated, and the others have its estimate; requires
        /// `points`;
        pub shared: bool = false,
    }
}

impl Default for Prior {
    fn default() -> Self {
        Self {
            temperature: 2.0,
            decay: 1.0,
            points: None,
            shared: None,
        }
    }
}

settings! {
    /// How the tree is searched and how results are scored. An absent key has the default of
    /// [`Settings`].
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(deny_unknown_fields)]
    pub struct MctsSearch in "search." {
        /// The selection rule.
        pub select: ActionRule = (ActionRule::default()),
        /// The exploration constant c of the rule, 0 or more.
        #[serde(default = "default_exploration")]
        pub exploration: f64 in 0.0..=MAX_EXPLORATION,
        /// The value of an untried action is the mean of the node plus this number. If absent, each
        /// action is tried once first.
        pub first_play: f64? in -1.0..=1.0,
        /// Progressive widening: how many actions may be tried.
        pub widening: Widening?,
        /// All-moves-as-first statistics: the variant of the selection rule with `-rave` after its name.
        pub rave: RaveSettings?,
        /// Weight of the position estimate backed up by minimax, 0 to 1.
        pub minimax: f64 = (0.0) in 0.0..=1.0,
        /// The log-odds of reported chances to win are those of the search times this number, 0.1 to 10; 1 by default.
        /// No decision depends on it.
        pub confidence: f64 = (Settings::default().confidence.into()) in 0.1..=10.0,
        /// From 100,000 visits N of the root on, the confidence is multiplied by (N / 100,000) to the power of this number, -1
        /// to 0; 0 by default.
        pub confidence_power: f64 = (Settings::default().confidence_power.into()) in -1.0..=0.0,
        /// Which action of the root gets the next iteration; `halving` requires `budget.iterations`, `noise` a rule with priors.
        pub allocation: RootShares = (RootShares::default()),
        /// How the action is chosen when the search ends.
        pub choice: ActionChoice = (ActionChoice::default()),
        /// Whether proven wins and losses are backed up.
        pub solver: bool = (Settings::default().solver),
        /// Maximum number of positions in the exact search of a leaf near the end; no such search by
        /// default.
        pub endgame: u32 = (0) in 0..=MAX_ENDGAME,
        /// The exact search of a leaf begins where both tokens together have at most this many spaces left, 1 to
        /// 106; 16 by default.
        pub endgame_spaces: u8 = (DEFAULT_SPACES) in 1..=2 * LAST_SPACE,
        /// Whether bounds of the final scores decide a leaf where they can, at its first visit, and end branches of
        /// the exact search, which then waits for the second visit;
        pub endgame_bounds: bool = false,
        /// Whether the exact search first asks, before it tries all placements of a patch, if the player loses even when every
        /// patch that fits now still fits afterwards; requires `endgame_bounds`;
        pub endgame_relaxed: bool = false,
        /// Whether a search ends once the iterations left cannot change which action is chosen; by
        /// default only with a time budget per game.
        pub early_stop: bool?,
        /// Maximum number of iterations in a row below one position, at most one for 8 of its visits, before the search starts
        /// at the root again; 1 by default. Not with `rave` or `transpositions`. Several threads always search like this.
        pub batch: u32 = (Settings::default().batch) in 1..=MAX_BATCH,
        /// The maximum number of positions in the tree.
        pub nodes: Count = (Settings::default().nodes) in MIN_NODES..=MAX_NODES,
        /// Whether positions reached by different sequences of actions share a node.
        pub transpositions: bool = (Settings::default().transpositions),
        /// Whether wins or margins are scored; wins by default.
        #[serde(default)]
        pub value: ValueKind,
        /// Margin in points that counts as a clear win, 20 by default; not with `value = "win"`.
        pub margin_scale: f64?,
        /// The weight of winning, 0 to 1, 0.5 by default; only with `value = "mix"`.
        pub win_weight: f64?,
    }
}

impl Default for MctsSearch {
    fn default() -> Self {
        toml::from_str("").expect("every key may be left out")
    }
}

const fn default_exploration() -> f64 {
    0.7
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

/// Far above any useful value.
const MAX_EXPLORATION: f64 = 1000.0;
/// The largest number of threads of an MCTS agent.
pub const MAX_THREADS: u32 = 256;
/// A root can have hundreds of actions, and the tree must also have room for the nodes below them.
const MIN_NODES: u32 = 10_000;
const MAX_NODES: u32 = 1 << 26;
/// More iterations than a position with few visits gets.
const MAX_BATCH: u32 = 1024;
/// Less than a millisecond per leaf, so that a search does not last much longer than its time.
const MAX_ENDGAME: u32 = 1000;

impl MctsSettings {
    /// Checks the ranges of numbers and rejects keys that cannot be combined.
    pub(super) fn check(&self) -> Result<(), InputError> {
        self.check_ranges()?;
        if matches!(self.budget, Budget::ProcessorTime(_)) && self.threads() > 1 {
            let what = "counts the time of one thread; requires threads = 1";
            return Err(InputError::at("budget.processor_milliseconds", what));
        }
        let allocation = self.search.allocation();
        let part = allocation.part();
        if part.mix.is_some() && !self.tree_search().select.part().uses_priors {
            let what = "requires search.select = \"puct\", a rule with priors";
            return Err(InputError::at("search.allocation", what));
        }
        if part.build.is_some() {
            let at = |what| Err(InputError::at("search.allocation", what));
            if !matches!(self.budget, Budget::Iterations(_)) {
                return at("requires budget.iterations");
            }
            if self.search.choice() == ActionChoice::default() {
                return at(
                    "requires search.choice: the actions of the last round have equally many visits",
                );
            }
            if self.search.batch() > 1 || self.search.widening.is_some() {
                return at("cannot be combined with search.batch or search.widening");
            }
        }
        self.expansion.prior().check()?;
        self.rollout.check()?;
        self.search.check()
    }

    /// How the tree is searched.
    pub fn tree_search(&self) -> Settings {
        let search = &self.search;
        let by_game = matches!(self.budget, Budget::GameTime(_));
        Settings {
            select: search.rule().unwrap_or_else(|_| search.select()),
            exploration: search.exploration as f32,
            first_play: search.first_play.map(|urgency| urgency as f32),
            widening: search.widening,
            minimax: search.minimax() as f32,
            confidence: search.confidence() as f32,
            confidence_power: search.confidence_power() as f32,
            allocation: search.allocation(),
            choice: search.choice(),
            two_results: search.value == ValueKind::Win
                && self.rollout.depth.is_none()
                && self.rollout.estimate() == 0.0,
            solver: search.solver(),
            early_stop: search.early_stop.unwrap_or(by_game),
            batch: search.batch(),
            nodes: search.nodes(),
            transpositions: search.transpositions(),
        }
    }

    /// States every default.
    pub(super) fn state_defaults(&mut self) {
        let tree = self.tree_search();
        self.state_all_defaults();
        self.expansion.state_all_defaults();
        self.rollout = self.rollout.effective();
        let search = &mut self.search;
        search.state_all_defaults();
        // These came later: an agent without them keeps its identity.
        if let Some(prior) = &mut self.expansion.prior {
            prior.shared.take_if(|shared| !*shared);
        }
        search
            .endgame_spaces
            .take_if(|spaces| *spaces == DEFAULT_SPACES);
        search.endgame_bounds.take_if(|bounds| !*bounds);
        search.endgame_relaxed.take_if(|relaxed| !*relaxed);
        search.confidence.take_if(|confidence| *confidence == 1.0);
        search.confidence_power.take_if(|power| *power == 0.0);
        search.batch.take_if(|batch| *batch == 1);
        (search.allocation).take_if(|allocation| *allocation == RootShares::default());
        (search.choice).take_if(|choice| *choice == ActionChoice::default());
        search.early_stop = Some(tree.early_stop);
        let worth = search.worth().effective();
        (search.margin_scale, search.win_weight) = (worth.margin_scale, worth.win_weight);
    }
}

impl Prior {
    fn check(&self) -> Result<(), InputError> {
        self.check_ranges()?;
        if self.shared() && self.points.is_none() {
            let what = "requires expansion.prior.points";
            return Err(InputError::at("expansion.prior.shared", what));
        }
        Ok(())
    }
}

impl MctsExpansion {
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
        self.check_ranges()?;
        if let Some(widening) = self.widening {
            within("search.widening.base", widening.base, 0.001..=1e6)?;
            within("search.widening.power", widening.power, 0.0..=1.0)?;
        }
        if let Some(rave) = self.rave {
            rave.check_ranges()?;
        }
        let rule = self.rule()?.part();
        let learns = rule.learn.is_some() || rule.memory.is_some();
        if self.batch() > 1 && (learns || self.transpositions()) {
            let what = "cannot be combined with search.rave or search.transpositions";
            return Err(InputError::at("search.batch", what));
        }
        let stated = [
            (
                "search.endgame_spaces",
                self.endgame_spaces() != DEFAULT_SPACES,
            ),
            ("search.endgame_bounds", self.endgame_bounds()),
        ];
        if let Some((key, _)) = stated.iter().find(|(_, stated)| *stated)
            && self.exact_search().is_none()
        {
            return Err(InputError::at(key, "requires search.endgame"));
        }
        if self.endgame_relaxed() && !self.endgame_bounds() {
            let what = "requires search.endgame_bounds = true";
            return Err(InputError::at("search.endgame_relaxed", what));
        }
        if !self.solver() && self.endgame() > 0 {
            let what = "cannot be combined with solver = false";
            return Err(InputError::at("search.endgame", what));
        }
        self.worth().check()
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

    /// How leaves near the end are searched exactly, if they are.
    pub(super) fn exact_search(&self) -> Option<Endgame> {
        let positions = self.endgame();
        (positions > 0).then(|| Endgame {
            positions,
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
