//! Games of the board: none is lost by what people do, and what they do works on every screen.

use serde_json::{Value, json};

use super::board::{
    LINK, MINE, again, assert_legal, begin, choose_input, click_text, exported, middle_of,
    middle_of_offer, mouse, place_by_mouse, play, ready, served, start, start_two_levels, touch,
};
use super::browser::{Browser, browser};
use patchwork_test_support::program::Workspace;
use patchwork_test_support::server::Server;

/// Every game that is there, as the lines of its tree: its start and the actions, in one text.
const LINES: &str = "(() => { const lines = new Set(); \
    for (const [, { start, root }] of patchwork.games()) { \
      const walk = ([action, , children], before) => { const line = action ? before + ' ' + action : before; \
        if (children.length === 0) lines.add(line); children.forEach(child => walk(child, line)); }; walk(root, start); } \
    return [...lines]; })()";

fn lines(browser: &mut Browser) -> Vec<String> {
    let lines = browser.eval(LINES);
    let lines = lines.as_array().expect("a list").iter();
    lines
        .map(|line| line.as_str().expect("text").to_owned())
        .collect()
}

/// Every line of before is one now, or the beginning of one.
fn assert_kept(browser: &mut Browser, before: &[String]) {
    let now = lines(browser);
    for line in before {
        let longer = format!("{line} ");
        let kept = now
            .iter()
            .any(|other| other == line || other.starts_with(&longer));
        assert!(kept, "lost: {line}");
    }
}

fn number(browser: &mut Browser, expression: &str) -> u64 {
    let value = browser.eval(expression);
    value
        .as_u64()
        .unwrap_or_else(|| panic!("{expression}: {value}"))
}

/// Plays two moves of a new game.
fn two_moves(browser: &mut Browser) {
    start(browser, "newcomer");
    for _ in 0..2 {
        browser.wait(MINE);
        let ply = number(browser, "patchwork.state().position.ply");
        browser.press("a");
        browser.wait(&format!("patchwork.state().position.ply > {ply}"));
    }
    browser.wait(MINE);
}

/// Opens the end of a game between weak agents.
fn open_link(browser: &mut Browser, url: &str) {
    again(browser, &format!("{url}#game={LINK}"));
    browser.wait("patchwork.state().view === 'analysis'");
}

fn tab(browser: &mut Browser, name: &str) {
    let tab = format!(
        "[...document.querySelectorAll('.tab')].find(tab => tab.textContent === {})",
        json!(name)
    );
    browser.choose(&tab);
    browser.drawn();
}

#[test]
#[ignore = "a browser"]
fn links_tabs_and_stepping_back_lose_no_game() {
    let Some((mut browser, _home, url)) = exported(1280) else {
        return;
    };
    two_moves(&mut browser);
    let played = browser.eval("patchwork.state().position.text");
    let before = lines(&mut browser);
    open_link(&mut browser, &url);
    assert_kept(&mut browser, &before);
    // In the analysis, no key cuts the game.
    let before = lines(&mut browser);
    for key in ["u", "Home", "u", "End", "u", "ArrowLeft", "u"] {
        browser.press(key);
    }
    assert_kept(&mut browser, &before);
    // The same link again is the same game.
    let games = lines(&mut browser).len();
    open_link(&mut browser, &url);
    assert_eq!(lines(&mut browser).len(), games);
    // Both are listed, and the first goes on where it was.
    tab(&mut browser, "My games");
    browser.wait("document.querySelectorAll('.mine li').length === 2");
    click_text(&mut browser, ".mine .move", "Newcomer");
    browser.wait("patchwork.state().view === 'play'");
    assert_eq!(browser.eval("patchwork.state().position.text"), played);
    // A new game keeps it, and a move after stepping back keeps what was played before.
    let before = lines(&mut browser);
    browser.press("u");
    browser.press("u");
    browser.press("1");
    browser.press("Enter");
    browser.wait(MINE);
    assert_kept(&mut browser, &before);
    start(&mut browser, "newcomer");
    assert_kept(&mut browser, &before);
}

/// What was taken back can be played again; what was deleted can be brought back.
#[test]
#[ignore = "a browser"]
fn what_is_taken_back_or_deleted_comes_back() {
    let Some((mut browser, _home, _)) = exported(1280) else {
        return;
    };
    two_moves(&mut browser);
    let ply = number(&mut browser, "patchwork.state().position.ply");
    let text = browser.eval("patchwork.state().position.text");
    browser.press("u");
    browser.wait(&format!("patchwork.state().position.ply < {ply}"));
    browser.press("y");
    browser.wait(&format!("patchwork.state().position.ply === {ply}"));
    assert_eq!(browser.eval("patchwork.state().position.text"), text);
    let before = lines(&mut browser);
    tab(&mut browser, "My games");
    browser.choose("document.querySelector('.mine [title=Delete]')");
    browser.wait("document.querySelectorAll('.mine li').length === 0");
    browser.choose("document.querySelector('.toast .control')");
    browser.wait("document.querySelectorAll('.mine li').length === 1");
    assert_kept(&mut browser, &before);
    // It is named.
    browser.choose("document.querySelector('.mine [title=\"Name it\"]')");
    browser.wait("document.querySelector('.mine input') !== null");
    browser.eval("(field => { field.value = 'The first'; field.dispatchEvent(new Event('change', { bubbles: true })); })(document.querySelector('.mine input'))");
    browser.wait("document.querySelector('.mine .move')?.textContent === 'The first'");
}

/// Whatever is deleted, one after the other, comes back; so does a position that was edited.
#[test]
#[ignore = "a browser"]
fn everything_deleted_comes_back() {
    let Some((mut browser, _home, url)) = exported(1280) else {
        return;
    };
    two_moves(&mut browser);
    open_link(&mut browser, &url);
    let before = lines(&mut browser);
    tab(&mut browser, "My games");
    for left in [1, 0] {
        browser.choose("document.querySelector('.mine [title=Delete]')");
        browser.wait(&format!(
            "document.querySelectorAll('.mine li').length === {left}"
        ));
    }
    for back in [1, 2] {
        browser.choose("document.querySelector('.toast .control')");
        browser.wait(&format!(
            "document.querySelectorAll('.mine li').length === {back}"
        ));
    }
    assert_kept(&mut browser, &before);
    browser.wait("document.querySelector('.toast') === null");
    tab(&mut browser, "Analyse");
    click_text(&mut browser, ".panel button", "Edit this position");
    browser.wait("patchwork.state().editor !== null");
    let edited = "document.querySelector('.view-editor input[type=number]')?.value";
    browser.wait(&format!("{edited} !== undefined"));
    browser.eval("(field => { field.value = '41'; field.dispatchEvent(new Event('input', { bubbles: true })); })(document.querySelector('.view-editor input[type=number]'))");
    browser.drawn();
    click_text(&mut browser, ".view-editor .control", "Starting position");
    browser.wait(&format!("{edited} === '5'"));
    browser.choose("document.querySelector('.toast .control')");
    browser.wait(&format!("{edited} === '41'"));
}

/// Without locks, as on pages that are served without encryption, two tabs may have one game: both moves stay.
#[test]
#[ignore = "a browser"]
fn what_another_tab_has_stored_of_the_same_game_stays() {
    let Some((mut browser, _home, _)) = exported(1280) else {
        return;
    };
    two_moves(&mut browser);
    // Another tab plays something else in the first position.
    browser.eval(
        "(() => { const name = 'patchwork.game.' + patchwork.state().id; const kept = JSON.parse(localStorage.getItem(name)); \
         const game = { start: patchwork.state().tree.start, actions: [] }; \
         const { patch } = patchwork.ask('position', { game }).legal.patches[0]; \
         kept.root[2].push([patchwork.ask('regret', { game, patch }).placements[0].action, '', []]); \
         localStorage.setItem(name, JSON.stringify(kept)); })()",
    );
    let before = lines(&mut browser);
    assert_eq!(before.len(), 2);
    let ply = number(&mut browser, "patchwork.state().position.ply");
    browser.press("a");
    browser.wait(&format!("patchwork.state().position.ply > {ply}"));
    browser.wait(MINE);
    assert_kept(&mut browser, &before);
}

/// A server under a name of the network, without encryption, so that browsers have no locks.
fn without_locks() -> Option<(Browser, Workspace, Server, String)> {
    let mut browser = browser()?;
    let home = Workspace::new();
    let command = "web results --address 127.0.0.1:0 --host board.test";
    let server = Server::start(home.command(command));
    let url = format!(
        "http://board.test:{}/board/index.html",
        server.address.port()
    );
    browser.open(&url, 1280, "light");
    ready(&mut browser);
    assert_eq!(browser.eval("navigator.locks === undefined"), true);
    Some((browser, home, server, url))
}

