"""The conformance kit on a toy: a sound game passes every check, and each fault is caught by its check, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kotatsu.engine import conformance
from kotatsu.engine.conformance import CHECKS, ContractBroken, check, tables
from kotatsu.engine.contract import Deadline, IllegalMove, Outcome, Seat
from kotatsu.engine.match import replay
from kotatsu.engine.registry import UnknownGame
from tests.engine.shelf.hideout.game import (
    GAME,
    LARGEST,
    Began,
    Hid,
    Hide,
    Hideout,
    HideoutOptions,
    HideoutState,
    HideoutView,
)
from tests.tools.shelf import on_the_shelf


@pytest.fixture(autouse=True)
def hideout_on_the_shelf() -> Iterator[None]:
    with on_the_shelf(Path(__file__).parent / "shelf"):
        yield


def broken(name: str, game: Hideout) -> str:
    """What the kit says of a faulty game."""
    with pytest.raises(ContractBroken) as caught:
        CHECKS[name](game)
    told = str(caught.value)
    assert told.startswith("hideout: "), "it names the game"
    return told


@pytest.mark.parametrize("name", CHECKS)
def test_a_sound_game_passes(name: str) -> None:
    CHECKS[name](GAME)


def test_a_game_is_checked_by_its_name() -> None:
    check("hideout")
    with pytest.raises(UnknownGame):
        check("nowhere")


def test_every_check_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    run: list[tuple[str, str]] = []
    for name in CHECKS:
        monkeypatch.setitem(CHECKS, name, partial(lambda name, kind: run.append((name, kind.name)), name))
    check("hideout")
    assert run == [(name, "hideout") for name in CHECKS]


def test_every_number_of_players_is_played_and_every_corner_of_the_options() -> None:
    corners = [HideoutOptions(timed=True), HideoutOptions(bonus=0), HideoutOptions(bonus=2)]
    assert list(tables(GAME)) == [
        (1, HideoutOptions()),
        (2, HideoutOptions()),
        (3, HideoutOptions()),
        *((players, corner) for corner in corners for players in (1, 3)),
    ]

    class Solo(Hideout):
        seats = range(1, 2)

    assert list(tables(Solo())) == [(1, HideoutOptions()), *((1, corner) for corner in corners)]


class Stuck(Hideout):
    """Nothing comes after the first number."""

    def acting(self, state: HideoutState) -> frozenset[Seat]:
        return super().acting(state) if not any(n is not None for n in state.hidden) else frozenset()

    def moves(self, state: HideoutState, seat: Seat) -> Sequence[Hide]:
        return super().moves(state, seat) if self.acting(state) else []


class NeverShows(Hideout):
    """One hides and hides."""

    def decide(self, state: HideoutState, seat: Seat, move: Hide, rng: Random) -> list[Any]:
        return super().decide(state, seat, move, rng)[:1]


class Ends(Hideout):
    """Ends as a test says."""

    def __init__(self, scores: tuple[int, ...] | None, winners: tuple[int, ...]) -> None:
        self.scores, self.winners = scores, winners

    def outcome(self, state: HideoutState) -> Outcome | None:
        found = super().outcome(state)
        if found is None or len(state.hidden) == 1:
            return found
        return Outcome(found.scores if self.scores is None else self.scores, self.winners)


class MovesAfterTheEnd(Hideout):
    def acting(self, state: HideoutState) -> frozenset[Seat]:
        return frozenset({0}) if state.over else super().acting(state)


class WaitsAfterTheEnd(Hideout):
    def deadline(self, state: HideoutState) -> Deadline | None:
        return Deadline("nothing", 1.0) if state.over else super().deadline(state)


def test_a_game_that_is_stuck_or_has_no_end_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "random play is stuck" in broken("random_play_ends", Stuck())
    monkeypatch.setattr(conformance, "MAX_STEPS", 50)
    assert "goes on after 50 steps" in broken("random_play_ends", NeverShows())


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (Ends((1,), (0,)), "not one score for each seat"),
        (Ends((1, 1, 1, 1), (0,)), "not one score for each seat"),
        (Ends(None, ()), "the winners are ()"),
        (Ends(None, (0, 7)), "the winners are (0, 7)"),
        (Ends(None, (-1,)), "the winners are (-1,)"),
        (MovesAfterTheEnd(), "somebody is to move after the end"),
        (WaitsAfterTheEnd(), "something is waited for after the end"),
    ],
)
def test_an_end_that_is_none_is_caught(game: Hideout, says: str) -> None:
    assert says in broken("random_play_ends", game)


def test_one_player_alone_may_lose() -> None:
    class Loses(Hideout):
        seats = range(1, 2)

        def outcome(self, state: HideoutState) -> Outcome | None:
            return Outcome((0,), ()) if state.over else None

    CHECKS["random_play_ends"](Loses())


def test_a_game_in_which_only_time_can_go_on_is_played_to_its_end() -> None:
    class OnlyTime(Hideout):
        def acting(self, state: HideoutState) -> frozenset[Seat]:
            return frozenset()

        def moves(self, state: HideoutState, seat: Seat) -> Sequence[Hide]:
            return []

        def deadline(self, state: HideoutState) -> Deadline | None:
            return None if state.turn is None else Deadline("hiding", 5.0)

        def decide(self, state: HideoutState, seat: Seat, move: Hide, rng: Random) -> list[Any]:
            raise IllegalMove("HO-3", "Only time goes on.")

        def expire(self, state: HideoutState, rng: Random) -> list[Any]:
            assert state.turn is not None
            return super().decide(state, state.turn, Hide(0), rng)

    for name in ("random_play_ends", "someone_can_always_go_on", "legal_means_accepted"):
        CHECKS[name](OnlyTime())


class ActsWithoutAMove(Hideout):
    def acting(self, state: HideoutState) -> frozenset[Seat]:
        return frozenset(range(len(state.hidden))) if super().acting(state) else frozenset()


class MovesWithoutActing(Hideout):
    def moves(self, state: HideoutState, seat: Seat) -> Sequence[Hide]:
        return [] if state.turn is None else super().moves(state, state.turn)


class ListsInAnyOrder(Hideout):
    def __init__(self) -> None:
        self.rng = Random(1)

    def moves(self, state: HideoutState, seat: Seat) -> Sequence[Hide]:
        moves = list(super().moves(state, seat))
        self.rng.shuffle(moves)
        return moves


class ListsTwice(Hideout):
    def moves(self, state: HideoutState, seat: Seat) -> Sequence[Hide]:
        moves = list(super().moves(state, seat))
        return [*moves, *moves[:1]]


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (Stuck(), "nobody is to move, nothing is waited for, and the game is not over"),
        (MovesWithoutActing(), "acts but cannot, or can but does not act"),
        (ListsInAnyOrder(), "the order of moves changes"),
        (ListsTwice(), "a move is listed twice"),
    ],
)
def test_moves_that_are_none_are_caught(game: Hideout, says: str) -> None:
    assert says in broken("someone_can_always_go_on", game)


def test_a_seat_that_acts_and_has_no_move_is_caught() -> None:
    assert "acts but" in broken("someone_can_always_go_on", ActsWithoutAMove())


class RefusesWhatItLists(Hideout):
    def decide(self, state: HideoutState, seat: Seat, move: Hide, rng: Random) -> list[Any]:
        if move.number == 2:
            raise IllegalMove("HO-2", "Not two.")
        return super().decide(state, seat, move, rng)


class AcceptsWhatItDoesNotList(Hideout):
    def decide(self, state: HideoutState, seat: Seat, move: Hide, rng: Random) -> list[Any]:
        if seat == state.turn and move.number > LARGEST:
            return [Hid(seat, move.number)]
        return super().decide(state, seat, move, rng)


class AcceptsOutOfTurn(Hideout):
    def decide(self, state: HideoutState, seat: Seat, move: Hide, rng: Random) -> list[Any]:
        if state.turn is not None and seat != state.turn:
            return [Hid(seat, move.number)]
        return super().decide(state, seat, move, rng)


def test_a_move_that_is_listed_and_refused_is_caught() -> None:
    for name in ("legal_means_accepted", "random_play_ends"):
        told = broken(name, RefusesWhatItLists())
        assert "Hide(number=2) is listed but refused" in told


@pytest.mark.parametrize("game", [AcceptsWhatItDoesNotList(), AcceptsOutOfTurn()])
def test_a_move_that_is_accepted_and_not_listed_is_caught(game: Hideout) -> None:
    assert "is not listed but accepted" in broken("legal_means_accepted", game)


class Refuses(Hideout):
    """Refuses with a clause and a message as a test says."""

    def __init__(self, clause: str, message: str, draws: bool = False) -> None:
        self.clause, self.message, self.draws = clause, message, draws

    def decide(self, state: HideoutState, seat: Seat, move: Hide, rng: Random) -> list[Any]:
        try:
            return super().decide(state, seat, move, rng)
        except IllegalMove:
            if self.draws:
                rng.random()
            raise IllegalMove(self.clause, self.message) from None


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (Refuses("", "It is not your turn."), "is refused without a reason"),
        (Refuses("HO-1", ""), "is refused without a reason"),
        (Refuses("HO-1", "It is not your turn.", draws=True), "is refused after a draw"),
    ],
)
def test_a_refusal_that_is_none_is_caught(game: Hideout, says: str) -> None:
    assert says in broken("refusal_changes_nothing", game)


def test_a_refusal_with_a_reason_and_without_a_draw_passes() -> None:
    CHECKS["refusal_changes_nothing"](Refuses("HO-1", "It is not your turn."))


class Scribble(HideoutState, frozen=True):
    notes: list[int] = msgspec.field(default_factory=list)


class ScribblesWhileDeciding(Hideout):
    def empty(self, players: int, options: HideoutOptions) -> HideoutState:
        return Scribble(options, (None,) * players, notes=[])

    def decide(self, state: HideoutState, seat: Seat, move: Hide, rng: Random) -> list[Any]:
        assert isinstance(state, Scribble)
        state.notes.append(move.number)
        return super().decide(state, seat, move, rng)


def test_deciding_that_changes_the_state_is_caught() -> None:
    assert "deciding changed the state" in broken("refusal_changes_nothing", ScribblesWhileDeciding())


class FoldsByCounting(Hideout):
    """The state depends on how often it was folded."""

    def __init__(self) -> None:
        self.folds = 0

    def fold(self, state: HideoutState, fact: Any) -> HideoutState:
        self.folds += 1
        return replace(super().fold(state, fact), lucky=self.folds)


def test_a_state_that_is_not_the_fold_of_its_facts_is_caught() -> None:
    assert "refolding the log gives another state" in broken(
        "refolding_gives_the_live_state", FoldsByCounting()
    )


def test_a_record_that_replays_to_another_state_is_caught() -> None:
    """It is read by the rules on the shelf, which fold otherwise."""

    class Luckier(Hideout):
        def fold(self, state: HideoutState, fact: Any) -> HideoutState:
            after = super().fold(state, fact)
            return replace(after, lucky=after.lucky + 1) if isinstance(fact, Began) else after

    assert "a record replays to another state" in broken("records_survive_json", Luckier())


class Lossy(msgspec.Struct, frozen=True):
    """Looks the same as JSON and is not."""

    value: Any


def test_a_record_that_changes_when_read_and_written_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def renamed(record: Any) -> Any:
        return replay({**record, "names": [f"{name}!" for name in record["names"]]})

    monkeypatch.setattr(conformance, "replay", renamed)
    assert "a record changes when read and written" in broken("records_survive_json", GAME)


def test_a_view_that_is_no_json_is_caught() -> None:
    class Opaque(Hideout):
        def view(self, state: HideoutState, seat: Seat | None) -> Any:
            return Lossy(object()) if seat is None else super().view(state, seat)

    class OpaqueToPlayers(Hideout):
        def view(self, state: HideoutState, seat: Seat | None) -> Any:
            return super().view(state, seat) if seat is None else Lossy(object())

    for kind in (Opaque(), OpaqueToPlayers()):
        with pytest.raises(TypeError):
            CHECKS["records_survive_json"](kind)


def test_luck_of_its_own_is_caught() -> None:
    class OwnLuck(Hideout):
        rng = Random(99)

        def setup(self, players: int, options: HideoutOptions, rng: Random) -> list[Any]:
            return super().setup(players, options, self.rng)

    assert "the same seed gives another record" in broken("same_seed_same_record", OwnLuck())


class Imagines(Hideout):
    """Imagines as a test says."""

    def __init__(self, imagine: Any) -> None:
        self.how = imagine

    def imagine(self, state: HideoutState, seat: Seat | None, rng: Random) -> HideoutState:
        found: HideoutState = self.how(state, seat, super().imagine(state, seat, rng))
        return found


class ShowsItsMoves(Hideout):
    """What one may do depends on what another has hidden, which the view does not tell."""

    def moves(self, state: HideoutState, seat: Seat) -> Sequence[Hide]:
        moves = super().moves(state, seat)
        secret = [number for other, number in enumerate(state.hidden) if other != seat and number is not None]
        return moves[:1] if secret and secret[0] > 1 else moves


def test_what_a_seat_could_tell_from_the_truth_is_caught() -> None:
    def luckier(state: HideoutState, seat: Seat | None, imagined: HideoutState) -> HideoutState:
        return replace(imagined, lucky=imagined.lucky + 1)

    def spectators_alone(state: HideoutState, seat: Seat | None, imagined: HideoutState) -> HideoutState:
        return replace(imagined, lucky=-1) if seat is None else imagined

    for how, seat in ((luckier, "seat 0"), (spectators_alone, "seat None")):
        assert f"{seat} could tell what was imagined" in broken("imagination_keeps_the_view", Imagines(how))


def test_moves_that_give_a_secret_away_are_caught() -> None:
    assert "give away what it may not know" in broken("imagination_keeps_the_view", ShowsItsMoves())


def test_a_secret_nobody_imagines_is_caught() -> None:
    truth = Imagines(lambda state, _seat, _imagined: state)
    assert "hidden but never imagined" in broken("imagination_keeps_the_view", truth)


class Open(Hideout):
    """Nothing is hidden."""

    secretive = False

    def view(self, state: HideoutState, seat: Seat | None) -> HideoutView:
        return replace(super().view(state, seat), mine=None, shown=state.hidden)

    def redact(self, state: HideoutState, fact: Any, seat: Seat | None) -> Any:
        return fact

    def imagine(self, state: HideoutState, seat: Seat | None, rng: Random) -> HideoutState:
        return state


def test_what_is_imagined_and_not_hidden_is_caught() -> None:
    class Dreams(Open):
        def view(self, state: HideoutState, seat: Seat | None) -> HideoutView:
            return replace(super().view(state, seat), lucky=0)

        def imagine(self, state: HideoutState, seat: Seat | None, rng: Random) -> HideoutState:
            return replace(state, lucky=state.lucky + 1)

    assert "imagined but never hidden" in broken("imagination_keeps_the_view", Dreams())
    CHECKS["imagination_keeps_the_view"](Open())


def test_a_game_of_memory_hides_what_it_told_once() -> None:
    class Forgets(Open):
        forgetful = True

    assert "hidden but never imagined" in broken("imagination_keeps_the_view", Forgets())


def test_a_curtain_is_drawn_exactly_where_seats_see_different_things() -> None:
    class Undeclared(Hideout):
        secretive = False

    class Overdeclared(Open):
        secretive = True

    class OfTwo(Hideout):
        seats = range(2, 3)

    class SpectatorsSeeLess(Open):
        def view(self, state: HideoutState, seat: Seat | None) -> HideoutView:
            return replace(super().view(state, seat), lucky=0 if seat is None else state.lucky)

    name = "seats_see_alike_unless_secretive"
    CHECKS[name](OfTwo())
    CHECKS[name](SpectatorsSeeLess())
    assert "seats see different things, but it is not secretive" in broken(name, Undeclared())
    assert "it is secretive, but all seats see the same" in broken(name, Overdeclared())
    CHECKS[name](Open())
    CHECKS[name](GAME)


def test_a_broken_contract_is_a_failed_assertion() -> None:
    assert issubclass(ContractBroken, AssertionError)
