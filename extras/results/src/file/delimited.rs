//! Results as a table, separated by tabs, commas or semicolons.

use std::io::BufRead;

use patchwork_tournament::input::TableLines;

use super::parsed::{FIELDS, ParsedGames, Stated, missing};

const EXPECTED: &str = "first, second and winner, and pairing, pair and leg if games are paired";

pub(super) fn read(input: impl BufRead, games: &mut ParsedGames) -> Result<(), String> {
    let mut table = TableLines::new(input, EXPECTED)?;
    let mut columns = [None; FIELDS.len()];
    for (column, names) in columns.iter_mut().zip(FIELDS) {
        *column = table.column(names)?;
    }
    if let Some(missing) = missing(&columns) {
        let name = FIELDS[missing].join(" or ");
        return Err(format!(
            "line 1: no column is named {name}; expected {EXPECTED}, separated by tabs, commas or semicolons"
        ));
    }
    while let Some((line, cells)) = table.next_row()? {
        match cells {
            Ok(cells) => {
                let cell = |column: usize| unguarded(&cells[column]).into();
                let game: Stated<'_> = columns.map(|column| column.map(cell));
                games.add(line, &game, false, |field| {
                    format!("column {}", FIELDS[field][0])
                })?;
            }
            Err(what) => games.leave_out(line, &what),
        }
    }
    Ok(())
}

/// A cell without the apostrophe that keeps spreadsheets from taking a name for a formula.
fn unguarded(cell: &str) -> &str {
    let name = cell.trim_start().strip_prefix('\'');
    let is_guarded = |name: &&str| name.starts_with(['=', '+', '-', '@']);
    name.filter(is_guarded).unwrap_or(cell)
}
