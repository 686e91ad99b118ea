"""Kaboum's rules, without any physics: what the players do and what the referee saw."""

from __future__ import annotations

from functools import reduce
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from kotatsu.engine.contract import IllegalMove
from kotatsu.games.kaboum.data import DICE, PIECES, PLACES, POINTS, SMALL_DICE, TILES
from kotatsu.games.kaboum.fold import fold
from kotatsu.games.kaboum.game import GAME, dice_left, has_large_die
from kotatsu.games.kaboum.model import (
    Completed,
    DieRests,
    Fire,
    Fired,
    Flip,
    Grab,
    KaboumGameEnded,
    KaboumOptions,
    KaboumTurnEnded,
    Landed,
    Quake,
    QuakeGranted,
    Release,
    Strike,
    TableLaid,
    TileBlocked,
    Toppled,
    TowerFell,
    TowerStands,
    TurnBroken,
    TurnStarted,
    WorldBroke,
)
from kotatsu.games.kaboum.tests.staging import Table


def refused(table: Table, seat: int, move: object) -> str:
    with pytest.raises(IllegalMove) as refusal:
        table.play(seat, move)  # type: ignore[arg-type]
    return refusal.value.clause


@pytest.mark.rule("KA-1")
def test_the_box() -> None:
    assert TILES == 26
    assert POINTS[25] == 16
    assert len(PIECES) == 16
    assert all(PIECES.count(shape) == 2 for shape in PIECES)
    assert (SMALL_DICE, DICE) == (9, 10)


@pytest.mark.rule("KA-2")
def test_the_giant_tile_is_in_the_middle_and_the_small_ones_are_shuffled_around_it() -> None:
    layouts = {Table(seed=seed).state.layout for seed in range(5)}
    assert len(layouts) == 5
    assert all(sorted(layout) == list(range(25)) for layout in layouts)
    giant, small = PLACES[-1], PLACES[:-1]
    assert len(small) == 25
    assert giant.side == 180
    assert abs(giant.x) < 1
    assert abs(giant.y) <= 45
    for number, place in enumerate(PLACES):
        for other in PLACES[:number]:
            apart = max(abs(place.x - other.x), abs(place.y - other.y))
            assert apart >= (place.side + other.side) / 2


@pytest.mark.rule("KA-3")
def test_chance_names_the_first_builder_who_alone_touches_the_pieces() -> None:
    assert {Table(players=4, seed=seed).state.builder for seed in range(40)} == {0, 1, 2, 3}
    table = Table()
    table.flip()
    assert table.play(table.state.builder, Grab(3)) == []
    assert table.play(table.state.builder, Release()) == []
    for seat in table.saboteurs:
        assert refused(table, seat, Grab(3)) == "KA-3"
        assert refused(table, seat, Release()) == "KA-3"
    assert refused(table, table.state.builder, Fire()) == "KA-3"


@pytest.mark.rule("KA-4")
@pytest.mark.parametrize(("players", "dice"), [(2, 9), (3, 4), (4, 3), (5, 2)])
def test_small_dice_are_new_every_turn(players: int, dice: int) -> None:
    table = Table(players=players)
    for _ in range(2):
        table.flip()
        builder, big = table.state.builder, table.state.big_die
        assert table.state.ammo == tuple(0 if seat == builder else dice for seat in range(players))
        for seat in table.saboteurs:
            for _ in range(dice):
                table.play(seat, Fire())
            assert dice_left(table.state, seat) == (seat == big)
            if seat != big:
                assert refused(table, seat, Fire()) == "KA-9"
        table.end_turn()


@pytest.mark.rule("KA-5")
def test_the_large_die_goes_clockwise_past_the_builder() -> None:
    for seed in range(10):
        table = Table(players=4, seed=seed)
        for _ in range(6):
            builder, big = table.state.builder, table.state.big_die
            assert big != builder
            table.turn()
            expected = (big + 1) % 4
            if expected == table.state.builder:
                expected = (expected + 1) % 4
            assert table.state.big_die == expected
    assert {Table(players=4, seed=seed).state.big_die for seed in range(40)} == {0, 1, 2, 3}


@pytest.mark.rule("KA-5")
def test_with_two_the_saboteur_has_the_large_die() -> None:
    table = Table(players=2)
    for _ in range(4):
        table.flip()
        (saboteur,) = table.saboteurs
        assert has_large_die(table.state, saboteur)
        table.shot(saboteur, big=True)
        with pytest.raises(IllegalMove) as refusal:
            GAME.fire(table.state, saboteur, big=True)
        assert refusal.value.clause == "KA-5"
        table.end_turn()


