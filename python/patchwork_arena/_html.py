"""The board as HTML for notebooks, drawn as on the report's page."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from html import escape
from typing import Any

from ._native import State, Table
from .positions import PATCHES

SQUARE = 20
"""The width of a square in pixels."""

STYLE = """
.patchwork{display:flex;flex-wrap:wrap;gap:1rem;font:14px system-ui,sans-serif;color-scheme:light dark}
.patchwork svg{display:block}
.patchwork h4{margin:0 0 .2rem;font-size:14px}
.patchwork p{margin:.2rem 0}
.patchwork .board{fill:light-dark(#eceae4,#2a2d33);stroke:light-dark(#b9b5aa,#555a63)}
.patchwork text{font-size:9.5px;font-weight:650;fill:currentColor;text-anchor:middle;dominant-baseline:central}
.patchwork .cloth{fill:light-dark(oklch(.85 .1 var(--hue)),oklch(.47 .09 var(--hue)));
stroke:light-dark(oklch(.45 .1 var(--hue)),oklch(.83 .09 var(--hue)));stroke-width:.8}
.patchwork .special .cloth{fill:light-dark(#d8c9b2,#6b5d47);stroke:light-dark(#6b5636,#d8c9b2)}
"""


def _patch(number: int | None, squares: tuple[int, ...]) -> str:
    """The squares of a patch, or of a special patch, with its number."""
    places = [(square % 9 * SQUARE, square // 9 * SQUARE) for square in squares]
    cloth = "".join(f'<rect class="cloth" x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}"/>' for x, y in places)
    x, y = places[len(places) // 2]
    name = "★" if number is None else str(number)
    kind = "special" if number is None else ""
    hue = 0.0 if number is None else number * 137.5 % 360
    return f'<g class="{kind}" style="--hue:{hue:.1f}">{cloth}<text x="{x + 10}" y="{y + 10}">{name}</text></g>'


def _quilt(pieces: list[str]) -> str:
    """A quilt with coordinates as in the notation."""
    side = 9 * SQUARE
    marks = "".join(
        f'<text x="{SQUARE * i + 10}" y="-8">{"abcdefghi"[i]}</text><text x="-8" y="{SQUARE * i + 10}">{i + 1}</text>'
        for i in range(9)
    )
    return (
        f'<svg width="{side + 17}" height="{side + 17}" viewBox="-15 -15 {side + 17} {side + 17}" role="img">'
        f'<rect class="board" width="{side}" height="{side}"/>{marks}{"".join(pieces)}</svg>'
    )


def _offer(number: int) -> str:
    patch = PATCHES[number - 1]
    rows = patch.shape.split("/")
    squares = tuple(9 * y + x for y, row in enumerate(rows) for x, c in enumerate(row) if c == "X")
    width, height = SQUARE * len(rows[0]), SQUARE * len(rows)
    drawing = (
        f'<svg width="{width // 2 + 2}" height="{height // 2 + 2}" viewBox="-2 -2 {width + 4} {height + 4}" role="img">'
        f"{_patch(number, squares)}</svg>"
    )
    return f"<p>{drawing}{patch.cost} buttons, {patch.time} spaces, income {patch.income}</p>"


def board(state: State) -> str:
    """Both quilts with their patches, the players' numbers and the patches on offer."""
    placed = state._placed()
    parts = []
    for player, name in enumerate(("First player", "Second player")):
        turn = " (to move)" if state.mover == player else ""
        bonus = ", 7x7 bonus" if state.bonus == player else ""
        facts = (
            f"score {state.scores[player]}, buttons {state.buttons[player]}, "
            f"income {state.incomes[player]}, space {state.spaces[player]}{bonus}"
        )
        pieces = [_patch(action.patch, action.squares) for action in placed[player]]
        parts.append(f"<div><h4>{name}{turn}</h4>{_quilt(pieces)}<p>{escape(facts)}</p></div>")
    offers = "".join(_offer(number) for number in state.ring[:3])
    parts.append(f"<div><h4>The next patches</h4>{offers}</div>")
    return f'<div class="patchwork"><style>{STYLE}</style>{"".join(parts)}</div>'


def table(of: Table, most: int = 20) -> str:
    """The first rows of a table."""

    def row(cells: Iterable[Any], tag: str) -> str:
        texts = (f"{cell:.4g}" if isinstance(cell, float) else str(cell) for cell in cells)
        return f"<tr>{''.join(f'<{tag}>{escape(text[:200])}</{tag}>' for text in texts)}</tr>"

    rows = [row(cells, "td") for cells in itertools.islice(zip(*of.to_dict().values(), strict=True), most)]
    more = f"<p>{len(of) - most} more rows</p>" if len(of) > most else ""
    return f"<table>{row(of.column_names, 'th')}{''.join(rows)}</table>{more}"
