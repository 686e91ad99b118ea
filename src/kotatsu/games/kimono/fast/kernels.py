"""The rules and the tree search, compiled with numba.

Every kernel lives in this one file, and every figure reaches it through its arguments: numba keeps compiled
code on disk, and decides whether that code is stale by a kernel's own file and the types of its arguments
alone.

Arguments that mean the same everywhere:

* ``board``: a record of dtype ``records.BOARD``, the figures of ``data.json``;
* ``taste``: a record of dtype ``records.TASTE``, the weights of the evaluation (``bots.Taste``);
* ``state``: a record of dtype ``records.STATE``; kernels that play change it;
* ``hand``, ``size``, ``lead``: card numbers (int8), of which the first ``size`` count, and the last card of
  the kimono, 0 for none;
* ``takes``: how many more cards the seat will take in this game;
* ``out``, ``actions``, ``scratch``: int16 arrays of at least 61 elements for lists of actions (``records``):
  no position has more than two for each of the board's 30 combinations, and the skip;
* ``rng``: one uint64 that is not 0, the state of the random generator; it is changed by every draw.
"""

# mypy: disable-error-code="no-any-return"
# Records have no static types; what a kernel returns is what its arithmetic gives.

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

Kernel = TypeVar("Kernel", bound=Callable[..., Any])
"""Any function that is compiled."""

ACCESSORY = 0
"""The number that stands for an accessory wherever a card is a number."""
BY_MARK, BY_TYPE, BY_NUMBER, BY_RUN, BY_SUM = range(5)
"""The kinds of style rules, as numbers; see ``data.StyleRule``."""


def compiled(function: Kernel) -> Kernel:
    """Compile a function at its first call, or load what an earlier process compiled.

    Where there is nowhere to keep compiled code (a read-only installation), every process compiles for
    itself.
    """
    try:
        return cast("Kernel", numba.njit(cache=True, error_model="numpy")(function))
    except RuntimeError:  # nowhere to keep compiled code: every process compiles for itself
        return cast("Kernel", numba.njit(error_model="numpy")(function))


