//! Rating against number of games played.

use maud::{Markup, html};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::parts::{panel, series_class, table_box};
use super::plot::{Axes, WIDE, band, line, plot};
use crate::rating::{Errors, RatedGame, Ratings, rate};
use crate::report::numbers::{elo, thousands};
use crate::stats::Summary;

/// Number of points on a curve.
const POINTS: usize = 40;

/// Maximum number of agents with shaded intervals; more would be unreadable.
const MOST_SHADED: usize = 8;

/// Rating against number of games played: the ratings computed from the first n games of the plan.
pub(super) fn section(summary: &Summary, names: &[String], results: &[RatedGame]) -> Markup {
    let counts = counts(results.len());
    if counts.len() < 2 {
        return html! {};
    }
    let history: Vec<Ratings> = counts
        .clone()
        .into_par_iter()
        .map(|count| rate(&results[..count], names.len(), Errors::Clustered))
        .collect();
    // The rows of the standings that have a rating and a name in the plan.
    let agents: Vec<(usize, usize)> = summary
        .ratings
        .iter()
        .enumerate()
        .filter(|(_, row)| row.elo.value.is_some())
        .filter_map(|(rank, row)| Some((rank, names.iter().position(|name| *name == row.agent)?)))
        .collect();
    panel(
        "history",
        "Rating against games played",
        &html! {
            p { "The ratings after the first games of the plan, in planned order"
                @if agents.len() <= MOST_SHADED { ", with 95% intervals" }
                ". Curves are labelled by rank." }
            p.axis { "Elo" }
            (curves(&agents, &counts, &history))
            ul.legend { @for &(rank, agent) in &agents {
                li { span class={ "key " (series_class(rank)) } { (rank + 1) } " " (names[agent]) }
            } }
            details {
                summary { "The numbers" }
                (table_box("Rating after the first games", &html! {
                    thead { tr { th scope="col" { "games" }
                        @for &(_, agent) in &agents { th.number scope="col" { (names[agent]) } } } }
                    tbody { @for (count, ratings) in counts.iter().zip(&history) { tr {
                        th scope="row" { (thousands(*count as u64)) }
                        @for &(_, agent) in &agents {
                            td.number { (elo(ratings.agents[agent].elo)) }
                        }
                    } } }
                }))
            }
        },
    )
}

/// The numbers of games at which ratings are computed: evenly spaced, ending with all games.
fn counts(games: usize) -> Vec<usize> {
    let mut counts: Vec<usize> = (1..=POINTS).map(|i| games * i / POINTS).collect();
    counts.retain(|&count| count >= 2);
    counts.dedup();
    counts
}

/// The range of Elo shown. It includes the final ratings with their intervals. The wider intervals
/// of earlier ratings, except for the first third, are included as long as the final ratings keep
/// half of the height.
fn shown(agents: &[(usize, usize)], history: &[Ratings]) -> (f64, f64) {
    let reach = |looks: &[Ratings]| {
        let estimates = looks
            .iter()
            .flat_map(|ratings| agents.iter().map(|&(_, agent)| ratings.agents[agent].elo))
            .filter(|elo| elo.value.is_some());
        estimates
            .flat_map(|estimate| [estimate.low, estimate.high, estimate.value])
            .flatten()
            .fold((f64::MAX, f64::MIN), |(low, high), end| {
                (low.min(end), high.max(end))
            })
    };
    let (low, high) = reach(&history[history.len() - 1..]);
    let (lower, higher) = reach(&history[history.len() / 3..]);
    let more = 0.5 * (high - low);
    (lower.max(low - more), higher.min(high + more))
}

fn curves(agents: &[(usize, usize)], counts: &[usize], history: &[Ratings]) -> Markup {
    let last = &history[history.len() - 1];
    let (low, high) = shown(agents, history);
    let room = 0.12 * (high - low).max(10.0);
    let axes = Axes {
        size: WIDE,
        x: 0.0..counts[counts.len() - 1] as f64,
        y: low - room..high + room,
        x_name: "games",
        x_label: |games| thousands(games.max(0.0).round() as u64),
        y_label: elo,
    };
    let (bottom, top) = (axes.y.start, axes.y.end);
    plot(
        "Rating of each agent against the number of games; the numbers follow in a table",
        &axes,
        |map| {
            let inside = |elo: f64| elo.clamp(bottom, top);
            let points = |agent: usize,
                          number: fn(&crate::rating::Estimate) -> Option<f64>|
             -> Vec<(f64, f64)> {
                counts
                    .iter()
                    .zip(history)
                    .filter(|(_, ratings)| ratings.agents[agent].elo.value.is_some())
                    .filter_map(|(&count, ratings)| {
                        let elo = number(&ratings.agents[agent].elo)?;
                        Some(map(count as f64, inside(elo)))
                    })
                    .collect()
            };
            let ends: Vec<f64> = agents
                .iter()
                .map(|&(_, agent)| map(0.0, inside(last.elo(agent))).1)
                .collect();
            let right = map(axes.x.end, bottom).0;
            html! {
                @if agents.len() <= MOST_SHADED { @for &(rank, agent) in agents {
                    path class={ "band " (series_class(rank)) }
                        d=(band(&points(agent, |e| e.low), &points(agent, |e| e.high))) {}
                } }
                @for &(rank, agent) in agents {
                    path class={ "curve " (series_class(rank)) } d=(line(&points(agent, |e| e.value))) {}
                }
                @for (&(rank, _), y) in agents.iter().zip(places(&ends)) { @if let Some(y) = y {
                    text class={ "end " (series_class(rank)) } x=(right + 4.0) y=(format!("{y:.1}")) dy="0.35em" { (rank + 1) }
                } }
            }
        },
    )
}

/// Positions for labels from top to bottom. A label that is too close to the one above is moved
/// slightly down; it is `None` if that is not enough.
fn places(wanted: &[f64]) -> Vec<Option<f64>> {
    const GAP: f64 = 14.0;
    const FARTHEST: f64 = 18.0;
    let mut last = f64::MIN;
    let place = |&at: &f64| {
        let place = at.max(last + GAP);
        (place - at <= FARTHEST).then(|| {
            last = place;
            place
        })
    };
    wanted.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_apart_or_stay_away() {
        let places = places(&[10.0, 12.0, 13.0, 14.0, 80.0]);
        assert_eq!(places, [Some(10.0), Some(24.0), None, None, Some(80.0)]);
    }

    #[test]
    fn looks_are_even_and_end_with_all_games() {
        assert_eq!(counts(0), Vec::<usize>::new());
        assert_eq!(counts(3), [2, 3]);
        let looks = counts(10_000);
        assert_eq!((looks.len(), looks[0], looks[39]), (40, 250, 10_000));
    }
}
