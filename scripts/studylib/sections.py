"""Answers the questions of the study: tables, figures and the sentences with numbers, one function for each question.

Each function takes the study and the folder for figures, and returns the parts of the document by their names. An answer begins with
`**Answer.**`; the paragraph after it says how sure it is. A sentence has at most 25 words.
"""

import csv
import io
import math

from . import svg
from .claims import BEYOND, GOAL_ELO, LIMITS, Claim, of_score
from .stats import NORMAL, elo, fair_komi, holm, normal_above, p_of, weighted_line

# What the exported data has of each game; its documentation is in docs/lab/data.md.
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


def people(titles):
    """Agents of question 2 in a sentence: `random play and the champion at 30 and 300 iterations`."""
    named = {"random": "random play", "greedy-regret": "greedy play"}
    plain = [named.get(title, "a small tree search") for title in titles if "champion" not in title]
    depths = [title.split(", ")[1].removesuffix(" iterations") for title in titles if "champion" in title]
    return listing(plain + ([f"the champion at {listing(depths)} iterations"] if depths else []))


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
    """A score as Elo: with its interval, or the limit of a large difference, or nothing if too little is known."""
    claim = of_score("", 0, score, low, high)
    if not claim.is_wide():
        return spread(claim.value, claim.low, claim.high, 0, True)
    if not claim.is_known():
        return "-"
    return f"above {claim.low:+.0f}" if score > 0.5 else f"below {claim.high:+.0f}"


def is_known(score, low, high):
    """Whether a score is known well enough to be shown."""
    return of_score("", 0, score, low, high).is_known()


def narrow(estimate, unit, digits):
    """A value with its interval if it is known well enough to be shown."""
    ends = with_ends(estimate)
    return "-" if Claim("", unit, 0, *ends).is_wide() else spread(*ends, digits, True)


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


def upper(text):
    return text[:1].upper() + text[1:]


def listing(items):
    """`a, b and c`; nothing of nothing."""
    items = list(items)
    return "".join(items) if len(items) < 2 else f"{', '.join(items[:-1])} and {items[-1]}"


def size(score, low, high):
    """How large a difference is, without its direction: a value where it is known to the study's goal, otherwise a range or a limit."""
    if is_exact(low, high):
        return f"{abs(elo(score)):.0f} Elo"
    ends = sorted(abs(elo(end)) for end in (low, high) if elo(end) is not None)
    if ends[0] > 400:
        return "more than 400 Elo"
    if len(ends) < 2 or not is_known(score, low, high) or of_score("", 0, score, low, high).is_wide():
        return f"more than {ends[0]:.0f} Elo"
    return f"{ends[0]:.0f} to {ends[1]:.0f} Elo"


def duel(rows, wins, loses, neither):
    """Sentences on comparisons (place, adjusted p, score, low, high) with one opponent. In each sentence, {} is replaced: by the sizes
    with their places, or by the places without a difference."""
    said = []
    for text, here in ((wins, [row for row in rows if row[1] <= 0.05 and row[2] > 0.5]), (loses, [row for row in rows if row[1] <= 0.05 and row[2] < 0.5])):
        if here:
            said.append(text.format(listing(f"{size(*row[2:])} at {row[0]}" for row in here)))
    none = [f"{place} ({elo(low):+.0f} to {elo(high):+.0f} Elo)" for place, p, _, low, high in rows if p > 0.05]
    return said + ([neither.format(listing(none))] if none else [])


def duration(seconds):
    """Processor time for people."""
    if seconds < 5400:
        return count(max(1, round(seconds / 60)), "minute")
    return f"{seconds / 3600:.1f} hours" if seconds < 36000 else f"{seconds / 3600:.0f} hours"


def left_open(study, what, names):
    """One sentence on the tournaments that are not known well enough to be shown, or were not played, and what they would take."""
    wide = [study.stages[name] for name in names if name in study.stages]
    seconds = sum(study.lacking(stage, LIMITS["Elo"]) for stage in wide)
    return f"{what} would take {duration(seconds)} of processor time." if wide else ""


def paragraphs(*texts):
    return "\n\n".join(text for text in texts if text)


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


# The three alternatives to the pairing: the agent, what it is called in a table, and the sentences on it.
AGAINST = [
    ("mcts-fast-1", "cheap placements everywhere", "It beats cheap placements everywhere by {}.", "It loses to cheap placements everywhere by {}.",
     "No difference from cheap placements everywhere is shown at {}."),
    ("mcts-regret-1{rollout.strategy=bl-lb/every/regret}", "expensive placements everywhere", "Expensive placements in rollouts as well cost {}.",
     "Expensive placements in rollouts as well gain {}.", "Whether rollouts are expensive as well makes no difference that is shown at {}."),
    ("mcts-fast-1{rollout.strategy=bl-lb/every/regret}", "cheap placements in the tree and expensive ones in rollouts", "The reverse pairing is worse by {}.",
     "The reverse pairing is better by {}.", "The reverse pairing is not shown to differ at {}."),
]


