"""A player is known by what it is made of: each way to make, change, reload, copy, pickle or resume one plays that one.

Each way is a generator of players, the place of the legal action that each plays, and whether the games in the folder
are those of another player, so that it must play."""

import copy
import dataclasses
import functools
import gc
import importlib
import os
import pickle
import subprocess
import sys
import threading
import types
import weakref

import numpy as np
import pytest
from conftest import FULL

import patchwork_arena as pa

START = pa.State(pa.Setup.random(1))


def note():
    """Notes a decision where no player sees it."""
    with open(os.environ["NOTES"], "a") as notes:
        notes.write("x")


def nth(state, place):
    note()
    legal = state.legal_indices()
    return legal[min(place, len(legal) - 1)]


class Nth(pa.Player):
    place = 0

    def __init__(self, place=None):
        if place is not None:
            self.place = place

    def decide(self, state):
        return nth(state, self.place)


class Array(pa.Player):
    def __init__(self, numbers):
        self.numbers = numbers

    def decide(self, state):
        return nth(state, int(self.numbers.sum()) % 7)


def made(place):
    class Made(pa.Player):
        def decide(self, state):
            return nth(state, place)

    return Made


def defined(text, name="cell", **names):
    """What a text defines, as a cell of a notebook does."""
    module = types.ModuleType(name)
    vars(module).update(pa=pa, nth=nth, **names)
    exec(text, vars(module))
    return module


CELL = "class Cell(pa.Player):\n    def decide(self, state):\n        return nth(state, {})\n"


def file_of(folder, place, name="mine"):
    text = "import patchwork_arena as pa\nfrom test_identity import nth\n" + CELL.format(place)
    (folder / f"{name}.py").write_text(text)


def a_class(folder, patch):
    yield Nth, 0, True
    yield Nth, 0, False


def classes_of_a_factory(folder, patch):
    yield made(0), 0, True
    yield made(3), 3, True


def equal_classes_of_a_factory(folder, patch):
    yield made(3), 3, True
    yield made(3), 3, False


def a_cell_that_is_run_again(folder, patch):
    old = defined(CELL.format(1)).Cell
    yield old, 1, True
    yield defined(CELL.format(2)).Cell, 2, True
    yield old, 1, False


def a_cell_with_another_comment(folder, patch):
    yield defined(CELL.format(1)).Cell, 1, True
    yield defined("# The same.\n" + CELL.format(1)).Cell, 1, False


def an_instance_and_its_class(folder, patch):
    yield Nth, 0, True
    yield Nth(4), 4, True


def instances_with_other_attributes(folder, patch):
    yield Nth(1), 1, True
    yield Nth(2), 2, True


def equal_instances(folder, patch):
    yield Nth(1), 1, True
    yield Nth(1), 1, False


def an_instance_that_changes(folder, patch):
    player = Nth(1)
    yield player, 1, True
    player.place = 2
    yield player, 2, True
    player.place = 1
    yield player, 1, False


def a_class_that_changes(folder, patch):
    yield Nth, 0, True
    patch.setattr(Nth, "place", 5)
    yield Nth, 5, True


def an_instance_of_a_class_that_changes(folder, patch):
    player = Nth()
    yield player, 0, True
    patch.setattr(Nth, "place", 5)
    yield player, 5, True


def a_method_that_is_replaced(folder, patch):
    yield Nth, 0, True
    patch.setattr(Nth, "decide", lambda self, state: nth(state, 6))
    yield Nth, 6, True


def another_default(folder, patch):
    for place in (1, 2):
        text = f"class D(pa.Player):\n    def decide(self, state, place={place}):\n        return nth(state, place)\n"
        yield defined(text).D, place, True


def another_base(folder, patch):
    for place in (1, 2):
        text = CELL.format(place) + "class Derived(Cell):\n    pass\n"
        yield defined(text).Derived, place, True


def a_function_that_it_calls(folder, patch):
    module = defined("def place(): return 1\n" + CELL.format("place()"))
    yield module.Cell, 1, True
    exec("def place(): return 2", vars(module))
    yield module.Cell, 2, True


