//! Positions with what lies on the quilts, and the text that stands for them everywhere.

use std::fmt;
use std::str::FromStr;

use super::action::Action;
use super::patch::PATCH_COUNT;
use super::player::Player;
use super::setup::Setup;
use super::state::State;
use super::track::{LAST_SPACE, SPECIAL_COUNT};
use crate::util::InputError;

/// A position of a game: its [`State`], and what a state does not know: what lies where, and how it was reached.
///
/// Its text is what links, files and messages hold. A setup alone is the start of a game. Another position has each
/// player's buttons, space and placements after it, then the place of the ring after the token, the mover, the special
/// patches that wait, who has the bonus, who arrived first, and the spaces on which special patches still stand:
///
/// ```
/// use patchwork_engine::game::{Player, Position};
///
/// let ring = "2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 1";
/// let text = format!("original {ring} / 4 2 2:a1a2b2 / 6 1 / 1 second 0 - - 20 26 32 44 50");
/// let position: Position = text.parse()?;
/// assert_eq!(position.state.buttons(Player::First), 4);
/// assert_eq!(position.to_string(), text);
/// let start: Position = format!("original {ring}").parse()?;
/// let reached = start.after(["2:a1a2b2".parse()?, "A".parse()?])?;
/// assert_eq!(reached.state.mover(), Player::First);
/// # Ok::<(), patchwork_engine::util::InputError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The rules and the ring at the start of the game.
    pub setup: Setup,
    /// What is played.
    pub state: State,
    /// What lies on both quilts: purchases and special patches in order.
    pub placed: [Vec<Action>; 2],
    /// The actions that led here, from the start of the game or from a text.
    pub actions: Vec<Action>,
    /// The last of them and its player.
    pub last: Option<(Player, Action)>,
}

/// More buttons than a game can have.
const MAX_BUTTONS: u16 = 999;

impl Position {
    /// The start of a game.
    pub fn start(setup: Setup) -> Self {
        Self {
            state: State::new(&setup),
            setup,
            placed: Default::default(),
            actions: Vec::new(),
            last: None,
        }
    }

    /// The position after more actions.
    ///
    /// # Errors
    /// When one is illegal.
    pub fn after(mut self, actions: impl IntoIterator<Item = Action>) -> Result<Self, InputError> {
        let mut actions = actions.into_iter();
        actions.try_for_each(|action| self.play(action))?;
        Ok(self)
    }

    /// Plays one more action.
    ///
    /// # Errors
    /// When it is illegal; the position is unchanged.
    pub fn play(&mut self, action: Action) -> Result<(), InputError> {
        let player = self.state.mover();
        let next = self.state.try_play(&self.setup, action);
        self.state = next.map_err(|error| {
            let ply = self.actions.len() + 1;
            InputError::new(format!("ply {ply}, {action}: {error}"))
        })?;
        self.actions.push(action);
        self.last = Some((player, action));
        if !action.squares().is_empty() {
            self.placed[player.index()].push(action);
        }
        Ok(())
    }

    /// Reads a player's buttons, space and placements.
    fn set_player(&mut self, player: Player, text: &str) -> Result<(), InputError> {
        let mut words = text.split_whitespace();
        let mut next = || {
            words.next().ok_or_else(|| {
                InputError::new("a player has a number of buttons and a space".to_owned())
            })
        };
        let (buttons, space) = (number(next()?)?, number(next()?)?);
        if space > LAST_SPACE {
            return refuse(format!(
                "the {player} player is on space {space}; expected 0 to {LAST_SPACE}"
            ));
        }
        if buttons > MAX_BUTTONS {
            return refuse(format!(
                "the {player} player has {buttons} buttons; expected at most {MAX_BUTTONS}"
            ));
        }
        self.state.buttons[player.index()] = buttons;
        self.state.spaces[player.index()] = space;
        words.try_for_each(|word| self.lay(player, word.parse()?))
    }

    /// Lays a patch or a special patch on a quilt.
    fn lay(&mut self, player: Player, action: Action) -> Result<(), InputError> {
        let (me, squares, state) = (player.index(), action.squares(), &mut self.state);
        if squares.is_empty() {
            return refuse(format!(
                "{action} of the {player} player lies on no square; expected a patch or a special patch"
            ));
        }
        if let Some(covered) = squares.intersection(state.quilts[me]).first() {
            return refuse(format!(
                "{action} of the {player} player lies on {covered}, which is already covered"
            ));
        }
        if let Action::Buy(patch, _) = action {
            let place = 1 << self.setup.ring().place_of(patch);
            if state.ring & place == 0 {
                return refuse(format!("patch {patch} is placed twice"));
            }
            state.ring ^= place;
            state.income[me] += patch.patch().income;
        }
        state.quilts[me] = state.quilts[me].union(squares);
        state.covered[me] += squares.len() as u8;
        self.placed[me].push(action);
        Ok(())
    }

