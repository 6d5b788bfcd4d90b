"""Write the mean of some adapters of one training run: python mean.py OUT.gguf A-f16.gguf B-f16.gguf ...

Points of one run lie close together, so their mean is a model too, and often keeps what each of them knows. Give the
milestones in F16: what Q8_0 rounds away is then lost once.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from adapter import Adapter, read_adapter, write_adapter
from gguf import GGMLQuantizationType


def mean(adapters: list[Adapter]) -> Adapter:
    """The mean of each weight. Raises `ValueError` where the adapters are not of one form."""
    first = adapters[0]
    for other in adapters:
        if (other.alpha, other.order, other.rank) != (first.alpha, first.order, first.rank):
            raise ValueError("The adapters differ in alpha, rank or the order of their SQL. Take points of one run.")
    weights = {name: sum(a.weights[name] for a in adapters) / len(adapters) for name in first.weights}
    return replace(first, weights=weights)


def main() -> None:
    """Write OUT.gguf in Q8_0 and OUT-f16.gguf beside it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("adapters", type=Path, nargs="+")
    given = parser.parse_args()
    second = given.out.with_name(f"{given.out.stem}-f16.gguf")
    if {given.out, second} & set(given.adapters):
        parser.error(f"{given.out} or {second.name} is one of the adapters. Give another name for the mean.")
    made = mean([read_adapter(path) for path in given.adapters])
    write_adapter(made, given.out)
    write_adapter(made, second, GGMLQuantizationType.F16)


if __name__ == "__main__":
    main()
