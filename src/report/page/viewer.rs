//! The container of the game viewer, and its content without a script: the final position of a
//! game.

use maud::{Markup, html};
use patchwork_engine::game::{Action, ActionList};

use super::viewer_games::{GamePicture, MOST_GAMES, Viewer};
use crate::document::html::parts::panel;
use crate::document::html::patches::hue;
use crate::document::{counted, thousands};

/// The viewer, with a sentence about the choice of its games.
pub(super) fn section(viewer: &Viewer, names: &[String], choice: &Markup) -> Markup {
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
                (counted(embedded, "game")) "; " code { "patchwork-arena replay DIR NUMBER --show" } " prints any game." }
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
            p.missing.live-only role="status" data-part="missing" {}
            div data-part="game" {
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
                div {
                    div data-part="expectations" {
                    p.axis { "Chance of the " span.seat0 { "first player" } " to win, as " span.seat0 { "it" } " and as "
                        span.seat1 { "the second" } " expect it; click to go there" }
                    div.curve data-part="plane" { svg data-part="curve" viewBox="0 0 1000 200" preserveAspectRatio="none" role="img" aria-label="What the players expect over the plies" {}
                        span.top { "100%" } span.bottom { "0%" } span.told data-part="told" {} }
                    p.axis data-part="swings-of" { "Largest swings, from one decision of a player to its next" }
                    ol.swings data-part="swings" {}
                    }
                    div data-part="considered-box" hidden {
                        h3 { "Moves considered" }
                        table.considered {
                            caption.hidden { "Moves considered in this ply, the one played first" }
                            thead { tr { th scope="col" { "move" } th.number scope="col" { "visits" } th.number scope="col" { "expects to win with" } } }
                            tbody data-part="considered" {}
                        }
                    }
                }
                div { p.axis { "Time track: buttons pay income, leather is a special patch" }
                    div.track-box tabindex="0" role="group" aria-label="Time track" { svg.track data-part="track" viewBox="-2 -2 544 122" role="img" {} } }
            } }
            }
            p.caption.live-only { "← and → step, Home and End go to the ends, space plays. The address links to the ply." }
            (choice)
            details { summary data-part="notation-of" { "The game as text: #" (shown.number) ", " (names_of(shown, names, 0)) " against " (names_of(shown, names, 1)) }
                p.notation data-part="notation" { (notation(shown)) } }
        },
    )
}

/// Says which of the games of a tournament a page has.
pub(super) fn choice(viewer: &Viewer, games: u64) -> Markup {
    let embedded = viewer.games.len() as u64;
    html! {
        p.caption {
            @if embedded < games {
                "This page keeps " (thousands(embedded)) " of " (counted(games, "game"))
                ": the most extreme ones (closest, most lopsided, longest, shortest, highest scores, biggest surprise), "
                "then the first in the order of the plan, at most " (MOST_GAMES) ". "
                code { "patchwork-arena replay DIR NUMBER --show" } " prints any other."
            } @else if games == 1 { "This page keeps the only game." }
            @else { "This page keeps all " (counted(games, "game")) "." }
        }
    }
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
    if let Some(end) = game.record.termination {
        return format!(
            "Game #{}: {} wins; {} lost by {}.",
            game.number,
            names_of(game, names, game.winner),
            names_of(game, names, end.loser.index()),
            end.reason
        );
    }
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
                (fact("income", "income", last.map_or(0, |ply| ply.income[seat]).to_string()))
                (fact("space", "space", last.map_or(0, |ply| ply.spaces[seat]).to_string()))
            }
            svg.quilt data-part=(part("quilt")) viewBox=(QUILT_VIEW) role="img" aria-label={ "Quilt of " (name) } { (quilt(game, seat)) }
            p.bonus data-part=(part("bonus")) hidden[!has_bonus] { "7×7 bonus" }
        }
    }
}

/// The visible part of a quilt: 9 by 9 squares of 20 with the letters of the columns above them and
/// the numbers of the rows on the left, as in the notation.
const QUILT_VIEW: &str = "-15 -15 197 197";

/// The final quilt, for pages without a script.
fn quilt(game: &GamePicture, seat: usize) -> Markup {
    html! {
        rect.board width="180" height="180" {}
        @for (i, letter) in ('a'..='i').enumerate() {
            text.coordinate x=(20 * i + 10) y="-8" { (letter) }
            text.coordinate x="-8" y=(20 * i + 10) { (i + 1) }
        }
        @for ply in game.plies.iter().filter(|ply| ply.seat == seat && !ply.squares.is_empty()) {
            @let name = u8::try_from(ply.patch).map_or_else(|_| "★".to_owned(), |patch| patch.to_string());
            g.patch.special[ply.patch < 0] style={ "--hue:" (hue(u8::try_from(ply.patch).unwrap_or(0))) } {
                @for &square in &ply.squares {
                    rect.cloth.seam x=(u32::from(square) % 9 * 20) y=(u32::from(square) / 9 * 20) width="20" height="20" {}
                }
                @let middle = ply.squares[ply.squares.len() / 2];
                text x=(u32::from(middle) % 9 * 20 + 10) y=(u32::from(middle) / 9 * 20 + 10) { (name) }
            }
        }
    }
}
