//! Finished games as data.

use std::time::Duration;

use bincode::de::Decoder;
use bincode::enc::Encoder;
use bincode::error::{DecodeError, EncodeError};
use bincode::{Decode, Encode};

use super::extras::Extras;
use super::ply::Ply;
use super::termination::{FaultReason, Termination};
use crate::board::with_best;
use crate::game::{Action, PATCH_COUNT, PapersCounts, Player, Ring, Rules, Setup, State};

/// Identifies a game of a plan: a pairing of two agents, a pair of games on one setup, a leg of the pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId {
    /// Index of the pairing in the plan.
    pub pairing: u32,
    /// Index of the pair within the pairing.
    pub pair: u32,
    /// 0, or 1 with the seats swapped.
    pub leg: u8,
}

/// A finished game. With iteration budgets, it is the same on every machine.
///
/// Its encoding leaves out `id` and `agents`, which depend on the plan and not on the game, and
/// `termination`, which most games lack; a decoded record has zeros and `None` there.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The identity of the game in the plan.
    pub id: GameId,
    /// The agents in the first and the second seat, as indices into the plan's list.
    pub agents: [u16; 2],
    /// Rules and ring.
    pub setup: Setup,
    /// Every decision in order.
    pub plies: Vec<Ply>,
    /// Points by [`Player::index`].
    pub scores: [i16; 2],
    /// The player who won.
    pub winner: Player,
    /// The player who filled a 7x7 area first.
    pub bonus: Option<Player>,
    /// Buttons at the end by [`Player::index`].
    pub buttons: [u16; 2],
    /// Squares covered at the end by [`Player::index`].
    pub covered: [u8; 2],
    /// How the game ended, if it was not played to its end. Its scores are 0, and it has no margin.
    pub termination: Option<Termination>,
}

impl Record {
    /// The record of a game that came to an end in this state, where it is over or a player lost it by a fault.
    ///
    /// # Panics
    /// When neither is the case.
    pub fn new(
        id: GameId,
        agents: [u16; 2],
        setup: &Setup,
        plies: Vec<Ply>,
        end: &State,
        termination: Option<Termination>,
    ) -> Self {
        let (scores, winner) = match termination {
            Some(termination) => ([0; 2], termination.loser.other()),
            None => {
                let outcome = end.outcome().expect("only finished games are recorded");
                (outcome.scores, outcome.winner)
            }
        };
        Self {
            id,
            agents,
            setup: setup.clone(),
            plies,
            scores,
            winner,
            bonus: end.bonus(),
            buttons: Player::BOTH.map(|player| end.buttons(player)),
            covered: Player::BOTH.map(|player| end.quilt(player).len() as u8),
            termination,
        }
    }

    /// Whether another record has the same setup and the same end; plies, identity and termination may differ.
    pub(super) fn ends_like(&self, other: &Self) -> bool {
        self.setup == other.setup && self.end() == other.end()
    }

    /// What is stored of the end.
    fn end(&self) -> ([i16; 2], Player, u8, [u16; 2], [u8; 2]) {
        // 0 nobody, 1 the first player, 2 the second.
        let bonus = self.bonus.map_or(0, |player| 1 + player.index() as u8);
        (self.scores, self.winner, bonus, self.buttons, self.covered)
    }

    /// The actions in order.
    pub fn actions(&self) -> impl Iterator<Item = Action> {
        self.plies.iter().map(|ply| ply.action)
    }

    /// The branching of the game as the paper counts it, by the mover: the sum of [`State::papers_count`], and the number of
    /// plies with an offer.
    pub fn papers_counts(&self) -> [(f64, f64); 2] {
        with_best(PapersCounts(&self.setup, self.actions()))
    }

    /// The first ply, counted from 1, that differs in another record of the game.
    pub fn first_difference(&self, other: &Self) -> usize {
        let plies = self.plies.iter().zip(&other.plies);
        1 + plies.take_while(|(one, other)| one == other).count()
    }

    /// The index of the agent that won.
    pub const fn winning_agent(&self) -> u16 {
        self.agents[self.winner.index()]
    }
}

impl Encode for Record {
    fn encode<E: Encoder>(&self, to: &mut E) -> Result<(), EncodeError> {
        let setup = (self.setup.rules().code(), self.setup.ring().numbers());
        (setup, &self.plies, self.end()).encode(to)
    }
}

impl<C> Decode<C> for Record {
    fn decode<D: Decoder<Context = C>>(from: &mut D) -> Result<Self, DecodeError> {
        let ((rules, ring), plies, end): ((u8, [u8; PATCH_COUNT]), _, _) = Decode::decode(from)?;
        let rules = Rules::of_code(rules).ok_or(DecodeError::Other("the rules are not valid"))?;
        let ring = Ring::new(&ring).map_err(|error| DecodeError::OtherString(error.to_string()))?;
        let (scores, winner, bonus, buttons, covered) = end;
        let bonus = match bonus {
            0_u8 => None,
            1 => Some(Player::First),
            2 => Some(Player::Second),
            _ => return Err(DecodeError::Other("the bonus is of no player")),
        };
        Ok(Self {
            id: GameId::default(),
            agents: [0, 0],
            setup: Setup::new(rules, ring),
            plies,
            scores,
            winner,
            bonus,
            buttons,
            covered,
            termination: None,
        })
    }
}

