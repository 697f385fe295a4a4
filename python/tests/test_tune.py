"""Tuning from Python is that of the program: resumable, with the same files, and driven by Optuna."""

import json
import subprocess

import pytest

import patchwork_arena as pa

TUNING = """
name = "small"
base = "mcts-fast-1{search.exploration=3.0}"
method = "random"
pairs = 24
equal = "budget"

[budget]
iterations = 8

[space]
"search.exploration" = [0.2, 1.0, 3.0]
"rollout.pick" = ["greedy", "uniform"]

[proof]
pairs = 4
slow_pairs = 2
"""


def files(folder):
    """What does not depend on measured times."""
    names = ["tuning.json", "candidates.csv", "importance.csv", "effects.csv", "convergence.csv"]
    return {name: (folder / name).read_bytes() for name in names}


def test_a_search_gives_its_report_and_resumes(tmp_path):
    (tmp_path / "small.toml").write_text(TUNING)
    seen = []

    def stop(done, planned):
        seen.append((done, planned))
        if done >= 10:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        pa.tune(tmp_path / "small.toml", results=tmp_path / "stopped", threads=1, progress=stop)
    assert seen[-1][0] >= 10
    assert seen[-1][1] == 48
    stopped = pa.tune(tmp_path / "small.toml", results=tmp_path / "stopped", progress=False)
    tuned = pa.tune(tmp_path / "small.toml", results=tmp_path / "whole", threads=2, progress=False)
    assert files(stopped.folder) == files(tuned.folder)
    assert json.loads((tuned.folder / "tuning.json").read_text()) == tuned.summary
    assert tuned.folder == tmp_path / "whole/small"
    assert tuned.summary["name"] == "small"
    assert "search.exploration" in tuned.text
    assert "<html" in str(tuned.report())
    assert tuned.best is None or (tuned.folder / "best.toml").exists()
    assert pa.Results(tuned.folder).games_played == 48
    assert pa.Results(tmp_path / "whole/small/proof").games_played == 8


def test_the_program_searches_alike(program, tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(TUNING)
    tuned = pa.tune(file, results=tmp_path / "python", progress=False)
    there = tmp_path / "program"
    done = subprocess.run([program, "tune", file, "--results", there, "--quiet"], check=True, capture_output=True)
    assert files(there / "small") == files(tuned.folder)
    assert done.stdout


def test_mistakes_in_a_tuning_file_are_told(tmp_path):
    for mistake, message in [
        ('method = "random"', "method"),
        ('"search.exploration" = [0.2, 1.0, 3.0]', "search.exploratoin"),
    ]:
        text = TUNING.replace(mistake, mistake.replace("random", "luck").replace("exploration", "exploratoin"))
        (tmp_path / "small.toml").write_text(text)
        with pytest.raises(pa.ConfigError, match=message):
            pa.tune(tmp_path / "small.toml", results=tmp_path, progress=False)
    with pytest.raises(pa.ConfigError, match="nothing.toml"):
        pa.tune(tmp_path / "nothing.toml", results=tmp_path, progress=False)
    assert not (tmp_path / "small").exists()
