"""The training scripts are no package: their folder goes on the path. The tests skip where torch is absent."""

from __future__ import annotations

import sys
from pathlib import Path

TRAINING = Path(__file__).parents[2] / "training"
sys.path.insert(0, str(TRAINING))
