"""Who pressed first, over simulated links: KB-20, KB-21."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kotatsu.connections.round_trip import RoundTripEstimate
from kotatsu.engine.contract import Seat
from kotatsu.protocol.messages import Incoming, Receipt
from kotatsu.races.arbiter import LONGEST_ALLOWANCE_MS, Arbiter
from tests.races.links import OPENED_AT, AlwaysLate, LateBeforePressing, Link, SometimesLate

LONGEST_S = LONGEST_ALLOWANCE_MS / 1000


def ruling(presses: Mapping[Seat, tuple[Link, float]], order: tuple[Seat, ...] | None = None) -> Receipt:
    """What a table makes of presses at these times: it takes them in as they arrive, and rules when due."""
    round_trips = {seat: link.measured() for seat, (link, _) in presses.items()}
    arbiter = Arbiter(order or tuple(presses), OPENED_AT, round_trips)
    arrivals = sorted((at + link.one_way(), seat) for seat, (link, at) in presses.items())
    for arrived_at, seat in arrivals:
        if seat == arrivals[0][1] or arrived_at <= arbiter.due():
            assert arbiter.press(seat, arrived_at)
    return arbiter.rule(seq=7)


round_trips = st.floats(0.0, 2 * LONGEST_S)
moments = st.floats(OPENED_AT + 0.4, OPENED_AT + 3)
seeds = st.integers(0, 2**32)


@pytest.mark.rule("KB-21")
def test_the_slow_link_wins_by_pressing_first() -> None:
    """200 ms against 20 ms: pressed 40 ms earlier, arrived 50 ms later."""
    receipt = ruling({1: (Link(0.020), 101.040), 2: (Link(0.200), 101.000)})
    assert receipt.seat == 2
    assert (receipt.decided_by, receipt.margin_ms) == ("time", 40)
    slow, quick = receipt.presses
    assert (slow.seat, slow.arrived_ms, slow.allowed_ms, slow.effective_ms, slow.behind_ms) == (
        2,
        50,
        100,
        -50,
        0,
    )
    assert (quick.seat, quick.arrived_ms, quick.allowed_ms, quick.effective_ms, quick.behind_ms) == (
        1,
        0,
        10,
        -10,
        40,
    )


@pytest.mark.rule("KB-21")
def test_the_quick_link_wins_by_pressing_first() -> None:
    """The press that arrives after the ruling could not have been earlier, so nobody waited for it."""
    receipt = ruling({1: (Link(0.020), 101.000), 2: (Link(0.200), 101.005)})
    assert (receipt.seat, receipt.decided_by) == (1, "alone")


@pytest.mark.rule("KB-21")
@given(round_trips, round_trips, moments, st.floats(0.002, 1.0))
def test_on_steady_links_whoever_pressed_first_wins(
    early: float, late: float, at: float, lead: float
) -> None:
    """The true time decides, to a millisecond or two of rounding."""
    assert ruling({0: (Link(late), at + lead), 1: (Link(early), at)}).seat == 1


@pytest.mark.rule("KB-21")
@given(round_trips, round_trips, moments, st.floats(0.002, 1.0), st.floats(0, LONGEST_S), seeds)
def test_whoever_pressed_first_by_more_than_the_allowance_wins_in_spite_of_jitter(
    early: float, late: float, at: float, lead: float, jitter: float, seed: int
) -> None:
    first = (Link(early, jitter, seed), at)
    second = (Link(late, jitter, seed + 1), at + LONGEST_S + lead)
    assert ruling({0: second, 1: first}).seat == 1


@pytest.mark.rule("KB-21")
@settings(max_examples=50)
@given(st.sampled_from((SometimesLate, LateBeforePressing)), moments, st.floats(-0.3, 0.3))
def test_answering_pings_late_gains_nothing(lies: type[Link], at: float, lead: float) -> None:
    """The ruling is to the millisecond that for an honest client on the same link."""
    rival = Link(0.200)
    honest = ruling({0: (Link(0.020), at), 1: (rival, at + lead)})
    assert ruling({0: (lies(0.020), at), 1: (rival, at + lead)}) == honest


@pytest.mark.rule("KB-21")
@given(round_trips, st.floats(0, 0.3), moments, st.floats(0.002, 1.0))
def test_answering_every_ping_late_never_beats_a_lead_of_more_than_the_allowance(
    honest: float, liar: float, at: float, lead: float
) -> None:
    presses = {0: (AlwaysLate(liar), at + LONGEST_S + lead), 1: (Link(honest), at)}
    receipt = ruling(presses)
    assert receipt.seat == 1
    assert all(press.allowed_ms <= LONGEST_ALLOWANCE_MS for press in receipt.presses)


@pytest.mark.rule("KB-21")
def test_a_script_that_presses_at_once_proves_its_link_is_quick() -> None:
    receipt = ruling({0: (AlwaysLate(0.020), OPENED_AT + 0.010), 1: (Link(0.300), OPENED_AT + 0.2)})
    assert receipt.presses[0].allowed_ms == 10


@pytest.mark.rule("KB-21")
def test_a_client_has_no_way_to_say_when_it_pressed() -> None:
    lie = b'{"type":"play","command_id":"a","seat":0,"seen":3,"move":{"move":"stop"},"at":1.5}'
    with pytest.raises(msgspec.ValidationError, match="unknown field `at`"):
        msgspec.json.decode(lie, type=Incoming)


@pytest.mark.rule("KB-21")
def test_an_exact_tie_goes_to_the_earlier_in_the_order() -> None:
    for order in ((2, 0, 1), (1, 2, 0), (0, 1, 2)):
        receipt = ruling({seat: (Link(0.05 * seat), 101.0) for seat in order}, order)
        assert receipt.seat == order[0]
        assert (receipt.decided_by, receipt.margin_ms) == ("seat", 0)
        assert [press.seat for press in receipt.presses] == list(order)


@pytest.mark.rule("KB-21")
def test_nobody_is_back_dated_by_more_than_half_the_round_trip_or_150_ms() -> None:
    receipt = ruling({0: (Link(0.080), 101.35), 1: (Link(0.900), 101.0)})
    assert {press.seat: press.allowed_ms for press in receipt.presses} == {0: 40, 1: 150}


@pytest.mark.rule("KB-21")
def test_a_bot_is_not_back_dated() -> None:
    arbiter = Arbiter((0, 1), OPENED_AT, {0: 0.1})
    arbiter.press(1, 101.0)
    arbiter.press(0, 101.04)
    receipt = arbiter.rule(seq=7)
    assert (receipt.seat, receipt.margin_ms) == (0, 10)
    assert receipt.presses[1].allowed_ms == 0


@pytest.mark.rule("KB-20")
def test_the_ruling_waits_as_long_as_an_earlier_press_could_arrive() -> None:
    arbiter = Arbiter((0, 1, 2), OPENED_AT, {0: 0.020, 1: 0.200, 2: 0.060})
    arbiter.press(0, 101.0)
    assert arbiter.due() == pytest.approx(101.0 - 0.010 + 0.100 + 0.001)
    arbiter.press(1, 101.05)
    assert arbiter.due() == pytest.approx(101.05)
    assert arbiter.rule(seq=7).seat == 1


@pytest.mark.rule("KB-20")
def test_the_ruling_never_waits_longer_than_the_allowance() -> None:
    arbiter = Arbiter((0, 1), OPENED_AT, {0: 0.0, 1: 3.0})
    arbiter.press(0, 101.0)
    assert arbiter.due() == pytest.approx(101.0 + LONGEST_S + 0.001)


@pytest.mark.rule("KB-20")
def test_without_rivals_the_ruling_is_due_at_once() -> None:
    arbiter = Arbiter((0,), OPENED_AT, {0: 0.2})
    arbiter.press(0, 101.0)
    assert arbiter.due() == 101.0
    receipt = arbiter.rule(seq=7)
    assert (receipt.seat, receipt.decided_by, receipt.margin_ms) == (0, "alone", 0)


@given(st.dictionaries(st.integers(0, 5), st.tuples(round_trips, moments, seeds), min_size=2, max_size=6))
def test_a_press_that_came_too_late_could_not_have_won(
    presses: dict[Seat, tuple[float, float, int]],
) -> None:
    """Waiting longer than ``due`` never changes a ruling."""
    links = {seat: (Link(trip, 0.02, seed), at) for seat, (trip, at, seed) in presses.items()}
    trips = {seat: link.measured() for seat, (link, _) in links.items()}
    arrivals = sorted((at + link.one_way(), seat) for seat, (link, at) in links.items())
    patient, prompt = Arbiter(tuple(links), OPENED_AT, trips), Arbiter(tuple(links), OPENED_AT, trips)
    for arrived_at, seat in arrivals:
        if seat == arrivals[0][1] or arrived_at <= prompt.due():
            prompt.press(seat, arrived_at)
        patient.press(seat, arrived_at)
    assert prompt.rule(seq=7).seat == patient.rule(seq=7).seat


def test_a_seat_presses_once_and_only_if_it_is_in_the_race() -> None:
    arbiter = Arbiter((0, 1), OPENED_AT, {})
    assert not arbiter.press(2, 101.0)
    assert arbiter.press(0, 101.0)
    assert not arbiter.press(0, 101.01)
    assert len(arbiter.rule(seq=7).presses) == 1


def test_there_is_nothing_to_rule_before_a_press() -> None:
    arbiter = Arbiter((0, 1), OPENED_AT, {})
    with pytest.raises(ValueError, match="nobody"):
        arbiter.due()
    with pytest.raises(ValueError, match="nobody"):
        arbiter.rule(seq=7)


def test_a_round_trip_is_the_shortest_of_the_recent_ones() -> None:
    estimate = RoundTripEstimate(max_age_s=10)
    assert estimate.seconds(0) == 0
    for now, seconds in ((1.0, 0.08), (2.0, 0.05), (3.0, 0.4), (4.0, 0.06)):
        estimate.at_most(seconds, now)
    assert estimate.seconds(4.0) == 0.05
    assert estimate.seconds(12.5) == 0.06
    assert estimate.seconds(14.5) == 0


def test_when_all_have_pressed_the_ruling_is_due_with_the_last_press() -> None:
    arbiter = Arbiter((0, 1), OPENED_AT, {0: 0.3, 1: 0.3})
    arbiter.press(0, OPENED_AT + 5.0)
    arbiter.press(1, OPENED_AT + 5.04)
    assert arbiter.due() == pytest.approx(OPENED_AT + 5.04)
