//! What actions do, and how two of them differ.

use patchwork_engine::board::Quilt;
use patchwork_engine::game::{Action, LAST_SPACE, Player, Setup, State, incomes_ahead, is_income};
use patchwork_engine::placement::Candidates;

use crate::messages::{AboutAction, AskWhy, EffectView, WhyView};
use crate::position::mover;

pub(crate) fn of_action(ask: &AboutAction) -> Result<EffectView, String> {
    let reached = ask.game.reached_to_move()?;
    let (action, after) = played(&reached.setup, &reached.state, &ask.action)?;
    Ok(effect(&reached.state, action, &after))
}

fn played(setup: &Setup, state: &State, text: &str) -> Result<(Action, State), String> {
    let action: Action = text.parse().map_err(|error| format!("{error}"))?;
    let after = state.try_play(setup, action);
    let after = after.map_err(|error| format!("{action}: {error}"))?;
    Ok((action, after))
}

fn effect(before: &State, action: Action, after: &State) -> EffectView {
    let player = before.mover();
    let (from, to) = (before.space(player), after.space(player));
    let crossed = from + 1..=to;
    let (cost, earned) = match action {
        Action::Buy(patch, _) => (patch.patch().button_cost, 0),
        Action::Advance => (0, to - from),
        Action::Special(_) => (0, 0),
    };
    let income_spaces: Vec<u8> = crossed.clone().filter(|&space| is_income(space)).collect();
    let specials = before.special_spaces();
    EffectView {
        action: action.to_string(),
        cost,
        earned,
        income: income_spaces.len() as u16 * u16::from(after.income(player)),
        income_gained: after.income(player) - before.income(player),
        from,
        to,
        income_spaces,
        specials: specials.filter(|space| crossed.contains(space)).collect(),
        bonus: before.bonus().is_none() && after.bonus() == Some(player),
        squares: action.squares().len() as u8,
        points: after.score(player) - before.score(player),
        next: mover(after),
    }
}

pub(crate) fn why(ask: &AskWhy) -> Result<WhyView, String> {
    let reached = ask.game.reached_to_move()?;
    let (setup, before) = (&reached.setup, &reached.state);
    let player = before.mover();
    let (played_action, played_state) = played(setup, before, &ask.played)?;
    let (better_action, better_state) = played(setup, before, &ask.better)?;
    let gain = |of: &dyn Fn(&State) -> i16| of(&better_state) - of(&played_state);
    let played = effect(before, played_action, &played_state);
    let better = effect(before, better_action, &better_state);
    Ok(WhyView {
        squares: gain(&|state| -i16::from(state.empty_squares(player))),
        buttons: gain(&|state| state.buttons(player) as i16),
        income: gain(&|state| state.income(player).into()),
        income_ahead: gain(&|state| {
            incomes_ahead(state.space(player)) as i16 * i16::from(state.income(player))
        }),
        time: gain(&|state| i16::from(LAST_SPACE - state.space(player))),
        specials: better.specials.len() as i16 - played.specials.len() as i16,
        points: gain(&|state| state.score(player)),
        holes: gain(&|state| holes(setup, state, player)),
        played,
        better,
    })
}

/// The number of empty squares that no patch left in the game can cover.
fn holes(setup: &Setup, state: &State, player: Player) -> i16 {
    let quilt = state.quilt(player);
    let specials = state.specials_on_track() + u32::from(state.specials_waiting());
    let mut reach = match specials {
        0 => Quilt::EMPTY,
        _ => quilt.complement(),
    };
    for place in state.ring_places() {
        let shape = setup.patch_at(place).patch().shape;
        reach = reach.union(Candidates::all(shape, quilt).union());
    }
    quilt.union(reach).complement().len() as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::GameText;
    use patchwork_engine::util::rng::stream;

    /// Buttons, spaces and points after an action are those before it plus its effect.
    #[test]
    fn effects_are_differences() {
        let (mut specials, mut bonuses, mut incomes) = (0, 0, 0);
        for seed in 0..30 {
            let mut rng = stream(&[seed, 3]);
            let setup = Setup::random(patchwork_engine::game::Track::default(), &mut rng);
            let mut state = State::new(&setup);
            while !state.is_over() {
                let player = state.mover();
                // Buying whenever it is possible fills the quilts.
                let mut action = state.random_action(&setup, &mut rng);
                if action == Action::Advance {
                    action = state.random_action(&setup, &mut rng);
                }
                let after = state.try_play(&setup, action).expect("legal");
                let effect = effect(&state, action, &after);
                let buttons = state.buttons(player) + u16::from(effect.earned) + effect.income;
                assert_eq!(after.buttons(player), buttons - u16::from(effect.cost));
                let covered = state.empty_squares(player) - after.empty_squares(player);
                assert_eq!(covered, effect.squares);
                let bonus = if effect.bonus { 7 } else { 0 };
                let gained = effect.income as i16 + i16::from(effect.earned);
                let points = gained - i16::from(effect.cost) + 2 * i16::from(covered) + bonus;
                assert_eq!(effect.points, points);
                assert_eq!(effect.next, mover(&after));
                specials += effect.specials.len();
                bonuses += usize::from(effect.bonus);
                incomes += effect.income_spaces.len();
                state = after;
            }
        }
        assert!(
            specials > 0 && incomes > 0,
            "{specials} {bonuses} {incomes}"
        );
    }

    #[test]
    fn why_compares_two_actions() {
        let ring: Vec<String> = (2..=33).map(|number| number.to_string()).collect();
        let game = GameText {
            start: format!("original {} 1", ring.join(" ")),
            actions: Vec::new(),
        };
        let ask = AskWhy {
            game,
            played: "A".to_owned(),
            better: "2:a1a2b2".to_owned(),
        };
        let answer = why(&ask).expect("two legal actions");
        // Advancing one space earns one button; the patch costs what is printed on it.
        let printed = crate::position::patches()[1].clone();
        assert_eq!(answer.squares, 3);
        assert_eq!(answer.buttons, -1 - i16::from(printed.buttons));
        assert_eq!(answer.income, i16::from(printed.income));
        assert_eq!(answer.time, 1 - i16::from(printed.time));
        assert_eq!(answer.points, 6 + answer.buttons);
        assert_eq!(answer.holes, 0);
        let illegal = AskWhy {
            better: "S:a1".to_owned(),
            ..ask
        };
        let sentence = "S:a1: no special patch waits to be placed";
        assert_eq!(why(&illegal), Err(sentence.to_owned()));
    }
}
