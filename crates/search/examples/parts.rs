//! Every part of a search, by its name, on a game in which a player can have another turn.
//!
//! Nim: a move takes one to three matches, who takes two moves again, and who takes the last match wins. The game keeps the
//! moves of an iteration, for RAVE, and its playouts learn, for MAST and NST.

use std::error::Error;
use std::time::{Duration, Instant};

use patchwork_search::{
    GameRules, Guidance, Leaf, Meter, MoveSet, Pick, Picker, Playout, PlayoutMove, PlayoutOption,
    PlayoutPolicy, PlayoutResult, PlayoutTurn, Search, SearchPart, Selected, Settings, Side, Stop,
    Value,
};

#[derive(Clone, Copy, PartialEq)]
struct Matches {
    left: u32,
    mover: Side,
}

/// The matches at the start: the first player wins by taking two.
const START: Matches = Matches {
    left: 12,
    mover: Side::First,
};

/// The moves of an iteration: whether a side has taken this many matches.
#[derive(Default)]
struct Made([[bool; 4]; 2]);

impl MoveSet<u32> for Made {
    fn clear(&mut self) {
        *self = Self::default();
    }

    fn insert(&mut self, side: Side, taken: u32) {
        self.0[side as usize][taken as usize] = true;
    }

    fn contains(&self, side: Side, taken: u32) -> bool {
        self.0[side as usize][taken as usize]
    }
}

struct Nim {
    random: u64,
    made: Made,
    picker: Picker,
    policy: Option<Box<dyn Playout>>,
    /// The moves from the root of the tree to where the playout is.
    trace: Vec<PlayoutMove>,
    /// Those above the position in which several iterations start.
    above: usize,
}

impl Nim {
    fn new(seed: u64, pick: &Selected<Pick>, learn: Option<&Selected<PlayoutPolicy>>) -> Self {
        // A move has as many kinds as matches can be taken, and none.
        let build = |learn: &Selected<PlayoutPolicy>| (learn.part().build)(learn.values(), 4);
        Self {
            random: 2 * seed + 1,
            made: Made::default(),
            picker: (pick.part().picker)(pick.values()),
            policy: learn.map(build),
            trace: Vec::new(),
            above: 0,
        }
    }

    /// A random number from 0 to 1, without 1.
    fn draw(&mut self) -> f32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 40) as f32 / (1 << 24) as f32
    }

    /// The move of a playout.
    fn choose(&mut self, turn: PlayoutTurn, most: u32) -> u32 {
        let is_random = self.picker.at_random;
        let worth = self.picker.no_gain();
        let mut options: Vec<_> = (1..=most as u16)
            .map(|kind| PlayoutOption { kind, worth })
            .collect();
        if is_random.is_some_and(|chance| f64::from(self.draw()) < chance) {
            return 1 + (self.draw() * most as f32) as u32;
        }
        if let Some(policy) = &mut self.policy {
            policy.weigh(&self.trace, turn, &mut options, &self.picker);
        }
        let random = self.draw();
        u32::from(options[self.picker.draw(&options, || random)].kind)
    }
}

/// When the mover of a position moves.
fn turn(position: &Matches) -> PlayoutTurn {
    PlayoutTurn {
        side: position.mover,
        progress: (255 * (START.left - position.left) / START.left) as u8,
    }
}

impl GameRules for Nim {
    type Position = Matches;
    type Action = u32;

    fn is_over(&self, position: &Matches) -> bool {
        position.left == 0
    }

    fn mover(&self, position: &Matches) -> Side {
        position.mover
    }

    fn play(&self, position: &mut Matches, taken: u32) {
        position.left -= taken;
        if taken != 2 || position.left == 0 {
            position.mover = position.mover.other();
        }
    }

    fn key(&self, position: &Matches) -> Option<u64> {
        Some(u64::from(2 * position.left) + position.mover as u64)
    }
}

impl Guidance for Nim {
    fn expand(&mut self, position: &Matches, actions: &mut Vec<(u32, f32)>) -> bool {
        actions.extend((1..=position.left.min(3)).map(|taken| (taken, 1.0)));
        true
    }

