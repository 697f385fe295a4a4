"""Tree searches in Rust whose leaves are evaluated in Python, in batches."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _native
from ._native import Action, Decision, State, Trees
from .players import Player
from .positions import Observation

__all__ = ["Evaluate", "SearchPlayer", "Searches", "Trees", "search_batch"]

Evaluate = Callable[[Observation, npt.NDArray[np.bool_]], tuple[npt.ArrayLike, npt.ArrayLike]]
"""A function of observations, with the position as first dimension, and of the masks of legal actions.

It returns priors and values: an array of the shape of the mask with numbers from 0 on any scale, of which those of
legal actions count, and an array with the expected result of each position for the player to move, from 0 (a loss) to
1 (a win).
"""


class Searches(NamedTuple):
    """The results of searches, one for each state.

    Attributes:
        decisions: ``value`` is the mean of all evaluations for the player to move, ``considered`` has all actions with
            visits, ``line`` the action alone, and ``seconds`` the time of all searches together.
        visits: Shape (states, `ACTIONS`), or (states, `PICKS`) with a strategy: the iterations through each action.

    Example:
        >>> found = search_batch([], lambda observation, mask: None)
        >>> found.decisions, found.visits.shape
        ([], (0, 2026))
    """

    decisions: list[Decision]
    visits: npt.NDArray[np.int32]


def search_batch(
    states: Iterable[State],
    evaluate: Evaluate,
    *,
    iterations: int = 100,
    exploration: float = 1.0,
    strategy: str | None = None,
    leaves: int = 1,
    noise: float = 0.0,
    alpha: float = 0.3,
    halving: int | None = None,
    temperature: float | npt.ArrayLike = 0.0,
    trees: Trees | None = None,
    seed: int = 1,
) -> Searches:
    """Searches many positions together by PUCT, with one call of a function for the next leaves of all trees.

    The trees grow in Rust. The first call has the states themselves, in order; later calls have at most ``leaves``
    positions of each tree. The arrays that the function gets are its own.

    Args:
        states: The positions, not over. Each has a tree of its own.
        evaluate: Gives priors and values; see `Evaluate`.
        iterations: Evaluations of each tree after that of the state itself, 1 to 2^20. A state with one action has one.
        exploration: The constant of PUCT, 0 or more, for values from 0 to 1.
        strategy: ``POLICY/TRANSFORMS/EVALUATION`` places the patches and special patches, and the search chooses among
            `PICKS` actions: 0 goes on (advances, or places the special patch that waits), and 1 + k buys the patch on
            offer k. Without it, the search chooses among all placements, in the space of `ACTIONS`.
        leaves: The most positions of one tree in a call, 1 to 1024. More than 1 uses virtual losses, which makes larger
            batches of few trees and weaker searches.
        noise: The weight of random numbers that are mixed with the priors of each state, 0 to 1, so that games of
            self-play differ.
        alpha: Of the Dirichlet distribution of these numbers: the smaller, the fewer actions get most of the noise.
        halving: Gives the iterations to the actions of each state by sequential halving, not by PUCT: this many
            actions, 1 to 1000, those with the greatest priors, get equal numbers, then the better half of them, and so
            on. It needs ``noise`` 0. With a temperature of 0, the action with the greatest mean is chosen among those
            with at least a fifth of the most visits.
        temperature: Actions are drawn with probability proportional to visits^(1 / temperature), 0 to 100; with 0, the
            most visited one is chosen. One number, or one for each state.
        trees: The `Trees` of earlier calls, with which states that follow theirs go on.
        seed: For noise, draws, and strategies that choose at random. What a state draws depends on it alone.

    Raises:
        IllegalAction: A state is over.
        ValueError: An argument is out of range; priors or values have another shape, are negative or not finite, or
            values are above 1; or ``trees`` were made with another strategy.
        TypeError: Something is not a state, or priors or values are not arrays of numbers.

    Example:
        >>> def evaluate(observation, mask):
        ...     return mask.astype(float), np.full(len(mask), 0.5)
        >>> search_batch([State(Setup.random(1))], evaluate, iterations=20).visits.sum().item()
        20
    """
    if not callable(evaluate):
        raise TypeError(f"evaluate: expected a function, found a value of type {type(evaluate).__name__}")

    def checked(observation: Observation, mask: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.float32], ...]:
        answer = evaluate(observation, mask)
        if not (isinstance(answer, (tuple, list)) and len(answer) == 2):
            found = f"a value of type {type(answer).__name__}"
            if isinstance(answer, (tuple, list)):
                found = f"{len(answer)} values"
            raise TypeError(f"evaluate: expected priors and values, found {found}")
        priors, values = answer
        return _numbers("priors", priors, mask.shape), _numbers("values", values, mask.shape[:1])

    heats = _numbers("temperature", np.atleast_1d(temperature), None).tolist()
    settings = (iterations, exploration, strategy, leaves, (noise, alpha), halving, heats, trees, seed)
    return Searches(*_native._search_batch(states, checked, *settings))


def _numbers(name: str, given: npt.ArrayLike, shape: tuple[int, ...] | None) -> npt.NDArray[np.float32]:
    try:
        array = np.asarray(given)
    except ValueError as error:
        raise ValueError(f"{name}: expected shape {shape}: {error}") from None
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name}: expected numbers, found elements of type {array.dtype}")
    if shape is not None and array.shape != shape:
        raise ValueError(f"{name}: expected shape {shape}, found {array.shape}")
    # A number that is too large becomes infinite, which is an error like any other.
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(array, dtype=np.float32)


class _Queue:
    """The positions in which the players of a class wait for their decisions."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.waiting: list[tuple[SearchPlayer, State, Future[Action]]] = []

    def __reduce__(self) -> tuple[Any, ...]:
        return _Queue, ()


