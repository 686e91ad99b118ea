"""Train a small agent that beats ``novice`` at Kimono: numpy, one core, a few minutes.

    python examples/train_kimono.py --games 4000 --save kimono-agent.npy
    python examples/train_kimono.py --load kimono-agent.npy --evaluate 400

The agent learns what a place is still worth: the points its seat will make from here on, as a sum of
weights, one for every way its hand can stand towards a style. It plays against itself, sees what
became of every place, and corrects the weights. To choose, it adds the points of an action to the
worth of the place it leads to, and subtracts the best the other seat could then take.

All it sees is the observation described in docs/lab/kimono.md.
"""

from __future__ import annotations

import argparse
import sys
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from rich.console import Console
from rich.progress import track

from kotatsu.games.kimono.data import BOX, CARDS_A_PLAYER, FABRICS, SIZES, Sum
from kotatsu.games.kimono.encoding import ACTIONS, POINTS_SCALE
from kotatsu.games.kimono.model import Combine, Take
from kotatsu.games.kimono.styles import combinations, fits
from kotatsu.lab.encoding import encoding
from kotatsu.lab.gymnasium import register
from kotatsu.lab.pettingzoo import raw_env

LAYOUT = encoding("kimono", 2).layout
POINTS = {kakemono.style: kakemono.points for kakemono in BOX.board}
NUMBERS = len(FABRICS)
ACCESSORY = 0
LONGEST = 5
"""More fitting cards than this are counted as this many."""
PHASES = (7, 4, 2, 1, 0)
"""A phase begins when so many takes are left."""
STYLES = len(BOX.board) * (LONGEST + 1) * 2
KIMONOS = (NUMBERS + 1) * 2
A_PHASE = STYLES + KIMONOS + CARDS_A_PLAYER + 1
FEATURES = len(PHASES) * A_PHASE


class Place(NamedTuple):
    """What lies before a seat: its hand, the numbers in its kimono with the last one first, cards placed."""

    hand: tuple[int, ...]
    lead: int | None
    worn: frozenset[int]
    placed: int

    @property
    def takes_left(self) -> int:
        return CARDS_A_PLAYER - self.placed - len(self.hand)

    def take(self, card: int) -> Place:
        if card == ACCESSORY:
            return self._replace(placed=self.placed + 1)
        return self._replace(hand=(*self.hand, card))

    def lay(self, move: Combine) -> Place:
        kept, laid = self.hand[: -move.cards], self.hand[-move.cards :]
        return Place(kept, laid[-1], self.worn | set(laid), self.placed + len(laid))


class Seen(NamedTuple):
    """An observation read back: the first two cards of each row, the places, one's own first, and one's points."""

    rows: list[tuple[int | None, int | None]]
    places: list[Place]
    points: float


def read(observation: Any) -> Seen:
    """The blocks of an observation, as cards."""
    ends = np.cumsum(list(LAYOUT.values()))
    blocks = dict(zip(LAYOUT, np.split(observation, ends[:-1]), strict=True))
    market = blocks["market"].reshape(SIZES[2].rows, SIZES[2].row_length, NUMBERS + 1)
    rows = [(_card(row[0]), _card(row[1])) for row in market]
    places = []
    for seat in range(2):
        hand = [_card(cards) for cards in blocks[f"hand_{seat}"].reshape(-1, NUMBERS)]
        places.append(
            Place(
                tuple(card for card in reversed(hand) if card is not None),
                _card(blocks[f"last_{seat}"]),
                frozenset((np.flatnonzero(blocks[f"kimono_{seat}"]) + 1).tolist()),
                round(float(blocks[f"counts_{seat}"][1]) * CARDS_A_PLAYER),
            )
        )
    accessories, _, points = map(float, blocks["counts_0"])
    earned = POINTS_SCALE * points + BOX.bonus.per_accessory * len(BOX.accessories) * accessories
    return Seen(rows, places, earned)


def _card(ones: Any) -> int | None:
    """The number a block points at; one more than the fabrics is an accessory."""
    if not ones.any():
        return None
    number = int(ones.argmax()) + 1
    return ACCESSORY if number > NUMBERS else number


@lru_cache(maxsize=1 << 18)
def features(place: Place) -> Any:
    """The numbers of the weights that count for a place."""
    start = A_PHASE * next(number for number, least in enumerate(PHASES) if place.takes_left >= least)
    found = [start + STYLES + KIMONOS + len(place.hand)]
    enough = place.placed >= BOX.bonus.variety_from
    found.append(start + STYLES + 2 * len(place.worn) + enough)
    for style, kakemono in enumerate(BOX.board):
        reach = _reach(kakemono.rule, place.hand)
        led = bool(reach and place.lead and _partly(kakemono.rule, (place.lead, *place.hand[-reach:])))
        found.append(start + (style * (LONGEST + 1) + reach) * 2 + led)
    return np.array(found)


