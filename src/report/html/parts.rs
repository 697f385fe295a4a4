//! The building blocks of the sections.

use maud::{Markup, html};

use crate::report::tables::SharedTable;

/// Anchors and names of the sections, used for the navigation.
pub(super) const CONTENTS: [(&str, &str); 8] = [
    ("standings", "Standings"),
    ("crosstable", "Crosstable"),
    ("viewer", "Watch games"),
    ("first-player", "First player"),
    ("games", "The games"),
    ("branching", "Branching"),
    ("patches", "Patches"),
    ("thinking", "Searches"),
];

/// A section with its heading.
pub(super) fn panel(id: &str, title: &str, content: &Markup) -> Markup {
    html! {
        section.panel id=(id) aria-labelledby={ (id) "-title" } {
            h2 id={ (id) "-title" } { (title) }
            (content)
        }
    }
}

/// A table that scrolls inside its own box if it is wider than the page.
pub(super) fn table_box(caption: &str, rows: &Markup) -> Markup {
    html! {
        div.box tabindex="0" role="region" aria-label=(caption) {
            table { caption.hidden { (caption) } (rows) }
        }
    }
}

/// A table that the text has as well.
pub(super) fn shared_table(table: &SharedTable) -> Markup {
    table_box(
        &table.title,
        &html! {
            (head(1, table.heads))
            tbody { @for row in &table.rows { tr { @for (i, cell) in row.iter().enumerate() {
                @if i == 0 { th scope="row" { (cell) } }
                @else { td.number.strong[i == table.main] { (cell) } }
            } } } }
        },
    )
}

/// A plot with the label of its vertical axis and a table of its numbers.
pub(super) fn figure(axis: &str, plot: &Markup, numbers: &Markup) -> Markup {
    html! {
        figure {
            p.axis { (axis) }
            (plot)
            details { summary { "The numbers" } (numbers) }
        }
    }
}

/// Colours of series in the stylesheet.
const COLOURS: usize = 12;

/// Dash patterns in the stylesheet, the first of which is a solid line.
const DASHES: usize = 4;

/// The CSS class for the colour and dash pattern of a series.
pub(super) fn series_class(index: usize) -> String {
    format!("c{} d{}", index % COLOURS, index / COLOURS % DASHES)
}

/// The head of a table. Names are separated by ` | `; the first `texts` columns contain text. `~`
/// is a column of bars, and `#` is always a column of numbers.
pub(super) fn head(texts: usize, names: &str) -> Markup {
    html! { thead { tr { @for (i, name) in names.split(" | ").enumerate() {
        @if name == "~" { th.strips aria-hidden="true" {} }
        @else { th.number[i >= texts || name == "#"] scope="col" { (name) } }
    } } } }
}

/// Cells with numbers.
pub(super) fn numbers<const N: usize>(cells: [String; N]) -> Markup {
    html! { @for cell in cells { td.number { (cell) } } }
}
