//! The games of a file of any format, as they are read.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::fmt;

use patchwork_engine::util::{counted, thousands};
use patchwork_rating::{GameScore, RatedGame};
use unicode_normalization::UnicodeNormalization as _;

use crate::table::ResultTable;

/// Maximum number of games in a file.
const MAX_GAMES: usize = 10_000_000;
/// Maximum number of agents rated together: the time grows with the cube of their number.
pub const MAX_AGENTS: usize = 2000;
/// Maximum length of a name in bytes.
const LONGEST_NAME: usize = 500;
/// Number of games that are left out, or lines, of which a note tells.
const MAX_TOLD: usize = 5;

/// What a file may state of a game: the names of columns, keys and tags, which may be in any case; the first one is
/// used in messages.
pub(super) const FIELDS: [&[&str]; 9] = [
    &["first", "white"],
    &["second", "black"],
    // A seat, a name, or a result.
    &["winner", "result"],
    &["pairing"],
    &["pair"],
    &["leg"],
    &["event"],
    &["round"],
    &["fen"],
];
pub(super) const FIRST: usize = 0;
pub(super) const SECOND: usize = 1;
pub(super) const WINNER: usize = 2;
const PAIRING: usize = 3;
const PAIR: usize = 4;
const LEG: usize = 5;
const EVENT: usize = 6;
const ROUND: usize = 7;
const FEN: usize = 8;

/// The first field that a game must have and that is not among these.
pub(super) fn missing<T>(fields: &[Option<T>; FIELDS.len()]) -> Option<usize> {
    let mut needed = [FIRST, SECOND, WINNER].into_iter();
    needed.find(|&field| fields[field].is_none())
}

/// The field with this name.
pub(super) fn field(name: &str) -> Option<usize> {
    let is_one = |known: &&str| known.eq_ignore_ascii_case(name);
    FIELDS.iter().position(|names| names.iter().any(is_one))
}

/// A game as stated by its file, by field.
pub(super) type Stated<'a> = [Option<Cow<'a, str>>; FIELDS.len()];

/// The values of a game without differences that nobody sees; what its file does not state is empty.
type Plain<'a> = [Cow<'a, str>; FIELDS.len()];

/// A name or a value without the differences that nobody sees: spaces around it, letters that are composed of several
/// characters, and characters without width.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let is_seen = |c: &char| !matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}');
    let seen: String = text.nfc().filter(is_seen).collect();
    Cow::Owned(seen.trim().to_owned())
}

/// A number of lines and the first of them.
#[derive(Default)]
pub(super) struct Lines {
    count: u64,
    first: Vec<u64>,
}

impl Lines {
    pub(super) fn add(&mut self, line: u64) {
        self.count += 1;
        if self.first.len() < MAX_TOLD {
            self.first.push(line);
        }
    }
}

impl fmt::Display for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first: Vec<String> = self.first.iter().map(u64::to_string).collect();
        write!(f, "line{} ", if self.count == 1 { "" } else { "s" })?;
        match (self.count - first.len() as u64, first.split_last()) {
            (0, Some((last, others))) if !others.is_empty() => {
                write!(f, "{} and {last}", others.join(", "))
            }
            (0, _) => write!(f, "{}", first.concat()),
            (more, _) => write!(f, "{} and {} more", first.join(", "), thousands(more)),
        }
    }
}

/// What a file states of the setup of a game: the pair of a pairing, or a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum StatedKey {
    /// The number of the pairing's name, and the pair.
    Pair(u32, u64),
    /// The numbers of the round's name and of a wider group of games, in which a game may find its pair.
    Round([Option<u32>; 2]),
}

struct ParsedGame {
    line: u64,
    setup: StatedKey,
    leg: Option<u8>,
    seats: [u32; 2],
    score: GameScore,
    /// Whether its moves, if there are any, end with a result.
    ended: bool,
}

