//! Positions in parts: for editors, and as a text from which a game can start.

use std::fmt;
use std::str::FromStr;

use super::action::Action;
use super::patch::{PATCH_COUNT, PatchId};
use super::player::Player;
use super::setup::Setup;
use super::state::State;
use super::track::{LAST_SPACE, SPECIAL_COUNT};
use crate::board::{Quilt, SQUARES};
use crate::util::InputError;

/// The parts of a position, whether or not they fit together.
///
/// The text has the setup, each player's buttons, space and placements, then the place of the ring after the token,
/// the mover, the special patches that wait, who has the bonus, who arrived first, and the spaces on which special
/// patches still stand:
///
/// ```
/// use patchwork_engine::game::PositionParts;
///
/// let ring = "2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 1";
/// let text = format!("original {ring} / 4 2 2:a1a2b2 / 6 1 / 1 second 0 - - 20 26 32 44 50");
/// let parts: PositionParts = text.parse()?;
/// assert_eq!(parts.players[0].buttons, 4);
/// assert_eq!(parts.to_string(), text);
/// let state = parts.state()?;
/// assert_eq!(state.legal_actions(&parts.setup).len() > 1, true);
/// # Ok::<(), patchwork_engine::util::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionParts {
    /// The track, and the ring at the start of the game. A patch that is on no quilt is in the ring.
    pub setup: Setup,
    /// The first and the second player.
    pub players: [PlayerParts; 2],
    /// The place of the ring after the token, 0 to 32.
    pub token: u8,
    /// The player to move.
    pub mover: Player,
    /// Special patches that the mover must place now.
    pub waiting: u8,
    /// Who has the bonus for a filled 7x7 area.
    pub bonus: Option<Player>,
    /// Who reached the last space first.
    pub arrived: Option<Player>,
    /// The spaces on which special patches still stand, ascending.
    pub specials: Vec<u8>,
}

/// A player's parts of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerParts {
    /// Buttons, at most [`MAX_BUTTONS`].
    pub buttons: u16,
    /// The space of the token, 0 to 53.
    pub space: u8,
    /// What lies on the quilt: purchases and special patches.
    pub placed: Vec<Action>,
}

/// More buttons than a game can have.
pub const MAX_BUTTONS: u16 = 999;

impl PositionParts {
    /// The parts of a state; `placed` are the placements on both quilts.
    pub fn new(setup: &Setup, state: &State, placed: [Vec<Action>; 2]) -> Self {
        let [first, second] = placed;
        let part = |player, placed| PlayerParts {
            buttons: state.buttons(player),
            space: state.space(player),
            placed,
        };
        Self {
            setup: setup.clone(),
            players: [part(Player::First, first), part(Player::Second, second)],
            token: state.token,
            mover: state.mover(),
            waiting: state.specials_waiting(),
            bonus: state.bonus(),
            arrived: state.arrived(),
            specials: state.special_spaces().collect(),
        }
    }

    /// The state, if the parts fit together as in a game.
    pub fn state(&self) -> Result<State, InputError> {
        let [first, second] = Player::BOTH.map(|player| self.quilt(player));
        let quilts = [first?, second?];
        self.check_patches()?;
        self.check_track()?;
        self.check_turn(quilts)?;
        self.check_bonus(quilts)?;
        let bought = Player::BOTH.map(|player| self.bought(player));
        let is_in_ring = |place: &usize| {
            let patch = self.setup.patch_at(*place);
            !bought.iter().flatten().any(|&one| one == patch)
        };
        let places = (0..PATCH_COUNT).filter(is_in_ring);
        let income = |patches: &Vec<PatchId>| patches.iter().map(|one| one.patch().income).sum();
        Ok(State {
            quilts,
            ring: places.fold(0, |bits, place| bits | 1 << place),
            specials: self
                .specials
                .iter()
                .fold(0, |bits, space| bits | 1 << space),
            buttons: self.players.each_ref().map(|one| one.buttons),
            spaces: self.spaces(),
            income: bought.each_ref().map(income),
            covered: quilts.map(|quilt| quilt.len() as u8),
            token: self.token,
            waiting: self.waiting,
            mover: self.mover,
            bonus: self.bonus,
            arrived: self.arrived,
        })
    }

