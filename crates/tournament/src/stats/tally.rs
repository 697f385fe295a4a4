//! Per-game counts for the statistics, computed once per game.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::LazyLock;

use patchwork_engine::game::{PATCH_COUNT, PatchId, Player, Setup, State};
use patchwork_engine::placement::Candidates;
use patchwork_engine::record::{Entry, FaultReason, GameId, Ply, Record};

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

    /// The sum of several sums.
    pub(super) fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::default();
        for part in parts {
            all.count += part.count;
            all.total += part.total;
        }
        all
    }
}

/// Numbers of a player's decisions by kind, packed. A legal game has fewer than can be counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Decisions(u16);

impl Decisions {
    /// The lowest bit and the number of bits of each kind.
    const ADVANCES: (u32, u32) = (0, 6);
    const BUYS: (u32, u32) = (6, 6);
    const SPECIALS: (u32, u32) = (12, 4);

    const fn of(self, (lowest, bits): (u32, u32)) -> u64 {
        (self.0 >> lowest) as u64 & ((1 << bits) - 1)
    }

    fn count(&mut self, kind: (u32, u32)) {
        let (lowest, bits) = kind;
        if self.of(kind) < (1 << bits) - 1 {
            self.0 += 1 << lowest;
        }
    }

    pub(super) const fn advances(self) -> u64 {
        self.of(Self::ADVANCES)
    }

    pub(super) const fn buys(self) -> u64 {
        self.of(Self::BUYS)
    }

    pub(super) const fn specials(self) -> u64 {
        self.of(Self::SPECIALS)
    }

    pub(super) const fn plies(self) -> u64 {
        self.turns() + self.specials()
    }

    /// Number of plies that do not place a special patch.
    pub(super) const fn turns(self) -> u64 {
        self.advances() + self.buys()
    }
}

/// The buyers of the patches of a game: for each seat, a bit for each patch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Buyers([u8; (2 * PATCH_COUNT).div_ceil(8)]);

impl Buyers {
    const fn place(patch: PatchId, buyer: Player) -> (usize, u8) {
        let bit = 2 * patch.index() + buyer.index();
        (bit / 8, 1 << (bit % 8))
    }

    pub(super) fn of(&self, patch: PatchId) -> Option<Player> {
        Player::BOTH.into_iter().find(|&buyer| {
            let (byte, bit) = Self::place(patch, buyer);
            self.0[byte] & bit != 0
        })
    }

    pub(super) fn set(&mut self, patch: PatchId, buyer: Option<Player>) {
        for player in Player::BOTH {
            let (byte, bit) = Self::place(patch, player);
            self.0[byte] &= !bit;
            if buyer == Some(player) {
                self.0[byte] |= bit;
            }
        }
    }
}

/// The counts of one game that stay in memory, of which there may be millions. Those of its plies are in
/// [`PlyTallies`].
#[derive(Clone, Debug)]
pub(super) struct GameTally {
    pub(super) pairing: u32,
    pub(super) pair: u32,
    pub(super) winner: Player,
    /// The fault by which the loser lost.
    pub(super) fault: Option<FaultReason>,
    /// The leg, and how the game compares with the first one of its pair.
    flags: u8,
    pub(super) agents: [u16; 2],
    pub(super) scores: [i16; 2],
    /// The number of the setup from 1, if several pairs of this tournament played it.
    pub(super) shared: Option<NonZeroU32>,
    /// Numbers of decisions, by seat.
    pub(super) decisions: [Decisions; 2],
    pub(super) buyers: Buyers,
}

const _: () = assert!(size_of::<GameTally>() == 36);

/// Flags of a game that compare it with the first one of its pair. The leg is in the bits above them.
const SAME_SETUP: u8 = 1;
const SAME_ACTIONS: u8 = 1 << 1;
const LEG: u32 = 2;

