"""Answers the questions of the study: tables, figures and the sentences with numbers, one function for each question.

Each function takes the study and the folder for figures, and returns the parts of the document by their names.
"""

import csv
import io
import math

from . import svg
from .claims import GOAL_ELO, Claim, of_score
from .stats import NORMAL, elo, fair_komi, holm, normal_above, p_of, weighted_line

# What the exported data has of each game; its documentation is in docs/data.md.
EXPORTED = (
    "first", "second", "pair", "leg", "track", "ring", "actions", "legal_actions", "values", "scores", "winner", "bonus_7x7",
    "buttons", "covered",
)
TRACKS = ["original", "revised"]
KOMIS = [0, 1, 2, 3, 4, 6]
LEVELS = [
    ("random", "random"),
    ("greedy", "greedy-regret"),
    ("fast", "mcts-fast-1, 100 iterations"),
    ("c30", "champion-2, 30 iterations"),
    ("c300", "champion-2, 300 iterations"),
    ("c3000", "champion-2, 3,000 iterations"),
]
SEED, FRESH = 3202, 3302


def count(number, noun):
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def spread(value, low, high, digits=0, signed=False):
    """A value with its interval."""
    if value is None:
        return "-"
    one, other = (("none" if end is None else svg.number(end, digits, signed)) for end in (low, high))
    return f"{svg.number(value, digits, signed)} ({one} to {other})"


def percent(value, low=None, high=None):
    if value is None:
        return "-"
    if low is None or high is None:
        return f"{100 * value:.1f}"
    return f"{100 * value:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def elo_text(score, low, high):
    """A score as Elo, with what is known of the interval."""
    if elo(score) is not None:
        return spread(elo(score), elo(low), elo(high), 0, True)
    return f"above {elo(low):+.0f}" if score == 1 else f"below {elo(high):+.0f}"


def is_exact(low, high):
    """Whether the size of a difference is known to the study's goal, from the interval of a score."""
    ends = elo(low), elo(high)
    return None not in ends and (ends[1] - ends[0]) / 2 <= GOAL_ELO


# What is shown of a difference, after its direction.
EXACT = f", size to ±{GOAL_ELO}"
UNCERTAIN = ", size uncertain"
LARGE = " by more than 400"
NONE = "no difference"


def verdict(p, score, low, high):
    """What is shown of a difference: its direction, and whether its size is known."""
    if p > 0.05:
        return NONE
    direction = "stronger" if score > 0.5 else "weaker"
    ends = [end for end in (elo(low), elo(high)) if end is not None]
    if ends and min(map(abs, ends)) > 400:
        return direction + LARGE
    return direction + (EXACT if is_exact(low, high) else UNCERTAIN)


def listing(items):
    """`a, b and c`."""
    items = list(items)
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def range_of(low, high):
    """The interval of a score in Elo, such as `+196 to +385 Elo`."""
    one, other = (None if elo(end) is None else svg.number(elo(end), 0, True) for end in (low, high))
    if one is None or other is None:
        return f"above {one} Elo" if one else f"below {other} Elo"
    return f"{one} to {other} Elo"


def by_time(rows, what, who="the proposal"):
    """Sentences on the comparisons (place, adjusted p, score, low, high) with one opponent. They give a size only where it is
    known to the study's goal."""
    found = {}
    for place, p, score, low, high in rows:
        found.setdefault(verdict(p, score, low, high), []).append((place, elo(score), range_of(low, high)))
    sentences = []
    for direction in ("stronger", "weaker"):
        for place, value, interval in found.get(direction + EXACT, []):
            sentences.append(f"{who} is {abs(value):.0f} Elo {direction} at {place} ({interval}).")
        large, uncertain = found.get(direction + LARGE, []), found.get(direction + UNCERTAIN, [])
        if large:
            sentences.append(f"{who} is {direction} by more than 400 Elo at {listing(place for place, _, _ in large)}.")
        if uncertain:
            sentences.append(
                f"{who} is {direction} at {listing(place for place, _, _ in uncertain)}; by how much is uncertain: "
                f"{listing(interval for _, _, interval in uncertain)}.")
    if NONE in found:
        sentences.append(f"no difference is shown at {listing(f'{place} ({interval})' for place, _, interval in found[NONE])}.")
    first, *others = sentences
    return " ".join([f"{what[0].upper()}{what[1:]}, {first}", *(other[0].upper() + other[1:] for other in others)])


def p_text(p):
    return "< 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def p_equals(p):
    """A p-value in a sentence, after `p`."""
    return p_text(p) if p < 0.001 else f"= {p_text(p)}"


def table(head, rows):
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return "\n".join(lines + [f"| {' | '.join(map(str, row))} |" for row in rows])


def picture(name, about):
    return f"![{about}](study/{name}.svg)"


def with_ends(estimate):
    """The value of an estimate and the ends of its interval."""
    return [estimate[key] for key in ("value", "low", "high")]


def pairing(report, a, b):
    """The score of agent `a` against `b`: games, score, low and high. None if they have not met."""
    for row in report["pairings"]:
        if row["games"] and (row["a"], row["b"]) == (a, b):
            return row["games"], *with_ends(row["a_score"])
        if row["games"] and (row["a"], row["b"]) == (b, a):
            score, low, high = with_ends(row["a_score"])
            return row["games"], 1 - score, 1 - high, 1 - low
    return None


def p_of_score(score, low, high):
    """The two-sided p-value of one half, from a 95% interval."""
    return p_of(score - 0.5, low - 0.5, high - 0.5)