/// The games read so far.
#[derive(Default)]
pub(super) struct ParsedGames {
    agents: Names,
    /// Pairings and rounds.
    groups: Names,
    games: Vec<ParsedGame>,
    /// Games that were not played to their end.
    unfinished: Lines,
    /// The number of games that could not be read, and what is wrong with the first of them.
    left_out: u64,
    faults: Vec<(u64, String)>,
    /// Whether the moves of any game end with a result.
    pub(super) moves_end: bool,
    /// Games whose moves do not end with the result that is stated.
    pub(super) disagreeing: Lines,
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

impl ParsedGames {
    /// Leaves out the game that begins on a line, for what is wrong with it.
    pub(super) fn leave_out(&mut self, line: u64, what: &str) {
        self.add_fault(line, format!("line {line}: {what}"));
    }

    /// Leaves out the game that begins on a line, with a sentence that names the line.
    pub(super) fn add_fault(&mut self, line: u64, sentence: String) {
        self.left_out += 1;
        if self.faults.len() < MAX_TOLD {
            self.faults.push((line, sentence));
        }
    }

    /// Leaves out the game that begins on a line and at which the file breaks off.
    pub(super) fn break_off(&mut self, line: u64) {
        let sentence = format!("the last game, from line {line} on, is incomplete");
        self.add_fault(line, sentence);
    }

    /// Adds a game that starts on this line; `ended` says whether its moves, if there are any, have an end. A game with
    /// a fault is left out; `place` names a field in messages. Fails at a limit.
    pub(super) fn add(
        &mut self,
        line: u64,
        game: &Stated<'_>,
        ended: bool,
        place: impl Fn(usize) -> String,
    ) -> Result<(), String> {
        let at = |field, what| format!("line {line}, {}: {what}", place(field));
        match self.parse(line, game, ended) {
            Ok(parsed) => self.games.extend(parsed),
            Err((field, what)) => self.add_fault(line, at(field, what)),
        }
        if self.agents.0.len() > MAX_AGENTS {
            let what = format!("more than {MAX_AGENTS} agents, the limit");
            return Err(at(SECOND, what));
        }
        if self.games.len() > MAX_GAMES {
            let most = thousands(MAX_GAMES as u64);
            let what = format!("more than {most} games, the limit for a file");
            return Err(at(FIRST, what));
        }
        Ok(())
    }

    /// The game in numbers; `None` if it is unfinished, which is counted. The error is the field that is wrong, and how.
    fn parse(
        &mut self,
        line: u64,
        game: &Stated<'_>,
        ended: bool,
    ) -> Result<Option<ParsedGame>, (usize, String)> {
        let game = game
            .each_ref()
            .map(|text| plain(text.as_deref().unwrap_or_default()));
        let [first, second, winner, ..] = &game;
        let score = outcome([first, second], winner);
        if score == Ok(None) {
            self.unfinished.add(line);
            return Ok(None);
        }
        for (field, name) in [(FIRST, first), (SECOND, second)] {
            if name.is_empty() {
                return Err((field, "empty; expected an agent".to_owned()));
            }
            if name.len() > LONGEST_NAME {
                let what = format!("a name longer than {LONGEST_NAME} bytes, the limit");
                return Err((field, what));
            }
        }
        if first == second {
            return Err((SECOND, format!("'{second}' plays against itself")));
        }
        let (setup, leg) = self.setup(&game)?;
        let Some(score) = score.map_err(|what| (WINNER, what))? else {
            return Ok(None);
        };
        Ok(Some(ParsedGame {
            line,
            setup,
            leg,
            seats: [first, second].map(|name| self.agents.number(name)),
            score,
            ended,
        }))
    }

    fn setup(&mut self, game: &Plain<'_>) -> Result<(StatedKey, Option<u8>), (usize, String)> {
        let pair = &game[PAIR];
        if pair.is_empty() {
            return Ok((self.round(game), None));
        }
        let Ok(number) = pair.parse() else {
            let what = format!("'{pair}' is not a pair; expected a whole number");
            return Err((PAIR, what));
        };
        let leg = match &*game[LEG] {
            "" => None,
            "0" => Some(0),
            "1" => Some(1),
            leg => {
                let what = format!("'{leg}' is not a leg; expected 0 or 1");
                return Err((LEG, what));
            }
        };
        let pairing = self.groups.number(&game[PAIRING]);
        Ok((StatedKey::Pair(pairing, number), leg))
    }

