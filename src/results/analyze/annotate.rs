//! `analyze DIR GAME --game`: every position of a stored game is searched, and its moves are judged.

use std::process::ExitCode;

use anyhow::Context as _;
use patchwork_board::judgement::{FORMULA, of_game};
use patchwork_board::messages::{EvaluationView, GameText, JudgeGame, JudgementView, WritePgn};
use patchwork_engine::agent::MctsSettings;
use patchwork_engine::analysis::Analysis;
use patchwork_engine::game::{Action, Player, Position, Setup};
use patchwork_engine::search::{Budget, Stop};
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::stream;
use patchwork_report::document::{LineTable, UNKNOWN, percent};
use serde_json::json;

use super::{Args, result, stored_game};
use crate::endings::GameForm;
use crate::output::{listen, stopped, write_json};
use crate::progress::dashboard;

/// Number of plies that are named before the game: those that lost the most.
const WORST: usize = 5;

pub(super) fn run(
    args: &Args,
    agent: &str,
    settings: &MctsSettings,
    budget: Option<Budget>,
) -> anyhow::Result<ExitCode> {
    let form = args.output.form()?;
    let (Some(dir), Some(name)) = (&args.dir, &args.game) else {
        unreachable!("--game requires a stored game")
    };
    let (number, names, record) = stored_game(dir, name)?;
    let (setup, actions) = (&record.setup, Vec::from_iter(record.actions()));
    let budget = budget.unwrap_or_else(|| settings.first_budget(setup));
    let stop = listen()?;
    let Some(evaluations) = evaluations(args, settings, budget, (setup, &actions), stop)? else {
        return Ok(stopped(format_args!(
            "Stopped before all positions were searched."
        )));
    };
    let game = GameText {
        start: setup.to_string(),
        actions: actions.iter().map(ToString::to_string).collect(),
    };
    let judged = of_game(&JudgeGame {
        game: game.clone(),
        evaluations: evaluations.iter().cloned().map(Some).collect(),
    });
    let judged = judged.map_err(anyhow::Error::msg)?;
    let result = result(&record);
    let annotation = Annotation {
        game,
        names,
        evaluations,
        judged,
    };
    let pgn = annotation.pgn().map_err(anyhow::Error::msg)?;
    args.output.write(form, |out| match form {
        GameForm::Text => {
            let [first, second] = &annotation.names;
            writeln!(
                out,
                "Game {number}: {first} against {second}, {result}; judged by {agent}.\n"
            )?;
            annotation
                .lines()
                .iter()
                .try_for_each(|line| writeln!(out, "{line}"))
        }
        GameForm::Json => write_json(
            out,
            &json!({
                "game": number,
                "first": annotation.names[0],
                "second": annotation.names[1],
                "scores": record.scores,
                "termination": record.termination.map(|termination| termination.reason),
                "agent": agent,
                "plies": annotation.plies(),
                "players": annotation.judged.players,
            }),
        ),
        GameForm::Pgn => out.write_all(pgn.as_bytes()),
    })
}

/// The first player's win probability in every position, and the preferred action; `None` if it was interrupted. A forced
/// position is worth what follows.
fn evaluations(
    args: &Args,
    settings: &MctsSettings,
    budget: Budget,
    (setup, actions): (&Setup, &[Action]),
    stop: &Stop,
) -> anyhow::Result<Option<Vec<EvaluationView>>> {
    let count = actions.len() + 1;
    let bar = dashboard(
        count as u64,
        format!("{count} positions"),
        args.output.quiet.quiet,
    );
    let mut found: Vec<EvaluationView> = Vec::with_capacity(count);
    // From the last one, because forced positions take over what comes after them.
    for ply in (0..count).rev() {
        let position = Position::start(setup.clone()).after(actions[..ply].iter().copied())?;
        let after = found.last().map(|one| one.first);
        let legal = position.state.count_actions(setup);
        found.push(match (position.state.outcome(), after) {
            (Some(outcome), _) => EvaluationView {
                first: f32::from(u8::from(outcome.winner == Player::First)),
                best: None,
            },
            (None, Some(first)) if legal == 1 => EvaluationView {
                first,
                best: Some(actions[ply].to_string()),
            },
            (None, _) => {
                let search =
                    |position| Analysis::new(position, settings.clone(), stream(&[args.seed.seed]));
                let played = actions.get(ply).copied().zip(after);
                match searched(position, search, (budget, stop), played)? {
                    Some(found) => found,
                    None => return Ok(None),
                }
            }
        });
        bar.inc(1);
    }
    bar.finish_and_clear();
    found.reverse();
    Ok(Some(found))
}

