"""The Python reference as Markdown, made from the docstrings of the installed package; scripts/reference runs this."""

import importlib
import inspect
import re
import textwrap
import types

import patchwork_arena as pa

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
        names = getattr(module, "__all__", sorted(vars(module)))
        for name in (name for name in names if not name.startswith("_")):
            value = getattr(module, name)
            path = f"{module.__name__}.{name}"
            if isinstance(value, type):
                yield path, value, value.__doc__, ()
                yield from ((f"{path}.{name}", member, doc, value.__mro__) for name, member, doc in members(value))
            elif isinstance(value, (types.FunctionType, types.BuiltinFunctionType)):
                yield path, value, value.__doc__, ()


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
    yield "Public objects with their docstrings, which `help` shows. docs/python.md is the guide."
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


if __name__ == "__main__":
    print("\n\n".join(reference()))
