"""What a game has without saying so, and what its words are on the wire."""

from __future__ import annotations

import pickle

import msgspec
import pytest

from kotatsu.engine.contract import Fact, Game, IllegalMove, Move
from kotatsu.engine.registry import game
from kotatsu.games.kimono.model import KimonoOptions, Skipped


class ABDealt(Fact, frozen=True):
    seat: int
    cards: tuple[int, ...] = ()


class Opened(Fact, frozen=True):
    pass


def test_a_class_is_its_name_in_small_letters_on_the_wire() -> None:
    class TakeBackEverything(Move, frozen=True):
        pass

    class ZUp(Fact, frozen=True):
        pass

    assert msgspec.to_builtins(ZUp()) == {"fact": "z_up"}
    assert msgspec.to_builtins(TakeBackEverything()) == {"move": "take_back_everything"}
    assert msgspec.to_builtins(Opened()) == {"fact": "opened"}
    assert msgspec.to_builtins(ABDealt(1)) == {"fact": "a_b_dealt", "seat": 1, "cards": ()}


def test_what_is_not_known_is_not_read() -> None:
    for kind, plain in ((Opened, {"fact": "opened", "more": 1}), (KimonoOptions, {"more": 1})):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(plain, kind)


def test_a_refusal_survives_the_way_between_processes() -> None:
    refusal = pickle.loads(pickle.dumps(IllegalMove("KM-7", "It is not your turn.")))
    assert (refusal.clause, refusal.message, str(refusal)) == (
        "KM-7",
        "It is not your turn.",
        "It is not your turn.",
    )


def test_a_game_without_time_and_races_says_so_by_saying_nothing() -> None:
    kimono = game("kimono")
    state = kimono.empty(2, KimonoOptions())
    assert kimono.deadline(state) is None
    assert kimono.race(state) is None
    assert kimono.spend(state, 0, 5.0) == []
    with pytest.raises(ValueError, match="kimono is waiting for nothing"):
        kimono.expire(state, None)  # type: ignore[arg-type]
    assert [kimono.forgetful, kimono.silent, kimono.secretive] == [False] * 3
    assert kimono.cut_short(state) is False


def tell(fact: Fact, *names: str) -> str:
    return Game.tell(game("kimono"), fact, names)


def test_a_fact_without_a_storyteller_is_told_by_its_fields() -> None:
    assert tell(Opened(), "Ana") == "opened"
    assert tell(Skipped(1, 0), "Ana", "Ben") == "Ben: skipped (next 0)"
    assert tell(ABDealt(0, (1, 2)), "Ana", "Ben") == "Ana: a b dealt (cards (1, 2))"
    assert tell(ABDealt(2), "Ana", "Ben") == "a b dealt (cards ())", "nobody sits there"
    assert tell(ABDealt(-1), "Ana", "Ben") == "a b dealt (cards ())"
    assert tell(ABDealt(0)) == "a b dealt (cards ())"


class Slid(Fact, frozen=True):
    seat: str
    far: int
    wide: int


def test_a_seat_that_is_no_number_is_nobody() -> None:
    assert tell(Slid("x", 1, 2), "Ana") == "slid (far 1, wide 2)"
