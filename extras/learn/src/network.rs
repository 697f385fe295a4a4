//! The network in floating point: its output and the gradient of its weights.

use patchwork_engine::agent::net::{
    FIRST_UNITS, QUILT_UNITS, SECOND_UNITS, WEIGHTS, WeightMatrix, layout,
};
use patchwork_engine::util::rng::Rng;
use rand::RngExt as _;

use super::samples::Seen;

/// The activations of all units for a position, before clipping.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units {
    quilts: [[f32; QUILT_UNITS]; 2],
    first: [f32; FIRST_UNITS],
    second: [f32; SECOND_UNITS],
    pub(super) output: f32,
}

/// Initial weights: scaled by the number of inputs, with units in the middle of their range.
pub(super) fn initial(rng: &mut Rng) -> Vec<f32> {
    let mut weights = vec![0.0; WEIGHTS];
    let mut fill = |part: WeightMatrix, most: f32| {
        for weight in &mut weights[part.range()] {
            *weight = most * (2.0 * rng.random::<f32>() - 1.0);
        }
    };
    fill(layout::PATTERNS, 0.0125);
    fill(layout::MINE, 0.2);
    fill(layout::THEIRS, 0.2);
    fill(layout::INPUTS, 0.02);
    fill(layout::SECOND, 0.25);
    fill(layout::OUTPUT, 0.5);
    for (part, bias) in [
        (layout::QUILT_BIAS, 0.3),
        (layout::FIRST_BIAS, 0.4),
        (layout::SECOND_BIAS, 0.4),
    ] {
        weights[part.range()].fill(bias);
    }
    weights
}

fn clipped(sum: f32) -> f32 {
    sum.clamp(0.0, 1.0)
}

/// The slope of clipping. It is small but not zero outside the range, so that a unit can recover.
fn slope(sum: f32) -> f32 {
    if sum > 0.0 && sum < 1.0 { 1.0 } else { 0.01 }
}

fn bias<const N: usize>(weights: &[f32], part: WeightMatrix) -> [f32; N] {
    let row = &weights[part.range()];
    std::array::from_fn(|unit| row[unit])
}

/// Adds `scale` times a row.
#[inline(always)]
fn add<const N: usize>(sums: &mut [f32; N], row: &[f32], scale: f32) {
    for (sum, weight) in sums.iter_mut().zip(row) {
        *sum += scale * weight;
    }
}

/// Evaluates a position; an output of 1 is [`POINTS`](patchwork_engine::agent::net::POINTS) above the certain margin.
pub(super) fn evaluate(weights: &[f32], seen: &Seen<'_>) -> Units {
    let quilts = seen.patterns.map(|patterns| {
        let mut units = bias(weights, layout::QUILT_BIAS);
        for &(class, count) in patterns {
            let row = &weights[layout::PATTERNS.row(class.into())];
            add(&mut units, row, count.into());
        }
        units
    });
    let mut first = bias(weights, layout::FIRST_BIAS);
    for (units, part) in quilts.iter().zip([layout::MINE, layout::THEIRS]) {
        for (from, &unit) in units.iter().enumerate() {
            add(&mut first, &weights[part.row(from)], clipped(unit));
        }
    }
    for &input in seen.inputs {
        add(&mut first, &weights[layout::INPUTS.row(input.into())], 1.0);
    }
    let mut second = bias(weights, layout::SECOND_BIAS);
    for (from, &unit) in first.iter().enumerate() {
        add(
            &mut second,
            &weights[layout::SECOND.row(from)],
            clipped(unit),
        );
    }
    let mut output = weights[layout::OUTPUT_BIAS.first];
    for (unit, weight) in second.iter().zip(&weights[layout::OUTPUT.range()]) {
        output += clipped(*unit) * weight;
    }
    Units {
        quilts,
        first,
        second,
        output,
    }
}

/// Adds the gradient of a loss, given its derivative with respect to the output.
pub(super) fn add_gradient(
    weights: &[f32],
    seen: &Seen<'_>,
    units: &Units,
    slope_of_output: f32,
    gradient: &mut [f32],
) {
    gradient[layout::OUTPUT_BIAS.first] += slope_of_output;
    let output = &weights[layout::OUTPUT.range()];
    let mut second = [0.0; SECOND_UNITS];
    for (unit, &sum) in units.second.iter().enumerate() {
        gradient[layout::OUTPUT.first + unit] += slope_of_output * clipped(sum);
        second[unit] = slope_of_output * output[unit] * slope(sum);
    }
    add_row(gradient, layout::SECOND_BIAS, 0, &second, 1.0);
    let first = backward(weights, gradient, layout::SECOND, &units.first, &second);
    add_row(gradient, layout::FIRST_BIAS, 0, &first, 1.0);
    for &input in seen.inputs {
        add_row(gradient, layout::INPUTS, input.into(), &first, 1.0);
    }
    for (whose, part) in [layout::MINE, layout::THEIRS].into_iter().enumerate() {
        let quilt = backward(weights, gradient, part, &units.quilts[whose], &first);
        add_row(gradient, layout::QUILT_BIAS, 0, &quilt, 1.0);
        for &(class, count) in seen.patterns[whose] {
            add_row(
                gradient,
                layout::PATTERNS,
                class.into(),
                &quilt,
                count.into(),
            );
        }
    }
}

fn add_row<const N: usize>(
    gradient: &mut [f32],
    part: WeightMatrix,
    row: usize,
    slopes: &[f32; N],
    scale: f32,
) {
    for (sum, slope) in gradient[part.row(row)].iter_mut().zip(slopes) {
        *sum += scale * slope;
    }
}

/// Adds the gradient of a layer, and returns the derivatives with respect to the sums of the units below.
fn backward<const FROM: usize, const TO: usize>(
    weights: &[f32],
    gradient: &mut [f32],
    part: WeightMatrix,
    sums: &[f32; FROM],
    slopes: &[f32; TO],
) -> [f32; FROM] {
    std::array::from_fn(|from| {
        add_row(gradient, part, from, slopes, clipped(sums[from]));
        let row = weights[part.row(from)].iter().zip(slopes);
        row.map(|(weight, slope)| weight * slope).sum::<f32>() * slope(sums[from])
    })
}
