"""Writes docs/reference/cli.md, settings.md and errors.md from the code, so that they cannot drift from it."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import Any

from dragoman import compose, errors
from dragoman.apps.cli import COMMANDS, load_command

HERE = Path(__file__).parent
NOTE = "<!-- Written by docs/generate.py (make docs); do not edit. -->\n\n"


def main() -> None:
    """Write the three pages."""
    (HERE / "reference").mkdir(exist_ok=True)
    for name, text in {"cli": cli(), "settings": settings(), "errors": error_tree()}.items():
        (HERE / "reference" / f"{name}.md").write_text(NOTE + text, encoding="utf-8")


def cli() -> str:
    """Every command with its arguments and options."""
    parts = ["# The command line\n"]
    for name in COMMANDS:
        for path, command in commands(f"dragoman {name}", load_command(name)):
            parts.append(f"## {path}\n\n{inspect.cleandoc(command.help or '')}\n")
            rows = [row for parameter in command.params if (row := describe(parameter))]
            if rows:
                parts.append("| option | meaning |\n|---|---|\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def commands(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    """A command and those below it, depth first."""
    yield path, command
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(f"{path} {name}", below)


def describe(parameter: Any) -> str:
    """One row of a table: names, what they take, meaning."""
    if "--help" in parameter.opts:
        return ""
    argument = type(parameter).__name__ == "TyperArgument"
    names = parameter.name.upper() if argument else ", ".join([*parameter.opts, *parameter.secondary_opts])
    takes = "" if getattr(parameter, "is_flag", False) or argument else f" {parameter.metavar or ''}"
    if isinstance(parameter.default, Enum):
        takes = " " + "\\|".join(choice.value for choice in type(parameter.default))
    return f"| `{names}{takes.rstrip()}` | {(parameter.help or '').replace('|', chr(92) + '|')} |"


def settings() -> str:
    """The keys of the settings file with their defaults."""
    defaults = compose.SolverSettings()
    about = inspect.cleandoc(compose.SolverSettings.__doc__ or "")
    rows = [f"| `{f.name}` | `{getattr(defaults, f.name)!r}` |" for f in fields(defaults)]
    return (
        f"# The settings file\n\n`{compose.SETTINGS_FILE}` in the current folder, or the file that `--settings` names."
        f" Options on the command line win.\n\n{about}\n\n| key | default |\n|---|---|\n" + "\n".join(rows) + "\n"
    )


def error_tree() -> str:
    """The exception tree with codes and exit codes."""
    rows = []
    for node in ast.parse(inspect.getsource(errors)).body:
        if isinstance(node, ast.ClassDef):
            kind = getattr(errors, node.name)
            first = re.split(r"(?<=\.)\s", inspect.cleandoc(kind.__doc__ or ""))[0]
            rows.append(f"| `{kind.__name__}` | `{kind.code}` | {kind.exit_code} | {first} |")
    table = "| exception | `error.code` | exit code | meaning |\n|---|---|---|---|\n" + "\n".join(rows)
    return f"# Errors and exit codes\n\n```\n{inspect.cleandoc(errors.__doc__ or '')}\n```\n\n{table}\n"


if __name__ == "__main__":
    main()
