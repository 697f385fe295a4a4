"""Gymnasium environments: one player against an agent of the arena, and many such games.

``gymnasium.make("patchwork_arena.gym:Patchwork-v0")`` needs no import, and ``import patchwork_arena.gym`` registers
``Patchwork-v0``. They need the package ``gymnasium``: ``pip install patchwork-arena[gymnasium]``.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import numpy.typing as npt

from ._extras import extra
from ._native import ACTIONS, PICKS, Action, Agent, IllegalAction, Setup, State
from .players import Player
from .positions import SCALARS
from .vector import Observed, Opponent, VectorEnv, _check_kind, _options

with extra("gymnasium"):
    import gymnasium

__all__ = ["Patchwork", "PatchworkVector", "observation_space"]

_LEAST, _MOST = (np.array([getattr(one, of) / one.scale for one in SCALARS], np.float32) for of in ("least", "most"))
_PLANES, _RING = (5, 9, 9), 33
_RENDERING = {"render_modes": ["human", "ansi"], "render_fps": 1}


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


class Patchwork(gymnasium.Env[Observed, np.int64]):
    """Patchwork for one player. A step is an action of the player and all replies of the opponent.

    It is `VectorEnv` with one game: the same seed and actions are the same games.

    The reward is 1 for a win and -1 for a loss, at the end; there are no draws. An illegal action loses the game, as it
    does in a tournament: ``info["illegal"]`` has the reason. ``info["action_mask"]`` has the legal actions, int8; after
    the end, it has the first one, so that a sampler goes on. A step after the end raises `IllegalAction`.

    Args:
        opponent: An agent, the name or path of one, a `Player`, or a function of a state that returns an action.
        seat: 0 to move first, 1 to move second; by turns without it, first after a seed.
        iterations: The budget of the opponent, instead of its own.
        track: ``original`` or ``revised``, or with a komi as in ``original+2``.
        strategy: ``POLICY/TRANSFORMS/EVALUATION`` places the patches, and the actions are the `PICKS`: 0 goes on, and
            1 + k buys the patch on offer k. Without it, they are all `ACTIONS`.
        observation: ``flat``, a vector of length 477 (`Observation.vector`), or ``planes`` (`Observation.scaled`).
        mask: Whether observations have the mask; see `observation_space`.
        render_mode: ``ansi`` (`render` returns a text), ``human`` (it prints it) or ``None``.

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
        >>> reward, terminated, env.action_masks().shape, env.render(), env.player, env.state.is_over
        (0.0, False, (4,), None, 0, False)
        >>> env.close()
    """

    metadata: dict[str, Any] = _RENDERING

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
        _check_kind(observation, ("flat", "planes"))
        _check_render_mode(render_mode)
        self._games = VectorEnv(
            1,
            seed=secrets.randbits(63),
            opponent=opponent,
            seat=seat,
            iterations=iterations,
            track=track,
            strategy=strategy,
            observation=observation,
            mask=mask,
            autoreset="disabled",
        )
        self.strategy = strategy
        self.render_mode = render_mode
        self._is_over = True
        actions = ACTIONS if strategy is None else PICKS
        self.observation_space: gymnasium.spaces.Space[Any] = observation_space(observation, mask=mask, actions=actions)
        self.action_space = gymnasium.spaces.Discrete(actions)

    @property
    def state(self) -> State:
        """The position."""
        return self._games.states[0]

    @property
    def player(self) -> int:
        """The seat in the present game, 0 or 1."""
        return self._games._games.seats()[0] or 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Starts a game.

        Args:
            seed: Of a sequence of setups and of the opponent's random choices, of which this game has the first;
                without a seed, the next one.
            options: ``setup`` is the setup of the game or its text; other options are ignored.
        """
        setup = _chosen_setup(options)
        if seed is not None:
            Setup.random(seed)
            super().reset(seed=int(seed))
        self._games.reset(seed=seed, options=None if setup is None else {"setups": [setup]})
        self._is_over = False
        return self._seen()

    def step(self, action: np.int64 | int | Action | str) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Plays an action and the opponent's replies.

        Raises:
            IllegalAction: The game is over, or was not started.
            AgentFault: The opponent could not decide; nothing has changed.
            TypeError: It is not an action.
        """
        if self._is_over:
            raise IllegalAction("the game is over; expected reset")
        try:
            index = self._index(action) if isinstance(action, (Action, str)) else action
            _, rewards, over, _, facts = self._games.step(np.asarray([index]))
        except IllegalAction as why:
            self._is_over = True
            observation, info = self._seen()
            return observation, -1.0, True, False, {**info, "illegal": str(why).removeprefix("game 0: ")}
        self._is_over = bool(over[0])
        if self.render_mode == "human":
            self.render()
        observation, info = self._seen()
        scores = {"scores": tuple(facts["scores"][0].tolist())} if self._is_over else {}
        return observation, float(rewards[0]), self._is_over, False, {**info, **scores}

    def _index(self, action: Action | str) -> int:
        """The index of an action in the action space."""
        if self.strategy is None:
            return self.state.index(action)
        picks, action = self._games._games.picks(0), Action(str(action))
        if action not in picks:
            raise IllegalAction(f"{action}: expected a pick; see the mask")
        return picks.index(action)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal: shape (2026,), or (4,) with a strategy. After the end, the first one is."""
        mask: npt.NDArray[np.bool_] = self._games.action_mask[0].copy()
        mask[0] |= self._is_over
        return mask

    def render(self) -> str | None:
        """The position as text: returned (``ansi``) or printed (``human``)."""
        return _render(self.state, self.render_mode)

    def close(self) -> None:
        """Releases the game."""
        self._games.close()

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        """The observation and the information of the position."""
        mask, seen = self.action_masks().view(np.int8), self._games._seen()
        if not isinstance(seen, dict):
            return seen[0], {"action_mask": mask}
        seen = {name: array[0] for name, array in seen.items()}
        return (seen | {"action_mask": mask} if "action_mask" in seen else seen), {"action_mask": mask}


