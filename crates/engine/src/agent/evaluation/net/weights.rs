//! The weights of a network as integers, and their file.

use std::array::from_fn;
use std::fmt;
use std::ops::Range;
use std::path::Path;

use twox_hash::XxHash3_64;

use super::features::INPUTS;
use super::{FIRST_UNITS, QUILT_UNITS, SECOND_UNITS};
use crate::board::patterns::{CLASSES, PATTERN_CLASSES, PATTERNS};
use crate::util::{InputError, limits};

/// A matrix in the list of weights, with one row per input.
#[derive(Clone, Copy, Debug)]
pub struct WeightMatrix {
    /// Index of its first weight.
    pub first: usize,
    /// Number of inputs.
    pub rows: usize,
    /// Number of units.
    pub columns: usize,
    /// The integer that represents 1.
    pub one: f32,
}

impl WeightMatrix {
    const fn after(self, rows: usize, columns: usize, one: i32) -> Self {
        Self {
            first: self.range().end,
            rows,
            columns,
            one: one as f32,
        }
    }

    /// The weights of the matrix.
    pub const fn range(self) -> Range<usize> {
        self.first..self.first + self.rows * self.columns
    }

    /// The weights of one input.
    #[inline(always)]
    pub const fn row(self, row: usize) -> Range<usize> {
        let first = self.first + row * self.columns;
        first..first + self.columns
    }
}

/// A value of 1 in sums.
pub(super) const ONE: i32 = 1 << 10;
/// A weight of 1 of a unit.
pub(super) const WEIGHT_ONE: i32 = 1 << WEIGHT_BITS;
/// Binary digits after the point of a weight of a unit.
pub(super) const WEIGHT_BITS: u32 = 8;

/// Where the weights of each layer lie.
pub mod layout {
    use super::*;

    /// From a class of patterns to the units of a quilt.
    pub const PATTERNS: WeightMatrix = START.after(PATTERN_CLASSES, QUILT_UNITS, ONE);
    /// The bias of the units of a quilt.
    pub const QUILT_BIAS: WeightMatrix = PATTERNS.after(1, QUILT_UNITS, ONE);
    /// From the units of the mover's quilt to the first layer.
    pub const MINE: WeightMatrix = QUILT_BIAS.after(QUILT_UNITS, FIRST_UNITS, WEIGHT_ONE);
    /// From the units of the opponent's quilt to the first layer.
    pub const THEIRS: WeightMatrix = MINE.after(QUILT_UNITS, FIRST_UNITS, WEIGHT_ONE);
    /// From the other inputs to the first layer.
    pub const INPUTS: WeightMatrix = THEIRS.after(super::INPUTS, FIRST_UNITS, ONE);
    /// The bias of the first layer.
    pub const FIRST_BIAS: WeightMatrix = INPUTS.after(1, FIRST_UNITS, ONE);
    /// From the first layer to the second.
    pub const SECOND: WeightMatrix = FIRST_BIAS.after(FIRST_UNITS, SECOND_UNITS, WEIGHT_ONE);
    /// The bias of the second layer.
    pub const SECOND_BIAS: WeightMatrix = SECOND.after(1, SECOND_UNITS, ONE);
    /// From the second layer to the output.
    pub const OUTPUT: WeightMatrix = SECOND_BIAS.after(SECOND_UNITS, 1, WEIGHT_ONE);
    /// The bias of the output.
    pub const OUTPUT_BIAS: WeightMatrix = OUTPUT.after(1, 1, ONE);

    /// The layers in order.
    pub const ALL: [WeightMatrix; 10] = [
        PATTERNS,
        QUILT_BIAS,
        MINE,
        THEIRS,
        INPUTS,
        FIRST_BIAS,
        SECOND,
        SECOND_BIAS,
        OUTPUT,
        OUTPUT_BIAS,
    ];

    const START: WeightMatrix = WeightMatrix {
        first: 0,
        rows: 0,
        columns: 0,
        one: 0.0,
    };
}

