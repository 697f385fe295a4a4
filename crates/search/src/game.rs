//! The interface of a game: [`GameRules`], [`Guidance`] and, for RAVE, a [`MoveSet`].

/// One of the two players, whatever the game calls them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The player whose wins are worth 1 in a [`Value`].
    First,
    /// The opponent.
    Second,
}

impl Side {
    /// The other side.
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// A result or its expectation: 1 if the first side wins, 0 if the second side wins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value(f64);

impl Value {
    /// A value from 0 (the first side loses) to 1 (the first side wins).
    ///
    /// # Panics
    /// If it is not a number from 0 to 1.
    #[inline(always)]
    pub const fn for_first(value: f64) -> Self {
        assert!(value >= 0.0 && value <= 1.0, "a value is from 0 to 1");
        Self(value)
    }

    /// The value that `side` sees as `value`, 0 to 1.
    ///
    /// # Panics
    /// If it is not a number from 0 to 1.
    #[inline(always)]
    pub const fn for_side(side: Side, value: f64) -> Self {
        Self::unchecked(side, Self::for_first(value).0)
    }

    /// As [`Self::for_side`], of a number that follows from other values.
    #[inline(always)]
    pub(crate) const fn unchecked(side: Side, value: f64) -> Self {
        match side {
            Side::First => Self(value),
            Side::Second => Self(1.0 - value),
        }
    }

    /// The weighted mean of this value and another, which has a weight from 0 to 1.
    ///
    /// # Panics
    /// If the weight is not a number from 0 to 1.
    pub const fn mixed(self, other: Self, weight: f64) -> Self {
        assert!(weight >= 0.0 && weight <= 1.0, "a weight is from 0 to 1");
        Self(self.0 + weight * (other.0 - self.0))
    }

    /// The value as `side` sees it, 0 to 1.
    #[inline(always)]
    pub const fn seen_by(self, side: Side) -> f64 {
        match side {
            Side::First => self.0,
            Side::Second => 1.0 - self.0,
        }
    }
}

/// The evaluation of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leaf {
    /// The result or an estimate of it.
    pub value: Value,
    /// The first side's chance to win, where `value` measures something else.
    pub chance: Option<Value>,
    /// The side that wins with best play, where that is certain. A draw is a value of one half without a winner.
    pub winner: Option<Side>,
}

impl Leaf {
    /// An estimate.
    pub const fn estimate(value: Value) -> Self {
        Self {
            value,
            chance: None,
            winner: None,
        }
    }

    /// A win for this side.
    pub const fn won_by(side: Side) -> Self {
        Self {
            winner: Some(side),
            ..Self::estimate(Value::for_side(side, 1.0))
        }
    }
}

/// The rules of a game for two players, whose turns come in any order.
pub trait GameRules {
    /// A position, cheap to copy.
    type Position: Copy + PartialEq;
    /// A legal action, or a part of one.
    type Action: Copy + PartialEq;

    /// Whether the game is over. A position in which nobody can move is over; if the game goes on with the other side, to pass is
    /// an action.
    fn is_over(&self, position: &Self::Position) -> bool;

    /// The side to move in a position that is not over.
    fn mover(&self, position: &Self::Position) -> Side;

    /// Plays a legal action.
    fn play(&self, position: &mut Self::Position, action: Self::Action);

    /// A hash that identifies the position, for [`Settings::transpositions`]. Positions without one
    /// are not merged.
    ///
    /// # Panics
    /// Unless implemented.
    ///
    /// [`Settings::transpositions`]: crate::Settings::transpositions
    fn key(&self, _position: &Self::Position) -> Option<u64> {
        panic!("the setting `transpositions` requires `GameRules::key`")
    }

    /// Whether the action is only a part of a decision: the same side continues with the next part.
    fn is_part(&self, _action: Self::Action) -> bool {
        false
    }
}

/// Guides the search through a game.
pub trait Guidance: GameRules {
    /// Appends the actions to be searched, from 1 to 65,535, in the order in which to try them. Each has a prior:
    /// its likelihood of being the best, on any scale, finite and at least 0; if all are 0, they count as equal. Returns whether
    /// these are all legal actions. Called only for positions that are not over.
    fn expand(&mut self, position: &Self::Position, actions: &mut Vec<(Self::Action, f32)>)
    -> bool;

