"""Data files as a database: which view stands for which files."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from dragoman.errors import SetupError

READERS: dict[str, str] = {
    ".parquet": "read_parquet(?, union_by_name = true)",
    ".csv": "read_csv(?, sample_size = -1, union_by_name = true)",
    ".tsv": "read_csv(?, sample_size = -1, union_by_name = true, delim = '\t')",
    ".json": "read_json(?, sample_size = -1, union_by_name = true)",
    ".jsonl": "read_json(?, sample_size = -1, union_by_name = true)",
    ".ndjson": "read_json(?, sample_size = -1, union_by_name = true)",
}
"""Ending of a file name -> DuckDB's reader; the whole file decides the types. `?` is a list of paths."""


@dataclass(frozen=True, slots=True)
class FileView:
    """A view over files of one kind, in order of their names."""

    name: str
    suffix: str
    files: tuple[Path, ...]

    @property
    def select(self) -> str:
        """The view's SELECT."""
        paths = ", ".join("'" + str(path).replace("'", "''") + "'" for path in self.files)
        return "SELECT * FROM " + READERS[self.suffix].replace("?", f"[{paths}]")


def file_views(path: Path) -> tuple[FileView, ...]:
    """One view for a file; for a folder, one for each file in it and one for each sub-folder with files of one kind.

    A view is named after its file or folder. Where two would have one name, the ending is added to it: `sales_csv`.
    Raises `SetupError` if there is nothing to read.
    """
    if not path.exists():
        raise SetupError(f"There is no file or folder {path}. Check the path given with --db.")
    if path.is_file():
        return (FileView(path.stem, path.suffix.lower(), (path.resolve(),)),)
    groups: defaultdict[tuple[str, str], list[Path]] = defaultdict(list)
    for file in sorted(path.iterdir()):
        if file.is_file() and file.suffix.lower() in READERS:
            groups[file.stem, file.suffix.lower()].append(file.resolve())
        elif file.is_dir():
            for member in sorted(m for m in file.rglob("*") if m.is_file() and m.suffix.lower() in READERS):
                groups[file.name, member.suffix.lower()].append(member.resolve())
    if not groups:
        raise SetupError(f"The folder {path} holds no data files. Put {', '.join(READERS)} files there.")
    names = [name.casefold() for name, _ in groups]
    return tuple(
        FileView(name if names.count(name.casefold()) == 1 else f"{name}_{suffix[1:]}", suffix, tuple(files))
        for (name, suffix), files in groups.items()
    )
