//! Reads the games of a damaged ledger that are whole.
//!
//! The database reads what it can: the rows from the first on and from the last on, up to a page that it cannot read, and
//! between these each game whose number follows from the agents and the pairs. A game is whole if its checksum is right.
//! Damage may also be where the file describes its tables: then they are read as they stand in a new ledger.

use std::collections::{HashMap, HashSet};
use std::fs::{self, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use rusqlite::{Connection, Params, Row};

use super::checksums::Totals;
use super::database::{self, Database};
use super::row::GameRow;
use super::schema::GAMES;
use super::{StoredGame, TournamentError, error, scan};
use crate::planning::game_number::GameNumber;
use crate::planning::identity::AgentId;
use crate::planning::manifest::Manifest;

/// Reads the games of a results folder that are whole, even if others are damaged. Returns how many are lost, if that is
/// known.
pub(crate) fn salvage<T: Send>(
    dir: &Path,
    manifest: &Manifest,
    visit: impl Fn(StoredGame<'_>) -> Result<T, String> + Sync,
    mut collect: impl FnMut(T),
) -> Result<Option<u64>, TournamentError> {
    let damage = match database::open_for_reading(dir) {
        Ok(connection) => {
            let database = Database::new(connection);
            match scan(dir, &database, manifest, |_| Ok(()), |()| ()) {
                Ok(()) => return scan(dir, &database, manifest, visit, collect).map(|()| Some(0)),
                Err(error) => error,
            }
        }
        Err(error) => error,
    };
    if !damage.is_damage() {
        return Err(damage);
    }
    let path = dir.join(GAMES);
    let folder = tempfile::tempdir().map_err(error::cannot("be copied", &path))?;
    let copy = folder.path().join(GAMES);
    database::copy(dir, folder.path())?;
    let (mut saved, mut said, mut knows_agents) = (HashSet::new(), None, false);
    for describe in [false, true] {
        if describe {
            describe_tables(dir, &copy)?;
        }
        let Ok(connection) = database::open_damaged(dir, &copy) else {
            continue;
        };
        said = said.or_else(|| Some(Totals::of(&connection, "games").ok()?.rows.cast_unsigned()));
        let agents = whole_agents(&connection, manifest);
        knows_agents |= !agents.is_empty();
        let agent = |number| agents.get(&number).copied();
        let mut refused = None;
        let take = |row: GameRow, record: &[u8]| {
            let Some(address) = row.address(manifest.plan.seed(), agent) else {
                return;
            };
            if refused.is_some() || !saved.insert(row.game()) {
                return;
            }
            let row = &row;
            match visit(StoredGame {
                address,
                row,
                record,
            }) {
                Ok(game) => collect(game),
                Err(what) => refused = Some(what),
            }
        };
        each_row(&connection, &agents, manifest.plan.pairs(), take);
        if let Some(what) = refused {
            return Err(TournamentError::mixed(dir, what));
        }
        if said.is_some_and(|said| saved.len() as u64 >= said) {
            break;
        }
    }
    match knows_agents {
        true => Ok(said.map(|said| said.saturating_sub(saved.len() as u64))),
        false => Err(damage),
    }
}

/// Gives a copy of a ledger the pages of a new one that describe the tables. Each table of a ledger begins on the page on
/// which it begins in a new one.
fn describe_tables(dir: &Path, copy: &Path) -> Result<(), TournamentError> {
    let new = copy.with_extension("new");
    let connection = database::create(dir, &new)?;
    let read = || {
        let size: u32 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
        let mut begins = connection.prepare("SELECT rootpage FROM sqlite_schema")?;
        let begins = begins.query_map([], |row| row.get(0))?;
        Ok((size, begins.collect::<rusqlite::Result<HashSet<u32>>>()?))
    };
    let (size, begins) = read().map_err(database::failed(dir, "be read"))?;
    let write = || -> io::Result<()> {
        let mut pages = fs::read(&new)?;
        // A log beside the file is read, and the file has as many pages as there are.
        pages[18..20].fill(2);
        pages[28..32].fill(0);
        let mut file = OpenOptions::new().write(true).open(copy)?;
        for (number, page) in (1..).zip(pages.chunks(size as usize)) {
            if !begins.contains(&number) {
                file.seek(SeekFrom::Start(u64::from(number - 1) * u64::from(size)))?;
                file.write_all(page)?;
            }
        }
        Ok(())
    };
    write().map_err(error::cannot("be copied", copy))
}

/// The identities of the agents by their numbers. The index of the table has those of rows that are lost.
fn whole_agents(connection: &Connection, manifest: &Manifest) -> HashMap<i64, AgentId> {
    let mut known: HashSet<AgentId> = manifest.known_agents().map(|agent| agent.id()).collect();
    let mut agents = HashMap::new();
    for select in [
        "SELECT agent, hash FROM agents \
         WHERE checksum IS row_checksum(agent, label, hash, settings, planned)",
        "SELECT agent, hash FROM agents INDEXED BY sqlite_autoindex_agents_1",
    ] {
        each(connection, select, [], |row| {
            if let (Ok(number), Ok(hash)) = (row.get(0), row.get::<_, String>(1))
                && let Some(id) = AgentId::parse(&hash).filter(|id| known.remove(id))
            {
                agents.entry(number).or_insert(id);
            }
        });
    }
    agents
}

/// Passes the rows of games that can be read and whose checksums are right to `take`, some of them twice. `pairs` is the
/// number of pairs of the plan; agents that have more of them were seen playing these.
fn each_row(
    connection: &Connection,
    agents: &HashMap<i64, AgentId>,
    mut pairs: u32,
    mut take: impl FnMut(GameRow, &[u8]),
) {
    let mut whole = |row: &Row<'_>| {
        let (row, record, checksum) = GameRow::read(row).ok()?;
        (row.checksum(record) == checksum).then(|| {
            take(row, record);
            row
        })
    };
    let select = GameRow::selection();
    let (mut first, mut last) = (None, None);
    for (order, end) in [("", &mut first), ("DESC", &mut last)] {
        let select = format!("{select} ORDER BY game {order}");
        let is_read = each(connection, &select, [], |row| {
            if let Some(row) = whole(row) {
                *end = Some(row.game());
                pairs = pairs.max(row.pair() + 1);
            }
        });
        if is_read {
            return;
        }
    }
    let is_between = |game: &i64| {
        first.is_none_or(|first| *game > first) && last.is_none_or(|last| *game < last)
    };
    let select = format!("{select} WHERE game = ?");
    if connection.prepare(&select).is_err() {
        return;
    }
    let seats = || agents.keys().map(|&agent| agent as u16);
    for (first, second) in seats().flat_map(|first| seats().map(move |second| (first, second))) {
        let games = (0..pairs).map(|pair| GameNumber::new([first, second], pair).get());
        for game in games.filter(|_| first != second).filter(is_between) {
            each(connection, &select, [game], |row| {
                whole(row);
            });
        }
    }
}

/// Passes the rows of a query to `take`; false if the database cannot read one of them.
fn each(
    connection: &Connection,
    select: &str,
    parameters: impl Params,
    mut take: impl FnMut(&Row<'_>),
) -> bool {
    let read = || -> rusqlite::Result<()> {
        let mut statement = connection.prepare_cached(select)?;
        let mut rows = statement.query(parameters)?;
        while let Some(row) = rows.next()? {
            take(row);
        }
        Ok(())
    };
    read().is_ok()
}
