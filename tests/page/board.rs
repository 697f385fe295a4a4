//! The board in a browser, served and as files: games with the mouse, by touch and by keys, reloads, two tabs, a server
//! that ends, links, broken texts, the position editor, random operations, and watching.
//!
//! Games begin near their end, so that the tests are short; whole ones are played by the tests that are ignored. The
//! tests wait for states of the page, never for a time.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::browser::{Browser, browser};
use patchwork_test_support::program::Workspace;
use patchwork_test_support::server::Server;

/// Waits until the page is there.
pub(super) fn ready(browser: &mut Browser) {
    browser.wait("document.documentElement.dataset.ready === '1'");
}

/// Loads the page again, whatever its address has become.
pub(super) fn again(browser: &mut Browser, url: &str) {
    browser.navigate("about:blank");
    browser.navigate(url);
    ready(browser);
}

/// Chooses an input of the dialog as soon as that is open.
pub(super) fn choose_input(browser: &mut Browser, input: &str) {
    let input = format!("document.querySelector('dialog[open] input{input}')");
    browser.choose(&input);
    browser.wait(&format!("{input}.checked"));
}

/// Starts a game of two levels by the dialog.
pub(super) fn start_two_levels(browser: &mut Browser) {
    browser.press("n");
    choose_input(browser, "[name=opponent][value=levels]");
    choose_input(browser, "[name=first-level][value=newcomer]");
    choose_input(browser, "[name=second-level][value=beginner]");
    browser.eval("document.querySelector('dialog form').requestSubmit()");
    browser.wait("patchwork.state().seats.every(({ kind }) => kind === 'level')");
}

/// Starts a game against a level by the dialog.
pub(super) fn start(browser: &mut Browser, level: &str) {
    ready(browser);
    // Rings that are the same in each run: on some, no patch can be paid at the beginning.
    browser.eval(
        "void (globalThis.last ??= (Math.random = () => (globalThis.last = globalThis.last * 16807 % 2147483647) / 2147483647, 7))",
    );
    browser.press("n");
    choose_input(browser, &format!("[value={level}]"));
    browser.eval("document.querySelector('dialog form').requestSubmit()");
    browser.wait("document.querySelector('dialog[open]') === null");
    browser.wait(&format!(
        "patchwork.state().seats[1].level === {}",
        json!(level)
    ));
    browser.drawn();
}

/// Leaves the game near its end: both sides are played up to there, the game is stored as the page stores it, and the
/// page is loaded again.
pub(super) fn near_the_end(browser: &mut Browser, url: &str) {
    browser.wait(MINE);
    browser.resolve(
        "(async () => { const { start } = patchwork.state().tree; const game = { start, actions: [] }; \
         for (;;) { const { players, mover } = patchwork.ask('position', { game }).picture; \
           if (mover === null || Math.min(...players.map(({ space }) => space)) >= 44) break; \
           game.actions.push((await patchwork.state().judge.ask('decide', { game, agent: 'greedy-inorder' })).action); } \
         const root = game.actions.toReversed().reduce((children, action) => [[action, '', children]], []); \
         const { title, seats, time, seed, names, made, wanted, accuracy, there } = patchwork.state(); \
         const name = JSON.parse(sessionStorage.getItem('patchwork.tab')); \
         localStorage.setItem('patchwork.game.' + name, JSON.stringify({ title, seats, time, seed, names, made, wanted, \
           accuracy, there, view: 'play', start, root: ['', '', root], places: game.actions.map(() => 0), \
           when: Date.now(), result: null })); })()",
    );
    again(browser, url);
    browser.wait("patchwork.state().position.ply > 10");
}

pub(super) const MINE: &str = "(s => !s.thinking && (s.position.mover === null || s.seats[s.position.mover].kind === 'person'))\
                    (patchwork.state())";

/// What the page holds, compared with what the engine says of its actions.
pub(super) fn assert_legal(browser: &mut Browser) {
    let agrees = browser.eval(
        "(() => { const s = patchwork.state(); const actions = []; \
         for (let n = s.node; n.parent; n = n.parent) actions.unshift(n.action); \
         return patchwork.ask('position', { game: { start: s.tree.start, actions } }).picture.text === s.position.text; })()",
    );
    assert_eq!(agrees, true);
}

