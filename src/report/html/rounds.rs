//! What the format of a tournament adds: tests, the standings of a swiss tournament, the bracket.

use maud::{Markup, html};

use super::bars::{Scale, interval};
use super::parts::{or_dash, panel, table_box, to};
use crate::rating::sprt::Verdict;
use crate::report::numbers::{counted, percent, signed, thousands};
use crate::report::rounds::{Course, CourseEncounter, CourseRound, SwissPlace, Test, Tests};
use crate::report::text::rounds::{MOST_ENCOUNTERS, round_name};

/// The anchor of the panel and its title; none where a tournament is no more than its pairings.
pub(super) fn contents(course: &Course) -> Option<(&'static str, &'static str)> {
    match course {
        Course { sprt: Some(_), .. } => Some(("course", "Tests")),
        Course { swiss: Some(_), .. } => Some(("course", "Swiss standings")),
        Course {
            rounds: Some(_), ..
        } => Some(("course", "Bracket")),
        _ => None,
    }
}

pub(super) fn section(course: &Course) -> Markup {
    let Some((id, title)) = contents(course) else {
        return html! {};
    };
    let rounds = course.rounds.as_deref().unwrap_or_default();
    let content = if let Some(found) = &course.sprt {
        tests(found)
    } else if let Some(places) = &course.swiss {
        swiss(places, rounds, course.planned_rounds)
    } else {
        bracket(rounds, course.planned_rounds, course.champion.as_deref())
    };
    panel(id, title, &content)
}

fn tests(found: &Tests) -> Markup {
    let Tests {
        sprt, lower, upper, ..
    } = found;
    let scale = Scale::new(*lower..*upper, Some(0.0));
    html! {
        p { "A sequential probability ratio test of Elo " (sprt.elo0()) " (H0) against Elo " (sprt.elo1()) " (H1), "
            (sprt.model()) ", alpha " (sprt.alpha()) ", beta " (sprt.beta()) ": H0 is accepted when the log likelihood ratio falls to "
            (signed(*lower, 2)) ", H1 when it rises to " (signed(*upper, 2)) "." }
        (table_box("Sequential tests", &html! {
            thead { tr { th scope="col" { "agent" } th scope="col" { "opponent" } th scope="col" { "verdict" }
                th.number scope="col" { "llr" }
                th.strips aria-hidden="true" { span.left { "H0" } span.right { "H1" } }
                th.number scope="col" { "Elo" } th.number scope="col" { "95%" } th.number scope="col" { "LOS" }
                th.number scope="col" { "pairs" } th.number scope="col" { "0-2" } th.number scope="col" { "1-1" } th.number scope="col" { "2-0" } } }
            tbody { @for test in &found.tests { (test_row(test, &scale)) } }
        }))
        ul.notes { li { "0-2, 1-1 and 2-0 are the pairs of which the agent won no game, one, and both. Where a test has ended the run, "
            "its Elo is a little too far from 0 on average." } }
    }
}

fn test_row(test: &Test, scale: &Scale) -> Markup {
    let estimate = &test.estimate;
    let [lost, _, split, _, won] = test.counts;
    let verdict = match test.verdict {
        Verdict::Continue if test.exhausted => "undecided".to_owned(),
        verdict => verdict.to_string(),
    };
    let elo = |elo: f64| signed(elo, 0);
    html! { tr {
        th scope="row" { (test.a) } td { (test.b) } td.strong { (verdict) }
        td.number { (signed(test.llr, 2)) }
        td.strips { (interval(scale, test.llr, None)) }
        td.number.strong { (or_dash(estimate.elo.value, elo)) }
        td.number { (to(estimate.elo.low, estimate.elo.high, elo)) }
        td.number { (or_dash(estimate.los, percent)) }
        @for count in [test.pairs, lost, split, won] { td.number { (thousands(count)) } }
    } }
}

fn swiss(places: &[SwissPlace], rounds: &[CourseRound], planned: u32) -> Markup {
    html! {
        p { "By games won, in round " (rounds.len()) " of " (planned)
            ". What is equal is ordered by the points of the opponents met, then by the margin over all games; a bye is worth half of an encounter's games." }
        (table_box("Swiss standings", &html! {
            thead { tr { th.number scope="col" { "#" } th scope="col" { "agent" } th.number scope="col" { "points" }
                th.number scope="col" { "byes" } th.number scope="col" { "opponents' points" } th.number scope="col" { "margin" } } }
            tbody { @for (i, place) in places.iter().enumerate() { tr {
                td.number { (i + 1) } th scope="row" { (place.agent) }
                td.number.strong { (thousands(place.points)) } td.number { (place.byes) }
                td.number { (thousands(place.opponents)) } td.number { (signed(place.margin as f64, 0)) }
            } } }
        }))
        details { summary { "The rounds" } (columns("The rounds", rounds, |round| format!("Round {round}"))) }
    }
}

fn bracket(rounds: &[CourseRound], planned: u32, champion: Option<&str>) -> Markup {
    html! {
        @if let Some(champion) = champion { p { strong { (champion) } " has won the knock-out." } }
        (columns("Bracket", rounds, |round| round_name(round, planned)))
    }
}

/// Rounds beside each other, the first on the left.
fn columns(title: &str, rounds: &[CourseRound], name: impl Fn(u32) -> String) -> Markup {
    html! {
        div.box tabindex="0" role="region" aria-label=(title) { ol.bracket {
            @for round in rounds { li {
                h3 { (name(round.round)) }
                ul {
                    @if round.encounters.len() > MOST_ENCOUNTERS {
                        li.meeting { (counted(round.encounters.len() as u64, "encounter")) }
                    } @else {
                        @for met in &round.encounters { (encounter(met)) }
                        @for agent in &round.byes { li.meeting { span.side { span { (agent) } span.how { "bye" } } } }
                    }
                }
            } }
        } }
    }
}

fn encounter(met: &CourseEncounter) -> Markup {
    let sides = [(&met.a, met.a_wins), (&met.b, met.b_wins)];
    let how = match met.by {
        Some("margin") => {
            let margin = if met.winner.as_ref() == Some(&met.a) {
                met.margin
            } else {
                -met.margin
            };
            Some(format!("by points ({margin:+})"))
        }
        Some("further-pairs") => Some("with further pairs".to_owned()),
        Some("seed") => Some("as the better seed".to_owned()),
        _ => None,
    };
    html! { li.meeting {
        @for (agent, wins) in sides {
            span.side.winner[met.winner.as_ref() == Some(agent)] { span { (agent) } span { (wins) } }
        }
        @if let Some(how) = how { span.how { (how) } }
    } }
}
