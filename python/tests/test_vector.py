"""Games that are stepped together are the games of single states."""

import numpy as np
import pytest

import patchwork_arena as pa


def check_step(env: pa.VectorEnv, states: list[pa.State]) -> None:
    for game, state in enumerate(states):
        seen = state.observe()
        assert env.movers[game] == state.mover
        assert np.array_equal(env.planes[game], seen.planes)
        assert np.array_equal(env.scalars[game], seen.scalars)
        assert np.array_equal(env.ring[game], seen.ring)
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
        env.step(actions)
        states = [state.play(action) for state, action in zip(states, actions, strict=True)]
        for game, state in enumerate(states):
            assert env.over[game] == state.is_over
            if state.is_over:
                assert tuple(env.scores[game]) == state.scores
                assert env.rewards[game, state.winner] == 1
                assert env.rewards[game, 1 - state.winner] == -1
                states[game] = pa.State(pa.Setup.random(5, 7 + ended, track=track))
                ended += 1
            else:
                assert not env.rewards[game].any()
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
    assert env.planes.any()
    env.reset()
    assert play(env) == first
    env.reset(2)
    assert play(env) != first
    env.reset(1)
    assert not env.over.any()
    assert play(env) == first == play(pa.VectorEnv(5, seed=1))


def test_an_illegal_action_changes_nothing():
    env = pa.VectorEnv(3)
    before = [np.copy(array) for array in (*env.observation, env.action_mask)]
    with pytest.raises(pa.IllegalAction, match="game 2: action 1: no special patch waits"):
        env.step([0, 0, 1])
    with pytest.raises(pa.IllegalAction, match="game 0: action -5: expected an index from 0 to 2025"):
        env.step([-5, 0, 0])
    for array, old in zip((*env.observation, env.action_mask), before, strict=True):
        assert np.array_equal(array, old)
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
    # The mask is a copy for the caller: writing to it makes nothing legal.
    env.action_mask[:] = True
    with pytest.raises(pa.IllegalAction):
        env.step([1, 1, 1])
    for count in (0, -1, 2**40):
        with pytest.raises(ValueError, match="games: expected a whole number from 1 to 1048576"):
            pa.VectorEnv(count)
