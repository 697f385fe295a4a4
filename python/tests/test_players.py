"""Players written in Python play in matches and tournaments, and their faults lose games."""

import os
import random
import signal
import sys
import traceback

import numpy as np
import pytest

import patchwork_arena as pa


class First(pa.Player):
    """Takes the first patch that it can, at its first place."""

    def decide(self, state):
        return state.legal_indices()[-1]


class Guess(pa.Player):
    def start(self, setup, seed):
        self.random = random.Random(seed)
        self.setup = setup

    def decide(self, state):
        assert state.setup == self.setup
        assert state == pa.State(self.setup).play(*state.history)
        return self.random.choice(state.legal_actions())


def test_players_play():
    results = pa.match(First, Guess, pairs=3, progress=False)
    assert results.agents == ["First", "Guess"]
    assert results.games_played == 6
    assert not results.faults()
    again = pa.match(First, Guess, pairs=3, threads=1, progress=False)
    assert again.games.to_dict() == results.games.to_dict()
    agent = First.agent("mine")
    state = pa.State(pa.Setup.random(1))
    assert agent.decide(state).action == state.action(state.legal_indices()[-1])
    mixed = pa.match(agent, "greedy-regret", pairs=2, progress=False)
    assert sorted(mixed.agents) == ["greedy-regret", "mine"]


def faulty(answer):
    class Faulty(pa.Player):
        def decide(self, state):
            return answer(state)

    return Faulty


def crash(state):
    raise RuntimeError("out of ideas")


@pytest.mark.parametrize(
    ("answer", "reason", "text"),
    [
        (crash, "crash", "out of ideas"),
        (lambda state: None, "garbled action", "decide returned None"),
        (lambda state: "north", "garbled action", "'north' is not an action"),
        (lambda state: 1.5, "garbled action", "found a value of type float"),
        (lambda state: "S:e5", "illegal action", "no special patch waits"),
        (lambda state: 5000, "illegal action", "expected an index from 0 to 2025"),
        (lambda state: -1, "illegal action", "action -1"),
    ],
)
def test_faults_lose_games(answer, reason, text):
    with pytest.warns(RuntimeWarning, match=f"2 lost by faults of Faulty.; Faulty lost game 0 by {reason}:") as warned:
        results = pa.match(faulty(answer), "random", pairs=1, progress=False)
    assert text in str(warned[0].message)
    assert warned[0].filename == __file__
    faults = results.faults()
    assert len(faults) == 2
    assert results.faulty == {"Faulty": 2}
    assert dict(zip(results.ratings["agent"], results.ratings["faults"], strict=True)) == {"Faulty": 2, "random": 0}
    assert repr(results) == "Results('Faulty against random': 2 of 2 games, 2 lost by faults of Faulty)"
    assert "2 lost by faults of Faulty" in results._repr_html_()
    assert "<th>faults</th>" in results._repr_html_()
    for fault in faults:
        assert (fault.first, fault.second)[fault.loser] == "Faulty"
        assert fault.reason == reason
        assert text in fault.text
        if reason == "crash":
            assert "Traceback" in fault.text
            assert "in crash" in fault.text
    assert len(results.table("terminations")) > 0


@pytest.mark.parametrize("saved", [False, True])
def test_a_strict_match_raises_and_counts_no_faulty_game(saved, tmp_path):
    class Late(pa.Player):
        def __init__(self, error=ValueError):
            self.error = error

        def decide(self, state):
            if len(state.history) > 10:
                raise self.error("out of ideas")
            return 0

    save = tmp_path / "ck" if saved else None
    for player, settings in ((Late(), {}), (Late, {"strict": True}), (Late.agent("Late"), {"strict": True})):
        with pytest.raises(pa.AgentFault, match="Late.*: crash: ValueError: out of ideas") as raised:
            pa.match(player, "random", pairs=2, save=save, progress=False, **settings)
        assert isinstance(raised.value.__cause__, ValueError)
        assert "in decide" in "".join(traceback.format_exception(raised.value.__cause__))
    with pytest.raises(pa.AgentFault, match="illegal action: decide returned 'S:e5'"):
        pa.match(faulty(lambda state: "S:e5"), "random", strict=True, progress=False)
    if saved:
        assert pa.Results(save).games_played == 0
    with pytest.warns(RuntimeWarning, match="4 lost by faults of Late"):
        results = pa.match(Late(), "random", pairs=2, save=save, strict=False, progress=False)
    assert results.faulty == {"Late": 4}


class Stops(pa.Player):
    """Wants to stop at its third decision, or where a game starts."""

    error: type[BaseException] = KeyboardInterrupt
    at = 3

    def start(self, setup, seed):
        if self.at == 0:
            raise self.error

    def decide(self, state):
        if len(state.history) >= self.at:
            raise self.error
        return state.legal_indices()[0]


def play_on(env):
    env.reset(seed=1)
    for _ in range(200):
        env.step(np.zeros(2, np.int64))


