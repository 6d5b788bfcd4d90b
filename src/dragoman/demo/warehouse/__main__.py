"""python -m dragoman.demo.warehouse PLACE

Makes the warehouse in a DuckDB file, or loads it into an empty PostgreSQL database (postgresql://...).
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from dragoman.errors import SetupError


def main() -> int:
    """The exit status: 2 for a place that cannot be written to."""
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if len(sys.argv) == 2 else 2
    place = sys.argv[1]
    try:
        if place.startswith(("postgresql://", "postgres://")):
            importlib.import_module("dragoman.demo.warehouse.load_postgres").load_postgres(place)
        else:
            importlib.import_module("dragoman.demo.warehouse.build").build_warehouse(Path(place).expanduser())
    except SetupError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
