"""The environments pass the checks of their ecosystems. A check is skipped where its package is not installed."""

import itertools
import subprocess
import sys
import warnings

import numpy as np
import pytest

import patchwork_arena as pa


def random_game(env, seed):
    """Plays a game of random actions in an AEC environment and returns the agents in the order of their turns."""
    env.reset(seed=seed)
    turns = []
    for agent in env.agent_iter():
        seen, _, over, cut, _ = env.last()
        if over or cut:
            env.step(None)
            continue
        turns.append(agent)
        env.step(env.action_space(agent).sample(seen["action_mask"]))
    return turns


def test_pettingzoo():
    pytest.importorskip("pettingzoo")
    from patchwork_arena import aec

    with warnings.catch_warnings():
        # Of its own classic environments, which it imports, and of observations that are dictionaries, as theirs are.
        warnings.simplefilter("ignore")
        from pettingzoo.test import api_test, seed_test

        api_test(aec.env(), num_cycles=300)
        seed_test(aec.env, num_cycles=60)

    env = aec.env(track="revised")
    turns = random_game(env, 3)
    assert env.game.is_over
    assert any(one == next for one, next in itertools.pairwise(turns)), "a player moves twice in a row"
    assert len(turns) == len(env.game.history)


def test_an_aec_game_pays_the_winner_and_is_cut_off():
    pytest.importorskip("pettingzoo")
    from patchwork_arena import aec

    assert isinstance(aec.raw_env(), aec.Patchwork)
    with pytest.raises(AttributeError, match="reset"):
        aec.env().last()
    with pytest.raises(RuntimeError, match="expected reset first"):
        aec.raw_env().last()
    env = aec.raw_env(render_mode="ansi")
    env.reset(seed=1)
    with pytest.raises(pa.IllegalAction, match="S:a1: no special patch waits"):
        env.step(1)
    with pytest.raises(ValueError, match="player_0: expected an action, found None"):
        env.step(None)
    for strategy in (None, STRATEGY):
        picks = aec.env(strategy=strategy)
        picks.reset(seed=1)
        for wrong in (1.0, True, [0]):
            with pytest.raises(TypeError, match="found a value of type"):
                picks.step(wrong)
        assert picks.unwrapped.game == pa.State(pa.Setup.random(1))
    mover = env.agent_selection
    assert not env.observe("player_1")["action_mask"].any()
    assert env.observe(mover)["action_mask"].sum() == env.game.count_actions()
    assert env.render() == str(env.game)
    rewards = {}
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        if over:
            rewards[agent] = reward
        env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))
    assert sorted(rewards.values()) == [-1, 1]
    assert rewards[f"player_{env.game.winner}"] == 1
    assert env.agents == []
    env.step(None)
    with pytest.raises(pa.IllegalAction, match="the game is over; expected None"):
        env.step(0)

    for most in (1, 4, 30):
        env = aec.env(max_cycles=most)
        assert len(random_game(env, 5)) == most
        assert not env.game.is_over
    with pytest.raises(ValueError, match="max_cycles: expected a whole number from 1"):
        aec.env(max_cycles=0)
    with pytest.raises(TypeError, match="max_cycles: expected a whole number"):
        aec.env(max_cycles=True)
    with pytest.raises(ValueError, match="'x' is not a track"):
        aec.env(track="x")
    setup = pa.Setup.random(9, 9)
    for given in (setup, str(setup)):
        env.reset(options={"setup": given})
        assert env.game.setup == setup
    with pytest.raises(TypeError, match="setup: expected a setup or its text, found a value of type int"):
        env.reset(options={"setup": 1})
    assert env.game.setup == setup
    with pytest.raises(ValueError, match="render_mode: expected ansi, human or None, found 'x'"):
        aec.env(render_mode="x")
    with pytest.raises(ValueError, match="agent: expected player_0 or player_1, found 'x'"):
        env.unwrapped.observe("x")


STRATEGY = "bl-lb/every/regret"


def test_picks_in_every_environment():
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    from patchwork_arena import aec
    from patchwork_arena.gym import Patchwork

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(aec.env(strategy=STRATEGY), num_cycles=100)
    env = aec.env(strategy=STRATEGY)
    turns = random_game(env, 3)
    assert len(turns) == len(env.game.history)
    with pytest.raises(ValueError, match="x"):
        aec.env(strategy="x")
    env = Patchwork("random", strategy=STRATEGY, seat=0)
    for seed in range(3):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            state = env.state
            action = env.action_space.sample(info["action_mask"])
            played = pa.picks(state, STRATEGY)[action]
            _, _, over, _, info = env.step(action)
            assert env.state.history[len(state.history)] == played
            assert "illegal" not in info
    env.reset(seed=1, options={"setup": pa.Setup.random(1)})
    assert env.step(3)[4]["illegal"].startswith("action 3: expected a legal pick: 0 or ")
    _, info = env.reset(seed=1)
    buy = next(index for index in range(1, 4) if info["action_mask"][index])
    pick = pa.picks(env.state, STRATEGY)[buy]
    env.step(str(pick))
    assert env.state.history[0] == pick
    env.reset(seed=1)
    other = next(action for action in env.state.legal_actions() if action.patch == pick.patch and action != pick)
    assert "expected a pick" in env.step(other)[4]["illegal"]
    with pytest.raises(ValueError, match="x"):
        Patchwork(strategy="x")


