//! Search methods, and their interface.
//!
//! To add a method, create a file with a type that implements [`Searcher`], and add a line to the list below.

use std::fmt::Debug;

use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::history::History;
use super::space::{Point, Space};

/// Declares the module of each method and the enum of all of them; the default comes first.
macro_rules! methods {
    ($($(#[$doc:meta])* $file:ident: $Type:ident),+ $(,)?) => {
        $(mod $file;)+

        /// The search method.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum SearchMethod {
            $($(#[$doc])* $Type,)+
        }

        impl SearchMethod {
            /// All methods, the default first.
            pub const ALL: &'static [Self] = &[$(Self::$Type),+];

            /// The name in files.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Type => stringify!($file),)+
                }
            }

            pub(super) fn start(self) -> Box<dyn Searcher> {
                match self {
                    $(Self::$Type => Box::new($file::$Type::default()),)+
                }
            }
        }
    };
}

methods! {
    /// N-tuple bandit evolutionary algorithm (Lucas, Liu and Perez-Liebana 2018).
    ntbea: Ntbea,
    /// Simultaneous perturbation stochastic approximation (Spall 1992), as chess engines use it.
    spsa: Spsa,
    /// Random candidates and a race among them.
    random: Random,
    /// A race among the candidates that the user gives.
    race: Race,
}

impl Default for SearchMethod {
    fn default() -> Self {
        Self::ALL[0]
    }
}

/// The settings of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct TunerSettings {
    /// The method.
    pub method: SearchMethod,
    /// Maximum number of pairs.
    pub pairs: u32,
    /// The seed of all random choices.
    pub seed: u64,
    /// Number of candidates per batch, which can be played at the same time. It must not depend on the number
    /// of threads if the search is to be the same with any number of threads.
    pub batch: u32,
    /// The share of the pairs for the final race, 0 to 1; `None` for the method's default.
    pub final_share: Option<f64>,
    /// Maximum number of candidates in the final race; `None` for the method's default.
    pub finalists: Option<u32>,
    /// Where the search starts, and the point of the base agent. They are tried first and take part in the final race.
    pub start: Vec<Point>,
    /// The candidates of [`SearchMethod::Race`].
    pub candidates: Vec<Point>,
}

impl TunerSettings {
    /// The default settings for this many pairs.
    pub fn new(pairs: u32, seed: u64) -> Self {
        Self {
            method: SearchMethod::default(),
            pairs,
            seed,
            batch: 8,
            final_share: None,
            finalists: None,
            start: Vec::new(),
            candidates: Vec::new(),
        }
    }
}

/// What a method sees of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub(super) space: &'a Space,
    pub(super) history: &'a History,
    pub(super) settings: &'a TunerSettings,
    /// Number of pairs of the whole search, without the final race.
    pub(super) pairs: u32,
}

impl View<'_> {
    /// Number of pairs per trial that gives the search about this many trials.
    pub(super) fn pairs_for(&self, trials: u32) -> u32 {
        (self.pairs / trials.max(1)).max(1)
    }

    /// The points of the start, and distinct random ones.
    pub(super) fn random_candidates(&self, most: usize, rng: &mut Rng) -> Vec<Point> {
        let mut all = self.settings.start.clone();
        // A small space may have fewer points than requested.
        for _ in 0..20 * most {
            if all.len() >= most {
                break;
            }
            let point = self.space.sample(rng);
            if !all.contains(&point) {
                all.push(point);
            }
        }
        all
    }
}

/// A search method. Its state depends only on the histories that it has seen, in order.
pub(super) trait Searcher: Debug + Send {
    /// The share of the pairs for the final race, unless the user sets it.
    fn final_share(&self) -> f64 {
        0.35
    }

    /// Number of candidates in the final race for this many pairs.
    fn finalists_for(&self, pairs: u32) -> usize {
        (pairs as usize / 20).clamp(2, 12)
    }

    /// Whether the final race ranks candidates by the model of all results instead of by the race alone.
    fn trusts_model(&self) -> bool {
        true
    }

    /// Checks that the method can search this space.
    fn check(&self, _view: View<'_>) -> Result<(), InputError> {
        Ok(())
    }

    /// The next batch: candidates, and the number of rings to try each on; empty if only the final race is left. All its
    /// trials are played on the same rings, and their results are reported before the next batch.
    fn propose(&mut self, _view: View<'_>, _rng: &mut Rng) -> Vec<(Point, u32)> {
        Vec::new()
    }

    /// The candidates of the final race, the best first.
    fn finalists(&mut self, view: View<'_>, most: usize, rng: &mut Rng) -> Vec<Point>;
}
