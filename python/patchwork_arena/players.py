"""Players written in Python, which play in tournaments like any other agent."""

from __future__ import annotations

import copy
import importlib
import itertools
import re
from abc import ABC, abstractmethod
from typing import Any, SupportsIndex

from ._native import Action, Agent, Setup, State

__all__ = ["Player"]

_known: dict[str, type[Player] | Player] = {}
"""Classes that cannot be found by their names, those of notebooks, scripts and functions; and instances."""


class Player(ABC):
    """A player. Each worker of a tournament makes its own object of the class, without arguments.

    An instance that is given to `match` plays as well: each worker has a shallow copy of it.

    An exception loses the game, as a crash of an external program does; the traceback is in `Results.faults`. What is
    not a legal action loses it, too. Games are played by several threads, which take turns in Python.

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

    @classmethod
    def agent(cls, name: str | None = None, *, version: int = 0) -> Agent:
        """The agent of this class.

        Args:
            name: Its name in tournaments; that of the class by default.
            version: Raise it when the class plays differently, so that a folder does not mix its games.
        """
        path = f"{cls.__module__}:{cls.__qualname__}"
        return _agent_of(path, cls, name or cls.__name__, version)


def _agent_of(path: str, player: type[Player] | Player, name: str, version: int) -> Agent:
    _known[path] = player
    name = re.sub(r"[^A-Za-z0-9_-]", "-", name)
    return Agent.parse(name, f'type = "python"\nplayer = "{path}"\nversion = {version}\n')


def _instance_agent(player: Player) -> Agent:
    """The agent of an instance: the second one of a class has the number 2, and so on."""
    cls = type(player)
    path = f"{cls.__module__}:{cls.__qualname__}#"
    number = next(n for n in itertools.count(1) if _known.get(f"{path}{n}", player) is player)
    return _agent_of(f"{path}{number}", player, cls.__name__ if number == 1 else f"{cls.__name__}-{number}", 0)


def _make(path: str) -> Player:
    """An object of the class with this path, for the tournament."""
    found: Any = _known.get(path)
    if found is None:
        module, _, names = path.partition(":")
        found = importlib.import_module(module)
        for name in names.split("."):
            found = getattr(found, name)
    player = copy.copy(found) if isinstance(found, Player) else found()
    if not isinstance(player, Player):
        raise TypeError(f"{path}: expected a subclass of Player, found {found!r}")
    return player
