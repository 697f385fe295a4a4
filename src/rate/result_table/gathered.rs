//! The games of a file of any format, as they are read.

use std::borrow::Cow;
use std::collections::HashMap;

use patchwork_engine::util::counted::{counted, thousands};
use patchwork_rating::{GameScore, RatedGame};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Maximum number of games in a file.
pub const MOST_GAMES: usize = 10_000_000;
/// Maximum number of agents rated together: the time grows with the cube of their number.
pub const MOST_AGENTS: usize = 2000;
/// Maximum length of a name in bytes.
const LONGEST_NAME: usize = 500;

/// A game as stated by its file.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct Stated<'a> {
    #[serde(alias = "white", deserialize_with = "text")]
    pub(super) first: Cow<'a, str>,
    #[serde(alias = "black", deserialize_with = "text")]
    pub(super) second: Cow<'a, str>,
    /// A seat, a name, or a result.
    #[serde(alias = "result", deserialize_with = "text")]
    pub(super) winner: Cow<'a, str>,
    #[serde(default, deserialize_with = "text_if_any")]
    pub(super) pairing: Option<Cow<'a, str>>,
    #[serde(default, deserialize_with = "text_if_any")]
    pub(super) pair: Option<Cow<'a, str>>,
    #[serde(default, deserialize_with = "text_if_any")]
    pub(super) leg: Option<Cow<'a, str>>,
    /// The round of a game without a pair, which may turn out to be one.
    #[serde(skip)]
    pub(super) round: Option<String>,
}

/// A text or a number; other JSON values are errors.
fn text<'a, 'de, D: Deserializer<'de>>(from: D) -> Result<Cow<'a, str>, D::Error> {
    let text = text_if_any(from)?;
    text.ok_or_else(|| D::Error::custom("expected a text or a number"))
}

fn text_if_any<'a, 'de, D: Deserializer<'de>>(from: D) -> Result<Option<Cow<'a, str>>, D::Error> {
    match Value::deserialize(from)? {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.into())),
        Value::Number(number) => Ok(Some(number.to_string().into())),
        _ => Err(D::Error::custom("expected a text or a number")),
    }
}

/// The setup of a game: unknown, the pair of a pairing, or a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum StatedKey {
    /// The number of the pairing's name, and the pair.
    Pair(u32, u64),
    /// The number of the round's name.
    Round(u32),
    Unknown,
}

struct GatheredGame {
    line: u64,
    setup: StatedKey,
    leg: Option<u8>,
    seats: [u32; 2],
    score: GameScore,
}

/// The games read so far.
#[derive(Default)]
pub(super) struct Gathered {
    agents: Names,
    /// Pairings and rounds.
    groups: Names,
    games: Vec<GatheredGame>,
    pub(super) unfinished: u64,
}

/// Maps texts to numbers.
#[derive(Default)]
struct Names(HashMap<String, u32>);

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.0.get(name) {
            return *number;
        }
        let next = self.0.len() as u32;
        self.0.insert(name.to_owned(), next);
        next
    }

    /// The names in order, and the new index of each number.
    fn sorted(self) -> (Vec<String>, Vec<usize>) {
        let mut names: Vec<(String, u32)> = self.0.into_iter().collect();
        names.sort();
        let mut places = vec![0; names.len()];
        for (place, (_, number)) in names.iter().enumerate() {
            places[*number as usize] = place;
        }
        (names.into_iter().map(|(name, _)| name).collect(), places)
    }
}

impl Gathered {
    /// Adds a game that starts on this line, or says which field is wrong, by its name in tables and JSON, and how.
    pub(super) fn add(
        &mut self,
        line: u64,
        game: &Stated<'_>,
    ) -> Result<(), (&'static str, String)> {
        let fault = |field, what| Err((field, what));
        let seats = [("first", &*game.first), ("second", &*game.second)];
        for (field, name) in seats {
            if name.trim().is_empty() {
                return fault(field, "empty; expected an agent".to_owned());
            }
            if name.len() > LONGEST_NAME {
                let what = format!("a name longer than {LONGEST_NAME} bytes, the limit");
                return fault(field, what);
            }
        }
        if game.first == game.second {
            let what = format!("'{}' plays against itself", game.second);
            return fault("second", what);
        }
        let (setup, leg) = self.setup(game)?;
        let score = match outcome(game) {
            Ok(Some(score)) => score,
            Ok(None) => {
                self.unfinished += 1;
                return Ok(());
            }
            Err(what) => return fault("winner", what),
        };
        let numbers = [&game.first, &game.second].map(|name| self.agents.number(name));
        if self.agents.0.len() > MOST_AGENTS {
            let what = format!("more than {MOST_AGENTS} agents, the limit");
            return fault("second", what);
        }
        if self.games.len() >= MOST_GAMES {
            let what = format!(
                "more than {} games, the limit for a file",
                thousands(MOST_GAMES as u64)
            );
            return fault("first", what);
        }
        self.games.push(GatheredGame {
            line,
            setup,
            leg,
            seats: numbers,
            score,
        });
        Ok(())
    }

