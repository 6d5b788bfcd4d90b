"""The base model with every weight in F16: for comparing llama.cpp with torch without the noise of Q4_1."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gguf import GGMLQuantizationType, GGUFReader, GGUFValueType, GGUFWriter, dequantize

_HEAD = ("GGUF.", "general.architecture")


def write_f16(source: Path, target: Path) -> None:
    """Write `source` again with all its metadata and its matrices in F16 (vectors stay F32)."""
    reader = GGUFReader(source)
    writer = GGUFWriter(target, "llama")
    for name, field in reader.fields.items():
        if not name.startswith(_HEAD):
            inner = field.types[-1] if field.types[0] == GGUFValueType.ARRAY else None
            writer.add_key_value(name, field.contents(), field.types[0], inner)
    for tensor in reader.tensors:
        values = np.asarray(dequantize(tensor.data, tensor.tensor_type))
        plain = tensor.tensor_type == GGMLQuantizationType.F32
        writer.add_tensor(tensor.name, values if plain else values.astype(np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
