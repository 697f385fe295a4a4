//! Alpha-beta search with iterative deepening, a transposition table and the static estimate.
//!
//! Values are those of the player who moves, and change sign only where the mover changes. The value
//! of a position at the horizon is the logarithm of the odds that the estimate gives; a finished
//! game is worth more than any estimate, the more the larger the margin.

mod table;

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use self::table::{Bound, Table};
use super::breadth::{Actions, Breadth, BreadthConfig, Generator};
use super::config::only_one;
use super::{Agent, Decision, STARTED};
use crate::agent::estimate::{estimate, log_odds, logistic};
use crate::game::{Action, MAX_PLIES, Player, Setup, State};
use crate::record::Thought;
use crate::search::Stop;
use crate::util::config::Count;
use crate::util::rng::Rng;

/// The keys of an alpha-beta agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlphaBetaConfig {
    /// Effort for each decision.
    pub budget: AlphaBetaBudgetConfig,
    /// What is searched.
    pub expansion: BreadthConfig,
    /// Size of the transposition table in megabytes; 8 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_megabytes: Option<Count>,
}

/// Effort for each decision: one of the three keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AlphaBetaBudgetConfig {
    /// Turns looked ahead; special patches and forced turns do not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Count>,
    /// Positions looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Count>,
    /// Milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<Count>,
}

const DEFAULT_MEGABYTES: u32 = 8;
const MOST_MEGABYTES: u32 = 4096;
const MEGABYTE: usize = 1 << 20;

impl AlphaBetaConfig {
    pub(super) fn check(&self) -> Result<AlphaBetaSpec, String> {
        let budget = &self.budget;
        let milliseconds = |time: Count| Duration::from_millis(time.get().into());
        let efforts = [
            budget.depth.map(|depth| Effort::Depth(depth.get())),
            budget.nodes.map(|nodes| Effort::Nodes(nodes.get())),
            budget
                .milliseconds
                .map(|time| Effort::Time(milliseconds(time))),
        ];
        let effort = only_one("depth, nodes or milliseconds", efforts)?;
        let megabytes = self.table_megabytes.map_or(DEFAULT_MEGABYTES, Count::get);
        if megabytes > MOST_MEGABYTES {
            return Err(format!(
                "table_megabytes: expected a number from 1 to {MOST_MEGABYTES}, found {megabytes}"
            ));
        }
        Ok(AlphaBetaSpec {
            effort,
            breadth: self.expansion.check()?,
            table_bytes: megabytes as usize * MEGABYTE,
        })
    }
}

/// What an alpha-beta search may spend on a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// So many turns ahead.
    Depth(u32),
    /// So many positions.
    Nodes(u32),
    /// So much time.
    Time(Duration),
}

/// The settings of an alpha-beta agent.
#[derive(Clone, Copy, Debug)]
pub struct AlphaBetaSpec {
    /// Effort for each decision.
    pub effort: Effort,
    /// The actions of a position that are searched.
    pub breadth: Breadth,
    /// Size of the transposition table, rounded down to a power of two of entries.
    pub table_bytes: usize,
}

impl AlphaBetaSpec {
    pub(super) const fn is_deterministic(&self) -> bool {
        !matches!(self.effort, Effort::Time(_))
    }
}

/// A won game is worth this and its margin; a lost one the negative.
const WON: i32 = 2_000_000;
/// Beyond this either way a value is proven.
const PROVEN: i32 = WON - 1_000;
/// No estimate is larger.
const MOST_ESTIMATE: i32 = 1_000_000;
/// What a player who has not tried every action can count on: a little worse than the worst
/// estimate, and not proven.
const UNTRIED: i32 = -MOST_ESTIMATE - 1;
/// Values are in steps of this share of the logarithm of odds.
const STEPS: f32 = 10_000.0;
const INFINITE: i32 = i32::MAX;

/// The value of a finished game for this player.
fn result(state: &State, player: Player) -> i32 {
    let outcome = state.outcome_unchecked();
    let margin = i32::from(outcome.margin(player));
    if outcome.winner == player {
        WON + margin
    } else {
        margin - WON
    }
}

