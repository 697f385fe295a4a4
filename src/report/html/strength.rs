//! Who is how strong: the agents beside each other, and what the seat is worth.

use maud::{Markup, html};

use super::parts::{or_dash, panel, table_box, to};
use super::strip::{Scale, interval};
use super::{counted_thousands, thousands};
use crate::rating::{Consistency, Estimate};
use crate::report::Course;
use crate::report::text::{
    counted, duration, half_width, one_place, optional, per_second, percent, signed,
};
use crate::stats::{SeatAdvantage, Standing, Summary};

pub(super) fn overview(course: &Course, summary: &Summary) -> Markup {
    let first = &summary.first_player;
    let card = |value: String, name: &str, more: String| {
        html! { li { span.value { (value) } span.name { (name) } span.more { (more) } } }
    };
    let leader = leader(course, &summary.ratings);
    html! {
        ul.cards aria-label="In short" {
            (card(leader.who, leader.how, leader.more))
            (card(or_dash(first.win_rate.value, percent), "won by the first player", format!("95%: {}", to(first.win_rate.low, first.win_rate.high, percent))))
            (card(or_dash(summary.plies.all.both.value, one_place), "plies a game",
                optional(summary.plies.all.min.map(|min| min as f64), |min| format!("{min:.0} to {}", summary.plies.all.max.unwrap_or(0)))))
            (card(or_dash(summary.branching.all.value, one_place), "legal actions a ply",
                format!("95%: {}", to(summary.branching.all.low, summary.branching.all.high, one_place))))
            (card(or_dash(summary.scores.winner, one_place), "points of a winner", or_dash(summary.scores.loser, |loser| format!("{} of a loser", one_place(loser)))))
            (card(or_dash(summary.bonus.rate, percent), "with the 7×7 bonus", or_dash(summary.bonus.winner_rate, |rate| format!("{} of its owners won", percent(rate)))))
        }
    }
}

/// Who is ahead of all others.
struct Leader {
    who: String,
    how: &'static str,
    more: String,
}

/// The champion, the first of a swiss tournament, or the agent of the highest rating, if it is one.
fn leader(course: &Course, ratings: &[Standing]) -> Leader {
    let first = &ratings[0];
    let won = |row: &Standing| {
        or_dash(row.score, |score| {
            format!("{} of its games won", percent(score))
        })
    };
    if let Some(champion) = &course.champion {
        let row = ratings.iter().find(|row| row.agent == *champion);
        return Leader {
            who: champion.clone(),
            how: "won the knock-out",
            more: row.map_or_else(String::new, won),
        };
    }
    if let Some(place) = course.swiss.as_ref().and_then(|places| places.first()) {
        return Leader {
            who: place.agent.clone(),
            how: "first of the swiss standings",
            more: format!("{} points", thousands(place.points)),
        };
    }
    let level: Vec<&Standing> = ratings
        .iter()
        .take_while(|row| {
            let both = row.elo.value.zip(first.elo.value);
            both.is_some_and(|(elo, first)| (elo - first).abs() < 1e-9)
        })
        .collect();
    if level.len() < 2 {
        return Leader {
            who: first.agent.clone(),
            how: "leads",
            more: won(first),
        };
    }
    let ahead = first.mean_margin > level[1].mean_margin;
    Leader {
        who: match &level[..] {
            [one, other] => format!("{} and {}", one.agent, other.agent),
            all => format!("{} agents", all.len()),
        },
        how: "level in Elo",
        more: if ahead {
            format!("{} made more points", first.agent)
        } else {
            won(first)
        },
    }
}

pub(super) fn standings(summary: &Summary) -> Markup {
    let rows = &summary.ratings;
    let all = rows
        .iter()
        .flat_map(|row| [row.elo.low, row.elo.high, row.elo.value])
        .flatten();
    let scale = Scale::around(all, Some(0.0));
    panel(
        "standings",
        "Standings",
        &html! {
            (table_box("Standings", &html! {
                thead { tr {
                    th.number scope="col" { "#" } th scope="col" { "agent" } th.number scope="col" { "Elo" }
                    th.number scope="col" { "95%" } th.strips aria-hidden="true" {}
                    th.number scope="col" { "games" } th.number scope="col" { "wins" } th.number scope="col" { "score" }
                    th.number scope="col" { "margin" } th.number scope="col" { "iterations/s" } th.number scope="col" { "time/move" }
                } }
                tbody { @for (i, row) in rows.iter().enumerate() { (standing(i, row, &scale)) } }
            }))
            ul.notes {
                li { "Elo by maximum likelihood of all games with one term for moving first, their mean being 0. Margins are points a game." }
                @if rows.iter().any(|row| row.perfect) {
                    li { "* won or lost every game: the Elo only tells the direction, the distance is unknown." }
                }
                @if summary.prior_used {
                    li { "The results alone allow no finite Elo: Jeffreys' prior (Firth's penalised likelihood) keeps the numbers finite." }
                }
                @if !summary.connected {
                    li { "Some groups of agents have not met: each averages 0 Elo, do not compare across them." }
                }
            }
        },
    )
}

fn standing(i: usize, row: &Standing, scale: &Scale) -> Markup {
    html! { tr {
        td.number { (i + 1) }
        th scope="row" { (row.agent) @if row.perfect { " *" } }
        td.number.strong { (or_dash(row.elo.value, |elo| signed(elo, 0))) }
        td.number { (or_dash(half_width(row), |half| format!("±{half:.0}"))) }
        td.strips { @if let Some(elo) = row.elo.value { (interval(scale, elo, row.elo.interval())) } }
        td.number { (thousands(row.games)) }
        td.number { (thousands(row.wins)) }
        td.number { (or_dash(row.score, percent)) }
        td.number { (or_dash(row.mean_margin, |margin| signed(margin, 1))) }
        td.number { (or_dash(row.iterations_per_s, per_second)) }
        td.number { (or_dash(row.seconds_per_move, duration)) }
    } }
}