/// Opens the page once more, in a tab of its own that is not in front: `other`.
fn open_other(browser: &mut Browser, url: &str) {
    let open = format!("window.other = window.open({}), true", json!(url));
    let by_person = json!({"expression": open, "userGesture": true});
    browser.call("Runtime.evaluate", by_person);
    browser.wait("!window.other || other.document?.documentElement?.dataset?.ready === '1'");
    // A tab that is not in front is not drawn.
    browser.call("Page.bringToFront", json!({}));
}

/// Lets the browser refuse to store games, or take them again.
fn fill_storage(browser: &mut Browser, is_full: bool) {
    browser.eval(&format!(
        "void (window.full ??= (set => {{ Storage.prototype.setItem = function (key, value) {{ \
           if (full.is && key.startsWith('patchwork.game.')) throw new DOMException('full', 'QuotaExceededError'); \
           set.call(this, key, value); }}; return {{}}; }})(Storage.prototype.setItem)); full.is = {is_full}"
    ));
}

/// Blocks the storage for the pages that are loaded from now on, as without cookies.
fn block_storage(browser: &mut Browser) {
    let source = "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, \
        { get() { throw new DOMException('blocked', 'SecurityError'); } })";
    let script = json!({"source": source});
    browser.call("Page.addScriptToEvaluateOnNewDocument", script);
}

/// A tab that never moved has the same game as one that played it. A new game there deletes nothing.
#[test]
#[ignore = "a browser"]
fn a_second_tab_that_never_moved_deletes_nothing() {
    let Some((mut browser, _home, _server, url)) = without_locks() else {
        return;
    };
    start(&mut browser, "newcomer");
    open_other(&mut browser, &url);
    assert_eq!(
        browser.eval("other.patchwork.state().id === patchwork.state().id"),
        true
    );
    browser.press("a");
    browser.wait("patchwork.state().position.ply > 0");
    browser.wait(MINE);
    let before = lines(&mut browser);
    browser.eval("other.location.hash = 'game=' + patchwork.ask('link', { game: patchwork.ask('new', { seed: 3 }) }).text");
    browser.wait("other.patchwork.state().id !== patchwork.state().id");
    assert_kept(&mut browser, &before);
}

/// What two tabs change of one game is merged by field: the name, how well it was played, and that it is wanted.
#[test]
#[ignore = "a browser"]
fn what_another_tab_changes_of_a_game_stays_by_field() {
    let Some((mut browser, _home, _)) = exported(1280) else {
        return;
    };
    two_moves(&mut browser);
    browser.eval(
        "(() => { const name = 'patchwork.game.' + patchwork.state().id; const kept = JSON.parse(localStorage.getItem(name)); \
         localStorage.setItem(name, JSON.stringify({ ...kept, title: 'Named there', accuracy: [90, 80], wanted: true })); })()",
    );
    let fields = "(({ title, accuracy, wanted }) => [title, accuracy, wanted])\
                  (JSON.parse(localStorage.getItem('patchwork.game.' + patchwork.state().id)))";
    // By reading, nothing changes.
    browser.press("ArrowLeft");
    browser.drawn();
    assert_eq!(browser.eval(fields), json!(["Named there", [90, 80], true]));
    browser.press("End");
    browser.drawn();
    // A move changes what the accuracy belongs to.
    let ply = number(&mut browser, "patchwork.state().position.ply");
    browser.press("a");
    browser.wait(&format!("patchwork.state().position.ply > {ply}"));
    browser.wait(MINE);
    assert_eq!(browser.eval(fields), json!(["Named there", null, true]));
    // The newest name wins.
    browser.eval("patchwork.state().page.show('mine')");
    browser.choose("document.querySelector('.mine [title=\"Name it\"]')");
    browser.wait("document.querySelector('.mine input') !== null");
    browser.eval("(field => { field.value = 'Named here'; field.dispatchEvent(new Event('change', { bubbles: true })); })(document.querySelector('.mine input'))");
    browser.wait("document.querySelector('.mine .move')?.textContent === 'Named here'");
    assert_eq!(browser.eval(fields)[0], "Named here");
}

/// Without room, what was deleted stays offered, a name stays in its field, games of a text are not said to be opened,
/// and the game that is played stays in the tab.
#[test]
#[ignore = "a browser"]
fn a_full_storage_loses_nothing() {
    let Some((mut browser, _home, _)) = exported(1280) else {
        return;
    };
    two_moves(&mut browser);
    let before = lines(&mut browser);
    tab(&mut browser, "My games");
    browser.choose("document.querySelector('.mine [title=Delete]')");
    browser.wait("document.querySelector('.toast') !== null");
    fill_storage(&mut browser, true);
    let told = |browser: &mut Browser| {
        browser.wait("(patchwork.state().trouble ?? '').startsWith('The browser has no room')");
        browser.wait("document.querySelector('dialog[open]') !== null");
        browser.eval("document.querySelector('dialog[open]').close()");
        browser.wait("patchwork.state().trouble === null");
    };
    browser.choose("document.querySelector('.toast .control')");
    told(&mut browser);
    assert_eq!(browser.eval("patchwork.state().lost.length"), 1);
    fill_storage(&mut browser, false);
    browser.choose("document.querySelector('.toast .control')");
    browser.wait("patchwork.state().lost.length === 0");
    assert_kept(&mut browser, &before);
    fill_storage(&mut browser, true);
    browser.choose("document.querySelector('.mine [title=\"Name it\"]')");
    browser.wait("document.querySelector('.mine input') !== null");
    browser.eval("(field => { field.value = 'Long'; for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true })); })(document.querySelector('.mine input'))");
    told(&mut browser);
    assert_eq!(
        browser.eval("document.querySelector('.mine input').value"),
        "Long"
    );
    // Three games of a text: none is opened, and the text stays.
    let games = browser.eval(&format!(
        "(game => ['A', 'B', 'C'].map(name => patchwork.ask('pgn', {{ game, names: [name, 'D'], comments: [] }}).text).join('\\n'))\
         (patchwork.ask('check', {{ text: '{LINK}' }}).game)"
    ));
    let open = |browser: &mut Browser| {
        browser.wait("document.querySelector('.exchange textarea') !== null");
        browser.eval(&format!(
            "(field => {{ field.value = {games}; field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})(document.querySelector('.exchange textarea'))"
        ));
        click_text(browser, ".exchange button", "Open it");
    };
    tab(&mut browser, "Analyse");
    told(&mut browser);
    open(&mut browser);
    browser
        .wait("(patchwork.state().analysis.trouble ?? '').startsWith('The browser has no room')");
    assert_eq!(
        browser.eval("document.querySelector('.exchange textarea').value"),
        games
    );
    // A game that is played without room is there until the tab is closed, and is stored once there is room.
    tab(&mut browser, "Play");
    start(&mut browser, "newcomer");
    browser.press("a");
    browser.wait("patchwork.state().position.ply > 0");
    let id = browser.eval("patchwork.state().id");
    tab(&mut browser, "My games");
    browser.wait(&format!(
        "document.querySelector('.mine [data-game={id}]') !== null"
    ));
    fill_storage(&mut browser, false);
    tab(&mut browser, "Analyse");
    open(&mut browser);
    browser.wait("patchwork.state().names?.[0] === 'A'");
    browser.choose(
        "[...document.querySelectorAll('.tab')].find(tab => tab.textContent === 'My games')",
    );
    browser.wait("document.querySelectorAll('.mine li').length === 5");
}

/// With a storage that is blocked, the board plays without keeping, which it says once.
#[test]
#[ignore = "a browser"]
fn a_blocked_storage_is_played_without() {
    let Some((mut browser, _home, server)) = served() else {
        return;
    };
    block_storage(&mut browser);
    browser.open(&format!("{}board/index.html", server.url), 1280, "light");
    ready(&mut browser);
    let said = browser.eval("patchwork.state().notice");
    assert!(
        said.as_str()
            .is_some_and(|said| said.starts_with("The browser keeps nothing"))
    );
    two_moves(&mut browser);
    assert_eq!(
        browser.eval("[patchwork.state().trouble, patchwork.state().notice]"),
        json!([null, null])
    );
    let id = browser.eval("patchwork.state().id");
    start(&mut browser, "newcomer");
    tab(&mut browser, "My games");
    browser.choose(&format!(
        "document.querySelector('.mine [data-game={id}] .move')"
    ));
    browser.wait(&format!("patchwork.state().id === {id}"));
}

