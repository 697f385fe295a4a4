//! Writing games.

use std::fmt;

use super::{GameText, Move, result_name};
use crate::game::Player;

/// Maximum width of a line of moves in characters.
pub(super) const WIDTH: usize = 80;

impl fmt::Display for GameText {
    /// The game, followed by a line end. A control character in a value becomes a space; braces in a comment
    /// become brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = result_name(self.winner);
        for (name, value) in &self.headers {
            write_header(f, name, value)?;
        }
        write_header(f, "Result", result)?;
        writeln!(f)?;
        let mut width = 0;
        let mut write = |f: &mut fmt::Formatter<'_>, word: &str| {
            let length = word.chars().count();
            let gap = match width {
                0 => "",
                width if width + 1 + length <= WIDTH => " ",
                _ => "\n",
            };
            width = if gap == " " {
                width + 1 + length
            } else {
                length
            };
            write!(f, "{gap}{word}")
        };
        for (
            ply,
            Move {
                player,
                action,
                comment,
            },
        ) in (1..).zip(&self.moves)
        {
            let dots = if *player == Some(Player::Second) {
                "..."
            } else {
                "."
            };
            // A number and its action stay on one line.
            write(f, &format!("{ply}{dots} {action}"))?;
            if let Some(comment) = comment {
                let comment = comment.replace('{', "(").replace('}', ")");
                for word in format!("{{{}}}", comment.trim()).split_whitespace() {
                    write(f, word)?;
                }
            }
        }
        write(f, result)?;
        writeln!(f)
    }
}

fn write_header(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    write!(f, "[{name} \"")?;
    for c in value.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            c if c.is_control() => write!(f, " ")?,
            c => write!(f, "{c}")?,
        }
    }
    writeln!(f, "\"]")
}