def between(values, digits=0, signed=False):
    """The smallest and the largest of some values."""
    low, high = svg.number(min(values), digits, signed), svg.number(max(values), digits, signed)
    return low if low == high else f"{low} to {high}"


def played(study, names):
    return [name for name in names if study.has(name)]


# Question 1

STRATEGIES = {
    "in-order/some/first": "in-order",
    "bl/some/first": "bl",
    "bl-lb/every/area": "bl-lb, area",
    "bl-lb/every/regret": "bl-lb, regret",
    "pareto-bl/every/regret": "pareto-bl, regret",
}


def grid(study, name):
    """The Elo of each cell against mcts-fast-1, with its interval and games, by expansion and rollout."""
    cells = {}
    for pair in study.report(name)["sweep"]["pairs"]:
        for cell in pair["cells"]:
            values = (cell["a_value"], cell["b_value"])
            values = values if pair["a"].startswith("expansion") else values[::-1]
            cells[values] = cell
    return cells


def question_1(study, folder):
    parts = {}
    names = played(study, ["grid-iterations", "grid-time-5", "grid-time-20"]) or ["grid-iterations"]
    titles = {"grid-iterations": "200 iterations", "grid-time-5": "5 ms", "grid-time-20": "20 ms"}
    grids = {name: grid(study, name) for name in names}
    short = {key: value for key, value in STRATEGIES.items()}
    rows = list(short)
    columns = rows[:4]
    panels = []
    for name in names:
        cell_of = lambda row, column: grids[name].get((row, column))
        cells = [[(lambda c: elo(c["score"]) if c else None)(cell_of(row, column)) for column in columns] for row in rows]
        panels.append((f"{titles[name]}: {study.report(name)['games']:,} games", cells))
    svg.heat(
        folder / "grid.svg", "Elo against in-order placements everywhere", panels, [short[row] for row in rows],
        [short[column].replace("bl-lb, ", "") for column in columns], "in the tree", "in rollouts", 150,
    )
    parts["grid-figure"] = picture("grid", "Heat maps: Elo of each combination of placements in the tree and in rollouts")
    lines = []
    for row in rows:
        for column in columns:
            line = [short[row], short[column]]
            for name in names:
                cell = grids[name].get((row, column))
                if cell:
                    title = f"{short[row]} in the tree and {short[column]} in rollouts, at {titles[name]}"
                    study.claims.append(of_score(f"1: {title}", cell["games"], *with_ends(cell["score"])))
                line.append(elo_text(*with_ends(cell["score"])) if cell else "-")
            lines.append(line)
    parts["grid-table"] = table(["in the tree", "in rollouts", *(titles[name] for name in names)], lines)
    told = []
    for name in names:
        cells = grids[name].values()
        shown = [cell["score"] for cell in cells if cell["score"]["low"] > 0.5 or cell["score"]["high"] < 0.5]
        exact = [score for score in shown if is_exact(score["low"], score["high"])]
        told.append(
            f"At {titles[name]}, each combination played {count(next(iter(cells))['games'], 'game')}. For {len(shown)} of the {len(cells)} combinations, the interval "
            f"excludes 0; {len(exact)} of these are known to ±{GOAL_ELO} Elo.")
    parts["grid-table"] += "\n\n" + " ".join(told) + " These intervals are not adjusted for their number."
    # The claims are made from other games than the maps.
    comparisons, claims = [], []
    against = {
        "mcts-fast-1": "cheap placements everywhere",
        "mcts-regret-1{rollout.strategy='bl-lb/every/regret'}": "expensive placements everywhere",
        "mcts-fast-1{rollout.strategy='bl-lb/every/regret'}": "cheap placements in the tree and expensive ones in rollouts",
    }
    for name in played(study, ["proposal-5", "proposal-20", "proposal-100", "proposal-500"]):
        report = study.report(name)
        for agent in {row["b"] for row in report["pairings"]} | {row["a"] for row in report["pairings"]}:
            what = next((text for key, text in against.items() if key.replace("'", "") == agent.replace("'", "")), None)
            met = pairing(report, "mcts-regret-1", agent) if what else None
            if met:
                games, score, low, high = met
                comparisons.append((int(name.split("-")[1]), what, games, score, low, high))
    comparisons.sort()
    adjusted = holm([p_of_score(*row[3:6]) for row in comparisons])
    for (time, what, games, score, low, high), p in zip(comparisons, adjusted):
        study.claims.append(of_score(f"1: the proposal against {what} at {time} ms", games, score, low, high))
        claims.append([f"{time} ms", what, f"{games:,}", percent(score, low, high), elo_text(score, low, high), p_text(p), verdict(p, score, low, high)])
    parts["proposal-table"] = table(["time per move", "against", "games", "score, %", "Elo, 95%", "adjusted p", "shown"], claims)
    parts["proposal-table"] += f"\n\nThe p-values are adjusted for these {count(len(claims), 'comparison')} (Holm)."
    told = []
    for what in against.values():
        rows = [(f"{time} ms", p, *row) for (time, other, _, *row), p in zip(comparisons, adjusted) if other == what]
        told += [by_time(rows, f"against {what}")] if rows else []
    sentence = "**Answer.** " + (
        f"The proposal is expensive placements in the tree and cheap ones in rollouts. {' '.join(told)}" if told else "The proposal was not played.")
    parts["proposal-answer"] = sentence
    return parts


# Question 2

def full_quilts(games):
    """The number of full quilts, and of games with two of them."""
    full = sum(1 for game in games for covered in game["covered"] if covered == 81)
    both = sum(1 for game in games if game["covered"] == [81, 81])
    return full, both


