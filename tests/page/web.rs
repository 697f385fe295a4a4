//! `web` in a browser: a report that follows its tournament.

use super::browser::browser;
use patchwork_test_support::program::{Workspace, wait_until};
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
    browser.wait("document.getElementById('status').textContent === 'live'");
    home.save_match_in("two", "greedy-regret", 3);
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
            "(() => {{ document.querySelector('details').open = true; const form = document.querySelector('form'); \
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
