//! `puzzle pentominoes`.

use std::process::ExitCode;

use anyhow::Context as _;
use patchwork_arena::puzzle::{Cell, PENTOMINOES, Polyomino, Region};

use super::super::output::print;

/// Pack pentominoes, or other polyominoes, into a board
#[derive(clap::Args)]
pub(super) struct Args {
    /// Size of the board: rows x columns, such as 6x10
    #[arg(long, value_name = "RxC", value_parser = parse_size)]
    board: (usize, usize),
    /// Squares that are not part of the board, such as d4,e4,d5,e5
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    holes: Vec<Cell>,
}

fn parse_size(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once('x');
    sides
        .and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)))
        .ok_or_else(|| "expected rows x columns, such as 6x10".to_owned())
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (rows, columns) = args.board;
    let region = Region::new(rows, columns).context("--board")?;
    let region = region.with_holes(&args.holes).context("--holes")?;
    for (letter, _) in PENTOMINOES {
        let Some(piece) = Polyomino::pentomino(letter) else {
            continue;
        };
        let placements = piece.placements(&region).len();
        print(|out| writeln!(out, "{letter}\t{placements}"))?;
    }
    Ok(ExitCode::SUCCESS)
}
