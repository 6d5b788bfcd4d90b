"""Write the adapter of a training state as GGUF: `python training/to_gguf.py training/work/state.pt OUT.gguf [--f16]`.

Milestones are written by training itself, after a decay; this is for a look at a run that goes on.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from adapter import Adapter, write_adapter
from gguf import GGMLQuantizationType
from train import ALPHA


def main() -> None:
    """Read the state, write the file."""
    parser = argparse.ArgumentParser(description="Write the adapter of a training state as GGUF.")
    parser.add_argument("state", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--order", choices=("from", "select"), default="from")
    parser.add_argument("--f16", action="store_true", help="F16 instead of Q8_0")
    arguments = parser.parse_args()
    kind = GGMLQuantizationType.F16 if arguments.f16 else GGMLQuantizationType.Q8_0
    write_adapter(Adapter(torch.load(arguments.state)["adapter"], ALPHA, arguments.order), arguments.out, kind)


if __name__ == "__main__":
    main()