def wilson(hits, count_):
    if count_ == 0:
        return None, None, None
    p, z = hits / count_, NORMAL
    centre = (p + z * z / (2 * count_)) / (1 + z * z / count_)
    half = z / (1 + z * z / count_) * math.sqrt(p * (1 - p) / count_ + z * z / (4 * count_ * count_))
    return p, max(0.0, centre - half), min(1.0, centre + half)


def mirrors(track, seed=SEED):
    return [(f"mirror-{level}-{track}-{seed}", name) for level, name in LEVELS]


def question_2(study, folder):
    parts = {}
    for track in TRACKS:
        columns = [(name, title) for name, title in mirrors(track) if study.has(name) or track == "original"]
        reports = [study.report(name) for name, _ in columns]
        full = [full_quilts(study.games(name)) for name, _ in columns]
        rows = [["games", *(f"{report['games']:,}" for report in reports)]]

        def row(title, cell):
            rows.append([title, *map(cell, reports)])

        row("advantage of moving first, Elo", lambda r: spread(*with_ends(r["first_player"]["elo"]), 0, True))
        row("the same, points", lambda r: spread(*with_ends(r["first_player"]["margin"]), 1, True))
        row("plies", lambda r: spread(*with_ends(r["plies"]["mean"]), 1))
        row("legal actions per ply", lambda r: spread(*with_ends(r["branching"]["mean"])))
        row("margin of the winner, points", lambda r: f"{r['scores']['margin']:.1f}")
        row("points of the winner", lambda r: f"{r['scores']['winner']:.1f}")
        row("squares covered", lambda r: f"{r['covered']['mean']:.1f}")
        rows.append(["full quilts, % of quilts", *(percent(*wilson(one, 2 * r["games"])) for (one, _), r in zip(full, reports))])
        row("7x7 filled, % of games", lambda r: percent(*wilson(r["bonus"]["games"], r["games"])))
        row("buttons at the end", lambda r: f"{r['buttons']['mean']:.1f}")
        parts[f"levels-{track}"] = table([f"{track} printing", *(title for _, title in columns)], rows)
    panels = []

    def points(track, value):
        found = []
        for place, (name, _) in enumerate(mirrors(track)):
            if study.has(name):
                found.append((place, *value(study.report(name))))
        return found

    for title, digits, value in [
        ("advantage of moving first, points", 1, lambda r: with_ends(r["first_player"]["margin"])),
        ("plies per game", 1, lambda r: with_ends(r["plies"]["mean"])),
        ("legal actions per ply", 0, lambda r: with_ends(r["branching"]["mean"])),
        ("7x7 filled, % of games", 0, lambda r: [100 * v for v in wilson(r["bonus"]["games"], r["games"])]),
    ]:
        panels.append((title, digits, [points(track, value) for track in TRACKS]))
    svg.lines(folder / "levels.svg", "The game from random play to the champion", panels, TRACKS, [level for level, _ in LEVELS], "agent")
    parts["levels-figure"] = picture("levels", "Four plots: advantage of moving first, length, legal actions and 7x7 by strength")
    fresh = []
    for track in TRACKS:
        for seed in (SEED, FRESH):
            for name, title in mirrors(track, seed):
                if study.has(name):
                    report = study.report(name)
                    ends = with_ends(report["first_player"]["margin"])
                    study.claims.append(Claim(f"2: moving first, {title}, {track}, seed {seed}", "points", report["games"], *ends))
        for (name, title), (again, _) in zip(mirrors(track), mirrors(track, FRESH)):
            if study.has(again):
                one, other = (study.report(n)["first_player"] for n in (name, again))
                fresh.append([track, title, spread(*with_ends(one["margin"]), 1, True),
                              spread(*with_ends(other["margin"]), 1, True)])
    parts["levels-fresh"] = table(["printing", "agent", "points for moving first", "on fresh setups"], fresh)
    ps, told = [], []
    for track in TRACKS:
        for name, title in mirrors(track):
            if study.has(name):
                first = study.report(name)["first_player"]
                ps.append(p_of(*with_ends(first["margin"])))
                told.append((track, title, spread(*with_ends(first["margin"]), 1, True)))
    adjusted = holm(ps)
    sentences, none = [], []
    for _, title in LEVELS:
        here = [(track, margin, p) for (track, level, margin), p in zip(told, adjusted) if level == title]
        shown = [f"{margin} points on the {track} printing" for track, margin, p in here if p <= 0.05]
        open_ = [track for track, _, p in here if p > 0.05]
        none += [f"{title} ({'both printings' if len(open_) == 2 else f'{open_[0]} printing'})"] if open_ else []
        sentences += [f"For {title}, moving first is worth {listing(shown)}."] if shown else []
    parts["levels-answer"] = (
        f"**Answer.** {' '.join(sentences) or 'No advantage of moving first is shown.'}" + (f" No advantage is shown for {listing(none)}." if none else "")
        + f" The tests are adjusted for {count(len(ps), 'comparison')}.")
    return parts


# Question 3

KOMI_LEVELS = [("fast", "mcts-fast-1, 100 iterations"), ("c30", "champion-2, 30 iterations"), ("c300", "champion-2, 300 iterations")]


