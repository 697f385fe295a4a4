use serde::Deserialize;

use super::*;
use crate::testing::rows;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Outer {
    #[expect(dead_code, reason = "only parsed")]
    inner: Inner,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Inner {
    #[expect(dead_code, reason = "only parsed")]
    count: Count,
    #[expect(dead_code, reason = "only parsed")]
    rule: Option<Rule>,
    #[expect(dead_code, reason = "only parsed")]
    share: Option<f64>,
    #[expect(dead_code, reason = "only parsed")]
    names: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Rule {
    Ucb1,
    #[serde(rename = "ucb1-tuned")]
    Tuned,
    Puct,
}

fn error(text: &str) -> String {
    let path = Path::new("x.toml");
    parse(path, text, |table| from_table::<Outer>(path, table))
        .map_or_else(|error| error.to_string(), |ok| format!("{ok:?}"))
}

#[test]
fn messages_name_file_and_key() {
    for [text, expected] in rows(
        r#"
        inner = 3 => x.toml:1: inner: expected a table, found 3
        [inner]\ncount = 'a' => x.toml:2: inner.count: expected a whole number from 1 to 4294967295, found "a"
        [inner]\ncount = 0 => x.toml:2: inner.count: expected a whole number from 1 to 4294967295, found 0
        [inner]\ncount = -1 => x.toml:2: inner.count: expected a whole number from 1 to 4294967295, found -1
        [inner]\ncount = 5000000000 => x.toml:2: inner.count: expected a whole number from 1 to 4294967295, found 5000000000
        [inner]\n => x.toml:1: inner: missing key `count`
        a\nb => x.toml:1: not valid TOML
        [inner]\ncount = 1\ncount = 2 => x.toml:3: not valid TOML
    "#,
    ) {
        let message = error(text);
        assert!(message.starts_with(expected), "{message}");
        assert!(!message.contains('\n'));
    }
    let message = error("[inner]\ncuont = 1");
    assert!(message.starts_with("x.toml:2: inner"), "{message}");
    assert!(
        message.contains("unknown key `cuont`") && message.ends_with("did you mean count?"),
        "{message}"
    );
    let inner = "inner = { count = 1, ";
    assert_eq!(
        error(&format!("{inner}rule = 'UCB1' }}")),
        "x.toml:1: inner.rule: unknown value \"UCB1\"; expected ucb1, ucb1-tuned or puct; \
             did you mean ucb1?"
    );
    assert_eq!(
        error(&format!("{inner}rule = 'pukt' }}")),
        "x.toml:1: inner.rule: unknown value \"pukt\"; expected ucb1, ucb1-tuned or puct; \
             did you mean puct?"
    );
    assert_eq!(
        error(&format!("{inner}\n\n rule = 3 }}")),
        "x.toml:3: inner.rule: expected a name in quotes"
    );
    assert_eq!(
        error(&format!("{inner}share = 'x' }}")),
        "x.toml:1: inner.share: expected a number, found \"x\""
    );
    assert_eq!(
        error(&format!("{inner}\nnames = ['a', 7] }}")),
        "x.toml:2: inner.names[1]: expected a string, found 7"
    );
    assert_eq!(
        error("[inner]\ncount = 1\nxyz = 1"),
        "x.toml:3: inner: unknown key `xyz`; expected count, rule, share or names"
    );
}
