"""What the packages' own tests do not look at: that an adapter plays the rules, and nothing but the rules.

Each check plays a game through an adapter and holds every step against the rules, asked directly.
``test_mutants`` shows that they fail when they should.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import msgspec
import numpy as np
import pyspiel
from gymnasium import spaces

import kotatsu
from kotatsu.bots.contract import Situation, Thought
from kotatsu.bots.search import RandomBot
from kotatsu.engine.contract import Fact, Move, Outcome, Seat
from kotatsu.engine.match import Match
from kotatsu.engine.registry import game, part
from kotatsu.lab import gymnasium as gym_lab
from kotatsu.lab import openspiel as spiel_lab
from kotatsu.lab import pettingzoo as zoo_lab
from kotatsu.lab.encoding import enumerate_moves

Check = Callable[[str, int], None]
SEED = 5


class Rules:
    """A match asked seat by seat, told here in other words than in ``kotatsu.lab.turns``."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.waiting: set[Seat] = set()

    @property
    def asked(self) -> Seat | None:
        match = self.match
        while match.outcome is None:
            first = _first(match)
            keys = {
                seat: (first.index(seat) if seat in first else match.players, seat) for seat in match.acting
            }
            free = [seat for seat in sorted(keys, key=keys.__getitem__) if seat not in self.waiting]
            if free:
                return free[0]
            match.expire()
            self.waiting = set()
        return None

    def choices(self) -> list[Move | None]:
        seat = self.asked
        assert seat is not None
        last = not self.match.acting - self.waiting - {seat}
        wait = [] if self.match.deadline is None and last else [None]
        return [*self.match.moves(seat), *wait]

    def do(self, choice: Move | None) -> None:
        seat, before = self.asked, self.match.deadline
        assert seat is not None
        if choice is None:
            self.waiting.add(seat)
            return
        self.match.play(seat, choice)
        if before is None or self.match.deadline != before:
            self.waiting = set()


def _first(match: Match) -> tuple[Seat, ...]:
    """Whoever is waited for; if nothing hurries, those who can do nothing but win a race."""
    race = match.game.race(match.state)
    if match.deadline is not None:
        return match.deadline.seats
    return tuple(seat for seat in race.seats if list(match.moves(seat)) == [race.move]) if race else ()


@cache
def all_moves(name: str) -> tuple[Move, ...]:
    own = part(name, "encoding")
    return getattr(own, "ACTIONS", None) or enumerate_moves(game(name))


def numbers(name: str, choices: list[Move | None]) -> list[int]:
    moves = all_moves(name)
    return sorted(len(moves) if choice is None else moves.index(choice) for choice in choices)


def choice_of(name: str, action: int) -> Move | None:
    moves = all_moves(name)
    return None if action == len(moves) else moves[action]


def seen(name: str, view: Any, seat: Seat, players: int) -> Any:
    own: Any = part(name, "encoding")
    vector = np.zeros(sum(own.layout(players).values()), np.float32)
    own.observe(view, seat, players, vector)
    return vector


def due(outcome: Outcome) -> list[float]:
    """The victory is worth one, shared by the winners; all together get nothing."""
    players, winners = len(outcome.scores), outcome.winners
    if players == 1:
        return [1.0 if winners else -1.0]
    return [(players * (seat in winners) / len(winners) - 1) / (players - 1) for seat in range(players)]


