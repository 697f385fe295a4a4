//! Results as a table, separated by tabs or commas.

use std::borrow::Cow;
use std::io::BufRead;

use patchwork_engine::util::lines::TableLines;

use super::gathered::{Gathered, Stated};

/// The accepted names of each column, the preferred one first.
const FIRST: [&str; 2] = ["first", "white"];
const SECOND: [&str; 2] = ["second", "black"];
const WINNER: [&str; 2] = ["winner", "result"];

const EXPECTED: &str = "first, second and winner, and pairing, pair and leg if games are paired";

pub(super) fn read(input: impl BufRead, games: &mut Gathered) -> Result<(), String> {
    let mut table = TableLines::new(input, EXPECTED)?;
    let required = |names: &[&str]| {
        table.column(names)?.ok_or_else(|| {
            let name = names[0];
            format!("line 1: no column is named {name}; expected {EXPECTED}, separated by tabs or commas")
        })
    };
    let [first, second, winner] = [required(&FIRST)?, required(&SECOND)?, required(&WINNER)?];
    let [pairing, pair, leg] = [
        table.column(&["pairing"])?,
        table.column(&["pair"])?,
        table.column(&["leg"])?,
    ];
    while let Some((line, cells)) = table.next_row()? {
        let cell = |column: usize| Cow::Borrowed(&*cells[column]);
        let stated = Stated {
            first: cell(first),
            second: cell(second),
            winner: cell(winner),
            pairing: pairing.map(cell),
            pair: pair.map(cell),
            leg: leg.map(cell),
            round: None,
        };
        games
            .add(line, &stated)
            .map_err(|(column, what)| format!("line {line}, column {column}: {what}"))?;
    }
    Ok(())
}