def a_function_of_a_module(folder, patch):
    helper = types.ModuleType("helper")
    helper.place = lambda: 1
    patch.setitem(sys.modules, "helper", helper)
    text = "import helper\n" + CELL.format("helper.place()")
    yield defined(text).Cell, 1, True
    helper.place = lambda: 2
    yield defined(text).Cell, 2, True


HELPED = [
    # A method that imports it, one that imports from it, a function around it that does, and an attribute.
    "class D(pa.Player):\n    def decide(self, state):\n        import helper as h\n"
    "        return nth(state, h.place())\n",
    "class D(pa.Player):\n    def decide(self, state):\n        from helper import place\n"
    "        return nth(state, place())\n",
    "def make():\n    import helper\n    class D(pa.Player):\n        def decide(self, state):\n"
    "            return nth(state, helper.place())\n    return D\nD = make()\n",
    "import helper\nclass D(pa.Player):\n    def __init__(self):\n        self.parts = [helper]\n"
    "    def decide(self, state):\n        return nth(state, self.parts[0].place())\n",
]


def helped_by_a_module(text):
    def way(folder, patch):
        helper = types.ModuleType("helper")
        patch.setitem(sys.modules, "helper", helper)
        for place in (1, 2):
            helper.place = functools.partial(int, place)
            yield defined(text).D, place, True
            yield defined(text).D(), place, True
        yield defined(text).D(), 2, False

    return way


def an_import_that_fails(folder, patch):
    text = "class D(pa.Player):\n    def decide(self, state):\n        try:\n            import nowhere\n"
    text += "        except ImportError:\n            return nth(state, 3)\n"
    yield defined(text).D, 3, True


def an_agent_that_it_asks(folder, patch):
    class Asking(pa.Player):
        def __init__(self, agent):
            self.agent_asked = agent

        def decide(self, state):
            note()
            return self.agent_asked.decide(state).action

    path = folder / "asked.toml"
    for placement in ("in-order/some/first", "bl-lb/every/regret"):
        path.write_text(f'type = "greedy"\nplacement = "{placement}"\n')
        agent = pa.Agent.load(path)
        place = START.index(agent.decide(START).action)
        yield Asking(agent), int(np.flatnonzero(START.legal_indices() == place)[0]), True


def an_array_with_other_fields(folder, patch):
    class Fields(Array):
        def decide(self, state):
            return nth(state, int(self.numbers["place"][0]))

    for place, names in ((1, ("place", "other")), (2, ("other", "place"))):
        yield Fields(np.array([(1, 2)], [(name, "i4") for name in names])), place, True


def a_class_that_a_library_makes(folder, patch):
    class Holder(Array):
        def decide(self, state):
            return nth(state, self.numbers.where())

    for place in (1, 2):
        made = dataclasses.make_dataclass("Made", [], namespace={"where": lambda self, place=place: place})
        yield Holder(made()), place, True


def a_metaclass(folder, patch):
    for place in (1, 2):
        meta = type("Meta", (type(pa.Player),), {"where": place})
        text = "class D(pa.Player, metaclass=meta):\n    def decide(self, state):\n"
        yield defined(text + "        return nth(state, type(self).where)\n", meta=meta).D, place, True


def a_module_that_is_edited_and_reloaded(folder, patch):
    file_of(folder, 1)
    module = importlib.import_module("mine")
    old = module.Cell
    yield old, 1, True
    file_of(folder, 22)
    # What runs is what was imported.
    yield module.Cell, 1, False
    importlib.reload(module)
    yield module.Cell, 22, True
    yield old, 1, False


def a_package_that_is_upgraded(folder, patch):
    installed = folder / "site-packages"
    installed.mkdir()
    patch.syspath_prepend(installed)
    file_of(installed, 1)
    yield importlib.import_module("mine").Cell, 1, True
    yield importlib.import_module("mine").Cell(), 1, True
    file_of(installed, 22)
    importlib.reload(sys.modules["mine"])
    yield sys.modules["mine"].Cell, 22, True
    yield sys.modules["mine"].Cell(), 22, True


