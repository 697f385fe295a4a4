//! The MCTS agent: an expansion strategy that orders placements well, and cheap rollouts.

use std::time::Instant;

use super::clock::Clock;
use super::endgame;
use super::kinds::mcts::Steps;
use super::player::{Agent, Decision, Limit, STARTED};
use super::position_estimate::{estimate, win_chance};
use super::rollout_player::RolloutPlayer;
use super::team::Team;
use super::worth::{ValueKind, Worth};
use crate::agent::equation1::{GAIN_UNIT, by_gain, gain_of_advance};
use crate::game::{Action, PATCH_COUNT, PatchId, Placement, Player, Setup, State};
use crate::placement::{Candidates, Problem, Scratch, Strategy};
use crate::record::Thought;
use crate::search::{Budget, Leaf, Model, Over, Settings, Value};
use crate::util::rng::Rng;

/// How nodes are expanded.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    /// Generates and orders the placements of a node.
    pub strategy: Strategy,
    /// How many placements of each patch are searched, best first; all when none.
    pub best: Option<usize>,
    /// Nodes with at most so many legal actions have all of them, after those of the strategy.
    pub whole: u32,
    /// Whether patch and placement are one action or two.
    pub steps: Steps,
    /// Priors are proportional to exp(gain / temperature), with the gain of equation 1 in points a space,
    pub temperature: f32,
    /// times (1 + rank)^-decay of the placement's rank in the strategy's order,
    pub decay: f32,
    /// times exp(margin / points) with the margin that the static estimate gives after the action, if any.
    pub points: Option<f32>,
}

/// How a position is valued that is not over.
#[derive(Clone, Copy, Debug)]
pub struct Playout {
    /// Plays on.
    pub player: RolloutPlayer,
    /// So many plies, then the static estimate counts; to the end when none.
    pub depth: Option<u32>,
    /// Weight of the leaf's own static estimate against what playing on gives, 0 to 1.
    pub estimate: f32,
}

/// The settings of an MCTS agent.
#[derive(Clone, Copy, Debug)]
pub struct MctsSpec {
    /// The budget of each decision or of a game.
    pub budget: Budget,
    /// Searches of the same position, each in a thread of its own.
    pub threads: u32,
    /// How the tree is searched.
    pub search: Settings,
    /// How nodes are expanded.
    pub expansion: Expansion,
    /// How leaves are valued.
    pub rollout: Playout,
    /// What the results are worth.
    pub worth: Worth,
    /// Positions with few spaces left are solved if that takes no more positions than this; 0: never.
    pub endgame: u32,
}

impl MctsSpec {
    /// The budget of a single decision; with time for a game, that of the game's first decision.
    #[must_use]
    pub fn first_budget(&self, setup: &Setup) -> Budget {
        match self.budget {
            Budget::GameTime(time) => Budget::Time(Clock::new(time).allot(&State::new(setup))),
            budget => budget,
        }
    }

    /// An action that wins for certain, if the agent looks for one and finds it without its tree, in at
    /// most a third of a budget in time.
    #[must_use]
    pub fn winning_action(&self, setup: &Setup, state: &State, budget: Budget) -> Option<Action> {
        // The position is worth more of a search of its own than any leaf.
        let most = self.endgame.saturating_mul(ROOT_ENDGAME);
        if most == 0 || endgame::spaces_left(state) > SOLVABLE {
            return None;
        }
        let until = budget.time().map(|time| Instant::now() + time / 3);
        endgame::winning_action(setup, state, most, until)
    }
}

/// A position of the search: in two steps, a patch may have been picked that is to be placed.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The position in the game.
    pub state: State,
    /// A patch that the mover buys.
    pub picked: Option<PatchId>,
}

impl From<State> for Position {
    fn from(state: State) -> Self {
        Self {
            state,
            picked: None,
        }
    }
}

/// A move of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An action of the game.
    Play(Action),
    /// The first half of buying a patch.
    Pick(PatchId),
}

/// Patchwork as the search sees it: one game, its strategies and its stream of random numbers.
#[derive(Clone, Debug)]
pub struct PatchworkModel {
    setup: Setup,
    spec: MctsSpec,
    rng: Rng,
    scratch: Scratch,
    placements: Vec<Placement>,
    margins: Vec<f32>,
    /// By rank, as far as they have been asked for.
    discounts: Vec<f32>,
    /// What each player bought in the last rollout and where it went; kept for RAVE only.
    made: [[Option<Option<Placement>>; PATCH_COUNT]; 2],
}

