"""Faults put into the adapters one by one: our checks must notice every one of them."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from kotatsu.engine.contract import Outcome
from kotatsu.lab import chance, encoding, gymnasium, openspiel, pettingzoo, turns
from kotatsu.lab.encoding import Encoding
from kotatsu.lab.turns import AskedSeat
from tests.adapters.checks import CHECKS

_legal, _choice, _observe, _mask = Encoding.legal, Encoding.choice, Encoding.observe, Encoding.mask
_rewards, _in_order, _settle = encoding.rewards, turns.in_order, turns._expire_until_asked
_odds = chance.Undecided.odds


def unsorted(self: Encoding, asked: AskedSeat) -> list[int]:
    return _legal(self, asked)[::-1]


def one_too_few(self: Encoding, asked: AskedSeat) -> list[int]:
    return _legal(self, asked)[:1]


def one_too_many(self: Encoding, asked: AskedSeat) -> list[int]:
    return sorted({*_legal(self, asked), 0})


def never_wait(self: Encoding, asked: AskedSeat) -> list[int]:
    return [action for action in _legal(self, asked) if action != self.wait] or _legal(self, asked)


def the_action_beside(self: Encoding, action: int) -> Any:
    return _choice(self, action ^ 1) if action < 2 else _choice(self, action)


def everything_masked_in(self: Encoding, actions: Any) -> Any:
    return np.ones(self.action_count, np.int8)


def blind(self: Encoding, view: Any, seat: int) -> Any:
    return np.zeros(self.size, np.float32)


def from_another_chair(self: Encoding, view: Any, seat: int) -> Any:
    return _observe(self, view, (seat + 1) % self.players)


_shared: dict[int, Any] = {}


def one_vector_for_all(self: Encoding, view: Any, seat: int) -> Any:
    vector = _shared.setdefault(id(self), np.zeros(self.size, np.float32))
    vector[:] = _observe(self, view, seat)
    return vector


def losers_win(outcome: Outcome) -> tuple[float, ...]:
    return tuple(-reward for reward in _rewards(outcome))


def no_sum(outcome: Outcome) -> tuple[float, ...]:
    return tuple(max(0.0, reward) for reward in _rewards(outcome))


def next_seats_reward(outcome: Outcome) -> tuple[float, ...]:
    return (*_rewards(outcome)[1:], _rewards(outcome)[0])


def last_first(kind: Any, state: Any) -> list[int]:
    return _in_order(kind, state)[::-1]


def time_never_passes(driver: Any, state: Any, waiting: Any, facts: Any, rng: Random) -> Any:
    order = _in_order(driver.game, state)
    if order and set(order) <= waiting:
        return AskedSeat(state, order[0], frozenset()), facts
    return _settle(driver, state, waiting, facts, rng)


def even_odds(self: chance.Undecided) -> list[tuple[int, float]]:
    outcomes = [outcome for outcome, _ in _odds(self)]
    return [(outcome, 1 / len(outcomes)) for outcome in outcomes]


def odds_too_small(self: chance.Undecided) -> list[tuple[int, float]]:
    return [(outcome, odds * 0.9) for outcome, odds in _odds(self)]


def nothing_runs_out(self: chance.Undecided, outcome: int) -> Any:
    return chance.Undecided(self.weights, self.names, self.more - 1) if self.more else None


def seed_ignored(self: Any, seed: int | None) -> None:
    self.rng.seed()
    self.asked, self.facts = turns.begin(self.driver, self.rng)


def turn_never_passes(self: Any) -> None:
    _ask(self)
    if self.table.asked.seat is not None:
        self.agent_selection = self.possible_agents[0]


_ask = pettingzoo.TurnByTurn._ask


def ends_for_one(self: Any) -> None:
    _ask(self)
    if self.table.asked.seat is None:
        self.terminations = {agent: agent == self.agents[0] for agent in self.agents}


def pays_nothing(self: Any) -> None:
    _ask(self)
    self.rewards = dict.fromkeys(self.agents, 0.0)


def silent_scores(self: Any) -> dict[str, dict[str, Any]]:
    return {agent: {} for agent in self.seat_of}


def first_answer_only(self: Any, actions: dict[int, int]) -> None:
    _play(self, dict(list(actions.items())[:1]))


_play = pettingzoo.AllAtOnce._play
_apply = openspiel.KotatsuState._apply_action


def clone_shares_its_facts(self: Any, action: int) -> None:
    """As if positions were changed in place."""
    node = self.node
    _apply(self, action)
    for slot in node.__slots__:
        setattr(node, slot, getattr(self.node, slot))


def pickles_forget_who_waits(self: openspiel.Node) -> Any:
    event = None if self.event is None else self.event.args
    asked = None if self.asked is None else self.asked._replace(waiting=frozenset())
    return openspiel._restore, (asked, self.facts, self.doing, self.script, event)


def pickles_forget_the_past(self: openspiel.Node) -> Any:
    return openspiel._restore, (self.asked, (), self.doing, self.script, None)


def everything_is_told(table: Any, facts: Any, seat: int) -> list[Any]:
    return list(facts)


def memory_of_a_fish(table: Any, facts: Any, seat: int) -> list[Any]:
    return _told(table, facts, seat)[-3:]


_told = openspiel.known_facts
_stepped = openspiel.KotatsuGame._stepped


def keeps_the_hidden_grid(self: Any, node: openspiel.Node) -> Any:
    rng = chance.seeded(node.script, len(node.facts))
    if node.asked is None:
        return turns.begin(self.driver, rng)
    assert not isinstance(node.doing, str)
    return turns.choose(self.driver, node.asked, node.doing, rng)


def waits_by_moving(self: Any, action: int) -> None:
    _apply(self, self.legal_actions()[0] if action == self.get_game().encoding.wait else action)


def returns_of_one(self: Any) -> list[float]:
    return _returns(self)[::-1]


_returns = openspiel.KotatsuState.returns


def opponents_sleep(self: Any) -> None:
    while self._asked.seat is not None and self._asked.seat != self.seat:
        self._play(turns.choices(self.game, self._asked)[0])


def opponents_told_nothing(self: Any, before: Any, facts: Any) -> None:
    self._facts += facts


def always_the_first_chair(self: Any) -> None:
    self.seat = 0
    self._bots = {1 + step: each for step, each in enumerate(self._opponents)}


def own_luck(self: Any, *, seed: int | None = None, options: Any = None) -> Any:
    return _reset(self, seed=Random().getrandbits(30))


_reset = gymnasium.SeatEnv.reset


def forgives(self: Any, action: Any) -> Any:
    legal = self.encoding.legal(self._asked)
    return _step(self, action if int(action) in legal else legal[0])


_step = gymnasium.SeatEnv.step
KIMONO, KABUKI, KAKUZU = ("kimono", 2), ("kabuki", 3), ("kakuzu", 2)

MUTANTS = [
    (Encoding, "legal", unsorted, KIMONO, "openspiel_plays_the_rules"),
    (Encoding, "legal", one_too_few, KIMONO, "pettingzoo_plays_the_rules"),
    (Encoding, "legal", one_too_few, KIMONO, "gymnasium_plays_the_rules"),
    (Encoding, "legal", one_too_many, KAKUZU, "pettingzoo_plays_the_rules"),
    (Encoding, "legal", never_wait, KABUKI, "openspiel_plays_the_rules"),
    (Encoding, "choice", the_action_beside, KIMONO, "openspiel_plays_the_rules"),
    (Encoding, "choice", the_action_beside, KIMONO, "pettingzoo_plays_the_rules"),
    (Encoding, "choice", the_action_beside, KIMONO, "pettingzoo_all_at_once_plays_the_rules"),
    (Encoding, "mask", everything_masked_in, KIMONO, "gymnasium_plays_the_rules"),
    (Encoding, "observe", blind, KIMONO, "pettingzoo_plays_the_rules"),
    (Encoding, "observe", from_another_chair, KIMONO, "openspiel_plays_the_rules"),
    (Encoding, "observe", from_another_chair, KABUKI, "gymnasium_plays_the_rules"),
    (Encoding, "observe", one_vector_for_all, KIMONO, "pettingzoo_plays_the_rules"),
    (pettingzoo, "rewards", losers_win, KIMONO, "pettingzoo_plays_the_rules"),
    (pettingzoo, "rewards", no_sum, KABUKI, "pettingzoo_all_at_once_plays_the_rules"),
    (openspiel, "rewards", losers_win, KABUKI, "openspiel_plays_the_rules"),
    (openspiel, "rewards", no_sum, KABUKI, "openspiel_plays_the_rules"),
    (gymnasium, "rewards", next_seats_reward, KIMONO, "gymnasium_plays_the_rules"),
    (turns, "in_order", last_first, KABUKI, "pettingzoo_plays_the_rules"),
    (turns, "_expire_until_asked", time_never_passes, KABUKI, "pettingzoo_plays_the_rules"),
    (chance.Undecided, "odds", even_odds, KIMONO, "openspiel_chance_is_the_rules_chance"),
    (chance.Undecided, "odds", odds_too_small, KIMONO, "openspiel_plays_the_rules"),
    (chance.Undecided, "then", nothing_runs_out, KIMONO, "openspiel_plays_the_rules"),
    (pettingzoo._EnvTable, "reset", seed_ignored, KIMONO, "pettingzoo_plays_the_rules"),
    (pettingzoo.TurnByTurn, "_ask", turn_never_passes, KIMONO, "pettingzoo_plays_the_rules"),
    (pettingzoo.TurnByTurn, "_ask", ends_for_one, KIMONO, "pettingzoo_plays_the_rules"),
    (pettingzoo.TurnByTurn, "_ask", pays_nothing, KIMONO, "pettingzoo_plays_the_rules"),
    (pettingzoo._EnvTable, "infos", silent_scores, KIMONO, "pettingzoo_plays_the_rules"),
    (pettingzoo.AllAtOnce, "_play", first_answer_only, KABUKI, "pettingzoo_all_at_once_plays_the_rules"),
    (openspiel.KotatsuState, "_apply_action", clone_shares_its_facts, KIMONO, "openspiel_copies_stand_alone"),
    (openspiel.KotatsuState, "_apply_action", waits_by_moving, KABUKI, "openspiel_plays_the_rules"),
    (openspiel.KotatsuState, "returns", returns_of_one, KIMONO, "openspiel_plays_the_rules"),
    (openspiel.Node, "__reduce__", pickles_forget_who_waits, KABUKI, "openspiel_copies_stand_alone"),
    (openspiel.Node, "__reduce__", pickles_forget_the_past, KIMONO, "openspiel_copies_stand_alone"),
    (openspiel, "known_facts", everything_is_told, KAKUZU, "openspiel_information_states_hold"),
    (openspiel, "known_facts", memory_of_a_fish, KIMONO, "openspiel_information_states_hold"),
    (openspiel.KotatsuGame, "_stepped", keeps_the_hidden_grid, KAKUZU, "openspiel_keeps_no_secret_for_later"),
    (gymnasium.SeatEnv, "_play_opponents", opponents_sleep, KIMONO, "gymnasium_plays_the_rules"),
    (gymnasium.SeatEnv, "_add_facts", opponents_told_nothing, KIMONO, "gymnasium_plays_the_rules"),
    (gymnasium.SeatEnv, "_assign_seats", always_the_first_chair, KIMONO, "gymnasium_plays_the_rules"),
    (gymnasium.SeatEnv, "reset", own_luck, KIMONO, "gymnasium_same_seed_same_game"),
    (gymnasium.SeatEnv, "step", forgives, KIMONO, "gymnasium_plays_the_rules"),
]


@pytest.mark.parametrize(
    ("owner", "name", "fault", "table", "check"),
    MUTANTS,
    ids=[f"{fault.__name__}-{check}" for _, _, fault, _, check in MUTANTS],
)
def test_fault_is_noticed(
    owner: Any,
    name: str,
    fault: Any,
    table: tuple[str, int],
    check: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(owner, name, fault)
    with pytest.raises((AssertionError, IndexError, KeyError, RuntimeError, ValueError)):
        CHECKS[check](*table)


def test_a_secret_that_shows_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def shows_the_grid(self: Any, seat: int, legal: list[int]) -> Any:
        state = self.asked.state
        vector = _observe(self.encoding, self.game.view(state, seat), seat)
        vector[0] = state.grid[0] / 9
        return {"observation": vector, "action_mask": _mask(self.encoding, legal)}

    monkeypatch.setattr(pettingzoo._EnvTable, "observe", shows_the_grid)
    with pytest.raises(AssertionError, match="a secret shows"):
        CHECKS["pettingzoo_keeps_secrets"]("kakuzu", 2)


def test_a_bound_that_is_too_small_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding.encoding("kimono", 2), "longest", 20)
    with pytest.raises(AssertionError, match="choices in one game"):
        CHECKS["the_bound_on_choices_holds"]("kimono", 2)
