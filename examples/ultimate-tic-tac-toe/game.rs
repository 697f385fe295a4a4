//! The rules of ultimate tic-tac-toe as in the report of Solberg and Sinha (2019).
//!
//! Nine local boards form one board. A move into cell c sends the opponent to local board c. The first three
//! in a row on any local board wins; in the longer game it claims the board, and three claimed boards in a
//! row win. A player sent to a full or claimed board plays on any other.

use patchwork_search::{GameRules, Side};

/// Cells of a board in lines of three, as bits.
pub(crate) const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];
pub(crate) const FULL: u16 = 0b111_111_111;

/// A move: local board and cell, both 0 to 8, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) board: u8,
    pub(crate) cell: u8,
}

impl std::fmt::Display for Mark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.board, self.cell)
    }
}

impl std::str::FromStr for Mark {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.trim().split_once(',');
        let number = |text: &str| text.trim().parse().ok().filter(|&n: &u8| n < 9);
        parts
            .and_then(|(board, cell)| {
                let (board, cell) = (number(board)?, number(cell)?);
                Some(Self { board, cell })
            })
            .ok_or_else(|| {
                format!(
                    "'{}' is not a move; expected board,cell, both 0 to 8",
                    text.trim()
                )
            })
    }
}

/// A position. Max has the marks X and index 0, min has O and index 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// For each side, the marks on each local board.
    pub(crate) marks: [[u16; 9]; 2],
    /// For each side, the local boards with three in a row.
    pub(crate) claimed: [u16; 2],
    /// The local board to play on; `None` for any.
    next: Option<u8>,
    mover: Side,
}

/// Max is the first side of the search, whoever moves first.
pub(crate) const MAX: Side = Side::First;
pub(crate) const MIN: Side = Side::Second;

pub(crate) fn index(side: Side) -> usize {
    usize::from(side == MIN)
}

pub(crate) fn has_line(marks: u16) -> bool {
    LINES.iter().any(|line| marks & line == *line)
}

impl Position {
    pub(crate) fn start(first: Side, board: u8) -> Self {
        Self {
            marks: [[0; 9]; 2],
            claimed: [0; 2],
            next: Some(board),
            mover: first,
        }
    }

    pub(crate) fn filled(&self, board: usize) -> u16 {
        self.marks[0][board] | self.marks[1][board]
    }
}

/// The two games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ultimate {
    /// Whether three claimed boards in a row are needed.
    pub(crate) extra: bool,
}

impl Ultimate {
    pub(crate) fn winner(self, position: &Position) -> Option<Side> {
        [MAX, MIN].into_iter().find(|&side| {
            let claimed = position.claimed[index(side)];
            if self.extra {
                has_line(claimed)
            } else {
                claimed != 0
            }
        })
    }

    fn is_closed(self, position: &Position, board: usize) -> bool {
        let claimed = position.claimed[0] | position.claimed[1];
        position.filled(board) == FULL || (self.extra && claimed >> board & 1 == 1)
    }

    /// All legal moves, board by board and row by row; none when all boards are closed.
    pub(crate) fn moves(self, position: &Position) -> impl Iterator<Item = Mark> {
        let filled: [u16; 9] = std::array::from_fn(|board| position.filled(board));
        let open: u16 = (0..9)
            .filter(|&board| !self.is_closed(position, board))
            .fold(0, |open, board| open | 1 << board);
        let boards = match position.next {
            Some(board) if open >> board & 1 == 1 => 1 << board,
            _ => open,
        };
        (0..81_u8)
            .map(|i| Mark {
                board: i / 9,
                cell: i % 9,
            })
            .filter(move |mark| {
                boards >> mark.board & 1 == 1
                    && filled[usize::from(mark.board)] >> mark.cell & 1 == 0
            })
    }
}

impl GameRules for Ultimate {
    type Position = Position;
    type Action = Mark;

    fn is_over(&self, position: &Position) -> bool {
        self.winner(position).is_some() || self.moves(position).next().is_none()
    }

    fn mover(&self, position: &Position) -> Side {
        position.mover
    }

    fn play(&self, position: &mut Position, mark: Mark) {
        let (side, board) = (index(position.mover), usize::from(mark.board));
        position.marks[side][board] |= 1 << mark.cell;
        if has_line(position.marks[side][board]) {
            position.claimed[side] |= 1 << board;
        }
        position.next = Some(mark.cell);
        position.mover = position.mover.other();
    }
}

/// The nine boards as three rows of three, with walls.
impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for row in 0..9 {
            if row % 3 == 0 && row > 0 {
                writeln!(f, "----+-----+----")?;
            }
            for column in 0..9 {
                let (board, bit) = (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3);
                let mark = |side: usize| self.marks[side][board] >> bit & 1 == 1;
                if column % 3 == 0 && column > 0 {
                    f.write_str(" | ")?;
                }
                f.write_str(if mark(0) {
                    "X"
                } else if mark(1) {
                    "O"
                } else {
                    "_"
                })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
