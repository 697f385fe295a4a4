//! Games between a person and an agent, at a terminal or in a browser: one results folder per opponent, one game after
//! another. A [`PeopleGame`] has a place there, where it is stored when it is finished.

use std::path::{Path, PathBuf};
use std::time::Duration;

use patchwork_engine::agent::{AgentFile, AgentSettings, PLAIN_NAME, is_plain_name};
use patchwork_engine::game::{Player, Position, Ring, Rules, Setup, State};
use patchwork_engine::record::{Entry, GameFacts, GameId, Ply, Record, Thought};
use patchwork_engine::util::InputError;
use patchwork_tournament::{
    Book, Format, GameNumber, Manifest, Plan, PlannedAgent, PlannedGame, PlannedRings, Results,
    Streams, ledger,
};

/// The name of a person in records.
pub const HUMAN: &str = AgentSettings::PERSON;

/// The settings of a game with a person.
#[derive(Clone, Debug)]
pub struct Invitation {
    /// The folder in which results folders are created.
    pub results: PathBuf,
    /// The name of the results folder; `human-OPPONENT` if absent.
    pub name: Option<String>,
    /// The opponent.
    pub opponent: AgentFile,
    /// The seat of the person.
    pub seat: Player,
    /// The seed of the rings.
    pub seed: u64,
    /// The printing of the track and the komi.
    pub rules: Rules,
    /// The ring; a random one if absent.
    pub ring: Option<Ring>,
}

/// A game between a person and an agent, with its place in a results folder.
#[derive(Clone, Debug)]
pub struct PeopleGame {
    /// The results folder.
    pub dir: PathBuf,
    /// The track and the ring.
    pub setup: Setup,
    name: String,
    plan: Plan,
    game: PlannedGame,
}

impl PeopleGame {
    /// The next game that the folder lacks. Nothing is written before [`Self::keep`].
    pub fn next(asked: &Invitation) -> Result<Self, InputError> {
        let stem = asked.opponent.name.split('{').next().unwrap_or_default();
        let default = || format!("{HUMAN}-{stem}");
        let name = asked.name.clone().unwrap_or_else(default);
        if !is_plain_name(&name) {
            return Err(InputError::new(format!(
                "'{name}' cannot be the name of a folder; expected {PLAIN_NAME}"
            )));
        }
        let dir = asked.results.join(&name);
        let plan = asked.plan(1)?;
        let (mut played, mut pairs) = (Vec::new(), 1);
        if ledger::exists(&dir)? {
            let manifest: Manifest = ledger::read_manifest(&dir)?;
            pairs = manifest.plan.pairs();
            let results = Results::preview(&dir, &Manifest::new(name.clone(), asked.plan(pairs)?))?;
            played = results.games.facts().iter().map(GameFacts::id).collect();
        }
        let [a, b] = [0, 1].map(|agent| plan.name(agent) == HUMAN);
        debug_assert!(a != b, "one of two agents is the person");
        let leg = u8::from(a != (asked.seat == Player::First));
        let id = |pair| GameId {
            pairing: 0,
            pair,
            leg,
        };
        let free = (0..).map(id).find(|id| !played.contains(id));
        let id = free.unwrap_or_default();
        let plan = asked.plan(pairs.max(id.pair + 1))?;
        let game = PlannedGame {
            id,
            seats: if leg == 0 { [0, 1] } else { [1, 0] },
        };
        Ok(Self {
            setup: Streams::new(&plan).setup(game),
            dir,
            name,
            plan,
            game,
        })
    }

    /// The names of the first and the second player.
    pub fn names(&self) -> [String; 2] {
        self.game
            .seats
            .map(|agent| self.plan.name(agent).to_owned())
    }

    /// A seed for the opponent.
    pub fn seed(&self) -> u64 {
        self.plan.seed() ^ (u64::from(self.game.id.pair) << 1 | u64::from(self.game.id.leg)) << 20
    }

