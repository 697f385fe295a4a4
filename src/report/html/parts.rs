//! The building blocks of the page.

use maud::{Markup, html};

/// A section with its heading.
pub(super) fn panel(id: &str, title: &str, content: &Markup) -> Markup {
    html! {
        section.panel id=(id) aria-labelledby={ (id) "-title" } {
            h2 id={ (id) "-title" } { (title) }
            (content)
        }
    }
}

/// A table that scrolls inside its own box if it is wider than the page.
pub(super) fn table_box(caption: &str, tall: bool, rows: &Markup) -> Markup {
    html! {
        div.box.tall[tall] tabindex="0" role="group" aria-label=(caption) {
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

/// JSON that cannot close the script element that contains it.
pub(super) fn json(value: &impl serde::Serialize) -> String {
    let json = serde_json::to_string(value).expect("plain data");
    json.replace('<', "\\u003c")
}
