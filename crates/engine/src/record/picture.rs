//! Positions and plies as people see them: as text for a terminal, readable without colour.

use std::io;

use serde::Serialize;

use super::extras::ConsideredAction;
use super::ply::Ply;
use super::termination::Termination;
use crate::board::{Quilt, SIDE, SQUARES, Square, Words};
use crate::game::{
    Action, ActionList, LAST_SPACE, Outcome, PatchId, Placement, Player, Position, State, is_income,
};
use crate::util::counted;

/// How patches are drawn.
pub const LEGEND: &str = "\
Patches: A to Z for 1 to 26, a to g for 27 to 33, * special; (the last placement).
Track: 1 first player, 2 second, = both; + income, * special patch.";

const EMPTY: char = '.';
/// Width of the left half in columns, one more than what it says of a player at most.
const WIDTH: usize = 36;

/// A position as it is seen: written for a terminal, and as JSON for pages and other programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Picture {
    /// The rules: the printing of the time board, and the komi if there is one.
    pub track: String,
    /// The ring at the start of the game.
    pub ring: String,
    /// The actions that led to the position, separated by spaces.
    pub actions: String,
    /// Their number.
    pub plies: usize,
    /// The player to move; `None` if the game is over.
    pub mover: Option<Player>,
    /// Number of legal actions.
    pub legal: u32,
    /// The next three patches, or fewer if fewer are left.
    pub next: Vec<PatchOffer>,
    /// The spaces of the special patches that are still on the track.
    pub special_patches: Vec<u8>,
    /// Special patches that the mover has to place now.
    pub special_patches_waiting: u8,
    /// Who has the 7x7 bonus.
    pub bonus: Option<Player>,
    /// The first and the second player.
    pub players: [PlayerPicture; 2],
    /// The last action; `None` before the first.
    pub last: Option<LastAction>,
    /// The text of the [`Position`].
    pub text: String,
}

/// A patch on offer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PatchOffer {
    /// Its number.
    #[cfg_attr(feature = "schema", schemars(with = "u8"))]
    pub patch: PatchId,
    /// Its price.
    pub buttons: u8,
    /// The spaces that its buyer moves.
    pub spaces: u8,
    /// Buttons at each income space.
    pub income: u8,
    /// Whether the mover has enough buttons.
    pub affordable: bool,
    /// Whether it fits on the mover's quilt.
    pub fits: bool,
}

/// A player in a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayerPicture {
    /// The space of the token, 0 to 53.
    pub space: u8,
    /// Buttons in hand.
    pub buttons: u16,
    /// Buttons at each income space.
    pub income: u8,
    /// Squares covered.
    pub covered: u32,
    /// Points if the game ended now.
    pub score: i16,
    /// The rows of the quilt from the top, with `.` for a free square.
    pub quilt: Vec<String>,
    /// What lies on it, in order.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub placed: Vec<Action>,
}

/// The action that led to a position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LastAction {
    /// Who played it.
    pub player: Player,
    /// The action.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub action: Action,
}

impl Picture {
    /// The picture of a position.
    pub fn new(position: &Position) -> Self {
        let Position { setup, state, .. } = position;
        let mover = (!state.is_over()).then(|| state.mover());
        let next = state.ring_places().take(3);
        Self {
            track: setup.rules().to_string(),
            ring: setup.ring().to_string(),
            actions: ActionList(position.actions.clone()).to_string(),
            plies: position.actions.len(),
            mover,
            legal: mover.map_or(0, |_| state.count_actions(setup)),
            next: next
                .map(|place| PatchOffer::new(state, mover, setup.patch_at(place)))
                .collect(),
            special_patches: state.special_spaces().collect(),
            special_patches_waiting: state.specials_waiting(),
            bonus: state.bonus(),
            players: Player::BOTH.map(|player| PlayerPicture::new(position, player)),
            last: position
                .last
                .map(|(player, action)| LastAction { player, action }),
            text: position.to_string(),
        }
    }

    /// The headings of both players, with their names if they have any and a mark at the one who moves.
    pub fn heads(&self, names: [Option<&str>; 2]) -> [String; 2] {
        Player::BOTH.map(|player| {
            let name = names[player.index()].map_or(String::new(), |name| format!(": {name}"));
            let moves = self.mover == Some(player);
            let moves = if moves { " (to move)" } else { "" };
            format!("{player}{name}{moves}")
        })
    }

