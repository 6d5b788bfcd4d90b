"""How names of the schema are spelt in prompts, grammars and completions of the SQL adapter."""

from __future__ import annotations

import re
from functools import cache


@cache
def written(name: str) -> str:
    """The name in lower case, in double quotes unless it is a plain word that does not begin with a digit."""
    low = name.lower()
    return low if re.fullmatch(r"[^\W\d]\w*", low) else '"' + low.replace('"', '""') + '"'
