//! The key figures of the tournament.

use maud::{Markup, html};

use crate::report::numbers::{interval, one_place, percent, thousands};
use crate::report::rounds::FormatReport;
use crate::stats::{Standing, Summary};

pub(super) fn overview(format: &FormatReport, summary: &Summary) -> Markup {
    let first = &summary.first_player;
    let card = |value: String, name: &str, more: String| {
        html! { li { span.value { (value) } span.name { (name) } span.more { (more) } } }
    };
    let leader = leader(format, &summary.ratings);
    html! {
        ul.cards aria-label="In short" {
            (card(leader.who, leader.how, leader.more))
            (card(percent(first.win_rate), "won by the first player", format!("95%: {}", interval(first.win_rate, percent))))
            (card(one_place(summary.plies.all.both), "plies per game",
                format!("{} to {}", summary.plies.all.min.unwrap_or(0), summary.plies.all.max.unwrap_or(0))))
            (card(one_place(summary.branching.all), "legal actions per ply",
                format!("95%: {}", interval(summary.branching.all, one_place))))
            (card(one_place(summary.scores.winner), "points of a winner", format!("{} of a loser", one_place(summary.scores.loser))))
            (card(percent(summary.bonus.rate), "with the 7×7 bonus", format!("{} of its owners won", percent(summary.bonus.winner_rate))))
        }
    }
}

/// The agent in the lead.
struct Leader {
    who: String,
    how: &'static str,
    more: String,
}

/// The champion, the leader of a swiss tournament, or the agent with the highest rating, if it is
/// unique.
fn leader(format: &FormatReport, ratings: &[Standing]) -> Leader {
    let first = &ratings[0];
    let won = |row: &Standing| format!("{} of its games won", percent(row.score));
    if let Some(champion) = &format.champion {
        let row = ratings.iter().find(|row| row.agent == *champion);
        return Leader {
            who: champion.clone(),
            how: "won the knock-out",
            more: row.map_or_else(String::new, won),
        };
    }
    if let Some(place) = format.swiss.as_ref().and_then(|places| places.first()) {
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