    fn evaluate(&mut self, position: &Matches) -> Leaf {
        let mut end = *position;
        while !self.is_over(&end) {
            let turn = turn(&end);
            let taken = self.choose(turn, end.left.min(3));
            self.made.insert(turn.side, taken);
            let kind = taken as u16;
            self.trace.push(PlayoutMove { turn, kind });
            self.play(&mut end, taken);
        }
        let winner = end.mover.other();
        let value = Value::for_side(winner, 1.0);
        if let Some(policy) = &mut self.policy {
            let margin = 0.0;
            policy.observe(&self.trace, &PlayoutResult { value, margin });
        }
        match self.is_over(position) {
            true => Leaf::won_by(winner),
            false => Leaf::estimate(value),
        }
    }

    fn follow<'a>(&mut self, goes_on: bool, steps: impl Iterator<Item = (&'a Matches, u32)>) {
        self.trace.truncate(if goes_on { self.above } else { 0 });
        self.trace
            .extend(steps.map(|(position, taken)| PlayoutMove {
                turn: turn(position),
                kind: taken as u16,
            }));
        if !goes_on {
            self.above = self.trace.len();
        }
    }

    fn advance(&mut self, taken: u32) {
        if let Some(policy) = &mut self.policy {
            policy.keep(taken as u16);
        }
    }

    fn seed(&mut self) -> u64 {
        self.random
    }

    fn moves(&mut self) -> Option<&mut dyn MoveSet<u32>> {
        Some(&mut self.made)
    }
}

/// All parts of a kind, with the defaults of their keys.
fn all<T: SearchPart>() -> impl Iterator<Item = Selected<T>> {
    T::all().into_iter().map(Selected::new)
}

/// The name and keys of each part, and the matches that a search with it takes: 2,000 iterations of one thread.
fn rows() -> Result<Vec<(String, u32)>, Box<dyn Error>> {
    let plain = Settings::default();
    let with_rule = |select| Settings { select, ..plain };
    let puct = with_rule(Selected::of("puct", &[])?);
    // Noise needs priors, and the last actions of halving have equally many visits.
    let choice = Selected::of("value", &[])?;
    let with_allocation = |allocation| Settings {
        allocation,
        choice,
        ..puct
    };
    let with_choice = |choice| Settings { choice, ..plain };
    let rules = all().map(|rule| (format!("select {rule:?}"), with_rule(rule)));
    let allocations = all().map(|one| (format!("allocation {one:?}"), with_allocation(one)));
    let choices = all().map(|one| (format!("choice {one:?}"), with_choice(one)));
    let uniform = Selected::of("uniform", &[])?;
    let searches = rules.chain(allocations).chain(choices);
    let searches = searches.map(|(row, settings)| (row, settings, Nim::new(1, &uniform, None)));
    let playouts = all::<Pick>().flat_map(|pick| all().map(move |policy| (pick, policy)));
    let playouts = playouts.map(|(pick, policy)| {
        let row = format!("playouts {policy:?}, {pick:?}");
        (row, plain, Nim::new(1, &pick, Some(&policy)))
    });
    let stop = Stop::new();
    let taken = |(row, settings, game)| {
        let mut search = Search::new(game, settings)?;
        let choice = search.decide(&START, &Meter::iterations(2000, &stop));
        Ok((row, choice.best.action))
    };
    searches.chain(playouts).map(taken).collect()
}

/// The decision of two threads that share a tree, in this time.
fn together(time: Duration) -> Result<(u32, u32), Box<dyn Error>> {
    let games = (1..=2).map(|seed| {
        let pick = Selected::of("softmax", &[])?;
        let learn = Selected::of("mast", &[("points", 2.0)])?;
        Ok(Nim::new(seed, &pick, Some(&learn)))
    });
    let games: Vec<Nim> = games.collect::<Result<_, Box<dyn Error>>>()?;
    let mut search = Search::parallel(games, Settings::default())?;
    let stop = Stop::new();
    let choice = search.decide(&START, &Meter::time(time, clock, &stop));
    Ok((choice.best.action, choice.iterations))
}

/// The time since the first call.
fn clock() -> Duration {
    use std::sync::LazyLock;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

fn main() -> Result<(), Box<dyn Error>> {
    for (part, taken) in rows()? {
        println!("{taken}  {part}");
    }
    let (taken, iterations) = together(Duration::from_millis(100))?;
    println!("{taken}  two threads, {iterations} iterations in at most 100 ms");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_finds_the_winning_move() {
        for (part, taken) in rows().expect("parts") {
            assert!(
                taken == 2 || part.contains("temperature"),
                "{part}: {taken}"
            );
        }
        // The search ends as soon as the move is proven.
        assert_eq!(together(Duration::from_secs(60)).expect("parts").0, 2);
    }
}
