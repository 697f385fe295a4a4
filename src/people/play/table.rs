//! A game in progress: its actions, what was thought at each, and taking back.

use std::time::Duration;

use patchwork_engine::agent::{Decision, Limit, Partner};
use patchwork_engine::game::{Action, IllegalAction, Player, Position, Setup};
use patchwork_engine::record::Thought;
use patchwork_engine::search::Stop;

/// A game in progress, from its start to the current position.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The current position, with the actions that led there.
    pub(super) position: Position,
    /// What was thought at each ply, and for how long.
    pub(super) thoughts: Vec<(Thought, Duration)>,
}

impl Table {
    /// The start of a game.
    pub(super) fn new(setup: Setup) -> Self {
        Self {
            position: Position::start(setup),
            thoughts: Vec::new(),
        }
    }

    /// An agent's choice for the player to move, and the time it took.
    pub(super) fn ask(
        &self,
        partner: &mut Partner,
        stop: &Stop,
    ) -> Result<(Decision, Duration), String> {
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
    pub(super) fn play(
        &mut self,
        action: Action,
        thought: Thought,
        time: Duration,
    ) -> Result<(), IllegalAction> {
        let Position { setup, state, .. } = &self.position;
        state.try_play(setup, action)?;
        self.position.play(action).expect("it is legal");
        self.thoughts.push((thought, time));
        Ok(())
    }

    /// Goes back to a player's last decision; returns whether there was one.
    pub(super) fn undo(&mut self, player: Player) -> bool {
        let Position { setup, actions, .. } = &self.position;
        let before = |plies| {
            let start = Position::start(setup.clone());
            let played = start.after(actions[..plies].iter().copied());
            played.expect("they were played here")
        };
        let mut turns = (0..actions.len()).rev().map(before);
        let Some(last) = turns.find(|position| position.state.mover() == player) else {
            return false;
        };
        self.thoughts.truncate(last.actions.len());
        self.position = last;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_engine::game::Track;
    use patchwork_engine::util::rng::stream;

    #[test]
    fn undo_goes_back_to_the_players_own_decision() {
        let mut rng = stream(&[1]);
        let mut table = Table::new(Setup::random(Track::default(), &mut rng));
        assert!(!table.undo(Player::First));
        let special = "S:a1".parse().expect("an action");
        let played = table.play(special, Thought::default(), Duration::ZERO);
        assert_eq!(played, Err(IllegalAction::NoSpecialWaits));
        assert!(table.position.actions.is_empty());
        let mut seen = vec![table.position.clone()];
        while let Position { setup, state, .. } = &table.position
            && !state.is_over()
        {
            let action = state.random_action(setup, &mut rng);
            let time = Duration::from_millis(1);
            table.play(action, Thought::default(), time).expect("legal");
            seen.push(table.position.clone());
        }
        let thought = (Thought::default(), Duration::from_millis(1));
        assert_eq!(table.thoughts, vec![thought; seen.len() - 1]);
        for player in [Player::First, Player::Second, Player::First] {
            assert!(table.undo(player));
            assert_eq!(table.position.state.mover(), player);
            assert_eq!(table.position, seen[table.position.actions.len()]);
            assert_eq!(table.thoughts.len(), table.position.actions.len());
        }
    }
}
