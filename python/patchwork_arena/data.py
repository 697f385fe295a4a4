"""Data to learn from: positions in batches, self-play, files of examples, and the symmetries of quilts."""

from __future__ import annotations

import io
import itertools
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, SupportsIndex

import numpy as np
import numpy.typing as npt

from . import _native
from ._extras import extra
from ._native import ACTIONS, OBSERVATION_SIZE, PICKS, Action, IllegalAction, Setup, State, Trees, picks
from .arena import _path
from .positions import PATCHES, Observation
from .search import Evaluate, _numbers, search_batch

__all__ = ["Examples", "action_masks", "observe", "play", "self_play", "symmetric_actions", "symmetric_quilts"]


def observe(states: Iterable[State], players: Iterable[SupportsIndex | None] | None = None) -> Observation:
    """What the players to move see in many positions, or given players: `State.observe` with the position first.

    Example:
        >>> observe([State(Setup.random(1, number)) for number in range(3)]).vector().shape
        (3, 477)
    """
    each = itertools.repeat(None) if players is None else players
    seen = [state.observe(player) for state, player in zip(_native._states(states), each, strict=players is not None)]
    shapes = ((5, 9, 9), np.uint8), ((39,), np.float32), ((33,), np.uint8)
    parts = zip(*seen, strict=True) if seen else [()] * 3
    return Observation(*(np.array(part, kind).reshape(-1, *of) for part, (of, kind) in zip(parts, shapes, strict=True)))


def action_masks(states: Iterable[State], strategy: str | None = None, *, seed: int = 1) -> npt.NDArray[np.bool_]:
    """The legal actions of many positions: shape (positions, 2026), or (positions, 4) with a strategy; see `picks`.

    After the end of a game there are none.

    Example:
        >>> action_masks([State(Setup.random(1))], "bl-lb/every/regret")
        array([[ True,  True,  True, False]])
    """
    if strategy is None:
        return np.array([state.action_mask() for state in _native._states(states)], np.bool_).reshape(-1, ACTIONS)
    rows = [[pick is not None for pick in picks(one, strategy, seed=seed)] for one in _native._states(states)]
    return np.array(rows, np.bool_).reshape(-1, PICKS)


def play(states: Iterable[State], actions: Iterable[Any], strategy: str | None = None, *, seed: int = 1) -> list[State]:
    """The positions after one action in each: an index, an object or a text; with a strategy, one of its `picks`.

    Raises:
        IllegalAction: An action is not legal.
        ValueError: There are more states than actions, or fewer.

    Example:
        >>> play([State(Setup.random(1))], [0])[0].history
        [Action('A')]
    """
    pairs = zip(_native._states(states), actions, strict=True)
    return [state.play(action_of(state, action, strategy, seed)) for state, action in pairs]


def action_of(state: State, action: Any, strategy: str | None, seed: int = 1) -> Any:
    """The action of a pick with a strategy; otherwise, and if it is an object or a text, the action itself."""
    if strategy is None or isinstance(action, (str, Action)):
        return action
    if isinstance(action, bool) or not hasattr(action, "__index__"):
        raise TypeError(f"expected a pick, an action or its text, found a value of type {type(action).__name__}")
    index = action.__index__()
    pick = picks(state, strategy, seed=seed)[index] if index in range(PICKS) else None
    if pick is None:
        raise IllegalAction(f"pick {index!r:.50}: expected a legal pick; see the mask")
    return pick


_SQUARES = np.arange(81).reshape(9, 9)
_TURNED = [np.rot90(grid, turns) for grid in (_SQUARES, np.fliplr(_SQUARES)) for turns in range(4)]
_TO = [np.argsort(turned, axis=None) for turned in _TURNED]
"""The square to which each one goes, by the symmetry."""


