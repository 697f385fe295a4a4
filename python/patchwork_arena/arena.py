"""Tournaments: playing them, reading their results, and rating the games of any program."""

from __future__ import annotations

import csv
import json
import math
import os
import reprlib
import shutil
import sys
import tempfile
import time
import warnings
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from . import _html, _native
from ._extras import extra
from ._native import Agent, Table
from .players import Player, _agent_of

__all__ = ["TABLES", "Fault", "Page", "Results", "Tuned", "match", "rate", "run", "tune"]

TABLES: tuple[str, ...] = ("games", "plies", *_native.TABLES)
"""The names of the tables of `Results`."""

_Path = str | os.PathLike[str]


def _path(name: str, given: _Path) -> Path:
    """A path that an argument of this name gives."""
    if not isinstance(given, (str, os.PathLike)):
        raise TypeError(f"{name}: expected a path, found a value of type {type(given).__name__}")
    if not os.fspath(given):
        raise ValueError(f"{name}: expected a path, found an empty text")
    return Path(given)


def _short(text: str) -> str:
    """A text for a message, which may be of any length."""
    return text if len(text) < 500 else f"{text[:200]} [...] {text[-200:]}"


class Page:
    """The page of a report, which a notebook shows. ``str`` gives its HTML."""

    def __init__(self, html: str) -> None:
        self._html = html

    def __str__(self) -> str:
        return self._html

    def _repr_html_(self) -> str:
        style = "width:100%;height:800px;border:1px solid #8888;border-radius:8px"
        return f'<iframe style="{style}" srcdoc="{escape(self._html, quote=True)}"></iframe>'


def _table(name: str, about: str) -> Any:
    """A table of the results, which is made when it is asked for."""
    return property(lambda results: results.table(name), doc=about)


