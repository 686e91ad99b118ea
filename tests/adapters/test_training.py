"""The training example, shortened: it runs, it learns, and what it learned can be kept."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "train_kimono.py"


@pytest.fixture(scope="module")
def example() -> Any:
    spec = importlib.util.spec_from_file_location("train_kimono", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_it_learns(example: Any) -> None:
    agent = example.Agent()
    example.train(agent, games=40, seed=3)
    weights = agent.weights.copy()
    again = example.Agent()
    example.train(again, games=40, seed=3)
    assert np.array_equal(weights, again.weights), "the same seed gives other weights"
    empty = example.Place((), None, frozenset(), 0)
    nearly_over = example.Place((), 5, frozenset({1, 2, 3, 5}), 11)
    assert agent.worth(empty) > agent.worth(nearly_over), (
        "more is to be made at the beginning than at the end"
    )
    assert example.evaluate(agent, 6, "random") > 0.5


def test_weights_can_be_kept(
    example: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "agent.npy"
    words = ["--games", "2", "--evaluate", "1", "--opponents", "random", "--save", str(kept)]
    monkeypatch.setattr(sys, "argv", ["train_kimono.py", *words])
    example.main()
    assert np.load(kept).shape == (example.FEATURES,)
    monkeypatch.setattr(sys, "argv", ["train_kimono.py", "--load", str(kept), "--evaluate", "1"])
    example.main()
    assert "games against novice" in capsys.readouterr().out
