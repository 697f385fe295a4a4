"""Games that are stepped together are the games of single states."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import patchwork_arena as pa

STRATEGY = "bl-lb/every/regret"
ARRAYS = ("planes", "scalars", "ring", "action_mask", "movers", "over", "rewards", "scores")


def arrays(env):
    return [np.copy(getattr(env, name)) for name in ARRAYS]


def is_same(env, before):
    return all(np.array_equal(a, b) for a, b in zip(arrays(env), before, strict=True))


def check_step(env: pa.VectorEnv, states: list[pa.State]) -> None:
    assert env.states == states
    assert [state.history for state in env.states] == [state.history for state in states]
    for game, state in enumerate(states):
        seen = state.observe()
        assert env.movers[game] == state.mover
        assert all(np.array_equal(a[game], b) for a, b in zip(env.observation, seen, strict=True))
        assert np.array_equal(env.action_mask[game], state.action_mask())


@pytest.mark.parametrize("track", ["original", "revised"])
def test_a_batch_is_many_states(track):
    env = pa.VectorEnv(7, seed=5, track=track)
    states = [pa.State(pa.Setup.random(5, number, track=track)) for number in range(7)]
    ended = 0
    for _ in range(120):
        check_step(env, states)
        assert [state.setup for state in states] == env.setups
        actions = env.random_actions()
        assert env.action_mask[np.arange(7), actions].all()
        movers = env.movers.copy()
        seen, rewards, terminated, truncated, info = env.step(actions)
        assert np.array_equal(seen, env.observation.vector())
        assert np.array_equal(rewards, env.rewards)
        assert np.array_equal(terminated, env.over)
        assert not truncated.any()
        states = [state.play(action) for state, action in zip(states, actions, strict=True)]
        assert ("final_obs" in info) == terminated.any()
        for game, state in enumerate(states):
            assert env.over[game] == state.is_over
            if state.is_over:
                assert tuple(env.scores[game]) == tuple(info["scores"][game]) == state.scores
                assert rewards[game] == (1 if state.winner == movers[game] else -1)
                assert env.ended[game].history == state.history
                assert np.array_equal(info["final_obs"][game], state.observation_vector(movers[game]))
                assert info["_final_obs"][game]
                states[game] = pa.State(pa.Setup.random(5, 7 + ended, track=track))
                ended += 1
            else:
                assert rewards[game] == 0
                assert not env.scores[game].any()
    assert ended > 7


def test_a_seed_determines_everything():
    def play(env: pa.VectorEnv) -> list[list[int]]:
        moves = []
        for _ in range(60):
            actions = env.random_actions()
            moves.append(actions.tolist())
            env.step(actions)
        return moves

    env = pa.VectorEnv(5, seed=1)
    first = play(env)
    numbers = {pa.Setup.random(1, number): number for number in range(30)}
    newest = max(numbers[setup] for setup in env.setups)
    env.reset()
    assert [numbers[setup] for setup in env.setups] == list(range(newest + 1, newest + 6))
    env.reset(seed=1)
    assert play(env) == first
    env.reset(seed=2)
    assert play(env) != first
    env.reset(seed=1)
    assert not env.over.any()
    assert play(env) == first == play(pa.VectorEnv(5, seed=1))


@pytest.mark.parametrize("seat", [None, 0, 1])
@pytest.mark.parametrize("opponent", ["greedy-inorder", "random", pa.Agent.load("mcts-fast", "budget.iterations=5")])
def test_the_opponent_replies(seat, opponent):
    def play(env):
        env.reset(seed=3)
        ends = []
        for _ in range(70):
            env.step(env.random_actions())
            assert list(env.ended) == np.flatnonzero(env.over).tolist()
            ends += [state.history for state in env.ended.values()]
            for game, state in enumerate(env.states):
                assert state.mover == env.movers[game]
                assert np.array_equal(env.action_mask[game], state.action_mask())
                if seat is not None:
                    assert state.mover == seat
        return ends

    env = pa.VectorEnv(6, opponent=opponent, seat=seat)
    ends = play(env)
    assert len(ends) > 6
    assert play(env) == ends
    if seat is None:
        assert set(env.movers.tolist()) == {0, 1}


def test_a_deterministic_opponent_plays_as_it_decides():
    agent = pa.Agent.load("greedy-inorder")
    env = pa.VectorEnv(3, opponent=agent, seat=1)
    for _ in range(20):
        env.step(env.random_actions())
        for state in env.states:
            at = pa.State(state.setup)
            for action in state.history:
                assert at.mover == 1 or agent.decide(at).action == action
                at = at.play(action)


def test_picks_are_placed_by_a_strategy():
    env = pa.VectorEnv(5, strategy=STRATEGY)
    for _ in range(80):
        states, actions = env.states, env.random_actions()
        wanted = []
        for game, state in enumerate(states):
            picks = pa.picks(state, STRATEGY)
            assert env.action_mask[game].tolist() == [pick is not None for pick in picks]
            assert all(pick is None or state.offers[place] == pick.patch for place, pick in enumerate(picks[1:]))
            wanted.append(state.play(picks[actions[game]]))
        env.step(actions)
        assert all(over or state == next for over, state, next in zip(env.over, env.states, wanted, strict=True))
    state = pa.State(pa.Setup.random(1))
    assert pa.picks(state.random_playout(1)) == [None] * 4
    env.reset(options={"setups": [state.setup] * 5})
    with pytest.raises(pa.IllegalAction, match="game 0: action 3: expected a legal pick: 0 or 1 or 2"):
        env.step([3, 0, 0, 0, 0])
    for action in (4, -1):
        with pytest.raises(pa.IllegalAction, match="expected a legal pick"):
            env.step([0, 0, 0, 0, action])


def test_a_finished_game_waits_for_its_reset():
    env = pa.VectorEnv(3, autoreset="next-step")
    for _ in range(200):
        seen, _, over, _, info = env.step(env.random_actions())
        if over.any():
            break
    ended = int(over.argmax())
    assert env.states[ended].is_over
    assert np.array_equal(seen[ended], env.states[ended].observation_vector(env.movers[ended]))
    assert info["action_mask"][ended].tolist() == [True] + [False] * (pa.ACTIONS - 1)
    _, rewards, over, _, _ = env.step(env.random_actions())
    assert not over[ended]
    assert rewards[ended] == 0
    assert env.states[ended].history == []

    env = pa.VectorEnv(3, autoreset="disabled")
    while not env.over.any():
        env.step(env.random_actions())
    before = arrays(env)
    ended = env.over.copy()
    with pytest.raises(pa.IllegalAction, match="the game is over; expected reset with options={'reset_mask'"):
        env.step(env.random_actions())
    assert is_same(env, before)
    setup = pa.Setup.random(9, 9)
    env.reset(options={"reset_mask": ended, "setups": [setup] * int(ended.sum())})
    assert not env.over.any()
    assert [one == setup for one in env.setups] == ended.tolist()
    env.step(env.random_actions())


def test_states_and_setups_are_chosen():
    env = pa.VectorEnv(3)
    setups = [pa.Setup.random(8, number) for number in range(3)]
    env.reset(options={"setups": setups})
    assert env.setups == setups
    states = [pa.State(setup).play("A") for setup in setups]
    env.states = states
    check_step(env, states)
    before = arrays(env)
    over = states[0].random_playout(1)
    for wrong, error in (
        (states[:2], ValueError),
        ([*states[:2], over], pa.IllegalAction),
        ([*states[:2], 1], TypeError),
        (1, TypeError),
    ):
        with pytest.raises(error, match="states"):
            env.states = wrong
    for options, error in (
        ({"setups": setups[:2]}, ValueError),
        ({"setups": [1, 2, 3]}, TypeError),
        ({"reset_mask": np.zeros(2, bool)}, ValueError),
        ({"reset_mask": np.zeros(3)}, ValueError),
    ):
        with pytest.raises(error, match="setups|reset_mask"):
            env.reset(options=options)
    assert is_same(env, before)
    with_opponent = pa.VectorEnv(3, opponent="greedy-inorder", seat=0)
    with_opponent.states = states
    assert all(state.mover == 0 and state.history[0] == pa.Action("A") for state in with_opponent.states)


@pytest.mark.parametrize("settings", [{}, {"strategy": STRATEGY, "opponent": "random", "autoreset": "next-step"}])
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_alike(settings, duplicate):
    env = pa.VectorEnv(4, seed=3, **settings)
    while not env.over.any():
        env.step(env.random_actions())
    other = duplicate(env)
    assert repr(other) == repr(env)
    for _ in range(60):
        assert is_same(other, arrays(env))
        actions = env.random_actions()
        assert np.array_equal(other.random_actions(), actions)
        env.step(actions)
        before = arrays(env)
        other.step(actions)
        assert is_same(env, before)


def test_what_a_step_returns_is_the_callers():
    def arrays_of(value):
        values = value.values() if isinstance(value, dict) else value
        return [value] if isinstance(value, np.ndarray) else [array for one in values for array in arrays_of(one)]

    for kind in ("flat", "planes", "raw"):
        env = pa.VectorEnv(2, observation=kind)
        steps = [arrays_of(env.step(env.random_actions())) for _ in range(2)]
        assert len(steps[0]) > 6
        for one, other in zip(*steps, strict=True):
            assert not np.shares_memory(one, other)
            assert not any(np.shares_memory(one, getattr(env, name)) for name in ARRAYS)
    raw = pa.VectorEnv(2, observation="raw", copy=False)
    seen, rewards, _, _, info = raw.step(raw.random_actions())
    assert all(np.shares_memory(a, b) for a, b in zip(seen, raw.observation, strict=True))
    assert np.shares_memory(rewards, raw.rewards)
    assert np.shares_memory(info["action_mask"], raw.action_mask)
    flat = pa.VectorEnv(2, copy=False)
    assert np.shares_memory(flat.reset()[0], flat.step([0, 0])[0])


def test_an_illegal_action_changes_nothing():
    env = pa.VectorEnv(3)
    before = arrays(env)
    with pytest.raises(pa.IllegalAction, match="game 2: action 1: no special patch waits"):
        env.step([0, 0, 1])
    with pytest.raises(pa.IllegalAction, match="game 0: action -5: expected an index from 0 to 2025"):
        env.step([-5, 0, 0])
    assert is_same(env, before)
    assert [state.history for state in env.states] == [[]] * 3
    for actions, error in [
        ([0, 0], ValueError),
        ([[0, 0, 0]], ValueError),
        (0, ValueError),
        ([0.0, 0.0, 0.0], TypeError),
        (["A"] * 3, TypeError),
        (None, TypeError),
    ]:
        with pytest.raises(error, match="actions: expected"):
            env.step(actions)
    with pytest.raises(pa.IllegalAction, match=f"game 0: action {2**63 - 1}: expected an index from 0 to 2025"):
        env.step(np.full(3, 2**64 - 1, dtype=np.uint64))
    env.step(np.zeros(6, dtype=np.uint8)[::2])
    # The mask is for the caller: writing to it makes nothing legal.
    env.action_mask[:] = True
    with pytest.raises(pa.IllegalAction):
        env.step([1, 1, 1])
    for count in (0, -1, 2**40):
        with pytest.raises(ValueError, match="games: expected a whole number from 1 to 1048576"):
            pa.VectorEnv(count)


def test_an_opponent_that_fails_changes_nothing():
    class Fails(pa.Player):
        def decide(self, state):
            if len(state.history) > 12:
                raise KeyError("lost")
            return state.legal_indices()[0]

    env = pa.VectorEnv(4, opponent=Fails)
    while all(len(state.history) < 11 for state in env.states):
        env.step(env.random_actions())
    fault = None
    while not fault:
        before, states, actions = arrays(env), env.states, env.random_actions()
        try:
            env.step(actions)
        except pa.AgentFault as raised:
            fault = str(raised)
    assert "Fails: " in fault
    assert "lost" in fault
    assert is_same(env, before)
    assert env.states == states


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_that_are_changed_stop_no_game(name):
    env = pa.VectorEnv(4)
    array = getattr(env, name)
    array.flags.writeable = False
    with pytest.raises(ValueError, match="does not own its data"):
        array.resize(2, refcheck=False)
    env.step(env.random_actions())
    # Even the memory behind it: an exception says so, and no game has moved.
    base = getattr(env._arrays, name)
    base.flags.writeable = False
    states = env.states
    for change in (lambda: env.step(env.random_actions()), env.reset):
        with pytest.raises(ValueError, match=f"{name}: expected the array of this environment"):
            change()
        assert env.states == states
    base.flags.writeable = True
    env.step(env.random_actions())
    assert all(len(state.history) == 2 for state in env.states)


def test_the_best_actions_are_legal_ones():
    random = np.random.default_rng(1)
    for settings in ({}, {"strategy": STRATEGY}):
        env = pa.VectorEnv(9, **settings)
        for _ in range(30):
            logits = random.normal(size=env.action_mask.shape).astype(np.float32)
            expected = np.where(env.action_mask, logits, -np.inf).argmax(axis=1)
            assert np.array_equal(env.best_actions(logits), expected)
            env.step(expected)
    assert env.action_mask[np.arange(9), env.best_actions(np.full((9, 4), np.nan))].all()
    for logits, error in ((np.zeros((9, 3)), ValueError), (np.full((9, 4), "x"), TypeError), (None, TypeError)):
        with pytest.raises(error, match="logits: expected"):
            env.best_actions(logits)


def test_settings_are_checked():
    for settings, error, match in [
        ({"seat": 0}, ValueError, "seat and iterations: require an agent"),
        ({"iterations": 5}, ValueError, "seat and iterations: require an agent"),
        ({"opponent": "random", "iterations": 5}, ValueError, "iterations: the agent random does not count iterations"),
        ({"opponent": "no-such"}, pa.ConfigError, "no-such"),
        ({"opponent": 1}, TypeError, "expected an agent, its name or path, or a Player, found a value of type int"),
        ({"autoreset": "x"}, ValueError, "autoreset: expected next-step, same-step or disabled, found 'x'"),
        ({"observation": "x"}, ValueError, "observation: expected flat or planes or raw, found 'x'"),
        ({"strategy": "x"}, ValueError, "x"),
        ({"track": "x"}, ValueError, "'x' is not a track"),
    ]:
        with pytest.raises(error, match=match):
            pa.VectorEnv(2, **settings)


CHECK = """
import gymnasium, numpy as np
{lines}
envs = gymnasium.make_vec("{name}", num_envs=3, opponent="random", strategy="bl-lb/every/regret")
assert isinstance(envs, gymnasium.vector.VectorEnv), envs
envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
seen, info = envs.reset(seed=1)
ended = 0
for _ in range(60):
    assert envs.observation_space.contains(seen)
    actions = [np.flatnonzero(mask)[-1] for mask in info["action_mask"]]
    assert envs.action_space.contains(np.array(actions))
    seen, rewards, over, cut, info = envs.step(np.array(actions))
    assert ("episode" in info) == over.any()
    ended += over.sum()
