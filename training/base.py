"""The base model out of its GGUF file: weights as tensors in llama.cpp's own layout, and the tokenizer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gguf import GGUFReader, ReaderTensor, dequantize
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Base:
    """Frozen weights by their GGUF names, in bfloat16 (norms in float32), and the shape of the model.

    Rows of `attn_q` and `attn_k` stay as the GGUF conversion permuted them, so rotary pairs lie side by side.
    """

    weights: dict[str, Tensor]
    layers: int
    heads: int
    kv_heads: int
    rope_base: float
    epsilon: float
    end: int


def read_base(path: Path) -> Base:
    """Read a llama-architecture GGUF file of any quantisation."""
    reader = GGUFReader(path)
    return Base(
        {tensor.name: _weight(tensor) for tensor in reader.tensors},
        _field(reader, "llama.block_count"),
        _field(reader, "llama.attention.head_count"),
        _field(reader, "llama.attention.head_count_kv"),
        _field(reader, "llama.rope.freq_base"),
        _field(reader, "llama.attention.layer_norm_rms_epsilon"),
        _field(reader, "tokenizer.ggml.eos_token_id"),
    )


def read_tokenizer(path: Path) -> Tokenizer:
    """The byte-level BPE tokenizer (pre-tokenizer "smollm": digits apart, then GPT-2's pattern) of a GGUF file."""
    reader = GGUFReader(path)
    kind = _field(reader, "tokenizer.ggml.pre")
    if kind != "smollm":
        raise SystemExit(f"{path} has the pre-tokenizer {kind!r}; only 'smollm' is known here.")
    tokens: list[str] = _field(reader, "tokenizer.ggml.tokens")
    merges = [tuple(m.split(" ")) for m in _field(reader, "tokenizer.ggml.merges")]
    tokenizer = Tokenizer(models.BPE(vocab={t: i for i, t in enumerate(tokens)}, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def _weight(tensor: ReaderTensor) -> Tensor:
    values = torch.from_numpy(np.array(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32))
    return values if tensor.name.endswith("norm.weight") else values.bfloat16()


def _field(reader: GGUFReader, name: str) -> Any:
    field = reader.get_field(name)
    if field is None:
        raise SystemExit(f"The GGUF file has no {name}; it is not a llama-architecture model.")
    return field.contents()
