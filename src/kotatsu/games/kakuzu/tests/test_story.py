"""The story of a game, in words."""

import pytest

from kotatsu.games.kakuzu.game import GAME
from kotatsu.games.kakuzu.model import (
    Announced,
    Dealt,
    DigitDrawn,
    KakuzuFact,
    KakuzuGameEnded,
    KakuzuTurnEnded,
    Lifted,
    Opened,
    Retired,
    TimeSpent,
)

NAMES = ("Ana", "Bo")


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        (Dealt(1, 9, (), ()), "81 stones lie on the board; Bo begins."),
        (Opened(0, (3, 6), 5, to_open=4, next=1), "Ana opens row 4, column 7: 5."),
        (DigitDrawn(0, 7), "Ana draws 7."),
        (Announced(1, 7), "Bo names 7."),
        (
            Lifted(0, (0, 0), 7, 7, to=0, next_wanted=None),
            "Ana lifts row 1, column 1: 7. Ana keeps the stone.",
        ),
        (
            Lifted(0, (0, 0), 6, 7, to=1, next_wanted=None),
            "Ana lifts row 1, column 1: 6. The stone goes to Bo.",
        ),
        (
            Lifted(0, (0, 0), 6, 7, to=-1, next_wanted=None),
            "Ana lifts row 1, column 1: 6. Nobody gets the stone.",
        ),
        (Retired(4), "All nine 4s are found."),
        (TimeSpent(0, 1500), "Ana took 1.5 s."),
        (KakuzuTurnEnded(0, "limit", 1, ()), "Three stones kept; Ana's turn is over."),
        (KakuzuGameEnded((40, 32), (0,), (), ()), "The game ends: Ana 40, Bo 32. Ana won."),
    ],
)
def test_every_fact_is_a_sentence(fact: KakuzuFact, sentence: str) -> None:
    assert GAME.tell(fact, NAMES) == sentence


def test_alone_a_missed_stone_goes_to_the_house() -> None:
    missed = Lifted(0, (0, 0), 6, 7, to=-1, next_wanted=None)
    assert GAME.tell(missed, ("Ana",)).endswith("The stone goes to the house.")


def test_alone_the_house_can_win() -> None:
    assert GAME.tell(KakuzuGameEnded((30,), (), (), ()), ("Ana",)).endswith("The house won.")
