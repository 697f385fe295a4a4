"""Learns Patchwork from self-play, as AlphaZero does, with PyTorch on a CPU.

A small network looks at a position and says how good each pick is (advance, or one of the three patches on offer) and
who will win. A strategy of the engine places the patches. Self-play searches many games together with the network
(`patchwork_arena.self_play`), and the network learns the visits of the searches and the results of the games.

    python self_play.py train --minutes 30        # writes network.pt and curve.csv, prints the curve
    python self_play.py match --pairs 200         # plays network.pt against greedy-regret
"""

from __future__ import annotations

import argparse
import csv
import itertools
import os
import time
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

import patchwork_arena as pa

Floats = npt.NDArray[np.float32]

PLACING = "bl-lb/every/regret"
AHEAD = 10
"""The network sees this many patches of the ring."""
FACTS = np.array([[0] * 4] + [[p.cost / 10, p.time / 6, p.income / 3, p.shape.count("X") / 8] for p in pa.PATCHES])
QUILTS, NUMBERS, RING = slice(2 * 81), slice(5 * 81, -33), slice(-33, AHEAD - 33)
"""The parts of `Observation.vector` that it sees."""
INPUTS = 2 * 81 + len(pa.SCALARS) + 4 * AHEAD


def features(vectors: Floats) -> Floats:
    """Both quilts, the numbers, and what is printed on the next patches of the ring; shape (positions, INPUTS)."""
    patches = np.rint(vectors[:, RING] * 33).astype(int)
    parts = [vectors[:, QUILTS], vectors[:, NUMBERS], FACTS[patches].reshape(len(vectors), -1)]
    return np.concatenate(parts, axis=1, dtype=np.float32)


class Network(nn.Module):
    """Logits of the picks, and the logit of the chance to win."""

    def __init__(self, width: int = 256) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(INPUTS, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.heads = nn.Linear(width, pa.PICKS + 1)

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Shapes (positions, PICKS) and (positions,)."""
        found = self.heads(self.body(inputs))
        return found[:, :-1], found[:, -1]

    def evaluate(self, seen: pa.Observation, mask: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Priors and values for a search."""
        with torch.inference_mode():
            logits, value = self(torch.from_numpy(features(seen.vector())))
            priors = logits.masked_fill(~torch.from_numpy(mask), -torch.inf).softmax(dim=1)
            return priors.numpy(), value.sigmoid().numpy()


def targets(examples: pa.Examples) -> tuple[Floats, Floats, Floats]:
    """What the network sees and learns: inputs, shares of visits, and results from 0 to 1.

    The margin tells more than the winner, who is half of the result.
    """
    results = 0.5 * examples.outcome + 0.25 * (1 + np.tanh(examples.margin / 20))
    shares = examples.visits / examples.visits.sum(axis=1, keepdims=True, dtype=np.float32)
    return features(examples.observation), shares, results.astype(np.float32)


class Learner:
    """Teaches a network what was found by self-play."""

    def __init__(self, network: Network, seed: int) -> None:
        self.network = network
        self.optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, weight_decay=1e-5)
        self.memory: deque[tuple[Floats, Floats, Floats]] = deque(maxlen=300_000)
        self.random = np.random.default_rng(seed)

    def learn(self, new: pa.Examples, size: int = 512) -> float:
        """Keeps new examples and learns from random ones, each about four times in all. Returns the mean loss."""
        self.memory.extend(zip(*targets(new), strict=True))
        losses = []
        for _ in range(4 * len(new.game) // size):
            batch = [self.memory[k] for k in self.random.integers(len(self.memory), size=size)]
            seen, visits, results = (torch.from_numpy(np.array(part)) for part in zip(*batch, strict=True))
            logits, value = self.network(seen)
            loss = nn.functional.cross_entropy(logits, visits)
            loss = loss + nn.functional.binary_cross_entropy_with_logits(value, results)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        return float(np.mean(losses)) if losses else np.nan


def train(minutes: float, seed: int, folder: Path, pairs: int) -> None:
    """Self-play and learning in turns until the processor time is spent. Rates the network ten times on the way."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    network, start = Network(), time.process_time()
    play, learner = pa.self_play(network.evaluate, seed=seed), Learner(network, seed)
    rated = games = 0
    with (folder / "curve.csv").open("w", newline="") as file:
        curve = csv.writer(file)
        curve.writerow(["minutes", "games", "won", "of"])
        while True:
            spent = (time.process_time() - start) / 60
            if spent >= rated * minutes / 10:
                rated += 1
                torch.save(network.state_dict(), folder / "network.pt")
                won, of = rate(network, pairs)
                curve.writerow([f"{spent:.1f}", games, won, of])
                file.flush()
                print(f"{spent:5.1f} minutes, {games} games: won {won} of {of}", flush=True)
            if spent >= minutes:
                return
            learner.learn(pa.Examples.joined(itertools.islice(play, 64)))
            games += 64


class Learned(pa.SearchPlayer):
    """Plays with a network, by default the one in the file that the variable NETWORK names."""

    iterations = 64
    strategy = PLACING

    def __init__(self, network: Network | None = None) -> None:
        if network is None:
            torch.set_num_threads(1)
            network = Network()
            network.load_state_dict(torch.load(os.environ.get("NETWORK", "network.pt"), weights_only=True))
        self.network = network

    def evaluate(self, observation: pa.Observation, mask: npt.NDArray[np.bool_]) -> tuple[Any, Any]:
        """Priors and values of the network."""
        return self.network.evaluate(observation, mask)


def rate(network: Network | None, pairs: int, seed: int = 1) -> tuple[int, int]:
    """Games that the network wins against greedy-regret, of how many."""
    threads = min(2 * pairs, 128)
    results = pa.match(Learned(network), "greedy-regret", pairs=pairs, seed=seed, threads=threads, progress=False)
    games = results.games
    winners = zip(games["first"], games["second"], games["winner"], strict=True)
    won = sum((first if winner == "first" else second) == "Learned" for first, second, winner in winners)
    return won, len(games)


def main() -> None:
    """Reads the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("train")
    command.add_argument("--minutes", type=float, default=30, help="of processor time")
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--folder", type=Path, default=Path())
    command.add_argument("--pairs", type=int, default=20, help="pairs of games for each point of the curve")
    command = commands.add_parser("match")
    command.add_argument("--pairs", type=int, default=200)
    arguments = parser.parse_args()
    if arguments.command == "train":
        train(arguments.minutes, arguments.seed, arguments.folder, pairs=arguments.pairs)
    else:
        won, of = rate(None, arguments.pairs, seed=2)
        print(f"won {won} of {of}: {won / of:.1%}")


if __name__ == "__main__":
    main()
