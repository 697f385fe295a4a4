//! The positions on which a network is trained.

use std::ops::Range;

use patchwork_engine::agent::net::features::{QuiltFacts, for_each_input};
use patchwork_engine::agent::position_estimate::{certain_margin, estimate, margin_of_chance};
use patchwork_engine::board::Quilt;
use patchwork_engine::board::patterns::class_counts;
use patchwork_engine::game::{LAST_SPACE, Player, Setup, State};

use crate::file::SelfPlayGame;

/// Positions of games, with the active inputs of the network.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// Classes of quilt patterns with their counts.
    patterns: Vec<(u8, u8)>,
    inputs: Vec<u16>,
    positions: Vec<Sample>,
    /// The first position of each game.
    games: Vec<usize>,
}

/// A position from the mover's point of view; margins are in points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Where the patterns of the mover's and of the opponent's quilt end.
    patterns: [usize; 2],
    /// Where the inputs end.
    inputs: usize,
    /// The certain part of the margin.
    pub(super) certain: f32,
    /// The margin at the end of the game.
    pub(super) margin: f32,
    /// The margin expected by the agent's search.
    pub(super) searched: Option<f32>,
    /// The margin by the linear estimate.
    pub(super) linear: f32,
    /// The share of the track that both players have left, 0 to 1.
    pub(super) left: f32,
}

/// The input of a network for a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'a> {
    /// Classes of patterns of the mover's and of the opponent's quilt, with their counts.
    pub(super) patterns: [&'a [(u8, u8)]; 2],
    pub(super) inputs: &'a [u16],
}

/// Chances closer to 0 or 1 say nothing about the margin.
const CERTAIN: f32 = 0.01;

impl Samples {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Number of games.
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Adds the positions of a game after its opening.
    pub fn add(&mut self, game: &SelfPlayGame) -> Result<(), String> {
        let record = &game.record;
        let setup = &record.setup;
        let mut state = State::new(setup);
        let mut states = Vec::with_capacity(record.plies.len());
        for action in record.actions() {
            states.push(state);
            let next = state.try_play(setup, action);
            state = next.map_err(|error| format!("{action}: {error}"))?;
        }
        let outcome = state.outcome().ok_or("it is not played to its end")?;
        self.games.push(self.positions.len());
        let after = states.iter().zip(&record.plies).skip(game.opening as usize);
        for (state, ply) in after {
            let mover = state.mover();
            let chance = ply.thought.value;
            let chance = chance.filter(|chance| (CERTAIN..=1.0 - CERTAIN).contains(chance));
            let searched = chance.map(|chance| margin_of_chance(chance, state));
            self.push(setup, state, outcome.margin(mover).into(), searched);
        }
        Ok(())
    }

    fn push(&mut self, setup: &Setup, state: &State, margin: f32, searched: Option<f32>) {
        let mover = state.mover();
        let quilts = [mover, mover.other()].map(|player| state.quilt(player));
        let patterns = quilts.map(|quilt| self.push_patterns(quilt));
        let [mut mine, mut theirs] = quilts.map(QuiltFacts::of);
        for_each_input(setup, state, [&mut mine, &mut theirs], |input| {
            self.inputs.push(input as u16);
        });
        let sign = match mover {
            Player::First => 1.0,
            Player::Second => -1.0,
        };
        let left: u8 = Player::BOTH
            .map(|player| LAST_SPACE - state.space(player))
            .iter()
            .sum();
        self.positions.push(Sample {
            patterns,
            inputs: self.inputs.len(),
            certain: sign * certain_margin(state),
            margin,
            searched,
            linear: sign * estimate(setup, state),
            left: f32::from(left) / f32::from(2 * LAST_SPACE),
        });
    }

    fn push_patterns(&mut self, quilt: Quilt) -> usize {
        let classes = (0..)
            .zip(class_counts(quilt))
            .filter(|(_, count)| *count > 0);
        self.patterns.extend(classes);
        self.patterns.len()
    }

    pub(super) fn position(&self, index: usize) -> &Sample {
        &self.positions[index]
    }

    /// The input of a network for the position with this index.
    pub(super) fn seen(&self, index: usize) -> Seen<'_> {
        let before = index.checked_sub(1).map(|before| &self.positions[before]);
        let (patterns, inputs) = before.map_or((0, 0), |p| (p.patterns[1], p.inputs));
        let here = &self.positions[index];
        let [mine, theirs] = here.patterns;
        Seen {
            patterns: [&self.patterns[patterns..mine], &self.patterns[mine..theirs]],
            inputs: &self.inputs[inputs..here.inputs],
        }
    }

    /// The positions of a game.
    pub(super) fn of_game(&self, game: usize) -> Range<usize> {
        let end = self.games.get(game + 1).copied();
        self.games[game]..end.unwrap_or(self.positions.len())
    }
}
