"""All games. Every folder here is one whole game; so is every folder in the directories of ``KOTATSU_GAMES``.

Public Python has both ``kotatsu.games()`` and ``kotatsu.games.kimono``, so this package can be called.
"""

import os
import sys
from types import ModuleType

from kotatsu.engine import registry

__path__ += [folder for folder in os.environ.get("KOTATSU_GAMES", "").split(os.pathsep) if folder]


class _CallablePackage(ModuleType):
    def __call__(self) -> tuple[str, ...]:
        return registry.games()


sys.modules[__name__].__class__ = _CallablePackage
