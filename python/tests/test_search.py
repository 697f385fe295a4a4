"""Searches whose leaves Python evaluates: what the function gets, what it may return, and what comes out."""

import threading

import numpy as np
import pytest

import patchwork_arena as pa

STARTS = [pa.State(pa.Setup.random(1, number)) for number in range(10)]
STATES = [state for state in STARTS if state.count_actions() > 1][:6]
SPACES = [(None, pa.ACTIONS), ("bl-lb/every/regret", pa.PICKS)]


def blind(observation, mask):
    """Knows nothing."""
    return np.ones(mask.shape, np.float32), np.full(len(mask), 0.5)


def by_points(observation, mask):
    """The points now, as a chance to win."""
    mine, other = (
        observation.scalars[:, [s.name for s in pa.SCALARS].index(f"{who}_points")] for who in ("my", "other")
    )
    return mask.astype(float), 1 / (1 + np.exp((other - mine) / 10))


@pytest.mark.parametrize(("strategy", "space"), SPACES)
def test_the_function_gets_observations_and_masks(strategy, space):
    seen = []

    def evaluate(observation, mask):
        seen.append((observation, mask))
        return by_points(observation, mask)

    found = pa.search_batch(STATES, evaluate, iterations=20, strategy=strategy)
    assert [len(mask) for _, mask in seen] == [6] * 21
    observation, mask = seen[0]
    for k, state in enumerate(STATES):
        for one, batch in zip(state.observe(), observation, strict=True):
            assert one.dtype == batch.dtype
            assert np.array_equal(one, batch[k])
        if strategy is None:
            assert np.array_equal(state.action_mask(), mask[k])
        else:
            picks = [0] + [1 + state.offers.index(action.patch) for action in pa.picks(state, strategy)[1:] if action]
            assert np.flatnonzero(mask[k]).tolist() == picks
    assert found.visits.shape == (6, space)
    assert found.visits.dtype == np.int32
    assert (found.visits.sum(axis=1) == 20).all()
    assert not found.visits[~mask].any()
    for state, decision, visits in zip(STATES, found.decisions, found.visits, strict=True):
        state.play(decision.action)
        assert decision.iterations == 20
        assert 0 <= decision.value <= 1
        assert decision.considered[0].action == decision.action
        assert sorted(one.visits for one in decision.considered) == sorted(visits[visits > 0].tolist())


@pytest.mark.parametrize("leaves", [1, 7])
def test_a_search_depends_on_its_own_state_alone(leaves):
    def search(states):
        return pa.search_batch(states, by_points, iterations=40, leaves=leaves, strategy="bl-lb/every/regret")

    together = search(STATES)
    assert np.array_equal(together.visits, search(STATES).visits)
    for k, state in enumerate(STATES):
        assert np.array_equal(search([state]).visits[0], together.visits[k])


def test_several_leaves_of_a_tree_make_larger_batches():
    sizes = []

    def evaluate(observation, mask):
        sizes.append(len(mask))
        return by_points(observation, mask)

    found = pa.search_batch(STATES[:1], evaluate, iterations=200, leaves=16)
    assert sum(sizes) == 201
    assert max(sizes) == 16
    assert len(sizes) < 50
    assert found.visits.sum() == 200


@pytest.mark.parametrize(("strategy", "space"), SPACES)
def test_games_are_searched_to_their_ends(strategy, space):
    """Whole games: special patches, states with one action, and results that are proven."""
    states, proven = STATES[:3], 0
    while states:
        found = pa.search_batch(states, blind, iterations=12, strategy=strategy, leaves=3)
        for state, decision, visits in zip(states, found.decisions, found.visits, strict=True):
            one = len(visits[visits > 0]) == 1
            assert visits.sum() == 12 or decision.proven is not None or (one and visits.sum() == 1)
            if decision.proven is not None:
                proven += 1
                assert decision.value == decision.proven
            if strategy is None and visits[state.index(decision.action)] < visits.max():
                assert decision.proven is not None or decision.considered[0].value in (0, 1)
        states = [state.play(one.action) for state, one in zip(states, found.decisions, strict=True)]
        states = [state for state in states if not state.is_over]
    assert proven > 0


