"""How many threads the runtime may use."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_MOST = 8
"""A model of this size gains nothing from more."""


def default_threads() -> int:
    """One less than the physical cores that this process may use, at least 1.

    The runtime's threads wait for each other by spinning: with one thread for every core, any other busy process
    slows it down a hundredfold.
    """
    return max(1, min(physical_cores(), _quota(), _MOST + 1) - 1)


def physical_cores() -> int:
    """Physical cores that this process may run on; logical ones where the platform does not tell them apart."""
    if not hasattr(os, "sched_getaffinity"):
        return os.cpu_count() or 1
    return len({_siblings(cpu) for cpu in os.sched_getaffinity(0)})


def _siblings(cpu: int) -> str:
    try:
        return Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list").read_text()
    except OSError:
        return str(cpu)


def _quota() -> int:
    """Whole CPUs that the control group allows (a container's limit); very many where there is no limit."""
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        return max(1, int(quota) // int(period))
    except (OSError, ValueError):
        return sys.maxsize
