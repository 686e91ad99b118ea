"""Every game as a PettingZoo environment.

``env("kimono", players=3)`` asks one seat at a time, as ``kotatsu.lab.turns`` says. ``raw_env`` is
the same without PettingZoo's guarding wrappers, and faster. ``parallel_env`` asks every seat in every
cycle, which suits games in which several seats may act at once; ``cycle_env`` is the same, seat after
seat. Options of the game are keywords.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import parallel_to_aec, wrappers

from kotatsu.engine.contract import Fact, Move, Seat
from kotatsu.engine.driver import Driver
from kotatsu.engine.match import check_players, read_options
from kotatsu.engine.registry import game
from kotatsu.lab.encoding import Encoding, Mask, Vector, encoding, observation_space, rewards, usual_players
from kotatsu.lab.turns import AskedSeat, begin, choose, in_order, may_wait

Observation = dict[str, Vector | Mask]
_METADATA: dict[str, Any] = {"render_modes": ["human", "ansi"], "is_parallelizable": False}
ILLEGAL = -1.0
"""What an illegal action costs in the wrapped environment, which it also ends."""


def env(name: str, players: int | None = None, render_mode: str | None = None, **options: Any) -> Any:
    """The environment with PettingZoo's usual guards: an illegal action ends the game.

    Raises:
        UnknownGame: if no such game is on the shelf.
        BadTable: if it is not for that many players or has no such option.
    """
    guarded: Any = wrappers.TerminateIllegalWrapper(
        raw_env(name, players, render_mode, **options), illegal_reward=ILLEGAL
    )
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


def raw_env(
    name: str, players: int | None = None, render_mode: str | None = None, **options: Any
) -> TurnByTurn:
    """The bare environment; an illegal action is refused with an exception."""
    return TurnByTurn(name, players, render_mode, **options)


def parallel_env(
    name: str,
    players: int | None = None,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    **options: Any,
) -> AllAtOnce:
    """The environment in which every seat answers in every cycle, and most answers are to wait."""
    return AllAtOnce(name, players, render_mode, max_cycles, **options)


def cycle_env(
    name: str,
    players: int | None = None,
    render_mode: str | None = None,
    max_cycles: int | None = None,
    **options: Any,
) -> Any:
    """The same, but the answers of a cycle are asked for one after the other."""
    return parallel_to_aec(parallel_env(name, players, render_mode, max_cycles, **options))


class _EnvTable:
    """What both kinds of environment share: the game, its spaces, its position, its story."""

    def __init__(
        self, name: str, players: int | None, render_mode: str | None, options: dict[str, Any]
    ) -> None:
        self.game = game(name)
        self.players = players if players is not None else usual_players(self.game)
        check_players(self.game, self.players)
        self.options = read_options(self.game, options)
        self.driver = Driver(self.game, self.players, self.options)
        if render_mode not in (None, *_METADATA["render_modes"]):
            raise ValueError(f"there is no render mode {render_mode!r}")
        self.render_mode = render_mode
        self.encoding: Encoding = encoding(name, self.players)
        self.agents_by_seat = tuple(f"seat_{seat}" for seat in range(self.players))
        self.seat_of = {agent: seat for seat, agent in enumerate(self.agents_by_seat)}
        self.action_space = {agent: spaces.Discrete(self.encoding.action_count) for agent in self.seat_of}
        self.observation_space = {agent: observation_space(self.encoding) for agent in self.seat_of}
        self.rng = Random()
        self.asked: AskedSeat
        self.facts: list[Fact] = []

    def reset(self, seed: int | None) -> None:
        if seed is not None:
            self.rng.seed(seed)
        self.asked, self.facts = begin(self.driver, self.rng)

    def observe(self, seat: Seat, legal: list[int]) -> Observation:
        view = self.game.view(self.asked.state, seat)
        return {
            "observation": self.encoding.observe(view, seat),
            "action_mask": self.encoding.mask(legal),
        }

    def rewards(self) -> dict[str, float] | None:
        outcome = self.game.outcome(self.asked.state)
        return dict(zip(self.agents_by_seat, rewards(outcome), strict=True)) if outcome is not None else None

    def infos(self) -> dict[str, dict[str, Any]]:
        """Once the game is over: everyone's score."""
        outcome = self.game.outcome(self.asked.state)
        if outcome is None:
            return {agent: {} for agent in self.seat_of}
        return {agent: {"score": score} for agent, score in zip(self.seat_of, outcome.scores, strict=True)}

    def render(self) -> str | None:
        """What has just happened, in words: returned (``ansi``) or written to standard output (``human``)."""
        story = "\n".join(self.game.tell(fact, self.agents_by_seat) for fact in self.facts)
        if self.render_mode == "ansi":
            return story
        if self.render_mode == "human":
            sys.stdout.write(story + "\n")
        return None


