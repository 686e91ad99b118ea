"""Kakuzu's rules, clause by clause (see RULES.md)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from kotatsu.engine.contract import Deadline, Game, IllegalMove, Outcome, Seat
from kotatsu.games.kakuzu.board import CELLS, DIGITS, SIZE, SQUARE_OF, Cell, at, in_rows, place
from kotatsu.games.kakuzu.fold import fold
from kotatsu.games.kakuzu.grids import complete, deal
from kotatsu.games.kakuzu.model import (
    Announce,
    Announced,
    Cause,
    Dealt,
    DigitDrawn,
    KakuzuFact,
    KakuzuGameEnded,
    KakuzuMove,
    KakuzuOptions,
    KakuzuState,
    KakuzuTurnEnded,
    KakuzuView,
    Lift,
    Lifted,
    OpenCell,
    Opened,
    Retired,
    TimeSpent,
)
from kotatsu.games.kakuzu.old_facts import upgrade
from kotatsu.games.kakuzu.scoring import breakdown, winners_of
from kotatsu.games.kakuzu.story import tell
from kotatsu.games.kakuzu.turn import (
    TO_OPEN,
    full_bag,
    full_clocks,
    left_of,
    naming,
    next_to_open,
    opened_squares,
    opening,
    out_of_time,
    taker_of_a_miss,
    wanted_after_lift,
)

LIMIT = 3
"""KZ-21: the most stones kept in a turn."""


class Kakuzu(Game[KakuzuState, KakuzuMove, KakuzuFact, KakuzuView, KakuzuOptions]):
    """KZ-1 … KZ-23."""

    name = "kakuzu"
    seats = range(1, 5)
    move_type = KakuzuMove
    fact_type = KakuzuFact
    options_type = KakuzuOptions

    def empty(self, players: int, options: KakuzuOptions) -> KakuzuState:
        return KakuzuState(options, (0,) * players)

    def setup(self, players: int, options: KakuzuOptions, rng: Random) -> list[KakuzuFact]:
        first, grid = rng.randrange(players), in_rows(deal(rng))  # KZ-1, KZ-3
        return [Dealt(first, TO_OPEN, full_bag(options), full_clocks(players, options), grid)]

    def fold(self, state: KakuzuState, fact: KakuzuFact) -> KakuzuState:
        return fold(state, fact)

    def upgrade(self, state: KakuzuState, fact: dict[str, Any]) -> dict[str, Any]:
        return upgrade(state, fact)

    def acting(self, state: KakuzuState) -> frozenset[Seat]:
        return frozenset() if state.result is not None else frozenset((state.turn,))

    def moves(self, state: KakuzuState, seat: Seat) -> Sequence[KakuzuMove]:
        if seat not in self.acting(state):
            return ()
        hidden = [cell for cell in range(CELLS) if not state.visible[cell]]
        if opening(state):
            taken = opened_squares(state)
            return tuple(OpenCell(place(cell)) for cell in hidden if SQUARE_OF[cell] not in taken)
        if naming(state):
            return tuple(Announce(digit) for digit in DIGITS if digit not in state.retired)
        return tuple(Lift(place(cell)) for cell in hidden)

    def decide(self, state: KakuzuState, seat: Seat, move: KakuzuMove, rng: Random) -> list[KakuzuFact]:
        if state.result is not None:
            raise IllegalMove("KZ-9", "The game is over.")
        if seat != state.turn:
            raise IllegalMove("KZ-3", "It is not your turn.")
        match move:
            case OpenCell(cell):
                facts = self._open(state, seat, cell)
            case Lift(cell):
                facts = self._lift(state, seat, cell)
            case Announce(digit):
                facts = self._announce(state, seat, digit)
        return self._go_on(state, facts, rng)

    def deadline(self, state: KakuzuState) -> Deadline | None:
        """KZ-22: the time left to the player whose move it is."""
        if not state.clocks or state.result is not None:
            return None
        moves_made = 2 * (CELLS - state.visible.count(0)) + (state.wanted is not None)
        left = state.clocks[state.turn] / 1000
        return Deadline("clock", left, (state.turn,), moves_made, keeps_running=True)

    def spend(self, state: KakuzuState, seat: Seat, seconds: float) -> list[KakuzuFact]:
        """KZ-22: a move costs the time it took, and never more than there was."""
        if not state.clocks or seat not in self.acting(state):
            return []
        ms = min(state.clocks[seat], max(0, round(seconds * 1000)))
        return [TimeSpent(seat, ms)] if ms else []

    def expire(self, state: KakuzuState, rng: Random) -> list[KakuzuFact]:
        if self.deadline(state) is None:
            return super().expire(state, rng)
        return self._go_on(state, [TimeSpent(state.turn, state.clocks[state.turn])], rng)

    def view(self, state: KakuzuState, seat: Seat | None) -> KakuzuView:
        """Everything but the grid is public, and the grid too once the game is over."""
        over = state.result is not None
        return KakuzuView(
            phase="over" if over else "opening" if state.to_open else "play",
            visible=in_rows(state.visible),
            first=state.first,
            turn=None if over else state.turn,
            wanted=state.wanted,
            drawn=state.drawn,
            bag=state.bag,
            retired=state.retired,
            kept=state.kept,
            stones=state.stones,
            house=state.house,
            clocks=state.clocks,
            grid=in_rows(state.grid) if over else (),
            result=state.result,
            options=state.options,
        )

    def redact(self, state: KakuzuState, fact: KakuzuFact, seat: Seat | None) -> KakuzuFact | None:
        match fact:
            case Dealt():
                return replace(fact, grid=())
            case Opened() | DigitDrawn() | Announced() | Lifted() | Retired():
                return fact
            case TimeSpent() | KakuzuTurnEnded() | KakuzuGameEnded():
                return fact
        return None

    def imagine(self, state: KakuzuState, seat: Seat | None, rng: Random) -> KakuzuState:
        """Another grid under the stones (see ``complete`` for how it is drawn)."""
        if state.result is not None or not state.grid:
            return state
        return replace(state, grid=complete(state.visible, rng))

    def outcome(self, state: KakuzuState) -> Outcome | None:
        return state.result

    def tell(self, fact: KakuzuFact, names: Sequence[str]) -> str:
        return tell(fact, names)

    def _open(self, state: KakuzuState, seat: Seat, cell: Cell) -> list[KakuzuFact]:
        if not opening(state):
            raise IllegalMove("KZ-2", "All nine squares are open; look for a digit now.")
        if SQUARE_OF[at(cell)] in opened_squares(state):
            raise IllegalMove("KZ-2", "That square has been opened; choose another.")
        digit = state.grid[at(cell)]
        opened = Opened(seat, cell, digit, state.to_open - 1, next_to_open(state, seat))
        return [opened, *_retirement(state, digit)]

    def _announce(self, state: KakuzuState, seat: Seat, digit: int) -> list[KakuzuFact]:
        if not state.options.announce:
            raise IllegalMove("KZ-21", "Digits are drawn from the bag at this table, not named.")
        if opening(state):
            raise IllegalMove("KZ-2", "First every square is opened.")
        if not naming(state):
            raise IllegalMove("KZ-21", f"You have named {state.wanted}; lift a stone.")
        if digit in state.retired:
            raise IllegalMove("KZ-21", f"All nine {digit}s are visible; name another digit.")
        return [Announced(seat, digit)]

    def _lift(self, state: KakuzuState, seat: Seat, cell: Cell) -> list[KakuzuFact]:
        if opening(state):
            raise IllegalMove("KZ-2", "First every square is opened.")
        if state.wanted is None:
            raise IllegalMove("KZ-21", "Name a digit before you lift a stone.")
        if state.visible[at(cell)]:
            raise IllegalMove("KZ-5", "There is no stone on that cell any more.")
        digit = state.grid[at(cell)]
        hit = digit == state.wanted
        left = left_of(seat, state.players)
        to = seat if hit else taker_of_a_miss(state, seat)  # KZ-5, KZ-6, KZ-22, KZ-23
        lifted = Lifted(seat, cell, digit, state.wanted, to, wanted_after_lift(state))
        retirement = _retirement(state, digit)
        facts: list[KakuzuFact] = [lifted, *retirement]
        cause = self._turn_is_over(state, hit, ninth=bool(retirement))
        if cause is not None and state.visible.count(0) > 1:
            retired = (*state.retired, *(fact.digit for fact in retirement))
            facts.append(KakuzuTurnEnded(seat, cause, left, full_bag(state.options, retired)))
        return facts

    def _turn_is_over(self, state: KakuzuState, hit: bool, ninth: bool) -> Cause | None:
        if not hit:
            return "miss"  # KZ-6
        if state.options.same_digit and ninth:
            return "ninth"  # KZ-20
        if state.options.announce and state.kept + 1 == LIMIT:
            return "limit"  # KZ-21
        return None

    def _go_on(self, state: KakuzuState, facts: list[KakuzuFact], rng: Random) -> list[KakuzuFact]:
        """Add what follows by itself until somebody has to choose."""
        for fact in facts:
            state = fold(state, fact)
        while (follows := self.next_by_itself(state, rng)) is not None:
            facts.append(follows)
            state = fold(state, follows)
        return facts

    def next_by_itself(self, state: KakuzuState, rng: Random) -> KakuzuFact | None:
        """The end of the game (KZ-9), a turn without time (KZ-22), a draw (KZ-3), an empty bag (KZ-7) or a zero (KZ-4).

        Args:
            state: the position.
            rng: where a draw comes from.
        """
        seat = state.turn
        if state.result is not None:
            return None
        if 0 not in state.visible or all(out_of_time(state, each) for each in range(state.players)):
            stones = state.stones
            return KakuzuGameEnded(stones, winners_of(stones), in_rows(state.grid), breakdown(stones))
        if out_of_time(state, seat):
            return _turn_ended(state, "time")
        if state.wanted == 0:
            return _turn_ended(state, "zero")
        if opening(state) or state.options.announce or state.wanted is not None:
            return None
        return DigitDrawn(seat, rng.choice(state.bag)) if state.bag else _turn_ended(state, "bag")


def _turn_ended(state: KakuzuState, cause: Cause) -> KakuzuTurnEnded:
    """KZ-7: the turn of whoever's it is ends, and its digits go back into the bag."""
    following = left_of(state.turn, state.players)
    return KakuzuTurnEnded(state.turn, cause, following, full_bag(state.options, state.retired))


def _retirement(state: KakuzuState, digit: int) -> list[Retired]:
    """KZ-8: one more of a digit is revealed; is it the ninth?"""
    return [Retired(digit)] if state.visible.count(digit) == SIZE - 1 else []


GAME = Kakuzu()
