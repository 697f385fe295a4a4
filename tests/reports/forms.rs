//! The four formats of a report, and their tables read back.

use std::collections::BTreeMap;

use patchwork_report::document::{CsvTable, TextForm};
use patchwork_report::{TournamentReport, write_games_table};
use patchwork_tournament::Results;
use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;

/// A report in all its formats.
pub(crate) struct Forms {
    pub(crate) brief: String,
    pub(crate) full: String,
    /// The full text without a width limit.
    pub(crate) wide: String,
    pub(crate) json: String,
    pub(crate) page: String,
    /// By the names of the tables, with that of the games.
    pub(crate) csv: BTreeMap<&'static str, String>,
}

/// A table as people see it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SeenTable {
    pub(crate) section: String,
    /// Empty in the text if it is the section's title.
    pub(crate) title: String,
    pub(crate) heads: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    /// For each row, whether its bar has an arrow to the left and to the right; only on the page.
    pub(crate) arrows: Vec<[bool; 2]>,
}

impl Forms {
    pub(crate) fn of(results: &Results) -> Self {
        const TAKES: &str = "writing to a vector cannot fail";
        let report = TournamentReport::new(results).expect("readable");
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
        let mut games = Vec::new();
        write_games_table(results, &mut games).expect("readable");
        let games = [("games", String::from_utf8(games).expect("text"))];
        let csv = CsvTable::all().map(|table| {
            let mut csv = Vec::new();
            report.write_csv(table, &mut csv).expect(TAKES);
            (table.name(), String::from_utf8(csv).expect("text"))
        });
        Self {
            brief: text(80, false),
            full: text(80, true),
            wide: text(1000, true),
            json: String::from_utf8(json).expect("text"),
            page: String::from_utf8(page).expect("text"),
            csv: csv.chain(games).collect(),
        }
    }

    /// Everything as one text.
    pub(crate) fn all(&self) -> String {
        let texts = [&self.brief, &self.full, &self.wide, &self.json, &self.page];
        let texts = texts.into_iter().chain(self.csv.values());
        texts.map(String::as_str).collect()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.json).expect("JSON")
    }

    /// The rows of a CSV table, by column.
    pub(crate) fn csv(&self, table: &str) -> Vec<BTreeMap<String, String>> {
        let mut reader = csv::Reader::from_reader(self.csv[table].as_bytes());
        let rows = reader.deserialize();
        rows.map(|row| row.expect("CSV")).collect()
    }
}

/// The tables of a text: a line of dashes below the headings shows where the columns are.
pub(crate) fn text_tables(text: &str) -> Vec<SeenTable> {
    let lines: Vec<&str> = text.lines().collect();
    let is_rule = |line: &str| {
        !line.is_empty()
            && line
                .split("  ")
                .all(|part| !part.is_empty() && part.chars().all(|c| c == '-'))
    };
    let mut tables: Vec<SeenTable> = Vec::new();
    let mut section = "";
    for (at, line) in lines.iter().enumerate() {
        if at > 0 && lines[at - 1].is_empty() && !line.starts_with(' ') {
            section = line;
        }
        if !is_rule(line) {
            continue;
        }
        let mut places = Vec::new();
        let mut from = 0;
        for part in line.split("  ") {
            places.push(from..from + part.len());
            from += part.len() + 2;
        }
        let cells = |line: &str| -> Vec<String> {
            let letters: Vec<char> = line.chars().collect();
            let cell = |place: &std::ops::Range<usize>| {
                let end = place.end.min(letters.len());
                let letters = letters.get(place.start.min(end)..end);
                let cell: String = letters.unwrap_or_default().iter().collect();
                cell.trim().to_owned()
            };
            places.iter().map(cell).collect()
        };
        let last = lines[at + 1..]
            .iter()
            .position(|line| line.is_empty() || is_after(line, &places));
        let last = last.map_or(lines.len(), |count| at + 1 + count);
        let above = lines[at - 2];
        tables.push(SeenTable {
            section: section.to_owned(),
            title: if above == section || above.starts_with(' ') {
                String::new()
            } else {
                above.to_owned()
            },
            heads: cells(lines[at - 1]),
            rows: lines[at + 1..last].iter().map(|line| cells(line)).collect(),
            arrows: Vec::new(),
        });
    }
    tables
}

