//! Searches and decisions of agents.

use std::time::Duration;

use patchwork_engine::agent::position_estimate::margin_of_chance;
use patchwork_engine::agent::{Limit, Partner, Step};
use patchwork_engine::analysis::{ActionRow, Analysis};
use patchwork_engine::game::{PatchId, Position, State};
use patchwork_engine::search::{Budget, Candidate, Stop};
use patchwork_engine::util::rng::stream;

use crate::agents;
use crate::messages::{
    AnalysisView, AskDecision, AskTree, DecisionView, LineView, StartSearch, StepSearch,
    TreeEdgeView, TreeView,
};
use crate::position::{mover, seat};
use crate::session::BoardSession;

/// The agent that analyses by default.
const ANALYST: &str = "champion";

/// The longest time of one message.
const MAX_MILLISECONDS: u32 = 3_600_000;

/// The budget of a message; `None` if it gives none.
pub fn budget(
    iterations: Option<u32>,
    milliseconds: Option<u32>,
) -> Result<Option<Budget>, String> {
    match (iterations, milliseconds) {
        (Some(_), Some(_)) => Err("expected iterations or milliseconds, found both".to_owned()),
        (Some(0), _) | (_, Some(0)) => Err("the budget is 0; expected at least 1".to_owned()),
        (_, Some(time)) if time > MAX_MILLISECONDS => Err(format!(
            "the budget is {time} milliseconds; expected at most {MAX_MILLISECONDS}"
        )),
        (Some(count), None) => Ok(Some(Budget::Iterations(count))),
        (None, Some(time)) => Ok(Some(Budget::Time(Duration::from_millis(time.into())))),
        (None, None) => Ok(None),
    }
}

impl BoardSession {
    pub(crate) fn decide(&mut self, ask: &AskDecision) -> Result<DecisionView, String> {
        let reached = ask.game.reached_to_move()?;
        let budget = budget(ask.iterations, ask.milliseconds)?;
        let key = (ask.agent.clone(), ask.seed, ask.game.start.clone());
        if self.partner.as_ref().is_none_or(|(known, _)| *known != key) {
            let agent = agents::named(&ask.agent)?;
            let partner = Partner::of(agent.name.clone(), agent.player(), ask.seed);
            self.partner = Some((key, partner));
        }
        let (_, partner) = self.partner.as_mut().expect("made above");
        decide(partner, &reached, budget, &Stop::new())
    }

    pub(crate) fn start_search(&mut self, ask: &StartSearch) -> Result<AnalysisView, String> {
        let reached = ask.game.reached_to_move()?;
        let name = ask.agent.as_deref().unwrap_or(ANALYST);
        let agent = agents::named(name)?;
        let settings = agent
            .searches()
            .ok_or_else(|| format!("{name} searches no tree; expected an agent of type mcts"))?;
        // The memory of the search before is freed first.
        self.analysis = None;
        let analysis = Analysis::new(reached, settings.clone(), stream(&[ask.seed]));
        let analysis = analysis.map_err(|error| error.to_string())?;
        Ok(view(self.analysis.insert(analysis), 0))
    }

    pub(crate) fn step(&mut self, ask: &StepSearch) -> Result<AnalysisView, String> {
        let budget = budget(ask.iterations, ask.milliseconds)?;
        let analysis = self.analysis.as_mut().ok_or(NO_SEARCH)?;
        if let Some(budget) = budget {
            analysis.run(budget, &Stop::new(), |_| ());
        }
        Ok(view(analysis, ask.top as usize))
    }

    pub(crate) fn tree(&self, ask: &AskTree) -> Result<TreeView, String> {
        let analysis = self.analysis.as_ref().ok_or(NO_SEARCH)?;
        let Position { setup, state, .. } = analysis.position();
        let mut state = *state;
        let mut path = Vec::with_capacity(ask.path.len());
        for text in &ask.path {
            let step = step(text)?;
            if !analysis
                .tree()
                .candidates(&path)
                .iter()
                .any(|one| one.action == step)
            {
                return Err(format!("'{text}' is not a step of the search there"));
            }
            if let Step::Play(action) = step {
                state = state
                    .try_play(setup, action)
                    .map_err(|error| error.to_string())?;
            }
            path.push(step);
        }
        let mut edges = analysis.tree().candidates(&path);
        let count = edges.len() as u32;
        edges.sort_by_key(|one| std::cmp::Reverse((one.proven == Some(true), one.visits)));
        edges.truncate(ask.top as usize);
        Ok(TreeView {
            mover: mover(&state),
            edges: edges.iter().map(edge).collect(),
            count,
        })
    }
}

const NO_SEARCH: &str = "no search was started";

