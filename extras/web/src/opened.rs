//! The results folder that was read last. Pages of its games, reports and standings read it once, and again when it has
//! changed.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use patchwork_tournament::stats::Standing;
use patchwork_tournament::{Results, ledger};

use super::board::locked;
use super::request::Refusal;

/// A folder with more games is not kept: a game takes about a hundred bytes.
const MAX_GAMES: usize = 1_000_000;

/// A folder that has been read.
pub(super) struct Opened {
    dir: PathBuf,
    /// The state of its ledger before it was read.
    state: (u64, u64),
    pub(super) results: Results,
    /// How it stands, once somebody has asked for it.
    pub(super) live: OnceLock<Live>,
}

/// How a tournament stands.
pub(super) struct Live {
    /// The agents, the best first. Until the tournament is over, the intervals of Elo hold however often one looks.
    pub(super) standings: Vec<Standing>,
    /// The time of the missing games on one core; `None` if no game has a time.
    pub(super) left: Option<Duration>,
}

/// The results of a folder as they are now. At most one folder that has been read is `kept`. A thread that asks while
/// another reads waits and gets the same results.
pub(super) fn read(kept: &Mutex<Option<Arc<Opened>>>, dir: &Path) -> Result<Arc<Opened>, Refusal> {
    let mut kept = locked(kept);
    // Taken first, so that a folder that grows while it is read is read again.
    let state = ledger::state(dir)?;
    if let Some(known) = &*kept
        && known.dir == dir
        && known.state == state
    {
        return Ok(Arc::clone(known));
    }
    *kept = None;
    let opened = Arc::new(Opened {
        dir: dir.to_owned(),
        state,
        results: Results::read(dir)?,
        live: OnceLock::new(),
    });
    *kept = (opened.results.games.len() <= MAX_GAMES).then(|| Arc::clone(&opened));
    Ok(opened)
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_engine::search::Stop;
    use patchwork_test_support::tournaments::plan;
    use patchwork_tournament::{Executor as _, Format, LocalThreads, Manifest};

    /// Plays all games of this many pairs into a folder.
    fn played(dir: &Path, pairs: u32) {
        let plan = plan(&["a", "b"], Format::RoundRobin, pairs).expect("a plan");
        let manifest = Manifest::new("t".to_owned(), plan);
        let mut results = Results::open(dir, &manifest).expect("opened");
        let mut threads = LocalThreads(std::num::NonZeroUsize::MIN);
        let played = threads.play(&mut results, &Stop::new(), &mut |_, _| ());
        played.and_then(|_| results.finish()).expect("played");
    }

    #[test]
    fn a_folder_is_read_again_only_when_it_has_changed() {
        let above = tempfile::tempdir().expect("a folder");
        let [one, other] = ["one", "other"].map(|name| above.path().join(name));
        played(&one, 1);
        played(&other, 2);
        let kept = Mutex::default();
        let read = |dir: &Path| read(&kept, dir).expect("results");
        let first = read(&one);
        assert_eq!(first.results.games.len(), 2);
        assert!(Arc::ptr_eq(&first, &read(&one)));
        played(&one, 2);
        let grown = read(&one);
        assert_eq!(grown.results.games.len(), 4);
        assert!(Arc::ptr_eq(&grown, &read(&one)));
        // One folder is kept, and results that are in use stay what they are.
        assert_eq!(read(&other).results.games.len(), 4);
        assert!(!Arc::ptr_eq(&grown, &read(&one)));
        assert_eq!(first.results.games.len(), 2);
        assert!(super::read(&kept, &above.path().join("none")).is_err());
    }
}