    fn spaces(&self) -> [u8; 2] {
        self.players.each_ref().map(|one| one.space)
    }

    fn bought(&self, player: Player) -> Vec<PatchId> {
        let placed = self.players[player.index()].placed.iter();
        placed
            .filter_map(|action| match action {
                Action::Buy(patch, _) => Some(*patch),
                _ => None,
            })
            .collect()
    }

    /// The covered squares of a player.
    fn quilt(&self, player: Player) -> Result<Quilt, InputError> {
        let mut quilt = Quilt::EMPTY;
        for &action in &self.players[player.index()].placed {
            let squares = action.squares();
            if squares.is_empty() {
                return refuse(format!(
                    "{action} of the {player} player lies on no square; expected a patch or a special patch"
                ));
            }
            if let Some(covered) = squares.intersection(quilt).first() {
                return refuse(format!(
                    "{action} of the {player} player lies on {covered}, which is already covered"
                ));
            }
            quilt = quilt.union(squares);
        }
        Ok(quilt)
    }

    fn check_patches(&self) -> Result<(), InputError> {
        let mut seen = [false; PATCH_COUNT];
        for patch in Player::BOTH.iter().flat_map(|&player| self.bought(player)) {
            if std::mem::replace(&mut seen[patch.index()], true) {
                return refuse(format!("patch {patch} is placed twice"));
            }
        }
        let placed = self.players.iter().flat_map(|one| &one.placed);
        let placed = placed.filter(|action| matches!(action, Action::Special(_)));
        let all = placed.count() + usize::from(self.waiting) + self.specials.len();
        if all > SPECIAL_COUNT {
            return refuse(format!(
                "there are {all} special patches on quilts, waiting and on the track; expected at most {SPECIAL_COUNT}"
            ));
        }
        if usize::from(self.token) >= PATCH_COUNT {
            return refuse(format!(
                "the token stands at place {} of the ring; expected 0 to {}",
                self.token,
                PATCH_COUNT - 1
            ));
        }
        Ok(())
    }

    fn check_track(&self) -> Result<(), InputError> {
        let spaces = self.spaces();
        for (player, part) in Player::BOTH.iter().zip(&self.players) {
            if part.space > LAST_SPACE {
                return refuse(format!(
                    "the {player} player is on space {}; expected 0 to {LAST_SPACE}",
                    part.space
                ));
            }
            if part.buttons > MAX_BUTTONS {
                return refuse(format!(
                    "the {player} player has {} buttons; expected at most {MAX_BUTTONS}",
                    part.buttons
                ));
            }
        }
        let front = spaces[0].max(spaces[1]);
        for (i, &space) in self.specials.iter().enumerate() {
            if !self.setup.track().specials().contains(&space) {
                return refuse(format!(
                    "no special patch stands on space {space} of the {} track",
                    self.setup.track()
                ));
            }
            if self.specials[..i].contains(&space) {
                return refuse(format!("space {space} has two special patches"));
            }
            if space <= front {
                return refuse(format!(
                    "the special patch on space {space} is behind a token, which would have taken it"
                ));
            }
        }
        Ok(())
    }

    fn check_turn(&self, quilts: [Quilt; 2]) -> Result<(), InputError> {
        let (spaces, mover) = (self.spaces(), self.mover);
        let [own, other] = [mover, mover.other()].map(|player| spaces[player.index()]);
        if self.waiting > 0 {
            let specials = self.setup.track().specials();
            let passed = specials.iter().filter(|&&space| space <= own).count();
            if usize::from(self.waiting) > passed {
                return refuse(format!(
                    "the {mover} player has passed too few special patches to place {}",
                    self.waiting
                ));
            }
            if quilts[mover.index()].len() as usize == SQUARES {
                return refuse(format!(
                    "the {mover} player's quilt has no free square for a special patch"
                ));
            }
        } else if own > other {
            return refuse(format!(
                "the {mover} player is ahead on the track, so the {} player moves",
                mover.other()
            ));
        }
        let at_end = spaces.map(|space| space == LAST_SPACE);
        match self.arrived {
            None if at_end != [false; 2] => {
                refuse("a token is on the last space; expected who arrived there first".to_owned())
            }
            Some(player) if !at_end[player.index()] => refuse(format!(
                "the {player} player is not on the last space, so cannot have arrived there first"
            )),
            _ => Ok(()),
        }
    }

