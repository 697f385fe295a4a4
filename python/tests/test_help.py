"""Every public member has a docstring at runtime, every example in one runs, and the reference is made from them."""

import doctest
import re
import subprocess
import sys

import pytest
from conftest import PROJECT
from reference import public, reference

import patchwork_arena as pa

DOCUMENTED = [(path, doc) for path, _, doc, _ in public()]


def test_there_are_members():
    paths = [path for path, _ in DOCUMENTED]
    for path in (
        "State.legal_indices",
        "State.mover",
        "Decision.value",
        "Patch.cost",
        "rank_placements",
        "IllegalAction",
    ):
        assert f"patchwork_arena.{path}" in paths


@pytest.mark.parametrize(("path", "doc"), DOCUMENTED)
def test_a_public_member_has_a_docstring_whose_examples_run(path, doc, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert doc, f"{path} has no docstring"
    names = {**vars(pa), "np": pytest.importorskip("numpy")}
    test = doctest.DocTestParser().get_doctest(doc, names, path, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
    report: list[str] = []
    failed, _ = runner.run(test, out=report.append)
    assert not failed, "".join(report)


def in_examples(path, doc, classes):
    """Whether an example of its own or of its class, with the results, shows a member."""
    parser, name = doctest.DocTestParser(), re.compile(rf"\b{path.rpartition('.')[2]}\b")
    shown = [one for cls in classes for one in parser.get_examples(cls.__doc__ or "")]
    return bool(parser.get_examples(doc)) or any(name.search(one.source + one.want) for one in shown)


def test_a_public_member_is_in_an_example():
    assert not [path for path, _, doc, classes in public() if not in_examples(path, doc, classes)]


def test_a_member_without_example_is_found():
    class Some:
        """Some.

        Example:
            >>> [].other
        """

    assert not in_examples("Some", "Without an example.", ())
    assert not in_examples("Some.the", "The.", (Some, object))
    assert in_examples("Some.other", "Other.", (Some, object))


def test_a_docstring_without_example_or_with_a_wrong_one_is_found(tmp_path, monkeypatch):
    with pytest.raises(AssertionError, match="x has no docstring"):
        test_a_public_member_has_a_docstring_whose_examples_run("x", None, tmp_path, monkeypatch)
    with pytest.raises(AssertionError, match="Expected:\n +3"):
        test_a_public_member_has_a_docstring_whose_examples_run("x", ">>> 1 + 1\n3\n", tmp_path, monkeypatch)


def test_the_reference_has_every_member():
    page = "\n\n".join(reference())
    for path, value, _, _ in public():
        if type(value).__name__ != "_tuplegetter":
            assert f"**`{path.removeprefix('patchwork_arena.')}" in page
    assert "\n\n**`Action.kind`**\n\n`advance`, `buy` or `special`.\n\n" in page
    assert "\n\nRaises:\n\n- `ValueError`: The text is not an action.\n\n```pycon\n>>> " in page


def test_the_stub_has_the_signatures_of_the_module():
    for name in ("mypy", "patchwork_arena.open_spiel", "patchwork_arena.aec"):
        pytest.importorskip(name, exc_type=ImportError)
    # Classes of OpenSpiel have a metaclass of pybind11.
    options = {"--mypy-config-file": "pyproject.toml", "--allowlist": "tests/stubtest.txt"}
    command = [sys.executable, "-m", "mypy.stubtest", "patchwork_arena"]
    for option, file in options.items():
        command += [option, str(PROJECT / "python" / file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