/// The networks that are built into the program, by the names that agent files have for them. That of a former
/// champion never changes.
pub const SHIPPED_NETS: &[(&str, &[u8])] = &[
    ("learned", LEARNED),
    // As long as no later network replaces it, that of champion-3 is the newest.
    #[cfg(not(target_family = "wasm"))]
    ("learned-3", LEARNED),
    // A browser compares no former champions.
    #[cfg(not(target_family = "wasm"))]
    ("learned-2", include_bytes!("learned-2.net")),
];

const LEARNED: &[u8] = include_bytes!("learned.net");

/// Rows of weights of inputs, so many that an index needs no check.
pub(super) const INPUT_ROWS: usize = INPUTS.next_power_of_two();
/// An index whose weights are 0.
pub(super) const NO_INPUT: usize = INPUTS;
const _: () = assert!(NO_INPUT < INPUT_ROWS);

/// Number of weights.
pub const WEIGHTS: usize = layout::OUTPUT_BIAS.range().end;

/// A network: its weights, arranged for evaluation, and its card.
pub struct Net {
    /// As in the file, in the order of [`layout`].
    weights: Box<[i16]>,
    card: String,
    hash: u64,
    pub(super) patterns: Box<[[i16; QUILT_UNITS]; PATTERNS]>,
    pub(super) quilt_bias: [i16; QUILT_UNITS],
    /// For each pair of units of a quilt its weights in the first layer, as the mover's and as the opponent's.
    pub(super) quilts: Box<[[[i16; 2]; 2 * FIRST_UNITS]; QUILT_UNITS / 2]>,
    pub(super) inputs: Box<[[i16; FIRST_UNITS]; INPUT_ROWS]>,
    pub(super) first_bias: [i16; FIRST_UNITS],
    /// For each pair of units of the first layer its weights in the second.
    pub(super) second: [[[i16; 2]; SECOND_UNITS]; FIRST_UNITS / 2],
    pub(super) second_bias: [i32; SECOND_UNITS],
    pub(super) output: [i32; SECOND_UNITS],
    pub(super) output_bias: i16,
}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Net({:016x})", self.hash)
    }
}

/// What is wrong with a file that does not begin as a network.
pub(super) const FOREIGN: &str =
    "the file is not a network: expected one that `patchwork-arena learn` wrote";
/// What is wrong with the rest of a file.
pub(super) const DAMAGED: &str =
    "the network is damaged: it is incomplete, or its bytes were changed";

const MAGIC: &[u8; 14] = b"patchwork net\n";
/// The version of the inputs and layers.
const VERSION: u32 = 1;
/// Maximum length of a card in bytes.
const MAX_CARD: usize = 100_000;

impl Net {
    /// Rounds weights to integers. The card tells how the network was made.
    ///
    /// # Panics
    /// Unless there are [`WEIGHTS`] weights.
    pub fn rounded(weights: &[f32], card: String) -> Result<Self, InputError> {
        assert_eq!(weights.len(), WEIGHTS);
        let mut rounded = vec![0; WEIGHTS].into_boxed_slice();
        for part in layout::ALL {
            for index in part.range() {
                let scaled = (weights[index] * part.one).round();
                if !scaled.is_finite() || scaled.abs() > f32::from(i16::MAX) {
                    let weight = weights[index];
                    let most = f32::from(i16::MAX) / part.one;
                    return Err(InputError::new(format!(
                        "weight {index} of the network is {weight}; expected a number from -{most} to {most}"
                    )));
                }
                rounded[index] = scaled as i16;
            }
        }
        Ok(Self::new(rounded, card))
    }

