//! The model of Patchwork for the tree search.

use std::collections::HashMap;

use rand::RngExt as _;

use super::known_margins::KnownMargins;
use super::position::{Step, TreePosition};
use super::purchases::{Purchases, Watchers};
use super::settings::{MctsSettings, Over, Prior, Steps};
use crate::agent::evaluation::endgame::Endgame;
use crate::agent::evaluation::equation1::{GAIN_UNIT, by_gain};
use crate::agent::evaluation::estimator::Estimator;
use crate::agent::evaluation::position_estimate::win_chance;
use crate::agent::evaluation::result_scoring::{ResultScoring, ValueKind};
use crate::agent::rollout::learner::Learner;
use crate::agent::rollout::player::RolloutPlayer;
use crate::agent::rollout::ranked_actions::{Breadth, RankedActions};
use crate::agent::rollout::rankings::Rankings;
use crate::agent::rollout::workspace::Workspace;
use crate::game::{Action, PatchId, Placement, Player, Setup, State};
use crate::placement::{Candidates, Problem};
use crate::search::{GameRules, Guidance, Leaf, MoveSet, Side, Value};
use crate::util::rng::Rng;

/// The search model of one game, with its strategies and its random number stream.
#[derive(Debug)]
pub struct PatchworkModel {
    setup: Setup,
    settings: MctsSettings,
    breadth: Breadth,
    player: RolloutPlayer,
    learner: Option<Learner>,
    has_rave: bool,
    worth: ResultScoring,
    endgame: Option<Endgame>,
    work: Workspace,
    list: RankedActions,
    margins: Vec<f32>,
    /// Weights by rank, computed as needed.
    discounts: Vec<f32>,
    purchases: Purchases,
    estimator: Estimator,
    known_margins: KnownMargins,
    /// The priors of the actions in a state, from outside.
    pub(super) given: Option<(State, HashMap<Action, f32>)>,
}

impl PatchworkModel {
    /// The model for games on this setup.
    pub fn new(setup: Setup, settings: MctsSettings, estimator: Estimator, rng: Rng) -> Self {
        let rave = settings.search.rave;
        let select = settings.tree_search().select;
        Self {
            setup,
            breadth: settings.expansion.breadth(),
            player: settings.rollout.player(),
            learner: Learner::of(&settings.rollout, &select),
            has_rave: select.part().learn.is_some(),
            worth: settings.search.worth(),
            endgame: settings.search.exact_search(),
            work: Workspace::new(rng),
            list: RankedActions::default(),
            margins: Vec::new(),
            discounts: Vec::new(),
            purchases: Purchases::new(rave.map_or(Over::Placements, |rave| rave.over)),
            estimator,
            known_margins: KnownMargins::new(),
            given: None,
            settings,
        }
    }

    /// Makes it the model for another game, with the same decisions as a new one. What the estimator and the strategy
    /// know of quilts is kept, as it holds in every game, and on the same setup what is known of positions.
    pub(super) fn restart(&mut self, setup: &Setup, rng: Rng) {
        let same_setup = self.setup == *setup;
        if !same_setup {
            self.setup = setup.clone();
            self.known_margins.clear();
        }
        self.work.restart(rng, same_setup);
        self.learner.iter_mut().for_each(Learner::clear);
        self.purchases.clear();
        self.given = None;
    }

    /// Shares what is remembered of placements with the models of other threads; the first one gives it.
    pub(super) fn share(&mut self, rankings: &mut Option<Rankings>) {
        let own = &mut self.work.rankings;
        *own = rankings.get_or_insert_with(|| own.clone()).clone();
    }

    /// The ring and the track.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The random number stream.
    pub const fn rng(&self) -> &Rng {
        &self.work.rng
    }

    fn prior(&self) -> Prior {
        self.settings.expansion.prior()
    }

    /// The prior weight of a gain; the weight of advancing is 1.
    fn weight(&self, gain: i16) -> f32 {
        if gain == GAIN_UNIT {
            return 1.0;
        }
        let unit = f32::from(GAIN_UNIT) * self.prior().temperature as f32;
        libm::expf((f32::from(gain - GAIN_UNIT) / unit).clamp(-30.0, 30.0))
    }