/// One request that fails is not the end: the next move asks again.
#[test]
#[ignore = "a browser"]
fn after_a_failed_request_the_next_move_asks_again() {
    let Some((mut browser, _home, server)) = served() else {
        return;
    };
    let url = format!("{}board/index.html", server.url);
    browser.open(&url, 1280, "light");
    begin(&mut browser, &url, "beginner", false);
    browser.eval(
        "void (window.fetch = (real => (...all) => { if (!String(all[0]).includes('/api/decide') || window.failed) return real(...all); \
         window.failed = true; return Promise.reject(new TypeError('Failed to fetch')); })(window.fetch))",
    );
    play(&mut browser, place_by_mouse);
    assert_eq!(browser.eval("window.failed"), true);
    browser.wait("(patchwork.state().notice ?? '').includes('human-greedy-inorder')");
}

/// A game that ends while the server does not answer is handed to it when it answers: in the same page, and after the
/// page was loaded again.
#[test]
#[ignore = "a browser"]
fn a_finished_game_is_handed_over_when_the_server_answers_again() {
    for is_loaded_again in [false, true] {
        let Some((mut browser, home, server)) = served() else {
            return;
        };
        let url = format!("{}board/index.html", server.url);
        browser.open(&url, 1280, "light");
        begin(&mut browser, &url, "beginner", false);
        let address = server.address;
        drop(server);
        play(&mut browser, place_by_mouse);
        assert_eq!(browser.eval("patchwork.state().there"), Value::Null);
        let command = format!("web --address {address}");
        let _server = Server::start(home.command(&command));
        if is_loaded_again {
            again(&mut browser, &url);
        }
        browser.wait("patchwork.state().there?.folder === 'human-greedy-inorder'");
        assert_eq!(home.games("results/human-greedy-inorder").len(), 1);
    }
}

/// A variation that was looked at last changes neither the result nor what is saved of a game.
#[test]
#[ignore = "a browser"]
fn a_variation_is_not_the_game() {
    let Some((mut browser, _home, url)) = exported(1280) else {
        return;
    };
    open_link(&mut browser, &url);
    let plies = number(&mut browser, "patchwork.state().position.ply");
    browser.press("Home");
    browser.wait("patchwork.state().position.ply === 0");
    let played = "patchwork.state().tree.root.children[0].action";
    if browser.eval(played) == "A" {
        browser.press("1");
        browser.press("Enter");
    } else {
        browser.press("a");
    }
    browser.wait(
        "patchwork.state().position.ply === 1 && patchwork.state().tree.root.children.length === 2",
    );
    tab(&mut browser, "My games");
    browser.wait("/\\d+ : \\d+/.test(document.querySelector('.mine li')?.textContent)");
    browser.eval(
        "HTMLAnchorElement.prototype.click = () => {}; const make = URL.createObjectURL; \
         URL.createObjectURL = blob => (blob.text().then(text => { window.saved = text; }), make(blob))",
    );
    browser.choose("document.querySelector('.mine [title=\"Save PGN\"]')");
    browser.wait("window.saved !== undefined");
    let read = "patchwork.ask('check', { text: saved }).game.actions.length";
    assert_eq!(browser.eval(read), plies);
    assert_eq!(browser.eval("saved.includes('[Result \"*\"]')"), false);
}

/// A link that is opened on the open board, Back, and addresses that are broken.
#[test]
#[ignore = "a browser"]
fn links_open_on_the_open_board_and_back_leads_back() {
    let Some((mut browser, _home, _)) = exported(1280) else {
        return;
    };
    two_moves(&mut browser);
    let id = browser.eval("patchwork.state().id");
    browser.eval(&format!("location.hash = 'game={LINK}'; history.length"));
    browser.wait("patchwork.state().view === 'analysis'");
    browser.wait(&format!("patchwork.state().id !== {id}"));
    browser.eval("history.back()");
    browser.wait("patchwork.state().view === 'play'");
    browser.wait(&format!("patchwork.state().id === {id}"));
    browser.eval("location.hash = 'game=%E0%'");
    browser
        .wait("patchwork.state().trouble !== null || patchwork.state().analysis.trouble !== null");
    browser.eval("location.hash = 'play=%E0%'");
    assert_legal(&mut browser);
    browser.assert_content_within(&["file:", "about:", "data:", "blob:"]);
}

#[test]
#[ignore = "a browser"]
fn a_game_is_given_away_whole_with_its_result_and_evaluations() {
    let Some((mut browser, _home, url)) = exported(1280) else {
        return;
    };
    open_link(&mut browser, &url);
    let plies = number(&mut browser, "patchwork.state().position.ply");
    click_text(&mut browser, ".panel button", "Judge the game");
    browser.wait("patchwork.state().analysis.judged !== null");
    browser.press("Home");
    browser.wait("patchwork.state().position.ply === 0");
    let text = |browser: &mut Browser, name: &str| {
        click_text(browser, ".exchange button", name);
        browser.wait("patchwork.state().analysis.text !== ''");
        let text = browser.eval("patchwork.state().analysis.text");
        text.as_str().expect("text").to_owned()
    };
    let pgn = text(&mut browser, "As PGN");
    assert!(!pgn.contains("[Result \"*\"]"), "{pgn}");
    // Each ply has the chance after it, and a mistake what was better.
    assert!(pgn.replace('\n', " ").contains(", better "), "{pgn}");
    assert_eq!(pgn.matches('%').count() as u64, plies, "{pgn}");
    let read =
        "patchwork.ask('check', { text: patchwork.state().analysis.text }).game.actions.length";
    assert_eq!(browser.eval(read), plies);
    browser.eval("patchwork.state().analysis.text = ''");
    assert!(text(&mut browser, "As a link").contains("#game="));
    assert_eq!(browser.eval(read), plies);
}

#[test]
#[ignore = "a browser"]
fn a_game_counts_once_and_a_rematch_has_no_folder_of_its_own() {
    let Some((mut browser, home, server)) = served() else {
        return;
    };
    let url = format!("{}board/index.html", server.url);
    browser.open(&url, 1280, "light");
    begin(&mut browser, &url, "beginner", false);
    play(&mut browser, place_by_mouse);
    browser.wait("(patchwork.state().notice ?? '').includes('human-greedy-inorder')");
    // The last move is taken back and played again.
    browser.press("u");
    browser.wait("patchwork.state().position.mover !== null");
    play(&mut browser, place_by_mouse);
    browser.drawn();
    let total = "fetch('/api/results/human-greedy-inorder/games').then(answer => answer.json()).then(({ total }) => total)";
    assert_eq!(browser.resolve(total), 1);
    let next = browser.resolve("fetch('/api/next?agent=greedy-inorder&person=1').then(answer => answer.json()).then(({ start }) => start)");
    browser.choose(
        "[...document.querySelectorAll('.result .control')].find(b => b.textContent === 'Rematch')",
    );
    browser.wait(
        "patchwork.state().position.mover !== null && patchwork.state().seats[1].kind === 'person'",
    );
    assert_eq!(browser.eval("patchwork.state().tree.start"), next);
    let folders = std::fs::read_dir(home.path("results")).expect("a folder");
    assert_eq!(folders.count(), 1);
    // The games of another printing have one folder, too.
    for _ in 0..2 {
        let keep = "(async () => { const { start } = await (await fetch('/api/next?agent=greedy-inorder&person=0&track=revised')).json(); \
             const game = { start, actions: [] }; while (patchwork.ask('position', { game }).picture.mover !== null) \
               game.actions.push((await patchwork.state().judge.ask('decide', { game, agent: 'greedy-inorder' })).action); \
             const answer = await fetch('/api/keep', { method: 'POST', headers: { 'Content-Type': 'application/json' }, \
               body: JSON.stringify({ game, agent: 'greedy-inorder', person: 0 }) }); return answer.json(); })()";
        let kept = browser.resolve(keep);
        assert_eq!(kept["folder"], "human-greedy-inorder-revised", "{kept}");
    }
    let folders = std::fs::read_dir(home.path("results")).expect("a folder");
    assert_eq!(folders.count(), 2);
}

#[test]
#[ignore = "a browser"]
fn the_map_of_regret_has_colours_and_a_legend() {
    let Some((mut browser, _home, _)) = exported(1280) else {
        return;
    };
    tab(&mut browser, "Analyse");
    click_text(&mut browser, ".panel button", "Regret map");
    browser.wait("document.querySelectorAll('.heat rect').length > 20 && document.querySelector('.legend') !== null");
    let fills = "[...new Set([...document.querySelectorAll('.heat rect')].map(square => getComputedStyle(square).fill))].sort()";
    let fills = browser.eval(fills);
    assert_eq!(fills.as_array().map(Vec::len), Some(2), "{fills}");
    assert!(!fills.to_string().contains("rgb(0, 0, 0)"), "{fills}");
}

