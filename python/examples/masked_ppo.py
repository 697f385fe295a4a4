"""Learns Patchwork by PPO with masked actions (Stable-Baselines3), against an agent of the arena, on one core.

The policy chooses among the four picks: it goes on, or buys one of the three patches on offer. A strategy of the engine
places the patches, and `VectorEnv` plays many games together. The same seed gives the same bytes, in one go or resumed.

    pip install 'patchwork-arena[train]'
    python masked_ppo.py train                   # writes ppo.zip, ppo.state and ppo.csv, prints the curve
    python masked_ppo.py train --resume          # goes on for as many steps, with the state of the optimiser
    python masked_ppo.py match --pairs 200       # plays ppo.zip against greedy-regret
"""

from __future__ import annotations

import argparse
import csv
import pickle
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

import patchwork_arena as pa
from patchwork_arena.gym import PatchworkVector

PLACING = "bl-lb/every/regret"
OPPONENT = "greedy-regret"
GAMES = 128
ROUND = 16_384
"""Steps between two updates: 128 of each game."""


class Games(VecEnv):
    """Games that are stepped together, as Stable-Baselines3 asks for them."""

    def __init__(self, games: PatchworkVector) -> None:
        self.games = games
        self.actions = np.zeros(games.num_envs, np.int64)
        super().__init__(games.num_envs, games.single_observation_space, games.single_action_space)

    def reset(self) -> Any:
        """Starts all games again."""
        return self.games.reset()[0]

    def step_async(self, actions: Any) -> None:
        """Takes the actions."""
        self.actions = actions

    def step_wait(self) -> Any:
        """Plays them, and the replies. A finished game is replaced by the next one."""
        seen, rewards, over, _, info = self.games.step(self.actions)
        infos: list[dict[str, Any]] = [{} for _ in over]
        for k in np.flatnonzero(over):
            infos[k]["terminal_observation"] = info["final_obs"][k]
        return seen, rewards, over, infos

    def env_method(self, method_name: str, *_: Any, **__: Any) -> list[Any]:
        """The masks, which are all that is asked for."""
        assert method_name == "action_masks"
        return list(self.games.action_mask)

    def has_attr(self, attr_name: str) -> bool:
        """Whether the games have masks."""
        return attr_name == "action_masks"

    def get_attr(self, *_: Any) -> list[Any]:
        """Nothing else is known of the games."""
        return [None] * self.num_envs

    def set_attr(self, *_: Any) -> None:
        """Nothing is set."""

    def env_is_wrapped(self, *_: Any) -> list[bool]:
        """No game has a wrapper."""
        return [False] * self.num_envs

    def close(self) -> None:
        """There is nothing to release."""


class Learned(pa.Player):
    """Plays what the policy finds best."""

    def __init__(self, model: MaskablePPO) -> None:
        self.model = model

    def decide(self, state: pa.State) -> pa.Action:
        """The best legal pick."""
        picks = pa.picks(state, PLACING)
        mask = np.array([pick is not None for pick in picks])
        best, _ = self.model.predict(state.observation_vector(), action_masks=mask, deterministic=True)
        pick = picks[int(best)]
        assert pick is not None
        return pick


def rate(model: MaskablePPO, pairs: int, seed: int = 1) -> dict[str, float | None]:
    """The result of a match against the opponent: games won, games, and the difference in Elo with its interval.

    The Elo is not known if one side won all games.
    """
    agent = Learned(model).agent(version=f"step {model.num_timesteps}")
    results = pa.match(agent, OPPONENT, pairs=pairs, seed=seed, threads=1, strict=True, progress=False)
    ratings = results.ratings.to_dict()
    me = 1 - ratings["agent"].index(OPPONENT)
    row: dict[str, float | None] = {"won": ratings["wins"][me], "of": ratings["games"][me]}
    for name in ("elo", "elo_low", "elo_high"):
        # The mean of both is 0, so that their difference is twice the Elo of one.
        row[name] = None if ratings[name][me] is None else round(2 * ratings[name][me], 1)
    return row


def save(model: MaskablePPO, folder: Path) -> None:
    """Saves the policy and its optimiser (ppo.zip), and the games and the random numbers (ppo.state)."""
    model.save(folder / "ppo.zip")
    state = model.env.games, torch.get_rng_state(), np.random.get_state()  # noqa: NPY002
    (folder / "ppo.state").write_bytes(pickle.dumps(state))


def start(seed: int, folder: Path, resume: bool) -> MaskablePPO:
    """A new model, or the one that was saved."""
    torch.set_num_threads(1)
    if resume:
        games, torch_state, numpy_state = pickle.loads((folder / "ppo.state").read_bytes())
        model = MaskablePPO.load(folder / "ppo.zip", env=Games(games), force_reset=False, device="cpu")
        torch.set_rng_state(torch_state)
        np.random.set_state(numpy_state)  # noqa: NPY002
        return model
    return MaskablePPO(
        "MlpPolicy",
        Games(PatchworkVector(GAMES, OPPONENT, strategy=PLACING, seed=seed)),
        n_steps=ROUND // GAMES,
        batch_size=1024,
        n_epochs=4,
        gamma=1.0,
        learning_rate=5e-4,
        ent_coef=0.005,
        policy_kwargs={"net_arch": [256, 256]},
        seed=seed,
        device="cpu",
    )


def train(steps: int, seed: int, folder: Path, pairs: int, resume: bool = False) -> MaskablePPO:
    """Trains for so many steps, and saves and rates the model ten times on the way."""
    model = start(seed, folder, resume)
    spent, first = 0.0, model.num_timesteps
    with (folder / "ppo.csv").open("a" if resume else "w", newline="") as file:
        for point in range(11):
            begin = time.process_time()
            until = first + steps * point // 10
            while model.num_timesteps < until:
                model.learn(ROUND, reset_num_timesteps=False)
            spent += time.process_time() - begin
            save(model, folder)
            if not pairs or (resume and point == 0):
                continue
            row = {"minutes": round(spent / 60, 1), "steps": model.num_timesteps, **rate(model, pairs)}
            writer = csv.DictWriter(file, row)
            if file.tell() == 0:
                writer.writeheader()
            writer.writerow(row)
            file.flush()
            print(row, flush=True)
    return model


def main() -> None:
    """Reads the arguments."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("train")
    command.add_argument("--steps", type=int, default=1_500_000)
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--pairs", type=int, default=50, help="pairs of games for each point of the curve")
    command.add_argument("--resume", action="store_true")
    command.add_argument("--folder", type=Path, default=Path())
    command = commands.add_parser("match")
    command.add_argument("--pairs", type=int, default=200)
    command.add_argument("--folder", type=Path, default=Path())
    arguments = parser.parse_args()
    if arguments.command == "train":
        train(arguments.steps, arguments.seed, arguments.folder, arguments.pairs, arguments.resume)
    else:
        print(rate(MaskablePPO.load(arguments.folder / "ppo.zip", device="cpu"), arguments.pairs, seed=2))


if __name__ == "__main__":
    main()
