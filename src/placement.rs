//! Where to put a patch: policies generate placements, evaluations choose among them, and a
//! [`Strategy`] is one of each with a choice of transforms.

mod alternatives;
mod candidates;
mod domains;
mod evaluation;
mod policy;
mod problem;
mod strategy;

pub use alternatives::{Alternatives, MAX_ALTERNATIVES};
pub use candidates::Candidates;
pub use domains::{Domains, regrets};
pub(crate) use domains::{open_after, open_before};
pub use evaluation::{EVALUATIONS, Evaluation};
pub(crate) use policy::{Corners, search_by_domain};
pub use policy::{POLICIES, Policy};
pub use problem::{Available, Problem};
pub use strategy::{Scratch, Strategy, Transforms, UnknownName};
