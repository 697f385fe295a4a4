//! Positions, and how actions change them.

use std::hint::select_unpredictable;

use super::action::{Action, IllegalAction};
use super::patch::{PATCH_COUNT, PatchId};
use super::player::Player;
use super::setup::Setup;
use super::track::{LAST_SPACE, SPECIAL_COUNT, crossed, incomes_crossed};
use crate::board::{Quilt, SQUARES, Words};

/// The number of patches on offer, as long as the ring has as many.
pub(super) const MAX_OFFERS: usize = 3;

/// Points for the first completely filled 7x7 area.
pub const BONUS_7X7: i16 = 7;

/// No game has more plies: every turn moves a token by at least one space, and at most 5 plies place special
/// patches.
pub const MAX_PLIES: usize = 2 * LAST_SPACE as usize + SPECIAL_COUNT;

/// The buttons of each player at the start; the second player has the komi in addition.
const FIRST_BUTTONS: u16 = 5;
const RING_MASK: u64 = (1 << PATCH_COUNT) - 1;

/// The outcome of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Outcome {
    /// The player with more points, or with equal points the one who reached space 53 first.
    pub winner: Player,
    /// Points by [`Player::index`].
    pub scores: [i16; 2],
    /// The player who filled a 7x7 area first. Not written here, as a written position says it.
    #[serde(skip)]
    pub bonus: Option<Player>,
}

impl Outcome {
    /// Points of a player minus those of the other.
    pub const fn margin(&self, player: Player) -> i16 {
        self.scores[player.index()] - self.scores[player.other().index()]
    }
}

/// Everything that changes during a game; the rest is in the [`Setup`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) quilts: [Quilt; 2],
    /// Bit `i` is set while the patch at place `i` of the ring is there.
    pub(super) ring: u64,
    /// Bit `s` is set while a special patch stands on space `s`.
    pub(super) specials: u64,
    pub(super) buttons: [u16; 2],
    pub(super) spaces: [u8; 2],
    pub(super) income: [u8; 2],
    pub(super) covered: [u8; 2],
    /// The place of the ring after the token, where the search for the next offer starts.
    pub(super) token: u8,
    /// Special patches that the mover has taken and must place.
    pub(super) waiting: u8,
    pub(super) mover: Player,
    pub(super) bonus: Option<Player>,
    pub(super) arrived: Option<Player>,
}

const _: () = assert!(size_of::<State>() <= 64);

impl State {
    /// The start of a game.
    pub const fn new(setup: &Setup) -> Self {
        let komi = setup.rules().komi() as u16;
        Self {
            quilts: [Quilt::EMPTY; 2],
            ring: RING_MASK,
            specials: setup.track().special_mask(),
            buttons: [FIRST_BUTTONS, FIRST_BUTTONS + komi],
            spaces: [0; 2],
            income: [0; 2],
            covered: [0; 2],
            token: 0,
            waiting: 0,
            mover: Player::First,
            bonus: None,
            arrived: None,
        }
    }

    /// The player to move; meaningless when [`Self::is_over`].
    #[inline(always)]
    pub const fn mover(&self) -> Player {
        self.mover
    }

    /// Whether the game has ended.
    #[inline(always)]
    pub const fn is_over(&self) -> bool {
        self.spaces_left() == 0 && self.waiting == 0
    }

    /// A player's covered squares.
    #[inline(always)]
    pub const fn quilt(&self, player: Player) -> Quilt {
        self.quilts[player.index()]
    }

    /// A player's buttons.
    #[inline(always)]
    pub const fn buttons(&self, player: Player) -> u16 {
        self.buttons[player.index()]
    }

    /// The space that a player's token is on, 0 to 53.
    #[inline(always)]
    pub const fn space(&self, player: Player) -> u8 {
        self.spaces[player.index()]
    }

