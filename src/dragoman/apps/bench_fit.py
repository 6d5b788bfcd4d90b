"""`dragoman bench selector` and `dragoman bench calibrate`: what a run teaches about choosing and about doubt."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from dragoman.bench.calibrate import fit_calibration, unseen
from dragoman.bench.fit_selector import fit_selector
from dragoman.bench.line import Line
from dragoman.bench.provenance import read_run
from dragoman.bench.run import read_lines
from dragoman.ensemble.confidence import calibration_record
from dragoman.ensemble.selector import read_selector, selector_record

OutFile = Annotated[Path, typer.Option("--out", metavar="FILE", help="Where it is written, as JSON.")]


def selector(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs with several candidates.")],
    out: OutFile,
) -> None:
    """Train a selector on the candidates of runs; give ones over databases that it will not be measured on."""
    lines = [line for run in runs for line in read_lines(run)]
    _write(out, selector_record(fit_selector(lines, provenance=_provenance(runs, lines))))
    print(f"Wrote {out}, from {len(lines):,} questions. Use it with --select learned and the setting selector.")


def calibrate(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run over your workload.")],
    out: OutFile,
    selector_file: Annotated[
        Path | None, typer.Option("--selector", metavar="FILE", help="The selector in use (the one that comes along).")
    ] = None,
) -> None:
    """Fit how likely an answer is right to the verdicts of a run, for --min-confidence."""
    selector = read_selector(selector_file)
    every = read_lines(run)
    lines = unseen(every, selector)
    if len(lines) < len(every):
        left_out = len(every) - len(lines)
        print(f"Left out {left_out:,} questions on databases that the selector was trained on.", file=sys.stderr)
    found = fit_calibration(lines, selector, _provenance([run], lines))
    _write(out, calibration_record(found))
    print(f'Wrote {out}, from {len(lines):,} questions. Name it in dragoman.toml: calibration = "{out}".')


def _provenance(runs: Sequence[Path], lines: Sequence[Line]) -> dict[str, Any]:
    """What the lines come from, so that it can be made again, and the databases that it must not be measured on."""
    records = [read_run(run) for run in runs]
    kept = ("method", "model", "candidates", "select", "seed", "temperature", "rule")
    return {
        "runs": [
            {
                "dataset": f"{record['dataset']['name']} {record['dataset']['split']}".strip(),
                "digest": record["dataset"]["digest"],
                "asked": {name: record["asked"].get(name) for name in kept},
                "made_with": record["made_with"],
            }
            for record in records
        ],
        "questions": len(lines),
        "databases": sorted({line.database for line in lines}),
    }


def _write(out: Path, record: dict[str, Any]) -> None:
    out.write_text(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
