"""The compiled rules and the compiled search.

Every kernel lives in this one file, and every figure reaches it through its arguments: numba keeps
compiled code on disk, and looks only at a kernel's own file and the types of its arguments to see
whether that code is stale. ``board`` and ``state`` are records of ``records.py``.
"""

# mypy: disable-error-code="no-any-return"
# Records have no static types; what a kernel returns is what its arithmetic gives.

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

ACCESSORY = 0
BY_MARK, BY_TYPE, BY_NUMBER, BY_RUN, BY_SUM = range(5)


def compiled(function: Kernel) -> Kernel:
    """Compile at the first call, or load what an earlier process compiled."""
    try:
        return cast("Kernel", numba.njit(cache=True, error_model="numpy")(function))
    except RuntimeError:  # nowhere to keep compiled code: every process compiles for itself
        return cast("Kernel", numba.njit(error_model="numpy")(function))


@compiled
def draw(rng: Any, below: int) -> Any:
    """A random number from 0 up to ``below`` (xorshift64*; the same on every machine)."""
    x = rng[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    rng[0] = x
    high = (x * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(32)
    return np.int64((high * np.uint64(below)) >> np.uint64(32))


@compiled
def reach(board: Any, style: int, hand: Any, size: int) -> int:
    """How many cards at the end of a hand are, together, what a style asks for."""
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
def leads(board: Any, style: int, lead: int, hand: Any, size: int, count: int) -> bool:
    """KM-13: whether ``lead`` and the last ``count`` cards, within a style's reach, are still in style."""
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
    """KM-12 … KM-14: every combination the end of a hand offers, into ``out``; returns how many."""
    hand, size, lead = state.hand[seat], state.hand_size[seat], state.lead[seat]
    first_action = state.rows.shape[0]
    found = 0
    if size == 0:
        return 0
    for style in range(board.kind.shape[0]):
        longest = reach(board, style, hand, size)
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
            if lead > 0 and cards > 1 and leads(board, style, lead, hand, size, cards - 1):
                out[found] = first_action + 2 * number + 1
                found += 1
    return found


@compiled
def legal(board: Any, state: Any, out: Any) -> int:
    """Every legal action, in the order of the rules, into ``out``; returns how many."""
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
    """Do a legal action, and what follows by itself but chance: true when a new market is to be dealt."""
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
    """KM-4, KM-9, KM-10: take the front card of a row; true if a combination may follow."""
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
    """KM-14: lay cards; ``choice`` is twice the combination's number, plus one with a lead."""
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
    """KM-8: the next seat, or the end of the round or of the game; true when a market is to be dealt."""
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
    """KM-3, KM-5, KM-6: the next round's market."""
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
            ticket = draw(rng, left)
            card = 0
            while ticket >= state.deck[card]:
                ticket -= state.deck[card]
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
    """Play ``games`` random games from ``states[0]`` in ``states[1]``; returns how many moves were made."""
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
def promise(board: Any, taste: Any, hand: Any, size: int, lead: int, takes: int) -> float:
    """What the end of a hand may still become in ``takes`` takes: the best plan, and a little for the others."""
    best = 0.0
    total = 0.0
    for style in range(board.kind.shape[0]):
        have = _begun(board, style, hand, size, lead)
        plan = 0.0
        for number in range(board.starts[style], board.starts[style + 1]):
            missing = board.size[number] - have
            if missing < 1 or missing > takes or missing > 3:
                continue
            plan = max(plan, board.points[number] * taste.hope[missing])
        best = max(best, plan)
        total += plan
    return best + taste.others * (total - best)


@compiled
def _begun(board: Any, style: int, hand: Any, size: int, lead: int) -> int:
    """How many cards of a style are already in line: the end of the hand, after the lead if it joins."""
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
    have = reach(board, style, hand, size)
    if have > 0 and lead > 0 and board.kind[style] != BY_SUM and leads(board, style, lead, hand, size, have):
        have += 1
    return have


@compiled
def follow_up(board: Any, taste: Any, state: Any, seat: int, takes: int, actions: Any) -> tuple[float, int]:
    """What the end of a hand is worth by eye, and the action that makes it so: a combination or the skip."""
    rows = state.rows.shape[0]
    hand, size, lead = state.hand[seat], state.hand_size[seat], state.lead[seat]
    best = promise(board, taste, hand, size, lead, takes)
    choice = rows + 2 * board.size.shape[0]
    for index in range(combinations(board, state, seat, actions)):
        number = (actions[index] - rows) // 2
        cards = board.size[number] - (actions[index] - rows) % 2
        worth = (
            board.points[number]
            + taste.placed * cards
            + promise(board, taste, hand, size - cards, hand[size - 1], takes)
        )
        if worth > best:
            best = worth
            choice = actions[index]
    return best, choice


@compiled
def judge_turn(
    board: Any, taste: Any, state: Any, seat: int, card: int, takes: int, actions: Any
) -> tuple[float, int]:
    """What a turn that takes ``card`` is worth by eye, and the action that follows the take (the skip if none)."""
    size = state.hand_size[seat]
    if card == ACCESSORY:
        if state.accessory_combo:  # KM-30
            worth, choice = follow_up(board, taste, state, seat, takes, actions)
            return taste.accessory + worth, choice
        skip = state.rows.shape[0] + 2 * board.size.shape[0]
        return taste.accessory + promise(board, taste, state.hand[seat], size, state.lead[seat], takes), skip
    state.hand[seat, size] = card
    state.hand_size[seat] = size + 1
    worth, choice = follow_up(board, taste, state, seat, takes, actions)
    state.hand[seat, size] = 0
    state.hand_size[seat] = size
    return worth, choice


@compiled
def by_eye(board: Any, taste: Any, state: Any, actions: Any, rng: Any) -> tuple[int, int]:
    """The action that looks best without looking ahead, a little at random, and what is to follow a take."""
    rounds_left = state.players - state.round
    if state.combining:
        takes = state.takes_left // state.players + rounds_left * state.takes_a_round
        _, choice = follow_up(board, taste, state, state.turn, takes, actions)
        return choice, choice
    takes = (state.takes_left - 1) // state.players + rounds_left * state.takes_a_round
    best = -1.0
    best_row = 0
    best_choice = 0
    for row in range(state.rows_dealt):
        if state.row_size[row] == 0:
            continue
        card = state.rows[row, state.row_size[row] - 1]
        worth, choice = judge_turn(board, taste, state, state.turn, card, takes, actions)
        worth += taste.whim * draw(rng, 1024) / 1024.0
        if worth > best:
            best = worth
            best_row = row
            best_choice = choice
    return best_row, best_choice


@compiled
def play_out(board: Any, taste: Any, state: Any, actions: Any, rng: Any) -> None:
    """Play to the end, every turn by eye."""
    while not state.over:
        seat = state.turn
        taking = not state.combining
        action, choice = by_eye(board, taste, state, actions, rng)
        to_deal = apply(board, state, action, actions)
        if taking and state.combining and state.turn == seat:
            to_deal = apply(board, state, choice, actions)
        if to_deal:
            deal(state, rng)


@compiled
def reward(board: Any, taste: Any, state: Any, gains: Any) -> None:
    """Between 0 and 1 for each seat: the victory or a share of it, and a little for the margin (KM-17)."""
    best = -1
    winners = 0
    for seat in range(state.players):
        rank = 16 * score(board, state, seat) + state.kimono_size[seat] + state.accessories[seat]
        if rank > best:
            best = rank
            winners = 0
        winners += rank == best
    for seat in range(state.players):
        mine = score(board, state, seat)
        rank = 16 * mine + state.kimono_size[seat] + state.accessories[seat]
        rival = -100
        for other in range(state.players):
            if other != seat:
                rival = max(rival, score(board, state, other))
        margin = min(1.0, max(-1.0, (mine - rival) / taste.margin_scale))
        won = 1.0 / winners if rank == best else 0.0
        gains[seat] = (1 - taste.margin) * won + taste.margin * (0.5 + 0.5 * margin)


@compiled
def grow(board: Any, taste: Any, states: Any, tree: Any, used: int, iterations: int, rng: Any) -> int:
    """Monte Carlo tree search from ``states[0]``; ``states[1]`` is scratch. Returns how much of the tree is used.

    A round hides nothing, so the tree knows it card by card; a new market ends the tree, and the rest
    of the game is played out by eye. ``tree[0]`` is the root; it may be grown further at any time.
    """
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
