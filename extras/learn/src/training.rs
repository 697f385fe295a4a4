//! Trains a network on positions.

use std::fmt::{Display, Write as _};
use std::path::PathBuf;

use patchwork_engine::agent::net::{POINTS, WEIGHTS};
use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::stream;
use patchwork_report::document::LineTable;
use rand::RngExt as _;
use rayon::iter::{
    IndexedParallelIterator as _, IntoParallelRefMutIterator as _, ParallelIterator as _,
};
use rayon::slice::ParallelSlice as _;
use serde::Serialize;

use super::network::{add_gradient, evaluate, initial};
use super::samples::{Sample, Samples};

/// The settings of the training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingSettings {
    /// Maximum number of passes over the positions.
    pub epochs: u32,
    /// One of this many games is held out, to measure the error and to stop early.
    pub held_out: u32,
    /// Weight of the final margin in the target, 0 to 1; the rest is the weight of the margin that the search
    /// expected.
    pub outcome: f32,
    /// The highest learning rate.
    pub rate: f32,
    /// The seed of the initial weights and of the order of positions.
    pub seed: u64,
}

impl Default for TrainingSettings {
    fn default() -> Self {
        Self {
            epochs: 5,
            held_out: 10,
            outcome: 0.5,
            rate: 0.002,
            seed: 1,
        }
    }
}

/// A pass over the positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// Mean squared error on the training positions during the pass, in points squared.
    pub loss: f64,
    /// Mean squared error on the games held out; `None` without any.
    pub held_out_loss: Option<f64>,
}

/// A trained network.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The weights, in the order of [`layout`](patchwork_engine::agent::net::layout).
    pub weights: Vec<f32>,
    /// The passes, including those at the end without a smaller error on the held-out games.
    pub epochs: Vec<Epoch>,
    /// The number of the pass that produced these weights.
    pub best: u32,
    /// Number of training positions.
    pub positions: u64,
    /// The accuracy on the games held out, by [phase](PHASES): of the network, and of the linear estimate.
    pub accuracy: [(Accuracy, Accuracy); PHASES.len()],
}

/// Number of positions per step.
const BATCH: usize = 256;
/// Number of positions whose gradients one thread adds; the sums do not depend on the number of threads.
const SHARE: usize = 32;
/// Number of steps until the learning rate is highest.
const WARM_UP: f32 = 200.0;
/// The final learning rate as a share of the highest.
const LAST_RATE: f32 = 0.02;
/// Number of passes without a smaller error on the held-out games after which training ends. The error of a pass
/// varies by about one percent while the learning rate is high.
pub(super) const PATIENCE: u32 = 3;
const DECAY: f32 = 0.01;

/// Trains a network. `told` is called after each pass. After a stop, the best pass so far counts; `None` if there is
/// none.
pub fn train(
    samples: &Samples,
    settings: &TrainingSettings,
    stop: &Stop,
    mut told: impl FnMut(&Epoch),
) -> Result<Option<Trained>, InputError> {
    let (mut order, held_out) = split(samples, settings.held_out);
    if order.is_empty() {
        return Err(InputError::new("there are no positions to learn from"));
    }
    let mut rng = stream(&[settings.seed]);
    let mut weights = initial(&mut rng);
    let mut descent = Descent::new(order.len(), settings);
    let mut best: Option<(Epoch, Vec<f32>)> = None;
    let mut epochs = Vec::new();
    for number in 1..=settings.epochs.max(1) {
        for last in (1..order.len()).rev() {
            order.swap(last, rng.random_range(0..=last));
        }
        let Some(loss) = descent.pass(samples, &order, &mut weights, stop) else {
            break;
        };
        let held_out_loss = loss_on(samples, &held_out, &weights, settings.outcome);
        if !loss.is_finite() || held_out_loss.is_some_and(|loss| !loss.is_finite()) {
            return Err(InputError::new(
                "the training diverged: the error is not a number; expected a lower learning rate",
            ));
        }
        let epoch = Epoch {
            number,
            loss,
            held_out_loss,
        };
        epochs.push(epoch);
        told(&epoch);
        match &best {
            Some((so_far, _)) if so_far.held_out_loss < held_out_loss => {
                if number - so_far.number >= PATIENCE {
                    break;
                }
            }
            _ => best = Some((epoch, weights.clone())),
        }
    }
    Ok(best.map(|(epoch, weights)| Trained {
        accuracy: accuracy(samples, &held_out, &weights),
        weights,
        epochs,
        best: epoch.number,
        positions: order.len() as u64,
    }))
}

