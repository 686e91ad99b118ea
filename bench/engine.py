"""How fast games are played at random on one core: ours beside those of other libraries, in the same run.

Ours by the plain rules, over Kimono's compiled rules and through each adapter; OpenSpiel's, PettingZoo's and
RLCard's games of comparable size beside them. Rates are per second of processor time, and the best of several
measurements counts: whatever else the machine does only makes one slower.

The other libraries are in the extra ``bench``; what is not installed is reported as missing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from random import Random
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from kotatsu.engine.registry import game, games
from kotatsu.games.kimono.fast import kernels
from kotatsu.games.kimono.fast.records import STATE, board, encode

TURNS = 3
"""How often each is measured. Chosen by hand."""
SECONDS = 0.3
"""The processor time of one measurement, in seconds. Chosen by hand."""
PLAYERS = {"kabuki": 4, "kakuzu": 2, "kimono": 2}
"""How many play each of our games."""
PEER_FACTOR = 5
"""The project's goal for the plain rules: this many times the moves a second of PettingZoo's classics."""
FAST_GOAL = 1_000_000
"""The project's goal for the compiled rules, in moves a second."""

PlayGame = Callable[[], int]
"""Plays a game, or many, and returns how many moves were made."""


class Row(NamedTuple):
    """One way to play one game.

    Attributes:
        kind: The rules or the library it is played by.
        label: The game.
        made: Prepares it.
        games: How many games one call of it plays.
    """

    kind: str
    label: str
    made: Callable[[], PlayGame]
    games: int = 1


class Rate(NamedTuple):
    """What was measured, per second of processor time."""

    moves: float
    games: float


def plain(name: str, players: int) -> PlayGame:
    """Play by the plain rules: any seat that may move does, or the time runs out."""
    kind, rng = game(name), Random(1)
    options = kind.options_type()

    def play() -> int:
        state = kind.empty(players, options)
        for fact in kind.setup(players, options, rng):
            state = kind.fold(state, fact)
        moves = 0
        while kind.outcome(state) is None:
            seats = list(kind.acting(state))
            if seats:
                seat = seats[0] if len(seats) == 1 else rng.choice(seats)
                facts = kind.decide(state, seat, rng.choice(kind.moves(state, seat)), rng)
                moves += 1
            else:
                facts = kind.expire(state, rng)
            for fact in facts:
                state = kind.fold(state, fact)
        return moves

    return play


FAST_GAMES = 2_000
"""Games of one call of the compiled rules, to make the call itself negligible."""


def compiled(players: int) -> PlayGame:
    """Play Kimono by the compiled rules."""
    kind = game("kimono")
    state = kind.empty(players, kind.options_type())
    for fact in kind.setup(players, kind.options_type(), Random(1)):
        state = kind.fold(state, fact)
    states, box, rng = np.zeros(2, STATE), board(), np.array([1], np.uint64)
    states[0] = encode(state)

    def play() -> int:
        return int(kernels.play_randomly(box, states, FAST_GAMES, rng))

    return play


def turn_by_turn(env: Any) -> PlayGame:
    """Play a PettingZoo environment, with observations, as a learner does."""
    rng = Random(1)
    env.reset(seed=1)

    def play() -> int:
        env.reset()
        moves = 0
        for _ in env.agent_iter():
            shown, _, over, cut, info = env.last()
            if over or cut:
                env.step(None)
                continue
            mask = (
                shown["action_mask"]
                if isinstance(shown, dict) and "action_mask" in shown
                else info["action_mask"]
            )
            env.step(rng.choice(np.flatnonzero(mask).tolist()))
            moves += 1
        return moves

    return play


def our_pettingzoo(name: str, guarded: bool) -> PlayGame:
    """One of our games as a PettingZoo environment; ``guarded`` with PettingZoo's wrappers."""
    lab: Any = import_module("kotatsu.lab.pettingzoo")
    make = lab.env if guarded else lab.raw_env
    return turn_by_turn(make(name, players=PLAYERS[name]))


def their_pettingzoo(module: str, guarded: bool) -> PlayGame:
    """One of PettingZoo's classic games; ``guarded`` with its wrappers."""
    classic: Any = import_module(f"pettingzoo.classic.{module}")
    return turn_by_turn(classic.env() if guarded else classic.raw_env())


