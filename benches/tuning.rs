//! Simple regret of the tuning methods on synthetic objectives with the noise of game pairs, at equal numbers
//! of games.
//!
//! `cargo bench --bench tuning` prints, for every objective and method, how many points of margin the
//! recommended candidate is below the best, as the median over 20 seeds. It also says whether the default
//! method halves the regret of random search on average and is not significantly worse on any objective.
//!
//! `cargo bench --bench tuning -- recover improve` plays real games instead, which takes minutes: see
//! `tuning/games.rs`. `-- cost` runs 50 searches over settings that change the cost of an iteration: see `tuning/cost.rs`.

#[path = "tuning/cost.rs"]
mod cost;
#[path = "tuning/games.rs"]
mod games;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use patchwork_engine::util::rng::{Rng, stream};
use patchwork_tune::{Point, SearchMethod, Space, Trial, Tuner, TunerSettings};
use rand::RngExt as _;

/// Number of pairs of games in a search.
const PAIRS: u32 = 1000;

/// Number of searches of each method on each objective.
const SEEDS: u64 = 20;

// The noise of 1,050 pairs of games of `mcts-fast-1` against seven agents on common rings, with 1000
// iterations per move; see docs/lab/tuning.md.
/// Standard deviation of the margin of one game around its expectation, in points.
const MARGIN_SD: f64 = 10.0;
/// Correlation of the margins of the two games of a pair, both seen by the same agent.
const LEG_CORRELATION: f64 = -0.1;
/// Correlation of the mean margins of two candidates on the same ring.
const RING_CORRELATION: f64 = 0.06;
/// Margins are squashed by a logistic curve with this scale, in points.
const SQUASH: f64 = 8.0;
/// The expected margin of the best candidate.
const BEST_MARGIN: f64 = 4.0;

/// An objective: the expected margin against the opponent, at most 0.
struct Objective {
    name: &'static str,
    space: &'static str,
    /// The objective at a point.
    value: fn(&Values<'_>) -> f64,
}

/// A point, with the places of the optimum.
struct Values<'a> {
    space: &'a Space,
    point: &'a Point,
    optimum: &'a [f64],
}

impl Values<'_> {
    /// Distance of a number from the optimum, as a fraction of its range.
    fn far(&self, key: &str) -> f64 {
        let keys = self.space.keys();
        let Some(index) = keys.iter().position(|k| k.name == key) else {
            panic!("{key} is not a key")
        };
        let value = self.point.get(key).expect("an active key");
        keys[index].domain.position(value) - self.optimum[index]
    }

    fn is(&self, key: &str, value: &str) -> bool {
        self.point.get(key).expect("an active key").to_string() == format!("\"{value}\"")
    }
}

fn square(x: f64) -> f64 {
    x * x
}

fn bump(square_distance: f64, width: f64) -> f64 {
    libm::exp(-square_distance / (2.0 * width * width))
}

