"""Learns Patchwork from self-play, as AlphaZero does, with PyTorch on a CPU.

A small network looks at a position and says how good each pick is (advance, or one of the three patches on offer) and
who will win. A strategy of the engine places the patches. Self-play searches many games together with the network
(`patchwork_arena.search_batch`), and the network learns the visits of the searches and the results of the games.

    python self_play.py train --minutes 30        # writes network.pt and curve.csv, prints the curve
    python self_play.py match --pairs 200         # plays network.pt against greedy-regret
"""

from __future__ import annotations

import argparse
import csv
import os
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

import patchwork_arena as pa

Floats = npt.NDArray[np.float32]

PLACING = "bl-lb/every/regret"
AHEAD = 10
"""The network sees this many patches of the ring."""
SCALES = np.array([max(abs(one.least), one.most) for one in pa.SCALARS], np.float32)
FACTS = np.array([[0] * 4] + [[p.cost / 10, p.time / 6, p.income / 3, p.shape.count("X") / 8] for p in pa.PATCHES])
INPUTS = 2 * 81 + len(pa.SCALARS) + 4 * AHEAD


def features(seen: pa.Observation) -> Floats:
    """Both quilts, the scaled numbers, and the next patches of the ring; shape (positions, INPUTS)."""
    rows = len(seen.scalars)
    parts = [seen.planes[:, :2].reshape(rows, -1), seen.scalars / SCALES, FACTS[seen.ring[:, :AHEAD]].reshape(rows, -1)]
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

    def evaluate(self, seen: Floats, mask: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """Priors and values for a search."""
        with torch.inference_mode():
            logits, value = self(torch.from_numpy(seen))
            priors = logits.masked_fill(~torch.from_numpy(mask), -torch.inf).softmax(dim=1)
            return priors.numpy(), value.sigmoid().numpy()


class Example(NamedTuple):
    """A position, what the search found, and how the game ended for the player to move."""

    seen: Floats
    visits: Floats
    result: float


class Game:
    """A game of self-play with the positions so far."""

    def __init__(self, setup: pa.Setup) -> None:
        self.state = pa.State(setup)
        self.positions: list[tuple[int, Floats, Floats]] = []

    def examples(self) -> Iterator[Example]:
        """The examples of the finished game. The margin tells more than the winner, who is half of the result."""
        first, second = self.state.scores
        margin = 0.5 + 0.5 * np.tanh((first - second) / 20)
        result = 0.5 * margin + 0.5 * (self.state.winner == 0)
        for mover, seen, visits in self.positions:
            yield Example(seen, visits, result if mover == 0 else 1 - result)


class SelfPlay:
    """Games that are searched together. A game that ends is replaced by the next one."""

    def __init__(self, network: Network, games: int, iterations: int, seed: int) -> None:
        self.network, self.iterations, self.seed = network, iterations, seed
        self.random = np.random.default_rng(seed)
        self.started = 0
        self.games = [self.next_game() for _ in range(games)]

    def next_game(self) -> Game:
        """A game on the next setup."""
        self.started += 1
        return Game(pa.Setup.random(self.seed, self.started))

    def step(self) -> list[Example]:
        """Plays an action in each game and returns the examples of the games that ended."""
        roots: list[Floats] = []

        def evaluate(seen: pa.Observation, mask: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
            inputs = features(seen)
            priors, values = self.network.evaluate(inputs, mask)
            if not roots:  # the first call has the states themselves: noise makes the games differ
                roots.extend(inputs)
                noise = self.random.exponential(size=priors.shape).astype(np.float32) * mask
                priors = 0.75 * priors + 0.25 * noise / noise.sum(axis=1, keepdims=True)
            return priors, values

        states = [game.state for game in self.games]
        found = pa.search_batch(states, evaluate, iterations=self.iterations, strategy=PLACING)
        examples: list[Example] = []
        for k, (game, decision) in enumerate(zip(self.games, found.decisions, strict=True)):
            visits = found.visits[k] / found.visits[k].sum(dtype=np.float32)
            assert game.state.mover is not None
            game.positions.append((game.state.mover, roots[k], visits))
            considered = decision.considered
            weights = np.array([one.visits for one in considered], float)
            early = len(game.positions) <= 20
            chosen = self.random.choice(len(considered), p=weights / weights.sum()) if early else 0
            game.state = game.state.play(considered[chosen].action)
            if game.state.is_over:
                examples.extend(game.examples())
                self.games[k] = self.next_game()
        return examples


class Learner:
    """Teaches a network what was found by self-play."""

    def __init__(self, network: Network, seed: int) -> None:
        self.network = network
        self.optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, weight_decay=1e-5)
        self.memory: deque[Example] = deque(maxlen=300_000)
        self.random = np.random.default_rng(seed)

    def learn(self, new: list[Example], size: int = 512) -> float:
        """Keeps new examples and learns from random ones, each about four times in all. Returns the mean loss."""
        self.memory.extend(new)
        losses = []
        for _ in range(4 * len(new) // size):
            batch = [self.memory[k] for k in self.random.integers(len(self.memory), size=size)]
            seen, visits, results = (torch.from_numpy(np.array(part, np.float32)) for part in zip(*batch, strict=True))
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
    play, learner = SelfPlay(network, 128, 32, seed), Learner(network, seed)
    rated = 0
    with (folder / "curve.csv").open("w", newline="") as file:
        curve = csv.writer(file)
        curve.writerow(["minutes", "games", "won", "of"])
        while True:
            spent = (time.process_time() - start) / 60
            if spent >= rated * minutes / 10:
                rated += 1
                torch.save(network.state_dict(), folder / "network.pt")
                won, of = rate(network, pairs)
                games = play.started - len(play.games)
                curve.writerow([f"{spent:.1f}", games, won, of])
                file.flush()
                print(f"{spent:5.1f} minutes, {games} games: won {won} of {of}", flush=True)
            if spent >= minutes:
                return
            learner.learn([example for _ in range(16) for example in play.step()])


class Learned(pa.SearchPlayer):
    """Plays with a network, by default the one in the file that the variable NETWORK names."""

    iterations = 64
    strategy = PLACING
    network: Network | None = None

    @classmethod
    def evaluate(cls, observation: pa.Observation, mask: npt.NDArray[np.bool_]) -> tuple[Any, Any]:
        """Priors and values of the network."""
        network = cls.network
        if network is None:
            torch.set_num_threads(1)
            network = cls.network = Network()
            network.load_state_dict(torch.load(os.environ.get("NETWORK", "network.pt"), weights_only=True))
        return network.evaluate(features(observation), mask)


def rate(network: Network | None, pairs: int, seed: int = 1) -> tuple[int, int]:
    """Games that the network wins against greedy-regret, of how many."""
    Learned.network = network
    results = pa.match(Learned, "greedy-regret", pairs=pairs, seed=seed, threads=min(2 * pairs, 128), progress=False)
    assert not results.faults(), results.faults()[0]
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
