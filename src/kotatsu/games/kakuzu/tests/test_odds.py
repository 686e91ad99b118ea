"""The odds: exact against a plain count, sampled against exact, and certain only what is proved."""

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from kotatsu.games.kakuzu.board import CELLS, SIZE, UNITS, Flat
from kotatsu.games.kakuzu.grids import fillings
from kotatsu.games.kakuzu.odds import NoGridFits, Odds, odds, posterior
from kotatsu.games.kakuzu.odds.kernels import enumerate_grids, has_another
from kotatsu.games.kakuzu.tests.play import position


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    posterior.clear_caches()
    yield
    posterior.clear_caches()


def counted(visible: Flat) -> tuple[NDArray[np.float64], int]:
    """By the plain search of the deal, which shares nothing with the compiled one."""
    counts = np.zeros((CELLS, SIZE))
    total = 0
    for grid in fillings(visible, Random(0)):
        counts[np.arange(CELLS), np.array(grid) - 1] += 1
        total += 1
    counts[np.array(visible) > 0] = 0
    return counts / total, total


def by_cell(found: Odds) -> NDArray[np.float64]:
    return found.probabilities.reshape(CELLS, SIZE)


@pytest.mark.parametrize(("seed", "visible"), [(1, 27), (2, 30), (3, 35), (4, 50), (5, 80)])
def test_exact_odds_are_what_a_plain_count_gives(seed: int, visible: int) -> None:
    _, shown = position(seed, visible)
    truth, total = counted(shown)
    found = odds(shown)
    assert found.exact
    assert found.error == 0
    assert found.remaining == total == len({grid.tobytes() for grid in found.grids})
    assert by_cell(found) == pytest.approx(truth)
    certain = np.where(truth.max(1) == 1, truth.argmax(1) + 1, 0)
    assert found.certain.reshape(CELLS).tolist() == certain.tolist()


@pytest.mark.parametrize("seed", range(4))
def test_sampled_odds_are_within_their_stated_error(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions that could be listed, sampled all the same."""
    _, shown = position(seed, 23)
    sums = np.zeros((CELLS, SIZE))
    total = enumerate_grids(np.array(shown, np.uint8), sums, np.empty((0, CELLS), np.uint8), 10_000_000)
    truth = sums / total
    monkeypatch.setattr(posterior, "EXACT_UP_TO", 1)
    found = odds(shown)
    assert not found.exact
    assert 0 < found.error < 0.03
    off = np.abs(by_cell(found) - truth)
    assert off.max() < 0.03
    assert (off <= 5 * found.errors.reshape(CELLS, SIZE) + 0.002).all()
    assert found.remaining == pytest.approx(total, rel=0.05)
    kept = np.stack([(found.grids == digit).mean(0) for digit in range(1, 10)], axis=1)
    assert np.abs(kept - truth)[np.array(shown) == 0].max() < 0.06, "the sample is even"


@pytest.mark.parametrize("seed", range(12))
def test_nothing_sampled_is_called_certain_that_is_not(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    _, shown = position(seed, 26)
    truth = odds(shown)
    assert truth.exact
    posterior.clear_caches()
    monkeypatch.setattr(posterior, "EXACT_UP_TO", 0)
    found = odds(shown, descents=60)
    assert not found.exact
    proved = found.certain > 0
    assert (found.certain[proved] == truth.certain[proved]).all()
    assert (found.probabilities[~proved].max(1, initial=0) < 1).all()


@pytest.mark.parametrize("visible", [9, 14, 17])
def test_open_positions_are_sampled_and_add_up(visible: int) -> None:
    _, shown = position(7, visible)
    found = odds(shown)
    assert not found.exact
    hidden = np.array(shown) == 0
    chances = by_cell(found)
    assert chances[hidden].sum(1) == pytest.approx(1, abs=1e-3)
    assert (chances[~hidden] == 0).all()
    for unit in map(list, UNITS):
        seen = {shown[cell] for cell in unit} - {0}
        missing = [digit - 1 for digit in range(1, 10) if digit not in seen]
        assert chances[unit][:, missing].sum(0) == pytest.approx(1, abs=1e-3)
        assert chances[unit][:, [digit - 1 for digit in seen]].sum() == 0


def test_the_same_position_has_the_same_odds_whatever_was_asked_before() -> None:
    grid, shown = position(3, 26)
    more = tuple(grid[cell] if cell % 3 == 0 else digit for cell, digit in enumerate(shown))
    alone = odds(more)
    posterior.clear_caches()
    odds(shown)
    after = odds(more)
    assert after.exact
    assert (after.probabilities == alone.probabilities).all()
    _, wide = position(3, 12)
    first = odds(wide)
    posterior.clear_caches()
    assert (odds(wide).probabilities == first.probabilities).all()
    assert (odds(wide, seed=5).probabilities != first.probabilities).any()


def test_digits_that_clash_have_no_odds() -> None:
    with pytest.raises(NoGridFits):
        odds((5, 5, *(0,) * 79))
    with pytest.raises(NoGridFits):  # the last cell of the first row has no digit left
        odds((1, 2, 3, 4, 5, 6, 7, 8, 0, *(0,) * 8, 9, *(0,) * 63))


def test_a_proof_is_a_proof() -> None:
    _, shown = position(11, 30)
    truth = odds(shown)
    board = np.array(shown, np.uint8)
    chances = by_cell(truth)
    for cell in np.flatnonzero(board == 0):
        for digit in range(1, 10):
            assert has_another(board, int(cell), digit) == (chances[cell, digit - 1] < 1)