def question_3(study, folder):
    parts, rows, panels, fits = {}, [], [], []
    for track in TRACKS:
        series = []
        for level, title in KOMI_LEVELS:
            games, points = [], []
            for place, komi in enumerate(KOMIS):
                name = f"mirror-{level}-{track}{f'-k{komi}' if komi else ''}-{SEED}"
                report = study.report(name)
                points.append((place, *(100 * end for end in with_ends(report["first_player"]["win_rate"]))))
                pairs = {}
                for game in study.games(name):
                    games.append((komi, game["pair"], 1.0 if game["winner"] == "first" else 0.0))
            series.append(points)
            fit = fair_komi(games)
            fits.append(fit)
            study.claims.append(Claim(f"3: fair komi, {title}, {track}", "buttons", len(games), fit["komi"], fit["low"], fit["high"]))
            step = fit["slope"] * 400 / math.log(10)
            rows.append([track, title, f"{len(games):,}", spread(fit["komi"], fit["low"], fit["high"], 1), f"{step:+.0f}"])
        panels.append((f"{track}: won by the first player, %", 0, series))
    svg.lines(folder / "komi.svg", "A komi: more buttons for the second player at the start", panels, [title for _, title in KOMI_LEVELS],
              [str(komi) for komi in KOMIS], "komi, buttons")
    parts["komi-figure"] = picture("komi", "Two plots: share of games won by the first player at each komi")
    parts["komi-table"] = table(["printing", "agent", "games", "fair komi, buttons (95%)", "Elo of a button"], rows)
    ends = [fit[end] for fit in fits for end in ("low", "high")]
    below_one = sum(fit["high"] is not None and fit["high"] < 1 for fit in fits)
    parts["komi-answer"] = (
        f"**Answer.** Moving first is worth {between([fit['komi'] for fit in fits], 1)} buttons in these {len(fits)} cases"
        + (f"; their intervals lie between {between(ends, 1).replace(' to ', ' and ')}" if None not in ends else "")
        + f". In {'all' if below_one == len(fits) else below_one} of them the interval ends below 1: there, a komi of one button already favours the second player. "
        "A pair of games with the seats swapped stays the fair way to compare two agents.")
    return parts


# Question 4

def question_4(study, folder):
    parts = {}
    names = [("mirror-c30", "30 iterations"), ("mirror-c300", "300 iterations")]
    found = {}
    for base, title in names:
        for seed in (SEED, FRESH):
            found[base, seed] = {row["patch"]: row for row in study.report(f"{base}-original-{seed}")["patches"]}
    first, fresh, weak = found["mirror-c300", SEED], found["mirror-c300", FRESH], found["mirror-c30", SEED]
    known = [n for n in first if all(rows[n]["worth"]["low"] is not None for rows in (first, fresh, weak))]

    def against_mean(rows):
        """The worth of each patch minus the mean of all patches; the error of the mean is neglected."""
        mean = sum(rows[n]["worth"]["value"] for n in known) / len(known)
        return mean, {n: [end - mean for end in with_ends(rows[n]["worth"])] for n in known}

    games = study.report(f"mirror-c300-original-{SEED}")["games"]
    mean, gains = against_mean(first)
    _, again = against_mean(fresh)
    _, weaker = against_mean(weak)
    adjusted = dict(zip(known, holm([p_of(*gains[n]) for n in known])))
    order = sorted(known, key=lambda n: -gains[n][0])
    confirmed, lines = [], []
    for n in order:
        row, state = first[n], ""
        study.claims.append(Claim(f"4: patch {n} minus the mean", "points", games, *gains[n]))
        if adjusted[n] <= 0.05:
            same = again[n][0] * gains[n][0] > 0 and again[n][1] * again[n][2] > 0
            state = ("too cheap" if gains[n][0] > 0 else "too dear") if same else "not confirmed"
            confirmed += [n] if same else []
        lines.append([n, row["size"], row["price"], row["time"], row["income"], f"{100 * row['rate']:.0f}",
                      spread(*with_ends(row["worth"]), 1, True), spread(*gains[n], 1, True),
                      spread(*again[n], 1, True), spread(*weaker[n], 1, True), state])
    parts["patches-table"] = table(
        ["patch", "squares", "buttons", "spaces", "income", "bought, %", "worth", "worth minus the mean", "on fresh setups", "at 30 iterations", "price"], lines)
    svg.intervals(
        folder / "patches.svg", "What owning a patch changes in the margin, minus the mean of all patches",
        [(f"patch {n}: {first[n]['price']} buttons, {first[n]['time']} spaces", 0, *gains[n]) for n in order], "points", 0, 1)
    parts["patches-figure"] = picture("patches", "Each patch with its worth in points, minus the mean, and the interval")
    # What was chosen from the first games is likely to be smaller than it was there, so the fresh ones tell the size.
    told = lambda kept: ", ".join(f"patch {n} ({spread(*again[n], 1, True).replace(' (', ', ').rstrip(')')})" for n in kept) or "none"
    found_first = sum(p <= 0.05 for p in adjusted.values())
    parts["patches-answer"] = (
        f"**Answer.** In {games:,} games, a patch is worth {mean:+.1f} points on average to its owner. {found_first} of {len(known)} patches differ "
        f"significantly from that (adjusted for {len(known)} patches), and {len(confirmed)} of these are confirmed on fresh setups. In brackets is what they are "
        f"worth there, in points more or less than the mean. Too cheap: {told([n for n in confirmed if gains[n][0] > 0])}. "
        f"Too dear: {told([n for n in reversed(confirmed) if gains[n][0] < 0])}.")
    return parts


# Question 5

