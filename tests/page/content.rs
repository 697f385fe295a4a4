//! The contents of the page, with and without scripts.

use serde_json::json;

use super::browser::browser;
use super::results::{GREEDY, RANDOM, Results, SEARCHER};

#[test]
fn the_page_follows_theme_and_width_and_escapes_names() {
    let Some(mut browser) = browser() else { return };
    let results = Results::new();
    let brightness = "(() => { const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number); return r + g + b; })()";
    browser.open(&results.url(), 1200, "light");
    assert!(browser.eval(brightness).as_f64() > Some(600.0));
    for name in [SEARCHER, GREEDY, RANDOM] {
        let cells = "[...document.querySelectorAll('#standings th')].map(cell => cell.textContent.replace(/ [*]$/, ''))";
        let cells = browser.eval(cells);
        let cells = cells.as_array().expect("a list");
        assert!(cells.iter().any(|cell| *cell == name), "{name}: {cells:?}");
    }
    browser.open(&results.url(), 1200, "dark");
    assert!(browser.eval(brightness).as_f64() < Some(150.0));
    let ink = "(() => { const [r] = getComputedStyle(document.querySelector('.plot text')).fill.match(/[\\d.]+/g).map(Number); return r; })()";
    assert!(
        browser.eval(ink).as_f64() > Some(100.0),
        "labels of plots are bright"
    );
    // The button switches from the system theme to light.
    browser.click("#theme");
    assert!(browser.eval(brightness).as_f64() > Some(600.0));

    browser.open(&results.url(), 360, "light");
    assert_eq!(browser.eval("document.documentElement.scrollWidth"), 360);
    let wide = "[...document.querySelectorAll('main *')].filter(node => node.getBoundingClientRect().right > 361 \
                && !node.closest('.box, .plot-box, .track-box, .hidden, svg')).map(node => node.outerHTML.slice(0, 80))";
    assert_eq!(browser.eval(wide), json!([]));
    browser.assert_content();
}

#[test]
#[ignore = "a browser"]
fn without_scripts_the_numbers_are_there() {
    let Some(mut browser) = browser() else { return };
    let results = Results::new();
    browser.call(
        "Emulation.setScriptExecutionDisabled",
        json!({"value": true}),
    );
    browser.open(&results.url(), 1200, "light");
    // The debugger's own script runs even so.
    let shown =
        "[...document.querySelectorAll('SELECTOR')].filter(node => node.checkVisibility()).length";
    let mut count = |selector: &str| browser.eval(&shown.replace("SELECTOR", selector)).as_u64();
    assert!(count("main section table") >= Some(10));
    assert!(count("main svg.plot") >= Some(5));
    assert_eq!(count("#viewer .quilt"), Some(2));
    assert!(count("#viewer .quilt .cloth") > Some(60));
    assert_eq!(count("#viewer .static"), Some(1));
    assert_eq!(count("#viewer button, #viewer select, #theme"), Some(0));
    browser.assert_content();
}

#[test]
#[ignore = "a browser"]
fn pages_of_hardly_any_games_have_nothing_to_complain_of() {
    let Some(mut browser) = browser() else { return };
    for games in 0..3 {
        let results = Results::of(2, games);
        browser.open(&results.url(), 360, "dark");
        assert_eq!(browser.eval("document.querySelectorAll('h1').length"), 1);
        assert_eq!(
            browser.eval("document.querySelectorAll('#viewer').length"),
            u32::from(games > 0)
        );
        assert_eq!(browser.eval("document.documentElement.scrollWidth"), 360);
        browser.assert_content();
    }
}

#[test]
#[ignore = "a browser"]
fn figures_are_saved_as_svg_and_png_and_tables_as_csv() {
    let Some(mut browser) = browser() else { return };
    let results = Results::new();
    browser.open(&results.url(), 1200, "light");
    browser.eval(
        "window.saved = {}; HTMLAnchorElement.prototype.click = function () { saved[this.download] = this.href; }; \
         document.querySelectorAll('details').forEach(one => { one.open = true; })",
    );
    browser.eval("document.querySelectorAll('.save button').forEach(button => button.click())");
    let plots = "document.querySelectorAll('main svg.plot').length";
    browser.wait(&format!(
        "Object.keys(saved).filter(name => name.endsWith('.png')).length === {plots}"
    ));
    let count = |ending: &str| {
        format!("Object.keys(saved).filter(name => name.endsWith('.{ending}')).length")
    };
    assert_eq!(browser.eval(&count("svg")), browser.eval(plots));
    assert!(browser.eval(&count("csv")).as_u64() >= Some(10));
    // Each picture can be drawn by itself, and a PNG has twice the size of the SVG.
    browser.eval(
        "window.drawn = []; for (const [name, href] of Object.entries(saved)) if (/^branching[.](svg|png)$/.test(name)) { \
         const image = new Image(); image.onload = () => drawn.push([name, image.width]); image.src = href; }",
    );
    browser.wait("drawn.length === 2");
    let widths = "(() => { const sizes = Object.fromEntries(drawn); \
                  return sizes['branching.png'] === 2 * sizes['branching.svg'] && sizes['branching.svg'] > 100; })()";
    assert_eq!(browser.eval(widths), true);
    let lines = "decodeURIComponent(saved['ratings.csv'].replace(/^[^,]*,/, '')).trim().split('\\n').map(line => line.split(',').length)";
    let lines = browser.eval(lines);
    let lines = lines.as_array().expect("a list");
    assert_eq!(lines.len(), 4, "a head and three agents: {lines:?}");
    assert!(lines.iter().all(|cells| *cells == lines[0]), "{lines:?}");
}