class SearchPlayer(Player):
    """A player in tournaments that searches by `search_batch`. The games of all workers are searched together.

    A subclass has `evaluate`, and its attributes or those of an instance are the settings of the search. Give `match`
    or `run` many threads: a batch has the positions of all workers that wait for their decisions with the same
    attributes, as the copies of one instance have, and objects of a class that do not have any of their own.

    Example:
        >>> class Blind(SearchPlayer):
        ...     def evaluate(self, observation, mask):
        ...         return mask.astype(float), np.full(len(mask), 0.5)
        >>> blind = Blind()
        >>> blind.iterations = 10
        >>> match(blind, "random", pairs=1, threads=2, progress=False).agents
        ['Blind', 'random']
    """

    iterations: int = 100
    exploration: float = 1.0
    strategy: str | None = None
    leaves: int = 1
    halving: int | None = None

    _queue: ClassVar[_Queue]

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        cls._queue = _Queue()

    @abstractmethod
    def evaluate(self, observation: Observation, mask: npt.NDArray[np.bool_]) -> tuple[npt.ArrayLike, npt.ArrayLike]:
        """Priors and values; see `Evaluate`."""

    def decide(self, state: State) -> Action:
        """The action of a search. Whoever finds no batch under way searches for all who wait."""
        decided: Future[Action] = Future()
        queue = self._queue
        queue.waiting.append((self, state, decided))
        with queue.lock:
            if not decided.done():
                _decide_all(queue)
        return decided.result()


def _decide_all(queue: _Queue) -> None:
    waiting = queue.waiting[:]
    del queue.waiting[: len(waiting)]
    alike: dict[object, list[tuple[SearchPlayer, State, Future[Action]]]] = {}
    for one in waiting:
        attributes = vars(one[0]).items()
        plain = (int, float, str, type(None))
        key = frozenset((name, value if isinstance(value, plain) else (id(value),)) for name, value in attributes)
        alike.setdefault((type(one[0]), key), []).append(one)
    for group in alike.values():
        player = group[0][0]
        try:
            found = search_batch(
                [state for _, state, _ in group],
                player.evaluate,
                iterations=player.iterations,
                exploration=player.exploration,
                strategy=player.strategy,
                leaves=player.leaves,
                halving=player.halving,
            )
        except BaseException as error:
            for _, _, decided in group:
                decided.set_exception(error)
        else:
            for (_, _, decided), decision in zip(group, found.decisions, strict=True):
                decided.set_result(decision.action)
