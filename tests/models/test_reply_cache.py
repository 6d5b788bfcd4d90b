"""The file that keeps replies: crashes, other processes, damage, folders that cannot be written."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.errors import ModelUnavailable, SetupError
from dragoman.models import CachedModel, Choice, Message, Reply, ReplyCache, ScriptedModel, Usage

ROOT = Path(__file__).resolve().parents[2]
REPLY = Reply((Choice("SELECT 1"),), Usage(1, 10, 2), 0.5, 1.5)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "replies.sqlite"


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def writer(path: Path, first: int, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.models.cache_writer", str(path), str(first), str(count)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_a_reply_is_kept_whole(path: Path) -> None:
    ReplyCache(path).put("k", "m", REPLY)
    cache = ReplyCache(path)
    assert cache.get("k") == Reply(REPLY.choices, REPLY.usage, 0.5, 1.5, stored=True)
    assert cache.get("other") is None


def test_a_process_killed_at_any_point_leaves_a_whole_file(path: Path) -> None:
    kept = 0
    for after in (1, 3, 10):
        process = writer(path, kept, 10**6)
        assert process.stdout
        for _ in range(after):
            kept = int(process.stdout.readline()) + 1
        process.send_signal(signal.SIGKILL)
        process.wait()
        rest = process.stdout.read()
        kept += rest.count("\n")
        process.stdout.close()
        with sqlite3.connect(path) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()
    inner = ScriptedModel([])  # has no reply to give
    model = CachedModel(inner, path)
    for number in range(kept):
        assert model.complete([Message("user", str(number))]).text.strip() == f"SELECT {number}"


def test_two_processes_share_one_file(path: Path) -> None:
    writers = [writer(path, 0, 60), writer(path, 30, 60)]
    outputs = [process.communicate(timeout=60)[0] for process in writers]
    assert [process.returncode for process in writers] == [0, 0]
    paid = [int(output.split()[-1]) for output in outputs]
    assert 90 <= sum(paid) <= 120
    again = writer(path, 0, 90)
    assert again.communicate(timeout=60)[0].endswith("paid 0\n")


def test_threads_share_one_connection(path: Path) -> None:
    cache = ReplyCache(path)

    def work(number: int) -> None:
        for i in range(20):
            cache.put(f"{number} {i}", "m", REPLY)
            assert cache.get(f"{number} {i}")

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(cache.get(f"{n} {i}") for n in range(4) for i in range(20))


def test_the_same_request_at_once_is_paid_once(path: Path) -> None:
    cache, started, go_on = ReplyCache(path), threading.Event(), threading.Event()
    paid: list[int] = []

    def pay() -> Reply:
        paid.append(1)
        started.set()
        go_on.wait(20)
        return REPLY

    ends: list[tuple[Reply, bool]] = []
    threads = [threading.Thread(target=lambda: ends.append(cache.get_or_pay("k", "m", pay))) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert started.wait(20)
    go_on.set()
    for thread in threads:
        thread.join()
    assert len(paid) == 1
    assert sorted(mine for _, mine in ends) == [False, False, False, True]
    assert {reply.text for reply, _ in ends} == {"SELECT 1"}


def test_errors_are_not_kept(path: Path) -> None:
    cache = ReplyCache(path)

    def fail() -> Reply:
        raise ModelUnavailable("down")

    with pytest.raises(ModelUnavailable):
        cache.get_or_pay("k", "m", fail)
    assert cache.get_or_pay("k", "m", lambda: REPLY) == (REPLY, True)


def test_an_interrupt_lets_the_next_one_pay(path: Path) -> None:
    cache = ReplyCache(path)

    def interrupted() -> Reply:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cache.get_or_pay("k", "m", interrupted)
    assert cache.get_or_pay("k", "m", lambda: REPLY)[1]


@pytest.mark.parametrize("damage", [b"text and no database. " * 200, b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_damaged_file_is_set_aside(path: Path, damage: bytes) -> None:
    path.parent.mkdir()
    for number in (1, 2):
        path.write_bytes(damage)
        cache = ReplyCache(path)
        with pytest.warns(RuntimeWarning, match="is damaged"):
            cache.put("k", "m", REPLY)
        assert cache.get("k")
        cache.close()
        assert path.with_name(f"replies.sqlite.damaged-{number}").read_bytes() == damage


def test_damage_while_it_is_open_is_found_on_reading(path: Path) -> None:
    cache = ReplyCache(path)
    for number in range(200):
        cache.put(str(number), "m", REPLY)
    cache.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * (size - 8192))
    with pytest.warns(RuntimeWarning, match="is damaged"):
        found = [cache.get(str(number)) for number in range(200)]
    assert all(reply is None or reply.text == "SELECT 1" for reply in found)
    cache.put("k", "m", REPLY)
    assert cache.get("k")


def test_a_changed_reply_is_not_believed(path: Path) -> None:
    ReplyCache(path).put("k", "m", REPLY)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE replies SET reply = replace(reply, 'SELECT 1', 'SELECT 2')")
    connection.close()
    assert ReplyCache(path).get("k") is None


def test_a_database_of_somebody_else_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE orders (id)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(SetupError, match="Choose another path"):
        ReplyCache(path).get("k")
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_made_means_no_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    inner = ScriptedModel(["a", "b"])
    model = CachedModel(inner, tmp_path / "file" / "replies.sqlite")
    with pytest.warns(RuntimeWarning, match="cannot be used"):
        assert model.complete([Message("user", "x")]).text == "a"
    assert model.complete([Message("user", "x")]).text == "b"  # and no second warning


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_a_read_only_folder_means_no_cache() -> None:
    """As another account where this one may write everywhere."""
    code = f"""
import sys, warnings
sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / "src")!r}]
from tests.models.test_reply_cache import REPLY, ReplyCache
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    assert ReplyCache(sys.argv[1]).get_or_pay("k2", "m", lambda: REPLY) == (REPLY, True)
assert ["cannot be used" in str(w.message) for w in caught] == [True], caught
"""
    user = 65534 if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "replies.sqlite"
        cache = ReplyCache(path)
        cache.put("k", "m", REPLY)
        cache.close()
        path.chmod(0o444)
        path.parent.chmod(0o555)
        command = [sys.executable, "-c", code, str(path)]
        try:
            subprocess.run(command, check=True, capture_output=True, user=user, text=True)
        except PermissionError:
            pytest.skip("the other account may not run this Python")
        except subprocess.CalledProcessError as error:
            if "PermissionError" in error.stderr or "ModuleNotFoundError" in error.stderr:
                pytest.skip("the other account may not read this project")
            raise AssertionError(error.stderr) from None
        finally:
            path.parent.chmod(0o755)


def test_a_full_disk_means_no_cache(path: Path) -> None:
    cache = ReplyCache(path)
    cache.put("k", "m", REPLY)
    assert cache._connection
    cache._connection.execute("PRAGMA max_page_count = 4")
    big = Reply((Choice("x" * 100_000),))
    with pytest.warns(RuntimeWarning, match="full"):
        assert cache.get_or_pay("big", "m", lambda: big) == (big, True)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_opens_its_own_connection(path: Path) -> None:
    code = """
import os, sys
from tests.models.test_reply_cache import REPLY, ReplyCache
cache = ReplyCache(sys.argv[1])
cache.put("k", "m", REPLY)
child = os.fork()
if child == 0:
    cache.put("child", "m", REPLY)
    os._exit(0 if cache.get("k") else 1)
assert os.waitpid(child, 0)[1] == 0
assert cache.get("child")
"""
    subprocess.run([sys.executable, "-c", code, str(path)], check=True, cwd=ROOT)
