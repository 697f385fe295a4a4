//! The advantage of moving first.

use patchwork_rating::Estimate;
use patchwork_rating::statistic::{EQUAL_WINS, MOVING_FIRST};
use patchwork_tournament::stats::statistics::{FIRST_MARGIN, FIRST_WINS};

use super::TournamentReport;
use crate::document::{Bar, CsvTable, ReportSection, TableOf, Unit};
use crate::ratings::correlation;
use patchwork_tournament::stats::{SeatAdvantage, Summary};

pub(super) const TABLES: &[CsvTable] = &[FIRST_PLAYER];
const FIRST_PLAYER: CsvTable = CsvTable::new(
    "first-player",
    "What moving first is worth: over all games, by strength, by pairing",
);

/// The advantage in some of the games.
#[derive(Clone, Debug, Default)]
struct SeatRow {
    by: &'static str,
    value: String,
    from: Option<f64>,
    to: Option<f64>,
    games: u64,
    equal: Estimate,
    win_rate: Estimate,
    elo: Estimate,
    margin: Estimate,
}

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let summary = &report.summary;
    let first = &summary.first_player;
    let rows = rows(summary);
    let met = (0..rows.len()).filter(|&i| rows[i].games > 0).collect();
    let is_listed = |&i: &usize| ["all", "gap"].contains(&rows[i].by);
    let listed: Vec<usize> = (0..rows.len()).filter(is_listed).collect();
    let table = TableOf::new(rows.len(), move |i| rows[i].clone())
        .csv(FIRST_PLAYER)
        .shown(met)
        .listed(listed)
        .unlisted("games by mean Elo and by pairing")
        .column("by", "", Unit::Text, |row| row.by)
        .column("value", "", Unit::Name, |row| row.value.clone())
        .column("", "Elo of agents", Unit::Name, about)
        .column("from", "", Unit::Elo, |row| row.from)
        .column("to", "", Unit::Elo, |row| row.to)
        .column("games", "games", Unit::Count, |row| row.games)
        .estimate("equal_win_rate", "", Unit::Share, |row| row.equal)
        .statistic(EQUAL_WINS)
        .estimate("win_rate", "1st wins", Unit::Share, |row| row.win_rate)
        .statistic(FIRST_WINS)
        .main()
        .null(0.5)
        .bar(Bar::Symmetric(0.1))
        .estimate("elo", "Elo", Unit::Elo, |row| row.elo)
        .statistic(MOVING_FIRST)
        .null(0.0)
        .priority(1)
        .estimate("margin", "margin", Unit::Points, |row| row.margin)
        .statistic(FIRST_MARGIN)
        .null(0.0)
        .priority(2);
    let section = ReportSection::new("first-player", "First-player advantage");
    let equal = first.equal_win_rate.value.map(|_| {
        let equal = Unit::Share.with_interval(first.equal_win_rate);
        format!("Between equals, the first player wins {equal} of the games.")
    });
    let told: Vec<String> = equal.into_iter().chain(correlation(summary.rho)).collect();
    section
        .notes((!told.is_empty()).then(|| told.join(" ")))
        .note("The stronger of two unequal agents mostly wins from either seat: Elo and margin measure the first-player \
            advantage, but the share of wins understates it.")
        .table(table)
        .data_only(report.all_faulted())
}

/// The games of a row in words.
fn about(row: &SeatRow) -> String {
    let whole = |elo| Unit::Whole.number(elo);
    let ends = match (row.from, row.to) {
        (Some(from), Some(to)) => format!("{} to {}", whole(from), whole(to)),
        (Some(from), None) => format!("{}+", whole(from)),
        (None, _) => return row.value.clone(),
    };
    match row.by {
        "gap" => format!("{ends} apart"),
        _ => format!("mean {ends}"),
    }
}

/// Over all games, by strength, by pairing.
fn rows(summary: &Summary) -> Vec<SeatRow> {
    let first = &summary.first_player;
    let mut rows = vec![SeatRow {
        by: "all",
        value: "all".to_owned(),
        games: first.games,
        equal: first.equal_win_rate,
        win_rate: first.win_rate,
        elo: first.elo,
        margin: first.margin,
        ..SeatRow::default()
    }];
    let class = |by, class: &SeatAdvantage| SeatRow {
        by,
        value: class.to.map_or_else(
            || format!("from {}", class.from),
            |to| format!("{} to {to}", class.from),
        ),
        from: Some(class.from),
        to: class.to,
        games: class.games,
        win_rate: class.win_rate,
        elo: class.elo,
        margin: class.margin,
        ..SeatRow::default()
    };
    rows.extend(first.by_level.iter().map(|found| class("level", found)));
    rows.extend(first.by_gap.iter().map(|found| class("gap", found)));
    rows.extend(summary.pairings.iter().map(|pairing| SeatRow {
        by: "pairing",
        value: format!("{}|{}", pairing.a, pairing.b),
        games: pairing.finished,
        win_rate: pairing.first_win_rate,
        ..SeatRow::default()
    }));
    rows
}
