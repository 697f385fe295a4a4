use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use patchwork_engine::agent::AgentFile;
use patchwork_engine::agent::net::{Net, WEIGHTS};
use patchwork_engine::search::Stop;
use patchwork_engine::util::rng::stream;

use super::network::{add_gradient, evaluate, initial};
use super::training::PATIENCE;
use super::*;

fn plan(games: u32) -> SelfPlayPlan {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../agents/greedy-regret.toml");
    SelfPlayPlan::new(AgentFile::read(&path).expect("an agent"), games)
}

fn samples(games: u32) -> Samples {
    let plan = plan(games);
    let mut agents = plan.agents();
    let mut samples = Samples::default();
    for number in 0..games {
        let game = play_one(&plan, number, &mut agents, &Stop::new());
        let game = game.expect("a game").expect("not stopped");
        samples.add(&game).expect("by the rules");
    }
    samples
}

#[test]
fn the_gradient_is_the_slope_of_the_error() {
    let samples = samples(3);
    let mut weights = initial(&mut stream(&[1]));
    let seen = samples.seen(samples.len() / 2);
    let units = evaluate(&weights, &seen);
    let mut gradient = vec![0.0; WEIGHTS];
    // The derivative of half the square of the output.
    add_gradient(&weights, &seen, &units, units.output, &mut gradient);
    let mut checked = 0;
    for index in (0..WEIGHTS)
        .filter(|&index| gradient[index] != 0.0)
        .step_by(37)
    {
        let at = |weight: f32, weights: &mut [f32]| {
            weights[index] = weight;
            f64::from(evaluate(weights, &seen).output).powi(2) / 2.0
        };
        let here = weights[index];
        let slope = (at(here + 1e-3, &mut weights) - at(here - 1e-3, &mut weights)) / 2e-3;
        weights[index] = here;
        let found = f64::from(gradient[index]);
        // Units near an end of their range have a different slope beyond it.
        let close = (slope - found).abs() < 0.05 * slope.abs() + 0.02;
        assert!(close, "weight {index}: {found} instead of {slope}");
        checked += 1;
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn training_is_the_same_on_any_number_of_threads() {
    let samples = samples(12);
    let settings = TrainingSettings {
        epochs: 2,
        held_out: 4,
        ..TrainingSettings::default()
    };
    let trained = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("threads");
        pool.install(|| train(&samples, &settings, &Stop::new(), |_| ()))
            .expect("positions")
            .expect("not stopped")
    };
    let (one, three) = (trained(1), trained(3));
    assert_eq!(one.weights, three.weights);
    assert_eq!(one.epochs, three.epochs);
}

#[test]
fn training_lowers_the_error() {
    let samples = samples(30);
    let settings = TrainingSettings {
        epochs: 30,
        held_out: 0,
        ..TrainingSettings::default()
    };
    let trained = train(&samples, &settings, &Stop::new(), |_| ())
        .expect("positions")
        .expect("not stopped");
    let [first, .., last] = &trained.epochs[..] else {
        panic!("{:?}", trained.epochs)
    };
    assert!(last.loss < 0.5 * first.loss, "{first:?} {last:?}");
    assert!(Net::rounded(&trained.weights, String::new()).is_ok());
}

#[test]
fn training_ends_after_three_passes_without_a_smaller_error_and_keeps_the_best() {
    let settings = TrainingSettings {
        epochs: 400,
        held_out: 2,
        ..TrainingSettings::default()
    };
    let trained = train(&samples(8), &settings, &Stop::new(), |_| ())
        .expect("positions")
        .expect("not stopped");
    let errors = trained.epochs.iter().map(|epoch| epoch.held_out_loss);
    let errors: Vec<f64> = errors.collect::<Option<_>>().expect("held out");
    assert!(errors.len() < 400, "eight games are soon learned by heart");
    let best = errors.len() - 1 - PATIENCE as usize;
    assert_eq!(trained.best as usize, best + 1);
    assert!(
        errors.iter().all(|error| *error >= errors[best]),
        "{errors:?}"
    );
    // A smaller error than that of the best pass before it came at most three passes later.
    let mut smallest = 0;
    for pass in 1..=best {
        if errors[pass] <= errors[smallest] {
            assert!(pass - smallest <= PATIENCE as usize);
            smallest = pass;
        }
    }
}

#[test]
fn nothing_to_learn_from_is_an_error_and_a_stop_gives_nothing() {
    let settings = TrainingSettings::default();
    let empty = train(&Samples::default(), &settings, &Stop::new(), |_| ());
    let empty = empty.expect_err("empty").to_string();
    assert_eq!(empty, "there are no positions to learn from");
    let stop = Stop::new();
    stop.set();
    let stopped = train(&samples(2), &settings, &stop, |_| ());
    assert!(stopped.expect("positions").is_none());
}

fn write(path: &Path, games: u32, threads: usize) -> Vec<u8> {
    let plan = plan(games);
    let mut file = GamesFile::open(path, plan.hash()).expect("a file");
    let threads = NonZeroUsize::new(threads).expect("some");
    play(&plan, &mut file, threads, &Stop::new(), || ()).expect("played");
    drop(file);
    std::fs::read(path).expect("a file")
}

fn file_in(folder: &tempfile::TempDir, name: &str) -> PathBuf {
    folder.path().join(name)
}

#[test]
fn a_file_depends_on_the_plan_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = write(&file_in(&folder, "whole"), 12, 1);
    assert_eq!(write(&file_in(&folder, "threads"), 12, 3), whole);
    let path = file_in(&folder, "torn");
    for length in [0, 27, 40, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&path, &whole[..length]).expect("written");
        assert_eq!(write(&path, 12, 2), whole, "{length}");
    }
    let read = || {
        let mut games = 0;
        let torn = read_games(&path, |_| {
            games += 1;
            Ok(())
        });
        (games, torn.expect("games"))
    };
    assert_eq!(read(), (12, 0));
    std::fs::write(&path, &whole[..whole.len() - 1]).expect("written");
    let (games, torn) = read();
    assert!(games == 11 && torn > 100, "{games} {torn}");
}

#[test]
fn other_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file_in(&folder, "games");
    let whole = write(&path, 3, 1);
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("written");
        let opened = GamesFile::open(&path, plan(3).hash()).map(|_| ());
        opened.expect_err("refused").to_string()
    };
    assert!(
        refused(b"[agent]").contains("expected one that `patchwork-arena learn selfplay` wrote")
    );
    let mut changed = whole.clone();
    changed[18] = 9;
    assert!(refused(&changed).contains("the file has version 9"));
    changed.clone_from(&whole);
    changed[60] ^= 1;
    assert!(refused(&changed).ends_with("game 1 is damaged: its checksum is wrong"));
    changed.clone_from(&whole);
    changed[20] ^= 1;
    assert!(refused(&changed).contains("games of another plan"));
}

#[test]
fn the_manual_gives_the_defaults() {
    let manual = include_str!("../../../docs/learning.md");
    let manual: String = manual.split_whitespace().collect::<Vec<_>>().join(" ");
    let plan = plan(1);
    let Opening { plies, share } = plan.opening;
    let training = TrainingSettings::default();
    for text in [
        format!("openings and agents; default {} |", plan.seed),
        format!("`plies` (default {plies}) and `share` (default {share})"),
        format!("the final margin, {} by default)", training.outcome),
        format!("One of {} games is held out", training.held_out),
        format!("after {PATIENCE} passes without a smaller error"),
    ] {
        assert!(manual.contains(&text), "docs/learning.md: no \"{text}\"");
    }
}
