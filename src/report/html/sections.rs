//! The parts of the page.

use maud::{Markup, html};

use super::plot::{Axes, Map, NARROW, WIDE, band, line, plot};
use super::strip::{Scale, interval};
use super::viewer::{GamePicture, MOST_GAMES, Viewer};
use super::{counted_thousands, thousands};
use crate::game::{Action, ActionList, PatchId};
use crate::report::text::{
    duration, half_width, one_place, optional, per_second, percent, percents, signed,
};
use crate::stats::{
    Lengths, Mean, PatchUse, Phase, Role, ScoreBin, SeatAdvantage, Standing, Summary,
};

/// Anchors and names of the sections, for the navigation.
pub(super) const CONTENTS: [(&str, &str); 8] = [
    ("standings", "Standings"),
    ("crosstable", "Crosstable"),
    ("viewer", "Watch games"),
    ("first-player", "First player"),
    ("games", "The games"),
    ("branching", "Branching"),
    ("patches", "Patches"),
    ("thinking", "Searches"),
];

/// A section with its heading.
pub(super) fn panel(id: &str, title: &str, content: &Markup) -> Markup {
    html! {
        section.panel id=(id) aria-labelledby={ (id) "-title" } {
            h2 id={ (id) "-title" } { (title) }
            (content)
        }
    }
}

/// A table that scrolls in a box of its own when it is wider than the page.
pub(super) fn table_box(caption: &str, rows: &Markup) -> Markup {
    html! {
        div.box tabindex="0" role="region" aria-label=(caption) {
            table { caption.hidden { (caption) } (rows) }
        }
    }
}

/// A plot with what its vertical axis counts and its numbers as a table.
pub(super) fn figure(axis: &str, plot: &Markup, numbers: &Markup) -> Markup {
    html! {
        figure {
            p.axis { (axis) }
            (plot)
            details { summary { "The numbers" } (numbers) }
        }
    }
}

/// The class of the colour and the dashes of a series.
pub(super) fn series_class(index: usize) -> String {
    format!("c{} d{}", index % 8, index / 8 % 3)
}

fn ends(low: Option<f64>, high: Option<f64>) -> Option<(f64, f64)> {
    low.zip(high)
}

fn to(low: Option<f64>, high: Option<f64>, format: impl Fn(f64) -> String) -> String {
    ends(low, high).map_or_else(
        || "–".into(),
        |(low, high)| format!("{} to {}", format(low), format(high)),
    )
}

/// A number, or a dash where the games do not tell it.
pub(super) fn or_dash(value: Option<f64>, format: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "–".into(), format)
}

pub(super) fn overview(summary: &Summary) -> Markup {
    let first = &summary.first_player;
    let card = |value: String, name: &str, more: String| {
        html! { li { span.value { (value) } span.name { (name) } span.more { (more) } } }
    };
    let leader = &summary.ratings[0];
    html! {
        ul.cards aria-label="In short" {
            (card(leader.agent.clone(), "leads", or_dash(leader.score, |score| format!("{} of its games won", percent(score)))))
            (card(or_dash(first.win_rate, percent), "won by the first player", format!("95%: {}", to(first.low, first.high, percent))))
            (card(or_dash(summary.plies.all.both.mean, one_place), "plies a game",
                optional(summary.plies.all.min.map(|min| min as f64), |min| format!("{min:.0} to {}", summary.plies.all.max.unwrap_or(0)))))
            (card(or_dash(summary.branching.all.mean, one_place), "legal actions a ply",
                format!("95%: {}", to(summary.branching.all.low, summary.branching.all.high, one_place))))
            (card(or_dash(summary.scores.winner, one_place), "points of a winner", or_dash(summary.scores.loser, |loser| format!("{} of a loser", one_place(loser)))))
            (card(or_dash(summary.bonus.rate, percent), "with the 7×7 bonus", or_dash(summary.bonus.winner_rate, |rate| format!("{} of its owners won", percent(rate)))))
        }
    }
}

