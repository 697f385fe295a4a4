//! How a text is laid out: its width and its emphasis.

use std::borrow::Cow;

use crate::document::escape::escaped_line;
use anstyle::{AnsiColor, Style};
use textwrap::core::display_width;
use textwrap::{WordSeparator, WordSplitter};

/// The width without a terminal.
const USUAL_WIDTH: usize = 80;

/// How a text is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextForm {
    /// Width in columns. No line is longer.
    pub width: usize,
    /// Whether all sections are written, or only the ranking and one line for each other section.
    pub full: bool,
    /// Whether escape codes for colours and bold text are written.
    pub colour: bool,
}

impl Default for TextForm {
    fn default() -> Self {
        Self {
            width: USUAL_WIDTH,
            full: false,
            colour: false,
        }
    }
}

/// Text that is not emphasised.
pub(super) const PLAIN: Style = Style::new();
pub(super) const STRONG: Style = Style::new().bold();
pub(super) const FAINT: Style = Style::new().dimmed();
pub(super) const WARNING: Style = AnsiColor::Yellow.on_default();

impl TextForm {
    /// Text with the escape codes for its style, if colours are on.
    pub(super) fn styled(self, text: &str, style: Style) -> String {
        match self.colour {
            true => format!("{style}{text}{style:#}"),
            false => text.to_owned(),
        }
    }

    /// Text in lines that fit, all but the first indented by `indent`.
    pub(super) fn wrapped(self, text: &str, first: &str, indent: &str) -> String {
        let options = lines(self.width)
            .initial_indent(first)
            .subsequent_indent(indent)
            .break_words(true);
        textwrap::fill(&escaped_line(text), options)
    }
}

/// Lines of this width. Values such as in-order/some/first, and words that are longer, are not broken.
pub(crate) fn lines(width: usize) -> textwrap::Options<'static> {
    textwrap::Options::new(width)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false)
}

/// A line of text in as many lines as fit this width, broken between words. What follows is indented as far as the last
/// column of the line, if that leaves at least half of the width; columns are separated by two spaces. Words that are too
/// long, such as paths, are not broken.
///
/// ```
/// use patchwork_report::document::wrapped_line;
///
/// let line = "greedy  takes the best placement";
/// assert_eq!(wrapped_line(line, 24), "greedy  takes the best\n        placement");
/// ```
pub fn wrapped_line(line: &str, width: usize) -> Cow<'_, str> {
    if display_width(line) <= width {
        return Cow::Borrowed(line);
    }
    let text = line.trim_start();
    let start = line.len() - text.len();
    let columns = text.match_indices("  ").map(|(at, _)| {
        let rest = text[at..].trim_start();
        start + display_width(&text[..text.len() - rest.len()])
    });
    let column = columns.filter(|&column| column <= width / 2).last();
    let indents = [start, column.unwrap_or(start + 2)];
    let [first, other] = indents.map(|indent| " ".repeat(indent.min(width / 2)));
    let options = lines(width)
        .initial_indent(&first)
        .subsequent_indent(&other);
    Cow::Owned(textwrap::fill(text.trim_end(), options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_between_words() {
        for (line, width, expected) in [
            ("short", 80, "short"),
            ("  a line that fits", 18, "  a line that fits"),
            (
                "name  kind  a description of the agent",
                24,
                "name  kind  a\n            description\n            of the agent",
            ),
            ("  some indented words", 16, "  some indented\n    words"),
            ("Page: a/very/long/path", 9, "Page:\n  a/very/long/path"),
            ("a b c", 1, "a\nb\nc"),
        ] {
            assert_eq!(wrapped_line(line, width), expected);
        }
    }
}