@compiled
def draw(rng: Any, below: int) -> Any:
    """A random integer from 0 to ``below`` - 1, the same on every machine.

    The generator is xorshift64* with its published shifts and multiplier (Vigna 2016); the high 32 bits are
    scaled.
    """
    x = rng[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    rng[0] = x
    high = (x * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(32)
    return np.int64((high * np.uint64(below)) >> np.uint64(32))


@compiled
def fitting_length(board: Any, style: int, hand: Any, size: int) -> int:
    """How many cards at the end of a hand, taken together, still fit a style.

    For a style with a sum that is how many fit below the total; whether they reach it is not looked at.
    """
    kind, low, high = board.kind[style], board.low[style], board.high[style]
    last = hand[size - 1]
    if kind == BY_MARK:
        seen = 0
        count = 0
        while count < size:
            card = hand[size - 1 - count]
            if board.mark[card] != low or seen >> card & 1:
                break
            seen |= 1 << card
            count += 1
        return count
    if kind == BY_TYPE:
        count = 0
        while count < size and board.type[hand[size - 1 - count]] == low:
            count += 1
        return count
    if kind == BY_NUMBER:
        count = 1
        while count < size and hand[size - 1 - count] == last:
            count += 1
        return count
    if kind == BY_RUN:
        if last < low or last > high:
            return 0
        if size == 1:
            return 1
        step = last - hand[size - 2]
        count = 1
        while count < size:
            card = hand[size - 1 - count]
            if card < low or card > high or (hand[size - count] - card) * step <= 0:
                break
            count += 1
        return count
    count = 0
    total = 0
    while count < size and total + hand[size - 1 - count] <= low:
        total += hand[size - 1 - count]
        count += 1
    return count


@compiled
def lead_fits(board: Any, style: int, lead: int, hand: Any, size: int, count: int) -> bool:
    """KM-13: whether the lead and the last ``count`` cards of a hand fit a style together.

    ``count`` must not be more than ``fitting_length``.
    """
    kind, low, high = board.kind[style], board.low[style], board.high[style]
    first = hand[size - count]
    if kind == BY_MARK:
        if board.mark[lead] != low:
            return False
        seen = False
        for index in range(size - count, size):
            seen |= hand[index] == lead
        return not seen
    if kind == BY_TYPE:
        return board.type[lead] == low
    if kind == BY_NUMBER:
        return lead == first
    if kind == BY_RUN:
        if lead < low or lead > high or lead == first:
            return False
        return count == 1 or (first - lead) * (hand[size - 1] - hand[size - 2]) > 0
    return lead + _sum(hand, size, count) == low


@compiled
def _sum(hand: Any, size: int, count: int) -> int:
    total = 0
    for index in range(size - count, size):
        total += hand[index]
    return total


@compiled
def combinations(board: Any, state: Any, seat: int, out: Any) -> int:
    """KM-12 … KM-14: list every combination that the end of a seat's hand allows.

    Writes the actions to ``out`` and returns how many there are.
    """
    hand, size, lead = state.hand[seat], state.hand_size[seat], state.lead[seat]
    first_action = state.rows.shape[0]
    found = 0
    if size == 0:
        return 0
    for style in range(board.kind.shape[0]):
        longest = fitting_length(board, style, hand, size)
        if longest == 0:
            continue
        adds_up = board.kind[style] == BY_SUM
        for number in range(board.starts[style], board.starts[style + 1]):
            cards = board.size[number]
            if cards > longest + 1:
                continue
            if cards <= longest and (not adds_up or _sum(hand, size, cards) == board.low[style]):
                out[found] = first_action + 2 * number
                found += 1
            if lead > 0 and cards > 1 and lead_fits(board, style, lead, hand, size, cards - 1):
                out[found] = first_action + 2 * number + 1
                found += 1
    return found


@compiled
def legal(board: Any, state: Any, out: Any) -> int:
    """List every legal action, in the order of the rules.

    Writes them to ``out`` and returns how many there are; 0 when the game is over.
    """
    if state.over:
        return 0
    if state.combining:
        found = combinations(board, state, state.turn, out)
        out[found] = state.rows.shape[0] + 2 * board.size.shape[0]
        return found + 1
    found = 0
    for row in range(state.rows_dealt):
        if state.row_size[row] > 0:
            out[found] = row
            found += 1
    return found


@compiled
def apply(board: Any, state: Any, action: int, scratch: Any) -> bool:
    """Play a legal action, and all that follows from it without chance.

    Returns:
        Whether the round is over and the next market is to be dealt (``deal``).
    """
    seat = state.turn
    rows = state.rows.shape[0]
    if action < rows:
        if take(state, seat, action) and combinations(board, state, seat, scratch) > 0:
            state.combining = 1
            return False
    elif action < rows + 2 * board.size.shape[0]:
        combine(board, state, seat, action - rows)
    return end_turn(state)


@compiled
def take(state: Any, seat: int, row: int) -> bool:
    """KM-4, KM-9, KM-10: take the front card of a row; returns whether a combination may follow.

    Args:
        seat: whose move it is.
    """
    state.row_size[row] -= 1
    state.takes_left -= 1
    card = state.rows[row, state.row_size[row]]
    state.rows[row, state.row_size[row]] = 0
    if card == ACCESSORY:
        state.accessories[seat] += 1
        return state.accessory_combo != 0  # KM-30
    state.hand[seat, state.hand_size[seat]] = card
    state.hand_size[seat] += 1
    return True


@compiled
def combine(board: Any, state: Any, seat: int, choice: int) -> None:
    """KM-14: lay a combination; ``choice`` is twice its number, plus one if it is led.

    Args:
        seat: whose move it is.
    """
    number = choice // 2
    cards = board.size[number] - choice % 2
    left = state.hand_size[seat] - cards
    for index in range(left, state.hand_size[seat]):
        state.fabrics[seat] |= 1 << state.hand[seat, index]
    state.lead[seat] = state.hand[seat, state.hand_size[seat] - 1]
    for index in range(left, state.hand_size[seat]):
        state.hand[seat, index] = 0
    state.hand_size[seat] = left
    state.kimono_size[seat] += cards
    state.points[seat] += board.points[number]


@compiled
def end_turn(state: Any) -> bool:
    """KM-8: pass the turn to the next seat, or end the round or the game.

    Returns:
        Whether the next market is to be dealt (``deal``).
    """
    state.combining = 0
    state.turn = (state.turn + 1) % state.players
    if state.takes_left > 0:
        return False
    for row in range(state.rows_dealt):
        for index in range(state.row_size[row]):
            state.discards[state.rows[row, index]] += 1
            state.rows[row, index] = 0
        state.row_size[row] = 0
    if state.round == state.players:
        state.over = 1
        state.turn = 0
        return False
    return True


@compiled
def deal(state: Any, rng: Any) -> None:
    """KM-3, KM-5, KM-6: draw the next round's market and begin the round."""
    left = 0
    for card in range(state.deck.shape[0]):
        left += state.deck[card]
    if left < state.rows_dealt * state.row_dealt:
        for card in range(state.deck.shape[0]):
            left += state.discards[card]
            state.deck[card] += state.discards[card]
            state.discards[card] = 0
    for row in range(state.rows_dealt):
        for index in range(state.row_dealt):
            drawn = draw(rng, left)
            card = 0
            while drawn >= state.deck[card]:
                drawn -= state.deck[card]
                card += 1
            state.deck[card] -= 1
            left -= 1
            state.rows[row, index] = card
        state.row_size[row] = state.row_dealt
    state.round += 1
    state.first = (state.first + 1) % state.players if state.round > 1 else state.first
    state.turn = state.first
    state.takes_left = state.players * state.takes_a_round


@compiled
def score(board: Any, state: Any, seat: int) -> int:
    """KM-15, KM-16: what a seat would score if the game ended now."""
    placed = state.kimono_size[seat] + state.accessories[seat]
    total = state.points[seat] + board.per_accessory * state.accessories[seat]
    if placed == state.hand.shape[1]:
        total += board.all_placed
    if placed >= board.variety_from:
        different = 0
        for number in range(board.variety.shape[0]):
            different += state.fabrics[seat] >> number & 1
        total += board.variety[different]
    return total


@compiled
def play_randomly(board: Any, states: Any, games: int, rng: Any) -> int:
    """Play random games for a benchmark.

    Args:
        board: The board's figures.
        states: Two states: where every game starts, and scratch space.
        games: How many games to play.
        rng: The random generator.

    Returns:
        How many moves were made in all.
    """
    actions = np.empty(64, np.int16)
    scratch = np.empty(64, np.int16)
    moves = 0
    for _ in range(games):
        states[1] = states[0]
        state = states[1]
        while not state.over:
            action = actions[draw(rng, legal(board, state, actions))]
            if apply(board, state, action, scratch):
                deal(state, rng)
            moves += 1
    return moves


@compiled
def potential(board: Any, taste: Any, hand: Any, size: int, lead: int, takes: int) -> float:
    """What the end of a hand may still become, in points: the best plan, and a little for all others.

    A plan is a combination of which 1 to 3 cards are missing and no more than ``takes``.
    """
    best = 0.0
    total = 0.0
    for style in range(board.kind.shape[0]):
        have = _begun(board, style, hand, size, lead)
        plan = 0.0
        for number in range(board.starts[style], board.starts[style + 1]):
            missing = board.size[number] - have
            if missing < 1 or missing > takes or missing > 3:  # completion_share has three values
                continue
            plan = max(plan, board.points[number] * taste.completion_share[missing])
        best = max(best, plan)
        total += plan
    return best + taste.other_plans * (total - best)


@compiled
def _begun(board: Any, style: int, hand: Any, size: int, lead: int) -> int:
    """How many cards of a style are there already: the end of the hand, and the lead if it fits."""
    if size == 0:
        if lead == 0:
            return 0
        kind, low, high = board.kind[style], board.low[style], board.high[style]
        if kind == BY_MARK:
            return int(board.mark[lead] == low)
        if kind == BY_TYPE:
            return int(board.type[lead] == low)
        if kind == BY_RUN:
            return int(low <= lead <= high)
        return 1
    have = fitting_length(board, style, hand, size)
    if (
        have > 0
        and lead > 0
        and board.kind[style] != BY_SUM
        and lead_fits(board, style, lead, hand, size, have)
    ):
        have += 1
    return have


@compiled
def best_follow_up(
    board: Any, taste: Any, state: Any, seat: int, takes: int, actions: Any
) -> tuple[float, int]:
    """The best action after a take: a combination or the skip.

    Returns:
        The value of the position after it, in points, and the action.

    Args:
        seat: whose move it is.
    """
    rows = state.rows.shape[0]
    hand, size, lead = state.hand[seat], state.hand_size[seat], state.lead[seat]
    best = potential(board, taste, hand, size, lead, takes)
    choice = rows + 2 * board.size.shape[0]
    for index in range(combinations(board, state, seat, actions)):
        number = (actions[index] - rows) // 2
        cards = board.size[number] - (actions[index] - rows) % 2
        worth = (
            board.points[number]
            + taste.placed_value * cards
            + potential(board, taste, hand, size - cards, hand[size - 1], takes)
        )
        if worth > best:
            best = worth
            choice = actions[index]
    return best, choice


@compiled
def evaluate_take(
    board: Any, taste: Any, state: Any, seat: int, card: int, takes: int, actions: Any
) -> tuple[float, int]:
    """What taking ``card`` is worth, in points, and the best action after the take.

    That action is the skip where no combination is possible. The state is changed on the way and restored.

    Args:
        seat: whose move it is.
    """
    size = state.hand_size[seat]
    if card == ACCESSORY:
        if state.accessory_combo:  # KM-30
            worth, choice = best_follow_up(board, taste, state, seat, takes, actions)
            return taste.accessory_value + worth, choice
        skip = state.rows.shape[0] + 2 * board.size.shape[0]
        return taste.accessory_value + potential(
            board, taste, state.hand[seat], size, state.lead[seat], takes
        ), skip
    state.hand[seat, size] = card
    state.hand_size[seat] = size + 1
    worth, choice = best_follow_up(board, taste, state, seat, takes, actions)
    state.hand[seat, size] = 0
    state.hand_size[seat] = size
    return worth, choice


@compiled
def greedy_action(board: Any, taste: Any, state: Any, actions: Any, rng: Any) -> tuple[int, int]:
    """The action with the best evaluation, without looking ahead.

    Returns:
        The action, and the one that should follow it: after a take, the best combination or the skip.
    """
    rounds_left = state.players - state.round
    if state.combining:
        takes = state.takes_left // state.players + rounds_left * state.takes_a_round
        _, choice = best_follow_up(board, taste, state, state.turn, takes, actions)
        return choice, choice
    takes = (state.takes_left - 1) // state.players + rounds_left * state.takes_a_round
    best = -1.0
    best_row = 0
    best_choice = 0
    for row in range(state.rows_dealt):
        if state.row_size[row] == 0:
            continue
        card = state.rows[row, state.row_size[row] - 1]
        worth, choice = evaluate_take(board, taste, state, state.turn, card, takes, actions)
        worth += taste.noise * draw(rng, 1024) / 1024.0  # 1024 steps are fine enough
        if worth > best:
            best = worth
            best_row = row
            best_choice = choice
    return best_row, best_choice


@compiled
def play_out(board: Any, taste: Any, state: Any, actions: Any, rng: Any) -> None:
    """Play a state to the end of the game, every seat by ``greedy_action``."""
    while not state.over:
        seat = state.turn
        taking = not state.combining
        action, choice = greedy_action(board, taste, state, actions, rng)
        to_deal = apply(board, state, action, actions)
        if taking and state.combining and state.turn == seat:
            to_deal = apply(board, state, choice, actions)
        if to_deal:
            deal(state, rng)


@compiled
def reward(board: Any, taste: Any, state: Any, gains: Any) -> None:
    """KM-17: write the reward of each seat of a finished game to ``gains``, between 0 and 1.

    A victory, or an equal share of one, counts ``1 - margin_weight``; the lead in points counts the rest.
    """
    best = -1
    winners = 0
    for seat in range(state.players):
        # 16 is more than the 12 cards anyone places: equal scores are ranked by placed cards
        rank = 16 * score(board, state, seat) + state.kimono_size[seat] + state.accessories[seat]
        if rank > best:
            best = rank
            winners = 0
        winners += rank == best
    for seat in range(state.players):
        mine = score(board, state, seat)
        rank = 16 * mine + state.kimono_size[seat] + state.accessories[seat]
        best_other = -100  # below any score
        for other in range(state.players):
            if other != seat:
                best_other = max(best_other, score(board, state, other))
        margin = min(1.0, max(-1.0, (mine - best_other) / taste.margin_scale))
        won = 1.0 / winners if rank == best else 0.0
        gains[seat] = (1 - taste.margin_weight) * won + taste.margin_weight * (0.5 + 0.5 * margin)


@compiled
def grow(board: Any, taste: Any, states: Any, tree: Any, used: int, iterations: int, rng: Any) -> int:
    """Monte Carlo tree search (UCB1) from ``states[0]``.

    A round hides nothing, so the tree searches it card by card; a new market ends the tree, and the rest of
    the game is played out greedily. A tree that was grown before may be grown further.

    Args:
        board: The board's figures.
        taste: The weights.
        states: Two states: the root's, and scratch space.
        tree: The nodes, an array of dtype ``records.NODE``; ``tree[0]`` is the root. A full tree is searched
            on without growing.
        used: How many nodes are in use; 1 for a new tree.
        iterations: How many playouts to add.
        rng: The random generator.

    Returns:
        How many nodes are in use now.
    """
    # 256 moves are ten times what the longest round has: 12 takes with 4 players, each with a follow-up
    path = np.zeros(256, np.int32)
    mover = np.zeros(256, np.int8)
    actions = np.empty(64, np.int16)
    gains = np.zeros(states[0].hand_size.shape[0], np.float64)
    for _ in range(iterations):
        states[1] = states[0]
        state = states[1]
        node = 0
        depth = 1
        dealt = False
        while not state.over and not dealt:
            if tree[node].children == 0:
                if (node != 0 and tree[node].visits == 0) or used + actions.shape[0] > tree.shape[0]:
                    break
                found = legal(board, state, actions)
                tree[node].first = used
                tree[node].children = found
                for index in range(found):
                    tree[used + index].action = actions[index]
                used += found
            node = _select(tree, node, taste.exploration)
            path[depth] = node
            mover[depth] = state.turn
            depth += 1
            if apply(board, state, tree[node].action, actions):
                deal(state, rng)
                dealt = True
        play_out(board, taste, state, actions, rng)
        reward(board, taste, state, gains)
        tree[0].visits += 1
        for index in range(1, depth):
            tree[path[index]].visits += 1
            tree[path[index]].value += gains[mover[index]]
    return used


@compiled
def _select(tree: Any, node: int, exploration: float) -> int:
    """The child to visit next: one never visited, else the one with the highest upper confidence bound."""
    first = tree[node].first
    last = first + tree[node].children
    for child in range(first, last):
        if tree[child].visits == 0:
            return child
    spread = exploration * np.sqrt(np.log(tree[node].visits))
    best = first
    best_bound = -1.0
    for child in range(first, last):
        visits = tree[child].visits
        bound = tree[child].value / visits + spread / np.sqrt(visits)
        if bound > best_bound:
            best_bound = bound
            best = child
    return best
