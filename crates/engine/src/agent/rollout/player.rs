//! A player that picks a patch by a formula and places it by a strategy, used for rollouts and by
//! the greedy agent.

use std::hint::select_unpredictable;
use std::sync::Arc;

use rand::distr::Bernoulli;
use rand::{RngExt as _, distr::Distribution as _};

use crate::agent::evaluation::equation1::{GAIN_UNIT, RANK_OF_ADVANCING, TIES, gain, ranks};
use crate::board::{
    BoardWork, CoverLanes, FindFits, PlacedShape, PortableFits, Quilt, ShapeId, with_best,
};
use crate::game::{Action, LAST_SPACE, PATCH_COUNT, PatchId, Placement, Setup, State};
use crate::placement::{Problem, Scratch, Strategy};
use crate::search::{Picker, PlayoutOption};
use crate::util::rng::{Rng, below};

/// A fast player: picks a patch by a formula and places it by a strategy.
#[derive(Clone, Debug)]
pub struct RolloutPlayer {
    /// Picks patches, or advancing.
    picker: Picker,
    /// The chance of a pick at random.
    at_random: Option<Bernoulli>,
    /// Whether other picks are by rank, unless a watcher weighs them: the greatest gain, and the nearest patch among
    /// equal ones.
    by_rank: bool,
    worths: Arc<Worths>,
    /// Places the patches.
    pub strategy: Strategy,
    /// Another strategy, used once the mover has reached this space.
    pub late: Option<(u8, Strategy)>,
    /// Whether placements inside the 7x7 area at the board's first corner are preferred to all
    /// others while the bonus is available.
    pub corner: bool,
}

/// The kind of advancing; that of buying a patch is its index.
pub(super) const ADVANCE_KIND: u16 = PATCH_COUNT as u16;

/// The slot of advancing, after those of the patches on offer.
const ADVANCE: u32 = 3;

/// Takes part in a rollout.
pub(crate) trait Watcher {
    /// Whether it changes the worth of options.
    const WEIGHS: bool;

    /// Changes the worth of the mover's options.
    #[inline(always)]
    fn weigh(&mut self, _picker: &Picker, _state: &State, _options: &mut [PlayoutOption]) {}

    /// Sees a state and the action there.
    #[inline(always)]
    fn watch(&mut self, _state: &State, _action: Action) {}
}

impl Watcher for () {
    const WEIGHS: bool = false;
}

/// Keeps the last action.
impl Watcher for Option<Action> {
    const WEIGHS: bool = false;

    #[inline(always)]
    fn watch(&mut self, _: &State, action: Action) {
        *self = Some(action);
    }
}

/// The squares outside the 7x7 area at the board's first corner.
const OUTSIDE_CORNER: Quilt = Quilt::column(7)
    .union(Quilt::column(8))
    .union(Quilt::row(7))
    .union(Quilt::row(8));

impl RolloutPlayer {
    /// A player with one strategy for the whole game.
    pub fn new(picker: Picker, strategy: Strategy) -> Self {
        let chance = |chance| Bernoulli::new(chance).expect("a probability");
        Self {
            picker,
            at_random: picker.at_random.map(chance),
            by_rank: picker.temperature == 0.0,
            worths: Arc::new(worths(picker)),
            strategy,
            late: None,
            corner: false,
        }
    }