def test_priors_and_values_lead_the_search():
    def certain(observation, mask):
        priors = np.zeros(mask.shape)
        priors[:, 0] = 1
        return priors, np.full(len(mask), 0.5)

    (decision,) = pa.search_batch(STATES[:1], certain, iterations=50).decisions
    assert str(decision.action) == "A"
    better = pa.search_batch(STATES, by_points, iterations=100, strategy="bl-lb/every/regret").decisions
    assert {one.value for one in better} != {0.5}


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        (lambda o, m: None, TypeError, "evaluate: expected priors and values, found a value of type NoneType"),
        (lambda o, m: (1, 2, 3), TypeError, "evaluate: expected priors and values, found 3 values"),
        (lambda o, m: ([[1], [1, 2]], [1]), ValueError, r"priors: expected shape \(6, 2026\): .*inhomogeneous"),
        (lambda o, m: (m * 1e300, m[:, 0] * 1.0), ValueError, r"priors\[0, 0\]: expected a finite number.* found inf"),
        (lambda o, m: (m, m[:, 0]), TypeError, "priors: expected numbers, found elements of type bool"),
        (lambda o, m: ([["a"]], m[:, 0]), TypeError, "priors: expected numbers, found elements of type <U1"),
        (lambda o, m: (m[:, 1:] * 1.0, m[:, 0] * 1.0), ValueError, r"priors: expected shape \(6, 2026\), found"),
        (lambda o, m: (m * 1.0, m * 1.0), ValueError, r"values: expected shape \(6,\), found \(6, 2026\)"),
        (lambda o, m: (m + np.nan, m[:, 0] * 1.0), ValueError, r"priors\[0, 0\]: .* 0 or more, found NaN"),
        (lambda o, m: (m + np.inf, m[:, 0] * 1.0), ValueError, r"priors\[0, 0\]: expected a finite number.* found inf"),
        (lambda o, m: (m * -1.0, m[:, 0] * 1.0), ValueError, r"priors\[0, 0\]: .* found -1"),
        (
            lambda o, m: (m * 1.0, m[:, 0] * np.nan),
            ValueError,
            r"values\[0\]: expected a number from 0 to 1, found NaN",
        ),
        (lambda o, m: (m * 1.0, m[:, 0] * 1.5), ValueError, r"values\[0\]: expected a number from 0 to 1, found 1.5"),
        (lambda o, m: 1 / 0, ZeroDivisionError, "division by zero"),
    ],
)
def test_wrong_evaluations_raise(answer, kind, message):
    with pytest.raises(kind, match=message):
        pa.search_batch(STATES, answer, iterations=5)


def test_wrong_arguments_raise():
    for arguments, message in [
        ({"iterations": 0}, "iterations: expected a whole number from 1"),
        ({"leaves": 0}, "leaves: expected a whole number from 1"),
        ({"exploration": -1.0}, "exploration: expected a finite number, 0 or more, found -1"),
        ({"exploration": float("nan")}, "exploration: expected a finite number"),
        ({"strategy": "x"}, "'x' is not a strategy"),
        ({"seed": -1}, "seed: expected"),
    ]:
        with pytest.raises(ValueError, match=message):
            pa.search_batch(STATES, blind, **arguments)
    with pytest.raises(pa.IllegalAction, match=r"states\[1\]: the game is over"):
        pa.search_batch([STATES[0], STATES[0].random_playout(1)], blind)
    for states, found in [([1], "int"), (None, "NoneType"), (STATES[0], "State")]:
        with pytest.raises(TypeError, match=f"states: expected states, found a value of type {found}"):
            pa.search_batch(states, blind)
    with pytest.raises(TypeError, match="evaluate: expected a function, found a value of type int"):
        pa.search_batch(STATES, 3)
    assert pa.search_batch([], blind) == ([], pytest.approx(np.zeros((0, pa.ACTIONS))))


class Points(pa.SearchPlayer):
    iterations = 12
    strategy = "in-order/some/first"
    batches: list[int] = []  # noqa: RUF012

    @classmethod
    def evaluate(cls, observation, mask):
        cls.batches.append(len(mask))
        return by_points(observation, mask)


def test_a_player_searches_the_games_of_all_workers_together():
    # Its list of batches is an attribute, too.
    agent = Points.agent(version=1)
    results = pa.match(agent, "greedy-inorder", pairs=8, threads=16, progress=False)
    assert not results.faults()
    alone = pa.match(agent, "greedy-inorder", pairs=8, threads=1, progress=False)
    assert alone.games.to_dict() == results.games.to_dict()


