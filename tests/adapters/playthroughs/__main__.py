"""Write the playthrough of every game."""

from __future__ import annotations

from pathlib import Path

from absl import flags
from open_spiel.python.algorithms import generate_playthrough

from kotatsu.lab import openspiel
from kotatsu.lab.encoding import games_in_turns

SEED = 1

openspiel.register()
flags.FLAGS(["playthroughs"])
for name in games_in_turns():
    text = generate_playthrough.playthrough(name, [], seed=SEED)
    Path(__file__).with_name(f"{name}.txt").write_text(text, encoding="utf-8")
