//! How the order of the patches favours either seat.

use super::TournamentReport;
use crate::document::{CsvTable, Place, ReportSection, TableOf, Unit};
use patchwork_tournament::stats::statistics::RING_BIAS;
use patchwork_tournament::stats::{ChanceFrom, RingBias};

pub(super) const TABLES: &[CsvTable] = &[RINGS];
const RINGS: CsvTable = CsvTable::new("rings", "One row per ring: which seat it favours");

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
            .estimate("bias", "", Unit::Points, |row| row.bias)
            .statistic(RING_BIAS);
    let section = ReportSection::new("rings", "Rings").table(all);
    let effect = &rings.margin;
    let (Some(_), Some(sd)) = (effect.share.value, effect.between_sd) else {
        return section;
    };
    let sd = Unit::OneDecimal.number(sd);
    let told = match effect.from {
        Some(ChanceFrom::Legs) => format!(
            "Across rings (orders of the patches), the first player's advantage has a standard deviation of {sd} points of \
             margin. This includes differences between pairings: not enough rings were played by several pairings to separate \
             the effect of a ring from that of a pairing."
        ),
        _ => format!(
            "The ring (the order of the patches) explains {} of the variance of a game's margin, given its agents; across \
             rings, the first player's advantage has a standard deviation of {sd} points.",
            Unit::Share.with_interval(effect.share),
        ),
    };
    section.note(told)
}
