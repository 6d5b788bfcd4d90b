"""The experiment of EGRefine on our own abbreviation of Spider dev: python -m experiments.egrefine --out FOLDER

One protocol for every arm: the same questions, all asked anew under the names of the arm, no outcome taken over from
another arm (only where two arms show a solver the very same schema, its answer is the same and is decoded once). What
was answered is kept in the folder: a killed run goes on, and a finished one only writes its tables again.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import asdict
from pathlib import Path

from experiments.egrefine.grounds import Size, chosen_databases, degraded, ground
from experiments.egrefine.measure import STAGES, Models, measure
from experiments.egrefine.plan import cost, plan_lines
from experiments.egrefine.tables import tables
from experiments.egrefine.verifiers import SOLVERS, embedded_model, verifiers

from dragoman.bench.datasets.load import load
from dragoman.compose import cache_folder
from dragoman.models import ReplyCache, open_model
from dragoman.refine.verdict_store import VerdictStore


def main() -> None:
    """Plan, or measure what is not measured yet and write the tables."""
    arguments = _arguments()
    size = Size(
        arguments.databases,
        arguments.questions,
        arguments.columns,
        kind=arguments.kind,
        seed=arguments.seed,
        without=tuple(arguments.without),
    )
    dataset = load("spider", arguments.data, Path())
    names = chosen_databases(dataset, size)
    clean, worse = degraded(dataset, names, size, cache_folder() / "perturbed")
    if arguments.plan:
        costs = []
        for name in names:
            with ground(clean, worse, name, size) as found:
                costs.append(cost(found))
        print("\n".join(plan_lines(costs)))
        return
    folder: Path = arguments.out
    folder.mkdir(parents=True, exist_ok=True)
    _same_settings(folder / "settings.json", {key: value for key, value in asdict(size).items() if value != ()})
    if arguments.model == "embedded":
        model = embedded_model(arguments.adapter, folder, arguments.threads)
    else:
        cache = ReplyCache(folder / "replies.sqlite")
        model = open_model(arguments.model, base_url=arguments.base_url, cache=cache)
    writer = model if model.sql_form is None else None
    own = verifiers(model, arguments.solvers, size.seed)
    other = {}
    if arguments.other_adapter:
        model = embedded_model(arguments.other_adapter, folder, arguments.threads)
        other = verifiers(model, arguments.solvers, size.seed)
    store = VerdictStore(folder / "verdicts.jsonl")
    try:
        for stage in arguments.stages:
            for name in names:
                if (folder / stage / f"{name}.json").exists():
                    continue
                started = time.monotonic()
                with ground(clean, worse, name, size) as found:
                    measure(found, stage, Models(own, other, writer), store, folder)
                print(f"{stage}: {name} took {time.monotonic() - started:.0f} s.", file=sys.stderr, flush=True)
    finally:
        store.close()
    (folder / "results.md").write_text(tables(folder), encoding="utf-8")


def _same_settings(path: Path, settings: dict[str, object]) -> None:
    """Keep what a folder was begun with; ends where it was begun with something else."""
    text = json.dumps(settings, indent=1, sort_keys=True) + "\n"
    if path.exists() and path.read_text(encoding="utf-8") != text:
        sys.exit(f"{path.parent} was begun with other settings (settings.json). Give another folder.")
    path.write_text(text, encoding="utf-8")


def _arguments() -> argparse.Namespace:
    shared = Path(os.environ.get("DRAGOMAN_SHARED") or Path(__file__).resolve().parents[3] / "shared")
    size = Size()
    parser = argparse.ArgumentParser(prog="python -m experiments.egrefine", description=__doc__)
    parser.add_argument("--data", type=Path, default=shared / "data", help="The folder that holds spider.")
    parser.add_argument("--out", type=Path, default=Path("egrefine-run"))
    parser.add_argument("--plan", action="store_true", help="Print what it would cost at most, and ask nothing.")
    parser.add_argument("--stages", nargs="+", choices=STAGES, default=["main", "ablations"])
    parser.add_argument("--databases", type=int, default=size.databases)
    parser.add_argument("--questions", type=int, default=size.questions, help="Questions of each database.")
    parser.add_argument("--columns", type=int, default=size.columns, help="Databases have at most so many.")
    parser.add_argument("--kind", choices=("rule", "list"), default=size.kind, help="How names are abbreviated.")
    parser.add_argument("--seed", type=int, default=size.seed)
    parser.add_argument("--without", nargs="+", default=[], help="Databases not to draw: those that were looked at.")
    parser.add_argument("--model", default="embedded", help="The embedded model, or one on a server.")
    parser.add_argument("--base-url", help="Of a server of one's own.")
    parser.add_argument("--solvers", nargs="+", default=list(SOLVERS), help="greedy, vote, or methods (c3 din_sql).")
    parser.add_argument("--adapter", type=Path, help="An SQL adapter in place of the shipped one.")
    parser.add_argument("--other-adapter", type=Path, help="Another one, for the stage across.")
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
