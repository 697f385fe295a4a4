//! Rings as a file that tournaments can take their setups from.

use std::io;

use super::Header;
use crate::stats::{ChanceFrom, RingBias, Rings};

/// Writes rings, one a line: track, ring, then what is known of it, separated by tabs. Lines that
/// begin with `#` say what the columns are and where the rings come from.
///
/// # Errors
/// When the writer fails.
pub fn write_ring_book(
    mut out: impl io::Write,
    header: &Header,
    rings: &Rings,
    found: &[&RingBias],
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
            ring.track,
            ring.ring,
            number(ring.bias),
            number(ring.low),
            number(ring.high),
            ring.games,
            ring.first_wins
        )?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Ring, Track};
    use crate::report::test_header;
    use crate::stats::Summary;
    use crate::support::tournaments::{PAIRINGS, names, tournament};

    #[test]
    fn lines_are_a_track_a_ring_and_more() {
        let entries = tournament(8);
        let summary = Summary::new(&names(), &PAIRINGS, &entries);
        let found: Vec<&RingBias> = summary.rings.most_balanced().collect();
        let mut text = Vec::new();
        write_ring_book(&mut text, &test_header(48), &summary.rings, &found).expect("written");
        let text = String::from_utf8(text).expect("text");
        let lines: Vec<Vec<&str>> = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split('\t').collect())
            .collect();
        assert_eq!(lines.len(), 24);
        let mut farthest = 0.0;
        for line in &lines {
            assert_eq!(line[0].parse(), Ok(Track::Original));
            let ring: Ring = line[1].parse().expect("a ring");
            let played = |entry: &&crate::record::Entry| {
                entry
                    .record
                    .setup()
                    .is_some_and(|setup| *setup.ring() == ring)
            };
            assert_eq!(entries.iter().filter(played).count().to_string(), line[5]);
            let [bias, low, high] = [2, 3, 4].map(|i| line[i].parse::<f64>().expect("a number"));
            assert!(low <= bias && bias <= high);
            // The most balanced comes first; the text is rounded.
            assert!(low.abs().max(high.abs()) >= farthest - 0.011);
            farthest = low.abs().max(high.abs());
        }
    }
}
