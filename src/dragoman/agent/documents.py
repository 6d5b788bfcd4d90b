"""The user's own documents: a folder of Markdown and text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from dragoman.errors import SetupError

ENDINGS = (".md", ".markdown", ".txt")
LONGEST_PASSAGE = 1200
"""Characters; longer sections are cut at blank lines, longer paragraphs where they end."""
MOST_BYTES = 5_000_000
"""A file beyond that is not notes about a database."""

_HEADING = re.compile(r"^(?=#{1,6} )", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Document:
    """One passage of a document. `name` is the file's path below the folder."""

    name: str
    text: str


def read_documents(folder: Path) -> tuple[Document, ...]:
    """The passages of all Markdown and text files below `folder`, in the order of their names.

    Raises `SetupError` for a folder that is not there, a file that cannot be read as UTF-8, and one that is too large.
    """
    if not folder.is_dir():
        raise SetupError(f"There is no folder {folder}. Name a folder of Markdown or text files.")
    paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in ENDINGS and p.is_file())
    return tuple(Document(str(p.relative_to(folder)), text) for p in paths for text in passages(_read(p)))


def passages(text: str) -> list[str]:
    """The text in pieces: at headings, then at blank lines where a section is longer than `LONGEST_PASSAGE`."""
    found: list[str] = []
    for section in _HEADING.split(text.replace("\r\n", "\n")):
        piece = ""
        for paragraph in section.split("\n\n"):
            if piece and len(piece) + len(paragraph) > LONGEST_PASSAGE:
                found.append(piece)
                piece = ""
            piece = f"{piece}\n\n{paragraph}" if piece else paragraph
        found.append(piece)
    return [stripped for piece in found if (stripped := piece.strip())]


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise SetupError(f"The document {path} is larger than 5 MB. Split it, or leave it out of the folder.")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SetupError(f"Cannot read the document {path}: {error.strerror}. Check its permissions.") from None
    except UnicodeDecodeError:
        raise SetupError(f"The document {path} is not UTF-8 text. Save it as UTF-8.") from None
