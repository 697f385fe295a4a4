"""What a player in Python is made of, as a hash by which tournaments know its games."""

from __future__ import annotations

import copyreg
import dis
import functools
import importlib.util
import pickle
import re
import sys
import types
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from contextvars import ContextVar
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import numpy as np

from ._native import Agent

_ATOMS: tuple[type, ...] = (type(None), bool, int, float, complex, str, bytes)
_CODE = ("code", "consts", "names", "varnames", "freevars", "cellvars", "argcount", "kwonlyargcount", "flags")
_SLOTS: tuple[type, ...] = (types.MemberDescriptorType, types.GetSetDescriptorType, types.WrapperDescriptorType)
_MAPPINGS: tuple[type, ...] = (dict, OrderedDict, types.MappingProxyType)
_DEEPEST = 100
_NOT_PLAYED = re.compile(
    "_abc_impl|__(annotations|annotate_func|annotations_cache|dataclass_fields|dataclass_params|dict|doc|firstlineno|"
    "module|slotnames|static_attributes|weakref)__"
)
"""Attributes of classes that have no part in play, some of which Python adds later."""

_own: ContextVar[str] = ContextVar("_own", default="")
"""The package of the player, whose parts count also where it is installed."""

_Parts = Iterator[tuple[str, Any]]
"""What an object consists of, with names for messages."""


def contents(player: Any) -> str:
    """A hash of what a class or an instance plays by: its compiled functions, its attributes, and what these refer to.

    What belongs to other packages, those of Python and those that pip installs, counts by its name.

    Raises:
        ValueError: A part cannot be compared. The message names it.
    """
    cls = player if isinstance(player, type) else type(player)
    token = _own.set(cls.__module__.partition(".")[0])
    try:
        return _Contents().of(player, (), ()).hex()
    finally:
        _own.reset(token)


class _Contents:
    """Hashes of objects. They are the same for equal objects, in every process."""

    def __init__(self) -> None:
        # With the objects, so that none of them takes the place of another one in memory.
        self.known: dict[int, tuple[object, bytes]] = {}

    def of(self, value: Any, path: tuple[str, ...], above: tuple[int, ...]) -> bytes:
        kind, key = type(value), id(value)
        if kind in _ATOMS:
            return _hash(kind.__name__.encode(), pickle.dumps(value, 4))
        if key in above:
            return _hash(b"above", str(above[::-1].index(key)).encode())
        if key not in self.known:
            try:
                parts = list(_parts(value))
                if len(above) == _DEEPEST:
                    raise ValueError(f"it is {_DEEPEST} levels deep")
            except Exception as error:
                what = f"a value of type {kind.__name__} cannot be compared with others ({error!s:.200})"
                raise ValueError(": ".join(filter(None, [".".join(path), what]))) from None
            found = [self.of(part, (*path, name) if name else path, (*above, key)) for name, part in parts]
            if kind in (set, frozenset):
                found.sort()
            self.known[key] = value, _hash(f"{kind.__module__}:{kind.__qualname__}".encode(), *found)
        return self.known[key][1]


def _hash(*parts: bytes) -> bytes:
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.digest()


def _is_library(module: Any) -> bool:
    """Whether a module belongs to Python, to this package or to an installed one; not all types in C name theirs."""
    root = (module if isinstance(module, str) else "builtins").partition(".")[0]
    if root in sys.modules:
        file = getattr(sys.modules[root], "__file__", None)
    else:
        file = getattr(importlib.util.find_spec(root), "origin", None)
    is_installed = "site-packages" in (file or "") or "dist-packages" in (file or "")
    return root == __package__ or (root != _own.get() and (is_installed or root in sys.stdlib_module_names))


def _is_known_by_name(value: Any) -> bool:
    """Whether it is a class or a function of a library."""
    kinds = (type, types.FunctionType, types.BuiltinFunctionType, types.MethodType)
    if not isinstance(value, kinds) or not _is_library(value.__module__):
        return False
    module = sys.modules.get(value.__module__ or "")
    if isinstance(value, types.MethodType):  # Such as `random.choice`; others belong to an object.
        return getattr(module, value.__name__, None) is value
    if isinstance(value, type) and (getattr(module, "__file__", None) or "").endswith(".py"):
        # Such as `make_dataclass` makes classes for others.
        names = value.__qualname__.split(".")
        return functools.reduce(lambda owner, name: getattr(owner, name, None), names, module) is value
    return "<locals>" not in value.__qualname__


