//! The report on a search: its actions, choices and principal variation. The two steps of buying a
//! patch are merged into one action.

use crate::agent::{PatchworkSearch, Step};
use crate::game::{Action, Player, State};
use crate::search::Candidate;

use super::Analysis;
use super::report::{
    ActionRow, BestAction, ChoiceRow, LineStep, PositionReport, SearchFacts, Timing,
};

/// An action, or a patch with no known placement.
fn text(step: Step) -> String {
    match step {
        Step::Play(action) => action.to_string(),
        Step::Pick(patch) => format!("{patch}:?"),
    }
}

/// What the player does, apart from placing a patch.
fn choice(step: Step) -> String {
    match step {
        Step::Play(Action::Advance) => "A".to_owned(),
        Step::Play(Action::Special(_)) => "S".to_owned(),
        Step::Play(Action::Buy(patch, _)) | Step::Pick(patch) => patch.to_string(),
    }
}

impl Analysis {
    /// The current results, with at most `top` actions.
    pub fn report(&self, agent: &str, top: usize) -> PositionReport {
        let root = self.search.tree_search().candidates(&[]);
        let visits: u64 = root.iter().map(|one| u64::from(one.visits)).sum();
        let mut all = self.whole_actions(&root);
        let considered = all.len();
        let tried = all.iter().filter(|one| one.visits > 0).count();
        let choices = choices(&all, &root, visits);
        if let Some(decision) = &self.decision {
            PatchworkSearch::sort(&mut all, decision.action);
        }
        let rows = all.iter().take(top).map(|one| row(one, visits));
        let facts = self.facts(considered, tried);
        PositionReport {
            estimate: Some(self.estimate),
            best: self
                .decision
                .as_ref()
                .map(|decision| BestAction::new(decision, self.iterations)),
            winner: self.winner(),
            line: self.line(),
            choices,
            actions: rows.collect(),
            search: Some(facts),
            time: Some(Timing::new(self.time.as_secs_f64(), self.iterations)),
            ..PositionReport::of_position(&self.position, agent)
        }
    }

    fn facts(&self, considered: usize, tried: usize) -> SearchFacts {
        let size = self.search.tree_search().size();
        let tree = self.decision.and_then(|decision| decision.thought.tree);
        SearchFacts {
            threads: self.searching,
            iterations: self.iterations,
            ended: self.ended,
            mean_depth: self.depth.sum as f64 / self.iterations.max(1) as f64,
            max_depth: self.depth.max,
            nodes: size.nodes,
            edges: size.edges,
            bytes_per_node: size.bytes_per_node,
            bytes_per_edge: size.bytes_per_edge,
            bytes: size.bytes(),
            entropy: tree.map_or(0.0, |tree| tree.entropy),
            considered,
            tried,
        }
    }

    fn line(&self) -> Vec<LineStep> {
        let mut state: State = self.position.state;
        let mut line = Vec::new();
        for one in self.search.tree_search().line() {
            if let Step::Play(action) = one.action {
                line.push(step(state.mover(), action, &one));
                state.play_unchecked(&self.position.setup, action);
            }
        }
        if let Some(action) = self.solved
            && line
                .first()
                .is_none_or(|first| first.action != action.to_string())
        {
            let mover = self.position.state.mover();
            line = vec![step(mover, action, &solved(action))];
        }
        line
    }

    /// The actions of the root, and the one that is known to win without the tree.
    fn whole_actions(&self, root: &[Candidate<Step>]) -> Vec<Candidate<Step>> {
        let mut all = self.search.whole_actions(root);
        if let Some(action) = self.solved {
            match all.iter_mut().find(|one| one.action == Step::Play(action)) {
                Some(one) => one.proven = Some(true),
                None => all.push(solved(action)),
            }
        }
        all
    }
}

/// An action that is known to win by exact search, without the tree.
const fn solved(action: Action) -> Candidate<Step> {
    Candidate {
        action: Step::Play(action),
        visits: 0,
        value: 1.0,
        chance: 1.0,
        prior: 0.0,
        proven: Some(true),
    }
}

fn row(one: &Candidate<Step>, visits: u64) -> ActionRow {
    ActionRow {
        action: text(one.action),
        visits: one.visits,
        share: share(one.visits, visits),
        value: (one.visits > 0).then_some(one.chance),
        prior: one.prior,
        proven: one.proven,
    }
}

fn share(visits: u32, all: u64) -> f64 {
    f64::from(visits) / all.max(1) as f64
}

/// The choices, in the order in which they are first considered.
fn choices(all: &[Candidate<Step>], root: &[Candidate<Step>], visits: u64) -> Vec<ChoiceRow> {
    let mut choices: Vec<ChoiceRow> = Vec::new();
    for one in root {
        let name = choice(one.action);
        let at = choices.iter().position(|choice| choice.choice == name);
        let at = at.unwrap_or_else(|| {
            choices.push(ChoiceRow {
                choice: name.clone(),
                visits: 0,
                share: 0.0,
                value: None,
                prior: 0.0,
                actions: all.iter().filter(|one| choice(one.action) == name).count(),
            });
            choices.len() - 1
        });
        let choice = &mut choices[at];
        let before = f64::from(choice.visits) * f64::from(choice.value.unwrap_or(0.0));
        choice.visits += one.visits;
        choice.prior += one.prior;
        choice.share = share(choice.visits, visits);
        let sum = before + f64::from(one.visits) * f64::from(one.chance);
        choice.value = (choice.visits > 0).then(|| (sum / f64::from(choice.visits)) as f32);
    }
    choices
}

fn step(player: Player, action: Action, one: &Candidate<Step>) -> LineStep {
    LineStep {
        player,
        action: action.to_string(),
        visits: one.visits,
        value: one.chance,
        proven: one.proven,
    }
}
