"""The cells of the notebook run in order, and a notebook can show what their last lines give."""

import ast
import json

import pytest
from conftest import PROJECT

NOTEBOOK = PROJECT / "python/examples/first-hour.ipynb"


def test_the_notebook_runs(tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    pytest.importorskip("polars")
    matplotlib.use("agg")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "__main__"}
    shown = []
    for number, cell in enumerate(json.loads(NOTEBOOK.read_text())["cells"]):
        if cell["cell_type"] != "code":
            continue
        assert not cell["outputs"], "the notebook is kept without outputs"
        body = ast.parse("".join(cell["source"]), f"cell {number}").body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), f"cell {number}", "exec"), namespace)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), namespace)
            shown.append(value._repr_html_() if hasattr(value, "_repr_html_") else repr(value))
    assert sum("<" in one for one in shown) >= 5
