//! The crosstable of all agents, and how well the ratings explain the results.

use maud::{Markup, html};

use super::parts::panel;
use crate::rating::{Consistency, Estimate};
use crate::report::numbers::{counted, elo as elo_text, interval, one_place, percent};
use crate::stats::Summary;

/// Maximum number of agents for which two crosstables are shown side by side.
const SIDE_BY_SIDE: usize = 9;

pub(super) fn crosstable(summary: &Summary) -> Markup {
    panel(
        "crosstable",
        "Crosstable",
        &html! {
            div.pair[summary.ratings.len() <= SIDE_BY_SIDE] {
                div {
                    h3 { "Games won, in %" }
                    p.axis { "Of the games between two agents, those that the agent of the row won." }
                    (cross("Share of games won against each opponent, in percent", summary, |i, j| cell(summary, i, j)))
                }
                @if !summary.comparisons.is_empty() {
                    div {
                        h3 { "How certain it is who is stronger, in %" }
                        p.axis { "The likelihood that the agent of the row is stronger, given all games." }
                        (cross("Likelihood of superiority, in percent", summary, |i, j| superiority(summary, i, j)))
                    }
                }
            }
            (consistency(&summary.consistency))
        },
    )
}

/// A table of all agents against each other.
fn cross(caption: &str, summary: &Summary, cell: impl Fn(&str, &str) -> Markup) -> Markup {
    let agents = &summary.ratings;
    html! {
        div.box tabindex="0" role="region" aria-label=(caption) { table.cross {
            caption.hidden { (caption) }
            thead { tr {
                th scope="col" { "agent" }
                @for (j, opponent) in agents.iter().enumerate() {
                    th.number scope="col" title=(opponent.agent) { (j + 1) }
                }
            } }
            tbody { @for (i, row) in agents.iter().enumerate() { tr {
                th scope="row" { span.rank { (i + 1) } " " (row.agent) }
                @for (j, opponent) in agents.iter().enumerate() {
                    @if i == j { td.none { "·" } } @else { (cell(&row.agent, &opponent.agent)) }
                }
            } } }
        } }
    }
}

fn cell(summary: &Summary, agent: &str, opponent: &str) -> Markup {
    let (wins, games) = summary.head_to_head(agent, opponent);
    if games == 0 {
        return html! { td.none {} };
    }
    let title = format!("{agent} won {wins} of {games} against {opponent}");
    shaded(wins as f64 / games as f64, &title)
}

fn superiority(summary: &Summary, agent: &str, opponent: &str) -> Markup {
    let found = summary.comparisons.iter().find_map(|pair| {
        let los = pair.los?;
        match (pair.a.as_str(), pair.b.as_str()) {
            (a, b) if (a, b) == (agent, opponent) => Some((los, pair.elo)),
            (a, b) if (b, a) == (agent, opponent) => {
                let Estimate { low, high, .. } = pair.elo.scaled(-1.0);
                let elo = Estimate {
                    low: high,
                    high: low,
                    ..pair.elo.scaled(-1.0)
                };
                Some((1.0 - los, elo))
            }
            _ => None,
        }
    });
    let Some((los, elo)) = found else {
        return html! { td.none {} };
    };
    let title = format!(
        "{agent} is {} Elo (95%: {}) from {opponent}",
        elo_text(elo),
        interval(elo, elo_text)
    );
    shaded(los, &title)
}

/// A cell whose colour shows whether a share is above or below one half, and by how much.
pub(super) fn shaded(share: f64, title: &str) -> Markup {
    let side = if share < 0.5 { "lost" } else { "won" };
    html! {
        td class=(side) style={ "--share:" (format!("{:.0}", 200.0 * (share - 0.5).abs())) "%" } title=(title) {
            (format!("{:.0}", 100.0 * share))
        }
    }
}

/// Maximum number of surprising pairings that are listed.
const MOST_SURPRISES: usize = 3;

/// Number of standard errors from which a pairing is listed.
const SURPRISING: f64 = 2.0;

/// If results more uneven than these have at least this probability, they are called suspiciously
/// even.
const MORE_EVEN: f64 = 0.95;

fn consistency(consistency: &Consistency) -> Markup {
    let Some((chi, p)) = consistency.chi_square.zip(consistency.p) else {
        return html! {};
    };
    let surprising = consistency.pairings.iter().filter(|fit| {
        fit.surprise
            .is_some_and(|surprise| surprise.abs() >= SURPRISING)
    });
    html! {
        h3 { "Do ratings explain who beats whom?" }
        p.about { "One rating per agent cannot describe three agents each of which beats the next. A test for this gives a chi-square of "
            strong { (one_place(chi)) } " with " (counted(consistency.freedom, "degree")) " of freedom. If ratings explained everything, "
            @if p < 0.0005 { "results this uneven would occur in less than 1 of 2,000 tournaments." }
            @else if p > MORE_EVEN { (percent(p)) " of tournaments would be more uneven: these results are more even than chance suggests." }
            @else { "results this uneven would occur in " (percent(p)) " of tournaments." } }
        ul.notes { @for fit in surprising.take(MOST_SURPRISES) {
            li { (fit.a) " won " (fit.wins) " of " (fit.games) " against " (fit.b) "; " (one_place(fit.expected)) " were expected." }
        } }
    }
}
