"""Many games that are stepped together in Rust."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from ._native import Action, Agent, Setup, State
from .arena import _agent
from .players import Player, _Function
from .positions import Observation
from .search import _numbers

Opponent = Callable[[State], "Action | str | int"]
"""Chooses the action of a position in which the opponent is to move."""

Observed = npt.NDArray[np.float32] | dict[str, npt.NDArray[Any]] | Observation
"""Observations: of the kind ``flat``, ``planes`` (or with a mask) or ``raw``."""


def _with_mask(seen: Any, mask: npt.NDArray[np.int8]) -> dict[str, Any]:
    """Observations with the mask."""
    return {**(seen if isinstance(seen, dict) else {"observation": seen}), "action_mask": mask}


def _options(given: object) -> Mapping[str, Any]:
    """The options of a reset."""
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f"options: expected a dictionary, found a value of type {type(given).__name__}")
    return given or {}


def _check_kind(kind: object, known: tuple[str, ...] = ("flat", "planes", "raw")) -> None:
    if kind not in known:
        raise ValueError(f"observation: expected {' or '.join(known)}, found {reprlib.repr(kind)}")


def _view(name: str, about: str) -> Any:
    """An array of the environment: each access gives a view, which a caller cannot resize."""
    return property(lambda env: getattr(env._arrays, name)[...], doc=about)


class _Closed:
    """What a closed environment has in place of its games."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("the environment is closed")


