//! The legal actions of a position: all of them, their number, one by its number, or one at random.

use super::action::{Action, Placement};
use super::patch::PatchId;
use super::setup::Setup;
use super::state::{MAX_OFFERS, State};
use crate::board::{BoardWork, CoverLanes, FindFits, Fits, Quilt, Split, Square, with_best};
use crate::util::rng::{Rng, below};

/// The legal actions of a position, numbered from 0 in the order of [`State::for_each_action`].
#[derive(Debug, Default)]
pub struct NumberedActions {
    /// The free squares, if a special patch must be placed; otherwise empty.
    special: Quilt,
    /// The numbers of the affordable patches.
    patches: [u8; MAX_OFFERS],
    /// The number of placements of each of them, and where it fits.
    placements: [u16; MAX_OFFERS],
    fits: [Fits; MAX_OFFERS],
    affordable: usize,
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
        // Without branches: ranks cannot be predicted. They are below the count, so patches that cannot be afforded are
        // never reached.
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
            Action::Advance => (self.count > 0 && self.special.is_empty()).then_some(0),
            Action::Buy(bought, placement) => {
                let mut number = 1;
                for (patch, placements, fits) in self.affordable() {
                    if patch != bought.number() {
                        number += placements;
                        continue;
                    }
                    let orientation = usize::from(placement.orientation());
                    let counts = fits.counts();
                    let before = counts.get(..orientation)?;
                    number += before.iter().map(|&count| u32::from(count)).sum::<u32>();
                    let anchors = fits.anchors(orientation).squares();
                    return Some(number + rank(anchors, placement.anchor())?);
                }
                None
            }
        }
    }

    /// The number of each affordable patch, of its placements, and where it fits.
    fn affordable(&self) -> impl Iterator<Item = (u8, u32, &Fits)> {
        let placements = self.placements.map(u32::from);
        let patches = self.patches.into_iter().take(self.affordable);
        let fits = patches.zip(placements).zip(&self.fits);
        fits.map(|((patch, placements), fits)| (patch, placements, fits))
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
        (actions.special, actions.affordable, actions.count) = (Quilt::EMPTY, 0, 0);
        if state.specials_waiting() > 0 {
            actions.special = state.quilt(state.mover()).complement();
            actions.count = actions.special.len();
            return;
        } else if state.is_over() {
            return;
        }
        actions.count = 1;
        let free = state.free_words();
        for (place, patch) in state.affordable(setup).take(MAX_OFFERS).enumerate() {
            actions.fits[place] = F::all(patch.patch().shape, free);
            let placements = actions.fits[place].len();
            actions.patches[place] = patch.number();
            actions.placements[place] = placements as u16;
            actions.affordable = place + 1;
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
        let actions = self.numbered_actions(setup);
        let number = match actions.count {
            0 => panic!("a finished game has no actions"),
            // Where advancing is all there is, nothing is drawn.
            1 if actions.special.is_empty() => 0,
            count if actions.special.is_empty() => (below(count, rng) + 1) % count,
            count => below(count, rng),
        };
        actions.action(number).expect("there are that many actions")
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