pub(super) fn standings(summary: &Summary) -> Markup {
    let rows = &summary.ratings;
    let all = rows
        .iter()
        .flat_map(|row| [row.low, row.high, row.se.map(|_| row.elo)])
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
                    li { "The results alone allow no finite Elo: a virtual draw was added to each pairing that met." }
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
        td.number.strong { (or_dash(row.se, |_| signed(row.elo, 0))) }
        td.number { (or_dash(half_width(row), |half| format!("±{half:.0}"))) }
        td.strips { @if row.se.is_some() { (interval(scale, row.elo, ends(row.low, row.high))) } }
        td.number { (thousands(row.games)) }
        td.number { (thousands(row.wins)) }
        td.number { (or_dash(row.score, percent)) }
        td.number { (or_dash(row.mean_margin, |margin| signed(margin, 1))) }
        td.number { (or_dash(row.iterations_per_s, per_second)) }
        td.number { (or_dash(row.seconds_per_move, duration)) }
    } }
}

pub(super) fn crosstable(summary: &Summary) -> Markup {
    let agents = &summary.ratings;
    panel(
        "crosstable",
        "Crosstable",
        &html! {
            p { "Share of the games between two agents that the agent of the row won, in %; columns are numbered as the rows." }
            div.box tabindex="0" role="region" aria-label="Crosstable" { table.cross {
                caption.hidden { "Share of games won against each opponent, in percent" }
                thead { tr {
                    th scope="col" { "agent" }
                    @for (j, opponent) in agents.iter().enumerate() {
                        th.number scope="col" title=(opponent.agent) { (j + 1) }
                    }
                } }
                tbody { @for (i, row) in agents.iter().enumerate() { tr {
                    th scope="row" { span.rank { (i + 1) } " " (row.agent) }
                    @for (j, opponent) in agents.iter().enumerate() {
                        (cell(summary, &row.agent, &opponent.agent, i == j))
                    }
                } } }
            } }
        },
    )
}

fn cell(summary: &Summary, agent: &str, opponent: &str, same: bool) -> Markup {
    let (wins, games) = summary.head_to_head(agent, opponent);
    if same || games == 0 {
        return html! { td.none { @if same { "·" } } };
    }
    let score = wins as f64 / games as f64;
    let side = if score < 0.5 { "lost" } else { "won" };
    html! {
        td class=(side) style={ "--share:" (format!("{:.0}", 200.0 * (score - 0.5).abs())) "%" }
            title={ (agent) " won " (wins) " of " (games) " against " (opponent) } {
            (format!("{:.0}", 100.0 * score))
        }
    }
}

pub(super) fn first_player(summary: &Summary) -> Markup {
    let first = &summary.first_player;
    let scale = Scale::new(0.0..1.0, Some(0.5));
    let rate = |name: Markup,
                games: u64,
                rate: Option<f64>,
                low: Option<f64>,
                high: Option<f64>| {
        html! { tr {
            th scope="row" { (name) }
            td.number { (thousands(games)) }
            td.number.strong { (or_dash(rate, percent)) }
            td.number { (percents(low, high)) }
            td.strips { @if let Some(rate) = rate { (interval(&scale, rate, ends(low, high))) } }
        } }
    };
    let head = html! { thead { tr {
        th scope="col" { "games of" } th.strips aria-hidden="true" { span.left { "0%" } span.right { "100%" } }
        th.number scope="col" { "first wins" } th.number scope="col" { "95%" } th.number scope="col" { "games" }
    } } };
    panel(
        "first-player",
        "First-player advantage",
        &html! {
            p {
                "The first player won " strong { (or_dash(first.win_rate, percent)) } " of " (counted_thousands(first.games, "game"))
                " (95%: " (to(first.low, first.high, percent)) ")."
                @if let Some(elo) = first.elo {
                    " With the agents' strengths taken into account, moving first is worth " strong { (signed(elo, 0)) " Elo" }
                    " (95%: " (to(first.elo_low, first.elo_high, |elo| signed(elo, 0))) ")."
                }
            }
            div.box.tall tabindex="0" role="region" aria-label="First-player advantage by pairing" { table {
                caption.hidden { "Share of games won by the first player, by pairing" }
                (head)
                tbody {
                    (rate(html! { "all" }, first.games, first.win_rate, first.low, first.high))
                    @for pairing in summary.pairings.iter().filter(|pairing| pairing.games > 0) {
                        (rate(html! { (pairing.a) span.against { " · " } span.other { (pairing.b) } },
                            pairing.games, pairing.first_win_rate, pairing.first_low, pairing.first_high))
                    }
                }
            } }
            @let classes = [("By the mean rating of the two agents, in Elo", &first.by_level), ("By the difference of their ratings, in Elo", &first.by_gap)];
            @for (title, classes) in classes { @if classes.len() > 1 {
                h3 { (title) }
                (table_box(title, &html! { (head) tbody { @for class in classes {
                    (rate(html! { (range(class)) }, class.games, class.win_rate, class.low, class.high))
                } } }))
            } }
        },
    )
}

