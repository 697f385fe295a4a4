//! The engine against independent data and against slow, obvious code.

mod placement;
mod rollouts;
mod rules;
