"""Off a terminal a refinement says plainly how far it is, and not too often."""

from __future__ import annotations

import io

from dragoman.apps.refine_progress import PlainLines


def test_a_line_for_each_stage_and_now_and_then_within_one() -> None:
    seconds = iter([0.0, 0.0, 1.0, 9.0, 10.0, 12.0, 130.0, 140.0, 189.0, 190.0, 200.0])
    out = io.StringIO()
    lines = PlainLines(out, lambda: next(seconds))
    for number in range(4):
        lines.tell("gold", number, 30)
    lines.tell("baseline", 0, 1)
    for known in range(1, 5):
        lines.tell("answer", known, 0)
    lines.tell("verify", 2, 14)
    assert out.getvalue().splitlines() == [
        "[0:00] Running the gold queries, 1 of 30...",
        "[0:10] Running the gold queries, 4 of 30...",
        "[0:12] Asking under the old names...",
        "[2:10] Asking under the old names (1 answer known)...",
        "[3:10] Asking under the old names (4 answers known)...",
        "[3:20] Verifying names, 3 of 14 (4 answers known)...",
    ]
