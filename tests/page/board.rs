//! The board in a browser, served and as files: a whole game by touch, a thousand random operations, and watching.

use std::path::Path;

use serde_json::{Value, json};

use super::browser::{Browser, browser};
use crate::support::program::Workspace;
use crate::support::server::Server;

/// Starts a game against a level by the dialog.
fn start(browser: &mut Browser, level: &str) {
    browser.wait("document.documentElement.dataset.ready === '1'");
    browser.press("n");
    let choice = format!("dialog[open] input[value={level}]");
    browser.wait(&format!("document.querySelector('{choice}') !== null"));
    browser.eval(&format!("document.querySelector('{choice}').click()"));
    browser.wait(&format!("document.querySelector('{choice}').checked"));
    browser.eval("document.querySelector('dialog form').requestSubmit()");
    browser.wait("document.querySelector('dialog[open]') === null");
    browser.wait(&format!(
        "patchwork.state().seats[1].level === {}",
        json!(level)
    ));
}

const MINE: &str = "(s => !s.thinking && (s.position.mover === null || s.seats[s.position.mover].kind === 'person'))\
                    (patchwork.state())";

/// What the page holds, compared with what the engine says of its actions.
fn assert_legal(browser: &mut Browser) {
    let agrees = browser.eval(
        "(() => { const s = patchwork.state(); const actions = []; \
         for (let n = s.node; n.parent; n = n.parent) actions.unshift(n.action); \
         return patchwork.ask('position', { game: { start: s.tree.start, actions } }).text === s.position.text; })()",
    );
    assert_eq!(agrees, true);
}

/// Plays the person's moves until the game is over: by this way of placing what is in hand, or else by advancing.
fn play(browser: &mut Browser, mut place: impl FnMut(&mut Browser) -> bool) {
    for _ in 0..200 {
        browser.wait(MINE);
        let state = browser.eval("({ over: patchwork.state().position.mover === null, ply: patchwork.state().position.ply })");
        if state["over"] == true {
            return;
        }
        if !place(browser) {
            browser.press("Escape");
            browser.press("a");
        }
        browser.wait(&format!(
            "patchwork.state().position.ply > {}",
            state["ply"]
        ));
        assert_legal(browser);
    }
    panic!("the game does not end");
}

/// A legal placement: the patch on offer (its place, 1 to 3; 0 for a special one), and the corner, 0 to 80. The
/// orientation is the first in which it fits.
fn placement(browser: &mut Browser) -> Option<(u64, u64)> {
    let found = browser.eval(
        "(() => { const p = patchwork.state().position; if (p.specials_waiting) return [0, p.legal.specials[0]]; \
         for (let i = 0; i < p.offers.length; i++) { const one = p.legal.patches.find(o => o.patch === p.offers[i].patch); \
         if (one && one.corners[0].length) return [i + 1, one.corners[0][0]]; } return null; })()",
    );
    let pair = found.as_array()?;
    Some((pair[0].as_u64()?, pair[1].as_u64()?))
}

/// The point of the page in the middle of a patch in hand whose corner is on a square.
fn middle_of(browser: &mut Browser, corner: u64) -> (f64, f64) {
    let point = browser.eval(&format!(
        "(() => {{ const s = patchwork.state(); const box = document.querySelector('.quilt.mine').getBoundingClientRect(); \
         const {{ columns, rows }} = s.patches.get(s.hand.patch).orientations[s.hand.orientation]; \
         const [width, , border] = [document.querySelector('.quilt.mine').viewBox.baseVal.width, 0, 11]; \
         const cell = (width - 2 * border) / 9, scale = box.width / width; \
         return [box.left + scale * (border + cell * ({corner} % 9 + columns / 2)), \
                 box.top + scale * (border + cell * (Math.floor({corner} / 9) + rows / 2))]; }})()"
    ));
    (
        point[0].as_f64().expect("a number"),
        point[1].as_f64().expect("a number"),
    )
}

fn touch(browser: &mut Browser, kind: &str, at: Option<(f64, f64)>) {
    let points: Vec<Value> = at.iter().map(|(x, y)| json!({"x": x, "y": y})).collect();
    browser.call(
        "Input.dispatchTouchEvent",
        json!({"type": kind, "touchPoints": points}),
    );
}

