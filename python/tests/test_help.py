"""Every public member has a docstring at runtime, every example in one runs, and the reference is made from them."""

import doctest
import importlib
import inspect
import os
import re
import subprocess
import sys
import textwrap
import types

import pytest
from conftest import PROJECT

import patchwork_arena as pa

PAGE = PROJECT / "docs/python-reference.md"
ENVIRONMENTS = ("gym", "aec", "open_spiel")


def environments():
    """The modules of environments, as far as their packages are installed."""
    for name in ENVIRONMENTS:
        try:
            yield importlib.import_module(f"patchwork_arena.{name}")
        except ImportError:
            continue


def members(cls):
    """The public members that a class of this package has: names, objects and docstrings, in alphabetical order."""
    for name in sorted(dir(cls)):
        owner = next((base for base in cls.__mro__ if name in vars(base)), object)
        if name.startswith("_") or not owner.__module__.startswith("patchwork_arena"):
            continue
        value = inspect.getattr_static(cls, name)
        if name in getattr(cls, "_fields", ()):
            # A field of a named tuple is documented by the class.
            yield name, value, (re.search(rf"^ +{name}: (.*)", cls.__doc__, re.M) or [None, None])[1]
        elif callable(value) or hasattr(value, "__get__"):
            yield name, value, inspect.getdoc(getattr(cls, name))


def public():
    """The public objects of the modules: full names, objects, docstrings, and the classes that have them as members."""
    for module in (pa, *environments()):
        for name in module.__all__:
            value = getattr(module, name)
            path = f"{module.__name__}.{name}"
            if isinstance(value, type):
                yield path, value, value.__doc__, ()
                yield from ((f"{path}.{name}", member, doc, value.__mro__) for name, member, doc in members(value))
            elif isinstance(value, (types.FunctionType, types.BuiltinFunctionType)):
                yield path, value, value.__doc__, ()


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


def item(text):
    """An item of a list in lines of at most 120 characters."""
    return textwrap.fill(text, 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def markdown(doc):
    """The parts of a docstring as Markdown."""
    text, *sections = re.split(r"^(Args|Attributes|Raises|Example):\n", inspect.cleandoc(doc), flags=re.M)
    yield text.strip().replace("``", "`")
    for head, body in zip(sections[::2], sections[1::2], strict=True):
        body = textwrap.dedent(body).strip()
        if head == "Example":
            yield f"```pycon\n{body}\n```"
            continue
        if head in ("Raises", "Attributes"):
            yield f"{head}:"
        entries = re.findall(r"^([\w.]+): (.*)$", re.sub(r"\n +", " ", body), re.M)
        yield "\n".join(item(f"- `{name}`: {text.replace('``', '`')}") for name, text in entries)


def signature(value):
    """The names and defaults of the arguments, if it is called with some."""
    if not callable(value) or (isinstance(value, type) and issubclass(value, (Exception, tuple))):
        return ""
    parameters = inspect.signature(value).parameters.values()
    parameters = [one.replace(annotation=one.empty) for one in parameters if one.name != "self"]
    return str(inspect.Signature(parameters)).replace("(/, ", "(")


def reference():
    """The paragraphs of the page."""
    yield "# Python reference"
    yield "Public objects with their docstrings, which `help` shows. [Use Python](python.md) is the guide."
    for path, value, doc, _ in public():
        name = path.removeprefix("patchwork_arena.")
        owner = name.rpartition(".")[0]
        if isinstance(value, (staticmethod, classmethod)):
            value = getattr(eval(f"patchwork_arena.{owner}", {"patchwork_arena": pa}), name.split(".")[-1])
        is_member = owner not in ("", *ENVIRONMENTS)
        if not is_member:
            yield f"## {name}"
        elif type(value).__name__ == "_tuplegetter":
            continue
        yield f"**`{name}{signature(value)}`**"
        yield from markdown(doc)


def test_the_reference_is_up_to_date():
    for name in ENVIRONMENTS:
        pytest.importorskip(f"patchwork_arena.{name}", exc_type=ImportError)
    expected = "\n\n".join(reference()) + "\n"
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(expected)
    assert PAGE.read_text() == expected, "UPDATE_DOCS=1 pytest tests/test_help.py writes the page"


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