class Results:
    """The results of a tournament.

    Its tables are `Table` objects, which pandas, polars, pyarrow and duckdb take without a copy:
    ``polars.DataFrame(results.ratings)``.

    Args:
        folder: The results folder of a tournament or a match, which is only read.

    Attributes:
        name: The name of the tournament.
        agents: The names of the agents, in the order of the plan.
        faulty: The agents that lost games by faults, with the numbers of these games.
        games_played: The number of games that are finished.
        games_planned: The number of games of the plan; an upper bound if it depends on results.
        state: How far the tournament is: ``searching`` or ``playing`` while a program adds games, ``complete``, or
            ``stopped`` if games are missing.

    Raises:
        ResultsError: There are no results in the folder, or they are damaged.

    Example:
        >>> results = match("greedy-inorder", "random", pairs=2, progress=False)
        >>> [len(one) for one in (results.ratings, results.pairings, results.patches, results.games)]
        [2, 1, 33, 4]
        >>> len(results.comparisons["elo"]), results.faults(), results.faulty
        (1, [], {})
        >>> len(results.table("plies")) == len(results.plies), results.summary()["ratings"][0]["agent"]
        (True, 'greedy-inorder')
        >>> results.text()[:8], str(results.report())[:15]
        ('+280 Elo', '<!DOCTYPE html>')
    """

    def __init__(self, folder: _Path) -> None:
        self._set(_native.ArenaResults(_path("folder", folder)))
        self._folder = _path("folder", folder).absolute()

    _folder: Path | None = None
    """The folder they were read from; pickles have its path. Those of other results have the games."""

    def _set(self, native: _native.ArenaResults) -> None:
        self._native = native
        name, faults, games, planned, state = native.facts()
        self.name: str = name
        self.agents: list[str] = [agent for agent, _ in faults]
        self.faulty: dict[str, int] = {agent: count for agent, count in faults if count}
        self.games_played: int = games
        self.games_planned: int = planned
        self.state: str = state

    @classmethod
    def _of(cls, native: _native.ArenaResults) -> Results:
        results = cls.__new__(cls)
        results._set(native)
        return results

    def table(self, name: str) -> Table:
        """One of the tables that ``docs/tables.md`` describes, such as ``games`` or ``plies``; `TABLES` names them.

        Raises:
            KeyError: There is no such table.
        """
        return self._native.table(name)

    ratings: Table = _table(
        "ratings",
        """One row per agent: Elo with its 95% interval, games, wins, scores, times, games that it lost by faults.

        ``elo`` is relative to the mean of the agents: between two of them, it is half of their difference in
        `comparisons`.
        """,
    )
    comparisons: Table = _table(
        "comparisons", "One row per pair of agents: ``elo`` is the difference of their ratings, with its 95% interval."
    )
    pairings: Table = _table("pairings", "One row per pairing of two agents: the crosstable as a list.")
    patches: Table = _table("patches", "One row per patch: how often it is bought, and what it is worth.")
    games: Table = _table("games", "One row per game, in the order of the plan.")
    plies: Table = _table(
        "plies", "One row per decision: the position in numbers, the action, the search, the time in nanoseconds."
    )

    def faults(self) -> list[Fault]:
        """The games that were lost by faults."""
        return [Fault(*fault) for fault in self._native.faults(2**32)]

    def _warn(self) -> Results:
        """These results, with a warning if games were lost by faults."""
        if self.faulty:
            (first,) = self._native.faults(1)
            fault = Fault(*first)
            who = (fault.first, fault.second)[fault.loser]
            what = f"{self!r}; {who} lost game {fault.game} by {fault.reason}:\n{fault.text}"
            warnings.warn(what, RuntimeWarning, stacklevel=3)
        return self

    def summary(self) -> dict[str, Any]:
        """All statistics, as ``report --format json`` prints them; ``docs/report.schema.json`` describes them."""
        summary: dict[str, Any] = json.loads(self._native.json())
        return summary

    def text(self, *, full: bool = False) -> str:
        """The report as text: the ranking and one line for each other section, or all sections."""
        return self._native.text(full)

    def report(self) -> Page:
        """The page with plots and a viewer for games, which a notebook shows."""
        return Page(self._native.page())

    def _repr_html_(self) -> str:
        notes = ["Elo is relative to the mean of the agents.", *self.text().splitlines()[:1]]
        return f"<p>{escape(repr(self))}</p>{_html.table(self.ratings)}<p>{escape(' '.join(notes))}</p>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._folder:
            return Results, (self._folder,)
        with tempfile.TemporaryDirectory() as folder:
            self._native.save(folder)
            return _unpickle, ({file.name: file.read_bytes() for file in Path(folder).iterdir()},)

    def __repr__(self) -> str:
        lost = ", ".join(f"{count} lost by faults of {agent}" for agent, count in self.faulty.items())
        return f"Results({self.name!r}: {self.games_played} of {self.games_planned} games{', ' if lost else ''}{lost})"


def _unpickle(files: dict[str, bytes]) -> Results:
    """Results from the files of their folder, which lives as long as they do."""
    folder = Path(tempfile.mkdtemp())
    for name, content in files.items():
        (folder / name).write_bytes(content)
    results = Results._of(_native.ArenaResults(folder))
    weakref.finalize(results, shutil.rmtree, folder, ignore_errors=True)
    return results


class Fault(NamedTuple):
    """A game that an agent lost by a fault.

    Attributes:
        game: The number of the game, as in ``games.db``.
        first: The agent in the first seat.
        second: The agent in the second seat.
        loser: The seat that lost, 0 or 1.
        reason: Such as ``crash``, ``illegal action`` or ``time``.
        text: What the program wrote to its standard error, or the traceback of a player in Python, and the fault.
    """

    game: int
    first: str
    second: str
    loser: int
    reason: str
    text: str


