"""Tournaments: the same bytes as the program, tables for data frames, ratings."""

import copy
import csv
import io
import itertools
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing

import pytest

import patchwork_arena as pa

TOURNAMENT = """
name = "small"
seed = 5
agents = ["random", "greedy-inorder", "greedy-regret", "mcts-fast{budget.iterations=20}"]
pairs = 3
"""


@pytest.fixture
def tournament(tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(TOURNAMENT)
    return file


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    file = folder / "small.toml"
    file.write_text(TOURNAMENT)
    return pa.run(file, results=folder, progress=False)


def test_a_tournament_is_played_and_resumed(tournament, tmp_path):
    told: list[tuple[int, int]] = []
    results = pa.run(tournament, results=tmp_path, threads=2, progress=lambda *games: told.append(games))
    assert told[-1] == (36, 36)
    assert (results.games_played, results.games_planned) == (36, 36)
    assert results.name == "small"
    assert len(results.agents) == 4
    folder = tmp_path / "small"
    assert {"games.db", "summary.json", "report.html"} <= set(os.listdir(folder))
    with closing(sqlite3.connect(folder / "games.db")) as ledger:
        rows = "SELECT * FROM games ORDER BY game"
        before = ledger.execute(rows).fetchall()
        again = pa.run(tournament, results=tmp_path, progress=False)
        assert ledger.execute(rows).fetchall() == before
    assert len(before) == 36
    assert again.ratings.to_dict() == results.ratings.to_dict() == pa.Results(folder).ratings.to_dict()

    # With fewer threads, the games are the same.
    other = pa.run(tournament, results=tmp_path / "other", threads=1, progress=False)
    assert without_times(other.plies.to_dict()) == without_times(results.plies.to_dict())


def without_times(plies):
    return {name: column for name, column in plies.items() if name != "nanoseconds"}


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_keeps_the_finished_games(tmp_path):
    file = tmp_path / "long.toml"
    file.write_text('name = "long"\nagents = ["mcts-fast", "mcts-regret"]\npairs = 10000\n')

    def interrupt(done, planned):
        if done > 3:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        pa.run(file, results=tmp_path, progress=interrupt)
    assert 3 < pa.Results(tmp_path / "long").games_played < 20000

    def fail(done, planned):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        pa.run(file, results=tmp_path, progress=fail)


def test_a_match_is_played_in_memory_and_in_a_folder(tmp_path):
    results = pa.match("random", "greedy-regret", pairs=2, progress=False)
    assert results.games_played == 4
    agent = pa.Agent.load("greedy-regret")
    saved = pa.match("random", agent, pairs=2, save=tmp_path / "kept", progress=False)
    assert saved.games.to_dict() == results.games.to_dict()
    assert pa.Results(tmp_path / "kept").games_played == 4
    assert "greedy-regret" in results.text()
    assert len(results.text(full=True)) > len(results.text())


def test_a_column_is_asked_for_by_its_name(results):
    with pytest.raises(KeyError, match="no column 'x'; expected agent"):
        results.ratings["x"]
    with pytest.raises(TypeError, match="expected the name of a column, found a value of type int"):
        results.ratings[0]


def test_tables_are_the_csv_tables(results, tmp_path):
    from patchwork_arena import arena

    for name in arena.TABLES:
        table = results.table(name)
        assert all(len(column) == len(table) for column in table.to_dict().values())
    assert results.ratings["agent"][0] in results.agents
    assert results.summary()["games"] == 36
    assert len(results.games) == 36
    assert len(results.pairings) == 6
    assert len(results.patches) == 33
    games, plies = results.games.to_dict(), results.plies.to_dict()
    assert sum(games["plies"]) == len(results.plies)
    assert set(plies["kind"]) == {"advance", "buy", "special"}
    page = results.report()
    assert "<html" in str(page)
    assert "srcdoc" in page._repr_html_()
    with pytest.raises(KeyError, match="no table 'rating'; expected games, plies, "):
        results.table("rating")
    with pytest.raises(KeyError, match="no column 'x'; expected"):
        results.ratings["x"]


def test_other_libraries_take_the_tables(results):
    expected = results.table("ratings").to_dict()
    games = results.games.to_dict()
    pyarrow = pytest.importorskip("pyarrow")
    for _ in range(3):
        assert pyarrow.table(results.ratings).to_pydict() == expected
        assert pyarrow.table(results.games).to_pydict() == games
    for name in ("terminations", "searches", "plies"):
        table = results.table(name)
        taken = pyarrow.table(table)
        taken.validate(full=True)
        assert taken.to_pydict() == table.to_dict()
    schema = pyarrow.schema(results.ratings)
    assert schema.names == results.ratings.column_names
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(results.games).to_dict(as_series=False) == games


@pytest.mark.parametrize("name", ["games", "ratings", "plies", "terminations"])
def test_the_types_of_columns_are_those_of_their_values(results, name):
    pyarrow = pytest.importorskip("pyarrow")
    table = results.table(name)
    expected = table.to_dict()
    taken = pyarrow.table(table)
    taken.validate(full=True)
    kinds = {str: pyarrow.large_string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    for field in taken.schema:
        values = [value for value in expected[field.name] if value is not None]
        assert all(kinds[type(value)] == field.type for value in values), field
    # Slices, also of nothing, and a table that outlives its source.
    for start, length in ((0, 0), (1, 3), (len(table), 0)):
        part = taken.slice(start, length)
        part.validate(full=True)
        assert part.to_pydict() == {key: values[start : start + length] for key, values in expected.items()}
    del table
    assert taken.to_pydict() == expected


def test_tables_are_written_as_parquet(results, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    parquet.write_table(pyarrow.table(results.plies), tmp_path / "plies.parquet")
    assert parquet.read_table(tmp_path / "plies.parquet").to_pydict() == results.plies.to_dict()


@pytest.mark.parametrize("name", ["games", "ratings", "terminations"])
def test_every_library_of_data_frames_takes_the_tables(results, name):
    table = results.table(name)
    expected = table.to_dict()
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(table)
    assert frame.to_dict(as_series=False) == expected
    assert frame.slice(1, 2).to_dict(as_series=False) == {key: values[1:3] for key, values in expected.items()}
    assert frame.null_count().row(0) == tuple(values.count(None) for values in expected.values())
    pyarrow = pytest.importorskip("pyarrow")
    duckdb = pytest.importorskip("duckdb")
    rows = table  # noqa: F841  # DuckDB finds it by its name.
    found = duckdb.sql("select * from rows").fetchall()
    assert found == list(zip(*expected.values(), strict=True))
    pandas = pytest.importorskip("pandas")
    if hasattr(pandas.DataFrame, "from_arrow"):
        frame = pandas.DataFrame.from_arrow(table)
    else:
        frame = pyarrow.table(table).to_pandas()
    for key, values in expected.items():
        assert [None if pandas.isna(value) else value for value in frame[key].tolist()] == values


def test_games_of_any_program_are_rated(results, tmp_path):
    games = [{"first": "ann", "second": "bob", "winner": winner} for winner in ("first", "second", "first")]
    rated = pa.rate(games)
    assert rated["agent"] == ["ann", "bob"]
    assert rated.to_dict() == pa.rate({name: [row[name] for row in games] for name in games[0]}).to_dict()
    anchored = pa.rate(games, anchor=("bob", 1500))
    assert anchored["elo"][anchored["agent"].index("bob")] == 1500
    assert sorted(pa.rate(results.games)["agent"]) == sorted(results.agents)
    file = tmp_path / "games.csv"
    with file.open("w", newline="") as out:
        writer = csv.DictWriter(out, ["first", "second", "winner"])
        writer.writeheader()
        writer.writerows(games)
    assert pa.rate(file).to_dict() == rated.to_dict()
    for bad, error, message in [
        ([], ValueError, "expected a column first, found no columns"),
        ({"first": ["a"]}, ValueError, "expected a column second, found first"),
        (3, TypeError, "found a value of type int"),
        (
            [{"first": "a", "second": "b", "winner": "c"}],
            ValueError,
            "^games, written as CSV: line 2, column winner: 'c'",
        ),
        ([{"first": "a", "second": "b", "winner": "a"}, {"first": "a"}], ValueError, "row 1 has no second"),
        ({"first": ["a"], "second": ["b", "c"], "winner": ["a"]}, ValueError, "found first 1, second 2, winner 1"),
        (
            {"first": "a", "second": "b", "winner": "a"},
            TypeError,
            "first: expected a column, found a value of type str",
        ),
        (tmp_path / "none.csv", ValueError, "none.csv"),
    ]:
        with pytest.raises(error, match=message):
            pa.rate(bad)
    with pytest.raises(ValueError, match="anchor: 'eve' played none of the games"):
        pa.rate(games, anchor=("eve", 0))
    for anchor in ("ann", ("ann", float("nan")), ("ann",), (1, 2)):
        with pytest.raises(ValueError, match="anchor: expected a player and its rating"):
            pa.rate(games, anchor=anchor)


def test_mistakes_are_named(tournament, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(pa.ResultsError, match="empty"):
        pa.Results(tmp_path / "empty")
    with pytest.raises(pa.ResultsError, match="nowhere"):
        pa.Results(tmp_path / "nowhere")
    for call, name in [
        (pa.Results, "folder"),
        (pa.run, "file"),
        (pa.tune, "file"),
        (lambda path: pa.run(tournament, results=path), "results"),
        (lambda path: pa.match("random", "greedy-regret", save=path), "save"),
    ]:
        with pytest.raises(TypeError, match=f"^{name}: expected a path, found a value of type int$"):
            call(5)
        with pytest.raises(ValueError, match=f"^{name}: expected a path, found an empty text$"):
            call("")
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('name = "x"\nagents = ["random", "champoin"]\npairs = -1\n')
    with pytest.raises(pa.ConfigError, match="wrong.toml:3: pairs: expected a whole number from 1"):
        pa.run(wrong)
    wrong.write_text('name = "x"\nagents = ["random", "champoin"]\npairs = 1\n')
    with pytest.raises(pa.ConfigError, match="did you mean champion"):
        pa.run(wrong)
    with pytest.raises(pa.ConfigError, match=r"none\.toml"):
        pa.run(tmp_path / "none.toml")
    with pytest.raises(ValueError, match="pairs: expected a whole number from 1"):
        pa.match("random", "greedy-regret", pairs=0)
    with pytest.raises(ValueError, match="threads: expected a whole number from 1 to 1024, found 0"):
        pa.match("random", "greedy-regret", threads=0)
    with pytest.raises(ValueError, match="random"):
        pa.match("random", "random", progress=False)
    for wrong, found in [(None, "a value of type NoneType"), (int, "the class int"), (3, "a value of type int")]:
        with pytest.raises(TypeError, match=f"expected an agent, its name or path, .*found {found}"):
            pa.match(wrong, "random", progress=False)
    with pytest.raises(TypeError, match="progress: expected True, False or a function"):
        pa.match("random", "greedy-regret", pairs=1, progress=5)
    pa.run(tournament, results=tmp_path, progress=False)
    tournament.write_text(TOURNAMENT.replace("seed = 5", "seed = 6"))
    with pytest.raises(pa.ResultsError, match="another plan"):
        pa.run(tournament, results=tmp_path, progress=False)


def test_other_threads_run_while_a_tournament_is_played(tournament, tmp_path):
    done = threading.Event()

    def play() -> None:
        pa.run(tournament, results=tmp_path, progress=False)
        done.set()

    thread = threading.Thread(target=play)
    thread.start()
    count = 0
    while not done.wait(0.001):
        count += 1
    thread.join()
    assert count > 0


def test_an_interpreter_that_exits_during_a_tournament_ends(tmp_path):
    code = """
import threading, time, patchwork_arena as pa
class Mine(pa.Player):
    def decide(self, state):
        return 0
for agents in [("champion", "mcts-fast"), (Mine, "random")]:
    play = lambda agents=agents: pa.match(*agents, pairs=100000, progress=False)
    threading.Thread(target=play, daemon=True).start()
time.sleep(0.3)
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0


def test_the_program_plays_the_same_bytes(program, tournament, tmp_path):
    here = pa.run(tournament, results=tmp_path / "python", progress=False)
    there = tmp_path / "program"
    subprocess.run([program, "run", tournament, "--results", there, "--quiet"], check=True, capture_output=True)
    table = subprocess.run([program, "export", there / "small", "--table", "games"], check=True, capture_output=True)
    rows = list(csv.DictReader(io.StringIO(table.stdout.decode())))
    games = here.games.to_dict()
    for name, column in games.items():
        assert [row[name] for row in rows] == [str(value) for value in column]
    ours, theirs = (folder / "small" for folder in (tmp_path / "python", there))
    # While these results are open, the database has two files of its own beside it.
    names = {file.name for file in ours.iterdir() if not file.name.startswith("games.db-")}
    assert names == {file.name for file in theirs.iterdir()}


@pytest.mark.parametrize("saved", [False, True])
def test_results_pickle(tmp_path, saved):
    results = pa.match("random", "greedy-inorder", pairs=3, progress=False, save=tmp_path / "m" if saved else None)
    alike = [pickle.loads(pickle.dumps(results)), copy.deepcopy(results)]
    if saved:
        alike.append(pickle.loads(pickle.dumps(pa.Results(tmp_path / "m"))))
    for other in alike:
        assert (other.name, other.agents, other.games_played) == (results.name, results.agents, 6)
        assert other.plies.to_dict()["action"] == results.plies.to_dict()["action"]
        assert other.text() == results.text()
    for name in ("ratings", "games", "plies"):
        table = results.table(name)
        other = pickle.loads(pickle.dumps(table))
        assert other.to_dict() == table.to_dict()
        assert other.column_names == table.column_names


def test_notebooks_show_tables():
    results = pa.match("random", "greedy-inorder", pairs=15, progress=False)
    assert "<td>greedy-inorder</td>" in results._repr_html_()
    assert "<p>10 more rows</p>" in results.games._repr_html_()


def test_progress_is_shown_without_a_library(monkeypatch, capsys):
    from patchwork_arena import arena

    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    times = itertools.count(0, 0.3)
    monkeypatch.setattr(arena.time, "monotonic", lambda: next(times))
    bar = arena._Progress(True, "a against b")
    for done in range(5, 100):
        bar(done, 100)
    lines = capsys.readouterr().err.splitlines()
    # After a second, and then less and less often.
    assert lines[0] == "a against b: 8 of 100 games, about 37 s left"
    assert 4 <= len(lines) <= 8
    monkeypatch.undo()
    pa.match("random", "greedy-inorder", pairs=1)
    assert capsys.readouterr().out == ""


def test_an_elo_says_of_what_it_is():
    results = pa.match("greedy-regret", "random", pairs=5, progress=False)
    (difference,) = results.comparisons["elo"]
    first, second = results.ratings["elo"]
    assert first == pytest.approx(-second)
    assert difference == pytest.approx(first - second)
    page = results._repr_html_()
    assert "Elo is relative to the mean of the agents." in page
    assert results.text().splitlines()[0] in page
