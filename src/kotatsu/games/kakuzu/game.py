"""Kakuzu's rules, clause by clause (see RULES.md)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from kotatsu.engine.contract import Deadline, Game, IllegalMove, Outcome, Seat
from kotatsu.games.kakuzu.board import CELLS, DIGITS, SIZE, SQUARE_OF, Cell, at, flattened, in_rows, place
from kotatsu.games.kakuzu.grids import complete, deal
from kotatsu.games.kakuzu.model import (
    HOUSE,
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
from kotatsu.games.kakuzu.story import tell

IN_PLAY = CELLS - SIZE
"""KZ-2: the stones that can be won."""
LIMIT = 3
"""KZ-21: the most stones kept in a turn."""


def in_bag(state: KakuzuState) -> tuple[int, ...]:
    """KZ-7, KZ-8: 0 and the digits with hidden places, without those drawn this turn."""
    if state.options.announce:
        return ()  # KZ-21
    return tuple(digit for digit in range(10) if digit not in state.drawn and digit not in state.retired)


def opened_squares(state: KakuzuState) -> frozenset[int]:
    """The squares the setup has opened; nothing else is visible before it is over."""
    return frozenset(SQUARE_OF[cell] for cell in range(CELLS) if state.visible[cell])


def opening(state: KakuzuState) -> bool:
    """KZ-2: whether squares are still to be opened."""
    return state.opened < SIZE


def naming(state: KakuzuState) -> bool:
    """KZ-21: whether a digit is to be named before a stone is lifted."""
    return state.options.announce and not opening(state) and state.wanted is None


def out_of_time(state: KakuzuState, seat: Seat) -> bool:
    """KZ-22."""
    return bool(state.clocks) and state.clocks[seat] == 0


def winners_of(stones: tuple[int, ...]) -> tuple[Seat, ...]:
    """KZ-9: most stones win and a tie is shared; KZ-23: alone, one wins with more than the house."""
    to_beat = IN_PLAY // 2 + 1 if len(stones) == 1 else max(stones)
    return tuple(seat for seat, count in enumerate(stones) if count >= to_beat)


class Kakuzu(Game[KakuzuState, KakuzuMove, KakuzuFact, KakuzuView, KakuzuOptions]):
    """KZ-1 … KZ-23."""

    name = "kakuzu"
    seats = range(1, 5)
    move_type = KakuzuMove
    fact_type = KakuzuFact
    options_type = KakuzuOptions

    def empty(self, players: int, options: KakuzuOptions) -> KakuzuState:
        clocks = (options.clock_s * 1000,) * players if options.clock_s else ()
        return KakuzuState(options, (0,) * players, clocks)

    def setup(self, players: int, options: KakuzuOptions, rng: Random) -> list[KakuzuFact]:
        return [Dealt(rng.randrange(players), in_rows(deal(rng)))]  # KZ-1, KZ-3

    def fold(self, state: KakuzuState, fact: KakuzuFact) -> KakuzuState:
        match fact:
            case Dealt(first, grid):
                return replace(state, grid=flattened(grid), first=first, turn=first)
            case Opened(seat, cell, digit):
                opened = state.opened + 1
                turn = self._left_of(state, seat) if opened < SIZE else state.first
                return replace(state, visible=_shown(state, cell, digit), opened=opened, turn=turn)
            case DigitDrawn(_, digit):
                return replace(state, wanted=digit, drawn=(*state.drawn, digit))
            case Announced(_, digit):
                return replace(state, wanted=digit)
            case Lifted():
                return self._fold_lifted(state, fact)
            case Retired(digit):
                return replace(state, retired=tuple(sorted((*state.retired, digit))))
            case TimeSpent(seat, ms):
                return replace(state, clocks=_with(state.clocks, seat, state.clocks[seat] - ms))
            case KakuzuTurnEnded(seat, _):
                return replace(state, turn=self._left_of(state, seat), wanted=None, drawn=(), kept=0)
            case KakuzuGameEnded(scores, winners):
                return replace(state, result=Outcome(scores, winners, _breakdown(scores)), wanted=None)

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
        return Deadline("clock", state.clocks[state.turn] / 1000, (state.turn,), moves_made)

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
            phase="over" if over else "opening" if opening(state) else "play",
            visible=in_rows(state.visible),
            first=state.first,
            turn=None if over else state.turn,
            wanted=state.wanted,
            drawn=state.drawn,
            bag=in_bag(state),
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
            case Dealt(first):
                return Dealt(first)
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
        return [Opened(seat, cell, digit), *_retirement(state, digit)]

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
        to = seat if hit else HOUSE if state.players == 1 else self._left_of(state, seat)  # KZ-5, KZ-6, KZ-23
        facts: list[KakuzuFact] = [Lifted(seat, cell, digit, state.wanted, to), *_retirement(state, digit)]
        cause = self._turn_is_over(state, hit, ninth=len(facts) > 1)
        if cause is not None and state.visible.count(0) > 1:
            facts.append(KakuzuTurnEnded(seat, cause))
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
            state = self.fold(state, fact)
        while (follows := self.next_by_itself(state, rng)) is not None:
            facts.append(follows)
            state = self.fold(state, follows)
        return facts

    def next_by_itself(self, state: KakuzuState, rng: Random) -> KakuzuFact | None:
        """The end of the game (KZ-9), a turn without time (KZ-22), a draw (KZ-3), an empty bag (KZ-7) or a zero (KZ-4)."""
        seat = state.turn
        if state.result is not None:
            return None
        if 0 not in state.visible or all(out_of_time(state, each) for each in range(state.players)):
            return KakuzuGameEnded(state.stones, winners_of(state.stones), in_rows(state.grid))
        if out_of_time(state, seat):
            return KakuzuTurnEnded(seat, "time")
        if state.wanted == 0:
            return KakuzuTurnEnded(seat, "zero")
        if opening(state) or state.options.announce or state.wanted is not None:
            return None
        bag = in_bag(state)
        return DigitDrawn(seat, rng.choice(bag)) if bag else KakuzuTurnEnded(seat, "bag")

    def _left_of(self, state: KakuzuState, seat: Seat) -> Seat:
        """Play is clockwise, so the player on the left is the next."""
        return (seat + 1) % state.players

    def _fold_lifted(self, state: KakuzuState, fact: Lifted) -> KakuzuState:
        hit = fact.digit == fact.wanted
        to_house = fact.to == HOUSE
        return replace(
            state,
            visible=_shown(state, fact.cell, fact.digit),
            stones=state.stones if to_house else _with(state.stones, fact.to, state.stones[fact.to] + 1),
            house=state.house + to_house,
            kept=state.kept + hit,
            wanted=state.wanted if state.options.same_digit else None,
        )


def _breakdown(scores: tuple[int, ...]) -> tuple[dict[str, int], ...]:
    if len(scores) == 1:
        return ({"stones": scores[0], "house": IN_PLAY - scores[0]},)  # KZ-23
    return tuple({"stones": score} for score in scores)


def _retirement(state: KakuzuState, digit: int) -> list[KakuzuFact]:
    """KZ-8: one more of a digit is revealed; is it the ninth?"""
    return [Retired(digit)] if state.visible.count(digit) == SIZE - 1 else []


def _shown(state: KakuzuState, cell: Cell, digit: int) -> tuple[int, ...]:
    return _with(state.visible, at(cell), digit)


def _with(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


GAME = Kakuzu()
