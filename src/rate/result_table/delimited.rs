//! Results as a table, separated by tabs or commas.

use std::io::BufRead;

use patchwork_engine::util::lines::TableLines;

use super::gathered::{Gathered, Stated, StatedField, StatedSetup};

/// The accepted names of each column, the preferred one first.
const FIRST: [&str; 2] = ["first", "white"];
const SECOND: [&str; 2] = ["second", "black"];
const WINNER: [&str; 2] = ["winner", "result"];
const PAIRING: [&str; 1] = ["pairing"];
const PAIR: [&str; 1] = ["pair"];
const LEG: [&str; 1] = ["leg"];

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
        table.column(&PAIRING)?,
        table.column(&PAIR)?,
        table.column(&LEG)?,
    ];
    while let Some((line, cells)) = table.next_row()? {
        let cell = |column: Option<usize>| column.map(|column| &*cells[column]);
        let setup = match cell(pair) {
            None => StatedSetup::Unknown,
            Some(pair) => StatedSetup::Pair {
                pairing: cell(pairing).unwrap_or_default(),
                pair,
                leg: cell(leg),
            },
        };
        let stated = Stated {
            first: &cells[first],
            second: &cells[second],
            winner: &cells[winner],
            setup,
        };
        games.add(line, &stated).map_err(|fault| {
            let column = match fault.field {
                StatedField::First => FIRST[0],
                StatedField::Second => SECOND[0],
                StatedField::Winner => WINNER[0],
                StatedField::Pair => PAIR[0],
                StatedField::Leg => LEG[0],
            };
            format!("line {line}, column {column}: {}", fault.what)
        })?;
    }
    Ok(())
}
