"""Lines that survive a kill."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.bench.ledger import Ledger, encode, read_ledger, replace_ledger
from dragoman.errors import SetupError

VALUES = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3))
RECORDS = st.dictionaries(st.text(max_size=5), VALUES, max_size=4)


@given(st.lists(RECORDS, max_size=5), st.integers(0, 400))
def test_a_file_cut_anywhere_gives_its_whole_lines(records: list[dict[str, object]], cut: int) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.jsonl"
        replace_ledger(path, records)
        assert read_ledger(path) == records
        data = path.read_bytes()[:cut]
        path.write_bytes(data)
        Ledger(path).close()
        assert read_ledger(path) == records[: data.count(b"\n")]


def test_threads_do_not_mix_lines(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "x.jsonl")

    def add(number: int) -> None:
        for i in range(50):
            ledger.append({"from": number, "i": i, "text": "é" * 500})

    threads = [threading.Thread(target=add, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ledger.close()
    found = read_ledger(tmp_path / "x.jsonl")
    assert sorted((r["from"], r["i"]) for r in found) == [(n, i) for n in range(4) for i in range(50)]


def test_text_that_is_not_unicode_is_escaped() -> None:
    assert encode({"a": "é"}) == '{"a":"é"}\n'.encode()
    assert encode({"a": "\udcff"}) == b'{"a":"\\udcff"}\n'


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"a": 1}\n{"a"\n')
    with pytest.raises(SetupError, match="line 2 is damaged"):
        read_ledger(tmp_path / "x.jsonl")
