//! Plays the trials of a search and keeps their games.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use patchwork_engine::agent::AgentFile;
use patchwork_engine::record::{Entry, GameFacts};
use patchwork_engine::search::Stop;
use patchwork_engine::util::InputError;

use super::space::Point;
use super::tuner::Trial;
use super::tuning::Tuning;
use patchwork_tournament::ledger::{Store, StoredGame};
use patchwork_tournament::{
    AgentId, Format, GameAddress, GamePlayer, GameTimes, Manifest, Plan, PlannedGame, PlannedRings,
    Results, TournamentError, grow,
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
    /// The folder and what it describes, once it is open.
    folder: Option<(Store, Manifest)>,
    /// The results of all games in the folder, also of candidates that are not in its plan, and the thinking
    /// times of the players.
    played: HashMap<GameAddress, (GameFacts, [Duration; 2])>,
    games: u64,
    times: GameTimes<AgentId>,
    /// The number of games that were played here, and the time that they took.
    pace: (u32, Duration),
    /// The time of both players in a game of the base, measured once.
    usual: OnceCell<Duration>,
}

fn outcome(entry: &Entry) -> (GameFacts, [Duration; 2]) {
    ((&entry.record).into(), entry.thinking())
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
            folder: None,
            played: HashMap::new(),
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
    pub fn game_time(&self, point: &Point) -> Option<Duration> {
        let (id, _) = self.named(self.tuning.agent(point).ok()?);
        self.time_of(id)
    }

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

    /// Has `player` play the missing games of trials and returns the results of each trial, one for each ring in order;
    /// `None` if `stop` was set before the end.
    pub fn play(
        &mut self,
        trials: &[Trial],
        player: &mut dyn GamePlayer,
        stop: &Stop,
        watch: impl FnMut(&Entry),
    ) -> Result<Option<Vec<Vec<f64>>>, TournamentError> {
        let mut ids = Vec::new();
        let mut batch = BTreeMap::new();
        for trial in trials {
            let agent = self.tuning.agent(&trial.point);
            let (id, agent) = self.named(agent?);
            batch.insert(id, agent);
            ids.push(id);
            self.rings = self.rings.max(trial.rings.end);
        }
        // Different points can have the same settings; the last one in the first batch with them names the agent.
        for (id, agent) in &mut batch {
            *agent = self.candidates.entry(*id).or_insert(agent.clone()).clone();
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
            self.complete(&batch, &games, player, stop, watch)?;
        }
        let mut all = Vec::new();
        for (trial, id) in trials.iter().zip(&ids) {
            let results: Option<Vec<f64>> = trial
                .rings
                .clone()
                .map(|ring| self.result(*id, ring))
                .collect();
            let Some(results) = results else {
                return Ok(None);
            };
            self.learn(trial, *id);
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
        batch: &BTreeMap<AgentId, AgentFile>,
        games: &[GameAddress],
        player: &mut dyn GamePlayer,
        stop: &Stop,
        mut watch: impl FnMut(&Entry),
    ) -> Result<(), TournamentError> {
        let of_plan = |plan| Manifest::new(self.tuning.name.clone(), plan);
        let all = of_plan(self.plan(&self.candidates)?);
        let part = of_plan(self.plan(batch)?);
        let (mut store, manifest) = match self.folder.take() {
            Some(folder) => folder,
            None => {
                let see = |game: &StoredGame<'_>| {
                    game.entry()
                        .ok()
                        .map(|entry| (game.address, outcome(&entry)))
                };
                let (store, results, played) = Results::open_each(&self.dir, &all, see)?;
                self.played = played.into_iter().flatten().collect();
                self.tuning.save_equal_time(&self.dir)?;
                (store, results.manifest)
            }
        };
        let missing: Vec<&GameAddress> = games
            .iter()
            .filter(|game| !self.played.contains_key(game))
            .collect();
        if missing.is_empty() {
            self.folder = Some((store, manifest));
            return Ok(());
        }
        let manifest = grow(&mut store, &manifest, &all.plan)?;
        let mut results = Results::empty(part).storing_in(store);
        let missing = missing.into_iter();
        let missing: Vec<PlannedGame> = missing.filter_map(|game| results.planned(game)).collect();
        results.restrict_to(&missing);
        let (played, pace) = (&mut self.played, &mut self.pace);
        let begun = Instant::now();
        let ended = player.play(&mut results, stop, &mut |entry, results| {
            let address = results.address((&entry.record).into());
            played.insert(address, outcome(entry));
            pace.0 += 1;
            watch(entry);
        });
        pace.1 += begun.elapsed();
        self.folder = results.into_store().zip(Some(manifest));
        ended
    }

    /// The plan of the games of some candidates.
    fn plan(&self, candidates: &BTreeMap<AgentId, AgentFile>) -> Result<Plan, InputError> {
        let opponents = self.opponents.iter().map(|(_, agent)| agent);
        let agents = opponents.chain(candidates.values()).cloned();
        let challengers = candidates.values().map(|agent| agent.name.clone());
        let plan = Plan::new(
            self.tuning.settings.seed,
            self.tuning.track,
            Format::gauntlet(challengers),
            self.rings,
            agents.map(Into::into).collect(),
        )?;
        Ok(plan.with_rings(PlannedRings::Common))
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

    /// Records the times of the games of a trial.
    fn learn(&mut self, trial: &Trial, id: AgentId) {
        let rings = trial.rings.clone();
        let games: Vec<GameAddress> = rings.flat_map(|ring| self.games_of(id, ring)).collect();
        for game in games {
            if let Some((_, thinking)) = self.played.get(&game) {
                self.times.add(game.seats, *thinking);
            }
        }
    }

    /// The result of a candidate on a ring; `None` while games are missing.
    fn result(&self, id: AgentId, ring: u32) -> Option<f64> {
        let mut sum = 0.0;
        for game in self.games_of(id, ring) {
            let (facts, _) = self.played.get(&game)?;
            let objective = self.tuning.objective;
            sum += match game.seats[0] == id {
                true => objective.result(facts.first_won(), facts.margin(0) as i32),
                false => objective.result(!facts.first_won(), facts.margin(1) as i32),
            };
        }
        Some(sum / self.games_per_pair() as f64)
    }

    /// Ends the search: writes the plan with all candidates to the folder and flushes the games to disk.
    pub fn finish(&mut self) -> Result<(), TournamentError> {
        if self.candidates.is_empty() {
            return Ok(());
        }
        let all = self.plan(&self.candidates)?;
        if let Some((store, manifest)) = &mut self.folder {
            *manifest = grow(store, manifest, &all)?;
            store.sync()?;
        }
        Ok(())
    }
}