class _Progress:
    """A progress bar of tqdm, lines on the standard error without it, a function, or nothing."""

    def __init__(self, wanted: bool | Callable[[int, int], object], name: str) -> None:
        if not (wanted is True or callable(wanted)) and wanted:
            found = f"a value of type {type(wanted).__name__}"
            raise TypeError(f"progress: expected True, False or a function, found {found}")
        self._bar: Any = None
        self._name = name
        self._wanted = wanted
        self._start = self._next = time.monotonic()
        self._first: int | None = None

    def __call__(self, done: int, planned: int) -> None:
        if callable(self._wanted):
            self._wanted(done, planned)
        elif self._wanted:
            self._first = done if self._first is None else self._first
            try:
                from tqdm.auto import tqdm
            except ImportError:
                self._write(done, planned)
                return
            if self._bar is None:
                self._bar = tqdm(total=planned, initial=done, desc=self._name, unit="game")
            self._bar.update(done - self._bar.n)

    def _write(self, done: int, planned: int) -> None:
        """Writes a line from time to time. What takes less than a second writes nothing."""
        now = time.monotonic()
        seconds, new = now - self._start, done - (self._first or 0)
        if seconds < 1 or now < self._next:
            return
        self._next = now + min(10.0, seconds)
        left = f", about {seconds * (planned - done) / new:.0f} s left" if new and planned > done else ""
        print(f"{self._name}: {done} of {planned} games{left}", file=sys.stderr, flush=True)

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


def run(
    file: _Path,
    *,
    results: _Path = "results",
    agents: _Path | None = None,
    threads: int | None = None,
    strict: bool = False,
    progress: bool | Callable[[int, int], object] = True,
) -> Results:
    r"""Plays a tournament, or resumes one, as ``patchwork-arena run`` does: the folder has the same bytes.

    With Ctrl-C, the finished games are stored and ``KeyboardInterrupt`` is raised; the same call resumes.

    Args:
        file: The tournament file.
        results: The folder in which the tournament's own folder is created.
        agents: A folder in which agents are looked up, instead of the usual ones.
        threads: The number of games played at once; all processors by default.
        strict: Whether a fault of a player in Python ends the tournament; see `match`.
        progress: Shows a progress bar of tqdm, or lines if it is not installed; or a function of the numbers of games
            that are finished and planned.

    Raises:
        ConfigError: A file has a mistake.
        ResultsError: The folder belongs to another plan, is damaged or in use.
        AgentFault: With ``strict``, a player in Python failed.
        RuntimeError: An agent failed in a way that ends a tournament.

    Example:
        >>> from pathlib import Path
        >>> settings = ['name = "small"', 'agents = ["random", "greedy-inorder"]', "pairs = 1"]
        >>> size = Path("small.toml").write_text("\n".join(settings))
        >>> run("small.toml", progress=False)
        Results('small': 2 of 2 games)
    """
    file, results = _path("file", file), _path("results", results)
    agents = None if agents is None else _path("agents", agents)
    with _Progress(progress, file.stem) as bar:
        return Results._of(_native._run(file, results, agents, threads, strict, bar))._warn()


class Tuned(NamedTuple):
    r"""What a search for better settings has found.

    Attributes:
        folder: The folder of its games, tables and page, ``tuning.html``.
        summary: All numbers of the report, as ``tune --format json`` prints them.
        text: The report as text.
        best: The winner, if it is proven to be better than the base.

    Example:
        >>> from pathlib import Path
        >>> settings = ['name = "tune"', 'base = "mcts-fast"', "pairs = 16", "budget = { iterations = 4 }"]
        >>> settings += ['space = { "search.exploration" = { low = 0.1, high = 2.0 } }', "proof = { pairs = 2 }"]
        >>> size = Path("tune.toml").write_text("\n".join(settings))
        >>> tuned = tune("tune.toml", progress=False)
        >>> tuned.folder.name, type(tuned.summary), tuned.text[:9], tuned.best, str(tuned.report())[:15]
        ('tune', <class 'dict'>, 'No better', None, '<!DOCTYPE html>')
    """

    folder: Path
    summary: dict[str, Any]
    text: str
    best: Agent | None

    def report(self) -> Page:
        """The page with plots, which a notebook shows."""
        return Page((self.folder / "tuning.html").read_text(encoding="utf-8"))


