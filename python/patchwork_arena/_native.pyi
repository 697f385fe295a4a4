"""The native part of the package: classes and functions in Rust."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, SupportsIndex, final

import numpy as np
import numpy.typing as npt
from typing_extensions import Self

from .positions import Observation

__version__: str

ACTIONS: int
"""The size of the action space, 2026."""
PICKS: int
"""The size of the space of picks, in which a strategy places the patches: 4."""
OBSERVATION_SIZE: int
"""The length of `State.observation_vector`, 477."""
SHIPPED_AGENTS: list[str]
"""The names of the agents that are built in."""
POLICIES: list[str]
"""The names of the policies that generate placements."""
TRANSFORMS: list[str]
"""``some`` and ``every``."""
TABLES: list[str]
"""The names of the tables of a report."""
EVALUATIONS: list[str]
"""The names of the evaluations that choose among placements."""
_SCALARS: list[tuple[str, float, float, str]]
_PATCHES: list[tuple[int, int, int, int, str]]

class IllegalAction(ValueError):
    """An action that is not legal in a state. The message is the reason."""

class ConfigError(ValueError):
    """A mistake in a file of settings. The message names the file, the line or the key, and what was expected."""

class ResultsError(ValueError):
    """A folder that does not hold results, or results that are damaged, in use, or of another plan."""

class AgentFault(RuntimeError):
    """An agent that could not decide: an external program crashed, was too slow or played an illegal action."""

class InternalError(RuntimeError):
    """A bug of the engine: a panic in Rust. The state of the program is still valid."""

@final
class Action:
    """A decision of a player: advance, buy a patch and place it, or place a special patch.

    Args:
        text: The notation: ``A``, ``17:a1b1c2`` (a patch and its squares) or ``S:e5`` (a special patch).

    Raises:
        ValueError: The text is not an action.
    """

    def __new__(cls, text: str) -> Self: ...
    @property
    def kind(self) -> str:
        """``advance``, ``buy`` or ``special``."""
    @property
    def patch(self) -> int | None:
        """The number of the patch that is bought, 1 to 33."""
    @property
    def squares(self) -> tuple[int, ...]:
        """The squares that are covered, 0 (a1) to 80 (i9) row by row."""
    @property
    def orientation(self) -> int | None:
        """The index of the orientation of the patch that is bought, 0 to 7."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...

@final
class Setup:
    """What is fixed before a game: the printing of the track, the komi and the ring of patches.

    Args:
        ring: The numbers 1 to 33, each once, with 1 last; or the same as text.
        track: ``original`` or ``revised``, or with a komi as in ``original+2``.

    Raises:
        ValueError: It is not a ring or not a track. The message says why.
    """

    def __new__(cls, ring: str | Iterable[int], track: str = "original") -> Self: ...
    @staticmethod
    def random(seed: SupportsIndex, number: SupportsIndex | None = None, *, track: str = "original") -> Setup:
        """A random setup.

        Args:
            seed: Of a sequence of setups, 0 to 2^64 - 1.
            number: The place in the sequence, 0 to 2^64 - 1; 0 by default. Number 0 is the setup of
                ``patchwork-arena play --seed``.
            track: ``original`` or ``revised``, or with a komi as in ``original+2``.
        """
    @staticmethod
    def parse(text: str) -> Setup:
        """Reads the text of a setup: the name of the track and the ring. The name may be left out."""
    @property
    def track(self) -> str:
        """``original`` or ``revised``, or with a komi as in ``original+2``."""
    @property
    def komi(self) -> int:
        """Buttons that the second player has more at the start: 0 to 99."""
    @property
    def ring(self) -> tuple[int, ...]:
        """The 33 numbers of the patches in order."""
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...

