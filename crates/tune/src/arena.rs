//! Plays the trials of a search and keeps their games.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use patchwork_engine::agent::AgentFile;
use patchwork_engine::record::{Entry, GameFacts};
use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;

use super::tuner::Trial;
use super::tuning::Tuning;
use patchwork_tournament::{
    AgentId, Executor, Format, GameAddress, GameTimes, Manifest, Plan, PlannedRings, Results,
    TournamentError,
};

/// The games of a search in a results folder: a gauntlet of all candidates so far against the opponents, on
/// common rings. Games that exist are not played again.
#[derive(Debug)]
pub struct TuningArena<'a> {
    tuning: &'a Tuning,
    dir: PathBuf,
    opponents: Vec<(AgentId, AgentFile)>,
    /// The candidates so far.
    candidates: BTreeMap<AgentId, AgentFile>,
    /// The number of rings so far.
    rings: u32,
    /// The games in the folder, once it is open.
    results: Option<Results>,
    games: u64,
    times: GameTimes<AgentId>,
    /// The number of games that were played here, and the time that they took.
    pace: (u32, Duration),
    /// The time of both players in a game of the base, measured once.
    usual: OnceCell<Duration>,
}

impl<'a> TuningArena<'a> {
    /// An arena with its games in this folder, which is created when the first trial is played.
    pub fn new(tuning: &'a Tuning, dir: &Path) -> Self {
        let opponents = tuning.opponents.iter();
        Self {
            tuning,
            dir: dir.to_owned(),
            opponents: opponents
                .map(|agent| (AgentId::new(&agent.config, 0), agent.clone()))
                .collect(),
            candidates: BTreeMap::new(),
            rings: 0,
            results: None,
            games: 0,
            times: GameTimes::default(),
            pace: (0, Duration::ZERO),
            usual: OnceCell::new(),
        }
    }

    /// The number of games that the search has used.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The expected time of a game of a candidate: the mean over its opponents. `None` before the first game.
    fn time_of(&self, id: AgentId) -> Option<Duration> {
        let opponents = self.opponents.iter();
        let times = opponents.map(|(opponent, _)| self.times.game([id, *opponent]));
        let sum: Duration = times.sum::<Option<_>>()?;
        Some(sum / self.opponents.len().max(1) as u32)
    }

    /// Number of games per ring: two against each opponent.
    pub fn games_per_pair(&self) -> u64 {
        2 * self.opponents.len() as u64
    }

    /// The number of pairs that the search may have: that of its file, or as many as its time allows at the pace of the
    /// games so far. Before the first game, it follows from the time of the base on this number of threads.
    pub fn pairs(&self, threads: Option<NonZeroUsize>) -> u32 {
        let most = self.tuning.settings.pairs;
        let Some(seconds) = self.tuning.seconds else {
            return most;
        };
        let (games, time) = self.pace;
        let game = match games {
            0 => {
                let game = self.usual.get_or_init(|| self.tuning.game_times()[0]);
                game.as_secs_f64() / threads.map_or(1.0, |threads| threads.get() as f64)
            }
            games => time.as_secs_f64() / f64::from(games),
        };
        let pairs = f64::from(seconds) / (game * self.games_per_pair() as f64);
        (pairs as u32).clamp(1, most)
    }

    /// Has `executor` play the missing games of trials and returns the results of each trial, one for each ring in order;
    /// `None` if `stop` was set before the end.
    pub fn play(
        &mut self,
        trials: &[Trial],
        executor: &mut dyn Executor,
        stop: &Stop,
        watch: impl FnMut(&Entry),
    ) -> Result<Option<Vec<Vec<f64>>>, TournamentError> {
        let mut ids = Vec::new();
        for trial in trials {
            let (id, agent) = self.named(self.tuning.agent(&trial.point)?);
            self.candidates.entry(id).or_insert(agent);
            ids.push(id);
            self.rings = self.rings.max(trial.rings.end);
        }
        let games_of = |(trial, id): (&Trial, &AgentId)| -> Vec<GameAddress> {
            let rings = trial.rings.clone();
            rings.flat_map(|ring| self.games_of(*id, ring)).collect()
        };
        // Long games first, so that no thread still plays one at the end of the batch.
        let mut order: Vec<(&Trial, &AgentId)> = trials.iter().zip(&ids).collect();
        order.sort_by_cached_key(|(_, id)| Reverse(self.time_of(**id)));
        let games: Vec<GameAddress> = order.into_iter().flat_map(games_of).collect();
        if !trials.is_empty() {
            self.complete(&games, executor, stop, watch)?;
        }
        let mut all = Vec::new();
        for (trial, id) in trials.iter().zip(&ids) {
            let Some(results) = self.results_of(trial, *id)? else {
                return Ok(None);
            };
            all.push(results);
        }
        self.games += games.len() as u64;
        Ok(Some(all))
    }

