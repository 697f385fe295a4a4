//! The games in the viewer, with everything precomputed for drawing: the script does not implement
//! the rules. Long lists are written as named columns, because the names of the fields of each row would make up
//! most of the page.

use std::collections::BTreeSet;

use patchwork_engine::game::{Action, PatchId, Player, Rules, Setup, State};
use patchwork_engine::record::{
    ConsideredAction, ConsideredActions, Entry, GameFacts, GameId, Record, play_through,
};
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::stream;
use serde::Serialize;
use serde_json::{Value, json};

use crate::TournamentReport;
use crate::document::html::parts::columns;
use patchwork_tournament::stats::{Swing, marked_swings, swings};
use patchwork_tournament::{Archive, GameNumber, Plan, TournamentError};

/// Maximum number of games on a page; a game takes 3 to 4 kilobytes, and more with the actions that
/// were considered.
pub(super) const MAX_GAMES: usize = 200;

/// Maximum size of all games, in bytes.
const MAX_BYTES: usize = 215_000;

/// All data that the script draws.
#[derive(Serialize)]
pub(super) struct Viewer {
    /// The rules as in links to the board.
    rules: String,
    agents: Vec<String>,
    #[serde(serialize_with = "columns")]
    patches: Vec<Value>,
    /// The spaces where special patches stand at the start.
    specials: Vec<u8>,
    /// The numbers of the start.
    before: PositionPicture,
    /// The number of the game and the ply that the viewer opens with, if there is a largest swing.
    start: Option<(GameNumber, usize)>,
    pub(super) games: Vec<GamePicture>,
}

/// The numbers of both players in a position.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct PositionPicture {
    spaces: [u8; 2],
    buttons: [u16; 2],
    pub(super) income: [u8; 2],
    /// Points if the game ended now.
    scores: [i16; 2],
    /// The seat of the player with the 7x7 bonus.
    bonus: Option<usize>,
}

/// A game in the form in which it is drawn.
#[derive(Serialize)]
pub(super) struct GamePicture {
    /// Its number.
    pub(super) number: GameNumber,
    /// Indices of the agents in the first and second seats.
    pub(super) seats: [u16; 2],
    /// Why the game is notable; empty for most games.
    pub(super) notes: Vec<&'static str>,
    ring: Vec<u8>,
    pub(super) scores: [i16; 2],
    pub(super) winner: usize,
    /// The fault by which the loser lost, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fault: Option<&'static str>,
    /// The marked swings, with expectations in thousandths.
    swings: Vec<Value>,
    /// The actions considered in all plies, where they were recorded.
    #[serde(serialize_with = "columns", skip_serializing_if = "Vec::is_empty")]
    considered: Vec<Value>,
    #[serde(serialize_with = "columns")]
    pub(super) plies: Vec<PlyPicture>,
    #[serde(skip)]
    pub(super) record: Record,
}

fn thousandths(share: f32) -> u16 {
    (share * 1000.0).round() as u16
}

/// A ply and what changes with it.
#[derive(Serialize)]
pub(super) struct PlyPicture {
    /// The mover.
    pub seat: usize,
    /// Number of the patch bought, 0 for advancing, -1 for a special patch.
    pub(super) patch: i8,
    /// Row-major indices of the squares covered.
    pub(super) squares: Vec<u8>,
    legal: u16,
    iterations: u32,
    /// The mover's expected score in thousandths.
    value: Option<u16>,
    /// Whether the mover has proven a win or a loss.
    proven: Option<bool>,
    #[serde(flatten)]
    pub(super) after: PositionPicture,
    /// Up to three patches ahead of the token.
    next: Vec<u8>,
}

impl Viewer {
    /// The chosen games of a plan; `strongest` is the index of the agent whose largest swing is
    /// shown first.
    pub(super) fn new(
        report: &TournamentReport<'_>,
        strongest: Option<usize>,
    ) -> Result<Self, TournamentError> {
        let swung = strongest.and_then(|agent| report.highlights.swing_of(agent));
        let chosen = choose(report, swung).into_iter();
        let chosen = chosen.map(|(index, notes)| (index as usize, notes));
        let mut viewer = Self::of(report.plan, report.games, chosen)?;
        viewer.start = viewer
            .games
            .first()
            .filter(|_| swung.is_some())
            .and_then(|game| Some((game.number, opening(&game.record, strongest?)?)));
        Ok(viewer)
    }

