"""Gymnasium environments: one player against an agent of the arena, and many such games.

``gymnasium.make("patchwork_arena.gym:Patchwork-v0")`` needs no import, and ``import patchwork_arena.gym`` registers
``Patchwork-v0``. They need the package ``gymnasium``: ``pip install patchwork-arena[gymnasium]``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ._extras import extra
from ._native import ACTIONS, PICKS, Action, Agent, IllegalAction, Setup, State, picks
from .arena import _agent
from .data import action_masks, action_of
from .players import Player
from .positions import SCALARS
from .vector import VectorEnv, _check_kind, _observe, _options

with extra("gymnasium"):
    import gymnasium

__all__ = ["Patchwork", "PatchworkVector", "observation_space"]

_LEAST, _MOST = (np.array([getattr(one, of) / one.scale for one in SCALARS], np.float32) for of in ("least", "most"))
_PLANES, _RING = (5, 9, 9), 33


def observation_space(
    observation: str = "flat", *, mask: bool = False, actions: int = ACTIONS
) -> gymnasium.spaces.Space[Any]:
    """The space of observations: ``flat`` (`Observation.vector`) or ``planes`` (`Observation.scaled`).

    Args:
        observation: The kind.
        mask: Whether they have the mask of the legal actions: ``action_mask``, beside ``observation`` if they are flat.
        actions: The size of the action space.

    Raises:
        ValueError: There is no such kind.

    Example:
        >>> from patchwork_arena.gym import observation_space
        >>> observation_space(mask=True, actions=4)["action_mask"].shape
        (4,)
    """
    _check_kind(observation, ("flat", "planes"))
    box = gymnasium.spaces.Box
    zeros, ones = np.zeros(np.prod(_PLANES), np.float32), np.ones(_RING, np.float32)
    space: Any = box(np.concatenate([zeros, _LEAST, ones * 0]), np.concatenate([zeros + 1, _MOST, ones]))
    spaces: dict[str, Any] = {"observation": space}
    if observation == "planes":
        spaces = {"planes": box(0, 1, _PLANES, np.uint8), "scalars": box(_LEAST, _MOST), "ring": box(0, 1, (_RING,))}
    if mask:
        spaces["action_mask"] = box(0, 1, (actions,), np.int8)
    return space if list(spaces) == ["observation"] else gymnasium.spaces.Dict(spaces)


def _chosen_setup(options: dict[str, Any] | None) -> Setup | None:
    """The setup of the options of a reset: a `Setup` or its text."""
    setup = _options(options).get("setup")
    if isinstance(setup, str):
        return Setup.parse(setup)
    if setup is not None and not isinstance(setup, Setup):
        raise TypeError(f"setup: expected a setup or its text, found a value of type {type(setup).__name__}")
    return setup


def _check_render_mode(mode: object) -> None:
    if mode not in (None, "ansi", "human"):
        raise ValueError(f"render_mode: expected ansi, human or None, found {mode!r:.50}")


def _render(state: State, mode: str | None) -> str | None:
    """The position as text: returned (``ansi``) or printed (``human``)."""
    if mode == "human":
        print(state)
    return str(state) if mode == "ansi" else None


Opponent = Callable[[State], "Action | str | int"]
"""Chooses the action of a position in which the opponent is to move."""


class Patchwork(gymnasium.Env[Any, np.int64]):
    """Patchwork for one player. A step is an action of the player and all replies of the opponent.

    The reward is 1 for a win and -1 for a loss, at the end; there are no draws. An illegal action loses the game, as it
    does in a tournament: ``info["illegal"]`` has the reason. ``info["action_mask"]`` has the legal actions, int8; after
    the end, it has the first one, so that a sampler goes on. A step after the end raises `IllegalAction`.

    Args:
        opponent: An agent, the name or path of one, a `Player`, or a function of a state that returns an action.
        seat: 0 to move first, 1 to move second, ``None`` for either at random.
        iterations: The budget of the opponent, instead of its own.
        track: ``original`` or ``revised``, or with a komi as in ``original+2``.
        strategy: ``POLICY/TRANSFORMS/EVALUATION`` places the patches, and the actions are the `PICKS`: 0 goes on, and
            1 + k buys the patch on offer k. Without it, they are all `ACTIONS`.
        observation: ``flat``, a vector of length 477 (`Observation.vector`), or ``planes`` (`Observation.scaled`).
        mask: Whether observations have the mask; see `observation_space`.
        render_mode: ``ansi`` (`render` returns a text), ``human`` (it prints it) or ``None``.

    Attributes:
        state: The position.
        player: The seat in the present game, 0 or 1.

    Raises:
        ConfigError: There is no such agent.
        ValueError: An argument is out of range.
        TypeError: The opponent is none of these.

    Example:
        >>> from patchwork_arena.gym import Patchwork
        >>> env = Patchwork("random", strategy="bl-lb/every/regret")
        >>> observation, info = env.reset(seed=1)
        >>> observation.shape, env.action_space.n.item(), int(info["action_mask"][0])
        ((477,), 4, 1)
        >>> observation, reward, terminated, truncated, info = env.step(0)
        >>> reward, terminated, env.action_masks().shape, env.render()
        (0.0, False, (4,), None)
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        opponent: Agent | Player | type[Player] | str | Opponent = "greedy-regret",
        *,
        seat: int | None = None,
        iterations: int | None = None,
        track: str = "original",
        strategy: str | None = None,
        observation: str = "flat",
        mask: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if seat not in (0, 1, None):
            raise ValueError(f"seat: expected 0, 1 or None, found {seat!r:.50}")
        _check_render_mode(render_mode)
        is_function = callable(opponent) and not isinstance(opponent, (type, Player))
        self.opponent: Any = opponent if is_function else _agent(opponent)  # type: ignore[arg-type]
        if iterations is not None:
            if not isinstance(self.opponent, Agent):
                raise ValueError("iterations: requires an agent as the opponent")
            self.opponent._check_budget(iterations)
        self.seat = seat
        self.iterations = iterations
        self.track = track
        self.strategy = strategy
        self.render_mode = render_mode
        self.player = 0
        self.state = State(Setup.random(0, track=track))
        self._kind, self._has_mask, self._seed, self._is_over = observation, mask, 0, True
        if strategy is not None:
            picks(self.state, strategy)
        actions = ACTIONS if strategy is None else PICKS
        self.observation_space: gymnasium.spaces.Space[Any] = observation_space(observation, mask=mask, actions=actions)
        self.action_space = gymnasium.spaces.Discrete(actions)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts a game.

        Args:
            seed: Determines the setups, the seats and the opponent's random choices of the games from here on.
            options: ``setup`` is the setup of the game or its text; other options are ignored.
        """
        setup = _chosen_setup(options)
        if seed is not None:
            Setup.random(seed)
            seed = operator.index(seed)
        super().reset(seed=seed)
        self._seed = int(self.np_random.integers(2**63))
        self.player = int(self.np_random.integers(2)) if self.seat is None else self.seat
        self.state = self._replied(State(setup or Setup.random(self._seed, track=self.track)))
        self._is_over = self.state.is_over
        return self._seen()

    def step(self, action: np.int64 | int | Action | str) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays an action and the opponent's replies.

        Raises:
            IllegalAction: The game is over, or was not started.
            AgentFault: The opponent could not decide; nothing has changed.
        """
        if self._is_over:
            raise IllegalAction("the game is over; expected reset")
        try:
            state = self.state.play(action_of(self.state, action, self.strategy, self._seed))
        except IllegalAction as why:
            self._is_over = True
            observation, info = self._seen()
            return observation, -1.0, True, False, {**info, "illegal": str(why)}
        self.state = self._replied(state)
        self._is_over = self.state.is_over
        if self.render_mode == "human":
            self.render()
        observation, info = self._seen()
        if not self._is_over:
            return observation, 0.0, False, False, info
        reward = 1.0 if self.state.winner == self.player else -1.0
        return observation, reward, True, False, {**info, "scores": self.state.scores}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal: shape (2026,), or (4,) with a strategy. After the end, the first one is."""
        (mask,) = action_masks([self.state], self.strategy, seed=self._seed)
        mask[0] |= self._is_over
        return np.asarray(mask, np.bool_)

    def render(self) -> str | None:
        """The position as text: returned (``ansi``) or printed (``human``)."""
        return _render(self.state, self.render_mode)

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        """The observation and the information of the position."""
        mask = self.action_masks().view(np.int8)
        seen = _observe(self.state.observe(self.player), self._kind)
        if self._has_mask:
            seen = {**(seen if isinstance(seen, dict) else {"observation": seen}), "action_mask": mask}
        return seen, {"action_mask": mask}

    def _replied(self, state: State) -> State:
        """The position after the replies of the opponent, in which the player is to move or the game is over."""
        while state.mover == 1 - self.player:
            if isinstance(self.opponent, Agent):
                seed = (self._seed + len(state.history)) % 2**64
                action: Any = self.opponent.decide(state, iterations=self.iterations, seed=seed).action
            else:
                action = self.opponent(state)
            state = state.play(action)
        return state


class PatchworkVector(VectorEnv, gymnasium.vector.VectorEnv[Any, Any, Any]):
    """`VectorEnv` against an agent, for ``gymnasium.make_vec("Patchwork-v0", num_envs=64)``.

    Args:
        num_envs: The number of games.
        opponent: An agent, its name or path, or a `Player`; ``None`` steps both seats.
        observation: ``flat`` or ``planes``.
        settings: Other arguments of `VectorEnv`.

    Example:
        >>> import gymnasium
        >>> env = gymnasium.make_vec("patchwork_arena.gym:Patchwork-v0", num_envs=2)
        >>> env.observation_space.shape, env.action_space
        ((2, 477), MultiDiscrete([2026 2026]))
    """

    def __init__(
        self, num_envs: int = 1, opponent: Any = "greedy-regret", *, observation: str = "flat", **settings: Any
    ) -> None:
        actions = ACTIONS if settings.get("strategy") is None else PICKS
        self.single_observation_space = observation_space(observation, actions=actions)
        mode = settings.get("autoreset")
        if isinstance(mode, gymnasium.vector.AutoresetMode):
            settings["autoreset"] = mode.name.lower().replace("_", "-")
        super().__init__(num_envs, opponent=opponent, observation=observation, **settings)
        self.single_action_space = gymnasium.spaces.Discrete(actions)
        batched = gymnasium.vector.utils.batch_space
        self.observation_space = batched(self.single_observation_space, self.num_envs)
        self.action_space = batched(self.single_action_space, self.num_envs)
        mode = self._settings["autoreset"].title().replace("-", "")
        self.metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode(mode)}


for _name in ("Patchwork-v0", "patchwork/Patchwork-v0"):
    if _name not in gymnasium.registry:
        _module = "patchwork_arena.gym:Patchwork"
        gymnasium.register(_name, entry_point=_module, vector_entry_point=f"{_module}Vector")
