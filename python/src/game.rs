//! Setups, states and actions.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use numpy::{PyArray1, PyArray3, PyArrayMethods as _};
use patchwork_engine::board::Square;
use patchwork_engine::game::{
    Action, ActionList, PatchId, Player, Position, Ring, Rules, Setup, State,
};
use patchwork_engine::record::picture::Picture;
use patchwork_engine::util::rng::stream;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyString, PyTuple, PyType};

use crate::convert::{seat, seed, shown, whole};
use crate::errors::{IllegalAction, guarded, raise, value_error};
use crate::observation::{PLANES, Rows, SCALARS, VECTOR, write_vector};
use crate::space::{ACTIONS, SQUARES, action_of, index_of, write_mask, write_squares};

/// Adds the classes of this module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyAction>()?;
    module.add_class::<PySetup>()?;
    module.add_class::<PyState>()?;
    module.add_function(wrap_pyfunction!(unpickle, module)?)?;
    module.add_function(wrap_pyfunction!(states, module)?)?;
    module.add_function(wrap_pyfunction!(_panic, module)?)?;
    module.add(
        "_SCALARS",
        SCALARS.map(|one| (one.name, one.least, one.most, one.scale, one.about)),
    )?;
    let patches = PatchId::all().map(|id| {
        let patch = id.patch();
        let shape = patch.shape().literal();
        (
            id.number(),
            patch.button_cost,
            patch.time_cost,
            patch.income,
            shape,
        )
    });
    module.add("_PATCHES", patches.collect::<Vec<_>>())
}

/// A hash that is the same in every process.
pub(crate) fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A decision of a player: advance, buy a patch and place it, or place a special patch.
///
/// Args:
///     text: The notation: ``A``, ``2:b1a2b2`` (a patch and its squares) or ``S:e5`` (a special patch).
///
/// Raises:
///     ValueError: The text is not an action.
///
/// Example:
///     >>> action = Action("2:b1a2b2")
///     >>> action.kind, action.patch, action.squares, action.orientation
///     ('buy', 2, (1, 9, 10), 0)
#[pyclass(
    frozen,
    eq,
    from_py_object,
    name = "Action",
    module = "patchwork_arena"
)]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct PyAction(pub(crate) Action);

#[pymethods]
impl PyAction {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        text.parse().map(Self).map_err(value_error)
    }

    /// ``advance``, ``buy`` or ``special``.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0 {
            Action::Advance => "advance",
            Action::Buy(..) => "buy",
            Action::Special(_) => "special",
        }
    }

    /// The number of the patch that is bought, 1 to 33.
    #[getter]
    fn patch(&self) -> Option<u8> {
        match self.0 {
            Action::Buy(patch, _) => Some(patch.number()),
            _ => None,
        }
    }

    /// The squares that are covered, 0 (a1) to 80 (i9) row by row.
    #[getter]
    fn squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(
            py,
            self.0
                .squares()
                .squares()
                .map(Square::index)
                .collect::<Vec<_>>(),
        )
    }

    /// The index of the orientation of the patch that is bought, 0 to 7.
    #[getter]
    fn orientation(&self) -> Option<u8> {
        match self.0 {
            Action::Buy(_, placement) => Some(placement.orientation()),
            _ => None,
        }
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Action('{}')", self.0)
    }

    fn __hash__(&self) -> u64 {
        hash_of(&self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Self>(), (self.0.to_string(),))
    }
}

/// What is fixed before a game: the printing of the track, the komi and the ring of patches.
///
/// Args:
///     ring: The numbers 1 to 33, each once, with 1 last; or the same as text.
///     track: ``original`` or ``revised``, or with a komi as in ``original+2``.
///
/// Raises:
///     ValueError: It is not a ring or not a track. The message says why.
///
/// Example:
///     >>> setup = Setup.random(seed=1)
///     >>> setup == Setup(setup.ring, "original") == Setup.parse(str(setup))
///     True
///     >>> setup.track, setup.komi
///     ('original', 0)
#[pyclass(
    frozen,
    eq,
    hash,
    from_py_object,
    name = "Setup",
    module = "patchwork_arena"
)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PySetup(pub(crate) Arc<Setup>);

