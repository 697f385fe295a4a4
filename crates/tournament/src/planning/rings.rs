//! The rings that a tournament is played on, and ring books: files of rings.

use std::path::Path;

use patchwork_engine::game::{PATCH_COUNT, Ring, Rules};
use patchwork_engine::util::InputError;
use patchwork_engine::util::limits;
use patchwork_engine::util::rng::Rng;
use rand::seq::SliceRandom as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The source of the rings of a plan's pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlannedRings {
    /// Every pair of every pairing has its own random ring.
    #[default]
    Own,
    /// Pair p of every pairing has the same random ring. Any effect of a ring then applies equally
    /// to all opponents of an agent, and every ring is played by all of them.
    Common,
    /// Pair p of every pairing has the same ring from a book, whose order is shuffled first. After the last
    /// ring the first one comes again. The shuffle makes the first pairs a random sample of the book, which
    /// matters for a test that may end at any pair.
    Book(Book),
}

impl PlannedRings {
    /// Whether this is [`Self::Own`], the default.
    pub(crate) const fn is_own(&self) -> bool {
        matches!(self, Self::Own)
    }

    /// The number of pairs of a pairing that get distinct rings: the number of rings of a book,
    /// otherwise unlimited.
    pub const fn count(&self) -> Option<u32> {
        match self {
            Self::Own | Self::Common => None,
            Self::Book(book) => Some(book.0.len() as u32),
        }
    }
}

/// A list of rings; not empty.
///
/// It is serialized as a list of strings with one character per patch: its number as a base-36
/// digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book(Vec<Ring>);

impl Book {
    /// The book of these rings, or `None` if the list is empty.
    pub fn new(rings: Vec<Ring>) -> Option<Self> {
        (!rings.is_empty()).then_some(Self(rings))
    }

    /// The rings in the order of the book.
    pub fn rings(&self) -> &[Ring] {
        &self.0
    }

    /// The book with its rings in the order in which a plan uses them.
    pub(crate) fn shuffled(&self, rng: &mut Rng) -> Self {
        let mut book = self.clone();
        book.0.shuffle(rng);
        book
    }
}

impl Book {
    /// Reads a ring book, and the rules that all its rings are for. Each line has the rules, a tab and the 33 patches of the ring.
    /// Anything after another tab is ignored, as are empty lines and lines that begin with `#`.
    ///
    /// # Errors
    /// When the file cannot be read, a line is invalid, a ring occurs twice, the tracks differ, or
    /// there are no rings.
    pub fn read(path: &Path) -> Result<(Rules, Self), InputError> {
        let text = limits::RING_BOOK
            .read_text(path)
            .map_err(|error| InputError::in_file(path, format!("cannot be read: {error}")))?;
        Self::parse(path, &text)
    }

    /// Parses the text of a ring book; the path is used in messages.
    pub fn parse(path: &Path, text: &str) -> Result<(Rules, Self), InputError> {
        let mut lines = std::collections::HashMap::new();
        let mut rings = Vec::new();
        let mut first: Option<(Rules, usize)> = None;
        for (line, text) in (1..).zip(text.lines()) {
            if text.trim().is_empty() || text.starts_with('#') {
                continue;
            }
            let wrong = |what: String| InputError::in_file(path, format!("line {line}: {what}"));
            let (rules, ring) = parse_line(text).map_err(wrong)?;
            let &mut (expected, at) = first.get_or_insert((rules, line));
            if rules != expected {
                return Err(wrong(format!(
                    "the {rules} track, but {expected} in line {at}; expected one track in a ring book"
                )));
            }
            if let Some(before) = lines.insert(ring, line) {
                return Err(wrong(format!(
                    "the same ring as in line {before}; expected each ring once"
                )));
            }
            rings.push(ring);
        }
        match (first, Self::new(rings)) {
            (Some((rules, _)), Some(book)) => Ok((rules, book)),
            _ => Err(InputError::in_file(
                path,
                "holds no rings; expected lines of a track, a tab and the 33 patches of a ring",
            )),
        }
    }
}