assert ended > 2 and envs.num_envs == 3
assert envs.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
envs.close()
assert envs.unwrapped.closed
mode = gymnasium.vector.AutoresetMode.NEXT_STEP
envs = gymnasium.make_vec("{name}", num_envs=2, opponent=None, autoreset=mode)
assert envs.metadata["autoreset_mode"] is mode and "next-step" in repr(envs.unwrapped)
env = gymnasium.make("{name}", opponent="random")
assert env.reset(seed=1)[0].shape == (477,)
"""


@pytest.mark.parametrize(
    ("lines", "name"), [("", "patchwork_arena.gym:Patchwork-v0"), ("import patchwork_arena", "Patchwork-v0")]
)
def test_gymnasium_makes_the_environments(lines, name):
    pytest.importorskip("gymnasium")
    code = CHECK.format(lines=lines, name=name)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_seeds_are_one_for_all_or_one_for_each_game():
    env = pa.VectorEnv(3, opponent="random")
    env.reset(seed=[7, 8, np.int64(9)])
    assert env.setups == [pa.Setup.random(seed) for seed in (7, 8, 9)]
    env.reset()
    assert env.setups == [pa.Setup.random(seed, 1) for seed in (7, 8, 9)]
    again = pickle.loads(pickle.dumps(env))
    for one in (env, again):
        one.reset(options={"reset_mask": np.array([False, True, False])})
        assert one.setups == [pa.Setup.random(seed, number) for seed, number in ((7, 1), (8, 2), (9, 1))]
    while not env.over[2]:
        env.step(env.random_actions())
    assert env.setups[2] == pa.Setup.random(9, 2)
    env.reset(seed=4)
    assert env.setups == [pa.Setup.random(4, number) for number in range(3)]
    before = env.states
    for wrong, error, message in (
        ([1, 2], ValueError, "seed: expected 3, one for each game, found 2"),
        ([], ValueError, "seed: expected 3, one for each game, found 0"),
        ([1, 2, -1], ValueError, "seed: expected a whole number from 0"),
        ([1, 2, 3.0], TypeError, "seed: expected a whole number, found a value of type float"),
        ([1, 2, None], TypeError, "seed: expected a whole number, found a value of type NoneType"),
        (True, TypeError, "seed: expected a whole number, found a value of type bool"),
    ):
        with pytest.raises(error, match=message):
            env.reset(seed=wrong)
        assert env.states == before


def test_a_closed_environment_refuses():
    env = pa.VectorEnv(2)
    env.close()
    env.close()
    for call in (
        env.reset,
        lambda: env.step(np.zeros(2, np.int64)),
        env.random_actions,
        lambda: env.best_actions(np.zeros((2, pa.ACTIONS))),
        lambda: env.states,
        lambda: env.setups,
        lambda: env.ended,
        lambda: pickle.dumps(env),
    ):
        with pytest.raises(RuntimeError, match="the environment is closed"):
            call()
