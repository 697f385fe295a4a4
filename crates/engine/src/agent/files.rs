//! Agents' files: where they are found and which are built in, files that extend others, variants, and the kinds of agents
//! that files can name.

pub(super) mod agent_file;
pub(super) mod extends;
pub(super) mod folder;
#[cfg(feature = "files")]
pub(super) mod paths;
pub(super) mod registry;
pub(super) mod shipped;
pub(super) mod tables;
pub(super) mod variant;
