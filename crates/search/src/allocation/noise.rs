//! Noise at the root: Silver et al., "Mastering the game of Go without human knowledge" (2017).

use crate::allocation::RootAllocation;
use crate::part::{PartInfo, PartKey};

pub(super) static NOISE: RootAllocation = RootAllocation {
    info: PartInfo {
        name: "noise",
        about: "As `selection`, but the priors of the root are mixed with random numbers (Dirichlet noise): games to learn from \
                then differ.",
        keys: &[
            PartKey {
                name: "share",
                about: "The weight of the noise",
                default: 0.25,
                range: [0.0, 1.0],
            },
            PartKey {
                name: "alpha",
                about: "The parameter of the Dirichlet distribution: the smaller, the fewer actions get most of the noise",
                default: 0.3,
                range: [0.001, 1000.0],
            },
        ],
    },
    mix: Some(|keys, priors, random| {
        let logs: Vec<f64> = priors.iter().map(|_| log_gamma(keys[1], random)).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logs.iter().map(|log| libm::exp(log - most)).sum();
        for (prior, log) in priors.iter_mut().zip(logs) {
            let noise = libm::exp(log - most) / sum;
            *prior = ((1.0 - keys[0]) * f64::from(*prior) + keys[0] * noise) as f32;
        }
    }),
    build: None,
};

/// The logarithm of a number with the gamma distribution: Marsaglia and Tsang, "A simple method for generating gamma variables"
/// (2000), with a shape greater by 1, which a power of a random number corrects.
fn log_gamma(shape: f64, random: &mut dyn FnMut() -> f64) -> f64 {
    let d = shape + 2.0 / 3.0;
    loop {
        let radius = (-2.0 * libm::log(random())).sqrt();
        let normal = radius * libm::cos(std::f64::consts::TAU * random());
        let cube = (1.0 + normal / (9.0 * d).sqrt()).powi(3);
        let bound = 0.5 * normal * normal + d * (1.0 - cube + libm::log(cube));
        // Where the cube is not positive, the bound is not a number.
        if libm::log(random()) < bound {
            return libm::log(d * cube) + libm::log(random()) / shape;
        }
    }
}
