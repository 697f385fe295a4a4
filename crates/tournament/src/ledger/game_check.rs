//! Checks games against a plan and the rules: those of files, and those that were played elsewhere.

use std::collections::HashMap;

use patchwork_engine::game::Setup;
use patchwork_engine::record::{Entry, GameFacts, GameId, play_through};

use super::StoredGame;
use crate::planning::identity::{AgentId, GameAddress, Streams};
use crate::planning::manifest::{EarlierAgent, Manifest};
use crate::planning::plan::Plan;
use crate::planning::planned_game::PlannedGame;

/// The address of a game, the game, and as a plan identifies it if it is one of the plan.
pub(crate) type LocatedGame = (GameAddress, GameFacts, Option<GameFacts>);

/// What is wrong with a game whose times are missing.
const UNTIMED: &str = "it does not have a time for each ply";

/// Finds the places of games in a plan, and checks their setups and moves.
#[derive(Clone, Debug)]
pub(crate) struct GameCheck {
    plan: Plan,
    streams: Streams,
    /// The agents of the plan, sorted by identity.
    agents: Vec<(AgentId, u16)>,
    earlier: HashMap<AgentId, usize>,
}

impl GameCheck {
    pub(crate) fn new(manifest: &Manifest) -> Self {
        let streams = Streams::new(&manifest.plan);
        let earlier = manifest.earlier.iter().map(EarlierAgent::id);
        let mut agents: Vec<(AgentId, u16)> = streams.agents().iter().copied().zip(0..).collect();
        agents.sort_unstable();
        Self {
            plan: manifest.plan.clone(),
            agents,
            earlier: earlier.zip(0..).collect(),
            streams,
        }
    }

    /// What the setups and the random streams of the plan follow from.
    pub(crate) const fn streams(&self) -> &Streams {
        &self.streams
    }

    /// The address of a game of the plan.
    pub(crate) fn address(&self, game: PlannedGame) -> GameAddress {
        self.streams.address(game)
    }

    /// The game of the plan at an address with the plan's seed.
    pub(crate) fn planned(&self, address: &GameAddress) -> Option<PlannedGame> {
        let [first, second] = self.seats(address);
        self.plan.game_of([first?, second?], address.pair)
    }

    /// The agents of the plan in the seats of an address.
    fn seats(&self, address: &GameAddress) -> [Option<u16>; 2] {
        address.seats.map(|id| {
            let place = self.agents.binary_search_by_key(&id, |&(id, _)| id);
            place.ok().map(|place| self.agents[place].1)
        })
    }

    /// The address of a stored game, the game, and as the plan identifies it if it is one of the plan. Its record is not
    /// looked at.
    pub(crate) fn locate(&self, game: &StoredGame<'_>) -> Result<LocatedGame, String> {
        let (address, facts) = (game.address, game.row.facts());
        match self.identified(&address, facts)? {
            Some(_) if !game.row.is_timed() => Err(UNTIMED.to_owned()),
            found => Ok((address, facts, found)),
        }
    }

    /// The game at an address as the plan identifies it, if it is one of the plan.
    pub(crate) fn identified(
        &self,
        address: &GameAddress,
        facts: GameFacts,
    ) -> Result<Option<GameFacts>, String> {
        if self.earlier_agent(address)?.is_some() {
            return Ok(None);
        }
        Ok(self.planned(address).map(|game| GameFacts {
            pairing: game.id.pairing,
            pair: game.id.pair,
            leg: game.id.leg,
            agents: game.seats,
            ..facts
        }))
    }

    /// Checks an unpacked game of the plan: its setup, and its moves unless they are known to be legal.
    pub(crate) fn check(&self, entry: &Entry, is_legal: bool) -> Result<(), String> {
        let record = &entry.record;
        check_setup(&record.setup, &self.streams.setup(record.into()))?;
        match is_legal {
            true => Ok(()),
            false => check_moves(entry).map_err(|what| format!("it is {what}")),
        }
    }

    /// The agent of an earlier plan that plays in a game, by its index into [`Manifest::earlier`]; of two, the smaller index.
    pub(crate) fn earlier_agent(&self, address: &GameAddress) -> Result<Option<usize>, String> {
        let (seed, expected) = (address.seed, self.plan.seed());
        if seed != expected {
            return Err(format!("its seed is {seed}; expected {expected}"));
        }
        let mut earlier: Option<usize> = None;
        for (id, agent) in address.seats.into_iter().zip(self.seats(address)) {
            if agent.is_none() {
                let unknown = || format!("the ledger has no agent with the identity {id}");
                let agent = *self.earlier.get(&id).ok_or_else(unknown)?;
                earlier = Some(earlier.map_or(agent, |other| other.min(agent)));
            }
        }
        Ok(earlier)
    }

    /// Gives the record of a game from elsewhere the identity that it has in the plan.
    pub(crate) fn identify(
        &self,
        address: &GameAddress,
        entry: &mut Entry,
    ) -> Result<GameId, String> {
        let planned = (address.seed == self.plan.seed()).then(|| self.planned(address));
        let planned = planned.flatten();
        let PlannedGame { id, seats } = planned.ok_or("the plan has no such game")?;
        entry.record.id = id;
        entry.record.agents = seats;
        Ok(id)
    }

    /// Checks an identified game from elsewhere: its setup, its times, its moves and its result.
    ///
    /// # Errors
    /// A sentence that names the game.
    pub(crate) fn check_offered(&self, entry: &Entry) -> Result<(), String> {
        let record = &entry.record;
        check_setup(&record.setup, &self.streams.setup(record.into()))
            .and_then(|()| match entry.nanos.len() == record.plies.len() {
                true => check_moves(entry),
                false => Err(UNTIMED.to_owned()),
            })
            .map_err(|what| format!("{}: {what}", self.plan.game_name(record.id)))
    }
}

fn check_setup(found: &Setup, expected: &Setup) -> Result<(), String> {
    match found == expected {
        true => Ok(()),
        false => Err("its setup is not that of its pair".to_owned()),
    }
}

fn check_moves(entry: &Entry) -> Result<(), String> {
    play_through(&entry.record)
        .map(|_| ())
        .map_err(|what| format!("not a legal game: {what}"))
}
