"""Moves nobody thought of, and every corner of a game's options."""

from __future__ import annotations

from random import Random
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from kotatsu.engine.contract import Move, Options
from kotatsu.engine.registry import game, games
from kotatsu.engine.sampling import option_corners, random_move
from kotatsu.games.kimono.game import Kimono

DRAWS = 300


class Inner(msgspec.Struct, frozen=True):
    flag: bool


class Everything(Move, frozen=True):
    flag: bool
    limited: Annotated[int, Meta(ge=3, le=5)]
    floored: Annotated[int, Meta(ge=100)]
    free: int
    real: float
    word: Literal["a", "b"]
    text: str
    pair: tuple[int, bool]
    many: tuple[bool, ...]
    list_of: list[Literal[1, 2]]
    maybe: bool | None
    inner: Inner


class Other(Move, frozen=True):
    """A move without fields."""


class Impossible(Move, frozen=True):
    when: dict[str, int]


def playing(move_type: Any) -> Any:
    class Playing(Kimono):
        pass

    Playing.move_type = move_type
    return Playing()


def drawn(move_type: Any) -> list[Any]:
    rng = Random(5)
    return [random_move(playing(move_type), rng) for _ in range(DRAWS)]


def test_every_kind_of_field_takes_every_kind_of_value() -> None:
    moves = drawn(Everything)
    assert {move.flag for move in moves} == {False, True}
    assert {move.limited for move in moves} == {3, 4, 5}
    assert {move.floored for move in moves} == set(range(100, 113))
    assert {move.free for move in moves} == set(range(13))
    assert {move.word for move in moves} == {"a", "b"}
    assert {move.maybe for move in moves} == {None, False, True}
    assert {move.inner for move in moves} == {Inner(False), Inner(True)}
    assert {flag for move in moves for flag in move.many} == {False, True}
    assert {len(move.many) for move in moves} == {len(move.list_of) for move in moves} == {0, 1, 2, 3}
    assert {number for move in moves for number in move.list_of} == {1, 2}
    assert {move.pair for move in moves} == {(number, flag) for number in range(13) for flag in (False, True)}
    assert {len(move.text) for move in moves} == {1, 2, 3, 4}
    assert set("".join(move.text for move in moves)) == set("abcdefgh")


def test_numbers_that_are_not_whole_lie_on_both_sides_of_nothing() -> None:
    real = [move.real for move in drawn(Everything)]
    assert min(real) < -0.9
    assert max(real) > 0.9
    assert all(-1 <= value <= 1 for value in real)


def test_every_move_of_a_union_comes_up() -> None:
    assert {type(move) for move in drawn(Everything | Other)} == {Everything, Other}


def test_what_cannot_be_made_up_is_said() -> None:
    with pytest.raises(TypeError, match="cannot be made up yet"):
        random_move(playing(Impossible), Random(0))


def test_the_same_chance_makes_up_the_same_moves() -> None:
    assert drawn(Everything) == drawn(Everything)


@pytest.mark.parametrize("name", games())
def test_moves_of_every_game_can_be_made_up(name: str) -> None:
    rng = Random(1)
    kinds = {type(random_move(game(name), rng)) for _ in range(DRAWS)}
    assert len(kinds) > 1


class Choices(Options, frozen=True):
    flag: bool = True
    limited: Annotated[int, Meta(ge=3, le=5)] = 3
    half_open: Annotated[float, Meta(ge=0.5)] = 1.0
    free: int = 7
    word: Literal["a", "b", "c"] = "b"
    maybe: Annotated[int, Meta(ge=1)] | None = None
    text: str = "x"


def corners(options_type: Any) -> list[Any]:
    class Choosing(Kimono):
        pass

    Choosing.options_type = options_type
    return list(option_corners(Choosing()))


def test_options_are_tried_at_their_defaults_and_at_each_extreme() -> None:
    assert corners(Choices) == [
        Choices(),
        Choices(flag=False),
        Choices(limited=5),
        Choices(half_open=0.5),
        Choices(word="a"),
        Choices(word="c"),
        Choices(maybe=1),
    ]


def test_options_that_are_no_struct_are_a_mistake() -> None:
    with pytest.raises(TypeError, match="kimono: options are a struct"):
        corners(dict)
