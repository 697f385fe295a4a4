//! A position of the game and the actions that lead on from it.

use std::fmt;

use super::patch::PatchId;
use super::setup::Setup;
use super::track::{LAST_SPACE, crossed, incomes_crossed};
use crate::board::{Quilt, ShapeId, Square, Words};
use crate::util::rng::{Rng, below};

/// Points for the first completely filled 7x7 area.
pub const BONUS_7X7: i16 = 7;

/// No game has more plies: every turn moves a token by a space or more, and 5 plies place specials.
pub const MAX_PLIES: usize = 2 * LAST_SPACE as usize + super::SPECIAL_COUNT;

const FIRST_BUTTONS: u16 = 5;
const RING_MASK: u64 = (1 << super::PATCH_COUNT) - 1;

/// Who moves first and who second; a seat, not an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Player {
    /// Moves first.
    First,
    /// The other one.
    Second,
}

impl Player {
    /// First, then second.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// 0 or 1.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other player.
    #[inline(always)]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "first",
            Self::Second => "second",
        })
    }
}

/// How a shape lies on a quilt: the index of its orientation and the square its first square is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    orientation: u8,
    anchor: Square,
}

impl Placement {
    /// The placement of an orientation of `shape` at an anchor, or `None` when the shape has no
    /// such orientation or would lie outside the board.
    #[must_use]
    pub fn new(shape: ShapeId, orientation: u8, anchor: Square) -> Option<Self> {
        let oriented = shape.shape().orientations().get(orientation as usize)?;
        oriented.inside().contains(anchor).then_some(Self {
            orientation,
            anchor,
        })
    }

    /// The placement of an orientation at an anchor that is known to lie inside.
    #[inline(always)]
    pub(crate) const fn inside(orientation: u8, anchor: Square) -> Self {
        Self {
            orientation,
            anchor,
        }
    }

    /// Index among the shape's orientations, 0 to 7.
    #[must_use]
    pub const fn orientation(self) -> u8 {
        self.orientation
    }

    /// The first square in row-major order.
    #[must_use]
    pub const fn anchor(self) -> Square {
        self.anchor
    }

    /// The squares that `shape` covers so.
    #[inline(always)]
    #[must_use]
    pub fn squares(self, shape: ShapeId) -> Quilt {
        shape.shape().orientations()[self.orientation as usize].place(self.anchor)
    }
}

/// One decision of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Move in front of the opponent, for a button a space.
    Advance,
    /// Buy a patch and place it.
    Buy(PatchId, Placement),
    /// Place a special patch.
    Special(Square),
}

/// Why an action cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalAction {
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// A special patch must be placed before anything else.
    #[error("a special patch waits to be placed")]
    SpecialWaits,
    /// There is no special patch to place.
    #[error("no special patch waits to be placed")]
    NoSpecialWaits,
    /// The patch is not one of the next three in the ring.
    #[error("patch {0} is not on offer")]
    NotOnOffer(PatchId),
    /// The patch costs more buttons than the player has.
    #[error("patch {patch} costs {cost} buttons and the player has {buttons}")]
    TooDear {
        /// The patch asked for.
        patch: PatchId,
        /// What it costs.
        cost: u8,
        /// What the player has.
        buttons: u16,
    },
    /// A square is taken.
    #[error("{0} is covered already")]
    Covered(Square),
}

/// The places of the ring whose patches may be bought, nearest first; at most three.
#[derive(Clone, Copy, Debug)]
pub struct Offers {
    places: [u8; 3],
    next: u8,
    end: u8,
}

impl Iterator for Offers {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.next == self.end {
            return None;
        }
        let place = self.places[self.next as usize];
        self.next += 1;
        Some(place as usize)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Points by [`Player::index`].
    pub scores: [i16; 2],
    /// More points, or on equal points the one who reached space 53 first.
    pub winner: Player,
    /// Who filled a 7x7 area first.
    pub bonus: Option<Player>,
}

impl Outcome {
    /// Points of a player minus those of the other.
    #[must_use]
    pub const fn margin(&self, player: Player) -> i16 {
        self.scores[player.index()] - self.scores[player.other().index()]
    }
}

