"""Measures the package on one core: the environments beside PettingZoo's classics, and decisions of agents.

Run it on a quiet machine: ``python benches/speed.py``. The classics need ``pettingzoo[classic]``. Each line has the
rate by the clock on the wall and by the processor time of the process.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

import patchwork_arena as pa


def rate(work: Callable[[], int], seconds: float = 3.0) -> str:
    """The steps per second of work that returns its number of steps, by both clocks."""
    work()
    steps, wall, cpu = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - wall < seconds:
        steps += work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return f"{steps / wall:12,.0f} /s {steps / cpu:12,.0f} /s of processor time"


def vector_steps(games: int = 1024) -> Callable[[], int]:
    """Steps of a batch with random legal actions, masks and observations."""
    env = pa.VectorEnv(games)

    def work() -> int:
        for _ in range(20):
            env.step(env.random_actions())
        return 20 * games

    return work


def aec_steps(env: Any) -> Callable[[], int]:
    """Steps of an AEC environment: agent_iter, last, masked sample, step."""

    def work() -> int:
        steps = 0
        env.reset(seed=1)
        for agent in env.agent_iter():
            seen, _, over, cut, _ = env.last()
            env.step(None if over or cut else env.action_space(agent).sample(seen["action_mask"]))
            steps += 1
        return steps

    return work


def decisions(agent: pa.Agent, state: pa.State) -> Callable[[], int]:
    """Iterations of decisions of 1,000 iterations."""
    return lambda: agent.decide(state, iterations=1000).iterations


def searches(states: int, leaves: int = 1, strategy: str | None = "bl-lb/every/regret") -> Callable[[], int]:
    """Evaluations by a small network in batched searches of this many states."""
    random = np.random.default_rng(1)
    first = random.normal(size=(pa.OBSERVATION_SIZE, 128)).astype(np.float32) / 100
    second = random.normal(size=(128, pa.PICKS if strategy else pa.ACTIONS)).astype(np.float32) / 10

    def evaluate(seen: pa.Observation, mask: npt.NDArray[np.bool_]) -> tuple[Any, Any]:
        rows = len(mask)
        parts = [seen.planes.reshape(rows, -1), seen.scalars, seen.ring]
        units = np.maximum(np.concatenate(parts, axis=1, dtype=np.float32) @ first, 0)
        logits = units @ second
        return np.exp(logits - logits.max(axis=1, keepdims=True)), np.full(rows, 0.5)

    roots = [pa.State(pa.Setup.random(1, number)) for number in range(3 * states)]
    roots = [root for root in roots if root.count_actions() > 1][:states]

    def work() -> int:
        found = pa.search_batch(roots, evaluate, iterations=200 // states + 30, leaves=leaves, strategy=strategy)
        return int(found.visits.sum())

    return work


def main() -> None:
    """Prints the rates."""
    print("vectorised, 1024 games, steps      ", rate(vector_steps()))
    print("vectorised, 1 game, steps          ", rate(vector_steps(1)))
    try:
        from patchwork_arena import aec

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pettingzoo.classic import chess_v6, connect_four_v3, go_v5

            classics = {"chess": chess_v6, "go": go_v5, "connect four": connect_four_v3}
            print("AEC patchwork, steps               ", rate(aec_steps(aec.env())))
            for name, classic in classics.items():
                print(f"AEC {name + ', steps':31}", rate(aec_steps(classic.env())))
    except ImportError as missing:
        print(f"not measured: {missing}")
    state = pa.State(pa.Setup.random(1))
    for name in ("mcts-fast", "champion"):
        print(f"{name + ', iterations of decisions':35}", rate(decisions(pa.Agent.load(name), state)))
    for strategy in ("bl-lb/every/regret", None):
        for count, leaves in ((1, 1), (1, 16), (256, 1)):
            name = f"searches of {count} with {leaves}, {strategy or 'all actions'}"
            print(f"{name:35}", rate(searches(count, leaves, strategy)))


if __name__ == "__main__":
    main()
