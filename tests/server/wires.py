"""Both wires a house can have; a test that takes ``wire``, ``house``, ``ana`` or ``ben`` runs on each."""

from __future__ import annotations

from typing import get_args

import pytest

from kotatsu.server.wire import Wire

WIRES: tuple[Wire, ...] = get_args(Wire)

ONLY_FAST = pytest.mark.parametrize("wire", ["fast"], indirect=True)
"""For a test that takes long and has nothing to do with what carries messages."""
