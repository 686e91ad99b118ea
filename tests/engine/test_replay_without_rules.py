"""A record gives the views it gave when it was played, whatever became of the rules since.

The stored games of today (``tests/engine/records/today``) are seen again while one rule or figure of their game is
another, or is gone. Whoever changes what facts say, or brings a new game, writes them anew with
``python -m tests.engine.stored_games``; a new game also needs its ``MUTANTS`` below.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, reduce
from importlib import import_module
from types import FunctionType
from typing import Any, NamedTuple, NoReturn

import msgspec
import pytest
from msgspec.structs import replace

from kotatsu.engine.contract import Fact
from kotatsu.engine.record import FORMAT, read_record
from kotatsu.engine.registry import game, games, package, part
from kotatsu.games.kimono.fold import fold
from kotatsu.games.kimono.game import Kimono
from kotatsu.games.kimono.model import KimonoFact, KimonoState, Took
from kotatsu.games.kimono.turn import may_combine
from kotatsu.store.contract import LoggedStep
from kotatsu.tables.replay import replay_steps
from tests.engine.stored_games import TODAY, StoredGame, played, read

NEEDED_TO_SEE_A_GAME = {"empty", "fold", "view", "redact", "outcome", "upgrade"}
"""The methods of a game that a replay calls; ``upgrade`` finds nothing to do in facts of today."""


class Mutant(NamedTuple):
    """One rule or figure of a game that is another from now on: ``change`` makes it of what it was."""

    module: str
    name: str
    change: Callable[[Any], Any]

    def __str__(self) -> str:
        return f"{self.module}.{self.name}"


def asked(*_: Any, **__: Any) -> NoReturn:
    raise AssertionError("a rule was asked")


def gone(_: Any) -> Callable[..., NoReturn]:
    """In the place of a rule."""
    return asked


def box(**figures: Any) -> Callable[[Any], Any]:
    """The box with other figures."""
    return lambda before: replace(before, **figures)


def always(answer: Any) -> Callable[[Any], Any]:
    """In the place of a rule: one that always gives the same answer."""
    return lambda _: lambda *_, **__: answer


def anticlockwise(_: Any) -> Callable[[int, int], int]:
    return lambda seat, players: (seat - 1) % players


def one_more(before: dict[int, int]) -> dict[int, int]:
    return {key: number + 1 for key, number in before.items()}


def dearer(board: dict[str, Any]) -> dict[str, Any]:
    return {style: replace(each, points=one_more(each.points)) for style, each in board.items()}


def longer_rows(sizes: dict[int, Any]) -> dict[int, Any]:
    return {players: replace(size, row_length=size.row_length + 1) for players, size in sizes.items()}


def reversed_answer(rule: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *asked, **named: rule(*asked, **named)[::-1]


def doubled_answer(rule: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *asked, **named: tuple(2 * each for each in rule(*asked, **named))


MUTANTS: dict[str, tuple[Mutant, ...]] = {
    "kaboum": (
        Mutant("turn", "next_builder", gone),
        Mutant("turn", "next_builder", lambda _: lambda state: (state.builder - 1) % state.players),
        Mutant("turn", "next_big_die", always(0)),
        Mutant("turn", "turns_at_most", always(3)),
        Mutant("turn", "worth", always(5)),
        Mutant("turn", "breakdown", always(())),
        Mutant("data", "POINTS", lambda points: tuple(each + 1 for each in points)),
        Mutant("data", "BOX", box(win_points=4)),
        Mutant("data", "SMALL_DICE_EACH", one_more),
        Mutant("data", "TILES", lambda tiles: tiles - 1),
        Mutant("game", "has_large_die", always(False)),
        Mutant("game", "small_dice_left", always(1)),
        Mutant("game", "Kaboum.witness", gone),
        Mutant("game", "Kaboum._grants_a_quake", always(True)),
        Mutant("game", "Kaboum._game_end", gone),
    ),
    "kabuki": (
        Mutant("turn", "callers_on", gone),
        Mutant("turn", "callers_on", reversed_answer),
        Mutant("turn", "held_after", doubled_answer),
        Mutant("turn", "by_round", always(())),
        Mutant("data", "BOX", box(rounds=2)),
        Mutant("data", "BOX", box(actors=3)),
        Mutant("data", "FULL_DECK", lambda deck: (*deck[:-1], deck[-1] + 3)),
        Mutant("data", "TOKENS_EACH", one_more),
        Mutant("game", "Kabuki._call", gone),
        Mutant("game", "Kabuki._end_round", gone),
        Mutant("game", "Kabuki._close_window", gone),
    ),
    "kakuzu": (
        Mutant("turn", "left_of", gone),
        Mutant("turn", "left_of", anticlockwise),
        Mutant("turn", "taker_of_a_miss", gone),
        Mutant("turn", "taker_of_a_miss", lambda _: lambda state, seat: (seat + 1) % state.players),
        Mutant("turn", "next_to_open", always(0)),
        Mutant("turn", "wanted_after_lift", always(None)),
        Mutant("turn", "full_bag", always((0, 1, 2))),
        Mutant("turn", "full_clocks", always((60_000,) * 4)),
        Mutant("turn", "TO_OPEN", lambda before: before - 1),
        Mutant("turn", "opening", always(False)),
        Mutant("turn", "out_of_time", always(False)),
        Mutant("scoring", "winners_of", always((0,))),
        Mutant("scoring", "breakdown", always(())),
        Mutant("scoring", "IN_PLAY", lambda before: before + 9),
        Mutant("game", "LIMIT", lambda before: before - 1),
        Mutant("game", "Kakuzu._turn_is_over", always("miss")),
        Mutant("game", "_retirement", always([])),
    ),
    "kimono": (
        Mutant("styles", "combinations", always(())),
        Mutant("turn", "combos_of", gone),
        Mutant("turn", "may_combine", gone),
        Mutant("turn", "may_combine", always(False)),
        Mutant("turn", "left_of", anticlockwise),
        Mutant("market", "full_deck", doubled_answer),
        Mutant("market", "deck_for_market", lambda _: lambda deck, *_: deck_of_everything(deck)),
        Mutant("market", "piles_after", always(((9,) * 16, (9,) * 16))),
        Mutant("scoring", "breakdown", always({"ju": 1})),
        Mutant("scoring", "result", gone),
        Mutant("data", "BOARD", dearer),
        Mutant("data", "SIZES", longer_rows),
        Mutant("data", "BOX", box(copies=6)),
        Mutant("game", "CARDS_LEFT_AT_END", one_more),
        Mutant("game", "Kimono._market", gone),
    ),
}


def deck_of_everything(deck: tuple[int, ...]) -> tuple[int, ...]:
    return (9,) * len(deck)


EVERY_MUTANT = [
    pytest.param(name, mutant, id=f"{name}-{number}-{mutant}")
    for name in games()
    for number, mutant in enumerate(MUTANTS.get(name, ()))
]


def put_everywhere(patch: pytest.MonkeyPatch, name: str, known: str, before: Any, after: Any) -> None:
    """Another value for what a game's modules know by a name, wherever it was imported to."""
    for key, module in list(sys.modules.items()):
        if key.startswith(f"{package(name)}.") and vars(module).get(known) is before:
            patch.setattr(module, known, after)