@pytest.mark.rule("KA-5")
def test_only_its_holder_shoots_the_large_die() -> None:
    table = Table(players=3)
    table.flip()
    other = next(seat for seat in table.saboteurs if seat != table.state.big_die)
    with pytest.raises(IllegalMove):
        GAME.fire(table.state, other, big=True)


@pytest.mark.rule("KA-6")
def test_the_turn_begins_when_the_builder_turns_the_hourglass() -> None:
    table = Table()
    builder = table.state.builder
    assert GAME.acting(table.state) == {builder}
    assert GAME.deadline(table.state) is None
    for seat in table.saboteurs:
        assert refused(table, seat, Flip()) == "KA-6"
        assert refused(table, seat, Fire()) == "KA-6"
    assert refused(table, builder, Grab(0)) == "KA-6"
    (started,) = table.flip()
    assert isinstance(started, TurnStarted)
    assert (started.turn, started.builder, started.tiles) == (1, builder, tuple(range(26)))
    assert refused(table, builder, Flip()) == "KA-6"


@pytest.mark.rule("KA-6")
def test_what_fell_may_be_built_again() -> None:
    table = Table()
    table.flip()
    assert table.see(TowerStands(4)) == [Completed(4)]
    assert table.see(TowerStands(4)) == []
    assert table.see(TowerFell(4)) == [Toppled(4)]
    assert table.see(TowerFell(4)) == []
    assert table.see(TowerStands(4)) == [Completed(4)]
    builder, after = table.state.builder, (table.state.builder + 1) % 3
    (ended,) = table.end_turn()
    assert ended == KaboumTurnEnded(builder, (4,), 3, next=after, big_die=table.state.big_die)


@pytest.mark.rule("KA-8")
def test_a_tile_that_was_taken_is_out_of_play() -> None:
    table = Table()
    table.turn(4)
    table.flip()
    assert 4 not in table.state.tiles
    assert table.see(TowerStands(4)) == []
    assert table.shot(table.saboteurs[0], 4) == [Landed(table.saboteurs[0], 0, False, 4, False)]


@pytest.mark.rule("KA-9")
def test_each_die_is_shot_once_and_only_while_the_hourglass_runs() -> None:
    table = Table(players=3)
    table.flip()
    dice = [table.play(seat, Fire())[0] for seat in table.saboteurs for _ in range(4)]
    assert [fact.die for fact in dice if isinstance(fact, Fired)] == list(range(8))
    table.end_turn()
    assert refused(table, table.saboteurs[0], Fire()) == "KA-6"


@pytest.mark.rule("KA-10")
def test_a_die_at_rest_blocks_its_tile() -> None:
    table = Table()
    table.flip()
    seat = table.saboteurs[0]
    assert table.shot(seat, 7) == [Landed(seat, 0, False, 7, False), TileBlocked(7)]
    assert table.see(TowerStands(7)) == []
    assert table.shot(seat, 7) == [Landed(seat, 1, False, 7, False)]
    assert table.shot(seat, None) == [Landed(seat, 2, False, None, False)]


@pytest.mark.rule("KA-10")
def test_a_tower_complete_before_the_block_still_counts_until_it_falls() -> None:
    table = Table()
    table.flip()
    table.see(TowerStands(7))
    table.see(TowerStands(8))
    table.shot(table.saboteurs[0], 7)
    table.shot(table.saboteurs[0], 8)
    table.see(TowerFell(8))
    assert table.see(TowerStands(8)) == []
    ended = table.end_turn()[0]
    assert isinstance(ended, KaboumTurnEnded)
    assert ended.scored == (7,)


@pytest.mark.rule("KA-11")
def test_a_die_off_the_table_counts_for_nothing() -> None:
    table = Table(players=2)
    table.flip()
    (seat,) = table.saboteurs
    assert table.shot(seat, "off", kaboum=True, big=True) == [Landed(seat, 9, True, "off", False)]
    assert table.shot(seat, "off", kaboum=True) == [Landed(seat, 0, False, "off", False)]
    assert len(table.shot(seat, None, kaboum=True)) == 1
    assert table.state.striker is None