    /// The identity and the name of a candidate. A candidate with the settings of an opponent counts as its
    /// copy: its name is sorted after the opponent's, so that the opponent is the original.
    fn named(&self, mut agent: AgentFile) -> (AgentId, AgentFile) {
        let id = AgentId::new(&agent.config, 0);
        match self.opponents.iter().find(|(other, _)| *other == id) {
            None => (id, agent),
            Some((_, opponent)) => {
                agent.name = format!("{} as candidate", opponent.name);
                (AgentId::new(&agent.config, 1), agent)
            }
        }
    }

    /// Plays the games that are missing.
    fn complete(
        &mut self,
        games: &[GameAddress],
        executor: &mut dyn Executor,
        stop: &Stop,
        mut watch: impl FnMut(&Entry),
    ) -> Result<(), TournamentError> {
        let manifest = self.manifest(false)?;
        let results = match &mut self.results {
            Some(results) => {
                results.grow(&manifest)?;
                results
            }
            None => {
                let results = Results::open(&self.dir, &manifest)?;
                self.tuning.save_equal_time(&self.dir)?;
                self.results.insert(results)
            }
        };
        let games = games.iter().filter_map(|game| results.planned(game));
        let games: Vec<_> = games.collect();
        results.schedule.restrict_to(&games);
        if results.schedule.is_complete() {
            return Ok(());
        }
        let (begun, pace) = (Instant::now(), &mut self.pace);
        let ended = executor.play(results, stop, &mut |entry, _| {
            pace.0 += 1;
            watch(entry);
        });
        pace.1 += begun.elapsed();
        Ok(ended?.check_whole()?)
    }

    /// What the folder says: a gauntlet of all candidates so far, and whether the search is over.
    fn manifest(&self, is_over: bool) -> Result<Manifest, InputError> {
        let opponents = self.opponents.iter().map(|(_, agent)| agent);
        let agents = opponents.chain(self.candidates.values()).cloned();
        let challengers = self.candidates.values().map(|agent| agent.name.clone());
        let plan = Plan::new(
            self.tuning.settings.seed,
            self.tuning.track,
            Format::gauntlet(challengers),
            self.rings,
            agents.map(Into::into).collect(),
        )?;
        let plan = plan.with_rings(PlannedRings::Common);
        Ok(Manifest {
            is_search_over: Some(is_over),
            ..Manifest::new(self.tuning.name.clone(), plan)
        })
    }

    /// The games of a candidate on a ring: both legs against each opponent.
    fn games_of(&self, id: AgentId, ring: u32) -> impl Iterator<Item = GameAddress> + use<'_> {
        self.opponents.iter().flat_map(move |(other, _)| {
            [[id, *other], [*other, id]].map(|seats| GameAddress {
                seed: self.tuning.settings.seed,
                pair: ring,
                seats,
            })
        })
    }

    /// The result of a trial on each of its rings; `None` while games are missing.
    fn results_of(
        &mut self,
        trial: &Trial,
        id: AgentId,
    ) -> Result<Option<Vec<f64>>, TournamentError> {
        let Some(results) = &self.results else {
            return Ok(None);
        };
        let rings = trial.rings.clone();
        let games: Vec<GameAddress> = rings.flat_map(|ring| self.games_of(id, ring)).collect();
        let place = |game| Some(results.games.index(results.planned(game)?.id)? as u32);
        let places: Option<Vec<u32>> = games.iter().map(place).collect();
        let Some(places) = places else {
            return Ok(None);
        };
        let entries = results.games.entries(&places)?;
        let result = |(game, entry): (&GameAddress, &Entry)| {
            let facts = GameFacts::from(&entry.record);
            let (seat, objective) = (usize::from(game.seats[0] != id), self.tuning.objective);
            objective.result(facts.first_won() == (seat == 0), facts.margin(seat) as i32)
        };
        let results: Vec<f64> = games.iter().zip(&entries).map(result).collect();
        for (game, entry) in games.iter().zip(&entries) {
            self.times.add(game.seats, entry.thinking());
        }
        let of_ring = results.chunks(self.games_per_pair() as usize);
        let means = of_ring.map(|games| games.iter().sum::<f64>() / games.len() as f64);
        Ok(Some(means.collect()))
    }

    /// Ends the search, or stops it: writes the plan with all candidates to the folder and flushes the games to disk.
    pub fn finish(&mut self, is_over: bool) -> Result<(), TournamentError> {
        let manifest = self.manifest(is_over);
        if let Some(results) = &mut self.results {
            results.grow(&manifest?)?;
            results.finish()?;
        }
        Ok(())
    }
}
