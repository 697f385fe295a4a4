//! Games as they are sent, and positions as they are drawn.

use patchwork_engine::analysis::ReachedPosition;
use patchwork_engine::board::{SIDE, SQUARES, ShapeId, Square};
use patchwork_engine::game::{
    Action, ActionList, LAST_SPACE, PatchId, Placement, Player, PlayerParts, PositionParts, Ring,
    Setup, State, incomes_ahead, is_income,
};
use patchwork_engine::placement::Candidates;
use patchwork_engine::util::rng::stream;

use crate::messages::{
    GameText, LegalView, NewGame, OfferView, OrientationView, OutcomeView, PatchView,
    PlaceableView, PlayedView, PlayerPartsView, PlayerView, PositionPartsView, PositionView,
    SewnView, SpaceView,
};

/// The number that stands for special patches where patches have numbers.
pub(crate) const SPECIAL: u8 = 34;

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

/// The start of a game in parts.
pub(crate) fn start_parts(start: &str) -> Result<PositionParts, String> {
    if start.contains('/') {
        return start.parse().map_err(|error| format!("{error}"));
    }
    let setup: Setup = start.parse().map_err(|error| format!("{error}"))?;
    let state = State::new(&setup);
    Ok(PositionParts::new(&setup, &state, Default::default()))
}

impl GameText {
    /// The last position.
    pub fn reached(&self) -> Result<ReachedPosition, String> {
        let parts = start_parts(&self.start)?;
        let mut actions = Vec::with_capacity(self.actions.len());
        for (text, ply) in self.actions.iter().zip(1..) {
            let action = text.parse();
            actions.push(action.map_err(|error| format!("ply {ply}: {error}"))?);
        }
        ReachedPosition::from_parts(parts, actions).map_err(|error| error.to_string())
    }

    /// The last position, and all positions from the start to it.
    pub(crate) fn replayed(&self) -> Result<(ReachedPosition, Vec<State>), String> {
        let reached = self.reached()?;
        let start = start_parts(&self.start)?;
        let mut state = start.state().map_err(|error| error.to_string())?;
        let mut states = vec![state];
        for &action in &reached.actions {
            state.play_unchecked(&reached.setup, action);
            states.push(state);
        }
        Ok((reached, states))
    }

    /// The last position, in which somebody must be to move.
    pub(crate) fn reached_to_move(&self) -> Result<ReachedPosition, String> {
        let reached = self.reached()?;
        if reached.state.is_over() {
            return Err("the game is over".to_owned());
        }
        Ok(reached)
    }
}

pub(crate) fn edited(parts: &PositionPartsView) -> Result<GameText, String> {
    let parts = parts.read()?;
    parts.state().map_err(|error| error.to_string())?;
    Ok(GameText {
        start: parts.to_string(),
        actions: Vec::new(),
    })
}

pub(crate) fn player(seat: u8) -> Result<Player, String> {
    let player = Player::BOTH.get(usize::from(seat)).copied();
    player.ok_or_else(|| format!("{seat} is not a player; expected 0 or 1"))
}

pub(crate) const fn seat(player: Player) -> u8 {
    player.index() as u8
}

/// The player to move; `None` when the game is over.
pub(crate) fn mover(state: &State) -> Option<u8> {
    (!state.is_over()).then(|| seat(state.mover()))
}

pub(crate) fn indices(action: Action) -> Vec<u8> {
    let squares = action.squares().squares();
    squares.map(|square| square.index() as u8).collect()
}

impl PositionPartsView {
    fn new(parts: &PositionParts) -> Self {
        let player = |part: &PlayerParts| PlayerPartsView {
            buttons: part.buttons,
            space: part.space,
            patches: part.placed.iter().map(Action::to_string).collect(),
        };
        Self {
            track: parts.setup.track(),
            ring: parts.setup.ring().numbers().to_vec(),
            token: parts.token,
            players: parts.players.each_ref().map(player),
            mover: seat(parts.mover),
            waiting: parts.waiting,
            bonus: parts.bonus.map(seat),
            arrived: parts.arrived.map(seat),
            specials: parts.specials.clone(),
        }
    }

