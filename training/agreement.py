"""Does llama.cpp with the adapter predict what torch predicts? `python training/agreement.py --adapter FILE.gguf ...`.

Teacher-forced: for every token of the gold completions of some prompts, the likeliest next token of both is compared.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from adapter import read_adapter
from base import read_base, read_tokenizer
from evaluate import stratified
from f16_base import write_f16
from lora_model import LoraModel, Pack
from packs import Lesson, lessons, pack
from spider import Spider
from tokenizers import Tokenizer

from dragoman.models.embedded.runtime import Runtime
from dragoman.models.embedded.sql_form import SqlForm, schema_text


def agreement(runtime: Runtime, model: LoraModel, tokenizer: Tokenizer, packs: Sequence[Pack]) -> tuple[int, int]:
    """(tokens on which both agree, tokens compared) over the labelled tokens of packs of one question each."""
    agreed = compared = 0
    for one in packs:
        with torch.no_grad():
            likeliest = model.scores(one).argmax(-1).tolist()
        places = [i for i, labelled in enumerate(one.labels) if labelled]
        for place, token in zip(places, likeliest, strict=True):
            mine = "" if token == model.base.end else tokenizer.decode([token], skip_special_tokens=False)
            agreed += next_text(runtime, one.tokens[:place]) == mine
            compared += 1
    return agreed, compared


def next_text(runtime: Runtime, tokens: Sequence[int]) -> str:
    """The text of llama.cpp's likeliest next token, "" for the end of the answer."""
    texts: list[str] = []

    def listen(chunk: Mapping[str, Any]) -> None:
        texts.extend(choice.get("text") or "" for choice in chunk.get("choices", ()))

    runtime.complete({"prompt": list(tokens), "max_tokens": 1, "temperature": 0.0}, 1.0, False, listen)
    return "".join(texts)


def single_packs(found: Sequence[Lesson], spider: Spider, tokenizer: Tokenizer) -> list[Pack]:
    """One question a pack, as at inference."""
    return [
        pack(tokenizer.encode(schema_text(spider.schema(lesson.example.database))).ids, [lesson]) for lesson in found
    ]


def main() -> None:
    """Compare with the base as it is shipped, and with F16 weights on llama.cpp's side."""
    arguments = _arguments()
    torch.set_num_threads(1)
    base, tokenizer, adapter = (
        read_base(arguments.base),
        read_tokenizer(arguments.base),
        read_adapter(arguments.adapter),
    )
    model = LoraModel(base, adapter.weights, adapter.alpha)
    spider = Spider(arguments.spider, arguments.work)
    form = SqlForm("select" if adapter.order == "select" else "from")
    wanted = {e.question.id for e in stratified(spider.examples("dev"), arguments.prompts)}
    found = [
        x for x in lessons(spider, spider.examples("dev"), form, tokenizer, base.end) if x.example.question.id in wanted
    ]
    packs = single_packs(found, spider, tokenizer)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "f16.gguf"
        write_f16(arguments.base, plain)
        for path in (plain, arguments.base):
            runtime = Runtime(path, arguments.adapter, 1, 2048, Path(folder))
            agreed, compared = agreement(runtime, model, tokenizer, packs)
            runtime.close()
            print(f"{path.name}: {agreed} of {compared} tokens, {agreed / compared:.2%}", flush=True)


def _arguments() -> argparse.Namespace:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description="Compare llama.cpp with torch, token by token.")
    parser.add_argument("--adapter", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True, help="SmolLM2-135M-Instruct as GGUF")
    parser.add_argument("--spider", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=here / "work")
    parser.add_argument("--prompts", type=int, default=20)
    return parser.parse_args()


if __name__ == "__main__":
    main()
