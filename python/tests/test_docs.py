"""Every block of docs/python.md is run, and its tables are made from the package and from files."""

import csv
import importlib.util
import os
import re
import subprocess
import sys

import pytest
from conftest import PROJECT

import patchwork_arena as pa

PAGE = PROJECT / "docs/python.md"


def test_every_block_runs(tmp_path, monkeypatch):
    for module in ("pettingzoo", "gymnasium", "pyspiel"):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    text = PAGE.read_text()
    blocks = list(re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S))
    assert len(blocks) > 10
    for block in blocks:
        line = text[: block.start(1)].count("\n")
        code = compile("\n" * line + block[1], str(PAGE), "exec")
        exec(code, namespace)


def scalars():
    yield "| index | name | range | |"
    yield "|---|---|---|---|"
    for i, s in enumerate(pa.SCALARS):
        yield f"| {i} | `{s.name}` | {s.least:g} to {s.most:g} | {s.about} |"


def curve():
    yield "| minutes of processor time | games of self-play | won against `greedy-regret` |"
    yield "|---|---|---|"
    with (PROJECT / "python/examples/curve.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            won, of = int(row["won"]), int(row["of"])
            yield f"| {row['minutes']} | {int(row['games']):,} | {won} of {of} |"


@pytest.mark.parametrize("table", [scalars, curve])
def test_the_tables_are_up_to_date(table):
    text = PAGE.read_text()
    head, rest = text.split(f"<!-- {table.__name__} -->\n")
    _, tail = rest.split("<!-- end -->", 1)
    rows = "".join(f"{row}\n" for row in table())
    expected = f"{head}<!-- {table.__name__} -->\n{rows}<!-- end -->{tail}"
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(expected)
    assert text == expected, "UPDATE_DOCS=1 pytest tests/test_docs.py writes the tables"


def example(name):
    """A program of the examples as a module."""
    spec = importlib.util.spec_from_file_location(name, PROJECT / f"python/examples/{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_the_example_of_self_play_learns(monkeypatch):
    torch = pytest.importorskip("torch")
    self_play = example("self_play")
    torch.manual_seed(1)
    torch.set_num_threads(1)
    network = self_play.Network(32)
    play, learner = self_play.SelfPlay(network, 8, 4, 1), self_play.Learner(network, 1)
    losses = []
    while len(losses) < 2:
        if new := play.step():
            losses.append(learner.learn(new, size=16))
    assert all(0 < loss < 3 for loss in losses)
    monkeypatch.setattr(self_play.Learned, "iterations", 4)
    won, of = self_play.rate(network, 1)
    assert of == 2
    assert 0 <= won <= of


@pytest.mark.parametrize("example", ["first_game.py"])
def test_the_examples_run(example):
    file = PROJECT / "python/examples" / example
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout
