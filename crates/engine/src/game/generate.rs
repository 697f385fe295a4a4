//! The legal actions of a position: all of them, their number, one by its number, or one at random.

use std::hint::select_unpredictable;

use super::action::{Action, Placement};
use super::patch::PatchId;
use super::setup::Setup;
use super::state::{MAX_OFFERS, State};
use crate::board::{BoardWork, CoverLanes, FindFits, Fits, Quilt, Split, Square, Words, with_best};
use crate::util::rng::{Rng, below};

/// The legal actions of a position, numbered from 0 in the order of [`State::for_each_action`].
#[derive(Debug, Default)]
pub struct NumberedActions {
    /// The free squares, if a special patch must be placed; otherwise empty.
    special: Quilt,
    /// The numbers of the patches on offer.
    patches: [u8; MAX_OFFERS],
    /// The number of placements of each of them, and where it fits: nowhere if it cannot be afforded.
    placements: [u16; MAX_OFFERS],
    fits: [Fits; MAX_OFFERS],
    count: u32,
}

impl NumberedActions {
    /// The number of legal actions; 0 when the game is over.
    #[inline]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// The action with this number, if there are that many.
    #[inline]
    pub fn action(&self, number: u32) -> Option<Action> {
        if number >= self.count {
            return None;
        }
        if !self.special.is_empty() {
            return Some(Action::Special(Split::new(self.special).nth(number)));
        }
        let Some(rank) = number.checked_sub(1) else {
            return Some(Action::Advance);
        };
        // Without branches: ranks cannot be predicted.
        let [first, second, _] = self.placements.map(u32::from);
        let place = usize::from(rank >= first) + usize::from(rank >= first + second);
        let before = [0, first, first + second][place];
        let (orientation, anchor) = self.fits[place].nth(rank - before);
        let placement = Placement::inside(orientation, anchor);
        Some(Action::Buy(PatchId::new(self.patches[place])?, placement))
    }

    /// The number of an action, if it is legal.
    #[inline]
    pub fn number(&self, action: Action) -> Option<u32> {
        let rank = |squares: Quilt, square: Square| {
            let before = (1 << square.index()) - 1;
            squares
                .contains(square)
                .then(|| (squares.bits() & before).count_ones())
        };
        match action {
            Action::Special(square) => rank(self.special, square),
            _ if self.count == 0 || !self.special.is_empty() => None,
            Action::Advance => Some(0),
            Action::Buy(bought, placement) => {
                let place = self
                    .patches
                    .iter()
                    .position(|&one| one == bought.number())?;
                let patches = self.placements[..place].iter().copied();
                let orientation = usize::from(placement.orientation());
                let counts = self.fits[place].counts();
                let counts = counts.get(..orientation)?.iter().copied();
                let before = patches.chain(counts.map(u16::from)).sum::<u16>();
                let anchors = self.fits[place].anchors(orientation).squares();
                Some(1 + u32::from(before) + rank(anchors, placement.anchor())?)
            }
        }
    }

    /// Replaces the actions by those of a position. Not inlined, so that it is always compiled for speed.
    pub fn find(&mut self, state: &State, setup: &Setup) {
        with_best(FindActions(self, state, setup));
    }
}

/// Replaces the actions by those of a position.
pub(crate) struct FindActions<'a>(
    pub(crate) &'a mut NumberedActions,
    pub(crate) &'a State,
    pub(crate) &'a Setup,
);

impl BoardWork for FindActions<'_> {
    type Result = ();

    #[inline(always)]
    fn run<F: FindFits, L: CoverLanes<N>, const N: usize>(self) {
        let Self(actions, state, setup) = self;
        (actions.special, actions.count) = (Quilt::EMPTY, u32::from(!state.is_over()));
        if state.specials_waiting() > 0 {
            actions.special = state.quilt(state.mover()).complement();
            actions.count = actions.special.len();
        }
        if state.is_over() || state.specials_waiting() > 0 {
            return;
        }
        let (free, (patches, affordable)) = (state.free_words().0, state.offered(setup));
        for (place, patch) in patches.into_iter().enumerate() {
            // Without branches: who can afford what cannot be predicted.
            let free = free.map(|half| select_unpredictable(affordable >> place & 1 == 1, half, 0));
            actions.fits[place] = F::all(patch.patch().shape, Words(free));
            let placements = actions.fits[place].len();
            actions.patches[place] = patch.number();
            actions.placements[place] = placements as u16;
            actions.count += placements;
        }
    }
}

