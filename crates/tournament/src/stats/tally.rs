//! The plies of one game, counted once for the statistics. They are folded into sums at once and not kept.

use std::sync::LazyLock;

use patchwork_engine::game::{PatchId, Player, Setup, State};
use patchwork_engine::placement::Candidates;
use patchwork_engine::record::{Entry, GameFacts, Record};

use super::means::Sum;

/// The first space of each phase; the phase is that of the mover's space before the ply.
pub(super) const PHASE_STARTS: [u8; 3] = [0, 18, 36];

/// The decisions and the legal actions of one game.
#[derive(Clone, Debug)]
pub(super) struct PlyTallies {
    /// The numbers of decisions by seat: that advance, that buy a patch, and that place a special one.
    pub(super) decisions: [[u64; KINDS]; 2],
    /// The branching as the paper counts it, by seat; of the first pairs of each pairing only, because it takes time.
    pub(super) papers: [Sum; 2],
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

/// The number of pairs of each pairing that are played again for the paper's branching.
pub const REPLAYED_PAIRS: u32 = 50;

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
    pub(super) fn new(entry: &Entry) -> Self {
        let plies = &entry.record.plies;
        let record = &entry.record;
        let papers =
            || last_on_offer(&record.setup, record).map(|(total, count)| Sum { total, count });
        let mut tallies = Self {
            decisions: [[0; KINDS]; 2],
            papers: (record.id.pair < REPLAYED_PAIRS)
                .then(papers)
                .unwrap_or_default(),
            legal: plies.iter().map(|ply| (ply.player, ply.legal)).collect(),
            tree: plies.iter().map(|ply| log10(ply.legal)).sum(),
            buying: Sum::default(),
            phases: [Sum::default(); PHASE_STARTS.len()],
            forced: [Sum::default(); PHASE_STARTS.len()],
        };
        for ply in plies {
            let kind = match (ply.is_special(), ply.bought().is_some()) {
                (true, _) => 2,
                (false, true) => 1,
                (false, false) => 0,
            };
            tallies.decisions[ply.player.index()][kind] += 1;
            let phase = phase_of(ply.space);
            tallies.phases[phase].add(ply.legal);
            tallies.forced[phase].add(u8::from(ply.legal == 1));
            if ply.bought().is_some() {
                tallies.buying.add(ply.legal);
            }
        }
        tallies
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
            let (total, count) = &mut sums[ply.player.index()];
            *total += f64::from(placements);
            *count += 1.0;
        }
        state.play_unchecked(setup, ply.action);
    }
    sums
}