/// What a position that is not over is estimated to be worth for this player.
pub(super) fn guess(setup: &Setup, state: &State, player: Player) -> i32 {
    let odds = log_odds(estimate(setup, state), state);
    let steps = ((odds * STEPS) as i32).clamp(-MOST_ESTIMATE, MOST_ESTIMATE);
    match player {
        Player::First => steps,
        Player::Second => -steps,
    }
}

/// The value of any position for this player: its result or a guess.
pub(super) fn worth(setup: &Setup, state: &State, player: Player) -> i32 {
    if state.is_over() {
        result(state, player)
    } else {
        guess(setup, state, player)
    }
}

/// The chance to win, 0 to 1, that a value stands for.
pub(super) fn chance(value: i32) -> f32 {
    if value.abs() >= PROVEN {
        return f32::from(u8::from(value > 0));
    }
    logistic(value as f32 / STEPS)
}

/// A player by alpha-beta search.
pub struct AlphaBetaAgent {
    spec: AlphaBetaSpec,
    /// Kept from game to game for its memory alone.
    table: Table,
    generator: Option<Generator>,
    /// A list of actions for each ply of the search.
    lists: Vec<Actions>,
}

impl AlphaBetaAgent {
    /// A player with these settings.
    #[must_use]
    pub fn new(spec: AlphaBetaSpec) -> Self {
        Self {
            spec,
            table: Table::new(spec.table_bytes),
            generator: None,
            lists: vec![Actions::default(); MAX_PLIES + 1],
        }
    }
}

impl Agent for AlphaBetaAgent {
    fn start(&mut self, _: &Setup, rng: Rng) {
        self.table.clear();
        self.generator = Some(Generator::new(self.spec.breadth, rng));
    }

    fn decide(&mut self, setup: &Setup, state: &State, stop: &Stop) -> Decision {
        let start = Instant::now();
        self.table.grow_older();
        let mut search = AlphaBeta {
            setup,
            table: &mut self.table,
            generator: self.generator.as_mut().expect(STARTED),
            lists: &mut self.lists,
            nodes: 0,
            most_nodes: match self.spec.effort {
                Effort::Nodes(nodes) => nodes,
                _ => u32::MAX,
            },
            deadline: match self.spec.effort {
                Effort::Time(time) => start.checked_add(time),
                _ => None,
            },
            stop,
            aborted: false,
            horizon: false,
        };
        let most_depth = match self.spec.effort {
            Effort::Depth(depth) => i32::try_from(depth).unwrap_or(i32::MAX),
            _ => i32::MAX,
        };
        search.deepen(state, most_depth.min(MAX_PLIES as i32))
    }
}

/// A search of one position.
struct AlphaBeta<'a> {
    setup: &'a Setup,
    table: &'a mut Table,
    generator: &'a mut Generator,
    lists: &'a mut [Actions],
    nodes: u32,
    most_nodes: u32,
    deadline: Option<Instant>,
    stop: &'a Stop,
    /// Set when the budget is spent: values are meaningless from then on.
    aborted: bool,
    /// Set when a position was not searched to the end of the game.
    horizon: bool,
}

