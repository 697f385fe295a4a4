//! A process that ends all bots if the arena is killed.
//!
//! One guard serves all bots of the arena. It is a shell script that reads from a pipe which process groups
//! exist. If the arena ends, however that happens, the guard reads the end of the pipe and kills those
//! groups, and on Linux also the processes that have left them but have the arena's mark in their
//! environment.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// The environment variable that marks the processes of a bot.
pub(super) const MARK: &str = "PATCHWORK_ARENA_BOT";

/// Its argument is the arena's mark, without the number of the bot.
///
/// While a process changes its program, its environment looks empty, and it may have left its group. So the
/// script keeps looking for processes until none has been found for a while.
const SCRIPT: &str = r#"
trap '' HUP INT TERM
groups=
while read -r verb group; do
  case $verb in
    add) groups="$groups -$group" ;;
    drop) left=
      for known in $groups; do [ "$known" = "-$group" ] || left="$left $known"; done
      groups=$left ;;
  esac
done
[ -n "$groups" ] || exit 0
kill -9 -- $groups 2>/dev/null
clear=0
for round in 1 2 3 4 5 6 7 8 9 10; do
  for file in /proc/[0-9]*/environ; do
    if grep -qsa "$1" "$file"; then
      clear=0
      process=${file#/proc/}
      kill -9 "${process%/environ}" 2>/dev/null
    fi
  done
  clear=$((clear + 1))
  [ "$clear" -lt 3 ] || break
  sleep 0.1 2>/dev/null || sleep 1
done
"#;

#[derive(Default)]
struct Watch {
    guard: Option<Child>,
    /// The process groups of all bots.
    groups: BTreeSet<i32>,
}

static WATCH: Mutex<Watch> = Mutex::new(Watch {
    guard: None,
    groups: BTreeSet::new(),
});

fn watch() -> MutexGuard<'static, Watch> {
    // The state is valid after each statement.
    WATCH.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The part of the mark that all bots of this process share.
pub(super) fn arena_mark() -> &'static str {
    static ARENA: OnceLock<String> = OnceLock::new();
    ARENA.get_or_init(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let nanos = now.map_or(0, |time| time.as_nanos());
        format!("{}-{nanos:x}", std::process::id())
    })
}

pub(super) fn add(group: i32) -> io::Result<()> {
    let mut watch = watch();
    watch.groups.insert(group);
    if watch.tell(&format!("add {group}\n")).is_ok() {
        return Ok(());
    }
    watch.renew()
}

/// Tells the guard that all processes of a group have been killed.
pub(super) fn remove(group: i32) {
    let mut watch = watch();
    if watch.groups.remove(&group) {
        // A guard that is gone is replaced when the next bot starts.
        let _ = watch.tell(&format!("drop {group}\n"));
    }
}

impl Watch {
    fn tell(&mut self, line: &str) -> io::Result<()> {
        let none = || io::Error::from(io::ErrorKind::BrokenPipe);
        let stdin = self.guard.as_mut().and_then(|guard| guard.stdin.as_mut());
        stdin.ok_or_else(none)?.write_all(line.as_bytes())
    }

    /// Starts a guard that knows all groups.
    fn renew(&mut self) -> io::Result<()> {
        if let Some(mut old) = self.guard.take() {
            let _ = old.kill();
            let _ = old.wait();
        }
        let mark = format!("{MARK}={}-", arena_mark());
        let guard = Command::new("/bin/sh")
            .args(["-c", SCRIPT, "patchwork-arena-guard", &mark])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Signals from the terminal and to the arena's group do not reach it.
            .process_group(0)
            .spawn()?;
        self.guard = Some(guard);
        let lines: String = self
            .groups
            .iter()
            .map(|group| format!("add {group}\n"))
            .collect();
        self.tell(&lines)
    }
}
