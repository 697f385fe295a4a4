//! Cells in rows and columns, such as `XX/.X`.

use std::fmt;
use std::str::FromStr;

use patchwork_engine::board::Transform;
use patchwork_engine::util::InputError;

/// A set of cells with the corner of its bounding box at row 0 and column 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Drawing {
    /// Row and column of each cell, row by row.
    cells: Vec<(usize, usize)>,
    rows: usize,
    columns: usize,
}

impl Drawing {
    /// The drawing with these cells, moved to the corner.
    pub(super) fn new(cells: impl IntoIterator<Item = (usize, usize)>) -> Result<Self, InputError> {
        let mut cells: Vec<_> = cells.into_iter().collect();
        let top = cells.iter().map(|cell| cell.0).min();
        let left = cells.iter().map(|cell| cell.1).min();
        let (Some(top), Some(left)) = (top, left) else {
            return Err(InputError::new("the drawing has no square"));
        };
        for cell in &mut cells {
            *cell = (cell.0 - top, cell.1 - left);
        }
        cells.sort_unstable();
        cells.dedup();
        let rows = cells.iter().map(|cell| cell.0 + 1).max().unwrap_or(0);
        let columns = cells.iter().map(|cell| cell.1 + 1).max().unwrap_or(0);
        Ok(Self {
            cells,
            rows,
            columns,
        })
    }

    pub(super) fn cells(&self) -> &[(usize, usize)] {
        &self.cells
    }

    pub(super) fn area(&self) -> usize {
        self.cells.len()
    }

    pub(super) const fn rows(&self) -> usize {
        self.rows
    }

    pub(super) const fn columns(&self) -> usize {
        self.columns
    }

    fn transformed(&self, transform: Transform) -> Self {
        let turned = |&cell: &(usize, usize)| transform.apply(cell, (self.rows, self.columns));
        let mut cells: Vec<_> = self.cells.iter().map(turned).collect();
        cells.sort_unstable();
        let (rows, columns) = if transform.swaps_axes() {
            (self.columns, self.rows)
        } else {
            (self.rows, self.columns)
        };
        Self {
            cells,
            rows,
            columns,
        }
    }

    /// The distinct results of these transforms, in their order.
    pub(super) fn distinct(&self, transforms: &[Transform]) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for &transform in transforms {
            let turned = self.transformed(transform);
            if !all.contains(&turned) {
                all.push(turned);
            }
        }
        all
    }

    /// Whether all cells are connected over edges.
    pub(super) fn is_connected(&self) -> bool {
        let mut reached = vec![self.cells[0]];
        let mut next = 0;
        while let Some(&(row, column)) = reached.get(next) {
            next += 1;
            for cell in [
                (row + 1, column),
                (row.wrapping_sub(1), column),
                (row, column + 1),
                (row, column.wrapping_sub(1)),
            ] {
                if self.cells.binary_search(&cell).is_ok() && !reached.contains(&cell) {
                    reached.push(cell);
                }
            }
        }
        reached.len() == self.cells.len()
    }
}

impl FromStr for Drawing {
    type Err = InputError;

    /// Reads rows from the top, separated by `/`: `X` or `#` is a square, `.` is an empty place.
    fn from_str(text: &str) -> Result<Self, InputError> {
        let mut cells = Vec::new();
        for (row, line) in text.split('/').enumerate() {
            for (column, character) in line.chars().enumerate() {
                match character {
                    'X' | '#' => cells.push((row, column)),
                    '.' => {}
                    other => {
                        return Err(InputError::new(format!(
                            "'{other}' is not a cell; expected X or # for a square, . for none, and / between rows"
                        )));
                    }
                }
            }
        }
        Self::new(cells)
    }
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.rows {
            if row > 0 {
                f.write_str("/")?;
            }
            for column in 0..self.columns {
                let is_cell = self.cells.binary_search(&(row, column)).is_ok();
                f.write_str(if is_cell { "X" } else { "." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_read_moved_and_written() {
        let drawing: Drawing = ".##/.X.".parse().expect("a drawing");
        assert_eq!(drawing.to_string(), "XX/X.");
        assert_eq!(
            (drawing.rows(), drawing.columns(), drawing.area()),
            (2, 2, 3)
        );
        let turned = drawing.transformed(Transform::ROT_90);
        assert_eq!(turned.to_string(), "XX/.X");
        assert_eq!(drawing.distinct(&Transform::ALL).len(), 4);
        assert!(drawing.is_connected());
        let apart: Drawing = "X.X".parse().expect("a drawing");
        assert!(!apart.is_connected());
    }

    #[test]
    fn other_texts_are_refused() {
        let error = |text: &str| text.parse::<Drawing>().err().map(|e| e.to_string());
        assert_eq!(error("./.").as_deref(), Some("the drawing has no square"));
        assert!(error("XO").is_some_and(|error| error.starts_with("'O' is not a cell")));
    }
}