def question_1(study, folder):
    parts = {}
    names = played(study, ["grid-iterations", "grid-time-5", "grid-time-20"]) or ["grid-iterations"]
    titles = {"grid-iterations": "200 iterations", "grid-time-5": "5 ms", "grid-time-20": "20 ms"}
    grids = {name: grid(study, name) for name in names}
    rows = list(STRATEGIES)
    columns = rows[:4]
    panels, wide = [], []
    for name in list(names):
        scores = {place: with_ends(cell["score"]) for place, cell in grids[name].items()}
        for (row, column), score in scores.items():
            title = f"{STRATEGIES[row]} in the tree and {STRATEGIES[column]} in rollouts, at {titles[name]}"
            study.claims.append(of_score(f"1: {title}", grids[name][row, column]["games"], *score))
        if any(not is_known(*score) for score in scores.values()):
            wide.append(name)
        # A map with holes in most places shows nothing.
        if sum(is_known(*score) for score in scores.values()) <= len(scores) // 2:
            names.remove(name)
            continue
        told = lambda score: elo_text(*score).split(" (")[0].replace("above ", "> ").replace("below ", "< ")
        cell = lambda score: (elo(min(max(score[0], 0.001), 0.999)), told(score)) if score and is_known(*score) else None
        panels.append((f"{titles[name]}: {study.report(name)['games']:,} games", [[cell(scores.get((row, column))) for column in columns] for row in rows]))
    svg.heat(
        folder / "grid.svg", "Elo against in-order placements everywhere", panels, list(STRATEGIES.values()),
        [STRATEGIES[column].replace("bl-lb, ", "") for column in columns], "in the tree", "in rollouts", 150,
    )
    parts["grid-figure"] = picture("grid", "Heat maps: Elo of each combination of placements in the tree and in rollouts")
    lines = []
    for row in rows:
        for column in columns:
            cells = [grids[name].get((row, column)) for name in names]
            lines.append([STRATEGIES[row], STRATEGIES[column], *(elo_text(*with_ends(cell["score"])) if cell else "-" for cell in cells)])
    games = listing(f"{next(iter(grids[name].values()))['games']:,} games at {titles[name]}" for name in names)
    parts["grid-table"] = paragraphs(
        table(["in the tree", "in rollouts", *(titles[name] for name in names)], lines),
        (f"Each combination has {games}. These intervals are not adjusted for their number. " if names else "")
        + (left_open(study, f"All combinations to ±{LIMITS['Elo']} Elo at {listing(titles[name] for name in wide)}", wide) if wide else ""))
    # The claims are made from other games than the maps.
    comparisons, lines = [], []
    stages = ["proposal-5", "proposal-20", "proposal-100", "proposal-500"]
    for name in played(study, stages):
        report = study.report(name)
        here = {row[side].replace("'", "") for row in report["pairings"] for side in "ab"}
        for agent, what, *_ in AGAINST:
            met = pairing(report, "mcts-regret-1", agent) if agent in here else None
            if met:
                comparisons.append((int(name.split("-")[1]), what, *met))
    comparisons.sort()
    adjusted = holm([p_of_score(*row[3:6]) for row in comparisons])
    shown = []
    for (time, what, games, *score), p in zip(comparisons, adjusted):
        study.claims.append(of_score(f"1: the proposal against {what} at {time} ms", games, *score))
        if is_known(*score):
            shown.append((time, what, games, p, *score))
            lines.append([f"{time} ms", what, f"{games:,}", percent(*score), elo_text(*score), p_text(p), verdict(p, *score)])
    parts["proposal-table"] = table(["time per move", "against", "games", "score, %", "Elo, 95%", "adjusted p", "shown"], lines)
    lacks = [name for name in stages if int(name.split("-")[1]) not in {row[0] for row in shown}]
    times = listing(f"{name.split('-')[1]} ms" for name in lacks) if lacks else ""
    parts["proposal-table"] += f"\n\nThe p-values are adjusted for {count(len(comparisons), 'comparison')} (Holm). " + left_open(
        study, f"The comparison at {times} to ±{LIMITS['Elo']} Elo", lacks)
    all_win = [time for time in sorted({row[0] for row in shown}) if sum(row[0] == time for row in shown) == len(AGAINST) and all(row[3] <= 0.05 and row[4] > 0.5 for row in shown if row[0] == time)]
    told = [f"Yes: at {listing(f'{time} ms' for time in all_win)} per move, the paper's pairing is stronger than all three alternatives." if all_win else
            "These games do not show that the paper's pairing is stronger than all three alternatives."]
    for _, what, *texts in AGAINST:
        told += duel([(f"{row[0]} ms", *row[3:]) for row in shown if row[1] == what], *texts)
    numbers = [f"{row[2]:,} games at {row[0]} ms" for row in shown if row[1] == AGAINST[0][1]]
    met = f"Cheap placements everywhere met the pairing in {listing(numbers)}. " if numbers else ""
    parts["proposal-answer"] = paragraphs(
        f"**Answer.** {' '.join(told)}",
        f"**How sure.** {met}The p-values are adjusted for {count(len(comparisons), 'comparison')}. "
        "The setups are others than those of the map below." if shown else "")
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
        full, means = [], []
        for name, _ in columns:
            games = study.games(name)
            full.append(full_quilts(games))
            means.append({key: sum(sum(game[key]) for game in games) / (2 * len(games)) for key in ("covered", "buttons")})
            means[-1]["winner"] = sum(max(game["scores"]) for game in games) / len(games)
        rows = [["games", *(f"{report['games']:,}" for report in reports)]]

        def row(title, cell):
            rows.append([title, *map(cell, reports)])

        row("advantage of moving first, Elo", lambda r: narrow(r["first_player"]["elo"], "Elo", 0))
        row("the same, points", lambda r: narrow(r["first_player"]["margin"], "points", 1))
        row("plies", lambda r: spread(*with_ends(r["sizes"][0]["plies"]), 1))
        row("legal actions per ply", lambda r: spread(*with_ends(r["sizes"][0]["legal"])))
        row("margin of the winner, points", lambda r: f"{r['scores']['margin']:.1f}")
        rows.append(["points of the winner", *(f"{of['winner']:.1f}" for of in means)])
        rows.append(["squares covered", *(f"{of['covered']:.1f}" for of in means)])
        rows.append(["full quilts, % of quilts", *(percent(*wilson(one, 2 * r["games"])) for (one, _), r in zip(full, reports))])
        row("7x7 filled, % of games", lambda r: percent(*wilson(r["bonus"]["games"], r["games"])))
        rows.append(["buttons at the end", *(f"{of['buttons']:.1f}" for of in means)])
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
        ("plies per game", 1, lambda r: with_ends(r["sizes"][0]["plies"])),
        ("legal actions per ply", 0, lambda r: with_ends(r["sizes"][0]["legal"])),
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
    ps, told, names = [], [], []
    for track in TRACKS:
        for name, title in mirrors(track):
            if study.has(name):
                first = study.report(name)["first_player"]
                ps.append(p_of(*with_ends(first["margin"])))
                told.append((track, title, first["margin"]["value"]))
                names.append(name)
    adjusted = holm(ps)
    values = {title: [(margin, p) for (_, level, margin), p in zip(told, adjusted) if level == title] for _, title in LEVELS}
    sure = [title for title, here in values.items() if here and all(p <= 0.05 for _, p in here)]
    none = [title for title, here in values.items() if here and all(p > 0.05 for _, p in here)]
    some = [title for title, here in values.items() if here and title not in sure + none]
    worth = [margin for title in sure for margin, _ in values[title]]
    said = [f"Moving first is worth {between(worth, 1)} points to {people(sure)}."] if sure else []
    said += [f"For {people(some)}, an advantage is shown on one printing alone."] if some else []
    said += [f"For {people(none)}, no advantage is shown."] if none else []
    ends = [study.report(name) for name, _ in mirrors("original") if study.has(name)]
    if len(ends) > 1:
        weak, strong = ends[0], ends[-1]
        filled = [100 * r["bonus"]["games"] / r["games"] for r in (weak, strong)]
        last = [title for name, title in mirrors("original") if study.has(name)][-1]
        said.append(f"From {people([LEVELS[0][1]])} to {people([last])}, a game grows from {weak['sizes'][0]['plies']['value']:.1f} to {strong['sizes'][0]['plies']['value']:.1f} plies.")
        said.append(f"The margin of the winner falls from {weak['scores']['margin']:.1f} to {strong['scores']['margin']:.1f} points.")
        said.append(f"The 7x7 is filled in {filled[0]:.0f}% and {filled[1]:.0f}% of their games.")
    fresh_of = lambda name: name.replace(str(SEED), str(FRESH))
    repeated = [study.report(fresh_of(name))["first_player"]["margin"]["low"] for name, p in zip(names, adjusted) if p <= 0.05 and study.has(fresh_of(name))]
    parts["levels-answer"] = paragraphs(
        f"**Answer.** {' '.join(said)}",
        f"**How sure.** The tests of moving first are adjusted for {count(len(ps), 'comparison')}. "
        f"{len(repeated)} of the shown advantages were measured again on fresh setups. In {sum(low > 0 for low in repeated)} of these, the interval lies above 0 again.")
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
    whole = sum(len(study.games(f"mirror-{level}-{track}{f'-k{komi}' if komi else ''}-{SEED}")) for track in TRACKS for level, _ in KOMI_LEVELS for komi in KOMIS)
    parts["komi-answer"] = paragraphs(
        f"**Answer.** Moving first is worth {between([fit['komi'] for fit in fits], 1)} buttons. "
        + ("So one button for the second player is already too much." if below_one == len(fits) else
           f"In {below_one} of {len(fits)} cases, one button for the second player is already too much."),
        f"**How sure.** There are {len(fits)} cases with {whole:,} games."
        + (f" Their 95% intervals lie between {between(ends, 1).replace(' to ', ' and ')} buttons." if None not in ends else ""))
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
    def told(what, kept):
        each = [f"patch {n} ({again[n][0]:+.1f})" for n in kept]
        return f"{what}: {listing(each)}." if kept else ""

    found_first = sum(p <= 0.05 for p in adjusted.values())
    cheap = [n for n in confirmed if gains[n][0] > 0]
    dear = [n for n in reversed(confirmed) if gains[n][0] < 0]
    parts["patches-answer"] = paragraphs(
        f"**Answer.** {len(confirmed)} of {len(known)} patches are shown to be mispriced. In brackets is what owning one is worth, in points more or less than "
        f"owning any patch. {told('Too cheap', cheap)} {told('Too dear', dear)}".strip().replace("  ", " "),
        f"**How sure.** In {games:,} games, {found_first} patches differed significantly from the mean, after adjustment for {len(known)} patches. "
        f"{len(confirmed)} of these differ again on fresh setups, which give the sizes."
        + (" The table has their 95% intervals." if confirmed else ""))
    return parts


