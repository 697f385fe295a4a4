//! The identity of a game: the hash of its plan, and the random streams derived from it.

use twox_hash::XxHash3_64;

use super::plan::Plan;
use super::rings::PlannedRings;
use super::three_keys::with_three_keys;
use crate::game::{Player, Ring, Setup, Track};
use crate::record::GameId;
use crate::util::rng::{Rng, stream};

/// The purpose of a random stream; part of what the stream is derived from.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    Setup = 1,
    Agent = 2,
    Ring = 3,
    Seeds = 4,
}

impl Plan {
    /// A 64-bit hash that identifies the plan.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let text = serde_json::to_string(self).expect("a plan has only plain values");
        XxHash3_64::oneshot(with_three_keys(&text).as_bytes())
    }
}

/// The random streams of a plan's games, derived only from the plan, its seed and the game's
/// identity.
#[derive(Clone, Debug)]
pub struct Streams {
    seed: u64,
    track: Track,
    plan_hash: u64,
    rings: RingSource,
}

#[derive(Clone, Debug)]
enum RingSource {
    Own,
    Common,
    /// Rings in the order in which pairs use them; not empty.
    Listed(Vec<Ring>),
}

impl Streams {
    /// The streams of a plan.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        let mut streams = Self {
            seed: plan.seed(),
            track: plan.track(),
            plan_hash: plan.hash(),
            rings: RingSource::Own,
        };
        streams.rings = match plan.rings() {
            PlannedRings::Own => RingSource::Own,
            PlannedRings::Common => RingSource::Common,
            PlannedRings::Book(book) => {
                RingSource::Listed(book.shuffled(&mut streams.stream(Purpose::Ring, &[])))
            }
        };
        streams
    }

    /// The setup of a game; both legs of a pair have the same setup.
    #[must_use]
    pub fn setup(&self, id: GameId) -> Setup {
        let mut rng = match &self.rings {
            RingSource::Own => self.stream(Purpose::Setup, &[id.pairing.into(), id.pair.into()]),
            RingSource::Common => self.stream(Purpose::Ring, &[id.pair.into()]),
            RingSource::Listed(rings) => {
                return Setup::new(self.track, rings[id.pair as usize % rings.len()]);
            }
        };
        Setup::random(self.track, &mut rng)
    }

    /// The random stream of the agent in a seat.
    #[must_use]
    pub fn agent(&self, id: GameId, seat: Player) -> Rng {
        let game = [id.pairing.into(), id.pair.into(), id.leg.into()];
        let words = [&game[..], &[seat.index() as u64]].concat();
        self.stream(Purpose::Agent, &words)
    }

    fn stream(&self, purpose: Purpose, numbers: &[u64]) -> Rng {
        let mut words = vec![self.seed, self.plan_hash, purpose as u64];
        words.extend_from_slice(numbers);
        stream(&words)
    }
}
