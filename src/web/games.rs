//! The games that people play in the browser.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use patchwork_engine::agent::{AgentFile, AgentPaths, Partner, is_path, is_plain_name};
use patchwork_engine::game::{Action, LAST_SPACE, PatchId, Player, Rules, is_income};
use patchwork_engine::record::Thought;
use patchwork_engine::search::Stop;
use serde::{Deserialize, Serialize};

use crate::people::{HeldPiece, Invitation, PeopleGame, Table};

/// Maximum number of open games; the one idle for longest makes room.
const MOST_TABLES: usize = 32;

/// All open games.
pub(super) struct OpenGames {
    results: PathBuf,
    agents: AgentPaths,
    adviser: String,
    stop: &'static Stop,
    tables: Mutex<HashMap<String, Arc<Mutex<OpenGame>>>>,
}

/// An open game.
struct OpenGame {
    game: PeopleGame,
    table: Table,
    person: Player,
    opponent: Partner,
    adviser: Partner,
    message: String,
    advice: Option<AdvicePicture>,
    is_kept: bool,
    since: Instant,
    used: Instant,
}

/// The adviser's view of the position.
#[derive(Clone, Serialize)]
struct AdvicePicture {
    by: String,
    action: String,
    /// The person's chance to win.
    chance: Option<f32>,
}

/// A request for a new game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewGame {
    agent: String,
    /// The person's seat: 0 moves first.
    seat: u8,
    #[serde(default = "default_seed")]
    seed: u64,
}

const fn default_seed() -> u64 {
    1
}

/// A request in a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameStep {
    id: String,
    /// An action in the notation, `undo`, `advice`, or nothing to only look.
    #[serde(default)]
    act: String,
}

/// A game as the page draws it: the script does not know the rules.
#[derive(Serialize)]
pub(super) struct Picture {
    id: String,
    person: usize,
    mover: usize,
    over: bool,
    ply: usize,
    message: String,
    kept: bool,
    advice: Option<AdvicePicture>,
    players: [PlayerPicture; 2],
    spaces: Vec<&'static str>,
    /// Whether a special patch must be placed.
    special: bool,
    offers: Vec<OfferPicture>,
    then: Vec<u8>,
    legal: Vec<String>,
}

#[derive(Serialize)]
struct PlayerPicture {
    name: String,
    space: u8,
    buttons: u16,
    income: u8,
    score: i16,
    bonus: bool,
    rows: Vec<String>,
}

#[derive(Serialize)]
struct OfferPicture {
    patch: u8,
    price: u8,
    time: u8,
    income: u8,
    can_pay: bool,
    orientations: Vec<OrientationPicture>,
}