    /// Puts special patches on these spaces of the track.
    fn set_specials(&mut self, spaces: &[u8]) -> Result<(), InputError> {
        let placed = self.placed.iter().flatten();
        let placed = placed.filter(|action| matches!(action, Action::Special(_)));
        let all = placed.count() + usize::from(self.state.waiting) + spaces.len();
        if all > SPECIAL_COUNT {
            return refuse(format!(
                "there are {all} special patches on quilts, waiting and on the track; expected at most {SPECIAL_COUNT}"
            ));
        }
        let (track, state) = (self.setup.track(), &mut self.state);
        let front = state.spaces[0].max(state.spaces[1]);
        state.specials = 0;
        for &space in spaces {
            if !track.specials().contains(&space) {
                return refuse(format!(
                    "no special patch stands on space {space} of the {track} track"
                ));
            }
            if state.specials >> space & 1 == 1 {
                return refuse(format!("space {space} has two special patches"));
            }
            if space <= front {
                return refuse(format!(
                    "the special patch on space {space} is behind a token, which would have taken it"
                ));
            }
            state.specials |= 1 << space;
        }
        Ok(())
    }

    fn check_turn(&self) -> Result<(), InputError> {
        let (spaces, mover, waiting) = (self.state.spaces, self.state.mover, self.state.waiting);
        let [own, other] = [mover, mover.other()].map(|player| spaces[player.index()]);
        if waiting > 0 {
            let specials = self.setup.track().specials();
            let passed = specials.iter().filter(|&&space| space <= own).count();
            if usize::from(waiting) > passed {
                return refuse(format!(
                    "the {mover} player has passed too few special patches to place {waiting}"
                ));
            }
            if self.state.empty_squares(mover) == 0 {
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
        match self.state.arrived {
            None if at_end != [false; 2] => {
                refuse("a token is on the last space; expected who arrived there first".to_owned())
            }
            Some(player) if !at_end[player.index()] => refuse(format!(
                "the {player} player is not on the last space, so cannot have arrived there first"
            )),
            _ => Ok(()),
        }
    }

    fn check_bonus(&self) -> Result<(), InputError> {
        let full = self.state.quilts.map(|quilt| quilt.has_7x7());
        match self.state.bonus {
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

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = &self.state;
        write!(f, "{}", self.setup)?;
        for (player, placed) in Player::BOTH.into_iter().zip(&self.placed) {
            let (buttons, space) = (state.buttons(player), state.space(player));
            write!(f, " {SEPARATOR} {buttons} {space}")?;
            for action in placed {
                write!(f, " {action}")?;
            }
        }
        let who = |player: Option<Player>| player.map_or("-", Player::name);
        let (bonus, arrived) = (who(state.bonus), who(state.arrived));
        let State { token, mover, .. } = state;
        write!(f, " {SEPARATOR} {token} {mover} {}", state.waiting)?;
        write!(f, " {bonus} {arrived}")?;
        for space in state.special_spaces() {
            write!(f, " {space}")?;
        }
        Ok(())
    }
}

impl FromStr for Position {
    type Err = InputError;

    /// Reads a setup, or a position that fits together as in a game.
    fn from_str(text: &str) -> Result<Self, InputError> {
        let fields: Vec<&str> = text.split(SEPARATOR).collect();
        let (setup, first, second, turn) = match fields[..] {
            [setup] => return Ok(Self::start(setup.parse()?)),
            [setup, first, second, turn] => (setup, first, second, turn),
            _ => {
                return refuse(format!(
                    "expected a position in 4 parts (setup, first player, second player, turn) with '{SEPARATOR}' \
                     between them, found {}",
                    fields.len()
                ));
            }
        };
        let mut words = turn.split_whitespace();
        let mut next = |what: &str| {
            let missing = || InputError::new(format!("the position ends before {what}"));
            words.next().ok_or_else(missing)
        };
        let mut position = Self::start(setup.parse()?);
        let state = &mut position.state;
        state.token = number(next("the place of the token")?)?;
        state.mover = player_of(next("the player to move")?)?;
        state.waiting = number(next("the number of special patches that wait")?)?;
        state.bonus = player_or_none(next("who has the bonus")?)?;
        state.arrived = player_or_none(next("who arrived first")?)?;
        let specials = words.map(number).collect::<Result<Vec<u8>, _>>()?;
        if usize::from(state.token) >= PATCH_COUNT {
            return refuse(format!(
                "the token stands at place {} of the ring; expected 0 to {}",
                state.token,
                PATCH_COUNT - 1
            ));
        }
        position.set_player(Player::First, first)?;
        position.set_player(Player::Second, second)?;
        position.set_specials(&specials)?;
        position.check_turn()?;
        position.check_bonus()?;
        Ok(position)
    }
}

fn number<N: FromStr>(word: &str) -> Result<N, InputError> {
    let wrong = |_| InputError::new(format!("'{word}' is not a number that fits here"));
    word.parse().map_err(wrong)
}

fn player_of(word: &str) -> Result<Player, InputError> {
    let found = Player::BOTH.into_iter().find(|one| one.name() == word);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{random_plies, rows, setup_and_rng};

    /// The text of every position of a game leads back to it.
    #[test]
    fn positions_of_games_survive() {
        for seed in 0..40 {
            let (setup, mut rng) = setup_and_rng(seed);
            let mut position = Position::start(setup.clone());
            let check = |position: &Position| {
                let read: Position = position.to_string().parse().expect("a position");
                assert_eq!(read.setup, position.setup);
                assert_eq!(read.state, position.state);
                assert_eq!(read.placed, position.placed);
            };
            let end = random_plies(&setup, &mut rng, |_, action, _| {
                check(&position);
                position.play(action).expect("legal");
            });
            check(&position);
            assert_eq!(position.state, end);
        }
    }

    const START: &str = "original 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 \
                         32 33 1";

    fn refusal(rest: &str) -> String {
        let read = format!("{START} / {rest}").parse::<Position>();
        read.expect_err(rest).to_string()
    }

    #[test]
    fn actions_that_lead_nowhere_are_named() {
        let special: Action = "S:e5".parse().unwrap();
        let start: Position = START.parse().unwrap();
        let error = start.after([Action::Advance, special]).unwrap_err();
        let sentence = "ply 2, S:e5: no special patch waits to be placed";
        assert_eq!(error.to_string(), sentence);
    }

    /// What follows a setup, and why it is refused.
    const REFUSED: &str = "
        5 0 / 5 0 => expected a position in 4 parts (setup, first player, second player, turn) with '/' between them, found 3
        5 0 / 5 0 / 0 first 0 - => the position ends before who arrived first
        5 0 / 5 0 / 0 third 0 - - => 'third' is not a player; expected first or second
        -1 0 / 5 0 / 0 first 0 - - => '-1' is not a number that fits here
        5 / 5 0 / 0 first 0 - - => a player has a number of buttons and a space
        1000 0 / 5 0 / 0 first 0 - - => the first player has 1000 buttons; expected at most 999
        5 54 / 5 0 / 0 second 0 - - => the first player is on space 54; expected 0 to 53
        5 0 / 5 0 / 33 first 0 - - => the token stands at place 33 of the ring; expected 0 to 32
        5 0 A / 5 0 / 0 first 0 - - => A of the first player lies on no square; expected a patch or a special patch
        5 0 S:a1 1:a1b1 / 5 0 / 0 first 0 - - => 1:a1b1 of the first player lies on a1, which is already covered
        5 0 1:a1b1 / 5 0 1:a1b1 / 0 first 0 - - => patch 1 is placed twice
        5 0 S:a1 / 5 0 / 0 first 0 - - 20 26 32 44 50 => there are 6 special patches on quilts, waiting and on the track; expected at most 5
        5 0 / 5 0 / 0 first 0 - - 21 => no special patch stands on space 21 of the original track
        5 0 / 5 0 / 0 first 0 - - 20 20 => space 20 has two special patches
        5 0 / 5 20 / 0 first 0 - - 20 => the special patch on space 20 is behind a token, which would have taken it
        5 2 / 5 1 / 0 first 0 - - => the first player is ahead on the track, so the second player moves
        5 2 / 5 1 / 0 first 1 - - => the first player has passed too few special patches to place 1
        5 53 / 5 1 / 0 second 0 - - => a token is on the last space; expected who arrived there first
        5 2 / 5 2 / 0 second 0 - first => the first player is not on the last space, so cannot have arrived there first
        5 2 / 5 2 / 0 second 0 first - => the first player has no filled 7x7 area, so cannot have the bonus
    ";

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        for [rest, sentence] in rows(REFUSED) {
            assert_eq!(refusal(rest), sentence);
        }
    }
}
