//! What a report of a tournament is made from.

use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::Serialize;

use super::header::Header;
use super::methods::methods;
use patchwork_tournament::stats::{Highlights, Summary};
use patchwork_tournament::{Archive, Plan, Results, TournamentError};

/// All report data of a tournament. As JSON, it has the fields of the header, followed by those of the statistics.
#[derive(Serialize, JsonSchema)]
#[schemars(
    title = "Report of a tournament of Patchwork Arena",
    description = "Output of `patchwork-arena report DIR --format json`, also saved as `summary.json`. All intervals are 95% \
                   and computed from pairs of games. A value is null if the games do not determine it."
)]
pub struct TournamentReport<'a> {
    #[serde(flatten)]
    pub(super) header: Header,
    #[serde(flatten)]
    pub(super) summary: Summary,
    /// The methods in one paragraph, for a paper: the agents, what they played, on which machine, and the estimators.
    pub(super) methods: String,
    #[serde(skip)]
    pub(super) plan: &'a Plan,
    #[serde(skip)]
    pub(super) games: &'a Archive,
    /// The agents, by their numbers in the plan.
    #[serde(skip)]
    pub(super) names: Vec<String>,
    /// The games for the viewer.
    #[serde(skip)]
    pub(super) highlights: Highlights,
    /// The indices of the games in the order of the plan.
    #[serde(skip)]
    order: OnceLock<Vec<u32>>,
}

impl<'a> TournamentReport<'a> {
    /// Computes all statistics of the results.
    pub fn new(results: &'a Results) -> Result<Self, TournamentError> {
        let plan = &results.manifest.plan;
        let (names, pairings) = (plan.names(), plan.pairings());
        let (place, folded) = (|id| plan.place(id), results.statistics.as_deref());
        let (mut summary, highlights) =
            Summary::with_highlights(&names, &pairings, &results.games, place, folded)?;
        if plan.test().is_some() {
            summary.rank_after_tests();
        }
        let mut header = Header::new(results);
        if let Some(tests) = &mut header.sprt {
            tests.take_ratings(&summary);
        }
        let statistics = (summary, highlights);
        Ok(Self::of(header, statistics, plan, &results.games))
    }

    pub(super) fn of(
        header: Header,
        (summary, highlights): (Summary, Highlights),
        plan: &'a Plan,
        games: &'a Archive,
    ) -> Self {
        Self {
            methods: methods(&header, &summary, plan, games),
            header,
            summary,
            plan,
            games,
            names: plan.names(),
            highlights,
            order: OnceLock::new(),
        }
    }

    /// The indices of the games, in the order of the plan.
    pub(super) fn order(&self) -> &[u32] {
        self.order
            .get_or_init(|| in_plan_order(self.plan, self.games))
    }

    /// The general information about the tournament.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The statistics.
    pub const fn summary(&self) -> &Summary {
        &self.summary
    }
}

/// The indices of games in the order of their plan.
pub(super) fn in_plan_order(plan: &Plan, games: &Archive) -> Vec<u32> {
    let mut order: Vec<u32> = (0..games.len() as u32).collect();
    let key = |&index: &u32| plan.place(games.facts()[index as usize].id());
    if !order.is_sorted_by_key(key) {
        order.sort_unstable_by_key(key);
    }
    order
}
