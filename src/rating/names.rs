//! Names of agents.

/// The agent's name; a number for an index beyond the names, which a damaged record may hold.
pub(crate) fn name_of(names: &[String], agent: usize) -> String {
    names
        .get(agent)
        .cloned()
        .unwrap_or_else(|| format!("agent {agent}"))
}