@pytest.mark.rule("KA-12")
def test_the_second_sign_gives_its_shooter_one_strike() -> None:
    table = Table(players=3)
    table.flip()
    first, second = table.saboteurs
    assert len(table.shot(first, None, kaboum=True)) == 1
    assert refused(table, first, Strike(0, 10)) == "KA-12"
    assert table.shot(second, None, kaboum=True)[-1] == QuakeGranted(second)
    assert refused(table, first, Strike(0, 10)) == "KA-12"
    assert len(table.shot(first, None, kaboum=True)) == 1
    assert table.play(second, Strike(5, 10)) == [Quake(second)]
    assert refused(table, second, Strike(5, 10)) == "KA-12"
    assert len(table.shot(second, None, kaboum=True)) == 1


@pytest.mark.rule("KA-12")
def test_the_large_die_gives_a_strike_at_once_and_there_is_one_a_turn() -> None:
    table = Table(players=2)
    table.flip()
    (seat,) = table.saboteurs
    assert table.shot(seat, 3, kaboum=True, big=True)[-1] == QuakeGranted(seat)
    table.play(seat, Strike(0, 0))
    for _ in range(3):
        assert len(table.shot(seat, None, kaboum=True)) == 1


@pytest.mark.rule("KA-12")
def test_a_strike_not_given_in_time_is_lost() -> None:
    table = Table(players=2)
    table.flip()
    (seat,) = table.saboteurs
    table.shot(seat, 3, kaboum=True, big=True)
    table.end_turn()
    assert refused(table, seat, Strike(0, 0)) == "KA-6"
    table.flip()
    assert table.state.striker is None


@pytest.mark.rule("KA-13")
def test_the_builder_takes_the_tiles_of_what_stands() -> None:
    table = Table()
    builder = table.state.builder
    (*_, ended) = table.turn(0, 6)
    assert ended == KaboumTurnEnded(builder, (0, 6), 7, next=(builder + 1) % 3, big_die=table.state.big_die)
    assert table.state.won[builder] == (0, 6)
    assert table.see(TowerFell(0)) == []
    assert table.state.points[builder] == 7


@pytest.mark.rule("KA-14")
def test_the_next_builder_is_the_next_clockwise() -> None:
    table = Table(players=5)
    first = table.state.builder
    for step in range(1, 7):
        table.turn()
        assert table.state.builder == (first + step) % 5
        assert table.state.shots == ()


@pytest.mark.rule("KA-15")
def test_sixteen_points_win_at_once() -> None:
    table = Table(players=2)
    builder = table.state.builder
    assert isinstance(table.turn(25)[-1], KaboumGameEnded)
    result = GAME.outcome(table.state)
    assert result is not None
    assert result.winners == (builder,)
    assert refused(table, builder, Flip()) == "KA-15"
    table = Table(players=2)
    table.turn(23)
    table.turn(24)
    assert table.turn(22, 6)[-1].__class__ is KaboumGameEnded


@pytest.mark.rule("KA-15")
def test_fifteen_points_do_not_win() -> None:
    table = Table(players=2)
    assert [type(fact) for fact in table.turn(0, 1, 2, 3, 4)] == [KaboumTurnEnded]


@pytest.mark.rule("KA-15")
def test_when_the_tiles_run_out_most_points_win() -> None:
    # sixteen points win before that, so the tiles can only run out if some are missing from the box
    table = Table(players=5)
    table.state = replace(table.state, tiles=(0, 1), builder=2, big_die=3)
    table.turn(0)
    assert table.turn(1)[-1] == KaboumGameEnded(
        (0, 0, 3, 3, 0), (2, 3), ({}, {}, {"0": 3}, {"1": 3}, {}), capped=False
    )


@pytest.mark.rule("KA-23")
def test_options() -> None:
    options = KaboumOptions()
    assert (options.hourglass_s, options.physics, options.assist_of(3)) == (60, "board", "guide")
    mixed = KaboumOptions(assist=("snap", "none"))
    assert [mixed.assist_of(seat) for seat in range(3)] == ["snap", "none", "guide"]
    table = Table(hourglass_s=30)
    table.flip()
    deadline = GAME.deadline(table.state)
    assert deadline is not None
    assert (deadline.waits_for, deadline.seconds, deadline.token) == ("hourglass", 30, 1)