/// Touches move what is in hand by as much as the finger moves, and a jitter does not move it.
#[test]
#[ignore = "a browser"]
fn a_finger_moves_a_patch_without_a_jump() {
    let Some((mut browser, _home, _)) = exported(390) else {
        return;
    };
    let touches = json!({"enabled": true});
    browser.call("Emulation.setTouchEmulationEnabled", touches);
    start(&mut browser, "newcomer");
    let offer = middle_of_offer(&mut browser, 1);
    touch(&mut browser, "touchStart", Some(offer));
    touch(&mut browser, "touchEnd", None);
    browser.wait("patchwork.state().hand?.pinned === true");
    browser.drawn();
    let corner = |browser: &mut Browser| number(browser, "patchwork.state().hand.corner");
    let from = corner(&mut browser);
    let (x, y) = middle_of(&mut browser, from);
    let moved = |browser: &mut Browser, dx: f64, dy: f64| {
        touch(browser, "touchStart", Some((x, y + 6.0)));
        for share in [0.3, 0.6, 1.0] {
            touch(
                browser,
                "touchMove",
                Some((x + dx * share, y + 6.0 + dy * share)),
            );
        }
        touch(browser, "touchEnd", None);
        browser.drawn();
    };
    for (dx, dy) in [(2.0, 2.0), (-2.0, 1.0), (0.0, -2.0)] {
        moved(&mut browser, dx, dy);
        assert_eq!(corner(&mut browser), from, "a jitter");
    }
    let cell = browser
        .eval("document.querySelector('.quilt.mine').getBoundingClientRect().width * 20 / 202");
    let cell = cell.as_f64().expect("a length");
    // A step that no patch of any ring is too long for.
    moved(&mut browser, cell, cell);
    assert_eq!(corner(&mut browser), from + 1 + 9);
}

/// A finger that scrolls the page from a button does not press it.
#[test]
#[ignore = "a browser"]
fn a_finger_that_scrolls_presses_nothing() {
    let Some((mut browser, _home, _)) = exported(390) else {
        return;
    };
    let touches = json!({"enabled": true});
    browser.call("Emulation.setTouchEmulationEnabled", touches);
    tab(&mut browser, "Analyse");
    browser.wait("document.querySelector('.panel [title=\"Other side (X)\"]') !== null");
    // The end of a touch during a scroll, which browsers tell by an event that cannot be cancelled.
    browser.eval(
        "(node => { node.scrollIntoView({ behavior: 'instant', block: 'center' }); const box = node.getBoundingClientRect(); \
         const point = { identifier: 1, target: node, clientX: box.left + 5, clientY: box.top + 5 }; \
         node.dispatchEvent(new TouchEvent('touchend', { bubbles: true, cancelable: false, changedTouches: [new Touch(point)] })); \
         })(document.querySelector('.panel [title=\"Other side (X)\"]'))",
    );
    browser.drawn();
    assert_eq!(browser.eval("patchwork.state().turned"), false);
}

#[test]
#[ignore = "a browser"]
fn a_double_press_does_one_thing() {
    let Some((mut browser, _home, _)) = exported(390) else {
        return;
    };
    let touches = json!({"enabled": true});
    browser.call("Emulation.setTouchEmulationEnabled", touches);
    start(&mut browser, "newcomer");
    browser.press("1");
    browser.wait("document.querySelector('.actions .control.main') !== null");
    // Both taps are made in one step, and the clock rests, so that the speed of the machine does not matter.
    let at = "(() => { const box = document.querySelector('.actions .control.main').getBoundingClientRect(); \
              return [box.left + box.width / 2, box.top + box.height / 2]; })()";
    let at = browser.eval(at);
    let tap = |twice: &str| {
        format!(
            "(async () => {{ const now = performance.now(); performance.now = () => now; \
             for (let i = 0; i < 2; i++) {{ const node = document.elementFromPoint({x}, {y}); \
             const point = {{ identifier: 1, target: node, clientX: {x}, clientY: {y} }}; {twice} \
             node.dispatchEvent(new TouchEvent('touchend', {{ bubbles: true, cancelable: true, changedTouches: [new Touch(point)] }})); \
             if (i === 0) await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))); }} delete performance.now; }})()",
            x = at[0],
            y = at[1]
        )
    };
    browser.resolve(&tap(""));
    browser.drawn();
    assert_eq!(browser.eval("patchwork.state().dialog"), Value::Null);
    assert_eq!(
        browser.eval("document.querySelector('dialog[open]')"),
        Value::Null
    );
    // Two people: a double click on Advance is one move.
    browser.press("n");
    choose_input(&mut browser, "[name=opponent][value=people]");
    browser.eval("document.querySelector('dialog form').requestSubmit()");
    browser.wait("patchwork.state().seats.every(({ kind }) => kind === 'person') && document.querySelector('dialog[open]') === null");
    browser.drawn();
    browser.eval(
        "for (const detail of [1, 2]) document.querySelector('.offer.advance').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail }))",
    );
    browser.wait("patchwork.state().position.ply > 0");
    browser.drawn();
    assert_eq!(browser.eval("patchwork.state().position.ply"), 1);
}

#[test]
fn an_analysis_is_stepped_through_by_keys_wheel_and_graph() {
    let Some((mut browser, _home, url)) = exported(1280) else {
        return;
    };
    open_link(&mut browser, &url);
    let plies = number(&mut browser, "patchwork.state().position.ply");
    let at = |browser: &mut Browser, ply: u64| {
        browser.wait(&format!("patchwork.state().position.ply === {ply}"))
    };
    for (key, ply) in [
        ("Home", 0),
        ("ArrowRight", 1),
        ("End", plies),
        ("ArrowLeft", plies - 1),
    ] {
        browser.press(key);
        at(&mut browser, ply);
    }
    // The board is turned around, and back.
    let near = "document.querySelector('.side.near .quilt').dataset.seat";
    for seat in ["1", "0"] {
        browser.press("x");
        browser.wait(&format!("{near} === '{seat}'"));
    }
    browser.eval("document.querySelector('.table').dispatchEvent(new WheelEvent('wheel', { deltaY: -120, bubbles: true, cancelable: true }))");
    at(&mut browser, plies - 2);
    click_text(&mut browser, ".panel button", "Judge the game");
    browser.wait("document.querySelector('.course svg') !== null");
    browser.click(".panel .course svg");
    browser.wait(&format!(
        "Math.abs(patchwork.state().position.ply - {plies} / 2) <= 1"
    ));
    // A position with one legal move is worth what the position after it is worth.
    let forced = "(() => { const { line } = patchwork.state().analysis.judged; let found = 0; \
        line.slice(0, -1).forEach((node, i) => { \
          const actions = line.slice(1, i + 1).map(({ action }) => action); \
          const { picture } = patchwork.ask('position', { game: { start: patchwork.state().tree.start, actions } }); \
          if (picture.legal === 1) { found++; if (Math.abs(node.evaluation.first - line[i + 1].evaluation.first) > 1e-9) throw new Error('ply ' + i); } }); \
        return found; })()";
    assert!(number(&mut browser, forced) > 0, "the end has forced moves");
    browser.press("End");
    browser.press("ArrowLeft");
    browser.wait(&format!(
        "patchwork.state().position.ply === {} && patchwork.state().analysis.live !== null",
        plies - 1
    ));
    browser.drawn();
    let winner = number(
        &mut browser,
        "patchwork.state().analysis.judged.line.at(-1).evaluation.first",
    );
    let shown =
        browser.eval("Number(document.querySelector('.evaluation').getAttribute('aria-valuenow'))");
    assert_eq!(shown, 100 * winner);
}

/// A trackpad's movement turns a patch once.
#[test]
#[ignore = "a browser"]
fn a_movement_of_the_wheel_turns_once() {
    let Some((mut browser, _home, _)) = exported(1280) else {
        return;
    };
    start(&mut browser, "newcomer");
    browser.press("1");
    browser.wait("document.querySelector('.quilt.mine.holding') !== null");
    let turned = "patchwork.state().patches.get(patchwork.state().hand.patch).orientations[patchwork.state().hand.orientation].turned";
    let wanted = browser.eval(turned);
    browser.eval(
        "for (let i = 0; i < 20; i++) document.querySelector('.quilt.mine').dispatchEvent(new WheelEvent('wheel', { deltaY: 12, bubbles: true, cancelable: true }))",
    );
    assert_eq!(browser.eval("patchwork.state().hand.orientation"), wanted);
}

