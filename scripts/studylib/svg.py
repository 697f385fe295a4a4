"""Figures as SVG, in the colours of the report page. They follow the reader's light or dark theme."""

from html import escape

STYLE = """
:root { color-scheme: light dark; }
text { font: 13px system-ui, -apple-system, "Segoe UI", "Helvetica Neue", "DejaVu Sans", Arial, sans-serif; fill: #1d2026; }
.panel { fill: #ffffff; } .soft { fill: #5a5f69; } .title { font-weight: 600; } .small { font-size: 11.5px; }
.grid { stroke: #e2dfd8; } .axis { stroke: #5a5f69; } .null { stroke: #5a5f69; stroke-dasharray: 4 3; }
.a { stroke: #0b6fb3; fill: #0b6fb3; } .b { stroke: #b84a06; fill: #b84a06; } .c { stroke: #8a6200; fill: #8a6200; }
.line { fill: none; stroke-width: 2; } .bar { stroke-width: 2; } .dot { stroke: #ffffff; stroke-width: 1.5; }
.open { fill: #ffffff; stroke-width: 2; } .none { fill: #f3f1ec; }
@media (prefers-color-scheme: dark) {
text { fill: #e8e6e1; } .panel, .open { fill: #1c1f25; } .soft { fill: #a5a9b2; } .none { fill: #23272e; }
.grid { stroke: #343941; } .axis, .null { stroke: #a5a9b2; } .dot { stroke: #1c1f25; }
.a { stroke: #5fb4ee; fill: #5fb4ee; } .b { stroke: #f29b57; fill: #f29b57; } .c { stroke: #e3b341; fill: #e3b341; }
}
"""

SERIES = "abc"


def number(value, digits=0, signed=False):
    """A number for people: a real minus sign is not used, so that texts can be searched."""
    text = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
    return text[1:] if text.lstrip("-+").strip("0.") == "" and text[0] in "-+" else text


def nice_ticks(low, high, most=6):
    """Round numbers from low to high."""
    span = high - low
    step = 10.0 ** len(str(int(span))) / 1000 if span >= 1 else 0.001
    for step in (base * 10.0**power for power in range(-4, 7) for base in (1, 2, 5)):
        if span / step <= most:
            break
    first = -(-low // step)
    ticks = []
    while first * step <= high + 1e-9 * span:
        ticks.append(first * step)
        first += 1
    digits = max(0, -int(f"{step:e}".split("e")[1]))
    return ticks, digits


class Drawing:
    """The elements of a figure."""

    def __init__(self, width, height, about):
        self.width, self.height, self.about, self.parts = width, height, about, []

    def text(self, x, y, text, anchor="start", kind=""):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(text)}</text>')

    def line(self, x1, y1, x2, y2, kind):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>')

    def dot(self, x, y, kind, about="", radius=4.5):
        title = f"<title>{escape(about)}</title>" if about else ""
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" class="{kind}">{title}</circle>')

    def path(self, points, kind):
        steps = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{steps}" class="line {kind}"/>')

    def write(self, path):
        body = "\n".join(self.parts)
        path.write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
            f'height="{self.height}" role="img" aria-label="{escape(self.about, quote=True)}">\n<style>{STYLE}</style>\n'
            f'<rect class="panel" width="100%" height="100%" rx="14"/>\n{body}\n</svg>\n'
        )


def intervals(path, title, rows, unit, null=None, digits=0, names=(), left=250):
    """Values with intervals, one row each: (label, series, value, low, high). Series are numbers from 0."""
    ends = [end for row in rows for end in row[2:5] if end is not None] + ([null] if null is not None else [])
    low, high = min(ends), max(ends)
    room = (high - low or 1) * 0.06
    low, high = low - room, high + room
    right, top, step = 24, 64 if names else 46, 26
    width, height = left + 510, top + step * len(rows) + 44
    figure = Drawing(width, height, title)
    figure.text(18, 26, title, kind="title")
    x = lambda value: left + (value - low) / (high - low) * (width - left - right)
    for i, name in enumerate(names):
        figure.dot(left + 150 * i, 43, f"dot {SERIES[i]}")
        figure.text(left + 10 + 150 * i, 47, name, kind="small")
    bottom = top + step * len(rows)
    ticks, places = nice_ticks(low, high)
    for tick in ticks:
        figure.line(x(tick), top - 6, x(tick), bottom, "grid")
        figure.text(x(tick), bottom + 18, number(tick, places, signed=null == 0), "middle", "soft small")
    figure.text((left + width - right) / 2, bottom + 36, unit, "middle", "soft small")
    if null is not None:
        figure.line(x(null), top - 6, x(null), bottom, "null")
    for i, (label, series, value, one, other) in enumerate(rows):
        y = top + step * i + step / 2 - 3
        figure.text(left - 12, y + 4, label, "end", "small")
        if value is None:
            continue
        kind = SERIES[series]
        figure.line(x(one if one is not None else low), y, x(other if other is not None else high), y, f"bar {kind}")
        about = f"{label}: {number(value, digits, null == 0)} {unit}"
        figure.dot(x(value), y, f"dot {kind}", about)
    figure.write(path)