    /// Chooses an action in an unfinished state, without allocating.
    #[inline]
    pub fn action(
        &self,
        setup: &Setup,
        state: &State,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Action {
        let mut played = None;
        self.play_on(setup, *state, rng, scratch, 1, &mut played);
        played.expect("the state is unfinished")
    }

    /// Places a patch that the mover buys, or returns `None` if it does not fit.
    #[inline]
    pub(crate) fn place_patch(
        &self,
        setup: &Setup,
        state: &State,
        patch: PatchId,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Option<Placement> {
        let shape = patch.patch().shape;
        let fit = self.place::<PortableFits>((setup, state, shape), rng, scratch)?;
        Some(Placement::inside(fit.orientation, fit.anchor))
    }

    #[inline(always)]
    fn place<F: FindFits>(
        &self,
        (setup, state, shape): (&Setup, &State, ShapeId),
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> Option<PlacedShape> {
        let strategy = match &self.late {
            Some((from, late)) if state.space(state.mover()) >= *from => late,
            _ => &self.strategy,
        };
        if self.corner && state.bonus().is_none() {
            let state = *state;
            let inside = Problem::in_game(setup, &state, shape).avoiding(OUTSIDE_CORNER);
            if let Some(fit) = strategy.choose_fit(&inside, rng, scratch) {
                return Some(fit);
            }
        }
        strategy.fit::<F>((setup, state, shape), rng, scratch)
    }

    /// One of the slots that are left, by the worths of the patches on offer.
    #[inline(always)]
    fn pick<W: Watcher>(
        &self,
        state: &State,
        (patches, left): (&[PatchId], u32),
        rng: &mut Rng,
        watcher: &mut W,
    ) -> u32 {
        let (picker, space) = (&self.picker, state.space(state.mover()));
        if !W::WEIGHS && self.by_rank {
            let (ranks, mut best) = (ranks(space), RANK_OF_ADVANCING);
            for (slot, patch) in (0..ADVANCE).zip(patches) {
                let rank = ranks[patch.entry()] + (ADVANCE - slot) as i16;
                let is_left = left >> slot & 1 == 1;
                best = best.max(select_unpredictable(is_left, rank, i16::MIN));
            }
            return ADVANCE - best.rem_euclid(TIES) as u32;
        }
        let row = &self.worths[usize::from(space)];
        let mut options = [PlayoutOption {
            kind: ADVANCE_KIND,
            worth: picker.no_gain(),
        }; 4];
        let mut count = 0;
        for (_, patch) in (0..).zip(patches).filter(|(slot, _)| left >> slot & 1 == 1) {
            let index = patch.index();
            (options[count].kind, options[count].worth) = (index as u16, row[index]);
            count += 1;
        }
        let options = &mut options[..=count];
        watcher.weigh(picker, state, options);
        nth_slot(left, picker.draw(options, || rng.random()) as u32)
    }

    /// Plays a game to its end and returns the final state, without allocating.
    pub fn play_out(
        &self,
        setup: &Setup,
        state: State,
        rng: &mut Rng,
        scratch: &mut Scratch,
    ) -> State {
        self.play_on(setup, state, rng, scratch, u32::MAX, &mut ())
    }

    /// Plays at most `most_plies` plies and returns the last state, without allocating.
    #[inline]
    pub(crate) fn play_on(
        &self,
        setup: &Setup,
        state: State,
        rng: &mut Rng,
        scratch: &mut Scratch,
        most_plies: u32,
        watcher: &mut impl Watcher,
    ) -> State {
        with_best(Rollout {
            player: self,
            setup,
            state,
            rng,
            scratch,
            most_plies,
            watcher,
        })
    }
}

/// A rollout that is to be played.
struct Rollout<'a, W> {
    player: &'a RolloutPlayer,
    setup: &'a Setup,
    state: State,
    rng: &'a mut Rng,
    scratch: &'a mut Scratch,
    most_plies: u32,
    watcher: &'a mut W,
}

impl<W: Watcher> BoardWork for Rollout<'_, W> {
    type Result = State;

    #[inline(always)]
    fn run<F: FindFits, L: CoverLanes<N>, const N: usize>(self) -> State {
        let Self {
            player,
            setup,
            mut state,
            rng,
            scratch,
            most_plies,
            watcher,
        } = self;
        'plies: for _ in 0..most_plies {
            if state.specials_waiting() > 0 {
                let single = (setup, &state, ShapeId::SINGLE);
                let fit = player.place::<F>(single, rng, scratch);
                let action = fit.map_or(Action::Advance, |fit| Action::Special(fit.anchor));
                watcher.watch(&state, action);
                state.play_unchecked(setup, action);
                continue;
            }
            if state.is_over() {
                break;
            }
            let (patches, affordable) = state.offered(setup);
            let mut left = affordable | 1 << ADVANCE;
            let at_random = player.at_random.is_some_and(|chance| chance.sample(rng));
            // A patch that does not fit is removed and another one is picked.
            loop {
                let slot = match at_random {
                    true => nth_slot(left, below(left.count_ones(), rng)),
                    false => player.pick(&state, (&patches, left), rng, watcher),
                };
                let Some(&patch) = patches.get(slot as usize) else {
                    watcher.watch(&state, Action::Advance);
                    state.play_unchecked(setup, Action::Advance);
                    continue 'plies;
                };
                let shape = patch.patch().shape;
                if let Some(fit) = player.place::<F>((setup, &state, shape), rng, scratch) {
                    let placement = Placement::inside(fit.orientation, fit.anchor);
                    watcher.watch(&state, Action::Buy(patch, placement));
                    state.buy(setup, patch, fit.squares);
                    continue 'plies;
                }
                left &= !(1 << slot);
            }
        }
        state
    }
}

/// The slot with this rank among those that are left, without branches.
#[inline(always)]
fn nth_slot(left: u32, rank: u32) -> u32 {
    let mut rests = [left as u8; 4];
    for i in 1..4 {
        rests[i] = rests[i - 1] & rests[i - 1].wrapping_sub(1);
    }
    (u32::from_le_bytes(rests) >> (8 * rank)).trailing_zeros()
}

/// What each patch is worth to a pick, by the space of the mover.
type Worths = [[f32; PATCH_COUNT]; LAST_SPACE as usize];

/// The gains are those above advancing.
fn worths(picker: Picker) -> Worths {
    let mut worths = [[0.0; PATCH_COUNT]; LAST_SPACE as usize];
    for (space, row) in (0..).zip(&mut worths) {
        for patch in PatchId::all() {
            let gain = gain(patch, space) - GAIN_UNIT;
            row[patch.index()] = picker.worth(gain.into(), GAIN_UNIT.into());
        }
    }
    worths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Instructions;
    use crate::testing::setup_and_rng;

    /// With the best ones they are those of the plain loop in `tests/rollouts.rs`.
    #[test]
    fn rollouts_are_the_same_with_all_instructions() {
        let pickers = [
            Picker::GREEDY,
            Picker::epsilon_greedy(0.3),
            Picker::softmax(5.0),
        ];
        let strategies = ["in-order/some/first", "all/every/random", "bl/some/first"];
        let strategies = strategies.map(|text| text.parse::<Strategy>().expect("known"));
        for seed in 0..108 {
            let of_three = |power| seed as usize / 3_usize.pow(power) % 3;
            let (setup, rng) = setup_and_rng(seed);
            let mut player = RolloutPlayer::new(pickers[of_three(0)], strategies[of_three(1)]);
            player.late = (seed % 2 == 0).then_some((30, strategies[of_three(2)]));
            player.corner = seed > 80;
            let ends = Instructions::available().into_iter().map(|instructions| {
                let mut rng = rng.clone();
                let end = instructions.run(Rollout {
                    player: &player,
                    setup: &setup,
                    state: State::new(&setup),
                    rng: &mut rng,
                    scratch: &mut Scratch::default(),
                    most_plies: u32::MAX,
                    watcher: &mut (),
                });
                (end, rng)
            });
            let ends: Vec<_> = ends.collect();
            assert!(ends.iter().all(|end| *end == ends[0]), "{seed}");
        }
    }
}