/// Starts a game of two people in which the first three patches are too dear, by the dialog; a seed that is not a number
/// is refused with a sentence before.
fn dear_patches(browser: &mut Browser) {
    browser.press("n");
    choose_input(browser, "[name=opponent][value=people]");
    let field = |browser: &mut Browser, text: &str| {
        browser.wait("document.querySelector('dialog[open] .more input[type=text]') !== null");
        browser.eval(&format!(
            "(field => {{ field.value = {}; field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})\
             (document.querySelector('dialog[open] .more input[type=text]'))",
            json!(text)
        ));
        browser.eval("document.querySelector('dialog form').requestSubmit()");
    };
    choose_input(browser, "[name=ring][value=seed]");
    field(browser, "1e3x");
    browser.wait("document.querySelector('dialog .trouble') !== null");
    let said = browser.text("dialog .trouble");
    assert_eq!(said, "Seed: expected a whole number, found “1e3x”.");
    choose_input(browser, "[name=ring][value=list]");
    browser.wait("document.querySelectorAll('dialog[open] .more input[type=text]').length === 1");
    let ring = browser.eval(
        "patchwork.ask('patches', {}).toSorted((a, b) => b.buttons - a.buttons).map(({ patch }) => patch).filter(patch => patch !== 1).concat(1).join(' ')",
    );
    field(browser, ring.as_str().expect("a text"));
    browser.wait("patchwork.state().seats[1].kind === 'person' && document.querySelector('dialog[open]') === null");
    browser.drawn();
}

#[test]
#[ignore = "a browser"]
fn what_cannot_be_done_is_said_right() {
    let Some((mut browser, _home, url)) = exported(390) else {
        return;
    };
    dear_patches(&mut browser);
    // Over an empty quilt, a patch that is too dear does not "not fit".
    browser.press("1");
    browser.wait("document.querySelector('.chip.bad') !== null");
    let said = browser.text(".chip.bad");
    assert_eq!(said, "costs 10, you have 5 buttons");
    browser.press("Escape");
    // Its label lies beside its numbers.
    let covers = "[...document.querySelectorAll('.offer .why')].some(label => { const box = label.getBoundingClientRect(); \
        const price = label.parentElement.querySelector('.price').getBoundingClientRect(); return box.bottom > price.top; })";
    assert_eq!(browser.eval(covers), false);
    // Moves that lead to one space have a frame each.
    let frames = "[...document.querySelectorAll('.reach')].every(reach => \
        reach.querySelectorAll('.reach-frame').length === reach.querySelectorAll('.reach-label').length)";
    assert_eq!(browser.eval(frames), true);
    // Only an advance is legal; the hint says so on a phone, too.
    browser.press("h");
    browser.wait("document.querySelector('.actions .notice') !== null");
    assert_eq!(browser.text(".actions .notice"), "Hint: advance");
    // A result is closed and leaves the board; nothing is offered any more.
    open_link(&mut browser, &url);
    tab(&mut browser, "Play");
    browser.wait("document.querySelector('.result') !== null");
    assert_eq!(
        browser.eval("document.querySelectorAll('.offer .price').length"),
        0
    );
    browser.press("Escape");
    browser.wait("document.querySelector('.result') === null");
    // Numbers below zero have a minus sign.
    assert_eq!(
        browser.eval("/-\\d/.test(document.querySelector('.table').innerText)"),
        false
    );
}

/// What is wrong with a text is said in a sentence; several games are opened one by one.
#[test]
#[ignore = "a browser"]
fn imports_say_what_is_wrong_and_open_every_game() {
    let Some((mut browser, _home, _)) = exported(1280) else {
        return;
    };
    let pgn = browser.eval(&format!(
        "patchwork.ask('pgn', {{ game: patchwork.ask('check', {{ text: '{LINK}' }}).game, names: ['A', 'B'], comments: [] }}).text"
    ));
    let pgn = pgn.as_str().expect("a text");
    tab(&mut browser, "Analyse");
    let open = |browser: &mut Browser, text: &str| {
        browser.wait("document.querySelector('.exchange textarea') !== null");
        browser.eval(&format!(
            "(field => {{ field.value = {}; field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})(document.querySelector('.exchange textarea'))",
            json!(text)
        ));
        click_text(browser, ".exchange button", "Open it");
    };
    let other = pgn.replace("[First \"A\"]", "[First \"C\"]");
    let broken = other.replace(" 3. ", " 3. Z9 ");
    for (text, sentence) in [
        (
            pgn.replace(" 3. ", " 3. (3. A) "),
            "variations in parentheses",
        ),
        (format!("{pgn}\n{broken}"), "Game 2 of 2: "),
        (
            "what is this".to_owned(),
            "This is neither a game as PGN nor a link",
        ),
    ] {
        open(&mut browser, &text);
        browser.wait(&format!(
            "(document.querySelector('.exchange .trouble')?.textContent ?? '').includes({})",
            json!(sentence)
        ));
    }
    open(&mut browser, &format!("{pgn}\n{other}"));
    browser.wait("patchwork.state().names?.[0] === 'A'");
    tab(&mut browser, "My games");
    browser.wait("document.querySelectorAll('.mine li').length === 2");
}

#[test]
#[ignore = "a browser"]
fn earlier_games_of_a_running_tournament_stay_in_sight() {
    let Some(mut browser) = browser() else { return };
    let home = Workspace::new();
    home.save_match_in("two", "greedy-regret", 12);
    let server = Server::start(home.command("web results --address 127.0.0.1:0"));
    browser.open(
        &format!("{}board/index.html#watch=two", server.url),
        1280,
        "light",
    );
    ready(&mut browser);
    browser.wait(
        "patchwork.state().watch.found.total === 24 && patchwork.state().watch.found.from === 4",
    );
    browser.drawn();
    click_text(&mut browser, ".watching .control", "earlier games");
    browser.wait("patchwork.state().watch.found.from === 0");
    home.save_match_in("two", "greedy-regret", 14);
    browser.wait("patchwork.state().watch.found.total === 28");
    assert_eq!(browser.eval("patchwork.state().watch.found.from"), 0);
    // A game that is opened there leaves the one that was begun where it is.
    tab(&mut browser, "Play");
    two_moves(&mut browser);
    let before = lines(&mut browser);
    browser.eval("location.hash = 'watch=two'");
    browser.choose("document.querySelector('.games a')");
    browser.wait("patchwork.state().view === 'analysis'");
    assert_kept(&mut browser, &before);
    assert_eq!(lines(&mut browser).len(), before.len() + 1);
}

/// The views and dialogs, and how each is opened.
const VIEWS: [(&str, &str); 10] = [
    (
        "result",
        "state.page.show('play'); state.seen = false; state.page.redraw()",
    ),
    ("analysis", "state.page.show('analysis')"),
    ("editor", "state.page.show('editor')"),
    ("learn", "state.page.show('learn')"),
    ("mine", "state.page.show('mine')"),
    ("new game", "state.dialog = 'new'; state.page.redraw()"),
    ("settings", "state.dialog = 'settings'; state.page.redraw()"),
    ("help", "state.dialog = 'help'; state.page.redraw()"),
    (
        "game",
        "state.dialog = null; document.querySelector('.mine li:last-child .move').click()",
    ),
    ("play", "state.page.show('play')"),
];

/// What is wider than the window or its box, and targets on a phone that are smaller than a fingertip.
const OVERRUNS: &str = "(() => { const found = []; const width = document.documentElement.clientWidth; \
    if (document.documentElement.scrollWidth > width) found.push(`${document.documentElement.scrollWidth} wide`); \
    const hidden = '.unseen, .skip, [data-scroller], .around, .brand, dt, .prints'; \
    const target = 'button, a.move, a.control, select, input:not([type=radio], [type=checkbox]), textarea, .option'; \
    for (const node of document.querySelectorAll('#app *')) { \
      if (node instanceof SVGElement && node.tagName !== 'svg' || !node.checkVisibility() || node.closest(hidden)) continue; \
      const box = node.getBoundingClientRect(); const what = node.outerHTML.slice(0, 120); \
      if (box.width > 1 && (box.right > width + 1 || box.left < -1)) found.push('beyond: ' + what); \
      const isText = node.matches('button:not(.offer), .price, .status, .name span, .option span, h2, td, th, .chip'); \
      if (isText && node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 1) found.push('cut: ' + what); \
      const size = Math.min(box.width, box.height); \
      if (width === 390 && node.matches(target) && size > 0 && size < 39.5) found.push(`${size}: ` + what); } \
    return found.slice(0, 5); })()";

