"""A PettingZoo environment: ``from patchwork_arena import aec; env = aec.env()``.

It needs the package ``pettingzoo``.
"""

from __future__ import annotations

import secrets
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv

from . import gym
from ._native import ACTIONS, Setup, State

__all__ = ["Patchwork", "env"]

AGENTS = ("player_0", "player_1")


class Patchwork(AECEnv[str, dict[str, Any], Any]):
    """Patchwork as an AEC environment for two agents, ``player_0`` (who moves first) and ``player_1``.

    An agent may be selected several times in a row: the player further behind on the track moves. The observation of
    an agent has its own point of view: ``observation``, the vector of shape (477,) that
    `State.observation_vector` describes, and ``action_mask``, int8 of shape (2026,), which is 0 everywhere for
    the agent that is not to move. The rewards at the end are 1 for the winner and -1 for the loser; there are no draws.
    An illegal action raises `IllegalAction` and changes nothing.

    Args:
        track: ``original`` or ``revised``, or with a komi as in ``original+2``.
        max_cycles: Truncates a game after this many actions; ``None`` for no limit.
        render_mode: ``ansi`` (`render` returns a text), ``human`` (it prints it) or ``None``.
    """

    metadata = {"name": "patchwork_v0", "render_modes": ["human", "ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self, *, track: str = "original", max_cycles: int | None = None, render_mode: str | None = None
    ) -> None:
        super().__init__()
        if max_cycles is not None and max_cycles < 1:
            raise ValueError(f"max_cycles: expected a number from 1, or None, found {max_cycles}")
        Setup.random(0, track=track)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.track = track
        self._seed: int | None = None
        self._number = 0
        self._mask: npt.NDArray[np.int8] = np.zeros(ACTIONS, np.int8)
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {"observation": gym.vector_space(), "action_mask": gymnasium.spaces.Box(0, 1, (ACTIONS,), np.int8)}
            )
            for agent in AGENTS
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(ACTIONS) for agent in AGENTS}

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of the observations of an agent, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The action space of an agent, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game.

        Args:
            seed: Of a sequence of setups, of which this game has the first; without a seed, the next one.
            options: ``setup`` is the setup of the game; other options are ignored.
        """
        if seed is not None:
            self._seed, self._number = seed, 0
        elif self._seed is None:
            self._seed = secrets.randbits(64)
        setup = (options or {}).get("setup")
        if setup is None:
            setup = Setup.random(self._seed, self._number, track=self.track)
            self._number += 1
        self.game = State(setup)
        """The position."""
        self._plies = 0
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[0]
        self._skip_agent_selection: str | None = None

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees."""
        player = AGENTS.index(agent)
        game = self.game
        mask = game.action_mask().view(np.int8) if game.mover == player else self._mask.copy()
        return {"observation": game.observation_vector(player), "action_mask": mask}

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Plays an action of the selected agent; ``None`` after the end.

        Raises:
            IllegalAction: The action is not legal; nothing has changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent}: expected an action, found None before the end of the game")
        game = self.game = self.game.play(action)
        self._plies += 1
        self._cumulative_rewards[agent] = 0
        mover = game.mover
        if mover is None:
            assert game.winner is not None
            self.terminations = dict.fromkeys(AGENTS, True)
            self.rewards = {each: 1 if seat == game.winner else -1 for seat, each in enumerate(AGENTS)}
            self._accumulate_rewards()
            self._deads_step_first()
        else:
            self.agent_selection = AGENTS[mover]
            if self._plies == self.max_cycles:
                self.truncations = dict.fromkeys(AGENTS, True)
                self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The position as text: returned (``ansi``) or printed (``human``)."""
        if self.render_mode == "ansi":
            return str(self.game)
        if self.render_mode == "human":
            print(self.game)
        else:
            gymnasium.logger.warn("render: render_mode is None; expected ansi or human")
        return None

    def close(self) -> None:
        """There is nothing to release."""


env = Patchwork
"""Makes an environment; the name by convention."""
