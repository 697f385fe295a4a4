//! The building blocks of the page.

use std::collections::BTreeMap;

use maud::{Markup, html};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// A section with its heading.
pub(crate) fn panel(id: &str, title: &str, content: &Markup) -> Markup {
    html! {
        section.panel id=(id) aria-labelledby={ (id) "-title" } {
            h2 id={ (id) "-title" } { (title) }
            (content)
        }
    }
}

/// The name of an agent, which may be broken between the settings of a variant and inside their keys.
pub fn agent_name(name: &str) -> Markup {
    let is_break = |(at, c): (usize, char)| match c {
        '{' | ',' | '=' | '/' | ' ' => true,
        // Not inside a number.
        '.' => name[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic()),
        _ => false,
    };
    let mut parts = Vec::new();
    let mut start = 0;
    if is_variant(name) {
        for (at, c) in name.char_indices() {
            if is_break((at, c)) {
                parts.push(&name[start..=at]);
                start = at + 1;
            }
        }
    }
    html! { @for part in parts { (part) wbr; } (name[start..]) }
}

/// Whether this is the name of an agent with settings.
pub(super) fn is_variant(name: &str) -> bool {
    let mut words = name.split(' ');
    name.contains('{') || words.any(|word| word.find('=').is_some_and(|at| at > 0))
}

/// A table that scrolls inside its own box if it is wider than the page, with the name and the contents of a file to save.
pub(super) fn table_box(
    caption: &str,
    tall: bool,
    csv: &Option<(String, String)>,
    rows: &Markup,
) -> Markup {
    let (file, csv) = csv.as_ref().map(|(file, csv)| (file, csv)).unzip();
    html! {
        div.box.tall[tall] tabindex="0" role="group" aria-label=(caption) data-file=[file] data-csv=[csv] {
            table { caption.hidden { (caption) } (rows) }
        }
    }
}

/// Colours of series in the stylesheet.
const COLOURS: usize = 12;

/// Dash patterns in the stylesheet, the first of which is a solid line.
const DASHES: usize = 4;

/// The CSS class for the colour and dash pattern of a series.
pub(super) fn series_class(index: usize) -> String {
    format!("c{} d{}", index % COLOURS, index / COLOURS % DASHES)
}

/// Serializes rows as named columns: an object with a list for each field.
pub(crate) fn columns<R: Serialize, S: Serializer>(
    rows: &[R],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut columns: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for row in rows {
        let row = serde_json::to_value(row).map_err(S::Error::custom)?;
        for (name, value) in row.as_object().into_iter().flatten() {
            columns.entry(name.clone()).or_default().push(value.clone());
        }
    }
    columns.serialize(serializer)
}

/// JSON that cannot close the script element that contains it.
pub(crate) fn json(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).expect("plain data");
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_become_named_columns() {
        let rows = [json!({ "a": 1, "b": null }), json!({ "a": 2, "b": [3, 4] })];
        let found = columns(&rows, serde_json::value::Serializer).expect("plain data");
        assert_eq!(found, json!({ "a": [1, 2], "b": [null, [3, 4]] }));
    }

    #[test]
    fn names_of_variants_break_between_settings_but_not_in_numbers() {
        let shown = |name| agent_name(name).into_string();
        assert_eq!(shown("mcts-fast"), "mcts-fast");
        assert_eq!(shown("a.b/c"), "a.b/c");
        assert_eq!(
            shown("a{search.exploration=0.5,x=1}"),
            "a{<wbr>search.<wbr>exploration=<wbr>0.5,<wbr>x=<wbr>1}"
        );
        assert_eq!(shown("ä{é=<}"), "ä{<wbr>é=<wbr>&lt;}");
    }
}