def play_on_in_gymnasium(opponent):
    pytest.importorskip("gymnasium")
    from patchwork_arena.gym import Patchwork

    env = Patchwork(opponent)
    env.reset(seed=1)
    for _ in range(200):
        env.step(0)


PLACES = {
    "match": lambda player: pa.match(player, "random", pairs=3, progress=False),
    "strict": lambda player: pa.match(player, "random", pairs=3, strict=True, progress=False),
    "class": lambda player: pa.match(type(player), "random", pairs=3, progress=False),
    "agent": lambda player: player.agent(version=1).decide(pa.State(pa.Setup.random(1)).play("A", "A", "A", "A")),
    "vector": lambda player: play_on(pa.VectorEnv(2, opponent=player)),
    "vector of a function": lambda player: play_on(pa.VectorEnv(2, opponent=player.decide)),
    "gymnasium": play_on_in_gymnasium,
    "gymnasium of a function": lambda player: play_on_in_gymnasium(player.decide),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_who_wants_to_stop_is_heard(place, error, monkeypatch):
    monkeypatch.setattr(Stops, "error", error)
    with pytest.raises(error):
        PLACES[place](Stops())
    monkeypatch.setattr(Stops, "at", 0)
    if "function" not in place:
        with pytest.raises(error):
            PLACES[place](Stops())

    class Heavy(pa.Player):
        def __init__(self):
            raise error

        def decide(self, state):
            return 0

    with pytest.raises(error):
        pa.match(Heavy, "random", progress=False)
    with pytest.raises(pa.ConfigError, match="no-such"):
        pa.match("no-such", "random", progress=False)


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("where", ["match", "evaluate", "vector", "gymnasium"])
def test_ctrl_c_in_a_decision_ends_all(where):
    def interrupt():
        os.kill(os.getpid(), signal.SIGINT)
        return 0

    class Pressed(pa.Player):
        def decide(self, state):
            return interrupt()

    class Search(pa.SearchPlayer):
        def evaluate(self, observation, mask):
            return mask.astype(float), np.full(len(mask), float(interrupt()))

    players = {"match": Pressed, "evaluate": Search}
    place = PLACES.get(where, lambda player: pa.match(player, "random", pairs=1000, progress=False))
    with pytest.raises(KeyboardInterrupt):
        place(players.get(where, Pressed)())


def test_a_class_that_cannot_be_made_is_named(tmp_path, monkeypatch):
    class Broken(pa.Player):
        def __init__(self):
            raise ValueError("no weights")

        def decide(self, state):
            return 0

    with pytest.raises(pa.ConfigError, match="player: .*Broken: ValueError: no weights"):
        pa.match(Broken, "random", progress=False)
    with pytest.raises(pa.ConfigError, match="player: expected MODULE:CLASS"):
        pa.Agent.parse("x", "type = 'python'\nplayer = 'x'")
    with pytest.raises(pa.ConfigError, match="No module named 'no_such'"):
        pa.match(pa.Agent.parse("x", "type = 'python'\nplayer = 'no_such:X'"), "random", progress=False)
    with pytest.raises(pa.ConfigError, match="expected a subclass of Player"):
        pa.match(pa.Agent.parse("x", "type = 'python'\nplayer = 'random:Random'"), "random", progress=False)


def test_a_file_names_a_class(tmp_path, monkeypatch):
    (tmp_path / "my_players.py").write_text(
        "import patchwork_arena as pa\n"
        "class Advancer(pa.Player):\n"
        "    def decide(self, state):\n"
        "        return state.legal_indices()[0]\n"
    )
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents/advancer.toml").write_text('type = "python"\nplayer = "my_players:Advancer"\n')
    (tmp_path / "t.toml").write_text('name = "t"\nagents = ["advancer", "random"]\npairs = 2\n')
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    results = pa.run("t.toml", progress=False)
    assert results.games_played == 4
    assert pa.Results("results/t").games["first"] == results.games["first"]
    sys.modules.pop("my_players", None)


def test_instances_play():
    class Nth(pa.Player):
        def __init__(self, place):
            self.place = place

        def decide(self, state):
            legal = state.legal_indices()
            return legal[min(self.place, len(legal) - 1)]

    first, last = Nth(0), Nth(9999)
    results = pa.match(first, last, pairs=2, progress=False, threads=3)
    assert results.agents == ["Nth", "Nth-2"]
    assert not results.faults()
    plies = results.plies.to_dict()
    assert len(set(plies["kind"])) == 3
    assert pa.match(first, last, pairs=2, progress=False).plies.to_dict()["action"] == plies["action"]
    state = pa.State(pa.Setup.random(1))
    env = pa.VectorEnv(2, opponent=last, seat=1)
    assert all(state.history for state in env.states)
    with pytest.raises(pa.ConfigError, match="Nth"):
        pa.match(Nth, "random", pairs=1, progress=False)
    assert state == pa.State(pa.Setup.random(1))
