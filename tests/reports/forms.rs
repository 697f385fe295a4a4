//! The four forms of a report, and their tables as they are read back.

use patchwork_arena::report::{TextForm, TournamentReport};
use patchwork_arena::tournament::Results;
use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;

/// A report in all its forms.
pub(crate) struct Forms {
    pub(crate) brief: String,
    pub(crate) full: String,
    pub(crate) json: String,
    pub(crate) page: String,
}

/// A table as people see it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SeenTable {
    pub(crate) section: String,
    pub(crate) title: String,
    pub(crate) heads: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Forms {
    pub(crate) fn of(results: &Results) -> Self {
        const TAKES: &str = "a vector takes all";
        let report = TournamentReport::new(results);
        let text = |width, full| {
            let mut text = Vec::new();
            let form = TextForm {
                width,
                full,
                colour: false,
            };
            report.write_text(&mut text, form).expect(TAKES);
            String::from_utf8(text).expect("text")
        };
        let mut json = Vec::new();
        report.write_json(&mut json).expect(TAKES);
        let mut page = Vec::new();
        report.write_page(&mut page).expect("legal games");
        Self {
            brief: text(80, false),
            full: text(80, true),
            json: String::from_utf8(json).expect("text"),
            page: String::from_utf8(page).expect("text"),
        }
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.json).expect("JSON")
    }
}

/// The sections of a page as XML, without the viewer of games.
fn page_sections(page: &str) -> Vec<String> {
    let parts = page.split("<section class=\"panel\" ").skip(1);
    let whole = parts.map(|part| {
        let end = part.find("</section>").expect("a section ends");
        format!("<section {}</section>", &part[..end])
    });
    whole
        .filter(|part| !part.starts_with("<section id=\"viewer\""))
        .collect()
}

/// The text of a node.
fn node_text(node: Node<'_, '_>) -> String {
    let parts = node.descendants().filter(Node::is_text);
    let text: String = parts.filter_map(|part| part.text()).collect();
    text.trim().to_owned()
}

fn has_class(node: Node<'_, '_>, class: &str) -> bool {
    let classes = node.attribute("class").unwrap_or_default();
    classes.split(' ').any(|own| own == class)
}

/// Looks at each section of a page.
pub(crate) fn each_section(page: &str, mut look: impl FnMut(&str, Node<'_, '_>)) {
    for section in page_sections(page) {
        let document = Document::parse_with_options(&section, ParsingOptions::default())
            .unwrap_or_else(|error| panic!("{error}: {section}"));
        let root = document.root_element();
        let title = root.descendants().find(|node| node.has_tag_name("h2"));
        look(&node_text(title.expect("a heading")), root);
    }
}

/// The tables of a page.
pub(crate) fn page_tables(page: &str) -> Vec<SeenTable> {
    let mut tables = Vec::new();
    each_section(page, |section, root| {
        for table in root.descendants().filter(|node| node.has_tag_name("table")) {
            let part = |name: &'static str| {
                let found = table.children().find(|node| node.has_tag_name(name));
                let rows = found.into_iter().flat_map(|part| part.children());
                rows.filter(|row| row.has_tag_name("tr"))
                    .collect::<Vec<_>>()
            };
            let cells = |row: &Node<'_, '_>| -> Vec<String> {
                let cells = row.children().filter(Node::is_element);
                let told = cells.filter(|cell| !has_class(*cell, "strips"));
                told.map(node_text).collect()
            };
            let caption = table.children().find(|node| node.has_tag_name("caption"));
            let rows = part("tbody");
            tables.push(SeenTable {
                section: section.to_owned(),
                title: caption.map(node_text).unwrap_or_default(),
                heads: part("thead").first().map(cells).unwrap_or_default(),
                rows: rows.iter().map(cells).collect(),
            });
        }
    });
    tables
}

/// The headlines of a page: value, name and more.
pub(crate) fn page_cards(page: &str) -> Vec<[String; 3]> {
    let Some(start) = page.find("<ul class=\"cards\"") else {
        return Vec::new();
    };
    let end = start + page[start..].find("</ul>").expect("a list ends") + "</ul>".len();
    let document = Document::parse(&page[start..end]).expect("XML");
    let items = document.root_element().children();
    let card = |item: Node<'_, '_>| {
        ["value", "name", "more"].map(|class| {
            let part = item.children().find(|node| has_class(*node, class));
            part.map(node_text).unwrap_or_default()
        })
    };
    items.filter(Node::is_element).map(card).collect()
}