# Question 5

def question_5(study, folder):
    parts, rows, shares, owners, ahead = {}, [], [], [], []
    filled, owned = [[], []], [[], []]
    for track in TRACKS:
        for name, title in mirrors(track):
            if not study.has(name):
                continue
            games = study.games(name)
            own = [game for game in games if game["bonus_7x7"] not in (None, "-")]
            place, at = [level for level, _ in LEVELS].index(name.split("-")[1]), TRACKS.index(track)
            wins = sum(game["bonus_7x7"] == game["winner"] for game in own)
            filled[at].append((place, *(100 * end for end in wilson(len(own), len(games)))))
            if len(own) >= 20:
                owned[at].append((place, *(100 * end for end in wilson(wins, len(own)))))
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
          verdict(p, score, low, high)] for (iterations, games, own, other, score, low, high), p in zip(trials, adjusted) if is_known(score, low, high)])
    svg.lines(
        folder / "bonus.svg", "The 7x7 from random play to the champion",
        [("7x7 filled, % of games", 0, filled), ("won by its owner, % of these", 0, owned)], TRACKS, [level for level, _ in LEVELS], "agent")
    parts["bonus-figure"] = picture("bonus", "Two plots by strength: how often a 7x7 is filled, and how often its owner wins")
    if not shares:
        parts["bonus-answer"] = "**Answer.** No games of `champion-2` were played."
        return parts
    said = [
        f"The champion fills a 7x7 in {between(shares)}% of games, and its owner wins {between(owners)}% of these.",
        f"Without the 7 points, the owners would be {between(ahead, 1, True)} points ahead on average.", "So the bonus decides many of these games."]
    sure = ""
    if trials:
        rows = [(f"{row[0]:,} iterations", p, *row[4:]) for row, p in zip(trials, adjusted) if is_known(*row[4:])]
        more = [f"{row[0]:,}" for row in trials if wilson(row[2], row[1])[1] > wilson(row[3], row[1])[2]]
        said += ["Whether it pays to go for the 7x7 is open, because no setting of the program makes an agent fill it more often."] if not more else [
            f"An agent that goes for the 7x7 fills it more often at {listing(more)} iterations.",
            *duel(rows, "It wins by {}.", "It loses by {}.", "No difference in strength is shown at {}.")]
        sure = (f"**How sure.** The setting for it was tried in {count(sum(row[1] for row in trials), 'game')} at {listing(f'{row[0]:,}' for row in trials)} iterations. "
                + " ".join(duel(rows, "It gains {}.", "It costs {}.", "No difference is shown at {}.")))
    parts["bonus-answer"] = paragraphs(f"**Answer.** {' '.join(said)}", sure)
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
    svg.intervals(
        folder / "packing.svg", "Squares below the best known packing, by placement strategy", [("/".join(key), 0, mean, mean - error, mean + error) for mean, error, key, *_ in kept],
        "squares", None, 2)
    parts["packing-figure"] = picture("packing", "Squares below the best known packing for eleven placement strategies")
    full = sum(value == 81 for value in best.values())
    mean = sum(best.values()) / len(best)
    parts["packing-note"] = (
        f"The best known packing of an order is the best of the {len(areas)} strategies here. It covers {mean:.1f} squares on average, and all 81 in "
        f"{full:,} of {len(best):,} orders. A better packing may exist.")
    rows = []
    for name, title in mirrors("original"):
        games = study.games(name) if study.has(name) else []
        if games:
            one, both = full_quilts(games)
            rows.append([title, f"{len(games):,}", percent(*wilson(one, 2 * len(games))), both, max(game["covered"][0] + game["covered"][1] for game in games)])
    two = sum(row[3] for row in rows)
    most = max(row[4] for row in rows)
    in_order = next(row for row in kept if row[2] == ("in-order", "some", "first"))
    parts["packing-answer"] = paragraphs(
        f"**Answer.** The best strategy stays {kept[0][0]:.1f} squares below the best known packing, and the paper's cheap one {in_order[0]:.1f}. "
        f"In play, two full quilts occurred in {count(two, 'game')} of {sum(int(row[1].replace(',', '')) for row in rows):,}. "
        f"The most covered squares of both quilts were {most} of 162. Whether two full quilts can occur at all is open.",
        f"**How sure.** The gaps come from {ORDERS:,} orders and are known to ±{kept[0][1]:.2f} and ±{in_order[1]:.2f} squares. "
        "They are gaps to the best packing found, so the true ones can be larger.")
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
    shown = [(row, found, p) for row, found, p in zip(rows, figure, adjusted) if is_known(*found[2:])]
    for row, found, p in shown:
        row += [p_text(p), verdict(p, *found[2:])]
    svg.intervals(
        folder / "flat.svg", "Score of the tree against flat Monte Carlo with the same placements and rollouts", [found for _, found, _ in shown], "score of the tree", 0.5, 2)
    said = []
    for (_, _, what), wins in zip(pairs, ("With every placement and random rollouts, the tree is stronger by {}.", "With better placements and rollouts, it is stronger by {}.")):
        mine = [(row[0], p, *found[2:]) for row, found, p in shown if row[1] == what]
        said += duel(mine, wins, wins.replace("stronger", "weaker"), f"With {what}, no difference is shown at {{}}.")
    known = {(row[1], row[0]) for row, _, _ in shown}
    lacks = [f"{flat}-{time}" for flat, _, what in pairs for time in (5, 20, 100) if (what, f"{time} ms") not in known]
    times = sorted({int(name.split("-")[2]) for name in lacks})
    best = all(p <= 0.05 and found[2] > 0.5 for _, found, p in shown)
    return {
        "flat-table": paragraphs(
            table(["time per move", "placements and rollouts", "games", "score of the tree, %", "Elo of the tree, 95%", "adjusted p", "shown"], [row for row, _, _ in shown]),
            left_open(study, f"The missing comparisons at {listing(f'{time} ms' for time in times)} to ±{LIMITS['Elo']} Elo" if times else "", lacks)),
        "flat-figure": picture("flat", "Scores of trees against flat Monte Carlo with intervals"),
        "flat-answer": paragraphs(
            f"**Answer.** {'The tree is stronger in every comparison.' if best else 'The tree is not shown to be stronger in every comparison.'} {' '.join(said)}",
            f"**How sure.** The p-values are adjusted for {count(len(ps), 'comparison')}. "
            f"The comparisons have {between([int(row[2].replace(',', '')) for row, _, _ in shown])} games each."),
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
    figure, changes, exact = [], [], 0
    for at, (kind, unit, steps) in enumerate(kinds):
        rows, here, places, total = [], [], [], 0
        for step in (step for step in steps if (kind, step) in met):
            games, score, low, high = met[kind, step]
            p = adjusted[kind, step]
            study.claims.append(of_score(f"8: {2 * step:,} {unit} against {step:,}", games, score, low, high))
            if of_score("", games, score, low, high).is_wide():
                continue
            exact += is_exact(low, high)
            rows.append([f"{2 * step:,} {unit} against {step:,}", f"{games:,}", percent(score, low, high), elo_text(score, low, high), p_text(p), verdict(p, score, low, high)])
            here.append((f"{step:,} to {2 * step:,} {unit}", at, elo(score), elo(low), elo(high)))
            places.append(math.log2(step))
            total += games
        known = [(place, row[2], (row[4] - row[3]) / 2 / NORMAL) for place, row in zip(places, here)]
        lacks = [f"doubling-{kind}-{step}-{2 * step}" for step in steps if f"{step:,} to {2 * step:,} {unit}" not in {row[0] for row in here}]
        first = min((int(name.split("-")[2]) for name in lacks), default=0)
        parts[f"doubling-{kind}"] = paragraphs(
            table(["champion-2", "games", "score, %", "Elo, 95%", "adjusted p", "shown"], rows),
            left_open(study, f"The doublings from {first:,} {unit} on, to ±{LIMITS['Elo']} Elo each,", lacks))
        figure += here
        if not known:
            continue
        mean, _ = weighted_line(known, slope=False)
        change = weighted_line(known)[1] if len(known) > 2 else None
        told.append(f"From {rows[0][0].split(' against ')[1]} to {rows[-1][0].split(' against ')[0]}, a doubling of {kind} gains {spread(*mean, 0, True)} Elo on average.")
        if change:
            study.claims.append(Claim(f"8: change of the gain with each doubling of {kind}", "Elo per doubling", total, *change))
            changes.append((kind, change))
    grows = [kind for kind, change in changes if change[1] > 0]
    falls = [kind for kind, change in changes if change[2] < 0]
    told += [f"The gain grows with more {listing(grows)}."] if grows else []
    told += [f"The gain falls with more {listing(falls)}."] if falls else []
    told += ["That the gain grows or falls is not shown."] if changes and not grows + falls else []
    svg.intervals(folder / "doubling.svg", "Elo of twice the time and of twice the iterations", figure, "Elo", 0, 0, ["time", "iterations"])
    parts["doubling-figure"] = picture("doubling", "Elo of each doubling of time and of iterations, with intervals")
    parts["doubling-answer"] = paragraphs(
        f"**Answer.** {' '.join(told)}",
        f"**How sure.** {exact} of the {len(figure)} doublings are known to ±{GOAL_ELO} Elo. The means weight them by their precision. "
        + " ".join(f"With each doubling of {kind}, the gain changes by {spread(*change, 0, True)} Elo." for kind, change in changes))
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
    met = [row for row in report["pairings"] if row["games"]]
    sure = {}
    for row, p in zip(met, holm([p_of_score(*with_ends(row["a_score"])) for row in met])):
        if p <= 0.05:
            sure[(row["a"], row["b"]) if row["a_score"]["value"] > 0.5 else (row["b"], row["a"])] = p
    cycles = {frozenset((a, b, c)) for a, b in sure for b_, c in sure if b_ == b and (c, a) in sure}
    said = f"{count(len(cycles), 'cycle')} of three agents {'is' if len(cycles) == 1 else 'are'} shown." if cycles else "No cycle of three agents is shown."
    said += (" But one Elo per agent does not explain all results." if fit["p"] < 0.05 and not cycles else " One Elo per agent does not explain the results." if cycles else
             " One Elo per agent explains the results.")
    if beyond:
        said += f" {'One' if len(beyond) == 1 else len(beyond)} of {len(surprising)} pairings {'differs' if len(beyond) == 1 else 'differ'} from what the ratings say."
        said += f" {beyond[0][0]} won {beyond[0][3]}% of its games against {beyond[0][1]}, where {beyond[0][4]}% were expected."
    short = lambda name: name.split("{")[0]
    deviations = []
    for row in surprising:
        _, score, *ends = pairing(report, row["a"], row["b"])
        deviations.append((f"{short(row['a'])}, {short(row['b'])}", 0, *(100 * (end - row["expected"] / row["games"]) for end in (score, *ends))))
    svg.intervals(
        folder / "cycles.svg", "Won by the first of two agents, minus what the ratings say", sorted(deviations, key=lambda row: -row[2]), "% of games", 0, 1)
    parts = {
        "cycles-answer": paragraphs(
            f"**Answer.** {said}",
            f"**How sure.** The test of one Elo per agent has chi-square {fit['chi_square']:.1f} with {fit['freedom']} degrees of freedom, p {p_equals(fit['p'])}. "
            f"Who beats whom is tested with adjustment for {count(len(met), 'pairing')}."),
        "cycles-figure": picture("cycles", "How far each pairing differs from what the ratings say, with intervals"),
        "cycles-ratings": table(["agent", "games", "Elo, 95%"], rows)}
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
        f"There are {len(by_ring):,} rings with {count(report['games'] // len(by_ring), 'game')} each. A check does not use the model: it halves the games of each ring. "
        f"The mean margins of the halves have a covariance of {covariance:.1f}. "
        f"Its square root, {math.sqrt(max(0, covariance)):.1f} points, also estimates the standard deviation between rings.")
    part = rings["margin"]["share"]
    parts["rings-answer"] = paragraphs(
        f"**Answer.** Between these players, the ring explains {part['value']:.0%} of the variance of the margin. "
        f"Its value differs between rings with a standard deviation of {rings['margin']['between_sd']:.1f} points. "
        f"On {sure[0]} of {len(by_ring):,} rings the first player won at most 10% of the games, and on {sure[1]} at least 90%.",
        f"**How sure.** The interval of the share is {100 * part['low']:.0f} to {100 * part['high']:.0f}%, from {count(report['games'], 'game')}. "
        "It holds for these players alone, which are versions of one agent.")
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
    compared = len(rows)
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
                if not is_known(score, low, high):
                    line += ["-"] * 4
                    continue
                line += [f"{games:,}", elo_text(score, low, high), p_text(p), verdict(p, score, low, high)]
                figure.append((idea.split(" (")[0] + ("" if at == 0 else " "), at, score, low, high))
        lines.append(line)
    svg.intervals(folder / "ablation.svg", "Score of champion-2 against itself without one idea, at 2 ms", figure, "score", 0.5, 2, TRACKS)
    rows = [row for row in rows if is_known(*row[3:])]
    matter = [idea for idea in order if any(p <= 0.05 and row[3] > 0.5 for row, p in by_idea[idea].values())]
    harm = [idea for idea in order if any(p <= 0.05 and row[3] < 0.5 for row, p in by_idea[idea].values())]
    other = [idea for idea in order if idea not in matter + harm]
    plain = lambda ideas: listing(idea.split(" (")[0] for idea in ideas)
    said = f"At 2 ms, {count(len(matter), 'idea')} of {len(order)} {'is' if len(matter) == 1 else 'are'} shown to help." if matter else "At 2 ms, no idea is shown to help."
    said += f" The most valuable are {plain(matter[:3])}." if len(matter) > 3 else ""
    said += f" {count(len(harm), 'idea')} {'is' if len(harm) == 1 else 'are'} shown to harm: {plain(harm)}." if harm else " None is shown to harm."
    said += f" For {plain(other)}, no difference is shown." if other else ""
    both = [idea for idea in matter if all(p <= 0.05 and row[3] > 0.5 for row, p in by_idea[idea].values())]
    exact = sum(is_exact(*row[4:]) for row in rows)
    parts = {
        "ablation-table": table(["without", *(f"{track}: {what}" for track in TRACKS for what in ("games", "Elo of the idea, 95%", "adjusted p", "shown"))], lines),
        "ablation-figure": picture("ablation", "Score of champion-2 against itself without each idea, on both printings"),
        "ablation-answer": paragraphs(
            f"**Answer.** {said}",
            f"**How sure.** The p-values are adjusted for {count(compared, 'comparison')}. {len(both)} of the {len(matter)} ideas are shown to help on both printings. "
            f"{exact} of the sizes are known to ±{GOAL_ELO} Elo."),
        "ablation-later": left_open(study, f"The same at 10 ms to ±{LIMITS['Elo']} Elo", [f"ablation-10-{track}" for track in TRACKS]),
    }
    return parts


