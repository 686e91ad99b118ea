"""Kabuki's rules, clause by clause (see RULES.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from random import Random
from typing import Any, ClassVar

from kotatsu.engine.contract import Deadline, Game, IllegalMove, Outcome, Race, Seat
from kotatsu.games.kabuki.data import BOX, FULL_DECK, TOKENS_EACH
from kotatsu.games.kabuki.fold import fold
from kotatsu.games.kabuki.model import (
    CheckClosed,
    CheckOpened,
    KabukiFact,
    KabukiGameEnded,
    KabukiMove,
    KabukiOptions,
    KabukiRoundEnded,
    KabukiState,
    KabukiView,
    MaskDrawn,
    Pass,
    Passed,
    Phase,
    Placed,
    PlaceMask,
    RoundStarted,
    Stop,
    Stopped,
    WindowClosed,
)
from kotatsu.games.kabuki.old_facts import upgrade
from kotatsu.games.kabuki.sight import imagine, told, view
from kotatsu.games.kabuki.story import tell
from kotatsu.games.kabuki.turn import by_round, callers_on, held_after, phase


class Kabuki(Game[KabukiState, KabukiMove, KabukiFact, KabukiView, KabukiOptions]):
    """KB-1 … KB-23."""

    name = "kabuki"
    seats = range(2, 7)
    move_type = KabukiMove
    fact_type = KabukiFact
    options_type = KabukiOptions
    forgetful = True  # KB-22
    silent = True
    listed_defaults: ClassVar[Mapping[str, Any]] = {"turn_s": BOX.turn_s}  # KB-23

    def empty(self, players: int, options: KabukiOptions) -> KabukiState:
        return KabukiState(options, players)

    def setup(self, players: int, options: KabukiOptions, rng: Random) -> list[KabukiFact]:
        return self._new_round(self.empty(players, options), rng.randrange(players), rng)  # KB-5

    def fold(self, state: KabukiState, fact: KabukiFact) -> KabukiState:
        return fold(state, fact)

    def upgrade(self, state: KabukiState, fact: dict[str, Any]) -> dict[str, Any]:
        return upgrade(state, fact)

    def acting(self, state: KabukiState) -> frozenset[Seat]:
        placing = (state.turn,) if phase(state) == "place" else ()
        return frozenset((*state.callers, *placing))

    def moves(self, state: KabukiState, seat: Seat) -> Sequence[KabukiMove]:
        now = phase(state)
        places = map(PlaceMask, range(len(state.stacks))) if now == "place" and seat == state.turn else ()
        if seat not in state.callers:
            return tuple(places)
        return (*places, Stop(), Pass()) if now == "window" else (*places, Stop())

    def decide(self, state: KabukiState, seat: Seat, move: KabukiMove, rng: Random) -> list[KabukiFact]:
        now = phase(state)
        if now == "over":
            raise IllegalMove("KB-2", "The game is over after three rounds.")
        if now == "check":
            raise IllegalMove("KB-8", "A stack is being checked; play goes on when it is covered again.")
        match move:
            case PlaceMask(stack):
                return self._place(state, seat, stack, now, rng)
            case Stop():
                self._require_a_caller(state, seat)
                return self._call(state, seat)
            case Pass():
                self._require_a_caller(state, seat)
                if now != "window":
                    raise IllegalMove("KB-20", "The window has closed; nobody waits for you to pass.")
                return self._pass(state, seat, rng)

    def deadline(self, state: KabukiState) -> Deadline | None:
        match phase(state):
            case "window":
                asked = () if state.placed is None else state.placed.callers
                return Deadline("window", state.options.window_s, asked, state.moment)  # KB-20
            case "check":
                return Deadline("check", state.options.check_s, (), state.moment)  # KB-22
            case "place" if state.options.turn_s:
                return Deadline(
                    "place", state.options.turn_s, (state.turn,), state.moment, keeps_running=True
                )  # KB-23
            case _:
                return None

    def expire(self, state: KabukiState, rng: Random) -> list[KabukiFact]:
        match phase(state):
            case "window":
                return self._close_window(state, [], rng)
            case "check":
                return [CheckClosed(), *self._next_round(state, rng)]  # KB-11
            case "place" if state.options.turn_s:
                return self._put(state, rng.randrange(len(state.stacks)), rng)  # KB-23
            case _:
                return super().expire(state, rng)

    def race(self, state: KabukiState) -> Race | None:
        """KB-7, KB-21: the first to call is the caller; a tie goes to the placer's left."""
        placements = state.round * sum(FULL_DECK) + sum(map(len, state.stacks))
        return Race(Stop(), state.callers, placements) if state.callers else None

    def view(self, state: KabukiState, seat: Seat | None) -> KabukiView:
        return view(state)

    def redact(self, state: KabukiState, fact: KabukiFact, seat: Seat | None) -> KabukiFact | None:
        return fact if told(state, fact) else None

    def imagine(self, state: KabukiState, seat: Seat | None, rng: Random) -> KabukiState:
        return imagine(state, rng)

    def outcome(self, state: KabukiState) -> Outcome | None:
        return state.result

    def tell(self, fact: KabukiFact, names: Sequence[str]) -> str:
        return tell(fact, names)

    def _place(self, state: KabukiState, seat: Seat, stack: int, now: Phase, rng: Random) -> list[KabukiFact]:
        if seat != state.turn or state.drawn is None:
            raise IllegalMove("KB-6", "It is not your turn to place a mask.")
        if now == "window":
            raise IllegalMove("KB-20", "Leave the others a moment to call before you place.")
        return self._put(state, stack, rng)

    def _put(self, state: KabukiState, stack: int, rng: Random) -> list[KabukiFact]:
        """KB-6, and the next player draws at once (KB-20)."""
        assert state.drawn is not None
        placed = Placed(state.turn, state.drawn, stack, callers_on(state.turn, state.players))
        if not any(state.deck):
            return [placed]
        return [placed, self._draw(state, (state.turn + 1) % state.players, rng)]  # KB-5

    def _require_a_caller(self, state: KabukiState, seat: Seat) -> None:
        if state.placed is None:
            raise IllegalMove("KB-7", "Nothing has been placed yet.")
        if state.call is not None:
            raise IllegalMove("KB-7", "There has been a call on this mask already.")
        if seat == state.placed.seat:
            raise IllegalMove("KB-7", "You cannot call on your own mask.")
        if seat not in state.callers:
            raise IllegalMove("KB-20", "You have declined to call on this mask.")

    def _call(self, state: KabukiState, seat: Seat) -> list[KabukiFact]:
        assert state.placed is not None
        against, mask, stack = state.placed.seat, state.placed.mask, state.placed.stack
        matches = state.stacks[stack][:-1].count(mask)  # KB-8, KB-11
        moved = min(matches, state.tokens[against]) if matches else -1  # KB-9, KB-10
        held = held_after(state.tokens, seat, against, moved)
        call = Stopped(seat, against, stack, mask, matches, moved, held)
        happened: list[KabukiFact] = [call, CheckOpened(state.stacks[stack])]
        loser = against if matches else seat
        after = fold(state, call)
        if after.tokens[loser] == 0:
            return happened + self._end_round(after, KabukiRoundEnded(loser, "tokens", after.tokens))  # KB-12
        if state.drawn is None:
            return happened + self._end_round(after, KabukiRoundEnded(against, "deck", after.tokens))
        return happened

    def _pass(self, state: KabukiState, seat: Seat, rng: Random) -> list[KabukiFact]:
        passed = Passed(seat)
        state = fold(state, passed)
        return [passed] if state.callers else self._close_window(state, [passed], rng)  # KB-20

    def _close_window(self, state: KabukiState, facts: list[KabukiFact], rng: Random) -> list[KabukiFact]:
        closed: list[KabukiFact] = [*facts, WindowClosed()]
        if state.drawn is not None:
            return closed
        assert state.placed is not None
        ended = self._end_round(
            state, KabukiRoundEnded(state.placed.seat, "deck", state.tokens)
        )  # KB-12, KB-13
        state = reduce(fold, ended, state)
        return closed + ended + self._next_round(state, rng)

    def _end_round(self, state: KabukiState, ended: KabukiRoundEnded) -> list[KabukiFact]:
        rounds = (*state.scores, ended.tokens)
        if len(rounds) < state.rounds:  # KB-2
            return [ended]
        scores = tuple(map(sum, zip(*rounds, strict=True)))  # KB-14
        winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
        return [ended, KabukiGameEnded(scores, winners, by_round(rounds))]

    def _next_round(self, state: KabukiState, rng: Random) -> list[KabukiFact]:
        if state.ended_by is None or state.result is not None:
            return []
        return self._new_round(state, state.ended_by, rng)  # KB-5

    def _new_round(self, state: KabukiState, first: Seat, rng: Random) -> list[KabukiFact]:
        tokens = (TOKENS_EACH[state.players],) * state.players  # KB-3
        started = RoundStarted(state.round + 1, first, tokens, BOX.rounds, FULL_DECK, BOX.actors)  # KB-4
        return [started, self._draw(fold(state, started), first, rng)]

    def _draw(self, state: KabukiState, seat: Seat, rng: Random) -> MaskDrawn:
        """KB-6: a mask is drawn when it is drawn; there is no order of the deck to be known."""
        (mask,) = rng.choices(range(len(state.deck)), weights=state.deck)
        return MaskDrawn(seat, mask)


GAME = Kabuki()
