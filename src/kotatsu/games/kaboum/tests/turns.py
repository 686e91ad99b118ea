"""Turns that were really played in the world, kept as what players did and what the referee saw.

The rules make facts out of them anew each time (``steps``), so the corpus in ``turns.json`` outlives a change of
facts or views. ``python -m kotatsu.games.kaboum.tests.turns`` plays and writes it again; a world is the same only on
one machine, so what it writes elsewhere differs, and is as good.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from random import Random
from typing import assert_never

import msgspec

from kotatsu.engine.contract import IllegalMove, Seat
from kotatsu.engine.match import Match, opened
from kotatsu.engine.record import Entry, Played
from kotatsu.games.kaboum.game import GAME
from kotatsu.games.kaboum.live import Turn
from kotatsu.games.kaboum.model import (
    Completed,
    DieRests,
    Fire,
    Fired,
    Flip,
    KaboumFact,
    KaboumMove,
    KaboumOptions,
    KaboumState,
    KaboumTurnEnded,
    Landed,
    Sighting,
    Toppled,
    TowerFell,
    TowerStands,
    TurnBroken,
    WorldBroke,
)
from kotatsu.games.kaboum.play import player

FILE = Path(__file__).with_name("turns.json")
LOST_AT_TICK = 600
"""When the world of the turn that is broken goes wrong."""
GAMES = (
    # players, hourglass in seconds, level of the bots, seed, the turn that is broken
    (3, 40, "adept", 2, 2),
    (2, 30, "master", 1, None),
    (5, 30, "master", 3, None),
)


class Acted(msgspec.Struct, frozen=True, tag="acted"):
    """A player did something; ``big``: shot the large die."""

    seat: Seat
    move: KaboumMove
    big: bool = False


class Seen(msgspec.Struct, frozen=True, tag="seen"):
    """The referee saw something."""

    sighting: Sighting


class TimeUp(msgspec.Struct, frozen=True, tag="time_up"):
    """The hourglass ran out."""


WorldEvent = Acted | Seen | TimeUp


class PlayedGame(msgspec.Struct, frozen=True):
    """A game from its setup to its end. ``steps``: what came together, as it is written into a log together."""

    players: int
    seed: int
    options: KaboumOptions
    steps: tuple[tuple[WorldEvent, ...], ...]


def corpus() -> list[PlayedGame]:
    """The games that are kept."""
    return msgspec.json.decode(FILE.read_bytes(), type=list[PlayedGame])


def start(game: PlayedGame) -> Match:
    """The match before the first turn."""
    return opened(GAME, game.players, game.options, Random(game.seed))


def steps(game: PlayedGame) -> Iterator[list[Entry]]:
    """What the rules of today write into the log for each step."""
    state: KaboumState = start(game).state
    for step in game.steps:
        entries: list[Entry] = []
        for event in step:
            facts = _facts(state, event)
            if isinstance(event, Acted):
                entries.append(Played(event.seat, event.move))
            entries += facts
            state = reduce(GAME.fold, facts, state)
        yield entries


def _facts(state: KaboumState, event: WorldEvent) -> list[KaboumFact]:
    chance = Random(0)  # the rules draw none after the setup
    match event:
        case Acted(seat, Fire(), big):
            return GAME.fire(state, seat, big=big)
        case Acted(seat, move):
            return GAME.decide(state, seat, move, chance)
        case Seen(sighting):
            return GAME.witness(state, sighting)
        case TimeUp():
            return GAME.expire(state, chance)
        case _:
            assert_never(event)


def record(players: int, hourglass_s: int, level: str, seed: int, broken_turn: int | None) -> PlayedGame:
    """Play a whole game between bots, and keep what they did and what the referee saw.

    Raises:
        AssertionError: the rules do not make the same facts out of it again.
    """
    options = KaboumOptions(hourglass_s=hourglass_s, rounds=1)
    match = opened(GAME, players, options, Random(seed))
    kept: list[tuple[WorldEvent, ...]] = []
    log: list[list[Entry]] = []
    begun = 0
    while match.outcome is None:
        builder = match.state.builder
        kept.append((Acted(builder, Flip()),))
        log.append([Played(builder, Flip()), *match.play(builder, Flip())])
        begun += 1
        turn = Turn(match.state, f"{seed} {begun}")
        bots = {seat: player(level, seat, match.state, f"{seed} {begun}") for seat in range(players)}
        while not turn.over:
            for seat, bot in bots.items():
                for asked in bot.inputs(turn):
                    try:
                        turn.act(seat, asked)
                    except IllegalMove:
                        continue  # something was quicker
            if begun == broken_turn and turn.world.tick == LOST_AT_TICK:
                turn.world.put(0, (99.0, 0.0, 0.0))
            if entries := turn.step():
                kept.append(tuple(_events(entries)))
                log.append(entries)
        match.state = turn.state
    game = PlayedGame(players, seed, options, tuple(kept))
    assert [*steps(game)] == log
    return game


def _events(entries: list[Entry]) -> Iterator[WorldEvent]:
    """What led to some entries of a log. Other facts follow from these by the rules."""
    shots = iter([entry for entry in entries if isinstance(entry, Fired)])
    for entry in entries:
        match entry:
            case Played(seat, Fire() as move):
                yield Acted(seat, move, next(shots).big)
            case Played(seat, move):
                yield Acted(seat, msgspec.convert(move, KaboumMove))
            case Landed(_, die, _, tile, kaboum):
                yield Seen(DieRests(die, tile, kaboum))
            case Completed(tile):
                yield Seen(TowerStands(tile))
            case Toppled(tile):
                yield Seen(TowerFell(tile))
            case TurnBroken():
                yield Seen(WorldBroke())
            case KaboumTurnEnded():
                yield TimeUp()
            case _:
                pass


if __name__ == "__main__":
    FILE.write_bytes(msgspec.json.encode([record(*each) for each in GAMES]) + b"\n")
