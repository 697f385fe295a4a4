//! Sections of a document on the page.

use std::ops::Range;

use maud::{Markup, html};

use super::bars::{interval_bar, spread_bar};
use super::figures::figure;
use super::parts::{agent_name, is_variant, panel, table_box};
use super::patches::shape;
use crate::document::numbers::{UNKNOWN, thousands};
use crate::document::table::footnotes;
use crate::document::{
    Bar, Block, Column, FigureSize, Grid, GridCell, Place, ReportSection, ReportTable, TableCell,
    Unit, ends, write_csv,
};

/// Maximum number of rows of a table.
const MAX_ROWS: usize = 500;

/// Tables with more rows scroll.
const TALL: usize = 40;

/// Maximum number of rows of a grid of shares that may have a neighbour, and of a grid of longer texts.
const NARROW_GRID: [usize; 2] = [9, 7];

/// A section; `viewer` is the viewer of games.
pub(super) fn section(section: &ReportSection<'_>, viewer: &Markup) -> Markup {
    let mut items: Vec<(bool, Markup)> = Vec::new();
    for block in &section.blocks {
        if matches!(block, Block::Viewer) {
            return viewer.clone();
        }
        if matches!(block, Block::Table(table) if !table.is_visible()) {
            continue;
        }
        let (is_half, shown) = item(section, block);
        match items.last_mut() {
            // The numbers behind a figure follow below it.
            Some((_, last)) if matches!(block, Block::Table(table) if table.place == Place::Folded) =>
            {
                *last = html! { (last) (shown) };
            }
            _ => items.push((is_half, shown)),
        }
    }
    panel(
        section.id,
        section.title,
        &html! {
            @for run in items.chunk_by(|one, other| one.0 && other.0) {
                @if run.len() > 1 { div.pair { @for (_, item) in run { div { (item) } } } }
                @else { @for (_, item) in run { (item) } }
            }
        },
    )
}

/// A block, and whether it may have a neighbour.
fn item(section: &ReportSection<'_>, block: &Block<'_>) -> (bool, Markup) {
    match block {
        Block::Note(note) => (false, html! { p { (note) } }),
        Block::Warning(note) => (false, html! { p.warning { (note) } }),
        Block::Table(table) => {
            let title = if table.title.is_empty() {
                section.title
            } else {
                &table.title
            };
            (is_narrow(table), whole_table(table, title))
        }
        Block::Figure(draw) => {
            let drawn = draw();
            (drawn.size != FigureSize::Wide, figure(&drawn))
        }
        Block::Grid(shown) => (is_narrow_grid(shown), grid(shown)),
        Block::Definitions(all) => (
            false,
            html! {
                dl.settings { @for (name, about, value) in all {
                    dt { (agent_name(name)) }
                    dd { @if !about.is_empty() { p { (about) } } code { (value) } }
                } }
            },
        ),
        Block::Viewer => (false, html! {}),
    }
}

/// Whether a grid leaves room for a neighbour.
fn is_narrow_grid(grid: &Grid<'_>) -> bool {
    let (rows, columns) = (grid.rows.len(), grid.columns().len());
    // Grids of agents against each other have no cells on the diagonal.
    let shown = (0..rows.min(NARROW_GRID[0])).take_while(|_| columns > 0);
    let mut cells = shown.filter_map(|i| (grid.cell)(i, (i + 1) % columns));
    rows <= NARROW_GRID[usize::from(cells.any(|cell| cell.text.is_some()))]
}

/// Whether a table leaves room for a neighbour.
fn is_narrow(table: &ReportTable<'_>) -> bool {
    const MAX_COLUMNS: usize = 6;
    let shown = table
        .columns
        .iter()
        .filter(|column| !column.head.is_empty());
    shown.count() <= MAX_COLUMNS && table.columns.iter().all(|column| column.bar.is_none())
}

