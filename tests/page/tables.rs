//! Tables can be sorted and filtered, plots show their values: by pointer and by keyboard.

use serde_json::{Value, json};

use super::browser::{Browser, browser};
use super::results::Results;

/// The cells of a column of the standings.
fn column(browser: &mut Browser, index: usize) -> Vec<String> {
    let cells = format!(
        "[...document.querySelectorAll('#standings tbody tr')].map(row => row.cells[{index}].textContent)"
    );
    let cells = browser.eval(&cells);
    let cells = cells.as_array().into_iter().flatten();
    cells.filter_map(Value::as_str).map(str::to_owned).collect()
}

#[test]
#[ignore = "a browser"]
fn tables_sort_by_pointer_and_keyboard() {
    let Some(mut browser) = browser() else { return };
    let results = Results::new();
    browser.open(&results.url(), 1280, "light");
    let names = column(&mut browser, 1);
    let elo = column(&mut browser, 2);
    let mut sorted = names.clone();
    sorted.sort();
    // By name: ascending, descending, then in the original order.
    let sort =
        "document.querySelector('#standings [aria-sort]')?.getAttribute('aria-sort') ?? null";
    let button = "#standings thead th:nth-child(2) button";
    browser.click(button);
    assert_eq!(browser.eval(sort), "ascending");
    let ascending = column(&mut browser, 1);
    browser.click(button);
    assert_eq!(browser.eval(sort), "descending");
    let descending: Vec<_> = column(&mut browser, 1).into_iter().rev().collect();
    assert_eq!(ascending, descending);
    browser.click(button);
    assert_eq!(browser.eval(sort), Value::Null);
    assert_eq!(column(&mut browser, 1), names);
    // By a column of numbers, with the keyboard: the Elo, largest first as in the original order.
    browser.eval("document.querySelector('#standings thead th:nth-child(3) button').focus()");
    browser.press("Enter");
    assert_eq!(browser.eval(sort), "descending");
    assert_eq!(column(&mut browser, 2), elo);
    browser.press("Enter");
    assert_eq!(browser.eval(sort), "ascending");
    let ascending: Vec<_> = column(&mut browser, 2).into_iter().rev().collect();
    assert_eq!(ascending, elo);
    browser.assert_content();
}

#[test]
fn long_tables_are_filtered() {
    let Some(mut browser) = browser() else { return };
    let results = Results::many(14);
    browser.open(&results.url(), 1280, "light");
    let shown = "[...document.querySelectorAll('#standings tbody tr')].filter(row => row.checkVisibility()).length";
    assert_eq!(browser.eval(shown), 14);
    browser.click("#standings .filter input");
    // Rows that contain both words, anywhere and in any case.
    browser.call("Input.insertText", json!({"text": "13 LONG"}));
    let rows = "[...document.querySelectorAll('#standings tbody tr')].filter(row => row.textContent.includes('13')).length";
    let count = browser.eval(rows).as_u64().unwrap_or(0);
    assert!((1..14).contains(&count), "{count}");
    assert_eq!(browser.eval(shown), count);
    let said = browser.text("#standings .filter [role=status]");
    assert_eq!(said, format!("{count} of 14 rows"));
    browser.eval("{ const input = document.querySelector('#standings .filter input'); input.value = ''; input.dispatchEvent(new Event('input')); }");
    assert_eq!(browser.eval(shown), 14);
    assert_eq!(browser.text("#standings .filter [role=status]"), "");
    browser.assert_content();
}

#[test]
#[ignore = "a browser"]
fn plots_tell_their_values_by_pointer_and_keyboard() {
    let Some(mut browser) = browser() else { return };
    let results = Results::new();
    browser.open(&results.url(), 1280, "light");
    let plots = browser.eval("document.querySelectorAll('.plot-box').length");
    assert!(plots.as_u64() >= Some(5), "{plots}");
    for plot in 0..plots.as_u64().unwrap_or(0) {
        browser.eval(&format!(
            "document.querySelector('#shown')?.removeAttribute('id'); \
             document.querySelectorAll('.plot-box')[{plot}].id = 'shown'"
        ));
        let told = "document.querySelector('#shown').parentNode.querySelector('.tip')?.textContent ?? null";
        let hidden = "document.querySelector('#shown').parentNode.querySelector('.tip').hidden";
        assert_ne!(browser.eval(told), Value::Null, "plot {plot} tells nothing");
        browser.point("#shown", 0.5, 0.5);
        assert_eq!(browser.eval(hidden), false);
        assert_ne!(browser.eval(told), "");
        // The box lies inside the plot.
        let inside = "(() => { const [tip, plot] = ['.tip', '.plot-box'].map(name => \
                      document.querySelector('#shown').parentNode.querySelector(name).getBoundingClientRect()); \
                      return tip.left >= plot.left - 1 && tip.right <= plot.right + 1; })()";
        assert_eq!(browser.eval(inside), true, "plot {plot}");
        browser.point("h1", 0.5, 0.5);
        assert_eq!(browser.eval(hidden), true);
        browser.eval("document.querySelector('#shown').focus()");
        browser.press("ArrowRight");
        let first = browser.eval(told);
        browser.press("End");
        let last = browser.eval(told);
        browser.press("Home");
        assert_eq!(browser.eval(told), first);
        assert_ne!(first, last);
        browser.press("Escape");
        assert_eq!(browser.eval(hidden), true);
    }
    browser.assert_content();
}