    fn check_bonus(&self, quilts: [Quilt; 2]) -> Result<(), InputError> {
        let full = quilts.map(|quilt| quilt.has_7x7());
        match self.bonus {
            None if full != [false; 2] => {
                refuse("a 7x7 area is filled; expected who has the bonus".to_owned())
            }
            Some(player) if !full[player.index()] => refuse(format!(
                "the {player} player has no filled 7x7 area, so cannot have the bonus"
            )),
            _ => Ok(()),
        }
    }
}

fn refuse<T>(sentence: String) -> Result<T, InputError> {
    Err(InputError::new(sentence))
}

/// Separates the fields of a position's text.
const SEPARATOR: char = '/';

impl fmt::Display for PositionParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.setup)?;
        for part in &self.players {
            write!(f, " {SEPARATOR} {} {}", part.buttons, part.space)?;
            for action in &part.placed {
                write!(f, " {action}")?;
            }
        }
        let who = |player: Option<Player>| player.map_or("-".to_owned(), |one| one.to_string());
        let Self { token, mover, .. } = self;
        write!(f, " {SEPARATOR} {token} {mover} {}", self.waiting)?;
        write!(f, " {} {}", who(self.bonus), who(self.arrived))?;
        for space in &self.specials {
            write!(f, " {space}")?;
        }
        Ok(())
    }
}

impl FromStr for PositionParts {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let fields: Vec<&str> = text.split(SEPARATOR).collect();
        let [setup, first, second, rest] = fields[..] else {
            return refuse(format!(
                "expected a position in 4 parts (setup, first player, second player, turn) with '{SEPARATOR}' \
                 between them, found {}",
                fields.len()
            ));
        };
        let mut words = rest.split_whitespace();
        let mut next = |what: &str| {
            let missing = || InputError::new(format!("the position ends before {what}"));
            words.next().ok_or_else(missing)
        };
        let token = number(next("the place of the token")?)?;
        let mover = player_of(next("the player to move")?)?;
        let waiting = number(next("the number of special patches that wait")?)?;
        let bonus = player_or_none(next("who has the bonus")?)?;
        let arrived = player_or_none(next("who arrived first")?)?;
        Ok(Self {
            setup: setup.parse()?,
            players: [player_parts(first)?, player_parts(second)?],
            token,
            mover,
            waiting,
            bonus,
            arrived,
            specials: words.map(number).collect::<Result<_, _>>()?,
        })
    }
}

fn number<N: FromStr>(word: &str) -> Result<N, InputError> {
    let wrong = |_| InputError::new(format!("'{word}' is not a number that fits here"));
    word.parse().map_err(wrong)
}

fn player_of(word: &str) -> Result<Player, InputError> {
    let found = Player::BOTH.into_iter().find(|one| one.to_string() == word);
    found.ok_or_else(|| {
        InputError::new(format!(
            "'{word}' is not a player; expected first or second"
        ))
    })
}

fn player_or_none(word: &str) -> Result<Option<Player>, InputError> {
    match word {
        "-" => Ok(None),
        _ => player_of(word).map(Some),
    }
}