fn middle_of_offer(browser: &mut Browser, place: u64) -> (f64, f64) {
    let point = browser.eval(&format!(
        "(box => [box.left + box.width / 2, box.top + box.height / 3])\
         (document.querySelectorAll('.tray .offer')[{}].getBoundingClientRect())",
        place - 1
    ));
    (
        point[0].as_f64().expect("a number"),
        point[1].as_f64().expect("a number"),
    )
}

/// The exported files work from a disk: nothing is fetched.
#[test]
fn a_whole_game_by_touch_on_a_phone_needs_no_scrolling() {
    let Some(mut browser) = browser() else { return };
    let home = Workspace::new();
    home.ok(&["web", "--export", "board"]);
    open_files(&mut browser, &home.path("board"), 390);
    browser.call(
        "Emulation.setTouchEmulationEnabled",
        json!({"enabled": true}),
    );
    start(&mut browser, "newcomer");
    let fits = "document.documentElement.scrollHeight <= innerHeight + 1 && document.documentElement.scrollWidth <= 391";
    assert_eq!(
        browser.eval(fits),
        true,
        "board, patches and controls are in one view"
    );
    play(&mut browser, |browser| {
        let Some((place, corner)) = placement(browser) else {
            return false;
        };
        if place > 0 {
            let at = middle_of_offer(browser, place);
            touch(browser, "touchStart", Some(at));
            touch(browser, "touchEnd", None);
            browser.wait("patchwork.state().hand !== null");
        }
        let at = middle_of(browser, corner);
        touch(browser, "touchStart", Some(at));
        touch(browser, "touchEnd", None);
        browser.wait("patchwork.state().hand?.corner !== null");
        browser.press("Enter");
        true
    });
    assert_eq!(browser.eval(fits), true);
}

fn open_files(browser: &mut Browser, folder: &Path, width: u32) {
    browser.open(
        &format!("file://{}/index.html", folder.display()),
        width,
        "dark",
    );
}

#[test]
fn a_thousand_random_operations_leave_a_legal_game() {
    let Some(mut browser) = browser() else { return };
    let home = Workspace::new();
    home.ok(&["web", "--export", "board"]);
    open_files(&mut browser, &home.path("board"), 1280);
    start(&mut browser, "newcomer");
    let keys = "['1','2','3','r','f','ArrowLeft','ArrowRight','ArrowUp','ArrowDown','Enter','a','u','Escape']";
    for round in 0..20 {
        let operations = format!(
            "(async () => {{ let seed = {round} + 1; \
             const next = n => (seed = (seed * 48271) % 2147483647) % n; const keys = {keys}; \
             for (let i = 0; i < 50; i++) {{ \
               const key = keys[next(keys.length)]; \
               document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key, bubbles: true, cancelable: true }})); \
               if (next(10) === 0) await new Promise(requestAnimationFrame); }} }})()"
        );
        browser.resolve(&operations);
        assert_legal(&mut browser);
        assert_eq!(browser.eval("patchwork.state().trouble"), Value::Null);
    }
    browser.wait(MINE);
    assert_legal(&mut browser);
}

#[test]
fn a_running_tournament_is_watched_and_its_games_are_opened() {
    let Some(mut browser) = browser() else { return };
    let home = Workspace::new();
    home.save_match_in("two", "greedy-regret", 2);
    let server = Server::start(home.command(&["web", "results", "--address", "127.0.0.1:0"]));
    browser.open(&format!("{}board/index.html", server.url), 1280, "light");
    browser.wait("document.documentElement.dataset.ready === '1'");
    browser.eval(
        "[...document.querySelectorAll('.tab')].find(b => b.textContent === 'Watch').click()",
    );
    browser.wait("document.querySelector('.folders button') !== null");
    browser.eval("document.querySelector('.folders button').click()");
    browser.wait("document.querySelectorAll('.standings tbody tr').length === 2");
    browser.wait("document.querySelectorAll('.games li').length === 4");
    home.save_match_in("two", "greedy-regret", 3);
    browser.wait("document.querySelectorAll('.games li').length === 6");
    browser.eval("document.querySelector('.games button').click()");
    browser.wait(
        "patchwork.state().view === 'analysis' && patchwork.state().position.outcome !== null",
    );
    let names = browser.eval("patchwork.state().names.toSorted().join()");
    assert_eq!(names, "greedy-regret,random");
    browser.assert_content_within(&[
        &format!("http://{}", server.address),
        "about:",
        "data:",
        "blob:",
    ]);
}
