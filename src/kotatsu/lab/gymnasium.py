"""Every game as a Gymnasium environment: the agent plays one seat, bots play the others.

Importing this module registers ``kotatsu/Kimono-v0`` and so on for every game that is played in turns:
``gymnasium.make("kotatsu/Kimono-v0", players=3, opponents="adept")``, or ``gymnasium.make_vec`` for many at
once. Seats are asked one at a time, as ``kotatsu.lab.turns`` describes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random
from typing import Any

import gymnasium
from gymnasium import spaces

from kotatsu.bots.contract import Bot
from kotatsu.bots.levels import bot
from kotatsu.bots.situation import HeardFacts, remembering, situation
from kotatsu.engine import registry
from kotatsu.engine.contract import Fact, Seat
from kotatsu.engine.driver import Driver
from kotatsu.engine.match import BadTable, check_players, read_options
from kotatsu.lab.encoding import (
    Mask,
    Vector,
    encoding,
    games_in_turns,
    observation_space,
    rewards,
    usual_players,
)
from kotatsu.lab.turns import WAIT, AskedSeat, Choice, begin, choices, choose

ILLEGAL = -1.0
"""The reward for an illegal action, which also ends the game: that of losing a game of two."""

Observation = dict[str, Vector | Mask]
"""``observation`` and ``action_mask``, as ``observation_space`` describes them."""


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat of a game among bots.

    Args:
        game: the game's name.
        players: the number of players; by default two where two can play.
        seat: the agent's seat; ``None`` for a random one in every game.
        opponents: one level for all the others, or one for each in clockwise order from the agent's left.
        render_mode: ``ansi`` to get text from ``render``, ``human`` to have it printed, or ``None``.
        options: the game's options, as keywords.

    Raises:
        UnknownGame, BadTable, UnknownLevel, NotInTurns: each with one sentence.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        players: int | None = None,
        seat: Seat | None = None,
        opponents: str | Sequence[str] = "novice",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = registry.game(game)
        self.players = players if players is not None else usual_players(self.game)
        check_players(self.game, self.players)
        if seat is not None and seat not in range(self.players):
            raise BadTable(f"there is no seat {seat} among {self.players}")
        self.options = read_options(self.game, options)
        self.driver = Driver(self.game, self.players, self.options)
        self.render_mode = render_mode
        self.encoding = encoding(game, self.players)
        self.observation_space = observation_space(self.encoding)
        self.action_space = spaces.Discrete(self.encoding.action_count)
        self._chosen_seat = seat
        self._opponents = _lineup(game, opponents, self.players - 1)
        self.seat: Seat = seat or 0
        self._bots: dict[Seat, Bot] = {}
        self._asked: AskedSeat
        self._facts: list[Fact] = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a new game and play until the agent is asked for the first time.

        Args:
            seed: of all games from now on; ``None`` to go on with the present randomness.
            options: not used.

        Returns:
            The observation, and an empty dictionary.
        """
        super().reset(seed=seed)
        self._rng = Random(int(self.np_random.integers(2**62)))
        while True:
            self._assign_seats()
            self._facts = []
            self._heard = HeardFacts(
                self.game, remembering([self._bots.get(at) for at in range(self.players)])
            )
            self._asked, facts = begin(self.driver, self._rng)
            self._add_facts(self.driver.empty(), facts)
            self._play_opponents()
            if self._asked.seat is not None:
                return self._observe(), {}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Carry out an action, and let the bots play until the agent is asked again or the game is over.

        Returns:
            Observation, reward, whether the game is over, ``False`` (nothing is truncated), and at the end
            ``scores``, the agent's ``seat`` and whether it ``won``.
        """
        self._facts = []
        if int(action) not in self.encoding.legal(self._asked):
            return self._observe(), ILLEGAL, True, False, {"illegal": True}
        self._play(self.encoding.choice(int(action)))
        self._play_opponents()
        outcome = self.game.outcome(self._asked.state)
        if outcome is None:
            return self._observe(), 0.0, False, False, {}
        info = {"scores": outcome.scores, "seat": self.seat, "won": self.seat in outcome.winners}
        return self._observe(), rewards(outcome)[self.seat], True, False, info

    def render(self) -> Any:
        """Return or print, depending on ``render_mode``, what happened since the agent was last asked."""
        names = [f"seat {seat}{' (you)' * (seat == self.seat)}" for seat in range(self.players)]
        story = "\n".join(self.game.tell(fact, names) for fact in self._facts)
        if self.render_mode == "ansi":
            return story
        if self.render_mode == "human":
            sys.stdout.write(story + "\n")
        return None

    def _assign_seats(self) -> None:
        seat = self._chosen_seat
        self.seat = self._rng.randrange(self.players) if seat is None else seat
        self._bots = {
            (self.seat + 1 + step) % self.players: each for step, each in enumerate(self._opponents)
        }

    def _play_opponents(self) -> None:
        while self._asked.seat is not None and self._asked.seat != self.seat:
            self._play(self._thought(self._asked.seat))

    def _thought(self, seat: Seat) -> Choice:
        """A bot's choice; to wait if its move would come after the deadline."""
        state = self._asked.state
        asked = situation(
            self.game,
            state,
            seat,
            self._bots[seat],
            players=self.players,
            options=self.options,
            seed=self._rng.getrandbits(62),
            heard=self._heard,
        )
        thought = self._bots[seat].think(asked)
        deadline = self.game.deadline(state)
        if deadline is None:
            return thought.move if thought.move is not None else choices(self.game, self._asked)[0]
        return thought.move if thought.after <= deadline.seconds else WAIT

    def _play(self, choice: Choice) -> None:
        before = self._asked.state
        self._asked, facts = choose(self.driver, self._asked, choice, self._rng)
        self._add_facts(before, facts)

    def _add_facts(self, before: Any, facts: list[Fact]) -> None:
        self._facts += facts
        self._heard.add(before, facts)

    def _observe(self) -> Observation:
        asked = self._asked
        view = self.game.view(asked.state, self.seat)
        legal = self.encoding.legal(asked) if asked.seat == self.seat else [self.encoding.wait]
        return {
            "observation": self.encoding.observe(view, self.seat),
            "action_mask": self.encoding.mask(legal),
        }


def _lineup(name: str, opponents: str | Sequence[str], wanted: int) -> list[Bot]:
    named = [opponents] * wanted if isinstance(opponents, str) else list(opponents)
    if len(named) != wanted:
        raise BadTable(f"{len(named)} opponents are named for {wanted} seats")
    return [bot(name, level) for level in named]


def register() -> None:
    """Register every game that is played in turns with Gymnasium, unless it is registered already."""
    for name in games_in_turns():
        known = f"kotatsu/{name.capitalize()}-v{encoding(name, min(registry.game(name).seats)).version}"
        if known not in gymnasium.registry:
            gymnasium.register(known, entry_point=f"{__name__}:SeatEnv", kwargs={"game": name})


register()
