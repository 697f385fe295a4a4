"""A PettingZoo environment: ``from patchwork_arena import aec; env = aec.env()``.

It needs the package ``pettingzoo``: ``pip install patchwork-arena[pettingzoo]``.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import numpy.typing as npt

from ._extras import extra
from ._native import ACTIONS, PICKS, IllegalAction, Setup, State, _whole, picks

with extra("pettingzoo"):
    import gymnasium
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

from .data import action_masks, play
from .gym import _check_render_mode, _chosen_setup, _render, observation_space

__all__ = ["Patchwork", "env", "raw_env"]

AGENTS = ("player_0", "player_1")


class Patchwork(AECEnv[str, dict[str, Any], Any]):
    """Patchwork as an AEC environment for two agents, ``player_0`` (who moves first) and ``player_1``.

    An agent may be selected several times in a row: the player further behind on the track moves. The observation of
    an agent has its own point of view: ``observation``, the vector of shape (477,) that `Observation.vector` describes,
    and ``action_mask``, int8 of shape (2026,), or (4,) with a strategy. The mask is 0 everywhere for the agent that is
    not to move, and after the end, when the only action is ``None``. The rewards at the end are 1 for the winner and -1
    for the loser; there are no draws.
    An illegal action raises `IllegalAction` and changes nothing.

    Args:
        track: ``original`` or ``revised``, or with a komi as in ``original+2``.
        strategy: ``POLICY/TRANSFORMS/EVALUATION`` places the patches, and the actions are the `PICKS`: 0 goes on, and
            1 + k buys the patch on offer k. Without it, they are all `ACTIONS`.
        max_cycles: Truncates a game after this many actions; ``None`` for no limit.
        render_mode: ``ansi`` (`render` returns a text), ``human`` (it prints it) or ``None``.

    Attributes:
        game: The position, after `reset`.

    Raises:
        ValueError: An argument is out of range.

    Example:
        >>> from patchwork_arena.aec import raw_env
        >>> env = raw_env(strategy="bl-lb/every/regret", render_mode="ansi")
        >>> env.reset(seed=1)
        >>> agent = env.agent_selection
        >>> observation, reward, termination, truncation, info = env.last()
        >>> env.observation_space(agent).contains(env.observe(agent)), env.render() == str(env.game)
        (True, True)
        >>> env.step(env.action_space(agent).sample(observation["action_mask"]))
        >>> env.close()
    """

    metadata = {"name": "patchwork_v0", "render_modes": ["human", "ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        *,
        track: str = "original",
        strategy: str | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if max_cycles is not None:
            max_cycles = _whole("max_cycles", max_cycles, 1, 2**63)
        _check_render_mode(render_mode)
        start = State(Setup.random(0, track=track))
        if strategy is not None:
            picks(start, strategy)
        actions = ACTIONS if strategy is None else PICKS
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.track = track
        self.strategy = strategy
        self._seed: int | None = None
        self._number = 0
        self._mask: npt.NDArray[np.int8] = np.zeros(actions, np.int8)
        self.observation_spaces = {agent: observation_space(mask=True, actions=actions) for agent in AGENTS}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(actions) for agent in AGENTS}

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
            options: ``setup`` is the setup of the game or its text; other options are ignored.
        """
        setup = _chosen_setup(options)
        if seed is not None:
            Setup.random(seed)
            self._seed, self._number = seed, 0
        elif self._seed is None:
            self._seed = secrets.randbits(64)
        if setup is None:
            setup = Setup.random(self._seed, self._number, track=self.track)
            self._number += 1
        self.game = State(setup)
        self._plies = 0
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[0]
        self._skip_agent_selection: str | None = None

    def _check_reset(self) -> None:
        if not hasattr(self, "game"):
            raise RuntimeError("the environment was not started; expected reset first")

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees."""
        self._check_reset()
        if agent not in AGENTS:
            raise ValueError(f"agent: expected player_0 or player_1, found {agent!r:.50}")
        player = AGENTS.index(agent)
        game = self.game
        mask = self._mask.copy()
        if game.mover == player and not self.truncations[agent]:
            mask[:] = action_masks([game], self.strategy, seed=self._plies)[0]
        return {"observation": game.observation_vector(player), "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The observation, reward, termination, truncation and information of the selected agent."""
        self._check_reset()
        found: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return found

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Plays an action of the selected agent; ``None`` after the end.

        Raises:
            IllegalAction: The action is not legal; nothing has changed.
        """
        self._check_reset()
        agent = self.agent_selection
        if not self.agents or self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise IllegalAction("the game is over; expected None")
            if self.agents:
                self._was_dead_step(None)
            return
        if action is None:
            raise ValueError(f"{agent}: expected an action, found None before the end of the game")
        (game,) = play([self.game], [action], self.strategy, seed=self._plies)
        self.game = game
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
        self._check_reset()
        if self.render_mode is None:
            gymnasium.logger.warn("render: render_mode is None; expected ansi or human")
        return _render(self.game, self.render_mode)

    def close(self) -> None:
        """There is nothing to release."""


raw_env = Patchwork
"""The environment without wrappers; the name by convention."""


def env(**settings: Any) -> AECEnv[str, dict[str, Any], Any]:
    """The environment with the wrapper that says in which order its methods are called; settings as of `Patchwork`.

    Example:
        >>> from patchwork_arena import aec
        >>> aec.env().possible_agents
        ['player_0', 'player_1']
    """
    wrapped: AECEnv[str, dict[str, Any], Any] = wrappers.OrderEnforcingWrapper(Patchwork(**settings))
    return wrapped