def question_5(study, folder):
    parts, rows, shares, owners, ahead = {}, [], [], [], []
    for track in TRACKS:
        for name, title in mirrors(track):
            if not study.has(name):
                continue
            games = study.games(name)
            own = [game for game in games if game["bonus_7x7"] not in (None, "-")]
            wins = sum(game["bonus_7x7"] == game["winner"] for game in own)
            sign = lambda game: 1 if game["bonus_7x7"] == "first" else -1
            margins = [sign(game) * (game["scores"][0] - game["scores"][1]) for game in own]
            decided = sum(0 < margin <= 7 for margin in margins)
            if "champion" in title:
                shares.append(100 * len(own) / len(games))
                owners.append(100 * wins / len(own))
            mean = sum(margins) / len(margins) if margins else None
            error = NORMAL * math.sqrt(sum((m - mean) ** 2 for m in margins) / max(1, len(margins) - 1) / len(margins)) if len(margins) > 1 else None
            if error is not None:
                if "champion" in title:
                    ahead.append(mean - 7)
                study.claims.append(Claim(f"5: owner of the 7x7 without it, {title}, {track}", "points", len(games), mean - 7, mean - 7 - error, mean - 7 + error))
            without = spread(mean - 7, mean - 7 - error, mean - 7 + error, 1, True) if error is not None else "-"
            rows.append([track, title, f"{len(games):,}", percent(*wilson(len(own), len(games))), percent(*wilson(wins, len(own))), without,
                         percent(*wilson(decided, len(own)))])
    parts["bonus-table"] = table(
        ["printing", "agent", "games", "7x7 filled, % of games", "of these won by its owner, %", "owner's margin without the 7 points",
         "won by at most 7 points, %"], rows)
    trials, ps = [], []
    for iterations in (200, 1000, 4000):
        name = f"seven-{iterations}"
        if not study.has(name):
            continue
        report = study.report(name)
        agents = [row["agent"] for row in report["ratings"]]
        going = next(agent for agent in agents if "corner" in agent)
        games, score, low, high = pairing(report, going, next(agent for agent in agents if agent != going))
        owners_of = [game[game["bonus_7x7"]] for game in study.games(name) if game["bonus_7x7"] not in (None, "-")]
        own = sum(owner == going for owner in owners_of)
        ps.append(p_of_score(score, low, high))
        study.claims.append(of_score(f"5: going for the 7x7, {iterations:,} iterations", games, score, low, high))
        trials.append((iterations, games, own, len(owners_of) - own, score, low, high))
    adjusted = holm(ps)
    parts["seven-table"] = table(
        ["iterations per move", "games", "7x7 filled by the agent with the preference, % of games", "by the other, % of games", "score of the agent with it, %", "Elo, 95%", "adjusted p", "shown"],
        [[f"{iterations:,}", f"{games:,}", percent(*wilson(own, games)), percent(*wilson(other, games)), percent(score, low, high), elo_text(score, low, high), p_text(p),
          verdict(p, score, low, high)] for (iterations, games, own, other, score, low, high), p in zip(trials, adjusted)])
    if not shares:
        parts["bonus-answer"] = "**Answer.** No games of `champion-2` were played."
        return parts
    parts["bonus-answer"] = (
        f"**Answer.** `champion-2` fills a 7x7 in {between(shares)}% of games, depending on its iterations and the printing. Its owner wins {between(owners)}% of these. "
        f"Without the 7 points, the owners would be {between(ahead, 1, True)} points ahead on average, so the bonus decides many of these games.")
    if trials:
        more = [f"{row[0]:,} iterations" for row in trials if wilson(row[2], row[1])[1] > wilson(row[3], row[1])[2]]
        parts["bonus-answer"] += " " + by_time(
            [(f"{row[0]:,} iterations", p, *row[4:]) for row, p in zip(trials, adjusted)], "in matches of an agent whose rollouts prefer the 7x7 against itself without this preference",
            "the first")
        parts["bonus-answer"] += (
            f" The first fills the 7x7 more often at {listing(more)}." if more else
            " But the first is not shown to fill the 7x7 more often than the other. So whether going for it wins more is open: no setting of the program makes an agent fill it more often.")
    return parts


# Question 6

# How many random orders the packing experiment has.
ORDERS = 10_000


def question_6(study, folder):
    text = study.run("paper", "packing", "--orders", ORDERS, "--seed", 3206, "--format", "csv", "--table", "packings").stdout
    areas, best = {}, {}
    for row in csv.DictReader(io.StringIO(text)):
        key = (row["policy"], row["transforms"], row["evaluation"])
        area = float(row["area"])
        areas.setdefault(key, {})[row["order"]] = area
        best[row["order"]] = max(best.get(row["order"], 0), area)
    rows = []
    for key, found in areas.items():
        gaps = [best[order] - area for order, area in found.items()]
        mean = sum(gaps) / len(gaps)
        error = NORMAL * math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1) / len(gaps))
        rows.append((mean, error, key, sum(gap == 0 for gap in gaps) / len(gaps), sum(area == 81 for area in found.values())))
    rows.sort(key=lambda row: row[:2] + (row[2],))
    kept = rows[:8] + [row for row in rows[8:] if row[2] in (("in-order", "some", "first"), ("bl", "some", "first"), ("bl-lb", "every", "area"))]
    parts = {"packing-table": table(
        ["policy", "transforms", "evaluation", "squares below the best known", "best known reached, %", "full quilts, % of orders"],
        [[*key, spread(mean, mean - error, mean + error, 2), f"{100 * share:.0f}", percent(*wilson(full, ORDERS))] for mean, error, key, share, full in kept])}
    full = sum(value == 81 for value in best.values())
    mean = sum(best.values()) / len(best)
    parts["packing-note"] = (
        f"The best known packing of an order is the best of the {len(areas)} strategies here; it covers {mean:.1f} squares on average, and all 81 in "
        f"{full} of {len(best):,} orders. A better packing may exist.")
    rows = []
    for name, title in mirrors("original"):
        games = study.games(name) if study.has(name) else []
        if games:
            one, both = full_quilts(games)
            rows.append([title, f"{len(games):,}", percent(*wilson(one, 2 * len(games))), both, max(game["covered"][0] + game["covered"][1] for game in games)])
    two = sum(row[3] for row in rows)
    most = max(row[4] for row in rows)
    parts["packing-answer"] = (
        f"**Answer.** The best strategy, {'/'.join(kept[0][2])}, stays {kept[0][0]:.1f} squares below the best known packing. In play, two full quilts occurred in {count(two, 'game')} of "
        f"{sum(int(row[1].replace(',', '')) for row in rows):,}; the most covered squares of both quilts were {most} of 162. Whether two full quilts can occur at all is open.")
    parts["quilts-table"] = table(["agent", "games", "full quilts, %", "games with two full quilts", "most squares of both quilts, of 162"], rows)
    return parts