class TurnByTurn(AECEnv[str, Any, Any]):  # type: ignore[misc]
    """One seat is asked at a time."""

    metadata: dict[str, Any] = _METADATA

    def __init__(
        self, name: str, players: int | None = None, render_mode: str | None = None, **options: Any
    ) -> None:
        super().__init__()
        self.table = _EnvTable(name, players, render_mode, options)
        self.metadata = {**_METADATA, "name": f"{name}_v{self.table.encoding.version}"}
        self.render_mode = render_mode
        self.possible_agents = list(self.table.agents_by_seat)
        self._legal: list[int] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.table.observation_space[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.table.action_space[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin anew; the same seed and the same actions give the same game."""
        self.table.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._ask()

    def observe(self, agent: str) -> Observation:
        """What a seat sees; to one that is not asked, or after the end, the mask leaves only to wait."""
        asked = agent == self.agent_selection and not self.terminations.get(agent, True)
        return self.table.observe(
            self.table.seat_of[agent], self._legal if asked else [self.table.encoding.wait]
        )

    def step(self, action: Any) -> None:
        """Let the selected seat act.

        Raises:
            ValueError: if the action is illegal; nothing has changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._retire(agent, action)
            return
        table = self.table
        if action not in self._legal:
            raise ValueError(f"action {action} is not legal for {agent}; legal are {self._legal}")
        choice = table.encoding.choice(int(action))
        table.asked, table.facts = choose(table.driver, table.asked, choice, table.rng)
        self._cumulative_rewards[agent] = 0.0
        self._ask()

    def render(self) -> str | None:
        return self.table.render()

    def close(self) -> None:
        """Nothing is held open."""

    def _ask(self) -> None:
        """Select the seat that is asked next, or end the game."""
        seat = self.table.asked.seat
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]
            self._legal = self.table.encoding.legal(self.table.asked)
            return
        self._legal = []
        self.rewards = self.table.rewards() or self.rewards
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = self.table.infos()
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward
        self.agent_selection = self.agents[0]

    def _retire(self, agent: str, action: Any) -> None:
        """After the end each seat is asked once more, has nothing to do, and is gone.

        Raises:
            ValueError: if it wants to do something.
        """
        if action is not None:
            raise ValueError(f"the game is over for {agent}; its only action is None, not {action}")
        self.agents.remove(agent)
        for of_agent in (self.terminations, self.truncations, self._cumulative_rewards, self.infos):
            del of_agent[agent]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]


class AllAtOnce(ParallelEnv[str, Any, Any]):  # type: ignore[misc]
    """Every seat answers in every cycle.

    Answers happen in the order in which seats would be asked one by one; one that is illegal, or was
    overtaken by an earlier one of the same cycle, is a wait, and so is a missing one. A cycle in which
    nobody moves lets a running deadline pass.
    """

    metadata: dict[str, Any] = _METADATA

    def __init__(
        self,
        name: str,
        players: int | None = None,
        render_mode: str | None = None,
        max_cycles: int | None = None,
        **options: Any,
    ) -> None:
        self.table = _EnvTable(name, players, render_mode, options)
        self.metadata = {**_METADATA, "name": f"{name}_v{self.table.encoding.version}"}
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.cycles = 0
        self.possible_agents = list(self.table.agents_by_seat)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.table.observation_space[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.table.action_space[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin anew; the same seed and the same actions give the same game."""
        self.table.reset(seed)
        self.agents = list(self.possible_agents)
        self.cycles = 0
        return self._observations(), self.table.infos()

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """One cycle: everybody's answer at once."""
        self._play({self.table.seat_of[agent]: int(action) for agent, action in actions.items()})
        self.cycles += 1
        earned = self.table.rewards()
        cut = earned is None and self.max_cycles is not None and self.cycles >= self.max_cycles
        results = (
            self._observations(),
            earned or dict.fromkeys(self.agents, 0.0),
            dict.fromkeys(self.agents, earned is not None),
            dict.fromkeys(self.agents, cut),
            self.table.infos(),
        )
        if earned is not None or cut:
            self.agents = []
        return results

    def render(self) -> str | None:
        return self.table.render()

    def close(self) -> None:
        """Nothing is held open."""

    def _play(self, actions: dict[Seat, int]) -> None:
        table = self.table
        happened: list[Fact] = []
        for seat in in_order(table.game, table.asked.state):
            move = table.encoding.choice(actions.get(seat, table.encoding.wait))
            if move is not None and move in table.game.moves(table.asked.state, seat):
                happened += self._move(seat, move)
        if not happened and table.game.deadline(table.asked.state) is not None:
            everyone = frozenset(in_order(table.game, table.asked.state))
            seat = max(everyone)
            alone = AskedSeat(table.asked.state, seat, everyone - {seat})
            table.asked, happened = choose(table.driver, alone, None, table.rng)
        table.facts = happened

    def _move(self, seat: Seat, move: Move) -> list[Fact]:
        table = self.table
        table.asked, facts = choose(table.driver, AskedSeat(table.asked.state, seat), move, table.rng)
        return facts

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._observe(seat) for agent, seat in self.table.seat_of.items()}

    def _observe(self, seat: Seat) -> Observation:
        table = self.table
        moves = table.game.moves(table.asked.state, seat)
        legal = [table.encoding.number(move) for move in moves]
        if not moves or may_wait(table.game, AskedSeat(table.asked.state, seat)):
            legal.append(table.encoding.wait)
        return table.observe(seat, legal)
