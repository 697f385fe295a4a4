"""Batches are the single positions, examples belong to their positions, and symmetric games are games."""

import copy
import itertools
import pickle

import numpy as np
import pytest

import patchwork_arena as pa

STRATEGY = "bl-lb/every/regret"
START = pa.State(pa.Setup.random(1))
END = START.random_playout(1)
STATES = [START.play(*END.history[:ply]) for ply in range(0, len(END.history) + 1, 3)]


def by_points(observation, mask):
    names = [scalar.name for scalar in pa.SCALARS]
    mine, other = (observation.scalars[:, names.index(f"{who}_points")] for who in ("my", "other"))
    return mask.astype(float), 1 / (1 + np.exp((other - mine) / 10))


def test_batches_are_the_single_positions():
    seen = pa.observe(STATES)
    for k, state in enumerate(STATES):
        assert all(np.array_equal(one[k], alone) for one, alone in zip(seen, state.observe(), strict=True))
    other = pa.observe(STATES[:-1], [1 - state.mover for state in STATES[:-1]])
    assert np.array_equal(other.vector()[3], STATES[3].observation_vector(1 - STATES[3].mover))
    assert np.array_equal(pa.action_masks(STATES), [state.action_mask() for state in STATES])
    assert pa.action_masks(STATES, STRATEGY)[0].tolist() == [pick is not None for pick in pa.picks(START, STRATEGY)]
    # After the end there is no action.
    assert not pa.action_masks([END]).any()
    assert not pa.action_masks([END], STRATEGY).any()
    played = pa.play(STATES[:-1], [state.legal_indices()[-1] for state in STATES[:-1]])
    assert played == [state.play(state.legal_indices()[-1]) for state in STATES[:-1]]
    assert pa.play([START], [1], STRATEGY) == [START.play(pa.picks(START, STRATEGY)[1])]
    for empty in (pa.observe([]), pa.observe([], [])):
        assert [array.shape for array in empty] == [(0, 5, 9, 9), (0, 39), (0, 33)]
    assert pa.action_masks([]).shape == (0, pa.ACTIONS)
    assert pa.action_masks([], STRATEGY).shape == (0, pa.PICKS)
    assert pa.play([], []) == []
    with pytest.raises(pa.IllegalAction, match="pick 3: expected a legal pick"):
        pa.play([START], [3], STRATEGY)
    with pytest.raises(pa.IllegalAction, match="expected a legal pick"):
        pa.play([END], [0], STRATEGY)
    with pytest.raises(ValueError, match="shorter|longer"):
        pa.play([START], [])
    with pytest.raises(ValueError, match="shorter|longer"):
        pa.observe([START], [])


@pytest.mark.parametrize("strategy", [STRATEGY, None])
def test_examples_belong_to_their_positions(strategy):
    """Where one side moves twice, the value is still that of the mover, and each target is that of its position."""
    games = list(
        pa.self_play(by_points, 3, iterations=8, strategy=strategy, noise=0.0, temperature=0.0, together=2, seed=7)
    )
    assert sorted(examples.game[0] for examples in games) == [0, 1, 2]
    twice = 0
    for examples in games:
        state = pa.State(pa.Setup.random(7, int(examples.game[0])))
        movers = []
        for seen, visits in zip(examples.observation, examples.visits, strict=True):
            assert np.array_equal(seen, state.observation_vector())
            found = pa.search_batch([state], by_points, iterations=8, strategy=strategy, seed=7)
            assert np.array_equal(visits, found.visits[0])
            assert not visits[~pa.action_masks([state], strategy)[0]].any()
            movers.append(state.mover)
            state = state.play(found.decisions[0].action)
        assert state.is_over
        twice += sum(one == next for one, next in itertools.pairwise(movers))
        assert examples.outcome.tolist() == [float(mover == state.winner) for mover in movers]
        margins = [state.scores[mover] - state.scores[1 - mover] for mover in movers]
        assert examples.margin.tolist() == margins
    assert twice > 10


