//! Lines of text, with limits.

use std::borrow::Cow;
use std::io::{self, BufRead, Read as _};

use super::limits::{LONGEST_LINE, size};

/// The message for a failure to read.
pub fn unreadable(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}

/// The lines of an input, none of which may be longer than [`LONGEST_LINE`].
pub struct TextLines<R> {
    input: R,
    /// What ends a line: a line feed, or a carriage return in a file that begins without line feeds.
    end: u8,
    line: Vec<u8>,
    number: u64,
}

impl<R: BufRead> TextLines<R> {
    /// The lines of a text, from the first.
    pub const fn new(input: R) -> Self {
        Self {
            input,
            end: b'\n',
            line: Vec::new(),
            number: 0,
        }
    }

    /// The number of the line read last, from 1.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The line read last, without its end.
    pub fn line(&self) -> &[u8] {
        &self.line
    }

    /// The next line without its end; the error is a sentence.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, String> {
        if self.number == 0 {
            let start = self.input.fill_buf().map_err(|error| unreadable(&error))?;
            if start.contains(&b'\r') && !start.contains(&b'\n') {
                self.end = b'\r';
            }
        }
        self.line.clear();
        self.number += 1;
        let most = LONGEST_LINE as u64 + 1;
        let input = (&mut self.input).take(most);
        let read = { input }.read_until(self.end, &mut self.line);
        let count = read.map_err(|error| unreadable(&error))?;
        if self.line.len() > LONGEST_LINE {
            let (number, most) = (self.number, size(LONGEST_LINE as u64));
            return Err(format!(
                "line {number} is longer than {most}, the limit for a line"
            ));
        }
        for end in [b'\n', b'\r'] {
            self.line.pop_if(|last| *last == end);
        }
        Ok((count > 0).then_some(&self.line))
    }

    /// The next line as text.
    pub fn next_text(&mut self) -> Result<Option<Cow<'_, str>>, String> {
        let Some(line) = self.next_line()? else {
            return Ok(None);
        };
        Ok(Some(text_of(line)))
    }
}

/// The text of a line in UTF-8, or in ISO 8859-1, in which PGN was defined and many tools still write.
pub fn text_of(line: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(line) {
        return Cow::Borrowed(text);
    }
    let parts = line.utf8_chunks();
    let text = parts.flat_map(|part| {
        let others = part.invalid().iter().copied().map(char::from);
        part.valid().chars().chain(others)
    });
    Cow::Owned(text.collect())
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn a_line_without_end_is_an_error_after_the_limit() {
        let mut lines = TextLines::new(BufReader::new(io::repeat(0)));
        let told = lines.next_line().expect_err("too long");
        assert_eq!(told, "line 1 is longer than 4 MB, the limit for a line");
        assert!(lines.line.len() <= LONGEST_LINE + 1);
    }
}