fn range(class: &SeatAdvantage) -> String {
    class.to.map_or_else(
        || format!("{:.0} and more", class.from),
        |to| format!("{:.0} to {to:.0}", class.from),
    )
}

pub(super) fn games(summary: &Summary) -> Markup {
    panel(
        "games",
        "The games",
        &html! {
            div.pair { (lengths(summary)) (scores(summary)) }
            (table_box("Numbers of a game", &html! {
                thead { tr { th scope="col" { "per game" } th.number scope="col" { "mean" } th.number scope="col" { "95%" }
                    th.number scope="col" { "sd" } th.number scope="col" { "1st player" } th.number scope="col" { "2nd player" } } }
                tbody {
                    (length_row("plies", &summary.plies.all))
                    (length_row("turns (plies but special patches)", &summary.plies.turns))
                    @for (name, seats) in [("squares covered by a player", &summary.covered), ("buttons left to a player", &summary.buttons)] {
                        (game_row(name, [seats.mean, None, None, None, seats.first, seats.second]))
                    }
                    (game_row("points of a player", [summary.scores.mean, None, None, summary.scores.sd, summary.scores.first, summary.scores.second]))
                }
            }))
            (table_box("What points are made of", &html! {
                thead { tr { th scope="col" { "points of" } th.number scope="col" { "all" } th.number scope="col" { "buttons" }
                    th.number scope="col" { "empty squares" } th.number scope="col" { "7×7 bonus" } } }
                tbody { @for part in &summary.scores.composition { tr {
                    th scope="row" { "the " (match part.role { Role::First => "first player", Role::Second => "second player", role => role.name() }) }
                    td.number.strong { (or_dash(part.points, one_place)) }
                    @for value in [part.buttons, part.squares, part.bonus] { td.number { (or_dash(value, one_place)) } }
                } } }
            }))
        },
    )
}

fn length_row(name: &str, lengths: &Lengths) -> Markup {
    let Mean { mean, low, high } = lengths.both;
    game_row(
        name,
        [mean, low, high, lengths.sd, lengths.first, lengths.second],
    )
}

fn game_row(name: &str, [mean, low, high, sd, first, second]: [Option<f64>; 6]) -> Markup {
    html! { tr {
        th scope="row" { (name) }
        td.number.strong { (or_dash(mean, one_place)) }
        td.number { (to(low, high, one_place)) }
        @for value in [sd, first, second] { td.number { (or_dash(value, one_place)) } }
    } }
}

fn whole(value: f64) -> String {
    format!("{value:.0}")
}

/// A bar from the axis up.
fn bar(map: Map<'_>, from: f64, to: f64, count: u64, class: &str, title: &str) -> Markup {
    let ((left, top), (right, bottom)) = (map(from, count as f64), map(to, 0.0));
    html! {
        rect class={ "bar " (class) } x=(format!("{:.1}", left + 0.6)) y=(format!("{top:.1}"))
            width=(format!("{:.1}", (right - left - 1.2).max(0.4))) height=(format!("{:.1}", bottom - top)) {
            title { (title) }
        }
    }
}

