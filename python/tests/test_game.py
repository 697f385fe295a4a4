"""The rules: against an independent simulator, and by their properties."""

import copy
import pickle
import threading

import numpy as np
import pytest
from conftest import PROJECT, seeds, setups, states
from hypothesis import given

import patchwork_arena as pa


def test_the_independent_games_are_played_alike(independent_games):
    names = {"first": 0, "second": 1, "-": None}
    for game in independent_games:
        state = pa.State(pa.Setup(game["ring"], game["track"]))
        for text, legal in zip(game["actions"].split(), game["legal_actions"].split(), strict=True):
            assert state.count_actions() == int(legal)
            assert state.action_mask().sum() == int(legal)
            assert text in [str(action) for action in state.legal_actions()]
            state = state.play(text)
        assert state.is_over
        assert state.scores == tuple(map(int, game["scores"].split()))
        assert state.winner == names[game["winner"]]
        assert state.bonus == names[game["bonus_7x7"]]


def test_sequences_of_actions_are_counted_alike():
    rows = (PROJECT / "crates/engine/tests/data/perft.tsv").read_text().splitlines()[1:]
    for row in rows:
        track, ring, actions, one, two = row.split("\t")
        state = pa.State(pa.Setup(ring, track)).play(*actions.replace("-", "").split())
        assert state.count_actions() == int(one)
        if int(two) < 20_000:
            assert sum(state.play(action).count_actions() for action in state.legal_actions()) == int(two)


@given(states())
def test_every_index_is_one_legal_action(state):
    mask, indices = state.action_mask(), state.legal_indices()
    assert mask.dtype == np.bool_
    assert mask.shape == (pa.ACTIONS,)
    assert np.array_equal(np.flatnonzero(mask), indices)
    actions = state.legal_actions()
    assert len(actions) == len(indices) == state.count_actions()
    assert {state.index(action) for action in actions} == set(indices.tolist())
    for action in actions[:20]:
        assert state.action(state.index(action)) == action
        assert pa.Action(str(action)) == action
        assert state.play(action) == state.play(state.index(action)) == state.play(str(action))