def lines(path, title, panels, names, x_labels, x_title):
    """Small plots side by side that share their x axis. Each panel is (title, digits, series), and each series a list of
    (place, value, low, high) with places on the x axis from 0."""
    columns = min(len(panels), 2)
    wide, high = 380, 236
    rows = -(-len(panels) // columns)
    figure = Drawing(columns * wide, 56 + rows * high, title)
    figure.text(18, 26, title, kind="title")
    for i, name in enumerate(names):
        figure.dot(24 + 190 * i, 43, f"dot {SERIES[i]}")
        figure.text(34 + 190 * i, 47, name, kind="small")
    for at, (head, digits, series) in enumerate(panels):
        left, top = (at % columns) * wide + 58, 56 + (at // columns) * high + 26
        width, tall = wide - 78, high - 80
        ends = [end for points in series for point in points for end in point[1:4] if end is not None]
        low, most = min(ends), max(ends)
        room = (most - low or 1) * 0.08
        low, most = low - room, most + room
        y = lambda value: top + tall - (value - low) / (most - low) * tall
        x = lambda place: left + 14 + place * (width - 28) / max(1, len(x_labels) - 1)
        figure.text(left - 40, top - 10, head, kind="small title")
        ticks, places = nice_ticks(low, most, 5)
        for tick in ticks:
            figure.line(left, y(tick), left + width, y(tick), "grid")
            figure.text(left - 6, y(tick) + 4, number(tick, places), "end", "soft small")
        for place, label in enumerate(x_labels):
            figure.text(x(place), top + tall + 18, label, "middle", "soft small")
        figure.text(left + width / 2, top + tall + 36, x_title, "middle", "soft small")
        for which, points in enumerate(series):
            kind, shift = SERIES[which], 4 * (which - (len(series) - 1) / 2)
            figure.path([(x(place) + shift, y(value)) for place, value, *_ in points], kind)
            for place, value, one, other in points:
                if one is not None and other is not None:
                    figure.line(x(place) + shift, y(one), x(place) + shift, y(other), f"bar {kind}")
                about = f"{x_labels[place] if place == int(place) else place}: {number(value, digits)}"
                figure.dot(x(place) + shift, y(value), f"dot {kind}", about, 4)
    figure.write(path)


def heat(path, title, panels, rows, columns, row_title, column_title, most):
    """Tables as heat maps side by side: panels of (title, cells), cells[row][column] a value with its text, or None. Positive values are
    blue, negative ones vermilion; `most` has the full colour."""
    cell, tall, left, top = 84, 34, 150, 92
    wide = left + cell * len(columns) + 20
    per_row = len(panels) if panels and wide * len(panels) <= 1100 else 1
    height = top + tall * len(rows) + 26
    figure = Drawing(wide * per_row, 34 + height * (len(panels) // per_row), title)
    figure.text(18, 26, title, kind="title")
    for at, (head, cells) in enumerate(panels):
        x0, y0 = (at % per_row) * wide, 34 + (at // per_row) * height
        figure.text(x0 + left, y0 + 22, head, kind="small title")
        figure.text(x0 + left, y0 + 42, column_title, kind="soft small")
        figure.text(x0 + left - 10, y0 + 66, row_title, "end", "soft small")
        for i, column in enumerate(columns):
            figure.text(x0 + left + cell * (i + 0.5), y0 + 66, column, "middle", "soft small")
        for j, row in enumerate(rows):
            y = y0 + 76 + tall * j
            figure.text(x0 + left - 10, y + 21, row, "end", "small")
            for i in range(len(columns)):
                (value, told), x = cells[j][i] or (None, ""), x0 + left + cell * i
                kind = "none" if value is None else "a" if value >= 0 else "b"
                opacity = 1 if value is None else min(1, abs(value) / most) * 0.6
                figure.parts.append(
                    f'<rect x="{x + 1}" y="{y + 1}" width="{cell - 2}" height="{tall - 2}" rx="6" class="{kind}" '
                    f'stroke="none" style="stroke:none" fill-opacity="{opacity:.2f}"/>'
                )
                if value is not None:
                    figure.text(x + cell / 2, y + 21, told, "middle", "small")
    figure.write(path)