def mutate(patch: pytest.MonkeyPatch, name: str, mutant: Mutant) -> None:
    owner: Any = import_module(f"{package(name)}.{mutant.module}")
    *classes, known = mutant.name.split(".")
    for each in classes:
        owner = getattr(owner, each)
    before = getattr(owner, known)
    if classes:
        patch.setattr(owner, known, mutant.change(before))
    else:
        put_everywhere(patch, name, known, before, mutant.change(before))


def sees_what_was_seen(stored: StoredGame) -> None:
    """From the record and from the log of a table, after every step and through all eyes."""
    kind, players, options, _, log = read_record(stored.record)
    state, at = kind.empty(players, options), 0
    for step, count in enumerate(stored.steps):
        facts = (entry for entry in log[at : at + count] if isinstance(entry, Fact))
        state, at = reduce(kind.fold, facts, state), at + count
        for viewpoint in stored.viewpoints:
            assert msgspec.json.encode(kind.view(state, viewpoint)) == stored.view(step, viewpoint), step
    rows = [
        LoggedStep(seq, 0.0, msgspec.json.encode(entries)) for seq, entries in enumerate(stored.entries(), 1)
    ]
    for viewpoint in stored.viewpoints:
        for number, told in enumerate(replay_steps(kind, players, options, rows, viewpoint)):
            assert msgspec.json.encode(told.view) == stored.view(number, viewpoint), number


