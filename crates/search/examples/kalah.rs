//! Kalah, in which a player whose last seed falls into the own store moves again: the search against random moves.
//!
//! `cargo run --release -p patchwork-search --example kalah`

use patchwork_search::{GameRules, Guidance, Leaf, Meter, Search, Settings, Side, Stop, Value};

/// Houses of each side.
const HOUSES: usize = 4;
/// Seeds in each house at first.
const SEEDS: u8 = 3;
/// Pits in the order of sowing: the houses and the store of the first side, then those of the second.
const PITS: usize = 2 * (HOUSES + 1);

/// Kalah, with a generator of random numbers (xorshift) for playouts.
struct Kalah {
    random: u64,
}

#[derive(Clone, Copy, PartialEq)]
struct Position {
    pits: [u8; PITS],
    mover: Side,
}

impl Position {
    const START: Self = {
        let mut pits = [SEEDS; PITS];
        (pits[store(Side::First)], pits[store(Side::Second)]) = (0, 0);
        Self {
            pits,
            mover: Side::First,
        }
    };

    fn seeds(&self, side: Side) -> u8 {
        self.pits[first_house(side)..store(side)].iter().sum()
    }

    /// The houses that the mover can sow.
    fn moves(&self) -> impl Iterator<Item = usize> {
        (first_house(self.mover)..store(self.mover)).filter(|&house| self.pits[house] > 0)
    }

    /// The seeds of the first side less those of the second; what is left in a house counts for its side.
    fn margin(&self) -> i32 {
        let total = |side| i32::from(self.pits[store(side)] + self.seeds(side));
        total(Side::First) - total(Side::Second)
    }
}

const fn store(side: Side) -> usize {
    first_house(side) + HOUSES
}

const fn first_house(side: Side) -> usize {
    match side {
        Side::First => 0,
        Side::Second => HOUSES + 1,
    }
}

impl GameRules for Kalah {
    type Position = Position;
    type Action = usize;

    fn is_over(&self, position: &Position) -> bool {
        position.moves().next().is_none()
    }

    fn mover(&self, position: &Position) -> Side {
        position.mover
    }

    fn play(&self, position: &mut Position, house: usize) {
        let (own, other) = (store(position.mover), store(position.mover.other()));
        let mut pit = house;
        for _ in 0..std::mem::take(&mut position.pits[house]) {
            pit = (pit + 1) % PITS;
            if pit == other {
                pit = (pit + 1) % PITS;
            }
            position.pits[pit] += 1;
        }
        // The last seed in an empty house of one's own takes the seeds of the house opposite.
        let opposite = 2 * HOUSES - pit.min(2 * HOUSES);
        let is_own = (first_house(position.mover)..own).contains(&pit);
        if is_own && position.pits[pit] == 1 && position.pits[opposite] > 0 {
            position.pits[own] += 1 + std::mem::take(&mut position.pits[opposite]);
            position.pits[pit] = 0;
        }
        if pit != own {
            position.mover = position.mover.other();
        }
    }
}

impl Kalah {
    /// A random move.
    fn choose(&mut self, position: &Position) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        let count = position.moves().count() as u64;
        let chosen = position.moves().nth((self.random % count) as usize);
        chosen.expect("the game is not over")
    }
}

impl Guidance for Kalah {
    fn expand(&mut self, position: &Position, actions: &mut Vec<(usize, f32)>) -> bool {
        actions.extend(position.moves().map(|house| (house, 1.0)));
        true
    }

    fn evaluate(&mut self, position: &Position) -> Leaf {
        let mut end = *position;
        while !self.is_over(&end) {
            let house = self.choose(&end);
            self.play(&mut end, house);
        }
        let value = Value::for_first(f64::from(end.margin().signum() + 1) / 2.0);
        let is_proven = self.is_over(position) && end.margin() != 0;
        let winner = if end.margin() > 0 {
            Side::First
        } else {
            Side::Second
        };
        Leaf {
            winner: is_proven.then_some(winner),
            ..Leaf::estimate(value)
        }
    }
}

/// The final margin of a game of the search, which plays for `side`, against random moves.
fn play(side: Side, seed: u64) -> i32 {
    let mut random = Kalah {
        random: 2 * seed + 1,
    };
    let mut search = Search::new(Kalah { random: 1 }, Settings::default()).expect("defaults");
    let mut position = Position::START;
    while !random.is_over(&position) {
        let house = if position.mover == side {
            let stop = Stop::new();
            search
                .decide(&position, &Meter::iterations(500, &stop))
                .best
                .action
        } else {
            random.choose(&position)
        };
        search.advance(house);
        random.play(&mut position, house);
    }
    position.margin()
}

fn main() {
    let won = |side| move |&seed: &u64| (play(side, seed) > 0) == (side == Side::First);
    let first = (1..=50).filter(won(Side::First)).count();
    let second = (1..=50).filter(won(Side::Second)).count();
    println!(
        "the search won {first} of 50 games as the first player, {second} of 50 as the second"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_seed_in_the_own_store_gives_another_turn() {
        let kalah = Kalah { random: 1 };
        let mut position = Position::START;
        kalah.play(&mut position, 1);
        assert_eq!(position.mover, Side::First);
        assert_eq!(position.pits, [3, 0, 4, 4, 1, 3, 3, 3, 3, 0]);
        kalah.play(&mut position, 0);
        assert_eq!(position.mover, Side::Second);
    }

    #[test]
    fn seeds_opposite_are_taken() {
        let kalah = Kalah { random: 1 };
        let mut position = Position {
            pits: [1, 0, 0, 0, 0, 0, 0, 5, 0, 0],
            mover: Side::First,
        };
        kalah.play(&mut position, 0);
        assert_eq!(position.pits, [0, 0, 0, 0, 6, 0, 0, 0, 0, 0]);
        assert_eq!(position.margin(), 6);
    }

    #[test]
    fn the_search_beats_random_moves() {
        let won = (1..=20).filter(|&seed| play(Side::First, seed) > 0).count();
        assert!(won >= 18, "{won} of 20");
    }
}