@given(states())
def test_what_is_not_in_the_mask_is_refused(state):
    before = hash(state)
    illegal = np.flatnonzero(~state.action_mask())
    for index in illegal[:: max(1, len(illegal) // 50)]:
        with pytest.raises(pa.IllegalAction, match="action|game|patch|covered|inside|offer"):
            state.play(index)
    assert hash(state) == before


@given(states())
def test_states_survive_copies_and_pickles(state):
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert hash(again) == hash(state)
    assert again.history == state.history
    assert copy.copy(state) == copy.deepcopy(state) == state
    assert pickle.loads(pickle.dumps(state.setup)) == state.setup
    assert [pickle.loads(pickle.dumps(action)) for action in state.history] == state.history


@given(states())
def test_a_state_agrees_with_itself(state):
    quilts = state.quilts
    for player in (0, 1):
        empty = 81 - int(quilts[player].sum())
        bonus = 7 if state.bonus == player else 0
        assert state.scores[player] == state.buttons[player] + bonus - 2 * empty
    assert state.is_over == (state.mover is None) == (state.winner is not None)
    assert set(state.offers) <= set(state.ring[:3])
    assert state == pa.State(state.setup).play(*state.history)
    assert str(state).count("score") == 2
    assert "<svg" in state._repr_html_()


@given(states())
def test_observations_determine_the_position(state):
    names = [scalar.name for scalar in pa.SCALARS]
    for player in (0, 1):
        seen = state.observe(player)
        assert seen.planes.shape == (5, 9, 9)
        assert seen.ring.shape == (33,)
        scalars = dict(zip(names, seen.scalars.tolist(), strict=True))
        for scalar in pa.SCALARS:
            assert scalar.least <= scalars[scalar.name] <= scalar.most, scalar
        other = 1 - player
        assert np.array_equal(seen.planes[0], state.quilts[player])
        assert np.array_equal(seen.planes[1], state.quilts[other])
        for name, values in [
            ("buttons", state.buttons),
            ("income", state.incomes),
            ("space", state.spaces),
            ("points", state.scores),
        ]:
            assert scalars[f"my_{name}"] == values[player]
            assert scalars[f"other_{name}"] == values[other]
        assert scalars["my_bonus"] == (state.bonus == player)
        assert scalars["other_bonus"] == (state.bonus == other)
        assert scalars["to_move"] == (state.mover == player)
        assert scalars["moves_first"] == (player == 0)
        assert scalars["specials_waiting"] == state.specials_waiting
        assert scalars["specials_on_track"] == len(state.special_spaces)
        assert scalars["patches_left"] == len(state.ring)
        assert tuple(seen.ring[: len(state.ring)]) == state.ring
        ahead = [space - state.spaces[player] for space in state.special_spaces[:1]]
        assert [scalars["my_next_special"]] == (ahead or [0])
        for place, patch in enumerate(pa.PATCHES[number - 1] for number in state.ring[:3]):
            assert scalars[f"offer_{place}_cost"] == patch.cost
            assert scalars[f"offer_{place}_time"] == patch.time
            assert scalars[f"offer_{place}_income"] == patch.income
            assert scalars[f"offer_{place}_size"] == patch.shape.count("X")
            assert scalars[f"offer_{place}_affordable"] == (patch.cost <= state.buttons[player])
            rows = patch.shape.split("/")
            drawn = np.array([[c == "X" for c in row] for row in rows])
            assert np.array_equal(seen.planes[2 + place, : len(rows), : len(rows[0])], drawn)
            assert seen.planes[2 + place].sum() == drawn.sum()
        scales = np.array([scalar.scale for scalar in pa.SCALARS], np.float32)
        parts = [seen.planes.ravel(), seen.scalars / scales, seen.ring / np.float32(33)]
        vector = np.concatenate(parts)
        assert np.array_equal(state.observation_vector(player), vector)
        assert np.array_equal(seen.vector(), vector)
        assert np.abs(vector).max() <= 2
        assert vector.shape == (pa.OBSERVATION_SIZE,)
    if not state.is_over:
        mine = state.observe(state.mover)
        assert all(np.array_equal(a, b) for a, b in zip(state.observe(), mine, strict=True))


@given(setups)
def test_setups_are_read_and_written(setup):
    assert pa.Setup.parse(str(setup)) == setup
    assert eval(repr(setup), {"Setup": pa.Setup}) == setup
    assert pa.Setup(setup.ring, setup.track) == setup
    assert hash(pa.Setup(setup.ring, setup.track)) == hash(setup)


def test_a_komi_gives_the_second_player_buttons():
    plain, komi = pa.Setup.random(4), pa.Setup.random(4, track="original+3")
    assert (plain.track, plain.komi, komi.track, komi.komi) == ("original", 0, "original+3", 3)
    assert komi.ring == plain.ring
    assert komi != plain
    assert pa.State(komi).buttons == (5, 8)
    assert pa.Setup.parse(str(komi)) == komi
    state = pa.State(komi).random_playout(1)
    assert pickle.loads(pickle.dumps(state)) == state
    with pytest.raises(ValueError, match="has no komi; expected original"):
        pa.Setup.random(4, track="original+100")


@given(seeds)
def test_seeds_determine_setups_and_playouts(seed):
    setup = pa.Setup.random(seed)
    assert setup == pa.Setup.random(seed, 0)
    assert setup != pa.Setup.random(seed, 1)
    state = pa.State(setup)
    assert state.random_playout(seed).history == state.random_playout(seed).history
    assert state.random_action(seed) in state.legal_actions()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: pa.Setup("1 2 3"), ValueError, "patch 4 is missing"),
        (lambda: pa.Setup([1, 40]), ValueError, "expected a whole number from 1 to 33, found 40"),
        (lambda: pa.Setup(["x"]), TypeError, "ring: expected a whole number, found a value of type str"),
        (lambda: pa.Setup.parse("new 1"), ValueError, "'new' is not a track"),
        (lambda: pa.Setup.random(-1), ValueError, "seed: expected a whole number from 0"),
        (lambda: pa.Setup.random(2**64), ValueError, "seed: expected a whole number from 0"),
        (lambda: pa.Setup.random("1"), TypeError, "seed: expected a whole number, found a value of type str"),
        (lambda: pa.Setup.random(1.5), TypeError, "found a value of type float"),
        (lambda: pa.Setup.random(1, track="x"), ValueError, "'x' is not a track"),
        (lambda: pa.Action("B"), ValueError, "'B' is not an action"),
        (lambda: pa.Action("1:a1c1"), ValueError, "do not form patch 1"),
        (lambda: pa.Action(3), TypeError, "str"),
    ],
)
def test_bad_arguments_are_named(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_actions_of_another_state_are_refused_with_the_reason():
    state = pa.State(pa.Setup.random(1))
    for action, why in [
        ("S:e5", "no special patch waits"),
        (pa.Action("1:a1b1"), "patch 1 is not on offer"),
        (2026, "expected an index from 0 to 2025"),
        (-1, "action -1: expected an index"),
        (10**30, "expected an index"),
        (82 + 8, "does not lie inside the quilt"),
    ]:
        with pytest.raises(pa.IllegalAction, match=why):
            state.play(action)
    for action in (None, 1.5, [], b"A", True):
        with pytest.raises(TypeError, match="expected an action, its text or its index"):
            state.play(action)
    over = state.random_playout(1)
    with pytest.raises(pa.IllegalAction, match="the game is over"):
        over.play("A")
    with pytest.raises(pa.IllegalAction, match="the game is over"):
        over.random_action(1)
    assert not over.action_mask().any()
    with pytest.raises(ValueError, match="player: expected a whole number from 0 to 1, found 2"):
        state.observe(2)
    with pytest.raises(AttributeError):
        state.mover = 1


def test_a_damaged_pickle_is_refused():
    state = pa.State(pa.Setup.random(1)).play("A")
    unpickle, (start, actions) = state.__reduce__()
    assert unpickle(start, actions) == state
    for damaged in (("", ""), (start[:20], ""), (start, "A x"), (start, "S:e5"), (start + " / 1", "A")):
        with pytest.raises(ValueError, match="expected|missing|no special patch"):
            unpickle(*damaged)


def test_a_panic_is_an_exception(capfd):
    with pytest.raises(pa.InternalError, match="the engine panicked: on purpose"):
        pa._native._panic("on purpose")
    assert "on purpose" in capfd.readouterr().err


def test_threads_share_a_state():
    state = pa.State(pa.Setup.random(3))
    ends: list[pa.State] = []

    def play() -> None:
        for _ in range(50):
            ends.append(state.random_playout(5))

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ends) == 200
    assert len(set(ends)) == 1


def test_a_state_is_one_line_and_a_board():
    state = pa.State(pa.Setup.random(1)).play("A")
    assert repr(state) == "<State after 1 ply: player 1 to move, scores -156 and -157>"
    assert repr(state.random_playout(1)).startswith("<State after ")
    assert ": over, scores " in repr(state.random_playout(1))
    assert len(str(state).splitlines()) > 10
