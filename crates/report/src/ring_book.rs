//! A file of rings that tournaments can use as their setups.

use std::io;

use patchwork_rating::Estimate;

use super::header::Header;
use crate::document::counted;
use patchwork_tournament::Archive;
use patchwork_tournament::stats::{ChanceFrom, RingBias, RingStatistics};

/// Which rings a ring book contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RingChoice {
    /// All rings, the most balanced first.
    #[default]
    All,
    /// Rings that are not known to favour either player, the most balanced first.
    Balanced,
    /// Rings that favour the first player, the most certain first.
    First,
    /// Rings that favour the second player, the most certain first.
    Second,
}

/// Writes one ring per line: the track, the ring and its statistics, separated by tabs. Lines that
/// start with `#` describe the columns and the origin of the rings. `games` are those of the statistics.
pub(super) fn write_ring_book(
    out: impl io::Write,
    header: &Header,
    rings: &RingStatistics,
    games: &Archive,
    choice: RingChoice,
    most: usize,
) -> io::Result<()> {
    let none = |what: String| Err(io::Error::new(io::ErrorKind::InvalidData, what));
    if rings.all.is_empty() {
        return none("no ring has been played in both legs of a pair yet".to_owned());
    }
    if rings.margin.share.value.is_none() || rings.rings < 4 {
        return none(format!(
            "which seat a ring favours cannot be told from {}; at least 4 rings and some chance are needed",
            counted(rings.rings, "ring")
        ));
    }
    let may_be_fair = |bias: &Estimate| {
        let ends = bias.interval();
        ends.is_some_and(|(low, high)| low <= 0.0 && high >= 0.0)
    };
    let found = match choice {
        RingChoice::All => rings.all.most_balanced(most, games, |_| true),
        RingChoice::Balanced => rings.all.most_balanced(most, games, may_be_fair),
        RingChoice::First => rings.all.favouring_first(most, games),
        RingChoice::Second => rings.all.favouring_second(most, games),
    };
    if found.is_empty() {
        return none(format!("none of the {} rings is of this kind", rings.rings));
    }
    write_rings(out, header, rings, &found)
}

fn write_rings(
    mut out: impl io::Write,
    header: &Header,
    rings: &RingStatistics,
    found: &[RingBias],
) -> io::Result<()> {
    let (name, version) = (&header.name, &header.version);
    writeln!(
        out,
        "# {} of {} rings from {name} (seed {}, version {version})",
        found.len(),
        rings.rings,
        header.seed
    )?;
    writeln!(
        out,
        "# bias: the margin in points that is expected of the first player; low, high: its 95% interval"
    )?;
    if rings.margin.from == Some(ChanceFrom::Legs) {
        writeln!(
            out,
            "# too few rings were played by several pairs: a bias is that for the two agents that played the ring"
        )?;
    }
    writeln!(out, "# track\tring\tbias\tlow\thigh\tgames\tfirst_wins")?;
    for ring in found {
        let number =
            |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
        writeln!(
            out,
            "{}\t{}\t{}\t{}\t{}\t{}\t{}",
            ring.rules,
            ring.ring,
            number(ring.bias.value),
            number(ring.bias.low),
            number(ring.bias.high),
            ring.games,
            ring.first_wins
        )?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::test_header;
    use crate::support::tournaments::{PAIRINGS, names, tournament};
    use patchwork_engine::game::{Ring, Track};
    use patchwork_tournament::stats::Summary;

    #[test]
    fn lines_are_a_track_a_ring_and_more() {
        let entries = tournament(8);
        let summary = Summary::new(&names(), &PAIRINGS, &entries);
        let games = entries.iter().cloned().collect();
        let found = summary.rings.all.most_balanced(24, &games, |_| true);
        let mut text = Vec::new();
        write_rings(&mut text, &test_header(48), &summary.rings, &found).expect("written");
        let text = String::from_utf8(text).expect("text");
        let lines: Vec<Vec<&str>> = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split('\t').collect())
            .collect();
        assert_eq!((lines.len(), summary.rings.all.len()), (24, 24));
        let mut farthest = 0.0;
        for line in &lines {
            assert_eq!(line[0].parse(), Ok(Track::Original));
            let ring: Ring = line[1].parse().expect("a ring");
            let rings = entries.iter().map(|entry| entry.record.setup.ring());
            let played = rings.filter(|played| **played == ring).count();
            assert_eq!(played.to_string(), line[5]);
            let [bias, low, high] = [2, 3, 4].map(|i| line[i].parse::<f64>().expect("a number"));
            assert!(low <= bias && bias <= high);
            // The most balanced ring comes first; the tolerance is for the rounded text.
            assert!(low.abs().max(high.abs()) >= farthest - 0.011);
            farthest = low.abs().max(high.abs());
        }
    }
}