/// The rules with this name: that of a track, with or without a komi.
pub(crate) fn track(name: &str) -> PyResult<Rules> {
    name.parse().map_err(value_error)
}

#[pymethods]
impl PySetup {
    #[new]
    #[pyo3(signature = (ring, track = "original"))]
    fn new(ring: &Bound<'_, PyAny>, track: &str) -> PyResult<Self> {
        let numbers = if let Ok(text) = ring.cast::<PyString>() {
            let ring: Ring = text.to_str()?.parse().map_err(value_error)?;
            ring
        } else {
            let mut numbers = Vec::new();
            for number in ring.try_iter()? {
                numbers.push(whole("ring", &number?, 1, 33)? as u8);
            }
            Ring::new(&numbers).map_err(value_error)?
        };
        Ok(Self(Arc::new(Setup::new(self::track(track)?, numbers))))
    }

    /// A random setup.
    ///
    /// Args:
    ///     seed: Of a sequence of setups, 0 to 2^64 - 1.
    ///     number: The place in the sequence, 0 to 2^64 - 1; 0 by default. Number 0 is the setup of
    ///         ``patchwork-arena play --seed``.
    ///     track: ``original`` or ``revised``, or with a komi as in ``original+2``.
    ///
    /// Example:
    ///     >>> Setup.random(1, track="revised+2").komi
    ///     2
    #[staticmethod]
    #[pyo3(
        signature = (seed, number = None, *, track = "original"),
        text_signature = "(seed, number=0, *, track='original')"
    )]
    fn random(
        seed: &Bound<'_, PyAny>,
        number: Option<&Bound<'_, PyAny>>,
        track: &str,
    ) -> PyResult<Self> {
        let seed = self::seed(seed)?;
        let number = number.map_or(Ok(0), |number| whole("number", number, 0, u64::MAX))?;
        Ok(Self(Arc::new(numbered(seed, number, self::track(track)?))))
    }

    /// Reads the text of a setup: the name of the track and the ring. The name may be left out.
    #[staticmethod]
    fn parse(text: &str) -> PyResult<Self> {
        text.parse()
            .map(|setup| Self(Arc::new(setup)))
            .map_err(value_error)
    }

    /// ``original`` or ``revised``, or with a komi as in ``original+2``.
    #[getter]
    fn track(&self) -> String {
        self.0.rules().to_string()
    }

    /// Buttons that the second player has more at the start: 0 to 99.
    #[getter]
    fn komi(&self) -> u8 {
        self.0.rules().komi()
    }

    /// The 33 numbers of the patches in order.
    #[getter]
    fn ring<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.ring().numbers())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Setup('{}', '{}')", self.0.ring(), self.0.rules())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String, String)) {
        (
            py.get_type::<Self>(),
            (self.0.ring().to_string(), self.track()),
        )
    }
}

/// What a notebook shows of an object.
pub(crate) fn html<'py, T: pyo3::PyTypeInfo>(
    object: &Bound<'py, T>,
    view: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let views = object.py().import("patchwork_arena._html")?;
    views.call_method1(view, (object,))
}

/// The `Observation` of three arrays.
pub(crate) fn observation_of<'py>(
    py: Python<'py>,
    arrays: impl PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    static OBSERVATION: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = OBSERVATION.import(py, "patchwork_arena.positions", "Observation")?;
    class.call1(arrays)
}

/// The setup of this number in the sequence of a seed.
pub(crate) fn numbered(seed: u64, number: u64, rules: Rules) -> Setup {
    Setup::random(rules, &mut stream(&[seed, number]))
}

/// The actions that led to a state, the last one first. States share their pasts.
struct Past {
    action: Action,
    before: Option<Arc<Past>>,
}

