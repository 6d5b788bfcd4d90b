"""The model that is trained: a frozen llama-architecture base in bfloat16 with LoRA on every linear layer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import torch
from base import Base
from torch import Tensor
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

GROUPS: tuple[tuple[str, ...], ...] = (
    ("attn_q", "attn_k", "attn_v"),
    ("attn_output",),
    ("ffn_gate", "ffn_up"),
    ("ffn_down",),
)
"""Linear layers that read the same input; each group is one matrix product."""


@dataclass(frozen=True)
class Pack:
    """One schema and questions over it as one sequence: each question sees the schema and itself, nothing else.

    `tokens` (length n) holds the schema's tokens, then those of the questions; `lengths` are theirs. `labels`
    (length n) is True for tokens to be learned. `ids` names the questions.
    """

    tokens: tuple[int, ...]
    labels: tuple[bool, ...]
    prefix: int
    lengths: tuple[int, ...]
    ids: tuple[str, ...] = ()

    @cached_property
    def positions(self) -> Tensor:
        """Positions (n): each question's go on from the schema's."""
        own = [torch.arange(self.prefix, self.prefix + n) for n in self.lengths]
        return torch.cat([torch.arange(self.prefix), *own])

    @cached_property
    def owners(self) -> Tensor:
        """The question (from 0) that each token belongs to, 0 for the schema's tokens (n)."""
        lengths = torch.tensor([self.prefix, *self.lengths])
        return torch.repeat_interleave(torch.tensor([0, *range(len(self.lengths))]), lengths)

    @cached_property
    def blocks(self) -> Tensor:
        """Whether place j of question i is a token (questions x longest)."""
        lengths = torch.tensor(self.lengths)
        return torch.arange(int(lengths.max())) < lengths[:, None]


def new_adapter(base: Base, rank: int, seed: int) -> dict[str, Tensor]:
    """Fresh LoRA weights: A small and random, B zero."""
    random = torch.Generator().manual_seed(seed)
    weights = {}
    for layer in range(base.layers):
        for name in (n for group in GROUPS for n in group):
            outputs, inputs = base.weights[f"blk.{layer}.{name}.weight"].shape
            key = f"blk.{layer}.{name}.weight.lora_"
            weights[key + "a"] = (torch.rand(rank, inputs, generator=random) * 2 - 1) * (3 / inputs) ** 0.5
            weights[key + "b"] = torch.zeros(outputs, rank)
    return weights


