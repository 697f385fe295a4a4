//! Table 1 of the 2008 paper.

/// A row of the published table: failures and times of a pentomino board with all twelve pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishedPentominoes {
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// Failures until the first solution and for all solutions.
    pub failures: [u64; 2],
    /// Milliseconds for the first solution and for all (Gecode 2.1.1 on an Athlon 64 3500+).
    pub milliseconds: [u64; 2],
}

/// Table 1 of Lagerkvist and Pesant, "Modeling irregular shape placement problems with regular
/// constraints" (2008), the columns of the `regular` model.
pub const PUBLISHED_PENTOMINOES: [PublishedPentominoes; 4] = [
    PublishedPentominoes {
        rows: 20,
        columns: 3,
        failures: [25_129, 35_680],
        milliseconds: [6_695, 9_320],
    },
    PublishedPentominoes {
        rows: 15,
        columns: 4,
        failures: [4_700, 649_068],
        milliseconds: [1_015, 147_210],
    },
    PublishedPentominoes {
        rows: 12,
        columns: 5,
        failures: [541, 2_478_035],
        milliseconds: [126, 576_270],
    },
    PublishedPentominoes {
        rows: 10,
        columns: 6,
        failures: [893, 5_998_165],
        milliseconds: [237, 1_517_150],
    },
];
