//! Ships on a board.

use std::fmt;

/// Which squares hold a ship, row by row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShipGrid {
    ships: Vec<bool>,
    columns: usize,
}

impl ShipGrid {
    pub(super) fn new(ships: Vec<bool>, columns: usize) -> Self {
        Self { ships, columns }
    }

    /// Number of squares.
    #[must_use]
    pub fn squares(&self) -> usize {
        self.ships.len()
    }

    /// Whether a square holds a ship.
    ///
    /// # Panics
    /// When there is no such square.
    #[must_use]
    pub fn is_ship(&self, square: usize) -> bool {
        self.ships[square]
    }

    /// The rows: `#` for a ship, `.` for water.
    #[must_use]
    pub fn picture(&self) -> Vec<String> {
        let letter = |&ship: &bool| if ship { '#' } else { '.' };
        let rows = self.ships.chunks(self.columns);
        rows.map(|row| row.iter().map(letter).collect()).collect()
    }
}

impl fmt::Display for ShipGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.picture().join("\n"))
    }
}
