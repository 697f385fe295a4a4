"""An OpenSpiel game: ``import patchwork_arena.open_spiel`` registers ``patchwork``.

It needs the package ``open-spiel``. The root is a chance node that draws one of several setups with the same
probability; all else is known to both players.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from ._native import ACTIONS, OBSERVATION_SIZE, Setup, State

__all__ = ["PatchworkGame", "PatchworkState"]

MOST_PLIES = 111
"""No game has more actions."""

_PARAMETERS: dict[str, Any] = {"seed": 1, "setups": 1000, "track": "original"}

_TYPE = pyspiel.GameType(
    short_name="patchwork",
    long_name="Patchwork",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_PARAMETERS,
)


class PatchworkGame(pyspiel.Game):
    """Patchwork.

    Args:
        params: ``setups`` is the number of outcomes of the chance node, 1 to 1,000,000; outcome k is
            ``Setup.random(seed, k, track=track)``. ``seed`` and ``track`` are those of the setups.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.parameters = {**_PARAMETERS, **(params or {})}
        setups = self.parameters["setups"]
        if not 1 <= setups <= 1_000_000:
            raise ValueError(f"setups: expected a number from 1 to 1000000, found {setups}")
        Setup.random(self.parameters["seed"], track=self.parameters["track"])
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=setups,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MOST_PLIES,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self, state: None = None) -> PatchworkState:
        """The chance node that draws a setup."""
        return PatchworkState(self)

    def setup(self, outcome: int) -> Setup:
        """The setup of an outcome of the chance node."""
        return Setup.random(self.parameters["seed"], outcome, track=self.parameters["track"])

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """An object that observes states."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class PatchworkState(pyspiel.State):
    """A position, or the chance node before the first one."""

    def __init__(self, game: PatchworkGame) -> None:
        super().__init__(game)
        self.patchwork = game
        self.position: State | None = None
        """The position; ``None`` at the chance node."""

    def current_player(self) -> int:
        """0, 1, or what stands for chance and the end."""
        if self.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        mover = self.position.mover
        return int(pyspiel.PlayerId.TERMINAL) if mover is None else mover

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The setups, all with the same probability."""
        setups = self.patchwork.parameters["setups"]
        return [(outcome, 1 / setups) for outcome in range(setups)]

    def _legal_actions(self, player: int) -> list[int]:
        position = self.position
        if position is None or position.mover != player:
            return []
        return [int(index) for index in position.legal_indices()]

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            self.position = State(self.patchwork.setup(action))
        else:
            self.position = self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if self.position is None:
            return f"setup {action}"
        return str(self.position.action(action))

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position is not None and self.position.is_over

    def returns(self) -> list[float]:
        """1 for the winner and -1 for the loser; 0 before the end."""
        winner = None if self.position is None else self.position.winner
        if winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if winner == 0 else [-1.0, 1.0]

    def __str__(self) -> str:
        return "drawing a setup" if self.position is None else str(self.position)


class _Observer:
    """Observes states as `State.observation_vector` and as text."""

    def __init__(self, params: Any) -> None:
        if params:
            raise ValueError(f"expected no parameters of observations, found {params}")
        self.tensor = np.zeros(OBSERVATION_SIZE, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: PatchworkState, player: int) -> None:
        """Writes what a player sees to the tensor."""
        self.tensor[:] = 0 if state.position is None else state.position.observation_vector(player)

    def string_from(self, state: PatchworkState, player: int) -> str:
        """The position as text."""
        return str(state)


pyspiel.register_game(_TYPE, PatchworkGame)