    /// The sum of the spaces left to both tokens, 0 to 106.
    #[inline(always)]
    pub const fn spaces_left(&self) -> u8 {
        2 * LAST_SPACE - self.spaces[0] - self.spaces[1]
    }

    /// A player's income at each income space.
    pub const fn income(&self, player: Player) -> u8 {
        self.income[player.index()]
    }

    /// Special patches that the mover must place now.
    #[inline(always)]
    pub const fn specials_waiting(&self) -> u8 {
        self.waiting
    }

    /// Special patches that still stand on the track.
    pub const fn specials_on_track(&self) -> u32 {
        self.specials.count_ones()
    }

    /// The spaces on which special patches still stand, ascending.
    pub fn special_spaces(&self) -> impl Iterator<Item = u8> {
        (0..=LAST_SPACE).filter(|&space| self.specials >> space & 1 == 1)
    }

    /// The first space on which a special patch still stands; both tokens are behind it.
    #[inline(always)]
    pub const fn next_special(&self) -> Option<u8> {
        if self.specials == 0 {
            None
        } else {
            Some(self.specials.trailing_zeros() as u8)
        }
    }

    /// The player who has filled a 7x7 area first, if any.
    pub const fn bonus(&self) -> Option<Player> {
        self.bonus
    }

    /// The player who has reached the last space first, if any; this player wins on equal scores.
    pub const fn arrived(&self) -> Option<Player> {
        self.arrived
    }

    /// The places of the ring that still hold a patch, from the token on.
    #[inline(always)]
    pub fn ring_places(&self) -> impl Iterator<Item = usize> + use<> {
        let (mut ahead, token) = (self.ring_ahead(), self.token as usize);
        std::iter::from_fn(move || {
            let place = (ahead != 0).then(|| ahead.trailing_zeros() as usize + token)?;
            ahead &= ahead - 1;
            Some(place.checked_sub(PATCH_COUNT).unwrap_or(place))
        })
    }

    /// Bit `i` is set while there is a patch `i` places after the token.
    #[inline(always)]
    const fn ring_ahead(&self) -> u64 {
        (self.ring >> self.token | self.ring << (PATCH_COUNT as u32 - self.token as u32))
            & RING_MASK
    }

    /// The ring as a mask: bit `i` is set while the patch at place `i` is there.
    #[inline(always)]
    pub(crate) const fn ring_mask(&self) -> u64 {
        self.ring
    }

    /// The places of the next three patches; none while a special patch waits.
    #[inline(always)]
    pub fn offers(&self) -> impl Iterator<Item = usize> + use<> {
        let most = if self.waiting > 0 { 0 } else { MAX_OFFERS };
        self.ring_places().take(most)
    }

    /// The patches on offer if no special patch waits, and which of them are there and the mover can pay for: bit `i` for
    /// the patch in place `i`. Without branches.
    #[inline(always)]
    pub(crate) fn offered(&self, setup: &Setup) -> ([PatchId; MAX_OFFERS], u32) {
        let buttons = self.buttons[self.mover.index()];
        let (mut ahead, mut affordable) = (self.ring_ahead(), 0);
        let mut patches = [setup.patch_at(0); MAX_OFFERS];
        for (i, patch) in patches.iter_mut().enumerate() {
            *patch = setup.patch_at(usize::from(self.token) + ahead.trailing_zeros() as usize);
            affordable |= u32::from((ahead != 0) & patch.patch().costs_at_most(buttons)) << i;
            ahead &= ahead.wrapping_sub(1);
        }
        (patches, affordable)
    }

