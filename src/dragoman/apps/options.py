"""Command-line options that several commands share, each defined once."""

from __future__ import annotations

import json
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer

from dragoman.errors import SetupError


class Format(str, Enum):
    """How results are written."""

    table = "table"
    json = "json"
    csv = "csv"
    markdown = "markdown"


Db = Annotated[
    str | None, typer.Option("--db", metavar="URL", help="Database: a path, a URL, demo (the default) or warehouse.")
]
RefinementFile = Annotated[
    str | None, typer.Option("--refinement", metavar="FILE", help="See the database under the names of a refinement.")
]
ModelName = Annotated[
    str | None,
    typer.Option("--model", metavar="NAME", help="embedded (the default), embedded:FILE.gguf, openai:NAME, ..."),
]
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", metavar="URL", help="Address of an OpenAI-compatible server.")
]
ModelFor = Annotated[
    list[str] | None,
    typer.Option("--model-for", metavar="ROLE=NAME", help="Another model for one role; may be repeated."),
]
SettingsFile = Annotated[
    Path | None, typer.Option("--settings", metavar="FILE", help="Settings as TOML (default: dragoman.toml here).")
]
OutputFormat = Annotated[Format, typer.Option("--format", help="How the result is written.")]
Json = Annotated[bool, typer.Option("--json", help="The same as --format json.")]
Limit = Annotated[int | None, typer.Option("--limit", min=1, metavar="N", help="Keep at most N rows (1000).")]
Timeout = Annotated[
    float | None, typer.Option("--timeout", min=0.001, metavar="S", help="Interrupt a query after S seconds (30).")
]
Method = Annotated[
    str | None,
    typer.Option(
        "--method",
        metavar="NAME",
        help="How to answer: zero_shot, c3, din_sql, mac_sql, reforce, chase, agent, divskill, ...",
    ),
]
SkillName = Annotated[
    str | None, typer.Option("--skill", metavar="NAME", help="The skill that every agent follows (balanced).")
]
SkillsFolder = Annotated[
    str | None, typer.Option("--skills", metavar="FOLDER", help="Where your skills are; divskill takes all of them.")
]
Documents = Annotated[
    str | None,
    typer.Option("--documents", metavar="FOLDER", help="Your own notes, where agents may look things up."),
]
Templates = Annotated[
    str | None, typer.Option("--templates", metavar="FILE", help="A workload whose masked examples agents may see.")
]
Transcript = Annotated[
    Path | None, typer.Option("--transcript", metavar="FILE", help="Add what each agent did to this file: JSON Lines.")
]
Candidates = Annotated[
    int | None,
    typer.Option("--candidates", min=1, metavar="K", help="Draw K answers, of which one is kept (1)."),
]
SelectBy = Annotated[
    str | None,
    typer.Option(
        "--select",
        metavar="WAY",
        help="How candidates are chosen among: likelihood (the default), vote, tournament, hybrid, learned.",
    ),
]
Calibration = Annotated[
    str | None,
    typer.Option("--calibration", metavar="FILE", help="Made by bench calibrate: answers then have a confidence."),
]
MinConfidence = Annotated[
    float | None,
    typer.Option(
        "--min-confidence",
        min=0.0,
        max=1.0,
        metavar="P",
        help="Hold an answer back that is less likely right, and ask.",
    ),
]
Arm = Annotated[
    str | None, typer.Option("--arm", metavar="NAME", help="With --method reforce: an ablation, such as no_vote.")
]
Parameters = Annotated[
    list[str] | None,
    typer.Option(
        "--parameter", metavar="NAME=VALUE", help="A parameter of the method reforce, such as votes=3; may be repeated."
    ),
]


def by_role(pairs: list[str] | None) -> dict[str, str] | None:
    """`["judge=openai:x"]` as `{"judge": "openai:x"}`; `SetupError` for a pair without a name on both sides."""
    if not pairs:
        return None
    split = [pair.partition("=") for pair in pairs]
    for role, _, name in split:
        if not role or not name:
            raise SetupError("--model-for needs ROLE=NAME, for example --model-for judge=openai:gpt-5.")
    return {role: name for role, _, name in split}


def by_name(pairs: list[str] | None) -> dict[str, Any] | None:
    """`["votes=3", "explore=never"]` as `{"votes": 3, "explore": "never"}`: JSON is read as such, all else is text."""
    if not pairs:
        return None
    split = [pair.partition("=") for pair in pairs]
    for name, _, value in split:
        if not name or not value:
            raise SetupError("--parameter needs NAME=VALUE, for example --parameter votes=3.")
    return {name: _value(value) for name, _, value in split}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
