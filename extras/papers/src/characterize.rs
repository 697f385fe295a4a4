//! The game characteristics of the paper (section 3.3), arXiv 2001.04233: one agent against itself.
//!
//! ```
//! use patchwork_engine::game::Track;
//! use patchwork_papers::characterize::{characterize, papers_agent};
//!
//! let found = characterize("greedy", &papers_agent(), Track::Original.into(), 4, 1, || ())?;
//! assert!(found.first_plies.value.is_some_and(|plies| plies > 10.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io;
use std::num::NonZeroU32;

use patchwork_engine::agent::{Agent, AgentSettings};
use patchwork_engine::game::{Player, Rules, Setup};
use patchwork_engine::record::{GameId, Record};
use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::stream;
use patchwork_rating::{Clusters, Estimate, mean_of_clusters};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use serde::Serialize;

use patchwork_report::document::{LineTable, UNKNOWN};
use patchwork_tournament::PlannedGame;
use patchwork_tournament::play::play_game;

/// The paper's player: equation 1, BL-Every and Regret.
pub fn papers_agent() -> AgentSettings {
    toml::from_str("type = 'greedy'\nplacement = 'bl/every/regret'").expect("known names")
}

/// The measured characteristics, with 95% intervals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Characteristics {
    /// The agent.
    pub agent: String,
    /// Number of games.
    pub games: u32,
    /// Seed of the setups and of the agent's choices.
    pub seed: u64,
    /// Plies of the first player.
    pub first_plies: Estimate,
    /// Plies of the second player.
    pub second_plies: Estimate,
    /// Plies of the first player that place no special patch.
    pub first_turns: Estimate,
    /// Plies of the second player that place no special patch.
    pub second_turns: Estimate,
    /// Legal actions of a ply.
    pub branching: Estimate,
    /// The paper's own count: placements of the last patch on offer, over plies that are turns and have an
    /// offer.
    pub papers_branching: Estimate,
    /// Share of the games that the first player won, 0 to 1.
    pub first_wins: Estimate,
}

/// The published numbers: 100 games of the paper's program.
const PUBLISHED: [f64; 4] = [23.2, 23.0, 83.2, 56.0];

/// Plays games of an agent against itself, in parallel and with the same result for any number of
/// threads (unless the agent has a time budget). `done` is called after every game.
pub fn characterize(
    agent: &str,
    settings: &AgentSettings,
    rules: Rules,
    games: u32,
    seed: u64,
    done: impl Fn() + Sync,
) -> Result<Characteristics, InputError> {
    let stop = Stop::new();
    let settings = settings.clone().with_threads(NonZeroU32::MIN);
    let played = (0..games)
        .into_par_iter()
        .map_init(
            || [settings.build(), settings.build()],
            |agents, game| {
                let [first, second] = agents;
                let seats: [&mut dyn Agent; 2] = [&mut **first, &mut **second];
                let setup = Setup::random(rules, &mut stream(&[seed, game.into(), 0]));
                let streams = [1, 2].map(|seat| stream(&[seed, game.into(), seat]));
                let id = GameId {
                    pairing: 0,
                    pair: game,
                    leg: 0,
                };
                let played = PlannedGame { id, seats: [0, 0] };
                let entry = play_game(played, &setup, seats, streams, &stop)?;
                let entry = entry.expect("not stopped");
                done();
                let first_won = entry.record.winner == Player::First;
                Ok((counts(&entry.record), first_won))
            },
        )
        .collect::<Result<(Vec<[(f64, f64); 6]>, Vec<bool>), InputError>>()?;

    let (counts, first_wins) = played;
    let mut share = Clusters::default();
    for won in first_wins {
        share.add(f64::from(u8::from(won)), 1.0);
    }
    let mean = |i: usize| mean_of_clusters(&counts.iter().map(|game| game[i]).collect::<Vec<_>>());
    Ok(Characteristics {
        agent: agent.to_owned(),
        games,
        seed,
        first_plies: mean(0),
        second_plies: mean(1),
        first_turns: mean(2),
        second_turns: mean(3),
        branching: mean(4),
        papers_branching: mean(5),
        first_wins: share.share(),
    })
}

/// The sums and numbers of a game for the means of [`Characteristics`], in their order.
fn counts(record: &Record) -> [(f64, f64); 6] {
    let (mut plies, mut turns) = ([0_u32; 2], [0_u32; 2]);
    let mut legal = 0_u64;
    for ply in &record.plies {
        let seat = ply.player.index();
        plies[seat] += 1;
        legal += u64::from(ply.legal);
        turns[seat] += u32::from(!ply.is_special());
    }
    let [first, second] = record.papers_counts();
    let [first_plies, second_plies] = plies.map(f64::from);
    let [first_turns, second_turns] = turns.map(f64::from);
    [
        (first_plies, 1.0),
        (second_plies, 1.0),
        (first_turns, 1.0),
        (second_turns, 1.0),
        (legal as f64, first_plies + second_plies),
        (first.0 + second.0, first.1 + second.1),
    ]
}

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
    use super::*;

    #[test]
    fn numbers_do_not_depend_on_threads_and_have_sensible_sizes() {
        let settings = papers_agent();
        let found = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| {
                characterize("greedy", &settings, Rules::default(), 40, 1, || ())
                    .expect("legal games")
            })
        };
        let one = found(1);
        assert_eq!(one, found(2));
        let mean = |mean: Estimate| mean.value.expect("40 games");
        assert!((15.0..30.0).contains(&mean(one.first_plies)));
        assert!(mean(one.first_turns) < mean(one.first_plies));
        assert!(mean(one.branching) > mean(one.papers_branching));
        assert!((0.0..=1.0).contains(&mean(one.first_wins)));
    }

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