/// Plays the person's moves until the game is over: by this way of placing what is in hand, or else by advancing.
pub(super) fn play(browser: &mut Browser, mut place: impl FnMut(&mut Browser) -> bool) {
    for _ in 0..200 {
        browser.wait(MINE);
        let state = browser.eval("({ over: patchwork.state().position.mover === null, ply: patchwork.state().position.ply })");
        if state["over"] == true {
            return;
        }
        browser.drawn();
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
        "(() => { const p = patchwork.state().position; if (p.waiting) return [0, p.legal.specials[0]]; \
         for (let i = 0; i < p.offers.length; i++) { const one = p.legal.patches.find(o => o.patch === p.offers[i].patch); \
         if (one && one.corners[0].length) return [i + 1, one.corners[0][0]]; } return null; })()",
    );
    let pair = found.as_array()?;
    Some((pair[0].as_u64()?, pair[1].as_u64()?))
}

/// The point of the page in the middle of a patch in hand whose corner is on a square.
pub(super) fn middle_of(browser: &mut Browser, corner: u64) -> (f64, f64) {
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

pub(super) fn hand(browser: &mut Browser) -> Value {
    browser.eval("patchwork.state().hand")
}

pub(super) fn mouse(browser: &mut Browser, kind: &str, (x, y): (f64, f64)) {
    let buttons = i32::from(kind != "mouseReleased");
    let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1});
    browser.call("Input.dispatchMouseEvent", event);
}

pub(super) fn touch(browser: &mut Browser, kind: &str, at: Option<(f64, f64)>) {
    let points: Vec<Value> = at.iter().map(|(x, y)| json!({"x": x, "y": y})).collect();
    browser.call(
        "Input.dispatchTouchEvent",
        json!({"type": kind, "touchPoints": points}),
    );
}

