//! What a report of a tournament is made from.

use std::sync::OnceLock;

use patchwork_engine::record::Games;
use schemars::JsonSchema;
use serde::Serialize;

use super::game_digest::{GameDigest, digests};
use super::header::Header;
use crate::stats::Summary;
use crate::tournament::{Plan, Results};

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
    #[serde(skip)]
    pub(super) plan: &'a Plan,
    #[serde(skip)]
    pub(super) games: &'a dyn Games,
    /// The agents, by their numbers in the plan.
    #[serde(skip)]
    pub(super) names: Vec<String>,
    #[serde(skip)]
    digests: OnceLock<Vec<GameDigest>>,
}

impl<'a> TournamentReport<'a> {
    /// Computes all statistics of the results.
    #[must_use]
    pub fn new(results: &'a Results) -> Self {
        let plan = &results.manifest.plan;
        let (names, pairings) = (plan.names(), plan.pairings());
        let mut summary = Summary::of(&names, &pairings, &results.games);
        if plan.format().is_adaptive() {
            // In some formats, some agents never meet.
            summary.pairings.retain(|pairing| pairing.games > 0);
        }
        if plan.test().is_some() {
            summary.rank_after_tests();
        }
        let mut header = Header::new(results);
        header.format.take_ratings(&summary);
        Self::of(header, summary, plan, &results.games)
    }

    pub(super) fn of(
        header: Header,
        summary: Summary,
        plan: &'a Plan,
        games: &'a dyn Games,
    ) -> Self {
        Self {
            header,
            summary,
            plan,
            games,
            names: plan.names(),
            digests: OnceLock::new(),
        }
    }

    /// A digest of every game, in the order of the plan.
    pub(super) fn digests(&self) -> &[GameDigest] {
        self.digests.get_or_init(|| digests(self.plan, self.games))
    }

    /// The general information about the tournament.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The statistics.
    #[must_use]
    pub const fn summary(&self) -> &Summary {
        &self.summary
    }
}
