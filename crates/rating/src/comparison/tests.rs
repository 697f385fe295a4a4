//! What tables say against what is true, in simulated tournaments.
//!
//! The default runs are short. `cargo test --release -p patchwork-rating -- --ignored --nocapture comparison` runs the
//! long ones and prints the tables of docs/lab/ratings.md.

use patchwork_engine::util::rng::{Rng, below, stream};

use super::*;
use crate::elo::{Errors, rate};
use crate::game::RatedGame;
use crate::sprt::{EloModel, PairCounts, Sprt, Verdict};

/// Who meets whom, and how often.
#[derive(Clone, Copy, Debug)]
enum Design {
    RoundRobin,
    /// The first agent meets all others.
    Gauntlet,
    /// Each agent meets the next.
    Chain,
    /// A round robin in which half of the pairings have up to a quarter of the pairs.
    Unequal,
    /// A gauntlet in which a sequential test with these error rates ends each pairing.
    TestedGauntlet(f64),
    /// A round robin of such pairings.
    TestedRoundRobin(f64),
}

impl fmt::Display for Design {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RoundRobin => f.write_str("round robin"),
            Self::Gauntlet => f.write_str("gauntlet"),
            Self::Chain => f.write_str("chain"),
            Self::Unequal => f.write_str("round robin, unequal"),
            Self::TestedGauntlet(rate) => write!(f, "gauntlet, tests at {rate}"),
            Self::TestedRoundRobin(rate) => write!(f, "round robin, tests at {rate}"),
        }
    }
}

/// A design with its number of agents, the number of pairs of a pairing, which is the largest one for a test, and
/// the number of tournaments of the long run.
type Case = (Design, usize, u32, u64);

const CASES: [Case; 18] = [
    (Design::RoundRobin, 2, 20, 8000),
    (Design::RoundRobin, 6, 2, 4000),
    (Design::RoundRobin, 6, 10, 4000),
    (Design::RoundRobin, 20, 1, 4000),
    (Design::RoundRobin, 20, 5, 4000),
    (Design::Gauntlet, 3, 20, 8000),
    (Design::Gauntlet, 8, 20, 4000),
    (Design::Gauntlet, 20, 20, 2000),
    (Design::Chain, 3, 20, 8000),
    (Design::Chain, 8, 20, 4000),
    (Design::Chain, 20, 20, 2000),
    (Design::Unequal, 3, 20, 8000),
    (Design::Unequal, 6, 10, 4000),
    (Design::Unequal, 20, 3, 1000),
    (Design::TestedRoundRobin(0.05), 2, 400, 8000),
    (Design::TestedRoundRobin(0.1), 2, 400, 8000),
    (Design::TestedGauntlet(0.05), 6, 400, 2000),
    (Design::TestedRoundRobin(0.05), 6, 100, 1000),
];

fn uniform(rng: &mut Rng) -> f64 {
    f64::from(below(1 << 30, rng)) / f64::from(1 << 30)
}

/// The games of a tournament so far.
struct Tournament<'a> {
    strengths: &'a [f64],
    games: Vec<RatedGame>,
}

