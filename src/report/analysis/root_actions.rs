//! The actions of the root as they are listed: the two steps of buying a patch are merged into one.

use super::Analysis;
use super::report::{ActionRow, ChoiceRow};
use crate::agent;
use crate::game::{Action, PatchId};
use crate::search::Candidate;

/// A complete action, or a patch with no known placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whole {
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
    /// The actions of the root. The two steps of buying are merged into one action, with the visits
    /// of the second step.
    pub(super) fn whole_actions(
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
            let below = self.search.trees().candidates(&[one.action]);
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
pub(super) const fn solved(action: Action) -> Candidate<agent::Step> {
    Candidate {
        action: agent::Step::Play(action),
        visits: 0,
        value: 1.0,
        chance: 1.0,
        prior: 0.0,
        proven: Some(true),
    }
}

pub(super) fn row(whole: Whole, one: &Candidate<agent::Step>, visits: u64) -> ActionRow {
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
pub(super) fn sort(all: &mut [(Whole, Candidate<agent::Step>)], decision: Whole) {
    let rank = |one: &Candidate<agent::Step>| match one.proven {
        Some(true) => 3,
        None if one.visits > 0 => 2,
        Some(false) => 1,
        None => 0,
    };
    all.sort_by_key(|(whole, one)| std::cmp::Reverse((*whole == decision, rank(one), one.visits)));
}

/// The choices, in the order in which they are first considered.
pub(super) fn choices(
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
