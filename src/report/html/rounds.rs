//! Sections for specific formats: tests, the standings of a swiss tournament, the bracket.

use maud::{Markup, html};

use super::bars::{Scale, interval_bar};
use super::parts::{head, numbers, panel, table_box};
use crate::report::numbers::{counted, elo, interval, percent, signed, thousands};
use crate::report::rounds::{
    EncounterReport, FormatReport, MOST_ENCOUNTERS, RoundReport, SprtTest, SprtTests, SwissPlace,
    round_name,
};

/// The anchor and title of the panel; `None` if the format adds nothing to the pairings.
pub(super) fn contents(format: &FormatReport) -> Option<(&'static str, &'static str)> {
    match format {
        FormatReport { sprt: Some(_), .. } => Some(("course", "Tests")),
        FormatReport { swiss: Some(_), .. } => Some(("course", "Swiss standings")),
        FormatReport {
            rounds: Some(_), ..
        } => Some(("course", "Bracket")),
        _ => None,
    }
}

pub(super) fn section(format: &FormatReport) -> Markup {
    let Some((id, title)) = contents(format) else {
        return html! {};
    };
    let rounds = format.rounds.as_deref().unwrap_or_default();
    let content = if let Some(found) = &format.sprt {
        tests(found)
    } else if let Some(places) = &format.swiss {
        swiss(places, rounds, format.planned_rounds)
    } else {
        bracket(rounds, format.planned_rounds, format.champion.as_deref())
    };
    panel(id, title, &content)
}

fn tests(found: &SprtTests) -> Markup {
    let SprtTests {
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
        ul.notes { li { "0-2, 1-1 and 2-0 are the pairs of which the agent won no game, one game and both. Where a test ended the run, "
            "its Elo is on average slightly too far from 0." } }
    }
}

fn test_row(test: &SprtTest, scale: &Scale) -> Markup {
    let [lost, _, split, _, won] = test.counts;
    let estimate = &test.estimate;
    html! { tr {
        th scope="row" { (test.a) } td { (test.b) } td.strong { (test.outcome()) }
        td.number { (signed(test.llr, 2)) }
        td.strips { (interval_bar(scale, test.llr, None)) }
        td.number.strong { (elo(estimate.elo)) }
        (numbers([interval(estimate.elo, elo), percent(estimate.los)]))
        (numbers([test.pairs, lost, split, won].map(thousands)))
    } }
}

fn swiss(places: &[SwissPlace], rounds: &[RoundReport], planned: u32) -> Markup {
    html! {
        p { "By games won, in round " (rounds.len()) " of " (planned)
            ". Ties are broken by the points of the opponents met, then by the margin over all games. A bye is worth half of an encounter's games." }
        (table_box("Swiss standings", &html! {
            (head(2, "# | agent | points | byes | opponents' points | margin"))
            tbody { @for (i, place) in places.iter().enumerate() { tr {
                td.number { (i + 1) } th scope="row" { (place.agent) }
                td.number.strong { (thousands(place.points)) } td.number { (place.byes) }
                td.number { (thousands(place.opponents)) } td.number { (signed(place.margin as f64, 0)) }
            } } }
        }))
        details { summary { "The rounds" } (columns("The rounds", rounds, |round| format!("Round {round}"))) }
    }
}

fn bracket(rounds: &[RoundReport], planned: u32, champion: Option<&str>) -> Markup {
    html! {
        @if let Some(champion) = champion { p { strong { (champion) } " has won the knock-out." } }
        (columns("Bracket", rounds, |round| round_name(round, planned)))
    }
}

/// Rounds side by side, with the first on the left.
fn columns(title: &str, rounds: &[RoundReport], name: impl Fn(u32) -> String) -> Markup {
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

fn encounter(met: &EncounterReport) -> Markup {
    let sides = [(&met.a, met.a_wins), (&met.b, met.b_wins)];
    html! { li.meeting {
        @for (agent, wins) in sides {
            span.side.winner[met.winner.as_ref() == Some(agent)] { span { (agent) } span { (wins) } }
        }
        @if let Some(how) = met.tie_break() { span.how { (how) } }
    } }
}
