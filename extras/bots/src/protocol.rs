//! The line protocol between the arena and a bot, an external program that plays; `docs/protocol.md`
//! describes it for authors of bots.
//!
//! The arena writes [`BotRequest`]s to the bot's standard input, the bot writes [`BotReply`]s to its standard
//! output, one per line. Replies are parsed leniently: an unknown line becomes [`BotReply::Unknown`] and is
//! ignored.
//!
//! ```
//! use patchwork_bots::protocol::{BotReply, BotRequest};
//!
//! assert_eq!(BotRequest::Handshake(1).to_string(), "patchwork 1");
//! let reply: BotReply = "bestaction S:e5".into();
//! assert_eq!(reply, BotReply::BestAction("S:e5".to_owned()));
//! ```

mod options;

use std::fmt::{self, Write as _};
use std::str::FromStr;

use patchwork_engine::game::{Action, ActionList, Player, Rules, Setup};
use patchwork_engine::record::{ConsideredAction, Thought, TreeFacts};
use patchwork_engine::search::Budget;
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::Rng;
use rand::SeedableRng as _;

pub use self::options::{BotOption, OptionKind};

/// The version of the protocol.
pub const PROTOCOL_VERSION: u32 = 1;

/// The longest line that a bot may send, in bytes.
pub const MAX_LINE: usize = 1 << 16;

/// A request from the arena to a bot.
#[derive(Clone, Debug, PartialEq)]
pub enum BotRequest {
    /// The first line, with the version of the protocol; answered by [`BotReply::HandshakeDone`].
    Handshake(u32),
    /// Sets an option that the bot has declared.
    SetOption {
        /// Its name.
        name: String,
        /// Its value as text.
        value: String,
    },
    /// Asks whether the bot is ready for more; answered by [`BotReply::Ready`].
    IsReady,
    /// A new game.
    NewGame {
        /// The setup.
        setup: Setup,
        /// The bot's seat.
        seat: Player,
        /// The random numbers of the bot in this game.
        rng: Rng,
    },
    /// A position: a setup, and the actions from its start.
    Position {
        /// The setup.
        setup: Setup,
        /// The actions so far.
        actions: Vec<Action>,
    },
    /// Asks for an action in the last position; answered by [`BotReply::BestAction`]. Without a budget,
    /// the bot decides how long it thinks. [`Budget::GameTime`] is the time left for the game.
    Go(Option<Budget>),
    /// The legal actions that the bot has asked for.
    Legal(Vec<Action>),
    /// Asks the bot to decide now.
    Stop,
    /// Asks the bot to end.
    Quit,
}

/// The word after `go` for a unit of [`Budget::TOLD_UNITS`]; for a budget per game, it is the time left on the clock.
fn word_of(unit: &'static str) -> &'static str {
    match unit {
        "milliseconds_per_game" => "clock",
        other => other,
    }
}

fn write_setup(f: &mut fmt::Formatter<'_>, setup: &Setup) -> fmt::Result {
    write!(f, "track {} ring {}", setup.rules(), setup.ring())
}

impl fmt::Display for BotRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Handshake(version) => write!(f, "patchwork {version}"),
            Self::SetOption { name, value } => write!(f, "setoption name {name} value {value}"),
            Self::IsReady => f.write_str("isready"),
            Self::NewGame { setup, seat, rng } => {
                write!(f, "newgame seat {seat} seed ")?;
                for word in state_of(rng) {
                    write!(f, "{word:016x}")?;
                }
                f.write_char(' ')?;
                write_setup(f, setup)
            }
            Self::Position { setup, actions } => {
                f.write_str("position ")?;
                write_setup(f, setup)?;
                f.write_str(" actions")?;
                actions.iter().try_for_each(|action| write!(f, " {action}"))
            }
            Self::Go(None) => f.write_str("go"),
            Self::Go(Some(budget)) => {
                let (unit, count) = budget.units();
                write!(f, "go {} {count}", word_of(unit))
            }
            Self::Legal(actions) => {
                f.write_str("legal")?;
                actions.iter().try_for_each(|action| write!(f, " {action}"))
            }
            Self::Stop => f.write_str("stop"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

/// The words of a line, consumed one after another.
struct LineWords<'a>(&'a str);

impl<'a> LineWords<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let rest = self.0.trim_start();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }

    /// The word after `key`, which must be the next word.
    fn after(&mut self, key: &str) -> Result<&'a str, InputError> {
        let found = self.next().unwrap_or("nothing");
        if found != key {
            let what = format!("expected the word '{key}', found '{found}'");
            return Err(InputError::new(what));
        }
        let missing = || InputError::new(format!("expected a word after '{key}'"));
        self.next().ok_or_else(missing)
    }

    /// `track T ring R...`
    fn setup(&mut self) -> Result<Setup, InputError> {
        let rules: Rules = self.after("track")?.parse()?;
        let mut ring = self.after("ring")?.to_owned();
        for _ in 1..patchwork_engine::game::PATCH_COUNT {
            ring = format!("{ring} {}", self.next().unwrap_or_default());
        }
        Ok(Setup::new(rules, ring.parse()?))
    }

    fn rest(&self) -> &'a str {
        self.0.trim()
    }
}