/// The squares from the corner of the bounding box, and the orientations after a turn and after a flip.
#[derive(Serialize)]
struct OrientationPicture {
    cells: Vec<(usize, usize)>,
    turned: u8,
    flipped: u8,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that panics leaves a consistent state behind.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl OpenGames {
    pub(super) fn new(
        results: PathBuf,
        agents: AgentPaths,
        adviser: String,
        stop: &'static Stop,
    ) -> Self {
        Self {
            results,
            agents,
            adviser,
            stop,
            tables: Mutex::default(),
        }
    }

    /// The names of the agents that can be played.
    pub(super) fn agents(&self) -> Vec<String> {
        let files = self.agents.all().unwrap_or_default();
        let stems = files.iter().filter_map(|path| path.file_stem()?.to_str());
        stems.map(str::to_owned).collect()
    }

    fn agent(&self, name: &str) -> Result<AgentFile, String> {
        let found = self.agents.load_one(std::path::Path::new(""), "", name);
        found.map_err(|error| error.to_string())
    }

    /// Opens a game; the opponent moves if it is first.
    ///
    /// # Errors
    /// A sentence for the person.
    pub(super) fn open(&self, request: &NewGame) -> Result<Picture, String> {
        // Only people at the command line may give paths and overrides: an override can name a program to start.
        if is_path(&request.agent) || !is_plain_name(&request.agent) {
            return Err(format!(
                "'{}': expected the name of an agent",
                request.agent
            ));
        }
        let opponent = self.agent(&request.agent)?;
        let adviser = self.agent(&self.adviser)?;
        let person = Player::BOTH[usize::from(request.seat.min(1))];
        let mut tables = locked(&self.tables);
        let taken: Vec<_> = tables
            .values()
            .filter_map(|open| open.try_lock().ok().map(|open| open.game.id()))
            .collect();
        let invitation = Invitation {
            results: &self.results,
            name: None,
            opponent: &opponent,
            seat: person,
            seed: request.seed,
            rules: Rules::default(),
            ring: None,
        };
        let game = PeopleGame::next(&invitation, &taken).map_err(|error| error.to_string())?;
        let [opponent, adviser] = [&opponent, &adviser].map(|file| Partner::new(file, game.seed()));
        let now = Instant::now();
        let open = OpenGame {
            table: Table::new(game.setup().clone()),
            game,
            person,
            opponent,
            adviser,
            message: "Your move.".to_owned(),
            advice: None,
            is_kept: false,
            since: now,
            used: now,
        };
        make_room(&mut tables);
        let number = (1u64..).find(|number| !tables.contains_key(&number.to_string()));
        let id = number.unwrap_or_default().to_string();
        let open = Arc::new(Mutex::new(open));
        tables.insert(id.clone(), Arc::clone(&open));
        drop(tables);
        let mut open = locked(&open);
        open.let_opponent_move(self.stop);
        Ok(open.picture(id))
    }

    /// Does what a person asks for, and lets the opponent move.
    ///
    /// # Errors
    /// A sentence for the person.
    pub(super) fn step(&self, step: &GameStep) -> Result<Picture, String> {
        let open = locked(&self.tables).get(&step.id).cloned();
        let open = open.ok_or("this game is no longer open; start a new one")?;
        let mut open = locked(&open);
        open.used = Instant::now();
        match step.act.as_str() {
            "" => {}
            "undo" => open.undo()?,
            "advice" => open.ask(self.stop)?,
            action => open.play(action)?,
        }
        open.let_opponent_move(self.stop);
        Ok(open.picture(step.id.clone()))
    }
}

/// Closes the games that have been idle for longest if there are too many.
fn make_room(tables: &mut HashMap<String, Arc<Mutex<OpenGame>>>) {
    while tables.len() >= MOST_TABLES {
        let free = tables
            .iter()
            .filter_map(|(id, open)| Some((open.try_lock().ok()?.used, id.clone())));
        let Some((_, id)) = free.min() else { return };
        tables.remove(&id);
    }
}

impl OpenGame {
    fn play(&mut self, text: &str) -> Result<(), String> {
        if self.table.state().is_over() {
            return Err("The game is over.".to_owned());
        }
        let action: Action = text.parse().map_err(|error| format!("{error}"))?;
        let time = self.since.elapsed();
        let played = self.table.play(action, Thought::default(), time);
        played.map_err(|error| format!("{action}: {error}"))?;
        self.message = format!("You played {action}.");
        self.advice = None;
        Ok(())
    }

    fn undo(&mut self) -> Result<(), String> {
        if self.is_kept {
            return Err("The game is over and kept.".to_owned());
        }
        if !self.table.undo(self.person) {
            return Err("There is no move of yours to take back.".to_owned());
        }
        self.message = "Took back your last move.".to_owned();
        self.advice = None;
        Ok(())
    }

    fn ask(&mut self, stop: &Stop) -> Result<(), String> {
        if self.table.state().is_over() {
            return Err("The game is over.".to_owned());
        }
        let thought = self.table.ask(&mut self.adviser, stop);
        let (decision, _) = thought.map_err(|error| format!("no advice: {error}"))?;
        let is_mine = self.table.state().mover() == self.person;
        let mine = |value: f32| if is_mine { value } else { 1.0 - value };
        self.advice = Some(AdvicePicture {
            by: self.adviser.name().to_owned(),
            action: decision.action.to_string(),
            chance: decision.thought.value.map(mine),
        });
        Ok(())
    }

