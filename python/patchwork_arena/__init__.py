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

from ._native import (
    ACTIONS,
    EVALUATIONS,
    OBSERVATION_SIZE,
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
    __version__,
    best_placements,
    evaluate_placements,
    rank_placements,
)
from .arena import Results, match, rate, run
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
from .vector import VectorEnv

__all__ = [
    "ACTIONS",
    "EVALUATIONS",
    "OBSERVATION_SIZE",
    "PATCHES",
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
    "IllegalAction",
    "InternalError",
    "Observation",
    "Patch",
    "Player",
    "Results",
    "ResultsError",
    "Rollouts",
    "Scalar",
    "Setup",
    "State",
    "Table",
    "VectorEnv",
    "__version__",
    "best_placements",
    "estimate",
    "estimates",
    "evaluate_placements",
    "match",
    "rank_placements",
    "rate",
    "rollout",
    "rollouts",
    "run",
]