def _reach(rule: Any, hand: tuple[int, ...]) -> int:
    count = 0
    while count < min(LONGEST, len(hand)) and _partly(rule, hand[-count - 1 :]):
        count += 1
    return count


def _partly(rule: Any, cards: tuple[int, ...]) -> bool:
    return sum(cards) <= rule.total if isinstance(rule, Sum) else fits(rule, cards)


class Agent:
    """Weights, and what to do with them."""

    def __init__(self, weights: Any = None) -> None:
        self.weights = np.zeros(FEATURES) if weights is None else weights

    def worth(self, place: Place) -> float:
        """The points still to come."""
        return float(self.weights[features(place)].sum())

    def choose(self, seen: Seen, legal: list[int]) -> int:
        """The action of the greatest promise."""
        return max(legal, key=lambda action: self._promise(seen, action))

    def _promise(self, seen: Seen, action: int) -> float:
        mine, other = seen.places
        move = ACTIONS[action]
        if isinstance(move, Combine):
            return POINTS[move.style][move.cards + move.lead] + self.worth(mine.lay(move))
        if not isinstance(move, Take):
            return self.worth(mine)
        front = [row[1 if number == move.row else 0] for number, row in enumerate(seen.rows)]
        card = seen.rows[move.row][0]
        assert card is not None
        replies = [self._turn(other, reply) for reply in front if reply is not None and other.takes_left]
        return self._turn(mine, card) - (max(replies) if replies else 0.0)

    def _turn(self, place: Place, card: int) -> float:
        """What taking a card brings, with the best combination after it."""
        after = place.take(card)
        if card == ACCESSORY:
            return BOX.bonus.per_accessory + self.worth(after)
        laid = (
            POINTS[move.style][move.cards + move.lead] + self.worth(after.lay(move))
            for move in combinations(after.hand, after.lead)
        )
        return max((self.worth(after), *laid))


def train(agent: Agent, games: int, seed: int = 0, rate: float = 0.01, curiosity: float = 0.1) -> None:
    """Let the agent play against itself and learn from every game."""
    env, luck = raw_env("kimono"), Random(seed)
    console = Console(stderr=True)
    for number in track(range(games), "training", console=console, disable=not console.is_terminal):
        env.reset(seed=seed * 1_000_003 + number)
        visited: dict[str, list[tuple[Place, float]]] = {agent: [] for agent in env.agents}
        while not env.terminations[env.agent_selection]:
            seat = env.agent_selection
            shown = env.observe(seat)
            seen, legal = read(shown["observation"]), np.flatnonzero(shown["action_mask"]).tolist()
            visited[seat].append((seen.places[0], seen.points))
            env.step(luck.choice(legal) if luck.random() < curiosity else agent.choose(seen, legal))
        speed = rate * (1 - number / games)
        for seat, places in visited.items():
            score = env.infos[seat]["score"]
            for place, points in places:
                error = score - points - agent.worth(place)
                agent.weights[features(place)] += speed * error


def evaluate(agent: Agent, games: int, opponents: str = "novice", seed: int = 1) -> float:
    """The agent's share of victories; a shared one is half."""
    register()
    env = gymnasium.make("kotatsu/Kimono-v0", opponents=opponents)
    won = 0.0
    for number in range(games):
        shown, _ = env.reset(seed=seed * 1_000_003 + number)
        over, reward = False, 0.0
        while not over:
            legal = np.flatnonzero(shown["action_mask"]).tolist()
            action = agent.choose(read(shown["observation"]), legal)
            shown, reward, over, _, _ = env.step(action)  # type: ignore[assignment]
        won += (reward + 1) / 2
    return won / games


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=0, help="train for so many games")
    parser.add_argument("--evaluate", type=int, default=200, metavar="GAMES", help="then play so many")
    parser.add_argument("--opponents", default="novice", help="against this level")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--load", type=Path, help="begin with these weights")
    parser.add_argument("--save", type=Path, help="keep the weights here")
    asked = parser.parse_args()
    agent = Agent(np.load(asked.load) if asked.load else None)
    train(agent, asked.games, asked.seed)
    if asked.save:
        np.save(asked.save, agent.weights)
    share = evaluate(agent, asked.evaluate, asked.opponents)
    sys.stdout.write(f"{100 * share:.1f} % of {asked.evaluate} games against {asked.opponents}\n")


if __name__ == "__main__":
    main()