def test_self_play_depends_on_its_seed_alone():
    def play(**settings):
        examples = pa.Examples.joined(pa.self_play(by_points, 6, iterations=6, **settings))
        order = np.argsort(examples.game, kind="stable")
        return [array[order].tobytes() for array in examples]

    first = play(seed=3)
    assert play(seed=3) == first == play(seed=3, together=2)
    assert play(seed=4) != first
    assert play(seed=3, noise=0.0, temperature=0.0) != first
    reused = play(seed=3, reuse=True)
    assert play(seed=3, reuse=True, together=2) == reused != first
    halved = {"noise": 0.0, "halving": 3, "reuse": True}
    assert play(seed=3, **halved) == play(seed=3, **halved, together=4)
    endless = pa.self_play(by_points, iterations=2, together=3)
    assert len({int(next(endless).game[0]) for _ in range(7)}) == 7


def test_noise_and_temperature():
    states = [pa.State(pa.Setup.random(1, number)) for number in range(40)]

    def search(**settings):
        return pa.search_batch(states, by_points, iterations=30, strategy=STRATEGY, **settings)

    plain, noisy = search(), search(noise=0.5, alpha=0.3)
    assert not np.array_equal(plain.visits, noisy.visits)
    assert np.array_equal(noisy.visits, search(noise=0.5, alpha=0.3).visits)
    assert not np.array_equal(noisy.visits, search(noise=0.5, alpha=0.3, seed=2).visits)
    # What a state draws does not depend on the others.
    alone = pa.search_batch(states[5:6], by_points, iterations=30, strategy=STRATEGY, noise=0.5, alpha=0.3)
    assert np.array_equal(alone.visits[0], noisy.visits[5])
    hot = search(temperature=[0.0] * 20 + [5.0] * 20)
    assert np.array_equal(hot.visits, plain.visits)
    same = [a.action == b.action for a, b in zip(hot.decisions, plain.decisions, strict=True)]
    assert all(same[:20])
    assert not all(same[20:])
    for settings, message in (
        ({"noise": 2.0}, "noise: .*share"),
        ({"noise": 0.5, "alpha": 0.0}, "noise: .*alpha"),
        ({"temperature": -1.0}, "temperature: "),
        ({"temperature": [1.0, 2.0]}, "temperature: expected a number or 40, one for each state, found 2"),
    ):
        with pytest.raises(ValueError, match=message):
            search(**settings)


