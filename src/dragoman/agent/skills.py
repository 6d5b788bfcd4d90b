"""Skills: strategies in Markdown, each with front matter in TOML.

+++
name = "balanced"
when = "When to use it, in one sentence."
version = 0          # rounds of optimisation
parent = ""          # id of the skill that it was made from
[scores]             # name of a measurement -> share from 0 to 1
+++
The strategy, which stands verbatim in the agent's system text.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from dragoman.errors import SetupError

FENCE = "+++"
DEFAULT = "balanced"
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Skill:
    """One strategy. `scores` are shares from 0 to 1 by what was measured."""

    name: str
    body: str
    when: str = ""
    version: int = 0
    parent: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Twelve hexadecimal digits that stand for the text of the strategy."""
        return hashlib.sha256(self.body.encode()).hexdigest()[:12]

    @property
    def label(self) -> str:
        """The name, with the round where it has been optimised: `balanced_r2`."""
        return f"{self.name}_r{self.version}" if self.version else self.name


def seed_skills() -> tuple[Skill, ...]:
    """The eight skills that come with the package, the default first, the others in the order of their names."""
    folder = resources.files("dragoman.agent").joinpath("skills")
    texts = sorted((item.name, item.read_text("utf-8")) for item in folder.iterdir() if item.name.endswith(".md"))
    skills = [parse_skill(text, name) for name, text in texts]
    return tuple(sorted(skills, key=lambda skill: skill.name != DEFAULT))


def find_skill(name: str, folder: Path | None = None) -> Skill:
    """The skill of that name or label in `folder` (later versions first), else among the seeds; or the file of that
    path. Raises `SetupError` naming the skills there are."""
    if name.endswith(".md"):
        return read_skill(Path(name))
    own = sorted(read_skills(folder) if folder else (), key=lambda skill: -skill.version)
    known = [*own, *seed_skills()]
    for skill in known:
        if name in (skill.name, skill.label):
            return skill
    names = ", ".join(dict.fromkeys(skill.label for skill in known))
    raise SetupError(f"No skill is called {name}. Choose one of {names}, or give the path of a .md file.")


def read_skills(folder: Path) -> tuple[Skill, ...]:
    """The skills in a folder in the order of their files; a folder that is not there has none."""
    return tuple(read_skill(path) for path in sorted(folder.glob("*.md")))


def read_skill(path: Path) -> Skill:
    """Raises `SetupError` for a file that cannot be read or is not a skill."""
    try:
        return parse_skill(path.read_text(encoding="utf-8-sig"), str(path))
    except OSError as error:
        raise SetupError(f"Cannot read the skill {path}: {error.strerror}. Check the path.") from None
    except UnicodeDecodeError:
        raise SetupError(f"The skill {path} is not UTF-8 text. Save it as UTF-8.") from None


def parse_skill(text: str, where: str) -> Skill:
    """The skill that a text holds; `where` names it in errors. Raises `SetupError`."""
    parts = text.replace("\r\n", "\n").split(f"{FENCE}\n", 2)
    if len(parts) != 3 or parts[0].strip():
        raise SetupError(f"{where} has no front matter between two lines of {FENCE}. See `dragoman skills new`.")
    try:
        front = tomllib.loads(parts[1])
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"The front matter of {where} is not TOML ({error}). Mend it.") from None
    body = parts[2].strip()
    unknown = front.keys() - {"name", "when", "version", "parent", "scores"}
    if unknown:
        raise SetupError(f"The front matter of {where} has an unknown key {min(unknown)}. Remove it.")
    if not body:
        raise SetupError(f"The skill {where} has no strategy below its front matter. Write one.")
    name, scores = front.get("name"), front.get("scores", {})
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise SetupError(f"{where} needs a name of lower-case letters, digits and underscores. Mend its front matter.")
    fits = isinstance(front.get("version", 0), int) and isinstance(front.get("when", ""), str) and _are_shares(scores)
    if not fits or not isinstance(front.get("parent", ""), str):
        raise SetupError(f"{where} needs a text for when and parent, a whole version and scores from 0 to 1. Mend it.")
    return Skill(name, body, front.get("when", ""), front.get("version", 0), front.get("parent", ""), scores)


def skill_text(skill: Skill) -> str:
    """The file of a skill; `parse_skill` gives an equal skill back."""
    scores = "".join(f"{_quoted(key)} = {float(value)!r}\n" for key, value in skill.scores.items())
    front = (
        f"name = {_quoted(skill.name)}\nwhen = {_quoted(skill.when)}\n"
        f"version = {skill.version}\nparent = {_quoted(skill.parent)}\n\n[scores]\n{scores}"
    )
    return f"{FENCE}\n{front}{FENCE}\n{skill.body}\n"


def new_skill(name: str, when: str, folder: Path, model: Skill) -> Path:
    """Write a skill to be edited, made from `model`, and give its path.

    Raises `SetupError` for a bad name or one that is taken in the folder.
    """
    if not _NAME.fullmatch(name):
        raise SetupError(
            f"A skill is called by lower-case letters, digits and underscores, not {name}. Choose another."
        )
    return write_skill(Skill(name, model.body, when, 0, model.id), folder)


def write_skill(skill: Skill, folder: Path) -> Path:
    """Write a skill as a new file and give its path. Raises `SetupError` for a name that is taken in the folder."""
    path = folder / f"{skill.name}.md"
    if path.exists():
        raise SetupError(f"{path} exists. Choose another name, or edit that file.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(skill_text(skill), encoding="utf-8")
    except OSError as error:
        raise SetupError(f"Cannot write the skill {path}: {error.strerror}. Choose another folder.") from None
    return path


def _are_shares(scores: object) -> bool:
    return isinstance(scores, Mapping) and all(
        isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1 for value in scores.values()
    )


def _quoted(text: str) -> str:
    """A TOML basic string; JSON's escapes are TOML's too."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
