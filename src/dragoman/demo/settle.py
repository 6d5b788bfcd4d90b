"""Take from a database file what differs between versions of SQLite that write the same rows."""

from __future__ import annotations

import struct
from pathlib import Path

_WRITER = 3_040_000
_POINTERS_START = {0x02: 12, 0x05: 12, 0x0A: 8, 0x0D: 8}  # b-tree page type -> length of its header


def settle(path: Path, page_size: int) -> None:
    """Blank the unused space of every b-tree page, and set the version number of the library to a fixed one.

    Both are without meaning for readers (https://sqlite.org/fileformat.html, sections 1.3 and 1.6): some versions
    leave old bytes between the cell pointers of a page and its cells, and bytes 96 to 99 of the file name the library
    that wrote it last. The file must have no free pages, as after VACUUM.
    """
    content = bytearray(path.read_bytes())
    struct.pack_into(">I", content, 96, _WRITER)
    for page in range(0, len(content), page_size):
        header = page or 100
        length = _POINTERS_START.get(content[header])  # the first byte of an overflow page is 0
        if length:
            cells, start = struct.unpack_from(">3xHH", content, header)
            unused = slice(header + length + 2 * cells, page + start)
            content[unused] = bytes(unused.stop - unused.start)
    path.write_bytes(content)