impl Tournament<'_> {
    /// Plays a pair of games, whose results have a correlation of 0.2 for an agent; moving first is worth 20 Elo.
    /// Returns the number of games that `a` won.
    fn pair(&mut self, [a, b]: [usize; 2], rng: &mut Rng) -> usize {
        let chance = |elo: f64| 1.0 / (1.0 + libm::pow(10.0, -elo / 400.0));
        let gap = self.strengths[a] - self.strengths[b];
        let [first, second] = [chance(gap + 20.0), chance(gap - 20.0)];
        let spread = (first * (1.0 - first) * second * (1.0 - second)).sqrt();
        let both = (first * second + 0.2 * spread)
            .clamp((first + second - 1.0).max(0.0), first.min(second));
        let draw = uniform(rng);
        // Regions of the draw: both won, the first leg only, the second leg only, none.
        let second_only = first..first + second - both;
        let won = [draw < first, draw < both || second_only.contains(&draw)];
        let cluster = self.games.len() as u64;
        for (leg, won) in won.into_iter().enumerate() {
            self.games.push(RatedGame {
                cluster,
                first: [a, b][leg],
                second: [b, a][leg],
                score: (won == (leg == 0)).into(),
            });
        }
        won.into_iter().filter(|&won| won).count()
    }

    fn play(&mut self, design: Design, pairs: u32, rng: &mut Rng) {
        let count = self.strengths.len();
        let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
        let pairings: Vec<[usize; 2]> = match design {
            Design::Gauntlet | Design::TestedGauntlet(_) => (1..count).map(|b| [0, b]).collect(),
            Design::Chain => (1..count).map(|b| [b - 1, b]).collect(),
            _ => all.collect(),
        };
        for pairing in pairings {
            match design {
                Design::TestedGauntlet(rate) | Design::TestedRoundRobin(rate) => {
                    let test = Sprt::new(0.0, 60.0, rate, rate, EloModel::Logistic);
                    self.test(pairing, pairs, &test.expect("a test"), rng);
                }
                Design::Unequal => {
                    let least = if below(2, rng) == 0 { pairs / 4 } else { pairs };
                    for _ in 0..1 + below(least.max(1), rng) {
                        self.pair(pairing, rng);
                    }
                }
                _ => (0..pairs).for_each(|_| {
                    self.pair(pairing, rng);
                }),
            }
        }
    }

    fn test(&mut self, pairing: [usize; 2], most: u32, test: &Sprt, rng: &mut Rng) {
        let mut counts = PairCounts::default();
        for _ in 0..most {
            counts.add_wins(self.pair(pairing, rng));
            if test.verdict(&counts) != Verdict::Continue {
                return;
            }
        }
    }
}

/// What the table of a simulated tournament says.
fn compared(design: Design, pairs: u32, strengths: &[f64], rng: &mut Rng) -> Vec<Comparison> {
    let mut tournament = Tournament {
        strengths,
        games: Vec::new(),
    };
    tournament.play(design, pairs, rng);
    let names: Vec<String> = (0..strengths.len())
        .map(|agent| agent.to_string())
        .collect();
    let ratings = rate(&tournament.games, names.len(), Errors::Clustered);
    comparisons(&names, &ranking(&names, &ratings), &ratings)
}

/// The true lead of the first agent of a comparison.
fn lead(row: &Comparison, strengths: &[f64]) -> f64 {
    let strength = |name: &str| strengths[name.parse::<usize>().expect("a number")];
    strength(&row.a) - strength(&row.b)
}

/// Statements by their likelihood of superiority.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    said: f64,
    right: f64,
    count: f64,
}

/// Whether what is said is right as often as it says, up to 0.03 and three standard errors of the tournaments, in each
/// of which statements depend on each other.
fn are_calibrated(classes: &[Said; 6], tournaments: u64) -> bool {
    classes.iter().all(|&Said { said, right, count }| {
        let (said, right) = (said / count, right / count);
        let noise = 3.0 * (said * (1.0 - said) / count.min(tournaments as f64)).sqrt();
        count < 1.0 || (said - right).abs() <= 0.03 + noise
    })
}

/// Lower ends of the classes of statements.
const CLASSES: [f64; 6] = [0.5, 0.6, 0.7, 0.8, 0.9, 0.975];

fn add(classes: &mut [Said; 6], los: f64, right: bool) {
    let class = CLASSES.iter().rposition(|&low| low <= los).unwrap_or(0);
    classes[class].said += los;
    classes[class].right += f64::from(right);
    classes[class].count += 1.0;
}