/// A position of a game, with the actions that led to it. It never changes.
///
/// Players are 0 (first) and 1 (second). Two states are equal if their setups and positions are, however the
/// positions were reached.
///
/// Args:
///     setup: The setup at whose start the state is.
///
/// Example:
///     >>> state = State(Setup.random(seed=1))
///     >>> state.mover, state.buttons, state.is_over
///     (0, (5, 5), False)
///     >>> state.play("A").history
///     [Action('A')]
///     >>> len(state.legal_indices()) == state.count_actions(), state.action_mask().shape
///     (True, (2026,))
///     >>> state.legal_actions()[0], state.action(0), state.index("A")
///     (Action('A'), Action('A'), 0)
///     >>> state.offers == state.ring[:3], state.spaces, state.incomes, state.quilts.shape
///     (True, (0, 0), (0, 0), (2, 9, 9))
///     >>> state.special_spaces, state.specials_waiting, state.bonus, state.winner
///     ((20, 26, 32, 44, 50), 0, None, None)
///     >>> state.observe().planes.shape, state.observation_vector().shape
///     ((5, 9, 9), (477,))
///     >>> end = state.random_playout(seed=1)
///     >>> end.setup == state.setup, end.text == state.text, end.history[0] == state.random_action(seed=1)
///     (True, False, True)
///     >>> end.winner == (end.scores[1] > end.scores[0])
///     True
#[pyclass(frozen, eq, from_py_object, name = "State", module = "patchwork_arena")]
#[derive(Clone)]
pub(crate) struct PyState {
    pub(crate) setup: Arc<Setup>,
    pub(crate) state: State,
    past: Option<Arc<Past>>,
    /// The position from a text with which the history begins; the start of the game without it.
    given: Option<Arc<Position>>,
}

impl PartialEq for PyState {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state && self.setup == other.setup
    }
}

impl PyState {
    /// The start of a game.
    pub(crate) fn start(setup: Arc<Setup>) -> Self {
        let state = State::new(&setup);
        Self::at(setup, state)
    }

    /// A position that was reached in an unknown way.
    pub(crate) const fn at(setup: Arc<Setup>, state: State) -> Self {
        Self {
            setup,
            state,
            past: None,
            given: None,
        }
    }

    /// Whether the history begins at the start of the game.
    pub(crate) const fn is_whole(&self) -> bool {
        self.given.is_none()
    }

    /// The position at which the history begins.
    fn start_position(&self) -> Position {
        match &self.given {
            Some(given) => Position::clone(given),
            None => Position::start(Setup::clone(&self.setup)),
        }
    }

    /// The position with what lies on both quilts.
    fn position(&self) -> Position {
        let position = self.start_position().after(self.actions());
        let mut position = position.expect("they were played here");
        position.state = self.state;
        position
    }

    /// The state after an action, or why the action is illegal, as an exception.
    pub(crate) fn after(&self, action: Action) -> PyResult<Self> {
        let next = self.state.try_play(&self.setup, action);
        let state = next.map_err(|why| raise::<IllegalAction>(format!("{action}: {why}")))?;
        let past = Past {
            action,
            before: self.past.clone(),
        };
        Ok(Self {
            setup: Arc::clone(&self.setup),
            state,
            past: Some(Arc::new(past)),
            given: self.given.clone(),
        })
    }

    /// The actions that led here, in order.
    pub(crate) fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        let mut past = self.past.as_deref();
        while let Some(one) = past {
            actions.push(one.action);
            past = one.before.as_deref();
        }
        actions.reverse();
        actions
    }

    /// The actions that led here from another state, if the history begins with its own.
    pub(crate) fn since(&self, other: &Self) -> Option<Vec<Action>> {
        let start = |one: &Self| one.given.as_ref().map(|given| given.state);
        let (mine, others) = (self.actions(), other.actions());
        let goes_on = self.setup == other.setup && start(self) == start(other);
        let rest = mine.strip_prefix(&*others).filter(|_| goes_on)?;
        Some(rest.to_vec())
    }

    /// The action that an argument stands for: an [`Action`], a text or an index of the action space.
    pub(crate) fn read_action(&self, action: &Bound<'_, PyAny>) -> PyResult<Action> {
        if let Ok(action) = action.cast::<PyAction>() {
            return Ok(action.get().0);
        }
        if let Ok(text) = action.cast::<PyString>() {
            return text.to_str()?.parse().map_err(value_error);
        }
        // A truth value is a number in Python, but nobody means it as an index.
        let is_bool = action.is_instance_of::<PyBool>();
        let index = action.call_method0("__index__").ok();
        let Some(index) = index.filter(|_| !is_bool) else {
            let kind = action.get_type().name()?;
            return Err(raise::<PyTypeError>(format!(
                "expected an action, its text or its index, found a value of type {kind}"
            )));
        };
        let index_number = index.extract().unwrap_or(usize::MAX);
        action_of(&self.setup, &self.state, index_number)
            .map_err(|why| raise::<IllegalAction>(format!("action {}: {why}", shown(&index))))
    }

    /// Which actions of the action space are legal.
    fn mask(&self) -> Vec<bool> {
        let mut mask = vec![false; ACTIONS];
        write_mask(&self.setup, &self.state, &mut mask);
        mask
    }

    fn unfinished(&self) -> PyResult<()> {
        if self.state.is_over() {
            return Err(raise::<IllegalAction>("the game is over"));
        }
        Ok(())
    }
}