/// Every view fits at every width, in both languages and themes.
fn nothing_runs_over(widths: &[u32]) {
    let Some((mut browser, _home, url)) = exported(1280) else {
        return;
    };
    two_moves(&mut browser);
    open_link(&mut browser, &url);
    click_text(&mut browser, ".panel button", "Judge the game");
    browser.wait("patchwork.state().analysis.judged !== null");
    let mut faults = Vec::new();
    for width in widths {
        for (language, theme) in [("en", "light"), ("de", "dark")] {
            browser.open(&url, *width, theme);
            ready(&mut browser);
            browser.eval(&format!(
                "localStorage.setItem('patchwork.settings', JSON.stringify({{ language: '{language}', theme: 'auto' }}))"
            ));
            again(&mut browser, &url);
            for (view, open) in VIEWS {
                browser.eval(&format!("(state => {{ {open} }})(patchwork.state())"));
                browser.drawn();
                if view == "play" {
                    browser.press("1");
                    browser.drawn();
                }
                let found = browser.eval(OVERRUNS);
                if found != json!([]) {
                    faults.push(
                        json!({"width": width, "language": language, "view": view, "found": found}),
                    );
                }
            }
        }
    }
    assert!(faults.is_empty(), "{:#}", json!(faults));
}

/// The views of a page that a server sends have one tab more, and games with thoughts.
#[test]
#[ignore = "a browser"]
fn nothing_of_watching_runs_over() {
    let Some(mut browser) = browser() else { return };
    let home = Workspace::new();
    home.save_match_in("two", "greedy-regret", 2);
    let server = Server::start(home.command("web results --address 127.0.0.1:0"));
    let url = format!("{}board/index.html", server.url);
    let fits = |browser: &mut Browser, what: &str| {
        browser.drawn();
        assert_eq!(browser.eval(OVERRUNS), json!([]), "{what}");
    };
    for width in [360, 390, 768, 840, 1280] {
        for language in ["en", "de"] {
            let what = format!("{width} {language}");
            browser.open(&url, width, "light");
            ready(&mut browser);
            browser.eval(&format!(
                "localStorage.setItem('patchwork.settings', JSON.stringify({{ language: '{language}', theme: 'auto' }}))"
            ));
            again(&mut browser, &format!("{url}#watch=two"));
            browser.wait("document.querySelectorAll('.games li').length === 4");
            fits(&mut browser, &what);
            browser.choose("document.querySelectorAll('.watching .control')[1]");
            browser.wait("patchwork.state().watch.live?.at > 0");
            fits(&mut browser, &what);
            again(&mut browser, &format!("{url}#analysis=two/1"));
            browser.wait("patchwork.state().view === 'analysis'");
            browser.eval("patchwork.state().second = 'mcts-fast'; patchwork.state().page.follow()");
            browser.press("Home");
            browser.wait("document.querySelectorAll('.two .lines').length === 2");
            fits(&mut browser, &what);
        }
    }
}

#[test]
#[ignore = "a browser"]
fn nothing_runs_over_on_phone_tablet_and_desk() {
    nothing_runs_over(&[360, 390, 660, 768, 1280]);
}

#[test]
#[ignore = "minutes"]
fn nothing_runs_over_at_twelve_widths_in_full() {
    nothing_runs_over(&[
        360, 375, 390, 414, 480, 600, 768, 1024, 1280, 1440, 1920, 2560,
    ]);
}

/// What of a table that is used without scrolling is outside of the window, or cut.
const HIDDEN: &str = "(() => { const found = []; const { clientWidth: width, scrollWidth, scrollHeight } = document.documentElement; \
    if (scrollWidth > width || scrollHeight > innerHeight + 1) found.push(`${scrollWidth} x ${scrollHeight}`); \
    const say = (what, node) => found.push(`${what}: ${node.outerHTML.slice(0, 120)}`); \
    for (const node of document.querySelectorAll('.table button, .table .price, .quilt.mine, .lesson p, .lesson button')) { \
      const box = node.getBoundingClientRect(); \
      if (node.checkVisibility() && box.height > 1 && (box.bottom > innerHeight + 1 || box.right > width + 1)) say('hidden', node); \
      if (node.matches('.lesson p') && node.scrollHeight > node.clientHeight + 2) say('cut', node); } \
    const prices = [...document.querySelectorAll('.tray .price')].map(node => [node, node.getBoundingClientRect()]); \
    prices.forEach(([node, box], i) => { if (prices.slice(0, i).some(([, other]) => box.left < other.right - 2 && other.left < box.right - 2 \
      && box.top < other.bottom - 2 && other.top < box.bottom - 2)) say('over', node); }); \
    return found.slice(0, 4); })()";

