//! Statistics of finished games, live or saved: they read records and nothing else.
//!
//! [`Summary::new`] is the whole of it for a tournament; [`rate`] rates results of any source.
//! Nothing here depends on the order in which games finished.

mod branching;
mod measure;
mod patches;
mod rings;
mod scores;
mod strength;
mod summary;
mod tally;
mod thinking;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::game::Player;
use crate::rating::Game;
use crate::record::{Entry, Games, Record};

pub use branching::{Branching, Buying, Phase, PhaseBranching, PlyBranching};
pub use patches::PatchUse;
pub use rings::{ChanceFrom, RingBias, RingEffect, Rings};
pub use scores::{Composition, MarginBin, Role, ScoreBin, Scores};
pub use strength::SeatAdvantage;
pub use summary::{
    Bonus, Decision, DecisionKind, FirstPlayer, LengthBin, Lengths, Pairing, Plies, Seats,
    Standing, Summary,
};
pub use thinking::{AgentThinking, Calibration, CalibrationBin, Thinking, Times, Trees};

/// What `look` finds in each game, in the order of the games' identities. Games are unpacked one at a
/// time on each thread.
pub(crate) fn in_order<T: Send>(
    games: &(impl Games + ?Sized),
    look: impl Fn(&Entry) -> T + Sync,
) -> Vec<T> {
    let mut order: Vec<usize> = (0..games.count()).collect();
    order.sort_by_key(|&index| games.id(index));
    order
        .into_par_iter()
        .map(|index| look(&games.entry(index)))
        .collect()
}

impl From<&Record> for Game {
    fn from(record: &Record) -> Self {
        let Record { id, agents, .. } = record;
        Self {
            cluster: u64::from(id.pairing) << 32 | u64::from(id.pair),
            first: usize::from(agents[0]),
            second: usize::from(agents[1]),
            first_won: record.winner() == Player::First,
        }
    }
}
