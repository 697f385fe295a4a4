//! Text from files and results, made safe for a terminal.

use std::borrow::Cow;
use std::io::{self, Write};

/// Whether a character can affect a terminal in other ways than by appearing: control characters other than
/// line ends and tabs, and characters that change the direction of text.
fn is_hostile(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        letter => letter.is_control(),
    }
}

/// A text with hostile characters written as in JSON: `\u001b`.
///
/// ```
/// use patchwork_report::document::escape::escaped;
///
/// assert_eq!(escaped("a name"), "a name");
/// assert_eq!(escaped("\u{1b}[31mred"), "\\u001b[31mred");
/// ```
pub fn escaped(text: &str) -> Cow<'_, str> {
    escaped_where(text, is_hostile)
}

/// A text on one line: line ends and tabs are escaped as well.
///
/// ```
/// use patchwork_report::document::escape::escaped_line;
///
/// assert_eq!(escaped_line("a\nb"), "a\\u000ab");
/// ```
pub fn escaped_line(text: &str) -> Cow<'_, str> {
    escaped_where(text, |letter| {
        matches!(letter, '\n' | '\t') || is_hostile(letter)
    })
}

fn escaped_where(text: &str, is_bad: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_bad) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_bad(letter) {
            safe += &format!("\\u{:04x}", u32::from(letter));
        } else {
            safe.push(letter);
        }
    }
    Cow::Owned(safe)
}

/// A writer that escapes the text that passes through it. An escaped JSON document keeps its meaning.
pub struct EscapingWriter<W> {
    out: W,
    /// Whether colour sequences pass unchanged.
    colours: bool,
    /// An incomplete character or sequence at the end of the last write.
    rest: Vec<u8>,
}

/// Maximum length of a colour sequence in bytes.
const LONGEST_COLOUR: usize = 24;

impl<W: Write> EscapingWriter<W> {
    /// A writer to this output. With `colours`, which is for terminals, colour sequences pass unchanged.
    pub const fn new(out: W, colours: bool) -> Self {
        Self {
            out,
            colours,
            rest: Vec::new(),
        }
    }

    /// Writes text without colours.
    fn text(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(escaped(text).as_bytes())
    }

    /// Writes text with colour sequences; returns an incomplete sequence at its end.
    fn coloured<'a>(&mut self, text: &'a str) -> io::Result<&'a str> {
        let mut left = text;
        while let Some(at) = left.find('\u{1b}').filter(|_| self.colours) {
            self.text(&left[..at])?;
            left = &left[at..];
            match colour(left.as_bytes()) {
                None => return Ok(left),
                Some(0) => {
                    self.text("\u{1b}")?;
                    left = &left[1..];
                }
                Some(length) => {
                    self.out.write_all(&left.as_bytes()[..length])?;
                    left = &left[length..];
                }
            }
        }
        self.text(left)?;
        Ok("")
    }
}

/// The length of the colour sequence that begins with this ESC character, 0 if it begins something else; `None` if what
/// follows these bytes decides that.
fn colour(bytes: &[u8]) -> Option<usize> {
    if *bytes.get(1)? != b'[' {
        return Some(0);
    }
    let is_parameter = |byte: &u8| byte.is_ascii_digit() || *byte == b';';
    let end = bytes[2..].iter().position(|byte| !is_parameter(byte));
    match end {
        Some(end) if bytes[2 + end] == b'm' => Some(end + 3),
        None if bytes.len() < LONGEST_COLOUR => None,
        _ => Some(0),
    }
}

impl<W: Write> Write for EscapingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = std::mem::take(&mut self.rest);
        all.extend_from_slice(bytes);
        let mut left = &all[..];
        while !left.is_empty() {
            let (length, error) = match std::str::from_utf8(left) {
                Ok(text) => (text.len(), None),
                Err(error) => (error.valid_up_to(), Some(error)),
            };
            let text = std::str::from_utf8(&left[..length]).unwrap_or_default();
            let begun = self.coloured(text)?.len();
            let Some(error) = error else {
                self.rest = left[length - begun..].to_vec();
                break;
            };
            // Bytes that are not text end a sequence.
            let begun = std::str::from_utf8(&left[length - begun..length]).unwrap_or_default();
            self.text(begun)?;
            let Some(bad) = error.error_len() else {
                // The character continues in the next write.
                self.rest = left[length..].to_vec();
                break;
            };
            self.out.write_all("\u{fffd}".as_bytes())?;
            left = &left[length + bad..];
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.rest.starts_with(b"\x1b") {
            let rest = std::mem::take(&mut self.rest);
            self.text(&String::from_utf8_lossy(&rest))?;
        }
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nothing_hostile_gets_through() {
        for (text, expected) in [
            ("plain \u{e4}\n\t\u{1f600}", "plain \u{e4}\n\t\u{1f600}"),
            ("\u{1b}]0;title\u{7}", "\\u001b]0;title\\u0007"),
            (
                "a\rb\u{8}c\u{7f}\u{9b}31m",
                "a\\u000db\\u0008c\\u007f\\u009b31m",
            ),
            ("abc\u{202e}fed", "abc\\u202efed"),
        ] {
            assert_eq!(escaped(text), expected);
        }
    }

    #[test]
    fn colours_pass_where_they_are_wanted_and_nothing_else() {
        let text = "\u{1b}[1;31mred\u{1b}[0m \u{1b}[2Jx\u{1b}]0;t\u{7}\u{1b}";
        let expected = "\u{1b}[1;31mred\u{1b}[0m \\u001b[2Jx\\u001b]0;t\\u0007\\u001b";
        for size in 1..text.len() {
            let mut out = Vec::new();
            let mut writer = EscapingWriter::new(&mut out, true);
            for part in text.as_bytes().chunks(size) {
                writer.write_all(part).expect("in memory");
            }
            writer.flush().expect("in memory");
            assert_eq!(String::from_utf8(out).expect("UTF-8"), expected, "{size}");
        }
    }

    proptest! {
        #[test]
        fn the_writer_escapes_whatever_the_parts(
            text in "[a\u{1b}\u{9b}\u{e4}\u{202e}\u{1f600}\n]{0,30}",
            size in 1..5_usize,
        ) {
            let mut out = Vec::new();
            let mut writer = EscapingWriter::new(&mut out, false);
            for part in text.as_bytes().chunks(size) {
                writer.write_all(part)?;
            }
            drop(writer);
            let written = String::from_utf8(out).expect("UTF-8");
            prop_assert_eq!(written, escaped(&text));
        }

        #[test]
        fn any_bytes_are_text_then(bytes in prop::collection::vec(any::<u8>(), 0..50)) {
            let mut out = Vec::new();
            EscapingWriter::new(&mut out, false).write_all(&bytes)?;
            let written = String::from_utf8(out).expect("UTF-8");
            prop_assert!(!written.chars().any(is_hostile));
        }
    }
}
