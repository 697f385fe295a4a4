"""A Gymnasium environment: one player against an agent of the arena.

``import patchwork_arena.gym`` registers it as ``patchwork/Patchwork-v0``. It needs the package ``gymnasium``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from ._native import ACTIONS, Action, Agent, IllegalAction, Setup, State
from .positions import SCALARS

__all__ = ["Patchwork", "observation_space", "vector_space"]

_LEAST = np.array([scalar.least for scalar in SCALARS], np.float32)
_MOST = np.array([scalar.most for scalar in SCALARS], np.float32)
_PLANES = (5, 9, 9)
_RING = 33


def vector_space() -> gymnasium.spaces.Box:
    """The space of `State.observation_vector`."""
    planes = np.zeros(np.prod(_PLANES), np.float32)
    ring = np.zeros(_RING, np.float32)
    return gymnasium.spaces.Box(
        np.concatenate([planes, _LEAST, ring]), np.concatenate([planes + 1, _MOST, ring + 33]), dtype=np.float32
    )


def observation_space() -> gymnasium.spaces.Dict:
    """The space of an `Observation` with the mask of the legal actions."""
    return gymnasium.spaces.Dict(
        {
            "planes": gymnasium.spaces.Box(0, 1, _PLANES, np.uint8),
            "scalars": gymnasium.spaces.Box(_LEAST, _MOST, dtype=np.float32),
            "ring": gymnasium.spaces.Box(0, _RING, (_RING,), np.uint8),
            "action_mask": gymnasium.spaces.Box(0, 1, (ACTIONS,), np.int8),
        }
    )


Opponent = Callable[[State], "Action | str | int"]
"""Chooses the action of a position in which the opponent is to move."""


class Patchwork(gymnasium.Env[dict[str, npt.NDArray[Any]], np.int64]):
    """Patchwork for one player. A step is an action of the player and all replies of the opponent.

    The observation has the keys ``planes``, ``scalars`` and ``ring``, as `Observation` describes them, and
    ``action_mask``, int8 of shape (2026,). The reward is 1 for a win and -1 for a loss, at the end; there are no
    draws. An illegal action loses the game, as it does in a tournament: ``info["illegal"]`` has the reason.

    Args:
        opponent: An agent, the name or path of one, or a function of a state that returns an action.
        seat: 0 to move first, 1 to move second, ``None`` for either at random.
        iterations: The budget of the opponent, instead of its own.
        track: ``original`` or ``revised``, or with a komi as in ``original+2``.
        render_mode: ``ansi`` (`render` returns a text), ``human`` (it prints it) or ``None``.

    Raises:
        ConfigError: There is no such agent.
        ValueError: An argument is out of range.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        opponent: Agent | str | Opponent = "greedy-regret",
        *,
        seat: int | None = None,
        iterations: int | None = None,
        track: str = "original",
        render_mode: str | None = None,
    ) -> None:
        if seat not in (0, 1, None):
            raise ValueError(f"seat: expected 0, 1 or None, found {seat}")
        self.opponent = Agent.load(opponent) if isinstance(opponent, str) else opponent
        if iterations is not None and not isinstance(self.opponent, Agent):
            raise ValueError("iterations: requires an agent as the opponent")
        self.seat = seat
        self.iterations = iterations
        self.track = track
        self.render_mode = render_mode
        self.observation_space: gymnasium.spaces.Space[Any] = observation_space()
        self.action_space = gymnasium.spaces.Discrete(ACTIONS)
        self.player = 0
        """The seat in the present game, 0 or 1."""
        self.state = State(Setup.random(0, track=track))
        """The position."""
        self._seed = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Starts a game.

        Args:
            seed: Determines the setups, the seats and the opponent's random choices of the games from here on.
            options: ``setup`` is the setup of the game; other options are ignored.
        """
        super().reset(seed=seed)
        self._seed = int(self.np_random.integers(2**63))
        self.player = int(self.np_random.integers(2)) if self.seat is None else self.seat
        setup = (options or {}).get("setup")
        self.state = State(Setup.random(self._seed, track=self.track) if setup is None else setup)
        self._reply()
        return self._observation(), {}

    def step(
        self, action: np.int64 | int | Action | str
    ) -> tuple[dict[str, npt.NDArray[Any]], float, bool, bool, dict[str, Any]]:
        """Plays an action and the opponent's replies."""
        if self.state.is_over:
            raise IllegalAction("the game is over; expected reset")
        try:
            self.state = self.state.play(action)
        except IllegalAction as why:
            return self._observation(), -1.0, True, False, {"illegal": str(why)}
        self._reply()
        if self.render_mode == "human":
            self.render()
        if not self.state.is_over:
            return self._observation(), 0.0, False, False, {}
        reward = 1.0 if self.state.winner == self.player else -1.0
        return self._observation(), reward, True, False, {"scores": self.state.scores}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal: shape (2026,)."""
        return self.state.action_mask()

    def render(self) -> str | None:
        """The position as text: returned (``ansi``) or printed (``human``)."""
        if self.render_mode == "ansi":
            return str(self.state)
        if self.render_mode == "human":
            print(self.state)
        return None

    def _observation(self) -> dict[str, npt.NDArray[Any]]:
        planes, scalars, ring = self.state.observe(self.player)
        mask = self.state.action_mask().view(np.int8)
        return {"planes": planes, "scalars": scalars, "ring": ring, "action_mask": mask}

    def _reply(self) -> None:
        """Plays for the opponent until the player is to move or the game is over."""
        while self.state.mover == 1 - self.player:
            if isinstance(self.opponent, Agent):
                seed = (self._seed + len(self.state.history)) % 2**64
                action: Any = self.opponent.decide(self.state, iterations=self.iterations, seed=seed).action
            else:
                action = self.opponent(self.state)
            self.state = self.state.play(action)


if "patchwork/Patchwork-v0" not in gymnasium.registry:
    gymnasium.register("patchwork/Patchwork-v0", entry_point="patchwork_arena.gym:Patchwork")
