//! The tournament in a few numbers.

use maud::{Markup, html};

use super::parts::{or_dash, to};
use crate::report::numbers::{one_place, optional, percent, thousands};
use crate::report::rounds::Course;
use crate::stats::{Standing, Summary};

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
