"""Vote, learned selector and what the run chose (a tournament, say), beside a perfect choice, over stored candidates.

    dragoman bench selector TRAIN_RUN --out selector.json
    python benchmarks/selecting.py RUN [--selector selector.json]    trained elsewhere: databases in common are left out
    python benchmarks/selecting.py RUN --folds                       trained on the other databases of RUN itself

Reads files alone; seconds for a thousand questions, with --folds minutes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

from dragoman.bench.calibrate import held_out_confidence
from dragoman.bench.fit_selector import Selected, by_fold, choices
from dragoman.bench.run import read_lines
from dragoman.ensemble.selector import read_selector
from dragoman.statistics import accuracy_at, calibration_error, cluster_bootstrap, paired_cluster_bootstrap

WAYS = ("vote", "learned", "run", "oracle")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("run", type=Path)
    asked.add_argument("--selector", type=Path)
    asked.add_argument("--folds", action="store_true")
    given = asked.parse_args()
    lines, selector = read_lines(given.run), read_selector(given.selector)
    seen = set() if given.folds else set(selector.provenance.get("databases", ()))
    kept = [line for line in lines if line.database not in seen]
    found = list(by_fold(kept) if given.folds else choices(kept, selector))
    if not found:
        sys.exit("No scored question with candidates on a database that the selector has not seen.")
    print(f"# Choosing among stored candidates\n\n`python benchmarks/selecting.py {' '.join(sys.argv[1:])}`\n")
    clusters = [one.line.database for one in found]
    print(
        f"{len(found):,} questions over {len(set(clusters))} databases; {len(lines) - len(kept):,} left out because the"
    )
    print("selector has seen their databases. Intervals of 95 % resample databases.\n")
    print("| choice | right | % | interval | gap to a perfect choice | against the vote, points |")
    print("|---|---:|---:|---|---|---|")
    for way in WAYS:
        print(_row(found, clusters, way))
    confidences = held_out_confidence([one.line for one in found], selector)
    known = [(confidences[one.line.key], one.run) for one in found if one.line.key in confidences]
    if known and not given.folds:
        values, right = [value for value, _ in known], [verdict for _, verdict in known]
        mean = sum(right) / len(right)
        print(
            f"\n{len(known):,} confidences of what the run chose, fitted to the databases of the other folds: expected"
        )
        print(f"calibration error {calibration_error(values, right):.3f}; right at half coverage", end=" ")
        print(
            f"{accuracy_at(values, right, 0.5):.1%}, on average {mean:.1%}, in the ideal order {min(1, 2 * mean):.1%}."
        )


def _row(found: Sequence[Selected], clusters: Sequence[str], way: str) -> str:
    own, vote, best = ([float(getattr(one, name)) for one in found] for name in (way, "vote", "oracle"))
    mean = cluster_bootstrap(own, clusters, Random(0))
    gap, gain = (paired_cluster_bootstrap(a, b, clusters, Random(0)) for a, b in ((own, best), (vote, own)))
    cells = (
        way,
        f"{sum(own):.0f}",
        f"{mean.estimate:.1%}",
        f"{mean.low:.1%} to {mean.high:.1%}",
        *(f"{100 * d.estimate:+.1f} ({100 * d.low:+.1f} to {100 * d.high:+.1f})" for d in (gap, gain)),
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