fn lengths(summary: &Summary) -> Markup {
    let bins = &summary.plies.histogram;
    let (Some(first), Some(last)) = (bins.first(), bins.last()) else {
        return html! {};
    };
    let most = bins
        .iter()
        .map(|bin| bin.plies.max(bin.turns))
        .max()
        .unwrap_or(1);
    let axes = Axes {
        size: NARROW,
        x: first.length as f64 - 1.0..last.length as f64 + 1.0,
        y: 0.0..1.08 * most as f64,
        x_name: "plies",
        x_label: whole,
        y_label: |games| thousands(games.max(0.0) as u64),
    };
    let title = "Histogram of the number of plies of a game";
    let shown = plot(title, &axes, |map| {
        html! {
            @for bin in bins.iter().filter(|bin| bin.plies > 0) {
                @let x = bin.length as f64;
                (bar(map, x - 0.5, x + 0.5, bin.plies, "c0", &format!("{} plies: {}", bin.length, counted_thousands(bin.plies, "game"))))
            }
        }
    });
    html! { div { h3 { "How long games are" } (figure("games", &shown, &table_box("Games by length", &html! {
        thead { tr { th.number scope="col" { "length" } th.number scope="col" { "games of so many plies" } th.number scope="col" { "games of so many turns" } } }
        tbody { @for bin in bins { tr {
            th.number scope="row" { (bin.length) } td.number { (bin.plies) } td.number { (bin.turns) }
        } } }
    }))) } }
}

/// Points in classes of equal width, which are few enough to see: lower ends, winners and losers.
fn score_classes(bins: &[ScoreBin]) -> (i32, Vec<(i32, u64, u64)>) {
    let (Some(first), Some(last)) = (bins.first(), bins.last()) else {
        return (1, Vec::new());
    };
    let span = i32::from(last.points) - i32::from(first.points) + 1;
    let width = [1, 2, 5, 10]
        .into_iter()
        .find(|width| span / width <= 44)
        .unwrap_or(20);
    let start = i32::from(first.points).div_euclid(width);
    let end = i32::from(last.points).div_euclid(width);
    let mut classes: Vec<(i32, u64, u64)> =
        (start..=end).map(|class| (class * width, 0, 0)).collect();
    for bin in bins {
        let class = &mut classes[(i32::from(bin.points).div_euclid(width) - start) as usize];
        class.1 += bin.winner;
        class.2 += bin.loser;
    }
    (width, classes)
}

fn scores(summary: &Summary) -> Markup {
    let (width, classes) = score_classes(&summary.scores.histogram);
    let (Some(first), Some(last)) = (classes.first(), classes.last()) else {
        return html! {};
    };
    let most = classes
        .iter()
        .map(|class| class.1.max(class.2))
        .max()
        .unwrap_or(1);
    let axes = Axes {
        size: NARROW,
        x: f64::from(first.0)..f64::from(last.0 + width),
        y: 0.0..1.08 * most as f64,
        x_name: "points",
        x_label: whole,
        y_label: |games| thousands(games.max(0.0) as u64),
    };
    let name = |from: i32| {
        if width == 1 {
            from.to_string()
        } else {
            format!("{from} to {}", from + width - 1)
        }
    };
    let shown = plot(
        "Histogram of the points of winners and losers",
        &axes,
        |map| {
            html! {
                @for &(from, winners, losers) in &classes {
                    @let (left, right) = (f64::from(from), f64::from(from + width));
                    @if losers > 0 { (bar(map, left, right, losers, "c1 half", &format!("{} points: {}", name(from), counted_thousands(losers, "loser")))) }
                    @if winners > 0 { (bar(map, left, right, winners, "c0 half", &format!("{} points: {}", name(from), counted_thousands(winners, "winner")))) }
                }
            }
        },
    );
    html! { div { h3 { "How many points they bring" }
        (figure("players", &shown, &table_box("Players by points", &html! {
            thead { tr { th.number scope="col" { "points" } th.number scope="col" { "winners" } th.number scope="col" { "losers" } } }
            tbody { @for &(from, winners, losers) in &classes { tr {
                th.number scope="row" { (name(from)) } td.number { (winners) } td.number { (losers) }
            } } }
        })))
        ul.legend { li { span.key.c0 {} " winners" } li { span.key.c1 {} " losers" } }
    } }
}

