//! Planted worlds: games whose truth is known go through the code of the reports, and their intervals are compared with
//! the truth.
//!
//! `cargo run --release -p patchwork-worlds` does so with 2,000 tables for each world; another number may follow, and a
//! part of the name of a world. With `UPDATE_STATISTICS=1`, all worlds are written into `docs/statistics.md`. The
//! part `rings` prints what common rings are good for instead.

mod coverage;
mod games;
mod matches;
#[cfg(test)]
mod page;
mod truth;

use std::collections::BTreeMap;

use patchwork_engine::record::Entry;
use patchwork_engine::util::rng::stream;
use patchwork_rating::{Errors, GameScore, MarginGame, Options, RatedGame, rate};
use patchwork_results::{Rated, ResultTable};
use patchwork_tournament::stats::{Summary, SweepEffects};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use serde_json::{Value, json};

use coverage::{Coverage, Covered, joined, visit};
use games::{Design, Luck, PLAIN, PlayedGame};
use truth::Truths;

/// The designs of tournaments.
const DESIGNS: &[Design] = &[
    Design {
        name: "no draws",
        ..PLAIN
    },
    Design {
        name: "30% draws",
        draws: 0.3,
        ..PLAIN
    },
    Design {
        name: "60% draws",
        draws: 0.6,
        ..PLAIN
    },
    Design {
        name: "90% draws",
        draws: 0.9,
        ..PLAIN
    },
    Design {
        name: "60% draws, 60 Elo apart, uneven",
        draws: 0.6,
        step: 60.0,
        uneven: true,
        ..PLAIN
    },
    Design {
        name: "pairs that favour an agent",
        luck: Luck::Agent,
        ..PLAIN
    },
    Design {
        name: "pairs that favour a seat, gauntlet",
        luck: Luck::Seat,
        gauntlet: true,
        ..PLAIN
    },
    Design {
        name: "3 rings",
        pairs: 3,
        common: true,
        luck: Luck::Agent,
        ..PLAIN
    },
    Design {
        name: "6 rings",
        step: 25.0,
        pairs: 6,
        common: true,
        luck: Luck::Agent,
        ..PLAIN
    },
    Design {
        name: "20 rings",
        pairs: 20,
        common: true,
        luck: Luck::Agent,
        ..PLAIN
    },
    Design {
        name: "200 rings",
        pairs: 200,
        common: true,
        luck: Luck::Agent,
        ..PLAIN
    },
    Design {
        name: "12 rings that favour a seat, uneven",
        pairs: 12,
        common: true,
        luck: Luck::Seat,
        uneven: true,
        ..PLAIN
    },
    Design {
        name: "6 rings, 60% draws",
        pairs: 6,
        common: true,
        luck: Luck::Agent,
        draws: 0.6,
        ..PLAIN
    },
    Design {
        name: "separated, 400 Elo apart",
        agents: 6,
        step: 400.0,
        ..PLAIN
    },
    Design {
        name: "5 agents, one always wins",
        agents: 5,
        champion: 3000.0,
        ..PLAIN
    },
    Design {
        name: "classes with 3 rings",
        agents: 5,
        step: 60.0,
        pairs: 3,
        common: true,
        luck: Luck::Seat,
        ..PLAIN
    },
    Design {
        name: "classes with 6 rings",
        agents: 5,
        step: 60.0,
        pairs: 6,
        common: true,
        luck: Luck::Seat,
        ..PLAIN
    },
    Design {
        name: "classes with 20 rings",
        agents: 5,
        step: 60.0,
        pairs: 20,
        common: true,
        luck: Luck::Seat,
        ..PLAIN
    },
    Design {
        name: "2 values of a key",
        agents: 4,
        step: 40.0,
        swept: &[1, 2],
        ..PLAIN
    },
    Design {
        name: "3 values of a key",
        agents: 7,
        step: 40.0,
        swept: &[1, 2, 3],
        ..PLAIN
    },
    Design {
        name: "5 values of a key, 20 rings",
        agents: 9,
        step: 40.0,
        pairs: 20,
        common: true,
        luck: Luck::Agent,
        swept: &[3, 1, 2, 1, 1],
        ..PLAIN
    },
    Design {
        name: "whole games",
        agents: 3,
        step: 60.0,
        pairs: 20,
        luck: Luck::Seat,
        plies: true,
        ..PLAIN
    },
    Design {
        name: "whole games, 6 rings",
        agents: 4,
        step: 60.0,
        pairs: 6,
        common: true,
        luck: Luck::Seat,
        plies: true,
        ..PLAIN
    },
    Design {
        name: "whole games, 20 rings",
        agents: 4,
        step: 60.0,
        pairs: 20,
        common: true,
        luck: Luck::Seat,
        plies: true,
        ..PLAIN
    },
];

