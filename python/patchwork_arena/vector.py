"""Many games that are stepped together in Rust."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from . import _native
from ._native import Setup
from .positions import Observation


class VectorEnv:
    """A batch of games between two players, stepped together.

    Every array has the game as its first dimension. The arrays belong to the environment: each step overwrites
    them, so copy what you keep. A game that ends is replaced at once by the next one: `over`, `rewards` and
    `scores` are those of the game that ended, and the observation is that of the new one.

    The players are not agents with observations of their own: an observation is always that of the player to
    move, `movers`, who may be the same in several steps.

    Args:
        games: The number of games, 1 to 1,048,576.
        seed: Determines the setups and the random actions. Game number k of the sequence has
            ``Setup.random(seed, k)``.
        track: ``original`` or ``revised``, or with a komi as in ``original+2``.

    Raises:
        ValueError: An argument is out of range.
    """

    def __init__(self, games: int, *, seed: int = 1, track: str = "original") -> None:
        self._games = _native.Games(games, seed, track)
        self.games: int = games
        """The number of games."""
        self.planes: npt.NDArray[np.uint8] = self._games.planes
        """Shape (games, 5, 9, 9); see `Observation`."""
        self.scalars: npt.NDArray[np.float32] = self._games.scalars
        """Shape (games, 39); see `Observation`."""
        self.ring: npt.NDArray[np.uint8] = self._games.ring
        """Shape (games, 33); see `Observation`."""
        self.action_mask: npt.NDArray[np.bool_] = self._games.action_mask
        """Shape (games, 2026): which actions are legal."""
        self.movers: npt.NDArray[np.uint8] = self._games.movers
        """Shape (games,): the player to move, 0 or 1."""
        self.over: npt.NDArray[np.bool_] = self._games.over
        """Shape (games,): whether the last step ended the game."""
        self.rewards: npt.NDArray[np.float32] = self._games.rewards
        """Shape (games, 2): 1 for the winner and -1 for the loser of a game that the last step ended, 0 before."""
        self.scores: npt.NDArray[np.int16] = self._games.scores
        """Shape (games, 2): points at the end of a game that the last step ended, 0 before."""

    @property
    def observation(self) -> Observation:
        """The observations of the players to move: `planes`, `scalars` and `ring`."""
        return Observation(self.planes, self.scalars, self.ring)

    @property
    def setups(self) -> list[Setup]:
        """The setups of the games that are being played."""
        return self._games.setups()

    def reset(self, seed: int | None = None) -> None:
        """Starts all games again, with the same seed or another one."""
        self._games.reset(seed)

    def step(self, actions: npt.ArrayLike) -> None:
        """Plays an action in each game.

        Args:
            actions: Indices of the action space, shape (games,), whole numbers.

        Raises:
            IllegalAction: One of them is illegal; then no game has changed.
            TypeError: The elements are not whole numbers.
            ValueError: The shape is wrong.
        """
        if not (isinstance(actions, np.ndarray) and actions.dtype == np.int64):
            array = np.asarray(actions)
            if array.dtype.kind not in "iu":
                raise TypeError(f"actions: expected whole numbers, found elements of type {array.dtype}")
            if array.dtype == np.uint64:
                array = np.minimum(array, np.uint64(2**63 - 1))
            actions = array.astype(np.int64)
        if actions.shape != (self.games,):
            raise ValueError(f"actions: expected shape ({self.games},), one for each game, found {actions.shape}")
        self._games.step(np.ascontiguousarray(actions))

    def random_actions(self) -> npt.NDArray[np.int64]:
        """A uniformly random legal action of each game, as indices of shape (games,)."""
        return self._games.random_actions()