@final
class State:
    """A position of a game, with the actions that led to it. It never changes.

    Players are 0 (first) and 1 (second). Two states are equal if their setups and positions are, however the
    positions were reached.

    Args:
        setup: The setup at whose start the state is.
    """

    def __new__(cls, setup: Setup) -> Self: ...
    @property
    def setup(self) -> Setup:
        """The setup of the game."""
    @property
    def history(self) -> list[Action]:
        """The actions that led here, in order."""
    @property
    def mover(self) -> int | None:
        """The player to move, 0 or 1; ``None`` after the end. A player may move several times in a row."""
    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
    @property
    def scores(self) -> tuple[int, int]:
        """The points of both players if the game ended now, -162 to 407."""
    @property
    def winner(self) -> int | None:
        """The player who won; ``None`` before the end. There are no draws."""
    @property
    def buttons(self) -> tuple[int, int]:
        """The buttons of both players."""
    @property
    def incomes(self) -> tuple[int, int]:
        """The buttons that each income space pays to both players."""
    @property
    def spaces(self) -> tuple[int, int]:
        """The spaces of both tokens, 0 to 53."""
    @property
    def bonus(self) -> int | None:
        """The player who has the 7x7 bonus."""
    @property
    def specials_waiting(self) -> int:
        """The special patches that the mover must place now."""
    @property
    def special_spaces(self) -> tuple[int, ...]:
        """The spaces on which special patches still stand."""
    @property
    def ring(self) -> tuple[int, ...]:
        """The numbers of the patches that are left, from the token on."""
    @property
    def offers(self) -> tuple[int, ...]:
        """The numbers of the patches on offer, at most three; none while a special patch waits."""
    @property
    def quilts(self) -> npt.NDArray[np.bool_]:
        """The covered squares of both players: shape (2, 9, 9), rows from the top."""
    def legal_actions(self) -> list[Action]:
        """All legal actions; none after the end."""
    def count_actions(self) -> int:
        """The number of legal actions."""
    def action_mask(self) -> npt.NDArray[np.bool_]:
        """Which actions of the action space are legal: shape (2026,)."""
    def legal_indices(self) -> npt.NDArray[np.int64]:
        """The indices of the legal actions, ascending."""
    def action(self, action: Action | str | SupportsIndex) -> Action:
        """The legal action of an index or a text.

        Raises:
            IllegalAction: It is not legal here; the message says why.
            ValueError: The text is not an action.
        """
    def index(self, action: Action | str | SupportsIndex) -> int:
        """The index of a legal action in the action space, 0 to 2025.

        Raises:
            IllegalAction: It is not legal here; the message says why.
        """
    def play(self, *actions: Action | str | SupportsIndex) -> State:
        """The state after one action or several, given as objects, texts or indices.

        Raises:
            IllegalAction: One of them is not legal; the message says why.
            ValueError: A text is not an action.
            TypeError: Something is none of the three.
        """
    def random_action(self, seed: SupportsIndex) -> Action:
        """A uniformly random legal action.

        Raises:
            IllegalAction: The game is over.
        """
    def random_playout(self, seed: SupportsIndex) -> State:
        """The end of a game of uniformly random legal actions from here, with its history."""
    def observe(self, player: SupportsIndex | None = None) -> Observation:
        """What a player sees; the player to move by default."""
    def observation_vector(self, player: SupportsIndex | None = None) -> npt.NDArray[np.float32]:
        """The observation as one vector of shape (477,): the planes, the scalars and the ring."""
    def _repr_html_(self) -> str: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __copy__(self) -> State: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> State: ...

@final
class Considered:
    """An action that an agent considered."""

    @property
    def action(self) -> Action:
        """The action."""
    @property
    def visits(self) -> int:
        """Iterations that went through it."""
    @property
    def value(self) -> float:
        """The agent's estimate of its own result after it, 0 (loss) to 1 (win)."""

