"""The number of threads leaves one core to others."""

from __future__ import annotations

import os

import pytest

from dragoman.models.embedded.threads import default_threads, physical_cores


def test_one_core_stays_free() -> None:
    assert 1 <= default_threads() <= 8
    assert default_threads() <= max(1, physical_cores() - 1)
    assert 1 <= physical_cores() <= (os.cpu_count() or 1)


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity here")
def test_only_the_cores_of_this_process_count() -> None:
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert physical_cores() == default_threads() == 1
    finally:
        os.sched_setaffinity(0, allowed)
