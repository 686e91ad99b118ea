"""A scripted generator draws what its script says, and stops at the first draw the script does not know."""

from __future__ import annotations

import pytest

from kotatsu.lab.chance import NotListable, ScriptedRandom, Undecided


def scripted(*script: int) -> ScriptedRandom:
    return ScriptedRandom().follow(script)


def test_numbers_are_drawn_by_where_they_stand_in_their_range() -> None:
    assert scripted(2).randrange(5) == 2
    assert scripted(2).randrange(10, 20, 3) == 16
    assert scripted(2).randrange(20, 10, -3) == 14
    assert scripted(2).randint(1, 6) == 3
    assert scripted(5).getrandbits(3) == 5


def test_the_first_draw_beyond_the_script_is_the_next_event() -> None:
    rng = scripted(1)
    assert rng.randint(1, 6) == 2
    with pytest.raises(Undecided) as event:
        rng.randint(1, 6)
    assert event.value.weights == (1.0,) * 6


def test_what_can_come_out_one_way_only_is_no_event() -> None:
    assert scripted().randint(4, 4) == 4
    assert scripted().randrange(7, 9, 5) == 7


def test_a_draw_from_nothing_is_an_error() -> None:
    for nothing in ((0,), (3, 3), (3, 4, -1)):
        with pytest.raises(ValueError, match="empty"):
            scripted(0).randrange(*nothing)


def test_a_draw_with_too_many_outcomes_is_refused() -> None:
    with pytest.raises(NotListable):
        scripted(0).random()
    with pytest.raises(NotListable):
        scripted(0).getrandbits(32)
