//! The model and its screen, without a terminal.

use std::time::Duration;

use console::Key;
use patchwork_arena::people::Table;
use patchwork_engine::agent::Decision;
use patchwork_engine::game::{Action, Player, Setup, Track};
use patchwork_engine::record::Thought;
use patchwork_engine::util::rng::stream;

use super::grid::CharGrid;
use super::model::{Model, ModelRequest};
use super::view::{SIZE, draw};

fn model(person: Player) -> Model {
    let setup = Setup::random(Track::Original, &mut stream(&[5]));
    let mut names = ["human".to_owned(), "mcts-regret".to_owned()];
    names.rotate_left(person.index());
    Model::new(Table::new(setup), person, names, "adviser")
}

fn screen(model: &Model) -> String {
    screen_of(model, SIZE)
}

fn screen_of(model: &Model, (columns, lines): (usize, usize)) -> String {
    let mut grid = CharGrid::new(columns, lines);
    draw(model, &mut grid);
    let lines: Vec<String> = (0..lines).map(|line| grid.text(line)).collect();
    lines.join("\n")
}

fn press(model: &mut Model, keys: &str) -> ModelRequest {
    let mut request = ModelRequest::Nothing;
    for key in keys.chars() {
        request = model.press(&match key {
            '<' => Key::ArrowLeft,
            '>' => Key::ArrowRight,
            '^' => Key::ArrowUp,
            'v' => Key::ArrowDown,
            '\n' => Key::Enter,
            '\t' => Key::Tab,
            other => Key::Char(other),
        });
    }
    request
}

#[test]
fn a_patch_is_turned_moved_and_bought_by_keys() {
    let mut model = model(Player::First);
    assert_eq!(model.begin(), ModelRequest::Nothing);
    let first = model.piece.expect("a patch");
    press(&mut model, ">>vv");
    let moved = model.piece.expect("the same patch");
    assert_eq!(moved, first.moved(2, 2));
    press(&mut model, "rf");
    assert_eq!(model.piece, Some(moved.turned().flipped()));
    let action = model.piece.expect("a patch").action();
    assert!(screen(&model).contains(&format!("Enter plays {action}.")));
    let request = press(&mut model, "\n");
    assert_eq!(model.table.actions(), [action]);
    assert!(matches!(action, Action::Buy(..)), "a patch was bought");
    assert_eq!(model.table.state().quilt(Player::First), action.squares());
    if model.is_mine() {
        assert_eq!(request, ModelRequest::Nothing);
    } else {
        assert_eq!(request, ModelRequest::AskOpponent);
        assert!(screen(&model).contains("mcts-regret is thinking ..."));
        // Nothing can be played meanwhile.
        press(&mut model, "a");
        assert_eq!(model.table.plies(), 1);
    }
}

#[test]
fn the_patches_on_offer_are_chosen_by_number_or_one_after_the_other() {
    let mut model = model(Player::First);
    let offers = model.offers();
    press(&mut model, "3");
    assert_eq!(model.piece.and_then(|piece| piece.which()), Some(offers[2]));
    press(&mut model, "\t");
    assert_eq!(model.piece.and_then(|piece| piece.which()), Some(offers[0]));
    let text = screen(&model);
    for (i, patch) in offers.iter().enumerate() {
        assert!(
            text.contains(&format!("{}: patch {patch}", i + 1)),
            "{text}"
        );
    }
}

#[test]
fn actions_are_typed_and_mistakes_are_told() {
    let mut model = model(Player::First);
    press(&mut model, "t");
    press(&mut model, "A");
    assert!(screen(&model).contains("Action: A_"));
    model.press(&Key::Backspace);
    press(&mut model, "S:e5\n");
    assert!(
        model.message.contains("no special patch waits"),
        "{}",
        model.message
    );
    press(&mut model, "tnonsense\n");
    assert!(model.message.contains("nonsense"), "{}", model.message);
    press(&mut model, "tx");
    model.press(&Key::Escape);
    assert_eq!((&model.typed, model.table.plies()), (&None, 0));
    assert_eq!(press(&mut model, "tA\n"), ModelRequest::AskOpponent);
    assert_eq!(model.table.actions(), [Action::Advance]);
}

#[test]
fn moves_are_taken_back_to_the_persons_own() {
    let mut model = model(Player::First);
    press(&mut model, "u");
    assert!(model.message.contains("no move of yours"));
    press(&mut model, "a");
    press(&mut model, "u");
    assert!(model.message.contains("Wait"), "the opponent is thinking");
    model.answer(Action::Advance, Thought::default(), Duration::ZERO);
    assert_eq!(model.table.plies(), 2);
    assert_eq!(press(&mut model, "u"), ModelRequest::Nothing);
    assert_eq!(model.table.plies(), 0);
    assert!(model.is_mine());
}

