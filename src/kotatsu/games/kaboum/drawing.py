"""The drawing of every tower as SVG, made from the same data that the referee checks.

``python -m kotatsu.games.kaboum.drawing`` writes all of them into the folder of the screen. Colours, angles
and sizes of the drawing were chosen by eye. Lengths are millimetres, as in ``towers``.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, pi, radians, sin
from pathlib import Path
from typing import NamedTuple

from kotatsu.games.kaboum.data import BOX, PLACES, SHAPES
from kotatsu.games.kaboum.towers import TOWERS, Drawn

FOLDER = Path(__file__).parent / "web" / "art" / "towers"
"""Where the drawings are kept."""
LEAN_X, LEAN_Z = 0.42, 0.30
"""An oblique projection: fronts keep their shape, what is further away goes up and to the right."""
EYE = (LEAN_X, -1.0, LEAN_Z)
"""The direction towards the viewer."""
MARGIN = 6.0
"""The empty margin around a drawing."""
SEGMENTS = 20
"""How many straight edges a circle is drawn with, or half a circle."""
EDGE = "#3b2a1e"
"""The colour of the edges."""

Point = tuple[float, float, float]
"""A point or a direction: x, y, z."""


class Face(NamedTuple):
    """A polygon of a piece.

    Attributes:
        corners: Its corners.
        normal: The direction it faces.
        round: Whether it is a strip of a round side, which has no edge of its own.
    """

    corners: tuple[Point, ...]
    normal: Point
    round: bool = False


def svg(tile: int) -> str:
    """The drawing of one tower on its tile, as an SVG document.

    Args:
        tile: The number of the tile.
    """
    tower = TOWERS[tile]
    half = PLACES[-1 if tile == BOX.giant else 0].side / 2
    ground = [(-half, -half, 0.0), (half, -half, 0.0), (half, half, 0.0), (-half, half, 0.0)]
    body = [_polygon([_flat(point) for point in ground], "#f4e7cf", "#b89b6c")]
    for piece in _back_to_front(tower.pieces):
        body += _draw(piece)
    points = [_flat(point) for point in ground]
    points += [_flat(point) for piece in tower.pieces for face in _faces(piece) for point in face.corners]
    left, right = min(u for u, _ in points) - MARGIN, max(u for u, _ in points) + MARGIN
    top, bottom = min(v for _, v in points) - MARGIN, max(v for _, v in points) + MARGIN
    box = f"{left:.1f} {top:.1f} {right - left:.1f} {bottom - top:.1f}"
    lines = "\n".join(f"  {line}" for line in body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{right - left:.0f}" height="{bottom - top:.0f}" role="img">\n'
        f"  <title>{tower.name}</title>\n{lines}\n</svg>\n"
    )


def _draw(piece: Drawn) -> list[str]:
    """The visible faces of a piece and its letter, as SVG elements."""
    shape = SHAPES[piece.shape]
    lines = []
    for face in _faces(piece):
        looks = sum(a * b for a, b in zip(face.normal, EYE, strict=True))
        if looks > 1e-6:
            light = 0.78 + 0.34 * max(0.0, face.normal[2]) - 0.22 * max(0.0, face.normal[0])
            fill = _shade(shape.colour, light)
            corners = [_flat(point) for point in face.corners]
            lines.append(_polygon(corners, fill, fill if face.round else EDGE))
    height = 0.26 if piece.shape == "roof" else 0.3 if piece.shape == "half" else 0.5
    if piece.shape == "arch":
        height = 0.75
    depth = piece.size[1] if piece.turn % 180 == 0 else piece.size[0]
    u, v = _flat((piece.x, piece.y - depth / 2, piece.z + (height - 0.5) * piece.size[2]))
    size = min(11.0, 0.8 * piece.size[2])
    lines.append(
        f'<text x="{u:.1f}" y="{v + 0.36 * size:.1f}" font-size="{size:.1f}" text-anchor="middle" '
        f'font-family="sans-serif" font-weight="700" fill="#fff8ec">{shape.letter}</text>'
    )
    return lines


def _faces(piece: Drawn) -> list[Face]:
    """All faces of a piece where it stands, those further from the viewer first."""
    faces = _drum(piece) if piece.shape == "drum" else _extruded(_profile(piece), piece.size[1] / 2)
    angle = radians(piece.turn)

    def turned(point: Point, *, moved: bool) -> Point:
        x = cos(angle) * point[0] - sin(angle) * point[1]
        y = sin(angle) * point[0] + cos(angle) * point[1]
        return (x + piece.x, y + piece.y, point[2] + piece.z) if moved else (x, y, point[2])

    placed = [
        face._replace(
            corners=tuple(turned(p, moved=True) for p in face.corners),
            normal=turned(face.normal, moved=False),
        )
        for face in faces
    ]
    return sorted(placed, key=_depth, reverse=True)


def _depth(face: Face) -> float:
    """How far from the viewer the middle of a face is."""
    x, y, z = (sum(p[axis] for p in face.corners) / len(face.corners) for axis in range(3))
    return -(x * EYE[0] + y * EYE[1] + z * EYE[2])


def _profile(piece: Drawn) -> list[tuple[float, float]]:
    """The outline of a piece seen from the front, counter-clockwise."""
    x, z = piece.size[0] / 2, piece.size[2] / 2
    match piece.shape, piece.pose:
        case "arch", "up" | "cup":
            wide, high = BOX.arch_opening[0] / 2, BOX.arch_opening[1]
            up = [
                (-x, -z),
                (-wide, -z),
                (-wide, high - z),
                (wide, high - z),
                (wide, -z),
                (x, -z),
                (x, z),
                (-x, z),
            ]
            return up if piece.pose == "up" else [(-a, -b) for a, b in up]
        case "roof", "up":
            return [(-x, -z), (x, -z), (0.0, z)]
        case "half", "up":
            steps = (pi * step / SEGMENTS for step in range(SEGMENTS + 1))
            return [(x * cos(a), 2 * z * sin(a) - z) for a in steps]
        case _:
            return [(-x, -z), (x, -z), (x, z), (-x, z)]


def _extruded(outline: list[tuple[float, float]], half: float) -> list[Face]:
    """The faces of a body with this outline and twice this depth."""
    front = Face(tuple((x, -half, z) for x, z in outline), (0.0, -1.0, 0.0))
    back = Face(tuple((x, half, z) for x, z in outline), (0.0, 1.0, 0.0))
    sides = []
    for (ax, az), (bx, bz) in zip(outline, outline[1:] + outline[:1], strict=True):
        length = ((bx - ax) ** 2 + (bz - az) ** 2) ** 0.5
        corners = ((ax, -half, az), (bx, -half, bz), (bx, half, bz), (ax, half, az))
        sides.append(Face(corners, ((bz - az) / length, 0.0, (ax - bx) / length), len(outline) > SEGMENTS))
    return [back, *sides, front]


def _drum(piece: Drawn) -> list[Face]:
    """The visible faces of an upright cylinder."""
    radius, z = piece.size[0] / 2, piece.size[2] / 2
    ring = [
        (radius * cos(2 * pi * s / SEGMENTS), radius * sin(2 * pi * s / SEGMENTS)) for s in range(SEGMENTS)
    ]
    sides = []
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
        middle = ((ax + bx) / 2 / radius, (ay + by) / 2 / radius, 0.0)
        sides.append(Face(((ax, ay, -z), (bx, by, -z), (bx, by, z), (ax, ay, z)), middle, round=True))
    return [*sides, Face(tuple((x, y, z) for x, y in ring), (0.0, 0.0, 1.0))]


def _back_to_front(pieces: Iterable[Drawn]) -> list[Drawn]:
    """The pieces in an order in which what is drawn later hides what is behind it."""
    left = list(pieces)
    order = []
    while left:
        first = next(
            each for each in left if not any(_hides(each, other) for other in left if other is not each)
        )
        order.append(first)
        left.remove(first)
    return order


def _hides(one: Drawn, other: Drawn) -> bool:
    """Whether ``one`` may hide a part of ``other``."""
    (ax0, ax1), (ay0, ay1), (az0, az1) = _extent(one)
    (bx0, bx1), (by0, by1), (bz0, bz1) = _extent(other)
    if ay1 <= by0 or by1 <= ay0:
        return ay1 <= by0
    if az0 >= bz1 or bz0 >= az1:
        return az0 >= bz1
    return ax0 >= bx1 and not bx0 >= ax1


def _extent(piece: Drawn) -> tuple[tuple[float, float], ...]:
    """The bounding box of a piece where it stands, shrunk so that pieces that touch do not overlap."""
    x, y = piece.size[0] / 2, piece.size[1] / 2
    if piece.turn % 180:
        x, y = y, x
    z = piece.size[2] / 2
    spans = ((piece.x, x), (piece.y, y), (piece.z, z))
    return tuple((middle - half + 1e-6, middle + half - 1e-6) for middle, half in spans)


def _flat(point: Point) -> tuple[float, float]:
    """A point on the paper: to the right and down."""
    x, y, z = point
    return x + LEAN_X * y, -z - LEAN_Z * y


def _polygon(points: list[tuple[float, float]], fill: str, stroke: str) -> str:
    corners = " ".join(f"{u:.1f},{v:.1f}" for u, v in points)
    return f'<polygon points="{corners}" fill="{fill}" stroke="{stroke}" stroke-width="0.7" stroke-linejoin="round"/>'


def _shade(colour: str, light: float) -> str:
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{min(255, round(part * light)):02x}" for part in parts)


def write_all(folder: Path = FOLDER) -> None:
    """Write all drawings, one file each.

    Args:
        folder: Where to; it is made if it does not exist.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for tile in range(len(TOWERS)):
        (folder / f"{tile}.svg").write_text(svg(tile), encoding="utf-8")


if __name__ == "__main__":
    write_all()
