"""Removes secrets from text that others wrote, such as the body of an error."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote

REMOVED = "[removed]"
_PIECE = 8
_LOOKS_SECRET = re.compile(
    r"""(?ix)
    \b(?:bearer|basic)\s+[\w.~+/=-]{8,}                          # an Authorization header
    | \b(?:sk|pk|rk|gsk|xai|hf|r8|nvapi|pplx|key)[-_][\w*.-]{8,} # keys with a known beginning, masked ones too
    | \bAIza[\w-]{20,}                                           # Google
    | \beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*                          # a JSON web token
    | (?<=[?&])(?:api[-_]?key|key|token|access_token)=[^&\s"']+  # in a URL
    | (?<=://)[^/\s:@]+:[^/\s@]+(?=@)                            # user and password in a URL
    """
)


def scrub(text: str, secrets: Iterable[str] = ()) -> str:
    """The text without the secrets, without any run of 8 or more of their characters, and without what looks secret.

    A secret is also found as it stands in URLs and in JSON strings.
    """
    for secret in secrets:
        for form in {secret, quote(secret, safe=""), secret.replace("\\", "\\\\").replace('"', '\\"')}:
            text = _without(text, form)
    return _LOOKS_SECRET.sub(REMOVED, text)


def _without(text: str, secret: str) -> str:
    if not secret:
        return text
    text = text.replace(secret, REMOVED)
    marked = bytearray(len(text))
    for start in range(len(secret) - _PIECE + 1):
        piece = secret[start : start + _PIECE]
        at = text.find(piece)
        while at >= 0:
            marked[at : at + _PIECE] = b"\1" * _PIECE
            at = text.find(piece, at + 1)
    kept = "".join("\0" if mark else character for character, mark in zip(text, marked, strict=True))
    return re.sub("\0+", REMOVED, kept)
