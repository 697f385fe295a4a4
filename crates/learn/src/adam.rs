//! Adam with decoupled weight decay (Kingma and Ba 2015, arXiv 1412.6980; Loshchilov and Hutter 2019, arXiv
//! 1711.05101).

/// The state of the optimiser.
#[derive(Clone, Debug)]
pub(super) struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    /// 0.9 and 0.999 to the power of the number of steps.
    powers: [f32; 2],
}

const DECAYS: [f32; 2] = [0.9, 0.999];
const LEAST: f32 = 1e-8;

impl Adam {
    /// The initial state for this many weights.
    pub(super) fn new(weights: usize) -> Self {
        Self {
            means: vec![0.0; weights],
            squares: vec![0.0; weights],
            powers: [1.0; 2],
        }
    }

    /// Takes a step against the gradient.
    pub(super) fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32, decay: f32) {
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