/// The state of a stream, from which [`parse_seed`] continues it.
fn state_of(rng: &Rng) -> [u64; 4] {
    let state = serde_json::to_value(rng).ok();
    let words = state.and_then(|state| serde_json::from_value(state["s"].clone()).ok());
    words.expect("the state of the generator is four words")
}

fn parse_seed(text: &str) -> Option<Rng> {
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    let mut seed = [0; 32];
    for (i, bytes) in seed.chunks_exact_mut(8).enumerate() {
        let word = u64::from_str_radix(&text[16 * i..16 * (i + 1)], 16).ok()?;
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    Some(Rng::from_seed(seed))
}

fn parse_go(words: &mut LineWords<'_>) -> Result<Option<Budget>, InputError> {
    let Some(unit) = words.next() else {
        return Ok(None);
    };
    let count: Option<u32> = words.next().and_then(|word| word.parse().ok());
    let unit = Budget::TOLD_UNITS
        .iter()
        .find(|known| word_of(known) == unit);
    let budget = unit.zip(count);
    let budget = budget.and_then(|(unit, count)| Budget::of_units(unit, count));
    budget.map(Some).ok_or_else(|| {
        let units: Vec<&str> = Budget::TOLD_UNITS
            .iter()
            .map(|unit| word_of(unit))
            .collect();
        let units = units.join(", ");
        InputError::new(format!("expected one of {units} and a number after 'go'"))
    })
}

impl FromStr for BotRequest {
    type Err = InputError;

    fn from_str(line: &str) -> Result<Self, InputError> {
        let actions = |text: &str| {
            let list: Result<ActionList, _> = text.parse();
            list.map(|list| list.0)
        };
        let mut words = LineWords(line);
        match words.next().unwrap_or_default() {
            "patchwork" => words
                .rest()
                .parse()
                .map(Self::Handshake)
                .map_err(|_| InputError::new("expected a version after 'patchwork'")),
            "setoption" => {
                let name = words.after("name")?.to_owned();
                let value = words.after("value")?;
                let value = format!("{value}{}", words.0).trim_end().to_owned();
                Ok(Self::SetOption { name, value })
            }
            "isready" => Ok(Self::IsReady),
            "newgame" => {
                let seat = match words.after("seat")? {
                    "first" => Player::First,
                    "second" => Player::Second,
                    other => {
                        let what = format!("expected the seat first or second, found '{other}'");
                        return Err(InputError::new(what));
                    }
                };
                let seed = words.after("seed")?;
                let rng = parse_seed(seed).ok_or_else(|| {
                    InputError::new(format!("expected a seed of 64 hex digits, found '{seed}'"))
                })?;
                let setup = words.setup()?;
                Ok(Self::NewGame { setup, seat, rng })
            }
            "position" => {
                let setup = words.setup()?;
                let actions = match words.next() {
                    None => Vec::new(),
                    Some("actions") => actions(words.rest())?,
                    Some(other) => {
                        let what = format!("expected the word 'actions', found '{other}'");
                        return Err(InputError::new(what));
                    }
                };
                Ok(Self::Position { setup, actions })
            }
            "go" => parse_go(&mut words).map(Self::Go),
            "legal" => actions(words.rest()).map(Self::Legal),
            "stop" => Ok(Self::Stop),
            "quit" => Ok(Self::Quit),
            other => Err(InputError::new(format!("unknown command '{other}'"))),
        }
    }
}

/// A reply from a bot to the arena.
#[derive(Clone, Debug, PartialEq)]
pub enum BotReply {
    /// Its name.
    Name(String),
    /// Its author.
    Author(String),
    /// An option that it has.
    Option(BotOption),
    /// The end of its introduction, with the version of the protocol that it speaks.
    HandshakeDone(u32),
    /// It is ready.
    Ready,
    /// Information about the current decision; later information adds to and replaces earlier information.
    Info(BotInfo),
    /// Asks for the legal actions of the position.
    Legal,
    /// Its decision, as arbitrary text.
    BestAction(String),
    /// Anything else.
    Unknown(String),
}

impl From<&str> for BotReply {
    fn from(line: &str) -> Self {
        let mut words = LineWords(line);
        let known = match words.next().unwrap_or_default() {
            "id" => match words.next() {
                Some("name") => Some(Self::Name(words.rest().to_owned())),
                Some("author") => Some(Self::Author(words.rest().to_owned())),
                _ => None,
            },
            "option" => words.rest().parse().ok().map(Self::Option),
            "patchworkok" => match words.next() {
                None => Some(Self::HandshakeDone(PROTOCOL_VERSION)),
                Some(version) => version.parse().ok().map(Self::HandshakeDone),
            },
            "readyok" => Some(Self::Ready),
            "info" => words.rest().parse().ok().map(Self::Info),
            "legal" => Some(Self::Legal),
            "bestaction" => Some(Self::BestAction(words.rest().to_owned())),
            _ => None,
        };
        known.unwrap_or_else(|| Self::Unknown(line.to_owned()))
    }
}

impl fmt::Display for BotReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {name}"),
            Self::Author(name) => write!(f, "id author {name}"),
            Self::Option(option) => write!(f, "option {option}"),
            Self::HandshakeDone(version) => write!(f, "patchworkok {version}"),
            Self::Ready => f.write_str("readyok"),
            Self::Info(info) => write!(f, "info{info}"),
            Self::Legal => f.write_str("legal"),
            Self::BestAction(action) => write!(f, "bestaction {action}"),
            Self::Unknown(line) => f.write_str(line),
        }
    }
}

