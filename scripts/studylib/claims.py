"""Claims: the differences that the study measures, each with its interval, and whether another study agrees on their signs."""

import json
from dataclasses import asdict, dataclass

from .stats import elo

# What the study aims at where it claims a difference in strength.
GOAL_ELO = 25
# What is known less well than this is not shown: half of an interval in Elo and in points.
LIMITS = {"Elo": 60, "points": 3}
# A difference that is surely larger than this many Elo is shown as its limit, however wide its interval is.
BEYOND = 100


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

    def is_wide(self):
        """Whether the interval is wider than what is shown."""
        half = self.half_width()
        return half is None or half > LIMITS.get(self.unit, half)

    def is_known(self):
        """Whether the difference is known well enough to be shown: narrowly, or as surely large."""
        far = (self.low is not None and self.low > BEYOND) or (self.high is not None and self.high < -BEYOND)
        return not self.is_wide() or (self.unit == "Elo" and far)


def of_score(name, games, score, low, high):
    """The claim that a score differs from one half, in Elo."""
    ends = [elo(end) for end in (score, low, high)]
    return Claim(name, "Elo", games, *ends)


def sentence(claims):
    """What is shown, and how well its size is known."""
    shown = [claim for claim in claims if claim.sign()]
    in_elo = [claim for claim in claims if claim.unit == "Elo"]
    exact = [claim for claim in in_elo if claim.half_width() is not None and claim.half_width() <= GOAL_ELO]
    sized = [claim for claim in exact if claim.sign()]
    return (
        f"This page measures {len(claims)} differences. For {len(shown)} of them the 95% interval, taken alone, excludes 0. "
        f"{len(in_elo)} are differences in strength. {len(exact)} of these are known to ±{GOAL_ELO} Elo or better, and {len(sized)} of the {len(exact)} exclude 0. "
        f"Nothing is shown that is wider than ±{LIMITS['Elo']} Elo or ±{LIMITS['points']} points. "
        "[study/claims.json](study/claims.json) lists all differences.")


def text(claims):
    """The claims as a file: a list with one line for each."""
    lines = ",\n ".join(json.dumps(rounded(asdict(claim)), ensure_ascii=False) for claim in claims)
    return f"[\n {lines}\n]\n"


def rounded(row):
    return {key: round(value, 4) if isinstance(value, float) else value for key, value in row.items()}


def read(path):
    return [Claim(**row) for row in json.loads(path.read_text())]


def compare(here, there):
    """Whether this study finds the signs that another one shows: the number of signs compared, of those for which the opposite is shown here,
    and a line for each difference."""
    found = {claim.name: claim for claim in here}
    compared, opposite, lines = 0, 0, []
    for claim in there:
        own = found.get(claim.name)
        if not claim.sign() or own is None:
            continue
        compared += 1
        if own.direction() != claim.sign():
            is_opposite = own.sign() == -claim.sign()
            opposite += is_opposite
            how = "the opposite is shown" if is_opposite else "not shown here"
            told = lambda one: f"{one.value:+.3g} {one.unit} in {one.games:,} games" if one.value is not None else f"{one.games:,} games"
            lines.append(f"{claim.name}: {told(own)}, there {told(claim)}; {how}")
    return compared, opposite, lines
