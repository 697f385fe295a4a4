"""Plays the tournaments of the study with the program, and looks their results up."""

import ctypes
import fcntl
import io
import json
import lzma
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path

from .plan import StudyError

# The part of a results folder that is kept: all other files are made from these.
KEPT_FILES = ("manifest.json", "games.bin")
MOST_KEPT = 10_000_000
# Games are stored in few bytes already, so compression leaves about this much of them.
PACKED_SHARE = 0.78


# Linux ends a process with its parent on request: prctl(PR_SET_PDEATHSIG).
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def end_with_parent():
    """The program saves its games and ends if this script is killed, so that the script can be started again at once."""
    if LIBC:
        LIBC.prctl(1, signal.SIGTERM)


def replace(path, data):
    """Writes a file that is complete or as it was before, also if the script is killed."""
    new = path.with_name(f".{path.name}.new")
    new.write_bytes(data)
    new.replace(path)


def wait_for_writer(path):
    """Waits at most ten seconds for the program that holds the lock of a file of games. It was started before this script was
    killed, and may still be writing its last game."""
    for _ in range(50):
        try:
            with path.open("rb") as games:
                fcntl.flock(games, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return
        except FileNotFoundError:
            return
        except BlockingIOError:
            time.sleep(0.2)


class Study:
    """The program, and the folder with the results."""

    def __init__(self, arena, root, results, threads, exactly=False):
        self.arena, self.root, self.results, self.threads, self.exactly = str(arena), root, results, threads, exactly
        self.reports = {}
        self.reuse = []
        self.claims = []

    def run(self, *arguments, check=True):
        command = [self.arena, *map(str, arguments)]
        done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, preexec_fn=end_with_parent)
        if check and done.returncode != 0:
            raise StudyError(f"{' '.join(map(str, arguments))}: {done.stderr.strip() or done.stdout.strip()}")
        return done

    def file(self, tournament, pairs):
        """Writes the tournament file with this number of pairs."""
        folder = self.results / "files"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{tournament.name}.toml"
        path.write_text(tournament.text(pairs))
        return path

    def check(self, tournaments):
        """Has the program read every tournament file, before anything is played."""
        mistakes = []
        for tournament in tournaments:
            path = self.file(tournament, tournament.full)
            done = self.run("plan", path, "--output", self.results / "files" / "plan.json", check=False)
            if done.returncode != 0:
                mistakes.append(done.stderr.strip())
        (self.results / "files" / "plan.json").unlink(missing_ok=True)
        if mistakes:
            raise StudyError("\n".join(mistakes))

    def unpack(self, kept):
        """Makes the kept games available as folders from which tournaments take what they need."""
        folder = self.results / "kept"
        if not kept.exists():
            return
        with tarfile.open(kept, "r:xz") as archive:
            for member in archive:
                parts = Path(member.name).parts
                if member.isfile() and len(parts) == 2 and parts[1] in KEPT_FILES and ".." not in parts:
                    target = folder / member.name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(archive.extractfile(member).read())
        self.reuse.append(folder)

    def pack(self, tournaments, kept):
        """Keeps the games in one compressed file. Games that depend on a clock come first, as they cannot be played again;
        others, which anyone can repeat, are left out where the file would exceed 10 MB, beginning with the last."""
        names = [t.name for t in tournaments if self.pairs_of(self.results / t.name)]
        timed = [name for name in names if "milliseconds" in self.manifest(name)]
        order = timed + [name for name in names if name not in timed]
        size_of = lambda name: sum((self.results / name / file).stat().st_size for file in KEPT_FILES)
        chosen = []
        for name in order:
            if sum(map(size_of, [*chosen, name])) <= MOST_KEPT / PACKED_SHARE:
                chosen.append(name)
        packed = lzma.compress(self.archive(sorted(chosen)))
        while len(packed) > MOST_KEPT:
            chosen.pop()
            packed = lzma.compress(self.archive(sorted(chosen)))
        replace(kept, packed)
        return chosen, [name for name in order if name not in chosen]

    def manifest(self, name):
        return (self.results / name / "manifest.json").read_text()

    def archive(self, names):
        to = io.BytesIO()
        with tarfile.open(fileobj=to, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name in names:
                for file in KEPT_FILES:
                    data = (self.results / name / file).read_bytes()
                    member = tarfile.TarInfo(f"{name}/{file}")
                    member.size, member.mode = len(data), 0o644
                    archive.addfile(member, io.BytesIO(data))
        return to.getvalue()

    @staticmethod
    def pairs_of(folder):
        """The number of pairs that a results folder was planned with; 0 if there is none."""
        try:
            return json.loads((folder / "manifest.json").read_text())["plan"]["pairs"]
        except (OSError, ValueError, KeyError):
            return 0

    def play(self, tournament, pairs):
        """Plays a tournament up to a number of pairs. Games that exist, here or in another folder, are not played again."""
        others = [folder / tournament.name for folder in self.reuse]
        others = [folder for folder in others if self.pairs_of(folder)]
        own = self.results / tournament.name
        most = max(pairs, self.pairs_of(own))
        if not self.exactly:
            most = max([most, *map(self.pairs_of, others)])
        if most == 0:
            return
        arguments = ["run", self.file(tournament, most), "--results", self.results, "--quiet"]
        arguments += ["--threads", self.threads] if self.threads else []
        arguments += ["--reuse", *others] if others else []
        wait_for_writer(own / "games.bin")
        self.run(*arguments)

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