/// The table and the whole tutorial fit into windows of these sizes, in both languages and with these sizes of the font.
fn play_and_learn_fit(sizes: &[(u32, u32)], fonts: &[u32]) {
    let Some((mut browser, _home, url)) = exported(1280) else {
        return;
    };
    let mut faults = Vec::new();
    for (&(width, height), language) in sizes.iter().zip(["en", "de"].into_iter().cycle()) {
        for font in fonts {
            let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500});
            browser.call("Emulation.setDeviceMetricsOverride", size);
            browser.eval(&format!(
                "localStorage.setItem('patchwork.settings', JSON.stringify({{ language: '{language}', theme: 'auto' }}))"
            ));
            again(&mut browser, &url);
            browser.eval(&format!(
                "document.documentElement.style.fontSize = '{font}px'"
            ));
            let mut look = |browser: &mut Browser, what: String| {
                browser.drawn();
                browser.drawn();
                let found = browser.eval(HIDDEN);
                if found != json!([]) {
                    faults.push(format!(
                        "{width}x{height} {language} {font}px {what}: {found}"
                    ));
                }
            };
            browser.eval("patchwork.state().page.show('play')");
            look(&mut browser, "play".to_owned());
            browser.press("1");
            look(&mut browser, "in hand".to_owned());
            browser.eval("patchwork.state().page.show('learn')");
            for step in 1..=10 {
                // What a step asks for is in hand.
                browser.eval("[...document.querySelectorAll('.lesson .control')].find(one => /Show|Zeig/.test(one.textContent))?.click()");
                look(&mut browser, format!("step {step}"));
                if step < 10 {
                    browser
                        .eval("[...document.querySelectorAll('.lesson .control')].at(-1).click()");
                }
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
#[ignore = "a browser"]
fn play_and_learn_need_no_scrolling() {
    play_and_learn_fit(&[(360, 640), (375, 553), (844, 390), (768, 1024)], &[16]);
}

#[test]
#[ignore = "minutes"]
fn play_and_learn_need_no_scrolling_at_sixteen_sizes_in_full() {
    let sizes = [
        (360, 640),
        (360, 740),
        (375, 553),
        (375, 667),
        (390, 664),
        (390, 844),
        (414, 896),
        (667, 375),
        (844, 390),
        (660, 900),
        (768, 1024),
        (820, 1180),
        (1024, 768),
        (1280, 800),
        (1440, 900),
        (1920, 1080),
    ];
    let twice: Vec<_> = sizes.into_iter().flat_map(|size| [size, size]).collect();
    play_and_learn_fit(&twice, &[16, 24]);
}

/// A number below a bound, from a seed that goes on.
fn next(seed: &mut u64, bound: u64) -> u64 {
    *seed = *seed * 48271 % 2_147_483_647;
    (*seed >> 8) % bound
}

/// What the browser and the server do meanwhile.
#[derive(Clone, Copy, PartialEq)]
enum Meanwhile {
    Nothing,
    /// The browser has no locks, as for pages without encryption.
    NoLocks,
    /// The storage is full now and then.
    Full,
    /// The storage is blocked.
    Blocked,
    /// The server ends and is started again.
    Restarts,
}

/// The board, and what a person can open on it.
struct Anything {
    browser: Browser,
    home: Workspace,
    /// `None` while it is not there.
    server: Option<Server>,
    command: String,
    url: String,
    seed: u64,
    pgn: String,
    meanwhile: Meanwhile,
    /// The names that were given to games.
    names: std::collections::BTreeMap<String, String>,
}

impl Anything {
    fn next(&mut self, bound: u64) -> u64 {
        next(&mut self.seed, bound)
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.next(all.len() as u64) as usize]
    }

    fn point(&mut self) -> (f64, f64) {
        (self.next(1280) as f64, self.next(800) as f64)
    }

    /// What a person can do: mouse, touch, keys, links, views, Back, texts, deletion and its opposite, another tab, and
    /// another window size.
    fn operate(&mut self) {
        match self.next(32) {
            28 => self.rename(),
            29..=31 => self.interfere(),
            0..=6 => {
                let key = self.one_of(&[
                    "1", "2", "3", "r", "f", "a", "u", "y", "x", "Enter", "Escape", "ArrowLeft",
                    "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "h", " ", "p", "q",
                ]);
                self.browser.press(key);
            }
            7..=9 => {
                let (from, to) = (self.point(), self.point());
                let browser = &mut self.browser;
                if harmless(browser, from) && harmless(browser, to) {
                    mouse(browser, "mousePressed", from);
                    mouse(browser, "mouseMoved", to);
                    mouse(browser, "mouseReleased", to);
                }
            }
            10..=13 => {
                let (point, by) = (self.point(), self.next(30) as f64);
                let browser = &mut self.browser;
                if harmless(browser, point) {
                    touch(browser, "touchStart", Some(point));
                    touch(browser, "touchMove", Some((point.0 + by, point.1)));
                    touch(browser, "touchEnd", None);
                }
            }
            14 | 15 => {
                let tab = self.next(5);
                self.eval(&format!(
                    "document.querySelectorAll('.tab')[{tab}]?.click()"
                ));
            }
            16 => self.eval(&format!("location.hash = 'game={LINK}'")),
            // The entry before one that the page made is the page's.
            17 => self.eval("history.state && history.back()"),
            18 => self.eval("document.querySelector('dialog[open]')?.close(); document.querySelector('.offer.advance')?.click()"),
            19 => self.eval("(button => button?.click())(document.querySelector('.mine li:last-child .move'))"),
            20 | 21 => self.import(),
            22 => self.delete_and_bring_back(),
            23 | 24 => self.other_tab(),
            25 => {
                let width = if self.next(2) == 0 { 390 } else { 1280 };
                let size = json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500});
                self.browser.call("Emulation.setDeviceMetricsOverride", size);
            }
            26 => self.eval(
                "const form = document.querySelector('dialog form'); if (form) form.requestSubmit(); else document.body.dispatchEvent( \
                 new KeyboardEvent('keydown', { key: 'n', bubbles: true }))",
            ),
            _ => self.reload(),
        }
    }

    /// Loads the page again where that loses nothing that stays only until the tab is closed.
    fn reload(&mut self) {
        if self.meanwhile == Meanwhile::Blocked || self.server.is_none() {
            return;
        }
        if self.meanwhile == Meanwhile::Full {
            fill_storage(&mut self.browser, false);
            self.eval("patchwork.state().page.show(patchwork.state().view)");
        }
        let url = self.url.clone();
        again(&mut self.browser, &url);
    }

    /// Gives the game that was changed last a name, in this tab or as another one does.
    fn rename(&mut self) {
        if self.meanwhile == Meanwhile::Full {
            return;
        }
        let name = format!("Name {}", self.next(1000));
        self.eval("document.querySelector('dialog[open]')?.close(); document.querySelectorAll('.tab')[3]?.click()");
        self.browser.drawn();
        self.eval("document.querySelector('.mine [title=\"Name it\"]')?.click()");
        self.browser.drawn();
        let id = self.browser.eval(&format!(
            "(field => {{ if (!field) return null; field.value = '{name}'; const {{ game }} = field.closest('li').dataset; \
             field.dispatchEvent(new Event('change', {{ bubbles: true }})); return game; }})(document.querySelector('.mine li > input'))"
        ));
        if let Some(id) = id.as_str() {
            self.names.insert(id.to_owned(), name);
        }
        self.browser.drawn();
    }

    /// What the browser and the server do.
    fn interfere(&mut self) {
        match self.meanwhile {
            Meanwhile::Full => {
                let is_full = self.next(2) == 0;
                fill_storage(&mut self.browser, is_full);
            }
            Meanwhile::Restarts => match self.server.take() {
                Some(server) => drop(server),
                None => {
                    let command = self.command.clone();
                    self.server = Some(Server::start(self.home.command(&command)));
                }
            },
            _ => {}
        }
    }

    fn assert_names(&mut self) {
        for (id, name) in &self.names {
            let title =
                format!("patchwork.games().find(([id]) => id === '{id}')?.[1].title ?? null");
            let title = self.browser.eval(&title);
            assert!(title.is_null() || title == **name, "{name}: {title}");
        }
    }

    fn eval(&mut self, script: &str) {
        self.browser.eval(&format!("(() => {{ {script} }})()"));
    }

    /// Opens games, two games, or something that is not a game, in the analysis.
    fn import(&mut self) {
        let pgn = self.pgn.clone();
        let texts = [
            pgn.clone(),
            format!("{pgn}\n{}", pgn.replace("[First \"", "[First \"Another ")),
            pgn.replace(" 3. ", " 3. (3. A) "),
            "nothing at all".to_owned(),
            String::new(),
        ];
        let text = &texts[self.next(texts.len() as u64) as usize];
        self.eval("document.querySelector('dialog[open]')?.close(); document.querySelectorAll('.tab')[1]?.click()");
        self.browser.drawn();
        self.eval(&format!(
            "const field = document.querySelector('.exchange textarea'); if (!field || patchwork.state().view !== 'analysis') return; field.value = {}; \
             field.dispatchEvent(new Event('input', {{ bubbles: true }})); document.querySelector('.exchange .main').click()",
            json!(text)
        ));
    }

    fn delete_and_bring_back(&mut self) {
        if self.meanwhile == Meanwhile::Full {
            return;
        }
        self.eval("document.querySelector('dialog[open]')?.close(); document.querySelectorAll('.tab')[3]?.click()");
        self.browser.drawn();
        self.eval("document.querySelector('.mine [title=Delete]')?.click()");
        self.browser.drawn();
        self.eval("document.querySelector('.toast .control')?.click()");
        self.browser.drawn();
    }

    /// Opens another tab, plays in it, or closes it.
    fn other_tab(&mut self) {
        let is_alone = matches!(self.meanwhile, Meanwhile::Full | Meanwhile::Blocked);
        if is_alone || self.server.is_none() {
            return;
        }
        if self.browser.eval("!!window.other && !other.closed") != true {
            open_other(&mut self.browser, &self.url.clone());
        } else if self.next(4) == 0 {
            self.eval("other.close()");
        } else {
            let keys: Vec<&str> = (0..4)
                .map(|_| self.one_of(&["a", "u", "y", "1", "Enter", "Home", "End"]))
                .collect();
            self.eval(&format!(
                "for (const key of {}) other.document.body?.dispatchEvent(new other.KeyboardEvent('keydown', \
                 {{ key, bubbles: true, cancelable: true }}))",
                json!(keys)
            ));
        }
    }
}

/// Whether a press at this point deletes nothing and leads to no other page.
fn harmless(browser: &mut Browser, (x, y): (f64, f64)) -> bool {
    let bad = "a, input[type=file], [title=Delete], .file";
    let node = format!("document.elementFromPoint({x}, {y})");
    browser.eval(&format!(
        "(node => node === null || (node.closest('{bad}') === null && node.closest('button')?.textContent !== 'Delete variation'))({node})"
    )) == true
}

fn random_operations_lose_nothing(seed: u64, count: usize, meanwhile: Meanwhile) {
    let (mut browser, home, server, url) = if meanwhile == Meanwhile::NoLocks {
        let Some(all) = without_locks() else { return };
        all
    } else {
        let Some((browser, home, server)) = served() else {
            return;
        };
        let url = format!("{}board/index.html", server.url);
        (browser, home, server, url)
    };
    if meanwhile == Meanwhile::Blocked {
        block_storage(&mut browser);
    }
    browser.open(&url, 1280, "light");
    start(&mut browser, "newcomer");
    let pgn = browser.eval(&format!(
        "patchwork.ask('pgn', {{ game: patchwork.ask('check', {{ text: '{LINK}' }}).game, names: ['A', 'B'], comments: [] }}).text"
    ));
    let pgn = pgn.as_str().expect("a text").to_owned();
    let mut all = Anything {
        browser,
        home,
        command: format!("web --address {}", server.address),
        server: Some(server),
        url,
        seed,
        pgn,
        meanwhile,
        names: std::collections::BTreeMap::new(),
    };
    let mut before = lines(&mut all.browser);
    for operation in 0..count {
        all.operate();
        if operation % 5 == 4 {
            let browser = &mut all.browser;
            browser.wait("document.documentElement.dataset.ready === '1'");
            browser.drawn();
            // A game without a move that nobody has touched is not one.
            before.retain(|line| line.contains(" A") || line.contains(':'));
            assert_kept(browser, &before);
            let trouble = browser.eval("patchwork.state().trouble ?? ''");
            let trouble = trouble.as_str().expect("a text");
            let is_full =
                meanwhile == Meanwhile::Full && trouble.starts_with("The browser has no room");
            assert!(
                trouble.is_empty() || is_full,
                "operation {operation}: {trouble}"
            );
            assert_legal(browser);
            before = lines(browser);
            all.assert_names();
        }
    }
    assert!(!before.is_empty());
}