/// The grids of a text: a line with the numbers of the columns, then lines with a number, a name and cells of
/// six characters.
pub(crate) fn text_grids(text: &str) -> Vec<SeenTable> {
    const CELL: usize = 6;
    let mut grids = Vec::new();
    let mut section = "";
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        if at > 0 && lines[at - 1].is_empty() && !line.starts_with(' ') {
            section = line;
        }
        let heads: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let numbers = (1..=heads.len()).map(|number| number.to_string());
        if heads.len() < 2 || !numbers.eq(heads.iter().cloned()) {
            continue;
        }
        let names = line.len() - CELL * heads.len();
        let row = |line: &&str| -> Vec<String> {
            let cell = |from: usize, to: usize| {
                let end = to.min(line.len());
                line[from.min(end)..end].trim().to_owned()
            };
            let cells = (0..heads.len()).map(|i| names + CELL * i);
            let cells = cells.map(|from| cell(from, from + CELL));
            [cell(0, names)].into_iter().chain(cells).collect()
        };
        let rows = lines[at + 1..].iter().take(heads.len());
        grids.push(SeenTable {
            section: section.to_owned(),
            title: String::new(),
            rows: rows.map(row).collect(),
            heads,
            arrows: Vec::new(),
        });
    }
    grids
}

/// The sentences of a text, which are indented by one space and continued with three.
pub(crate) fn text_notes(text: &str) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    let mut before = "";
    for line in text.lines() {
        let more = line.strip_prefix("   ");
        let more = more.filter(|more| !more.starts_with(' ') && !more.contains("  "));
        let indent = before.starts_with(' ');
        match (more, notes.last_mut()) {
            (Some(more), Some(note)) if indent => *note = format!("{note} {more}"),
            _ => {
                let note = line.strip_prefix(' ');
                let note = note.filter(|note| note.contains(' ') && note.ends_with('.'));
                notes.extend(
                    note.filter(|note| !note.starts_with(' '))
                        .map(str::to_owned),
                );
            }
        }
        before = line;
    }
    notes
}

/// Whether a line below a table no longer belongs to it: a sentence, or the title of the next table.
fn is_after(line: &str, places: &[std::ops::Range<usize>]) -> bool {
    let letters: Vec<char> = line.chars().collect();
    let gaps = places.windows(2).map(|two| two[0].end..two[1].start);
    let is_blank = |gap: std::ops::Range<usize>| {
        let end = gap.end.min(letters.len());
        letters[gap.start.min(end)..end].iter().all(|&c| c == ' ')
    };
    let is_sentence = line.starts_with(' ') && line.ends_with('.');
    is_sentence || !gaps.into_iter().all(is_blank)
}

/// The sections of a page as XML, without the viewer of games.
fn page_sections(page: &str) -> Vec<String> {
    let parts = page.split("<section class=\"panel\" ").skip(1);
    let whole = parts.map(|part| {
        let end = part.find("</section>").expect("a section ends");
        format!("<section {}</section>", &part[..end]).replace("<wbr>", "<wbr/>")
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

/// The tables of a page; bars are read by their arrows.
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
            let arrows = |row: &Node<'_, '_>| {
                ["◂", "▸"].map(|arrow| {
                    let mut parts = row.descendants().filter(Node::is_text);
                    parts.any(|part| part.text() == Some(arrow))
                })
            };
            let caption = table.children().find(|node| node.has_tag_name("caption"));
            let rows = part("tbody");
            tables.push(SeenTable {
                section: section.to_owned(),
                title: caption.map(node_text).unwrap_or_default(),
                heads: part("thead").first().map(cells).unwrap_or_default(),
                rows: rows.iter().map(cells).collect(),
                arrows: rows.iter().map(arrows).collect(),
            });
        }
    });
    tables
}

/// The sentences of a page's sections.
pub(crate) fn page_notes(page: &str) -> Vec<String> {
    let mut notes = Vec::new();
    each_section(page, |_, root| {
        let paragraphs = root.descendants().filter(|node| node.has_tag_name("p"));
        notes.extend(paragraphs.map(node_text));
    });
    notes
}

/// The sentences of the first screen of a page.
pub(crate) fn page_answers(page: &str) -> Vec<String> {
    let start = page.find("<dl class=\"answers\"").expect("answers");
    let end = start + page[start..].find("</dl>").expect("a list ends") + "</dl>".len();
    let document = Document::parse(&page[start..end]).expect("XML");
    let lines = document.descendants().filter(|node| node.has_tag_name("p"));
    lines.map(node_text).collect()
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