    /// The prior weight of a placement's rank; the first has weight 1.
    #[inline]
    fn discount(&mut self, rank: usize) -> f32 {
        match self.discounts.get(rank) {
            Some(&discount) => discount,
            None => self.next_discounts(rank),
        }
    }

    #[cold]
    #[inline(never)]
    fn next_discounts(&mut self, rank: usize) -> f32 {
        let decay = self.prior().decay as f32;
        let known = self.discounts.len();
        let more = (known..=rank).map(|rank| libm::powf(1.0 + rank as f32, -decay));
        self.discounts.extend(more);
        self.discounts[rank]
    }

    /// The placements of the picked patch.
    fn expand_placements(
        &mut self,
        state: &State,
        patch: PatchId,
        out: &mut Vec<(Step, f32)>,
    ) -> bool {
        let problem = Problem::patch(&self.setup, state, patch);
        let count = self.list.rank_one(&problem, &self.breadth, &mut self.work);
        for rank in 0..count {
            let action = Action::Buy(patch, self.list.placement(rank));
            out.push((Step::Play(action), self.discount(rank)));
        }
        self.list.is_complete()
    }

    /// Advancing and the patches that fit, in order of gain.
    fn expand_picks(&self, state: &State, out: &mut Vec<(Step, f32)>) -> bool {
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

    /// The best placement of each patch and advancing in order of gain (the paper's equation 1),
    /// then the second-best placements, and so on.
    fn expand_actions(&mut self, state: &State, out: &mut Vec<(Step, f32)>) -> bool {
        self.list.start(&self.setup, state);
        let weights = self.list.gains().map(|gain| self.weight(gain));
        // The weights of the current rank.
        let (mut at, mut discounted) = (0, weights);
        loop {
            let next = self
                .list
                .next_ranked(&self.setup, state, &self.breadth, &mut self.work);
            let Some((action, rank, slot)) = next else {
                return self.list.is_complete();
            };
            if rank != at {
                let discount = self.discount(rank);
                (at, discounted) = (rank, weights.map(|weight| weight * discount));
            }
            out.push((Step::Play(action), discounted[slot]));
        }
    }

    /// Multiplies each weight by a factor based on the position estimate after the action, or after the first placement
    /// of its patch.
    fn weigh_by_estimate(&mut self, position: &TreePosition, points: f32, out: &mut [(Step, f32)]) {
        let shared = self.prior().shared();
        let sign = match position.state.mover() {
            Player::First => 1.0,
            Player::Second => -1.0,
        };
        let mut most = f32::NEG_INFINITY;
        self.margins.clear();
        let mut after = None;
        for (i, &(step, _)) in out.iter().enumerate() {
            let is_same = |one: &(Step, f32)| one.0.kind() == step.kind();
            if shared && let Some(first) = out[..i].iter().position(is_same) {
                self.margins.push(self.margins[first]);
                continue;
            }
            let mut next = *position;
            self.play(&mut next, step);
            if next.picked.is_some() {
                next.state = self.settle(&next);
            }
            let estimator = &mut self.estimator;
            let setup = &self.setup;
            let known = &mut self.known_margins;
            let margin = known.margin(&next.state, || {
                estimator.margin_after(&position.state, &mut after, setup, &next.state)
            });
            let margin = sign * margin;
            most = most.max(margin);
            self.margins.push(margin);
        }
        for ((_, weight), margin) in out.iter_mut().zip(&self.margins) {
            *weight *= libm::expf(((margin - most) / points).max(-30.0));
        }
    }

    fn worth(&self, won: f64, margin: f64) -> f64 {
        self.worth.of(won, margin)
    }

    /// The expected final margin of the first player.
    #[inline]
    fn margin(&mut self, state: &State) -> f32 {
        let (estimator, setup) = (&mut self.estimator, &self.setup);
        self.known_margins
            .margin(state, || estimator.margin(setup, state))
    }

    /// The value of a position according to the position estimate.
    fn guess(&mut self, state: &State) -> Value {
        let margin = self.margin(state);
        let won = if self.worth.counts_wins() {
            win_chance(margin, state)
        } else {
            0.5
        };
        Value::for_first(self.worth(won.into(), margin.into()))
    }

    /// The value of the final state of a rollout, the first player's win probability where it
    /// differs from that value, and the margin.
    fn appraise(&mut self, end: &State) -> (Value, Option<Value>, f32) {
        let (won, margin) = if end.is_over() {
            let outcome = end.outcome_unchecked();
            let won = u8::from(outcome.winner == Player::First);
            (f32::from(won), f32::from(outcome.margin(Player::First)))
        } else {
            let margin = self.margin(end);
            (win_chance(margin, end), margin)
        };
        let value = Value::for_first(self.worth(won.into(), margin.into()));
        let chance = (self.worth.value != ValueKind::Win).then(|| Value::for_first(won.into()));
        (value, chance, margin)
    }

    /// The state after the picked patch, if any, is placed by the rollout policy.
    fn settle(&mut self, position: &TreePosition) -> State {
        let TreePosition { mut state, picked } = *position;
        if let Some(patch) = picked {
            let Workspace { rng, scratch, .. } = &mut self.work;
            let player = &self.player;
            let placement = player.place_patch(&self.setup, &state, patch, rng, scratch);
            // Only patches that fit are picked.
            let placement = placement.unwrap_or_else(|| first_placement(&state, patch));
            state.play_unchecked(&self.setup, Action::Buy(patch, placement));
        }
        state
    }

    /// Plays one rollout from a state and returns the final state, or the state where it was cut
    /// off.
    #[inline]
    fn play_out(&mut self, state: State) -> State {
        let player = &self.player;
        let depth = self.settings.rollout.most_plies();
        let Workspace { rng, scratch, .. } = &mut self.work;
        let setup = &self.setup;
        match &mut self.learner {
            None if !self.has_rave => player.play_on(setup, state, rng, scratch, depth, &mut ()),
            Some(learner) if !self.has_rave => {
                player.play_on(setup, state, rng, scratch, depth, learner)
            }
            learner => {
                let mut watchers = Watchers {
                    learner: learner.as_mut(),
                    purchases: &mut self.purchases,
                };
                player.play_on(setup, state, rng, scratch, depth, &mut watchers)
            }
        }
    }
}

/// The first legal placement of a patch that fits.
pub(super) fn first_placement(state: &State, patch: PatchId) -> Placement {
    let quilt = state.quilt(state.mover());
    Candidates::all(patch.patch().shape, quilt).nth(0)
}

impl GameRules for PatchworkModel {
    type Position = TreePosition;
    type Action = Step;