class PatchworkVector(VectorEnv, gymnasium.vector.VectorEnv[Any, Any, Any]):
    """`VectorEnv` against an agent, for ``gymnasium.make_vec("Patchwork-v0", num_envs=64)``.

    Args:
        num_envs: The number of games.
        opponent: An agent, its name or path, a `Player`, or a function; ``None`` steps both seats.
        observation: ``flat`` or ``planes``.
        mask: Whether observations have the mask.
        render_mode: ``ansi`` (`render` returns the texts of all games), ``human`` (it prints them) or ``None``.
        settings: Other arguments of `VectorEnv`.

    Example:
        >>> import gymnasium
        >>> env = gymnasium.make_vec("patchwork_arena.gym:Patchwork-v0", num_envs=2)
        >>> env.observation_space.shape, env.action_space
        ((2, 477), MultiDiscrete([2026 2026]))
        >>> env.render()
    """

    def __init__(
        self,
        num_envs: int = 1,
        opponent: Agent | Player | type[Player] | str | Opponent | None = "greedy-regret",
        *,
        observation: str = "flat",
        mask: bool = False,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        _check_render_mode(render_mode)
        self.render_mode = render_mode
        actions = ACTIONS if settings.get("strategy") is None else PICKS
        self.single_observation_space = observation_space(observation, mask=mask, actions=actions)
        mode = settings.get("autoreset")
        if isinstance(mode, gymnasium.vector.AutoresetMode):
            settings["autoreset"] = mode.name.lower().replace("_", "-")
        super().__init__(num_envs, opponent=opponent, observation=observation, mask=mask, **settings)
        self.single_action_space = gymnasium.spaces.Discrete(actions)
        batched = gymnasium.vector.utils.batch_space
        self.observation_space = batched(self.single_observation_space, self.num_envs)
        self.action_space = batched(self.single_action_space, self.num_envs)
        mode = self._settings["autoreset"].title().replace("-", "")
        self.metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode(mode), **_RENDERING}

    def render(self) -> tuple[Any, ...] | None:
        """The positions of all games as texts: returned (``ansi``) or printed (``human``)."""
        if self.render_mode is None:
            return None
        return tuple(_render(state, self.render_mode) for state in self.states)


for _name in ("Patchwork-v0", "patchwork/Patchwork-v0"):
    if _name not in gymnasium.registry:
        _module = "patchwork_arena.gym:Patchwork"
        gymnasium.register(_name, entry_point=_module, vector_entry_point=f"{_module}Vector")
