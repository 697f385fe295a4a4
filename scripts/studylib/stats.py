"""The few statistics that join several tournaments; those of one tournament are made by the program."""

import math

NORMAL = 1.959963984540054


def elo(score):
    """The difference in Elo that gives this score; None at 0 and 1."""
    return None if score is None or not 0 < score < 1 else -400 * math.log10(1 / score - 1)


def normal_above(z):
    return math.erfc(z / math.sqrt(2)) / 2


def holm(p_values):
    """P-values adjusted for their number (Holm 1979)."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, least = [1.0] * len(p_values), 0.0
    for done, i in enumerate(order):
        least = max(least, min(1.0, (len(p_values) - done) * p_values[i]))
        adjusted[i] = least
    return adjusted


def p_of(value, low, high):
    """The two-sided p-value of 0, from a 95% interval: it is below 0.05 where the interval excludes 0."""
    error = (value - low if value > 0 else high - value) / NORMAL
    return 2 * normal_above(abs(value) / error) if error > 0 else (1.0 if value == 0 else 0.0)


def weighted_line(points, slope=True):
    """A line through points (x, y, standard error), weighted by precision: the mean and the slope, each with its 95% interval.
    Without a slope, the mean of the values; with one, the value at the middle."""
    weights = [1 / error**2 for _, _, error in points]
    total = sum(weights)
    middle = sum(w * x for w, (x, _, _) in zip(weights, points)) / total
    mean = sum(w * y for w, (_, y, _) in zip(weights, points)) / total
    half = NORMAL / math.sqrt(total)
    told = (mean, mean - half, mean + half)
    if not slope:
        return told, None
    spread = sum(w * (x - middle) ** 2 for w, (x, _, _) in zip(weights, points))
    steep = sum(w * (x - middle) * y for w, (x, y, _) in zip(weights, points)) / spread
    half = NORMAL / math.sqrt(spread)
    return told, (steep, steep - half, steep + half)


def fair_komi(games):
    """The komi at which both players win as often: the root of a logistic regression of the first player's wins on the
    komi, with Fieller's interval. `games` are (komi, cluster, won); games of a cluster share their ring. The errors assume
    only that clusters are independent."""
    a = b = 0.0
    for _ in range(30):
        gradient, information = [0.0, 0.0], [0.0, 0.0, 0.0]
        for komi, _, won in games:
            chance = 1 / (1 + math.exp(-(a + b * komi)))
            weight = chance * (1 - chance)
            gradient[0] += won - chance
            gradient[1] += (won - chance) * komi
            information[0] += weight
            information[1] += weight * komi
            information[2] += weight * komi * komi
        determinant = information[0] * information[2] - information[1] ** 2
        inverse = [information[2] / determinant, -information[1] / determinant, information[0] / determinant]
        a += inverse[0] * gradient[0] + inverse[1] * gradient[1]
        b += inverse[1] * gradient[0] + inverse[2] * gradient[1]
    scores = {}
    for komi, cluster, won in games:
        residual = won - 1 / (1 + math.exp(-(a + b * komi)))
        sums = scores.setdefault(cluster, [0.0, 0.0])
        sums[0] += residual
        sums[1] += residual * komi
    middle = [0.0, 0.0, 0.0]
    for one, other in scores.values():
        middle = [middle[0] + one * one, middle[1] + one * other, middle[2] + other * other]
    correction = len(scores) / (len(scores) - 1)
    rows = [(inverse[0], inverse[1]), (inverse[1], inverse[2])]

    def product(u, v):
        return correction * (u[0] * v[0] * middle[0] + (u[0] * v[1] + u[1] * v[0]) * middle[1] + u[1] * v[1] * middle[2])

    aa, ab, bb = product(rows[0], rows[0]), product(rows[0], rows[1]), product(rows[1], rows[1])
    fit = {"intercept": a, "slope": b, "komi": -a / b if b else None, "low": None, "high": None, "clusters": len(scores)}
    # Fieller: the komis at which the fitted log odds do not differ significantly from 0.
    z = NORMAL**2
    square, linear, constant = b * b - z * bb, 2 * (a * b - z * ab), a * a - z * aa
    discriminant = linear * linear - 4 * square * constant
    if square > 0 and discriminant >= 0:
        root = math.sqrt(discriminant)
        fit["low"], fit["high"] = (-linear - root) / (2 * square), (-linear + root) / (2 * square)
    return fit
