//! The plies of one game, counted once for the statistics. They are folded into sums at once and not kept.

use std::ops::AddAssign;
use std::sync::LazyLock;

use patchwork_engine::game::Player;
use patchwork_engine::record::{Entry, GameFacts};

use super::means::{Moments, Sum};

/// The first space of each phase; the phase is that of the mover's space before the ply.
pub(super) const PHASE_STARTS: [u8; 3] = [0, 18, 36];

/// The number of kinds of plies: those that advance, that buy a patch, and that place a special one.
pub(super) const KINDS: usize = 3;

/// The number of classes of plies: the phases, then the kinds.
pub(super) const CLASSES: usize = PHASE_STARTS.len() + KINDS;

/// The class of the plies that place a special patch.
pub(super) const SPECIAL: usize = CLASSES - 1;

/// Counts over the plies of a class.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClassTally {
    /// Number of plies by seat.
    pub(super) seats: [u64; 2],
    /// Sum of the numbers of legal actions.
    pub(super) legal: u64,
    /// Number of plies with a single legal action.
    pub(super) forced: u64,
}

impl ClassTally {
    pub(super) fn add(&mut self, player: Player, legal: u16) {
        self.seats[player.index()] += 1;
        self.legal += u64::from(legal);
        self.forced += u64::from(legal == 1);
    }

    pub(super) const fn plies(&self) -> u64 {
        self.seats[0] + self.seats[1]
    }
}

impl AddAssign for ClassTally {
    fn add_assign(&mut self, other: Self) {
        let seats = self.seats.iter_mut().zip(other.seats);
        seats.for_each(|(plies, others)| *plies += others);
        self.legal += other.legal;
        self.forced += other.forced;
    }
}

/// The legal actions of one game.
#[derive(Clone, Debug)]
pub(super) struct PlyTallies {
    /// The numbers of legal actions at the plies of each seat.
    pub(super) seats: [Moments; 2],
    /// Plies by phase, then by kind.
    pub(super) classes: [ClassTally; CLASSES],
    /// The branching as the paper counts it, by seat; of a sample of the pairs only, because it takes time.
    pub(super) papers: [Sum; 2],
    /// The player and the number of legal actions of each ply.
    pub(super) legal: Box<[(Player, u16)]>,
    /// The sum of the decimal logarithms of the numbers of legal actions.
    pub(super) tree: f64,
}

/// The most pairs that are played again for the paper's branching. Of more, every k-th by pairing and number is, with the
/// least such k, so that the sample does not depend on the order in which games were played.
pub(super) const MAX_REPLAYED: usize = 20_000;

/// A game with its plies.
pub(super) type WholeTally = (GameFacts, PlyTallies);

/// The agents that played these games, each once, in order.
pub(super) fn agents_of(pair: &[WholeTally]) -> Vec<u16> {
    let mut agents: Vec<u16> = pair.iter().flat_map(|(game, _)| game.agents).collect();
    agents.sort_unstable();
    agents.dedup();
    agents
}

/// The phase of a ply played from this space, as an index into [`PHASE_STARTS`].
pub(super) fn phase_of(space: u8) -> usize {
    let phase = PHASE_STARTS.iter().rposition(|&start| start <= space);
    phase.unwrap_or(0)
}

/// The decimal logarithm of a number of legal actions, of which there is at least one.
fn log10(legal: u16) -> f64 {
    /// Those of the usual numbers: there is one for each ply of millions of games.
    static USUAL: LazyLock<Vec<f64>> = LazyLock::new(|| (0..2048).map(computed).collect());
    fn computed(legal: u16) -> f64 {
        libm::log10(f64::from(legal.max(1)))
    }
    let usual = USUAL.get(usize::from(legal));
    usual.copied().unwrap_or_else(|| computed(legal))
}

impl PlyTallies {
    /// Those of a game. With `replays`, its branching is counted as the paper does, too.
    pub(super) fn new(entry: &Entry, replays: bool) -> Self {
        let plies = &entry.record.plies;
        let record = &entry.record;
        let papers = || (record.papers_counts()).map(|(total, count)| Sum { total, count });
        let mut tallies = Self {
            seats: [Moments::default(); 2],
            classes: [ClassTally::default(); CLASSES],
            papers: replays.then(papers).unwrap_or_default(),
            legal: plies.iter().map(|ply| (ply.player, ply.legal)).collect(),
            tree: plies.iter().map(|ply| log10(ply.legal)).sum(),
        };
        for ply in plies {
            let kind = match (ply.is_special(), ply.bought().is_some()) {
                (true, _) => 2,
                (false, true) => 1,
                (false, false) => 0,
            };
            tallies.seats[ply.player.index()].add(ply.legal.into());
            for class in [phase_of(ply.space), PHASE_STARTS.len() + kind] {
                tallies.classes[class].add(ply.player, ply.legal);
            }
        }
        tallies
    }

    /// All plies.
    pub(super) fn all(&self) -> ClassTally {
        let mut all = ClassTally::default();
        let phases = &self.classes[..PHASE_STARTS.len()];
        phases.iter().for_each(|&phase| all += phase);
        all
    }

    /// The number of plies that do not place a special patch.
    pub(super) const fn turns(&self) -> usize {
        self.legal.len() - self.classes[SPECIAL].plies() as usize
    }
}