    /// Writes the position: both players under these headings, their quilts, and the next patches.
    pub fn write(&self, out: &mut dyn io::Write, [left, right]: &[String; 2]) -> io::Result<()> {
        match left.chars().count() < WIDTH && right.chars().count() < WIDTH {
            true => writeln!(out, "    {left:<WIDTH$} {right}")?,
            // Long names have lines of their own.
            false => writeln!(out, "    {left}\n    {right}")?,
        }
        let [first, second] = &self.players;
        writeln!(out, "    {:<WIDTH$} {}", first.facts(), second.facts())?;
        let [left, right] = Player::BOTH.map(|player| self.score(player));
        writeln!(out, "    {left:<WIDTH$} {right}")?;
        let letters = "a b c d e f g h i";
        writeln!(out, "      {letters:<WIDTH$} {letters}")?;
        for row in 0..SIDE {
            let [left, right] = Player::BOTH.map(|player| self.row(player, row));
            writeln!(out, "    {left:<WIDTH$} {right}")?;
        }
        writeln!(out, "    track {}", self.track())?;
        if self.mover.is_none() {
            return Ok(());
        }
        let specials: Vec<String> = self.special_patches.iter().map(u8::to_string).collect();
        if !specials.is_empty() {
            writeln!(out, "    special patches on {}", specials.join(", "))?;
        }
        for (i, one) in self.next.iter().enumerate() {
            let head = if i == 0 { "next:" } else { "" };
            let (patch, shape) = (one.patch, one.patch.patch().shape().literal());
            let (costs, income) = (costs(patch), one.income);
            writeln!(
                out,
                "    {head:5} {patch} {shape} ({costs}, income {income})"
            )?;
        }
        Ok(())
    }

    fn score(&self, player: Player) -> String {
        let PlayerPicture { score, covered, .. } = &self.players[player.index()];
        let bonus = self.bonus == Some(player);
        let bonus = if bonus { "  7x7" } else { "" };
        format!("score {score}  covered {covered}{bonus}")
    }

    /// A row of a player's quilt with its number, and the last placement in parentheses.
    fn row(&self, player: Player, row: usize) -> String {
        let own = self.last.filter(|last| last.player == player);
        let marked = own.map_or(Quilt::EMPTY, |last| last.action.squares());
        let mut text = (row + 1).to_string();
        let mut inside = false;
        for (column, symbol) in self.players[player.index()].quilt[row].chars().enumerate() {
            let is_marked = marked.contains(Square::at(column, row));
            text.push(match (inside, is_marked) {
                (false, true) => '(',
                (true, false) => ')',
                _ => ' ',
            });
            text.push(symbol);
            inside = is_marked;
        }
        if inside {
            text.push(')');
        }
        text
    }

    /// The time track from start to end, one symbol per space.
    fn track(&self) -> String {
        let symbol = |space: u8| match self.players.each_ref().map(|one| one.space == space) {
            [true, true] => '=',
            [true, false] => '1',
            [false, true] => '2',
            _ if self.special_patches.contains(&space) => '*',
            _ if is_income(space) => '+',
            _ => EMPTY,
        };
        (0..=LAST_SPACE).map(symbol).collect()
    }
}

impl PatchOffer {
    fn new(state: &State, mover: Option<Player>, patch: PatchId) -> Self {
        let printed = patch.patch();
        let fits = |mover| {
            let free = Words::new(state.quilt(mover).complement());
            Placement::all(printed.shape(), free).next().is_some()
        };
        Self {
            patch,
            buttons: printed.button_cost,
            spaces: printed.time_cost,
            income: printed.income,
            affordable: mover.is_some_and(|mover| printed.costs_at_most(state.buttons(mover))),
            fits: mover.is_some_and(fits),
        }
    }
}

impl PlayerPicture {
    fn new(Position { state, placed, .. }: &Position, player: Player) -> Self {
        let placed = &placed[player.index()];
        let mut quilt = [EMPTY; SQUARES];
        for &action in placed {
            for square in action.squares().squares() {
                quilt[square.index()] = symbol_of(action);
            }
        }
        Self {
            space: state.space(player),
            buttons: state.buttons(player),
            income: state.income(player),
            covered: state.quilt(player).len(),
            score: state.score(player),
            quilt: quilt.chunks(SIDE).map(String::from_iter).collect(),
            placed: placed.clone(),
        }
    }

    fn facts(&self) -> String {
        let (space, buttons, income) = (self.space, self.buttons, self.income);
        format!("space {space}/{LAST_SPACE}  buttons {buttons}  income {income}")
    }
}

/// The headings of both players with their names.
pub fn heads(names: [&str; 2]) -> [String; 2] {
    Player::BOTH.map(|player| format!("{player}: {}", names[player.index()]))
}

/// What a patch costs, such as `1 button, 2 spaces`.
fn costs(patch: PatchId) -> String {
    let printed = patch.patch();
    let buttons = counted(printed.button_cost.into(), "button");
    let spaces = counted(printed.time_cost.into(), "space");
    format!("{buttons}, {spaces}")
}

/// The symbol that marks the squares of an action.
fn symbol_of(action: Action) -> char {
    match action {
        Action::Advance => EMPTY,
        Action::Buy(patch, _) => symbol(patch),
        Action::Special(_) => '*',
    }
}

/// The letter of a patch in diagrams.
fn symbol(patch: PatchId) -> char {
    let index = patch.index() as u8;
    char::from(if index < 26 {
        b'A' + index
    } else {
        b'a' + index - 26
    })
}

/// An action as a predicate, such as "advances".
fn predicate(action: Action) -> String {
    match action {
        Action::Advance => "advances".to_owned(),
        Action::Buy(patch, _) => {
            let squares = action.squares();
            format!("buys patch {patch} ({}) for {squares}", costs(patch))
        }
        Action::Special(square) => format!("places a special patch on {square}"),
    }
}

