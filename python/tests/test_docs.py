"""Every block of docs/python.md is run, and its table of scalars is made from the package."""

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


def test_the_table_of_scalars_is_up_to_date():
    rows = ["| index | name | range | |", "|---|---|---|---|"]
    rows += [f"| {i} | `{s.name}` | {s.least:g} to {s.most:g} | {s.about} |" for i, s in enumerate(pa.SCALARS)]
    text = PAGE.read_text()
    head, rest = text.split("<!-- scalars -->\n")
    _, tail = rest.split("<!-- end -->")
    table = "\n".join(rows) + "\n"
    expected = f"{head}<!-- scalars -->\n{table}<!-- end -->{tail}"
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(expected)
    assert text == expected, "UPDATE_DOCS=1 pytest tests/test_docs.py writes the table"


@pytest.mark.parametrize("example", ["first_game.py"])
def test_the_examples_run(example):
    file = PROJECT / "python/examples" / example
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout
