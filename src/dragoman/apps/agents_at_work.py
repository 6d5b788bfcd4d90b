"""What agents are doing, as they do it, on standard error: a live table on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from dragoman.agent.sentences import counted
from dragoman.agent.transcript import write_transcripts
from dragoman.apps.show import printable
from dragoman.errors import SetupError
from dragoman.solver import Draw, Step

LONGEST = 60
"""Characters that are shown of a query or of what is looked up."""

Seat = tuple[int, str]
"""(index of the sample, name of the agent)."""


class AgentsAtWork:
    """Told of agents in any thread. `doing` says of each what it does last, `transcripts` holds those that ended."""

    def __init__(self, plain: bool = False) -> None:
        self.doing: dict[Seat, str] = {}
        self.transcripts: dict[Seat, str] = {}
        self._plain = plain
        self._lock = threading.Lock()

    def step(self, agent: str, draw: Draw, step: Step) -> None:
        """Keep what a step is about; on a plain output say it where a tool was used or the work ended."""
        told = say_step(step)
        if not told:
            return
        with self._lock:
            self.doing[draw.sample, agent] = told
            if self._plain and step.kind in ("tool", "stop"):
                print(f"{self.label((draw.sample, agent))}: {told}", file=sys.stderr, flush=True)

    def end(self, agent: str, draw: Draw, transcript: str) -> None:
        """Keep the transcript of an agent that has ended."""
        with self._lock:
            self.transcripts[draw.sample, agent] = transcript

    def label(self, seat: Seat) -> str:
        """The agent's name, with the number of its sample where one agent works on several."""
        sample, agent = seat
        alone = all(other == seat for other in self.doing if other[1] == agent)
        return agent if alone else f"{agent} (sample {sample + 1})"

    def __rich__(self) -> RenderableType:
        drawn = Table(show_header=False, show_edge=False, box=None, pad_edge=False)
        drawn.add_column(no_wrap=True)
        drawn.add_column(no_wrap=True, overflow="ellipsis")
        with self._lock:
            for seat, told in sorted(self.doing.items()):
                drawn.add_row(Text(self.label(seat), style="bold"), Text(told, style="dim"))
        return drawn if drawn.row_count else Text("Thinking...")


class TranscriptFile:
    """Adds the transcript of each agent to a file as it ends, in any thread: for runs of many questions.

    Raises `SetupError` if the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        _write(path, [])
        self._path = path
        self._lock = threading.Lock()

    def step(self, agent: str, draw: Draw, step: Step) -> None:
        """A step is in the transcript."""

    def end(self, agent: str, draw: Draw, transcript: str) -> None:
        """Write the transcript."""
        with self._lock:
            _write(self._path, [transcript])


@contextmanager
def agents_at_work(shown: bool, transcript: Path | None = None) -> Iterator[AgentsAtWork]:
    """Someone to tell of agents while they work. Their transcripts are added to a file, also after an interrupt.

    Raises `SetupError` if that file cannot be written.
    """
    if transcript is not None:
        _write(transcript, [])
    on_terminal = sys.stderr.isatty()
    watch = AgentsAtWork(plain=shown and not on_terminal)
    try:
        if shown and on_terminal:
            with Live(get_renderable=watch.__rich__, console=Console(stderr=True), transient=True):
                yield watch
        else:
            yield watch
    finally:
        if transcript is not None:
            _write(transcript, [line for _, line in sorted(watch.transcripts.items())])


def say_step(step: Step) -> str:
    """One line on a step of an agent, "" for one that is not worth it."""
    data = step.data
    if step.kind == "model" and step.role == "generator":
        calls = ", ".join(call["name"] for call in data.get("tool_calls", ()))
        return f"turn {data['turn']}, {calls or 'thinking'}"
    if step.kind == "tool":
        argument = printable(" ".join(str(data["argument"]).split()))
        cut = argument if len(argument) <= LONGEST else f"{argument[:LONGEST]}..."
        return f"turn {data['turn']}, {data['tool'] or 'no tool'}, {data['outcome']}{': ' + cut if cut else ''}"
    if step.kind == "stop":
        turns, executions = counted(data["turns"], "turn"), counted(data["executions"], "execution")
        return f"ended ({data['reason']}) after {turns} and {executions}"
    return ""


def _write(path: Path, lines: list[str]) -> None:
    try:
        write_transcripts(lines, path)
    except OSError as error:
        raise SetupError(f"Cannot write the transcripts {path}: {error.strerror}. Choose another file.") from None