/// Positions with more spaces left than this are not tried to be solved.
const SOLVABLE: u8 = 16;

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
            margins: Vec::new(),
            discounts: Vec::new(),
            made: [[None; PATCH_COUNT]; 2],
        }
    }

    /// Ring and track.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The stream of random choices.
    #[must_use]
    pub const fn rng(&self) -> &Rng {
        &self.rng
    }

    /// The ranked placements of a patch or a special patch, cut to the best, with the rest behind
    /// them where there are few. Says whether they are all.
    fn rank(&mut self, state: &State, patch: Option<PatchId>) -> (std::ops::Range<usize>, bool) {
        let problem = match patch {
            Some(patch) => Problem::patch(&self.setup, state, patch),
            None => Problem::special(&self.setup, state),
        };
        let first = self.placements.len();
        let expansion = &self.spec.expansion;
        let count = expansion.strategy.rank(
            &problem,
            &mut self.rng,
            &mut self.scratch,
            &mut self.placements,
        );
        let most = expansion.best.unwrap_or(usize::MAX);
        let end = self.placements.len().min(first.saturating_add(most));
        self.placements.truncate(end);
        let complete = |placements: &[Placement]| placements.len() as u32 == count;
        if count <= expansion.whole && !complete(&self.placements[first..]) {
            for placement in Candidates::all(problem.shape(), problem.quilt()).placements() {
                if !self.placements[first..].contains(&placement) {
                    self.placements.push(placement);
                }
            }
        }
        let range = first..self.placements.len();
        let is_complete = complete(&self.placements[range.clone()]);
        (range, is_complete)
    }

    /// Weight of a gain among the priors; that of advancing is 1.
    fn weight(&self, gain: i16) -> f32 {
        let unit = f32::from(GAIN_UNIT) * self.spec.expansion.temperature;
        libm::expf((f32::from(gain - gain_of_advance()) / unit).clamp(-30.0, 30.0))
    }

    /// Weight of a placement's rank among the priors; that of the first is 1.
    fn discount(&mut self, rank: usize) -> f32 {
        while self.discounts.len() <= rank {
            let next = 1.0 + self.discounts.len() as f32;
            self.discounts
                .push(libm::powf(next, -self.spec.expansion.decay));
        }
        self.discounts[rank]
    }

    fn expand_placements(
        &mut self,
        state: &State,
        patch: Option<PatchId>,
        out: &mut Vec<(Step, f32)>,
    ) -> bool {
        let (ranked, complete) = self.rank(state, patch);
        for (rank, i) in ranked.enumerate() {
            let placement = self.placements[i];
            let action = match patch {
                Some(patch) => Action::Buy(patch, placement),
                None => Action::Special(placement.anchor()),
            };
            out.push((Step::Play(action), self.discount(rank)));
        }
        complete
    }

    /// Advancing and the patches that fit, by their gains.
    fn expand_picks(&mut self, state: &State, out: &mut Vec<(Step, f32)>) -> bool {
        let quilt = state.quilt(state.mover());
        for (gain, patch) in by_gain(&self.setup, state).into_iter().flatten() {
            if !Candidates::all(patch.patch().shape, quilt).is_empty() {
                out.push((Step::Pick(patch), self.weight(gain)));
            }
        }
        let before = out.partition_point(|&(_, weight)| weight >= 1.0);
        out.insert(before, (Step::Play(Action::Advance), 1.0));
        true
    }

    /// The best placement of each patch and advancing by their gains (the paper's equation 1), then
    /// the second best placements, and so on.
    fn expand_actions(&mut self, state: &State, out: &mut Vec<(Step, f32)>) -> bool {
        let patches = by_gain(&self.setup, state);
        let mut ranked = [const { 0..0 }; 3];
        let mut weights = [0.0; 3];
        let mut complete = true;
        for (i, &(gain, patch)) in patches.iter().flatten().enumerate() {
            let all;
            (ranked[i], all) = self.rank(state, Some(patch));
            weights[i] = self.weight(gain);
            complete &= all;
        }
        let mut advanced = false;
        for rank in 0.. {
            let before = out.len();
            let discount = self.discount(rank);
            for (i, &slot) in patches.iter().enumerate() {
                let Some((gain, patch)) = slot else { break };
                if !advanced && gain < gain_of_advance() {
                    out.push((Step::Play(Action::Advance), 1.0));
                    advanced = true;
                }
                if let Some(&placement) = self.placements[ranked[i].clone()].get(rank) {
                    let action = Action::Buy(patch, placement);
                    out.push((Step::Play(action), weights[i] * discount));
                }
            }
            if !advanced {
                out.push((Step::Play(Action::Advance), 1.0));
                advanced = true;
            } else if out.len() == before {
                break;
            }
        }
        complete
    }

    /// Multiplies the weights with what the estimate makes of the positions behind the actions.
    fn weigh_by_estimate(&mut self, position: &Position, points: f32, out: &mut [(Step, f32)]) {
        let sign = match position.state.mover() {
            Player::First => 1.0,
            Player::Second => -1.0,
        };
        let mut most = f32::NEG_INFINITY;
        self.margins.clear();
        for &(step, _) in out.iter() {
            let mut next = *position;
            self.play(&mut next, step);
            let next = self.settle(&next);
            let margin = sign * estimate(&self.setup, &next);
            most = most.max(margin);
            self.margins.push(margin);
        }
        for ((_, weight), margin) in out.iter_mut().zip(&self.margins) {
            *weight *= libm::expf(((margin - most) / points).max(-30.0));
        }
    }

    fn worth(&self, won: f64, margin: f64) -> f64 {
        self.spec.worth.of(won, margin)
    }

    /// What a position is worth by the static estimate.
    fn guess(&self, state: &State) -> Value {
        let margin = estimate(&self.setup, state);
        let won = if self.spec.worth.counts_wins() {
            win_chance(margin, state)
        } else {
            0.5
        };
        Value::for_first(self.worth(won.into(), margin.into()))
    }

    /// What the end of a rollout is worth, with the first player's chance to win where that is
    /// something else.
    fn appraise(&self, end: &State) -> (Value, Option<f32>) {
        let (won, margin) = if end.is_over() {
            let outcome = end.outcome_unchecked();
            let won = u8::from(outcome.winner == Player::First);
            (f32::from(won), f32::from(outcome.margin(Player::First)))
        } else {
            let margin = estimate(&self.setup, end);
            (win_chance(margin, end), margin)
        };
        let value = Value::for_first(self.worth(won.into(), margin.into()));
        (
            value,
            (self.spec.worth.value != ValueKind::Win).then_some(won),
        )
    }

    /// Places a patch that was picked as rollouts do.
    fn settle(&mut self, position: &Position) -> State {
        let Position { mut state, picked } = *position;
        if let Some(patch) = picked {
            let player = &self.spec.rollout.player;
            let (rng, scratch) = (&mut self.rng, &mut self.scratch);
            let placement = player.place_patch(&self.setup, &state, patch, rng, scratch);
            // A patch is picked only where it fits.
            let placement = placement.unwrap_or_else(|| {
                let quilt = state.quilt(state.mover());
                Candidates::all(patch.patch().shape, quilt).nth(0)
            });
            state.play_unchecked(&self.setup, Action::Buy(patch, placement));
        }
        state
    }

    /// Plays one rollout from a state and gives its end, or where it was cut.
    #[inline]
    fn play_out(&mut self, state: State) -> State {
        let Playout { player, depth, .. } = &self.spec.rollout;
        let depth = depth.unwrap_or(u32::MAX);
        let (rng, scratch) = (&mut self.rng, &mut self.scratch);
        if self.spec.search.rule.rave.is_none() {
            return player.play_on(&self.setup, state, rng, scratch, depth, |_, _| ());
        }
        let made = &mut self.made;
        player.play_on(&self.setup, state, rng, scratch, depth, |state, action| {
            if let Action::Buy(patch, placement) = action {
                made[state.mover().index()][patch.index()] = Some(Some(placement));
            }
        })
    }
}