# Question 7

def question_7(study, folder):
    pairs = [("flat-uniform", "mcts-uniform", "every placement and random rollouts"),
             ("flat-greedy", "mcts-regret-1", "bl-lb with regret and rollouts by equation 1")]
    rows, ps, figure = [], [], []
    for flat, tree, what in pairs:
        for name in played(study, [f"{flat}-{time}" for time in (5, 20, 100)]) or [f"{flat}-5"]:
            report = study.report(name)
            tree = next(row["agent"] for row in report["ratings"] if row["agent"].split("{")[0] == tree.split("{")[0])
            games, score, low, high = pairing(report, tree, flat)
            ps.append(p_of_score(score, low, high))
            study.claims.append(of_score(f"7: tree against flat, {what}, at {name.split('-')[2]} ms", games, score, low, high))
            rows.append([f"{name.split('-')[2]} ms", what, f"{games:,}", percent(score, low, high), elo_text(score, low, high)])
            figure.append((f"{name.split('-')[2]} ms: {what.split(' and ')[0]}", 0, score, low, high))
    adjusted = holm(ps)
    for row, found, p in zip(rows, figure, adjusted):
        row += [p_text(p), verdict(p, *found[2:])]
    svg.intervals(folder / "flat.svg", "Score of the tree against flat Monte Carlo with the same placements and rollouts", figure, "score of the tree", 0.5, 2)
    told = []
    for _, _, what in pairs:
        mine = [(row[0], p, *found[2:]) for row, found, p in zip(rows, figure, adjusted) if row[1] == what]
        told.append(by_time(mine, f"with {what}", "the tree"))
    return {
        "flat-table": table(["time per move", "placements and rollouts", "games", "score of the tree, %", "Elo of the tree, 95%", "adjusted p", "shown"], rows),
        "flat-figure": picture("flat", "Scores of trees against flat Monte Carlo with intervals"),
        "flat-answer": f"**Answer.** {' '.join(told)}",
    }


# Question 8

def question_8(study, folder):
    parts, told = {}, []
    kinds = [("time", "ms", [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 5000]),
             ("iterations", "iterations", [10 * 2**i for i in range(10)])]
    met = {}
    for kind, _, steps in kinds:
        key = "processor_milliseconds" if kind == "time" else "iterations"
        for step in steps:
            name = f"doubling-{kind}-{step}-{2 * step}"
            # Without any of them, the first one is what is missing.
            if study.has(name) or step == steps[0]:
                met[kind, step] = pairing(study.report(name), f"champion-2{{budget.{key}={2 * step}}}", f"champion-2{{budget.{key}={step}}}")
    adjusted = dict(zip(met, holm([p_of_score(*row[1:]) for row in met.values()])))
    for kind, unit, steps in kinds:
        rows, figure, places, total = [], [], [], 0
        for step in (step for step in steps if (kind, step) in met):
            games, score, low, high = met[kind, step]
            p = adjusted[kind, step]
            study.claims.append(of_score(f"8: {2 * step:,} {unit} against {step:,}", games, score, low, high))
            rows.append([f"{2 * step:,} {unit} against {step:,}", f"{games:,}", percent(score, low, high), elo_text(score, low, high), p_text(p), verdict(p, score, low, high)])
            figure.append((f"{step:,} to {2 * step:,} {unit}", 0, elo(score), elo(low), elo(high)))
            places.append(math.log2(step))
            total += games
        known = [(place, row[2], (row[4] - row[3]) / 2 / NORMAL) for place, row in zip(places, figure) if None not in row[2:]]
        mean, _ = weighted_line(known, slope=False)
        change = weighted_line(known)[1] if len(known) > 2 else None
        told.append(
            f"A doubling of {kind} from {rows[0][0].split(' against ')[1]} to {rows[-1][0].split(' against ')[0]} gains {spread(*mean, 0, True)} Elo, as a mean of {len(known)} doublings "
            "weighted by their precision.")
        if change:
            study.claims.append(Claim(f"8: change of the gain with each doubling of {kind}", "Elo per doubling", total, *change))
            how = "grows" if change[1] > 0 else "falls" if change[2] < 0 else None
            told.append(
                f"The gain {how} by {spread(*(map(abs, change) if how == 'grows' else (abs(change[0]), *sorted(map(abs, change[1:])))), 0)} Elo with each doubling." if how else
                f"That the gain grows or falls is not shown: it changes by {spread(*change, 0, True)} Elo with each doubling.")
        svg.intervals(folder / f"doubling-{kind}.svg", f"Elo of twice the {kind}", figure, "Elo", 0)
        parts[f"doubling-{kind}"] = table(["champion-2", "games", "score, %", "Elo, 95%", "adjusted p", "shown"], rows)
        parts[f"doubling-{kind}-figure"] = picture(f"doubling-{kind}", f"Elo of each doubling of {kind}, with intervals")
    parts["doubling-answer"] = f"**Answer.** {' '.join(told)}"
    return parts