fn names(design: &Design) -> Vec<String> {
    (0..design.agents).map(|agent| agent.to_string()).collect()
}

fn result(game: &PlayedGame) -> RatedGame {
    let [first, second] = game.agents;
    RatedGame {
        score: game.score,
        ..RatedGame::of_pair(
            game.id.pairing,
            game.id.pair,
            [first as u16, second as u16],
            true,
        )
    }
}

/// The report of games without draws.
fn report(design: &Design, games: &[PlayedGame]) -> Value {
    let entries: Vec<Entry> = games.iter().map(|game| game.entry(design.plies)).collect();
    let pairings: Vec<(u16, u16)> = design
        .pairings()
        .iter()
        .map(|&[a, b]| (a as u16, b as u16))
        .collect();
    let summary = Summary::new(&names(design), &pairings, &entries);
    let mut report = serde_json::to_value(summary).expect("plain data");
    if !design.swept.is_empty() {
        report["sweep"] = sweep(design, games);
    }
    report
}

fn sweep(design: &Design, games: &[PlayedGame]) -> Value {
    let value = |agent: usize| {
        (0..design.swept.len()).find(|&value| design.members(value).contains(&agent))
    };
    // Two keys that differ alike: a cell is a value.
    let values = |agent: usize| {
        let keys = value(agent)
            .into_iter()
            .flat_map(|value| ["x", "y"].map(|key| (key, value)));
        keys.map(|(key, value)| (key.to_owned(), (value.to_string(), Some(value as f64))))
            .collect()
    };
    let values: Vec<BTreeMap<_, _>> = (0..design.agents).map(values).collect();
    let results: Vec<RatedGame> = games.iter().map(result).collect();
    let setups: Vec<u64> = games.iter().map(|game| game.setup as u64).collect();
    let options = Options {
        setups: design.common.then_some(&setups[..]),
        ..Errors::Clustered.into()
    };
    let margins = results
        .iter()
        .zip(games)
        .zip(&setups)
        .map(|((&result, game), &setup)| MarginGame {
            rated: RatedGame {
                cluster: setup,
                ..result
            },
            margin: f64::from(game.margin),
        });
    let margins: Vec<MarginGame> = margins.collect();
    let ratings = rate(&results, design.agents, options);
    let effects = SweepEffects::new(&values, &margins, &ratings);
    serde_json::to_value(effects).expect("plain data")
}

/// The ratings of games of any program, as `rate` prints them.
fn rated(design: &Design, games: &[PlayedGame]) -> Value {
    let table = ResultTable {
        agents: names(design),
        games: games.iter().map(result).collect(),
        setups: match design.common {
            true => games.iter().map(|game| game.setup as u64).collect(),
            false => Vec::new(),
        },
        ..ResultTable::default()
    };
    let rated = Rated::new(&table, &Errors::Clustered.into()).expect("a prior");
    serde_json::to_value(rated).expect("plain data")
}

fn table(design: &Design, seed: [u64; 2]) -> Coverage {
    let name = design.name.bytes().map(u64::from);
    let purpose: Vec<u64> = seed.into_iter().chain(name).collect();
    let games = design.play(&mut stream(&purpose));
    let is_rated = design.rules.len() > 1 || games.iter().any(|game| game.score == GameScore::Draw);
    let report = if is_rated {
        rated(design, &games)
    } else {
        report(design, &games)
    };
    let truths = Truths::new(design, &report);
    let mut coverage = Coverage::default();
    visit(&mut coverage, &report, "", &json!(null), &|path, row| {
        truths.of(path, row)
    });
    // The test of one Elo per agent, which fits, at 5%.
    if let Some(p) = report["consistency"]["p"].as_f64() {
        let accepted = [Some(p), Some(0.05), Some(1.0)];
        coverage.entry(FIT.to_owned()).or_default().add(accepted, p);
    }
    coverage
}

/// The probability of the fit of one Elo per agent, which is at least 5% in as many tables.
const FIT: &str = "consistency.p";

/// Prints what common rings are good for: the standard deviation of the difference of two agents, where agents are better on
/// some rings.
fn rings(tables: u64) {
    println!("| 8 agents, 20 pairs a pairing | common rings | own rings |\n|---|---|---|");
    for (name, gauntlet) in [
        ("two agents of a round robin", false),
        ("two opponents of the first agent", true),
    ] {
        let [common, own] = [true, false].map(|common| {
            let design = Design {
                pairs: 20,
                luck: Luck::Agent,
                common,
                gauntlet,
                ..PLAIN
            };
            let squares = (0..tables).into_par_iter().map(|table| {
                let games = design.play(&mut stream(&[52, table]));
                let results: Vec<RatedGame> = games.iter().map(result).collect();
                let found = rate(&results, design.agents, Errors::Clustered).difference(1, 2);
                found
                    .and_then(|found| found.value)
                    .map_or(f64::NAN, |elo| elo * elo)
            });
            (squares.sum::<f64>() / tables as f64).sqrt()
        });
        println!("| {name} | {common:.1} Elo | {own:.1} Elo |");
    }
}

