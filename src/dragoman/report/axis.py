"""Where the ticks of an axis stand."""

from __future__ import annotations

from math import ceil, floor, log10

_NICE = (1.0, 2.0, 2.5, 5.0, 10.0)


def ticks(low: float, high: float, most: int = 6) -> tuple[float, ...]:
    """Between two and `most` round numbers, evenly apart, from at most `low` to at least `high`."""
    size = max(abs(low), abs(high), 1.0)
    if high - low < 1e-9 * size:
        low, high = (low - 0.5 * size, low + 0.5 * size) if low else (0.0, 1.0)
    power = 10 ** floor(log10((high - low) / most))
    for step in (factor * scale for scale in (power, 10 * power) for factor in _NICE):
        first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
        if last - first < most:
            break
    return tuple(round(index * step, 12) for index in range(first, last + 1))