    /// Appends all legal actions, at most 65,535, possibly including those of [`Self::expand`], and returns true. Called
    /// where all actions of [`Self::expand`] lose. If it returns false, the other actions stay unknown, and
    /// the position is not proven to be lost.
    fn expand_more(
        &mut self,
        _position: &Self::Position,
        _actions: &mut Vec<(Self::Action, f32)>,
    ) -> bool {
        false
    }

    /// Evaluates a position: the result if it is over, otherwise an estimate, often by a rollout.
    fn evaluate(&mut self, position: &Self::Position) -> Leaf;

    /// Takes note of the path to the position that is evaluated next, for playouts that learn from it: each step is a
    /// position and the action there. The steps are those from the root of the tree on or, if `goes_on`, those after the
    /// steps of the last call that did not go on: several iterations in a row can start below the root.
    fn follow<'a>(
        &mut self,
        _goes_on: bool,
        _steps: impl Iterator<Item = (&'a Self::Position, Self::Action)>,
    ) where
        Self::Position: 'a,
    {
    }

    /// What the [memory](crate::SelectionRule::memory) of the selection rule recalls of an action of the position to which the
    /// path of the last [`Self::follow`] leads: a number of results and their mean.
    ///
    /// # Panics
    /// Unless implemented.
    fn recall(&mut self, _position: &Self::Position, _action: Self::Action) -> [f32; 2] {
        panic!("a selection rule with a memory requires `Guidance::recall`")
    }

    /// Takes note of an action that was played: the root of the tree has moved. Called for each thread.
    fn advance(&mut self, _action: Self::Action) {}

    /// A random number, from which the parts of a search that draw at the root draw for one decision; asked for only where they
    /// are used.
    ///
    /// # Panics
    /// Unless implemented.
    fn seed(&mut self) -> u64 {
        panic!("an allocation or a choice that draws requires `Guidance::seed`")
    }

    /// Whether [`Self::evaluate`] gives a position the value of [`Self::estimate`] unless it knows who wins.
    fn evaluates_by_estimate(&self) -> bool {
        false
    }

    /// The side that wins a position, if that can be found out at a cost that the first visit was not worth. Asked
    /// at the second visit, before the position is expanded, with [`Settings::solver`].
    ///
    /// [`Settings::solver`]: crate::Settings::solver
    fn prove(&mut self, _position: &Self::Position) -> Option<Side> {
        None
    }

    /// A position estimate, for [`Settings::minimax`].
    ///
    /// # Panics
    /// Unless implemented.
    ///
    /// [`Settings::minimax`]: crate::Settings::minimax
    fn estimate(&mut self, _position: &Self::Position) -> Value {
        panic!("the setting `minimax` requires `Guidance::estimate`")
    }

    /// The moves of the current iteration, for rules that [learn](crate::SelectionRule::learn) from them, such as RAVE, none at
    /// first; [`Self::evaluate`] adds those of its rollout. A search by such a rule requires it.
    fn moves(&mut self) -> Option<&mut dyn MoveSet<Self::Action>> {
        None
    }
}

/// The moves of an iteration, for RAVE. The game decides which moves count as the same.
pub trait MoveSet<A> {
    /// Removes all moves.
    fn clear(&mut self);

    /// Adds a move.
    fn insert(&mut self, side: Side, action: A);

    /// Whether the side has made this move or one that counts as the same.
    fn contains(&self, side: Side, action: A) -> bool;
}

/// Checks the number of actions of a position that is not over.
pub(crate) fn check_number(actions: usize) {
    assert!(
        actions > 0,
        "a position that is not over has an action: to pass is one, and a position in which nobody can move is over"
    );
    assert!(
        actions <= u16::MAX.into(),
        "a position has at most 65,535 actions, found {actions}"
    );
}

/// The sum of the priors of a position.
pub(crate) fn check_priors(priors: impl Iterator<Item = f32>) -> f32 {
    let add = |(sum, least): (f32, f32), prior: f32| (sum + prior, least.min(prior));
    let (sum, least) = priors.fold((0.0, 0.0), add);
    assert!(
        sum.is_finite() && least >= 0.0,
        "a prior is a finite number, at least 0"
    );
    sum
}