#[pymethods]
impl PyState {
    #[new]
    fn new(setup: &PySetup) -> Self {
        Self::start(Arc::clone(&setup.0))
    }

    /// Reads a position from its `text`, or the start of a game from that of a setup. Its history begins there.
    ///
    /// Raises:
    ///     ValueError: The text is not a position, or no game leads to such a one. The message says why.
    ///
    /// Example:
    ///     >>> state = State(Setup.random(seed=1)).play("A")
    ///     >>> State.parse(state.text) == state, State.parse(state.text).history
    ///     (True, [])
    #[staticmethod]
    fn parse(text: &str) -> PyResult<Self> {
        let given: Position = text.parse().map_err(value_error)?;
        let state = Self::at(Arc::new(given.setup.clone()), given.state);
        // A setup alone is the start of a game.
        let given = text.contains('/').then(|| Arc::new(given));
        Ok(Self { given, ..state })
    }

    /// The position in one line: the setup, and for each player the buttons, the space and what lies on the quilt; then
    /// the place of the token in the ring, the mover, the special patches that wait, who has the bonus, who arrived
    /// first, and the spaces of special patches.
    #[getter]
    fn text(&self) -> String {
        self.position().to_string()
    }

    /// The texts of the positions from which the actions led here, in order.
    fn _texts(&self) -> Vec<String> {
        let mut position = self.start_position();
        let texts = self.actions().into_iter().map(|action| {
            let text = position.to_string();
            position.play(action).expect("it was played here");
            text
        });
        texts.collect()
    }

    /// What lies on both quilts, in order.
    fn _placed(&self) -> [Vec<PyAction>; 2] {
        let placed = self.position().placed;
        placed.map(|actions| actions.into_iter().map(PyAction).collect())
    }

    /// The setup of the game.
    #[getter]
    fn setup(&self) -> PySetup {
        PySetup(Arc::clone(&self.setup))
    }

    /// The actions that led here, in order; from the text on, if it was read from one.
    #[getter]
    fn history(&self) -> Vec<PyAction> {
        self.actions().into_iter().map(PyAction).collect()
    }

    /// The player to move, 0 or 1; ``None`` after the end. A player may move several times in a row.
    #[getter]
    fn mover(&self) -> Option<usize> {
        (!self.state.is_over()).then(|| self.state.mover().index())
    }

    /// Whether the game has ended.
    #[getter]
    fn is_over(&self) -> bool {
        self.state.is_over()
    }

    /// The points of both players if the game ended now, -162 to 407.
    #[getter]
    fn scores(&self) -> (i16, i16) {
        Player::BOTH.map(|player| self.state.score(player)).into()
    }

    /// The player who won; ``None`` before the end. There are no draws.
    #[getter]
    fn winner(&self) -> Option<usize> {
        self.state.outcome().map(|outcome| outcome.winner.index())
    }

    /// The buttons of both players.
    #[getter]
    fn buttons(&self) -> (u16, u16) {
        Player::BOTH.map(|player| self.state.buttons(player)).into()
    }

    /// The buttons that each income space pays to both players.
    #[getter]
    fn incomes(&self) -> (u8, u8) {
        Player::BOTH.map(|player| self.state.income(player)).into()
    }

    /// The spaces of both tokens, 0 to 53.
    #[getter]
    fn spaces(&self) -> (u8, u8) {
        Player::BOTH.map(|player| self.state.space(player)).into()
    }