impl Model for PatchworkModel {
    type State = Position;
    type Action = Step;

    #[inline]
    fn is_over(&self, position: &Position) -> bool {
        position.state.is_over()
    }

    #[inline]
    fn mover(&self, position: &Position) -> Player {
        position.state.mover()
    }

    #[inline]
    fn play(&self, position: &mut Position, step: Step) {
        match step {
            Step::Pick(patch) => position.picked = Some(patch),
            Step::Play(action) => {
                position.state.play_unchecked(&self.setup, action);
                position.picked = None;
            }
        }
    }

    fn expand(&mut self, position: &Position, out: &mut Vec<(Step, f32)>) -> bool {
        let state = &position.state;
        self.placements.clear();
        let complete = if position.picked.is_some() || state.specials_waiting() > 0 {
            self.expand_placements(state, position.picked, out)
        } else if self.spec.expansion.steps == Steps::Two {
            self.expand_picks(state, out)
        } else {
            self.expand_actions(state, out)
        };
        if let Some(points) = self.spec.expansion.points {
            self.weigh_by_estimate(position, points, out);
        }
        complete
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Leaf {
        let state = &position.state;
        if state.is_over() {
            let (value, chance) = self.appraise(state);
            return Leaf {
                value,
                chance,
                winner: Some(state.outcome_unchecked().winner),
            };
        }
        let state = self.settle(position);
        let most = self.spec.endgame;
        let solved =
            position.picked.is_none() && most > 0 && endgame::spaces_left(&state) <= SOLVABLE;
        let winner = if solved {
            endgame::winner(&self.setup, &state, most)
        } else {
            None
        };
        if let Some(winner) = winner {
            return Leaf {
                value: Value::for_player(winner, 1.0),
                chance: None,
                winner: Some(winner),
            };
        }
        let end = self.play_out(state);
        let (mut value, chance) = self.appraise(&end);
        let weight = f64::from(self.spec.rollout.estimate);
        if weight > 0.0 {
            value = value.mixed(self.guess(&state), weight);
        }
        Leaf {
            value,
            chance,
            winner: None,
        }
    }

    fn estimate(&mut self, position: &Position) -> Value {
        let state = self.settle(position);
        if state.is_over() {
            return self.appraise(&state).0;
        }
        self.guess(&state)
    }

    fn key(&self, position: &Position) -> Option<u64> {
        // The patch picked is in the ring still: another position than without.
        let picked = position.picked.map_or(0, |patch| u64::from(patch.number()));
        Some(position.state.key() ^ picked.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn expand_more(&mut self, position: &Position, out: &mut Vec<(Step, f32)>) -> bool {
        let state = &position.state;
        match position.picked {
            None => {
                state.for_each_action(&self.setup, |action| out.push((Step::Play(action), 1.0)))
            }
            Some(patch) => {
                let quilt = state.quilt(state.mover());
                let all = Candidates::all(patch.patch().shape, quilt);
                let steps = all
                    .placements()
                    .map(|placement| Action::Buy(patch, placement));
                out.extend(steps.map(|action| (Step::Play(action), 1.0)));
            }
        }
        true
    }

    fn is_part(&self, step: Step) -> bool {
        matches!(step, Step::Pick(_))
    }

    fn forget_moves(&mut self) {
        self.made = [[None; PATCH_COUNT]; 2];
    }

    fn note_move(&mut self, player: Player, step: Step) {
        let made = &mut self.made[player.index()];
        match step {
            Step::Play(Action::Buy(patch, placement)) => {
                made[patch.index()] = Some(Some(placement));
            }
            Step::Pick(patch) => {
                let _ = made[patch.index()].get_or_insert(None);
            }
            Step::Play(_) => {}
        }
    }

    fn has_made(&self, player: Player, step: Step, over: Over) -> bool {
        let made = &self.made[player.index()];
        match step {
            Step::Pick(patch) => made[patch.index()].is_some(),
            Step::Play(Action::Buy(patch, placement)) => match over {
                Over::Patches => made[patch.index()].is_some(),
                Over::Placements => made[patch.index()] == Some(Some(placement)),
            },
            Step::Play(_) => false,
        }
    }
}

/// A player by tree search that keeps its tree from move to move.
pub struct MctsAgent {
    spec: MctsSpec,
    game: Option<Game>,
}

/// What the agent keeps during a game.
struct Game {
    team: Team,
    clock: Option<Clock>,
}

impl MctsAgent {
    /// A player with these settings.
    #[must_use]
    pub const fn new(spec: MctsSpec) -> Self {
        Self { spec, game: None }
    }
}

impl Agent for MctsAgent {
    fn start(&mut self, setup: &Setup, rng: Rng) {
        let clock = match self.spec.budget {
            Budget::GameTime(time) => Some(Clock::new(time)),
            _ => None,
        };
        match &mut self.game {
            // The memory of the last game's trees is used again.
            Some(game) => {
                game.team.restart(setup, rng);
                game.clock = clock;
            }
            None => {
                let team = Team::new(setup, self.spec, rng);
                self.game = Some(Game { team, clock });
            }
        }
    }

    fn decide(&mut self, setup: &Setup, state: &State, limit: Limit<'_>) -> Decision {
        let start = Instant::now();
        let Game { team, clock } = self.game.as_mut().expect(STARTED);
        let budget = match (limit.budget, &clock) {
            (Some(Budget::Depth(_)) | None, Some(clock)) => Budget::Time(clock.allot(state)),
            (Some(Budget::Depth(_)) | None, None) => self.spec.budget,
            (Some(budget), _) => budget,
        };
        if let Some(action) = self.spec.winning_action(setup, state, budget) {
            if let Some(clock) = clock {
                clock.spend(start.elapsed());
            }
            return Decision {
                action,
                thought: Thought {
                    value: Some(1.0),
                    proven: Some(true),
                    ..Thought::default()
                },
            };
        }
        let decision = team.decide(state, budget.less(start.elapsed()), limit.stop);
        if let Some(clock) = clock {
            clock.spend(start.elapsed());
        }
        decision
    }

    fn observe(&mut self, action: Action) {
        self.game.as_mut().expect(STARTED).team.advance(action);
    }
}

/// How many times the positions of a leaf's exact search the root's may take.
const ROOT_ENDGAME: u32 = 64;
