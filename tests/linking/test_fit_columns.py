from __future__ import annotations

import pytest

from dragoman.linking.fit_columns import SHORT_NOTE, shortened


@pytest.mark.parametrize(
    ("note", "short"),
    [
        ("What it costs. In euro.", "What it costs"),
        ("e.g. 'M00393', 'M00240'", "e.g. 'M00393', 'M00240'"),
        ("a code, e.g. 70. See the list.", "a code, e.g. 70"),
        ("", ""),
    ],
)
def test_the_first_sentence_is_kept_whole(note: str, short: str) -> None:
    assert shortened(note) == short


def test_a_long_sentence_is_cut_between_words() -> None:
    cut = shortened("word " * SHORT_NOTE)
    assert len(cut) <= SHORT_NOTE + 3
    assert cut.endswith("word...")
