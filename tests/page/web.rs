//! `web` in a browser: a whole game with the mouse and the keyboard, and a report that follows its
//! tournament.

use super::browser::browser;
use crate::support::program::Workspace;
use crate::support::server::Server;

#[test]
fn a_whole_game_is_played_with_the_mouse_and_the_keys() {
    let Some(mut browser) = browser() else { return };
    let home = Workspace::new();
    let server = Server::start(home.command(&[
        "web",
        "--address",
        "127.0.0.1:0",
        "--adviser",
        "greedy-inorder",
    ]));
    browser.open(&format!("{}play", server.url), 1100, "light");
    browser.wait("document.body.dataset.state === 'ready'");
    browser.eval("document.getElementById('agent').value = 'greedy-inorder'");
    browser.click("#setup button");
    browser.wait("document.body.dataset.state === 'mine'");
    // A patch is chosen by its number, turned and flipped by keys, and dragged onto the quilt.
    browser.press("1");
    browser.press("r");
    browser.press("f");
    let wanted = browser.eval(
        "[...document.querySelectorAll('.offer')].findIndex(o => !o.classList.contains('dear'))",
    );
    let offer = format!(
        ".offer:nth-child({})",
        wanted.as_u64().expect("one can be paid") + 1
    );
    browser.drag(&offer, "#own span:nth-child(41)");
    browser.wait("document.body.dataset.ply > 1 && document.body.dataset.state === 'mine'");
    assert_ne!(
        browser.eval("document.querySelectorAll('#own .covered').length"),
        0
    );
    browser.click("#advice");
    browser.wait(
        "document.getElementById('advised').textContent.includes('greedy-inorder would play')",
    );
    // Keys go to the board, not to the button that was clicked.
    browser.eval("document.getElementById('own').focus()");
    // The rest by keys: the first legal action with a patch that can be moved there, otherwise advance.
    for _ in 0..200 {
        browser.wait(
            "['mine', 'over'].includes(document.body.dataset.state) && !document.body.dataset.busy",
        );
        if browser.eval("document.body.dataset.state") == "over" {
            break;
        }
        let before = browser.eval("document.body.dataset.ply");
        if browser.eval("game.special") == true {
            // To the first free square: the keys move the piece there.
            let at = browser.eval("[...document.querySelectorAll('#own span')].findIndex(s => !s.classList.contains('covered'))");
            let at = at.as_u64().expect("a free square");
            for _ in 0..9 {
                browser.press("ArrowLeft");
                browser.press("ArrowUp");
            }
            for _ in 0..at % 9 {
                browser.press("ArrowRight");
            }
            for _ in 0..at / 9 {
                browser.press("ArrowDown");
            }
            browser.press("Enter");
        } else {
            browser.press("a");
        }
        browser.wait(&format!(
            "document.body.dataset.ply !== {before} && !document.body.dataset.busy"
        ));
    }
    assert!(
        browser.text("#message").contains("Kept as game"),
        "{}",
        browser.text("#message")
    );
    assert!(
        home.path("results/human-greedy-inorder/games.bin")
            .is_file()
    );
    browser.assert_content_within(&[&format!("http://{}", server.address), "about:", "data:"]);
}

#[test]
fn the_report_follows_its_tournament_and_every_game_can_be_watched() {
    let Some(mut browser) = browser() else { return };
    let home = Workspace::new();
    let play = |pairs: &str| {
        home.ok(&[
            "match",
            "random",
            "greedy-regret",
            "--pairs",
            pairs,
            "--quiet",
            "--save",
            "two",
        ])
    };
    play("2");
    let server = Server::start(home.command(&["web", "results", "--address", "127.0.0.1:0"]));
    browser.open(&format!("{}results/two", server.url), 1100, "dark");
    let inside = "document.getElementById('report').contentDocument";
    browser.wait(&format!(
        "{inside} && {inside}.body && {inside}.body.textContent.includes('4 games')"
    ));
    browser.wait("document.getElementById('status').textContent === 'live'");
    play("3");
    browser.wait("Number(document.body.dataset.updates) >= 1");
    browser.wait(&format!(
        "{inside} && {inside}.body && {inside}.body.textContent.includes('6 games')"
    ));
    browser.open(
        &format!("{}results/two/games?from=4", server.url),
        1100,
        "light",
    );
    let shown =
        browser.eval("document.querySelectorAll('#viewer [data-part=choose] option').length");
    assert_eq!(shown, 2, "two of six games");
    browser.assert_content_within(&[&format!("http://{}", server.address), "about:", "data:"]);
}