def pettingzoo_plays_the_rules(name: str, players: int) -> None:
    env = zoo_lab.raw_env(name, players=players)
    env.reset(seed=SEED)
    rules, luck = Rules(kotatsu.start(name, players, SEED)), Random(SEED)
    held: list[tuple[Any, Any]] = []
    while rules.asked is not None:
        seat = rules.asked
        assert env.agent_selection == f"seat_{seat}", "another seat is asked"
        observation, reward, over, cut, _ = env.last()
        assert (reward, over, cut) == (0.0, False, False)
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        assert legal == numbers(name, rules.choices()), "the mask is not what the rules allow"
        held.append((observation["observation"], observation["observation"].copy()))
        for other in range(players):
            shown = env.observe(f"seat_{other}")
            wanted = seen(name, rules.match.view(other), other, players)
            assert np.array_equal(shown["observation"], wanted), "an observation is not of the seat's view"
            if other != seat:
                assert np.flatnonzero(shown["action_mask"]).tolist() == [len(all_moves(name))]
        action = luck.choice(legal)
        env.step(action)
        rules.do(choice_of(name, action))
    outcome = rules.match.outcome
    assert outcome is not None
    assert np.allclose([env.rewards[f"seat_{seat}"] for seat in range(players)], due(outcome)), "rewards"
    assert env.rewards == env._cumulative_rewards
    assert all(env.terminations.values()), "the game is over, but not for everybody"
    assert [env.infos[f"seat_{seat}"]["score"] for seat in range(players)] == list(outcome.scores)
    assert all(np.array_equal(*pair) for pair in held), "an observation changed after it was handed out"


def pettingzoo_keeps_secrets(name: str, players: int) -> None:
    """What a seat cannot know changes nothing of what it is shown."""
    env, luck = zoo_lab.raw_env(name, players=players), Random(SEED)
    env.reset(seed=SEED)
    for _ in range(40):
        if env.table.asked.seat is None:
            break
        seat = env.table.asked.seat
        true, shown = env.table.asked, env.observe(f"seat_{seat}")
        env.table.asked = true._replace(state=env.table.game.imagine(true.state, seat, luck))
        again = env.observe(f"seat_{seat}")
        env.table.asked = true
        assert all(np.array_equal(shown[part], again[part]) for part in shown), "a secret shows"
        env.step(luck.choice(np.flatnonzero(shown["action_mask"]).tolist()))


def pettingzoo_all_at_once_plays_the_rules(name: str, players: int) -> None:
    env = zoo_lab.parallel_env(name, players=players)
    shown, _ = env.reset(seed=SEED)
    match, luck = kotatsu.start(name, players, SEED), Random(SEED)
    results: Any = ()
    while env.agents:
        answers: dict[Seat, int] = {}
        for seat in range(players):
            legal = np.flatnonzero(shown[f"seat_{seat}"]["action_mask"]).tolist()
            moves = list(match.moves(seat))
            others = match.acting - {seat}
            wait = [None] if not moves or match.deadline or others else []
            assert legal == numbers(name, [*moves, *wait]), "the mask is not what the rules allow"
            wanted = seen(name, match.view(seat), seat, players)
            assert np.array_equal(shown[f"seat_{seat}"]["observation"], wanted)
            answers[seat] = luck.choice(legal)
        results = env.step({f"seat_{seat}": action for seat, action in answers.items()})
        shown = results[0]
        _cycle(match, {seat: choice_of(name, action) for seat, action in answers.items()})
    assert match.outcome is not None
    assert np.allclose([results[1][f"seat_{seat}"] for seat in range(players)], due(match.outcome)), "rewards"
    assert all(results[2].values())
    assert not any(results[3].values())


def _cycle(match: Match, answers: dict[Seat, Move | None]) -> None:
    """Everybody's answer, in the order in which seats are asked; then time, if nobody moved."""
    first = _first(match)
    order = [*(seat for seat in first if seat in match.acting), *sorted(match.acting - set(first))]
    moved = False
    for seat in order:
        move = answers[seat]
        if move is not None and move in match.moves(seat):
            match.play(seat, move)
            moved = True
            _pass_time(match)
    if not moved and match.deadline is not None:
        match.expire()
        _pass_time(match)


def _pass_time(match: Match) -> None:
    while match.outcome is None and not match.acting:
        match.expire()


