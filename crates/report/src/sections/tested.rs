//! The sequential tests of a tournament.

use super::TournamentReport;
use crate::document::{
    Bar, CsvTable, ReportSection, ReportTable, Unit, counted, signed, thousands,
};
use crate::tested::{SprtTest, SprtTests, TestEnd};
use patchwork_rating::statistic::LLR;

pub(super) const TABLES: &[CsvTable] = &[];

pub(super) fn section<'a>(report: &'a TournamentReport<'a>) -> ReportSection<'a> {
    let section = ReportSection::new("tests", "Tests");
    match &report.header.sprt {
        Some(found) => tests(section, found, report.names.len()),
        None => section,
    }
}

fn tests<'a>(
    mut section: ReportSection<'a>,
    found: &'a SprtTests,
    agents: usize,
) -> ReportSection<'a> {
    let sprt = &found.sprt;
    let count = |which: usize| move |row: &&SprtTest| row.counts[which];
    let table = ReportTable::of(&found.tests)
        .name("a", "agent", |row| (&row.a, false))
        .name("b", "opponent", |row| (&row.b, false))
        .column("verdict", "verdict", Unit::Text, |row| row.outcome())
        .column("llr", "llr", Unit::Llr, |row| row.llr)
        .statistic(LLR)
        .null(0.0)
        .bar(Bar::Range(found.lower, found.upper))
        .estimate("", "Elo", Unit::Elo, |row| row.estimate_that_holds().0)
        .main()
        .null(0.0)
        .column("", "interval", Unit::Text, |row| {
            row.estimate_that_holds().1
        })
        .priority(4)
        .column("pairs", "pairs", Unit::Count, |row| row.pairs)
        .priority(2)
        .column("", "0-2", Unit::Count, count(0))
        .priority(3)
        .column("", "1-1", Unit::Count, count(2))
        .priority(3)
        .column("", "2-0", Unit::Count, count(4))
        .priority(3);
    if let [test] = &found.tests[..]
        && agents > 2
    {
        let [lower, upper] = [found.lower, found.upper].map(|bound| signed(bound, 2));
        let pairs = counted(test.pairs, "pair");
        let (elo, words) = test.estimate_that_holds();
        let llr = signed(test.llr, 2);
        section = section.headline(
            test.outcome(),
            format!("by the test of {} against {}", test.a, test.b),
            [
                Some(format!("{} {words}", Unit::Elo.with_interval(elo))),
                Some(format!("llr {llr} after {pairs}")),
                Some(format!("bounds {lower} and {upper}")),
            ],
        );
    } else if found.tests.len() > 1 {
        let ended = found.tests.iter().filter(|test| test.ended.is_some());
        let all = counted(found.tests.len() as u64, "test");
        section = section.headline(
            thousands(ended.count() as u64),
            format!("of {all} ended"),
            [],
        );
    }
    if agents > 2 {
        section = section.leading().note(format!(
            "A sequential probability ratio test of Elo {} (H0) against Elo {} (H1), {}, alpha {}, beta {}: H0 is accepted when the log \
             likelihood ratio (llr) falls to {}, H1 when it rises to {}.",
            sprt.elo0(),
            sprt.elo1(),
            sprt.model(),
            sprt.alpha(),
            sprt.beta(),
            signed(found.lower, 2),
            signed(found.upper, 2),
        ));
    }
    section = section.table(table).note(
        "Elo is corrected for the stopping of a test that has ended; while a test runs, the interval holds however often one looks. \
         0-2, 1-1 and 2-0 are the pairs of which the agent won no game, one game and both.",
    );
    let mut of_book = (found.tests.iter()).filter(|test| test.ended == Some(TestEnd::Book));
    section.notes(of_book.next().map(|test| {
        format!(
            "Undecided, book exhausted: {} used all of its rings, and a repeated ring is not new evidence. A larger book may decide.",
            counted(test.pairs, "pair")
        )
    }))
}
