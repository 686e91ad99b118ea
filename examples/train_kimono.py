"""Train a small agent that beats ``novice`` at Kimono: numpy, one core, a few minutes.

    python examples/train_kimono.py --games 4000 --save kimono-agent.npy
    python examples/train_kimono.py --load kimono-agent.npy --evaluate 400

The agent learns a value function: the points a seat will still make from its cards on, as a sum of weights,
one for every way its hand can fit a style. It plays against itself, sees how many points followed every
position, and corrects the weights (Monte Carlo regression). To choose, it adds the points of an action to the
value of the cards it leads to, and subtracts the best the other seat could then take.

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
"""The blocks of an observation with two players: their sizes by name, in order."""
POINTS = {kakemono.style: kakemono.points for kakemono in BOX.board}
"""The points of each style by the number of cards."""
NUMBERS = len(FABRICS)
"""How many fabrics there are: the numbers 1 to 9."""
ACCESSORY = 0
"""The number that stands for an accessory."""
LONGEST = 5
"""More fitting cards than this are counted as this many. Chosen by hand."""
PHASES = (7, 4, 2, 1, 0)
"""A phase begins when so many takes are left; each has weights of its own. Chosen by hand."""
STYLES = len(BOX.board) * (LONGEST + 1) * 2
"""Features of a phase: for each style how many cards fit, and whether the lead fits too."""
KIMONOS = (NUMBERS + 1) * 2
"""Features of a phase: the different numbers in the kimono, and whether the variety bonus is reached."""
A_PHASE = STYLES + KIMONOS + CARDS_A_PLAYER + 1
"""All features of a phase, with the size of the hand."""
FEATURES = len(PHASES) * A_PHASE
"""All features, which is how many weights there are."""


class Place(NamedTuple):
    """The cards before a seat.

    Attributes:
        hand: The hand, the last card taken last.
        lead: The last card of the kimono; ``None`` if it is empty.
        worn: The numbers in the kimono.
        placed: How many cards are placed, accessories included.
    """

    hand: tuple[int, ...]
    lead: int | None
    worn: frozenset[int]
    placed: int

    @property
    def takes_left(self) -> int:
        """How many more cards the seat takes in this game."""
        return CARDS_A_PLAYER - self.placed - len(self.hand)

    def take(self, card: int) -> Place:
        """The same cards after taking one more; 0 is an accessory."""
        if card == ACCESSORY:
            return self._replace(placed=self.placed + 1)
        return self._replace(hand=(*self.hand, card))

    def lay(self, move: Combine) -> Place:
        """The same cards after a combination."""
        kept, laid = self.hand[: -move.cards], self.hand[-move.cards :]
        return Place(kept, laid[-1], self.worn | set(laid), self.placed + len(laid))


class Seen(NamedTuple):
    """An observation read back.

    Attributes:
        rows: The first two cards of each row of the market; ``None`` where there is none.
        places: The cards of both seats, one's own first.
        points: One's own points so far.
    """

    rows: list[tuple[int | None, int | None]]
    places: list[Place]
    points: float


def read(observation: Any) -> Seen:
    """Read an observation back into cards.

    Args:
        observation: The vector that the environment returns, float32.
    """
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
    """The number a block of ones and zeros points at; one more than the fabrics is an accessory."""
    if not ones.any():
        return None
    number = int(ones.argmax()) + 1
    return ACCESSORY if number > NUMBERS else number


@lru_cache(maxsize=1 << 18)
def features(place: Place) -> Any:
    """The indices of the weights that count for some cards, one of each kind."""
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
    """A linear value function, and a player that uses it.

    Args:
        weights: float64 of ``FEATURES`` elements; ``None`` for an agent that has learned nothing.
    """

    def __init__(self, weights: Any = None) -> None:
        self.weights = np.zeros(FEATURES) if weights is None else weights

    def worth(self, place: Place) -> float:
        """The points still to come, as the agent estimates them."""
        return float(self.weights[features(place)].sum())

    def choose(self, seen: Seen, legal: list[int]) -> int:
        """The legal action with the highest value.

        Args:
            seen: What the agent sees.
            legal: The legal actions.
        """
        return max(legal, key=lambda action: self._value_after(seen, action))

    def _value_after(self, seen: Seen, action: int) -> float:
        """The value of an action: points made and still to come, less the best the other seat could take."""
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


def train(agent: Agent, games: int, seed: int = 0, rate: float = 0.01, exploration: float = 0.1) -> None:
    """Let the agent play against itself and learn from every game.

    Args:
        agent: The agent; its weights are changed.
        games: How many games.
        seed: The seed of the games and of the exploration.
        rate: The learning rate at the beginning; it falls to 0. Chosen by hand, as the next one.
        exploration: How often a random action is tried instead, 0 to 1.
    """
    env, rng = raw_env("kimono"), Random(seed)
    console = Console(stderr=True)
    for number in track(range(games), "training", console=console, disable=not console.is_terminal):
        env.reset(seed=seed * 1_000_003 + number)
        visited: dict[str, list[tuple[Place, float]]] = {agent: [] for agent in env.agents}
        while not env.terminations[env.agent_selection]:
            seat = env.agent_selection
            shown = env.observe(seat)
            seen, legal = read(shown["observation"]), np.flatnonzero(shown["action_mask"]).tolist()
            visited[seat].append((seen.places[0], seen.points))
            env.step(rng.choice(legal) if rng.random() < exploration else agent.choose(seen, legal))
        speed = rate * (1 - number / games)
        for seat, places in visited.items():
            score = env.infos[seat]["score"]
            for place, points in places:
                error = score - points - agent.worth(place)
                agent.weights[features(place)] += speed * error


def evaluate(agent: Agent, games: int, opponents: str = "novice", seed: int = 1) -> float:
    """Play against bots; returns the agent's share of victories, a shared one counting half.

    Args:
        agent: The agent.
        games: How many games.
        opponents: The level of the bots.
        seed: The seed of the games.
    """
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
    """Train if asked to, keep the weights, and play against bots."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=0, help="train for so many games")
    parser.add_argument("--evaluate", type=int, default=200, metavar="GAMES", help="then play so many")
    parser.add_argument("--opponents", default="novice", help="against this level")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--load", type=Path, help="begin with these weights")
    parser.add_argument("--save", type=Path, help="keep the weights here")
    args = parser.parse_args()
    agent = Agent(np.load(args.load) if args.load else None)
    train(agent, args.games, args.seed)
    if args.save:
        np.save(args.save, agent.weights)
    share = evaluate(agent, args.evaluate, args.opponents)
    sys.stdout.write(f"{100 * share:.1f} % of {args.evaluate} games against {args.opponents}\n")


if __name__ == "__main__":
    main()