pub(super) fn branching(summary: &Summary) -> Markup {
    let branching = &summary.branching;
    let rows: Vec<(usize, f64, Option<(f64, f64)>, u64)> = branching
        .by_ply
        .iter()
        .zip(&branching.games_by_ply)
        .enumerate()
        .map(|(i, (&mean, &games))| {
            let end = |ends: &[Option<f64>]| ends.get(i).copied().flatten();
            (
                i + 1,
                mean,
                ends(end(&branching.low_by_ply), end(&branching.high_by_ply)),
                games,
            )
        })
        .collect();
    let forced = |i: usize| branching.forced_by_ply.get(i).copied();
    panel(
        "branching",
        "Branching factor",
        &html! {
            p { "Legal actions of a ply, forced ones and those of special patches included"
                @if rows.iter().any(|row| row.2.is_some()) { "; the band is the 95% interval of the mean" } "." }
            div.pair {
                (figure("legal actions", &by_ply(&rows), &table_box("Legal actions by ply", &html! {
                    thead { tr { th.number scope="col" { "ply" } th.number scope="col" { "mean" } th.number scope="col" { "95%" }
                        th.number scope="col" { "forced" } th.number scope="col" { "games" } } }
                    tbody { @for (i, row) in rows.iter().enumerate() { tr {
                        th.number scope="row" { (row.0) } td.number.strong { (one_place(row.1)) }
                        td.number { (to(row.2.map(|ends| ends.0), row.2.map(|ends| ends.1), |end| one_place(end.max(0.0)))) }
                        td.number { (or_dash(forced(i), percent)) } td.number { (thousands(row.3)) }
                    } } }
                })))
                (table_box("Legal actions by phase", &html! {
                    thead { tr { th scope="col" { "at" } th.number scope="col" { "mean" } th.number scope="col" { "95%" }
                        th.number scope="col" { "forced" } } }
                    tbody {
                        (branching_row("every ply", &branching.all, branching.forced.mean))
                        @for phase in &branching.by_phase {
                            (branching_row(match phase.phase {
                                Phase::Opening => "opening, spaces 0 to 17",
                                Phase::Middle => "middle, spaces 18 to 35",
                                Phase::End => "end, spaces 36 to 53",
                            }, &phase.legal, phase.forced))
                        }
                        (branching_row("purchases of patches", &branching.buying.legal, None))
                    }
                }))
            }
        },
    )
}

fn branching_row(name: &str, legal: &Mean, forced: Option<f64>) -> Markup {
    html! { tr {
        th scope="row" { (name) }
        td.number.strong { (or_dash(legal.mean, one_place)) }
        td.number { (to(legal.low, legal.high, one_place)) }
        td.number { (or_dash(forced, percent)) }
    } }
}

fn by_ply(rows: &[(usize, f64, Option<(f64, f64)>, u64)]) -> Markup {
    // The last plies of the longest games are those of too few games to see anything.
    let enough = rows.first().map_or(0, |row| row.3 / 50);
    let rows: Vec<_> = rows.iter().filter(|row| row.3 > enough).collect();
    let most = rows
        .iter()
        .flat_map(|row| [row.1, row.2.map_or(0.0, |ends| ends.1)])
        .fold(1.0, f64::max);
    let axes = Axes {
        size: NARROW,
        x: 0.0..rows.len() as f64 + 1.0,
        y: 0.0..1.06 * most,
        x_name: "ply",
        x_label: whole,
        y_label: whole,
    };
    plot(
        "Mean number of legal actions by ply; the numbers follow in a table",
        &axes,
        |map| {
            let told: Vec<_> = rows
                .iter()
                .filter_map(|row| Some((row.0 as f64, row.2?)))
                .collect();
            let points = |end: fn(&(f64, f64)) -> f64| -> Vec<(f64, f64)> {
                told.iter()
                    .map(|(ply, ends)| map(*ply, end(ends).max(0.0)))
                    .collect()
            };
            let means: Vec<_> = rows.iter().map(|row| map(row.0 as f64, row.1)).collect();
            html! {
                path.band.c0 d=(band(&points(|ends| ends.0), &points(|ends| ends.1))) {}
                path.curve.c0 d=(line(&means)) {}
                @for (row, (x, y)) in rows.iter().zip(&means) {
                    circle.point.c0 cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="2.6" {
                        title { "ply " (row.0) ": " (one_place(row.1)) " legal actions in " (counted_thousands(row.3, "game")) }
                    }
                }
            }
        },
    )
}