/// The legal actions of one game. They are folded into the statistics at once and not kept.
#[derive(Clone, Debug)]
pub(super) struct PlyTallies {
    /// The branching as the paper counts it, by seat; of the first pairs of each pairing only, because it takes time.
    pub(super) papers: [(f64, f64); 2],
    /// The player and the number of legal actions of each ply.
    pub(super) legal: Box<[(Player, u16)]>,
    /// The sum of the decimal logarithms of the numbers of legal actions.
    pub(super) tree: f64,
    /// Legal actions at plies that buy a patch.
    pub(super) buying: Sum,
    /// Legal actions in each phase.
    pub(super) phases: [Sum; PHASE_STARTS.len()],
    /// Plies with a single legal action in each phase.
    pub(super) forced: [Sum; PHASE_STARTS.len()],
}

/// The number of pairs of each pairing in which the paper's branching is counted.
const PAPERS_PAIRS: u32 = 50;

/// A game with its plies.
pub(super) type WholeTally = (GameTally, PlyTallies);

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
    pub(super) fn new(entry: &Entry) -> Self {
        let plies = &entry.record.plies;
        let record = &entry.record;
        let setup = record.setup().filter(|_| record.id.pair < PAPERS_PAIRS);
        let mut tallies = Self {
            papers: setup.map_or([(0.0, 0.0); 2], |setup| last_on_offer(&setup, record)),
            legal: plies.iter().map(|ply| (ply.player(), ply.legal)).collect(),
            tree: plies.iter().map(|ply| log10(ply.legal)).sum(),
            buying: Sum::default(),
            phases: [Sum::default(); PHASE_STARTS.len()],
            forced: [Sum::default(); PHASE_STARTS.len()],
        };
        for ply in plies {
            let phase = phase_of(ply.space);
            tallies.phases[phase].add(ply.legal.into());
            tallies.forced[phase].add((ply.legal == 1).into());
            if ply.is_buy() {
                tallies.buying.add(ply.legal.into());
            }
        }
        tallies
    }
}

impl GameTally {
    /// The games of a pair, which is not empty.
    pub(super) fn of_pair(pair: &[impl Borrow<Entry>]) -> Vec<Self> {
        let first: &Record = &pair[0].borrow().record;
        let setup = first.setup();
        let tally = |entry: &Entry| {
            let record = &entry.record;
            let mut tally = Self::new(entry);
            for (flag, is_set) in [
                (SAME_SETUP, setup.is_some() && record.setup() == setup),
                (SAME_ACTIONS, actions(record).eq(actions(first))),
            ] {
                tally.flags |= if is_set { flag } else { 0 };
            }
            tally
        };
        pair.iter().map(|entry| tally(entry.borrow())).collect()
    }

    pub(super) fn new(entry: &Entry) -> Self {
        let record = &entry.record;
        let mut tally = Self {
            pairing: record.id.pairing,
            pair: record.id.pair,
            flags: record.id.leg << LEG,
            winner: record.winner(),
            fault: record.termination.map(|end| end.reason),
            agents: record.agents,
            scores: record.scores,
            shared: None,
            decisions: [Decisions::default(); 2],
            buyers: Buyers::default(),
        };
        record.plies.iter().for_each(|ply| tally.add(ply));
        tally
    }

    fn add(&mut self, ply: &Ply) {
        self.decisions[ply.player().index()].count(if ply.is_special() {
            Decisions::SPECIALS
        } else if ply.is_buy() {
            Decisions::BUYS
        } else {
            Decisions::ADVANCES
        });
        if let Some(patch) = ply.bought() {
            self.buyers.set(patch, Some(ply.player()));
        }
    }

    pub(super) const fn id(&self) -> GameId {
        GameId {
            pairing: self.pairing,
            pair: self.pair,
            leg: self.flags >> LEG,
        }
    }

    /// Whether both games belong to the same pair.
    pub(super) fn is_of_pair(&self, other: &Self) -> bool {
        (self.pairing, self.pair) == (other.pairing, other.pair)
    }

    /// Whether these are two games with the same actions.
    pub(super) fn are_identical(pair: &[Self]) -> bool {
        matches!(pair, [_, two] if two.flags & SAME_ACTIONS != 0)
    }

