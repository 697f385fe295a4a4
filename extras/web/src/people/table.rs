//! A game in progress: the actions, their times, and taking back.

use std::time::Duration;

use patchwork_engine::agent::{Decision, Limit, Partner};
use patchwork_engine::game::{Action, IllegalAction, Player, Position, Setup};
use patchwork_engine::record::{Entry, GameId, Ply, Record, Thought};
use patchwork_engine::search::Stop;

/// A game in progress, from its start to the current position.
#[derive(Clone, Debug)]
pub struct Table {
    position: Position,
    played: Vec<(Ply, Duration)>,
}

impl Table {
    /// The start of a game.
    pub fn new(setup: Setup) -> Self {
        Self {
            position: Position::start(setup),
            played: Vec::new(),
        }
    }

    /// The current position, with the actions that led there.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// An agent's choice for the player to move, and the time it took.
    pub fn ask(&self, partner: &mut Partner, stop: &Stop) -> Result<(Decision, Duration), String> {
        let Position {
            setup,
            actions,
            state,
            ..
        } = &self.position;
        partner.decide(setup, actions, state, Limit::own(stop))
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
        let Position { setup, state, .. } = &self.position;
        state.try_play(setup, action)?;
        let ply = Ply::new(setup, state, action, thought);
        self.position.play(action).expect("it is legal");
        self.played.push((ply, time));
        Ok(())
    }

    /// Goes back to a player's last decision; returns whether there was one.
    pub fn undo(&mut self, player: Player) -> bool {
        let last = self
            .played
            .iter()
            .rposition(|(ply, _)| ply.player == player);
        let Some(last) = last else { return false };
        self.played.truncate(last);
        let start = Position::start(self.position.setup.clone());
        let actions = self.played.iter().map(|(ply, _)| ply.action);
        self.position = start.after(actions).expect("they were played here");
        true
    }

    /// The finished game; `None` before its end.
    pub fn entry(&self, id: GameId, agents: [u16; 2]) -> Option<Entry> {
        let Position { setup, state, .. } = &self.position;
        if !state.is_over() {
            return None;
        }
        let plies = self.played.iter().map(|(ply, _)| *ply).collect();
        let nanos = |(_, time): &(Ply, Duration)| time.as_nanos().try_into().unwrap_or(u64::MAX);
        Some(Entry {
            record: Record::new(id, agents, setup, plies, state, None),
            nanos: self.played.iter().map(nanos).collect(),
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
        let special = "S:a1".parse().expect("an action");
        let played = table.play(special, Thought::default(), Duration::ZERO);
        assert_eq!(played, Err(IllegalAction::NoSpecialWaits));
        assert!(table.position().actions.is_empty());
        let mut seen = vec![table.position().clone()];
        while let Position { setup, state, .. } = table.position()
            && !state.is_over()
        {
            let action = state.random_action(setup, &mut rng);
            let time = Duration::from_millis(1);
            table.play(action, Thought::default(), time).expect("legal");
            seen.push(table.position().clone());
        }
        let entry = table.entry(GameId::default(), [0, 1]).expect("over");
        let actions = table.position().actions.iter().copied();
        assert!(entry.record.actions().eq(actions));
        assert_eq!(entry.nanos, vec![1_000_000; seen.len() - 1]);
        for player in [Player::First, Player::Second, Player::First] {
            assert!(table.undo(player));
            assert_eq!(table.position().state.mover(), player);
            assert_eq!(*table.position(), seen[table.position().actions.len()]);
            assert_eq!(table.entry(GameId::default(), [0, 1]), None);
        }
    }
}
