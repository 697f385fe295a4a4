"""Players written in Python, which play in tournaments like any other agent."""

from __future__ import annotations

import importlib
import re
from abc import ABC, abstractmethod
from typing import Any, SupportsIndex

from ._native import Action, Agent, Setup, State

__all__ = ["Player"]

_classes: dict[str, type[Player]] = {}
"""Classes that cannot be found by their names: those of notebooks, scripts and functions."""


class Player(ABC):
    """A player. Each worker of a tournament makes its own object of the class, without arguments.

    An exception loses the game, as a crash of an external program does; the traceback is in `Results.faults`. What is
    not a legal action loses it, too. Games are played by several threads, which take turns in Python.
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
        _classes[path] = cls
        name = name or re.sub(r"[^A-Za-z0-9_-]", "-", cls.__name__)
        return Agent.parse(name, f'type = "python"\nplayer = "{path}"\nversion = {version}\n')


def _make(path: str) -> Player:
    """An object of the class with this path, for the tournament."""
    found: Any = _classes.get(path)
    if found is None:
        module, _, names = path.partition(":")
        found = importlib.import_module(module)
        for name in names.split("."):
            found = getattr(found, name)
    player = found()
    if not isinstance(player, Player):
        raise TypeError(f"{path}: expected a subclass of Player, found {found!r}")
    return player
