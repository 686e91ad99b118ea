"""Messages nobody's page would send: commands at random, commands that were tampered with, and plain noise."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

SEATS = (0, 1, 2, 31)
WORDS = ("", "random", "adept", "bravo", "nobody", "x" * 300, "é\u2028\u202e", "<script>", "\x00", "0")
ODD: tuple[Any, ...] = (None, True, -1, 2**63, 1e308, "", "0", [], {}, [[]], {"move": {}}, "play", "\ud800")
NUMBERS = (0, 1, 2, 3, 17, 2**31)


class Message:
    """What to send. ``command``: the id it must be answered under, if it is whole."""

    __slots__ = ("command", "data")

    def __init__(self, data: str | bytes, command: str | None = None) -> None:
        self.data = data
        self.command = command


class Fuzzer:
    """The same seed, the same messages; ``name`` tells its commands from another's."""

    def __init__(self, seed: int, name: str) -> None:
        self._rng = Random(f"{seed} {name}")
        self._name = name
        self._count = 0

    def next(self, moves: dict[int, tuple[Any, ...]], seq: int) -> Message:
        """One more; ``moves`` and ``seq`` are what a good player would know."""
        rng = self._rng
        whole = self._command(moves, seq)
        how = rng.random()
        if how < 0.6:
            return Message(json.dumps(whole), whole.get("command_id"))
        if how < 0.75:
            return Message(json.dumps(self._tampered(whole)))
        if how < 0.9:
            return Message(self._damaged(json.dumps(whole)))
        return Message(rng.choice(_NOISE)(rng))

    def _command(self, moves: dict[int, tuple[Any, ...]], seq: int) -> dict[str, Any]:
        rng = self._rng
        self._count += 1
        seat, word, number = rng.choice(SEATS), rng.choice(WORDS), rng.choice(NUMBERS)
        fields: dict[str, Any] = rng.choice(
            (
                {"type": "sit", "seat": seat},
                {"type": "stand", "seat": seat},
                {"type": "set_bot", "seat": seat, "level": rng.choice((None, "random", "nobody"))},
                {"type": "set_guest", "seat": seat, "name": word[:40]},
                {
                    "type": "set_settings",
                    "settings": {"listed": rng.random() < 0.5, "patience": 10 + number % 90},
                },
                {"type": "say", "text": word or "?"},
                {"type": "react", "reaction": rng.choice(("bravo", "heart"))},
                {"type": "block", "number": number or 1},
                {"type": "start", "level": rng.choice(("random", "nobody"))},
                {"type": "catch_up", "have": number},
                {"type": "ping"},
                *({"type": "play", **self._play(moves, seq)} for _ in range(4)),
            )
        )
        if fields["type"] in ("catch_up", "ping"):
            return fields
        return {**fields, "command_id": f"{self._name}-{self._count}"}

    def _play(self, moves: dict[int, tuple[Any, ...]], seq: int) -> dict[str, Any]:
        rng = self._rng
        if moves and rng.random() < 0.7:
            seat = rng.choice(list(moves))
            return {"seat": seat, "seen": seq, "move": rng.choice(moves[seat])}
        move = rng.choice(
            ({"move": "take", "row": 9}, {"move": "stop"}, {"move": "place", "stack": -1}, *ODD[2:-1])
        )
        return {"seat": rng.choice(SEATS), "seen": rng.choice((seq, *NUMBERS)), "move": move}

    def _tampered(self, whole: dict[str, Any]) -> Any:
        """Something else in one place, a field too many or too few."""
        rng = self._rng
        changed = dict(whole)
        match rng.randrange(4):
            case 0:
                changed[rng.choice(list(changed))] = rng.choice(ODD)
            case 1:
                del changed[rng.choice(list(changed))]
            case 2:
                changed[rng.choice(("at", "type ", "seat", ""))] = rng.choice(ODD)
            case _:
                return [changed]
        return changed

    def _damaged(self, text: str) -> str | bytes:
        rng = self._rng
        at = rng.randrange(len(text))
        match rng.randrange(4):
            case 0:
                return text[:at]
            case 1:
                return text[:at] + rng.choice('{}[]",:\\0\x7f') + text[at + 1 :]
            case 2:
                return text[:at] + text
            case _:
                raw = bytearray(text.encode())
                raw[at % len(raw)] = rng.randrange(256)
                return bytes(raw)


_NOISE: tuple[Callable[[Random], str | bytes], ...] = (
    lambda rng: rng.randbytes(rng.randrange(64)),
    lambda rng: "[" * rng.randrange(1, 8000),
    lambda rng: '{"type":' * rng.randrange(1, 900),
    lambda rng: "9" * rng.randrange(1, 5000),
    lambda rng: json.dumps({"type": "say", "command_id": "x", "text": "x" * rng.randrange(9000, 12000)}),
    lambda rng: json.dumps(rng.choice(ODD)),
)