    #[inline]
    fn is_over(&self, position: &TreePosition) -> bool {
        position.state.is_over()
    }

    #[inline]
    fn mover(&self, position: &TreePosition) -> Side {
        position.state.mover().into()
    }

    #[inline]
    fn play(&self, position: &mut TreePosition, step: Step) {
        match step {
            Step::Pick(patch) => position.picked = Some(patch),
            Step::Play(action) => {
                position.state.play_unchecked(&self.setup, action);
                position.picked = None;
            }
        }
    }

    fn key(&self, position: &TreePosition) -> Option<u64> {
        // A picked patch is still in the ring, but the position must hash differently from the one
        // before the pick.
        let picked = position.picked.map_or(0, |patch| u64::from(patch.number()));
        Some(position.state.key() ^ picked.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn is_part(&self, step: Step) -> bool {
        matches!(step, Step::Pick(_))
    }
}

impl Guidance for PatchworkModel {
    fn expand(&mut self, position: &TreePosition, out: &mut Vec<(Step, f32)>) -> bool {
        let state = &position.state;
        let in_two_steps =
            self.settings.expansion.steps() == Steps::Two && state.specials_waiting() == 0;
        if let Some((_, priors)) = self.given.take_if(|(given, _)| given == state) {
            if in_two_steps && position.picked.is_none() {
                self.expand_picks(state, out);
            } else {
                self.expand_more(position, out);
            }
            let prior = |action: Action| priors.get(&action).copied().unwrap_or(0.0);
            for (step, weight) in out {
                *weight = match *step {
                    Step::Play(action) => prior(action),
                    Step::Pick(patch) => {
                        let quilt = state.quilt(state.mover());
                        let all = Candidates::all(patch.patch().shape, quilt);
                        let placements = all.placements();
                        placements.map(|one| prior(Action::Buy(patch, one))).sum()
                    }
                };
            }
            self.given = Some((*state, priors));
            return true;
        }
        let complete = if let Some(patch) = position.picked {
            self.expand_placements(state, patch, out)
        } else if in_two_steps {
            self.expand_picks(state, out)
        } else {
            self.expand_actions(state, out)
        };
        if let Some(points) = self.prior().points {
            self.weigh_by_estimate(position, points as f32, out);
        }
        complete
    }

    #[inline]
    fn evaluate(&mut self, position: &TreePosition) -> Leaf {
        let state = &position.state;
        if state.is_over() {
            let (value, chance, _) = self.appraise(state);
            return Leaf {
                value,
                chance,
                winner: Some(state.outcome_unchecked().winner.into()),
            };
        }
        let state = self.settle(position);
        if let Some(endgame) = self.endgame.filter(|_| position.picked.is_none())
            && let Some(winner) = endgame.first_look(&self.setup, &state)
        {
            return Leaf::won_by(winner.into());
        }
        let end = self.play_out(state);
        let (mut value, chance, margin) = self.appraise(&end);
        if let Some(learner) = &mut self.learner {
            learner.observe(value, margin);
        }
        let weight = f64::from(self.settings.rollout.estimate() as f32);
        if weight > 0.0 {
            value = value.mixed(self.guess(&state), weight);
        }
        Leaf {
            value,
            chance,
            winner: None,
        }
    }

    #[inline]
    fn follow<'a>(&mut self, goes_on: bool, steps: impl Iterator<Item = (&'a TreePosition, Step)>) {
        if let Some(learner) = &mut self.learner {
            // With two steps, the first one is the purchase.
            let whole = steps.filter(|(position, _)| position.picked.is_none());
            let moves = whole.map(|(position, step)| (&position.state, step.kind()));
            learner.follow(goes_on, moves);
        }
    }

