//! `paper puzzle pentominoes`.

use std::process::ExitCode;

use anyhow::{Context as _, bail};
use patchwork_engine::search::Stop;
use patchwork_papers::puzzle::{
    PUBLISHED_PENTOMINOES, PublishedPentominoes, Region, RegularBy, TilePieces, Tiling,
    TilingModel, TilingResult, parse_square, square_name,
};
use patchwork_report::document::LineTable;
use serde::Serialize;
use serde_json::{Value, json};

use super::{stopped_at, timed};
use crate::endings::{Form, Output, one_of};
use crate::output::{listen, stopped};

/// Pack pentominoes, or other polyominoes, into a board
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  patchwork-arena paper puzzle pentominoes --board 10x6 --all --model bits\n  \
                  patchwork-arena paper puzzle pentominoes --board 8x8 --holes d4,e4,d5,e5 --show\n  \
                  patchwork-arena paper puzzle pentominoes --board 4x5 --pieces '10*XX' --all --show --model bits\n  \
                  patchwork-arena paper puzzle pentominoes --table"
)]
pub(super) struct Args {
    /// Size of the board: rows x columns, such as 10x6
    #[arg(long, value_name = "RxC", value_parser = parse_size, required_unless_present = "table")]
    board: Option<(usize, usize)>,
    /// Squares that are not part of the board, such as d4,e4,d5,e5
    #[arg(long, value_name = "SQUARES", value_delimiter = ',', value_parser = parse_square)]
    holes: Vec<(usize, usize)>,
    /// Pieces, separated by commas: letters of pentominoes or drawings such as XX/.X, with the number
    /// of copies in front, such as 10*XX [default: the twelve pentominoes]
    #[arg(long)]
    pieces: Option<TilePieces>,
    /// Find all solutions instead of one
    #[arg(long)]
    all: bool,
    /// Model to search with
    #[arg(long, value_parser = one_of(MODELS), default_value = "improved")]
    model: TilingModel,
    /// Propagation of the improved model's regular constraints; the search is the same
    #[arg(long, value_parser = one_of(REGULARS), default_value = "table")]
    regular: RegularBy,
    /// Print the layouts found, one of each set of symmetric ones
    #[arg(long)]
    show: bool,
    /// Print the 2008 paper's Table 1 beside the results of this program
    #[arg(long, conflicts_with_all = ["board", "holes", "pieces", "all", "show"])]
    table: bool,
    #[command(flatten)]
    output: Output<Form>,
}

/// The models; `--regular` says how one of them searches.
const MODELS: [(&str, TilingModel, &str); 3] = [
    (
        "basic",
        TilingModel::Basic,
        "Regular constraints on the squares",
    ),
    (
        "improved",
        TilingModel::Improved(RegularBy::Table),
        "Regular constraints on 0/1 variables, with channels to the squares",
    ),
    (
        "bits",
        TilingModel::Bits,
        "Bit boards, the first empty square first",
    ),
];

const REGULARS: [(&str, RegularBy, &str); 2] = [
    ("table", RegularBy::Table, "By a table of the placements"),
    (
        "graph",
        RegularBy::Graph,
        "By the layered graph of the automaton",
    ),
];

/// Maximum number of layouts that `--show` prints or writes.
const MAX_SHOWN: usize = TilingResult::MAX_LAYOUTS;

pub(super) fn parse_size(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once('x');
    sides
        .and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)))
        .ok_or_else(|| "expected rows x columns, such as 10x6".to_owned())
}

/// A layout as JSON: its rows, and the squares of each piece.
fn picture(tiling: &Tiling, layout: &[u16]) -> Value {
    let columns = tiling.region().columns();
    let name = |square: usize| square_name((square / columns, square % columns));
    let placed = tiling.placed(layout).into_iter();
    let pieces = placed.map(|(piece, squares)| {
        let squares: Vec<String> = squares.into_iter().map(name).collect();
        json!({ "piece": piece, "squares": squares })
    });
    json!({ "rows": tiling.picture(layout), "pieces": pieces.collect::<Vec<_>>() })
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.output.form()?;
    let stop = listen()?;
    let Some((rows, columns)) = args.board else {
        return table(args, stop);
    };
    let region = Region::new(rows, columns).context("--board")?;
    let region = region.with_holes(&args.holes).context("--holes")?;
    let pieces = args.pieces.clone().unwrap_or_else(TilePieces::pentominoes);
    let tiling = Tiling::new(region, pieces).context("--board")?;
    let (result, seconds) = solve(&tiling, args, args.all, stop, "")?;
    let shown = || result.layouts.iter().take(MAX_SHOWN).filter(|_| args.show);
    let mut json = json!({
        "board": format!("{rows}x{columns}"),
        "model": model_name(args.model),
        "all": args.all,
        // Whether the search was completed.
        "complete": result.complete,
        "solutions": result.counts.solutions,
        "distinct": result.distinct,
        "failures": result.counts.failures,
        "nodes": result.counts.nodes,
        "seconds": seconds,
    });
    let layouts: Vec<Value> = shown().map(|layout| picture(&tiling, layout)).collect();
    if !layouts.is_empty() {
        json["layouts"] = layouts.into();
    }
    args.output.answer(&json, |out| {
        let has_copies = tiling.pieces().iter().any(|piece| piece.copies > 1);
        for layout in shown() {
            let walls = || walls(layout, columns);
            let lines = if has_copies {
                walls()
            } else {
                tiling.picture(layout)
            };
            writeln!(out, "{}\n", lines.join("\n"))?;
        }
        writeln!(
            out,
            "solutions {}  distinct {}  failures {}  nodes {}  seconds {seconds:.3}",
            result.counts.solutions, result.distinct, result.counts.failures, result.counts.nodes
        )
    })?;
    if result.complete {
        return Ok(ExitCode::SUCCESS);
    }
    Ok(stopped_at(result.counts.share))
}

