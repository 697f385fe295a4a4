//! Games as they are sent, and positions as they are drawn.

use patchwork_engine::board::{SIDE, ShapeId, Square};
use patchwork_engine::game::{Action, PatchId, Placement, Player, Position, Ring, Setup, State};
use patchwork_engine::record::picture::Picture;
use patchwork_engine::util::rng::stream;

use crate::messages::{
    GameText, LegalView, NewGame, OrientationView, OutcomeView, PatchView, PlaceableView,
    PositionView,
};

pub(crate) fn new_game(ask: &NewGame) -> Result<GameText, String> {
    let setup = match &ask.ring {
        Some(ring) => Setup::new(
            ask.track,
            Ring::new(ring).map_err(|error| error.to_string())?,
        ),
        None => Setup::random(ask.track, &mut stream(&[ask.seed, ask.number.into()])),
    };
    Ok(GameText {
        start: setup.to_string(),
        actions: Vec::new(),
    })
}

impl GameText {
    /// The last position.
    pub fn reached(&self) -> Result<Position, String> {
        self.replayed().map(|(reached, _)| reached)
    }

    /// The last position, and the state before each action.
    pub(crate) fn replayed(&self) -> Result<(Position, Vec<State>), String> {
        let mut position: Position = self.start.parse().map_err(|error| format!("{error}"))?;
        let mut states = Vec::with_capacity(self.actions.len());
        for (text, ply) in self.actions.iter().zip(1..) {
            let action = text
                .parse()
                .map_err(|error| format!("ply {ply}: {error}"))?;
            states.push(position.state);
            position.play(action).map_err(|error| error.to_string())?;
        }
        Ok((position, states))
    }

    /// The last position, in which somebody must be to move.
    pub(crate) fn reached_to_move(&self) -> Result<Position, String> {
        let reached = self.reached()?;
        if reached.state.is_over() {
            return Err("the game is over".to_owned());
        }
        Ok(reached)
    }
}

pub(crate) const fn seat(player: Player) -> u8 {
    player.index() as u8
}

/// The player to move; `None` when the game is over.
pub(crate) fn mover(state: &State) -> Option<u8> {
    (!state.is_over()).then(|| seat(state.mover()))
}

pub(crate) fn patches() -> Vec<PatchView> {
    PatchId::all().map(patch_view).collect()
}

fn patch_view(patch: PatchId) -> PatchView {
    let printed = patch.patch();
    let shape = printed.shape();
    let orientations = shape.orientations().iter().zip(0..);
    PatchView {
        patch: patch.number(),
        buttons: printed.button_cost,
        time: printed.time_cost,
        income: printed.income,
        orientations: orientations
            .map(|(orientation, index)| {
                let (columns, rows) = orientation.size();
                let cells = orientation.cells();
                OrientationView {
                    cells: cells.map(|(c, r)| [c as u8, r as u8]).collect(),
                    columns: columns as u8,
                    rows: rows as u8,
                    turned: shape.turned(index),
                    flipped: shape.flipped(index),
                }
            })
            .collect(),
    }
}

pub(crate) fn view(game: &GameText) -> Result<PositionView, String> {
    let position = game.reached()?;
    let outcome = position.state.outcome();
    Ok(PositionView {
        picture: Picture::new(&position),
        outcome: outcome.map(|outcome| OutcomeView {
            winner: seat(outcome.winner),
            scores: outcome.scores,
            by_arrival: outcome.scores[0] == outcome.scores[1],
        }),
        legal: legal(&position.setup, &position.state),
    })
}

/// The corner of the bounding box of a placement, 0 to 80.
pub(crate) fn corner(shape: ShapeId, placement: Placement) -> u8 {
    let orientation = &shape.shape().orientations()[usize::from(placement.orientation())];
    let anchor = placement.anchor();
    Square::at(anchor.column() - orientation.lead(), anchor.row()).index() as u8
}

const _: () = assert!(SIDE == 9, "corners are square numbers of a 9x9 quilt");