    /// The player who has the 7x7 bonus.
    #[getter]
    fn bonus(&self) -> Option<usize> {
        self.state.bonus().map(Player::index)
    }

    /// The special patches that the mover must place now.
    #[getter]
    fn specials_waiting(&self) -> u8 {
        self.state.specials_waiting()
    }

    /// The spaces on which special patches still stand.
    #[getter]
    fn special_spaces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.state.special_spaces().collect::<Vec<_>>())
    }

    /// The numbers of the patches that are left, from the token on.
    #[getter]
    fn ring<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let patches = self
            .state
            .ring_places()
            .map(|place| self.setup.patch_at(place).number());
        PyTuple::new(py, patches.collect::<Vec<_>>())
    }

    /// The numbers of the patches on offer, at most three; none while a special patch waits.
    #[getter]
    fn offers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let over = self.state.is_over();
        let offers = self.state.offers().filter(|_| !over);
        PyTuple::new(
            py,
            offers
                .map(|place| self.setup.patch_at(place).number())
                .collect::<Vec<_>>(),
        )
    }

    /// The covered squares of both players: shape (2, 9, 9), rows from the top.
    #[getter]
    fn quilts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<bool>>> {
        let mut squares = vec![false; 2 * SQUARES];
        for (player, squares) in Player::BOTH
            .into_iter()
            .zip(squares.chunks_exact_mut(SQUARES))
        {
            write_squares(self.state.quilt(player), squares);
        }
        PyArray1::from_vec(py, squares).reshape([2, 9, 9])
    }

    /// The indices of the legal actions, ascending.
    fn legal_indices<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let legal = (0..).zip(self.mask()).filter(|(_, legal)| *legal);
        PyArray1::from_vec(py, legal.map(|(index, _)| index).collect())
    }

    /// All legal actions as objects; none after the end. `legal_indices` takes a twentieth of the time.
    fn legal_actions(&self) -> Vec<PyAction> {
        self.state
            .legal_actions(&self.setup)
            .into_iter()
            .map(PyAction)
            .collect()
    }

    /// The number of legal actions.
    fn count_actions(&self) -> u32 {
        self.state.count_actions(&self.setup)
    }

    /// Which actions of the action space are legal: shape (2026,).
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        PyArray1::from_vec(py, self.mask())
    }

    /// The legal action of an index or a text.
    ///
    /// Raises:
    ///     IllegalAction: It is not legal here; the message says why.
    ///     ValueError: The text is not an action.
    fn action(&self, action: &Bound<'_, PyAny>) -> PyResult<PyAction> {
        let action = self.read_action(action)?;
        self.after(action).map(|_| PyAction(action))
    }

    /// The index of a legal action in the action space, 0 to 2025.
    ///
    /// Raises:
    ///     IllegalAction: It is not legal here; the message says why.
    fn index(&self, action: &Bound<'_, PyAny>) -> PyResult<usize> {
        let action = self.read_action(action)?;
        index_of(&self.setup, &self.state, action)
            .map_err(|why| raise::<IllegalAction>(format!("{action}: {why}")))
    }

    /// The state after one action or several, given as objects, texts or indices.
    ///
    /// Raises:
    ///     IllegalAction: One of them is not legal; the message says why.
    ///     ValueError: A text is not an action.
    ///     TypeError: Something is none of the three.
    ///
    /// Example:
    ///     >>> state = State(Setup.random(seed=1))
    ///     >>> state.play("A") == state.play(0) == state.play(Action("A"))
    ///     True
    ///     >>> state.play("S:e5")
    ///     Traceback (most recent call last):
    ///     patchwork_arena.IllegalAction: S:e5: no special patch waits to be placed
    #[pyo3(signature = (*actions))]
    fn play(&self, actions: &Bound<'_, PyTuple>) -> PyResult<Self> {
        let mut state = self.clone();
        for action in actions {
            state = state.after(state.read_action(&action)?)?;
        }
        Ok(state)
    }

    /// A uniformly random legal action.
    ///
    /// Raises:
    ///     IllegalAction: The game is over.
    fn random_action(&self, seed: &Bound<'_, PyAny>) -> PyResult<PyAction> {
        self.unfinished()?;
        let mut rng = stream(&[self::seed(seed)?]);
        Ok(PyAction(self.state.random_action(&self.setup, &mut rng)))
    }

    /// The end of a game of uniformly random legal actions from here, with its history.
    fn random_playout(&self, seed: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut rng = stream(&[self::seed(seed)?]);
        let mut state = self.clone();
        while !state.state.is_over() {
            state = state.after(state.state.random_action(&state.setup, &mut rng))?;
        }
        Ok(state)
    }

    /// What a player sees; the player to move by default.
    #[pyo3(signature = (player = None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let seen = self.seen(player)?;
        let planes = PyArray1::from_vec(py, seen.planes).reshape([PLANES, 9, 9])?;
        let scalars = PyArray1::from_vec(py, seen.scalars);
        observation_of(py, (planes, scalars, PyArray1::from_vec(py, seen.ring)))
    }

    /// The observation as one vector for networks, of shape (477,): `Observation.vector`.
    #[pyo3(signature = (player = None))]
    fn observation_vector<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let seen = self.seen(player)?;
        let mut vector = vec![0.0; VECTOR];
        write_vector(&seen.planes, &seen.scalars, &seen.ring, &mut vector);
        Ok(PyArray1::from_vec(py, vector))
    }

    fn __str__(&self) -> PyResult<String> {
        let (picture, mut text) = (Picture::new(&self.position()), Vec::new());
        picture.write(&mut text, &picture.heads([None, None]))?;
        String::from_utf8(text).map_err(value_error)
    }

    fn __repr__(&self) -> String {
        let (plies, scores) = (self.actions().len(), self.scores());
        let turn = match self.mover() {
            Some(mover) => format!("player {mover} to move"),
            None => "over".to_owned(),
        };
        let unit = if plies == 1 { "ply" } else { "plies" };
        format!(
            "<State after {plies} {unit}: {turn}, scores {} and {}>",
            scores.0, scores.1
        )
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        html(slf, "board")
    }

    fn __hash__(&self) -> u64 {
        hash_of(&(&self.state, &self.setup))
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> Self {
        self.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let module = py.import("patchwork_arena._native")?;
        let start = match &self.given {
            Some(given) => given.to_string(),
            None => self.setup.to_string(),
        };
        let actions = ActionList(self.actions()).to_string();
        Ok((module.getattr("_unpickle_state")?, (start, actions)))
    }
}