@final
class Decision:
    """A decision of an agent and how it came to it."""

    @property
    def action(self) -> Action:
        """The action that the agent plays."""
    @property
    def value(self) -> float | None:
        """The agent's estimate of its own result, 0 (loss) to 1 (win), if it has one."""
    @property
    def iterations(self) -> int:
        """Iterations of the search; 0 without a search."""
    @property
    def proven(self) -> bool | None:
        """Whether the agent has proven that it wins (true) or loses (false)."""
    @property
    def considered(self) -> list[Considered]:
        """The actions that were considered, the one played first, then the others by preference."""
    @property
    def line(self) -> list[Action]:
        """The principal variation, from the action played on; empty if the agent does not have one."""
    @property
    def nodes(self) -> int:
        """Positions in the search tree."""
    @property
    def max_depth(self) -> int:
        """The greatest depth of the search in plies."""
    @property
    def seconds(self) -> float:
        """The time that the decision took."""

_Overrides = str | Mapping[str, Any] | None

@final
class Agent:
    """A player as its file describes it. It never changes, and several threads can use it at once."""

    @staticmethod
    def load(source: str | PathLike[str], overrides: _Overrides = None) -> Agent:
        """Loads an agent.

        Args:
            source: The name of an agent in the folder ``agents`` or of a shipped one, or the path of a file; with
                overrides in braces or without, such as ``mcts-fast{search.exploration=1.0}``.
            overrides: Other values of keys, such as ``{"search.exploration": 1.0}``; ``None`` removes a key.

        Raises:
            ConfigError: There is no such agent, or its file has a mistake. The message names it.
        """
    @staticmethod
    def parse(name: str, text: str) -> Agent:
        """Reads an agent from the text of a file.

        Raises:
            ConfigError: The text does not describe an agent.
        """
    def variant(self, overrides: str | Mapping[str, Any]) -> Agent:
        """The same agent with other values of keys; see `load`."""
    @property
    def name(self) -> str:
        """The name, with the overrides in braces."""
    @property
    def kind(self) -> str:
        """The value of the key ``type``, such as ``mcts``."""
    @property
    def description(self) -> str:
        """The description in the file."""
    @property
    def settings(self) -> dict[str, Any]:
        """All settings with their defaults filled in."""
    @property
    def is_deterministic(self) -> bool:
        """Whether the agent decides alike with the same seed."""
    def decide(
        self,
        state: State,
        *,
        iterations: SupportsIndex | None = None,
        milliseconds: SupportsIndex | None = None,
        seed: SupportsIndex | None = None,
        top: int = 10,
    ) -> Decision:
        """Decides in a state. Other Python threads run meanwhile, and Ctrl-C ends it with ``KeyboardInterrupt``.

        Every decision starts a new search, so it depends on the state, the budget and the seed alone.

        Args:
            state: The position; the game must not be over.
            iterations: The budget, at least 1, instead of the agent's own.
            milliseconds: The budget, at least 1, instead of the agent's own.
            seed: Determines all random choices, 0 to 2^64 - 1; 1 by default.
            top: The most actions in `Decision.considered` and `Decision.line`.

        Raises:
            IllegalAction: The game is over.
            ValueError: A number is out of range, or the agent does not have a budget of this unit.
            AgentFault: An external program failed.
        """

def rank_placements(
    state: State,
    patch: SupportsIndex | None,
    strategy: str = "bl-lb/every/regret",
    *,
    seed: SupportsIndex | None = None,
) -> list[Action]:
    """The placements that a strategy generates, best first.

    Args:
        state: The position.
        patch: The number of a patch on offer, whether or not the mover can pay for it; ``None`` for a special patch
            that waits.
        strategy: ``POLICY/TRANSFORMS/EVALUATION``.
        seed: For evaluations that choose at random; 1 by default.

    Raises:
        IllegalAction: The patch is not on offer.
        ValueError: No strategy has this name.
    """

def best_placements(
    states: Iterable[State],
    strategy: str = "bl-lb/every/regret",
    *,
    seed: SupportsIndex | None = None,
) -> list[list[Action]]:
    """For each state, the best placement of each patch that the mover can buy, nearest first.

    If a special patch waits, it is the best placement of that; after the end, there are none.
    """

