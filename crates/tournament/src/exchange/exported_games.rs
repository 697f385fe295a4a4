//! Reads the games of an exported file of JSON lines, checked by the rules.

use std::io::BufRead as _;
use std::path::Path;

use patchwork_engine::game::{Action, ActionList, Player, Rules, State};
use patchwork_engine::record::{
    ConsideredAction, Entry, Extras, FaultReason, Ply, Record, Termination, Thought, TreeFacts,
};
use patchwork_engine::util::InputError;
use patchwork_engine::util::lines::unreadable;
use serde::{Deserialize, Serialize};

use crate::input::read_file;
use crate::planning::game_number::GameNumber;
use crate::planning::identity::Streams;
use crate::planning::plan::Plan;
use crate::planning::planned_game::PlannedGame;

/// A line as `export` writes it; what follows from the plan and the actions is not read.
#[derive(Serialize, Deserialize)]
pub(super) struct ExportedLine {
    #[serde(skip_deserializing)]
    pub(super) game: GameNumber,
    #[serde(skip_deserializing)]
    pub(super) pairing: String,
    pub(super) pair: u32,
    #[serde(skip_deserializing)]
    pub(super) leg: u8,
    pub(super) first: String,
    pub(super) second: String,
    #[serde(skip_deserializing)]
    pub(super) track: Rules,
    pub(super) ring: String,
    pub(super) actions: String,
    #[serde(skip_deserializing)]
    pub(super) legal_actions: Vec<u16>,
    pub(super) iterations: Vec<u32>,
    pub(super) values: Vec<Option<f32>>,
    pub(super) proven: Vec<Option<bool>>,
    pub(super) nodes: Vec<Option<u32>>,
    pub(super) mean_depths: Vec<Option<f32>>,
    pub(super) max_depths: Vec<Option<u16>>,
    pub(super) entropies: Vec<Option<f32>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) considered: Vec<Vec<Considered>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) moves_only: bool,
    pub(super) scores: [i16; 2],
    pub(super) winner: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) termination: Option<FaultReason>,
    #[serde(skip_deserializing)]
    pub(super) bonus_7x7: Option<String>,
    #[serde(skip_deserializing)]
    pub(super) buttons: [u16; 2],
    #[serde(skip_deserializing)]
    pub(super) covered: [u8; 2],
}

/// An action that an agent considered.
#[derive(Serialize, Deserialize)]
pub(super) struct Considered {
    pub(super) action: String,
    pub(super) visits: u32,
    pub(super) value: f32,
}

/// Reads the games of a file, each of which must be one of the plan, and passes them on. Their times are 0.
///
/// # Errors
/// When the file cannot be read, a line is not a game of the plan, or `take` fails; the sentence names the line.
pub(crate) fn read(
    path: &Path,
    plan: &Plan,
    streams: &Streams,
    mut take: impl FnMut(PlannedGame, Entry) -> Result<(), InputError>,
) -> Result<(), InputError> {
    read_file(path, |reader| {
        for (number, line) in (1..).zip(reader.lines()) {
            let line = line.map_err(|error| unreadable(&error))?;
            if line.trim().is_empty() {
                continue;
            }
            let at = |what: String| format!("line {number}: {what}");
            let game: ExportedLine = serde_json::from_str(&line)
                .map_err(|error| at(format!("not a game that export wrote: {error}")))?;
            let (planned, entry) = game.entry(plan, streams).map_err(at)?;
            take(planned, entry).map_err(|error| at(error.to_string()))?;
        }
        Ok(())
    })
}

impl ExportedLine {
    fn entry(&self, plan: &Plan, streams: &Streams) -> Result<(PlannedGame, Entry), String> {
        let seat = |name: &String| {
            let found = plan.agents().iter().position(|agent| agent.name == *name);
            found
                .map(|at| at as u16)
                .ok_or_else(|| format!("the plan has no agent {name}"))
        };
        let seats = [seat(&self.first)?, seat(&self.second)?];
        let planned = plan.game_of(seats, self.pair);
        let planned = planned.ok_or("the plan has no such game")?;
        let setup = streams.setup(planned);
        if setup.ring().to_string() != self.ring {
            return Err("its ring is not that of its pair in the plan".to_owned());
        }
        let actions: Result<ActionList, InputError> = self.actions.parse();
        let actions = actions.map_err(|error| error.to_string())?;
        let mut state = State::new(&setup);
        let mut plies = Vec::with_capacity(actions.0.len());
        for (at, action) in actions.0.into_iter().enumerate() {
            let next = state.try_play(&setup, action);
            let next = next.map_err(|error| format!("ply {}: {error}", at + 1))?;
            plies.push(Ply::new(&setup, &state, action, self.thought(at)?));
            state = next;
        }
        let termination = self.termination.map(|reason| Termination {
            loser: match &*self.winner {
                "first" => Player::Second,
                _ => Player::First,
            },
            reason,
        });
        if termination.is_none() && !state.is_over() {
            return Err(format!("after {} plies the game is not over", plies.len()));
        }
        let (id, agents) = (planned.id, planned.seats);
        let record = Record::new(id, agents, &setup, plies, &state, termination);
        if (record.scores, record.winner.to_string()) != (self.scores, self.winner.clone()) {
            return Err("its scores or its winner are not those of its actions".to_owned());
        }
        let nanos = vec![0; record.plies.len()];
        let extras = self.extras()?;
        let entry = Entry {
            record,
            nanos,
            extras,
        };
        Ok((planned, entry))
    }

    fn thought(&self, ply: usize) -> Result<Thought, String> {
        let missing = || format!("ply {}: it has no thought", ply + 1);
        let tree = self.nodes.get(ply).copied().ok_or_else(missing)?;
        let of = |list: &[Option<f32>]| list.get(ply).copied().flatten().unwrap_or_default();
        Ok(Thought {
            iterations: *self.iterations.get(ply).ok_or_else(missing)?,
            value: *self.values.get(ply).ok_or_else(missing)?,
            proven: *self.proven.get(ply).ok_or_else(missing)?,
            tree: tree.map(|nodes| TreeFacts {
                nodes,
                mean_depth: of(&self.mean_depths),
                max_depth: self.max_depths.get(ply).copied().flatten().unwrap_or(0),
                entropy: of(&self.entropies),
            }),
        })
    }

    fn extras(&self) -> Result<Extras, String> {
        let mut extras = Extras {
            moves_only: self.moves_only,
            ..Extras::default()
        };
        for list in &self.considered {
            let mut all = Vec::with_capacity(list.len());
            for one in list {
                let action: Action = one
                    .action
                    .parse()
                    .map_err(|error| format!("the considered action '{}': {error}", one.action))?;
                all.push(ConsideredAction::new(action, one.visits, one.value));
            }
            extras.considered.push(&all);
        }
        Ok(extras)
    }
}