const OBJECTIVES: [Objective; 8] = [
    Objective {
        name: "smooth",
        space: r#"
            a = { low = 0.05, high = 5.0, log = true }
            b = { low = 0.0, high = 1.0 }
            c = { low = -10.0, high = 10.0 }
            d = { low = 1, high = 40 }
            e = { low = 10.0, high = 10000.0, log = true }
            f = { low = 0.0, high = 0.5 }
        "#,
        value: |v| {
            let keys = [
                ("a", 40.0),
                ("b", 30.0),
                ("c", 20.0),
                ("d", 15.0),
                ("e", 10.0),
                ("f", 5.0),
            ];
            -keys
                .iter()
                .map(|(key, weight)| weight * square(v.far(key)))
                .sum::<f64>()
        },
    },
    Objective {
        name: "needle",
        space: r#"
            a = { low = 0.0, high = 1.0 }
            b = { low = 0.0, high = 1.0 }
            c = { low = 0, high = 10 }
            d = ["p", "q", "r"]
        "#,
        value: |v| {
            let far: f64 = ["a", "b", "c"].iter().map(|key| square(v.far(key))).sum();
            let other = if v.is("d", "q") { 0.0 } else { 0.1 };
            12.0 * (bump(far + other, 0.2) - 1.0)
        },
    },
    Objective {
        name: "deceptive",
        space: r#"
            a = { low = 0.0, high = 1.0 }
            b = { low = 0.0, high = 1.0 }
            c = { low = 0.0, high = 1.0 }
        "#,
        value: |v| {
            // A wide hill leads away from a higher, narrower one.
            let keys = ["a", "b", "c"];
            let far = keys.iter().map(|key| square(v.far(key))).sum();
            let away = keys.iter().map(|key| square(v.far(key).abs() - 0.6)).sum();
            f64::max(14.0 * bump(far, 0.2), 9.0 * bump(away, 0.45)) - 14.0
        },
    },
    Objective {
        name: "conditional",
        space: r#"
            select = ["ucb1", "ucb1-tuned", "puct"]
            "ucb1.exploration" = { low = 0.05, high = 5.0, log = true, when = { select = ["ucb1", "ucb1-tuned"] } }
            "puct.exploration" = { low = 0.05, high = 5.0, log = true, when = { select = "puct" } }
            "puct.prior" = { values = ["estimate", "equation"], when = { select = "puct" } }
            "puct.temperature" = { low = 10.0, high = 10000.0, log = true, when = { "puct.prior" = "estimate" } }
            depth = { low = 0, high = 12 }
        "#,
        value: |v| {
            let depth = -8.0 * square(v.far("depth"));
            if !v.is("select", "puct") {
                let tuned = if v.is("select", "ucb1") { 0.0 } else { -1.0 };
                return depth + tuned - 5.0 - 15.0 * square(v.far("ucb1.exploration"));
            }
            let exploration = -25.0 * square(v.far("puct.exploration"));
            if v.is("puct.prior", "equation") {
                return depth + exploration - 4.0;
            }
            depth + exploration - 15.0 * square(v.far("puct.temperature"))
        },
    },
    Objective {
        name: "flat",
        space: r#"
            a = { low = 0.0, high = 1.0 }
            b = { low = 0.0, high = 1.0 }
            c = { low = 0.0, high = 1.0 }
            d = ["p", "q", "r", "s"]
            e = [true, false]
        "#,
        value: |v| -3.0 * square(v.far("a")),
    },
    Objective {
        name: "mixed",
        space: r#"
            strategy = ["in-order", "bl", "bl-lb", "pareto-bl", "first-fail", "all"]
            transforms = ["some", "every"]
            evaluation = ["first", "random", "left", "area", "regret"]
            exploration = { low = 0.05, high = 5.0, log = true }
            depth = { low = 0, high = 20 }
            pick = ["greedy", "uniform"]
        "#,
        value: |v| {
            let strategies = [
                ("in-order", 0.0),
                ("bl", -1.0),
                ("bl-lb", -1.5),
                ("pareto-bl", -2.5),
            ];
            let strategy = strategies.iter().find(|(name, _)| v.is("strategy", name));
            let strategy = strategy.map_or(-6.0, |(_, value)| *value);
            // Expensive evaluations pay only where there is something to choose from.
            let every = v.is("transforms", "every");
            let evaluation = match () {
                () if v.is("evaluation", "regret") && every => 1.0,
                () if v.is("evaluation", "regret") => -2.0,
                () if v.is("evaluation", "random") => -5.0,
                () if v.is("evaluation", "first") => -1.0,
                () => -2.0,
            };
            let pick = if v.is("pick", "greedy") { 0.0 } else { -4.0 };
            let transforms = if every { -0.5 } else { 0.0 };
            let numbers = 18.0 * square(v.far("exploration")) + 5.0 * square(v.far("depth"));
            strategy + transforms + evaluation + pick - numbers - 0.5
        },
    },
    Objective {
        name: "ridge",
        space: r#"
            a = { low = 0.0, high = 1.0 }
            b = { low = 0.0, high = 1.0 }
            c = { low = 0.0, high = 1.0 }
            d = { low = 0.0, high = 1.0 }
        "#,
        value: |v| {
            let along = v.far("a") + v.far("b");
            let across = v.far("a") - v.far("b");
            -40.0 * square(across)
                - 4.0 * square(along)
                - 10.0 * square(v.far("c"))
                - 2.0 * square(v.far("d"))
        },
    },
    Objective {
        name: "many",
        space: r#"
            a = { low = 0.0, high = 1.0 }
            b = { low = 0.0, high = 1.0 }
            c = { low = 0.0, high = 1.0 }
            d = { low = 0.0, high = 1.0 }
            e = { low = 0.0, high = 1.0 }
            f = { low = 0.0, high = 1.0 }
            g = { low = 0.0, high = 1.0 }
            h = { low = 0.0, high = 1.0 }
            i = { low = 0.0, high = 1.0 }
            j = { low = 0.0, high = 1.0 }
        "#,
        value: |v| {
            let keys = v.space.keys().iter().enumerate();
            let parts =
                keys.map(|(i, key)| 16.0 / (1.0 + i as f64 / 2.0) * square(v.far(&key.name)));
            -parts.sum::<f64>()
        },
    },
];

