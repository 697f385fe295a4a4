//! The last good reply with forgetting: Baier and Drake, "The power of forgetting: improving the last-good-reply policy in
//! Monte Carlo Go" (2010). Turns need not alternate here: a reply may follow a move of the same side.

use patchwork_engine::search::{
    Picker, Playout, PlayoutMove, PlayoutOption, PlayoutPolicy, PlayoutResult, PlayoutTurn,
};
use patchwork_search::{PartInfo, PartKey};

/// The last reply to the moves before it after which its side won.
pub(crate) static LGRF: PlayoutPolicy = PlayoutPolicy {
    info: PartInfo {
        name: "lgrf",
        about: "The last reply to the moves before it after which its side won, if it can be made (LGRF).",
        keys: &[PartKey {
            name: "length",
            about: "The number of moves before a reply: 1, or 2 and otherwise 1",
            default: 1.0,
            range: [1.0, 2.0],
        }],
    },
    build: |keys, kinds| {
        let kinds = 2 * usize::from(kinds);
        Box::new(LastGoodReplies {
            length: keys[0] as usize,
            kinds,
            replies: [1, 2].map(|length| vec![None; 2 * kinds.pow(length)]),
        })
    },
};

#[derive(Debug)]
struct LastGoodReplies {
    length: usize,
    /// The number of kinds of moves, those of the sides told apart.
    kinds: usize,
    /// By the number of moves before them, less 1, and then by the side that replies and these moves.
    replies: [Vec<Option<u16>>; 2],
}

impl LastGoodReplies {
    /// The reply to the last moves of the trace, if it has as many.
    fn reply(
        &mut self,
        trace: &[PlayoutMove],
        turn: PlayoutTurn,
        length: usize,
    ) -> Option<&mut Option<u16>> {
        let (_, before) = trace.split_at(trace.len().checked_sub(length)?);
        let place = before.iter().fold(turn.side as usize, |place, one| {
            place * self.kinds + 2 * usize::from(one.kind) + one.turn.side as usize
        });
        Some(&mut self.replies[length - 1][place])
    }
}

impl Playout for LastGoodReplies {
    fn weigh(
        &mut self,
        trace: &[PlayoutMove],
        turn: PlayoutTurn,
        options: &mut [PlayoutOption],
        picker: &Picker,
    ) {
        for length in (1..=self.length).rev() {
            let reply = self.reply(trace, turn, length).and_then(|reply| *reply);
            if options.iter().any(|option| Some(option.kind) == reply) {
                let others = options.iter_mut();
                let others = others.filter(|option| Some(option.kind) != reply);
                others.for_each(|option| option.worth = picker.never());
                return;
            }
        }
    }

    fn observe(&mut self, trace: &[PlayoutMove], result: &PlayoutResult) {
        for (i, one) in trace.iter().enumerate() {
            let won = result.value.seen_by(one.turn.side) > 0.5;
            for length in 1..=self.length {
                match self.reply(&trace[..i], one.turn, length) {
                    Some(reply) if won => *reply = Some(one.kind),
                    Some(reply) if *reply == Some(one.kind) => *reply = None,
                    _ => {}
                }
            }
        }
    }

    fn clear(&mut self) {
        self.replies.iter_mut().for_each(|known| known.fill(None));
    }
}
