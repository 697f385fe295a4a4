//! Positions and plies as text, for a terminal and readable without colour.

use std::io;

use super::extras::ConsideredAction;
use super::ply::Ply;
use super::termination::Termination;
use crate::board::{Quilt, SIDE, Square};
use crate::game::{Action, LAST_SPACE, Outcome, PatchId, Player, Setup, State, is_income};
use crate::util::counted;

/// How patches are drawn.
pub const LEGEND: &str = "\
Patches: A to Z for 1 to 26, a to g for 27 to 33, * special; (the last placement).
Track: 1 first player, 2 second, = both; + income, * special patch.";

const EMPTY: char = '.';
/// Width of the left half in columns, one more than what it says of a player at most.
const WIDTH: usize = 36;

/// Both quilts with the patches on them, which a [`State`] does not distinguish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    quilts: [[char; Quilt::FULL.len() as usize]; 2],
    /// The squares covered by the last action, and its player.
    last: (Player, Quilt),
}

impl Default for Diagram {
    fn default() -> Self {
        Self::new()
    }
}

impl Diagram {
    /// The start of a game: two empty quilts.
    pub const fn new() -> Self {
        Self {
            quilts: [[EMPTY; Quilt::FULL.len() as usize]; 2],
            last: (Player::First, Quilt::EMPTY),
        }
    }

    /// Draws the squares that a player's action covers.
    pub fn play(&mut self, player: Player, action: Action) {
        let (symbol, squares) = (symbol_of(action), action.squares());
        for square in squares.squares() {
            self.quilts[player.index()][square.index()] = symbol;
        }
        self.last = (player, squares);
    }

    /// A player's quilt from the top row down, 9 symbols per row.
    pub fn rows(&self, player: Player) -> impl Iterator<Item = String> {
        let quilt = &self.quilts[player.index()];
        quilt.chunks(SIDE).map(|row| row.iter().collect())
    }

    /// A row of a player's quilt with its number, and the last placement in parentheses.
    fn row(&self, player: Player, row: usize) -> String {
        let (last, squares) = self.last;
        let is_marked = |column: usize| last == player && squares.contains(Square::at(column, row));
        let mut text = (row + 1).to_string();
        let mut inside = false;
        for column in 0..SIDE {
            let marked = is_marked(column);
            text.push(match (inside, marked) {
                (false, true) => '(',
                (true, false) => ')',
                _ => ' ',
            });
            text.push(self.quilts[player.index()][Square::at(column, row).index()]);
            inside = marked;
        }
        if inside {
            text.push(')');
        }
        text
    }

    /// Writes the position: both players under these headings, their quilts, and the next patches.
    pub fn write(
        &self,
        out: &mut dyn io::Write,
        setup: &Setup,
        state: &State,
        heads: [&str; 2],
    ) -> io::Result<()> {
        let facts = Player::BOTH.map(|player| facts(state, player));
        let scores = Player::BOTH.map(|player| score(state, player));
        let [left, right] = heads;
        match left.chars().count() < WIDTH && right.chars().count() < WIDTH {
            true => writeln!(out, "    {left:<WIDTH$} {right}")?,
            // Long names have lines of their own.
            false => writeln!(out, "    {left}\n    {right}")?,
        }
        for [left, right] in [facts, scores] {
            writeln!(out, "    {left:<WIDTH$} {right}")?;
        }
        let letters = "a b c d e f g h i";
        writeln!(out, "      {letters:<WIDTH$} {letters}")?;
        for row in 0..SIDE {
            let [left, right] = Player::BOTH.map(|player| self.row(player, row));
            writeln!(out, "    {left:<WIDTH$} {right}")?;
        }
        writeln!(out, "    track {}", track(state))?;
        if state.is_over() {
            return Ok(());
        }
        let specials: Vec<String> = state.special_spaces().map(|s| s.to_string()).collect();
        if !specials.is_empty() {
            writeln!(out, "    special patches on {}", specials.join(", "))?;
        }
        let next: Vec<String> = state
            .ring_places()
            .take(3)
            .map(|place| offer(setup.patch_at(place)))
            .collect();
        for (i, offer) in next.iter().enumerate() {
            let head = if i == 0 { "next:" } else { "" };
            writeln!(out, "    {head:5} {offer}")?;
        }
        Ok(())
    }
}

/// The time track from start to end, one symbol per space.
fn track(state: &State) -> String {
    let places = Player::BOTH.map(|player| state.space(player));
    let specials: Vec<u8> = state.special_spaces().collect();
    let symbol = |space: u8| match places.map(|place| place == space) {
        [true, true] => '=',
        [true, false] => '1',
        [false, true] => '2',
        _ if specials.contains(&space) => '*',
        _ if is_income(space) => '+',
        _ => EMPTY,
    };
    (0..=LAST_SPACE).map(symbol).collect()
}

fn facts(state: &State, player: Player) -> String {
    let (space, buttons) = (state.space(player), state.buttons(player));
    let income = state.income(player);
    format!("space {space}/{LAST_SPACE}  buttons {buttons}  income {income}")
}

fn score(state: &State, player: Player) -> String {
    let bonus = if state.bonus() == Some(player) {
        "  7x7"
    } else {
        ""
    };
    let (score, covered) = (state.score(player), state.quilt(player).len());
    format!("score {score}  covered {covered}{bonus}")
}

fn offer(patch: PatchId) -> String {
    let printed = patch.patch();
    let shape = printed.shape().literal();
    format!(
        "{patch} {shape} ({}, income {})",
        costs(patch),
        printed.income
    )
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
        let long = "first: mcts-regret{search.exploration=1.0} (to move)";
        let drawn = |heads| {
            let (mut text, state) = (Vec::new(), State::new(&setup));
            let written = Diagram::new().write(&mut text, &setup, &state, heads);
            written.expect("in memory");
            String::from_utf8(text).expect("UTF-8")
        };
        let [short, long] = ["first: a", long].map(|head| drawn([head, "second: b"]));
        let (heads, rest) = long.split_at(long.find("    space").expect("facts"));
        assert_eq!(heads.lines().count(), 2);
        assert!(short.ends_with(rest), "{long}");
    }

    #[test]
    fn the_last_placement_and_the_track_are_seen_without_colour() {
        let (setup, mut rng) = setup_and_rng(4);
        let mut diagram = Diagram::new();
        random_plies(&setup, &mut rng, |before, action, _| {
            let state = before.try_play(&setup, action).expect("legal");
            diagram.play(before.mover(), action);
            let mut text = Vec::new();
            diagram
                .write(&mut text, &setup, &state, ["first: a", "second: b"])
                .expect("in memory");
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
