"""Players written in Python, which play in tournaments like any other agent."""

from __future__ import annotations

import copy
import importlib
import re
import types
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, SupportsIndex

from . import _native
from ._identity import contents
from ._native import Action, Agent, Setup, State

__all__ = ["Player"]


class _OfBoth(classmethod):  # type: ignore[type-arg]
    """A method of a class and of its instances: its first argument is the class or the instance."""

    def __get__(self, instance: Any, owner: Any = None) -> Callable[..., Agent]:
        return types.MethodType(self.__func__, owner if instance is None else instance)


class Player(ABC):
    """A player. Each worker of a tournament makes its own object of the class, without arguments.

    An instance plays as well, in `match` and by its `agent`: each worker has a shallow copy of it.

    An exception loses the game, as a crash of an external program does, and so does what is not a legal action; see
    `match`. Games are played by several threads, which take turns in Python.

    A tournament knows the games of a player by its class and by what it is made of: its compiled functions, all
    attributes of the class and the instance, and what these refer to, except for libraries. A player that changes is
    another one. See `agent` for one with parts that cannot be compared, such as open files.

    Example:
        >>> class First(Player):
        ...     def start(self, setup, seed):
        ...         self.setup = setup
        ...
        ...     def decide(self, state):
        ...         return state.legal_indices()[0]
        >>> match(First, "random", pairs=1, progress=False).agents
        ['First', 'random']
        >>> First.agent("one").decide(State(Setup.random(1))).action
        Action('A')
        >>> First().agent("checkpoint", version="step 1000").settings["version"]
        'step 1000'
    """

    def start(self, setup: Setup, seed: int) -> None:  # noqa: B027
        """A game starts.

        Args:
            setup: The setup of the game.
            seed: For the random numbers of this game: the same game has the same seed, 0 to 2^32 - 1.
        """

    @abstractmethod
    def decide(self, state: State) -> Action | str | SupportsIndex:
        """The action to play in a state in which the player is to move: an object, a text or an index."""

    @_OfBoth
    def agent(self: Any, name: str | None = None, *, version: int | str | None = None) -> Agent:
        """The agent of this class, or of this instance. It holds the class or the instance.

        Args:
            name: Its name in tournaments; that of the class by default.
            version: Tells this player from others of the class, instead of what it is made of: a number from 0 to
                2^32 - 1 or a text. Games with the same version are games of the same player.

        Raises:
            ValueError: A part of the player cannot be compared and there is no version, or an argument is wrong.
        """
        return _agent_of(self, name, version)


def _agent_of(player: Any, name: str | None = None, version: int | str | None = None) -> Agent:
    """The agent of a class or an instance."""
    cls = player if isinstance(player, type) else type(player)
    path = f"{cls.__module__}:{cls.__qualname__}" + ("" if player is cls else "()")
    try:
        made_of = contents(player) if version is None else None
    except ValueError as error:
        raise ValueError(f"{path}: {error}; expected a version, as in agent(version=1)") from None
    name = re.sub(r"[^A-Za-z0-9_.-]", "-", cls.__name__ if name is None else name)
    return _native._player_agent(name, path, player, version, made_of)


def _load(path: str) -> Any:
    """The class with this path."""
    module, _, names = path.partition(":")
    found: Any = importlib.import_module(module)
    if path.endswith("()"):
        raise ValueError("an instance cannot be found by its path; expected its agent")
    for name in names.split("."):
        found = getattr(found, name)
    return found


def _make(found: Any) -> Player:
    """An object of a class, or a copy of an instance, for a worker."""
    player = copy.copy(found) if isinstance(found, Player) else found()
    if not isinstance(player, Player):
        raise TypeError(f"expected a subclass of Player, found {found!r:.200}")
    return player


class _Function(Player):
    """A player that decides by a function."""

    def __init__(self, function: Callable[[State], Any]) -> None:
        self.function = function

    def decide(self, state: State) -> Any:
        return self.function(state)