/// Splits the positions into those for training and those of the held-out games.
fn split(samples: &Samples, one_of: u32) -> (Vec<usize>, Vec<usize>) {
    let (mut learned, mut held_out) = (Vec::new(), Vec::new());
    for game in 0..samples.games() {
        let out = one_of > 0 && game.is_multiple_of(one_of as usize);
        let to = if out { &mut held_out } else { &mut learned };
        to.extend(samples.of_game(game));
    }
    (learned, held_out)
}

/// The target output of the network for a position.
fn target(position: &Sample, outcome: f32) -> f32 {
    let margin = match position.searched {
        Some(searched) => outcome * position.margin + (1.0 - outcome) * searched,
        None => position.margin,
    };
    (margin - position.certain) / POINTS
}

/// Gradient descent in batches.
struct Descent {
    adam: Adam,
    outcome: f32,
    rate: f32,
    /// The gradients of the shares of a batch.
    gradients: Vec<Vec<f32>>,
    steps: f32,
    all_steps: f32,
}

impl Descent {
    fn new(positions: usize, settings: &TrainingSettings) -> Self {
        let steps = settings.epochs.max(1) as usize * positions.div_ceil(BATCH);
        Self {
            adam: Adam::new(WEIGHTS),
            outcome: settings.outcome,
            rate: settings.rate,
            gradients: vec![vec![0.0; WEIGHTS]; BATCH / SHARE],
            steps: 0.0,
            all_steps: steps as f32,
        }
    }

    /// Goes over all positions once and returns the mean squared error, or `None` after a stop.
    fn pass(
        &mut self,
        samples: &Samples,
        order: &[usize],
        weights: &mut [f32],
        stop: &Stop,
    ) -> Option<f64> {
        let mut sum = 0.0;
        for batch in order.chunks(BATCH) {
            if stop.is_set() {
                return None;
            }
            sum += self.gradient(samples, batch, weights);
            self.steps += 1.0;
            let left = (1.0 - self.steps / self.all_steps).max(LAST_RATE);
            let rate = self.rate * left * (self.steps / WARM_UP).min(1.0);
            self.adam.step(weights, &self.gradients[0], rate, DECAY);
        }
        Some(f64::from(POINTS).powi(2) * sum / order.len() as f64)
    }

    /// Computes the mean gradient of a batch into the first of the gradients; returns the sum of squared errors.
    fn gradient(&mut self, samples: &Samples, batch: &[usize], weights: &[f32]) -> f64 {
        let outcome = self.outcome;
        let scale = 1.0 / batch.len() as f32;
        let shares = batch.par_chunks(SHARE);
        let used = batch.len().div_ceil(SHARE);
        let errors: Vec<f64> = self.gradients[..used]
            .par_iter_mut()
            .zip(shares)
            .map(|(gradient, share)| {
                gradient.fill(0.0);
                let mut errors = 0.0;
                for &index in share {
                    let seen = samples.seen(index);
                    let units = evaluate(weights, &seen);
                    let error = units.output - target(samples.position(index), outcome);
                    errors += f64::from(error).powi(2);
                    add_gradient(weights, &seen, &units, error * scale, gradient);
                }
                errors
            })
            .collect();
        let (sum, others) = self.gradients[..used].split_at_mut(1);
        for gradient in others {
            for (sum, slope) in sum[0].iter_mut().zip(gradient) {
                *sum += *slope;
            }
        }
        errors.iter().sum()
    }
}

fn loss_on(samples: &Samples, indices: &[usize], weights: &[f32], outcome: f32) -> Option<f64> {
    let errors = indices.iter().map(|&index| {
        let output = evaluate(weights, &samples.seen(index)).output;
        f64::from(POINTS * (output - target(samples.position(index), outcome))).powi(2)
    });
    (!indices.is_empty()).then(|| errors.sum::<f64>() / indices.len() as f64)
}

fn accuracy(
    samples: &Samples,
    indices: &[usize],
    weights: &[f32],
) -> [(Accuracy, Accuracy); PHASES.len()] {
    let mut all = [(Accuracy::default(), Accuracy::default()); PHASES.len()];
    for &index in indices {
        let position = samples.position(index);
        let output = evaluate(weights, &samples.seen(index)).output;
        for ((net, linear), (from, to)) in all.iter_mut().zip(PHASES) {
            if position.left >= from && (position.left < to || to == 1.0) {
                net.add(position.margin, position.certain + POINTS * output);
                linear.add(position.margin, position.linear);
            }
        }
    }
    all
}