pub(super) fn patches(summary: &Summary) -> Markup {
    let patches = &summary.patches;
    let gain = |patch: &PatchUse| patch.win_gain;
    let gains: Vec<f64> = patches
        .iter()
        .flat_map(|patch| [patch.win_gain_low, patch.win_gain_high])
        .flatten()
        .collect();
    let most = gains
        .iter()
        .fold(0.02_f64, |most, gain| most.max(gain.abs()));
    let scale = Scale::new(-most..most, Some(0.0));
    panel(
        "patches",
        "Patches",
        &html! {
            p { "How the buyers of each patch fare. Strong agents buy some patches more often than weak ones do, so the table also gives the "
                em { "gain" } ": the buyers' share of wins minus what the same agents win on average in the same seat against the same opponent, "
                "with its 95% interval." }
            figure { p.axis { "games won by the buyer" } (prices(patches))
                p.caption { "Price against win rate; patches of a price stand side by side, and circles are as large as patches are popular." } }
            div.box.tall tabindex="0" role="region" aria-label="Patches" { table {
                caption.hidden { "The patches: what they cost, how often they are bought, how their buyers fare" }
                thead { tr {
                    th.number scope="col" { "No." } th scope="col" { "shape" } th.number scope="col" { "price" } th.number scope="col" { "time" }
                    th.number scope="col" { "income" } th.number scope="col" { "bought" } th.number scope="col" { "buyers win" }
                    th.number scope="col" { "gain" } th.strips aria-hidden="true" {} th.number scope="col" { "margin" }
                } }
                tbody { @for patch in patches { tr {
                    th.number scope="row" { (patch.patch) }
                    td { (shape(patch.patch)) }
                    td.number { (patch.price) } td.number { (patch.time) } td.number { (patch.income) }
                    td.number { (or_dash(patch.rate, percent)) }
                    td.number { (or_dash(patch.win_rate, percent)) }
                    td.number.strong { (or_dash(gain(patch), |gain| format!("{}%", signed(100.0 * gain, 1)))) }
                    td.strips { @if let Some(gain) = gain(patch) { (interval(&scale, gain, ends(patch.win_gain_low, patch.win_gain_high))) } }
                    td.number { (or_dash(patch.margin, |margin| signed(margin, 1))) }
                } } }
            } }
        },
    )
}

fn prices(patches: &[PatchUse]) -> Markup {
    let sold: Vec<(&PatchUse, f64)> = patches
        .iter()
        .filter_map(|patch| Some((patch, patch.win_rate?)))
        .collect();
    if sold.is_empty() {
        return html! {};
    }
    let (low, high) = sold
        .iter()
        .fold((1.0_f64, 0.0_f64), |(low, high), &(_, rate)| {
            (low.min(rate), high.max(rate))
        });
    let room = (0.1 * (high - low)).max(0.02);
    let axes = Axes {
        size: WIDE,
        x: -0.7..10.7,
        y: (low - room).max(-0.02)..(high + room).min(1.02),
        x_name: "price in buttons",
        x_label: whole,
        y_label: |share| format!("{:.0}%", 100.0 * share),
    };
    plot(
        "Price of each patch against the share of its buyers that won; the numbers follow in a table",
        &axes,
        |map| {
            html! {
                @for &(patch, rate) in &sold {
                    @let same: Vec<u8> = sold.iter().filter(|(other, _)| other.price == patch.price).map(|(other, _)| other.patch).collect();
                    @let at = same.iter().position(|&other| other == patch.patch).unwrap_or(0) as f64;
                    @let aside = if same.len() > 1 { 0.64 * (at / (same.len() - 1) as f64 - 0.5) } else { 0.0 };
                    @let (x, y) = map(f64::from(patch.price) + aside, rate);
                    g.patch style={ "--hue:" (hue(patch.patch)) } {
                        circle.cloth cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r=(format!("{:.1}", 6.0 + 7.0 * patch.rate.unwrap_or(0.0).sqrt())) {}
                        text x=(format!("{x:.1}")) y=(format!("{y:.1}")) { (patch.patch) }
                        title { "patch " (patch.patch) ": " (patch.price) " buttons, " (patch.time) " spaces, income " (patch.income)
                            "; bought in " (or_dash(patch.rate, percent)) " of the games, " (percent(rate)) " of its buyers won" }
                    }
                }
            }
        },
    )
}

