//! How certain the order of the agents is, and whether one rating per agent explains the results.

use std::collections::BTreeSet;

use patchwork_rating::{
    Comparison, Consistency, INCONSISTENT, LotteryShare, PairingFit, RANK_ALPHA,
};

use super::TournamentReport;
use crate::document::{
    CsvTable, Place, ReportSection, ReportTable, TableOf, Unit, counted, percent, signed,
};

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

/// Maximum number of listed pairings that the ratings do not explain.
const MOST_SURPRISING: usize = 3;

/// Maximum number of agents whose shares of the lottery are listed.
const MOST_SHARES: usize = 5;

/// Number of standard errors from which a pairing is called surprising.
const SURPRISING: f64 = 2.0;

/// If results more uneven than these have at least this probability, they are suspiciously even.
const MORE_EVEN: f64 = 0.95;

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let summary = &report.summary;
    let separated = summary.ratings.iter().filter(|row| row.separated);
    let separated: BTreeSet<&str> = separated.map(|row| &*row.agent).collect();
    let order = summary.ratings.iter().map(|row| &*row.agent);
    let fits = ReportTable::of(&summary.consistency.pairings)
        .csv(CONSISTENCY)
        .place(Place::Data)
        .column("a", "", Unit::Name, |row| &*row.a)
        .column("b", "", Unit::Name, |row| &*row.b)
        .column("games", "", Unit::Count, |row| row.games)
        .column("wins", "", Unit::Count, |row| row.wins)
        .column("expected", "", Unit::One, |row| row.expected)
        .column("surprise", "", Unit::One, |row| row.surprise)
        .column("excess", "", Unit::Elo, |row| row.excess);
    let section = ReportSection::new("comparisons", "Neighbours in rank")
        .table(neighbours(order, &summary.comparisons, separated))
        .table(fits);
    if summary.comparisons.is_empty() {
        return section;
    }
    section
        .note(told_apart(&summary.comparisons, summary.rank_alpha))
        .notes(consistency(&summary.consistency))
}

/// What `LOS` and `adjusted p` are, and which agents count as told apart.
pub(in crate::report) fn told_apart(comparisons: &[Comparison], alpha: f64) -> String {
    let compared = comparisons.iter();
    let compared = compared.filter(|row| row.p_adjusted.is_some()).count();
    let tests = if alpha < RANK_ALPHA {
        " (a strict limit, because tests ended pairings)"
    } else {
        ""
    };
    format!(
        "LOS (likelihood of superiority): the chance that the first is the stronger one, as if only these two were compared. Adjusted p: \
         the p-value of equal strengths, adjusted for {} (Holm). Two agents with at most {alpha}{tests} are told apart in the ranks.",
        counted(compared as u64, "comparison"),
    )
}

/// All comparisons; people see those of each agent with the next one in this order.
pub(in crate::report) fn neighbours<'a>(
    order: impl Iterator<Item = &'a str>,
    comparisons: &'a [Comparison],
    separated: BTreeSet<&'a str>,
) -> TableOf<'a, &'a Comparison> {
    let order: Vec<&str> = order.collect();
    let next: BTreeSet<(&str, &str)> = order.windows(2).map(|two| (two[0], two[1])).collect();
    let is_next = |row: &Comparison| next.contains(&(&*row.a, &*row.b));
    let shown = (0..).zip(comparisons).filter(|(_, row)| is_next(row));
    let shown = shown.map(|(i, _)| i).collect();
    let with_points = comparisons.iter().any(|row| row.points.value.is_some());
    let points = if with_points { "points" } else { "" };
    let others = separated.clone();
    ReportTable::of(comparisons)
        .csv(COMPARISONS)
        .shown(shown)
        .name("a", "agent", move |row| {
            (&row.a, separated.contains(&*row.a))
        })
        .name("b", "next", move |row| (&row.b, others.contains(&*row.b)))
        .estimate("elo low high se", "Elo", Unit::Elo, |row| row.elo)
        .main()
        .null(0.0)
        .column("los", "LOS", Unit::Chance, |row| row.los)
        .column("p_adjusted", "adjusted p", Unit::PValue, |row| {
            row.p_adjusted
        })
        .estimate(
            "points points_low points_high points_se",
            points,
            Unit::Points,
            |row| row.points,
        )
        .null(0.0)
        .priority(1)
}

/// Whether one rating per agent explains the results.
pub(in crate::report) fn consistency(consistency: &Consistency) -> Vec<String> {
    let (Some(chi_square), Some(p)) = (consistency.chi_square, consistency.p) else {
        return Vec::new();
    };
    let p_value = if p < 0.001 {
        "p < 0.001".to_owned()
    } else {
        format!("p = {p:.3}")
    };
    let verdict = if p < INCONSISTENT {
        "One Elo per agent does not fit these results"
    } else if p > MORE_EVEN {
        "One Elo per agent fits these results better than chance suggests"
    } else {
        "One Elo per agent fits these results"
    };
    let freedom = counted(consistency.freedom, "degree");
    let mut notes = vec![format!(
        "{verdict}: chi-square {chi_square:.1}, {freedom} of freedom, {p_value}."
    )];
    let surprising = consistency.pairings.iter().filter_map(|fit| {
        let surprise = fit.surprise.filter(|size| size.abs() >= SURPRISING)?;
        Some(surprise_of(fit, surprise))
    });
    notes.extend(surprising.take(MOST_SURPRISING));
    notes
}

/// If ratings do not explain the results: a ranking that needs no transitivity.
pub(in crate::report) fn lottery(consistency: &Consistency) -> Option<String> {
    let share = |row: &LotteryShare| {
        let (value, (low, high)) = (row.share.value?, row.share.interval()?);
        let [value, low, high] = [value, low, high].map(percent);
        Some(format!("{} {value} ({low} to {high})", row.agent))
    };
    let shares = consistency.lottery.iter().filter_map(share);
    let shown: Vec<String> = shares.take(MOST_SHARES).collect();
    // If nobody is expected to beat one agent, the order of the ratings says that, too.
    (shown.len() > 1).then(|| {
        format!(
            "One Elo per agent does not explain these results. A ranking that needs no transitivity is a maximal lottery: nobody is expected \
             to beat an opponent that is drawn with these shares: {}.",
            shown.join(", ")
        )
    })
}

fn surprise_of(fit: &PairingFit, surprise: f64) -> String {
    let share = |wins: f64| percent(wins / fit.games as f64);
    let (wins, expected) = (fit.wins as f64, fit.expected);
    let (lost, unexpected) = (fit.games as f64 - wins, fit.games as f64 - expected);
    let (better, worse, won, should) = if surprise > 0.0 {
        (&fit.a, &fit.b, wins, expected)
    } else {
        (&fit.b, &fit.a, lost, unexpected)
    };
    format!(
        "{} against {}: won {}, expected {} ({} standard errors).",
        better,
        worse,
        share(won),
        share(should),
        signed(surprise.abs(), 1).trim_start_matches('+'),
    )
}