    fn new(weights: Box<[i16]>, card: String) -> Self {
        let row = |part: WeightMatrix, row: usize| &weights[part.row(row)];
        let pair = |part: WeightMatrix, pair: usize, unit: usize| {
            [2 * pair, 2 * pair + 1].map(|from| row(part, from)[unit])
        };
        let quilts = |at: usize| {
            from_fn(|unit| match unit.checked_sub(FIRST_UNITS) {
                None => pair(layout::MINE, at, unit),
                Some(unit) => pair(layout::THEIRS, at, unit),
            })
        };
        let single = |part: WeightMatrix| weights[part.first];
        let classes = CLASSES
            .iter()
            .map(|&class| array(row(layout::PATTERNS, class.into())));
        Self {
            patterns: boxed(classes),
            quilt_bias: array(row(layout::QUILT_BIAS, 0)),
            quilts: Box::new(from_fn(quilts)),
            inputs: boxed((0..INPUT_ROWS).map(|input| match input {
                NO_INPUT.. => [0; FIRST_UNITS],
                _ => array(row(layout::INPUTS, input)),
            })),
            first_bias: array(row(layout::FIRST_BIAS, 0)),
            second: from_fn(|at| from_fn(|unit| pair(layout::SECOND, at, unit))),
            second_bias: from_fn(|unit| row(layout::SECOND_BIAS, 0)[unit].into()),
            output: from_fn(|from| row(layout::OUTPUT, from)[0].into()),
            output_bias: single(layout::OUTPUT_BIAS),
            hash: XxHash3_64::oneshot(&bytes_of(&weights)),
            weights,
            card,
        }
    }

    /// How the network was made: data, games, seeds, accuracy.
    pub fn card(&self) -> &str {
        &self.card
    }

    /// A hash of the weights.
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// The network with this name, if it is built into the program.
    pub fn shipped(name: &str) -> Option<Self> {
        let (_, bytes) = SHIPPED_NETS.iter().find(|(known, _)| *known == name)?;
        Some(Self::from_bytes(bytes).expect("a network of this version"))
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        let unreadable = |error| InputError::new(format!("the network cannot be read: {error}"));
        Self::from_bytes(&limits::NET.read(path).map_err(unreadable)?)
    }

    /// The network in the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InputError> {
        let damaged = || InputError::new(DAMAGED);
        let foreign = || InputError::new(FOREIGN);
        let mut rest = bytes.strip_prefix(MAGIC).ok_or_else(foreign)?;
        let mut word = || {
            let (first, others) = rest.split_first_chunk::<4>().ok_or_else(damaged)?;
            rest = others;
            Ok::<_, InputError>(u32::from_le_bytes(*first))
        };
        let version = word()?;
        if version != VERSION {
            return Err(InputError::new(format!(
                "the network has version {version}; this program reads version {VERSION}"
            )));
        }
        let (count, card) = (word()?, word()? as usize);
        if count as usize != WEIGHTS {
            return Err(InputError::new(format!(
                "the network has {count} weights; this program's networks have {WEIGHTS}"
            )));
        }
        let expected = bytes.len() - rest.len() + card + 2 * WEIGHTS + size_of::<u64>();
        let (body, hash) = bytes.split_last_chunk::<8>().ok_or_else(damaged)?;
        let whole = card <= MAX_CARD && bytes.len() == expected;
        if !whole || XxHash3_64::oneshot(body) != u64::from_le_bytes(*hash) {
            return Err(damaged());
        }
        let (card, weights) = rest.split_at(card);
        let card = std::str::from_utf8(card).map_err(|_| damaged())?;
        let (pairs, _) = weights.as_chunks::<2>();
        let weights = pairs[..WEIGHTS]
            .iter()
            .map(|&pair| i16::from_le_bytes(pair));
        Ok(Self::new(weights.collect(), card.to_owned()))
    }

    /// The bytes of a file with the network.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for word in [VERSION, WEIGHTS as u32, self.card.len() as u32] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(self.card.as_bytes());
        bytes.extend(bytes_of(&self.weights));
        let hash = XxHash3_64::oneshot(&bytes);
        bytes.extend(hash.to_le_bytes());
        bytes
    }
}

fn bytes_of(weights: &[i16]) -> Vec<u8> {
    weights
        .iter()
        .flat_map(|weight| weight.to_le_bytes())
        .collect()
}

fn array<const N: usize>(row: &[i16]) -> [i16; N] {
    row.try_into().expect("a row of the layout")
}

fn boxed<const N: usize, const M: usize>(
    rows: impl Iterator<Item = [i16; N]>,
) -> Box<[[i16; N]; M]> {
    let rows: Box<[[i16; N]]> = rows.collect();
    rows.try_into().expect("as many rows as the layout has")
}