def symmetric_quilts(planes: npt.NDArray[Any], mine: SupportsIndex, other: SupportsIndex = 0) -> npt.NDArray[Any]:
    """Planes of observations, of shape (..., 5, 9, 9), with quilts that are turned or reflected.

    The game is the same for each of the 64 combinations, since the quilts have nothing to do with one another.

    Args:
        planes: The planes.
        mine: The symmetry of my quilt: 0 to 3 quarter turns counterclockwise; 4 to 7 the same after left and right were
            swapped.
        other: That of the other quilt.

    Raises:
        ValueError: It is not a symmetry, or the planes have another shape.
        TypeError: A symmetry is not a whole number.

    Example:
        >>> symmetric_quilts(np.arange(405).reshape(5, 9, 9), 1)[0, 0, :3]
        array([ 8, 17, 26])
    """
    planes = np.asarray(planes)
    if planes.shape[-3:] != (5, 9, 9):
        raise ValueError(f"planes: expected shape (..., 5, 9, 9), found {planes.shape}")
    mine, other = _native._whole("mine", mine, 0, 7), _native._whole("other", other, 0, 7)
    turned = planes.copy()
    for plane, symmetry in enumerate((mine, other)):
        quilt = planes[..., plane, :, :]
        turned[..., plane, :, :] = quilt.reshape(*quilt.shape[:-2], 81)[..., _TURNED[symmetry]]
    return turned


def _names(squares: Iterable[int]) -> str:
    return "".join(f"{'abcdefghi'[square % 9]}{square // 9 + 1}" for square in squares)


def _symmetric_text(text: str, mine: int, other: int) -> str:
    """The text of a position with quilts that are turned or reflected; mine is that of the player to move."""
    setup, first, second, turn = text.split(" / ")
    is_first = turn.split()[1] == "first"
    quilts = []
    for quilt, symmetry in zip((first, second), (mine, other) if is_first else (other, mine), strict=True):

        def moved(found: re.Match[str], to: npt.NDArray[Any] = _TO[symmetry]) -> str:
            squares = ["abcdefghi".index(column) + 9 * int(row) - 9 for column, row in re.findall("(.)(.)", found[0])]
            return _names(sorted(to[squares].tolist()))

        quilts.append(re.sub("(?:[a-i][1-9])+", moved, quilt))
    return " / ".join([setup, *quilts, turn])


@cache
def _placements(patch: int) -> dict[frozenset[int], int]:
    """The squares of the placements of a patch, with their indices among those of one offer."""
    rows = [[square == "X" for square in row] for row in PATCHES[patch - 1].shape.split("/")]
    found = {}
    for shape in (np.rot90(one, turns) for one in (np.array(rows), np.fliplr(rows)) for turns in range(4)):
        height, width = shape.shape
        for top, left in itertools.product(range(10 - height), range(10 - width)):
            squares = _SQUARES[top : top + height, left : left + width][shape].tolist()
            orientation = Action(f"{patch}:{_names(squares)}").orientation
            assert orientation is not None
            found[frozenset(squares)] = 81 * orientation + min(squares)
    return found


@cache
def _moved(patch: int, symmetry: int) -> npt.NDArray[np.int64]:
    """Where the placements of a patch go, as indices among those of one offer; -1 where there is none."""
    placements, moved = _placements(patch), np.full(8 * 81, -1)
    for squares, index in placements.items():
        moved[index] = placements[frozenset(_TO[symmetry][list(squares)].tolist())]
    return moved


def symmetric_actions(offers: Sequence[SupportsIndex], symmetry: SupportsIndex) -> npt.NDArray[np.int64]:
    """Where the actions of a position go if the mover's quilt is turned or reflected, as indices of shape (2026,).

    An index without an action has -1: its placement does not lie on the quilt, or there is no such patch on offer.

    Args:
        offers: `State.offers`, the numbers of the patches on offer.
        symmetry: As of `symmetric_quilts`.

    Raises:
        ValueError: It is not a symmetry, a number is not that of a patch, or there are more than three.
        TypeError: A symmetry or a patch is not a whole number.

    Example:
        >>> state = State(Setup.random(1))
        >>> symmetric_actions(state.offers, 0)[state.legal_indices()].tolist() == state.legal_indices().tolist()
        True
    """
    symmetry = _native._whole("symmetry", symmetry, 0, 7)
    numbers = [_native._whole("offers", patch, 1, len(PATCHES)) for patch in offers]
    if len(numbers) > 3:
        raise ValueError(f"offers: expected at most 3 patches, found {len(numbers)}")
    moved = np.concatenate([[0], 1 + _TO[symmetry], np.full(ACTIONS - 82, -1)])
    for first, number in zip(range(82, ACTIONS, 648), numbers, strict=False):
        placements = _moved(number, symmetry)
        moved[first : first + 648] = np.where(placements < 0, -1, first + placements)
    return moved