/// Agents of two crosstables that stand beside each other.
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
                        h3 { "How sure it is who is stronger, in %" }
                        p.axis { "The likelihood that the agent of the row is stronger, given all games." }
                        (cross("Likelihood of superiority, in percent", summary, |i, j| superiority(summary, i, j)))
                    }
                }
            }
            (consistency(&summary.consistency))
        },
    )
}

/// A table of all agents against all agents.
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
        or_dash(elo.value, |elo| signed(elo, 0)),
        to(elo.low, elo.high, |end| signed(end, 0))
    );
    shaded(los, &title)
}

/// A cell whose colour says on which side of one half a share is, and how far.
fn shaded(share: f64, title: &str) -> Markup {
    let side = if share < 0.5 { "lost" } else { "won" };
    html! {
        td class=(side) style={ "--share:" (format!("{:.0}", 200.0 * (share - 0.5).abs())) "%" } title=(title) {
            (format!("{:.0}", 100.0 * share))
        }
    }
}

/// Pairings that are named as surprising.
const MOST_SURPRISES: usize = 3;

/// Standard errors from which on a pairing is named.
const SURPRISING: f64 = 2.0;

/// Share of the cases that are more uneven, from which on the results are called even.
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
        p.about { "One rating for each agent cannot tell of three agents each of which beats the next. The test of it gives a chi-square of "
            strong { (one_place(chi)) } " with " (counted(consistency.freedom, "degree")) " of freedom: "
            @if p < 0.0005 { "results this uneven come up less than once in 2,000 times" }
            @else if p > MORE_EVEN { "these results are more even than chance would make them" }
            @else { "results this uneven come up in " (percent(p)) " of the cases" }
            " if ratings explain everything." }
        ul.notes { @for fit in surprising.take(MOST_SURPRISES) {
            li { (fit.a) " won " (fit.wins) " of " (fit.games) " against " (fit.b) "; " (one_place(fit.expected)) " were expected." }
        } }
    }
}

pub(super) fn first_player(summary: &Summary) -> Markup {
    let first = &summary.first_player;
    let classes = [
        (
            "By the mean rating of the two agents, in Elo",
            &first.by_level,
        ),
        ("By the difference of their ratings, in Elo", &first.by_gap),
    ];
    // Even around one half, and as wide as the widest interval.
    let met = summary
        .pairings
        .iter()
        .flat_map(|pairing| [pairing.first_win_rate.low, pairing.first_win_rate.high]);
    let classed = classes.iter().flat_map(|(_, classes)| classes.iter());
    let classed = classed.flat_map(|class| [class.win_rate.low, class.win_rate.high]);
    let widest = met
        .chain(classed)
        .flatten()
        .map(|end| (end - 0.5).abs())
        .fold(0.1, f64::max);
    let reach = (10.0 * widest).ceil().min(5.0) / 10.0;
    let scale = Scale::new(0.5 - reach..0.5 + reach, Some(0.5));
    let [from, until] = [-reach, reach].map(|off| format!("{:.0}%", 100.0 * (0.5 + off)));
    let head = html! { thead { tr {
        th scope="col" { "games of" } th.strips aria-hidden="true" { span.left { (from) } span.right { (until) } }
        th.number scope="col" { "first wins" } th.number scope="col" { "95%" } th.number scope="col" { "games" }
    } } };
    panel(
        "first-player",
        "First-player advantage",
        &html! {
            p {
                "The first player won " strong { (or_dash(first.win_rate.value, percent)) } " of " (counted_thousands(first.games, "game"))
                " (95%: " (to(first.win_rate.low, first.win_rate.high, percent)) ")."
                @if let Some(elo) = first.elo.value {
                    " With the agents' strengths taken into account, moving first is worth " strong { (signed(elo, 0)) " Elo" }
                    " (95%: " (to(first.elo.low, first.elo.high, |elo| signed(elo, 0))) ")."
                }
            }
            div.box.tall tabindex="0" role="region" aria-label="First-player advantage by pairing" { table {
                caption.hidden { "Share of games won by the first player, by pairing" }
                (head)
                tbody {
                    (seat_row(&scale, &html! { "all" }, first.games, first.win_rate))
                    @for pairing in summary.pairings.iter().filter(|pairing| pairing.games > 0) {
                        @let name = html! { (pairing.a) span.against { " · " } span.other { (pairing.b) } };
                        (seat_row(&scale, &name, pairing.games, pairing.first_win_rate))
                    }
                }
            } }
            div.pair { @for (title, classes) in classes { @if classes.len() > 1 {
                div { h3 { (title) }
                    (table_box(title, &html! { (head) tbody { @for class in classes {
                        (seat_row(&scale, &html! { (range(class)) }, class.games, class.win_rate))
                    } } })) }
            } } }
        },
    )
}

/// A share of games that the first player won, with its interval.
fn seat_row(scale: &Scale, name: &Markup, games: u64, rate: Estimate) -> Markup {
    html! { tr {
        th.pairing scope="row" { (name) }
        td.strips { @if let Some(value) = rate.value { (interval(scale, value, rate.interval())) } }
        td.number.strong { (or_dash(rate.value, percent)) }
        td.number { (to(rate.low, rate.high, percent)) }
        td.number { (thousands(games)) }
    } }
}

fn range(class: &SeatAdvantage) -> String {
    class.to.map_or_else(
        || format!("{:.0} and more", class.from),
        |to| format!("{:.0} to {to:.0}", class.from),
    )
}
