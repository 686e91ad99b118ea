"""Cards, deck, market, rounds and turns: KM-1 to KM-10."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from kotatsu.engine.contract import IllegalMove
from kotatsu.engine.match import Match, start
from kotatsu.games.kimono.data import BOX
from kotatsu.games.kimono.game import GAME
from kotatsu.games.kimono.market import deck_for_market, full_deck
from kotatsu.games.kimono.model import (
    Card,
    Combine,
    Combined,
    KimonoOptions,
    KimonoPlace,
    KimonoRoundEnded,
    MarketDealt,
    Skip,
    Skipped,
    Take,
    Took,
)
from kotatsu.games.kimono.tests.staging import accessory, fabric, play, table, whole_game

PLAYERS = (2, 3, 4)


def markets(match: Match) -> list[MarketDealt]:
    return [entry for entry in match.log if isinstance(entry, MarketDealt)]


def takes(match: Match) -> list[Took]:
    return [entry for entry in match.log if isinstance(entry, Took)]


def round_ends(match: Match) -> list[KimonoRoundEnded]:
    return [entry for entry in match.log if isinstance(entry, KimonoRoundEnded)]


@pytest.mark.rule("KM-1")
def test_the_box_has_45_fabrics_and_7_accessories() -> None:
    assert sum(full_deck(4)[:9]) == 45
    assert set(full_deck(4)[:9]) == {5}
    assert sum(full_deck(4)[9:]) == 7
    assert [fabric.number for fabric in BOX.fabrics] == list(range(1, 10))


@pytest.mark.rule("KM-1")
def test_odd_numbers_are_animals_and_each_mark_has_three_numbers() -> None:
    assert all((fabric.type == "animal") == (fabric.number % 2 == 1) for fabric in BOX.fabrics)
    trios = {mark: {f.number for f in BOX.fabrics if f.mark == mark} for mark in ("first", "second", "third")}
    assert trios == {"first": {1, 2, 6}, "second": {4, 8, 9}, "third": {3, 5, 7}}


@pytest.mark.rule("KM-2")
@pytest.mark.parametrize(("players", "copies", "accessories"), [(2, 3, 5), (3, 4, 5), (4, 5, 7)])
def test_cards_left_in_the_box(players: int, copies: int, accessories: int) -> None:
    deck = full_deck(players)
    assert set(deck[:9]) == {copies}
    assert sum(deck[9:]) == accessories


@pytest.mark.rule("KM-2")
def test_every_card_of_the_deck_can_be_dealt_anywhere() -> None:
    fronts = Counter(
        row[-1] for seed in range(300) for row in markets(start("kimono", players=4, seed=seed))[0].rows
    )
    assert len(fronts) == 16


@pytest.mark.rule("KM-3")
@pytest.mark.parametrize(("players", "shape"), [(2, [4] * 4), (3, [5] * 3), (4, [4] * 4)])
def test_one_round_for_each_player_with_its_market(players: int, shape: list[int]) -> None:
    dealt = markets(whole_game(players, seed=players))
    assert [market.round for market in dealt] == list(range(1, players + 1))
    assert all([len(row) for row in market.rows] == shape for market in dealt)


@pytest.mark.rule("KM-4")
def test_only_the_front_card_of_a_row_is_taken() -> None:
    state, facts = play(table(front=fabric(9)), 0, Take(2))
    assert facts == [Took(0, 2, fabric(9), next=1, combining=False)]
    assert state.rows[2] == (fabric(1),) * 3
    assert [len(row) for row in state.rows] == [4, 4, 3, 4]


@pytest.mark.rule("KM-4")
def test_an_empty_or_missing_row_offers_nothing() -> None:
    match = start("kimono", players=3, seed=3)
    with pytest.raises(IllegalMove) as refusal:
        match.play(min(match.acting), {"move": "take", "row": 3})
    assert refusal.value.clause == "KM-4"


@pytest.mark.rule("KM-5")
@pytest.mark.parametrize(("players", "last_deck"), [(3, 2), (4, 0)])
def test_discards_come_back_when_the_deck_is_too_small(players: int, last_deck: int) -> None:
    match = whole_game(players, seed=11)
    assert sum(match.state.deck) == last_deck
    assert sum(match.state.discards) == len(round_ends(match)[-1].discarded)


@pytest.mark.rule("KM-5")
def test_discards_stay_out_while_the_deck_suffices() -> None:
    deck, discards = (1, 2, 3), (4, 4, 4)
    assert deck_for_market(deck, discards, 6) == deck
    assert deck_for_market(deck, discards, 7) == (5, 6, 7)


@pytest.mark.rule("KM-5")
@pytest.mark.parametrize("players", PLAYERS)
def test_no_card_is_ever_dealt_that_is_not_there(players: int) -> None:
    match = whole_game(players, seed=5)
    held: Counter[Card] = Counter()
    for seat in match.state.places:
        held.update(fabric(number) for number in seat.hand + seat.kimono)
        held.update(accessory(number) for number in seat.accessories)
    left = [match.state.deck[i] + match.state.discards[i] for i in range(16)]
    cards = [fabric(n) for n in range(1, 10)] + [accessory(n) for n in range(7)]
    assert tuple(held[card] + left[i] for i, card in enumerate(cards)) == full_deck(players)


@pytest.mark.rule("KM-6")
def test_chance_names_the_first_player_of_the_first_round() -> None:
    firsts = {markets(start("kimono", players=4, seed=seed))[0].first for seed in range(60)}
    assert firsts == {0, 1, 2, 3}


@pytest.mark.rule("KM-6")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_left_neighbour_opens_the_next_round(players: int) -> None:
    firsts = [market.first for market in markets(whole_game(players, seed=2))]
    assert firsts == [(firsts[0] + turn) % players for turn in range(players)]


@pytest.mark.rule("KM-7")
@pytest.mark.parametrize(("players", "each"), [(2, 6), (3, 4), (4, 3)])
def test_everyone_takes_the_same_number_a_round_and_12_in_all(players: int, each: int) -> None:
    match = whole_game(players, seed=9)
    assert Counter(took.seat for took in takes(match)) == dict.fromkeys(range(players), 12)
    rounds = {number: Counter[int]() for number in range(1, players + 1)}
    number = 0
    for entry in match.log:
        if isinstance(entry, MarketDealt):
            number = entry.round
        elif isinstance(entry, Took):
            rounds[number][entry.seat] += 1
    assert all(count == dict.fromkeys(range(players), each) for count in rounds.values())


@pytest.mark.rule("KM-7")
@pytest.mark.parametrize("players", PLAYERS)
def test_turns_go_clockwise_from_the_first_player(players: int) -> None:
    match = whole_game(players, seed=4)
    seats = [took.seat for took in takes(match)]
    a_round = len(seats) // players
    for number, market in enumerate(markets(match)):
        expected = [(market.first + turn) % players for turn in range(a_round)]
        assert seats[number * a_round : (number + 1) * a_round] == expected


@pytest.mark.rule("KM-7")
def test_nobody_plays_out_of_turn_or_twice() -> None:
    for move in (Take(0), Skip()):
        with pytest.raises(IllegalMove) as refusal:
            GAME.decide(table(), 1, move, Random(0))
        assert refusal.value.clause == "KM-7"
    state, _ = play(table((3, 2), front=fabric(1)), 0, Take(0))
    with pytest.raises(IllegalMove) as refusal:
        GAME.decide(state, 0, Take(0), Random(0))
    assert refusal.value.clause == "KM-7"


@pytest.mark.rule("KM-7")
def test_nobody_plays_after_the_end() -> None:
    match = whole_game(2, seed=1)
    with pytest.raises(IllegalMove) as refusal:
        match.play(0, Take(0))
    assert refusal.value.clause == "KM-7"


@pytest.mark.rule("KM-8")
@pytest.mark.parametrize(("players", "left"), [(2, 4), (3, 3), (4, 4)])
def test_a_round_ends_with_the_last_cards_discarded(players: int, left: int) -> None:
    match = whole_game(players, seed=6)
    ends = round_ends(match)
    assert [end.round for end in ends] == list(range(1, players + 1))
    assert all(len(end.discarded) == left for end in ends)


@pytest.mark.rule("KM-8")
def test_a_round_waits_for_the_last_combination() -> None:
    for seed in range(40):
        match = whole_game(2, seed=seed)
        for before, entry in pairwise(match.log):
            if isinstance(entry, KimonoRoundEnded) and isinstance(before, Combined | Skipped):
                return
    pytest.fail("no round ended after a choice to combine")


@pytest.mark.rule("KM-9")
def test_a_fabric_goes_to_the_right_end_of_the_hand() -> None:
    state, _ = play(table((5, 7, 3, 2), front=fabric(9)), 0, Take(0))
    assert state.places[0].hand == (5, 7, 3, 2, 9)


@pytest.mark.rule("KM-9")
def test_hands_are_public() -> None:
    state = table((5, 7, 3, 2))
    views = [GAME.view(state, seat) for seat in (0, 1, None)]
    assert all(view.places[0].hand == (5, 7, 3, 2) for view in views)


@pytest.mark.rule("KM-10")
def test_an_accessory_is_placed_at_once_and_forbids_a_combination() -> None:
    state, facts = play(table((3, 2, 1), front=accessory(4)), 0, Take(0))
    assert facts == [Took(0, 0, accessory(4), next=1, combining=False)]
    assert state.places[0] == KimonoPlace((3, 2, 1), accessories=(4,))
    assert state.places[0].placed == 1
    assert GAME.acting(state) == {1}


@pytest.mark.rule("KM-30")
def test_with_the_variant_an_accessory_allows_a_combination() -> None:
    state, _ = play(table((3, 2, 1), front=accessory(4), accessory_combo=True), 0, Take(0))
    assert GAME.acting(state) == {0}
    assert Combine("kagen", 3, lead=False) in GAME.moves(state, 0)
    assert GAME.options_type() == KimonoOptions(accessory_combo=False)