/// The state of the optimiser: Adam with decoupled weight decay (Kingma and Ba 2015, arXiv 1412.6980; Loshchilov and
/// Hutter 2019, arXiv 1711.05101).
#[derive(Clone, Debug)]
struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    /// 0.9 and 0.999 to the power of the number of steps.
    powers: [f32; 2],
}

const DECAYS: [f32; 2] = [0.9, 0.999];
const LEAST: f32 = 1e-8;

impl Adam {
    fn new(weights: usize) -> Self {
        Self {
            means: vec![0.0; weights],
            squares: vec![0.0; weights],
            powers: [1.0; 2],
        }
    }

    /// Takes a step against the gradient.
    fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32, decay: f32) {
        for (power, decay) in self.powers.iter_mut().zip(DECAYS) {
            *power *= decay;
        }
        let [of_mean, of_square] = self.powers.map(|power| 1.0 - power);
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for ((weight, slope), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
            *mean += (1.0 - DECAYS[0]) * (slope - *mean);
            *square += (1.0 - DECAYS[1]) * (slope * slope - *square);
            let step = *mean / of_mean / ((*square / of_square).sqrt() + LEAST);
            *weight -= rate * (step + decay * *weight);
        }
    }
}

impl Trained {
    /// How the network was trained, from these files with this number of games, and how accurate it is: the text
    /// that is kept in the network's file.
    pub fn card(&self, settings: &TrainingSettings, files: &[PathBuf], games: usize) -> String {
        let files: Vec<String> = files
            .iter()
            .map(|file| {
                let name = file.file_name().unwrap_or(file.as_os_str());
                name.to_string_lossy().into_owned()
            })
            .collect();
        let mut card = format!(
            "{games} games: {}\n{} positions learned from, one of {} games held out\n\
         weight of the outcome {}, learning rate {}, seed {}, pass {} of {}\n\
         R^2 of the final margin on the games held out, and root mean squared error in points:\n",
            files.join(", "),
            self.positions,
            settings.held_out,
            settings.outcome,
            settings.rate,
            settings.seed,
            self.best,
            self.epochs.len(),
        );
        let table = LineTable::new(2)
            .left("track left", 12)
            .right("positions", 9);
        let table = table.left("network", 15).left("linear", 0);
        let _ = writeln!(card, "{}", table.head());
        for ((net, linear), (from, to)) in self.accuracy.iter().zip(PHASES) {
            let of = |accuracy: &Accuracy| match (accuracy.r_squared(), accuracy.error()) {
                (Some(r), Some(error)) => format!("{r:.3} ({error:5.2})"),
                _ => "-".to_owned(),
            };
            let phase = format!("{from:.2} to {to:.2}");
            let cells: [&dyn Display; 4] = [&phase, &net.positions, &of(net), &of(linear)];
            let _ = writeln!(card, "{}", table.line(&cells));
        }
        card
    }
}

/// Phases of the game as ranges of the share of the track left: all, and four quarters from the start.
pub const PHASES: [(f32, f32); 5] = [
    (0.0, 1.0),
    (0.75, 1.0),
    (0.5, 0.75),
    (0.25, 0.5),
    (0.0, 0.25),
];

/// The accuracy of an estimate on positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// Number of positions.
    pub positions: u64,
    /// The sum of the squared errors, in points.
    errors: f64,
    /// The sum of the squared margins.
    margins: f64,
}

impl Accuracy {
    fn add(&mut self, margin: f32, estimate: f32) {
        let (margin, estimate) = (f64::from(margin), f64::from(estimate));
        self.positions += 1;
        self.errors += (margin - estimate).powi(2);
        self.margins += margin * margin;
    }

    /// The share of the margins' variation around 0 that the estimate explains; 1 is perfect. `None` without
    /// positions.
    pub fn r_squared(&self) -> Option<f64> {
        (self.margins > 0.0).then(|| 1.0 - self.errors / self.margins)
    }

    /// The root of the mean squared error, in points. `None` without positions.
    pub fn error(&self) -> Option<f64> {
        (self.positions > 0).then(|| (self.errors / self.positions as f64).sqrt())
    }
}
