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

from sys import modules as _modules

from ._native import (
    ACTIONS as ACTIONS,
    EVALUATIONS as EVALUATIONS,
    OBSERVATION_SIZE as OBSERVATION_SIZE,
    PICKS as PICKS,
    POLICIES as POLICIES,
    SHIPPED_AGENTS as SHIPPED_AGENTS,
    TRANSFORMS as TRANSFORMS,
    Action as Action,
    Agent as Agent,
    AgentFault as AgentFault,
    ConfigError as ConfigError,
    Considered as Considered,
    Decision as Decision,
    IllegalAction as IllegalAction,
    InternalError as InternalError,
    ResultsError as ResultsError,
    Setup as Setup,
    State as State,
    Table as Table,
    Trees as Trees,
    __version__ as __version__,
    evaluate_placements as evaluate_placements,
    picks as picks,
    rank_placements as rank_placements,
)
from .arena import Results as Results, Tuned as Tuned, match as match, rate as rate, run as run, tune as tune
from .data import (
    Examples as Examples,
    action_masks as action_masks,
    observe as observe,
    play as play,
    self_play as self_play,
    symmetric_actions as symmetric_actions,
    symmetric_quilts as symmetric_quilts,
)
from .players import Player as Player
from .positions import (
    PATCHES as PATCHES,
    SCALARS as SCALARS,
    Estimates as Estimates,
    Observation as Observation,
    Patch as Patch,
    Rollouts as Rollouts,
    Scalar as Scalar,
    estimates as estimates,
    rollouts as rollouts,
)
from .search import (
    Evaluate as Evaluate,
    Searches as Searches,
    SearchPlayer as SearchPlayer,
    search_batch as search_batch,
)
from .vector import VectorEnv as VectorEnv

if "gymnasium" in _modules:  # Who uses it finds the environments.
    from . import gym as gym
