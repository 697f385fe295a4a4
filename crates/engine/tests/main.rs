//! The engine against independent data and against slow, obvious code.

mod support;

mod placement;
mod rules;
