//! Rounds, brackets and tests for a terminal.

use std::io;

use super::table::{TextTable, shortened};
use crate::report::numbers::{counted, elo, interval, percent, signed};
use crate::report::rounds::{
    EncounterReport, FormatReport, MOST_ENCOUNTERS, RoundReport, SprtTests, SwissPlace, TestEnd,
    round_name,
};

/// Writes the sections that are specific to the format of a tournament.
pub(super) fn write_format(out: &mut dyn io::Write, format: &FormatReport) -> io::Result<()> {
    if let Some(tests) = &format.sprt {
        write_tests(out, tests)?;
    }
    let Some(rounds) = &format.rounds else {
        return Ok(());
    };
    let planned = format.planned_rounds;
    match &format.swiss {
        Some(places) => write_swiss(out, places, rounds.len(), planned),
        None => write_bracket(out, rounds, planned, format.champion.as_deref()),
    }
}

fn write_tests(out: &mut dyn io::Write, tests: &SprtTests) -> io::Result<()> {
    let sprt = &tests.sprt;
    let title = format!(
        "SPRT, Elo {} (H0) against {} (H1), {}, alpha {}, beta {}, llr from {:.2} to {:+.2}",
        sprt.elo0(),
        sprt.elo1(),
        sprt.model(),
        sprt.alpha(),
        sprt.beta(),
        tests.lower,
        tests.upper,
    );
    let mut table = TextTable::new(
        2,
        "agent | opponent | pairs | 0-2 | 1-1 | 2-0 | llr | Elo | 95% | LOS | verdict",
    );
    for test in &tests.tests {
        let [lost, _, split, _, won] = test.counts;
        table.row([
            shortened(&test.a),
            shortened(&test.b),
            test.pairs.to_string(),
            lost.to_string(),
            split.to_string(),
            won.to_string(),
            signed(test.llr, 2),
            elo(test.estimate.elo),
            interval(test.estimate.elo, elo),
            percent(test.estimate.los),
            test.outcome(),
        ]);
    }
    table.write(out, &title)?;
    let mut of_book = tests
        .tests
        .iter()
        .filter(|test| test.ended == Some(TestEnd::Book));
    if let Some(test) = of_book.next() {
        writeln!(
            out,
            " Undecided, book exhausted: {} used all of its rings, and a repeated ring is no new evidence.\n \
             A larger book may decide.",
            counted(test.pairs, "pair")
        )?;
    }
    writeln!(out)
}

fn write_swiss(
    out: &mut dyn io::Write,
    places: &[SwissPlace],
    round: usize,
    rounds: u32,
) -> io::Result<()> {
    let mut table = TextTable::new(2, "# | agent | points | byes | opponents' points | margin");
    for (i, place) in (1..).zip(places) {
        table.row([
            i.to_string(),
            place.agent.clone(),
            place.points.to_string(),
            place.byes.to_string(),
            place.opponents.to_string(),
            signed(place.margin as f64, 0),
        ]);
    }
    let title = format!("Swiss standings by games won, in round {round} of {rounds}");
    table.write(out, &title)?;
    writeln!(out)
}

fn write_bracket(
    out: &mut dyn io::Write,
    rounds: &[RoundReport],
    planned: u32,
    champion: Option<&str>,
) -> io::Result<()> {
    writeln!(out, "Knock-out")?;
    for round in rounds {
        write!(out, " {}:", round_name(round.round, planned))?;
        if round.encounters.len() > MOST_ENCOUNTERS {
            let encounters = counted(round.encounters.len() as u64, "encounter");
            writeln!(out, " {encounters}")?;
            continue;
        }
        writeln!(out)?;
        for encounter in &round.encounters {
            writeln!(out, "  {}", line(encounter))?;
        }
        for agent in &round.byes {
            writeln!(out, "  {agent} has a bye")?;
        }
    }
    match champion {
        Some(champion) => writeln!(out, " {champion} has won.\n"),
        None => writeln!(out),
    }
}

/// One line per encounter, with the winner first.
fn line(encounter: &EncounterReport) -> String {
    let EncounterReport {
        a,
        b,
        a_wins,
        b_wins,
        ..
    } = encounter;
    let Some(winner) = &encounter.winner else {
        return format!("{a} {a_wins}-{b_wins} {b} so far");
    };
    let (loser, wins, losses) = if winner == a {
        (b, a_wins, b_wins)
    } else {
        (a, b_wins, a_wins)
    };
    let how = encounter.tie_break();
    let how = how.map_or_else(String::new, |how| format!(", {how}"));
    format!("{winner} {wins}-{losses} {loser}{how}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::rounds::samples;

    #[test]
    fn what_a_format_adds_is_told() {
        let texts: Vec<String> = samples()
            .iter()
            .map(|format| {
                let mut text = Vec::new();
                write_format(&mut text, format).expect("a vector takes all");
                String::from_utf8(text).expect("text")
            })
            .collect();
        for text in &texts {
            assert!(
                !text.contains("NaN") && !text.contains("inf") && !text.contains(" \n"),
                "{text}"
            );
            let widest = text.lines().map(|line| line.chars().count()).max();
            assert!(widest.is_none_or(|widest| widest <= 105), "{text}");
        }
        assert_eq!(texts[0], "", "a round-robin has no more than its tables");
        let all = texts.concat();
        for expected in [
            "in round 1 of 3",
            "in round 3 of 3",
            " so far",
            " has a bye",
            " Final:",
            " has won.",
            "continue",
            "accept H1",
        ] {
            assert!(all.contains(expected), "{all} lacks {expected}");
        }
    }

    #[test]
    fn the_winner_comes_first() {
        let encounter = |a_wins, b_wins, margin, winner: &str, by| EncounterReport {
            a: "x".to_string(),
            b: "y".to_string(),
            games: a_wins + b_wins,
            a_wins,
            b_wins,
            margin,
            winner: Some(winner.to_string()),
            by: Some(by),
        };
        assert_eq!(line(&encounter(3, 1, 5, "x", "wins")), "x 3-1 y");
        assert_eq!(
            line(&encounter(2, 2, -5, "y", "margin")),
            "y 2-2 x, by points (+5)"
        );
        assert_eq!(
            line(&encounter(2, 4, 0, "y", "further-pairs")),
            "y 4-2 x, with further pairs"
        );
        assert_eq!(
            line(&encounter(4, 4, 0, "x", "seed")),
            "x 4-4 y, as the better seed"
        );
    }
}