def evaluate_placements(
    state: State,
    patch: SupportsIndex | None,
    evaluation: str = "regret",
    *,
    policy: str = "all",
    seed: SupportsIndex | None = None,
) -> tuple[list[Action], npt.NDArray[np.int32]]:
    """The placements that a policy generates and their scores; the lowest score is best.

    Raises:
        IllegalAction: The patch is not on offer.
        ValueError: No policy or evaluation has this name.
    """

def _rollouts(
    states: Iterable[State],
    count: SupportsIndex,
    pick: str,
    strategy: str,
    epsilon: float | None,
    temperature: float | None,
    seed: SupportsIndex,
) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint8]]: ...
def _estimates(states: Iterable[State], source: str) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]: ...
def _search_batch(
    states: Iterable[State],
    evaluate: Callable[..., tuple[npt.NDArray[np.float32], ...]],
    iterations: SupportsIndex,
    exploration: float,
    strategy: str | None,
    leaves: SupportsIndex,
    seed: SupportsIndex,
) -> tuple[list[Decision], npt.NDArray[np.int32]]: ...
def _unpickle_state(data: bytes) -> State: ...
def _unpickle_agent(name: str, text: str | None, overrides: str) -> Agent: ...
def _panic(text: str) -> None: ...

class Games:
    """The games of a `VectorEnv`."""

    planes: npt.NDArray[np.uint8]
    scalars: npt.NDArray[np.float32]
    ring: npt.NDArray[np.uint8]
    action_mask: npt.NDArray[np.bool_]
    movers: npt.NDArray[np.uint8]
    over: npt.NDArray[np.bool_]
    rewards: npt.NDArray[np.float32]
    scores: npt.NDArray[np.int16]
    def __new__(cls, count: SupportsIndex, seed: SupportsIndex, track: str) -> Self: ...
    def reset(self, seed: SupportsIndex | None) -> None: ...
    def step(self, actions: npt.NDArray[np.int64]) -> None: ...
    def random_actions(self) -> npt.NDArray[np.int64]: ...
    def setups(self) -> list[Setup]: ...

@final
class Table:
    """A table of results: text, whole numbers, numbers and truth values.

    It has the PyCapsule interface of Arrow, so ``pandas.DataFrame.from_arrow``, ``polars.DataFrame``,
    ``pyarrow.table`` and duckdb take it without a copy.
    """

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists; unknown numbers are ``None``."""
    def __len__(self) -> int: ...
    def __getitem__(self, name: str) -> list[Any]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

class ArenaResults:
    """The results of a tournament, in a folder or in memory."""

    def __new__(cls, folder: str | PathLike[str]) -> Self: ...
    def facts(self) -> tuple[str, list[str], int, int]: ...
    def table(self, name: str) -> Table: ...
    def faults(self) -> list[tuple[int, str, str, int, str, str]]: ...
    def text(self, full: bool) -> str: ...
    def json(self) -> str: ...
    def page(self) -> str: ...

def _run(
    file: str | PathLike[str],
    results: str | PathLike[str],
    agents: str | PathLike[str] | None,
    threads: SupportsIndex | None,
    progress: Callable[[int, int], object] | None,
) -> ArenaResults: ...
def _tune(
    file: str | PathLike[str],
    results: str | PathLike[str],
    agents: str | PathLike[str] | None,
    threads: SupportsIndex | None,
    progress: Callable[[int, int], object] | None,
) -> tuple[Path, str, str, Path | None]: ...
def _match(
    agents: Sequence[Agent],
    pairs: SupportsIndex,
    seed: SupportsIndex,
    track: str,
    save: str | PathLike[str] | None,
    threads: SupportsIndex | None,
    progress: Callable[[int, int], object] | None,
) -> ArenaResults: ...
def _rate(file: str | PathLike[str], anchor: tuple[str, float] | None) -> Table: ...