@pytest.mark.parametrize("ending", ["npz", "parquet", "arrow"])
def test_files_are_read_as_they_were_written(tmp_path, ending):
    if ending != "npz":
        pytest.importorskip("pyarrow")
    examples = pa.Examples.joined(pa.self_play(by_points, 2, iterations=4))
    path = tmp_path / f"games.{ending}"
    examples.save(path)
    found = pa.Examples.load(str(path))
    for one, other in zip(found, examples, strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
    for wrong in (b"", b"x" * 100, path.read_bytes()[:200]):
        path.write_bytes(wrong)
        with pytest.raises((ValueError, OSError)):
            pa.Examples.load(path)
    with pytest.raises(FileNotFoundError):
        pa.Examples.load(tmp_path / f"none.{ending}")
    with pytest.raises(ValueError, match=r"path: expected a name that ends in .npz, .parquet or .arrow, found 'x.csv'"):
        examples.save("x.csv")


def moved(action, symmetry):
    """An action on a quilt that is turned or reflected, by the pictures of its squares alone."""
    if not action.squares:
        return action
    planes = np.zeros((5, 9, 9), np.uint8)
    planes[0].flat[list(action.squares)] = 1
    squares = np.flatnonzero(pa.symmetric_quilts(planes, symmetry)[0])
    names = "".join(f"{'abcdefghi'[square % 9]}{square // 9 + 1}" for square in squares)
    return pa.Action(f"{action.patch or 'S'}:{names}")


@pytest.mark.parametrize(("first", "second"), [(0, 0), (1, 2), (3, 4), (5, 6), (7, 1)])
def test_symmetric_games_are_games(first, second):
    symmetries = (first, second)
    for seed in range(3):
        state = turned = pa.State(pa.Setup.random(2, seed))
        for action in state.random_playout(seed).history:
            mine, other = (symmetries[player] for player in (state.mover, 1 - state.mover))
            seen, there = state.observe(), turned.observe()
            assert np.array_equal(pa.symmetric_quilts(seen.planes, mine, other), there.planes)
            to = pa.symmetric_actions(state.offers, mine)
            legal = state.legal_indices()
            assert sorted(to[legal]) == turned.legal_indices().tolist()
            played = moved(action, mine)
            assert to[state.index(action)] == turned.index(played)
            state, turned = state.play(action), turned.play(played)
        assert state.scores == turned.scores


def test_examples_are_turned_as_their_positions():
    (examples,) = pa.self_play(by_points, 1, iterations=5, strategy=None, noise=0.0, seed=5)
    turned = examples.symmetric(3, 6)
    state = pa.State(pa.Setup.random(5, 0))
    found = pa.symmetric_quilts(examples.observation[:, :405].reshape(-1, 5, 9, 9), 3, 6)
    assert np.array_equal(turned.observation[:, :405], found.reshape(-1, 405))
    assert np.array_equal(turned.observation[:, 405:], examples.observation[:, 405:])
    assert np.array_equal(turned.visits.sum(axis=1), examples.visits.sum(axis=1))
    assert turned.visits[0][pa.symmetric_actions(state.offers, 3)[state.legal_indices()]].sum() == 5
    assert np.array_equal(examples.symmetric(0).visits, examples.visits)
    (picks,) = pa.self_play(by_points, 1, iterations=5)
    assert np.array_equal(picks.symmetric(5).visits, picks.visits)
    for wrong in (8, -1, 1.0, True, "x", None):
        with pytest.raises(ValueError, match="expected a symmetry from 0 to 7"):
            pa.symmetric_actions(state.offers, wrong)
    for wrong in ([34], [0], [-2], b"x"):
        with pytest.raises(ValueError, match="offers: expected the numbers of patches, 1 to 33"):
            pa.symmetric_actions(wrong, 3)


def test_positions_have_a_text():
    for state in STATES:
        other = pa.State.parse(state.text)
        assert other == state
        assert other.text == state.text
        assert (other.history, other.scores, other.mover) == ([], state.scores, state.mover)
        assert str(other).splitlines()[:3] == str(state).splitlines()[:3]
        assert np.array_equal(other.observation_vector(), state.observation_vector())
        for again in (pickle.loads(pickle.dumps(other)), copy.deepcopy(other)):
            assert (again, again.text) == (other, other.text)
        assert other._repr_html_() == state._repr_html_()
        if not state.is_over:
            one = other.play(state.legal_indices()[0])
            assert pickle.loads(pickle.dumps(one)) == state.play(state.legal_indices()[0])
            assert len(one.history) == 1
    middle = pa.State.parse(STATES[5].text)
    agent = pa.Agent.load("mcts-fast")
    middle.play(agent.decide(middle, iterations=20).action)
    env = pa.VectorEnv(1)
    with pytest.raises(ValueError, match=r"states\[0\]: expected a state whose history begins at the start"):
        env.states = [middle]
    for text, message in (
        ("x", "'x' is not a track; expected original or revised"),
        (START.text.replace("first", "third"), "'third' is not a player; expected first or second"),
        (START.text.replace("/ 5 0", "/ 5 60"), "the first player is on space 60"),
    ):
        with pytest.raises(ValueError, match=message):
            pa.State.parse(text)


@pytest.mark.parametrize("library", ["pyarrow", "reader", "polars", "pandas", "duckdb"])
def test_all_frames_are_rated(library):
    rows = pa.match("random", "greedy-inorder", pairs=3, progress=False).games
    pyarrow = pytest.importorskip("pyarrow")
    makers = {
        "pyarrow": lambda: pyarrow.table(rows),
        "reader": lambda: pyarrow.RecordBatchReader.from_stream(rows),
        "polars": lambda: pytest.importorskip("polars").DataFrame(rows),
        "pandas": lambda: pyarrow.table(rows).to_pandas(),
        "duckdb": lambda: pytest.importorskip("duckdb").from_arrow(pyarrow.table(rows)),
    }
    assert pa.rate(makers[library]()).to_dict() == pa.rate(rows).to_dict()
