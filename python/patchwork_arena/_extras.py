"""Packages that only some modules need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Around imports: the error of a missing package names the extra that installs it."""
    try:
        yield
    except ImportError as missing:
        what = f"{missing}; expected what pip install 'patchwork-arena[{name}]' installs"
        raise ImportError(what, name=missing.name) from None