    fn setup(
        &mut self,
        game: &Stated<'_>,
    ) -> Result<(StatedKey, Option<u8>), (&'static str, String)> {
        let fault = |field, what| Err((field, what));
        let Some(pair) = &game.pair else {
            let round = game.round.as_ref();
            let round = round.map(|round| StatedKey::Round(self.groups.number(round)));
            return Ok((round.unwrap_or(StatedKey::Unknown), None));
        };
        let Ok(number) = pair.parse() else {
            let what = format!("'{pair}' is not a pair; expected a whole number");
            return fault("pair", what);
        };
        let leg = match game.leg.as_deref() {
            None => None,
            Some("0") => Some(0),
            Some("1") => Some(1),
            Some(leg) => {
                let what = format!("'{leg}' is not a leg; expected 0 or 1");
                return fault("leg", what);
            }
        };
        let pairing = game.pairing.as_deref().unwrap_or_default();
        Ok((StatedKey::Pair(self.groups.number(pairing), number), leg))
    }

    /// The agents by name, and all games by setup.
    pub(super) fn sorted(self) -> Result<(Vec<String>, Vec<RatedGame>), String> {
        if self.games.is_empty() {
            return Err(match self.unfinished {
                0 => "holds no games".to_owned(),
                one => format!(
                    "holds no finished games: {} unfinished",
                    counted(one, "game")
                ),
            });
        }
        let (agents, places) = self.agents.sorted();
        let (groups, order) = self.groups.sorted();
        let mut games = self.games;
        for game in &mut games {
            game.seats = game.seats.map(|agent| places[agent as usize] as u32);
            match &mut game.setup {
                StatedKey::Pair(group, _) | StatedKey::Round(group) => {
                    *group = order[*group as usize] as u32;
                }
                StatedKey::Unknown => {}
            }
        }
        games.sort_by_key(|game| (game.setup, game.leg, game.line));
        let mut rated = Vec::with_capacity(games.len());
        let mut next = 0;
        let alike = |a: &GatheredGame, b: &GatheredGame| a.setup == b.setup;
        for shared in games.chunk_by(alike) {
            if let StatedKey::Pair(pairing, pair) = shared[0].setup {
                let pairing = &groups[pairing as usize];
                check_pair(shared, &agents, pairing, pair)?;
            }
            let together = is_pair(shared);
            for game in shared {
                let [first, second] = game.seats.map(|agent| agent as usize);
                rated.push(RatedGame {
                    cluster: next,
                    first,
                    second,
                    score: game.score,
                });
                next += u64::from(!together);
            }
            next += u64::from(together);
        }
        Ok((agents, rated))
    }
}

/// Whether games with the same key share a setup.
fn is_pair(games: &[GatheredGame]) -> bool {
    match (games[0].setup, games) {
        (StatedKey::Pair(..), _) => true,
        // Rounds with more games, or with the same seats, are not pairs.
        (StatedKey::Round(_), [one, other]) => {
            let [first, second] = other.seats;
            one.seats == [second, first]
        }
        _ => false,
    }
}

/// Checks that no leg of a pair occurs twice and that all have the same agents.
fn check_pair(
    games: &[GatheredGame],
    agents: &[String],
    pairing: &str,
    pair: u64,
) -> Result<(), String> {
    let name = match pairing {
        "" => format!("pair {pair}"),
        pairing => format!("pair {pair} of pairing '{pairing}'"),
    };
    for two in games.windows(2) {
        let [before, game] = two else { continue };
        if let (Some(leg), true) = (game.leg, game.leg == before.leg) {
            let (line, at) = (before.line, game.line);
            return Err(format!(
                "line {at}: leg {leg} of {name} is on line {line} already"
            ));
        }
    }
    let by_line = |game: &&GatheredGame| game.line;
    let Some(first) = games.iter().min_by_key(by_line) else {
        return Ok(());
    };
    let [a, b] = first.seats;
    let other = games
        .iter()
        .filter(|game| ![[a, b], [b, a]].contains(&game.seats));
    if let Some(other) = other.min_by_key(by_line) {
        let (at, line) = (other.line, first.line);
        let [a, b] = [a, b].map(|agent| &agents[agent as usize]);
        return Err(format!(
            "line {at}: {name} was played by {a} and {b} on line {line}"
        ));
    }
    Ok(())
}

/// The result for the agent in the first seat; `None` if the game is unfinished.
fn outcome(game: &Stated<'_>) -> Result<Option<GameScore>, String> {
    use GameScore::{Draw, Loss, Win};
    let [first, second, winner] = [&*game.first, &*game.second, &*game.winner];
    let by_word = match winner {
        "first" | "white" | "1-0" => Some(Some(Win)),
        "second" | "black" | "0-1" => Some(Some(Loss)),
        "draw" | "1/2-1/2" => Some(Some(Draw)),
        "*" => Some(None),
        _ => None,
    };
    let by_name = if winner == first {
        Some(Some(Win))
    } else {
        (winner == second).then_some(Some(Loss))
    };
    match (by_word, by_name) {
        (Some(word), Some(name)) if word != name => Err(match word {
            Some(Win | Loss) => {
                format!("'{winner}' is a seat and the name of the agent in the other seat")
            }
            _ => format!("'{winner}' is a result and the name of an agent"),
        }),
        (Some(score), _) | (None, Some(score)) => Ok(score),
        (None, None) => Err(format!(
            "'{winner}' did not play; expected first, second, draw, {first} or {second}"
        )),
    }
}