def an_attribute_with_underscores(folder, patch):
    for place in (1, 2):
        text = f"class D(pa.Player):\n    __place__ = {place}\n    def decide(self, state):\n"
        yield defined(text + "        return nth(state, self.__place__)\n").D, place, True


def a_file_of_an_agent(folder, patch):
    file_of(folder, 1)
    (folder / "agent.toml").write_text('type = "python"\nplayer = "mine:Cell"\n')
    agent = pa.Agent.load(folder / "agent.toml")
    yield agent, 1, True
    file_of(folder, 22)
    importlib.reload(sys.modules["mine"])
    yield pa.Agent.load(folder / "agent.toml"), 22, True
    yield agent, 1, False


def a_version_in_a_file(folder, patch):
    file_of(folder, 1)
    (folder / "agent.toml").write_text('type = "python"\nplayer = "mine:Cell"\nversion = "a"\n')
    yield pa.Agent.load(folder / "agent.toml"), 1, True
    file_of(folder, 1)
    importlib.reload(sys.modules["mine"])
    yield pa.Agent.load(folder / "agent.toml"), 1, False
    yield pa.Agent.load(folder / "agent.toml", {"version": 2}), 1, True


def copies(folder, patch):
    player = Array(np.array([1, 2]))
    yield player, 3, True
    yield copy.copy(player), 3, False
    yield copy.deepcopy(player), 3, False
    yield Array(np.array([1, 3])), 4, True


def pickles(folder, patch):
    player = Array(np.array([1, 2]))
    yield player, 3, True
    yield pickle.loads(pickle.dumps(player)), 3, False
    agent = pa.match.__globals__["_agent"](player)
    yield pickle.loads(pickle.dumps(agent)), 3, False
    yield copy.copy(agent), 3, False
    yield copy.deepcopy(agent), 3, False
    yield pickle.loads(pickle.dumps(Nth.agent("Array"))), 0, True


def bytes_of_an_array(folder, patch):
    numbers = np.zeros(1000)
    yield Array(numbers), 0, True
    numbers[7] = 5e-324
    yield Array(numbers), 0, True


def an_array_of_another_shape_or_type(folder, patch):
    for numbers in (np.zeros((2, 3)), np.zeros((3, 2)), np.zeros(6), np.zeros(6, np.float32), np.zeros(6, np.int64)):
        yield Array(numbers), 0, True


def versions(folder, patch):
    yield Nth(1).agent(version=1), 1, True
    yield Nth(1).agent(version=1), 1, False
    yield Nth(2).agent(version=2), 2, True
    yield Nth(2).agent(version="1"), 2, True
    yield Nth.agent(version=1), 0, True


def partial_functions(folder, patch):
    for place in (1, 2):
        player = Nth()
        player.decide = functools.partial(nth, place=place)
        yield player, place, True


def a_player_that_an_object_has(folder, patch):
    class Outer(pa.Player):
        def __init__(self, inner):
            self.inner = inner

        def decide(self, state):
            return self.inner.decide(state)

    for place in (1, 2):
        yield Outer(Nth(place)), place, True
    yield Outer(Nth(1)), 1, False


