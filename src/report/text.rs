//! The summary as text for a terminal of about 100 columns, readable without colour.

mod games;
mod rated;
mod ratings;
mod rounds;
mod searches;
mod sprt;
mod standings;
mod table;
mod tuning;

use std::io;

use self::games::{write_branching, write_games, write_patches, write_rings};
use self::rounds::write_format;
use self::searches::write_searches;
use self::standings::{write_crosstable, write_first_player, write_pairings, write_standings};
use self::table::TextTable;
use super::header::{Header, NO_GAMES};
use super::tables::swept_values;
use crate::stats::Summary;

pub use rated::{write_rated, write_rated_csv};
pub use sprt::write_sprt;
pub use tuning::write_tuning;

/// Columns of wrapped text.
const WIDTH: usize = 100;

/// Writes the report at the end of a run.
///
/// # Errors
/// If the writer fails.
pub(super) fn write_text(
    mut out: impl io::Write,
    header: &Header,
    summary: &Summary,
) -> io::Result<()> {
    let out = &mut out;
    write_heading(out, header, summary)?;
    if summary.games == 0 {
        return writeln!(out, "{NO_GAMES}");
    }
    write_format(out, &header.format)?;
    write_standings(out, summary)?;
    write_crosstable(out, summary)?;
    write_pairings(out, summary)?;
    write_sweep(out, header)?;
    write_first_player(out, summary)?;
    write_games(out, summary)?;
    write_branching(out, summary)?;
    write_patches(out, summary)?;
    write_rings(out, summary)?;
    write_searches(out, &summary.thinking)?;
    write_settings(out, header)
}

/// The effect of each swept key.
fn write_sweep(out: &mut dyn io::Write, header: &Header) -> io::Result<()> {
    for key in header.sweep.iter().flat_map(|sweep| &sweep.keys) {
        TextTable::write_shared(out, swept_values(key))?;
        writeln!(out)?;
    }
    Ok(())
}

/// The settings of every agent, so that the games can be played again.
fn write_settings(out: &mut dyn io::Write, header: &Header) -> io::Result<()> {
    if header.agents.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nSettings")?;
    for agent in &header.agents {
        let line = format!("{}: {}", agent.agent, agent.line());
        let options = textwrap::Options::new(WIDTH)
            .initial_indent(" ")
            .subsequent_indent("   ");
        writeln!(out, "{}", textwrap::fill(&line, options))?;
    }
    Ok(())
}

fn write_heading(out: &mut dyn io::Write, header: &Header, summary: &Summary) -> io::Result<()> {
    let Header {
        name,
        track,
        format,
        seed,
        version,
        ..
    } = header;
    let games = header.games(summary.games);
    let (track, format) = (track.name(), &format.format);
    writeln!(
        out,
        "{name}: {games}, {track} track, {format}, seed {seed}, version {version}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameId;
    use crate::report::header::test_header;
    use crate::support::tournaments::{PAIRINGS, game, names, tournament};

    fn text(summary: &Summary, planned: u64) -> String {
        let mut text = Vec::new();
        write_text(&mut text, &test_header(planned), summary).expect("a vector takes all");
        String::from_utf8(text).expect("text")
    }

    #[test]
    fn a_whole_tournament() {
        let summary = Summary::new(&names(), &PAIRINGS, &tournament(50));
        let text = text(&summary, 300);
        assert!(text.starts_with("sprint: 300 games, original track"));
        assert!(names().iter().all(|name| text.contains(name)));
        assert!(text.contains("20.0k/s") && text.contains("50 ms"));
        assert!(!text.contains("NaN") && !text.contains("inf") && !text.contains(" \n"));
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(100), "{widest:?}");
    }

    #[test]
    fn hardly_any_games() {
        let none = text(&Summary::new(&names(), &PAIRINGS, &[]), 300);
        assert!(none.contains("0 of 300 games (incomplete)"));
        assert!(none.contains("nothing to report"));

        let one = Summary::new(&names(), &PAIRINGS, &tournament(1)[..1]);
        let one = text(&one, 300);
        assert!(one.contains("greedy *") && one.contains("Jeffreys' prior"));
        assert!(!one.contains("NaN") && !one.contains("1 games"));
    }

    #[test]
    fn an_agent_against_itself() {
        let id = |pair, leg| GameId {
            pairing: 0,
            pair,
            leg,
        };
        let games: Vec<_> = (0..8)
            .map(|i| game(id(i / 2, (i % 2) as u8), [0, 0]))
            .collect();
        let text = text(&Summary::new(&names()[..1], &[(0, 0)], &games), 8);
        assert!(text.contains("8 games"));
    }

    #[test]
    fn many_agents_stay_narrow() {
        let names: Vec<String> = (0..24)
            .map(|i| format!("agent-with-a-long-name-{i:02}"))
            .collect();
        let mut pairings = Vec::new();
        let mut games = Vec::new();
        for a in 0..24 {
            for b in a + 1..24 {
                for leg in 0..2 {
                    let id = GameId {
                        pairing: pairings.len() as u32,
                        pair: 0,
                        leg,
                    };
                    games.push(game(id, if leg == 0 { [a, b] } else { [b, a] }));
                }
                pairings.push((a, b));
            }
        }
        let text = text(&Summary::new(&names, &pairings, &games), 552);
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(105), "{widest:?}");
    }
}
