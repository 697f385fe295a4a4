//! Polyomino packing against the reference numbers of `tests/data/systems/pentominoes.tsv`.

use std::collections::BTreeSet;
use std::fs;

use patchwork_engine::search::Stop;
use patchwork_papers::puzzle::{
    PUBLISHED_PENTOMINOES, Region, RegularBy, TilePieces, Tiling, TilingModel, TilingResult,
    parse_square,
};

/// A row of the reference, by the names of its columns.
struct Row {
    names: Vec<String>,
    values: Vec<String>,
}

impl Row {
    fn get(&self, name: &str) -> u64 {
        let at = self.names.iter().position(|known| known == name);
        let value = &self.values[at.expect("a column")];
        value.parse().expect("a number")
    }

    fn tiling(&self) -> Tiling {
        let (rows, columns) = (self.get("rows") as usize, self.get("cols") as usize);
        tiling(rows, columns, TilePieces::pentominoes())
    }
}

fn reference() -> Vec<Row> {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/systems/pentominoes.tsv"
    );
    let text = fs::read_to_string(file).expect("readable");
    let split = |line: &str| line.split('\t').map(str::to_owned).collect::<Vec<_>>();
    let mut lines = text.lines();
    let names = split(lines.next().expect("names"));
    lines
        .map(|line| Row {
            names: names.clone(),
            values: split(line),
        })
        .collect()
}

fn tiling(rows: usize, columns: usize, pieces: TilePieces) -> Tiling {
    let region = Region::new(rows, columns).expect("a size");
    Tiling::new(region, pieces).expect("a problem")
}

fn solve(tiling: &Tiling, model: TilingModel, all: bool) -> TilingResult {
    let mut share = 0.0;
    let result = tiling.solve(model, all, &Stop::new(), &mut |done| {
        assert!(
            done >= share - 1e-9 && done <= 1.0 + 1e-9,
            "{done} after {share}"
        );
        share = done;
    });
    let result = result.expect("a suitable model");
    assert!(result.complete);
    for layout in &result.layouts {
        assert!(tiling.is_solved_by(layout), "{:?}", tiling.picture(layout));
    }
    let distinct: BTreeSet<_> = result.layouts.iter().collect();
    assert_eq!(distinct.len() as u64, result.distinct);
    result
}

/// The improved model as it is by default.
const IMPROVED: TilingModel = TilingModel::Improved(RegularBy::Table);

#[track_caller]
fn is_as_published(row: &Row, model: TilingModel, all: bool) {
    let result = solve(&row.tiling(), model, all);
    if all {
        assert_eq!(result.counts.failures, row.get("failures_all"));
        assert_eq!(result.counts.nodes, row.get("nodes_all"));
        assert_eq!(result.counts.solutions, row.get("solutions"));
        assert_eq!(result.distinct, row.get("distinct"));
        assert!((result.counts.share - 1.0).abs() < 1e-6);
    } else {
        assert_eq!(result.counts.failures, row.get("failures_first"));
        assert_eq!(result.counts.nodes, row.get("nodes_first"));
    }
}

#[test]
fn the_first_solutions_take_the_published_failures() {
    for (row, published) in reference().iter().zip(PUBLISHED_PENTOMINOES) {
        assert_eq!(row.get("published_failures_first"), published.failures[0]);
        assert_eq!(row.get("published_failures_all"), published.failures[1]);
        is_as_published(row, IMPROVED, false);
        if published.failures[0] < 1000 {
            is_as_published(row, TilingModel::Basic, false);
            is_as_published(row, TilingModel::Improved(RegularBy::Graph), false);
        }
    }
}

#[test]
fn all_solutions_of_20x3_take_the_published_failures() {
    is_as_published(&reference()[0], IMPROVED, true);
}

#[test]
#[ignore = "takes minutes: all eight numbers of the published table, by all ways to propagate"]
fn the_published_table_is_reproduced_in_full() {
    for row in reference() {
        is_as_published(&row, IMPROVED, true);
    }
    for row in &reference()[..2] {
        is_as_published(row, TilingModel::Basic, true);
        is_as_published(row, TilingModel::Improved(RegularBy::Graph), true);
    }
}