@cache
def played_by_the_rules(name: str) -> bytes:
    return msgspec.json.encode(played(name))


@pytest.mark.parametrize("name", games())
def test_every_game_has_stored_games_with_every_kind_of_fact(name: str) -> None:
    stored = read(TODAY, name)
    assert {each.record["kotatsu"] for each in stored} == {FORMAT}
    happened = {entry["fact"] for each in stored for entry in each.record["log"] if "fact" in entry}
    assert happened == {fact.__struct_config__.tag for fact in game(name).fact_type.__args__}
    assert MUTANTS.get(name), f"say which rules and figures of {name} may change"


@pytest.mark.parametrize(("name", "mutant"), EVERY_MUTANT)
def test_a_game_is_seen_as_it_was_under_a_changed_rule(
    name: str, mutant: Mutant, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = read(TODAY, name)
    mutate(monkeypatch, name, mutant)
    for each in stored:
        sees_what_was_seen(each)


@pytest.mark.parametrize("name", games())
def test_a_game_is_seen_as_it_was_without_any_rule(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = type(game(name))
    for method, value in list(vars(rules).items()):
        if isinstance(value, FunctionType) and method not in NEEDED_TO_SEE_A_GAME:
            monkeypatch.setattr(rules, method, asked)
    for each in read(TODAY, name):
        sees_what_was_seen(each)


class NoBox:
    """In the place of a figure: whoever looks at it is caught."""

    __getattr__ = __getitem__ = __iter__ = __len__ = __eq__ = __bool__ = __index__ = __mul__ = __rmul__ = (
        asked
    )


@pytest.mark.parametrize("name", [name for name in games() if part(name, "data") is not None])
def test_a_game_is_seen_as_it_was_without_its_box(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = part(name, "data")
    for known, value in list(vars(data).items()):
        if isinstance(value, msgspec.Struct | tuple | dict | int) and not known.startswith("__"):
            put_everywhere(monkeypatch, name, known, value, NoBox())
    for each in read(TODAY, name):
        sees_what_was_seen(each)


@pytest.mark.parametrize(("name", "mutant"), EVERY_MUTANT)
def test_a_changed_rule_changes_what_is_played(
    name: str, mutant: Mutant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the mutant would prove nothing."""
    before = played_by_the_rules(name)
    mutate(monkeypatch, name, mutant)
    try:
        after = msgspec.json.encode(played(name))
    except Exception:  # noqa: BLE001 - a game that cannot be played any more is another game
        return
    assert after != before


def test_a_fold_that_asks_a_rule_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Kimono's did before: whether there is something to combine was worked out when a record was read."""

    def asking(_: Kimono, state: KimonoState, fact: KimonoFact) -> KimonoState:
        if isinstance(fact, Took):
            combining = may_combine_now(state.places[fact.seat], fact.card, state.options)
            fact = replace(fact, combining=combining)
        return fold(state, fact)

    may_combine_now = may_combine
    monkeypatch.setattr(Kimono, "fold", asking)
    stored = read(TODAY, "kimono")[0]
    sees_what_was_seen(stored)
    may_combine_now = always(False)(may_combine)
    with pytest.raises(AssertionError):
        sees_what_was_seen(stored)
