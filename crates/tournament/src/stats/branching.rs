//! Numbers of legal actions by ply, by phase and by kind.

use super::statistics::{FORCED, LEGAL};
use patchwork_engine::game::MAX_PLIES;
use patchwork_rating::{Clusters, Estimate};
use schemars::JsonSchema;
use serde::Serialize;

use super::means::{PairClusters, Sum, per};
use super::tally::{CLASSES, ClassTally, WholeTally};

/// There is a legal action at every ply.
pub(super) const MIN_LEGAL: f64 = 1.0;

/// Legal actions over a class of plies, including forced plies and those that place special patches. Those of all
/// games describe the agents that played as much as the game.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlyClass {
    /// The agent whose own plies these are; empty for those of all games.
    #[serde(skip)]
    pub agent: String,
    /// What the plies of the class have in common.
    pub by: PlyClassOf,
    /// `all`; the phase, which is that of the mover's token before the ply: `opening` (spaces 0 to 17), `middle` (18 to
    /// 35) or `end`; the kind: `advance`, `patch` (buying a patch) or `special` (placing a special patch); or the ply,
    /// counting from 1.
    pub value: String,
    /// Number of plies.
    pub plies: u64,
    /// Number of these plies that the first player played.
    pub first: u64,
    /// Number of these plies that the second player played.
    pub second: u64,
    /// [`LEGAL`].
    #[schemars(description = LEGAL.about)]
    pub legal: Estimate,
    /// [`FORCED`].
    #[schemars(description = FORCED.about)]
    pub forced: Estimate,
}

/// What the plies of a class have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlyClassOf {
    /// Nothing: all plies.
    All,
    /// The phase of the game.
    Phase,
    /// The kind of decision.
    Kind,
    /// Their number in the game.
    Ply,
}

impl PlyClassOf {
    /// `all`, `phase`, `kind` or `ply`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Phase => "phase",
            Self::Kind => "kind",
            Self::Ply => "ply",
        }
    }
}

/// The classes of [`super::tally::PlyTallies::classes`].
const NAMES: [(PlyClassOf, &str); CLASSES] = [
    (PlyClassOf::Phase, "opening"),
    (PlyClassOf::Phase, "middle"),
    (PlyClassOf::Phase, "end"),
    (PlyClassOf::Kind, "advance"),
    (PlyClassOf::Kind, "patch"),
    (PlyClassOf::Kind, "special"),
];

impl PlyClass {
    fn new(by: PlyClassOf, value: &str, tally: &ClassTally, means: [Estimate; 2]) -> Self {
        let [legal, forced] = means;
        Self {
            agent: String::new(),
            by,
            value: value.to_owned(),
            plies: tally.plies(),
            first: tally.seats[0],
            second: tally.seats[1],
            legal,
            forced,
        }
    }

    /// The ply with this number, counting from 0, where the mean of the legal actions is not known better than by value.
    pub(super) fn of_ply(agent: &str, ply: usize, tally: &ClassTally) -> Self {
        let mean = |sum: u64| Estimate {
            value: per(sum as f64, tally.plies()),
            ..Estimate::default()
        };
        let means = [tally.legal, tally.forced].map(mean);
        Self {
            agent: agent.to_owned(),
            ..Self::new(PlyClassOf::Ply, &(ply + 1).to_string(), tally, means)
        }
    }
}

/// Folds games into [`PlyClass`]es, a pair at a time, in the order of [`PairClusters`].
#[derive(Clone, Debug)]
pub(super) struct BranchingFold {
    all: ClassTally,
    classes: [ClassTally; CLASSES],
    by_ply: [ClassTally; MAX_PLIES],
    /// The legal actions and the forced plies of all plies, then of each class.
    means: PairClusters,
    legal_by_ply: PairClusters,
}

impl BranchingFold {
    pub(super) fn new() -> Self {
        Self {
            all: ClassTally::default(),
            classes: [ClassTally::default(); CLASSES],
            by_ply: [ClassTally::default(); MAX_PLIES],
            means: PairClusters::new(2 + 2 * CLASSES),
            legal_by_ply: PairClusters::new(MAX_PLIES),
        }
    }

    /// Adds the finished games of a pair, of which there is at least one.
    pub(super) fn add(&mut self, setup: Option<u32>, pair: &[WholeTally]) {
        let pairing = pair[0].0.pairing;
        let mut of_pair = [ClassTally::default(); 1 + CLASSES];
        // A legal game is not longer.
        let mut by_ply = [Sum::default(); MAX_PLIES];
        for (_, game) in pair {
            let classes = [game.all()].into_iter().chain(game.classes);
            let sums = of_pair.iter_mut().zip(classes);
            sums.for_each(|(sum, class)| *sum += class);
            let of_plies = by_ply.iter_mut().zip(&mut self.by_ply);
            for ((sum, tally), &(player, legal)) in of_plies.zip(&game.legal) {
                sum.add(legal);
                tally.add(player, legal);
            }
        }
        let sums = of_pair.map(|class| {
            let count = class.plies() as f64;
            [class.legal, class.forced].map(|sum| Sum {
                total: sum as f64,
                count,
            })
        });
        self.means.add(setup, pairing, sums.as_flattened());
        let [all, classes @ ..] = of_pair;
        self.all += all;
        let sums = self.classes.iter_mut().zip(classes);
        sums.for_each(|(sum, class)| *sum += class);
        let is_reached = |sum: &Sum| sum.count > 0.0;
        let longest = by_ply.iter().rposition(is_reached).map_or(0, |ply| ply + 1);
        self.legal_by_ply.add(setup, pairing, &by_ply[..longest]);
    }

    pub(super) fn finish(self) -> Vec<PlyClass> {
        let means = self.means.finish();
        let legal = |clusters: Clusters| clusters.mean_above(MIN_LEGAL);
        let names = [(PlyClassOf::All, "all")].into_iter().chain(NAMES);
        let tallies = [self.all].into_iter().chain(self.classes);
        let classes = names.zip(tallies).zip(means.chunks(2));
        let classes = classes.map(|(((by, value), tally), means)| {
            PlyClass::new(by, value, &tally, [legal(means[0]), means[1].share()])
        });
        let plies = self.legal_by_ply.finish().into_iter().zip(self.by_ply);
        let plies = (0..)
            .zip(plies)
            .take_while(|(_, (_, tally))| tally.plies() > 0);
        let plies = plies.map(|(ply, (clusters, tally))| PlyClass {
            legal: legal(clusters),
            ..PlyClass::of_ply("", ply, &tally)
        });
        classes.chain(plies).collect()
    }
}
