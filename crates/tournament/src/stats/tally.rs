//! The plies of one game, counted once for the statistics. They are folded into sums at once and not kept.

use std::sync::LazyLock;

use patchwork_engine::board::Square;
use patchwork_engine::game::{INCOME_SPACES, PatchId, Player, Setup, State, incomes_ahead};
use patchwork_engine::placement::Candidates;
use patchwork_engine::record::{Entry, GameFacts, Record};

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

/// The decisions and the legal actions of one game.
#[derive(Clone, Debug)]
pub(super) struct PlyTallies {
    /// The numbers of decisions by seat: that advance, that buy a patch, and that place a special one.
    pub(super) decisions: [[u64; KINDS]; 2],
    /// The branching as the paper counts it, by seat; of the first pairs of each pairing only, because it takes time.
    pub(super) papers: [(f64, f64); 2],
    /// What each player had; of the same pairs only.
    pub(super) economy: Option<[PlayerEconomy; 2]>,
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

/// The number of kinds of decisions.
pub(super) const KINDS: usize = 3;

/// The number of pairs of each pairing that are played again for the paper's branching and the economy.
pub const REPLAYED_PAIRS: u32 = 50;

/// A game with its plies.
pub(super) type WholeTally = (GameFacts, PlyTallies);

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
        let setup = record.setup().filter(|_| record.id.pair < REPLAYED_PAIRS);
        let setup = setup.as_ref();
        let mut tallies = Self {
            decisions: [[0; KINDS]; 2],
            papers: setup.map_or([(0.0, 0.0); 2], |setup| last_on_offer(setup, record)),
            economy: setup.map(|setup| economy(setup, record)),
            legal: plies.iter().map(|ply| (ply.player(), ply.legal)).collect(),
            tree: plies.iter().map(|ply| log10(ply.legal)).sum(),
            buying: Sum::default(),
            phases: [Sum::default(); PHASE_STARTS.len()],
            forced: [Sum::default(); PHASE_STARTS.len()],
        };
        for ply in plies {
            let kind = match (ply.is_special(), ply.is_buy()) {
                (true, _) => 2,
                (false, true) => 1,
                (false, false) => 0,
            };
            tallies.decisions[ply.player().index()][kind] += 1;
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

/// The number of income spaces.
pub(super) const SPACES: usize = INCOME_SPACES.len();

/// The place of the income space at which the covered squares are noted: the fifth of nine, in the middle of the track.
pub(super) const EARLY: usize = 4;
/// The space up to which covered squares count as early.
pub const EARLY_SPACE: u8 = INCOME_SPACES[EARLY];

/// What a player had in a game.
#[derive(Clone, Debug, Default)]
pub(super) struct PlayerEconomy {
    /// Buttons, income and covered squares when the token had reached or passed each income space.
    pub(super) reached: [[u64; 3]; SPACES],
    /// The sum of the expected chances before each of them, and their number.
    chances: [(f64, f64); SPACES],
    pub(super) first_purchase: Option<PatchId>,
    pub(super) covered_early: Vec<usize>,
}

/// What both players had in a game.
pub(super) fn economy(setup: &Setup, record: &Record) -> [PlayerEconomy; 2] {
    let mut found: [PlayerEconomy; 2] = Default::default();
    let mut state = State::new(setup);
    for ply in &record.plies {
        let player = ply.player();
        let of = &mut found[player.index()];
        let passed = |state: &State| SPACES - incomes_ahead(state.space(player)) as usize;
        let before = passed(&state);
        of.first_purchase = of.first_purchase.or(ply.bought());
        let chance = ply.thought.value.map(f64::from);
        if let Some(chance) = chance.filter(|chance| (0.0..=1.0).contains(chance)) {
            let sum = &mut of.chances[before.min(SPACES - 1)];
            *sum = (sum.0 + chance, sum.1 + 1.0);
        }
        if let Some(action) = ply.action() {
            state.play_unchecked(setup, action);
        }
        let quilt = state.quilt(player);
        let now = [
            state.buttons(player).into(),
            state.income(player).into(),
            quilt.len().into(),
        ];
        for place in before..passed(&state) {
            of.reached[place] = now;
            if place == EARLY {
                of.covered_early = quilt.squares().map(Square::index).collect();
            }
        }
    }
    found
}

impl PlayerEconomy {
    /// The sum of a quantity at an income space, and the number of its values.
    pub(super) fn quantity(&self, place: usize, quantity: usize) -> (f64, f64) {
        match self.reached[place].get(quantity) {
            Some(&value) => (value as f64, 1.0),
            None => self.chances[place],
        }
    }
}

/// The branching of a game as the paper counts it, by the mover: the number of placements of the last patch on offer, and the
/// number of plies with an offer.
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
