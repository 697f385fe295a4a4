//! Exact search of the last plies: the winner under optimal play.

use crate::agent::evaluation::equation1::by_gain;
use crate::agent::evaluation::score_bounds::{ScoreBounds, likely_winner};
use crate::game::{Action, LAST_SPACE, PATCH_COUNT, PatchId, Placement, Player, Setup, State};
use crate::search::Meter;

/// Squares of the 7x7 area.
const AREA: u32 = 49;

/// The extent of the exact search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endgame {
    /// Maximum number of positions of a search.
    pub positions: u32,
    /// Only positions with at most this many spaces left to both tokens together are searched.
    pub spaces: u8,
    /// Whether a branch ends where bounds of the final scores determine the winner. The first look at a
    /// position then uses only its bounds.
    pub bounds: bool,
    /// Whether the search asks, before it tries all placements of a patch, if the player loses even when every patch
    /// that fits now still fits afterwards. Requires bounds.
    pub relaxed: bool,
}

pub(in crate::agent) const DEFAULT_SPACES: u8 = 16;

impl Endgame {
    /// The winner if both play optimally, or `None` if the end is too far away or finding out takes too
    /// many positions.
    ///
    /// Where the placement cannot affect the result, only one placement is tried: that is the case for
    /// a player who ends on the last space and can no longer fill a 7x7 area, or, with bounds, for one who can
    /// buy nothing afterwards and no longer earn the bonus.
    pub fn winner(&self, setup: &Setup, state: &State) -> Option<Player> {
        self.search(setup, state, None)?.winner(state)
    }

    /// The winner as far as the first look at a position tells: by bounds alone where there are bounds, since most
    /// positions of a search tree are visited only once.
    pub(in crate::agent) fn first_look(&self, setup: &Setup, state: &State) -> Option<Player> {
        if !self.bounds {
            return self.winner(setup, state);
        }
        let is_near = state.spaces_left() <= self.spaces;
        is_near.then(|| ScoreBounds::new(state).winner(setup, state))?
    }

    /// The winner of a position that the first look left undecided.
    pub(in crate::agent) fn second_look(&self, setup: &Setup, state: &State) -> Option<Player> {
        self.bounds.then(|| self.winner(setup, state))?
    }

    /// An action that wins if both play optimally. `None` if no action wins, if the end is too far away,
    /// or if the search needs too many positions. With a `limit` in time, the search may take as many positions as
    /// it can while there is time.
    ///
    /// # Panics
    /// If the game is over.
    pub fn winning_action(
        &self,
        setup: &Setup,
        state: &State,
        limit: Option<Meter<'_>>,
    ) -> Option<Action> {
        let mut search = self.search(setup, state, limit)?;
        let mover = state.mover();
        let mut found = None;
        search.find(state, &mut |search, action, next| {
            let winner = search.winner(next)?;
            if winner == mover {
                found = Some(action);
            }
            Some(winner)
        });
        found
    }

    fn search<'a>(
        &self,
        setup: &'a Setup,
        state: &State,
        limit: Option<Meter<'a>>,
    ) -> Option<EndgameSearch<'a>> {
        (state.spaces_left() <= self.spaces).then(|| EndgameSearch {
            setup,
            left: limit.map_or(self.positions, |_| u32::MAX),
            limit,
            bounds: self.bounds.then(|| ScoreBounds::new(state)),
            favourite: self.relaxed.then(|| likely_winner(state)),
            anywhere: None,
            last_wins: [None; 2],
            winning_placements: [[None; PATCH_COUNT]; 2],
        })
    }
}

/// The winner if both play optimally, or `None` if finding out by all lines of play takes more than `most`
/// positions.
pub fn winner(setup: &Setup, state: &State, most: u32) -> Option<Player> {
    let endgame = Endgame {
        positions: most,
        spaces: u8::MAX,
        bounds: false,
        relaxed: false,
    };
    endgame.winner(setup, state)
}

/// Positions between two readings of the clock: reading it costs as much as a few positions.
const BETWEEN_LOOKS: u32 = 128;

struct EndgameSearch<'a> {
    setup: &'a Setup,
    left: u32,
    limit: Option<Meter<'a>>,
    bounds: Option<ScoreBounds>,
    /// The player who probably wins, in a relaxed search.
    favourite: Option<Player>,
    /// A player whose patches lie anywhere: their squares count as covered, and the quilt stays as it is. Meanwhile the
    /// other player has one placement for each patch, and only its wins are meant.
    anywhere: Option<Player>,
    /// The last winning purchase of each player, or advancing. What has won probably wins in other positions, too, so it
    /// is tried first: Akl and Newborn, "The principal continuation and the killer heuristic" (1977). None unless the
    /// search is limited by time.
    last_wins: [Option<Action>; 2],
    /// The last winning placement of each patch, by player.
    winning_placements: [[Option<Placement>; PATCH_COUNT]; 2],
}