fn whole_table(table: &ReportTable<'_>, title: &str) -> Markup {
    let rows = table.shown();
    let shown = table.columns.iter();
    let footnotes = footnotes(shown.filter(|column| !column.head.is_empty()));
    let csv = csv_of(table);
    let is_too_large = table
        .csv
        .filter(|_| csv.is_none() && rows.len() <= MAX_ROWS);
    let left_out = rows.len().saturating_sub(MAX_ROWS);
    let content = html! {
        (table_box(title, rows.len() > TALL, &csv, &contents(table, &rows[..rows.len() - left_out])))
        @if !footnotes.is_empty() { p { (footnotes) } }
        @if let Some(csv) = is_too_large {
            p.caption { "The CSV table '" (csv.name()) "' has more than fits the page." }
        }
        @if left_out > 0 {
            p.caption { "and " (thousands(left_out as u64)) " more" @if let Some(csv) = table.csv { "; the CSV table '" (csv.name()) "' has all" } "." }
        }
    };
    match table.place {
        Place::Folded => {
            let name = if table.title.is_empty() {
                "The numbers"
            } else {
                &table.title
            };
            html! { details { summary { (name) } (content) } }
        }
        _ => html! { @if !table.title.is_empty() { h3 { (table.title) } } (content) },
    }
}

/// The name of the CSV file of a table, and the file. A large one is left to `report`.
fn csv_of(table: &ReportTable<'_>) -> Option<(String, String)> {
    /// In bytes.
    const LARGEST: usize = 1 << 17;
    /// The least length of a row.
    const ROW: usize = 16;
    let csv = table.csv.filter(|_| table.len * ROW < LARGEST)?;
    let mut bytes = Vec::new();
    write_csv(&mut bytes, table).expect("writing to a vector cannot fail");
    let text = String::from_utf8(bytes)
        .ok()
        .filter(|text| text.len() < LARGEST)?;
    Some((csv.file_name(), text))
}

struct PageColumn<'a> {
    index: usize,
    column: &'a Column,
    /// Whether any of its cells has an interval.
    has_intervals: bool,
    /// The range of values that its bars show.
    scale: Option<Range<f64>>,
}

fn contents(table: &ReportTable<'_>, rows: &[usize]) -> Markup {
    let cells: Vec<Vec<TableCell<'_>>> = rows.iter().map(|&row| table.row(row)).collect();
    let columns = table.columns.iter().enumerate();
    let columns = columns.filter(|(_, column)| !column.head.is_empty());
    let columns: Vec<PageColumn<'_>> = columns
        .map(|(index, column)| {
            let own = || cells.iter().map(|row| &row[index]);
            PageColumn {
                index,
                column,
                has_intervals: column.estimate
                    && own().any(|cell| column.interval(cell) != UNKNOWN),
                scale: column.bar.map(|bar| scale(bar, column.null, own())),
            }
        })
        .collect();
    // The first text column names the row.
    let name = columns
        .iter()
        .position(|shown| !shown.column.unit.is_number());
    let name = name.unwrap_or(0);
    html! {
        thead { tr { @for shown in &columns {
            @let unit = shown.column.unit;
            @let less = shown.column.is_less();
            @if unit == Unit::Spread { th.strips.less[less] aria-hidden="true" {} }
            @else { th.number[unit.is_number()].less[less] scope="col" title=[shown.column.statistic.map(|of| of.in_percent())] { (shown.column.head) } }
            @if shown.has_intervals { th.number.less[less] scope="col" { "95%" } }
            @if let (Some(scale), true) = (&shown.scale, unit != Unit::Spread) {
                th.strips.less[less] aria-hidden="true" { span.left { (unit.tick(scale.start)) } span.right { (unit.tick(scale.end)) } }
            }
        } } }
        tbody { @for row in &cells { tr {
            @for (place, shown) in columns.iter().enumerate() { (cell(shown, &row[shown.index], place == name)) }
        } } }
    }
}