/// Information about a decision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BotInfo {
    /// The action that the information is about, if it is about a considered action instead of the decision.
    pub action: Option<Action>,
    /// The chance to win, 0 to 1.
    pub value: Option<f32>,
    /// Iterations of the search.
    pub visits: Option<u32>,
    /// Whether the bot has proven that it wins or loses.
    pub proven: Option<bool>,
    /// Positions in the search tree.
    pub nodes: Option<u32>,
    /// The greatest depth of the search in plies.
    pub depth: Option<u16>,
    /// The mean depth of the search in plies.
    pub mean_depth: Option<f32>,
    /// The entropy of the visits of the actions, in bits.
    pub entropy: Option<f32>,
    /// The expected actions, the bot's own first.
    pub line: Vec<Action>,
    /// Free text.
    pub text: String,
}

impl BotInfo {
    /// Adds later information, which takes precedence.
    pub fn update(&mut self, later: Self) {
        self.value = later.value.or(self.value);
        self.visits = later.visits.or(self.visits);
        self.proven = later.proven.or(self.proven);
        self.nodes = later.nodes.or(self.nodes);
        self.depth = later.depth.or(self.depth);
        self.mean_depth = later.mean_depth.or(self.mean_depth);
        self.entropy = later.entropy.or(self.entropy);
        if !later.line.is_empty() {
            self.line = later.line;
        }
        if !later.text.is_empty() {
            self.text = later.text;
        }
    }