    /// The number of the game in the folder that has this setup, these actions and the person in the same seat.
    pub fn known(&self, played: &Position) -> Result<Option<GameNumber>, InputError> {
        let manifest = Manifest::new(self.name.clone(), self.plan.clone());
        let results = Results::preview(&self.dir, &manifest)?;
        let facts = results.games.facts();
        let Position { setup, actions, .. } = played;
        for (index, game) in facts.iter().enumerate() {
            if game.leg != self.game.id.leg || usize::from(game.plies) != actions.len() {
                continue;
            }
            let Entry { record, .. } = results.games.entry(index)?;
            if record.setup == *setup && record.actions().eq(actions.iter().copied()) {
                return Ok(Some(results.numbers()?.of(game)));
            }
        }
        Ok(None)
    }

    /// Stores the game, which was played from its start to the end, with what was thought at each ply, and for how long;
    /// returns its number. A game that the folder has is not stored again.
    ///
    /// # Panics
    /// If it is not over.
    pub fn keep(
        &self,
        played: &Position,
        thoughts: impl IntoIterator<Item = (Thought, Duration)>,
    ) -> Result<GameNumber, InputError> {
        if let Some(known) = self.known(played)? {
            return Ok(known);
        }
        let setup = &played.setup;
        let mut state = State::new(setup);
        let (mut plies, mut nanos) = (Vec::new(), Vec::new());
        for (&action, (thought, time)) in played.actions.iter().zip(thoughts) {
            plies.push(Ply::new(setup, &state, action, thought));
            nanos.push(time.as_nanos().try_into().unwrap_or(u64::MAX));
            state.play_unchecked(setup, action);
        }
        let PlannedGame { id, seats } = self.game;
        let entry = Entry {
            record: Record::new(id, seats, setup, plies, &state, None),
            nanos,
            extras: Default::default(),
        };
        let mut results = Results::open_as(&self.dir, |there| {
            let there = there.map_or(0, |there| there.plan.pairs());
            let pairs = there.max(self.plan.pairs());
            Ok(Manifest::new(
                self.name.clone(),
                self.plan.clone().with_pairs(pairs)?,
            ))
        })?;
        if results.games.index(self.game.id).is_some() {
            return Err(InputError::new(format!(
                "{}: another game was saved in its place in the meantime",
                self.dir.display()
            )));
        }
        results.add(entry.into(), None)?;
        results.finish()?;
        Ok(results.numbers()?.of(self.game))
    }
}

impl Invitation {
    /// The plan of the person's games with the opponent.
    fn plan(&self, pairs: u32) -> Result<Plan, InputError> {
        let text = format!("type = \"{HUMAN}\"");
        let person = AgentFile::parse(Path::new(HUMAN), &text).expect("a kind of agent");
        let agents: Vec<PlannedAgent> = vec![person.into(), self.opponent.clone().into()];
        let plan = Plan::new(self.seed, self.rules, Format::RoundRobin, pairs, agents)?;
        let rings = self.ring.and_then(|ring| Book::new(vec![ring]));
        Ok(plan.with_rings(rings.map_or(PlannedRings::Own, PlannedRings::Book)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_engine::util::rng::stream;

    #[test]
    fn a_game_is_stored_once_with_the_time_of_each_ply() {
        let home = tempfile::tempdir().expect("a folder");
        let text = "type = 'random'";
        let invitation = Invitation {
            results: home.path().to_owned(),
            name: None,
            opponent: AgentFile::parse(Path::new("random.toml"), text).expect("an agent"),
            seat: Player::First,
            seed: 1,
            rules: Rules::default(),
            ring: None,
        };
        let game = PeopleGame::next(&invitation).expect("a game");
        let (mut played, mut rng) = (Position::start(game.setup.clone()), stream(&[1]));
        while !played.state.is_over() {
            let action = played.state.random_action(&played.setup, &mut rng);
            played.play(action).expect("legal");
        }
        let thoughts = || (1..).map(|n| (Thought::default(), Duration::from_millis(n)));
        let first = game.keep(&played, thoughts()).expect("stored");
        assert_eq!(game.keep(&played, thoughts()), Ok(first));
        let results = Results::read(&game.dir).expect("results");
        assert_eq!(results.games.len(), 1);
        let Entry { record, nanos, .. } = results.games.entry(0).expect("a game");
        assert!(record.actions().eq(played.actions.iter().copied()));
        let plies = played.actions.len() as u64;
        assert!(nanos.into_iter().eq((1..=plies).map(|n| n * 1_000_000)));
    }
}
