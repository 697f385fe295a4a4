"""Plays the tournaments of the study with the program, and looks their results up."""

import contextlib
import ctypes
import fcntl
import io
import json
import lzma
import math
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tarfile
import time
from pathlib import Path

from .plan import StudyError
from .stats import elo

# The part of a results folder that is kept: all other files are made from it.
LEDGER = "games.db"
MAX_KEPT = 12_000_000

# The score of an agent that is 400 Elo stronger.
LARGE = 1 / (1 + 10**-1)
# Half of the interval in Elo of two equal agents after one pair of independent games.
EQUALS = 1.96 * 400 / math.log(10) / 0.25 * math.sqrt(0.125)

# Linux ends a process with its parent on request: prctl(PR_SET_PDEATHSIG).
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def end_with_parent():
    """The program saves its games and ends if this script is killed, so that the script can be started again at once."""
    if LIBC:
        LIBC.prctl(1, signal.SIGTERM)


def told(done):
    """What the program said, without the word `error` that this script says itself."""
    return (done.stderr.strip() or done.stdout.strip()).removeprefix("error: ")


def replace(path, data):
    """Writes a file that is complete or as it was before, also if the script is killed."""
    new = path.with_name(f".{path.name}.new")
    new.write_bytes(data)
    new.replace(path)


def wait_for_writer(folder):
    """Waits at most ten seconds for the program that holds the lock of a results folder. It was started before this script was
    killed, and may still be writing its last game."""
    try:
        lock = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:
        return
    try:
        for _ in range(50):
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                time.sleep(0.2)
    finally:
        os.close(lock)


def ledger(folder):
    """The ledger of a results folder, which must exist."""
    return contextlib.closing(sqlite3.connect(f"{(folder / LEDGER).resolve().as_uri()}?mode=rw", uri=True))


def manifest_of(folder):
    with ledger(folder) as there:
        return there.execute("SELECT manifest FROM tournament").fetchone()[0]