fn legal(setup: &Setup, state: &State) -> LegalView {
    let mut legal = LegalView {
        advance: false,
        patches: Vec::new(),
        specials: Vec::new(),
    };
    if state.is_over() {
        return legal;
    }
    state.for_each_action(setup, |action| match action {
        Action::Advance => legal.advance = true,
        Action::Special(square) => legal.specials.push(square.index() as u8),
        Action::Buy(patch, placement) => {
            let number = patch.number();
            let shape = patch.patch().shape;
            let at = legal.patches.iter().position(|one| one.patch == number);
            let at = at.unwrap_or_else(|| {
                legal.patches.push(PlaceableView {
                    patch: number,
                    corners: vec![Vec::new(); shape.shape().orientations().len()],
                });
                legal.patches.len() - 1
            });
            legal.patches[at].corners[usize::from(placement.orientation())]
                .push(corner(shape, placement));
        }
    });
    legal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BoardSession;
    use patchwork_engine::util::rng::Rng;
    use serde_json::{Value, json};

    pub(crate) fn ask(session: &mut BoardSession, question: &Value) -> Result<Value, String> {
        let answer = session.call(&question.to_string());
        let mut answer: Value = serde_json::from_str(&answer).expect("JSON");
        match answer["error"].as_str() {
            Some(sentence) => Err(sentence.to_owned()),
            None => Ok(answer["ok"].take()),
        }
    }

    /// The corners, turned back into actions as the page does it, are exactly the legal actions.
    #[test]
    fn placements_from_corners_are_the_legal_actions() {
        let mut rng: Rng = stream(&[5]);
        let setup = Setup::random(patchwork_engine::game::Track::default(), &mut rng);
        let mut game = GameText {
            start: setup.to_string(),
            actions: Vec::new(),
        };
        let patches = patches();
        let mut plies = 0;
        loop {
            let shown = view(&game).expect("a game");
            let reached = game.reached().expect("a game");
            assert_eq!(shown.picture.plies, plies);
            if shown.picture.mover.is_none() {
                assert!(reached.state.is_over() && shown.picture.legal == 0);
                break;
            }
            let mut found = Vec::new();
            found.extend(shown.legal.advance.then(|| "A".to_owned()));
            let name = |square: u8| Square::new(square).expect("a square").to_string();
            found.extend(
                shown
                    .legal
                    .specials
                    .iter()
                    .map(|&at| format!("S:{}", name(at))),
            );
            for placeable in &shown.legal.patches {
                let patch = &patches[usize::from(placeable.patch) - 1];
                for (orientation, corners) in patch.orientations.iter().zip(&placeable.corners) {
                    for &corner in corners {
                        let squares = orientation.cells.iter();
                        let squares: String =
                            squares.map(|[c, r]| name(corner + 9 * r + c)).collect();
                        found.push(format!("{}:{squares}", patch.patch));
                    }
                }
            }
            let legal = reached.state.legal_actions(&setup);
            let mut legal: Vec<String> = legal.iter().map(Action::to_string).collect();
            assert_eq!(found.len(), shown.picture.legal as usize);
            found.sort();
            legal.sort();
            assert_eq!(found, legal);
            let action = reached.state.random_action(&setup, &mut rng);
            game.actions.push(action.to_string());
            plies += 1;
        }
        // A game that goes on from the text of a position is the same game.
        let middle = GameText {
            actions: game.actions[..20].to_vec(),
            ..game.clone()
        };
        let again = GameText {
            start: view(&middle).expect("a game").picture.text,
            actions: game.actions[20..].to_vec(),
        };
        let [one, other] = [&game, &again].map(|game| view(game).expect("a game"));
        assert_eq!(one.picture.text, other.picture.text);
        assert_eq!(one.outcome, other.outcome);
    }

    /// The editor asks whether a text is a position.
    #[test]
    fn an_edited_position_is_checked() {
        let mut session = BoardSession::default();
        let mut check = |text: &str| {
            let read = ask(&mut session, &json!({ "ask": "check", "text": text }));
            read.map(|mut read| read["game"]["start"].take())
        };
        let ring: Vec<String> = (2..=33).map(|number| number.to_string()).collect();
        let setup = format!("original+2 {} 1", ring.join(" "));
        let text = format!("{setup} / 5 0 / 7 0 / 0 first 0 - - 20 26 32 44 50");
        assert_eq!(check(&text), Ok(json!(text)));
        let twice = text.replace("/ 7", "1:a1b1 S:a1 / 7");
        let sentence = "S:a1 of the first player lies on a1, which is already covered";
        assert_eq!(check(&twice), Err(sentence.to_owned()));
        let nobody = text.replace("0 first", "0 third");
        let sentence = "'third' is not a player; expected first or second";
        assert_eq!(check(&nobody), Err(sentence.to_owned()));
    }
}