# Question 12

CHOSEN, CONFIRMED = 5912, 5913
SOFTMAX = "rollout.pick=softmax,rollout.temperature=1.0"
# Each idea: its tournaments, the settings that it adds, and what it is called.
PARTS = [
    ("parts", "rollout.epsilon=0.1,rollout.pick=epsilon-greedy,search.choice=lcb", "a little chance and the lower confidence bound"),
    ("parts", "rollout.epsilon=0.1,rollout.pick=epsilon-greedy", "a little chance: one pick of ten"),
    ("parts", SOFTMAX, "more chance: picks by softmax"),
    ("parts", "search.choice=lcb", "final choice by the lower confidence bound"),
    ("parts", "search.choice=value", "final choice by the greatest mean"),
    ("learn", "rollout.learn=mast", "learning by move (MAST)"),
    ("learn", "rollout.learn.by=mast,rollout.learn.phases=4.0", "learning by move, in four phases"),
    ("learn", "rollout.learn.by=mast,rollout.learn.scale=20.0", "learning by move, from margins"),
    ("learn", "rollout.learn=nst", "learning by sequences of moves (NST)"),
    ("halving", "search.allocation=halving", "sequential halving at the root"),
]
# The settings that both agents have, and what the agent without the idea is called.
CONTROLS = {
    "parts": ("", "itself without it"),
    "learn": (SOFTMAX, "softmax picks without learning"),
    "halving": ("search.choice=value", "greatest mean without halving"),
}
# What the answer calls some of them.
SHORT = {
    PARTS[0][2]: "a little chance with the lower confidence bound",
    PARTS[1][2]: "a little chance",
    PARTS[2][2]: "softmax picks",
    PARTS[3][2]: "the lower confidence bound",
    PARTS[4][2]: "the greatest mean",
    PARTS[9][2]: "sequential halving",
}
# The agents that get the ideas: what is added to the names of their tournaments, and what each is called.
BASES = [("", "the pairing"), ("-fast", "the cheap agent")]
PLACES = [("400", "400 iterations"), ("5", "5 ms"), ("20", "20 ms")]


