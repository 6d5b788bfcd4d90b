"""What decides what is asked of whom: settings from a file and from the command line."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, get_type_hints

from dragoman.compose.check_setting import check_setting
from dragoman.errors import SetupError
from dragoman.workflows import AGENT_METHODS, CHOOSING, METHODS, SAMPLED_METHODS, WAYS
from dragoman.workflows.reforce import Parameters, with_options

SETTINGS_FILE = "dragoman.toml"


@dataclass(frozen=True, slots=True)
class SolverSettings:
    """Everything that decides what is asked of whom. Field names are the keys of the settings file.

    `limit` in rows, `timeout` in seconds of a query, `max_calls`, `max_tokens` and `max_dollars` bound what the
    models of one process may spend, None is no bound. `model_for` maps a role to a model's name. With `candidates`
    above 1 that many answers are drawn, all but the first at temperature 0.7, and one is kept by what they result in.
    The methods divskill and chase_agentic have that many agents instead (1: as many as there are skills, or eight), of
    which `at_once` work at the same time, 0 for eight on a server and one on the embedded model.
    `skill` names what agents are led by, "" for balanced, or for all that divskill has; it is looked for in the folder
    `skills` ("" for `skills/` here) first. divskill takes all skills of that folder where one is named, else the eight
    that come along. `documents` is a folder of your own notes and `templates` a workload whose questions agents may
    look at, masked; `text_protocol` is for models without tool calls.
    `arm` is an ablation of the method reforce, and `reforce` holds its parameters by name; `candidates` above 1 is the
    number of its votes.
    `refinement` is a file that `dragoman refine run` wrote: the database is then seen under its names alone.
    `select` chooses among candidates: likelihood (the default: the vote where the model does not tell how likely its
    tokens are), vote, tournament, hybrid or learned, "" for the method's own way;
    `selector` is the file of a learned one, "" for that which comes along. `calibration` is a file made by `dragoman
    bench calibrate`, with which answers have a confidence; below `min_confidence` (0 to 1) they are held back.
    `today` is the date as prompts show it, "" for the day of the question. `max_cost` is what a query may cost in the
    engine's own estimate, where it has one. `access` holds the lists of `AccessPolicy`, applied alike to what is shown
    and to what may run. `log` is a file that gets one line a query, with the rows too if `log_values` is true.
    """

    db: str = "demo"
    refinement: str = ""
    model: str = "embedded"
    base_url: str = ""
    method: str = "zero_shot"
    skill: str = ""
    skills: str = ""
    documents: str = ""
    templates: str = ""
    text_protocol: bool = False
    model_for: Mapping[str, str] = field(default_factory=dict)
    arm: str = ""
    reforce: Mapping[str, Any] = field(default_factory=dict)
    values: bool = True
    limit: int = 1000
    timeout: float = 30.0
    max_cost: float | None = None
    access: Mapping[str, list[str]] = field(default_factory=dict)
    log: str = ""
    log_values: bool = False
    max_calls: int | None = None
    max_tokens: int | None = None
    max_dollars: float | None = None
    cache: bool = True
    temperature: float = 0.0
    seed: int = 0
    candidates: int = 1
    at_once: int = 0
    select: str = ""
    selector: str = ""
    calibration: str = ""
    min_confidence: float = 0.0
    today: str = ""


def read_settings(path: Path | None, given: Mapping[str, Any]) -> SolverSettings:
    """Settings from a TOML file (`dragoman.toml` of this folder if `path` is None), then what was `given` on top.

    Values of None in `given` were not given. Raises `SetupError` for a file, key or type that is wrong.
    """
    settings = replace(SolverSettings(), **_read_file(path))
    wanted = {key: value for key, value in given.items() if value is not None}
    _check_each(wanted)
    settings = replace(settings, **wanted)
    if settings.method not in METHODS:
        raise SetupError(f"No method is called {settings.method}. Choose one of {', '.join(METHODS)}.")
    if (settings.skill or settings.skills) and settings.method not in AGENT_METHODS:
        raise SetupError(
            f"Only the methods {', '.join(AGENT_METHODS)} follow skills. Add --method agent, or leave skills out."
        )
    if settings.method == "reforce":
        reforce_parameters(settings)
    elif settings.arm or settings.reforce:
        raise SetupError("Only the method reforce has arms and parameters. Add --method reforce, or leave them out.")
    _check_choice(settings)
    if settings.base_url and uses_embedded(settings) and not settings.model_for:
        raise SetupError("--base-url is for a model on a server. Name the model with --model as well.")
    return settings


def uses_embedded(settings: SolverSettings) -> bool:
    """Whether any role runs on the embedded model, whose weights must then be installed."""
    return "embedded" in {settings.model, *settings.model_for.values()}


def way_to_choose(settings: SolverSettings) -> str:
    """How one of several candidates is chosen; "" where there is one, or where the method chooses in its own way."""
    drawn = settings.candidates > 1 and settings.method not in {*CHOOSING, "reforce"}
    return settings.select or ("likelihood" if drawn else "")


def reforce_parameters(settings: SolverSettings) -> Parameters:
    """The parameters of the method reforce. Raises `SetupError` for an arm or a parameter that does not exist."""
    votes = {"votes": settings.candidates} if settings.candidates > 1 else {}
    return with_options(Parameters(), {**votes, **settings.reforce}, settings.arm)


def path_of(text: str) -> Path:
    """A path of the settings, `~` expanded."""
    return Path(text).expanduser()


def _check_choice(settings: SolverSettings) -> None:
    """Raises `SetupError` where there is nothing to choose from, or nothing that confidence could be made with."""
    if settings.select and settings.select not in WAYS:
        raise SetupError(f"No way to choose is called {settings.select}. Give one of {', '.join(WAYS)} to --select.")
    if settings.select and settings.method in {*SAMPLED_METHODS, "reforce"}:
        raise SetupError(f"The method {settings.method} chooses in its own way. Leave --select out.")
    if settings.select and settings.candidates == 1 and settings.method not in CHOOSING:
        raise SetupError("--select chooses among several candidates. Add --candidates 5, for example.")
    if settings.min_confidence and not settings.calibration:
        raise SetupError(
            "--min-confidence needs a calibration on your questions. Make one with dragoman bench run --workload FILE "
            "--out RUN and dragoman bench calibrate RUN --out calibration.json, and name it with --calibration."
        )


def _read_file(path: Path | None) -> dict[str, Any]:
    if path is None:
        path = Path(SETTINGS_FILE)
        if not path.exists():
            return {}
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SetupError(f"Cannot read the settings file {path}: {error.strerror}. Check --settings.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SetupError(f"The settings file {path} is not TOML ({error}). Mend it.") from None
    known = [f.name for f in fields(SolverSettings)]
    for key in found:
        if key not in known:
            raise SetupError(f"{path} has an unknown setting {key}. Known are {', '.join(known)}.")
    try:
        _check_each(found)
    except SetupError as error:
        raise SetupError(f"{path}: {error}") from None
    return found


def _check_each(values: Mapping[str, Any]) -> None:
    """Raises `SetupError` for a value that does not fit its setting."""
    annotations = get_type_hints(SolverSettings)
    for name, value in values.items():
        check_setting(name, value, annotations[name])
        if name == "model_for" and not all(isinstance(model, str) for model in value.values()):
            raise SetupError('model_for names a model for each role, like model_for.judge = "NAME". Mend it.')
