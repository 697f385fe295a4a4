//! Checks games from other machines: replays a random sample of a folder and compares the bytes.

use std::path::Path;

use patchwork_engine::search::Stop;
use patchwork_engine::util::rng::stream;
use rand::seq::SliceRandom as _;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::import::checked;
use super::replay::{Replay, replayer};
use crate::ledger::{self, StoredGame, TournamentError};
use crate::planning::game_number::GameNumber;
use crate::planning::identity::Streams;
use crate::playing::results::{Results, playable};

/// The result of checking a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Number of games of the plan in the folder.
    pub games: u64,
    /// Number of games that were played again with the same bytes.
    pub agree: u64,
    /// Number of games that are legal and cannot be replayed exactly.
    pub only_legal: u64,
    /// The games whose replay differs or that break the rules, in plan order, and what is wrong with each.
    pub wrong: Vec<(GameNumber, String)>,
    /// Whether the check was stopped before the end of the sample.
    pub stopped: bool,
}

impl Verified {
    /// Number of games that were checked.
    pub fn checked(&self) -> u64 {
        self.agree + self.only_legal + self.wrong.len() as u64
    }
}

/// Replays a random sample of a folder's games on all threads of the current rayon pool. The sample depends
/// on the seed and the number of games. Games of agents that depend on time are only checked against the
/// rules.
///
/// # Errors
/// When the folder cannot be read, is damaged, or its games have another version of play.
pub fn verify(
    dir: &Path,
    size: usize,
    seed: u64,
    stop: &Stop,
) -> Result<Verified, TournamentError> {
    playable(dir)?;
    ledger::check(dir)?;
    let manifest = ledger::read_manifest(dir)?;
    let streams = Streams::new(&manifest.plan);
    let look = |game: &StoredGame<'_>| checked(game, &streams).map(drop);
    let results = Results::read_each(dir, &manifest, look)?;
    let (plan, numbers) = (&manifest.plan, results.numbers()?);
    let games = results.games.len();
    let mut all: Vec<usize> = (0..games).collect();
    let (drawn, _) = all.partial_shuffle(&mut stream(&[seed]), size);
    drawn.sort_unstable();
    let replay = replayer(plan, stop);
    let check = |index: &usize| {
        let entry = results.games.entry(*index)?;
        let replayed = replay(&entry);
        Ok((entry.record, replayed))
    };
    let checked: Result<Vec<_>, TournamentError> = drawn.par_iter().map(check).collect();
    let mut verified = Verified {
        games: games as u64,
        ..Verified::default()
    };
    for (record, replayed) in checked? {
        let what = match replayed {
            Ok(Some(Replay::Agrees)) => {
                verified.agree += 1;
                continue;
            }
            Ok(Some(Replay::Unrepeatable)) => {
                verified.only_legal += 1;
                continue;
            }
            Ok(None) => {
                verified.stopped = true;
                continue;
            }
            Ok(Some(Replay::Differs(again))) => {
                let ply = again.first_difference(&record);
                format!("played again, it differs from ply {ply}")
            }
            Err(error) => error.to_string(),
        };
        verified.wrong.push((numbers.of(&record), what));
    }
    Ok(verified)
}
