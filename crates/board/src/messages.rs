//! What pages ask and what they are answered, as JSON.
//!
//! `page/api.ts` has the same types in TypeScript and is made from these.

use patchwork_engine::game::Rules;
use patchwork_engine::record::picture::Picture;
use serde::{Deserialize, Serialize};

/// Declares types of messages: readable and writable as JSON, and described for TypeScript.
macro_rules! messages {
    ($($(#[$meta:meta])* $visibility:vis struct $name:ident $body:tt)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields)]
        $visibility struct $name $body
    )+};
}

messages! {
    /// A game, or its beginning.
    pub struct GameText {
        /// The text of a setup (`original 2 3 ... 1`) or of a position from which the game begins.
        pub start: String,
        /// The actions played so far: `A`, `2:a1b1a2`, `S:e5`.
        pub actions: Vec<String>,
    }

    /// Asks for the start of a game.
    pub(crate) struct NewGame {
        /// The printing of the time board, and a komi; `original` by default.
        #[serde(default)]
        #[cfg_attr(test, schemars(with = "String"))]
        pub(crate) track: Rules,
        /// The ring, 33 numbers with 1 last; random by default.
        #[serde(default)]
        pub(crate) ring: Option<Vec<u8>>,
        /// The seed of a random ring, at most 2^53; 1 by default.
        #[serde(default = "one")]
        pub(crate) seed: u64,
        /// The number of the ring among those of the seed; 0 by default.
        #[serde(default)]
        pub(crate) number: u32,
    }

    /// Asks about a game.
    pub(crate) struct AboutGame {
        pub(crate) game: GameText,
    }

    /// Asks about an action in the last position of a game.
    pub(crate) struct AboutAction {
        pub(crate) game: GameText,
        pub(crate) action: String,
    }

    /// Asks for nothing in particular.
    pub(crate) struct Nothing {}

    /// A patch as printed.
    pub(crate) struct PatchView {
        /// Its number, 1 to 33.
        pub(crate) patch: u8,
        /// Its price in buttons.
        pub(crate) buttons: u8,
        /// The spaces that its buyer moves.
        pub(crate) time: u8,
        /// The buttons sewn on it.
        pub(crate) income: u8,
        /// Its different rotations and flips; the first is as printed.
        pub(crate) orientations: Vec<OrientationView>,
    }

    /// A patch in one of its rotations and flips. The corner is the top left of its bounding box.
    pub(crate) struct OrientationView {
        /// Its squares as columns and rows from the corner, in row-major order.
        pub(crate) cells: Vec<[u8; 2]>,
        /// Columns of the bounding box.
        pub(crate) columns: u8,
        /// Rows of the bounding box.
        pub(crate) rows: u8,
        /// The index of the orientation after a quarter turn to the right.
        pub(crate) turned: u8,
        /// The index of the orientation with left and right swapped.
        pub(crate) flipped: u8,
    }

    /// The result of a game.
    pub struct OutcomeView {
        /// The winner, 0 or 1.
        pub winner: u8,
        /// Points of the first and the second player.
        pub scores: [i16; 2],
        /// Whether equal points were decided by who reached the last space first.
        pub by_arrival: bool,
    }

    /// Legal actions. All are empty when the game is over.
    pub(crate) struct LegalView {
        /// Whether the mover may advance.
        pub(crate) advance: bool,
        /// The patches that can be bought, with all their placements.
        pub(crate) patches: Vec<PlaceableView>,
        /// The squares on which a special patch can be placed.
        pub(crate) specials: Vec<u8>,
    }

    /// The placements of a patch.
    pub(crate) struct PlaceableView {
        pub(crate) patch: u8,
        /// For each orientation, in the order of [`PatchView::orientations`], the squares (0 to 80) at which the
        /// corner of its bounding box can lie.
        pub(crate) corners: Vec<Vec<u8>>,
    }

    /// What an action does.
    pub(crate) struct EffectView {
        /// The action, as the engine writes it.
        pub(crate) action: String,
        pub(crate) cost: u8,
        /// Buttons received for advancing, one for each space.
        pub(crate) earned: u8,
        /// Buttons received at income spaces.
        pub(crate) income: u16,
        /// Change of the income at each income space ahead.
        pub(crate) income_gained: u8,
        /// Spaces before and after.
        pub(crate) from: u8,
        /// See `from`.
        pub(crate) to: u8,
        pub(crate) income_spaces: Vec<u8>,
        /// Spaces whose special patches are taken.
        pub(crate) specials: Vec<u8>,
        /// Whether it wins the bonus for seven by seven.
        pub(crate) bonus: bool,
        pub(crate) squares: u8,
        /// The player's points after it minus before it.
        pub(crate) points: i16,
        /// The player to move after it; null when the game is over.
        pub(crate) next: Option<u8>,
    }

    /// Asks to read a text that a person gave.
    pub(crate) struct ReadText {
        /// A game as PGN, a link's text, a setup or a position, or actions after a setup or position.
        pub(crate) text: String,
    }

    /// A game that was read.
    pub(crate) struct ReadGame {
        pub(crate) game: GameText,
        /// The players' names, if the text has them.
        pub(crate) names: [Option<String>; 2],
        /// Number of games in the text; only the first is read.
        pub(crate) games: u32,
    }

    /// Asks for a game as PGN.
    pub struct WritePgn {
        /// The game.
        pub game: GameText,
        /// The players' names.
        pub names: [String; 2],
        /// Comments of the plies; may be shorter than the game.
        pub comments: Vec<Option<String>>,
    }

    /// A text.
    pub struct TextView {
        /// The text.
        pub text: String,
    }

    /// Asks an agent for its decision. Sessions remember the agent's player, so that it keeps its tree from move to
    /// move of a game.
    pub struct AskDecision {
        /// The game; it must not be over.
        pub game: GameText,
        /// The name of an agent.
        pub agent: String,
        /// The budget: iterations of the search. Without a budget, the agent's own.
        #[serde(default)]
        pub iterations: Option<u32>,
        /// The budget: time in milliseconds.
        #[serde(default)]
        pub milliseconds: Option<u32>,
        /// The seed of its random choices; 1 by default.
        #[serde(default = "one")]
        pub seed: u64,
    }

    /// A decision.
    pub struct DecisionView {
        /// The action.
        pub action: String,
        /// Iterations of the search, 0 without a search.
        pub iterations: u32,
        /// The mover's win probability; null if the agent does not say.
        pub chance: Option<f32>,
        /// Whether it is proven to win (true) or to lose (false); null if neither.
        pub proven: Option<bool>,
        /// Time taken.
        pub milliseconds: f64,
    }

    /// Starts a search of the last position of a game, in place of the one before.
    pub(crate) struct StartSearch {
        /// The game; it must not be over.
        pub(crate) game: GameText,
        /// The name of an agent that searches a tree; `champion` by default.
        #[serde(default)]
        pub(crate) agent: Option<String>,
        /// The seed of its random choices; 1 by default.
        #[serde(default = "one")]
        pub(crate) seed: u64,
    }

    /// Continues the search. Without a budget, only says what is known.
    pub(crate) struct StepSearch {
        /// Iterations to search.
        #[serde(default)]
        pub(crate) iterations: Option<u32>,
        /// Time to search in milliseconds.
        #[serde(default)]
        pub(crate) milliseconds: Option<u32>,
        /// The number of actions to list; 5 by default.
        #[serde(default = "five")]
        pub(crate) top: u32,
    }

    /// What the search knows.
    pub(crate) struct AnalysisView {
        /// Iterations so far.
        pub(crate) iterations: u32,
        /// Time spent searching.
        pub(crate) milliseconds: f64,
        /// The player to move, from whose point of view `chance` and `margin` are.
        pub(crate) mover: u8,
        /// The mover's win probability.
        pub(crate) chance: f32,
        /// The mover's expected margin in points at the end.
        pub(crate) margin: f32,
        /// The winner if both play optimally, if proven.
        pub(crate) winner: Option<u8>,
        /// Whether more iterations would change nothing: it is proven, or there is only one action.
        pub(crate) ended: bool,
        /// The action that the agent plays; null before the first iteration.
        pub(crate) best: Option<String>,
        /// The best action, followed by those with the most visits.
        pub(crate) lines: Vec<LineView>,
        pub(crate) nodes: u32,
        /// The longest path from the root.
        pub(crate) depth: u32,
    }

    /// An action and what the search expects after it.
    pub(crate) struct LineView {
        /// The action; `17:?` is a patch with no known placement.
        pub(crate) action: String,
        /// Iterations that went through it.
        pub(crate) visits: u32,
        /// Their share of all.
        pub(crate) share: f32,
        /// The mover's win probability after it; null without visits.
        pub(crate) chance: Option<f32>,
        /// The mover's expected margin after it; null without visits.
        pub(crate) margin: Option<f32>,
        /// The agent's first guess of the probability that it is best.
        pub(crate) prior: f32,
        /// Whether it is proven to win or to lose.
        pub(crate) proven: Option<bool>,
        /// The principal variation, with this action first.
        pub(crate) line: Vec<String>,
    }

    /// Asks for a node of the search tree.
    pub(crate) struct AskTree {
        /// Steps from the root, as `TreeEdgeView::step` writes them.
        pub(crate) path: Vec<String>,
        /// The number of steps to list; 20 by default.
        #[serde(default = "twenty")]
        pub(crate) top: u32,
    }

    /// A node of the search tree.
    pub(crate) struct TreeView {
        pub(crate) mover: Option<u8>,
        /// The steps that were visited most, most visited first.
        pub(crate) edges: Vec<TreeEdgeView>,
        /// The number of all steps.
        pub(crate) count: u32,
    }

    /// A step in the search tree.
    pub(crate) struct TreeEdgeView {
        /// An action, or the number of a patch that is picked before it is placed.
        pub(crate) step: String,
        /// Iterations that went through it.
        pub(crate) visits: u32,
        /// The mover's win probability; null without visits.
        pub(crate) chance: Option<f32>,
        /// The agent's first guess of the probability that it is best.
        pub(crate) prior: f32,
        /// Whether it is proven to win or to lose.
        pub(crate) proven: Option<bool>,
    }

    /// Asks how well a game was played.
    pub struct JudgeGame {
        /// The game.
        pub game: GameText,
        /// For each position from the start to the last, its evaluation; null where there is none. The position after
        /// the end of a game needs none.
        pub evaluations: Vec<Option<EvaluationView>>,
    }

    /// The evaluation of a position.
    pub struct EvaluationView {
        /// The first player's win probability.
        pub first: f32,
        /// The action that the search prefers.
        pub best: Option<String>,
    }

    /// How well a game was played.
    pub struct JudgementView {
        /// One for each ply.
        pub plies: Vec<JudgedPlyView>,
        /// The first and the second player.
        pub players: [JudgedPlayerView; 2],
        /// The grades and their thresholds, mildest first.
        pub grades: Vec<GradeView>,
        /// The formula of accuracy, in words.
        pub formula: String,
    }

    /// A ply and what it lost.
    pub struct JudgedPlyView {
        /// The player, 0 or 1.
        pub player: u8,
        /// Loss of win probability, 0 to 1; null if a position was not evaluated.
        pub loss: Option<f32>,
        /// The grade's name (`inaccuracy`, `mistake`, `blunder`); null for a good move.
        pub grade: Option<String>,
        /// Accuracy of the ply, 0 to 100; null if it was not evaluated or there was only one legal action.
        pub accuracy: Option<f32>,
    }

    /// A player's account.
    pub struct JudgedPlayerView {
        /// Mean accuracy, 0 to 100; null if nothing was evaluated.
        pub accuracy: Option<f32>,
        /// Mean loss of win probability for each evaluated ply with a choice.
        pub loss: Option<f32>,
        /// Evaluated plies with a choice.
        pub plies: u32,
        /// The number of plies with each grade, in the order of the grades.
        pub grades: Vec<u32>,
    }

    /// A grade of bad moves.
    pub struct GradeView {
        /// Its name.
        pub name: String,
        /// The least loss of win probability, 0 to 1.
        pub loss: f32,
    }

    /// Asks what the better of two actions gains.
    pub(crate) struct AskWhy {
        /// The game up to the position.
        pub(crate) game: GameText,
        /// The action that was played.
        pub(crate) played: String,
        /// The better action.
        pub(crate) better: String,
    }

    /// Two actions compared: what the better one has more of (or less, if negative), for its player.
    pub(crate) struct WhyView {
        /// What the played action does.
        pub(crate) played: EffectView,
        /// What the better action does.
        pub(crate) better: EffectView,
        pub(crate) squares: i16,
        /// Buttons in hand after the action.
        pub(crate) buttons: i16,
        /// Income at each income space ahead.
        pub(crate) income: i16,
        /// Buttons from the income spaces that are still ahead, with the income after the action.
        pub(crate) income_ahead: i16,
        /// Spaces left on the time board.
        pub(crate) time: i16,
        /// Special patches taken.
        pub(crate) specials: i16,
        /// Points if the game ended now.
        pub(crate) points: i16,
        /// Holes: empty squares that no patch left in the game can cover.
        pub(crate) holes: i16,
    }

    /// Asks for the regret of placements.
    pub(crate) struct AskRegret {
        pub(crate) game: GameText,
        /// A patch on offer, whether or not it can be paid for.
        pub(crate) patch: u8,
    }

    /// The regret of each placement: how many places of other patches it takes away.
    pub(crate) struct RegretView {
        /// All placements, least regret first.
        pub(crate) placements: Vec<RegretPlacementView>,
        /// For each square (0 to 80), the least regret of a placement that covers it; null where none does.
        pub(crate) squares: Vec<Option<u32>>,
    }

    /// A placement and its regret.
    pub(crate) struct RegretPlacementView {
        /// Index of the orientation.
        pub(crate) orientation: u8,
        /// The corner of its bounding box, 0 to 80.
        pub(crate) corner: u8,
        /// The action that places it.
        pub(crate) action: String,
        pub(crate) regret: u32,
    }

    /// The opponents that a person can choose.
    pub(crate) struct LevelsView {
        /// From the weakest to the strongest.
        pub(crate) levels: Vec<LevelView>,
        /// How the ratings were measured.
        pub(crate) source: String,
    }

    /// A level of play.
    pub(crate) struct LevelView {
        /// A plain name: `beginner` ... `champion`.
        pub(crate) name: String,
        /// The agent's name.
        pub(crate) agent: String,
        /// Its budget in iterations; null for agents without a search.
        pub(crate) iterations: Option<u32>,
        /// Its Elo in the tournament that `source` names.
        pub(crate) rating: f32,
        /// How far the 95% interval of the rating reaches down.
        pub(crate) margin: f32,
    }

    /// An agent.
    pub struct AgentView {
        /// Its name.
        pub name: String,
        /// What its file says.
        pub description: String,
        /// Whether it searches a tree, so that it can analyse and takes a budget.
        pub searches: bool,
    }
}

/// A position: what is seen of it, and what can be played.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PositionView {
    pub(crate) picture: Picture,
    /// The result; null while the game goes on.
    pub(crate) outcome: Option<OutcomeView>,
    /// What the mover may do.
    pub(crate) legal: LegalView,
}

pub(crate) const fn one() -> u64 {
    1
}

const fn five() -> u32 {
    5
}

const fn twenty() -> u32 {
    20
}
