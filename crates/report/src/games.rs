//! The table of games, for questions that the report does not answer. `docs/tables.md` has its columns.

use std::io;

use patchwork_engine::game::Player;
use patchwork_engine::record::FaultReason;

use crate::document::{ReportTable, TableOf, Unit, write_csv};
use crate::sections::fault_key;
use patchwork_tournament::{Results, TournamentError};

/// Writes the table of games as CSV, in the order of the plan.
pub fn write_games_table(results: &Results, out: impl io::Write) -> io::Result<()> {
    write_csv(out, &games_table(results)?)
}

/// The table of games, in the order of the plan.
pub fn games_table(results: &Results) -> Result<ReportTable<'_>, TournamentError> {
    let numbers = results.numbers()?;
    let (plan, games) = (&results.manifest.plan, results.games.sorted());
    let seat = |player: Option<Player>| player.map_or("", Player::name);
    let faults = FaultReason::ALL.map(|reason| (reason, fault_key(reason)));
    let fault = move |reason: FaultReason| {
        let known = faults.iter().find(|(known, _)| *known == reason);
        known.map(|(_, key)| key.clone())
    };
    let table = TableOf::new(games.len(), move |i| games.facts()[i])
        .column("game", "", Unit::Count, move |game| numbers.of(game).get())
        .column("pairing", "", Unit::Name, |game| {
            plan.pairing_of(game.id(), game.agents)
        })
        .column("pair", "", Unit::Count, |game| game.pair)
        .column("leg", "", Unit::Count, |game| game.leg)
        .column("first", "", Unit::Name, |game| plan.name(game.agents[0]))
        .column("second", "", Unit::Name, |game| plan.name(game.agents[1]))
        .column("winner", "", Unit::Text, move |game| {
            seat(Some(game.winner))
        })
        .column("first_score", "", Unit::Count, |game| game.scores[0])
        .column("second_score", "", Unit::Count, |game| game.scores[1])
        .column("bonus", "", Unit::Text, move |game| seat(game.bonus))
        .column("plies", "", Unit::Count, |game| game.plies)
        .column("turns", "", Unit::Count, |game| game.turns)
        .column("termination", "", Unit::Text, move |game| {
            game.fault.and_then(&fault).unwrap_or_default()
        });
    Ok(table.finish())
}