class VectorEnv:
    """A batch of games, stepped together. Its methods are those of ``gymnasium.vector.VectorEnv``.

    Without an opponent, a step is an action of the player to move, `movers`, who may be the same in several steps. The
    observation is that player's, and the reward that of the player who acted. With an opponent, a step is an action of
    one player and all replies, and observations and rewards are those of that player.

    Args:
        num_envs: The number of games, 1 to 1,048,576.
        seed: Determines the setups, the opponent and the random actions. Game number k of the sequence has
            ``Setup.random(seed, k)``.
        track: ``original`` or ``revised``, or with a komi as in ``original+2``.
        strategy: ``POLICY/TRANSFORMS/EVALUATION`` places the patches, and the actions are the `PICKS`: 0 goes on, and
            1 + k buys the patch on offer k. Without it, they are all `ACTIONS`.
        opponent: An agent, its name or path, a `Player`, or a function of a state that returns an action: it plays the
            other seat of each game.
        seat: The seat of the player who is stepped; by turns without it.
        iterations: The budget of the opponent, instead of its own.
        autoreset: What becomes of a finished game. ``same-step`` replaces it at once by the next one: the observation
            is of the new game, and ``info["final_obs"]`` of the end. ``next-step`` does so in the next step, whose
            action counts for nothing. ``disabled`` leaves it to `reset`.
        observation: ``flat``, a float32 vector of length 477 (`Observation.vector`); ``planes``, a dictionary of scaled
            arrays (`Observation.scaled`); or ``raw``, an `Observation`.
        mask: Whether observations have the mask, ``action_mask``, int8, beside ``observation`` if they are flat.
        copy: Whether `step` and `reset` return arrays of the caller's own. Without, they may return those below, which
            takes less time.

    Attributes:
        num_envs: The number of games.

    The arrays below belong to the environment, and each step overwrites them.

    Raises:
        ConfigError: There is no such agent.
        ValueError: An argument is out of range.

    Example:
        >>> env = VectorEnv(4, strategy="bl-lb/every/regret", opponent="random")
        >>> observations, info = env.reset(seed=1)
        >>> observations, rewards, terminations, truncations, info = env.step(env.random_actions())
        >>> observations.shape, rewards, info["action_mask"].shape
        ((4, 477), array([0., 0., 0., 0.], dtype=float32), (4, 4))
        >>> env.planes.shape, env.scalars.shape, env.ring.shape, env.action_mask.shape, env.observation.vector().shape
        ((4, 5, 9, 9), (4, 39), (4, 33), (4, 4), (4, 477))
        >>> env.movers.shape, env.over.any(), env.rewards.sum(), env.scores.shape, env.ended
        ((4,), np.False_, np.float32(0.0), (4, 2), {})
        >>> env.best_actions(np.zeros((4, 4))), len(env.setups)
        (array([0, 0, 0, 0]), 4)
        >>> env.states = env.states
        >>> env.close()
    """

    metadata: dict[str, Any] = {}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        *,
        seed: int = 1,
        track: str = "original",
        strategy: str | None = None,
        opponent: Agent | Player | type[Player] | str | Opponent | None = None,
        seat: int | None = None,
        iterations: int | None = None,
        autoreset: str = "same-step",
        observation: str = "flat",
        mask: bool = False,
        copy: bool = True,
    ) -> None:
        _check_kind(observation, ("flat", "planes") if mask else ("flat", "planes", "raw"))
        if callable(opponent) and not isinstance(opponent, (type, Player)):
            opponent = _Function(opponent)
        self._settings: dict[str, Any] = {
            "track": track,
            "strategy": strategy,
            # Nothing is stored of these games, so that a player needs no other version.
            "opponent": None if opponent is None else _agent(opponent, version=0),
            "seat": seat,
            "iterations": iterations,
            "autoreset": autoreset,
        }
        self._kind, self._copy, self._has_mask = observation, bool(copy), bool(mask)
        self._is_raw_view = observation == "raw" and not copy
        self._games = _native.Games(num_envs, observation == "flat", seed, **self._settings)
        self._arrays = self._games.arrays
        self.num_envs: int = len(self.over)
        self._never = np.zeros(self.num_envs, np.bool_)
        # Views that steps return, made once.
        seen = self._arrays.vector[...] if observation == "flat" else self.observation
        self._views = (seen, self.rewards, self.over, self._never[...])
        self._view_info = {name: getattr(self, name) for name in ("action_mask", "movers", "scores")}

    def close(self, **_: Any) -> None:
        """Releases the games. Every other call of them raises ``RuntimeError``."""
        closed: Any = _Closed()
        self._games, self.closed = closed, True

    planes: npt.NDArray[np.uint8] = _view("planes", "Shape (games, 5, 9, 9); see `Observation`.")
    scalars: npt.NDArray[np.float32] = _view("scalars", "Shape (games, 39), not scaled; see `Observation`.")
    ring: npt.NDArray[np.uint8] = _view("ring", "Shape (games, 33); see `Observation`.")
    action_mask: npt.NDArray[np.bool_] = _view(
        "action_mask",
        "Shape (games, 2026), or (games, 4) with a strategy: the legal actions; 0 of a finished game.",
    )
    movers: npt.NDArray[np.uint8] = _view("movers", "Shape (games,): the seat whose observation it is, 0 or 1.")
    over: npt.NDArray[np.bool_] = _view("over", "Shape (games,): whether the last step ended the game.")
    rewards: npt.NDArray[np.float32] = _view(
        "rewards", "Shape (games,): 1 for a game that the last step ended by a win, -1 by a loss, and 0 before."
    )
    scores: npt.NDArray[np.int16] = _view(
        "scores", "Shape (games, 2): points of both seats in a game that the last step ended, 0 before."
    )

    @property
    def observation(self) -> Observation:
        """The arrays `planes`, `scalars` and `ring`."""
        return Observation(self.planes, self.scalars, self.ring)

    @property
    def setups(self) -> list[Setup]:
        """The setups of the games that are being played."""
        return [state.setup for state in self.states]

    @property
    def states(self) -> list[State]:
        """The positions of the games, with their histories. They can be set, to positions before the end."""
        return self._games.states()

    @states.setter
    def states(self, states: list[State]) -> None:
        self._games.set_states(states)

    @property
    def ended(self) -> dict[int, State]:
        """The ends of the games that the last step replaced, with their histories, by the places of the games."""
        return dict(self._games.replaced())

    def reset(
        self, *, seed: int | Iterable[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Starts all games again.

        Args:
            seed: Of a new sequence of setups, of which game k has number k; or one for each game, which then has a
                sequence of its own, from number 0 on. Without it, the games have the next setups.
            options: ``setups`` are the setups of the games. ``reset_mask``, an array of truth values, says which games
                start again; there are as many setups as it has games.

        Returns:
            Observations and ``info``, as `step`.

        Raises:
            ValueError: An argument is out of range or has another length.
            TypeError: It is something else.
        """
        chosen = _options(options)
        mask = np.asarray(chosen.get("reset_mask", np.ones(self.num_envs, np.bool_)))
        if mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            found = f"{mask.dtype} of shape {mask.shape}"
            raise ValueError(f"reset_mask: expected truth values of shape ({self.num_envs},), found {found}")
        setups = chosen.get("setups")
        if setups is not None:
            setups = list(setups)
            if not all(isinstance(setup, Setup) for setup in setups):
                raise TypeError(f"setups: expected setups, found {reprlib.repr(setups)}")
            if len(setups) != mask.sum():
                raise ValueError(f"setups: expected {mask.sum()}, one for each game, found {len(setups)}")
        seeds = list(seed) if isinstance(seed, Iterable) else None if seed is None else [seed]
        if isinstance(seed, Iterable) and len(seeds or ()) != self.num_envs:
            raise ValueError(f"seed: expected {self.num_envs}, one for each game, found {len(seeds or ())}")
        self._games.reset(seeds, mask.tolist(), setups)
        return self._seen(), self._info()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Observed, npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Plays an action in each game.

        Args:
            actions: Indices of the action space, shape (games,), whole numbers.

        Returns:
            Observations, rewards, terminations, truncations (none) and ``info``, which has ``action_mask``, ``movers``
            and ``scores``. With ``same-step``, ``final_obs`` has the last observations of the games that ended, unless
            they are raw, and ``_final_obs`` says which games these are; `ended` has the states.

        Raises:
            IllegalAction: One of them is illegal, or a game is over; then no game has changed.
            AgentFault: The opponent could not decide; then no game has changed.
            TypeError: The elements are not whole numbers.
            ValueError: The shape is wrong.
        """
        if not (type(actions) is np.ndarray and actions.dtype == np.int64):
            array = np.asarray(actions)
            if array.dtype.kind not in "iu":
                raise TypeError(f"actions: expected whole numbers, found elements of type {array.dtype}")
            if array.dtype == np.uint64:
                array = np.minimum(array, np.uint64(2**63 - 1))
            actions = array.astype(np.int64)
        if actions.shape != (self.num_envs,):
            raise ValueError(f"actions: expected shape ({self.num_envs},), one for each game, found {actions.shape}")
        self._games.step(actions if actions.flags.c_contiguous else np.ascontiguousarray(actions))
        if self._is_raw_view:
            return *self._views, self._view_info.copy()
        info = self._info()
        if self._kind != "raw" and self._settings["autoreset"] == "same-step" and self._arrays.over.any():
            self._add_final(info)
        if self._copy:
            return self._seen(), *(array.copy() for array in self._views[1:]), info
        return self._seen(), *self._views[1:], info

    def random_actions(self) -> npt.NDArray[np.int64]:
        """A uniformly random legal action of each game, as indices of shape (games,); 0 for a finished one."""
        return self._games.random_actions()

    def best_actions(self, logits: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """The legal action of each game with the greatest number.

        Args:
            logits: Numbers of the actions, as float32 of the shape of `action_mask`.

        Raises:
            ValueError: The shape is wrong.
            TypeError: They are not numbers.
        """
        return self._games.best_actions(_numbers("logits", logits, self._arrays.action_mask.shape))

    def _seen(self) -> Any:
        """The observations."""
        seen: Any = self._views[0]
        if self._kind == "flat":
            seen = seen.copy() if self._copy else seen
        else:
            if self._copy:
                seen = Observation(seen.planes.copy(), seen.scalars.copy(), seen.ring.copy())
            seen = seen.scaled() if self._kind == "planes" else seen
        if not self._has_mask:
            return seen
        mask = self._arrays.action_mask.view(np.int8)
        return _with_mask(seen, mask.copy() if self._copy else mask)

    def _info(self) -> dict[str, Any]:
        if self._copy:
            return {name: array.copy() for name, array in self._view_info.items()}
        return self._view_info.copy()

    def _add_final(self, info: dict[str, Any]) -> None:
        """Adds the ends of the games that were replaced to the information of a step."""
        over = self._arrays.over.copy()
        ended = np.flatnonzero(over)
        seen = Observation(*self._games.replaced_observations())
        final = np.full(self.num_envs, None, dtype=object)
        if self._kind == "flat":
            rows: Any = seen.vector()
        else:
            scaled = seen.scaled()
            rows = [{name: array[row] for name, array in scaled.items()} for row in range(len(ended))]
        nothing = np.zeros(self._arrays.action_mask.shape[1], np.int8)
        nothing[0] = 1
        for game, row in zip(ended, rows, strict=True):
            final[game] = _with_mask(row, nothing.copy()) if self._has_mask else row
        info |= {"final_obs": final, "_final_obs": over, "_final_info": over}
        info["final_info"] = {"scores": info["scores"], "_scores": over}

    def __repr__(self) -> str:
        given = {name: value for name, value in self._settings.items() if value is not None}
        given |= {"observation": self._kind, "mask": self._has_mask, "copy": self._copy}
        return f"{type(self).__name__}({self.num_envs}, {', '.join(f'{k}={v!r}' for k, v in given.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        last = {name: getattr(self, name).copy() for name in ("over", "rewards", "scores")}
        settings = {**self._settings, "observation": self._kind, "mask": self._has_mask, "copy": self._copy}
        return _restore, (type(self), self.num_envs, settings, self._games.dump(), last)


def _restore(kind: Any, games: int, settings: dict[str, Any], dump: Any, last: dict[str, Any]) -> VectorEnv:
    """A pickled or copied batch, with what the last step ended."""
    env: VectorEnv = kind(games, **settings)
    env._games.restore(dump)
    for name, array in last.items():
        getattr(env, name)[...] = array
    return env