/// What the likelihoods of superiority say and how often it is true. Strengths are drawn evenly: in a chain the
/// steps from -400 to 400, in gauntlets those relative to the first agent from -600 to 600, otherwise all
/// from 0 to `range`.
fn calibration((design, count, pairs, _): Case, runs: u64, range: Option<f64>) -> [Said; 6] {
    let mut classes = [Said::default(); 6];
    for run in 0..runs {
        let mut rng = stream(&[71, run]);
        let width = range.unwrap_or(600.0);
        let mut strengths: Vec<f64> = (0..count).map(|_| width * uniform(&mut rng)).collect();
        match design {
            _ if range.is_some() => {}
            Design::Chain => {
                for i in 1..count {
                    strengths[i] = strengths[i - 1] + 800.0 * (uniform(&mut rng) - 0.5);
                }
            }
            Design::Gauntlet | Design::TestedGauntlet(_) => {
                strengths[0] = 0.0;
                for strength in &mut strengths[1..] {
                    *strength = 1200.0 * (uniform(&mut rng) - 0.5);
                }
            }
            _ => {}
        }
        for row in compared(design, pairs, &strengths, &mut rng) {
            let Some(los) = row.los else { continue };
            add(&mut classes, los, lead(&row, &strengths) > 0.0);
        }
    }
    classes
}

/// The same for the pair counts of two agents whose difference is drawn evenly from -400 to 400, after a fixed
/// number of pairs or a sequential test.
fn calibration_of_counts(pairs: u32, test: Option<Sprt>, runs: u64) -> [Said; 6] {
    let mut classes = [Said::default(); 6];
    for run in 0..runs {
        let mut rng = stream(&[73, run]);
        let lead = 800.0 * (uniform(&mut rng) - 0.5);
        let mut tournament = Tournament {
            strengths: &[lead, 0.0],
            games: Vec::new(),
        };
        let mut counts = PairCounts::default();
        for _ in 0..pairs {
            counts.add_wins(tournament.pair([0, 1], &mut rng));
            if test.is_some_and(|test| test.verdict(&counts) != Verdict::Continue) {
                break;
            }
        }
        let Some(los) = counts.estimate().los else {
            continue;
        };
        let (los, right) = if los < 0.5 {
            (1.0 - los, lead < 0.0)
        } else {
            (los, lead > 0.0)
        };
        add(&mut classes, los, right);
    }
    classes
}

