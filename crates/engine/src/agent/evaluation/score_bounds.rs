//! Bounds of the final scores, which often determine the winner long before every line of play is known.
//!
//! A lower bound of a player's score is what advancing to the end is worth. An upper bound is that plus the
//! largest gain of any purchases in the time left, the remaining special patches and the bonus. A player
//! whose lower bound exceeds the opponent's upper bound wins.

use crate::agent::evaluation::position_estimate::FreeSquares;
use crate::board::Quilt;
use crate::game::{
    BONUS_7X7, LAST_SPACE, PATCH_COUNT, PATCHES, Patch, PatchId, Player, Setup, State,
    incomes_ahead,
};
use crate::placement::Candidates;

/// The largest time cost of a patch.
const MAX_TIME: usize = largest().0;
/// The largest income of a patch.
const MAX_INCOME: i16 = largest().1;

const fn largest() -> (usize, i16) {
    let (mut time, mut income) = (0, 0);
    let mut p = 0;
    while p < PATCH_COUNT {
        let patch = &PATCHES[p];
        if patch.time_cost as usize > time {
            time = patch.time_cost as usize;
        }
        if patch.income as i16 > income {
            income = patch.income as i16;
        }
        p += 1;
    }
    (time, income)
}

/// Bounds for a position and those that follow from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoreBounds {
    start: State,
    /// The possible purchases of each player, once requested.
    chances: [Option<Chances>; 2],
}

/// What a player may still achieve after the start.
#[derive(Clone, Copy, Debug)]
struct Chances {
    /// The places of the ring whose patches fit on the quilt.
    fitting: u64,
    /// Whether the player might fill a 7x7 area.
    bonus: bool,
}

impl ScoreBounds {
    /// Bounds for this position and all that follow from it.
    pub(in crate::agent) const fn new(start: &State) -> Self {
        Self {
            start: *start,
            chances: [None; 2],
        }
    }

    /// Whether bounds for a later position, where fewer patches fit, probably save a search more than they cost.
    pub(super) fn are_worth_renewing(&self, state: &State) -> bool {
        const FEWEST_SPACES: u8 = 4;
        (FEWEST_SPACES..self.start.spaces_left()).contains(&state.spaces_left())
    }

    /// The player who wins whatever the other one does, if the bounds determine it.
    pub(in crate::agent) fn winner(&mut self, setup: &Setup, state: &State) -> Option<Player> {
        let [first, second] = Player::BOTH.map(|player| least_score(state, player));
        let (leader, ahead) = match first > second {
            true => (Player::First, first - second),
            false => (Player::Second, second - first),
        };
        let other = leader.other();
        // Drawing level may be enough for the other player.
        let mut behind = ahead - 2 * state.specials_on_track() as i16;
        if behind <= 0 {
            return None;
        }
        // Mostly one purchase is enough, and then it does not matter which other patches fit.
        if self.chances[other.index()].is_none()
            && self.one_purchase_gains(setup, state, other, behind)
        {
            return None;
        }
        let chances = self.chances(setup, other);
        if state.bonus().is_none() && chances.bonus {
            behind -= BONUS_7X7;
        }
        let gains = behind <= 0 || purchases_gain(setup, state, other, chances.fitting, behind);
        (!gains).then_some(leader)
    }

    /// Whether the result may depend on which squares a player has covered: it may still buy a patch or fill a 7x7
    /// area.
    pub(super) fn squares_matter(&mut self, setup: &Setup, state: &State, player: Player) -> bool {
        let chances = self.chances(setup, player);
        state.bonus().is_none() && chances.bonus
            || affordable(setup, state, player, chances.fitting)
                .next()
                .is_some()
    }

    /// Whether a patch might fit on a player's quilt.
    pub(super) fn might_fit(&mut self, setup: &Setup, player: Player, patch: PatchId) -> bool {
        self.chances(setup, player).fitting >> setup.ring().place_of(patch) & 1 == 1
    }

    /// Whether a player might fill a 7x7 area.
    pub(super) fn may_earn_bonus(&mut self, setup: &Setup, player: Player) -> bool {
        self.chances(setup, player).bonus
    }

    /// Whether a single purchase might gain a player this many points over advancing, at least 1.
    fn one_purchase_gains(
        &self,
        setup: &Setup,
        state: &State,
        player: Player,
        points: i16,
    ) -> bool {
        let quilt = self.start.quilt(player);
        affordable(setup, state, player, u64::MAX)
            .any(|patch| is_enough(state, player, patch, points) && fits(patch, quilt))
    }