    /// Plays the opponent's plies until the person is to move, and stores the game at its end.
    fn let_opponent_move(&mut self, stop: &Stop) {
        let name = self.opponent.name().to_owned();
        let mut played = Vec::new();
        while !self.table.state().is_over() && self.table.state().mover() != self.person {
            let decided = self.table.ask(&mut self.opponent, stop);
            let (decision, time) = match decided {
                Ok(decided) => decided,
                Err(error) => {
                    self.message = format!("{name} gave no answer: {error}.");
                    return;
                }
            };
            let action = decision.action;
            if let Err(error) = self.table.play(action, decision.thought, time) {
                self.message = format!("{name} chose {action}: {error}.");
                return;
            }
            played.push(action.to_string());
        }
        if !played.is_empty() {
            self.message = format!("{name} played {}.", played.join(", "));
            self.since = Instant::now();
        }
        if self.table.state().is_over() && !self.is_kept {
            self.is_kept = true;
            self.message = match self.game.keep(&self.table) {
                Ok(Some(number)) => {
                    format!("Kept as game {number} of {}.", self.game.dir().display())
                }
                Ok(None) => String::new(),
                Err(error) => format!("The game is not kept: {error}."),
            };
        }
    }

    fn picture(&self, id: String) -> Picture {
        let (state, setup) = (self.table.state(), self.table.setup());
        let names = self.game.names();
        let diagram = self.table.diagram();
        let players = Player::BOTH.map(|player| PlayerPicture {
            name: names[player.index()].clone(),
            space: state.space(player),
            buttons: state.buttons(player),
            income: state.income(player),
            score: state.score(player),
            bonus: state.bonus() == Some(player),
            rows: diagram.rows(player).collect(),
        });
        let spaces = (0..=LAST_SPACE).map(|space| {
            match (
                state.special_spaces().any(|at| at == space),
                is_income(space),
            ) {
                (true, _) => "special",
                (_, true) => "income",
                _ => "",
            }
        });
        let mut next = state.ring_places().map(|place| setup.patch_at(place));
        let offers: Vec<PatchId> = next.by_ref().take(3).collect();
        let is_mine = !state.is_over() && state.mover() == self.person;
        let mut legal = Vec::new();
        if is_mine {
            state.for_each_action(setup, |action| legal.push(action.to_string()));
        }
        let buttons = state.buttons(self.person);
        let offer = |patch: &PatchId| offer(*patch, buttons);
        Picture {
            id,
            person: self.person.index(),
            mover: state.mover().index(),
            over: state.is_over(),
            ply: self.table.plies() + 1,
            message: self.message.clone(),
            kept: self.is_kept,
            advice: self.advice.clone(),
            players,
            spaces: spaces.collect(),
            special: is_mine && state.specials_waiting() > 0,
            offers: offers.iter().map(offer).collect(),
            then: next.map(PatchId::number).collect(),
            legal,
        }
    }
}

fn offer(patch: PatchId, buttons: u16) -> OfferPicture {
    let printed = patch.patch();
    let orientations = HeldPiece::orientations(patch).into_iter();
    OfferPicture {
        patch: patch.number(),
        price: printed.button_cost,
        time: printed.time_cost,
        income: printed.income,
        can_pay: printed.costs_at_most(buttons),
        orientations: orientations
            .map(|piece| OrientationPicture {
                cells: piece.cells(),
                turned: piece.turned().orientation(),
                flipped: piece.flipped().orientation(),
            })
            .collect(),
    }
}

/// Waits for a time, or until the program stops.
pub(super) fn rest(stop: &Stop, time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time && !stop.is_set() {
        std::thread::sleep(Duration::from_millis(50).min(time));
    }
}
