//! Rounds, brackets and tests for a terminal.

use std::io;

use super::table::{add_row, shortened, table, write_table};
use crate::rating::sprt::Verdict;
use crate::report::numbers::{counted, interval, optional, percent, signed};
use crate::report::rounds::{
    Course, CourseEncounter, CourseRound, SwissPlace, Test, TestEnd, Tests,
};

/// Rounds with more encounters are told by their number.
pub(in crate::report) const MOST_ENCOUNTERS: usize = 32;

/// Writes what the format of a tournament adds to its report.
pub(super) fn write_course(out: &mut dyn io::Write, course: &Course) -> io::Result<()> {
    if let Some(tests) = &course.sprt {
        write_tests(out, tests)?;
    }
    let Some(rounds) = &course.rounds else {
        return Ok(());
    };
    let planned = course.planned_rounds;
    match &course.swiss {
        Some(places) => write_swiss(out, places, rounds.len(), planned),
        None => write_bracket(out, rounds, planned, course.champion.as_deref()),
    }
}

fn write_tests(out: &mut dyn io::Write, tests: &Tests) -> io::Result<()> {
    let Tests {
        sprt,
        lower,
        upper,
        tests,
    } = tests;
    let title = format!(
        "SPRT, Elo {} (H0) against {} (H1), {}, alpha {}, beta {}, llr from {lower:.2} to {upper:+.2}",
        sprt.elo0(),
        sprt.elo1(),
        sprt.model(),
        sprt.alpha(),
        sprt.beta(),
    );
    let numbers = [
        "pairs", "0-2", "1-1", "2-0", "llr", "Elo", "95%", "LOS", "verdict",
    ];
    let mut table = table(&["agent", "opponent"], &numbers);
    for test in tests {
        let verdict = match test.verdict {
            Verdict::Continue if test.exhausted => "undecided".to_string(),
            verdict => verdict.to_string(),
        };
        let estimate = &test.estimate;
        let [lost, _, split, _, won] = test.counts;
        add_row(
            &mut table,
            [shortened(&test.a), shortened(&test.b)],
            [
                test.pairs.to_string(),
                lost.to_string(),
                split.to_string(),
                won.to_string(),
                signed(test.llr, 2),
                optional(estimate.elo.value, |elo| signed(elo, 0)),
                interval(estimate.elo.low, estimate.elo.high, |elo| signed(elo, 0)),
                optional(estimate.los, percent),
                verdict,
            ],
        );
    }
    write_table(out, &title, &mut table)?;
    let of_book = |test: &&Test| test.ended == Some(TestEnd::Book);
    if let Some(test) = tests.iter().find(of_book) {
        writeln!(
            out,
            " Undecided, book exhausted: all its rings are played ({}), and one that comes again is no new\n \
             evidence. A larger book may decide.",
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
    let mut table = table(
        &["#", "agent"],
        &["points", "byes", "opponents' points", "margin"],
    );
    for (i, place) in places.iter().enumerate() {
        add_row(
            &mut table,
            [(i + 1).to_string(), place.agent.clone()],
            [
                place.points.to_string(),
                place.byes.to_string(),
                place.opponents.to_string(),
                signed(place.margin as f64, 0),
            ],
        );
    }
    let title = format!("Swiss standings by games won, in round {round} of {rounds}");
    write_table(out, &title, &mut table)?;
    writeln!(out)
}

fn write_bracket(
    out: &mut dyn io::Write,
    rounds: &[CourseRound],
    planned: u32,
    champion: Option<&str>,
) -> io::Result<()> {
    writeln!(out, "Knock-out")?;
    for round in rounds {
        write!(out, " {}:", round_name(round.round, planned))?;
        if round.encounters.len() > MOST_ENCOUNTERS {
            writeln!(
                out,
                " {}",
                counted(round.encounters.len() as u64, "encounter")
            )?;
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

/// The name of a round from 1 of the rounds of a bracket.
pub(in crate::report) fn round_name(round: u32, rounds: u32) -> String {
    match rounds - round.min(rounds) {
        0 => "Final".to_string(),
        1 => "Semi-finals".to_string(),
        2 => "Quarter-finals".to_string(),
        _ => format!("Round {round}"),
    }
}

/// The winner first.
fn line(encounter: &CourseEncounter) -> String {
    let CourseEncounter {
        a,
        b,
        a_wins,
        b_wins,
        margin,
        ..
    } = encounter;
    let (Some(winner), Some(by)) = (&encounter.winner, encounter.by) else {
        return format!("{a} {a_wins}-{b_wins} {b} so far");
    };
    let (loser, wins, losses, margin) = if winner == a {
        (b, a_wins, b_wins, *margin)
    } else {
        (a, b_wins, a_wins, -margin)
    };
    let how = match by {
        "margin" => format!(", by points ({margin:+})"),
        "further-pairs" => ", with further pairs".to_string(),
        "seed" => ", as the better seed".to_string(),
        _ => String::new(),
    };
    format!("{winner} {wins}-{losses} {loser}{how}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::rounds::samples as course_samples;

    #[test]
    fn what_a_format_adds_is_told() {
        let texts: Vec<String> = course_samples()
            .iter()
            .map(|course| {
                let mut text = Vec::new();
                write_course(&mut text, course).expect("a vector takes all");
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
        let encounter = |a_wins, b_wins, margin, winner: &str, by| CourseEncounter {
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
