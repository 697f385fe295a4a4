//! `web` in a browser: a report that follows its tournament.

use super::browser::browser;
use crate::support::program::Workspace;
use crate::support::server::Server;

#[test]
fn the_report_follows_its_tournament_and_every_game_can_be_watched() {
    let Some(mut browser) = browser() else { return };
    let home = Workspace::new();
    home.save_match_in("two", "greedy-regret", 2);
    let server = Server::start(home.command(&["web", "results", "--address", "127.0.0.1:0"]));
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
