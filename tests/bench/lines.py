"""Lines made by hand, with counts that are known."""

from __future__ import annotations

from dragoman.bench.line import Line, Slot

GOLD = "SELECT name FROM singer WHERE age > 20"


def line(name: str, verdict: str = "correct", **changed: object) -> Line:
    """A line of example `name`."""
    fields: dict[str, object] = {
        "id": name,
        "repeat": 0,
        "database": "concerts",
        "dialect": "sqlite",
        "difficulty": "easy",
        "question": f"Question {name}?",
        "gold": GOLD,
        "sql": GOLD,
        "verdict": verdict,
    }
    return Line(**{**fields, **changed})  # type: ignore[arg-type]


def pool(right: int, size: int = 8, invalid: int = 0) -> tuple[Slot, ...]:
    """`right` right candidates, then `invalid` with an invalid reference, then wrong ones."""
    verdicts = ["correct"] * right + ["invalid_reference"] * invalid + ["wrong"] * (size - right - invalid)
    return tuple(
        Slot(f"SELECT {place}", verdict, f"skill {place}", verdict == "invalid_reference")
        for place, verdict in enumerate(verdicts)
    )
