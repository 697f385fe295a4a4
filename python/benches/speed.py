"""Measures the package on one core: the environments beside PettingZoo's classics, and searches.

Run it on a quiet machine: ``python benches/speed.py``. The classics need ``pettingzoo[classic]``. Each line has the
rate by the clock on the wall and by the processor time of the process.
"""

from __future__ import annotations

import importlib.util
import os
import time
import warnings
from collections.abc import Callable
from typing import Any

# On one core, more threads of numpy only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

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


def vector_steps(games: int = 1024, policy: str = "random", **settings: Any) -> Callable[[], int]:
    """Steps of a batch, with masks and observations: random legal actions, or the best by logits."""
    env = pa.VectorEnv(games, **settings)
    logits = np.random.default_rng(1).random(env.action_mask.shape, dtype=np.float32)

    def work() -> int:
        for _ in range(20):
            if policy == "random":
                actions = env.random_actions()
            elif policy == "numpy":
                actions = np.where(env.action_mask, logits, -1).argmax(axis=1)
            else:
                actions = env.best_actions(logits)
            env.step(actions)
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


def no_network(actions: int) -> pa.Evaluate:
    """The same answer for all positions: what is left is the search itself."""
    answers: dict[int, tuple[Any, Any]] = {}

    def evaluate(seen: pa.Observation, mask: npt.NDArray[np.bool_]) -> tuple[Any, Any]:
        rows = len(mask)
        if rows not in answers:
            answers[rows] = np.ones((rows, actions), np.float32), np.full(rows, 0.5, np.float32)
        return answers[rows]

    return evaluate


def torch_network(actions: int) -> pa.Evaluate:
    """Two hidden layers of 256 units and two heads, in PyTorch with one thread."""
    import torch
    from torch import nn

    torch.set_num_threads(1)
    torch.manual_seed(1)
    body = nn.Sequential(nn.Linear(pa.OBSERVATION_SIZE, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
    policy, value = nn.Linear(256, actions), nn.Linear(256, 1)

    def network(seen: pa.Observation, mask: npt.NDArray[np.bool_]) -> tuple[Any, Any]:
        with torch.inference_mode():
            units = body(torch.from_numpy(seen.vector()))
            return policy(units).softmax(1).numpy(), value(units).sigmoid().squeeze(1).numpy()

    return network


def searches(make: Callable[[int], pa.Evaluate], states: int, leaves: int, strategy: str | None) -> Callable[[], int]:
    """Evaluations by a network in searches of this many states together, with up to this many leaves of each."""
    network = make(pa.PICKS if strategy else pa.ACTIONS)
    evaluations = 0

    def evaluate(seen: pa.Observation, mask: npt.NDArray[np.bool_]) -> tuple[Any, Any]:
        nonlocal evaluations
        evaluations += len(mask)
        return network(seen, mask)

    roots = [pa.State(pa.Setup.random(1, number)) for number in range(3 * states)]
    roots = [root for root in roots if root.count_actions() > 1][:states]

    def work() -> int:
        before = evaluations
        pa.search_batch(roots, evaluate, iterations=400 if states == 1 else 100, leaves=leaves, strategy=strategy)
        return evaluations - before

    return work


def main() -> None:
    """Prints the rates."""
    views: dict[str, Any] = {"observation": "raw", "copy": False}
    print("vectorised, 1024 games, steps      ", rate(vector_steps(**views)))
    print("the same, numpy's argmax of logits ", rate(vector_steps(policy="numpy", **views)))
    print("the same, best_actions(logits)     ", rate(vector_steps(policy="best", **views)))
    print("the same, flat copies              ", rate(vector_steps()))
    print("the same, flat copies, picks       ", rate(vector_steps(strategy="bl-lb/every/regret")))
    print("vectorised, 1 game, steps          ", rate(vector_steps(1, **views)))
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
    games = pa.self_play(no_network(pa.PICKS), together=64)
    print("self-play, decisions               ", rate(lambda: len(next(games).game)))
    networks = {"nothing": no_network}
    if importlib.util.find_spec("torch"):
        networks["PyTorch"] = torch_network
    for name, make in networks.items():
        for strategy in ("bl-lb/every/regret", None):
            for states, leaves in ((1, 1), (1, 64), (256, 1)):
                what = f"leaves by {name}, {states} x {leaves}, {'placed' if strategy else 'all'}"
                print(f"{what:38}", rate(searches(make, states, leaves, strategy)))


if __name__ == "__main__":
    main()
