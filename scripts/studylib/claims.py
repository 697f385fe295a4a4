"""Claims: the differences that the study measures, each with its interval, and whether another study agrees on their signs."""

import json
from dataclasses import asdict, dataclass

from .stats import elo

# What the study aims at where it claims a difference in strength.
GOAL_ELO = 25


@dataclass
class Claim:
    """A difference with its 95% interval. A value or an end that the results do not limit is None."""

    name: str
    unit: str
    games: int
    value: float | None
    low: float | None
    high: float | None

    def sign(self):
        """1 or -1 if the interval excludes 0, otherwise 0: the difference is not shown."""
        if self.low is not None and self.low > 0:
            return 1
        return -1 if self.high is not None and self.high < 0 else 0

    def direction(self):
        """1, 0 or -1: the sign of the value itself, shown or not."""
        if self.value is None:
            return self.sign()
        return (self.value > 0) - (self.value < 0)

    def half_width(self):
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def of_score(name, games, score, low, high):
    """The claim that a score differs from one half, in Elo."""
    ends = [elo(end) for end in (score, low, high)]
    return Claim(name, "Elo", games, *ends)


def sentence(claims):
    """What is shown, and how well its size is known."""
    shown = [claim for claim in claims if claim.sign()]
    in_elo = [claim for claim in shown if claim.unit == "Elo"]
    exact = [claim for claim in in_elo if claim.half_width() is not None and claim.half_width() <= GOAL_ELO]
    def are(number):
        return f"{number} is" if number == 1 else f"{number} are"

    return (
        f"This page measures {len(claims)} differences, such as the Elo between two agents. For {len(shown)} of them the 95% interval, taken alone, excludes 0. {len(in_elo)} of "
        f"these are in Elo: {are(len(exact))} known to ±{GOAL_ELO} Elo or better, and of the other {len(in_elo) - len(exact)} the page claims the direction, or that they exceed "
        "400 Elo, but no size. [study/claims.json](study/claims.json) lists all differences.")


def text(claims):
    """The claims as a file: a list with one line for each."""
    lines = ",\n ".join(json.dumps(rounded(asdict(claim)), ensure_ascii=False) for claim in claims)
    return f"[\n {lines}\n]\n"


def rounded(row):
    return {key: round(value, 4) if isinstance(value, float) else value for key, value in row.items()}


def read(path):
    return [Claim(**row) for row in json.loads(path.read_text())]


def compare(here, there):
    """Whether this study finds the signs that another one shows: the number of signs compared, and a line for each difference."""
    found = {claim.name: claim for claim in here}
    compared, lines = 0, []
    for claim in there:
        own = found.get(claim.name)
        if not claim.sign() or own is None:
            continue
        compared += 1
        if own.direction() != claim.sign():
            how = "the opposite is shown" if own.sign() == -claim.sign() else "not shown here"
            told = lambda one: f"{one.value:+.3g} {one.unit} in {one.games:,} games" if one.value is not None else f"{one.games:,} games"
            lines.append(f"{claim.name}: {told(own)}, there {told(claim)}; {how}")
    return compared, lines
