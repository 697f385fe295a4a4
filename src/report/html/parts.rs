//! What the sections are made of.

use maud::{Markup, html};

/// Anchors and names of the sections, for the navigation.
pub(super) const CONTENTS: [(&str, &str); 8] = [
    ("standings", "Standings"),
    ("crosstable", "Crosstable"),
    ("viewer", "Watch games"),
    ("first-player", "First player"),
    ("games", "The games"),
    ("branching", "Branching"),
    ("patches", "Patches"),
    ("thinking", "Searches"),
];

/// A section with its heading.
pub(super) fn panel(id: &str, title: &str, content: &Markup) -> Markup {
    html! {
        section.panel id=(id) aria-labelledby={ (id) "-title" } {
            h2 id={ (id) "-title" } { (title) }
            (content)
        }
    }
}

/// A table that scrolls in a box of its own when it is wider than the page.
pub(super) fn table_box(caption: &str, rows: &Markup) -> Markup {
    html! {
        div.box tabindex="0" role="region" aria-label=(caption) {
            table { caption.hidden { (caption) } (rows) }
        }
    }
}

/// A plot with what its vertical axis counts and its numbers as a table.
pub(super) fn figure(axis: &str, plot: &Markup, numbers: &Markup) -> Markup {
    html! {
        figure {
            p.axis { (axis) }
            (plot)
            details { summary { "The numbers" } (numbers) }
        }
    }
}

/// The class of the colour and the dashes of a series.
pub(super) fn series_class(index: usize) -> String {
    format!("c{} d{}", index % 8, index / 8 % 3)
}

/// Both ends of an interval, if it has them.
pub(super) fn ends(low: Option<f64>, high: Option<f64>) -> Option<(f64, f64)> {
    low.zip(high)
}

/// An interval in words.
pub(super) fn to(low: Option<f64>, high: Option<f64>, format: impl Fn(f64) -> String) -> String {
    ends(low, high).map_or_else(
        || "–".into(),
        |(low, high)| format!("{} to {}", format(low), format(high)),
    )
}

/// A number, or a dash where the games do not tell it.
pub(super) fn or_dash(value: Option<f64>, format: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "–".into(), format)
}

/// A number without places.
pub(super) fn whole(value: f64) -> String {
    format!("{value:.0}")
}