impl PyState {
    /// What a player sees: that of an argument, or the mover.
    fn seen(&self, player: Option<&Bound<'_, PyAny>>) -> PyResult<Rows> {
        let mover = self.state.mover();
        let player = player.map_or(Ok(mover), |player| seat("player", player))?;
        let mut seen = Rows::default();
        seen.push(&self.setup, &self.state, player);
        Ok(seen)
    }
}

/// Reads a pickled state. The game is played again, so that a state that is read is legal.
#[pyfunction(name = "_unpickle_state")]
fn unpickle(start: &str, actions: &str) -> PyResult<PyState> {
    let actions: ActionList = actions.parse().map_err(value_error)?;
    let mut actions = actions.0.into_iter();
    actions.try_fold(PyState::parse(start)?, |state, action| state.after(action))
}

/// Checks that an engine that panics raises an exception; for the tests.
#[pyfunction]
fn _panic(text: String) -> PyResult<()> {
    guarded(|| panic!("{text}"))
}

/// The states of an iterable.
#[pyfunction(name = "_states")]
pub(crate) fn states(states: &Bound<'_, PyAny>) -> PyResult<Vec<PyState>> {
    let wrong = |found: &Bound<'_, PyAny>| match found.get_type().name() {
        Ok(kind) => raise::<PyTypeError>(format!(
            "states: expected states, found a value of type {kind}"
        )),
        Err(error) => error,
    };
    let mut all = Vec::new();
    for state in states.try_iter().map_err(|_| wrong(states))? {
        let state = state?;
        let one = state.cast::<PyState>().map_err(|_| wrong(&state))?;
        all.push(one.get().clone());
    }
    Ok(all)
}
