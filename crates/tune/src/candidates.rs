//! Makes agents from points of a space, and checks that every point gives a valid one.

use patchwork_engine::agent::AgentFile;
use patchwork_engine::util::InputError;
use patchwork_engine::util::rng::stream;

use super::space::{NO_START, Point, Space, SpaceKey};
use patchwork_tournament::domain::{SettingValue, value_of};

/// The base agent with the settings of a point. Inactive keys are removed; those that have no effect are left as they are.
pub(super) fn agent_of(
    base: &AgentFile,
    space: &Space,
    point: &Point,
) -> Result<AgentFile, InputError> {
    let settings = base.config.table();
    let mut overrides = point.overrides()?;
    let idle = base.idle_with(&overrides);
    for SpaceKey { name, .. } in space.keys() {
        let is_idle = idle.iter().any(|idle| idle.has(name));
        if point.get(name).is_none() && !is_idle && value_of(&settings, name).is_some() {
            overrides.insert(name, None)?;
        }
    }
    base.variant(&overrides).map_err(InputError::without_place)
}

/// Maximum number of values of a number on which other keys depend.
const MAX_VALUES: usize = 64;
/// Maximum number of combinations of values of the keys on which others depend.
const MAX_COMBINATIONS: usize = 4096;
/// Number of random points at which a key is looked for that has no effect at the corners.
const SAMPLE: usize = 256;

/// Builds the agent at every corner of a space: each value of a choice and both ends of each range, with
/// every combination of the keys on which others depend.
pub(super) fn check_corners(base: &AgentFile, space: &Space) -> Result<(), String> {
    // The keys without effect at all corners so far.
    let mut idle: Vec<&SpaceKey> = space.keys().iter().collect();
    let mut check = |value: &dyn Fn(&SpaceKey) -> Option<SettingValue>| {
        let point = corner(base, space, value)?;
        idle.retain(|key| point.get(&key.name).is_none());
        Ok::<_, String>(())
    };
    let is_parent = |key: &SpaceKey| space.keys().iter().any(|k| k.when.contains_key(&key.name));
    let (parents, others): (Vec<&SpaceKey>, Vec<&SpaceKey>) =
        space.keys().iter().partition(|key| is_parent(key));
    let mut combinations = vec![Point::default()];
    for parent in parents {
        let values = parent.domain.levels(MAX_VALUES);
        combinations = combinations
            .iter()
            .flat_map(|point| {
                values.iter().map(|value| {
                    let mut with = point.clone();
                    with.set(&parent.name, value.clone());
                    with
                })
            })
            .take(MAX_COMBINATIONS)
            .collect();
    }
    for combination in &combinations {
        check(&|key| combination.get(&key.name).cloned())?;
        for other in &others {
            for value in other.domain.levels(2) {
                check(&|key| match key.name == other.name {
                    true => Some(value.clone()),
                    false => combination.get(&key.name).cloned(),
                })?;
            }
        }
    }
    // Some keys have an effect only with certain values of several others.
    let mut rng = stream(&[0]);
    for _ in 0..SAMPLE {
        if idle.is_empty() {
            return Ok(());
        }
        let point = space.sample(&mut rng);
        idle.retain(|key| point.get(&key.name).is_none());
    }
    let others = space.idle(&space.middle());
    let mut known = idle.iter().filter_map(|key| {
        let of = others.iter().find(|of| of.has(&key.name))?;
        Some(format!("\"{}\": requires {}", key.name, of.with))
    });
    known.next().map_or(Ok(()), Err)
}

/// Checks the agent with these values, and returns its point; other keys take the middle of their range or their first
/// value.
fn corner(
    base: &AgentFile,
    space: &Space,
    value: &dyn Fn(&SpaceKey) -> Option<SettingValue>,
) -> Result<Point, String> {
    let point = space.point_of(NO_START, |name| {
        let key = space.keys().iter().find(|key| key.name == name)?;
        value(key).or_else(|| key.domain.levels(3).into_iter().nth(1))
    });
    let point = point.map_err(|error| error.to_string())?;
    let agent = agent_of(base, space, &point);
    agent.map_err(|wrong| format!("{wrong}; {} with {point}", base.name))?;
    Ok(point)
}
