"""Kaboum's rules, clause by clause (see RULES.md). What happens in the world enters as what its referee saw."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, assert_never

from kotatsu.engine.contract import Deadline, Game, IllegalMove, Outcome, Seat
from kotatsu.games.kaboum.data import BOX, LARGE_DIE, PIECES, SMALL_DICE_EACH, SMALL_TILES, TILES
from kotatsu.games.kaboum.fold import fold
from kotatsu.games.kaboum.model import (
    STRIKE_PLACES,
    STRIKE_POWERS,
    Completed,
    DieRests,
    Fire,
    Fired,
    Flip,
    Grab,
    KaboumFact,
    KaboumGameEnded,
    KaboumMove,
    KaboumOptions,
    KaboumState,
    KaboumTurnEnded,
    KaboumView,
    Landed,
    Phase,
    Quake,
    QuakeGranted,
    Release,
    Shot,
    Sighting,
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
from kotatsu.games.kaboum.old_facts import upgrade
from kotatsu.games.kaboum.story import tell
from kotatsu.games.kaboum.turn import (
    breakdown,
    ended_by_cap,
    is_last_turn,
    next_big_die,
    next_builder,
    turns_at_most,
    worth,
)

_BUILDING: tuple[KaboumMove, ...] = (*map(Grab, range(len(PIECES))), Release())
_STRIKES: tuple[KaboumMove, ...] = tuple(
    Strike(at, power) for at in range(STRIKE_PLACES) for power in range(STRIKE_POWERS)
)


class Kaboum(Game[KaboumState, KaboumMove, KaboumFact, KaboumView, KaboumOptions]):
    """KA-1 … KA-15 and KA-24."""

    name = "kaboum"
    seats = range(2, 6)
    move_type = KaboumMove
    fact_type = KaboumFact
    options_type = KaboumOptions

    def empty(self, players: int, options: KaboumOptions) -> KaboumState:
        return KaboumState(options, players, ((),) * players, (0,) * players)

    def setup(self, players: int, options: KaboumOptions, rng: Random) -> list[KaboumFact]:
        layout = rng.sample(range(SMALL_TILES), SMALL_TILES)  # KA-2
        builder = rng.randrange(players)  # KA-3
        saboteurs = [seat for seat in range(players) if seat != builder]
        big_die = rng.choice(saboteurs)  # KA-5
        tiles, turns = tuple(range(TILES)), turns_at_most(players, options)
        return [TableLaid(tuple(layout), builder, big_die, tiles, turns)]

    def always_ends(self, options: KaboumOptions) -> bool:
        return options.rounds > 0  # KA-24: else it is the builders who bring a game to its end

    def cut_short(self, state: KaboumState) -> bool:
        return state.capped

    def fold(self, state: KaboumState, fact: KaboumFact) -> KaboumState:
        return fold(state, fact)

    def upgrade(self, state: KaboumState, fact: dict[str, Any]) -> dict[str, Any]:
        return upgrade(state, fact)

    def acting(self, state: KaboumState) -> frozenset[Seat]:
        return frozenset(seat for seat in range(state.players) if self.moves(state, seat))

    def moves(self, state: KaboumState, seat: Seat) -> Sequence[KaboumMove]:
        match phase(state):
            case "ready":
                return (Flip(),) if seat == state.builder else ()
            case "running":
                if seat == state.builder:
                    return _BUILDING
                fire: tuple[KaboumMove, ...] = (Fire(),) if dice_left(state, seat) else ()
                return (*fire, *_STRIKES) if seat == state.striker else fire
            case _:
                return ()

    def decide(self, state: KaboumState, seat: Seat, move: KaboumMove, rng: Random) -> list[KaboumFact]:
        now = phase(state)
        if now == "over":
            raise IllegalMove("KA-15", "The game is over.")
        if isinstance(move, Flip):
            return self._flip(state, seat, now)
        if now == "ready":
            raise IllegalMove("KA-6", "The turn begins when the builder turns the hourglass.")
        match move:
            case Grab() | Release():
                if seat != state.builder:
                    raise IllegalMove("KA-3", "Only the master builder touches the pieces.")
                return []
            case Fire():
                only_large = has_large_die(state, seat) and not small_dice_left(state, seat)
                return self.fire(state, seat, big=only_large)
            case Strike():
                if seat != state.striker:
                    raise IllegalMove("KA-12", "Nobody may shake the table without an earthquake to give.")
                return [Quake(seat)]
            case _:
                assert_never(move)

    def fire(self, state: KaboumState, seat: Seat, *, big: bool) -> list[KaboumFact]:
        """KA-4, KA-5, KA-9: one die leaves a catapult, a small one or the large one.

        Args:
            state: in which a turn runs.
            seat: the saboteur.
            big: whether it is the large die.

        Raises:
            IllegalMove: this seat has no such die.
        """
        if seat == state.builder:
            raise IllegalMove("KA-3", "The master builder does not shoot.")
        if big:
            if not has_large_die(state, seat):
                raise IllegalMove("KA-5", "You do not have the large die.")
            return [Fired(seat, LARGE_DIE, big=True)]
        if not small_dice_left(state, seat):
            raise IllegalMove("KA-9", "You have no small die left; each is shot once.")
        return [Fired(seat, sum(not shot.big for shot in state.shots), big=False)]

    def witness(self, state: KaboumState, sighting: Sighting) -> list[KaboumFact]:
        """The facts that follow from what the referee saw; nothing if it does not matter to the rules.

        Args:
            state: in which a turn runs.
            sighting: what the referee saw.
        """
        if phase(state) != "running":
            return []
        match sighting:
            case DieRests():
                return self._die_rests(state, sighting)
            case TowerStands(tile):
                free = tile in state.tiles and tile not in state.blocked  # KA-10
                return [Completed(tile)] if free and tile not in state.standing else []  # KA-8
            case TowerFell(tile):
                return [Toppled(tile)] if tile in state.standing else []
            case WorldBroke():
                return [TurnBroken(state.turn)]
            case _:
                assert_never(sighting)

    def deadline(self, state: KaboumState) -> Deadline | None:
        if phase(state) != "running":
            return None
        return Deadline("hourglass", state.options.hourglass_s, (), state.turn)  # KA-23

    def expire(self, state: KaboumState, rng: Random) -> list[KaboumFact]:
        if phase(state) != "running":
            return super().expire(state, rng)
        scored = state.standing  # KA-13
        ended = KaboumTurnEnded(
            state.builder, scored, worth(scored), next_builder(state), next_big_die(state)
        )
        return [ended, *self._game_end(fold(state, ended), state.builder)]

    def view(self, state: KaboumState, seat: Seat | None) -> KaboumView:
        return KaboumView(
            phase=phase(state),
            turn=state.turn,
            builder=state.builder,
            layout=state.layout,
            tiles=state.tiles,
            won=state.won,
            points=state.points,
            ammo=state.ammo,
            big_die=state.big_die,
            big_left=state.big_left,
            shots=state.shots,
            blocked=state.blocked,
            standing=state.standing,
            striker=state.striker,
            turns_left=None if state.turns is None else state.turns - state.turn,
            result=state.result,
            capped=state.capped,
        )

    def redact(self, state: KaboumState, fact: KaboumFact, seat: Seat | None) -> KaboumFact | None:
        return fact

    def imagine(self, state: KaboumState, seat: Seat | None, rng: Random) -> KaboumState:
        return state

    def outcome(self, state: KaboumState) -> Outcome | None:
        return state.result

    def tell(self, fact: KaboumFact, names: Sequence[str]) -> str:
        return tell(fact, names)

    def _flip(self, state: KaboumState, seat: Seat, now: Phase) -> list[KaboumFact]:
        if now == "running":
            raise IllegalMove("KA-6", "The hourglass is running.")
        if seat != state.builder:
            raise IllegalMove("KA-6", "The master builder turns the hourglass.")
        each = SMALL_DICE_EACH[state.players]  # KA-4, KA-14: all dice are back
        ammo = tuple(0 if other == seat else each for other in range(state.players))
        return [TurnStarted(state.turn + 1, seat, ammo, state.big_die, state.tiles)]

    def _die_rests(self, state: KaboumState, seen: DieRests) -> list[KaboumFact]:
        shot = next((shot for shot in state.shots if shot.die == seen.die and not shot.landed), None)
        if shot is None:
            return []
        off = seen.tile == "off"
        facts: list[KaboumFact] = [
            Landed(shot.seat, shot.die, shot.big, seen.tile, seen.kaboum and not off)  # KA-11
        ]
        if isinstance(seen.tile, int) and seen.tile in state.tiles and seen.tile not in state.blocked:
            facts.append(TileBlocked(seen.tile))  # KA-10
        if seen.kaboum and not off and not state.granted and self._grants_a_quake(state, shot):
            facts.append(QuakeGranted(shot.seat))
        return facts

    def _grants_a_quake(self, state: KaboumState, shot: Shot) -> bool:
        """KA-12: the large die at once, a small one if another showed the sign before."""
        return shot.big or any(other.kaboum for other in state.shots)

    def _game_end(self, state: KaboumState, builder: Seat) -> list[KaboumFact]:
        """KA-15, KA-24."""
        points = state.points
        if points[builder] >= BOX.win_points:
            return [KaboumGameEnded(points, (builder,), breakdown(state.won), capped=False)]
        if state.tiles and not is_last_turn(state):
            return []
        winners = tuple(seat for seat, each in enumerate(points) if each == max(points))
        return [KaboumGameEnded(points, winners, breakdown(state.won), ended_by_cap(state))]


def phase(state: KaboumState) -> Phase:
    """Whether the hourglass runs."""
    if state.result is not None:
        return "over"
    return "running" if state.running else "ready"


def small_dice_left(state: KaboumState, seat: Seat) -> int:
    """Small dice a seat may still shoot in this turn.

    Args:
        state: in which a turn runs.
        seat: a saboteur.
    """
    return state.ammo[seat] if state.running else 0


def has_large_die(state: KaboumState, seat: Seat) -> bool:
    """Whether a seat may still shoot the large die in this turn.

    Args:
        state: in which a turn runs.
        seat: a saboteur.
    """
    return state.running and seat == state.big_die and state.big_left


def dice_left(state: KaboumState, seat: Seat) -> int:
    """Dice a seat may still shoot in this turn.

    Args:
        state: in which a turn runs.
        seat: a saboteur.
    """
    return small_dice_left(state, seat) + has_large_die(state, seat)


GAME = Kaboum()
