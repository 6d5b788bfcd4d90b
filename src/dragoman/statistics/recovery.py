"""How much of what a degraded schema cost came back."""

from __future__ import annotations


def recovery(degraded: float, refined: float, clean: float) -> float | None:
    """(refined - degraded) / (clean - degraded), 1 for all of it (EGRefine, equation 15).

    None where the degraded schema cost nothing, so that there is nothing to recover.
    """
    return None if clean == degraded else (refined - degraded) / (clean - degraded)
