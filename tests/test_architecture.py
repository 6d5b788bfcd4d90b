"""The house rules that a machine can check. Alarms that are accepted are listed here, each with its reason."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "dragoman"
FILES = sorted(PACKAGE.rglob("*.py"))
LONGEST_FILE, LONGEST_FUNCTION, MOST_PARAMETERS = 300, 60, 6
FORBIDDEN_NAMES = re.compile(r"helper|util|^core$|common|^base$|manager|misc|phase\d", re.IGNORECASE)

ACCEPTED: dict[str, str] = {
    "models/hosted.py: own import hidden in _connect": "house.md",
    "models/open_model.py: own import hidden in _embedded": "house.md",
    "sql/resolve.py: file": "house.md",
}
"""Alarm -> the decision that accepts it, in docs/decisions/."""


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))


def is_command(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Options of the command line are parameters; their number is the command's, not a design choice."""
    return any("command" in ast.unparse(d) or "callback" in ast.unparse(d) for d in function.decorator_list)


def alarms() -> Iterator[str]:
    for path in FILES:
        where = path.relative_to(PACKAGE).as_posix()
        text = path.read_text("utf-8")
        if len(text.splitlines()) > LONGEST_FILE:
            yield f"{where}: file"
        tree = ast.parse(text)
        for function in functions(tree):
            if is_command(function):
                continue
            if (function.end_lineno or 0) - function.lineno + 1 > LONGEST_FUNCTION:
                yield f"{where}: length of {function.name}"
            arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
            if len([a for a in arguments if a.arg not in ("self", "cls")]) > MOST_PARAMETERS:
                yield f"{where}: parameters of {function.name}"
            for node in ast.walk(function):
                module = getattr(node, "module", None) if isinstance(node, ast.ImportFrom) else None
                if module and module.split(".")[0] == "dragoman":
                    yield f"{where}: own import hidden in {function.name}"


def test_every_alarm_is_accepted_with_a_reason() -> None:
    raised = set(alarms())
    assert raised - ACCEPTED.keys() == set()
    assert ACCEPTED.keys() - raised == set(), "accepted alarms that no longer ring"


def test_names_are_the_fields_own() -> None:
    names = [p.relative_to(PACKAGE) for p in [*FILES, *(p for p in PACKAGE.rglob("*") if p.is_dir())]]
    assert [str(n) for n in names if FORBIDDEN_NAMES.search(n.name.removesuffix(".py"))] == []


def test_every_module_and_public_definition_is_documented() -> None:
    missing = []
    for path in FILES:
        tree = ast.parse(path.read_text("utf-8"))
        if tree.body and not ast.get_docstring(tree):
            missing.append(str(path.relative_to(PACKAGE)))
        for node in tree.body:
            public = isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
            if public and not ast.get_docstring(node):
                missing.append(f"{path.relative_to(PACKAGE)}: {node.name}")
    assert missing == []


def test_importing_the_package_prints_reads_and_writes_nothing(tmp_path: Path) -> None:
    code = (
        "import builtins, io, sys\n"
        "import dragoman\n"
        "heavy = {'sqlglot', 'rich', 'typer', 'xllamacpp', 'pydantic_ai', 'sqlite3'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-B", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("lock", ["demo.lock", "dev.lock"])
def test_locks_hold_versions_and_hashes_and_no_addresses(lock: str) -> None:
    text = (ROOT / "requirements" / lock).read_text("utf-8")
    pins = re.findall(r"^(\S+)==\S+", text, re.MULTILINE)
    assert len(pins) > 10
    assert "://" not in text
    assert all("--hash=sha256:" in part for part in re.split(r"^(?=\S+==)", text, flags=re.MULTILINE) if part.strip())


def test_every_requirement_has_a_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = list(project["project"]["dependencies"])
    for extra in project["project"]["optional-dependencies"].values():
        wanted += extra
    for group in project["dependency-groups"].values():
        wanted += group
    reasons = (ROOT / "docs" / "decisions" / "dependencies.md").read_text("utf-8")
    names = {re.split(r"[\[<>=]", requirement)[0] for requirement in wanted}
    assert [name for name in sorted(names) if f"`{name}`" not in reasons] == []


def test_no_file_names_a_machine() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split(
        "\n"
    )
    texts = [p for p in tracked if p.endswith((".py", ".md", ".toml", ".sh", ".sql", ".txt")) or p == "Makefile"]
    words = re.compile(r"(?<![\w.-])/(work|root)/|pypi\.org|(?<!no-emit)-index-url")
    found = [
        f"{path}: {match[0]}"
        for path in texts
        if (ROOT / path).exists() and path != "tests/test_architecture.py"
        for match in words.finditer((ROOT / path).read_text("utf-8", "replace"))
    ]
    assert found == []


def test_the_public_surface_is_what_is_listed() -> None:
    import dragoman

    assert dragoman.__all__ == sorted(dragoman.__all__)
    assert dir(dragoman) == sorted(dragoman.__all__)
    for name in dragoman.__all__:
        assert getattr(dragoman, name).__name__ == name or name in ("Solver", "SolverFor")
    with pytest.raises(AttributeError, match="nonsense"):
        dragoman.nonsense  # noqa: B018
