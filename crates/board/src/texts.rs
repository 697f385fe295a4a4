//! Games as texts that people paste, link to and keep.

use patchwork_engine::game::{Player, Rules, Setup};
use patchwork_engine::record::pgn::{self, GameText as PgnText, Move};

use crate::messages::{GameText, ReadGame, TextView, WritePgn};

/// In links, stands between words, which are separated by spaces elsewhere.
const WORD: char = '_';
/// In links, stands between the parts of a position.
const PART: char = '~';
/// In links, stands between the start and the actions.
const ACTIONS: &str = "..";

/// The header of games that start from a given position.
const POSITION: &str = "Position";

pub(crate) fn link(game: &GameText) -> Result<TextView, String> {
    game.reached()?;
    let mut text = game.start.trim().to_owned();
    if !game.actions.is_empty() {
        text = format!("{text} {ACTIONS} {}", game.actions.join(" "));
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words
        .join(&WORD.to_string())
        .replace('/', &PART.to_string());
    Ok(TextView { text })
}

pub(crate) fn read(text: &str) -> Result<ReadGame, String> {
    let text = text.trim().trim_start_matches('\u{feff}').trim_start();
    if text.is_empty() {
        return Err("there is no text".to_owned());
    }
    if text.starts_with('[') {
        return read_pgn(text);
    }
    // A whole address is given for its part after '#'.
    let text = text.rsplit('#').next().unwrap_or(text);
    let text = text.strip_prefix("game=").unwrap_or(text);
    let text = text.replace(WORD, " ").replace(PART, "/");
    read_notation(&text)
}

/// A setup or position, and actions after it.
fn read_notation(text: &str) -> Result<ReadGame, String> {
    let (start, actions) = match text.split_once(ACTIONS) {
        Some((start, actions)) => (start.trim().to_owned(), actions.to_owned()),
        None => split_setup(text),
    };
    let game = GameText {
        start,
        actions: actions.split_whitespace().map(str::to_owned).collect(),
    };
    game.reached()?;
    Ok(ReadGame {
        game,
        names: [None, None],
        games: 1,
    })
}

/// The setup at the beginning of a text (a track, which may be missing, and numbers), and what follows.
fn split_setup(text: &str) -> (String, String) {
    if text.contains('/') {
        return (text.trim().to_owned(), String::new());
    }
    let is_action = |word: &&str| *word == "A" || word.contains(':');
    let words: Vec<&str> = text
        .split([' ', ',', '\n', '\r', '\t', ';'])
        .filter(|word| !word.is_empty())
        .collect();
    let end = words.iter().position(is_action).unwrap_or(words.len());
    let (start, actions) = words.split_at(end);
    (start.join(" "), actions.join(" "))
}

fn read_pgn(text: &str) -> Result<ReadGame, String> {
    let mut games = pgn::read(text.as_bytes());
    let first = games.next().ok_or("there is no game")?;
    let (line, game) = first.map_err(|error| error.to_string())?;
    // The other games are counted up to the first that is broken.
    let others = games.take_while(Result::is_ok).count();
    let required = |name: &str| {
        let missing =
            || format!("line {line}: the header {name} is missing in the game that begins here");
        game.header(name).ok_or_else(missing)
    };
    let start = match game.header(POSITION) {
        Some(position) => position.to_owned(),
        None => {
            let rules: Rules = required("Track")?
                .parse()
                .map_err(|error| format!("line {line}: {error}"))?;
            let ring = required("Ring")?
                .parse()
                .map_err(|error| format!("line {line}: {error}"))?;
            Setup::new(rules, ring).to_string()
        }
    };
    let read = GameText {
        start,
        actions: game.moves.iter().map(|one| one.action.clone()).collect(),
    };
    let reached = read
        .reached()
        .map_err(|error| format!("the game of line {line}: {error}"))?;
    if let (Some(stated), Some(outcome)) = (game.winner, reached.state.outcome())
        && stated != outcome.winner
    {
        return Err(format!(
            "the game of line {line}: Result says that the {stated} player won, but the {} player did",
            outcome.winner
        ));
    }
    Ok(ReadGame {
        names: ["First", "Second"].map(|name| game.header(name).map(str::to_owned)),
        game: read,
        games: 1 + others as u32,
    })
}

/// A game as PGN.
pub fn pgn(ask: &WritePgn) -> Result<TextView, String> {
    let (reached, states) = ask.game.replayed()?;
    let setup = &reached.setup;
    let moves = reached.actions.iter().zip(states).enumerate();
    let moves = moves.map(|(ply, (action, state))| Move {
        player: Some(state.mover()),
        action: action.to_string(),
        comment: ask.comments.get(ply).cloned().flatten(),
    });
    let outcome = reached.state.outcome();
    let name = |player: Player| ask.names[player.index()].clone();
    let mut headers = vec![
        ("First".to_owned(), name(Player::First)),
        ("Second".to_owned(), name(Player::Second)),
        ("Track".to_owned(), setup.rules().to_string()),
        ("Ring".to_owned(), setup.ring().to_string()),
    ];
    if ask.game.start.contains('/') {
        headers.push((POSITION.to_owned(), ask.game.start.clone()));
    }
    if let Some(outcome) = outcome {
        let [first, second] = outcome.scores;
        headers.push(("Score".to_owned(), format!("{first} {second}")));
        let bonus = outcome
            .bonus
            .map_or("-".to_owned(), |player| player.to_string());
        headers.push(("Bonus".to_owned(), bonus));
    }
    let game = PgnText {
        headers,
        moves: moves.collect(),
        winner: outcome.map(|outcome| outcome.winner),
    };
    Ok(TextView {
        text: game.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_engine::game::State;
    use patchwork_engine::game::Track;
    use patchwork_engine::util::rng::stream;

    /// A game to its end, or its first plies.
    fn game(seed: u64, plies: usize) -> GameText {
        let mut rng = stream(&[seed, 4]);
        let setup = Setup::random(Track::ALL[seed as usize % 2], &mut rng);
        let (mut state, mut actions) = (State::new(&setup), Vec::new());
        while !state.is_over() && actions.len() < plies {
            let action = state.random_action(&setup, &mut rng);
            actions.push(action.to_string());
            state.play_unchecked(&setup, action);
        }
        GameText {
            start: setup.to_string(),
            actions,
        }
    }

    fn position(game: &GameText) -> GameText {
        GameText {
            start: game.reached().expect("a game").to_string(),
            actions: Vec::new(),
        }
    }

    #[test]
    fn links_and_pgn_lead_back() {
        for seed in 0..20 {
            let whole = game(seed, usize::MAX);
            let half = game(seed, 17);
            let from_half = GameText {
                actions: whole.actions[17..].to_vec(),
                ..position(&half)
            };
            for game in [whole, position(&half), half, from_half] {
                let link = link(&game).expect("a game").text;
                let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:~".contains(c);
                assert!(link.chars().all(is_plain), "{link}");
                assert_eq!(read(&link).expect("a link").game, game);
                let address = format!("https://example.org/board/#game={link}");
                assert_eq!(read(&address).expect("an address").game, game);
                let spaced = format!("{}  {}", game.start, game.actions.join("\n"));
                if !game.start.contains('/') {
                    assert_eq!(read(&spaced).expect("notation").game, game);
                }
                let ask = WritePgn {
                    game: game.clone(),
                    names: ["Ada \"A\"".to_owned(), "Bob".to_owned()],
                    comments: vec![Some("a {good} move".to_owned())],
                };
                let text = pgn(&ask).expect("a game").text;
                let again = read(&format!("{text}\n{text}")).expect("a game");
                assert_eq!((again.game, again.games), (game, 2));
                assert_eq!(again.names[0].as_deref(), Some("Ada \"A\""));
            }
        }
    }

    #[test]
    fn broken_texts_are_refused_with_a_sentence() {
        let good = game(1, 5);
        let text = pgn(&WritePgn {
            game: good.clone(),
            names: ["a".to_owned(), "b".to_owned()],
            comments: Vec::new(),
        });
        let text = text.expect("a game").text;
        let first = &good.actions[0];
        for (broken, sentence) in [
            (String::new(), "there is no text"),
            (
                "hello".to_owned(),
                "'hello' is not a track; expected original or revised, or with a komi as in original+2",
            ),
            (
                text.replacen("[Track", "[Trakc", 1),
                "line 1: the header Track is missing in the game that begins here",
            ),
            (
                text.replace('*', ""),
                "line 5: the header Result is \"\"; expected \"1-0\", \"0-1\" or \"*\"",
            ),
            (
                text.replacen(first, "S:a1", 1),
                "the game of line 1: ply 1, S:a1: no special patch waits to be placed",
            ),
            (
                format!("{} S:a1", good.start),
                "ply 1, S:a1: no special patch waits to be placed",
            ),
            (
                format!("{} 2:a1", good.start),
                "ply 1: the squares a1 do not form patch 2 (XX/X.)",
            ),
        ] {
            let refused = read(&broken).expect_err(&broken);
            if sentence.contains("do not form") {
                assert!(
                    refused.starts_with("ply 1: the squares a1 do not form patch 2"),
                    "{refused}"
                );
            } else {
                assert_eq!(refused, sentence);
            }
        }
    }
}