/// The hue of a patch in degrees: neighbours in number are far apart.
fn hue(patch: u8) -> String {
    format!("{:.1}", f64::from(patch) * 137.5 % 360.0)
}

/// A patch as it is printed.
fn shape(patch: u8) -> Markup {
    const CELL: usize = 7;
    let Some(id) = PatchId::new(patch) else {
        return html! {};
    };
    let rows: Vec<&str> = id.patch().shape().literal().split('/').collect();
    let (width, height) = (rows[0].len() * CELL, rows.len() * CELL);
    html! {
        svg.shape width=(width + 2) height=(height + 2) viewBox={ "-1 -1 " (width + 2) " " (height + 2) } aria-hidden="true" {
            g.patch style={ "--hue:" (hue(patch)) } {
                @for (y, row) in rows.iter().enumerate() { @for (x, _) in row.char_indices().filter(|&(_, c)| c == 'X') {
                    rect.cloth.seam x=(x * CELL) y=(y * CELL) width=(CELL) height=(CELL) {}
                } }
            }
        }
    }
}

pub(super) fn viewer(viewer: &Viewer, names: &[String], games: u64) -> Markup {
    let Some(shown) = viewer.games.first() else {
        return html! {};
    };
    let button = |part: &str, text: &str, name: &str| {
        html! {
            button type="button" data-part=(part) aria-label=(name) title=(name) { (text) }
        }
    };
    let embedded = viewer.games.len() as u64;
    panel(
        "viewer",
        "Watch games",
        &html! {
            p.static { "This is how one of the games ended. With JavaScript, here is a viewer that steps through "
                (counted_thousands(embedded, "game")) "; " code { "patchwork-arena replay DIR NUMBER --show" } " prints any game." }
            div.choice.live-only {
                label { "Agent " select data-part="agent" { option value="" { "all" } } }
                label.wide { "Game " select data-part="choose" {} }
            }
            div.controls.live-only role="group" aria-label="Steps" {
                (button("first", "«", "First position")) (button("back", "‹", "One ply back"))
                button.play type="button" data-part="play" { "Play" }
                (button("forward", "›", "One ply on")) (button("last", "»", "Last position"))
                label { "Speed " select data-part="speed" {
                    option value="1600" { "slow" } option value="800" selected { "normal" } option value="300" { "fast" } option value="100" { "very fast" }
                } }
                input type="range" min="0" value="0" data-part="slider" aria-label="Ply";
            }
            p.ply aria-live="polite" { b data-part="ply" { "Ply " (shown.plies.len()) " of " (shown.plies.len()) } " "
                span data-part="text" { (end_of(shown, names)) } }
            div.table-top {
                (player(shown, names, 0))
                div.market.live-only {
                    svg.ring data-part="ring" viewBox="0 0 380 380" role="img" {}
                    p.axis { "The next patches" }
                    ul.offers data-part="offers" {}
                }
                (player(shown, names, 1))
            }
            div.live-only { div.pair.below {
                div data-part="expectations" {
                    p.axis { "Chance of the " span.seat0 { "first player" } " to win, as " span.seat0 { "it" } " and as "
                        span.seat1 { "the second" } " expect it; click to go there" }
                    div.curve { svg data-part="curve" viewBox="0 0 1000 200" preserveAspectRatio="none" role="img" aria-label="What the players expect over the plies" {}
                        span.top { "100%" } span.bottom { "0%" } }
                }
                div { p.axis { "Time track: buttons pay income, leather is a special patch" }
                    div.track-box { svg.track data-part="track" viewBox="-2 -2 544 122" role="img" {} } }
            } }
            p.caption.live-only { "← and → step, Home and End go to the ends, space plays. The address links to the ply." }
            p.caption {
                @if embedded < games {
                    "This page keeps " (thousands(embedded)) " of " (counted_thousands(games, "game"))
                    ": the most extreme ones (closest, most lopsided, longest, shortest, highest scores, biggest surprise), "
                    "then the first in the order of the plan, up to " (MOST_GAMES) ". "
                    code { "patchwork-arena replay DIR NUMBER --show" } " prints any other."
                } @else if games == 1 { "This page keeps the only game." }
                @else { "This page keeps all " (counted_thousands(games, "game")) "." }
            }
            details { summary { "The game as text: #" (shown.number) ", " (names_of(shown, names, 0)) " against " (names_of(shown, names, 1)) }
                p.notation { (notation(shown)) } }
        },
    )
}