/// A world: its name, and what one table of it shows.
struct World {
    name: &'static str,
    table: Box<dyn Fn([u64; 2]) -> Coverage + Sync>,
}

fn worlds() -> Vec<World> {
    let tournaments = DESIGNS.iter().map(|design| World {
        name: design.name,
        table: Box::new(move |seed| table(design, seed)),
    });
    let matches = matches::MATCHES.iter().map(|one| World {
        name: one.name,
        table: Box::new(move |seed| one.play(seed)),
    });
    let search = World {
        name: "search",
        table: Box::new(matches::search),
    };
    tournaments.chain(matches).chain([search]).collect()
}

impl World {
    /// Tables of the world.
    fn simulate(&self, tables: u64, seed: u64) -> Coverage {
        let tables = (0..tables).into_par_iter();
        tables
            .map(|number| (self.table)([seed, number]))
            .reduce(Coverage::default, joined)
    }

    /// The least and the greatest share of intervals that should contain the truth, in percent. Where limits are one-sided or
    /// rest on three rings, more may.
    fn limits(&self, path: &str) -> [f64; 2] {
        let may_be_more = ["3 rings", "always wins", "separated"]
            .iter()
            .any(|part| self.name.contains(part));
        match path {
            _ if path.contains("not claimed") => [0.0, 100.0],
            "anytime" | FIT => [93.5, 100.0],
            _ if may_be_more => [93.5, 100.0],
            _ => [93.5, 96.5],
        }
    }
}

/// The seeds of the tables, and of those that are played again.
const SEEDS: [u64; 2] = [81, 82];

/// With fewer tables, what is outside may be chance, and is not repeated.
const ENOUGH: u64 = 1000;

/// What was found of a world: in some tables, and in ten times as many with other seeds if any share is outside.
struct Found<'a> {
    world: &'a World,
    first: Coverage,
    again: Coverage,
}

impl<'a> Found<'a> {
    fn new(world: &'a World, tables: u64) -> Self {
        Self {
            world,
            first: world.simulate(tables, SEEDS[0]),
            again: Coverage::default(),
        }
    }

    fn is_outside(&self, path: &str, covered: &Covered) -> bool {
        let [least, most] = self.world.limits(path);
        let share = 100.0 * covered.share();
        covered.seen > 0 && (share < least || share > most + 100.0 * covered.excess())
    }

    /// Repeats the tables if a share is outside.
    fn repeat(&mut self, tables: u64) -> bool {
        let mut all = self.first.iter();
        let is_outside = all.any(|(path, covered)| self.is_outside(path, covered));
        if is_outside {
            self.again = self.world.simulate(10 * tables, SEEDS[1]);
        }
        is_outside
    }

    /// The rows of the table: the number, the share, the median width, and the share of the repetition where the first is
    /// outside.
    fn rows(&self) -> Vec<String> {
        let row = |(path, covered): (&String, &Covered)| {
            let repeated = self.again.get(path);
            let repeated = repeated.filter(|_| self.is_outside(path, covered));
            let mark = repeated.map_or(String::new(), |again| {
                let still = if self.is_outside(path, again) {
                    "outside: "
                } else {
                    ""
                };
                format!("{still}{:.1}%", 100.0 * again.share())
            });
            let width = covered
                .width()
                .map_or(String::new(), |width| format!("{width:.3}"));
            format!(
                "| {} | `{path}` | {:.1}% | {width} | {mark} |",
                self.world.name,
                100.0 * covered.share()
            )
        };
        let seen = self.first.iter().filter(|(_, covered)| covered.seen > 0);
        seen.map(row).collect()
    }
}

const HEAD: &str =
    "| world | number | contains the truth | median width | repeated |\n|---|---|---|---|---|";

/// The marks around the table on the page.
const MARKS: [&str; 2] = ["<!-- worlds -->\n", "<!-- end of worlds -->\n"];

/// Writes the table into the page.
fn write(tables: u64, found: &[Found<'_>]) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/statistics.md");
    let rows: Vec<String> = found.iter().flat_map(Found::rows).collect();
    let [start, end] = MARKS;
    let text = std::fs::read_to_string(path).expect("readable");
    let (before, rest) = text.split_once(start).expect("the start of the table");
    let (_, after) = rest.split_once(end).expect("its end");
    let table = format!(
        "{tables} tables of each world:\n\n{HEAD}\n{}\n",
        rows.join("\n")
    );
    std::fs::write(path, format!("{before}{start}{table}{end}{after}")).expect("written");
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let tables = arguments
        .next()
        .and_then(|text| text.parse().ok())
        .unwrap_or(2000);
    let part = arguments.next().unwrap_or_default();
    if part == "rings" {
        return rings(tables);
    }
    println!("{HEAD}");
    let worlds = worlds();
    let mut found = Vec::new();
    for world in worlds.iter().filter(|world| world.name.contains(&part)) {
        let one = Found::new(world, tables);
        println!("{}", one.rows().join("\n"));
        found.push(one);
    }
    // The page is written after each repetition, of which all take several times as long as the first tables.
    let is_written = part.is_empty() && std::env::var_os("UPDATE_STATISTICS").is_some();
    if is_written {
        write(tables, &found);
    }
    for place in 0..found.len() {
        if tables >= ENOUGH && found[place].repeat(tables) {
            println!("{}", found[place].rows().join("\n"));
            if is_written {
                write(tables, &found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_engine::util::rng::below;
    use patchwork_rating::deviation;

    /// Few tables of small worlds: every number with an interval has a truth, and no interval is far too narrow.
    #[test]
    fn intervals_contain_the_truth() {
        for world in worlds() {
            if world.name.contains("200 rings") || world.name == "search" {
                continue;
            }
            let found = world.simulate(8, SEEDS[0]).into_iter();
            for (path, covered) in found.filter(|(_, covered)| covered.seen > 0) {
                let [least, _] = world.limits(&path);
                let expected = covered.seen as f64 * least / 100.0;
                // Numbers of a table go along with each other: as if each table had one.
                let few = (covered.seen as f64).min(8.0);
                let deviation = (0.065 * 0.935 / few).sqrt() * covered.seen as f64;
                assert!(
                    covered.hits as f64 >= expected - 4.0 * deviation,
                    "{}: {path}: {covered:?}",
                    world.name
                );
            }
        }
    }

    /// The standard errors of the sizes of games are those of a bootstrap of the pairs of each pairing, within 5%.
    #[test]
    fn errors_of_sizes_are_those_of_the_bootstrap() {
        const PAIRS: usize = 60;
        let design = Design {
            agents: 3,
            pairs: PAIRS as u32,
            plies: true,
            ..PLAIN
        };
        let games = design.play(&mut stream(&[83]));
        let report = report(&design, &games);
        // The sum of each quantity and what it is a mean over.
        let of_game = |game: &PlayedGame| {
            let plies = game.entry(true).record.plies;
            let legal = || plies.iter().map(|ply| f64::from(ply.legal));
            let count = plies.len() as f64;
            let tree = legal().map(libm::log10).sum();
            [[legal().sum(), count], [count, 1.0], [tree, 1.0]]
        };
        let pairs = games.chunks(2).map(|pair| {
            let [one, other] = [of_game(&pair[0]), of_game(&pair[1])];
            [0, 1, 2].map(|of| [0, 1].map(|part| one[of][part] + other[of][part]))
        });
        let pairs: Vec<[[f64; 2]; 3]> = pairs.collect();
        let rng = &mut stream(&[84]);
        for (of, key) in ["legal", "plies", "tree"].into_iter().enumerate() {
            let mut mean = || {
                let mut sums = [0.0; 2];
                for stratum in pairs.chunks(PAIRS) {
                    for _ in 0..PAIRS {
                        let drawn = stratum[below(PAIRS as u32, rng) as usize][of];
                        sums = [sums[0] + drawn[0], sums[1] + drawn[1]];
                    }
                }
                sums[0] / sums[1]
            };
            let drawn: Vec<f64> = (0..4000).map(|_| mean()).collect();
            let found = deviation(&drawn).expect("several");
            let error = report["sizes"][0][key]["se"].as_f64().expect("an error");
            assert!((found / error - 1.0).abs() < 0.05, "{key}: {found} {error}");
        }
    }

    /// Each number with an interval of the reports contains the truth in 93.5% to 96.5% of tables.
    #[test]
    #[ignore = "takes an hour"]
    fn intervals_contain_the_truth_in_full() {
        for world in worlds() {
            let mut found = Found::new(&world, 2000);
            found.repeat(2000);
            let rows = found.rows();
            let outside: Vec<&String> = rows.iter().filter(|row| row.contains("outside")).collect();
            assert!(outside.is_empty(), "{outside:#?}");
        }
    }
}