    /// The groups of games in which one without a pair may find it: those of the same agents with the same event, round
    /// and start; then those with the same event and start, whatever the round, or without a start, those whose rounds
    /// are numbered 3.1 and 3.2.
    fn round(&mut self, game: &Plain<'_>) -> StatedKey {
        let is_known = |text: &str| !["", "?", "-"].contains(&text);
        let [event, round, start] = [EVENT, ROUND, FEN].map(|field| &*game[field]);
        // The order of the two agents does not matter.
        let (one, other) = (&game[FIRST], &game[SECOND]);
        let (one, other) = (one.min(other), one.max(other));
        let mut group = |round: &str| {
            let name = [event, round, start, one, other].join("\n");
            self.groups.number(&name)
        };
        let same = is_known(round).then(|| group(round));
        let wider = match round.rsplit_once('.') {
            _ if is_known(start) => Some(group("any")),
            Some((round, _)) => Some(group(&format!("{round}.any"))),
            None => None,
        };
        StatedKey::Round([same, wider])
    }

    /// What was found: the agents by name, and all games by setup.
    pub(super) fn into_table(mut self) -> Result<ResultTable, String> {
        // In a file whose moves end with results, those of a game that was cut off do not.
        if self.moves_end {
            let cut = self.games.extract_if(.., |game| !game.ended);
            for line in cut.map(|game| game.line).collect::<Vec<_>>() {
                self.leave_out(line, "the moves of the game that begins here have no end");
            }
            self.faults.sort();
        }
        if self.games.is_empty() {
            return Err(match (self.faults.first(), self.unfinished.count) {
                (Some((_, what)), _) => what.clone(),
                (None, 0) => "holds no games".to_owned(),
                (None, count) => format!(
                    "holds no finished games: {} unfinished",
                    counted(count, "game")
                ),
            });
        }
        let notes = self.notes();
        let (agents, places) = self.agents.sorted();
        let (groups, order) = self.groups.sorted();
        let new = |group: u32| order[group as usize] as u32;
        for game in &mut self.games {
            game.seats = game.seats.map(|agent| places[agent as usize] as u32);
            game.setup = match game.setup {
                StatedKey::Pair(group, pair) => StatedKey::Pair(new(group), pair),
                StatedKey::Round(both) => StatedKey::Round(both.map(|group| group.map(new))),
            };
        }
        let games = in_clusters(self.games, &agents, &groups)?;
        Ok(ResultTable {
            agents,
            games,
            unfinished: self.unfinished.count,
            left_out: self.left_out,
            notes,
            ..ResultTable::default()
        })
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.left_out > 0 {
            let told: Vec<&str> = self.faults.iter().map(|(_, what)| &**what).collect();
            let more = match self.left_out - told.len() as u64 {
                0 => String::new(),
                more => format!("; and {} more", thousands(more)),
            };
            let count = counted(self.left_out, "game");
            notes.push(format!("{count} left out: {}{more}.", told.join("; ")));
        }
        if self.unfinished.count > 0 {
            let count = counted(self.unfinished.count, "unfinished game");
            notes.push(format!("{count} left out: {}.", self.unfinished));
        }
        if self.disagreeing.count > 0 {
            notes.push(format!(
                "In {}, the tag Result and the end of the moves differ; the tag counts: {}.",
                counted(self.disagreeing.count, "game"),
                self.disagreeing
            ));
        }
        notes
    }
}

/// The games in the order of their setups, pairs in clusters of their own.
fn in_clusters(
    mut games: Vec<ParsedGame>,
    agents: &[String],
    groups: &[String],
) -> Result<Vec<RatedGame>, String> {
    games.sort_by_key(|game| (game.setup, game.leg, game.line));
    let mut clusters: Vec<Option<u64>> = Vec::with_capacity(games.len());
    let mut next = 0;
    for shared in games.chunk_by(|a, b| a.setup == b.setup) {
        let cluster = match shared[0].setup {
            StatedKey::Pair(pairing, pair) => {
                check_pair(shared, agents, &groups[pairing as usize], pair)?;
                next += 1;
                Some(next - 1)
            }
            StatedKey::Round(_) => None,
        };
        clusters.extend(shared.iter().map(|_| cluster));
    }
    let mut by_line: Vec<usize> = (0..games.len())
        .filter(|&i| clusters[i].is_none())
        .collect();
    by_line.sort_by_key(|&i| games[i].line);
    for width in 0..2 {
        // For each group and each order of the agents, the games that have no pair yet.
        let mut waiting: HashMap<(u32, [u32; 2]), VecDeque<usize>> = HashMap::new();
        for &game in &by_line {
            let StatedKey::Round(groups) = games[game].setup else {
                continue;
            };
            let (Some(group), None) = (groups[width], clusters[game]) else {
                continue;
            };
            let [first, second] = games[game].seats;
            let other = waiting.get_mut(&(group, [second, first]));
            if let Some(other) = other.and_then(VecDeque::pop_front) {
                clusters[other] = Some(next);
                clusters[game] = Some(next);
                next += 1;
            } else {
                let alike = waiting.entry((group, [first, second]));
                alike.or_default().push_back(game);
            }
        }
    }
    let mut rated: Vec<RatedGame> = games
        .iter()
        .zip(clusters)
        .map(|(game, cluster)| {
            let [first, second] = game.seats.map(|agent| agent as usize);
            let cluster = cluster.unwrap_or_else(|| {
                next += 1;
                next - 1
            });
            RatedGame {
                cluster,
                first,
                second,
                score: game.score,
            }
        })
        .collect();
    // Games of a pair stand together.
    rated.sort_by_key(|game| game.cluster);
    Ok(rated)
}

/// Checks that no leg of a pair occurs twice and that all have the same agents.
fn check_pair(
    games: &[ParsedGame],
    agents: &[String],
    pairing: &str,
    pair: u64,
) -> Result<(), String> {
    let name = match pairing {
        "" => format!("pair {pair}"),
        pairing => format!("pair {pair} of pairing '{pairing}'"),
    };
    for (before, game) in games.iter().zip(&games[1..]) {
        if let (Some(leg), true) = (game.leg, game.leg == before.leg) {
            let (line, at) = (before.line, game.line);
            return Err(format!(
                "line {at}: leg {leg} of {name} is on line {line} already"
            ));
        }
    }
    let by_line = |game: &&ParsedGame| game.line;
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

/// The result that a word stands for, for the agent in the first seat: `None` within for an unfinished game.
pub(super) fn result(word: &str) -> Option<Option<GameScore>> {
    match word {
        "first" | "white" | "1-0" => Some(Some(GameScore::Win)),
        "second" | "black" | "0-1" => Some(Some(GameScore::Loss)),
        "draw" | "1/2-1/2" => Some(Some(GameScore::Draw)),
        "*" | "?" => Some(None),
        _ => {
            // As people write it: in capitals, with spaces, dashes or the sign for a half.
            let letters = word.chars().filter(|letter| !letter.is_whitespace());
            let usual = letters.collect::<String>().to_lowercase();
            let usual = usual.replace(
                ['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2212}'],
                "-",
            );
            let usual = usual.replace('\u{bd}', "1/2");
            (usual != word).then(|| result(&usual))?
        }
    }
}

/// The result for the agent in the first seat; `None` if the game is unfinished.
fn outcome([first, second]: [&str; 2], winner: &str) -> Result<Option<GameScore>, String> {
    use GameScore::{Draw, Loss, Win};
    let by_word = result(winner);
    let by_name = if winner == first {
        Some(Some(Win))
    } else {
        (winner == second).then_some(Some(Loss))
    };
    match (by_word, by_name) {
        // A name in the letters in which it was written means the agent.
        (Some(word), Some(name)) if word != name && winner == winner.to_lowercase() => {
            Err(match word {
                Some(Win | Loss) => {
                    format!("'{winner}' is a seat and the name of the agent in the other seat")
                }
                None | Some(Draw) => format!("'{winner}' is a result and the name of an agent"),
            })
        }
        (_, Some(score)) | (Some(score), None) => Ok(score),
        (None, None) => {
            let found = match winner {
                "" => "empty".to_owned(),
                "0-0" => "'0-0' is a loss of both, which has no place in ratings".to_owned(),
                winner => format!("'{winner}' did not play"),
            };
            Err(format!(
                "{found}; expected first, second, draw, {first} or {second}"
            ))
        }
    }
}
