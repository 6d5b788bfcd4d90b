"""One training run: what it has learned, how far it has come, and how it survives being killed."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import torch
from lora_model import LoraModel, Pack
from shares import Shares


@dataclass
class Progress:
    """Where training stands; with weights and optimiser this is all that a resume needs.

    `losses` holds each question's last loss (nats), `known` the same as it was when the epoch began.
    """

    step: int = 0
    epoch: int = 0
    pack: int = 0
    seconds: float = 0.0
    losses: dict[str, float] = field(default_factory=dict)
    known: dict[str, float] = field(default_factory=dict)


@dataclass
class TrainingRun:
    """One run: the model, its optimiser, and how far it has come."""

    model: LoraModel
    shares: Shares
    optimizer: torch.optim.AdamW
    rate: float
    warm_up: int
    progress: Progress = field(default_factory=Progress)

    def step(self, packs: list[Pack], share: float = 1.0) -> tuple[float, int]:
        """One update on `packs` at `share` of the learning rate; returns mean loss (nats a token) and tokens seen."""
        losses = self.shares.backward(packs)
        self.progress.losses |= losses
        torch.nn.utils.clip_grad_norm_(self.model.adapter.values(), 1.0)
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate * share * min(1.0, (self.progress.step + 1) / self.warm_up)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.progress.step += 1
        return sum(losses.values()) / sum(sum(p.labels) for p in packs), sum(len(p.tokens) for p in packs)

    def save(self, path: Path) -> None:
        """Write the state whole or not at all."""
        part = path.with_suffix(".part")
        state = {
            "adapter": self.model.adapter,
            "optimizer": self.optimizer.state_dict(),
            "progress": vars(self.progress),
        }
        torch.save(state, part)
        part.replace(path)

    def load(self, path: Path) -> None:
        """Go on from what `save` wrote."""
        state = torch.load(path)
        with torch.no_grad():
            for name, weight in state["adapter"].items():
                self.model.adapter[name].copy_(weight)
        self.optimizer.load_state_dict(state["optimizer"])
        self.progress = Progress(**state["progress"])
