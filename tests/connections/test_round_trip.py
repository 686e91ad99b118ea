"""How long a connection takes there and back: the shortest recent proof, for nobody can answer early."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kotatsu.connections.round_trip import MAX_AGE_S, RoundTripEstimate


def test_what_is_not_measured_is_not_allowed_for() -> None:
    assert RoundTripEstimate().seconds(0.0) == 0.0
    assert RoundTripEstimate().seconds(1e9) == 0.0


def test_a_proof_counts_for_as_long_as_it_is_remembered() -> None:
    estimate = RoundTripEstimate(max_age_s=10.0)
    estimate.at_most(0.2, now=5.0)
    assert estimate.seconds(5.0) == 0.2
    assert estimate.seconds(15.0) == 0.2
    assert estimate.seconds(15.001) == 0.0
    usual = RoundTripEstimate()
    usual.at_most(0.2, now=0.0)
    assert usual.seconds(MAX_AGE_S) == 0.2
    assert usual.seconds(MAX_AGE_S + 0.001) == 0.0


def test_the_shortest_proof_counts_and_then_the_next() -> None:
    estimate = RoundTripEstimate(max_age_s=10.0)
    estimate.at_most(0.3, now=0.0)
    estimate.at_most(0.1, now=1.0)
    estimate.at_most(0.2, now=2.0)
    estimate.at_most(0.4, now=3.0)
    assert [estimate.seconds(now) for now in (3.0, 11.0, 11.5, 12.0, 12.5, 13.0, 14.0)] == [
        0.1,
        0.1,
        0.2,
        0.2,
        0.4,
        0.4,
        0.0,
    ]


def test_the_same_again_is_remembered_for_longer() -> None:
    estimate = RoundTripEstimate(max_age_s=10.0)
    estimate.at_most(0.1, now=0.0)
    estimate.at_most(0.1, now=8.0)
    assert estimate.seconds(18.0) == 0.1


def test_no_way_is_shorter_than_none() -> None:
    estimate = RoundTripEstimate()
    estimate.at_most(-0.5, now=0.0)
    assert estimate.seconds(0.0) == 0.0


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 2)), min_size=1, max_size=30))
def test_it_is_the_shortest_of_what_was_proved_lately(proofs: list[tuple[float, float]]) -> None:
    estimate, now = RoundTripEstimate(max_age_s=8.0), 0.0
    told: list[tuple[float, float]] = []
    for wait, seconds in proofs:
        now += wait
        estimate.at_most(seconds, now)
        told.append((now, seconds))
        assert estimate.seconds(now) == pytest.approx(min(took for at, took in told if at >= now - 8.0))