/// The cells of a column in a row: the value, the interval and the bar.
fn cell(shown: &PageColumn<'_>, cell: &TableCell<'_>, is_name: bool) -> Markup {
    let column = shown.column;
    let sort = cell.raw().map(|raw| raw.to_string());
    let (value, less) = (column.value(cell), column.is_less());
    html! {
        @match (column.unit, cell, &shown.scale) {
            (Unit::Spread, TableCell::Spread(quantiles), Some(scale)) => {
                td.strips.less[less] { @if let Some(quantiles) = quantiles { (spread_bar(scale, column.null, *quantiles)) } }
            }
            (Unit::Shape, TableCell::Integer(patch), _) => { td.less[less] { (shape(u8::try_from(*patch).unwrap_or(0))) } }
            (Unit::Code, ..) => { td.ring-order.less[less] { (value) } }
            (Unit::Name, ..) if is_name => { th.variant[is_variant(&value)] scope="row" data-sort=[sort] { (agent_name(&value)) } }
            (Unit::Name, ..) => { td.variant[is_variant(&value)].strong[column.main].less[less] data-sort=[sort] { (agent_name(&value)) } }
            _ if is_name => { th.number[column.unit.is_number()] scope="row" data-sort=[sort] { (value) } }
            (unit, ..) => { td.number[unit.is_number()].strong[column.main].less[less] data-sort=[sort] { (value) } }
        }
        @if shown.has_intervals { td.number.faint[column.is_null(cell)].less[less] { (column.interval(cell)) } }
        @if let (Some(scale), true) = (&shown.scale, column.unit != Unit::Spread) {
            td.strips.less[less] { @match cell {
                TableCell::Estimate(estimate) => (interval_bar(scale, column.null, *estimate)),
                TableCell::Number(value) => (interval_bar(scale, column.null, patchwork_rating::Estimate { value: *value, ..Default::default() })),
                _ => {}
            } }
        }
    }
}

/// The range of values that the bars of these cells show.
fn scale<'a>(
    bar: Bar,
    null: Option<f64>,
    cells: impl Iterator<Item = &'a TableCell<'a>>,
) -> Range<f64> {
    /// The room for arrows at an end.
    const ROOM: f64 = 0.12;
    let mut open = [false; 2];
    let cells = cells.inspect(|cell| {
        if let TableCell::Estimate(of) = cell {
            open[0] |= of.low.is_none() && of.high.is_some();
            open[1] |= of.high.is_none() && of.low.is_some();
        }
    });
    let numbers = cells.flat_map(|cell| match cell {
        TableCell::Estimate(of) => vec![of.low, of.value, of.high],
        TableCell::Number(value) => vec![*value],
        TableCell::Spread(Some(quantiles)) => quantiles.map(Some).to_vec(),
        _ => Vec::new(),
    });
    match bar {
        Bar::Around => {
            let (low, high) = ends(numbers.flatten());
            let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
            let room = ROOM * (high - low);
            let [left, right] = open.map(|is_open| if is_open { room } else { 0.0 });
            low - left..high + right
        }
        Bar::Symmetric(least) => {
            let middle = null.unwrap_or(0.0);
            let far = numbers.flatten().map(|number| (number - middle).abs());
            let reach = far.fold(least, f64::max);
            middle - reach..middle + reach
        }
        Bar::Range(low, high) => low..high,
    }
}

/// Grids with more columns have smaller cells; 16 agents then fit at 1280 pixels.
const CROWDED: usize = 12;

/// Shares by row and column, with colours.
fn grid(grid: &Grid<'_>) -> Markup {
    let columns = grid.columns();
    html! {
        h3 { (grid.title) }
        p.axis { (grid.about) }
        div.box tabindex="0" role="group" aria-label=(grid.title) { table.cross.many[columns.len() > CROWDED] {
            caption.hidden { (grid.title) }
            thead { tr {
                th scope="col" { (grid.corner) }
                @for (j, column) in columns.iter().enumerate() {
                    @if grid.is_square() { th.number scope="col" title=(column) { (j + 1) } }
                    @else { th.number scope="col" { (column) } }
                }
            } }
            tbody { @for (i, row) in grid.rows.iter().enumerate() { tr {
                th.variant[is_variant(row)].number[!grid.is_square()] scope="row" { @if grid.is_square() { span.rank { (i + 1) } " " } (agent_name(row)) }
                @for j in 0..columns.len() {
                    @if grid.is_square() && i == j { td.none { "·" } }
                    @else { @match (grid.cell)(i, j) {
                        Some(found) => (shaded(&found)),
                        None => td.none {},
                    } }
                }
            } } }
        } }
    }
}

/// A cell whose colour shows whether a share is above or below one half, and by how much.
fn shaded(cell: &GridCell) -> Markup {
    let share = cell.share;
    let side = if share < 0.5 { "lost" } else { "won" };
    html! {
        td class=(side) style={ "--share:" (format!("{:.0}", 200.0 * (share - 0.5).abs())) "%" } title=(cell.about)
            data-sort=(share) { (cell.text()) }
    }
}