    fn read(&self) -> Result<PositionParts, String> {
        let ring = Ring::new(&self.ring).map_err(|error| error.to_string())?;
        let read = |part: &PlayerPartsView| -> Result<PlayerParts, String> {
            let placed: ActionList = part.patches.join(" ").parse().map_err(|e| format!("{e}"))?;
            Ok(PlayerParts {
                buttons: part.buttons,
                space: part.space,
                placed: placed.0,
            })
        };
        let [first, second] = self.players.each_ref().map(read);
        Ok(PositionParts {
            setup: Setup::new(self.track, ring),
            players: [first?, second?],
            token: self.token,
            mover: player(self.mover)?,
            waiting: self.waiting,
            bonus: self.bonus.map(player).transpose()?,
            arrived: self.arrived.map(player).transpose()?,
            specials: self.specials.clone(),
        })
    }
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
    let reached = game.reached()?;
    let ReachedPosition { setup, state, .. } = &reached;
    let parts = reached.parts();
    let is_special = |space| parts.specials.contains(&space);
    let mine = (!state.is_over()).then(|| state.mover());
    let offers = state.ring_places().take(3).map(|place| {
        let patch = setup.patch_at(place);
        OfferView {
            patch: patch.number(),
            affordable: mine.is_some_and(|mine| patch.patch().costs_at_most(state.buttons(mine))),
            fits: mine.is_some_and(|mine| !candidates(state, mine, patch).is_empty()),
        }
    });
    Ok(PositionView {
        text: parts.to_string(),
        parts: PositionPartsView::new(&parts),
        ply: reached.actions.len() as u32,
        mover: mover(state),
        outcome: state.outcome().map(|outcome| OutcomeView {
            winner: seat(outcome.winner),
            scores: outcome.scores,
            by_arrival: outcome.scores[0] == outcome.scores[1],
        }),
        players: Player::BOTH.map(|player| player_view(&reached, player)),
        spaces: (0..=LAST_SPACE)
            .map(|space| SpaceView {
                income: is_income(space),
                special: is_special(space),
            })
            .collect(),
        ring: state
            .ring_places()
            .map(|place| setup.patch_at(place).number())
            .collect(),
        offers: offers.collect(),
        specials_waiting: state.specials_waiting(),
        last: reached.last.map(|(player, action)| PlayedView {
            player: seat(player),
            action: action.to_string(),
            squares: indices(action),
        }),
        legal: legal(setup, state),
    })
}

fn candidates(state: &State, player: Player, patch: PatchId) -> Candidates {
    Candidates::all(patch.patch().shape, state.quilt(player))
}

fn player_view(reached: &ReachedPosition, player: Player) -> PlayerView {
    let state = &reached.state;
    let placed = &reached.placed[player.index()];
    let mut squares = vec![0; SQUARES];
    let patches = placed.iter().map(|&action| {
        let (patch, orientation) = match action {
            Action::Buy(patch, placement) => (patch.number(), placement.orientation()),
            _ => (SPECIAL, 0),
        };
        let covered = indices(action);
        for &square in &covered {
            squares[usize::from(square)] = patch;
        }
        SewnView {
            patch,
            orientation,
            squares: covered,
        }
    });
    let patches = patches.collect();
    PlayerView {
        squares,
        patches,
        buttons: state.buttons(player),
        income: state.income(player),
        space: state.space(player),
        bonus: state.bonus() == Some(player),
        score: state.score(player),
        empty: state.empty_squares(player),
        incomes_ahead: incomes_ahead(state.space(player)) as u8,
    }
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
        count: 0,
    };
    if state.is_over() {
        return legal;
    }
    state.for_each_action(setup, |action| {
        legal.count += 1;
        match action {
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
            assert_eq!(shown.ply, plies);
            if shown.mover.is_none() {
                assert!(reached.state.is_over() && shown.legal.count == 0);
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
            assert_eq!(found.len(), shown.legal.count as usize);
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
            start: view(&middle).expect("a game").text,
            actions: game.actions[20..].to_vec(),
        };
        let [one, other] = [&game, &again].map(|game| view(game).expect("a game"));
        assert_eq!(one.text, other.text);
        assert_eq!(one.outcome, other.outcome);
    }

    #[test]
    fn an_edited_position_is_checked() {
        let mut session = BoardSession::default();
        let game = ask(&mut session, &json!({ "ask": "new" })).expect("a game");
        let position = ask(&mut session, &json!({ "ask": "position", "game": game }));
        let mut parts = position.expect("a position")["parts"].take();
        let again = ask(&mut session, &json!({ "ask": "edit", "parts": parts }));
        let again = again.expect("the same position");
        let text = again["start"].as_str().expect("a text");
        assert!(
            text.ends_with("1 / 5 0 / 5 0 / 0 first 0 - - 20 26 32 44 50"),
            "{text}"
        );
        parts["players"][0]["patches"] = json!(["1:a1b1", "S:a1"]);
        let refused = ask(&mut session, &json!({ "ask": "edit", "parts": parts }));
        let sentence = "S:a1 of the first player lies on a1, which is already covered";
        assert_eq!(refused, Err(sentence.to_owned()));
        parts["mover"] = 2.into();
        let refused = ask(&mut session, &json!({ "ask": "edit", "parts": parts }));
        assert_eq!(
            refused,
            Err("2 is not a player; expected 0 or 1".to_owned())
        );
    }
}
