"""Conformance checks: the properties every game must have, checked by random play. There are no exemptions.

``check(name)`` runs all of them; with ``CHECKS`` a test can report each property by itself. Each takes a
game, ``kind``, and raises ``ContractBroken`` if it does not have the property.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec

from kotatsu.engine.contract import AnyGame, Fact, IllegalMove, Move, Options, Seat
from kotatsu.engine.match import Match, opened, replay
from kotatsu.engine.registry import game
from kotatsu.engine.sampling import option_corners, random_move

MAX_STEPS = 20_000
"""Steps after which random play counts as endless. Chosen by hand, far above our longest random game."""

STEPS_WITHOUT_END = 500
"""Steps of random play with options that let a game go on for ever. Chosen by hand, a few dozen turns."""

GAMES_FOR_EACH_TABLE = 2
"""Random games for each number of players and choice of options. Chosen by hand, for seconds rather than
minutes."""

POSITIONS_A_GAME = 25
"""Positions of a random game that are checked, spread evenly over it. Chosen by hand, for the same reason."""

DEADLINE_SHARE = 0.2
"""How often random play lets a deadline pass although somebody could move. Chosen by hand: often enough that
every game's deadlines pass, rarely enough that moves decide games."""


class ContractBroken(AssertionError):
    """A game does not have a property it must have; the message says which."""


def check(name: str) -> None:
    """Run all checks on the game of this name. Takes seconds.

    Raises:
        UnknownGame: there is no such game.
        ContractBroken: with the first property it does not have.
    """
    for each in CHECKS.values():
        each(game(name))


def random_play_ends(kind: AnyGame) -> None:
    """Whatever is played, the game ends, with a result for every seat and nobody left to move.

    With options of which the game says that they let it go on, it may; with some options it does end.
    """
    _require(
        any(kind.always_ends(options) for _, options in tables(kind)),
        kind,
        "no options make it end for certain",
    )
    for match in _finished(kind):
        outcome = match.outcome
        if outcome is None and not kind.always_ends(match.options):
            continue
        _require(outcome is not None, kind, f"random play is stuck, or goes on after {MAX_STEPS} steps")
        assert outcome is not None
        _require(len(outcome.scores) == match.players, kind, "there is not one score for each seat")
        _require(
            bool(outcome.winners or match.players == 1) and set(outcome.winners) <= set(range(match.players)),
            kind,
            f"the winners are {outcome.winners}",
        )
        _require(not match.acting, kind, "somebody is to move after the end")
        _require(match.deadline is None, kind, "something is waited for after the end")


def someone_can_always_go_on(kind: AnyGame) -> None:
    """Before the end there is a move or a deadline; exactly the acting seats have moves."""
    for match in _positions(kind):
        acting = match.acting
        _require(
            bool(acting) or match.deadline is not None or match.outcome is not None,
            kind,
            "nobody is to move, nothing is waited for, and the game is not over",
        )
        for seat in range(match.players):
            moves = match.moves(seat)
            _require(
                (seat in acting) == bool(moves), kind, f"seat {seat} acts but cannot, or can but does not act"
            )
            _require(list(moves) == list(match.moves(seat)), kind, "the order of moves changes")
            _require(len(set(map(_bytes, moves))) == len(moves), kind, "a move is listed twice")


def legal_means_accepted(kind: AnyGame) -> None:
    """``decide`` accepts exactly the moves that ``moves`` lists."""
    for match, rng in _positions_with_rng(kind):
        for seat in range(match.players):
            legal = set(map(_bytes, match.moves(seat)))
            for move in _candidates(match, seat, rng):
                accepted = _accepts(match, seat, move)
                listed = _bytes(move) in legal
                _require(
                    accepted == listed,
                    kind,
                    f"seat {seat}: {move} is {'' if listed else 'not '}listed "
                    f"but {'accepted' if accepted else 'refused'}",
                )


def refusal_changes_nothing(kind: AnyGame) -> None:
    """A refused move names its clause, changes no state and draws no randomness."""
    for match, rng in _positions_with_rng(kind):
        before = _bytes(match.state)
        for seat in range(match.players):
            for move in _candidates(match, seat, rng):
                chance = Random(1)
                try:
                    match.driver.play(match.state, seat, move, chance)
                except IllegalMove as refusal:
                    _require(
                        bool(refusal.clause and refusal.message), kind, f"{move} is refused without a reason"
                    )
                    _require(
                        chance.getstate() == Random(1).getstate(), kind, f"{move} is refused after a draw"
                    )
        _require(_bytes(match.state) == before, kind, "deciding changed the state")


def refolding_gives_the_live_state(kind: AnyGame) -> None:
    """The state is the fold of the facts, and of nothing else."""
    for match in _finished(kind):
        facts = [entry for entry in match.log if isinstance(entry, Fact)]
        again = match.driver.replay(facts)
        _require(_bytes(again) == _bytes(match.state), kind, "refolding the log gives another state")


def records_survive_json(kind: AnyGame) -> None:
    """A record written and read again is the same record, and replays to the same state."""
    for match in _finished(kind):
        text = msgspec.json.encode(match.record())
        again = replay(msgspec.json.decode(text))
        _require(msgspec.json.encode(again.record()) == text, kind, "a record changes when read and written")
        _require(_bytes(again.state) == _bytes(match.state), kind, "a record replays to another state")
        for seat in (*range(match.players), None):
            _require(bool(msgspec.json.encode(match.view(seat))), kind, "a view is not JSON")


