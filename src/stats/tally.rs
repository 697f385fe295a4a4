//! Per-game counts for the statistics, computed once per game.

use std::collections::HashMap;

use patchwork_engine::game::{PATCH_COUNT, Player, Setup};
use patchwork_engine::record::{Entry, GameId, Ply, Termination};

/// The first space of each phase; the phase is that of the mover's space before the ply.
pub(super) const PHASE_STARTS: [u8; 3] = [0, 18, 36];

/// A number of plies and the sum of a quantity over them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) count: u64,
    pub(super) total: u64,
}

impl Sum {
    pub(super) fn add(&mut self, value: u64) {
        self.count += 1;
        self.total += value;
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.total += other.total;
    }
}

/// Numbers of decisions by kind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Decisions {
    pub(super) advances: u16,
    pub(super) buys: u16,
    pub(super) specials: u16,
}

impl Decisions {
    pub(super) const fn plies(self) -> u64 {
        (self.advances + self.buys + self.specials) as u64
    }

    /// Number of plies that do not place a special patch.
    pub(super) const fn turns(self) -> u64 {
        (self.advances + self.buys) as u64
    }
}

/// A ply's number of legal actions and its seat, packed.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlyTally(u16);

impl PlyTally {
    const SECOND: u16 = 1 << 15;

    fn new(ply: &Ply) -> Self {
        let seat = Self::SECOND * ply.player().index() as u16;
        // No position has as many actions as 15 bits can count.
        Self(ply.legal.min(Self::SECOND - 1) | seat)
    }

    /// Number of legal actions.
    pub(super) const fn legal(self) -> u16 {
        self.0 & !Self::SECOND
    }

    /// The index of the player.
    pub(super) const fn seat(self) -> usize {
        (self.0 / Self::SECOND) as usize
    }
}

/// Legal actions at some plies of a game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LegalTally {
    plies: u16,
    /// Number of plies with a single legal action.
    forced: u16,
    actions: u32,
}

impl LegalTally {
    fn add(&mut self, legal: u16) {
        self.plies += 1;
        self.forced += u16::from(legal == 1);
        self.actions += u32::from(legal);
    }

    /// The number of plies, and the sum of their legal actions.
    pub(super) fn legal(self) -> Sum {
        Sum {
            count: self.plies.into(),
            total: self.actions.into(),
        }
    }

    /// The number of plies and of those with a single legal action.
    pub(super) fn forced(self) -> Sum {
        Sum {
            count: self.plies.into(),
            total: self.forced.into(),
        }
    }
}

/// The buyer of a patch and the space it was bought from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Purchase {
    pub(super) buyer: Player,
    /// The buyer's space before the purchase.
    pub(super) space: u8,
}

/// The counts of one game.
#[derive(Clone, Debug)]
pub(super) struct GameTally {
    pub(super) id: GameId,
    pub(super) agents: [u16; 2],
    pub(super) winner: Player,
    pub(super) termination: Option<Termination>,
    pub(super) scores: [i16; 2],
    pub(super) bonus: Option<Player>,
    pub(super) buttons: [u16; 2],
    pub(super) covered: [u8; 2],
    /// The setup; none if the record's ring is invalid.
    pub(super) setup: Option<Setup>,
    /// The number of the setup, if several pairs of this tournament played it.
    pub(super) shared: Option<u32>,
    /// A hash of the actions.
    pub(super) actions: u64,
    /// Number of legal actions by ply.
    pub(super) legal: Box<[PlyTally]>,
    /// The sum of the decimal logarithms of the numbers of legal actions.
    pub(super) tree: f64,
    /// Numbers of decisions, by seat.
    pub(super) decisions: [Decisions; 2],
    /// Legal actions at plies that buy a patch.
    pub(super) buying: LegalTally,
    pub(super) phases: [LegalTally; PHASE_STARTS.len()],
    /// Purchases by [`PatchId::index`].
    pub(super) purchases: [Option<Purchase>; PATCH_COUNT],
}

