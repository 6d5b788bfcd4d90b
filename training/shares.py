"""The gradient of one step, computed by this process and by helpers that use only idle time of other cores."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Sequence
from multiprocessing.connection import Connection

import torch
from lora_model import LoraModel, Pack
from torch import Tensor


class Shares:
    """`helpers` forked processes beside this one; weights and the helpers' gradients lie in shared memory."""

    def __init__(self, model: LoraModel, helpers: int) -> None:
        """Fork before the model has run: threads of torch do not survive a fork."""
        self.model = model
        self.gradients: list[dict[str, Tensor]] = []
        self.pipes: list[Connection] = []
        context = multiprocessing.get_context("fork")
        for weight in model.adapter.values():
            weight.share_memory_()  # type: ignore[no-untyped-call]
        for _ in range(helpers):
            gradient = {name: torch.zeros_like(weight) for name, weight in model.adapter.items()}
            for zeros in gradient.values():
                zeros.share_memory_()  # type: ignore[no-untyped-call]
            here, there = context.Pipe()
            context.Process(target=_help, args=(model, gradient, there, [*self.pipes, here]), daemon=True).start()
            there.close()
            self.gradients.append(gradient)
            self.pipes.append(here)

    def backward(self, packs: Sequence[Pack]) -> dict[str, float]:
        """Leave the gradient of the mean loss per labelled token in `.grad`; returns each question's loss (nats)."""
        labels = sum(sum(p.labels) for p in packs)
        shares = _split(packs, len(self.pipes) + 1)
        for pipe, share in zip(self.pipes, shares[1:], strict=True):
            pipe.send((share, labels))
        losses = _accumulate(self.model, shares[0], labels)
        for pipe, gradient in zip(self.pipes, self.gradients, strict=True):
            losses |= pipe.recv()
            for name, weight in self.model.adapter.items():
                weight.grad = gradient[name].clone() if weight.grad is None else weight.grad.add_(gradient[name])
                gradient[name].zero_()
        return losses


def _split(packs: Sequence[Pack], count: int) -> list[list[Pack]]:
    """`count` shares of about the same number of tokens, the largest first."""
    shares: list[list[Pack]] = [[] for _ in range(count)]
    for pack in sorted(packs, key=lambda p: -len(p.tokens)):
        min(shares, key=lambda share: sum(len(p.tokens) for p in share)).append(pack)
    return sorted(shares, key=lambda share: -sum(len(p.tokens) for p in share))


def _accumulate(model: LoraModel, packs: Sequence[Pack], labels: int) -> dict[str, float]:
    found: dict[str, float] = {}
    for pack in packs:
        losses = model.losses(pack)
        torch.autograd.backward(losses.sum() / labels)
        found |= zip(pack.ids, losses.tolist(), strict=True)
    return found


def _help(model: LoraModel, gradient: dict[str, Tensor], pipe: Connection, others: list[Connection]) -> None:
    """Answer shares until the other end closes. Runs only where no ordinary process wants the core."""
    for other in others:
        other.close()
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    for name, weight in model.adapter.items():
        weight.grad = gradient[name]
    while True:
        try:
            packs, labels = pipe.recv()
        except EOFError:
            return
        pipe.send(_accumulate(model, packs, labels))
