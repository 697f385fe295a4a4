//! How the order of the patches favours either seat.

use super::TournamentReport;
use crate::document::{CsvTable, Place, ReportSection, TableOf, Unit, counted};
use patchwork_tournament::stats::{ChanceFrom, RingBias};

pub(super) const TABLES: &[CsvTable] = &[RINGS];
const RINGS: CsvTable =
    CsvTable::new("rings", "One row per ring: which seat it favours");

/// Number of rings shown for each seat.
const MAX_RINGS: usize = 2;

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let rings = &report.summary.rings;
    let all: TableOf<'a, RingBias> =
        TableOf::new(rings.all.len(), |i| rings.all.ring(i, report.games))
            .csv(RINGS)
            .place(Place::Data)
            .column("track", "", Unit::Text, |row| row.rules.to_string())
            .column("ring", "", Unit::Code, |row| row.ring.to_string())
            .column("games", "", Unit::Count, |row| row.games)
            .column("first_wins", "", Unit::Count, |row| row.first_wins)
            .column("margin", "", Unit::Points, |row| row.margin)
            .estimate("bias", "", Unit::Points, |row| row.bias);
    let section = ReportSection::new("rings", "Rings").table(all);
    let effect = &rings.margin;
    let (Some(_), Some(sd)) = (effect.share.value, effect.between_sd) else {
        return section;
    };
    let sd = Unit::OneDecimal.number(sd);
    let told = match effect.from {
        Some(ChanceFrom::Legs) => format!(
            "Too few rings were played by several pairs to measure their effect on all agents. For the two agents that played it, a \
             ring's advantage for the first player has a standard deviation of {sd} points."
        ),
        _ => format!(
            "The ring explains {} of the variance of a game's margin, given its agents; its own advantage for the first player has a \
             standard deviation of {sd} points.",
            Unit::Share.with_interval(effect.share),
        ),
    };
    let favours =
        |seat, found: &'a [RingBias]| found.iter().take(MAX_RINGS).map(move |ring| (seat, ring));
    let found = favours("first", &rings.first).chain(favours("second", &rings.second));
    let found: Vec<(&str, &RingBias)> = found.collect();
    let count = counted(rings.rings, "ring");
    let more = match found.len() {
        0 => format!("Of {count}, none favours a seat with 95% confidence."),
        _ => format!(
            "By is the expected margin of the first player. The CSV table 'rings' has {count}; report --ring-book writes them as setups."
        ),
    };
    let table: TableOf<'a, (&'static str, &'a RingBias)> =
        TableOf::new(found.len(), move |i| found[i])
            .title("Rings that most certainly favour a seat")
            .column("", "favours", Unit::Text, |(seat, _)| *seat)
            .estimate("", "by", Unit::Points, |(_, ring)| ring.bias)
            .main()
            .column("", "games", Unit::Count, |(_, ring)| ring.games)
            .priority(1)
            .column("", "patches in order", Unit::Code, |(_, ring)| {
                ring.ring.to_string()
            })
            .priority(2);
    section.note(told).table(table).note(more)
}
