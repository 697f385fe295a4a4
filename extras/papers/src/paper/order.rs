//! Orders of the patches, from a file or from a seed.

use std::ops::Range;
use std::path::Path;

use patchwork_engine::game::PATCH_COUNT;
use patchwork_engine::util::InputError;
use patchwork_engine::util::limits;
use patchwork_engine::util::rng::{below, stream};

/// Number of 1x1s in an order.
pub(super) const SINGLES: usize = 5;

/// Number of patches in an order: the 33 of the game and five 1x1s.
pub const ORDER_LEN: usize = PATCH_COUNT + SINGLES;

/// The patches 1 to 33, each once, and five 1x1s, in some order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    index: usize,
    numbers: [u8; ORDER_LEN],
}

impl Order {
    /// Position among the orders of the file or the seed, from 0.
    pub const fn index(&self) -> usize {
        self.index
    }

    /// The numbers of the patches in order, 0 for a 1x1.
    pub const fn numbers(&self) -> [u8; ORDER_LEN] {
        self.numbers
    }

    /// Reads the numbers of one line.
    fn parse(line: &str, index: usize) -> Result<Self, String> {
        let mut numbers = [0; ORDER_LEN];
        let mut seen = [0; PATCH_COUNT + 1];
        for (i, word) in line.split_ascii_whitespace().enumerate() {
            let number = word
                .parse::<u8>()
                .ok()
                .filter(|&n| usize::from(n) <= PATCH_COUNT);
            let Some(number) = number else {
                return Err(format!("'{word}' is not a patch"));
            };
            // A line that is too long repeats a number, which is reported below.
            if let Some(slot) = numbers.get_mut(i) {
                *slot = number;
            }
            seen[usize::from(number)] += 1;
        }
        if let Some(patch) = (1..=PATCH_COUNT).find(|&patch| seen[patch] > 1) {
            return Err(format!("patch {patch} occurs {} times", seen[patch]));
        }
        if let Some(patch) = (1..=PATCH_COUNT).find(|&patch| seen[patch] == 0) {
            return Err(format!("patch {patch} is missing"));
        }
        if seen[0] != SINGLES {
            return Err(format!("the number of zeros is {}", seen[0]));
        }
        Ok(Self { index, numbers })
    }
}

/// Orders with their origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders {
    name: String,
    orders: Vec<Order>,
}

impl Orders {
    /// The 1000 orders behind the published table.
    pub fn published() -> Self {
        let orders = include_str!("table1-orders.txt");
        Self::parse("the published orders", orders).expect("a test reads them")
    }

    /// Reads a file with one order a line.
    pub fn read(path: &Path) -> Result<Self, InputError> {
        let file = path.display().to_string();
        match limits::ORDERS.read_text(path) {
            Ok(text) => Self::parse(&file, &text),
            Err(error) => Err(InputError::new(format!(
                "{file}: cannot read the orders: {error}"
            ))),
        }
    }

    /// Orders from the contents of a file: one per line, numbers separated by spaces.
    pub fn parse(file: &str, text: &str) -> Result<Self, InputError> {
        let orders = text
            .lines()
            .enumerate()
            .map(|(index, line)| {
                Order::parse(line, index).map_err(|problem| {
                    let line = index + 1;
                    InputError::new(format!(
                        "{file}, line {line}: {problem}; expected the patches 1 to {PATCH_COUNT} once each and \
                         {SINGLES} zeros for the 1x1s"
                    ))
                })
            })
            .collect::<Result<Vec<_>, _>>()?;
        if orders.is_empty() {
            return Err(InputError::new(format!(
                "{file}: the file is empty; expected lines of {ORDER_LEN} numbers"
            )));
        }
        let name = file.to_owned();
        Ok(Self { name, orders })
    }

    /// Random orders; order `i` depends only on the seed and on `i`.
    ///
    /// ```
    /// use patchwork_papers::paper::Orders;
    ///
    /// let few = Orders::seeded(2, 7);
    /// assert_eq!(few.as_slice(), &Orders::seeded(10, 7).as_slice()[..2]);
    /// ```
    pub fn seeded(count: usize, seed: u64) -> Self {
        let order = |index| {
            let mut numbers: [u8; ORDER_LEN] =
                std::array::from_fn(|i| (i + 1).saturating_sub(SINGLES) as u8);
            let mut rng = stream(&[seed, index as u64]);
            for i in (1..ORDER_LEN).rev() {
                numbers.swap(i, below(i as u32 + 1, &mut rng) as usize);
            }
            Order { index, numbers }
        };
        Self {
            name: format!("seed {seed}"),
            orders: (0..count).map(order).collect(),
        }
    }

    /// Keeps only the orders in a range of positions.
    pub fn range(mut self, range: Range<usize>) -> Result<Self, InputError> {
        if range.is_empty() || range.end > self.orders.len() {
            return Err(InputError::new(format!(
                "{}: no orders {}..{}; expected a non-empty range within 0..{}",
                self.name,
                range.start,
                range.end,
                self.orders.len()
            )));
        }
        self.orders.truncate(range.end);
        self.orders.drain(..range.start);
        Ok(self)
    }

    /// The origin of the orders: the file, or the seed.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The orders.
    pub fn as_slice(&self) -> &[Order] {
        &self.orders
    }
}
