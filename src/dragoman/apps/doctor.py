"""`dragoman doctor`: is everything needed in place? One line a check, with the next step where one fails."""

from __future__ import annotations

import importlib.util
import json
import platform
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import typer

from dragoman import compose
from dragoman.apps import options, show
from dragoman.errors import DragomanError
from dragoman.models import embedded

app = typer.Typer(add_completion=False)


@dataclass(frozen=True, slots=True)
class Finding:
    """One check. `state` is "ok", "warning" or "failed"; `detail` says what was found and what to do."""

    name: str
    state: str
    detail: str


@app.command()
def doctor(
    db: options.Db = None,
    model: options.ModelName = None,
    base_url: options.BaseUrl = None,
    as_json: options.Json = False,
    settings_file: options.SettingsFile = None,
) -> None:
    """Check that everything needed is in place."""
    settings = compose.read_settings(settings_file, {"db": db, "model": model, "base_url": base_url})
    findings = [*_machine(), _cache(compose.cache_folder()), *_model(settings), *_database(settings)]
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))
    else:
        out = show.console()
        for finding in findings:
            mark, style = {"ok": ("ok", "green"), "warning": ("!!", "yellow")}.get(finding.state, ("no", "red"))
            out.print(f"[{style}]{mark}[/] {finding.name}: ", end="")
            out.out(finding.detail)
    if any(finding.state == "failed" for finding in findings):
        raise typer.Exit(2)


def _machine() -> Iterator[Finding]:
    yield Finding("python", "ok", f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    yield Finding("sqlite", "ok", sqlite3.sqlite_version)
    for extra, module in {"embedded": "xllamacpp", "hosted": "pydantic_ai"}.items():
        if importlib.util.find_spec(module):
            yield Finding(extra, "ok", "installed")
        else:
            yield Finding(extra, "warning", f"not installed; pip install 'dragoman[{extra}]' brings it")


def _cache(folder: Path) -> Finding:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return Finding("cache", "ok", str(folder))
    except OSError as error:
        reason = f"{folder} cannot be written ({error.strerror}). Set DRAGOMAN_CACHE to a folder of yours."
        return Finding("cache", "failed", reason)


def _model(settings: compose.SolverSettings) -> Iterator[Finding]:
    def opened() -> str:
        model = compose.open_models(settings).for_role("generator")
        return model.name if model.local else f"{model.name}, set up; only a question tries key and server"

    yield _checked("model", opened)
    if settings.model == "embedded":
        status = embedded.status()
        state = "ok" if status.installed else "warning"
        yield Finding("weights", state, status.sentence)


def _database(settings: compose.SolverSettings) -> Iterator[Finding]:
    warnings: list[str] = []

    def opened() -> str:
        database = compose.open_database(settings)
        try:
            warnings.extend(getattr(database, "warnings", tuple)())
            schema = database.schema()
            locks = ", ".join(database.execute("SELECT 1").enforced)
            hidden = f"; not readable: {', '.join(name for name, _ in schema.hidden)}" if schema.hidden else ""
            return f"{database.name} ({database.dialect}), {len(schema.tables)} tables; in force: {locks}{hidden}"
        finally:
            database.close()

    yield _checked("database", opened)
    yield from (Finding("login", "warning", sentence) for sentence in warnings)


def _checked(name: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(name, "ok", check())
    except DragomanError as error:
        return Finding(name, "failed", str(error))
