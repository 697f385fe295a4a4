"""The cells of the notebook run in order, and a notebook can show what their last lines give."""

import ast
import json
import sys

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


@pytest.mark.filterwarnings("default")  # of the kernel and what it needs
def test_a_running_notebook_draws_progress_bars_that_end(tmp_path, monkeypatch):
    nbclient = pytest.importorskip("nbclient")
    for needed in ("ipykernel", "ipywidgets", "tqdm"):
        pytest.importorskip(needed)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    # The kernel of this interpreter, whichever kernels the user has.
    kernel = {"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], "language": "python"}
    (tmp_path / "kernels/here").mkdir(parents=True)
    (tmp_path / "kernels/here/kernel.json").write_text(json.dumps({**kernel, "display_name": "here"}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    (tmp_path / "small.toml").write_text('name = "small"\nagents = ["random", "greedy-inorder"]\npairs = 20\n')
    cells = [
        "import patchwork_arena as pa\nlen(pa.match('greedy-inorder', 'random', pairs=10).games)",
        "len(pa.run('small.toml').games)",
        "class Odd(pa.Player):\n    def decide(self, state):\n        raise ValueError\n"
        "len(pa.match(Odd, 'random', pairs=5, threads=1).games)",
        # An interrupt, once there is a bar.
        "import _thread, threading, time\nfrom tqdm.auto import tqdm\ndef stop():\n"
        "    while not any(bar.n for bar in tqdm._instances):\n"
        "        time.sleep(0.01)\n    _thread.interrupt_main()\nthreading.Thread(target=stop).start()\n"
        "try:\n    pa.match('mcts-fast', 'random', pairs=10000)\nexcept KeyboardInterrupt:\n    print('stopped')",
        "len(pa.match('greedy-inorder', 'random', pairs=1, progress=False).games)",
    ]
    notebook = nbformat_of(cells)
    nbclient.NotebookClient(
        notebook, timeout=60, kernel_name="here", resources={"metadata": {"path": tmp_path}}
    ).execute()
    models = notebook.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"]

    def bars(cell):
        """What each bar below the cell and its texts show at the end."""
        shown = [output["data"] for output in cell.outputs if "data" in output]
        views = [data["application/vnd.jupyter.widget-view+json"] for data in shown if len(data) > 1]
        for view in views:
            box = models[view["model_id"]]["state"]["children"]
            before, bar, after = (models[child.removeprefix("IPY_MODEL_")]["state"] for child in box)
            # Its spaces are as wide as digits.
            yield before["value"].replace("\u2007", " "), bar["value"], bar["max"], bar["bar_style"], after["value"]

    played = [list(bars(cell)) for cell in notebook.cells]
    names = [("greedy-inorder against random", 20), ("small", 40), ("Odd against random", 10)]
    for found, (name, games) in zip(played[:3], names, strict=True):
        [(before, value, most, style, after)] = found
        assert before == f"{name}: 100%"
        assert (value, most, style) == (games, games, "success")
        assert f"{games}/{games}" in after
    [(_, value, most, style, _)] = played[3]
    assert most == 20000
    assert value < most
    assert style == "danger"
    assert "stopped" in notebook.cells[3].outputs[-1]["text"]
    assert played[4] == []


def nbformat_of(cells):
    """A notebook of these cells."""
    nbformat = pytest.importorskip("nbformat")
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
