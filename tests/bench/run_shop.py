"""A whole run in a process of its own, to be killed: python -m tests.bench.run_shop DATA OUT WORKERS."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from dragoman.bench.run import RunSettings, run
from dragoman.models import Request, request_key
from tests.bench.shop import scripted, shop, solver_for


def main(data: Path, out: Path, workers: int) -> None:
    calls = os.open(out.with_suffix(".calls"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def log(request: Request) -> None:
        os.write(calls, f"{request_key(request)}\n".encode())

    model = scripted(out.parent, log, pause=0.004)
    run(solver_for(model), shop(data), out, RunSettings(repeat=2, workers=workers), {"model": model.name})


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
