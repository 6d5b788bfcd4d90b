"""The training scripts are no package: their folder goes on the path, and all tests skip where torch is absent."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

TRAINING = Path(__file__).parents[2] / "training"
sys.path.insert(0, str(TRAINING))

for name in ("torch", "gguf", "tokenizers"):
    pytest.importorskip(name, reason="training/requirements.txt is not installed", exc_type=ImportError)
