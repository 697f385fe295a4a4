//! The effects of swept keys, one by one and two by two.

use maud::{Markup, html};

use super::crosstable::shaded;
use super::parts::{panel, shared_table};
use crate::report::header::Header;
use crate::report::numbers::{counted, percent, percents, points};
use crate::report::tables::swept_values;
use crate::stats::{SweptCell, SweptKeyPair};

/// The section's anchor and name, if there is a sweep.
pub(super) fn contents(header: &Header) -> Option<(&'static str, &'static str)> {
    header.sweep.is_some().then_some(("sweep", "Sweep"))
}

pub(super) fn section(header: &Header) -> Markup {
    let Some(sweep) = &header.sweep else {
        return html! {};
    };
    panel(
        "sweep",
        "Sweep",
        &html! {
            p { "The mean results of all agents with a value of a key, against agents without it. The last columns "
                "compare the margin with that of the first value: games on the same setup are compared with each "
                "other, so these intervals can be much narrower than those of the means." }
            @for key in &sweep.keys {
                h3 { (key.key) }
                (shared_table(&swept_values(key)))
            }
            @for pair in &sweep.pairs { (heat_map(pair)) }
        },
    )
}

/// The mean score of each combination of the values of two keys.
fn heat_map(pair: &SweptKeyPair) -> Markup {
    let mut rows: Vec<&str> = Vec::new();
    let mut columns: Vec<&str> = Vec::new();
    for cell in &pair.cells {
        if !rows.contains(&&*cell.a_value) {
            rows.push(&cell.a_value);
        }
        if !columns.contains(&&*cell.b_value) {
            columns.push(&cell.b_value);
        }
    }
    let find = |row: &str, column: &str| {
        let mut cells = pair.cells.iter();
        cells.find(|cell| cell.a_value == row && cell.b_value == column)
    };
    let caption = format!("Mean score by {} and {}, in percent", pair.a, pair.b);
    html! {
        h3 { (pair.a) " and " (pair.b) }
        p.axis { "Mean score in %, " (pair.a) " from top to bottom, " (pair.b) " from left to right." }
        div.box tabindex="0" role="region" aria-label=(caption) { table.cross {
            caption.hidden { (caption) }
            thead { tr {
                th scope="col" { (pair.a) }
                @for column in &columns { th.number scope="col" { (column) } }
            } }
            tbody { @for row in &rows { tr {
                th scope="row" { (row) }
                @for column in &columns {
                    @match find(row, column) {
                        Some(found) => (cell(found)),
                        None => td.none {},
                    }
                }
            } } }
        } }
    }
}

fn cell(cell: &SweptCell) -> Markup {
    let Some(score) = cell.score.value else {
        return html! { td.none {} };
    };
    let title = format!(
        "{} (95%: {}), margin {}, {} of {}",
        percent(cell.score),
        percents(cell.score),
        points(cell.margin),
        counted(cell.games, "game"),
        counted(cell.agents, "agent"),
    );
    shaded(score, &title)
}