/// Strengths of families of agents.
type Family = (&'static str, fn(usize, &mut Rng) -> f64);

const FAMILIES: [Family; 4] = [
    ("equal", |_, _| 0.0),
    ("two levels", |i, _| 250.0 * (i % 2) as f64),
    ("equal in twos", |i, _| 150.0 * (i / 2) as f64),
    ("drawn", |_, rng| 600.0 * uniform(rng)),
];

/// The share of tournaments in which a table tells any agents apart that are equal or in the other order, and the
/// share of the unequal agents that it tells apart.
fn errors((design, count, pairs, _): Case, runs: u64, family: Family) -> [f64; 2] {
    let alpha = match design {
        Design::TestedGauntlet(_) | Design::TestedRoundRobin(_) => SEQUENTIAL_RANK_ALPHA,
        _ => RANK_ALPHA,
    };
    let (mut wrong, mut found, mut unequal) = (0, 0, 0);
    for run in 0..runs {
        let mut rng = stream(&[72, run]);
        let strengths: Vec<f64> = (0..count).map(|i| family.1(i, &mut rng)).collect();
        let rows = compared(design, pairs, &strengths, &mut rng);
        let apart = |row: &&Comparison| row.is_told_apart(alpha);
        let is_wrong = |row: &Comparison| lead(row, &strengths) <= 0.0;
        wrong += u32::from(rows.iter().filter(apart).any(is_wrong));
        found += rows
            .iter()
            .filter(apart)
            .filter(|row| !is_wrong(row))
            .count();
        unequal += rows
            .iter()
            .filter(|row| lead(row, &strengths) != 0.0)
            .count();
    }
    [
        f64::from(wrong) / runs as f64,
        found as f64 / unequal.max(1) as f64,
    ]
}

/// How many tournaments a short run has, so that all designs take about as long.
fn short((_, count, _, runs): Case) -> u64 {
    (runs / 20).min(4000 / (count * count) as u64).max(12)
}

#[test]
fn what_los_says_is_true_that_often() {
    for case in CASES {
        let runs = short(case);
        let classes = calibration(case, runs, None);
        assert!(are_calibrated(&classes, runs), "{case:?}: {classes:?}");
    }
}

#[test]
fn what_los_of_pair_counts_says_is_true_that_often() {
    let runs = 2000;
    let test = Sprt::new(0.0, 60.0, 0.05, 0.05, EloModel::Logistic).expect("a test");
    for (pairs, test) in [(10, None), (40, None), (400, Some(test))] {
        let classes = calibration_of_counts(pairs, test, runs);
        assert!(
            are_calibrated(&classes, runs),
            "{pairs} pairs, {test:?}: {classes:?}"
        );
    }
}

#[test]
fn equal_agents_are_rarely_told_apart() {
    for case in CASES {
        let runs = short(case);
        for family in FAMILIES {
            let [wrong, _] = errors(case, runs, family);
            let most = 0.05 + 3.0 * (0.05 * 0.95 / runs as f64).sqrt();
            assert!(wrong <= most, "{case:?}, {}: {wrong}", family.0);
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn what_los_says_in_long_runs_in_full() {
    for case in CASES {
        let narrow = matches!(case.0, Design::Chain | Design::Gauntlet).then_some(600.0);
        for range in [None].into_iter().chain(narrow.map(Some)) {
            let (design, count, pairs, runs) = case;
            let classes = calibration(case, runs, range);
            let cells = classes.map(|Said { said, right, count }| {
                format!("{:.2} / {:.2}", said / count, right / count)
            });
            let statements: f64 = classes.iter().map(|said| said.count).sum();
            let near = if range.is_some() { ", near" } else { "" };
            println!(
                "| {design}{near} | {count} | {pairs} | {} | {statements} |",
                cells.join(" | ")
            );
            let fine = are_calibrated(&classes, runs);
            assert!(fine || range.is_some(), "{case:?}: {classes:?}");
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn agents_told_apart_in_long_runs_in_full() {
    for case in CASES {
        let (design, count, pairs, runs) = case;
        let rates = FAMILIES.map(|family| errors(case, runs, family));
        let cells =
            rates.map(|[wrong, found]| format!("{:.1}% ({:.0}%)", 100.0 * wrong, 100.0 * found));
        println!(
            "| {design} | {count} | {pairs} | {} | {runs} |",
            cells.join(" | ")
        );
        let noise = 2.0 * (0.05 * 0.95 / runs as f64).sqrt();
        assert!(
            rates.iter().all(|rate| rate[0] <= 0.05 + noise),
            "{case:?}: {rates:?}"
        );
    }
}

fn row(a: &str, b: &str, los: f64, p_adjusted: f64) -> Comparison {
    Comparison {
        a: a.to_owned(),
        b: b.to_owned(),
        elo: crate::Estimate::default(),
        los: Some(los),
        p_adjusted: Some(p_adjusted),
    }
}

#[test]
fn ranks_that_are_left_open() {
    let rows = [
        row("a", "b", 0.8, 0.4),
        row("a", "c", 0.99, 0.04),
        row("b", "c", 0.9, 0.4),
    ];
    let told = |alpha: f64| {
        let ranges = rank_ranges(&["a", "b", "c"], &rows, alpha);
        ranges.iter().map(RankRange::to_string).collect::<Vec<_>>()
    };
    assert_eq!(told(RANK_ALPHA), ["1-2", "1-3", "2-3"]);
    assert_eq!(told(SEQUENTIAL_RANK_ALPHA), ["1-3", "1-3", "1-3"]);
    assert_eq!(told(0.5), ["1", "2", "3"]);
    assert!(rank_ranges(&[], &[], RANK_ALPHA).is_empty());
}

#[test]
fn p_values_are_adjusted_as_in_holms_paper() {
    assert_eq!(adjusted(&[]), Vec::<f64>::new());
    assert_eq!(adjusted(&[0.5]), [0.5]);
    // The smallest counts three times, the next twice; none becomes smaller than the one before, or larger than 1.
    let close = |one: &[f64], other: &[f64]| {
        one.iter()
            .zip(other)
            .all(|(one, other)| (one - other).abs() < 1e-12)
    };
    assert!(close(&adjusted(&[0.04, 0.01, 0.03]), &[0.06, 0.03, 0.06]));
    assert!(close(&adjusted(&[0.9, 0.6, 0.01]), &[1.0, 1.0, 0.03]));
}
