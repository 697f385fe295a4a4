//! Swings: how far an agent's win expectation moves from one of its decisions to the next.

use patchwork_engine::record::Record;

/// Maximum number of swings marked on a game's curve.
pub(crate) const MAX_SWINGS: usize = 5;

/// Swings smaller than this are not marked.
pub(crate) const MIN_SWING: f32 = 0.1;

/// A change of a player's win expectation between two consecutive decisions of that player for
/// which it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swing {
    /// Number of the ply at which the later expectation was reported; the first ply is 1.
    pub ply: usize,
    /// The seat of the player.
    pub seat: usize,
    /// The earlier expectation.
    pub from: f32,
    /// The later expectation.
    pub to: f32,
}

impl Swing {
    pub(crate) fn size(&self) -> f32 {
        (self.to - self.from).abs()
    }
}

/// All swings of a game, the largest first; of equal ones, the earlier first.
pub fn swings(record: &Record) -> Vec<Swing> {
    let mut last = [None::<f32>; 2];
    let mut found = Vec::new();
    for (ply, played) in (1..).zip(&record.plies) {
        let told = played.thought.value;
        let Some(to) = told.filter(|value| (0.0..=1.0).contains(value)) else {
            continue;
        };
        let seat = played.player.index();
        if let Some(from) = last[seat].replace(to) {
            found.push(Swing {
                ply,
                seat,
                from,
                to,
            });
        }
    }
    found.sort_by(|a, b| b.size().total_cmp(&a.size()).then(a.ply.cmp(&b.ply)));
    found
}

/// The swings that are marked on the curve of a game.
pub fn marked_swings(record: &Record) -> Vec<Swing> {
    let mut found = swings(record);
    found.retain(|swing| swing.size() >= MIN_SWING);
    found.truncate(MAX_SWINGS);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwork_test_support::tournaments::tournament;

    /// A game in which only these plies (counted from 1) have an expectation.
    fn record(values: &[(usize, f32)]) -> Record {
        let mut record = tournament(1).remove(0).record;
        for ply in &mut record.plies {
            ply.thought.value = None;
        }
        for &(ply, value) in values {
            record.plies[ply - 1].thought.value = Some(value);
        }
        record
    }

    /// The first plies of a player.
    fn plies_of(seat: usize) -> Vec<usize> {
        let record = record(&[]);
        let plies = (1..).zip(&record.plies);
        let own = plies.filter(|(_, ply)| ply.player.index() == seat);
        own.map(|(number, _)| number).take(4).collect()
    }

    #[test]
    fn swings_compare_a_player_with_itself() {
        let (first, second) = (plies_of(0), plies_of(1));
        let record = record(&[
            (first[0], 0.5),
            (first[1], 0.75),
            (second[0], 0.9),
            (second[2], 0.25),
            // Not an expectation.
            (first[2], 7.0),
            (first[3], 0.7),
        ]);
        let found = swings(&record);
        let sizes: Vec<_> = found
            .iter()
            .map(|s| (s.seat, s.ply, s.from, s.to))
            .collect();
        assert_eq!(
            sizes,
            [
                (1, second[2], 0.9, 0.25),
                (0, first[1], 0.5, 0.75),
                (0, first[3], 0.75, 0.7)
            ]
        );
        assert_eq!(
            marked_swings(&record),
            found[..2],
            "5 points are not marked"
        );
    }

    #[test]
    fn no_swing_without_two_expectations() {
        let only = plies_of(0)[0];
        assert_eq!(swings(&record(&[])), []);
        assert_eq!(swings(&record(&[(only, 0.5)])), []);
    }
}
