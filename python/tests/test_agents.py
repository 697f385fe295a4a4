"""Agents and what the engine computes of positions."""

import copy
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import PROJECT, states
from hypothesis import given, settings

import patchwork_arena as pa

START = pa.State(pa.Setup.random(1))


@pytest.mark.parametrize("name", pa.SHIPPED_AGENTS)
def test_every_shipped_agent_decides(name):
    agent = pa.Agent.load(name)
    assert agent.name == name
    assert agent.description
    assert agent.settings["type"] == agent.kind
    decision = agent.decide(START) if agent.is_deterministic else agent.decide(START, milliseconds=5)
    assert decision.action in START.legal_actions()
    again = pickle.loads(pickle.dumps(agent))
    assert again.settings == agent.settings


def test_a_decision_depends_on_state_budget_and_seed():
    agent = pa.Agent.load("mcts-fast")
    one = agent.decide(START, iterations=300)
    assert one.iterations == 300
    assert one.action == one.considered[0].action == one.line[0]
    assert sum(each.visits for each in agent.decide(START, iterations=300, top=1000).considered) <= 300
    assert 0 <= one.value <= 1
    assert one.nodes > 1
    assert one.max_depth > 0

    def facts(decision: pa.Decision) -> list[tuple[pa.Action, int, float]]:
        return [(each.action, each.visits, each.value) for each in decision.considered]

    agent.decide(START.play("A"), iterations=50)
    assert facts(agent.decide(START, iterations=300)) == facts(one)
    random = pa.Agent.load("mcts-uniform")
    assert facts(random.decide(START, iterations=300, seed=2)) != facts(random.decide(START, iterations=300))
    assert facts(agent.decide(START, iterations=3000)) == facts(agent.decide(START, iterations=3000))
    end = START.random_playout(4)
    late = START.play(*end.history[:-3])
    assert pa.Agent.load("champion").decide(late, iterations=200).proven is not None