def openspiel(name: str, parameters: dict[str, Any] | None = None, modules: tuple[str, ...] = ()) -> PlayGame:
    """Play an OpenSpiel game from Python, without observations.

    Args:
        name: Its name there.
        parameters: Its parameters.
        modules: What to import first, so that the game is registered.
    """
    for module in modules:
        import_module(module)
    pyspiel: Any = import_module("pyspiel")
    table, rng = pyspiel.load_game(name, parameters or {}), Random(1)

    def play() -> int:
        state = table.new_initial_state()
        moves = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                moves += 1
        return moves

    return play


def rlcard(name: str) -> PlayGame:
    """Play an RLCard environment, which always encodes what a player sees."""
    env: Any = import_module("rlcard").make(name, config={"seed": 1})
    rng = Random(1)

    def play() -> int:
        state, _ = env.reset()
        moves = 0
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            moves += 1
        return moves

    return play


PLAIN, FAST, PEER_ZOO = "plain rules", "compiled", "PettingZoo classic"
"""The kinds of rows that the summary compares."""


def rows() -> list[Row]:
    """Everything there is to measure."""
    cpp = ("crazy_eights", "hanabi", "gin_rummy", "backgammon")
    python = ("python_block_dominoes", "python_team_dominoes")
    classic = ("connect_four_v3", "texas_holdem_v4", "hanabi_v5", "chess_v6")
    cards = ("uno", "gin-rummy", "doudizhu")
    here, there = ("kotatsu.lab.openspiel",), ("open_spiel.python.games",)
    return [
        *(Row(PLAIN, name, partial(plain, name, PLAYERS[name])) for name in ours()),
        Row(FAST, "kimono", partial(compiled, PLAYERS["kimono"]), FAST_GAMES),
        *(Row("our PettingZoo, raw_env", name, partial(our_pettingzoo, name, False)) for name in ours()),
        *(Row("our PettingZoo, env", name, partial(our_pettingzoo, name, True)) for name in ours()),
        *(
            Row("our OpenSpiel", name, partial(openspiel, name, {"players": PLAYERS[name]}, here))
            for name in ours()
        ),
        *(Row("OpenSpiel, C++", name, partial(openspiel, name)) for name in cpp),
        *(Row("OpenSpiel, Python", name, partial(openspiel, name, {}, there)) for name in python),
        *(Row(PEER_ZOO, name, partial(their_pettingzoo, name, True)) for name in classic),
        *(Row("RLCard", name, partial(rlcard, name)) for name in cards),
    ]


def ours() -> list[str]:
    """Our games that are measured here."""
    return [name for name in games() if name in PLAYERS]


def rate(play: PlayGame, games_at_a_time: int) -> Rate:
    """Make one measurement of ``SECONDS``."""
    moves = played = 0
    started = process_time()
    while (spent := process_time() - started) < SECONDS:
        moves += play()
        played += games_at_a_time
    return Rate(moves / spent, played / spent)


def main() -> None:
    """Measure everything that is installed and print it."""
    print(f"{'':<24} {'':<22} {'moves/s':>12} {'games/s':>10}")
    best: dict[Row, Rate] = {}
    for row in rows():
        told = f"{row.kind:<24} {row.label:<22}"
        try:
            play = row.made()
            play()
        except ImportError as error:
            print(f"{told} not measured: {error.name or error} is not installed (extra bench)", flush=True)
            continue
        found = best[row] = max(rate(play, row.games) for _ in range(TURNS))
        print(f"{told} {found.moves:>12,.0f} {found.games:>10,.1f}", flush=True)
    summary(best)


def summary(best: dict[Row, Rate]) -> None:
    """Print whether the goals were reached."""
    fast = next(found.moves for row, found in best.items() if row.kind == FAST)
    print(f"\ncompiled Kimono, goal {FAST_GOAL:,} moves/s: {_verdict(fast >= FAST_GOAL)}")
    classic = {row: found for row, found in best.items() if row.kind == PEER_ZOO}
    for row, found in best.items():
        if row.kind == PLAIN:
            against = [f"{found.moves / peer.moves:.1f}× {other.label}" for other, peer in classic.items()]
            enough = all(found.moves >= PEER_FACTOR * peer.moves for peer in classic.values())
            told = f"{', '.join(against)}: {_verdict(enough)}" if classic else "no peer is installed"
            print(f"plain {row.label}, goal {PEER_FACTOR}× PettingZoo's classics: {told}")


def _verdict(reached: bool) -> str:
    return "reached" if reached else "missed"


if __name__ == "__main__":
    main()