# Question 9

def question_9(study, folder):
    report = study.report("transitivity")
    fit = report["consistency"]
    rows = [[f"`{row['agent']}`", f"{row['games']:,}", spread(*with_ends(row["elo"]), 0, True)] for row in report["ratings"]]
    for row in report["ratings"]:
        study.claims.append(Claim(f"9: {row['agent']} against the mean", "Elo", row["games"], *with_ends(row["elo"])))
    surprising = [row for row in fit["pairings"] if row["surprise"] is not None]
    ps = holm([2 * normal_above(abs(row["surprise"])) for row in surprising])
    beyond = [[f"`{row['a']}`", f"`{row['b']}`", f"{row['games']:,}", percent(row["wins"] / row["games"]), percent(row["expected"] / row["games"]), p_text(p)]
              for row, p in zip(surprising, ps) if p <= 0.05]
    sentence = (
        f"**Answer.** One Elo per agent {'does not explain' if fit['p'] < 0.05 else 'is consistent with'} these results: chi-square {fit['chi_square']:.1f} with "
        f"{fit['freedom']} degrees of freedom, p {p_equals(fit['p'])}. ")
    if fit["lottery"]:
        named = [f"`{row['agent']}` {percent(*with_ends(row['share']))}" for row in fit["lottery"][:3]]
        sentence += ("A ranking that needs no transitivity is a maximal lottery: nobody is expected to beat an opponent that is drawn with its shares. "
                     f"The largest are, in %: {', '.join(named)}.")
    parts = {"cycles-answer": sentence, "cycles-ratings": table(["agent", "games", "Elo, 95%"], rows)}
    if beyond:
        parts["cycles-pairings"] = "Pairings that differ from what the ratings say (adjusted for their number):\n\n" + table(
            ["agent", "opponent", "games", "won, %", "expected, %", "adjusted p"], beyond)
    else:
        parts["cycles-pairings"] = "No pairing differs significantly from what the ratings say."
    return parts


# Question 10

def question_10(study, folder):
    report = study.report("rings")
    rings = report["rings"]
    cell = lambda part: f"{part['between_sd']:.2f}"
    share = lambda part: percent(*with_ends(part["share"]))
    rows = [["margin of the first player, points", spread(rings["margin"]["mean"], None, None, 1, True).split(" ")[0], cell(rings["margin"]), f"{rings['margin']['chance_sd']:.1f}", share(rings["margin"])],
            ["won by the first player", f"{rings['wins']['mean']:.2f}", cell(rings["wins"]), f"{rings['wins']['chance_sd']:.2f}", share(rings["wins"])]]
    parts = {"rings-table": table(["", "mean of rings", "standard deviation between rings", "standard deviation of games on one ring", "share of the ring in the variance, %"], rows)}
    by_ring = {}
    for game in study.games("rings"):
        by_ring.setdefault(game["ring"], []).append((game["scores"][0] - game["scores"][1], game["winner"] == "first"))
    halves = []
    for games in by_ring.values():
        even, odd = games[::2], games[1::2]
        halves.append((sum(m for m, _ in even) / len(even), sum(m for m, _ in odd) / len(odd)))
    mean_a, mean_b = (sum(h[i] for h in halves) / len(halves) for i in (0, 1))
    covariance = sum((a - mean_a) * (b - mean_b) for a, b in halves) / (len(halves) - 1)
    shares = sorted(sum(won for _, won in games) / len(games) for games in by_ring.values())
    sure = [sum(share <= 0.1 for share in shares), sum(share >= 0.9 for share in shares)]
    parts["rings-note"] = (
        f"{len(by_ring):,} rings with {count(report['games'] // len(by_ring), 'game')} each. On {count(sure[0], 'ring')} the first player won at most 10% of the games, "
        f"and on {count(sure[1], 'ring')} at least 90%. As a check that does not use the model: the mean margins of two halves of the games of each ring have a "
        f"covariance of {covariance:.1f}; its square root, {math.sqrt(max(0, covariance)):.1f} points, also estimates the standard deviation between rings.")
    parts["rings-answer"] = (
        f"**Answer.** Between these players, the ring explains {rings['margin']['share']['value']:.0%} ({100 * rings['margin']['share']['low']:.0f} to {100 * rings['margin']['share']['high']:.0f}) of the variance of the margin: a standard deviation of "
        f"{rings['margin']['between_sd']:.1f} points between rings.")
    ordered = sorted(sum(m for m, _ in games) / len(games) for games in by_ring.values())
    bins = {}
    for value in ordered:
        bins[3 * round(value / 3)] = bins.get(3 * round(value / 3), 0) + 1
    low, high = min(bins), max(bins)
    points = [(place, bins.get(middle, 0), None, None) for place, middle in enumerate(range(low, high + 1, 3))]
    svg.lines(folder / "rings.svg", "The first player's mean margin on each ring", [("number of rings", 0, [points])], [f"{len(by_ring)} rings"],
              [str(middle) for middle in range(low, high + 1, 3)], "points")
    parts["rings-figure"] = picture("rings", "How the rings are distributed by the first player's mean margin")
    return parts