def openspiel_plays_the_rules(name: str, players: int) -> None:
    """Who is asked, what they may do, what comes of it, and what it is worth in the end."""
    table = pyspiel.load_game(name, {"players": players})
    kind, luck = game(name), Random(SEED)
    state = table.new_initial_state()
    waiting: set[Seat] = set()
    decisions = 0
    while True:
        _draw(state, luck)
        rules = Rules(_match_of(state, players))
        rules.waiting = set(waiting)
        seat = rules.asked
        for other in range(players):
            # What lay hidden all along comes to light at the end, and only the last state knows it.
            wanted = kind.view(rules.match.state if seat is not None else state.node.asked.state, other)
            assert state.observation_string(other) == msgspec.json.encode(wanted).decode()
            assert np.array_equal(state.observation_tensor(other), seen(name, wanted, other, players))
        if seat is None:
            break
        assert state.current_player() == seat, "another seat is asked"
        assert state.legal_actions() == numbers(name, rules.choices()), "not what the rules allow"
        assert len(set(map(state.action_to_string, state.legal_actions()))) == len(state.legal_actions())
        action = luck.choice(state.legal_actions())
        choice, known, deadline = choice_of(name, action), len(state.node.facts), rules.match.deadline
        state.apply_action(action)
        _draw(state, luck)
        decisions += 1
        news = state.node.facts[known:]
        if choice is None and rules.match.acting - waiting - {seat}:
            assert not news, "something happened while others were still to be asked"
            waiting.add(seat)
        elif choice is None:
            assert type(news[0]) is type(kind.expire(rules.match.state, luck)[0]), "time did not pass"
            waiting = set()
        else:
            same = deadline is not None and deadline == _match_of(state, players).deadline
            waiting = waiting if same else set()
            _stems_from(news[0], seat, choice)
    outcome = rules.match.outcome
    assert outcome is not None
    assert state.is_terminal()
    assert np.allclose(state.returns(), due(outcome)), "returns"
    assert decisions <= table.max_game_length()


def _stems_from(fact: Fact, seat: Seat, move: Move) -> None:
    """The first fact of a move is by that seat and says what the move said."""
    told, asked = msgspec.to_builtins(fact), msgspec.to_builtins(move)
    same = {key for key in asked if type(told.get(key)) is type(asked[key])} - {"move"}
    assert told.get("seat", seat) == seat, "somebody else moved"
    assert all(told[key] == asked[key] for key in same), "another move was made"


def _match_of(state: Any, players: int) -> Match:
    table = state.get_game()
    return Match(table.kind, players, table.options, Random(0), log=state.node.facts)


def _draw(state: Any, luck: Random) -> None:
    """Let chance decide until a seat is asked."""
    while state.is_chance_node():
        outcomes, odds = zip(*state.chance_outcomes(), strict=True)
        assert abs(sum(odds) - 1) < 1e-9
        assert min(odds) > 0
        state.apply_action(luck.choices(outcomes, odds)[0])


def openspiel_copies_stand_alone(name: str, players: int) -> None:
    """Clones, pickles and serialised states are the same position, and going on in one leaves the others."""
    table, luck = pyspiel.load_game(name, {"players": players}), Random(SEED)
    state = table.new_initial_state()
    for _ in range(30):
        _draw(state, luck)
        if state.is_terminal():
            break
        before = _fingerprint(state, players)
        text = pyspiel.serialize_game_and_state(table, state)
        for copy in (
            state.clone(),
            pickle.loads(pickle.dumps(state)),
            pyspiel.deserialize_game_and_state(text)[1],
        ):
            assert _fingerprint(copy, players) == before, "a copy is another position"
            assert copy.node.asked.waiting == state.node.asked.waiting
            copy.apply_action(luck.choice(copy.legal_actions()))
            _draw(copy, luck)
            assert _fingerprint(state, players) == before, "a copy is not independent"
        state.apply_action(luck.choice(state.legal_actions()))


def _fingerprint(state: Any, players: int) -> tuple[Any, ...]:
    told = [state.information_state_string(seat) for seat in range(players)]
    return str(state), state.current_player(), tuple(state.legal_actions()), told, tuple(state.history())


