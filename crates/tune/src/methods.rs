//! Search methods.
//!
//! To add a method, create a file with a type that implements the trait in `method.rs`, and add a line to the
//! list below.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::method::Searcher;

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
