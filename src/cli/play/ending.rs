//! How a game with a person ends.

use patchwork_arena::people::{PeopleGame, Table};

/// How a game ended at the terminal.
pub(super) enum Left {
    /// The person left.
    Quit,
    /// Ctrl-C, or the terminal went away.
    Interrupted,
}

/// Stores a finished game and says where it is and how it ended.
pub(super) fn keep(game: &PeopleGame, table: &Table) -> String {
    let outcome = table.state().outcome();
    let result = outcome.map_or(String::new(), |outcome| {
        let names = game.names();
        let [winner, loser] = [outcome.winner, outcome.winner.other()];
        format!(
            "{} wins {} to {}. ",
            names[winner.index()],
            outcome.scores[winner.index()],
            outcome.scores[loser.index()]
        )
    });
    match game.keep(table) {
        Ok(Some(number)) => format!("{result}Kept as game {number} of {}.", game.dir().display()),
        Ok(None) => result,
        Err(error) => format!("{result}The game is not kept: {error}."),
    }
}