def openspiel_information_states_hold(name: str, players: int) -> None:
    """They are what a seat was told, only grow, never come twice, and decide what the seat may do."""
    table, kind = pyspiel.load_game(name, {"players": players}), game(name)
    choices: dict[tuple[Seat, str], list[int]] = {}
    for seed in range(1 if table.seeded else 2):
        luck, state = Random(seed), table.new_initial_state()
        before = [""] * players
        met = set()
        while not state.is_terminal():
            _draw(state, luck)
            for seat in range(players):
                heard = state.information_state_string(seat)
                assert heard == "\n".join(_told(kind, state, seat, players)), "not what the seat was told"
                assert heard.startswith(before[seat]), "a seat's memory was rewritten"
                before[seat] = heard
            if state.is_terminal():
                break
            mine = state.current_player(), before[state.current_player()]
            assert mine not in met, "the same information state twice in one game"
            met.add(mine)
            assert choices.setdefault(mine, state.legal_actions()) == state.legal_actions()
            state.apply_action(luck.choice(state.legal_actions()))


def _told(kind: Any, state: Any, seat: Seat, players: int) -> list[str]:
    position, lines = kind.empty(players, state.get_game().options), []
    for fact in state.node.facts:
        position = kind.fold(position, fact)
        known = kind.redact(position, fact, seat)
        if known is not None:
            lines.append(msgspec.json.encode(known).decode())
    return lines


def openspiel_keeps_no_secret_for_later(name: str, players: int) -> None:
    """Nothing hidden is fixed in a state: what comes of one action is open as long as the rules leave it open."""
    kind, luck = game(name), Random(SEED)
    table = pyspiel.load_game(name, {"players": players})
    state = table.new_initial_state()
    _draw(state, luck)
    for _ in range(12):
        state.apply_action(luck.choice(state.legal_actions()))
        _draw(state, luck)
    asked = state.node.asked
    for action in state.legal_actions()[:2]:
        move = choice_of(name, action)
        if move is None:
            continue
        by_rules, by_chance = set(), set()
        for _ in range(8):
            imagined = asked.state if kind.forgetful else kind.imagine(asked.state, asked.seat, luck)
            by_rules.add(msgspec.json.encode(kind.decide(imagined, asked.seat, move, luck)))
            child = state.child(action)
            _draw(child, luck)
            by_chance.add(msgspec.json.encode(child.node.facts[len(state.node.facts) :][:1]))
        assert (len(by_chance) > 1) or (len(by_rules) == 1) or _later(by_rules), (
            "a secret is kept in the state"
        )


def _later(by_rules: set[bytes]) -> bool:
    """Whether what differs comes after the first fact."""
    return len({msgspec.json.encode(msgspec.json.decode(each)[:1]) for each in by_rules}) == 1


def openspiel_chance_is_the_rules_chance(name: str, players: int) -> None:
    """How a game begins is as likely through chance nodes as through the rules."""
    table, kind, luck = pyspiel.load_game(name, {"players": players}), game(name), Random(SEED)
    through_nodes: Counter[tuple[str, str]] = Counter()
    through_rules: Counter[tuple[str, str]] = Counter()
    for number in range(60 if table.seeded else 600):
        state = table.new_initial_state()
        _draw(state, luck)
        through_nodes.update(_opening(state.node.facts))
        through_rules.update(_opening(kind.setup(players, kind.options_type(), Random(number))))
    paths: dict[str, list[float]] = {}
    for key in through_rules | through_nodes:
        one, other = through_nodes[key], through_rules[key]
        paths.setdefault(key[0], []).append((one - other) ** 2 / (one + other))
    for path, terms in paths.items():
        freedom = len(terms) - 1
        assert sum(terms) <= freedom + 6 * (2 * freedom) ** 0.5, f"{path} is not as likely as by the rules"


def _opening(facts: Any) -> list[tuple[str, str]]:
    """The values in the first facts of a game, each with the way to it, as far as they are few."""
    found: list[tuple[str, str]] = []

    def walk(value: Any, path: str) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(inner, f"{path}.{key}")
        elif isinstance(value, (list, tuple)):
            for number, inner in enumerate(value[:3]):
                walk(inner, f"{path}.{number}")
        else:
            found.append((path, str(value)))

    for number, fact in enumerate(facts):
        walk(msgspec.to_builtins(fact), str(number))
    return found