# Question 11

IDEAS = {
    "estimate=linear": "learned estimate (linear instead)",
    "expansion.best=1": "three placements per patch (one instead)",
    "expansion.strategy=in-order/some/first": "regret in the tree (in-order instead)",
    "expansion.prior.points=1000000.0": "prior by the estimate (nearly equal weights)",
    "expansion.prior.decay=0.0": "prior falls with the rank of a placement",
    "search.select=ucb1": "PUCT (UCB1 instead)",
    "search.minimax=0.0": "implicit minimax",
    "search.first_play=1.0": "low urgency of first visits",
    "search.endgame=0,search.endgame_bounds=false,search.endgame_spaces=16": "exact search of endings",
    "search.endgame_bounds=false": "bounds of endings",
    "search.endgame=0,search.endgame_bounds=false,search.endgame_spaces=16,search.solver=false": "exact endings with the solver",
    "search.value=mix": "value by margin (mix instead)",
    "rollout.depth=2": "no rollouts (two plies instead)",
}


def ablation(study, name, track):
    """The comparisons of an ablation: printing, idea, games, score, low and high."""
    report = study.report(name)
    rows = []
    for agent in sorted({row[k] for row in report["pairings"] for k in "ab"} - {"champion-2"}):
        keys = agent.split("{", 1)[1][:-1].replace("'", "").split(",")
        keys = ",".join(sorted(key for key in keys if key != "expansion.prior="))
        met = pairing(report, "champion-2", agent)
        if met:
            rows.append((track, IDEAS.get(keys, keys), *met))
    return rows


def question_11(study, folder):
    rows = [row for track in TRACKS for row in ablation(study, f"ablation-2-{track}", track)]
    adjusted = holm([p_of_score(*row[3:]) for row in rows])
    by_idea = {}
    for row, p in zip(rows, adjusted):
        study.claims.append(of_score(f"11: {row[1]}, {row[0]}, 2 ms", *row[2:]))
        by_idea.setdefault(row[1], {})[row[0]] = (row, p)
    order = sorted(by_idea, key=lambda idea: -sum(row[3] for row, _ in by_idea[idea].values()))
    lines, figure = [], []
    for idea in order:
        line = [idea]
        for at, track in enumerate(TRACKS):
            if track in by_idea[idea]:
                (_, _, games, score, low, high), p = by_idea[idea][track]
                line += [f"{games:,}", elo_text(score, low, high), p_text(p), verdict(p, score, low, high)]
                figure.append((idea.split(" (")[0] + ("" if at == 0 else " "), at, score, low, high))
        lines.append(line)
    svg.intervals(folder / "ablation.svg", "Score of champion-2 against itself without one idea, at 2 ms", figure, "score", 0.5, 2, TRACKS)
    matter = [idea for idea in order if any(p <= 0.05 and row[3] > 0.5 for row, p in by_idea[idea].values())]
    harm = [idea for idea in order if any(p <= 0.05 and row[3] < 0.5 for row, p in by_idea[idea].values())]
    other = [idea for idea in order if idea not in matter + harm]
    plain = lambda ideas: listing(idea.split(" (")[0] for idea in ideas)
    answer = f"**Answer.** At 2 ms, after adjustment for {count(len(rows), 'comparison')}, "
    answer += f"{count(len(matter), 'idea')} of {len(order)} {'is' if len(matter) == 1 else 'are'} shown to help on at least one printing: {plain(matter)}." if matter else "no idea is shown to help."
    answer += f" {count(len(harm), 'idea')} {'is' if len(harm) == 1 else 'are'} shown to harm: {plain(harm)}." if harm else " No idea is shown to harm."
    answer += f" For the other {len(other)}, no difference is shown: {plain(other)}." if other else ""
    exact = sum(verdict(p, *row[3:]).endswith(EXACT) for found in by_idea.values() for row, p in found.values())
    answer += f" How much an idea is worth is known to ±{GOAL_ELO} Elo in {exact} of these comparisons, which the table names."
    later = [row for track in TRACKS if study.has(f"ablation-10-{track}") for row in ablation(study, f"ablation-10-{track}", track)]
    parts = {
        "ablation-table": table(["without", *(f"{track}: {what}" for track in TRACKS for what in ("games", "Elo of the idea, 95%", "adjusted p", "shown"))], lines),
        "ablation-figure": picture("ablation", "Score of champion-2 against itself without each idea, on both printings"),
        "ablation-answer": answer,
        "ablation-later": "At 10 ms, no games were played.",
    }
    if later:
        for track, idea, *met in later:
            study.claims.append(of_score(f"11: {idea}, {track}, 10 ms", *met))
        # What these games show is in the claims; so few of them need no table.
        fewest = min(row[2] for row in later)
        parts["ablation-later"] = f"At 10 ms, {count(fewest, 'game')} of each comparison were played, too few to tell the ideas apart."
        if fewest >= 100:
            after = holm([p_of_score(*row[3:]) for row in later])
            parts["ablation-later"] = "At 10 ms:\n\n" + table(
                ["printing", "without", "games", "Elo of the idea, 95%", "adjusted p", "shown"],
                [[track, idea, f"{games:,}", elo_text(score, low, high), p_text(p), verdict(p, score, low, high)] for (track, idea, games, score, low, high), p in zip(later, after)])
    return parts


ALL = [question_1, question_2, question_3, question_4, question_5, question_6, question_7, question_8, question_9, question_10, question_11]
