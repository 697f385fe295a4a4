//! Reads the games of format 2, whose records had the numbers of their plan and no address.

use std::fs;
use std::path::Path;

use bincode::config;
use patchwork_engine::record::{Entry, Extras, GameId, Record};

use super::error::{Fault, StoreError};
use super::frames::payload_of;
use super::wire::{HEADER, MAGIC, MAX_FRAME, OLD_FORMAT};

/// The fields of an encoded game: the pairing, the pair and the leg, the agents, the record without them,
/// and the times.
type Fields = ((u32, u32, u8), [u16; 2], Record, Vec<u64>);

/// Reads a whole old file; a torn last frame is left out. Records keep the numbers of their plan.
pub(in crate::tournament) fn read_old_games(path: &Path) -> Result<Vec<Entry>, StoreError> {
    let bytes = fs::read(path).map_err(|error| StoreError::Io {
        path: path.to_owned(),
        what: "be read",
        error,
    })?;
    let fault = |fault| StoreError::Games {
        path: path.to_owned(),
        fault,
    };
    let mut at = MAGIC.len() + 1;
    match bytes.strip_prefix(&MAGIC) {
        Some([OLD_FORMAT, ..]) => {}
        Some([version, ..]) => return Err(fault(Fault::NotOld(*version))),
        _ => return Err(fault(Fault::NoGames)),
    }
    let mut games = Vec::new();
    while at < bytes.len() {
        let game = games.len() as u64 + 1;
        let offset = at as u64;
        let payload = match payload_of(&bytes[at..]) {
            Ok(payload) => payload,
            Err(_) if bytes.len() - at <= MAX_FRAME => break,
            Err(flaw) => return Err(fault(Fault::Damaged { offset, game, flaw })),
        };
        games.push(
            decode(payload).map_err(|what| fault(Fault::Undecodable { offset, game, what }))?,
        );
        at += HEADER + payload.len();
    }
    Ok(games)
}

fn decode(payload: &[u8]) -> Result<Entry, String> {
    let config = config::standard().with_limit::<{ 8 * MAX_FRAME }>();
    let (fields, read) = bincode::decode_from_slice::<Fields, _>(payload, config)
        .map_err(|error| error.to_string())?;
    if read != payload.len() {
        return Err(format!("{} bytes are left over", payload.len() - read));
    }
    let ((pairing, pair, leg), agents, mut record, nanos) = fields;
    record.id = GameId { pairing, pair, leg };
    record.agents = agents;
    Ok(Entry {
        record,
        nanos,
        extras: Extras::default(),
    })
}
