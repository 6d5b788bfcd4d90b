"""LoRA weights as llama.cpp reads them: a GGUF file, to write and to read back for more training."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from gguf import GGMLQuantizationType, GGUFReader, GGUFWriter, dequantize, quantize
from torch import Tensor

ORDER_KEY = "dragoman.sql_form.order"
"""Metadata key: the `order` of the `SqlForm` that the adapter was trained on."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """`weights` maps "blk.0.attn_q.weight.lora_a" (rank x inputs) and "...lora_b" (outputs x rank) to float32."""

    weights: dict[str, Tensor]
    alpha: float
    order: str

    @property
    def rank(self) -> int:
        """The common rank of all pairs."""
        return next(w.shape[0] for name, w in self.weights.items() if name.endswith("lora_a"))


def write_adapter(adapter: Adapter, path: Path, kind: GGMLQuantizationType = GGMLQuantizationType.Q8_0) -> None:
    """Write the adapter whole or not at all, its tensors as `kind` (Q8_0 or F16)."""
    part = path.with_suffix(".part")
    writer = GGUFWriter(part, "llama")
    writer.add_string("general.type", "adapter")
    writer.add_string("general.name", "SmolLM2-135M-Instruct SQL")
    writer.add_string("general.license", "apache-2.0")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", adapter.alpha)
    writer.add_string(ORDER_KEY, adapter.order)
    for name, weight in adapter.weights.items():
        values = np.ascontiguousarray(weight.detach().float().numpy())
        writer.add_tensor(name, quantize(values, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    part.replace(path)


def read_adapter(path: Path) -> Adapter:
    """Read what `write_adapter` wrote."""
    reader = GGUFReader(path)
    weights = {
        tensor.name: torch.from_numpy(np.array(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32))
        for tensor in reader.tensors
    }
    alpha, order = reader.get_field("adapter.lora.alpha"), reader.get_field(ORDER_KEY)
    return Adapter(weights, float(alpha.contents()) if alpha else 0.0, str(order.contents()) if order else "from")
