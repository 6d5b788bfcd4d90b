"""Residual optimisation in a world whose best pool is known: `python experiments/learn_simulation.py`.

Arms start from the same seeds in the same worlds (tests/learn/simulated.py). Optimising arms take equally many turns;
`runs` is what they asked of the agent. Ratios are of expected coverage to that of the best pool of the same size.
"""

from __future__ import annotations

import argparse
import datetime
import platform
import random
import sys
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.learn.simulated import simulate

from dragoman.statistics import quantile

ARMS = {
    "base": "one skill, three runs",
    "seeds": "three seeds, not optimised",
    "single": "one skill optimised, three runs",
    "residual": "residual optimisation (Algorithm 1)",
    "null": "residual, texts that change nothing",
}


def main() -> None:
    """Run every arm in every world, and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=100)
    worlds = parser.parse_args().worlds
    print("# Residual optimisation in known worlds\n")
    print(
        f"`python experiments/learn_simulation.py --worlds {worlds}`, {datetime.date.today()}, {platform.machine()}.\n"
    )
    print(
        "| arm | mean ratio to the best pool | 5 % to 95 % of worlds | mean gain over its start (95 % interval) "
        "| accepted of turns | runs |"
    )
    print("|---|---|---|---|---|---|")
    for arm, words in ARMS.items():
        found = [simulate(arm, seed) for seed in range(worlds)]
        ratios = sorted(r.ratio for r in found)
        order = random.Random(0)
        means = sorted(fmean(order.choices([r.gain for r in found], k=worlds)) for _ in range(2000))
        print(
            f"| {words} | {fmean(ratios):.3f} | {quantile(ratios, 0.05):.3f} to {quantile(ratios, 0.95):.3f} "
            f"| {fmean(r.gain for r in found):+.3f} ({quantile(means, 0.025):+.3f} to {quantile(means, 0.975):+.3f}) "
            f"| {fmean(r.accepted for r in found):.1f} of {fmean(r.turns for r in found):.1f} "
            f"| {fmean(r.runs for r in found):.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
