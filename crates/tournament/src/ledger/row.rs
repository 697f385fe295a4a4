//! The row of a game: everything but its decisions, as the ledger stores it.

use std::sync::LazyLock;

use patchwork_engine::game::Player;
use patchwork_engine::record::{Entry, FaultReason, GameFacts};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Row};
use twox_hash::XxHash3_64;

use super::checksums::Totals;
use super::codec::MAX_RECORD;
use crate::planning::game_number::GameNumber;
use crate::planning::identity::{AgentId, GameAddress};

/// The columns of a game that are numbers or names of numbers, in order; the record and the checksum follow them.
const COLUMNS: &str = "game, first, second, pair, leg, setup, winner, first_points, second_points, bonus, fault, plies, turns, \
    legal_sum, legal_max, first_iterations, second_iterations, first_nanos, second_nanos, moves_only, \
    interrupted, parts, parts_checksum";
const NUMBERS: usize = 23;
const FAULT: usize = 10;
/// The place of the number of rows of the game in other tables, which the sum of their checksums follows.
const PARTS: usize = 21;

/// What stands for an absent number in the checksum.
const ABSENT: i64 = i64::MIN;

/// The largest number of agents of a ledger.
pub(super) const MAX_AGENTS: usize = 1 << 16;

/// A game as a row, without its record.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GameRow([i64; NUMBERS]);

impl GameRow {
    /// The row of an entry. `seats` are the numbers of the agents in the ledger.
    pub(super) fn new(seats: [u16; 2], pair: u32, setup: Option<i64>, entry: &Entry) -> Self {
        let record = &entry.record;
        let facts = GameFacts::from(record);
        let game = GameNumber::new(seats, pair).get();
        let legal = || record.plies.iter().map(|ply| i64::from(ply.legal));
        let mut iterations = [0_i64; 2];
        for ply in &record.plies {
            let of_seat = &mut iterations[ply.player.index()];
            *of_seat = of_seat.saturating_add(ply.thought.iterations.into());
        }
        let timed = entry.nanos.len() == record.plies.len();
        let nanos = entry.thinking().map(|time| match timed {
            true => i64::try_from(time.as_nanos()).unwrap_or(i64::MAX),
            false => ABSENT,
        });
        let seat = |player: Player| player.index() as i64;
        let fault = |reason| FaultReason::ALL.iter().position(|of| *of == reason);
        Self([
            game,
            seats[0].into(),
            seats[1].into(),
            pair.into(),
            game & 1,
            setup.unwrap_or(game >> 1),
            seat(facts.winner),
            facts.scores[0].into(),
            facts.scores[1].into(),
            facts.bonus.map_or(ABSENT, seat),
            facts
                .fault
                .and_then(fault)
                .map_or(ABSENT, |place| place as i64),
            facts.plies.into(),
            facts.turns.into(),
            legal().sum(),
            legal().max().unwrap_or(0),
            iterations[0],
            iterations[1],
            nanos[0],
            nanos[1],
            entry.extras.moves_only.into(),
            entry.extras.interrupted.into(),
            0,
            0,
        ])
    }

    /// The row with these totals of the game's rows in other tables.
    pub(super) fn with_parts(mut self, parts: Totals) -> Self {
        self.0[PARTS..].copy_from_slice(&[parts.rows, parts.checksum]);
        self
    }

    /// The start of the statements that read rows.
    pub(super) fn selection() -> String {
        format!("SELECT {COLUMNS}, record, checksum FROM games")
    }

    /// Inserts the row with its record; returns its checksum.
    pub(super) fn insert(&self, connection: &Connection, record: &[u8]) -> rusqlite::Result<i64> {
        static INSERTION: LazyLock<String> = LazyLock::new(|| {
            let values = ", ?".repeat(NUMBERS + 1);
            format!("INSERT INTO games ({COLUMNS}, record, checksum) VALUES (?{values})")
        });
        let mut statement = connection.prepare_cached(&INSERTION)?;
        let checksum = self.checksum(record);
        for (place, &number) in self.0.iter().enumerate() {
            statement.raw_bind_parameter(place + 1, value_of(place, number))?;
        }
        statement.raw_bind_parameter(NUMBERS + 1, record)?;
        statement.raw_bind_parameter(NUMBERS + 2, checksum)?;
        statement.raw_execute()?;
        Ok(checksum)
    }

