use proptest::prelude::*;

use super::*;
use crate::testing::rows;
use crate::util::InputError;

fn canonical(text: &str) -> String {
    let overrides: Result<Overrides, _> = text.parse();
    overrides.map_or_else(|error| error.to_string(), |all| all.to_string())
}

#[test]
fn texts_have_a_canonical_form() {
    for [text, expected] in rows(
        r##"
        =>
        b.c = 1.50 , a=2 => a=2,b.c=1.5
        a=1_000, b=0x10, c=1e3, d=-inf, e=+1 => a=1000,b=16,c=1000.0,d=-inf,e=1
        a=puct, b='ucb1', c="x" => a=puct,b=ucb1,c=x
        a=bl-lb/every/regret => a=bl-lb/every/regret
        a=true, b='true', c='12', d='1 2', e='' => a=true,b="true",c="12",d="1 2",e=""
        a=, b.c= => a=,b.c=
        a={ c = 1, b.d = 'x' }, e=[1, 'y,z'] => a.b.d=x,a.c=1,e=[1,"y,z"]
        a={} => a={}
        a='}', b='#', c='=' => a="}",b="#",c="="
        a=1.2.3 => a=1.2.3
    "##,
    ) {
        let found = canonical(text);
        assert_eq!(found, expected);
        assert_eq!(canonical(&found), expected);
    }
}

#[test]
fn malformed_texts_are_refused_by_a_sentence() {
    for (text, expected) in [
        ("a", "expected KEY=VALUE, found 'a'"),
        ("a=1,", "expected KEY=VALUE, found ''"),
        ("a=1, a=2", "a: is given twice"),
        ("a={b=1}, a.b=2", "a.b: is given twice"),
        ("=1", "'' is not a key"),
        ("a..b=1", "'a..b' is not a key"),
        ("a b=1", "'a b' is not a key"),
        ("a={'b c'=1}", "'a.b c' is not a key"),
        ("a=1\nb=2", "\"a=1\\nb=2\": expected overrides on one line"),
        ("a=b=c", "found b=c"),
    ] {
        let found = canonical(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
    for (text, value) in [
        ("a='x, b=1", "'x"),
        ("a=[1", "[1"),
        ("a=1}", "1}"),
        ("a=1 2", "1 2"),
        ("a=1 # x", "1 # x"),
        ("a={b=1,b=2}", "{b=1"),
    ] {
        let expected = "a: expected a number, a word, or a text in quotes, found";
        assert!(
            canonical(text).starts_with(&format!("{expected} {value}")),
            "{text}"
        );
    }
}

#[test]
fn names_are_split_from_overrides() {
    let split = |text| match Overrides::split(text) {
        Ok((name, all)) => format!("{name} {all}"),
        Err(error) => error.to_string(),
    };
    assert_eq!(split("mcts"), "mcts ");
    assert_eq!(split("mcts{}"), "mcts ");
    assert_eq!(split("a/*.toml{b=1, a=x}"), "a/*.toml a=x,b=1");
    assert_eq!(split("my{agents}/a.toml"), "my{agents}/a.toml ");
    assert!(split("mcts{a=1").contains("a brace at the end"));
    assert!(split("mcts{a=1}x").contains("a brace at the end"));
    assert!(
        split("mcts{a=1}{b=2}")
            .contains("a: expected a number, a word, or a text in quotes, found 1}{b=2")
    );
    assert_eq!(canonical_name("m{b=1, a='x'}"), "m{a=x,b=1}");
    assert_eq!(canonical_name("m{b"), "m{b");
}

#[test]
fn later_overrides_replace_earlier_ones() {
    let then = |one: &str, other: &str| {
        let [one, other]: [Overrides; 2] = [one, other].map(|text| text.parse().expect(text));
        one.then(&other).to_string()
    };
    assert_eq!(then("a=1,b=2", "b=3"), "a=1,b=3");
    assert_eq!(then("a.b=1,a.c=2", "a="), "a=");
    assert_eq!(then("a=", "a.b=1"), "a=,a.b=1");
    assert_eq!(then("a.b=1", "a={}"), "a={},a.b=1");
    assert_eq!(
        then("budget.iterations=1,c=2", "budget.milliseconds=3"),
        "budget.milliseconds=3,c=2"
    );
}

#[test]
fn tables_are_changed_key_by_key() {
    let table: Table = "budget.iterations = 5\nsearch.exploration = 0.7\nrollout.depth = 2"
        .parse()
        .expect("TOML");
    let apply = |text: &str| {
        let overrides: Overrides = text.parse().expect(text);
        let applied = overrides.apply(&table);
        applied.map(|table| {
            tables::leaves(&table)
                .into_iter()
                .map(|(key, value)| format!("{key}={value}"))
                .collect::<Vec<_>>()
                .join(" ")
        })
    };
    assert_eq!(
        apply("budget.milliseconds=3,rollout.depth=,search.exploration=1.5").unwrap(),
        "budget.milliseconds=3 rollout={} search.exploration=1.5"
    );
    assert_eq!(
        apply("search=,search.select=puct").unwrap(),
        "budget.iterations=5 rollout.depth=2 search.select=\"puct\""
    );
    assert_eq!(
        apply("rollout.depth.x=1").unwrap_err(),
        InputError::at("rollout.depth.x", "rollout.depth is not a table")
    );
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(Value::Integer),
        any::<f64>()
            .prop_filter("nan differs from itself", |x| !x.is_nan())
            .prop_map(Value::Float),
        any::<bool>().prop_map(Value::Boolean),
        ".*".prop_map(Value::String),
        "[a-z0-9/.-]{1,12}".prop_map(Value::String),
        "[\"'{},=#\\[\\]\\\\ ]{0,6}".prop_map(Value::String),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        let tables = prop::collection::btree_map("[a-z_]{1,5}", inner.clone(), 0..3);
        prop_oneof![
            prop::collection::vec(inner, 0..3).prop_map(Value::Array),
            tables.prop_map(|map| Value::Table(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn the_canonical_text_is_read_as_the_same_overrides(
        items in prop::collection::btree_map("[a-z_]{1,6}(\\.[a-z_]{1,6}){0,2}", prop::option::of(value()), 0..5)
    ) {
        let mut overrides = Overrides::default();
        for (key, value) in items {
            // A key may also be given by a table.
            let _ = overrides.insert(&key, value);
        }
        let text = overrides.to_string();
        prop_assert!(!text.contains(char::is_control));
        prop_assert_eq!(&text.parse::<Overrides>().expect(&text), &overrides);
        let name = overrides.name("mcts");
        prop_assert_eq!(canonical_name(&name), name.clone());
        prop_assert_eq!(Overrides::split(&name).expect("a name"), ("mcts", overrides));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[a-c.=,{}\"'\\[\\] 0-9#\n\\\\-]{0,16}") {
        if let Ok(overrides) = text.parse::<Overrides>() {
            let canonical = overrides.to_string();
            prop_assert_eq!(canonical.parse::<Overrides>().expect("canonical"), overrides);
        }
    }
}