@pytest.mark.parametrize("settings", [{}, {"observation": "planes"}, {"mask": True}, {"strategy": STRATEGY}])
def test_gymnasium(settings):
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import patchwork_arena.gym  # noqa: F401

    for seat in (0, 1, None):
        check_env(gymnasium.make("Patchwork-v0", opponent="random", seat=seat, **settings).unwrapped)
    env = gymnasium.make("patchwork/Patchwork-v0", opponent="mcts-fast", iterations=20, **settings)

    def play(seed: int) -> tuple[list[str], float]:
        _, info = env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while True:
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            seen, reward, over, cut, info = env.step(action)
            assert not cut
            assert env.observation_space.contains(seen)
            if over:
                state = env.unwrapped.state
                assert info["scores"] == state.scores
                assert reward == (1 if state.winner == env.unwrapped.player else -1)
                assert info["action_mask"].tolist() == [1] + [0] * (len(info["action_mask"]) - 1)
                return [str(action) for action in state.history], reward

    assert play(3) == play(3) != play(4)


def test_a_gymnasium_game_is_lost_by_an_illegal_action():
    pytest.importorskip("gymnasium")
    from patchwork_arena.gym import Patchwork

    env = Patchwork(lambda state: state.legal_indices()[0], seat=1)
    with pytest.raises(pa.IllegalAction, match="the game is over; expected reset"):
        env.step(0)
    env.reset(seed=1)
    assert env.state.history
    assert env.action_masks()[0]
    _, reward, over, _, info = env.step(1)
    assert (reward, over) == (-1, True)
    assert "no special patch waits" in info["illegal"]
    with pytest.raises(pa.IllegalAction, match="the game is over; expected reset"):
        env.step(0)
    with pytest.raises(pa.AgentFault, match="illegal action: decide returned 'S:a1'"):
        Patchwork(lambda state: "S:a1", seat=1).reset(seed=1)


def test_a_gymnasium_opponent_is_checked_at_once():
    pytest.importorskip("gymnasium")
    from patchwork_arena.gym import Patchwork

    class First(pa.Player):
        def decide(self, state):
            return state.legal_indices()[0]

    for opponent in (First, First(), First.agent(), "random{}", pa.Agent.load("random")):
        env = Patchwork(opponent, seat=1)
        env.reset(seed=1)
        assert env.state.history
    for settings, error, match in [
        ({"opponent": "no-such"}, pa.ConfigError, "no-such"),
        ({"opponent": 3}, TypeError, "expected an agent, its name or path, or a Player, found a value of type int"),
        ({"opponent": int}, TypeError, "found the class int"),
        ({"seat": 2}, ValueError, "seat: expected a whole number from 0 to 1, found 2"),
        ({"seat": True}, TypeError, "seat: expected a whole number, found a value of type bool"),
        ({"opponent": lambda state: 0, "iterations": 1}, ValueError, "iterations: the agent _Function does not count"),
        ({"opponent": "random", "iterations": 1}, ValueError, "iterations: the agent random does not count"),
        ({"opponent": "mcts-fast", "iterations": 0}, ValueError, "iterations: expected a whole number from 1"),
        ({"render_mode": "x"}, ValueError, "render_mode: expected ansi, human or None, found 'x'"),
        ({"observation": "raw"}, ValueError, "observation: expected flat or planes, found 'raw'"),
    ]:
        with pytest.raises(error, match=match):
            Patchwork(**settings)


@pytest.mark.parametrize("opponent", ["random", "greedy-regret", lambda state: state.legal_indices()[-1]])
@pytest.mark.parametrize("strategy", [STRATEGY, "all/every/random", None])
def test_one_seed_is_one_game(opponent, strategy):
    pytest.importorskip("gymnasium")
    from patchwork_arena.gym import Patchwork

    settings = {"opponent": opponent, "strategy": strategy}
    alone, seeds = Patchwork(**settings), [5, 3, 5]
    vector = pa.VectorEnv(3, autoreset="disabled", **settings)
    one = pa.VectorEnv(1, autoreset="disabled", **settings)
    for count in range(2):
        vector.reset(seed=None if count else seeds)
        one.reset(seed=None if count else 5)
        alone.reset(seed=None if count else 5)
        over = False
        while not over:
            assert vector.states[0] == vector.states[2] == one.states[0] == alone.state != vector.states[1]
            assert vector.setups == [pa.Setup.random(seed, count) for seed in seeds]
            action = int(np.flatnonzero(alone.action_masks())[-1])
            step = vector.step(
                [action, vector.random_actions()[1], action] if not vector.over[1] else [action, 0, action]
            )
            _, reward, over, _, _ = alone.step(action)
            one.step([action])
            assert step[1].tolist()[::2] == [reward, reward]
            if vector.over[1] and not over:
                vector.reset(seed=seeds, options={"reset_mask": np.array([False, True, False])})
        break


