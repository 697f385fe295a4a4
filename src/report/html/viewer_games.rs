//! The games in the viewer, with everything precomputed for drawing: the script does not implement
//! the rules.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::game::{Action, PatchId, Player, State};
use crate::record::{Games, Record};
use crate::report::glance::Glance;
use crate::report::swings::{Swing, marked, swings};
use crate::tournament::Plan;
use crate::tournament::replay::{Playthrough, play_through};

/// Maximum number of games on a page; a game takes 3 to 4 kilobytes.
pub(super) const MOST_GAMES: usize = 200;

/// All data that the script draws.
#[derive(Serialize)]
pub(super) struct Viewer {
    agents: Vec<String>,
    patches: Vec<PatchPicture>,
    specials: Vec<u8>,
    /// The number of the game and the ply that the viewer opens with, if there is a largest swing.
    start: Option<(u64, usize)>,
    pub(super) games: Vec<GamePicture>,
}

/// Price, time, income and shape (rows from the top, separated by `/`).
type PatchPicture = (u8, u8, u8, &'static str);

/// A game in the form in which it is drawn.
#[derive(Serialize)]
pub(super) struct GamePicture {
    /// Its number in the plan.
    pub(super) number: u64,
    /// Indices of the agents in the first and second seats.
    pub(super) seats: [u16; 2],
    /// Why the game is notable; empty for most games.
    pub(super) notes: Vec<&'static str>,
    ring: Vec<u8>,
    pub(super) scores: [i16; 2],
    pub(super) winner: usize,
    swings: Vec<SwingPicture>,
    pub(super) plies: Vec<PlyPicture>,
    #[serde(skip)]
    pub(super) record: Record,
}

/// A marked swing, with expectations in thousandths.
#[derive(Serialize)]
struct SwingPicture {
    ply: usize,
    seat: usize,
    from: u16,
    to: u16,
}

impl From<Swing> for SwingPicture {
    fn from(swing: Swing) -> Self {
        Self {
            ply: swing.ply,
            seat: swing.seat,
            from: thousandths(swing.from),
            to: thousandths(swing.to),
        }
    }
}

fn thousandths(share: f32) -> u16 {
    (share * 1000.0).round() as u16
}

/// A ply and the position after it, serialized as a list because field names would make up most of
/// the page.
#[derive(Serialize)]
pub(super) struct PlyPicture(
    /// The mover's seat.
    pub(super) usize,
    /// Number of the patch bought, 0 for advancing, -1 for a special patch.
    pub(super) i8,
    /// Row-major indices of the squares covered.
    pub(super) Vec<u8>,
    /// Legal actions.
    u16,
    /// Iterations.
    u32,
    /// The mover's expected score in thousandths, or null.
    Option<u16>,
    /// Whether the mover has proven a win (1) or a loss (0), or null.
    Option<u8>,
    /// Spaces.
    [u8; 2],
    /// Buttons.
    [u16; 2],
    /// Income.
    [u8; 2],
    /// Points if the game ended now.
    [i16; 2],
    /// The seat of the player with the 7x7 bonus, or -1.
    i8,
    /// Up to three patches ahead of the token.
    Vec<u8>,
);

impl PlyPicture {
    pub(super) const fn spaces(&self) -> [u8; 2] {
        self.7
    }

    pub(super) const fn income(&self) -> [u8; 2] {
        self.9
    }
}

impl Viewer {
    /// The chosen games of a plan; `strongest` is the index of the agent whose largest swing is
    /// shown first.
    ///
    /// # Errors
    /// If a record is not a legal game; the message says which one and why.
    pub(super) fn new(
        plan: &Plan,
        games: &(impl Games + ?Sized),
        glances: &[Glance],
        strongest: Option<usize>,
    ) -> Result<Self, String> {
        let mut pictures = Vec::new();
        let swung = strongest.and_then(|agent| most_swung(glances, agent));
        for (glance, notes) in choose(glances, swung) {
            let record = games.entry(glance.index).record.clone();
            let number = plan.number(record.id);
            let course = play_through(&record).map_err(|what| format!("game {number}: {what}"))?;
            pictures.push(GamePicture::new(number, notes, record, &course));
        }
        let start = pictures
            .first()
            .filter(|_| swung.is_some())
            .and_then(|game: &GamePicture| Some((game.number, opening(&game.record, strongest?)?)));
        Ok(Self {
            agents: plan.names(),
            patches: PatchId::all().map(patch_picture).collect(),
            specials: plan.track().specials().to_vec(),
            start,
            games: pictures,
        })
    }
}

fn patch_picture(id: PatchId) -> PatchPicture {
    let patch = id.patch();
    (
        patch.button_cost,
        patch.time_cost,
        patch.income,
        patch.shape().literal(),
    )
}

impl GamePicture {
    fn new(number: u64, notes: Vec<&'static str>, record: Record, course: &Playthrough) -> Self {
        let after = course.plies.iter().skip(1).map(|(state, _)| state);
        let plies = record
            .plies
            .iter()
            .zip(&course.plies)
            .zip(after.chain([&course.end]))
            .map(|((ply, (_, action)), after)| {
                let (patch, squares) = match *action {
                    Action::Advance => (0, Vec::new()),
                    Action::Special(square) => (-1, vec![square.index() as u8]),
                    Action::Buy(patch, placement) => {
                        let squares = placement.squares(patch.patch().shape).squares();
                        let squares = squares.map(|square| square.index() as u8).collect();
                        (patch.number() as i8, squares)
                    }
                };
                let of_both = Player::BOTH;
                PlyPicture(
                    ply.player().index(),
                    patch,
                    squares,
                    ply.legal,
                    ply.thought.iterations,
                    ply.thought.value.map(thousandths),
                    ply.thought.proven.map(u8::from),
                    of_both.map(|player| after.space(player)),
                    of_both.map(|player| after.buttons(player)),
                    of_both.map(|player| after.income(player)),
                    of_both.map(|player| after.score(player)),
                    after.bonus().map_or(-1, |player| player.index() as i8),
                    next(course, after),
                )
            })
            .collect();
        Self {
            number,
            seats: record.agents,
            notes,
            ring: course.setup.ring().numbers().to_vec(),
            scores: record.scores,
            winner: record.winner().index(),
            swings: marked(&record).into_iter().map(Into::into).collect(),
            plies,
            record,
        }
    }
}

/// The patches ahead of the token, even while a special patch waits and no patch may be bought.
fn next(course: &Playthrough, state: &State) -> Vec<u8> {
    let ahead = state.ring_places().take(3);
    ahead
        .map(|place| course.setup.patch_at(place).number())
        .collect()
}

/// The game of an agent with the largest swing: of its own expectations if it reported any.
fn most_swung(glances: &[Glance], agent: usize) -> Option<&Glance> {
    let swung = glances
        .iter()
        .filter_map(|glance| Some((glance.swing_with(agent)?, glance)));
    let largest = swung.max_by(|((own, a), one), ((other_own, b), other)| {
        let sizes = own.cmp(other_own).then(a.total_cmp(b));
        // Ties go to the first game, so that the choice is deterministic.
        sizes.then(other.order.cmp(&one.order))
    });
    largest.map(|(_, glance)| glance)
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

/// The games to show, with their notes: the one with the largest swing, the extreme games, then the
/// pairs of each pairing in turn, up to the maximum.
fn choose<'a>(
    glances: &'a [Glance],
    swung: Option<&'a Glance>,
) -> Vec<(&'a Glance, Vec<&'static str>)> {
    let mut chosen: Vec<(&Glance, Vec<&'static str>)> = Vec::new();
    chosen.extend(swung.map(|glance| (glance, vec![LARGEST_SWING])));
    for (note, worth) in EXTREMES {
        let best = glances
            .iter()
            .filter(|glance| glance.finished)
            .filter_map(|glance| Some((worth(glance)?, glance)))
            // Ties go to the first game, so that the choice is deterministic.
            .min_by_key(|&(worth, glance)| (std::cmp::Reverse(worth), glance.order));
        let Some((_, glance)) = best else { continue };
        match chosen
            .iter_mut()
            .find(|(known, _)| known.order == glance.order)
        {
            Some((_, notes)) => notes.push(note),
            None => chosen.push((glance, vec![note])),
        }
    }
    let known: BTreeSet<u64> = chosen.iter().map(|(glance, _)| glance.order).collect();
    let room = MOST_GAMES.saturating_sub(chosen.len());
    let rest = glances
        .iter()
        .filter(|glance| !known.contains(&glance.order));
    chosen.extend(rest.take(room).map(|glance| (glance, Vec::new())));
    chosen
}

/// The note of the game that the viewer opens with.
const LARGEST_SWING: &str = "largest swing of the strongest agent";

/// The value of a criterion for a game, if it applies.
type Extremeness = fn(&Glance) -> Option<i32>;

/// The criteria for notable games.
const EXTREMES: [(&str, Extremeness); 7] = [
    ("biggest surprise", |game| {
        // In thousandths: the loser's highest win expectation.
        game.surprise
            .map(|surprise| (surprise * 1000.0) as i32)
            .filter(|&s| s > 500)
    }),
    ("closest", |game| Some(-game.margin())),
    ("most lopsided", |game| Some(game.margin())),
    ("highest score", |game| {
        Some(i32::from(game.scores[0].max(game.scores[1])))
    }),
    ("highest total", |game| {
        Some(i32::from(game.scores[0]) + i32::from(game.scores[1]))
    }),
    ("longest", |game| Some(i32::from(game.plies))),
    ("shortest", |game| Some(-i32::from(game.plies))),
];
