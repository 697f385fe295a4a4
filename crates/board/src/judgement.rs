//! How well a game was played: losses of win probability, grades and accuracy.

use patchwork_engine::game::Player;

use crate::messages::{
    EvaluationView, GradeView, JudgeGame, JudgedPlayerView, JudgedPlyView, JudgementView,
};
use crate::position::seat;

/// The names of bad moves and the least loss of win probability of each, mildest first.
///
/// These are the thresholds in use for chess, where games are decided in as many moves.
pub const GRADES: [(&str, f32); 3] = [("inaccuracy", 0.05), ("mistake", 0.10), ("blunder", 0.15)];

/// A loss of this win probability leaves an accuracy of 1/e.
const ACCURACY_SCALE: f32 = 0.23;

/// The formula of [`accuracy`], in words.
pub const FORMULA: &str = "The accuracy of a move is 100 exp(-loss / 0.23), where loss is the win probability that it \
                           gives away. A player's accuracy is the mean over the moves with a choice.";

/// The accuracy of a move in percent: 100 if nothing is lost, 80 at the threshold of an inaccuracy, 52 at that of a
/// blunder. The curve is that of chess sites (103.2 exp(-0.0435 x) - 3.2 for x points of win probability), without
/// its shift.
pub fn accuracy(loss: f32) -> f32 {
    100.0 * (-loss / ACCURACY_SCALE).exp()
}

/// How well the players of a game played, from evaluations of its positions.
pub fn of_game(ask: &JudgeGame) -> Result<JudgementView, String> {
    let (reached, states) = ask.game.replayed()?;
    let end = reached.state.outcome();
    let end = end.map(|end| f32::from(u8::from(end.winner == Player::First)));
    let evaluation = |ply: usize| ask.evaluations.get(ply).and_then(Option::as_ref);
    let mut plies = Vec::with_capacity(ask.game.actions.len());
    for (ply, (action, state)) in ask.game.actions.iter().zip(&states).enumerate() {
        let mover = state.mover();
        let before = evaluation(ply);
        let after = match end {
            Some(end) if ply + 1 == ask.game.actions.len() => Some(end),
            _ => evaluation(ply + 1).map(|one| one.first),
        };
        let loss = before.zip(after);
        let loss = loss.map(|(before, after)| loss_of(before, after, mover, action));
        let grade = loss.and_then(|loss| GRADES.iter().rposition(|(_, least)| loss >= *least));
        let counted = loss.filter(|_| state.count_actions(&reached.setup) > 1);
        plies.push(JudgedPlyView {
            player: seat(mover),
            loss,
            grade: grade.map(|grade| GRADES[grade].0.to_owned()),
            accuracy: counted.map(accuracy),
        });
    }
    Ok(JudgementView {
        players: Player::BOTH.map(|player| account(&plies, player)),
        plies,
        grades: GRADES
            .map(|(name, loss)| GradeView {
                name: name.to_owned(),
                loss,
            })
            .into(),
        formula: FORMULA.to_owned(),
    })
}

/// The win probability that an action gives away. The action that the search prefers loses nothing: a difference
/// there only shows that the later search went further.
fn loss_of(before: &EvaluationView, after: f32, mover: Player, action: &str) -> f32 {
    if before.best.as_deref() == Some(action) {
        return 0.0;
    }
    let lost = match mover {
        Player::First => before.first - after,
        Player::Second => after - before.first,
    };
    lost.clamp(0.0, 1.0)
}

/// A player's account: that of the evaluated plies with a choice.
fn account(plies: &[JudgedPlyView], player: Player) -> JudgedPlayerView {
    let is_counted = |ply: &&JudgedPlyView| ply.player == seat(player) && ply.accuracy.is_some();
    let counted: Vec<_> = plies.iter().filter(is_counted).collect();
    let mean = |number: fn(&JudgedPlyView) -> Option<f32>| {
        let sum: f32 = counted.iter().filter_map(|ply| number(ply)).sum();
        (!counted.is_empty()).then(|| sum / counted.len() as f32)
    };
    let with_grade = |(name, _): (&str, f32)| {
        let graded = counted
            .iter()
            .filter(|ply| ply.grade.as_deref() == Some(name));
        graded.count() as u32
    };
    JudgedPlayerView {
        accuracy: mean(|ply| ply.accuracy),
        loss: mean(|ply| ply.loss),
        plies: counted.len() as u32,
        grades: GRADES.map(with_grade).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::GameText;

    fn game(actions: &[&str]) -> GameText {
        let ring: Vec<String> = (2..=33).map(|number| number.to_string()).collect();
        GameText {
            start: format!("original {} 1", ring.join(" ")),
            actions: actions.iter().map(|action| (*action).to_owned()).collect(),
        }
    }

    fn evaluation(first: f32, best: Option<&str>) -> Option<EvaluationView> {
        Some(EvaluationView {
            first,
            best: best.map(str::to_owned),
        })
    }

    #[test]
    fn losses_are_seen_by_the_player_who_moves() {
        let ask = JudgeGame {
            // First, second, second again on the shared space, first.
            game: game(&["A", "A", "A", "A"]),
            evaluations: vec![
                evaluation(0.50, None),
                evaluation(0.44, None),
                evaluation(0.55, None),
                evaluation(0.50, None),
                evaluation(0.20, None),
            ],
        };
        let judged = of_game(&ask).expect("a game");
        let players: Vec<u8> = judged.plies.iter().map(|ply| ply.player).collect();
        let grades: Vec<_> = judged
            .plies
            .iter()
            .map(|ply| ply.grade.as_deref())
            .collect();
        assert_eq!(players[..2], [0, 1]);
        assert_eq!(grades[..2], [Some("inaccuracy"), Some("mistake")]);
        let loss = judged.plies[1].loss.expect("evaluated");
        assert!((loss - 0.11).abs() < 1e-6);
        let second = &judged.players[1];
        assert_eq!(second.grades[1], 1);
        assert_eq!(judged.plies.len(), 4);
    }

    #[test]
    fn the_preferred_action_loses_nothing_and_gaps_are_not_judged() {
        let ask = JudgeGame {
            game: game(&["A", "A"]),
            evaluations: vec![evaluation(0.9, Some("A")), evaluation(0.1, None), None],
        };
        let judged = of_game(&ask).expect("a game");
        assert_eq!(judged.plies[0].loss, Some(0.0));
        assert_eq!(judged.plies[0].accuracy, Some(100.0));
        assert_eq!(judged.plies[1].loss, None);
        assert_eq!(judged.players[1].accuracy, None);
    }

    #[test]
    fn accuracy_falls_with_the_loss() {
        assert_eq!(accuracy(0.0), 100.0);
        assert!((accuracy(0.05) - 80.46).abs() < 0.1);
        assert!((accuracy(0.15) - 52.1).abs() < 0.1);
        assert!(accuracy(1.0) > 1.0 && accuracy(1.0) < 2.0);
        assert!(FORMULA.contains(&ACCURACY_SCALE.to_string()));
    }
}
