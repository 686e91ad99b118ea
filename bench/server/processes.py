"""What a process has used, as Linux counts it."""

from __future__ import annotations

import re
import time
from pathlib import Path


def cpu_seconds(pid: int) -> float:
    """Processor time so far, all its threads together."""
    return time.clock_gettime(~pid << 3 | 2)  # the kernel's number for the processor clock of a process


def memory_kb(pid: int) -> int:
    """What it holds of the machine's memory now."""
    found = re.search(r"^VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1])