    /// The games with these indices, each with its notes, as far as there is room.
    pub(super) fn of(
        plan: &Plan,
        games: &Archive,
        chosen: impl Iterator<Item = (usize, Vec<&'static str>)>,
    ) -> Result<Self, TournamentError> {
        let numbers = games.numbers(plan)?;
        let mut pictures = Vec::new();
        let mut bytes = 0;
        for (index, notes) in chosen {
            let game = games.entry(index)?;
            let Entry { record, extras, .. } = game;
            let number = numbers.of(&record);
            let states = play_through(&record);
            let states =
                states.map_err(|what| InputError::new(format!("game {number}: {what}")))?;
            let picture = GamePicture::new(number, notes, record, &extras.considered, &states);
            bytes += serde_json::to_string(&picture).map_or(0, |text| text.len());
            if bytes > MAX_BYTES && !pictures.is_empty() {
                break;
            }
            pictures.push(picture);
        }
        Ok(Self {
            rules: plan.rules().to_string(),
            agents: plan.names(),
            patches: PatchId::all().map(patch_picture).collect(),
            specials: plan.rules().track().specials().to_vec(),
            before: start_picture(plan.rules()),
            start: None,
            games: pictures,
        })
    }
}

/// All games of the same rules begin alike, whatever their ring is.
fn start_picture(rules: Rules) -> PositionPicture {
    PositionPicture::new(&State::new(&Setup::random(rules, &mut stream(&[]))))
}

impl PositionPicture {
    fn new(state: &State) -> Self {
        Self {
            spaces: Player::BOTH.map(|player| state.space(player)),
            buttons: Player::BOTH.map(|player| state.buttons(player)),
            income: Player::BOTH.map(|player| state.income(player)),
            scores: Player::BOTH.map(|player| state.score(player)),
            bonus: state.bonus().map(Player::index),
        }
    }
}

/// A patch as printed: its costs in buttons and spaces, its income, and its rows from the top, separated by `/`.
fn patch_picture(id: PatchId) -> Value {
    let patch = id.patch();
    json!({
        "buttons": patch.button_cost,
        "spaces": patch.time_cost,
        "income": patch.income,
        "shape": patch.shape().literal(),
    })
}

impl GamePicture {
    fn new(
        number: GameNumber,
        notes: Vec<&'static str>,
        record: Record,
        considered: &ConsideredActions,
        states: &[State],
    ) -> Self {
        let plies = record
            .plies
            .iter()
            .zip(&states[1..])
            .map(|(ply, after)| {
                let (patch, squares) = patch_and_squares(ply.action);
                PlyPicture {
                    seat: ply.player.index(),
                    patch,
                    squares,
                    legal: ply.legal,
                    iterations: ply.thought.iterations,
                    value: ply.thought.value.map(thousandths),
                    proven: ply.thought.proven,
                    after: PositionPicture::new(after),
                    next: next(&record.setup, after),
                }
            })
            .collect();
        Self {
            number,
            seats: record.agents,
            notes,
            ring: record.setup.ring().numbers().to_vec(),
            scores: record.scores,
            winner: record.winner.index(),
            fault: record.termination.map(|end| end.reason.name()),
            swings: marked_swings(&record)
                .into_iter()
                .map(swing_picture)
                .collect(),
            considered: (1..)
                .zip(considered.plies())
                .flat_map(|(ply, actions)| considered_in(ply, actions))
                .collect(),
            plies,
            record,
        }
    }
}

/// The number of the patch, 0 for advancing and -1 for a special patch, and the squares covered.
fn patch_and_squares(action: Action) -> (i8, Vec<u8>) {
    let number = match action {
        Action::Advance => 0,
        Action::Special(_) => -1,
        Action::Buy(patch, _) => patch.number() as i8,
    };
    let squares = action.squares().squares();
    (number, squares.map(|square| square.index() as u8).collect())
}

fn swing_picture(swing: Swing) -> Value {
    json!({
        "ply": swing.ply,
        "seat": swing.seat,
        "from": thousandths(swing.from),
        "to": thousandths(swing.to),
    })
}

/// The actions considered in a ply, counted from 1, with their patches as in a [`PlyPicture`] and the mover's expected
/// scores in thousandths.
fn considered_in(ply: usize, actions: &[ConsideredAction]) -> impl Iterator<Item = Value> {
    actions.iter().map(move |one| {
        let (patch, squares) = patch_and_squares(one.action);
        json!({
            "ply": ply,
            "patch": patch,
            "squares": squares,
            "visits": one.visits,
            "value": thousandths(one.value.clamp(0.0, 1.0)),
        })
    })
}

/// The patches ahead of the token, even while a special patch waits and no patch may be bought.
fn next(setup: &Setup, state: &State) -> Vec<u8> {
    let ahead = state.ring_places().take(3);
    ahead.map(|place| setup.patch_at(place).number()).collect()
}

/// The ply of a game that the viewer opens with: the largest swing of this agent's expectations, or
/// of its opponent's.
fn opening(record: &Record, agent: usize) -> Option<usize> {
    let seats = record.agents.map(usize::from);
    let seat = seats.iter().position(|&seated| seated == agent)?;
    let all = swings(record);
    let own = all.iter().find(|swing| swing.seat == seat);
    own.or(all.first()).map(|swing| swing.ply)
}

/// The indices of the games to show, with their notes: the one with the largest swing, the extreme games, then the
/// pairs of each pairing in turn, up to the maximum.
fn choose(report: &TournamentReport<'_>, swung: Option<GameId>) -> Vec<(u32, Vec<&'static str>)> {
    let games = report.games;
    let mut best: [Option<(i32, u32)>; EXTREMES.len()] = [None; EXTREMES.len()];
    let (mut swung_at, mut surprise_at) = (None, None);
    for &index in report.order() {
        let game = &games.facts()[index as usize];
        if swung == Some(game.id()) {
            swung_at = Some(index);
        }
        if report.highlights.surprise() == Some(game.id()) {
            surprise_at = Some(index);
        }
        if game.fault.is_some() {
            continue;
        }
        for (best, (_, worth)) in best.iter_mut().zip(EXTREMES) {
            let worth = worth(game);
            // Ties go to the first game, so that the choice is deterministic.
            if best.is_none_or(|(known, _)| worth > known) {
                *best = Some((worth, index));
            }
        }
    }
    let extremes = best.into_iter().zip(EXTREMES);
    let extremes = extremes.filter_map(|(best, (note, _))| Some((note, best?.1)));
    let noted = (swung_at.map(|index| (LARGEST_SWING, index)).into_iter())
        .chain(surprise_at.map(|index| (SURPRISE, index)))
        .chain(extremes);
    let mut chosen: Vec<(u32, Vec<&'static str>)> = Vec::new();
    for (note, index) in noted {
        match chosen.iter_mut().find(|(known, _)| *known == index) {
            Some((_, notes)) => notes.push(note),
            None => chosen.push((index, vec![note])),
        }
    }
    let known: BTreeSet<u32> = chosen.iter().map(|&(index, _)| index).collect();
    let room = MAX_GAMES.saturating_sub(chosen.len());
    let rest = report.order().iter().filter(|index| !known.contains(index));
    chosen.extend(rest.take(room).map(|&index| (index, Vec::new())));
    chosen
}

/// The note of the game that the viewer opens with.
const LARGEST_SWING: &str = "largest swing of the strongest agent";

/// The note of the game whose loser was the most confident.
const SURPRISE: &str = "biggest surprise";

/// The value of a criterion for a game.
type Extremeness = fn(&GameFacts) -> i32;

/// The other criteria for notable games.
const EXTREMES: [(&str, Extremeness); 6] = [
    ("closest", |game| -margin(game)),
    ("most lopsided", margin),
    ("highest score", |game| {
        i32::from(game.scores[0].max(game.scores[1]))
    }),
    ("highest total", |game| {
        i32::from(game.scores[0]) + i32::from(game.scores[1])
    }),
    ("longest", |game| i32::from(game.plies)),
    ("shortest", |game| -i32::from(game.plies)),
];

fn margin(game: &GameFacts) -> i32 {
    (i32::from(game.scores[0]) - i32::from(game.scores[1])).abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{test_header, with_report};
    use patchwork_engine::game::Track;
    use patchwork_test_support::tournaments::{names, plan, tournament};
    use patchwork_tournament::Format;

    fn viewer(entries: &[Entry], strongest: Option<usize>) -> Viewer {
        let pairs = entries.len() as u32 / 6;
        let plan = plan(&names(), Format::RoundRobin, pairs).expect("a plan");
        with_report(&test_header(6), &plan, entries, |report| {
            Viewer::new(report, strongest).expect("legal games")
        })
    }

    #[test]
    fn the_komi_is_there_before_the_first_ply() {
        let rules = Rules::with_komi(Track::Original, 3).expect("a komi");
        let start = PositionPicture {
            spaces: [0, 0],
            buttons: [5, 8],
            income: [0, 0],
            scores: [-157, -154],
            bonus: None,
        };
        assert_eq!(start_picture(rules), start);
    }

    /// Ten considered actions in every ply.
    fn consider(entry: &mut Entry) {
        let actions: Vec<Action> = entry.record.actions().collect();
        for (i, action) in (0_u32..).zip(actions) {
            let one = ConsideredAction::new(action, 100 + i, 0.25);
            entry
                .extras
                .considered
                .push(&[one; ConsideredActions::MOST]);
        }
    }

    #[test]
    fn considered_actions_are_shown_with_visits_and_values() {
        let mut entries = tournament(1);
        consider(&mut entries[0]);
        let data = serde_json::to_value(viewer(&entries, None)).expect("plain data");
        let games = data["games"].as_array().expect("a list");
        let with: Vec<_> = games
            .iter()
            .filter(|game| !game["considered"].is_null())
            .collect();
        assert_eq!(with.len(), 1, "the other games have none");
        let game = with[0];
        let (plies, considered) = (&game["plies"], &game["considered"]);
        let count = plies["patch"].as_array().expect("a column").len();
        assert_eq!(considered["ply"].as_array().map(Vec::len), Some(10 * count));
        for i in 0..count {
            let last = 10 * i + 9;
            assert_eq!(considered["ply"][last], i + 1);
            assert_eq!(considered["patch"][last], plies["patch"][i]);
            assert_eq!(considered["squares"][last], plies["squares"][i]);
            assert_eq!(considered["visits"][last], 100 + i);
            assert_eq!(considered["value"][last], 250);
        }
    }

    #[test]
    fn large_games_are_fewer() {
        let mut entries = tournament(34);
        let small = viewer(&entries, None).games.len();
        entries.iter_mut().for_each(consider);
        let viewer = viewer(&entries, None);
        let bytes = serde_json::to_string(&viewer).expect("plain data").len();
        assert!(viewer.games.len() < small);
        assert!(
            (MAX_BYTES / 2..MAX_BYTES + 10_000).contains(&bytes),
            "{bytes}"
        );
    }

    #[test]
    fn it_opens_at_the_largest_swing_of_the_strongest_agent() {
        let mut entries = tournament(2);
        for ply in entries.iter_mut().flat_map(|entry| &mut entry.record.plies) {
            ply.thought.value = None;
        }
        assert_eq!(
            viewer(&entries, Some(1)).start,
            None,
            "nobody expects anything"
        );
        // The opponent swings more, but the agent's own expectations are preferred.
        let plan = plan(&names(), Format::RoundRobin, 2).expect("a plan");
        let index = entries
            .iter()
            .position(|entry| entry.record.agents.contains(&1))
            .expect("it plays");
        let record = &mut entries[index].record;
        let seat = record
            .agents
            .iter()
            .position(|&agent| agent == 1)
            .expect("a seat");
        let mut own = Vec::new();
        let mut values = [[0.5, 0.6, 0.3, 0.35], [0.1, 0.9, 0.1, 0.9]].map(IntoIterator::into_iter);
        for (number, ply) in (1..).zip(&mut record.plies) {
            let of = usize::from(ply.player.index() != seat);
            ply.thought.value = values[of].next();
            if of == 0 {
                own.push(number);
            }
        }
        let numbers = Archive::default().numbers(&plan).expect("in memory");
        let number = numbers.of(&entries[index].record);
        assert_eq!(viewer(&entries, Some(1)).start, Some((number, own[2])));
    }
}
