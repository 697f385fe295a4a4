//! The viewer of games.

use patchwork_engine::game::ActionList;
use serde_json::Value;

use super::browser::{Browser, browser};
use super::results::Results;

/// A number on the plate of a player.
fn figure(browser: &mut Browser, seat: usize, name: &str) -> String {
    let text = browser.text(&format!("#viewer .plate.seat{seat} .has-{name} .value"));
    text.replace('−', "-")
}

/// The number of a quilt's squares that have cloth in their middle.
const COVERED: &str = "(quilt => { const cloth = [...quilt.querySelectorAll('.placed .cloth')]; let covered = 0; \
    for (let square = 0; square < 81; square++) { \
      const at = new DOMPoint((square % 9) * 20 + 10, Math.floor(square / 9) * 20 + 10).matrixTransform(quilt.getScreenCTM()); \
      covered += cloth.some(path => path.isPointInFill(at.matrixTransform(path.getScreenCTM().inverse()))); } \
    return covered; })(QUILT)";

#[test]
#[ignore = "a browser"]
fn every_game_can_be_watched_to_its_end() {
    let Some(mut browser) = browser() else { return };
    let results = Results::new();
    browser.open(&results.url(), 1200, "light");
    let names = results.plan.names();
    for entry in &results.entries {
        let (record, number) = (&entry.record, results.number(&entry.record));
        browser.eval(&format!("location.hash = 'game={number}&ply=0'"));
        assert_eq!(
            browser.part("ply"),
            format!("Ply 0 of {}", record.plies.len())
        );
        assert_eq!(figure(&mut browser, 0, "points"), "-157");
        browser.click("#viewer h2");
        if number == 0 {
            // Step by step, so that every position is drawn.
            for ply in 1..=record.plies.len() {
                browser.press("ArrowRight");
                assert_eq!(browser.eval("Number(viewer.dataset.ply)"), ply);
            }
        } else {
            browser.press("End");
        }
        for seat in [0, 1] {
            let agent = &names[usize::from(record.agents[seat])];
            assert_eq!(
                browser.text(&format!("#viewer .plate.seat{seat} .name > span")),
                *agent
            );
            for (name, value) in [
                ("points", record.scores[seat].to_string()),
                ("buttons", record.buttons[seat].to_string()),
            ] {
                assert_eq!(figure(&mut browser, seat, name), value, "{name}");
            }
            let covered = u64::from(record.covered[seat]);
            let quilt = format!("document.querySelector('#viewer .quilt.seat{seat}')");
            let label = browser.eval(&format!("{quilt}.getAttribute('aria-label')"));
            let empty = 81 - covered;
            assert!(
                label
                    .as_str()
                    .is_some_and(|label| label.contains(&format!(": {empty} empty square"))),
                "{label}"
            );
            // As many squares have cloth in their middle as are covered.
            let drawn = browser.eval(&COVERED.replace("QUILT", &quilt));
            assert_eq!(drawn, covered);
        }
        let track = browser
            .eval("document.querySelector('#viewer .middle .track').getAttribute('aria-label')");
        let track = track.as_str().expect("a label");
        assert_eq!(track.matches("on space 53").count(), 2, "{track}");
        let winner = &names[usize::from(record.winning_agent())];
        assert!(browser.part("text").contains(&format!("{winner} wins")));
        let text = ActionList(record.actions().collect()).to_string();
        assert_eq!(browser.part("notation"), text);
        assert!(browser.part("notation-of").contains(&format!(
            "#{number}, {}",
            names[usize::from(record.agents[0])]
        )));
        let has_curve = record.plies.iter().any(|ply| ply.thought.value.is_some());
        assert_eq!(
            browser.eval("viewer.querySelector('[data-part=expectations]') !== null"),
            has_curve
        );
        let address = format!("#game={number}&ply={}", record.plies.len());
        browser.wait(&format!("location.hash === '{address}'"));
    }
    browser.assert_content();
}

#[test]
fn the_viewer_obeys_keys_buttons_and_addresses() {
    let Some(mut browser) = browser() else { return };
    let results = Results::new();
    let record = &results.entries[0].record;
    let number = results.number(record);
    browser.open(
        &format!("{}#game={number}&ply=12", results.url()),
        1200,
        "light",
    );
    let plies = record.plies.len();
    let at = |browser: &mut Browser| browser.eval("Number(viewer.dataset.ply)").as_u64();
    assert_eq!(browser.eval("Number(viewer.dataset.game)"), number);
    assert_eq!(at(&mut browser), Some(12));
    for (button, ply) in [
        ("forward", 13),
        ("last", plies),
        ("back", plies - 1),
        ("first", 0),
    ] {
        browser.click(&format!("#viewer [data-part={button}]"));
        assert_eq!(at(&mut browser), Some(ply as u64), "{button}");
    }
    for (key, ply) in [
        ("End", plies),
        ("ArrowLeft", plies - 1),
        ("Home", 0),
        ("ArrowRight", 1),
    ] {
        browser.press(key);
        assert_eq!(at(&mut browser), Some(ply as u64), "{key}");
    }
    // Agent 0 of the plan reports expectations: its curve leads to the middle of the game.
    browser.click("#viewer [data-part=curve]");
    assert!(at(&mut browser).is_some_and(|at| at.abs_diff(plies as u64 / 2) <= 1));
    // It plays to the end by itself, at the highest speed.
    browser.eval("{ const speed = viewer.querySelector('[data-part=speed]'); speed.add(new Option('', '1')); speed.value = '1'; }");
    browser.click("#viewer [data-part=play]");
    browser.wait(&format!("viewer.dataset.ply === '{plies}'"));
    assert_eq!(browser.part("play"), "Play");
    // A ply that is not a number counts as 0, and a ply after the end as the last one.
    browser.eval(&format!("location.hash = 'game={number}&ply=x'"));
    browser.wait("viewer.dataset.ply === '0'");
    browser.eval(&format!("location.hash = 'game={number}&ply=999'"));
    browser.wait(&format!("viewer.dataset.ply === '{plies}'"));
    browser.assert_content();
}