/// Writes the action and the agent's thought about it, without a line end; `number` counts from 1.
pub fn write_ply(out: &mut dyn io::Write, number: usize, name: &str, ply: &Ply) -> io::Result<()> {
    let (player, action) = (ply.player, predicate(ply.action));
    write!(out, "Ply {number}: {name} ({player}) {action}; ")?;
    write!(out, "{} legal", ply.legal)?;
    if ply.thought.iterations > 0 {
        write!(out, ", {} iterations", ply.thought.iterations)?;
    }
    if let Some(value) = ply.thought.value {
        write!(out, ", expects {:.1}%", 100.0 * value)?;
    }
    Ok(())
}

/// Writes the actions that an agent considered in columns, one per line.
pub fn write_considered(
    out: &mut dyn io::Write,
    considered: &[ConsideredAction],
) -> io::Result<()> {
    let rows = considered.iter().map(|one| (one.action.to_string(), one));
    let rows: Vec<(String, &ConsideredAction)> = rows.collect();
    let width = rows.iter().map(|(action, _)| action.len()).max();
    let width = width.unwrap_or(0);
    for (action, one) in rows {
        let (visits, value) = (one.visits, 100.0 * one.value);
        writeln!(out, "  {action:width$} {visits:>10} visits {value:>6.1}%")?;
    }
    Ok(())
}

/// Writes the actions that a bot expected, its own first, on one line.
pub fn write_expected(out: &mut dyn io::Write, expected: &[Action]) -> io::Result<()> {
    if expected.is_empty() {
        return Ok(());
    }
    write!(out, "  expects")?;
    for action in expected {
        write!(out, " {action}")?;
    }
    writeln!(out)
}

/// Writes who has lost by a fault.
pub fn write_termination(
    out: &mut dyn io::Write,
    Termination { loser, reason }: Termination,
    names: [&str; 2],
) -> io::Result<()> {
    let winner = loser.other();
    writeln!(
        out,
        "{} ({winner}) wins: {} ({loser}) lost by {reason}.",
        names[winner.index()],
        names[loser.index()]
    )
}

/// Writes who has won, by how much, and who has the bonus.
pub fn write_outcome(
    out: &mut dyn io::Write,
    outcome: &Outcome,
    names: [&str; 2],
) -> io::Result<()> {
    let bonus = outcome
        .bonus
        .map_or("nobody", |player| names[player.index()]);
    let (winner, loser) = (outcome.winner, outcome.winner.other());
    writeln!(
        out,
        "{} ({winner}) wins {} to {}; the 7x7 bonus went to {bonus}.",
        names[winner.index()],
        outcome.scores[winner.index()],
        outcome.scores[loser.index()]
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{random_plies, setup_and_rng};

    #[test]
    fn a_long_name_does_not_move_the_columns() {
        let (setup, _) = setup_and_rng(4);
        let long = "mcts-regret{search.exploration=1.0} (to move)";
        let drawn = |heads: [String; 2]| {
            let mut text = Vec::new();
            let picture = Picture::new(&Position::start(setup.clone()));
            picture.write(&mut text, &heads).expect("in memory");
            String::from_utf8(text).expect("UTF-8")
        };
        let [short, long] = ["a", long].map(|name| drawn(heads([name, "b"])));
        let (heads, rest) = long.split_at(long.find("    space").expect("facts"));
        assert_eq!(heads.lines().count(), 2);
        assert!(short.ends_with(rest), "{long}");
    }

    #[test]
    fn the_last_placement_and_the_track_are_seen_without_colour() {
        let (setup, mut rng) = setup_and_rng(4);
        let mut position = Position::start(setup.clone());
        random_plies(&setup, &mut rng, |_, action, _| {
            position.play(action).expect("legal");
            let state = &position.state;
            let mut text = Vec::new();
            let written = Picture::new(&position).write(&mut text, &heads(["a", "b"]));
            written.expect("in memory");
            let text = String::from_utf8(text).expect("UTF-8");
            assert!(
                text.lines().all(|line| line.chars().count() <= 80),
                "{text}"
            );
            // The squares in parentheses are exactly those of the action.
            let squares = action.squares();
            let mut inside = 0;
            for line in text.lines().filter(|line| line.starts_with(' ')) {
                let parts = line.split('(').skip(1);
                let is_row = line
                    .strip_prefix("    ")
                    .is_some_and(|line| line.starts_with(|c: char| c.is_ascii_digit()));
                if is_row {
                    let marked = parts.filter_map(|part| part.split(')').next());
                    inside += marked
                        .map(|part| part.split_whitespace().count())
                        .sum::<usize>();
                }
            }
            assert_eq!(inside, squares.len() as usize, "{text}");
            let track = text
                .lines()
                .find_map(|line| line.strip_prefix("    track "));
            let track: Vec<char> = track.expect("a track").chars().collect();
            assert_eq!(track.len(), 54);
            for (player, own) in Player::BOTH.into_iter().zip(['1', '2']) {
                let there = track[usize::from(state.space(player))];
                assert!(there == own || there == '=', "{text}");
            }
        });
    }
}
