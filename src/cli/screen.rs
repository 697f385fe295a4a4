//! Lines in a terminal that are drawn over and over in the same place.

use std::io;

use console::Term;

use super::progress::can_show_a_bar;

/// The bottom of the terminal that the standard error goes to.
pub(super) struct Screen {
    term: Term,
    /// How many lines are there.
    drawn: usize,
}

impl Screen {
    /// A screen, if both outputs go to a terminal that can be drawn on.
    pub(super) fn new() -> Option<Self> {
        (Term::stdout().is_term() && can_show_a_bar()).then(|| Self {
            term: Term::buffered_stderr(),
            drawn: 0,
        })
    }

    /// Letters in a line.
    pub(super) fn width(&self) -> usize {
        usize::from(self.term.size().1).saturating_sub(1).max(1)
    }

    /// Draws these lines over the ones that are there, as many as there is room for. Everything is
    /// written at once and each line over the old one, so that nothing flickers.
    pub(super) fn draw(&mut self, lines: &[String]) -> io::Result<()> {
        let room = usize::from(self.term.size().0).saturating_sub(1);
        let width = self.width();
        if self.drawn > 0 {
            self.term.move_cursor_up(self.drawn)?;
        }
        let lines = &lines[..lines.len().min(room)];
        for line in lines {
            let cut: String = line.chars().take(width).collect();
            self.term.write_line(&format!("{cut:<width$}"))?;
        }
        if lines.len() < self.drawn {
            self.term.clear_to_end_of_screen()?;
        }
        self.drawn = lines.len();
        self.term.flush()
    }

    /// Leaves no trace.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        self.draw(&[])
    }
}
