"""The questions by which names of the demo database are refined: its workload, and more about the dealers' table."""

from __future__ import annotations

from importlib.resources import as_file, files

from dragoman.demo.workload import workload
from dragoman.questions import Workload, read_workload


def refining_workload() -> Workload:
    """The frozen workload with the questions of dealers.jsonl after it.

    The table of the old system is read by fifteen questions of the workload, each of its columns by five at most, too
    few to judge a name by. What measures answers (`workload`) stays as it is.
    """
    with as_file(files(__package__) / "dealers.jsonl") as path:
        return Workload((*workload(), *read_workload(path).examples), "demo")
