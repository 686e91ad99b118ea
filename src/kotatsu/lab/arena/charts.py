"""Charts as SVG text, coloured by the classes ``c0`` to ``c7`` of the report's style sheet.

In every chart ``title`` is for screen readers, and the n-th row or curve has the class of its number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

# Sizes in units of the viewBox, chosen by eye in the report; the page scales the drawing to its width.
WIDTH = 640
LABEL_WIDTH = 150
VALUE_WIDTH = 110
ROW_HEIGHT = 34
LINES_HEIGHT = 300

MAX_POINTS = 240
"""Points of one curve at most: one for every two units of width; more would not be seen."""


class Bar(NamedTuple):
    """One row of a chart: ``label``, ``value``, the ``text`` beside it, and the value's range, if known."""

    label: str
    value: float
    text: str
    low: float | None = None
    high: float | None = None


def intervals(title: str, rows: Sequence[Bar]) -> str:
    """Return a chart called ``title`` with a dot for each of the ``rows``, and a line over its range."""
    scale = _Scale(
        min(row.value if row.low is None else row.low for row in rows),
        max(row.value if row.high is None else row.high for row in rows),
        LABEL_WIDTH,
        WIDTH - VALUE_WIDTH,
    )
    parts = [scale.grid(len(rows) * ROW_HEIGHT)]
    for number, row in enumerate(rows):
        y = number * ROW_HEIGHT + ROW_HEIGHT / 2
        if row.low is not None and row.high is not None:
            parts.append(
                f'<line class="range c{number % COLOURS}" x1="{scale(row.low):.1f}" y1="{y}" '
                f'x2="{scale(row.high):.1f}" y2="{y}"/>'
            )
        parts.append(f'<circle class="dot c{number % COLOURS}" cx="{scale(row.value):.1f}" cy="{y}" r="6"/>')
        parts.append(_row_text(row, y))
    return _svg(title, len(rows) * ROW_HEIGHT + 26, parts)


def bars(title: str, rows: Sequence[Bar]) -> str:
    """Return a chart called ``title`` with a bar for each of the ``rows``, from 0."""
    scale = _Scale(0.0, max(row.value for row in rows), LABEL_WIDTH, WIDTH - VALUE_WIDTH)
    parts = [scale.grid(len(rows) * ROW_HEIGHT)]
    for number, row in enumerate(rows):
        y = number * ROW_HEIGHT
        length = max(1.0, scale(row.value) - LABEL_WIDTH)
        parts.append(
            f'<rect class="bar c{number % COLOURS}" x="{LABEL_WIDTH}" y="{y + 7}" width="{length:.1f}" height="20" rx="3"/>'
        )
        parts.append(_row_text(row, y + ROW_HEIGHT / 2))
    return _svg(title, len(rows) * ROW_HEIGHT + 26, parts)


def lines(title: str, curves: Mapping[str, Sequence[float]]) -> str:
    """Return a chart called ``title`` with a line for each name in ``curves``, from left to right."""
    longest = max(map(len, curves.values()))
    low = min(map(min, curves.values()))
    high = max(map(max, curves.values()))
    across = _Scale(0, max(1, longest - 1), 40, WIDTH - LABEL_WIDTH)
    up = _Scale(low, high, LINES_HEIGHT, 0)
    parts = [up.levels(40, WIDTH - LABEL_WIDTH), across.grid(LINES_HEIGHT)]
    ends = _spread({name: up(curve[-1]) for name, curve in curves.items()}, 16)
    for number, (name, curve) in enumerate(curves.items()):
        step = max(1, ceil(len(curve) / MAX_POINTS))
        chosen = sorted({*range(0, len(curve), step), len(curve) - 1})
        points = " ".join(f"{across(index):.1f},{up(curve[index]):.1f}" for index in chosen)
        parts.append(f'<polyline class="line c{number % COLOURS}" points="{points}"/>')
        parts.append(
            f'<text class="end c{number % COLOURS}" x="{WIDTH - LABEL_WIDTH + 8}" y="{ends[name] + 4:.1f}">{_short(name)}</text>'
        )
    return _svg(title, LINES_HEIGHT + 26, parts)


COLOURS = 8  # as many as the report's style sheet has


class _Scale:
    """From values to places, with round numbers to draw a grid at."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        span = (high - low) or 1.0
        magnitude = 10.0 ** floor(log10(span / 4))
        self._step = next(step * magnitude for step in (1, 2, 5, 10) if step * magnitude >= span / 5)
        self._low = floor(low / self._step) * self._step
        self._high = max(ceil(high / self._step) * self._step, self._low + self._step)
        self._start = start
        self._end = end

    def __call__(self, value: float) -> float:
        return self._start + (value - self._low) / (self._high - self._low) * (self._end - self._start)

    def grid(self, height: float) -> str:
        """Upright lines, with their figures below."""
        return "".join(
            f'<line class="grid" x1="{self(at):.1f}" y1="0" x2="{self(at):.1f}" y2="{height}"/>'
            f'<text class="tick" x="{self(at):.1f}" y="{height + 18}" text-anchor="middle">{at:g}</text>'
            for at in self._ticks()
        )

    def levels(self, left: float, right: float) -> str:
        """Level lines, with their figures to the left."""
        return "".join(
            f'<line class="grid" x1="{left}" y1="{self(at):.1f}" x2="{right}" y2="{self(at):.1f}"/>'
            f'<text class="tick" x="{left - 6}" y="{self(at) + 4:.1f}" text-anchor="end">{at:g}</text>'
            for at in self._ticks()
        )

    def _ticks(self) -> list[float]:
        count = round((self._high - self._low) / self._step)
        return [round(self._low + number * self._step, 10) for number in range(count + 1)]


def _spread(places: Mapping[str, float], gap: float) -> dict[str, float]:
    """The same places, moved down where labels would lie on each other."""
    moved: dict[str, float] = {}
    last = float("-inf")
    for name, place in sorted(places.items(), key=lambda item: item[1]):
        last = moved[name] = max(place, last + gap)
    return moved


def _row_text(row: Bar, y: float) -> str:
    return (
        f'<text class="label" x="{LABEL_WIDTH - 10}" y="{y + 5}" text-anchor="end">{_short(row.label)}</text>'
        f'<text class="value" x="{WIDTH}" y="{y + 5}" text-anchor="end">{escape(row.text)}</text>'
    )


def _short(name: str) -> str:
    return escape(name if len(name) <= 20 else f"{name[:19]}…")


def _svg(title: str, height: float, parts: Sequence[str]) -> str:
    inside = "".join(parts)
    return (
        f'<svg viewBox="0 -8 {WIDTH} {height + 10:.0f}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{inside}</svg>"
    )