@pytest.mark.rule("KA-24")
def test_the_game_ends_after_so_many_turns_for_each() -> None:
    table = Table(players=3, rounds=2)
    builder = table.state.builder
    table.turn(0)
    table.turn(1)
    for _ in range(3):
        assert len(table.turn()) == 1
    towers = {builder: {"0": 3}, (builder + 1) % 3: {"1": 3}}
    assert table.turn()[-1] == KaboumGameEnded(
        tuple(3 if seat in towers else 0 for seat in range(3)),
        tuple(sorted(towers)),
        tuple(towers.get(seat, {}) for seat in range(3)),
        capped=True,
    )
    assert GAME.view(table.state, 0).turns_left == 0
    assert GAME.view(table.state, 0).capped
    assert GAME.cut_short(table.state)
    assert "as often as agreed" in GAME.tell(table.facts[-1], ["Ana", "Bo", "Cy"])


@pytest.mark.rule("KA-24")
def test_without_a_cap_the_first_to_sixteen_ends_the_game_however_late() -> None:
    assert KaboumOptions().rounds == 0
    table = Table(players=2)
    for _ in range(100):
        assert len(table.turn()) == 1
    assert GAME.view(table.state, None).turns_left is None
    builder = table.state.builder
    ended = table.turn(25)[-1]
    assert isinstance(ended, KaboumGameEnded)
    assert (ended.winners, ended.capped) == ((builder,), False)
    assert not GAME.cut_short(table.state)
    assert "agreed" not in GAME.tell(ended, ["Ana", "Bo"])


@pytest.mark.rule("KA-15", "KA-24")
def test_sixteen_points_in_the_last_turn_are_no_end_by_the_cap() -> None:
    table = Table(players=2, rounds=1)
    table.turn(0)
    builder = table.state.builder
    ended = table.turn(25)[-1]
    assert isinstance(ended, KaboumGameEnded)
    assert (ended.winners, ended.capped) == ((builder,), False)


@pytest.mark.rule("KA-24")
@pytest.mark.parametrize(("towers", "capped"), [((0,), True), ((25,), False)])
def test_an_old_fact_is_told_whether_the_cap_ended_the_game(towers: tuple[int, ...], capped: bool) -> None:
    table = Table(players=2, rounds=1)
    table.turn()
    table.turn(*towers)
    *before, ended = table.facts
    state = reduce(fold, before, GAME.empty(2, table.state.options))
    today = msgspec.to_builtins(ended)
    for missing in (("capped",), ("capped", "breakdown")):
        old = {key: value for key, value in today.items() if key not in missing}
        assert msgspec.convert(GAME.upgrade(state, old), KaboumGameEnded).capped is capped
        assert GAME.upgrade(state, old) == today
    assert GAME.upgrade(state, today) is today


def test_a_broken_world_begins_the_turn_again() -> None:
    table = Table()
    table.turn()
    builder, big = table.state.builder, table.state.big_die
    table.flip()
    table.see(TowerStands(3))
    table.shot(table.saboteurs[0], 5, kaboum=True)
    assert table.see(WorldBroke()) == [TurnBroken(2)]
    assert GAME.acting(table.state) == {builder}
    (again,) = table.flip()
    assert again == TurnStarted(2, builder, table.state.ammo, big, tuple(range(26)))
    assert (table.state.standing, table.state.blocked, table.state.shots) == ((), (), ())


def test_the_referee_is_not_heard_between_turns_nor_about_dice_that_were_not_shot() -> None:
    table = Table()
    assert table.see(TowerStands(3)) == []
    assert table.see(WorldBroke()) == []
    table.flip()
    assert table.see(DieRests(0, 3, True)) == []
    table.play(table.saboteurs[0], Fire())
    table.see(DieRests(0, 3, True))
    assert table.see(DieRests(0, 4, True)) == []


def test_every_fact_has_a_sentence() -> None:
    table = Table(players=2)
    table.flip()
    (seat,) = table.saboteurs
    table.shot(seat, 3, kaboum=True, big=True)
    table.shot(seat, "off")
    table.shot(seat)
    table.play(seat, Strike(0, 0))
    table.see(TowerStands(4))
    table.see(TowerFell(4))
    table.see(WorldBroke())
    table.turn(25)
    sentences = [GAME.tell(fact, ["Ana", "Bo"]) for fact in table.facts]
    assert isinstance(table.facts[0], TableLaid)
    assert len({type(fact) for fact in table.facts}) == 12
    assert all(sentence.endswith((".", "!")) for sentence in sentences)


def test_the_same_luck_lays_the_same_table() -> None:
    options = KaboumOptions()
    assert GAME.setup(4, options, Random(9)) == GAME.setup(4, options, Random(9))
