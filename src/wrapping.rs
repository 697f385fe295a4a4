//! Lines that fit a terminal.

use std::io::{self, Write};

use textwrap::core::display_width;
use textwrap::{Options, WordSeparator, WordSplitter};

/// A writer that breaks long lines of text between words. What follows is indented as far as the last column of the
/// line, if that leaves room. Words that are too long, such as paths, are not broken. JSON, which begins with a brace or
/// a bracket, passes unchanged.
pub(super) struct WrappingWriter<W: Write> {
    out: W,
    /// The width in columns; `None` for lines of any length.
    width: Option<usize>,
    /// The line so far.
    line: Vec<u8>,
}

impl<W: Write> WrappingWriter<W> {
    pub(super) const fn new(out: W, width: Option<usize>) -> Self {
        Self {
            out,
            width,
            line: Vec::new(),
        }
    }

    /// Writes the line so far.
    fn end_line(&mut self, width: usize) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        match str::from_utf8(&line) {
            Ok(text) if display_width(text) > width => {
                self.out.write_all(wrapped(text, width).as_bytes())
            }
            _ => self.out.write_all(&line),
        }
    }
}

impl<W: Write> Write for WrappingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if matches!(bytes.first(), Some(b'{' | b'[')) && self.line.is_empty() {
            self.width = None;
        }
        let Some(width) = self.width else {
            return self.out.write(bytes);
        };
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (text, ends) = match part.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (part, false),
            };
            self.line.extend_from_slice(text);
            if ends {
                self.end_line(width)?;
                self.out.write_all(b"\n")?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(width) = self.width {
            self.end_line(width)?;
        }
        self.out.flush()
    }
}

/// A line in several that fit.
fn wrapped(line: &str, width: usize) -> String {
    let indent = " ".repeat(indent(line, width));
    let start = &line[..line.len() - line.trim_start().len()];
    let start = if display_width(start) < width {
        start
    } else {
        ""
    };
    let options = Options::new(width)
        .initial_indent(start)
        .subsequent_indent(&indent)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::fill(line.trim(), options)
}

/// Where the last column of a line begins that leaves at least half of the width; columns are separated by two spaces.
/// Without one, two columns after the start of the line.
fn indent(line: &str, width: usize) -> usize {
    let first = line.len() - line.trim_start().len();
    let gaps = line.match_indices("  ").filter(|(at, _)| *at > first);
    let columns = gaps.map(|(at, _)| {
        let rest = &line[at..];
        display_width(&line[..at]) + rest.len() - rest.trim_start().len()
    });
    let column = columns.filter(|&column| column <= width / 2).last();
    column.unwrap_or(first + 2).min(width / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str, width: Option<usize>) -> String {
        let mut out = Vec::new();
        let mut writer = WrappingWriter::new(&mut out, width);
        for part in text.as_bytes().chunks(3) {
            writer.write_all(part).expect("written");
        }
        writer.flush().expect("written");
        drop(writer);
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn long_lines_are_broken_between_words() {
        let text = "name  kind  a description of the agent\n  indented words\nshort\nno end";
        assert_eq!(written(text, None), text);
        assert_eq!(written(text, Some(80)), text);
        assert_eq!(
            written(text, Some(24)),
            "name  kind  a\n            description\n            of the agent\n  indented words\nshort\nno end"
        );
        assert_eq!(written(text, Some(10)).lines().next(), Some("name  kind"));
        let path = "Page: a/very/long/path";
        assert_eq!(written(path, Some(9)), "Page:\n  a/very/long/path");
        assert_eq!(written("a b c\n", Some(1)), "a\nb\nc\n");
        let json = "{\"a\": \"b c d e f g\"}\n";
        assert_eq!(written(json, Some(5)), json);
    }
}