    #[inline]
    fn chances(&mut self, setup: &Setup, player: Player) -> Chances {
        let start = &self.start;
        *self.chances[player.index()].get_or_insert_with(|| Chances::of(setup, start, player))
    }
}

impl Chances {
    fn of(setup: &Setup, state: &State, player: Player) -> Self {
        let quilt = state.quilt(player);
        let fitting = state.ring_places().fold(0, |mask, place| {
            mask | u64::from(fits(setup.patch_at(place).patch(), quilt)) << place
        });
        let left = usize::from(LAST_SPACE - state.space(player));
        let bonus = state.bonus().is_none() && {
            let mut purchases = PurchaseBound::within(left);
            for patch in patches(setup, fitting) {
                let squares = patch.shape().size() as i16;
                purchases.add(patch.time_cost.into(), squares, squares);
            }
            let specials = state.specials_on_track() as i16 + i16::from(state.specials_waiting());
            let missing = FreeSquares::of(quilt).missing as i16;
            purchases.reach(missing - specials, |worth, _| worth)
        };
        Self { fitting, bonus }
    }
}

/// Whether purchases of these patches might gain a player this many points over advancing, at least 1.
fn purchases_gain(setup: &Setup, state: &State, player: Player, places: u64, points: i16) -> bool {
    let mut purchases = PurchaseBound::within(usize::from(LAST_SPACE - state.space(player)));
    for patch in affordable(setup, state, player, places) {
        // The others can only add to it.
        if is_enough(state, player, patch, points) {
            return true;
        }
        let worth = worth(state, player, patch);
        let time = i16::from(patch.time_cost);
        purchases.add(patch.time_cost.into(), worth - time, worth);
    }
    purchases.reach(points, |worth, spaces| worth - spaces as i16)
}

/// Whether this purchase alone, with time left after it, gains a player this many points over advancing.
#[inline(always)]
fn is_enough(state: &State, player: Player, patch: &Patch, points: i16) -> bool {
    let time = patch.time_cost;
    time < LAST_SPACE - state.space(player)
        && worth(state, player, patch) - i16::from(time) >= points
}

/// The points that a player gains by a purchase, before the buttons lost by not advancing.
#[inline(always)]
fn worth(state: &State, player: Player, patch: &Patch) -> i16 {
    let incomes = incomes_ahead(state.space(player)) as i16;
    2 * patch.shape().size() as i16 + incomes * i16::from(patch.income)
        - i16::from(patch.button_cost)
}

/// The remaining patches in these places for which a player might ever have the buttons and the time.
fn affordable(
    setup: &Setup,
    state: &State,
    player: Player,
    places: u64,
) -> impl Iterator<Item = &'static Patch> {
    let space = state.space(player);
    let left = i16::from(LAST_SPACE - space);
    // The income of the last space comes too late for a purchase.
    let incomes = incomes_ahead(space) as i16 - 1;
    let more = left - 1 + incomes * (i16::from(state.income(player)) + MAX_INCOME * left);
    let cash = state.buttons(player) as i16 + more;
    let places = if left > 0 {
        places & state.ring_mask()
    } else {
        0
    };
    patches(setup, places).filter(move |patch| i16::from(patch.button_cost) <= cash)
}

fn patches(setup: &Setup, mut places: u64) -> impl Iterator<Item = &'static Patch> {
    std::iter::from_fn(move || {
        let place = (places != 0).then(|| places.trailing_zeros() as usize)?;
        places &= places - 1;
        Some(setup.patch_at(place).patch())
    })
}

/// The maximum value of purchases within a number of spaces. All purchases except the last take their full
/// time.
struct PurchaseBound {
    spaces: usize,
    /// The maximum value within fewer spaces.
    most: [i16; LAST_SPACE as usize],
    /// For each time cost, the maximum value of a last purchase.
    last: [i16; MAX_TIME + 1],
}

impl PurchaseBound {
    const fn within(spaces: usize) -> Self {
        Self {
            spaces,
            most: [0; LAST_SPACE as usize],
            last: [0; MAX_TIME + 1],
        }
    }