/// Everything that changes during a game; what is fixed is in the [`Setup`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    quilts: [Quilt; 2],
    /// Bit `i` is set while the patch at place `i` of the ring is there.
    ring: u64,
    /// Bit `s` is set while a special patch stands on space `s`.
    specials: u64,
    buttons: [u16; 2],
    spaces: [u8; 2],
    income: [u8; 2],
    /// The place of the ring behind the token, where the next offer is looked for.
    token: u8,
    /// Special patches that the mover has taken and must place.
    waiting: u8,
    mover: Player,
    bonus: Option<Player>,
    arrived: Option<Player>,
}

const _: () = assert!(size_of::<State>() <= 64);

impl State {
    /// The start of a game.
    #[must_use]
    pub const fn new(setup: &Setup) -> Self {
        Self {
            quilts: [Quilt::EMPTY; 2],
            ring: RING_MASK,
            specials: setup.track().special_mask(),
            buttons: [FIRST_BUTTONS; 2],
            spaces: [0; 2],
            income: [0; 2],
            token: 0,
            waiting: 0,
            mover: Player::First,
            bonus: None,
            arrived: None,
        }
    }

    /// The player whose ply is next; while [`Self::is_over`] it means nothing.
    #[inline(always)]
    #[must_use]
    pub const fn mover(&self) -> Player {
        self.mover
    }