/// Numbers the setups if any two pairs share one. Sorting by identity puts the two games of a pair
/// next to each other.
pub(super) fn number_shared_setups(tallies: &mut [GameTally]) {
    let mut numbers: HashMap<Setup, u32> = HashMap::new();
    let mut of_pair = Vec::new();
    for (next, pair) in (0..).zip(tallies.chunk_by(GameTally::is_of_pair)) {
        let number = match &pair[0].setup {
            Some(setup) => *numbers.entry(setup.clone()).or_insert(next),
            None => next,
        };
        of_pair.push((number, pair.len()));
    }
    let is_shared = of_pair
        .iter()
        .enumerate()
        .any(|(i, &(number, _))| number as usize != i);
    if !is_shared {
        return;
    }
    let numbers = of_pair
        .into_iter()
        .flat_map(|(number, games)| std::iter::repeat_n(number, games));
    for (tally, number) in tallies.iter_mut().zip(numbers) {
        tally.shared = Some(number);
    }
}

/// The phase of a ply played from this space, as an index into [`PHASE_STARTS`].
pub(super) fn phase_of(space: u8) -> usize {
    let phase = PHASE_STARTS.iter().rposition(|&start| start <= space);
    phase.unwrap_or(0)
}

/// The decimal logarithm of a number of legal actions, of which there is at least one.
fn log10(legal: u16) -> f64 {
    libm::log10(f64::from(legal.max(1)))
}

impl GameTally {
    pub(super) fn new(entry: &Entry) -> Self {
        let record = &entry.record;
        let mut tally = Self {
            id: record.id,
            agents: record.agents,
            winner: record.winner(),
            termination: record.termination,
            scores: record.scores,
            bonus: record.bonus(),
            buttons: record.buttons,
            covered: record.covered,
            setup: record.setup(),
            shared: None,
            actions: record.plies.iter().fold(0, |hash, ply| {
                (hash ^ u64::from(ply.action_number()))
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    .rotate_left(29)
            }),
            legal: record.plies.iter().map(PlyTally::new).collect(),
            tree: record.plies.iter().map(|ply| log10(ply.legal)).sum(),
            decisions: [Decisions::default(); 2],
            buying: LegalTally::default(),
            phases: [LegalTally::default(); 3],
            purchases: [None; PATCH_COUNT],
        };
        record.plies.iter().for_each(|ply| tally.add(ply));
        tally
    }

    fn add(&mut self, ply: &Ply) {
        let decisions = &mut self.decisions[ply.player().index()];
        if ply.is_special() {
            decisions.specials += 1;
        } else if ply.is_buy() {
            decisions.buys += 1;
            self.buying.add(ply.legal);
        } else {
            decisions.advances += 1;
        }
        if let Some(patch) = ply.bought() {
            self.purchases[patch.index()] = Some(Purchase {
                buyer: ply.player(),
                space: ply.space,
            });
        }
        self.phases[phase_of(ply.space)].add(ply.legal);
    }

    /// Whether both games belong to the same pair.
    pub(super) fn is_of_pair(&self, other: &Self) -> bool {
        (self.id.pairing, self.id.pair) == (other.id.pairing, other.id.pair)
    }

    /// Number of plies by seat.
    pub(super) fn plies(&self) -> [u64; 2] {
        self.decisions.map(Decisions::plies)
    }

    /// Number of plies that do not place a special patch, by seat.
    pub(super) fn turns(&self) -> [u64; 2] {
        self.decisions.map(Decisions::turns)
    }

    /// Legal actions at all plies.
    pub(super) fn all_legal(&self) -> Sum {
        let mut sum = Sum::default();
        self.phases
            .iter()
            .for_each(|phase| sum.merge(phase.legal()));
        sum
    }

    /// Whether it was played to its end.
    pub(super) const fn is_finished(&self) -> bool {
        self.termination.is_none()
    }

    /// Points of a seat minus those of the other seat; meaningless unless the game was played to its end.
    pub(super) fn margin(&self, seat: usize) -> f64 {
        f64::from(self.scores[seat]) - f64::from(self.scores[1 - seat])
    }

    pub(super) fn first_won(&self) -> bool {
        self.winner == Player::First
    }

    /// The seat of agent `a` of the pairing (`a`, `b`), or `None` for a game of other agents. If an
    /// agent plays itself, `a` is the copy that moves first in leg 0.
    pub(super) fn seat_of(&self, a: u16, b: u16) -> Option<usize> {
        if a == b && self.agents == [a, a] {
            return Some(usize::from(self.id.leg % 2));
        }
        match self.agents {
            [first, second] if (first, second) == (a, b) => Some(0),
            [first, second] if (first, second) == (b, a) => Some(1),
            _ => None,
        }
    }
}
