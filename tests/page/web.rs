//! `web` in a browser: a report that follows its tournament.

use super::browser::{Browser, browser};
use patchwork_test_support::program::{Workspace, signal, wait_until};
use patchwork_test_support::server::Server;

#[test]
fn the_report_follows_its_tournament_and_every_game_can_be_watched() {
    let Some(mut browser) = browser() else { return };
    let home = Workspace::new();
    home.save_match_in("two", "greedy-regret", 2);
    let server = Server::start(home.command("web results --address 127.0.0.1:0"));
    browser.open(&format!("{}results/two", server.url), 1100, "dark");
    let inside = "document.getElementById('report').contentDocument";
    browser.wait(&format!(
        "{inside} && {inside}.body && {inside}.body.textContent.includes('4 games')"
    ));
    browser.wait("document.getElementById('status').textContent === 'complete'");
    home.save_match_in("two", "greedy-regret", 3);
    browser.wait("Number(document.body.dataset.updates) >= 1");
    browser.wait(&format!(
        "{inside} && {inside}.body && {inside}.body.textContent.includes('6 games')"
    ));
    // A game of the report is analysed on the board.
    let link =
        format!("{inside}.querySelector('#viewer a[target=_top]')?.getAttribute('href') ?? ''");
    let href = browser.eval(&link);
    let href = href.as_str().expect("a text");
    assert!(
        href.starts_with("/board/index.html#analysis=two/"),
        "{href}"
    );
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

/// The page of a tournament says how far it is, and has the commands that go on with it, also when it has been stopped.
#[test]
#[ignore = "a browser"]
fn a_page_says_when_its_tournament_is_stopped() {
    let Some(mut browser) = browser() else { return };
    let home = Workspace::new();
    home.write(
        "long.toml",
        "name = \"long\"\nagents = [\"mcts-fast\", \"greedy-regret\"]\npairs = 1000\n",
    );
    let mut run = home.command("run long.toml -q").spawn().expect("started");
    home.wait_for_stored("results/long", 1, &mut run);
    let server = Server::start(home.command("web results --address 127.0.0.1:0"));
    browser.open(&format!("{}results/long", server.url), 1280, "light");
    browser.wait("/^playing, .*; \\S+ leads$/.test(document.getElementById('status').textContent)");
    let commands = "document.getElementById('commands').textContent";
    assert!(!browser.eval(commands).to_string().contains("continue"));
    browser.eval("document.querySelector('#commands button').click()");
    browser.wait("document.querySelector('#commands button').dataset.copied === '1'");
    signal(&run, "-INT");
    run.wait().expect("ended");
    browser.wait("document.getElementById('status').textContent.startsWith('stopped')");
    browser.wait(&format!("{commands}.includes('continue')"));
    browser.open(&server.url, 1280, "light");
    browser.wait("document.querySelector('tr[data-state=stopped] .leader').textContent !== ''");
}

#[test]
#[ignore = "a browser"]
fn notes_and_tags_are_edited_in_the_list() {
    let Some(mut browser) = browser() else { return };
    let home = Workspace::new();
    home.save_match_in("two", "greedy-regret", 2);
    let server = Server::start(home.command("web results --address 127.0.0.1:0"));
    for width in [390, 1280] {
        browser.open(&server.url, width, "light");
        browser.eval(&format!(
            "(() => {{ document.querySelector('details').open = true; const form = document.querySelector('form[data-name]'); \
             form.notes.value = 'at {width}'; form.tags.value = 'w{width}'; \
             form.querySelector('button').click(); return 0; }})()"
        ));
        // The page is loaded again when they are stored.
        let tag = format!("<span class=\"tag\">w{width}</span>");
        wait_until("they are stored", || server.get("/", "").contains(&tag));
        browser.open(&server.url, width, "light");
        assert_eq!(browser.text("td p"), format!("at {width}"));
        let over = browser.eval("document.documentElement.scrollWidth - innerWidth");
        assert!(over.as_f64() <= Some(0.0), "{width}: {over}");
    }
}

/// Whoever types is not disturbed: when another tournament grows or ends, another row is saved, or a request fails. Of
/// two who change the same notes, the second sees both.
#[test]
#[ignore = "a browser"]
fn typed_notes_stay_and_two_writers_see_each_other() {
    let Some(mut browser) = browser() else { return };
    let home = Workspace::new();
    for name in ["one", "two"] {
        home.save_match_in(name, "greedy-regret", 2);
    }
    let server = Server::start(home.command("web results --address 127.0.0.1:0"));
    browser.open(&server.url, 1280, "light");
    let form = |name: &str| format!("document.querySelector('form[data-name={name}]')");
    let typed = |browser: &mut Browser, name: &str, text: &str| {
        browser.eval(&format!(
            "(form => {{ form.closest('details').open = true; form.notes.value = '{text}'; }})({})",
            form(name)
        ));
    };
    let save = |browser: &mut Browser, name: &str| {
        browser.eval(&format!("{}.requestSubmit()", form(name)));
    };
    let shown =
        |name: &str| format!("document.querySelector('[data-name={name}] td p')?.textContent");
    typed(&mut browser, "one", "typed");
    // The next look fails; the one after it sees that the other has grown.
    browser.eval(
        "void (window.fetch = (real => (...all) => window.failed ? real(...all) : (window.failed = true, Promise.reject(new TypeError('Failed to fetch'))))(window.fetch))",
    );
    browser.wait("window.failed");
    home.save_match_in("two", "greedy-regret", 3);
    browser.wait("document.querySelector('tr[data-name=two] .games').textContent === '6'");
    typed(&mut browser, "two", "other");
    save(&mut browser, "two");
    browser.wait(&format!("{} === 'other'", shown("two")));
    let notes = format!("{}.notes.value", form("one"));
    assert_eq!(browser.eval(&notes), "typed");
    // Somebody else was faster.
    let body = r#"{"notes": "theirs", "tags": "x x"}"#;
    server.post("/api/results/one/notes", body);
    save(&mut browser, "one");
    browser.wait(&format!("{} === 'theirs'", shown("one")));
    browser.wait(&format!(
        "{}.querySelector('[role=status]').textContent.startsWith('somebody has changed it')",
        form("one")
    ));
    assert_eq!(browser.eval(&notes), "typed");
    save(&mut browser, "one");
    browser.wait(&format!("{} === 'typed'", shown("one")));
}

/// The list is sorted and filtered; ticked ones are reported as one.
#[test]
#[ignore = "a browser"]
fn the_list_is_sorted_filtered_and_compared() {
    let Some(mut browser) = browser() else { return };
    let home = Workspace::new();
    for (name, pairs) in [("a", 2), ("b", 12), ("c", 6)] {
        home.save_match_in(name, "greedy-regret", pairs);
    }
    home.play_small("d", 2);
    let server = Server::start(home.command("web results --address 127.0.0.1:0"));
    server.post("/api/results/b/notes", r#"{"notes": "", "tags": "night"}"#);
    for width in [390, 1280] {
        browser.open(&server.url, width, "light");
        let names = "[...document.querySelectorAll('tr[data-name]')].filter(row => row.checkVisibility()).map(row => row.dataset.name).join('')";
        assert_eq!(browser.eval(names), "dabc", "tournaments, then matches");
        browser.eval("document.querySelectorAll('thead button')[4].click()");
        assert_eq!(browser.eval(names), "dbca", "by games");
        browser.eval("document.querySelector('.tag').click()");
        assert_eq!(browser.eval(names), "b");
        let over = browser.eval("document.documentElement.scrollWidth - innerWidth");
        assert!(over.as_f64() <= Some(0.0), "{width}: {over}");
    }
    browser.open(&server.url, 1280, "light");
    browser.eval("for (const name of ['a', 'b', 'c']) document.querySelector(`[name=of][value=${name}]`).click()");
    // What the button would ask for, since a script that leaves its page has no answer.
    let asked = browser.eval(
        "(() => { const form = document.querySelector('#compare'); \
         return `${form.action}?${new URLSearchParams(new FormData(form))}`; })()",
    );
    browser.open(asked.as_str().expect("a link"), 1280, "light");
    browser.wait("document.querySelector('#report')?.contentDocument?.body?.textContent.includes('24 games')");
    assert_eq!(browser.text("h1"), "a, b, c");
}
