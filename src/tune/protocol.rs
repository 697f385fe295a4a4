//! The protocol between the program and an external optimiser: one JSON object per line.
//!
//! The program first writes `{"space": ...}`. The optimiser asks for candidates with `{"ask": {"id": 1,
//! "point": {"search.exploration": 0.5}, "pairs": 8}}`, any number at a time, and gets `{"tell": {"id": 1,
//! "value": 0.53, "error": 0.05, "pairs": 8}}` for each, in any order. It ends with `{"best": {"point":
//! {...}}}`. An invalid line is answered with `{"error": "..."}` and changes nothing.

use std::collections::BTreeMap;

use patchwork_engine::util::InputError;
use patchwork_engine::util::config::from_json;
use serde::{Deserialize, Serialize};

use super::history::{History, Sums, Tried};
use super::point::Point;
use super::space::Space;
use super::trial::{Trial, TrialResults, not_waiting};
use super::tuner::{Recommendation, ranking};

/// A candidate that the optimiser asks to have played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AskLine {
    /// The optimiser's number for the request, used once.
    pub id: u64,
    /// The values of the active keys.
    pub point: Point,
    /// The number of pairs of games.
    pub pairs: u32,
}

/// The end: the candidate that the optimiser recommends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BestLine {
    /// The values of the active keys.
    pub point: Point,
}

/// A line of the optimiser.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OptimiserLine {
    /// Play a candidate.
    Ask(AskLine),
    /// Stop with this candidate.
    Best(BestLine),
}

/// A line of the program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArenaLine {
    /// The first line: the keys of the space as in its TOML table, and the maximum number of pairs.
    Space {
        /// Domains and conditions by key.
        keys: BTreeMap<String, serde_json::Value>,
        /// The maximum number of pairs.
        pairs: u32,
    },
    /// The results of a candidate.
    Tell {
        /// The number of the request.
        id: u64,
        /// The mean paired result, 0 to 1; larger is better.
        value: f64,
        /// Its standard error.
        error: f64,
        /// The number of pairs of games.
        pairs: u32,
    },
    /// What is wrong with the last line.
    Error(String),
}

/// What to do after a line.
#[derive(Clone, Debug, PartialEq)]
pub enum OptimiserRequest {
    /// Play this trial and tell its results.
    Play(Trial),
    /// The optimiser has ended with this recommendation.
    End(Point),
}

/// A search driven by an external optimiser.
#[derive(Debug)]
pub struct Conversation {
    space: Space,
    pairs_left: u32,
    pairs: u32,
    lines: u32,
    asked: BTreeMap<u64, Trial>,
    told: BTreeMap<u64, Tried>,
    /// Number of rings that each candidate has played.
    rings: BTreeMap<Point, u32>,
    end: Option<Point>,
}

/// Maximum length of a line.
const LONGEST: usize = 65_536;

impl Conversation {
    /// Starts a conversation about a space with a maximum number of pairs.
    #[must_use]
    pub fn new(space: Space, pairs: u32) -> Self {
        Self {
            space,
            pairs_left: pairs,
            pairs,
            lines: 0,
            asked: BTreeMap::new(),
            told: BTreeMap::new(),
            rings: BTreeMap::new(),
            end: None,
        }
    }

    /// The first line that the program writes.
    #[must_use]
    pub fn greeting(&self) -> ArenaLine {
        let keys = self.space.keys().iter();
        ArenaLine::Space {
            keys: keys.map(|key| (key.name.clone(), key.to_json())).collect(),
            pairs: self.pairs,
        }
    }

    /// Reads a line from the optimiser. Every candidate starts at ring 0, and gets new rings when it is asked
    /// for again.
    ///
    /// # Errors
    /// When the line does not follow the protocol, an id is used twice, the point is not in the space, more
    /// pairs are asked for than are left, or the optimiser has already ended the search.
    pub fn read(&mut self, line: &str) -> Result<OptimiserRequest, InputError> {
        self.lines += 1;
        self.check(line)
            .map_err(|what| InputError::new(format!("line {}: {what}", self.lines)))
    }

    fn check(&mut self, line: &str) -> Result<OptimiserRequest, String> {
        if self.end.is_some() {
            return Err("there is a line after \"best\", which ends the search".to_owned());
        }
        if line.len() > LONGEST {
            return Err(format!(
                "the line has {} bytes, expected at most {LONGEST}",
                line.len()
            ));
        }
        let parsed: OptimiserLine = from_json(line).map_err(|error| {
            format!("expected {{\"ask\": ...}} or {{\"best\": ...}} in JSON: {error}")
        })?;
        match parsed {
            OptimiserLine::Best(best) => {
                let point = self.space.check(&best.point);
                let point = point.map_err(|error| format!("best: {error}"))?;
                self.end = Some(point.clone());
                Ok(OptimiserRequest::End(point))
            }
            OptimiserLine::Ask(ask) => {
                let wrong = |what: String| format!("ask {}: {what}", ask.id);
                if self.asked.contains_key(&ask.id) || self.told.contains_key(&ask.id) {
                    return Err(wrong("the id was used before".to_owned()));
                }
                if ask.pairs == 0 {
                    return Err(wrong("pairs is 0, expected at least 1".to_owned()));
                }
                if ask.pairs > self.pairs_left {
                    return Err(wrong(format!(
                        "pairs is {}, and {} of {} are left",
                        ask.pairs, self.pairs_left, self.pairs
                    )));
                }
                let point = self.space.check(&ask.point);
                let point = point.map_err(|error| wrong(error.to_string()))?;
                let first = self.rings.entry(point.clone()).or_insert(0);
                let rings = *first..*first + ask.pairs;
                *first = rings.end;
                self.pairs_left -= ask.pairs;
                let trial = Trial {
                    id: ask.id,
                    point,
                    rings,
                };
                self.asked.insert(ask.id, trial.clone());
                Ok(OptimiserRequest::Play(trial))
            }
        }
    }

    /// Takes the results of a trial and returns the line for the optimiser.
    ///
    /// # Errors
    /// When the trial is unknown or already has results, or there is not exactly one number from 0 to 1 for
    /// each ring.
    pub fn tell(&mut self, observation: TrialResults) -> Result<ArenaLine, InputError> {
        let id = observation.trial;
        let Some(trial) = self.asked.get(&id) else {
            return Err(not_waiting(id, self.told.contains_key(&id)));
        };
        let tried = trial.tried(observation.results)?;
        self.asked.remove(&id);
        let sums: Sums = tried.results.iter().copied().collect();
        self.told.insert(id, tried);
        let noise = self.history().noise();
        Ok(ArenaLine::Tell {
            id,
            value: sums.mean().unwrap_or(0.5),
            error: noise / f64::from(sums.pairs.max(1)).sqrt(),
            pairs: sums.pairs,
        })
    }

    /// All results, in the order of the optimiser's ids.
    #[must_use]
    pub fn history(&self) -> History {
        let mut history = History::default();
        self.told
            .values()
            .for_each(|tried| history.push(tried.clone()));
        history
    }

    /// All candidates that were played, ranked by the expectation of a model of the whole space.
    #[must_use]
    pub fn ranking(&self) -> Vec<Recommendation> {
        ranking(&self.space, &self.history(), true)
    }
}
