//! Tables sort and filter, by pointer and by keyboard.

use serde_json::{Value, json};

use crate::browser::{Browser, browser};
use crate::results::Results;

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
fn tables_sort_by_pointer_and_keyboard() {
    let Some(mut browser) = browser() else { return };
    let results = Results::new();
    browser.open(&results.url(), 1280, "light");
    let names = column(&mut browser, 1);
    let ranks = column(&mut browser, 0);
    assert_eq!(ranks, ["1", "2", "3"]);
    let mut sorted = names.clone();
    sorted.sort();
    // By name: ascending, descending, then as it was.
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
    // A column of numbers, by keyboard: the rank, largest first.
    browser.eval("document.querySelector('#standings thead th:first-child button').focus()");
    browser.press("Enter");
    assert_eq!(browser.eval(sort), "descending");
    assert_eq!(column(&mut browser, 0), ["3", "2", "1"]);
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
    // Rows with both words, anywhere and in any case.
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