impl AlphaBeta<'_> {
    /// Searches deeper and deeper.
    fn deepen(&mut self, state: &State, most_depth: i32) -> Decision {
        let mut actions = Vec::new();
        self.generator.actions(self.setup, state, &mut actions);
        let mut value = guess(self.setup, state, state.mover());
        if actions.len() > 1 {
            for depth in 1..=most_depth {
                self.horizon = false;
                let found = self.root(state, &mut actions, depth);
                value = found.unwrap_or(value);
                if self.aborted || !self.horizon || value.abs() >= PROVEN {
                    break;
                }
            }
        }
        Decision {
            action: actions[0],
            thought: Thought {
                iterations: self.nodes,
                value: Some(chance(value)),
                proven: (value.abs() >= PROVEN).then_some(value > 0),
                ..Thought::default()
            },
        }
    }

    /// Searches each action of the root, moves the best to the front and gives its value; none when
    /// the budget was spent before the first was searched.
    fn root(&mut self, state: &State, actions: &mut [Action], depth: i32) -> Option<i32> {
        let mut best = None;
        for i in 0..actions.len() {
            let alpha = best.unwrap_or(-INFINITE);
            let value = self.after(state, actions[i], depth, 0, (alpha, INFINITE), i == 0);
            if self.aborted {
                // An action that loses says nothing of those that there was no time for.
                if best.is_some_and(|best| best <= -PROVEN) {
                    actions[..=i].rotate_right(1);
                    return None;
                }
                return best;
            }
            if best.is_none_or(|best| value > best) {
                best = Some(value);
                actions[..=i].rotate_right(1);
            }
        }
        best.map(|best| self.unless_untried(state, actions.len(), best))
    }

    /// The value of an action for the player who takes it, within a window; searched with an empty
    /// window first unless it is the first of its siblings.
    fn after(
        &mut self,
        state: &State,
        action: Action,
        depth: i32,
        ply: usize,
        (alpha, beta): (i32, i32),
        is_first: bool,
    ) -> i32 {
        let mut next = *state;
        next.play_unchecked(self.setup, action);
        let same = next.mover() == state.mover();
        let depth = depth - i32::from(!matches!(action, Action::Special(_)));
        let search = |search: &mut Self, alpha: i32, beta: i32| {
            if same {
                search.value(&next, depth, ply + 1, alpha, beta)
            } else {
                -search.value(&next, depth, ply + 1, -beta, -alpha)
            }
        };
        if !is_first && alpha > -INFINITE {
            let value = search(self, alpha, alpha + 1);
            if self.aborted || value <= alpha || value >= beta {
                return value;
            }
        }
        search(self, alpha, beta)
    }

    /// The value of a position for its mover: exact inside the window, a bound outside.
    fn value(&mut self, state: &State, depth: i32, ply: usize, alpha: i32, beta: i32) -> i32 {
        if self.is_spent() {
            return 0;
        }
        self.nodes += 1;
        if state.is_over() {
            return result(state, state.mover());
        }
        // While a special patch waits the estimate sees no offers: it is placed first.
        if depth <= 0 && state.specials_waiting() == 0 {
            self.horizon = true;
            return guess(self.setup, state, state.mover());
        }
        let stored = depth.clamp(0, u8::MAX.into()) as u8;
        let key = state.key();
        let known = self.table.find(key);
        if let Some(entry) = known
            && entry.depth >= stored
        {
            let settles = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= beta,
                Bound::Upper => entry.value <= alpha,
            };
            if settles {
                self.horizon |= entry.value.abs() < PROVEN;
                return entry.value;
            }
        }
        // A turn without a choice costs no depth.
        let forced = state.specials_waiting() == 0 && state.affordable(self.setup).next().is_none();
        let depth = depth + i32::from(forced);
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.start(self.setup, state);
        let hint = known.map(|entry| entry.best);
        let mut best = (-INFINITE, Action::Advance);
        let mut tried = 0;
        // What was best before is tried before anything is generated.
        let mut next = hint.or_else(|| self.generator.next(self.setup, state, &mut list));
        while let Some(action) = next {
            let window = (alpha.max(best.0), beta);
            let value = self.after(state, action, depth, ply, window, tried == 0);
            tried += 1;
            if value > best.0 {
                best = (value, action);
            }
            if self.aborted || value >= beta {
                break;
            }
            next = self.generator.next(self.setup, state, &mut list);
            if next.is_some() && next == hint {
                next = self.generator.next(self.setup, state, &mut list);
            }
        }
        self.lists[ply] = list;
        if self.aborted {
            return 0;
        }
        // A search that was cut off knows a bound, and that bound alone.
        let value = if best.0 >= beta {
            best.0
        } else {
            self.unless_untried(state, tried, best.0)
        };
        let bound = if value >= beta {
            Bound::Lower
        } else if value <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        self.table.store(key, value, best.1, stored, bound);
        value
    }

    /// A value; but no loss is proven where not all actions were tried.
    fn unless_untried(&self, state: &State, tried: usize, value: i32) -> i32 {
        if value <= -PROVEN && (tried as u32) < state.count_actions(self.setup) {
            UNTRIED
        } else {
            value
        }
    }

    fn is_spent(&mut self) -> bool {
        /// Looking at a clock takes about as long as a position at the horizon.
        const BETWEEN_LOOKS: u32 = 16;
        self.aborted |= self.nodes >= self.most_nodes;
        if self.nodes.is_multiple_of(BETWEEN_LOOKS) {
            let late = self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline);
            self.aborted |= late || self.stop.is_set();
        }
        self.aborted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placement::Strategy;
    use crate::support::positions::{setup, setup_and_rng};
    use crate::util::rng::{below, stream};

    fn spec(names: [&str; 3], best: Option<usize>, effort: Effort) -> AlphaBetaSpec {
        let [policy, transforms, evaluation] = names;
        AlphaBetaSpec {
            effort,
            breadth: Breadth {
                strategy: Strategy::by_names(policy, transforms, evaluation).expect("known"),
                best,
            },
            table_bytes: MEGABYTE,
        }
    }

    const ALL: [&str; 3] = ["all", "every", "first"];
    const ONE: [&str; 3] = ["in-order", "some", "first"];

    /// A position that random play reaches, with about so many spaces left for both together.
    fn position(seed: u64, left: u8) -> (Setup, State) {
        let (setup, mut rng) = setup_and_rng(seed);
        let mut state = State::new(&setup);
        loop {
            let spaces: u8 = Player::BOTH
                .map(|player| 53 - state.space(player))
                .iter()
                .sum();
            let mut next = state;
            // Much is bought, so that there is little room at the end.
            let actions = state.legal_actions(&setup);
            let pick = if actions.len() > 1 && below(8, &mut rng) > 0 {
                1
            } else {
                0
            };
            let action = actions[pick + below((actions.len() - pick) as u32, &mut rng) as usize];
            next.play_unchecked(&setup, action);
            if spaces <= left || next.is_over() {
                return (setup, state);
            }
            state = next;
        }
    }

    /// Every line to the end or to the horizon, without any cleverness.
    fn minimax(
        setup: &Setup,
        state: &State,
        depth: i32,
        generator: &mut Generator,
        nodes: &mut u32,
    ) -> i32 {
        *nodes += 1;
        let mover = state.mover();
        if state.is_over() {
            return result(state, mover);
        }
        if depth <= 0 && state.specials_waiting() == 0 {
            return guess(setup, state, mover);
        }
        let mut actions = Vec::new();
        generator.actions(setup, state, &mut actions);
        let is_turn = state.specials_waiting() == 0;
        let forced = is_turn && state.affordable(setup).next().is_none();
        let depth = depth - i32::from(is_turn && !forced);
        let values = actions.iter().map(|&action| {
            let mut next = *state;
            next.play_unchecked(setup, action);
            let value = minimax(setup, &next, depth, generator, nodes);
            if next.mover() == mover { value } else { -value }
        });
        let best = values
            .max()
            .expect("a position that is not over has actions");
        if best <= -PROVEN && (actions.len() as u32) < state.count_actions(setup) {
            UNTRIED
        } else {
            best
        }
    }

    fn value(agent: &mut AlphaBetaAgent, setup: &Setup, state: &State, depth: i32) -> (i32, u32) {
        agent.start(setup, stream(&[1]));
        agent.table.grow_older();
        let stop = Stop::new();
        let mut search = AlphaBeta {
            setup,
            table: &mut agent.table,
            generator: agent.generator.as_mut().expect("started"),
            lists: &mut agent.lists,
            nodes: 0,
            most_nodes: u32::MAX,
            deadline: None,
            stop: &stop,
            aborted: false,
            horizon: false,
        };
        (
            search.value(state, depth, 0, -INFINITE, INFINITE),
            search.nodes,
        )
    }

    fn agrees_with_minimax(names: [&str; 3], best: Option<usize>, left: u8, depth: i32) {
        let spec = spec(names, best, Effort::Depth(1));
        let mut agent = AlphaBetaAgent::new(spec);
        let (mut searched, mut plain, mut proven) = (0, 0, 0);
        for seed in 0..40 {
            let (setup, state) = position(seed, left);
            if state.is_over() {
                continue;
            }
            let (value, nodes) = value(&mut agent, &setup, &state, depth);
            let mut generator = Generator::new(spec.breadth, stream(&[1]));
            let expected = minimax(&setup, &state, depth, &mut generator, &mut plain);
            assert_eq!(value, expected, "seed {seed}, {state:?}");
            searched += nodes;
            proven += u32::from(value.abs() >= PROVEN);
        }
        assert!(searched < plain, "{searched} of {plain}");
        assert!(depth < 50 || proven > 0, "some games are decided");
    }

    #[test]
    fn the_value_is_that_of_plain_minimax_to_the_end_of_the_game() {
        agrees_with_minimax(ONE, None, 16, 99);
        agrees_with_minimax(ALL, Some(2), 9, 99);
    }

    #[test]
    fn the_value_is_that_of_plain_minimax_to_a_horizon() {
        agrees_with_minimax(ONE, None, 106, 4);
        agrees_with_minimax(["bl-lb", "every", "area"], Some(3), 60, 2);
    }

    #[test]
    fn a_proof_is_who_wins_by_best_play() {
        let mut agent = AlphaBetaAgent::new(spec(ALL, None, Effort::Nodes(20_000)));
        let mut counts = [0; 2];
        for seed in 100..160 {
            let (setup, state) = position(seed, 7);
            let winner = crate::agent::endgame::winner(&setup, &state, 100_000);
            let (false, Some(winner)) = (state.is_over(), winner) else {
                continue;
            };
            agent.start(&setup, stream(&[2]));
            let decision = agent.decide(&setup, &state, &Stop::new());
            if let Some(wins) = decision.thought.proven {
                assert_eq!(wins, winner == state.mover(), "seed {seed}");
                assert_eq!(decision.thought.value, Some(f32::from(u8::from(wins))));
                counts[usize::from(wins)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 5), "{counts:?}");
    }

    #[test]
    fn a_loss_is_not_proven_by_some_of_the_actions() {
        let mut agent = AlphaBetaAgent::new(spec(ONE, None, Effort::Nodes(5_000)));
        for seed in 0..60 {
            let (setup, state) = position(seed, 12);
            if state.is_over() {
                continue;
            }
            agent.start(&setup, stream(&[2]));
            let proven = agent.decide(&setup, &state, &Stop::new()).thought.proven;
            if let (Some(wins), Some(winner)) = (
                proven,
                crate::agent::endgame::winner(&setup, &state, 200_000),
            ) {
                assert_eq!(wins, winner == state.mover(), "seed {seed}");
            }
        }
    }

    #[test]
    fn budgets_are_kept_and_repeat() {
        let setup = setup(4);
        let state = State::new(&setup);
        let decide = |effort: Effort, stop: &Stop| {
            let mut agent = AlphaBetaAgent::new(spec(ONE, None, effort));
            agent.start(&setup, stream(&[5]));
            agent.decide(&setup, &state, stop)
        };
        let stop = Stop::new();
        let decision = decide(Effort::Nodes(3000), &stop);
        assert_eq!(decision.thought.iterations, 3000);
        assert_eq!(decision, decide(Effort::Nodes(3000), &stop));
        let deep = decide(Effort::Depth(5), &stop);
        assert_eq!(deep, decide(Effort::Depth(5), &stop));
        assert!(decide(Effort::Depth(3), &stop).thought.iterations < deep.thought.iterations);
        let start = Instant::now();
        let timed = decide(Effort::Time(Duration::from_millis(20)), &stop);
        assert!(timed.thought.iterations > 100);
        assert!(start.elapsed() >= Duration::from_millis(20));
        stop.set();
        assert!(decide(Effort::Depth(60), &stop).thought.iterations < 100);
    }
}