class Study:
    """The program, and the folder with the results."""

    def __init__(self, arena, root, results, threads, exactly=False):
        self.arena, self.root, self.results, self.threads, self.exactly = str(arena), root, results, threads, exactly
        self.reports = {}
        # The number of games of each tournament in the full study.
        self.planned = {}
        self.imports = []
        self.kept = None
        self.claims = []
        # The tournaments by name.
        self.stages = {}

    def run(self, *arguments, check=True):
        command = [self.arena, *map(str, arguments)]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, preexec_fn=end_with_parent)
        if check and done.returncode != 0:
            raise StudyError(f"{' '.join(map(str, arguments))}: {told(done)}")
        return done

    def file(self, tournament, pairs):
        """Writes the tournament file with this number of pairs."""
        folder = self.results / "files"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{tournament.name}.toml"
        path.write_text(tournament.text(pairs))
        return path

    def unpack(self, kept):
        """Makes the kept games available as folders with which tournaments begin."""
        folder = self.results / "kept"
        if not kept.exists():
            return
        with tarfile.open(kept, "r:xz") as archive:
            for member in archive:
                parts = Path(member.name).parts
                if member.isfile() and len(parts) == 2 and parts[1] == LEDGER and ".." not in parts:
                    target = folder / member.name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(archive.extractfile(member).read())
        self.kept = folder

    def pack(self, tournaments, kept):
        """Keeps the moves and results of games in one compressed file of at most 12 MB, the tournaments first that save the
        most processor time per byte. A tournament that depends on time saves more than any other: its games cannot be played
        again."""
        names = [t.name for t in tournaments if self.has(t.name)]
        folders = {name: self.moves(name) for name in names}
        sizes = {name: len(lzma.compress(self.archive([name], folders))) for name in names}

        def saved(tournament):
            name = tournament.name
            if "milliseconds" in self.manifest(name):
                return math.inf
            return tournament.seconds * self.report(name)["games"] / sizes[name]

        order = [t.name for t in sorted((t for t in tournaments if t.name in sizes), key=saved, reverse=True)]
        chosen = []
        for name in order:
            if sum(sizes[one] for one in [*chosen, name]) <= MAX_KEPT:
                chosen.append(name)
        packed = lzma.compress(self.archive(sorted(chosen), folders))
        while len(packed) > MAX_KEPT:
            chosen.pop()
            packed = lzma.compress(self.archive(sorted(chosen), folders))
        replace(kept, packed)
        return chosen, [name for name in order if name not in chosen]

    def moves(self, name):
        """A folder with the moves and results of a tournament's games, without estimates and times."""
        folder = self.results / "moves" / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.parent.mkdir(exist_ok=True)
        self.run("import", self.results / name, "--into", folder, "--moves-only", "--quiet")
        with ledger(folder) as made:
            # When and where the copy was made does not belong to the games.
            made.execute("DELETE FROM sessions")
            made.execute("UPDATE totals SET rows = 0, checksum = 0 WHERE name = 'sessions'")
            made.commit()
            made.execute("VACUUM")
        return folder

    def manifest(self, name):
        return manifest_of(self.results / name)

    @staticmethod
    def archive(names, folders):
        to = io.BytesIO()
        with tarfile.open(fileobj=to, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name in names:
                data = (folders[name] / LEDGER).read_bytes()
                member = tarfile.TarInfo(f"{name}/{LEDGER}")
                member.size, member.mode = len(data), 0o644
                archive.addfile(member, io.BytesIO(data))
        return to.getvalue()

    @staticmethod
    def pairs_of(folder):
        """The number of pairs that a results folder was planned with; 0 if there is none."""
        try:
            return json.loads(manifest_of(folder))["plan"]["pairs"]
        except (sqlite3.Error, TypeError, ValueError, KeyError):
            return 0

    def play(self, tournament, pairs):
        """Plays a tournament up to a number of pairs. Games that exist, here or in another folder, are not played again."""
        own = self.results / tournament.name
        # Kept games have moves and results alone. A folder may have its own records of them, with more.
        kept = [self.kept] if self.kept and not self.pairs_of(own) else []
        others = [folder / tournament.name for folder in self.imports + kept]
        others = [folder for folder in others if self.pairs_of(folder)]
        most = max(pairs, self.pairs_of(own))
        if not self.exactly:
            most = max([most, *map(self.pairs_of, others)])
        if most == 0:
            return
        arguments = ["run", self.file(tournament, most), "--results", self.results, "--quiet"]
        arguments += ["--threads", self.threads] if self.threads else []
        arguments += ["--import", *others] if others else []
        wait_for_writer(own)
        self.run(*arguments)
        self.reports.pop(tournament.name, None)

    def pairs_needed(self, tournament):
        """About how many pairs a tournament needs until each difference is known to its `elo`, at most those of the full study,
        and how many differences are not known to it yet. A tournament without this key counts as one difference."""
        pairs = self.pairs_of(self.results / tournament.name)
        if tournament.elo is None or pairs == 0:
            return tournament.full, 1
        wide = [half for half in self.half_widths(tournament.name) if half > tournament.elo]
        needed = 1.02 * pairs * (max(wide) / tournament.elo) ** 2 + 1 if wide else 0
        return math.ceil(min(needed, tournament.full)), len(wide)

    def needed_at_full(self, tournament):
        """About how many pairs a tournament needs until each difference is known to its `elo`; of one without games, as for two
        equal agents."""
        pairs = self.pairs_of(self.results / tournament.name)
        widest = max(self.half_widths(tournament.name), default=0) if pairs else EQUALS
        return (pairs or 1) * (widest / tournament.elo) ** 2

    def price(self, tournament, most):
        """The processor time in seconds, for each difference, of the pairs that a tournament lacks until its differences are
        known, at most `most` pairs; and that number of pairs. None if it needs no more."""
        pairs = self.pairs_of(self.results / tournament.name)
        needed, differences = self.pairs_needed(tournament)
        needed = min(needed, most)
        if needed <= pairs:
            return None
        games = self.planned[tournament.name] / tournament.full
        return tournament.seconds * games * (needed - pairs) / differences, needed

    def lacking(self, tournament, limit):
        """About how many seconds of processor time a tournament lacks until each difference is known to ± `limit` Elo."""
        pairs = self.pairs_of(self.results / tournament.name)
        widest = max(self.half_widths(tournament.name), default=0) if pairs else EQUALS
        if widest == math.inf:
            widest = EQUALS / math.sqrt(pairs)
        needed = max(0, (pairs or 1) * (widest / limit) ** 2 - pairs)
        return tournament.seconds * needed * self.planned[tournament.name] / tournament.full

    def planned_games(self, tournaments):
        """The number of games of each tournament in the full study. The program reads every tournament file for it; mistakes
        are a StudyError, before anything is played."""
        mistakes, path = [], self.results / "files" / f"plan-{os.getpid()}.json"
        for tournament in tournaments:
            if tournament.name in self.planned:
                continue
            done = self.run("run", self.file(tournament, tournament.full), "--plan", path, check=False)
            if done.returncode == 0:
                self.planned[tournament.name] = json.loads(path.read_text())["games"]
            else:
                mistakes.append(told(done))
        path.unlink(missing_ok=True)
        if mistakes:
            raise StudyError("\n".join(mistakes))
        return {tournament.name: self.planned[tournament.name] for tournament in tournaments}

    def half_widths(self, name):
        """Half of each interval in Elo: of the pairings of a gauntlet or of two agents, otherwise of the ratings. A difference
        that is surely above 400 Elo does not count. Infinity if an interval has no end."""
        report = self.report(name)
        met = [row for row in report["pairings"] if row["games"]]
        agents = len(report["ratings"])
        if len(met) < agents * (agents - 1) // 2 or agents == 2:
            scores = [row["a_score"] for row in met]
            ends = [(elo(score["low"]), elo(score["high"])) for score in scores if score["low"] < LARGE and score["high"] > 1 - LARGE]
        else:
            ends = [(row["elo"]["low"], row["elo"]["high"]) for row in report["ratings"]]
        return [math.inf if None in (low, high) else (high - low) / 2 for low, high in ends]

    def has(self, name):
        return self.pairs_of(self.results / name) > 0

    def report(self, name):
        """The report of a tournament, or a StudyError that names it if it was not played."""
        if name not in self.reports:
            if not self.has(name):
                raise StudyError(f"{self.results / name}: no games of this tournament; scripts/study plays them")
            self.reports[name] = json.loads(self.run("report", self.results / name, "--format", "json").stdout)
        return self.reports[name]

    def games(self, name):
        """The games of a tournament, as `export` writes them."""
        text = self.run("export", self.results / name, "--format", "jsonl").stdout
        return [json.loads(line) for line in text.splitlines()]
