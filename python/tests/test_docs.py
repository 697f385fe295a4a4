"""Every block of the pages of Python is run, and their tables are made from the package and from files.

The questions of docs/ledger.md are asked."""

import contextlib
import csv
import importlib.util
import os
import re
import sqlite3
import sys
from pathlib import Path

import pytest
from conftest import PROJECT

import patchwork_arena as pa

DOCS = PROJECT / "docs"


@pytest.mark.parametrize("name", ["python.md", "environments.md"])
def test_every_block_runs(name, tmp_path, monkeypatch):
    for module in ("pettingzoo", "gymnasium", "pyspiel"):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    text = (DOCS / name).read_text()
    blocks = list(re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S))
    assert len(blocks) > 5
    for block in blocks:
        line = text[: block.start(1)].count("\n")
        code = compile("\n" * line + block[1], name, "exec")
        exec(code, namespace)


def test_the_ledger_is_asked_in_sql(tmp_path, monkeypatch):
    for module in ("pandas", "duckdb"):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    Path("quickstart.toml").write_text("""
name = "quickstart"
agents = ["random", "greedy-inorder", "mcts-fast"]
pairs = 3
thoughts = "top-2"
budget.iterations = 20
""")
    pa.run("quickstart.toml", results="results", progress=False)
    text = (PROJECT / "docs/ledger.md").read_text()
    # Those to the two tables that `export` writes are asked by the program's tests.
    ledger_questions, _ = text.split("## Questions to the two tables")
    questions = re.findall(r"^```sql\n(.*?)^```", ledger_questions, re.M | re.S)
    recipes = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert len(questions) > 12
    assert len(recipes) == 2
    with contextlib.closing(sqlite3.connect("results/quickstart/games.db")) as ledger:
        for question in questions:
            ledger.execute(question).fetchall()
        ledger.commit()
    namespace: dict[str, object] = {}
    for recipe in recipes:
        exec(recipe, namespace)


def scalars():
    yield "| index | name | range | scaled by | |"
    yield "|---|---|---|---|---|"
    for i, s in enumerate(pa.SCALARS):
        yield f"| {i} | `{s.name}` | {s.least:g} to {s.most:g} | {s.scale:g} | {s.about} |"


def curve():
    yield "| minutes of processor time | games of self-play | won against `greedy-regret` |"
    yield "|---|---|---|"
    with (PROJECT / "python/examples/curve.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            won, of = int(row["won"]), int(row["of"])
            yield f"| {row['minutes']} | {int(row['games']):,} | {won} of {of} |"


def ppo():
    yield "| minutes of processor time | steps | won against `greedy-regret` | Elo above it |"
    yield "|---|---|---|---|"
    with (PROJECT / "python/examples/ppo.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            elo, low, high = (round(float(row[name])) if row[name] else "-" for name in ("elo", "elo_low", "elo_high"))
            won = f"{row['won']} of {row['of']}"
            yield f"| {row['minutes']} | {int(row['steps']):,} | {won} | {elo} ({low} to {high}) |"


@pytest.mark.parametrize(
    ("page", "table"), [("environments.md", scalars), ("lab/python.md", curve), ("lab/python.md", ppo)]
)
def test_the_tables_are_up_to_date(page, table):
    text = (DOCS / page).read_text()
    head, rest = text.split(f"<!-- {table.__name__} -->\n")
    _, tail = rest.split("<!-- end -->", 1)
    rows = "".join(f"{row}\n" for row in table())
    expected = f"{head}<!-- {table.__name__} -->\n{rows}<!-- end -->{tail}"
    if os.environ.get("UPDATE_DOCS"):
        (DOCS / page).write_text(expected)
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
    play, learner = pa.self_play(network.evaluate, 4, iterations=4, together=2), self_play.Learner(network, 1)
    losses = [learner.learn(new, size=16) for new in play]
    assert all(0 < loss < 3 for loss in losses)
    monkeypatch.setattr(self_play.Learned, "iterations", 4)
    won, of = self_play.rate(network, 1)
    assert of == 2
    assert 0 <= won <= of


def test_the_example_of_ppo_has_the_same_bytes_when_it_is_resumed(tmp_path, monkeypatch):
    """The games, the random numbers and the optimiser go on from where they were."""
    pytest.importorskip("sb3_contrib")
    ppo = example("masked_ppo")
    monkeypatch.setattr(ppo, "GAMES", 4)
    monkeypatch.setattr(ppo, "ROUND", 32)

    def weights(model):
        return [array.numpy().tobytes() for array in model.policy.state_dict().values()]

    whole = ppo.train(64, 1, tmp_path, pairs=1)
    assert len((tmp_path / "ppo.csv").read_text().splitlines()) == 12
    half = ppo.train(32, 1, tmp_path, pairs=0)
    assert weights(half) != weights(whole)
    resumed = ppo.train(32, 1, tmp_path, pairs=0, resume=True)
    assert weights(resumed) == weights(whole)
    steps = [state["step"] for state in resumed.policy.optimizer.state.values()]
    assert steps == [state["step"] for state in whole.policy.optimizer.state.values()]
    assert ppo.train(32, 2, tmp_path, pairs=0).num_timesteps == 32
