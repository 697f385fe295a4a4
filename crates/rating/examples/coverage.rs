//! How often 95% intervals contain the truth, in simulated tables of results whose truth is known.
//!
//! `cargo run --release -p patchwork-rating --example coverage` prints the table of docs/report.md, with 2,000 tables for
//! each design; another number may follow. The tests run it in a reduced form.

use patchwork_engine::util::rng::{Rng, below, stream};
use patchwork_rating::{
    Errors, Estimate, GameScore, Options, RatedGame, Ratings, consistency, rate,
};

/// What a common ring favours.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Luck {
    /// Nothing: every pair has a setup of its own.
    None,
    /// An agent, against every opponent.
    Agent,
    /// A seat, in every game.
    Seat,
}

/// A kind of table.
#[derive(Clone, Copy, Debug)]
struct Design {
    name: &'static str,
    agents: usize,
    /// The Elo from one agent to the next.
    step: f64,
    /// Pairs of each pairing; with common rings, their number.
    pairs: u64,
    luck: Luck,
    /// The share of games that equal agents draw.
    draws: f64,
    /// Whether every second pairing plays only every third of its pairs.
    uneven: bool,
    /// Whether each pairing has rings of its own.
    own_rings: bool,
    /// Whether only the first agent meets the others.
    gauntlet: bool,
}

const PLAIN: Design = Design {
    name: "",
    agents: 8,
    step: 0.0,
    pairs: 10,
    luck: Luck::None,
    draws: 0.0,
    uneven: false,
    own_rings: false,
    gauntlet: false,
};

const DESIGNS: [Design; 12] = [
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
        name: "3 rings",
        pairs: 3,
        luck: Luck::Agent,
        ..PLAIN
    },
    Design {
        name: "6 rings",
        pairs: 6,
        luck: Luck::Agent,
        ..PLAIN
    },
    Design {
        name: "20 rings",
        pairs: 20,
        luck: Luck::Agent,
        ..PLAIN
    },
    Design {
        name: "200 rings",
        pairs: 200,
        luck: Luck::Agent,
        ..PLAIN
    },
    Design {
        name: "12 rings that favour a seat, uneven",
        pairs: 12,
        luck: Luck::Seat,
        uneven: true,
        ..PLAIN
    },
    Design {
        name: "6 rings, 60% draws",
        pairs: 6,
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
];

const SEAT: f64 = 20.0;

fn uniform(rng: &mut Rng) -> f64 {
    (f64::from(below(1 << 30, rng)) + 0.5) / f64::from(1 << 30)
}

/// The result for a uniform number: a win if it is small, then a draw. The share of draws is Davidson's, at an expected
/// score that is logistic.
fn result(elo: f64, draws: f64, draw: f64) -> GameScore {
    let chance = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
    let product = chance * (1.0 - chance);
    let nu = 2.0 * draws / (1.0 - draws);
    let drawn = match nu > 0.0 {
        true => 2.0 * product / (0.5 + (0.25 - product + 4.0 * product / (nu * nu)).sqrt()),
        false => 0.0,
    };
    match draw {
        _ if draw < chance - drawn / 2.0 => GameScore::Win,
        _ if draw < chance + drawn / 2.0 => GameScore::Draw,
        _ => GameScore::Loss,
    }
}

impl Design {
    fn truth(&self, agent: usize) -> f64 {
        -self.step * agent as f64
    }

    /// The games, and the ring of each. On rings, half of the games are decided by the ring.
    fn play(&self, rng: &mut Rng) -> (Vec<RatedGame>, Vec<u64>) {
        let (mut games, mut setups) = (Vec::new(), Vec::new());
        for ring in 0..self.pairs {
            let mut form: Vec<f64> = (0..self.agents).map(|_| uniform(rng)).collect();
            let favour = uniform(rng);
            for a in 0..self.agents {
                for b in a + 1..self.agents {
                    if self.uneven && (a + b) % 2 == 0 && !(ring + a as u64).is_multiple_of(3) {
                        continue;
                    }
                    if self.gauntlet && a > 0 {
                        continue;
                    }
                    if self.own_rings {
                        form.fill_with(|| uniform(rng));
                    }
                    for (first, second) in [(a, b), (b, a)] {
                        // The distribution of the difference of two uniform numbers makes it uniform.
                        let behind = form[second] - form[first];
                        let of_ring = match self.luck {
                            Luck::Agent if behind < 0.0 => (1.0 + behind).powi(2) / 2.0,
                            Luck::Agent => 1.0 - (1.0 - behind).powi(2) / 2.0,
                            _ => favour,
                        };
                        let ring_decides = self.luck != Luck::None && uniform(rng) < 0.5;
                        let draw = if ring_decides { of_ring } else { uniform(rng) };
                        let gap = self.truth(first) - self.truth(second) + SEAT;
                        setups.push(ring);
                        games.push(RatedGame {
                            cluster: ((a * self.agents + b) as u64) << 32 | ring,
                            first,
                            second,
                            score: result(gap, self.draws, draw),
                        });
                    }
                }
            }
        }
        (games, setups)
    }

    fn shared(&self) -> bool {
        self.luck != Luck::None && !self.own_rings
    }
}