fn player_parts(text: &str) -> Result<PlayerParts, InputError> {
    let mut words = text.split_whitespace();
    let mut next = || {
        words.next().ok_or_else(|| {
            InputError::new("a player has a number of buttons and a space".to_owned())
        })
    };
    Ok(PlayerParts {
        buttons: number(next()?)?,
        space: number(next()?)?,
        placed: words.map(str::parse).collect::<Result<_, _>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{random_plies, setup_and_rng};

    /// The parts of every position of a game lead back to it, and so does their text.
    #[test]
    fn positions_of_games_survive() {
        for seed in 0..40 {
            let (setup, mut rng) = setup_and_rng(seed);
            let mut placed = [Vec::new(), Vec::new()];
            let check = |state: &State, placed: &[Vec<Action>; 2]| {
                let parts = PositionParts::new(&setup, state, placed.clone());
                assert_eq!(parts.state().as_ref(), Ok(state), "{parts}");
                assert_eq!(parts.to_string().parse(), Ok(parts));
            };
            let end = random_plies(&setup, &mut rng, |state, action, _| {
                check(state, &placed);
                if !action.squares().is_empty() {
                    placed[state.mover().index()].push(action);
                }
            });
            check(&end, &placed);
        }
    }

    const START: &str = "original 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 \
                         32 33 1";

    fn refusal(rest: &str) -> String {
        let parts = format!("{START} / {rest}").parse::<PositionParts>();
        let state = parts.and_then(|parts| parts.state());
        state.expect_err(rest).to_string()
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        for (rest, sentence) in [
            (
                "5 0 / 5 0",
                "expected a position in 4 parts (setup, first player, second player, turn) with '/' between them, found 3",
            ),
            (
                "5 0 / 5 0 / 0 first 0 -",
                "the position ends before who arrived first",
            ),
            (
                "5 0 / 5 0 / 0 third 0 - -",
                "'third' is not a player; expected first or second",
            ),
            (
                "-1 0 / 5 0 / 0 first 0 - -",
                "'-1' is not a number that fits here",
            ),
            (
                "5 / 5 0 / 0 first 0 - -",
                "a player has a number of buttons and a space",
            ),
            (
                "1000 0 / 5 0 / 0 first 0 - -",
                "the first player has 1000 buttons; expected at most 999",
            ),
            (
                "5 54 / 5 0 / 0 second 0 - -",
                "the first player is on space 54; expected 0 to 53",
            ),
            (
                "5 0 / 5 0 / 33 first 0 - -",
                "the token stands at place 33 of the ring; expected 0 to 32",
            ),
            (
                "5 0 A / 5 0 / 0 first 0 - -",
                "A of the first player lies on no square; expected a patch or a special patch",
            ),
            (
                "5 0 S:a1 1:a1b1 / 5 0 / 0 first 0 - -",
                "1:a1b1 of the first player lies on a1, which is already covered",
            ),
            (
                "5 0 1:a1b1 / 5 0 1:a1b1 / 0 first 0 - -",
                "patch 1 is placed twice",
            ),
            (
                "5 0 S:a1 / 5 0 / 0 first 0 - - 20 26 32 44 50",
                "there are 6 special patches on quilts, waiting and on the track; expected at most 5",
            ),
            (
                "5 0 / 5 0 / 0 first 0 - - 21",
                "no special patch stands on space 21 of the original track",
            ),
            (
                "5 0 / 5 0 / 0 first 0 - - 20 20",
                "space 20 has two special patches",
            ),
            (
                "5 0 / 5 20 / 0 first 0 - - 20",
                "the special patch on space 20 is behind a token, which would have taken it",
            ),
            (
                "5 2 / 5 1 / 0 first 0 - -",
                "the first player is ahead on the track, so the second player moves",
            ),
            (
                "5 2 / 5 1 / 0 first 1 - -",
                "the first player has passed too few special patches to place 1",
            ),
            (
                "5 53 / 5 1 / 0 second 0 - -",
                "a token is on the last space; expected who arrived there first",
            ),
            (
                "5 2 / 5 2 / 0 second 0 - first",
                "the first player is not on the last space, so cannot have arrived there first",
            ),
            (
                "5 2 / 5 2 / 0 second 0 first -",
                "the first player has no filled 7x7 area, so cannot have the bonus",
            ),
        ] {
            assert_eq!(refusal(rest), sentence);
        }
    }
}
