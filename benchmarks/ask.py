"""How long a user waits: `dragoman --help`, and a warm `dragoman ask` over the demo database as a whole process.

    python benchmarks/ask.py [--out FILE]

Each figure is the median (and the range) of ten runs after one that is not counted; the state of the prompt's prefix
is then on disk. The baseline of the same run is Python starting and importing nothing of Dragoman.
"""

from __future__ import annotations

import argparse
import datetime
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

QUESTION = "How many payments failed?"
RUNS = 10


def main() -> None:
    """Measure and print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    out = parser.parse_args().out
    dragoman = str(Path(sys.executable).with_name("dragoman"))
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "dragoman --help": [dragoman, "--help"],
        f'dragoman ask "{QUESTION}"': [dragoman, "ask", QUESTION],
        f'dragoman ask "{QUESTION}" --candidates 5': [dragoman, "ask", QUESTION, "--candidates", "5"],
    }
    measured = {name: seconds(command) for name, command in commands.items()}
    base = statistics.median(measured["python -c pass"])
    rows = [
        f"| `{name}` | {statistics.median(runs):.2f} | {min(runs):.2f} to {max(runs):.2f} "
        f"| {statistics.median(runs) / base:.0f} |"
        for name, runs in measured.items()
    ]
    text = (
        f"# A warm answer\n\nWritten by `python benchmarks/ask.py` on {datetime.date.today()}; Python "
        f"{platform.python_version()}, 2 cores {platform.machine()}.\n\n"
        "| command | median, s | range, s | times the baseline |\n|---|---|---|---|\n" + "\n".join(rows) + "\n"
    )
    print(text)
    if out:
        out.write_text(text, encoding="utf-8")


def seconds(command: list[str]) -> list[float]:
    """Wall seconds of `RUNS` runs after one that is not counted."""
    found = []
    for _ in range(RUNS + 1):
        started = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found.append(time.perf_counter() - started)
    return found[1:]


if __name__ == "__main__":
    main()