#[test]
fn bit_boards_find_all_solutions() {
    for row in reference() {
        let result = solve(&row.tiling(), TilingModel::Bits, true);
        assert_eq!(result.counts.solutions, row.get("solutions"));
        assert_eq!(result.distinct, row.get("distinct"));
        assert_eq!(
            solve(&row.tiling(), TilingModel::Bits, false)
                .counts
                .solutions,
            1
        );
    }
}

/// The 8x8 board without its middle, and dominoes: numbers known from the literature (Golomb,
/// "Polyominoes"; Kasteleyn, 1961).
#[test]
fn other_boards_and_pieces_have_their_known_numbers() {
    let holes = ["d4", "e4", "d5", "e5"].map(|name| parse_square(name).expect("a square"));
    let region = Region::new(8, 8).expect("a size");
    let region = region.with_holes(&holes).expect("on the board");
    let square = Tiling::new(region, TilePieces::pentominoes()).expect("a problem");
    let result = solve(&square, TilingModel::Bits, true);
    assert_eq!((result.counts.solutions, result.distinct), (520, 65));
    assert_eq!(solve(&square, IMPROVED, false).counts.solutions, 1);

    let dominoes = |rows, columns| {
        let pieces = format!("{}*XX", rows * columns / 2);
        tiling(rows, columns, pieces.parse().expect("pieces"))
    };
    for (rows, columns, count) in [(2, 5, 8), (4, 4, 36), (4, 5, 95), (6, 6, 6728)] {
        assert_eq!(
            solve(&dominoes(rows, columns), TilingModel::Bits, true)
                .counts
                .solutions,
            count
        );
    }
    let distinct =
        |rows, columns| solve(&dominoes(rows, columns), TilingModel::Bits, true).distinct;
    // Burnside's lemma by hand: 4x4 has 36 tilings in 9 classes.
    assert_eq!((distinct(2, 2), distinct(4, 4)), (1, 9));
}

/// Boards of more than one word, and of the largest size.
#[test]
fn large_boards_are_filled() {
    for (rows, columns) in [(8, 8), (9, 14), (16, 16), (32, 32)] {
        let squares: usize = rows * columns;
        let pieces = format!("{}*XX", squares / 2).parse().expect("pieces");
        let tiling = tiling(rows, columns, pieces);
        assert_eq!(solve(&tiling, TilingModel::Bits, false).counts.solutions, 1);
    }
}

/// All models agree with each other and with counts by hand on small boards.
#[test]
fn all_ways_agree() {
    for (rows, columns, pieces) in [
        (3, 5, "L,V,P"),
        (5, 5, "L,V,P,I,U"),
        (4, 5, "L,I,P,Y"),
        (4, 4, "XX,XXX/X..,XX/XX,XX/X.,XXX"),
        (3, 4, "XXX/X..,XXX/.X.,XX/XX"),
    ] {
        let tiling = tiling(rows, columns, pieces.parse().expect("pieces"));
        let all = |model| {
            let result = solve(&tiling, model, true);
            let layouts: BTreeSet<Vec<u16>> = result.layouts.into_iter().collect();
            (result.counts.solutions, result.distinct, layouts.len())
        };
        let bits = all(TilingModel::Bits);
        for model in [TilingModel::Basic, IMPROVED] {
            assert_eq!(all(model), bits, "{rows}x{columns} {pieces} {model:?}");
        }
    }
}

#[test]
fn a_search_stops_when_asked() {
    let tiling = reference()[3].tiling();
    for model in [TilingModel::Basic, IMPROVED, TilingModel::Bits] {
        let stop = Stop::new();
        let mut calls = 0;
        let result = tiling.solve(model, true, &stop, &mut |share| {
            calls += 1;
            if share > 0.0 || calls > 3 {
                stop.set();
            }
        });
        let result = result.expect("a suitable model");
        assert!(!result.complete && result.counts.share < 1.0, "{model:?}");
    }
}
