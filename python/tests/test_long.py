"""Many games, by the program's rules and in constant memory. PATCHWORK_ARENA_FULL=1 runs these tests in full."""

import subprocess
import sys

import pytest
from conftest import FULL

import patchwork_arena as pa


def test_random_games_are_legal_for_the_program(program, tmp_path):
    rows = ["track\tring\tactions\tlegal_actions\tscores\twinner\tbonus_7x7"]
    names = {0: "first", 1: "second", None: "-"}
    for number in range(1000 if FULL else 30):
        setup = pa.Setup.random(7, number, track=["original", "revised"][number % 2])
        state, counts = pa.State(setup), []
        end = state.random_playout(number)
        for action in end.history:
            counts.append(state.count_actions())
            state = state.play(action)
        cells = [setup.track, setup.ring, end.history, counts, end.scores]
        cells = [cell if isinstance(cell, str) else " ".join(map(str, cell)) for cell in cells]
        rows.append("\t".join([*cells, names[end.winner], names[end.bonus]]))
    games = tmp_path / "games.tsv"
    games.write_text("\n".join(rows) + "\n")
    done = subprocess.run([program, "verify", games], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


LOOP = """
import sys
import numpy as np
import patchwork_arena as pa

def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

def evaluate(observation, mask):
    return mask.astype(np.float32), np.full(len(mask), 0.5)

env, agent = pa.VectorEnv(16), pa.Agent.load("greedy-inorder")
state, steps = pa.State(pa.Setup.random(1)), int(sys.argv[1])
for step in range(steps + steps // 4):
    env.step(env.random_actions())
    env.observation.planes.sum()
    state = state.play(agent.decide(state).action)
    state.observe()
    if step % 50 == 0:
        pa.search_batch([state] * (not state.is_over), evaluate, iterations=5)
        try:
            state.play(1)
        except pa.IllegalAction:
            pass
    if state.is_over:
        state = pa.State(pa.Setup.random(1, step))
    if step == steps // 4:
        before = memory()
print(memory() - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc")
def test_a_long_loop_needs_no_more_memory():
    steps = 1_000_000 if FULL else 4000
    done = subprocess.run([sys.executable, "-c", LOOP, str(steps)], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 2**20
