//! The report on a search: its actions, choices and principal variation. The two steps of buying a
//! patch are merged into one action.

use crate::agent;
use crate::game::{Action, PatchId, Player, State};
use crate::search::Candidate;

use super::Analysis;
use super::report::{
    ActionRow, BestAction, ChoiceRow, LineStep, PositionReport, SearchFacts, Timing,
};

/// A complete action, or a patch with no known placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whole {
    Action(Action),
    Patch(PatchId),
}

impl Whole {
    fn text(self) -> String {
        match self {
            Self::Action(action) => action.to_string(),
            Self::Patch(patch) => format!("{patch}:?"),
        }
    }

    fn choice(self) -> String {
        match self {
            Self::Action(Action::Advance) => "A".to_owned(),
            Self::Action(Action::Special(_)) => "S".to_owned(),
            Self::Action(Action::Buy(patch, _)) | Self::Patch(patch) => patch.to_string(),
        }
    }
}

impl Analysis {
    /// The current results, with at most `top` actions.
    #[must_use]
    pub fn report(&self, agent: &str, top: usize) -> PositionReport {
        let root = self.search.tree_search().candidates(&[]);
        let visits: u64 = root.iter().map(|one| u64::from(one.visits)).sum();
        let mut all = self.whole_actions(&root);
        let considered = all.len();
        let tried = all.iter().filter(|(_, one)| one.visits > 0).count();
        let choices = choices(&all, &root, visits);
        if let Some(decision) = &self.decision {
            let action = Whole::Action(decision.action);
            sort(&mut all, action);
        }
        let rows = all.iter().take(top);
        let rows = rows.map(|(whole, one)| row(*whole, one, visits));
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
            mean_depth: self.steps as f64 / self.iterations.max(1) as f64,
            max_depth: self.max_depth,
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
            if let agent::Step::Play(action) = one.action {
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

    /// The actions of the root. The two steps of buying are merged into one action, with the visits
    /// of the second step.
    fn whole_actions(
        &self,
        root: &[Candidate<agent::Step>],
    ) -> Vec<(Whole, Candidate<agent::Step>)> {
        let mut all = Vec::with_capacity(root.len());
        for one in root {
            let patch = match one.action {
                agent::Step::Play(action) => {
                    all.push((Whole::Action(action), *one));
                    continue;
                }
                agent::Step::Pick(patch) => patch,
            };
            let below = self.search.tree_search().candidates(&[one.action]);
            if below.is_empty() {
                all.push((Whole::Patch(patch), *one));
            }
            for mut placed in below {
                if let agent::Step::Play(action) = placed.action {
                    placed.prior *= one.prior;
                    all.push((Whole::Action(action), placed));
                }
            }
        }
        if let Some(action) = self.solved {
            let whole = Whole::Action(action);
            match all.iter_mut().find(|(other, _)| *other == whole) {
                Some((_, one)) => one.proven = Some(true),
                None => all.push((whole, solved(action))),
            }
        }
        all
    }
}

/// An action that is known to win by exact search, without the tree.
const fn solved(action: Action) -> Candidate<agent::Step> {
    Candidate {
        action: agent::Step::Play(action),
        visits: 0,
        value: 1.0,
        chance: 1.0,
        prior: 0.0,
        proven: Some(true),
    }
}

fn row(whole: Whole, one: &Candidate<agent::Step>, visits: u64) -> ActionRow {
    ActionRow {
        action: whole.text(),
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

/// Sorts the decision first, then proven wins, then by visits; losing and untried actions come
/// last.
fn sort(all: &mut [(Whole, Candidate<agent::Step>)], decision: Whole) {
    let rank = |one: &Candidate<agent::Step>| match one.proven {
        Some(true) => 3,
        None if one.visits > 0 => 2,
        Some(false) => 1,
        None => 0,
    };
    all.sort_by_key(|(whole, one)| std::cmp::Reverse((*whole == decision, rank(one), one.visits)));
}

/// The choices, in the order in which they are first considered.
fn choices(
    all: &[(Whole, Candidate<agent::Step>)],
    root: &[Candidate<agent::Step>],
    visits: u64,
) -> Vec<ChoiceRow> {
    let mut choices: Vec<ChoiceRow> = Vec::new();
    for one in root {
        let whole = match one.action {
            agent::Step::Play(action) => Whole::Action(action),
            agent::Step::Pick(patch) => Whole::Patch(patch),
        };
        let name = whole.choice();
        let at = choices.iter().position(|choice| choice.choice == name);
        let at = at.unwrap_or_else(|| {
            choices.push(ChoiceRow {
                choice: name.clone(),
                visits: 0,
                share: 0.0,
                value: None,
                prior: 0.0,
                actions: all
                    .iter()
                    .filter(|(whole, _)| whole.choice() == name)
                    .count(),
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

fn step(player: Player, action: Action, one: &Candidate<agent::Step>) -> LineStep {
    LineStep {
        player,
        action: action.to_string(),
        visits: one.visits,
        value: one.chance,
        proven: one.proven,
    }
}
