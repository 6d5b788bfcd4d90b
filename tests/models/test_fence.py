from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from dragoman.models.fence import Fence, fence_for

FENCE = fence_for(0, "shop")
TAG = re.compile(
    r"[<\uff1c\ufe64][\s/\\|\u200b-\u200f]*d[\u200b-\u200f]*a[\u200b-\u200f]*t[\u200b-\u200f]*a\b", re.IGNORECASE
)
PIECES = st.sampled_from(
    [
        "<data",
        "</data",
        "< / DATA ",
        "\uff1c/data>",
        FENCE.marker,
        ">",
        "\n",
        "\u200b",
        "\u200d",
        "\U000e0041",
        "\u202e",
        "x",
        "é",
    ]
)


@given(st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=12).map("".join))
def test_text_cannot_close_its_fence(text: str) -> None:
    fenced = FENCE(text, "result")
    assert len(TAG.findall(fenced)) == 2
    assert fenced.startswith(f"<data {FENCE.marker} result>\n")
    assert fenced.endswith(f"\n</data {FENCE.marker}>")
    inside = fenced[len(f"<data {FENCE.marker} result>\n") : -len(f"\n</data {FENCE.marker}>")]
    assert FENCE.marker not in inside


@given(st.text(alphabet=st.characters(categories=("L", "N", "P", "S", "Zs"), exclude_characters="<\uff1c\ufe64")))
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    if FENCE.marker not in text:
        assert FENCE(text, "result").split("\n", 1)[1].rsplit("\n", 1)[0] == text


def test_characters_that_nobody_sees_are_written_out() -> None:
    assert "a\\u{200b}b\\u{202e}\\u{e0041}" in Fence("m")("a\u200bb\u202e\U000e0041", "x")
    assert "می\u200cخواهم" in Fence("m")("می\u200cخواهم", "x")


def test_the_marker_follows_from_seed_and_database() -> None:
    assert fence_for(1, "shop") == fence_for(1, "shop")
    assert len({fence_for(0, "shop").marker, fence_for(1, "shop").marker, fence_for(0, "other").marker}) == 3