class Examples(NamedTuple):
    """Positions with what searches found there, and how the games ended, from the point of view of the player to move.

    Attributes:
        observation: Shape (positions, 477), float32: `Observation.vector`.
        visits: Shape (positions, actions), int32: the iterations through each action; see `Searches`.
        action: Shape (positions,), int64: the index of the action that was played.
        value: Shape (positions,), float32: the result that the search expected, 0 (a loss) to 1 (a win).
        outcome: Shape (positions,), float32: 1 if the player won the game, 0 if it lost.
        margin: Shape (positions,), float32: points of the player minus those of the other at the end.
        game: Shape (positions,), int64: the number of the game, 0 to 2^63 - 1, which follows from its setup and its
            actions: other games have other numbers, also those of other runs. The positions of a game are in order.
        seed: Shape (positions,), uint64: the seed of `self_play`.
        setup: Shape (positions,), texts: the setup, which `Setup.parse` reads.
        position: Shape (positions,), texts: `State.text`, which `State.parse` reads.

    Example:
        >>> def evaluate(observation, mask):
        ...     return mask.astype(float), np.full(len(mask), 0.5)
        >>> examples = Examples.joined(self_play(evaluate, games=2, iterations=4))
        >>> examples.to_arrow().column_names[:7]
        ['observation', 'visits', 'action', 'value', 'outcome', 'margin', 'game']
        >>> examples.setup[0] == str(Setup.random(examples.seed[0])), State.parse(examples.position[0]).history
        (True, [])
        >>> examples.save("games.npz")
        >>> np.array_equal(Examples.load("games.npz").symmetric(3).margin, examples.margin)
        True
    """

    observation: npt.NDArray[np.float32]
    visits: npt.NDArray[np.int32]
    action: npt.NDArray[np.int64]
    value: npt.NDArray[np.float32]
    outcome: npt.NDArray[np.float32]
    margin: npt.NDArray[np.float32]
    game: npt.NDArray[np.int64]
    seed: npt.NDArray[np.uint64]
    setup: npt.NDArray[np.str_]
    position: npt.NDArray[np.str_]

    @classmethod
    def joined(cls, parts: Iterable[Examples]) -> Examples:
        """All positions of several examples, of at least one."""
        return cls(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def symmetric(self, mine: SupportsIndex, other: SupportsIndex = 0) -> Examples:
        """The same games with all quilts of movers and of the others turned or reflected; see `symmetric_quilts`.

        They keep the numbers of their games. A strategy that places the patches may place them elsewhere on other
        quilts, so that visits of `PICKS` hold approximately.
        """
        mine, other = _native._whole("mine", mine, 0, 7), _native._whole("other", other, 0, 7)
        observation, visits, action = self.observation.copy(), self.visits, self.action
        planes = observation[:, : 5 * 81].reshape(-1, 5, 9, 9)
        observation[:, : 5 * 81] = symmetric_quilts(planes, mine, other).reshape(len(planes), -1)
        if visits.shape[1] == ACTIONS:
            visits, action = np.zeros_like(visits), action.copy()
            offers = np.rint(observation[:, OBSERVATION_SIZE - 33 :][:, :3] * 33).astype(int)
            for row, (old, numbers) in enumerate(zip(self.visits, offers, strict=True)):
                visited = np.flatnonzero(old)
                moved = symmetric_actions([number for number in numbers.tolist() if number], mine)
                visits[row, moved[visited]] = old[visited]
                action[row] = moved[action[row]]
        position = np.array([_symmetric_text(text, mine, other) for text in self.position.tolist()], np.str_)
        return self._replace(observation=observation, visits=visits, action=action, position=position)

    def to_arrow(self) -> Any:
        """A ``pyarrow.Table``, in which a row is a position, and observations and visits are lists of fixed size."""
        with extra("frames"):
            import pyarrow
        columns = [
            pyarrow.FixedSizeListArray.from_arrays(column.ravel(), column.shape[1]) if column.ndim == 2 else column
            for column in self
        ]
        table = pyarrow.table(dict(zip(self._fields, columns, strict=True)))
        return table.replace_schema_metadata({_CHECKSUM: self._checksum()})

    def _checksum(self) -> str:
        """A hash of all values."""
        digest = blake2b(digest_size=16)
        for column in self:
            digest.update("\n".join(column.tolist()).encode() if column.dtype.kind == "U" else column.tobytes())
        return digest.hexdigest()

    def _check(self) -> None:
        """Refuses columns of other shapes or types."""
        columns: Iterable[Any] = self
        for name, column, kind in zip(self._fields, columns, _KINDS, strict=True):
            widths = {"observation": [OBSERVATION_SIZE], "visits": [ACTIONS, PICKS]}.get(name)
            shapes = [(len(self.game), width) for width in widths] if widths else [(len(self.game),)]
            if column.shape not in shapes or (column.dtype.kind if kind == "U" else column.dtype) != kind:
                found = f"{column.dtype} of shape {column.shape}"
                raise ValueError(f"{name}: expected {kind} of shape {' or '.join(map(str, shapes))}, found {found}")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file: ``.npz`` of numpy, ``.parquet`` or ``.arrow``, by the ending of the name.

        All have a checksum of the values, and the pages of ``.parquet`` have their own. An error leaves a file that was
        there as it is.

        Raises:
            ValueError: It has another ending, or a column has another shape or type.
            ImportError: ``.parquet`` and ``.arrow`` need pyarrow: ``pip install 'patchwork-arena[frames]'``.
        """
        path, ending = _data_file(path)
        self._check()
        part = path.with_name(f"{path.name}.part")
        if ending == ".npz":
            with part.open("wb") as file:
                arrays: Any = {**self._asdict(), _CHECKSUM: np.array(self._checksum())}
                np.savez_compressed(file, **arrays)
        else:
            table = self.to_arrow()
            from pyarrow import feather, parquet

            if ending == ".parquet":
                parquet.write_table(table, part, write_page_checksum=True)
            else:
                feather.write_feather(table, part)
        part.replace(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Examples:
        """Reads a file that `save` wrote.

        Raises:
            ValueError: It is not such a file, or it is damaged.
            OSError: It cannot be read.
        """
        path, ending = _data_file(path)
        content = io.BytesIO(path.read_bytes())
        if ending != ".npz":
            with extra("frames"):
                from pyarrow import feather, parquet
        try:
            if ending == ".npz":
                with np.load(content) as arrays:
                    columns, checksum = [arrays[name] for name in cls._fields], arrays[_CHECKSUM].item()
            else:
                of_parquet = {"page_checksum_verification": True}
                table = feather.read_table(content) if ending == ".arrow" else parquet.read_table(content, **of_parquet)
                # Arrow believes the offsets of texts and the lengths of buffers until it is asked to check them.
                table.validate(full=True)
                columns = [_array(table[name].combine_chunks()) for name in cls._fields]
                checksum = table.schema.metadata[_CHECKSUM.encode()].decode()
            examples = cls(*columns)
            examples._check()
            if checksum != examples._checksum():
                raise ValueError("its values do not match its checksum")
        except Exception as error:  # The libraries raise exceptions of many kinds for damaged files.
            raise ValueError(f"{path}: expected a file of examples: {error!s:.200}") from None
        return examples


_CHECKSUM = "checksum"
_KINDS = ("float32", "int32", "int64", "float32", "float32", "float32", "int64", "uint64", "U", "U")


def _array(column: Any) -> npt.NDArray[Any]:
    """An array of pyarrow as one of numpy."""
    if "string" in str(column.type):
        return np.array(column.to_pylist(), np.str_)
    if hasattr(column.type, "list_size"):
        found: npt.NDArray[Any] = column.flatten().to_numpy().reshape(len(column), column.type.list_size)
        return found
    return np.asarray(column.to_numpy())


def _data_file(path: str | os.PathLike[str]) -> tuple[Path, str]:
    path = _path("path", path)
    if path.suffix not in (".npz", ".parquet", ".arrow"):
        raise ValueError(f"path: expected a name that ends in .npz, .parquet or .arrow, found {path.name!r:.100}")
    return path, path.suffix


_Game = tuple[State, list[tuple[Any, ...]]]
"""The state of a game, and what is known of each position so far."""


def self_play(
    evaluate: Evaluate,
    games: int | None = None,
    *,
    iterations: int = 32,
    strategy: str | None = "bl-lb/every/regret",
    exploration: float = 1.0,
    noise: float = 0.25,
    alpha: float = 1.0,
    halving: int | None = None,
    reuse: bool = False,
    temperature: float = 1.0,
    opening: int = 20,
    together: int = 128,
    seed: int = 1,
    track: str = "original",
) -> Iterator[Examples]:
    """Plays games by searches in both seats, many together, and yields the examples of each game when it ends.

    The games depend on the arguments and the function alone. A function whose network learns meanwhile is asked with
    what it has learned.

    Args:
        evaluate: Gives priors and values; see `Evaluate`.
        games: How many games; without it, they never end. They are on ``Setup.random(seed, k)`` for k from 0 on.
        iterations: As of `search_batch`, like ``strategy`` and ``exploration``.
        strategy: Places the patches, so that the actions are the `PICKS`; ``None`` for all actions.
        exploration: The constant of PUCT.
        noise: The weight of the noise at the root, 0 to 1; see `search_batch`.
        alpha: Of the noise.
        halving: Sequential halving at the root, which needs ``noise=0``; see `search_batch`.
        reuse: Whether a search goes on with the tree of the one before it; see `Trees`. Visits are then those of both.
        temperature: Of the choice of actions in the opening; later, the most visited one is played.
        opening: The number of plies of the opening.
        together: The number of games that are searched together, at least 1.
        seed: Of the setups and all random choices.
        track: ``original`` or ``revised``, or with a komi as in ``original+2``.

    Raises:
        ValueError: An argument is out of range, or as in `search_batch`.
        TypeError: An argument is of another type.

    Example:
        >>> def evaluate(observation, mask):
        ...     return mask.astype(float), np.full(len(mask), 0.5)
        >>> (examples,) = self_play(evaluate, games=1, iterations=4)
        >>> examples.visits.shape[1], set(examples.outcome.tolist()) == {0.0, 1.0}
        (4, True)
    """
    games = None if games is None else _native._whole("games", games, 0, 2**63 - 1)
    together = _native._whole("together", together, 1, 2**20)
    opening = _native._whole("opening", opening, 0, 2**32)
    warmth = _numbers("temperature", temperature, ()).item()
    settings: dict[str, Any] = {
        "iterations": iterations,
        "exploration": exploration,
        "strategy": strategy,
        "noise": noise,
        "alpha": alpha,
        "halving": halving,
        "seed": seed,
    }
    search_batch([], evaluate, temperature=warmth, **settings)
    Setup.random(seed, track=track)

    def play() -> Iterator[Examples]:
        numbers = itertools.count() if games is None else iter(range(games))
        starts: Iterator[_Game] = ((State(Setup.random(seed, number, track=track)), []) for number in numbers)
        playing = list(itertools.islice(starts, together))
        trees = Trees() if reuse else None
        while playing:
            states = [state for state, _ in playing]
            heats = [warmth if len(state.history) < opening else 0.0 for state in states]
            found = search_batch(states, evaluate, temperature=heats, trees=trees, **settings)
            going: list[_Game] = []
            moves = zip(playing, observe(states).vector(), found.visits, found.decisions, strict=True)
            for (state, rows), seen, visits, decision in moves:
                action, offers = decision.action, state.offers
                index = state.index(action) if strategy is None else 0
                if strategy is not None and action.patch is not None:
                    index = 1 + offers.index(action.patch)
                rows.append((state.mover, seen, visits, index, decision.value))
                state = state.play(action)
                if state.is_over:
                    yield _examples(state, rows, seed)
                    going.extend(itertools.islice(starts, 1))
                else:
                    going.append((state, rows))
            playing = going

    return play()


def _examples(end: State, rows: list[tuple[Any, ...]], seed: int) -> Examples:
    """The examples of a game. A player may move several times in a row, so that each position has its own mover."""
    movers, seen, visits, actions, values = (np.array(column) for column in zip(*rows, strict=True))
    first, second = end.scores
    setup, played = str(end.setup), " ".join(map(str, end.history))
    number = int.from_bytes(blake2b(f"{setup} {played}".encode(), digest_size=8).digest(), "little") >> 1
    return Examples(
        seen,
        visits,
        actions.astype(np.int64),
        values.astype(np.float32),
        (movers == end.winner).astype(np.float32),
        np.where(movers == 0, first - second, second - first).astype(np.float32),
        np.full(len(rows), number, np.int64),
        np.full(len(rows), seed, np.uint64),
        np.full(len(rows), setup),
        np.array(end._texts()),
    )