/// What a search finds in a position; `None` if it was interrupted. Where its settings leave one action to consider, nothing is
/// searched, and the position is worth what follows that action: after the action that was `played`, this is known.
fn searched(
    mut position: Position,
    search: impl Fn(Position) -> Result<Analysis, InputError>,
    (budget, stop): (Budget, &Stop),
    mut played: Option<(Action, f32)>,
) -> anyhow::Result<Option<EvaluationView>> {
    let mut first_best = None;
    loop {
        let mover = position.state.mover();
        let mut analysis = search(position.clone())?;
        analysis.run(budget, stop, |_| ());
        if stop.is_set() {
            return Ok(None);
        }
        let report = analysis.report("", 1);
        let best = report.best.context("a search without a decision")?;
        let action: Action = best.action.parse()?;
        position.play(action)?;
        let known = played.take().filter(|(played, _)| *played == action);
        let first_best = first_best.get_or_insert(best.action).clone();
        let won = report
            .winner
            .map(|winner| f32::from(u8::from(winner == mover)));
        let value = won.or(best.value).map(|value| match mover {
            Player::First => value,
            Player::Second => 1.0 - value,
        });
        let outcome = position
            .state
            .outcome()
            .map(|end| f32::from(u8::from(end.winner == Player::First)));
        if let Some(first) = value.or(outcome).or(known.map(|(_, first)| first)) {
            let best = Some(first_best);
            return Ok(Some(EvaluationView { first, best }));
        }
    }
}

/// A game with what is known of its positions.
struct Annotation {
    game: GameText,
    names: [String; 2],
    /// One more than there are plies.
    evaluations: Vec<EvaluationView>,
    judged: JudgementView,
}

impl Annotation {
    /// A grade and the better action, or nothing.
    fn remark(&self, ply: usize) -> String {
        match (&self.judged.plies[ply].grade, &self.evaluations[ply].best) {
            (Some(grade), Some(best)) => format!("{grade}, better {best}"),
            _ => String::new(),
        }
    }

    fn lines(&self) -> Vec<String> {
        let longest = self.game.actions.iter().map(String::len).max().unwrap_or(0);
        let table = LineTable::new(2).right("ply", 3).left("seat", 6);
        let table = table.left("action", longest.max("action".len()));
        let table = table
            .right("before", 6)
            .right("after", 6)
            .right("loss", 6)
            .left("", 0);
        let line = |ply: usize| {
            let judged = &self.judged.plies[ply];
            // As its player sees it.
            let chance = |at: usize| {
                let first = f64::from(self.evaluations[at].first);
                percent(if judged.player == 0 {
                    first
                } else {
                    1.0 - first
                })
            };
            let loss = judged.loss.filter(|&loss| loss > 0.0);
            let seat = Player::BOTH[usize::from(judged.player)];
            let cells: [&dyn std::fmt::Display; 7] = [
                &(ply + 1),
                &seat,
                &self.game.actions[ply],
                &chance(ply),
                &chance(ply + 1),
                &loss.map_or(UNKNOWN.to_owned(), |loss| percent(f64::from(loss))),
                &self.remark(ply),
            ];
            table.line(&cells).trim_end().to_owned()
        };
        let loss = |ply: &usize| self.judged.plies[*ply].loss.unwrap_or(0.0);
        let graded =
            (0..self.game.actions.len()).filter(|&ply| self.judged.plies[ply].grade.is_some());
        let mut worst: Vec<usize> = graded.collect();
        worst.sort_by(|one, other| loss(other).total_cmp(&loss(one)));
        let head = table.head().trim_end().to_owned();
        let mut lines = Vec::new();
        if !worst.is_empty() {
            lines.extend([
                "Largest losses of win probability, seen by the player who moves:".to_owned(),
                head.clone(),
            ]);
            lines.extend(worst.into_iter().take(WORST).map(line));
            lines.extend([String::new(), "The game:".to_owned()]);
        }
        lines.push(head);
        lines.extend((0..self.game.actions.len()).map(line));
        lines.push(String::new());
        for (name, player) in self.names.iter().zip(&self.judged.players) {
            let grades = self.judged.grades.iter().zip(&player.grades);
            let grades = grades.map(|(grade, count)| format!("{}: {count}", grade.name));
            let accuracy = player.accuracy.map(|accuracy| f64::from(accuracy) / 100.0);
            let grades: Vec<String> = grades.collect();
            lines.push(format!(
                "{name}: accuracy {}; {}",
                percent(accuracy),
                grades.join(", ")
            ));
        }
        lines.push(FORMULA.to_owned());
        lines
    }

    /// For each ply: its player and action, the first player's win probability after it, the action that the search
    /// preferred, and the judgement.
    fn plies(&self) -> serde_json::Value {
        let plies = self.game.actions.iter().zip(&self.judged.plies).enumerate();
        let plies = plies.map(|(ply, (action, judged))| {
            json!({
                "player": Player::BOTH[usize::from(judged.player)],
                "action": action,
                "first_after": self.evaluations[ply + 1].first,
                "best": self.evaluations[ply].best,
                "loss": judged.loss,
                "grade": judged.grade,
                "accuracy": judged.accuracy,
            })
        });
        plies.collect()
    }

    fn pgn(&self) -> Result<String, String> {
        let comment = |ply: usize| {
            let chance = percent(f64::from(self.evaluations[ply + 1].first));
            Some(
                format!("{chance} {}", self.remark(ply))
                    .trim_end()
                    .to_owned(),
            )
        };
        let ask = WritePgn {
            game: self.game.clone(),
            names: self.names.clone(),
            comments: (0..self.game.actions.len()).map(comment).collect(),
        };
        patchwork_board::pgn(&ask).map(|pgn| pgn.text)
    }
}
