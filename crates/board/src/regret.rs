//! The regret of placements, for a heat map.

use patchwork_engine::board::SQUARES;
use patchwork_engine::game::{Action, PatchId};
use patchwork_engine::placement::{Candidates, Problem, regrets};

use crate::messages::{AskRegret, RegretPlacementView, RegretView};
use crate::position::corner;

pub(crate) fn of_patch(ask: &AskRegret) -> Result<RegretView, String> {
    let reached = ask.game.reached_to_move()?;
    let (setup, state) = (&reached.setup, &reached.state);
    let patch = PatchId::new(ask.patch);
    let patch = patch.ok_or_else(|| format!("'{}' is not a patch; expected 1 to 33", ask.patch))?;
    let mut ring = state.ring_places().map(|place| setup.patch_at(place));
    if !ring.any(|one| one == patch) {
        return Err(format!("patch {patch} is not in the ring"));
    }
    let shape = patch.patch().shape;
    let candidates = Candidates::all(shape, state.quilt(state.mover()));
    let placements: Vec<_> = candidates.placements().collect();
    let mut found = vec![0; placements.len()];
    if !placements.is_empty() {
        regrets(
            &Problem::patch(setup, state, patch),
            &placements,
            &mut found,
        );
    }
    let mut squares = vec![None; SQUARES];
    let mut list = Vec::with_capacity(placements.len());
    for (&placement, &regret) in placements.iter().zip(&found) {
        let (action, regret) = (Action::Buy(patch, placement), regret.max(0).cast_unsigned());
        for square in action.squares().squares() {
            let least: &mut Option<u32> = &mut squares[square.index()];
            *least = Some(least.map_or(regret, |least| least.min(regret)));
        }
        list.push(RegretPlacementView {
            orientation: placement.orientation(),
            corner: corner(shape, placement),
            action: action.to_string(),
            regret,
        });
    }
    list.sort_by_key(|one| one.regret);
    Ok(RegretView {
        placements: list,
        squares,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::GameText;

    #[test]
    fn the_strategy_that_uses_regret_chooses_a_least_one() {
        use patchwork_engine::placement::{Scratch, Strategy};
        use patchwork_engine::util::rng::stream;
        let strategy: Strategy = "all/every/regret".parse().expect("a strategy");
        let mut compared = 0;
        for seed in 0..6 {
            let mut rng = stream(&[seed, 8]);
            let setup = patchwork_engine::game::Setup::random(
                patchwork_engine::game::Track::default(),
                &mut rng,
            );
            let mut game = GameText {
                start: setup.to_string(),
                actions: Vec::new(),
            };
            for _ in 0..14 {
                let reached = game.reached().expect("a game");
                let next = reached.state.ring_places().next().expect("a patch");
                let patch = setup.patch_at(next);
                let ask = AskRegret {
                    game: game.clone(),
                    patch: patch.number(),
                };
                let answer = of_patch(&ask).expect("a patch of the ring");
                let problem = Problem::patch(&setup, &reached.state, patch);
                let choice = strategy.choose(&problem, &mut rng, &mut Scratch::default());
                if let (Some(choice), Some(least)) = (choice, answer.placements.first()) {
                    let chosen = Action::Buy(patch, choice).to_string();
                    let mut equal = answer.placements.iter();
                    let chosen = equal.find(|one| one.action == chosen).expect("a placement");
                    assert_eq!(chosen.regret, least.regret);
                    let of_squares = answer.squares.iter().flatten().min();
                    assert_eq!(of_squares, Some(&least.regret));
                    compared += 1;
                }
                let action = reached.state.random_action(&setup, &mut rng);
                game.actions.push(action.to_string());
            }
        }
        assert!(compared > 60, "{compared}");
    }
}
