//! A recorded game, checked against the rules ply by ply.

use super::games::Record;
use super::ply::Ply;
use crate::game::{Action, Setup, State};

/// A recorded game, played through according to the rules.
pub struct Playthrough {
    /// The setup of the game.
    pub setup: Setup,
    /// The state before each ply, with the ply's action.
    pub plies: Vec<(State, Action)>,
    /// The position after the last action.
    pub end: State,
}

/// Replays a record by the rules. Everything in it except the agents' thoughts must match.
pub fn play_through(record: &Record) -> Result<Playthrough, String> {
    let setup = record.setup().ok_or("its ring is not valid")?;
    let mut state = State::new(&setup);
    let mut plies = Vec::with_capacity(record.plies.len());
    let mut by_rules = Vec::with_capacity(record.plies.len());
    for (i, ply) in record.plies.iter().enumerate() {
        let at = |what: String| format!("ply {}: {what}", i + 1);
        let action = ply.action().ok_or_else(|| at("not an action".into()))?;
        let next = state.try_play(&setup, action);
        let next = next.map_err(|error| at(format!("{action}: {error}")))?;
        let expected = Ply::new(&setup, &state, action, ply.thought);
        if expected != *ply {
            return Err(at(
                "its player, space or number of legal actions is wrong".into()
            ));
        }
        by_rules.push(expected);
        plies.push((state, action));
        state = next;
    }
    let (id, agents) = (record.id, record.agents);
    let expected = match record.termination {
        Some(_) if state.is_over() => return Err("it ends by a fault after its end".into()),
        Some(end) if end.loser != state.mover() => {
            return Err("it ends by a fault of the player who was not to move".into());
        }
        Some(end) => Record::lost(id, agents, &setup, by_rules, &state, end),
        None if !state.is_over() => return Err("it has no end".into()),
        None => Record::new(id, agents, &setup, by_rules, &state),
    };
    if expected != *record {
        return Err("its scores, winner, bonus, buttons or covered squares are wrong".into());
    }
    Ok(Playthrough {
        setup,
        plies,
        end: state,
    })
}
