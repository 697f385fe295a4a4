//! The key `estimate`: which estimate of positions an agent uses.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::estimator::Estimator;
use super::net::{Evaluator, Net, SHIPPED_NETS};
use crate::util::InputError;
use crate::util::config::absolute;

/// The key `estimate` of agents: how they estimate the final margin of a position.
///
/// By a file with a network, as written, or a name in [`SHIPPED_NETS`], with its hash once it has been read; without a file,
/// by the fitted features of [`position_estimate`](super::position_estimate).
#[derive(Clone, Default, PartialEq, Eq)]
pub struct EvaluationSpec(Option<(Arc<str>, Option<u64>)>);

const LINEAR: &str = "linear";
/// Precedes the hash of a network in the settings stored with results.
const HASH: char = '#';

/// All networks that have been read, by hash.
static LIBRARY: Mutex<BTreeMap<u64, Arc<Net>>> = Mutex::new(BTreeMap::new());

fn library() -> MutexGuard<'static, BTreeMap<u64, Arc<Net>>> {
    LIBRARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether this is the name of a network that is built into the program.
fn is_shipped(path: &str) -> bool {
    SHIPPED_NETS.iter().any(|(name, _)| *name == path)
}

/// Whether this is a hash as written in the settings stored with results.
fn is_hash(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl EvaluationSpec {
    /// The fitted features of [`position_estimate`](super::position_estimate).
    pub const LINEAR: Self = Self(None);

    /// The network in a file.
    pub fn file(path: &str) -> Self {
        let (path, hash) = match path.rsplit_once(HASH) {
            Some((path, hash)) if is_hash(hash) => (path, u64::from_str_radix(hash, 16).ok()),
            _ => (path, None),
        };
        Self(Some((path.into(), hash)))
    }

    /// Whether this is the default.
    pub(in crate::agent) fn is_linear(&self) -> bool {
        *self == Self::LINEAR
    }

    /// Reads the network, whose path is relative to the folder of the agent's file.
    pub(in crate::agent) fn settle(&mut self, agent: &Path) -> Result<(), InputError> {
        if let Some((path, hash)) = &mut self.0 {
            if !is_shipped(path) {
                let folder = agent.parent().unwrap_or(Path::new(""));
                *path = folder.join(&**path).to_string_lossy().into();
            }
            *hash = Some(load(path, *hash)?.hash());
        }
        Ok(())
    }

    /// Checks that the network can be read, and is the one that the settings were checked with.
    pub(in crate::agent) fn check_installed(&self) -> Result<(), InputError> {
        match &self.0 {
            None => Ok(()),
            Some((path, hash)) => load(path, *hash).map(drop),
        }
    }

    /// Removes the file's location; its hash determines the agent's play.
    pub(in crate::agent) fn strip_path(&mut self) {
        if let Some((path, Some(_))) = &mut self.0 {
            *path = "".into();
        }
    }

    /// Makes the file's location valid from every folder.
    pub(in crate::agent) fn make_place_absolute(&mut self) {
        if let Some((path, _)) = &mut self.0
            && !is_shipped(path)
        {
            *path = absolute(Path::new(&**path)).to_string_lossy().into();
        }
    }

    /// A description of how its network was made, if it has one that can be read.
    pub fn card(&self) -> Option<String> {
        let (path, hash) = self.0.as_ref()?;
        Some(load(path, *hash).ok()?.card().to_owned())
    }

    /// The estimator that evaluates positions.
    pub fn estimator(&self) -> Result<Estimator, InputError> {
        match &self.0 {
            None => Ok(Estimator::Linear),
            Some((path, hash)) => {
                let net = load(path, *hash)?;
                Ok(Estimator::Net(Box::new(Evaluator::new(net))))
            }
        }
    }
}

/// The network with this hash if it was read before, or the one in the file.
fn load(path: &str, hash: Option<u64>) -> Result<Arc<Net>, InputError> {
    if let Some(net) = hash.and_then(|hash| library().get(&hash).cloned()) {
        return Ok(net);
    }
    let unreadable =
        |error: InputError| InputError::at("estimate", format_args!("{path}: {error}"));
    let net = match Net::shipped(path) {
        Some(net) => net,
        None => Net::read(Path::new(path)).map_err(unreadable)?,
    };
    if let Some(hash) = hash
        && hash != net.hash()
    {
        let found = net.hash();
        return Err(InputError::at(
            "estimate",
            format_args!(
                "{path}: the network has changed: expected {hash:016x}, found {found:016x}"
            ),
        ));
    }
    let mut library = library();
    let read = library.entry(net.hash());
    Ok(Arc::clone(read.or_insert_with(|| Arc::new(net))))
}

impl fmt::Display for EvaluationSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            None => f.write_str(LINEAR),
            Some((path, None)) => f.write_str(path),
            Some((path, Some(hash))) => write!(f, "{path}{HASH}{hash:016x}"),
        }
    }
}

impl fmt::Debug for EvaluationSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.to_string())
    }
}

impl Serialize for EvaluationSpec {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for EvaluationSpec {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Estimate".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let shipped = SHIPPED_NETS.iter().map(|(name, _)| *name);
        let names: Vec<&str> = [LINEAR].into_iter().chain(shipped).collect();
        schemars::json_schema!({
            "anyOf": [
                { "enum": names },
                { "type": "string", "description": "the path of a network that `learn` wrote" },
            ],
        })
    }
}

impl<'de> Deserialize<'de> for EvaluationSpec {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Ok(match text.as_str() {
            LINEAR => Self::LINEAR,
            path => Self::file(path),
        })
    }
}