/// What a design shows, as shares of its tables.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shown {
    /// Ratings whose interval contains the truth.
    pub(crate) ratings: f64,
    /// Differences whose interval contains the truth.
    pub(crate) differences: f64,
    /// The first player's advantage.
    pub(crate) seat: f64,
    /// The mean standard error of the differences by their true standard deviation.
    pub(crate) error: f64,
    /// Tables in which the test of one Elo per agent has p < 0.05, of those in which enough wins are expected for it.
    pub(crate) alarms: Option<f64>,
}

fn contains(estimate: Estimate, truth: f64) -> bool {
    let above = estimate.low.is_none_or(|low| low <= truth);
    estimate.value.is_some() && above && estimate.high.is_none_or(|high| truth <= high)
}

/// The mean of the true ratings to which the ratings are relative.
fn zero(design: &Design, ratings: &Ratings) -> f64 {
    let all = ratings.agents.iter().all(|rating| rating.separated);
    let of = ratings.agents.iter().enumerate();
    let of: Vec<f64> = of
        .filter(|(_, rating)| all || !rating.separated)
        .map(|(agent, _)| design.truth(agent))
        .collect();
    of.iter().sum::<f64>() / of.len() as f64
}

fn simulate(design: &Design, tables: u64) -> Shown {
    let names: Vec<String> = (0..design.agents).map(|agent| agent.to_string()).collect();
    let mut shown = Shown::default();
    let (mut errors, mut squares, mut differences) = (0.0, 0.0, 0.0);
    let (mut tests, mut alarms) = (0.0, 0.0);
    let share = |yes: bool| f64::from(u8::from(yes));
    for table in 0..tables {
        let rng = &mut stream(&[51, design.pairs, (100.0 * design.draws) as u64, table]);
        let (games, setups) = design.play(rng);
        let options = Options {
            setups: design.shared().then_some(&setups[..]),
            ..Errors::Clustered.into()
        };
        let ratings = rate(&games, design.agents, options);
        let zero = zero(design, &ratings);
        for (a, rating) in ratings.agents.iter().enumerate() {
            shown.ratings += share(contains(rating.elo, design.truth(a) - zero));
            for b in a + 1..design.agents {
                let Some(found) = ratings.difference(a, b) else {
                    continue;
                };
                let truth = design.truth(a) - design.truth(b);
                shown.differences += share(contains(found, truth));
                differences += 1.0;
                errors += found.error.unwrap_or(f64::NAN);
                squares += found.value.map_or(f64::NAN, |elo| (elo - truth).powi(2));
            }
        }
        shown.seat += share(contains(ratings.first_player, SEAT));
        if let Some(p) = consistency(&names, &games, &ratings, options).p {
            tests += 1.0;
            alarms += share(p < 0.05);
        }
    }
    let tables = tables as f64;
    Shown {
        ratings: shown.ratings / tables / design.agents as f64,
        differences: shown.differences / differences,
        seat: shown.seat / tables,
        error: errors / differences / (squares / differences).sqrt(),
        alarms: (tests > 0.0).then(|| alarms / tests),
    }
}

/// Prints the table and gives its rows.
pub(crate) fn run(tables: u64) -> Vec<(&'static str, Shown)> {
    println!("| design | ratings | differences | first player | standard error | p < 0.05 |");
    println!("|---|---|---|---|---|---|");
    let mut rows = Vec::new();
    for design in &DESIGNS {
        let shown = simulate(design, tables);
        let percent = |share: f64| format!("{:.1}%", 100.0 * share);
        let Shown {
            ratings,
            differences,
            seat,
            error,
            alarms,
        } = shown;
        println!(
            "| {} | {} | {} | {} | {error:.2} | {} |",
            design.name,
            percent(ratings),
            percent(differences),
            percent(seat),
            alarms.map_or("-".to_owned(), percent)
        );
        rows.push((design.name, shown));
    }
    rows
}

/// Prints what common rings are good for: the standard deviation of the difference of two agents, where agents are better on
/// some rings.
fn rings(tables: u64) {
    println!("\n| 8 agents, 20 pairs a pairing | common rings | own rings |");
    println!("|---|---|---|");
    for (name, gauntlet) in [
        ("two agents of a round robin", false),
        ("two opponents of the first agent", true),
    ] {
        let deviation = |own_rings| {
            let design = Design {
                pairs: 20,
                luck: Luck::Agent,
                own_rings,
                gauntlet,
                ..PLAIN
            };
            let mut squares = 0.0;
            for table in 0..tables {
                let (games, _) = design.play(&mut stream(&[52, table]));
                let found = rate(&games, design.agents, Errors::Clustered).difference(1, 2);
                squares += found
                    .and_then(|found| found.value)
                    .map_or(f64::NAN, |elo| elo * elo);
            }
            (squares / tables as f64).sqrt()
        };
        println!(
            "| {name} | {:.1} Elo | {:.1} Elo |",
            deviation(false),
            deviation(true)
        );
    }
}

fn main() {
    let tables = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let tables = tables.unwrap_or(2000);
    run(tables);
    rings(tables);
}
