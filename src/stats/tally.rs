//! Per-game counts for the statistics, computed once per game.

use std::collections::HashMap;

use patchwork_engine::game::{LAST_SPACE, PATCH_COUNT, PatchId, Player};
use patchwork_engine::record::{Entry, GameId, Ply, Termination};

use super::packed_setup::PackedSetup;

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

/// The purchases of a game, a byte for each patch: 0 if nobody bought it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PurchaseBytes([u8; PATCH_COUNT]);

impl PurchaseBytes {
    /// The buyer's seat is above the space, and both are above 0.
    const SECOND: u8 = 1 << 7;

    pub(super) fn of(&self, patch: PatchId) -> Option<Purchase> {
        let byte = self.0[patch.index()];
        let space = (byte & !Self::SECOND).checked_sub(1)?;
        let buyer = Player::BOTH[usize::from(byte & Self::SECOND != 0)];
        Some(Purchase { buyer, space })
    }

    pub(super) fn set(&mut self, patch: PatchId, purchase: Option<Purchase>) {
        self.0[patch.index()] = purchase.map_or(0, |Purchase { buyer, space }| {
            let seat = Self::SECOND * buyer.index() as u8;
            seat | (space.min(LAST_SPACE) + 1)
        });
    }
}

/// The counts of one game that stay in memory. Those of its plies are in [`PlyTallies`].
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
    pub(super) setup: Option<PackedSetup>,
    /// The number of the setup, if several pairs of this tournament played it.
    pub(super) shared: Option<u32>,
    /// A hash of the actions.
    pub(super) actions: u64,
    /// Numbers of decisions, by seat.
    pub(super) decisions: [Decisions; 2],
    pub(super) purchases: PurchaseBytes,
}

const _: () = assert!(size_of::<GameTally>() <= 112);

/// The legal actions of one game. They are folded into the statistics at once and not kept.
#[derive(Clone, Debug)]
pub(super) struct PlyTallies {
    /// Number of legal actions by ply.
    pub(super) legal: Box<[PlyTally]>,
    /// The sum of the decimal logarithms of the numbers of legal actions.
    pub(super) tree: f64,
    /// Legal actions at plies that buy a patch.
    pub(super) buying: LegalTally,
    pub(super) phases: [LegalTally; PHASE_STARTS.len()],
}

/// A game with its plies.
pub(super) type WholeTally = (GameTally, PlyTallies);

/// The number of each pair's setup, that of the first pair that played it, if any two pairs share one. `setups` are
/// those of the pairs in the order of their identities.
pub(super) fn shared_numbers(
    setups: impl ExactSizeIterator<Item = Option<PackedSetup>>,
) -> Option<Vec<u32>> {
    let mut known: HashMap<PackedSetup, u32> = HashMap::with_capacity(setups.len());
    let number = |(next, setup): (u32, Option<PackedSetup>)| match setup {
        Some(setup) => *known.entry(setup).or_insert(next),
        None => next,
    };
    let numbers: Vec<u32> = (0..).zip(setups).map(number).collect();
    let mut apart = (0..).zip(&numbers);
    apart.any(|(own, &number)| number != own).then_some(numbers)
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

impl PlyTallies {
    pub(super) fn new(entry: &Entry) -> Self {
        let plies = &entry.record.plies;
        let mut tallies = Self {
            legal: plies.iter().map(PlyTally::new).collect(),
            tree: plies.iter().map(|ply| log10(ply.legal)).sum(),
            buying: LegalTally::default(),
            phases: [LegalTally::default(); 3],
        };
        for ply in plies {
            if ply.is_buy() {
                tallies.buying.add(ply.legal);
            }
            tallies.phases[phase_of(ply.space)].add(ply.legal);
        }
        tallies
    }

    /// Legal actions at all plies.
    pub(super) fn all_legal(&self) -> Sum {
        let mut sum = Sum::default();
        self.phases
            .iter()
            .for_each(|phase| sum.merge(phase.legal()));
        sum
    }
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
            setup: record.setup().as_ref().map(PackedSetup::new),
            shared: None,
            actions: record.plies.iter().fold(0, |hash, ply| {
                (hash ^ u64::from(ply.action_number()))
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    .rotate_left(29)
            }),
            decisions: [Decisions::default(); 2],
            purchases: PurchaseBytes([0; PATCH_COUNT]),
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
        } else {
            decisions.advances += 1;
        }
        if let Some(patch) = ply.bought() {
            let purchase = Purchase {
                buyer: ply.player(),
                space: ply.space,
            };
            self.purchases.set(patch, Some(purchase));
        }
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

/// Numbers the setups of games sorted by identity if any two pairs share one.
#[cfg(test)]
pub(super) fn number_shared_setups(tallies: &mut [GameTally]) {
    let pairs: Vec<&[GameTally]> = tallies.chunk_by(GameTally::is_of_pair).collect();
    let sizes: Vec<usize> = pairs.iter().map(|pair| pair.len()).collect();
    let numbers = shared_numbers(pairs.iter().map(|pair| pair[0].setup));
    let numbers = numbers.into_iter().flatten().zip(sizes);
    let numbers = numbers.flat_map(|(number, games)| std::iter::repeat_n(number, games));
    let numbers: Vec<u32> = numbers.collect();
    for (tally, number) in tallies.iter_mut().zip(numbers) {
        tally.shared = Some(number);
    }
}
