"""A process that fills a reply cache: `python -m tests.models.cache_writer PATH FIRST COUNT`.

It prints the number of each reply after it was kept, and the count of replies it paid at the end.
"""

from __future__ import annotations

import sys
from pathlib import Path

from dragoman.models import CachedModel, Message, ScriptedModel


def main(path: Path, first: int, count: int) -> None:
    inner = ScriptedModel(lambda request: "SELECT " + request.messages[0].text + " " * 5000)
    model = CachedModel(inner, path)
    for number in range(first, first + count):
        model.complete([Message("user", str(number))])
        print(number, flush=True)
    print("paid", len(inner.requests), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
