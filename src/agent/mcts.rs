//! The MCTS agent: an expansion strategy that orders placements well, and cheap rollouts.

use super::quick::QuickPlayer;
use super::{Agent, Decision, STARTED};
use crate::game::{Action, PatchId, Placement, Player, Setup, State, gain, gain_of_advance};
use crate::placement::{Problem, Scratch, Strategy};
use crate::record::Thought;
use crate::rng::Rng;
use crate::search::{Budget, Model, Search, Stop, Value};

/// What a finished game is worth to the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Worth {
    /// 1 for a win, 0 for a loss.
    Win,
    /// (1 + tanh(margin / scale)) / 2 of the margin in points.
    Margin {
        /// Points that count as a clear win.
        scale: f64,
    },
}

/// The settings of an MCTS agent.
#[derive(Clone, Copy, Debug)]
pub struct MctsSpec {
    /// Effort for each decision.
    pub budget: Budget,
    /// The c of UCT.
    pub exploration: f64,
    /// Generates and orders the placements of a node.
    pub expansion: Strategy,
    /// How many placements of each patch are searched, best first; all when none.
    pub best: Option<usize>,
    /// Plays the rollouts.
    pub rollout: QuickPlayer,
    /// What the rollouts give.
    pub worth: Worth,
}

impl MctsSpec {
    pub(super) const fn is_deterministic(&self) -> bool {
        matches!(self.budget, Budget::Iterations(_))
    }
}

/// Patchwork as the search sees it: one game, its strategies and its stream of random numbers.
#[derive(Clone, Debug)]
pub struct PatchworkModel {
    setup: Setup,
    spec: MctsSpec,
    rng: Rng,
    scratch: Scratch,
    placements: Vec<Placement>,
}

impl PatchworkModel {
    /// The model of games on this setup.
    #[must_use]
    pub fn new(setup: Setup, spec: MctsSpec, rng: Rng) -> Self {
        Self {
            setup,
            spec,
            rng,
            scratch: Scratch::default(),
            placements: Vec::new(),
        }
    }

    /// Plays one rollout from a state and gives its end.
    #[inline]
    pub fn play_out(&mut self, state: State) -> State {
        let rollout = &self.spec.rollout;
        rollout.play_out(&self.setup, state, &mut self.rng, &mut self.scratch)
    }

    /// The ranked placements of a problem, cut to the best.
    fn rank(&mut self, state: &State, patch: Option<PatchId>) -> std::ops::Range<usize> {
        let problem = match patch {
            Some(patch) => Problem::patch(&self.setup, state, patch),
            None => Problem::special(&self.setup, state),
        };
        let first = self.placements.len();
        let expansion = &self.spec.expansion;
        expansion.rank(
            &problem,
            &mut self.rng,
            &mut self.scratch,
            &mut self.placements,
        );
        let most = self.spec.best.unwrap_or(usize::MAX);
        let end = self.placements.len().min(first.saturating_add(most));
        self.placements.truncate(end);
        first..end
    }

    fn value_of(&self, end: &State) -> Value {
        let outcome = end.outcome_unchecked();
        Value::for_first(match self.spec.worth {
            Worth::Win => f64::from(u8::from(outcome.winner == Player::First)),
            Worth::Margin { scale } => {
                let margin = f64::from(outcome.margin(Player::First));
                0.5 + 0.5 * libm::tanh(margin / scale)
            }
        })
    }
}

impl Model for PatchworkModel {
    type State = State;
    type Action = Action;

    #[inline]
    fn mover(&self, state: &State) -> Player {
        state.mover()
    }

    #[inline]
    fn play(&self, state: &mut State, action: Action) {
        state.play_unchecked(&self.setup, action);
    }

    #[inline]
    fn result(&self, state: &State) -> Option<Value> {
        state.is_over().then(|| self.value_of(state))
    }

    /// The best placement of each patch and advancing by their gains (the paper's equation 1), then
    /// the second best placements, and so on.
    fn expand(&mut self, state: &State, out: &mut Vec<Action>) {
        self.placements.clear();
        if state.specials_waiting() > 0 {
            let ranked = self.rank(state, None);
            let squares = self.placements[ranked].iter().map(|p| p.anchor());
            out.extend(squares.map(Action::Special));
            return;
        }
        let mut patches = [None; 3];
        let space = state.space(state.mover());
        for (slot, patch) in patches.iter_mut().zip(state.affordable(&self.setup)) {
            *slot = Some((gain(patch, space), patch));
        }
        // Three at most: the sort is stable and does not allocate.
        patches.sort_by_key(|slot| std::cmp::Reverse(slot.map(|(gain, _)| gain)));
        let mut ranked = [const { 0..0 }; 3];
        for (range, patch) in ranked.iter_mut().zip(patches.iter().flatten()) {
            *range = self.rank(state, Some(patch.1));
        }
        let mut advanced = false;
        for rank in 0.. {
            let before = out.len();
            for (range, &slot) in ranked.iter().zip(&patches) {
                let Some((gain, patch)) = slot else { break };
                if !advanced && gain < gain_of_advance() {
                    out.push(Action::Advance);
                    advanced = true;
                }
                if let Some(&placement) = self.placements[range.clone()].get(rank) {
                    out.push(Action::Buy(patch, placement));
                }
            }
            if !advanced {
                out.push(Action::Advance);
                advanced = true;
            } else if out.len() == before {
                break;
            }
        }
    }

    #[inline]
    fn rollout(&mut self, state: State) -> Value {
        let end = self.play_out(state);
        self.value_of(&end)
    }
}

/// A player by UCT that keeps its tree from move to move.
pub struct MctsAgent {
    spec: MctsSpec,
    search: Option<Search<PatchworkModel>>,
}

impl MctsAgent {
    /// A player with these settings.
    #[must_use]
    pub const fn new(spec: MctsSpec) -> Self {
        Self { spec, search: None }
    }
}

impl Agent for MctsAgent {
    fn start(&mut self, setup: &Setup, rng: Rng) {
        let model = PatchworkModel::new(setup.clone(), self.spec, rng);
        match &mut self.search {
            // The memory of the last game's tree is used again.
            Some(search) => {
                search.clear();
                search.model = model;
            }
            None => self.search = Some(Search::new(model, self.spec.exploration as f32)),
        }
    }

    fn decide(&mut self, _: &Setup, state: &State, stop: &Stop) -> Decision {
        let search = self.search.as_mut().expect(STARTED);
        let choice = search.decide(state, self.spec.budget, stop);
        Decision {
            action: choice.action,
            thought: Thought {
                iterations: choice.iterations,
                value: choice.value,
                ..Thought::default()
            },
        }
    }

    fn observe(&mut self, action: Action) {
        self.search.as_mut().expect(STARTED).advance(action);
    }
}
