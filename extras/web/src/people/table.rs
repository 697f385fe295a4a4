//! A game in progress: the actions, their times, and taking back.

use std::time::Duration;

use patchwork_engine::agent::{Decision, Limit, Partner};
use patchwork_engine::game::{Action, IllegalAction, Player, Position, Setup, State};
use patchwork_engine::record::{Entry, GameId, Ply, Record, Thought};
use patchwork_engine::search::Stop;
use patchwork_tournament::play::PlayedPly;

/// A game in progress, from its start to the current position.
#[derive(Clone, Debug)]
pub struct Table {
    setup: Setup,
    moves: Vec<PlayedPly>,
    state: State,
}

impl Table {
    /// The start of a game.
    pub fn new(setup: Setup) -> Self {
        Self {
            state: State::new(&setup),
            moves: Vec::new(),
            setup,
        }
    }

    /// The track and the ring.
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The current position.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The actions that led to the position.
    pub fn actions(&self) -> Vec<Action> {
        self.moves.iter().map(|played| played.ply.action).collect()
    }

    /// The number of plies so far.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The current position with what lies on both quilts.
    pub fn position(&self) -> Position {
        let start = Position::start(self.setup.clone());
        start.after(self.actions()).expect("they were played here")
    }

    /// An agent's choice for the player to move, and the time it took.
    pub fn ask(&self, partner: &mut Partner, stop: &Stop) -> Result<(Decision, Duration), String> {
        partner.decide(&self.setup, &self.actions(), &self.state, Limit::own(stop))
    }

    /// Plays an action of the mover.
    ///
    /// # Errors
    /// When the action is illegal; the position is unchanged.
    pub fn play(
        &mut self,
        action: Action,
        thought: Thought,
        time: Duration,
    ) -> Result<(), IllegalAction> {
        let next = self.state.try_play(&self.setup, action)?;
        self.moves.push(PlayedPly {
            ply: Ply::new(&self.setup, &self.state, action, thought),
            before: self.state,
            after: next,
            time,
        });
        self.state = next;
        Ok(())
    }

    /// Goes back to a player's last decision; returns whether there was one.
    pub fn undo(&mut self, player: Player) -> bool {
        let last = self
            .moves
            .iter()
            .rposition(|played| played.before.mover() == player);
        let Some(last) = last else { return false };
        self.state = self.moves[last].before;
        self.moves.truncate(last);
        true
    }

    /// The finished game; `None` before its end.
    pub fn entry(&self, id: GameId, agents: [u16; 2]) -> Option<Entry> {
        if !self.state.is_over() {
            return None;
        }
        let plies = self.moves.iter().map(|played| played.ply).collect();
        let nanos = |played: &PlayedPly| u64::try_from(played.time.as_nanos()).unwrap_or(u64::MAX);
        Some(Entry {
            record: Record::new(id, agents, &self.setup, plies, &self.state, None),
            nanos: self.moves.iter().map(nanos).collect(),
            extras: Default::default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_engine::testing::setup;
    use patchwork_engine::util::rng::stream;

    #[test]
    fn undo_goes_back_to_the_players_own_decision() {
        let mut rng = stream(&[1]);
        let mut table = Table::new(setup(3));
        assert!(!table.undo(Player::First));
        let mut seen = Vec::new();
        while !table.state().is_over() {
            seen.push(*table.state());
            let action = table.state().random_action(table.setup(), &mut rng);
            let time = Duration::from_millis(1);
            table.play(action, Thought::default(), time).expect("legal");
        }
        assert_eq!(table.plies(), seen.len());
        let entry = table.entry(GameId::default(), [0, 1]).expect("over");
        assert!(entry.record.actions().eq(table.actions()));
        assert_eq!(entry.nanos, vec![1_000_000; seen.len()]);
        for player in [Player::First, Player::Second, Player::First] {
            assert!(table.undo(player));
            assert_eq!(table.state().mover(), player);
            assert_eq!(*table.state(), seen[table.plies()]);
            assert_eq!(table.entry(GameId::default(), [0, 1]), None);
        }
        let position = table.position();
        while table.undo(Player::First) {}
        assert!(table.plies() == 0 || table.state().mover() == Player::Second);
        assert_ne!(position, table.position());
    }

    #[test]
    fn an_illegal_action_changes_nothing() {
        let mut table = Table::new(setup(3));
        let special = "S:a1".parse().expect("an action");
        let played = table.play(special, Thought::default(), Duration::ZERO);
        assert_eq!(played, Err(IllegalAction::NoSpecialWaits));
        assert_eq!(table.plies(), 0);
    }
}
