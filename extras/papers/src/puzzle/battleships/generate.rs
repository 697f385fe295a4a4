//! Generates instances with exactly one solution.

use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::{Rng, stream};
use rand::seq::SliceRandom as _;

use super::instance::{Battleships, Fleet, Hint, ShipGrid};
use crate::puzzle::region::check_size;

/// Maximum number of attempts to place a fleet.
const ATTEMPTS: usize = 1000;

/// Generates an instance with exactly one solution: random ships, and a minimal set of hints. The same seed
/// gives the same instance. `None` if `stop` was set before one was found.
pub fn generate(
    (rows, columns): (usize, usize),
    fleet: &Fleet,
    seed: u64,
    stop: &Stop,
) -> Result<Option<(Battleships, ShipGrid)>, InputError> {
    check_size(rows, columns, Battleships::MOST)?;
    let mut rng = stream(&[seed]);
    let full = || {
        InputError::new(format!(
            "the fleet {fleet} found no place on the {rows}x{columns} board; expected a larger board or fewer ships"
        ))
    };
    let mut attempts = (0..ATTEMPTS).map(|_| random_grid((rows, columns), fleet, &mut rng));
    let grid = attempts.find_map(|grid| grid).ok_or_else(full)?;
    let (mut row_sums, mut column_sums) = (vec![0; rows], vec![0; columns]);
    for square in (0..rows * columns).filter(|&square| grid.is_ship(square)) {
        row_sums[square / columns] += 1;
        column_sums[square % columns] += 1;
    }
    let instance = Battleships::new(row_sums, column_sums, fleet.clone());
    let mut instance = instance.map_err(|_| full())?;

    let other = |instance: &Battleships| {
        let found = instance.solve(2, 2, stop, &mut |_| ());
        let other = found.grids.into_iter().find(|found| *found != grid);
        found.complete.then_some(other)
    };
    let mut revealed = Vec::new();
    loop {
        let other = match other(&instance) {
            None => return Ok(None),
            Some(None) => break,
            Some(Some(other)) => other,
        };
        let differs = |&s: &usize| other.is_ship(s) != grid.is_ship(s);
        let mut squares: Vec<usize> = (0..rows * columns).filter(differs).collect();
        squares.shuffle(&mut rng);
        let square = squares[0];
        instance.hints[square] = Some(hint(&instance, &grid, square));
        revealed.push(square);
    }
    for square in revealed {
        let hint = instance.hints[square].take();
        let Some(other) = other(&instance) else {
            return Ok(None);
        };
        if other.is_some() {
            instance.hints[square] = hint;
        }
    }
    instance.stated[0] = Some(1);
    Ok(Some((instance, grid)))
}

/// The hint that reveals a square of the solution.
fn hint(instance: &Battleships, grid: &ShipGrid, square: usize) -> Hint {
    let around = instance.around(square);
    let sides = [0, 1, 2, 3].map(|side: usize| around[side].is_some_and(|s| grid.is_ship(s)));
    let mut hints = Hint::LETTERS.into_iter().map(|(_, hint)| hint);
    match grid.is_ship(square) {
        false => Hint::Water,
        true => hints
            .find(|hint| hint.around() == Some(sides))
            .unwrap_or(Hint::Middle),
    }
}

/// Places the ships at random, the longest first.
fn random_grid((rows, columns): (usize, usize), fleet: &Fleet, rng: &mut Rng) -> Option<ShipGrid> {
    let mut ships = vec![false; rows * columns];
    for &length in fleet.lengths() {
        let mut places = Vec::new();
        for (down, right) in [(0, 1), (1, 0)] {
            if length == 1 && down == 1 {
                continue;
            }
            let (height, width) = (1 + down * (length - 1), 1 + right * (length - 1));
            for row in 0..(rows + 1).saturating_sub(height) {
                for column in 0..(columns + 1).saturating_sub(width) {
                    let (top, left) = (row.saturating_sub(1), column.saturating_sub(1));
                    let mut near = (top..(row + height + 1).min(rows)).flat_map(|r| {
                        (left..(column + width + 1).min(columns)).map(move |c| (r, c))
                    });
                    if near.all(|(r, c)| !ships[r * columns + c]) {
                        places.push((row, column, down, right));
                    }
                }
            }
        }
        places.shuffle(rng);
        let &(row, column, down, right) = places.first()?;
        for i in 0..length {
            ships[(row + i * down) * columns + column + i * right] = true;
        }
    }
    Some(ShipGrid::new(ships, columns))
}
