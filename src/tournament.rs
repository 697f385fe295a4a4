//! Tournaments: many games between agents, and the folder that keeps their results.

pub mod store;