def settings_of(agent):
    """The settings in the braces of a name, in any order."""
    return frozenset(agent.replace("'", "").split("{", 1)[1].removesuffix("}").split(",")) if "{" in agent else frozenset()


def met_control(study, name, stage, adds):
    """The comparison of an idea with its control in a tournament: games, score, low and high. None if it was not played."""
    if not study.has(name):
        return None
    report = study.report(name)
    agents = {settings_of(row[side]): row[side] for row in report["pairings"] for side in "ab"}
    control = frozenset(filter(None, CONTROLS[stage][0].split(",")))
    idea = control | frozenset(adds.split(","))
    return pairing(report, agents[idea], agents[control]) if idea in agents else None


def answer_12(confirmed):
    """Two sentences and a small table of what fresh setups confirmed: agent, budget, idea, and its Elo or None."""
    cells = {}
    for base, place, idea, change in confirmed:
        cells.setdefault(idea, {})[base, place] = change or "none shown"
    named = lambda sign: [SHORT.get(idea, idea) for _, _, idea in PARTS if any(change[0] == sign for change in cells.get(idea, {}).values())]
    helps, harms = named("+"), named("-")
    if {SHORT[PARTS[1][2]], SHORT[PARTS[3][2]]} <= set(helps):
        # Both are named alone.
        helps.remove(SHORT[PARTS[0][2]])
    said = f"On fresh setups, {listing(helps)} make an agent stronger." if helps else "No idea is shown to make an agent stronger."
    said += f" {upper(listing(harms))} make it weaker" if harms else " None is shown to make it weaker"
    learning = any(SHORT.get(idea, idea) in helps for stage, _, idea in PARTS if stage == "learn")
    said += "." if learning else ", and no learning in rollouts is shown to help."
    columns = [(base, place) for _, base in BASES for _, place in PLACES]
    rows = [[idea, *(of.get(at, "") for at in columns)] for idea, of in cells.items() if set(of.values()) != {"none shown"}]
    return f"**Answer.** {said}", table(["Elo on fresh setups", *(f"{base}, {place}" for base, place in columns)], rows)


