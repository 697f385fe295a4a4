//! How a text is laid out: its width and its emphasis.

use crate::document::escape::escaped_line;
use anstyle::{AnsiColor, Style};
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