/// Counts the legal actions of a position as the paper does.
struct PapersCount<'a>(&'a State, &'a Setup);

impl BoardWork for PapersCount<'_> {
    type Result = Option<u32>;

    #[inline(always)]
    fn run<F: FindFits, L: CoverLanes<N>, const N: usize>(self) -> Option<u32> {
        let Self(state, setup) = self;
        let patch = setup.patch_at(state.offers().last()?).patch();
        Some(F::all(patch.shape, state.free_words()).len())
    }
}

/// Adds up the counts of the positions of a game as the paper does, by the mover, while these actions are played.
pub(crate) struct PapersCounts<'a, A>(pub(crate) &'a Setup, pub(crate) A);

impl<A: Iterator<Item = Action>> BoardWork for PapersCounts<'_, A> {
    type Result = [(f64, f64); 2];

    #[inline(always)]
    fn run<F: FindFits, L: CoverLanes<N>, const N: usize>(self) -> Self::Result {
        let Self(setup, actions) = self;
        let mut sums = [(0.0, 0.0); 2];
        let mut state = State::new(setup);
        for action in actions {
            if let Some(placements) = PapersCount(&state, setup).run::<F, L, N>() {
                let (total, count) = &mut sums[state.mover().index()];
                *total += f64::from(placements);
                *count += 1.0;
            }
            state.play_unchecked(setup, action);
        }
        sums
    }
}

/// Draws one of the actions of a position.
struct DrawAction<'a>(&'a State, &'a Setup, &'a mut Rng);

impl BoardWork for DrawAction<'_> {
    type Result = Action;

    #[inline(always)]
    fn run<F: FindFits, L: CoverLanes<N>, const N: usize>(self) -> Action {
        let Self(state, setup, rng) = self;
        let mut actions = NumberedActions::default();
        FindActions(&mut actions, state, setup).run::<F, L, N>();
        let number = match actions.count {
            0 => panic!("a finished game has no actions"),
            // Where advancing is all there is, nothing is drawn.
            1 if actions.special.is_empty() => 0,
            count if actions.special.is_empty() => {
                let next = below(count, rng) + 1;
                if next < count { next } else { 0 }
            }
            count => below(count, rng),
        };
        actions.action(number).expect("there are that many actions")
    }
}

impl State {
    /// The legal actions as the paper counts them: the number of placements of the last patch on offer, whether or not the
    /// mover can pay for it; `None` without an offer.
    pub fn papers_count(&self, setup: &Setup) -> Option<u32> {
        with_best(PapersCount(self, setup))
    }

    /// The legal actions by number.
    #[inline]
    pub fn numbered_actions(&self, setup: &Setup) -> NumberedActions {
        let mut actions = NumberedActions::default();
        actions.find(self, setup);
        actions
    }

    /// Calls `visit` once with every legal action: advancing, then the patches on offer, nearest first, by
    /// orientation and anchor; or the free squares for a special patch.
    pub fn for_each_action(&self, setup: &Setup, mut visit: impl FnMut(Action)) {
        if self.is_over() {
            return;
        }
        if self.specials_waiting() > 0 {
            let free = self.quilt(self.mover()).complement();
            free.squares().for_each(|s| visit(Action::Special(s)));
            return;
        }
        visit(Action::Advance);
        let free = self.free_words();
        for patch in self.affordable(setup) {
            for placement in Placement::all(patch.patch().shape(), free) {
                visit(Action::Buy(patch, placement));
            }
        }
    }

    /// All legal actions, in the order of [`Self::for_each_action`].
    pub fn legal_actions(&self, setup: &Setup) -> Vec<Action> {
        let mut actions = Vec::new();
        self.for_each_action(setup, |action| actions.push(action));
        actions
    }

    /// Number of legal actions.
    pub fn count_actions(&self, setup: &Setup) -> u32 {
        self.numbered_actions(setup).count()
    }

    /// A uniformly random legal action.
    ///
    /// # Panics
    /// When the game is over.
    pub fn random_action(&self, setup: &Setup, rng: &mut Rng) -> Action {
        with_best(DrawAction(self, setup, rng))
    }
}

/// Number of sequences of exactly `depth` legal actions from this state: perft, the usual check of an action generator.
pub fn perft(setup: &Setup, state: &State, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(state.count_actions(setup)),
        _ => {
            let mut total = 0;
            state.for_each_action(setup, |action| {
                let mut next = *state;
                next.play_unchecked(setup, action);
                total += perft(setup, &next, depth - 1);
            });
            total
        }
    }
}