def test_overrides_make_variants():
    agent = pa.Agent.load("mcts-fast", {"search.exploration": 1.0, "budget": {"iterations": 7}})
    assert agent.name == "mcts-fast{budget.iterations=7,search.exploration=1.0}"
    assert agent.settings["search"]["exploration"] == 1.0
    assert agent.decide(START).iterations == 7
    assert pa.Agent.load(agent.name).settings == agent.settings
    numbers = {"search.exploration": np.float32(0.5), "budget.iterations": np.int64(7)}
    assert pa.Agent.load("mcts-fast", numbers).name == "mcts-fast{budget.iterations=7,search.exploration=0.5}"
    variant = agent.variant("budget.iterations=9")
    assert variant.decide(START).iterations == 9
    assert pickle.loads(pickle.dumps(variant)).settings == variant.settings
    text = (PROJECT / "agents/mcts-fast.toml").read_text()
    parsed = pa.Agent.parse("mine", text)
    assert parsed.settings == pa.Agent.load("mcts-fast").settings
    changed = pickle.loads(pickle.dumps(parsed.variant({"budget.iterations": 3})))
    assert changed.decide(START).iterations == 3


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: pa.Agent.load("champoin"), pa.ConfigError, "did you mean champion"),
        (lambda: pa.Agent.load("no/such.toml"), pa.ConfigError, "no/such.toml"),
        (lambda: pa.Agent.load("mcts-fast", {"search.exploratoin": 1}), pa.ConfigError, "exploratoin"),
        (lambda: pa.Agent.load("mcts-fast", {"search": object()}), TypeError, "value of type object"),
        (lambda: pa.Agent.load("mcts-fast", 3), TypeError, "overrides: expected a dictionary"),
        (lambda: pa.Agent.load("mcts-fast", "x"), pa.ConfigError, "expected KEY=VALUE, found 'x'"),
        (lambda: pa.Agent.load("mcts-fast", {1: 2}), TypeError, "expected keys that are texts, found one of type int"),
        (
            lambda: pa.Agent.load("mcts-fast", {"budget.iterations": 2**70}),
            pa.ConfigError,
            "budget.iterations: expected a whole number from 1",
        ),
        (lambda: pa.Agent.load(None), TypeError, "source: expected the name or the path of an agent"),
        (lambda: pa.Agent.load(3), TypeError, "found a value of type int"),
        (lambda: pa.Agent.parse("a/b", "type = 'random'"), pa.ConfigError, "name: expected letters.*found 'a/b'"),
        (lambda: pa.Agent.parse("mine", "type = 'mtcs'"), pa.ConfigError, "mine.toml:1: type: unknown value"),
        (lambda: pa.Agent.parse("mine", "type = "), pa.ConfigError, "mine.toml:1"),
        (lambda: pa.Agent.load("mcts-fast").decide(START, iterations=-1), ValueError, "iterations: expected"),
        (lambda: pa.Agent.load("mcts-fast").decide(START, iterations=0), ValueError, "iterations: expected"),
        (lambda: pa.Agent.load("mcts-fast").decide(START, iterations=2.0), TypeError, "type float"),
        (lambda: pa.Agent.load("mcts-fast").decide(START, milliseconds=-3), ValueError, "found -3"),
        (
            lambda: pa.Agent.load("mcts-fast").decide(START, iterations=1, milliseconds=1),
            ValueError,
            "found both",
        ),
        (
            lambda: pa.Agent.load("random").decide(START, iterations=1),
            ValueError,
            "does not count iterations",
        ),
        (lambda: pa.Agent.load("random").decide(START, milliseconds=1), ValueError, "does not search"),
        (lambda: pa.Agent.load("random").decide(START.random_playout(1)), pa.IllegalAction, "is over"),
        (lambda: pa.Agent.load("random").decide("A"), TypeError, "State"),
        (lambda: pa.Agent.load("random").decide(START, top=-1), ValueError, "top: expected a whole number from 0"),
        (lambda: pa.Agent.load("random").decide(START, top=1.5), TypeError, "top: expected a whole number"),
    ],
)
def test_mistakes_are_named(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_other_threads_run_while_an_agent_decides():
    agent = pa.Agent.load("mcts-fast")
    done = threading.Event()
    decisions = []

    def decide() -> None:
        decisions.append(agent.decide(START, milliseconds=300))
        done.set()

    thread = threading.Thread(target=decide)
    thread.start()
    count = 0
    while not done.is_set():
        count += 1
    thread.join()
    assert decisions[0].iterations > 0
    assert count > 100


def test_threads_share_an_agent():
    agent = pa.Agent.load("mcts-fast")
    expected = agent.decide(START, iterations=100).considered[0].visits
    found: list[int] = []
    decide = lambda: found.append(agent.decide(START, iterations=100).considered[0].visits)  # noqa: E731
    threads = [threading.Thread(target=decide) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_a_decision():
    agent = pa.Agent.load("champion")
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        agent.decide(START, milliseconds=60_000)
    assert time.monotonic() - start < 30


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_a_fork_after_use_works():
    code = """
import os, patchwork_arena as pa
state = pa.State(pa.Setup.random(1))
agent = pa.Agent.load("mcts-fast")
agent.decide(state, iterations=100)
child = os.fork()
agent.decide(state, iterations=5000)
if child:
    raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=120, check=False).returncode == 0


def test_an_interpreter_that_exits_while_an_agent_decides_ends():
    code = """
import threading, time, patchwork_arena as pa
state = pa.State(pa.Setup.random(1))
decide = lambda: pa.Agent.load("champion").decide(state, milliseconds=100000)
threading.Thread(target=decide, daemon=True).start()
time.sleep(0.2)
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0


def test_rollouts_come_from_states_counts_and_seeds():
    positions = [START, START.play("A"), START.random_playout(1)]
    ends = pa.rollouts(positions, 20, pick="uniform", strategy="all/every/random", seed=3)
    assert ends.scores.shape == (3, 20, 2)
    assert ends.winners.shape == (3, 20)
    assert ends.scores.dtype == np.int16
    assert (ends.scores[2] == positions[2].scores).all()
    assert (ends.winners[2] == positions[2].winner).all()
    decided = ends.scores[..., 0] != ends.scores[..., 1]
    assert ((ends.scores[..., 0] < ends.scores[..., 1]) == ends.winners)[decided].all()
    again = pa.rollouts(positions[:1], 20, pick="uniform", strategy="all/every/random", seed=3)
    assert np.array_equal(again.scores[0], ends.scores[0])
    for bad, message in [
        ({"pick": "gready"}, "did you mean greedy"),
        ({"strategy": "x"}, "'x' is not a strategy"),
        ({"epsilon": 0.1}, 'epsilon: requires pick = "epsilon-greedy"'),
        ({"pick": "softmax"}, "temperature: expected a number from 0.01 to 1000, found nothing"),
        ({"pick": "epsilon-greedy", "epsilon": float("nan")}, "expected a number from 0 to 1, found NaN"),
        ({"count": 0}, "count: expected"),
        ({"seed": -1}, "seed: expected"),
    ]:
        with pytest.raises(ValueError, match=message):
            pa.rollouts([START], **bad)
    with pytest.raises(TypeError, match="expected states, found a value of type int"):
        pa.rollouts([3])


@settings(max_examples=20)
@given(states())
def test_placements_are_legal_and_ranked(state):
    patches = [None] if state.specials_waiting else list(state.offers)
    if state.is_over:
        patches = []
    legal = set(state.legal_actions())
    best = {pick for pick in pa.picks(state) if pick}
    assert best <= legal
    for patch in patches:
        if patch and pa.PATCHES[patch - 1].cost > state.buttons[state.mover]:
            continue
        ranked = pa.rank_placements(state, patch, "all/every/regret")
        mine = [action for action in legal if action.patch == patch and action.kind != "advance"]
        assert set(ranked) == set(mine)
        actions, scores = pa.evaluate_placements(state, patch)
        assert len(actions) == len(scores) == len(mine)
        if ranked:
            assert scores[actions.index(ranked[0])] == scores.min()
            few = pa.rank_placements(state, patch)
            assert few[0] in best
    if state.is_over:
        with pytest.raises(pa.IllegalAction, match="over"):
            pa.rank_placements(state, 1)


def test_estimates_are_of_the_mover():
    end = START.random_playout(2)
    positions = [START.play(*end.history[:plies]) for plies in range(len(end.history) + 1)]
    for source in ("linear", "learned"):
        found = pa.estimates(positions, source)
        assert found.margins.shape == found.win_chances.shape == (len(positions),)
        assert ((found.win_chances > 0.5) == (found.margins > 0))[:-1].all()
        assert found.margins[-1] == end.scores[0] - end.scores[1]
        assert found.win_chances[-1] == 1 - end.winner
    with pytest.raises(ValueError, match="expected linear, learned or the path of a network, found 'x'"):
        pa.estimates(positions, "x")
    with pytest.raises(pa.IllegalAction, match="patch 1 is not on offer"):
        pa.rank_placements(START, 1)
    with pytest.raises(pa.IllegalAction, match="no special patch waits"):
        pa.evaluate_placements(START, None)


def test_decisions_and_agents_are_compared_and_pickled():
    state = pa.State(pa.Setup.random(1))
    agent = pa.Agent.load("mcts-fast")
    decision = agent.decide(state, iterations=50)
    for one in (decision, decision.considered[0], agent, agent.variant("budget.iterations=5")):
        for other in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
            assert other == one
            assert repr(other) == repr(one)
    assert decision != agent.decide(state, iterations=51)
    same = pa.Agent.load("mcts-fast")
    assert len({agent, same, agent.variant("budget.iterations=5")}) == 2
    assert agent != pa.Agent.parse("mcts-fast", 'type = "random"')
    assert agent != "mcts-fast"


def test_a_message_quotes_a_short_part():
    for make in (
        lambda: pa.Agent.load("x" * 10**6),
        lambda: pa.Action("x" * 10**6),
        lambda: pa.Setup.parse("\N{SNOWMAN}" * 10**6),
        lambda: pa.State(pa.Setup.random(1)).play("x" * 10**6),
        lambda: pa.rank_placements(pa.State(pa.Setup.random(1)), None, "x" * 10**6),
        lambda: pa.estimates([], "x" * 10**6),
        lambda: pa.rate("x" * 10**6),
    ):
        with pytest.raises(ValueError, match=r" \[\.\.\.\] ") as error:
            make()
        assert len(str(error.value)) < 2100
    with pytest.raises(ValueError, match="found a number of thousands of digits"):
        pa.Setup.random(10**5000)


def test_agents_have_the_options_of_games_to_learn_from():
    options = {"search.select": "puct", "search.first_play": 0.0, "budget.iterations": 60}
    plain = pa.Agent.load("mcts-fast", options)
    noisy = plain.variant({"search.allocation": {"by": "noise", "share": 0.9}})
    hot = plain.variant({"search.choice": "temperature"})
    halving = plain.variant({"search.allocation": "halving"})
    state = pa.State(pa.Setup.random(1))

    def visits(agent, seed):
        return sorted((str(one.action), one.visits) for one in agent.decide(state, seed=seed).considered)

    assert visits(noisy, 1) == visits(noisy, 1) != visits(noisy, 2)
    assert visits(noisy, 1) != visits(plain, 1)
    assert len({hot.decide(state, seed=seed).action for seed in range(30)}) > 1
    assert visits(halving, 1) != visits(plain, 1)
    with pytest.raises(pa.ConfigError, match="search.allocation: requires a selection rule with priors, such as puct"):
        plain.variant({"search.select": "ucb1", "search.allocation": "noise"})


def test_priors_from_python_lead_a_decision():
    state = pa.State(pa.Setup.random(6))
    for overrides in ({}, {"expansion.steps": "two"}, {"search.choice": "lcb"}):
        agent = pa.Agent.load("mcts-fast", {"search.select": "puct", "search.first_play": 0.0, **overrides})
        own = agent.decide(state, iterations=20)
        for index in state.legal_indices()[::50].tolist():
            priors = np.zeros(pa.ACTIONS)
            priors[index] = 5.0
            decision = agent.decide(state, iterations=20, priors=priors)
            assert decision.action == state.action(index)
            scaled = agent.decide(state, iterations=20, priors=(priors / 8).tolist())
            assert scaled.considered == decision.considered
        assert agent.decide(state, iterations=20).considered == own.considered


@pytest.mark.parametrize(
    ("priors", "kind", "message"),
    [
        (np.ones(5), ValueError, r"priors: expected shape \(2026,\), found \(5,\)"),
        (np.zeros(pa.ACTIONS), ValueError, "priors: expected a number above 0 for a legal action"),
        (-np.ones(pa.ACTIONS), ValueError, "priors: .*: expected a finite number, 0 or more, found -1"),
        (np.full(pa.ACTIONS, np.nan), ValueError, "priors: .* found NaN"),
        (np.full(pa.ACTIONS, np.inf), ValueError, "priors: .* found inf"),
        (np.full(pa.ACTIONS, 1e300), ValueError, "priors: .* found inf"),
        (["x"] * pa.ACTIONS, TypeError, "priors: expected numbers, found elements of type <U1"),
        (3, ValueError, r"priors: expected shape \(2026,\), found \(\)"),
    ],
)
def test_wrong_priors_are_refused(priors, kind, message):
    agent, state = pa.Agent.load("mcts-fast", {"search.select": "puct"}), pa.State(pa.Setup.random(6))
    with pytest.raises(kind, match=message):
        agent.decide(state, iterations=5, priors=priors)


@pytest.mark.parametrize("name", ["mcts-fast{search.select=ucb1}", "greedy-regret", "alpha-beta", "random"])
def test_agents_without_priors_refuse_them(name):
    with pytest.raises(ValueError, match="priors: the agent .* does not use priors"):
        pa.Agent.load(name).decide(pa.State(pa.Setup.random(6)), priors=np.ones(pa.ACTIONS))