def tune(
    file: _Path,
    *,
    results: _Path = "results",
    agents: _Path | None = None,
    threads: int | None = None,
    progress: bool | Callable[[int, int], object] = True,
) -> Tuned:
    """Searches for better settings of an agent, or resumes a search, as ``patchwork-arena tune`` does.

    The folder has the same bytes, except for measured times. With Ctrl-C, the finished games are stored and
    ``KeyboardInterrupt`` is raised; the same call resumes.

    Args:
        file: The tuning file, which ``docs/tuning.md`` describes.
        results: The folder in which the search's own folders are created.
        agents: A folder in which agents are looked up, instead of the usual ones.
        threads: The number of games played at once; all processors by default.
        progress: As in `run`, for the games of the search. The matches that prove the winner come after them.

    Raises:
        ConfigError: A file has a mistake.
        ResultsError: A folder belongs to another plan, is damaged or in use.
        RuntimeError: An agent failed in a way that ends a search.

    Example:
        >>> tune("no-such.toml")
        Traceback (most recent call last):
        patchwork_arena.ConfigError: no-such.toml: no such file
    """
    file, results = _path("file", file), _path("results", results)
    agents = None if agents is None else _path("agents", agents)
    with _Progress(progress, file.stem) as bar:
        folder, summary, text, best = _native._tune(file, results, agents, threads, bar)
    return Tuned(folder, json.loads(summary), text, Agent.load(best) if best else None)


def match(
    first: Agent | Player | type[Player] | str,
    second: Agent | Player | type[Player] | str,
    *,
    pairs: int = 20,
    seed: int = 1,
    track: str = "original",
    save: _Path | None = None,
    threads: int | None = None,
    strict: bool | None = None,
    progress: bool | Callable[[int, int], object] = True,
) -> Results:
    """Plays two agents against each other, as ``patchwork-arena match`` does.

    A game that an agent loses by a fault counts as lost: a `RuntimeWarning` has the first traceback, and the results
    say whose faults they are. ``KeyboardInterrupt`` and ``SystemExit`` in a player end the match and are raised.

    Args:
        first: An agent, its name or path with overrides in braces or without, or a `Player`: the class or an instance.
        second: Another one; the names must differ. A second player of the same name gets the number 2.
        pairs: The number of setups; each is played twice with the seats swapped.
        seed: Of all random choices.
        track: ``original`` or ``revised``, or with a komi as in ``original+2``.
        save: A folder in which the games are kept, so that the match can be resumed; in memory without it.
        threads: The number of games played at once; all processors by default.
        strict: Whether a fault of a player in Python ends the match: its game does not count, and `AgentFault` has the
            exception as its cause. By default, it does if one of the players is an instance.
        progress: See `run`.

    Raises:
        ConfigError: There is no such agent.
        ValueError: An argument is out of range, both agents have one name, or a player cannot be compared with others;
            see `Player.agent`.
        AgentFault: With ``strict``, a player in Python failed.

    Example:
        >>> match("greedy-inorder", "random", pairs=2, progress=False)
        Results('greedy-inorder against random': 4 of 4 games)
    """
    both = [_agent(agent) for agent in (first, second)]
    if both[0].name == both[1].name and not isinstance(second, (Agent, str, os.PathLike)):
        both[1] = _agent_of(second, f"{both[1].name}-2")
    if strict is None:
        strict = isinstance(first, Player) or isinstance(second, Player)
    save = None if save is None else _path("save", save)
    with _Progress(progress, " against ".join(agent.name for agent in both)) as bar:
        return Results._of(_native._match(both, pairs, seed, track, save, threads, strict, bar))._warn()


def _agent(agent: Agent | Player | type[Player] | str, version: int | None = None) -> Agent:
    if isinstance(agent, Agent):
        return agent
    if isinstance(agent, Player) or (isinstance(agent, type) and issubclass(agent, Player)):
        return _agent_of(agent, version=version)
    if isinstance(agent, (str, os.PathLike)):
        return Agent.load(agent)
    found = f"the class {agent.__name__}" if isinstance(agent, type) else f"a value of type {type(agent).__name__}"
    raise TypeError(f"expected an agent, its name or path, or a Player, found {found}")