/// An objective, with the place of its optimum for a seed.
struct Case {
    space: Space,
    optimum: Vec<f64>,
    value: fn(&Values<'_>) -> f64,
    seed: u64,
}

impl Case {
    fn new(objective: &Objective, seed: u64) -> Self {
        let space = Space::parse(objective.space).expect("a space");
        let mut rng = stream(&[seed, 1]);
        let optimum = space.keys().iter().map(|key| {
            let place = 0.15 + 0.7 * rng.random::<f64>();
            // An optimum between two whole numbers could not be reached.
            key.domain.position(&key.domain.value_at(place))
        });
        Self {
            optimum: optimum.collect(),
            space,
            value: objective.value,
            seed,
        }
    }

    fn value(&self, point: &Point) -> f64 {
        (self.value)(&Values {
            space: &self.space,
            point,
            optimum: &self.optimum,
        })
    }

    /// Plays the pairs of a trial: normal margins, squashed to 0..1 and averaged.
    fn play(&self, trial: &Trial) -> Vec<f64> {
        let expected = self.value(&trial.point);
        let results = trial.rings.clone().map(|ring| {
            let of_ring = normal(&mut stream(&[self.seed, 2, u64::from(ring)]));
            let mut own = stream(&[self.seed, 3, u64::from(ring), trial.id]);
            // The mean of two margins has the variance (1 + correlation) / 2.
            let shared = (RING_CORRELATION * (1.0 + LEG_CORRELATION) / 2.0).sqrt();
            let pair = (0.5 * (1.0 + LEG_CORRELATION) - shared * shared).sqrt();
            let leg = (0.5 * (1.0 - LEG_CORRELATION)).sqrt();
            let both = shared * of_ring + pair * normal(&mut own);
            let difference = leg * normal(&mut own);
            let squashed = |sign: f64| {
                let margin = expected + BEST_MARGIN + MARGIN_SD * (both + sign * difference);
                1.0 / (1.0 + libm::exp(-margin / SQUASH))
            };
            0.5 * (squashed(1.0) + squashed(-1.0))
        });
        results.collect()
    }
}

/// A standard normal random number, by the Box-Muller method.
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - rng.random::<f64>())).sqrt();
    radius * libm::cos(std::f64::consts::TAU * rng.random::<f64>())
}

/// The regret of a search in points, and the pairs that it played.
fn search(case: &Case, method: SearchMethod) -> (f64, u32) {
    let settings = TunerSettings {
        method,
        ..TunerSettings::new(PAIRS, case.seed)
    };
    let mut tuner = Tuner::new(case.space.clone(), settings).expect("a search");
    loop {
        let trials = tuner.ask();
        if trials.is_empty() {
            break;
        }
        let results = trials.iter().map(|trial| case.play(trial));
        tuner.tell(results.collect()).expect("results");
    }
    let best = tuner.best().expect("a recommendation");
    (-case.value(&best.point), tuner.history().pairs())
}

fn main() {
    let parts: Vec<String> = std::env::args().skip(1).collect();
    let mut parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    parts.retain(|part| *part != "--bench");
    if parts.is_empty() {
        parts.push("objectives");
    }
    for part in parts {
        match part {
            "objectives" => objectives(),
            "recover" => games::recover(),
            "improve" => games::improve(),
            "cost" => costs(),
            other => {
                panic!("there is no part '{other}'; expected objectives, recover, improve or cost")
            }
        }
    }
}

/// Verdicts of searches at equal processor time and at equal iterations. Target: games at equal cost contradict at most 5%.
fn costs() {
    let home = tempfile::tempdir().expect("a folder");
    let sizes = cost::Sizes {
        searches: 50,
        pairs: [24, 60, 50],
    };
    println!("equal            searches  proven  contradicted");
    for equal in ["processor-time", "budget"] {
        let start = Instant::now();
        let all = cost::verdicts(home.path(), &sizes, equal);
        println!(
            "{equal:<14}{:>11}{:>8}{:>14}  {:.0} s",
            all.conclusions.len(),
            all.proven,
            all.contradicted,
            start.elapsed().as_secs_f64()
        );
    }
}