def test_a_player_whose_evaluation_fails_loses_with_its_traceback():
    class Broken(pa.SearchPlayer):
        @classmethod
        def evaluate(cls, observation, mask):
            raise RuntimeError("no network")

    with pytest.warns(RuntimeWarning, match="no network"):
        results = pa.match(Broken, "random", pairs=2, threads=4, progress=False)
    assert len(results.faults()) == 4
    assert all("no network" in fault.text and "in evaluate" in fault.text for fault in results.faults())


def test_other_threads_run_during_a_search():
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(pa.search_batch(STATES, by_points, iterations=30).visits))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(found[0], one) for one in found[1:])


def test_self_play_goes_on_with_its_trees():
    def games():
        """The visits of three games, and what searches brought with them."""
        trees, states, found, brought = pa.Trees(), STATES[:3], [], []
        while states:
            search = pa.search_batch(states, by_points, iterations=16, strategy="bl-lb/every/regret", trees=trees)
            assert len(trees) == len(states)
            found.append(search.visits.tobytes())
            for visits, decision in zip(search.visits.sum(axis=1).tolist(), search.decisions, strict=True):
                assert visits == decision.iterations
                assert visits >= 16 or decision.proven is not None or len(decision.considered) == 1
                brought.append(visits - 16)
            states = [state.play(one.action) for state, one in zip(states, search.decisions, strict=True)]
            states = [state for state in states if not state.is_over]
        assert len(trees) > 0
        return found, brought

    (found, brought), again = games(), games()
    assert again == (found, brought)
    assert sum(kept > 8 for kept in brought) > len(brought) / 2


def test_a_tree_that_is_reused_has_the_visits_that_it_brought():
    trees, state = pa.Trees(), STATES[0]
    found = pa.search_batch([state], by_points, iterations=100, strategy="bl-lb/every/regret", trees=trees)
    best = found.decisions[0].considered[0]
    again = pa.search_batch([state], by_points, iterations=50, strategy="bl-lb/every/regret", trees=trees)
    assert (again.visits >= found.visits).all()
    assert again.visits.sum() == 150
    best = again.decisions[0].considered[0]
    state = state.play(best.action)
    found = pa.search_batch([state], by_points, iterations=50, strategy="bl-lb/every/regret", trees=trees)
    assert found.visits.sum() == best.visits - 1 + 50 == found.decisions[0].iterations
    # A state that was reached otherwise, and one on another setup, begin anew.
    for other in (pa.State.parse(state.text), STATES[1]):
        found = pa.search_batch([other], by_points, iterations=50, strategy="bl-lb/every/regret", trees=trees)
        assert found.visits.sum() == 50
        assert len(trees) == 1


def test_trees_of_another_strategy_are_refused_and_stay():
    trees = pa.Trees()
    pa.search_batch(STATES, by_points, iterations=5, trees=trees)
    with pytest.raises(ValueError, match="trees: expected the strategy with which they were made, None"):
        pa.search_batch(STATES, by_points, iterations=5, strategy="bl-lb/every/regret", trees=trees)
    assert len(trees) == 6
    with pytest.raises(ZeroDivisionError):
        pa.search_batch(STATES, lambda o, m: 1 / 0, iterations=5, trees=trees)
    assert len(trees) == 0
    with pytest.raises(TypeError, match="trees"):
        pa.search_batch(STATES, by_points, trees=3)


def test_halving_gives_the_better_half_the_iterations():
    def search(**arguments):
        return pa.search_batch(STATES[:2], by_points, iterations=32, **arguments)

    found = search(halving=8)
    for visits, decision in zip(found.visits, found.decisions, strict=True):
        # Three rounds: of 8, of 4 and of 2 actions.
        assert np.count_nonzero(visits) == 8
        assert visits.sum() == 32
        enough = [one.value for one in decision.considered if one.visits >= 0.2 * visits.max()]
        assert decision.considered[0].value == max(enough)
    assert np.array_equal(found.visits, search(halving=8).visits)
    several = search(halving=8, leaves=4).visits
    assert (several.sum(axis=1) == 32).all()
    assert (np.count_nonzero(several, axis=1) == 8).all()
    for arguments, message in [
        ({"halving": 0}, "halving: expected a whole number from 1 to 1000, found 0"),
        ({"halving": 4, "noise": 0.5}, "noise and halving: expected one of them, found both"),
    ]:
        with pytest.raises(ValueError, match=message):
            search(**arguments)
