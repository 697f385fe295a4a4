//! Notices when this process did not run: when it was stopped (Ctrl-Z, a debugger), or its container or machine was paused.
//!
//! Its clocks go on meanwhile, and would charge the time to the players.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use patchwork_engine::util::clock::{ABSENCE, wall_time};

/// Time between two beats.
const BEAT: Duration = Duration::from_millis(50);

/// When it last beat, and the number of gaps between beats.
static HEART: Mutex<(Duration, u64)> = Mutex::new((Duration::ZERO, 0));

/// The number of times that this process did not run for a second or more, counted from the first call on. Without a thread
/// that beats, none are noticed.
pub(super) fn absences() -> u64 {
    static BEATS: OnceLock<bool> = OnceLock::new();
    let beats = BEATS.get_or_init(|| {
        lock().0 = wall_time();
        let beat = || loop {
            thread::sleep(BEAT);
            beat();
        };
        thread::Builder::new().spawn(beat).is_ok()
    });
    // The other thread may wake up later than this one.
    if *beats { beat() } else { 0 }
}

/// Beats once; returns the number of gaps.
fn beat() -> u64 {
    let mut heart = lock();
    let now = wall_time();
    heart.1 += u64::from(now.saturating_sub(heart.0) >= ABSENCE);
    heart.0 = now;
    heart.1
}

fn lock() -> std::sync::MutexGuard<'static, (Duration, u64)> {
    HEART.lock().unwrap_or_else(PoisonError::into_inner)
}