    fn recall(&mut self, position: &TreePosition, step: Step) -> [f32; 2] {
        let learner = self.learner.as_mut();
        let learner = learner.filter(|_| position.picked.is_none());
        learner.map_or([0.0; 2], |it| it.recall(&position.state, step.kind()))
    }

    fn advance(&mut self, step: Step) {
        if let (Some(learner), Step::Play(_)) = (&mut self.learner, step) {
            learner.advance(step.kind());
        }
    }

    fn seed(&mut self) -> u64 {
        self.work.rng.random()
    }

    fn evaluates_by_estimate(&self) -> bool {
        // With two steps, the strategy of rollouts places the picked patch, perhaps at random.
        self.settings.rollout.depth == Some(0) && self.settings.expansion.steps() == Steps::One
    }

    fn prove(&mut self, position: &TreePosition) -> Option<Side> {
        let endgame = self.endgame.filter(|_| position.picked.is_none())?;
        let winner = endgame.second_look(&self.setup, &position.state)?;
        Some(winner.into())
    }

    fn estimate(&mut self, position: &TreePosition) -> Value {
        let state = self.settle(position);
        if state.is_over() {
            return self.appraise(&state).0;
        }
        self.guess(&state)
    }

    fn expand_more(&mut self, position: &TreePosition, out: &mut Vec<(Step, f32)>) -> bool {
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

    fn moves(&mut self) -> Option<&mut dyn MoveSet<Step>> {
        Some(&mut self.purchases)
    }
}
