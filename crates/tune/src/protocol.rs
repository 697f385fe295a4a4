//! The protocol between the program and an external optimiser: one JSON object per line.
//!
//! The program first writes `{"space": ...}`. The optimiser asks for candidates with `{"ask": {"id": 1,
//! "point": {"search.exploration": 0.5}, "pairs": 8}}`, any number at a time, and gets `{"tell": {"id": 1,
//! "value": 0.53, "error": 0.05, "pairs": 8}}` for each, in any order. It ends with `{"best": {"point":
//! {...}}}`. An invalid line is answered with `{"error": "..."}` and changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use patchwork_engine::util::InputError;
use serde::{Deserialize, Serialize};

use super::history::{History, Sums};
use super::space::{Point, Space};
use super::tuner::{Recommendation, Trial, ranking};

/// A line of the optimiser.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum OptimiserLine {
    /// Play a candidate.
    Ask {
        /// The optimiser's number for the request, used once.
        id: u64,
        /// The values of the active keys.
        point: Point,
        /// The number of pairs of games.
        pairs: u32,
    },
    /// Stop with the candidate that the optimiser recommends.
    Best {
        /// The values of the active keys.
        point: Point,
    },
}

/// A line of the program.
#[derive(Clone, Debug, PartialEq, Serialize)]
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

/// A search driven by an external optimiser.
#[derive(Debug)]
pub struct Conversation {
    space: Space,
    pairs_left: u32,
    pairs: u32,
    lines: u32,
    /// The ids of requests.
    asked: BTreeSet<u64>,
    /// Results by the id of the request.
    told: BTreeMap<u64, (Point, Vec<f64>)>,
    /// Number of rings that each candidate has played.
    rings: BTreeMap<Point, u32>,
    end: Option<Point>,
}

/// Maximum length of a line.
const LONGEST: usize = 65_536;

impl Conversation {
    /// Starts a conversation about a space with a maximum number of pairs.
    pub fn new(space: Space, pairs: u32) -> Self {
        Self {
            space,
            pairs_left: pairs,
            pairs,
            lines: 0,
            asked: BTreeSet::new(),
            told: BTreeMap::new(),
            rings: BTreeMap::new(),
            end: None,
        }
    }

    /// The first line that the program writes.
    pub fn greeting(&self) -> ArenaLine {
        let keys = self.space.keys().iter();
        ArenaLine::Space {
            keys: keys.map(|key| (key.name.clone(), key.to_json())).collect(),
            pairs: self.pairs,
        }
    }

    /// Reads a line from the optimiser. Returns the trial that it asks to have played, or `None` if it has
    /// [ended](Self::end) the search or the line is blank. Every candidate starts at ring 0, and gets new rings when it is asked for
    /// again.
    pub fn read(&mut self, line: &str) -> Result<Option<Trial>, InputError> {
        self.lines += 1;
        let read = self.check(line);
        read.map_err(|what| format!("line {}: {what}", self.lines).into())
    }

    fn check(&mut self, line: &str) -> Result<Option<Trial>, String> {
        let line = line.trim_start_matches('\u{feff}');
        if line.trim().is_empty() {
            return Ok(None);
        }
        if self.end.is_some() {
            return Err("there is a line after \"best\", which ends the search".to_owned());
        }
        if line.len() > LONGEST {
            return Err(format!(
                "the line has {} bytes, expected at most {LONGEST}",
                line.len()
            ));
        }
        let parsed: OptimiserLine = serde_json::from_str(line).map_err(|error| {
            format!("expected {{\"ask\": ...}} or {{\"best\": ...}} in JSON: {error}")
        })?;
        match parsed {
            OptimiserLine::Best { point } => {
                let point = self.space.check(&point);
                self.end = Some(point.map_err(|error| format!("best: {error}"))?);
                Ok(None)
            }
            OptimiserLine::Ask { id, point, pairs } => {
                let wrong = |what: String| format!("ask {id}: {what}");
                if self.asked.contains(&id) {
                    return Err(wrong("the id was used before".to_owned()));
                }
                if pairs == 0 {
                    return Err(wrong("pairs is 0, expected at least 1".to_owned()));
                }
                if pairs > self.pairs_left {
                    return Err(wrong(format!(
                        "pairs is {pairs}, and {} of {} are left",
                        self.pairs_left, self.pairs
                    )));
                }
                let point = self.space.check(&point);
                let point = point.map_err(|error| wrong(error.to_string()))?;
                let first = self.rings.entry(point.clone()).or_insert(0);
                let rings = *first..*first + pairs;
                *first = rings.end;
                self.pairs_left -= pairs;
                self.asked.insert(id);
                Ok(Some(Trial { id, point, rings }))
            }
        }
    }

    /// The candidate that the optimiser recommends, once it has ended the search.
    pub const fn end(&self) -> Option<&Point> {
        self.end.as_ref()
    }

    /// Takes the result of a trial on each ring in order and returns the line for the optimiser.
    pub fn tell(&mut self, trial: &Trial, results: Vec<f64>) -> Result<ArenaLine, InputError> {
        let tried = trial.tried(results)?;
        let sums: Sums = tried.1.iter().copied().collect();
        self.told.insert(trial.id, tried);
        let noise = self.history().noise();
        Ok(ArenaLine::Tell {
            id: trial.id,
            value: sums.mean().unwrap_or(0.5),
            error: noise / f64::from(sums.pairs.max(1)).sqrt(),
            pairs: sums.pairs,
        })
    }

    /// All results, in the order of the optimiser's ids.
    pub fn history(&self) -> History {
        self.told.values().cloned().collect()
    }

    /// All candidates that were played, ranked by the expectation of a model of the whole space.
    pub fn ranking(&self) -> Vec<Recommendation> {
        ranking(&self.space, &self.history(), true)
    }
}
