"""What the tests share."""

from __future__ import annotations

import gzip
import os
import signal
from pathlib import Path

import hypothesis
import hypothesis.strategies as st
import pytest

import patchwork_arena as pa

PROJECT = Path(os.environ.get("PATCHWORK_ARENA_PROJECT") or Path(__file__).parents[2])
"""The folder of the project."""

FULL = bool(os.environ.get("PATCHWORK_ARENA_FULL"))
"""Whether tests that have a short form run in full."""

EXAMPLES = int(os.environ.get("PATCHWORK_ARENA_EXAMPLES") or 60)
"""The examples of each property; few where each takes long, as under valgrind."""

# A shell that runs the tests in the background has Ctrl-C ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

hypothesis.settings.register_profile("default", deadline=None, max_examples=EXAMPLES, derandomize=True)
hypothesis.settings.load_profile("default")

seeds = st.integers(0, 2**64 - 1)
setups = st.builds(
    lambda seed, number, track: pa.Setup.random(seed, number, track=track),
    seeds,
    st.integers(0, 1000),
    st.sampled_from(["original", "revised"]),
)


@st.composite
def states(draw: st.DrawFn) -> pa.State:
    """A position of a random game, the end included."""
    start = pa.State(draw(setups))
    actions = start.random_playout(draw(seeds)).history
    return start.play(*actions[: draw(st.integers(0, len(actions)))])


@pytest.fixture(scope="session")
def program() -> str:
    """The path of the program."""
    path = os.environ.get("PATCHWORK_ARENA") or str(PROJECT / "target/debug/patchwork-arena")
    if not os.path.exists(path):
        pytest.skip("the program is not built; PATCHWORK_ARENA is its path")
    return path


@pytest.fixture(scope="session")
def independent_games() -> list[dict[str, str]]:
    """The games that an independent simulator played."""
    with gzip.open(PROJECT / "tests/data/random-games.tsv.gz", "rt") as file:
        head, *rows = file.read().splitlines()
    return [dict(zip(head.split("\t"), row.split("\t"), strict=True)) for row in rows]