#[test]
#[ignore = "a browser"]
fn a_hundred_random_operations_lose_nothing() {
    random_operations_lose_nothing(7, 100, Meanwhile::Nothing);
}

#[test]
#[ignore = "a browser"]
fn random_operations_lose_nothing_whatever_the_browser_and_the_server_do() {
    for (seed, meanwhile) in (1..).zip(MEANWHILE) {
        random_operations_lose_nothing(seed, 40, meanwhile);
    }
}

const MEANWHILE: [Meanwhile; 4] = [
    Meanwhile::NoLocks,
    Meanwhile::Full,
    Meanwhile::Blocked,
    Meanwhile::Restarts,
];

#[test]
#[ignore = "minutes"]
fn three_thousand_random_operations_lose_nothing_in_full() {
    for (seed, meanwhile) in (7..).zip([Meanwhile::Nothing].into_iter().chain(MEANWHILE)) {
        random_operations_lose_nothing(seed, 600, meanwhile);
    }
}

/// A mistake is played again without the answer in sight; moves are words with their patch and their player's colour.
#[test]
#[ignore = "a browser"]
fn a_mistake_is_played_again_without_the_answer_in_sight() {
    let Some((mut browser, _home, url)) = exported(1280) else {
        return;
    };
    open_link(&mut browser, &url);
    click_text(&mut browser, ".panel button", "Judge the game");
    browser.wait("patchwork.state().analysis.judged !== null");
    browser
        .choose("document.querySelector('.moves .inaccuracy, .moves .mistake, .moves .blunder')");
    browser.wait(
        "document.querySelectorAll('.why-better h3 .words[class*=seat] .sample').length === 2",
    );
    // The tree has something to walk to when the search knows continuations.
    browser.wait("document.querySelectorAll('.lines .continuation .sample').length > 0");
    click_text(&mut browser, ".panel button", "Walk the search tree");
    browser.wait("document.querySelectorAll('.walk li .words[class*=seat] .sample').length > 0");
    click_text(&mut browser, ".panel button", "Retry mistakes");
    browser.wait("patchwork.state().analysis.retry?.node === patchwork.state().node");
    browser.wait("patchwork.state().analysis.live !== null");
    browser.drawn();
    let answers = "document.querySelectorAll('.lines, .ghost, .evaluation').length";
    assert_eq!(browser.eval(answers), 0);
    browser.eval("patchwork.state().page.act(patchwork.state().node.evaluation.best)");
    browser.wait("(document.querySelector('.retry')?.textContent ?? '').startsWith('Better: ')");
    browser.wait("document.querySelectorAll('.lines').length === 1");
}

/// Two levels rest, hurry and change sides by buttons, whatever agents they are.
#[test]
#[ignore = "a browser"]
fn two_levels_rest_hurry_and_change_sides() {
    let Some((mut browser, _home, _)) = exported(390) else {
        return;
    };
    start_two_levels(&mut browser);
    let control = |browser: &mut Browser, title: &str| {
        browser.choose(&format!(
            "document.querySelector('.actions [title^={}]')",
            json!(title)
        ));
        browser.drawn();
    };
    control(&mut browser, "Pause");
    assert_eq!(browser.eval("patchwork.state().paused"), true);
    let near = "document.querySelector('.near-side .quilt').dataset.seat";
    let before = browser.eval(near);
    control(&mut browser, "Other side");
    assert_ne!(browser.eval(near), before);
    control(&mut browser, "Speed: normal");
    assert_eq!(browser.eval("patchwork.state().pace"), 0);
    control(&mut browser, "Speed: fast");
    assert_eq!(browser.eval("patchwork.state().pace"), 1500);
    // What was played is stepped through.
    let ply = number(&mut browser, "patchwork.state().position.ply");
    control(&mut browser, "Play");
    browser.wait(&format!("patchwork.state().position.ply > {ply}"));
    control(&mut browser, "Pause");
    browser.press("Home");
    browser.wait("patchwork.state().position.ply === 0");
}

/// Every stored game has an address; games are found by words, and what both agents thought is beside the board.
#[test]
#[ignore = "a browser"]
fn stored_games_are_found_and_have_addresses_and_thoughts() {
    let Some(mut browser) = browser() else { return };
    let home = Workspace::new();
    home.write(
        "tournaments/two.toml",
        "name = \"two\"\nseed = 3\ntrack = \"original\"\nformat = \"round-robin\"\npairs = 12\n\
         thoughts = \"top-3\"\nagents = [\"random\", \"mcts-fast{budget.iterations=40}\"]\n",
    );
    home.ok("run tournaments/two.toml --quiet");
    let server = Server::start(home.command("web results --address 127.0.0.1:0"));
    let url = format!("{}board/index.html", server.url);
    browser.open(&format!("{url}#watch=two"), 1280, "light");
    ready(&mut browser);
    browser.wait("patchwork.state().watch.found.total === 24");
    let find = |browser: &mut Browser, text: &str, found: u64| {
        browser.eval(&format!(
            "(field => {{ field.value = {}; field.dispatchEvent(new Event('change', {{ bubbles: true }})); }})\
             (document.querySelector('.watching input[type=search]'))",
            json!(text)
        ));
        browser.wait(&format!("patchwork.state().watch.found.total === {found}"));
    };
    find(&mut browser, "random ring=3", 2);
    find(&mut browser, "fault", 0);
    find(&mut browser, "game=7 margin>=0", 1);
    browser.wait("document.querySelector('.games li')?.textContent.startsWith('#7 ')");
    // The words are part of the address.
    let address = browser.eval("location.hash");
    again(
        &mut browser,
        &format!("{url}{}", address.as_str().expect("text")),
    );
    browser.wait("patchwork.state().watch.found.total === 1");
    browser.choose("document.querySelector('.games a')");
    browser.wait("patchwork.state().view === 'analysis'");
    assert_eq!(browser.eval("location.hash"), "#analysis=two/7");
    let game = browser.eval("patchwork.state().position.text");
    // Both the random agent, which expects nothing, and the search are asked for; only the search has thoughts.
    browser.wait("document.querySelectorAll('.thought').length === 1");
    browser.press("Home");
    let considered = "document.querySelectorAll('.thought tbody .words .sample').length > 1";
    for _ in 0..12 {
        browser.press("ArrowRight");
        browser.drawn();
        if browser.eval(considered) == true {
            break;
        }
    }
    assert_eq!(browser.eval(considered), true);
    // Somebody else opens the same address.
    browser.eval("localStorage.clear(), sessionStorage.clear()");
    again(&mut browser, &format!("{url}#analysis=two/7"));
    browser.wait("patchwork.state().view === 'analysis' && patchwork.state().there !== null");
    assert_eq!(browser.eval("patchwork.state().position.text"), game);
    // A second agent analyses beside the first.
    browser.press("Home");
    browser.wait("patchwork.state().position.ply === 0");
    browser.wait("document.querySelectorAll('.panel select option[value=mcts-fast]').length === 2");
    browser.eval(
        "(field => { field.value = 'mcts-fast'; field.dispatchEvent(new Event('change', { bubbles: true })); })\
         (document.querySelectorAll('.panel select')[1])",
    );
    browser.wait("document.querySelectorAll('.two .lines').length === 2");
    browser
        .wait("document.querySelectorAll('.two caption')[1].textContent.startsWith('mcts-fast: ')");
}

/// The newest game of a tournament is shown move by move, and then the one that has come.
#[test]
#[ignore = "a browser"]
fn the_newest_game_is_shown_live() {
    let Some(mut browser) = browser() else { return };
    let home = Workspace::new();
    home.save_match_in("two", "greedy-regret", 2);
    let server = Server::start(home.command("web results --address 127.0.0.1:0"));
    let url = format!("{}board/index.html#watch=two", server.url);
    browser.open(&url, 1280, "light");
    ready(&mut browser);
    let games = number(&mut browser, "localStorage.length");
    click_text(
        &mut browser,
        ".watching .control",
        "Newest game, move by move",
    );
    browser.wait(
        "patchwork.state().watch.live?.game.number === 3 && patchwork.state().watch.live.at > 1",
    );
    browser.wait("document.querySelector('.table .last-move .words') !== null");
    // Nobody can move, and what is only watched is not kept.
    browser.press("a");
    assert_eq!(number(&mut browser, "localStorage.length"), games);
    // At its end.
    browser.eval("(live => { patchwork.state().watch.live = { ...live, at: live.game.game.actions.length }; })(patchwork.state().watch.live)");
    home.save_match_in("two", "greedy-regret", 3);
    browser.wait("patchwork.state().watch.live.game.number === 5");
    click_text(&mut browser, ".table .control", "Back to the list");
    browser.wait("document.querySelectorAll('.games li').length === 6");
}