    /// Reads a row, its record and its checksum. The checksum is not compared.
    pub(super) fn read<'a>(row: &'a Row<'_>) -> rusqlite::Result<(Self, &'a [u8], i64)> {
        let mut numbers = [ABSENT; NUMBERS];
        for (place, number) in numbers.iter_mut().enumerate() {
            *number = number_of(place, row.get_ref(place)?);
        }
        let record = row.get_ref(NUMBERS)?.as_blob().unwrap_or_default();
        // That of a record which this program cannot have written does not agree with its checksum.
        let record = &record[..record.len().min(MAX_RECORD + 1)];
        // A row without a checksum does not agree with it.
        let checksum = row.get_ref(NUMBERS + 1)?.as_i64().unwrap_or_default();
        Ok((Self(numbers), record, checksum))
    }

    /// The checksum of the row with its record.
    pub(super) fn checksum(&self, record: &[u8]) -> i64 {
        let mut bytes = [0; 8 * NUMBERS];
        for (bytes, number) in bytes.chunks_exact_mut(8).zip(self.0) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        let seed = XxHash3_64::oneshot(&bytes);
        XxHash3_64::oneshot_with_seed(seed, record).cast_signed()
    }

    /// Whether the columns are those of an entry.
    pub(crate) fn agrees_with(&self, entry: &Entry) -> bool {
        let seats = [self.0[1] as u16, self.0[2] as u16];
        let expected = Self::new(seats, self.0[3] as u32, Some(self.setup()), entry);
        self.0[..PARTS] == expected.0[..PARTS]
    }

    /// The number of the game in the ledger.
    pub(super) const fn game(&self) -> i64 {
        self.0[0]
    }

    /// The address of the game in a tournament with this seed, if the identities of its agents are known by their numbers.
    pub(super) fn address(
        &self,
        seed: u64,
        agent: impl Fn(i64) -> Option<AgentId>,
    ) -> Option<GameAddress> {
        Some(GameAddress {
            seed,
            pair: self.pair(),
            seats: [agent(self.0[1])?, agent(self.0[2])?],
        })
    }

    /// The number of the pair.
    pub(super) const fn pair(&self) -> u32 {
        self.0[3] as u32
    }

    /// The number of the setup.
    pub(super) const fn setup(&self) -> i64 {
        self.0[5]
    }

    /// The game without its decisions and its identity in a plan.
    pub(crate) fn facts(&self) -> GameFacts {
        let seat = |number: i64| Player::BOTH.get(usize::try_from(number).ok()?).copied();
        let fault = usize::try_from(self.0[FAULT]).ok();
        GameFacts {
            pairing: 0,
            pair: 0,
            leg: 0,
            agents: [0, 0],
            scores: [self.0[7] as i16, self.0[8] as i16],
            winner: seat(self.0[6]).unwrap_or(Player::First),
            bonus: seat(self.0[9]),
            fault: fault.and_then(|at| FaultReason::ALL.get(at).copied()),
            plies: self.0[11] as u8,
            turns: self.0[12] as u8,
        }
    }

    /// Whether every ply has a time.
    pub(crate) const fn is_timed(&self) -> bool {
        self.0[17] != ABSENT
    }
}

/// The number that a column of a game stands for.
fn number_of(place: usize, value: ValueRef<'_>) -> i64 {
    match value {
        ValueRef::Integer(number) => number,
        ValueRef::Text(text) if place == FAULT => {
            let mut faults = FaultReason::ALL.iter();
            let place = faults.position(|reason| reason.name().as_bytes() == text);
            // That of an unknown name does not agree with any checksum.
            place.map_or(-1, |place| place as i64)
        }
        _ => ABSENT,
    }
}

/// What a column of a game has for a number.
fn value_of(place: usize, number: i64) -> ToSqlOutput<'static> {
    ToSqlOutput::Borrowed(match number {
        ABSENT => ValueRef::Null,
        number if place == FAULT => {
            ValueRef::Text(FaultReason::ALL[number as usize].name().as_bytes())
        }
        number => ValueRef::Integer(number),
    })
}
