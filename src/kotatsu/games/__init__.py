"""The shelf. Every folder here is one whole game; so is every folder in the directories of ``KOTATSU_GAMES``."""

import os

__path__ += [folder for folder in os.environ.get("KOTATSU_GAMES", "").split(os.pathsep) if folder]
