//! A screen as a grid of characters, and the output that turns one screen into another.

use std::fmt::Write as _;

/// How a character looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) is_bold: bool,
    /// The number of one of the eight colours of terminals.
    pub(super) colour: Option<u8>,
}

impl Look {
    pub(super) const PLAIN: Self = Self {
        is_bold: false,
        colour: None,
    };
    pub(super) const BOLD: Self = Self {
        is_bold: true,
        colour: None,
    };

    pub(super) const fn coloured(self, colour: u8) -> Self {
        Self {
            colour: Some(colour),
            ..self
        }
    }
}

type CharCell = (char, Look);

const BLANK: CharCell = (' ', Look::PLAIN);

/// A screen of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CharGrid {
    columns: usize,
    cells: Vec<CharCell>,
}

impl CharGrid {
    /// An empty screen.
    pub(super) fn new(columns: usize, lines: usize) -> Self {
        Self {
            columns,
            cells: vec![BLANK; columns * lines],
        }
    }

    pub(super) const fn columns(&self) -> usize {
        self.columns
    }

    pub(super) fn lines(&self) -> usize {
        self.cells.len() / self.columns.max(1)
    }

    /// Writes a text, cut off at the end of the line. Characters outside ASCII become question marks, so that
    /// every character takes one column.
    pub(super) fn put(&mut self, column: usize, line: usize, text: &str, look: Look) {
        if line >= self.lines() || column >= self.columns {
            return;
        }
        let start = line * self.columns + column;
        let end = (line + 1) * self.columns;
        for (cell, c) in self.cells[start..end].iter_mut().zip(text.chars()) {
            let is_plain = c.is_ascii_graphic() || c == ' ';
            *cell = (if is_plain { c } else { '?' }, look);
        }
    }

    /// The text of a line.
    #[cfg(test)]
    pub(super) fn text(&self, line: usize) -> String {
        let cells = &self.cells[line * self.columns..(line + 1) * self.columns];
        let text: String = cells.iter().map(|cell| cell.0).collect();
        text.trim_end().to_owned()
    }

    /// The output that makes a terminal showing `before` show this screen: the changed characters only.
    /// Without a previous screen of the same size, the terminal is cleared first.
    pub(super) fn changes(&self, before: Option<&Self>, has_colour: bool) -> String {
        let mut out = String::new();
        let same_size =
            |other: &&Self| other.columns == self.columns && other.cells.len() == self.cells.len();
        let before = before.filter(same_size);
        if before.is_none() {
            out += "\x1b[0m\x1b[2J";
        }
        let mut at = None;
        let mut look = Look::PLAIN;
        for (i, &cell) in self.cells.iter().enumerate() {
            if cell == before.map_or(BLANK, |before| before.cells[i]) {
                continue;
            }
            if at != Some(i) {
                let (line, column) = (i / self.columns + 1, i % self.columns + 1);
                let _ = write!(out, "\x1b[{line};{column}H");
            }
            if cell.1 != look {
                look = cell.1;
                out += "\x1b[0";
                if look.is_bold {
                    out += ";1";
                }
                if let Some(colour) = look.colour.filter(|_| has_colour) {
                    let _ = write!(out, ";3{colour}");
                }
                out.push('m');
            }
            out.push(cell.0);
            // Terminals differ about where the cursor is after the last column.
            at = ((i + 1) % self.columns != 0).then_some(i + 1);
        }
        if look != Look::PLAIN {
            out += "\x1b[0m";
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changed_characters_are_written() {
        let mut before = CharGrid::new(10, 3);
        before.put(0, 0, "a long text", Look::PLAIN);
        assert_eq!(before.text(0), "a long tex");
        assert_eq!(
            before.changes(None, true),
            "\x1b[0m\x1b[2J\x1b[1;1Ha\x1b[1;3Hlong\x1b[1;8Htex"
        );
        let mut after = before.clone();
        assert_eq!(after.changes(Some(&before), true), "");
        after.put(2, 0, "lung", Look::PLAIN);
        after.put(9, 1, "xyz", Look::BOLD.coloured(2));
        after.put(0, 5, "below", Look::PLAIN);
        after.put(30, 1, "beside", Look::PLAIN);
        let colour = "\x1b[1;4Hu\x1b[2;10H\x1b[0;1;32mx\x1b[0m";
        assert_eq!(after.changes(Some(&before), true), colour);
        assert_eq!(
            after.changes(Some(&before), false),
            colour.replace(";32", "")
        );
        let smaller = CharGrid::new(9, 3);
        assert_eq!(smaller.changes(Some(&after), true), "\x1b[0m\x1b[2J");
        assert_eq!((smaller.columns(), smaller.lines()), (9, 3));
    }

    #[test]
    fn nothing_that_is_shown_can_control_the_terminal() {
        let mut grid = CharGrid::new(8, 1);
        grid.put(0, 0, "a\x1b[2J\u{9b}\né", Look::PLAIN);
        assert_eq!(grid.text(0), "a?[2J???");
    }
}
