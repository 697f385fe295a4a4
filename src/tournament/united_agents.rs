//! The combined agents of several plans.

use std::collections::BTreeMap;
use std::path::Path;

use patchwork_engine::util::InputError;

use super::combine::cannot_pool;
use super::identity::AgentId;
use super::plan::{Plan, PlannedAgent};

/// The agents of all plans by their identity. Agents with the same settings are the same agent, whatever
/// their names; it gets the first name in alphabetical order. The order of the plans does not matter.
///
/// # Errors
/// When an agent has different settings in two plans.
pub(super) fn united_agents(
    plans: &[(&Path, &Plan)],
) -> Result<BTreeMap<AgentId, PlannedAgent>, InputError> {
    let mut by_name: BTreeMap<&str, (AgentId, &Path)> = BTreeMap::new();
    // The agents with the same settings by name, and the largest number of them in a plan.
    let mut by_settings: BTreeMap<AgentId, (BTreeMap<&str, &PlannedAgent>, usize)> =
        BTreeMap::new();
    for &(dir, plan) in plans {
        let mut copies: BTreeMap<AgentId, usize> = BTreeMap::new();
        for agent in plan.agents() {
            let settings = AgentId::new(&agent.config, 0);
            let (known, other) = *by_name.entry(&agent.name).or_insert((settings, dir));
            if known != settings {
                let what = format!(
                    "the settings of the agent {} differ; rename one of them",
                    agent.name
                );
                return Err(cannot_pool(other, dir, &what));
            }
            let (same, most) = by_settings.entry(settings).or_default();
            same.entry(&agent.name).or_insert(agent);
            let count = copies.entry(settings).or_default();
            *count += 1;
            *most = (*most).max(*count);
        }
    }
    let mut united = BTreeMap::new();
    for (same, most) in by_settings.into_values() {
        for (copy, agent) in (0..).zip(same.into_values().take(most)) {
            united.insert(AgentId::new(&agent.config, copy), agent.clone());
        }
    }
    Ok(united)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::tournaments::random_agents;
    use crate::tournament::Format;
    use patchwork_engine::agent::GreedySettings;
    use patchwork_engine::game::Track;

    fn plan(names: &[&str]) -> Plan {
        let mut agents = random_agents(names);
        let greedy = GreedySettings::new("bl/some/first".parse().unwrap());
        agents.push(PlannedAgent::new("greedy", greedy.into()));
        Plan::new(1, Track::Original, Format::RoundRobin, 1, agents).unwrap()
    }

    fn names(plans: [&Plan; 2]) -> Vec<String> {
        let plans = plans.map(|plan| (Path::new("d"), plan));
        let united = united_agents(&plans).unwrap();
        let mut names: Vec<String> = united.into_values().map(|agent| agent.name).collect();
        names.sort();
        names
    }

    #[test]
    fn the_order_of_plans_does_not_matter() {
        for (one, other, expected) in [
            (
                plan(&["random"]),
                plan(&["aaa", "random"]),
                &["aaa", "greedy", "random"][..],
            ),
            (plan(&["zoe"]), plan(&["random"]), &["greedy", "random"]),
            (
                plan(&["a", "b"]),
                plan(&["c", "d", "e"]),
                &["a", "b", "c", "greedy"],
            ),
        ] {
            assert_eq!(names([&one, &other]), expected);
            assert_eq!(names([&other, &one]), expected);
        }
    }

    #[test]
    fn a_name_has_one_meaning() {
        let (one, other) = (plan(&["x"]), plan(&["y", "z"]));
        let other = other.agents().iter().map(|agent| {
            let name = if agent.name == "greedy" {
                "x"
            } else {
                &agent.name
            };
            PlannedAgent::new(name, agent.config.clone())
        });
        let other = Plan::new(1, Track::Original, Format::RoundRobin, 1, other.collect()).unwrap();
        let error = united_agents(&[(Path::new("1"), &one), (Path::new("2"), &other)]);
        assert_eq!(
            error.unwrap_err().to_string(),
            "1 and 2 cannot be pooled: the settings of the agent x differ; rename one of them"
        );
    }
}