/// A partner's decision in the last position of a game.
pub fn decide(
    partner: &mut Partner,
    reached: &Position,
    budget: Option<Budget>,
    stop: &Stop,
) -> Result<DecisionView, String> {
    let Position {
        setup,
        actions,
        state,
        ..
    } = reached;
    let decided = partner.decide(setup, actions, state, Limit { budget, stop });
    let (decision, time) = decided.map_err(|error| format!("{}: {error}", partner.name()))?;
    Ok(DecisionView {
        action: decision.action.to_string(),
        iterations: decision.thought.iterations,
        chance: decision.thought.value,
        proven: decision.thought.proven,
        milliseconds: milliseconds(time),
    })
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn step(text: &str) -> Result<Step, String> {
    if let Some(patch) = text.parse().ok().and_then(PatchId::new) {
        return Ok(Step::Pick(patch));
    }
    text.parse()
        .map(Step::Play)
        .map_err(|error| format!("{error}"))
}

fn edge(one: &Candidate<Step>) -> TreeEdgeView {
    TreeEdgeView {
        step: match one.action {
            Step::Play(action) => action.to_string(),
            Step::Pick(patch) => patch.to_string(),
        },
        visits: one.visits,
        chance: (one.visits > 0).then_some(one.chance),
        prior: one.prior,
        proven: one.proven,
    }
}

fn view(analysis: &Analysis, top: usize) -> AnalysisView {
    let state = &analysis.position().state;
    let report = analysis.report("", top);
    let estimate = report.estimate.map_or(0.0, |estimate| estimate.win_chance);
    let searched = report.best.as_ref().and_then(|best| best.value);
    let winner = analysis.winner();
    let chance = match winner {
        Some(winner) => f32::from(u8::from(winner == state.mover())),
        None => searched.unwrap_or(estimate),
    };
    let search = report.search.as_ref();
    AnalysisView {
        iterations: u32::try_from(analysis.iterations()).unwrap_or(u32::MAX),
        milliseconds: milliseconds(analysis.time()),
        mover: seat(state.mover()),
        chance,
        margin: margin(chance, state),
        winner: winner.map(seat),
        ended: search.is_some_and(|search| search.ended.is_some_and(|ended| ended.is_final())),
        best: report.best.as_ref().map(|best| best.action.clone()),
        lines: report
            .actions
            .iter()
            .map(|row| line(analysis, row, state))
            .collect(),
        nodes: search.map_or(0, |search| search.nodes as u32),
        depth: search.map_or(0, |search| search.max_depth as u32),
    }
}

fn line(analysis: &Analysis, row: &ActionRow, state: &State) -> LineView {
    let action = row.action.parse().ok();
    let line = action
        .map(|action| analysis.line_from(action))
        .unwrap_or_default();
    LineView {
        action: row.action.clone(),
        visits: row.visits,
        share: row.share as f32,
        chance: row.value,
        margin: row.value.map(|chance| margin(chance, state)),
        prior: row.prior,
        proven: row.proven,
        line: line.iter().map(ToString::to_string).collect(),
    }
}

/// The mover's expected margin that goes with a win probability. Probabilities near 0 and 1 say little about it.
fn margin(chance: f32, state: &State) -> f32 {
    const LEAST: f32 = 0.001;
    margin_of_chance(chance.clamp(LEAST, 1.0 - LEAST), state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::GameText;
    use patchwork_engine::game::{Action, Setup};

    fn game(seed: u64, plies: usize) -> GameText {
        let mut rng = stream(&[seed, 6]);
        let setup = Setup::random(patchwork_engine::game::Track::default(), &mut rng);
        let (mut state, mut actions) = (State::new(&setup), Vec::new());
        // Until there is something to choose from.
        while actions.len() < plies || (plies > 0 && state.count_actions(&setup) < 100) {
            let action = state.random_action(&setup, &mut rng);
            actions.push(action.to_string());
            state.play_unchecked(&setup, action);
        }
        GameText {
            start: setup.to_string(),
            actions,
        }
    }

    fn search(agent: &str, plies: usize) -> (BoardSession, AnalysisView) {
        let mut session = BoardSession::default();
        let ask = StartSearch {
            game: game(2, plies),
            agent: Some(agent.to_owned()),
            seed: 1,
        };
        let start = session.start_search(&ask).expect("a search");
        assert_eq!(
            (start.iterations, start.lines.len(), start.best.clone()),
            (0, 0, None)
        );
        assert!((0.0..=1.0).contains(&start.chance));
        (session, start)
    }

    fn step(session: &mut BoardSession, iterations: u32) -> AnalysisView {
        let ask = StepSearch {
            iterations: Some(iterations),
            milliseconds: None,
            top: 5,
        };
        session.step(&ask).expect("a search")
    }

    #[test]
    fn a_search_goes_on_step_by_step() {
        // Without batches, which a step may divide.
        let (mut session, _) = search("mcts-regret", 10);
        let first = step(&mut session, 100);
        let second = step(&mut session, 200);
        assert_eq!((first.iterations, second.iterations), (100, 300));
        assert!(second.nodes > first.nodes && second.depth >= first.depth);
        assert!(!second.lines.is_empty() && second.lines.len() <= 5);
        assert_eq!(second.best.as_ref(), Some(&second.lines[0].action));
        for line in &second.lines {
            assert_eq!(line.line[0], line.action);
            let margin = line.margin.expect("visited");
            assert_eq!(margin > 0.0, line.chance.expect("visited") > 0.5);
        }
        // The steps are those of one search: the same in slices and at once.
        let (mut other, _) = search("mcts-regret", 10);
        let at_once = step(&mut other, 300);
        assert_eq!(at_once.lines, second.lines);
    }

    #[test]
    fn the_tree_can_be_walked_along_the_best_line() {
        for agent in ["champion", "mcts-regret-wide"] {
            let (mut session, _) = search(agent, 12);
            let found = step(&mut session, 400);
            let mut path = Vec::new();
            let mut walked = Vec::new();
            loop {
                let ask = AskTree {
                    path: path.clone(),
                    top: 1000,
                };
                let node = session.tree(&ask).expect("a node");
                assert_eq!(node.edges.len() as u32, node.count);
                assert!(
                    node.edges
                        .is_sorted_by_key(|edge| std::cmp::Reverse(edge.visits))
                        || found.winner.is_some()
                );
                let Some(edge) = node.edges.first().filter(|edge| edge.visits > 0) else {
                    break;
                };
                path.push(edge.step.clone());
                if edge.step.parse::<u8>().is_err() {
                    walked.push(edge.step.clone());
                }
            }
            assert!(
                walked.len() > 1 && found.lines[0].line.starts_with(&walked[..1]),
                "{walked:?}"
            );
            let ask = AskTree {
                path: vec!["S:a1".to_owned()],
                top: 1,
            };
            assert_eq!(
                session.tree(&ask),
                Err("'S:a1' is not a step of the search there".to_owned())
            );
        }
    }

    #[test]
    fn a_decision_for_fixed_iterations_is_that_of_the_agent() {
        let mut session = BoardSession::default();
        let mut played = game(3, 0);
        let setup: Setup = played.start.parse().expect("a setup");
        let agent = agents::named("mcts-fast").expect("an agent");
        let mut agent = Partner::of(agent.name.clone(), agent.player(), 9);
        let (mut state, mut actions) = (State::new(&setup), Vec::new());
        for _ in 0..30 {
            let limit = Limit {
                budget: Some(Budget::Iterations(50)),
                stop: &Stop::new(),
            };
            let (decision, _) = agent
                .decide(&setup, &actions, &state, limit)
                .expect("no fault");
            let ask = AskDecision {
                game: played.clone(),
                agent: "mcts-fast".to_owned(),
                iterations: Some(50),
                milliseconds: None,
                seed: 9,
            };
            let answer = session.decide(&ask).expect("a decision");
            assert_eq!(answer.action, decision.action.to_string());
            assert_eq!(answer.chance, decision.thought.value);
            state = state.try_play(&setup, decision.action).expect("legal");
            actions.push(decision.action);
            played.actions = actions.iter().map(Action::to_string).collect();
            if state.is_over() {
                break;
            }
        }
    }

    #[test]
    fn what_cannot_be_searched_is_refused() {
        let mut session = BoardSession::default();
        let ask = StartSearch {
            game: game(1, 3),
            agent: Some("random".to_owned()),
            seed: 1,
        };
        let refused = session.start_search(&ask).expect_err("no tree");
        assert_eq!(
            refused,
            "random searches no tree; expected an agent of type mcts"
        );
        let ask = StartSearch {
            agent: Some("chanpion".to_owned()),
            ..ask
        };
        let refused = session.start_search(&ask).expect_err("unknown");
        assert!(refused.starts_with("unknown agent 'chanpion'"), "{refused}");
        let nothing = StepSearch {
            iterations: Some(1),
            milliseconds: None,
            top: 1,
        };
        assert_eq!(session.step(&nothing), Err(NO_SEARCH.to_owned()));
        for (iterations, time, sentence) in [
            (
                Some(1),
                Some(1),
                "expected iterations or milliseconds, found both",
            ),
            (Some(0), None, "the budget is 0; expected at least 1"),
            (
                None,
                Some(u32::MAX),
                "the budget is 4294967295 milliseconds; expected at most 3600000",
            ),
        ] {
            assert_eq!(budget(iterations, time), Err(sentence.to_owned()));
        }
    }
}