/// All methods on all synthetic objectives.
fn objectives() {
    let methods: Vec<SearchMethod> = SearchMethod::ALL
        .iter()
        .copied()
        .filter(|method| *method != SearchMethod::Race)
        .collect();
    let results = search_all(&methods);
    let of = |objective: usize, method: SearchMethod| -> Vec<f64> {
        let own = results
            .iter()
            .filter(|run| (run.objective, run.method) == (objective, method));
        own.map(|run| run.regret).collect()
    };
    print!("{:<14}", "objective");
    for method in &methods {
        print!("{:>10}", method.name());
    }
    println!("{:>10}{:>10}", "ratio", "worse p");
    let mut ratios = Vec::new();
    let mut worse = 0;
    for (i, objective) in OBJECTIVES.iter().enumerate() {
        print!("{:<14}", objective.name);
        for &method in &methods {
            print!("{:>10.2}", median(of(i, method)));
        }
        let (own, yardstick) = (of(i, SearchMethod::default()), of(i, SearchMethod::Random));
        let p = p_worse(&own, &yardstick);
        let ratio = median(own) / median(yardstick);
        println!("{ratio:>10.2}{p:>10.3}");
        ratios.push(ratio);
        worse += u32::from(p < 0.05);
    }
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    let verdict = |reached: bool| if reached { "reached" } else { "missed" };
    println!(
        "mean ratio to random search {mean:.2}, target at most 0.50: {}",
        verdict(mean <= 0.5)
    );
    println!(
        "significantly worse (p < 0.05) on {worse} objectives, target 0: {}",
        verdict(worse == 0)
    );
    for &method in &methods {
        let own = || results.iter().filter(|run| run.method == method);
        let count = own().count() as f64;
        let pairs = own().map(|run| f64::from(run.pairs)).sum::<f64>() / count;
        let seconds = own().map(|run| run.seconds).sum::<f64>() / count;
        let name = method.name();
        println!("{name:<10}{pairs:>8.0} pairs {seconds:>8.3} s per search");
    }
}

/// The result of a search.
struct Run {
    objective: usize,
    method: SearchMethod,
    seed: u64,
    regret: f64,
    pairs: u32,
    seconds: f64,
}

/// All searches, in the order of objectives, methods and seeds.
fn search_all(methods: &[SearchMethod]) -> Vec<Run> {
    let mut jobs = Vec::new();
    for (objective, _) in OBJECTIVES.iter().enumerate() {
        for &method in methods {
            jobs.extend((0..SEEDS).map(|seed| (objective, method, seed)));
        }
    }
    let runs = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(&(objective, method, seed)) =
                    jobs.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let case = Case::new(&OBJECTIVES[objective], seed);
                    let start = Instant::now();
                    let (regret, pairs) = search(&case, method);
                    runs.lock().expect("no thread panicked").push(Run {
                        objective,
                        method,
                        seed,
                        regret,
                        pairs,
                        seconds: start.elapsed().as_secs_f64(),
                    });
                }
            });
        }
    });
    let mut runs = runs.into_inner().expect("no thread panicked");
    runs.sort_by_key(|run| (run.objective, run.method.name(), run.seed));
    runs
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    0.5 * (values[(n - 1) / 2] + values[n / 2])
}

/// The probability of paired differences this large if neither method is worse: Wilcoxon's signed-rank test,
/// one-sided, by random signs.
fn p_worse(own: &[f64], yardstick: &[f64]) -> f64 {
    let mut differences: Vec<f64> = own.iter().zip(yardstick).map(|(a, b)| a - b).collect();
    differences.retain(|difference| *difference != 0.0);
    differences.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let signed = |signs: &mut dyn FnMut(usize) -> bool| -> f64 {
        let ranks = 0..differences.len();
        ranks
            .map(|i| if signs(i) { i as f64 + 1.0 } else { 0.0 })
            .sum()
    };
    let seen = signed(&mut |i| differences[i] > 0.0);
    let mut rng = stream(&[4]);
    let rounds = 20_000;
    let as_large = (0..rounds)
        .filter(|_| signed(&mut |_| rng.random::<bool>()) >= seen)
        .count();
    as_large as f64 / f64::from(rounds)
}