class Spy:
    """An opponent that plays at random and notes where it was asked."""

    imagines = 0
    remembers = True

    def __init__(self) -> None:
        self.asked: list[Situation] = []

    def think(self, situation: Situation) -> Thought:
        self.asked.append(situation)
        return RandomBot().think(situation)


def gymnasium_plays_the_rules(name: str, players: int) -> None:
    env = gym_lab.SeatEnv(name, players=players, opponents="random")
    spies = [Spy() for _ in range(players - 1)]
    env._opponents = list(spies)
    kind, seats, luck = game(name), set(), Random(SEED)
    for seed in range(2):
        observation, _ = env.reset(seed=seed)
        mine = env.seat
        over = False
        while not over:
            state = env._asked.state
            assert env._asked.seat == mine, "somebody else is asked"
            legal = np.flatnonzero(observation["action_mask"]).tolist()
            moves = list(kind.moves(state, mine))
            assert [action for action in legal if action != len(all_moves(name))] == numbers(name, [*moves])
            wanted = seen(name, kind.view(state, mine), mine, players)
            assert np.array_equal(observation["observation"], wanted), (
                "an observation is not of the seat's view"
            )
            observation, reward, over, cut, info = env.step(luck.choice(legal))
            assert not cut
            outcome = kind.outcome(env._asked.state)
            assert over == (outcome is not None)
            if outcome is None:
                assert reward == 0
                continue
            assert abs(reward - due(outcome)[mine]) < 1e-9, "the reward is another seat's"
            assert info == {"scores": outcome.scores, "seat": mine, "won": mine in outcome.winners}
        for step, spy in enumerate(spies):
            assert spy.asked, "an opponent is never asked"
            assert {each.seat for each in spy.asked} == {(mine + 1 + step) % players}
            assert all(each.told for each in spy.asked), "an opponent is told nothing"
            spy.asked.clear()
    for seed in range(20 * players):
        env.reset(seed=seed)
        seats.add(env.seat)
        if len(seats) == players:
            break
    assert seats == set(range(players)), "some seat is never mine"
    assert isinstance(env.action_space, spaces.Discrete)
    env.reset(seed=1)
    _, reward, over, _, info = env.step(_illegal(env))
    assert (reward, over, info) == (gym_lab.ILLEGAL, True, {"illegal": True})


def _illegal(env: Any) -> int:
    legal = env.encoding.legal(env._asked)
    return next(action for action in range(env.action_space.n) if action not in legal)


def gymnasium_same_seed_same_game(name: str, players: int) -> None:
    stories = []
    for _ in range(2):
        env, luck = gym_lab.SeatEnv(name, players=players, opponents="random"), Random(SEED)
        shown, _ = env.reset(seed=SEED)
        story = [shown["observation"]]
        over = False
        while not over:
            shown, _, over, _, _ = env.step(luck.choice(np.flatnonzero(shown["action_mask"]).tolist()))
            story.append(shown["observation"])
        stories.append(np.array(story))
    assert np.array_equal(stories[0], stories[1]), "the same seed gives another game"


def the_bound_on_choices_holds(name: str, players: int) -> None:
    """Whoever dawdles as much as the rules allow stays within the length that is declared."""
    for pick in (-1, 0, None):
        env, luck = zoo_lab.raw_env(name, players=players), Random(SEED)
        env.reset(seed=SEED)
        count = 0
        while env.table.asked.seat is not None:
            env.step(luck.choice(env._legal) if pick is None else env._legal[pick])
            count += 1
        assert count <= env.table.encoding.longest, f"{count} choices in one game"


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        pettingzoo_plays_the_rules,
        pettingzoo_keeps_secrets,
        pettingzoo_all_at_once_plays_the_rules,
        openspiel_plays_the_rules,
        openspiel_copies_stand_alone,
        openspiel_information_states_hold,
        openspiel_keeps_no_secret_for_later,
        openspiel_chance_is_the_rules_chance,
        gymnasium_plays_the_rules,
        gymnasium_same_seed_same_game,
        the_bound_on_choices_holds,
    )
}

spiel_lab.register()
