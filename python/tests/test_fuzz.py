"""Every public function is called with wrong types, shapes, numbers and objects. It raises documented exceptions alone,
and the object can still be used. PATCHWORK_ARENA_FULL=1 makes 10,000 calls of each function instead of a few."""

import inspect
import itertools
import pickle
import random
import warnings

import numpy as np
import pytest
from conftest import FULL

import patchwork_arena as pa

CALLS = 10_000 if FULL else 150
STRATEGY = "bl-lb/every/regret"


class HostileError(Exception):
    """What an object of the caller raises is the caller's."""


DOCUMENTED = (ValueError, TypeError, pa.AgentFault, HostileError)


class Hostile:
    """An object whose methods fail."""

    def __index__(self):
        raise HostileError

    def __iter__(self):
        raise HostileError

    def __repr__(self):
        raise HostileError

    def __eq__(self, other):
        raise HostileError

    def __hash__(self):
        raise HostileError


def hostile(*_):
    raise HostileError


def frozen(array):
    array.flags.writeable = False
    return array


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


START = pa.State(pa.Setup.random(1))
MIDDLE = START.play(*START.random_playout(1).history[:20])
END = START.random_playout(2)
STATES = [START, MIDDLE, END]
TREES = pa.Trees()

WRONG = [
    lambda: None,
    lambda: True,
    lambda: -1,
    lambda: 0,
    lambda: 2**63,
    lambda: 2**64,
    lambda: -(2**64),
    lambda: 10**5000,
    lambda: 1.5,
    lambda: float("nan"),
    lambda: float("inf"),
    lambda: 1j,
    lambda: "",
    lambda: "x",
    lambda: "A\0",
    lambda: "\ud800",
    lambda: "x" * 100_000,
    lambda: "{" * 300,
    lambda: "\N{SNOWMAN}" * 3000,
    lambda: b"x",
    lambda: bytearray(3),
    lambda: [],
    lambda: {},
    lambda: (1, 2),
    lambda: nested(200),
    lambda: {"x": nested(200)},
    lambda: {1: 2},
    lambda: {"x" * 100_000: [1]},
    lambda: [{"x" * 100_000: 1}, {}],
    lambda: {"first": ["x" * 100_000], "second": ["b"], "winner": ["x" * 100_000]},
    lambda: {"search.x" + "y" * 100_000: 1},
    lambda: {"search.exploration": 10**5000},
    lambda: [None] * 3,
    lambda: object(),
    Hostile,
    lambda: Hostile,
    lambda: iter([START, 1]),
    lambda: (one for one in [START]),
    lambda: STATES,
    lambda: START,
    lambda: END,
    lambda: pa.Action("A"),
    lambda: TREES,
    lambda: START.setup,
    lambda: pa.Agent.load("random"),
    lambda: np.int8(3),
    lambda: np.uint64(2**64 - 1),
    lambda: np.float64("nan"),
    lambda: np.array(3),
    lambda: np.zeros(0),
    lambda: np.zeros((2, 3), np.float16),
    lambda: np.full(3, 2**64 - 1, np.uint64),
    lambda: np.array(["x", "y", "z"]),
    lambda: np.array([None, 1, START], dtype=object),
    lambda: np.zeros(3, "datetime64[s]"),
    lambda: np.zeros(3, [("a", "i4")]),
    lambda: frozen(np.zeros(3, np.int64)),
    lambda: np.zeros(6, np.int64)[::2],
    lambda: np.zeros(3, ">i8"),
    lambda: np.broadcast_to(np.int64(0), (3,)),
    lambda: memoryview(b"xyz"),
    lambda: len,
    lambda: hostile,
    lambda: pa.Player,
    lambda: range(3),
    lambda: {START: 1},
]