    /// Whether the game has ended.
    #[inline(always)]
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.spaces[0] == LAST_SPACE && self.spaces[1] == LAST_SPACE && self.waiting == 0
    }

    /// A player's covered squares.
    #[inline(always)]
    #[must_use]
    pub const fn quilt(&self, player: Player) -> Quilt {
        self.quilts[player.index()]
    }

    /// A player's buttons.
    #[inline(always)]
    #[must_use]
    pub const fn buttons(&self, player: Player) -> u16 {
        self.buttons[player.index()]
    }

    /// The space that a player's token is on, 0 to 53.
    #[inline(always)]
    #[must_use]
    pub const fn space(&self, player: Player) -> u8 {
        self.spaces[player.index()]
    }

    /// What each income space pays a player.
    #[must_use]
    pub const fn income(&self, player: Player) -> u8 {
        self.income[player.index()]
    }

    /// Special patches that the mover must place now.
    #[inline(always)]
    #[must_use]
    pub const fn specials_waiting(&self) -> u8 {
        self.waiting
    }

    /// Special patches that still stand on the track.
    #[must_use]
    pub const fn specials_on_track(&self) -> u32 {
        self.specials.count_ones()
    }

    /// The spaces on which special patches still stand, ascending.
    pub fn special_spaces(&self) -> impl Iterator<Item = u8> {
        (0..=LAST_SPACE).filter(|&space| self.specials >> space & 1 == 1)
    }

    /// The first space on which a special patch still stands; both tokens are behind it.
    #[inline(always)]
    #[must_use]
    pub const fn next_special(&self) -> Option<u8> {
        if self.specials == 0 {
            None
        } else {
            Some(self.specials.trailing_zeros() as u8)
        }
    }

    /// Who has filled a 7x7 area first, if anyone has.
    #[must_use]
    pub const fn bonus(&self) -> Option<Player> {
        self.bonus
    }

    /// The places of the ring that still hold a patch, from the token on.
    pub fn ring_places(&self) -> impl Iterator<Item = usize> {
        let (ring, token) = (self.ring, self.token as usize);
        (token..super::PATCH_COUNT)
            .chain(0..token)
            .filter(move |&place| ring >> place & 1 == 1)
    }

    /// The ring as a mask: bit `i` is set while the patch at place `i` is there.
    #[inline(always)]
    #[must_use]
    pub const fn ring_mask(&self) -> u64 {
        self.ring
    }

    /// The places of the next three patches; none while a special patch waits.
    #[inline(always)]
    #[must_use]
    pub fn offers(&self) -> Offers {
        let mut offers = Offers {
            places: [0; 3],
            next: 0,
            end: 0,
        };
        if self.waiting > 0 {
            return offers;
        }
        let token = u32::from(self.token);
        let count = super::PATCH_COUNT as u32;
        let mut ahead = (self.ring >> token | self.ring << (count - token)) & RING_MASK;
        while ahead != 0 && offers.end < 3 {
            let place = ahead.trailing_zeros() + token;
            offers.places[offers.end as usize] =
                (if place < count { place } else { place - count }) as u8;
            offers.end += 1;
            ahead &= ahead - 1;
        }
        offers
    }

    /// The patches on offer that the mover can pay for, whether or not they fit.
    #[inline(always)]
    pub fn affordable<'a>(&self, setup: &'a Setup) -> impl Iterator<Item = PatchId> + use<'a> {
        let buttons = self.buttons[self.mover.index()];
        self.offers()
            .map(|place| setup.patch_at(place))
            .filter(move |patch| u16::from(patch.patch().button_cost) <= buttons)
    }

    /// The mover's free squares in two-word form.
    #[inline(always)]
    #[must_use]
    pub const fn free_words(&self) -> Words {
        Words::new(self.quilts[self.mover.index()].complement())
    }

    /// Every field, one bit of a word for each of its own.
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
        self.mover = self.mover.other();
        self.bonus = self.bonus.map(Player::other);
        self.arrived = self.arrived.map(Player::other);
        self
    }

    /// Calls `visit` with every legal action, each once: advancing, then the patches on offer from
    /// the nearest on by orientation and anchor; or the free squares for a special patch.
    pub fn for_each_action(&self, setup: &Setup, mut visit: impl FnMut(Action)) {
        if self.is_over() {
            return;
        }
        if self.waiting > 0 {
            let free = self.quilts[self.mover.index()].complement();
            free.squares().for_each(|s| visit(Action::Special(s)));
            return;
        }
        visit(Action::Advance);
        let free = self.free_words();
        for patch in self.affordable(setup) {
            for (i, orientation) in patch.patch().shape().orientations().iter().enumerate() {
                for anchor in orientation.anchors_in(free).squares().squares() {
                    visit(Action::Buy(patch, Placement::inside(i as u8, anchor)));
                }
            }
        }
    }

    /// All legal actions, in the order of [`Self::for_each_action`].
    #[must_use]
    pub fn legal_actions(&self, setup: &Setup) -> Vec<Action> {
        let mut actions = Vec::new();
        self.for_each_action(setup, |action| actions.push(action));
        actions
    }

    /// Number of legal actions.
    #[must_use]
    pub fn count_actions(&self, setup: &Setup) -> u32 {
        if self.is_over() {
            return 0;
        }
        if self.waiting > 0 {
            return self.quilts[self.mover.index()].complement().len();
        }
        let free = self.free_words();
        let placements = |patch: PatchId| -> u32 {
            let orientations = patch.patch().shape().orientations();
            orientations.iter().map(|o| o.anchors_in(free).len()).sum()
        };
        1 + self.affordable(setup).map(placements).sum::<u32>()
    }

    /// A legal action, each with the same probability.
    ///
    /// # Panics
    /// When the game is over.
    #[inline]
    pub fn random_action(&self, setup: &Setup, rng: &mut Rng) -> Action {
        assert!(!self.is_over(), "a finished game has no actions");
        let free = self.free_words();
        if self.waiting > 0 {
            let anchors = ShapeId::SINGLE.shape().orientations()[0].anchors_in(free);
            return Action::Special(anchors.nth(below(anchors.len(), rng)));
        }
        // All places of all affordable patches, counted first, then one of them picked.
        let mut found = [(crate::board::Split::default(), 0, 0); 24];
        let mut patches = [PatchId::new(1).expect("1 is a patch"); 3];
        let (mut len, mut total) = (0, 1);
        for (p, patch) in self.affordable(setup).enumerate() {
            patches[p] = patch;
            for (i, orientation) in patch.patch().shape().orientations().iter().enumerate() {
                let anchors = orientation.anchors_in(free);
                if !anchors.is_empty() {
                    total += anchors.len();
                    found[len] = (anchors, p, i as u8);
                    len += 1;
                }
            }
        }
        if total == 1 {
            return Action::Advance;
        }
        let mut rank = below(total, rng);
        for &(anchors, p, orientation) in &found[..len] {
            let count = anchors.len();
            if rank < count {
                return Action::Buy(
                    patches[p],
                    Placement::inside(orientation, anchors.nth(rank)),
                );
            }
            rank -= count;
        }
        Action::Advance
    }

    /// Plays an action that is known to be legal.
    ///
    /// An illegal action is refused by [`Self::try_play`]; here it gives a state that means nothing.
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
                let place = setup.ring().place_of(patch);
                let printed = patch.patch();
                self.buttons[me] -= u16::from(printed.button_cost);
                self.income[me] += printed.income;
                self.ring &= !(1 << place);
                self.token = ((place + 1) % super::PATCH_COUNT) as u8;
                self.cover(placement.squares(printed.shape));
                self.move_to((self.spaces[me] + printed.time_cost).min(LAST_SPACE));
            }
            Action::Special(square) => {
                self.waiting -= 1;
                self.cover(Quilt::of(square));
                self.pass_on();
            }
        }
    }

    /// The state after an action, or why the action is illegal.
    ///
    /// # Errors
    /// When the action is not one of [`Self::legal_actions`].
    pub fn try_play(mut self, setup: &Setup, action: Action) -> Result<Self, IllegalAction> {
        if self.is_over() {
            return Err(IllegalAction::Over);
        }
        let quilt = self.quilts[self.mover.index()];
        let squares = match action {
            Action::Special(_) if self.waiting == 0 => return Err(IllegalAction::NoSpecialWaits),
            Action::Special(square) => Quilt::of(square),
            _ if self.waiting > 0 => return Err(IllegalAction::SpecialWaits),
            Action::Advance => Quilt::EMPTY,
            Action::Buy(patch, placement) => {
                if !self.offers().any(|place| setup.patch_at(place) == patch) {
                    return Err(IllegalAction::NotOnOffer(patch));
                }
                let cost = patch.patch().button_cost;
                let buttons = self.buttons[self.mover.index()];
                if u16::from(cost) > buttons {
                    return Err(IllegalAction::TooDear {
                        patch,
                        cost,
                        buttons,
                    });
                }
                placement.squares(patch.patch().shape)
            }
        };
        if let Some(covered) = squares.intersection(quilt).first() {
            return Err(IllegalAction::Covered(covered));
        }
        self.play_unchecked(setup, action);
        Ok(self)
    }

    /// Points of a player if the game ended now.
    #[inline(always)]
    #[must_use]
    pub fn score(&self, player: Player) -> i16 {
        let empty = self.quilts[player.index()].complement().len() as i16;
        let bonus = if self.bonus == Some(player) {
            BONUS_7X7
        } else {
            0
        };
        self.buttons[player.index()] as i16 + bonus - 2 * empty
    }

    /// How the game ended, or `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| self.outcome_unchecked())
    }

    /// How the game ended, for a state that is known to be over.
    #[inline(always)]
    #[must_use]
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
    fn cover(&mut self, squares: Quilt) {
        let me = self.mover.index();
        self.quilts[me] = self.quilts[me].union(squares);
        if self.bonus.is_none() && self.quilts[me].has_7x7() {
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
        self.waiting = taken.count_ones() as u8;
        self.spaces[me] = new;
        if new == LAST_SPACE && self.arrived.is_none() {
            self.arrived = Some(self.mover);
        }
        self.pass_on();
    }

    /// Hands the ply to the player further behind; on a shared space the last to arrive keeps it.
    #[inline(always)]
    fn pass_on(&mut self) {
        let me = self.mover.index();
        if self.waiting > 0 {
            if self.quilts[me] != Quilt::FULL {
                return;
            }
            // No square is left for them: discarded.
            self.waiting = 0;
        }
        if self.spaces[me] > self.spaces[1 - me] {
            self.mover = self.mover.other();
        }
    }
}
