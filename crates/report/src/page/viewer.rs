//! The place of the viewer of games, and what stands there without a script: the final position of a game.

use maud::{Markup, html};
use patchwork_engine::game::ActionList;

use super::viewer_games::{GamePicture, MAX_GAMES, Viewer};
use crate::document::html::parts::panel;
use crate::document::html::patches::hue;
use crate::document::{counted, thousands};

/// The viewer, with a sentence about the choice of its games.
pub(super) fn section(viewer: &Viewer, names: &[String], choice: &Markup) -> Markup {
    let Some(shown) = viewer.games.first() else {
        return html! {};
    };
    let embedded = viewer.games.len() as u64;
    panel(
        "viewer",
        "Watch games",
        &html! {
            div id="viewer-live" {}
            div.static {
                p { "This is how one of the games ended. With JavaScript, a viewer appears here that steps through "
                (counted(embedded, "game")) "; " code { "patchwork-arena analyze replay DIR NUMBER --show" } " prints any game, by its number in games.db." }
                p.ply { (end_of(shown, names)) }
                div.ends { (player(shown, names, 0)) (player(shown, names, 1)) }
                p.notation { (notation(shown)) }
            }
            (choice)
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
                "then others in the order of the plan, until there are " (MAX_GAMES) " games or the page reaches its size limit. "
                code { "patchwork-arena analyze replay DIR NUMBER --show" } " prints any other, by its number in games.db."
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
    ActionList(game.record.actions().collect()).to_string()
}

fn end_of(game: &GamePicture, names: &[String]) -> String {
    if let Some(end) = game.record.termination {
        return format!(
            "Game {}: {} wins; {} lost by {}.",
            game.number,
            names_of(game, names, game.winner),
            names_of(game, names, end.loser.index()),
            end.reason
        );
    }
    format!(
        "Game {}: {} wins {} to {}.",
        game.number,
        names_of(game, names, game.winner),
        game.scores[game.winner],
        game.scores[1 - game.winner]
    )
}

fn player(game: &GamePicture, names: &[String], seat: usize) -> Markup {
    let record = &game.record;
    let name = names_of(game, names, seat);
    let has_bonus = record.bonus.map(|player| player.index()) == Some(seat);
    let fact = |text: &str, value: String| html! { div { dt { (text) } dd { (value) } } };
    let last = game.plies.last();
    html! {
        div class={ "seat" (seat) } {
            h3 { span.pawn { (seat + 1) } span { (name) } }
            dl.facts {
                (fact("score", game.scores[seat].to_string()))
                (fact("buttons", record.buttons[seat].to_string()))
                (fact("income", last.map_or("0".to_owned(), |ply| ply.after.income[seat].to_string())))
                (fact("7×7", if has_bonus { "yes" } else { "no" }.to_owned()))
            }
            svg.quilt viewBox=(QUILT_VIEW) role="img" aria-label={ "Quilt of " (name) } { (quilt(game, seat)) }
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
            g.hued.leather[ply.patch < 0] style={ "--hue:" (hue(u8::try_from(ply.patch).unwrap_or(0))) } {
                @for &square in &ply.squares {
                    rect.cloth x=(u32::from(square) % 9 * 20) y=(u32::from(square) / 9 * 20) width="20" height="20" {}
                }
                @let middle = ply.squares[ply.squares.len() / 2];
                text x=(u32::from(middle) % 9 * 20 + 10) y=(u32::from(middle) / 9 * 20 + 10) { (name) }
            }
        }
    }
}