def question_12(study, folder):
    study.report(f"parts-400-{CHOSEN}")
    found, wide = [], []
    for suffix, base in BASES:
        for budget, place in PLACES:
            for stage, adds, idea in PARTS:
                name = f"{stage}{suffix}-{budget}"
                met = met_control(study, f"{name}-{CHOSEN}", stage, adds)
                if met:
                    found.append((base, place, stage, idea, name, met, met_control(study, f"{name}-{CONFIRMED}", stage, adds)))
                    study.claims.append(of_score(f"12: {idea}, {base}, {place}", *met))
    adjusted = holm([p_of_score(*row[5][1:]) for row in found])
    again = [at for at, row in enumerate(found) if row[6]]
    fresh = dict(zip(again, holm([p_of_score(*found[at][6][1:]) for at in again])))
    lines, figure, confirmed = [], [], []
    for at, (base, place, stage, idea, name, met, other) in enumerate(found):
        if other:
            study.claims.append(of_score(f"12: {idea}, {base}, {place}, fresh setups", *other))
        if not is_known(*met[1:]):
            wide.append(f"{name}-{CHOSEN}")
            continue
        chosen = adjusted[at] <= 0.05
        same = other and (other[1] > 0.5) == (met[1] > 0.5) and fresh[at] <= 0.05
        shown = (verdict(fresh[at], *other[1:]) if same else "not confirmed" if other else "not repeated") if chosen else NONE
        lines.append([base, place, idea, CONTROLS[stage][1], f"{met[0]:,}", elo_text(*met[1:]), p_text(adjusted[at]),
                      f"{other[0]:,}" if other else "", elo_text(*other[1:]) if other else "", shown])
        figure.append((f"{base}: {idea.split(':')[0].split(' (')[0].removeprefix('final choice by ')}", [p for _, p in PLACES].index(place), *(elo(end) for end in (other or met)[1:])))
        # The sizes come from the fresh games.
        confirmed.append((base, place, idea, elo_text(*other[1:]).split(" (")[0] if chosen and same else None))
    svg.intervals(folder / "parts.svg", "Elo of each idea against the same agent without it", figure, "Elo", 0, 0, [place for _, place in PLACES], left=410)

    repeated = sum(1 for row in found if row[6])
    lacks = sorted(set(wide))
    at = listing(dict(PLACES)[budget] for budget in dict.fromkeys(name.split("-")[-2] for name in lacks)) if lacks else ""
    return {
        "parts-answer": paragraphs(
            *answer_12(confirmed),
            f"**How sure.** {count(len(found), 'comparison')} were made on one seed, and the p-values are adjusted for that number. "
            f"{repeated} of them were played again on fresh setups, and the sizes are those of the fresh games."),
        "parts-figure": picture("parts", "Elo of each idea against the same agent without it, at three budgets, with intervals"),
        "parts-table": paragraphs(
            table(["agent", "budget per move", "idea", "against", "games", "Elo, 95%", "adjusted p", "fresh games", "Elo on fresh setups", "shown"], lines),
            left_open(study, f"The comparisons that are missing at {at}, to ±{LIMITS['Elo']} Elo each,", lacks)),
    }