    /// The patches on offer that the mover can pay for, whether or not they fit.
    #[inline(always)]
    pub fn affordable<'a>(&self, setup: &'a Setup) -> impl Iterator<Item = PatchId> + use<'a> {
        let buttons = self.buttons[self.mover.index()];
        self.offers()
            .map(|place| setup.patch_at(place))
            .filter(move |patch| patch.patch().costs_at_most(buttons))
    }

    /// The mover's free squares in two-word form, for finding anchors.
    #[inline(always)]
    pub(crate) const fn free_words(&self) -> Words {
        Words::free_of(self.quilts[self.mover.index()])
    }

    /// Every field packed into words without overlap.
    #[inline(always)]
    pub(super) fn packed(&self) -> [u64; 6] {
        let [mine, theirs] = [self.quilts[0].bits(), self.quilts[1].bits()];
        let who = |player: Option<Player>| -> u64 {
            match player {
                None => 0,
                Some(player) => 1 + player as u64,
            }
        };
        let small = (self.token as u64) << 33
            | (self.waiting as u64) << 39
            | (self.mover as u64) << 42
            | who(self.bonus) << 43
            | who(self.arrived) << 45;
        let beside = |quilt: u128, player: usize| {
            // 17 bits of the quilt's 81 are left, then 16, 6 and 8 bits.
            (quilt >> 64) as u64
                | (self.buttons[player] as u64) << 17
                | (self.spaces[player] as u64) << 33
                | (self.income[player] as u64) << 39
        };
        [
            mine as u64,
            beside(mine, 0),
            theirs as u64,
            beside(theirs, 1),
            self.ring | small,
            self.specials,
        ]
    }

    /// The same position with the players' parts exchanged.
    #[cfg(test)]
    pub(crate) fn swapped(mut self) -> Self {
        self.quilts.swap(0, 1);
        self.buttons.swap(0, 1);
        self.spaces.swap(0, 1);
        self.income.swap(0, 1);
        self.covered.swap(0, 1);
        self.mover = self.mover.other();
        self.bonus = self.bonus.map(Player::other);
        self.arrived = self.arrived.map(Player::other);
        self
    }

    /// Plays an action that is known to be legal.
    ///
    /// An illegal action gives a meaningless state; [`Self::try_play`] checks it.
    #[inline]
    pub fn play_unchecked(&mut self, setup: &Setup, action: Action) {
        let me = self.mover.index();
        match action {
            Action::Advance => {
                let old = self.spaces[me];
                let new = (self.spaces[1 - me] + 1).min(LAST_SPACE);
                self.buttons[me] += u16::from(new - old);
                self.move_to(new);
            }
            Action::Buy(patch, placement) => {
                self.buy(setup, patch, placement.squares(patch.patch().shape));
            }
            Action::Special(square) => self.place_special(Quilt::of(square)),
        }
    }

    /// Buys a patch, or places a special patch if there is none to buy, without saying where: as many squares count
    /// as covered, and the quilt stays as it is.
    #[inline]
    pub(crate) fn play_anywhere(&mut self, setup: &Setup, patch: Option<PatchId>) {
        match patch {
            Some(patch) => self.buy(setup, patch, Quilt::EMPTY),
            None => self.place_special(Quilt::EMPTY),
        }
    }

    #[inline(always)]
    pub(crate) fn buy(&mut self, setup: &Setup, patch: PatchId, squares: Quilt) {
        let me = self.mover.index();
        let place = setup.ring().place_of(patch);
        let printed = patch.patch();
        self.buttons[me] -= u16::from(printed.button_cost);
        self.income[me] += printed.income;
        self.ring &= !(1 << place);
        let next = place as u8 + 1;
        self.token = if next < PATCH_COUNT as u8 { next } else { 0 };
        self.cover(squares, printed.squares);
        self.move_to((self.spaces[me] + printed.time_cost).min(LAST_SPACE));
    }

    #[inline(always)]
    fn place_special(&mut self, square: Quilt) {
        self.waiting -= 1;
        self.cover(square, 1);
        self.pass_on();
    }

    /// The same position, with the bonus given to this player unless somebody has it.
    pub(crate) fn with_bonus(mut self, player: Player) -> Self {
        self.bonus = self.bonus.or(Some(player));
        self
    }

    /// The state after an action, or why the action is illegal.
    pub fn try_play(mut self, setup: &Setup, action: Action) -> Result<Self, IllegalAction> {
        if self.is_over() {
            return Err(IllegalAction::Over);
        }
        let quilt = self.quilts[self.mover.index()];
        match action {
            Action::Special(_) if self.waiting == 0 => return Err(IllegalAction::NoSpecialWaits),
            Action::Special(_) => {}
            _ if self.waiting > 0 => return Err(IllegalAction::SpecialWaits),
            Action::Advance => {}
            Action::Buy(patch, _) => {
                if !self.offers().any(|place| setup.patch_at(place) == patch) {
                    return Err(IllegalAction::NotOnOffer(patch));
                }
                let buttons = self.buttons[self.mover.index()];
                if !patch.patch().costs_at_most(buttons) {
                    return Err(IllegalAction::TooDear {
                        patch,
                        cost: patch.patch().button_cost,
                        buttons,
                    });
                }
            }
        }
        if let Some(covered) = action.squares().intersection(quilt).first() {
            return Err(IllegalAction::Covered(covered));
        }
        self.play_unchecked(setup, action);
        Ok(self)
    }

    /// Number of squares that a player has not covered, 0 to 81.
    #[inline(always)]
    pub const fn empty_squares(&self, player: Player) -> u8 {
        SQUARES as u8 - self.covered[player.index()]
    }

    /// Points of a player if the game ended now.
    #[inline(always)]
    pub fn score(&self, player: Player) -> i16 {
        let empty = i16::from(self.empty_squares(player));
        let bonus = if self.bonus == Some(player) {
            BONUS_7X7
        } else {
            0
        };
        self.buttons[player.index()] as i16 + bonus - 2 * empty
    }

    /// The outcome, or `None` while the game goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| self.outcome_unchecked())
    }

    /// The outcome of a state that is known to be over.
    #[inline(always)]
    pub fn outcome_unchecked(&self) -> Outcome {
        let scores = Player::BOTH.map(|player| self.score(player));
        let winner = match scores[0].cmp(&scores[1]) {
            std::cmp::Ordering::Greater => Player::First,
            std::cmp::Ordering::Less => Player::Second,
            std::cmp::Ordering::Equal => self.arrived.unwrap_or(Player::First),
        };
        Outcome {
            scores,
            winner,
            bonus: self.bonus,
        }
    }

    #[inline(always)]
    fn cover(&mut self, squares: Quilt, count: u8) {
        let me = self.mover.index();
        self.quilts[me] = self.quilts[me].union(squares);
        self.covered[me] += count;
        if self.quilts[me].has_7x7() && self.bonus.is_none() {
            self.bonus = Some(self.mover);
        }
    }

    #[inline(always)]
    fn move_to(&mut self, new: u8) {
        let me = self.mover.index();
        let old = self.spaces[me];
        self.buttons[me] += incomes_crossed(old, new) as u16 * u16::from(self.income[me]);
        let taken = self.specials & crossed(old, new);
        self.specials ^= taken;
        self.waiting = match taken {
            0 => 0,
            _ => taken.count_ones() as u8,
        };
        self.spaces[me] = new;
        let arrives = new == LAST_SPACE && self.arrived.is_none();
        self.arrived = select_unpredictable(arrives, Some(self.mover), self.arrived);
        self.pass_on();
    }

    /// Gives the turn to the player further behind; on a shared space, the last to arrive keeps it.
    #[inline(always)]
    fn pass_on(&mut self) {
        let me = self.mover.index();
        if self.waiting > 0 {
            if self.empty_squares(self.mover) > 0 {
                return;
            }
            // There is no free square left, so they are discarded.
            self.waiting = 0;
        }
        let passes = self.spaces[me] > self.spaces[1 - me];
        self.mover = select_unpredictable(passes, self.mover.other(), self.mover);
    }
}