bincode::impl_borrow_decode!(Record);

/// A record with the measurements that differ from run to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The record.
    pub record: Record,
    /// Nanoseconds of each ply, on the clock of the agent's budget.
    pub nanos: Vec<u64>,
    /// Optional data that only some tournaments record.
    pub extras: Extras,
}

impl Entry {
    /// The thinking time of the player in each seat.
    pub fn thinking(&self) -> [Duration; 2] {
        let mut times = [0_u128; 2];
        for (ply, &nanos) in self.record.plies.iter().zip(&self.nanos) {
            times[ply.player.index()] += u128::from(nanos);
        }
        times.map(|nanos| Duration::from_nanos(nanos.try_into().unwrap_or(u64::MAX)))
    }
}

/// A game in a row of a table: everything but its decisions. There may be millions in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// Without a gap at its end.
#[repr(Rust, packed(2))]
pub struct GameFacts {
    /// Index of the pairing in the plan.
    pub pairing: u32,
    /// Number of the pair in the pairing.
    pub pair: u32,
    /// 0 or 1: who of the pairing moves first.
    pub leg: u8,
    /// The agents in the first and the second seat, as indices into the plan's list.
    pub agents: [u16; 2],
    /// Points by [`Player::index`]; 0 if a fault ended the game.
    pub scores: [i16; 2],
    /// The player who won.
    pub winner: Player,
    /// The player who filled a 7x7 area first.
    pub bonus: Option<Player>,
    /// The fault of the loser that ended the game, if one did.
    pub fault: Option<FaultReason>,
    /// Number of plies; that of a legal game is at most [`MAX_PLIES`](crate::game::MAX_PLIES).
    pub plies: u8,
    /// Number of plies that do not place a special patch.
    pub turns: u8,
}

const _: () = assert!(size_of::<GameFacts>() == 22);

impl GameFacts {
    /// The identity of the game in the plan.
    pub const fn id(&self) -> GameId {
        GameId {
            pairing: self.pairing,
            pair: self.pair,
            leg: self.leg,
        }
    }

    /// Whether the game was played to its end.
    pub const fn is_finished(&self) -> bool {
        self.fault.is_none()
    }

    /// Whether the player who moved first won.
    pub fn first_won(&self) -> bool {
        self.winner == Player::First
    }

    /// 0 if the pairing's first agent won, 1 if the second agent did. The first agent moves first in leg 0.
    pub const fn winner_of_pairing(&self) -> usize {
        self.winner.index() ^ (self.leg == 1) as usize
    }

    /// Points of a seat minus those of the other seat; 0 if a fault ended the game.
    pub fn margin(&self, seat: usize) -> f64 {
        f64::from(self.scores[seat]) - f64::from(self.scores[1 - seat])
    }
}

impl From<&Record> for GameFacts {
    fn from(record: &Record) -> Self {
        // No legal game has more plies than can be counted.
        let count = |plies: usize| plies.try_into().unwrap_or(u8::MAX);
        let turns = record.plies.iter().filter(|ply| !ply.is_special());
        Self {
            pairing: record.id.pairing,
            pair: record.id.pair,
            leg: record.id.leg,
            agents: record.agents,
            scores: record.scores,
            winner: record.winner,
            bonus: record.bonus,
            fault: record.termination.map(|end| end.reason),
            plies: count(record.plies.len()),
            turns: count(turns.count()),
        }
    }
}

/// Replays a record by the rules. Everything in it except the agents' thoughts must match. Returns the state before each
/// ply and that after the last.
pub fn play_through(record: &Record) -> Result<Vec<State>, String> {
    let setup = &record.setup;
    let mut state = State::new(setup);
    let mut states = Vec::with_capacity(1 + record.plies.len());
    states.push(state);
    for (i, ply) in record.plies.iter().enumerate() {
        let at = |what: String| format!("ply {}: {what}", i + 1);
        let action = ply.action;
        let next = state.try_play(setup, action);
        let next = next.map_err(|error| at(format!("{action}: {error}")))?;
        if Ply::new(setup, &state, action, ply.thought) != *ply {
            return Err(at(
                "its player, space or number of legal actions is wrong".into()
            ));
        }
        state = next;
        states.push(state);
    }
    match record.termination {
        Some(_) if state.is_over() => return Err("it ends by a fault after its end".into()),
        Some(end) if end.loser != state.mover() => {
            return Err("it ends by a fault of the player who was not to move".into());
        }
        None if !state.is_over() => return Err("it has no end".into()),
        _ => {}
    }
    let (id, agents) = (record.id, record.agents);
    let expected = Record::new(id, agents, setup, Vec::new(), &state, record.termination);
    if !record.ends_like(&expected) {
        return Err("its scores, winner, bonus, buttons or covered squares are wrong".into());
    }
    Ok(states)
}