/// Checks that a book for rules suits a plan with these rules, or with those of the book if none are given.
///
/// # Errors
/// When the book is for other rules.
pub fn check_rules(of_book: Rules, rules: Option<Rules>) -> Result<Rules, String> {
    match rules {
        Some(rules) if rules != of_book => Err(format!(
            "the book is for the {of_book} track, but the track is {rules}"
        )),
        _ => Ok(of_book),
    }
}

fn parse_line(text: &str) -> Result<(Rules, Ring), String> {
    let mut columns = text.split('\t');
    let (Some(track), Some(ring)) = (columns.next(), columns.next()) else {
        return Err("expected a track, a tab and the 33 patches of a ring".to_owned());
    };
    let rules = track.trim().parse().map_err(|error| format!("{error}"))?;
    let ring = ring.parse().map_err(|error| format!("{error}"))?;
    Ok((rules, ring))
}

const RADIX: u32 = PATCH_COUNT as u32 + 3;

impl Serialize for Book {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let digit = |number: u8| char::from_digit(number.into(), RADIX).unwrap_or_default();
        to.collect_seq(
            self.0
                .iter()
                .map(|ring| -> String { ring.numbers().into_iter().map(digit).collect() }),
        )
    }
}

impl<'de> Deserialize<'de> for Book {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        let ring = |text: String| {
            let number = |c: char| c.to_digit(RADIX).map_or(0, |number| number as u8);
            let numbers: Vec<u8> = text.chars().map(number).collect();
            Ring::new(&numbers).map_err(D::Error::custom)
        };
        let texts = Vec::<String>::deserialize(from)?;
        let rings = texts.into_iter().map(ring).collect::<Result<_, _>>()?;
        Self::new(rings).ok_or_else(|| D::Error::custom("a ring book without rings"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_engine::testing::ring;

    fn parse(text: &str) -> Result<(Rules, Book), String> {
        Book::parse(Path::new("r.tsv"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn books_are_read() {
        let text = format!(
            "# balanced\n\nrevised\t{}\t0.5\tmore\nrevised\t{}\n  \n",
            ring(1),
            ring(2).to_string().replace(' ', ",")
        );
        let (rules, book) = parse(&text).unwrap();
        assert_eq!(rules.to_string(), "revised");
        assert_eq!(book.rings(), [ring(1), ring(2)]);
        let windows = text.replace('\n', "\r\n");
        assert_eq!(parse(&windows).unwrap(), (rules, book));
    }

    #[test]
    fn bad_lines_are_named() {
        let good = format!("original\t{}\n", ring(1));
        for (text, expected) in [
            (String::new(), "r.tsv: holds no rings"),
            ("# nothing\n".to_owned(), "r.tsv: holds no rings"),
            (format!("{good}x\n"), "r.tsv: line 2: expected a track"),
            (
                format!("\n{}", good.replace("original", "orignal")),
                "r.tsv: line 2: ",
            ),
            (
                format!("{good}original\t1 2 3\n"),
                "r.tsv: line 2: patch 4 is missing",
            ),
            (
                format!("{good}revised\t{}\n", ring(2)),
                "r.tsv: line 2: the revised track, but original in line 1",
            ),
            (
                format!("{good}\n{good}"),
                "r.tsv: line 3: the same ring as in line 1",
            ),
        ] {
            let error = parse(&text).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
        let error = Book::read(Path::new("no-such-file")).unwrap_err();
        assert!(error.to_string().starts_with("no-such-file: cannot be"));
    }

    #[test]
    fn rings_are_kept_in_33_characters() {
        let rings = PlannedRings::Book(Book::new(vec![ring(1), ring(2)]).unwrap());
        let json = serde_json::to_value(&rings).unwrap();
        let first = json["book"][0].as_str().unwrap();
        assert!(first.len() == 33 && first.ends_with('1'), "{first}");
        assert_eq!(serde_json::from_value::<PlannedRings>(json).unwrap(), rings);
        for bad in [
            "{\"book\":[]}",
            "{\"book\":[\"123\"]}",
            "{\"book\":[\"é!\"]}",
        ] {
            assert!(serde_json::from_str::<PlannedRings>(bad).is_err(), "{bad}");
        }
        assert_eq!(
            serde_json::to_string(&PlannedRings::Common).unwrap(),
            "\"common\""
        );
    }
}
