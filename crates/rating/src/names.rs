//! Names of agents.

/// The agent's name; a placeholder number for an index out of range, which a damaged record may
/// contain.
pub fn name_of(names: &[String], agent: usize) -> String {
    names
        .get(agent)
        .cloned()
        .unwrap_or_else(|| format!("agent {agent}"))
}