    /// The action that the information is about, with its value, if it is about an action.
    pub fn considered(&self) -> Option<ConsideredAction> {
        let visits = self.visits.unwrap_or(0);
        Some(ConsideredAction::new(self.action?, visits, self.value?))
    }

    /// The part of it that records contain.
    pub fn thought(&self) -> Thought {
        let has_tree = self.nodes.is_some() || self.depth.is_some();
        Thought {
            iterations: self.visits.unwrap_or(0),
            value: self.value,
            proven: self.proven,
            tree: has_tree.then(|| TreeFacts {
                nodes: self.nodes.unwrap_or(0),
                mean_depth: self
                    .mean_depth
                    .unwrap_or_else(|| self.depth.unwrap_or(0).into()),
                max_depth: self.depth.unwrap_or(0),
                entropy: self.entropy.unwrap_or(0.0),
            }),
        }
    }
}

impl From<Thought> for BotInfo {
    fn from(thought: Thought) -> Self {
        let tree = thought.tree;
        Self {
            value: thought.value,
            visits: (thought.iterations > 0).then_some(thought.iterations),
            proven: thought.proven,
            nodes: tree.map(|tree| tree.nodes),
            depth: tree.map(|tree| tree.max_depth),
            mean_depth: tree.map(|tree| tree.mean_depth),
            entropy: tree.map(|tree| tree.entropy),
            ..Self::default()
        }
    }
}

impl From<&ConsideredAction> for BotInfo {
    fn from(considered: &ConsideredAction) -> Self {
        Self {
            action: Some(considered.action),
            value: Some(considered.value),
            visits: Some(considered.visits),
            ..Self::default()
        }
    }
}

fn write_key(
    f: &mut fmt::Formatter<'_>,
    key: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {key} {value}"))
}

/// Each key with its value, preceded by a space.
impl fmt::Display for BotInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_key(f, "action", self.action)?;
        write_key(f, "value", self.value)?;
        write_key(f, "visits", self.visits)?;
        let proven = self.proven.map(|wins| if wins { "win" } else { "loss" });
        write_key(f, "proven", proven)?;
        write_key(f, "nodes", self.nodes)?;
        write_key(f, "depth", self.depth)?;
        write_key(f, "meandepth", self.mean_depth)?;
        write_key(f, "entropy", self.entropy)?;
        if !self.line.is_empty() {
            write!(f, " line {}", ActionList(self.line.clone()))?;
        }
        if !self.text.is_empty() {
            write!(f, " text {}", self.text)?;
        }
        Ok(())
    }
}

/// Parses the text after `info`. A value out of range makes the line unknown.
impl FromStr for BotInfo {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut info = Self::default();
        let mut words = LineWords(text);
        while let Some(key) = words.next() {
            match key {
                "line" => {
                    info.line = words.rest().parse::<ActionList>().map_err(drop)?.0;
                    return Ok(info);
                }
                "text" => {
                    info.text = words.rest().to_owned();
                    return Ok(info);
                }
                _ => {}
            }
            let value = words.next().ok_or(())?;
            let up_to = |most: f32| {
                let number: f32 = value.parse().map_err(drop)?;
                (0.0..=most).contains(&number).then_some(number).ok_or(())
            };
            match key {
                "action" => info.action = Some(value.parse().map_err(drop)?),
                "value" => info.value = Some(up_to(1.0)?),
                "visits" => info.visits = Some(value.parse().map_err(drop)?),
                "proven" if value == "win" => info.proven = Some(true),
                "proven" if value == "loss" => info.proven = Some(false),
                "nodes" => info.nodes = Some(value.parse().map_err(drop)?),
                "depth" => info.depth = Some(value.parse().map_err(drop)?),
                "meandepth" => info.mean_depth = Some(up_to(u16::MAX.into())?),
                "entropy" => info.entropy = Some(up_to(64.0)?),
                _ => return Err(()),
            }
        }
        Ok(info)
    }
}

#[cfg(test)]
mod tests;