    /// Whether these are two games on the same setup with the seats swapped.
    pub(super) fn are_swapped(pair: &[Self]) -> bool {
        let [one, two] = pair else { return false };
        two.flags & SAME_SETUP != 0 && one.agents == [two.agents[1], two.agents[0]]
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
        self.fault.is_none()
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
            return Some(usize::from(self.id().leg % 2));
        }
        match self.agents {
            [first, second] if (first, second) == (a, b) => Some(0),
            [first, second] if (first, second) == (b, a) => Some(1),
            _ => None,
        }
    }
}

fn actions(record: &Record) -> impl Iterator<Item = u32> {
    record.plies.iter().map(Ply::action_number)
}

/// Pairs of games that are adjacent in a list of games.
#[derive(Clone, Debug)]
pub(super) struct Pairs<'a> {
    games: &'a [GameTally],
    /// Where each pair begins.
    starts: Vec<u32>,
}

impl<'a> Pairs<'a> {
    /// The pairs of games that are sorted by identity.
    pub(super) fn new(games: &'a [GameTally]) -> Self {
        let begins = |&at: &usize| at == 0 || !games[at].is_of_pair(&games[at - 1]);
        let starts = (0..games.len()).filter(begins).map(|at| at as u32);
        Self {
            games,
            starts: starts.collect(),
        }
    }

    /// The pairs with those on the same setup one after another; in the original order if no two share a setup.
    pub(super) fn by_setup(mut self) -> Self {
        let games = self.games;
        // The sort is fast for pairs that are already sorted, as most are.
        self.starts
            .sort_by_key(|&start| games[start as usize].shared);
        self
    }

    /// Whether [`Self::by_setup`] would leave the pairs as they are.
    pub(super) fn is_by_setup(&self) -> bool {
        let shared = self.iter().map(|pair| pair[0].shared);
        shared.is_sorted()
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &'a [GameTally]> + Clone {
        let games = self.games;
        self.starts.iter().map(|&start| pair_at(games, start))
    }

    /// The pair at a place.
    pub(super) fn at(&self, place: usize) -> &'a [GameTally] {
        pair_at(self.games, self.starts[place])
    }

    /// Leaves out the pairs for which `keeps` is false.
    pub(super) fn retain(&mut self, keeps: impl Fn(&[GameTally]) -> bool) {
        let games = self.games;
        self.starts.retain(|&start| keeps(pair_at(games, start)));
    }

    /// The pairs for which `class` has a value, by that value, in the same order.
    pub(super) fn classes<K: Ord>(
        &self,
        class: impl Fn(&[GameTally]) -> Option<K>,
    ) -> BTreeMap<K, Self> {
        let mut classes = BTreeMap::new();
        for &start in &self.starts {
            if let Some(class) = class(pair_at(self.games, start)) {
                let pairs = classes.entry(class).or_insert(Self {
                    games: self.games,
                    starts: Vec::new(),
                });
                pairs.starts.push(start);
            }
        }
        classes
    }
}

/// The pair of games that begins at this place.
fn pair_at(games: &[GameTally], start: u32) -> &[GameTally] {
    let rest = &games[start as usize..];
    let others = rest.iter().position(|game| !game.is_of_pair(&rest[0]));
    &rest[..others.unwrap_or(rest.len())]
}

/// The branching of a game as the paper counts it, by the mover: the number of placements of the last patch on offer, and the
/// number of plies with an offer.
#[must_use]
pub fn last_on_offer(setup: &Setup, record: &Record) -> [(f64, f64); 2] {
    let mut sums = [(0.0, 0.0); 2];
    let mut state = State::new(setup);
    for ply in &record.plies {
        if let Some(place) = state.offers().last() {
            let patch: PatchId = setup.patch_at(place);
            let quilt = state.quilt(state.mover());
            let placements = Candidates::all(patch.patch().shape, quilt).len();
            let (total, count) = &mut sums[ply.player().index()];
            *total += f64::from(placements);
            *count += 1.0;
        }
        if let Some(action) = ply.action() {
            state.play_unchecked(setup, action);
        }
    }
    sums
}