class LoraModel:
    """Base and adapter. `adapter` maps GGUF names to float32 tensors, which are trained in place."""

    def __init__(self, base: Base, adapter: dict[str, Tensor], alpha: float) -> None:
        """Join the weights of each group of linear layers once."""
        self.base = base
        self.adapter = adapter
        self.scale = alpha / next(w.shape[0] for name, w in adapter.items() if name.endswith("lora_a"))
        self.joined = {
            (layer, group): torch.cat([base.weights[f"blk.{layer}.{name}.weight"] for name in group])
            for layer in range(base.layers)
            for group in GROUPS
        }

    def losses(self, pack: Pack) -> Tensor:
        """Cross entropy (nats, summed over its labelled tokens) of each question."""
        learned = torch.tensor(pack.labels[1:])
        targets = torch.tensor(pack.tokens[1:])[learned]
        loss = F.cross_entropy(self.scores(pack), targets, reduction="none")
        return torch.zeros(len(pack.lengths)).index_add(0, pack.owners[1:][learned], loss)

    def scores(self, pack: Pack) -> Tensor:
        """Scores (labelled tokens x vocabulary, float32) that the token before each labelled one gives."""
        told = self.hidden(pack)[:-1][torch.tensor(pack.labels[1:])]
        return (told @ self.base.weights["token_embd.weight"].T).float()

    def hidden(self, pack: Pack) -> Tensor:
        """Normed states (n x width, bfloat16) behind the last layer."""
        state = self.base.weights["token_embd.weight"][list(pack.tokens)].float()
        rotation = self._rotation(pack.positions)
        for layer in range(self.base.layers):
            q, k, v = self._linear(self._norm(state, f"blk.{layer}.attn_norm.weight"), layer, GROUPS[0])
            seen = _attend(q, k, v, rotation, pack, self.base.kv_heads)
            state = state + self._linear(seen, layer, GROUPS[1])[0]
            gate, up = self._linear(self._norm(state, f"blk.{layer}.ffn_norm.weight"), layer, GROUPS[2])
            state = state + self._linear(_forget(_gated, gate, up), layer, GROUPS[3])[0]
        return self._norm(state, "output_norm.weight")

    def _norm(self, state: Tensor, name: str) -> Tensor:
        return _forget(_normed, state, self.base.weights[name], self.base.epsilon)

    def _linear(self, x: Tensor, layer: int, group: tuple[str, ...]) -> list[Tensor]:
        keys = [f"blk.{layer}.{name}.weight.lora_" for name in group]
        outs = torch.split(x @ self.joined[layer, group].T, [self.adapter[key + "b"].shape[0] for key in keys], -1)
        low = x @ (torch.cat([self.adapter[key + "a"] for key in keys]) * self.scale).bfloat16().T
        parts = low.chunk(len(keys), -1)
        return [
            torch.addmm(out, part, self.adapter[key + "b"].bfloat16().T)
            for out, part, key in zip(outs, parts, keys, strict=True)
        ]

    def _rotation(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        size = self.base.weights["blk.0.attn_q.weight"].shape[0] // self.base.heads
        angles = positions[:, None].float() * self.base.rope_base ** (-torch.arange(0, size, 2).float() / size)
        return angles.cos()[:, None], angles.sin()[:, None]


def _forget(function: Callable[..., Tensor], *arguments: object) -> Tensor:
    """Call `function` without keeping what it computed on the way; the backward pass computes it again."""
    out: Tensor = checkpoint(function, *arguments, use_reentrant=False, preserve_rng_state=False)
    return out


def _normed(state: Tensor, weight: Tensor, epsilon: float) -> Tensor:
    return (state * torch.rsqrt(state.square().mean(-1, keepdim=True) + epsilon) * weight).bfloat16()


def _gated(gate: Tensor, up: Tensor) -> Tensor:
    return F.silu(gate) * up


def _rotate(x: Tensor, rotation: tuple[Tensor, Tensor]) -> Tensor:
    """Rotary positions on neighbouring pairs: n x (heads * size) -> n x heads x size."""
    cos, sin = rotation
    pairs = x.float().view(len(x), -1, cos.shape[-1], 2)
    a, b = pairs[..., 0], pairs[..., 1]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(2).bfloat16()


def _attend(q: Tensor, k: Tensor, v: Tensor, rotation: tuple[Tensor, Tensor], pack: Pack, kv_heads: int) -> Tensor:
    """Causal attention within the schema and, apart for each question, over the schema and the question itself."""
    q, k = _rotate(q, rotation), _rotate(k, rotation)
    n, _, size = q.shape
    q, v = q.view(n, kv_heads, -1, size), v.view(n, kv_heads, size)
    prefix, places = pack.prefix, pack.blocks
    longest = places.shape[1]
    schema = _heads(q[None, :prefix], k[None, :prefix], v[None, :prefix], _causal(prefix))
    index = torch.zeros_like(places, dtype=torch.long)
    index[places] = torch.arange(prefix, n)
    keys, values = (torch.cat([x[None, :prefix].expand(len(index), -1, -1, -1), x[index]], 1) for x in (k, v))
    mask = torch.cat([torch.zeros(longest, prefix, dtype=torch.bfloat16), _causal(longest)], 1)
    questions = _heads(q[index], keys, values, mask)[places]
    return torch.cat([schema[0], questions])


def _heads(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """q: batch, queries, kv heads, group, size; k and v: batch, keys, kv heads, size; out: batch, queries, width."""
    batch, queries, kv_heads, group, size = q.shape
    rows = (q * size**-0.5).permute(0, 2, 3, 1, 4).reshape(batch * kv_heads, group * queries, size)
    scores = torch.baddbmm(mask.repeat(group, 1), rows, k.permute(0, 2, 3, 1).flatten(0, 1))
    out = scores.softmax(-1) @ v.transpose(1, 2).flatten(0, 1)
    return out.view(batch, kv_heads, group, queries, size).permute(0, 3, 1, 2, 4).reshape(batch, queries, -1)


def _causal(size: int) -> Tensor:
    """0 where a query (row) may look at a key, minus infinity elsewhere."""
    return torch.full((size, size), float("-inf"), dtype=torch.bfloat16).triu(1)