RIGHT = {
    "state": lambda: random_of(STATES),
    "states": lambda: STATES,
    "text": lambda: "A",
    "ring": lambda: START.setup.ring,
    "track": lambda: random_of(["original", "revised+3"]),
    "seed": lambda: random_of([1, 2**64 - 1]),
    "number": lambda: 3,
    "setup": lambda: START.setup,
    "action": lambda: random_of(["A", 0, *START.legal_indices()[:3]]),
    "actions": lambda: random_of(["A", 0]),
    "player": lambda: random_of([0, 1, None]),
    "patch": lambda: random_of([START.offers[0], None]),
    "strategy": lambda: random_of([STRATEGY, "all/some/first"]),
    "evaluation": lambda: "regret",
    "policy": lambda: "all",
    "count": lambda: 2,
    "iterations": lambda: 5,
    "milliseconds": lambda: 1,
    "top": lambda: 3,
    "leaves": lambda: 2,
    "exploration": lambda: 1.0,
    "evaluate": lambda: lambda seen, mask: (mask.astype(np.float32), np.full(len(mask), 0.5)),
    "pick": lambda: random_of(["greedy", "softmax", "epsilon-greedy"]),
    "epsilon": lambda: random_of([None, 0.5]),
    "temperature": lambda: random_of([None, 1.0]),
    "source": lambda: random_of(["random", "greedy-inorder"]),
    "overrides": lambda: random_of([None, "", {}]),
    "name": lambda: "some",
    "games": lambda: [{"first": "a", "second": "b", "winner": "first"}] * 4,
    "anchor": lambda: ("a", 100),
    "pairs": lambda: 1,
    "threads": lambda: 1,
    "progress": lambda: False,
    "save": lambda: None,
    "file": lambda: "no-such.toml",
    "folder": lambda: "no-such",
    "results": lambda: "results",
    "agents": lambda: None,
    "first": lambda: "random",
    "second": lambda: "greedy-inorder",
    "opponent": lambda: random_of(["random", "greedy-inorder"]),
    "seat": lambda: random_of([0, 1, None]),
    "num_envs": lambda: random_of([1, 3]),
    "autoreset": lambda: random_of(["next-step", "same-step", "disabled"]),
    "observation": lambda: random_of(["flat", "planes"]),
    "options": lambda: random_of([None, {}, {"setup": START.setup}, {"setups": [START.setup] * 3}]),
    "max_cycles": lambda: random_of([None, 5]),
    "mask": lambda: False,
    "render_mode": lambda: random_of([None, "ansi"]),
    "agent": lambda: "player_0",
    "value": lambda: 0.5,
    "visits": lambda: 3,
    "version": lambda: 1,
    "key": lambda: "agent",
    "parse.text": lambda: random_of([str(START.setup), 'type = "random"', MIDDLE.text]),
    "estimate.source": lambda: "linear",
    "estimates.source": lambda: "linear",
    "rollout.strategy": lambda: "in-order/some/first",
    "search_batch.states": lambda: [START, MIDDLE],
    "search_batch.strategy": lambda: random_of([None, STRATEGY]),
    "search_batch.temperature": lambda: random_of([0.0, [1.0, 2.0]]),
    "self_play.games": lambda: 1,
    "self_play.temperature": lambda: 1.0,
    "together": lambda: 2,
    "opening": lambda: 3,
    "noise": lambda: random_of([0.0, 0.5]),
    "alpha": lambda: 0.3,
    "halving": lambda: random_of([None, 3]),
    "trees": lambda: random_of([None, TREES]),
    "priors": lambda: np.ones(pa.ACTIONS),
    "players": lambda: None,
    "action_masks.strategy": lambda: random_of([None, STRATEGY]),
    "play.states": lambda: [START, MIDDLE],
    "play.actions": lambda: [0, "A"],
    "offers": lambda: START.offers,
    "symmetry": lambda: 3,
    "planes": lambda: START.observe().planes,
    "mine": lambda: 3,
    "other": lambda: 1,
    "given": lambda: None,
    "Considered.action": lambda: pa.Action("A"),
    "Decision.action": lambda: pa.Action("A"),
    "format": lambda: 2,
    "start": lambda: str(START.setup),
    "_unpickle_state.actions": lambda: "A",
}


def random_of(values):
    return random.choice(values)


def random_wrong():
    value = random_of(WRONG)()
    if isinstance(value, np.ndarray) and value.ndim and random.random() < 0.3:
        value = value.reshape(1, *value.shape)
    return value


def call(function, names, wrong=0.3):
    """Calls a function with arguments some of which are wrong. Returns its result, or the exception it raised."""
    positional, named = [], {}
    of = getattr(function, "__name__", "")

    def given(name):
        right = RIGHT.get(f"{of}.{name}", RIGHT.get(name))
        return right() if right and random.random() >= wrong else random_wrong()

    for name, kind in names.items():
        if kind is inspect.Parameter.VAR_POSITIONAL:
            positional += [given(name) for _ in range(random.randrange(3))]
            continue
        if kind is inspect.Parameter.VAR_KEYWORD or (kind is inspect.Parameter.KEYWORD_ONLY and random.random() < 0.5):
            continue
        value = given(name)
        if kind is inspect.Parameter.KEYWORD_ONLY:
            named[name] = value
        else:
            positional.append(value)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*positional, **named)
    except BaseException as error:
        found = error
    what = f"{function}(*{[type(one) for one in positional]}, **{list(named)}): {found!r:.300}"
    assert isinstance(found, DOCUMENTED), what
    assert len(str(found)) < 3000, what
    return found


def parameters(function):
    found = inspect.signature(function).parameters.values()
    return {one.name: one.kind for one in found if one.name not in ("self", "_")}


