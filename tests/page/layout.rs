//! Pages at four widths and in both themes: nothing is cut off without a cue, all text is legible, and
//! axe-core reports nothing. `PATCHWORK_ARENA_PAGES=all` checks every page at every width in both themes; otherwise each
//! width has one theme, and pages that differ from another one in a few parts are checked at two widths.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::browser::{Browser, browser};
use super::results::Results;

/// The widths, each with its theme.
const WINDOWS: [(u32, &str); 4] = [
    (1920, "light"),
    (1280, "dark"),
    (768, "light"),
    (390, "dark"),
];

/// Where `.ci/run` puts axe-core.
const AXE: &str = "target/axe/package/axe.min.js";

/// The script of axe-core; `None` if it does not exist and is not required.
fn axe() -> Option<String> {
    let asked = std::env::var("PATCHWORK_ARENA_AXE").unwrap_or_default();
    let path = match &*asked {
        "" | "required" => Path::new(env!("CARGO_MANIFEST_DIR")).join(AXE),
        path => PathBuf::from(path),
    };
    let script = std::fs::read_to_string(&path).ok();
    assert!(
        script.is_some() || asked.is_empty(),
        "PATCHWORK_ARENA_AXE={asked}, but there is no {}",
        path.display()
    );
    if script.is_none() {
        eprintln!("without axe-core (npm pack axe-core, unpacked in target/axe)");
    }
    script
}

/// Checks the layout of a page at all widths.
pub(crate) fn check(browser: &mut Browser, url: &str) {
    check_in(browser, url, &WINDOWS);
}

/// Checks the layout of a page at the least and the greatest width.
fn check_ends(browser: &mut Browser, url: &str) {
    check_in(browser, url, &[WINDOWS[0], WINDOWS[3]]);
}

fn check_in(browser: &mut Browser, url: &str, windows: &[(u32, &str)]) {
    let axe = axe();
    let all = std::env::var_os("PATCHWORK_ARENA_PAGES").is_some_and(|pages| pages == "all");
    let mut faults = Vec::new();
    for (width, _) in WINDOWS {
        for scheme in ["light", "dark"] {
            if !all && !windows.contains(&(width, scheme)) {
                continue;
            }
            browser.open(url, width, scheme);
            let mut found = vec![browser.eval(include_str!("checks.js"))];
            if let Some(axe) = &axe {
                browser.eval(&format!("{axe}; null"));
                found.push(browser.resolve(
                    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => \
                     [id, nodes.slice(0, 5).map(({ html, failureSummary }) => html.slice(0, 200) + failureSummary)]))",
                ));
            }
            found.retain(|found| *found != json!([]));
            if !found.is_empty() {
                faults.push(json!({"width": width, "scheme": scheme, "found": found}));
            }
        }
    }
    assert!(faults.is_empty(), "{:#}", json!(faults));
    browser.assert_content();
}

#[test]
#[ignore = "a browser at many widths"]
fn nothing_is_cut_or_hard_to_read() {
    let Some(mut browser) = browser() else { return };
    check(&mut browser, &Results::new().url());
}

#[test]
#[ignore = "a browser at many widths"]
fn nothing_of_sixteen_agents_is_cut_or_hard_to_read() {
    let Some(mut browser) = browser() else { return };
    let results = Results::many(16);
    check_ends(&mut browser, &results.url());
}

#[test]
#[ignore = "a browser at many widths"]
fn nothing_of_a_test_of_variants_is_cut_or_hard_to_read() {
    let Some(mut browser) = browser() else { return };
    check_ends(&mut browser, &Results::variants().url());
}

/// The check itself finds what it is meant to find.
#[test]
#[ignore = "a browser at many widths"]
fn the_check_finds_cut_and_pale_text() {
    let Some(mut browser) = browser() else { return };
    let page = |body: &str| format!("data:text/html,<body style='background:white'>{body}</body>");
    let faults = [
        (
            "<div style='overflow:auto;width:99px'><div style='width:200px'>a</div></div>",
            "cut at a side",
        ),
        (
            "<div style='overflow:hidden;height:9px'><div style='height:50px'>a</div></div>",
            "cut at the bottom",
        ),
        ("<div style='width:5000px'>a</div>", "beyond the page"),
        (
            "<ul class='legend' style='width:50px'><li>averyverylongword</li></ul>",
            "beyond its box",
        ),
        ("<p style='color:rgb(150,150,150)'>a</p>", "contrast 2.96"),
        ("<p style='opacity:.5'>a</p>", "contrast 3.9"),
    ];
    for (body, fault) in faults {
        browser.open(&page(body), 800, "light");
        let found = browser.eval(include_str!("checks.js"));
        let mut found = found
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        assert!(found.any(|sentence| sentence.starts_with(fault)), "{fault}");
    }
    browser.open(
        &page("<p style='width:90px'>a long line of text that is wrapped</p>"),
        800,
        "light",
    );
    assert_eq!(browser.eval(include_str!("checks.js")), json!([]));
}