#[test]
fn hints_and_evaluations_come_from_the_adviser() {
    let mut model = model(Player::First);
    assert_eq!(press(&mut model, "h"), ModelRequest::AskAdviser);
    let offer = model.offers()[1];
    let action = model.table.state().legal_actions(model.table.setup());
    let action = action
        .into_iter()
        .find(|action| matches!(action, Action::Buy(patch, _) if *patch == offer))
        .expect("it can be bought");
    let thought = Thought {
        value: Some(0.75),
        ..Thought::default()
    };
    model.advise(Some(Decision::new(action, thought)));
    assert_eq!(
        model.message,
        format!("adviser would play {action}, and sees your chance at 75%.")
    );
    assert_eq!(
        model.piece.map(|piece| piece.action()),
        Some(action),
        "the hint is in the hand"
    );
    assert!(screen(&model).contains("your chance 75%"));
    assert_eq!(press(&mut model, "h"), ModelRequest::AskAdviser);
    model.advise(Some(Decision::unsearched(Action::Advance)));
    assert_eq!(model.message, "adviser would advance (key a).");
    assert_eq!(
        press(&mut model, "e"),
        ModelRequest::AskAdviser,
        "switched on"
    );
    model.advise(None);
    assert!(model.message.contains("no advice"));
    press(&mut model, "a");
    let request = model.answer(Action::Advance, Thought::default(), Duration::ZERO);
    assert_eq!(request, ModelRequest::AskAdviser, "after each move");
    press(&mut model, "e");
    assert!(model.message.contains("is off"));
}

#[test]
fn a_game_is_left_by_two_presses() {
    let mut model = model(Player::First);
    assert_eq!(press(&mut model, "q"), ModelRequest::Nothing);
    assert_eq!(
        press(&mut model, ">q"),
        ModelRequest::Nothing,
        "another key in between"
    );
    assert_eq!(press(&mut model, "q"), ModelRequest::Quit);
}

#[test]
fn the_screen_fits_and_says_so_where_it_does_not() {
    let mut model = model(Player::Second);
    assert_eq!(model.begin(), ModelRequest::AskOpponent);
    model.answer(Action::Advance, Thought::default(), Duration::ZERO);
    let text = screen(&model);
    for part in [
        "mcts-regret (first) against human (second), ply 2",
        "> human (second)",
        "a b c d e f g h i",
        "5 buttons, income 0",
        "6 buttons, income 0",
        "space 1 of 53",
        "price",
        "then patches",
        "1-3 patch  arrows move",
    ] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    press(&mut model, "?");
    let help = screen(&model);
    assert!(
        help.contains("rotate, flip") && help.contains("Any key closes"),
        "{help}"
    );
    press(&mut model, " ");
    assert_eq!(screen(&model), text);
    let mut small = CharGrid::new(40, 10);
    draw(&model, &mut small);
    assert_eq!(small.text(0), "80x24 needed, this is 40x10");
    draw(&model, &mut CharGrid::new(0, 0));
}

#[test]
fn larger_screens_show_more() {
    let mut model = model(Player::First);
    press(&mut model, ">>vv\n");
    while model.table.plies() < 20 {
        let actions = model.table.state().legal_actions(model.table.setup());
        let action = actions.into_iter().next_back().expect("an action");
        let mover = model.table.state().mover();
        if mover == Player::First {
            press(&mut model, &format!("t{action}\n"));
        } else {
            model.answer(action, Thought::default(), Duration::ZERO);
        }
    }
    let (last, _) = model.table.last().expect("a move");
    let last = format!(" 20 {}: ", model.names[last.index()]);
    let all = format!("{}", model.table.setup().ring());
    let shapes = |text: &str| text.matches("price ").count();
    for (size, patches, has_moves) in [
        ((80, 24), 3, false),
        ((100, 30), 6, false),
        ((80, 40), 6, true),
        ((120, 24), 3, true),
        ((120, 50), 6, true),
        ((200, 60), 12, true),
    ] {
        let text = screen_of(&model, size);
        assert_eq!(shapes(&text), patches, "{size:?} of {all}\n{text}");
        assert_eq!(text.contains(&last), has_moves, "{size:?}\n{text}");
        assert_eq!(text.contains("Last moves"), has_moves, "{size:?}\n{text}");
        // The foot is on the last line, and no part overlaps another.
        assert!(
            text.lines()
                .last()
                .is_some_and(|line| line.starts_with("1-3 patch")),
            "{text}"
        );
        for part in ["space", "then patch", "a b c d e f g h i", "time", "price"] {
            let spread = "a   b   c   d   e   f   g   h   i";
            let found = text.contains(part) || part.starts_with('a') && text.contains(spread);
            assert!(found, "no {part} at {size:?} in\n{text}");
        }
    }
}

/// Plays whole games by keys, for every seat: there is always a piece in hand to try.
#[test]
fn whole_games_end_with_a_request_to_keep_them() {
    for person in Player::BOTH {
        let mut rng = stream(&[9, person.index() as u64]);
        let mut model = model(person);
        let mut request = model.begin();
        while request != ModelRequest::Keep {
            let state = *model.table.state();
            assert!(!state.is_over());
            screen(&model);
            let action = state.random_action(model.table.setup(), &mut rng);
            request = if model.is_mine() {
                assert!(model.piece.is_some() || model.offers().is_empty());
                press(&mut model, &format!("t{action}\n"))
            } else {
                model.answer(action, Thought::default(), Duration::ZERO)
            };
        }
        assert!(screen(&model).contains("The game is over"));
        assert_eq!(press(&mut model, "q"), ModelRequest::Quit);
    }
}
