"""An OpenSpiel game: ``import patchwork_arena.open_spiel`` registers ``patchwork``.

It needs the package ``open-spiel``: ``pip install patchwork-arena[openspiel]``. The root is a chance node that draws
one of several setups with the same probability; all else is known to both players.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._extras import extra
from ._native import ACTIONS, OBSERVATION_SIZE, PICKS, IllegalAction, Setup, State, picks
from .data import action_masks, action_of

with extra("openspiel"):
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

__all__ = ["PatchworkGame", "PatchworkState"]

MAX_PLIES = 111
"""No game has more actions."""

_PARAMETERS: dict[str, Any] = {"seed": 1, "setups": 1000, "track": "original", "strategy": ""}

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
            ``Setup.random(seed, k, track=track)``. ``seed`` and ``track`` are those of the setups. ``strategy``,
            ``POLICY/TRANSFORMS/EVALUATION``, places the patches, and the actions are the `PICKS`; without it, they are
            all `ACTIONS`.

    Example:
        >>> from patchwork_arena.open_spiel import PatchworkGame
        >>> game = PatchworkGame({"setups": 10})
        >>> node = game.new_initial_state()
        >>> node.apply_action(3)
        >>> node.position.setup == game.setup(3) == Setup.random(1, 3)
        True
        >>> observer = game.make_py_observer()
        >>> observer.set_from(node, 0)
        >>> observer.tensor.shape
        (477,)
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.parameters = {**_PARAMETERS, **(params or {})}
        setups = self.parameters["setups"]
        if not 1 <= setups <= 1_000_000:
            raise ValueError(f"setups: expected a number from 1 to 1000000, found {setups}")
        start = State(Setup.random(self.parameters["seed"], track=self.parameters["track"]))
        if strategy := self.parameters["strategy"]:
            picks(start, strategy)
        info = pyspiel.GameInfo(
            num_distinct_actions=PICKS if strategy else ACTIONS,
            max_chance_outcomes=setups,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MAX_PLIES,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self, state: None = None) -> PatchworkState:
        """The chance node that draws a setup."""
        return PatchworkState(self)

    def setup(self, outcome: int) -> Setup:
        """The setup of an outcome of the chance node."""
        return _setup(self.parameters, outcome)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """An object that observes states."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


def _setup(parameters: dict[str, Any], outcome: int) -> Setup:
    if outcome not in range(parameters["setups"]):
        raise IllegalAction(f"outcome {outcome}: expected one from 0 to {parameters['setups'] - 1}")
    return Setup.random(parameters["seed"], outcome, track=parameters["track"])


class PatchworkState(pyspiel.State):
    """A position, or the chance node before the first one.

    Attributes:
        parameters: Those of the game. A copy of a state does not have its game.
        position: The position; ``None`` at the chance node.

    Example:
        >>> from patchwork_arena.open_spiel import PatchworkGame
        >>> node = PatchworkGame({"setups": 2}).new_initial_state()
        >>> node.chance_outcomes(), node.current_player() < 0, node.is_terminal(), node.returns()
        ([(0, 0.5), (1, 0.5)], True, False, [0.0, 0.0])
    """

    def __init__(self, game: PatchworkGame) -> None:
        super().__init__(game)
        self.parameters: dict[str, Any] = game.parameters
        self.position: State | None = None

    def current_player(self) -> int:
        """0, 1, or what stands for chance and the end."""
        if self.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        mover = self.position.mover
        return int(pyspiel.PlayerId.TERMINAL) if mover is None else mover

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The setups, all with the same probability."""
        setups = self.parameters["setups"]
        return [(outcome, 1 / setups) for outcome in range(setups)]

    def _legal_actions(self, player: int) -> list[int]:
        position = self.position
        if position is None or position.mover != player:
            return []
        (mask,) = action_masks([position], self._strategy, seed=len(position.history))
        return [int(index) for index in np.flatnonzero(mask)]

    @property
    def _strategy(self) -> str | None:
        return self.parameters["strategy"] or None

    def _action(self, position: State, action: int) -> Any:
        """The action of an index."""
        return action_of(position, action, self._strategy, len(position.history))

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            self.position = State(_setup(self.parameters, action))
        else:
            self.position = self.position.play(self._action(self.position, action))

    def _action_to_string(self, player: int, action: int) -> str:
        if self.position is None:
            return f"setup {action}"
        return str(self.position.action(self._action(self.position, action)))

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
            raise ValueError(f"expected no parameters of observations, found {params!r:.50}")
        self.tensor = np.zeros(OBSERVATION_SIZE, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: PatchworkState, player: int) -> None:
        """Writes what a player sees to the tensor."""
        self.tensor[:] = 0 if state.position is None else state.position.observation_vector(player)

    def string_from(self, state: PatchworkState, player: int) -> str:
        """The position as text."""
        return str(state)


pyspiel.register_game(_TYPE, PatchworkGame)