    /// Adds a patch that takes this many spaces, with its value and its value as the last purchase.
    #[inline(always)]
    fn add(&mut self, time: usize, worth: i16, as_last: i16) {
        self.last[time] = self.last[time].max(as_last);
        if worth > 0 {
            for spaces in (time..self.spaces).rev() {
                self.most[spaces] = self.most[spaces].max(self.most[spaces - time] + worth);
            }
        }
    }

    /// Whether purchases reach a worth. `last` is what remains of that of a last purchase which takes the rest of
    /// the spaces.
    #[inline(always)]
    fn reach(&self, worth: i16, last: impl Fn(i16, usize) -> i16) -> bool {
        if self.spaces == 0 {
            return worth <= 0;
        }
        let mut longest = 0;
        self.most[self.spaces - 1] >= worth
            || (1..=MAX_TIME).rev().any(|rest| {
                longest = longest.max(self.last[rest]);
                rest <= self.spaces && self.most[self.spaces - rest] + last(longest, rest) >= worth
            })
    }
}

fn fits(patch: &Patch, quilt: Quilt) -> bool {
    Candidates::count_to(patch.shape, quilt, 1) > 0
}

/// A guess at the winner: the score for advancing to the end, and [`PER_SPACE`] points for each space left.
pub(super) fn likely_winner(state: &State) -> Player {
    let [first, second] = Player::BOTH.map(|player| {
        let left = i16::from(LAST_SPACE - state.space(player));
        least_score(state, player) + PER_SPACE * left
    });
    match first >= second {
        true => Player::First,
        false => Player::Second,
    }
}

/// What a space is worth to a player beside the button for advancing: patches gain more.
const PER_SPACE: i16 = 3;

/// The score that a player is sure of by advancing to the end.
fn least_score(state: &State, player: Player) -> i16 {
    let space = state.space(player);
    let advance = i16::from(LAST_SPACE - space);
    let income = incomes_ahead(space) as i16 * i16::from(state.income(player));
    let free = i16::from(state.empty_squares(player));
    let waiting = match state.mover() == player {
        true => i16::from(state.specials_waiting()).min(free),
        false => 0,
    };
    state.score(player) + advance + income + 2 * waiting
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::rollout::player::RolloutPlayer;
    use crate::game::Action;
    use crate::placement::Scratch;
    use crate::search::Picker;
    use crate::testing::late_positions;
    use crate::util::rng::stream;

    #[test]
    fn who_is_told_to_win_wins_by_advancing() {
        let strategy = "bl-lb/every/random".parse().expect("names");
        let mut told = 0;
        for (number, (setup, start)) in (0..).zip(late_positions(600, 16)) {
            let Some(winner) = ScoreBounds::new(&start).winner(&setup, &start) else {
                continue;
            };
            told += 1;
            for temperature in [0.1, 1.0, 10.0] {
                let other = RolloutPlayer::new(Picker::softmax(temperature), strategy);
                let mut rng = stream(&[number]);
                let mut scratch = Scratch::default();
                let mut state = start;
                while !state.is_over() {
                    let action = match state.mover() == winner && state.specials_waiting() == 0 {
                        true => Action::Advance,
                        false => other.action(&setup, &state, &mut rng, &mut scratch),
                    };
                    state.play_unchecked(&setup, action);
                }
                assert_eq!(state.outcome_unchecked().winner, winner, "{start:?}");
            }
        }
        assert!(told > 50, "{told}");
    }

    #[test]
    fn bounds_of_a_position_hold_for_those_that_follow() {
        let strategy = "bl/some/first".parse().expect("names");
        let player = RolloutPlayer::new(Picker::softmax(1.0), strategy);
        let mut told = 0;
        for (number, (setup, mut state)) in (0..).zip(late_positions(200, 24)) {
            let mut bounds = ScoreBounds::new(&state);
            let (mut rng, mut scratch) = (stream(&[number]), Scratch::default());
            while !state.is_over() {
                let known = bounds.winner(&setup, &state);
                let fresh = ScoreBounds::new(&state).winner(&setup, &state);
                // When a patch no longer fits, fresh bounds may determine more.
                if let Some(known) = known {
                    assert_eq!(fresh, Some(known));
                    told += 1;
                }
                let action = player.action(&setup, &state, &mut rng, &mut scratch);
                state.play_unchecked(&setup, action);
            }
        }
        assert!(told > 200, "{told}");
    }
}