WAYS = [
    a_class,
    classes_of_a_factory,
    equal_classes_of_a_factory,
    a_cell_that_is_run_again,
    a_cell_with_another_comment,
    an_instance_and_its_class,
    instances_with_other_attributes,
    equal_instances,
    an_instance_that_changes,
    a_class_that_changes,
    an_instance_of_a_class_that_changes,
    a_method_that_is_replaced,
    another_default,
    another_base,
    a_function_that_it_calls,
    a_function_of_a_module,
    *map(helped_by_a_module, HELPED),
    an_import_that_fails,
    an_agent_that_it_asks,
    an_array_with_other_fields,
    a_class_that_a_library_makes,
    a_metaclass,
    a_module_that_is_edited_and_reloaded,
    a_package_that_is_upgraded,
    an_attribute_with_underscores,
    a_file_of_an_agent,
    a_version_in_a_file,
    copies,
    pickles,
    bytes_of_an_array,
    an_array_of_another_shape_or_type,
    versions,
    partial_functions,
    a_player_that_an_object_has,
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_the_right_player_plays(way, tmp_path, monkeypatch):
    notes = tmp_path / "notes"
    monkeypatch.setenv("NOTES", str(notes))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    legal = START.legal_indices()
    for player, place, is_other in way(tmp_path, monkeypatch):
        agent = pa.match.__globals__["_agent"](player)
        assert agent.decide(START).action == START.action(legal[place])
        before = notes.read_text()
        results = pa.match(player, "random", pairs=1, save=tmp_path / "ck", progress=False)
        assert results.games_played == 2
        assert not results.faulty
        assert (notes.read_text() != before) == is_other
    sys.modules.pop("mine", None)


def test_players_of_one_name_play_each_other(tmp_path, monkeypatch):
    monkeypatch.setenv("NOTES", str(tmp_path / "notes"))
    pairs = {
        "factory": (made(0), made(10**6)),
        "cells": (defined(CELL.format(0)).Cell, defined(CELL.format(10**6)).Cell),
        "instances": (Nth(0), Nth(10**6)),
    }
    for first, second in pairs.values():
        results = pa.match(first, second, pairs=3, progress=False)
        name = first.__name__ if isinstance(first, type) else "Nth"
        assert results.agents == [name, f"{name}-2"]
        plies = results.plies.to_dict()
        kinds = {kind for kind, agent in zip(plies["kind"], plies["agent"], strict=True) if agent == name}
        assert kinds == {"advance"} | kinds & {"special"}
        again = pa.match(first, second, pairs=3, progress=False)
        assert again.plies["action"] == plies["action"]
    with pytest.raises(
        ValueError, match="one and two: different players have one version; expected a version for each"
    ):
        pa.match(Nth(1).agent("one", version=1), Nth(2).agent("two", version=1), progress=False)
    agents = [Nth.agent("class"), Nth(1).agent("instance")]
    copy.copy(Nth(1))
    pa.match(*agents, pairs=1, progress=False)  # Python notes on a class how its instances are copied.
    player = Nth(1)
    agent = player.agent()
    player.place = 2
    with pytest.raises(pa.ConfigError, match=r"Nth\(\): .*it has changed since its agent was made; expected a new"):
        pa.match(agent, "random", pairs=1, progress=False)


@pytest.mark.parametrize(
    ("part", "found"),
    [
        (threading.Lock(), "a value of type lock"),
        (sys.stdout, "a value of type"),
        ((i for i in ()), "a value of type generator"),
        (functools.reduce(lambda inner, _: [inner], range(300), []), "it is 100 levels deep"),
    ],
    ids=range(4),
)
def test_what_cannot_be_compared_is_refused(part, found, tmp_path, monkeypatch):
    monkeypatch.setenv("NOTES", str(tmp_path / "notes"))
    player = Nth(1)
    player.parts = {"one": [part]}
    message = rf"Nth\(\): parts.one: .*{found}.*; expected a version, as in agent\(version=1\)"
    with pytest.raises(ValueError, match=message):
        pa.match(player, "random", pairs=1, progress=False)
    agent = player.agent("named", version=1)
    assert pa.match(agent, "random", pairs=1, progress=False).agents == ["named", "random"]
    assert agent.settings == {"type": "python", "player": "test_identity:Nth()", "version": 1}
    for version, error in ((-1, "found -1"), (2**32, "found 4294967296"), ("", 'found ""'), (True, "found true")):
        with pytest.raises(pa.ConfigError, match=f"version: expected a number from 0 to .*{error}"):
            player.agent(version=version)
    with pytest.raises(pa.ConfigError, match=r"has no variants; expected Player.agent"):
        agent.variant({"version": 2})


KINDS = """
import collections, dataclasses, enum, functools, logging, pathlib, random, re
import numpy as np
import patchwork_arena as pa
from patchwork_arena._identity import contents
Named = collections.namedtuple("Named", "a b")
Colour = enum.Enum("Colour", "RED BLUE")
LOG = logging.getLogger("mine")
@dataclasses.dataclass
class Data:
    words: set = dataclasses.field(default_factory=lambda: {"a", "b", "c", "d"})
    number: float = 0.5
class Mine(pa.Player):
    @functools.cached_property
    def cached(self): return LOG
    @functools.lru_cache
    def remembered(self): return random.choice([Data, Colour.RED])
    @staticmethod
    def still(): return {"x", "y", "z"}
    @classmethod
    def of(cls): return cls
    @property
    def both(self): return super().start, Mine
    def decide(self, state): return 0
player = Mine()
player.all = [Data(), Named(1, 2), Colour.BLUE, random.Random(1), np.random.default_rng(1), np.float32(1),
    {"p", "q", "r"}, collections.deque([1]), collections.Counter("aab"), collections.defaultdict(list),
    re.compile("a"), pathlib.Path("a"), functools.partial(int, base=2), lambda x: x + 1, player.decide, player,
    str.lower, list[int], np.array(["a", None])]
if __name__ == "__main__":
    print(contents(Mine), contents(player))
"""


def test_contents_are_the_same_in_every_process(tmp_path):
    (tmp_path / "kinds.py").write_text(KINDS)
    found = {
        subprocess.check_output([sys.executable, "kinds.py"], cwd=tmp_path, env={**os.environ, "PYTHONHASHSEED": seed})
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1
    assert len(set(found.pop().split())) == 2


def test_weights_of_pytorch_count():
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    player = Nth(1)
    player.model = torch.nn.Linear(3, 2)
    first = player.agent().settings["contents"]
    assert copy.deepcopy(player).agent().settings["contents"] == first
    with torch.no_grad():
        player.model.weight[0, 0] += 1e-6
    assert player.agent().settings["contents"] != first


def test_models_are_freed():
    class Model(pa.Player):
        def __init__(self, number):
            self.numbers = np.full(2 * 2**20 if FULL else 1000, number)

        def decide(self, state):
            return state.legal_indices()[-int(self.numbers[0] % 2)]

    alive, results = [], []
    for number in range(20):
        player = Model(number)
        alive.append(weakref.ref(player.numbers))
        results.append(pa.match(player, "random", pairs=1, progress=False))
        # One that refers to itself by its agent, which has decided.
        player.me, player.my_agent = player, player.agent("kept", version=number)
        player.my_agent.decide(START)
        pa.VectorEnv(2, opponent=player, seat=1).reset(seed=1)
    del player
    gc.collect()
    assert len(results) == 20
    assert not [one for one in alive if one() is not None]


def test_attributes_of_instances_are_settings_of_a_search():
    class Counting(pa.SearchPlayer):
        asked = 0

        def evaluate(self, observation, mask):
            Counting.asked += len(mask)
            return mask.astype(float), np.full(len(mask), 0.5)

    found = []
    for iterations in (5, 40):
        player = Counting()
        player.iterations = iterations
        Counting.asked = 0
        player.decide(START)
        found.append(Counting.asked)
    assert found[0] <= 6 < 30 < found[1] <= 41


def test_copies_of_an_instance_are_searched_together(monkeypatch):
    class Network(pa.SearchPlayer):
        iterations = 3
        strategy = "in-order/some/first"

        def __init__(self, weight):
            self.weight = np.array([weight])
            self.sizes = []

        def evaluate(self, observation, mask):
            self.sizes.append(len(mask))
            return mask * self.weight, np.full(len(mask), 0.5)

    player = Network(1.5)
    agent = player.agent(version=1)
    queue = Network._queue
    with queue.lock:
        threads = [threading.Thread(target=copy.copy(player).decide, args=(START,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        while len(queue.waiting) < 4:
            pass
    for thread in threads:
        thread.join()
    assert max(player.sizes) == 4
    assert not pa.match(agent, "random", pairs=2, threads=4, progress=False).faulty
