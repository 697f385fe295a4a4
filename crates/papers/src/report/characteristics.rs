//! The characteristics of the game beside the published ones, as text.

use std::io;

use crate::characterize::{Characteristics, PUBLISHED};
use patchwork_report::document::{LineTable, UNKNOWN};

/// Writes the numbers beside the published ones.
pub fn write_characteristics(out: &mut dyn io::Write, found: &Characteristics) -> io::Result<()> {
    let Characteristics {
        agent, games, seed, ..
    } = found;
    writeln!(out, "{agent} against itself: {games} games, seed {seed}\n")?;
    let table = LineTable::new(1).left("", 46).right("mean", 6);
    let table = table.right("95%", 15).right("published", 10);
    writeln!(out, "{}", table.head())?;
    let [first, second, branching, wins] = PUBLISHED.map(Some);
    for (name, value, published) in [
        ("plies of the first player", found.first_plies, first),
        ("plies of the second player", found.second_plies, second),
        ("  without special patches, first", found.first_turns, None),
        (
            "  without special patches, second",
            found.second_turns,
            None,
        ),
        ("branching factor, all legal actions", found.branching, None),
        (
            "  the paper's count, last patch on offer",
            found.papers_branching,
            branching,
        ),
        (
            "games won by the first player, %",
            found.first_wins.scaled(100.0),
            wins,
        ),
    ] {
        let number = |number: f64| format!("{number:.1}");
        let mean = value.value.map(number);
        let interval = value.interval_as(number);
        let known = |text: Option<String>| text.unwrap_or_else(|| UNKNOWN.to_owned());
        let published = published.map(number).unwrap_or_default();
        let line = table.line(&[&name, &known(mean), &known(interval), &published]);
        writeln!(out, "{line}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use patchwork_engine::game::Rules;

    use super::*;
    use crate::characterize::{characterize, papers_agent};

    #[test]
    fn the_published_numbers_are_beside_ours() {
        let found = characterize("greedy", &papers_agent(), Rules::default(), 2, 1, || ());
        let mut text = Vec::new();
        write_characteristics(&mut text, &found.expect("legal games")).expect("a vector");
        let text = String::from_utf8(text).expect("text");
        assert!(text.starts_with("greedy against itself: 2 games, seed 1\n\n"));
        assert!(text.contains("83.2\n"), "{text}");
    }
}
