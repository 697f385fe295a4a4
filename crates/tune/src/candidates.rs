//! Makes agents from points of a space, and checks that every point gives a valid one.

use patchwork_engine::agent::{AgentFile, Overrides};
use patchwork_engine::util::InputError;

use super::space::{NO_START, Point, Space, SpaceKey};
use patchwork_tournament::domain::SettingValue;

/// The value of a dotted key of an agent's settings.
pub(super) fn value_of(table: &toml::Table, key: &str) -> Option<toml::Value> {
    let mut parts = key.split('.');
    let mut value = table.get(parts.next()?)?;
    for part in parts {
        value = value.as_table()?.get(part)?;
    }
    Some(value.clone())
}

/// The base agent with the settings of a point. Inactive keys are removed.
pub(super) fn agent_of(
    base: &AgentFile,
    space: &Space,
    point: &Point,
) -> Result<AgentFile, InputError> {
    let settings = base.config.table();
    let mut overrides = Overrides::default();
    for SpaceKey { name, .. } in space.keys() {
        let value = point.get(name).map(toml::Value::from);
        if value.is_some() || value_of(&settings, name).is_some() {
            overrides.insert(name, value)?;
        }
    }
    base.candidate(&overrides)
        .map_err(InputError::without_place)
}

/// Maximum number of values of a number on which other keys depend.
const MAX_VALUES: usize = 64;
/// Maximum number of combinations of values of the keys on which others depend.
const MAX_COMBINATIONS: usize = 4096;

/// Builds the agent at every corner of a space: each value of a choice and both ends of each range, with
/// every combination of the keys on which others depend.
pub(super) fn check_corners(base: &AgentFile, space: &Space) -> Result<(), String> {
    // What has no effect at any corner so far.
    let mut idle = None;
    let mut is_first = true;
    let mut check = |value: &dyn Fn(&SpaceKey) -> Option<SettingValue>| {
        let here = corner(base, space, value)?.config.idle();
        idle = here.filter(|of| is_first || idle == Some(*of));
        is_first = false;
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
    let mut keys = space.keys().iter();
    match idle.and_then(|of| Some((of, keys.find(|key| of.has(&key.name))?))) {
        Some((of, key)) => Err(format!("\"{}\": requires {}", key.name, of.with)),
        None => Ok(()),
    }
}

/// The agent with these values; other keys take the middle of their range or their first value.
fn corner(
    base: &AgentFile,
    space: &Space,
    value: &dyn Fn(&SpaceKey) -> Option<SettingValue>,
) -> Result<AgentFile, String> {
    let point = space.point_of(NO_START, |name| {
        let key = space.keys().iter().find(|key| key.name == name)?;
        value(key).or_else(|| key.domain.levels(3).into_iter().nth(1))
    });
    let point = point.map_err(|error| error.to_string())?;
    agent_of(base, space, &point).map_err(|wrong| format!("{wrong}; {} with {point}", base.name))
}