def test_a_vector_environment_takes_what_one_takes():
    gymnasium = pytest.importorskip("gymnasium")
    import patchwork_arena.gym  # noqa: F401

    for settings in (
        {"opponent": lambda state: state.legal_indices()[0], "mask": True},
        {"observation": "planes", "mask": True, "render_mode": "ansi", "seat": 1},
        {"strategy": STRATEGY, "iterations": 5, "opponent": "mcts-fast", "track": "revised"},
    ):
        alone = gymnasium.make("Patchwork-v0", **settings)
        for mode in ("vector_entry_point", "sync"):
            env = gymnasium.make_vec("Patchwork-v0", num_envs=2, vectorization_mode=mode, **settings)
            seen, info = env.reset(seed=[1, 2])
            assert env.observation_space.contains(seen)
            first, _ = alone.reset(seed=1)
            assert alone.observation_space.contains(first)
            for name, array in seen.items() if isinstance(seen, dict) else [("", seen)]:
                assert np.array_equal(array[0], first[name] if name else first)
            if settings.get("render_mode"):
                assert env.render()[0] == alone.render()
            for _ in range(120):
                actions = [int(np.flatnonzero(mask)[-1]) for mask in info["action_mask"]]
                seen, _, over, _, info = env.step(np.array(actions))
                assert env.observation_space.contains(seen)
                if over.any() and mode != "sync":
                    final = info["final_obs"][int(np.argmax(over))]
                    assert env.single_observation_space.contains(final)
            env.close()
    with pytest.raises(ValueError, match="observation: expected flat or planes, found 'raw'"):
        pa.VectorEnv(1, observation="raw", mask=True)


def test_observations_are_normalised_by_the_next_step():
    gymnasium = pytest.importorskip("gymnasium")
    import patchwork_arena.gym  # noqa: F401

    env = gymnasium.make_vec("Patchwork-v0", num_envs=2, opponent="random", strategy=STRATEGY, autoreset="next-step")
    env = gymnasium.wrappers.vector.NormalizeObservation(env)
    seen, info = env.reset(seed=1)
    for _ in range(60):
        seen, _, _, _, info = env.step(np.array([int(np.flatnonzero(mask)[-1]) for mask in info["action_mask"]]))
    assert np.isfinite(seen).all()


@pytest.mark.parametrize(
    ("module", "extra"), [("gym", "gymnasium"), ("aec", "pettingzoo"), ("open_spiel", "openspiel")]
)
def test_a_missing_package_is_named_with_its_extra(module, extra):
    package = {"openspiel": "pyspiel"}.get(extra, extra)
    code = f"import sys; sys.modules[{package!r}] = None; import patchwork_arena.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"expected what pip install 'patchwork-arena[{extra}]' installs" in done.stderr


def test_open_spiel():
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import mcts

    from patchwork_arena import open_spiel

    game = pyspiel.load_game("patchwork", {"setups": 3, "track": "revised"})
    assert isinstance(game, open_spiel.PatchworkGame)
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)
    state = game.new_initial_state()
    assert state.is_chance_node()
    with pytest.raises(pa.IllegalAction, match="outcome 3: expected one from 0 to 2"):
        state._apply_action(3)
    state = state.clone()
    state.apply_action(2)
    assert state.position.setup == pa.Setup.random(1, 2, track="revised")
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 2.0, 5, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    assert bot.step(state) in state.legal_actions()
    state.apply_action(state.string_to_action(0, "A"))
    assert [str(action) for action in state.position.history] == ["A"]
    assert np.array_equal(state.observation_tensor(1), state.position.observation_vector(1))
    with pytest.raises(Exception, match="setups: expected a number from 1 to 1000000, found 0"):
        pyspiel.load_game("patchwork", {"setups": 0})
    picks = pyspiel.load_game("patchwork", {"setups": 3, "strategy": STRATEGY})
    pyspiel.random_sim_test(picks, num_sims=2, serialize=False, verbose=False)
    assert picks.num_distinct_actions() == 4
    with pytest.raises(Exception, match="x"):
        pyspiel.load_game("patchwork", {"strategy": "x"})