pub(super) fn middle_of_offer(browser: &mut Browser, place: u64) -> (f64, f64) {
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

/// The exported files, opened from a disk, and their address.
pub(super) fn exported(width: u32) -> Option<(Browser, Workspace, String)> {
    let mut browser = browser()?;
    let home = Workspace::new();
    home.ok("web --export board");
    let url = format!("file://{}/index.html", home.path("board").display());
    browser.open(&url, width, "dark");
    ready(&mut browser);
    Some((browser, home, url))
}

/// Starts a game against a level, and leaves it near its end unless the `whole` game is to be played.
pub(super) fn begin(browser: &mut Browser, url: &str, level: &str, whole: bool) {
    start(browser, level);
    if !whole {
        near_the_end(browser, url);
    }
}

pub(super) fn served() -> Option<(Browser, Workspace, Server)> {
    let browser = browser()?;
    let home = Workspace::new();
    let server = Server::start(home.command("web --address 127.0.0.1:0"));
    Some((browser, home, server))
}

/// Draws a patch from the tray onto the quilt; a special patch is in hand and is placed by a click.
pub(super) fn place_by_mouse(browser: &mut Browser) -> bool {
    let Some((place, corner)) = placement(browser) else {
        return false;
    };
    if place == 0 {
        let to = middle_of(browser, corner);
        mouse(browser, "mousePressed", to);
        mouse(browser, "mouseReleased", to);
        return true;
    }
    let from = middle_of_offer(browser, place);
    mouse(browser, "mousePressed", from);
    browser.wait("patchwork.state().hand !== null");
    let to = middle_of(browser, corner);
    let between = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    mouse(browser, "mouseMoved", between);
    mouse(browser, "mouseMoved", to);
    mouse(browser, "mouseReleased", to);
    true
}

fn a_game_with_the_mouse_is_kept_by_the_server(whole: bool) {
    let Some((mut browser, home, server)) = served() else {
        return;
    };
    let url = format!("{}board/index.html", server.url);
    browser.open(&url, 1280, "light");
    begin(&mut browser, &url, "beginner", whole);
    play(&mut browser, place_by_mouse);
    browser.wait("(patchwork.state().notice ?? '').includes('human-greedy-inorder')");
    assert!(home.path("results/human-greedy-inorder/games.db").is_file());
    browser.assert_content_within(&[
        &format!("http://{}", server.address),
        "about:",
        "data:",
        "blob:",
    ]);
}

#[test]
#[ignore = "a browser"]
fn a_game_ended_with_the_mouse_is_kept_by_the_server() {
    a_game_with_the_mouse_is_kept_by_the_server(false);
}

#[test]
#[ignore = "half a minute"]
fn a_whole_game_with_the_mouse_is_kept_by_the_server_in_full() {
    a_game_with_the_mouse_is_kept_by_the_server(true);
}

fn place_by_touch(browser: &mut Browser) -> bool {
    let Some((place, corner)) = placement(browser) else {
        return false;
    };
    if place > 0 {
        let at = middle_of_offer(browser, place);
        touch(browser, "touchStart", Some(at));
        touch(browser, "touchEnd", None);
        browser.wait("patchwork.state().hand !== null");
        browser.drawn();
    }
    let at = middle_of(browser, corner);
    touch(browser, "touchStart", Some(at));
    touch(browser, "touchEnd", None);
    browser.wait("patchwork.state().hand?.corner !== null");
    browser.press("Enter");
    true
}

/// The exported files work from a disk: nothing is fetched.
fn a_game_by_touch_on_a_phone_needs_no_scrolling(whole: bool) {
    let Some((mut browser, _home, url)) = exported(390) else {
        return;
    };
    browser.call(
        "Emulation.setTouchEmulationEnabled",
        json!({"enabled": true}),
    );
    begin(&mut browser, &url, "newcomer", whole);
    browser.drawn();
    let fits = "document.documentElement.scrollHeight <= innerHeight + 1 && document.documentElement.scrollWidth <= 391";
    assert_eq!(
        browser.eval(fits),
        true,
        "board, patches and controls are in one view"
    );
    play(&mut browser, place_by_touch);
    browser.drawn();
    assert_eq!(browser.eval(fits), true);
}

#[test]
#[ignore = "a browser"]
fn a_game_ended_by_touch_on_a_phone_needs_no_scrolling() {
    a_game_by_touch_on_a_phone_needs_no_scrolling(false);
}

#[test]
#[ignore = "half a minute"]
fn a_whole_game_by_touch_on_a_phone_needs_no_scrolling_in_full() {
    a_game_by_touch_on_a_phone_needs_no_scrolling(true);
}

/// Plays by keys. The page is loaded again at the second move, and the server ends at the third.
fn a_game_by_keys_survives_a_reload_and_the_end_of_the_server(whole: bool) {
    let Some((mut browser, _home, server)) = served() else {
        return;
    };
    let url = format!("{}board/index.html", server.url);
    browser.open(&url, 1280, "dark");
    begin(&mut browser, &url, "beginner", whole);
    let mut server = Some(server);
    let mut moves = 0;
    play(&mut browser, |browser| {
        moves += 1;
        if moves == 2 {
            // The same game is there after a reload.
            let before = browser.eval("patchwork.state().position.text");
            again(browser, &url);
            browser.drawn();
            assert_eq!(browser.eval("patchwork.state().position.text"), before);
        }
        if moves == 3 {
            server = None;
        }
        match placement(browser) {
            Some((0, corner)) => {
                browser.press("ArrowRight");
                move_to(browser, corner);
            }
            Some((place, _)) => {
                browser.press(&place.to_string());
                browser.wait("patchwork.state().hand !== null");
                browser.drawn();
            }
            None => return false,
        }
        browser.press("Enter");
        true
    });
    assert!(moves > 3, "{moves}");
    let notice = browser.eval("patchwork.state().notice");
    assert_eq!(
        notice,
        "The server does not answer. The game goes on in this page and is handed over when it answers."
    );
    browser.wait("document.querySelector('.notice') !== null");
}

#[test]
#[ignore = "a browser"]
fn a_game_ended_by_keys_survives_a_reload_and_the_end_of_the_server() {
    a_game_by_keys_survives_a_reload_and_the_end_of_the_server(false);
}

#[test]
#[ignore = "half a minute"]
fn a_whole_game_by_keys_survives_a_reload_and_the_end_of_the_server_in_full() {
    a_game_by_keys_survives_a_reload_and_the_end_of_the_server(true);
}

/// Moves what is in hand by the arrows.
fn move_to(browser: &mut Browser, corner: u64) {
    for _ in 0..20 {
        let at = hand(browser)["corner"].as_u64().expect("on the quilt");
        let key = match (at % 9).cmp(&(corner % 9)) {
            std::cmp::Ordering::Less => "ArrowRight",
            std::cmp::Ordering::Greater => "ArrowLeft",
            std::cmp::Ordering::Equal if at < corner => "ArrowDown",
            std::cmp::Ordering::Equal if at > corner => "ArrowUp",
            std::cmp::Ordering::Equal => return,
        };
        browser.press(key);
    }
    panic!("it does not arrive");
}

/// Fifty operations in each round.
fn random_operations_leave_a_legal_game(rounds: u32) {
    let Some((mut browser, _home, _)) = exported(1280) else {
        return;
    };
    start(&mut browser, "newcomer");
    let keys = "['1','2','3','r','f','ArrowLeft','ArrowRight','ArrowUp','ArrowDown','Enter','a','u','Escape']";
    for round in 0..rounds {
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
#[ignore = "a browser"]
fn two_hundred_and_fifty_random_operations_leave_a_legal_game() {
    random_operations_leave_a_legal_game(5);
}

#[test]
#[ignore = "four times as many"]
fn a_thousand_random_operations_leave_a_legal_game_in_full() {
    random_operations_leave_a_legal_game(20);
}

/// A second tab goes on by itself.
#[test]
#[ignore = "a browser"]
fn two_tabs_do_not_disturb_each_other() {
    let Some((mut browser, _home, server)) = served() else {
        return;
    };
    let url = format!("{}board/index.html", server.url);
    browser.open(&url, 1280, "light");
    start(&mut browser, "newcomer");
    browser.press("a");
    browser.wait("patchwork.state().position.ply > 0");
    browser.wait(MINE);
    let first = browser.eval("patchwork.state().position.text");
    let opened = format!("window.other = window.open({}), true", json!(url));
    // Without a person's gesture, the window is not opened.
    let by_person = json!({"expression": opened, "userGesture": true});
    browser.call("Runtime.evaluate", by_person);
    browser.wait("window.other?.document?.documentElement?.dataset?.ready === '1'");
    // It goes on with a copy, as a duplicated tab does.
    let other = browser.eval("other.patchwork.state().position.text");
    assert_eq!(other, first);
    browser.eval("other.document.body.dispatchEvent(new other.KeyboardEvent('keydown', { key: 'a', bubbles: true, cancelable: true })), true");
    browser.wait(&format!(
        "other.patchwork.state().position.text !== {first}"
    ));
    assert_eq!(browser.eval("patchwork.state().position.text"), first);
    again(&mut browser, &url);
    assert_eq!(browser.eval("patchwork.state().position.text"), first);
}

/// A server sends the modules themselves, packed well, and no scripts that carry them. The page is ready with the small
/// one, and asks for the other when a game begins.
#[test]
#[ignore = "a browser"]
fn a_server_sends_the_modules_and_no_script_that_carries_them() {
    let Some((mut browser, _home, server)) = served() else {
        return;
    };
    browser.open(&format!("{}board/index.html", server.url), 1280, "light");
    ready(&mut browser);
    let sent = |browser: &mut Browser| -> BTreeMap<String, u64> {
        let sent = browser.eval(
            "Object.fromEntries(performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => [name.split('/').pop(), encodedBodySize]))",
        );
        serde_json::from_value(sent).expect("names and sizes")
    };
    let first = sent(&mut browser);
    assert!(
        first.keys().eq(["board.css", "board.js", "rules.wasm"]),
        "{first:?}"
    );
    assert!(first.values().sum::<u64>() < 170_000, "{first:?}");
    // The agents come with the first move: the server may be gone when the page needs them.
    browser.press("a");
    browser.wait("performance.getEntriesByType('resource').some(({ name, responseEnd }) => name.endsWith('/engine.wasm') && responseEnd > 0)");
    assert!(
        sent(&mut browser)
            .keys()
            .all(|name| !name.ends_with(".js") || name == "board.js")
    );
}

const START_TEXT: &str = "original 20 30 11 19 8 31 26 33 13 15 29 32 25 3 4 6 28 16 24 5 12 7 21 10 14 22 23 2 17 18 27 9 1";

/// The end of a game of weak agents, from a late position, as the text of a link.
pub(super) const LINK: &str = "\
    original_10_20_3_21_13_5_14_11_9_31_12_6_17_33_27_25_18_8_23_24_4_16_29_32_28_7_2_30_15_19_26_22_1_~_2_31_3:\
    e6e7f7_13:a1b1c1d1_11:e1f1g1e2g2_31:d6a7b7c7d7a8_27:h1h2g3h3i3h4_8:a2b2c2a3_S:b8_29:d2b3c3d3e3c4_32:f6g6g7g8\
    f9g9_S:i1_30:f2f3f4e5f5g5_~_11_30_21:b1a2b2c2b3_9:c1d1e1e2_6:g4h4f5g5_25:f1g1h1g2f3g3h3_24:d2c3d3e3c4e4_28:b\
    4a5b5c5a6b6c6b7_2:b8c8b9_~_28_second_0_-_-_32_44_50_.._26:h6g7h7f8g8_S:a1_10:a4a5b5a6_A_A_20:i4i5i6i7i8_12:c\
    8d8e8c9d9_33:d5d6c7d7e7d8d9_A_4:h8i8h9i9_S:i1_7:d4e4c5d5_A_A_A_S:f7_A_A_A_A";

#[test]
#[ignore = "a browser"]
fn a_shared_game_is_analysed_and_broken_texts_lose_nothing() {
    let Some((mut browser, _home, url)) = exported(1280) else {
        return;
    };
    browser.navigate("about:blank");
    browser.navigate(&format!("{url}#game={LINK}"));
    browser.wait(
        "document.documentElement.dataset.ready === '1' && patchwork.state().view === 'analysis'",
    );
    let plies = browser.eval("patchwork.state().position.ply");
    assert!(plies.as_u64() > Some(4), "{plies}");
    // Every position is evaluated, and the moves are judged.
    click_text(&mut browser, ".panel button", "Judge the game");
    browser.wait(
        "patchwork.state().analysis.judged !== null && document.querySelector('.account') !== null",
    );
    let judged = browser.eval("patchwork.state().analysis.judged.view.plies.length");
    assert_eq!(judged, plies);
    let wrong = browser.eval(
        "document.querySelectorAll('.moves .inaccuracy, .moves .mistake, .moves .blunder').length",
    );
    assert!(wrong.as_u64() > Some(0), "two weak agents make mistakes");
    // A bad move, and why another one was better.
    browser
        .choose("document.querySelector('.moves .inaccuracy, .moves .mistake, .moves .blunder')");
    browser.wait("document.querySelector('.why-better') !== null");
    // The live search before it: another move is a variation, and the game stays as it was.
    browser.choose("document.querySelector('.panel [aria-label=\"one move back\"]')");
    // The state can be ahead of what is drawn: the move must be in both, and be one that can be played.
    let other = "[...document.querySelectorAll('.lines tbody .move')].find(b => !b.disabled \
                 && b.dataset.action !== patchwork.state().node.children[0]?.action \
                 && patchwork.state().analysis.live?.lines.some(line => line.action === b.dataset.action))";
    browser.choose(&format!(
        "patchwork.state().node.children.length > 0 ? {other} : undefined"
    ));
    browser.wait("document.querySelector('.moves .variation') !== null");
    let before = browser
        .eval("JSON.stringify([patchwork.state().tree.start, patchwork.state().position.text])");
    for (text, sentence) in [
        (
            "[Track \"original\"]\n[Ring \"1 2 3\"]\n[Result \"*\"]\n\n1. A *",
            "line 1: ",
        ),
        (
            "[Track \"original\"]\n1. A",
            "line 1: the game that begins here has no end",
        ),
        (
            &format!("{START_TEXT} A S:a1"),
            "ply 2, S:a1: no special patch waits to be placed",
        ),
        ("nothing", "'nothing' is not a track"),
    ] {
        let paste = format!(
            "(field => {{ field.value = {}; field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})\
             (document.querySelector('.exchange textarea'))",
            json!(text)
        );
        browser.eval(&paste);
        click_text(&mut browser, ".exchange button", "Open it");
        browser.wait(&format!(
            "(patchwork.state().analysis.trouble ?? '').includes({})",
            json!(sentence)
        ));
        browser.wait("document.querySelector('.exchange .trouble') !== null");
        let after = browser.eval(
            "JSON.stringify([patchwork.state().tree.start, patchwork.state().position.text])",
        );
        assert_eq!(after, before, "nothing is lost");
    }
    assert_legal(&mut browser);
    browser.assert_content_within(&["file:", "about:", "data:", "blob:"]);
}

pub(super) fn click_text(browser: &mut Browser, selector: &str, text: &str) {
    browser.choose(&format!(
        "[...document.querySelectorAll({})].find(b => b.textContent === {})",
        json!(selector),
        json!(text)
    ));
}

#[test]
#[ignore = "a browser"]
fn an_edited_position_is_refused_with_a_sentence_or_played() {
    let Some((mut browser, _home, _)) = exported(1280) else {
        return;
    };
    click_text(&mut browser, ".tab", "Analyse");
    browser.wait("document.querySelector('.panel .moves') !== null");
    click_text(&mut browser, ".panel button", "Edit this position");
    browser.wait("document.querySelectorAll('.edited .quilt').length === 2");
    let sewn = "patchwork.state().editor.parts.players.map(({ patches }) => patches.length)";
    // With the mouse: patch 2 goes to the middle of the second quilt.
    browser.click(".off [data-patch='2']");
    browser.wait("patchwork.state().editor.hand !== null");
    browser.drawn();
    browser.point(".edited .quilt.seat1", 0.5, 0.5);
    browser.wait("patchwork.state().editor.hand.seat === 1");
    browser.click(".edited .quilt.seat1");
    browser.wait("patchwork.state().editor.hand === null");
    assert_eq!(browser.eval(sewn), json!([0, 1]));
    // With keys: a special patch is refused where the patch lies, and placed beside it.
    browser.click(".off [data-patch='34']");
    browser.wait("patchwork.state().editor.hand !== null");
    browser.drawn();
    let covered = browser.eval("patchwork.state().editor.hand.seat");
    assert_eq!(covered, 1, "the quilt that was used last");
    let squares = browser.eval(
        "(squares => squares.map(name => ' abcdefghi'.indexOf(name[0]) - 1 + 9 * (name[1] - 1)))\
         (patchwork.state().editor.parts.players[1].patches[0].split(':')[1].match(/../g))",
    );
    let square = squares[0].as_u64().expect("a square");
    for key in std::iter::repeat_n("ArrowRight", square as usize % 9)
        .chain(std::iter::repeat_n("ArrowDown", square as usize / 9))
    {
        browser.press(key);
    }
    browser.press("Enter");
    browser.wait("document.querySelector('.view-editor .trouble') !== null");
    let said = browser.text(".view-editor .trouble");
    assert!(said.contains("which is already covered"), "{said}");
    assert_eq!(browser.eval(sewn), json!([0, 1]), "nothing is lost");
    browser.press("q");
    browser.press("Enter");
    browser.wait("patchwork.state().editor.hand === null");
    assert_eq!(browser.eval(sewn), json!([1, 1]));
    browser.wait("(patchwork.state().editor.trouble ?? '').includes('6 special patches')");
    browser.drawn();
    let disabled = "document.querySelector('.view-editor .control.main[aria-disabled]') !== null";
    assert_eq!(browser.eval(disabled), true, "nobody can play on");
    // One fewer on the track; and the players get buttons.
    browser.choose("document.querySelector('.view-editor input[type=checkbox]')");
    browser.wait("patchwork.state().editor.trouble === null");
    browser.eval(
        "(field => { field.value = '40'; field.dispatchEvent(new Event('input', { bubbles: true })); })\
         (document.querySelector('.view-editor input[type=number]'))",
    );
    browser.wait("patchwork.state().editor.parts.players[0].buttons === 40");
    browser.drawn();
    // The text of the position is the same position again.
    click_text(&mut browser, ".view-editor .control", "As text");
    browser.wait("patchwork.state().editor.out !== ''");
    let same = "patchwork.state().editor.out === patchwork.ask('position', \
         { game: patchwork.ask('check', { text: patchwork.state().editor.out }).game }).picture.text";
    assert_eq!(browser.eval(same), true);
    // A patch is taken off by its button, and the game goes on.
    browser.drawn();
    browser.choose("document.querySelector('.sewn button')");
    browser.wait("patchwork.state().editor.hand !== null");
    browser.press("Escape");
    click_text(&mut browser, ".view-editor .control", "Play on");
    browser.wait("patchwork.state().view === 'play'");
    let state = browser.eval("patchwork.state().position.players.map(({ buttons, patches }) => [buttons, patches.length])");
    assert_eq!(state, json!([[40, 0], [5, 1]]));
    assert_legal(&mut browser);
    browser.assert_content_within(&["file:", "about:", "data:", "blob:"]);
}

/// Two levels play each other to the end, and nobody needs to move.
#[test]
fn two_levels_play_each_other() {
    let Some((mut browser, _home, _)) = exported(1280) else {
        return;
    };
    start_two_levels(&mut browser);
    browser.wait("patchwork.state().position.ply > 3");
    assert_legal(&mut browser);
    browser.drawn();
    let names = "[...document.querySelectorAll('.plate .name > span:not(.dots)')].map(name => name.textContent)";
    assert_eq!(browser.eval(names), json!(["Newcomer", "Beginner"]));
    // A person cannot move for them.
    let before = hand(&mut browser);
    browser.press("1");
    assert_eq!(hand(&mut browser), before);
}

/// A phone that lies on its side shows everything in one view.
#[test]
#[ignore = "a browser"]
fn a_phone_on_its_side_needs_no_scrolling() {
    let Some((mut browser, _home, _)) = exported(1280) else {
        return;
    };
    for (width, height) in [(844, 390), (667, 375)] {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": true});
        browser.call("Emulation.setDeviceMetricsOverride", size);
        browser.wait(&format!("innerWidth === {width}"));
        browser.wait("document.querySelector('.table.low') !== null");
        browser.drawn();
        browser.press("1");
        browser.wait("patchwork.state().hand !== null");
        browser.drawn();
        let beyond = "[...document.querySelectorAll('.quilt.mine, .tray .offer, .actions .control')].filter(node => { \
            const box = node.getBoundingClientRect(); return box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.width < 24; }) \
            .map(node => node.outerHTML.slice(0, 80))";
        assert_eq!(browser.eval(beyond), json!([]));
        let scrolls = "document.documentElement.scrollHeight > innerHeight + 1 || document.documentElement.scrollWidth > innerWidth + 1";
        assert_eq!(browser.eval(scrolls), false);
        browser.press("Escape");
    }
}

#[test]
#[ignore = "a browser"]
fn a_running_tournament_is_watched_and_its_games_are_opened() {
    let Some(mut browser) = browser() else { return };
    let home = Workspace::new();
    home.save_match_in("two", "greedy-regret", 2);
    let server = Server::start(home.command("web results --address 127.0.0.1:0"));
    browser.open(&format!("{}board/index.html", server.url), 1280, "light");
    ready(&mut browser);
    click_text(&mut browser, ".tab", "Watch");
    browser.choose("document.querySelector('.folders button')");
    browser.wait("document.querySelectorAll('.standings tbody tr').length === 2");
    browser.wait("document.querySelectorAll('.games li').length === 4");
    home.save_match_in("two", "greedy-regret", 3);
    browser.wait("document.querySelectorAll('.games li').length === 6");
    browser.choose("document.querySelector('.games a')");
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