FUNCTIONS = [
    pa.Action,
    pa.Setup,
    pa.Setup.random,
    pa.Setup.parse,
    pa.State,
    pa.State.parse,
    pa.Agent.load,
    pa.Agent.parse,
    pa.Agent.load("mcts-fast").variant,
    pa.Agent.load("mcts-fast").decide,
    pa.Agent.load("random").decide,
    pa.Considered,
    pa.Decision,
    pa.Player.agent,
    pa.Results,
    pa.VectorEnv,
    pa.action_masks,
    pa.estimates,
    pa.evaluate_placements,
    pa.match,
    pa.observe,
    pa.picks,
    pa.play,
    pa.rank_placements,
    pa.rate,
    pa.rollouts,
    pa.run,
    pa.search_batch,
    pa.self_play,
    pa.symmetric_actions,
    pa.symmetric_quilts,
    pa.tune,
    pa._native._unpickle_state,
    pa._native._unpickle_agent,
    *(getattr(MIDDLE, name) for name in ("action", "index", "play", "observe", "observation_vector")),
    *(getattr(MIDDLE, name) for name in ("random_action", "random_playout")),
]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    random.seed(1)
    # What Python says of exceptions that nobody can catch.
    monkeypatch.setattr("sys.unraisablehook", lambda unraisable: pytest.fail(str(unraisable)))


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: getattr(one, "__qualname__", str(one)))
def test_a_function_raises_what_it_says(function):
    names = parameters(function)
    slow = function in (pa.match, pa.run, pa.tune, pa.VectorEnv)
    before = MIDDLE.history, hash(MIDDLE), str(MIDDLE)
    worked = 0
    for _ in range(CALLS // 5 if slow and not FULL else CALLS):
        worked += not isinstance(call(function, names), BaseException)
    assert (MIDDLE.history, hash(MIDDLE), str(MIDDLE)) == before
    if function not in (
        pa.Results,
        pa.run,
        pa.tune,
        pa._native._unpickle_state,
        pa._native._unpickle_agent,
        pa.Decision,
    ):
        assert worked, "no call was right"


def freeze(env):
    name = random_of(["planes", "scalars", "ring", "action_mask", "movers", "over", "rewards", "scores"])
    array = getattr(env, name)
    how = random.randrange(5)
    try:
        if how == 0:
            array.flags.writeable = False
        elif how == 1:
            array.resize(random.randrange(9), refcheck=False)
        elif how == 2:
            array.shape = array.shape[::-1]
        elif how == 3:
            array[...] = random.randrange(200)
        else:
            array.dtype = np.int8
    except (ValueError, TypeError, DeprecationWarning):
        pass


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"opponent": "greedy-inorder"},
        {"strategy": "all/some/first", "autoreset": "next-step", "observation": "raw"},
        {"strategy": "all/some/first", "opponent": "random", "autoreset": "disabled", "observation": "planes"},
    ],
)
def test_a_vector_environment_goes_on(settings):
    env = pa.VectorEnv(3, **settings)
    ended = 0
    for _ in range(CALLS):
        states, way = env.states, random.randrange(5)
        if way == 0:
            found = call(env.step, {"wrong": inspect.Parameter.POSITIONAL_ONLY})
        elif way == 1:
            found = call(env.reset, parameters(env.reset))
        elif way == 2:
            found = call(lambda given: setattr(env, "states", given), {"states": inspect.Parameter.POSITIONAL_ONLY})
        else:
            freeze(env)
            found = ValueError()
        if isinstance(found, BaseException):
            assert env.states == states
        if env.over.any() and settings.get("autoreset") == "disabled":
            env.reset(options={"reset_mask": np.array([state.is_over for state in env.states])})
        assert (env.action_mask.sum(axis=1) > 0).all() or way > 2
        env.step(env.random_actions())
        ended += env.over.sum()
        for game, state in enumerate(env.states):
            assert env.movers[game] == state.mover or state.is_over
    # Whatever was refused, games end: a random game has fewer plies than this.
    for _ in range(200):
        if not ended:
            env.step(env.random_actions())
            ended += env.over.sum()
    assert ended
    assert pickle.loads(pickle.dumps(env)).states == env.states


@pytest.mark.parametrize("settings", [{}, {"strategy": "all/some/first"}])
def test_single_environments_go_on(settings):
    for module in ("gymnasium", "pettingzoo"):
        pytest.importorskip(module)
    from patchwork_arena import aec
    from patchwork_arena.gym import Patchwork, observation_space

    for function in (Patchwork, aec.Patchwork, observation_space):
        for _ in range(CALLS):
            call(function, parameters(function))
    env, single = aec.raw_env(**settings), Patchwork("random", **settings)
    env.reset(seed=1)
    single.reset(seed=1)
    for _ in range(CALLS):
        for one in (env, single):
            for function in (one.step, one.reset):
                call(function, parameters(function), 0.7)
        call(env.observe, parameters(env.observe))
        if not env.agents:
            env.reset()
        seen, _, over, cut, _ = env.last()
        env.step(None if over or cut else env.action_space(env.agent_selection).sample(seen["action_mask"]))
        if single._is_over:
            single.reset()
        single.step(single.action_space.sample(single.action_masks().view(np.int8)))


def test_tables_and_results_say_what_is_missing():
    results = pa.match("random", "greedy-inorder", pairs=1, progress=False)
    for value, (one, function) in itertools.product(
        WRONG, [(results.ratings, results.ratings.__getitem__), (results, results.table)]
    ):
        try:
            function(value())
        except (KeyError, TypeError, ValueError, HostileError) as error:
            message = str(error)
            assert len(message) < 3000, message
        assert repr(one)
