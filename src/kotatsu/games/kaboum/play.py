"""Whole games between bots in their world, as fast as possible: what ``kotatsu simulate kaboum`` plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from kotatsu.engine.contract import IllegalMove, Seat
from kotatsu.engine.match import Match
from kotatsu.engine.record import Entry, Played
from kotatsu.games.kaboum.data import BOX
from kotatsu.games.kaboum.live import Turn
from kotatsu.games.kaboum.model import Flip, KaboumState
from kotatsu.games.kaboum.players.builder import Builder
from kotatsu.games.kaboum.players.saboteur import Saboteur
from kotatsu.games.kaboum.players.skill import SKILLS

MAX_TURNS = 120
"""Turns after which a game is given up, those that are begun again included.

The largest cap allows 20 for each of 5 players; without a cap (KA-24) bots that build nothing would go on for ever.
"""
Player = Builder | Saboteur
"""A bot for one turn, in one role."""


def player(level: str, seat: Seat, state: KaboumState, seed: int | str) -> Player:
    """A bot for one turn, in the role its seat has in it.

    Args:
        level: The name of its level.
        seat: Its seat.
        state: The state at the beginning of the turn.
        seed: The seed of its errors and choices.
    """
    rng = Random(f"player {seed} {seat}")
    skill = SKILLS[level]
    return Builder(skill, rng) if seat == state.builder else Saboteur(seat, skill, rng)


def play_turn(turn: Turn, players: dict[Seat, Player]) -> list[Entry]:
    """Play a turn to its end.

    Args:
        turn: The turn.
        players: A bot for each seat.

    Returns:
        The moves and facts for the log.
    """
    log: list[Entry] = []
    while not turn.over:
        for seat, each in players.items():
            for player_input in each.inputs(turn):
                try:
                    turn.act(seat, player_input)
                except IllegalMove:
                    continue  # something was quicker: the die was spent, the hourglass ran out
        log += turn.step()
    return log


def play(
    match: Match, levels: Sequence[str], seed: int | str, watch: Callable[[float], None] | None = None
) -> int:
    """Play a match to its end, or for ``MAX_TURNS`` turns: then it is left without an outcome.

    Args:
        match: The match; it is changed.
        levels: The level of each seat.
        seed: The seed of all turns.
        watch: Called after every turn with how much of the game is over at least, from 0 to 1.

    Returns:
        How many moves were made.
    """
    moves = 0
    for number in range(MAX_TURNS):
        if match.outcome is not None:
            break
        match.play(match.state.builder, Flip())
        turn_seed = f"{seed} {number}"  # another one for a turn that is begun again, or it would break again
        turn = Turn(match.state, turn_seed)
        players = {seat: player(level, seat, match.state, turn_seed) for seat, level in enumerate(levels)}
        log = play_turn(turn, players)
        match.log += log
        match.state = turn.state
        moves += 1 + sum(isinstance(entry, Played) for entry in log)
        if watch is not None:
            watch(_share(match.state))
    return moves


def _share(state: KaboumState) -> float:
    """How near a game is to one of its ends (KA-15, KA-24), from 0 to 1; with no cap the points alone count."""
    by_turns = 0.0 if state.turns is None else state.turn / state.turns
    return min(1.0, max(by_turns, max(state.points) / BOX.win_points))
