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

/// How a part of the text is emphasised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Emphasis {
    #[default]
    Plain,
    Strong,
    Faint,
    Warning,
}

impl TextForm {
    /// Text with the escape codes for its emphasis, if colours are on.
    pub(super) fn styled(self, text: &str, emphasis: Emphasis) -> String {
        let style = match emphasis {
            Emphasis::Plain => return text.to_owned(),
            _ if !self.colour => return text.to_owned(),
            Emphasis::Strong => Style::new().bold(),
            Emphasis::Faint => Style::new().dimmed(),
            Emphasis::Warning => Style::new().fg_color(Some(AnsiColor::Yellow.into())),
        };
        format!("{style}{text}{style:#}")
    }

    /// Text in lines that fit, all but the first indented by `indent`.
    pub(super) fn wrapped(self, text: &str, first: &str, indent: &str) -> String {
        let options = textwrap::Options::new(self.width)
            .initial_indent(first)
            .subsequent_indent(indent)
            .word_separator(WordSeparator::AsciiSpace)
            .word_splitter(WordSplitter::NoHyphenation);
        textwrap::fill(&escaped_line(text), options)
    }
}