def rate(games: Any, *, anchor: tuple[str, float] | None = None) -> Table:
    """Rates the players of any game, as ``patchwork-arena rate`` does.

    Args:
        games: The path of a file that ``rate`` reads; or a data frame, a `Table`, anything else with the PyCapsule
            interface of Arrow (which needs pyarrow), a mapping of columns or rows. They have ``first`` and ``second``
            (names) and ``winner`` (``first``, ``second`` or ``draw``). A column ``pair`` or ``setup`` joins the games
            on one setup.
        anchor: A player and its rating; otherwise the mean is 0.

    Raises:
        ValueError: The games cannot be rated, or a column is missing.
        TypeError: It is none of these.

    Example:
        >>> games = [{"first": "ann", "second": "bob", "winner": winner} for winner in ("first", "second", "first")]
        >>> rate(games, anchor=("bob", 1500))["agent"]
        ['ann', 'bob']
    """
    if anchor is not None:
        anchor = _anchor(anchor)
    if isinstance(games, (str, os.PathLike)):
        return _native._rate(games, anchor)
    columns = _columns(games)
    for needed in ("first", "second", "winner"):
        if needed not in columns:
            raise ValueError(f"games: expected a column {needed}, found {_short(', '.join(columns) or 'no columns')}")
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        found = _short(", ".join(f"{name} {length}" for name, length in lengths.items()))
        raise ValueError(f"games: expected columns of the same length, found {found}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.csv"
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            kept = [name for name in columns if name in ("first", "second", "winner", "pair", "setup", "pairing")]
            writer.writerow(kept)
            writer.writerows(zip(*(columns[name] for name in kept), strict=True))
        try:
            return _native._rate(path, anchor)
        except ValueError as error:
            # The user has no such file. Its first line has the names of the columns.
            raise ValueError(_short(str(error).replace(f"{path}: ", "games, written as CSV: "))) from None


def _anchor(anchor: Any) -> tuple[str, float]:
    if isinstance(anchor, tuple) and len(anchor) == 2 and isinstance(anchor[0], str):
        rating = anchor[1]
        if isinstance(rating, (int, float)) and math.isfinite(rating):
            return anchor[0], float(rating)
    raise ValueError(f"anchor: expected a player and its rating as in ('ann', 1500), found {reprlib.repr(anchor)}")


def _columns(games: Any) -> dict[str, Sequence[Any]]:
    """The columns of a data frame, of a mapping, or of a list of rows."""
    if isinstance(games, Mapping):
        for name, column in games.items():
            if isinstance(column, str) or not isinstance(column, Iterable):
                raise TypeError(
                    f"games: {_short(str(name))}: expected a column, found a value of type {type(column).__name__}"
                )
        return {str(name): list(column) for name, column in games.items()}
    if hasattr(games, "to_dict"):
        # pandas, polars and `Table` name it alike; pandas wants to be told that columns are meant.
        found = games.to_dict("list") if hasattr(games, "iloc") else games.to_dict()
        return {str(name): list(column) for name, column in found.items()}
    if hasattr(games, "__arrow_c_stream__"):
        with extra("frames"):
            import pyarrow
        return _columns(pyarrow.RecordBatchReader.from_stream(games).read_all().to_pydict())
    if isinstance(games, Iterable):
        rows = list(games)
        if all(isinstance(row, Mapping) for row in rows):
            names = list(rows[0]) if rows else []
            for number, row in enumerate(rows):
                if missing := [name for name in names if name not in row]:
                    raise ValueError(f"games: row {number} has no {_short(str(missing[0]))}")
            return {str(name): [row[name] for row in rows] for name in names}
    raise TypeError(f"games: expected a path, a data frame or rows, found a value of type {type(games).__name__}")