# Question 13

# What is taken back from the tuned agent, by the key that is changed: the part, and what stands in its place.
BACK = [
    ("expansion.strategy", "expensive placements in the tree", "cheap ones instead"),
    ("rollout.strategy", "cheap placements in rollouts", "expensive ones instead"),
    ("rollout.depth", "rollouts of two plies", "to the end of the game instead"),
    ("search.exploration", "less exploration", "0.7 instead of 0.2"),
]
TUNED = 5931
# Each tournament: its name, the tuned agent, and the budget at which both play.
TUNED_MATCHES = [("tuned-5", "tuned-5", "5"), ("tuned-20", "tuned-5", "20"), ("tuned-100", "tuned-5", "100"),
                 ("found-20", "tuned-20", "20"), ("found-100", "tuned-100", "100")]


def question_13(study, folder):
    wins, taken, wide = [], [], []
    study.report(f"tuned-5-{TUNED}")
    for stage, tuned, budget in TUNED_MATCHES:
        name = f"{stage}-{TUNED}"
        if not study.has(name):
            wide.append(name)
            continue
        report = study.report(name)
        met = pairing(report, tuned, "mcts-regret-1")
        study.claims.append(of_score(f"13: {tuned} against the pairing at {budget} ms", *met))
        wins.append((tuned, f"{budget} ms", "the pairing", met))
        agents = sorted({row[side] for row in report["pairings"] for side in "ab"})
        for key, part, instead in BACK:
            for agent in agents:
                if agent.startswith(f"{tuned}{{{key}"):
                    met = pairing(report, tuned, agent)
                    study.claims.append(of_score(f"13: {part} of {tuned} at {budget} ms", *met))
                    taken.append((tuned, f"{budget} ms", part, instead, met))
    ps = holm([p_of_score(*row[-1][1:]) for row in wins + taken])
    all_proofs = [(tuned, place, met, p) for (tuned, place, _, met), p in zip(wins, ps) if is_known(*met[1:])]
    proofs = [row[1:] for row in all_proofs if row[0] == "tuned-5"]
    later = [row[1:] for row in all_proofs if row[0] != "tuned-5"]
    all_back = [(*row, p) for row, p in zip(taken, ps[len(wins):]) if is_known(*row[4][1:])]
    parts_back = [row[1:] for row in all_back if row[0] == "tuned-5"]
    lines = [[tuned, place, "the pairing", f"{met[0]:,}", percent(*met[1:]), elo_text(*met[1:]), p_text(p), verdict(p, *met[1:])] for tuned, place, met, p in all_proofs]
    lines += [[tuned, place, f"itself without {part}: {instead}", f"{met[0]:,}", percent(*met[1:]), elo_text(*met[1:]), p_text(p), verdict(p, *met[1:])]
              for tuned, place, part, instead, met, p in all_back]
    places = list(dict.fromkeys(f"{budget} ms" for _, _, budget in TUNED_MATCHES))
    figure = [(f"{tuned}, {place}: the pairing", places.index(place), *(elo(end) for end in met[1:])) for tuned, place, met, _ in all_proofs]
    figure += [(f"{tuned}, {place}: without {part}", places.index(place), *(elo(end) for end in met[1:])) for tuned, place, part, _, met, _ in all_back]
    svg.intervals(folder / "tuned.svg", "Elo of the tuned agent against the pairing, and against itself without one part", figure, "Elo", 0, 0, places, left=380)
    said = duel([(place, p, *met[1:]) for place, met, p in proofs], "Tuning finds an agent that beats the pairing. It leads by {}.", "The tuned agent loses to the pairing by {}.",
                "The tuned agent is not shown to differ from the pairing at {}.")
    of = lambda part: [(place, p, *met[1:]) for place, what, _, met, p in parts_back if what == part]
    kept = {part: [row for row in of(part) if row[1] <= 0.05 and row[2] > 0.5] for _, part, _ in BACK}
    tree, rollouts = (part for _, part, _ in BACK[:2])
    if kept[tree] and kept[rollouts]:
        said.append("The pairing itself survives: cheap placements in the tree or expensive ones in rollouts make the tuned agent weaker.")
    elif kept[tree] or kept[rollouts]:
        survives, open_ = (tree, rollouts) if kept[tree] else (rollouts, tree)
        said.append(f"Of the pairing, {survives} are shown to matter there; for {open_} this is not shown.")
    else:
        said.append("In the tuned agent, neither half of the pairing is shown to matter.")
    said += duel(of(tree), "Its placements in the tree are worth {}.", "Its placements in the tree cost {}.", "")[:1] if kept[tree] else []
    said += duel(of(rollouts), "Its placements in rollouts are worth {}.", "Its placements in rollouts cost {}.", "")[:1] if kept[rollouts] else []
    gains = [part for _, part, _ in BACK[2:] if kept[part]]
    none = [part for _, part, _ in BACK[2:] if of(part) and not kept[part]]
    sizes = lambda part: listing(f"{size(*row[2:])} at {row[0]}" for row in kept[part])
    said += [f"The gain comes from {listing(f'{part} ({sizes(part)})' for part in gains)}."] if gains else []
    said += [f"For {listing(none)} alone, no gain is shown."] if none else []
    said += [f"What the tuner finds at {place} leads there by {size(*met[1:])}." if p <= 0.05 and met[1] > 0.5 else
             f"What the tuner finds at {place} is not shown to be stronger than the pairing." for place, met, p in later]
    return {
        "tuned-answer": paragraphs(
            f"**Answer.** {' '.join(said)}",
            f"**How sure.** All games are on other setups than those of the search. The p-values are adjusted for {count(len(ps), 'comparison')}."),
        "tuned-figure": picture("tuned", "Elo of the tuned agent against the pairing and against itself without one part, with intervals"),
        "tuned-table": paragraphs(
            table(["agent", "time per move", "against", "games", "score, %", "Elo, 95%", "adjusted p", "shown"], lines),
            left_open(study, f"The proof at {listing(name.split('-')[1] + ' ms' for name in wide)} to ±{LIMITS['Elo']} Elo" if wide else "", wide)),
    }


ALL = [
    question_1, question_2, question_3, question_4, question_5, question_6, question_7, question_8, question_9, question_10, question_11,
    question_12, question_13,
]
