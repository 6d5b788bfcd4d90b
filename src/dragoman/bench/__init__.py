"""Measuring: data sets, runs that resume, reports and comparisons. It receives solvers and never makes one."""

from dragoman.bench.compare import compare
from dragoman.bench.dataset import Dataset, take, without_evidence
from dragoman.bench.line import Line, Slot, Times
from dragoman.bench.report import report
from dragoman.bench.run import Outcome, RunSettings, read_lines, read_run_times, run

__all__ = [
    "Dataset",
    "Line",
    "Outcome",
    "RunSettings",
    "Slot",
    "Times",
    "compare",
    "read_lines",
    "read_run_times",
    "report",
    "run",
    "take",
    "without_evidence",
]
