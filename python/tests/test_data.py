"""Batches are the single positions, examples belong to their positions, and symmetric games are games."""

import copy
import itertools
import pickle

import numpy as np
import pytest
from conftest import FULL

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
    for wrong in (1.0, True, None, [1]):
        with pytest.raises(TypeError, match="expected a pick, an action or its text, found a value of type"):
            pa.play([START], [wrong], STRATEGY)
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
    setups = {str(pa.Setup.random(7, number)) for number in range(3)}
    assert {examples.setup[0] for examples in games} == setups
    assert len({int(examples.game[0]) for examples in games}) == 3
    twice = 0
    for examples in games:
        state = pa.State(pa.Setup.parse(examples.setup[0]))
        assert set(examples.seed.tolist()) == {7}
        movers = []
        for seen, visits, action, value, text in zip(*examples[:4], examples.position, strict=True):
            assert np.array_equal(seen, state.observation_vector())
            assert text == state.text
            found = pa.search_batch([state], by_points, iterations=8, strategy=strategy, seed=7)
            assert np.array_equal(visits, found.visits[0])
            assert not visits[~pa.action_masks([state], strategy)[0]].any()
            movers.append(state.mover)
            (decision,) = found.decisions
            assert value == np.float32(decision.value)
            assert pa.play([state], [action], strategy) == [state.play(decision.action)]
            state = state.play(decision.action)
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
    # Runs that are joined have no number in common, unless they have the game.
    runs = [pa.Examples.joined(pa.self_play(by_points, 6, iterations=6, seed=seed)) for seed in (3, 4)]
    assert len(np.unique(pa.Examples.joined([*runs, runs[0]]).game)) == 12
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
    examples.save(path)
    for change, message in (
        ({"margin": examples.margin[:-1]}, r"margin: expected float32 of shape \(\d+,\), found float32 of shape"),
        (
            {"observation": examples.observation[:, :-1]},
            r"observation: expected .* found float32 of shape \(\d+, 476\)",
        ),
        ({"visits": examples.visits[:, :3]}, r"visits: expected int32 of shape \(\d+, 2026\) or \(\d+, 4\), found"),
        ({"value": examples.value.astype(float)}, "value: expected float32 of shape .* found float64"),
        ({"setup": examples.seed}, "setup: expected U of shape .* found uint64"),
    ):
        with pytest.raises(ValueError, match=message):
            examples._replace(**change).save(path)
        if ending == "npz":
            arrays = {**examples._asdict(), **change, "checksum": np.array(examples._replace(**change)._checksum())}
            np.savez_compressed(tmp_path / "wrong.npz", **arrays)
            with pytest.raises(ValueError, match=message):
                pa.Examples.load(tmp_path / "wrong.npz")
    assert pa.Examples.load(path).game.tolist() == examples.game.tolist()
    assert sorted(file.name for file in tmp_path.iterdir() if file.suffix == ".part") == []


@pytest.mark.parametrize("ending", ["npz", "parquet", "arrow"])
@pytest.mark.parametrize("strategy", [STRATEGY, None])
def test_flipped_bits_are_found(tmp_path, ending, strategy):
    if ending != "npz":
        pytest.importorskip("pyarrow")
    examples = pa.Examples.joined(pa.self_play(by_points, 1, iterations=2, strategy=strategy))
    path = tmp_path / f"games.{ending}"
    examples.save(path)
    content = path.read_bytes()
    count = len(content) // 7 if FULL else 61
    found = 0
    for number in range(count):
        flipped = bytearray(content)
        flipped[len(content) * number // count] ^= 1 << number % 8
        path.write_bytes(flipped)
        try:
            read = pa.Examples.load(path)
        except ValueError:
            found += 1
        else:
            # It is not of the data.
            assert all(np.array_equal(one, other) for one, other in zip(read, examples, strict=True))
    assert found > count // 2


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"games": -1}, ValueError, "games: expected a whole number from 0 to .* found -1"),
        ({"games": 1.0}, TypeError, "games: expected a whole number, found a value of type float"),
        ({"games": True}, TypeError, "games: expected a whole number, found a value of type bool"),
        ({"together": -5}, ValueError, "together: expected a whole number from 1 to .* found -5"),
        ({"together": 0}, ValueError, "together: expected a whole number from 1 to .* found 0"),
        ({"opening": -1}, ValueError, "opening: expected a whole number from 0 to .* found -1"),
        ({"temperature": -1.0}, ValueError, "temperature: "),
        ({"temperature": float("nan")}, ValueError, "temperature: "),
        ({"temperature": [1.0, 2.0]}, ValueError, r"temperature: expected shape \(\), found \(2,\)"),
        ({"iterations": 0}, ValueError, "iterations: expected"),
        ({"exploration": -1.0}, ValueError, "exploration: expected"),
        ({"strategy": "x"}, ValueError, "'x' is not a strategy"),
        ({"noise": 2.0}, ValueError, "noise: "),
        ({"halving": 3}, ValueError, "noise and halving: expected one of them"),
        ({"track": "x"}, ValueError, "'x' is not a track"),
        ({"seed": -1}, ValueError, "seed: expected"),
    ],
)
def test_wrong_settings_of_self_play_are_refused_at_once(settings, error, message):
    with pytest.raises(error, match=message):
        pa.self_play(by_points, **settings)
    with pytest.raises(TypeError, match="evaluate: expected a function"):
        pa.self_play(3)
    assert list(pa.self_play(by_points, 0)) == []


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
    # The texts and the actions are those of the observations.
    for seen, action, text, old in zip(
        turned.observation, turned.action, turned.position, examples.position, strict=True
    ):
        position = pa.State.parse(text)
        assert np.array_equal(position.observation_vector(), seen)
        assert position.play(action).scores == position.play(position.action(action)).scores
        assert position.buttons == pa.State.parse(old).buttons
    for wrong, error in ((8, ValueError), (-1, ValueError), (1.0, TypeError), (True, TypeError), ("x", TypeError)):
        with pytest.raises(error, match="symmetry: expected a whole number"):
            pa.symmetric_actions(state.offers, wrong)
        with pytest.raises(error, match="mine: expected a whole number"):
            examples.symmetric(wrong)
        with pytest.raises(error, match="other: expected a whole number"):
            pa.symmetric_quilts(np.zeros((5, 9, 9)), 0, wrong)
    for wrong, error in (
        ([34], ValueError),
        ([0], ValueError),
        ([-2], ValueError),
        ([1.9], TypeError),
        ([True], TypeError),
    ):
        with pytest.raises(error, match="offers: expected a whole number"):
            pa.symmetric_actions(wrong, 3)
    with pytest.raises(ValueError, match="offers: expected at most 3 patches, found 4"):
        pa.symmetric_actions([2, 3, 4, 5], 3)


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
