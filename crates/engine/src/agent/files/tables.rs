//! Tables of agent files before they are checked: nested keys, and merging.

use toml::{Table, Value};

use crate::search::BY;
use crate::util::InputError;

/// A table of which an agent has exactly one key: setting a key replaces the others.
const ONE_KEY: &str = "budget";

/// Sets a nested key such as `search.exploration`; missing tables are created, and a name becomes the table that it stands for.
pub(super) fn set(table: &mut Table, key: &str, value: Value) -> Result<(), InputError> {
    let mut inner = table;
    let mut rest = key;
    while let Some((outer, below)) = rest.split_once('.') {
        let next = inner
            .entry(outer)
            .or_insert_with(|| Value::Table(Table::new()));
        if let Value::String(name) = next {
            let name = (BY.to_owned(), std::mem::take(name).into());
            *next = Value::Table(Table::from_iter([name]));
        }
        let Value::Table(next) = next else {
            let outer = &key[..key.len() - below.len() - 1];
            let what = format_args!("{outer} is not a table");
            return Err(InputError::at(key, what));
        };
        (inner, rest) = (next, below);
    }
    if !(is_empty(&value) && inner.get(rest).is_some_and(Value::is_table)) {
        inner.insert(rest.to_owned(), value);
    }
    Ok(())
}

fn is_empty(value: &Value) -> bool {
    value.as_table().is_some_and(Table::is_empty)
}

/// Removes a nested key and returns whether it existed.
pub(super) fn remove(table: &mut Table, key: &str) -> bool {
    match key.split_once('.') {
        None => table.remove(key).is_some(),
        Some((outer, rest)) => match table.get_mut(outer) {
            Some(Value::Table(inner)) => remove(inner, rest),
            _ => false,
        },
    }
}

pub(super) fn has(table: &Table, key: &str) -> bool {
    match key.split_once('.') {
        None => table.contains_key(key),
        Some((outer, rest)) => match table.get(outer) {
            Some(Value::Table(inner)) => has(inner, rest),
            _ => false,
        },
    }
}

/// Whether a nested key belongs to the budget.
pub(super) fn is_budget(key: &str) -> bool {
    key == ONE_KEY || is_below(key, ONE_KEY)
}

/// Whether a nested key is inside the table with another key.
pub(super) fn is_below(key: &str, table: &str) -> bool {
    let rest = key.strip_prefix(table);
    rest.is_some_and(|rest| rest.starts_with('.'))
}

/// Removes the keys of the budget before another one is set.
pub(super) fn clear_budget(table: &mut Table) {
    if let Some(Value::Table(budget)) = table.get_mut(ONE_KEY) {
        budget.clear();
    }
}

/// Merges the keys of `upper` over those of `lower`, at all depths; a budget is replaced as a whole.
pub(super) fn merge(lower: &mut Table, upper: Table) {
    if upper.contains_key(ONE_KEY) {
        clear_budget(lower);
    }
    merge_deep(lower, upper);
}

fn merge_deep(lower: &mut Table, upper: Table) {
    for (key, value) in upper {
        match (lower.get_mut(&key), value) {
            (Some(Value::Table(inner)), Value::Table(value)) => merge_deep(inner, value),
            (_, value) => {
                lower.insert(key, value);
            }
        }
    }
}

/// The nested keys of a table with their values; an empty table counts as a value.
pub(in crate::agent) fn leaves(table: &Table) -> Vec<(String, Value)> {
    let mut leaves = Vec::new();
    for (key, value) in table {
        match value {
            Value::Table(inner) if !inner.is_empty() => {
                let below = self::leaves(inner).into_iter();
                leaves.extend(below.map(|(rest, value)| (format!("{key}.{rest}"), value)));
            }
            value => leaves.push((key.clone(), value.clone())),
        }
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        text.parse().expect("TOML")
    }

    #[test]
    fn tables_merge_at_all_depths_and_budgets_replace() {
        let mut lower = table("a = 1\nb.c = 2\nb.d.e = 3\nbudget.iterations = 4");
        merge(
            &mut lower,
            table("b.d.f = 5\nb.c = 6\nbudget.milliseconds = 7\n[g]"),
        );
        let expected = "a = 1\nb.c = 6\nb.d = { e = 3, f = 5 }\nbudget.milliseconds = 7\n[g]";
        assert_eq!(lower, table(expected));
        merge(&mut lower, table("a = 9"));
        assert_eq!(lower, table(&expected.replace("a = 1", "a = 9")));
    }

    #[test]
    fn nested_keys_are_set_found_and_removed() {
        let mut found = table("a = 1\nb.c = 2");
        set(&mut found, "b.d.e", 3.into()).expect("set");
        set(&mut found, "b", Table::new().into()).expect("no change");
        assert_eq!(found, table("a = 1\nb.c = 2\nb.d.e = 3"));
        let mut named = table("choice = 'lcb'");
        set(&mut named, "choice.z", 2.into()).expect("set");
        assert_eq!(named, table("choice = { by = 'lcb', z = 2 }"));
        set(&mut named, "choice.by", "value".into()).expect("set");
        assert_eq!(named, table("choice = { by = 'value', z = 2 }"));
        let error = set(&mut found, "b.c.x", 3.into()).expect_err("a number");
        assert_eq!(error, InputError::at("b.c.x", "b.c is not a table"));
        assert!(has(&found, "b.d") && !has(&found, "b.x") && !has(&found, "a.x"));
        assert!(remove(&mut found, "b.d.e") && !remove(&mut found, "b.d.e"));
        assert_eq!(found, table("a = 1\nb.c = 2\nb.d = {}"));
        let keys = leaves(&found).into_iter().map(|(key, _)| key);
        assert_eq!(keys.collect::<Vec<_>>(), ["a", "b.c", "b.d"]);
        assert!(is_below("b.c", "b") && !is_below("bc", "b") && !is_below("b", "b"));
    }
}
