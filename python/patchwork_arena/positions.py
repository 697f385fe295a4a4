"""What the engine computes of positions: observations, rollouts and estimates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _native
from ._native import State


class Patch(NamedTuple):
    """A patch as printed.

    Attributes:
        number: 1 to 33.
        cost: Buttons to pay, 0 to 10.
        time: Spaces to move, 1 to 6.
        income: Buttons at each income space, 0 to 3.
        shape: Rows from the top, separated by ``/``; ``X`` is a square of the patch.

    Example:
        >>> PATCHES[1]
        Patch(number=2, cost=3, time=1, income=0, shape='.X/XX')
    """

    number: int
    cost: int
    time: int
    income: int
    shape: str


PATCHES: tuple[Patch, ...] = tuple(Patch(*patch) for patch in _native._PATCHES)
"""The 33 patches by number."""


class Scalar(NamedTuple):
    """A number of an observation.

    Attributes:
        name: Such as ``my_buttons``.
        least: The least value.
        most: The greatest value.
        scale: What `Observation.vector` divides it by, so that usual values are at most 1.
        about: The unit or the meaning.

    Example:
        >>> SCALARS[0]
        Scalar(name='my_buttons', least=0.0, most=400.0, scale=40.0, about='buttons')
    """

    name: str
    least: float
    most: float
    scale: float
    about: str


SCALARS: tuple[Scalar, ...] = tuple(Scalar(*scalar) for scalar in _native._SCALARS)
"""The scalars of an observation, in order."""


class Observation(NamedTuple):
    """What a player sees of a position. Together, the three arrays determine it.

    Attributes:
        planes: Shape (5, 9, 9), 0 or 1: my quilt, the other quilt, and the shapes of the three patches on offer in the
            first corner. Rows from the top, columns from the left.
        scalars: Shape (39,): the numbers that `SCALARS` describes, not scaled.
        ring: Shape (33,): the numbers of the patches in the ring from the token on, 1 to 33; 0 after the last.

    Example:
        >>> seen = State(Setup.random(1)).observe()
        >>> {name: array.shape for name, array in seen._asdict().items()}
        {'planes': (5, 9, 9), 'scalars': (39,), 'ring': (33,)}
        >>> list(seen.scaled()), seen.scaled()["ring"].max().item()
        (['planes', 'scalars', 'ring'], 1.0)
    """

    planes: npt.NDArray[np.uint8]
    scalars: npt.NDArray[np.float32]
    ring: npt.NDArray[np.uint8]

    def scaled(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays for networks, by name: the scalars divided by their `Scalar.scale`, the ring by 33."""
        ring = self.ring / np.float32(len(PATCHES))
        return {"planes": self.planes, "scalars": self.scalars / _SCALES, "ring": ring}

    def vector(self) -> npt.NDArray[np.float32]:
        """The scaled arrays as one: planes, scalars, ring. Shape (477,), or (positions, 477) of a batch.

        Example:
            >>> State(Setup.random(1)).observe().vector().shape
            (477,)
        """
        batch = self.scalars.shape[:-1]
        parts = [part.reshape(*batch, -1) for part in self.scaled().values()]
        return np.concatenate(parts, axis=-1, dtype=np.float32)


_SCALES = np.array([scalar.scale for scalar in SCALARS], np.float32)


class Rollouts(NamedTuple):
    """The ends of games that were played out.

    Attributes:
        scores: Shape (states, count, 2): points of the first and the second player.
        winners: Shape (states, count): 0 if the first player won, 1 if the second did.

    Example:
        >>> ends = rollouts([State(Setup.random(1))], count=10)
        >>> ends.scores.shape, ends.winners.shape
        ((1, 10, 2), (1, 10))
    """

    scores: npt.NDArray[np.int16]
    winners: npt.NDArray[np.uint8]


class Estimates(NamedTuple):
    """Estimates of positions from the point of view of the player to move; of the first player after the end.

    Attributes:
        margins: Shape (states,): expected points of the player minus those of the other at the end of the game.
        win_chances: Shape (states,): probability that the player wins, 0 to 1.

    Example:
        >>> found = estimates([State(Setup.random(1))])
        >>> found.margins.shape, found.win_chances.shape
        ((1,), (1,))
    """

    margins: npt.NDArray[np.float32]
    win_chances: npt.NDArray[np.float32]


def rollouts(
    states: Iterable[State],
    count: int = 1,
    *,
    pick: str = "greedy",
    strategy: str = "in-order/some/first",
    epsilon: float | None = None,
    temperature: float | None = None,
    seed: int = 1,
) -> Rollouts:
    """Plays games to their ends with a fast player in both seats.

    Args:
        states: The positions from which to play.
        count: The number of games from each position, at least 1.
        pick: How a patch is picked: ``greedy``, ``epsilon-greedy``, ``softmax`` or ``uniform``.
        strategy: How it is placed: ``POLICY/TRANSFORMS/EVALUATION``.
        epsilon: The probability of a random pick, 0 to 1, with ``epsilon-greedy``.
        temperature: In points per space, 0.01 to 1000, with ``softmax``.
        seed: Determines all random choices, 0 to 2^64 - 1.

    Raises:
        ValueError: An argument is out of range, or no pick or strategy has this name.
        TypeError: Something is not a state.

    Example:
        >>> rollouts([State(Setup.random(1))], count=10).winners.shape
        (1, 10)
    """
    return Rollouts(*_native._rollouts(states, count, pick, strategy, epsilon, temperature, seed))


def estimates(states: Iterable[State], source: str = "learned") -> Estimates:
    """Estimates positions without search.

    Args:
        states: The positions.
        source: ``learned`` (the shipped network), ``linear`` (fitted features), or the path of a network that
            ``patchwork-arena learn`` wrote.

    Raises:
        ValueError: There is no such network, or it cannot be read.
        TypeError: Something is not a state.

    Example:
        >>> found = estimates([State(Setup.random(1))])
        >>> 0 < found.win_chances.item() < 1
        True
    """
    return Estimates(*_native._estimates(states, str(source)))