fn model_name(model: TilingModel) -> &'static str {
    let mut names = MODELS.iter().filter(|(_, known, _)| *known == model);
    names.next().map_or("", |(name, ..)| name)
}

/// Searches, and returns the seconds that it took.
fn solve(
    tiling: &Tiling,
    args: &Args,
    all: bool,
    stop: &Stop,
    message: &str,
) -> anyhow::Result<(TilingResult, f64)> {
    let model = match args.model {
        TilingModel::Improved(_) => TilingModel::Improved(args.regular),
        model => model,
    };
    let (result, seconds) = timed(args.output.quiet.quiet, message, |progress| {
        tiling.solve(model, all, stop, progress)
    });
    let result = result.with_context(|| format!("--model {}", model_name(args.model)))?;
    Ok((result, seconds))
}

/// Draws a layout with walls between squares of different pieces, two lines per row.
fn walls(layout: &[u16], columns: usize) -> Vec<String> {
    let rows = layout.len() / columns;
    // Rows and columns are counted from 1; what lies around the board is like a hole.
    let at = |row: usize, column: usize| {
        let is_inside = (1..=rows).contains(&row) && (1..=columns).contains(&column);
        let square = is_inside.then(|| layout[(row - 1) * columns + column - 1]);
        square.unwrap_or(u16::MAX)
    };
    let mut lines = Vec::new();
    for row in 1..=rows + 1 {
        let (mut edges, mut squares) = (String::new(), String::new());
        for column in 1..=columns + 1 {
            let here = at(row, column);
            let [above, before] = [at(row - 1, column), at(row, column - 1)];
            edges.push('+');
            squares.push(if before == here { ' ' } else { '|' });
            if column <= columns {
                let is_hole = row <= rows && here == u16::MAX;
                edges.push_str(if above == here { "  " } else { "--" });
                squares.push_str(if is_hole { "##" } else { "  " });
            }
        }
        lines.push(edges);
        if row <= rows {
            lines.push(squares);
        }
    }
    lines
}

/// A row of the comparison as JSON: our numbers beside the published ones, for the first solution and for
/// all.
#[derive(Serialize)]
struct ComparisonRow {
    board: String,
    search: &'static str,
    solutions: u64,
    failures: u64,
    published_failures: u64,
    nodes: u64,
    seconds: f64,
    published_seconds: f64,
}

fn table(args: &Args, stop: &Stop) -> anyhow::Result<ExitCode> {
    if !matches!(args.model, TilingModel::Basic | TilingModel::Improved(_)) {
        bail!("--table: expected --model improved or basic, whose failures were published");
    }
    let mut rows = Vec::new();
    'boards: for published in &PUBLISHED_PENTOMINOES {
        let PublishedPentominoes {
            rows: height,
            columns,
            failures,
            milliseconds,
        } = *published;
        let region = Region::new(height, columns).context("--table")?;
        let tiling = Tiling::new(region, TilePieces::pentominoes()).context("--table")?;
        let board = format!("{height}x{columns}");
        for (i, search) in ["first", "all"].into_iter().enumerate() {
            let (result, seconds) = solve(&tiling, args, i == 1, stop, &board)?;
            if !result.complete {
                break 'boards;
            }
            rows.push(ComparisonRow {
                board: board.clone(),
                search,
                solutions: result.counts.solutions,
                failures: result.counts.failures,
                published_failures: failures[i],
                nodes: result.counts.nodes,
                seconds,
                published_seconds: milliseconds[i] as f64 / 1000.0,
            });
        }
    }
    args.output.answer(&rows, |out| {
        let table = LineTable::new(2).left("board", 5).left("search", 6);
        let table = table.right("solutions", 9).right("failures", 8);
        let table = table.right("published", 9).right("nodes", 9);
        let table = table.right("seconds", 7).right("published", 9);
        writeln!(out, "{}", table.head())?;
        for row in &rows {
            let line = table.line(&[
                &row.board,
                &row.search,
                &row.solutions,
                &row.failures,
                &row.published_failures,
                &row.nodes,
                &format_args!("{:.2}", row.seconds),
                &format_args!("{:.2}", row.published_seconds),
            ]);
            writeln!(out, "{line}")?;
        }
        Ok(())
    })?;
    let planned = 2 * PUBLISHED_PENTOMINOES.len();
    if rows.len() == planned {
        return Ok(ExitCode::SUCCESS);
    }
    let done = rows.len();
    Ok(stopped(format_args!(
        "stopped after {done} of {planned} searches"
    )))
}