#[test]
#[ignore = "a browser"]
fn a_link_to_a_game_that_the_page_does_not_hold_says_so() {
    let Some(mut browser) = browser() else { return };
    let results = Results::new();
    let number = results.number(&results.entries[0].record);
    for missing in ["99999", "x", "01"] {
        let url = format!("{}#game={missing}&ply=3", results.url());
        browser.open(&url, 1200, "light");
        let said = browser.part("missing");
        let start = format!("This page does not hold game {missing}. It holds 12 games,");
        assert!(said.starts_with(&start), "{said}");
        let shown = browser.eval("viewer.querySelector('[data-part=game]').checkVisibility()");
        assert_eq!(shown, false);
        // Without a game, keys and buttons do nothing.
        browser.press("ArrowRight");
        browser.click("#viewer [data-part=play]");
        assert_eq!(browser.eval("viewer.dataset.game ?? null"), Value::Null);
    }
    // An existing game is shown again.
    browser.eval(&format!("location.hash = 'game={number}&ply=2'"));
    browser.wait("viewer.dataset.ply === '2'");
    assert_eq!(browser.part("missing"), "");
    browser.assert_content();
}

#[test]
#[ignore = "a browser"]
fn the_viewer_opens_at_the_largest_swing_of_the_strongest_agent() {
    let Some(mut browser) = browser() else { return };
    let results = Results::new();
    browser.open(&results.url(), 1200, "light");
    // Agent 0 is the only one that reports expectations, and the strongest.
    let mut largest = (0.0, 0, 0);
    for entry in &results.entries {
        let mut last: Option<f32> = None;
        for (ply, played) in (1_u64..).zip(&entry.record.plies) {
            let Some(value) = played.thought.value else {
                continue;
            };
            let swing = last.map_or(0.0, |last| (value - last).abs());
            if swing > largest.0 {
                largest = (swing, results.number(&entry.record), ply);
            }
            last = Some(value);
        }
    }
    assert_eq!(browser.eval("Number(viewer.dataset.game)"), largest.1);
    assert_eq!(browser.eval("Number(viewer.dataset.ply)"), largest.2);
    let current = "viewer.querySelector('[data-part=swings] [aria-current]').textContent";
    let current = browser.eval(current);
    let start = format!("1 Ply {}: ", largest.2);
    assert!(
        current
            .as_str()
            .is_some_and(|text| text.starts_with(&start)),
        "{current}"
    );
    // Each swing has a mark on the curve; its button leads there, with the keyboard as well.
    let count = "viewer.querySelectorAll('.course .swing').length";
    assert_eq!(
        browser.eval(count),
        browser.eval("viewer.querySelectorAll('[data-part=swings] button').length")
    );
    browser.click("#viewer h2");
    browser.press("Home");
    assert_eq!(browser.eval("Number(viewer.dataset.ply)"), 0);
    browser.eval("viewer.querySelector('[data-part=swings] button').focus()");
    browser.press("Enter");
    assert_eq!(browser.eval("Number(viewer.dataset.ply)"), largest.2);
    browser.assert_content();
}

/// Both have names of their own: the viewer's rules reach nothing else on the page.
#[test]
#[ignore = "a browser"]
fn the_style_sheet_of_the_viewer_changes_nothing_else() {
    let Some(mut browser) = browser() else { return };
    let results = Results::new();
    browser.open(&results.url(), 1240, "light");
    let look = "JSON.stringify([...document.querySelectorAll('main > :not(#viewer), main > :not(#viewer) *')].map(node => { \
        const { width, height } = node.getBoundingClientRect(); const style = getComputedStyle(node); \
        return [node.tagName, node.id, Math.round(width), Math.round(height), style.display, style.color, style.fill, style.stroke, style.font]; }))";
    browser.drawn();
    let with = browser.eval(look);
    let sheets = browser.eval("document.styleSheets.length");
    assert_eq!(sheets, 2, "the page's and the viewer's");
    browser.eval("document.styleSheets[1].disabled = true");
    browser.drawn();
    assert!(with.as_str().is_some_and(|text| text.len() > 10_000));
    assert_eq!(browser.eval(look), with);
}
