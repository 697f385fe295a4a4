//! When, where, by which version and beside how much other work games are added to a ledger.

use std::fs;
use std::time::Instant;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};

use super::checksums::Totals;
use super::schema::SESSIONS;
use crate::planning::manifest::VERSION;

/// Ticks of a second in the files of `/proc`; Linux has the same number on all processors.
const TICKS: f64 = 100.0;
/// The shortest session of which the other work is told, in seconds: a tick is a hundredth of it.
const SHORTEST: f64 = 1.0;

/// This process adds games.
#[derive(Debug)]
pub(super) struct PlaySession {
    number: i64,
    begun: Instant,
    /// Ticks that other programs had used when it began, where the system tells it.
    others: Option<u64>,
}

impl PlaySession {
    /// Writes down that this process adds games.
    pub(super) fn begin(connection: &Connection) -> rusqlite::Result<Self> {
        let machine = rustix::system::uname();
        let machine = machine.nodename().to_string_lossy().into_owned();
        let described = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = described
            .lines()
            .find_map(|line| line.strip_prefix("model name"));
        let model = model.map_or(std::env::consts::ARCH, |model| {
            model.trim_start_matches([' ', '\t', ':'])
        });
        let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as i64);
        let next = "SELECT coalesce(max(session), 0) + 1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now') FROM sessions";
        let (number, now): (i64, String) = connection.query_row(next, [], |row| row.try_into())?;
        let values = [
            ValueRef::Integer(number),
            ValueRef::Text(now.as_bytes()),
            ValueRef::Null,
            ValueRef::Text(VERSION.as_bytes()),
            ValueRef::Text(machine.as_bytes()),
            ValueRef::Text(model.as_bytes()),
            ValueRef::Integer(processors),
            ValueRef::Null,
        ];
        SESSIONS.insert(connection, &values)?;
        Totals::renew(connection, SESSIONS.name)?;
        Ok(Self {
            number,
            begun: Instant::now(),
            others: ticks_of_others(),
        })
    }

    /// Writes down that this process adds no more games.
    pub(super) fn end(&self, connection: &Connection) -> rusqlite::Result<()> {
        let seconds = self.begun.elapsed().as_secs_f64();
        let ticks = self.others.zip(ticks_of_others());
        let load = ticks
            .filter(|_| seconds >= SHORTEST)
            .map(|(before, now)| now.saturating_sub(before) as f64 / TICKS / seconds);
        let transaction = connection.unchecked_transaction()?;
        let end = "UPDATE sessions SET ended = strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), other_load = ?2 WHERE session = ?1";
        transaction.execute(end, params![self.number, load])?;
        let columns = SESSIONS.columns;
        let seal =
            format!("UPDATE sessions SET checksum = row_checksum({columns}) WHERE session = ?");
        transaction.execute(&seal, [self.number])?;
        Totals::renew(&transaction, SESSIONS.name)?;
        transaction.commit()
    }
}

/// Processor time that programs other than this one, and the bots that it has ended, used since the machine was started.
fn ticks_of_others() -> Option<u64> {
    let read = |path| fs::read_to_string(path).ok();
    let others = |all: &str, own: &str| {
        // User, nice, system, idle, waiting, and interrupts; guests are contained in the first two.
        let all: Vec<u64> = (all.lines().next()?.split_whitespace().skip(1))
            .map_while(|ticks| ticks.parse().ok())
            .collect();
        let busy = all.get(..3)?.iter().chain(all.get(5..8)?).sum::<u64>();
        // The name of the program, in brackets, may have spaces. Its own time and that of its children follow.
        let (_, own) = own.rsplit_once(')')?;
        let own: Vec<u64> = (own.split_whitespace().skip(11).take(4))
            .map_while(|ticks| ticks.parse().ok())
            .collect();
        Some(busy.saturating_sub(own.iter().sum()))
    };
    others(&read("/proc/stat")?, &read("/proc/self/stat")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn the_work_of_this_process_is_not_that_of_others() {
        assert!(ticks_of_others().is_some_and(|ticks| ticks > 0));
    }
}