fn names_of<'a>(game: &GamePicture, names: &'a [String], seat: usize) -> &'a str {
    names
        .get(usize::from(game.seats[seat]))
        .map_or("", String::as_str)
}

fn notation(game: &GamePicture) -> String {
    let actions: Vec<Action> = game.record.actions().unwrap_or_default();
    ActionList(actions).to_string()
}

fn end_of(game: &GamePicture, names: &[String]) -> String {
    format!(
        "Game #{}: {} wins {} to {}.",
        game.number,
        names_of(game, names, game.winner),
        game.scores[game.winner],
        game.scores[1 - game.winner]
    )
}

fn player(game: &GamePicture, names: &[String], seat: usize) -> Markup {
    let record = &game.record;
    let part = |name: &str| format!("{name}{seat}");
    let name = names_of(game, names, seat);
    let has_bonus = record.bonus().map(|player| player.index()) == Some(seat);
    let fact = |key: &str, text: &str, value: String| html! { div { dt { (text) } dd data-part=(part(key)) { (value) } } };
    let last = game.plies.last();
    html! {
        article class={ "player seat" (seat) } data-part=(part("player")) {
            h3 { span.pawn { (seat + 1) } span.name data-part=(part("name")) { (name) } }
            dl.facts {
                (fact("score", "score", game.scores[seat].to_string()))
                (fact("buttons", "buttons", record.buttons[seat].to_string()))
                (fact("income", "income", last.map_or(0, |ply| ply.income()[seat]).to_string()))
                (fact("space", "space", last.map_or(0, |ply| ply.spaces()[seat]).to_string()))
            }
            svg.quilt data-part=(part("quilt")) viewBox="-2 -2 184 184" role="img" aria-label={ "Quilt of " (name) } { (quilt(game, seat)) }
            p.bonus data-part=(part("bonus")) hidden[!has_bonus] { "7×7 bonus" }
        }
    }
}

/// The quilt at the end, for pages without script.
fn quilt(game: &GamePicture, seat: usize) -> Markup {
    html! {
        rect.board width="180" height="180" {}
        @for ply in game.plies.iter().filter(|ply| ply.0 == seat && !ply.2.is_empty()) {
            @let name = u8::try_from(ply.1).map_or_else(|_| "★".to_owned(), |patch| patch.to_string());
            g.patch.special[ply.1 < 0] style={ "--hue:" (hue(u8::try_from(ply.1).unwrap_or(0))) } {
                @for &square in &ply.2 {
                    rect.cloth.seam x=(u32::from(square) % 9 * 20) y=(u32::from(square) / 9 * 20) width="20" height="20" {}
                }
                @let middle = ply.2[ply.2.len() / 2];
                text x=(u32::from(middle) % 9 * 20 + 10) y=(u32::from(middle) / 9 * 20 + 10) { (name) }
            }
        }
    }
}
