"""Fixtures of all tests: what is dear to make is made once."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from dragoman.demo.warehouse.build import build_warehouse
from dragoman.models.embedded import EmbeddedModel, status

settings.register_profile("dragoman", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("dragoman")  # a machine that is busy with something else fails no test


@pytest.fixture(scope="session")
def weights() -> Path:
    """The installed weights of the embedded model, or a skip."""
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("the embedded runtime is not installed; pip install 'dragoman[embedded]'")
    found = status()
    if not found.sound:
        pytest.skip(found.sentence)
    return found.path


@pytest.fixture(scope="session")
def embedded_model(weights: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedModel]:
    """The embedded model, loaded once, with one thread and states of its own."""
    with EmbeddedModel(threads=1, states=tmp_path_factory.mktemp("states")) as model:
        yield model


@pytest.fixture(scope="session")
def warehouse_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The warehouse in DuckDB."""
    path = tmp_path_factory.mktemp("warehouse") / "warehouse.duckdb"
    build_warehouse(path)
    return path