impl EndgameSearch<'_> {
    fn winner(&mut self, state: &State) -> Option<Player> {
        if state.is_over() {
            return Some(state.outcome_unchecked().winner);
        }
        self.left = self.left.checked_sub(1)?;
        if self.left.is_multiple_of(BETWEEN_LOOKS)
            && self.limit.is_some_and(|limit| !limit.has_time())
        {
            self.left = 0;
            return None;
        }
        if let Some(bounds) = &mut self.bounds
            && let Some(winner) = bounds.winner(self.setup, state)
        {
            return Some(winner);
        }
        if self.is_long() && self.anywhere.is_none() {
            return self.winner_by_new_bounds(state);
        }
        self.by_actions(state)
    }

    /// The winner by bounds for this position and those that follow, where they are worth their computation.
    #[inline(never)]
    fn winner_by_new_bounds(&mut self, state: &State) -> Option<Player> {
        let bounds = self.bounds.as_ref();
        if !bounds.is_some_and(|bounds| bounds.are_worth_renewing(state)) {
            return self.by_actions(state);
        }
        let mut bounds = ScoreBounds::new(state);
        if let Some(winner) = bounds.winner(self.setup, state) {
            return Some(winner);
        }
        let before = self.bounds.replace(bounds);
        let winner = self.by_actions(state);
        self.bounds = before;
        winner
    }

    /// Whether the search remembers what has won and computes bounds again. A search of few positions would solve hardly
    /// more by it and take a quarter longer.
    const fn is_long(&self) -> bool {
        self.limit.is_some()
    }

    fn by_actions(&mut self, state: &State) -> Option<Player> {
        self.find(state, &mut |search, _, next| search.winner(next))
    }

    /// Calls `ask` for the winner after each relevant action until the mover wins.
    fn find(
        &mut self,
        state: &State,
        ask: &mut dyn FnMut(&mut Self, Action, &State) -> Option<Player>,
    ) -> Option<Player> {
        let mover = state.mover();
        let mut wins = |search: &mut Self, action: Action, next: &State| {
            Some(ask(search, action, next)? == mover)
        };
        if state.specials_waiting() > 0 {
            let free = state.quilt(mover).complement();
            let actions = free.squares().map(Action::Special);
            if self.any(state, None, actions, &mut wins)? {
                return Some(mover);
            }
            return Some(mover.other());
        }
        let mut patches = by_gain(self.setup, state);
        let last = self.last_wins[mover.index()];
        let advances_first = last == Some(Action::Advance);
        if let Some(Action::Buy(last, _)) = last {
            let is_last = |slot: &Option<(i16, PatchId)>| slot.is_some_and(|slot| slot.1 == last);
            if let Some(at) = patches.iter().position(is_last) {
                patches[..=at].rotate_right(1);
            }
        }
        let setup = self.setup;
        let advanced = || {
            let mut next = *state;
            next.play_unchecked(setup, Action::Advance);
            next
        };
        if advances_first && wins(self, Action::Advance, &advanced())? {
            return Some(mover);
        }
        for (_, patch) in patches.into_iter().flatten() {
            if self.buys(state, patch, &mut wins)? {
                return Some(mover);
            }
        }
        if !advances_first && wins(self, Action::Advance, &advanced())? {
            self.remember(mover, Action::Advance);
            return Some(mover);
        }
        Some(mover.other())
    }

    fn remember(&mut self, player: Player, action: Action) {
        if !self.is_long() {
            return;
        }
        self.last_wins[player.index()] = Some(action);
        if let Action::Buy(patch, placement) = action {
            self.winning_placements[player.index()][patch.index()] = Some(placement);
        }
    }

    /// Whether the mover wins by buying this patch.
    fn buys(
        &mut self,
        state: &State,
        patch: PatchId,
        wins: &mut impl FnMut(&mut Self, Action, &State) -> Option<bool>,
    ) -> Option<bool> {
        let mover = state.mover();
        if let Some(bounds) = &mut self.bounds
            && !bounds.might_fit(self.setup, mover, patch)
        {
            return Some(false);
        }
        let shape = patch.patch().shape();
        if shape.size() > state.empty_squares(mover).into() {
            return Some(false);
        }
        let all = Placement::all(shape, state.free_words());
        let buy = |placement| Action::Buy(patch, placement);
        let first = self.winning_placements[mover.index()][patch.index()];
        let first =
            first.filter(|placement| !buy(*placement).squares().overlaps(state.quilt(mover)));
        let Some(first) = first else {
            return self.any(state, Some(patch), all.map(buy), wins);
        };
        let others = all.filter(|placement| *placement != first);
        let actions = [first].into_iter().chain(others).map(buy);
        self.any(state, Some(patch), actions, wins)
    }

    /// Whether the mover wins with any of these actions, which place the same patch, or a special patch.
    fn any(
        &mut self,
        state: &State,
        patch: Option<PatchId>,
        actions: impl Iterator<Item = Action>,
        wins: &mut impl FnMut(&mut Self, Action, &State) -> Option<bool>,
    ) -> Option<bool> {
        let mover = state.mover();
        let mut matter = true;
        for (tried, action) in actions.enumerate() {
            let mut next = *state;
            if self.anywhere == Some(mover) {
                next.play_anywhere(self.setup, patch);
                return wins(self, action, &next);
            }
            next.play_unchecked(self.setup, action);
            if tried == 0 {
                matter = self.squares_matter(state, &next, patch);
            }
            // The first placement of the favourite probably wins.
            let asks = (self.favourite).is_some_and(|player| tried == usize::from(player == mover));
            if asks && matter && self.anywhere.is_none() && self.loses_anywhere(state, patch) {
                return Some(false);
            }
            if wins(self, action, &next)? {
                if patch.is_some() {
                    self.remember(mover, action);
                }
                return Some(true);
            }
            if !matter || self.anywhere.is_some() {
                break;
            }
        }
        Some(false)
    }

    /// Whether the mover is known to lose wherever it places a patch, or a special patch: it loses even if every patch
    /// that fits now still fits afterwards, and with the bonus if it might earn that.
    fn loses_anywhere(&mut self, state: &State, patch: Option<PatchId>) -> bool {
        let mover = state.mover();
        let mut next = *state;
        next.play_anywhere(self.setup, patch);
        if let Some(bounds) = &mut self.bounds
            && bounds.may_earn_bonus(self.setup, mover)
        {
            next = next.with_bonus(mover);
        }
        self.anywhere = Some(mover);
        let winner = self.winner(&next);
        self.anywhere = None;
        winner == Some(mover.other())
    }

    /// Whether the result can depend on which squares the mover covers by an action like the one that leads to
    /// `next`.
    fn squares_matter(&mut self, state: &State, next: &State, patch: Option<PatchId>) -> bool {
        let mover = state.mover();
        if let Some(bounds) = &mut self.bounds {
            return bounds.squares_matter(self.setup, next, mover);
        }
        let patch = patch.map(PatchId::patch);
        let time = patch.map_or(0, |patch| patch.time_cost);
        if state.space(mover) + time < LAST_SPACE {
            return true;
        }
        let squares = patch.map_or(1, |patch| patch.shape().size());
        let specials = state.specials_on_track() + u32::from(state.specials_waiting());
        state.bonus().is_none() && state.quilt(mover).len() + squares + specials >= AREA
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::{Budget, Stop};
    use crate::testing::late_positions;

    /// Every action of every position.
    fn by_everything(setup: &Setup, state: &State) -> Player {
        if state.is_over() {
            return state.outcome_unchecked().winner;
        }
        let mover = state.mover();
        let wins = state.legal_actions(setup).into_iter().any(|action| {
            let mut next = *state;
            next.play_unchecked(setup, action);
            by_everything(setup, &next) == mover
        });
        if wins { mover } else { mover.other() }
    }

    /// As much time as any search takes.
    fn hours(stop: &Stop) -> Meter<'_> {
        Budget::Time(Duration::from_secs(3600)).meter(stop)
    }

    /// A search of positions with this many spaces left.
    fn search(positions: u32, spaces: u8, (bounds, relaxed): (bool, bool)) -> Endgame {
        Endgame {
            positions,
            spaces,
            bounds,
            relaxed,
        }
    }

    /// With bounds, and relaxed.
    const WAYS: [(bool, bool); 3] = [(false, false), (true, false), (true, true)];

    #[test]
    fn the_exact_search_agrees_with_trying_everything() {
        let positions = late_positions(60, 4);
        assert!(positions.len() > 40);
        for way in WAYS {
            let endgame = search(u32::MAX, 4, way);
            let mut won_by = [0; 2];
            for (setup, state) in &positions {
                let expected = by_everything(setup, state);
                assert_eq!(endgame.winner(setup, state), Some(expected));
                won_by[expected.index()] += 1;
                for limit in [None, Some(hours(&Stop::new()))] {
                    let action = endgame.winning_action(setup, state, limit);
                    assert_eq!(action.is_some(), expected == state.mover());
                    if let Some(action) = action {
                        let next = state.try_play(setup, action).expect("legal");
                        assert_eq!(by_everything(setup, &next), expected);
                    }
                }
            }
            assert!(won_by.iter().all(|&count| count > 5), "{won_by:?}");
        }
    }

    #[test]
    fn bounds_and_relaxation_change_no_winner_and_save_positions() {
        let mut solved = [0; 3];
        for (setup, state) in late_positions(60, 12) {
            let searches = WAYS.map(|way| search(300, 12, way));
            let winners = searches.map(|search| search.winner(&setup, &state));
            let mut known = winners.iter().flatten();
            let first = known.next();
            assert!(known.all(|winner| Some(winner) == first), "{winners:?}");
            if let Some(&winner) = first {
                let stop = Stop::new();
                let action = searches[2].winning_action(&setup, &state, Some(hours(&stop)));
                assert_eq!(action.is_some(), winner == state.mover());
            }
            for (solved, winner) in solved.iter_mut().zip(winners) {
                *solved += u32::from(winner.is_some());
            }
        }
        assert!(
            solved[0] > 5 && solved.is_sorted_by(|a, b| a < b),
            "{solved:?}"
        );
    }

    #[test]
    fn a_relaxed_search_of_few_positions_is_right() {
        let mut solved = 0;
        for (setup, state) in late_positions(2000, 14) {
            if let Some(winner) = search(30, 14, (true, true)).winner(&setup, &state)
                && let Some(expected) = search(2000, 14, (true, false)).winner(&setup, &state)
            {
                assert_eq!(winner, expected, "{state:?}");
                solved += 1;
            }
        }
        assert!(solved > 400, "{solved}");
    }

    #[test]
    fn a_purchase_anywhere_changes_all_but_the_quilt_and_the_bonus() {
        let mut bought = 0;
        for (setup, state) in late_positions(60, 16) {
            for action in state.legal_actions(&setup) {
                let patch = match action {
                    Action::Buy(patch, _) => Some(patch),
                    Action::Special(_) => None,
                    Action::Advance => continue,
                };
                let [mut placed, mut anywhere] = [state; 2];
                placed.play_unchecked(&setup, action);
                anywhere.play_anywhere(&setup, patch);
                let mover = state.mover();
                assert_eq!(anywhere.quilt(mover), state.quilt(mover));
                assert_eq!(anywhere.bonus(), state.bonus());
                let rest = |state: &State| {
                    let of = |player| {
                        let purse = (state.buttons(player), state.income(player));
                        (purse, state.space(player), state.empty_squares(player))
                    };
                    let specials = (state.specials_on_track(), state.specials_waiting());
                    let ring: Vec<usize> = state.ring_places().collect();
                    (
                        Player::BOTH.map(of),
                        specials,
                        ring,
                        state.mover(),
                        state.arrived(),
                    )
                };
                assert_eq!(rest(&anywhere), rest(&placed));
                bought += 1;
            }
        }
        assert!(bought > 100, "{bought}");
    }

    #[test]
    fn with_a_limit_in_time_as_many_positions_are_searched_as_it_takes() {
        let stop = Stop::new();
        let limit = hours(&stop);
        let search = |positions| search(positions, 12, (true, false));
        let mut more = 0;
        for (setup, state) in late_positions(60, 12) {
            let Some(winner) = search(3000).winner(&setup, &state) else {
                continue;
            };
            let action = search(1).winning_action(&setup, &state, Some(limit));
            assert_eq!(action.is_some(), winner == state.mover());
            if let Some(action) = action {
                let next = state.try_play(&setup, action).expect("legal");
                assert_eq!(search(u32::MAX).winner(&setup, &next), Some(winner));
                more += usize::from(search(1).winning_action(&setup, &state, None).is_none());
            }
        }
        assert!(more > 5, "{more}");
        stop.set();
        let solved = |(setup, state): &(Setup, State)| {
            let limited = search(1).winning_action(setup, state, Some(limit));
            limited.is_some() && search(300).winning_action(setup, state, None).is_none()
        };
        assert!(!late_positions(60, 12).iter().any(solved));
    }

    #[test]
    fn it_gives_up_rather_than_take_too_long() {
        let (setup, state) = &late_positions(3, 30)[0];
        let endgame = search(3, 30, (false, false));
        assert_eq!(endgame.winner(setup, state), None);
        assert_eq!(endgame.winning_action(setup, state, None), None);
        let sooner = search(u32::MAX, 1, (true, true));
        assert_eq!(sooner.winner(setup, state), None);
        assert_eq!(sooner.winning_action(setup, state, None), None);
    }
}
