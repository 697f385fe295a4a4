"""The stages of the study: reads study.toml, checks it, and writes the tournament file of each stage."""

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

KEYS = {"name", "file", "questions", "tracks", "seeds", "small", "full", "elo", "seconds"}
REPLACED = {"agents", "challengers", "budget"}
# How many questions the study answers.
QUESTIONS = 13


class StudyError(Exception):
    """A sentence for the user."""


@dataclass
class Tournament:
    """A tournament of a stage."""

    name: str
    questions: list
    small: int
    full: int
    # Play ends before `full` pairs if each difference is known to ± this many Elo.
    elo: int | None
    # Processor time of a game.
    seconds: float
    table: dict

    def text(self, pairs):
        """The tournament file with this number of pairs."""
        return dump({**self.table, "name": self.name, "pairs": pairs})


def dump(table, prefix=""):
    """A table as TOML; strings of TOML and JSON are alike for what study files contain."""
    lines, tables = [], []
    for key, value in table.items():
        if isinstance(value, dict):
            tables.append((key, value))
        else:
            lines.append(f"{quoted(key)} = {json.dumps(value, ensure_ascii=False)}")
    for key, value in tables:
        lines.append(f"\n[{prefix}{quoted(key)}]\n{dump(value, f'{prefix}{quoted(key)}.')}")
    return "\n".join(lines)


def quoted(key):
    return key if key.replace("_", "").replace("-", "").isalnum() else json.dumps(key)


def load(path):
    try:
        return tomllib.loads(path.read_text())
    except OSError as error:
        raise StudyError(f"{path}: cannot be read: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise StudyError(f"{path}: {error}") from None


def read(path):
    """The tournaments of a study file, in order.

    Raises StudyError with the file, the stage and the key if something is wrong.
    """
    path = Path(path)
    table = load(path)
    unknown = sorted(set(table) - {"stage"})
    if unknown or not isinstance(table.get("stage"), list):
        found = f"unknown key `{unknown[0]}`" if unknown else "no stages"
        raise StudyError(f"{path}: {found}; expected tables [[stage]]")
    tournaments, names = [], set()
    for at, stage in enumerate(table["stage"], 1):
        for tournament in stage_tournaments(path, at, stage):
            if tournament.name in names:
                raise StudyError(f"{path}: stage {at}: {tournament.name} comes twice; expected each tournament once")
            names.add(tournament.name)
            tournaments.append(tournament)
    return tournaments


def stage_tournaments(path, at, stage):
    def wrong(key, what):
        return StudyError(f"{path}: stage {at}: {key}: {what}")

    for key in sorted(set(stage) - KEYS - REPLACED):
        raise wrong(key, f"unknown key; expected one of {', '.join(sorted(KEYS | REPLACED))}")
    for key in ("name", "file", "questions", "small", "full", "seconds"):
        if key not in stage:
            raise wrong(key, "missing")
    for key in ("small", "full"):
        if not isinstance(stage[key], int) or isinstance(stage[key], bool) or stage[key] < 0:
            raise wrong(key, f"found {stage[key]!r}; expected a number of pairs from 0")
    if stage["full"] < max(1, stage["small"]):
        raise wrong("full", f"found {stage['full']}; expected at least 1 and at least `small`")
    elo = stage.get("elo")
    if elo is not None and (not isinstance(elo, int) or isinstance(elo, bool) or elo < 1):
        raise wrong("elo", f"found {elo!r}; expected a number of Elo from 1")
    seconds = stage["seconds"]
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or not seconds > 0:
        raise wrong("seconds", f"found {seconds!r}; expected the processor time of a game in seconds")
    questions = stage["questions"]
    if not isinstance(questions, list) or not questions or not all(q in range(1, QUESTIONS + 1) for q in questions):
        raise wrong("questions", f"found {questions!r}; expected numbers from 1 to {QUESTIONS}")
    file = path.parent / stage["file"]
    base = load(file)
    base.pop("pairs", None)
    base.update({key: stage[key] for key in REPLACED if key in stage})
    for key in ("tracks", "seeds"):
        if key in stage and (not isinstance(stage[key], list) or not stage[key]):
            raise wrong(key, f"found {stage[key]!r}; expected a list")
    for seed in stage.get("seeds", [None]):
        for track in stage.get("tracks", [None]):
            words = [stage["name"]]
            words += [track.replace("+", "-k")] if track else []
            words += [str(seed)] if seed is not None else []
            table = dict(base)
            table |= {"track": track} if track else {}
            table |= {"seed": seed} if seed is not None else {}
            yield Tournament("-".join(words), questions, stage["small"], stage["full"], elo, seconds, table)