def _parts(value: Any) -> _Parts:
    torch = sys.modules.get("torch")
    if _is_known_by_name(value):
        yield from (("", value.__module__), ("", value.__qualname__))
        yield "", getattr(value, "__self__", None) if isinstance(value, types.BuiltinFunctionType) else None
    elif isinstance(value, types.ModuleType):
        yield "", value.__name__
        if not _is_library(value.__name__):
            yield from sorted(one for one in vars(value).items() if not one[0].startswith("__"))
    elif isinstance(value, Agent):
        yield from (("", value.name), ("", value.settings))
    elif type(value) is np.ndarray and not (value.dtype.hasobject or value.dtype.fields):
        yield from (("", value.dtype.str), ("", value.shape), ("", value.tobytes()))
    elif torch and isinstance(value, torch.Tensor):
        plain = value.detach().cpu().contiguous()
        raw = plain.reshape(-1).view(torch.uint8).numpy()
        yield from (("", str(plain.dtype)), ("", tuple(plain.shape)), ("", raw.tobytes()))
    elif isinstance(value, types.FunctionType):
        parts = [value.__code__, value.__defaults__, value.__kwdefaults__, *sorted(vars(value).items())]
        yield from ((value.__name__, part) for part in parts)
        yield from _references(value)
    elif isinstance(value, types.CodeType):
        yield from (("", getattr(value, f"co_{name}", None)) for name in (*_CODE, "exceptiontable"))
    elif isinstance(value, types.CellType):
        yield from [("", value.cell_contents)] if value != types.CellType() else []
    elif isinstance(value, type):
        yield from (("", value.__qualname__), ("", value.__bases__), ("", type(value)))
        for name, part in sorted(vars(value).items()):
            if not _NOT_PLAYED.fullmatch(name):
                yield name, part
    elif isinstance(value, _SLOTS):
        yield "", getattr(value, "__name__", "")
    elif isinstance(value, property):
        yield from (("", part) for part in (value.fget, value.fset, value.fdel))
    elif isinstance(value, (classmethod, staticmethod, types.MethodType)):
        yield from (("", value.__func__), ("", getattr(value, "__self__", None)))
    elif isinstance(value, functools.cached_property):
        yield "", value.func
    elif isinstance(value, functools._lru_cache_wrapper):
        yield "", value.__wrapped__
    elif type(value) in (list, tuple, set, frozenset):
        yield from (("", part) for part in value)
    elif type(value) in _MAPPINGS:
        for key, part in value.items():
            yield from (("", key), (key if isinstance(key, str) else "", part))
    else:
        yield from _state(value)


def _state(value: Any) -> _Parts:
    """The class and the state of an object, as it is pickled, and all attributes of one that is not of a library."""
    yield "", type(value)
    if not _is_library(type(value).__module__):
        yield from sorted(getattr(value, "__dict__", {}).items())
    reduce: Any = copyreg.dispatch_table.get(type(value))
    reduced = reduce(value) if reduce else value.__reduce_ex__(4)
    if isinstance(reduced, str):
        yield "", reduced
        return
    call, arguments, state, items, pairs = (*reduced, None, None, None)[:5]
    yield from (("", part) for part in (call, arguments, list(items or ()), list(pairs or ())))
    is_attributes = type(state) is dict and all(isinstance(key, str) for key in state)
    yield from sorted(state.items()) if is_attributes else [("", state)]


def _references(function: types.FunctionType) -> _Parts:
    """The globals, closures and imports of a function, and what modules that are not of libraries have for it."""
    codes, scope = [function.__code__], function.__globals__
    for one in codes:
        codes.extend(part for part in one.co_consts if isinstance(part, types.CodeType))
    steps = [step for one in codes for step in dis.get_instructions(one) if step.opname != "EXTENDED_ARG"]
    names = {step.argval for step in steps if "GLOBAL" in step.opname or step.opname == "LOAD_NAME"}
    found = [(name, scope[name]) for name in sorted(names & scope.keys())]
    for name, cell in zip(codes[0].co_freevars, function.__closure__ or (), strict=True):
        is_module = cell != types.CellType() and isinstance(cell.cell_contents, types.ModuleType)
        found.append((name, cell.cell_contents if is_module else cell))
    for level, step in zip(steps, steps[2:], strict=False):
        if step.opname == "IMPORT_NAME":
            name = importlib.util.resolve_name("." * level.argval + step.argval, scope.get("__package__"))
            with suppress(ImportError):  # The function may do without it.
                found.extend([(name, importlib.import_module(name))] if not _is_library(name) else [])
    attributes = {name for one in codes for name in one.co_names}
    # What is handed on may be asked for anything.
    asked = ("LOAD_ATTR", "LOAD_METHOD")
    handed_on = {one.argval for one, then in pairwise(steps) if then.opname not in asked}
    handed_on -= {step.argval for step in steps if step.opname == "IMPORT_NAME"}
    modules: list[types.ModuleType] = []
    for name, part in found:
        if not isinstance(part, types.ModuleType) or _is_library(part.__name__) or name in handed_on:
            yield name, part
        elif part not in modules:
            modules.append(part)
            found.extend((name, vars(part)[name]) for name in sorted(attributes & vars(part).keys()))
