"""The command `dragoman`: finds the subcommand, runs it, and turns exceptions into one sentence and an exit code.

Exit codes: 0 answered; 1 no answer; 2 bad input or set-up; 3 refused by the guard; 130 interrupted.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import math
import os
import sys
from collections.abc import Sequence
from typing import Any

import typer
import typer._click as click  # typer carries its own copy of click and exports no alias for these types
from typer.core import TyperCommand, TyperGroup

from dragoman.errors import DragomanError

INTERRUPTED = 130

COMMANDS: dict[str, tuple[str, str]] = {
    "ask": ("dragoman.apps.ask", "Answer a question over a database."),
    "run": ("dragoman.apps.run", "Run a query under the guard and the limits."),
    "schema": ("dragoman.apps.schema", "Show what a database is made of."),
    "bench": ("dragoman.apps.bench", "Measure how often answers are right."),
    "learn": ("dragoman.apps.learn", "Make skills that cover what the others miss."),
    "refine": ("dragoman.apps.refine", "Find clearer names that are proved to help."),
    "skills": ("dragoman.apps.skills", "The strategies that an agent can follow."),
    "workload": ("dragoman.apps.workload", "Check and draft questions with gold SQL."),
    "model": ("dragoman.apps.model", "Install, inspect and remove the embedded model."),
    "doctor": ("dragoman.apps.doctor", "Check that everything needed is in place."),
}
"""Name -> (module that holds `app`, its help line). Modules are imported when their command is used."""


class LazyGroup(TyperGroup):
    """A group whose commands are imported on use, so that `--help` stays fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """What the help page needs of a command: its name and its help line."""
        if cmd_name not in COMMANDS:
            return None
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name][1])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, _, rest = super().resolve_command(ctx, args)
        return name, load_command(str(name)), rest


def load_command(name: str) -> click.Command:
    """Import the module of a command and give the command."""
    command = typer.main.get_command(importlib.import_module(COMMANDS[name][0]).app)
    command.name = name
    _finish(command)
    return command


def _finish(command: click.Command) -> None:
    """Here and in the commands below: flags take nothing, so their help shows no type, and "nan" is no number."""
    for parameter in command.params:
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
        if parameter.callback is None:
            parameter.callback = _a_number
    for below in getattr(command, "commands", {}).values():
        _finish(below)


def _a_number(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """The value of any option; raises `BadParameter` for NaN, which no bound would stop."""
    if isinstance(value, float) and math.isnan(value):
        flag = f"'{parameter.opts[0]}'"
        raise click.exceptions.BadParameter("'nan' is not a number.", context, param_hint=flag)
    return value


app = typer.Typer(cls=LazyGroup, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


@app.callback(invoke_without_command=True)
def dragoman(version: bool = typer.Option(False, "--version", help="Print the version and end.")) -> None:
    """Ask a SQL database in plain language."""
    if version:
        typer.echo(f"dragoman {importlib.metadata.version('dragoman')}")
        raise typer.Exit


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with the documented code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit code; what goes wrong is said in one sentence on standard error."""
    try:
        code: Any = typer.main.get_command(app).main(list(arguments), prog_name="dragoman", standalone_mode=False)
        code = code if isinstance(code, int) else 0
        return _fail("Interrupted.", code) if code == INTERRUPTED else code
    except DragomanError as error:
        return _fail(str(error), error.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        return _fail("Interrupted.", INTERRUPTED)
    except SystemExit as ended:  # typer ends so when whoever reads its output has gone
        return 0 if type(sys.stdout).__name__ == "PacifyFlushWrapper" else int(ended.code or 0)
    except click.exceptions.ClickException as error:
        error.show()
        return error.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        place = f" {error.filename}" if error.filename else " the output"
        return _fail(f"Cannot use{place}: {error.strerror}. Check that the path exists and can be written.", 2)


def _fail(sentence: str, code: int) -> int:
    print(f"dragoman: {sentence}", file=sys.stderr)
    return code
