//! How certain the order of the agents is.

use std::collections::BTreeSet;

use patchwork_rating::{Comparison, RANK_ALPHA};

use super::TournamentReport;
use crate::document::{CsvTable, Place, ReportSection, ReportTable, TableOf, Unit, counted};
use crate::trust::{consistency, next_in_order};

pub(super) const TABLES: &[CsvTable] = &[COMPARISONS, CONSISTENCY];
const COMPARISONS: CsvTable = CsvTable::new(
    "comparisons",
    "One row per pair of agents: the difference of their ratings and how certain it is",
)
.on_request();
const CONSISTENCY: CsvTable = CsvTable::new(
    "consistency",
    "One row per pair of agents that met: results beside what the ratings predict",
)
.on_request();

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let summary = &report.summary;
    let separated: BTreeSet<&str> = summary.separated().collect();
    let order = summary.ratings.iter().map(|row| &*row.agent);
    let fits = ReportTable::of(&summary.consistency.pairings)
        .csv(CONSISTENCY)
        .place(Place::Data)
        .column("a", "", Unit::Name, |row| &*row.a)
        .column("b", "", Unit::Name, |row| &*row.b)
        .column("games", "", Unit::Count, |row| row.games)
        .column("wins", "", Unit::Count, |row| row.wins)
        .column("expected", "", Unit::OneDecimal, |row| row.expected)
        .column("surprise", "", Unit::OneDecimal, |row| row.surprise)
        .column("excess", "", Unit::Elo, |row| row.excess);
    let section = ReportSection::new("comparisons", "Neighbours in rank")
        .table(neighbours(order, &summary.comparisons, separated))
        .table(fits);
    if summary.comparisons.is_empty() {
        return section;
    }
    let known = summary.comparisons.iter();
    let compared = known.filter(|row| row.p_adjusted.is_some()).count();
    section
        .note(told_apart(compared as u64, summary.rank_alpha))
        .notes(consistency(&summary.consistency))
}

/// What `LOS` and `adjusted p` are, and which agents count as told apart.
pub(crate) fn told_apart(compared: u64, alpha: f64) -> String {
    let tests = if alpha < RANK_ALPHA {
        " (a strict limit, because tests ended pairings)"
    } else {
        ""
    };
    format!(
        "LOS (likelihood of superiority): the chance that the first is the stronger one, as if only these two were compared. Adjusted p: \
         the p-value of equal strengths, adjusted for {} (Holm). Two agents with at most {alpha}{tests} are told apart in the ranks.",
        counted(compared, "comparison"),
    )
}

/// All comparisons; people see those of each agent with the next one in this order.
pub(crate) fn neighbours<'a>(
    order: impl Iterator<Item = &'a str>,
    comparisons: &'a [Comparison],
    separated: BTreeSet<&'a str>,
) -> TableOf<'a, &'a Comparison> {
    let shown = next_in_order(order, comparisons);
    let with_points = comparisons.iter().any(|row| row.points.value.is_some());
    let points = if with_points { "points" } else { "" };
    let others = separated.clone();
    ReportTable::of(comparisons)
        .csv(COMPARISONS)
        .shown(shown.map(|(place, _)| place).collect())
        .name("a", "agent", move |row| {
            (&row.a, separated.contains(&*row.a))
        })
        .name("b", "next", move |row| (&row.b, others.contains(&*row.b)))
        .estimate("elo", "Elo", Unit::Elo, |row| row.elo)
        .main()
        .null(0.0)
        .column("los", "LOS", Unit::Chance, |row| row.los)
        .column("p_adjusted", "adjusted p", Unit::PValue, |row| {
            row.p_adjusted
        })
        .estimate("points", points, Unit::Points, |row| row.points)
        .null(0.0)
        .priority(1)
}
