"""The board game Patchwork for research: rules, agents and environments, computed in Rust.

The rules, the agents and the search are those of the program ``patchwork-arena``. See ``docs/python.md`` for a tour.

Example:
    >>> import patchwork_arena as pa
    >>> state = pa.State(pa.Setup.random(seed=1))
    >>> state.mover, state.buttons
    (0, (5, 5))
    >>> decision = pa.Agent.load("greedy-regret").decide(state)
    >>> state.play(decision.action).is_over
    False
"""

import sys

from ._native import (
    ACTIONS,
    EVALUATIONS,
    OBSERVATION_SIZE,
    PICKS,
    POLICIES,
    SHIPPED_AGENTS,
    TRANSFORMS,
    Action,
    Agent,
    AgentFault,
    ConfigError,
    Considered,
    Decision,
    IllegalAction,
    InternalError,
    ResultsError,
    Setup,
    State,
    Table,
    Trees,
    __version__,
    best_placements,
    evaluate_placements,
    picks,
    rank_placements,
)
from .arena import Results, Tuned, match, rate, run, tune
from .data import Examples, action_masks, observe, play, self_play, symmetric_actions, symmetric_quilts
from .players import Player
from .positions import (
    PATCHES,
    SCALARS,
    Estimates,
    Observation,
    Patch,
    Rollouts,
    Scalar,
    estimate,
    estimates,
    rollout,
    rollouts,
)
from .search import Evaluate, Searches, SearchPlayer, search_batch
from .vector import VectorEnv

if "gymnasium" in sys.modules:  # Who uses it finds the environments.
    from . import gym as gym

__all__ = [
    "ACTIONS",
    "EVALUATIONS",
    "OBSERVATION_SIZE",
    "PATCHES",
    "PICKS",
    "POLICIES",
    "SCALARS",
    "SHIPPED_AGENTS",
    "TRANSFORMS",
    "Action",
    "Agent",
    "AgentFault",
    "ConfigError",
    "Considered",
    "Decision",
    "Estimates",
    "Evaluate",
    "Examples",
    "IllegalAction",
    "InternalError",
    "Observation",
    "Patch",
    "Player",
    "Results",
    "ResultsError",
    "Rollouts",
    "Scalar",
    "SearchPlayer",
    "Searches",
    "Setup",
    "State",
    "Table",
    "Trees",
    "Tuned",
    "VectorEnv",
    "__version__",
    "action_masks",
    "best_placements",
    "estimate",
    "estimates",
    "evaluate_placements",
    "match",
    "observe",
    "picks",
    "play",
    "rank_placements",
    "rate",
    "rollout",
    "rollouts",
    "run",
    "search_batch",
    "self_play",
    "symmetric_actions",
    "symmetric_quilts",
    "tune",
]