def same_seed_same_record(kind: AnyGame) -> None:
    """The same seed and the same choices give the same record."""
    for first, second in zip(_finished(kind), _finished(kind), strict=True):
        _require(first.record() == second.record(), kind, "the same seed gives another record")


def imagination_keeps_the_view(kind: AnyGame) -> None:
    """An imagined state looks the same to its seat, has the same moves, and varies if anything is hidden."""
    hides = varies = False
    for match, rng in _positions_with_rng(kind):
        for seat in (*range(match.players), None):
            seen = _bytes(match.view(seat))
            imagined = kind.imagine(match.state, seat, rng)
            _require(
                _bytes(kind.view(imagined, seat)) == seen, kind, f"seat {seat} could tell what was imagined"
            )
            if seat is not None:
                _require(
                    _bytes(list(kind.moves(imagined, seat))) == _bytes(list(match.moves(seat))),
                    kind,
                    f"the moves of seat {seat} give away what it may not know",
                )
            varies = varies or _bytes(imagined) != _bytes(match.state)
            hides = hides or (match.outcome is None and _hides(match, seat))
    _require(varies == hides, kind, "something is hidden but never imagined, or imagined but never hidden")


def seats_see_alike_unless_secretive(kind: AnyGame) -> None:
    """A game is declared ``secretive`` exactly if its seats see different things.

    Players who share a device then hand it over behind a curtain.
    """
    differ = any(
        _bytes(match.view(seat)) != _bytes(match.view(0))
        for match in _positions(kind)
        for seat in range(1, match.players)
    )
    _require(
        differ == kind.secretive,
        kind,
        "seats see different things, but it is not secretive"
        if differ
        else "it is secretive, but all seats see the same",
    )


CHECKS: dict[str, Callable[[AnyGame], None]] = {
    each.__name__: each
    for each in (
        random_play_ends,
        someone_can_always_go_on,
        legal_means_accepted,
        refusal_changes_nothing,
        refolding_gives_the_live_state,
        records_survive_json,
        same_seed_same_record,
        imagination_keeps_the_view,
        seats_see_alike_unless_secretive,
    )
}


def tables(kind: AnyGame) -> Iterator[tuple[int, Options]]:
    """Yield every number of players with default options, and fewest and most with each extreme option."""
    corners = list(option_corners(kind))
    for players in kind.seats:
        yield players, corners[0]
    for options in corners[1:]:
        yield min(kind.seats), options
        if len(kind.seats) > 1:
            yield max(kind.seats), options


def _hides(match: Match, seat: Seat | None) -> bool:
    """Whether different states can look the same to a seat: a fact is hidden, or may be forgotten."""
    if match.game.forgetful:
        return True
    return any(
        match.game.redact(match.state, entry, seat) != entry for entry in match.log if isinstance(entry, Fact)
    )


def _require(condition: bool, kind: AnyGame, message: str) -> None:
    if not condition:
        raise ContractBroken(f"{kind.name}: {message}")


def _bytes(value: Any) -> bytes:
    return msgspec.msgpack.encode(value, order="deterministic")


def _accepts(match: Match, seat: Seat, move: Move) -> bool:
    try:
        match.driver.play(match.state, seat, move, Random(0))
    except IllegalMove:
        return False
    return True


def _candidates(match: Match, seat: Seat, rng: Random) -> Iterator[Move]:
    """This seat's legal moves, everybody else's, and made-up ones."""
    yield from match.moves(seat)
    for other in range(match.players):
        if other != seat:
            yield from match.moves(other)[:5]
    for _ in range(10):
        yield random_move(match.game, rng)


def _play(kind: AnyGame, players: int, options: Options, seed: int) -> Iterator[Match]:
    """Random play from the setup to the end, yielding the one match after each step."""
    rng = Random(seed)
    match = opened(kind, players, options, Random(seed))
    for _ in range(MAX_STEPS if kind.always_ends(options) else STEPS_WITHOUT_END):
        yield match
        acting = sorted(match.acting)
        if match.outcome is not None or not (acting or match.deadline):
            return
        if match.deadline is not None and (not acting or rng.random() < DEADLINE_SHARE):
            match.expire()
        else:
            seat = rng.choice(acting)
            moves = match.moves(seat)
            _require(bool(moves), kind, f"seat {seat} acts but has no move")
            _play_listed(match, seat, rng.choice(moves))


def _play_listed(match: Match, seat: Seat, move: Move) -> None:
    try:
        match.play(seat, move)
    except IllegalMove as refusal:
        raise ContractBroken(f"{match.game.name}: {move} is listed but refused: {refusal}") from refusal


def _finished(kind: AnyGame) -> Iterator[Match]:
    for players, options in tables(kind):
        for seed in range(GAMES_FOR_EACH_TABLE):
            *_, last = _play(kind, players, options, seed)
            yield last


def _positions_with_rng(kind: AnyGame) -> Iterator[tuple[Match, Random]]:
    """Positions spread over random games, their beginnings and ends among them."""
    for players, options in tables(kind):
        length = sum(1 for _ in _play(kind, players, options, 0))
        stride = max(1, length // POSITIONS_A_GAME)
        for number, match in enumerate(_play(kind, players, options, 0)):
            if number % stride == 0 or match.outcome is not None:
                yield match, Random(number)


def _positions(kind: AnyGame) -> Iterator[Match]:
    for match, _ in _positions_with_rng(kind):
        yield match
